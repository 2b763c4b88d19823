#include "tui/render/labelling.h"

/* Beyond so many rows the labels of all cost less than the surroundings of each. */
#define FEW 500

int labelling_open(struct labelling *l, struct reader *r, size_t expected, struct error *e)
{
    *l = (struct labelling){.reader = r};
    if (expected <= FEW)
        return 0;
    if (reader_begin(r, e))
        return -1;
    l->all = known_labels_get(r, e);
    reader_end(r);
    return l->all ? 0 : -1;
}

/* A row that was added since is looked up. */
int labelling_get(struct labelling *l, const int64_t *rows, size_t count, struct row_label *out,
                  struct error *e)
{
    if (!l->all)
        return labels_of_rows(l->reader, rows, count, out, e);
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)rows[i] - 1;
        int label = known_label(l->all, rows[i]);
        if (label >= 0)
            out[i] = (struct row_label){(enum label)label, l->all->holds[at], l->all->justs[at]};
        else if (labels_of_rows(l->reader, &rows[i], 1, &out[i], e))
            return -1;
    }
    return 0;
}

void labelling_close(struct labelling *l)
{
    known_labels_release(l->all);
}
