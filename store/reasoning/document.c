/* Reads documents: uses, memories based on them, and versions of their passages. */
#include "store/reasoning/document.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/reasoning_given.h"

/* ---- uses ---- */

/*
 * Finds the first `limit` memories of those kinds based on the document, each once, newest first.
 */
static int find_users(struct reader *r, struct arena *arena, int64_t document, unsigned kinds,
                      size_t limit, struct document_use **out, size_t *count, bool *more,
                      struct error *e)
{
    static const char sql[] =
        "SELECT l.memory FROM link l INDEXED BY link_target WHERE l.target = ? AND l.shape & 31 < ?"
        " AND ? >> (SELECT kind FROM memory m WHERE m.id = l.memory) & 1 ORDER BY l.memory DESC";
    size_t alloc = 0;
    struct query rows = db_query(reader_db(r), e, sql, "iii", document, (int64_t)ROLE_SUPPORT_COUNT,
                                 kinds ? (int64_t)kinds : (int64_t)-1);
    while (!*more && db_next(&rows)) {
        int64_t node = sqlite3_column_int64(rows.stmt, 0);
        if (*count && (*out)[*count - 1].node == node)
            continue;
        *more = *count == limit;
        if (!*more)
            *ARENA_ADD(arena, *out, *count, alloc) = (struct document_use){.node = node};
    }
    return db_end(&rows);
}

/* Reads every passage of the document that the memory uses. An empty use counts only if there is no
 * other. */
static int read_passages(struct reader *r, struct arena *arena, int64_t document,
                         const struct memory *m, struct document_use *u, struct error *e)
{
    bool has_summary = false;
    size_t most = 1;
    for (size_t i = 0; i < m->justification_count; i++)
        most += m->justifications[i].count;
    u->passage = arena_array(arena, most, sizeof(*u->passage));
    u->passage[0].use = (struct use)USE_NONE;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            const struct antecedent *a = &m->justifications[i].antecedents[k];
            if (a->node != document || (has_summary && !a->use))
                continue;
            struct document_passage *p = &u->passage[has_summary ? u->passages : 0];
            *p = (struct document_passage){.use = USE_NONE};
            p->guessed = m->justifications[i].recorded != RECORDED;
            if (a->use)
                p->use = *a->use;
            has_summary = has_summary || a->use;
            u->passages = (size_t)(p - u->passage) + 1;
        }
    if (u->passages == 0)
        u->passages = 1;
    for (size_t i = 0; i < u->passages; i++)
        if (document_changed_since(r, document, u->passage[i].use.chunk, m->node,
                                   u->passage[i].use.version_hash, &u->passage[i].changed, e))
            return -1;
    return 0;
}

static int read_use(struct reader *r, struct arena *arena, int64_t document, struct document_use *u,
                    struct error *e)
{
    struct memory m;
    struct reasoning_detail detail;
    if (memory_read(r, arena, u->node, &m, e) || guard_excerpts(r, arena, &m, e))
        return -1;
    u->ref = m.ref;
    u->text = m.text ? m.text : "";
    u->created_at = m.created_at;
    u->status = m.status;
    if (m.ref.kind == KIND_STEP) {
        reasoning_detail_read(m.detail, true, arena, &detail);
        u->step_number = detail.number;
        u->chain = chain_of_step(r, u->node, e);
    }
    return u->chain < 0 || read_passages(r, arena, document, &m, u, e) ? -1 : 0;
}

static int read_uses(struct reader *r, struct arena *arena, int64_t document,
                     struct document_use *use, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (read_use(r, arena, document, &use[i], e))
            return -1;
    return 0;
}

int document_uses(struct reader *r, struct arena *arena, int64_t document, unsigned kinds,
                  size_t limit, struct document_use **out, size_t *count, bool *more,
                  struct error *e)
{
    *out = NULL;
    *count = 0;
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int failed = find_users(r, arena, document, kinds, limit, out, count, more, e) ||
                 read_uses(r, arena, document, *out, *count, e);
    return reader_done(r, failed ? -1 : 0);
}

/* ---- summary for lists ---- */

int document_summary_read(struct reader *r, int64_t document, size_t most,
                          struct document_summary *out, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t uses = 0, changed = 0;
    if (reader_begin(r, e))
        return -1;
    int failed = db_int(db, &uses, 0, e,
                        "SELECT count(*) FROM (SELECT DISTINCT memory FROM link WHERE target = ?"
                        " AND shape & 31 < ? LIMIT ?)",
                        "iii", document, (int64_t)ROLE_SUPPORT_COUNT, (int64_t)most + 1) ||
                 db_int(db, &changed, 0, e,
                        "SELECT 1 FROM (SELECT chunk, version_hash, CASE WHEN chunk IS NULL THEN"
                        " excerpt END AS start FROM use INDEXED BY use_version WHERE target = ?"
                        " AND version_hash IS NOT NULL LIMIT ?) GROUP BY chunk, start"
                        " HAVING min(version_hash) <> max(version_hash) LIMIT 1",
                        "ii", document, (int64_t)most);
    out->more = (size_t)uses > most;
    out->uses = out->more ? most : (size_t)uses;
    out->changed = changed != 0;
    return reader_done(r, failed ? -1 : 0);
}

/* ---- memories based on a document ---- */

struct reach_walk {
    struct reader *reader;
    struct arena *arena;
    struct row_index met;    /* living memories based on it; the document is first */
    struct row_index chains; /* chains of the steps that use it */
    size_t alloc, looked, most;
    struct document_reach *out;
    struct error *e;
};

/* An unfinished chain is not based on its steps yet, so each step's chain is looked up. */
static int count_use(struct reach_walk *w, int64_t row, enum kind kind)
{
    int64_t chain = kind == KIND_STEP ? chain_of_step(w->reader, row, w->e) : 0;
    if (chain > 0)
        row_index_add(&w->chains, chain);
    w->out->steps += kind == KIND_STEP;
    w->out->citations += kind == KIND_CITATION;
    w->out->others += kind != KIND_STEP && kind != KIND_CITATION && kind != KIND_BELIEF;
    return chain < 0 ? -1 : 0;
}

/* Memories that are not living do not pass support on, so the walk ends there. */
static void visit(struct reach_walk *w, int64_t row, enum kind kind, int status)
{
    size_t before = w->met.count;
    if (!STATUS_LIVES(status))
        return;
    row_index_add(&w->met, row);
    if (w->met.count > before && kind == KIND_BELIEF)
        *ARENA_ADD(w->arena, w->out->belief, w->out->beliefs, w->alloc) = row;
}

static int reach_users(struct reach_walk *w, int64_t of, bool direct)
{
    static const char sql[] =
        "SELECT DISTINCT l.memory, m.kind, m.status FROM link l INDEXED BY link_target CROSS JOIN"
        " memory m ON m.id = l.memory WHERE l.target = ? AND l.shape & 31 < ? ORDER BY l.memory";
    struct query rows =
        db_query(reader_db(w->reader), w->e, sql, "ii", of, (int64_t)ROLE_SUPPORT_COUNT);
    while (!w->out->bounded && db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        enum kind kind = (enum kind)sqlite3_column_int(rows.stmt, 1);
        w->out->bounded = w->looked++ == w->most;
        if (w->out->bounded)
            break;
        if (direct && count_use(w, row, kind))
            return db_fail(&rows);
        visit(w, row, kind, sqlite3_column_int(rows.stmt, 2));
    }
    return db_end(&rows);
}

static int by_row_descending(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

static int reach(struct reach_walk *w, int64_t document)
{
    row_index_add(&w->met, document);
    for (size_t i = 0; i < w->met.count && !w->out->bounded; i++)
        if (reader_check(w->reader, w->e) || reach_users(w, w->met.row[i], i == 0))
            return -1;
    SORT(w->out->belief, w->out->beliefs, by_row_descending);
    w->out->chains = (int64_t)w->chains.count;
    return 0;
}

int document_reach_read(struct reader *r, struct arena *arena, int64_t document, size_t most,
                        struct document_reach *out, struct error *e)
{
    struct reach_walk w = {.reader = r, .arena = arena, .most = most, .out = out, .e = e};
    *out = (struct document_reach){0};
    int result = reader_begin(r, e) ? -1 : reader_done(r, reach(&w, document));
    row_index_release(&w.met);
    row_index_release(&w.chains);
    return result;
}

/* ---- the versions of its passages ---- */

#define OF_PASSAGE                                                                                 \
    " WHERE target = ?1 AND chunk IS nullif(?2, " CHUNK_NONE_SQL ") AND version_hash IS NOT NULL"
#define BY_VERSION "FROM use INDEXED BY use_version" OF_PASSAGE
#define BY_USE     "FROM use INDEXED BY use_passage" OF_PASSAGE

/*
 * Finds a later use with another hash. Walks the versions of the passage and its later uses in
 * parallel, one index lookup each, until a hash differs or one of them ends: a passage may have
 * very many uses or very many versions.
 */
static const char changed_sql[] =
    "WITH RECURSIVE step(hash, later) AS (SELECT (SELECT min(version_hash) " BY_VERSION
    "), (SELECT min(memory) " BY_USE " AND memory > ?3)"
    " UNION ALL SELECT (SELECT min(version_hash) " BY_VERSION " AND version_hash > hash),"
    " (SELECT min(memory) " BY_USE " AND memory > later)"
    " FROM step WHERE hash IS NOT NULL AND later IS NOT NULL)"
    " SELECT 1 FROM step WHERE later IS NOT NULL AND (hash <> ?4"
    " AND (SELECT max(memory) " BY_VERSION " AND version_hash = hash) > ?3"
    " OR EXISTS (SELECT 1 " BY_USE " AND memory = later AND version_hash <> ?4)) LIMIT 1";

/*
 * Without a chunk, other content may be another passage. Only passages that begin alike count as
 * versions of one. Looks at the last use of each of 256 versions.
 */
static const char alike_sql[] =
    "WITH RECURSIVE own(excerpt) AS (SELECT excerpt FROM use WHERE memory = ?3 AND target = ?1"
    " AND chunk IS NULL AND version_hash = ?4 LIMIT 1),"
    " version(hash) AS (SELECT min(version_hash) " BY_VERSION " UNION ALL SELECT (SELECT"
    " min(version_hash) " BY_VERSION " AND version_hash > hash) FROM version"
    " WHERE hash IS NOT NULL LIMIT 256)"
    " SELECT 1 FROM version, own WHERE hash <> ?4 AND EXISTS (SELECT 1 FROM (SELECT memory, excerpt"
    " " BY_VERSION " AND version_hash = hash ORDER BY memory DESC LIMIT 1) last"
    " WHERE last.memory > ?3 AND last.excerpt IS own.excerpt) LIMIT 1";

int document_changed_since(struct reader *r, int64_t document, int64_t chunk, int64_t by,
                           const char *hash, bool *changed, struct error *e)
{
    int64_t later = 0;
    struct db *db = reader_db(r);
    int failed =
        hash && (db_int(db, &later, 0, e, changed_sql, "iiis", document, chunk, by, hash) ||
                 (later && chunk == CHUNK_NONE &&
                  db_int(db, &later, 0, e, alike_sql, "iiis", document, chunk, by, hash)));
    *changed = later != 0;
    return failed ? -1 : 0;
}

int document_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                      struct document_version **out, size_t *count, bool *more, struct error *e)
{
    /* If `limit` cuts a passage, its latest versions are kept. Without a chunk a passage is told by its beginning. */
    static const char sql[] =
        "SELECT chunk, version_hash, first, last, uses, last = latest, versions,"
        " (SELECT created_at FROM memory WHERE id = first),"
        " (SELECT created_at FROM memory WHERE id = last), passage FROM (SELECT *, count(*) OVER ()"
        " AS versions, max(last) OVER (PARTITION BY chunk, start) AS latest, dense_rank() OVER"
        " (ORDER BY chunk, start) AS passage FROM (SELECT *, CASE WHEN chunk = " CHUNK_NONE_SQL
        " THEN (SELECT excerpt FROM use u WHERE u.memory = g.last AND u.target = ?1"
        " AND u.version_hash = g.version_hash LIMIT 1) END AS start"
        " FROM (SELECT ifnull(chunk, " CHUNK_NONE_SQL
        ") AS chunk, version_hash, min(memory) AS first,"
        " max(memory) AS last, count(*) AS uses FROM use INDEXED BY use_version WHERE target = ?1"
        " AND version_hash IS NOT NULL GROUP BY use.chunk, version_hash) g)"
        " ORDER BY passage, first DESC, version_hash DESC LIMIT ?2)"
        " ORDER BY passage, first, version_hash";
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    *more = false;
    struct query rows = db_query(reader_db(r), e, sql, "ii", document, (int64_t)limit);
    while (db_next(&rows)) {
        *more = (size_t)sqlite3_column_int64(rows.stmt, 6) > limit;
        *ARENA_ADD(arena, *out, *count, alloc) =
            (struct document_version){.chunk = sqlite3_column_int64(rows.stmt, 0),
                                      .hash = column_utf8(arena, rows.stmt, 1),
                                      .first = sqlite3_column_int64(rows.stmt, 2),
                                      .last = sqlite3_column_int64(rows.stmt, 3),
                                      .uses = (size_t)sqlite3_column_int64(rows.stmt, 4),
                                      .latest = sqlite3_column_int(rows.stmt, 5) != 0,
                                      .first_at = sqlite3_column_int64(rows.stmt, 7),
                                      .last_at = sqlite3_column_int64(rows.stmt, 8),
                                      .passage = sqlite3_column_int64(rows.stmt, 9)};
    }
    return db_end(&rows);
}

/* ---- what became of its retrievals ---- */

int document_retrieval_status(struct reader *r, int64_t document, enum status *status,
                              struct error *e)
{
    static const char sql[] =
        "SELECT m.status FROM link l CROSS JOIN memory m ON m.id = l.target WHERE l.memory = ?"
        " AND l.shape & 31 < ? AND m.kind = ? AND m.status <> ?"
        " AND guard_sees(m.kind, m.agent, m.status, m.id) ORDER BY m.status > ?, m.id DESC LIMIT 1";
    struct query row =
        db_query(reader_db(r), e, sql, "iiiii", document, (int64_t)ROLE_SUPPORT_COUNT,
                 (int64_t)KIND_ATTRIBUTION, (int64_t)STATUS_MISSING, (int64_t)STATUS_EXPIRED);
    int64_t found = db_next(&row) ? sqlite3_column_int64(row.stmt, 0) : STATUS_ACTIVE;
    *status = STATUS_LIVES(found) ? STATUS_ACTIVE : (enum status)found;
    return db_end(&row);
}
