/*
 * The questions replaced and effects: what replaced what, and whose labels an event changed. A batch that replaces many
 * unrelated memories at once is how a mistake, or an attack, overwrites what was known.
 */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/history/past.h"
#include "store/journal/journal.h"
#include "store/lineage/subgraph.h"
#include "store/questions/questions.h"

/* ---- replaced ---- */

static const struct report_column replaced_columns[] = {
    {"ref", "now", REPORT_REF},
    {"at", "when", REPORT_TIME},
    {"actor", "by", REPORT_TEXT},
    {"batch", "batch", REPORT_COUNT},
    {"unrelated", "unrelated", REPORT_COUNT},
    {"event", "event", REPORT_COUNT},
    {"replaced", NULL, REPORT_REFS},
    {0},
};
static const struct report_part replaced_parts[] = {
    {.shape = PART_LINES,
     .title = "what replaced another, the largest batches first",
     .columns = replaced_columns,
     .none = "nothing was replaced"},
    {0},
};

/*
 * Role 16 is supersedes, roles below it are support. A batch has one correlation. Replaced memories
 * are unrelated if the first that each is based on differs.
 */
static const char replaced_sql[] =
    "WITH pair AS (SELECT l.memory AS new, l.target AS old, v.seq, v.at, v.actor, v.correlation,"
    "  (SELECT s.target FROM link s WHERE s.memory = l.target AND s.shape & 31 < 16 LIMIT 1) AS "
    "origin"
    "  FROM link l JOIN event v ON v.seq = (SELECT max(seq) FROM event w WHERE w.subject = l.target"
    "   AND w.operation IN ('supersede', 'import')) WHERE l.shape & 31 = 16 AND l.target IS NOT "
    "NULL),"
    " size AS (SELECT correlation, count(DISTINCT old) AS n, count(DISTINCT ifnull(origin, -old)) "
    "AS origins"
    "  FROM pair GROUP BY correlation)"
    " SELECT p.new, p.old, p.at, p.actor, s.n, s.origins, p.seq FROM pair p JOIN size s"
    " ON s.correlation IS p.correlation ORDER BY s.n DESC, p.seq DESC, p.new";

static int answer_replaced(struct report *p, struct reader *r, const struct asked *asked,
                           struct error *e)
{
    struct query rows = db_query(reader_db(r), e, replaced_sql, "");
    while (db_next(&rows)) {
        int64_t *old = arena_alloc(p->arena, sizeof(*old));
        int64_t new = sqlite3_column_int64(rows.stmt, 0);
        *old = sqlite3_column_int64(rows.stmt, 1);
        if (!asked_for(asked, new) && !asked_for(asked, *old))
            continue;
        if (report_is_full(p, asked->limit))
            continue;
        struct cell *c = report_add(p, 0, 0);
        cell_int(&c[0], new);
        cell_int(&c[1], sqlite3_column_int64(rows.stmt, 2));
        cell_text(&c[2], column_utf8(p->arena, rows.stmt, 3));
        cell_int(&c[3], sqlite3_column_int64(rows.stmt, 4));
        cell_int(&c[4], sqlite3_column_int64(rows.stmt, 5));
        cell_int(&c[5], sqlite3_column_int64(rows.stmt, 6));
        cell_refs(&c[6], old, 1);
    }
    return db_end(&rows);
}

const struct question question_replaced = {
    .name = "replaced", .of = ABOUT_ALL, .parts = replaced_parts, .answer = answer_replaced};

/* ---- effects ---- */

static const struct report_column effects_columns[] = {
    {"ref", "memory", REPORT_REF}, {"from", "from", REPORT_WORD}, {"to", "to", REPORT_WORD}, {0}};
static const struct report_part effects_parts[] = {
    {.key = "changes",
     .title = "whose label it changed",
     .shape = PART_LIST,
     .columns = effects_columns,
     .none = "it changed no label"},
    {0},
};

/* Reads "137" or "@137", and behind it the events between which labels are compared: "@137 @120 @150". Those are 0 if
 * not given. Returns -1 for any other text. */
static int read_events(const char *text, int64_t seq[3])
{
    size_t count = 0;
    for (char *end; *text && count < 3; text = end + (*end == ' ')) {
        seq[count] = strtoll(text + (*text == '@'), &end, 10);
        if ((*end && *end != ' ') || seq[count] < (count == 0))
            return -1;
        count++;
    }
    return *text || count == 0 || (count == 3 && seq[1] > seq[2]) ? -1 : (int)count;
}

/* Labels of rows as of an event; LABEL_COUNT for one that was not there. */
static int labels_at(struct reader *r, int64_t seq, const int64_t *rows, size_t count,
                     struct row_label *out, struct error *e)
{
    struct reader *past = reader_open_past(reader_store(r), seq, NULL, NULL, e);
    int result = past ? 0 : -1;
    for (size_t i = 0; i < count && result == 0; i++) {
        int there = journal_has_before(r, rows[i], seq, e);
        out[i].label = LABEL_COUNT;
        result = there < 0 || (there && labels_of_rows(past, &rows[i], 1, &out[i], e)) ? -1 : 0;
    }
    if (past)
        reader_close(past);
    return result;
}

/* The subjects of the event's batch, and all that is based on them, each once. */
static int read_reached(struct reader *r, int64_t seq, struct row_index *out, struct error *e)
{
    struct query rows =
        db_query(reader_db(r), e,
                 "SELECT DISTINCT w.subject FROM event v JOIN event w ON w.seq = v.seq"
                 " OR w.correlation = v.correlation WHERE v.seq = ? AND w.subject > 0",
                 "i", seq);
    while (db_next(&rows))
        row_index_add(out, sqlite3_column_int64(rows.stmt, 0));
    if (db_end(&rows))
        return -1;
    if (out->count == 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma log` lists the events.",
                         "no event has the number %lld", (long long)seq);
    for (size_t i = 0, subjects = out->count; i < subjects; i++) {
        struct dependants d;
        if (dependants_find(r, out->row[i], 0, &d, e))
            return -1;
        for (size_t k = 0; k < d.count; k++)
            row_index_add(out, d.row[k]);
        free(d.row);
    }
    return 0;
}

/* The first and the last event of its batch. */
static int read_batch(struct reader *r, int64_t seq, int64_t *first, int64_t *last, struct error *e)
{
    struct query one =
        db_query(reader_db(r), e,
                 "SELECT min(w.seq), max(w.seq) FROM event v JOIN event w ON w.seq = v.seq"
                 " OR w.correlation = v.correlation WHERE v.seq = ?",
                 "i", seq);
    *first = *last = seq;
    if (db_next(&one)) {
        *first = sqlite3_column_int64(one.stmt, 0);
        *last = sqlite3_column_int64(one.stmt, 1);
    }
    return db_end(&one);
}

/* The labels that the batch changed, or of these, those that differ between two other events. */
static int compare(struct report *p, struct reader *r, const struct row_index *reached,
                   int64_t first, int64_t last, const int64_t between[2], struct error *e)
{
    size_t count = reached->count;
    AUTO_FREE struct row_label *at = xcalloc(4 * count + 1, sizeof(*at));
    const int64_t seq[] = {first - 1, last, between[0], between[1]};
    for (int i = 0; i < (between[1] ? 4 : 2); i++)
        if (labels_at(r, seq[i], reached->row, count, at + (size_t)i * count, e))
            return -1;
    const struct row_label *from = at + (between[1] ? 2 * count : 0), *to = from + count;
    for (size_t i = 0; i < count; i++) {
        if (at[i].label == at[count + i].label || from[i].label == to[i].label)
            continue;
        struct cell *c = report_add(p, 0, 0);
        cell_int(&c[0], reached->row[i]);
        cell_text(&c[1], from[i].label == LABEL_COUNT ? NULL : label_name(from[i].label));
        cell_text(&c[2], to[i].label == LABEL_COUNT ? NULL : label_name(to[i].label));
    }
    return 0;
}

static int answer_effects(struct report *p, struct reader *r, const struct asked *asked,
                          struct error *e)
{
    AUTO(row_index) reached = ROW_INDEX_INIT;
    int64_t seq[3] = {0}, first, last;
    int given = read_events(asked->text, seq);
    if (given < 0)
        return error_set(e, ERROR_INVALID,
                         "Give one such as @137, and two more to compare what was before and "
                         "after them: @137 @120 @150.",
                         "%.40s names no event, or its times are not in order", asked->text);
    if (given == 2 && (seq[2] = journal_last(r, e)) < 0)
        return -1;
    int result =
        failed_if(read_reached(r, seq[0], &reached, e) || read_batch(r, seq[0], &first, &last, e) ||
                  compare(p, r, &reached, first, last, seq + 1, e));
    if (result == 0 && given > 1 && (last <= seq[1] || first > seq[2]))
        p->note = "The event is not between the two times.";
    return result;
}

const struct question question_effects = {
    .name = "effects", .of = ABOUT_TEXT, .parts = effects_parts, .answer = answer_effects};
