#include "store/search/kept_searches.h"

#include <pthread.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/fnv.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

/* An answer has some places, by what was asked: the one that was given longest ago gives way. */
#define SETS       256
#define WAYS       8
#define WORDS_MAX  256        /* bytes of a query that is kept */
#define BYTES_MAX  (1 << 20)  /* of all answers, with what is said beside them */
#define SAID_MAX   (32 << 10) /* bytes beside one answer */
#define EVENTS_MAX 256        /* after more than that it is asked anew */

struct asked {
    struct search_query query; /* its strings are the answer's own; words NULL: empty */
    char *stamp;               /* for whom it was found */
    size_t limit;
    int64_t seq;        /* the event at which it holds */
    int64_t until;      /* ms: from then on one of them has lost its value */
    int64_t *row;       /* one beyond the limit is among them where there is one */
    size_t count, size; /* of rows, and of all of it in bytes */
    char *said;         /* beside them; NULL: nothing */
    size_t said_len;
    bool masked;            /* something in that was */
    struct guard_look look; /* into that */
    uint64_t used;          /* when: the least is given up first */
};

struct kept_searches {
    pthread_mutex_t lock;
    uint64_t clock;
    size_t bytes, hand;
    struct asked answer[SETS * WAYS];
};

struct kept_searches *kept_searches_new(void)
{
    struct kept_searches *k = xcalloc(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

static void release(struct asked *a)
{
    free((char *)a->query.words);
    free((char *)a->query.agent);
    free(a->stamp);
    free(a->row);
    free(a->said);
    *a = (struct asked){0};
}

static void give_up(struct kept_searches *k, struct asked *a)
{
    k->bytes -= a->size;
    release(a);
}

void kept_searches_free(struct kept_searches *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < SETS * WAYS; i++)
        release(&k->answer[i]);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_of(const struct asked *a, const struct search_query *q, const char *stamp,
                  size_t limit)
{
    return a->query.words && strcmp(a->stamp, stamp) == 0 && a->limit == limit &&
           a->query.kinds == q->kinds && a->query.statuses == q->statuses &&
           same_text(a->query.words, q->words) && same_text(a->query.agent, q->agent);
}

/* FNV-1a of the words; the rest of a question seldom differs. */
static size_t hash_of(const char *words)
{
    uint64_t hash = fnv_add(FNV_BASIS, words, strlen(words));
    return (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32); /* few letters reach few bits */
}

/* The answer to that question; else the one that it would take over. */
static struct asked *find_answer(struct kept_searches *k, const struct search_query *q,
                                 const char *stamp, size_t limit)
{
    struct asked *set = &k->answer[hash_of(q->words) % SETS * WAYS], *oldest = set;
    for (struct asked *a = set; a < set + WAYS; a++) {
        if (is_of(a, q, stamp, limit))
            return a;
        if (a->used < oldest->used)
            oldest = a;
    }
    return oldest;
}

/* 1 where an event on that memory leaves the answer as it is. */
static int is_untouched(const struct asked *a, struct reader *r, int64_t subject, struct error *e)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->row[i] == subject)
            return 0;
    int matches = search_matches_row(r, subject, a->query.words, e);
    return matches < 0 ? -1 : !matches;
}

/* 1 where it holds at the reader's moment. */
static int bring_to(struct asked *a, struct reader *r, int64_t seq, struct error *e)
{
    struct db *db = reader_db(r);
    if (seq <= a->seq || seq - a->seq > EVENTS_MAX)
        return seq == a->seq;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT subject FROM event WHERE seq > ? AND subject IS NOT NULL", e);
    int more = stmt ? db_bind(db, stmt, e, "i", a->seq) : -1, holds = 1;
    while (more > 0 && (holds = is_untouched(a, r, sqlite3_column_int64(stmt, 0), e)) > 0)
        more = db_step(db, stmt, e);
    sqlite3_reset(stmt);
    if (more < 0 || holds < 0)
        return -1;
    a->seq = holds ? seq : a->seq;
    return holds;
}

/* Until a time that has come it holds no more, whatever the journal says. */
static bool is_in_time(const struct asked *a, struct reader *r)
{
    return a->until == INT64_MAX || store_now(reader_store(r)) < a->until;
}

static int look_up(struct kept_searches *k, struct reader *r, const struct search_query *q,
                   int64_t seq, size_t limit, int64_t *rows, size_t *count, struct error *e)
{
    pthread_mutex_lock(&k->lock);
    const char *stamp = guard_stamp(r);
    struct asked *a = find_answer(k, q, stamp, limit);
    int found = is_of(a, q, stamp, limit) && is_in_time(a, r) ? bring_to(a, r, seq, e) : 0;
    if (found > 0) {
        a->used = ++k->clock;
        *count = a->count;
        memcpy(rows, a->row, a->count * sizeof(*rows));
    }
    pthread_mutex_unlock(&k->lock);
    return found;
}

/* When the first of those that had not expired at `now` does; what does not match then still does not later. */
static int find_until(struct reader *r, const int64_t *rows, size_t count, int64_t now,
                      int64_t *until, struct error *e)
{
    static const char sql[] = "SELECT expires FROM entry WHERE memory = ? AND expires > ?";
    *until = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        int64_t expires;
        if (db_int(reader_db(r), &expires, INT64_MAX, e, sql, "ii", rows[i], now))
            return -1;
        *until = expires < *until ? expires : *until;
    }
    return 0;
}

/* Where there is no memory for it, it is not kept. */
static void keep(struct kept_searches *k, const struct asked *answer, const char *stamp)
{
    struct asked new = *answer;
    const struct search_query *q = &answer->query;
    size_t count = answer->count;
    new.query.words = xstrdup(q->words);
    new.query.agent = q->agent ? xstrdup(q->agent) : NULL;
    new.stamp = xstrdup(stamp);
    new.row = xmalloc((count + 1) * sizeof(*new.row));
    if (!new.query.words || !new.stamp || !new.row || (q->agent && !new.query.agent)) {
        release(&new);
        return;
    }
    new.size = strlen(q->words) + strlen(stamp) + (q->agent ? strlen(q->agent) : 0) +
               count * sizeof(*new.row);
    memcpy(new.row, answer->row, count * sizeof(*new.row));
    pthread_mutex_lock(&k->lock);
    struct asked *a = find_answer(k, q, stamp, new.limit);
    give_up(k, a);
    while (k->bytes + new.size > BYTES_MAX)
        give_up(k, &k->answer[k->hand++ % (SETS * WAYS)]);
    *a = new;
    a->used = ++k->clock;
    k->bytes += new.size;
    pthread_mutex_unlock(&k->lock);
}

struct matches {
    int64_t *row;
    size_t count, limit;
};

static int gather(void *arg, int64_t node, bool exact)
{
    struct matches *m = arg;
    (void)exact;
    m->row[m->count++] = node;
    return m->count > m->limit;
}

static int run(struct reader *r, const struct search_query *query, size_t limit, struct matches *m,
               struct error *e)
{
    struct search_query q = *query;
    q.enough = limit + 1;
    return search_run(r, &q, gather, m, e);
}

int kept_search_run(struct reader *r, const struct search_query *query, size_t limit, int64_t *rows,
                    size_t *count, bool *more, struct error *e)
{
    struct kept_searches *k = reader_store(r)->searches;
    struct matches m = {.row = rows, .limit = limit};
    struct asked new = {.query = *query, .limit = limit, .row = rows};
    int64_t seq, now = store_now(reader_store(r));
    if (reader_moment(r, &seq, e))
        return -1;
    int found = reader_keeps(r) ? look_up(k, r, query, seq, limit, rows, &m.count, e) : 0;
    if (found < 0 || (!found && run(r, query, limit, &m, e)))
        return -1;
    new.seq = seq;
    new.count = m.count;
    if (!found && reader_keeps(r) &&
        strlen(query->words) + (query->agent ? strlen(query->agent) : 0) <= WORDS_MAX) {
        if (find_until(r, rows, m.count, now, &new.until, e))
            return -1;
        keep(k, &new, guard_stamp(r));
    }
    *more = m.count > limit;
    *count = *more ? limit : m.count;
    return 0;
}

/* ---- what is said beside them ---- */

/* The answer, where it is kept at the reader's moment; under the lock. */
static struct asked *kept_now(struct kept_searches *k, struct reader *r,
                              const struct search_query *q, size_t limit)
{
    int64_t seq;
    struct error ignored;
    const char *stamp = guard_stamp(r);
    struct asked *a = find_answer(k, q, stamp, limit);
    bool now = reader_keeps(r) && is_of(a, q, stamp, limit) && is_in_time(a, r) &&
               reader_moment(r, &seq, &ignored) == 0 && a->seq == seq;
    return now ? a : NULL;
}

/* Its lines as the members of an array. */
static bool looks_clean(const struct guard_rules *rules, const char *said, size_t len)
{
    struct strbuf array = STRBUF_INIT;
    strbuf_addch(&array, '[');
    strbuf_add(&array, said, len);
    strbuf_cut(&array, len > 0 ? array.len - 1 : array.len);
    for (char *at = array.buf; (at = memchr(at, '\n', array.len - (size_t)(at - array.buf)));)
        *at = ',';
    strbuf_addch(&array, ']');
    bool clean = !array.failed && !guard_finds_in_json(rules, array.buf, array.len);
    strbuf_release(&array);
    return clean;
}

static bool is_clean(const struct guard_rules *rules, struct asked *a)
{
    if (!guard_looked(&a->look, rules))
        guard_note_look(&a->look, rules, looks_clean(rules, a->said, a->said_len));
    return a->look.clean;
}

void kept_search_said(struct reader *r, const struct search_query *query, size_t limit,
                      struct strbuf *said, bool *clean)
{
    struct kept_searches *k = reader_store(r)->searches;
    const struct guard *g = reader_guarded(r);
    *clean = false;
    pthread_mutex_lock(&k->lock);
    struct asked *a = kept_now(k, r, query, limit);
    if (a && a->said) {
        strbuf_add(said, a->said, a->said_len);
        reader_guard_known(r)->masked += a->masked;
        *clean = g && g->rules && is_clean(g->rules, a);
    }
    pthread_mutex_unlock(&k->lock);
}

/* Room is made by giving up other answers, this one last of all. */
static void make_room(struct kept_searches *k, const struct asked *a, size_t size)
{
    for (size_t i = 0; i < SETS * WAYS && k->bytes + size > BYTES_MAX; i++) {
        struct asked *other = &k->answer[k->hand++ % (SETS * WAYS)];
        if (other != a)
            give_up(k, other);
    }
}

void kept_search_say(struct reader *r, const struct search_query *query, size_t limit,
                     const struct strbuf *said, bool masked)
{
    struct kept_searches *k = reader_store(r)->searches;
    char *copy = said->failed || said->len > SAID_MAX ? NULL : xmalloc(said->len + 1);
    if (!copy)
        return;
    memcpy(copy, said->buf ? said->buf : "", said->len);
    pthread_mutex_lock(&k->lock);
    struct asked *a = kept_now(k, r, query, limit);
    if (a && !a->said) {
        make_room(k, a, said->len);
        a->said = copy;
        a->masked = masked;
        a->look = (struct guard_look){0};
        a->said_len = said->len;
        a->size += said->len;
        k->bytes += said->len;
        copy = NULL;
    }
    pthread_mutex_unlock(&k->lock);
    free(copy);
}
