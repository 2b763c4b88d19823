/* Citations: storing the cited passages of a response, and reading them. */
#include "store/reasoning/cite.h"

#include <string.h>
#include "model/base/utf8.h"
#include "model/format/memory_json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/ops/plan.h"
#include "store/ops/policy.h"
#include "store/reasoning/document.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"
#include "store/txn/txn.h"

/* ---- citing ---- */

struct citing {
    struct txn *t;
    const struct actor *actor;
    const struct cited_response *given;
    const char *agent; /* owner of the citations */
    struct arena *arena;
    struct error *e;
};

/* ---- one citation ---- */

/* Builds the detail: position, and conversation and message. The snippet is the memory's text. */
static const char *make_detail(const struct citing *c, const struct citation *one, size_t rank)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_pair_if(&o, "document_id", one->document_id);
    json_pair_if(&o, "document_name", one->unnamed ? NULL : one->name);
    if (one->page > 0)
        json_pair_int(&o, "page", one->page);
    json_pair_if(&o, "section", one->section);
    if (one->paragraph >= 0)
        json_pair_int(&o, "paragraph", one->paragraph);
    json_pair_if(&o, "conversation_id", c->given->conversation_id);
    json_pair_if(&o, "message_id", c->given->message_id);
    if (one->retrieved_at != INT64_MIN)
        json_pair_int(&o, "retrieved_at", one->retrieved_at);
    json_pair_int(&o, "rank", (int64_t)rank);
    json_pair_if(&o, "response_text", rank == 1 ? c->given->text : NULL);
    if (!one->snippet)
        json_pair(&o, "snippet", NULL);
    json_end(&o);
    return arena_take(c->arena, &out);
}

/* For a document without a name, the snippet is all that is known. */
static struct source source_of(const struct citation *one)
{
    return (struct source){.document_id = one->document_id,
                           .invented = one->invented,
                           .title = one->unnamed ? NULL : one->name,
                           .relevance = one->relevance,
                           .origin = one->origin,
                           .excerpt = one->snippet,
                           .chunk = CHUNK_NONE,
                           .rank = -1,
                           .content = one->snippet,
                           .content_len = one->snippet ? strlen(one->snippet) : 0};
}

static int base_on_document(struct citing *c, struct memory *m, const struct citation *one,
                            size_t rank)
{
    struct source source = source_of(one);
    struct justification *j = arena_alloc(c->arena, sizeof(*j));
    struct antecedent *a = arena_alloc(c->arena, sizeof(*a));
    struct use *use = arena_alloc(c->arena, sizeof(*use));
    /* A salt for a document without an id: unique to this citation. */
    const char *salt = arena_format(c->arena, "%s/%s", m->ref.id, one->document_id);
    int64_t node;
    if (document_find_or_add(c->t, c->actor, "add", c->agent, &source, salt, c->arena, &a->ref,
                             &node, c->e) ||
        document_link_retrieval(c->t, c->actor, c->agent, node, &source, c->arena, c->e))
        return -1;
    *use = (struct use){.relevance = one->relevance,
                        .score = one->origin,
                        .chunk = CHUNK_NONE,
                        .rank = (int64_t)rank,
                        .page = one->page > 0 ? one->page : -1,
                        .section = one->section,
                        .label = one->invented ? one->document_id : NULL,
                        .title = source.title};
    a->use = use;
    *j = (struct justification){ROLE_CITATION, READING_ANY, RECORDED, txn_now(c->t), NULL, a, 1};
    m->justifications = j;
    m->justification_count = 1;
    return 0;
}

/* The text is the snippet, or else the formatted citation. */
static int add(struct citing *c, const struct citation *one, size_t rank, struct added *out)
{
    struct plan p = plan_in(c->t, c->actor, c->arena, c->e);
    AUTO_STRBUF text = STRBUF_INIT;
    if (one->snippet && *one->snippet)
        strbuf_addstr(&text, one->snippet);
    else
        citation_format(&text, one->name, one->page, one->section);
    struct memory *m = p.reader ? plan_add(&p, KIND_CITATION, c->agent, text.buf, text.len,
                                           "source_added", NULL, c->e)
                                : NULL;
    if (!m)
        return -1;
    m->source_type = source_type_name(SOURCE_EXTERNAL);
    m->detail = make_detail(c, one, rank);
    if (base_on_document(c, m, one, rank) || plan_carry_out(&p, c->t, c->e))
        return -1;
    *out = (struct added){.node = m->node, .ref = m->ref, .version = m->version};
    return 0;
}

bool cites_nothing(const struct memory *m)
{
    return m->annotation_count == 1 && strcmp(m->annotations[0], CITES_NOTHING) == 0;
}

/* Adds what stands for a text that cites nothing. */
static int add_nothing(struct citing *c)
{
    static const char *const annotations[] = {CITES_NOTHING};
    static const struct citation none = {
        .document_id = NULL, .paragraph = -1, .retrieved_at = INT64_MIN};
    struct plan p = plan_in(c->t, c->actor, c->arena, c->e);
    const char *message = c->given->message_id;
    const char *text = message ? arena_format(c->arena, "Nothing is cited in message %s.", message)
                               : "Nothing is cited.";
    struct memory *m =
        p.reader ? plan_add(&p, KIND_CITATION, c->agent, text, strlen(text), "add", NULL, c->e)
                 : NULL;
    if (!m)
        return -1;
    m->source_type = source_type_name(SOURCE_EXTERNAL);
    m->annotations = arena_memdup(c->arena, annotations, sizeof(annotations));
    m->annotation_count = 1;
    m->detail = make_detail(c, &none, 1);
    return plan_carry_out(&p, c->t, c->e);
}

/* ---- earlier citations of the message ---- */

/* Supersedes an earlier citation. Those that stay because of a person's decision are reported;
 * those of other agents are ignored. */
static int supersede(struct citing *c, int64_t node, struct cite_result *out)
{
    struct memory before;
    struct reader *r = txn_reader(c->t, c->e);
    if (!r || memory_read_db(c->t->db, c->arena, node, &before, c->e))
        return -1;
    if (strcmp(before.agent_id, c->agent) != 0)
        return 0;
    if (policy_may_change(r, c->actor, &before, c->e)) {
        if (c->e->code != ERROR_REFUSED)
            return -1;
        if (before.status == STATUS_ACTIVE)
            out->unchanged[out->unchanged_count++] = before.ref;
        return 0;
    }
    struct plan p = plan_in(c->t, c->actor, c->arena, c->e);
    struct memory *m = plan_follow(&p, node, "supersede", NULL, c->e);
    if (!m)
        return -1;
    m->status = STATUS_SUPERSEDED;
    return plan_carry_out(&p, c->t, c->e);
}

static int supersede_cited(struct citing *c, struct cite_result *out)
{
    struct reader *r = txn_reader(c->t, c->e);
    const struct citation_query q = {.conversation_id = c->given->conversation_id,
                                     .message_id = c->given->message_id,
                                     .and_nothing = true};
    int64_t *rows;
    size_t count;
    if (!q.conversation_id || !q.message_id)
        return 0;
    if (!r || citations_find(r, c->arena, &q, &rows, &count, NULL, c->e))
        return -1;
    out->unchanged = arena_array(c->arena, count + 1, sizeof(*out->unchanged));
    for (size_t i = 0; i < count; i++)
        if (supersede(c, rows[i], out))
            return -1;
    return 0;
}

/* ---- the response ---- */

/* Keeps the most relevant citation of each place, ranked, at most CITATIONS_MAX. */
static void choose(struct citing *c, const struct citation_list *list, struct cite_result *out)
{
    struct citation *each = arena_array(c->arena, list->count + 1, sizeof(*each));
    out->emitted = arena_array(c->arena, list->count + 1, sizeof(*out->emitted));
    out->added = arena_array(c->arena, CITATIONS_MAX, sizeof(*out->added));
    size_t count = citations_deduplicate(each, list->citation, list->count);
    out->count = citations_rank(out->emitted, each, count, CITATIONS_MAX);
    out->left_out = list->count - out->count;
    out->refused = list->refused;
    out->refused_count = list->refused_count;
}

static int check(struct citing *c)
{
    const struct {
        const char *name, *text;
    } given[] = {{"conversation_id", c->given->conversation_id},
                 {"message_id", c->given->message_id}};
    for (size_t i = 0; i < 2; i++)
        if (given[i].text && !utf8_valid(given[i].text, strlen(given[i].text)))
            return error_set(c->e, ERROR_INVALID, "Write it in UTF-8.", "%s is not valid UTF-8",
                             given[i].name);
    return 0;
}

int cite_sources(struct txn *t, const struct actor *actor, const struct cited_response *given,
                 struct arena *arena, struct cite_result *out, struct error *e)
{
    char id[37];
    struct actor together = *actor;
    struct citation_list list;
    struct citing c = {t, &together, given, NULL, arena, e};
    c.agent = plan_agent(actor, given->agent_id);
    *out = (struct cite_result){.at = txn_now(t)};
    if (check(&c))
        return -1;
    citations_read(&list, arena, given->sources, out->at);
    out->ignored = list.ignored;
    out->ignored_count = list.ignored_count;
    choose(&c, &list, out);
    if ((!together.correlation && txn_make_id(t, id, e)))
        return -1;
    if (!together.correlation)
        together.correlation = id;
    if (supersede_cited(&c, out))
        return -1;
    for (size_t i = 0; i < out->count; i++)
        if (add(&c, &out->emitted[i], i + 1, &out->added[i]))
            return -1;
    if (out->count == 0 && given->text && add_nothing(&c))
        return -1;
    return journal_append(t, &together, &(struct change){.operation = "done"}, e);
}

/* ---- reading one citation ---- */

static const struct antecedent *cited_document(const struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_CITATION && m->justifications[i].count)
            return &m->justifications[i].antecedents[0];
    return NULL;
}

/* The id given or made up, or else that of the document. */
static const char *id_of(const char *given, const struct antecedent *document)
{
    if (given && *given)
        return given;
    return document ? document->ref.id : "";
}

int cited_standing_of(struct reader *r, int64_t document, struct cited_standing *out,
                      struct error *e)
{
    int64_t status = STATUS_ACTIVE;
    if (db_int(reader_db(r), &status, STATUS_ACTIVE, e,
               "SELECT status FROM memory WHERE id = ? AND status <> ?"
               " AND guard_sees(kind, agent, status, id)",
               "ii", document, (int64_t)STATUS_MISSING) ||
        document_retrieval_status(r, document, &out->retrieval, e))
        return -1;
    out->document = STATUS_LIVES(status) ? STATUS_ACTIVE : (enum status)status;
    return 0;
}

int cited_standing_read(struct reader *r, const struct memory *m, struct cited_standing *out,
                        struct error *e)
{
    const struct antecedent *document = cited_document(m);
    *out = (struct cited_standing){STATUS_ACTIVE, STATUS_ACTIVE};
    return document ? cited_standing_of(r, document->node, out, e) : 0;
}

void citation_from_memory(const struct memory *m, struct arena *arena, struct citation *out)
{
    const struct antecedent *document = cited_document(m);
    const struct use *use = document ? document->use : NULL;
    const char *id, *name, *section;
    detail_text(m, "document_id", arena, &id);
    detail_text(m, "document_name", arena, &name);
    detail_text(m, "section", arena, &section);
    bool has_summary = !detail_member(m, "snippet").ptr;
    *out = (struct citation){.document_id = id_of(id, document),
                             .invented = use && use->label,
                             .name = name && *name ? name : "Unknown source",
                             .unnamed = !name || !*name,
                             .page = detail_int(m, "page", 0),
                             .section = section,
                             .paragraph = detail_int(m, "paragraph", -1),
                             .snippet = has_summary ? m->text : NULL,
                             .relevance = use ? use->relevance : NAN,
                             .origin = use ? use->score : SCORE_NONE,
                             .retrieved_at = detail_int(m, "retrieved_at", INT64_MIN)};
}

/* ---- finding citations ---- */

/* Lookup keys: the most selective id, and the document if given too. */
struct keys {
    enum lookup_field field;
    uint8_t first[LOOKUP_KEY_SIZE], document[LOOKUP_KEY_SIZE];
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
                         "no citations are named");
    k->field = q->message_id && q->conversation_id ? LOOKUP_RESPONSE
               : q->message_id                     ? LOOKUP_MESSAGE
               : q->conversation_id                ? LOOKUP_CONVERSATION
                                                   : LOOKUP_CITED;
    if (k->field == LOOKUP_RESPONSE)
        lookup_response_key(k->first, q->conversation_id, q->message_id);
    else
        lookup_key(k->first, k->field, one);
    if (k->and_document)
        lookup_key(k->document, LOOKUP_CITED, q->document_id);
    return 0;
}

/* A made-up id names another document in each response: the answer has the ref of each. */
static const char find_sql[] =
    "SELECT f.memory, m.annotations IS '[\"" CITES_NOTHING
    "\"]' FROM lookup f INDEXED BY lookup_key CROSS JOIN memory m ON m.id = f.memory"
    " WHERE f.field = ?1 AND f.key = ?2 AND m.status = 0 AND (?3 IS NULL OR EXISTS (SELECT 1 FROM"
    " lookup g WHERE g.memory = f.memory AND g.field = ?4 AND g.key = ?3))"
    " AND guard_sees(m.kind, m.agent, m.status, m.id) ORDER BY f.memory";

static int find(struct reader *r, struct arena *arena, const struct citation_query *q,
                int64_t **out, size_t *count, size_t *nothing, struct error *e)
{
    struct keys k = {.and_document = false};
    size_t alloc = 0;
    if (choose_keys(q, &k, e))
        return -1;
    struct query rows =
        db_query(reader_db(r), e, find_sql, "ibbi", (int64_t)k.field, (const void *)k.first,
                 (size_t)LOOKUP_KEY_SIZE, k.and_document ? (const void *)k.document : NULL,
                 (size_t)LOOKUP_KEY_SIZE, (int64_t)LOOKUP_CITED);
    while (db_next(&rows)) {
        bool cites = sqlite3_column_int(rows.stmt, 1) == 0;
        *nothing += !cites;
        if (cites || q->and_nothing)
            *ARENA_ADD(arena, *out, *count, alloc) = sqlite3_column_int64(rows.stmt, 0);
    }
    return db_end(&rows);
}

int citations_find(struct reader *r, struct arena *arena, const struct citation_query *q,
                   int64_t **out, size_t *count, size_t *nothing, struct error *e)
{
    size_t ignored;
    nothing = nothing ? nothing : &ignored;
    *out = NULL;
    *count = *nothing = 0;
    return reader_begin(r, e) ? -1 : reader_done(r, find(r, arena, q, out, count, nothing, e));
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

/* Masks a text before it becomes part of a longer one. */
static const char *seen(struct reader *r, struct arena *arena, const char *text)
{
    return text ? guard_text(r, arena, text, strlen(text)) : NULL;
}

static int write_one(struct reader *r, struct strbuf *out, const struct memory *m,
                     struct citation *c, struct arena *arena, struct error *e)
{
    const struct antecedent *document = cited_document(m);
    const char *conversation, *message;
    enum visibility visibility = VISIBLE_NONE;
    struct cited_standing standing;
    AUTO_STRBUF formatted = STRBUF_INIT;
    citation_from_memory(m, arena, c);
    if ((document && guard_visibility(r, document->node, &visibility, e)) ||
        cited_standing_read(r, m, &standing, e))
        return -1;
    detail_text(m, "conversation_id", arena, &conversation);
    detail_text(m, "message_id", arena, &message);
    const char *name = seen(r, arena, c->name), *section = seen(r, arena, c->section);
    citation_format(&formatted, name, c->page, section);
    struct json_object o = json_begin(out, '{');
    memory_json_pair_ref(&o, "ref", m->ref);
    citation_write_members(&o, c);
    json_pair(&o, "formatted", formatted.buf);
    json_pair_if(&o, "conversationId", conversation);
    json_pair_if(&o, "messageId", message);
    if (document && visibility != VISIBLE_NONE)
        memory_json_pair_ref(&o, "document", document->ref);
    if (standing.document != STATUS_ACTIVE)
        json_pair(&o, "document_status", status_name(standing.document));
    if (standing.retrieval != STATUS_ACTIVE)
        json_pair(&o, "retrieval", status_name(standing.retrieval));
    json_pair_int(&o, "citedAt", m->created_at);
    json_end(&o);
    return 0;
}

/* Returns true if the citation is on the requested page. */
static bool is_shown(const struct citation_query *q, size_t index)
{
    return index >= q->offset && (!q->limit || index - q->offset < q->limit);
}

/* Reads the relevance, which is all that the uncertainty needs of citations that are not shown. */
static int read_relevance(struct reader *r, int64_t row, double *relevance, struct error *e)
{
    static const char sql[] =
        "SELECT u.relevance FROM link l LEFT JOIN use u ON u.memory = l.memory AND u.number ="
        " l.number AND u.position = l.position WHERE l.memory = ? AND l.shape & 31 = ? AND l.target"
        " IS NOT NULL ORDER BY l.number, l.position LIMIT 1";
    struct query q = db_query(reader_db(r), e, sql, "ii", row, (int64_t)ROLE_CITATION);
    *relevance = db_next(&q) ? db_double(q.stmt, 0) : NAN;
    return db_end(&q);
}

/* Writes the requested citations; keeps only the fields of each. */
static int write_list(struct reader *r, const struct citation_query *q, const int64_t *rows,
                      size_t count, struct citation *cited, struct strbuf *out, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
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
    AUTO_ARENA arena = ARENA_INIT;
    int result =
        reader_begin(r, e) ? -1 : reader_done(r, write_all(r, &all, rows, count, &arena, out, e));
    return result;
}

int citations_answer(struct reader *r, const struct citation_query *q, struct strbuf *out,
                     struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    int64_t *rows;
    size_t count;
    int result = reader_begin(r, e);
    if (!result)
        result = reader_done(r, failed_if(citations_find(r, &arena, q, &rows, &count, NULL, e) ||
                                          write_all(r, q, rows, count, &arena, out, e)));
    return result;
}
