/*
 * Reads OTLP/JSON (opentelemetry-proto, trace.proto in its JSON form: ids are hex, 64-bit numbers are strings) with the
 * attributes of gen_ai (open-telemetry/semantic-conventions-genai) and of OpenInference (Arize-ai/openinference,
 * spec/semantic_conventions.md).
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/import/traces/span.h"

/* ---- attribute values ---- */

/* Appends a value of OTLP as plain JSON. The text was checked for its depth. */
static void add_value(struct strbuf *out, struct json_slice value)
{
    struct json_each it = json_each(value);
    if (!json_next(&it)) {
        strbuf_addstr(out, "null");
    } else if (json_key_is(it.key, "arrayValue") || json_key_is(it.key, "kvlistValue")) {
        bool list = json_key_is(it.key, "arrayValue");
        struct json_object o = json_begin(out, list ? '[' : '{');
        struct json_slice values = json_get(it.value, "values");
        for (struct json_each each = json_each(values); json_next(&each);) {
            struct json_slice one = each.value, key = json_get(one, "key");
            if (!list && (!key.ptr || *key.ptr != '"'))
                continue;
            json_item(&o);
            if (!list) {
                strbuf_add(out, key.ptr, key.len);
                strbuf_addch(out, ':');
                one = json_get(one, "value");
            }
            add_value(out, one);
        }
        json_end(&o);
    } else if (json_key_is(it.key, "intValue") && *it.value.ptr == '"') {
        strbuf_add(out, it.value.ptr + 1, it.value.len - 2); /* "12" is the number 12 */
    } else {
        strbuf_add(out, it.value.ptr, it.value.len);
    }
}

/* The text of a string, or the JSON of another value. */
static const char *value_text(struct span_list *list, struct json_slice value)
{
    struct json_slice text = json_get(value, "stringValue");
    AUTO_STRBUF out = STRBUF_INIT;
    if (text.ptr)
        return span_text(list, text);
    add_value(&out, value);
    return utf8_repaired(&list->arena, out.buf, out.len);
}

/* -1 if it is no whole number from 0 on. */
static int64_t to_int(const char *text)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    return end == text || value < 0 ? -1 : value;
}

static double to_double(const char *text)
{
    double value;
    return json_double((struct json_slice){text, strlen(text)}, &value) ? (double)NAN : value;
}

/* ---- attributes ---- */

enum attribute {
    AT_TEXT, /* the last one counts */
    AT_FIRST_TEXT,
    AT_FIRST_MESSAGE, /* the last one of a list of messages */
    AT_COUNT,
    AT_KIND,
    AT_OPERATION,
    AT_RECORDS,
};

#define OF(member) offsetof(struct span, member)

static const struct {
    const char *key;
    enum attribute type;
    size_t field;
} attributes[] = {
    {"openinference.span.kind", AT_KIND, 0},
    {"gen_ai.operation.name", AT_OPERATION, 0},
    {"input.value", AT_FIRST_TEXT, OF(input)},
    {"output.value", AT_FIRST_TEXT, OF(output)},
    {"gen_ai.input.messages", AT_FIRST_MESSAGE, OF(input)},
    {"gen_ai.output.messages", AT_FIRST_MESSAGE, OF(output)},
    {"gen_ai.tool.call.arguments", AT_FIRST_TEXT, OF(input)},
    {"gen_ai.tool.call.result", AT_FIRST_TEXT, OF(output)},
    {"gen_ai.memory.query.text", AT_FIRST_TEXT, OF(input)},
    {"gen_ai.agent.name", AT_TEXT, OF(agent)},
    {"agent.name", AT_TEXT, OF(agent)},
    {"gen_ai.request.model", AT_TEXT, OF(model)},
    {"llm.model_name", AT_TEXT, OF(model)},
    {"gen_ai.conversation.id", AT_TEXT, OF(session)},
    {"session.id", AT_TEXT, OF(session)},
    {"gen_ai.usage.input_tokens", AT_COUNT, OF(tokens_in)},
    {"llm.token_count.prompt", AT_COUNT, OF(tokens_in)},
    {"gen_ai.usage.output_tokens", AT_COUNT, OF(tokens_out)},
    {"llm.token_count.completion", AT_COUNT, OF(tokens_out)},
    {"gen_ai.tool.name", AT_TEXT, OF(tool)},
    {"tool.name", AT_TEXT, OF(tool)},
    {"gen_ai.memory.records", AT_RECORDS, 0},
    {"gen_ai.memory.record.id", AT_TEXT, OF(record)},
    {"gen_ai.memory.store.id", AT_TEXT, OF(store)},
    {"error.type", AT_FIRST_TEXT, OF(error)},
};

static const struct {
    const char *name;
    enum span_kind kind;
} kinds[] = {
    {"LLM", SPAN_STEP},
    {"AGENT", SPAN_STEP},
    {"CHAIN", SPAN_STEP},
    {"PROMPT", SPAN_STEP},
    {"GUARDRAIL", SPAN_STEP},
    {"EVALUATOR", SPAN_STEP},
    {"RETRIEVER", SPAN_RETRIEVAL},
    {"RERANKER", SPAN_RETRIEVAL},
    {"TOOL", SPAN_TOOL},
    {"chat", SPAN_STEP},
    {"text_completion", SPAN_STEP},
    {"generate_content", SPAN_STEP},
    {"invoke_agent", SPAN_STEP},
    {"invoke_workflow", SPAN_STEP},
    {"execute_tool", SPAN_TOOL},
    {"retrieval", SPAN_RETRIEVAL},
    {"search_memory", SPAN_RETRIEVAL},
    {"create_memory", SPAN_REMEMBERING},
    {"update_memory", SPAN_REMEMBERING},
    {"upsert_memory", SPAN_REMEMBERING},
    {"delete_memory", SPAN_REMEMBERING},
};

static enum span_kind kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return SPAN_OTHER;
}

static void take_records(struct span_list *list, struct span *s, const char *text)
{
    struct json_slice records = json_trim(text, strlen(text));
    struct error ignored;
    if (records.len && json_check_lax(records.ptr, records.len, JSON_DEPTH_MAX, &ignored) == 0)
        span_take_documents(list, s, records);
}

static void set_field(struct span_list *list, struct span *s, size_t at, const char *text)
{
    void *field = (char *)s + attributes[at].field;
    const char **to = field;
    int64_t *count = field;
    switch (attributes[at].type) {
    case AT_TEXT:
        *to = text;
        break;
    case AT_FIRST_MESSAGE:
        text = span_last_message(list, text);
        /* fallthrough */
    case AT_FIRST_TEXT:
        *to = *to ? *to : text;
        break;
    case AT_COUNT:
        *count = to_int(text);
        break;
    case AT_OPERATION:
        s->operation = text;
        /* fallthrough */
    case AT_KIND:
        s->kind = s->kind == SPAN_OTHER ? kind_of(text) : s->kind;
        break;
    case AT_RECORDS:
        take_records(list, s, text);
        break;
    }
}

#define FLAT_MAX 10000 /* the greatest index in a flattened list */

/* "PREFIX.N.REST": sets *index to N and returns REST; NULL if the key is another. */
static const char *flat_key(const char *key, const char *prefix, size_t *index)
{
    size_t len = strlen(prefix);
    char *end;
    if (strncmp(key, prefix, len) != 0)
        return NULL;
    unsigned long n = strtoul(key + len, &end, 10);
    *index = n;
    return end > key + len && *end == '.' && n < FLAT_MAX ? end + 1 : NULL;
}

/* OpenInference flattens lists: retrieval.documents.0.document.content. The number is a rank and takes no room. */
static bool take_flat_document(struct span_list *list, struct span *s, const char *key,
                               const char *text)
{
    size_t index;
    const char *rest = flat_key(key, "retrieval.documents.", &index);
    if (!rest)
        rest = flat_key(key, "reranker.output_documents.", &index);
    if (!rest)
        return false;
    size_t at = span_place(list, key, (size_t)(rest - key), s->document_count);
    struct found_document *d =
        at == s->document_count ? span_add_document(list, s) : &s->document[at];
    d->rank = (int64_t)index + 1;
    if (strcmp(rest, "document.id") == 0)
        d->id = text;
    else if (strcmp(rest, "document.content") == 0)
        d->content = text;
    else if (strcmp(rest, "document.score") == 0)
        d->score = to_double(text);
    return true;
}

static bool take_flat_message(struct span *s, const char *key, const char *text)
{
    size_t index;
    const char *in = flat_key(key, "llm.input_messages.", &index),
               *out = flat_key(key, "llm.output_messages.", &index);
    if (in && strcmp(in, "message.content") == 0)
        s->input = text; /* the last one stands */
    else if (out && strcmp(out, "message.content") == 0)
        s->output = text;
    return in || out;
}

/* evaluation.score, evaluation.NAME.score, annotation.NAME.label, … */
static bool take_evaluation(struct span_list *list, struct span *s, const char *key,
                            const char *text)
{
    const char *dot = strrchr(key, '.'), *first = strchr(key, '.');
    if (strncmp(key, "evaluation.", 11) != 0 && strncmp(key, "annotation.", 11) != 0)
        return false;
    size_t at = span_place(list, key, (size_t)(dot - key), s->evaluation_count);
    if (at == s->evaluation_count)
        span_add_evaluation(list, s)->name =
            dot > first ? arena_strndup(&list->arena, first + 1, (size_t)(dot - first - 1)) : "";
    struct evaluation *v = &s->evaluation[at];
    if (strcmp(dot, ".score") == 0)
        v->score = to_double(text);
    else if (strcmp(dot, ".label") == 0)
        v->label = text;
    else if (strcmp(dot, ".explanation") == 0)
        v->explanation = text;
    else if (strcmp(dot, ".annotator_kind") == 0)
        v->by_model = strcmp(text, "HUMAN") != 0;
    else if (strcmp(dot, ".name") == 0)
        v->name = text;
    return true;
}

static void take_attribute(struct span_list *list, struct span *s, struct json_slice attribute)
{
    const char *key = span_text(list, json_get(attribute, "key"));
    struct json_slice value = json_get(attribute, "value");
    if (!key || !value.ptr || *value.ptr != '{')
        return;
    const char *text = value_text(list, value);
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
        if (strcmp(attributes[i].key, key) == 0) {
            set_field(list, s, i, text);
            return;
        }
    if (!take_flat_document(list, s, key, text) && !take_flat_message(s, key, text))
        take_evaluation(list, s, key, text);
}

/* ---- spans ---- */

/* Nanoseconds since the epoch, as text or as a number; 0 if absent. */
static int64_t nanoseconds(struct span_list *list, struct json_slice span, const char *name)
{
    const char *text = span_text(list, json_get(span, name));
    int64_t value = text ? to_int(text) : 0;
    return value > 0 ? value : 0;
}

static const char *text_member(struct span_list *list, struct json_slice o, const char *name)
{
    return span_text(list, json_get(o, name));
}

static void take_span(struct span_list *list, struct json_slice span, const char *service)
{
    struct span *s = span_add(list);
    int64_t start = nanoseconds(list, span, "startTimeUnixNano"),
            end = nanoseconds(list, span, "endTimeUnixNano");
    struct json_slice status = json_get(span, "status");
    s->trace = text_member(list, span, "traceId");
    s->id = text_member(list, span, "spanId");
    s->parent = text_member(list, span, "parentSpanId");
    s->name = text_member(list, span, "name");
    s->start = start / 1000000;
    s->end = end / 1000000;
    if (end >= start && start)
        s->seconds = (double)(end - start) / 1e9;
    const char *code = text_member(list, status, "code");
    bool failed = code && (strcmp(code, "2") == 0 || strcmp(code, "STATUS_CODE_ERROR") == 0);
    s->error = failed ? text_member(list, status, "message") : NULL;
    struct json_slice all = json_get(span, "attributes");
    for (struct json_each it = json_each(all); json_next(&it);)
        take_attribute(list, s, it.value);
    if (failed && (!s->error || !*s->error))
        s->error = "ERROR";
    if (!s->agent)
        s->agent = service;
}

/* The name of the service stands for the agent where no span names one. */
static const char *service_name(struct span_list *list, struct json_slice resource)
{
    struct json_slice all = json_get(resource, "attributes");
    for (struct json_each it = json_each(all); json_next(&it);) {
        const char *key = span_text(list, json_get(it.value, "key"));
        struct json_slice value = json_get(it.value, "value");
        if (key && value.ptr && *value.ptr == '{' && strcmp(key, "service.name") == 0)
            return value_text(list, value);
    }
    return NULL;
}

size_t otlp_read(struct span_list *list, struct json_slice value)
{
    size_t before = list->count;
    for (struct json_each r = json_each(json_get(value, "resourceSpans")); json_next(&r);) {
        const char *service = service_name(list, json_get(r.value, "resource"));
        for (struct json_each s = json_each(json_get(r.value, "scopeSpans")); json_next(&s);)
            for (struct json_each it = json_each(json_get(s.value, "spans")); json_next(&it);)
                take_span(list, it.value, service);
    }
    return list->count - before;
}
