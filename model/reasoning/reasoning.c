/* The summary of a chain's sources: making it, writing it, and comparing it with one that came
 * with the chain. */
#include "model/reasoning/reasoning.h"

#include <math.h>
#include <stdarg.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/reasoning/source_reader.h"

/* ---- the summary ---- */

/* A missing score is less than any other. */
static double score_of(const struct source *s)
{
    return isnan(s->relevance) ? -INFINITY : s->relevance;
}

static const char *or_other(const char *text, const char *other)
{
    return text && *text ? text : other && *other ? other : text;
}

/* Merges two sources of one document; `later` comes after `first`. */
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

/* A document as the store names it: by its id, or if that was made up, by its content. Without one
 * it is of this use only. */
static size_t add_document(struct key_index *ids, const struct source *s, size_t step, size_t i,
                           struct strbuf *key)
{
    strbuf_clear(key);
    if (!s->invented)
        strbuf_addstr(key, s->document_id);
    else if (s->version_hash)
        strbuf_addf(key, "sha256-%s", s->version_hash);
    else
        strbuf_addf(key, "%zu %zu", step, i), strbuf_addch(key, '\0');
    return key_index_add(ids, key->buf, key->len);
}

/* Collects each document once, in order. Returns their number. */
static size_t merge_all(struct ranked *out, const struct step_sources *steps, size_t count)
{
    AUTO(key_index) ids = KEY_INDEX_INIT;
    AUTO_STRBUF key = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < steps[i].count; k++) {
            const struct source *s = &steps[i].source[k];
            size_t before = ids.count;
            size_t at = add_document(&ids, s, i, k, &key);
            out[at].source = at == before ? *s : merge(&out[at].source, s);
            out[at].place = at;
        }
    return ids.count;
}

/* Expects the sources by decreasing relevance. */
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
    AUTO_FREE struct ranked *ranked = xcalloc(total, sizeof(*ranked));
    size_t count = merge_all(ranked, steps, step_count);
    SORT(ranked, count, by_relevance);
    out->all = arena_array(arena, count, sizeof(*out->all));
    for (size_t i = 0; i < count; i++)
        out->all[i] = ranked[i].source;
    out->count = count;
    out->primary = out->all; /* sorted by relevance, so the primary ones are first */
    out->primary_count = count_primary(out->all, count);
}

void source_summarise(struct source_summary *out, struct arena *arena,
                      const struct step_sources *steps, size_t count)
{
    size_t total = count_sources(steps, count);
    *out = (struct source_summary){.step = steps, .step_count = count};
    if (total > 0)
        summarise(out, arena, steps, count, total);
}

double tokens_total(struct json_slice usage)
{
    double number, sum = NAN;
    for (struct json_each it = json_each(usage); json_next(&it);) {
        if (json_double(it.value, &number))
            continue;
        if (json_key_is(it.key, "total_tokens") || json_key_is(it.key, "total"))
            return number;
        sum = isnan(sum) ? number : sum + number;
    }
    return json_double(usage, &number) == 0 ? number : sum;
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
    for (size_t i = 0; i < step->count; i++)
        json_item_string(&a, step->source[i].document_id);
    json_end(&a);
}

static void step_key(struct json_object *o, const char *prefix, const struct step_sources *step)
{
    char key[40];
    snprintf(key, sizeof(key), "%s%lld", prefix, (long long)step->number);
    json_key(o, step->ref ? step->ref : key);
}

void source_usage_write(struct strbuf *out, const struct step_sources *steps, size_t count)
{
    struct json_object usage = json_begin(out, '{');
    for (size_t i = 0; i < count; i++) {
        step_key(&usage, "", &steps[i]);
        write_ids(out, &steps[i]);
    }
    json_end(&usage);
}

void source_summary_write(struct strbuf *out, const struct source_summary *s)
{
    struct json_object o = json_begin(out, '{');
    json_key(&o, "all_sources");
    write_sources(out, s->all, s->count);
    json_key(&o, "primary_sources");
    write_sources(out, s->primary, s->primary_count);
    json_key(&o, "source_usage_by_step");
    source_usage_write(out, s->step, s->step_count);
    json_end(&o);
}

/* Rounds like printf, but writes a number: 0.9, not 0.90. */
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
    json_pair_if(&o, "retrieval", s->retrieval);
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
    if (step->number)
        json_pair_int(&o, "step_number", step->number);
    else
        json_pair_raw(&o, "step_number", "null");
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
        step_key(&steps, "step_", &s->step[i]);
        display_step(out, &s->step[i]);
    }
    json_end(&steps);
    json_end(&o);
}

/* ---- a summary that came with a chain ---- */

#define SAME   1e-9 /* scores that differ by no more are equal */
#define QUOTED 40   /* code points of a value that a sentence quotes */

struct comparison {
    struct arena *arena;
    const char **sentences;
    size_t count, alloc;
};

static void add_difference(struct comparison *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_difference(struct comparison *c, const char *format, ...)
{
    char sentence[512];
    struct error clean;
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof(sentence), format, args);
    va_end(args);
    error_set(&clean, ERROR_INVALID, "", "%s", sentence); /* replaces control characters */
    *ARRAY_ADD(c->sentences, c->count, c->alloc) = arena_strdup(c->arena, clean.what);
}

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

/* A value in plain text, in the arena. */
static const char *plain(struct comparison *c, struct json_slice value)
{
    AUTO_STRBUF out = STRBUF_INIT;
    json_add_plain(&out, value);
    return utf8_repaired(c->arena, out.buf, out.len);
}

static bool differs(struct comparison *c, const char *path, struct json_slice theirs,
                    struct json_slice ours);

static bool values_differ(struct comparison *c, const char *path, struct json_slice theirs,
                          struct json_slice ours)
{
    const char *a = plain(c, theirs), *b = plain(c, ours);
    double x, y;
    bool same = strcmp(a, b) == 0 || !*a || !*b ||
                (json_double(theirs, &x) == 0 && json_double(ours, &y) == 0 && fabs(x - y) <= SAME);
    if (!same)
        add_difference(c, "%s is %s, but its steps give %s", path, quote(a).text, quote(b).text);
    return !same;
}

/* Reports the first different element; later ones may just be shifted. */
static bool lists_differ(struct comparison *c, const char *path, struct json_slice theirs,
                         struct json_slice ours)
{
    struct json_each a = json_each(theirs), b = json_each(ours);
    size_t given = source_count(theirs), count = source_count(ours);
    for (size_t i = 0; json_next(&a) && json_next(&b); i++) {
        char inner[80];
        snprintf(inner, sizeof(inner), "%s[%zu]", path, i);
        if (differs(c, inner, a.value, b.value))
            return true;
    }
    if (given != count)
        add_difference(c, "%s is %zu long, but its steps give %zu", path, given, count);
    return given != count;
}

/* Compares the members that ours has. */
static bool objects_differ(struct comparison *c, const char *path, struct json_slice theirs,
                           struct json_slice ours)
{
    bool any = false;
    for (struct json_each a = json_each(theirs); json_next(&a);)
        for (struct json_each b = json_each(ours); json_next(&b);) {
            char name[40], inner[80];
            snprintf(name, sizeof(name), "%.*s", (int)b.key.len, b.key.ptr);
            snprintf(inner, sizeof(inner), "%s%s%s", path, *path ? "." : "", name);
            any |= json_key_is(a.key, name) && differs(c, inner, a.value, b.value);
        }
    return any;
}

/* Compares two values and reports a difference. A value that one of them lacks is not a difference. */
static bool differs(struct comparison *c, const char *path, struct json_slice theirs,
                    struct json_slice ours)
{
    if (source_is_none(theirs) || source_is_none(ours))
        return false;
    bool is_list = *ours.ptr == '[', is_object = *ours.ptr == '{';
    if ((is_list || is_object) && *theirs.ptr != *ours.ptr) {
        add_difference(c, "%s is not %s", path, is_list ? "a list" : "an object");
        return true;
    }
    return is_list     ? lists_differ(c, path, theirs, ours)
           : is_object ? objects_differ(c, path, theirs, ours)
                       : values_differ(c, path, theirs, ours);
}

#define USAGE "source_usage_by_step"

/* Compares by step numbers through an index, since there may be many. */
static void compare_usage(struct comparison *c, struct json_slice theirs, struct json_slice ours,
                          size_t count)
{
    AUTO(key_index) steps = KEY_INDEX_INIT;
    struct json_slice *ids = arena_array(c->arena, count + 1, sizeof(*ids));
    bool *named = arena_array(c->arena, count + 1, sizeof(*named));
    for (struct json_each it = json_each(ours); json_next(&it);)
        ids[key_index_add(&steps, it.key.ptr, it.key.len)] = it.value;
    for (struct json_each it = json_each(theirs); json_next(&it);) {
        char path[80];
        size_t at = key_index_find(&steps, it.key.ptr, it.key.len);
        if (at == ROW_NONE) {
            add_difference(c, USAGE " has step %s, which does not exist",
                           quote(plain(c, it.key)).text);
            continue;
        }
        named[at] = true;
        snprintf(path, sizeof(path), USAGE "[%.*s]", (int)it.key.len, it.key.ptr);
        differs(c, path, it.value, ids[at]);
    }
    for (size_t i = 0; i < steps.count; i++)
        if (!named[i] && ids[i].len > 2)
            add_difference(c, USAGE " leaves out step %s", steps.key[i].text);
}

static void compare(struct comparison *c, struct json_slice theirs, struct json_slice ours,
                    size_t steps)
{
    static const char *const lists[] = {"all_sources", "primary_sources"};
    for (size_t i = 0; i < 2; i++)
        differs(c, lists[i], json_member(theirs.ptr, theirs.len, lists[i]),
                json_member(ours.ptr, ours.len, lists[i]));
    struct json_slice usage = json_member(theirs.ptr, theirs.len, USAGE);
    if (source_is_none(usage))
        return;
    if (*usage.ptr == '{')
        compare_usage(c, usage, json_member(ours.ptr, ours.len, USAGE), steps);
    else
        add_difference(c, USAGE " is not an object");
}

void source_summary_compare(const struct source_summary *s, struct json_slice given,
                            struct arena *arena, const char ***out, size_t *count)
{
    struct comparison c = {.arena = arena};
    AUTO_STRBUF ours = STRBUF_INIT;
    source_summary_write(&ours, s);
    if (!source_is_none(given) && *given.ptr == '{')
        compare(&c, given, (struct json_slice){ours.buf, ours.len}, s->step_count);
    else if (!source_is_none(given))
        add_difference(&c, "source_summary is not an object");
    *out = c.count ? arena_memdup(arena, c.sentences, c.count * sizeof(*c.sentences)) : NULL;
    *count = c.count;
    free(c.sentences);
}
