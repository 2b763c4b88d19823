/*
 * Personal data in text: found and masked. E-mail addresses, telephone numbers, social security numbers, payment cards,
 * values of secret keys where both stand as JSON has them, and what a configuration adds (PCRE2).
 *
 * Matching reads full-width forms and %XX as ASCII, digits of other scripts as 0-9, dashes and spaces of any kind as `-`
 * and ` `, an escape of JSON as what it stands for, and goes past what has no width; spans are of the text as it stands.
 * Of overlapping finds the earliest counts, then the longest.
 *
 * Every pattern, also a built-in one, is tried in windows and with a bound on its steps, so that a text takes time linear
 * in its length. Where one takes more steps, or would read more than 64 KB from one place, the rest of the text is its
 * find: what cannot be looked at is hidden.
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
    PII_CARD,      /* a star for each hidden digit, and the last four */
    PII_SECRET, /* the value of an object's key password, secret, token, ssn, credit_card, api_key: [redacted] */
    PII_CUSTOM, /* the first of the configuration's own; those after follow */
};
#define PII_KINDS_MAX 64 /* with those of a configuration */

/* The matcher. Immutable, for any thread. */
struct pii;
/* `patterns` may go once it is made. ERROR_INVALID says which of them is wrong, where and why. */
struct pii *pii_new(const struct pii_pattern *patterns, size_t count, struct error *e);
const struct pii *pii_built_in(void);       /* without patterns; not to be freed */
void pii_free(struct pii *p);               /* NULL is allowed */
bool pii_has_patterns(const struct pii *p); /* of a configuration, next to the built-in rules */
/* Keys that stemma itself writes are not masked. They must live as long as the matcher. Before it is shared. */
struct key_index;
void pii_spare_keys(struct pii *p, const struct key_index *names);
/* "email", "phone", …, the name of a pattern. */
const char *pii_kind_name(const struct pii *p, int kind);

struct pii_span {
    size_t start, end; /* bytes of the text */
    int kind;
};
/* The first find at or after `from`, which stands at a code point. Each call reads the text again. */
bool pii_find(const struct pii *p, const char *text, size_t len, size_t from, struct pii_span *out);

/* What was masked so far. */
struct pii_seen {
    uint64_t kinds; /* a bit for each kind */
    int64_t count;
};

/* Appends the text with its personal data masked. Is anything masked? `seen` may be NULL, and is added to. */
bool pii_mask_text(const struct pii *p, const char *text, size_t len, struct strbuf *out,
                   struct pii_seen *seen);
/*
 * The same of JSON that was checked: every string and key, and the whole value of a secret key; numbers, booleans and
 * null stay. A string that is itself JSON is masked within, six levels deep and as a text beyond. All else stays byte
 * for byte. Keys of one object that are masked alike have a number behind the mask.
 */
bool pii_mask_json(const struct pii *p, const char *json, size_t len, struct strbuf *out,
                   struct pii_seen *seen);
/* Where a string stands in JSON: the members on the way to it as they stand there, without their quotes, the outermost
 * first; of an array ptr is NULL. */
struct pii_place {
    const struct json_slice *names;
    int depth;
};
/*
 * Asked about a string in which something was found: true where it appended, in plain ASCII, what stands in its place,
 * perhaps the string itself; false: it is masked. `place` NULL: it is one of JSON within a string.
 */
struct pii_names {
    bool (*show)(void *arg, const struct pii_place *place, const char *text, size_t len,
                 struct strbuf *out);
    void *arg;
};
/* pii_mask_json that asks about each value that is a string, and appends nothing where nothing is masked. The JSON may
 * also be the members of an object without its braces. */
bool pii_mask_json_names(const struct pii *p, const struct pii_names *names, const char *json,
                         size_t len, struct strbuf *out, struct pii_seen *seen);
/* Is there anything? Of JSON; adds to `seen`. */
bool pii_in_json(const struct pii *p, const char *json, size_t len, struct pii_seen *seen);
/* A text as pii_mask_json masks a string: within, where it is JSON itself. Mask before a text is cut or searched. */
bool pii_mask_string(const struct pii *p, const char *text, size_t len, struct strbuf *out,
                     struct pii_seen *seen);
bool pii_in_string(const struct pii *p, const char *text, size_t len);

/* How much of an entry's key anybody may see: the bytes before the first find, or before one of the words email, phone,
 * ssn, password, secret, token as a whole part between _ - . / : or the ends; `len` where there is none. */
size_t pii_key_open(const struct pii *p, const char *key, size_t len);

#endif
