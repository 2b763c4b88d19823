#include "store/query/tally.h"

#include <pthread.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/reasoning/attributions.h"
#include "store/query/filter.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

#define KEPT 16 /* questions; a set takes 125 KB for a million rows */
/* Beyond so many events since then the index is walked anew. */
#define EVENTS_MAX 20000

enum {
    VALUES = 4
};

/*
 * A question: rows of `scan` for each of the kinds, told apart from others by its values. `check` says
 * whether one row is among them. Both take :kind or :row, :a to :d and :text, as far as they name them.
 */
struct question {
    const char *scan, *check; /* constants */
    unsigned kinds;
    int64_t value[VALUES];
    const char *text;
};

struct tally {
    struct question question; /* its text is the tally's own */
    bool busy;                /* someone brings it up to date: nobody else looks at it */
    int64_t seq;              /* of the last event that it heeds */
    int64_t count;
    uint64_t *bit;
    size_t words;
    uint64_t used; /* when: the least is given up first */
};

struct tallies {
    pthread_mutex_t lock; /* of the table; a busy tally belongs to who made it so */
    struct tally *kept[KEPT];
    uint64_t clock;
};

struct tallies *tallies_new(void)
{
    struct tallies *t = xcalloc(1, sizeof(*t));
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

static void tally_free(struct tally *t)
{
    if (!t)
        return;
    free((char *)t->question.text);
    free(t->bit);
    free(t);
}

void tallies_free(struct tallies *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < KEPT; i++)
        tally_free(t->kept[i]);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/* ---- one of them ---- */

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while counting");
}

static void bind_int(sqlite3_stmt *stmt, const char *name, int64_t value)
{
    int at = sqlite3_bind_parameter_index(stmt, name);
    if (at)
        sqlite3_bind_int64(stmt, at, value);
}

/* `first` is the value of :kind or :row. */
static sqlite3_stmt *open_question(struct db *db, const struct question *q, const char *sql,
                                   const char *first, int64_t value, struct error *e)
{
    static const char *const names[VALUES] = {":a", ":b", ":c", ":d"};
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    if (!stmt)
        return NULL;
    bind_int(stmt, first, value);
    bind_int(stmt, ":kinds", (int64_t)q->kinds);
    for (size_t i = 0; i < VALUES; i++)
        bind_int(stmt, names[i], q->value[i]);
    int at = sqlite3_bind_parameter_index(stmt, ":text");
    if (at && q->text)
        sqlite3_bind_text(stmt, at, q->text, -1, SQLITE_TRANSIENT);
    return stmt;
}

static int make_room(struct tally *t, int64_t row)
{
    size_t word = (size_t)row / 64;
    if (word < t->words)
        return 0;
    size_t words = word + word / 8 + 64;
    uint64_t *bit = xrealloc(t->bit, words * sizeof(*bit));
    if (!bit)
        return -1;
    memset(bit + t->words, 0, (words - t->words) * sizeof(*bit));
    t->bit = bit;
    t->words = words;
    return 0;
}

static int set_row(struct tally *t, int64_t row, bool in, struct error *e)
{
    if (row < 1 || make_room(t, row))
        return row < 1 ? 0 : out_of_memory(e);
    uint64_t mask = UINT64_C(1) << (row & 63), *word = &t->bit[row / 64];
    t->count += (int64_t)in - ((*word & mask) != 0);
    *word = in ? *word | mask : *word & ~mask;
    return 0;
}

/* All rows of the question; `t` NULL: they are only counted. */
static int walk(struct reader *r, const struct question *q, struct tally *t, int64_t *count,
                struct error *e)
{
    struct db *db = reader_db(r);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (!(q->kinds & KIND_BIT(kind)))
            continue;
        sqlite3_stmt *stmt = open_question(db, q, q->scan, ":kind", kind, e);
        int more = stmt ? db_step(db, stmt, e) : -1;
        while (more > 0) {
            ++*count;
            bool bad = t && set_row(t, sqlite3_column_int64(stmt, 0), true, e);
            more = bad ? -1 : db_step(db, stmt, e);
        }
        if (stmt)
            sqlite3_reset(stmt);
        if (more < 0 || reader_check(r, e))
            return -1;
    }
    return 0;
}

static int check_row(struct reader *r, struct tally *t, int64_t row, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = open_question(db, &t->question, t->question.check, ":row", row, e);
    int found = stmt ? db_step(db, stmt, e) : -1;
    if (stmt)
        sqlite3_reset(stmt);
    return found < 0 ? -1 : set_row(t, row, found > 0, e);
}

/* Looks again at what events since then are about. */
static int advance(struct reader *r, struct tally *t, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT subject FROM event WHERE seq > ? AND subject IS NOT NULL", e);
    int more = stmt ? db_bind(db, stmt, e, "i", t->seq) : -1;
    while (more > 0)
        more = check_row(r, t, sqlite3_column_int64(stmt, 0), e) ? -1 : db_step(db, stmt, e);
    if (stmt)
        sqlite3_reset(stmt);
    return more;
}

static int bring_up(struct reader *r, struct tally *t, int64_t seq, struct error *e)
{
    int64_t walked = 0;
    if (t->seq >= 0 && seq - t->seq <= EVENTS_MAX) {
        if (seq > t->seq && advance(r, t, e))
            return -1;
    } else {
        t->count = 0;
        if (t->bit)
            memset(t->bit, 0, t->words * sizeof(*t->bit));
        if (walk(r, &t->question, t, &walked, e))
            return -1;
    }
    t->seq = seq;
    return 0;
}

/* ---- the table ---- */

static bool same_question(const struct question *a, const struct question *b)
{
    return a->scan == b->scan && a->kinds == b->kinds &&
           memcmp(a->value, b->value, sizeof(a->value)) == 0 &&
           (a->text && b->text ? strcmp(a->text, b->text) == 0 : a->text == b->text);
}

/* The place of that question, or of what is given up for it; NULL where all are busy. */
static struct tally **find_place(struct tallies *all, const struct question *q)
{
    struct tally **oldest = NULL;
    for (size_t i = 0; i < KEPT; i++)
        if (all->kept[i] && same_question(&all->kept[i]->question, q))
            return &all->kept[i];
    for (size_t i = 0; i < KEPT; i++) {
        struct tally **place = &all->kept[i];
        if (!*place)
            return place;
        if (!(*place)->busy && (!oldest || (*place)->used < (*oldest)->used))
            oldest = place;
    }
    return oldest;
}

static struct tally *make_tally(const struct question *q)
{
    struct tally *t = xcalloc(1, sizeof(*t));
    t->question = *q;
    t->question.text = q->text ? xstrdup(q->text) : NULL;
    t->seq = -1;
    if (q->text && !t->question.text) {
        free(t);
        return NULL;
    }
    return t;
}

/* Takes the tally of the question out of everybody's hands, new or as it stands. NULL: someone else has
 * it, or it is ahead of this reader's moment. */
static struct tally *take(struct tallies *all, const struct question *q, int64_t seq)
{
    pthread_mutex_lock(&all->lock);
    struct tally **place = find_place(all, q), *t = NULL;
    if (place && *place && same_question(&(*place)->question, q)) {
        if (!(*place)->busy && (*place)->seq <= seq)
            t = *place;
    } else if (place && (t = make_tally(q))) {
        tally_free(*place);
        *place = t;
    }
    if (t) {
        t->busy = true;
        t->used = ++all->clock;
    }
    pthread_mutex_unlock(&all->lock);
    return t;
}

/* Gives it back; one that was not brought up to date is good for nothing. */
static void give_back(struct tallies *all, struct tally *t, bool good)
{
    pthread_mutex_lock(&all->lock);
    t->busy = false;
    for (size_t i = 0; i < KEPT && !good; i++)
        if (all->kept[i] == t) {
            all->kept[i] = NULL;
            tally_free(t);
            break;
        }
    pthread_mutex_unlock(&all->lock);
}

static int count(struct reader *r, const struct question *q, int64_t *count, struct error *e)
{
    struct tallies *all = reader_store(r)->tallies;
    int64_t seq;
    *count = 0;
    if (!reader_keeps(r))
        return walk(r, q, NULL, count, e);
    if (reader_moment(r, &seq, e))
        return -1;
    struct tally *t = take(all, q, seq);
    if (!t)
        return walk(r, q, NULL, count, e);
    int result = bring_up(r, t, seq, e);
    *count = t->count;
    give_back(all, t, result == 0);
    return result;
}

/* ---- the questions ---- */

#define OF_FILTER                                                                                  \
    " AND (:a >> status) & 1 AND (:b = 0 OR agent = :b) AND (:c = -1 OR source_type = :c)"

int tally_list(struct reader *r, const struct list_query *query, int64_t *out, struct error *e)
{
    struct filter f;
    *out = 0;
    if (filter_make(&f, r, query, e))
        return -1;
    if ((f.by_agent && f.agent < 0) || (f.by_source_type && f.source_type < 0))
        return 0;
    struct question q = {
        .scan = "SELECT id FROM memory INDEXED BY memory_created WHERE status < 7 AND kind = "
                ":kind" OF_FILTER,
        .check = "SELECT 1 FROM memory WHERE id = :row AND status < 7 AND (:kinds >> kind) & "
                 "1" OF_FILTER,
        .kinds = f.kinds,
        .value = {f.statuses, f.by_agent ? f.agent : 0, f.by_source_type ? f.source_type : -1}};
    if (f.guarded) {
        q.scan = "SELECT id FROM memory INDEXED BY memory_created WHERE status < 7 AND kind = "
                 ":kind" OF_FILTER GUARD_SQL;
        q.check = "SELECT 1 FROM memory WHERE id = :row AND status < 7 AND (:kinds >> kind) & "
                  "1" OF_FILTER GUARD_SQL;
        q.text = guard_stamp(r); /* another caller's count is another question */
    }
    return count(r, &q, out, e);
}

int tally_attributions(struct reader *r, int64_t agent, const char *type, int64_t *out,
                       struct error *e)
{
    struct question q = {.scan = "SELECT memory FROM attribution WHERE agent = :a",
                         .check = "SELECT 1 FROM attribution WHERE memory = :row AND agent = :a",
                         .kinds = KIND_BIT(KIND_ATTRIBUTION),
                         .value = {agent},
                         .text = type};
    if (type) {
        q.scan = "SELECT memory FROM attribution WHERE agent = :a AND type = :text";
        q.check = "SELECT 1 FROM attribution WHERE memory = :row AND agent = :a AND type = :text";
    }
    return count(r, &q, out, e);
}
