#include "store/history/version.h"

#include "model/format/exchange.h"
#include "store/history/guard_then.h"

struct looking {
    struct reader *reader;
    struct arena states; /* of the change that is looked at */
    int64_t version;
    struct strbuf *out;
    struct error *e;
    bool found;
};

static int look(void *arg, const struct revision *revision)
{
    struct looking *l = arg;
    struct revision told = *revision;
    bool is_told;
    arena_clear(&l->states);
    if (guard_revision(l->reader, &l->states, &told, &is_told, l->e) || !is_told)
        return 1;
    const struct memory *m = told.after;
    if (!m || m->version > l->version)
        return 0;
    l->found = m->version == l->version && m->status != STATUS_PURGED;
    if (l->found)
        exchange_write(l->out, m, NULL);
    return 1;
}

int version_form(struct reader *r, int64_t node, int64_t version, struct strbuf *out,
                 struct error *e)
{
    struct looking l = {.reader = r, .states = ARENA_INIT, .version = version, .out = out, .e = e};
    e->code = ERROR_NONE;
    int result = history_walk(r, node, look, &l, e);
    arena_release(&l.states);
    if (result || e->code != ERROR_NONE)
        return -1;
    return l.found;
}

int version_both(struct reader *r, struct arena *arena, int64_t node, int64_t expected,
                 struct strbuf *out, struct error *e)
{
    struct memory m;
    strbuf_addstr(out, "\"expected\":");
    int found = version_form(r, node, expected, out, e);
    if (found < 0 || memory_read(r, arena, node, &m, e) || guard_memory(r, arena, &m, e))
        return -1;
    strbuf_addstr(out, found ? ",\"present\":" : "null,\"present\":");
    exchange_write(out, &m, NULL);
    return 0;
}
