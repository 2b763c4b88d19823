/*
 * Personal data in any bytes: finds are in the text, in order, as the oracle plain_pii finds them.
 * Masked JSON is JSON and has the same finds masked.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "model/json/json.h"
#include "model/pii/pii.h"
#include "tests/support/plain_pii.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* `careful` has a pattern that nothing matches. */
static struct pii *built_in, *careful, *own;

static struct pii *make(const struct pii_pattern *patterns, size_t count)
{
    struct error e;
    struct pii *p = pii_new(patterns, count, &e);
    assert(p);
    return p;
}

static void start(void)
{
    static const struct pii_pattern never[] = {{"never", "(*FAIL)"}};
    static const struct pii_pattern patterns[] = {
        {"badge", "\\bB-\\d+\\b"}, {"slow", "(a+)+[!?]"}, {"word", "(?<=x)\\w{3,}$"}};
    built_in = make(NULL, 0);
    careful = make(never, 1);
    own = make(patterns, 3);
}

static void check_finds(const struct pii *p, const char *text, size_t len)
{
    struct strbuf out = STRBUF_INIT;
    struct pii_span found;
    struct pii_seen seen = {0, 0};
    size_t from = 0;
    int count = 0; /* each find reads the text again */
    for (; count < 4 && pii_find(p, text, len, from, &found); count++) {
        assert(found.start >= from && found.end > found.start && found.end <= len);
        from = found.end;
    }
    bool any = pii_mask_text(p, text, len, &out, &seen);
    assert(any == (seen.count > 0) && any == (count > 0));
    assert(any || (out.len == len && memcmp(out.buf, text, len) == 0));
    strbuf_release(&out);
}

#define PLAIN_MAX 160 /* bytes that are also checked with the oracle */

/* ASCII without the characters that the oracle does not support. */
static void check_plainly(const char *text, size_t len)
{
    struct pii_span quick, slow;
    bool more = true;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] >= 0x80 || text[i] == '"' || text[i] == '\\')
            return;
    for (size_t from = 0; more; from = slow.end) {
        more = plain_pii_find(text, len, from, &slow);
        assert(pii_find(built_in, text, len, from, &quick) == more);
        assert(!more ||
               (quick.start == slow.start && quick.end == slow.end && quick.kind == slow.kind));
    }
}

static void check_key(const char *text, size_t len)
{
    struct pii_span found;
    size_t open = pii_key_visible(built_in, text, len);
    assert(open <= len);
    assert(!pii_find(built_in, text, len, 0, &found) || found.start >= open);
}

static void check_json(const char *text, size_t len)
{
    struct error e;
    struct strbuf quick = STRBUF_INIT, slow = STRBUF_INIT;
    struct pii_seen seen = {0, 0}, same = {0, 0}, looked = {0, 0};
    bool any = pii_mask_json(built_in, text, len, &quick, &seen);
    assert(pii_mask_json(careful, text, len, &slow, &same) == any);
    assert(quick.len == slow.len && memcmp(quick.buf, slow.buf, slow.len) == 0);
    assert(seen.kinds == same.kinds && seen.count == same.count);
    assert(pii_in_json(built_in, text, len, &looked) == any && looked.count == seen.count);
    assert(any || (quick.len == len && memcmp(quick.buf, text, len) == 0));
    if (json_check_lax(text, len, JSON_DEPTH_MAX, &e) == 0)
        assert(json_check_lax(quick.buf, quick.len, JSON_DEPTH_MAX, &e) == 0);
    strbuf_clear(&quick);
    pii_mask_json(own, text, len, &quick, NULL);
    strbuf_release(&quick);
    strbuf_release(&slow);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    const char *text = (const char *)bytes;
    struct strbuf string = STRBUF_INIT, nested = STRBUF_INIT;
    if (!built_in)
        start();
    check_finds(built_in, text, len);
    check_finds(own, text, len);
    check_key(text, len < 200 ? len : 200);
    check_plainly(text, len < PLAIN_MAX ? len : PLAIN_MAX);
    check_json(text, len);
    json_add_string_len(&string, text, len);
    check_json(string.buf, string.len);
    json_add_string_len(&nested, string.buf, string.len);
    check_json(nested.buf, nested.len);
    strbuf_release(&string);
    strbuf_release(&nested);
    return 0;
}
