/* E-mail addresses. */
#include "model/pii/pii_find.h"

#include "model/base/fold.h"
#include "model/base/utf8.h"

#define QUOTED_MAX 64 /* bytes of a quoted local part: "jane doe"@example.com */

/* What a code point is to an address. */
enum letter {
    NO_LETTER = 0,
    SPACED,  /* a letter or digit of a script that sets words apart */
    UNSPACED /* of one that does not, so that only the '@' tells where an address begins and ends */
};

static enum letter letter_of(uint32_t c)
{
    if (c < 0x80)
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ? SPACED : 0;
    enum fold_class class = fold_class(c);
    if (class != FOLD_WORD && class != FOLD_EXTENDS)
        return NO_LETTER;
    return c >= 0xe00 ? UNSPACED : SPACED;
}

static size_t read_at(struct pii_text t, size_t i, uint32_t *c)
{
    int n = utf8_decode(t.s + i, t.len - i, c);
    if (n == 0)
        *c = 0xfffd;
    return n ? (size_t)n : 1;
}

/* The code point that ends right before `i` (i > 0), and how many bytes it takes. */
static size_t read_before(struct pii_text t, size_t i, uint32_t *c)
{
    size_t n = 1;
    while (n < 4 && n < i && ((unsigned char)t.s[i - n] & 0xc0) == 0x80)
        n++;
    return utf8_decode(t.s + i - n, n, c) == (int)n ? n : read_at(t, i - 1, c);
}

static bool is_local(uint32_t c, bool unspaced)
{
    if (c < 0x80 && c != 0 && strchr("._%+-'&~", (int)c))
        return true;
    enum letter letter = letter_of(c);
    return letter == SPACED || (letter == UNSPACED && unspaced);
}

static size_t local_start(struct pii_text t, size_t at)
{
    uint32_t c = 0;
    size_t i = at;
    size_t n = i > 0 ? read_before(t, i, &c) : 0;
    bool unspaced = letter_of(c) == UNSPACED;
    while (n > 0 && is_local(c, unspaced)) {
        i -= n;
        n = i > 0 ? read_before(t, i, &c) : 0;
    }
    return i;
}

/* From the letter or digit or `_` that the local part begins with; `at` where there is none. */
static size_t trim(struct pii_text t, size_t start, size_t at)
{
    uint32_t c;
    for (size_t n; start < at; start += n) {
        n = read_at(t, start, &c);
        if (c == '_' || letter_of(c))
            break;
    }
    return start;
}

static size_t quoted_start(struct pii_text t, size_t at)
{
    for (size_t i = at - 1; i > 0 && at - i < QUOTED_MAX && t.s[i - 1] != '@'; i--)
        if (t.s[i - 1] == '"')
            return i - 1;
    return at;
}

static size_t label_end(struct pii_text t, size_t i, bool unspaced)
{
    uint32_t c;
    for (size_t n; i < t.len; i += n) {
        n = read_at(t, i, &c);
        enum letter letter = letter_of(c);
        if (c != '-' && letter != SPACED && !(letter == UNSPACED && unspaced))
            break;
    }
    return i;
}

/* Where the top-level domain that the label begins with ends: two letters, and letters and digits; 0: none. */
static size_t top_level_end(struct pii_text t, size_t start, size_t end)
{
    uint32_t c;
    size_t letters = 0, i = start;
    if (end - start > 4 && (t.s[start] | 0x20) == 'x' && (t.s[start + 1] | 0x20) == 'n' &&
        t.s[start + 2] == '-' && t.s[start + 3] == '-') {
        while (t.s[end - 1] == '-')
            end--;
        return end;
    }
    for (size_t n; i < end; i += n) {
        n = read_at(t, i, &c);
        if (c == '-')
            break;
        letters += letters < 2 && !(c >= '0' && c <= '9');
        if (letters < 2 && c >= '0' && c <= '9')
            return 0;
    }
    return letters >= 2 ? i : 0;
}

/* Where the domain at `start` ends, with one point at least and the last of its parts that can be the last; 0: none. */
static size_t domain_end(struct pii_text t, size_t start)
{
    uint32_t c = 0;
    size_t end = 0, label = start;
    if (start < t.len)
        read_at(t, start, &c);
    bool unspaced = letter_of(c) == UNSPACED;
    for (;;) {
        size_t stop = label_end(t, label, unspaced);
        if (stop == label)
            return end;
        size_t top = label > start ? top_level_end(t, label, stop) : 0;
        if (top)
            end = top;
        if (!pii_is(t, stop, '.'))
            return end;
        label = stop + 1;
    }
}

void pii_mail_init(struct pii_mail *m, struct pii_text text)
{
    *m = (struct pii_mail){.text = text, .last.at = SIZE_MAX};
}

static void look_at(struct pii_mail *m, size_t at)
{
    struct pii_text t = m->text;
    m->last = (struct pii_address){at, at, 0};
    if (at == 0)
        return;
    bool quoted = t.s[at - 1] == '"';
    m->last.start = quoted ? quoted_start(t, at) : trim(t, local_start(t, at), at);
    if (m->last.start < at)
        m->last.end = domain_end(t, at + 1);
}

bool pii_mail_at(struct pii_mail *m, size_t at, size_t from, struct pii_span *out)
{
    if (m->last.at != at)
        look_at(m, at);
    size_t start = m->last.start;
    if (start < from)
        start = trim(m->text, from, at);
    if (m->last.end == 0 || start >= at)
        return false;
    *out = (struct pii_span){start, m->last.end, PII_EMAIL};
    return true;
}

bool pii_mail_over(struct pii_mail *m, size_t start, size_t from, struct pii_span *out)
{
    struct pii_text t = m->text;
    if (start >= m->run_end) {
        uint32_t c;
        size_t i = start;
        for (size_t n; i < t.len; i += n) {
            n = read_at(t, i, &c);
            if (!is_local(c, true))
                break;
        }
        m->run_end = i;
    }
    return pii_is(t, m->run_end, '@') && pii_mail_at(m, m->run_end, from, out) &&
           out->start <= start;
}
