#include "store/reasoning/reasoning_detail.h"

#include "model/base/utf8.h"
#include "store/record/detail_member.h"

/* ---- reading ---- */

int reasoning_text(struct json_slice value, struct arena *arena, const char **out)
{
    *out = NULL;
    if (!value.ptr || value.len < 2 || value.ptr[0] != '"')
        return 0;
    char *text = arena_strndup(arena, value.ptr + 1, value.len - 2);
    size_t len = json_unescape(text, text, value.len - 2);
    text[len] = '\0';
    *out = text;
    if (utf8_valid(text, len))
        return 0;
    struct strbuf mended = STRBUF_INIT;
    utf8_repair(&mended, text, len);
    *out = arena_strndup(arena, mended.buf, mended.len);
    strbuf_release(&mended);
    return *out ? 0 : -1;
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

static bool is_unstated(struct json_slice key, struct json_slice value)
{
    return json_key_is(key, "confidence_unstated") && value.ptr[0] == 't';
}

int chain_detail_read(const char *detail, struct arena *arena, struct chain_detail *out)
{
    struct json_slice object;
    *out = (struct chain_detail){.total_time = NAN};
    object = detail_json(detail);
    for (struct json_each it = json_each(object); object.ptr && json_next(&it);) {
        const char **text = json_key_is(it.key, "final_answer") ? &out->answer
                            : json_key_is(it.key, "strategy")   ? &out->strategy
                                                                : NULL;
        if (text && reasoning_text(it.value, arena, text))
            return -1;
        out->unstated |= is_unstated(it.key, it.value);
        if (json_key_is(it.key, "total_time"))
            out->total_time = seconds_of(it.value);
        else if (json_key_is(it.key, "token_usage") && !is_null(it.value))
            out->token_usage = it.value;
    }
    return 0;
}

int step_detail_read(const char *detail, struct arena *arena, struct step_detail *out)
{
    struct json_slice object;
    *out = (struct step_detail){.execution_time = NAN};
    object = detail_json(detail);
    for (struct json_each it = json_each(object); object.ptr && json_next(&it);) {
        const char **text = json_key_is(it.key, "intermediate_answer") ? &out->answer
                            : json_key_is(it.key, "reasoning_trace")   ? &out->trace
                                                                       : NULL;
        if (text && reasoning_text(it.value, arena, text))
            return -1;
        out->unstated |= is_unstated(it.key, it.value);
        if (json_key_is(it.key, "step_number")) {
            if (json_integer(it.value, &out->number) || out->number < 1)
                out->number = 0;
        } else if (json_key_is(it.key, "execution_time")) {
            out->execution_time = seconds_of(it.value);
        } else if (json_key_is(it.key, "token_usage") && !is_null(it.value)) {
            out->token_usage = it.value;
        } else if (json_key_is(it.key, "context_used") && it.value.ptr[0] == '[') {
            out->context_used = it.value;
        }
    }
    return 0;
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

int reasoning_others_check(struct json_slice from, bool of_a_step, struct error *e)
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
