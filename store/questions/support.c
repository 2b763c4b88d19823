/* Loads what a memory is based on for the questions about it. */
#include "store/questions/support.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/loaded.h"
#include "store/lineage/effective.h"

/* Labels that the caller sees come from the whole lineage: what does not stand there cannot stand
 * in the visible part. */
static void label_visible(struct support *s)
{
    struct graph *g = &s->trace.loaded.graph;
    for (uint32_t node = 0; node < g->nodes; node++)
        if (!s->trace.labels.stands[node])
            g->status[node] = STATUS_RETRACTED;
    labels_compute(&s->own, g);
    s->labels = &s->own;
}

int support_load(struct support *s, struct reader *r, int64_t row, struct error *e)
{
    AUTO_FREE uint8_t *view = NULL;
    memset(s, 0, sizeof(*s));
    int result = trace_load_visible(&s->trace, r, row, ANCESTORS, DEPTH_UNLIMITED, &view, e);
    s->graph = &s->trace.graph;
    s->labels = &s->trace.labels;
    s->node = s->trace.root;
    if (result == 0 && view)
        label_visible(s);
    return result;
}

int support_load_all(struct support *s, struct reader *r, struct error *e)
{
    memset(s, 0, sizeof(*s));
    int result = trace_load_all_visible(&s->trace, r, e);
    s->graph = &s->trace.graph;
    s->labels = &s->trace.labels;
    if (result == 0)
        label_visible(s);
    return result;
}

void support_release(struct support *s)
{
    if (s->labels == &s->own)
        labels_release(&s->own);
    trace_release(&s->trace);
}

/* Rows of nodes, in their order, in the arena. */
static int64_t *support_rows(const struct support *s, struct arena *arena, const uint32_t *node,
                             size_t count)
{
    int64_t *rows = arena_array(arena, count + 1, sizeof(*rows));
    for (size_t i = 0; i < count; i++)
        rows[i] = support_row(s, node[i]);
    return rows;
}

int64_t *support_rows_sorted(const struct support *s, struct arena *arena, const uint32_t *node,
                             size_t count)
{
    int64_t *rows = support_rows(s, arena, node, count);
    SORT(rows, count, row_compare);
    return rows;
}

void support_add_disbelieved(const struct support *s, struct report *p, size_t part,
                             const struct reader *r)
{
    const struct disbelief *d = reader_disbelief(r);
    for (uint32_t v = 0; d && v < s->graph->nodes; v++)
        if (v != s->node && row_set_has(&d->rows, support_row(s, v)))
            cell_int(report_add(p, part, 0), support_row(s, v));
}

int support_weights(const struct support *s, struct reader *r, const uint32_t *leaf, size_t count,
                    double *p, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const int64_t *rows = support_rows(s, &arena, leaf, count);
    struct row_label *label = arena_array(&arena, count + 1, sizeof(*label));
    if (support_of_rows(r, rows, count, label, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        p[leaf[i]] = label[i].effective * label[i].trust;
    return 0;
}

int support_note_others(const struct support *s, struct report *p, struct reader *r,
                        const uint32_t *root, size_t count, struct error *e)
{
    size_t others = 0;
    for (size_t i = 0; i < count && guard_hides_linked(r); i++) {
        enum visibility visibility;
        if (guard_visibility(r, support_row(s, root[i]), &visibility, e))
            return -1;
        others += visibility != VISIBLE_WHOLE;
    }
    if (others > 0 && count > 1)
        p->note = arena_format(
            p->arena,
            "%s%s%zu of the %zu roots are memories of other agents. What these are based on is not "
            "shown, and may be the same source.",
            p->note ? p->note : "", p->note ? " " : "", others, count);
    return 0;
}

int support_nogoods(struct nogoods *out, struct reader *r, int64_t row, int64_t other,
                    struct error *e)
{
    struct support s[2] = {0};
    int result = support_load(&s[0], r, row, e) || support_load(&s[1], r, other, e) ? -1 : 0;
    if (result == 0)
        nogoods_compute(out, (struct nogood_of[]){{s[0].graph, s[0].labels, s[0].node},
                                                  {s[1].graph, s[1].labels, s[1].node}});
    support_release(&s[0]);
    support_release(&s[1]);
    return result;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

const char *support_sentence(const struct support *s, struct arena *arena,
                             const struct independence *roots)
{
    const struct graph *g = s->graph;
    uint32_t justs = g->just_first[s->node + 1] - g->just_first[s->node];
    uint32_t valid = roots->supports, count = roots->independent;
    if (justs == 0)
        return "It is based on nothing else";
    if (!STATUS_LIVES(g->status[s->node]))
        return "It has ended, whatever it is based on";
    if (valid == 0)
        return justs == 1 ? "Its only justification is not valid"
                          : arena_format(arena, "None of its %u justifications is valid", justs);
    return arena_format(arena, "%u of %u justification%s %s valid, %s%u independent derivation%s",
                        valid, justs, plural(justs), valid == 1 ? "is" : "are",
                        roots->proven ? "" : "at least ", count, plural(count));
}
