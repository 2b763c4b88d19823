/* Why a memory does not stand, in one sentence for agents. */
#include "store/json/why.h"

#include <stdlib.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/lineage/neighbours.h"

#define AROUND    2048 /* memories to look at; of a larger lineage nothing more is said */
#define SOURCES   16   /* ended sources to ask for their end */
#define DATE_SIZE 11   /* "2026-11-20" */

/* " was retracted on 2026-11-20 by sean", or " is retracted" if the journal does not say who did it. */
static void add_end(struct strbuf *out, const char *was, enum status status,
                    const struct author *author)
{
    char when[32];
    if (author->seq == 0) {
        strbuf_addf(out, "%s%s", *was ? " is " : "", status_word(status));
        return;
    }
    clock_format_iso(when, sizeof(when), author->at);
    strbuf_addf(out, "%s%s on %.*s by %s", was, status_word(status), DATE_SIZE - 1, when,
                author->who);
}

/* Nobody is named to a caller who may not see all of the memory. */
static int end_of(struct reader *r, struct arena *arena, int64_t row, enum status status,
                  struct author *out, struct error *e)
{
    enum visibility visibility;
    *out = (struct author){.seq = 0};
    if (guard_visibility(r, row, &visibility, e))
        return -1;
    return visibility == VISIBLE_WHOLE ? history_ended_by(r, arena, row, status, out, e) : 0;
}

/* The nearest memories that ended, of those that the root is based on. */
struct ended {
    uint32_t node[SOURCES], depth;
    size_t count;
};

static void find_ended(const struct graph *g, const struct labels *labels, struct ended *out)
{
    struct lineage walk;
    lineage_walk(&walk, g, 0, ANCESTORS, DEPTH_UNLIMITED);
    for (size_t i = 1; i < walk.count && out->count < SOURCES; i++) {
        if (labels->label[walk.node[i]] != LABEL_ENDED)
            continue;
        if (out->count > 0 && walk.depth[i] > out->depth)
            break;
        out->depth = walk.depth[i];
        out->node[out->count++] = walk.node[i];
    }
    lineage_release(&walk);
}

/* "its source was retracted on …": the one that ended last, because until then it stood. */
static int add_source(struct reader *r, struct arena *arena, const struct graph *g,
                      const struct ended *ended, struct strbuf *out, struct error *e)
{
    struct author last = {.seq = 0}, one;
    enum status status = (enum status)g->status[ended->node[0]];
    for (size_t i = 0; i < ended->count; i++) {
        enum status of = (enum status)g->status[ended->node[i]];
        if (end_of(r, arena, graph_row(g, ended->node[i]), of, &one, e))
            return -1;
        if (one.seq > last.seq) {
            last = one;
            status = of;
        }
    }
    strbuf_addstr(out, ended->depth > 1   ? "what its source is based on"
                       : ended->count > 1 ? "its last source"
                                          : "its source");
    add_end(out, " was ", status, &last);
    return 0;
}

static int add_unsupported(struct reader *r, struct arena *arena, int64_t row, struct strbuf *out,
                           struct error *e)
{
    struct graph g;
    struct labels labels = {.label = NULL};
    struct ended ended = {.count = 0};
    bool bounded;
    int result = graph_load_surroundings(r, &g, &row, 1, ANCESTORS, AROUND, &bounded, e);
    if (result == 0 && !bounded)
        result = guard_graph(r, &g, e);
    if (result == 0 && !bounded) {
        labels_compute(&labels, &g);
        find_ended(&g, &labels, &ended);
    }
    if (result == 0 && ended.count)
        result = add_source(r, arena, &g, &ended, out, e);
    else if (result == 0)
        strbuf_addstr(out, "nothing that it is based on stands");
    labels_release(&labels);
    graph_release(&g);
    return result;
}

int why_add(struct reader *r, struct arena *arena, int64_t row, enum status status,
            enum label label, struct strbuf *out, struct error *e)
{
    struct author author;
    if (label == LABEL_CIRCULAR)
        strbuf_addstr(out, "circular: it is based only on itself");
    if (label == LABEL_UNSUPPORTED) {
        strbuf_addstr(out, "unsupported: ");
        return add_unsupported(r, arena, row, out, e);
    }
    if (label != LABEL_ENDED)
        return 0;
    if (end_of(r, arena, row, status, &author, e))
        return -1;
    add_end(out, "", status, &author);
    return 0;
}
