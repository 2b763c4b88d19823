/* Reading citations: what a response cited, and where a document was cited. */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/format/exchange_parts.h"
#include "store/reasoning/cite.h"
#include "store/record/detail_member.h"
#include "store/record/found_by.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/db/reader.h"

/* ---- one of them ---- */

static const struct antecedent *cited_document(const struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_CITATION && m->justifications[i].count)
            return &m->justifications[i].antecedents[0];
    return NULL;
}

/* The id as it was given, or made up; else that of the document. */
static const char *id_of(const char *given, const struct antecedent *document)
{
    if (given && *given)
        return given;
    return document ? document->ref.id : "";
}

void citation_from_memory(const struct memory *m, struct arena *arena, struct citation *out)
{
    const struct antecedent *document = cited_document(m);
    const struct use *use = document ? document->use : NULL;
    const char *id, *name, *section;
    detail_text(m, "document_id", arena, &id);
    detail_text(m, "document_name", arena, &name);
    detail_text(m, "section", arena, &section);
    bool told = !detail_member(m, "snippet").ptr;
    *out = (struct citation){.document_id = id_of(id, document),
                             .invented = use && use->label,
                             .name = name && *name ? name : "Unknown source",
                             .unnamed = !name || !*name,
                             .page = detail_int(m, "page", 0),
                             .section = section,
                             .paragraph = detail_int(m, "paragraph", -1),
                             .snippet = told ? m->text : NULL,
                             .relevance = use ? use->relevance : NAN,
                             .origin = use ? use->score : SCORE_NONE,
                             .retrieved_at = detail_int(m, "retrieved_at", INT64_MIN)};
}

/* ---- which ---- */

/* What finds the fewest of them, and the document besides, each as the index has it. */
struct keys {
    enum found_by field;
    uint8_t first[FOUND_BY_KEY], document[FOUND_BY_KEY];
    bool and_document;
};

static int choose_keys(const struct citation_query *q, struct keys *k, struct error *e)
{
    const char *one = q->message_id        ? q->message_id
                      : q->conversation_id ? q->conversation_id
                                           : q->document_id;
    k->and_document = q->document_id && one != q->document_id;
    if (!one)
        return error_set(e, ERROR_INVALID, "Give conversation_id, message_id or document_id.",
                         "it is not said which citations are meant");
    k->field = q->message_id && q->conversation_id ? FOUND_BY_RESPONSE
               : q->message_id                     ? FOUND_BY_MESSAGE
               : q->conversation_id                ? FOUND_BY_CONVERSATION
                                                   : FOUND_BY_CITED;
    if (k->field == FOUND_BY_RESPONSE)
        found_by_response_key(k->first, q->conversation_id, q->message_id);
    else
        found_by_key(k->first, k->field, one);
    if (k->and_document)
        found_by_key(k->document, FOUND_BY_CITED, q->document_id);
    return 0;
}

static const char find_sql[] =
    "SELECT f.memory FROM found_by f INDEXED BY found_by_key CROSS JOIN memory m ON m.id = f.memory"
    " WHERE f.field = ?1 AND f.key = ?2 AND m.status = 0 AND (?3 IS NULL OR EXISTS (SELECT 1 FROM"
    " found_by g WHERE g.memory = f.memory AND g.field = ?4 AND g.key = ?3))"
    " AND guard_sees(m.kind, m.agent, m.id)"
    " ORDER BY f.memory LIMIT ?5";

static int find(struct reader *r, struct arena *arena, const struct citation_query *q,
                int64_t **out, size_t *count, struct error *e)
{
    struct keys k = {.and_document = false};
    int64_t *rows = NULL;
    size_t alloc = 0;
    struct db *db = reader_db(r);
    if (choose_keys(q, &k, e))
        return -1;
    sqlite3_stmt *stmt = db_prepare(db, find_sql, e);
    int more = db_bind(db, stmt, e, "ibbii", (int64_t)k.field, (const void *)k.first,
                       (size_t)FOUND_BY_KEY, k.and_document ? (const void *)k.document : NULL,
                       (size_t)FOUND_BY_KEY, (int64_t)FOUND_BY_CITED,
                       q->limit && q->limit < INT64_MAX ? (int64_t)q->limit : (int64_t)-1);
    for (; more > 0; more = db_step(db, stmt, e)) {
        array_grow((void **)&rows, &alloc, *count, sizeof(*rows));
        rows[(*count)++] = sqlite3_column_int64(stmt, 0);
    }
    sqlite3_reset(stmt);
    *out = more < 0 ? NULL : arena_memdup(arena, rows, *count * sizeof(*rows));
    free(rows);
    return more < 0 ? -1 : 0;
}

int citations_find(struct reader *r, struct arena *arena, const struct citation_query *q,
                   int64_t **out, size_t *count, struct error *e)
{
    *out = NULL;
    *count = 0;
    if (reader_begin(r, e))
        return -1;
    int result = find(r, arena, q, out, count, e);
    reader_end(r);
    return result;
}

int64_t cite_counted(struct reader *r, const struct event *done, struct error *e)
{
    int64_t count;
    if (done->subject || !done->correlation || !done->operation ||
        strcmp(done->operation, "done") != 0)
        return 0;
    return db_int(reader_db(r), &count, 0, e,
                  "SELECT count(*) FROM event WHERE correlation = ? AND operation = 'source_added'",
                  "s", done->correlation)
               ? -1
               : count;
}

/* ---- the answer ---- */

static void add_text(struct json_object *o, const char *key, const char *text)
{
    if (text)
        json_pair(o, key, text);
}

/* The members of a source as an event has it, with those that say which citation it is. */
static void add_members(struct json_object *o, const struct citation *c)
{
    struct strbuf whole = STRBUF_INIT;
    citation_write(&whole, c);
    if (whole.len > 2) {
        strbuf_addch(o->out, ',');
        strbuf_add(o->out, whole.buf + 1, whole.len - 2);
    }
    strbuf_release(&whole);
}

/* Masked before it is set into a longer text. */
static const char *seen(struct reader *r, struct arena *arena, const char *text)
{
    return text ? guard_text(r, arena, text, strlen(text)) : NULL;
}

static int write_one(struct reader *r, struct strbuf *out, const struct memory *m,
                     struct citation *c, struct arena *arena, struct error *e)
{
    const struct antecedent *document = cited_document(m);
    const char *conversation, *message;
    enum sight sight = SIGHT_NONE;
    struct strbuf formatted = STRBUF_INIT;
    citation_from_memory(m, arena, c);
    if (document && guard_sight(r, document->node, &sight, e))
        return -1;
    detail_text(m, "conversation_id", arena, &conversation);
    detail_text(m, "message_id", arena, &message);
    const char *name = seen(r, arena, c->name), *section = seen(r, arena, c->section);
    citation_format(&formatted, name, c->page, section);
    struct json_object o = json_begin(out, '{');
    json_key(&o, "ref");
    exchange_add_ref(out, m->ref);
    add_members(&o, c);
    json_pair(&o, "formatted", formatted.buf);
    add_text(&o, "conversationId", conversation);
    add_text(&o, "messageId", message);
    if (document && sight != SIGHT_NONE) {
        json_key(&o, "document");
        exchange_add_ref(out, document->ref);
    }
    json_pair_int(&o, "citedAt", m->created_at);
    json_end(&o);
    strbuf_release(&formatted);
    return 0;
}

/* Are they among those that are asked for? */
static bool is_shown(const struct citation_query *q, size_t index)
{
    return index >= q->offset && (!q->limit || index - q->offset < q->limit);
}

/* How relevant it was, which is all that the others are asked for. */
static int read_relevance(struct reader *r, int64_t row, double *relevance, struct error *e)
{
    static const char sql[] =
        "SELECT u.relevance FROM link l LEFT JOIN use u ON u.memory = l.memory AND u.number ="
        " l.number AND u.position = l.position WHERE l.memory = ? AND l.shape & 31 = ? AND l.target"
        " IS NOT NULL ORDER BY l.number, l.position LIMIT 1";
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int found = db_bind(db, stmt, e, "ii", row, (int64_t)ROLE_CITATION);
    *relevance = found > 0 ? db_double(stmt, 0) : NAN;
    sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}

/* Of all of them only what is cited is kept. */
static int write_list(struct reader *r, const struct citation_query *q, const int64_t *rows,
                      size_t count, struct citation *cited, struct strbuf *out, struct error *e)
{
    struct arena arena = ARENA_INIT;
    int result = 0;
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < count && !result; i++) {
        struct memory m;
        if (!is_shown(q, i)) {
            result = read_relevance(r, rows[i], &cited[i].relevance, e);
            continue;
        }
        arena_clear(&arena);
        result = memory_read(r, &arena, rows[i], &m, e);
        if (!result) {
            json_item(&list);
            result = write_one(r, out, &m, &cited[i], &arena, e);
        }
    }
    json_end(&list);
    arena_release(&arena);
    return result;
}

static int write_all(struct reader *r, const struct citation_query *q, const int64_t *rows,
                     size_t count, struct arena *arena, struct strbuf *out, struct error *e)
{
    struct citation *cited = arena_array(arena, count + 1, sizeof(*cited));
    struct json_object o = json_begin(out, '{');
    json_key(&o, "citations");
    if (write_list(r, q, rows, count, cited, out, e))
        return -1;
    json_pair_int(&o, "total", (int64_t)count);
    json_pair(&o, "uncertainty", uncertainty_name(citations_uncertainty(cited, count)));
    json_end(&o);
    return 0;
}

int citations_write(struct reader *r, const int64_t *rows, size_t count, struct strbuf *out,
                    struct error *e)
{
    static const struct citation_query all = {0};
    struct arena arena = ARENA_INIT;
    if (reader_begin(r, e))
        return -1;
    int result = write_all(r, &all, rows, count, &arena, out, e);
    reader_end(r);
    arena_release(&arena);
    return result;
}

int citations_answer(struct reader *r, const struct citation_query *q, struct strbuf *out,
                     struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct citation_query all = *q;
    int64_t *rows;
    size_t count;
    all.limit = 0;
    if (reader_begin(r, e))
        return -1;
    int result = citations_find(r, &arena, &all, &rows, &count, e) ||
                         write_all(r, q, rows, count, &arena, out, e)
                     ? -1
                     : 0;
    reader_end(r);
    arena_release(&arena);
    return result;
}
