/*
 * Reads exports of Langfuse: the JSON of a trace with its observations and scores, as its pages
 * download it, and the lines of a blob export (observations_v2), with names in snake_case or
 * camelCase.
 */
#include <string.h>
#include "model/base/clock.h"
#include "store/import/traces/span.h"

/* A member by either name. */
static struct json_slice member(struct json_slice o, const char *snake, const char *camel)
{
    struct json_slice value = json_get(o, snake);
    return value.ptr ? value : json_get(o, camel);
}

static const char *text(struct span_list *list, struct json_slice o, const char *snake,
                        const char *camel)
{
    return span_text(list, member(o, snake, camel));
}

/* What went in or came out: a text, a list of messages or any JSON. */
static const char *message(struct span_list *list, struct json_slice o, const char *name)
{
    const char *found = text(list, o, name, name);
    return found ? span_last_message(list, found) : NULL;
}

static int64_t time_of(struct span_list *list, struct json_slice o, const char *snake,
                       const char *camel)
{
    const char *iso = text(list, o, snake, camel);
    int64_t ms;
    return iso && clock_parse_iso(iso, &ms) == 0 ? ms : 0;
}

static enum span_kind kind_of(const char *type)
{
    static const struct {
        const char *type;
        enum span_kind kind;
    } kinds[] = {{"GENERATION", SPAN_STEP}, {"SPAN", SPAN_STEP},          {"AGENT", SPAN_STEP},
                 {"CHAIN", SPAN_STEP},      {"EVALUATOR", SPAN_STEP},     {"GUARDRAIL", SPAN_STEP},
                 {"TOOL", SPAN_TOOL},       {"RETRIEVER", SPAN_RETRIEVAL}};
    for (size_t i = 0; type && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(kinds[i].type, type) == 0)
            return kinds[i].kind;
    return SPAN_OTHER;
}

static int64_t tokens(struct json_slice o, const char *name)
{
    struct json_slice usage = member(o, "usage_details", "usageDetails");
    int64_t count;
    if (!usage.ptr)
        usage = json_get(o, "usage");
    return json_integer(json_get(usage, name), &count) == 0 && count >= 0 ? count : -1;
}

static void take_observation(struct span_list *list, struct json_slice o, const char *trace,
                             const char *session)
{
    struct span *s = span_add(list);
    s->trace = text(list, o, "trace_id", "traceId");
    s->trace = s->trace ? s->trace : trace;
    s->id = text(list, o, "id", "id");
    s->parent = text(list, o, "parent_observation_id", "parentObservationId");
    s->name = text(list, o, "name", "name");
    s->kind = kind_of(text(list, o, "type", "type"));
    s->start = time_of(list, o, "start_time", "startTime");
    s->end = time_of(list, o, "end_time", "endTime");
    if (s->start && s->end >= s->start)
        s->seconds = (double)(s->end - s->start) / 1000;
    s->model = text(list, o, "provided_model_name", "model");
    s->session = text(list, o, "session_id", "sessionId");
    s->session = s->session ? s->session : session;
    s->agent = text(list, o, "trace_name", "traceName");
    s->input = message(list, o, "input");
    s->output = message(list, o, "output");
    s->tokens_in = tokens(o, "input");
    s->tokens_out = tokens(o, "output");
    s->tool = s->kind == SPAN_TOOL ? s->name : NULL;
    s->error = text(list, o, "status_message", "statusMessage");
    const char *level = text(list, o, "level", "level");
    if (level && strcmp(level, "ERROR") == 0 && (!s->error || !*s->error))
        s->error = level;
    struct json_slice found = json_get(o, "output");
    if (s->kind == SPAN_RETRIEVAL && found.ptr && *found.ptr == '[')
        span_take_documents(list, s, found);
}

/* A score is about an observation, or about the whole trace. */
static void take_score(struct span_list *list, size_t first, struct json_slice score)
{
    const char *of = text(list, score, "observation_id", "observationId");
    const char *source = text(list, score, "source", "source");
    for (size_t i = first; i < list->count; i++) {
        struct span *s = &list->span[i];
        if (of ? !s->id || strcmp(s->id, of) != 0 : i > first)
            continue;
        struct evaluation *v = span_add_evaluation(list, s);
        v->name = text(list, score, "name", "name");
        v->label = text(list, score, "string_value", "stringValue");
        v->explanation = text(list, score, "comment", "comment");
        v->by_model = source && strcmp(source, "ANNOTATION") != 0;
        json_double(json_get(score, "value"), &v->score);
        return;
    }
}

/* The trace itself is the root of its observations. `whole` has these and the scores. */
static void take_trace(struct span_list *list, struct json_slice trace, struct json_slice whole)
{
    size_t first = list->count;
    struct span *s = span_add(list);
    const char *id = s->trace = text(list, trace, "id", "id");
    const char *session = s->session = text(list, trace, "session_id", "sessionId");
    s->kind = SPAN_STEP;
    s->id = "";
    s->agent = s->name = text(list, trace, "name", "name");
    s->start = time_of(list, trace, "timestamp", "timestamp");
    s->input = message(list, trace, "input");
    s->output = message(list, trace, "output");
    struct json_slice all = json_get(whole, "observations");
    for (struct json_each it = json_each(all); json_next(&it);)
        if (*it.value.ptr == '{')
            take_observation(list, it.value, id, session);
    for (size_t i = first + 1; i < list->count; i++)
        list->span[i].parent = list->span[i].parent ? list->span[i].parent : "";
    struct json_slice scores = json_get(whole, "scores");
    for (struct json_each it = json_each(scores); json_next(&it);)
        if (*it.value.ptr == '{')
            take_score(list, first, it.value);
}

size_t langfuse_read(struct span_list *list, struct json_slice value)
{
    size_t before = list->count;
    struct json_slice inner = json_get(value, "trace");
    struct json_slice observations = json_get(value, "observations");
    if (observations.ptr && *observations.ptr == '[')
        take_trace(list, inner.ptr && *inner.ptr == '{' ? inner : value, value);
    else if (member(value, "trace_id", "traceId").ptr &&
             member(value, "start_time", "startTime").ptr)
        take_observation(list, value, NULL, NULL);
    return list->count - before;
}
