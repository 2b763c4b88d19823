/* Shared by the passes of fsck. Only for this room. */
#ifndef STEMMA_FSCK_INTERNAL_H
#define STEMMA_FSCK_INTERNAL_H

#include "store/db/head.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/fsck/fsck_log.h"
#include "store/journal/journal.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

struct search_check;

struct fsck {
    struct reader *reader;
    struct db *db;
    void (*each)(void *arg, const struct fsck_finding *finding);
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
    struct fsck_summary *summary;
    const struct head *head; /* NULL if there is none */
    struct arena words;      /* advice */
    struct arena arena;      /* memory of the event or memory being checked */
    int64_t done, total;
    int64_t last_seq;  /* last event of the journal */
    int64_t last_node; /* greatest row of a memory */
    int64_t *last; /* [last_node + 1] last event on each memory, 0 for none; NULL if not loaded */
    /* [last_node + 1] last event in which an import wrote the memory, 0 for none */
    int64_t *imported;
    /* [last_node + 1] last event that purged the memory, 0 for none; NULL if none was purged */
    int64_t *purged;
    struct row_set faulty; /* rows with a finding; faults that follow from it are not reported */
};

/*
 * The work that depends on no other pass and takes longest: SQLite's own check, and reading the
 * search index. A second thread does it on the reader's second connection if that sees the same
 * last event; otherwise the calling thread does it.
 */
struct fsck_background {
    struct fsck *f;
    struct db *db;
    bool threaded;       /* runs in the second thread */
    bool schema_matches; /* all tables and indexes are those of a new store */
    int integrity, index;
    struct error integrity_error, index_error;
    struct strbuf output; /* output of SQLite: lines, each ending with a NUL */
    struct search_check *search;
};
/* As fsck_pause, from either thread. */
int fsck_background_pause(struct fsck_background *a, struct error *e);
/* As fsck_background_pause, as a callback for sqlite3_progress_handler; `arg` is the fsck_background. */
int fsck_background_go_on(void *arg);

/* Returns true if SQLite's own check would find nothing in a store with exactly our tables and
 * indexes; false if it must be run. Linear in the rows of all tables and indexes. */
bool fsck_is_sound(struct db *db);

/* Reports a finding. `ref` has id NULL if there is none. `hint` NULL uses the default advice for
 * the fault. */
void fsck_report(struct fsck *f, enum fsck_fault fault, int64_t seq, struct ref ref,
                 const char *hint, const char *what, ...) __attribute__((format(printf, 6, 7)));
/* Advice with the hash by which a person accepts the end of the journal as it is. */
const char *fsck_accept(struct fsck *f);
/*
 * Reports a finding for each row of a query with two columns: the event (0 for none) and a message.
 */
int fsck_query(struct fsck *f, enum fsck_fault fault, const char *sql, struct error *e);
/* Returns -1 with ERROR_INTERRUPTED if the caller wants to stop. */
int fsck_pause(struct fsck *f, struct error *e);
/* Records that the row has a finding. */
void fsck_mark_faulty(struct fsck *f, int64_t node);
/* Reads a ref from two columns, kind and name, into the arena of fsck. Returns false if they do not
 * hold one. */
bool fsck_ref(struct fsck *f, sqlite3_stmt *stmt, int column, struct ref *out);
/*
 * Counts one more item of progress. Returns -1 with ERROR_INTERRUPTED if the caller wants to stop.
 */
int fsck_step(struct fsck *f, struct error *e);

/* Reads a write-ahead log. Returns NULL as log_damage_find does. A log with a damaged header has
 * pages of `store_page` bytes, 0 if unknown. */
struct log_damage *log_damage_read(int fd, uint32_t store_page);
/* Reports the events after a damaged frame of the write-ahead log. */
int fsck_log(struct fsck *f, struct error *e);
/* Checks the journal's hash chain, the columns that repeat its texts, and its end against the head
 * file. */
int fsck_chain(struct fsck *f, struct error *e);
/* The same for the call log. */
int fsck_calls(struct fsck *f, struct error *e);
/* Checks each session against the call log and the journal. */
int fsck_sessions(struct fsck *f, struct error *e);
/*
 * Checks each memory against its last event, and each row of its parts against what txn_put writes.
 */
int fsck_rows(struct fsck *f, struct error *e);
/* Checks the records of imports, which are the base of the next merge, against the journal. */
int fsck_imports(struct fsck *f, struct error *e);
/* Reading the search index (needs no other pass), reading the texts (after all other passes), and
 * comparing both. O(text of all memories). */
void fsck_search_open(struct fsck_background *a);
int fsck_search_read(struct fsck_background *a, struct error *e);
int fsck_search_words(struct fsck *f, struct fsck_background *a, struct error *e);
int fsck_search(struct fsck *f, struct fsck_background *a, struct error *e);
void fsck_search_close(struct search_check *s); /* NULL is allowed */

/* Reads an SQLite varint of at most 8 bytes. Returns what follows it, or NULL. */
const unsigned char *fsck_varint(const unsigned char *at, const unsigned char *end, uint64_t *out);

/*
 * Returns true if the row has exactly the values that db_bind would write. One letter per column: i
 * an integer, r a row (0 is NULL), m an integer (-1 is NULL), d a number (NAN is NULL), s text
 * (NULL is NULL), n NULL.
 */
bool fsck_row_is(sqlite3_stmt *stmt, const char *format, ...);

#endif
