/* The parts of writing chains of thought that reasoning.h's functions share. For store/ alone. */
#ifndef STEMMA_REASONING_WRITE_H
#define STEMMA_REASONING_WRITE_H

#include "store/reasoning/reasoning_given.h"
#include "store/txn/txn.h"

/* A chain that is being written. */
struct writing {
    struct txn *t;
    struct actor actor;    /* with a correlation */
    const char *operation; /* of the events of the chain and its steps */
    const char *agent_id;  /* whose it is */
    struct ref chain;
    struct arena *arena;
    char correlation[13];
    struct earlier *earlier; /* the steps so far, in the arena of `arena`'s life */
    size_t earlier_count, earlier_alloc;
};

/* A step that was written. */
struct earlier {
    int64_t node;
    struct ref ref;
    int64_t number;
    const char *answer; /* NULL: none */
    double confidence, time;
};

/* Begins it: the actor with a correlation of its own, unless it has one. release frees what it
 * gathered. */
int writing_begin(struct writing *w, struct txn *t, const struct actor *actor,
                  const char *operation, struct arena *arena, struct error *e);
void writing_release(struct writing *w);
/* The agent that is named, else who acts. ERROR_INVALID: too long a name. */
int writing_agent(struct writing *w, const char *agent_id, struct error *e);
/* Notes a step that is there. */
void writing_note(struct writing *w, const struct earlier *step);
/* Of those: the mean of their confidence and the sum of their times as far as they say it; NAN. */
void writing_sum_up(const struct writing *w, double *confidence, double *total);

/* A new memory of the chain with its text: no refs yet. `id` NULL: one is made. */
int writing_memory(struct writing *w, enum kind kind, const char *id, const char *text,
                   size_t text_len, const char *detail, struct memory *out, struct error *e);
/* Puts it. */
int writing_put(struct writing *w, struct memory *m, struct added *out, struct error *e);

/* What a step that is given rests on: its sources, and the steps among `steps` whose answers it was
 * given as contexts. Everything in the arena, or those steps. */
struct step_read {
    struct source_list sources;
    const struct earlier **from;
    size_t from_count;
};
int step_read_sources(const struct earlier *steps, size_t count, const struct step_given *given,
                      struct arena *arena, struct step_read *out, struct error *e);

/* Adds the step, whose fields were checked, and notes it. `others`: as step_detail_write. */
int step_write(struct writing *w, const struct step_given *given, const char *id,
               struct json_slice others, struct step_added *out, struct error *e);
/* What the chain rests on once it is finished: all its steps, by number. */
void chain_rest_on_steps(struct writing *w, struct memory *chain);

#endif
