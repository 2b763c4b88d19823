/* Reading citations: what a response cited, and where a document was cited. */
#include <string.h>
#include "../model/exchange_parts.h"
#include "cite.h"
#include "detail_member.h"
#include "found_by.h"
#include "journal.h"
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
        detail_text(m, "document_name", arena, &name) || detail_text(m, "section", arena, &section))
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

/* The rows that what finds the fewest of them gives, the newest first. */
static int find_rows(struct db *db, struct arena *arena, const struct citation_query *q,
                     int64_t **rows, size_t *count, struct error *e)
{
    if (q->conversation_id && q->message_id)
        return found_by_response(db, arena, q->conversation_id, q->message_id, NULL, INT64_MAX,
                                 SIZE_MAX, rows, count, e);
    const char *value = q->message_id        ? q->message_id
                        : q->conversation_id ? q->conversation_id
                                             : q->document_id;
    if (!value)
        return error_set(e, ERROR_INVALID, "Give conversation_id, message_id or document_id.",
                         "it is not said which citations are meant");
    return found_by_rows(db, arena,
                         q->message_id        ? FOUND_BY_MESSAGE
                         : q->conversation_id ? FOUND_BY_CONVERSATION
                                              : FOUND_BY_CITED,
                         value, NULL, INT64_MAX, SIZE_MAX, rows, count, e);
}

static int is_it(const struct memory *m, const char *member, const char *wanted,
                 struct arena *arena, bool *yes)
{
    const char *value;
    if (!wanted || !*yes)
        return 0;
    if (detail_text(m, member, arena, &value))
        return -1;
    *yes = value && strcmp(value, wanted) == 0;
    return 0;
}

static int matches(struct reader *r, const struct citation_query *q, int64_t row, bool *yes,
                   struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct memory m;
    int result = memory_read(r, &arena, row, &m, e);
    *yes = !result && m.status == STATUS_ACTIVE;
    if (!result && (is_it(&m, "conversation_id", q->conversation_id, &arena, yes) ||
                    is_it(&m, "message_id", q->message_id, &arena, yes) ||
                    is_it(&m, "document_id", q->document_id, &arena, yes)))
        result = out_of_memory(e);
    arena_release(&arena);
    return result;
}

static int find(struct reader *r, struct arena *arena, const struct citation_query *q,
                int64_t **out, size_t *count, struct error *e)
{
    int64_t *rows;
    size_t all;
    bool yes;
    if (find_rows(reader_db(r), arena, q, &rows, &all, e))
        return -1;
    *out = rows;
    for (size_t i = all; i-- > 0;) { /* the newest come first */
        if (matches(r, q, rows[i], &yes, e))
            return -1;
        rows[i] = yes ? rows[i] : 0;
    }
    for (size_t i = 0; i < all / 2; i++) {
        int64_t row = rows[i];
        rows[i] = rows[all - 1 - i];
        rows[all - 1 - i] = row;
    }
    for (size_t i = 0; i < all && (!q->limit || *count < q->limit); i++)
        if (rows[i])
            rows[(*count)++] = rows[i];
    return 0;
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

/* Are they among those that are asked for? */
static bool is_shown(const struct citation_query *q, size_t index)
{
    return index >= q->offset && (!q->limit || index - q->offset < q->limit);
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
        arena_clear(&arena);
        result = memory_read(r, &arena, rows[i], &m, e);
        if (!result && !is_shown(q, i)) {
            result = citation_from_memory(&m, &arena, &cited[i], e);
        } else if (!result) {
            json_item(&list);
            result = write_one(out, &m, &cited[i], &arena, e);
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
    if (!cited)
        return out_of_memory(e);
    struct json_object o = json_begin(out, '{');
    json_key(&o, "citations");
    if (write_list(r, q, rows, count, cited, out, e))
        return -1;
    json_pair_int(&o, "total", (int64_t)count);
    json_pair(&o, "uncertainty", uncertainty_name(citations_uncertainty(cited, count)));
    json_end(&o);
    return out->failed ? out_of_memory(e) : 0;
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
