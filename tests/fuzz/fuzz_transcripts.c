/* Lines of transcripts with any content: what is found in one is within it, and its texts can be stored. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/import/transcripts/transcripts.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void expect_within(struct json_slice value, const char *line, size_t len)
{
    if (value.ptr)
        assert(value.len > 0 && value.ptr >= line && value.ptr + value.len <= line + len);
}

/* A string has its quotes. */
static void expect_string(struct json_slice value, const char *line, size_t len)
{
    expect_within(value, line, len);
    if (value.ptr)
        assert(value.len >= 2 && *value.ptr == '"' && value.ptr[value.len - 1] == '"');
}

static void scan_line(scan_line_fn *scan, const char *line, size_t len)
{
    struct scanned s = {.call = NULL};
    scan(line, len, &s);
    AUTO_FREE struct scan_call *call = s.call;
    if (s.type == SCAN_FAULT)
        return;
    expect_string(s.id, line, len);
    expect_string(s.parent, line, len);
    expect_string(s.session, line, len);
    expect_string(s.time, line, len);
    expect_within(s.usage, line, len);
    expect_within(s.message, line, len);
    for (size_t i = 0; i < s.call_count; i++) {
        expect_within(call[i].id, line, len);
        expect_within(call[i].name, line, len);
        expect_within(call[i].path, line, len);
    }
}

static void read_parts(line_parts_fn *parts, const char *line, size_t len)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct part *part;
    struct json_slice slice = json_trim(line, len);
    if (!slice.len || *slice.ptr != '{' || !json_is_formed(slice.ptr, slice.len))
        return;
    size_t count = parts(slice, &arena, &part);
    for (int results = 0; results < 2; results++) {
        const char *text = parts_text(&arena, part, count, results);
        assert(utf8_valid(text, strlen(text)));
    }
    for (size_t i = 0; i < count; i++)
        if (part[i].kind == PART_CALL)
            assert(*call_uri(&arena, &part[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    const char *line = (const char *)bytes;
    scan_line(scan_claude_line, line, len);
    scan_line(scan_codex_line, line, len);
    read_parts(claude_parts, line, len);
    read_parts(codex_parts, line, len);
    return 0;
}
