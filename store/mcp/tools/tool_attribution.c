/* The log of attributions: where information was retrieved. */
#include <math.h>
#include "model/format/exchange_parts.h"
#include "store/reasoning/attributions.h"
#include "store/mcp/tools/tools.h"

#define WHOLE_MAX 9007199254740991.0 /* beyond it clients would read another number */

#define AGENT_FIELD                                                                                \
    {                                                                                              \
        .name = "agent_id", .type = FIELD_STRING,                                                  \
        .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SEEN, .longest = AGENT_NAME_MAX,         \
        .about = "Identifier of the AI agent."                                                     \
    }
#define TIME_FIELD                                                                                 \
    {                                                                                              \
        .name = "retrieval_timestamp", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED,             \
        .min = -WHOLE_MAX, .max = WHOLE_MAX,                                                       \
        .about = "When it was retrieved: Unix timestamp in whole milliseconds."                    \
    }
#define NULLABLE_TEXT(name_, longest_, about_)                                                     \
    {                                                                                              \
        .name = name_, .type = FIELD_STRING, .flags = FIELD_NULLABLE, .longest = longest_,         \
        .about = about_                                                                            \
    }

static const struct field citation_fields[] = {
    {.name = "relevance", .type = FIELD_NUMBER, .min = 0, .max = 1, .about = "0 to 1."},
    {.name = "excerpt", .type = FIELD_STRING, .about = "The passage that was used."},
    {.name = "chunk", .type = FIELD_INTEGER, .min = 0, .max = WHOLE_MAX, .about = "Of the source."},
    {.name = "rank",
     .type = FIELD_INTEGER,
     .min = 0,
     .max = WHOLE_MAX,
     .about = "Its place among what was found."},
    {.name = "page", .type = FIELD_INTEGER, .min = 0, .max = WHOLE_MAX, .about = "Page."},
    {.name = "section",
     .type = FIELD_STRING,
     .longest = SHORT_MAX,
     .about = "Section, by its title."},
    FIELD_END,
};

static const struct field log_arguments[] = {
    AGENT_FIELD,
    {.name = "source_type",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY,
     .longest = SHORT_MAX,
     .about =
         "Type of source (e.g., user_input, tavily_search, internal_reasoning, database_query, "
         "web_scrape)."},
    NULLABLE_TEXT("source_uri", URI_MAX,
                  "URI or identifier of the source (e.g., URL for web, query for a "
                  "search, ref of a memory)."),
    TIME_FIELD,
    {.name = "content_summary",
     .type = FIELD_STRING,
     .flags = FIELD_NULLABLE | FIELD_TEXT,
     .about = "Brief summary of the attributed content."},
    NULLABLE_TEXT("full_content_hash", 64,
                  "SHA-256 of the full content, 64 hex digits, for integrity checking."),
    {.name = "full_content_json",
     .type = FIELD_ANY,
     .flags = FIELD_NULLABLE,
     .about = "The full content, any JSON of 63 levels at most."},
    {.name = "supports",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_NULLABLE | FIELD_NONE_EMPTY,
     .longest = URI_MAX,
     .max = REFS_MAX,
     .about = "Refs (kind:id) of memories that this backs up: each gets it as evidence."},
    {.name = "citation",
     .type = FIELD_OBJECT,
     .flags = FIELD_NULLABLE,
     .fields = citation_fields,
     .about = "Where in the source the evidence stands."},
    FIELD_END,
};

static const struct field logged_fields[] = {
    {.name = "attribution_id", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "A UUID."},
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "attribution:ID, to be given as derived_from of what you conclude from it."},
    {.name = "version", .type = FIELD_INTEGER, .flags = FIELD_REQUIRED},
    FIELD_END,
};

static void take_citation(struct taking *t, struct attribution *a, struct use *use)
{
    a->citation = take_value(t, "citation");
    if (!a->citation.ptr)
        return;
    struct taking c = take_within(t->arena, a->citation);
    *use = (struct use)USE_NONE;
    use->relevance = arg_number(a->citation, "relevance", NAN);
    use->score = isnan(use->relevance) ? SCORE_NONE : SCORE_ASSERTED;
    use->excerpt = take_text(&c, "excerpt", NULL);
    use->section = take_text(&c, "section", NULL);
    use->chunk = arg_integer(a->citation, "chunk", -1);
    use->rank = arg_integer(a->citation, "rank", -1);
    use->page = arg_integer(a->citation, "page", -1);
    a->use = use;
    t->failed |= c.failed;
}

static int log_attribution(struct mcp_call *call, struct txn *t, struct taking *taking,
                           const struct attribution *a, struct error *e)
{
    struct added added;
    struct strbuf *out = &call->result;
    struct actor actor = actor_of(call, a->agent_id);
    if (take_end(taking, e) || attribution_add(t, &actor, a, &call->arena, &added, e))
        return -1;
    call->subject = added.node;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "attribution_id");
    json_add_string(out, added.ref.id);
    json_key(&o, "ref");
    exchange_add_ref(out, added.ref);
    json_key(&o, "version");
    json_add_int(out, added.version);
    json_end(&o);
    return 0;
}

static int write_log(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct taking taking = take_from(call);
    struct use use = USE_NONE;
    struct attribution a = {.agent_id = take_text(&taking, "agent_id", NULL),
                            .source_type = take_text(&taking, "source_type", NULL),
                            .source_uri = take_text(&taking, "source_uri", NULL),
                            .retrieval_timestamp =
                                arg_integer(call->arguments, "retrieval_timestamp", 0),
                            .full_content_hash = take_text(&taking, "full_content_hash", NULL),
                            .full_content_json = take_value(&taking, "full_content_json")};
    a.content_summary = take_text(&taking, "content_summary", &a.summary_len);
    a.supports = take_list(&taking, "supports", &a.support_count);
    take_citation(&taking, &a, &use);
    return log_attribution(call, t, &taking, &a, e);
}

const struct mcp_tool tool_log_source_attribution = {
    .name = "log_source_attribution",
    .title = "Log where something came from",
    .description =
        "Records where information came from when you retrieved it: the kind of source, its URI or "
        "query, when, a summary, and if you like a hash of the full content so that it can be "
        "checked "
        "later. Log every retrieval whose content you may use: a web page, a search, a database "
        "query, "
        "what a user said. Then give the answered ref (attribution:ID) as derived_from of the note "
        "or "
        "belief that you make from it; or list existing memories in `supports`, and each gets this "
        "as "
        "evidence. Give it as `attribution` of the source of a step of reasoning as well; one that "
        "has "
        "this URI or hash is linked to it even if the step came first.\n"
        "retrieval_timestamp is in whole milliseconds since 1970 (seconds are kept as given and "
        "shown to "
        "the reviewer as suspect). Optional ones may be left out or null. An argument that is not "
        "known, missing or of another type is refused and nothing is stored, so is a ref in "
        "`supports` "
        "that names nothing. A summary with a NUL or half a surrogate pair is kept readable, its "
        "original "
        "bytes beside it; in other strings these are refused.\n"
        "Example: {\"agent_id\": \"my-ai-agent-001\", \"source_type\": \"tavily_search\", "
        "\"source_uri\": "
        "\"latest advancements in large language models\", \"retrieval_timestamp\": 1678886400000, "
        "\"content_summary\": \"Summary of search results on LLM advancements.\"}",
    .arguments = log_arguments,
    .answer = logged_fields,
    .work = WORK_WRITE,
    .write = write_log,
};

/* ---- log_search_attribution ---- */

static const struct field search_arguments[] = {
    AGENT_FIELD,
    {.name = "query",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .longest = URI_MAX,
     .about = "What was searched for; it becomes the source_uri."},
    {.name = "results_summary",
     .type = FIELD_STRING,
     .flags = FIELD_NULLABLE | FIELD_TEXT,
     .about = "Brief summary of what was found."},
    TIME_FIELD,
    FIELD_END,
};

static int write_search(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct taking taking = take_from(call);
    struct attribution a = {.agent_id = take_text(&taking, "agent_id", NULL),
                            .source_type = "tavily_search",
                            .source_uri = take_text(&taking, "query", NULL),
                            .retrieval_timestamp =
                                arg_integer(call->arguments, "retrieval_timestamp", 0)};
    a.content_summary = take_text(&taking, "results_summary", &a.summary_len);
    return log_attribution(call, t, &taking, &a, e);
}

const struct mcp_tool tool_log_search_attribution = {
    .name = "log_search_attribution",
    .title = "Log a web search",
    .description =
        "Records a search of the web: the same as log_source_attribution with source_type "
        "\"tavily_search\" and the query as source_uri. Use it right after a search whose results "
        "you "
        "may rely on, and give the answered ref as derived_from of what you conclude.\n"
        "Example: {\"agent_id\": \"my-ai-agent-001\", \"query\": \"sqlite wal checkpoint\", "
        "\"results_summary\": \"The log is emptied when no reader needs it.\", "
        "\"retrieval_timestamp\": 1678886400000}",
    .arguments = search_arguments,
    .answer = logged_fields,
    .work = WORK_WRITE,
    .write = write_search,
};

/* ---- get_source_attributions ---- */

static const struct field get_arguments[] = {
    AGENT_FIELD,
    NULLABLE_TEXT("source_type", SHORT_MAX,
                  "Optional type of source to filter by, exactly; null or \"\": any."),
    {.name = "limit",
     .type = FIELD_INTEGER,
     .min = 0,
     .max = 1000,
     .fallback = "100",
     .about = "Maximum number of attributions to retrieve; 0 gives only the total."},
    {.name = "offset",
     .type = FIELD_INTEGER,
     .min = 0,
     .max = WHOLE_MAX,
     .fallback = "0",
     .about = "Offset for pagination; past the end is empty."},
    FIELD_END,
};

#define COLUMN(name_, type_)                                                                       \
    {                                                                                              \
        .name = name_, .type = type_, .flags = FIELD_REQUIRED | FIELD_NULLABLE                     \
    }

static const struct field column_fields[] = {
    {.name = "attribution_id", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "agent_id", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    COLUMN("source_type", FIELD_STRING),
    COLUMN("source_uri", FIELD_STRING),
    COLUMN("retrieval_timestamp", FIELD_INTEGER),
    COLUMN("content_summary", FIELD_STRING),
    COLUMN("full_content_hash", FIELD_STRING),
    COLUMN("full_content_json", FIELD_ANY),
    {.name = "too_large",
     .type = FIELD_INTEGER,
     .about = "The row would take so many bytes: its texts are only begun, and its content is left "
              "out. memory_get of attribution:ID with an offset gives all of it, in pieces."},
    FIELD_END,
};

static const struct field got_fields[] = {
    {.name = "attributions",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = column_fields,
     .about = "The latest retrieval first; all columns, null where nothing was given."},
    {.name = "total",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "How many match in all."},
    FIELD_END,
};

static int read_get(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    struct attribution_query q = {.agent_id = take_text(&t, "agent_id", NULL),
                                  .source_type = take_text(&t, "source_type", NULL),
                                  .limit = arg_integer(call->arguments, "limit", 100),
                                  .offset = arg_integer(call->arguments, "offset", 0),
                                  .row_max = PAGE_MAX};
    return take_end(&t, e) || attributions_answer(r, &q, &call->result, e) ||
                   answer_fits(call, "Ask for a smaller limit.", e)
               ? -1
               : 0;
}

const struct mcp_tool tool_get_source_attributions = {
    .name = "get_source_attributions",
    .title = "Read the log of sources",
    .description =
        "Gives what an agent logged with log_source_attribution and log_search_attribution, the "
        "latest "
        "retrieval first. Use it to find where something you remember came from, to cite it, or to "
        "see "
        "whether a page was read already. Only rows of that agent come back.\n"
        "source_type filters exactly, case and all. limit is 100 unless you say otherwise (0 to "
        "1000), "
        "offset skips as many; total counts all that match. attribution: and the attribution_id "
        "together are the ref to give as derived_from.\n"
        "Example: {\"agent_id\": \"my-ai-agent-001\", \"source_type\": \"tavily_search\", "
        "\"limit\": 10}",
    .arguments = get_arguments,
    .answer = got_fields,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_get,
};
