/* memory_get: one memory, whole. */
#include "../kept_labels.h"
#include "tools.h"

static const struct field arguments[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT,
     .about = "kind:id; the beginning of an id (4 characters or more) where it is unique."},
    FIELD_END,
};

static int get(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct row_label label;
    int64_t row = resolve_argument(call, r, "ref", e);
    if (row < 0 || kept_labels_of_rows(r, &row, 1, &label, e))
        return -1;
    return add_form(call, r, row, label.label, &call->result, e);
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
        "{\"ref\": \"belief:54c5507f\"}. NOT_FOUND where nothing is called so, and where others "
        "name it "
        "but it was never written here.",
    .arguments = arguments,
    .answer = memory_fields,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_get,
};
