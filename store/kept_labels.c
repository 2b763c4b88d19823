#include "kept_labels.h"

#include <pthread.h>
#include <string.h>
#include "../model/alloc.h"
#include "guard.h"
#include "reader.h"
#include "store_state.h"

/* A row has one place: what falls on it later takes it over. */
#define SLOTS 8192
/* A walk has some: of those in its set the one that costs least to be found again gives way. */
#define WALKS 128
#define SET   4

struct slot {
    int64_t row; /* 0: empty */
    struct row_label label;
};

struct walk {
    struct beyond_what what; /* row 0: empty */
    int64_t seq;             /* when it was found */
    struct beyond beyond;
};

struct kept_labels {
    pthread_mutex_t lock;
    int64_t seq;  /* the event up to which all of it holds */
    int64_t last; /* the greatest row at that event */
    struct slot slot[SLOTS];
    struct walk walk[WALKS][SET];
};

struct kept_labels *kept_labels_new(void)
{
    struct kept_labels *k = xcalloc(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

void kept_labels_free(struct kept_labels *k)
{
    if (!k)
        return;
    pthread_mutex_destroy(&k->lock);
    free(k);
}

/* Brings it to the reader's moment: 1; 0: it is ahead of it. */
static int bring_to(struct kept_labels *k, struct db *db, int64_t seq, struct error *e)
{
    int64_t least, last;
    if (k->seq >= seq)
        return k->seq == seq;
    if (db_int(db, &least, 0, e,
               "SELECT coalesce(min(subject), 9223372036854775807) FROM event WHERE seq > ?", "i",
               k->seq) ||
        db_int(db, &last, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    if (least <= k->last) {
        memset(k->slot, 0, sizeof(k->slot));
        memset(k->walk, 0, sizeof(k->walk));
    }
    k->seq = seq;
    k->last = last;
    return 1;
}

/* What is kept, into `out`; the places of the others into `missing`. -1 on error. */
static int look_up(struct kept_labels *k, struct db *db, int64_t seq, const int64_t *rows,
                   size_t count, struct row_label *out, size_t *missing, struct error *e)
{
    int missed = 0;
    pthread_mutex_lock(&k->lock);
    int current = bring_to(k, db, seq, e);
    for (size_t i = 0; i < count && current >= 0; i++) {
        const struct slot *slot = &k->slot[(uint64_t)rows[i] % SLOTS];
        if (current && slot->row == rows[i])
            out[i] = slot->label;
        else
            missing[missed++] = i;
    }
    pthread_mutex_unlock(&k->lock);
    return current < 0 ? -1 : missed;
}

static void keep(struct kept_labels *k, int64_t seq, const int64_t *rows,
                 const struct row_label *labels, size_t count)
{
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < count && k->seq == seq; i++)
        k->slot[(uint64_t)rows[i] % SLOTS] = (struct slot){rows[i], labels[i]};
    pthread_mutex_unlock(&k->lock);
}

int kept_labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        struct error *e)
{
    struct kept_labels *k = reader_store(r)->labels;
    size_t missing[KEPT_LABELS_ASKED];
    int64_t asked[KEPT_LABELS_ASKED];
    struct row_label found[KEPT_LABELS_ASKED];
    int64_t seq;
    if (count > KEPT_LABELS_ASKED || !reader_keeps(r) || guard_hides_linked_entries(r))
        return labels_seen_of_rows(r, rows, count, out, e);
    if (reader_moment(r, &seq, e))
        return -1;
    int missed = look_up(k, reader_db(r), seq, rows, count, out, missing, e);
    if (missed <= 0)
        return missed;
    for (int i = 0; i < missed; i++)
        asked[i] = rows[missing[i]];
    if (labels_of_rows(r, asked, (size_t)missed, found, e))
        return -1;
    for (int i = 0; i < missed; i++)
        out[missing[i]] = found[i];
    keep(k, seq, asked, found, (size_t)missed);
    return 0;
}

/* ---- what lies deeper ---- */

static bool is_of(const struct walk *w, const struct beyond_what *what)
{
    return w->what.row == what->row && w->what.direction == what->direction &&
           w->what.depth == what->depth;
}

/* The walk where it is kept, else the one that it would take over. */
static struct walk *find_walk(struct kept_labels *k, const struct beyond_what *what)
{
    struct walk *set = k->walk[(uint64_t)what->row % WALKS], *least = set;
    for (struct walk *w = set; w < set + SET; w++) {
        if (is_of(w, what))
            return w;
        if (least->what.row && (!w->what.row || w->beyond.cut < least->beyond.cut))
            least = w;
    }
    return least;
}

static bool holds_at(const struct walk *w, int64_t seq)
{
    return w->what.direction == ANCESTORS || w->seq == seq;
}

int kept_beyond_find(struct reader *r, const struct beyond_what *what, struct beyond *out,
                     struct error *e)
{
    struct kept_labels *k = reader_store(r)->labels;
    int64_t seq;
    if (!reader_keeps(r))
        return 0;
    if (reader_moment(r, &seq, e))
        return -1;
    pthread_mutex_lock(&k->lock);
    int found = bring_to(k, reader_db(r), seq, e);
    const struct walk *kept = find_walk(k, what);
    if (found > 0 && (found = is_of(kept, what) && holds_at(kept, seq)))
        *out = kept->beyond;
    pthread_mutex_unlock(&k->lock);
    return found;
}

int kept_beyond_keep(struct reader *r, const struct beyond_what *what, const struct beyond *beyond,
                     struct error *e)
{
    struct kept_labels *k = reader_store(r)->labels;
    int64_t seq;
    if (!reader_keeps(r))
        return 0;
    if (reader_moment(r, &seq, e))
        return -1;
    pthread_mutex_lock(&k->lock);
    if (k->seq == seq)
        *find_walk(k, what) = (struct walk){*what, seq, *beyond};
    pthread_mutex_unlock(&k->lock);
    return 0;
}
