/* The changes that did not hold, until a person has decided about them. */
#include "store/team/team.h"

#include <string.h>
#include "model/base/array.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/record/get.h"
#include "store/record/waiting.h"
#include "store/team/team_internal.h"

int team_disputed(struct reader *r, struct arena *arena, int64_t node, struct disputed **out,
                  size_t *count, struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    struct query rows =
        db_query(reader_db(r), e,
                 "SELECT id, at, ref, person, canonical, reason, base, mine, theirs FROM disputed"
                 " WHERE ?1 IS NULL OR memory = ?1 ORDER BY id",
                 "r", node);
    while (db_next(&rows)) {
        struct disputed *d = ARENA_ADD(arena, *out, *count, alloc);
        struct canonical c = {0};
        const char *text = db_text(arena, rows.stmt, 4), *reason = column_utf8(arena, rows.stmt, 5),
                   *ref = column_utf8(arena, rows.stmt, 2);
        size_t len = ref ? strlen(ref) : 0;
        if (len && reason && !strncmp(reason, ref, len) && !strncmp(reason + len, ": ", 2))
            reason += len + 2; /* it is shown next to the memory */
        if (text)
            canonical_read(&c, arena, text, strlen(text));
        *d = (struct disputed){.id = sqlite3_column_int64(rows.stmt, 0),
                               .at = sqlite3_column_int64(rows.stmt, 1),
                               .ref = ref,
                               .by_person = sqlite3_column_int(rows.stmt, 3) != 0,
                               .actor = c.actor,
                               .operation = c.operation,
                               .reason = reason,
                               .base = db_text(arena, rows.stmt, 6),
                               .mine = db_text(arena, rows.stmt, 7),
                               .theirs = db_text(arena, rows.stmt, 8)};
    }
    return db_end(&rows);
}

static const char *member_of(struct arena *arena, const struct strbuf *json, const char *name)
{
    struct json_slice value = json_member(json->buf, json->len, name);
    return value.ptr ? arena_strndup(arena, value.ptr, value.len) : NULL;
}

int team_disputed_fields(const struct disputed *d, struct arena *arena, struct disputed_field **out,
                         size_t *count, struct error *e)
{
    AUTO_STRBUF was = STRBUF_INIT, mine = STRBUF_INIT, now = STRBUF_INIT;
    const struct memory *base, *changed, *theirs;
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    if (team_read_line(&base, d->base, arena, e) || team_read_line(&changed, d->mine, arena, e) ||
        team_read_line(&theirs, d->theirs, arena, e))
        return -1;
    memory_json_diff(&was, &mine, base, changed);
    if (theirs)
        memory_json_write(&now, theirs, NULL);
    else
        strbuf_addstr(&now, "{}");
    struct json_slice all = {mine.buf, mine.len};
    for (struct json_each it = json_each(all); json_next(&it);) {
        const char *name = arena_strndup(arena, it.key.ptr, it.key.len);
        if (!strcmp(name, "version") || !strcmp(name, "updated_at"))
            continue;
        *ARENA_ADD(arena, *out, *count, alloc) =
            (struct disputed_field){name, base ? member_of(arena, &was, name) : NULL,
                                    member_of(arena, &mine, name), member_of(arena, &now, name)};
    }
    return 0;
}

/* A memory that waited only for this waits no more. */
static int settle(struct txn *t, void *arg, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory now;
    int64_t id = *(int64_t *)arg, node = -1;
    if (db_int(t->db, &node, -1, e, "SELECT coalesce(memory, 0) FROM disputed WHERE id = ?", "i",
               id))
        return -1;
    if (node < 0)
        return error_set(e, ERROR_NOT_FOUND, "stemma team disputed lists them.",
                         "no disputed change has the number %lld", (long long)id);
    if (db_run(t->db, e, "DELETE FROM disputed WHERE id = ?", "i", id))
        return -1;
    return node && (memory_read_db(t->db, &arena, node, &now, e) || waiting_renew(t, &now, e)) ? -1
                                                                                               : 0;
}

int team_settle(struct store *s, int64_t id, struct error *e)
{
    return store_run_again(s, settle, &id, e);
}
