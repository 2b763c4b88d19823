#include "search_text.h"

#include <string.h>
#include "../model/memory.h"
#include "column.h"
#include "entry_hide.h"
#include "guard.h"

/* With another detail than the row's, where `detail` is not NULL. */
static int add_text(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column,
                    const char *detail)
{
    struct memory m = {0};
    bool failed = false;
    m.text = column_text(a, stmt, column, &failed);
    m.tags = column_strings(a, stmt, column + 1, &m.tag_count, &failed);
    m.context = column_text(a, stmt, column + 2, &failed);
    m.source = column_text(a, stmt, column + 3, &failed);
    m.source_entity = column_text(a, stmt, column + 4, &failed);
    m.detail = detail ? detail : column_text(a, stmt, column + 5, &failed);
    if (!failed)
        memory_search_text(&m, out);
    return failed || out->failed ? -1 : 0;
}

int search_text_of(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column)
{
    return add_text(out, a, stmt, column, NULL);
}

int search_text_seen(struct strbuf *out, struct reader *r, struct arena *a, int64_t node,
                     sqlite3_stmt *stmt, int column, bool *same)
{
    struct error ignored;
    bool failed = false;
    *same = true;
    if (sqlite3_column_bytes(stmt, column + 5) <= 2) /* {} */
        return 0;
    const char *detail = column_text(a, stmt, column + 5, &failed), *seen = detail;
    if (failed || (seen && entry_hide_detail(r, a, node, &seen, &ignored)))
        return -1;
    if (seen && guard_rules_of(r))
        seen = guard_json(r, a, seen, strlen(seen));
    *same = seen == detail;
    if (detail && !seen)
        return -1;
    return *same ? 0 : add_text(out, a, stmt, column, seen);
}
