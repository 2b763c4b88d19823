/* The tools of sources: attributions (log_source_attribution …), citations (cite_sources, get_citations) and
 * extract_sources. */
#include <math.h>
#include "model/format/memory_json.h"
#include "store/reasoning/attributions.h"
#include "store/mcp/tools/tools.h"
#include "model/base/clock.h"
#include "model/reasoning/citation.h"
#include "store/reasoning/cite.h"
#include "store/mcp/protocol/masking.h"

#define AGENT_FIELD AGENT_ID(FIELD_REQUIRED, NULL)
#define TIME_FIELD                                                                                 \
    NEEDED("retrieval_timestamp", INTEGER, "Unix milliseconds", .min = -WHOLE_MAX, .max = WHOLE_MAX)

static const struct field attribution_citation_fields[] = {
    OPTIONAL("relevance", NUMBER, "0 to 1.", UNIT),
    OPTIONAL("excerpt", STRING, NULL),
    OPTIONAL("chunk", INTEGER, NULL),
    OPTIONAL("rank", INTEGER, NULL, COUNT),
    OPTIONAL("page", INTEGER, NULL, COUNT),
    OPTIONAL("section", STRING, NULL, .longest = SHORT_MAX),
    FIELD_END,
};

static const struct field log_arguments[] = {
    AGENT_FIELD,
    FIELD("source_type", STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY,
          "user_input, tavily_search, internal_reasoning, database_query, web_scrape, …",
          .longest = SHORT_MAX),
    NULLABLE("source_uri", STRING, "A URL, a query, a memory's ref.", .longest = URI_MAX),
    TIME_FIELD,
    FIELD("content_summary", STRING, FIELD_NULLABLE | FIELD_TEXT, NULL),
    NULLABLE("full_content_hash", STRING, "SHA-256, 64 hex digits", .longest = 64),
    NULLABLE("full_content_json", ANY, NULL),
    TEXTS("supports", FIELD_NULLABLE | FIELD_NONE_EMPTY,
          "Refs of memories; each gets this as evidence.", .longest = URI_MAX, .max = REFS_MAX),
    NULLABLE("citation", OBJECT, NULL, .fields = attribution_citation_fields),
    FIELD_END,
};

static const struct field logged_fields[] = {
    NEEDED("attribution_id", STRING, "A UUID."),
    NEEDED("ref", STRING,
           "attribution:ID, to be given as derived_from of what you conclude from it."),
    NEEDED("version", INTEGER, NULL),
    FIELD_END,
};

static void take_citation(struct mcp_call *call, struct attribution *a, struct use *use)
{
    struct given c;
    struct error ignored; /* it was checked before */
    a->citation = given_value(&call->given, "citation");
    if (!a->citation.ptr ||
        field_take(attribution_citation_fields, a->citation, &call->arena, &c, &ignored))
        return;
    *use = (struct use)USE_NONE;
    use->relevance = given_number(&c, "relevance");
    use->score = isnan(use->relevance) ? SCORE_NONE : SCORE_ASSERTED;
    use->excerpt = given_text(&c, "excerpt", NULL);
    use->section = given_text(&c, "section", NULL);
    use->chunk = given_integer(&c, "chunk", CHUNK_NONE);
    use->rank = given_integer(&c, "rank", -1);
    use->page = given_integer(&c, "page", -1);
    a->use = use;
}

static int log_attribution(struct mcp_call *call, struct txn *t, const struct attribution *a,
                           struct error *e)
{
    struct added *added = arena_alloc(&call->arena, sizeof(*added));
    if (attribution_add(t, &call->actor, a, &call->arena, added, e))
        return -1;
    return keep_added(call, added);
}

static void encode_logged(struct mcp_call *call)
{
    const struct added *added = call->done;
    struct json_object o = json_begin(&call->result, '{');
    json_pair(&o, "attribution_id", added->ref.id);
    memory_json_pair_ref(&o, "ref", added->ref);
    json_pair_int(&o, "version", added->version);
    json_end(&o);
}

static int write_log(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct use use = USE_NONE;
    struct attribution a = {
        .agent_id = given_text(&call->given, "agent_id", NULL),
        .source_type = given_text(&call->given, "source_type", NULL),
        .source_uri = given_text(&call->given, "source_uri", NULL),
        .retrieval_timestamp = given_integer(&call->given, "retrieval_timestamp", 0),
        .full_content_hash = given_text(&call->given, "full_content_hash", NULL),
        .full_content_json = given_value(&call->given, "full_content_json")};
    a.content_summary = given_text(&call->given, "content_summary", &a.summary_len);
    a.supports = given_list(&call->given, "supports", &a.support_count);
    take_citation(call, &a, &use);
    return log_attribution(call, t, &a, e);
}

const struct mcp_tool tool_log_source_attribution = {
    .name = "log_source_attribution",
    .title = "Log where something came from",
    .description =
        "Logs where retrieved information came from: a page, a search, a query, what a user "
        "said. Give the answered ref, attribution:ID, as derived_from of what you make from it. "
        "One wrong argument refuses the whole call.",
    .sets = TOOLSET_BIT(TOOLSET_ATTRIBUTIONS),
    SCHEMA(log_arguments, logged_fields),
    WRITES(0, write_log, encode_logged),
};

static const struct field search_arguments[] = {
    AGENT_FIELD,
    NEEDED("query", STRING, NULL, .longest = URI_MAX),
    FIELD("results_summary", STRING, FIELD_NULLABLE | FIELD_TEXT, NULL),
    TIME_FIELD,
    FIELD_END,
};

static int write_search(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct attribution a = {.agent_id = given_text(&call->given, "agent_id", NULL),
                            .source_type = "tavily_search",
                            .source_uri = given_text(&call->given, "query", NULL),
                            .retrieval_timestamp =
                                given_integer(&call->given, "retrieval_timestamp", 0)};
    a.content_summary = given_text(&call->given, "results_summary", &a.summary_len);
    return log_attribution(call, t, &a, e);
}

const struct mcp_tool tool_log_search_attribution = {
    .name = "log_search_attribution",
    .title = "Log a web search",
    .description =
        "Logs a web search: log_source_attribution with source_type \"tavily_search\" and the "
        "query as source_uri.",
    .sets = TOOLSET_BIT(TOOLSET_ATTRIBUTIONS),
    SCHEMA(search_arguments, logged_fields),
    WRITES(0, write_search, encode_logged),
};

static const struct field attribution_get_arguments[] = {
    AGENT_FIELD,
    NULLABLE("source_type", STRING, NULL, .longest = SHORT_MAX),
    OPTIONAL("limit", INTEGER, "0: only the total", .min = 0, .max = 1000, .fallback = "100"),
    OPTIONAL("offset", INTEGER, NULL, COUNT, .fallback = "0"),
    FIELD_END,
};

static const struct field column_fields[] = {
    NEEDED("attribution_id", STRING, NULL),
    NEEDED("agent_id", STRING, NULL),
    OR_NULL("source_type", STRING, NULL),
    OR_NULL("source_uri", STRING, NULL),
    OR_NULL("retrieval_timestamp", INTEGER, NULL),
    OR_NULL("content_summary", STRING, NULL),
    OR_NULL("full_content_hash", STRING, NULL),
    OR_NULL("full_content_json", ANY, NULL),
    OPTIONAL("status", STRING, "If it does not stand: retracted."),
    OPTIONAL("too_large", INTEGER,
             "So many bytes: it is only begun. memory_get of attribution:ID gives all of it."),
    FIELD_END,
};

static const struct field attribution_got_fields[] = {
    OBJECTS("attributions", FIELD_REQUIRED, column_fields, "The latest retrieval first."),
    NEEDED("total", INTEGER, "How many match in all."),
    FIELD_END,
};

static int read_get(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct attribution_query q = {.agent_id = given_text(&call->given, "agent_id", NULL),
                                  .source_type = given_text(&call->given, "source_type", NULL),
                                  .limit = given_integer(&call->given, "limit", 100),
                                  .offset = given_integer(&call->given, "offset", 0),
                                  .row_max = PAGE_MAX};
    if (attributions_answer(r, &q, &call->result, e))
        return -1;
    return answer_fits(call, "Ask for a smaller limit.", e);
}

const struct mcp_tool tool_get_source_attributions = {
    .name = "get_source_attributions",
    .title = "Read the log of sources",
    .description =
        "Lists what an agent logged, latest retrieval first. attribution:attribution_id is the "
        "ref for derived_from.",
    .sets = TOOLSET_BIT(TOOLSET_ATTRIBUTIONS),
    SCHEMA(attribution_get_arguments, attribution_got_fields),
    READS(read_get),
};

/* ---- citations: the passages that a response is based on ---- */

#define LOGGER "stemma.citations"

#define CONVERSATION "conversation_id"
#define MESSAGE      "message_id"

/* ---- a source of a response, as argument and in events ---- */

static const struct field given_location_fields[] = {
    NULLABLE("page", ANY, NULL),
    NULLABLE("section", STRING, NULL),
    NULLABLE("paragraph", ANY, NULL),
    FIELD_END,
};

static const struct field given_fields[] = {
    NULLABLE("documentId", ANY, NULL),
    NULLABLE("documentName", ANY, NULL),
    FIELD("location", OBJECT, FIELD_NULLABLE | FIELD_OPEN, NULL, .fields = given_location_fields),
    NULLABLE("snippet", STRING, NULL),
    NULLABLE("relevanceScore", NUMBER, "0 to 1; default 0.5"),
    NULLABLE("retrievedAt", STRING, "ISO 8601"),
    NULLABLE("score_origin", STRING, NULL, .choice = one_score),
    FIELD_END,
};

static const struct field location_fields[] = {
    OPTIONAL("page", INTEGER, NULL),
    OPTIONAL("section", STRING, NULL),
    OPTIONAL("paragraph", INTEGER, NULL),
    FIELD_END,
};

#define CITED_FIELDS                                                                               \
    NEEDED("documentId", STRING, NULL), NEEDED("documentName", STRING, NULL),                      \
        OPTIONAL("location", OBJECT, NULL, .fields = location_fields),                             \
        OPTIONAL("snippet", STRING, NULL),                                                         \
        OR_NULL("relevanceScore", NUMBER, "0 to 1; null: not known."),                             \
        FIELD("retrievedAt", STRING, FIELD_OWN, "ISO 8601, UTC."),                                 \
        OPTIONAL("score_origin", STRING, "Where it is not asserted.", .choice = one_score)

static const struct field cited_fields[] = {CITED_FIELDS, FIELD_END};

#define ID_FIELD(name_, flags_, about_) FIELD(name_, STRING, flags_, about_, .longest = SHORT_MAX)

static const struct field cite_arguments[] = {
    ID_FIELD(CONVERSATION, FIELD_REQUIRED | FIELD_NOT_EMPTY, NULL),
    ID_FIELD(MESSAGE, FIELD_REQUIRED | FIELD_NOT_EMPTY, NULL),
    OBJECTS("sources", FIELD_REQUIRED | FIELD_CHECKED_BY_TOOL | FIELD_OPEN, given_fields,
            "All that it used; []: none.", .max = SOURCES_MAX),
    NULLABLE("text", STRING, "The response; `uncited` answers its sentences without a citation."),
    AGENT_ID(FIELD_NULLABLE, NULL),
    FIELD_END,
};

static const struct field event_fields[] = {
    NEEDED("type", STRING, "source_added, one for each; then done."),
    OPTIONAL("source", OBJECT, "Of source_added: the one.", .fields = cited_fields),
    OPTIONAL("messageId", STRING, "Of done."),
    OBJECTS("sources", 0, cited_fields, "Of done: all of them."),
    OPTIONAL("conversationId", STRING, NULL),
    FIELD("timestamp", STRING, FIELD_REQUIRED | FIELD_OWN, "ISO 8601, UTC."),
    FIELD_END,
};

static const struct field cite_citation_fields[] = {
    NEEDED("ref", STRING, "citation:ID; it is based on its document."),
    NEEDED("formatted", STRING, "To be put into the text of the response: (NAME, page 12)."),
    FIELD_END,
};

static const struct field cite_answer[] = {
    OBJECTS("sources", FIELD_REQUIRED, cited_fields, "The most relevant first, five at most."),
    OBJECTS("citations", FIELD_REQUIRED, cite_citation_fields, "In the order of `sources`."),
    OBJECTS("events", FIELD_REQUIRED, event_fields,
            "To be streamed to a reader who follows along."),
    NEEDED("uncertainty", STRING,
           "By the mean score: none, low, medium, high; complete: no sources."),
    TEXTS("uncited", 0, "Sentences of `text` in which nothing is cited."),
    OPTIONAL("uncited_left_out", INTEGER, "How many more there are."),
    NEEDED("left_out", INTEGER, "Those of the same place, or beyond the best five."),
    TEXTS("kept", 0, "Refs of earlier citations of this message that stay."),
    REFUSED_FIELD,
    OPTIONAL("refused_left_out", INTEGER, "So many more were refused."),
    TEXTS("ignored", 0, "Members of `sources` that have no meaning, as sources[0].score."),
    OPTIONAL("ignored_left_out", INTEGER, "How many more there are."),
    FIELD_END,
};

/* Copies the event to the arena, for the answer and for the client's log. */
static void keep_event(struct mcp_call *call, const struct strbuf *event)
{
    call->events[call->event_count++] = arena_strndup(&call->arena, event->buf, event->len);
}

static void keep_events(struct mcp_call *call, const struct cited_response *given,
                        const struct cite_result *result)
{
    AUTO_STRBUF event = STRBUF_INIT;
    call->events = arena_array(&call->arena, result->count + 1, sizeof(*call->events));
    for (size_t i = 0; i < result->count; i++) {
        strbuf_clear(&event);
        citation_added_event(&event, &result->emitted[i], given->conversation_id, result->at);
        keep_event(call, &event);
    }
    strbuf_clear(&event);
    citation_done_event(&event, result->emitted, result->count, given->conversation_id,
                        given->message_id, result->at);
    keep_event(call, &event);
}

static void add_emitted(struct json_object *o, const struct cite_result *result)
{
    struct json_object list = json_open(o, "sources", '[');
    for (size_t i = 0; i < result->count; i++) {
        json_item(&list);
        citation_write(o->out, &result->emitted[i]);
    }
    json_end(&list);
}

/* Masks name and section before they are joined. */
static void format_masked(struct mcp_call *call, const struct citation *c, struct strbuf *out)
{
    AUTO_STRBUF name = STRBUF_INIT, section = STRBUF_INIT;
    if (c->name)
        call->has_masks |= call_mask_text(call, c->name, &name);
    if (c->section)
        call->has_masks |= call_mask_text(call, c->section, &section);
    citation_format(out, c->name ? name.buf : NULL, c->page, c->section ? section.buf : NULL);
}

static void add_citations(struct mcp_call *call, struct json_object *o,
                          const struct cite_result *result)
{
    AUTO_STRBUF formatted = STRBUF_INIT;
    struct json_object list = json_open(o, "citations", '[');
    for (size_t i = 0; i < result->count; i++) {
        const struct citation *c = &result->emitted[i];
        strbuf_clear(&formatted);
        format_masked(call, c, &formatted);
        struct json_object item = json_item_open(&list, '{');
        memory_json_pair_ref(&item, "ref", result->added[i].ref);
        json_key(&item, "formatted");
        json_add_string_len(o->out, formatted.buf, formatted.len);
        json_end(&item);
    }
    json_end(&list);
}

static void add_events(struct json_object *o, const struct mcp_call *call)
{
    struct json_object list = json_open(o, "events", '[');
    for (size_t i = 0; i < call->event_count; i++) {
        json_item(&list);
        strbuf_addstr(o->out, call->events[i]);
    }
    json_end(&list);
}

static void add_kept(struct json_object *o, const struct cite_result *result)
{
    if (result->unchanged_count == 0)
        return;
    struct json_object list = json_open(o, "kept", '[');
    for (size_t i = 0; i < result->unchanged_count; i++) {
        json_item(&list);
        memory_json_add_ref(o->out, result->unchanged[i]);
    }
    json_end(&list);
}

/* The citations occur three times in the answer. Returns -1 and sets ERROR_INVALID if they would be too large. */
static int check_size(const struct cite_result *result, struct error *e)
{
    AUTO_STRBUF once = STRBUF_INIT;
    for (size_t i = 0; i < result->count; i++)
        citation_write(&once, &result->emitted[i]);
    size_t bytes = 3 * once.len;
    if (bytes <= LIST_MAX)
        return 0;
    return error_set(e, ERROR_INVALID, "Give shorter snippets: the passage, not the page.",
                     "the answer takes %zu bytes, more than the limit of %u", bytes, LIST_MAX);
}

#define UNCITED_MAX 8000 /* bytes of the sentences in the answer */
#define IGNORED_MAX 1000 /* bytes of the names of ignored members */

/* The outcome of cite_sources. */
struct written_citations {
    struct cited_response given;
    struct cite_result result;
};

static void add_uncited(struct mcp_call *call, struct json_object *o,
                        const struct written_citations *w)
{
    const char **uncited;
    size_t count, left = 0;
    if (!w->given.text)
        return;
    sentences_uncited(w->given.text, w->result.emitted, w->result.count, &call->arena, &uncited,
                      &count);
    add_texts(o, "uncited", uncited, count, o->out->len + UNCITED_MAX, &left);
    json_pair_int_if(o, "uncited_left_out", (int64_t)left);
}

static void add_ignored(struct json_object *o, const struct cite_result *result)
{
    size_t left = 0;
    if (result->ignored_count == 0)
        return;
    add_texts(o, "ignored", result->ignored, result->ignored_count, o->out->len + IGNORED_MAX,
              &left);
    json_pair_int_if(o, "ignored_left_out", (int64_t)left);
}

static void encode_cited(struct mcp_call *call)
{
    const struct written_citations *w = call->done;
    const struct cite_result *result = &w->result;
    size_t left = 0;
    keep_events(call, &w->given, result);
    struct json_object o = json_begin(&call->result, '{');
    add_emitted(&o, result);
    add_citations(call, &o, result);
    add_events(&o, call);
    json_pair(&o, "uncertainty",
              uncertainty_name(citations_uncertainty(result->emitted, result->count)));
    add_uncited(call, &o, w);
    json_pair_int(&o, "left_out", (int64_t)result->left_out);
    add_kept(&o, result);
    add_refused(&o, NULL, 0, result->refused, result->refused_count, &left);
    json_pair_int_if(&o, "refused_left_out", (int64_t)left);
    add_ignored(&o, result);
    json_end(&o);
    warn_refused(call, result->refused_count);
}

static int write_cite(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct written_citations *w = arena_alloc(&call->arena, sizeof(*w));
    w->given =
        (struct cited_response){.conversation_id = given_text(&call->given, CONVERSATION, NULL),
                                .message_id = given_text(&call->given, MESSAGE, NULL),
                                .agent_id = given_text(&call->given, "agent_id", NULL),
                                .text = given_text(&call->given, "text", NULL),
                                .sources = given_value(&call->given, "sources")};
    if (cite_sources(t, &call->actor, &w->given, &call->arena, &w->result, e) ||
        check_size(&w->result, e))
        return -1;
    if (w->result.count > 0)
        call->subject = w->result.added[0].node;
    call->done = w;
    return 0;
}

/* The event of a failed call; then call->done is NULL. */
static void write_failure(const struct mcp_call *call, int64_t at, struct strbuf *event)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *conversation = json_text(
        &arena, json_member(call->arguments.ptr, call->arguments.len, CONVERSATION), NULL);
    char when[32];
    clock_format_iso(when, sizeof(when), at);
    struct json_object o = json_begin(event, '{');
    json_pair(&o, "type", "error");
    struct json_object error = json_open(&o, "error", '{');
    json_pair(&error, "code", error_name(call->error.code));
    json_pair(&error, "message", call->error.what);
    json_end(&error);
    if (conversation)
        json_pair(&o, "conversationId", conversation);
    json_pair(&o, "timestamp", when);
    json_end(&o);
}

const struct mcp_tool tool_cite_sources = {
    .name = "cite_sources",
    .title = "Cite the sources of a response",
    .description =
        "Records which passages a response is based on, and answers how to cite them: put "
        "`formatted` into your text. The five most relevant are cited, each place once. Citing "
        "the same message again replaces its citations, except those that a person protected: "
        "`kept`.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(cite_arguments, cite_answer),
    WRITES(0, write_cite, encode_cited),
    .logger = LOGGER,
    .event = event_fields,
    .failed = write_failure,
};

#define ASKED_MAX 500

static const struct field cite_get_arguments[] = {
    ID_FIELD(CONVERSATION, FIELD_NULLABLE | FIELD_NOT_EMPTY, NULL),
    ID_FIELD(MESSAGE, FIELD_NULLABLE | FIELD_NOT_EMPTY, NULL),
    FIELD("document_id", STRING, FIELD_NULLABLE | FIELD_NOT_EMPTY, NULL, .longest = URI_MAX),
    NULLABLE("limit", INTEGER, NULL, .min = 1, .max = ASKED_MAX, .fallback = "100"),
    NULLABLE("offset", INTEGER, NULL, COUNT, .fallback = "0"),
    FIELD_END,
};

static const struct field cite_got_fields[] = {
    NEEDED("ref", STRING, "citation:ID."),
    CITED_FIELDS,
    NEEDED("formatted", STRING, "(NAME, page 12)."),
    OPTIONAL("conversationId", STRING, NULL),
    OPTIONAL("messageId", STRING, NULL),
    OPTIONAL("document", STRING, "document:ID, the memory that it is based on."),
    OPTIONAL("document_status", STRING, "What became of the document: retracted."),
    OPTIONAL("retrieval", STRING, "What became of its retrieval: retracted."),
    OPTIONAL("citedAt", INTEGER, "Milliseconds since the epoch."),
    FIELD_END,
};

static const struct field get_answer[] = {
    OBJECTS("citations", FIELD_REQUIRED, cite_got_fields, "By when they were cited."),
    NEEDED("total", INTEGER, "How many there are in all."),
    NEEDED("uncertainty", STRING,
           "By the mean score: none, low, medium, high; complete: no sources."),
    FIELD_END,
};

static int read_citations(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct citation_query q = {.conversation_id = given_text(&call->given, CONVERSATION, NULL),
                               .message_id = given_text(&call->given, MESSAGE, NULL),
                               .document_id = given_text(&call->given, "document_id", NULL),
                               .limit = (size_t)given_integer(&call->given, "limit", 100),
                               .offset = (size_t)given_integer(&call->given, "offset", 0)};
    if (citations_answer(r, &q, &call->result, e))
        return -1;
    return answer_fits(call, "Ask for a smaller limit.", e);
}

const struct mcp_tool tool_get_citations = {
    .name = "get_citations",
    .title = "Look up citations",
    .description =
        "Lists what responses cited: of a conversation, a response or a document. Give at least "
        "one.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(cite_get_arguments, get_answer),
    READS(read_citations),
};

/* ---- extract_sources: the sources in a retrieval; nothing is stored ---- */

static const struct field arguments[] = {
    TEXTS("context_documents", FIELD_REQUIRED | FIELD_NULLABLE | FIELD_CHECKED_BY_TOOL,
          "Texts, used without search_results; \"id:NAME \" in front names the document.",
          .max = SOURCES_MAX),
    OBJECTS("search_results", FIELD_NULLABLE | FIELD_CHECKED_BY_TOOL | FIELD_OPEN,
            search_result_fields, "Best first.", .max = SOURCES_MAX),
    FIELD_END,
};

static const struct field answer[] = {
    OBJECTS("sources", FIELD_REQUIRED, source_fields, "In the order they were given."),
    REFUSED_FIELD,
    OPTIONAL("left_out", INTEGER, "So many more: give fewer at a time."),
    FIELD_END,
};

static int read_extract(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct source_list sources;
    size_t left = 0;
    (void)e;
    struct json_slice results = given_value(&call->given, "search_results");
    struct contexts contexts = {0};
    if (json_count(results) == 0)
        contexts = take_contexts(call, "context_documents");
    sources_extract(&sources, &call->arena, results, "search_results", contexts.text,
                    contexts.count);
    const struct guard_rules *rules = guard_rules_of(r);
    if (rules)
        sources_cut(&sources, &call->arena, guard_pii(rules));
    struct json_object o = json_begin(&call->result, '{');
    add_sources(&o, "sources", sources.source, sources.count, &left);
    add_refused(&o, contexts.refused, contexts.refused_count, sources.refused,
                sources.refused_count, &left);
    add_left_out(&o, left);
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_extract_sources = {
    .name = "extract_sources",
    .title = "See what sources a retrieval gives",
    .description =
        "Shows how cot_step would record search results or bare texts as sources. Nothing is "
        "stored. Scores of results count as measured, a missing one as 0.5; texts count 1.0, 0.9 "
        "… 0.3 by their place.",
    .sets = TOOLSET_BIT(TOOLSET_REASONING),
    SCHEMA(arguments, answer),
    READS(read_extract),
};
