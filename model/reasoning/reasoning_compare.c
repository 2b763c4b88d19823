#include "model/reasoning/reasoning.h"

#include <math.h>
#include <stdarg.h>
#include "model/base/alloc.h"
#include "model/reasoning/source_reader.h"
#include "model/base/utf8.h"

#define SAME   1e-9 /* scores that differ by no more are the same */
#define QUOTED 40   /* code points of a text that a sentence quotes */

/* One of our documents, or steps, to be found. */
struct known {
    const char *id;
    int64_t number;
    size_t place;
    bool named; /* by the summary that was given */
};

struct comparison {
    const struct source_summary *ours;
    struct source_reader r;
    struct known *document, *step; /* sorted by id, by number */
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

static int say(struct comparison *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int say(struct comparison *c, const char *format, ...)
{
    char sentence[512];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof(sentence), format, args);
    va_end(args);
    error_set(c->r.e, ERROR_INVALID, "", "%s", sentence); /* which makes it clean */
    const char *kept = arena_strdup(c->r.arena, c->r.e->what);
    if (!kept || !array_grow((void **)&c->said, &c->alloc, c->count, sizeof(*c->said)))
        return source_no_memory(c->r.e);
    c->said[c->count++] = kept;
    return 0;
}

static int by_id(const void *a, const void *b)
{
    const struct known *x = a, *y = b;
    return strcmp(x->id, y->id);
}

static int by_number(const void *a, const void *b)
{
    const struct known *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int index_ours(struct comparison *c)
{
    const struct source_summary *s = c->ours;
    c->document = xcalloc(s->count + 1, sizeof(*c->document));
    c->step = xcalloc(s->step_count + 1, sizeof(*c->step));
    if (!c->document || !c->step) {
        source_no_memory(c->r.e);
        return -1;
    }
    for (size_t i = 0; i < s->count; i++)
        c->document[i] = (struct known){.id = s->all[i].document_id, .place = i};
    for (size_t i = 0; i < s->step_count; i++)
        c->step[i] = (struct known){.number = s->step[i].number, .place = i};
    qsort(c->document, s->count, sizeof(*c->document), by_id);
    qsort(c->step, s->step_count, sizeof(*c->step), by_number);
    return 0;
}

static bool says_other(const char *theirs, const char *ours)
{
    return theirs && *theirs && ours && *ours && strcmp(theirs, ours) != 0;
}

static int compare_texts(struct comparison *c, struct quoted id, const char *theirs,
                         const char *ours, const char *name)
{
    if (!says_other(theirs, ours))
        return 0;
    return say(c, "all_sources gives %s the %s %s, its steps %s", id.text, name, quote(theirs).text,
               quote(ours).text);
}

static int compare_places(struct comparison *c, struct quoted id, struct json_slice value,
                          int64_t ours, const char *name)
{
    int64_t theirs;
    int whole = source_whole(&c->r, value, &theirs);
    if (whole <= 0 || ours < 0 || theirs == ours)
        return whole < 0 ? -1 : 0;
    return say(c, "all_sources gives %s the %s %lld, its steps %lld", id.text, name,
               (long long)theirs, (long long)ours);
}

static int compare_scores(struct comparison *c, struct quoted id, struct json_slice value,
                          double ours)
{
    double theirs;
    if (!source_is_number(value))
        return say(c, "all_sources gives %s no relevance, its steps %.9g", id.text, ours);
    if (json_double(value, &theirs))
        return source_no_memory(c->r.e);
    if (theirs == ours || fabs(theirs - ours) <= SAME)
        return 0;
    return say(c, "all_sources gives %s the relevance %.9g, its steps %.9g", id.text, theirs, ours);
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

static int compare_source(struct comparison *c, const struct json_slice *member,
                          const struct source *ours)
{
    const char *title = NULL, *excerpt = NULL;
    struct quoted id = quote(ours->document_id);
    if (source_text(&c->r, member[TITLE], names[TITLE], &title) ||
        source_text(&c->r, member[EXCERPT], names[EXCERPT], &excerpt))
        return c->r.e->code == ERROR_MEMORY
                   ? -1
                   : say(c, "all_sources has a title or excerpt of %s that is no text", id.text);
    if (compare_scores(c, id, member[RELEVANCE], ours->relevance) ||
        compare_texts(c, id, title, ours->title, "title") ||
        compare_texts(c, id, excerpt, ours->excerpt, "excerpt") ||
        compare_places(c, id, member[CHUNK], ours->chunk, "chunk"))
        return -1;
    return compare_places(c, id, member[RANK], ours->rank, "rank");
}

/* The id of an item of a list, in *id; NULL: it has none. */
static int item_id(struct comparison *c, struct json_slice item, struct json_slice *member,
                   const char **id)
{
    *id = NULL;
    if (*item.ptr == '{')
        source_members(item, names, MEMBERS, member);
    if (source_text(&c->r, member[DOCUMENT_ID], names[DOCUMENT_ID], id))
        return c->r.e->code == ERROR_MEMORY ? -1 : 0;
    return 0;
}

/* *last: the place of the latest that came before, SIZE_MAX once they are known to be out of order. */
static int compare_item(struct comparison *c, struct json_slice item, size_t index, size_t *last)
{
    struct json_slice member[MEMBERS] = {{NULL, 0}};
    struct known sought = {.id = NULL};
    if (item_id(c, item, member, &sought.id))
        return -1;
    if (!sought.id)
        return say(c, "all_sources[%zu] names no document", index);
    struct known *k = bsearch(&sought, c->document, c->ours->count, sizeof(*k), by_id);
    if (!k)
        return say(c, "all_sources has %s, which no step used", quote(sought.id).text);
    if (k->named)
        return say(c, "all_sources has %s twice", quote(sought.id).text);
    k->named = true;
    if (*last != SIZE_MAX && k->place < *last) {
        if (say(c, "all_sources has %s after %s, before which it comes by relevance",
                quote(k->id).text, quote(c->ours->all[*last].document_id).text))
            return -1;
        *last = SIZE_MAX;
    }
    if (*last != SIZE_MAX)
        *last = k->place;
    return compare_source(c, member, &c->ours->all[k->place]);
}

static int compare_all(struct comparison *c, struct json_slice list)
{
    size_t index = 0, last = 0;
    if (source_is_none(list))
        return 0;
    if (*list.ptr != '[')
        return say(c, "all_sources is not a list");
    for (struct json_each it = json_each(list); json_next(&it);)
        if (compare_item(c, it.value, index++, &last))
            return -1;
    for (size_t i = 0; i < c->ours->count; i++)
        if (!c->document[i].named &&
            say(c, "all_sources leaves out %s", quote(c->document[i].id).text))
            return -1;
    return 0;
}

/* The first place in which a list of ids differs from ours, said once. `read` gives the id of an item. */
static int compare_ids(struct comparison *c, const char *name, struct json_slice list,
                       const struct source *ours, size_t count, bool objects)
{
    size_t index = 0;
    if (*list.ptr != '[')
        return say(c, "%s is not a list", name);
    for (struct json_each it = json_each(list); json_next(&it); index++) {
        struct json_slice member[MEMBERS] = {{NULL, 0}};
        const char *id = NULL;
        int bad =
            objects ? item_id(c, it.value, member, &id) : source_text(&c->r, it.value, name, &id);
        if (bad && c->r.e->code == ERROR_MEMORY)
            return -1;
        if (index >= count)
            continue;
        if (!id || bad || strcmp(id, ours[index].document_id) != 0)
            return say(c, "%s has %s in place %zu, where %s belongs", name,
                       id && !bad ? quote(id).text : "no document", index + 1,
                       quote(ours[index].document_id).text);
    }
    if (index == count)
        return 0;
    return say(c, "%s is %zu long, not %zu", name, index, count);
}

static int compare_primary(struct comparison *c, struct json_slice list)
{
    if (source_is_none(list))
        return 0;
    return compare_ids(c, "primary_sources", list, c->ours->primary, c->ours->primary_count, true);
}

static int compare_step(struct comparison *c, struct json_slice key, struct json_slice ids)
{
    char name[80];
    struct known sought = {.id = NULL}, *k = NULL;
    if (json_integer(key, &sought.number) == 0)
        k = bsearch(&sought, c->step, c->ours->step_count, sizeof(*k), by_number);
    if (!k) {
        const char *text = source_mended(&c->r, key.ptr, key.len);
        if (!text)
            return source_no_memory(c->r.e);
        return say(c, "source_usage_by_step has step %s, which is not there", quote(text).text);
    }
    k->named = true;
    snprintf(name, sizeof(name), "source_usage_by_step[%lld]", (long long)k->number);
    const struct step_sources *step = &c->ours->step[k->place];
    return compare_ids(c, name, ids, step->source, step->count, false);
}

static int compare_usage(struct comparison *c, struct json_slice usage)
{
    if (source_is_none(usage))
        return 0;
    if (*usage.ptr != '{')
        return say(c, "source_usage_by_step is not an object");
    for (struct json_each it = json_each(usage); json_next(&it);)
        if (compare_step(c, it.key, it.value))
            return -1;
    for (size_t i = 0; i < c->ours->step_count; i++)
        if (!c->step[i].named && c->ours->step[c->step[i].place].count > 0 &&
            say(c, "source_usage_by_step leaves out step %lld", (long long)c->step[i].number))
            return -1;
    return 0;
}

static int compare(struct comparison *c, struct json_slice given)
{
    static const char *const parts[] = {"all_sources", "primary_sources", "source_usage_by_step"};
    struct json_slice member[3] = {{NULL, 0}};
    if (source_is_none(given))
        return 0;
    if (*given.ptr != '{')
        return say(c, "source_summary is not an object");
    source_members(given, parts, 3, member);
    return index_ours(c) || compare_all(c, member[0]) || compare_primary(c, member[1]) ||
                   compare_usage(c, member[2])
               ? -1
               : 0;
}

int source_summary_compare(const struct source_summary *s, struct json_slice given,
                           struct arena *arena, const char ***out, size_t *count, struct error *e)
{
    struct error why = {0};
    struct comparison c = {.ours = s, .r = {arena, &why}};
    int failed = compare(&c, given);
    *out = NULL;
    *count = 0;
    if (!failed && c.count) {
        *out = arena_memdup(arena, c.said, c.count * sizeof(*c.said));
        *count = *out ? c.count : 0;
        failed = *out ? 0 : source_no_memory(&why);
    }
    free(c.document);
    free(c.step);
    free(c.said);
    if (failed)
        *e = why;
    return failed ? -1 : 0;
}
