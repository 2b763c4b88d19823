/* Reading chains of thought with their steps and sources. */
#ifndef STEMMA_CHAIN_H
#define STEMMA_CHAIN_H

#include "model/graph/graph.h"
#include "model/reasoning/reasoning.h"
#include "store/db/store.h"
#include "store/lineage/subgraph.h"

enum chain_state {
    CHAIN_RUNNING,   /* unfinished, and the session that last wrote to it is alive */
    CHAIN_FINISHED,  /* it has an answer */
    CHAIN_ABANDONED, /* unfinished, and that session has ended */
};
const char *chain_state_name(enum chain_state state); /* running, finished, abandoned */

/* A word on a step or on one of its sources: the latest of each judge. */
struct judgement {
    const char *word; /* "relevant", "irrelevant"; "yes", "no"; NULL if there is none */
    const char *by, *reason;
};
/* A source of a step. source.document_id and the like are as recorded. */
struct chain_source {
    struct source source; /* content is NULL */
    int64_t page;         /* -1 if none */
    const char *section;  /* NULL if none */
    int64_t document;     /* its row */
    size_t column;        /* index into chain.document */
    enum status status;   /* of the document */
    bool changed;         /* a later use of the same passage has another hash */
    bool guessed;         /* the link was not recorded */
    struct judgement rating[JUDGES];
};

struct chain_step {
    int64_t node;
    struct ref ref;
    int64_t number;                        /* 0 if it has none */
    const char *question, *answer, *trace; /* answer and trace may be NULL */
    const char *model;                     /* NULL if unknown */
    double confidence, execution_time;     /* NAN if unknown */
    double effective;                      /* confidence; 0 if it does not stand */
    enum label label;
    int64_t created_at;
    enum status status;
    struct chain_source *source; /* in recorded order */
    size_t source_count;
    int64_t *earlier; /* numbers of the steps whose answers were its context */
    size_t earlier_count;
    struct json_slice context_used, token_usage; /* as given; ptr NULL if absent */
    struct judgement faithful[JUDGES];
};

/* A document of the chain: one column of the matrix. Sorted by best relevance, descending; ties
 * stay in order of first use. */
struct chain_document {
    int64_t node;
    struct ref ref;
    const char *id;    /* as shown: the id given, or the one made up for its first use */
    const char *title; /* NULL if it has none besides the id */
    bool invented;     /* its id was made up, in the step that used it first */
    enum status status;
    enum status retrieval; /* document_retrieval_status */
    size_t place;          /* position in order of first use */
    size_t steps;          /* number of steps that used it */
    double best;           /* best relevance, and its origin */
    enum score origin;
    bool primary; /* a primary source of the chain */
    bool changed;
};

struct chain {
    int64_t node;
    struct ref ref;
    const char *agent_id;
    const char *claimed;                      /* the name that it gave itself; NULL if none */
    const char *question, *answer, *strategy; /* answer and strategy may be NULL */
    const char *model;                        /* NULL if unknown */
    double confidence; /* of a running chain: mean of its steps so far; NAN if unknown */
    double effective;  /* confidence; 0 if it does not stand */
    double total_time; /* seconds; NAN if unknown */
    struct json_slice token_usage;
    struct json_slice
        summary; /* the source_summary that came with it and differs; ptr NULL if none */
    int64_t created_at, updated_at;
    enum status status;
    enum chain_state state;
    struct chain_step *step; /* sorted by number */
    size_t step_count;
    struct chain_document *document;
    size_t document_count;
};

/*
 * Reads a chain. `node` is the row of the chain or of one of its steps. Everything is in the arena
 * and of one snapshot. O(steps + sources) reads. ERROR_NOT_FOUND if it is neither a chain nor a
 * step of one.
 */
int chain_read(struct reader *r, struct arena *arena, int64_t node, struct chain *out,
               struct error *e);
/* Converts the steps for model/reasoning/reasoning.h; [c->step_count] in the arena. A step
 * without a number, or with the number of an earlier one, is named by its ref. */
struct step_sources *chain_step_sources(const struct chain *c, struct arena *arena);
/* Returns the row of the chain that the step belongs to; 0 if none, -1 on error. */
int64_t chain_of_step(struct reader *r, int64_t step, struct error *e);

/* What a list shows of a chain, without reading the texts of its steps. */
struct chain_summary {
    enum chain_state state;
    size_t steps, sources; /* documents, each once */
    double confidence;     /* of an unfinished chain: mean of its steps so far; NAN if unknown */
    double total_time;     /* NAN if unknown */
    const char *answer;    /* may be NULL */
    const char *strategy;
};
int chain_summary_read(struct reader *r, struct arena *arena, int64_t node,
                       struct chain_summary *out, struct error *e);

/*
 * Finds the chains with the same question (ignoring case and surrounding white space), newest
 * first, including `node`; at most `limit`, which must be below SIZE_MAX. *more is set if there are
 * others.
 */
int chains_on_question(struct reader *r, struct arena *arena, int64_t node, size_t limit,
                       int64_t **out, size_t *count, bool *more, struct error *e);

/*
 * The effective confidence of a chain. The mean of an unfinished one is not its own confidence, so nothing lowers it
 * while the chain stands. NAN if `confidence` is. `label` has the effective confidence.
 */
double chain_effective(double confidence, enum chain_state state, const struct row_label *label);

bool chain_asks_same(const struct chain *a, const struct chain *b);

/* ---- as JSON ---- */

/*
 * Appends the chain: {ref, state, agent_id, original_question, final_answer, reasoning_steps:
 * [{ref, step_number, question, intermediate_answer, confidence_score, reasoning_trace,
 * execution_time, context_used?, token_usage?, source_attributions}], source_summary,
 * total_confidence, total_execution_time, reasoning_strategy, search: {answer, sources,
 * reasoning_trace, source_breakdown}}. Without excerpts if `excerpts` is false.
 */
int chain_write(struct reader *r, int64_t node, bool excerpts, struct strbuf *out, struct error *e);

/* What to write of a chain. */
struct chain_part {
    bool excerpts;
    size_t offset; /* skip this many steps */
    size_t most;   /* maximum bytes; 0 for no limit */
};
/* What was written, and what was left out to stay within the limit. */
struct chain_cut {
    size_t given; /* steps written */
    bool excerpts;
    bool texts;     /* long texts of the chain and titles were truncated */
    size_t steps;   /* steps left out after those written */
    size_t sources; /* least relevant sources left out of all_sources */
};
/*
 * As chain_write within `most` bytes. First drops the excerpts, then truncates long texts, then
 * leaves out steps and sources of the summary. At least one step is written: ERROR_INVALID if it
 * alone is too long. With a limit, which sources a step used is given only for the steps written.
 */
int chain_write_part(struct reader *r, int64_t node, const struct chain_part *part,
                     struct chain_cut *cut, struct strbuf *out, struct error *e);
/* Appends the form for display: total_sources, primary_sources, all_sources, step_breakdown. */
int chain_write_sources(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                        struct error *e);

#endif
