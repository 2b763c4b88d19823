/* What the benches ask a server: requests made of a pattern and of what the store holds. */
#ifndef STEMMA_BENCH_ASKING_H
#define STEMMA_BENCH_ASKING_H

#include <stdbool.h>
#include <sys/types.h>
#include "model/base/strbuf.h"

/* How fast a read has to be. */
enum bar {
    BAR_READ, /* asked again: 10,000 a second, or 90 % of a bare echo of answers as long */
    BAR_LONG, /* none: answers too long to be kept, without the refs whose answer would be too long to be sent */
    BAR_FOUND, /* as BAR_READ, once it was found in all of the store; any write has it found again */
    BAR_NONE,  /* a write has another */
};

/* `%s` of the arguments are refs of the store, `%w` a word of its texts, `%d` a number that no other has. */
struct request {
    const char *name, *tool, *arguments; /* tool NULL: `name` is a method */
    enum bar bar;
};

/* All reads, in the order in which they are measured. */
extern const struct request asking_reads[];
extern const size_t asking_read_count;

/*
 * Memories of all ages that rest on something, so that a lineage has something to walk, and words of
 * their texts. Ends the program where there is none.
 */
void asking_choose(const char *store);
size_t asking_refs(void); /* how many different ones are asked for in turn */
size_t asking_words(void);
/* How many different questions the request has in turn, and how many others besides. */
size_t asking_count(const struct request *q);
size_t asking_later(const struct request *q);
/* Leaves out the refs for which this is set, and all that are not asked for in turn. */
void asking_leave_out(const bool *left_out);

/* A wire_make: `arg` is the request. The same `i` asks for the same refs. */
void asking_make(struct strbuf *out, size_t i, const void *arg);
void asking_make_later(struct strbuf *out, size_t i, const void *arg); /* of the others */

#endif
