/*
 * What waits for a person's decision (store/record/waiting.h), the riskiest first:
 *
 *   risk = (1 + memories that lose all support without it) × weight × (1 − trust × effective confidence)
 *
 * The weight is 4 for an unsupported or circular memory, 2 for a weakened one, else 1. Near-duplicates stand together,
 * and so do the memories of a session; a group or a session has the place of the riskiest memory in it.
 */
#ifndef STEMMA_INBOX_H
#define STEMMA_INBOX_H

#include "model/graph/graph.h"
#include "store/db/store.h"

struct strbuf;

struct inbox_item {
    int64_t node;
    int64_t session; /* in which an agent wrote it last; below 0: minus the row of its agent */
    int64_t under; /* the session in which it stands: that of the riskiest of its near-duplicates */
    bool known;    /* the members below are; they are 0 in a list that is not ranked */
    enum label label;
    uint32_t loses; /* memories that lose all support without it */
    int weight;
    double trust, effective, risk;
    uint32_t alike; /* number of its group of near-duplicates, from 1; 0 if it is in none */
};

struct inbox {
    struct inbox_item *item; /* the caller frees it */
    size_t count;
    bool cut; /* near-duplicates were looked for among the riskiest INBOX_COMPARED alone */
};
#define INBOX_COMPARED 5000

/* The newest `most` of an agent (NULL: all), newest row first, without risks. O(most). */
int inbox_newest(struct reader *r, const char *agent, size_t most, struct inbox *out,
                 struct error *e);
/* All that waits, in the order described above. Loads the graph. For a person. */
int inbox_read(struct reader *r, const char *agent, struct inbox *out, struct error *e);
/* Appends "7.20 = (1 + 5 lose support) × 2 weakened × (1 − trust 0.50 × conf 0.80)". */
void inbox_add_risk(const struct inbox_item *item, struct strbuf *out);
/* Appends "session 12 · ash · claude-code", or "ash" where no session is known; `apart` stands for " · ". */
int inbox_add_session(struct reader *r, int64_t session, const char *apart, struct strbuf *out,
                      struct error *e);

#endif
