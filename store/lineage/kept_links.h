/*
 * What memories rest on and what rests on them, as it was read before, packed: a few bytes for each link, so
 * that walks cost what they reach and not what SQLite takes for a row. Exact at the moment of the
 * reader's transaction.
 *
 * It is kept in pages of 32 rows that follow each other, as memories of one time are near each other in
 * most stores; 3 MB of them at most, those that were not used lately going first. An event gives up the
 * page of its subject and those of what its subject rested on before and rests on now.
 *
 * Beside its links stands a memory's label once somebody found it. Labels outlive additions; an event on any row that
 * was there gives all of them up, as kept_labels.h has it. Those of all rows, once they were computed, are in a place of
 * their own (known_labels.h), and of them an event takes away only what it may have changed.
 */
#ifndef STEMMA_KEPT_LINKS_H
#define STEMMA_KEPT_LINKS_H

#include "model/graph/graph.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"

struct kept_links;
struct kept_reach;
struct kept_links *kept_links_new(void);
void kept_links_free(struct kept_links *k); /* NULL is allowed */

/*
 * A walk: links_begin, then what it asks, then links_end, which also follows an error. It belongs to one
 * reader within one transaction, and it holds the lock of what is kept, which it gives to others now and then.
 */
struct links_walk {
    struct kept_links *kept;
    struct reader *reader;
    int64_t seq, rows;        /* of its moment: the last event and the last row */
    bool current;             /* what is kept is of this moment; else every row is read by itself */
    uint32_t epoch;           /* of the labels that hold now */
    struct kept_reach *reach; /* NULL: it is not of this moment */
    unsigned asked;
    struct page *last[2]; /* that were found last, of either side; NULL: none */
    struct strbuf alone;  /* a row that is in no page */
};
int links_begin(struct links_walk *w, struct reader *r, struct error *e);
void links_end(struct links_walk *w);

/*
 * A row's links, in the order of its groups of support; links_group begins with the next group: its shape,
 * and how many rows links_next then gives. All of it holds until the walk asks for the next row.
 */
struct links {
    int circle; /* does it lie on one, or rest on itself? -1: not known */
    int64_t row;
    const uint8_t *at, *end;
};
/* ERROR_NOT_FOUND: there is no such row. */
int links_of(struct links_walk *w, int64_t row, struct links *out, struct error *e);
/* Its label where that is known, without reading anything; else -1. */
int links_label(struct links_walk *w, int64_t row, int *label, struct error *e);
/* Whether it stands: what the label says of it, or what was found without one. -1: not known. */
int links_stands(struct links_walk *w, int64_t row, int *stands, struct error *e);
/* What it is, which is read apart, for many who ask for links do not ask for it. Errors as above. What
 * links_of gave holds still. */
int links_nature(struct links_walk *w, int64_t row, enum kind *kind, enum status *status,
                 struct error *e);

/* A number as it is packed: seven bits a byte, the last one without the eighth. */
static inline uint64_t links_number(const uint8_t **at, const uint8_t *end)
{
    uint64_t n = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        n |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return n;
}

/* A row as it is packed: what it is less than another, with the sign in the last bit. */
static inline int64_t links_row(int64_t from, uint64_t folded)
{
    int64_t d = (int64_t)(folded >> 1);
    return folded & 1 ? from + d : from - d;
}

static inline bool links_group(struct links *l, unsigned *shape, size_t *count)
{
    if (l->at >= l->end)
        return false;
    *shape = *l->at++;
    *count = (size_t)links_number(&l->at, l->end);
    return true;
}

static inline int64_t links_next(struct links *l)
{
    return links_row(l->row, links_number(&l->at, l->end));
}

/* The rows that rest on this one through support, ascending, each once; links_user gives the next, 0 at the end. */
struct users {
    int64_t row;
    const uint8_t *at, *end;
};
int links_users(struct links_walk *w, int64_t row, struct users *out, struct error *e);
static inline int64_t links_user(struct users *u)
{
    if (u->at >= u->end)
        return 0;
    return u->row = links_row(u->row, links_number(&u->at, u->end));
}

static inline bool label_stands(enum label label)
{
    return label == LABEL_GROUNDED || label == LABEL_WEAKENED || label == LABEL_UNSOURCED;
}

/* That is its label at this walk's moment. */
void links_keep_label(struct links_walk *w, int64_t row, enum label label);
/* Whether it stands, and whether it lies on a circle, which hold for as long. */
void links_keep_standing(struct links_walk *w, int64_t row, bool stands);
void links_keep_circle(struct links_walk *w, int64_t row, bool circle);

/* Was so much read for want of labels that all should be computed? At 64 pages, and in a large store at one for each 512
 * rows, proofs have cost about a quarter of what a pass takes (measured at 100,000 and 1,000,000). */
bool links_lack_labels(const struct links_walk *w);
/*
 * The labels of the rows 1 to `count`, as a walk of that epoch that was `current` could have found them; they belong to what
 * is kept from then on. False where they came too late and are freed: something changed meanwhile.
 */
bool kept_links_take_labels(struct kept_links *k, uint32_t epoch, uint8_t *label, size_t count);

#endif
