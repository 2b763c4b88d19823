#include "model/reasoning/citation.h"

#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/reasoning/source_reader.h"

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

/* Citations while they are read. */
struct gathering {
    struct source_reader r;
    struct error why; /* of the item that is read */
    int64_t now;
    struct citation *citation;
    size_t count, alloc;
    struct source_refusals refused;
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
    return c->document_id ? 0 : source_no_memory(r->e);
}

/* A whole number, or text of one; null and "" are none, and leave *out. */
static int read_place(struct source_reader *r, struct json_slice value, const char *name,
                      int64_t *out)
{
    int64_t number;
    bool is_empty = value.len == 2 && *value.ptr == '"';
    if (source_is_none(value) || is_empty)
        return 0;
    int whole = source_whole(r, value, &number);
    if (whole < 0)
        return -1;
    if (whole == 0 || number < 0)
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

static int read_members(struct gathering *g, struct json_slice item, size_t index,
                        struct citation *c)
{
    struct json_slice member[MEMBERS] = {{NULL, 0}};
    struct source_reader *r = &g->r;
    if (*item.ptr != '{')
        return source_wrong(r, "it", "is not an object");
    source_members(item, names, MEMBERS, member);
    if (read_document(r, member, index, c) || read_location(r, member[LOCATION], c) ||
        source_text(r, member[SNIPPET], names[SNIPPET], &c->snippet) || read_score(r, member, c))
        return -1;
    return read_time(r, member[RETRIEVED_AT], c);
}

static int read_item(struct gathering *g, struct json_slice item, size_t index)
{
    struct citation c = {
        .paragraph = -1,
        .relevance = 0.5,
        .origin = SCORE_ASSERTED,
        .retrieved_at = g->now,
    };
    if (read_members(g, item, index, &c)) {
        error_prefix(g->r.e, "sources[%zu]", index);
        return source_refuse(&g->refused, &g->r, index);
    }
    if (!array_grow((void **)&g->citation, &g->alloc, g->count, sizeof(c)))
        return source_no_memory(g->r.e);
    g->citation[g->count++] = c;
    return 0;
}

static int keep(struct gathering *g, struct citation_list *out)
{
    if (g->count > 0) {
        out->citation = arena_memdup(g->r.arena, g->citation, g->count * sizeof(*g->citation));
        if (!out->citation)
            return source_no_memory(g->r.e);
        out->count = g->count;
    }
    return source_refusals_keep(&g->refused, &g->r, &out->refused, &out->refused_count);
}

int citations_read(struct citation_list *out, struct arena *arena, struct json_slice items,
                   int64_t now, struct error *e)
{
    struct gathering g = {.now = now};
    size_t index = 0;
    int failed = 0;
    *out = (struct citation_list){0};
    if (source_is_none(items) || *items.ptr != '[')
        return 0;
    g.r = (struct source_reader){arena, &g.why};
    for (struct json_each it = json_each(items); !failed && json_next(&it);)
        failed = read_item(&g, it.value, index++);
    failed = failed || keep(&g, out);
    free(g.citation);
    free(g.refused.item);
    if (failed)
        *e = g.why;
    return failed ? -1 : 0;
}
