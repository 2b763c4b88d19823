/*
 * Writing chains of thought: begun, a step at a time, finished; or whole. One implementation for
 * MCP, imports and commands.
 *
 * A chain is a memory of kind chain: its text is the question, its detail {final_answer, strategy,
 * total_time, token_usage, ...}. Each step is a memory of kind step that is `part_of` its chain
 * from the moment it is written; its text is its question, its detail {step_number,
 * intermediate_answer, reasoning_trace, execution_time, token_usage, context_used}. It rests on any
 * of its sources: groups of role source, reading any, whose antecedents are documents with their
 * use; a document that comes again (another chunk) begins another group, so that all groups one
 * after the other are the sources in their order. An earlier answer of the chain that a step was
 * given as context is an antecedent of role step. When the chain is finished it rests on all of its
 * steps: one group of role step, reading all, by step number.
 *
 * A document is `document:ID` of the id that was given; of one that was made up,
 * `document:sha256-HASH` of its content (use.label keeps what it was called there); of an id that
 * is too long for a ref the same of the id. A document that is not there yet is added; one without
 * a title gets the first that is given.
 */
#ifndef STEMMA_REASONING_STORE_H
#define STEMMA_REASONING_STORE_H

#include "model/reasoning/source.h"
#include "store/ops/add.h"
#include "store/reasoning/reasoning_given.h"
#include "store/txn/txn.h"

struct chain_given; /* reasoning_given.h */

struct chain_start {
    const char *question;
    size_t question_len;
    const char *agent_id; /* NULL: who acts */
    const char *strategy; /* NULL: none */
};
/* ERROR_INVALID: an empty question. */
int chain_begin(struct txn *t, const struct actor *actor, const struct chain_start *start,
                struct arena *arena, struct added *out, struct error *e);

struct step_given {
    int64_t number; /* > 0 */
    const char *question, *answer, *trace;
    size_t question_len, answer_len, trace_len;
    double confidence;     /* NAN: the kind's own */
    double execution_time; /* seconds, >= 0; NAN: not known */
    struct json_slice token_usage;
    struct json_slice results;      /* retrieved_documents; ptr NULL: none */
    struct json_slice attributions; /* source_attributions of a recorded chain, before the others
                                       where not empty */
    const char **contexts;
    size_t context_count;
    /* The object that it was read from, of which all members are kept; ptr NULL: none. */
    struct json_slice whole;
};

struct step_added {
    struct added step;
    struct source_list sources; /* as they were taken, and what was refused */
    const char **unresolved; /* logged retrievals that they name and that are not here, each once */
    size_t unresolved_count;
    size_t unread; /* the first so many that were refused could not be read; the others not taken */
};
/*
 * Adds a step to the chain of that row. ERROR_NOT_FOUND: it is no chain; ERROR_CONFLICT: the number
 * is taken, or the chain is finished; ERROR_INVALID: a number, confidence or time that is out of
 * range.
 */
int chain_add_step(struct txn *t, const struct actor *actor, int64_t chain,
                   const struct step_given *step, struct arena *arena, struct step_added *out,
                   struct error *e);

/*
 * Finishes it: the answer, the confidence (NAN: the mean of the steps'), the time (NAN: the sum of
 * the steps' where they say it). ERROR_CONFLICT: it is finished already.
 */
int chain_finish(struct txn *t, const struct actor *actor, int64_t chain, const char *answer,
                 size_t answer_len, double confidence, double total_time, struct arena *arena,
                 struct error *e);

struct chain_recorded {
    struct added chain;
    size_t steps;
    /* What was refused: index counts the sources of that step, from 0. */
    struct recorded_refusal {
        int64_t step_number;
        struct source_refusal refusal;
        bool unread; /* it could not be read */
    } * refused;
    size_t refused_count;
    const char **differences; /* of a source_summary that came with it */
    size_t difference_count;
};
/*
 * A whole chain in the shape of the specification's ChainOfThoughtOutput, a checked JSON object, in
 * one correlation. `agent_id` NULL: who acts. `operation`: of its events ("add", "import").
 * ERROR_INVALID names the step and the field that is wrong; nothing of it is kept then.
 */
int chain_record(struct txn *t, const struct actor *actor, const char *operation,
                 struct json_slice whole, const char *agent_id, struct arena *arena,
                 struct chain_recorded *out, struct error *e);

/* A step that was written. */
struct earlier {
    int64_t node;
    struct ref ref;
    int64_t number;
    const char *answer; /* NULL: none */
    double confidence, time;
};

/* What a step that is given rests on: its sources, and the steps among `steps` whose answers it was
 * given as contexts. Everything in the arena, or those steps. */
struct step_read {
    struct source_list sources;
    const struct earlier **from;
    size_t from_count;
};
void step_read_sources(const struct earlier *steps, size_t count, const struct step_given *given,
                       struct arena *arena, struct step_read *out);

/* chain_record with ids of the caller's making. For store/ alone. */

struct record_as {
    const char *operation;
    const char *agent_id; /* NULL: who acts */
    const char *id;       /* of the chain; NULL: one is made */
    /* Makes the id of the step of that number; false, or NULL: one is made. */
    bool (*step_id)(void *arg, int64_t number, char out[37]);
    void *arg;
};
/* ERROR_CONFLICT: an id is taken. After an error nothing of it may be kept. */
int chain_record_as(struct txn *t, const struct actor *actor, const struct chain_given *given,
                    const struct record_as *as, struct arena *arena, struct chain_recorded *out,
                    struct error *e);

#endif
