/*
 * Citations of a response: each cited passage is one memory of kind citation. Its text is the
 * snippet, or else the formatted citation. Its detail is {document_id, document_name, page,
 * section, paragraph, conversation_id, message_id, retrieved_at, rank}. It is based on its document
 * by a group of role citation. A response with a text that cites nothing is one such memory without a
 * document, with the annotation CITES_NOTHING: so it is shown, replaced, undone and purged as the others.
 */
#ifndef STEMMA_CITE_H
#define STEMMA_CITE_H

#include "model/reasoning/citation.h"
#include "store/ops/add.h"

struct event;

bool cites_nothing(const struct memory *m);

struct cited_response {
    const char *conversation_id, *message_id, *agent_id;
    struct json_slice sources; /* a valid JSON array */
    const char *text; /* of the response, kept with its first citation; NULL if not given */
};

struct cite_result {
    struct citation *emitted; /* sorted by rank, at most CITATIONS_MAX */
    struct added *added;      /* the memory of each */
    size_t count;
    size_t left_out; /* duplicates, and those beyond CITATIONS_MAX */
    struct source_refusal *refused;
    size_t refused_count;
    const char **ignored; /* members of the sources that have no meaning: "sources[0].score" */
    size_t ignored_count;
    /* earlier citations of the message that stay because of a person's decision */
    struct ref *unchanged;
    size_t unchanged_count;
    int64_t at; /* time of the events, ms */
};
/*
 * Removes duplicates, ranks the sources and keeps CITATIONS_MAX of them. Adds each one (operation
 * `source_added`, in order of rank; without any, the text that cites nothing) and an event `done` about
 * no memory, all with one correlation.
 * A response has one set of citations: earlier ones of the same message are superseded, except
 * those that stay because of a person's decision.
 */
int cite_sources(struct txn *t, const struct actor *actor, const struct cited_response *given,
                 struct arena *arena, struct cite_result *out, struct error *e);

/* Returns the number of passages in the set that the event `done` ends; 0 for any other event, -1
 * on error. */
int64_t cite_counted(struct reader *r, const struct event *done, struct error *e);

struct citation_query {
    const char *conversation_id, *message_id, *document_id; /* exact match; NULL for any */
    size_t limit, offset; /* of an answer: 0 for all; skip this many */
    bool and_nothing;     /* responses that cite nothing, too */
};
/*
 * Appends {"citations":[{ref, type fields as an event's source, formatted, conversationId,
 * messageId, document: ref, ...}], "total", "uncertainty"}, sorted by time, then by rank. `total`
 * and `uncertainty` cover all matches. ERROR_INVALID if all three ids are NULL.
 */
int citations_answer(struct reader *r, const struct citation_query *q, struct strbuf *out,
                     struct error *e);
/* Appends the same for the given rows, in their order. */
int citations_write(struct reader *r, const int64_t *rows, size_t count, struct strbuf *out,
                    struct error *e);
/* Returns all matching rows, for the explorer and commands. In the arena. *nothing (NULL is allowed) is the number of
 * responses that cite nothing. */
int citations_find(struct reader *r, struct arena *arena, const struct citation_query *q,
                   int64_t **out, size_t *count, size_t *nothing, struct error *e);
/* What became of the cited document and of its logged retrieval (document_retrieval_status):
 * STATUS_ACTIVE if it stands. */
struct cited_standing {
    enum status document, retrieval;
};
int cited_standing_read(struct reader *r, const struct memory *m, struct cited_standing *out,
                        struct error *e);
/* The same of a document. */
int cited_standing_of(struct reader *r, int64_t document, struct cited_standing *out,
                      struct error *e);
/* Fills *out from the memory of a citation. */
void citation_from_memory(const struct memory *m, struct arena *arena, struct citation *out);

#endif
