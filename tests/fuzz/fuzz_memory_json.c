/*
 * Lines of the JSON of a memory: what is read is written so that it reads as the same. Of two lines, the first
 * comes back from the second by the patch between them; and the second is tried as a patch itself.
 */
#include <assert.h>
#include <stdint.h>
#include "model/format/memory_json.h"
#include "model/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void accepted(const struct memory *m)
{
    struct arena arena = ARENA_INIT;
    struct strbuf first = STRBUF_INIT, second = STRBUF_INIT, other = STRBUF_INIT;
    struct memory again;
    struct error e;
    memory_json_write(&first, m, NULL);
    assert(memory_json_read(&again, &arena, first.buf, first.len, NULL, 0, &other, &e) == 0);
    memory_json_write(&second, &again, NULL);
    assert(second.len == first.len && memcmp(second.buf, first.buf, first.len) == 0);
    assert(other.len == 0);
    memory_json_patch(&other, m, &again);
    assert(strcmp(other.buf, "{}") == 0);
    memory_search_text(m, &other);
    strbuf_release(&first);
    strbuf_release(&second);
    strbuf_release(&other);
    arena_release(&arena);
}

static void expect_unpatched(const struct memory *m, const struct memory *n)
{
    struct arena arena = ARENA_INIT;
    struct strbuf patch = STRBUF_INIT, was = STRBUF_INIT, is = STRBUF_INIT;
    struct memory again;
    struct error e;
    memory_json_patch(&patch, m, n);
    assert(memory_json_unpatch(&again, n, &arena, patch.buf, &e) == 0);
    memory_json_write(&was, m, NULL);
    memory_json_write(&is, &again, NULL);
    assert(strcmp(was.buf, is.buf) == 0);
    strbuf_release(&patch);
    strbuf_release(&was);
    strbuf_release(&is);
    arena_release(&arena);
}

static void try_patch(const struct memory *m, const char *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct strbuf line = STRBUF_INIT;
    struct memory before;
    struct error e = {0};
    const char *patch = arena_strndup(&arena, bytes, len);
    if (memory_json_unpatch(&before, m, &arena, patch, &e) == 0)
        memory_json_write(&line, &before, NULL);
    else
        assert(e.code == ERROR_STORE);
    strbuf_release(&line);
    arena_release(&arena);
}

/* What stands after a line end is another memory, or a patch. */
static void try_two(const char *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct memory m, n;
    struct error e;
    const char *end = memchr(bytes, '\n', len);
    size_t first = end ? (size_t)(end - bytes) : len;
    if (end && memory_json_read(&m, &arena, bytes, first, "ash", 7, NULL, &e) == 0) {
        try_patch(&m, end + 1, len - first - 1);
        if (memory_json_read(&n, &arena, end + 1, len - first - 1, "ash", 7, NULL, &e) == 0) {
            n.ref = m.ref;
            expect_unpatched(&m, &n);
        }
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    try_two((const char *)bytes, len);
    struct strbuf unknown = STRBUF_INIT;
    struct memory m;
    struct error e;
    if (memory_json_read(&m, &arena, (const char *)bytes, len, "ash", 7, &unknown, &e) == 0)
        accepted(&m);
    else
        assert(e.what[0]);
    strbuf_release(&unknown);
    arena_release(&arena);
    return 0;
}
