#include "tui/render/document_facts.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/text/member.h"

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "there is no memory left to show this document");
}

/* ---- uses ---- */

static int read_uses(struct reader *r, struct arena *arena, int64_t node, unsigned kinds,
                     size_t limit, struct document_uses *u, struct error *e)
{
    if (document_uses(r, arena, node, kinds, INT64_MAX, limit, &u->use, &u->count, &u->more, e))
        return -1;
    int64_t *nodes = arena_array(arena, u->count + 1, sizeof(*nodes));
    if (!nodes)
        return no_memory(e);
    for (size_t i = 0; i < u->count; i++)
        nodes[i] = u->use[i].node;
    u->row = facts_rows_read(r, arena, nodes, u->count, e);
    return u->row ? 0 : -1;
}

/* Where the chain stands among `chains`, at their end where it is new. */
static size_t place_of(int64_t *chains, size_t *count, int64_t chain)
{
    for (size_t i = *count; i-- > 0;) /* steps of a chain mostly stand together */
        if (chains[i] == chain)
            return i;
    chains[*count] = chain;
    return (*count)++;
}

/* Those of a chain one after the other, in the order in which they were thought: the last used comes first. */
static int order_by_chain(struct document_facts *f, struct error *e)
{
    size_t count = f->steps.count, at = 0;
    size_t *begin = arena_array(&f->arena, f->chain_count + 1, sizeof(*begin));
    f->by_chain = arena_array(&f->arena, count + 1, sizeof(*f->by_chain));
    if (!begin || !f->by_chain)
        return no_memory(e);
    for (size_t i = 0; i < count; i++)
        begin[f->chain_of[i]]++;
    for (size_t chain = 0; chain < f->chain_count; chain++) {
        size_t steps = begin[chain];
        begin[chain] = at;
        at += steps;
    }
    for (size_t i = count; i-- > 0;)
        f->by_chain[begin[f->chain_of[i]]++] = i;
    return 0;
}

static int read_chains(struct reader *r, struct document_facts *f, struct error *e)
{
    const struct document_uses *u = &f->steps;
    int64_t *chains = arena_array(&f->arena, u->count + 1, sizeof(*chains));
    f->chain_of = arena_array(&f->arena, u->count + 1, sizeof(*f->chain_of));
    if (!chains || !f->chain_of)
        return no_memory(e);
    for (size_t i = 0; i < u->count; i++)
        f->chain_of[i] = place_of(chains, &f->chain_count, u->use[i].chain);
    f->chain = arena_array(&f->arena, f->chain_count + 1, sizeof(*f->chain));
    if (!f->chain || order_by_chain(f, e))
        return no_memory(e);
    for (size_t i = 0; i < f->chain_count; i++) {
        if (chains[i] <= 0)
            continue;
        struct fact_row *row = facts_rows_read(r, &f->arena, &chains[i], 1, e);
        if (!row)
            return -1;
        f->chain[i] = *row;
    }
    return 0;
}

/* ---- retrievals ---- */

static int read_retrieval(struct reader *r, struct document_facts *f, size_t i, struct error *e)
{
    struct memory m;
    if (memory_read(r, &f->arena, f->retrieval[i].attribution, &m, e))
        return -1;
    f->retrieval_at[i] = member_int(&m, "retrieval_timestamp", m.created_at);
    f->retrieval_type[i] = member_text(&m, "source_type", &f->arena);
    f->retrieval_uri[i] = member_text(&m, "source_uri", &f->arena);
    return 0;
}

static int read_retrievals(struct reader *r, struct document_facts *f, size_t limit,
                           struct error *e)
{
    if (document_retrievals(r, &f->arena, f->node, limit, &f->retrieval, &f->retrieval_count,
                            &f->retrieval_more, e))
        return -1;
    size_t count = f->retrieval_count;
    int64_t *nodes = arena_array(&f->arena, count + 1, sizeof(*nodes));
    f->retrieval_type = arena_array(&f->arena, count + 1, sizeof(*f->retrieval_type));
    f->retrieval_uri = arena_array(&f->arena, count + 1, sizeof(*f->retrieval_uri));
    f->retrieval_at = arena_array(&f->arena, count + 1, sizeof(*f->retrieval_at));
    if (!nodes || !f->retrieval_type || !f->retrieval_uri || !f->retrieval_at)
        return no_memory(e);
    for (size_t i = 0; i < count; i++) {
        nodes[i] = f->retrieval[i].attribution;
        if (read_retrieval(r, f, i, e))
            return -1;
    }
    f->retrieval_row = facts_rows_read(r, &f->arena, nodes, count, e);
    return f->retrieval_row ? 0 : -1;
}

/* ---- all of it ---- */

static int read_all(struct reader *r, struct document_facts *f,
                    const size_t limit[DOCUMENT_SECTIONS], struct error *e)
{
    if (memory_read(r, &f->arena, f->node, &f->memory, e) ||
        labels_of_rows(r, &f->node, 1, &f->label, e))
        return -1;
    f->short_length = ref_short_length(r, f->memory.ref);
    f->document_id = member_text(&f->memory, "document_id", &f->arena);
    f->uri = member_text(&f->memory, "uri", &f->arena);
    if (read_uses(r, &f->arena, f->node, KIND_BIT(KIND_STEP), limit[DOCUMENT_STEPS], &f->steps, e))
        return -1;
    if (read_chains(r, f, e) ||
        document_versions(r, &f->arena, f->node, limit[DOCUMENT_VERSIONS], &f->version,
                          &f->version_count, &f->version_more, e))
        return -1;
    return read_retrievals(r, f, limit[DOCUMENT_RETRIEVALS], e);
}

struct document_facts *document_facts_read(struct reader *r, int64_t node,
                                           const size_t limit[DOCUMENT_SECTIONS], struct error *e)
{
    struct document_facts *f = xcalloc(1, sizeof(*f));
    if (!f) {
        no_memory(e);
        return NULL;
    }
    f->arena = (struct arena)ARENA_INIT;
    f->node = node;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_all(r, f, limit, e);
        reader_end(r);
    }
    if (!failed)
        return f;
    document_facts_free(f);
    return NULL;
}

void document_facts_free(struct document_facts *f)
{
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}

/* ---- the second part ---- */

static int read_beliefs(struct reader *r, struct document_reach *d, int64_t node, size_t limit,
                        struct error *e)
{
    int64_t *beliefs;
    if (document_beliefs(r, &d->arena, node, limit, &beliefs, &d->belief_count, &d->belief_more, e))
        return -1;
    d->belief = facts_rows_read(r, &d->arena, beliefs, d->belief_count, e);
    return d->belief ? 0 : -1;
}

static int read_stage(struct reader *r, struct document_reach *d, int64_t node,
                      const size_t limit[DOCUMENT_SECTIONS], struct error *e)
{
    const unsigned others = KINDS_ALL & ~KIND_BIT(KIND_STEP) & ~KIND_BIT(KIND_CITATION);
    switch (d->stage) {
    case STAGE_COUNTS:
        return document_count(r, node, DOCUMENT_COUNTED, &d->counts, e);
    case STAGE_CITATIONS:
        return read_uses(r, &d->arena, node, KIND_BIT(KIND_CITATION), limit[DOCUMENT_CITATIONS],
                         &d->citations, e);
    case STAGE_OTHERS:
        return read_uses(r, &d->arena, node, others, limit[DOCUMENT_OTHERS], &d->others, e);
    case STAGE_BELIEFS:
        return read_beliefs(r, d, node, limit[DOCUMENT_BELIEFS], e);
    default:
        return 0;
    }
}

struct document_reach *document_reach_new(void)
{
    struct document_reach *d = xcalloc(1, sizeof(*d));
    if (d)
        d->arena = (struct arena)ARENA_INIT;
    return d;
}

int document_reach_read(struct reader *r, struct document_reach *d, int64_t node,
                        const size_t limit[DOCUMENT_SECTIONS], struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int failed = read_stage(r, d, node, limit, e);
    reader_end(r);
    if (!failed)
        d->stage++;
    return failed ? -1 : 0;
}

void document_reach_add_beliefs(const struct document_reach *d, struct strbuf *out)
{
    bool all = !d->belief_more; /* then they are all there, however far it was counted */
    bool bounded = !all && d->counts.bounded;
    int64_t count = all ? (int64_t)d->belief_count : d->counts.beliefs;
    if (bounded && count < (int64_t)d->belief_count)
        count = (int64_t)d->belief_count;
    strbuf_addf(out, "%lld%s belief%s", (long long)count, bounded ? "+" : "",
                count == 1 && !bounded ? "" : "s");
}

void document_reach_free(struct document_reach *d)
{
    if (!d)
        return;
    arena_release(&d->arena);
    free(d);
}
