/* Lists of memories, relations and flags, and the fields of a memory that lists show. */
#include "store/query/list.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store.h"
#include "store/guard/guard.h"
#include "store/lineage/loaded.h"
#include "store/query/matcher.h"
#include "store/query/order.h"
#include "store/record/get.h"

/*
 * A list is one statement: a scan of the order's index for each kind, which SQLite merges (UNION
 * ALL … ORDER BY). A page that begins at a cursor has two scans for each kind, each a range of the
 * index: rows with the cursor's key after its row, and rows after the cursor's key. (One scan with
 * `(key, id) > (?, ?)` would walk over all rows with that key.)
 *
 * In the order by text, the place of a partly masked text would reveal what is hidden, so such
 * texts come last, ordered by row ("apart").
 */

struct list {
    struct reader *r;
    struct db *db;
    struct list_query query; /* with defaults filled in; the list owns the strings */
    char *agent, *source_type, *claimed, *told;
    const uint8_t *bytes; /* of the query and of what its terms leave */
    size_t byte_count;
    uint8_t byte;
    struct matcher matcher; /* of query.terms */
    struct filter filter;
    bool down;      /* descending */
    bool has_apart; /* partly masked texts come last */
    bool apart;     /* it has reached them */
    int slot;
    sqlite3_stmt *stmt;    /* NULL if no row can match */
    struct order_key last; /* the last row, or the cursor */
    bool have_last;
    int64_t at;                 /* the last row examined, for a list by bytes in row order */
    const struct loaded *graph; /* for the same: knows the kinds; or NULL */
    /* in the orders by confidence and by trust: */
    bool whole; /* all rows are wanted */
    struct ranking ranking;
    struct order_key peeked; /* the next row of the index; node 0 if there is none */
    struct ranked *sorted;   /* a few rows in order, from `place` on; or NULL */
    const struct ranks *all; /* the same of all rows; or NULL */
    struct row_set passing;  /* of a whole list: the rows of `all` that pass */
    size_t place, sorted_count, sorted_alloc;
};

static bool begins_apart(const struct list *l)
{
    return l->query.order == ORDER_TEXT && l->have_last && order_is_apart(&l->last);
}

/*
 * Adds one scan. `key` is the comparison with the cursor's key, or NULL. Texts that are apart are
 * few and are sorted.
 */
static void add_scan(struct strbuf *sql, const struct list *l, int kind, const char *key,
                     bool after_row)
{
    const struct order_spec *o = order_of_kind(l->query.order, (enum kind)kind);
    strbuf_addf(sql, "%sSELECT id, %s FROM memory INDEXED BY %s WHERE status <> 7 AND kind = %d",
                sql->len ? " UNION ALL " : "", l->apart ? "CAST(x'ff' AS TEXT)" : o->key, o->index,
                kind);
    filter_add_sql(&l->filter, sql);
    if (l->has_apart)
        strbuf_addf(sql, " AND %s" GUARD_MASKS_SQL, l->apart ? "" : "NOT ");
    if (key)
        strbuf_addf(sql, " AND %s %s :key", o->key, key);
    if (after_row)
        strbuf_addf(sql, " AND id %s :id", l->down ? "<" : ">");
}

static bool is_ranked(const struct list *l)
{
    return l->query.order == ORDER_CONFIDENCE || l->query.order == ORDER_TRUST ||
           l->query.order == ORDER_KEYSTONES;
}

static bool is_lazy(const struct list *l)
{
    return l->query.order == ORDER_CONFIDENCE && ranking_is_lazy(l->r, l->down) && !l->last.sorted;
}

static void add_sql(struct strbuf *sql, const struct list *l)
{
    const char *direction = l->down ? " DESC" : "";
    bool after = l->have_last && !l->apart && (!is_ranked(l) || is_lazy(l));
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (!(l->filter.kinds & KIND_BIT(kind)))
            continue;
        if (after)
            add_scan(sql, l, kind, "=", true);
        add_scan(sql, l, kind, after ? l->down ? "<" : ">" : NULL, l->apart && begins_apart(l));
    }
    if (sql->len)
        strbuf_addf(sql, " ORDER BY 2%s, 1%s /* %d */", direction, direction, l->slot);
}

/*
 * A cursor has only the beginning of a long key. That happens with invalid UTF-8: then the full key
 * is read from the row, if it still has this beginning.
 */
static int bind_text(struct list *l, int at, struct error *e)
{
    const struct order_key *last = &l->last;
    sqlite3_bind_text(l->stmt, at, last->text, (int)last->len, SQLITE_TRANSIENT);
    if (last->len < ORDER_TEXT_BYTES)
        return 0;
    struct query q = db_query(l->db, e,
                              "SELECT substr(text, 1, 48) FROM memory WHERE id = ?1"
                              " AND substr(CAST(text AS BLOB), 1, length(?2)) = ?2",
                              "ib", last->node, last->text, last->len);
    if (db_next(&q))
        sqlite3_bind_value(l->stmt, at, sqlite3_column_value(q.stmt, 0));
    return db_end(&q);
}

static int bind_last(struct list *l, struct error *e)
{
    const struct order_key *last = &l->last;
    char type = order_spec(l->query.order)->type;
    int key = sqlite3_bind_parameter_index(l->stmt, ":key");
    int id = sqlite3_bind_parameter_index(l->stmt, ":id");
    if (id)
        sqlite3_bind_int64(l->stmt, id, last->node);
    if (key && type == 's')
        return bind_text(l, key, e);
    if (key && type == 'd')
        sqlite3_bind_double(l->stmt, key, last->real);
    else if (key)
        sqlite3_bind_int64(l->stmt, key, last->integer);
    return 0;
}

/* ---- opening ---- */

static int read_cursor(struct list *l, const char *cursor, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    int bad = guard_decrypt_cursor(l->r, &arena, cursor, &cursor, e) ||
              cursor_read(cursor, &l->query, &l->last, e);
    l->have_last = !bad;
    return bad ? -1 : 0;
}

static int open_scans(struct list *l, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    add_sql(&sql, l);
    bool none = sql.len == 0;
    l->stmt = none ? NULL : db_prepare(l->db, sql.buf, e);
    if (!l->stmt)
        return none ? 0 : -1;
    filter_bind(&l->filter, l->stmt);
    return l->have_last ? bind_last(l, e) : 0;
}

static int open_ranked(struct list *l, struct error *e);

static void fill_query(struct list *l, const struct list_query *query)
{
    l->query = *query;
    l->query.kinds = query->kinds ? query->kinds : KINDS_ALL;
    l->query.statuses = query->statuses ? query->statuses : STATUSES_LISTED;
    l->query.agent = l->agent = query->agent ? xstrdup(query->agent) : NULL;
    l->query.source_type = l->source_type = query->source_type ? xstrdup(query->source_type) : NULL;
    l->query.claimed = l->claimed = query->claimed ? xstrdup(query->claimed) : NULL;
    l->query.told = l->told = query->told ? xstrdup(query->told) : NULL;
    l->down = order_spec(query->order)->descending != query->reverse;
}

/* True if rows are chosen by their bytes, without an index. */
static bool is_by_row(const struct list *l)
{
    return l->bytes && l->query.order == ORDER_RECORDED;
}

static int begin(struct list *l, const char *cursor, struct error *e)
{
    struct list_query asked = l->query; /* a cursor is of the query as it was asked */
    if ((cursor && read_cursor(l, cursor, e)) ||
        (l->query.terms && matcher_make(&l->matcher, l->r, l->query.terms, &asked, e)) ||
        filter_make(&l->filter, l->r, &asked, e))
        return -1;
    l->bytes = asked.bytes;
    l->byte_count = asked.byte_count;
    l->byte = asked.byte;
    l->has_apart = l->query.order == ORDER_TEXT && reader_guarded(l->r);
    l->apart = begins_apart(l);
    if (!is_by_row(l))
        return l->apart && !l->has_apart ? 0
               : open_scans(l, e)        ? -1
               : is_ranked(l)            ? open_ranked(l, e)
                                         : 0;
    l->at = l->have_last ? l->last.node : l->down ? (int64_t)l->byte_count + 1 : 0;
    l->graph = loaded_find(l->r);
    return 0;
}

static struct list *open_list(struct reader *r, const struct list_query *query, const char *cursor,
                              bool whole, struct error *e)
{
    int slot = reader_take_slot(r);
    if (slot < 0) {
        error_set(e, ERROR_STORE, "Close one of them.", "too many lists are open at once");
        return NULL;
    }
    if (reader_begin(r, e)) {
        reader_give_slot(r, slot);
        return NULL;
    }
    struct list *l = xcalloc(1, sizeof(*l));
    l->r = r;
    l->db = reader_db(r);
    l->slot = slot;
    l->whole = whole;
    fill_query(l, query);
    if (begin(l, cursor, e)) {
        list_close(l);
        return NULL;
    }
    return l;
}

struct list *list_open(struct reader *r, const struct list_query *query, const char *cursor,
                       struct error *e)
{
    return open_list(r, query, cursor, false, e);
}

void list_close(struct list *l)
{
    if (!l)
        return;
    sqlite3_reset(l->stmt);
    ranking_release(&l->ranking);
    ranks_release(l->all);
    loaded_release(l->graph);
    row_set_release(&l->passing);
    matcher_release(&l->matcher);
    free(l->sorted);
    reader_end(l->r);
    reader_give_slot(l->r, l->slot);
    FREE_ALL(l->agent, l->source_type, l->claimed, l->told, l);
}

/* ---- walking ---- */

static int next_by_index(struct list *l, struct order_key *key, struct error *e)
{
    int more = l->stmt ? db_step(l->db, l->stmt, e) : 0;
    if (more == 0 && l->has_apart && !l->apart) {
        l->apart = true;
        more = open_scans(l, e) ? -1 : l->stmt ? db_step(l->db, l->stmt, e) : 0;
    }
    if (more <= 0) {
        l->stmt = NULL;
        return more;
    }
    order_key_read(key, l->query.order, l->stmt, 1, sqlite3_column_int64(l->stmt, 0));
    return 1;
}

static bool has_byte(const struct list *l, int64_t row)
{
    return (uint64_t)row <= l->byte_count && l->bytes[row - 1] == l->byte;
}

/* Returns 1 if the row matches the filter. */
static int passes(struct list *l, int64_t row, struct error *e)
{
    struct query q = db_query(
        l->db, e, "SELECT " FILTER_COLUMNS " FROM memory WHERE id = ? AND status <> 7", "i", row);
    bool found = db_next(&q) && filter_passes(&l->filter, q.stmt);
    return db_end(&q) ? -1 : found;
}

/* Whether a row of the filter has what its query asks for besides. */
static int matches(struct list *l, int64_t row, struct error *e)
{
    if (!l->query.terms || matcher_is_done(&l->matcher))
        return 1;
    return reader_check(l->r, e) ? -1 : matcher_passes(&l->matcher, l->r, row, e);
}

/* Tells rows of other kinds without reading them. */
static bool may_pass(const struct list *l, int64_t row)
{
    const struct graph *g = l->graph ? &l->graph->graph : NULL;
    return !g || (uint64_t)row > g->nodes || l->filter.kinds >> g->kind[row - 1] & 1;
}

/* The next row with the wanted byte; 0 or beyond the last row if there is none. This may look at
 * all rows, so it is short. */
static int64_t next_with_byte(const struct list *l, int64_t at, int64_t step)
{
    const uint8_t *bytes = l->bytes, byte = l->byte;
    int64_t end = (int64_t)l->byte_count;
    for (at += step; at >= 1 && at <= end && bytes[at - 1] != byte; at += step)
        ;
    return at;
}

static int next_by_row(struct list *l, struct order_key *key, struct error *e)
{
    int64_t step = l->down ? -1 : 1, end = (int64_t)l->byte_count;
    for (l->at = next_with_byte(l, l->at, step); l->at >= 1 && l->at <= end;
         l->at = next_with_byte(l, l->at, step)) {
        int found = may_pass(l, l->at) ? passes(l, l->at, e) : 0;
        found = found > 0 ? matches(l, l->at, e) : found;
        if (found < 0 || (found && reader_check(l->r, e)))
            return -1;
        if (found) {
            *key = (struct order_key){.integer = l->at, .node = l->at};
            return 1;
        }
    }
    return 0;
}

static int next_wanted(struct list *l, struct order_key *key, struct error *e)
{
    int more, wanted = 0;
    while (!wanted && (more = next_by_index(l, key, e)) > 0)
        wanted = l->bytes && !has_byte(l, key->node) ? 0 : matches(l, key->node, e);
    return wanted < 0 ? -1 : more;
}

/* ---- by effective confidence ---- */

static int peek(struct list *l, struct error *e)
{
    int more = next_wanted(l, &l->peeked, e);
    if (more <= 0)
        l->peeked.node = 0;
    return more < 0 ? -1 : 0;
}

/* Reads and sorts the rows of a short list. Returns 1, or 0 if it is longer. */
static int sort_few(struct list *l, struct error *e)
{
    struct order_key key;
    int more = 1;
    while (l->sorted_count < RANKING_FEW && (more = next_wanted(l, &key, e)) > 0)
        *ARRAY_ADD(l->sorted, l->sorted_count, l->sorted_alloc) =
            (struct ranked){key.real, key.node};
    if (more < 0)
        return -1;
    if (more > 0) {
        free(l->sorted);
        l->sorted = NULL;
        return 0;
    }
    ARRAY_ROOM(l->sorted, l->sorted_count, l->sorted_alloc, 1);
    struct ranked last = {l->last.real, l->last.node};
    if (ranking_sort(l->r, l->sorted, l->sorted_count, l->query.order, l->down, e))
        return -1;
    while (l->have_last && l->place < l->sorted_count &&
           !ranked_before(last, l->sorted[l->place], l->down))
        l->place++;
    return 1;
}

/* The rows of a whole list by its index, which costs less than to look at each of `all`. */
static int find_passing(struct list *l, struct error *e)
{
    struct order_key key;
    int64_t count = 0;
    int more = open_scans(l, e) ? -1 : 1;
    while (more > 0 && (more = next_wanted(l, &key, e)) > 0) {
        row_set_add(&l->passing, key.node);
        if (READER_REPORTS(++count) && reader_check(l->r, e))
            return -1;
    }
    return more;
}

/* Goes to the first row after the cursor. In descending order `place` is one after the next row. */
static int open_all(struct list *l, struct error *e)
{
    if (l->stmt)
        sqlite3_reset(l->stmt);
    l->all = ranks_get(l->r,
                       l->query.order == ORDER_TRUST       ? RANKED_BY_TRUST
                       : l->query.order == ORDER_KEYSTONES ? RANKED_BY_LOSES
                                                           : RANKED_BY_EFFECTIVE,
                       e);
    if (!l->all)
        return -1;
    l->place = l->down ? l->all->rows : 0;
    if (l->have_last)
        l->place = ranks_place(l->all, l->last.real, l->last.node + !l->down);
    return l->whole ? find_passing(l, e) : 0;
}

static int next_of_all(struct list *l, struct order_key *key, struct error *e)
{
    const struct ranks *k = l->all;
    for (size_t looked = 1; l->down ? l->place > 0 : l->place < k->rows; looked++) {
        int64_t row = k->order[l->down ? --l->place : l->place++];
        bool wanted = !l->bytes || has_byte(l, row);
        int found = !wanted ? 0 : l->whole ? row_set_has(&l->passing, row) : passes(l, row, e);
        found = found > 0 && !l->whole ? matches(l, row, e) : found;
        if (found < 0 || (READER_REPORTS(looked) && reader_check(l->r, e)))
            return -1;
        if (found) {
            *key = (struct order_key){.real = k->value[row - 1], .node = row, .sorted = true};
            return 1;
        }
    }
    return 0;
}

static int open_ranked(struct list *l, struct error *e)
{
    l->ranking = (struct ranking){.reader = l->r, .down = l->down};
    if (is_lazy(l) && !l->whole)
        return peek(l, e);
    int few = l->query.order == ORDER_KEYSTONES ? 0 : sort_few(l, e);
    return few < 0 ? -1 : few ? 0 : open_all(l, e);
}

static int next_ranked(struct list *l, struct order_key *key, struct error *e)
{
    if (l->all)
        return next_of_all(l, key, e);
    if (l->sorted) {
        if (l->place == l->sorted_count)
            return 0;
        const struct ranked *one = &l->sorted[l->place++];
        *key = (struct order_key){.real = one->value, .node = one->row, .sorted = true};
        return 1;
    }
    while (!ranking_next(&l->ranking, l->peeked.node ? &l->peeked : NULL, key)) {
        if (!l->peeked.node)
            return 0;
        if (ranking_take(&l->ranking, &l->peeked, e) || peek(l, e))
            return -1;
    }
    return 1;
}

int list_next(struct list *l, int64_t *node, struct error *e)
{
    struct order_key key;
    int more = is_by_row(l)   ? next_by_row(l, &key, e)
               : is_ranked(l) ? next_ranked(l, &key, e)
                              : next_wanted(l, &key, e);
    if (more <= 0)
        return more;
    *node = key.node;
    l->last = key;
    l->have_last = true;
    return 1;
}

void list_cursor(struct list *l, struct strbuf *out)
{
    AUTO_STRBUF plain = STRBUF_INIT;
    if (!l->have_last)
        return;
    cursor_write(&plain, &l->query, &l->last);
    guard_encrypt_cursor(l->r, plain.buf, out);
}

#define IDS_SLICE 4096

int list_ids(struct reader *r, const struct list_query *query,
             int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg, struct error *e)
{
    int64_t nodes[IDS_SLICE];
    struct list *l = open_list(r, query, NULL, true, e);
    if (!l)
        return -1;
    int more = 1;
    while (more > 0) {
        size_t count = 0;
        while (count < IDS_SLICE && (more = list_next(l, &nodes[count], e)) > 0)
            count++;
        if (more < 0 || (more = reader_check(r, e)) < 0)
            break;
        more = count == IDS_SLICE;
        if (count && each(arg, nodes, count))
            break;
    }
    list_close(l);
    return more < 0 ? -1 : 0;
}

int related_to(struct reader *r, struct arena *arena, int64_t node, int type, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    *count = 0;
    *more = false;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    struct query rows =
        db_query(db, e,
                 "SELECT memory, shape & 31, reason FROM link WHERE target = ?1"
                 " AND shape & 31 >= ?2 AND (?3 < 0 OR shape & 31 = ?3)"
                 " ORDER BY memory LIMIT ?4",
                 "iiii", node, (int64_t)RELATION_SUPERSEDES, (int64_t)type, (int64_t)limit + 1);
    while (db_next(&rows)) {
        *more = *count == limit;
        if (!*more)
            (*out)[(*count)++] = (struct related){sqlite3_column_int64(rows.stmt, 0),
                                                  (enum role)sqlite3_column_int(rows.stmt, 1),
                                                  column_utf8(arena, rows.stmt, 2)};
    }
    return db_end(&rows);
}

int link_exists(struct reader *r, int64_t memory, int64_t other, struct error *e)
{
    int64_t names;
    return db_int(reader_db(r), &names, 0, e,
                  "SELECT EXISTS (SELECT 1 FROM link WHERE memory = ? AND target = ?)", "ii",
                  memory, other)
               ? -1
               : (int)names;
}

/* ---- marks ---- */

/* Uses the index mark_name. An unknown agent becomes -1, which no memory has. */
static const char sql[] =
    "SELECT k.memory, max(k.at) AS last FROM mark k JOIN memory m ON m.id = k.memory"
    " WHERE k.mark = ?1 AND ?2 >> m.status & 1 AND (?3 IS NULL OR"
    " m.agent = coalesce((SELECT id FROM agent WHERE name = ?3), -1))"
    " GROUP BY k.memory ORDER BY last DESC, k.memory DESC";

int flagged_list(struct reader *r, const char *flag, const char *agent, unsigned statuses,
                 struct flagged **out, size_t *count, struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    struct query rows = db_query(reader_db(r), e, sql, "sis", flag, (int64_t)statuses, agent);
    while (db_next(&rows))
        *ARRAY_ADD(*out, *count, alloc) = (struct flagged){sqlite3_column_int64(rows.stmt, 0),
                                                           sqlite3_column_int64(rows.stmt, 1)};
    if (db_end(&rows) == 0)
        return 0;
    free(*out);
    *out = NULL;
    *count = 0;
    return -1;
}

int flag_read(struct reader *r, struct arena *arena, int64_t node, const char *flag,
              struct flag *out, struct error *e)
{
    struct query row = db_query(
        reader_db(r), e,
        "SELECT mark, at, actor, value, reason, by_agent FROM mark WHERE memory = ? AND mark = ?"
        " ORDER BY at DESC, position DESC LIMIT 1",
        "is", node, flag);
    if (!db_next(&row))
        return db_end(&row) ? -1 : error_set(e, ERROR_NOT_FOUND, "", "it is not marked %s", flag);
    *out = (struct flag){.name = column_utf8(arena, row.stmt, 0),
                         .at = sqlite3_column_int64(row.stmt, 1),
                         .actor = column_utf8(arena, row.stmt, 2),
                         .value = column_utf8(arena, row.stmt, 3),
                         .reason = column_utf8(arena, row.stmt, 4),
                         .by_agent = sqlite3_column_int(row.stmt, 5) != 0};
    db_end(&row);
    const char **const shown[] = {&out->actor, &out->value, &out->reason};
    guard_mask_texts(r, arena, shown, 3);
    return 0;
}

/* ---- rows of a list ---- */

#define ROW_TEXT_MAX 600

/* Role 18 is contradicts; statuses below 3 live. */
_Static_assert(RELATION_CONTRADICTS == 18 && STATUS_EXPIRED == 2,
               "the numbers stand in the statement");
static const char list_row_sql[] =
    "SELECT m.kind, m.name, m.status, m.version, a.name, s.name, m.created_at, m.updated_at,"
    " m.protected, m.text, m.source, m.tags, m.annotations, m.event,"
    " CASE WHEN instr(m.detail, '\"" CLAIMED_MEMBER "\":') THEN m.detail END,"
    " coalesce(length(m.detail), 0) + coalesce(length(m.context), 0),"
    " CASE WHEN instr(m.detail, '" CONFIDENCE_DEFAULT "') THEN m.confidence END,"
    " CASE WHEN m.kind = 3 AND instr(m.detail, '\"title\":') THEN m.detail END,"
    /* One table in each subquery: the views of a reader of the past are flattened only there. */
    " EXISTS (SELECT 1 FROM mark k WHERE k.memory = m.id AND k.mark = 'approved'"
    "   AND k.by_agent IS NOT 1)"
    " | 2 * EXISTS (SELECT 1 FROM mark k WHERE k.memory = m.id AND k.mark = 'for_review')"
    " | 4 * m.protected | 8 * EXISTS (SELECT 1 FROM link l WHERE l.target = m.id"
    "   AND l.shape & 31 = 18 AND EXISTS (SELECT 1 FROM memory o WHERE o.id = l.memory"
    "   AND o.status < 3))"
    " FROM memory m LEFT JOIN agent a ON a.id = m.agent"
    " LEFT JOIN source_type s ON s.id = m.source_type WHERE m.id = ?";

/* The beginning of the text as the caller may see it, cut at a code point. */
static const char *row_text(struct reader *r, struct arena *a, sqlite3_stmt *stmt, bool *cut)
{
    const char *bytes = (const char *)sqlite3_column_text(stmt, 9);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 9);
    const char *seen = bytes ? guard_text(r, a, bytes, len) : NULL;
    *cut = false;
    if (seen != bytes) {
        bytes = seen;
        len = strlen(seen);
        if (len <= ROW_TEXT_MAX)
            return seen;
    }
    *cut = bytes && len > ROW_TEXT_MAX;
    if (*cut && utf8_valid(bytes, len))
        return arena_strndup(a, bytes, utf8_fit(bytes, len, ROW_TEXT_MAX));
    const char *text = column_utf8(a, stmt, 9);
    if (*cut)
        text = guard_text(r, a, text, strlen(text));
    *cut = false;
    return text;
}

/* A note of markdown has a title besides its text, by which people know it: "Coffee · - [fact] …". */
static const char *titled(struct reader *r, struct arena *a, const char *detail, const char *text)
{
    const char *title = NULL;
    struct json_slice object = detail_json(detail);
    if (object.ptr)
        detail_string(json_member(object.ptr, object.len, "title"), a, &title);
    title = title ? guard_text(r, a, title, strlen(title)) : NULL;
    if (!title || !*title || !text || strncmp(text + strspn(text, "# "), title, strlen(title)) == 0)
        return text;
    return arena_format(a, "%s · %s", title, text);
}

static const char *claimed_in(struct reader *r, struct arena *a, const char *detail)
{
    const char *claimed = NULL;
    struct json_slice object = detail_json(detail);
    if (object.ptr)
        detail_string(json_member(object.ptr, object.len, CLAIMED_MEMBER), a, &claimed);
    return claimed ? guard_text(r, a, claimed, strlen(claimed)) : NULL;
}

static void fill_list_row(struct reader *r, struct arena *a, sqlite3_stmt *stmt,
                          struct memory_row *out)
{
    out->version = sqlite3_column_int64(stmt, 3);
    out->agent_id = column_utf8(a, stmt, 4);
    out->agent = agent_label(a, out->agent_id, claimed_in(r, a, column_utf8(a, stmt, 14)));
    out->source_type = column_utf8(a, stmt, 5);
    out->created_at = sqlite3_column_int64(stmt, 6);
    out->updated_at = sqlite3_column_int64(stmt, 7);
    out->is_protected = sqlite3_column_int(stmt, 8) != 0;
    out->text =
        guard_memory_text(r, a, out->node, out->ref.kind, row_text(r, a, stmt, &out->text_cut));
    out->text = titled(r, a, column_utf8(a, stmt, 17), out->text);
    out->source = column_utf8(a, stmt, 10);
    out->tags = column_utf8(a, stmt, 11);
    out->annotations = column_utf8(a, stmt, 12);
    out->event = sqlite3_column_int64(stmt, 13);
    out->text_bytes = (size_t)sqlite3_column_bytes(stmt, 9);
    out->bytes = out->text_bytes + (size_t)sqlite3_column_int64(stmt, 15);
    out->flags = (unsigned)sqlite3_column_int(stmt, 18);
    out->has_default = db_double(stmt, 16) == kind_spec(out->ref.kind)->confidence;
    for (int i = 10; i <= 12; i++)
        out->bytes += (size_t)sqlite3_column_bytes(stmt, i);
}

static int read_row(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e)
{
    struct query row = db_query(reader_db(r), e, list_row_sql, "i", node);
    if (!db_next(&row))
        return db_end(&row) ? -1
                            : error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                                        (long long)node);
    int kind = column_enum(row.stmt, 0, KIND_COUNT),
        status = column_enum(row.stmt, 2, STATUS_COUNT);
    *out = (struct memory_row){.node = node, .ref.id = column_utf8(arena, row.stmt, 1)};
    if (kind >= 0 && status >= 0 && out->ref.id) {
        out->ref.kind = (enum kind)kind;
        out->status = (enum status)status;
        fill_list_row(r, arena, row.stmt, out);
    }
    db_end(&row);
    if (kind < 0 || status < 0)
        return reader_damaged(e, "the kind or status", node);
    if (guard_status(r, out->ref.kind, node, &out->status, e))
        return -1;
    if (reader_masked(r))
        guard_mask_row(r, arena, out);
    return 0;
}

/*
 * One statement needs no transaction, except that a reader of the past must first apply later
 * changes.
 */
int memory_row_read(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e)
{
    if (reader_past(r) < 0)
        return read_row(r, arena, node, out, e);
    return reader_begin(r, e) ? -1 : reader_done(r, read_row(r, arena, node, out, e));
}
