/* Citations: which passages a response rests on, told as they are added, and looked up again. */
#include "model/base/clock.h"
#include "model/format/exchange_parts.h"
#include "store/reasoning/cite.h"
#include "store/mcp/protocol/masking.h"
#include "store/mcp/tools/reasoning_forms.h"

#define LOGGER "stemma.citations"

#define CONVERSATION "conversation_id"
#define MESSAGE      "message_id"

/* ---- a source of a response, as it is given and as an event has it ---- */

#define PART(name_, type_, about_)                                                                 \
    {                                                                                              \
        .name = name_, .type = type_, .flags = FIELD_NULLABLE, .about = about_                     \
    }

static const struct field given_location_fields[] = {
    PART("page", FIELD_ANY, "An integer, or a text that is one. 0: none."),
    PART("section", FIELD_STRING, "By its title."),
    PART("paragraph", FIELD_ANY, "Its index: an integer, or a text that is one."),
    FIELD_END,
};

static const struct field given_fields[] = {
    PART("documentId", FIELD_ANY,
         "Of the document, a text or a number. Without one: source-1 by its place."),
    PART("documentName", FIELD_ANY, "As people call it, a text or a number."),
    {.name = "location",
     .type = FIELD_OBJECT,
     .flags = FIELD_NULLABLE | FIELD_OPEN,
     .fields = given_location_fields,
     .about = "Where in the document."},
    PART("snippet", FIELD_STRING, "The passage itself."),
    PART("relevanceScore", FIELD_NUMBER, "0 to 1. Without one 0.5."),
    PART("retrievedAt", FIELD_STRING, "ISO 8601. Without it, now."),
    {.name = "score_origin",
     .type = FIELD_STRING,
     .flags = FIELD_NULLABLE,
     .choice = one_score,
     .about = "Who says so: measured by a retrieval, or asserted by you."},
    FIELD_END,
};

static const struct field location_fields[] = {
    {.name = "page", .type = FIELD_INTEGER},
    {.name = "section", .type = FIELD_STRING},
    {.name = "paragraph", .type = FIELD_INTEGER},
    FIELD_END,
};

#define CITED_FIELDS                                                                               \
    {.name = "documentId", .type = FIELD_STRING, .flags = FIELD_REQUIRED},                         \
        {.name = "documentName", .type = FIELD_STRING, .flags = FIELD_REQUIRED},                   \
        {.name = "location", .type = FIELD_OBJECT, .fields = location_fields},                     \
        {.name = "snippet", .type = FIELD_STRING},                                                 \
        {.name = "relevanceScore",                                                                 \
         .type = FIELD_NUMBER,                                                                     \
         .flags = FIELD_REQUIRED | FIELD_NULLABLE,                                                 \
         .about = "0 to 1; null: not known."},                                                     \
        {.name = "retrievedAt",                                                                    \
         .type = FIELD_STRING,                                                                     \
         .flags = FIELD_TIME,                                                                      \
         .about = "ISO 8601, UTC."},                                                               \
    {                                                                                              \
        .name = "score_origin", .type = FIELD_STRING, .choice = one_score,                         \
        .about = "Where it is not asserted by whoever cites."                                      \
    }

static const struct field cited_fields[] = {CITED_FIELDS, FIELD_END};

/* ---- cite_sources ---- */

#define ID_FIELD(name_, flags_, about_)                                                            \
    {                                                                                              \
        .name = name_, .type = FIELD_STRING, .flags = flags_, .longest = SHORT_MAX,                \
        .about = about_                                                                            \
    }

static const struct field cite_arguments[] = {
    ID_FIELD(CONVERSATION, FIELD_REQUIRED | FIELD_NOT_EMPTY, "Which conversation it is."),
    ID_FIELD(MESSAGE, FIELD_REQUIRED | FIELD_NOT_EMPTY, "Which response of it the sources are of."),
    {.name = "sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED | FIELD_TAUGHT | FIELD_OPEN,
     .max = SOURCES_MAX,
     .fields = given_fields,
     .about = "All that the response used; the best five are cited. []: it used none."},
    {.name = "agent_id",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY | FIELD_NULLABLE | FIELD_SEEN,
     .longest = AGENT_NAME_MAX,
     .about = "Who responds. Without it, you."},
    FIELD_END,
};

static const struct field event_fields[] = {
    {.name = "type",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "source_added, one for each; then done."},
    {.name = "source",
     .type = FIELD_OBJECT,
     .fields = cited_fields,
     .about = "Of source_added: the one."},
    {.name = "messageId", .type = FIELD_STRING, .about = "Of done."},
    {.name = "sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .fields = cited_fields,
     .about = "Of done: all of them."},
    {.name = "conversationId", .type = FIELD_STRING},
    {.name = "timestamp",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_TIME,
     .about = "ISO 8601, UTC."},
    FIELD_END,
};

static const struct field citation_fields[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "citation:ID; it rests on its document."},
    {.name = "formatted",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "To be put into the text of the response: (NAME, page 12)."},
    FIELD_END,
};

static const struct field cite_answer[] = {
    {.name = "sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = cited_fields,
     .about = "What is cited, the most relevant first: five at most."},
    {.name = "citations",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = citation_fields,
     .about = "Of each of `sources`, in their order."},
    {.name = "events",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = event_fields,
     .about = "To be streamed to whoever reads the response, in this order."},
    {.name = "uncertainty",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "Of the response, by the mean score: none, low, medium, high; complete: no sources."},
    {.name = "left_out",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "So many were the same place in a document as another, or beyond the best five."},
    {.name = "kept",
     .type = FIELD_ARRAY,
     .of = FIELD_STRING,
     .about = "Refs of earlier citations of this message that stay beside the new ones: a person "
              "protected or verified them."},
    REFUSED_FIELD,
    {.name = "refused_left_out",
     .type = FIELD_INTEGER,
     .about = "So many more were refused than an answer has room for."},
    FIELD_END,
};

/* The event is in the arena, for the answer and for the client's log. */
static void keep_event(struct mcp_call *call, struct taking *t, const struct strbuf *event)
{
    char *kept = event->failed ? NULL : arena_strndup(&call->arena, event->buf, event->len);
    if (kept)
        call->events[call->event_count++] = kept;
    else
        t->failed = true;
}

static void keep_events(struct mcp_call *call, struct taking *t, const struct cited_response *given,
                        const struct cite_result *result)
{
    struct strbuf event = STRBUF_INIT;
    call->events = arena_array(&call->arena, result->count + 1, sizeof(*call->events));
    if (!call->events) {
        t->failed = true;
        return;
    }
    for (size_t i = 0; i < result->count; i++) {
        strbuf_clear(&event);
        citation_added_event(&event, &result->emitted[i], given->conversation_id, result->at);
        keep_event(call, t, &event);
    }
    strbuf_clear(&event);
    citation_done_event(&event, result->emitted, result->count, given->conversation_id,
                        given->message_id, result->at);
    keep_event(call, t, &event);
    strbuf_release(&event);
}

static void add_emitted(struct json_object *o, const struct cite_result *result)
{
    json_key(o, "sources");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < result->count; i++) {
        json_item(&list);
        citation_write(o->out, &result->emitted[i]);
    }
    json_end(&list);
}

/* Its parts masked before they are set together. */
static void format_masked(struct mcp_call *call, const struct citation *c, struct strbuf *out)
{
    struct strbuf name = STRBUF_INIT, section = STRBUF_INIT;
    if (c->name)
        call->has_marks |= call_mask_text(call, c->name, &name);
    if (c->section)
        call->has_marks |= call_mask_text(call, c->section, &section);
    citation_format(out, c->name ? name.buf : NULL, c->page, c->section ? section.buf : NULL);
    out->failed |= name.failed || section.failed;
    strbuf_release(&name);
    strbuf_release(&section);
}

static void add_citations(struct mcp_call *call, struct json_object *o,
                          const struct cite_result *result)
{
    struct strbuf formatted = STRBUF_INIT;
    json_key(o, "citations");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < result->count; i++) {
        const struct citation *c = &result->emitted[i];
        strbuf_clear(&formatted);
        format_masked(call, c, &formatted);
        json_item(&list);
        struct json_object item = json_begin(o->out, '{');
        json_key(&item, "ref");
        exchange_add_ref(o->out, result->added[i].ref);
        json_key(&item, "formatted");
        json_add_string_len(o->out, formatted.buf, formatted.len);
        json_end(&item);
    }
    json_end(&list);
    o->out->failed |= formatted.failed;
    strbuf_release(&formatted);
}

static void add_events(struct json_object *o, const struct mcp_call *call)
{
    json_key(o, "events");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < call->event_count; i++) {
        json_item(&list);
        strbuf_addstr(o->out, call->events[i]);
    }
    json_end(&list);
}

static void add_kept(struct json_object *o, const struct cite_result *result)
{
    if (result->kept_count == 0)
        return;
    json_key(o, "kept");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < result->kept_count; i++) {
        json_item(&list);
        exchange_add_ref(o->out, result->kept[i]);
    }
    json_end(&list);
}

static void answer_cited(struct mcp_call *call, const struct cite_result *result)
{
    struct left_out left = {0};
    struct json_object o = json_begin(&call->result, '{');
    add_emitted(&o, result);
    add_citations(call, &o, result);
    add_events(&o, call);
    json_pair(&o, "uncertainty",
              uncertainty_name(citations_uncertainty(result->emitted, result->count)));
    json_pair_int(&o, "left_out", (int64_t)result->left_out);
    add_kept(&o, result);
    add_refused(&o, NULL, 0, result->refused, result->refused_count, &left);
    if (left.count)
        json_pair_int(&o, "refused_left_out", (int64_t)left.count);
    json_end(&o);
}

static int write_cite(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct taking taking = take_from(call);
    struct cited_response given = {.conversation_id = take_text(&taking, CONVERSATION, NULL),
                                   .message_id = take_text(&taking, MESSAGE, NULL),
                                   .agent_id = take_text(&taking, "agent_id", NULL),
                                   .sources = take_value(&taking, "sources")};
    struct cite_result result;
    struct actor actor = actor_of(call, given.agent_id);
    if (take_end(&taking, e) || cite_sources(t, &actor, &given, &call->arena, &result, e))
        return -1;
    if (result.count > 0)
        call->subject = result.added[0].node;
    keep_events(call, &taking, &given, &result);
    if (take_end(&taking, e))
        return -1;
    answer_cited(call, &result);
    warn_refused(call, result.refused_count);
    return answer_fits(call, "Give shorter snippets: the passage, not the page.", e);
}

/* A response that could not be cited has no `done`. */
static void tell_failure(const struct mcp_call *call, int64_t at, struct strbuf *event)
{
    struct arena arena = ARENA_INIT;
    struct taking t = take_within(&arena, call->arguments);
    const char *conversation = take_text(&t, CONVERSATION, NULL);
    char when[32];
    clock_format_iso(when, sizeof(when), at);
    struct json_object o = json_begin(event, '{');
    json_pair(&o, "type", "error");
    json_key(&o, "error");
    struct json_object error = json_begin(event, '{');
    json_pair(&error, "code", error_name(call->error.code));
    json_pair(&error, "message", call->error.what);
    json_end(&error);
    if (conversation)
        json_pair(&o, "conversationId", conversation);
    json_pair(&o, "timestamp", when);
    json_end(&o);
    arena_release(&arena);
}

const struct mcp_tool tool_cite_sources = {
    .name = "cite_sources",
    .title = "Cite the sources of a response",
    .description =
        "Records which passages a response rests on, and answers how to cite them. Call it when "
        "you "
        "have answered from documents, with all the passages you used: the same place of a "
        "document "
        "counts once, with its best score, and the five most relevant are cited. Put `formatted` "
        "of "
        "each into your text where it belongs: (Management Presentation, page 12).\n"
        "`events` are to be streamed to whoever reads along: source_added for each, in the order "
        "of "
        "relevance, then done with all; no sources: only done. Clients that shook hands hear the "
        "same as notifications/message of the logger " LOGGER
        ". Each citation is a memory that rests on its document, so that a person sees which "
        "answers "
        "used a document that turns out to be wrong. Cite the same message_id again and the new "
        "ones "
        "stand in place of the old, but for those that a person protected or verified: they are in "
        "`kept`.\n"
        "A source that cannot be taken is in `refused`, by its place; the others stand. Citations "
        "are of one response: those of earlier ones are not told again.\n"
        "Example: {\"conversation_id\": \"c-7\", \"message_id\": \"m-3\", \"sources\": "
        "[{\"documentId\": \"doc-1\", \"documentName\": \"Management Presentation\", \"location\": "
        "{\"page\": 12}, \"snippet\": \"Revenue was €5.2M\", \"relevanceScore\": 0.9, "
        "\"retrievedAt\": \"2026-01-11T09:30:00.000Z\"}]}",
    .arguments = cite_arguments,
    .answer = cite_answer,
    .work = WORK_WRITE,
    .write = write_cite,
    .logger = LOGGER,
    .event = event_fields,
    .failed = tell_failure,
};

/* ---- get_citations ---- */

#define ASKED_MAX 500

static const struct field get_arguments[] = {
    ID_FIELD(CONVERSATION, FIELD_NULLABLE | FIELD_NOT_EMPTY, "Only of that conversation."),
    ID_FIELD(MESSAGE, FIELD_NULLABLE | FIELD_NOT_EMPTY, "Only of that response."),
    {.name = "document_id",
     .type = FIELD_STRING,
     .flags = FIELD_NULLABLE | FIELD_NOT_EMPTY,
     .longest = URI_MAX,
     .about = "Only of that document, by the id it was cited with."},
    {.name = "limit",
     .type = FIELD_INTEGER,
     .flags = FIELD_NULLABLE,
     .min = 1,
     .max = ASKED_MAX,
     .fallback = "100",
     .about = "At most so many."},
    {.name = "offset",
     .type = FIELD_INTEGER,
     .flags = FIELD_NULLABLE,
     .min = 0,
     .max = 9007199254740991.0,
     .fallback = "0",
     .about = "So many are left out before them; past the end is empty."},
    FIELD_END,
};

static const struct field got_fields[] = {
    {.name = "ref", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "citation:ID."},
    CITED_FIELDS,
    {.name = "formatted",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "(NAME, page 12)."},
    {.name = "conversationId", .type = FIELD_STRING},
    {.name = "messageId", .type = FIELD_STRING},
    {.name = "document",
     .type = FIELD_STRING,
     .about = "document:ID, the memory that it rests on."},
    {.name = "citedAt", .type = FIELD_INTEGER, .about = "Milliseconds since the epoch."},
    FIELD_END,
};

static const struct field get_answer[] = {
    {.name = "citations",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = got_fields,
     .about = "By when they were cited, then by relevance."},
    {.name = "total",
     .type = FIELD_INTEGER,
     .flags = FIELD_REQUIRED,
     .about = "How many there are in all; more than are given where limit cuts them."},
    {.name = "uncertainty",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about =
         "By the mean score of all of them: none, low, medium, high; complete: there are none."},
    FIELD_END,
};

static int read_citations(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    struct citation_query q = {.conversation_id = take_text(&t, CONVERSATION, NULL),
                               .message_id = take_text(&t, MESSAGE, NULL),
                               .document_id = take_text(&t, "document_id", NULL),
                               .limit = (size_t)arg_integer(call->arguments, "limit", 100),
                               .offset = (size_t)arg_integer(call->arguments, "offset", 0)};
    return take_end(&t, e) || citations_answer(r, &q, &call->result, e) ||
                   answer_fits(call, "Ask for a smaller limit.", e)
               ? -1
               : 0;
}

const struct mcp_tool tool_get_citations = {
    .name = "get_citations",
    .title = "Look up citations",
    .description =
        "Gives what responses cited: of a conversation, of one response, or of a document, or of a "
        "combination of them; at least one is to be given. Use it to see what an earlier answer "
        "rests on before you build on it, and, by document_id, which answers to look at again when "
        "a document has changed or was wrong.\n"
        "Only what stands: citations that a later cite_sources for the same message replaced are "
        "left out. `document` is the memory each rests on: memory_get shows its label, "
        "memory_lineage with direction descendants what else rests on it.\n"
        "Example: {\"conversation_id\": \"c-7\", \"message_id\": \"m-3\"}",
    .arguments = get_arguments,
    .answer = get_answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_citations,
};
