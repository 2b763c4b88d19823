#include "store/reasoning/document.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/neighbours.h"
#include "store/query/list.h"
#include "store/reasoning/chain.h"
#include "store/record/get.h"

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
    size_t alloc = 0;
    struct query rows = db_query(reader_db(r), e, users_sql, "iiii", document, before,
                                 (int64_t)ROLE_SUPPORT_COUNT, (int64_t)kinds);
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
    p.guessed = (sqlite3_column_int64(stmt, 0) >> 6 & 3) != RECORDED;
    if (says)
        fill_use(arena, stmt, &p.use);
    if (!*told) {
        u->use = p.use;
        u->guessed = p.guessed;
    } else if (says) {
        *ARENA_ADD(arena, u->further, u->further_count, *alloc) = p;
    }
    *told = *told || says;
}

static int guard_passages(struct reader *r, struct arena *arena, int64_t document,
                          struct document_use *u, struct error *e)
{
    if (guard_excerpt(r, arena, document, &u->use.excerpt, e))
        return -1;
    guard_mask_use(r, arena, &u->use);
    for (size_t i = 0; i < u->further_count; i++) {
        struct use *use = &u->further[i].use;
        if (guard_excerpt(r, arena, document, &use->excerpt, e))
            return -1;
        guard_mask_use(r, arena, use);
    }
    return 0;
}

static int read_use(struct reader *r, struct arena *arena, int64_t document, struct document_use *u,
                    struct error *e)
{
    bool told = false;
    size_t alloc = 0;
    u->use = (struct use)USE_NONE;
    struct query rows =
        db_query(reader_db(r), e, use_sql, "iii", document, u->node, (int64_t)ROLE_SUPPORT_COUNT);
    while (db_next(&rows))
        take_passage(arena, rows.stmt, u, &alloc, &told);
    return db_end(&rows) ? -1 : guard_passages(r, arena, document, u, e);
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
    if ((u->chain = chain_of_step(r, u->node, e)) < 0)
        return -1;
    struct query row =
        db_query(reader_db(r), e, "SELECT detail FROM memory WHERE id = ?", "i", u->node);
    if (db_next(&row)) {
        const char *detail = (const char *)sqlite3_column_text(row.stmt, 0);
        size_t len = (size_t)sqlite3_column_bytes(row.stmt, 0);
        struct json_slice number = {NULL, 0};
        if (detail && json_check(detail, len, JSON_DEPTH_MAX, &ignored) == 0)
            number = json_member(detail, len, "step_number");
        if (!number.ptr || json_integer(number, &u->step_number) || u->step_number < 0)
            u->step_number = 0;
    }
    return db_end(&row);
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
    return reader_begin(r, e)
               ? -1
               : reader_done(
                     r, find_users(r, arena, document, kinds, before, limit, out, count, more, e) ||
                                fill_uses(r, arena, document, *out, *count, e)
                            ? -1
                            : 0);
}

/* ---- in brief ---- */

static int count_uses(struct db *db, int64_t document, size_t most, struct document_brief *out,
                      struct error *e)
{
    int64_t uses;
    if (db_int(db, &uses, 0, e,
               "SELECT count(*) FROM (SELECT DISTINCT memory FROM link WHERE target = ?"
               " AND shape & 31 < ? LIMIT ?)",
               "iii", document, (int64_t)ROLE_SUPPORT_COUNT, (int64_t)most + 1))
        return -1;
    out->more = (size_t)uses > most;
    out->uses = out->more ? most : (size_t)uses;
    return 0;
}

/* Those of a passage stand one after the other. */
static int find_change(struct db *db, int64_t document, size_t most, struct document_brief *out,
                       struct error *e)
{
    struct query rows =
        db_query(db, e,
                 "SELECT ifnull(chunk, -1), version_hash FROM use WHERE target = ?"
                 " AND version_hash IS NOT NULL ORDER BY target, chunk, version_hash LIMIT ?",
                 "ii", document, (int64_t)most);
    int64_t chunk = INT64_MIN;
    char hash[65] = "";
    while (!out->changed && db_next(&rows)) {
        const char *text = (const char *)sqlite3_column_text(rows.stmt, 1);
        size_t len = (size_t)sqlite3_column_bytes(rows.stmt, 1);
        if (!text || len >= sizeof(hash))
            continue; /* no hash at all */
        out->changed = sqlite3_column_int64(rows.stmt, 0) == chunk && strcmp(text, hash) != 0;
        chunk = sqlite3_column_int64(rows.stmt, 0);
        memcpy(hash, text, len + 1);
    }
    return db_end(&rows);
}

int document_brief_read(struct reader *r, int64_t document, size_t most, struct document_brief *out,
                        struct error *e)
{
    *out = (struct document_brief){0};
    if (reader_begin(r, e))
        return -1;
    struct db *db = reader_db(r);
    int failed = count_uses(db, document, most, out, e) || find_change(db, document, most, out, e);
    reader_end(r);
    return failed ? -1 : 0;
}

/* ---- how many rest on it ---- */

static int by_row(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* ---- how many ---- */

struct counting {
    struct reader *reader;
    struct row_index met; /* in the order in which they were met, the document first */
    int64_t *steps;       /* [out->steps] that use it themselves */
    size_t alloc;
    size_t most;
    struct document_counts *out;
    struct error *e;
};

static void count_step(struct counting *c, int64_t row)
{
    ARRAY_ROOM(c->steps, (size_t)c->out->steps, c->alloc, 1);
    c->steps[c->out->steps++] = row;
}

static void count_one(struct counting *c, int64_t row, enum kind kind, bool direct)
{
    size_t before = c->met.count;
    if (before > c->most) {
        c->out->bounded = true;
        return;
    }
    row_index_add(&c->met, row);
    if (c->met.count == before)
        return;
    if (kind == KIND_BELIEF)
        c->out->beliefs++;
    else if (direct && kind == KIND_STEP) {
        count_step(c, row);
        return;
    } else if (direct && kind == KIND_CITATION)
        c->out->citations++;
    else if (direct)
        c->out->others++;
}

/* Those that rest on it themselves; no more of them are read than are counted. */
static int count_users(struct counting *c, int64_t row, bool direct)
{
    static const char sql[] =
        "SELECT l.memory, m.kind FROM link l INDEXED BY link_target CROSS JOIN memory m"
        " ON m.id = l.memory WHERE l.target = ? AND l.shape & 31 < ? ORDER BY l.memory LIMIT ?";
    struct db *db = reader_db(c->reader);
    struct query rows = db_query(db, c->e, sql, "iii", row, (int64_t)ROLE_SUPPORT_COUNT,
                                 c->most < INT64_MAX - 2 ? (int64_t)c->most + 2 : INT64_MAX);
    while (db_next(&rows))
        count_one(c, sqlite3_column_int64(rows.stmt, 0),
                  (enum kind)sqlite3_column_int(rows.stmt, 1), direct);
    return db_end(&rows);
}

/* The chains of the steps: those that are not finished rest on none of them yet. */
static int count_chains(struct counting *c)
{
    size_t count = (size_t)c->out->steps;
    for (size_t i = 0; i < count; i++)
        if ((c->steps[i] = chain_of_step(c->reader, c->steps[i], c->e)) < 0)
            return -1;
    if (count)
        qsort(c->steps, count, sizeof(*c->steps), by_row);
    for (size_t i = 0; i < count; i++)
        c->out->chains += c->steps[i] > 0 && (i == 0 || c->steps[i] != c->steps[i - 1]);
    return 0;
}

static int count_all(struct counting *c, int64_t document)
{
    row_index_add(&c->met, document);
    for (size_t i = 0; i < c->met.count && !c->out->bounded; i++)
        if (reader_check(c->reader, c->e) || count_users(c, c->met.row[i], i == 0))
            return -1;
    return count_chains(c);
}

int document_count(struct reader *r, int64_t document, size_t most, struct document_counts *out,
                   struct error *e)
{
    struct counting c = {.reader = r, .met = ROW_INDEX_INIT, .most = most, .out = out, .e = e};
    *out = (struct document_counts){0};
    int result = reader_begin(r, e) ? -1 : reader_done(r, count_all(&c, document));
    row_index_release(&c.met);
    free(c.steps);
    return result;
}

/* ---- beliefs ---- */

#define ROW_STEPS 4 /* of SQLite's machine, that a row of a walk counts as */

struct descent {
    struct reader *reader;
    struct links links;
    struct row_index met; /* in the order in which they were met, the document first */
    int64_t *beliefs;
    size_t count, alloc;
    struct error *e;
};

static void add_belief(struct descent *d, int64_t row)
{
    *ARRAY_ADD(d->beliefs, d->count, d->alloc) = row;
}

/* What rests on a dead one alone does not rest on the document now. */
static int meet(struct descent *d, int64_t row)
{
    enum kind kind;
    enum status status;
    size_t before = d->met.count;
    if (links_nature(d->reader, row, &kind, &status, d->e))
        return -1;
    if (!STATUS_LIVES(status))
        return 0;
    row_index_add(&d->met, row);
    if (d->met.count > before && kind == KIND_BELIEF)
        add_belief(d, row);
    return 0;
}

static int descend(struct descent *d, int64_t document)
{
    row_index_add(&d->met, document);
    for (size_t i = 0; i < d->met.count; i++) {
        if (reader_spend(d->reader, ROW_STEPS, d->e) ||
            links_users(&d->links, d->reader, d->met.row[i], SIZE_MAX, d->e))
            return -1;
        for (size_t k = 0; k < d->links.rows; k++)
            if (meet(d, d->links.row[k]))
                return -1;
    }
    return 0;
}

static void keep_newest(struct descent *d, struct arena *arena, size_t limit, int64_t **out,
                        size_t *count, bool *more)
{
    if (d->count)
        qsort(d->beliefs, d->count, sizeof(*d->beliefs), by_row);
    *count = d->count < limit ? d->count : limit;
    *more = d->count > limit;
    *out = arena_array(arena, *count + 1, sizeof(**out));
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = d->beliefs[d->count - 1 - i];
}

int document_beliefs(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                     int64_t **out, size_t *count, bool *more, struct error *e)
{
    struct descent d = {.reader = r, .met = ROW_INDEX_INIT, .e = e};
    *out = NULL;
    *count = 0;
    *more = false;
    if (reader_begin(r, e))
        return -1;
    int result = descend(&d, document);
    links_release(&d.links);
    reader_end(r);
    if (!result)
        keep_newest(&d, arena, limit, out, count, more);
    row_index_release(&d.met);
    free(d.beliefs);
    return result;
}

/*
 * ---- the versions of a document's passages ----
 *
 * The uses of a passage stand together in two indexes: by version, so that a walk passes from one version to the next
 * whatever the number of uses, and by when they came.
 */

#define LATEST 64 /* uses that are looked at one by one; then version by version */

/* 1: one of the latest uses after `by` has another hash; 0: none of all after it has; -1 on error; 2: none of
 * the latest has. */
static int look_at_latest(struct db *db, int64_t document, int64_t chunk, int64_t by,
                          const char *hash, struct error *e)
{
    static const char sql[] =
        "SELECT version_hash <> ?4 FROM use INDEXED BY use_passage WHERE target = ?1 AND"
        " chunk IS nullif(?2, -1) AND memory > ?3 AND version_hash IS NOT NULL"
        " ORDER BY memory DESC LIMIT ?5";
    size_t seen = 0;
    bool other = false;
    struct query rows = db_query(db, e, sql, "iiisi", document, chunk, by, hash, (int64_t)LATEST);
    for (; !other && db_next(&rows); seen++)
        other = sqlite3_column_int(rows.stmt, 0) != 0;
    return db_end(&rows) ? -1 : other ? 1 : seen < LATEST ? 0 : 2;
}

/* The next version of that passage in the order of hashes; *next NULL: there is none. */
static int next_version(struct db *db, struct arena *arena, int64_t document, int64_t chunk,
                        const char *after, const char **next, struct error *e)
{
    static const char sql[] =
        "SELECT version_hash FROM use INDEXED BY use_version WHERE target = ? AND"
        " chunk IS nullif(?, -1) AND version_hash > ? ORDER BY version_hash LIMIT 1";
    *next = NULL;
    struct query row = db_query(db, e, sql, "iis", document, chunk, after);
    if (db_next(&row))
        *next = column_utf8(arena, row.stmt, 0);
    return db_end(&row);
}

static int look_at_versions(struct db *db, struct arena *arena, int64_t document, int64_t chunk,
                            int64_t by, const char *hash, bool *changed, struct error *e)
{
    static const char sql[] = "SELECT 1 FROM use INDEXED BY use_version WHERE target = ? AND"
                              " chunk IS nullif(?, -1) AND version_hash = ? AND memory > ? LIMIT 1";
    const char *version = "";
    int64_t later = 0;
    while (!later) {
        if (next_version(db, arena, document, chunk, version, &version, e))
            return -1;
        if (!version)
            break;
        if (strcmp(version, hash) != 0 &&
            db_int(db, &later, 0, e, sql, "iisi", document, chunk, version, by))
            return -1;
    }
    *changed = later != 0;
    return 0;
}

int document_changed_since(struct reader *r, int64_t document, int64_t chunk, int64_t by,
                           const char *hash, bool *changed, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct db *db = reader_db(r);
    *changed = false;
    if (!hash)
        return 0;
    if (reader_begin(r, e))
        return -1;
    int found = look_at_latest(db, document, chunk, by, hash, e);
    int result = found < 0 ? -1 : 0;
    if (found == 2)
        result = look_at_versions(db, &arena, document, chunk, by, hash, changed, e);
    else
        *changed = found == 1;
    reader_end(r);
    arena_release(&arena);
    return result;
}

/* ---- all of them ---- */

/* The next chunk of which a version is known; -1: there is none. */
static int next_chunk(struct db *db, int64_t document, int64_t *chunk, struct error *e)
{
    return db_int(db, chunk, -1, e,
                  "SELECT chunk FROM use INDEXED BY use_version WHERE target = ? AND chunk > ? AND"
                  " version_hash IS NOT NULL ORDER BY chunk LIMIT 1",
                  "ii", document, *chunk);
}

struct versions {
    struct db *db;
    struct arena *arena;
    int64_t document;
    struct document_version *list;
    size_t count, alloc;
    size_t limit;
    bool more;
    struct error *e;
};

static int add_version(struct versions *v, int64_t chunk, const char *hash)
{
    static const char sql[] =
        "SELECT min(memory), max(memory), count(*) FROM use INDEXED BY use_version WHERE target = ?"
        " AND chunk IS nullif(?, -1) AND version_hash = ?";
    static const char time[] = "SELECT created_at FROM memory WHERE id = ?";
    struct document_version *one = ARENA_ADD(v->arena, v->list, v->count, v->alloc);
    *one = (struct document_version){.chunk = chunk, .hash = hash};
    struct query row = db_query(v->db, v->e, sql, "iis", v->document, chunk, hash);
    if (db_next(&row)) {
        one->first = sqlite3_column_int64(row.stmt, 0);
        one->last = sqlite3_column_int64(row.stmt, 1);
        one->uses = (size_t)sqlite3_column_int64(row.stmt, 2);
    }
    return db_end(&row) || db_int(v->db, &one->first_at, 0, v->e, time, "i", one->first) ||
                   db_int(v->db, &one->last_at, 0, v->e, time, "i", one->last)
               ? -1
               : 0;
}

static int by_coming(const void *a, const void *b)
{
    const struct document_version *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                                : strcmp(x->hash, y->hash);
}

static bool is_among(const char *hash, const char *const *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(hashes[i], hash) == 0)
            return true;
    return false;
}

/* The hashes that came last, `room` of them: the others are passed over, however many there are. */
static int find_newest(struct versions *v, int64_t chunk, const char **hashes, size_t room)
{
    static const char sql[] =
        "SELECT version_hash FROM use INDEXED BY use_passage WHERE target = ? AND"
        " chunk IS nullif(?, -1) AND version_hash IS NOT NULL ORDER BY memory DESC";
    size_t count = 0;
    struct query rows = db_query(v->db, v->e, sql, "ii", v->document, chunk);
    while (count < room && db_next(&rows)) {
        const char *hash = (const char *)sqlite3_column_text(rows.stmt, 0);
        if (hash && is_among(hash, hashes, count))
            continue;
        hashes[count++] = column_utf8(v->arena, rows.stmt, 0);
    }
    return db_end(&rows);
}

/* The hashes of a passage: all of them, or as many as there is room for. */
static int find_hashes(struct versions *v, int64_t chunk, const char ***out, size_t *count)
{
    size_t room = v->limit - v->count;
    const char **hashes = arena_array(v->arena, room + 1, sizeof(*hashes)), *version = "";
    *out = hashes;
    *count = 0;
    for (;;) {
        if (next_version(v->db, v->arena, v->document, chunk, version, &version, v->e))
            return -1;
        if (!version)
            return 0;
        if (*count == room)
            break;
        hashes[(*count)++] = version;
    }
    v->more = true;
    return find_newest(v, chunk, hashes, room);
}

/* Those of one passage, in the order in which they came. */
static int add_passage(struct versions *v, int64_t chunk)
{
    const char **hashes = NULL;
    size_t count = 0, from = v->count, latest = from;
    if (find_hashes(v, chunk, &hashes, &count))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (add_version(v, chunk, hashes[i]))
            return -1;
    if (v->count == from)
        return 0;
    qsort(v->list + from, v->count - from, sizeof(*v->list), by_coming);
    for (size_t i = from; i < v->count; i++)
        latest = v->list[i].last > v->list[latest].last ? i : latest;
    v->list[latest].latest = true;
    return 0;
}

/* The whole document first, then chunk by chunk. */
static int add_all(struct versions *v)
{
    int64_t chunk = -1;
    do {
        if (add_passage(v, chunk) || next_chunk(v->db, v->document, &chunk, v->e))
            return -1;
    } while (chunk >= 0 && !v->more);
    return 0;
}

int document_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                      struct document_version **out, size_t *count, bool *more, struct error *e)
{
    struct versions v = {
        .db = reader_db(r), .arena = arena, .document = document, .limit = limit, .e = e};
    int result = reader_begin(r, e) ? -1 : reader_done(r, add_all(&v));
    *more = v.more;
    *count = result ? 0 : v.count;
    *out = v.list;
    return result;
}

int document_hashes(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                    const char ***out, size_t *count, bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t chunk = -1;
    *count = 0;
    *more = false;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    do {
        const char *version = "";
        for (;;) {
            if (next_version(db, arena, document, chunk, version, &version, e))
                return -1;
            if (!version || *count == limit)
                break;
            (*out)[(*count)++] = version;
        }
        *more = version != NULL;
        if (next_chunk(db, document, &chunk, e))
            return -1;
    } while (!*more && chunk >= 0);
    return 0;
}
