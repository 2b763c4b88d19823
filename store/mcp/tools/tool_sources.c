/* extract_sources: what sources a retrieval would give, with nothing stored. */
#include "store/mcp/tools/reasoning_forms.h"

static const struct field arguments[] = {
    {.name = "context_documents",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE | FIELD_TAUGHT,
     .max = SOURCES_MAX,
     .about = "Bare texts; one that begins \"id:NAME \" is the document NAME. They count where "
              "there are no search_results."},
    {.name = "search_results",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_NULLABLE | FIELD_TAUGHT | FIELD_OPEN,
     .max = SOURCES_MAX,
     .fields = search_result_fields,
     .about = "As the search gave them, best first. Where there are any, the texts are ignored."},
    FIELD_END,
};

static const struct field answer[] = {
    {.name = "sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = source_fields,
     .about = "In the order they were given."},
    REFUSED_FIELD,
    {.name = "left_out",
     .type = FIELD_INTEGER,
     .about = "So many more were too much for an answer: give fewer at a time."},
    FIELD_END,
};

static bool has_items(struct json_slice list)
{
    if (!list.ptr)
        return false;
    struct json_each it = json_each(list);
    return json_next(&it);
}

static int read_extract(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    struct source_list sources;
    struct left_out left = {0};
    struct json_slice results = take_value(&t, "search_results");
    struct contexts contexts = {0};
    if (!has_items(results))
        contexts = take_contexts(&t, "context_documents");
    if (take_end(&t, e) || sources_extract(&sources, &call->arena, results, "search_results",
                                           contexts.text, contexts.count, e))
        return -1;
    const struct guard_rules *rules = guard_rules_of(r);
    if (rules && sources_cut(&sources, &call->arena, guard_pii(rules)))
        return error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
    struct json_object o = json_begin(&call->result, '{');
    add_sources(&o, "sources", sources.source, sources.count, &left);
    add_refused(&o, contexts.refused, contexts.refused_count, sources.refused,
                sources.refused_count, &left);
    add_left_out(&o, &left);
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_extract_sources = {
    .name = "extract_sources",
    .title = "See what sources a retrieval gives",
    .description =
        "Turns search results, or bare context texts, into sources with an id, a title, a "
        "relevance, "
        "an excerpt of 200 characters and a rank, as cot_step would take them. Nothing is stored. "
        "Use "
        "it to see how a retrieval will be recorded, or to fill source_attributions for "
        "cot_record.\n"
        "Results are preferred: their score counts as measured, a missing one as 0.5 (default). Of "
        "texts the first counts 1.0 and each further one 0.1 less, down to 0.3 (heuristic: a guess "
        "by place). An item that cannot be taken is in `refused`, the others stand. A "
        "score, title or content that is null counts as given, and as none.\n"
        "Example: {\"context_documents\": [], \"search_results\": [{\"document_id\": \"doc_123\", "
        "\"title\": \"Introduction to AI\", \"score\": 0.92, \"content\": \"Artificial "
        "intelligence "
        "involves...\", \"chunk_index\": 0}]}",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_extract,
};
