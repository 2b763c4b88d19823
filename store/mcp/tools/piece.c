#include "store/mcp/tools/piece.h"

#include "model/base/utf8.h"
#include "store/guard/guard.h"
#include "store/mcp/protocol/masking.h"

#define PIECE 100000 /* characters */

int piece_take_masked(struct mcp_call *call, struct reader *r, struct strbuf *whole,
                      struct error *e)
{
    call_note_guard(call, r);
    call->error.code =
        ERROR_NONE; /* of something that it got over: only what succeeded is masked */
    call_mask(call, r);
    call->has_marks =
        call->redactions > 0; /* in the piece that is answered they are counted anew */
    *whole = call->result;
    strbuf_init(&call->result);
    return whole->failed ? error_set(e, ERROR_MEMORY, "", "memory ran out") : 0;
}

const char *piece_text_of(struct arena *arena, struct json_slice value)
{
    if (!value.ptr || value.ptr[0] == 'n')
        return "";
    return value.ptr[0] == '"' ? arg_text_of(arena, value, NULL)
                               : arena_strndup(arena, value.ptr, value.len);
}

void piece_copy_member(struct json_object *o, struct json_slice from, const char *name)
{
    struct json_slice value = json_member(from.ptr, from.len, name);
    if (!value.ptr)
        return;
    json_key(o, name);
    strbuf_add(o->out, value.ptr, value.len);
}

void piece_add(const struct mcp_call *call, struct json_object *o, const char *part,
               const char *text)
{
    size_t all = utf8_count(text), offset = (size_t)arg_integer(call->arguments, "offset", 0);
    size_t length = (size_t)arg_integer(call->arguments, "length", PIECE);
    offset = offset < all ? offset : all;
    text += utf8_prefix(text, offset);
    json_pair(o, "part", part);
    json_key(o, "text");
    json_add_string_len(o->out, text, utf8_prefix(text, length));
    json_pair_int(o, "characters", (int64_t)all);
    if (length < all - offset)
        json_pair_int(o, "next", (int64_t)(offset + length));
}
