/* What the files of this room share. */
#ifndef STEMMA_PII_INTERNAL_H
#define STEMMA_PII_INTERNAL_H

#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/pii/pii.h"

/* ---- a text as it is matched ---- */

/*
 * Full-width forms as ASCII, digits of other scripts as 0-9, dashes and spaces of any kind as `-` and ` `, what a URI
 * encodes of ASCII (%40) as what it means, without what has no width, and for each place its own in the raw text.
 */
struct pii_view {
    const char *text; /* valid UTF-8, broken bytes as U+FFFD; may hold NULs */
    size_t len;
    const char *raw; /* as it stands */
    size_t raw_len;
    bool escaped; /* `raw` is what stands between the quotes of a JSON string */
    size_t *at;   /* where in `raw` each byte of `text` comes from; NULL: `text` is `raw` */
    char *own;    /* `text`, where it is not `raw` */
};

/* What a code point is read as. */
#define PII_NOTHING UINT32_MAX /* it is gone past */
uint32_t pii_reads_as(uint32_t code_point);
/* Borrows `raw`. O(len). */
void pii_view_open(struct pii_view *v, const char *raw, size_t len, bool escaped);
void pii_view_close(struct pii_view *v);
/* Bytes of `raw`: where the unit at text[i] begins (`len`: the end), and where the one before text[i] ends (i > 0). */
size_t pii_view_start(const struct pii_view *v, size_t i);
size_t pii_view_end(const struct pii_view *v, size_t i);
/* The first place of `text` that comes from raw[from] or later. */
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

/* A pattern of PCRE2, and what it cannot say. A text without that sign (0: any) or so many digits has no find. */
struct pii_rule {
    char *name;
    pcre2_code *code;
    char sign;
    size_t digits;
    /* Is what the pattern matched a find? May move its end. NULL: it is. */
    bool (*check)(struct pii_text t, struct pii_span *found);
};

/* May a built-in rule find anything in a text, as it is viewed? One pass, which tells that of most texts it may not. */
bool pii_may_find(const char *raw, size_t len, bool escaped);
/* The built-in rules by their kind, PII_CUSTOM of them. Compiled once, at first use; for any thread. */
const struct pii_rule *pii_built_in_rules(void);
/* NULL: the pattern is wrong; `code` and `place` are PCRE2's. */
pcre2_code *pii_compile(const char *pattern, size_t len, uint32_t options, int *code,
                        size_t *place);

#define PII_SECRET_MASK "[redacted]"
/* Is that text, whatever its case, the name of a secret? */
bool pii_is_secret_name(const char *text, size_t len);

struct pii {
    struct pii_rule *rules; /* a configuration's */
    size_t count;
    const struct key_index *spared; /* pii_spare_keys; NULL: none */
};
/* Is the key one of those? */
bool pii_spares_key(const struct pii *p, const char *key, size_t len);

/* Must the rules look at that text? */
bool pii_looks(const struct pii *p, const char *raw, size_t len, bool escaped);
void pii_note(struct pii_seen *seen, int kind); /* NULL is allowed */
/* Appends the text of a view masked; `out` NULL only looks. Is there anything? */
bool pii_mask_view(const struct pii *p, const struct pii_view *v, struct strbuf *out,
                   struct pii_seen *seen);

#endif
