/* How many rest on a document, and which beliefs. */
#include "document.h"

#include <stdlib.h>
#include "../model/alloc.h"
#include "../model/row_index.h"
#include "chain.h"
#include "kept_links.h"
#include "reader.h"
#include "subgraph.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading a document");
}

static int by_row(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* ---- how many ---- */

/* The chains of the steps: those that are not finished rest on none of them yet. */
static int count_chains(struct reader *r, int64_t *steps, size_t count, int64_t *chains,
                        struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if ((steps[i] = chain_of_step(r, steps[i], e)) < 0)
            return -1;
    if (count)
        qsort(steps, count, sizeof(*steps), by_row);
    for (size_t i = 0; i < count; i++)
        *chains += steps[i] > 0 && (i == 0 || steps[i] != steps[i - 1]);
    return 0;
}

static int count_kinds(struct links_walk *w, const struct dependants *d, int64_t *steps,
                       struct document_counts *out, struct error *e)
{
    for (size_t i = 0; i < d->count; i++) {
        enum kind kind;
        enum status status;
        if (links_nature(w, d->row[i], &kind, &status, e))
            return -1;
        if (kind == KIND_BELIEF)
            out->beliefs++;
        else if (i >= d->direct)
            continue;
        else if (kind == KIND_STEP)
            steps[out->steps++] = d->row[i];
        else if (kind == KIND_CITATION)
            out->citations++;
        else
            out->others++;
    }
    return 0;
}

static int count_all(struct reader *r, const struct dependants *d, struct document_counts *out,
                     struct error *e)
{
    struct links_walk w;
    int64_t *steps = malloc((d->direct + 1) * sizeof(*steps));
    if (!steps)
        return out_of_memory(e);
    int result = links_begin(&w, r, e);
    if (!result) {
        result = count_kinds(&w, d, steps, out, e);
        links_end(&w);
    }
    if (!result)
        result = count_chains(r, steps, (size_t)out->steps, &out->chains, e);
    free(steps);
    return result;
}

int document_count(struct reader *r, int64_t document, size_t most, struct document_counts *out,
                   struct error *e)
{
    struct dependants d;
    *out = (struct document_counts){0};
    if (reader_begin(r, e))
        return -1;
    int result = dependants_find(r, document, most, &d, e);
    if (!result) {
        out->bounded = d.more;
        result = count_all(r, &d, out, e);
        free(d.row);
    }
    reader_end(r);
    return result;
}

/* ---- beliefs ---- */

#define ROW_STEPS 4 /* of SQLite's machine, that a row of a walk counts as */

struct descent {
    struct reader *reader;
    struct links_walk walk;
    struct row_index met; /* in the order in which they were met, the document first */
    int64_t *beliefs;
    size_t count, alloc;
    struct error *e;
};

static int add_belief(struct descent *d, int64_t row)
{
    void *list = d->beliefs;
    if (!array_grow(&list, &d->alloc, d->count, sizeof(*d->beliefs)))
        return out_of_memory(d->e);
    d->beliefs = list;
    d->beliefs[d->count++] = row;
    return 0;
}

/* What rests on a dead one alone does not rest on the document now. */
static int meet(struct descent *d, int64_t row)
{
    enum kind kind;
    enum status status;
    size_t before = d->met.count;
    if (links_nature(&d->walk, row, &kind, &status, d->e))
        return -1;
    if (!STATUS_LIVES(status))
        return 0;
    if (row_index_add(&d->met, row) == ROW_NONE)
        return out_of_memory(d->e);
    return d->met.count > before && kind == KIND_BELIEF ? add_belief(d, row) : 0;
}

static int descend(struct descent *d, int64_t document)
{
    if (row_index_add(&d->met, document) == ROW_NONE)
        return out_of_memory(d->e);
    for (size_t i = 0; i < d->met.count; i++) {
        struct users users;
        if (reader_spend(d->reader, ROW_STEPS, d->e) ||
            links_users(&d->walk, d->met.row[i], &users, d->e))
            return -1;
        for (int64_t user; (user = links_user(&users));)
            if (meet(d, user))
                return -1;
    }
    return 0;
}

static int keep_newest(struct descent *d, struct arena *arena, size_t limit, int64_t **out,
                       size_t *count, bool *more)
{
    if (d->count)
        qsort(d->beliefs, d->count, sizeof(*d->beliefs), by_row);
    *count = d->count < limit ? d->count : limit;
    *more = d->count > limit;
    *out = arena_array(arena, *count + 1, sizeof(**out));
    if (!*out)
        return out_of_memory(d->e);
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = d->beliefs[d->count - 1 - i];
    return 0;
}

int document_beliefs(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                     int64_t **out, size_t *count, bool *more, struct error *e)
{
    struct descent d = {.reader = r, .met = ROW_INDEX_INIT, .e = e};
    *out = NULL;
    *count = 0;
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int result = links_begin(&d.walk, r, e);
    if (!result) {
        result = descend(&d, document);
        links_end(&d.walk);
    }
    reader_end(r);
    if (!result)
        result = keep_newest(&d, arena, limit, out, count, more);
    row_index_release(&d.met);
    free(d.beliefs);
    return result;
}
