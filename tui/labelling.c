#include "labelling.h"

#include "../store/store.h"

/* Beyond so many rows the whole graph costs less than their surroundings. */
#define FEW 500

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

int labelling_get(struct labelling *l, const int64_t *rows, size_t count, struct row_label *out,
                  struct error *e)
{
    if (!l->whole)
        return labels_of_rows(l->reader, rows, count, out, e);
    for (size_t i = 0; i < count; i++) {
        if (rows[i] <= (int64_t)l->graph.nodes)
            from_graph(l, rows[i], &out[i]);
        else if (labels_of_rows(l->reader, &rows[i], 1, &out[i], e)) /* added since */
            return -1;
    }
    return 0;
}

void labelling_close(struct labelling *l)
{
    if (l->whole)
        labels_release(&l->labels);
    graph_release(&l->graph);
}
