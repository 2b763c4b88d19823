/*
 * Writing chains of thought: step by step, or a whole chain at once. Shared by MCP, imports and
 * commands.
 *
 * A chain is a memory of kind chain. Its text is the question; its detail is {final_answer,
 * strategy, total_time, token_usage, ...}. A step is a memory of kind step and is `part_of` its
 * chain from the moment it is written. Its text is its question; its detail is {step_number,
 * intermediate_answer, reasoning_trace, execution_time, token_usage, context_used}.
 *
 * A step is based on any of its sources: groups of role source, reading any, whose antecedents are
 * documents with their use. A document that occurs again (another chunk) begins another group, so
 * the concatenated groups are the sources in order. An earlier answer given as context is an
 * antecedent of role step. A finished chain is based on all of its steps: one group of role step,
 * reading all, by step number.
 *
 * A document is `document:ID` with the id given. If the id was made up, it is
 * `document:sha256-HASH` of the content, and use.label keeps the made-up id. An id too long for a
 * ref is hashed in the same way. A missing document is added; a document without a title gets the
 * first one given.
 */
#ifndef STEMMA_REASONING_STORE_H
#define STEMMA_REASONING_STORE_H

#include "model/reasoning/source.h"
#include "store/ops/add.h"
#include "store/reasoning/reasoning_given.h"
#include "store/txn/txn.h"

struct chain_start {
    const char *question;
    size_t question_len;
    const char *agent_id; /* NULL for the acting agent */
    const char *strategy; /* NULL if none */
    const char *model;    /* NULL if unknown */
};
/* ERROR_INVALID if the question is empty. */
int chain_begin(struct txn *t, const struct actor *actor, const struct chain_start *start,
                struct arena *arena, struct added *out, struct error *e);

struct step_added {
    struct added step;
    struct source_list sources; /* the sources taken and those refused */
    const char **unresolved; /* retrievals named by sources that are not in the store, each once */
    size_t unresolved_count;
    /* the first `unread` of the refused sources could not be read; the rest could not be stored */
    size_t unread;
};
/* Adds a step to a chain. ERROR_NOT_FOUND if the row is no chain; ERROR_CONFLICT if the number is
 * used or the chain is finished; ERROR_INVALID if number, confidence or time are out of range. */
int chain_add_step(struct txn *t, const struct actor *actor, int64_t chain,
                   const struct step_given *step, struct arena *arena, struct step_added *out,
                   struct error *e);

/* Replaces the sources of the step with that number, of a finished chain too; its history keeps the former ones. All
 * else stays, so the question must be that of the step: ERROR_CONFLICT. ERROR_NOT_FOUND if the chain has no such
 * step. */
int chain_replace_sources(struct txn *t, const struct actor *actor, int64_t chain,
                          const struct step_given *step, struct arena *arena,
                          struct step_added *out, struct error *e);

/* Finishes a chain with its answer, confidence (NAN for the mean of the steps') and time (NAN for
 * the sum of the known times of the steps). ERROR_CONFLICT if it is finished already. */
int chain_finish(struct txn *t, const struct actor *actor, int64_t chain, const char *answer,
                 size_t answer_len, double confidence, double total_time, struct arena *arena,
                 struct error *e);

struct recorded_refusal {
    int64_t step_number;
    struct source_refusal refusal;
    bool unread; /* it could not be read */
};

struct chain_recorded {
    struct added chain;
    size_t steps;
    /* A refused source; index counts the sources of the step from 0. */
    struct recorded_refusal *refused;
    size_t refused_count;
    const char **differences; /* differences between our source_summary and the one given */
    size_t difference_count;
};
/*
 * Records a whole chain, given as a valid JSON object in the shape of the specification's
 * ChainOfThoughtOutput, with one correlation. `agent_id` NULL means the acting agent. `operation`
 * is that of its events ("add", "import"). ERROR_INVALID names the step and the member that is
 * wrong; then the transaction must be rolled back.
 */
int chain_record(struct txn *t, const struct actor *actor, const char *operation,
                 struct json_slice whole, const char *agent_id, struct arena *arena,
                 struct chain_recorded *out, struct error *e);

/* A step that was written. */
struct earlier {
    int64_t node;
    struct ref ref;
    int64_t number;
    const char *answer; /* NULL if none */
    double confidence, time;
};

/* What a step is based on: its sources, and those of `steps` whose answers it was given as
 * contexts. Everything is in the arena or among `steps`. */
struct step_read {
    struct source_list sources;
    const struct earlier **from;
    size_t from_count;
};
void step_read_sources(const struct earlier *steps, size_t count, const struct step_given *given,
                       struct arena *arena, struct step_read *out);

/* Options for chain_record_as. Only for store/. */
struct record_as {
    const char *operation;
    const char *agent_id; /* NULL for the acting agent */
    const char *id;       /* id of the chain; NULL to make one */
    /* Makes the id of a step. If it is NULL or returns false, a random id is made. */
    bool (*step_id)(void *arg, int64_t number, char out[37]);
    void *arg;
};
/* As chain_record with ids chosen by the caller. ERROR_CONFLICT if an id is used. After an error
 * the transaction must be rolled back. */
int chain_record_as(struct txn *t, const struct actor *actor, const struct chain_given *given,
                    const struct record_as *as, struct arena *arena, struct chain_recorded *out,
                    struct error *e);

#endif
