#include "store/mcp/protocol/subject.h"

#include "store/db/reader.h"

#define STEPS   40000 /* as many as a read in the loop may take */
#define LONGEST 8192  /* bytes, of a ref as it came */

/* A ref, or the first of a list. */
static struct json_slice first_of(struct json_slice value)
{
    if (!value.ptr || value.ptr[0] != '[')
        return value;
    struct json_each it = json_each(value);
    return json_next(&it) ? it.value : (struct json_slice){NULL, 0};
}

static int64_t row_of(struct mcp_call *call, struct reader *r, const char *name)
{
    struct error ignored;
    struct json_slice all = call->arguments;
    struct json_slice value = first_of(json_member(all.ptr, all.len, name));
    if (value.len > LONGEST)
        return 0;
    const char *ref = arg_text_of(&call->arena, value, NULL);
    int64_t row = ref ? ref_resolve(r, ref, &ignored) : 0;
    return row > 0 ? row : 0;
}

void subject_find(struct mcp_call *call, struct reader *r)
{
    const struct field *f = call->tool->arguments;
    reader_limit(r, STEPS);
    reader_guard(r, &call->guard);
    for (; f && f->name && !call->subject; f++)
        if (f->flags & FIELD_SUBJECT)
            call->subject = row_of(call, r, f->name);
    reader_guard(r, NULL);
    reader_limit(r, 0);
}
