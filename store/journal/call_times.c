#include "store/journal/call_times.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include "model/json/json.h"

/* Each outcome's letter, for numbers of an enum do not belong into a file. */
static const char letters[] = {
    [ERROR_NONE] = '\0',    [ERROR_NOT_FOUND] = 'n',   [ERROR_USAGE] = 'u',  [ERROR_INVALID] = 'i',
    [ERROR_STORE] = 's',    [ERROR_BUSY] = 'b',        [ERROR_MEMORY] = 'm', [ERROR_REFUSED] = 'r',
    [ERROR_CONFLICT] = 'c', [ERROR_INTERRUPTED] = 't', [ERROR_PII] = 'p',    [ERROR_QUOTA] = 'q',
    [ERROR_RATE] = 'l',
};

void call_times_init(struct call_times *t)
{
    *t = (struct call_times){.count = 0};
    strbuf_init(&t->text);
}

void call_times_release(struct call_times *t)
{
    strbuf_release(&t->text);
}

void call_times_close(struct call_times *t)
{
    if (!t->open)
        return;
    if (!t->text.len) {
        json_add_int(&t->text, t->first);
        t->last = t->first;
    }
    strbuf_addch(&t->text, ',');
    json_add_int(&t->text, t->run - t->last);
    if (letters[t->outcome])
        strbuf_addch(&t->text, letters[t->outcome]);
    if (t->open > 1) {
        strbuf_addch(&t->text, 'x');
        json_add_int(&t->text, (int64_t)t->open);
    }
    t->last = t->run;
    t->open = 0;
}

void call_times_add_many(struct call_times *t, int64_t at, enum error_code outcome, size_t count)
{
    if (t->open && (at != t->run || outcome != t->outcome))
        call_times_close(t);
    if (!t->count)
        t->first = at;
    t->run = at;
    t->outcome = outcome;
    t->open += count;
    t->count += count;
}

void call_times_add(struct call_times *t, int64_t at, enum error_code outcome)
{
    call_times_add_many(t, at, outcome, 1);
}

/* ---- reading ---- */

/* Within 2^62, so that a sum of two stays in range. */
static bool take_number(const char **at, int64_t *out)
{
    bool negative = **at == '-';
    const char *p = *at + negative, *begin = p;
    int64_t value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (value > (INT64_MAX / 2 - 9) / 10)
            return false;
        value = value * 10 + (*p - '0');
    }
    if (p == begin || (*begin == '0' && p > begin + 1) || (negative && value == 0))
        return false;
    *out = negative ? -value : value;
    *at = p;
    return true;
}

static enum error_code take_outcome(const char **at)
{
    for (size_t i = 1; i < sizeof(letters); i++)
        if (**at == letters[i]) {
            (*at)++;
            return (enum error_code)i;
        }
    return ERROR_NONE;
}

struct run_of_calls {
    int64_t at, count;
    enum error_code outcome;
};

/* ",DELTA", an outcome's letter, "xCOUNT"; run->at is when the run before it was. */
static bool take_run(const char **at, struct run_of_calls *run)
{
    int64_t delta;
    run->count = 1;
    if (**at != ',')
        return false;
    (*at)++;
    if (!take_number(at, &delta) || __builtin_add_overflow(run->at, delta, &run->at))
        return false;
    run->outcome = take_outcome(at);
    if (**at != 'x')
        return true;
    (*at)++;
    return take_number(at, &run->count) && run->count > 1 && run->count <= CALL_TIMES_MAX;
}

/* How many calls it tells of; 0: it is not such a text. */
static size_t count_calls(const char *text)
{
    struct run_of_calls run;
    size_t count = 0;
    if (!text || !take_number(&text, &run.at) || !*text)
        return 0;
    while (*text) {
        if (!take_run(&text, &run) || (count += (size_t)run.count) > CALL_TIMES_MAX)
            return 0;
    }
    return count;
}

int call_times_read(const char *text, struct arena *arena, int64_t **at, enum error_code **outcome,
                    size_t *count)
{
    struct run_of_calls run;
    *count = count_calls(text);
    *at = *count ? arena_array(arena, *count, sizeof(**at)) : NULL;
    *outcome = *at ? arena_array(arena, *count, sizeof(**outcome)) : NULL;
    if (!*outcome) {
        *count = 0;
        return -1;
    }
    take_number(&text, &run.at);
    for (size_t i = 0; i < *count;) {
        take_run(&text, &run);
        for (int64_t n = 0; n < run.count; n++, i++) {
            (*at)[i] = run.at;
            (*outcome)[i] = run.outcome;
        }
    }
    return 0;
}
