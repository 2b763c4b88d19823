/* Any line as a message: all parts are within the line, and ids are echoed as valid JSON. */
#include <assert.h>
#include <stdint.h>
#include "store/mcp/protocol/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char *line;
static size_t line_len;

static void lies_within(struct json_slice s)
{
    assert(!s.ptr || (s.ptr >= line && s.len <= line_len && s.ptr + s.len <= line + line_len));
}

static void check_found(const struct message *m)
{
    struct error e;
    struct json_slice found[] = {m->whole, m->id, m->params, m->meta, m->version, m->capabilities};
    for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++)
        lies_within(found[i]);
    if (m->id.ptr) {
        assert(message_is_id(m->id) && m->id.len <= MCP_ID_MAX);
        assert(json_check(m->id.ptr, m->id.len, 1, &e) == 0);
        assert(message_same_id(m->id, m->id));
    }
    assert(!m->params.ptr || *m->params.ptr == '{');
    assert(!m->meta.ptr || *m->meta.ptr == '{');
    assert(strlen(m->method) <= MCP_METHOD_MAX);
    if (m->class == MESSAGE_REQUEST)
        assert(m->id.ptr);
    else if (m->class == MESSAGE_BROKEN)
        assert(m->problem[0] && (int)m->code < 0);
    else
        assert(!m->id.ptr);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct message m;
    line = (const char *)bytes;
    line_len = len;
    message_read(&m, line, len);
    check_found(&m);
    if (m.class != MESSAGE_BATCH)
        return 0;
    for (struct json_each it = json_each(m.whole); json_next(&it);) {
        message_parse(&m, it.value);
        check_found(&m);
    }
    return 0;
}
