#include "store/session/call_outcome.h"

#include "model/policy/permission.h"

static void add(struct call_outcome *o, int64_t at)
{
    o->first = o->count && o->first < at ? o->first : at;
    o->last = o->count && o->last > at ? o->last : at;
    o->count++;
}

size_t call_outcomes(const struct call_row *row, int64_t since, int64_t until,
                     struct call_outcome out[ERROR_CODES])
{
    struct call_outcome of[ERROR_CODES] = {{.count = 0}};
    size_t count = 0;
    for (size_t i = 0; i < row->count; i++)
        if (row->at[i] >= since && row->at[i] <= until)
            add(&of[row->outcome[i]], row->at[i]);
    for (int code = 0; code < ERROR_CODES; code++) {
        of[code].code = (enum error_code)code;
        if (of[code].count > 0)
            out[count++] = of[code];
    }
    return count;
}

bool call_outcome_is_error(enum error_code code)
{
    return code != ERROR_NONE && code != ERROR_INTERRUPTED;
}

bool call_outcome_is_event(const char *tool, enum error_code code)
{
    int named = memory_tool_from_name(tool);
    return code == ERROR_NONE && (named == MEMORY_TOOL_PUT || named == MEMORY_TOOL_DELETE);
}

const char *call_outcome_name(enum error_code code)
{
    return code == ERROR_NONE ? "OK" : code == ERROR_INTERRUPTED ? "CANCELLED" : error_name(code);
}
