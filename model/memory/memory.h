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

/*
 * The kinds of memory, and what each is called. A new kind is a line in memory.c and one here. The
 * numbers are stored: never renumber them.
 */

enum kind {
    KIND_RAW = 0,
    KIND_EPISODE,
    KIND_BELIEF,
    KIND_NOTE,
    KIND_VALUE,
    KIND_GOAL,
    KIND_DRIVE,
    KIND_RELATIONSHIP,
    KIND_SUGGESTION,
    KIND_ATTRIBUTION,
    KIND_DOCUMENT,
    KIND_CHAIN,
    KIND_STEP,
    KIND_CITATION,
    KIND_ENTRY,
    KIND_COUNT
};

#define KIND_BIT(kind) (1u << (kind))
#define KINDS_ALL      ((1u << KIND_COUNT) - 1)

struct kind_spec {
    const char *name;   /* "belief": the scheme of a ref */
    const char *plural; /* "beliefs": a view's name */
    const char *text;   /* what its text is called: "statement" */
    const char *about;  /* one line of help */
    double confidence;  /* of a memory that states none */
    char letter;        /* one column wide; told apart from all others */
    bool is_source;     /* stands without a justification and is not unsourced: raw, attribution,
                           document, entry */
};

/* Never NULL for a kind below KIND_COUNT. */
const struct kind_spec *kind_spec(enum kind kind);
const char *kind_name(enum kind kind);
/* By its name, exact, as in a ref; -1 where there is no such kind. */
int kind_from_name(const char *name, size_t len);
/* By its name or plural, as a person types it; -1 likewise. */
int kind_from_word(const char *word);

/*
 * A ref names a memory: `kind:id`. Any other scheme is an annotation (`context:free text`), which
 * is shown and never walked. A bare word without a colon is neither: what it means depends on where
 * it stands (in source_episodes an episode; on the command line a prefix of any id).
 */

/* `id` is not empty, is valid UTF-8 without NUL and is at most REF_ID_MAX bytes. */
struct ref {
    enum kind kind;
    const char *id;
};

#define REF_ID_MAX      512
#define REF_SHORT       8 /* the least that is shown of an id */
#define REF_PREFIX_MIN  4 /* the least that a person may type of an id */
#define REF_LINK_PREFIX 8 /* the least of a UUID that a link may give */

enum ref_class {
    REF_MEMORY,     /* `out` is filled; out->id points into `text` */
    REF_ANNOTATION, /* another scheme: `context:told by Claire` */
    REF_BARE,       /* no colon */
    REF_BAD,        /* empty, too long, an empty id */
};

/* `text` need not outlive the call unless `out` is used. Kind names are exact and case matters. */
enum ref_class ref_parse(const char *text, struct ref *out);

/* "belief:54c5…" appended whole. */
struct strbuf;
void ref_add(struct strbuf *sb, struct ref ref);
/* The arguments of "%s:%s". */
#define REF_ARGS(ref) kind_name((ref).kind), (ref).id
bool ref_equal(struct ref a, struct ref b);
/* By kind, then by the bytes of the id. This is the order of an export ("sorted by ref": by the
 * bytes of `kind:id`). */
int ref_compare(struct ref a, struct ref b);

/* Is it the beginning of a UUID (hex digits with dashes in their places), of at least `min` and at
 * most 36 characters? */
bool ref_is_uuid_prefix(const char *id, size_t min);

/*
 * How a memory came about. The ten known ones are numbered as they are stored; an import keeps
 * others by name.
 */

enum source_type {
    SOURCE_DIRECT_EXPERIENCE = 0,
    SOURCE_INFERENCE,
    SOURCE_CONSOLIDATION,
    SOURCE_PROCESSING,
    SOURCE_SEED,
    SOURCE_TOLD_BY_AGENT,
    SOURCE_TOLD_BY_HUMAN,
    SOURCE_OBSERVATION,
    SOURCE_EXTERNAL,
    SOURCE_UNKNOWN,
    SOURCE_TYPE_COUNT
};

/* "direct_experience", … A constant. */
const char *source_type_name(enum source_type type);
/* For people: "direct", "told by agent", … A name that is not known comes back as it is. */
const char *source_type_label(const char *name);
/* -1 where the name is not one of the ten. */
int source_type_from_name(const char *name);

/*
 * From a free source text, case folded, the first that is found: told, said,
 * heard → told_by_agent (told_by_human when `source_entity` begins `human:`); infer, deduce,
 * conclude → inference; consolidat → consolidation; seed → seed; else, and for NULL or "",
 * direct_experience.
 */
enum source_type source_type_infer(const char *source, const char *source_entity);

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
 * `arena`.
 */
struct arena;
void memory_set_text(struct memory *m, struct arena *arena, const char *bytes, size_t len);

/* The bytes that its text was made of, where they were kept, in `out` which is empty; false: there are none, and the text
 * is what was given. */
bool memory_original(const struct memory *m, struct strbuf *out);
/* Was its text repaired when it was taken, so that the detail's `original` holds its bytes? */
bool memory_text_was_repaired(const struct memory *m);

/*
 * What a full-text search finds it by: text, tags, context, source, source_entity and the strings of
 * `detail` (base64 originals and hashes left out), each on a line of its own, and an empty line at the
 * end, so that every character begins three. The same bytes for the same memory, always: the index is
 * unwound with them.
 */
void memory_search_text(const struct memory *m, struct strbuf *out);

/*
 * A person's word on a source of a step: a mark `rating` on the step whose value is "document:ID
 * WORD", so that a step has one for each of its sources and person. A rating of a memory as a whole
 * has no ref: "0.9".
 */

struct memory;
struct mark;

#define RATING_RELEVANT   "relevant"
#define RATING_IRRELEVANT "irrelevant"

/* The ref that a rating's value begins with and the word after its last space, both in the arena;
 * false: it is of the memory as a whole. `value` may be NULL. */
bool rating_parse(const char *value, struct arena *arena, struct ref *of, const char **word);
/* The latest mark that rates that source in the step, of equal times the last; NULL: none. */
const struct mark *rating_of(const struct memory *step, struct ref source, struct arena *arena);

/*
 * Decay: how much of a confidence is left after a while without anything that bore it out. A view alone,
 * nothing is ever stored of it.
 *
 *   max(min(floor, base), base − rate · days / period)
 *
 * as Kernle has it (belief, episode, goal, relationship: 0.01 in 30 days, not below 0.5; value 0.005 in 60,
 * 0.7; note 0.015 in 30, 0.4; drive 0.005 in 60, 0.6). Other kinds do not decay, nor what is protected,
 * nor within a day. Kernle counts from when it was verified last.
 */

struct decay {
    double base;   /* the confidence that is stored */
    double now;    /* what is left of it */
    double days;   /* since then, with their fraction */
    int64_t since; /* when it was last borne out: made, or its confidence changed. ms */
    double rate, period, floor;
    bool at_floor; /* `now` is the floor, not the difference */
};

/* False: it does not decay, and `out` says base and now alike. `now` in ms since the epoch. */
bool decay_at(struct decay *out, const struct memory *m, int64_t now);

/* The same sum for a person: "0.800 - 0.01 * 45.5 / 30 = 0.785". Of the digits shown
 * the last ones follow from the numbers before they were rounded. */
void decay_write(struct strbuf *out, const struct decay *d);

#endif
