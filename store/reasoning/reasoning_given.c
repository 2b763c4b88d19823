/* Chains and steps as JSON: their stored details, and parsing a given chain. */
#include "store/reasoning/reasoning_given.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "store/record/index_tables.h"

/* ---- reading the detail ---- */

static bool is_null(struct json_slice value)
{
    return !value.ptr || value.ptr[0] == 'n';
}

static double seconds_of(struct json_slice value)
{
    double seconds;
    return value.ptr && json_double(value, &seconds) == 0 && seconds >= 0 ? seconds : NAN;
}

double reasoning_stated(enum kind kind, bool unstated, double confidence)
{
    return unstated && confidence == kind_spec(kind)->confidence ? NAN : confidence;
}

void reasoning_detail_read(const char *detail, bool of_step, struct arena *arena,
                           struct reasoning_detail *out)
{
    static const char *const names[2][3] = {
        {"final_answer", "strategy", "total_time"},
        {"intermediate_answer", "reasoning_trace", "execution_time"}};
    const char *const *name = names[of_step];
    struct json_slice object = detail_json(detail);
    *out = (struct reasoning_detail){.seconds = NAN};
    for (struct json_each it = json_each(object); object.ptr && json_next(&it);) {
        if (json_key_is(it.key, name[0]))
            out->answer = json_text_repaired(arena, it.value);
        else if (json_key_is(it.key, name[1]))
            out->words = json_text_repaired(arena, it.value);
        else if (json_key_is(it.key, name[2]))
            out->seconds = seconds_of(it.value);
        else if (json_key_is(it.key, "token_usage") && !is_null(it.value))
            out->token_usage = it.value;
        else if (json_key_is(it.key, "passages") && it.value.ptr[0] == '[')
            out->passages = it.value;
        else if (json_key_is(it.key, "model"))
            out->model = json_text_repaired(arena, it.value);
        else if (json_key_is(it.key, "source_summary") && it.value.ptr[0] == '{')
            out->summary = it.value;
        else if (json_key_is(it.key, "confidence_unstated"))
            out->unstated |= it.value.ptr[0] == 't';
        else if (json_key_is(it.key, "context_used") && it.value.ptr[0] == '[')
            out->context_used = it.value;
        else if (json_key_is(it.key, "step_number") &&
                 (json_integer(it.value, &out->number) || out->number < 1))
            out->number = 0;
    }
}

/* ---- writing ---- */

/* Members that are stored elsewhere, under this name or another. */
static const char *const of_chain[] = {"original_question",
                                       "question",
                                       "final_answer",
                                       "reasoning_strategy",
                                       "strategy",
                                       "total_time",
                                       "total_confidence",
                                       "total_execution_time",
                                       "token_usage",
                                       "model",
                                       "reasoning_steps",
                                       "source_summary",
                                       "confidence_unstated",
                                       NULL};
static const char *const of_step[] = {"step_number",
                                      "question",
                                      "intermediate_answer",
                                      "reasoning_trace",
                                      "confidence_score",
                                      "execution_time",
                                      "token_usage",
                                      "context_used",
                                      "source_attributions",
                                      "retrieved_documents",
                                      "confidence_unstated",
                                      "passages",
                                      "model",
                                      NULL};

static void add_text(struct json_object *o, const char *key, const char *text, size_t len)
{
    if (!text)
        return;
    json_key(o, key);
    json_add_string_len(o->out, text, len);
}

static void add_seconds(struct json_object *o, const char *key, double seconds)
{
    if (isnan(seconds))
        return;
    json_pair_double(o, key, seconds);
}

static void add_value(struct json_object *o, const char *key, struct json_slice value)
{
    if (is_null(value))
        return;
    json_key(o, key);
    json_minify(o->out, value.ptr, value.len);
}

/* Checks that the other members can be kept. ERROR_INVALID names one that cannot. */
static int reasoning_others_check(struct json_slice from, bool of_a_step, struct error *e)
{
    struct error why;
    for (struct json_each it = json_each(from); json_next(&it);) {
        if (json_key_is_any(it.key, of_a_step ? of_step : of_chain) &&
            !json_key_is(it.key, "source_summary"))
            continue;
        if (json_check(it.value.ptr, it.value.len, JSON_DEPTH_MAX - 1, &why) == 0)
            continue;
        size_t shown = utf8_fit(it.key.ptr, it.key.len, 60);
        return error_set(e, why.code, "Nest it less, or fix the text there.",
                         "%.*s%s cannot be kept: %s", (int)shown, it.key.ptr,
                         shown < it.key.len ? "…" : "", why.what);
    }
    return 0;
}

static const char *take(struct json_object *o, struct arena *arena)
{
    json_end(o);
    return arena_take(arena, o->out);
}

const char *chain_detail_write(const struct chain_given *c, struct arena *arena)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    add_text(&o, "final_answer", c->answer, c->answer_len);
    add_text(&o, "strategy", c->strategy, c->strategy ? strlen(c->strategy) : 0);
    add_seconds(&o, "total_time", c->total_time);
    json_pair_true_if(&o, "confidence_unstated", isnan(c->confidence));
    add_value(&o, "token_usage", c->token_usage);
    json_pair_if(&o, "model", c->model);
    add_value(&o, "source_summary", c->summary);
    json_add_others(&o, c->whole, of_chain);
    return take(&o, arena);
}

static void add_contexts(struct json_object *o, const struct step_given *s)
{
    if (s->context_count == 0)
        return;
    json_key(o, "context_used");
    json_add_strings(o->out, s->contexts, s->context_count);
}

/* The whole text of a source whose excerpt is only its beginning; NULL if there is none. Contexts are
 * kept as such. */
static const char *whole_text(const struct source *s, struct arena *arena)
{
    if (s->whole || !s->content || s->origin == SCORE_HEURISTIC)
        return s->whole;
    return s->content_len > strlen(s->excerpt) ? utf8_repaired(arena, s->content, s->content_len)
                                               : NULL;
}

/* A list with an element for each source, up to the last one that has a whole text. */
static void add_passages(struct json_object *o, const struct source_list *sources,
                         struct arena *arena)
{
    size_t count = sources->count;
    const char **whole = arena_array(arena, count + 1, sizeof(*whole));
    for (size_t i = 0; i < count; i++)
        whole[i] = whole_text(&sources->source[i], arena);
    while (count > 0 && !whole[count - 1])
        count--;
    if (count == 0)
        return;
    json_pair_strings(o, "passages", whole, count);
}

const char *step_detail_write(const struct step_given *s, const struct source_list *sources,
                              struct arena *arena)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_pair_int(&o, "step_number", s->number);
    add_text(&o, "intermediate_answer", s->answer, s->answer_len);
    add_text(&o, "reasoning_trace", s->trace, s->trace_len);
    add_seconds(&o, "execution_time", s->execution_time);
    json_pair_true_if(&o, "confidence_unstated", isnan(s->confidence));
    add_value(&o, "token_usage", s->token_usage);
    json_pair_if(&o, "model", s->model);
    add_contexts(&o, s);
    add_passages(&o, sources, arena);
    json_add_others(&o, s->whole, of_step);
    return take(&o, arena);
}

const char *step_detail_replace(const char *detail, const struct step_given *s,
                                const struct source_list *sources, struct arena *arena)
{
    static const char *const placed[] = {"context_used", "passages", NULL};
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_add_others(&o, detail_json(detail), placed);
    add_contexts(&o, s);
    add_passages(&o, sources, arena);
    return take(&o, arena);
}

const char *chain_detail_finish(const char *detail, const char *answer, size_t answer_len,
                                double total_time, bool unstated, struct arena *arena)
{
    const char *const placed[] = {"final_answer", "confidence_unstated",
                                  isnan(total_time) ? NULL : "total_time", NULL};
    struct strbuf out = STRBUF_INIT;
    struct json_slice had = detail_json(detail);
    struct json_object o = json_begin(&out, '{');
    add_text(&o, "final_answer", answer, answer_len);
    json_add_others(&o, had, placed);
    add_seconds(&o, "total_time", total_time);
    json_pair_true_if(&o, "confidence_unstated", unstated);
    return take(&o, arena);
}

/* ---- checks of a step, however it is given ---- */

int question_check(const char *question, size_t len, struct error *e)
{
    return utf8_space(question, len) < len
               ? 0
               : error_set(e, ERROR_INVALID, "Give the question.", "the question is empty");
}

int confidence_check(double confidence, struct error *e)
{
    if (isnan(confidence) || (confidence >= 0 && confidence <= 1))
        return 0;
    return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                     "a confidence of %g is out of range", confidence);
}

int time_check(double seconds, struct error *e)
{
    if (isnan(seconds) || (seconds >= 0 && isfinite(seconds)))
        return 0;
    return error_set(e, ERROR_INVALID, "Give the seconds it took, 0 or more.",
                     "a time of %g seconds is out of range", seconds);
}

/* Its keys are stored as they are given. */
static int tokens_check(struct json_slice usage, struct error *e)
{
    struct error why;
    if (!usage.ptr ||
        (json_is_amounts(usage) && json_check(usage.ptr, usage.len, JSON_DEPTH_MAX - 1, &why) == 0))
        return 0;
    return error_set(e, ERROR_INVALID, "Give a number from 0 on, or an object of such numbers.",
                     "token_usage is neither a number nor an object of numbers");
}

int step_given_check(const struct step_given *s, struct error *e)
{
    if (s->number < 1)
        return error_set(e, ERROR_INVALID, "Number the steps from 1.",
                         "a step number of %lld is out of range", (long long)s->number);
    return failed_if(question_check(s->question, s->question_len, e) ||
                     confidence_check(s->confidence, e) || time_check(s->execution_time, e) ||
                     tokens_check(s->token_usage, e));
}

/* ---- members ---- */

struct given_reader {
    struct arena *arena;
    struct error *e;
};

static int wrong(struct given_reader *r, const char *name, const char *how)
{
    return error_set(r->e, ERROR_INVALID, "Fix it, then send it again.", "%s %s", name, how);
}

/* A member's type, and its offset in struct step_given or chain_given. */
struct given_field {
    const char *name;
    enum {
        GIVEN_BYTES, /* a text that may contain a NUL; its length is stored at `len` */
        GIVEN_TEXT,
        GIVEN_NUMBER,
        GIVEN_LIST,
        GIVEN_OBJECT,
        GIVEN_ANY
    } is;
    size_t at, len;
    bool required;
};
#define STEP(member)  offsetof(struct step_given, member)
#define CHAIN(member) offsetof(struct chain_given, member)

static const struct given_field step_fields[] = {
    {"question", GIVEN_BYTES, STEP(question), STEP(question_len), true},
    {"intermediate_answer", GIVEN_BYTES, STEP(answer), STEP(answer_len), false},
    {"reasoning_trace", GIVEN_BYTES, STEP(trace), STEP(trace_len), false},
    {"confidence_score", GIVEN_NUMBER, STEP(confidence), 0, false},
    {"execution_time", GIVEN_NUMBER, STEP(execution_time), 0, false},
    {"source_attributions", GIVEN_LIST, STEP(attributions), 0, false},
    {"retrieved_documents", GIVEN_LIST, STEP(results), 0, false},
    {"token_usage", GIVEN_ANY, STEP(token_usage), 0, false},
    {"model", GIVEN_TEXT, STEP(model), 0, false},
};
static const struct given_field chain_fields[] = {
    {"original_question", GIVEN_BYTES, CHAIN(question), CHAIN(question_len), true},
    {"final_answer", GIVEN_BYTES, CHAIN(answer), CHAIN(answer_len), true},
    {"reasoning_strategy", GIVEN_TEXT, CHAIN(strategy), 0, false},
    {"total_confidence", GIVEN_NUMBER, CHAIN(confidence), 0, false},
    {"total_execution_time", GIVEN_NUMBER, CHAIN(total_time), 0, false},
    {"source_summary", GIVEN_OBJECT, CHAIN(summary), 0, false},
    {"token_usage", GIVEN_ANY, CHAIN(token_usage), 0, false},
    {"model", GIVEN_TEXT, CHAIN(model), 0, false},
};
#define COUNT_OF(fields) (sizeof(fields) / sizeof((fields)[0]))

/* Of repeated members the last counts. */
static struct json_slice find_member(struct json_slice object, const char *name)
{
    struct json_slice value = {NULL, 0};
    for (struct json_each it = json_each(object); json_next(&it);)
        if (json_key_is(it.key, name))
            value = it.value;
    return is_null(value) ? (struct json_slice){NULL, 0} : value;
}

static int read_field(struct given_reader *r, struct json_slice value, const struct given_field *f,
                      char *to)
{
    const char *text = NULL;
    double number = NAN;
    size_t len = 0;
    char first = value.ptr ? value.ptr[0] : 0;
    bool is_number = first == '-' || (first >= '0' && first <= '9');
    if (!value.ptr && f->required)
        return wrong(r, f->name, "is missing");
    switch (f->is) {
    case GIVEN_BYTES:
    case GIVEN_TEXT:
        if (first && first != '"')
            return wrong(r, f->name, "is not a text");
        text = f->is == GIVEN_TEXT ? json_text_repaired(r->arena, value)
               : first             ? json_text(r->arena, value, &len)
                                   : NULL;
        memcpy(to + f->at, &text, sizeof(text));
        if (f->is == GIVEN_BYTES)
            memcpy(to + f->len, &len, sizeof(len));
        return 0;
    case GIVEN_NUMBER:
        if (first && !is_number)
            return wrong(r, f->name, "is not a number");
        if (first && json_double(value, &number))
            return wrong(r, f->name, "is a number that is too large");
        memcpy(to + f->at, &number, sizeof(number));
        return 0;
    default:
        if (f->is == GIVEN_LIST && first && first != '[')
            return wrong(r, f->name, "is not a list");
        if (f->is == GIVEN_OBJECT && first && first != '{')
            return wrong(r, f->name, "is not an object");
        memcpy(to + f->at, &value, sizeof(value));
        return 0;
    }
}

static int read_fields(struct given_reader *r, struct json_slice object,
                       const struct given_field *fields, size_t count, void *to)
{
    for (size_t i = 0; i < count; i++)
        if (read_field(r, find_member(object, fields[i].name), &fields[i], to))
            return -1;
    return 0;
}

static int read_contexts(struct given_reader *r, struct json_slice list, struct step_given *s)
{
    if (list.ptr && list.ptr[0] != '[')
        return wrong(r, "context_used", "is not a list");
    s->contexts = arena_array(r->arena, json_count(list) + 1, sizeof(*s->contexts));
    for (struct json_each it = json_each(list); list.ptr && json_next(&it);) {
        if (it.value.ptr[0] != '"')
            return wrong(r, "context_used", "contains an element that is not a text");
        s->contexts[s->context_count++] = json_text_repaired(r->arena, it.value);
    }
    return 0;
}

/* ---- steps ---- */

static int read_step_number(struct given_reader *r, struct json_slice value, int64_t *out)
{
    if (!value.ptr)
        return wrong(r, "step_number", "is missing");
    return json_integer(value, out) ? wrong(r, "step_number", "is not a whole number") : 0;
}

static int read_step(struct given_reader *r, struct json_slice value, size_t index,
                     struct step_given *out)
{
    *out = (struct step_given){.whole = value};
    if (value.ptr[0] != '{')
        return error_set(r->e, ERROR_INVALID, "", "reasoning_steps[%zu] is not an object", index);
    if (read_step_number(r, find_member(value, "step_number"), &out->number) == 0 &&
        read_fields(r, value, step_fields, COUNT_OF(step_fields), out) == 0 &&
        read_contexts(r, find_member(value, "context_used"), out) == 0 &&
        step_given_check(out, r->e) == 0 && reasoning_others_check(value, true, r->e) == 0)
        return 0;
    return out->number > 0 ? error_prefix(r->e, "step %lld", (long long)out->number)
                           : error_prefix(r->e, "reasoning_steps[%zu]", index);
}

/* ---- the chain ---- */

/* Sorts by number; equal numbers stay in the order given. */
static int by_number(const void *a, const void *b)
{
    const struct step_given *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->whole.ptr > y->whole.ptr) - (x->whole.ptr < y->whole.ptr);
}

static int read_steps(struct given_reader *r, struct json_slice list, struct chain_given *out)
{
    if (list.ptr && list.ptr[0] != '[')
        return wrong(r, "reasoning_steps", "is not a list");
    out->step = arena_array(r->arena, json_count(list) + 1, sizeof(*out->step));
    for (struct json_each it = json_each(list); json_next(&it); out->step_count++)
        if (read_step(r, it.value, out->step_count, &out->step[out->step_count]))
            return -1;
    SORT(out->step, out->step_count, by_number);
    for (size_t i = 1; i < out->step_count; i++)
        if (out->step[i].number == out->step[i - 1].number)
            return error_set(r->e, ERROR_INVALID, "Give each step a number of its own.",
                             "step %lld occurs twice", (long long)out->step[i].number);
    return 0;
}

int chain_given_read(struct json_slice whole, struct arena *arena, struct chain_given *out,
                     struct error *e)
{
    struct given_reader r = {arena, e};
    *out = (struct chain_given){.whole = json_trim(whole.ptr, whole.len)};
    if (out->whole.len == 0 || out->whole.ptr[0] != '{')
        return error_set(e, ERROR_INVALID,
                         "Give an object with original_question, final_answer"
                         " and reasoning_steps.",
                         "a chain must be an object");
    if (read_fields(&r, out->whole, chain_fields, COUNT_OF(chain_fields), out))
        return -1;
    if (question_check(out->question, out->question_len, e))
        return error_prefix(e, "original_question");
    return failed_if(confidence_check(out->confidence, e) || time_check(out->total_time, e) ||
                     tokens_check(out->token_usage, e) ||
                     reasoning_others_check(out->whole, false, e) ||
                     read_steps(&r, find_member(out->whole, "reasoning_steps"), out));
}
