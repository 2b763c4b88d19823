/* PROV-JSON from any bytes: statements are sorted, each is found again, and names are text. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "store/import/prov_document.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void check(const struct prov_document *d)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct prov_statement *s = &d->list[i], *first = prov_find(d, s->subject, s->section);
        assert(s->section < PROV_SECTIONS && s->scope);
        assert(!s->body.ptr || *s->body.ptr == '{');
        assert(i == 0 || strcmp(s[-1].subject, s->subject) <= 0);
        assert(first && first <= s && strcmp(first->subject, s->subject) == 0);
        assert(strlen(prov_local(s->subject)) <= strlen(s->subject));
    }
    for (size_t i = 0; i < d->unknown.count; i++)
        assert(d->unknown_count[i] >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct json_slice text = {(const char *)bytes, len};
    struct prov_document d;
    struct error e;
    if (json_check(text.ptr, text.len, JSON_DEPTH_LIMIT, &e) || !prov_document_is_one(text))
        return 0;
    prov_document_read(&d, text);
    check(&d);
    prov_document_release(&d);
    return 0;
}
