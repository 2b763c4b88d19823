#include "tui/view/chain/strategies.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "model/base/alloc.h"
#include "store/query/ref.h"

/* ---- sources ---- */

/* A document of a chain, in the order of documents and then of chains. */
struct used {
    const struct chain_document *document;
    size_t chain;
};

static int by_document(const void *a, const void *b)
{
    const struct used *x = a, *y = b;
    if (x->document->node != y->document->node)
        return x->document->node < y->document->node ? -1 : 1;
    return (x->chain > y->chain) - (x->chain < y->chain);
}

static int by_sharing(const void *a, const void *b)
{
    const struct shared_source *x = a, *y = b;
    if (x->users != y->users)
        return x->users > y->users ? -1 : 1;
    if (x->users == 1 && x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->best != y->best)
        return x->best > y->best ? -1 : 1;
    return (x->document->node > y->document->node) - (x->document->node < y->document->node);
}

static struct used *list_used(struct strategies *s, size_t *count)
{
    size_t all = 0;
    for (size_t i = 0; i < s->count; i++)
        all += s->chain[i].chain.document_count;
    struct used *used = arena_array(&s->arena, all + 1, sizeof(*used));
    *count = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->chain[i].chain.document_count; k++)
            used[(*count)++] = (struct used){&s->chain[i].chain.document[k], i};
    if (*count > 1)
        qsort(used, *count, sizeof(*used), by_document);
    return used;
}

static void add_source(struct strategies *s, const struct used *used)
{
    struct shared_source *source = &s->source[s->source_count++];
    *source = (struct shared_source){.document = used->document, .first = used->chain, .best = -1};
    source->used = arena_array(&s->arena, s->count, sizeof(*source->used));
}

static void join_sources(struct strategies *s)
{
    size_t count;
    struct used *used = list_used(s, &count);
    s->source = arena_array(&s->arena, count + 1, sizeof(*s->source));
    for (size_t i = 0; i < count; i++) {
        const struct chain_document *d = used[i].document;
        if (i == 0 || d->node != used[i - 1].document->node)
            add_source(s, &used[i]);
        struct shared_source *source = &s->source[s->source_count - 1];
        source->users += source->used[used[i].chain] == NULL;
        source->used[used[i].chain] = d;
        source->best = d->best > source->best ? d->best : source->best;
        source->changed = source->changed || d->changed;
    }
    if (s->source_count > 1)
        qsort(s->source, s->source_count, sizeof(*s->source), by_sharing);
    for (size_t i = 0; i < s->source_count; i++) {
        s->by_all += s->source[i].users == s->count;
        s->by_one += s->source[i].users == 1;
    }
}

/* ---- answers ---- */

static const char *answer_of(const struct strategies *s, size_t i)
{
    return s->chain[i].chain.answer;
}

/* How that answer differs from another's; nothing where one of them is still to come. */
static void compare_answer(struct strategies *s, size_t i, size_t from)
{
    struct compared_chain *c = &s->chain[i];
    if (!answer_of(s, i) || !answer_of(s, from))
        return;
    text_difference(answer_of(s, from), answer_of(s, i), &s->arena, &c->run, &c->run_count);
    size_t same = 0, all = 0;
    for (size_t k = 0; k < c->run_count; k++) {
        same += c->run[k].kind == RUN_SAME ? c->run[k].len : 0;
        all += c->run[k].kind != RUN_REMOVED ? c->run[k].len : 0;
    }
    if (same < all / 2) /* where nearly all of it stood out, nothing would */
        c->run = NULL;
}

/* The first chain from `from` on that answered otherwise than `than` (SIZE_MAX: at all). */
static size_t answered_otherwise(const struct strategies *s, size_t from, size_t than)
{
    for (size_t i = from; i < s->count; i++)
        if (answer_of(s, i) && (than == SIZE_MAX || strcmp(answer_of(s, i), answer_of(s, than))))
            return i;
    return SIZE_MAX;
}

static void compare_answers(struct strategies *s)
{
    size_t first = answered_otherwise(s, 0, SIZE_MAX);
    for (size_t i = first; i < s->count; i++) {
        for (size_t k = first; k < i && answer_of(s, i) && !s->chain[i].same_as; k++)
            if (answer_of(s, k) && !strcmp(answer_of(s, k), answer_of(s, i)))
                s->chain[i].same_as = k + 1;
        s->answers += answer_of(s, i) && !s->chain[i].same_as;
        size_t with = i == first ? answered_otherwise(s, first + 1, first) : first;
        if (with != SIZE_MAX && !s->chain[i].same_as)
            compare_answer(s, i, with);
    }
}

/* ---- all of it ---- */

/* As chains_on_question takes them for the same. */
static bool same_question(const char *a, const char *b)
{
    static const char blanks[] = " \t\r\n";
    a += strspn(a, blanks);
    b += strspn(b, blanks);
    size_t len = strlen(a), other = strlen(b);
    while (len > 0 && strchr(blanks, a[len - 1]))
        len--;
    while (other > 0 && strchr(blanks, b[other - 1]))
        other--;
    return len == other && strncasecmp(a, b, len) == 0;
}

/* Has each a strategy of its own? Few are compared. */
static bool strategies_differ(const struct strategies *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const char *own = s->chain[i].chain.strategy;
        if (!own)
            return false;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(own, s->chain[k].chain.strategy))
                return false;
    }
    return true;
}

static int read_all(struct reader *r, struct strategies *s, const int64_t *nodes, size_t count,
                    struct error *e)
{
    s->chain = arena_array(&s->arena, count + 1, sizeof(*s->chain));
    s->one_question = true;
    for (size_t i = 0; i < count; i++) {
        struct chain *chain = &s->chain[s->count].chain;
        if (chain_read(r, &s->arena, nodes[i], chain, e)) {
            if (e->code != ERROR_NOT_FOUND) /* purged since it was chosen: the others stand */
                return -1;
            continue;
        }
        chain->question = chain->question ? chain->question : "";
        s->chain[s->count].short_length = ref_short_length(r, chain->ref);
        s->one_question =
            s->one_question && same_question(chain->question, s->chain[0].chain.question);
        s->count++;
    }
    s->by_strategy = s->one_question && strategies_differ(s);
    join_sources(s);
    compare_answers(s);
    return 0;
}

struct strategies *strategies_read(struct reader *r, const int64_t *nodes, size_t count,
                                   struct error *e)
{
    struct strategies *s = xcalloc(1, sizeof(*s));
    s->arena = (struct arena)ARENA_INIT;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_all(r, s, nodes, count, e);
        reader_end(r);
    }
    if (!failed)
        return s;
    strategies_free(s);
    return NULL;
}

void strategies_free(struct strategies *s)
{
    if (!s)
        return;
    arena_release(&s->arena);
    free(s);
}
