/* The parts of fsck. For store/ alone. */
#ifndef STEMMA_FSCK_INTERNAL_H
#define STEMMA_FSCK_INTERNAL_H

#include "store/db/head.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/journal/journal.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

struct fsck {
    struct reader *reader;
    struct db *db;
    void (*each)(void *arg, const struct fsck_finding *finding);
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
    struct fsck_summary *summary;
    const struct head *head; /* NULL: there is none */
    struct arena arena;      /* of the event or the memory that is looked at */
    int64_t done, total;
    int64_t last_seq;  /* of the journal as it is */
    int64_t last_node; /* the greatest row of a memory */
    int64_t *last;     /* [last_node + 1] the last event on each memory, 0: none; NULL: no rows */
    int64_t *imported; /* the same of the last event by which an import wrote it */
    int64_t *
        purged; /* [last_node + 1] the event that purged it last, 0: none; NULL: nothing was purged */
    struct row_set told; /* rows that something was found of: what follows from it is no news */
};

/*
 * What needs no other pass and takes longest: SQLite's own check, and what the search index says. A second thread does
 * it over the reader's second connection, if that sees the same moment; else the caller's does.
 */
struct search_check;
struct fsck_aside {
    struct fsck *f;
    struct db *db;
    bool apart;   /* it is done by the second thread */
    bool is_ours; /* all tables and indexes are those of a new store */
    int integrity, index;
    struct error integrity_error, index_error;
    struct strbuf said; /* by SQLite: lines, each with its NUL */
    struct search_check *search;
};
/* As fsck_pause, of either thread. */
int fsck_aside_pause(struct fsck_aside *a, struct error *e);
/* The same for sqlite3_progress_handler, with the fsck_aside as `arg`. */
int fsck_aside_go_on(void *arg);

/* Would SQLite's own check of a store whose tables and indexes are ours find nothing? False: it is to be asked. O(rows
 * of all tables and indexes). */
bool fsck_is_sound(struct db *db);

/* Reports what was found; `ref` with id NULL: none. `todo` NULL: what is to be done of such a fault
 * mostly. */
void fsck_report(struct fsck *f, enum fsck_fault fault, int64_t seq, struct ref ref,
                 const char *todo, const char *what, ...) __attribute__((format(printf, 6, 7)));
/* A check that SQLite makes by itself: each row is a finding, its event (0: none) and what is wrong. */
int fsck_ask(struct fsck *f, enum fsck_fault fault, const char *sql, struct error *e);
/* Does the caller want to go on? -1 with ERROR_INTERRUPTED where not. */
int fsck_pause(struct fsck *f, struct error *e);
/* Something was found of that row. */
void fsck_note_told(struct fsck *f, int64_t node);
/* The ref in two columns, kind and name, in the fsck's arena. False: they hold none. */
bool fsck_ref(struct fsck *f, sqlite3_stmt *stmt, int column, struct ref *out);
/* One more is looked at. -1 with ERROR_INTERRUPTED where the caller wants no more. */
int fsck_step(struct fsck *f, struct error *e);

/* The chain, the columns next to it, and its end against the head. */
int fsck_chain(struct fsck *f, struct error *e);
/* The same of the log of calls. */
int fsck_calls(struct fsck *f, struct error *e);
/* Each session against what the log of calls and the journal say of it. */
int fsck_sessions(struct fsck *f, struct error *e);
/* Each memory against its last commitment, each row against the form that txn_put gives it. */
int fsck_rows(struct fsck *f, struct error *e);
/* What is kept of imports, against the journal: the base of the next merge. */
int fsck_imports(struct fsck *f, struct error *e);
/* What the search index says, which needs no other pass; what the texts say, once all else was looked at; both against
 * each other. O(text of all memories). */
void fsck_search_open(struct fsck_aside *a);
int fsck_search_read(struct fsck_aside *a, struct error *e);
int fsck_search_words(struct fsck *f, struct fsck_aside *a, struct error *e);
int fsck_search(struct fsck *f, struct fsck_aside *a, struct error *e);
void fsck_search_close(struct search_check *s); /* NULL is allowed */

/*
 * Is the row exactly what db_bind would have written? One letter for each column: i an integer, r a
 * row (0 is NULL), m an integer (-1 is NULL), d a number (NAN is NULL), s text (NULL is NULL), n NULL.
 */
bool fsck_row_is(sqlite3_stmt *stmt, const char *format, ...);

#endif
