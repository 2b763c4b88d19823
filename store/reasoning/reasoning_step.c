/* A step of reasoning as a memory, and what it rests on. */
#include "store/reasoning/reasoning_write.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/reasoning/document.h"
#include "store/guard/guard.h"
#include "store/reasoning/reasoning_detail.h"

#define NAMED 60 /* code points of an id that a reason quotes */

/* ---- answers of earlier steps among its contexts ---- */

static size_t blank_ends(const char **text)
{
    size_t len = strlen(*text);
    while (len && strchr(" \t\r\n", **text))
        (*text)++, len--;
    while (len && strchr(" \t\r\n", (*text)[len - 1]))
        len--;
    return len;
}

static bool same_words(const char *a, const char *b)
{
    size_t a_len = blank_ends(&a), b_len = blank_ends(&b);
    return a_len && a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* The latest step before that number which answered just that; NULL: none. */
static const struct earlier *answered_by(const struct earlier *steps, size_t count,
                                         const char *context, int64_t number)
{
    const struct earlier *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct earlier *s = &steps[i];
        if (s->answer && s->number < number && (!found || s->number > found->number) &&
            same_words(s->answer, context))
            found = s;
    }
    return found;
}

static void add_once(struct step_read *out, const struct earlier *step)
{
    for (size_t i = 0; i < out->from_count; i++)
        if (out->from[i] == step)
            return;
    out->from[out->from_count++] = step;
}

/* The contexts of which those that are answers of earlier steps are empty, so that they are no
 * sources and still use up their place. */
static const char **tell_apart(const struct earlier *steps, size_t count,
                               const struct step_given *given, struct arena *arena,
                               struct step_read *out)
{
    const char **rest = arena_array(arena, given->context_count + 1, sizeof(*rest));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
    out->from = arena_array(arena, given->context_count + 1, sizeof(*out->from));
    if (!out->from)
        return NULL;
    for (size_t i = 0; i < given->context_count; i++) {
        const struct earlier *step = answered_by(steps, count, given->contexts[i], given->number);
        rest[i] = step ? "" : given->contexts[i];
        if (step)
            add_once(out, step);
    }
    return rest;
}

/* ---- its sources ---- */

static bool is_filled(struct json_slice list)
{
    struct json_each it = json_each(list);
    return list.ptr && list.ptr[0] == '[' && json_next(&it);
}

int step_read_sources(const struct earlier *steps, size_t count, const struct step_given *given,
                      struct arena *arena, struct step_read *out, struct error *e)
{
    *out = (struct step_read){.from = NULL};
    const char **contexts = tell_apart(steps, count, given, arena, out);
    if (is_filled(given->attributions))
        return sources_from_attributions(&out->sources, arena, given->attributions,
                                         "source_attributions", e);
    return sources_extract(&out->sources, arena, given->results, "retrieved_documents", contexts,
                           given->context_count, e);
}

static const struct use *use_of(struct arena *arena, const struct source *s, struct ref document)
{
    struct use *use = arena_alloc(arena, sizeof(*use));
    if (!use)
        return NULL;
    *use = (struct use)USE_NONE;
    use->relevance = s->relevance;
    use->score = s->origin;
    use->excerpt = s->excerpt;
    use->chunk = s->chunk;
    use->rank = s->rank;
    use->version_hash = s->version_hash;
    use->title = s->title;
    if (s->invented || strcmp(s->document_id, document.id) != 0)
        use->label = s->document_id;
    return use;
}

/* A source that is refused beside those that could not be read; `index` is its place among what was
 * given, which are those that were read with the refused ones between them. */
static int refuse(struct writing *w, struct source_list *list, size_t index, const char *id,
                  struct error *e)
{
    error_prefix(e, "%s[%zu] (“%.*s”)", list->name ? list->name : "context_used", index,
                 (int)utf8_prefix(id, NAMED), id);
    struct source_refusal *all = arena_array(w->arena, list->refused_count + 1, sizeof(*all));
    const char *reason = arena_strdup(w->arena, e->what);
    if (list->refused_count)
        memcpy(all, list->refused, list->refused_count * sizeof(*all));
    all[list->refused_count++] = (struct source_refusal){index, reason};
    list->refused = all;
    return 0;
}

/* Where the source stood that is the `kept`th of those that were read. */
static size_t place_of(const struct source_refusal *refused, size_t count, size_t kept)
{
    for (size_t i = 0; i < count && refused[i].index <= kept; i++)
        kept++;
    return kept;
}

/* The retrieval that it names is not here, or not yet. */
static void note_unresolved(struct step_added *added, const char *attribution)
{
    for (size_t i = 0; i < added->unresolved_count; i++)
        if (strcmp(added->unresolved[i], attribution) == 0)
            return;
    added->unresolved[added->unresolved_count++] = attribution;
}

/* ERROR_INVALID: nothing was written of it. */
static int take_document(struct writing *w, const struct source *s, const char *step, size_t i,
                         struct antecedent *out, bool *known, struct error *e)
{
    char salt[80];
    snprintf(salt, sizeof(salt), "%.50s.%zu", step, i);
    if (document_check(w->t, s, w->arena, known, e) ||
        document_take(w->t, &w->actor, "add", w->agent_id, s, salt, w->arena, &out->ref, &out->node,
                      e) ||
        document_tie(w->t, &w->actor, w->agent_id, out->node, s, w->arena, e))
        return -1;
    out->use = use_of(w->arena, s, out->ref);
    return 0;
}

/* The document of each source, there and tied to where it was retrieved. One that cannot be taken is
 * refused by itself. An import is of chains: their documents may be others' too, and are added in any
 * case. */
static int take_documents(struct writing *w, struct source_list *list, const char *step,
                          struct antecedent *out, struct step_added *added, struct error *e)
{
    bool known;
    const struct source_refusal *refused = list->refused;
    size_t refused_count = list->refused_count, kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct source s = list->source[i];
        if (take_document(w, &s, step, i, &out[kept], &known, e) == 0) {
            list->source[kept++] = s;
            if (!known)
                note_unresolved(added, s.attribution);
        } else if (e->code != ERROR_INVALID ||
                   refuse(w, list, place_of(refused, refused_count, i), s.document_id, e)) {
            return -1;
        }
    }
    list->count = kept;
    return 0;
}

/* ---- groups ---- */

struct placed {
    int64_t node;
    size_t place;
};

static int by_node(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
                              : (x->place > y->place) - (x->place < y->place);
}

/* For each the place after the one before it that is the same document; 0: it is the first. */
static size_t *places_before(struct arena *arena, const struct antecedent *all, size_t count)
{
    size_t *before = arena_array(arena, count + 1, sizeof(*before));
    struct placed *sorted = arena_array(arena, count + 1, sizeof(*sorted));
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct placed){all[i].node, i};
    if (count)
        qsort(sorted, count, sizeof(*sorted), by_node);
    for (size_t i = 1; i < count; i++)
        if (sorted[i].node == sorted[i - 1].node)
            before[sorted[i].place] = sorted[i - 1].place + 1;
    return before;
}

/* A document that comes again begins another group: a group holds each once, and all of them one
 * after the other are the sources in their order. */
static size_t group_sources(struct antecedent *all, size_t count, const size_t *before, int64_t at,
                            struct justification *out)
{
    size_t groups = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || before[i] > first) {
            first = i;
            out[groups++] =
                (struct justification){ROLE_SOURCE, READING_ANY, RECORDED, at, NULL, all + i, 0};
        }
        out[groups - 1].count++;
    }
    return groups;
}

static void add_earlier(struct writing *w, const struct step_read *read, int64_t at,
                        struct justification *out)
{
    struct antecedent *steps = arena_array(w->arena, read->from_count, sizeof(*steps));
    for (size_t i = 0; i < read->from_count; i++)
        steps[i] = (struct antecedent){.ref = read->from[i]->ref};
    *out =
        (struct justification){ROLE_STEP, READING_ANY, RECORDED, at, NULL, steps, read->from_count};
}

static int rest_on(struct writing *w, struct memory *m, struct step_read *read,
                   struct step_added *added, struct error *e)
{
    struct source_list *sources = &read->sources;
    struct antecedent *all = arena_array(w->arena, sources->count + 1, sizeof(*all));
    m->justifications = arena_array(w->arena, sources->count + 1, sizeof(*m->justifications));
    added->unresolved = arena_array(w->arena, sources->count + 1, sizeof(*added->unresolved));
    if (take_documents(w, sources, m->ref.id, all, added, e))
        return -1;
    size_t *before = places_before(w->arena, all, sources->count);
    m->justification_count =
        group_sources(all, sources->count, before, m->created_at, m->justifications);
    if (read->from_count == 0)
        return 0;
    add_earlier(w, read, m->created_at, &m->justifications[m->justification_count++]);
    return 0;
}

static void be_part_of(struct writing *w, struct memory *m)
{
    m->relations = arena_alloc(w->arena, sizeof(*m->relations));
    m->relations[0] =
        (struct relation){.type = RELATION_PART_OF, .to = w->chain, .at = m->created_at};
    m->relation_count = 1;
}

/* ---- the step ---- */

static void note(struct writing *w, const struct memory *m, const struct step_given *given)
{
    struct earlier step = {.node = m->node,
                           .ref = m->ref,
                           .number = given->number,
                           .confidence = given->confidence,
                           .time = given->execution_time};
    if (given->answer)
        step.answer = arena_strndup(w->arena, given->answer, given->answer_len);
    writing_note(w, &step);
}

/* An excerpt that is kept for an agent heeds what the configuration says is personal data, too. */
static int cut_excerpts(struct writing *w, struct source_list *sources, struct error *e)
{
    struct reader *r = txn_reader(w->t, e);
    if (!r)
        return -1;
    const struct guard_rules *rules = guard_rules_of(r);
    if (rules)
        sources_cut(sources, w->arena, guard_pii(rules));
    return 0;
}

int step_write(struct writing *w, const struct step_given *given, const char *id,
               struct json_slice others, struct step_added *out, struct error *e)
{
    struct memory m;
    struct step_read read;
    const char *detail = step_detail_write(given, others, w->arena);
    *out = (struct step_added){.unread = 0};
    if (step_read_sources(w->earlier, w->earlier_count, given, w->arena, &read, e) ||
        cut_excerpts(w, &read.sources, e) ||
        writing_memory(w, KIND_STEP, id, given->question, given->question_len, detail, &m, e))
        return -1;
    out->unread = read.sources.refused_count;
    if (!isnan(given->confidence))
        m.confidence = given->confidence;
    if (rest_on(w, &m, &read, out, e))
        return -1;
    be_part_of(w, &m);
    if (writing_put(w, &m, &out->step, e))
        return -1;
    out->sources = read.sources;
    note(w, &m, given);
    return 0;
}

static int by_step_number(const void *a, const void *b)
{
    const struct earlier *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->node > y->node) - (x->node < y->node);
}

void chain_rest_on_steps(struct writing *w, struct memory *chain)
{
    size_t count = chain->justification_count;
    if (w->earlier_count == 0)
        return;
    struct justification *all = arena_array(w->arena, count + 1, sizeof(*all));
    struct antecedent *steps = arena_array(w->arena, w->earlier_count, sizeof(*steps));
    if (count)
        memcpy(all, chain->justifications, count * sizeof(*all));
    qsort(w->earlier, w->earlier_count, sizeof(*w->earlier), by_step_number);
    for (size_t i = 0; i < w->earlier_count; i++)
        steps[i] = (struct antecedent){.ref = w->earlier[i].ref};
    all[count] = (struct justification){ROLE_STEP, READING_ALL, RECORDED,        txn_now(w->t),
                                        NULL,      steps,       w->earlier_count};
    chain->justifications = all;
    chain->justification_count = count + 1;
}
