/* A chain of thought, its steps and its sources, in lines of a command's output. */
#ifndef STEMMA_CHAIN_PRINT_H
#define STEMMA_CHAIN_PRINT_H

#include "model/memory/memory.h"
#include "store/reasoning/chain.h"
#include "tui/render/listing.h"
#include "tui/text/output.h"

/*
 * A source in one line: its relevance as a bar and as a number with the sign of its origin, whether it is a primary
 * one, its title and its id.
 */
struct source_line {
    double relevance; /* NAN: none */
    enum score origin;
    bool primary;
    int64_t rank;      /* in the retrieval; below 1: none */
    const char *title; /* NULL: none but the id */
    const char *id;
    const char *note;    /* in the program's own words; "" */
    const char *warning; /* what few of them have; "" */
};

struct table source_table(struct output *out, size_t indent);
void source_put(struct table *t, const struct source_line *line);
/* What the signs mean. */
void source_legend_print(struct output *out);

/* Its sources, the most relevant first, the first of equals; in the arena. */
const struct chain_source **step_rank_sources(struct arena *arena, const struct chain_step *step);
/* "the answers of steps 1 and 2" appended; nothing where it was given none. */
void step_add_earlier(struct strbuf *out, const struct chain_step *step);
/* "supported by its sources, sean: read them" appended, where a person said so. */
void step_add_faithful(struct strbuf *out, const struct chain_step *step);

/*
 * The chain of that row, or the chain that the step of that row is part of: its question and answer, its
 * steps with what each used, the documents by relevance, and other chains on the same question. A step
 * that was asked for is marked. One transaction.
 */
int chain_print(struct output *out, struct reader *r, int64_t node, struct error *e);

/* Its ref and, in its own lines, the question. */
void chain_print_head(struct output *out, const struct chain *c);

#endif
