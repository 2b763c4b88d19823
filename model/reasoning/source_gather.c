#include "model/reasoning/source_reader.h"

#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "model/pii/pii.h"
#include "model/base/utf8.h"

void source_gather(struct source_gathering *g, struct arena *arena)
{
    *g = (struct source_gathering){.r.arena = arena};
    g->r.e = &g->why;
}

int source_keep(struct source_gathering *g, const struct source *s)
{
    if (!array_grow((void **)&g->source, &g->alloc, g->count, sizeof(*s)))
        return source_no_memory(g->r.e);
    g->source[g->count++] = *s;
    return 0;
}

int source_gathered(struct source_gathering *g, int failed, struct source_list *out,
                    struct error *e)
{
    if (!failed && g->count > 0) {
        out->source = arena_memdup(g->r.arena, g->source, g->count * sizeof(*g->source));
        out->count = out->source ? g->count : 0;
        failed = out->source ? 0 : source_no_memory(g->r.e);
    }
    if (!failed)
        failed = source_refusals_keep(&g->refused, &g->r, &out->refused, &out->refused_count);
    free(g->source);
    free(g->refused.item);
    if (failed)
        *e = g->why;
    return failed ? -1 : 0;
}

const char *source_invent(struct arena *arena, const char *prefix, size_t number)
{
    char id[48];
    int len = snprintf(id, sizeof(id), "%s%zu", prefix, number);
    return arena_strndup(arena, id, (size_t)len);
}

#define BEYOND 1024 /* bytes behind an excerpt that are looked at for what begins in it */

/* Half an address is known to nobody for one any more: an excerpt ends before what it would have the beginning of. */
static size_t before_find(const struct pii *pii, const char *bytes, size_t len, size_t end)
{
    struct pii_span found = {0, 0, 0};
    size_t look = len - end > BEYOND ? end + BEYOND : len;
    while (found.end < end && pii_find(pii, bytes, look, found.end, &found) && found.start < end)
        if (found.end > end)
            return found.start;
    return end;
}

static size_t excerpt_end(const struct pii *pii, const char *bytes, size_t len)
{
    uint32_t c;
    size_t end = 0;
    for (size_t count = 0; count < SOURCE_EXCERPT && end < len; count++) {
        int n = utf8_decode(bytes + end, len - end, &c);
        end += n ? (size_t)n : 1;
    }
    return end < len ? before_find(pii, bytes, len, end) : end;
}

static const char *cut(const struct pii *pii, struct arena *arena, const char *bytes, size_t len)
{
    char text[SOURCE_EXCERPT * 4];
    size_t written = 0, i = 0, end = excerpt_end(pii, bytes, len);
    while (i < end) {
        uint32_t c;
        int n = utf8_decode(bytes + i, len - i, &c);
        i += n ? (size_t)n : 1;
        written += (size_t)utf8_encode(n && c ? c : 0xfffd, text + written);
    }
    return arena_strndup(arena, text, written);
}

const char *source_cut_excerpt(struct arena *arena, const char *bytes, size_t len)
{
    return cut(pii_built_in(), arena, bytes, len);
}

int sources_cut(struct source_list *list, struct arena *arena, const struct pii *pii)
{
    for (size_t i = 0; i < list->count; i++) {
        struct source *s = &list->source[i];
        if (!s->content || !s->excerpt)
            continue;
        s->excerpt = cut(pii, arena, s->content, s->content_len);
        if (!s->excerpt)
            return -1;
    }
    return 0;
}

int source_hash_content(struct source_reader *r, struct source *s)
{
    char hex[2 * DIGEST_SIZE + 1];
    struct digest hash;
    if (s->version_hash || s->content_len == 0)
        return 0;
    digest_bytes(&hash, s->content, s->content_len);
    digest_hex(hex, &hash);
    s->version_hash = arena_strdup(r->arena, hex);
    return s->version_hash ? 0 : source_no_memory(r->e);
}
