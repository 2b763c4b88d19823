#include "store/guard/entry_hide.h"

#include <string.h>
#include "store/record/detail_member.h"
#include "store/record/entry_row.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"

/* Has the present version expired? What is swept then loses all that it ever said. */
static int is_over_now(struct reader *r, int64_t node, bool *is, struct error *e)
{
    static const char sql[] =
        "SELECT expires FROM main.entry WHERE memory = ? AND expires NOT NULL";
    int64_t expires;
    if (db_int(reader_db(r), &expires, 0, e, sql, "i", node))
        return -1;
    *is = expires && expires <= store_now(reader_store(r));
    return 0;
}

/* What was deleted is to agents as if it were gone, until a person restores it. */
static int is_deleted_now(struct reader *r, int64_t node, bool *is, struct error *e)
{
    int64_t status;
    if (db_int(reader_db(r), &status, 0, e, "SELECT status FROM main.memory WHERE id = ?", "i",
               node))
        return -1;
    *is = status == STATUS_DELETED;
    return 0;
}

/* Is the value shown no more, in that version or in any? */
static int is_hidden(struct reader *r, const struct memory *m, bool *is, struct error *e)
{
    *is = entry_is_over(m, store_now(reader_store(r)));
    if (!*is && is_over_now(r, m->node, is, e))
        return -1;
    return !*is && reader_guarded(r) ? is_deleted_now(r, m->node, is, e) : 0;
}

/* An entry, or anything else. */
static int kind_of(struct reader *r, int64_t node, enum kind *kind, struct error *e)
{
    int64_t found;
    if (db_int(reader_db(r), &found, 0, e, "SELECT kind FROM main.memory WHERE id = ?", "i", node))
        return -1;
    *kind = found == KIND_ENTRY ? KIND_ENTRY : KIND_BELIEF;
    return 0;
}

int entry_hide_detail(struct reader *r, struct arena *arena, int64_t node, const char **detail,
                      struct error *e)
{
    struct memory m = {.node = node, .detail = *detail};
    if (!*detail || reader_is_writers(r) || !strstr(*detail, "\"value\""))
        return 0;
    if (kind_of(r, node, &m.ref.kind, e) || entry_hide(r, arena, &m, e))
        return -1;
    *detail = m.detail;
    return 0;
}

int entry_hide(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    if (m->ref.kind != KIND_ENTRY || !m->detail || reader_is_writers(r))
        return 0;
    struct json_slice detail = detail_json(m->detail);
    if (!detail.ptr || !json_member(detail.ptr, detail.len, "value").ptr)
        return 0;
    bool hidden;
    if (is_hidden(r, m, &hidden, e))
        return -1;
    if (!hidden)
        return 0;
    m->form = NULL; /* says it as it was */
    detail_drop(&m->detail, "value", arena);
    return 0;
}
