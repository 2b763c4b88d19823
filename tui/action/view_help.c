#include "tui/action/view_help.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/action/actions.h"
#include "tui/explorer/app.h"
#include "tui/text/match.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"
#include "tui/widget/sheet_view.h"

struct help_view {
    struct view view;
    struct sheet sheet;
    int laid_out;
    char filter[128];
    char laid_filter[128];
};

static struct help_view *help_of(struct view *v)
{
    return (struct help_view *)v;
}

static bool fits(struct app *x, const struct action *a, const char *filter)
{
    struct strbuf keys = STRBUF_INIT;
    keymap_keys(x->keymap, a, KEYS_OF_ACTION, &keys);
    bool match = !*filter || match_text(a->name, filter) || match_text(a->help, filter) ||
                 match_text(keys.buf, filter) || match_text(group_name(a->group), filter);
    strbuf_release(&keys);
    return match;
}

static bool applies(const struct help_view *h, const struct action *a)
{
    const struct view *below = h->view.below;
    return below && (a->where & below->ops->place);
}

/* `here`: it applies in the view below. */
static void put_action(struct help_view *h, size_t index, bool here)
{
    struct app *x = h->view.app;
    const struct action *a = action_at(index);
    struct sheet_line *line = sheet_line(&h->sheet);
    struct strbuf keys = STRBUF_INIT;
    if (!line)
        return;
    line->opens = true;
    line->value = (int64_t)index + 1;
    keymap_keys(x->keymap, a, KEYS_OF_ACTION, &keys);
    sheet_put(&h->sheet, 3, 15, here ? STYLE_KEY : STYLE_DIM, keys.len ? keys.buf : ":");
    sheet_put(&h->sheet, 19, 17, here ? STYLE_TEXT : STYLE_DIM, a->name);
    sheet_put(&h->sheet, 37, 0, here ? STYLE_TEXT : STYLE_DIM, a->help);
    strbuf_release(&keys);
}

/* Those of a group that apply in the view below, or those that do not. */
static void put_some(struct help_view *h, enum action_group group, bool here, bool *begun)
{
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        if (a->group != group || applies(h, a) != here || !fits(h->view.app, a, h->filter))
            continue;
        if (!*begun) {
            if (h->sheet.count > 0)
                sheet_line(&h->sheet);
            sheet_rule(&h->sheet, group_name(group), "");
        }
        *begun = true;
        put_action(h, i, here);
    }
}

static void put_group(struct help_view *h, enum action_group group)
{
    bool begun = false;
    put_some(h, group, true, &begun);
    put_some(h, group, false, &begun);
}

static void put_pairs(struct help_view *h, const char *title, const char *const *pairs)
{
    bool begun = false;
    for (; *pairs; pairs += 2) {
        if (*h->filter && !match_text(pairs[0], h->filter) && !match_text(pairs[1], h->filter))
            continue;
        if (!begun) {
            sheet_line(&h->sheet);
            sheet_rule(&h->sheet, title, "");
        }
        begun = true;
        if (!sheet_line(&h->sheet))
            return;
        sheet_put(&h->sheet, 3, 33, STYLE_KEY, pairs[0]);
        sheet_put(&h->sheet, 37, 0, STYLE_TEXT, pairs[1]);
    }
}

/* Of the rows of sessions: two of their marks stand for something else elsewhere. */
static void put_sessions(struct help_view *h)
{
    const struct screen *s = &h->view.app->ui.screen;
    char pace[64];
    snprintf(pace, sizeof(pace), "calls a second, over the last %d seconds", PACE_SECONDS);
    const char *const pairs[] = {glyph_text(s, GLYPH_LIVES),
                                 "live: it is connected",
                                 glyph_text(s, GLYPH_ENDED),
                                 "ended, by its client or a person, or its process was killed",
                                 "+",
                                 "it began since your last visit",
                                 "ro",
                                 "read-only: what it writes is refused",
                                 "16+",
                                 "at least 16 calls: its process was killed",
                                 "/s",
                                 pace,
                                 "p50, p99",
                                 "how long half of its calls, and 99 of 100, took at most",
                                 "idle",
                                 "how long ago its last call was",
                                 NULL};
    put_pairs(h, "sessions", pairs);
}

static void put_marks(struct help_view *h)
{
    const struct screen *s = &h->view.app->ui.screen;
    const char *const pairs[] = {
        label_glyph(s, LABEL_GROUNDED),
        "grounded: everything it rests on holds",
        label_glyph(s, LABEL_WEAKENED),
        "weakened: it stands, though a justification was lost",
        label_glyph(s, LABEL_UNGROUNDED),
        "ungrounded: nothing that it rests on holds any more",
        label_glyph(s, LABEL_CIRCULAR),
        "circular: it holds only because it holds itself up",
        label_glyph(s, LABEL_UNSOURCED),
        "unsourced: it says nothing of where it comes from",
        label_glyph(s, LABEL_GONE),
        "gone: retracted, forgotten, deleted, or never here",
        "3/4",
        "of its four justifications three hold",
        "*",
        "marked",
        "+",
        "new since your last visit",
        "~",
        "changed since your last visit; live: since this event",
        "!",
        "changed by another while the cursor was on it",
        glyph_text(s, GLYPH_REFUSED),
        "live: a call that was refused",
        "P",
        "live: a person did it; other lines are an agent's, or stemma's own",
        NULL};
    put_pairs(h, "marks", pairs);
}

static void put_drawing(struct help_view *h)
{
    const bool utf8 = h->view.app->ui.screen.utf8;
    const char *const pairs[] = {
        utf8 ? "──" : "--",
        "what stands first rests on the other, and was derived from it",
        utf8 ? "┈┈" : "--",
        "evidence for it",
        utf8 ? "┄┄" : "--",
        "it was reinforced by it",
        utf8 ? "╌╌" : "--",
        "guessed: nobody recorded that link",
        utf8 ? "━━" : "--",
        "it supersedes it",
        utf8 ? "╟  ╤" : "#",
        "it needs all that these lines lead to",
        utf8 ? "◄  ▲" : "<  ^",
        "the other way round: part of a circle",
        utf8 ? "‹3  ↑3" : "<3  ^3",
        "it carries 3 more than are in view; + shows them",
        utf8 ? "5›  ↓5" : "5>  v5",
        "it rests on 5 more",
        utf8 ? "⋯ +37 raw" : "... +37 raw",
        "the rest of a kind: Enter shows ten more, # lists all",
        "12 raw",
        "of one kind, with the same before and after; Enter takes them apart",
        utf8 ? "⋮ 9 superseded" : ": 9 superseded",
        "a row of them, each with one before and one after",
        "b ?ID",
        "named, and not in this store",
        NULL};
    put_pairs(h, "a drawn lineage", pairs);
}

static void layout(struct view *v, int height, int width)
{
    struct help_view *h = help_of(v);
    (void)height;
    if (h->laid_out == width && !strcmp(h->filter, h->laid_filter))
        return;
    sheet_clear(&h->sheet, width);
    for (int g = 0; g < GROUP_COUNT; g++)
        put_group(h, (enum action_group)g);
    put_pairs(h, "in a text field", prompt_keys);
    put_pairs(h, "in a form", form_keys);
    unsigned below = v->below ? v->below->ops->place : IN_LIST;
    if (below & (IN_LIVE | IN_SESSIONS))
        put_sessions(h);
    if (below != IN_SESSIONS) {
        put_marks(h);
        put_drawing(h);
    }
    bool filtered = strcmp(h->filter, h->laid_filter) != 0;
    h->laid_out = width;
    memcpy(h->laid_filter, h->filter, sizeof(h->filter));
    view_set_count(v, h->sheet.count);
    if (filtered)
        view_first(v);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    sheet_draw_line(&help_of(v)->sheet, row, line, help_of(v)->filter);
}

static void title(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "help");
}

static void counts(struct view *v, struct strbuf *out)
{
    size_t count = 0;
    for (size_t i = 0; i < action_count(); i++)
        count += fits(v->app, action_at(i), help_of(v)->filter);
    strbuf_addf(out, "%zu of %zu actions", count, action_count());
}

static bool selectable(struct view *v, size_t line)
{
    return line < help_of(v)->sheet.count && help_of(v)->sheet.line[line].opens;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    sheet_text(&help_of(v)->sheet, line, out);
}

static const char *empty(struct view *v)
{
    (void)v;
    return "no action is called that, and none has it in its help";
}

static bool request(struct view *v, enum view_request request)
{
    struct app *x = v->app;
    struct help_view *h = help_of(v);
    if (request != REQUEST_OPEN || v->selected == LINE_NONE)
        return request == REQUEST_OPEN;
    const struct action *a = action_at((size_t)h->sheet.line[v->selected].value - 1);
    app_pop(x);
    if (a->where & x->nav.top->ops->place)
        action_run(x, a, "");
    else
        app_say(x, "%s does not apply in this view", a->name);
    return true;
}

static void release(struct view *v)
{
    sheet_release(&help_of(v)->sheet);
}

static const struct view_ops help_ops = {
    .name = "help",
    .place = IN_HELP,
    .title = title,
    .counts = counts,
    .layout = layout,
    .draw_line = draw_line,
    .selectable = selectable,
    .text = text,
    .empty = empty,
    .request = request,
    .release = release,
};

/* ---- typing filters ---- */

static void typed(struct app *x, const char *filter)
{
    if (x->nav.top->ops == &help_ops)
        snprintf(help_of(x->nav.top)->filter, sizeof(help_of(x->nav.top)->filter), "%s", filter);
}

/* Nothing fits: there is nothing to run, and the field stays. */
static void taken(struct app *x, const char *filter)
{
    (void)filter;
    if (x->nav.top->ops != &help_ops)
        return;
    if (x->nav.top->selected == LINE_NONE)
        help_view_prompt(x);
    else
        view_request(x->nav.top, REQUEST_OPEN);
}

static void left(struct app *x)
{
    if (x->nav.top->ops == &help_ops)
        app_pop(x);
}

static const struct prompt_ops help_prompt = {
    .name = "help",
    .prefix = "?",
    .hint = "type to find; Enter does it, Esc goes back",
    .history = -1,
    .moves = app_move_key,
    .changed = typed,
    .accepted = taken,
    .abandoned = left,
};

void help_view_prompt(struct app *x)
{
    prompt_open(&x->ui, &help_prompt, help_of(x->nav.top)->filter);
}

struct view *help_view_new(struct app *x)
{
    struct help_view *h = xcalloc(1, sizeof(*h));
    view_init(&h->view, &help_ops, &x->ui);
    sheet_init(&h->sheet);
    return &h->view;
}
