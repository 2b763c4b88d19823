/* Logs retrievals with the memories they support, and lists them as JSON. */
#include "store/reasoning/attributions.h"

#include <ctype.h>
#include <string.h>
#include "model/base/utf8.h"
#include "store/ops/add.h"
#include "store/reasoning/document.h"
#include "store/guard/guard.h"
#include "store/ops/plan.h"
#include "store/ops/policy.h"
#include "store/db/reader.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/query/list.h"
#include "store/record/index_tables.h"
#include "store/txn/txn.h"

#define TEXT_START 2000 /* bytes of a column in a row that is too large */

/* ---- logging ---- */

/* The content is nested one level deeper in the detail. */
static int check_content(struct json_slice content, struct error *e)
{
    static const char prefix[] = "not JSON: ";
    struct error why;
    if (!content.ptr || json_check(content.ptr, content.len, JSON_DEPTH_MAX - 1, &why) == 0)
        return 0;
    bool not_json = strncmp(why.what, prefix, sizeof(prefix) - 1) == 0;
    return error_set(e, ERROR_INVALID, "Nest it less, fix the text there, or give it as a string.",
                     "full_content_json cannot be kept: %s",
                     why.what + (not_json ? sizeof(prefix) - 1 : 0));
}

static int check_columns(const struct attribution *a, struct error *e)
{
    bool typed = !a->source_type || utf8_valid(a->source_type, strlen(a->source_type));
    if (!typed || (a->source_uri && !utf8_valid(a->source_uri, strlen(a->source_uri))))
        return error_set(e, ERROR_INVALID, "", "%s is not valid UTF-8",
                         typed ? "source_uri" : "source_type");
    return check_content(a->full_content_json, e);
}

/* Builds the detail. If `has_summary`, the summary is the memory's text and is left out. */
static char *make_detail(const struct attribution *a, bool has_summary)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_pair_if(&o, "source_type", a->source_type);
    json_pair_if(&o, "source_uri", a->source_uri);
    json_pair_int(&o, "retrieval_timestamp", a->retrieval_timestamp);
    if (!has_summary) {
        json_key(&o, "content_summary");
        if (a->content_summary)
            json_add_string_len(&out, a->content_summary, a->summary_len);
        else
            strbuf_addstr(&out, "null");
    }
    json_pair_if(&o, "full_content_hash", a->full_content_hash);
    json_pair_value(&o, "full_content_json", a->full_content_json);
    json_pair_value(&o, "citation", a->citation);
    json_end(&o);
    return strbuf_detach(&out, NULL);
}

/* ---- supported memories ---- */

static int refuse_support(struct txn *t, const struct memory *m, const struct actor *actor,
                          struct error *e)
{
    const char *why;
    struct reader *r;
    if (policy_is_foreign(t, m))
        return error_set(e, ERROR_REFUSED, "Leave it out, or ask the person who reviews this.",
                         "supports: %s:%s is not yours to change", kind_name(m->ref.kind),
                         m->ref.id);
    if (!STATUS_LISTED(m->status))
        return error_set(e, ERROR_NOT_FOUND, "Leave it out, or log the attribution without it.",
                         "supports: %s:%s is %s", kind_name(m->ref.kind), m->ref.id,
                         status_word(m->status));
    if (!(r = txn_reader(t, e)) || policy_objection(r, actor, m, &why, e))
        return -1;
    return why ? error_set(e, ERROR_REFUSED, "Leave it out, or ask the person who said so.",
                           "supports: %s:%s %s", kind_name(m->ref.kind), m->ref.id, why)
               : 0;
}

static int support(struct txn *t, const struct actor *actor, const struct attribution *a,
                   struct ref by, const char *text, struct arena *arena, struct error *e)
{
    struct ref ref;
    struct memory before;
    bool known = false;
    struct reader *r = txn_reader(t, e);
    if (!r || ref_link(r, arena, text, KIND_COUNT, &ref, &known, e) != REF_MEMORY || !known) {
        if (e->code == ERROR_NONE)
            error_set(e, ERROR_NOT_FOUND, "Search for it, or leave it out.",
                      "supports: no memory is called %.100s", text);
        return -1;
    }
    int64_t row = ref_find(txn_db(t), ref, e);
    if (row < 0 || memory_read_db(txn_db(t), arena, row, &before, e) ||
        refuse_support(t, &before, actor, e))
        return -1;
    for (size_t i = 0; i < before.justification_count; i++)
        if (before.justifications[i].count == 1 &&
            ref_equal(before.justifications[i].antecedents[0].ref, by))
            return 0; /* named twice */
    struct plan p = plan_in(t, actor, arena, e);
    struct memory *m = plan_follow(&p, row, "evidence", NULL, e);
    if (!m)
        return -1;
    plan_add_support(&p, m, ROLE_EVIDENCE, by, a->use);
    return plan_carry_out(&p, t, e);
}

/* The attribution and the changes of supported memories share a correlation, so they are undone
 * together. An attribution that changes nothing else has none. */
static int log_together(struct txn *t, const struct actor *given, const struct attribution *a,
                        const struct add_request *request, size_t text_len, struct arena *arena,
                        struct added *out, struct error *e)
{
    char id[37], *hash = arena_strdup(arena, a->full_content_hash);
    struct actor actor = *given;
    int64_t *document;
    size_t documents;
    for (char *c = hash; c && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (document_used_before(t, plan_agent(given, a->agent_id), a->source_uri, hash, arena,
                             &document, &documents, e))
        return -1;
    if (!actor.correlation && (a->support_count || documents)) {
        if (txn_make_id(t, id, e))
            return -1;
        actor.correlation = id;
    }
    if (add_memory(t, &actor, request, text_len, arena, out, e))
        return -1;
    e->code = ERROR_NONE;
    for (size_t i = 0; i < a->support_count; i++)
        if (support(t, &actor, a, out->ref, a->supports[i], arena, e))
            return -1;
    return document_link_late(t, &actor, out->ref, out->node, hash, document, documents, arena, e);
}

int attribution_add(struct txn *t, const struct actor *actor, const struct attribution *a,
                    struct arena *arena, struct added *out, struct error *e)
{
    bool has_summary =
        a->content_summary && utf8_space(a->content_summary, a->summary_len) < a->summary_len;
    const char *text = has_summary                       ? a->content_summary
                       : a->source_uri && *a->source_uri ? a->source_uri
                       : a->source_type                  ? a->source_type
                                                         : "";
    if (check_columns(a, e))
        return -1;
    if (!has_summary && utf8_is_blank(text))
        text = "attribution";
    struct add_request request = {
        .kind = KIND_ATTRIBUTION, .text = text, .agent_id = a->agent_id, .confidence = NAN};
    char *detail = make_detail(a, has_summary);
    request.detail = detail;
    int result = log_together(t, actor, a, &request, has_summary ? a->summary_len : strlen(text),
                              arena, out, e);
    free(detail);
    return result;
}

/* ---- reading ---- */

/* Columns of the statements. */
enum {
    COLUMN_NAME,
    COLUMN_TEXT,
    COLUMN_DETAIL,
    COLUMN_STATUS,
};

/* Members of the detail, in order of the answer. */
static const struct {
    const char *name;
    enum {
        IS_TEXT,
        IS_TIME,
        IS_SUMMARY, /* a text; if absent, the memory's text */
        IS_CONTENT  /* any JSON; left out of a row that is too large */
    } is;
} columns[] = {
    {"source_type", IS_TEXT},         {"source_uri", IS_TEXT},
    {"retrieval_timestamp", IS_TIME}, {"content_summary", IS_SUMMARY},
    {"full_content_hash", IS_TEXT},   {"full_content_json", IS_CONTENT},
};

/* Adds a text column, at most `most` bytes of it. */
static void pair_text(struct json_object *o, const char *key, sqlite3_stmt *stmt, int column,
                      size_t most)
{
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    size_t len = (size_t)sqlite3_column_bytes(stmt, column);
    json_key(o, key);
    json_add_string_len(o->out, text ? text : "", len > most ? utf8_fit(text, len, most) : len);
}

/* Appends the start of a JSON string. */
static void add_string_start(struct strbuf *out, struct json_slice value)
{
    char bytes[TEXT_START * 6];
    size_t len = value.len - 2 < sizeof(bytes) ? value.len - 2 : sizeof(bytes);
    len = json_unescape(bytes, value.ptr + 1, len);
    json_add_string_len(out, bytes, utf8_fit(bytes, len, TEXT_START));
}

/* If `begun`, the row is too large and texts are truncated. */
static void add_column(struct json_object *o, size_t at, struct json_slice value, bool begun)
{
    int64_t ms;
    bool is_text = value.ptr && value.ptr[0] == '"';
    json_key(o, columns[at].name);
    if (columns[at].is == IS_TIME && value.ptr && json_integer(value, &ms) == 0)
        json_add_int(o->out, ms);
    else if (columns[at].is == IS_CONTENT && value.ptr && !begun)
        json_add_value(o->out, value.ptr, value.len);
    else if (columns[at].is == IS_TIME || columns[at].is == IS_CONTENT || !is_text)
        strbuf_addstr(o->out, "null");
    else if (begun)
        add_string_start(o->out, value);
    else
        json_add_value(o->out, value.ptr, value.len);
}

/* `too_large` is the full size of the row in bytes; 0 if it is written whole. */
static void add_row(struct strbuf *out, const char *agent, sqlite3_stmt *stmt,
                    struct json_slice detail, size_t too_large)
{
    size_t most = too_large ? TEXT_START : SIZE_MAX;
    struct json_object o = json_begin(out, '{');
    pair_text(&o, "attribution_id", stmt, COLUMN_NAME, SIZE_MAX);
    json_pair(&o, "agent_id", agent);
    for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
        struct json_slice value = detail;
        if (detail.ptr)
            value = json_member(detail.ptr, detail.len, columns[i].name);
        if (columns[i].is == IS_SUMMARY && !value.ptr)
            pair_text(&o, columns[i].name, stmt, COLUMN_TEXT, most);
        else
            add_column(&o, i, value, too_large > 0);
    }
    int64_t status = sqlite3_column_int64(stmt, COLUMN_STATUS);
    if (status != STATUS_ACTIVE && status < STATUS_COUNT)
        json_pair(&o, "status", status_name((enum status)status));
    json_pair_int_if(&o, "too_large", (int64_t)too_large);
    json_end(&o);
}

static void add_fitting(struct strbuf *out, const struct attribution_query *q, sqlite3_stmt *stmt)
{
    size_t before = out->len;
    struct json_slice detail = detail_json((const char *)sqlite3_column_text(stmt, COLUMN_DETAIL));
    add_row(out, q->agent_id, stmt, detail, 0);
    size_t bytes = out->len - before;
    if (q->row_max && bytes > q->row_max) {
        strbuf_cut(out, before);
        add_row(out, q->agent_id, stmt, detail, bytes);
    }
}

/* Is the name ?5 claimed in it? */
#define CLAIMS                                                                                     \
    "(?5 IS NULL OR EXISTS (SELECT 1 FROM lookup l WHERE l.memory = attribution.memory"            \
    " AND l.field = ?6 AND l.key = ?5))"

/* The indexes give the order, so a page costs its rows and those it skips. */
static const char of_agent[] =
    "SELECT m.name, m.text, m.detail, m.status FROM (SELECT memory FROM attribution INDEXED BY "
    "attribution_at"
    " WHERE agent = ?1 AND ?2 IS NULL AND " CLAIMS " ORDER BY at DESC, memory DESC LIMIT ?3"
    " OFFSET ?4) a"
    " CROSS JOIN memory m ON m.id = a.memory";
static const char of_type[] =
    "SELECT m.name, m.text, m.detail, m.status FROM (SELECT memory FROM attribution INDEXED BY"
    " attribution_type WHERE agent = ?1 AND type = ?2 AND " CLAIMS " ORDER BY at DESC, memory DESC"
    " LIMIT ?3 OFFSET ?4) a CROSS JOIN memory m ON m.id = a.memory";

/* Whose attributions are read. */
struct whose {
    const char *name;
    int64_t agent; /* its row; 0 if there is none */
    bool claimed;
    uint8_t key[LOOKUP_KEY_SIZE]; /* of the claimed name */
};

static int find_whose(struct reader *r, const char *name, struct whose *out, struct error *e)
{
    /* The statements filter by the agent alone. An agent whose entries alone are visible has none to show here. */
    const struct guard *g = reader_guarded(r);
    struct named_agent named = g && guard_hides_agent(r, name)
                                   ? (struct named_agent){g->agent, name}
                                   : list_named_agent(r, name);
    *out = (struct whose){.name = named.agent, .claimed = named.claimed != NULL};
    if (named.claimed)
        lookup_key(out->key, LOOKUP_CLAIMED, named.claimed);
    return db_int(reader_db(r), &out->agent, 0, e, "SELECT id FROM agent WHERE name = ?", "s",
                  named.agent);
}

static struct query query_of(struct db *db, const char *sql, const struct attribution_query *q,
                             const char *type, const struct whose *w, struct error *e)
{
    return db_query(db, e, sql, "isiibi", w->agent, type, q->limit, q->offset,
                    w->claimed ? (const void *)w->key : NULL, (size_t)LOOKUP_KEY_SIZE,
                    (int64_t)LOOKUP_CLAIMED);
}

static int add_rows(struct reader *r, const struct attribution_query *q, const char *type,
                    const struct whose *w, struct strbuf *out, struct error *e)
{
    struct json_object list = json_begin(out, '[');
    struct query rows = query_of(reader_db(r), type ? of_type : of_agent, q, type, w, e);
    while (db_next(&rows)) {
        json_item(&list);
        size_t before = out->len;
        add_fitting(out, q, rows.stmt);
        if (guard_names_in_json(r, w->name, out, before, e))
            return db_fail(&rows);
    }
    json_end(&list);
    return db_end(&rows);
}

static int answer(struct reader *r, const struct attribution_query *q, struct strbuf *out,
                  struct error *e)
{
    static const char count[] =
        "SELECT count(*) FROM attribution WHERE agent = ?1"
        " AND (?2 IS NULL OR type = ?2) AND ?3 = ?3 AND ?4 = ?4 AND " CLAIMS;
    const char *type = q->source_type && *q->source_type ? q->source_type : NULL;
    struct whose w;
    if (find_whose(r, q->agent_id, &w, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "attributions");
    if (add_rows(r, q, type, &w, out, e))
        return -1;
    struct query total = query_of(reader_db(r), count, q, type, &w, e);
    if (db_next(&total))
        json_pair_int(&o, "total", sqlite3_column_int64(total.stmt, 0));
    json_end(&o);
    return db_end(&total);
}

int attributions_answer(struct reader *r, const struct attribution_query *q, struct strbuf *out,
                        struct error *e)
{
    return reader_begin(r, e) ? -1 : reader_done(r, answer(r, q, out, e));
}
