/*
 * A team of replicas in one process, and random schedules of what happens to them: operations of
 * people and agents, partitions, answers that are lost, clocks that differ by hours. At rest all
 * have the same memories and the same journal, nothing that was acknowledged is missing, and nothing
 * that was purged is left. A failure here fails the calling test, or ends the bench.
 */
#ifndef STEMMA_TESTS_SCHEDULE_H
#define STEMMA_TESTS_SCHEDULE_H

#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "tests/support/random.h"

#define MACHINES_MAX 5

struct machine {
    char *path;
    struct store *store;
    struct reader *reader;
    bool away; /* cut off from the team */
};

/* A word that was acknowledged, in a text or a tag of that memory. */
struct word {
    char text[24], ref[80];
};

struct team {
    char *address;
    struct machine machine[MACHINES_MAX];
    int count;
    struct random random;
    struct word *words;
    size_t word_count;
    struct strbuf settled; /* what did not hold, and a person decided about its memory */
    struct strbuf purged;  /* the refs of what was purged */
    struct strbuf unsure;  /* the refs of what may have been: no answer came */
};

/* Makes the team at that address. team_begin's random numbers follow from the seed. */
void team_begin(struct team *t, const char *address, int count, uint64_t seed);
void team_end(struct team *t);
struct store *team_open(const char *path);
void machine_open(struct machine *m);
void machine_close(struct machine *m);
void set_away(struct machine *m, bool away);
/* Does something at random there. */
void operate(struct team *t, struct machine *m);
/* Appends the memories, the journal, and all text that a memory or its history has. */
void dump(struct reader *r, struct strbuf *memories, struct strbuf *journal, struct strbuf *all);
/* Fails if fsck finds something, the comparison with the team's journal included. */
void check_store(struct reader *r);
/* Reconnects all, and checks what must hold at rest. */
void check_rest(struct team *t);

/* One schedule from its seed: 3 to 5 machines, 12 to 41 steps, at an address that has no team. */
void schedule_run(const char *address, uint64_t seed);
/* Prints the schedule that began and did not end, step by step. A tear-down: returns 0. */
int schedule_report(void **state);

#endif
