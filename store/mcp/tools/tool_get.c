/* memory_get: one memory, whole; where it is too large for an answer, in pieces. */
#include "model/base/utf8.h"
#include "store/json/answer.h"
#include "store/lineage/kept_labels.h"
#include "store/db/reader.h"
#include "store/mcp/tools/piece.h"

/* Members of the exchange form that may be long. */
static const char *one_part(int i)
{
    static const char *const parts[] = {
        "text",        "detail", "justifications", "history", "relations", "marks",       "tags",
        "annotations", "source", "source_entity",  "context", "agent_id",  "source_type", NULL};
    return parts[i];
}

static const struct field arguments[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT,
     .about = "kind:id; the beginning of an id (4 characters or more) where it is unique."},
    PIECE_OFFSET("Gives a piece of one part instead of the whole, from this character on: 0, and "
                 "then `next` of the piece before."),
    PIECE_LENGTH,
    {.name = "part",
     .type = FIELD_STRING,
     .choice = one_part,
     .about =
         "Of what to give a piece: of the text, where you do not say; another part is given as "
         "the text of its JSON."},
    FIELD_END,
};

/* ---- a piece ---- */

static bool wants_piece(const struct taking *t)
{
    return take_value(t, "offset").ptr || take_value(t, "length").ptr || take_value(t, "part").ptr;
}

static int add_piece(struct mcp_call *call, struct json_slice form, struct taking *t,
                     struct error *e)
{
    struct arena *arena = &call->arena;
    const char *part = one_part(take_choice(t, "part", one_part, 0));
    const char *text = piece_text_of(arena, json_member(form.ptr, form.len, part));
    const char *agent = piece_text_of(arena, json_member(form.ptr, form.len, "agent_id"));
    if (!text || !agent)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    struct json_object o = json_begin(&call->result, '{');
    piece_copy_member(&o, form, "ref");
    json_key(&o, "agent_id");
    json_add_string_len(o.out, agent, utf8_prefix(agent, AGENT_NAME_MAX));
    piece_copy_member(&o, form, "version");
    piece_copy_member(&o, form, "label");
    piece_copy_member(&o, form, "withheld");
    piece_add(call, &o, part, text);
    json_end(&o);
    return 0;
}

static int add_masked_piece(struct mcp_call *call, struct reader *r, int64_t row, enum label label,
                            struct taking *t, struct error *e)
{
    struct strbuf form = STRBUF_INIT;
    if (reader_begin_long(r, e) || answer_form(r, &call->arena, row, label, &call->result, e))
        return -1;
    int result = piece_take_masked(call, r, &form, e);
    if (result == 0)
        result = add_piece(call, (struct json_slice){form.buf, form.len}, t, e);
    strbuf_release(&form);
    return result;
}

/* ---- the tool ---- */

static int get(struct mcp_call *call, struct reader *r, struct error *e)
{
    enum label label;
    struct taking t = take_from(call);
    int64_t row = resolve_argument(call, r, "ref", e);
    if (row < 0 || kept_labels_of_rows(r, &row, 1, &label, e))
        return -1;
    if (wants_piece(&t))
        return add_masked_piece(call, r, row, label, &t, e);
    return add_form(call, r, row, label, &call->result, e);
}

static int read_get(struct mcp_call *call, struct reader *r, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = get(call, r, e);
    reader_end(r);
    return result;
}

const struct mcp_tool tool_memory_get = {
    .name = "memory_get",
    .title = "Read a memory",
    .description =
        "Gives one memory whole: what it says, whose it is, its confidence and history, what it "
        "rests "
        "on (justifications) and its label. The label says what became of its support: grounded; "
        "weakened (it lost some); ungrounded (it lost all: do not rely on it); circular; "
        "unsourced. "
        "Look at it before you act on something remembered.\n"
        "ref is kind:id as other tools give it, or the beginning of an id where it is unique: "
        "{\"ref\": \"belief:54c5507f\"}. One that says too_large is read in pieces: {\"ref\": …, "
        "\"offset\": 0}, and on with `next` until there is none, while `version` stays the same. "
        "NOT_FOUND where nothing is called so, and where others "
        "name it "
        "but it was never written here.",
    .arguments = arguments,
    .answer = memory_or_piece_fields,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_get,
};
