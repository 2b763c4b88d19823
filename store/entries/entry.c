#include "store/entries/entry.h"

#include "model/json/json.h"
#include "store/db/column.h"
#include "store/record/entry_find.h"
#include "store/record/entry_key.h"
#include "store/record/entry_row.h"
#include "store/history/past.h"
#include "store/db/reader.h"

/* ---- one of them ---- */

int entry_not_there(const char *name, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "See which keys there are with listMemory.",
                     "there is no such entry in the namespace %s", name);
}

/* Of those of one key that live the first alone is not hidden: it is there, or stands aside as expired. What is asked
 * of the state is said as the indexes say it, or SQLite reads all entries of the store. */
static const char by_key[] =
    "SELECT e.memory FROM namespace n CROSS JOIN entry e INDEXED BY entry_there WHERE n.name = ?1"
    " AND e.namespace = n.id AND e.key = ?2 AND e.state = 0 AND e.hidden = 0 UNION ALL"
    " SELECT e.memory FROM namespace n CROSS JOIN entry e INDEXED BY entry_aside WHERE n.name = ?1"
    " AND e.namespace = n.id AND e.key = ?2 AND (e.state > 0 OR e.hidden > 0) AND e.state = 1"
    " AND e.hidden = 0 LIMIT 1";
/* The rows of one shown key are few. */
static const char by_shown[] =
    "SELECT e.memory FROM entry e JOIN namespace n ON n.id = e.namespace WHERE n.name = ?1"
    " AND e.shown = ?2 AND e.state < 2 ORDER BY e.created DESC, e.memory DESC LIMIT 1";

int entry_find(struct db *db, const char *name, const char *key, int64_t *memory, struct error *e)
{
    int64_t shown;
    if (entry_shown_read(key, &shown))
        return db_int(db, memory, 0, e, by_shown, "si", name, shown);
    return db_int(db, memory, 0, e, by_key, "ss", name, key);
}

/* The value as it was put, in the arena: what has none has null. */
static void read_value(struct arena *arena, const struct memory *m, struct entry *out)
{
    struct json_slice value;
    entry_value_of(m, &value);
    out->value = value.ptr ? arena_strndup(arena, value.ptr, value.len) : "null";
    out->bytes = (int64_t)value.len;
}

static int read_entry(struct reader *r, struct arena *arena, int64_t memory, struct entry *out,
                      struct error *e)
{
    struct memory m;
    struct entry_row row;
    struct db *db = reader_db(r);
    if (memory_read_db(db, arena, memory, &m, e))
        return -1;
    int is = entry_row_of(db, &m, arena, &row, e);
    if (is < 0)
        return -1;
    if (!is || row.state != ENTRY_THERE ||
        (row.expires && row.expires <= store_now(reader_store(r))))
        return 1;
    *out = (struct entry){.node = memory,
                          .ref = m.ref,
                          .namespace_ = row.name,
                          .key = row.key,
                          .version = m.version,
                          .created_at = m.created_at,
                          .updated_at = m.updated_at,
                          .expires_at = row.expires};
    read_value(arena, &m, out);
    return 0;
}

int entry_get(struct reader *r, struct arena *arena, const char *name, const char *key,
              struct entry *out, struct error *e)
{
    int64_t memory;
    if (reader_begin(r, e))
        return -1;
    int result = entry_find(reader_db(r), name, key, &memory, e);
    if (result == 0)
        result = memory ? read_entry(r, arena, memory, out, e) : 1;
    reader_end(r);
    return result > 0 ? entry_not_there(name, e) : result;
}
