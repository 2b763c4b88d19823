/* Shared within this room: the view of a text, and the rules. */
#ifndef STEMMA_PII_INTERNAL_H
#define STEMMA_PII_INTERNAL_H

#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/pii/pii.h"

/* ---- the view of a text that patterns match ---- */

/*
 * The normalized text that patterns match: full-width forms as ASCII, digits of other scripts as
 * 0-9, dashes and spaces of any kind as `-` and ` `, %40 of a URI decoded if it is ASCII, without
 * characters that have no width. It maps each byte back to the raw text.
 */
struct pii_view {
    const char *text; /* valid UTF-8, invalid bytes as U+FFFD; may contain NULs */
    size_t len;
    const char *raw; /* the original text */
    size_t raw_len;
    bool escaped; /* `raw` is the inside of a JSON string */
    size_t *at;   /* the offset in `raw` of each byte of `text`; NULL if `text` is `raw` */
    char *own;    /* `text`, if it is not `raw` */
};

/* The code point that patterns see in place of another one, or PII_NOTHING. */
#define PII_NOTHING UINT32_MAX /* it is skipped */
uint32_t pii_reads_as(uint32_t code_point);
/* Borrows `raw`. O(len). Call pii_view_close. */
void pii_view_open(struct pii_view *v, const char *raw, size_t len, bool escaped);
void pii_view_close(struct pii_view *v);
/* Offsets in `raw`: where the unit at text[i] begins (`len` for the end), and where the unit
 * before text[i] ends (i > 0). */
size_t pii_view_start(const struct pii_view *v, size_t i);
size_t pii_view_end(const struct pii_view *v, size_t i);
/* The first offset in `text` that comes from raw[from] or later. */
size_t pii_view_place(const struct pii_view *v, size_t from);

/* ---- rules ---- */

struct pii_text {
    const char *s;
    size_t len;
};

static inline bool pii_is_digit(struct pii_text t, size_t i)
{
    return i < t.len && t.s[i] >= '0' && t.s[i] <= '9';
}

/* A PCRE2 pattern, with a check of what a pattern cannot express. A text without `sign` (0 for
 * any) or with fewer than `digits` digits has no find. */
struct pii_rule {
    char *name;
    pcre2_code *code;
    char sign;
    size_t digits;
    /* Is the match a find? May move its end. NULL to accept all. */
    bool (*check)(struct pii_text t, struct pii_span *found);
};

/* May a built-in rule find anything in the view of this text? A quick pass that rules out most
 * texts. */
bool pii_may_find(const char *raw, size_t len, bool escaped);

struct pii_built_in {
    struct pii_rule rule[PII_CUSTOM]; /* by kind */
    /* Bounds a match from one place, also of a custom rule: its steps, and the memory for them. */
    pcre2_match_context *bound;
};
/* Compiled at first use; for any thread. */
const struct pii_built_in *pii_built_in_rules(void);
/* Returns NULL if the pattern is invalid, with PCRE2's `code` and `place`. */
pcre2_code *pii_compile(const char *pattern, size_t len, uint32_t options, int *code,
                        size_t *place);

/* Do digits of a card number go on after a group of digits that ends at `i`, behind two plus signs
 * or at most three spaces and dashes? Sets *next to where they begin. */
bool pii_card_continues(struct pii_text t, size_t i, size_t *next);

#define PII_SECRET_MASK "[redacted]"
/* Is the text the name of a secret, in any case, or a path that ends in one ("my.password")? */
bool pii_is_secret_name(const char *text, size_t len);

struct pii {
    struct pii_rule *rules; /* of a configuration */
    size_t count;
    bool (*is_own)(const char *key, size_t len); /* see pii_exempt_keys; may be NULL */
};
/* Is the key one of the exempt keys? */
bool pii_is_exempt_key(const struct pii *p, const char *key, size_t len);

/* Must the rules scan this text? */
bool pii_needs_scan(const struct pii *p, const char *raw, size_t len, bool escaped);
void pii_note(struct pii_seen *seen, int kind); /* `seen` may be NULL */
/* Appends the text of a view, masked; with `out` NULL only scans. Returns whether anything was
 * found. */
bool pii_mask_view(const struct pii *p, const struct pii_view *v, struct strbuf *out,
                   struct pii_seen *seen);

#endif
