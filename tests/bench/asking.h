/* What the benches ask a server: requests made of a pattern and of what the store holds. */
#ifndef STEMMA_BENCH_ASKING_H
#define STEMMA_BENCH_ASKING_H

#include <stdbool.h>
#include <sys/types.h>
#include "../../model/strbuf.h"

/* How fast a read has to be. */
enum bar {
    BAR_READ, /* 10,000 a second, or 90 % of a bare echo */
    BAR_LONG, /* the same, of an echo of answers as long */
    BAR_NONE, /* it looks at all of the store */
};

/* `%s` of the arguments are refs of the store, `%w` a word of its texts, `%d` a number that no other has. */
struct request {
    const char *name, *tool, *arguments; /* tool NULL: `name` is a method */
    bool write;
    enum bar bar;
};

/*
 * Memories of all ages that rest on something, so that a lineage has something to walk, and words of
 * their texts. Ends the program where there is none.
 */
void asking_choose(const char *store);
size_t asking_refs(void); /* how many different ones are asked for in turn */
size_t asking_words(void);
/* Leaves out the refs for which this is set. */
void asking_leave_out(const bool *left_out);

/* A wire_make: `arg` is the request. The same `i` asks for the same refs. */
void asking_make(struct strbuf *out, size_t i, const void *arg);

#endif
