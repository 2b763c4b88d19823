/*
 * The question stale: what was believed once and should be looked at again. Its document says something else since, its
 * source does not have it any more, its stored content has another hash than was recorded, or nobody has confirmed it
 * for long.
 */
#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/lineage/effective.h"
#include "store/questions/questions.h"
#include "store/reasoning/retrievals.h"

static const struct report_column columns[] = {
    {"ref", "memory", REPORT_REF},
    {"reason", "because", REPORT_WORD},
    {"loses", "lose", REPORT_COUNT},
    {"dependants", "used by", REPORT_COUNT},
    {0},
};
static const struct report_part parts[] = {
    {.shape = PART_LINES, .title = "stale", .columns = columns, .none = "nothing is stale"},
    {0},
};

enum stale_reason {
    STALE_CHANGED,
    STALE_REMOVED,
    STALE_HASH,
    STALE_OLD,
    STALE_REASONS
};

#define CHECKED_MOST 5000 /* retrievals whose content is hashed, the newest */

struct stale {
    int64_t row;
    unsigned reasons; /* bits of enum stale_reason */
    uint32_t loses, dependants;
};

struct staleness {
    struct report *report;
    struct reader *reader;
    struct row_index found;
    struct stale *stale; /* [found.count] in its order */
    size_t alloc;
    bool unchecked; /* there are more retrievals than were hashed */
    struct error *e;
};

/* ---- finding ---- */

static void add(struct staleness *s, int64_t row, enum stale_reason reason)
{
    size_t count = s->found.count, at = row_index_add(&s->found, row);
    if (at == count)
        *ARENA_ADD(s->report->arena, s->stale, count, s->alloc) = (struct stale){.row = row};
    s->stale[at].reasons |= 1U << reason;
}

static int add_rows(struct staleness *s, struct query rows, enum stale_reason reason)
{
    while (db_next(&rows))
        add(s, sqlite3_column_int64(rows.stmt, 0), reason);
    return db_end(&rows);
}

/*
 * Memories that used another version of a passage than its latest use did. Only the passages with two versions are
 * looked into. Without a chunk a passage is told by its beginning, as in store/reasoning/document.c.
 */
static const char changed_sql[] =
    "WITH passage AS (SELECT target, chunk FROM use WHERE target IS NOT NULL AND version_hash IS "
    "NOT"
    " NULL GROUP BY target, chunk HAVING min(version_hash) <> max(version_hash))"
    " SELECT DISTINCT memory FROM (SELECT u.memory, u.version_hash, first_value(u.version_hash) "
    "OVER"
    " (PARTITION BY u.target, u.chunk, CASE WHEN u.chunk IS NULL THEN u.excerpt END"
    " ORDER BY u.memory DESC) AS latest FROM passage p CROSS JOIN use u ON u.target = p.target"
    " AND u.chunk IS p.chunk AND u.version_hash IS NOT NULL) v"
    " WHERE version_hash <> latest AND (SELECT status FROM memory WHERE id = v.memory) = 0";

static const char removed_sql[] =
    "SELECT DISTINCT k.memory FROM mark k CROSS JOIN memory m ON m.id = k.memory"
    " WHERE k.mark = 'removed_at_source' AND m.status = 0";

/* Those that reinforcements have kept up are among them: whether the evidence stands is found out later. */
static const char old_sql[] =
    "SELECT id FROM memory INDEXED BY memory_created WHERE kind = ?1 AND created_at < ?2"
    " AND status <> 7 AND status = 0 AND NOT EXISTS (SELECT 1 FROM history h WHERE h.memory = id"
    " AND h.at >= ?2 AND h.evidence_source IS NULL AND h.new IS NOT NULL AND h.origin IS NULL)"
    " AND NOT EXISTS (SELECT 1 FROM mark k WHERE k.memory = id AND k.mark = 'approved'"
    " AND k.at >= ?2 AND k.by_agent IS NOT 1)";

/* The time before which the last confirmation of a memory of that kind is too long ago; INT64_MIN for never. */
static int64_t oldest(struct reader *r, enum kind kind)
{
    const int64_t *days = confidence_rules_of(r)->stale_days;
    int64_t most = (days ? days : stale_defaults)[kind];
    return most ? store_now(reader_store(r)) - most * CLOCK_DAY : INT64_MIN;
}

static int find_old(struct staleness *s)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        int64_t before = oldest(s->reader, (enum kind)kind);
        if (before != INT64_MIN &&
            add_rows(s, db_query(reader_db(s->reader), s->e, old_sql, "ii", (int64_t)kind, before),
                     STALE_OLD))
            return -1;
    }
    return 0;
}

static int find_damaged(struct staleness *s)
{
    int64_t rows[CHECKED_MOST + 1];
    size_t count = 0;
    struct query newest =
        db_query(reader_db(s->reader), s->e,
                 "SELECT id FROM memory WHERE kind = ? AND status = 0 ORDER BY id DESC LIMIT ?",
                 "ii", (int64_t)KIND_ATTRIBUTION, (int64_t)CHECKED_MOST + 1);
    while (db_next(&newest))
        rows[count++] = sqlite3_column_int64(newest.stmt, 0);
    if (db_end(&newest))
        return -1;
    s->unchecked = count > CHECKED_MOST;
    for (size_t i = 0; i < count && i < CHECKED_MOST; i++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct retrieval_checked found;
        if (reader_check(s->reader, s->e) ||
            retrieval_compare(s->reader, &arena, rows[i], NULL, &found, s->e))
            return -1;
        if (found.result == HASH_DIFFERS)
            add(s, rows[i], STALE_HASH);
    }
    return 0;
}

static int find(struct staleness *s)
{
    struct db *db = reader_db(s->reader);
    return failed_if(add_rows(s, db_query(db, s->e, changed_sql, ""), STALE_CHANGED) ||
                     add_rows(s, db_query(db, s->e, removed_sql, ""), STALE_REMOVED) ||
                     find_damaged(s) || find_old(s));
}

/* ---- the order ---- */

static uint32_t dependants_of(const struct graph *g, uint32_t node)
{
    uint32_t count = 0, last = NODE_NONE;
    for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
        uint32_t user = g->just_node[g->use_just[i]];
        count += user != last;
        last = user;
    }
    return count;
}

static int most_first(const void *a, const void *b)
{
    const struct stale *x = a, *y = b;
    if (x->loses != y->loses)
        return COMPARE(y->loses, x->loses);
    return x->dependants != y->dependants ? COMPARE(y->dependants, x->dependants)
                                          : COMPARE(x->row, y->row);
}

static int sort(struct staleness *s)
{
    const struct loaded *l = s->found.count ? loaded_get(s->reader, s->e) : NULL;
    if (!l)
        return s->found.count ? -1 : 0;
    const struct keystones *k = loaded_keystones(l, s->reader, s->e);
    for (size_t i = 0; k && i < s->found.count; i++) {
        uint32_t node = (uint32_t)s->stale[i].row - 1;
        s->stale[i].loses = k->loses[node];
        s->stale[i].dependants = dependants_of(&l->graph, node);
    }
    loaded_release(l);
    if (!k)
        return -1;
    SORT(s->stale, s->found.count, most_first);
    return 0;
}

/* ---- the report ---- */

/* Appends the reasons that hold; none if evidence that stands has confirmed it since. */
static int add_reasons(struct staleness *s, const struct stale *stale, struct strbuf *out)
{
    static const char *const words[STALE_OLD] = {
        "its document has changed", "its source no longer has it", "its content has another hash"};
    for (size_t i = 0; i < STALE_OLD; i++)
        if (stale->reasons >> i & 1)
            strbuf_addf(out, "%s%s", out->len ? "; " : "", words[i]);
    if (!(stale->reasons >> STALE_OLD & 1))
        return 0;
    int64_t at;
    enum kind kind;
    if (memory_confirmed_at(s->reader, stale->row, &kind, &at, s->e))
        return -1;
    if (at < oldest(s->reader, kind))
        strbuf_addf(out, "%snot confirmed for %lld days", out->len ? "; " : "",
                    (long long)((store_now(reader_store(s->reader)) - at) / CLOCK_DAY));
    return 0;
}

static int report(struct staleness *s, const struct asked *asked)
{
    size_t i = 0;
    for (; i < s->found.count && (!asked->limit || s->report->part[0].count < asked->limit); i++) {
        const struct stale *stale = &s->stale[i];
        AUTO_STRBUF why = STRBUF_INIT;
        if (!asked_for(asked, stale->row))
            continue;
        if (reader_check(s->reader, s->e) || add_reasons(s, stale, &why))
            return -1;
        if (!why.len)
            continue;
        struct cell *c = report_add(s->report, 0, 0);
        cell_int(&c[0], stale->row);
        cell_text(&c[1], arena_strdup(s->report->arena, why.buf));
        cell_int(&c[2], stale->loses);
        cell_int(&c[3], stale->dependants);
    }
    s->report->more = s->found.count - i; /* at most: some may have been confirmed */
    if (s->unchecked)
        s->report->note =
            arena_format(s->report->arena,
                         "Only the content of the newest %d retrievals was hashed.", CHECKED_MOST);
    return 0;
}

static int answer_stale(struct report *p, struct reader *r, const struct asked *asked,
                        struct error *e)
{
    struct staleness s = {.report = p, .reader = r, .found = ROW_INDEX_INIT, .e = e};
    int result = find(&s) || sort(&s) || report(&s, asked) ? -1 : 0;
    row_index_release(&s.found);
    return result;
}

const struct question question_stale = {
    .name = "stale", .of = ABOUT_ALL, .parts = parts, .answer = answer_stale};
