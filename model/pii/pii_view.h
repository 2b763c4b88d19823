/*
 * A text as it is matched: full-width forms as ASCII, digits of other scripts as 0-9, dashes and spaces of
 * any kind as `-` and ` `, what a URI encodes of ASCII (%40) as what it means, without what has no width, and with each
 * place's own in the text as it stands.
 */
#ifndef STEMMA_PII_VIEW_H
#define STEMMA_PII_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* -1: no memory. Borrows `raw`. O(len). */
int pii_view_open(struct pii_view *v, const char *raw, size_t len, bool escaped);
void pii_view_close(struct pii_view *v);
/* Bytes of `raw`: where the unit at text[i] begins (`len`: the end), and where the one before text[i] ends (i > 0). */
size_t pii_view_start(const struct pii_view *v, size_t i);
size_t pii_view_end(const struct pii_view *v, size_t i);
/* The first place of `text` that comes from raw[from] or later. */
size_t pii_view_place(const struct pii_view *v, size_t from);

#endif
