/* What a chain of thought says of its sources: the summary, how it is written, and how one that came with it
 * differs. */
#include "model/reasoning/reasoning.h"

#include <math.h>
#include <stdarg.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/reasoning/source_reader.h"

/* ---- steps by their numbers ---- */

/* Numbers come from outside: as texts nobody can choose ones that collide. */
static size_t add_number(struct key_index *x, int64_t number)
{
    return key_index_add(x, (const char *)&number, sizeof(number));
}

/* Each number once: those of the same one, which an import may bring, are one in the place of the first, with the
 * sources of all. Where none is there twice, *out is `steps`; else it is in the arena. O(sources). */
static void steps_unite(const struct step_sources *steps, size_t count, struct arena *arena,
                        const struct step_sources **out, size_t *out_count)
{
    struct key_index numbers = KEY_INDEX_INIT;
    struct step_sources *united = arena_array(arena, count + 1, sizeof(*united));
    size_t *at = arena_array(arena, count + 1, sizeof(*at));
    size_t *total = arena_array(arena, count + 1, sizeof(*total));
    struct source **all = arena_array(arena, count + 1, sizeof(*all));
    for (size_t i = 0; i < count; i++) {
        at[i] = add_number(&numbers, steps[i].number);
        total[at[i]] += steps[i].count;
    }
    for (size_t i = 0; i < count && numbers.count < count; i++) {
        struct source **of = &all[at[i]];
        if (!*of)
            *of = arena_array(arena, total[at[i]] + 1, sizeof(**of));
        struct step_sources *to = &united[at[i]];
        for (size_t k = 0; k < steps[i].count; k++)
            (*of)[to->count + k] = steps[i].source[k];
        *to = (struct step_sources){steps[i].number, *of, to->count + steps[i].count};
    }
    *out = numbers.count == count ? steps : united;
    *out_count = numbers.count;
    key_index_release(&numbers);
}

/* ---- the summary ---- */

/* One that nobody scored is less than any. */
static double score_of(const struct source *s)
{
    return isnan(s->relevance) ? -INFINITY : s->relevance;
}

static const char *or_other(const char *text, const char *other)
{
    return text && *text ? text : other && *other ? other : text;
}

/* The two sources of one document, of which `later` comes later, as one. */
static struct source merge(const struct source *first, const struct source *later)
{
    bool replaces = score_of(later) > score_of(first);
    struct source s = replaces ? *later : *first;
    const struct source *other = replaces ? first : later;
    s.title = or_other(s.title, other->title);
    s.excerpt = or_other(s.excerpt, other->excerpt);
    return s;
}

struct ranked {
    struct source source;
    size_t place;
};

static int by_relevance(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    double left = score_of(&x->source), right = score_of(&y->source);
    if (left != right)
        return left > right ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static size_t count_sources(const struct step_sources *steps, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += steps[i].count;
    return total;
}

/* Each document once, in the order in which they come; how many there are. */
static size_t merge_all(struct ranked *out, const struct step_sources *steps, size_t count)
{
    struct key_index ids = KEY_INDEX_INIT;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < steps[i].count; k++) {
            const struct source *s = &steps[i].source[k];
            size_t before = ids.count;
            size_t at = key_index_add(&ids, s->document_id, strlen(s->document_id));
            out[at].source = at == before ? *s : merge(&out[at].source, s);
            out[at].place = at;
        }
    size_t documents = ids.count;
    key_index_release(&ids);
    return documents;
}

static size_t count_primary(const struct source *all, size_t count)
{
    size_t primary = 0;
    size_t most = count < PRIMARY_MAX ? count : PRIMARY_MAX;
    while (primary < most && all[primary].relevance > PRIMARY_ABOVE)
        primary++;
    return primary ? primary : most;
}

static void summarise(struct source_summary *out, struct arena *arena,
                      const struct step_sources *steps, size_t step_count, size_t total)
{
    struct ranked *ranked = xcalloc(total, sizeof(*ranked));
    size_t count = merge_all(ranked, steps, step_count);
    qsort(ranked, count, sizeof(*ranked), by_relevance);
    out->all = arena_array(arena, count, sizeof(*out->all));
    for (size_t i = 0; i < count; i++)
        out->all[i] = ranked[i].source;
    out->count = count;
    out->primary = out->all; /* the most relevant first */
    out->primary_count = count_primary(out->all, count);
    free(ranked);
}

void source_summarise(struct source_summary *out, struct arena *arena,
                      const struct step_sources *steps, size_t count)
{
    size_t total = count_sources(steps, count);
    *out = (struct source_summary){.all = NULL};
    steps_unite(steps, count, arena, &out->step, &out->step_count);
    if (total > 0)
        summarise(out, arena, steps, count, total);
}

double chain_confidence(const double *confidence, size_t count)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(confidence[i]))
            continue;
        sum += confidence[i];
        known++;
    }
    return known ? sum / (double)known : NAN;
}

/* ---- writing ---- */

static void write_sources(struct strbuf *out, const struct source *list, size_t count)
{
    struct json_object a = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&a);
        source_write(out, &list[i]);
    }
    json_end(&a);
}

static void write_ids(struct strbuf *out, const struct step_sources *step)
{
    struct json_object a = json_begin(out, '[');
    for (size_t i = 0; i < step->count; i++) {
        json_item(&a);
        json_add_string(out, step->source[i].document_id);
    }
    json_end(&a);
}

static void step_key(struct json_object *o, const char *prefix, int64_t number)
{
    char key[40];
    snprintf(key, sizeof(key), "%s%lld", prefix, (long long)number);
    json_key(o, key);
}

void source_summary_write(struct strbuf *out, const struct source_summary *s)
{
    struct json_object o = json_begin(out, '{');
    json_key(&o, "all_sources");
    write_sources(out, s->all, s->count);
    json_key(&o, "primary_sources");
    write_sources(out, s->primary, s->primary_count);
    json_key(&o, "source_usage_by_step");
    struct json_object usage = json_begin(out, '{');
    for (size_t i = 0; i < s->step_count; i++) {
        step_key(&usage, "", s->step[i].number);
        write_ids(out, &s->step[i]);
    }
    json_end(&usage);
    json_end(&o);
}

/* As printf rounds the double, but written as a number: 0.9, not 0.90. */
static void write_rounded(struct strbuf *out, double value)
{
    char text[32];
    snprintf(text, sizeof(text), "%.2f", value);
    json_add_double(out, strtod(text, NULL));
}

static void display_source(struct strbuf *out, const struct source *s, bool rank, bool excerpt)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "document_id", s->document_id);
    json_pair(&o, "title", s->title && *s->title ? s->title : s->document_id);
    json_key(&o, "relevance");
    write_rounded(out, s->relevance);
    if (rank && s->rank >= 1)
        json_pair_int(&o, "rank", s->rank);
    if (excerpt && s->excerpt && *s->excerpt)
        json_pair(&o, "excerpt", s->excerpt);
    json_end(&o);
}

static void display_sources(struct strbuf *out, const struct source *list, size_t count, bool rank,
                            bool excerpts)
{
    struct json_object a = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&a);
        display_source(out, &list[i], rank, excerpts);
    }
    json_end(&a);
}

static void display_step(struct strbuf *out, const struct step_sources *step)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "step_number", step->number);
    json_pair_int(&o, "sources_used", (int64_t)step->count);
    json_key(&o, "document_ids");
    write_ids(out, step);
    json_end(&o);
}

void source_summary_display(struct strbuf *out, const struct source_summary *s, bool excerpts)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "total_sources", (int64_t)s->count);
    json_key(&o, "primary_sources");
    display_sources(out, s->primary, s->primary_count, true, excerpts);
    json_key(&o, "all_sources");
    display_sources(out, s->all, s->count, false, excerpts);
    json_key(&o, "step_breakdown");
    struct json_object steps = json_begin(out, '{');
    for (size_t i = 0; i < s->step_count; i++) {
        step_key(&steps, "step_", s->step[i].number);
        display_step(out, &s->step[i]);
    }
    json_end(&steps);
    json_end(&o);
}

/* ---- a summary that came with a chain ---- */

#define SAME   1e-9 /* scores that differ by no more are the same */
#define QUOTED 40   /* code points of a text that a sentence quotes */

struct comparison {
    const struct source_summary *ours;
    struct source_reader r;
    struct key_index document, step;   /* ours, by their ids and by their numbers */
    bool *names_document, *names_step; /* those that the summary that was given has */
    const char **said;
    size_t count, alloc;
};

struct quoted {
    char text[4 * QUOTED + 8];
};

static struct quoted quote(const char *text)
{
    struct quoted q;
    size_t len = utf8_prefix(text, QUOTED);
    snprintf(q.text, sizeof(q.text), "“%.*s%s”", (int)len, text, text[len] ? "…" : "");
    return q;
}

static void say(struct comparison *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(struct comparison *c, const char *format, ...)
{
    char sentence[512];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof(sentence), format, args);
    va_end(args);
    error_set(c->r.e, ERROR_INVALID, "", "%s", sentence); /* which makes it clean */
    *ARRAY_ADD(c->said, c->count, c->alloc) = arena_strdup(c->r.arena, c->r.e->what);
}

static void index_ours(struct comparison *c)
{
    const struct source_summary *s = c->ours;
    c->names_document = arena_array(c->r.arena, s->count + 1, sizeof(bool));
    c->names_step = arena_array(c->r.arena, s->step_count + 1, sizeof(bool));
    for (size_t i = 0; i < s->count; i++)
        key_index_add(&c->document, s->all[i].document_id, strlen(s->all[i].document_id));
    for (size_t i = 0; i < s->step_count; i++)
        add_number(&c->step, s->step[i].number);
}

static bool says_other(const char *theirs, const char *ours)
{
    return theirs && *theirs && ours && *ours && strcmp(theirs, ours) != 0;
}

static void compare_texts(struct comparison *c, struct quoted id, const char *theirs,
                          const char *ours, const char *name)
{
    if (says_other(theirs, ours))
        say(c, "all_sources gives %s the %s %s, its steps %s", id.text, name, quote(theirs).text,
            quote(ours).text);
}

static void compare_numbers(struct comparison *c, struct quoted id, struct json_slice value,
                            int64_t ours, const char *name)
{
    int64_t theirs;
    if (source_whole(&c->r, value, &theirs) && ours >= 0 && theirs != ours)
        say(c, "all_sources gives %s the %s %lld, its steps %lld", id.text, name, (long long)theirs,
            (long long)ours);
}

static void compare_scores(struct comparison *c, struct quoted id, struct json_slice value,
                           double ours)
{
    double theirs;
    if (!source_is_number(value) || json_double(value, &theirs))
        say(c, "all_sources gives %s no relevance, its steps %.9g", id.text, ours);
    else if (theirs != ours && !(fabs(theirs - ours) <= SAME))
        say(c, "all_sources gives %s the relevance %.9g, its steps %.9g", id.text, theirs, ours);
}

enum {
    DOCUMENT_ID,
    TITLE,
    RELEVANCE,
    EXCERPT,
    CHUNK,
    RANK,
    MEMBERS
};
static const char *const names[MEMBERS] = {"document_id", "document_title", "relevance_score",
                                           "excerpt",     "chunk_index",    "retrieval_rank"};

static void compare_source(struct comparison *c, const struct json_slice *member,
                           const struct source *ours)
{
    const char *title = NULL, *excerpt = NULL;
    struct quoted id = quote(ours->document_id);
    if (source_text(&c->r, member[TITLE], names[TITLE], &title) ||
        source_text(&c->r, member[EXCERPT], names[EXCERPT], &excerpt)) {
        say(c, "all_sources has a title or excerpt of %s that is no text", id.text);
        return;
    }
    compare_scores(c, id, member[RELEVANCE], ours->relevance);
    compare_texts(c, id, title, ours->title, "title");
    compare_texts(c, id, excerpt, ours->excerpt, "excerpt");
    compare_numbers(c, id, member[CHUNK], ours->chunk, "chunk");
    compare_numbers(c, id, member[RANK], ours->rank, "rank");
}

/* The id of an item of a list; NULL: it has none. */
static const char *item_id(struct comparison *c, struct json_slice item, struct json_slice *member)
{
    const char *id = NULL;
    if (*item.ptr == '{')
        source_members(item, names, MEMBERS, member);
    return source_text(&c->r, member[DOCUMENT_ID], names[DOCUMENT_ID], &id) ? NULL : id;
}

/* *last: the place of the latest that came before, SIZE_MAX once they are known to be out of order. */
static void compare_item(struct comparison *c, struct json_slice item, size_t index, size_t *last)
{
    struct json_slice member[MEMBERS] = {{NULL, 0}};
    const char *id = item_id(c, item, member);
    if (!id) {
        say(c, "all_sources[%zu] names no document", index);
        return;
    }
    size_t at = key_index_find(&c->document, id, strlen(id));
    if (at == ROW_NONE || c->names_document[at]) {
        say(c,
            at != ROW_NONE ? "all_sources has %s twice" : "all_sources has %s, which no step used",
            quote(id).text);
        return;
    }
    c->names_document[at] = true;
    if (*last != SIZE_MAX && at < *last) {
        say(c, "all_sources has %s after %s, before which it comes by relevance", quote(id).text,
            quote(c->ours->all[*last].document_id).text);
        *last = SIZE_MAX;
    }
    if (*last != SIZE_MAX)
        *last = at;
    compare_source(c, member, &c->ours->all[at]);
}

static void compare_all(struct comparison *c, struct json_slice list)
{
    size_t index = 0, last = 0;
    if (source_is_none(list))
        return;
    if (*list.ptr != '[') {
        say(c, "all_sources is not a list");
        return;
    }
    for (struct json_each it = json_each(list); json_next(&it);)
        compare_item(c, it.value, index++, &last);
    for (size_t i = 0; i < c->ours->count; i++)
        if (!c->names_document[i])
            say(c, "all_sources leaves out %s", quote(c->ours->all[i].document_id).text);
}

/* The first place in which a list of ids differs from ours, said once. */
static void compare_ids(struct comparison *c, const char *name, struct json_slice list,
                        const struct source *ours, size_t count, bool objects)
{
    size_t index = 0;
    if (*list.ptr != '[') {
        say(c, "%s is not a list", name);
        return;
    }
    for (struct json_each it = json_each(list); json_next(&it); index++) {
        struct json_slice member[MEMBERS] = {{NULL, 0}};
        const char *id = NULL;
        if (index >= count)
            continue;
        if (objects)
            id = item_id(c, it.value, member);
        else if (source_text(&c->r, it.value, name, &id))
            id = NULL;
        if (!id || strcmp(id, ours[index].document_id) != 0) {
            say(c, "%s has %s in place %zu, where %s belongs", name,
                id ? quote(id).text : "no document", index + 1,
                quote(ours[index].document_id).text);
            return;
        }
    }
    if (index != count)
        say(c, "%s is %zu long, not %zu", name, index, count);
}

static void compare_step(struct comparison *c, struct json_slice key, struct json_slice ids)
{
    char name[80];
    int64_t number;
    size_t at = ROW_NONE;
    if (json_integer(key, &number) == 0)
        at = key_index_find(&c->step, (const char *)&number, sizeof(number));
    if (at == ROW_NONE) {
        say(c, "source_usage_by_step has step %s, which is not there",
            quote(source_mended(&c->r, key.ptr, key.len)).text);
        return;
    }
    c->names_step[at] = true;
    snprintf(name, sizeof(name), "source_usage_by_step[%lld]", (long long)number);
    const struct step_sources *step = &c->ours->step[at];
    compare_ids(c, name, ids, step->source, step->count, false);
}

static void compare_usage(struct comparison *c, struct json_slice usage)
{
    if (source_is_none(usage))
        return;
    if (*usage.ptr != '{') {
        say(c, "source_usage_by_step is not an object");
        return;
    }
    for (struct json_each it = json_each(usage); json_next(&it);)
        compare_step(c, it.key, it.value);
    for (size_t i = 0; i < c->ours->step_count; i++)
        if (!c->names_step[i] && c->ours->step[i].count > 0)
            say(c, "source_usage_by_step leaves out step %lld", (long long)c->ours->step[i].number);
}

static void compare(struct comparison *c, struct json_slice given)
{
    static const char *const parts[] = {"all_sources", "primary_sources", "source_usage_by_step"};
    struct json_slice member[3] = {{NULL, 0}};
    if (source_is_none(given))
        return;
    if (*given.ptr != '{') {
        say(c, "source_summary is not an object");
        return;
    }
    source_members(given, parts, 3, member);
    index_ours(c);
    compare_all(c, member[0]);
    if (!source_is_none(member[1]))
        compare_ids(c, "primary_sources", member[1], c->ours->primary, c->ours->primary_count,
                    true);
    compare_usage(c, member[2]);
}

void source_summary_compare(const struct source_summary *s, struct json_slice given,
                            struct arena *arena, const char ***out, size_t *count)
{
    struct error why = {0};
    struct comparison c = {.ours = s, .r = {arena, &why}};
    compare(&c, given);
    *out = c.count ? arena_memdup(arena, c.said, c.count * sizeof(*c.said)) : NULL;
    *count = c.count;
    key_index_release(&c.document);
    key_index_release(&c.step);
    free(c.said);
}
