#include "model/reasoning/source.h"

#include "model/base/digest.h"
#include "model/reasoning/source_reader.h"
#include "model/base/utf8.h"

#define NAMED 60 /* code points of an id that a reason quotes */

enum {
    DOCUMENT_ID,
    TITLE,
    DOCUMENT_TITLE,
    SCORE,
    RELEVANCE_SCORE,
    CONTENT,
    TEXT,
    EXCERPT,
    CHUNK_INDEX,
    RETRIEVAL_RANK,
    SCORE_ORIGIN,
    VERSION_HASH,
    URI,
    ATTRIBUTION,
    MEMBERS
};
static const char *const names[MEMBERS] = {
    "document_id",
    "title",
    "document_title",
    "score",
    "relevance_score",
    "content",
    "text",
    "excerpt",
    "chunk_index",
    "retrieval_rank",
    "score_origin",
    "version_hash",
    "uri",
    "attribution",
};

static int read_hash(struct source_reader *r, struct json_slice value, struct source *s)
{
    struct digest hash;
    char hex[2 * DIGEST_SIZE + 1];
    const char *given = NULL;
    if (source_text(r, value, names[VERSION_HASH], &given))
        return -1;
    if (!given || !*given)
        return 0;
    if (digest_from_hex(&hash, given))
        return source_wrong(r, names[VERSION_HASH], "is not 64 hex digits");
    digest_hex(hex, &hash);
    s->version_hash = arena_strdup(r->arena, hex);
    return s->version_hash ? 0 : source_no_memory(r->e);
}

static int read_id(struct source_reader *r, struct json_slice value, size_t index, struct source *s)
{
    if (source_text(r, value, names[DOCUMENT_ID], &s->document_id))
        return -1;
    if (s->document_id && *s->document_id)
        return 0;
    s->invented = true;
    s->document_id = source_invent(r->arena, "doc_", index);
    return s->document_id ? 0 : source_no_memory(r->e);
}

/* The first of two names for the same that is there, be it null. */
static int either(const struct json_slice *member, int first, int second)
{
    return member[first].ptr ? first : second;
}

static int read_score(struct source_reader *r, const struct json_slice *member, int which,
                      enum score of_number, struct source *s)
{
    s->relevance = 0.5;
    s->origin = SCORE_DEFAULT;
    if (!source_is_number(member[which]))
        return 0;
    s->origin = of_number;
    return source_share(r, member[which], names[which], &s->relevance);
}

/* A number below `least` is as good as none. */
static int read_place(struct source_reader *r, struct json_slice value, int64_t least, int64_t *out)
{
    int64_t number;
    int whole = source_whole(r, value, &number);
    if (whole > 0 && number >= least)
        *out = number;
    return whole < 0 ? -1 : 0;
}

static int read_name(struct source_reader *r, const struct json_slice *member, int which,
                     const char **out)
{
    if (source_text(r, member[which], names[which], out))
        return -1;
    if (*out && !**out)
        *out = NULL;
    return 0;
}

/* What results and attributions have in common. */
static int read_rest(struct source_reader *r, const struct json_slice *member, struct source *s)
{
    if (read_place(r, member[CHUNK_INDEX], 0, &s->chunk) || read_hash(r, member[VERSION_HASH], s) ||
        read_name(r, member, URI, &s->uri) || read_name(r, member, ATTRIBUTION, &s->attribution))
        return -1;
    return source_hash_content(r, s);
}

static int read_content(struct source_reader *r, const struct json_slice *member, struct source *s)
{
    int which = either(member, CONTENT, TEXT);
    if (source_bytes(r, member[which], names[which], &s->content, &s->content_len))
        return -1;
    s->excerpt = source_cut_excerpt(r->arena, s->content, s->content_len);
    return s->excerpt ? 0 : source_no_memory(r->e);
}

static int read_result(struct source_reader *r, const struct json_slice *member, size_t index,
                       struct source *s)
{
    int title = either(member, TITLE, DOCUMENT_TITLE);
    s->rank = (int64_t)index + 1;
    if (read_score(r, member, either(member, SCORE, RELEVANCE_SCORE), SCORE_MEASURED, s) ||
        source_text(r, member[title], names[title], &s->title) || read_content(r, member, s))
        return -1;
    return read_rest(r, member, s);
}

static int read_attribution(struct source_reader *r, const struct json_slice *member, size_t index,
                            struct source *s)
{
    (void)index;
    enum score origin = SCORE_ASSERTED;
    int title = either(member, DOCUMENT_TITLE, TITLE);
    if (source_origin(r, member[SCORE_ORIGIN], &origin) ||
        read_score(r, member, either(member, RELEVANCE_SCORE, SCORE), origin, s) ||
        source_text(r, member[title], names[title], &s->title) ||
        source_text(r, member[EXCERPT], names[EXCERPT], &s->excerpt) ||
        read_place(r, member[RETRIEVAL_RANK], 1, &s->rank))
        return -1;
    return read_rest(r, member, s);
}

typedef int (*item_reader)(struct source_reader *r, const struct json_slice *member, size_t index,
                           struct source *s);

static int read_item(struct source_gathering *g, struct json_slice item, const char *name,
                     size_t index, item_reader read)
{
    struct json_slice member[MEMBERS] = {{NULL, 0}};
    struct source s = {.chunk = -1, .rank = -1};
    int bad;
    if (*item.ptr != '{') {
        bad = source_wrong(&g->r, "it", "is not an object");
    } else {
        source_members(item, names, MEMBERS, member);
        bad = read_id(&g->r, member[DOCUMENT_ID], index, &s) || read(&g->r, member, index, &s);
    }
    if (!bad)
        return source_keep(g, &s);
    if (s.document_id && !s.invented)
        error_prefix(g->r.e, "%s[%zu] (“%.*s”)", name, index,
                     (int)utf8_prefix(s.document_id, NAMED), s.document_id);
    else
        error_prefix(g->r.e, "%s[%zu]", name, index);
    return source_refuse(&g->refused, &g->r, index);
}

static int read_items(struct source_list *out, struct arena *arena, struct json_slice items,
                      const char *name, item_reader read, struct error *e)
{
    struct source_gathering g;
    size_t index = 0;
    int failed = 0;
    *out = (struct source_list){.name = name};
    if (source_is_none(items) || *items.ptr != '[')
        return 0;
    source_gather(&g, arena);
    for (struct json_each it = json_each(items); !failed && json_next(&it);)
        failed = read_item(&g, it.value, name, index++, read);
    return source_gathered(&g, failed, out, e);
}

int sources_from_results(struct source_list *out, struct arena *arena, struct json_slice results,
                         const char *name, struct error *e)
{
    return read_items(out, arena, results, name, read_result, e);
}

int sources_from_attributions(struct source_list *out, struct arena *arena, struct json_slice items,
                              const char *name, struct error *e)
{
    return read_items(out, arena, items, name, read_attribution, e);
}

int sources_extract(struct source_list *out, struct arena *arena, struct json_slice results,
                    const char *name, const char *const *contexts, size_t count, struct error *e)
{
    struct json_each any = json_each(results);
    if (!source_is_none(results) && *results.ptr == '[' && json_next(&any))
        return sources_from_results(out, arena, results, name, e);
    return sources_from_contexts(out, arena, contexts, count, e);
}

void source_write(struct strbuf *out, const struct source *s)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "document_id", s->document_id);
    json_pair(&o, "document_title", s->title);
    json_key(&o, "relevance_score");
    json_add_double(out, s->relevance);
    json_pair(&o, "excerpt", s->excerpt);
    json_key(&o, "chunk_index");
    if (s->chunk >= 0)
        json_add_int(out, s->chunk);
    else
        json_add_string(out, NULL);
    json_key(&o, "retrieval_rank");
    if (s->rank >= 1)
        json_add_int(out, s->rank);
    else
        json_add_string(out, NULL);
    json_pair(&o, "score_origin", s->origin > SCORE_NONE ? score_name(s->origin) : NULL);
    json_end(&o);
}

double source_by_confidence(double relevance, double confidence)
{
    return relevance * confidence;
}
