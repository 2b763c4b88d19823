#include "store/lineage/kept_labels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/lineage/all_labels.h"
#include "store/guard/guard.h"
#include "store/lineage/kept_links.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

/* A walk has some: of those in its set the one that costs least to be found again gives way. */
#define WALKS 128
#define SET   4

struct walk {
    struct beyond_what what; /* row 0: empty */
    int64_t seq;             /* when it was found */
    struct beyond beyond;
};

struct kept_labels {
    pthread_mutex_t lock;
    int64_t seq;  /* the event up to which all of it holds */
    int64_t last; /* the greatest row at that event */
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

/* ---- labels ---- */

/* What is known of them; LABEL_COUNT where nothing is. How many those are into *missing. */
static int look_up(struct reader *r, const int64_t *rows, size_t count, enum label *out,
                   size_t *missing, struct error *e)
{
    struct links_walk w;
    int result = links_begin(&w, r, e);
    *missing = 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        int label;
        result = links_label(&w, rows[i], &label, e);
        out[i] = result || label < 0 ? LABEL_COUNT : (enum label)label;
        *missing += out[i] == LABEL_COUNT;
    }
    bool lacking = result == 0 && *missing > 0 && links_lack_labels(&w);
    links_end(&w);
    if (lacking)
        all_labels_want(reader_store(r)->all_labels);
    return result;
}

/* Those of which nothing is known; `asked` and `found` have room for them. */
static int find_missing(struct reader *r, const int64_t *rows, size_t count, enum label *out,
                        int64_t *asked, struct row_label *found, struct error *e)
{
    size_t missing = 0;
    for (size_t i = 0; i < count; i++)
        if (out[i] == LABEL_COUNT)
            asked[missing++] = rows[i];
    if (labels_seen_of_rows(r, asked, missing, found, e))
        return -1;
    for (size_t i = 0, next = 0; i < count; i++)
        if (out[i] == LABEL_COUNT)
            out[i] = found[next++].label;
    return 0;
}

int kept_labels_of_rows(struct reader *r, const int64_t *rows, size_t count, enum label *out,
                        struct error *e)
{
    size_t missing = count;
    if (reader_keeps(r) && !guard_hides_linked_entries(r)) {
        if (look_up(r, rows, count, out, &missing, e))
            return -1;
    } else {
        for (size_t i = 0; i < count; i++)
            out[i] = LABEL_COUNT;
    }
    if (missing == 0)
        return 0;
    int64_t *asked = xmalloc(missing * sizeof(*asked));
    struct row_label *found = xmalloc(missing * sizeof(*found));
    int result = asked && found ? find_missing(r, rows, count, out, asked, found, e)
                                : error_set(e, ERROR_MEMORY, "", "memory ran out");
    free(asked);
    free(found);
    return result;
}

/* ---- what lies deeper ---- */

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
    if (least <= k->last)
        memset(k->walk, 0, sizeof(k->walk));
    k->seq = seq;
    k->last = last;
    return 1;
}

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
