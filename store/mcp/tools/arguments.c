/* Taking the checked arguments of a call. */
#include <string.h>
#include "store/query/list.h"
#include "store/lineage/orphans.h"
#include "store/mcp/tools/tools.h"
#include "model/base/utf8.h"
#include "store/guard/guard.h"
#include "store/mcp/protocol/masking.h"

int64_t resolve_argument(struct mcp_call *call, struct reader *r, const char *name, struct error *e)
{
    const char *ref = given_text(&call->given, name, NULL);
    int64_t row = ref_resolve(r, ref ? ref : "", e);
    if (row > 0)
        call->subject = row;
    return row;
}

int check_whole(struct reader *r, int64_t row, struct error *e)
{
    enum sight sight;
    if (guard_sight(r, row, &sight, e))
        return -1;
    return sight == SIGHT_WHOLE ? 0 : guard_refuse(e);
}

int64_t resolve_whole(struct mcp_call *call, struct reader *r, const char *name, struct error *e)
{
    int64_t row = resolve_argument(call, r, name, e);
    return row < 0 || check_whole(r, row, e) ? -1 : row;
}

/* ---- choices ---- */

const char *one_kind(int i)
{
    return i < KIND_COUNT ? kind_name((enum kind)i) : NULL;
}

const char *one_status(int i)
{
    return i < STATUS_MISSING ? status_name((enum status)i) : i == STATUS_MISSING ? "all" : NULL;
}

const char *one_label(int i)
{
    return i < LABEL_COUNT ? label_name((enum label)i) : NULL;
}

const char *one_order(int i)
{
    return i < ORDER_COUNT ? order_name((enum list_order)i) : NULL;
}

const char *one_source_type(int i)
{
    return i < SOURCE_TYPE_COUNT ? source_type_name((enum source_type)i) : NULL;
}

const char *one_reading(int i)
{
    return i <= READING_ALL ? reading_name((enum reading)i) : NULL;
}

const char *one_direction(int i)
{
    static const char *const names[] = {"ancestors", "descendants", NULL};
    return names[i];
}

const char *one_problem(int i)
{
    return i < PROBLEM_COUNT ? problem_name((enum problem)i) : NULL;
}

/* ---- piece ---- */

#define PIECE 100000 /* characters */

void piece_take_masked(struct mcp_call *call, struct reader *r, struct strbuf *whole)
{
    call_note_guard(call, r);
    call->error.code =
        ERROR_NONE; /* of something that it got over: only what succeeded is masked */
    call_mask(call, r);
    call->has_marks =
        call->redactions > 0; /* in the piece that is answered they are counted anew */
    *whole = call->result;
    strbuf_init(&call->result);
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
    size_t all = utf8_count(text), offset = (size_t)given_integer(&call->given, "offset", 0);
    size_t length = (size_t)given_integer(&call->given, "length", PIECE);
    offset = offset < all ? offset : all;
    text += utf8_prefix(text, offset);
    json_pair(o, "part", part);
    json_key(o, "text");
    json_add_string_len(o->out, text, utf8_prefix(text, length));
    json_pair_int(o, "characters", (int64_t)all);
    if (length < all - offset)
        json_pair_int(o, "next", (int64_t)(offset + length));
}
