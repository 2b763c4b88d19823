/* A store of entries for tests, with a clock that they set. A failure in here fails the test that called it. */
#ifndef STEMMA_TESTS_ENTRIES_H
#define STEMMA_TESTS_ENTRIES_H

#include "store/entries/entry.h"
#include "store/ops/operation.h"

extern int64_t entries_now;           /* ms */
extern struct store *entries_store;   /* that is open */
extern struct reader *entries_reader; /* of it */
extern struct arena entries_arena;    /* of all that is answered */
extern const struct actor entries_agent, entries_person;

void entries_open(void);
/* Instead of entries_open: the file that a dump makes, and then the store of it. */
void entries_open_dump(const char *sql_path);
void entries_begin(void);
void entries_end(void); /* closes it, until entries_begin */
/* The file as it is, opened anew. */
void entries_reopen(void);
void entries_close(void);
/* As a test's set-up and tear-down. */
int entries_set_up(void **state);
int entries_tear_down(void **state);
const char *entries_path(void);

/* As an agent. The code of the error, ERROR_NONE where it was done; `done` may be NULL. */
int entries_put(const char *name, const char *key, const char *value, int64_t ttl,
                const struct namespace_policy *policy, struct entry_done *done);
int entries_put_as(const struct actor *actor, const char *name, const char *key, const char *value,
                   int64_t ttl, const struct namespace_policy *policy, struct entry_done *done);
int entries_delete(const char *name, const char *key);
int entries_delete_as(const struct actor *actor, const char *name, const char *key);
/* All that is over. */
void entries_sweep(void);

/* NULL: it is not there. */
const char *entries_value(const char *name, const char *key);
/* The code of the error. */
int entries_page(const char *name, const char *prefix, const char *cursor, size_t limit,
                 struct entry_page *out);
int64_t entries_total(const char *name, const char *prefix);

/* All keys with a blank between them. */
const char *entries_keys(const char *name, const char *prefix);

/* As a person. The code of the error. */
int entries_run(enum operation op, const struct request *q);
int entries_operate(enum operation op, int64_t node);
int entries_edit(int64_t node, const char *fields);
int entries_undo(int64_t seq);

/* The number that the SQL finds in the tables. */
int64_t entries_counted(const char *sql);
/* In how many rows of memories and events the word stands. */
int64_t entries_rows_with(const char *word);
/* The last event. */
int64_t entries_last(void);

/* fsck finds nothing, and what is counted is what there is. */
void entries_check(void);

#endif
