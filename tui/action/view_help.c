
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/action/action.h"
#include "tui/explorer/app.h"
#include "tui/text/match.h"
#include "tui/text/text.h"
#include "tui/render/page.h"
#include "tui/term/paint.h"
#include "tui/widget/page_view.h"

#define MOST_USED  7
#define KEY_AT     3 /* columns: the keys of an action, its name, what it does */
#define NAME_AT    13
#define MEANING_AT 30

struct help_view {
    struct page_view page; /* its data is this struct */
    char filter[128];
    size_t signs;           /* that match the filter */
    size_t most[MOST_USED]; /* indexes of the most used actions of the view below, in order */
    size_t most_count;
    struct strbuf refs; /* that the commands of actions name */
    bool masked;        /* as personal data was when they were written */
};

static struct help_view *help_of(struct view *v)
{
    return (struct help_view *)v;
}

/* A single character is a key, or a sign. */
static bool is_key(const char *filter)
{
    return filter[0] && !filter[1];
}

/* A letter or a space is in too many signs to be looked for in them. */
static bool has_sign(const char *sign, const char *key)
{
    return ispunct((unsigned char)*key) ? strstr(sign, key) != NULL : strcmp(sign, key) == 0;
}

static bool is_bound(const struct keymap *map, const struct action *a, uint32_t key)
{
    for (size_t i = 0; i < map->count; i++)
        if (map->binding[i].action == a && map->binding[i].key == key)
            return true;
    return false;
}

static bool fits(const struct keymap *keymap, const struct action *a, const char *filter)
{
    AUTO_STRBUF keys = STRBUF_INIT;
    if (is_key(filter))
        return is_bound(keymap, a, key_from_name(filter, 1));
    keymap_keys(keymap, a, SIZE_MAX, &keys);
    return !*filter || action_matches(a, filter) || match_text(keys.buf, filter) ||
           match_text(group_name(a->group), filter);
}

static bool applies(const struct help_view *h, const struct action *a)
{
    const struct view *below = h->page.view.below;
    return below && action_applies(a, below->ops->has);
}

/* Appends "in a drawing: ", since several actions may have the same key. */
static void add_place(const struct help_view *h, const struct action *a, struct strbuf *out)
{
    const struct view *below = h->page.view.below;
    strbuf_addf(out, "in %s: ", action_place(a, below ? below->ops->has : 0));
}

/* Long texts go on in lines of their own, where the cursor does not stop. */
static void put_meaning(struct help_view *h, enum style style, const char *text)
{
    struct page *page = &h->page.shown.page;
    page_wrap(page, MEANING_AT, page_prose(page, MEANING_AT), style, text, SIZE_MAX, true);
}

/* The command that does the same, at the right where there is room for it. */
static void put_command(struct help_view *h, const struct action *a, const char *help)
{
    struct page *page = &h->page.shown.page;
    AUTO_STRBUF command = STRBUF_INIT;
    const char *line = action_command(a, h->refs.buf, &command);
    int width = line ? (int)text_width(line, command.len, 4096, 0) : 0;
    int used = MEANING_AT + (int)text_width(help, strlen(help), 4096, 0);
    if (line && used + width + 3 <= page->width)
        page_put_right(page, page->width - width - 1, width, STYLE_DIM, line);
}

/* `here`: it is available in the view below. */
static void put_action(struct help_view *h, size_t index, bool here)
{
    struct app *x = h->page.view.app;
    const struct action *a = action_at(index);
    struct page_line *line = page_line(&h->page.shown.page);
    AUTO_STRBUF keys = STRBUF_INIT, help = STRBUF_INIT;
    line->opens = true;
    line->value = (int64_t)index + 1;
    keymap_keys(x->keymap, a, SIZE_MAX, &keys);
    struct page *page = &h->page.shown.page;
    enum style key = here ? STYLE_KEY : STYLE_DIM;
    if (keys.len == 0) {
        page_put(page, KEY_AT, MEANING_AT - KEY_AT - 1, key, page_printf(page, ":%s", a->name));
    } else {
        page_put(page, KEY_AT, NAME_AT - KEY_AT - 1, key, keys.buf);
        page_put(page, NAME_AT, MEANING_AT - NAME_AT - 1, here ? STYLE_TEXT : STYLE_DIM, a->name);
    }
    if (!here)
        add_place(h, a, &help);
    strbuf_addstr(&help, a->help);
    put_command(h, a, help.buf);
    put_meaning(h, here ? STYLE_TEXT : STYLE_DIM, help.buf);
}

#define STORE_APART 30 /* columns of a rule that its title and edges take */

/* The path of the store, with ~ for the home directory; its beginning is cut if it does not fit. */
static const char *store_shown(struct help_view *h)
{
    struct page *page = &h->page.shown.page;
    const char *path = store_path(h->page.view.ui->data->store), *home = getenv("HOME");
    size_t len = home ? strlen(home) : 0;
    bool own = len > 1 && !strncmp(path, home, len) && path[len] == '/';
    const char *shown = own ? page_printf(page, "~%s", path + len) : path;
    int room = page->width - STORE_APART, width = (int)text_width(shown, strlen(shown), 4096, 0);
    if (width <= room || room < 1)
        return shown;
    const char *rest = shown + (width - room + 1);
    const char *slash = strchr(rest, '/');
    return page_printf(page, "%s%s", glyph_text(&h->page.view.ui->screen, GLYPH_ELLIPSIS),
                       slash ? slash : rest);
}

static bool is_most_used(const struct help_view *h, size_t index)
{
    size_t i = 0;
    while (i < h->most_count && h->most[i] != index)
        i++;
    return i < h->most_count;
}

static void put_section(struct help_view *h, const char *title, bool *begun)
{
    if (*begun)
        return;
    bool first = h->page.shown.page.count == 0;
    if (!first)
        page_line(&h->page.shown.page);
    page_rule(&h->page.shown.page, title, first ? store_shown(h) : "");
    *begun = true;
}

static void put_most_used(struct help_view *h)
{
    bool begun = false;
    for (size_t i = 0; i < h->most_count; i++) {
        if (!fits(h->page.view.app->keymap, action_at(h->most[i]), h->filter))
            continue;
        put_section(h, "most used here", &begun);
        put_action(h, h->most[i], true);
    }
}

/* Adds the other actions of a group that are available in the view below, or those that are not; those without a key
 * last. */
static void put_group(struct help_view *h, enum action_group group, bool here, bool *begun)
{
    for (size_t i = 0; i < 2 * action_count(); i++) {
        size_t index = i % action_count();
        const struct action *a = action_at(index);
        bool keyed = keymap_key(h->page.view.app->keymap, a) != KEY_NONE;
        if (a->group != group || keyed != (i < action_count()) || applies(h, a) != here ||
            is_most_used(h, index) || !fits(h->page.view.app->keymap, a, h->filter))
            continue;
        put_section(h, here ? group_name(group) : "in other views", begun);
        put_action(h, index, here);
    }
}

/* What applies here comes first: the most used, then the views. Moving, and what other views have, come last. */
static void put_actions(struct help_view *h)
{
    static const enum action_group order[GROUP_COUNT] = {GROUP_VIEWS,  GROUP_LINEAGE, GROUP_FIND,
                                                         GROUP_ACT,    GROUP_SELECT,  GROUP_LIVE,
                                                         GROUP_SCREEN, GROUP_MOVE};
    bool elsewhere = false;
    put_most_used(h);
    for (int g = 0; g < GROUP_COUNT; g++) {
        bool begun = false;
        put_group(h, order[g], true, &begun);
    }
    for (int g = 0; g < GROUP_COUNT; g++)
        put_group(h, order[g], false, &elsewhere);
}

/* Signs of a single view. */
struct view_sign {
    const char *sign; /* NULL for that of `glyph` */
    const char *means;
    const char *ascii; /* ASCII substitute; NULL for the same */
    enum glyph glyph;
};

static const char *sign_text(const struct screen *s, const struct view_sign *sign)
{
    if (!sign->sign)
        return glyph_text(s, sign->glyph);
    return sign->ascii && !s->utf8 ? sign->ascii : sign->sign;
}

static void put_pair(struct help_view *h, const char *title, bool *begun, const char *sign,
                     const char *means)
{
    if (is_key(h->filter) ? !has_sign(sign, h->filter)
                          : *h->filter && !match_text(sign, h->filter) &&
                                !match_text(means, h->filter) && !match_text(title, h->filter))
        return;
    if (!*begun) {
        page_line(&h->page.shown.page);
        page_rule(&h->page.shown.page, title, "");
    }
    *begun = true;
    h->signs++;
    page_line(&h->page.shown.page);
    page_put(&h->page.shown.page, KEY_AT, MEANING_AT - KEY_AT - 1, STYLE_KEY, sign);
    put_meaning(h, STYLE_TEXT, means);
}

static void put_keys(struct help_view *h, const char *title, const struct bar_word *keys)
{
    bool begun = false;
    for (; keys->key; keys++)
        put_pair(h, title, &begun, keys->key, keys->word);
}

/* The fields of the filter of the view below. */
static void put_fields(struct help_view *h, unsigned on)
{
    const struct query_spec *s;
    bool begun = false;
    for (int i = 0; (s = query_spec(i)); i++) {
        AUTO_STRBUF term = STRBUF_INIT;
        strbuf_addf(&term, "%s:%s", s->name, s->value);
        if (s->on & on)
            put_pair(h, "in a filter or query, beside words, \"exact words\", /regex/ and -not",
                     &begun, term.buf, s->about);
    }
}

static void put_signs(struct help_view *h, const char *title, const struct view_sign *of_view,
                      size_t count)
{
    bool begun = false;
    for (size_t i = 0; i < count; i++)
        put_pair(h, title, &begun, sign_text(&h->page.view.ui->screen, &of_view[i]),
                 of_view[i].means);
}

#define LEGEND "signs, the legend"

static void put_legend(struct help_view *h)
{
    bool begun = false, utf8 = h->page.view.ui->screen.utf8;
    for (int i = 0; i < SIGN_COUNT; i++) {
        AUTO_STRBUF means = STRBUF_INIT;
        const char *sign = utf8 ? legend_rows[i].sign : legend_rows[i].ascii;
        bool is_word = *sign == ' '; /* as "any of" */
        strbuf_addf(&means, "%s%s%s", is_word ? "" : legend_word(i), is_word ? "" : ": ",
                    legend_rows[i].meaning);
        put_pair(h, LEGEND, &begun, is_word ? legend_word(i) : sign, means.buf);
    }
}

#define SIGN(sign_, means_)                                                                        \
    {                                                                                              \
        .sign = sign_, .means = means_                                                             \
    }
#define DRAWN(sign_, ascii_, means_)                                                               \
    {                                                                                              \
        .sign = sign_, .means = means_, .ascii = ascii_                                            \
    }
#define GLYPH(glyph_, means_)                                                                      \
    {                                                                                              \
        .glyph = glyph_, .means = means_                                                           \
    }

/* Signs of sessions; two of them mean something else in other views. */
static const struct view_sign session_signs[] = {
    GLYPH(GLYPH_LIVES, "connected"),
    GLYPH(GLYPH_ENDED, "ended, by its client or a person, or its process was killed"),
    SIGN("+", "it began since your last visit"),
    SIGN("ro", "read-only: its writes are refused"),
    SIGN("16+", "at least 16 calls: its process was killed"),
    SIGN("/s", "calls a second, over the last 5 seconds"),
    SIGN("p50, p99", "latency of its calls: the median, and the 99th percentile"),
    SIGN("idle", "time since its last call"),
    SIGN("tokens", "estimated tokens of all answers: one for 4 bytes"),
    SIGN("stemma mcp",
         "connects an agent: its MCP client starts it; `stemma mcp install claude` (or "
         "claude-desktop, cursor, codex, vscode) writes the configuration"),
    SIGN("in full", "tokens of the same answers with every field, as detail=full gives them"),
};

/* Columns of lists of memories, and of what each tool sent. */
static const struct view_sign column_signs[] = {
    SIGN("conf", "its confidence now, 0 to 1; what its support allows, if that is less"),
    SIGN("=0.80", "no confidence was given: the default of its kind"),
    SIGN("history", "its confidence over time"),
    SIGN("trust", "how far it can be believed for where it came from: its weakest source"),
    SIGN("age", "time since it was last changed; T shows dates"),
    SIGN("strength", "of a derivation in `why`: the product of its sources' confidence and trust"),
    SIGN("adds", "in `why`: the confidence that this source added when it reinforced the memory"),
    SIGN("responsibility", "in `blame`: 1 / the size of the smallest set that has this source"),
    SIGN("share", "in `blame`: how often this source decides, over all combinations of the others"),
};
static const struct view_sign drawing_signs[] = {
    DRAWN("──", "--", "to the right or down: the second was derived from the first"),
    DRAWN("┈┈", "--", "the first is evidence for the second"),
    DRAWN("┄┄", "--", "the first reinforced the second"),
    DRAWN("╌╌", "--", "guessed: nobody recorded that link"),
    DRAWN("━━", "--", "the second replaces the first"),
    DRAWN("╢  ╧", "#", "it needs all memories that these lines come from"),
    DRAWN("◄  ▲", "<  ^", "the other way round: part of a circle"),
    DRAWN("‹5  ↑5", "<5  ^5", "it is based on 5 more memories; + shows them"),
    DRAWN("3›  ↓3", "3>  v3", "3 more memories are based on it"),
    DRAWN("⋯ +37 notes", "... +37 notes", "the rest of a kind: Enter shows ten more, # lists all"),
    SIGN("12 notes", "a group of one kind with the same neighbours; Enter opens it"),
    DRAWN("⋮ 9 replaced", ": 9 replaced", "a group in a row, each with one neighbour on each side"),
    SIGN("b ?ID", "missing: named by others, but not in this store"),
};
static const struct view_sign chain_signs[] = {
    SIGN(".88", "the relevance of a source to a step; plain: measured"),
    SIGN("~.88  =.88  ?.88", "not measured: by a heuristic, a default, or asserted"),
    SIGN(".88+  .45-", "a person rated the source as relevant to the step, or as not relevant"),
    DRAWN(".87²", ".87/2", "the step used two passages of the source; the better one counts"),
    SIGN("2+  2-", "a person rated the step's answer as supported by its sources, or as not"),
    DRAWN("★", "*", "a primary source: one of its relevances is above 0.7"),
};
#define COUNT(signs) (sizeof(signs) / sizeof((signs)[0]))

static void lay(struct panel *p, const struct page_options *options)
{
    struct help_view *h = help_of(p->view);
    (void)options;
    put_actions(h);
    put_keys(h, "in a text field", prompt_keys);
    put_keys(h, "in a form", form_keys);
    put_fields(h, p->view->below ? p->view->below->ops->query : 0);
    h->signs = 0; /* those were no signs */
    unsigned below = p->view->below ? p->view->below->ops->has : HAS_MEMORIES;
    bool finds = *h->filter && !is_key(h->filter);
    if (below & HAS_SESSIONS || finds)
        put_signs(h, "sessions", session_signs, COUNT(session_signs));
    if (below & HAS_MATRIX || finds)
        put_signs(h, "a chain", chain_signs, COUNT(chain_signs));
    if (below & HAS_MEMORIES || !(below & HAS_SESSIONS) || finds) {
        put_legend(h);
        put_signs(h, "columns", column_signs, COUNT(column_signs));
        put_signs(h, "a drawn lineage", drawing_signs, COUNT(drawing_signs));
    }
}

static const struct panel_ops help_panel = {.lay = lay};

/* Refs may be personal data: they are left out once that is masked, or no longer is. */
static void layout(struct view *v, int height, int width)
{
    struct help_view *h = help_of(v);
    if (h->masked != rules_mask_is_on(&v->app->data)) {
        h->masked = !h->masked;
        strbuf_clear(&h->refs);
        h->page.shown.width = 0;
    }
    page_view_layout(v, height, width);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    page_draw_line(&help_of(v)->page.shown.page, row, line, help_of(v)->filter);
}

static void title(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "help");
}

static void counts(struct view *v, struct strbuf *out)
{
    const char *filter = help_of(v)->filter;
    size_t count = 0;
    for (size_t i = 0; i < action_count() && *filter; i++)
        count += fits(v->app->keymap, action_at(i), filter);
    size_t signs = *filter ? help_of(v)->signs : 0;
    if (*filter && (count || !signs))
        strbuf_addf(out, "%zu action%s", count, count == 1 ? "" : "s");
    if (signs)
        strbuf_addf(out, "%s%zu sign%s", count ? ", " : "", signs, signs == 1 ? "" : "s");
}

static const char *empty(struct view *v)
{
    (void)v;
    return "no action or sign has that; Esc shows all, S searches memories";
}

/* Goes to the action of exactly that name, or of that key in the view below, before others that match. */
static void go_to_named(struct help_view *h)
{
    const struct action *named = action_find(h->filter, strlen(h->filter));
    if (is_key(h->filter))
        named = keymap_find(h->page.view.app->keymap, key_from_name(h->filter, 1));
    for (size_t i = 0; named && i < h->page.shown.page.count; i++)
        if (h->page.shown.page.line[i].value > 0 &&
            action_at((size_t)h->page.shown.page.line[i].value - 1) == named)
            view_select(&h->page.view, i);
}

static void set_filter(struct view *v, const char *filter)
{
    struct help_view *h = help_of(v);
    if (strncmp(h->filter, filter, sizeof(h->filter) - 1) == 0)
        return;
    snprintf(h->filter, sizeof(h->filter), "%s", filter);
    h->page.shown.width = 0;
    page_view_layout(v, v->height, v->width);
    view_first(v);
    go_to_named(h);
}

static bool request(struct view *v, enum view_request request)
{
    struct app *x = v->app;
    struct help_view *h = help_of(v);
    if (request == REQUEST_CLEAR && *h->filter) {
        set_filter(v, "");
        return true;
    }
    if (request != REQUEST_OPEN)
        return page_view_request(v, request);
    if (v->cursor == LINE_NONE)
        return true;
    const struct action *a = action_at((size_t)h->page.shown.page.line[v->cursor].value - 1);
    app_pop(x);
    x->pending.shows_first = true; /* nobody pressed its key */
    action_run(x, a, "");
    x->pending.shows_first = false;
    return true;
}

static void release(struct view *v)
{
    strbuf_release(&help_of(v)->refs);
    page_view_release(v);
}

static const struct view_ops help_ops = {
    .name = "help",
    PAGE_VIEW_OPS,
    .release = release,
    .layout = layout,
    .subject = NULL,
    .load = NULL,
    .has = HAS_COMMANDS | HAS_NO_PLACE,
    .bar =
        "show=run,search=filter,next-section=section,yank=copy the command,!command,!undo,!pause",
    .title = title,
    .counts = counts,
    .draw_line = draw_line,
    .empty = empty,
    .request = request,
};

/* ---- filtering by typing ---- */

static void typed(struct app *x, const char *filter)
{
    if (x->nav.top->ops == &help_ops)
        set_filter(x->nav.top, filter);
}

/* If nothing matches, there is nothing to run, and the prompt stays open. */
static void taken(struct app *x, const char *filter)
{
    (void)filter;
    if (x->nav.top->ops != &help_ops)
        return;
    if (x->nav.top->cursor == LINE_NONE)
        help_view_filter(x, "");
    else
        view_request(x->nav.top, REQUEST_OPEN);
}

/* Everything is shown again. */
static void left(struct app *x)
{
    typed(x, "");
}

/* A sign is found, too, but cannot be run. */
static bool finds_action(struct app *x)
{
    return x->nav.top->cursor != LINE_NONE;
}

/* The action under the cursor; NULL for none. */
static const struct action *action_here(struct help_view *h)
{
    const struct page_line *line = page_view_line(&h->page.view);
    return line && line->value > 0 ? action_at((size_t)line->value - 1) : NULL;
}

void help_view_copy(struct app *x)
{
    struct help_view *h = help_of(x->nav.top);
    const struct action *a = x->nav.top->ops == &help_ops ? action_here(h) : NULL;
    AUTO_STRBUF command = STRBUF_INIT;
    if (a && action_command(a, h->refs.buf, &command))
        copy_command(x, command.buf);
    else
        ui_message(&x->ui, "no command of stemma does that");
}

static bool copies(struct app *x, const struct input_event *event)
{
    if (event->key != ('y' & 31))
        return false;
    help_view_copy(x);
    return true;
}

static const struct prompt_ops help_prompt = {
    .prefix = "/",
    .type_ahead = true,
    .hint = "a word, a key or a sign to find",
    .enter = "run it",
    .enters = finds_action,
    .history = -1,
    .moves = app_move_key,
    .changed = typed,
    .accepted = taken,
    .abandoned = left,
    .key = copies,
    .copies = true,
};

void help_view_filter(struct app *x, const char *words)
{
    if (*words)
        set_filter(x->nav.top, words);
    else
        prompt_open(&x->ui, &help_prompt, help_of(x->nav.top)->filter);
}

/* Finds the first actions of the key bar that can be done now. */
static void find_most_used(struct help_view *h, struct app *x)
{
    const struct view_ops *ops = x->nav.top->ops;
    int order[MOST_USED];
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        int own = action_order(a, ops->bar);
        size_t at = h->most_count;
        if (own >= ACTIONS_MAX || !action_applies(a, ops->has) || action_missing(x, a, ""))
            continue;
        for (; at > 0 && order[at - 1] > own; at--)
            if (at < MOST_USED) {
                order[at] = order[at - 1];
                h->most[at] = h->most[at - 1];
            }
        if (at == MOST_USED)
            continue;
        order[at] = own;
        h->most[at] = i;
        h->most_count += h->most_count < MOST_USED;
    }
}

struct view *help_view_new(struct ui *ui)
{
    struct help_view *h = page_view_new(sizeof(*h), &help_ops, ui, &help_panel, 0);
    h->page.shown.facts = h;
    find_most_used(h, ui->app);
    h->refs = (struct strbuf)STRBUF_INIT;
    action_refs(ui->app, &h->refs);
    h->masked = rules_mask_is_on(&ui->app->data);
    return &h->page.view;
}
