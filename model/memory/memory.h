/*
 * A memory, whole: what one line of an export holds.
 *
 * All pointers belong to the arena that the memory was read into or made in; strings are valid UTF-8
 * without NUL; a NULL string is one that is absent. Times are milliseconds since the epoch, UTC.
 * The numbers of the enums are stored: never renumber them.
 */
#ifndef STEMMA_MEMORY_H
#define STEMMA_MEMORY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/memory/ref.h"
#include "model/memory/source_type.h"

/* In the order of strength: where two hold, the greater is stored. */
enum status {
    STATUS_ACTIVE = 0,
    STATUS_SUPERSEDED,
    STATUS_EXPIRED,
    STATUS_RETRACTED,
    STATUS_FORGOTTEN,
    STATUS_DELETED,
    STATUS_PURGED,
    STATUS_MISSING, /* a stub: named by a link, never written */
    STATUS_COUNT
};
/* Living: active, superseded, expired. Everything else is dead. */
#define STATUS_LIVES(status) ((status) <= STATUS_EXPIRED)
/* What a list leaves out unless asked: forgotten, deleted, purged, missing. */
#define STATUS_LISTED(status) ((status) <= STATUS_RETRACTED)
#define STATUS_BIT(status)    (1u << (status))
#define STATUSES_LISTED       0x0fu
#define STATUSES_ALL          0x7fu /* everything but stubs */
const char *status_name(enum status status);
int status_from_name(const char *name); /* -1: no such status */

/* Roles of support, then the types of relations; both are rows of one link table. */
enum role {
    ROLE_DERIVED_FROM = 0,
    ROLE_EVIDENCE,
    ROLE_REINFORCEMENT,
    ROLE_SOURCE,
    ROLE_STEP,
    ROLE_CITATION,
    ROLE_SUPPORT_COUNT,
    RELATION_SUPERSEDES = 16,
    RELATION_PROCESSED_INTO,
    RELATION_CONTRADICTS,
    RELATION_COPY_OF,
    RELATION_RETIRED_BY,
    RELATION_PART_OF,
    RELATION_END
};
#define ROLE_IS_SUPPORT(role) ((role) < ROLE_SUPPORT_COUNT)
const char *role_name(enum role role); /* "derived_from", …, "supersedes", … */
int role_from_name(const char *name);  /* -1: no such role or relation */

/* How a group of antecedents is read: `any` expands to one justification for each. */
enum reading {
    READING_ANY = 0,
    READING_ALL
};
const char *reading_name(enum reading reading);
int reading_from_name(const char *name); /* -1: neither */

/* How a link came about. A guessed one (anything but recorded) never looks like a recorded one. */
enum recorded {
    RECORDED = 0,
    RECORDED_AUTO_LINKED,
    RECORDED_MIGRATED,
    RECORDED_HEURISTIC
};
const char *recorded_name(enum recorded recorded); /* recorded, auto-linked, migrated, heuristic */
int recorded_from_name(const char *name);

/* Where a relevance came from. */
enum score {
    SCORE_NONE = 0,
    SCORE_MEASURED,
    SCORE_HEURISTIC,
    SCORE_DEFAULT,
    SCORE_ASSERTED
};
const char *score_name(enum score score);
int score_from_name(const char *name);

/* What a step's or a citation's link says of the use it made. NAN, -1 and NULL are absent. */
struct use {
    double relevance; /* 0–1 */
    enum score score;
    const char *excerpt;
    int64_t chunk;
    int64_t rank;
    int64_t page;
    const char *section;
    const char *version_hash;
    const char *label; /* an id that was made up for this use: `context_doc_0` */
    const char *title; /* what the document was called there */
};
#define USE_NONE                                                                                   \
    {                                                                                              \
        NAN, SCORE_NONE, NULL, -1, -1, -1, NULL, NULL, NULL, NULL                                  \
    }

struct antecedent {
    struct ref ref;
    int64_t node;          /* its row in the store; 0 where it is not known yet */
    enum status status;    /* filled by a read; STATUS_MISSING for a stub */
    const struct use *use; /* NULL: none */
};

/*
 * One group of antecedents as it was written. count may be 0: an empty justification, which always
 * holds. The same ref stands at most once in a group.
 */
struct justification {
    enum role role;
    enum reading reading;
    enum recorded recorded;
    int64_t at; /* when it was recorded */
    const char *reason;
    struct antecedent *antecedents;
    size_t count;
};

struct relation {
    enum role type; /* RELATION_… */
    struct ref to;
    int64_t to_node;
    enum status to_status;
    int64_t at;
    const char *reason;
};

/* A change of confidence (old and new_ are numbers), or an event another system kept (NAN). */
struct history_entry {
    int64_t at;
    double old;
    double new_;
    const char *reason;
    const char *evidence_source; /* a ref or an annotation, as text */
    const char *operation;       /* of another system's audit: "forget" */
    const char *actor;
    const char *origin; /* "kernle"; NULL: the memory's own history */
};

struct mark {
    const char *mark; /* reviewed, for_review, poisoned, quarantined, rating, faithful, … */
    int64_t at;
    const char *actor;
    const char *value;
    const char *reason;
};

struct memory {
    int64_t node;  /* its row in the store; 0: not stored */
    int64_t event; /* the journal's last event on it; 0: none */
    struct ref ref;
    const char *agent_id;
    const char *text;
    int64_t created_at;
    int64_t updated_at;
    double confidence;       /* 0–1 */
    const char *source_type; /* never NULL in a complete memory */
    const char *source;
    const char *source_entity;
    enum status status;
    bool is_protected;
    const char **tags;
    size_t tag_count;
    const char *context;
    const char **annotations;
    size_t annotation_count;
    int64_t version;
    const char *detail; /* a JSON object as text, minified; NULL: {} */
    struct justification *justifications;
    size_t justification_count;
    struct history_entry *history;
    size_t history_count;
    struct relation *relations;
    size_t relation_count;
    struct mark *marks;
    size_t mark_count;
    /* What exchange_write gives for it, where whoever made it has written it already and changed
     * nothing since; NULL: not known. Putting a new memory need not write it again then. */
    const char *form;
};

/*
 * An empty memory of that kind with its defaults: active, version 1, the kind's confidence, nothing
 * else. Times, agent, text and source_type are the caller's to fill.
 */
void memory_init(struct memory *m, struct ref ref);

/*
 * Takes text as it came from outside. What is not valid UTF-8, or holds a NUL, is repaired
 * (utf8_repair), and its bytes are kept in base64 (RFC 4648) as the member `original` of the detail,
 * which must be set by then; where that name is taken, as `original_2`, and so on. Both are made in
 * `arena`. -1 where memory ran out.
 */
struct arena;
int memory_set_text(struct memory *m, struct arena *arena, const char *bytes, size_t len);

/* The bytes that its text was made of, where they were kept, in `out` which is empty; false: there are none, and the text
 * is what was given. */
struct strbuf;
bool memory_original(const struct memory *m, struct strbuf *out);
/* Was its text repaired when it was taken, so that the detail's `original` holds its bytes? */
bool memory_text_was_repaired(const struct memory *m);

/* How many of its justifications there are once `any` groups are taken apart ("of 4 hold"). */
size_t memory_expanded_count(const struct memory *m);

/*
 * What a full-text search finds it by: text, tags, context, source, source_entity and the strings of
 * `detail` (base64 originals and hashes left out), each on a line of its own, and an empty line at the
 * end, so that every character begins three. The same bytes for the same memory, always: the index is
 * unwound with them.
 */
struct strbuf;
void memory_search_text(const struct memory *m, struct strbuf *out);

#endif
