#include "model/pii/pii_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "model/base/alloc.h"

static const struct pii_span nowhere = {SIZE_MAX, SIZE_MAX, 0};

/* A scan for all finds of a view, with offsets of the view. `found` has the next find of each
 * rule; one that begins before `from` is stale. */
struct pii_scan {
    const struct pii *p;
    struct pii_text text;
    size_t digits; /* in all of `text` */
    size_t from;
    bool fresh; /* nothing was searched yet */
    pcre2_match_data *match;
    struct pii_span found[PII_KINDS_MAX];
};

static size_t count_digits(struct pii_text t)
{
    size_t digits = 0;
    for (size_t i = 0; i < t.len; i++)
        digits += pii_is_digit(t, i);
    return digits;
}

static void pii_scan_open(struct pii_scan *s, const struct pii *p, const struct pii_view *v,
                          size_t from)
{
    s->p = p;
    s->text = (struct pii_text){v->text, v->len};
    s->digits = count_digits(s->text);
    s->from = from;
    s->fresh = true;
    s->match = NULL;
}

static void pii_scan_close(struct pii_scan *s)
{
    pcre2_match_data_free(s->match);
}

/*
 * A pattern is tried on windows of this size. With the bound on its steps this makes the time
 * linear. A pattern that would read on at the end of a window is tried again from that place with a
 * longer window. One that would read on after LONGEST bytes has the rest of the text as its find.
 */
#define WINDOW  2048
#define LONGEST 65536

/* The end of `len` bytes from `from`, moved back to a code point. */
static size_t cut_at(struct pii_text t, size_t from, size_t len)
{
    if (t.len - from <= len)
        return t.len;
    for (from += len; ((unsigned char)t.s[from] & 0xc0) == 0x80;)
        from--;
    return from;
}

/* Matches from `from` to `end` and returns PCRE2's answer, "partial" if the pattern would read
 * on at `end`. */
static int match_until(struct pii_scan *s, const struct pii_rule *rule, size_t from, size_t end)
{
    uint32_t options = PCRE2_NOTEMPTY | PCRE2_NO_UTF_CHECK;
    if (!s->match && !(s->match = pcre2_match_data_create(1, NULL)))
        alloc_fail();
    if (end < s->text.len)
        options |= PCRE2_PARTIAL_HARD;
    return pcre2_match(rule->code, (PCRE2_SPTR)s->text.s, end, from, options, s->match,
                       pii_built_in_rules()->bound);
}

static const struct pii_rule *rule_of(const struct pii *p, int kind)
{
    return kind < PII_CUSTOM ? &pii_built_in_rules()->rule[kind] : &p->rules[kind - PII_CUSTOM];
}

/* Finds the next match of a rule. If the pattern exceeds its bound, the rest of the text is the
 * find. */
static struct pii_span next_of_rule(struct pii_scan *s, int kind)
{
    const struct pii_rule *rule = rule_of(s->p, kind);
    bool may = s->digits >= rule->digits && s->from < s->text.len &&
               (!rule->sign || memchr(s->text.s + s->from, rule->sign, s->text.len - s->from));
    for (size_t from = s->from, len = WINDOW; may && from < s->text.len;) {
        size_t end = cut_at(s->text, from, len);
        int n = match_until(s, rule, from, end);
        const size_t *place = pcre2_get_ovector_pointer(s->match);
        if (n == PCRE2_ERROR_PARTIAL && place[0] <= from && len < LONGEST) {
            len *= 2;
            continue;
        }
        len = WINDOW;
        if (n == PCRE2_ERROR_NOMATCH || (n == PCRE2_ERROR_PARTIAL && place[0] > from)) {
            from = n == PCRE2_ERROR_NOMATCH ? end : place[0];
            continue;
        }
        if (n < 0 || place[0] < from || place[1] <= place[0])
            return (struct pii_span){from, s->text.len, kind};
        struct pii_span found = {place[0], place[1], kind};
        if (!rule->check || rule->check(s->text, &found))
            return found;
        from =
            place[0] > from ? place[0] : from + 1; /* a lookbehind may have read more before it */
    }
    return nowhere;
}

/* The earliest find wins, then the longest, then a secret. */
static bool is_better(const struct pii_span *a, const struct pii_span *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    return a->end > b->end || (a->end == b->end && a->kind == PII_SECRET);
}

#define CARD_LONGEST 80 /* bytes: 19 digits, three signs between each */

/* The longest find of a built-in rule that begins at `at`. Its end is 0 if there is none. */
static struct pii_span longest_at(struct pii_scan near, size_t at)
{
    struct pii_span best = {at, 0, 0};
    near.from = at;
    for (int kind = PII_EMAIL; kind <= PII_CARD; kind++) {
        struct pii_span found = next_of_rule(&near, kind);
        if (found.start == at && found.end > best.end)
            best = found;
    }
    return best;
}

/*
 * In "555-123-4567 4111 1111 1111 1111" a find may include the beginning of a card, so that the
 * rest of the card is no find any more. Then the find is shortened to end before the card, or both
 * are one find if nothing remains.
 */
static void keep_card_whole(struct pii_scan *s, struct pii_span *best)
{
    struct pii_scan near = *s;
    struct pii_span card, over = {0, best->end, PII_CARD};
    size_t next;
    near.text.len = cut_at(s->text, best->end, CARD_LONGEST);
    if (!pii_card_continues(near.text, best->end, &next) || longest_at(near, next).end)
        return;
    for (near.from = best->start + 1; near.from < best->end; near.from = card.start + 1) {
        card = next_of_rule(&near, PII_CARD);
        if (card.start >= best->end)
            break;
        if (card.end > over.end)
            over = card;
    }
    if (over.start == 0)
        return;
    near.text.len = over.start;
    *best = longest_at(near, best->start);
    if (!best->end)
        *best = (struct pii_span){best->start, over.end, PII_CARD};
}

static bool pii_scan_next(struct pii_scan *s, struct pii_span *out)
{
    const struct pii_span *secret = &s->found[PII_SECRET];
    int count = PII_CUSTOM + (int)s->p->count;
    *out = nowhere;
    for (int kind = 0; kind < count; kind++) {
        if (s->fresh || s->found[kind].start < s->from)
            s->found[kind] = next_of_rule(s, kind);
        if (is_better(&s->found[kind], out))
            *out = s->found[kind];
    }
    s->fresh = false;
    if (out->start == SIZE_MAX)
        return false;
    if (s->digits >= 13)
        keep_card_whole(s, out);
    if (secret->start < out->end && secret->end > out->end)
        out->end = secret->end;
    s->from = out->end;
    return true;
}

#define NAME_MAX_LEN 40
#define PATTERN_MAX  4096

/* Whether the configuration may give this name to a pattern of its own. */
static bool is_free_name(const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < PII_CUSTOM; i++)
        if (strcmp(name, pii_built_in_rules()->rule[i].name) == 0)
            return false;
    return len > 0 && len <= NAME_MAX_LEN &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

static int check_names(const struct pii_pattern *patterns, size_t count, struct error *e)
{
    if (count > PII_KINDS_MAX - PII_CUSTOM)
        return error_set(e, ERROR_INVALID, "Join some patterns with |.",
                         "there are %zu patterns of personal data; the limit is %d", count,
                         PII_KINDS_MAX - PII_CUSTOM);
    for (size_t i = 0; i < count; i++) {
        if (!is_free_name(patterns[i].name))
            return error_set(e, ERROR_INVALID,
                             "A name is 1 to 40 letters, digits, _ and -, and not that of a "
                             "built-in rule.",
                             "'%s' cannot name a pattern of personal data", patterns[i].name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(patterns[i].name, patterns[k].name) == 0)
                return error_set(e, ERROR_INVALID, "Give each a name of its own.",
                                 "two patterns of personal data are called '%s'", patterns[i].name);
    }
    return 0;
}

static int fail_pattern(const struct pii_pattern *pattern, int code, size_t place, struct error *e)
{
    char why[128] = "";
    pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof(why));
    return error_set(e, ERROR_INVALID, "Patterns are regular expressions of PCRE2.",
                     "the pattern '%s' of personal data is wrong at byte %zu: %s", pattern->name,
                     place + 1, why);
}

static int compile(struct pii_rule *rule, const struct pii_pattern *pattern, struct error *e)
{
    int code;
    size_t place;
    size_t len = strlen(pattern->pattern);
    if (len > PATTERN_MAX)
        return error_set(e, ERROR_INVALID, "Split it into several patterns.",
                         "the pattern '%s' of personal data has %zu bytes; the limit is %d",
                         pattern->name, len, PATTERN_MAX);
    rule->code =
        pii_compile(pattern->pattern, len, PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &place);
    if (!rule->code)
        return fail_pattern(pattern, code, place, e);
    rule->name = xstrdup(pattern->name);
    return 0;
}

struct pii *pii_new(const struct pii_pattern *patterns, size_t count, struct error *e)
{
    if (check_names(patterns, count, e))
        return NULL;
    struct pii *p = xcalloc(1, sizeof(*p));
    p->rules = xcalloc(count + 1, sizeof(*p->rules));
    for (; p->count < count; p->count++)
        if (compile(&p->rules[p->count], &patterns[p->count], e)) {
            pii_free(p);
            return NULL;
        }
    return p;
}

const struct pii *pii_built_in(void)
{
    static const struct pii none = {.count = 0};
    return &none;
}

void pii_free(struct pii *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->count; i++) {
        free(p->rules[i].name);
        pcre2_code_free(p->rules[i].code);
    }
    free(p->rules);
    free(p);
}

bool pii_has_patterns(const struct pii *p)
{
    return p->count > 0;
}

void pii_exempt_keys(struct pii *p, bool (*is_own)(const char *key, size_t len))
{
    p->is_own = is_own;
}

bool pii_is_exempt_key(const struct pii *p, const char *key, size_t len)
{
    return p->is_own && p->is_own(key, len);
}

const char *pii_kind_name(const struct pii *p, int kind)
{
    bool known = kind >= 0 && kind < PII_CUSTOM + (int)p->count;
    return known ? rule_of(p, kind)->name : "unknown";
}

void pii_note(struct pii_seen *seen, int kind)
{
    if (!seen)
        return;
    seen->kinds |= UINT64_C(1) << kind;
    seen->count++;
}

/* A text can be skipped only without patterns of a configuration, which may find anything. */
bool pii_needs_scan(const struct pii *p, const char *raw, size_t len, bool escaped)
{
    return p->count > 0 || pii_may_find(raw, len, escaped);
}

bool pii_find(const struct pii *p, const char *text, size_t len, size_t from, struct pii_span *out)
{
    struct pii_view v;
    struct pii_scan s;
    if (from >= len || !pii_needs_scan(p, text, len, false))
        return false;
    pii_view_open(&v, text, len, false);
    pii_scan_open(&s, p, &v, pii_view_place(&v, from));
    bool found = pii_scan_next(&s, out);
    pii_scan_close(&s);
    if (found) {
        out->start = pii_view_start(&v, out->start);
        out->end = pii_view_end(&v, out->end);
    }
    pii_view_close(&v);
    return found;
}

/* A star for each digit except the last four. */
static void mask_card(struct strbuf *out, struct pii_text t, const struct pii_span *found)
{
    char last[4];
    size_t count = 0;
    for (size_t i = found->end; i > found->start; i--) {
        if (pii_is_digit(t, i - 1) && count < sizeof(last))
            last[sizeof(last) - 1 - count] = t.s[i - 1];
        count += pii_is_digit(t, i - 1);
    }
    strbuf_addchars(out, '*', count - sizeof(last));
    strbuf_add(out, last, sizeof(last));
}

static void mask(struct strbuf *out, const struct pii *p, struct pii_text t,
                 const struct pii_span *found)
{
    if (found->kind == PII_CARD) {
        mask_card(out, t, found);
        return;
    }
    if (found->kind == PII_SECRET) {
        strbuf_addstr(out, PII_SECRET_MASK);
        return;
    }
    strbuf_addstr(out, "[redacted-");
    strbuf_addstr(out, pii_kind_name(p, found->kind));
    strbuf_addch(out, ']');
}

bool pii_mask_view(const struct pii *p, const struct pii_view *v, struct strbuf *out,
                   struct pii_seen *seen)
{
    struct pii_scan s;
    struct pii_span found;
    size_t copied = 0;
    bool any = false;
    pii_scan_open(&s, p, v, 0);
    while (pii_scan_next(&s, &found)) {
        any = true;
        pii_note(seen, found.kind);
        if (!out)
            continue;
        strbuf_add(out, v->raw + copied, pii_view_start(v, found.start) - copied);
        mask(out, p, s.text, &found);
        copied = pii_view_end(v, found.end);
    }
    pii_scan_close(&s);
    if (out)
        strbuf_add(out, v->raw + copied, v->raw_len - copied);
    return any;
}

bool pii_mask_text(const struct pii *p, const char *text, size_t len, struct strbuf *out,
                   struct pii_seen *seen)
{
    struct pii_view v;
    if (!pii_needs_scan(p, text, len, false)) {
        strbuf_add(out, text, len);
        return false;
    }
    pii_view_open(&v, text, len, false);
    bool any = pii_mask_view(p, &v, out, seen);
    pii_view_close(&v);
    return any;
}

/* The kind of personal data that this part of a key names, in any case; -1 if none. */
static int kind_of_word(const char *part, size_t len)
{
    static const struct {
        const char *word;
        int kind;
    } words[] = {{"email", PII_EMAIL},     {"phone", PII_PHONE},   {"ssn", PII_SSN},
                 {"password", PII_SECRET}, {"secret", PII_SECRET}, {"token", PII_SECRET}};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strlen(words[i].word) == len && strncasecmp(words[i].word, part, len) == 0)
            return words[i].kind;
    return -1;
}

/* The first of these parts from `start` on; `len` if there is none. */
static size_t next_sensitive_part(const char *key, size_t len, size_t start, int *kind)
{
    while (start <= len) {
        size_t end = start;
        while (end < len && !strchr("_-./:", key[end]))
            end++;
        *kind = kind_of_word(key + start, end - start);
        if (*kind >= 0)
            return start;
        start = end + 1;
    }
    return len;
}

uint64_t pii_key_kinds(const struct pii *p, const char *key, size_t len)
{
    uint64_t kinds = 0;
    struct pii_span found;
    int kind;
    for (size_t at = 0; (at = next_sensitive_part(key, len, at, &kind)) < len; at++)
        kinds |= UINT64_C(1) << kind;
    for (size_t from = 0; pii_find(p, key, len, from, &found); from = found.end)
        kinds |= UINT64_C(1) << found.kind;
    return kinds;
}

size_t pii_key_visible(const struct pii *p, const char *key, size_t len)
{
    struct pii_span found;
    int kind;
    size_t open = next_sensitive_part(key, len, 0, &kind);
    if (pii_find(p, key, len, 0, &found) && found.start < open)
        return found.start;
    return open;
}
