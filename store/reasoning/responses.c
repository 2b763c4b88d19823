/* Reads what responses cited, and checks it. */
#include "store/history/history.h"
#include "store/reasoning/responses.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/format/memory_json.h"
#include "model/reasoning/citation.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/ops/policy.h"
#include "store/reasoning/cite.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"

#define RETRIEVALS_MOST 16   /* of a document, that are searched for a passage */
#define RATINGS_MOST    20   /* of the document itself */
#define USERS_MOST      5000 /* of a document, that are counted of each kind */

/* ---- the quality of a source ---- */

static int count_users(struct db *db, int64_t document, enum kind kind, int64_t *out,
                       struct error *e)
{
    return db_int(
        db, out, 0, e,
        "SELECT count(*) FROM (SELECT DISTINCT l.memory FROM link l INDEXED BY link_target"
        " CROSS JOIN memory m ON m.id = l.memory WHERE l.target = ? AND l.shape & 31 < ?"
        " AND m.kind = ? AND m.status = 0 LIMIT ?)",
        "iiii", document, (int64_t)ROLE_SUPPORT_COUNT, (int64_t)kind, (int64_t)USERS_MOST);
}

/* The text in one line: a line break is a space, another control character U+FFFD. */
static const char *shown(struct arena *arena, const char *text)
{
    AUTO_STRBUF line = STRBUF_INIT;
    if (!text)
        return NULL;
    for (const char *at = text; *at; at++)
        if (strchr("\n\r\t", *at))
            strbuf_addch(&line, ' ');
        else if ((unsigned char)*at < ' ' || *at == 0x7f)
            strbuf_addstr(&line, "\xef\xbf\xbd");
        else
            strbuf_addch(&line, *at);
    return arena_strndup(arena, line.buf, line.len);
}

/* The ratings that count of one memory: a rater's later one takes the place of the earlier. */
struct raters {
    struct flag *flag;
    size_t count, alloc;
    int64_t memory;
};

static bool is_latest(struct raters *seen, int64_t memory, const struct flag *flag,
                      struct arena *arena)
{
    if (memory != seen->memory)
        seen->count = 0;
    seen->memory = memory;
    for (size_t i = 0; i < seen->count; i++)
        if (seen->flag[i].judge == flag->judge && same_text(seen->flag[i].actor, flag->actor))
            return false;
    *ARENA_ADD(arena, seen->flag, seen->count, seen->alloc) = *flag;
    return true;
}

static void add_rating(struct arena *arena, const struct flag *flag, size_t *alloc,
                       struct source_quality *out)
{
    out->more_ratings = out->rating_count == RATINGS_MOST;
    if (!out->more_ratings)
        *ARENA_ADD(arena, out->rating, out->rating_count, *alloc) = (struct source_rating){
            shown(arena, flag->value), shown(arena, flag->actor), flag->judge};
}

/* The ratings of the document: as a source of its users, and of itself. */
static int read_ratings(struct reader *r, struct arena *arena, int64_t document, struct ref ref,
                        struct source_quality *out, struct error *e)
{
    static const char sql[] =
        "SELECT k.memory, k.value, k.actor, k.at, k.by_agent FROM (SELECT DISTINCT l.memory"
        " FROM link l INDEXED BY link_target WHERE l.target = ?1 AND l.memory <> ?1 LIMIT ?2) u"
        " CROSS JOIN mark k ON k.memory = u.memory WHERE k.mark = 'rating'"
        " UNION ALL SELECT memory, value, actor, at, by_agent FROM mark WHERE memory = ?1"
        " AND mark = 'rating' ORDER BY 1, 4 DESC";
    struct raters seen = {.memory = 0};
    size_t alloc = 0;
    struct query rows = db_query(reader_db(r), e, sql, "ii", document, (int64_t)USERS_MOST);
    while (db_next(&rows)) {
        struct ref of;
        const char *word;
        int64_t memory = sqlite3_column_int64(rows.stmt, 0);
        struct flag flag = {.value = column_utf8(arena, rows.stmt, 1),
                            .actor = column_utf8(arena, rows.stmt, 2),
                            .at = sqlite3_column_int64(rows.stmt, 3),
                            .by_agent = sqlite3_column_int(rows.stmt, 4) != 0};
        bool whole = memory == document;
        if (!whole && (!rating_parse(flag.value, arena, &of, &word) || !ref_equal(of, ref)))
            continue;
        if (policy_find_judge(r, memory, &flag, e))
            return db_fail(&rows);
        if (!is_latest(&seen, memory, &flag, arena))
            continue;
        if (whole) {
            add_rating(arena, &flag, &alloc, out);
            continue;
        }
        out->relevant[flag.judge] += strcmp(word, RATING_RELEVANT) == 0;
        out->irrelevant[flag.judge] += strcmp(word, RATING_IRRELEVANT) == 0;
    }
    return db_end(&rows);
}

int source_quality_read(struct reader *r, struct arena *arena, int64_t document,
                        struct source_quality *out, struct error *e)
{
    struct memory_row row;
    struct db *db = reader_db(r);
    *out = (struct source_quality){0};
    if (memory_row_read(r, arena, document, &row, e) ||
        count_users(db, document, KIND_CITATION, &out->citations, e) ||
        count_users(db, document, KIND_STEP, &out->steps, e) ||
        read_ratings(r, arena, document, row.ref, out, e))
        return -1;
    out->status = row.status;
    struct author ended = {.seq = 0};
    if (!STATUS_LIVES(row.status) && history_ended_by(r, arena, document, row.status, &ended, e))
        return -1;
    out->ended_at = ended.at;
    out->ended_by = ended.who;
    return 0;
}

static void add_count(struct strbuf *out, const char *before, int64_t count, const char *what)
{
    strbuf_addf(out, "%s%lld%s %s%s", before, (long long)count, count == USERS_MOST ? "+" : "",
                what, count == 1 ? "" : "s");
}

static void add_rated(struct strbuf *out, const char *before, int64_t count, const char *by)
{
    if (count == 0)
        return;
    add_count(out, before, count, "time");
    strbuf_addstr(out, by);
}

void source_quality_add(struct strbuf *out, const struct source_quality *q)
{
    static const char *const by[JUDGES] = {"", " in an import", " by agents"};
    char day[32];
    add_count(out, "cited ", q->citations, "time");
    add_count(out, ", used by ", q->steps, "step");
    for (int judge = 0; judge < JUDGES; judge++) {
        add_rated(out, ", rated relevant ", q->relevant[judge], by[judge]);
        add_rated(out, ", rated irrelevant ", q->irrelevant[judge], by[judge]);
    }
    for (size_t i = 0; i < q->rating_count; i++)
        strbuf_addf(out, ", rated %s by %s%s", q->rating[i].value ? q->rating[i].value : "",
                    judge_title(q->rating[i].judge),
                    q->rating[i].actor ? q->rating[i].actor : "someone");
    if (q->more_ratings)
        strbuf_addstr(out, " and others");
    if (STATUS_LIVES(q->status))
        return;
    strbuf_addf(out, ", %s", status_word(q->status));
    if (!q->ended_at)
        return;
    clock_format_iso(day, sizeof(day), q->ended_at);
    strbuf_addf(out, " %.10s by %s", day, q->ended_by ? q->ended_by : "an unknown actor");
}

static void write_ratings(struct json_object *quality, const struct source_quality *q)
{
    struct json_object list = json_open(quality, "ratings", '[');
    for (size_t i = 0; i < q->rating_count; i++) {
        struct json_object o = json_item_open(&list, '{');
        json_pair(&o, "value", q->rating[i].value);
        json_pair(&o, "actor", q->rating[i].actor);
        if (q->rating[i].judge != JUDGE_PERSON)
            json_pair_bool(&o, q->rating[i].judge == JUDGE_AGENT ? "by_agent" : "imported", true);
        json_end(&o);
    }
    json_end(&list);
    json_pair_true_if(quality, "more_ratings", q->more_ratings);
}

void source_quality_write(struct json_object *o, const struct source_quality *q)
{
    static const char *const relevant[JUDGES] = {"relevant", "imported_relevant",
                                                 "agents_relevant"},
                             *const irrelevant[JUDGES] = {"irrelevant", "imported_irrelevant",
                                                          "agents_irrelevant"};
    struct json_object quality = json_open(o, "quality", '{');
    json_pair_int(&quality, "citations", q->citations);
    json_pair_int(&quality, "steps", q->steps);
    for (int judge = 0; judge < JUDGES; judge++) {
        if (judge != JUDGE_PERSON && !q->relevant[judge] && !q->irrelevant[judge])
            continue;
        json_pair_int(&quality, relevant[judge], q->relevant[judge]);
        json_pair_int(&quality, irrelevant[judge], q->irrelevant[judge]);
    }
    if (q->rating_count)
        write_ratings(&quality, q);
    json_pair(&quality, "status", status_name(q->status));
    if (q->ended_at) {
        json_pair_int(&quality, "ended_at", q->ended_at);
        json_pair(&quality, "ended_by", q->ended_by);
    }
    json_end(&quality);
}

/* ---- a citation ---- */

int cited_work_of_document(struct reader *r, struct arena *arena, int64_t document,
                           struct cited_work *out, struct error *e)
{
    struct memory m;
    out->citation.name = shown(arena, out->citation.name);
    out->citation.section = shown(arena, out->citation.section);
    if (document <= 0)
        return 0;
    if (memory_read(r, arena, document, &m, e))
        return -1;
    detail_text(&m, "author", arena, &out->author);
    detail_text(&m, "uri", arena, &out->uri);
    out->author = shown(arena, out->author);
    out->uri = shown(arena, out->uri);
    out->year = detail_int(&m, "year", 0);
    return 0;
}

/* The document that the citation is based on. */
static const struct antecedent *document_of(const struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_CITATION && m->justifications[i].count)
            return &m->justifications[i].antecedents[0];
    return NULL;
}

int cited_work_read(struct reader *r, struct arena *arena, const struct memory *m,
                    struct cited_work *out, struct error *e)
{
    const struct antecedent *document = document_of(m);
    *out = (struct cited_work){.author = NULL};
    citation_from_memory(m, arena, &out->citation);
    return cited_work_of_document(r, arena, document ? document->node : 0, out, e);
}

/* The texts in the logged content of a retrieval, a blank between two. NULL if there is none. */
static const char *content_of(const struct memory *m, struct arena *arena)
{
    struct json_slice content = detail_member(m, "full_content_json");
    AUTO_STRBUF texts = STRBUF_INIT;
    const char *end = content.ptr + content.len;
    if (!content.ptr || *content.ptr == 'n')
        return NULL;
    for (const char *at = content.ptr; at < end; at++) {
        const char *from = at;
        if (*at != '"')
            continue;
        for (at++; at < end && *at != '"'; at++)
            at += *at == '\\';
        size_t len = (size_t)(at < end ? at - from + 1 : end - from);
        const char *text = json_text_repaired(arena, (struct json_slice){from, len});
        strbuf_addf(&texts, "%s%s", texts.len ? " " : "", text ? text : "");
    }
    return arena_strndup(arena, texts.buf, texts.len);
}

/* Looks for the passage in the logged contents, the newest first. */
static int check_passage(struct reader *r, const struct document_retrieval *retrieval, size_t count,
                         struct response_citation *c, struct error *e)
{
    const char *passage = c->work.citation.snippet;
    AUTO_ARENA scratch = ARENA_INIT; /* contents may be large */
    int result = 0;
    bool found = false;
    for (size_t i = 0; i < count && passage && *passage && !found && result == 0; i++) {
        struct memory m;
        arena_clear(&scratch);
        result = memory_read(r, &scratch, retrieval[i].attribution, &m, e);
        const char *content = result ? NULL : content_of(&m, &scratch);
        found = content && text_has_passage(content, passage);
        if (found) {
            c->passage = c->passage == PASSAGE_UNKNOWN ? PASSAGE_FOUND : PASSAGE_OUTDATED;
            c->passage_at = retrieval[i].at;
            c->passage_status = m.status;
        } else if (content) {
            c->passage = PASSAGE_NEVER;
        }
    }
    return result;
}

static int read_document(struct reader *r, struct arena *arena, const struct antecedent *document,
                         struct response_citation *c, struct error *e)
{
    struct document_retrieval *retrieval;
    struct memory_row row;
    size_t count;
    bool more;
    c->document = document->node;
    c->document_ref = document->ref;
    if (source_quality_read(r, arena, document->node, &c->quality, e) ||
        document_retrieval_status(r, document->node, &c->linked_status, e) ||
        document_retrievals(r, arena, document->node, RETRIEVALS_MOST, &retrieval, &count, &more,
                            e))
        return -1;
    if (count == 0)
        return 0;
    if (memory_row_read(r, arena, retrieval[0].attribution, &row, e))
        return -1;
    c->retrieval = retrieval[0].attribution;
    c->retrieved_at = retrieval[0].at;
    c->match = retrieval[0].match;
    c->retrieval_ref = row.ref;
    c->retrieval_status = row.status;
    return check_passage(r, retrieval, count, c, e);
}

/* ---- responses ---- */

/* A citation with what it is grouped by. */
struct read_citation {
    struct response_citation citation;
    const char *conversation, *message, *agent, *text;
    int64_t at, rank;
    bool nothing;      /* the response cites nothing */
    size_t of, within; /* its response; the conversation of that */
};

static int read_one(struct reader *r, struct arena *arena, int64_t row, struct read_citation *out,
                    struct error *e)
{
    struct memory m;
    *out = (struct read_citation){.citation = {.node = row}};
    if (memory_read(r, arena, row, &m, e) || cited_work_read(r, arena, &m, &out->citation.work, e))
        return -1;
    const struct antecedent *document = document_of(&m);
    out->citation.ref = m.ref;
    detail_text(&m, "conversation_id", arena, &out->conversation);
    detail_text(&m, "message_id", arena, &out->message);
    detail_text(&m, "response_text", arena, &out->text);
    out->conversation = out->conversation ? out->conversation : "";
    out->message = out->message ? out->message : "";
    out->agent = m.agent_id ? m.agent_id : "";
    out->nothing = cites_nothing(&m);
    out->at = m.created_at;
    out->rank = detail_int(&m, "rank", INT64_MAX);
    return document ? read_document(r, arena, document, &out->citation, e) : 0;
}

/* Whether a relation between the two documents says that they contradict each other. */
static int is_contradiction(struct reader *r, int64_t a, int64_t b, int64_t *out, struct error *e)
{
    return db_int(reader_db(r), out, 0, e,
                  "SELECT 1 FROM link WHERE shape & 31 = ?3 AND ((memory = ?1 AND target = ?2)"
                  " OR (memory = ?2 AND target = ?1)) LIMIT 1",
                  "iii", a, b, (int64_t)RELATION_CONTRADICTS);
}

static int find_conflicts(struct reader *r, struct arena *arena, struct response *of,
                          struct error *e)
{
    size_t alloc = 0;
    for (size_t i = 0; i < of->count; i++)
        for (size_t k = i + 1; k < of->count; k++) {
            const struct response_citation *a = &of->citation[i], *b = &of->citation[k];
            const char *x = a->work.citation.snippet, *y = b->work.citation.snippet;
            int64_t recorded = 0;
            if (a->document && b->document && a->document != b->document &&
                is_contradiction(r, a->document, b->document, &recorded, e))
                return -1;
            if (recorded || (x && y && numbers_differ(x, y)))
                *ARENA_ADD(arena, of->conflict, of->conflict_count, alloc) =
                    (struct response_conflict){i, k, recorded != 0};
        }
    return 0;
}

static void check_text(struct arena *arena, struct response *of, const char *text)
{
    struct citation *cited = arena_array(arena, of->count + 1, sizeof(*cited));
    for (size_t i = 0; i < of->count; i++)
        cited[i] = of->citation[i].work.citation;
    of->uncertainty = citations_uncertainty(cited, of->count);
    of->has_text = text && !utf8_is_blank(text);
    if (of->has_text)
        sentences_uncited(text, cited, of->count, arena, &of->uncited, &of->uncited_count);
}

static int by_response(const void *a, const void *b)
{
    const struct read_citation *x = a, *y = b;
    int order = COMPARE(x->within, y->within);
    order = order ? order : COMPARE(x->of, y->of);
    order = order ? order : COMPARE(x->rank, y->rank);
    return order ? order : COMPARE(x->citation.node, y->citation.node);
}

/* Numbers the responses by time, and their conversations by their last response, the newest first. */
static void group(struct read_citation *list, size_t count)
{
    struct key_index responses = KEY_INDEX_INIT, conversations = KEY_INDEX_INIT;
    AUTO_STRBUF key = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&key);
        /* Agents do not replace each other's citations, so theirs are responses of their own; so is what has no ids. */
        strbuf_addf(&key, "%zu %zu %s%s%s", strlen(list[i].conversation), strlen(list[i].message),
                    list[i].conversation, list[i].message, list[i].agent);
        if (!*list[i].conversation && !*list[i].message)
            strbuf_addf(&key, " %lld", (long long)list[i].citation.node);
        list[i].of = key_index_add(&responses, key.buf, key.len);
        const char *newest = list[count - 1 - i].conversation;
        key_index_add(&conversations, newest, strlen(newest));
    }
    for (size_t i = 0; i < count; i++)
        list[i].within =
            key_index_find(&conversations, list[i].conversation, strlen(list[i].conversation));
    key_index_release(&responses);
    key_index_release(&conversations);
    SORT(list, count, by_response);
}

/* `rows` are by time. */
static int make(struct reader *r, const int64_t *rows, size_t count, struct responses *out,
                struct error *e)
{
    struct arena *arena = &out->arena;
    struct read_citation *list = arena_array(arena, count + 1, sizeof(*list));
    struct response_citation *all = arena_array(arena, count + 1, sizeof(*all));
    out->response = arena_array(arena, count + 1, sizeof(*out->response));
    for (size_t i = 0; i < count; i++)
        if (reader_check(r, e) || read_one(r, arena, rows[i], &list[i], e))
            return -1;
    group(list, count);
    for (size_t i = 0, end; i < count; i = end) {
        const char *text = NULL;
        struct response *of = &out->response[out->count++];
        *of = (struct response){.conversation = list[i].conversation,
                                .message = list[i].message,
                                .agent = list[i].agent,
                                .at = list[i].at,
                                .citation = all + i};
        for (end = i; end < count && list[end].of == list[i].of; end++) {
            all[end] = list[end].citation;
            text = text ? text : list[end].text;
            of->count += !list[end].nothing;
        }
        check_text(arena, of, text);
        if (find_conflicts(r, arena, of, e))
            return -1;
    }
    return 0;
}

/* The newest citations, by time. */
static int find_newest(struct reader *r, struct arena *arena, size_t limit, int64_t **rows,
                       size_t *count, bool *more, struct error *e)
{
    size_t alloc = 0;
    struct query q =
        db_query(reader_db(r), e,
                 "SELECT id FROM memory WHERE kind = ? AND status = 0 ORDER BY id DESC LIMIT ?",
                 "ii", (int64_t)KIND_CITATION, (int64_t)limit + 1);
    while (db_next(&q))
        *ARENA_ADD(arena, *rows, *count, alloc) = sqlite3_column_int64(q.stmt, 0);
    *more = *count > limit;
    *count = *more ? limit : *count;
    for (size_t i = 0; i < *count / 2; i++) {
        int64_t row = (*rows)[i];
        (*rows)[i] = (*rows)[*count - 1 - i];
        (*rows)[*count - 1 - i] = row;
    }
    return db_end(&q);
}

static int find(struct reader *r, const char *of, size_t limit, struct responses *out,
                struct error *e)
{
    const struct citation_query conversation = {.conversation_id = of, .and_nothing = true},
                                message = {.message_id = of, .and_nothing = true};
    int64_t *rows = NULL;
    size_t count = 0;
    if (of ? citations_find(r, &out->arena, &conversation, &rows, &count, NULL, e) ||
                 (!count && citations_find(r, &out->arena, &message, &rows, &count, NULL, e))
           : find_newest(r, &out->arena, limit, &rows, &count, &out->more, e))
        return -1;
    return make(r, rows, count, out, e);
}

static struct responses *done(struct reader *r, struct responses *out, int result)
{
    if (reader_done(r, result) == 0)
        return out;
    responses_free(out);
    return NULL;
}

static struct responses *begin(struct reader *r, struct error *e)
{
    struct responses *out = xcalloc(1, sizeof(*out));
    if (reader_begin(r, e) == 0)
        return out;
    free(out);
    return NULL;
}

struct responses *responses_read(struct reader *r, const char *of, size_t limit, struct error *e)
{
    struct responses *out = begin(r, e);
    return out ? done(r, out, find(r, of, limit, out, e)) : NULL;
}

/* All citations of the same response; of a superseded one that one alone. */
static int find_same(struct reader *r, int64_t citation, struct responses *out, struct error *e)
{
    struct memory m;
    struct citation_query q = {.and_nothing = true};
    int64_t *rows = NULL;
    size_t count = 0;
    if (memory_read(r, &out->arena, citation, &m, e))
        return -1;
    if (m.ref.kind != KIND_CITATION)
        return 0;
    detail_text(&m, "conversation_id", &out->arena, &q.conversation_id);
    detail_text(&m, "message_id", &out->arena, &q.message_id);
    if (m.status == STATUS_ACTIVE && (q.conversation_id || q.message_id) &&
        citations_find(r, &out->arena, &q, &rows, &count, NULL, e))
        return -1;
    return count ? make(r, rows, count, out, e) : make(r, &citation, 1, out, e);
}

struct responses *responses_of(struct reader *r, int64_t citation, struct error *e)
{
    struct responses *out = begin(r, e);
    return out ? done(r, out, find_same(r, citation, out, e)) : NULL;
}

void responses_free(void *responses)
{
    struct responses *all = responses;
    if (!all)
        return;
    arena_release(&all->arena);
    free(all);
}

/* ---- as JSON ---- */

static const char *const passage_names[] = {"unknown", "found", "gone", "never"};

static void write_citation(struct json_object *list, const struct response_citation *c)
{
    AUTO_STRBUF formatted = STRBUF_INIT;
    const struct citation *cited = &c->work.citation;
    citation_format(&formatted, cited->name, cited->page, cited->section);
    struct json_object o = json_item_open(list, '{');
    memory_json_pair_ref(&o, "ref", c->ref);
    citation_write_members(&o, cited);
    json_pair(&o, "formatted", formatted.buf);
    if (c->document) {
        memory_json_pair_ref(&o, "document", c->document_ref);
        source_quality_write(&o, &c->quality);
    }
    if (c->retrieval) {
        memory_json_pair_ref(&o, "retrieval", c->retrieval_ref);
        json_pair_int(&o, "retrieved", c->retrieved_at);
        json_pair(&o, "match", retrieval_match_name(c->match));
        if (c->retrieval_status != STATUS_ACTIVE)
            json_pair(&o, "retrieval_status", status_name(c->retrieval_status));
        if (c->linked_status != STATUS_ACTIVE)
            json_pair(&o, "linked_retrieval_status", status_name(c->linked_status));
    }
    json_pair(&o, "passage", passage_names[c->passage]);
    if (!STATUS_LIVES(c->passage_status))
        json_pair(&o, "passage_retrieval_status", status_name(c->passage_status));
    json_end(&o);
}

static void write_response(struct json_object *list, const struct response *of)
{
    struct json_object o = json_item_open(list, '{');
    json_pair(&o, "conversationId", of->conversation);
    json_pair(&o, "messageId", of->message);
    json_pair(&o, "agent_id", of->agent);
    json_pair_int(&o, "at", of->at);
    json_pair(&o, "uncertainty", uncertainty_name(of->uncertainty));
    struct json_object citations = json_open(&o, "citations", '[');
    for (size_t i = 0; i < of->count; i++)
        write_citation(&citations, &of->citation[i]);
    json_end(&citations);
    if (of->has_text) {
        json_pair_strings(&o, "uncited", of->uncited, of->uncited_count);
    }
    struct json_object conflicts = json_open(&o, "contradictions", '[');
    for (size_t i = 0; i < of->conflict_count; i++) {
        const struct response_conflict *c = &of->conflict[i];
        json_item(&conflicts);
        strbuf_addf(o.out, "{\"citations\":[%zu,%zu],\"how\":\"%s\"}", c->a + 1, c->b + 1,
                    c->recorded ? "recorded" : "numbers");
    }
    json_end(&conflicts);
    json_end(&o);
}

void responses_write(struct strbuf *out, const struct responses *all)
{
    struct json_object o = json_begin(out, '{');
    struct json_object list = json_open(&o, "responses", '[');
    for (size_t i = 0; i < all->count; i++)
        write_response(&list, &all->response[i]);
    json_end(&list);
    json_pair_bool(&o, "more", all->more);
    json_end(&o);
}
