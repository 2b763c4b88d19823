#include "store/import/kernle/kernle_links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/db/column.h"
#include "store/import/import_seen.h"
#include "store/import/kernle/kernle_map.h"

static int compare_places(const void *a, const void *b)
{
    const struct audit_place *x = a, *y = b;
    if (x->ref != y->ref)
        return x->ref < y->ref ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int compare_replaced(const void *a, const void *b)
{
    const struct replaced_place *x = a, *y = b;
    if (x->ref != y->ref)
        return x->ref < y->ref ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* ---- gathering ---- */

/* The ref of what an entry is about; false where it is no memory of ours. */
static bool audited(struct arena *a, sqlite3_stmt *stmt, int type, int id, struct ref *ref)
{
    const char *name = column_utf8(a, stmt, type);
    int kind = name ? kernle_kind(name) : -1;
    *ref = (struct ref){KIND_RAW, column_utf8(a, stmt, id)};
    if (kind < 0 || !ref->id)
        return false;
    ref->kind = (enum kind)kind;
    return true;
}

static int gather_audit(struct kernle_links *links, struct error *e)
{
    struct arena scratch = ARENA_INIT;
    struct ref ref;
    sqlite3_stmt *stmt =
        db_prepare(links->db, "SELECT rowid, memory_type, memory_id FROM memory_audit", e);
    int row = stmt ? db_step(links->db, stmt, e) : -1;
    for (; row > 0; row = db_step(links->db, stmt, e)) {
        arena_clear(&scratch);
        bool ours = audited(&scratch, stmt, 1, 2, &ref);
        *ARRAY_ADD(links->audit, links->audit_count, links->audit_alloc) =
            (struct audit_place){ours ? seen_bits(ref) : 0, sqlite3_column_int64(stmt, 0)};
    }
    arena_release(&scratch);
    if (links->audit_count)
        qsort(links->audit, links->audit_count, sizeof(*links->audit), compare_places);
    return row;
}

/* The columns of memory_audit vary: one that is not there is NULL. */
static int write_audit_sql(struct kernle_links *links, struct error *e)
{
    static const char *const columns[] = {"operation", "actor", "details", "created_at",
                                          "correlation_id"};
    size_t len = (size_t)snprintf(links->audit_sql, sizeof(links->audit_sql),
                                  "SELECT memory_type, memory_id");
    for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
        int has = kernle_has_column(links->db, "memory_audit", columns[i], e);
        if (has < 0)
            return -1;
        len += (size_t)snprintf(links->audit_sql + len, sizeof(links->audit_sql) - len, ", %s",
                                has ? columns[i] : "NULL");
    }
    snprintf(links->audit_sql + len, sizeof(links->audit_sql) - len,
             " FROM memory_audit WHERE rowid = ?");
    return 0;
}

static int has_audit(struct db *db, struct error *e)
{
    static const char *const needed[] = {"memory_type", "memory_id"};
    int has = kernle_has_table(db, "memory_audit", e);
    for (size_t i = 0; has > 0 && i < 2; i++)
        has = kernle_has_column(db, "memory_audit", needed[i], e);
    return has;
}

static void add_replaced(struct kernle_links *links, const char *by, const char *id)
{
    struct ref ref;
    if (ref_parse(by, &ref) == REF_BARE)
        ref = (struct ref){KIND_BELIEF, by};
    else if (ref_parse(by, &ref) != REF_MEMORY || ref.kind != KIND_BELIEF)
        return;
    ARRAY_ROOM(links->replaced, links->replaced_count, links->replaced_alloc, 1);
    links->replaced[links->replaced_count] =
        (struct replaced_place){seen_bits(ref), ref.id, id, links->replaced_count};
    links->replaced_count++;
}

static int gather_replaced(struct kernle_links *links, const struct kernle_table *beliefs,
                           struct error *e)
{
    if (beliefs->place[FIELD_SUPERSEDED_BY] < 0)
        return 0;
    sqlite3_stmt *stmt = db_prepare(links->db,
                                    "SELECT superseded_by, id FROM beliefs WHERE superseded_by"
                                    " IS NOT NULL AND superseded_by <> ''",
                                    e);
    int row = stmt ? db_step(links->db, stmt, e) : -1;
    for (; row > 0; row = db_step(links->db, stmt, e)) {
        const char *by = db_text(&links->arena, stmt, 0), *id = db_text(&links->arena, stmt, 1);
        struct ref ref = {KIND_BELIEF, id};
        struct cell cell = {.type = CELL_TEXT, .bytes = id, .len = id ? strlen(id) : 0};
        if (by && kernle_id(&cell, &links->arena))
            add_replaced(links, by, ref.id);
    }
    if (links->replaced_count)
        qsort(links->replaced, links->replaced_count, sizeof(*links->replaced), compare_replaced);
    return row;
}

int kernle_links_open(struct kernle_links *links, struct db *db, const struct kernle_table *beliefs,
                      struct error *e)
{
    *links = (struct kernle_links){.db = db};
    int has = has_audit(db, e);
    if (has < 0 || (has && (write_audit_sql(links, e) || gather_audit(links, e))))
        return -1;
    return beliefs ? gather_replaced(links, beliefs, e) : 0;
}

void kernle_links_release(struct kernle_links *links)
{
    free(links->audit);
    free(links->replaced);
    arena_release(&links->arena);
}

/* ---- asking ---- */

/* Where those of that ref begin in a sorted array, whose elements begin with it. */
static size_t first_of(const void *array, size_t count, size_t size, uint64_t ref)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t there;
        memcpy(&there, (const char *)array + middle * size, sizeof(there));
        if (there < ref)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* 1: it is about that memory; 0: another one with the same beginning of its digest. */
static int read_entry(struct kernle_links *links, int64_t place, struct ref about,
                      struct arena *arena, struct kernle_audit_row *out, struct error *e)
{
    struct ref ref;
    sqlite3_stmt *stmt = db_prepare(links->db, links->audit_sql, e);
    int row = stmt ? db_bind(links->db, stmt, e, "i", place) : -1;
    if (row <= 0)
        return row;
    bool same = audited(arena, stmt, 0, 1, &ref) && ref_equal(ref, about);
    *out = (struct kernle_audit_row){
        .operation = column_utf8(arena, stmt, 2),
        .actor = column_utf8(arena, stmt, 3),
        .details = column_utf8(arena, stmt, 4),
        .created_at = column_utf8(arena, stmt, 5),
        .correlation = column_utf8(arena, stmt, 6),
    };
    sqlite3_reset(stmt);
    return same;
}

static int audit_of(struct kernle_links *links, struct ref ref, uint64_t bits, struct arena *arena,
                    struct kernle_row *row, struct error *e)
{
    size_t first = first_of(links->audit, links->audit_count, sizeof(*links->audit), bits);
    size_t end = first;
    while (end < links->audit_count && links->audit[end].ref == bits)
        end++;
    if (end == first)
        return 0;
    struct kernle_audit_row *list = arena_array(arena, end - first, sizeof(*list));
    row->audit = list;
    for (size_t i = first; i < end; i++) {
        int about = read_entry(links, links->audit[i].row, ref, arena, &list[row->audit_count], e);
        if (about < 0)
            return -1;
        row->audit_count += about > 0;
    }
    links->audit_used += row->audit_count;
    return 0;
}

static void replaced_of(struct kernle_links *links, struct ref ref, uint64_t bits,
                        struct arena *arena, struct kernle_row *row)
{
    size_t first = first_of(links->replaced, links->replaced_count, sizeof(*links->replaced), bits);
    size_t end = first;
    while (end < links->replaced_count && links->replaced[end].ref == bits)
        end++;
    if (end == first)
        return;
    row->replaced = arena_array(arena, end - first, sizeof(*row->replaced));
    for (size_t i = first; i < end; i++) {
        if (strcmp(links->replaced[i].by, ref.id) != 0)
            continue;
        const char *id = arena_strdup(arena, links->replaced[i].id); /* outlives the links */
        row->replaced[row->replaced_count++] = id;
    }
}

int kernle_links_of(struct kernle_links *links, struct ref ref, struct arena *arena,
                    struct kernle_row *row, struct error *e)
{
    if (links->audit_count == 0 && links->replaced_count == 0)
        return 0;
    uint64_t bits = seen_bits(ref);
    if (audit_of(links, ref, bits, arena, row, e))
        return -1;
    if (ref.kind == KIND_BELIEF)
        replaced_of(links, ref, bits, arena, row);
    return 0;
}
