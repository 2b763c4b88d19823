/* Documents: who used one, which versions of it there were, and where it was retrieved. */
#ifndef STEMMA_DOCUMENT_H
#define STEMMA_DOCUMENT_H

#include "model/reasoning/source.h"
#include "store/txn/writer.h"

/* What one use of a passage says of it; the empty one where nothing is said. */
struct document_passage {
    struct use use;
    bool guessed; /* the link was not recorded */
    bool changed; /* the same passage came with another hash since */
};
/* A step or a citation (or another memory) that rests on the document directly. */
struct document_use {
    int64_t node; /* of what uses it */
    struct ref ref;
    const char *text;
    int64_t created_at;
    enum status status;
    int64_t chain;                    /* of a step: its chain; 0: none */
    int64_t step_number;              /* 0: none */
    struct document_passage *passage; /* that it used, in their order; at least one */
    size_t passages;
};
/*
 * The uses by memories of `kinds` (KIND_BIT()s; 0: all), newest first, at most `limit`; *more: there are others.
 * Where there are fewer of those kinds, all uses are looked at.
 */
int document_uses(struct reader *r, struct arena *arena, int64_t document, unsigned kinds,
                  size_t limit, struct document_use **out, size_t *count, bool *more,
                  struct error *e);

/* What a list shows of it: how many memories rest on it directly, counted to `most` (*more: there are
 * others), and whether, among the first `most` of its uses, a passage came with two hashes. O(most). */
struct document_brief {
    size_t uses;
    bool more, changed;
};
int document_brief_read(struct reader *r, int64_t document, size_t most, struct document_brief *out,
                        struct error *e);

/* What rests on it, as far as `most` links are counted: there are more where it is bounded. */
struct document_reach {
    int64_t steps, chains, citations, others; /* that use it themselves; others: no beliefs */
    int64_t *belief; /* that rest on it now, at whatever depth, newest first */
    size_t beliefs;
    bool bounded;
};
/* Everything in the arena. */
int document_reach_read(struct reader *r, struct arena *arena, int64_t document, size_t most,
                        struct document_reach *out, struct error *e);

/* A version of a passage: of the whole document (chunk -1) or one chunk of it. */
struct document_version {
    int64_t chunk;
    const char *hash;
    int64_t first, last; /* the uses (rows) that had it first and last */
    int64_t first_at, last_at;
    size_t uses;
    bool latest; /* of that chunk */
};
/* By chunk, then by when it came. At most `limit`; *more: there are others. O(uses that say a version). */
int document_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                      struct document_version **out, size_t *count, bool *more, struct error *e);
/* Did the same passage come with another hash later than in the use `by`? `hash` NULL: nobody can tell.
 * O(log n) for each of its versions or of its later uses, whichever are fewer. */
int document_changed_since(struct reader *r, int64_t document, int64_t chunk, int64_t by,
                           const char *hash, bool *changed, struct error *e);

/* The logged retrievals (attributions) of it, newest first: those it rests on, and those that
 * merely have its uri or hash. In the arena. */
struct document_retrieval {
    int64_t attribution;
    int64_t at;    /* when it was retrieved, ms */
    bool recorded; /* linked by whoever recorded it; else told by its uri or hash */
};
int document_retrievals(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                        struct document_retrieval **out, size_t *count, bool *more,
                        struct error *e);

/* Does nobody know what it is called next to its id? Of its detail, which may be NULL. */
bool document_is_untitled(const char *detail);

/* ---- writing, for reasoning.c and cite.c ---- */

/*
 * The ref of the document that a source names (see reasoning.h), added where it is not there; what
 * it is called and its uri are taken over where they were not known. `salt`: makes the id of a
 * source that has neither an id nor content, so that two of those are never the same document. Its
 * row is *node.
 */
int document_take(struct txn *t, const struct actor *actor, const char *operation,
                  const char *agent_id, const struct source *s, const char *salt,
                  struct arena *arena, struct ref *out, int64_t *node, struct error *e);
/*
 * Ties the document to the logged retrieval that the source came from: the one that it names
 * (recorded), else the latest of that agent with its hash, or with its uri or id as source_uri
 * (auto-linked); at most one for each version of the content, so that a document's links do not
 * grow with its uses. To be called before what uses it is put. `agent_id` NULL: who acts.
 */
int document_tie(struct txn *t, const struct actor *actor, const char *agent_id, int64_t document,
                 const struct source *s, struct arena *arena, struct error *e);

/* Can the store take what it names? ERROR_INVALID: the reason to refuse it. *known is false where it
 * names a logged retrieval that is not here. */
int document_check(struct txn *t, const struct source *s, struct arena *arena, bool *known,
                   struct error *e);

/*
 * A retrieval is logged after what was retrieved had been used: the documents that it may be of, by its uri or id, or
 * of whose content its hash is, which that agent used lately. A bounded number of them, in the arena. `hash` in small
 * digits; it and `uri` may be NULL.
 */
int document_used_before(struct txn *t, const char *agent, const char *uri, const char *hash,
                         struct arena *arena, int64_t **out, size_t *count, struct error *e);
/* Ties them to it (auto-linked), as document_tie does. */
int document_tie_late(struct txn *t, const struct actor *actor, struct ref attribution,
                      int64_t node, const char *hash, const int64_t *documents, size_t count,
                      struct arena *arena, struct error *e);

#endif
