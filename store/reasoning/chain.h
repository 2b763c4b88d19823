/* Reading chains of thought, whole, with their steps and sources. */
#ifndef STEMMA_CHAIN_H
#define STEMMA_CHAIN_H

#include "model/reasoning/reasoning.h"
#include "store/db/store.h"

enum chain_state {
    CHAIN_RUNNING,   /* not finished, and the session that wrote of it last is there */
    CHAIN_FINISHED,  /* it has an answer */
    CHAIN_ABANDONED, /* not finished, and nobody goes on with it */
};
const char *chain_state_name(enum chain_state state); /* running, finished, abandoned */

/* A source in a step: source.document_id and so on are as they were recorded. */
struct chain_source {
    struct source source; /* content NULL */
    int64_t page;         /* -1: none */
    const char *section;  /* NULL: none */
    int64_t document;     /* its row */
    size_t column;        /* in chain.document */
    enum status status;   /* of the document */
    bool changed;         /* the same passage came with another hash since */
    bool guessed;         /* the link was not recorded */
    const char *rating;   /* a person's word on it: "relevant", "irrelevant"; NULL: none */
    const char *rated_by, *rating_reason;
};

struct chain_step {
    int64_t node;
    struct ref ref;
    int64_t number;                        /* 0: it has none */
    const char *question, *answer, *trace; /* answer, trace: NULL: none */
    double confidence, execution_time;     /* NAN: not known */
    int64_t created_at;
    enum status status;
    struct chain_source *source; /* in their order */
    size_t source_count;
    int64_t *earlier; /* numbers of the steps whose answers it was given */
    size_t earlier_count;
    struct json_slice context_used, token_usage; /* as they were given; ptr NULL: none */
    const char *faithful;                        /* a person's word: "yes", "no"; NULL: none */
    const char *faithful_by, *faithful_reason;
};

/* A document of the chain: one column of the matrix. In the order of its best relevance,
 * descending, stable. */
struct chain_document {
    int64_t node;
    struct ref ref;
    const char *id;    /* as it is shown: the id given, or the one made up for its first use */
    const char *title; /* NULL: none but the id */
    enum status status;
    size_t place; /* among them as they were met */
    size_t steps; /* that used it */
    double best;  /* relevance, and its origin */
    enum score origin;
    bool primary; /* among the primary sources of the chain */
    bool changed;
};

struct chain {
    int64_t node;
    struct ref ref;
    const char *agent_id;
    const char *question, *answer, *strategy; /* answer, strategy: NULL: none */
    double confidence; /* of a chain that runs: the mean of its steps' so far; NAN */
    double total_time; /* seconds; NAN */
    struct json_slice token_usage;
    int64_t created_at, updated_at;
    enum status status;
    enum chain_state state;
    struct chain_step *step; /* by number */
    size_t step_count;
    struct chain_document *document;
    size_t document_count;
};

/*
 * The chain of that row; a step's row gives the chain that it is part of. Everything in the arena.
 * One consistent moment. O(steps + sources) reads. ERROR_NOT_FOUND: it is neither.
 */
int chain_read(struct reader *r, struct arena *arena, int64_t node, struct chain *out,
               struct error *e);
/* The steps as model/reasoning/reasoning.h takes them; [c->step_count] in the arena. One without a number, or
 * with another's, gets one behind the last, so that each has its own. */
struct step_sources *chain_step_sources(const struct chain *c, struct arena *arena);
/* The chain's row of a step; 0: it is part of none. -1 on error. */
int64_t chain_of_step(struct reader *r, int64_t step, struct error *e);

/* What a list shows of it, without reading its steps' texts. */
struct chain_brief {
    enum chain_state state;
    size_t steps, sources; /* documents, each once */
    double confidence;     /* of one that is not finished the mean of its steps' so far; NAN */
    double total_time;     /* NAN */
    const char *answer;    /* NULL */
    const char *strategy;
};
int chain_brief_read(struct reader *r, struct arena *arena, int64_t node, struct chain_brief *out,
                     struct error *e);

/* Other chains on the same question (the same text, case and surrounding white space apart), newest
 * first, `node` itself among them; at most `limit` (below SIZE_MAX), *more: there are others. */
int chains_on_question(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                       int64_t **out, size_t *count, bool *more, struct error *e);

bool chain_asks_same(const struct chain *a, const struct chain *b);

/* ---- as JSON ---- */

/*
 * Appends the chain: {ref, state, agent_id, original_question, final_answer, reasoning_steps:
 * [{ref, step_number, question, intermediate_answer, confidence_score, reasoning_trace,
 * execution_time, context_used?, token_usage?, source_attributions}], source_summary,
 * total_confidence, total_execution_time, reasoning_strategy, search: {answer, sources,
 * reasoning_trace, source_breakdown}}. `excerpts` false: without them.
 */
int chain_write(struct reader *r, int64_t node, bool excerpts, struct strbuf *out, struct error *e);

/* How much of it is wanted, where an answer has a bound. */
struct chain_part {
    bool excerpts;
    size_t offset; /* so many steps, by their order, are left out before the others */
    size_t most;   /* bytes; 0: no bound */
};
/* What there is of it, and what was left out to stay within the bound. */
struct chain_cut {
    size_t given; /* steps that are there */
    bool excerpts;
    bool texts;     /* of long texts of the chain's own, and titles, there is only the beginning */
    size_t steps;   /* behind those that are given */
    size_t sources; /* of all_sources, the least relevant */
};
/*
 * The same within `most` bytes: without the excerpts where they are too much, then with the beginnings of long
 * texts, with fewer steps and fewer sources in the summary. One step is always given: ERROR_INVALID where it is too
 * long by itself. Of which sources the steps used it may tell only for those that are given.
 */
int chain_write_part(struct reader *r, int64_t node, const struct chain_part *part,
                     struct chain_cut *cut, struct strbuf *out, struct error *e);
/* The form for display: total_sources, primary_sources, all_sources, step_breakdown. */
int chain_write_sources(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                        struct error *e);

#endif
