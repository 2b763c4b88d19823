/* The header of a frame: the breadcrumb, and at its right what lasts. */
#include "tui/loop/loop.h"

#include "model/base/strbuf.h"
#include "store/db/thread.h"
#include "store/team/team.h"
#include "tui/explorer/changes.h"
#include "tui/text/text.h"

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

void header_add_grouped(struct strbuf *out, const char *text)
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
    header_add_grouped(out, part);
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
    if (x->remote.follows == x->nav.top && !x->remote.paused)
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

/* As the view says it; else the column that the person chose, which may be hidden. */
static void add_order(struct app *x, struct strbuf *out)
{
    struct view *v = x->nav.top;
    AUTO_STRBUF part = STRBUF_INIT;
    size_t before = out->len;
    bool up = false;
    add_of_view(x, out, v->ops->order);
    const char *column = out->len == before ? heading_sorted(v, &up) : NULL;
    if (!column)
        return;
    strbuf_addf(&part, "%s %s", column,
                x->ui.screen.speaks ? (up ? "ascending" : "descending")
                                    : glyph_text(&x->ui.screen, up ? GLYPH_UP : GLYPH_DOWN));
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
    if (!x->remote.paused || !x->nav.top->ops->held) /* else the only count is what came */
        add_of_view(x, &s->text, x->nav.top->ops->counts);
    s->counted = s->text.len;
    add_order(x, &s->text);
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

void header_draw(struct app *x, const struct pane *whole)
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
