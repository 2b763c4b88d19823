/* The parts of fsck that look at memories. For store/ alone. */
#ifndef STEMMA_FSCK_ROWS_H
#define STEMMA_FSCK_ROWS_H

#include "model/base/strbuf.h"
#include "store/fsck/fsck_internal.h"

/* The tables whose rows are parts of memories, and how many of each were met. */
enum part {
    LINK,
    USE,
    HISTORY,
    MARK,
    ATTRIBUTION,
    FOUND_BY,
    ENTRY,
    PART_COUNT
};

struct rows {
    struct fsck *f;
    struct error *e;
    struct memory_scan *memories;
    struct memory m; /* that is looked at, as it was read */
    struct strbuf bytes, strings;
    int64_t met[PART_COUNT];
    struct part_scan {
        sqlite3_stmt *stmt; /* all rows of a part in the order of their memories; NULL: not begun */
        int more;
    } scan[PART_COUNT];
    bool has_secret; /* without it what an entry's row says cannot be checked */
};

/* *wrong: what of the memory's rows is not as txn_put writes it; NULL: nothing. `row` is its own. */
int fsck_parts(struct rows *r, sqlite3_stmt *row, const char **wrong);
/* Ends its scans. */
void fsck_parts_end(struct rows *r);

struct entry_row;
/* Is the secret there, by which keys are hashed? Reports it where it is not. */
int fsck_secret(struct rows *r);
/* Is the row (its namespace by name, and all but `hidden`) what the memory says? */
bool fsck_entry_is(sqlite3_stmt *stmt, int64_t node, const struct entry_row *row);
/* What each event on the entry says of when its patch's value is over, against the patch. */
int fsck_entry_leaving(struct rows *r);
/* What is counted of namespaces and of runs of keys, and which of one key is shown. O(n log n). */
int fsck_entry_counts(struct rows *r);

/* The rows from `next` to before `node` are not there, though rows are never removed. */
int fsck_gap(struct rows *r, int64_t next, int64_t node);
/* Parts that belong to no memory, once all memories were looked at: they show in the numbers alone. */
int fsck_strays(struct rows *r);

/* The ref that an event is about, in the arena; id NULL: it does not tell. */
int fsck_ref_of_event(struct rows *r, int64_t seq, struct ref *ref);

#endif
