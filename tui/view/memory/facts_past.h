/*
 * What a memory's own events tell that the memory does not: how each change of its confidence came about,
 * before it was rounded, and who protected, verified or took it away.
 */
#ifndef STEMMA_FACTS_PAST_H
#define STEMMA_FACTS_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"

struct reader;

/* One change of the confidence that an event made. */
struct fact_step {
    int64_t seq;
    const char *operation, *who; /* in the arena */
    bool person;
    double before, after; /* not rounded */
    int64_t n;            /* how often it was reinforced by then; 0: not known */
};

/* Who did something to it that stands. */
struct fact_deed {
    int64_t seq, at; /* 0: nobody */
    const char *who;
    bool person;
};

struct facts_past {
    bool known;
    struct fact_step *step; /* [history_count] of its entries; seq 0: no event tells of that one */
    struct fact_deed created, protected_by, verified_by, ended_by;
    double first; /* the confidence that it was added with; NAN: an import brought its history */
};

/* Reads the events of that memory. O(events). */
int facts_past_read(struct reader *r, struct arena *arena, const struct memory *m,
                    struct facts_past *out, struct error *e);

/*
 * The sum that leads from `before` to `after`, where the operation has one: "0.05/(1+0.1·2)·(0.99−0.813)"; in
 * ASCII with * and -, as bc reads it. False: there is none.
 */
struct strbuf;
bool fact_step_sum(const struct fact_step *s, bool ascii, struct strbuf *out);

#endif
