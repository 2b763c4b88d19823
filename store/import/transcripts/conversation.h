/* The part of a transcript around a memory: what a person and an agent said, and what tools returned. */
#ifndef STEMMA_CONVERSATION_H
#define STEMMA_CONVERSATION_H

#include "model/base/arena.h"
#include "model/memory/memory.h"
#include "store/db/store.h"

enum turn_kind {
    TURN_PERSON,
    TURN_AGENT,
    TURN_NOTICE, /* of the program, in a person's place */
    TURN_THOUGHT,
    TURN_CALL,  /* of a tool: "Write: notes.md" */
    TURN_RESULT /* what a tool returned */
};

/* A part of a line of the transcript. */
struct turn {
    enum turn_kind kind;
    bool is_here; /* of a line that led to the memory: the one in the middle, others of a person */
    bool is_side; /* of a subagent */
    bool failed;  /* the tool failed */
    int64_t at;   /* ms; 0 if unknown */
    int64_t node; /* the memory that the line became; 0 if it is none */
    const char *text; /* valid UTF-8, not masked */
};

struct conversation {
    const char *path; /* of the transcript */
    struct turn *turn;
    size_t count, alloc;
    size_t here;        /* the first turn of the line in the middle */
    size_t ref;         /* which of the refs that is */
    bool before, after; /* there is more */
    const char *
        why; /* why lines could not be read: "its file has changed since it was read"; NULL if all could */
};

/*
 * Reads the lines around the first of `refs`, raw entries, attributions or sessions, that is in a transcript: from
 * `turns` words of a person before it to as many after it, at most CONVERSATION_LINES each way; with CONVERSATION_END
 * the last lines of that transcript. Returns 1; 0 if none
 * is a line of a transcript; -1 with `e`. Strings are in the arena.
 */
#define CONVERSATION_LINES 300
#define CONVERSATION_END   0
int conversation_read(struct reader *r, const struct ref *refs, size_t count, int turns,
                      struct arena *arena, struct conversation *out, struct error *e);

#endif
