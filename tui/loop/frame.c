/* A frame: the header, the view with its preview, the status line and the key bar. */
#include "model/base/strbuf.h"
#include "store/db/thread.h"
#include "store/team/team.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/explorer/disbelieve.h"
#include "tui/loop/loop.h"
#include "tui/loop/tour.h"
#include "tui/text/text.h"
#include "tui/view/events/event_views.h"
#include "tui/view/graph/lineage_view.h"
#include "tui/view/views.h"

#define APART                 3  /* columns between the breadcrumb and the texts at its right */
#define TITLE_MIN             24 /* least columns of the title next to counts */
#define TITLE_AFTER_CRUMBS    8  /* least columns of the title after the breadcrumb */
#define TITLE_NEXT_TO_WARNING 2  /* least columns of the title next to warnings */

/* ---- the breadcrumb ---- */

/* The displayed past state has priority in the header. */
static void add_as_of(const struct app *x, struct strbuf *out)
{
    if (!asof_is_past(&x->asof))
        return;
    strbuf_addf(out, " %s ", glyph_text(&x->ui.screen, GLYPH_CRUMB));
    asof_add_crumb(&x->asof, out);
}

static int width_of(const struct strbuf *text)
{
    return (int)text_width(text->buf, text->len, 4096, TEXT_EXACT);
}

static void add_title(struct view *v, struct strbuf *out)
{
    const char *crumb = glyph_text(&v->ui->screen, GLYPH_CRUMB),
               *quote = v->filter_fields ? "" : "\"";
    if (v->ops->title)
        v->ops->title(v, out);
    else
        strbuf_addstr(out, v->ops->name);
    if (*v->filter)
        strbuf_addf(out, " %s %s%s%s", crumb, quote, v->filter, quote);
    if (v->only_new)
        strbuf_addf(out, " %s new", crumb);
}

/* Appends a part of the breadcrumb, masked if masks are on. */
static void add_masked(struct app *x, struct strbuf *out, const char *text)
{
    AUTO_STRBUF part = STRBUF_INIT;
    strbuf_addstr(&part, text);
    if (rules_mask_is_on(&x->data))
        ui_mask(&x->ui, &part);
    strbuf_add(out, part.buf, part.len);
}

/* Also records where the views below are named, for the mouse. */
static void add_crumbs(struct app *x, struct strbuf *out, size_t most)
{
    const struct view *way[CRUMBS_MAX];
    const char *crumb = glyph_text(&x->ui.screen, GLYPH_CRUMB);
    size_t count = 0, depth = 0;
    int at = x->ui.crumbs_at ? x->ui.crumbs_at : 1;
    strbuf_clear(out);
    for (const struct view *v = x->nav.top->below; v; v = v->below) {
        if (count < most)
            way[count++] = v;
        depth++;
    }
    strbuf_addstr(out, x->stores.name ? "" : "stemma");
    add_as_of(x, out);
    bool one = x->prefs.agent && !(x->nav.top->ops->has & HAS_EVERYONE);
    strbuf_addf(out, " %s ", crumb);
    add_masked(x, out, one ? x->prefs.agent : "all agents");
    if (depth > count)
        strbuf_addf(out, " %s %s", crumb, glyph_text(&x->ui.screen, GLYPH_ELLIPSIS));
    x->ui.crumb_hits = count;
    while (count > 0) {
        struct view *v = (struct view *)(uintptr_t)way[--count];
        AUTO_STRBUF title = STRBUF_INIT;
        strbuf_addf(out, " %s ", crumb);
        x->ui.crumb_hit[count].from = at + width_of(out);
        add_title(v, &title);
        add_masked(x, out, title.buf);
        x->ui.crumb_hit[count].to = at + width_of(out);
    }
    strbuf_addf(out, " %s ", crumb);
}

/* The whole breadcrumb, or with an ellipsis in the middle; it starts with `stemma` if that fits. */
static void fit_crumbs(struct app *x, struct strbuf *crumbs, int room)
{
    const char *crumb = glyph_text(&x->ui.screen, GLYPH_CRUMB);
    for (size_t most = CRUMBS_MAX + 1; most-- > 0;) {
        add_crumbs(x, crumbs, most);
        if (width_of(crumbs) <= room)
            return;
    }
    x->ui.crumb_hits = 0;
    strbuf_clear(crumbs);
    strbuf_addstr(crumbs, x->stores.name ? "" : "stemma");
    add_as_of(x, crumbs);
    strbuf_addf(crumbs, " %s %s %s ", crumb, glyph_text(&x->ui.screen, GLYPH_ELLIPSIS), crumb);
    if (asof_is_past(&x->asof) && width_of(crumbs) > room) {
        strbuf_clear(crumbs);
        asof_add_crumb(&x->asof, crumbs);
        strbuf_addf(crumbs, " %s ", crumb);
    }
}

/* ---- texts at the right ---- */

/* Parts in order of priority; the last are dropped first. */
struct header_parts {
    struct strbuf text;
    size_t trouble; /* end of the warnings */
    size_t read;    /* end of the notes on how to read the screen */
    size_t counted; /* end of the counts; optional parts follow */
    size_t waiting; /* end of the optional part that counts what waits; 0 if nothing does */
};

/* Appends a text with its counts in groups of three digits, "1,234 of 56,789"; not a date, a ref or a fraction. */
static void add_grouped(struct strbuf *out, const char *text)
{
    for (const char *at = text; *at;) {
        size_t digits = strspn(at, "0123456789");
        bool count =
            digits > 3 && (at == text || strchr(" /", at[-1])) &&
            (!at[digits] || strchr(" /+,", at[digits]) || (unsigned char)at[digits] > 0x7f);
        for (size_t left = digits; left > 0; left--) {
            strbuf_addch(out, *at++);
            if (count && left > 1 && left % 3 == 1)
                strbuf_addch(out, ',');
        }
        if (digits == 0)
            strbuf_addch(out, *at++);
    }
}

static void add_part(const struct ui *ui, struct strbuf *out, const char *part)
{
    if (out->len > 0 && *part)
        strbuf_addf(out, " %s ", glyph_text(&ui->screen, GLYPH_DOT));
    add_grouped(out, part);
}

static void add_of_view(struct app *x, struct strbuf *out,
                        void (*say)(struct view *v, struct strbuf *out))
{
    AUTO_STRBUF part = STRBUF_INIT;
    if (say)
        say(x->nav.top, &part);
    if (part.len > 0)
        add_part(&x->ui, out, part.buf);
}

static void add_new(const struct ui *ui, struct strbuf *out, size_t count, enum glyph side)
{
    char part[48];
    snprintf(part, sizeof(part), "%zu new %s", count, glyph_text(&ui->screen, side));
    if (count > 0)
        add_part(ui, out, part);
}

/* Only the end of the error, which has the reason; the live view shows it in full. */
static void add_unlogged(struct app *x, struct strbuf *out)
{
    AUTO_STRBUF part = STRBUF_INIT;
    const char *why = x->live.unlogged.what;
    if (!x->live.unlogged.code)
        return;
    for (const char *at = why; (at = strstr(at, ": "));)
        why = at += 2;
    strbuf_addf(&part, "calls are not logged, %s", why);
    add_part(&x->ui, out, part.buf);
}

#define TEAM_MS 1000 /* between two reads for the header */

/* Reads the state of the team when the store changed, but not for each frame. */
static void read_team(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct error ignored;
    struct team_status now;
    struct team_part *t = &x->team;
    uint64_t changes = x->data.feed ? feed_changes(x->data.feed) : 0;
    if (t->read_at && t->changes == changes)
        return;
    if (t->read_at && !x->ui.script && monotonic_ms() - t->read_at < TEAM_MS) {
        ui_wake(&x->ui, TEAM_MS);
        return;
    }
    t->read_at = monotonic_ms();
    t->changes = changes;
    if (team_status(x->asof.present, &arena, &now, &ignored))
        return;
    t->text[0] = t->disputed[0] = '\0';
    t->offline = now.problem != NULL;
    if (!now.member)
        return;
    team_add_summary(&text, &now, team_answered_us(x->data.store));
    snprintf(t->text, sizeof(t->text), "%s%s", t->offline ? "" : "team: ", text.buf);
    if (now.disputed)
        snprintf(t->disputed, sizeof(t->disputed), "%lld disputed", (long long)now.disputed);
}

/* Lasting warnings, independent of the status line. */
static void add_trouble(struct app *x, struct strbuf *out)
{
    if (x->remote.lost.code != ERROR_NONE)
        add_part(&x->ui, out, "cut off from the store");
    else
        add_unlogged(x, out);
    if (x->team.offline)
        add_part(&x->ui, out, x->team.text);
}

static void add_read(struct app *x, struct strbuf *out)
{
    AUTO_STRBUF part = STRBUF_INIT;
    pending_add_chip(x, &part);
    if (part.len > 0)
        add_part(&x->ui, out, part.buf);
    if (x->ui.disbelieved.count) {
        strbuf_clear(&part);
        strbuf_addf(&part, "%zu disbelieved", x->ui.disbelieved.count);
        add_part(&x->ui, out, part.buf);
    }
    if (x->alerts.count_new) {
        strbuf_clear(&part);
        strbuf_addf(&part, "%zu alert%s", x->alerts.count_new, x->alerts.count_new == 1 ? "" : "s");
        add_part(&x->ui, out, part.buf);
    }
    if (rules_mask_is_on(&x->data))
        add_part(&x->ui, out, "masked");
    add_of_view(x, out, x->nav.top->ops->notice);
    if (x->nav.top->changed)
        add_part(&x->ui, out, "changed since, R reloads");
    strbuf_clear(&part);
    strbuf_addf(&part, "paused, %zu new", x->remote.paused ? changes_held_from(x, x->nav.top) : 0);
    if (x->remote.paused && !x->nav.top->ops->of_now)
        add_part(&x->ui, out, part.buf);
    strbuf_clear(&part);
    view_add_below(x->nav.top, &part);
    if (part.len > 0)
        add_part(&x->ui, out, part.buf);
    add_new(&x->ui, out, x->nav.top->above, GLYPH_UP);
    add_new(&x->ui, out, x->nav.top->under, GLYPH_DOWN);
    if (x->remote.follows == x->nav.top)
        add_part(&x->ui, out, "following");
    if (x->data.read_only)
        add_part(&x->ui, out, "read-only");
    if (!x->team.offline)
        add_part(&x->ui, out, x->team.text);
    add_part(&x->ui, out, x->team.disputed);
}

static void add_working_copy(struct app *x, struct strbuf *out)
{
    AUTO_STRBUF part = STRBUF_INIT;
    const char *slash = strrchr(x->options->follow, '/');
    strbuf_addf(&part, "working copy of %s", slash ? slash + 1 : x->options->follow);
    add_part(&x->ui, out, part.buf);
}

static void add_waiting(struct app *x, struct strbuf *out)
{
    AUTO_STRBUF part = STRBUF_INIT;
    strbuf_addf(&part, x->waiting < WAITING_MAX ? "%lld wait%s" : "%lld+ wait%s",
                (long long)x->waiting - (x->waiting == WAITING_MAX), x->waiting == 1 ? "s" : "");
    add_part(&x->ui, out, part.buf);
}

/* Adds all parts in order: notes on how to read the screen, counts, optional parts. */
static void add_header_parts(struct app *x, struct header_parts *s)
{
    AUTO_STRBUF agents = STRBUF_INIT;
    read_team(x);
    add_trouble(x, &s->text);
    s->trouble = s->text.len;
    add_read(x, &s->text);
    s->read = s->text.len;
    add_of_view(x, &s->text, x->nav.top->ops->counts);
    s->counted = s->text.len;
    add_of_view(x, &s->text, x->nav.top->ops->order);
    if (x->live.agents > 0)
        strbuf_addf(&agents, "%zu agent%s live", x->live.agents, x->live.agents == 1 ? "" : "s");
    if (agents.len > 0)
        add_part(&x->ui, &s->text, agents.buf);
    if (x->waiting > 0) {
        add_waiting(x, &s->text);
        s->waiting = s->text.len;
    }
    if (x->options->follow)
        add_working_copy(x, &s->text);
}

/* The start of the last part after the first `kept` bytes, including its separator. */
static size_t last_part(const struct ui *ui, const struct strbuf *text, size_t kept)
{
    const char *dot = glyph_text(&ui->screen, GLYPH_DOT);
    size_t last = kept;
    for (const char *at = text->buf + kept; (at = strstr(at, dot)); at += strlen(dot))
        if (at > text->buf && at[-1] == ' ')
            last = (size_t)(at - text->buf) - 1;
    return last;
}

/* Drops parts from the end until the rest fits, but keeps the first `kept` bytes. The text after a comma is dropped
 * before the part itself. */
static void drop_parts(const struct ui *ui, struct strbuf *text, size_t kept, int room)
{
    while (text->len > kept && width_of(text) > room) {
        size_t last = last_part(ui, text, kept);
        const char *comma = strstr(text->buf + last, ", ");
        strbuf_cut(text, comma ? (size_t)(comma - text->buf) : last);
    }
}

/* Adds what waits again in the place of other optional parts, if that fits. */
static void keep_waiting(struct app *x, struct header_parts *s, int room)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_add(&text, s->text.buf, s->counted);
    add_waiting(x, &text);
    if (width_of(&text) > room)
        return;
    strbuf_cut(&s->text, s->counted);
    add_waiting(x, &s->text);
    s->counted = s->text.len;
}

/* Drops optional parts, then shortens the breadcrumb, then drops what waits, counts, and warnings last. `way` is the
 * full width of the breadcrumb, `title` that of its last word. */
static int fit_header_parts(struct app *x, struct header_parts *s, int most, int way, int title)
{
    bool past = asof_is_past(&x->asof);
    int least = title < TITLE_MIN ? title : TITLE_MIN;
    int shortest = past ? 25 : 13; /* "as of 2026-11-13 09:00 > ", "stemma > ... > " */
    int room = most - shortest - least - APART;
    drop_parts(&x->ui, &s->text, s->counted, most - way - title - APART);
    if (s->text.len < s->waiting && s->text.len >= s->counted)
        keep_waiting(x, s, most - shortest - title - APART);
    drop_parts(&x->ui, &s->text, s->read, room);
    drop_parts(&x->ui, &s->text, 0, most - (past ? shortest : 0) - TITLE_NEXT_TO_WARNING - APART);
    return s->text.len > 0 ? width_of(&s->text) : 0;
}

/* Draws the parts in `width` columns. */
static void draw_header_parts(const struct header_parts *s, const struct pane *row, int width)
{
    size_t trouble = s->trouble < s->text.len ? s->trouble : s->text.len;
    int at = row->width - width - 1;
    paint_right(row, 0, at, width, STYLE_COUNTS, s->text.buf);
    paint_bytes(row, 0, at, width, STYLE_ERROR, s->text.buf, trouble);
}

#define STORE_WIDTH 24 /* most columns of the store's name */

/* The name of the store stands first, and is not dropped. Returns its columns, with the blanks around it. */
static int draw_store(struct app *x, const struct pane *row)
{
    const char *name = x->stores.name;
    bool coloured = x->ui.screen.store_colour > 0;
    int most = row->width / 3 < STORE_WIDTH ? row->width / 3 : STORE_WIDTH;
    if (!name || most < 3)
        return 0;
    if (coloured)
        paint_text(row, 0, 0, 1, STYLE_STORE, " ");
    int width = 1 + paint_name(row, 1, most - 1, coloured ? STYLE_STORE : STYLE_CRUMB, name, NULL);
    if (coloured)
        paint_text(row, 0, width, 1, STYLE_STORE, " ");
    return width + coloured;
}

static void header_draw(struct app *x, const struct pane *whole)
{
    x->ui.crumbs_at = draw_store(x, whole);
    struct pane part = pane_part(whole, 0, x->ui.crumbs_at, 1, whole->width), *row = &part;
    AUTO_STRBUF crumbs = STRBUF_INIT, last = STRBUF_INIT;
    struct header_parts header_parts = {.text = STRBUF_INIT};
    add_title(x->nav.top, &last);
    if (rules_mask_is_on(&x->data))
        ui_mask(&x->ui, &last);
    add_crumbs(x, &crumbs, CRUMBS_MAX);
    add_header_parts(x, &header_parts);
    int title = width_of(&last), most = row->width - 2, at = x->ui.crumbs_at ? 0 : 1;
    int right = fit_header_parts(x, &header_parts, most, width_of(&crumbs), title);
    int room = most - right - (right ? APART : 0);
    fit_crumbs(x, &crumbs, room - title);
    int seen = title < TITLE_AFTER_CRUMBS && !asof_is_past(&x->asof) ? title : TITLE_AFTER_CRUMBS;
    if (width_of(&crumbs) + (asof_is_past(&x->asof) ? 1 : seen) <= room)
        at += paint_bytes(row, 0, at, room, STYLE_CRUMB, crumbs.buf, crumbs.len);
    else
        x->ui.crumb_hits = 0;
    paint_bytes(row, 0, at, room - at + 1, STYLE_TITLE, last.buf, last.len);
    if (right)
        draw_header_parts(&header_parts, row, right);
    strbuf_release(&header_parts.text);
}

#define STATUS_MAX 4 /* most rows of the status line */

/* ---- the body ---- */

/* Former states come from the journal, which is not masked, so they are hidden while masks are on. */
static bool is_hidden(const struct app *x)
{
    return rules_mask_is_on(&x->data) && x->nav.top->ops->has & HAS_FORMER;
}

static void draw_hidden(struct ui *ui, const struct pane *body)
{
    ui->list_pane = *body;
    ui->preview_pane = pane_part(body, 0, 0, 0, 0);
    paint_text(body, 1, 3, body->width - 4, STYLE_DIM,
               "earlier versions are hidden while personal data is masked: :mask shows them");
}

/* The view's note takes the last row. */
static void draw_preview(struct app *x, struct pane p)
{
    AUTO_STRBUF note = STRBUF_INIT;
    if (x->nav.top->ops->preview_note && p.height > 4)
        x->nav.top->ops->preview_note(x->nav.top, &note);
    p.height -= note.len > 0;
    memory_preview_draw(x, &p);
    p.height++;
    if (note.len)
        paint_text(&p, p.height - 1, 1, p.width - 1, STYLE_DIM, note.buf);
}

static void draw_body(struct app *x, const struct pane *body)
{
    if (is_hidden(x)) {
        draw_hidden(&x->ui, body);
        return;
    }
    app_place_panes(x, body);
    if (x->ui.preview_focus && x->ui.preview_pane.height < 2)
        x->ui.preview_focus = false;
    if (x->ui.list_pane.height > 0)
        view_draw(x->nav.top, &x->ui.list_pane);
    /* The preview of a call that failed is the call, even if it was about a memory. */
    bool shows_memory = x->nav.top->ops->preview && !x->nav.top->ops->own_preview &&
                        !is_failed_call(view_subject(x->nav.top).activity);
    int64_t node = shows_memory ? view_node(x->nav.top) : 0;
    bool own = node <= 0 && x->nav.top->ops->draw_preview;
    panel_set_subject(
        &x->preview, (struct panel_key){
                         .id = node, .how = node > 0 && node == question_view_subject(x->nav.top)});
    x->ui.previewed = NULL;
    if (x->ui.preview_pane.height > 0 && own)
        x->nav.top->ops->draw_preview(x->nav.top, &x->ui.preview_pane);
    else if (x->ui.preview_pane.height > 0)
        draw_preview(x, x->ui.preview_pane);
}

/* ---- the status line ---- */

/* Draws the lasting message: what is disbelieved, else which past state is shown. */
static void draw_state(struct app *x, const struct pane *row, int at, int width)
{
    AUTO_STRBUF text = STRBUF_INIT;
    disbelieve_add_status(x, &text);
    if (text.len == 0)
        asof_add_status(x, &text);
    paint_text(row, 0, at, width, STYLE_CHIP, text.buf);
}

/* Draws the signs of the view with their meaning: labels only if all fit, closer together if they must, and then as
 * many flags as fit; after other signs as many labels as fit. */
static void draw_legend(const struct pane *row, const struct view_ops *ops, bool utf8, int room)
{
    unsigned signs = ops->legend ? ops->legend : SIGNS_OF_LABELS;
    bool labels_first = !ops->legend || ops->legend & SIGNS_OF_FLAGS;
    int at = 1, width = 0, gap = 2;
    for (int i = 0; i < LABEL_COUNT && labels_first; i++)
        width += (i ? gap : 0) + 2 + (int)strlen(legend_word(i));
    if (width > room) {
        width -= LABEL_COUNT - 1;
        gap = 1;
    }
    int first = labels_first ? 0 : LABEL_COUNT;
    for (int i = first; i < first + SIGN_COUNT && width <= room; i++) {
        int sign = i % SIGN_COUNT; /* labels after other signs of a view, of them `ended` first */
        if (!labels_first && sign < LABEL_COUNT)
            sign = (sign + LABEL_ENDED) % LABEL_COUNT;
        int taken = (int)strlen(legend_word(sign)) + 2;
        if (!(signs & SIGN_BIT(sign)))
            continue;
        if (at + taken > room + 1)
            return;
        paint_text(row, 0, at, 1, style_of_sign(sign),
                   utf8 ? legend_rows[sign].sign : legend_rows[sign].ascii);
        paint_text(row, 0, at + 2, taken, STYLE_DIM, legend_word(sign));
        at += taken + gap;
    }
}

/* Adds the cursor position for the right edge. Returns its columns. */
static int add_position(struct app *x, int width, struct strbuf *right)
{
    struct view *v = x->nav.top;
    AUTO_STRBUF position = STRBUF_INIT;
    if (v->ops->at_large)
        details_position(v, &position);
    else if (v->cursor != LINE_NONE && v->count > 0 && v->ops->position)
        v->ops->position(v, &position);
    else if (v->cursor != LINE_NONE && v->count > 0)
        strbuf_addf(&position, "%zu/%zu%s", v->cursor + 1, v->count,
                    view_is_partial(v) ? glyph_text(&x->ui.screen, GLYPH_ELLIPSIS) : "");
    if (position.len > 0)
        add_grouped(right, position.buf);
    int taken = (int)text_width(right->buf, right->len, 4096, TEXT_EXACT);
    return taken < width / 2 ? taken : width / 2;
}

/* Wraps a message to the rows that it needs, until the next key. The lines are in the arena. Returns 0 if
 * one row is enough. */
static int wrap_status(struct app *x, const struct pane *whole, struct arena *arena,
                       struct text_line **lines)
{
    AUTO_STRBUF right = STRBUF_INIT;
    if (x->ui.prompt.ops || whole->height < 10 || x->ui.screen.speaks)
        return 0; /* a screen reader has one line for what is announced */
    int room = whole->width - add_position(x, whole->width, &right) - 3;
    unsigned flags = x->ui.screen.utf8 ? 0 : TEXT_ASCII;
    if (room < 10 || text_width(x->ui.status.text, strlen(x->ui.status.text), (size_t)room + 1,
                                flags) <= (size_t)room)
        return 0;
    size_t count = text_wrap(arena, x->ui.status.text, strlen(x->ui.status.text), (size_t)room,
                             STATUS_MAX, flags, lines);
    return count > 1 ? (int)count : 0;
}

/* Wraps the step of the tour to the rows that it needs; none on a low screen. */
static int wrap_tour(const struct app *x, const struct pane *whole, struct arena *arena,
                     struct text_line **lines)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (whole->height < 16 || whole->width < 40)
        return 0;
    tour_add_text(x, &text);
    unsigned flags = x->ui.screen.utf8 ? 0 : TEXT_ASCII;
    return text.len ? (int)text_wrap(arena, text.buf, text.len, (size_t)whole->width - 2, 6, flags,
                                     lines)
                    : 0;
}

static void draw_status(struct app *x, const struct pane *row, const char *status)
{
    AUTO_STRBUF right = STRBUF_INIT;
    int at = 1;
    if (x->ui.prompt.ops) {
        prompt_draw(&x->ui, row);
        return;
    }
    int taken = add_position(x, row->width, &right);
    int room = row->width - taken - 3;
    if (x->ui.selection.count > 0 && !x->ui.status.fresh)
        at += paint_format(row, 0, at, room, STYLE_MARK,
                           status[0] ? "%zu selected %s " : "%zu selected", x->ui.selection.count,
                           glyph_text(&x->ui.screen, GLYPH_DOT));
    if (status[0])
        paint_text(row, 0, at, room - at + 1, x->ui.status.style, status);
    else if (x->ui.popup.modal.ops && !x->ui.popup.framed)
        paint_text(row, 0, at, room - at + 1, STYLE_STATUS, x->ui.popup.title);
    else if (asof_is_past(&x->asof) || x->asof.going || x->ui.disbelieved.count)
        draw_state(x, row, at, room - at + 1);
    else if (x->nav.top->ops->has & HAS_MEMORIES && at == 1 && !x->ui.screen.speaks)
        draw_legend(row, x->nav.top->ops, x->ui.screen.utf8, room);
    paint_right(row, 0, row->width - taken - 1, taken, STYLE_COUNTS, right.buf);
}

/* ---- the key bar ---- */

struct bar_item {
    const struct action *action;
    char word[BAR_WORD];
    int rank;
    bool shown;
};

/* The word of an action: after `;` only changes go on, each with a word then. NULL for none. */
static const char *bar_word_of(const struct app *x, struct bar_item *item)
{
    const struct action *a = item->action;
    const char *word = action_bar(a, x->nav.top->ops->bar, item->word, &item->rank);
    if (!x->pending.with_reason)
        return word;
    if (!a->menu || !(a->where & HAS_MEMORIES))
        return NULL;
    if (!word)
        snprintf(item->word, sizeof(item->word), "%s", a->name);
    return item->word;
}

/* Collects the actions that are possible now, in the order of the bar. */
static size_t bar_items(struct app *x, struct bar_item *items, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < action_count(); i++) {
        struct bar_item item = {.action = action_at(i)};
        if (!action_applies(item.action, x->nav.top->ops->has) || count == most ||
            !bar_word_of(x, &item) || keymap_key(x->keymap, item.action) == KEY_NONE ||
            action_missing(x, item.action, ""))
            continue;
        size_t at = count++;
        for (; at > 0 && items[at - 1].rank > item.rank; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
    return count;
}

/* Records the position of a word, which starts (`end` 0) or ends at `at`. A click there acts as the key. Returns
 * false if it does not fit. */
static bool add_hit(struct ui *ui, int at, int end, int most, const char *key, const char *word)
{
    struct bar_hit *hit = &ui->bar_hit[ui->bar_hits];
    int width = (int)(text_width(key, strlen(key), 64, 0) + 1 + strlen(word));
    at = end ? end - width : at;
    if (!*key || at < 0 || at + width > most || ui->bar_hits == BAR_HITS)
        return false;
    *hit = (struct bar_hit){.from = at, .to = at + width};
    snprintf(hit->key, sizeof(hit->key), "%s", key);
    snprintf(hit->word, sizeof(hit->word), "%s", word);
    ui->bar_hits++;
    return true;
}

/* Adds an action with its first key, or "" without one. */
static bool add_action(struct app *x, const struct action *a, int at, int end, int most,
                       const char *word)
{
    AUTO_STRBUF key = STRBUF_INIT;
    keymap_keys(x->keymap, a, 1, &key);
    return key.len == 0 || add_hit(&x->ui, at, end, most, key.buf, word);
}

static int width_of_item(const struct app *x, const struct bar_item *item)
{
    AUTO_STRBUF key = STRBUF_INIT;
    keymap_keys(x->keymap, item->action, 1, &key);
    return (int)(text_width(key.buf, key.len, 64, 0) + 1 + strlen(item->word));
}

#define BAR_NARROW                                                                                 \
    100 /* below this width words are one blank apart, and Enter is the least of them */

/* Chooses what fits, the most useful first: in the order of the bar, but a narrow one has Enter, which everyone tries
 * anyway, only if all others fit. */
static void choose_items(const struct app *x, struct bar_item *items, size_t count, int width,
                         int room)
{
    int used = 0, gap = width < BAR_NARROW ? 1 : 2;
    for (size_t i = 0; i < 2 * count; i++) {
        struct bar_item *item = &items[i % count];
        bool later = width < BAR_NARROW && !strcmp(item->word, "open");
        if (later != (i >= count))
            continue;
        used += width_of_item(x, item) + (used > 0 ? gap : 0);
        if (used > room)
            return;
        item->shown = true;
    }
}

/* Builds the key bar: `back` and `help` at the right, then actions from the left. */
static void build_key_bar(struct app *x, int width)
{
    struct bar_item items[ACTIONS_MAX];
    struct ui *ui = &x->ui;
    static const char *const last[] = {"help", "back"};
    int end = width - 1, at = 1, gap = width < BAR_NARROW ? 1 : 2;
    for (size_t i = 0; i < 2; i++) {
        size_t before = ui->bar_hits;
        const char *word = i == 1 && back_quits(x) ? "quit" : last[i];
        if (i == 1 && x->pending.with_reason)
            add_hit(ui, 0, end, end, "Esc", "cancel");
        else
            add_action(x, action_find(last[i], 4), 0, end, end, word);
        end = ui->bar_hits > before ? ui->bar_hit[before].from - 2 : end;
    }
    size_t count = bar_items(x, items, ACTIONS_MAX);
    choose_items(x, items, count, width, end - 1 - at);
    for (size_t i = 0; i < count; i++)
        if (items[i].shown && add_action(x, items[i].action, at, 0, end - 1, items[i].word))
            at = ui->bar_hit[ui->bar_hits - 1].to + gap;
}

static void make_modal_bar(struct ui *ui, int width)
{
    struct bar_word words[BAR_WORDS + 1] = {0};
    int at = 1;
    ui->modal->ops->bar(ui, words);
    for (size_t i = 0; words[i].key && add_hit(ui, at, 0, width, words[i].key, words[i].word); i++)
        at = ui->bar_hit[ui->bar_hits - 1].to + 3;
}

/* The state on which the key bar depends in the same view. If an action depends on the line, the bar is rebuilt for
 * each line. */
static void bar_state_of(struct app *x, int width, int64_t state[BAR_STATE])
{
    const struct view *v = x->nav.top;
    const struct view_ops *ops = v->ops;
    const struct memory_row *row = details_row(x, view_memory(x->nav.top));
    const bool flags[] = {v->count > 0,
                          v->cursor != LINE_NONE,
                          v->pan > 0,
                          *v->search.pattern != '\0',
                          x->nav.back_list.at > 0,
                          x->nav.back_list.at + 1 < x->nav.back_list.count,
                          x->pending.count[PENDING_UNSAVED] > 0,
                          x->data.read_only,
                          x->ui.disbelieved.count > 0,
                          asof_is_past(&x->asof),
                          rules_mask_is_on(&x->data),
                          v->only_new,
                          x->prefs.has_transcripts,
                          x->ui.selection.range != 0,
                          x->ui.selection.count > 0,
                          x->ui.selection.count > 1,
                          x->pending.with_reason};
    state[0] = row ? 1 + row->ref.kind * 1000 + row->status * 10 + row->is_protected : 0;
    state[1] = width;
    state[2] = 0;
    for (size_t i = 0; i < sizeof(flags); i++)
        state[2] |= (int64_t)flags[i] << i;
    state[3] = ops->selectable ? (int64_t)v->cursor : 0;
    const unsigned looked_at = HAS_EVENTS | HAS_SESSIONS | HAS_UNDO | HAS_QUESTION | HAS_WRITING;
    state[4] = ops->draw || ops->has & looked_at ? monotonic_us() : 0;
}

static void draw_bar(struct app *x, const struct pane *row)
{
    int64_t state[BAR_STATE] = {0};
    struct ui *ui = &x->ui;
    ui->bar_pane = *row;
    if (!ui->modal)
        bar_state_of(x, row->width, state);
    if (ui->modal || memcmp(state, ui->bar_state, sizeof(state)) != 0) {
        memcpy(ui->bar_state, state, sizeof(state));
        ui->bar_hits = 0;
        if (ui->modal)
            make_modal_bar(ui, row->width);
        else
            build_key_bar(x, row->width);
    }
    for (size_t i = 0; i < ui->bar_hits; i++) {
        const struct bar_hit *hit = &ui->bar_hit[i];
        int taken = paint_text(row, 0, hit->from, hit->to - hit->from, STYLE_KEY, hit->key);
        paint_text(row, 0, hit->from + taken + 1, hit->to - hit->from - taken - 1, STYLE_KEY_HELP,
                   hit->word);
    }
}

/* ---- the frame ---- */

/* Draws the topmost modal last. */
static void draw_modals(struct app *x, struct modal *m, const struct pane *body)
{
    if (!m)
        return;
    draw_modals(x, m->below, body);
    m->ops->draw(&x->ui, body);
}

static void draw_parts(struct app *x, const struct pane *whole)
{
    int rows = whole->height;
    bool crumbs = rows >= 3, bar = rows >= 4, status = rows >= 2 || x->ui.prompt.ops;
    bool rule = rows >= RULE_HEIGHT;
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines = NULL;
    int wrapped = wrap_status(x, whole, &arena, &lines);
    struct text_line *tour;
    int tour_rows = wrap_tour(x, whole, &arena, &tour);
    int below = bar + status + rule + tour_rows + (wrapped ? wrapped - 1 : 0);
    struct pane body = pane_part(whole, crumbs, 0, rows - crumbs - below, whole->width);
    int at = crumbs + body.height;
    draw_body(x, &body);
    if (crumbs) { /* after the body, whose size and position it shows */
        struct pane row = pane_row(whole, 0);
        header_draw(x, &row);
    }
    draw_modals(x, x->ui.modal, &body);
    int cursor_y = x->ui.screen.cursor_y, cursor_x = x->ui.screen.cursor_x;
    if (rule)
        paint_rule(whole, at++, "", "");
    for (int i = 0; i < tour_rows; i++)
        paint_text(whole, at++, 1, whole->width - 2, STYLE_CHIP, tour[i].text);
    for (int i = 0; i + 1 < wrapped; i++)
        paint_text(whole, at++, 1, whole->width - 2, x->ui.status.style, lines[i].text);
    if (status) {
        struct pane row = pane_row(whole, at++);
        draw_status(x, &row, x->ui.status.text + (wrapped ? lines[wrapped - 1].from : 0));
    }
    if (bar) {
        struct pane row = pane_row(whole, at);
        draw_bar(x, &row);
    }
    if (!x->ui.prompt.ops) {
        x->ui.screen.cursor_y = cursor_y;
        x->ui.screen.cursor_x = cursor_x;
    }
}

/* Sessions are shown as of now in any state of the store. */
static int64_t ages_from(const struct app *x)
{
    const struct view_ops *ops = x->nav.top->ops;
    bool of_now = ops->of_now || ops->has & HAS_SESSIONS;
    return asof_is_past(&x->asof) && !of_now ? x->asof.point.until : x->ui.now;
}

void app_draw(struct app *x)
{
    struct pane whole = pane_whole(&x->ui.screen);
    if (x->ui.screen.speaks)
        whole.width -= whole.width / 5; /* words are longer than signs */
    x->ui.now = store_now(x->data.store);
    x->ui.ages_from = ages_from(x);
    ages_begin(&x->ui);
    if (x->nav.top->ops->has & HAS_LINEAGE)
        lineage_fit(x);
    details_frame_begin(&x->details);
    screen_erase(&x->ui.screen);
    draw_parts(x, &whole);
    details_frame_end(x);
    ages_end(&x->ui);
    screen_flush(&x->ui.screen);
    x->ui.rows_moved = false;
}
