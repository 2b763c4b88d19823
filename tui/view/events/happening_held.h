/*
 * What a paused list of happenings holds back: what a walk on from its newest line finds, calls as well and only what
 * its filter lets through. It is counted where that walk ended last, so that a long pause costs no more than its news.
 */
#ifndef STEMMA_HAPPENING_HELD_H
#define STEMMA_HAPPENING_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct happening_list;
struct view;

struct happening_held {
    size_t count;
    bool begun; /* as far as was counted: */
    int64_t seq, call;
    bool wanted; /* more came since it was asked for */
};

/* Counts what came since; before each frame, what was asked for meanwhile. */
void happening_held_count(struct happening_list *l);
void happening_held_go_on(struct happening_list *l);
/* The list shows more by itself: nothing is held back from that on. */
void happening_held_clear(struct happening_list *l);
/* For the view_ops. */
size_t happening_held_from(const struct view *v);

#endif
