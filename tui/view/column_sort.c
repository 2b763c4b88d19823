/* Sorts a short list by what its lines show in a column that no index of the store has. */
#include "tui/view/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/lineage/effective.h"
#include "store/record/get.h"
#include "tui/explorer/details.h"

#define KEY_BYTES 96 /* of a text; as many are compared */

struct column_key {
    int64_t node;
    size_t place;  /* decides between equal keys */
    double number; /* NAN if it has none, or is a text */
    char text[KEY_BYTES];
};

/* ---- keys ---- */

static const char *kind_text(int column, const struct memory_row *m, const struct detail *d)
{
    switch (column) {
    case COLUMN_KIND:
        return kind_name(m->ref.kind);
    case COLUMN_SUBTYPE:
    case COLUMN_ORIGIN:
        return d->subtype;
    case COLUMN_SOURCE:
        return m->source_type ? source_type_label(m->source_type) : "";
    case COLUMN_AGENT:
        return m->agent ? m->agent : "";
    case COLUMN_MEMORY:
        return m->ref.id;
    default: /* a URI, a place, an answer */
        return d->more.known ? d->more.text : "";
    }
}

static double number_of(int column, const struct memory_row *m, const struct detail *d)
{
    const struct kind_detail *k = &d->more;
    bool step = m->ref.kind == KIND_STEP;
    switch (column) {
    case COLUMN_SIGN:
        return -(double)sign_of_memory(m->status, d->label.label);
    case COLUMN_HISTORY: /* the last of several values */
        return d->level_count ? (double)d->level[d->level_count - 1] : NAN;
    case COLUMN_SUPPORT:
        return d->label.justs ? d->label.valid + d->label.justs / 1e6 : NAN;
    case COLUMN_FLAGS:
        return m->flags ? m->flags : NAN;
    case COLUMN_TOKENS:
        return d->tokens ? (double)d->tokens : NAN;
    case COLUMN_OPENED:
        return d->opened_at ? (double)d->opened_at : NAN;
    default:
        break;
    }
    if (!k->known)
        return NAN;
    return column == COLUMN_STATE     ? (double)k->chain.state
           : column == COLUMN_STEPS   ? (double)k->chain.steps
           : column == COLUMN_SOURCES ? (double)(step ? k->step.sources : k->chain.sources)
           : column == COLUMN_TIME    ? k->chain.time
           : column == COLUMN_NUMBER  ? k->step.number > 0 ? (double)k->step.number : NAN
           : column == COLUMN_CHAIN   ? (double)k->step.chain
           : column == COLUMN_SCORE   ? k->citation.relevance
           : column == COLUMN_USES    ? (double)k->document.uses
                                      : NAN;
}

static void read_key(struct column_key *key, int column, const struct memory_row *m,
                     const struct detail *d)
{
    AUTO_STRBUF folded = STRBUF_INIT;
    if (!column_is_text(column)) {
        key->number = number_of(column, m, d);
        return;
    }
    const char *text = kind_text(column, m, d);
    fold_text(&folded, text, strlen(text));
    snprintf(key->text, sizeof(key->text), "%s", folded.len ? folded.buf : "");
}

/* ---- sorting ---- */

static bool is_known(const struct column_key *key)
{
    return *key->text || key->number == key->number;
}

static int compare(const struct column_key *a, const struct column_key *b, int direction)
{
    int order = is_known(b) - is_known(a);
    if (!order && is_known(a))
        order = direction * (*a->text ? strcmp(a->text, b->text) : COMPARE(a->number, b->number));
    return order ? order : COMPARE(a->place, b->place);
}

static int ascending(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int descending(const void *a, const void *b)
{
    return compare(a, b, -1);
}

/* Reads the keys of the next rows, as many as a job of the details has. */
static int read_keys(struct column_sort *s, struct reader *r, const int64_t *rows, size_t count,
                     struct error *e)
{
    AUTO_FREE struct detail *detail = xcalloc(count + 1, sizeof(*detail));
    if (details_read(r, rows, count, false, detail, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct column_key *key = &s->key[s->count];
        struct memory_row m;
        *key = (struct column_key){.node = rows[i], .place = s->count, .number = NAN};
        s->count++;
        if (memory_row_read(r, &arena, rows[i], &m, e)) {
            if (e->code != ERROR_NOT_FOUND)
                return -1;
        } else {
            read_key(key, s->column, &m, &detail[i]);
        }
    }
    return 0;
}

int column_sort_step(struct column_sort *s, struct reader *r, int64_t *rows, size_t count,
                     struct error *e)
{
    size_t left = count - s->count, part = left < DETAILS_BATCH ? left : DETAILS_BATCH;
    if (!s->key)
        s->key = xcalloc(count + 1, sizeof(*s->key));
    if (read_keys(s, r, rows + s->count, part, e))
        return -1;
    if (s->count < count)
        return 1;
    qsort(s->key, count, sizeof(*s->key), s->up ? ascending : descending);
    for (size_t i = 0; i < count; i++)
        rows[i] = s->key[i].node;
    return 0;
}

void column_sort_release(struct column_sort *s)
{
    free(s->key);
    s->key = NULL;
}
