/* Reading a whole chain as it is given. */
#include "store/reasoning/reasoning_given.h"

#include <stdlib.h>
#include "model/base/utf8.h"
#include "store/reasoning/reasoning_detail.h"

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
    char *text = arena_strndup(r->arena, value.ptr + 1, value.len - 2);
    *len = json_unescape(text, text, value.len - 2);
    text[*len] = '\0';
    *out = text;
    return 0;
}

static int read_text(struct given_reader *r, struct json_slice value, const char *name,
                     const char **out)
{
    *out = NULL;
    if (!is_none(value) && value.ptr[0] != '"')
        return wrong(r, name, "is not a text");
    reasoning_text(value, r->arena, out);
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
        reasoning_text(it.value, r->arena, &s->contexts[i++]);
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
