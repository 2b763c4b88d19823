/* The question forensics: which event changed the label of a memory, and along which path. */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/walk.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/journal/journal.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "store/questions/questions.h"

static const struct report_column columns[] = {
    {"ref", "cause", REPORT_REF},      {"event", "event", REPORT_COUNT},
    {"at", "when", REPORT_TIME},       {"actor", "by", REPORT_TEXT},
    {"operation", "did", REPORT_WORD}, {"from", "from", REPORT_WORD},
    {"to", "to", REPORT_WORD},         {"path", NULL, REPORT_REFS},
    {"reason", NULL, REPORT_TEXT},     {0},
};
static const struct report_part parts[] = {
    {.key = "changes",
     .title = "what changed its label",
     .shape = PART_LIST,
     .columns = columns,
     .none = "its label never changed"},
    {0},
};

#define MEMORIES_MOST 2000 /* of its lineage, whose events are looked at */
#define EVENTS_MOST                                                                                \
    400 /* states of the past that are looked at: each costs what lies between it and now */

struct inquiry {
    struct report *report;
    struct reader *reader;
    struct graph graph; /* of what the memory is based on; it is node 0 */
    struct event *event;
    size_t count, alloc;
    struct error *e;
};

static int by_seq(const void *a, const void *b)
{
    return COMPARE(((const struct event *)a)->seq, ((const struct event *)b)->seq);
}

/* Events on the memory and on all that it is based on. What only changed a text or a flag is found
 * out by the labels. */
static int read_events(struct inquiry *q)
{
    int64_t past = reader_past(q->reader);
    for (uint32_t node = 0; node < q->graph.nodes; node++) {
        struct event *list;
        size_t count;
        if (journal_of(q->reader, q->report->arena, graph_row(&q->graph, node), &list, &count,
                       q->e))
            return -1;
        for (size_t i = 0; i < count; i++)
            if (past < 0 || list[i].seq <= past)
                *ARENA_ADD(q->report->arena, q->event, q->count, q->alloc) = list[i];
    }
    SORT(q->event, q->count, by_seq);
    return 0;
}

/* The label as of an event; LABEL_COUNT if it was not there yet. */
static int label_at(struct inquiry *q, int64_t seq, enum label *out)
{
    struct row_label label;
    struct reader *past = reader_open_past(reader_store(q->reader), seq, NULL, NULL, q->e);
    struct memory_row m;
    if (!past)
        return -1;
    reader_guard(past, reader_guarded(q->reader));
    int result = memory_row_read(past, q->report->arena, q->report->subject, &m, q->e);
    if (result && q->e->code == ERROR_NOT_FOUND) {
        result = 0;
        *out = LABEL_COUNT;
    } else if (result == 0 && m.status == STATUS_MISSING) {
        *out = LABEL_COUNT;
    } else if (result == 0) {
        result = labels_of_rows(past, &q->report->subject, 1, &label, q->e);
        *out = label.label;
    }
    reader_close(past);
    return result;
}

/* The rows on a shortest path from the node to the memory, both included. */
static void add_path(struct inquiry *q, uint32_t from, struct cell *out)
{
    const struct graph *g = &q->graph;
    AUTO(row_index) reached = ROW_INDEX_INIT;
    AUTO_FREE uint32_t *by =
        xmalloc(((size_t)g->nodes + 1) * sizeof(*by)); /* the number that led to it */
    size_t length = 0;
    row_index_add(&reached, from);
    by[0] = 0;
    for (size_t i = 0; i < reached.count && reached_node(&reached, i) != 0; i++) {
        struct steps steps = graph_steps(g, DESCENDANTS, reached_node(&reached, i));
        for (uint32_t step = steps.from; step < steps.to; step++) {
            size_t before = reached.count;
            if (row_index_add(&reached, graph_step(g, DESCENDANTS, step)) == before)
                by[before] = (uint32_t)i;
        }
    }
    size_t at = row_index_find(&reached, 0);
    int64_t *rows = arena_array(q->report->arena, reached.count + 1, sizeof(*rows));
    for (; at != ROW_NONE; at = at ? by[at] : ROW_NONE)
        rows[length++] = graph_row(g, reached_node(&reached, at));
    for (size_t i = 0; i < length / 2; i++) {
        int64_t other = rows[i];
        rows[i] = rows[length - 1 - i];
        rows[length - 1 - i] = other;
    }
    cell_refs(out, rows, length);
}

/* Of a change to a memory of another agent, an agent learns only when it had an effect. */
static int add_change(struct inquiry *q, const struct event *event, enum label from, enum label to)
{
    enum visibility visibility = VISIBLE_WHOLE;
    if (guard_hides_linked(q->reader) &&
        guard_visibility(q->reader, event->subject, &visibility, q->e))
        return -1;
    struct cell *c = report_add(q->report, 0, 0);
    cell_int(&c[2], event->at);
    cell_text(&c[5], from == LABEL_COUNT ? NULL : label_name(from));
    cell_text(&c[6], label_name(to));
    if (visibility != VISIBLE_WHOLE)
        return 0;
    cell_int(&c[0], event->subject);
    cell_int(&c[1], event->seq);
    cell_text(&c[3], event->actor);
    cell_text(&c[4], event->operation);
    for (uint32_t node = 0; node < q->graph.nodes; node++)
        if (graph_row(&q->graph, node) == event->subject)
            add_path(q, node, &c[7]);
    cell_text(&c[8], event->reason);
    return 0;
}

static int compare_labels(struct inquiry *q)
{
    enum label before = LABEL_COUNT, after;
    for (size_t i = 0; i < q->count; i++) {
        if (i > 0 && q->event[i].seq == q->event[i - 1].seq)
            continue;
        if (label_at(q, q->event[i].seq, &after))
            return -1;
        if (after != before && add_change(q, &q->event[i], before, after))
            return -1;
        before = after;
    }
    return 0;
}

/* A graph of the memory without what it is based on. */
static void take_alone(struct graph *g, int64_t row)
{
    graph_release(g);
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    graph_finish(g);
    g->row = xmalloc(sizeof(*g->row));
    g->row[0] = row;
}

static int answer_forensics(struct report *p, struct reader *r, const struct asked *asked,
                            struct error *e)
{
    struct inquiry q = {.report = p, .reader = r, .e = e};
    bool bounded = false;
    int result =
        graph_load_surroundings(r, &q.graph, asked->row, 1, ANCESTORS, MEMORIES_MOST, &bounded, e);
    if (result == 0 && bounded)
        p->note = arena_format(
            p->arena, "It is based on more than %d memories; only its own events were looked at.",
            MEMORIES_MOST);
    if (bounded)
        take_alone(&q.graph, p->subject);
    result = result || read_events(&q) ? -1 : 0;
    if (result == 0 && q.count > EVENTS_MOST) {
        /* not how many there are: some may be on memories that the caller does not see */
        p->note = arena_format(p->arena, "Only the last %d events were looked at.", EVENTS_MOST);
        q.event += q.count - EVENTS_MOST;
        q.count = EVENTS_MOST;
    }
    result = result || compare_labels(&q) ? -1 : 0;
    graph_release(&q.graph);
    return result;
}

const struct question question_forensics = {
    .name = "forensics", .of = ABOUT_MEMORY, .parts = parts, .answer = answer_forensics};
