/*
 * Finds and masks personal data in text: e-mail addresses, telephone numbers, social security
 * numbers, payment cards, values of secret keys (where key and value look like JSON), and patterns
 * of a configuration (PCRE2).
 *
 * Matching reads full-width forms and %XX as ASCII, digits of other scripts as 0-9, dashes and
 * spaces of any kind as `-` and ` `, and JSON escapes as their characters. It skips characters
 * without width. Spans refer to the original text. Of overlapping finds the earliest counts, then
 * the longest.
 *
 * Every pattern, also a built-in one, is tried in windows and with a bound on its steps, so the
 * time is linear in the length of the text. If a pattern takes more steps, or would read more than
 * 64 KB from one place, the rest of the text counts as its find: text that cannot be checked is
 * masked.
 */
#ifndef STEMMA_PII_H
#define STEMMA_PII_H

#include "model/base/error.h"
#include "model/json/json.h"
#include "model/policy/permission.h"
#include "model/base/strbuf.h"

enum pii_kind {
    PII_EMAIL = 0, /* [redacted-email] */
    PII_PHONE,     /* [redacted-phone] */
    PII_SSN,       /* [redacted-ssn] */
    PII_CARD,      /* a star for each hidden digit, then the last four */
    /* the value of a key password, secret, token, ssn, credit_card, api_key, or of a path that ends
     * in one ("my.password"): [redacted] */
    PII_SECRET,
    PII_CUSTOM, /* the first pattern of the configuration; the others follow */
};
#define PII_KINDS_MAX 64 /* including those of a configuration */

/* The matcher. Immutable; any thread may use it. */
struct pii;
/* Copies `patterns`. Returns NULL with ERROR_INVALID, which says which pattern is wrong, where
 * and why. Free with pii_free. */
struct pii *pii_new(const struct pii_pattern *patterns, size_t count, struct error *e);
const struct pii *pii_built_in(void);       /* without patterns; do not free it */
void pii_free(struct pii *p);               /* NULL is allowed */
bool pii_has_patterns(const struct pii *p); /* in addition to the built-in rules */
/* Sets which keys are never masked, since stemma itself writes them. Call this before other threads use the matcher. */
void pii_exempt_keys(struct pii *p, bool (*is_own)(const char *key, size_t len));
/* "email", "phone", …, or the name of a pattern. */
const char *pii_kind_name(const struct pii *p, int kind);

struct pii_span {
    size_t start, end; /* byte offsets in the text */
    int kind;
};
/* Finds the first match at or after `from`, which must be at a code point. Returns false if
 * there is none. Each call reads the text again. */
bool pii_find(const struct pii *p, const char *text, size_t len, size_t from, struct pii_span *out);

/* A summary of what was masked. */
struct pii_seen {
    uint64_t kinds; /* a bit for each kind */
    int64_t count;
};

/* Appends the text with its personal data masked. Returns whether anything was masked. Adds to
 * `seen`, which may be NULL. */
bool pii_mask_text(const struct pii *p, const char *text, size_t len, struct strbuf *out,
                   struct pii_seen *seen);
/*
 * The same for checked JSON: masks all strings and keys, and the whole value of a secret key;
 * numbers, booleans and null stay. A string that is itself JSON is masked as JSON, up to six levels
 * deep, and as text beyond. All other bytes stay the same. Keys of an object that would be masked
 * alike get a number after the mask.
 */
bool pii_mask_json(const struct pii *p, const char *json, size_t len, struct strbuf *out,
                   struct pii_seen *seen);
/* The path of a string in JSON: the names of the members that lead to it, outermost first, raw
 * and without quotes. For an array ptr is NULL. */
struct pii_place {
    const struct json_slice *names;
    int depth;
};
/* Decides which strings are shown although they have personal data. */
struct pii_names {
    /*
     * Called for a string with personal data. Returns true if it appended plain ASCII to show in
     * its place, which may be the string itself, or false to mask it. `place` is NULL for a string
     * of JSON within a string.
     */
    bool (*show)(void *arg, const struct pii_place *place, const char *text, size_t len,
                 struct strbuf *out);
    void *arg;
};
/* pii_mask_json that calls `names` for each string value, and appends nothing if nothing is
 * masked. The JSON may also be the members of an object without braces. */
bool pii_mask_json_names(const struct pii *p, const struct pii_names *names, const char *json,
                         size_t len, struct strbuf *out, struct pii_seen *seen);
/* Does the JSON contain personal data? Adds to `seen`. */
bool pii_in_json(const struct pii *p, const char *json, size_t len, struct pii_seen *seen);
/* Masks a text like a string in pii_mask_json: as JSON if it is JSON. Mask a text before it is
 * cut or searched. */
bool pii_mask_string(const struct pii *p, const char *text, size_t len, struct strbuf *out,
                     struct pii_seen *seen);
bool pii_in_string(const struct pii *p, const char *text, size_t len);

/* The number of leading bytes of an entry's key that everyone may see: those before the first
 * find, or before one of the words email, phone, ssn, password, secret, token as a whole part
 * between _ - . / : or the ends. `len` if there is neither. */
size_t pii_key_visible(const struct pii *p, const char *key, size_t len);
/* The kinds of personal data in the key: its finds, and what these words name. */
uint64_t pii_key_kinds(const struct pii *p, const char *key, size_t len);

#endif
