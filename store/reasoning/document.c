#include "store/reasoning/document.h"

#include "model/base/alloc.h"
#include "model/json/json.h"
#include "model/base/utf8.h"
#include "store/db/column.h"
#include "store/guard/guard.h"
#include "store/guard/guard_mask.h"
#include "store/db/reader.h"
#include "store/reasoning/chain.h"

/* ---- uses ---- */

/* Those who rest on it, the latest row first; a memory may stand there several times, one after the
 * other. Nothing but the index is read of who is of no wanted kind. */
static const char users_sql[] =
    "SELECT l.memory FROM link l INDEXED BY link_target WHERE l.target = ?1 AND l.memory < ?2"
    " AND l.shape & 31 < ?3 AND (?4 = 0 OR ?4 >> (SELECT kind FROM memory m WHERE m.id = l.memory)"
    " & 1) ORDER BY l.memory DESC";

/* The first `limit` of them below `before`, each once. */
static int find_users(struct reader *r, struct arena *arena, int64_t document, unsigned kinds,
                      int64_t before, size_t limit, struct document_use **out, size_t *count,
                      bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    struct document_use *use = NULL;
    size_t alloc = 0;
    sqlite3_stmt *stmt = db_prepare(db, users_sql, e);
    int step =
        db_bind(db, stmt, e, "iiii", document, before, (int64_t)ROLE_SUPPORT_COUNT, (int64_t)kinds);
    for (; step > 0 && !*more; step = *more ? 0 : db_step(db, stmt, e)) {
        int64_t node = sqlite3_column_int64(stmt, 0);
        if (*count && use[*count - 1].node == node)
            continue;
        if (*count == limit) {
            *more = true;
            continue;
        }
        array_grow((void **)&use, &alloc, *count, sizeof(*use));
        use[(*count)++] = (struct document_use){.node = node};
    }
    sqlite3_reset(stmt);
    *out = arena_memdup(arena, use, *count * sizeof(*use));
    free(use);
    return step < 0 ? -1 : 0;
}

static int64_t int_or(sqlite3_stmt *stmt, int column, int64_t none)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? none
                                                            : sqlite3_column_int64(stmt, column);
}

static void fill_use(struct arena *arena, sqlite3_stmt *stmt, struct use *u)
{
    int score = column_enum(stmt, 2, SCORE_ASSERTED + 1);
    *u = (struct use){.relevance = db_double(stmt, 1),
                      .score = score < 0 ? SCORE_NONE : (enum score)score,
                      .excerpt = column_utf8(arena, stmt, 3),
                      .chunk = int_or(stmt, 4, -1),
                      .rank = int_or(stmt, 5, -1),
                      .page = int_or(stmt, 6, -1),
                      .section = column_utf8(arena, stmt, 7),
                      .version_hash = column_utf8(arena, stmt, 8),
                      .label = column_utf8(arena, stmt, 9),
                      .title = column_utf8(arena, stmt, 10)};
}

/* Every passage of it that one memory uses. */
static const char use_sql[] =
    "SELECT l.shape, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"
    " u.version_hash, u.label, u.title FROM link l INDEXED BY link_target LEFT JOIN use u"
    " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
    " WHERE l.target = ? AND l.memory = ? AND l.shape & 31 < ? ORDER BY l.number, l.position";

/* The first is the use itself; what nothing is said of is not told besides. */
static void take_passage(struct arena *arena, sqlite3_stmt *stmt, struct document_use *u,
                         size_t *alloc, bool *told)
{
    struct document_passage p = {.use = USE_NONE};
    bool says = sqlite3_column_type(stmt, 2) != SQLITE_NULL;
    void *list = u->further;
    p.guessed = (sqlite3_column_int64(stmt, 0) >> 6 & 3) != RECORDED;
    if (says)
        fill_use(arena, stmt, &p.use);
    if (!*told) {
        u->use = p.use;
        u->guessed = p.guessed;
    } else if (says) {
        array_grow(&list, alloc, u->further_count, sizeof(p));
        u->further = list;
        u->further[u->further_count++] = p;
    }
    *told = *told || says;
}

static int guard_passages(struct reader *r, struct arena *arena, int64_t document,
                          struct document_use *u, struct error *e)
{
    if (guard_excerpt(r, arena, document, &u->use.excerpt, e) ||
        guard_mask_use(r, arena, &u->use, e))
        return -1;
    for (size_t i = 0; i < u->further_count; i++) {
        struct use *use = &u->further[i].use;
        if (guard_excerpt(r, arena, document, &use->excerpt, e) || guard_mask_use(r, arena, use, e))
            return -1;
    }
    return 0;
}

static int read_use(struct reader *r, struct arena *arena, int64_t document, struct document_use *u,
                    struct error *e)
{
    struct db *db = reader_db(r);
    bool told = false;
    size_t alloc = 0;
    u->use = (struct use)USE_NONE;
    sqlite3_stmt *stmt = db_prepare(db, use_sql, e);
    int step =
        stmt ? db_bind(db, stmt, e, "iii", document, u->node, (int64_t)ROLE_SUPPORT_COUNT) : -1;
    for (; step > 0; step = db_step(db, stmt, e))
        take_passage(arena, stmt, u, &alloc, &told);
    sqlite3_reset(stmt);
    struct document_passage *further = u->further;
    u->further = arena_memdup(arena, further, u->further_count * sizeof(*further));
    free(further);
    return step < 0 ? -1 : guard_passages(r, arena, document, u, e);
}

struct document_use document_use_further(const struct document_use *u, size_t i)
{
    struct document_use one = *u;
    one.use = u->further[i].use;
    one.guessed = u->further[i].guessed;
    one.changed = u->further[i].changed;
    one.further = NULL;
    one.further_count = 0;
    return one;
}

static int read_step(struct reader *r, struct document_use *u, struct error *e)
{
    struct error ignored;
    struct db *db = reader_db(r);
    u->chain = chain_of_step(r, u->node, e);
    sqlite3_stmt *stmt =
        u->chain < 0 ? NULL : db_prepare(db, "SELECT detail FROM memory WHERE id = ?", e);
    int found = db_bind(db, stmt, e, "i", u->node);
    if (found > 0) {
        const char *detail = (const char *)sqlite3_column_text(stmt, 0);
        size_t len = (size_t)sqlite3_column_bytes(stmt, 0);
        struct json_slice number = {NULL, 0};
        if (detail && json_check(detail, len, JSON_DEPTH_MAX, &ignored) == 0)
            number = json_member(detail, len, "step_number");
        if (!number.ptr || json_integer(number, &u->step_number) || u->step_number < 0)
            u->step_number = 0;
    }
    sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}

static int find_changes(struct reader *r, int64_t document, struct document_use *u, struct error *e)
{
    if (document_changed_since(r, document, u->use.chunk, u->node, u->use.version_hash, &u->changed,
                               e))
        return -1;
    for (size_t i = 0; i < u->further_count; i++) {
        struct document_passage *p = &u->further[i];
        if (document_changed_since(r, document, p->use.chunk, u->node, p->use.version_hash,
                                   &p->changed, e))
            return -1;
    }
    return 0;
}

static int fill_uses(struct reader *r, struct arena *arena, int64_t document,
                     struct document_use *use, size_t count, struct error *e)
{
    struct memory_row row;
    for (size_t i = 0; i < count; i++) {
        if (memory_row_read(r, arena, use[i].node, &row, e) ||
            read_use(r, arena, document, &use[i], e))
            return -1;
        use[i].ref = row.ref;
        use[i].text = row.text;
        use[i].created_at = row.created_at;
        use[i].status = row.status;
        if ((row.ref.kind == KIND_STEP && read_step(r, &use[i], e)) ||
            find_changes(r, document, &use[i], e))
            return -1;
    }
    return 0;
}

int document_uses(struct reader *r, struct arena *arena, int64_t document, unsigned kinds,
                  int64_t before, size_t limit, struct document_use **out, size_t *count,
                  bool *more, struct error *e)
{
    *out = NULL;
    *count = 0;
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int result = find_users(r, arena, document, kinds, before, limit, out, count, more, e) ||
                         fill_uses(r, arena, document, *out, *count, e)
                     ? -1
                     : 0;
    reader_end(r);
    return result;
}
