#include "model/reasoning/source.h"

#include <math.h>
#include "model/reasoning/source_reader.h"
#include "model/base/utf8.h"

#define MARK     "id:"
#define MARK_LEN (sizeof(MARK) - 1)

static bool stands_at(const char *text, size_t len, size_t at)
{
    return len - at >= MARK_LEN && memcmp(text + at, MARK, MARK_LEN) == 0;
}

/* Where what follows the first mark begins that stands at the beginning or after white space; `len`:
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

/* The first word from there on, up to the next mark, be that within a word; of no bytes: there is
 * none. */
static struct json_slice find_word(const char *text, size_t len, size_t at)
{
    at += utf8_space(text + at, len - at);
    size_t end = at;
    while (end < len && !stands_at(text, len, end) && utf8_space(text + end, len - end) == 0)
        end++;
    return (struct json_slice){text + at, end - at};
}

static int read_context(struct source_gathering *g, const char *text, size_t index)
{
    struct source s = {
        .chunk = -1,
        .rank = (int64_t)index + 1,
        .relevance = fmax(0.3, 1.0 - (double)index * 0.1),
        .origin = SCORE_HEURISTIC,
        .content = text,
        .content_len = strlen(text),
    };
    if (utf8_space(text, s.content_len) == s.content_len)
        return 0;
    struct json_slice word = find_word(text, s.content_len, find_mark(text, s.content_len));
    s.invented = word.len == 0;
    s.document_id = s.invented ? source_invent(g->r.arena, "context_doc_", index)
                               : source_mended(&g->r, word.ptr, word.len);
    s.excerpt = source_cut_excerpt(g->r.arena, text, s.content_len);
    if (!s.document_id || !s.excerpt)
        return source_no_memory(g->r.e);
    return source_hash_content(&g->r, &s) || source_keep(g, &s) ? -1 : 0;
}

int sources_from_contexts(struct source_list *out, struct arena *arena, const char *const *contexts,
                          size_t count, struct error *e)
{
    struct source_gathering g;
    int failed = 0;
    *out = (struct source_list){0};
    source_gather(&g, arena);
    for (size_t i = 0; !failed && i < count; i++)
        failed = read_context(&g, contexts[i], i);
    return source_gathered(&g, failed, out, e);
}

/* A NUL would end it: U+FFFD stands for each. */
static const char *without_nul(struct source_reader *r, const char *bytes, size_t len)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < len; i++) {
        size_t run = strlen(bytes + i);
        strbuf_add(&text, bytes + i, run);
        i += run;
        if (i < len)
            strbuf_addstr(&text, "\xef\xbf\xbd");
    }
    const char *kept = text.failed ? NULL : arena_strndup(r->arena, text.buf, text.len);
    strbuf_release(&text);
    return kept;
}

static int read_string(struct source_reader *r, struct json_slice value, size_t index,
                       const char **out)
{
    char name[48];
    const char *bytes = NULL;
    size_t len = 0;
    snprintf(name, sizeof(name), "context [%zu]", index);
    if (source_bytes(r, value, name, &bytes, &len))
        return -1;
    *out = bytes ? bytes : "";
    if (bytes && strlen(bytes) < len)
        *out = without_nul(r, bytes, len);
    return *out ? 0 : source_no_memory(r->e);
}

int sources_read_contexts(const char ***out, size_t *count, struct arena *arena,
                          struct json_slice list, struct error *e)
{
    struct source_reader r = {arena, e};
    size_t index = 0, total = 0;
    *out = NULL;
    *count = 0;
    if (source_is_none(list))
        return 0;
    if (*list.ptr != '[')
        return source_wrong(&r, "the contexts", "are not a list");
    for (struct json_each it = json_each(list); json_next(&it);)
        total++;
    *out = arena_array(arena, total, sizeof(**out));
    if (!*out)
        return source_no_memory(e);
    for (struct json_each it = json_each(list); json_next(&it); index++)
        if (read_string(&r, it.value, index, &(*out)[index]))
            return -1;
    *count = total;
    return 0;
}
