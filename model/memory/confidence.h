/*
 * The effective confidence of a memory: what is left of the stored value now. It is computed where
 * it is shown, and never stored.
 *
 *   1. the stored value,
 *   2. without what a reinforcement added, if its evidence has lost its support,
 *   3. lowered by decay, if configured,
 *   4. at most the trust in where the memory came from, if configured,
 *   5. 0 if the memory itself is ended or has no support.
 *
 * If none of these lowers it, it equals the stored value. It is never above it.
 */
#ifndef STEMMA_CONFIDENCE_H
#define STEMMA_CONFIDENCE_H

#include "model/memory/memory.h"

/* How far a source of memories can be trusted, 0 to 1. */
struct trust_entity {
    const char *name; /* as in source_entity, which may have `agent:` before it */
    double trust;
};
struct trust_rules {
    bool cap;      /* the effective confidence is at most the trust */
    bool by_class; /* weigh sources by their class alone (trust_classes) */
    double source_type[SOURCE_TYPE_COUNT];
    struct trust_entity *entities;
    size_t entity_count;
};
extern const struct trust_rules trust_defaults;
/* Where a memory comes from. */
struct trust_source {
    int64_t type;       /* enum source_type; other numbers are types that an import kept by name */
    const char *entity; /* who told it; NULL if nobody is named */
    const char *
        retrieved; /* of a logged retrieval: its own type, such as web_scrape; NULL for other memories */
};
/*
 * The trust in a memory for its own source: that of who told it, or else of its type. A retrieval
 * that somebody observed is worth what it retrieved: a web page is external. A type that an import
 * kept by name counts as unknown.
 */
double trust_weight(const struct trust_rules *t, const struct trust_source *from);

/* Classes of sources, the least trusted first. Retrieval brings back information, never authority. */
enum trust_class {
    CLASS_NONE, /* the memory does not stand, or it is not known */
    CLASS_UNKNOWN,
    CLASS_WEB,      /* a page that anyone may have written */
    CLASS_EXTERNAL, /* a document, or something else from outside */
    CLASS_AGENT,    /* another agent */
    CLASS_OWN,      /* what the agent observed, did or concluded, with its own tools */
    CLASS_PERSON,
};
/* "unknown", "web", "external", "agent", "own", "person"; NULL for CLASS_NONE */
const char *trust_class_name(enum trust_class class);
enum trust_class trust_class_of(const struct trust_source *from);
/* Rules by which the trust of a memory is its class: trust_class_of_weight gives it back. */
extern const struct trust_rules trust_classes;
enum trust_class trust_class_of_weight(double weight);

/* What a configuration says about it. All zero: nothing is configured. */
struct confidence_rules {
    bool decay;
    const struct trust_rules *trust; /* NULL for trust_defaults */
    const int64_t *stale_days;       /* [KIND_COUNT]; NULL for stale_defaults */
};
/* Days without confirmation after which a memory is stale, by kind; 0: never. */
extern const int64_t stale_defaults[KIND_COUNT];

/* When the memory was last confirmed, in ms: created, verified, approved by a person, or its confidence was changed
 * here, but not by the `fallen` entries of its history. `fallen` may be NULL. */
int64_t confidence_confirmed_at(const struct memory *m, const bool *fallen);

/*
 * Decay: the confidence that is left after some time without confirmation.
 *
 *   max(min(floor, base), base − rate · days / period)
 *
 * The formula and its constants are Kernle's (belief, episode, goal, relationship: 0.01 in 30 days,
 * floor 0.5; value 0.005 in 60, 0.7; note 0.015 in 30, 0.4; drive 0.005 in 60, 0.6). Other kinds do
 * not decay, locked memories do not, and nothing does within the first day. Kernle counts from the
 * last verification.
 */
struct decay {
    double base;   /* the confidence before */
    double now;    /* the confidence that is left; equal to `base` if the memory does not decay */
    double days;   /* days since `since`, with a fraction */
    int64_t since; /* when it was last confirmed (see confidence.c), ms */
    double rate, period, floor;
    bool at_floor; /* `now` is the floor, not the result of the subtraction */
};

struct effective {
    double stored;
    double kept; /* `stored` without reinforcements whose evidence has lost its support */
    struct decay decay;
    bool capped; /* `value` is the trust (model/graph/fold.h) */
    bool stands; /* the memory is not ended and has support */
    double value;
};

/*
 * `fallen` [history_count]: the reinforcements whose evidence has lost its support; NULL for none. `rules`
 * may be NULL. `now` is in ms since the epoch.
 */
struct effective effective_compute(const struct memory *m, const struct confidence_rules *rules,
                                   bool stands, const bool *fallen, int64_t now);

/* The stored value less what the fallen ones among the first `count` entries of the history had added. */
double confidence_kept(const struct memory *m, const bool *fallen, size_t count);

/* Caps the value by the trust, if that is configured. */
void effective_cap(struct effective *e, const struct confidence_rules *rules, double trust);

/* Does this entry of the history add confidence because of evidence? */
bool history_is_reinforcement(const struct history_entry *h);

/* Writes the computation for a person: "0.800 - 0.01 * 45.5 / 30 = 0.785". The result is
 * computed before rounding, so its last digit may differ from the sum of the shown numbers. */
void decay_write(struct strbuf *out, const struct decay *d);

/* Histories have three decimals: a smaller difference is none. */
#define CONFIDENCE_TOLERANCE 0.0005000001
/*
 * By how much the confidence changed without a record before the entry `i` of its own history, or after
 * the last one if `i` is history_count. 0 if it did not, or if that is unknown.
 */
double confidence_unrecorded(const struct memory *m, size_t i);

#endif
