/*
 * Citations of a response: one memory of kind citation for each passage that is emitted. Its text
 * is the snippet (without one, the formatted citation), its detail {document_id, document_name,
 * page, section, paragraph, conversation_id, message_id, retrieved_at, rank}; it rests on its
 * document by a group of role citation.
 */
#ifndef STEMMA_CITE_H
#define STEMMA_CITE_H

#include "model/reasoning/citation.h"
#include "store/ops/add.h"

struct cited_response {
    const char *conversation_id, *message_id, *agent_id;
    struct json_slice sources; /* a checked array */
};

struct cite_result {
    struct citation *emitted; /* in their rank, at most CITATIONS_MAX */
    struct added *added;      /* of each */
    size_t count;
    size_t left_out; /* that were de-duplicated or beyond CITATIONS_MAX */
    struct source_refusal *refused;
    size_t refused_count;
    struct ref *unchanged; /* earlier ones of the message that a person's word keeps as they are */
    size_t unchanged_count;
    int64_t at; /* of the events, ms */
};
/*
 * De-duplicates, ranks, keeps CITATIONS_MAX; adds each (operation `source_added`, in rank order)
 * and an event `done` that is about no memory, all in one correlation. Those that the same message
 * cited before are superseded: a response has one set, but for those that a person's word keeps.
 */
int cite_sources(struct txn *t, const struct actor *actor, const struct cited_response *given,
                 struct arena *arena, struct cite_result *out, struct error *e);

/* How many passages the event `done` ends: those of its correlation; -1. Of any other event 0. */
struct event;
int64_t cite_counted(struct reader *r, const struct event *done, struct error *e);

struct citation_query {
    const char *conversation_id, *message_id, *document_id; /* exact; NULL: any */
    size_t limit;                                           /* 0: all */
    size_t offset; /* of an answer: so many are left out before them */
};
/* Appends {"citations":[{ref, type fields as an event's source, formatted, conversationId,
 * messageId, document: ref, ...}], "total", "uncertainty"}, by when they were cited, then by rank.
 * `total` and `uncertainty` are of all that match. ERROR_INVALID: none of the three is given. */
int citations_answer(struct reader *r, const struct citation_query *q, struct strbuf *out,
                     struct error *e);
/* Appends the same of these rows, in their order. */
int citations_write(struct reader *r, const int64_t *rows, size_t count, struct strbuf *out,
                    struct error *e);
/* The rows of the same, for the explorer and commands. In the arena. */
int citations_find(struct reader *r, struct arena *arena, const struct citation_query *q,
                   int64_t **out, size_t *count, struct error *e);
/* A citation's fields from its memory. */
void citation_from_memory(const struct memory *m, struct arena *arena, struct citation *out);

#endif
