#include "model/reasoning/citation.h"

#include "model/base/alloc.h"
#include "model/reasoning/citation_location.h"
#include "model/reasoning/source_reader.h"
#include "model/base/utf8.h"

/*
 * A citation reaches from "(source:" to the parenthesis that closes it; where none does, to the
 * first that closes anything. It never holds another, so what one looks at ends where the next
 * begins, and the whole text is looked at once.
 */

#define OPENS     "(source:"
#define OPENS_LEN (sizeof(OPENS) - 1)

static size_t find_opening(const char *text, size_t len, size_t from)
{
    for (size_t i = from; i < len; i++) {
        const char *at = memchr(text + i, '(', len - i);
        if (!at)
            break;
        i = (size_t)(at - text);
        if (text_begins_with(at, len - i, OPENS))
            return i;
    }
    return len;
}

/* Where the citation's last parenthesis stands, before `end`; `end`: it has none. */
static size_t find_closing(const char *text, size_t from, size_t end)
{
    size_t level = 1, first = end;
    for (size_t i = from; i < end; i++) {
        if (text[i] == '(')
            level++;
        if (text[i] != ')')
            continue;
        if (--level == 0)
            return i;
        if (first == end)
            first = i;
    }
    return first;
}

/* What stands in the citation: 1, and *out has it; 0: no name; -1: memory ran out. */
static int read_cited(struct source_reader *r, const char *s, size_t len, struct cited *out)
{
    struct location f;
    location_find(s, len, &f);
    struct part name = part_trim(s, (struct part){0, f.name_end});
    struct part section = part_trim(s, f.section);
    if (part_is_empty(name))
        return 0;
    out->page = f.page;
    out->name = source_mended(r, s + name.at, name.end - name.at);
    if (!out->name)
        return -1;
    if (part_is_empty(section))
        return 1;
    out->section = source_mended(r, s + section.at, section.end - section.at);
    return out->section ? 1 : -1;
}

/* Counts code points on, each broken byte as one. */
static size_t count_on(const char *text, size_t from, size_t to)
{
    size_t count = 0;
    while (from < to) {
        uint32_t c;
        int n = utf8_decode(text + from, to - from, &c);
        from += n ? (size_t)n : 1;
        count++;
    }
    return count;
}

struct cited_gathering {
    struct cited *item;
    size_t count, alloc;
};

static int gather(struct cited_gathering *g, struct source_reader *r, const char *text)
{
    size_t len = strlen(text), counted = 0, points = 0, next;
    for (size_t at = find_opening(text, len, 0); at < len; at = next) {
        struct cited c = {.page = 0};
        size_t inside = at + OPENS_LEN;
        next = find_opening(text, len, inside);
        size_t end = find_closing(text, inside, next);
        int found = end < next ? read_cited(r, text + inside, end - inside, &c) : 0;
        if (found < 0)
            return -1;
        if (!found)
            continue;
        points += count_on(text, counted, at);
        c.at = points;
        c.len = count_on(text, at, end + 1);
        points += c.len;
        counted = end + 1;
        if (!array_grow((void **)&g->item, &g->alloc, g->count, sizeof(c)))
            return -1;
        g->item[g->count++] = c;
    }
    return 0;
}

int citations_in_text(const char *text, struct arena *arena, struct cited **out, size_t *count,
                      struct error *e)
{
    struct source_reader r = {arena, e};
    struct cited_gathering g = {NULL, 0, 0};
    int failed = gather(&g, &r, text);
    *out = NULL;
    *count = 0;
    if (!failed && g.count) {
        *out = arena_memdup(arena, g.item, g.count * sizeof(*g.item));
        *count = *out ? g.count : 0;
        failed = *out ? 0 : -1;
    }
    free(g.item);
    return failed ? source_no_memory(e) : 0;
}
