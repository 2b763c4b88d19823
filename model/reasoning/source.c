/* Reads the sources of a step from results, bare contexts or recorded attributions. */
#include "model/reasoning/source.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "model/base/digest.h"
#include "model/base/utf8.h"
#include "model/pii/pii.h"
#include "model/reasoning/source_reader.h"

/* ---- values of an item ---- */

#define QUOTED 40 /* the most bytes of a number in a reason */

int source_wrong(struct source_reader *r, const char *name, const char *how)
{
    return error_set(r->e, ERROR_INVALID, "", "%s %s", name, how);
}

void source_members(struct json_slice object, const char *const *names, size_t count,
                    struct json_slice *out)
{
    for (struct json_each it = json_each(object); json_next(&it);)
        for (size_t i = 0; i < count; i++)
            if (json_key_is(it.key, names[i])) {
                out[i] = it.value;
                break;
            }
}

bool source_is_none(struct json_slice value)
{
    return !value.ptr || value.len == 0 || *value.ptr == 'n';
}

bool source_is_number(struct json_slice value)
{
    return value.ptr && value.len > 0 &&
           (*value.ptr == '-' || (*value.ptr >= '0' && *value.ptr <= '9'));
}

/* The same, as raw bytes. */
static int source_bytes(struct source_reader *r, struct json_slice value, const char *name,
                        const char **out, size_t *len)
{
    if (source_is_none(value))
        return 0;
    bool is_string = *value.ptr == '"' && value.len >= 2;
    if (!is_string && !source_is_number(value))
        return source_wrong(r, name, "is neither text nor a number");
    char *text = arena_strndup(r->arena, value.ptr + is_string, value.len - 2 * (size_t)is_string);
    *len = value.len;
    if (is_string)
        *len = json_unescape(text, value.ptr + 1, value.len - 2);
    text[*len] = '\0';
    *out = text;
    return 0;
}

int source_text(struct source_reader *r, struct json_slice value, const char *name,
                const char **out)
{
    const char *bytes = NULL;
    size_t len = 0;
    if (source_bytes(r, value, name, &bytes, &len))
        return -1;
    if (bytes)
        *out = utf8_valid(bytes, len) ? bytes : utf8_repaired(r->arena, bytes, len);
    return 0;
}

/* Reads digits with an optional sign and white space around them. */
static bool parse_whole(const char *text, int64_t *out)
{
    char *end;
    text += utf8_space(text, strlen(text));
    errno = 0;
    *out = strtoll(text, &end, 10);
    return end > text && errno == 0 && end[utf8_space(end, strlen(end))] == '\0';
}

bool source_whole(struct source_reader *r, struct json_slice value, int64_t *out)
{
    if (source_is_number(value))
        return json_integer(value, out) == 0;
    if (source_is_none(value) || *value.ptr != '"')
        return false;
    const char *text = "";
    return source_text(r, value, "it", &text) == 0 && parse_whole(text, out);
}

int source_share(struct source_reader *r, struct json_slice value, const char *name, double *out)
{
    double number;
    int len = value.len < QUOTED ? (int)value.len : QUOTED;
    if (json_double(value, &number) || !(number >= 0 && number <= 1))
        return error_set(r->e, ERROR_INVALID, "", "%s is %.*s%s, which is not between 0 and 1",
                         name, len, value.ptr, (size_t)len < value.len ? "…" : "");
    *out = number + 0.0;
    return 0;
}

int source_origin(struct source_reader *r, struct json_slice value, enum score *out)
{
    const char *word = NULL;
    if (source_text(r, value, "score_origin", &word))
        return -1;
    if (!word)
        return 0;
    int found = score_from_name(word);
    if (found <= SCORE_NONE)
        return source_wrong(r, "score_origin",
                            "is none of measured, heuristic, default and asserted");
    *out = (enum score)found;
    return 0;
}

size_t source_count(struct json_slice list)
{
    return source_is_none(list) || *list.ptr != '[' ? 0 : json_count(list);
}

void source_refuse(struct source_reader *r, struct source_refusal *list, size_t *count,
                   size_t index)
{
    list[(*count)++] = (struct source_refusal){index, arena_strdup(r->arena, r->e->what)};
}

const char *source_invent(struct arena *arena, const char *prefix, size_t number)
{
    char id[48];
    int len = snprintf(id, sizeof(id), "%s%zu", prefix, number);
    return arena_strndup(arena, id, (size_t)len);
}

#define BEYOND 1024 /* bytes after an excerpt to scan for finds that begin in it */

/* Ends an excerpt before a find that it would cut, since nobody recognizes half an address. */
static size_t before_find(const struct pii *pii, const char *bytes, size_t len, size_t end)
{
    struct pii_span found = {0, 0, 0};
    size_t look = len - end > BEYOND ? end + BEYOND : len;
    while (found.end < end && pii_find(pii, bytes, look, found.end, &found) && found.start < end)
        if (found.end > end)
            return found.start;
    return end;
}

static size_t excerpt_end(const struct pii *pii, const char *bytes, size_t len)
{
    uint32_t c;
    size_t end = 0;
    for (size_t count = 0; count < SOURCE_EXCERPT && end < len; count++) {
        int n = utf8_decode(bytes + end, len - end, &c);
        end += n ? (size_t)n : 1;
    }
    return end < len ? before_find(pii, bytes, len, end) : end;
}

static const char *cut(const struct pii *pii, struct arena *arena, const char *bytes, size_t len)
{
    char text[SOURCE_EXCERPT * 4];
    size_t written = 0, i = 0, end = excerpt_end(pii, bytes, len);
    while (i < end) {
        uint32_t c;
        int n = utf8_decode(bytes + i, len - i, &c);
        i += n ? (size_t)n : 1;
        written += (size_t)utf8_encode(n && c ? c : 0xfffd, text + written);
    }
    return arena_strndup(arena, text, written);
}

const char *source_cut_excerpt(struct arena *arena, const char *bytes, size_t len)
{
    return cut(pii_built_in(), arena, bytes, len);
}

void sources_cut(struct source_list *list, struct arena *arena, const struct pii *pii)
{
    for (size_t i = 0; i < list->count; i++) {
        struct source *s = &list->source[i];
        if (s->whole)
            s->excerpt = cut(pii, arena, s->whole, strlen(s->whole));
        else if (s->content && s->excerpt)
            s->excerpt = cut(pii, arena, s->content, s->content_len);
    }
}

static void hash_content(struct source_reader *r, struct source *s)
{
    char hex[2 * DIGEST_SIZE + 1];
    struct digest hash;
    if (s->version_hash || s->content_len == 0)
        return;
    digest_bytes(&hash, s->content, s->content_len);
    digest_hex(hex, &hash);
    s->version_hash = arena_strdup(r->arena, hex);
}

/* ---- results and attributions ---- */

#define NAMED 60 /* the most code points of an id in a reason */

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
    REF,
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
    "ref",
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
    return 0;
}

static int read_id(struct source_reader *r, struct json_slice value, size_t index, struct source *s)
{
    if (source_text(r, value, names[DOCUMENT_ID], &s->document_id))
        return -1;
    if (s->document_id && *s->document_id)
        return 0;
    s->invented = true;
    s->document_id = source_invent(r->arena, "doc_", index);
    return 0;
}

/* The first of two alternative members that is present, even if null. */
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

/* Ignores what is no whole number, and a number below `least`. A number that no double holds (1e999) is an error. */
static int read_place(struct source_reader *r, const struct json_slice *member, int which,
                      int64_t least, int64_t *out)
{
    int64_t number;
    double any;
    if (source_is_number(member[which]) && json_double(member[which], &any))
        return source_wrong(r, names[which], "is a number out of range");
    if (source_whole(r, member[which], &number) && number >= least)
        *out = number;
    return 0;
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

/* Reads the members that results and attributions share. */
static int read_rest(struct source_reader *r, const struct json_slice *member, struct source *s)
{
    if (read_place(r, member, CHUNK_INDEX, CHUNK_NONE + 1, &s->chunk) ||
        read_hash(r, member[VERSION_HASH], s) || read_name(r, member, URI, &s->uri) ||
        read_name(r, member, ATTRIBUTION, &s->attribution))
        return -1;
    hash_content(r, s);
    return 0;
}

static int read_content(struct source_reader *r, const struct json_slice *member, struct source *s)
{
    int which = either(member, CONTENT, TEXT);
    if (source_bytes(r, member[which], names[which], &s->content, &s->content_len))
        return -1;
    s->excerpt = source_cut_excerpt(r->arena, s->content, s->content_len);
    return 0;
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

/* A recorded chain has the ref of each document, too. One that is named by a hash, but has another id, had a made-up
 * id. */
static bool had_no_id(struct source_reader *r, struct json_slice ref, const char *id)
{
    static const char hashed[] = "document:sha256-";
    const char *text = NULL;
    struct error ignored;
    struct source_reader quiet = {r->arena, &ignored};
    return strlen(id) <= REF_ID_MAX && source_text(&quiet, ref, names[REF], &text) == 0 && text &&
           strncmp(text, hashed, sizeof(hashed) - 1) == 0 &&
           strcmp(text + sizeof("document:") - 1, id) != 0;
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
        source_text(r, member[EXCERPT], names[EXCERPT], &s->excerpt))
        return -1;
    if (s->excerpt && utf8_count(s->excerpt) > SOURCE_EXCERPT) {
        s->whole = s->excerpt;
        s->excerpt = source_cut_excerpt(r->arena, s->whole, strlen(s->whole));
    }
    if (read_place(r, member, RETRIEVAL_RANK, 1, &s->rank))
        return -1;
    s->invented |= had_no_id(r, member[REF], s->document_id);
    return read_rest(r, member, s);
}

typedef int (*item_reader)(struct source_reader *r, const struct json_slice *member, size_t index,
                           struct source *s);

static void read_item(struct source_list *out, struct source_reader *r, struct json_slice item,
                      size_t index, item_reader read)
{
    struct json_slice member[MEMBERS] = {{NULL, 0}};
    struct source s = {.index = index, .chunk = CHUNK_NONE, .rank = -1};
    int bad;
    if (*item.ptr != '{') {
        bad = source_wrong(r, "it", "is not an object");
    } else {
        source_members(item, names, MEMBERS, member);
        bad = read_id(r, member[DOCUMENT_ID], index, &s) || read(r, member, index, &s);
    }
    if (!bad) {
        out->source[out->count++] = s;
        return;
    }
    if (s.document_id && !s.invented)
        error_prefix(r->e, "%s[%zu] (“%.*s”)", out->name, index,
                     (int)utf8_prefix(s.document_id, NAMED), s.document_id);
    else
        error_prefix(r->e, "%s[%zu]", out->name, index);
    source_refuse(r, out->refused, &out->refused_count, index);
}

static void read_items(struct source_list *out, struct arena *arena, struct json_slice items,
                       const char *name, item_reader read)
{
    struct error why;
    struct source_reader r = {arena, &why};
    size_t index = 0, total = source_count(items);
    *out = (struct source_list){.name = name};
    if (total == 0)
        return;
    out->source = arena_array(arena, total, sizeof(*out->source));
    out->refused = arena_array(arena, total, sizeof(*out->refused));
    for (struct json_each it = json_each(items); json_next(&it);)
        read_item(out, &r, it.value, index++, read);
}

void sources_from_results(struct source_list *out, struct arena *arena, struct json_slice results,
                          const char *name)
{
    read_items(out, arena, results, name, read_result);
}

void sources_from_attributions(struct source_list *out, struct arena *arena,
                               struct json_slice items, const char *name)
{
    read_items(out, arena, items, name, read_attribution);
}

/* ---- bare contexts ---- */

#define MARK     "id:"
#define MARK_LEN (sizeof(MARK) - 1)

static bool stands_at(const char *text, size_t len, size_t at)
{
    return len - at >= MARK_LEN && memcmp(text + at, MARK, MARK_LEN) == 0;
}

/* The position after the first mark that is at the beginning or after white space, or `len` if
 * there is none. */
static size_t find_mark(const char *text, size_t len)
{
    bool may_begin = true;
    for (size_t i = 0; i < len;) {
        uint32_t c;
        if (may_begin && stands_at(text, len, i))
            return i + MARK_LEN;
        int n = utf8_decode(text + i, len - i, &c);
        may_begin = n > 0 && utf8_is_space(c);
        i += n ? (size_t)n : 1;
    }
    return len;
}

/* The first word from `at`, directly after a mark. None if another mark comes first: it counts after a
 * mark and after white space, not within a word. */
static struct json_slice find_word(const char *text, size_t len, size_t at)
{
    at += utf8_space(text + at, len - at);
    size_t end = at;
    while (end < len && !stands_at(text, len, at) && utf8_space(text + end, len - end) == 0)
        end++;
    return (struct json_slice){text + at, end - at};
}

static void read_context(struct source_list *out, struct source_reader *r, const char *text,
                         size_t index)
{
    struct source s = {
        .index = index,
        .chunk = CHUNK_NONE,
        .rank = (int64_t)index + 1,
        .relevance = fmax(0.3, 1.0 - (double)index * 0.1),
        .origin = SCORE_HEURISTIC,
        .content = text,
        .content_len = strlen(text),
    };
    if (utf8_space(text, s.content_len) == s.content_len)
        return;
    struct json_slice word = find_word(text, s.content_len, find_mark(text, s.content_len));
    s.invented = word.len == 0;
    s.document_id = s.invented ? source_invent(r->arena, "context_doc_", index)
                               : utf8_repaired(r->arena, word.ptr, word.len);
    s.excerpt = source_cut_excerpt(r->arena, text, s.content_len);
    hash_content(r, &s);
    out->source[out->count++] = s;
}

void sources_from_contexts(struct source_list *out, struct arena *arena,
                           const char *const *contexts, size_t count)
{
    struct error why;
    struct source_reader r = {arena, &why};
    *out = (struct source_list){.source = arena_array(arena, count, sizeof(*out->source)),
                                .refused = arena_array(arena, count, sizeof(*out->refused))};
    for (size_t i = 0; i < count; i++)
        read_context(out, &r, contexts[i], i);
}

const char *source_context(struct arena *arena, struct json_slice value)
{
    struct error ignored;
    struct source_reader r = {arena, &ignored};
    const char *text = "";
    return source_text(&r, value, "context", &text) ? NULL : text;
}

void sources_extract(struct source_list *out, struct arena *arena, struct json_slice results,
                     const char *name, const char *const *contexts, size_t count)
{
    struct json_each any = json_each(results);
    if (!source_is_none(results) && *results.ptr == '[' && json_next(&any))
        sources_from_results(out, arena, results, name);
    else
        sources_from_contexts(out, arena, contexts, count);
}

void source_write(struct strbuf *out, const struct source *s)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "document_id", s->document_id);
    json_pair(&o, "document_title", s->title);
    json_pair_double(&o, "relevance_score", s->relevance);
    json_pair(&o, "excerpt", s->excerpt);
    json_key(&o, "chunk_index");
    if (s->chunk != CHUNK_NONE)
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
