/* Parses texts into statements and compares them. */
#include "model/similarity/statement.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/utf8.h"

/* ---- the words that count as values, as negations or as nothing: English ---- */

/* A unit's dimension is its `group`: 0 none, 1 time in seconds, 2 bytes, 3 metres, 4 grams, 5 percent, 6 dollars,
 * 7 euros. Sorted by word, for bsearch. */
/* clang-format off */
const struct rule similarity_rules[] = {
    {"above", RULE_OPPOSITE, NULL, 1, 0}, {"accept", RULE_OPPOSITE, NULL, 2, 0},
    {"accepted", RULE_OPPOSITE, NULL, 3, 0}, {"accepts", RULE_OPPOSITE, NULL, 4, 0},
    {"add", RULE_OPPOSITE, NULL, 5, 0}, {"adds", RULE_OPPOSITE, NULL, 6, 0}, {"after", RULE_OPPOSITE, NULL, 7, 1},
    {"again", RULE_FILLER, NULL, 0, 0}, {"agrees", RULE_OPPOSITE, NULL, 8, 0}, {"allow", RULE_OPPOSITE, NULL, 9, 0},
    {"allowed", RULE_OPPOSITE, NULL, 10, 0}, {"allows", RULE_OPPOSITE, NULL, 11, 0},
    {"always", RULE_FILLER, NULL, 0, 0}, {"apr", RULE_MONTH, NULL, 0, 4}, {"april", RULE_MONTH, NULL, 0, 4},
    {"arent", RULE_NEGATION, "are", 0, 0}, {"async", RULE_OPPOSITE, NULL, 12, 1},
    {"asynchronous", RULE_OPPOSITE, NULL, 13, 1}, {"aug", RULE_MONTH, NULL, 0, 8},
    {"august", RULE_MONTH, NULL, 0, 8}, {"automatic", RULE_OPPOSITE, NULL, 14, 0},
    {"automatically", RULE_OPPOSITE, NULL, 15, 0}, {"bad", RULE_OPPOSITE, NULL, 16, 1},
    {"before", RULE_OPPOSITE, NULL, 7, 0}, {"below", RULE_OPPOSITE, NULL, 1, 1},
    {"best", RULE_OPPOSITE, NULL, 17, 0}, {"better", RULE_OPPOSITE, NULL, 18, 0},
    {"billion", RULE_UNIT, NULL, 0, 1000000000}, {"breaks", RULE_OPPOSITE, NULL, 19, 1},
    {"byte", RULE_UNIT, NULL, 2, 1}, {"bytes", RULE_UNIT, NULL, 2, 1}, {"cannot", RULE_NEGATION, "can", 0, 0},
    {"cant", RULE_NEGATION, "can", 0, 0}, {"cheap", RULE_OPPOSITE, NULL, 20, 0},
    {"cheaper", RULE_OPPOSITE, NULL, 21, 0}, {"closed", RULE_OPPOSITE, NULL, 22, 1},
    {"cm", RULE_UNIT, NULL, 3, 0.01}, {"correct", RULE_OPPOSITE, NULL, 23, 0},
    {"couldnt", RULE_NEGATION, "could", 0, 0}, {"day", RULE_UNIT, NULL, 1, 86400},
    {"days", RULE_UNIT, NULL, 1, 86400}, {"dearer", RULE_OPPOSITE, NULL, 21, 1}, {"dec", RULE_MONTH, NULL, 0, 12},
    {"december", RULE_MONTH, NULL, 0, 12}, {"decrease", RULE_OPPOSITE, NULL, 24, 1},
    {"decreased", RULE_OPPOSITE, NULL, 25, 1}, {"decreases", RULE_OPPOSITE, NULL, 26, 1},
    {"definitely", RULE_FILLER, NULL, 0, 0}, {"did", RULE_FILLER, NULL, 0, 0}, {"didnt", RULE_NEGATION, NULL, 0, 0},
    {"disable", RULE_OPPOSITE, NULL, 27, 1}, {"disabled", RULE_OPPOSITE, NULL, 28, 1},
    {"disables", RULE_OPPOSITE, NULL, 29, 1}, {"disagrees", RULE_OPPOSITE, NULL, 8, 1},
    {"dislikes", RULE_OPPOSITE, NULL, 30, 1}, {"do", RULE_FILLER, NULL, 0, 0}, {"does", RULE_FILLER, NULL, 0, 0},
    {"doesnt", RULE_NEGATION, NULL, 0, 0}, {"dollar", RULE_UNIT, NULL, 6, 1}, {"dollars", RULE_UNIT, NULL, 6, 1},
    {"dont", RULE_NEGATION, NULL, 0, 0}, {"early", RULE_OPPOSITE, NULL, 31, 0}, {"eight", RULE_NUMBER, NULL, 0, 8},
    {"eleven", RULE_NUMBER, NULL, 0, 11}, {"empty", RULE_OPPOSITE, NULL, 32, 1},
    {"enable", RULE_OPPOSITE, NULL, 27, 0}, {"enabled", RULE_OPPOSITE, NULL, 28, 0},
    {"enables", RULE_OPPOSITE, NULL, 29, 0}, {"encrypted", RULE_OPPOSITE, NULL, 33, 0},
    {"eur", RULE_UNIT, NULL, 7, 1}, {"euro", RULE_UNIT, NULL, 7, 1}, {"euros", RULE_UNIT, NULL, 7, 1},
    {"evening", RULE_OPPOSITE, NULL, 34, 1}, {"everybody", RULE_FILLER, "body", 0, 0},
    {"everything", RULE_FILLER, "thing", 0, 0}, {"everywhere", RULE_FILLER, "where", 0, 0},
    {"expensive", RULE_OPPOSITE, NULL, 20, 1}, {"export", RULE_OPPOSITE, NULL, 35, 1},
    {"external", RULE_OPPOSITE, NULL, 36, 1}, {"failed", RULE_OPPOSITE, NULL, 37, 1},
    {"fails", RULE_OPPOSITE, NULL, 38, 1}, {"failure", RULE_OPPOSITE, NULL, 39, 1},
    {"false", RULE_OPPOSITE, NULL, 40, 1}, {"fast", RULE_OPPOSITE, NULL, 41, 0},
    {"faster", RULE_OPPOSITE, NULL, 42, 0}, {"feb", RULE_MONTH, NULL, 0, 2}, {"february", RULE_MONTH, NULL, 0, 2},
    {"five", RULE_NUMBER, NULL, 0, 5}, {"forbid", RULE_OPPOSITE, NULL, 9, 1},
    {"forbidden", RULE_OPPOSITE, NULL, 10, 1}, {"forbids", RULE_OPPOSITE, NULL, 11, 1},
    {"four", RULE_NUMBER, NULL, 0, 4}, {"friday", RULE_WEEKDAY, NULL, 0, 5}, {"fridays", RULE_WEEKDAY, NULL, 0, 5},
    {"full", RULE_OPPOSITE, NULL, 32, 0}, {"g", RULE_UNIT, NULL, 4, 1}, {"gb", RULE_UNIT, NULL, 2, 1000000000},
    {"gib", RULE_UNIT, NULL, 2, 1073741824}, {"good", RULE_OPPOSITE, NULL, 16, 0}, {"gram", RULE_UNIT, NULL, 4, 1},
    {"grams", RULE_UNIT, NULL, 4, 1}, {"h", RULE_UNIT, NULL, 1, 3600}, {"hadnt", RULE_NEGATION, "had", 0, 0},
    {"hasnt", RULE_NEGATION, "has", 0, 0}, {"hates", RULE_OPPOSITE, NULL, 43, 1},
    {"havent", RULE_NEGATION, "have", 0, 0}, {"high", RULE_OPPOSITE, NULL, 44, 0},
    {"higher", RULE_OPPOSITE, NULL, 45, 0}, {"hour", RULE_UNIT, NULL, 1, 3600}, {"hours", RULE_UNIT, NULL, 1, 3600},
    {"hr", RULE_UNIT, NULL, 1, 3600}, {"hrs", RULE_UNIT, NULL, 1, 3600}, {"import", RULE_OPPOSITE, NULL, 35, 0},
    {"impossible", RULE_OPPOSITE, NULL, 46, 1}, {"incorrect", RULE_OPPOSITE, NULL, 23, 1},
    {"increase", RULE_OPPOSITE, NULL, 24, 0}, {"increased", RULE_OPPOSITE, NULL, 25, 0},
    {"increases", RULE_OPPOSITE, NULL, 26, 0}, {"indeed", RULE_FILLER, NULL, 0, 0},
    {"internal", RULE_OPPOSITE, NULL, 36, 0}, {"invalid", RULE_OPPOSITE, NULL, 47, 1},
    {"isnt", RULE_NEGATION, "is", 0, 0}, {"jan", RULE_MONTH, NULL, 0, 1}, {"january", RULE_MONTH, NULL, 0, 1},
    {"jul", RULE_MONTH, NULL, 0, 7}, {"july", RULE_MONTH, NULL, 0, 7}, {"jun", RULE_MONTH, NULL, 0, 6},
    {"june", RULE_MONTH, NULL, 0, 6}, {"k", RULE_UNIT, NULL, 0, 1000}, {"kb", RULE_UNIT, NULL, 2, 1000},
    {"kg", RULE_UNIT, NULL, 4, 1000}, {"kib", RULE_UNIT, NULL, 2, 1024}, {"km", RULE_UNIT, NULL, 3, 1000},
    {"late", RULE_OPPOSITE, NULL, 31, 1}, {"least", RULE_OPPOSITE, NULL, 48, 1},
    {"likes", RULE_OPPOSITE, NULL, 30, 0}, {"loves", RULE_OPPOSITE, NULL, 43, 0},
    {"low", RULE_OPPOSITE, NULL, 44, 1}, {"lower", RULE_OPPOSITE, NULL, 45, 1}, {"m", RULE_UNIT, NULL, 3, 1},
    {"mandatory", RULE_OPPOSITE, NULL, 49, 0}, {"manual", RULE_OPPOSITE, NULL, 14, 1},
    {"manually", RULE_OPPOSITE, NULL, 15, 1}, {"mar", RULE_MONTH, NULL, 0, 3}, {"march", RULE_MONTH, NULL, 0, 3},
    {"maximum", RULE_OPPOSITE, NULL, 50, 1}, {"may", RULE_MONTH, NULL, 0, 5}, {"mb", RULE_UNIT, NULL, 2, 1000000},
    {"meter", RULE_UNIT, NULL, 3, 1}, {"meters", RULE_UNIT, NULL, 3, 1}, {"metre", RULE_UNIT, NULL, 3, 1},
    {"metres", RULE_UNIT, NULL, 3, 1}, {"mib", RULE_UNIT, NULL, 2, 1048576}, {"mile", RULE_UNIT, NULL, 3, 1609.344},
    {"miles", RULE_UNIT, NULL, 3, 1609.344}, {"million", RULE_UNIT, NULL, 0, 1000000},
    {"millions", RULE_UNIT, NULL, 0, 1000000}, {"millisecond", RULE_UNIT, NULL, 1, 0.001},
    {"milliseconds", RULE_UNIT, NULL, 1, 0.001}, {"min", RULE_UNIT, NULL, 1, 60},
    {"minimum", RULE_OPPOSITE, NULL, 50, 0}, {"mins", RULE_UNIT, NULL, 1, 60}, {"minute", RULE_UNIT, NULL, 1, 60},
    {"minutes", RULE_UNIT, NULL, 1, 60}, {"mm", RULE_UNIT, NULL, 3, 0.001}, {"monday", RULE_WEEKDAY, NULL, 0, 1},
    {"mondays", RULE_WEEKDAY, NULL, 0, 1}, {"morning", RULE_OPPOSITE, NULL, 34, 0},
    {"most", RULE_OPPOSITE, NULL, 48, 0}, {"ms", RULE_UNIT, NULL, 1, 0.001},
    {"mustnt", RULE_NEGATION, "must", 0, 0}, {"nd", RULE_UNIT, NULL, 0, 1}, {"neither", RULE_NEGATION, NULL, 0, 0},
    {"never", RULE_NEGATION, NULL, 0, 0}, {"new", RULE_OPPOSITE, NULL, 51, 1},
    {"newest", RULE_OPPOSITE, NULL, 52, 1}, {"nine", RULE_NUMBER, NULL, 0, 9}, {"no", RULE_NEGATION, NULL, 0, 0},
    {"nobody", RULE_NEGATION, "body", 0, 0}, {"none", RULE_NEGATION, "all", 0, 0},
    {"nor", RULE_NEGATION, NULL, 0, 0}, {"not", RULE_NEGATION, NULL, 0, 0},
    {"nothing", RULE_NEGATION, "thing", 0, 0}, {"nov", RULE_MONTH, NULL, 0, 11},
    {"november", RULE_MONTH, NULL, 0, 11}, {"nowhere", RULE_NEGATION, "where", 0, 0},
    {"oct", RULE_MONTH, NULL, 0, 10}, {"october", RULE_MONTH, NULL, 0, 10}, {"offline", RULE_OPPOSITE, NULL, 53, 1},
    {"old", RULE_OPPOSITE, NULL, 51, 0}, {"oldest", RULE_OPPOSITE, NULL, 52, 0},
    {"online", RULE_OPPOSITE, NULL, 53, 0}, {"open", RULE_OPPOSITE, NULL, 22, 0},
    {"optional", RULE_OPPOSITE, NULL, 54, 1}, {"passes", RULE_OPPOSITE, NULL, 19, 0},
    {"percent", RULE_UNIT, NULL, 5, 1}, {"plaintext", RULE_OPPOSITE, NULL, 33, 1},
    {"possible", RULE_OPPOSITE, NULL, 46, 0}, {"private", RULE_OPPOSITE, NULL, 55, 1},
    {"public", RULE_OPPOSITE, NULL, 55, 0}, {"rd", RULE_UNIT, NULL, 0, 1}, {"really", RULE_FILLER, NULL, 0, 0},
    {"reject", RULE_OPPOSITE, NULL, 2, 1}, {"rejected", RULE_OPPOSITE, NULL, 3, 1},
    {"rejects", RULE_OPPOSITE, NULL, 4, 1}, {"remove", RULE_OPPOSITE, NULL, 5, 1},
    {"removes", RULE_OPPOSITE, NULL, 6, 1}, {"required", RULE_OPPOSITE, NULL, 54, 0}, {"s", RULE_UNIT, NULL, 1, 1},
    {"safe", RULE_OPPOSITE, NULL, 56, 0}, {"saturday", RULE_WEEKDAY, NULL, 0, 6},
    {"saturdays", RULE_WEEKDAY, NULL, 0, 6}, {"sec", RULE_UNIT, NULL, 1, 1}, {"second", RULE_UNIT, NULL, 1, 1},
    {"seconds", RULE_UNIT, NULL, 1, 1}, {"secs", RULE_UNIT, NULL, 1, 1}, {"sep", RULE_MONTH, NULL, 0, 9},
    {"sept", RULE_MONTH, NULL, 0, 9}, {"september", RULE_MONTH, NULL, 0, 9}, {"seven", RULE_NUMBER, NULL, 0, 7},
    {"shouldnt", RULE_NEGATION, "should", 0, 0}, {"six", RULE_NUMBER, NULL, 0, 6},
    {"slow", RULE_OPPOSITE, NULL, 41, 1}, {"slower", RULE_OPPOSITE, NULL, 42, 1}, {"st", RULE_UNIT, NULL, 0, 1},
    {"stable", RULE_OPPOSITE, NULL, 57, 0}, {"start", RULE_OPPOSITE, NULL, 58, 0},
    {"started", RULE_OPPOSITE, NULL, 59, 0}, {"starts", RULE_OPPOSITE, NULL, 60, 0},
    {"stop", RULE_OPPOSITE, NULL, 58, 1}, {"stopped", RULE_OPPOSITE, NULL, 59, 1},
    {"stops", RULE_OPPOSITE, NULL, 60, 1}, {"succeeded", RULE_OPPOSITE, NULL, 37, 0},
    {"succeeds", RULE_OPPOSITE, NULL, 38, 0}, {"success", RULE_OPPOSITE, NULL, 39, 0},
    {"sunday", RULE_WEEKDAY, NULL, 0, 7}, {"sundays", RULE_WEEKDAY, NULL, 0, 7},
    {"supported", RULE_OPPOSITE, NULL, 61, 0}, {"sync", RULE_OPPOSITE, NULL, 12, 0},
    {"synchronous", RULE_OPPOSITE, NULL, 13, 0}, {"tb", RULE_UNIT, NULL, 2, 1000000000000},
    {"ten", RULE_NUMBER, NULL, 0, 10}, {"th", RULE_UNIT, NULL, 0, 1}, {"thousand", RULE_UNIT, NULL, 0, 1000},
    {"three", RULE_NUMBER, NULL, 0, 3}, {"thursday", RULE_WEEKDAY, NULL, 0, 4},
    {"thursdays", RULE_WEEKDAY, NULL, 0, 4}, {"tib", RULE_UNIT, NULL, 2, 1099511627776},
    {"true", RULE_OPPOSITE, NULL, 40, 0}, {"tuesday", RULE_WEEKDAY, NULL, 0, 2},
    {"tuesdays", RULE_WEEKDAY, NULL, 0, 2}, {"twelve", RULE_NUMBER, NULL, 0, 12}, {"two", RULE_NUMBER, NULL, 0, 2},
    {"unsafe", RULE_OPPOSITE, NULL, 56, 1}, {"unstable", RULE_OPPOSITE, NULL, 57, 1},
    {"unsupported", RULE_OPPOSITE, NULL, 61, 1}, {"usd", RULE_UNIT, NULL, 6, 1},
    {"valid", RULE_OPPOSITE, NULL, 47, 0}, {"voluntary", RULE_OPPOSITE, NULL, 49, 1},
    {"wasnt", RULE_NEGATION, "was", 0, 0}, {"wednesday", RULE_WEEKDAY, NULL, 0, 3},
    {"wednesdays", RULE_WEEKDAY, NULL, 0, 3}, {"week", RULE_UNIT, NULL, 1, 604800},
    {"weeks", RULE_UNIT, NULL, 1, 604800}, {"werent", RULE_NEGATION, "were", 0, 0},
    {"without", RULE_NEGATION, NULL, 0, 0}, {"wont", RULE_NEGATION, "will", 0, 0},
    {"worse", RULE_OPPOSITE, NULL, 18, 1}, {"worst", RULE_OPPOSITE, NULL, 17, 1},
    {"wouldnt", RULE_NEGATION, "would", 0, 0},
};
/* clang-format on */
const size_t similarity_rule_count = sizeof(similarity_rules) / sizeof(similarity_rules[0]);

/* A subject with fewer letters is a word or two, about which many things may be said. */
#define SUBJECT_LETTERS 8
#define RULE_WORD_MAX   16 /* bytes of the longest word of a rule */
#define PLURAL_LETTERS  3  /* bytes of the shortest word that has one */

/* Code points for private use: what stands in a subject for a value, with a dimension or a pair added. */
enum {
    PLACE_NUMBER = 0xE000,
    PLACE_DATE = 0xE0F0,
    PLACE_OPPOSITE = 0xE100,
    PLACE_END = 0xE200
};

/* ---- parsing ---- */

struct parser {
    struct statement *s;
    const char *text;
    size_t len, at;
    bool begins; /* a word here begins a sentence, and is capitalised in any case */
    bool denies; /* a negation stands before the next word of the subject */
    /* The value that was parsed last, if the next word or number may continue it. */
    size_t end;    /* of it, in the text */
    size_t place;  /* in the subject, before its placeholder */
    bool number;   /* it is a plain number … */
    double amount; /* … of this value */
    bool date;     /* it is a month with what follows */
    int year, month, day;
};

/* The finalizer of SplitMix64 (Steele, Lea and Flood 2014): every bit of the input changes every bit of the output. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static uint64_t number_key(int dimension, double amount)
{
    uint64_t bits;
    float rounded = (float)amount; /* 0.1 * 3 h equals 18 min */
    double wide = rounded;
    memcpy(&bits, &wide, sizeof(bits));
    return mix(bits ^ (uint64_t)dimension << 56);
}

static uint64_t date_key(int year, int month, int day)
{
    return mix((uint64_t)year * 10000 + (uint64_t)(month * 100 + day));
}

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_character(uint32_t c)
{
    enum fold_class class = fold_class(c);
    return (class == FOLD_WORD || class == FOLD_SYMBOL) && !is_digit(c);
}

/* Decodes at `at`. Returns 0 at the end; a byte that is not UTF-8 is a space. */
static int peek(const struct parser *p, size_t at, uint32_t *c)
{
    if (at >= p->len)
        return 0;
    int n = utf8_decode(p->text + at, p->len - at, c);
    if (n)
        return n;
    *c = ' ';
    return 1;
}

static void add_space(struct strbuf *subject)
{
    if (subject->len)
        strbuf_addch(subject, ' ');
}

static void add_code_point(struct strbuf *subject, uint32_t c)
{
    char bytes[4];
    strbuf_add(subject, bytes, (size_t)utf8_encode(c, bytes));
}

/* Replaces what the subject has from `place` on by the placeholder of a value. */
static void put_place(struct parser *p, size_t place, uint32_t placeholder)
{
    struct statement *s = p->s;
    strbuf_cut(&s->subject, place);
    while (s->words && s->word[s->words - 1].at >= place)
        p->denies |= s->word[--s->words].denied;
    add_space(&s->subject);
    size_t at = s->subject.len;
    add_code_point(&s->subject, placeholder);
    *ARRAY_ADD(s->word, s->words, s->word_alloc) =
        (struct word){.at = at, .len = s->subject.len - at, .denied = p->denies};
    p->denies = false;
    p->place = place;
}

static struct value *add_value(struct parser *p, enum value_kind kind, uint64_t key, size_t at,
                               size_t end)
{
    struct value *v = ARRAY_ADD(p->s->value, p->s->values, p->s->value_alloc);
    *v = (struct value){kind, key, at, end - at};
    p->end = end;
    p->number = p->date = false;
    return v;
}

/* Whether what begins at `at` continues the value before it: "5 minutes", "May 1, 2024". */
static bool is_next(const struct parser *p, size_t at)
{
    size_t i = p->end, count = 0;
    uint32_t c;
    for (int n; i < at && (n = peek(p, i, &c)) && (c == ',' || (c >= ' ' && utf8_is_space(c)));
         count++)
        i += (size_t)n;
    return i == at && count <= 2;
}

/* ---- numbers and dates in digits ---- */

struct digits {
    const char *at;
    size_t len;
    int parts; /* with one separator between two of them */
    char separator;
    bool mixed;            /* separators differ */
    int part[4], width[4]; /* the first of them; widths in digits */
};

static struct digits split_digits(const char *at, size_t len)
{
    struct digits d = {.at = at, .len = len, .parts = 1};
    for (size_t i = 0; i < len; i++) {
        if (!is_digit((unsigned char)at[i])) {
            d.mixed |= d.separator && d.separator != at[i];
            d.separator = at[i];
            d.parts++;
        } else if (d.parts <= 4) {
            int *part = &d.part[d.parts - 1];
            *part = d.width[d.parts - 1]++ < 8 ? *part * 10 + (at[i] - '0') : *part;
        }
    }
    return d;
}

/* 1.5, 1,500 and 1,5. Returns false for what is no amount: 1.2.3, 14:30, 3-5. */
static bool read_amount(const struct digits *d, double *out)
{
    double unit = 1;
    bool thousands = d->separator == ',' && (d->parts > 2 || d->width[1] == 3);
    if (strspn(d->at, "0123456789.,") < d->len || (!thousands && d->parts > 2))
        return false;
    *out = 0;
    bool fraction = false;
    for (size_t i = 0; i < d->len; i++) {
        if (!is_digit((unsigned char)d->at[i])) {
            fraction = d->at[i] == '.' || !thousands;
        } else {
            unit /= fraction ? 10 : 1;
            *out = fraction ? *out + unit * (d->at[i] - '0') : *out * 10 + (d->at[i] - '0');
        }
    }
    return true;
}

/* 2024-05-01, 2024/5/1, 1.5.2024 and 2024-05. */
static bool read_date(const struct digits *d, uint64_t *key)
{
    const int *n = d->part;
    bool dated = d->separator == '-' || d->separator == '/' || d->separator == '.';
    if (!dated || d->mixed || d->parts > 3 || d->parts < 2)
        return false;
    bool year_first = d->width[0] == 4;
    if (d->parts == 2) {
        *key = date_key(n[0], n[1], 0);
        return year_first && d->separator == '-' && d->width[1] == 2 && n[1] >= 1 && n[1] <= 12;
    }
    if (year_first)
        *key = date_key(n[0], n[1], n[2]);
    else if (d->separator == '.')
        *key = date_key(n[2], n[1], n[0]);
    else /* 5/1/2024: the order of day and month is not known */
        *key = mix(fnv_add(FNV_BASIS, d->at, d->len));
    return year_first || d->width[2] == 4;
}

/* A number after a month: the day or the year of its date. */
static bool continue_date(struct parser *p, const struct digits *d, size_t at)
{
    if (!p->date || !is_next(p, at) || d->parts != 1)
        return false;
    if (d->width[0] == 4 && !p->year)
        p->year = d->part[0];
    else if (d->width[0] <= 2 && !p->day && !p->year)
        p->day = d->part[0];
    else
        return false;
    struct value *v = &p->s->value[p->s->values - 1];
    v->key = date_key(p->year, p->month, p->day);
    v->len = at + d->len - v->at;
    p->end = at + d->len;
    return true;
}

static void take_digits(struct parser *p)
{
    size_t at = p->at, place = p->s->subject.len;
    while (p->at < p->len && (is_digit((unsigned char)p->text[p->at]) ||
                              (strchr(".,:/-", p->text[p->at]) && p->at + 1 < p->len &&
                               is_digit((unsigned char)p->text[p->at + 1]))))
        p->at++;
    struct digits d = split_digits(p->text + at, p->at - at);
    double amount;
    uint64_t key;
    p->begins = false;
    if (continue_date(p, &d, at))
        return;
    if (read_date(&d, &key)) {
        add_value(p, VALUE_DATE, key, at, p->at);
        put_place(p, place, PLACE_DATE);
    } else if (read_amount(&d, &amount)) {
        bool minus = at > 0 && p->text[at - 1] == '-' && (at == 1 || p->text[at - 2] == ' ');
        amount = minus ? -amount : amount;
        add_value(p, VALUE_NUMBER, number_key(0, amount), at - minus, p->at);
        put_place(p, place, PLACE_NUMBER);
        p->number = true;
        p->amount = amount;
    } else {
        add_value(p, VALUE_NUMBER, mix(fnv_add(FNV_BASIS, d.at, d.len)), at, p->at);
        put_place(p, place, PLACE_NUMBER);
    }
}

/* ---- words ---- */

static int compare_rule(const void *word, const void *rule)
{
    return strcmp(word, ((const struct rule *)rule)->word);
}

static const struct rule *find_rule(const char *word, size_t len)
{
    char key[RULE_WORD_MAX + 1];
    if (len > RULE_WORD_MAX)
        return NULL;
    memcpy(key, word, len);
    key[len] = '\0';
    return bsearch(key, similarity_rules, similarity_rule_count, sizeof(struct rule), compare_rule);
}

/* A unit after a number: the value and its placeholder are those of the dimension. */
static bool take_unit(struct parser *p, const struct rule *rule, size_t at, size_t end)
{
    if (!p->number || !is_next(p, at))
        return false;
    struct value *v = &p->s->value[p->s->values - 1];
    p->amount *= rule->value;
    v->key = number_key(rule->group, p->amount);
    v->len = end - v->at;
    put_place(p, p->place, PLACE_NUMBER + (uint32_t)rule->group);
    p->end = end;
    p->number = rule->group == 0; /* "2 million dollars" */
    return true;
}

/* A month next to a number. Alone it may be another word: may, march. */
static bool take_month(struct parser *p, const struct rule *rule, size_t at, size_t end,
                       size_t place)
{
    uint32_t c = 0;
    bool after =
        p->number && is_next(p, at) && p->amount >= 1 && p->amount <= 31; /* "1 May", "1st May" */
    int day = after ? (int)p->amount : 0;
    size_t next = end < p->len && p->text[end] == ' ' ? end + 1 : end;
    if (!after && (!peek(p, next, &c) || !is_digit(c)))
        return false;
    if (after) {
        place = p->place;
        at = p->s->value[--p->s->values].at;
    }
    add_value(p, VALUE_DATE, date_key(0, (int)rule->value, day), at, end);
    put_place(p, place, PLACE_DATE);
    p->date = true;
    p->year = 0;
    p->month = (int)rule->value;
    p->day = day;
    return true;
}

/* Applies the rule of the word that the subject ends with, from `place` on. Returns false if the word stays. */
static bool apply_rule(struct parser *p, const struct rule *rule, size_t at, size_t end,
                       size_t place)
{
    struct statement *s = p->s;
    switch (rule->kind) {
    case RULE_NEGATION:
    case RULE_FILLER:
        s->denied ^= rule->kind == RULE_NEGATION;
        strbuf_cut(&s->subject, place);
        p->denies = s->word[--s->words].denied;
        if (rule->stays) {
            add_space(&s->subject);
            *ARRAY_ADD(s->word, s->words, s->word_alloc) =
                (struct word){s->subject.len, strlen(rule->stays), at, end - at, false, p->denies};
            strbuf_addstr(&s->subject, rule->stays);
            s->letters += strlen(rule->stays);
            p->denies = false;
        }
        p->denies ^= rule->kind == RULE_NEGATION;
        return true;
    case RULE_OPPOSITE:
        add_value(p, VALUE_OPPOSITE, (uint64_t)rule->value, at, end);
        put_place(p, place, PLACE_OPPOSITE + (uint32_t)rule->group);
        return true;
    case RULE_NUMBER:
        add_value(p, VALUE_NUMBER, number_key(0, rule->value), at, end);
        put_place(p, place, PLACE_NUMBER);
        p->number = true;
        p->amount = rule->value;
        return true;
    case RULE_WEEKDAY:
        add_value(p, VALUE_DATE, mix((uint64_t)rule->value), at, end);
        put_place(p, place, PLACE_DATE);
        return true;
    case RULE_UNIT:
        return take_unit(p, rule, at, end);
    case RULE_MONTH:
        return take_month(p, rule, at, end, place);
    }
    return false;
}

/* Appends the folded word at p->at, without apostrophes and what is not shown. Returns its code points. */
static size_t add_word(struct parser *p)
{
    size_t letters = 0;
    uint32_t c, after;
    for (int n; (n = peek(p, p->at, &c)); p->at += (size_t)n) {
        if (utf8_is_ignorable(c))
            continue;
        if (c == '\'' || c == 0x2019) {
            if (!peek(p, p->at + (size_t)n, &after) || !is_word_character(after))
                break;
            continue;
        }
        if (!is_word_character(c) && fold_class(c) != FOLD_EXTENDS)
            break;
        add_code_point(&p->s->subject, fold_code_point(c));
        letters++;
    }
    return letters;
}

static void take_word(struct parser *p, uint32_t first)
{
    struct statement *s = p->s;
    size_t at = p->at, place = s->subject.len;
    bool name = fold_code_point(first) != first && !p->begins;
    add_space(&s->subject);
    size_t begin = s->subject.len, letters = add_word(p);
    *ARRAY_ADD(s->word, s->words, s->word_alloc) =
        (struct word){begin, s->subject.len - begin, at, p->at - at, name, p->denies};
    p->denies = false;
    const struct rule *rule = find_rule(s->subject.buf + begin, s->subject.len - begin);
    p->begins = false;
    if (!rule || !apply_rule(p, rule, at, p->at, place)) {
        s->letters += letters;
        p->number = p->date = false;
    }
}

/* Three code points of 21 bits each: equal grams have equal numbers, and different ones have not. */
static void make_grams(struct statement *s)
{
    uint64_t last = 0, count = 0;
    uint32_t c;
    const char *at = s->subject.buf, *end = at + s->subject.len;
    for (int n; at < end && (n = utf8_decode(at, (size_t)(end - at), &c)); at += n) {
        last = (last << 21 | c) & UINT64_C(0x7FFFFFFFFFFFFFFF);
        if (++count >= 3)
            *ARRAY_ADD(s->gram, s->grams, s->gram_alloc) = last;
    }
    if (count == 1 || count == 2)
        *ARRAY_ADD(s->gram, s->grams, s->gram_alloc) = last;
}

void statement_parse(struct statement *s, const char *text, size_t len)
{
    struct parser p = {.s = s, .text = text, .len = len, .begins = true};
    uint32_t c;
    strbuf_clear(&s->subject);
    s->words = s->values = s->grams = s->letters = 0;
    s->denied = s->sorted = false;
    for (int n; (n = peek(&p, p.at, &c));) {
        if (is_digit(c)) {
            take_digits(&p);
        } else if (is_word_character(c) && !utf8_is_ignorable(c)) {
            take_word(&p, c);
        } else if (c == '%' && take_unit(&p, find_rule("percent", 7), p.at, p.at + 1)) {
            p.at++;
        } else {
            p.begins |= c == '.' || c == '!' || c == '?' || c == '\n' || c == ':' || c == 0x3002;
            p.at += (size_t)n;
        }
    }
    make_grams(s);
}

void statement_release(struct statement *s)
{
    strbuf_release(&s->subject);
    FREE_ALL(s->word, s->value, s->gram);
}

uint32_t statement_values(const struct statement *s)
{
    uint64_t hash = mix(s->denied);
    for (size_t i = 0; i < s->values; i++)
        hash = mix(hash ^ s->value[i].key ^ (uint64_t)s->value[i].kind << 32);
    return (uint32_t)hash;
}

/* ---- comparing ---- */

static int compare_gram(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return COMPARE(x, y);
}

static void sort_grams(struct statement *s)
{
    size_t count = 0;
    if (s->sorted)
        return;
    SORT(s->gram, s->grams, compare_gram);
    for (size_t i = 0; i < s->grams; i++)
        if (count == 0 || s->gram[count - 1] != s->gram[i])
            s->gram[count++] = s->gram[i];
    s->grams = count;
    s->sorted = true;
}

double statement_similarity(struct statement *a, struct statement *b)
{
    size_t i = 0, j = 0, both = 0;
    sort_grams(a);
    sort_grams(b);
    while (i < a->grams && j < b->grams) {
        uint64_t x = a->gram[i], y = b->gram[j];
        both += x == y;
        i += x <= y;
        j += y <= x;
    }
    return both ? (double)both / (double)(a->grams + b->grams - both) : 0;
}

static bool same_word(const struct statement *a, size_t i, const struct statement *b, size_t j)
{
    const struct word *x = &a->word[i], *y = &b->word[j];
    return x->len == y->len && memcmp(a->subject.buf + x->at, b->subject.buf + y->at, x->len) == 0;
}

/* Where the texts have a name of one or two words, if the subjects differ in nothing else. */
static bool name_differs(const struct statement *a, const struct statement *b, struct span *a_at,
                         struct span *b_at)
{
    size_t first = 0, x = a->words, y = b->words;
    while (first < x && first < y && same_word(a, first, b, first))
        first++;
    while (x > first && y > first && same_word(a, x - 1, b, y - 1))
        x--, y--;
    if (x == first || y == first || x - first > 2 || y - first > 2)
        return false;
    for (size_t i = first; i < x; i++)
        if (!a->word[i].name)
            return false;
    for (size_t i = first; i < y; i++)
        if (!b->word[i].name)
            return false;
    const struct word *from = &a->word[first], *to = &a->word[x - 1];
    *a_at = (struct span){from->text_at, to->text_at + to->text_len - from->text_at};
    from = &b->word[first], to = &b->word[y - 1];
    *b_at = (struct span){from->text_at, to->text_at + to->text_len - from->text_at};
    return true;
}

enum difference statement_difference(const struct statement *a, const struct statement *b,
                                     struct span *a_at, struct span *b_at)
{
    static const enum difference of_value[] = {[VALUE_NUMBER] = DIFFERS_NUMBER,
                                               [VALUE_DATE] = DIFFERS_DATE,
                                               [VALUE_OPPOSITE] = DIFFERS_OPPOSITE};
    struct span name_a, name_b;
    enum difference how = DIFFERS_NOT;
    int count = 0;
    *a_at = *b_at = (struct span){0, 0};
    if (a->values != b->values)
        return DIFFERS_MUCH;
    for (size_t i = 0; i < a->values && count < 2; i++) {
        const struct value *x = &a->value[i], *y = &b->value[i];
        if (x->kind != y->kind)
            return DIFFERS_MUCH;
        if (x->key == y->key)
            continue;
        count++;
        how = of_value[x->kind];
        *a_at = (struct span){x->at, x->len};
        *b_at = (struct span){y->at, y->len};
    }
    if (a->denied != b->denied) {
        count++;
        how = DIFFERS_DENIED;
    }
    if (count < 2 && name_differs(a, b, &name_a, &name_b)) {
        count++;
        how = DIFFERS_NAME;
        *a_at = name_a;
        *b_at = name_b;
    }
    return count < 2 ? how : DIFFERS_MUCH;
}

const char *difference_name(enum difference d)
{
    static const char *const names[] = {"", "number", "date", "opposite", "negation", "name", ""};
    return names[d];
}

bool statements_conflict(struct statement *a, struct statement *b, double *similarity,
                         enum difference *how, struct span *a_at, struct span *b_at)
{
    *how = statement_difference(a, b, a_at, b_at);
    if (*how == DIFFERS_NOT || *how == DIFFERS_MUCH || a->letters < SUBJECT_LETTERS ||
        b->letters < SUBJECT_LETTERS)
        return false;
    *similarity = statement_similarity(a, b);
    return *similarity >= SIMILAR_SUBJECT;
}

/* Whether one is the other with an "s" behind it. */
static bool is_plural(const struct statement *a, size_t i, const struct statement *b, size_t j)
{
    const struct word *x = &a->word[i], *y = &b->word[j];
    const struct word *one = x->len < y->len ? x : y, *many = x->len < y->len ? y : x;
    const char *singular = (one == x ? a : b)->subject.buf + one->at;
    const char *plural = (one == x ? b : a)->subject.buf + many->at;
    return one->len >= PLURAL_LETTERS && many->len == one->len + 1 && plural[one->len] == 's' &&
           singular[one->len - 1] != 's' && !memcmp(singular, plural, one->len);
}

/* Articles stay in the subject: a text without them would have little in common with another one. In "plan A" the last
 * word is a name. */
static size_t after_articles(const struct statement *s, size_t i)
{
    static const char *const articles[] = {"a", "an", "the"};
    for (size_t k = 0; i < s->words && k < sizeof(articles) / sizeof(*articles); k++)
        if (!s->word[i].name && strlen(articles[k]) == s->word[i].len &&
            !memcmp(articles[k], s->subject.buf + s->word[i].at, s->word[i].len))
            return after_articles(s, i + 1);
    return i;
}

/* One word of many may be the one that counts: "prefers tea", "prefers coffee". */
static bool same_words(const struct statement *a, const struct statement *b)
{
    size_t i = after_articles(a, 0), k = after_articles(b, 0);
    while (i < a->words && k < b->words && a->word[i].denied == b->word[k].denied &&
           (same_word(a, i, b, k) || is_plural(a, i, b, k))) {
        i = after_articles(a, i + 1);
        k = after_articles(b, k + 1);
    }
    return i == a->words && k == b->words;
}

bool statements_repeat(struct statement *a, struct statement *b, double *similarity)
{
    struct span at;
    if (!same_words(a, b) || statement_difference(a, b, &at, &at) != DIFFERS_NOT)
        return false;
    *similarity = statement_similarity(a, b);
    return *similarity >= SIMILAR_DUPLICATE;
}
