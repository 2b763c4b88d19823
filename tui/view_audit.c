#include "view_audit.h"

#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "app.h"
#include "audit_filter.h"
#include "event_preview.h"
#include "happening_list.h"
#include "happening_row.h"
#include "since.h"

struct audit_view {
    struct happening_list list;
    char filter[PROMPT_MAX]; /* as it was typed */
    struct happening_columns columns;
    struct event_preview preview;
};

static struct audit_view *audit_of(struct view *v)
{
    return (struct audit_view *)v;
}

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, "audit");
    if (*audit_of(v)->filter)
        strbuf_addf(out, " %s %s", glyph_text(&v->app->screen, GLYPH_CRUMB), audit_of(v)->filter);
}

/* How far back it was looked, where a filter leaves so little that it takes a while. */
static void add_progress(const struct happening_list *l, struct strbuf *out)
{
    if (l->begun && !l->complete && l->newest_seq > 0 && l->oldest_seq < l->newest_seq)
        strbuf_addf(out, " %s %d%% looked through", glyph_text(&l->view.app->screen, GLYPH_DOT),
                    (int)(100 * (l->newest_seq - l->oldest_seq) / l->newest_seq));
}

static void counts(struct view *v, struct strbuf *out)
{
    struct happening_list *l = &audit_of(v)->list;
    happening_list_add_total(l, out);
    strbuf_addf(out, " event%s", l->view.count == 1 && l->complete ? "" : "s");
    if (*audit_of(v)->filter)
        add_progress(l, out);
}

static void layout(struct view *v, int height, int width)
{
    struct audit_view *a = audit_of(v);
    a->columns = happening_columns_fit(v->app, width, a->list.filter.session == 0, LOOK_AUDIT);
    happening_list_layout(&a->list, height);
}

static int header(struct view *v)
{
    (void)v;
    return 1;
}

static void draw_header(struct view *v, const struct pane *p)
{
    happening_columns_header(v->app, &audit_of(v)->columns, p);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    struct audit_view *a = audit_of(v);
    const char *pattern = v->search.pattern[0] ? v->search.pattern : a->list.filter.pattern;
    happening_columns_row(v->app, &a->columns, row, happening_list_at(&a->list, line), pattern,
                          v->pan);
}

static void draw_preview(struct view *v, const struct pane *p)
{
    struct audit_view *a = audit_of(v);
    event_preview_draw(&a->preview, p, happening_list_cursor(&a->list));
}

static void scroll_preview(struct view *v, long lines)
{
    event_preview_scroll(&audit_of(v)->preview, lines);
}

static void news(struct view *v, const struct event *events, size_t count, bool whole)
{
    event_preview_changed(&audit_of(v)->preview);
    happening_list_news(v, events, count, whole);
}

static int64_t session_at_cursor(struct view *v)
{
    const struct happening *h = happening_list_cursor(&audit_of(v)->list);
    return h ? h->session : 0;
}

static const struct happening *happening_at(struct view *v, size_t line)
{
    return happening_list_at(&audit_of(v)->list, line);
}

static const char *empty(struct view *v)
{
    struct audit_view *a = audit_of(v);
    if (!a->list.complete)
        return "looking…";
    return *a->filter    ? "nothing matches the filter; Esc clears it"
           : v->only_new ? since_empty(v)
                         : "nothing has happened here yet";
}

static bool request(struct view *v, enum view_request request)
{
    if (request == REQUEST_OPEN)
        return happening_list_open(v);
    if (request != REQUEST_REFRESH)
        return false;
    event_preview_changed(&audit_of(v)->preview);
    happening_list_read_anew(&audit_of(v)->list);
    return true;
}

/* ---- the filter ---- */

static const char *filter_of(const struct view *v)
{
    return ((const struct audit_view *)v)->filter;
}

static void set_filter(struct view *v, const char *text)
{
    struct audit_view *a = audit_of(v);
    struct happening_filter filter;
    char why[160];
    bool was = *a->filter != '\0';
    if (!strcmp(a->filter, text)) {
        happening_return_taken(&a->list);
        return;
    }
    if (!audit_filter_read(v->app, text, &filter, why, sizeof(why))) {
        app_say(v->app, "%s", why);
        return;
    }
    snprintf(a->filter, sizeof(a->filter), "%s", text);
    a->list.filter = filter;
    happening_list_refilter(&a->list, was, *text != '\0');
}

/* What is typed takes effect word by word: the name of a column and half a value would leave nothing. */
static void filter_typed(struct app *x, const char *text)
{
    char whole[PROMPT_MAX];
    audit_filter_offer(x, text);
    snprintf(whole, sizeof(whole), "%s", text);
    if (audit_filter_is_partial(text))
        whole[audit_filter_word(text)] = '\0';
    set_filter(x->top, whole);
}

/* Puts what is chosen in the place of the word that is typed. */
static void complete(struct app *x)
{
    const struct palette *p = &x->palette;
    struct strbuf text = STRBUF_INIT;
    if (p->count == 0)
        return;
    const char *word = p->item[p->selected].word;
    strbuf_add(&text, x->prompt.line.text, audit_filter_word(x->prompt.line.text));
    strbuf_addf(&text, "%s%s", word, word[strlen(word) - 1] == ':' ? "" : " ");
    prompt_set(x, text.buf);
    strbuf_release(&text);
}

static bool filter_key(struct app *x, const struct input_event *event)
{
    if (event->key == KEY_TABULATOR || (event->key == KEY_RETURN && x->palette.moved)) {
        complete(x);
        return true;
    }
    return x->palette.count > 0 && palette_choose(x, event->key);
}

static void filter_taken(struct app *x, const char *text)
{
    set_filter(x->top, text);
}

static void filter_left(struct app *x)
{
    set_filter(x->top, "");
}

static const struct prompt_ops filter_prompt = {
    .name = "filter",
    .prefix = "\\",
    .hint = "words, or actor:ash operation:edit since:yesterday",
    .history = HISTORY_AUDIT,
    .moves_view = true,
    .offers = true,
    .changed = filter_typed,
    .accepted = filter_taken,
    .abandoned = filter_left,
    .key = filter_key,
};

static void ask_filter(struct view *v)
{
    prompt_open(v->app, &filter_prompt, audit_of(v)->filter);
    audit_filter_offer(v->app, v->app->prompt.line.text);
}

static void release(struct view *v)
{
    event_preview_release(&audit_of(v)->preview);
    happening_list_release(v);
}

static const struct view_ops audit_ops = {
    .name = "audit",
    .place = IN_AUDIT,
    .preview = true,
    .own_preview = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .draw_preview = draw_preview,
    .scroll_preview = scroll_preview,
    .node = happening_list_node,
    .text = happening_list_text,
    .partial = happening_list_partial,
    .empty = empty,
    .request = request,
    .position = happening_list_position,
    .shown = happening_list_stirred,
    .news = news,
    .stirred = happening_list_stirred,
    .only_new = happening_list_only_new,
    .held = happening_held_from,
    .filter = filter_of,
    .set_filter = set_filter,
    .ask_filter = ask_filter,
    .session = session_at_cursor,
    .happening = happening_at,
    .release = release,
};

struct view *audit_view_new(struct app *x, const char *filter)
{
    struct audit_view *a = xcalloc(1, sizeof(*a));
    char why[160];
    view_init(&a->list.view, &audit_ops, x);
    event_preview_open(&a->preview, x);
    if (audit_filter_read(x, filter, &a->list.filter, why, sizeof(why))) {
        snprintf(a->filter, sizeof(a->filter), "%s", filter);
        happening_return_taken(&a->list);
    } else {
        app_say(x, "%s", why);
        a->list.filter = (struct happening_filter){.session = 0};
    }
    happening_list_begin(&a->list);
    return &a->list.view;
}
