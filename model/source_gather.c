#include "source_reader.h"

#include "alloc.h"
#include "digest.h"
#include "utf8.h"

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

const char *source_cut_excerpt(struct arena *arena, const char *bytes, size_t len)
{
    char text[SOURCE_EXCERPT * 4];
    size_t written = 0, i = 0;
    for (size_t count = 0; count < SOURCE_EXCERPT && i < len; count++) {
        uint32_t c;
        int n = utf8_decode(bytes + i, len - i, &c);
        i += n ? (size_t)n : 1;
        written += (size_t)utf8_encode(n && c ? c : 0xfffd, text + written);
    }
    return arena_strndup(arena, text, written);
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
