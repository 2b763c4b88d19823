#include "model/pii/pii_scan.h"

static const struct pii_span nowhere = {SIZE_MAX, SIZE_MAX, 0};

void pii_scan_open(struct pii_scan *s, const struct pii *p, const struct pii_view *v, size_t from)
{
    s->p = p;
    s->text = (struct pii_text){v->text, v->len};
    pii_mail_init(&s->mail, s->text);
    s->from = from;
    s->fresh = true;
    s->match = p->count > 0 ? pcre2_match_data_create(1, p->memory) : NULL;
}

void pii_scan_close(struct pii_scan *s)
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

/* Where the pattern takes more than its bound, or no memory is left for it, the rest of the text is found. */
static struct pii_span next_of_rule(const struct pii_scan *s, size_t rule)
{
    struct pii_span rest = {s->from, s->text.len, PII_CUSTOM + (int)rule};
    const size_t *place = s->match ? pcre2_get_ovector_pointer(s->match) : NULL;
    for (size_t from = s->from; from < s->text.len;) {
        int n = s->match ? match_in_window(s, rule, from) : PCRE2_ERROR_NOMEMORY;
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

bool pii_scan_next(struct pii_scan *s, struct pii_span *out)
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
