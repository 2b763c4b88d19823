/* memory_search: memories that have all the words. */
#include <string.h>
#include "store/search/search.h"
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
    size_t limit, count;
    int64_t row[LIMIT_MAX];
    bool more; /* there is another behind the limit */
};

static int take_match(void *arg, int64_t node, bool exact)
{
    struct matches *m = arg;
    (void)exact;
    m->more = m->count == m->limit;
    if (!m->more)
        m->row[m->count++] = node;
    return m->more;
}

/* The form of a memory, with a snippet as its last member. */
static int add_match(struct mcp_call *call, struct reader *r, int64_t row, enum label label,
                     const char *words, struct error *e)
{
    struct strbuf *out = &call->result;
    if (add_form(call, r, row, label, out, e))
        return -1;
    strbuf_cut(out, out->len - 1);
    strbuf_addstr(out, ",\"snippet\":");
    if (add_snippet(call, r, row, words, out, e))
        return -1;
    strbuf_addch(out, '}');
    return 0;
}

static int add_matches(struct mcp_call *call, struct reader *r, struct matches *m,
                       const char *words, struct error *e)
{
    enum label label[LIMIT_MAX];
    struct strbuf *out = &call->result;
    if (m->count && kept_labels_of_rows(r, m->row, m->count, label, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "memories");
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < m->count; i++) {
        if (i && out->len > PAGE_MAX) {
            m->more = true;
            break;
        }
        json_item(&list);
        if (add_match(call, r, m->row[i], label[i], words, e))
            return -1;
    }
    json_end(&list);
    json_pair_bool(&o, "more", m->more);
    json_end(&o);
    return 0;
}

static int search(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    int kind = take_choice(&t, "kind", one_kind, -1);
    struct matches m = {.limit = (size_t)arg_integer(call->arguments, "limit", 10)};
    struct search_query q = {.words = take_text(&t, "query", NULL),
                             .kinds = kind < 0 ? 0 : KIND_BIT(kind),
                             .agent = take_text(&t, "agent_id", NULL),
                             .enough = m.limit + 1};
    if (take_end(&t, e))
        return -1;
    if (!search_has_words(q.words))
        return error_set(e, ERROR_INVALID, "Give at least one word.", "query has no words");
    return search_run(r, &q, take_match, &m, e) ? -1 : add_matches(call, r, &m, q.words, e);
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
