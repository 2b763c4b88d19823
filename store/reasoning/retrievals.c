/* Attributions in groups, pages and timelines; content hashes; the retrievals of a document. */
#include "store/reasoning/retrievals.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/digest.h"
#include "model/base/map.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "model/base/error.h"
#include "store/reasoning/document.h"
#include "store/record/index_tables.h"

const char *retrieval_group_name(enum retrieval_group by)
{
    static const char *const names[RETRIEVALS_GROUPS] = {"type", "URI", "agent"};
    return names[by];
}

/* ---- groups ---- */

/* Queries on the attribution table; the URI comes from the memory's detail. ?1 is the agent; times
 * between ?2 and ?3 are plausible. */
#define OF_AGENT  " (?1 IS NULL OR a.agent = (SELECT id FROM agent WHERE name = ?1))"
#define SOUND     "CASE WHEN a.at BETWEEN ?2 AND ?3 THEN a.at END"
#define FIRST     "coalesce(min(" SOUND "), min(a.at))"
#define LAST      "coalesce(max(" SOUND "), max(a.at))"
#define SUSPECT   "count(*) - count(" SOUND ")"
#define RETRACTED "sum((SELECT m.status FROM memory m WHERE m.id = a.memory) = 3)"
#define COUNTED   ", count(*), " FIRST ", " LAST ", " SUSPECT ", " RETRACTED
_Static_assert(STATUS_RETRACTED == 3, "the number stands in statements");
#define GROUPED " WHERE" OF_AGENT " GROUP BY 1 ORDER BY 4 DESC, 1"
#define AGENT   "(SELECT name FROM agent g WHERE g.id = a.agent)"

/* The lookup table sorts by URI. Each group is named as in its last attribution. Attributions
 * without a URI form a group, too. */
#define WITH_URI    "lookup f INDEXED BY lookup_key CROSS JOIN attribution a ON a.memory = f.memory"
#define WITHOUT_URI " NOT EXISTS (SELECT 1 FROM lookup f WHERE f.memory = a.memory AND f.field = 3)"
#define URI_OF(memory)                                                                             \
    "(SELECT CASE WHEN json_valid(m.detail) THEN json_extract(m.detail, '$.source_uri') END FROM " \
    "memory m WHERE m.id = " memory ")"
_Static_assert(LOOKUP_URI == 3, "the number stands in statements");

#define BY_URI                                                                                     \
    "SELECT max(f.memory) AS newest, count(*) AS count, " FIRST " AS first, " LAST                 \
    " AS until, " SUSPECT " AS suspect, " RETRACTED " AS retracted FROM " WITH_URI                 \
    " WHERE f.field = 3 AND" OF_AGENT " GROUP BY f.key"

static const char *const grouped_sql[RETRIEVALS_GROUPS] = {
    [RETRIEVALS_BY_TYPE] = "SELECT a.type" COUNTED " FROM attribution a" GROUPED,
    [RETRIEVALS_BY_URI] =
        "SELECT " URI_OF("g.newest") ", g.count, g.first, g.until, g.suspect, g.retracted FROM"
                                     " (" BY_URI ") g ORDER BY 4 DESC, 1",
    [RETRIEVALS_BY_AGENT] = "SELECT " AGENT COUNTED " FROM attribution a" GROUPED,
};
static const char without_uri_sql[] =
    "SELECT NULL" COUNTED " FROM attribution a WHERE" WITHOUT_URI " AND" OF_AGENT;

static void fill_group(const struct reader *r, struct arena *arena, sqlite3_stmt *stmt,
                       struct retrievals *out)
{
    const char **const shown[] = {&out->shown};
    *out = (struct retrievals){.name = column_utf8(arena, stmt, 0),
                               .count = sqlite3_column_int64(stmt, 1),
                               .first = sqlite3_column_int64(stmt, 2),
                               .last = sqlite3_column_int64(stmt, 3),
                               .suspect = sqlite3_column_int64(stmt, 4),
                               .retracted = sqlite3_column_int64(stmt, 5)};
    out->shown = out->name;
    guard_mask_texts(r, arena, shown, 1);
}

struct groups_found {
    struct reader *r;
    struct arena *arena;
    const char *agent;
    int64_t now;
    struct retrievals *list;
    size_t count, alloc;
};

static int find_groups(struct groups_found *g, const char *sql, struct error *e)
{
    struct query rows = db_query(reader_db(g->r), e, sql, "sii", g->agent, CLOCK_RETRIEVED_EARLIEST,
                                 g->now + CLOCK_DAY);
    while (db_next(&rows))
        fill_group(g->r, g->arena, rows.stmt, ARENA_ADD(g->arena, g->list, g->count, g->alloc));
    return db_end(&rows);
}

/*
 * Adds the group without a URI. Needs a scan, so first checks by the counts whether there are any.
 */
static int find_without_uri(struct groups_found *g, struct error *e)
{
    int64_t all, with = 0;
    size_t had = g->count;
    for (size_t i = 0; i < had; i++)
        with += g->list[i].count;
    if (db_int(reader_db(g->r), &all, 0, e, "SELECT count(*) FROM attribution a WHERE" OF_AGENT,
               "s", g->agent))
        return -1;
    if (all == with)
        return 0;
    if (find_groups(g, without_uri_sql, e))
        return -1;
    if (g->count == had) /* the counts are wrong; fsck reports it */
        return 0;
    struct retrievals last = g->list[g->count - 1];
    size_t at = g->count - 1;
    for (; at > 0 && g->list[at - 1].last <= last.last; at--)
        g->list[at] = g->list[at - 1];
    g->list[at] = last;
    return 0;
}

int retrievals_grouped(struct reader *r, struct arena *arena, enum retrieval_group by,
                       const char *agent, struct retrievals **out, size_t *count, struct error *e)
{
    struct groups_found g = {r, arena, agent, store_now(reader_store(r)), NULL, 0, 0};
    if (reader_begin(r, e))
        return -1;
    int result = find_groups(&g, grouped_sql[by], e);
    if (!result && by == RETRIEVALS_BY_URI)
        result = find_without_uri(&g, e);
    *out = g.list;
    *count = result ? 0 : g.count;
    return reader_done(r, result);
}

/* ---- one group ---- */

/* The rows of a group. The last one is for attributions without a URI. */
static const char *const of_group[RETRIEVALS_GROUPS + 1] = {
    [RETRIEVALS_BY_TYPE] = "attribution a WHERE" OF_AGENT " AND a.type IS ?2",
    [RETRIEVALS_BY_URI] = WITH_URI " WHERE f.field = 3 AND f.key = ?2 AND" OF_AGENT,
    [RETRIEVALS_BY_AGENT] = "attribution a WHERE" OF_AGENT " AND " AGENT " IS ?2",
    [RETRIEVALS_GROUPS] = "attribution a WHERE" WITHOUT_URI " AND" OF_AGENT " AND ?2 IS NULL",
};
#define NEWEST  " AND a.at BETWEEN ?3 AND ?4 ORDER BY a.at DESC, a.memory DESC LIMIT ?5"
#define IN_TIME " AND a.at BETWEEN ?3 AND ?4 LIMIT ?5"
#define ONE     " AND a.memory BETWEEN ?3 AND ?4 LIMIT ?5"

/* Selects (row, time) of a group. `which` is the end of the statement, with `from`, `to` and
 * `limit` as parameters. `key` must live as long as the statement. */
static struct query query_group(struct db *db, const char *which, uint8_t key[LOOKUP_KEY_SIZE],
                                enum retrieval_group by, const char *name, const char *agent,
                                int64_t from, int64_t to, int64_t limit, struct error *e)
{
    bool by_key = by == RETRIEVALS_BY_URI && name;
    char *sql =
        xformat("SELECT a.memory, a.at FROM %s%s",
                of_group[by == RETRIEVALS_BY_URI && !name ? RETRIEVALS_GROUPS : (int)by], which);
    if (by_key)
        lookup_key(key, LOOKUP_URI, name);
    struct query rows = by_key ? db_query(db, e, sql, "sbiii", agent, (const void *)key,
                                          (size_t)LOOKUP_KEY_SIZE, from, to, limit)
                               : db_query(db, e, sql, "ssiii", agent, name, from, to, limit);
    free(sql);
    return rows;
}

int retrievals_of(struct reader *r, struct arena *arena, enum retrieval_group by, const char *name,
                  const char *agent, size_t limit, struct retrieval **out, size_t *count,
                  struct error *e)
{
    uint8_t key[LOOKUP_KEY_SIZE];
    *count = 0;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    if (reader_begin(r, e))
        return -1;
    struct query rows = query_group(reader_db(r), NEWEST, key, by, name, agent, INT64_MIN,
                                    INT64_MAX, (int64_t)limit, e);
    while (db_next(&rows))
        (*out)[(*count)++] = (struct retrieval){sqlite3_column_int64(rows.stmt, 0),
                                                sqlite3_column_int64(rows.stmt, 1)};
    return reader_done(r, db_end(&rows));
}

int retrieval_is_of(struct reader *r, enum retrieval_group by, const char *name, const char *agent,
                    int64_t attribution, struct error *e)
{
    uint8_t key[LOOKUP_KEY_SIZE];
    struct query row =
        query_group(reader_db(r), ONE, key, by, name, agent, attribution, attribution, 1, e);
    bool found = db_next(&row);
    return db_end(&row) ? -1 : found;
}

/* Returns the bucket of a time, without a product that could overflow. */
static size_t bucket_of(int64_t at, int64_t first, int64_t last, size_t buckets)
{
    double span = (double)last - (double)first + 1;
    size_t i = (size_t)(((double)at - (double)first) / span * (double)buckets);
    return i < buckets ? i : buckets - 1;
}

int retrievals_timeline(struct reader *r, enum retrieval_group by, const char *name,
                        const char *agent, int64_t first, int64_t last, size_t buckets,
                        int64_t *counts, struct error *e)
{
    uint8_t key[LOOKUP_KEY_SIZE];
    memset(counts, 0, buckets * sizeof(*counts));
    if (buckets == 0 || last < first)
        return 0;
    if (reader_begin(r, e))
        return -1;
    struct query rows =
        query_group(reader_db(r), IN_TIME, key, by, name, agent, first, last, -1, e);
    while (db_next(&rows))
        counts[bucket_of(sqlite3_column_int64(rows.stmt, 1), first, last, buckets)]++;
    return reader_done(r, db_end(&rows));
}

/* ---- checking a hash ---- */

/* Returns the stored content: the text of a JSON string, or else the stored JSON. NULL if there is
 * none. */
static void stored_content(const struct memory *m, struct arena *arena, const char **bytes,
                           size_t *len)
{
    struct json_slice value = detail_member(m, "full_content_json");
    *bytes = NULL;
    if (!value.ptr || json_trim(value.ptr, value.len).ptr[0] == 'n')
        return;
    value = json_trim(value.ptr, value.len);
    bool is_text = value.ptr[0] == '"';
    char *copy = arena_strndup(arena, value.ptr + is_text, value.len - 2 * is_text);
    *len = is_text ? json_unescape(copy, copy, value.len - 2) : value.len;
    *bytes = copy;
}

const char *hash_check_name(enum hash_check result)
{
    static const char *const names[] = {"equal", "differs", "no-hash", "no-content"};
    return names[result];
}

static int no_attribution(const struct memory *m, struct error *e)
{
    const char *kind = kind_name(m->ref.kind), *id = m->ref.id;
    if (m->ref.kind != KIND_ATTRIBUTION)
        return error_set(e, ERROR_INVALID, "Name a logged retrieval: attribution:ID.",
                         "%s:%.100s is no attribution: it has no hash to check", kind, id);
    return m->event ? error_set(e, ERROR_NOT_FOUND, HINT_UNDO,
                                "%s:%.100s was undone: only its ref is left", kind, id)
                    : error_set(e, ERROR_NOT_FOUND, "It is only named by others.",
                                "%s:%.100s was never written here", kind, id);
}

/* Reads the recorded hash. Any other value counts as none. */
static void read_recorded(const struct memory *m, struct arena *arena, struct digest *hash,
                          struct retrieval_checked *out)
{
    const char *text;
    detail_text(m, "full_content_hash", arena, &text);
    if (text && digest_from_hex(hash, text) == 0)
        digest_hex(out->recorded, hash);
}

static int check(const struct memory *m, struct arena *arena, const struct digest *found,
                 struct retrieval_checked *out, struct error *e)
{
    struct digest recorded, stored;
    const char *content = NULL;
    size_t len = 0;
    if (m->ref.kind != KIND_ATTRIBUTION || m->status == STATUS_MISSING)
        return no_attribution(m, e);
    read_recorded(m, arena, &recorded, out);
    if (!found)
        stored_content(m, arena, &content, &len);
    if (content) {
        digest_bytes(&stored, content, len);
        found = &stored;
    }
    if (found)
        digest_hex(out->found, found);
    out->result = !out->recorded[0]                        ? HASH_ABSENT
                  : !found                                 ? HASH_NOTHING
                  : strcmp(out->recorded, out->found) == 0 ? HASH_EQUAL
                                                           : HASH_DIFFERS;
    return 0;
}

int retrieval_compare(struct reader *r, struct arena *arena, int64_t attribution,
                      const struct digest *found, struct retrieval_checked *out, struct error *e)
{
    struct memory m;
    *out = (struct retrieval_checked){.result = HASH_ABSENT};
    if (memory_read(r, arena, attribution, &m, e))
        return -1;
    out->ref = m.ref;
    return check(&m, arena, found, out, e);
}

/* ---- retrievals of a document: linked ones, and those with its uri or hash ---- */

struct found {
    struct document_retrieval *list;
    size_t count, alloc;
    struct row_index met; /* each once */
    bool more;            /* the search was incomplete */
};

const char *retrieval_match_name(enum retrieval_match match)
{
    static const char *const names[] = {"guessed", "uri", "hash", "recorded"};
    return names[match];
}

static void add(struct arena *arena, struct found *f, int64_t attribution,
                enum retrieval_match match)
{
    size_t at = row_index_add(&f->met, attribution);
    if (at == f->count)
        *ARENA_ADD(arena, f->list, f->count, f->alloc) =
            (struct document_retrieval){.attribution = attribution};
    if (match > f->list[at].match)
        f->list[at].match = match;
}

/* Finds the retrievals that the document is based on. */
static int find_links(struct db *db, struct arena *arena, int64_t document, struct found *f,
                      struct error *e)
{
    static const char sql[] =
        "SELECT l.target, l.shape >> 6 & 3 FROM link l CROSS JOIN memory m ON m.id = l.target"
        " WHERE l.memory = ? AND l.shape & 31 < ? AND m.kind = ?";
    struct query rows = db_query(db, e, sql, "iii", document, (int64_t)ROLE_SUPPORT_COUNT,
                                 (int64_t)KIND_ATTRIBUTION);
    while (db_next(&rows))
        add(arena, f, sqlite3_column_int64(rows.stmt, 0),
            sqlite3_column_int(rows.stmt, 1) == RECORDED ? MATCH_RECORDED : MATCH_GUESSED);
    return db_end(&rows);
}

static int find_by(struct db *db, struct arena *arena, enum lookup_field field, const char *value,
                   size_t limit, struct found *f, struct error *e)
{
    int64_t *rows;
    size_t count = 0;
    if (!value || !*value)
        return 0;
    if (lookup_rows(db, arena, field, value, NULL, limit + 1, &rows, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        add(arena, f, rows[i],
            field == LOOKUP_COPY_OF ? MATCH_RECORDED
            : field == LOOKUP_URI   ? MATCH_URI
                                    : MATCH_HASH);
    return 0;
}

#define VERSIONS_LOOKED 256 /* versions of the content whose retrievals are searched */

static int find_by_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                            struct found *f, struct error *e)
{
    const char **hash;
    size_t count;
    if (column_texts(arena,
                     db_query(reader_db(r), e,
                              "SELECT DISTINCT version_hash FROM use INDEXED BY use_version"
                              " WHERE target = ? AND version_hash IS NOT NULL LIMIT ?",
                              "ii", document, (int64_t)VERSIONS_LOOKED + 1),
                     &hash, &count))
        return -1;
    f->more = count > VERSIONS_LOOKED;
    for (size_t i = 0; i < count; i++)
        if (find_by(reader_db(r), arena, LOOKUP_CONTENT_HASH, hash[i], limit, f, e))
            return -1;
    return 0;
}

/*
 * Reads the retrieval times. An attribution that is no longer listed has only the time of logging.
 */
static int find_times(struct db *db, struct found *f, struct error *e)
{
    static const char sql[] = "SELECT ifnull((SELECT at FROM attribution WHERE memory = ?1),"
                              " (SELECT created_at FROM memory WHERE id = ?1))";
    for (size_t i = 0; i < f->count; i++)
        if (db_int(db, &f->list[i].at, 0, e, sql, "i", f->list[i].attribution))
            return -1;
    return 0;
}

static int find_all(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                    struct found *f, struct error *e)
{
    struct db *db = reader_db(r);
    struct memory m;
    AUTO_STRBUF ref = STRBUF_INIT;
    const char *uri, *id, *hash;
    if (guard_read_unmasked(r, arena, document, &m, e))
        return -1;
    detail_text(&m, "uri", arena, &uri);
    detail_text(&m, "document_id", arena, &id);
    detail_text(&m, "version_hash", arena, &hash);
    ref_add(&ref, m.ref);
    /* Retrievals that a use named after the document was linked refer to it as copies
     * (LOOKUP_COPY_OF). */
    int failed = find_links(db, arena, document, f, e) ||
                 find_by(db, arena, LOOKUP_COPY_OF, ref.buf, limit, f, e) ||
                 find_by(db, arena, LOOKUP_URI, uri, limit, f, e) ||
                 find_by(db, arena, LOOKUP_URI, id, limit, f, e) ||
                 find_by(db, arena, LOOKUP_CONTENT_HASH, hash, limit, f, e) ||
                 find_by_versions(r, arena, document, limit, f, e);
    return failed ? -1 : 0;
}

static int by_time(const void *a, const void *b)
{
    const struct document_retrieval *x = a, *y = b;
    if (x->at != y->at)
        return (x->at < y->at) - (x->at > y->at);
    return (x->attribution < y->attribution) - (x->attribution > y->attribution);
}

static int find(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                struct found *f, struct error *e)
{
    if (find_all(r, arena, document, limit, f, e) || find_times(reader_db(r), f, e))
        return -1;
    SORT(f->list, f->count, by_time);
    return 0;
}

int document_retrievals(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                        struct document_retrieval **out, size_t *count, bool *more, struct error *e)
{
    struct found f = {.count = 0};
    int result = reader_begin(r, e) ? -1 : reader_done(r, find(r, arena, document, limit, &f, e));
    row_index_release(&f.met);
    *out = f.list;
    *more = f.more || f.count > limit;
    *count = result ? 0 : f.count > limit ? limit : f.count;
    return result;
}
