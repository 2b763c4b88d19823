/* What the files of this room share. */
#ifndef STEMMA_PII_INTERNAL_H
#define STEMMA_PII_INTERNAL_H

#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/pii/pii.h"

/*
 * Where the built-in rules find personal data in a text that is read as pii_view has it. Places are of that
 * text. Each rule looks at a bounded number of bytes from where it begins, or remembers how far it looked, so
 * that a text takes time linear in its length whatever it is.
 */

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

/*
 * A text as it is matched: full-width forms as ASCII, digits of other scripts as 0-9, dashes and spaces of
 * any kind as `-` and ` `, what a URI encodes of ASCII (%40) as what it means, without what has no width, and with each
 * place's own in the text as it stands.
 */

struct pii_view {
    const char *text; /* what is matched: valid UTF-8, broken bytes as U+FFFD; may hold NULs */
    size_t len;
    const char *raw; /* as it stands */
    size_t raw_len;
    bool escaped; /* `raw` is what stands between the quotes of a JSON string */
    size_t *at;   /* where in `raw` each byte of `text` comes from; NULL: `text` is `raw` */
    char *own;    /* `text`, where it is not `raw` */
};

/* What a code point is read as; PII_NOTHING: it is gone past. */
#define PII_NOTHING UINT32_MAX
uint32_t pii_view_reads(uint32_t code_point);

/* Is the percent sign at `s` (len > 0) the first of three that stand for a printable ASCII character? */
bool pii_view_percent(const char *s, size_t len);

/* Borrows `raw`. O(len). */
void pii_view_open(struct pii_view *v, const char *raw, size_t len, bool escaped);
void pii_view_close(struct pii_view *v);
/* Bytes of `raw`: where the unit at text[i] begins (`len`: the end), and where the one before text[i] ends (i > 0). */
size_t pii_view_start(const struct pii_view *v, size_t i);
size_t pii_view_end(const struct pii_view *v, size_t i);
/* The first place of `text` that comes from raw[from] or later. */
size_t pii_view_place(const struct pii_view *v, size_t from);

/* All finds of a text in their order: the built-in rules and a configuration's patterns. */

struct pii_rule {
    char *name;
    pcre2_code *code;
};
struct pii {
    struct pii_rule *rules;
    size_t count;
    pcre2_general_context *memory; /* PCRE2's is ours */
    pcre2_match_context *bound;
    const struct key_index *spared; /* pii_spare_keys; NULL: none */
};
/* Is the key one of those? */
bool pii_spares_key(const struct pii *p, const char *key, size_t len);

void pii_note(struct pii_seen *seen, int kind); /* NULL is allowed */
void pii_note_all(struct pii_seen *seen, const struct pii_seen *more);
/* Appends the text of a view masked; `out` NULL only looks. Is there anything? */
bool pii_mask_view(const struct pii *p, const struct pii_view *v, struct strbuf *out,
                   struct pii_seen *seen);

#endif
