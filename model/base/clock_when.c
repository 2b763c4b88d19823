#include "model/base/clock.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define DAY INT64_C(86400000)
/* Of the years that ISO 8601 writes with four digits, 0000 to 9999. */
#define FIRST INT64_C(-62167219200000)
#define LAST  INT64_C(253402300799999)

/* Each as it is written whole (an s may follow) and as clock_format_age writes it. */
static const struct unit {
    const char *name, *brief, *letter;
    int64_t ms;
} units[] = {
    {"second", "sec", "s", 1000},   {"minute", "min", "m", 60000}, {"hour", "hr", "h", 3600000},
    {"day", "day", "d", DAY},       {"week", "wk", "w", 7 * DAY},  {"month", "mo", "mo", 30 * DAY},
    {"year", "yr", "y", 365 * DAY},
};

#define WORDS_MAX 3

/* A time taken apart: numbers, and words in between. */
struct words {
    char word[WORDS_MAX][24];
    size_t count;
};

/* Takes the letters or the digits that begin at *at as a word. */
static bool take_word(struct words *w, const char **at)
{
    bool digits = isdigit((unsigned char)**at);
    size_t len = 0;
    if (w->count == WORDS_MAX)
        return false;
    for (; digits ? isdigit((unsigned char)(*at)[len]) : isalpha((unsigned char)(*at)[len]); len++)
        if (len + 1 == sizeof(w->word[0]))
            return false;
    memcpy(w->word[w->count], *at, len);
    w->word[w->count++][len] = '\0';
    *at += len;
    return len > 0;
}

static bool take_words(struct words *w, const char *text)
{
    *w = (struct words){.count = 0};
    for (;;) {
        text += strspn(text, " \t");
        if (!*text)
            return w->count > 0;
        if (!take_word(w, &text))
            return false;
    }
}

static bool is_unit(const char *word, const struct unit *u)
{
    size_t len = strlen(word);
    if (strcasecmp(word, u->letter) == 0)
        return true;
    if (len > 1 && tolower((unsigned char)word[len - 1]) == 's')
        len--;
    return (strlen(u->name) == len && strncasecmp(word, u->name, len) == 0) ||
           (strlen(u->brief) == len && strncasecmp(word, u->brief, len) == 0);
}

static bool read_count(const char *word, int64_t *out)
{
    static const char *const ones[] = {"a", "an", "one"};
    for (size_t i = 0; i < sizeof(ones) / sizeof(ones[0]); i++)
        if (strcasecmp(word, ones[i]) == 0) {
            *out = 1;
            return true;
        }
    *out = 0;
    for (; isdigit((unsigned char)*word); word++)
        if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *word - '0', out))
            return false;
    return !*word;
}

/* "2 days", "90 min": how long that is. */
static int read_length(const char *count, const char *unit, int64_t *ms)
{
    int64_t times;
    if (!read_count(count, &times))
        return -1;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (is_unit(unit, &units[i]))
            return __builtin_mul_overflow(times, units[i].ms, ms) ? -1 : 0;
    return -1;
}

/* "2 days ago", "90 min" */
static int read_age(const struct words *w, int64_t now, int64_t *ms)
{
    int64_t age;
    if (w->count < 2 || (w->count == 3 && strcasecmp(w->word[2], "ago") != 0) ||
        read_length(w->word[0], w->word[1], &age))
        return -1;
    return __builtin_sub_overflow(now, age, ms) ? -1 : 0;
}

/* The first moment of the day that is so many before. */
static int64_t day_before(int64_t now, int64_t days)
{
    int64_t rest = now % DAY;
    return now - (rest < 0 ? rest + DAY : rest) - days * DAY;
}

static int read_word(const char *word, int64_t now, int64_t *ms)
{
    if (strcasecmp(word, "now") == 0)
        *ms = now;
    else if (strcasecmp(word, "today") == 0)
        *ms = day_before(now, 0);
    else if (strcasecmp(word, "yesterday") == 0)
        *ms = day_before(now, 1);
    else
        return isdigit((unsigned char)*word) && strlen(word) >= 12 && read_count(word, ms) ? 0 : -1;
    return 0;
}

int clock_parse_when(const char *text, int64_t now, int64_t *ms)
{
    struct words w;
    if (clock_parse_iso(text, ms) == 0)
        return 0;
    if (!take_words(&w, text))
        return -1;
    int result = w.count == 1 ? read_word(w.word[0], now, ms) : read_age(&w, now, ms);
    return result || *ms < FIRST || *ms > LAST ? -1 : 0;
}

/* "in 3 days", "90 min" */
static int read_coming(const struct words *w, int64_t now, int64_t *ms)
{
    int64_t length;
    size_t first = w->count == 3 && strcasecmp(w->word[0], "in") == 0;
    if (w->count != first + 2 || read_length(w->word[first], w->word[first + 1], &length))
        return -1;
    return __builtin_add_overflow(now, length, ms) ? -1 : 0;
}

int clock_parse_coming(const char *text, int64_t now, int64_t *ms)
{
    struct words w;
    if (clock_parse_iso(text, ms) == 0)
        return 0;
    text += strspn(text, " \t");
    if (!take_words(&w, text + (*text == '+')))
        return -1;
    if (w.count > 1)
        return read_coming(&w, now, ms);
    if (strcasecmp(w.word[0], "tomorrow") != 0)
        return read_word(w.word[0], now, ms);
    *ms = day_before(now, -1);
    return 0;
}
