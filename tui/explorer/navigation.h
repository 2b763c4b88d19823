/* Navigation history: the views of `[` and `]`, and the bookmarks. */
#ifndef STEMMA_NAVIGATION_H
#define STEMMA_NAVIGATION_H

#include <stddef.h>
#include <stdint.h>

struct app;

#define BACK_LIST_LENGTH 24
#define BOOKMARKS        52

struct back_list {
    struct view *visited[BACK_LIST_LENGTH]; /* referenced, oldest first */
    size_t count, at;
    struct bookmark {
        uint32_t letter; /* 0 if unused */
        struct view *view;
        int64_t node;
        size_t line;
    } bookmark[BOOKMARKS];
};

void back_list_release(struct back_list *t);
/* Call when another view became the top. */
void back_list_visit(struct back_list *t, struct view *v);
/* The previous (-1) or next (1) view, without a new reference; NULL if there is none. */
struct view *back_list_step(struct back_list *t, int direction);
void bookmark_set(struct app *x, uint32_t letter);
/* Goes to a bookmark, or reports that it does not exist. */
void bookmark_jump(struct app *x, uint32_t letter);

#endif
