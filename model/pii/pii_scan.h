/* All finds of a text in their order: the built-in rules and a configuration's patterns. */
#ifndef STEMMA_PII_SCAN_H
#define STEMMA_PII_SCAN_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include "model/pii/pii_find.h"
#include "model/pii/pii_view.h"

struct pii_rule {
    char *name;
    pcre2_code *code;
};
struct pii {
    struct pii_rule *rules;
    size_t count;
    pcre2_general_context *memory; /* PCRE2's is ours */
    pcre2_match_context *bound;
    const char *const *spared; /* pii_spare_keys */
    size_t spared_count;
};
/* Is the key one of those? */
bool pii_spares_key(const struct pii *p, const char *key, size_t len);

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
void pii_scan_open(struct pii_scan *s, const struct pii *p, const struct pii_view *v, size_t from);
void pii_scan_close(struct pii_scan *s);
bool pii_scan_next(struct pii_scan *s, struct pii_span *out);

/* May there be anything in JSON, or in a string of it with its quotes, that the built-in rules find? O(len). */
bool pii_glance(const char *json, size_t len);
void pii_note(struct pii_seen *seen, int kind); /* NULL is allowed */
void pii_note_all(struct pii_seen *seen, const struct pii_seen *more);
/* Appends the text of a view masked; `out` NULL only looks. Is there anything? */
bool pii_mask_view(const struct pii *p, const struct pii_view *v, struct strbuf *out,
                   struct pii_seen *seen);

#endif
