/* What a chain of thought cost: time and tokens, of each step and together. */
#include "tui/render/chain_page.h"

#include <math.h>
#include <stdio.h>
#include "model/reasoning/reasoning.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

#define STEP_NAME 10 /* columns of "step 12" */
#define FALL      24 /* of the bars, at most */
#define TOKENS    18

/* "1,200"; of numbers that no count reaches three digits. */
static void add_grouped(struct strbuf *out, double number)
{
    if (fabs(number) < 1e15)
        strbuf_addstr(out, GROUPED(llround(number)));
    else
        strbuf_addf(out, "%.3g", number);
}

/* Appends nothing for NAN. */
static void add_tokens(struct strbuf *out, double tokens)
{
    if (isnan(tokens))
        return;
    add_grouped(out, tokens);
    strbuf_addstr(out, tokens == 1 ? " token" : " tokens");
}

/* The tokens of a chain, or if it does not say, of its steps together; NAN if unknown. */
static double tokens_of(const struct chain *c, bool *summed)
{
    double sum = NAN, own = tokens_total(c->token_usage);
    for (size_t i = 0; i < c->step_count; i++) {
        double tokens = tokens_total(c->step[i].token_usage);
        sum = isnan(sum) ? tokens : isnan(tokens) ? sum : sum + tokens;
    }
    *summed = isnan(own);
    return isnan(own) ? sum : own;
}

void chain_add_tokens(struct strbuf *out, const struct chain *chain)
{
    bool summed;
    add_tokens(out, tokens_of(chain, &summed));
}

void step_add_state(struct strbuf *out, bool ascii, const struct chain_step *step)
{
    char time[24];
    seconds_text(time, step->execution_time);
    if (!isnan(step->effective))
        strbuf_addf(out, "confidence %.2f", step->effective);
    if (*time) {
        add_dot(out, ascii);
        strbuf_addstr(out, time);
    }
    if (!isnan(tokens_total(step->token_usage))) {
        add_dot(out, ascii);
        add_tokens(out, tokens_total(step->token_usage));
    }
    if (step->model && *step->model) {
        add_dot(out, ascii);
        strbuf_addstr(out, step->model);
    }
    if (out->len == 0)
        strbuf_addstr(out, "neither confidence nor time");
    if (step->status != STATUS_ACTIVE || !label_stands(step->label))
        strbuf_addf(out, " %s %s", glyph_of(GLYPH_DOT, ascii),
                    step->status != STATUS_ACTIVE ? status_word(step->status)
                                                  : label_name(step->label));
}

static bool tells_cost(const struct chain_step *step)
{
    return !isnan(step->execution_time) || step->model || !isnan(tokens_total(step->token_usage));
}

/* The bar begins where that of the step before ended. */
static void put_bar(struct page *s, int width, double from, double time, double total)
{
    int at = (int)(from / total * (width - 1)), end = (int)((from + time) / total * width + 0.5);
    struct strbuf *bar = page_buffer(s);
    for (int i = at; i < end || i == at; i++)
        strbuf_addstr(bar, s->options.ascii ? "=" : "━");
    page_put(s, CHAIN_INDENT + STEP_NAME + at, width - at, STYLE_NUMBER, bar->buf);
}

void chain_put_waterfall(struct page *s, const struct chain *c)
{
    bool any = false, summed;
    double total = 0, from = 0, tokens = tokens_of(c, &summed);
    for (size_t i = 0; i < c->step_count; i++) {
        any |= tells_cost(&c->step[i]);
        total += isnan(c->step[i].execution_time) ? 0 : c->step[i].execution_time;
    }
    int width = s->width - CHAIN_INDENT - STEP_NAME - SECONDS_WIDTH - TOKENS - 4;
    width = width <= 4 || total <= 0 || !isfinite(total) ? 0 : width > FALL ? FALL : width;
    if (!any)
        return;
    struct strbuf *note = page_buffer(s);
    char seconds[24];
    seconds_text(seconds, isnan(c->total_time) ? total : c->total_time);
    strbuf_addstr(note, seconds);
    if (!isnan(tokens)) {
        add_dot(note, s->options.ascii);
        add_tokens(note, tokens);
    }
    page_section(s, "time and tokens", note->buf);
    for (size_t i = 0; i < c->step_count; i++) {
        const struct chain_step *step = &c->step[i];
        int at = CHAIN_INDENT + STEP_NAME + width + (width > 0);
        page_line(s);
        page_format(s, CHAIN_INDENT, STEP_NAME, STYLE_TEXT, step->number > 0 ? "step %lld" : "step",
                    (long long)step->number);
        if (width > 0 && !isnan(step->execution_time)) {
            put_bar(s, width, from, step->execution_time, total);
            from += step->execution_time;
        }
        seconds_text(seconds, step->execution_time);
        if (*seconds)
            page_format(s, at, SECONDS_WIDTH, STYLE_AGE, "%*s", SECONDS_WIDTH, seconds);
        struct strbuf *text = page_buffer(s);
        add_tokens(text, tokens_total(step->token_usage));
        if (text->len)
            page_format(s, at + SECONDS_WIDTH + 1, TOKENS, STYLE_TEXT, "%*s", TOKENS, text->buf);
        page_put(s, at + SECONDS_WIDTH + TOKENS + 3, 0, STYLE_DIM, step->model ? step->model : "");
    }
}

void chain_put_tokens(struct page *s, const struct chain *c)
{
    bool summed, any = false;
    double number, tokens = tokens_of(c, &summed);
    struct strbuf *text = page_buffer(s);
    if (isnan(tokens))
        return;
    add_tokens(text, tokens);
    for (struct json_each it = json_each(c->token_usage); json_next(&it);) {
        if (json_double(it.value, &number))
            continue;
        strbuf_addf(text, "%s%.*s ", any ? ", " : " (", (int)it.key.len, it.key.ptr);
        add_grouped(text, number);
        any = true;
    }
    strbuf_addstr(text, any ? ")" : summed ? ", the sum of its steps" : "");
    page_field(s, "tokens", STYLE_TEXT, text->buf, SIZE_MAX);
}
