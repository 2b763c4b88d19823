#include "tui/render/labelling.h"

#include "store/db/store.h"

/* Beyond so many rows the whole graph costs less than their surroundings. */
#define FEW 500
/* Rows added meanwhile that are labelled together. */
#define LATE_MAX 256

int labelling_open(struct labelling *l, struct reader *r, size_t expected, struct error *e)
{
    *l = (struct labelling){.reader = r};
    graph_init(&l->graph);
    if (expected <= FEW)
        return 0;
    if (graph_load(r, &l->graph, e))
        return -1;
    if (labels_compute(&l->labels, &l->graph))
        return error_set(e, ERROR_MEMORY, "Use --limit.", "there is no memory for the labels");
    l->whole = true;
    return 0;
}

/* In the graph of the whole store a node is its row less one. */
static void from_graph(const struct labelling *l, int64_t row, struct row_label *out)
{
    size_t node = (size_t)(row - 1);
    out->label = (enum label)l->labels.label[node];
    out->holds = l->labels.holds[node];
    out->justs = l->graph.just_first[node + 1] - l->graph.just_first[node];
}

/* Of those added since the graph was loaded, in one question; `late` has their places. */
static int label_late(struct labelling *l, const int64_t *rows, const size_t *late, size_t count,
                      struct row_label *out, struct error *e)
{
    int64_t row[LATE_MAX];
    struct row_label label[LATE_MAX];
    for (size_t i = 0; i < count; i++)
        row[i] = rows[late[i]];
    if (labels_of_rows(l->reader, row, count, label, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        out[late[i]] = label[i];
    return 0;
}

int labelling_get(struct labelling *l, const int64_t *rows, size_t count, struct row_label *out,
                  struct error *e)
{
    size_t late[LATE_MAX], late_count = 0;
    if (!l->whole)
        return labels_of_rows(l->reader, rows, count, out, e);
    for (size_t i = 0; i < count; i++) {
        if (rows[i] <= (int64_t)l->graph.nodes)
            from_graph(l, rows[i], &out[i]);
        else
            late[late_count++] = i;
        if (late_count == LATE_MAX || (i + 1 == count && late_count)) {
            if (label_late(l, rows, late, late_count, out, e))
                return -1;
            late_count = 0;
        }
    }
    return 0;
}

void labelling_close(struct labelling *l)
{
    if (l->whole)
        labels_release(&l->labels);
    graph_release(&l->graph);
}
