/* Rows of memories as an answer, and the tools that give them: memory_list and memory_search. */
#include <stdlib.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/query/query.h"
#include "store/json/compact.h"
#include "store/json/answer.h"
#include "store/search/search.h"
#include "store/mcp/tools/tools.h"
#include "store/lineage/effective.h"
#include "store/lineage/neighbours.h"
#include "store/lineage/trust.h"
#include "store/db/reader.h"
#include "store/query/list.h"

#define SNIPPET_WIDTH 160 /* code points */

/* An answer with `detail` full: such a memory, or a list of them. */
static const struct field full_fields[] = {
    OBJECTS("memories", 0, memory_fields, NULL),
    FIELD_END,
};

/* The memories of an answer; with `detail` full they have the members of memory_fields. */
static const struct field found_fields[] = {
    ROW_FIELDS,
    OPTIONAL("snippet", STRING, "Of the text, around the match."),
    FIELD_END,
};
static const struct field listed_fields[] = {
    ROW_FIELDS,
    OPTIONAL("text", STRING, NULL),
    OPTIONAL("trust", NUMBER, "In the order trust."),
    FIELD_END,
};

#define LEFT_OUT_FIELD OPTIONAL("left_out", INTEGER, "Hidden by the configuration.")

/* ---- the rows of an answer ---- */

size_t answer_rows_max(size_t count)
{
    size_t bytes = count <= 10 ? 2500 : 2500 + (count - 10) * 475 / 2;
    return bytes < ANSWER_BYTES ? bytes : ANSWER_BYTES;
}

/* Adds the member "snippet" to the object at the end of `out`. */
static void add_snippet(const struct strbuf *snippet, struct strbuf *out)
{
    strbuf_cut(out, out->len - 1); /* reopen the object for one more member */
    strbuf_addstr(out, ",\"snippet\":");
    json_add_string_len(out, snippet->buf, snippet->len);
    strbuf_addch(out, '}');
}

/* What lists leave out for the caller: bits of enum hidden. */
static unsigned hidden_of(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? guard_permissions(g->rules)->hide : 0;
}

static int is_left_out(struct reader *r, int64_t node, enum label label, bool *out, struct error *e)
{
    unsigned hide = hidden_of(r);
    enum kind kind;
    enum status status = STATUS_ACTIVE;
    if (hide && links_nature(r, node, &kind, &status, e))
        return -1;
    *out = (label >= LABEL_WEAKENED && label <= LABEL_UNSOURCED &&
            hide >> (HIDDEN_WEAKENED + label - LABEL_WEAKENED) & 1) ||
           (status >= STATUS_SUPERSEDED && status <= STATUS_DELETED &&
            hide >> (HIDDEN_SUPERSEDED + status - STATUS_SUPERSEDED) & 1);
    return 0;
}

/* The memories of an answer. */
struct rows {
    struct mcp_call *call;
    struct reader *reader;
    const struct memory_page *page;
    struct compact compact;
    struct compact_row *row; /* in the full form it has only a head */
    size_t count, left_out;
    size_t least,
        most; /* bytes of the rows if each is cut as far as it may be, and of all of them in the answer */
};

/* Reads a memory in the full form. */
static int read_full(struct rows *s, size_t i, const struct strbuf *snippet,
                     struct compact_row *out, struct error *e)
{
    const struct row_label *label = &s->page->label[i];
    AUTO_STRBUF form = STRBUF_INIT;
    enum kind kind;
    enum status status;
    int result =
        failed_if(links_nature(s->reader, s->page->row[i], &kind, &status, e) ||
                  add_form_in_list(s->call, s->reader, s->page->row[i], label, s->most, &form, e));
    if (result == 0 && s->page->words)
        add_snippet(snippet, &form);
    *out = (struct compact_row){.tail = "", .least = form.len, .bytes = form.len};
    if (result == 0) {
        out->head = arena_strndup(&s->call->arena, form.buf, form.len);
        out->holds = memory_holds(status, label->label);
    }
    return result;
}

static int read_one(struct rows *s, size_t i, struct compact_row *out, struct error *e)
{
    const struct memory_page *page = s->page;
    AUTO_STRBUF snippet = STRBUF_INIT;
    struct snippet_match match = {0, 0};
    int64_t row = page->row[i];
    int result = page->words ? search_snippet_of_row(s->reader, &s->call->arena, row, page->words,
                                                     SNIPPET_WIDTH, &snippet, &match, e)
                             : 0;
    const char *shown = !page->words ? NULL : snippet.buf ? snippet.buf : "";
    if (result == 0 && page->full)
        result = read_full(s, i, &snippet, out, e);
    else if (result == 0)
        result = compact_row_read(&s->compact, row, &page->label[i], shown, &match, out, e);
    return result;
}

/* Reads the memories that the answer may have, as long as their least bytes fit. Sets *written to the number of rows of
 * the page that it took. */
static int read_memories(struct rows *s, size_t *written, struct error *e)
{
    const struct memory_page *page = s->page;
    bool left;
    s->row = arena_array(&s->call->arena, page->count + 1, sizeof(*s->row));
    for (*written = 0; *written < page->count && (!page->most || s->count < page->most);
         ++*written) {
        struct compact_row *row = &s->row[s->count];
        if (is_left_out(s->reader, page->row[*written], page->label[*written].label, &left, e))
            return -1;
        s->left_out += left;
        if (left)
            continue;
        if (read_one(s, *written, row, e))
            return -1;
        if (s->count && s->least + row->least + 1 > s->most)
            break;
        s->least += row->least + 1;
        s->count++;
    }
    return 0;
}

/* The bytes that each row may take so that all fit: those that need less leave the rest to the others. */
static size_t share_of(const struct rows *s)
{
    size_t low = 0, high = s->most;
    while (low < high) {
        size_t share = (low + high + 1) / 2, sum = 0;
        for (size_t i = 0; i < s->count; i++) {
            const struct compact_row *row = &s->row[i];
            size_t bytes = row->bytes < share ? row->bytes : share;
            sum += 1 + (bytes > row->least ? bytes : row->least);
        }
        if (sum <= s->most)
            low = share;
        else
            high = share - 1;
    }
    return low;
}

/* Adds those that hold, or those that do not. */
static void add_rows(const struct rows *s, struct json_object *list, bool holds, size_t share)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct compact_row *row = &s->row[i];
        if (row->holds != holds)
            continue;
        json_item(list);
        compact_row_add(row, share > row->least ? share : row->least, list->out);
    }
}

int add_memories(struct mcp_call *call, struct reader *r, const struct memory_page *page,
                 struct json_object *o, size_t *written, struct error *e)
{
    struct rows s = {
        .call = call,
        .reader = r,
        .page = page,
        .compact = {.reader = r, .arena = &call->arena, .now = store_now(reader_store(r))}};
    size_t around = o->out->len + page->around;
    s.most = page->full ? page->bytes : answer_rows_max(page->most);
    s.most -= around < s.most ? around : s.most;
    if (read_memories(&s, written, e))
        return -1;
    size_t share = share_of(&s);
    struct json_object list = json_open(o, "memories", '[');
    add_rows(&s, &list, true, share);
    add_rows(&s, &list, false, share);
    json_end(&list);
    json_pair_int_if(o, "left_out", (int64_t)s.left_out);
    if (!page->full)
        call->full_bytes = compact_full_bytes(&s.compact);
    return 0;
}

/* ---- memory_list: memories by what they are, in pages ---- */

#define LIST_LIMIT_MAX 200

#define QUERY_FIELD                                                                                \
    FIELD("query", STRING, 0, "tag:x confidence:<0.7 after:2026-01-01 -kind:raw",                  \
          .longest = URI_MAX)

static const struct field list_arguments[] = {
    OPTIONAL("kind", STRING, NULL, .choice = one_kind),
    FIELD("agent_id", STRING, FIELD_NOT_EMPTY, NULL, .longest = SHORT_MAX),
    FIELD("status", STRING, FIELD_UNLISTED, NULL, .choice = one_status),
    OPTIONAL("label", STRING, NULL, .choice = one_label),
    QUERY_FIELD,
    OPTIONAL("order", STRING, NULL, .choice = one_order, .fallback = "\"recorded\""),
    LIMIT(LIST_LIMIT_MAX, "50"),
    OPTIONAL("cursor", STRING, "`next` of the page before"),
    DETAIL_FIELD,
    FIELD_END,
};

static const struct field list_answer[] = {
    OBJECTS("memories", FIELD_REQUIRED, listed_fields, NULL),
    FIELD("next", STRING, FIELD_OWN, "There are more: give it as cursor."),
    OPTIONAL("more", BOOLEAN, "true with `next`."),
    LEFT_OUT_FIELD,
    FIELD_END,
};

/* The page being made. */
struct page {
    struct list_query query;
    struct query_terms terms;
    struct list_rows rows;
    int label; /* -1 for any */
    size_t limit;
    bool full; /* in the full form */
    struct row_label labels[LIST_LIMIT_MAX];
    const struct loaded *all; /* loaded if a label is asked for, else NULL */
};

static int take_terms(struct mcp_call *call, struct reader *r, const char *query,
                      struct query_terms *terms, struct error *e)
{
    return query_parse(query, QUERY_MEMORIES,
                       (struct query_clock){store_now(reader_store(r)), clock_parse_when},
                       &call->arena, terms, e);
}

static int take_query(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    int kind = given_choice(&call->given, "kind", -1);
    int status = given_choice(&call->given, "status", -1);
    p->label = given_choice(&call->given, "label", -1);
    p->query.kinds = kind < 0 ? 0 : KIND_BIT(kind);
    struct named_agent of = list_named_agent(r, given_text(&call->given, "agent_id", NULL));
    p->query.agent = of.agent;
    p->query.claimed = of.claimed;
    p->query.order = (enum list_order)given_choice(&call->given, "order", ORDER_RECORDED);
    if (status >= 0)
        p->query.statuses = status == STATUS_MISSING ? STATUSES_ALL : STATUS_BIT(status);
    else if (p->label == LABEL_ENDED)
        p->query.statuses = STATUSES_ALL; /* by default most ended memories are left out */
    p->limit = (size_t)given_integer(&call->given, "limit", 50);
    p->rows.most =
        hidden_of(r) ? LIST_LIMIT_MAX : p->limit; /* what is left out makes room for others */
    p->full = wants_full(call);
    const char *query = given_text(&call->given, "query", NULL);
    if (take_terms(call, r, query ? query : "", &p->terms, e))
        return -1;
    p->query.terms = p->terms.count ? &p->terms : NULL;
    return 0;
}

int list_rows_read(struct mcp_call *call, struct reader *r, const struct list_query *query,
                   const char *cursor, struct list_rows *rows, struct error *e)
{
    AUTO_STRBUF next = STRBUF_INIT;
    int64_t row;
    int more;
    struct list *l = list_open(r, query, cursor && *cursor ? cursor : NULL, e);
    if (!l)
        return -1;
    rows->row = arena_array(&call->arena, rows->most + 1, sizeof(*rows->row));
    while ((more = list_next(l, &row, e)) > 0 && rows->count < rows->most) {
        rows->row[rows->count++] = row;
        if (rows->count == rows->most)
            list_cursor(l, &next);
    }
    rows->more = more > 0;
    rows->next = arena_strndup(&call->arena, next.buf, next.len);
    list_close(l);
    return more < 0 ? -1 : 0;
}

static int read_rows(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    const char *cursor = given_text(&call->given, "cursor", NULL);
    return list_rows_read(call, r, &p->query, cursor, &p->rows, e);
}

/* The compact form tells the trust only in a list ordered by it. */
static bool tells_trust(const struct page *p)
{
    return p->full || p->query.order == ORDER_TRUST;
}

static int find_labelled(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    reader_part(r, 0, 2);
    p->all = loaded_labels_get(r, e);
    reader_part(r, 1, 2);
    if (!p->all)
        return -1;
    p->query.bytes = p->all->labels.label;
    p->query.byte_count = p->all->rows;
    p->query.byte = (uint8_t)p->label;
    if (read_rows(call, r, p, e))
        return -1;
    reader_progress(r, (int64_t)p->all->rows, (int64_t)p->all->rows);
    for (size_t i = 0; i < p->rows.count; i++)
        p->labels[i].label = (enum label)p->label;
    return failed_if((tells_trust(p) && trust_fill(r, p->rows.row, p->rows.count, p->labels, e)) ||
                     trust_class_fill(r, p->rows.row, p->rows.count, p->labels, e) ||
                     effective_fill(r, p->rows.row, p->rows.count, p->labels, e));
}

static int find_support(struct reader *r, const int64_t *rows, size_t count, bool trust,
                        struct row_label *out, struct error *e)
{
    return failed_if((trust ? support_of_rows : effective_of_rows)(r, rows, count, out, e) ||
                     trust_class_fill(r, rows, count, out, e));
}

static int find(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    if (p->label >= 0)
        return find_labelled(call, r, p, e);
    return failed_if(read_rows(call, r, p, e) ||
                     find_support(r, p->rows.row, p->rows.count, tells_trust(p), p->labels, e));
}

/* Bytes around the rows: names of members, "left_out", "more"; and the most of a cursor, which in the order of texts
 * has the beginning of one. */
#define AROUND_ROWS 48
#define CURSOR      100
#define TEXT_CURSOR 680

/* Adds the rows, with room for a cursor of so many bytes. */
static int add_page_rows(struct mcp_call *call, struct reader *r, struct page *p, size_t cursor,
                         struct json_object *o, size_t *written, struct error *e)
{
    const struct memory_page page = {.row = p->rows.row,
                                     .label = p->labels,
                                     .count = p->rows.count,
                                     .most = p->limit,
                                     .full = p->full,
                                     .bytes = ANSWER_BYTES,
                                     .around = AROUND_ROWS + cursor};
    *o = json_begin(&call->result, '{');
    return add_memories(call, r, &page, o, written, e);
}

static int add_page(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    size_t written, cursor = p->rows.more ? strlen(p->rows.next) : 0;
    struct json_object o;
    if (add_page_rows(call, r, p, cursor, &o, &written, e))
        return -1;
    /* The page ended early: there is another cursor after its last row. How many rows there are is found with room for
     * the longest, how much of them with room for this one. */
    if (written < p->rows.count) {
        strbuf_clear(&call->result);
        cursor = p->query.order == ORDER_TEXT ? TEXT_CURSOR : CURSOR;
        if (add_page_rows(call, r, p, cursor, &o, &written, e))
            return -1;
    }
    if (written < p->rows.count) {
        p->rows = (struct list_rows){.most = written};
        strbuf_clear(&call->result);
        if (read_rows(call, r, p, e) ||
            add_page_rows(call, r, p, strlen(p->rows.next), &o, &written, e))
            return -1;
    }
    if (p->rows.more) {
        json_pair(&o, "next", p->rows.next);
        json_pair_bool(&o, "more", true);
    }
    json_end(&o);
    return 0;
}

static int read_list(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct page p = {.label = -1};
    if (take_query(call, r, &p, e))
        return -1;
    int result = find(call, r, &p, e) || add_page(call, r, &p, e) ? -1 : 0;
    loaded_release(p.all);
    return result;
}

const struct mcp_tool tool_memory_list = {
    .name = "memory_list",
    .title = "List memories",
    .description =
        "Lists memories, last recorded first. Label unsupported: what lost support. For a subject "
        "use memory_search.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(list_arguments, list_answer),
    .full = full_fields,
    READS(read_list),
};

/* ---- memory_search: memories that have all the words ---- */

#define SEARCH_LIMIT_MAX 200

static const struct field search_arguments[] = {
    FIELD("query", STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY, NULL, .longest = URI_MAX),
    OPTIONAL("kind", STRING, NULL, .choice = one_kind),
    FIELD("agent_id", STRING, FIELD_NOT_EMPTY, NULL, .longest = SHORT_MAX),
    LIMIT(SEARCH_LIMIT_MAX, "10"),
    OPTIONAL("cursor", STRING, "`next` of the page before"),
    DETAIL_FIELD,
    FIELD_END,
};

static const struct field search_answer[] = {
    OBJECTS("memories", FIELD_REQUIRED, found_fields, "Whole words first, then the newest."),
    NEEDED("more", BOOLEAN, NULL),
    FIELD("next", STRING, FIELD_OWN, "There are more: give it as cursor."),
    FIELD("todo", STRING, FIELD_OWN, "If nothing was found."),
    LEFT_OUT_FIELD,
    FIELD_END,
};

struct matches {
    size_t limit, count; /* the limit of the search; of the answer it is `most` */
    size_t most;
    int64_t row[SEARCH_LIMIT_MAX];
    bool exact[SEARCH_LIMIT_MAX];
    bool more; /* there are more matches than the limit */
};

static int take_match(void *arg, int64_t node, bool exact)
{
    struct matches *m = arg;
    m->more = m->count == m->limit;
    if (!m->more) {
        m->exact[m->count] = exact;
        m->row[m->count++] = node;
    }
    return m->more;
}

/* A cursor names the last match of the page: "e1234", or "p1234" if it has the words only in part. */
static void add_cursor(struct reader *r, const struct matches *m, size_t written,
                       struct json_object *o)
{
    char plain[32];
    AUTO_STRBUF sealed = STRBUF_INIT;
    snprintf(plain, sizeof(plain), "%c%lld", m->exact[written - 1] ? 'e' : 'p',
             (long long)m->row[written - 1]);
    guard_encrypt_cursor(r, plain, &sealed);
    json_pair(o, "next", sealed.buf);
}

static int take_cursor(struct mcp_call *call, struct reader *r, struct search_query *q,
                       struct error *e)
{
    const char *given = given_text(&call->given, "cursor", NULL), *plain;
    char *end;
    if (!given || !*given)
        return 0;
    if (guard_decrypt_cursor(r, &call->arena, given, &plain, e))
        return -1;
    q->after_exact = plain[0] == 'e';
    q->after = plain[0] == 'e' || plain[0] == 'p' ? strtoll(plain + 1, &end, 10) : 0;
    return q->after > 0 && !*end ? 0 : guard_bad_cursor(e);
}

static int add_matches(struct mcp_call *call, struct reader *r, struct matches *m,
                       const char *words, struct error *e)
{
    struct row_label label[SEARCH_LIMIT_MAX];
    size_t written;
    bool full = wants_full(call);
    if (m->count && find_support(r, m->row, m->count, full, label, e))
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    const struct memory_page page = {.row = m->row,
                                     .label = label,
                                     .count = m->count,
                                     .words = words,
                                     .most = m->most,
                                     .full = full,
                                     .bytes = ANSWER_BYTES,
                                     .around = AROUND_ROWS + CURSOR};
    if (add_memories(call, r, &page, &o, &written, e))
        return -1;
    bool more = m->more || written < m->count;
    json_pair_bool(&o, "more", more);
    if (more)
        add_cursor(r, m, written, &o);
    else if (m->count == 0 &&
             !given_text(&call->given, "cursor", NULL)) /* agents ask in whole sentences, too */
        json_pair(&o, "todo", "Give fewer words, or others.");
    json_end(&o);
    return 0;
}

static int search(struct mcp_call *call, struct reader *r, struct error *e)
{
    int kind = given_choice(&call->given, "kind", -1);
    size_t most = (size_t)given_integer(&call->given, "limit", 10);
    /* What is left out makes room for others. */
    struct matches m = {.limit = hidden_of(r) ? SEARCH_LIMIT_MAX : most, .most = most};
    struct named_agent of = list_named_agent(r, given_text(&call->given, "agent_id", NULL));
    struct query_terms terms;
    AUTO_STRBUF words = STRBUF_INIT;
    const char *query = given_text(&call->given, "query", NULL);
    if (take_terms(call, r, query, &terms, e))
        return -1;
    if (!terms.count)
        return error_set(e, ERROR_INVALID, "Give at least one word.", "query has no words");
    query_words(&terms, &words);
    struct search_query q = {.words = arena_strdup(&call->arena, words.buf),
                             .terms = &terms,
                             .kinds = kind < 0 ? 0 : KIND_BIT(kind),
                             .agent = of.agent,
                             .claimed = of.claimed};
    if (take_cursor(call, r, &q, e) || search_run(r, &q, take_match, &m, e))
        return -1;
    return add_matches(call, r, &m, q.words, e);
}

const struct mcp_tool tool_memory_search = {
    .name = "memory_search",
    .title = "Search memory",
    .description = "Finds memories with all words; terms as in memory_list work. Search before you "
                   "answer from "
                   "memory, and before you add a belief that may exist. Words match literally: try "
                   "other wordings.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(search_arguments, search_answer),
    .full = full_fields,
    READS(search),
    .rate = tool_take_rate,
};
