#include "retrievals.h"

#include <stdlib.h>
#include <string.h>
#include "../model/alloc.h"
#include "../model/clock.h"
#include "../model/digest.h"
#include "column.h"
#include "detail_member.h"
#include "reader.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading the log of retrievals");
}

const char *retrieval_group_name(enum retrieval_group by)
{
    static const char *const names[RETRIEVALS_GROUPS] = {"type", "URI", "agent"};
    return names[by];
}

/* ---- groups ---- */

/* The log's table, and of the URI, which it has not, the memory's detail. ?1: whose; ?2, ?3: between them
 * no time is suspect. */
#define OF_AGENT " (?1 IS NULL OR a.agent = (SELECT id FROM agent WHERE name = ?1))"
#define SOUND    "CASE WHEN a.at BETWEEN ?2 AND ?3 THEN a.at END"
#define COUNTED                                                                                    \
    ", count(*), coalesce(min(" SOUND "), min(a.at)), coalesce(max(" SOUND "), max(a.at)),"        \
    " count(*) - count(" SOUND ") FROM attribution a"
#define GROUPED " WHERE" OF_AGENT " GROUP BY 1 ORDER BY 4 DESC, 1"
#define URI                                                                                        \
    "(SELECT CASE WHEN json_valid(m.detail) THEN json_extract(m.detail, '$.source_uri') END FROM " \
    "memory m WHERE m.id = a.memory)"
#define AGENT "(SELECT name FROM agent g WHERE g.id = a.agent)"

static const char *const grouped_sql[RETRIEVALS_GROUPS] = {
    [RETRIEVALS_BY_TYPE] = "SELECT a.type" COUNTED GROUPED,
    [RETRIEVALS_BY_URI] = "SELECT " URI COUNTED GROUPED,
    [RETRIEVALS_BY_AGENT] = "SELECT " AGENT COUNTED GROUPED,
};

static int add_group(struct arena *arena, sqlite3_stmt *stmt, struct retrievals *out,
                     struct error *e)
{
    bool failed = false;
    *out = (struct retrievals){.name = column_text(arena, stmt, 0, &failed),
                               .count = sqlite3_column_int64(stmt, 1),
                               .first = sqlite3_column_int64(stmt, 2),
                               .last = sqlite3_column_int64(stmt, 3),
                               .suspect = sqlite3_column_int64(stmt, 4)};
    return failed ? out_of_memory(e) : 0;
}

static int find_groups(struct db *db, struct arena *arena, enum retrieval_group by,
                       const char *agent, int64_t now, struct retrievals **list, size_t *count,
                       struct error *e)
{
    size_t alloc = 0;
    sqlite3_stmt *stmt = db_prepare(db, grouped_sql[by], e);
    int more = stmt ? db_bind(db, stmt, e, "sii", agent, CLOCK_EARLIEST, now + CLOCK_DAY) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        if (!array_grow((void **)list, &alloc, *count, sizeof(**list)))
            more = out_of_memory(e);
        else if (add_group(arena, stmt, &(*list)[*count], e))
            more = -1;
        if (more < 0)
            break;
        ++*count;
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

int retrievals_grouped(struct reader *r, struct arena *arena, enum retrieval_group by,
                       const char *agent, struct retrievals **out, size_t *count, struct error *e)
{
    struct retrievals *list = NULL;
    *out = NULL;
    *count = 0;
    if (reader_begin(r, e))
        return -1;
    int result =
        find_groups(reader_db(r), arena, by, agent, store_now(reader_store(r)), &list, count, e);
    reader_end(r);
    if (!result && !(*out = arena_memdup(arena, list, *count * sizeof(*list))))
        result = out_of_memory(e);
    free(list);
    return result;
}

/* ---- one group ---- */

#define IN_GROUP(name) " FROM attribution a WHERE" OF_AGENT " AND " name " IS ?2"
#define PAGE           " AND (a.at, a.memory) < (?3, ?4) ORDER BY a.at DESC, a.memory DESC LIMIT ?5"

static const char *const page_sql[RETRIEVALS_GROUPS] = {
    [RETRIEVALS_BY_TYPE] = "SELECT a.memory, a.at" IN_GROUP("a.type") PAGE,
    [RETRIEVALS_BY_URI] = "SELECT a.memory, a.at" IN_GROUP(URI) PAGE,
    [RETRIEVALS_BY_AGENT] = "SELECT a.memory, a.at" IN_GROUP(AGENT) PAGE,
};

int retrievals_of(struct reader *r, struct arena *arena, enum retrieval_group by, const char *name,
                  const char *agent, int64_t before_at, int64_t before_node, size_t limit,
                  struct retrieval **out, size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    *count = 0;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    if (!*out)
        return out_of_memory(e);
    if (reader_begin(r, e))
        return -1;
    sqlite3_stmt *stmt = db_prepare(db, page_sql[by], e);
    int more =
        stmt ? db_bind(db, stmt, e, "ssiii", agent, name, before_at, before_node, (int64_t)limit)
             : -1;
    for (; more > 0; more = db_step(db, stmt, e))
        (*out)[(*count)++] =
            (struct retrieval){sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1)};
    if (stmt)
        sqlite3_reset(stmt);
    reader_end(r);
    return more < 0 ? -1 : 0;
}

static const char *const times_sql[RETRIEVALS_GROUPS] = {
    [RETRIEVALS_BY_TYPE] = "SELECT a.at" IN_GROUP("a.type") " AND a.at BETWEEN ?3 AND ?4",
    [RETRIEVALS_BY_URI] = "SELECT a.at" IN_GROUP(URI) " AND a.at BETWEEN ?3 AND ?4",
    [RETRIEVALS_BY_AGENT] = "SELECT a.at" IN_GROUP(AGENT) " AND a.at BETWEEN ?3 AND ?4",
};

/* Which of the parts, without a product that could run over. */
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
    struct db *db = reader_db(r);
    memset(counts, 0, buckets * sizeof(*counts));
    if (buckets == 0 || last < first)
        return 0;
    if (reader_begin(r, e))
        return -1;
    sqlite3_stmt *stmt = db_prepare(db, times_sql[by], e);
    int more = stmt ? db_bind(db, stmt, e, "ssii", agent, name, first, last) : -1;
    for (; more > 0; more = db_step(db, stmt, e))
        counts[bucket_of(sqlite3_column_int64(stmt, 0), first, last, buckets)]++;
    if (stmt)
        sqlite3_reset(stmt);
    reader_end(r);
    return more < 0 ? -1 : 0;
}

/* ---- the check of a hash ---- */

/* What was stored: the text of a JSON string, else the JSON as it is kept. ptr NULL: nothing. */
static int stored_content(const struct memory *m, struct arena *arena, const char **bytes,
                          size_t *len, struct error *e)
{
    struct json_slice value = detail_member(m, "full_content_json");
    *bytes = NULL;
    if (!value.ptr || json_trim(value.ptr, value.len).ptr[0] == 'n')
        return 0;
    value = json_trim(value.ptr, value.len);
    bool is_text = value.ptr[0] == '"';
    char *copy = arena_strndup(arena, value.ptr + is_text, value.len - 2 * is_text);
    if (!copy)
        return out_of_memory(e);
    *len = is_text ? json_unescape(copy, copy, value.len - 2) : value.len;
    *bytes = copy;
    return 0;
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
    return m->event ? error_set(e, ERROR_NOT_FOUND, "Undo that to have it again.",
                                "%s:%.100s was taken back: only its ref is left", kind, id)
                    : error_set(e, ERROR_NOT_FOUND, "It is only named by others.",
                                "%s:%.100s was never written here", kind, id);
}

/* The recorded one. Whatever else stands there is no hash. */
static int read_recorded(const struct memory *m, struct arena *arena, struct digest *hash,
                         struct retrieval_checked *out, struct error *e)
{
    const char *text;
    if (detail_text(m, "full_content_hash", arena, &text))
        return out_of_memory(e);
    if (text && digest_from_hex(hash, text) == 0)
        digest_hex(out->recorded, hash);
    return 0;
}

static int check(const struct memory *m, struct arena *arena, const struct digest *found,
                 struct retrieval_checked *out, struct error *e)
{
    struct digest recorded, stored;
    const char *content = NULL;
    size_t len = 0;
    if (m->ref.kind != KIND_ATTRIBUTION || m->status == STATUS_MISSING)
        return no_attribution(m, e);
    if (read_recorded(m, arena, &recorded, out, e) ||
        (!found && stored_content(m, arena, &content, &len, e)))
        return -1;
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

int retrieval_check(struct reader *r, int64_t attribution, const void *bytes, size_t len,
                    enum hash_check *out, char found[65], struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct digest digest;
    struct retrieval_checked checked;
    if (bytes)
        digest_bytes(&digest, bytes, len);
    int result = retrieval_compare(r, &arena, attribution, bytes ? &digest : NULL, &checked, e);
    arena_release(&arena);
    *out = checked.result;
    memcpy(found, checked.found, sizeof(checked.found));
    return result;
}
