/* A store with chains of thought, written in the same way as by the tools. */
#ifndef STEMMA_TESTS_REASONED_H
#define STEMMA_TESTS_REASONED_H

#include "tests/support/scratch.h"

#include "store/reasoning/chain.h"
#include "store/journal/journal.h"
#include "store/reasoning/reasoning.h"

/* The store, a reader of it and an arena. reasoned_open and reasoned_close are set-up and
 * tear-down. */
struct reasoned {
    char *path;
    struct store *store;
    struct reader *reader;
    struct arena arena;
};
int reasoned_open(void **state);
int reasoned_close(void **state);
extern struct reasoned reasoned;
extern const struct actor reasoned_agent; /* ash, over MCP */

/* Each runs in a transaction of its own. Returns 0, or -1 with `e`. */
int reasoned_begin(const char *question, const char *strategy, struct added *out, struct error *e);
int reasoned_step(int64_t chain, const struct step_given *step, struct step_added *out,
                  struct error *e);
int reasoned_finish(int64_t chain, const char *answer, double confidence, double time,
                    struct error *e);
/* `json` is a ChainOfThoughtOutput. */
int reasoned_record(const char *json, struct chain_recorded *out, struct error *e);

/* The same, but these fail the test on error. */
int64_t reasoned_chain(const char *question);
struct step_added reasoned_must(int64_t chain, const struct step_given *step);
struct chain_recorded reasoned_must_record(const char *json);

/* A step with only a number, a question and an answer (NULL for none). */
struct step_given reasoned_given(int64_t number, const char *question, const char *answer);
struct json_slice reasoned_slice(const char *json);

/* Reads the chain. Fails the test on error. */
struct chain reasoned_read(int64_t node);
/* Prints the findings of fsck and returns their number. */
int reasoned_faults(void);
/* The first column of the first row. */
int64_t reasoned_count(const char *sql);
/* The ref of a row as text, in the arena. */
const char *reasoned_ref(int64_t node);

#endif
