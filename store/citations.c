/* Reading citations: what a response cited, and where a document was cited. */
#include <stdlib.h>
#include <string.h>
#include "../model/alloc.h"
#include "../model/exchange_parts.h"
#include "cite.h"
#include "detail_member.h"
#include "detail_sql.h"
#include "reader.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
}

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

int citation_from_memory(const struct memory *m, struct arena *arena, struct citation *out,
                         struct error *e)
{
    const struct antecedent *document = cited_document(m);
    const struct use *use = document ? document->use : NULL;
    const char *id, *name, *section;
    if (detail_text(m, "document_id", arena, &id) ||
        detail_text(m, "document_name", arena, &name) ||
        detail_text(m, "section", arena, &section))
        return out_of_memory(e);
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
    return 0;
}

/* ---- which ---- */

/* By the first that is given; what else is given is compared. A document is named as it was cited, or by
 * its ref's id. */
#define AND_THE_REST                                                                               \
    " AND (?1 IS NULL OR " CITATION_CONVERSATION " = ?1) AND (?2 IS NULL OR " CITATION_MESSAGE     \
    " = ?2) AND (?3 IS NULL OR " CITATION_DOCUMENT " = ?3) AND status = 0 ORDER BY id LIMIT ?4"
#define FROM_CITATIONS "SELECT id FROM memory WHERE kind = 13 AND "

static const char by_conversation[] = FROM_CITATIONS CITATION_CONVERSATION " = ?1" AND_THE_REST;
static const char by_message[] = FROM_CITATIONS CITATION_MESSAGE " = ?2" AND_THE_REST;
static const char by_document[] = FROM_CITATIONS CITATION_DOCUMENT " = ?3" AND_THE_REST;

static const char *choose(const struct citation_query *q)
{
    return q->conversation_id ? by_conversation
           : q->message_id    ? by_message
           : q->document_id   ? by_document
                              : NULL;
}

static int find(struct db *db, const struct citation_query *q, int64_t **rows, size_t *count,
                struct error *e)
{
    size_t alloc = 0;
    const char *sql = choose(q);
    int64_t limit = q->limit && q->limit < INT64_MAX ? (int64_t)q->limit : -1;
    if (!sql)
        return error_set(e, ERROR_INVALID, "Give conversation_id, message_id or document_id.",
                         "it is not said which citations are meant");
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more =
        stmt ? db_bind(db, stmt, e, "sssi", q->conversation_id, q->message_id, q->document_id, limit)
             : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        if (!array_grow((void **)rows, &alloc, *count, sizeof(**rows))) {
            more = out_of_memory(e);
            break;
        }
        (*rows)[(*count)++] = sqlite3_column_int64(stmt, 0);
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

int citations_find(struct reader *r, struct arena *arena, const struct citation_query *q,
                   int64_t **out, size_t *count, struct error *e)
{
    int64_t *rows = NULL;
    *out = NULL;
    *count = 0;
    if (reader_begin(r, e))
        return -1;
    int result = find(reader_db(r), q, &rows, count, e);
    reader_end(r);
    if (!result && !(*out = arena_memdup(arena, rows, *count * sizeof(*rows))))
        result = out_of_memory(e);
    free(rows);
    return result;
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
    if (whole.failed)
        o->out->failed = true;
    else if (whole.len > 2) {
        strbuf_addch(o->out, ',');
        strbuf_add(o->out, whole.buf + 1, whole.len - 2);
    }
    strbuf_release(&whole);
}

static int write_one(struct strbuf *out, const struct memory *m, struct citation *c,
                     struct arena *arena, struct error *e)
{
    const struct antecedent *document = cited_document(m);
    const char *conversation, *message;
    struct strbuf formatted = STRBUF_INIT;
    if (citation_from_memory(m, arena, c, e))
        return -1;
    if (detail_text(m, "conversation_id", arena, &conversation) ||
        detail_text(m, "message_id", arena, &message))
        return out_of_memory(e);
    citation_format(&formatted, c->name, c->page, c->section);
    struct json_object o = json_begin(out, '{');
    json_key(&o, "ref");
    exchange_add_ref(out, m->ref);
    add_members(&o, c);
    json_pair(&o, "formatted", formatted.buf);
    add_text(&o, "conversationId", conversation);
    add_text(&o, "messageId", message);
    if (document) {
        json_key(&o, "document");
        exchange_add_ref(out, document->ref);
    }
    json_pair_int(&o, "citedAt", m->created_at);
    json_end(&o);
    bool failed = formatted.failed;
    strbuf_release(&formatted);
    return failed ? out_of_memory(e) : 0;
}

static int write_all(struct reader *r, const int64_t *rows, size_t count, struct arena *arena,
                     struct strbuf *out, struct error *e)
{
    struct citation *cited = arena_array(arena, count + 1, sizeof(*cited));
    if (!cited)
        return out_of_memory(e);
    struct json_object o = json_begin(out, '{');
    json_key(&o, "citations");
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        struct memory m;
        if (memory_read(r, arena, rows[i], &m, e))
            return -1;
        json_item(&list);
        if (write_one(out, &m, &cited[i], arena, e))
            return -1;
    }
    json_end(&list);
    json_pair_int(&o, "total", (int64_t)count);
    json_pair(&o, "uncertainty", uncertainty_name(citations_uncertainty(cited, count)));
    json_end(&o);
    return out->failed ? out_of_memory(e) : 0;
}

int citations_answer(struct reader *r, const struct citation_query *q, struct strbuf *out,
                     struct error *e)
{
    struct arena arena = ARENA_INIT;
    int64_t *rows;
    size_t count;
    if (reader_begin(r, e))
        return -1;
    int result = citations_find(r, &arena, q, &rows, &count, e) ||
                         write_all(r, rows, count, &arena, out, e)
                     ? -1
                     : 0;
    reader_end(r);
    arena_release(&arena);
    return result;
}
