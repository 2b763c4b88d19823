#include "kept_links.h"

#include <pthread.h>
#include <string.h>
#include "../model/alloc.h"
#include "reader.h"
#include "store_state.h"

#define ROWS       32 /* of a page */
#define SETS       2048
#define WAYS       4
#define BYTES_MAX  (2 << 20)   /* of all pages */
#define PAGE_MAX   (32 << 10)  /* rows with more links are read by themselves */
#define EVENTS_MAX 4096        /* after more than that nothing is looked through: all is given up */
#define TURN       256         /* rows that a walk asks for before it lets others in */
#define UNKNOWN    LABEL_COUNT /* a label that nobody found yet */

enum side {
    RESTS_ON,
    CARRIES
};

struct page {
    int64_t first; /* its first row */
    enum side side;
    bool lately;    /* it was used since the hand passed */
    uint32_t epoch; /* of its labels */
    size_t size;    /* of all of it */
    uint8_t label[ROWS];
    uint16_t start[ROWS + 1];
    uint8_t bytes[];
};

struct kept_links {
    pthread_mutex_t lock;
    int64_t seq;    /* the event up to which all of it holds */
    int64_t last;   /* the greatest row at that event */
    uint32_t epoch; /* labels of another one do not hold any more */
    size_t bytes, hand;
    struct page *page[SETS * WAYS];
};

struct kept_links *kept_links_new(void)
{
    struct kept_links *k = xcalloc(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

static void empty(struct kept_links *k, struct page **place)
{
    k->bytes -= *place ? (*place)->size : 0;
    free(*place);
    *place = NULL;
}

static void empty_all(struct kept_links *k)
{
    for (size_t i = 0; i < SETS * WAYS && k->bytes; i++)
        empty(k, &k->page[i]);
}

void kept_links_free(struct kept_links *k)
{
    if (!k)
        return;
    empty_all(k);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

/* ---- pages ---- */

static int64_t first_of(int64_t row)
{
    return (row - 1) / ROWS * ROWS + 1;
}

static struct page **set_of(struct kept_links *k, enum side side, int64_t first)
{
    uint64_t number = (uint64_t)first / ROWS * 2 + side;
    return &k->page[(number * UINT64_C(0x9e3779b97f4a7c15) >> 53) * WAYS];
}
_Static_assert(SETS == 1 << (64 - 53), "the hash gives a set");

static struct page **find_page(struct kept_links *k, enum side side, int64_t first)
{
    struct page **set = set_of(k, side, first);
    for (struct page **p = set; p < set + WAYS; p++)
        if (*p && (*p)->first == first && (*p)->side == side)
            return p;
    return NULL;
}

static void drop(struct kept_links *k, enum side side, int64_t row)
{
    struct page **place = row > 0 ? find_page(k, side, first_of(row)) : NULL;
    if (place)
        empty(k, place);
}

/* Room for as many bytes more: the hand goes over the pages, and takes those that were not used since it
 * passed them last. */
static void make_room(struct kept_links *k, size_t size)
{
    while (k->bytes + size > BYTES_MAX) {
        struct page **place = &k->page[k->hand++ % (SETS * WAYS)];
        if (*place && (*place)->lately)
            (*place)->lately = false;
        else if (*place)
            empty(k, place);
    }
}

/* A free place for it, or one that is made free. */
static struct page **place_for(struct kept_links *k, enum side side, int64_t first)
{
    struct page **set = set_of(k, side, first), **least = set;
    for (struct page **p = set; p < set + WAYS; p++) {
        if (!*p)
            return p;
        if ((*least)->lately && !(*p)->lately)
            least = p;
    }
    empty(k, least);
    for (struct page **p = set; p < set + WAYS; p++)
        if (*p)
            (*p)->lately = false;
    return least;
}

/* ---- what changed ---- */

static void drop_all(struct kept_links *k, enum side side)
{
    for (size_t i = 0; i < SETS * WAYS; i++)
        if (k->page[i] && k->page[i]->side == side)
            empty(k, &k->page[i]);
}

/* What a row that was there rested on; where that is not kept, whatever carries anything is given up. */
static void drop_antecedents(struct kept_links *k, int64_t row)
{
    unsigned shape;
    size_t count;
    struct links l = {.row = row};
    struct page **place = find_page(k, RESTS_ON, first_of(row));
    if (!place) {
        drop_all(k, CARRIES);
        return;
    }
    l.at = (*place)->bytes + (*place)->start[row - (*place)->first];
    l.end = (*place)->bytes + (*place)->start[row - (*place)->first + 1];
    l.at += l.at < l.end ? 2 : 0; /* past its kind and status */
    while (links_group(&l, &shape, &count))
        while (count-- > 0)
            drop(k, CARRIES, links_next(&l));
}

/* Rows that were there, before any page is given up. */
static int drop_before(struct kept_links *k, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT DISTINCT subject FROM event WHERE seq > ? AND subject BETWEEN 1 AND ?", e);
    int more = stmt ? db_bind(db, stmt, e, "ii", k->seq, k->last) : -1;
    k->epoch += more > 0;
    for (; more > 0; more = db_step(db, stmt, e))
        drop_antecedents(k, sqlite3_column_int64(stmt, 0));
    return more;
}

/* The links of the events' subjects are read anew, and what rests on what they name now. */
static int drop_after(struct kept_links *k, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "SELECT e.subject, l.target FROM event e LEFT JOIN link l ON l.memory = e.subject"
                   " WHERE e.seq > ? AND e.subject IS NOT NULL",
                   e);
    int more = stmt ? db_bind(db, stmt, e, "i", k->seq) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        drop(k, RESTS_ON, sqlite3_column_int64(stmt, 0));
        drop(k, CARRIES, sqlite3_column_int64(stmt, 1));
    }
    return more;
}

/* Brings it to the reader's moment: 1; 0: it is ahead of it. */
static int bring_to(struct kept_links *k, struct reader *r, int64_t seq, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t last;
    if (k->seq >= seq)
        return k->seq == seq;
    if (db_int(db, &last, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    if (seq - k->seq > EVENTS_MAX)
        empty_all(k);
    if (k->bytes > 0 && (drop_before(k, db, e) || drop_after(k, db, e))) {
        empty_all(k); /* some of it may be given up already, and the rest is of no known moment */
        return -1;
    }
    k->seq = seq;
    k->last = last;
    return 1;
}

/* ---- packing ---- */

static void add_number(struct strbuf *out, uint64_t n)
{
    for (; n > 127; n >>= 7)
        strbuf_addch(out, (char)(n | 128));
    strbuf_addch(out, (char)n);
}

static uint64_t take_number(const uint8_t **at, const uint8_t *end)
{
    uint64_t n = 0;
    for (unsigned shift = 0; *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        n |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return n;
}

/* Rows mostly name earlier ones: the difference, with its sign in the last bit. */
static uint64_t fold_difference(int64_t from, int64_t to)
{
    int64_t d = from - to;
    return d < 0 ? (uint64_t)-d << 1 | 1 : (uint64_t)d << 1;
}

static int64_t unfold_difference(int64_t from, uint64_t folded)
{
    int64_t d = (int64_t)(folded >> 1);
    return folded & 1 ? from + d : from - d;
}

/* Rows that are being packed: where each begins in `out`. */
struct packing {
    struct strbuf *out;
    int64_t first, rows;
    uint32_t start[ROWS + 1];
};

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading the lineage");
}

/* Everything up to that row ends here. */
static void begin_rows(const struct packing *p, uint32_t *start, int64_t *done, int64_t row)
{
    for (; *done <= row - p->first; (*done)++)
        start[*done] = (uint32_t)p->out->len;
}

/* The links of a group are counted before they are written, so they wait in `targets`. */
struct grouping {
    struct strbuf *out, targets;
    int64_t memory, number;
    unsigned shape;
    size_t count;
    bool open;
};

static void end_group(struct grouping *g)
{
    if (!g->open)
        return;
    strbuf_addch(g->out, (char)g->shape);
    add_number(g->out, g->count);
    strbuf_add(g->out, g->targets.buf, g->targets.len);
    g->open = false;
}

static void add_link(struct grouping *g, sqlite3_stmt *stmt)
{
    int64_t memory = sqlite3_column_int64(stmt, 0), number = sqlite3_column_int64(stmt, 1);
    int64_t shape = sqlite3_column_int64(stmt, 3);
    if (!g->open || g->memory != memory || g->number != number) {
        end_group(g);
        strbuf_clear(&g->targets);
        g->memory = memory;
        g->number = number;
        g->shape = (unsigned)(shape & 255);
        g->count = 0;
        g->open = true;
    }
    if (sqlite3_column_type(stmt, 2) == SQLITE_NULL)
        return;
    add_number(&g->targets, fold_difference(memory, sqlite3_column_int64(stmt, 2)));
    g->count++;
}

/* The links of the row that `links` stands on, if any; it is left at the first of another row. */
static int pack_links(struct grouping *g, struct db *db, sqlite3_stmt *links, int64_t row, int *more,
                      struct error *e)
{
    while (*more > 0 && sqlite3_column_int64(links, 0) <= row) {
        if (sqlite3_column_int64(links, 0) == row && ROLE_IS_SUPPORT(sqlite3_column_int(links, 3) & 31))
            add_link(g, links);
        *more = db_step(db, links, e);
    }
    end_group(g);
    return *more;
}

static int pack_memory(struct packing *p, sqlite3_stmt *stmt, struct error *e)
{
    int kind = sqlite3_column_int(stmt, 1), status = sqlite3_column_int(stmt, 2);
    if (kind < 0 || kind >= KIND_COUNT || status < 0 || status >= STATUS_COUNT)
        return reader_damaged(e, "the kind or status", sqlite3_column_int64(stmt, 0));
    strbuf_addch(p->out, (char)kind);
    strbuf_addch(p->out, (char)status);
    return 0;
}

/* Two scans side by side, both by the row. */
static int pack_rows(struct packing *p, struct grouping *g, struct db *db, sqlite3_stmt *memories,
                     sqlite3_stmt *links, struct error *e)
{
    int64_t end = p->first + p->rows, done = 0;
    int more = db_bind(db, memories, e, "ii", p->first, end);
    int linked = more < 0 ? -1 : db_bind(db, links, e, "ii", p->first, end);
    while (more > 0 && linked >= 0) {
        int64_t row = sqlite3_column_int64(memories, 0);
        begin_rows(p, p->start, &done, row);
        if (pack_memory(p, memories, e) || pack_links(g, db, links, row, &linked, e) < 0)
            return -1;
        more = db_step(db, memories, e);
    }
    begin_rows(p, p->start, &done, end);
    return more < 0 || linked < 0 ? -1 : 0;
}

static int pack_rests_on(struct packing *p, struct db *db, struct error *e)
{
    struct grouping g = {.out = p->out, .targets = STRBUF_INIT};
    sqlite3_stmt *memories =
        db_prepare(db, "SELECT id, kind, status FROM memory WHERE id >= ? AND id < ?", e);
    sqlite3_stmt *links = !memories ? NULL
                                    : db_prepare(db,
                                                 "SELECT memory, number, target, shape FROM link"
                                                 " WHERE memory >= ? AND memory < ?"
                                                 " ORDER BY memory, number, position",
                                                 e);
    int result = links ? pack_rows(p, &g, db, memories, links, e) : -1;
    sqlite3_reset(memories);
    sqlite3_reset(links);
    p->out->failed |= g.targets.failed;
    strbuf_release(&g.targets);
    return result;
}

static int pack_carries(struct packing *p, struct db *db, struct error *e)
{
    int64_t end = p->first + p->rows, done = 0, target = 0, before = 0;
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "SELECT target, memory FROM link INDEXED BY link_target"
                   " WHERE target >= ? AND target < ? AND shape & 31 < 6 ORDER BY target, memory",
                   e);
    int more = stmt ? db_bind(db, stmt, e, "ii", p->first, end) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t memory = sqlite3_column_int64(stmt, 1);
        if (sqlite3_column_int64(stmt, 0) != target) {
            target = before = sqlite3_column_int64(stmt, 0);
            begin_rows(p, p->start, &done, target);
        } else if (memory == before) {
            continue; /* named by several groups */
        }
        add_number(p->out, fold_difference(before, memory));
        before = memory;
    }
    sqlite3_reset(stmt);
    begin_rows(p, p->start, &done, end);
    return more < 0 ? -1 : 0;
}

static int pack(struct links_walk *w, struct packing *p, enum side side, struct error *e)
{
    struct db *db = reader_db(w->reader);
    strbuf_clear(p->out);
    p->out->failed = false;
    if (side == RESTS_ON ? pack_rests_on(p, db, e) : pack_carries(p, db, e))
        return -1;
    return p->out->failed ? out_of_memory(e) : 0;
}

/* ---- a walk ---- */

static int enter(struct links_walk *w, struct error *e)
{
    pthread_mutex_lock(&w->kept->lock);
    int current = bring_to(w->kept, w->reader, w->seq, e);
    w->current = current > 0;
    w->asked = 0;
    return current < 0 ? -1 : 0;
}

int links_begin(struct links_walk *w, struct reader *r, struct error *e)
{
    *w = (struct links_walk){.reader = r, .alone = STRBUF_INIT};
    if (reader_moment(r, &w->seq, e))
        return -1;
    w->kept = reader_store(r)->links;
    return enter(w, e);
}

void links_end(struct links_walk *w)
{
    if (w->kept)
        pthread_mutex_unlock(&w->kept->lock);
    strbuf_release(&w->alone);
    *w = (struct links_walk){.alone = STRBUF_INIT};
}

/* A page made of what was packed; NULL where it would be too large, or there is no memory for it. */
static struct page *make_page(struct links_walk *w, const struct packing *p, enum side side)
{
    struct kept_links *k = w->kept;
    size_t size = sizeof(struct page) + p->out->len;
    if (p->out->len > PAGE_MAX)
        return NULL;
    make_room(k, size);
    struct page **place = place_for(k, side, p->first);
    struct page *page = malloc(size);
    if (!page)
        return NULL;
    page->first = p->first;
    page->side = side;
    page->size = size;
    page->epoch = k->epoch;
    memset(page->label, UNKNOWN, sizeof(page->label));
    for (size_t i = 0; i <= ROWS; i++)
        page->start[i] = (uint16_t)p->start[i];
    memcpy(page->bytes, p->out->buf, p->out->len);
    k->bytes += size;
    return *place = page;
}

/* Where a row's bytes are. */
struct found {
    struct page *page; /* NULL: it was read by itself */
    const uint8_t *at, *end;
};

/* Reads that row alone, or its page; 1 where it is kept now. */
static int read_rows(struct links_walk *w, enum side side, int64_t row, struct found *out,
                     struct error *e)
{
    struct packing p = {.out = &w->alone, .first = first_of(row), .rows = ROWS};
    if (w->current && pack(w, &p, side, e))
        return -1;
    struct page *page = w->current ? make_page(w, &p, side) : NULL;
    out->page = page;
    if (page)
        return 1;
    p.first = row;
    p.rows = 1;
    if (pack(w, &p, side, e))
        return -1;
    out->at = (const uint8_t *)p.out->buf + p.start[0];
    out->end = (const uint8_t *)p.out->buf + p.start[1];
    return 0;
}

static int find(struct links_walk *w, enum side side, int64_t row, struct found *out,
                struct error *e)
{
    if (++w->asked >= TURN) {
        pthread_mutex_unlock(&w->kept->lock);
        if (enter(w, e))
            return -1;
    }
    struct page **place = w->current ? find_page(w->kept, side, first_of(row)) : NULL;
    out->page = place ? *place : NULL;
    int kept = place ? 1 : read_rows(w, side, row, out, e);
    if (kept > 0) {
        size_t i = (size_t)(row - out->page->first);
        out->page->lately = true;
        out->at = out->page->bytes + out->page->start[i];
        out->end = out->page->bytes + out->page->start[i + 1];
    }
    return kept < 0 ? -1 : 0;
}

static uint8_t *label_in(const struct kept_links *k, struct page *page, int64_t row)
{
    if (page->epoch != k->epoch) {
        memset(page->label, UNKNOWN, sizeof(page->label));
        page->epoch = k->epoch;
    }
    return &page->label[row - page->first];
}

static int no_such_row(struct error *e, int64_t row)
{
    return error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)row);
}

int links_of(struct links_walk *w, int64_t row, struct links *out, struct error *e)
{
    struct found found;
    if (row < 1)
        return no_such_row(e, row);
    if (find(w, RESTS_ON, row, &found, e))
        return -1;
    /* A page that was read before the row was there has nothing of it. */
    if (found.at == found.end && found.page) {
        drop(w->kept, RESTS_ON, row);
        if (find(w, RESTS_ON, row, &found, e))
            return -1;
    }
    if (found.at == found.end)
        return no_such_row(e, row);
    *out = (struct links){.kind = (enum kind)found.at[0],
                          .status = (enum status)found.at[1],
                          .label = -1,
                          .row = row,
                          .at = found.at + 2,
                          .end = found.end};
    if (found.page && *label_in(w->kept, found.page, row) != UNKNOWN)
        out->label = *label_in(w->kept, found.page, row);
    return 0;
}

bool links_group(struct links *l, unsigned *shape, size_t *count)
{
    if (l->at >= l->end)
        return false;
    *shape = *l->at++;
    *count = (size_t)take_number(&l->at, l->end);
    return true;
}

int64_t links_next(struct links *l)
{
    return unfold_difference(l->row, take_number(&l->at, l->end));
}

int links_users(struct links_walk *w, int64_t row, struct users *out, struct error *e)
{
    struct found found;
    if (row < 1)
        return no_such_row(e, row);
    if (find(w, CARRIES, row, &found, e))
        return -1;
    *out = (struct users){.row = row, .at = found.at, .end = found.end};
    return 0;
}

int64_t links_user(struct users *u)
{
    if (u->at >= u->end)
        return 0;
    return u->row = unfold_difference(u->row, take_number(&u->at, u->end));
}

void links_keep_label(struct links_walk *w, int64_t row, enum label label)
{
    struct page **place = w->current && row > 0 ? find_page(w->kept, RESTS_ON, first_of(row)) : NULL;
    if (place)
        *label_in(w->kept, *place, row) = (uint8_t)label;
}
