/* The view of the entries of one namespace. */
#include "tui/view/shared/shared_views.h"

#include <math.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/entries/entry.h"
#include "store/guard/guard.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/render/permission_table.h"
#include "tui/text/match.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"
#include "tui/widget/ui.h"

#define PAGE        500 /* entries read at first */
#define MORE        4   /* factor when the cursor nears the end */
#define VALUE_SHOWN 400 /* most bytes of a value in a line */

struct entry_line {
    struct entry entry;
    const char *value; /* the text that is shown */
};

struct entries_view {
    struct rows_view rows; /* struct entry_line */
    char name[NAMESPACE_MAX + 1];
    size_t limit; /* entries to read */
};

struct entries_context {
    char name[NAMESPACE_MAX + 1];
    const char *filter; /* in the arena */
    size_t limit;
    struct new_filter since;
    struct guard_rules *mask; /* referenced; NULL for no masks */
    bool more;                /* result: there are more entries */
};

static struct entries_view *entries_of(const struct view *v)
{
    return (struct entries_view *)v;
}

/* ---- reading: the worker's thread ---- */

/* The value for a line: masked as a whole before it is cut, with escapes decoded. */
static const char *value_of(const struct entries_context *j, struct arena *arena, const char *value)
{
    AUTO_STRBUF masked = STRBUF_INIT, tidy = STRBUF_INIT;
    if (j->mask)
        pii_mask_json(guard_pii(j->mask), value, strlen(value), &masked, NULL);
    else
        strbuf_addstr(&masked, value);
    json_tidy(&tidy, masked.buf, masked.len);
    size_t len = utf8_fit(tidy.buf, tidy.len, VALUE_SHOWN);
    return arena_strndup(arena, tidy.buf, len);
}

/* Masks the key in the same way as the preview. */
static int mask_key(const struct entries_context *j, struct arena *arena, struct reader *r,
                    struct entry *entry, struct error *e)
{
    const char *key, *shown;
    if (guard_key(r, arena, entry->node, &key, &shown, e))
        return -1;
    entry->key = shown ? shown : guard_mask_text(j->mask, arena, entry->key);
    return 0;
}

/* Adds the entries of a page that match the filter and, if wanted, are new. */
static int add_page(struct rows *rows, struct reader *r, struct entry *page, size_t count,
                    struct error *e)
{
    struct entries_context *j = rows->context;
    for (size_t i = 0; i < count; i++) {
        struct entry entry = page[i];
        if (rows->count == j->limit) {
            j->more = true;
            break;
        }
        if (!new_filter_wants(&j->since, entry.node))
            continue;
        const char *value = value_of(j, &rows->arena, entry.value);
        if (j->mask && mask_key(j, &rows->arena, r, &entry, e))
            return -1;
        /* The filter compares the masked text, so that it cannot reveal masked data. */
        if (!*j->filter || match_text(entry.key, j->filter) || match_text(value, j->filter))
            *(struct entry_line *)rows_add(rows) = (struct entry_line){entry, value};
    }
    return 0;
}

static int read_pages(struct rows *rows, struct reader *r, struct error *e)
{
    struct entries_context *j = rows->context;
    const char *after = NULL;
    size_t value = j->mask ? ENTRY_VALUE_MAX : VALUE_SHOWN;
    for (j->more = true; j->more && rows->count < j->limit && !atomic_load(rows->cancelled);) {
        struct entry *page;
        size_t count;
        if (entry_rows(r, &rows->arena, j->name, after, PAGE, value, &page, &count, e))
            return -1;
        after = count > 0 ? page[count - 1].key : NULL;
        j->more = count == PAGE;
        if (add_page(rows, r, page, count, e))
            return -1;
    }
    return 0;
}

static int read_entries(struct rows *rows, struct reader *r, struct error *e)
{
    struct entries_context *j = rows->context;
    return new_filter_read(&j->since, r, rows->cancelled, e) ? -1 : read_pages(rows, r, e);
}

static void ask(struct rows_view *v, struct rows *rows)
{
    const struct entries_view *l = entries_of(&v->view);
    struct entries_context *j = rows->context;
    memcpy(j->name, l->name, sizeof(j->name));
    j->filter = arena_strdup(&rows->arena, v->view.filter);
    j->limit = l->limit;
    j->mask = guard_rules_hold(v->view.ui->data->mask);
    j->since = new_filter_of(&v->view);
}

static void release_context(struct rows *rows)
{
    struct entries_context *j = rows->context;
    guard_rules_release(j->mask);
    new_filter_release(&j->since);
}

static struct line_subject row_subject(const void *row)
{
    int64_t node = ((const struct entry_line *)row)->entry.node;
    return (struct line_subject){.node = node, .id = node};
}

static bool has_more(struct view *v)
{
    const struct entries_context *answer = rows_view_answer(v);
    return answer && answer->more;
}

/* ---- drawing ---- */

static void layout(struct view *v, int height, int width)
{
    struct entries_view *l = entries_of(v);
    /* The first of them by a column may be the last by their names. */
    bool near = v->top + (size_t)height + PAGE / 4 >= v->count || view_wants_more(v) || l->rows.by;
    (void)width;
    if (!near || !has_more(v) || l->rows.next)
        return;
    l->limit *= MORE;
    view_load(v);
}

/* Draws "version expires put size key value"; with `entry` NULL the column headers. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const struct entry none;
    const struct entry_line *line = one;
    const struct entry *entry = line ? &line->entry : NULL;
    struct app *x = v->app;
    struct list_line l = line_begin(v, row, !entry, 7, v->filter);
    line_sign(&l);
    const struct detail *d = entry ? details_of(&x->details, entry->node) : NULL;
    const struct memory_row *m = entry ? line_memory(&l, entry->node, 0) : NULL;
    char text[40];
    entry = entry ? entry : &none;
    bool over = entry->expires_at > 0 && entry->expires_at <= x->ui.now && !asof_is_past(&x->asof);
    if (d && d->label.label < LABEL_COUNT)
        paint_label(row, 0, 4, over ? LABEL_ENDED : d->label.label);
    if (m)
        line_change_sign(&l, 5, m);
    line_number(&l, 4, "ver", STYLE_NUMBER, entry->version);
    countdown_text(&x->ui, text, sizeof(text), entry->expires_at);
    line_right(&l, 7, "expires",
               entry->expires_at - x->ui.ages_from < 60000 ? STYLE_WEAKENED : STYLE_AGE, text);
    if (row->width >= 60 + line_when_width(&l))
        line_when(&l, "put", "put", entry->updated_at);
    format_bytes(text, sizeof(text), entry->bytes);
    if (row->width >= 90)
        line_right(&l, 7, "size", STYLE_DIM, text);
    int key = (row->width - l.at) * 2 / 5;
    line_cell(&l, key < 48 ? key : 48, "key", over ? STYLE_DIM : STYLE_TEXT, entry->key);
    if (!over) { /* an expired value is invisible to every reader at once */
        line_text(&l, "value", STYLE_SOURCE, line ? line->value : NULL);
    } else if (!v->throttle.wanted) {
        v->throttle.wanted = true; /* removes it with the next frame */
        ui_wake(&x->ui, 500);
    }
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, entries_of(v)->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v))
        strbuf_addf(out, "%zu%s entr%s", v->count, has_more(v) ? "+" : "",
                    v->count == 1 ? "y" : "ies");
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    const struct entry_line *l = rows_view_at(v, line);
    strbuf_addf(out, "%s %s", l->entry.key, l->value);
}

/* The next to expire is first; what never expires has no place among them. */
static double expires(struct view *v, const void *row)
{
    const struct entry *entry = &((const struct entry_line *)row)->entry;
    (void)v;
    return entry->expires_at ? -(double)entry->expires_at : NAN;
}

#define COLUMN(name, type, member) ROWS_COLUMN(name, type, entry_line, member)
static const struct rows_column entry_columns[] = {
    COLUMN("ver", BY_INT64, entry.version),
    ROWS_NUMBER("expires", expires),
    COLUMN("put", BY_TIME, entry.updated_at),
    COLUMN("size", BY_INT64, entry.bytes),
    COLUMN("key", BY_TEXT, entry.key),
    COLUMN("value", BY_TEXT, value),
    {.name = NULL},
};

static const struct rows_ops entry_ops = {.job = "reading the entries",
                                          .size = sizeof(struct entry_line),
                                          .context = sizeof(struct entries_context),
                                          .ask = ask,
                                          .read = read_entries,
                                          .release = release_context,
                                          .subject = row_subject,
                                          .draw = draw,
                                          .columns = entry_columns,
                                          .fixed = "labels follow from the lineage of an entry",
                                          .nothing = "no entries here"};

static const struct view_ops entries_ops = {
    .name = "entries",
    ROWS_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_FILTER | HAS_NEW | HAS_ORDER | HAS_SHARED | HAS_EVERYONE,
    .bar = "show,edit,history,used-by,filter",
    .title = title,
    .counts = counts,
    .layout = layout,
    .text = text,
    .partial = has_more,
};

struct view *entries_view_new(struct ui *ui, const char *name)
{
    struct entries_view *l = rows_view_new(sizeof(*l), &entries_ops, &entry_ops, ui);
    snprintf(l->name, sizeof(l->name), "%s", name);
    l->limit = PAGE;
    view_load(&l->rows.view);
    return &l->rows.view;
}
