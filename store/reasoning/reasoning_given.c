/* Chains and steps as JSON: the detail that is stored, and what is given. */
#include "store/reasoning/reasoning_given.h"

#include <stdlib.h>
#include "model/base/utf8.h"
#include "store/record/index_tables.h"

/* ---- reading the detail ---- */

/* A string's text in the arena, repaired where it must be; NULL: it is none. */
static const char *reasoning_text(struct json_slice value, struct arena *arena)
{
    size_t len;
    const char *text = json_text(arena, value, &len);
    if (!text || utf8_valid(text, len))
        return text;
    struct strbuf mended = STRBUF_INIT;
    utf8_repair(&mended, text, len);
    text = arena_strndup(arena, mended.buf, mended.len);
    strbuf_release(&mended);
    return text;
}

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
            out->answer = reasoning_text(it.value, arena);
        else if (json_key_is(it.key, name[1]))
            out->words = reasoning_text(it.value, arena);
        else if (json_key_is(it.key, name[2]))
            out->seconds = seconds_of(it.value);
        else if (json_key_is(it.key, "token_usage") && !is_null(it.value))
            out->token_usage = it.value;
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

/* What has a place of its own, under this name or another. */
static const char *const of_chain[] = {"original_question",
                                       "question",
                                       "final_answer",
                                       "reasoning_strategy",
                                       "strategy",
                                       "total_time",
                                       "total_confidence",
                                       "total_execution_time",
                                       "token_usage",
                                       "reasoning_steps",
                                       "source_summary",
                                       "confidence_unstated",
                                       NULL};
static const char *const of_step[] = {"step_number",         "question",
                                      "intermediate_answer", "reasoning_trace",
                                      "confidence_score",    "execution_time",
                                      "token_usage",         "context_used",
                                      "source_attributions", "retrieved_documents",
                                      "confidence_unstated", NULL};

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
    json_key(o, key);
    json_add_double(o->out, seconds);
}

static void add_unstated(struct json_object *o, bool unstated)
{
    if (unstated)
        json_pair_bool(o, "confidence_unstated", true);
}

static void add_value(struct json_object *o, const char *key, struct json_slice value)
{
    if (is_null(value))
        return;
    json_key(o, key);
    json_minify(o->out, value.ptr, value.len);
}

static bool is_any(struct json_slice key, const char *const *names)
{
    while (*names && !json_key_is(key, *names))
        names++;
    return *names != NULL;
}

/* Members of `from` but those named: as they are, null ones too. */
static void add_others(struct json_object *o, struct json_slice from, const char *const *but)
{
    for (struct json_each it = json_each(from); from.ptr && json_next(&it);) {
        if (is_any(it.key, but))
            continue;
        strbuf_addstr(o->out, o->any ? "," : "");
        o->any = true;
        strbuf_addch(o->out, '"');
        strbuf_add(o->out, it.key.ptr, it.key.len);
        strbuf_addstr(o->out, "\":");
        json_minify(o->out, it.value.ptr, it.value.len);
    }
}

/* Can the others be kept as they are? ERROR_INVALID names one that cannot. */
static int reasoning_others_check(struct json_slice from, bool of_a_step, struct error *e)
{
    struct error why;
    for (struct json_each it = json_each(from); json_next(&it);) {
        if (is_any(it.key, of_a_step ? of_step : of_chain) && !json_key_is(it.key, "token_usage"))
            continue;
        if (json_check(it.value.ptr, it.value.len, JSON_DEPTH_MAX - 1, &why) == 0)
            continue;
        size_t shown = utf8_fit(it.key.ptr, it.key.len, 60);
        return error_set(e, why.code, "Nest it less, or mend the text there.",
                         "%.*s%s cannot be kept: %s", (int)shown, it.key.ptr,
                         shown < it.key.len ? "…" : "", why.what);
    }
    return 0;
}

static const char *take(struct json_object *o, struct arena *arena)
{
    json_end(o);
    const char *detail = arena_strndup(arena, o->out->buf, o->out->len);
    strbuf_release(o->out);
    return detail;
}

const char *chain_detail_write(const struct chain_given *c, struct json_slice others,
                               struct arena *arena)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    add_text(&o, "final_answer", c->answer, c->answer_len);
    add_text(&o, "strategy", c->strategy, c->strategy ? strlen(c->strategy) : 0);
    add_seconds(&o, "total_time", c->total_time);
    add_unstated(&o, isnan(c->confidence));
    add_value(&o, "token_usage", c->token_usage);
    add_others(&o, others, of_chain);
    return take(&o, arena);
}

static void add_contexts(struct json_object *o, const struct step_given *s)
{
    if (s->context_count == 0)
        return;
    json_key(o, "context_used");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < s->context_count; i++) {
        json_item(&list);
        json_add_string(o->out, s->contexts[i]);
    }
    json_end(&list);
}

const char *step_detail_write(const struct step_given *s, struct json_slice others,
                              struct arena *arena)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_key(&o, "step_number");
    json_add_int(&out, s->number);
    add_text(&o, "intermediate_answer", s->answer, s->answer_len);
    add_text(&o, "reasoning_trace", s->trace, s->trace_len);
    add_seconds(&o, "execution_time", s->execution_time);
    add_unstated(&o, isnan(s->confidence));
    add_value(&o, "token_usage", s->token_usage);
    add_contexts(&o, s);
    add_others(&o, others, of_step);
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
    add_others(&o, had, placed);
    add_seconds(&o, "total_time", total_time);
    add_unstated(&o, unstated);
    return take(&o, arena);
}

/* ---- what holds for a step however it is given ---- */

int question_check(const char *question, size_t len, struct error *e)
{
    size_t blank = 0;
    while (blank < len && question[blank] && strchr(" \t\r\n", question[blank]))
        blank++;
    return blank < len ? 0
                       : error_set(e, ERROR_INVALID, "Say what is asked.", "the question is empty");
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

int step_given_check(const struct step_given *s, struct error *e)
{
    if (s->number < 1)
        return error_set(e, ERROR_INVALID, "Number the steps from 1.",
                         "a step number of %lld is out of range", (long long)s->number);
    return question_check(s->question, s->question_len, e) || confidence_check(s->confidence, e) ||
                   time_check(s->execution_time, e)
               ? -1
               : 0;
}

/* ---- members ---- */

struct given_reader {
    struct arena *arena;
    struct error *e;
};

static int wrong(struct given_reader *r, const char *name, const char *how)
{
    return error_set(r->e, ERROR_INVALID, "Mend it there, then give it again.", "%s %s", name, how);
}

static bool is_none(struct json_slice value)
{
    return !value.ptr || value.ptr[0] == 'n';
}

/* Its bytes as they are meant, which may hold a NUL; NULL: none. */
static int read_bytes(struct given_reader *r, struct json_slice value, const char *name,
                      const char **out, size_t *len)
{
    *out = NULL;
    *len = 0;
    if (is_none(value))
        return 0;
    if (value.ptr[0] != '"')
        return wrong(r, name, "is not a text");
    *out = json_text(r->arena, value, len);
    return 0;
}

static int read_text(struct given_reader *r, struct json_slice value, const char *name,
                     const char **out)
{
    *out = NULL;
    if (!is_none(value) && value.ptr[0] != '"')
        return wrong(r, name, "is not a text");
    *out = reasoning_text(value, r->arena);
    return 0;
}

static int read_number(struct given_reader *r, struct json_slice value, const char *name,
                       double *out)
{
    *out = NAN;
    if (is_none(value))
        return 0;
    if ((value.ptr[0] != '-' && (value.ptr[0] < '0' || value.ptr[0] > '9')) ||
        json_double(value, out))
        return wrong(r, name, "is not a number");
    return 0;
}

static int read_list(struct given_reader *r, struct json_slice value, const char *name,
                     struct json_slice *out)
{
    *out = (struct json_slice){NULL, 0};
    if (!is_none(value) && value.ptr[0] != '[')
        return wrong(r, name, "is not a list");
    if (!is_none(value))
        *out = value;
    return 0;
}

static size_t count_of(struct json_slice list)
{
    size_t count = 0;
    for (struct json_each it = json_each(list); list.ptr && json_next(&it);)
        count++;
    return count;
}

static int read_contexts(struct given_reader *r, struct json_slice value, struct step_given *s)
{
    struct json_slice list;
    size_t i = 0;
    if (read_list(r, value, "context_used", &list))
        return -1;
    s->contexts = arena_array(r->arena, count_of(list) + 1, sizeof(*s->contexts));
    for (struct json_each it = json_each(list); list.ptr && json_next(&it);) {
        if (it.value.ptr[0] != '"')
            return wrong(r, "context_used", "holds what is not a text");
        s->contexts[i++] = reasoning_text(it.value, r->arena);
    }
    s->context_count = i;
    return 0;
}

/* ---- a step ---- */

enum step_member {
    STEP_NUMBER,
    STEP_QUESTION,
    STEP_ANSWER,
    STEP_TRACE,
    STEP_CONFIDENCE,
    STEP_TIME,
    STEP_TOKENS,
    STEP_CONTEXTS,
    STEP_ATTRIBUTIONS,
    STEP_RESULTS,
    STEP_MEMBERS
};

static void find_members(struct json_slice object, const char *const *names, size_t count,
                         struct json_slice *out)
{
    for (struct json_each it = json_each(object); json_next(&it);)
        for (size_t i = 0; i < count; i++)
            if (json_key_is(it.key, names[i]))
                out[i] = it.value;
}

static int read_step_number(struct given_reader *r, struct json_slice value, int64_t *out)
{
    if (is_none(value))
        return wrong(r, "step_number", "is missing");
    return json_integer(value, out) ? wrong(r, "step_number", "is not a whole number") : 0;
}

static int read_step_members(struct given_reader *r, const struct json_slice *m,
                             struct step_given *s)
{
    if (read_step_number(r, m[STEP_NUMBER], &s->number) ||
        read_bytes(r, m[STEP_QUESTION], "question", &s->question, &s->question_len) ||
        read_bytes(r, m[STEP_ANSWER], "intermediate_answer", &s->answer, &s->answer_len) ||
        read_bytes(r, m[STEP_TRACE], "reasoning_trace", &s->trace, &s->trace_len) ||
        read_number(r, m[STEP_CONFIDENCE], "confidence_score", &s->confidence) ||
        read_number(r, m[STEP_TIME], "execution_time", &s->execution_time) ||
        read_contexts(r, m[STEP_CONTEXTS], s) ||
        read_list(r, m[STEP_ATTRIBUTIONS], "source_attributions", &s->attributions) ||
        read_list(r, m[STEP_RESULTS], "retrieved_documents", &s->results))
        return -1;
    s->token_usage = m[STEP_TOKENS];
    return s->question ? 0 : wrong(r, "question", "is missing");
}

static int read_step(struct given_reader *r, struct json_slice value, size_t index,
                     struct step_given *out)
{
    static const char *const names[STEP_MEMBERS] = {
        "step_number",         "question",           "intermediate_answer", "reasoning_trace",
        "confidence_score",    "execution_time",     "token_usage",         "context_used",
        "source_attributions", "retrieved_documents"};
    struct json_slice member[STEP_MEMBERS] = {{NULL, 0}};
    *out = (struct step_given){.number = 0};
    if (value.ptr[0] != '{')
        return error_set(r->e, ERROR_INVALID, "", "reasoning_steps[%zu] is not an object", index);
    find_members(value, names, STEP_MEMBERS, member);
    if (read_step_members(r, member, out) == 0 && step_given_check(out, r->e) == 0 &&
        reasoning_others_check(value, true, r->e) == 0)
        return 0;
    return out->number > 0 ? error_prefix(r->e, "step %lld", (long long)out->number)
                           : error_prefix(r->e, "reasoning_steps[%zu]", index);
}

/* ---- all of them ---- */

struct placed_step {
    struct step_given step;
    struct json_slice whole;
    size_t place;
};

static int by_number(const void *a, const void *b)
{
    const struct placed_step *x = a, *y = b;
    return x->step.number != y->step.number
               ? (x->step.number > y->step.number) - (x->step.number < y->step.number)
               : (x->place > y->place) - (x->place < y->place);
}

static int keep_steps(struct given_reader *r, struct placed_step *all, size_t count,
                      struct chain_given *out)
{
    out->step = arena_array(r->arena, count + 1, sizeof(*out->step));
    out->step_whole = arena_array(r->arena, count + 1, sizeof(*out->step_whole));
    if (count)
        qsort(all, count, sizeof(*all), by_number);
    for (size_t i = 0; i < count; i++) {
        if (i && all[i].step.number == all[i - 1].step.number)
            return error_set(r->e, ERROR_INVALID, "Give each step a number of its own.",
                             "step %lld is there twice", (long long)all[i].step.number);
        out->step[i] = all[i].step;
        out->step_whole[i] = all[i].whole;
    }
    out->step_count = count;
    return 0;
}

static int read_steps(struct given_reader *r, struct json_slice value, struct chain_given *out)
{
    struct json_slice list;
    size_t i = 0;
    if (read_list(r, value, "reasoning_steps", &list))
        return -1;
    struct placed_step *all = arena_array(r->arena, count_of(list) + 1, sizeof(*all));
    for (struct json_each it = json_each(list); list.ptr && json_next(&it); i++) {
        if (read_step(r, it.value, i, &all[i].step))
            return -1;
        all[i].whole = it.value;
        all[i].place = i;
    }
    return keep_steps(r, all, i, out);
}

enum chain_member {
    CHAIN_QUESTION,
    CHAIN_ANSWER,
    CHAIN_STRATEGY,
    CHAIN_CONFIDENCE,
    CHAIN_TIME,
    CHAIN_TOKENS,
    CHAIN_SUMMARY,
    CHAIN_STEPS,
    CHAIN_MEMBERS
};

static int read_chain(struct given_reader *r, const struct json_slice *m, struct chain_given *out)
{
    if (read_bytes(r, m[CHAIN_QUESTION], "original_question", &out->question, &out->question_len) ||
        read_bytes(r, m[CHAIN_ANSWER], "final_answer", &out->answer, &out->answer_len) ||
        read_text(r, m[CHAIN_STRATEGY], "reasoning_strategy", &out->strategy) ||
        read_number(r, m[CHAIN_CONFIDENCE], "total_confidence", &out->confidence) ||
        read_number(r, m[CHAIN_TIME], "total_execution_time", &out->total_time))
        return -1;
    if (!out->question)
        return wrong(r, "original_question", "is missing");
    if (!out->answer)
        return wrong(r, "final_answer", "is missing");
    if (!is_none(m[CHAIN_SUMMARY]) && m[CHAIN_SUMMARY].ptr[0] != '{')
        return wrong(r, "source_summary", "is not an object");
    out->token_usage = m[CHAIN_TOKENS];
    out->summary = is_none(m[CHAIN_SUMMARY]) ? (struct json_slice){NULL, 0} : m[CHAIN_SUMMARY];
    if (question_check(out->question, out->question_len, r->e))
        return error_prefix(r->e, "original_question");
    return confidence_check(out->confidence, r->e) || time_check(out->total_time, r->e) ? -1 : 0;
}

int chain_given_read(struct json_slice whole, struct arena *arena, struct chain_given *out,
                     struct error *e)
{
    static const char *const names[CHAIN_MEMBERS] = {
        "original_question",    "final_answer", "reasoning_strategy", "total_confidence",
        "total_execution_time", "token_usage",  "source_summary",     "reasoning_steps"};
    struct json_slice member[CHAIN_MEMBERS] = {{NULL, 0}};
    struct given_reader r = {arena, e};
    *out = (struct chain_given){.whole = json_trim(whole.ptr, whole.len)};
    if (out->whole.len == 0 || out->whole.ptr[0] != '{')
        return error_set(e, ERROR_INVALID,
                         "Give an object with original_question, final_answer"
                         " and reasoning_steps.",
                         "a chain is an object, and this is none");
    find_members(out->whole, names, CHAIN_MEMBERS, member);
    return read_chain(&r, member, out) || reasoning_others_check(out->whole, false, e) ||
                   read_steps(&r, member[CHAIN_STEPS], out)
               ? -1
               : 0;
}
