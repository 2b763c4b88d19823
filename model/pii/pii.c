#include "model/pii/pii_internal.h"

#include <strings.h>
#include "model/base/alloc.h"
#include "model/base/map.h"

static const struct pii_span nowhere = {SIZE_MAX, SIZE_MAX, 0};

/* The finds of a view, whose places they have. `found` is each rule's next; one that lies before `from` is stale. */
struct pii_scan {
    const struct pii *p;
    struct pii_text text;
    struct pii_mail mail;
    size_t from;
    bool fresh; /* nothing was looked for yet */
    struct pii_span built_in;
    pcre2_match_data *match;
    struct pii_span found[PII_KINDS_MAX];
};

static void pii_scan_open(struct pii_scan *s, const struct pii *p, const struct pii_view *v,
                          size_t from)
{
    s->p = p;
    s->text = (struct pii_text){v->text, v->len};
    pii_mail_init(&s->mail, s->text);
    s->from = from;
    s->fresh = true;
    s->match = p->count > 0 ? pcre2_match_data_create(1, p->memory) : NULL;
}

static void pii_scan_close(struct pii_scan *s)
{
    pcre2_match_data_free(s->match);
}

/* A find of digits, unless it lies in an address that begins before it or with it. */
static struct pii_span address_or(struct pii_scan *s, struct pii_span digits)
{
    struct pii_span address;
    if (!pii_mail_over(&s->mail, digits.start, s->from, &address))
        return digits;
    bool first = address.start < digits.start || address.end > digits.end;
    return first ? address : digits;
}

static struct pii_span next_built_in(struct pii_scan *s)
{
    struct pii_text t = s->text;
    struct pii_span found;
    size_t i = s->from;
    while (i < t.len) {
        if (t.s[i] == '@' && pii_mail_at(&s->mail, i, s->from, &found))
            return found;
        if (t.s[i] == '"' && pii_secret_at(t, i, &found))
            return found;
        if (!pii_is_digit(t, i)) {
            i++;
            continue;
        }
        bool begins = i == 0 || !pii_is_digit(t, i - 1);
        if (begins && pii_digits_at(t, i, s->from, &found))
            return address_or(s, found);
        while (pii_is_digit(t, i))
            i++;
    }
    return nowhere;
}

/*
 * Places of a text that a pattern is tried at together, and how far beyond them it reads: with the bound on its steps
 * this makes a text's time linear. What is found has WINDOW bytes at most.
 */
#define WINDOW 1024

/* Tries the places from `from` to the end of their window: PCRE2's answer. */
static int match_in_window(const struct pii_scan *s, size_t rule, size_t from)
{
    size_t left = s->text.len - from;
    size_t len = left > 2 * WINDOW ? from + 2 * WINDOW : s->text.len;
    while (len < s->text.len && ((unsigned char)s->text.s[len] & 0xc0) == 0x80)
        len--;
    return pcre2_match(s->p->rules[rule].code, (PCRE2_SPTR)s->text.s, len, from,
                       PCRE2_NOTEMPTY | PCRE2_NO_UTF_CHECK, s->match, s->p->bound);
}

static size_t next_window(struct pii_text t, size_t from)
{
    size_t left = t.len - from, next = from + WINDOW;
    if (left <= 2 * WINDOW)
        return t.len;
    while (((unsigned char)t.s[next] & 0xc0) == 0x80)
        next--;
    return next;
}

/* Where the pattern takes more than its bound, the rest of the text is found. */
static struct pii_span next_of_rule(const struct pii_scan *s, size_t rule)
{
    struct pii_span rest = {s->from, s->text.len, PII_CUSTOM + (int)rule};
    const size_t *place = pcre2_get_ovector_pointer(s->match);
    for (size_t from = s->from; from < s->text.len;) {
        int n = match_in_window(s, rule, from);
        size_t next = next_window(s->text, from);
        if (n == PCRE2_ERROR_NOMATCH || (n >= 0 && place[0] >= next)) {
            from = next;
            continue;
        }
        if (n < 0 || place[0] < from || place[1] <= place[0])
            return rest;
        return (struct pii_span){place[0], place[1], rest.kind};
    }
    return nowhere;
}

static bool is_better(const struct pii_span *a, const struct pii_span *b)
{
    return a->start < b->start || (a->start == b->start && a->end > b->end);
}

static bool pii_scan_next(struct pii_scan *s, struct pii_span *out)
{
    if (s->fresh || s->built_in.start < s->from)
        s->built_in = next_built_in(s);
    *out = s->built_in;
    for (size_t i = 0; i < s->p->count; i++) {
        if (s->fresh || s->found[i].start < s->from)
            s->found[i] = next_of_rule(s, i);
        if (is_better(&s->found[i], out))
            *out = s->found[i];
    }
    s->fresh = false;
    s->from = out->end;
    return out->start != SIZE_MAX;
}

#define NAME_MAX_LEN 40

/*
 * How far a pattern may go: steps from one place of a text, bytes of it, and the room that it takes meanwhile.
 */
#define MATCH_STEPS 10000
#define PATTERN_MAX 4096
#define MATCH_DEPTH 500
#define MATCH_KB    1024

static const char *const built_in[] = {"email", "phone", "ssn", "card", "secret"};

static bool is_name(const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < PII_CUSTOM; i++)
        if (strcmp(name, built_in[i]) == 0)
            return false;
    return len > 0 && len <= NAME_MAX_LEN &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

static int check_names(const struct pii_pattern *patterns, size_t count, struct error *e)
{
    if (count > PII_KINDS_MAX - PII_CUSTOM)
        return error_set(e, ERROR_INVALID, "Join some of them with |.",
                         "%zu patterns of personal data are more than the %d there may be", count,
                         PII_KINDS_MAX - PII_CUSTOM);
    for (size_t i = 0; i < count; i++) {
        if (!is_name(patterns[i].name))
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

static void *take_memory(size_t size, void *unused)
{
    (void)unused;
    return xmalloc(size);
}

static void give_memory(void *memory, void *unused)
{
    (void)unused;
    free(memory);
}

static int fail_pattern(const struct pii_pattern *pattern, int code, size_t place, struct error *e)
{
    char why[128] = "";
    pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof(why));
    return error_set(e, ERROR_INVALID, "Patterns are regular expressions of PCRE2.",
                     "the pattern '%s' of personal data is wrong at byte %zu: %s", pattern->name,
                     place + 1, why);
}

static int compile(const struct pii *p, struct pii_rule *rule, const struct pii_pattern *pattern,
                   struct error *e)
{
    int code;
    size_t place;
    size_t len = strlen(pattern->pattern);
    if (len > PATTERN_MAX)
        return error_set(e, ERROR_INVALID, "Make several of it.",
                         "the pattern '%s' of personal data has %zu bytes, which may be %d",
                         pattern->name, len, PATTERN_MAX);
    pcre2_compile_context *context = pcre2_compile_context_create(p->memory);
    rule->code = pcre2_compile((PCRE2_SPTR)pattern->pattern, len,
                               PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &place, context);
    pcre2_compile_context_free(context);
    if (!rule->code)
        return fail_pattern(pattern, code, place, e);
    pcre2_jit_compile(rule->code, PCRE2_JIT_COMPLETE); /* where there is none it is interpreted */
    rule->name = xstrdup(pattern->name);
    return 0;
}

struct pii *pii_new(const struct pii_pattern *patterns, size_t count, struct error *e)
{
    if (check_names(patterns, count, e))
        return NULL;
    struct pii *p = xcalloc(1, sizeof(*p));
    p->rules = xcalloc(count + 1, sizeof(*p->rules));
    p->memory = pcre2_general_context_create(take_memory, give_memory, NULL);
    p->bound = pcre2_match_context_create(p->memory);
    pcre2_set_match_limit(p->bound, MATCH_STEPS);
    pcre2_set_depth_limit(p->bound, MATCH_DEPTH);
    pcre2_set_heap_limit(p->bound, MATCH_KB);
    for (; p->count < count; p->count++)
        if (compile(p, &p->rules[p->count], &patterns[p->count], e)) {
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
    pcre2_match_context_free(p->bound);
    pcre2_general_context_free(p->memory);
    free(p->rules);
    free(p);
}

bool pii_has_patterns(const struct pii *p)
{
    return p->count > 0;
}

void pii_spare_keys(struct pii *p, const struct key_index *names)
{
    p->spared = names;
}

bool pii_spares_key(const struct pii *p, const char *key, size_t len)
{
    return p->spared && key_index_find(p->spared, key, len) != ROW_NONE;
}

const char *pii_kind_name(const struct pii *p, int kind)
{
    if (kind >= 0 && kind < PII_CUSTOM)
        return built_in[kind];
    size_t rule = (size_t)(kind - PII_CUSTOM);
    return kind >= 0 && rule < p->count ? p->rules[rule].name : "unknown";
}

void pii_note(struct pii_seen *seen, int kind)
{
    if (!seen)
        return;
    seen->kinds |= UINT64_C(1) << kind;
    seen->count++;
}

void pii_note_all(struct pii_seen *seen, const struct pii_seen *more)
{
    if (!seen)
        return;
    seen->kinds |= more->kinds;
    seen->count += more->count;
}

bool pii_find(const struct pii *p, const char *text, size_t len, size_t from, struct pii_span *out)
{
    struct pii_view v;
    struct pii_scan s;
    if (from >= len)
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

/* A star for each digit but the last four. */
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
    pii_view_open(&v, text, len, false);
    bool any = pii_mask_view(p, &v, out, seen);
    pii_view_close(&v);
    return any;
}

/* The word of personal data that a part of a key is, whatever its case? */
static bool is_telling(const char *part, size_t len)
{
    static const char *const words[] = {"email", "phone", "ssn", "password", "secret", "token"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strlen(words[i]) == len && strncasecmp(words[i], part, len) == 0)
            return true;
    return false;
}

static size_t before_telling_part(const char *key, size_t len)
{
    for (size_t start = 0; start <= len;) {
        size_t end = start;
        while (end < len && !strchr("_-./:", key[end]))
            end++;
        if (is_telling(key + start, end - start))
            return start;
        start = end + 1;
    }
    return len;
}

size_t pii_key_open(const struct pii *p, const char *key, size_t len)
{
    struct pii_span found;
    size_t open = before_telling_part(key, len);
    if (pii_find(p, key, len, 0, &found) && found.start < open)
        return found.start;
    return open;
}
