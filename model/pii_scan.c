#include "pii_scan.h"

static const struct pii_span nowhere = {SIZE_MAX, SIZE_MAX, 0};

void pii_scan_open(struct pii_scan *s, const struct pii *p, const struct pii_view *v, size_t from)
{
    s->p = p;
    s->text = (struct pii_text){v->text, v->len};
    pii_mail_init(&s->mail, s->text);
    s->from = from;
    s->fresh = true;
    s->match = p->count > 0 ? pcre2_match_data_create(1, NULL) : NULL;
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

/* Where the pattern takes more than its bound, or no memory is left for it, the rest of the text is found. */
static struct pii_span next_of_rule(const struct pii_scan *s, size_t rule)
{
    struct pii_span rest = {s->from, s->text.len, PII_CUSTOM + (int)rule};
    if (s->from == s->text.len)
        return nowhere;
    if (!s->match)
        return rest;
    int n = pcre2_match(s->p->rules[rule].code, (PCRE2_SPTR)s->text.s, s->text.len, s->from,
                        PCRE2_NOTEMPTY | PCRE2_NO_UTF_CHECK, s->match, s->p->bound);
    if (n == PCRE2_ERROR_NOMATCH)
        return nowhere;
    const size_t *place = pcre2_get_ovector_pointer(s->match);
    if (n < 0 || place[0] < s->from || place[1] <= place[0])
        return rest;
    return (struct pii_span){place[0], place[1], PII_CUSTOM + (int)rule};
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
