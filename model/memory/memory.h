/*
 * A complete memory: what one line of an export contains. Also the kinds, refs, source types,
 * statuses and roles, and ratings.
 *
 * All pointers belong to the arena that the memory was read into or made in. Strings are valid
 * UTF-8 without NUL; a NULL string is absent. Times are milliseconds since the epoch, UTC. The
 * numbers of the enums are stored: never renumber them.
 */
#ifndef STEMMA_MEMORY_H
#define STEMMA_MEMORY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"

struct arena;
struct strbuf;

/*
 * The kinds of memory. A new kind is a line in memory.c and one here.
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
    const char *text;   /* the heading of its text: "statement" */
    const char *about;  /* one line of help */
    double confidence;  /* the default, for a memory that gives none */
    char letter;        /* unique, one column wide */
    /* needs no justification, so it is never unsourced: raw, attribution, document, entry */
    bool is_source;
};

/* Never NULL for a kind below KIND_COUNT. */
const struct kind_spec *kind_spec(enum kind kind);
const char *kind_name(enum kind kind);
const char *kind_words(enum kind kind, bool one); /* "belief" or "beliefs", as people read it */
/* Finds a kind by its exact name, as in a ref. Returns -1 if there is no such kind. */
int kind_from_name(const char *name, size_t len);
/* Finds a kind by its name or plural, as a person types it. Returns -1 if there is no such kind. */
int kind_from_word(const char *word);

/*
 * A ref names a memory: `kind:id`. Any other scheme is an annotation (`context:free text`), which
 * is shown but never followed as a link. A bare word without a colon is neither: its meaning
 * depends on the field (in source_episodes it is an episode, on the command line a prefix of any
 * id).
 */

/* `id` is not empty, is valid UTF-8 without NUL and is at most REF_ID_MAX bytes. */
struct ref {
    enum kind kind;
    const char *id;
};

#define REF_ID_MAX      512
#define REF_SHORT       8 /* the fewest characters of an id that are shown */
#define REF_PREFIX_MIN  4 /* the fewest characters of an id that a person may type */
#define REF_LINK_PREFIX 8 /* the fewest characters of a UUID that a link may give */

enum ref_class {
    REF_MEMORY,     /* `out` is filled; out->id points into `text` */
    REF_ANNOTATION, /* another scheme: `context:told by Claire` */
    REF_BARE,       /* no colon */
    REF_BAD,        /* empty, too long, an empty id */
};

/* `out` points into `text`, so `text` must live as long as `out` is used. Kind names are exact
 * and case matters. */
enum ref_class ref_parse(const char *text, struct ref *out);

/* Appends "belief:54c5…", with the full id. */
void ref_add(struct strbuf *sb, struct ref ref);
/* The arguments of "%s:%s". */
#define REF_ARGS(ref) kind_name((ref).kind), (ref).id
bool ref_equal(struct ref a, struct ref b);
/* Orders by the name of the kind, then by the bytes of the id, which equals the order of the
 * bytes of `kind:id`. Exports are sorted this way. */
int ref_compare(struct ref a, struct ref b);

/* Is `id` the beginning of a UUID (hex digits with dashes in the right places), with at least
 * `min` and at most 36 characters? */
bool ref_is_uuid_prefix(const char *id, size_t min);

/*
 * How a memory was learned. The ten known source types have stored numbers; an import keeps
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
/* For people: "direct", "told by agent", … An unknown name is returned unchanged. */
const char *source_type_label(const char *name);
/* Returns -1 if the name is not one of the ten. */
int source_type_from_name(const char *name);

/*
 * Guesses a source type from a free source text. The first of these words that it contains decides,
 * in any case: told, said, heard → told_by_agent (told_by_human if `source_entity` begins with
 * `human:`); infer, deduce, conclude → inference; consolidat → consolidation; seed → seed.
 * Otherwise, and for NULL or "", direct_experience.
 */
enum source_type source_type_infer(const char *source, const char *source_entity);

/* The numbers are stored. Of the first ones the greater one is stored if two apply. */
enum status {
    STATUS_ACTIVE = 0,
    STATUS_SUPERSEDED,
    STATUS_EXPIRED,
    STATUS_RETRACTED,
    STATUS_FORGOTTEN,
    STATUS_DELETED,
    STATUS_PURGED,
    STATUS_MISSING,     /* a stub: a link names it, but it was never written */
    STATUS_QUARANTINED, /* weaker than retracted: a person may bring it back; agents do not see it */
    STATUS_PENDING,     /* waits for a person's approval; the agent that wrote it sees it, no other does */
    STATUS_REJECTED,    /* a pending one that was retracted: no other agent ever sees it */
    STATUS_COUNT
};
/* Live: active, superseded, expired. All others are ended. */
#define STATUS_LIVES(status) ((status) <= STATUS_EXPIRED)
/* Lists contain these by default. They omit forgotten, deleted, purged and missing. */
#define STATUS_LISTED(status) ((status) <= STATUS_RETRACTED || (status) >= STATUS_QUARANTINED)
/* Its content is stored. */
#define STATUS_KEPT(status) ((status) < STATUS_PURGED || (status) >= STATUS_QUARANTINED)
/* It is hidden from agents: a quarantined one from all, the others from all but its writer. */
#define STATUS_WITHHELD(status) ((status) >= STATUS_QUARANTINED)
#define STATUS_BIT(status)      (1u << (status))
#define STATUSES_LIVING         0x007u
#define STATUSES_LISTED         0x70fu
#define STATUSES_ALL            0x77fu /* all except missing */
const char *status_name(enum status status);
const char *status_word(enum status status); /* as people read it: "replaced" for superseded */
int status_from_name(const char *name);      /* Returns -1 if there is none */

/* Roles of support, then types of relations. Both are stored in one link table. */
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
    RELATION_RELATED, /* of a type that only its source knows: `reason` is that type, "works_at" */
    RELATION_END
};
#define ROLE_IS_SUPPORT(role) ((role) < ROLE_SUPPORT_COUNT)
const char *role_name(enum role role); /* "derived_from", …, "supersedes", … */
int role_from_name(const char *name);  /* Returns -1 if there is none */

/* How many antecedents of a group are needed. A group read as `any` counts as one justification for each
 * antecedent. */
enum reading {
    READING_ANY = 0,
    READING_ALL
};
const char *reading_name(enum reading reading);
int reading_from_name(const char *name); /* Returns -1 if there is none */

/* The origin of a link. A guessed one (any except RECORDED) must never look like a recorded one. */
enum recorded {
    RECORDED = 0,
    RECORDED_AUTO_LINKED,
    RECORDED_MIGRATED,
    RECORDED_HEURISTIC
};
const char *recorded_name(enum recorded recorded); /* recorded, auto-linked, migrated, heuristic */
const char *recorded_words(
    enum recorded recorded); /* the same for people: "guessed" for heuristic */
int recorded_from_name(const char *name);

/* The origin of a relevance. */
enum score {
    SCORE_NONE = 0,
    SCORE_MEASURED,
    SCORE_HEURISTIC,
    SCORE_DEFAULT,
    SCORE_ASSERTED
};
const char *score_name(enum score score);
int score_from_name(const char *name);

/* How a step or a citation used its source. NAN, -1 and NULL mean absent. */
struct use {
    double relevance; /* 0–1 */
    enum score score;
    const char *excerpt;
    int64_t chunk; /* any number, or CHUNK_NONE */
    int64_t rank;
    int64_t page;
    const char *section;
    const char *version_hash;
    const char *label; /* an id that was made up for this use: `context_doc_0` */
    const char *title; /* the title of the document in this use */
};
#define CHUNK_NONE INT64_MIN
#define USE_NONE                                                                                   \
    {                                                                                              \
        NAN, SCORE_NONE, NULL, CHUNK_NONE, -1, -1, NULL, NULL, NULL, NULL                          \
    }

struct antecedent {
    struct ref ref;
    int64_t node;          /* its row in the store; 0 if not known yet */
    enum status status;    /* set when it is read; STATUS_MISSING for a stub */
    const struct use *use; /* NULL if nothing is known of it */
};

/*
 * One group of antecedents as it was written. `count` may be 0: an empty justification is
 * always valid. A ref occurs at most once in a group.
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

/* A change of confidence (`old` and `new_` are numbers), or an event that another system
 * recorded (both are NAN). */
struct history_entry {
    int64_t at;
    double old;
    double new_;
    const char *reason;
    const char *evidence_source; /* a ref or an annotation, as text */
    const char *operation;       /* from the audit log of another system: "forget" */
    const char *actor;
    const char
        *origin; /* the system that recorded it: "kernle"; NULL for the memory's own history */
    const char *before,
        *after; /* what a tool of another program replaced by what; NULL if unknown */
};

/* Who set a flag, most weight first: an agent's flag never replaces a person's. */
enum judge {
    JUDGE_PERSON,
    JUDGE_IMPORT, /* it came with an import that does not say that an agent set it */
    JUDGE_AGENT,
    JUDGES
};
const char *judge_title(enum judge judge); /* "agent ", before its name; "" for a person */

struct flag {
    const char *name; /* reviewed, for_review, poisoned, rating, faithful, … */
    int64_t at;
    const char *actor;
    const char *value;
    const char *reason;
    bool by_agent;    /* an agent set it; false in flags from before version 12 of a store, too */
    enum judge judge; /* not stored: policy_find_judges */
};

struct memory {
    int64_t node;  /* its row in the store; 0 if not stored */
    int64_t event; /* its last event in the journal; 0 if there is none */
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
    const char *detail; /* a JSON object as text, minified; NULL means {} */
    struct justification *justifications;
    size_t justification_count;
    struct history_entry *history;
    size_t history_count;
    struct relation *relations;
    size_t relation_count;
    struct flag *flags;
    size_t flag_count;
    /* The output of memory_json_write for this memory, or NULL if not known. It saves writing the
     * memory again when it is stored. Clear it when you change the memory. */
    const char *form;
};

/*
 * Makes an empty memory with the defaults of its kind: active, version 1, the kind's confidence.
 * The caller sets times, agent, text and source_type.
 */
void memory_init(struct memory *m, struct ref ref);

/*
 * Sets the text of a memory to bytes from outside. If they are not valid UTF-8 or contain a NUL,
 * the text is repaired (utf8_repair) and the bytes are kept in base64 (RFC 4648) in the detail, as
 * member `original` (or `original_2` and so on if that name is taken). So set the detail first. The
 * new strings are in `arena`.
 */
void memory_set_text(struct memory *m, struct arena *arena, const char *bytes, size_t len);

/* A member of the detail: the source gave no confidence, so the memory has the default of its kind. */
#define CONFIDENCE_DEFAULT "\"confidence_default\":true"
/* Is its confidence still that default? Lists and pages then show "=0.80". */
bool memory_has_default_confidence(const struct memory *m);

/* If memory_set_text repaired the text: writes its original bytes to `out`, which must be empty, and
 * returns the name of the detail's member that has them, in `arena`. NULL if the text is the original. */
const char *memory_original(const struct memory *m, struct arena *arena, struct strbuf *out);

/* A member of the detail: the name that an agent gave itself, if its channel granted it none or another one. */
#define CLAIMED_MEMBER "claimed_agent"

/*
 * Writes the text that the full-text index has for a memory: text, tags, context, source,
 * source_entity and the strings of `detail` (without base64 originals and hashes), each on a line
 * of its own. An empty line follows, so that a trigram begins at every character. The output must
 * never change for the same memory, since the index deletes an entry by its text.
 */
void memory_search_text(const struct memory *m, struct strbuf *out);

/* Kernle made this raw entry up from the memory that is based on it. Both have the annotation. */
#define SYNTHETIC_RAW "kernle:synthetic-raw"
bool memory_is_annotated(const struct memory *m, const char *annotation);

/*
 * Ratings: a judgement on a source of a step. It is a flag `rating` on the step with the
 * value "document:ID WORD", so a step has one for each source and actor. A rating of a whole
 * memory has no ref: "0.9".
 */

#define RATING_RELEVANT   "relevant"
#define RATING_IRRELEVANT "irrelevant"

/* Splits the value of a rating into its ref and the word after its last space, both in the
 * arena. Returns false if it rates the whole memory. `value` may be NULL. */
bool rating_parse(const char *value, struct arena *arena, struct ref *of, const char **word);
/* The latest flag by that judge that rates `source` in the step, the last one of equal times, or
 * NULL if there is none. */
const struct flag *rating_of(const struct memory *step, struct ref source, enum judge judge,
                             struct arena *arena);

/* ---- a logged retrieval ---- */

/*
 * An attribution has an agent, a source_type, a whole retrieval_timestamp within ±(2^53 - 1), and
 * if it has a full_content_hash, that is 64 hex digits. Other kinds always pass.
 * ERROR_INVALID names the field and what to give.
 */
int attribution_check(const struct memory *m, struct error *e);

/* ---- names that people read ---- */

/* What people read for the name of an operation, a status or a kind: "replace" for "supersede". The name itself if it
 * has no other display name; NULL for NULL. */
const char *display_name(const char *name);

/* Is `typed` that display name, or a name that has it? Commands, tools and the explorer accept both. */
bool is_display_name(const char *typed, const char *display);

#endif
