#include "model/memory/memory.h"

#include <nettle/base64.h>
#include "model/base/arena.h"
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"

/* "original", or where a writer's own member has that name "original_2", and so on. */
static void choose_name(const char *detail, char *name, size_t size)
{
    snprintf(name, size, "original");
    for (unsigned n = 2; json_member(detail, strlen(detail), name).ptr; n++)
        snprintf(name, size, "original_%u", n);
}

/* Appends the detail with the bytes in base64 as its last member. */
static void add_original(struct strbuf *out, const char *detail, const char *bytes, size_t len)
{
    char name[32];
    choose_name(detail, name, sizeof(name));
    size_t body = strlen(detail) - 1; /* without its closing brace */
    strbuf_add(out, detail, body);
    strbuf_addf(out, "%s\"%s\":\"", body > 1 ? "," : "", name);
    if (strbuf_grow(out, BASE64_ENCODE_RAW_LENGTH(len))) {
        base64_encode_raw(out->buf + out->len, len, (const uint8_t *)bytes);
        out->len += BASE64_ENCODE_RAW_LENGTH(len);
    }
    strbuf_addstr(out, "\"}");
}

int memory_set_text(struct memory *m, struct arena *arena, const char *bytes, size_t len)
{
    if (utf8_valid(bytes, len)) {
        m->text = arena_strndup(arena, bytes, len);
        return m->text ? 0 : -1;
    }
    struct strbuf text = STRBUF_INIT, detail = STRBUF_INIT;
    utf8_repair(&text, bytes, len);
    add_original(&detail, m->detail && m->detail[0] == '{' && m->detail[1] ? m->detail : "{}",
                 bytes, len);
    bool whole = !text.failed && !detail.failed;
    m->text = whole ? arena_strndup(arena, text.buf, text.len) : NULL;
    m->detail = whole ? arena_strndup(arena, detail.buf, detail.len) : NULL;
    strbuf_release(&text);
    strbuf_release(&detail);
    return m->text && m->detail ? 0 : -1;
}

bool memory_original(const struct memory *m, struct strbuf *out)
{
    struct base64_decode_ctx decode;
    if (!m->detail)
        return false;
    struct json_slice slice = json_member(m->detail, strlen(m->detail), "original");
    if (!slice.ptr || slice.len < 2 || slice.ptr[0] != '"')
        return false;
    size_t room = BASE64_DECODE_LENGTH(slice.len - 2), len = room;
    if (!strbuf_grow(out, room))
        return false;
    base64_decode_init(&decode);
    if (!base64_decode_update(&decode, &len, (uint8_t *)out->buf, slice.len - 2, slice.ptr + 1) ||
        !base64_decode_final(&decode))
        return false;
    out->len = len;
    out->buf[len] = '\0';
    return true;
}

bool memory_text_was_repaired(const struct memory *m)
{
    struct strbuf original = STRBUF_INIT, text = STRBUF_INIT;
    bool repaired = memory_original(m, &original) &&
                    utf8_repair(&text, original.buf, original.len) && !text.failed &&
                    strcmp(text.buf, m->text) == 0;
    strbuf_release(&original);
    strbuf_release(&text);
    return repaired;
}
