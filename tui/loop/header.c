#include "tui/loop/header.h"

#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/news.h"
#include "tui/explorer/rules.h"
#include "tui/text/text.h"

#define APART       3  /* columns between the way and what is at its right */
#define TITLE_LEAST 24 /* of the title, where counts are beside it */
#define TITLE_SEEN  8  /* of it, where the way is before it */
#define TITLE_CUT   2  /* of it, beside what must not be missed */

/* ---- the way ---- */

/* Which moment is shown stands wherever there is room for anything. */
static void add_moment(const struct app *x, struct strbuf *out)
{
    if (!asof_is_past(x))
        return;
    strbuf_addf(out, " %s ", glyph_text(&x->ui.screen, GLYPH_CRUMB));
    asof_add_crumb(x, out);
}

static void add_title(struct view *v, struct strbuf *out)
{
    if (v->ops->title)
        v->ops->title(v, out);
    else
        strbuf_addstr(out, v->ops->name);
    if (v->only_new)
        strbuf_addf(out, " %s new", glyph_text(&v->app->ui.screen, GLYPH_CRUMB));
}

static void add_crumbs(struct app *x, struct strbuf *out, size_t most)
{
    const struct view *way[64];
    const char *crumb = glyph_text(&x->ui.screen, GLYPH_CRUMB);
    size_t count = 0, depth = 0;
    for (const struct view *v = x->nav.top->below; v; v = v->below) {
        if (count < most && count < 64)
            way[count++] = v;
        depth++;
    }
    strbuf_addstr(out, "stemma");
    add_moment(x, out);
    bool one = x->prefs.agent && !(x->nav.top->ops->place & IN_EVERYBODYS);
    strbuf_addf(out, " %s %s", crumb, one ? x->prefs.agent : "all agents");
    if (depth > count)
        strbuf_addf(out, " %s %s", crumb, glyph_text(&x->ui.screen, GLYPH_ELLIPSIS));
    while (count > 0) {
        struct view *v = (struct view *)(uintptr_t)way[--count];
        strbuf_addf(out, " %s ", crumb);
        add_title(v, out);
    }
    strbuf_addf(out, " %s ", crumb);
}

static int width_of(const struct strbuf *text)
{
    return (int)text_width(text->buf, text->len, 4096, TEXT_EXACT);
}

#define WAY_MOST 7 /* views of it */

static void set_crumbs(struct app *x, struct strbuf *crumbs, size_t most)
{
    strbuf_clear(crumbs);
    add_crumbs(x, crumbs, most);
    if (rules_mask_is_on(x))
        rules_mask(x, crumbs);
}

/* The way in full, or its middle as an ellipsis: it begins with `stemma` wherever that fits. */
static void fit_crumbs(struct app *x, struct strbuf *crumbs, int room)
{
    const char *crumb = glyph_text(&x->ui.screen, GLYPH_CRUMB);
    for (size_t most = WAY_MOST + 1; most-- > 0;) {
        set_crumbs(x, crumbs, most);
        if (width_of(crumbs) <= room)
            return;
    }
    strbuf_clear(crumbs);
    strbuf_addstr(crumbs, "stemma");
    add_moment(x, crumbs);
    strbuf_addf(crumbs, " %s %s %s ", crumb, glyph_text(&x->ui.screen, GLYPH_ELLIPSIS), crumb);
    if (asof_is_past(x) && width_of(crumbs) > room) {
        strbuf_clear(crumbs);
        asof_add_crumb(x, crumbs);
        strbuf_addf(crumbs, " %s ", crumb);
    }
}

/* ---- what is said of it ---- */

/* Parts in the order in which they are kept: they give way from the end, one after the other. */
struct said {
    struct strbuf text;
    size_t trouble; /* bytes that tell what is wrong */
    size_t read;    /* bytes that tell how the screen has to be read */
    size_t counted; /* those and what is counted; ornaments come after them */
};

static void add_part(const struct app *x, struct strbuf *out, const char *part)
{
    if (out->len > 0 && *part)
        strbuf_addf(out, " %s ", glyph_text(&x->ui.screen, GLYPH_DOT));
    strbuf_addstr(out, part);
}

static void add_of_view(struct app *x, struct strbuf *out,
                        void (*say)(struct view *v, struct strbuf *out))
{
    struct strbuf part = STRBUF_INIT;
    if (say)
        say(x->nav.top, &part);
    if (part.len > 0)
        add_part(x, out, part.buf);
    strbuf_release(&part);
}

static void add_new(const struct app *x, struct strbuf *out, size_t count, enum glyph side)
{
    char part[48];
    snprintf(part, sizeof(part), "%zu new %s", count, glyph_text(&x->ui.screen, side));
    if (count > 0)
        add_part(x, out, part);
}

/* Why is in the last words of the error; the live view has it whole. */
static void add_unlogged(struct app *x, struct strbuf *out)
{
    struct strbuf part = STRBUF_INIT;
    const char *why = x->live.unlogged.what;
    if (!x->live.unlogged.code)
        return;
    for (const char *at = why; (at = strstr(at, ": "));)
        why = at += 2;
    strbuf_addf(&part, "calls are not logged, %s", why);
    add_part(x, out, part.buf);
    strbuf_release(&part);
}

/* What is wrong all the while, whatever the status line has to say of other things. */
static void add_trouble(struct app *x, struct strbuf *out)
{
    if (x->remote.lost.code != ERROR_NONE)
        add_part(x, out, "cut off from the store");
    else
        add_unlogged(x, out);
}

static void add_read(struct app *x, struct strbuf *out)
{
    struct strbuf part = STRBUF_INIT;
    if (x->acting.waiting || x->acting.unsaved)
        acting_add_chip(x, &part);
    if (part.len > 0)
        add_part(x, out, part.buf);
    if (rules_mask_is_on(x))
        add_part(x, out, "masked");
    add_of_view(x, out, x->nav.top->ops->notice);
    strbuf_clear(&part);
    strbuf_addf(&part, "paused, %zu held back",
                x->remote.paused ? news_held_from(x, x->nav.top) : 0);
    if (x->remote.paused && !x->nav.top->ops->of_now)
        add_part(x, out, part.buf);
    add_new(x, out, x->nav.top->above, GLYPH_UP);
    add_new(x, out, x->nav.top->under, GLYPH_DOWN);
    if (x->remote.follows == x->nav.top)
        add_part(x, out, "following");
    if (x->data.read_only)
        add_part(x, out, "read only");
    strbuf_release(&part);
}

/* The one order of what is said: how the screen has to be read, what is counted, ornaments. */
static void add_said(struct app *x, struct said *s)
{
    struct strbuf agents = STRBUF_INIT;
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
        add_part(x, &s->text, agents.buf);
    strbuf_release(&agents);
}

/* Where the last part begins that is behind the first `kept` bytes, with its dot. */
static size_t last_part(const struct app *x, const struct strbuf *text, size_t kept)
{
    const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
    size_t last = kept;
    for (const char *at = text->buf + kept; (at = strstr(at, dot)); at += strlen(dot))
        if (at > text->buf && at[-1] == ' ')
            last = (size_t)(at - text->buf) - 1;
    return last;
}

/* Parts give way until the rest has room, but for the first `kept` bytes. What a part says after a comma goes before
 * the part does. */
static void give_way(const struct app *x, struct strbuf *text, size_t kept, int room)
{
    while (text->len > kept && width_of(text) > room) {
        size_t last = last_part(x, text, kept);
        const char *comma = strstr(text->buf + last, ", ");
        strbuf_cut(text, comma ? (size_t)(comma - text->buf) : last);
    }
}

/* Ornaments go first, then the way is shortened, then counts go; what must not be missed goes last. `way` is its width
 * in full, `title` that of its last word. */
static int fit_said(struct app *x, struct said *s, int most, int way, int title)
{
    bool past = asof_is_past(x);
    int least = title < TITLE_LEAST ? title : TITLE_LEAST;
    int shortest = past ? 25 : 13; /* "as of 2026-11-13 09:00 > ", "stemma > ... > " */
    give_way(x, &s->text, s->counted, most - way - title - APART);
    give_way(x, &s->text, s->read, most - shortest - least - APART);
    give_way(x, &s->text, 0, most - (past ? shortest : 0) - TITLE_CUT - APART);
    return s->text.len > 0 ? width_of(&s->text) : 0;
}

/* In so many columns. */
static void draw_said(const struct said *s, const struct pane *row, int width)
{
    size_t trouble = s->trouble < s->text.len ? s->trouble : s->text.len;
    int at = row->width - width - 1;
    paint_right(row, 0, at, width, STYLE_COUNTS, s->text.buf);
    paint_bytes(row, 0, at, width, STYLE_ERROR, s->text.buf, trouble);
}

void header_draw(struct app *x, const struct pane *row)
{
    struct strbuf crumbs = STRBUF_INIT, last = STRBUF_INIT;
    struct said said = {.text = STRBUF_INIT};
    add_title(x->nav.top, &last);
    if (rules_mask_is_on(x))
        rules_mask(x, &last);
    set_crumbs(x, &crumbs, WAY_MOST);
    add_said(x, &said);
    int title = width_of(&last), most = row->width - 2, at = 1;
    int right = fit_said(x, &said, most, width_of(&crumbs), title);
    int room = most - right - (right ? APART : 0);
    fit_crumbs(x, &crumbs, room - title);
    int seen = title < TITLE_SEEN && !asof_is_past(x) ? title : TITLE_SEEN;
    if (width_of(&crumbs) + (asof_is_past(x) ? 1 : seen) <= room)
        at += paint_bytes(row, 0, at, room, STYLE_CRUMB, crumbs.buf, crumbs.len);
    paint_bytes(row, 0, at, room - at + 1, STYLE_TITLE, last.buf, last.len);
    if (right)
        draw_said(&said, row, right);
    strbuf_release(&crumbs);
    strbuf_release(&last);
    strbuf_release(&said.text);
}
