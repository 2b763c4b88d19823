/* The documents of a chain: the columns of its matrix. */
#include "store/reasoning/chain_rows.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/column.h"
#include "store/record/detail_member.h"
#include "store/guard/guard.h"
#include "store/guard/guard_mask.h"
#include "store/db/reader.h"

/* A use, by its document and then by its place among all uses. */
struct placed {
    struct chain_source *source;
    size_t step, place;
};

static int by_document(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int64_t m = x->source->document, n = y->source->document;
    return m != n ? (m > n) - (m < n) : (x->place > y->place) - (x->place < y->place);
}

static struct placed *gather(const struct chain *c, struct arena *arena, size_t *count)
{
    size_t all = 0, n = 0;
    for (size_t i = 0; i < c->step_count; i++)
        all += c->step[i].source_count;
    struct placed *uses = arena_array(arena, all + 1, sizeof(*uses));
    for (size_t i = 0; uses && i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++, n++)
            uses[n] = (struct placed){&c->step[i].source[k], i, n};
    if (uses && all)
        qsort(uses, all, sizeof(*uses), by_document);
    *count = all;
    return uses;
}

/* ---- one of them ---- */

struct column {
    struct chain_document document;
    size_t place;      /* of its first use */
    size_t first, end; /* its uses */
};

/* What is known of it from its uses: they come in the order of the steps. */
static void sum_up(struct column *column, const struct placed *uses)
{
    struct chain_document *d = &column->document;
    const struct chain_source *first = uses[column->first].source;
    d->node = first->document;
    d->id = first->source.document_id;
    d->status = first->status;
    d->best = -1;
    for (size_t i = column->first; i < column->end; i++) {
        const struct source *s = &uses[i].source->source;
        d->steps += i == column->first || uses[i].step != uses[i - 1].step;
        d->changed |= uses[i].source->changed;
        if (!d->title && s->title && *s->title)
            d->title = s->title;
        if (s->relevance > d->best) {
            d->best = s->relevance;
            d->origin = s->origin;
        }
    }
}

static bool is_untitled(struct json_slice detail)
{
    struct json_slice untitled = {NULL, 0};
    if (detail.ptr)
        untitled = json_member(detail.ptr, detail.len, "untitled");
    return untitled.ptr && untitled.ptr[0] == 't';
}

/* Its own title where it has one, else what it was called. */
static int read_title(struct reader *r, struct arena *arena, struct chain_document *d,
                      struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT kind, name, text, detail FROM memory WHERE id = ?", e);
    int found = db_bind(db, stmt, e, "i", d->node);
    struct json_slice detail;
    if (found <= 0)
        return found;
    int kind = sqlite3_column_int(stmt, 0);
    d->ref = (struct ref){(unsigned)kind < KIND_COUNT ? (enum kind)kind : KIND_DOCUMENT,
                          column_utf8(arena, stmt, 1)};
    const char *text = column_utf8(arena, stmt, 2);
    struct memory m = {.detail = column_utf8(arena, stmt, 3)};
    sqlite3_reset(stmt);
    detail = detail_json(m.detail);
    if (!d->ref.id)
        return reader_damaged(e, "the name", d->node);
    enum sight sight;
    if (guard_sight(r, d->node, &sight, e))
        return -1;
    if (sight == SIGHT_WHOLE && text && *text && strcmp(text, d->ref.id) != 0 &&
        !is_untitled(detail))
        d->title = text;
    if (reader_masked(r))
        d->ref = guard_mask_ref(r, arena, d->ref);
    const char **const shown[] = {&d->title};
    return guard_mask_texts(r, arena, shown, 1, e);
}

static int by_best(const void *a, const void *b)
{
    const struct column *x = a, *y = b;
    if (x->document.best != y->document.best)
        return x->document.best > y->document.best ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* ---- all of them ---- */

static size_t find_columns(struct column *columns, const struct placed *uses, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || uses[i].source->document != uses[i - 1].source->document)
            columns[n++] = (struct column){.place = uses[i].place, .first = i};
        columns[n - 1].end = i + 1;
    }
    for (size_t i = 0; i < n; i++)
        sum_up(&columns[i], uses);
    if (n)
        qsort(columns, n, sizeof(*columns), by_best);
    return n;
}

/* As source_summarise has it, of documents of the graph. */
static void mark_primary(struct chain *c)
{
    size_t count = 0;
    while (count < c->document_count && count < PRIMARY_MAX &&
           c->document[count].best > PRIMARY_ABOVE)
        count++;
    if (count == 0)
        count = c->document_count < PRIMARY_MAX ? c->document_count : PRIMARY_MAX;
    for (size_t i = 0; i < count; i++)
        c->document[i].primary = true;
}

int chain_fill_documents(struct reader *r, struct arena *arena, struct chain *c, struct error *e)
{
    size_t count;
    struct placed *uses = gather(c, arena, &count);
    struct column *columns = uses ? arena_array(arena, count + 1, sizeof(*columns)) : NULL;
    c->document_count = find_columns(columns, uses, count);
    c->document = arena_array(arena, c->document_count + 1, sizeof(*c->document));
    for (size_t i = 0; i < c->document_count; i++) {
        c->document[i] = columns[i].document;
        for (size_t k = columns[i].first; k < columns[i].end; k++)
            uses[k].source->column = i;
        if (read_title(r, arena, &c->document[i], e))
            return -1;
    }
    mark_primary(c);
    return 0;
}
