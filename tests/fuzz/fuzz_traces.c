/* Spans from any JSON value, in each dialect: every text is valid, every number is in its range. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "model/base/utf8.h"
#include "store/import/traces/span.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void expect_text(const char *text)
{
    assert(!text || utf8_valid(text, strlen(text)));
}

static void expect_span(const struct span *s)
{
    const char *const texts[] = {s->trace, s->id,      s->parent, s->name,      s->agent,
                                 s->model, s->session, s->input,  s->operation, s->output,
                                 s->error, s->tool,    s->store,  s->record};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_text(texts[i]);
    for (size_t i = 0; i < s->document_count; i++) {
        expect_text(s->document[i].id);
        expect_text(s->document[i].title);
        expect_text(s->document[i].content);
    }
    for (size_t i = 0; i < s->evaluation_count; i++)
        expect_text(s->evaluation[i].name);
    assert(s->tokens_in >= -1 && s->tokens_out >= -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct error e;
    struct span_list list = {.span = NULL};
    struct json_slice value = json_trim((const char *)bytes, len);
    if (!value.len || *value.ptr != '{' || json_check_lax(value.ptr, value.len, JSON_DEPTH_MAX, &e))
        return 0;
    size_t spans = otlp_read(&list, value) + langfuse_read(&list, value);
    assert(spans == list.count);
    for (size_t i = 0; i < list.count; i++)
        expect_span(&list.span[i]);
    span_list_release(&list);
    return 0;
}
