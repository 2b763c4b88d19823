/* A memory as an object of an answer. */
#include "model/format/exchange.h"
#include <string.h>
#include "model/base/utf8.h"
#include "store/json/answer.h"
#include "store/search/search.h"
#include "store/mcp/tools/piece.h"

#define SNIPPET_WIDTH 160  /* code points */
#define BEGINNING     2000 /* code points of a text that is too long to send */

#define STRING(name_, about_)                                                                      \
    {                                                                                              \
        .name = name_, .type = FIELD_STRING, .about = about_                                       \
    }
#define GIVEN(name_, type_, about_)                                                                \
    {                                                                                              \
        .name = name_, .type = type_, .about = about_                                              \
    }
#define NEEDED(name_, type_, about_)                                                               \
    {                                                                                              \
        .name = name_, .type = type_, .flags = FIELD_REQUIRED, .about = about_                     \
    }

static const struct field antecedent_fields[] = {
    NEEDED("ref", FIELD_STRING, "What it rests on."),
    {.name = "relevance", .type = FIELD_NUMBER, .about = "0 to 1."},
    STRING("score", "Where the relevance came from."),
    STRING("excerpt", "The passage that was used."),
    {.name = "chunk", .type = FIELD_INTEGER},
    {.name = "rank", .type = FIELD_INTEGER},
    {.name = "page", .type = FIELD_INTEGER},
    STRING("section", NULL),
    STRING("version_hash", "Of the version that was used."),
    STRING("label", "An id made up for this use."),
    STRING("title", "What the document was called there."),
    FIELD_END,
};

static const struct field justification_fields[] = {
    NEEDED("role", FIELD_STRING, "derived_from, evidence, reinforcement, source, step, citation."),
    NEEDED("reading", FIELD_STRING, "any: each antecedent suffices; all: all are needed."),
    NEEDED("recorded", FIELD_STRING, "recorded, or how the link was guessed."),
    NEEDED("at", FIELD_INTEGER, "Milliseconds since the epoch."),
    STRING("reason", NULL),
    {.name = "antecedents",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = antecedent_fields},
    FIELD_END,
};

static const struct field history_fields[] = {
    NEEDED("at", FIELD_INTEGER, "Milliseconds since the epoch."),
    {.name = "old", .type = FIELD_NUMBER, .about = "Confidence before."},
    {.name = "new", .type = FIELD_NUMBER, .about = "Confidence after."},
    STRING("reason", NULL),
    STRING("evidence_source", NULL),
    STRING("operation", NULL),
    STRING("actor", NULL),
    STRING("origin", NULL),
    FIELD_END,
};

static const struct field relation_fields[] = {
    NEEDED("type", FIELD_STRING, "supersedes, processed_into, contradicts, …"),
    NEEDED("to", FIELD_STRING, "A ref."),
    NEEDED("at", FIELD_INTEGER, "Milliseconds since the epoch."),
    STRING("reason", NULL),
    FIELD_END,
};

static const struct field mark_fields[] = {
    NEEDED("mark", FIELD_STRING, "reviewed, for_review, poisoned, …"),
    NEEDED("at", FIELD_INTEGER, "Milliseconds since the epoch."),
    STRING("actor", "Who set it."),
    STRING("value", NULL),
    STRING("reason", NULL),
    FIELD_END,
};

#define MEMORY_FIELDS                                                                              \
    NEEDED("ref", FIELD_STRING, "kind:id, its name in every other tool."),                         \
        NEEDED("agent_id", FIELD_STRING, "Whose memory it is."),                                   \
        GIVEN("text", FIELD_STRING, "What it says."),                                              \
        GIVEN("created_at", FIELD_INTEGER, "Milliseconds since the epoch."),                       \
        GIVEN("updated_at", FIELD_INTEGER, "Milliseconds since the epoch."),                       \
        GIVEN("confidence", FIELD_NUMBER, "0 to 1."),                                              \
        GIVEN("source_type", FIELD_STRING, "How it came about."),                                  \
        STRING("source", "Where it came from, in words."),                                         \
        STRING("source_entity", "Who told it."),                                                   \
        GIVEN("status", FIELD_STRING, "active, superseded, retracted, …"),                         \
        {.name = "protected", .type = FIELD_BOOLEAN, .about = "Only a person changes it."},        \
        {.name = "tags", .type = FIELD_ARRAY, .of = FIELD_STRING}, STRING("context", NULL),        \
        {.name = "annotations", .type = FIELD_ARRAY, .of = FIELD_STRING},                          \
        GIVEN("version", FIELD_INTEGER, "Grows with each change."),                                \
        {.name = "detail", .type = FIELD_OBJECT, .about = "What else its kind holds."},            \
        {.name = "justifications",                                                                 \
         .type = FIELD_ARRAY,                                                                      \
         .of = FIELD_OBJECT,                                                                       \
         .fields = justification_fields,                                                           \
         .about = "Why it is held: it stands while one of them does."},                            \
        {.name = "history", .type = FIELD_ARRAY, .of = FIELD_OBJECT, .fields = history_fields},    \
        {.name = "relations", .type = FIELD_ARRAY, .of = FIELD_OBJECT, .fields = relation_fields}, \
        {.name = "marks", .type = FIELD_ARRAY, .of = FIELD_OBJECT, .fields = mark_fields},         \
        GIVEN("label", FIELD_STRING,                                                               \
              "What became of its support: grounded, weakened, ungrounded, circular, unsourced; "  \
              "gone: its status says why."),                                                       \
        {.name = "withheld",                                                                       \
         .type = FIELD_BOOLEAN,                                                                    \
         .about = "It is another agent's, and agents do not share here: no more is told of it."},  \
        STRING("snippet", "Of a search: the text around the match."),                              \
    {                                                                                              \
        .name = "too_large", .type = FIELD_INTEGER,                                                \
        .about = "The whole would take so many bytes: only the beginning of its text is "          \
                 "given, and no lists. memory_get with an offset gives all of it, in pieces."      \
    }

const struct field memory_fields[] = {MEMORY_FIELDS, FIELD_END};

const struct field memory_or_piece_fields[] = {
    MEMORY_FIELDS,
    PIECE_ANSWER,
    FIELD_END,
};

/* Takes the object's brace off, so that more members can follow. */
static void reopen(struct strbuf *out)
{
    strbuf_cut(out, out->len - 1);
}

/* Masked before it is cut. */
static const char *beginning(struct mcp_call *call, struct reader *r, const char *text,
                             size_t code_points)
{
    const char *seen = text ? guard_text(r, &call->arena, text, strlen(text)) : "";
    return seen ? arena_strndup(&call->arena, seen, utf8_prefix(seen, code_points)) : NULL;
}

/* Its lists and its detail are left out as well, and long names are cut. */
static int add_beginning(struct mcp_call *call, struct reader *r, const struct memory *whole,
                         enum label label, size_t bytes, struct strbuf *out, struct error *e)
{
    struct memory m = *whole;
    m.text = beginning(call, r, whole->text, BEGINNING);
    m.agent_id = beginning(call, r, whole->agent_id, AGENT_NAME_MAX);
    m.source_type = beginning(call, r, whole->source_type, AGENT_NAME_MAX);
    if (!m.text || !m.agent_id || !m.source_type)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    m.detail = m.source = m.source_entity = m.context = NULL;
    m.tag_count = m.annotation_count = m.justification_count = 0;
    m.history_count = m.relation_count = m.mark_count = 0;
    exchange_write(out, &m, label_name(label));
    reopen(out);
    strbuf_addf(out, ",\"too_large\":%zu}", bytes);
    return 0;
}

int add_snippet(struct mcp_call *call, struct reader *r, int64_t node, const char *words,
                struct strbuf *out, struct error *e)
{
    struct strbuf snippet = STRBUF_INIT;
    int result = search_snippet_of_row(r, &call->arena, node, words, SNIPPET_WIDTH, &snippet, e);
    json_add_string_len(out, snippet.buf, snippet.len);
    out->failed |= snippet.failed;
    strbuf_release(&snippet);
    return result;
}

int add_form(struct mcp_call *call, struct reader *r, int64_t node, enum label label,
             struct strbuf *out, struct error *e)
{
    size_t before = out->len;
    if (answer_form(r, &call->arena, node, label, out, e))
        return -1;
    size_t bytes = out->len - before;
    if (bytes <= PAGE_MAX)
        return 0;
    struct memory m;
    strbuf_cut(out, before);
    return answer_read(r, &call->arena, node, &m, e)
               ? -1
               : add_beginning(call, r, &m, label, bytes, out, e);
}

void answer_in_pieces(struct mcp_call *call, const struct reader *r, bool masked)
{
    call->in_pieces = masked || !guard_masks(r);
}

int answer_fits(const struct mcp_call *call, const char *todo, struct error *e)
{
    if (call->result.len <= ANSWER_MAX)
        return 0;
    return error_set(e, ERROR_INVALID, todo, "the answer would take %zu bytes, and %u are the most",
                     call->result.len, ANSWER_MAX);
}
