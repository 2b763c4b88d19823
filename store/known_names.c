#include "known_names.h"

#include <stdlib.h>
#include <string.h>
#include "guard.h"
#include "reader.h"
#include "tally.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out");
}

/* The least text that does not begin with the prefix and comes after those that do; NULL: there is none
 * (the prefix is empty), or memory ran out. No byte of UTF-8 is 0xff. */
static char *end_of(struct arena *arena, const char *prefix)
{
    char *end = arena_strdup(arena, prefix);
    size_t len = end ? strlen(end) : 0;
    if (len == 0)
        return NULL;
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
    return end;
}

/* ---- ids ---- */

struct dated {
    int64_t created_at, node;
};

static bool is_newer(const struct dated *a, const struct dated *b)
{
    return a->created_at != b->created_at ? a->created_at > b->created_at : a->node > b->node;
}

/* Keeps the newest, in order. */
static void keep(struct dated *kept, size_t *count, struct dated one)
{
    size_t at = *count;
    if (at == KNOWN_NAMES_MAX) {
        if (!is_newer(&one, &kept[at - 1]))
            return;
        at--;
    } else {
        ++*count;
    }
    for (; at > 0 && is_newer(&one, &kept[at - 1]); at--)
        kept[at] = kept[at - 1];
    kept[at] = one;
}

static int find_beginning(struct reader *r, unsigned kinds, const char *prefix, const char *end,
                          struct dated *kept, size_t *count, int64_t *total, struct error *e)
{
#define FIND_BEGINNING                                                                             \
    "SELECT created_at, id, name FROM memory INDEXED BY memory_ref"                                \
    " WHERE kind = ? AND name >= ? AND name < ? AND status < 4"
    kinds = guard_kinds(r, kinds);
    const char *sql = guard_hides_of(r, kinds) ? FIND_BEGINNING GUARD_SQL : FIND_BEGINNING;
    struct db *db = reader_db(r);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (!(kinds & KIND_BIT(kind)))
            continue;
        sqlite3_stmt *stmt = db_prepare(db, sql, e);
        int more = stmt ? db_bind(db, stmt, e, "iss", (int64_t)kind, prefix, end) : -1;
        for (; more > 0; more = db_step(db, stmt, e)) {
            if (guard_masks_name(r, (const char *)sqlite3_column_text(stmt, 2)))
                continue;
            keep(kept, count,
                 (struct dated){sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1)});
            ++*total;
        }
        if (more < 0)
            return -1;
    }
    return 0;
}

static int find_newest(struct reader *r, unsigned kinds, struct dated *kept, size_t *count,
                       int64_t *total, struct error *e)
{
    struct list_query query = {.kinds = kinds};
    int more = 0;
    struct list *l = list_open(r, &query, NULL, e);
    if (!l)
        return -1;
    while (*count < KNOWN_NAMES_MAX && (more = list_next(l, &kept[*count].node, e)) > 0)
        ++*count;
    list_close(l);
    return more < 0 ? -1 : tally_list(r, &query, total, e);
}

/* One that is shown in place of an id is whole. */
static int find_shown(struct reader *r, unsigned kinds, const char *shown, struct arena *arena,
                      int64_t *node, struct error *e)
{
    struct ref ref;
    bool listed = false;
    int meant = guard_ref_meant(reader_db(r), guard_rules_of(r), arena, shown, &ref, e);
    *node = 0;
    if (meant <= 0 || !(kinds & KIND_BIT(ref.kind)))
        return meant < 0 ? -1 : 0;
    int64_t found = ref_find(reader_db(r), ref, e);
    if (found < 0 || (found > 0 && guard_lists(r, found, &listed, e)))
        return -1;
    *node = listed ? found : 0;
    return 0;
}

static int find_ids(struct reader *r, unsigned kinds, const char *prefix, struct arena *arena,
                    struct ref *out, size_t *count, int64_t *total, struct error *e)
{
    struct dated kept[KNOWN_NAMES_MAX];
    char *end = end_of(arena, prefix);
    if (*prefix && !end)
        return out_of_memory(e);
    if (end ? find_beginning(r, kinds, prefix, end, kept, count, total, e)
            : find_newest(r, kinds, kept, count, total, e))
        return -1;
    if (*count == 0 && find_shown(r, kinds, prefix, arena, &kept[0].node, e))
        return -1;
    if (*count == 0 && kept[0].node)
        *count = (size_t)(*total = 1);
    for (size_t i = 0; i < *count; i++) {
        struct memory_row row;
        if (memory_row_read(r, arena, kept[i].node, &row, e))
            return -1;
        out[i] = row.ref;
    }
    return 0;
}

int known_ids(struct reader *r, unsigned kinds, const char *prefix, struct arena *arena,
              struct ref *out, size_t *count, int64_t *total, struct error *e)
{
    *count = 0;
    *total = 0;
    if (reader_begin(r, e))
        return -1;
    int result = find_ids(r, kinds, prefix, arena, out, count, total, e);
    reader_end(r);
    return result;
}

/* ---- agents ---- */

int known_agents(struct reader *r, const char *prefix, struct arena *arena, const char **out,
                 size_t *count, int64_t *total, struct error *e)
{
    struct db *db = reader_db(r);
    char *end = end_of(arena, prefix);
    *count = 0;
    *total = 0;
    if (*prefix && !end)
        return out_of_memory(e);
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT name FROM agent WHERE name >= ?1 AND (?2 IS NULL OR name < ?2) ORDER BY name",
        e);
    int more = stmt ? db_bind(db, stmt, e, "ss", prefix, end) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        bool has = true, kept = *count < KNOWN_NAMES_MAX || guard_hides(r);
        const char *name = kept ? db_text(arena, stmt, 0) : NULL;
        if ((kept && !name) || (guard_hides(r) && list_has_agent(r, name, &has, e))) {
            sqlite3_reset(stmt);
            return name ? -1 : out_of_memory(e);
        }
        has &= !guard_masks_name(r, (const char *)sqlite3_column_text(stmt, 0));
        *total += has;
        if (has && *count < KNOWN_NAMES_MAX)
            out[(*count)++] = name;
    }
    return more;
}
