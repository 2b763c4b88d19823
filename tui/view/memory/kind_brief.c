#include "tui/view/memory/kind_brief.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/reasoning/cite.h"
#include "tui/text/member.h"

#define COUNTED 1000 /* uses of a document that a preview counts to, and looks through */

/* ---- reading ---- */

static int read_chain(struct reader *r, const struct memory *m, struct kind_brief *b,
                      struct error *e)
{
    return chain_read(r, &b->arena, m->node, &b->chain, e);
}

static int read_step(struct reader *r, const struct memory *m, struct kind_brief *b,
                     struct error *e)
{
    if (chain_read(r, &b->arena, m->node, &b->chain, e))
        return -1;
    for (size_t i = 0; i < b->chain.step_count; i++)
        if (b->chain.step[i].node == m->node)
            b->step = &b->chain.step[i];
    return b->step ? 0 : -1;
}

static int read_document(struct reader *r, const struct memory *m, struct kind_brief *b,
                         struct error *e)
{
    static const size_t limits[DOCUMENT_SECTIONS] = {
        [DOCUMENT_STEPS] = 6,    [DOCUMENT_CITATIONS] = 3,  [DOCUMENT_OTHERS] = 2,
        [DOCUMENT_VERSIONS] = 8, [DOCUMENT_RETRIEVALS] = 3, [DOCUMENT_BELIEFS] = 0,
    };
    b->document = document_facts_read(r, m->node, limits, e);
    b->reach = document_reach_new();
    if (!b->document || !b->reach || document_count(r, m->node, COUNTED, &b->reach->counts, e))
        return -1;
    for (b->reach->stage = STAGE_CITATIONS;
         !b->reach->counts.bounded && b->reach->stage < STAGE_BELIEFS;)
        if (document_reach_read(r, b->reach, m->node, limits, e))
            return -1;
    return 0;
}

static int read_citation(struct reader *r, const struct memory *m, struct kind_brief *b,
                         struct error *e)
{
    (void)r;
    b->conversation = member_text(m, "conversation_id", &b->arena);
    b->message = member_text(m, "message_id", &b->arena);
    return citation_from_memory(m, &b->arena, &b->citation, e);
}

static int read_attribution(struct reader *r, const struct memory *m, struct kind_brief *b,
                            struct error *e)
{
    char found[65];
    b->type = member_text(m, "source_type", &b->arena);
    b->uri = member_text(m, "source_uri", &b->arena);
    b->retrieved_at = member_int(m, "retrieval_timestamp", m->created_at);
    return retrieval_check(r, m->node, NULL, 0, &b->check, found, e);
}

struct kind_brief *kind_brief_read(struct reader *r, const struct memory *m)
{
    static int (*const readers[KIND_COUNT])(struct reader *, const struct memory *,
                                            struct kind_brief *, struct error *) = {
        [KIND_CHAIN] = read_chain,
        [KIND_STEP] = read_step,
        [KIND_DOCUMENT] = read_document,
        [KIND_CITATION] = read_citation,
        [KIND_ATTRIBUTION] = read_attribution,
    };
    struct error e;
    if (!readers[m->ref.kind] || m->status == STATUS_MISSING || m->status == STATUS_PURGED)
        return NULL;
    struct kind_brief *b = xcalloc(1, sizeof(*b));
    if (!b)
        return NULL;
    b->arena = (struct arena)ARENA_INIT;
    b->kind = m->ref.kind;
    if (!readers[m->ref.kind](r, m, b, &e))
        return b;
    kind_brief_free(b);
    return NULL;
}

void kind_brief_free(struct kind_brief *b)
{
    if (!b)
        return;
    document_facts_free(b->document);
    document_reach_free(b->reach);
    arena_release(&b->arena);
    free(b);
}
