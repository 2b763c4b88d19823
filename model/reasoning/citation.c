/* Citations: read, ranked and written. */
#include "model/reasoning/citation.h"

#include <math.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/reasoning/source_reader.h"

/* ---- reading ---- */

enum {
    DOCUMENT_ID,
    DOCUMENT_NAME,
    LOCATION,
    SNIPPET,
    RELEVANCE_SCORE,
    RETRIEVED_AT,
    SCORE_ORIGIN,
    MEMBERS
};
static const char *const names[MEMBERS] = {
    "documentId",     "documentName", "location",     "snippet",
    "relevanceScore", "retrievedAt",  "score_origin",
};

static int read_document(struct source_reader *r, const struct json_slice *member, size_t index,
                         struct citation *c)
{
    if (source_text(r, member[DOCUMENT_ID], names[DOCUMENT_ID], &c->document_id) ||
        source_text(r, member[DOCUMENT_NAME], names[DOCUMENT_NAME], &c->name))
        return -1;
    c->unnamed = !c->name || !*c->name;
    if (c->unnamed)
        c->name = "Unknown source";
    if (c->document_id && *c->document_id)
        return 0;
    c->invented = true;
    c->document_id = source_invent(r->arena, "source-", index + 1);
    return 0;
}

/* A whole number, or text of one; null and "" are none, and leave *out. */
static int read_place(struct source_reader *r, struct json_slice value, const char *name,
                      int64_t *out)
{
    int64_t number;
    bool is_empty = value.len == 2 && *value.ptr == '"';
    if (source_is_none(value) || is_empty)
        return 0;
    if (!source_whole(r, value, &number) || number < 0)
        return source_wrong(r, name, "is no whole number from 0 on");
    *out = number;
    return 0;
}

static int read_location(struct source_reader *r, struct json_slice location, struct citation *c)
{
    static const char *const places[] = {"page", "section", "paragraph"};
    struct json_slice member[3] = {{NULL, 0}};
    if (source_is_none(location))
        return 0;
    if (*location.ptr != '{')
        return source_wrong(r, names[LOCATION], "is not an object");
    source_members(location, places, 3, member);
    if (read_place(r, member[0], "location.page", &c->page) ||
        source_text(r, member[1], "location.section", &c->section) ||
        read_place(r, member[2], "location.paragraph", &c->paragraph))
        return -1;
    if (c->section && !*c->section)
        c->section = NULL;
    return 0;
}

static int read_score(struct source_reader *r, const struct json_slice *member, struct citation *c)
{
    struct json_slice score = member[RELEVANCE_SCORE];
    if (source_origin(r, member[SCORE_ORIGIN], &c->origin))
        return -1;
    if (source_is_none(score)) {
        c->origin = SCORE_DEFAULT;
        return 0;
    }
    if (!source_is_number(score))
        return source_wrong(r, names[RELEVANCE_SCORE], "is not a number");
    return source_share(r, score, names[RELEVANCE_SCORE], &c->relevance);
}

static int read_time(struct source_reader *r, struct json_slice value, struct citation *c)
{
    const char *text = NULL;
    if (source_text(r, value, names[RETRIEVED_AT], &text))
        return -1;
    if (text && clock_parse_iso(text, &c->retrieved_at))
        return source_wrong(r, names[RETRIEVED_AT], "is not a time in ISO 8601");
    return 0;
}

static int read_members(struct source_reader *r, struct json_slice item, size_t index,
                        struct citation *c)
{
    struct json_slice member[MEMBERS] = {{NULL, 0}};
    if (*item.ptr != '{')
        return source_wrong(r, "it", "is not an object");
    source_members(item, names, MEMBERS, member);
    if (read_document(r, member, index, c) || read_location(r, member[LOCATION], c) ||
        source_text(r, member[SNIPPET], names[SNIPPET], &c->snippet) || read_score(r, member, c))
        return -1;
    return read_time(r, member[RETRIEVED_AT], c);
}

void citations_read(struct citation_list *out, struct arena *arena, struct json_slice items,
                    int64_t now)
{
    struct error why;
    struct source_reader r = {arena, &why};
    size_t index = 0, total = source_count(items);
    *out = (struct citation_list){0};
    if (total == 0)
        return;
    out->citation = arena_array(arena, total, sizeof(*out->citation));
    out->refused = arena_array(arena, total, sizeof(*out->refused));
    for (struct json_each it = json_each(items); json_next(&it); index++) {
        struct citation c = {
            .paragraph = -1, .relevance = 0.5, .origin = SCORE_ASSERTED, .retrieved_at = now};
        if (read_members(&r, it.value, index, &c)) {
            error_prefix(&why, "sources[%zu]", index);
            source_refuse(&r, out->refused, &out->refused_count, index);
        } else {
            out->citation[out->count++] = c;
        }
    }
}

/* ---- the best of each passage, and of all ---- */

/* A citation and its place among all that were given. */
struct entry {
    const struct citation *citation;
    size_t place;
};

static int compare_places(const struct entry *x, const struct entry *y)
{
    return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    return compare_places(a, b);
}

static const char *section_of(const struct citation *c)
{
    return c->section ? c->section : "";
}

static int64_t page_of(const struct citation *c)
{
    return c->page > 0 ? c->page : 0;
}

/* An id that was made up is no other's, even if somebody gave the same. */
static int compare_passages(const struct citation *x, const struct citation *y)
{
    if (x->invented != y->invented)
        return x->invented ? 1 : -1;
    if (page_of(x) != page_of(y))
        return page_of(x) < page_of(y) ? -1 : 1;
    int order = strcmp(x->document_id, y->document_id);
    return order ? order : strcmp(section_of(x), section_of(y));
}

static int by_passage(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = compare_passages(x->citation, y->citation);
    return order ? order : compare_places(x, y);
}

/* One that nobody scored is less than any. */
static double score_of(const struct citation *c)
{
    return isnan(c->relevance) ? -INFINITY : c->relevance;
}

static int by_relevance(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    double left = score_of(x->citation), right = score_of(y->citation);
    if (left != right)
        return left > right ? -1 : 1;
    return compare_places(x, y);
}

static struct entry *list_entries(const struct citation *in, size_t count)
{
    struct entry *list = xcalloc(count, sizeof(*list));
    for (size_t i = 0; i < count; i++)
        list[i] = (struct entry){&in[i], i};
    return list;
}

/* Keeps of each passage the best, in the place of its first; they are sorted by passage. */
static size_t keep_best(struct entry *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct entry *last = kept ? &list[kept - 1] : NULL;
        if (!last || compare_passages(last->citation, list[i].citation) != 0)
            list[kept++] = list[i];
        else if (score_of(list[i].citation) > score_of(last->citation))
            last->citation = list[i].citation;
    }
    return kept;
}

size_t citations_deduplicate(struct citation *out, const struct citation *in, size_t count)
{
    if (count == 0)
        return 0;
    struct entry *list = list_entries(in, count);
    qsort(list, count, sizeof(*list), by_passage);
    size_t kept = keep_best(list, count);
    qsort(list, kept, sizeof(*list), by_place);
    for (size_t i = 0; i < kept; i++)
        out[i] = *list[i].citation;
    free(list);
    return kept;
}

size_t citations_rank(struct citation *out, const struct citation *in, size_t count, size_t limit)
{
    size_t kept = count < limit ? count : limit;
    if (kept == 0)
        return 0;
    struct entry *list = list_entries(in, count);
    qsort(list, count, sizeof(*list), by_relevance);
    for (size_t i = 0; i < kept; i++)
        out[i] = *list[i].citation;
    free(list);
    return kept;
}

enum uncertainty citations_uncertainty(const struct citation *c, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += c[i].relevance;
    double mean = sum / (double)count;
    if (count == 0)
        return UNCERTAINTY_COMPLETE;
    return mean > 0.7   ? UNCERTAINTY_NONE
           : mean > 0.5 ? UNCERTAINTY_LOW
           : mean > 0.3 ? UNCERTAINTY_MEDIUM
                        : UNCERTAINTY_HIGH;
}

const char *uncertainty_name(enum uncertainty u)
{
    static const char *const words[] = {"none", "low", "medium", "high", "complete"};
    return words[u];
}

/* ---- writing ---- */

void citation_format(struct strbuf *out, const char *name, int64_t page, const char *section)
{
    bool has_section = section && *section;
    strbuf_addch(out, '(');
    strbuf_addstr(out, name);
    if (page > 0)
        strbuf_addf(out, ", page %lld", (long long)page);
    if (has_section || page <= 0)
        strbuf_addstr(out, ", ");
    if (has_section)
        strbuf_addstr(out, section);
    else if (page <= 0)
        strbuf_addstr(out, "document");
    strbuf_addch(out, ')');
}

static void pair_time(struct json_object *o, const char *key, int64_t ms)
{
    char iso[40];
    clock_format_iso(iso, sizeof(iso), ms);
    json_pair(o, key, iso);
}

static void pair_if(struct json_object *o, const char *key, const char *text)
{
    if (text)
        json_pair(o, key, text);
}

static void write_location(struct json_object *source, const struct citation *c)
{
    bool has_section = c->section && *c->section;
    if (c->page <= 0 && !has_section && c->paragraph < 0)
        return;
    json_key(source, "location");
    struct json_object o = json_begin(source->out, '{');
    if (c->page > 0)
        json_pair_int(&o, "page", c->page);
    if (has_section)
        json_pair(&o, "section", c->section);
    if (c->paragraph >= 0)
        json_pair_int(&o, "paragraph", c->paragraph);
    json_end(&o);
}

void citation_write(struct strbuf *out, const struct citation *c)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "documentId", c->document_id);
    json_pair(&o, "documentName", c->name);
    write_location(&o, c);
    pair_if(&o, "snippet", c->snippet);
    json_key(&o, "relevanceScore");
    json_add_double(out, c->relevance);
    if (c->retrieved_at != INT64_MIN)
        pair_time(&o, "retrievedAt", c->retrieved_at);
    /* Whoever cites asserts it, unless they said otherwise. */
    if (c->origin != SCORE_NONE && c->origin != SCORE_ASSERTED)
        json_pair(&o, "score_origin", score_name(c->origin));
    json_end(&o);
}

static void end_event(struct json_object *o, const char *conversation, int64_t at)
{
    pair_if(o, "conversationId", conversation);
    pair_time(o, "timestamp", at);
    json_end(o);
}

void citation_added_event(struct strbuf *out, const struct citation *c, const char *conversation,
                          int64_t at)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "type", "source_added");
    json_key(&o, "source");
    citation_write(out, c);
    end_event(&o, conversation, at);
}

void citation_done_event(struct strbuf *out, const struct citation *c, size_t count,
                         const char *conversation, const char *message, int64_t at)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "type", "done");
    pair_if(&o, "messageId", message);
    json_key(&o, "sources");
    struct json_object sources = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&sources);
        citation_write(out, &c[i]);
    }
    json_end(&sources);
    end_event(&o, conversation, at);
}
