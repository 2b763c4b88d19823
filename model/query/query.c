/* The fields of queries, and their parser. */
#include "model/query/query.h"

#include <errno.h>
#include <math.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/base/error.h"
#include "model/base/utf8.h"
#include "model/graph/graph.h"
#include "model/memory/memory.h"

/* ---- regular expressions: a person or an agent writes them, so compiling and matching are bounded ---- */

#define PATTERN_BYTES 1000
#define MATCH_STEPS   200000 /* of one text: about 2 ms */
#define MATCH_DEPTH   1000
#define MATCH_KB      4096

struct query_pattern {
    pcre2_code *code;
    pcre2_match_context *bound;
    const char *text;
};

static void *take(size_t size, void *arena)
{
    return arena_alloc(arena, size);
}

/* The arena is released as a whole. */
static void give(void *block, void *arena)
{
    (void)block;
    (void)arena;
}

/* An escape such as \S is no capital letter. */
static bool has_capital(const char *pattern)
{
    for (const char *at = pattern; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at >= 'A' && *at <= 'Z')
            return true;
    }
    return false;
}

/* Compiles a regular expression (PCRE2, UTF-8; without case unless it has a capital letter; ^ and $ match at lines) in
 * the arena. -1 and ERROR_INVALID with the place in the pattern; *at is its byte. */
static int query_pattern_make(const char *pattern, struct arena *arena,
                              const struct query_pattern **out, size_t *at, struct error *e)
{
    size_t len = strlen(pattern);
    int code;
    char why[128] = "";
    *at = 0;
    if (len > PATTERN_BYTES || !utf8_valid(pattern, len))
        return error_set(e, ERROR_INVALID, "", "the pattern %s",
                         len > PATTERN_BYTES ? "has more than 1000 bytes" : "is not valid UTF-8");
    pcre2_general_context *memory = pcre2_general_context_create(take, give, arena);
    pcre2_compile_context *how = pcre2_compile_context_create(memory);
    struct query_pattern *p = arena_alloc(arena, sizeof(*p));
    uint32_t options = PCRE2_UTF | PCRE2_MULTILINE | PCRE2_MATCH_INVALID_UTF |
                       PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UCP |
                       (has_capital(pattern) ? 0 : PCRE2_CASELESS);
    p->text = arena_strdup(arena, pattern);
    p->code = pcre2_compile((PCRE2_SPTR)pattern, len, options, &code, at, how);
    if (!p->code) {
        pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof(why));
        return error_set(e, ERROR_INVALID, "Put text that is no regular expression in quotes.",
                         "the pattern '%.80s' is wrong: %s", pattern, why);
    }
    p->bound = pcre2_match_context_create(memory);
    pcre2_set_match_limit(p->bound, MATCH_STEPS);
    pcre2_set_depth_limit(p->bound, MATCH_DEPTH);
    pcre2_set_heap_limit(p->bound, MATCH_KB);
    *out = p;
    return 0;
}

/* The memory for a match is its own, since several threads may match at once. */
/* 1 or 0; -1 and ERROR_INVALID if it takes more than a bounded number of steps. Invalid UTF-8 matches nothing. */
static int query_pattern_matches(const struct query_pattern *p, const char *text, size_t len,
                                 struct error *e)
{
    pcre2_match_data *place = pcre2_match_data_create(1, NULL);
    if (!place)
        alloc_fail();
    int found = pcre2_match(p->code, (PCRE2_SPTR)text, len, 0, 0, place, p->bound);
    pcre2_match_data_free(place);
    if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_DEPTHLIMIT ||
        found == PCRE2_ERROR_HEAPLIMIT)
        return error_set(e, ERROR_INVALID, "Make it simpler: no repetition within a repetition.",
                         "the pattern '%.80s' takes too many steps in a text of %zu bytes", p->text,
                         len);
    return found >= 0;
}

/* ---- the fields ---- */

const char *choice_kind(int i)
{
    return i < KIND_COUNT ? kind_name((enum kind)i) : NULL;
}

const char *choice_status(int i)
{
    return i == STATUS_MISSING ? "all" : i < STATUS_COUNT ? status_word((enum status)i) : NULL;
}

const char *choice_label(int i)
{
    return i < LABEL_COUNT ? label_name((enum label)i) : NULL;
}

const char *choice_activity(int i)
{
    static const char *const names[] = {"changes", "reads", "errors", "cancellations", NULL};
    return names[i];
}

#define MEMORIES QUERY_MEMORIES
#define EVENTS   QUERY_EVENTS
#define SESSIONS QUERY_SESSIONS
#define TEXT     QUERY_IS_TEXT
#define CHOICE   QUERY_IS_CHOICE
#define NUMBER   QUERY_IS_NUMBER
#define TIME     QUERY_IS_TIME

static const struct query_spec specs[] = {
    {"kind", "kinds", QUERY_KIND, CHOICE, MEMORIES | EVENTS, "belief", "the kind of memory",
     choice_kind, 0},
    {"agent", "actor by", QUERY_AGENT, TEXT, MEMORIES | EVENTS | SESSIONS, "ash",
     "the agent that has it, or the person or agent that did it", NULL, 0},
    {"label", "support", QUERY_LABEL, CHOICE, MEMORIES, "unsupported", "how it is supported",
     choice_label, 0},
    {"status", NULL, QUERY_STATUS, CHOICE, MEMORIES, "retracted", "its status; all: every memory",
     choice_status, 0},
    {"confidence", NULL, QUERY_CONFIDENCE, NUMBER, MEMORIES, "<0.7",
     "its confidence as lists show it, 0 to 1", NULL, 0},
    {"tag", "tags", QUERY_TAG, TEXT, MEMORIES, "retry", "one of its tags; none: without tags", NULL,
     0},
    {"source", "origin source-type", QUERY_SOURCE, TEXT, MEMORIES, "web",
     "its class (web, agent), or a part of its type, a name, a URI", NULL, 0},
    {"told", NULL, QUERY_TOLD, TEXT, MEMORIES, "ivy", "a part of the name of who told it", NULL, 0},
    {"claims", NULL, QUERY_CLAIMS, TEXT, MEMORIES, "kit",
     "the name that its unnamed author claimed", NULL, 0},
    {"flag", "flags", QUERY_FLAG, TEXT, MEMORIES, "for_review",
     "a flag that it has; locked, approved, contradicted; none: lists show none", NULL, 0},
    {"roots", NULL, QUERY_ROOTS, NUMBER, MEMORIES, "1",
     "its independent derivations: 0, 1, or 2 for more", NULL, 0},
    {"uses", "used-by", QUERY_USES, NUMBER, MEMORIES, ">10",
     "how many memories are based on it directly", NULL, 0},
    {"after", "since", QUERY_CREATED, TIME, MEMORIES | EVENTS | SESSIONS, "2026-01-01",
     "it was made then or later", NULL, '>'},
    {"before", "until", QUERY_CREATED, TIME, MEMORIES | EVENTS | SESSIONS, "yesterday",
     "it was made then or earlier", NULL, '<'},
    {"created", NULL, QUERY_CREATED, TIME, MEMORIES, "2026-01-01",
     "when it was made: a day, or >1w, <2026-02-01", NULL, 0},
    {"updated", NULL, QUERY_UPDATED, TIME, MEMORIES, ">2d", "when it was changed last", NULL, 0},
    {"memory", "ref", QUERY_MEMORY, TEXT, MEMORIES | EVENTS, "belief:54c5",
     "a ref, or its beginning", NULL, 0},
    {"operation", "op", QUERY_OPERATION, TEXT, EVENTS, "edit",
     "the operation, or the tool of a call", NULL, 0},
    {"session", NULL, QUERY_SESSION, TEXT, EVENTS | SESSIONS, "3",
     "a session: its number, or the beginning of its uuid", NULL, 0},
    {"correlation", NULL, QUERY_CORRELATION, TEXT, EVENTS, "apply",
     "changes made together under this name", NULL, 0},
    {"only", "type", QUERY_ONLY, CHOICE, EVENTS, "errors",
     "changes, reads, errors (failed or refused) or cancellations", choice_activity, 0},
};
#define SPECS ((int)(sizeof(specs) / sizeof(specs[0])))

const struct query_spec *query_spec(int i)
{
    return i < SPECS ? &specs[i] : NULL;
}

/* Calls `each` with every name of a field; the other names follow the first. Returns the length. */
static const char *next_name(const struct query_spec *s, const char *at, size_t *len)
{
    const char *name = !at                                              ? s->name
                       : at < s->name || at > s->name + strlen(s->name) ? at + *len
                                                                        : s->also;
    if (at && name && name != s->also)
        name += strspn(name, " ");
    if (!name || !*name)
        return NULL;
    *len = strcspn(name, " ");
    return name;
}

const struct query_spec *query_spec_named(const char *name, size_t len)
{
    for (const struct query_spec *s = specs; s < specs + SPECS; s++) {
        size_t n = 0;
        for (const char *at = NULL; (at = next_name(s, at, &n));)
            if (n == len && !memcmp(at, name, len))
                return s;
    }
    return NULL;
}

/* ---- tokens ---- */

/* The bytes of white space at `s`, where a control character is white space, too; 0 if there is none. */
static size_t space_at(const char *s)
{
    unsigned char c = (unsigned char)*s;
    return (c && c <= ' ') || c == 0x7f ? 1 : c >= 0x80 ? utf8_space(s, strnlen(s, 4)) : 0;
}

static bool ends_term(const char *s)
{
    return !*s || space_at(s);
}

/* Where a quoted text ends, after its closing quote; at the end of the query if there is none. */
static const char *quoted_end(const char *s, char quote, bool *closed)
{
    for (s++; *s && *s != quote; s++)
        if (*s == '\\' && s[1])
            s++;
    *closed = *s != '\0';
    return s + *closed;
}

/* A quote that is not closed is an error, which query_parse reports; until then a person still types. */
static void read_value(struct token *t, const char *s)
{
    const char *end = s;
    bool closed = true;
    if (*s == '"')
        end = quoted_end(s, '"', &closed);
    t->quoted = *s == '"';
    if (!t->quoted)
        for (end = s; !ends_term(end); end++)
            ;
    t->value = s;
    t->open = !closed;
    t->to = end;
}

/* A pattern ends at a slash before a space or the end; other texts with slashes are plain: /etc/hosts. */
static bool read_pattern(struct token *t, const char *s)
{
    bool closed;
    const char *end = quoted_end(s, '/', &closed);
    if (*s != '/' || end - s < 3 || !ends_term(end) || !closed)
        return false;
    t->pattern = true;
    t->value = s;
    t->to = end;
    return true;
}

bool query_token(const char **at, struct token *t)
{
    const char *s = *at;
    for (size_t space; (space = space_at(s)); s += space)
        ;
    *t = (struct token){.from = s};
    if (!*s)
        return false;
    if (*s == '-' && ((s[1] >= 'a' && s[1] <= 'z') || s[1] == '"' || s[1] == '/' ||
                      (unsigned char)s[1] >= 0x80)) {
        t->negated = true;
        s++;
    }
    size_t name = strspn(s, "abcdefghijklmnopqrstuvwxyz-_");
    if (!read_pattern(t, s)) {
        if (name && s[name] == ':' && s[name + 1] != '/' && kind_from_name(s, name) < 0) {
            t->name = s;
            t->name_len = name;
            t->spec = query_spec_named(s, name);
        }
        read_value(t, t->spec ? s + name + 1 : s);
    }
    *at = t->to;
    return true;
}

/* The value without quotes and escapes. */
static const char *value_of(const struct token *t, struct arena *arena)
{
    AUTO_STRBUF out = STRBUF_INIT;
    const char *s = t->value, *to = t->to;
    if (t->quoted || t->pattern) {
        s++;
        to -= !t->open && to > s;
    }
    for (; s < to; s++) {
        s += *s == '\\' && s + 1 < to &&
             (t->quoted ? s[1] == '"' || s[1] == '\\' : t->pattern && s[1] == '/');
        strbuf_addch(&out, *s);
    }
    return arena_strndup(arena, out.buf, out.len);
}

/* ---- values ---- */

struct parser {
    struct arena *arena;
    struct query_terms *out;
    enum query_on on;
    struct query_clock clock;
    struct error *e;
};

static int fail(struct parser *p, const char *from, const char *to)
{
    p->out->bad_from = (size_t)(from - p->out->query);
    p->out->bad_to = (size_t)(to - p->out->query);
    return -1;
}

static void add_choices(const struct query_spec *s, struct strbuf *out)
{
    for (int i = 0; s->choice(i); i++)
        strbuf_addf(out, "%s%s", i ? ", " : "", s->choice(i));
}

/* The bits of one choice, which may be called by another name of it; 0 if there is none. */
static unsigned choice_bits(const struct query_spec *s, const char *word)
{
    int other = s->field == QUERY_KIND                                ? kind_from_word(word)
                : s->field == QUERY_STATUS                            ? status_from_name(word)
                : s->field == QUERY_ONLY && !strcmp(word, "refusals") ? 2 /* as it was called */
                                                                      : -1;
    for (int i = 0; s->choice(i); i++)
        if (!strcmp(s->choice(i), word))
            return s->field == QUERY_STATUS && i == STATUS_MISSING ? STATUSES_ALL : 1u << i;
    return other >= 0 ? 1u << other : 0;
}

static int no_choice(struct parser *p, const struct query_spec *s, const char *word)
{
    struct suggestion near = SUGGESTION_INIT(word);
    AUTO_STRBUF hint = STRBUF_INIT;
    for (int i = 0; s->choice(i); i++)
        suggest_consider(&near, s->choice(i));
    bool is_status = s->field == QUERY_LABEL && status_from_name(word) >= 0;
    strbuf_addstr(&hint, is_status || near.name ? "Did you mean " : "It is one of: ");
    if (is_status)
        strbuf_addf(&hint, "status:%s?", word);
    else if (near.name)
        strbuf_addf(&hint, "%s:%s?", s->name, near.name);
    else
        add_choices(s, &hint);
    return error_set(p->e, ERROR_INVALID, hint.buf, "there is no %s '%.80s'", s->name, word);
}

static int read_choice(struct parser *p, struct query_term *t)
{
    const char *at = t->text;
    do {
        size_t len = strcspn(at, ",");
        const char *word = arena_strndup(p->arena, at, len);
        unsigned bits = choice_bits(t->spec, word);
        if (!bits)
            return no_choice(p, t->spec, word);
        t->bits |= bits;
        at += len;
    } while (*at++ == ',');
    return 0;
}

/* Reads a number or a time. */
static bool read_amount(struct parser *p, const struct query_term *t, const char *text, double *out)
{
    char *end;
    int64_t ms;
    if (t->spec->type == QUERY_IS_TIME) {
        if (p->clock.read(text, p->clock.now, &ms))
            return false;
        *out = (double)ms;
        return true;
    }
    errno = 0;
    *out = strtod(text, &end);
    return *text && strspn(text, "0123456789.") == strlen(text) && !*end && !errno;
}

/* "2026-01-01" and "today" without a comparison are a day; another time is when it begins. */
static bool is_day(const char *text)
{
    static const char *const days[] = {"today", "yesterday"};
    for (size_t i = 0; i < sizeof(days) / sizeof(days[0]); i++)
        if (!strcmp(text, days[i]))
            return true;
    return strlen(text) == 10 && text[4] == '-' && text[7] == '-';
}

static bool read_between(struct parser *p, struct query_term *t)
{
    const char *dots = strstr(t->text, "..");
    const char *low = dots ? arena_strndup(p->arena, t->text, (size_t)(dots - t->text)) : t->text;
    if (dots) {
        const char *high = dots + 2;
        t->high_open = *high == '<';
        high += t->high_open;
        return (!*low || read_amount(p, t, low, &t->low)) &&
               (!*high || read_amount(p, t, high, &t->high)) && (*low || *high);
    }
    size_t len = strlen(low);
    if (t->spec->type == QUERY_IS_NUMBER && len > 1 && low[len - 1] == '+')
        return read_amount(p, t, arena_strndup(p->arena, low, len - 1), &t->low);
    if (!read_amount(p, t, low, &t->low))
        return false;
    if (t->spec->type == QUERY_IS_NUMBER)
        t->high = t->low;
    else if (is_day(low)) {
        t->high = t->low + (double)CLOCK_DAY;
        t->high_open = true;
    }
    return true;
}

static int read_range(struct parser *p, struct query_term *t)
{
    const char *at = t->text;
    char sign = t->spec->implied                         ? t->spec->implied
                : *at == '<' || *at == '>' || *at == '=' ? *at++
                                                         : '=';
    bool inclusive = t->spec->implied || *at == '=', good;
    if (!t->spec->implied && inclusive)
        at++;
    t->low = -INFINITY;
    t->high = INFINITY;
    if (sign == '=')
        good = at == t->text ? read_between(p, t)
                             : read_amount(p, t, at, &t->low) && (t->high = t->low, true);
    else
        good = read_amount(p, t, at, sign == '<' ? &t->high : &t->low);
    t->low_open = sign == '>' && !inclusive;
    t->high_open |= sign == '<' && !inclusive;
    if (good)
        return 0;
    return t->spec->type == QUERY_IS_TIME
               ? error_set(p->e, ERROR_INVALID,
                           "Give a date, ISO 8601, \"last week\" or \"2 days ago\".",
                           "%s: '%.80s' is not a time", t->spec->name, t->text)
               : error_set(p->e, ERROR_INVALID, "Give a number, <0.7, >=0.7 or 0.3..0.7.",
                           "%s: '%.80s' is not a number", t->spec->name, t->text);
}

/* ---- terms ---- */

static const char *on_words(enum query_on on)
{
    return on == QUERY_MEMORIES ? "memories" : on == QUERY_EVENTS ? "events" : "sessions";
}

/* A word with a colon. It is text, unless its name is near to that of a field. */
static int check_name(struct parser *p, const struct token *k)
{
    struct suggestion near = SUGGESTION_INIT(arena_strndup(p->arena, k->name, k->name_len));
    for (int i = 0; i < SPECS; i++)
        if (specs[i].on & p->on)
            suggest_consider(&near, specs[i].name);
    if (!near.name || k->name + k->name_len + 1 == k->to)
        return 0;
    AUTO_STRBUF hint = STRBUF_INIT;
    strbuf_addf(&hint, "Did you mean %s:? Put it in quotes to look for the text.", near.name);
    error_set(p->e, ERROR_INVALID, hint.buf, "there is no field '%s'", near.word);
    return fail(p, k->name, k->name + k->name_len);
}

static int check_on(struct parser *p, const struct token *k)
{
    if (k->spec->on & p->on)
        return 0;
    AUTO_STRBUF hint = STRBUF_INIT;
    for (int i = 0; i < SPECS; i++)
        if (specs[i].on & p->on)
            strbuf_addf(&hint, "%s%s", hint.len ? ", " : "The fields are ", specs[i].name);
    strbuf_addch(&hint, '.');
    error_set(p->e, ERROR_INVALID, hint.buf, "the field '%s' is of %s, not of %s", k->spec->name,
              k->spec->on & QUERY_MEMORIES ? "memories"
              : k->spec->on & QUERY_EVENTS ? "events"
                                           : "sessions",
              on_words(p->on));
    error_quote_none(p->e);
    return fail(p, k->name, k->name + k->name_len);
}

static const char *folded(struct arena *arena, const char *text)
{
    AUTO_STRBUF out = STRBUF_INIT;
    fold_text(&out, text, strlen(text));
    return arena_strndup(arena, out.buf, out.len);
}

static int take_field(struct parser *p, const struct token *k, struct query_term *t)
{
    int result = 0;
    if (check_on(p, k))
        return -1;
    t->spec = k->spec;
    t->field = k->spec->field;
    if (!*t->text)
        result = error_set(p->e, ERROR_INVALID, "", "%s: needs a value, such as %s:%s",
                           k->spec->name, k->spec->name, k->spec->value);
    else if (k->spec->type == QUERY_IS_CHOICE)
        result = read_choice(p, t);
    else if (k->spec->type != QUERY_IS_TEXT)
        result = read_range(p, t);
    return result ? fail(p, *t->text ? k->value : k->name, k->to) : 0;
}

static int take_pattern(struct parser *p, const struct token *k, struct query_term *t)
{
    size_t at;
    t->field = QUERY_REGEX;
    if (!query_pattern_make(t->text, p->arena, &t->pattern, &at, p->e))
        return 0;
    const char *bad = k->value + 1 + at;
    return fail(p, bad < k->to - 1 ? bad : k->value, k->to);
}

/* "source: the web" is text: a field needs its value right after the colon. */
static bool is_sentence(const struct token *k)
{
    const char *after = k->to;
    for (size_t space; (space = space_at(after)); after += space)
        ;
    return k->spec && k->value == k->to && *after;
}

static int take_token(struct parser *p, const struct token *typed)
{
    struct token plain = *typed;
    const struct token *k = &plain;
    if (is_sentence(typed)) {
        plain.value = plain.name;
        plain.spec = NULL;
        plain.name = NULL;
    }
    struct query_term t = {.negated = k->negated,
                           .text = value_of(k, p->arena),
                           .from = (size_t)(k->from - p->out->query),
                           .to = (size_t)(k->to - p->out->query)};
    t.folded = folded(p->arena, t.text);
    if (k->open) {
        error_set(p->e, ERROR_INVALID,
                  "Close it, or write \\\" between quotes to look for a quote itself.",
                  "the quote that begins here is not closed");
        return fail(p, k->value, k->to);
    }
    if (k->name && !k->spec && check_name(p, k))
        return -1;
    if (k->spec ? take_field(p, k, &t) : k->pattern ? take_pattern(p, k, &t) : 0)
        return -1;
    if (!*t.text) /* "" */
        return 0;
    *ARENA_ADD(p->arena, p->out->term, p->out->count, p->out->alloc) = t;
    return 0;
}

int query_parse(const char *query, enum query_on on, struct query_clock clock, struct arena *arena,
                struct query_terms *out, struct error *e)
{
    struct token k;
    *out = (struct query_terms){.query = arena_strdup(arena, query)};
    struct parser p = {arena, out, on, clock, e};
    const char *at = out->query;
    if (strlen(query) > QUERY_BYTES) {
        error_set(e, ERROR_INVALID, "", "a query has at most %d bytes", QUERY_BYTES);
        return fail(&p, out->query + QUERY_BYTES, out->query + strlen(query));
    }
    while (query_token(&at, &k))
        if (take_token(&p, &k))
            return -1;
    return 0;
}

void query_plain(const char *text, struct arena *arena, struct query_terms *out)
{
    *out = (struct query_terms){.query = arena_strdup(arena, text)};
    if (*text)
        *ARENA_ADD(arena, out->term, out->count, out->alloc) = (struct query_term){
            .text = out->query, .folded = folded(arena, text), .to = strlen(text)};
}

const struct query_term *query_term(const struct query_terms *t, enum query_field field)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->term[i].field == field && !t->term[i].negated)
            return &t->term[i];
    return NULL;
}

void query_words(const struct query_terms *t, struct strbuf *out)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->term[i].field == QUERY_TEXT && !t->term[i].negated)
            strbuf_addf(out, "%s%s", out->len ? " " : "", t->term[i].text);
}

/* ---- matching ---- */

bool term_has(const struct query_term *t, double value)
{
    return (t->low_open ? value > t->low : value >= t->low) &&
           (t->high_open ? value < t->high : value <= t->high);
}

bool term_in(const struct query_term *t, const char *name)
{
    AUTO_STRBUF out = STRBUF_INIT;
    if (!name)
        return false;
    fold_text(&out, name, strlen(name));
    return strstr(out.buf, t->folded) != NULL;
}

int query_matches_text(const struct query_terms *t, const struct query_text *text, struct error *e)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct query_term *one = &t->term[i];
        int found = !one->negated;
        if (one->field == QUERY_TEXT)
            found = strstr(text->folded, one->folded) != NULL;
        else if (one->field == QUERY_REGEX)
            found = query_pattern_matches(one->pattern, text->raw, text->len, e);
        if (found < 0 || found == one->negated)
            return found < 0 ? -1 : 0;
    }
    return 1;
}
