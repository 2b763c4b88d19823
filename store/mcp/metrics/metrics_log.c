#include "store/mcp/metrics/metrics_log.h"

#include "store/mcp/protocol/protocol.h"

#define PAGE 512 /* rows that are read at once */

/* As the process that answered counts it: by how far the call came. */
static enum denial denial_of(int tool, const struct call_guard *g)
{
    if (tool < 0)
        return DENIAL_NONE;
    if (g->spans.store_us > 0)
        return DENIAL_MEMORY;
    return tool == MEMORY_TOOL_CONTEXT ? DENIAL_CONTEXT : DENIAL_NAMESPACE;
}

static void add_row(struct metrics *m, const struct call_row *row)
{
    bool is_tool = row->tool && row->tool[0] != '(' && !protocol_is_method(row->tool);
    int tool = is_tool ? memory_tool_from_name(row->tool) : -1;
    for (size_t i = 0; i < row->count; i++) {
        bool refused = row->outcome[i] == ERROR_REFUSED;
        struct metrics_call call = {
            .name = row->tool ? row->tool : "",
            .is_tool = is_tool,
            .outcome = row->outcome[i],
            .namespace_ = row->guard.namespace_,
            .denied = refused ? denial_of(tool, &row->guard) : DENIAL_NONE,
            .redactions = i == 0 ? row->guard.redactions : 0, /* of all of them */
            .took_us = -1,
            .times = 1,
        };
        metrics_add(m, &call);
    }
}

static int add_rows(struct metrics *m, struct reader *r, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct call_row *rows;
    size_t count = PAGE;
    int64_t after = 0;
    int result = 0;
    while (result == 0 && count == PAGE) {
        result = call_list(r, &arena, after, PAGE, &rows, &count, e);
        for (size_t i = 0; result == 0 && i < count; i++)
            add_row(m, &rows[i]);
        if (result == 0 && count)
            after = rows[count - 1].id;
        arena_release(&arena);
    }
    return result;
}

static int add_sessions(struct metrics_totals *totals, struct reader *r, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct session_row *rows;
    size_t count = PAGE;
    int64_t before = INT64_MAX;
    int result = 0;
    while (result == 0 && count == PAGE) {
        result = session_page(r, &arena, before, PAGE, &rows, &count, e);
        for (size_t i = 0; result == 0 && i < count; i++) {
            totals->sessions++;
            totals->living += rows[i].lives;
            totals->calls += rows[i].calls;
            totals->failures += rows[i].errors;
            latency_merge(&totals->latency, &rows[i].latency);
        }
        if (result == 0 && count)
            before = rows[count - 1].id;
        arena_release(&arena);
    }
    return result;
}

struct metrics *metrics_of_log(struct reader *r, struct metrics_totals *totals, struct error *e)
{
    struct metrics *m = metrics_new(0, 0);
    *totals = (struct metrics_totals){.sessions = 0};
    if (add_sessions(totals, r, e) || add_rows(m, r, e)) {
        metrics_free(m);
        return NULL;
    }
    m->sessions = totals->living;
    return m;
}
