/*
 * Where the built-in rules find personal data in a text that is read as pii_view has it. Places are of that
 * text. Each rule looks at a bounded number of bytes from where it begins, or remembers how far it looked, so
 * that a text takes time linear in its length whatever it is.
 */
#ifndef STEMMA_PII_FIND_H
#define STEMMA_PII_FIND_H

#include "model/pii/pii.h"

struct pii_text {
    const char *s;
    size_t len;
};

/* One '@' that was looked at: the address around it, and how far back and forth it reaches. */
struct pii_address {
    size_t at;         /* SIZE_MAX: none was looked at */
    size_t start, end; /* of the address if the text began before it; end 0: it is none */
};
struct pii_mail {
    struct pii_text text;
    struct pii_address last;
    size_t run_end; /* how far the bytes of a local part reach that were looked at last */
};
void pii_mail_init(struct pii_mail *m, struct pii_text text);
/* The address whose '@' is at `at`, of which what lies before `from` is not taken. */
bool pii_mail_at(struct pii_mail *m, size_t at, size_t from, struct pii_span *out);
/* The address that begins at or before `start` (not before `from`) and reaches beyond it. */
bool pii_mail_over(struct pii_mail *m, size_t start, size_t from, struct pii_span *out);

#define PII_UUID_LEN 36
/* Does a UUID begin there, within which no digits are a number's? */
bool pii_is_uuid(struct pii_text t, size_t start);
/*
 * The telephone number, social security number or card that begins with the digits at `i`, where a group of them
 * begins, or with a sign before them that is not before `from`: the earliest, then the longest, but none that takes the
 * beginning of a card with it.
 */
bool pii_digits_at(struct pii_text t, size_t i, size_t from, struct pii_span *out);

#define PII_SECRET_MASK "[redacted]"
/* Where the name of a secret ends that stands right at `at` (< len), in any case; 0: none does. */
size_t pii_secret_word(struct pii_text t, size_t at);
/* The value of a secret, as JSON writes it: its key begins with the quote. */
bool pii_secret_at(struct pii_text t, size_t quote, struct pii_span *out);

/* The digits of a group that a card's number has at most; longer ones are none. */
#define PII_CARD_DIGITS 19

static inline bool pii_is_digit(struct pii_text t, size_t i)
{
    return i < t.len && t.s[i] >= '0' && t.s[i] <= '9';
}
static inline bool pii_is_letter(struct pii_text t, size_t i)
{
    return i < t.len && ((t.s[i] | 0x20) >= 'a' && (t.s[i] | 0x20) <= 'z');
}
static inline bool pii_is(struct pii_text t, size_t i, char c)
{
    return i < t.len && t.s[i] == c;
}

#endif
