/*
 * Damage in the write-ahead log. SQLite reads the log up to the first frame whose checksum is
 * wrong and takes the rest for an interrupted write, which the next write removes without a word.
 * So the log is read before SQLite opens it.
 */
#ifndef STEMMA_FSCK_LOG_H
#define STEMMA_FSCK_LOG_H

#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"

struct store;

/* An event in the pages after the damage. */
struct lost_event {
    int64_t seq;
    const char *actor, *operation;
    struct ref ref; /* id is NULL if it cannot be read */
};

struct log_damage {
    int64_t frame;             /* the first damaged frame, from 1; 0 for the header of the log */
    int64_t commits, frames;   /* whole commits after it, and their valid frames */
    int64_t last;              /* the last event that is not lost */
    struct lost_event *events; /* [count] ascending; in the arena */
    size_t count;
    struct arena arena;
};

/*
 * Reads the log of a store that no process has open yet. Returns NULL if no whole commit follows a
 * damaged frame. The caller frees it with log_damage_free.
 */
struct log_damage *log_damage_find(const struct store *s);
/* Drops the events up to `last`, which the store has. */
void log_damage_keep_after(struct log_damage *d, int64_t last);
/* Appends "frame 12 of s.db-wal is damaged, and … are lost". */
void log_damage_say(const struct log_damage *d, const struct store *s, struct strbuf *out);
/* What to do about it: the same wherever it is reported. */
const char *log_damage_advice(const struct log_damage *d);
void log_damage_free(struct log_damage *d); /* NULL is allowed */

#endif
