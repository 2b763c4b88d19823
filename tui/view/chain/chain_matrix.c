#include "tui/view/chain/chain_matrix.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "model/base/alloc.h"
#include "tui/render/chain_page.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

#define CHAIN_QUESTION_MAX 72

const char *step_order_name(enum step_order order)
{
    static const char *const names[STEP_ORDERS] = {"number", "confidence", "time"};
    return names[order];
}

const char *document_order_name(enum document_order order)
{
    static const char *const names[DOCUMENT_ORDERS] = {"relevance", "first use", "title", "steps"};
    return names[order];
}

/* ---- cells ---- */

static size_t *count_up(struct arena *arena, size_t count)
{
    size_t *number = arena_array(arena, count + 1, sizeof(*number));
    for (size_t i = 0; i < count; i++)
        number[i] = i;
    return number;
}

static bool is_judged(const struct judgement judgements[JUDGES])
{
    for (int judge = 0; judge < JUDGES; judge++)
        if (judgements[judge].word)
            return true;
    return false;
}

void matrix_make(struct matrix *m, struct arena *arena, const struct chain *chain)
{
    double *confidence = arena_array(arena, chain->step_count + 1, sizeof(*confidence));
    struct {
        size_t step, uses; /* the last step that used it, from 1, and the number of uses */
    } *last = arena_array(arena, chain->document_count + 1, sizeof(*last));
    *m = (struct matrix){.chain = chain,
                         .step = count_up(arena, chain->step_count),
                         .document = count_up(arena, chain->document_count)};
    for (size_t i = 0; i < chain->step_count; i++) {
        confidence[i] = chain->step[i].confidence;
        m->rated |= is_judged(chain->step[i].faithful);
        for (size_t k = 0; k < chain->step[i].source_count; k++) {
            const struct chain_source *s = &chain->step[i].source[k];
            last[s->column].uses = last[s->column].step == i + 1 ? last[s->column].uses + 1 : 1;
            last[s->column].step = i + 1;
            m->rated |= is_judged(s->rating);
            m->origins |= 1u << s->source.origin;
            m->most_uses =
                last[s->column].uses > m->most_uses ? last[s->column].uses : m->most_uses;
        }
    }
    m->confidence = chain_confidence(confidence, chain->step_count);
}

const struct chain_source *matrix_at(const struct matrix *m, size_t step, size_t document,
                                     size_t *uses)
{
    const struct chain_source *best = NULL;
    size_t count = 0;
    for (size_t i = 0; step < m->chain->step_count && i < m->chain->step[step].source_count; i++) {
        const struct chain_source *s = &m->chain->step[step].source[i];
        double mine = s->source.relevance;
        if (s->column != document)
            continue;
        if (count++ == 0 || (mine == mine && !(best->source.relevance >= mine)))
            best = s;
    }
    if (uses)
        *uses = count;
    return best;
}

/* ---- orders ---- */

struct keyed {
    double key; /* ascending; NAN last */
    const char *text;
    size_t number;
    bool reversed;
};

static int compare_numbers(double x, double y)
{
    if (x != x || y != y)
        return (x != x) - (y != y);
    return x < y ? -1 : x > y;
}

/* Unknown values stay last in reversed order, too. */
static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = x->text ? strcasecmp(x->text, y->text) : compare_numbers(x->key, y->key);
    bool known = x->text || (x->key == x->key && y->key == y->key);
    if (x->reversed && known)
        order = -order;
    if (order == 0)
        order = x->number < y->number ? -1 : 1;
    return order;
}

static void take_order(struct keyed *keyed, size_t count, size_t *at)
{
    qsort(keyed, count, sizeof(*keyed), by_key);
    for (size_t i = 0; i < count; i++)
        at[i] = keyed[i].number;
}

static double step_key(const struct chain_step *s, size_t number, enum step_order order)
{
    return order == STEPS_BY_CONFIDENCE ? -s->effective
           : order == STEPS_BY_TIME     ? -s->execution_time
                                        : (double)number;
}

/* Key of the first use: the step and the position among its sources, as one number. */
static void find_first_uses(const struct chain *c, struct keyed *keyed)
{
    size_t use = 0;
    for (size_t i = 0; i < c->document_count; i++)
        keyed[i].key = INFINITY;
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++, use++) {
            size_t column = c->step[i].source[k].column;
            if (keyed[column].key == INFINITY)
                keyed[column].key = (double)use;
        }
}

static void key_documents(const struct chain *c, struct keyed *keyed, enum document_order order)
{
    for (size_t i = 0; i < c->document_count; i++) {
        const struct chain_document *d = &c->document[i];
        if (order == DOCUMENTS_BY_TITLE)
            keyed[i].text = d->title ? d->title : d->id ? d->id : "";
        keyed[i].key = order == DOCUMENTS_BY_STEPS ? -(double)d->steps : (double)i;
    }
    if (order == DOCUMENTS_BY_FIRST_USE)
        find_first_uses(c, keyed);
}

void matrix_order(struct matrix *m, enum step_order steps, bool steps_reversed,
                  enum document_order documents, bool documents_reversed)
{
    const struct chain *c = m->chain;
    size_t most = c->step_count > c->document_count ? c->step_count : c->document_count;
    AUTO_FREE struct keyed *keyed = xmalloc((most ? most : 1) * sizeof(*keyed));
    for (size_t i = 0; i < c->step_count; i++)
        keyed[i] = (struct keyed){step_key(&c->step[i], i, steps), NULL, i, steps_reversed};
    take_order(keyed, c->step_count, m->step);
    for (size_t i = 0; i < c->document_count; i++)
        keyed[i] = (struct keyed){0, NULL, i, documents_reversed};
    key_documents(c, keyed, documents);
    take_order(keyed, c->document_count, m->document);
}

static void widen(int *widest, size_t width)
{
    if ((int)width > *widest)
        *widest = (int)width;
}

/* Measures widths once instead of in every frame. */
static void measure(struct chain_reading *c)
{
    c->number_width = 1;
    for (size_t i = 0; i < c->chain.step_count; i++) {
        const struct chain_step *s = &c->chain.step[i];
        const char *question = s->question ? s->question : "";
        char time[24];
        seconds_text(time, s->execution_time);
        widen(&c->number_width, (size_t)snprintf(NULL, 0, "%lld", (long long)s->number));
        widen(&c->time_width, strlen(time));
        if (c->question_width < CHAIN_QUESTION_MAX)
            widen(&c->question_width,
                  text_width(question, strlen(question), CHAIN_QUESTION_MAX, 0));
    }
    if (c->question_width > CHAIN_QUESTION_MAX)
        c->question_width = CHAIN_QUESTION_MAX;
    for (size_t i = 0; i < c->chain.document_count; i++) {
        char letter[16];
        matrix_letter(letter, i);
        widen(&c->letter_width, strlen(letter));
        c->primary += c->chain.document[i].primary;
        c->changed |= c->chain.document[i].changed;
    }
}

void *chain_reading_make(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct chain_reading *c = xcalloc(1, sizeof(*c));
    c->arena = (struct arena)ARENA_INIT;
    if (chain_read(r, &c->arena, key->id, &c->chain, e)) {
        chain_reading_free(c);
        return NULL;
    }
    matrix_make(&c->matrix, &c->arena, &c->chain);
    measure(c);
    return c;
}

void chain_reading_free(void *reading)
{
    struct chain_reading *c = reading;
    arena_release(&c->arena);
    free(c);
}

size_t chain_step_of(const struct chain *c, int64_t node)
{
    for (size_t i = 0; i < c->step_count; i++)
        if (c->step[i].node == node)
            return i;
    return SIZE_MAX;
}

size_t chain_document_of(const struct chain *c, int64_t node)
{
    for (size_t i = 0; i < c->document_count; i++)
        if (c->document[i].node == node)
            return i;
    return SIZE_MAX;
}
