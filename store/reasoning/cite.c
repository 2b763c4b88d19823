/* Citing: the passages of a response become memories, and an event says that it has no more. */
#include "store/reasoning/cite.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/reasoning/document.h"
#include "store/journal/journal_write.h"
#include "store/ops/policy.h"
#include "store/db/reader.h"
#include "store/txn/txn.h"

struct citing {
    struct txn *t;
    const struct actor *actor;
    const struct cited_response *given;
    const char *agent; /* whose they are */
    struct arena *arena;
    struct error *e;
};

/* ---- one citation ---- */

static void add_text(struct json_object *o, const char *key, const char *text)
{
    if (text)
        json_pair(o, key, text);
}

/* Its place, and the response that it belongs to. Its snippet is the memory's text. */
static const char *make_detail(const struct citing *c, const struct citation *one, size_t rank)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_pair(&o, "document_id", one->document_id);
    add_text(&o, "document_name", one->unnamed ? NULL : one->name);
    if (one->page > 0)
        json_pair_int(&o, "page", one->page);
    add_text(&o, "section", one->section);
    if (one->paragraph >= 0)
        json_pair_int(&o, "paragraph", one->paragraph);
    add_text(&o, "conversation_id", c->given->conversation_id);
    add_text(&o, "message_id", c->given->message_id);
    if (one->retrieved_at != INT64_MIN)
        json_pair_int(&o, "retrieved_at", one->retrieved_at);
    json_pair_int(&o, "rank", (int64_t)rank);
    if (!one->snippet)
        json_pair(&o, "snippet", NULL);
    json_end(&o);
    const char *detail = arena_strndup(c->arena, out.buf, out.len);
    strbuf_release(&out);
    return detail;
}

/* The snippet, else how the citation reads. */
static void fill_text(struct citing *c, struct memory *m, const struct citation *one)
{
    struct strbuf text = STRBUF_INIT;
    if (one->snippet && *one->snippet)
        strbuf_addstr(&text, one->snippet);
    else
        citation_format(&text, one->name, one->page, one->section);
    memory_set_text(m, c->arena, text.buf, text.len);
    strbuf_release(&text);
}

/* What is cited of an unnamed document is all that is known of it. */
static struct source source_of(const struct citation *one)
{
    return (struct source){.document_id = one->document_id,
                           .invented = one->invented,
                           .title = one->unnamed ? NULL : one->name,
                           .relevance = one->relevance,
                           .origin = one->origin,
                           .excerpt = one->snippet,
                           .chunk = -1,
                           .rank = -1,
                           .content = one->snippet,
                           .content_len = one->snippet ? strlen(one->snippet) : 0};
}

/* The rank that a source is made an id of is that of its response, and no other one's. */
static const char *salt_of(const struct citing *c, const char *id, const struct citation *one)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addf(&out, "%s/%s", id, one->document_id);
    const char *salt = arena_strndup(c->arena, out.buf, out.len);
    strbuf_release(&out);
    return salt;
}

static int rest_on(struct citing *c, struct memory *m, const struct citation *one, size_t rank)
{
    struct source source = source_of(one);
    struct justification *j = arena_alloc(c->arena, sizeof(*j));
    struct antecedent *a = arena_alloc(c->arena, sizeof(*a));
    struct use *use = arena_alloc(c->arena, sizeof(*use));
    const char *salt = salt_of(c, m->ref.id, one);
    int64_t node;
    if (document_take(c->t, c->actor, "add", c->agent, &source, salt, c->arena, &a->ref, &node,
                      c->e) ||
        document_tie(c->t, c->actor, c->agent, node, &source, c->arena, c->e))
        return -1;
    *use = (struct use){.relevance = one->relevance,
                        .score = one->origin,
                        .chunk = -1,
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

static int add(struct citing *c, const struct citation *one, size_t rank, struct added *out)
{
    struct memory m;
    char id[37];
    if (txn_make_id(c->t, id, c->e))
        return -1;
    memory_init(&m, (struct ref){KIND_CITATION, arena_strdup(c->arena, id)});
    m.agent_id = c->agent;
    m.created_at = m.updated_at = txn_now(c->t);
    m.source_type = source_type_name(SOURCE_EXTERNAL);
    m.detail = make_detail(c, one, rank);
    fill_text(c, &m, one);
    if (rest_on(c, &m, one, rank) || txn_put(c->t, c->actor, "source_added", NULL, &m, NULL, c->e))
        return -1;
    *out = (struct added){.node = m.node, .ref = m.ref, .version = m.version};
    return 0;
}

/* ---- what the message cited before ---- */

/* What a person's word keeps as it is stays, and is named; another agent's is none of its concern. */
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
            out->kept[out->kept_count++] = before.ref;
        return 0;
    }
    struct memory after = before;
    after.status = STATUS_SUPERSEDED;
    after.updated_at = txn_now(c->t);
    return txn_put(c->t, c->actor, "supersede", &before, &after, NULL, c->e);
}

static int supersede_cited(struct citing *c, struct cite_result *out)
{
    struct reader *r = txn_reader(c->t, c->e);
    const struct citation_query q = {.conversation_id = c->given->conversation_id,
                                     .message_id = c->given->message_id};
    int64_t *rows;
    size_t count;
    if (!q.conversation_id || !q.message_id)
        return 0;
    if (!r || citations_find(r, c->arena, &q, &rows, &count, c->e))
        return -1;
    out->kept = arena_array(c->arena, count + 1, sizeof(*out->kept));
    for (size_t i = 0; i < count; i++)
        if (supersede(c, rows[i], out))
            return -1;
    return 0;
}

/* ---- the response ---- */

/* One for each place, the most relevant first, CITATIONS_MAX of them. */
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
    if (utf8_valid(c->agent, strlen(c->agent)) && utf8_count(c->agent) <= AGENT_NAME_MAX)
        return 0;
    return error_set(c->e, ERROR_INVALID, "Call the agent by a shorter name.",
                     "the agent's name is no text of at most %d characters", AGENT_NAME_MAX);
}

int cite_sources(struct txn *t, const struct actor *actor, const struct cited_response *given,
                 struct arena *arena, struct cite_result *out, struct error *e)
{
    char id[37];
    struct actor together = *actor;
    struct citation_list list;
    struct citing c = {t, &together, given, NULL, arena, e};
    c.agent = !utf8_is_blank(given->agent_id) ? given->agent_id
              : !utf8_is_blank(actor->agent)  ? actor->agent
                                              : actor->name;
    *out = (struct cite_result){.at = txn_now(t)};
    if (check(&c) || citations_read(&list, arena, given->sources, out->at, e))
        return -1;
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
    return journal_append(t, &together, &(struct change){.operation = "done"}, e);
}
