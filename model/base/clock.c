#include "model/base/clock.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

/* Days since 1970-01-01 of a proleptic Gregorian date (Hinnant, "chrono-compatible low-level
 * date algorithms"). Years begin in March, so that a leap day is the last day of its year. */
static int64_t days_from_date(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* Reads exactly `digits` digits with a value from `least` to `most`, and moves *at past them. */
static bool parse_digits(const char **at, int digits, int least, int most, int *out)
{
    int value = 0;
    for (int i = 0; i < digits; i++) {
        if ((*at)[i] < '0' || (*at)[i] > '9')
            return false;
        value = value * 10 + ((*at)[i] - '0');
    }
    *at += digits;
    *out = value;
    return value >= least && value <= most;
}

static bool accept_char(const char **at, const char *any_of)
{
    if (!**at || !strchr(any_of, **at))
        return false;
    (*at)++;
    return true;
}

static bool parse_date(const char **at, int64_t *ms)
{
    int year, month, day;
    if (!parse_digits(at, 4, 0, 9999, &year) || !accept_char(at, "-") ||
        !parse_digits(at, 2, 1, 12, &month) || !accept_char(at, "-") ||
        !parse_digits(at, 2, 1, days_in_month(year, month), &day))
        return false;
    *ms = days_from_date(year, month, day) * DAY;
    return true;
}

/* A fraction of a second with any number of digits, truncated to ms. */
static bool parse_fraction(const char **at, int64_t *ms)
{
    int digits = 0;
    int64_t unit = 100;
    for (; **at >= '0' && **at <= '9'; (*at)++, digits++) {
        *ms += unit * (**at - '0');
        unit /= 10;
    }
    return digits > 0;
}

static bool parse_time(const char **at, int64_t *ms)
{
    int hour, minute, second = 0;
    if (!parse_digits(at, 2, 0, 23, &hour) || !accept_char(at, ":") ||
        !parse_digits(at, 2, 0, 59, &minute))
        return false;
    /* 60 is a leap second. It is read as the first second of the next minute. */
    if (accept_char(at, ":") && !parse_digits(at, 2, 0, 60, &second))
        return false;
    *ms += hour * HOUR + minute * MINUTE + second * SECOND;
    return !accept_char(at, ".,") || parse_fraction(at, ms);
}

/* Z, +05, +0530, +05:30, or nothing for UTC. */
static bool parse_zone(const char **at, int64_t *ms)
{
    if (!**at || accept_char(at, "Zz"))
        return true;
    int sign = **at == '-' ? -1 : 1;
    int hours, minutes = 0;
    if (!accept_char(at, "+-") || !parse_digits(at, 2, 0, 23, &hours))
        return false;
    if ((accept_char(at, ":") || **at) && !parse_digits(at, 2, 0, 59, &minutes))
        return false;
    *ms -= sign * (hours * HOUR + minutes * MINUTE);
    return true;
}

int clock_parse_iso(const char *text, int64_t *ms)
{
    int64_t value;
    if (!parse_date(&text, &value))
        return -1;
    if (*text &&
        (!accept_char(&text, "Tt ") || !parse_time(&text, &value) || !parse_zone(&text, &value)))
        return -1;
    if (*text)
        return -1;
    *ms = value;
    return 0;
}

void clock_format_iso(char *out, size_t size, int64_t ms)
{
    struct tm t;
    int64_t rest = ms % SECOND;
    time_t seconds = (time_t)(ms / SECOND - (rest < 0));
    gmtime_r(&seconds, &t);
    /* ISO 8601 writes years beyond four digits with a sign and at least six digits. */
    int64_t year = INT64_C(1900) + t.tm_year;
    const char *format = year >= 0 && year <= 9999 ? "%04lld-%02d-%02dT%02d:%02d:%02d.%03dZ"
                                                   : "%+07lld-%02d-%02dT%02d:%02d:%02d.%03dZ";
    snprintf(out, size, format, (long long)year, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min,
             t.tm_sec, (int)(rest < 0 ? rest + SECOND : rest));
}

void clock_format_age(char *out, size_t size, int64_t ms, int64_t now)
{
    /* Unsigned, since a wrong time may be so far away that the difference overflows int64_t. */
    uint64_t age = now >= ms ? (uint64_t)now - (uint64_t)ms : (uint64_t)ms - (uint64_t)now;
    uint64_t days = age / (uint64_t)DAY;
    uint64_t count;
    const char *unit;
    if (age < (uint64_t)SECOND) {
        snprintf(out, size, "now");
        return;
    }
    if (age < (uint64_t)MINUTE)
        count = age / (uint64_t)SECOND, unit = "s";
    else if (age < (uint64_t)HOUR)
        count = age / (uint64_t)MINUTE, unit = "m";
    else if (days < 1)
        count = age / (uint64_t)HOUR, unit = "h";
    else if (days < 7)
        count = days, unit = "d";
    else if (days < 31)
        count = days / 7, unit = "w";
    else if (days < 365)
        count = days * 12 / 365, unit = "mo";
    else
        count = days / 365, unit = "y";
    snprintf(out, size, "%s%llu%s", ms > now ? "in " : "", (unsigned long long)count, unit);
}

void clock_format_age_brief(char *out, size_t size, int64_t ms, int64_t now)
{
    uint64_t days = ms > now ? ((uint64_t)ms - (uint64_t)now) / (uint64_t)DAY : 0;
    clock_format_age(out, size, ms, now);
    if (days >= 31 && days < 365)
        snprintf(out, size, "+%lluw", (unsigned long long)days / 7);
    else if (strncmp(out, "in ", 3) == 0)
        memmove(out + 1, out + 3, strlen(out + 3) + 1), *out = '+';
}

int64_t clock_age_valid_for(int64_t ms, int64_t now, int64_t *unit)
{
    uint64_t age = now >= ms ? (uint64_t)now - (uint64_t)ms : (uint64_t)ms - (uint64_t)now;
    *unit = age < (uint64_t)MINUTE ? SECOND
            : age < (uint64_t)HOUR ? MINUTE
            : age < (uint64_t)DAY  ? HOUR
                                   : DAY;
    int64_t rest = (int64_t)(age % (uint64_t)*unit);
    return ms > now ? rest + 1 : *unit - rest;
}

bool clock_is_suspect(int64_t ms, int64_t now)
{
    return ms < CLOCK_EARLIEST || ms - DAY > now;
}

bool clock_retrieval_is_suspect(int64_t ms, int64_t now)
{
    return ms < CLOCK_RETRIEVED_EARLIEST || ms - DAY > now;
}

/* Is the year 0000 to 9999, which ISO 8601 writes with four digits? */
static bool has_four_digits(int64_t ms)
{
    return ms >= INT64_C(-62167219200000) && ms <= INT64_C(253402300799999);
}

/* Full name (a plural s may follow), short name, and the letter that clock_format_age writes. */
static const struct unit {
    const char *name, *brief, *letter;
    int64_t ms;
} units[] = {
    {"second", "sec", "s", 1000},   {"minute", "min", "m", 60000}, {"hour", "hr", "h", 3600000},
    {"day", "day", "d", DAY},       {"week", "wk", "w", 7 * DAY},  {"month", "mo", "mo", 30 * DAY},
    {"year", "yr", "y", 365 * DAY},
};

#define WORDS_MAX 3

/* A typed time split into words: each is all digits or all letters. */
struct words {
    char word[WORDS_MAX][24];
    size_t count;
};

/* Adds the letters or the digits at *at as a word, and moves *at past them. */
static bool add_word(struct words *w, const char **at)
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

static bool split_words(struct words *w, const char *text)
{
    *w = (struct words){.count = 0};
    for (;;) {
        text += strspn(text, " \t");
        if (!*text)
            return w->count > 0;
        if (!add_word(w, &text))
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

/* Reads a length: "2 days", "90 min". */
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

/* "2 days ago", "90 min", "last week" */
static int read_age(const struct words *w, int64_t now, int64_t *ms)
{
    int64_t age;
    bool last = w->count == 2 && strcasecmp(w->word[0], "last") == 0;
    if (w->count < 2 || (w->count == 3 && strcasecmp(w->word[2], "ago") != 0) ||
        read_length(last ? "one" : w->word[0], w->word[1], &age))
        return -1;
    return __builtin_sub_overflow(now, age, ms) ? -1 : 0;
}

/* Midnight UTC of the day that is `days` days before `now`. */
static int64_t midnight_before(int64_t now, int64_t days)
{
    int64_t rest = now % DAY;
    return now - (rest < 0 ? rest + DAY : rest) - days * DAY;
}

/* Midnight of the latest such day before today. */
static int read_weekday(const char *word, int64_t now, int64_t *ms)
{
    static const char *const days[] = {"Thursday", "Friday",  "Saturday", "Sunday",
                                       "Monday",   "Tuesday", "Wednesday"}; /* from 1970-01-01 */
    int64_t today = (midnight_before(now, 0) / DAY % 7 + 7) % 7;
    for (int64_t i = 0; i < 7; i++)
        if (strcasecmp(word, days[i]) == 0) {
            *ms = midnight_before(now, (today - i + 6) % 7 + 1);
            return 0;
        }
    return -1;
}

static int read_word(const char *word, int64_t now, int64_t *ms)
{
    if (strcasecmp(word, "now") == 0)
        *ms = now;
    else if (strcasecmp(word, "today") == 0)
        *ms = midnight_before(now, 0);
    else if (strcasecmp(word, "yesterday") == 0)
        *ms = midnight_before(now, 1);
    else if (strcasecmp(word, "tomorrow") == 0)
        *ms = midnight_before(now, -1);
    else
        return isdigit((unsigned char)*word) && strlen(word) >= 12 && read_count(word, ms) ? 0 : -1;
    return 0;
}

int clock_parse_when(const char *text, int64_t now, int64_t *ms)
{
    struct words w;
    if (clock_parse_iso(text, ms) == 0)
        return 0;
    if (!split_words(&w, text))
        return -1;
    bool last = w.count == 2 && strcasecmp(w.word[0], "last") == 0;
    int result = w.count == 1 ? read_word(w.word[0], now, ms) : read_age(&w, now, ms);
    if (result && (w.count == 1 || last))
        result = read_weekday(w.word[last], now, ms);
    return result || !has_four_digits(*ms) ? -1 : 0;
}

/* "in 3 days", "90 min" */
static int read_future(const struct words *w, int64_t now, int64_t *ms)
{
    int64_t length;
    size_t first = w->count == 3 && strcasecmp(w->word[0], "in") == 0;
    if (w->count != first + 2 || read_length(w->word[first], w->word[first + 1], &length))
        return -1;
    return __builtin_add_overflow(now, length, ms) ? -1 : 0;
}

int clock_parse_future(const char *text, int64_t now, int64_t *ms)
{
    struct words w;
    if (clock_parse_iso(text, ms) == 0)
        return 0;
    text += strspn(text, " \t");
    if (!split_words(&w, text + (*text == '+')))
        return -1;
    int result = w.count > 1 ? read_future(&w, now, ms) : read_word(w.word[0], now, ms);
    return result || !has_four_digits(*ms) ? -1 : 0;
}
