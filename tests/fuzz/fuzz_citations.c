/*
 * Citations from any bytes: those found in a text, and those listed as JSON, which read the same
 * after they are written.
 */
#include <assert.h>
#include <stdint.h>
#include "model/reasoning/citation.h"
#include "model/memory/memory.h"
#include "model/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* They follow one another, each with its parentheses. */
static void read_text(struct arena *arena, const char *text)
{
    struct cited *found;
    size_t count, last = 0;
    citations_in_text(text, arena, &found, &count);
    for (size_t i = 0; i < count; i++) {
        const struct cited *c = &found[i];
        assert(c->at >= last && c->len > strlen("(source:)"));
        assert(*c->name && utf8_valid(c->name, strlen(c->name)));
        assert(c->page >= 0);
        assert(!c->section || (*c->section && utf8_valid(c->section, strlen(c->section))));
        last = c->at + c->len;
    }
    struct strbuf fixed = STRBUF_INIT;
    utf8_repair(&fixed, text, strlen(text));
    assert(last <= utf8_count(fixed.buf));
    strbuf_release(&fixed);
}

static void write_all(struct strbuf *out, const struct citation *c, size_t count)
{
    struct error e;
    struct json_object a = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&a);
        citation_write(out, &c[i]);
    }
    json_end(&a);
    assert(json_check(out->buf, out->len, JSON_DEPTH_MAX, &e) == 0);
}

/* An offset may move a time out of the supported years. It is then not read again. */
static bool reads_again(const struct citation *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c[i].retrieved_at < INT64_C(-62167219200000) ||
            c[i].retrieved_at > INT64_C(253402300799999))
            return false;
    return true;
}

static void expect_again(struct arena *arena, const struct citation *c, size_t count)
{
    struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
    struct citation_list again;
    write_all(&first, c, count);
    struct json_slice slice = {first.buf, first.len};
    citations_read(&again, arena, slice, 7);
    write_all(&second, again.citation, again.count);
    assert(!reads_again(c, count) || strcmp(first.buf, second.buf) == 0);
    strbuf_release(&first);
    strbuf_release(&second);
}

static void read_json(struct arena *arena, struct json_slice items)
{
    struct citation_list list;
    struct strbuf out = STRBUF_INIT;
    struct error e;
    citations_read(&list, arena, items, 7);
    expect_again(arena, list.citation, list.count);
    struct citation *kept = arena_array(arena, list.count, sizeof(*kept));
    struct citation *ranked = arena_array(arena, list.count, sizeof(*ranked));
    size_t count = citations_deduplicate(kept, list.citation, list.count);
    assert(count <= list.count && (count > 0 || list.count == 0));
    size_t ranks = citations_rank(ranked, kept, count, CITATIONS_MAX);
    assert(ranks == (count < CITATIONS_MAX ? count : CITATIONS_MAX));
    for (size_t i = 1; i < ranks; i++)
        assert(ranked[i - 1].relevance >= ranked[i].relevance);
    assert((citations_uncertainty(ranked, ranks) == UNCERTAINTY_COMPLETE) == (ranks == 0));
    citation_done_event(&out, ranked, ranks, "c", "m", 7);
    assert(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e) == 0);
    strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct error e;
    struct ref of;
    const char *word, *text = arena_strndup(&arena, (const char *)bytes, len);
    read_text(&arena, text);
    if (rating_parse(text, &arena, &of, &word))
        assert(*word && !strchr(word, ' ') && *of.id);
    if (json_check_lax((const char *)bytes, len, JSON_DEPTH_MAX, &e) == 0)
        read_json(&arena, json_trim((const char *)bytes, len));
    arena_release(&arena);
    return 0;
}
