/* Which memory a ref of a source means. */
#include "store/import/import_names.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"

static size_t number_of(struct import_names *names, struct ref given)
{
    AUTO_STRBUF key = STRBUF_INIT;
    ref_add(&key, given);
    size_t count = names->given.count, at = key_index_add(&names->given, key.buf, key.len);
    if (at == count) {
        ARRAY_ROOM(names->ref, at, names->alloc, 1);
        names->ref[at] = (struct ref){KIND_COUNT, NULL};
    }
    return at;
}

/* A memory has one text in its source, so a later name takes the place of an earlier one. */
static void add_name(struct import_names *names, struct ref given, struct ref ref)
{
    for (size_t i = 0; i < names->given.count; i++)
        if (names->ref[i].id && ref_equal(names->ref[i], ref))
            names->ref[i].id = NULL;
    if (ref_equal(given, ref))
        return;
    size_t at = number_of(names, given);
    names->ref[at] = ref;
}

/* The patch column of an event: {"fields":{"names":{"belief:GIVEN":"belief:REF"}}}. */
static void add_names(struct import_names *names, const char *patch, size_t len)
{
    struct error ignored;
    if (json_check(patch, len, JSON_DEPTH_LIMIT, &ignored))
        return;
    struct json_slice fields = json_member(patch, len, "fields");
    struct json_slice list = fields.ptr ? json_get(fields, "names") : fields;
    for (struct json_each it = json_each(list); json_next(&it);) {
        struct ref given, ref;
        const char *text = json_text(&names->arena, it.value, NULL);
        char *key = arena_strndup(&names->arena, it.key.ptr, it.key.len);
        key[json_unescape(key, key, it.key.len)] = '\0';
        if (text && ref_parse(key, &given) == REF_MEMORY && ref_parse(text, &ref) == REF_MEMORY)
            add_name(names, given, ref);
    }
}

int import_names_load(struct import_names *names, struct db *db, struct error *e)
{
    *names = (struct import_names){.given = KEY_INDEX_INIT};
    struct query rows =
        db_query(db, e,
                 "SELECT patch FROM event a WHERE subject IS NULL AND operation = ? AND person"
                 " AND NOT EXISTS (SELECT 1 FROM event b WHERE b.undoes = a.seq) ORDER BY seq",
                 "s", APPLY_OPERATION);
    while (db_next(&rows))
        if (sqlite3_column_type(rows.stmt, 0) == SQLITE_TEXT)
            add_names(names, (const char *)sqlite3_column_text(rows.stmt, 0),
                      (size_t)sqlite3_column_bytes(rows.stmt, 0));
    return db_end(&rows);
}

void import_names_release(struct import_names *names)
{
    key_index_release(&names->given);
    arena_release(&names->arena);
    free(names->ref);
}

struct ref import_names_find(const struct import_names *names, struct ref given)
{
    AUTO_STRBUF key = STRBUF_INIT;
    if (names->given.count == 0)
        return given;
    ref_add(&key, given);
    size_t at = key_index_find(&names->given, key.buf, key.len);
    return at != ROW_NONE && names->ref[at].id ? names->ref[at] : given;
}
