#include "tui/view/retrieval_set.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

/* Those without a name are a group as well. */
static bool same_name(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* ---- what is unfolded ---- */

struct unfolded *unfolding_find(const struct unfolding *u, const char *name)
{
    for (size_t i = 0; i < u->count; i++)
        if (same_name(u->group[i].name, name))
            return &u->group[i];
    return NULL;
}

struct unfolded *unfolding_add(struct unfolding *u, const char *name, size_t limit)
{
    char *copy = name ? xstrdup(name) : NULL;
    if ((name && !copy) ||
        !array_grow((void **)&u->group, &u->alloc, u->count, sizeof(*u->group))) {
        free(copy);
        return NULL;
    }
    u->group[u->count] = (struct unfolded){copy, limit};
    return &u->group[u->count++];
}

void unfolding_remove(struct unfolding *u, const char *name)
{
    struct unfolded *found = unfolding_find(u, name);
    if (!found)
        return;
    free(found->name);
    *found = u->group[--u->count];
}

void unfolding_release(struct unfolding *u)
{
    for (size_t i = 0; i < u->count; i++)
        free(u->group[i].name);
    free(u->group);
    *u = (struct unfolding){0};
}

bool unfolding_copy(struct unfolding *out, const struct unfolding *from)
{
    *out = (struct unfolding){0};
    for (size_t i = 0; i < from->count; i++) {
        if (!unfolding_add(out, from->group[i].name, from->group[i].limit)) {
            unfolding_release(out);
            return false;
        }
    }
    return true;
}

/* ---- reading ---- */

static void sum(struct retrieval_set *s)
{
    for (size_t i = 0; i < s->count; i++) {
        s->total += s->group[i].count;
        s->suspect += s->group[i].suspect;
    }
}

static int read_rows(struct reader *r, struct retrieval_set *s, const char *agent,
                     const struct unfolding *unfolded, struct error *e)
{
    for (size_t i = 0; i < unfolded->count; i++) {
        const struct unfolded *u = &unfolded->group[i];
        size_t at = retrieval_set_find(s, u->name);
        if (at == SIZE_MAX)
            continue;
        struct retrieval_rows *rows = &s->rows[at];
        if (retrievals_of(r, &s->arena, s->by, u->name, agent, INT64_MAX, INT64_MAX, u->limit + 1,
                          &rows->row, &rows->count, e))
            return -1;
        rows->more = rows->count > u->limit;
        rows->count -= rows->more;
    }
    return 0;
}

static int read_all(struct reader *r, struct retrieval_set *s, const char *agent,
                    const struct unfolding *unfolded, struct error *e)
{
    if (retrievals_grouped(r, &s->arena, s->by, agent, &s->group, &s->count, e))
        return -1;
    s->rows = arena_array(&s->arena, s->count + 1, sizeof(*s->rows));
    if (!s->rows)
        return error_set(e, ERROR_MEMORY, "Group by another.",
                         "there is no memory left for so many groups");
    sum(s);
    return read_rows(r, s, agent, unfolded, e);
}

struct retrieval_set *retrieval_set_read(struct reader *r, enum retrieval_group by,
                                         const char *agent, const struct unfolding *unfolded,
                                         struct error *e)
{
    struct retrieval_set *s = xcalloc(1, sizeof(*s));
    if (!s) {
        error_set(e, ERROR_MEMORY, "", "there is no memory left for the log");
        return NULL;
    }
    s->arena = (struct arena)ARENA_INIT;
    s->by = by;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_all(r, s, agent, unfolded, e);
        reader_end(r);
    }
    if (!failed)
        return s;
    retrieval_set_free(s);
    return NULL;
}

void retrieval_set_free(struct retrieval_set *s)
{
    if (!s)
        return;
    arena_release(&s->arena);
    free(s);
}

size_t retrieval_set_find(const struct retrieval_set *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (same_name(s->group[i].name, name))
            return i;
    return SIZE_MAX;
}
