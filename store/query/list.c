#include "store/query/list.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/query/order.h"
#include "store/record/get.h"

/*
 * A list is a merge of one index scan for each kind. A page that begins at a cursor has two scans of
 * each kind, one after the other, each a range of the index: the rows with the cursor's own key that
 * come after its row, then the rows with a greater key. (One scan with `(key, id) > (?, ?)` would
 * walk over all rows with that key.)
 *
 * The order by text compares what the index keeps, 48 code points; where two rows have the same 48,
 * one statement sorts all rows that begin so by more of their text, and the scans are moved past them.
 * For a caller who is not shown all of a text, its place would tell what is hidden: such texts come last, by row.
 */

enum phase {
    PHASE_TIES,
    PHASE_REST,
    PHASE_APART, /* texts of which the caller is not shown all */
    PHASE_END
};

struct stream {
    enum kind kind;
    enum phase phase;
    sqlite3_stmt *stmt;
    struct order_key head; /* valid where phase is not PHASE_END */
};

struct list {
    struct reader *r;
    struct db *db;
    struct list_query query; /* with its defaults filled in; the strings are the list's own */
    char *agent, *source_type;
    struct filter filter;
    bool down;       /* greatest first */
    bool sets_apart; /* texts of which not all is shown */
    int slot;
    struct stream stream[KIND_COUNT];
    size_t stream_count;
    sqlite3_stmt *ties; /* being stepped, or NULL */
    int64_t ties_limit; /* rows that it gives at most */
    int64_t ties_given;
    struct order_key last; /* what was given last, or the cursor; its text is in last_text */
    struct strbuf last_text;
    bool have_last;
    int64_t
        at; /* of rows that are told by their bytes, in the order of rows: the one looked at last */
};

static const char *direction(const struct list *l)
{
    return l->down ? " DESC" : "";
}

static bool begins_apart(const struct list *l)
{
    return l->query.order == ORDER_TEXT && l->have_last && order_is_apart(&l->last);
}

/* They are few, so that their rows are sorted. */
static void add_apart_sql(struct strbuf *sql, const struct list *l, const struct stream *s)
{
    strbuf_addf(sql,
                "SELECT id, CAST(x'ff' AS TEXT) FROM memory INDEXED BY memory_text WHERE status < 7"
                " AND kind = %d",
                (int)s->kind);
    filter_add_sql(&l->filter, sql);
    strbuf_addstr(sql, " AND " GUARD_MASKS_SQL);
    if (begins_apart(l))
        strbuf_addf(sql, " AND id %s :id", l->down ? "<" : ">");
    strbuf_addf(sql, " ORDER BY id%s /* %d */", direction(l), l->slot);
}

/* One phase of one kind's scan. */
static void add_stream_sql(struct strbuf *sql, const struct list *l, const struct stream *s)
{
    const struct order_spec *o = order_spec(l->query.order);
    const char *after = l->down ? "<" : ">";
    if (s->phase == PHASE_APART) {
        add_apart_sql(sql, l, s);
        return;
    }
    strbuf_addf(sql, "SELECT id, %s FROM memory INDEXED BY %s WHERE status < 7 AND kind = %d",
                o->key, o->index, (int)s->kind);
    filter_add_sql(&l->filter, sql);
    if (l->sets_apart)
        strbuf_addstr(sql, " AND NOT " GUARD_MASKS_SQL);
    if (s->phase == PHASE_TIES)
        strbuf_addf(sql, " AND %s = :key AND id %s :id", o->key, after);
    else if (l->have_last)
        strbuf_addf(sql, " AND %s %s :key", o->key, after);
    strbuf_addf(sql, " ORDER BY %s%s, id%s /* %d */", o->key, direction(l), direction(l), l->slot);
}

/* All kinds' rows that begin with one key, by more of their text. */
static void add_ties_sql(struct strbuf *sql, const struct list *l, bool after_last)
{
    const char *whole = order_spec(ORDER_TEXT)->whole, *comma = "";
    strbuf_addf(sql,
                "SELECT id, %s FROM memory INDEXED BY memory_text WHERE status < 7"
                " AND kind IN (",
                whole);
    for (size_t i = 0; i < l->stream_count; i++, comma = ",")
        strbuf_addf(sql, "%s%d", comma, (int)l->stream[i].kind);
    strbuf_addstr(sql, ") AND substr(text, 1, 48) = :key");
    filter_add_sql(&l->filter, sql);
    if (l->sets_apart)
        strbuf_addstr(sql, " AND NOT " GUARD_MASKS_SQL);
    if (after_last)
        strbuf_addf(sql, " AND (%s, id) %s (:whole, :id)", whole, l->down ? "<" : ">");
    strbuf_addf(sql, " ORDER BY %s%s, id%s LIMIT :limit /* %d */", whole, direction(l),
                direction(l), l->slot);
}

/* A parameter that the statement may have. */
static void bind_text(sqlite3_stmt *stmt, const char *name, const char *text, size_t len)
{
    int at = sqlite3_bind_parameter_index(stmt, name);
    if (at)
        sqlite3_bind_text64(stmt, at, text, len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void bind_last(sqlite3_stmt *stmt, char type, const struct order_key *last)
{
    int key = sqlite3_bind_parameter_index(stmt, ":key");
    int id = sqlite3_bind_parameter_index(stmt, ":id");
    if (type == 's')
        bind_text(stmt, ":key", last->text, utf8_prefix(last->text, ORDER_TEXT_KEY));
    else if (key && type == 'd')
        sqlite3_bind_double(stmt, key, last->real);
    else if (key)
        sqlite3_bind_int64(stmt, key, last->integer);
    if (id)
        sqlite3_bind_int64(stmt, id, last->node);
}

static void bind(struct list *l, sqlite3_stmt *stmt)
{
    filter_bind(&l->filter, stmt);
    if (l->have_last)
        bind_last(stmt, order_spec(l->query.order)->type, &l->last);
}

/* ---- the scans ---- */

static int open_phase(struct list *l, struct stream *s, struct error *e)
{
    struct strbuf sql = STRBUF_INIT;
    add_stream_sql(&sql, l, s);
    s->stmt = db_prepare(l->db, sql.buf, e);
    strbuf_release(&sql);
    if (!s->stmt)
        return -1;
    bind(l, s->stmt);
    return 0;
}

/* Moves a scan to its next row, and into its next phase where one ends. */
static int advance(struct list *l, struct stream *s, struct error *e)
{
    while (s->phase != PHASE_END) {
        int more = db_step(l->db, s->stmt, e);
        if (more < 0)
            return -1;
        if (more > 0) {
            order_key_read(&s->head, l->query.order, s->stmt, 1, sqlite3_column_int64(s->stmt, 0));
            return 0;
        }
        s->phase++;
        if (s->phase == PHASE_APART && !l->sets_apart)
            s->phase = PHASE_END;
        if (s->phase != PHASE_END && open_phase(l, s, e))
            return -1;
    }
    return 0;
}

/* Of two heads: what is set apart comes after the others in either direction. */
static bool comes_before(const struct list *l, const struct stream *a, const struct stream *b)
{
    if ((a->phase == PHASE_APART) != (b->phase == PHASE_APART))
        return b->phase == PHASE_APART;
    int order = order_compare(l->query.order, &a->head, &b->head);
    return l->down ? order > 0 : order < 0;
}

/* The scan whose head comes first; NULL where all are at their end. */
static struct stream *first_stream(struct list *l)
{
    struct stream *first = NULL;
    for (size_t i = 0; i < l->stream_count; i++) {
        struct stream *s = &l->stream[i];
        if (s->phase == PHASE_END)
            continue;
        if (!first || comes_before(l, s, first))
            first = s;
    }
    return first;
}

static void keep_last(struct list *l, const struct order_key *key)
{
    l->last = *key;
    l->have_last = true;
    if (l->query.order == ORDER_TEXT) {
        strbuf_clear(&l->last_text);
        strbuf_add(&l->last_text, key->text, key->len);
        l->last.text = l->last_text.buf;
        l->last.len = l->last_text.len;
    }
}

static bool has_last_key(const struct list *l, const struct stream *s)
{
    return s->phase != PHASE_END && s->head.len == l->last.len &&
           memcmp(s->head.text, l->last.text, s->head.len) == 0;
}

/* ---- equal beginnings in the order by text ---- */

/* So many rows are sorted at a time: few for a page, and never so many that they fill the memory. */
#define TIES_FIRST 64
#define TIES_MOST  65536

static int open_ties(struct list *l, bool after_last, struct error *e)
{
    struct strbuf sql = STRBUF_INIT;
    add_ties_sql(&sql, l, after_last);
    l->ties = db_prepare(l->db, sql.buf, e);
    strbuf_release(&sql);
    if (!l->ties)
        return -1;
    bind(l, l->ties);
    if (after_last)
        bind_text(l->ties, ":whole", l->last.text, l->last.len);
    l->ties_limit = l->ties_limit < TIES_FIRST      ? TIES_FIRST
                    : 8 * l->ties_limit < TIES_MOST ? 8 * l->ties_limit
                                                    : TIES_MOST;
    l->ties_given = 0;
    sqlite3_bind_int64(l->ties, sqlite3_bind_parameter_index(l->ties, ":limit"), l->ties_limit);
    return 0;
}

/* After a row whose key is cut was taken from the scans: do others begin the same? Then they and it
 * are given by their whole texts, and the scans go on behind them. */
static int sort_ties(struct list *l, struct error *e)
{
    bool any = false;
    for (size_t i = 0; i < l->stream_count; i++)
        any |= has_last_key(l, &l->stream[i]);
    if (!any)
        return 0;
    for (size_t i = 0; i < l->stream_count; i++)
        while (has_last_key(l, &l->stream[i]))
            if (advance(l, &l->stream[i], e) || reader_check(l->r, e))
                return -1;
    return open_ties(l, false, e);
}

/* The next of the sorted rows: 1, or 0 where they are at their end. */
static int next_tie(struct list *l, int64_t *node, struct error *e)
{
    struct order_key key = {0};
    int more = db_step(l->db, l->ties, e);
    if (more == 0 && l->ties_given == l->ties_limit)
        more = open_ties(l, true, e) ? -1 : db_step(l->db, l->ties, e);
    if (more <= 0) {
        l->ties = NULL;
        l->ties_limit = 0;
        return more;
    }
    l->ties_given++;
    *node = sqlite3_column_int64(l->ties, 0);
    order_key_read(&key, ORDER_TEXT, l->ties, 1, *node);
    keep_last(l, &key);
    return 1;
}

/* ---- opening ---- */

static int read_cursor(struct list *l, const char *cursor, struct error *e)
{
    struct order_key key;
    struct arena arena = ARENA_INIT;
    int bad =
        guard_unseal(l->r, &arena, cursor, &cursor, e) || cursor_read(cursor, &l->query, &key, e);
    arena_release(&arena);
    if (bad)
        return -1;
    keep_last(l, &key);
    free((char *)key.text);
    return 0;
}

static int open_streams(struct list *l, struct error *e)
{
    bool cut = l->have_last && l->query.order == ORDER_TEXT && order_is_cut(&l->last);
    enum phase phase = l->have_last && !cut ? PHASE_TIES : PHASE_REST;
    l->sets_apart = l->query.order == ORDER_TEXT && reader_guarded(l->r);
    if (begins_apart(l))
        phase = l->sets_apart ? PHASE_APART : PHASE_END;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (l->filter.kinds & KIND_BIT(kind))
            l->stream[l->stream_count++] = (struct stream){.kind = (enum kind)kind, .phase = phase};
    for (size_t i = 0; i < l->stream_count && phase != PHASE_END; i++)
        if (open_phase(l, &l->stream[i], e) || advance(l, &l->stream[i], e))
            return -1;
    return cut ? open_ties(l, true, e) : 0;
}

static void fill_query(struct list *l, const struct list_query *query)
{
    l->query = *query;
    l->query.kinds = query->kinds ? query->kinds : KINDS_ALL;
    l->query.statuses = query->statuses ? query->statuses : STATUSES_LISTED;
    l->query.agent = l->agent = query->agent ? xstrdup(query->agent) : NULL;
    l->query.source_type = l->source_type = query->source_type ? xstrdup(query->source_type) : NULL;
    l->down = order_spec(query->order)->descending != query->reverse;
    strbuf_init(&l->last_text);
}

/* Are its rows told by their bytes alone, so that no index is walked? */
static bool is_by_row(const struct list *l)
{
    return l->query.bytes && l->query.order == ORDER_RECORDED;
}

static int begin(struct list *l, const char *cursor, struct error *e)
{
    if (filter_make(&l->filter, l->r, &l->query, e) || (cursor && read_cursor(l, cursor, e)))
        return -1;
    if (!is_by_row(l))
        return open_streams(l, e);
    l->at = l->have_last ? l->last.node : l->down ? (int64_t)l->query.byte_count + 1 : 0;
    return 0;
}

struct list *list_open(struct reader *r, const struct list_query *query, const char *cursor,
                       struct error *e)
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
    fill_query(l, query);
    if (begin(l, cursor, e)) {
        list_close(l);
        return NULL;
    }
    return l;
}

void list_close(struct list *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->stream_count; i++)
        sqlite3_reset(l->stream[i].stmt);
    sqlite3_reset(l->ties);
    reader_end(l->r);
    reader_give_slot(l->r, l->slot);
    strbuf_release(&l->last_text);
    free(l->agent);
    free(l->source_type);
    free(l);
}

/* ---- walking ---- */

static int next_of_all(struct list *l, int64_t *node, struct error *e)
{
    if (l->ties) {
        int more = next_tie(l, node, e);
        if (more)
            return more;
    }
    struct stream *s = first_stream(l);
    if (!s)
        return 0;
    *node = s->head.node;
    keep_last(l, &s->head);
    if (advance(l, s, e))
        return -1;
    if (l->query.order != ORDER_TEXT || !order_is_cut(&l->last))
        return 1;
    if (sort_ties(l, e))
        return -1;
    return l->ties ? next_tie(l, node, e) : 1;
}

static bool has_byte(const struct list *l, int64_t row)
{
    const struct list_query *q = &l->query;
    return (uint64_t)row <= q->byte_count && q->bytes[row - 1] == q->byte;
}

/* 1 where the row is one of the list. */
static int passes(struct list *l, int64_t row, struct error *e)
{
    struct query q = db_query(
        l->db, e, "SELECT " FILTER_COLUMNS " FROM memory WHERE id = ? AND status < 7", "i", row);
    bool found = db_next(&q) && filter_passes(&l->filter, q.stmt, 0);
    return db_end(&q) ? -1 : found;
}

static int next_by_row(struct list *l, int64_t *node, struct error *e)
{
    int64_t step = l->down ? -1 : 1, end = (int64_t)l->query.byte_count;
    for (l->at += step; l->at >= 1 && l->at <= end; l->at += step) {
        int found = has_byte(l, l->at) ? passes(l, l->at, e) : 0;
        if (found < 0 || (found && reader_check(l->r, e)))
            return -1;
        if (found) {
            *node = l->at;
            keep_last(l, &(struct order_key){.integer = l->at, .node = l->at});
            return 1;
        }
    }
    return 0;
}

int list_next(struct list *l, int64_t *node, struct error *e)
{
    if (is_by_row(l))
        return next_by_row(l, node, e);
    int more = next_of_all(l, node, e);
    while (more > 0 && l->query.bytes && !has_byte(l, *node))
        more = next_of_all(l, node, e);
    return more;
}

/* The whole key of the row given last, of which a scan has only the beginning. */
static int read_whole(struct list *l, struct strbuf *text)
{
    struct error ignored;
    struct order_key key = {0};
    sqlite3_stmt *stmt =
        db_prepare(l->db, "SELECT substr(text, 1, 256) FROM memory WHERE id = ?", &ignored);
    if (!stmt || db_bind(l->db, stmt, &ignored, "i", l->last.node) <= 0)
        return -1;
    order_key_read(&key, ORDER_TEXT, stmt, 0, l->last.node);
    strbuf_add(text, key.text, key.len);
    sqlite3_reset(stmt);
    return 0;
}

static void write_cursor(struct list *l, const struct order_key *key, struct strbuf *out)
{
    struct strbuf plain = STRBUF_INIT;
    cursor_write(&plain, &l->query, key);
    guard_seal(l->r, plain.buf, out);
    strbuf_release(&plain);
}

void list_cursor(struct list *l, struct strbuf *out)
{
    struct order_key key = l->last;
    struct strbuf text = STRBUF_INIT;
    if (!l->have_last)
        return;
    if (l->query.order == ORDER_TEXT && order_is_cut(&key) && read_whole(l, &text) == 0) {
        key.text = text.buf;
        key.len = text.len;
    }
    write_cursor(l, &key, out);
    strbuf_release(&text);
}

#define IDS_SLICE 4096

int list_ids(struct reader *r, const struct list_query *query,
             int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg, struct error *e)
{
    int64_t nodes[IDS_SLICE];
    struct list *l = list_open(r, query, NULL, e);
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

int related_to(struct reader *r, struct arena *arena, int64_t node, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    *count = 0;
    *more = false;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    struct query rows = db_query(db, e,
                                 "SELECT memory, shape & 31 FROM link WHERE target = ?"
                                 " AND shape & 31 >= ? ORDER BY memory LIMIT ?",
                                 "iii", node, (int64_t)RELATION_SUPERSEDES, (int64_t)limit + 1);
    while (db_next(&rows)) {
        *more = *count == limit;
        if (!*more)
            (*out)[(*count)++] = (struct related){sqlite3_column_int64(rows.stmt, 0),
                                                  (enum role)sqlite3_column_int(rows.stmt, 1)};
    }
    return db_end(&rows);
}

int related_names(struct reader *r, int64_t memory, int64_t other, struct error *e)
{
    int64_t names;
    return db_int(reader_db(r), &names, 0, e,
                  "SELECT EXISTS (SELECT 1 FROM link WHERE memory = ? AND target = ?)", "ii",
                  memory, other)
               ? -1
               : (int)names;
}

/* ---- marks ---- */

/* The index of names leads to them; an agent that has no memory has no row, and -1 is nobody's. */
static const char sql[] =
    "SELECT k.memory, max(k.at) AS last FROM mark k JOIN memory m ON m.id = k.memory"
    " WHERE k.mark = ?1 AND m.status <= ?2 AND (?3 IS NULL OR"
    " m.agent = coalesce((SELECT id FROM agent WHERE name = ?3), -1))"
    " GROUP BY k.memory ORDER BY last DESC, k.memory DESC";

int marked_list(struct reader *r, const char *mark, const char *agent, struct marked **out,
                size_t *count, struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    struct query rows =
        db_query(reader_db(r), e, sql, "sis", mark, (int64_t)STATUS_RETRACTED, agent);
    while (db_next(&rows))
        *ARRAY_ADD(*out, *count, alloc) =
            (struct marked){sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int64(rows.stmt, 1)};
    if (db_end(&rows) == 0)
        return 0;
    free(*out);
    *out = NULL;
    *count = 0;
    return -1;
}

int marked_read(struct reader *r, struct arena *arena, int64_t node, const char *mark,
                struct mark *out, struct error *e)
{
    struct query row =
        db_query(reader_db(r), e,
                 "SELECT mark, at, actor, value, reason FROM mark WHERE memory = ? AND mark = ?"
                 " ORDER BY at DESC, position DESC LIMIT 1",
                 "is", node, mark);
    if (!db_next(&row))
        return db_end(&row) ? -1 : error_set(e, ERROR_NOT_FOUND, "", "it is not marked %s", mark);
    *out = (struct mark){.mark = column_utf8(arena, row.stmt, 0),
                         .at = sqlite3_column_int64(row.stmt, 1),
                         .actor = column_utf8(arena, row.stmt, 2),
                         .value = column_utf8(arena, row.stmt, 3),
                         .reason = column_utf8(arena, row.stmt, 4)};
    db_end(&row);
    const char **const shown[] = {&out->actor, &out->value, &out->reason};
    guard_mask_texts(r, arena, shown, 3);
    return 0;
}

/* What a list shows of a memory. */

#define ROW_TEXT_MAX 600

static const char list_row_sql[] =
    "SELECT m.kind, m.name, m.status, m.version, a.name, s.name, m.created_at, m.updated_at,"
    " m.confidence, m.protected, m.text, m.source, m.tags, m.annotations, m.event"
    " FROM memory m LEFT JOIN agent a ON a.id = m.agent"
    " LEFT JOIN source_type s ON s.id = m.source_type WHERE m.id = ?";

/* The first bytes of the text, cut at a code point. */
static const char *row_text(struct reader *r, struct arena *a, sqlite3_stmt *stmt, bool *cut)
{
    const char *bytes = (const char *)sqlite3_column_text(stmt, 10);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 10);
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
    const char *text = column_utf8(a, stmt, 10);
    if (*cut)
        text = guard_text(r, a, text, strlen(text));
    *cut = false;
    return text;
}

static void fill_list_row(struct reader *r, struct arena *a, sqlite3_stmt *stmt,
                          struct memory_row *out)
{
    out->version = sqlite3_column_int64(stmt, 3);
    out->agent_id = column_utf8(a, stmt, 4);
    out->source_type = column_utf8(a, stmt, 5);
    out->created_at = sqlite3_column_int64(stmt, 6);
    out->updated_at = sqlite3_column_int64(stmt, 7);
    out->confidence = db_double(stmt, 8);
    out->is_protected = sqlite3_column_int(stmt, 9) != 0;
    out->text =
        guard_memory_text(r, a, out->node, out->ref.kind, row_text(r, a, stmt, &out->text_cut));
    out->source = column_utf8(a, stmt, 11);
    out->tags = column_utf8(a, stmt, 12);
    out->annotations = column_utf8(a, stmt, 13);
    out->event = sqlite3_column_int64(stmt, 14);
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
    if (reader_masked(r))
        guard_mask_row(r, arena, out);
    return 0;
}

/* One statement sees one moment by itself, unless that moment is past: then the reader must have heard
 * of what came meanwhile. */
int memory_row_read(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e)
{
    if (reader_past(r) < 0)
        return read_row(r, arena, node, out, e);
    return reader_begin(r, e) ? -1 : reader_done(r, read_row(r, arena, node, out, e));
}
