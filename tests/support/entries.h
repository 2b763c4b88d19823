/* A store of entries with a clock that tests set. A failure here fails the calling test. */
#ifndef STEMMA_TESTS_ENTRIES_H
#define STEMMA_TESTS_ENTRIES_H

#include "store/entries/entry.h"
#include "store/ops/operation.h"

extern int64_t entries_now;           /* ms */
extern struct store *entries_store;   /* the open store */
extern struct reader *entries_reader; /* a reader of it */
extern struct arena entries_arena;    /* of all answers */
extern const struct actor entries_agent, entries_person;

void entries_open(void);
/* In place of entries_open: makes a file from an SQL dump and opens it as a store. */
void entries_open_dump(const char *sql_path);
void entries_begin(void);
void entries_end(void); /* closes the store until entries_begin */
/* Closes and opens the store. */
void entries_reopen(void);
void entries_close(void);
/* Set-up and tear-down of a test. */
int entries_set_up(void **state);
int entries_tear_down(void **state);
const char *entries_path(void);

/* These act as an agent and return the code of the error, or ERROR_NONE. `done` may be NULL. */
int entries_put(const char *name, const char *key, const char *value, int64_t ttl,
                const struct namespace_policy *policy, struct entry_done *done);
int entries_put_as(const struct actor *actor, const char *name, const char *key, const char *value,
                   int64_t ttl, const struct namespace_policy *policy, struct entry_done *done);
int entries_delete(const char *name, const char *key);
int entries_delete_as(const struct actor *actor, const char *name, const char *key);
/* Removes all expired entries. */
void entries_sweep(void);

/* Returns NULL if there is no such entry. */
const char *entries_value(const char *name, const char *key);
/* The code of the error. */
int entries_page(const char *name, const char *prefix, const char *cursor, size_t limit,
                 struct entry_page *out);
int64_t entries_total(const char *name, const char *prefix);

/* All keys, separated by blanks. */
const char *entries_keys(const char *name, const char *prefix);

/* These act as a person and return the code of the error. */
int entries_run(enum operation op, const struct request *q);
int entries_operate(enum operation op, int64_t node);
int entries_edit(int64_t node, const char *fields);
int entries_undo(int64_t seq);

/* The number that the SQL selects. */
int64_t entries_counted(const char *sql);
/* The number of rows of memories and events that contain the word. */
int64_t entries_rows_with(const char *word);
/* The last event. */
int64_t entries_last(void);

/* Checks that fsck finds nothing and that all counters are right. */
void entries_check(void);

#endif
