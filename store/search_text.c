#include "search_text.h"

#include "../model/memory.h"
#include "column.h"

int search_text_of(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column)
{
    struct memory m = {0};
    bool failed = false;
    m.text = column_text(a, stmt, column, &failed);
    m.tags = column_strings(a, stmt, column + 1, &m.tag_count, &failed);
    m.context = column_text(a, stmt, column + 2, &failed);
    m.source = column_text(a, stmt, column + 3, &failed);
    m.source_entity = column_text(a, stmt, column + 4, &failed);
    m.detail = column_text(a, stmt, column + 5, &failed);
    if (!failed)
        memory_search_text(&m, out);
    return failed || out->failed ? -1 : 0;
}
