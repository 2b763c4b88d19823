#include "tui/view/shared/shared_views.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/entries/entry.h"
#include "store/guard/guard.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/explorer/news.h"
#include "tui/render/permission_table.h"
#include "tui/text/match.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/ui.h"

#define SLOT_LOAD   0
#define PAGE        500
#define VALUE_SHOWN 400 /* bytes of a value that a line may need */

/* Rows of one reading, in an arena of their own: later pages do not move earlier ones. */
struct entries_page {
    struct arena arena;
    struct entry *entry;
    const char **value; /* as they are shown */
    size_t count;
    const char *last; /* key, as it is */
    struct entries_page *next;
};

struct entries_view {
    struct view view;
    char name[NAMESPACE_MAX + 1], filter[256];
    struct entries_page *page, **page_end; /* owned, in order */
    bool more, read;
};

struct entries_job {
    struct job job;
    struct entries_view *view;
    char name[NAMESPACE_MAX + 1], filter[256];
    char *after; /* NULL: anew */
    size_t wanted;
    struct since since;
    struct guard_rules *mask; /* held; NULL: nothing is masked */
    struct entries_page *page;
    bool more;
};

static struct entries_view *entries_of(const struct view *v)
{
    return (struct entries_view *)v;
}

static void free_pages(struct entries_page *page)
{
    while (page) {
        struct entries_page *next = page->next;
        arena_release(&page->arena);
        free(page);
        page = next;
    }
}

static const struct entry *entry_at(const struct view *v, size_t line, const char **value)
{
    const struct entries_page *p = entries_of(v)->page;
    while (p && line >= p->count) {
        line -= p->count;
        p = p->next;
    }
    if (p && value)
        *value = p->value[line];
    return p ? &p->entry[line] : NULL;
}

/* ---- reading: the worker's thread ---- */

/* A value as a line shows it: masked whole and only then cut, its escapes as the characters that they are. */
static const char *value_of(const struct entries_job *j, struct arena *arena, const char *value)
{
    struct strbuf masked = STRBUF_INIT, tidy = STRBUF_INIT;
    if (j->mask)
        pii_mask_json(guard_pii(j->mask), value, strlen(value), &masked, NULL);
    else
        strbuf_addstr(&masked, value);
    json_tidy(&tidy, masked.buf, masked.len);
    size_t len = utf8_fit(tidy.buf, tidy.len, VALUE_SHOWN);
    const char *shown = arena_strndup(arena, tidy.buf, len);
    strbuf_release(&tidy);
    strbuf_release(&masked);
    return shown;
}

/* As the preview has it. */
static int mask_key(struct entries_job *j, struct reader *r, struct entry *entry, struct error *e)
{
    const char *key, *shown;
    if (guard_key(r, &j->page->arena, entry->node, &key, &shown, e))
        return -1;
    entry->key = shown ? shown : guard_mask_text(j->mask, &j->page->arena, entry->key);
    return 0;
}

/* By what is shown of it, so that nothing masked is found. */
static bool passes(const struct entries_job *j, const char *key, const char *value)
{
    return !*j->filter || match_text(key, j->filter) || match_text(value, j->filter);
}

/* What is shown of the page, without those that the filter hides, or that are not new where only those are wanted. */
static int show_page(struct entries_job *j, struct reader *r, struct error *e)
{
    struct entries_page *p = j->page;
    size_t shown = 0;
    p->value = arena_array(&p->arena, p->count + 1, sizeof(*p->value));
    p->last = p->count > 0 ? p->entry[p->count - 1].key : NULL;
    for (size_t i = 0; i < p->count; i++) {
        struct entry entry = p->entry[i];
        if (!since_wants(&j->since, entry.node))
            continue;
        const char *value = value_of(j, &p->arena, entry.value);
        if (j->mask && mask_key(j, r, &entry, e))
            return -1;
        if (!passes(j, entry.key, value))
            continue;
        p->value[shown] = value;
        p->entry[shown++] = entry;
    }
    p->count = shown;
    return 0;
}

static int read_page(struct entries_job *j, struct reader *r, const char *after, struct error *e)
{
    struct entries_page *p = j->page = xcalloc(1, sizeof(*j->page));
    p->arena = (struct arena)ARENA_INIT;
    if (entry_rows(r, &p->arena, j->name, after, j->wanted, j->mask ? ENTRY_VALUE_MAX : VALUE_SHOWN,
                   &p->entry, &p->count, e))
        return -1;
    j->more = p->count == j->wanted;
    return show_page(j, r, e);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct entries_job *j = (struct entries_job *)job;
    if (since_read(&j->since, r, &job->cancelled, e) || read_page(j, r, j->after, e))
        return JOB_FAILED;
    while (j->more && j->page->count == 0) { /* none of it is shown: on to the next */
        struct entries_page *none = j->page;
        int failed = read_page(j, r, none->last, e);
        free_pages(none);
        if (failed)
            return JOB_FAILED;
    }
    return JOB_DONE;
}

/* ---- the main thread's ---- */

static void take_anew(struct entries_view *l, struct entries_page *page)
{
    struct view *v = &l->view;
    const struct entry *at = v->selected < v->count ? entry_at(v, v->selected, NULL) : NULL;
    int64_t node = at ? at->node : 0;
    free_pages(l->page);
    l->page = page;
    l->page_end = &page->next;
    view_set_count(v, page->count);
    for (size_t i = 0; i < page->count && node; i++)
        if (page->entry[i].node == node)
            view_select(v, i);
    view_search_again(v);
}

static void done(struct job *job, const struct error *e)
{
    struct entries_job *j = (struct entries_job *)job;
    struct entries_view *l = j->view;
    if (e->code != ERROR_NONE) {
        app_fail(l->view.app, e);
        return;
    }
    l->more = j->more;
    l->read = true;
    if (j->after) {
        *l->page_end = j->page;
        l->page_end = &j->page->next;
        view_set_count(&l->view, l->view.count + j->page->count);
    } else {
        take_anew(l, j->page);
    }
    j->page = NULL;
    view_grown(&l->view);
    calm_rest(&l->view.calm, job->begun);
}

static void release_job(struct job *job)
{
    struct entries_job *j = (struct entries_job *)job;
    free_pages(j->page);
    guard_rules_release(j->mask);
    since_release(&j->since);
    free(j->after);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "reading the entries", .run = run, .done = done, .release = release_job};

/* `after` NULL: anew, as many as there are by now. */
static void load_after(struct entries_view *l, const char *after)
{
    struct app *x = l->view.app;
    struct entries_job *j = xcalloc(1, sizeof(*j));
    j->view = l;
    memcpy(j->name, l->name, sizeof(j->name));
    memcpy(j->filter, l->filter, sizeof(j->filter));
    j->after = after ? xstrdup(after) : NULL;
    j->wanted = !after && l->view.count > PAGE ? l->view.count : PAGE;
    j->mask = guard_rules_hold(x->data.mask);
    j->since = since_of(&l->view);
    worker_submit(&x->data.worker, &j->job, &job_ops, l, SLOT_LOAD);
}

static void load(struct view *v)
{
    load_after(entries_of(v), NULL);
}

static void load_more(struct entries_view *l)
{
    const struct entries_page *last = l->page;
    while (last && last->next)
        last = last->next;
    if (last && last->last && l->more && !worker_has(&l->view.app->data.worker, l, SLOT_LOAD))
        load_after(l, last->last);
}

/* ---- drawing ---- */

static void layout(struct view *v, int height, int width)
{
    (void)width;
    if (v->top + (size_t)height + PAGE / 4 >= v->count || view_wants_more(v))
        load_more(entries_of(v));
}

/* "version expires put size key value"; `entry` NULL: the names of the columns. */
static void draw(struct view *v, const struct pane *row, const struct entry *entry,
                 const char *value)
{
    static const struct entry none;
    struct app *x = v->app;
    struct list_line l = line_begin(v, row, !entry, 7, entries_of(v)->filter);
    const struct detail *d = entry ? details_of(x, entry->node) : NULL;
    const struct memory_row *m = entry ? line_memory(&l, entry->node, 0) : NULL;
    char text[40];
    entry = entry ? entry : &none;
    bool over = entry->expires_at > 0 && entry->expires_at <= x->ui.now && !asof_is_past(x);
    if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, 4, over ? LABEL_GONE : d->label.label);
    if (m)
        line_news(&l, 5, m);
    snprintf(text, sizeof(text), "%lld", (long long)entry->version);
    line_right(&l, 4, "ver", STYLE_NUMBER, text);
    countdown_say(&x->ui, text, sizeof(text), entry->expires_at);
    line_right(&l, 7, "expires", entry->expires_at - x->ui.now < 60000 ? STYLE_WEAKENED : STYLE_AGE,
               text);
    if (row->width >= 60 + line_when_width(&l))
        line_when(&l, "put", entry->updated_at);
    bytes_say(text, sizeof(text), entry->bytes);
    if (row->width >= 90)
        line_right(&l, 7, "size", STYLE_DIM, text);
    int key = (row->width - l.at) * 2 / 5;
    line_cell(&l, key < 48 ? key : 48, "key", over ? STYLE_DIM : STYLE_TEXT, entry->key);
    if (!over) { /* its value is gone for every reader at that instant */
        line_text(&l, "value", STYLE_SOURCE, value);
    } else if (!v->calm.wanted) {
        v->calm.wanted = true; /* it leaves the list with the next frame */
        app_wake(x, 500);
    }
}

static void draw_header(struct view *v, const struct pane *p)
{
    draw(v, p, NULL, NULL);
}

static void draw_line(struct view *v, const struct pane *row, size_t line)
{
    const char *value = "";
    const struct entry *entry = entry_at(v, line, &value);
    draw(v, row, entry, value);
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    const struct entries_view *l = entries_of(v);
    strbuf_addstr(out, l->name);
    if (*l->filter)
        strbuf_addf(out, " %s \"%s\"", glyph_text(&v->app->ui.screen, GLYPH_CRUMB), l->filter);
}

static void counts(struct view *v, struct strbuf *out)
{
    if (entries_of(v)->read)
        strbuf_addf(out, "%zu%s entr%s", v->count, entries_of(v)->more ? "+" : "",
                    v->count == 1 ? "y" : "ies");
}

static int64_t node_at(struct view *v, size_t line)
{
    const struct entry *entry = entry_at(v, line, NULL);
    return entry ? entry->node : 0;
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    const char *value = "";
    const struct entry *entry = entry_at(v, line, &value);
    if (entry)
        strbuf_addf(out, "%s %s", entry->key, value);
}

static bool partial(struct view *v)
{
    return entries_of(v)->more;
}

static const char *empty(struct view *v)
{
    const struct entries_view *l = entries_of(v);
    return !l->read      ? "reading…"
           : *l->filter  ? "nothing matches the filter; Esc clears it"
           : v->only_new ? v->ui->nothing_new
                         : "no entry is left here";
}

static const char *filter_of(const struct view *v)
{
    return entries_of(v)->filter;
}

static void set_filter(struct view *v, const char *pattern)
{
    struct entries_view *l = entries_of(v);
    snprintf(l->filter, sizeof(l->filter), "%s", pattern);
    view_load(v);
}

static void release(struct view *v)
{
    free_pages(entries_of(v)->page);
}

static const struct view_ops entries_ops = {
    .name = "entries",
    .place = IN_ENTRIES,
    .preview = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .header_rows = 1,
    .draw_header = draw_header,
    .draw_line = draw_line,
    .node = node_at,
    .text = text,
    .partial = partial,
    .empty = empty,
    .only_new = view_load,
    .load = load,
    .filter = filter_of,
    .set_filter = set_filter,
    .release = release,
};

struct view *entries_view_new(struct app *x, const char *name)
{
    struct entries_view *l = xcalloc(1, sizeof(*l));
    view_init(&l->view, &entries_ops, &x->ui);
    snprintf(l->name, sizeof(l->name), "%s", name);
    l->page_end = &l->page;
    view_load(&l->view);
    return &l->view;
}
