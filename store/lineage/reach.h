/*
 * Which rows are reached from one: a bit for each. For store/ alone.
 *
 * Memories mostly rest on earlier ones, so a sweep over the rows, down for what one rests on and up for what rests on
 * it, meets each after all that lead to it: nothing needs to wait on a stack, pages of links are read once, and where
 * no link leads back there is no circle. What leads back is told, and reached by sweeping again.
 */
#ifndef STEMMA_REACH_H
#define STEMMA_REACH_H

#include "store/lineage/kept_links.h"
#include "store/lineage/subgraph.h"

/* A block is so many words of what was reached, then as many of what was passed. */
#define REACH_WORDS 512
#define REACH_ROWS  (REACH_WORDS * 64)

struct reach {
    enum direction direction;
    int64_t rows;
    int64_t
        top; /* the last row of the last block: places are counted from there, or from the first */
    uint64_t **block; /* [blocks] by place; NULL: nothing there was reached */
    size_t blocks;
    uint64_t last;  /* the furthest */
    uint64_t again; /* the nearest from which to sweep once more */
    size_t count;   /* of what is reached, the row it began at among them */
    size_t passed;  /* of them one by one: the others were taken at once */
    /* Memories that rest on a row not before theirs, unless they are known to lie on no circle. Each circle has one. */
    int64_t *back;
    size_t back_count, back_alloc;
};

/* 1; 0 where sweeps are not the way, as links lead forth and back; -1 on error. reach_release frees it, whatever came
 * of it. */
int reach_from(struct reach *reach, struct links_walk *w, struct reader *r, int64_t row,
               enum direction direction, struct error *e);
bool reach_has(const struct reach *reach, int64_t row);
void reach_release(struct reach *reach);

#endif
