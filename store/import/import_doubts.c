#include "store/import/import_doubts.h"

#include <string.h>
#include "model/base/digest.h"
#include "model/json/json.h"
#include "model/base/strbuf.h"

struct telling {
    const struct memory *m;
    void (*say)(void *arg, const char *what);
    void *arg;
    size_t count;
};

static void tell(struct telling *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(struct telling *t, const char *format, ...)
{
    struct strbuf line = STRBUF_INIT;
    va_list args;
    ref_add(&line, t->m->ref);
    strbuf_addstr(&line, ": ");
    va_start(args, format);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    t->say(t->arg, line.buf);
    t->count++;
    strbuf_release(&line);
}

static bool is_no_share(double value)
{
    return value < 0 || value > 1; /* NAN, which says nothing, is neither */
}

static void doubt_history(struct telling *t)
{
    for (size_t i = 0; i < t->m->history_count; i++) {
        const struct history_entry *h = &t->m->history[i];
        if (is_no_share(h->old))
            tell(t, "history[%zu]: old is not between 0 and 1; kept as it is", i);
        if (is_no_share(h->new_))
            tell(t, "history[%zu]: new is not between 0 and 1; kept as it is", i);
    }
}

/* An annotation is shown and never walked. */
static void doubt_annotations(struct telling *t)
{
    struct ref ref;
    for (size_t i = 0; i < t->m->annotation_count; i++)
        if (ref_parse(t->m->annotations[i], &ref) == REF_MEMORY)
            tell(t, "the annotation %s is a ref, which links nothing there; kept as it is",
                 t->m->annotations[i]);
}

static bool is_hash(struct json_slice value)
{
    return value.len == 2 * DIGEST_SIZE + 2 && value.ptr[0] == '"' &&
           strspn(value.ptr + 1, "0123456789abcdefABCDEF") == 2 * DIGEST_SIZE;
}

static void doubt_detail(struct telling *t)
{
    const char *detail = t->m->detail;
    if (t->m->ref.kind != KIND_ATTRIBUTION || !detail)
        return;
    struct json_slice hash = json_member(detail, strlen(detail), "full_content_hash");
    if (hash.ptr && *hash.ptr != 'n' && !is_hash(hash))
        tell(t, "full_content_hash is not 64 hex digits; kept as it is");
}

size_t import_doubts(const struct memory *m, void (*say)(void *arg, const char *what), void *arg)
{
    struct telling t = {m, say, arg, 0};
    if (m->status == STATUS_PURGED && *m->text)
        tell(&t, "is purged, and has a text all the same; kept as it is");
    doubt_history(&t);
    doubt_annotations(&t);
    doubt_detail(&t);
    return t.count;
}
