/* Documents: which memories use them, their versions, and their retrievals. */
#ifndef STEMMA_DOCUMENT_H
#define STEMMA_DOCUMENT_H

#include "model/reasoning/source.h"
#include "store/txn/writer.h"

/* One use of a passage; empty if nothing was recorded. */
struct document_passage {
    struct use use;
    bool guessed; /* the link was not recorded */
    bool changed; /* a later use of the same passage has another hash */
};
/* A memory that is based on the document directly: a step, a citation or another one. */
struct document_use {
    int64_t node; /* the user's row */
    struct ref ref;
    const char *text;
    int64_t created_at;
    enum status status;
    int64_t chain;                    /* chain of a step; 0 if none */
    int64_t step_number;              /* 0 if none */
    struct document_passage *passage; /* the passages used, in recorded order; at least one */
    size_t passages;
};
/* Lists uses by memories of `kinds` (KIND_BIT()s; 0 for all), newest first, at most `limit`; *more
 * is set if there are others. If fewer memories of those kinds exist, this scans all uses. */
int document_uses(struct reader *r, struct arena *arena, int64_t document, unsigned kinds,
                  size_t limit, struct document_use **out, size_t *count, bool *more,
                  struct error *e);

/*
 * What a list shows of a document: how many memories use it directly, counted up to `most` (`more`
 * is set if there are others), and whether a passage came with two hashes in the first `most` uses.
 * O(most).
 */
struct document_summary {
    size_t uses;
    bool more, changed;
};
int document_summary_read(struct reader *r, int64_t document, size_t most,
                          struct document_summary *out, struct error *e);

/* The memories based on the document. After `most` links the count stops and `bounded` is set. */
struct document_reach {
    int64_t steps, chains, citations, others; /* direct users; others excludes beliefs */
    int64_t *belief; /* beliefs based on it now, at any depth, newest first */
    size_t beliefs;
    bool bounded;
};
/* Fills *out; everything is in the arena. */
int document_reach_read(struct reader *r, struct arena *arena, int64_t document, size_t most,
                        struct document_reach *out, struct error *e);

/* A version of a passage: the whole document (CHUNK_NONE) or one chunk. */
struct document_version {
    int64_t chunk;
    const char *hash;
    int64_t first, last; /* first and last use of this version (rows) */
    int64_t first_at, last_at;
    size_t uses;
    bool latest;     /* latest version of the passage */
    int64_t passage; /* the same for versions of one passage */
};
/* Lists versions by passage, then by first use, at most `limit`; *more is set if there are others.
 * O(uses with a version). */
int document_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                      struct document_version **out, size_t *count, bool *more, struct error *e);
/* Sets *changed if a use after the use `by` has another hash for the same passage. Not set if
 * `hash` is NULL. Without a chunk, two passages count as the same if their texts begin alike.
 * O(log n) for each version or each later use, whichever are fewer. */
int document_changed_since(struct reader *r, int64_t document, int64_t chunk, int64_t by,
                           const char *hash, bool *changed, struct error *e);

/* How a retrieval was found to be one of a document, the weakest first. */
enum retrieval_match {
    MATCH_GUESSED, /* linked earlier by a hash or URI that the document no longer has */
    MATCH_URI,     /* its source_uri is the uri or the id of the document */
    MATCH_HASH,    /* its content is a version of the document */
    MATCH_RECORDED /* a source named it */
};
/* "guessed", "uri", "hash", "recorded" */
const char *retrieval_match_name(enum retrieval_match match);

/* Lists the logged retrievals (attributions) of the document, newest first: those it is based on,
 * and those that have its uri or hash. In the arena. */
struct document_retrieval {
    int64_t attribution;
    int64_t at;                 /* retrieval time, ms */
    enum retrieval_match match; /* the strongest */
};
int document_retrievals(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                        struct document_retrieval **out, size_t *count, bool *more,
                        struct error *e);

/* Sets *status to that of the document's linked retrievals: STATUS_ACTIVE if one of them stands, or
 * if none is linked; else that of the latest. */
int document_retrieval_status(struct reader *r, int64_t document, enum status *status,
                              struct error *e);

/*
 * Returns true if the document has no title besides its id. `detail` is its detail and may be NULL.
 */
bool document_is_untitled(const char *detail);

/* ---- writing; for reasoning.c and cite.c ---- */

/*
 * Finds or adds the document that a source names (see reasoning.h) and sets *out and *node. Fills
 * its title and uri if they were unknown. `salt` makes the id for a source with neither id nor
 * content; it must differ for each such source.
 */
int document_find_or_add(struct txn *t, const struct actor *actor, const char *operation,
                         const char *agent_id, const struct source *s, const char *salt,
                         struct arena *arena, struct ref *out, int64_t *node, struct error *e);
/*
 * Links the document to the logged retrieval of the source: the one that the source names
 * (recorded), or else the agent's latest one with the same hash, or with its uri or id as
 * source_uri (auto-linked). At most one link per version of the content, so that links do not grow
 * with uses. Call it before storing the memory that uses the document. `agent_id` NULL means the
 * acting agent.
 */
int document_link_retrieval(struct txn *t, const struct actor *actor, const char *agent_id,
                            int64_t document, const struct source *s, struct arena *arena,
                            struct error *e);

/* Checks whether the source's names can be stored; ERROR_INVALID gives the reason. *known is false
 * if the source names a retrieval that is not in the store. */
int document_check_names(struct txn *t, const struct source *s, struct arena *arena, bool *known,
                         struct error *e);

/*
 * For a retrieval that is logged after its content was used: finds documents with its uri, id or
 * content hash that the agent used recently. Limited in number, in the arena. `hash` is in lower
 * case; it and `uri` may be NULL.
 */
int document_used_before(struct txn *t, const char *agent, const char *uri, const char *hash,
                         struct arena *arena, int64_t **out, size_t *count, struct error *e);
/* Links these documents to the retrieval (auto-linked), as document_link_retrieval does. */
int document_link_late(struct txn *t, const struct actor *actor, struct ref attribution,
                       int64_t node, const char *hash, const int64_t *documents, size_t count,
                       struct arena *arena, struct error *e);

#endif
