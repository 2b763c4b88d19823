/* Rows in the order of their effective confidence. */
#include "store/query/ranking.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/lineage/trust.h"

bool ranked_before(struct ranked a, struct ranked b, bool down)
{
    bool less = a.value < b.value || (a.value == b.value && a.row < b.row);
    return down ? !less && (a.value != b.value || a.row != b.row) : less;
}

/* NAN: it has no confidence, and comes last. */
static double not_below_zero(double value)
{
    return value > 0 ? value : 0;
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
    if (++k->looked == RANKING_FEW && !(k->known = loaded_labels_get(k->reader, e)))
        return -1;
    if (loaded_label(k->known, row->node, &label)
            ? effective_fill(k->reader, &row->node, 1, &label, e)
            : effective_of_rows(k->reader, &row->node, 1, &label, e))
        return -1;
    double value = not_below_zero(effective_shown(&label));
    k->lowered |= value < row->real;
    *ARRAY_ADD(k->waiting, k->count, k->alloc) = (struct ranked){value, row->node};
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

/* ---- a few rows ---- */

static int compare_up(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->value != y->value ? COMPARE(x->value, y->value) : COMPARE(x->row, y->row);
}

static int compare_down(const void *a, const void *b)
{
    return compare_up(b, a);
}

int ranking_sort(struct reader *r, struct ranked *rows, size_t count, enum list_order order,
                 bool down, struct error *e)
{
    bool trust = order == ORDER_TRUST;
    struct row_label label[RANKING_FEW];
    int64_t row[RANKING_FEW];
    for (size_t i = 0; i < count; i++)
        row[i] = rows[i].row;
    if (trust ? labels_of_rows(r, row, count, label, e) || trust_fill(r, row, count, label, e)
              : effective_of_rows(r, row, count, label, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        rows[i].value = not_below_zero(trust ? trust_rank(label[i].label, label[i].trust)
                                             : effective_shown(&label[i]));
    }
    if (count)
        qsort(rows, count, sizeof(*rows), down ? compare_down : compare_up);
    return 0;
}
