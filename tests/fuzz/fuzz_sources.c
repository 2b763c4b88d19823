/*
 * Sources from any bytes, read as results, as attributions, and as a context per line. Their
 * summary equals itself, and is compared with any other.
 */
#include <assert.h>
#include <stdint.h>
#include "model/reasoning/reasoning.h"
#include "model/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void expect_texts(const struct source *s)
{
    const char *const texts[] = {s->document_id,  s->title, s->excerpt,
                                 s->version_hash, s->uri,   s->attribution};
    assert(s->document_id && *s->document_id);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert(!texts[i] || utf8_valid(texts[i], strlen(texts[i])));
}

/* What is written reads the same. */
static void expect_again(const struct source *s)
{
    struct arena arena = ARENA_INIT;
    struct source_list list;
    struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
    strbuf_addch(&first, '[');
    source_write(&first, s);
    strbuf_addch(&first, ']');
    struct json_slice slice = {first.buf, first.len};
    sources_from_attributions(&list, &arena, slice, "item");
    assert(list.count == 1);
    strbuf_addch(&second, '[');
    source_write(&second, &list.source[0]);
    strbuf_addch(&second, ']');
    assert(strcmp(first.buf, second.buf) == 0);
    strbuf_release(&first);
    strbuf_release(&second);
    arena_release(&arena);
}

static void expect_list(const struct source_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct source *s = &list->source[i];
        expect_texts(s);
        expect_again(s);
        assert(s->relevance >= 0 && s->relevance <= 1);
        assert(s->origin > SCORE_NONE && s->origin <= SCORE_ASSERTED);
        assert(s->rank == -1 || s->rank >= 1);
    }
    for (size_t i = 0; i < list->refused_count; i++) {
        const char *reason = list->refused[i].reason;
        assert(*reason && utf8_valid(reason, strlen(reason)));
        assert(i == 0 || list->refused[i].index > list->refused[i - 1].index);
    }
}

static void summarise(struct arena *arena, const struct source_list *lists, size_t count,
                      struct json_slice given)
{
    struct step_sources steps[4];
    struct source_summary s;
    struct strbuf out = STRBUF_INIT;
    struct error e;
    const char **said;
    size_t differences;
    for (size_t i = 0; i < count; i++)
        steps[i] = (struct step_sources){(int64_t)i + 1, lists[i].source, lists[i].count, NULL};
    source_summarise(&s, arena, steps, count);
    source_summary_display(&out, &s, true);
    assert(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e) == 0);
    strbuf_clear(&out);
    source_summary_write(&out, &s);
    assert(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e) == 0);
    struct json_slice own = {out.buf, out.len};
    source_summary_compare(&s, own, arena, &said, &differences);
    assert(differences == 0);
    source_summary_compare(&s, given, arena, &said, &differences);
    for (size_t i = 0; i < differences; i++)
        assert(*said[i] && utf8_valid(said[i], strlen(said[i])));
    strbuf_release(&out);
}

/* One context per line. */
static void read_lines(struct arena *arena, const char *text, size_t len, struct source_list *out)
{
    const char *lines[64];
    size_t count = 0;
    for (size_t at = 0; at < len && count < 64; count++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t line = end ? (size_t)(end - text) - at : len - at;
        lines[count] = arena_strndup(arena, text + at, line);
        at += line + 1;
    }
    sources_from_contexts(out, arena, lines, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct source_list lists[4] = {{0}};
    struct error e;
    const char *text = (const char *)bytes;
    struct json_slice given = {NULL, 0};
    read_lines(&arena, text, len, &lists[0]);
    if (json_check_lax(text, len, JSON_DEPTH_MAX, &e) == 0) {
        given = json_trim(text, len);
        sources_from_results(&lists[1], &arena, given, "item");
        sources_from_attributions(&lists[2], &arena, given, "item");
        const char *context = source_context(&arena, given);
        if (context)
            sources_extract(&lists[3], &arena, given, "item", &context, 1);
    }
    for (size_t i = 0; i < 4; i++)
        expect_list(&lists[i]);
    summarise(&arena, lists, 4, given);
    arena_release(&arena);
    return 0;
}
