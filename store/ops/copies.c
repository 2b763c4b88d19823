#include "store/ops/copies.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"

#define NAMED 8 /* are named one by one, the others counted */

/* Rows, each once when it is sorted. */
struct rows {
    int64_t *row;
    size_t count, alloc;
};

static int compare_rows(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort_rows(struct rows *r)
{
    size_t kept = 0;
    if (r->count)
        qsort(r->row, r->count, sizeof(*r->row), compare_rows);
    for (size_t i = 0; i < r->count; i++)
        if (kept == 0 || r->row[kept - 1] != r->row[i])
            r->row[kept++] = r->row[i];
    r->count = kept;
}

static bool has_row(const struct rows *r, int64_t row)
{
    return r->count && bsearch(&row, r->row, r->count, sizeof(row), compare_rows);
}

static void add_row(struct rows *r, int64_t row)
{
    void *list = r->row;
    array_grow(&list, &r->alloc, r->count, sizeof(row));
    r->row = list;
    r->row[r->count++] = row;
}

/* ---- who may have a copy ---- */

static const char quoting_sql[] =
    "SELECT l.memory FROM link l INDEXED BY link_target JOIN use u ON u.memory = l.memory AND"
    " u.number = l.number AND u.position = l.position WHERE l.target = ?1 AND (u.excerpt IS NOT "
    "NULL OR u.title IS NOT NULL)";
/* Roles below 16 are support. */
static const char made_sql[] =
    "SELECT memory FROM link INDEXED BY link_target WHERE target = ?1 AND shape & 31 < 16";
/* What it used and nobody gave a title is called by the passage. */
static const char called_sql[] =
    "SELECT d.id FROM link l JOIN memory d ON d.id = l.target JOIN memory m ON m.id = l.memory"
    " LEFT JOIN use u ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
    " WHERE l.memory = ?1 AND d.kind = 10 AND d.text IN (u.excerpt, m.text)";
/* What names it by a link, or was changed together with it for one reason; and among what was said of
 * these, its id. */
static const char saying_sql[] =
    "WITH near(id) AS (SELECT memory FROM link INDEXED BY link_target WHERE target = ?1"
    " UNION SELECT o.subject FROM event e JOIN event o ON o.correlation = e.correlation"
    " WHERE e.subject = ?1 AND e.correlation IS NOT NULL AND o.subject IS NOT NULL"
    " AND json_extract(e.patch, '$.reason') IS NOT NULL)"
    " SELECT id FROM near WHERE id <> ?1 AND ("
    " EXISTS (SELECT 1 FROM link WHERE memory = near.id AND instr(reason, ?2))"
    " OR EXISTS (SELECT 1 FROM history WHERE memory = near.id AND instr(reason, ?2))"
    " OR EXISTS (SELECT 1 FROM mark WHERE memory = near.id AND instr(coalesce(reason, '') || ' ' "
    "|| coalesce(value, ''), ?2))"
    " OR EXISTS (SELECT 1 FROM event WHERE subject = near.id"
    " AND instr(json_extract(patch, '$.reason'), ?2)))";

/* The rows that the statement gives of one that is erased. */
static int find_rows(struct plan *p, const char *sql, int64_t row, const char *id,
                     struct rows *found, struct error *e)
{
    struct db *db = reader_db(p->reader);
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more = !stmt ? -1
               : id  ? db_bind(db, stmt, e, "is", row, id)
                     : db_bind(db, stmt, e, "i", row);
    for (; more > 0; more = db_step(db, stmt, e))
        add_row(found, sqlite3_column_int64(stmt, 0));
    sqlite3_reset(stmt);
    return more;
}

/* As people and programs shorten it. */
static int find_saying(struct plan *p, int64_t row, struct rows *found, struct error *e)
{
    struct memory_row m;
    if (memory_row_read(p->reader, p->arena, row, &m, e))
        return -1;
    size_t len = strlen(m.ref.id);
    bool shortens = len == 36 && ref_is_uuid_prefix(m.ref.id, 36);
    const char *id = arena_strndup(p->arena, m.ref.id, shortens ? REF_SHORT : len);
    return find_rows(p, saying_sql, row, id, found, e);
}

/* ---- saying so ---- */

/* "belief:a, belief:b and 7 more". */
static int name_rows(struct plan *p, const struct rows *rows, struct strbuf *out, struct error *e)
{
    size_t named = rows->count > NAMED + 1 ? NAMED : rows->count;
    for (size_t i = 0; i < named; i++) {
        struct memory_row m;
        if (memory_row_read(p->reader, p->arena, rows->row[i], &m, e))
            return -1;
        strbuf_addstr(out, i == 0 ? "" : i + 1 < rows->count ? ", " : " and ");
        ref_add(out, m.ref);
    }
    if (rows->count > named)
        strbuf_addf(out, " and %zu more", rows->count - named);
    return 0;
}

/* Those of them that are not erased themselves. */
static int remark(struct plan *p, const char *what, struct rows *found, const struct rows *erased,
                  struct error *e)
{
    struct strbuf names = STRBUF_INIT;
    size_t kept = 0;
    sort_rows(found);
    for (size_t i = 0; i < found->count; i++)
        if (!has_row(erased, found->row[i]))
            found->row[kept++] = found->row[i];
    found->count = kept;
    int result = name_rows(p, found, &names, e);
    if (result == 0 && kept)
        plan_remark(p, "%s: %s", what, names.buf);
    strbuf_release(&names);
    return result;
}

static int remark_each(struct plan *p, const char *what, const char *sql, const struct rows *erased,
                       struct error *e)
{
    struct rows found = {.row = NULL};
    int result = 0;
    for (size_t i = 0; i < erased->count && result == 0; i++)
        result = sql ? find_rows(p, sql, erased->row[i], NULL, &found, e)
                     : find_saying(p, erased->row[i], &found, e);
    if (result == 0)
        result = remark(p, what, &found, erased, e);
    free(found.row);
    return result;
}

static int remark_origin(struct plan *p, int64_t origin, struct error *e)
{
    struct db *db = reader_db(p->reader);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT coalesce(path, 'standard input') FROM origin WHERE id = ?", e);
    int found = db_bind(db, stmt, e, "i", origin);
    if (found > 0)
        plan_remark(p, "what was imported from stays as it is: %s",
                    (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}

static int remark_origins(struct plan *p, const struct rows *erased, struct error *e)
{
    static const char sql[] = "SELECT origin FROM imported WHERE memory = ?1";
    struct rows origins = {.row = NULL};
    int result = 0;
    for (size_t i = 0; i < erased->count && result == 0; i++)
        result = find_rows(p, sql, erased->row[i], NULL, &origins, e);
    sort_rows(&origins);
    for (size_t i = 0; i < origins.count && result == 0; i++)
        result = remark_origin(p, origins.row[i], e);
    free(origins.row);
    return result;
}

int copies_remark(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct rows erased = {.row = NULL};
    int result = 0;
    for (size_t i = 0; i < count; i++)
        add_row(&erased, rows[i]);
    sort_rows(&erased);
    result = remark_each(p, "excerpts that are quoted from it and what it is called there stay",
                         quoting_sql, &erased, e) ||
                     remark_each(p, "what was made from it may repeat it", made_sql, &erased, e) ||
                     remark_each(p, "documents that are called by its words stay", called_sql,
                                 &erased, e) ||
                     remark_each(p, "reasons that name it stay", NULL, &erased, e) ||
                     remark_origins(p, &erased, e)
                 ? -1
                 : 0;
    free(erased.row);
    if (result)
        return -1;
    plan_remark(p, "backups, exports and other copies stay as they are");
    return 0;
}
