/* Where a person has been: the views of `[` and `]`, and the places that `m` keeps under a letter. */
#ifndef STEMMA_NAVIGATION_H
#define STEMMA_NAVIGATION_H

#include <stddef.h>
#include <stdint.h>

struct app;

#define BACK_LIST_LENGTH 24
#define BOOKMARKS        52

struct back_list {
    struct view *visited[BACK_LIST_LENGTH]; /* held, oldest first */
    size_t count, at;
    struct bookmark {
        uint32_t letter; /* 0: free */
        struct view *view;
        int64_t node;
        size_t line;
    } bookmark[BOOKMARKS];
};

void back_list_release(struct back_list *t);
/* The top of the stack is another view. */
void back_list_visit(struct back_list *t, struct view *v);
/* The one before (-1) or after (1); NULL: there is none. Not held for the caller. */
struct view *back_list_step(struct back_list *t, int direction);
void bookmark_set(struct app *x, uint32_t letter);
/* Goes to the place; says so where nothing was kept there. */
void bookmark_jump(struct app *x, uint32_t letter);

#endif
