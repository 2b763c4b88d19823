/* memory_search: memories that have all the words. */
#include <string.h>
#include "store/json/kept_forms.h"
#include "store/search/kept_searches.h"
#include "store/lineage/kept_labels.h"
#include "store/mcp/tools/tools.h"

#define LIMIT_MAX 200

static const struct field arguments[] = {
    {.name = "query",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY,
     .longest = URI_MAX,
     .about = "Words that must all occur, in any order and case; parts of words match too."},
    {.name = "kind", .type = FIELD_STRING, .choice = one_kind, .about = "Only of that kind."},
    {.name = "agent_id",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY,
     .longest = SHORT_MAX,
     .about = "Only that agent's."},
    {.name = "limit",
     .type = FIELD_INTEGER,
     .min = 1,
     .max = LIMIT_MAX,
     .fallback = "10",
     .about = "At most so many."},
    FIELD_END,
};

static const struct field answer[] = {
    {.name = "memories",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = memory_fields,
     .about = "Those that have the words as whole words first, then the newest."},
    {.name = "more",
     .type = FIELD_BOOLEAN,
     .flags = FIELD_REQUIRED,
     .about = "There are further matches: raise the limit, or add a word."},
    FIELD_END,
};

struct matches {
    const struct search_query *query;
    size_t limit;
    int64_t row[LIMIT_MAX + 1];
    size_t count;
    bool more;
    struct strbuf said; /* their snippets in order, each a string of JSON and a line end */
    size_t told;        /* bytes of those that are in the answer */
    bool clean;         /* they were said before, and hold no personal data */
    bool masked;        /* something in those that are made now was */
};

/* The next snippet, which was said before or is made, into the form that was added last. */
static int add_next_snippet(struct mcp_call *call, struct reader *r, struct matches *m, int64_t row,
                            struct error *e)
{
    struct strbuf *out = &call->result, *said = &m->said;
    if (m->told == said->len) {
        size_t masked = guard_masked(r);
        m->clean = false;
        if (add_snippet(call, r, row, m->query->words, said, e))
            return -1;
        m->masked |= guard_masked(r) > masked;
        strbuf_addch(said, '\n');
    }
    out->failed |= said->failed;
    if (out->failed)
        return 0;
    const char *snippet = said->buf + m->told;
    size_t len = strcspn(snippet, "\n");
    size_t from = out->len - 1;
    strbuf_cut(out, from);
    strbuf_addstr(out, ",\"snippet\":");
    strbuf_add(out, snippet, len);
    if (m->clean)
        kept_forms_note_more(r, from, out->len);
    strbuf_addch(out, '}');
    m->told += len + 1;
    return 0;
}

/* What an entry says of itself ends without an event. */
static bool is_entry(const struct strbuf *out, size_t at)
{
    static const char begins[] = "{\"ref\":\"entry:";
    return out->len - at >= sizeof(begins) &&
           memcmp(out->buf + at, begins, sizeof(begins) - 1) == 0;
}

static int add_matches(struct mcp_call *call, struct reader *r, struct matches *m, struct error *e)
{
    enum label label[LIMIT_MAX];
    struct strbuf *out = &call->result;
    bool lasts = m->said.len == 0; /* snippets that are new, and hold until an event */
    if (m->count && kept_labels_of_rows(r, m->row, m->count, label, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "memories");
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < m->count; i++) {
        if (i && out->len > PAGE_MAX) {
            m->more = true;
            lasts = false;
            break;
        }
        json_item(&list);
        size_t at = out->len;
        if (add_form(call, r, m->row[i], label[i], out, e) ||
            add_next_snippet(call, r, m, m->row[i], e))
            return -1;
        lasts &= !is_entry(out, at);
    }
    json_end(&list);
    json_key(&o, "more");
    strbuf_addstr(out, m->more ? "true" : "false");
    json_end(&o);
    if (lasts)
        kept_search_say(r, m->query, m->limit, &m->said, m->masked);
    return 0;
}

static int search(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    int kind = take_choice(&t, "kind", one_kind, -1);
    struct search_query q = {.words = take_text(&t, "query", NULL),
                             .kinds = kind < 0 ? 0 : KIND_BIT(kind),
                             .agent = take_text(&t, "agent_id", NULL)};
    struct matches m = {.query = &q, .limit = (size_t)arg_integer(call->arguments, "limit", 10)};
    if (take_end(&t, e))
        return -1;
    if (!search_has_words(q.words))
        return error_set(e, ERROR_INVALID, "Give at least one word.", "query has no words");
    if (kept_search_run(r, &q, m.limit, m.row, &m.count, &m.more, e))
        return -1;
    kept_search_said(r, &q, m.limit, &m.said, &m.clean);
    int result = add_matches(call, r, &m, e);
    strbuf_release(&m.said);
    return result;
}

static int read_search(struct mcp_call *call, struct reader *r, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = search(call, r, e);
    reader_end(r);
    return result;
}

const struct mcp_tool tool_memory_search = {
    .name = "memory_search",
    .title = "Search memory",
    .description = "Finds memories that have all the words of the query, of every kind and agent "
                   "unless you say "
                   "otherwise. Use it before you answer from memory and before you write a belief "
                   "that may be there "
                   "already. It matches words, not meaning: try the few words that the memory "
                   "itself would have, "
                   "and another wording where nothing comes.\n"
                   "Each memory comes whole, with its label and a snippet around the match. `more` "
                   "says that there "
                   "are further ones.\n"
                   "Example: {\"query\": \"staging deploy\", \"kind\": \"belief\", \"limit\": 5}.",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_search,
};
