/* Where a person has been: the views of `[` and `]`, and the places that `m` keeps under a letter. */
#ifndef STEMMA_NAVIGATION_H
#define STEMMA_NAVIGATION_H

#include <stddef.h>
#include <stdint.h>

struct app;

#define TRAIL_LENGTH 24
#define TRAIL_PLACES 52

struct trail {
    struct view *visited[TRAIL_LENGTH]; /* held, oldest first */
    size_t count, at;
    struct place_kept {
        uint32_t letter; /* 0: free */
        struct view *view;
        int64_t node;
        size_t line;
    } place[TRAIL_PLACES];
};

void trail_release(struct trail *t);
/* The top of the stack is another view. */
void trail_visit(struct trail *t, struct view *v);
/* The one before (-1) or after (1); NULL: there is none. Not held for the caller. */
struct view *trail_step(struct trail *t, int direction);
void trail_keep(struct app *x, uint32_t letter);
/* Goes to the place; says so where nothing was kept there. */
void trail_return(struct app *x, uint32_t letter);

#endif
