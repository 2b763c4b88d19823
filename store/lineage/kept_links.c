#include "store/lineage/kept_links.h"

#include <pthread.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/lineage/kept_reach.h"
#include "store/lineage/known_labels.h"
#include "store/lineage/packed_links.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

#define SETS       4096
#define WAYS       4
#define BYTES_MAX  (3 << 20)  /* of all pages */
#define PAGE_MAX   (32 << 10) /* rows with more links are read by themselves */
#define EVENTS_MAX 4096       /* after more than that nothing is looked through: all is given up */
#define LACK_LEAST 64  /* pages that are read for a label before all are worth their while, */
#define LACK_ROWS  512 /* and one for so many rows, of which each costs a pass as much */
#define TURN       256 /* rows that a walk asks for before it lets others in */

/* What was found of a row: its label, whether it lies on a circle, and whether it stands. */
#define LABEL_UNKNOWN  LABEL_COUNT
#define LABEL_BITS     15
#define CIRCLE_SHIFT   4
#define STANDING_SHIFT 6
#define ANSWER_BITS    3 /* 0: not known; 1: no; 2: yes */
struct page {
    int64_t first;  /* its first row */
    uint32_t size;  /* of all of it */
    uint32_t epoch; /* of its labels */
    uint8_t side;   /* enum packed_side */
    bool lately;    /* it was used since the hand passed */
    uint16_t start[PACKED_ROWS + 1];
    uint8_t bytes
        []; /* what was found of each row and what it is, where it says what they rest on; then the links */
};

static size_t links_at(enum packed_side side)
{
    return side == RESTS_ON ? 2 * PACKED_ROWS : 0;
}

/* Of a page that says what rows rest on. */
static uint8_t *findings_of(struct page *page)
{
    return page->bytes;
}

/* The same; 0: not known. */
static uint8_t *natures_of(struct page *page)
{
    return page->bytes + PACKED_ROWS;
}
_Static_assert(KIND_COUNT < 32 && STATUS_COUNT <= 8, "what a row is fits into a byte");

struct kept_links {
    pthread_mutex_t lock;
    int64_t seq;    /* the event up to which all of it holds */
    int64_t last;   /* the greatest row at that event */
    uint32_t epoch; /* labels of another one do not hold any more, nor what was reached */
    struct known_labels known;
    unsigned lacking; /* pages that were not there for a label, since those were known */
    int64_t lacked;   /* the last of them: its first row */
    size_t bytes, hand;
    struct page *page[SETS * WAYS];
    struct kept_reach reach;
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
    k->epoch++;
    known_labels_release(&k->known);
    for (size_t i = 0; i < SETS * WAYS && k->bytes; i++)
        empty(k, &k->page[i]);
}

void kept_links_free(struct kept_links *k)
{
    if (!k)
        return;
    empty_all(k);
    kept_reach_release(&k->reach);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

/* ---- pages ---- */

static int64_t first_of(int64_t row)
{
    return (row - 1) / PACKED_ROWS * PACKED_ROWS + 1;
}

static struct page **set_of(struct kept_links *k, enum packed_side side, int64_t first)
{
    uint64_t number = (uint64_t)first / PACKED_ROWS * 2 + side;
    return &k->page[(number * UINT64_C(0x9e3779b97f4a7c15) >> 52) * WAYS];
}
_Static_assert(SETS == 1 << (64 - 52), "the hash gives a set");

static struct page **find_page(struct kept_links *k, enum packed_side side, int64_t first)
{
    struct page **set = set_of(k, side, first);
    for (struct page **p = set; p < set + WAYS; p++)
        if (*p && (*p)->first == first && (*p)->side == side)
            return p;
    return NULL;
}

static void drop(struct kept_links *k, enum packed_side side, int64_t row)
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
static struct page **place_for(struct kept_links *k, enum packed_side side, int64_t first)
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

static void drop_all(struct kept_links *k, enum packed_side side)
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
    const uint8_t *links = (*place)->bytes + links_at(RESTS_ON);
    l.at = links + (*place)->start[row - (*place)->first];
    l.end = links + (*place)->start[row - (*place)->first + 1];
    while (links_group(&l, &shape, &count))
        while (count-- > 0)
            drop(k, CARRIES, links_next(&l));
}

/* Rows that were there, before any page is given up. */
static int drop_before(struct kept_links *k, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT DISTINCT subject FROM event WHERE seq > ? AND subject BETWEEN 1 AND ?", e);
    struct losing_labels losing;
    losing.count = 0;
    int more = stmt ? db_bind(db, stmt, e, "ii", k->seq, k->last) : -1;
    k->epoch += more > 0;
    for (; more > 0; more = db_step(db, stmt, e)) {
        drop_antecedents(k, sqlite3_column_int64(stmt, 0));
        known_labels_lose(&k->known, &losing, sqlite3_column_int64(stmt, 0));
    }
    known_labels_lose_behind(&k->known, &losing, db);
    return more;
}

/* The links of the events' subjects are read anew, and what rests on what they name now. */
static int drop_after(struct kept_links *k, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(
        db,
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
    if (seq - k->seq > EVENTS_MAX) {
        empty_all(k);
    } else if (drop_before(k, db, e) || (k->bytes > 0 && drop_after(k, db, e))) {
        empty_all(k); /* some of it may be given up already, and the rest is of no known moment */
        return -1;
    }
    k->seq = seq;
    k->last = last;
    return 1;
}

/* ---- a walk ---- */

static void forget_last(struct links_walk *w)
{
    w->last[RESTS_ON] = w->last[CARRIES] = NULL;
}

static int enter(struct links_walk *w, struct error *e)
{
    pthread_mutex_lock(&w->kept->lock);
    int current = bring_to(w->kept, w->reader, w->seq, e);
    w->current = current > 0;
    w->rows = w->current ? w->kept->last : w->rows;
    w->epoch = w->kept->epoch;
    w->reach = w->current ? &w->kept->reach : NULL;
    w->asked = 0;
    forget_last(w);
    return current < 0 ? -1 : 0;
}

/* Where what is kept does not say it. */
static int count_rows(struct links_walk *w, struct error *e)
{
    return w->rows >= 0
               ? 0
               : db_int(reader_db(w->reader), &w->rows, 0, e, "SELECT max(id) FROM memory", "");
}

int links_begin(struct links_walk *w, struct reader *r, struct error *e)
{
    *w = (struct links_walk){.reader = r, .rows = -1, .alone = STRBUF_INIT};
    if (reader_moment(r, &w->seq, e))
        return -1;
    w->kept = reader_keeps(r) ? reader_store(r)->links : NULL;
    return (w->kept && enter(w, e)) || count_rows(w, e) ? -1 : 0;
}

void links_end(struct links_walk *w)
{
    if (w->kept)
        pthread_mutex_unlock(&w->kept->lock);
    strbuf_release(&w->alone);
    *w = (struct links_walk){.alone = STRBUF_INIT};
}

/* A page made of what was packed; NULL where it would be too large, or there is no memory for it. */
static struct page *make_page(struct links_walk *w, const struct packed *p, enum packed_side side)
{
    struct kept_links *k = w->kept;
    size_t size = sizeof(struct page) + links_at(side) + p->out->len;
    if (p->out->len > PAGE_MAX)
        return NULL;
    make_room(k, size);
    struct page **place = place_for(k, side, p->first);
    struct page *page = xmalloc(size);
    if (!page)
        return NULL;
    page->first = p->first;
    page->side = (uint8_t)side;
    page->size = (uint32_t)size;
    page->epoch = k->epoch;
    if (side == RESTS_ON) {
        memset(findings_of(page), LABEL_UNKNOWN, PACKED_ROWS);
        memset(natures_of(page), 0, PACKED_ROWS);
    }
    for (size_t i = 0; i <= PACKED_ROWS; i++)
        page->start[i] = (uint16_t)p->start[i];
    memcpy(page->bytes + links_at(side), p->out->buf, p->out->len);
    k->bytes += size;
    return *place = page;
}

/* Where a row's bytes are. */
struct found {
    struct page *page; /* NULL: it was read by itself */
    const uint8_t *at, *end;
};

/* Reads that row alone, or its page; 1 where it is kept now. */
static int read_rows(struct links_walk *w, enum packed_side side, int64_t row, struct found *out,
                     struct error *e)
{
    struct packed p = {.out = &w->alone, .first = first_of(row), .rows = PACKED_ROWS};
    forget_last(w); /* it may be what makes room */
    if (w->current && pack_rows(&p, reader_db(w->reader), side, e))
        return -1;
    struct page *page = w->current ? make_page(w, &p, side) : NULL;
    out->page = page;
    if (page)
        return 1;
    p.first = row;
    p.rows = 1;
    if (pack_rows(&p, reader_db(w->reader), side, e))
        return -1;
    out->at = (const uint8_t *)p.out->buf + p.start[0];
    out->end = (const uint8_t *)p.out->buf + p.start[1];
    return 0;
}

/* Lets others in, where it asked much. */
static int take_turn(struct links_walk *w, struct error *e)
{
    if (++w->asked < TURN || !w->kept)
        return 0;
    pthread_mutex_unlock(&w->kept->lock);
    return enter(w, e);
}

static int find(struct links_walk *w, enum packed_side side, int64_t row, struct found *out,
                struct error *e)
{
    int kept = 1;
    if (take_turn(w, e))
        return -1;
    out->page = w->last[side];
    if (!out->page || first_of(row) != out->page->first) {
        struct page **place = w->current ? find_page(w->kept, side, first_of(row)) : NULL;
        out->page = place ? *place : NULL;
        kept = place ? 1 : read_rows(w, side, row, out, e);
    }
    if (kept > 0) {
        size_t i = (size_t)(row - out->page->first);
        w->last[side] = out->page;
        out->page->lately = true;
        out->at = out->page->bytes + links_at(side) + out->page->start[i];
        out->end = out->page->bytes + links_at(side) + out->page->start[i + 1];
    }
    return kept < 0 ? -1 : 0;
}

static uint8_t *finding_in(const struct kept_links *k, struct page *page, int64_t row)
{
    if (page->epoch != k->epoch) {
        memset(findings_of(page), LABEL_UNKNOWN, PACKED_ROWS);
        page->epoch = k->epoch;
    }
    return &findings_of(page)[row - page->first];
}

static int no_such_row(struct error *e, int64_t row)
{
    return error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)row);
}

/* As it is kept: -1 where it is not known. */
static int answer_of(uint8_t finding, unsigned shift)
{
    return (finding >> shift & ANSWER_BITS) - 1;
}

int links_of(struct links_walk *w, int64_t row, struct links *out, struct error *e)
{
    struct found found;
    if (row < 1 || row > w->rows)
        return no_such_row(e, row);
    if (find(w, RESTS_ON, row, &found, e))
        return -1;
    *out = (struct links){.circle = -1, .row = row, .at = found.at, .end = found.end};
    if (found.page)
        out->circle = answer_of(*finding_in(w->kept, found.page, row), CIRCLE_SHIFT);
    return 0;
}

/* Rows that lie side by side are read at once. */
static void note_lack(struct kept_links *k, int64_t row)
{
    k->lacking += first_of(row) != k->lacked;
    k->lacked = first_of(row);
}

/* What was found of a row, without reading anything. */
static int find_finding(struct links_walk *w, int64_t row, uint8_t *out, struct error *e)
{
    *out = LABEL_UNKNOWN;
    if (take_turn(w, e))
        return -1;
    if (!w->current || row < 1)
        return 0;
    int label = known_label(&w->kept->known, row);
    struct page **place = label < 0 ? find_page(w->kept, RESTS_ON, first_of(row)) : NULL;
    if (label >= 0)
        *out = (uint8_t)label;
    else if (place)
        *out = *finding_in(w->kept, *place, row);
    else
        note_lack(w->kept, row);
    return 0;
}

int links_label(struct links_walk *w, int64_t row, int *label, struct error *e)
{
    uint8_t finding;
    if (find_finding(w, row, &finding, e))
        return -1;
    *label = (finding & LABEL_BITS) == LABEL_UNKNOWN ? -1 : finding & LABEL_BITS;
    return 0;
}

int links_stands(struct links_walk *w, int64_t row, int *stands, struct error *e)
{
    uint8_t finding;
    if (find_finding(w, row, &finding, e))
        return -1;
    *stands = (finding & LABEL_BITS) == LABEL_UNKNOWN
                  ? answer_of(finding, STANDING_SHIFT)
                  : label_stands((enum label)(finding & LABEL_BITS));
    return 0;
}

/* All rows of a page at once. */
static int read_natures(struct links_walk *w, struct page *page, struct error *e)
{
    struct packed_nature nature[PACKED_ROWS] = {{0}};
    if (pack_natures(nature, page->first, PACKED_ROWS, reader_db(w->reader), e))
        return -1;
    for (size_t i = 0; i < PACKED_ROWS; i++)
        natures_of(page)[i] =
            nature[i].there ? (uint8_t)((nature[i].kind + 1) << 3 | nature[i].status) : 0;
    return 0;
}

/* Of one row, or of a page that has it already. A page that was read before the row was there has nothing
 * of it, and is read again. */
static int read_nature(struct links_walk *w, int64_t row, struct packed_nature *out,
                       struct error *e)
{
    struct page *page = w->last[RESTS_ON];
    *out = (struct packed_nature){0};
    if (!page || first_of(row) != page->first)
        return pack_natures(out, row, 1, reader_db(w->reader), e);
    const uint8_t *nature = &natures_of(page)[row - page->first];
    if (!*nature && read_natures(w, page, e))
        return -1;
    if (*nature)
        *out = (struct packed_nature){(uint8_t)((*nature >> 3) - 1), *nature & 7, true};
    return 0;
}

int links_nature(struct links_walk *w, int64_t row, enum kind *kind, enum status *status,
                 struct error *e)
{
    struct packed_nature nature;
    if (read_nature(w, row, &nature, e))
        return -1;
    *kind = (enum kind)nature.kind;
    *status = (enum status)nature.status;
    return nature.there ? 0 : no_such_row(e, row);
}

int links_users(struct links_walk *w, int64_t row, struct users *out, struct error *e)
{
    struct found found;
    if (row < 1 || row > w->rows)
        return no_such_row(e, row);
    if (find(w, CARRIES, row, &found, e))
        return -1;
    *out = (struct users){.row = row, .at = found.at, .end = found.end};
    return 0;
}

/* Those bits of what was found of a row, where its page is kept. */
static void keep_finding(struct links_walk *w, int64_t row, unsigned shift, unsigned mask,
                         unsigned bits)
{
    struct page **place =
        w->current && row > 0 ? find_page(w->kept, RESTS_ON, first_of(row)) : NULL;
    if (!place)
        return;
    uint8_t *finding = finding_in(w->kept, *place, row);
    *finding = (uint8_t)((*finding & ~(mask << shift)) | bits << shift);
}

void links_keep_label(struct links_walk *w, int64_t row, enum label label)
{
    keep_finding(w, row, 0, LABEL_BITS, label);
}

void links_keep_circle(struct links_walk *w, int64_t row, bool circle)
{
    keep_finding(w, row, CIRCLE_SHIFT, ANSWER_BITS, circle ? 2 : 1);
}

void links_keep_standing(struct links_walk *w, int64_t row, bool stands)
{
    keep_finding(w, row, STANDING_SHIFT, ANSWER_BITS, stands ? 2 : 1);
}

/* ---- all labels ---- */

bool links_lack_labels(const struct links_walk *w)
{
    int64_t enough = w->rows / LACK_ROWS;
    return w->current && w->kept->lacking >= (enough > LACK_LEAST ? enough : LACK_LEAST);
}

bool kept_links_take_labels(struct kept_links *k, uint32_t epoch, uint8_t *label, size_t count)
{
    pthread_mutex_lock(&k->lock);
    bool holds = k->epoch == epoch;
    if (holds) {
        known_labels_take(&k->known, label, (int64_t)count);
        k->lacking = 0;
    }
    pthread_mutex_unlock(&k->lock);
    if (!holds)
        free(label);
    return holds;
}
