#include "model/pii/pii.h"

#include <strings.h>
#include "model/base/alloc.h"
#include "model/pii/pii_scan.h"

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

static int fail_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "not enough memory for the patterns of personal data");
}

static int fail_pattern(const struct pii_pattern *pattern, int code, size_t place, struct error *e)
{
    char why[128] = "";
    if (code == PCRE2_ERROR_HEAP_FAILED)
        return fail_memory(e);
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
    if (!context)
        return fail_memory(e);
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
    p->bound = p->memory ? pcre2_match_context_create(p->memory) : NULL;
    if (!p->bound) {
        fail_memory(e);
        pii_free(p);
        return NULL;
    }
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

void pii_spare_keys(struct pii *p, const char *const *names, size_t count)
{
    p->spared = names;
    p->spared_count = count;
}

bool pii_spares_key(const struct pii *p, const char *key, size_t len)
{
    size_t low = 0, high = p->spared_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(p->spared[middle], key, len);
        order = order == 0 && p->spared[middle][len] ? 1 : order;
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
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
    if (pii_view_open(&v, text, len, false)) {
        *out = (struct pii_span){from, len, PII_SECRET};
        return true;
    }
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
    if (pii_view_open(&v, text, len, false)) {
        out->failed = true;
        return true;
    }
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
