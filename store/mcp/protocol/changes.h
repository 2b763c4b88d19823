/*
 * What changed and is not told yet: the rows that events were of, gathered over as many looks at the feed
 * as it takes, and then which of the memories that clients subscribed to rest on one of them.
 */
#ifndef STEMMA_MCP_CHANGES_H
#define STEMMA_MCP_CHANGES_H

#include "model/base/map.h"
#include "store/journal/journal.h"

struct changes {
    struct row_index rows; /* first those that events were of, then those that rest on them */
    size_t direct;         /* how many events were of, after changes_reach */
    int64_t *agent;        /* whose the rows are, at their places; NULL: nobody asked */
    size_t walked;         /* nodes that changes_reach_seen looked at */
    bool reach;            /* something rests on one of them */
    bool any;              /* more changed than is known */
};

/* Gathered rows beyond which they are told rather than kept. */
#define CHANGES_MOST 65536

/* The subjects of these events. */
void changes_add(struct changes *c, const struct event *events, size_t count, struct reader *r);
/* Adds those of the `subscribed` rows that rest on what changed, or on more than there is time for: their ancestors are
 * walked, which are few. `any` where that cannot be read. */
void changes_reach(struct changes *c, const int64_t *subscribed, size_t count, struct reader *r);
/* Is the row at that place a memory of that agent's row (0: anybody's)? After changes_reach. What cannot be
 * read is. */
bool changes_is_of(struct changes *c, struct reader *r, size_t place, int64_t agent);
/* Is the row one that an event was of? After changes_reach. */
bool changes_is_direct(const struct changes *c, int64_t row);
/* Does one of these rows rest on what changed as the reader's caller sees it? Else he would learn of what is hidden by
 * being told. Where that takes too long to say, and something changed that he sees, yes. */
bool changes_reach_seen(struct changes *c, struct reader *r, const int64_t *rows, size_t count);
/* Forgets them all and their memory. */
void changes_clear(struct changes *c);

#endif
