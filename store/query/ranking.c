/* Rows in the order of their effective confidence. */
#include "store/query/ranking.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"

/* For more rows than this, loading all labels costs less than reading the surroundings of each. */
#define FEW 500

bool ranked_before(struct ranked a, struct ranked b, bool down)
{
    bool less = a.value < b.value || (a.value == b.value && a.row < b.row);
    return down ? !less && (a.value != b.value || a.row != b.row) : less;
}

/* ---- lazily ---- */

bool ranking_is_lazy(struct reader *r, bool down)
{
    const struct confidence_rules *rules = confidence_rules_of(r);
    return down && !rules->decay && !(rules->trust && rules->trust->cap);
}

static void move_up(struct ranking *k, size_t at)
{
    struct ranked one = k->waiting[at];
    for (; at > 0 && ranked_before(one, k->waiting[(at - 1) / 2], k->down); at = (at - 1) / 2)
        k->waiting[at] = k->waiting[(at - 1) / 2];
    k->waiting[at] = one;
}

static void move_down(struct ranking *k)
{
    struct ranked one = k->waiting[0];
    size_t at = 0, below;
    while ((below = 2 * at + 1) < k->count) {
        below += below + 1 < k->count &&
                 ranked_before(k->waiting[below + 1], k->waiting[below], k->down);
        if (!ranked_before(k->waiting[below], one, k->down))
            break;
        k->waiting[at] = k->waiting[below];
        at = below;
    }
    k->waiting[at] = one;
}

int ranking_take(struct ranking *k, const struct order_key *row, struct error *e)
{
    struct row_label label;
    if (++k->looked == FEW && !(k->known = loaded_labels_get(k->reader, e)))
        return -1;
    if (loaded_label(k->known, row->node, &label)
            ? effective_fill(k->reader, &row->node, 1, &label, e)
            : effective_of_rows(k->reader, &row->node, 1, &label, e))
        return -1;
    k->lowered |= label.effective < row->real;
    *ARRAY_ADD(k->waiting, k->count, k->alloc) = (struct ranked){label.effective, row->node};
    move_up(k, k->count - 1);
    return 0;
}

bool ranking_next(struct ranking *k, const struct order_key *row, struct order_key *out)
{
    if (k->count == 0 ||
        (row && !ranked_before(k->waiting[0], (struct ranked){row->real, row->node}, k->down)))
        return false;
    *out = (struct order_key){
        .real = k->waiting[0].value, .node = k->waiting[0].row, .sorted = k->lowered};
    k->waiting[0] = k->waiting[--k->count];
    if (k->count > 0)
        move_down(k);
    return true;
}

void ranking_release(struct ranking *k)
{
    loaded_release(k->known);
    free(k->waiting);
}

/* ---- all rows ---- */

static int compare_up(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->value != y->value ? COMPARE(x->value, y->value) : COMPARE(x->row, y->row);
}

static int compare_down(const void *a, const void *b)
{
    return compare_up(b, a);
}

static int fill_few(struct reader *r, struct ranked *rows, size_t count, bool trust,
                    struct error *e)
{
    struct row_label label[FEW];
    int64_t row[FEW];
    for (size_t i = 0; i < count; i++)
        row[i] = rows[i].row;
    if (trust ? trust_fill(r, row, count, label, e) : effective_of_rows(r, row, count, label, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        rows[i].value = trust ? label[i].trust : label[i].effective;
    return 0;
}

static int fill_all(struct reader *r, struct ranked *rows, size_t count, bool trust,
                    struct error *e)
{
    const struct loaded *l = loaded_labels_get(r, e);
    double *value = l ? xmalloc((l->rows + 1) * sizeof(*value)) : NULL;
    int result = !l      ? -1
                 : trust ? trust_of_all(r, l->rows, value, e)
                         : effective_of_all(r, l, value, e);
    for (size_t i = 0; i < count && result == 0; i++)
        rows[i].value = value[rows[i].row - 1];
    free(value);
    loaded_release(l);
    return result;
}

/*
 * The rows come in the order of the stored confidence, and most keep it: only the others are sorted,
 * then both are merged.
 */
static void sort(struct ranked *rows, const double *stored, size_t count, bool down)
{
    struct ranked *changed = xmalloc((count + 1) * sizeof(*changed));
    size_t changes = 0, kept = 0, at = count;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].value != stored[i])
            changed[changes++] = rows[i];
        else
            rows[kept++] = rows[i];
    }
    if (changes)
        qsort(changed, changes, sizeof(*changed), down ? compare_down : compare_up);
    while (changes > 0)
        rows[--at] = kept > 0 && ranked_before(changed[changes - 1], rows[kept - 1], down)
                         ? rows[--kept]
                         : changed[--changes];
    free(changed);
}

int ranking_sort(struct reader *r, struct ranked *rows, size_t count, enum list_order order,
                 bool down, struct error *e)
{
    bool trust = order == ORDER_TRUST;
    double *stored = xmalloc((count + 1) * sizeof(*stored));
    for (size_t i = 0; i < count; i++)
        stored[i] = rows[i].value;
    int result =
        count <= FEW ? fill_few(r, rows, count, trust, e) : fill_all(r, rows, count, trust, e);
    if (result == 0)
        sort(rows, stored, count, down);
    free(stored);
    return result;
}
