#include "store/record/load.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/record/entry_row.h"
#include "store/schema.h"

/* Few, and two threads already have all there is to do while the rows come; afterwards only one has. */
#define TEXTS_BYTES (32u << 20)

struct load *load_open(struct error *e)
{
    struct load *l = xcalloc(1, sizeof(*l));
    l->texts = text_load_open(e);
    if (l->texts)
        return l;
    load_close(l);
    return NULL;
}

void load_close(struct load *l)
{
    if (!l)
        return;
    text_load_close(l->texts);
    intern_release(&l->refs);
    arena_release(&l->arena);
    free(l->waiting);
    free(l->links);
    free(l);
}

/* ---- while the rows come ---- */

/* The places in `waiting` are the targets below INTERN_NONE. */
static int64_t target_of_place(size_t place)
{
    return INTERN_NONE - 1 - (int64_t)place;
}

static struct load_waiting *waiting_at(const struct load *l, int64_t target)
{
    return &l->waiting[INTERN_NONE - 1 - target];
}

int load_arrives(struct load *l, struct ref ref, int64_t node)
{
    int64_t found = intern_find(&l->refs, ref.kind, ref.id);
    if (found > INTERN_NONE || (found < INTERN_NONE && waiting_at(l, found)->node))
        return 0;
    if (found < INTERN_NONE)
        waiting_at(l, found)->node = node; /* and the ref keeps its place */
    else
        intern_add(&l->refs, ref.kind, ref.id, node);
    return 1;
}

void load_target(struct load *l, struct ref ref, int64_t *target)
{
    *target = intern_find(&l->refs, ref.kind, ref.id);
    if (*target != INTERN_NONE)
        return;
    struct ref copy = {ref.kind, arena_strdup(&l->arena, ref.id)};
    array_grow((void **)&l->waiting, &l->waiting_alloc, l->waiting_count, sizeof(*l->waiting));
    *target = target_of_place(l->waiting_count);
    l->waiting[l->waiting_count++] = (struct load_waiting){copy, 0};
    intern_add(&l->refs, ref.kind, ref.id, *target);
}

void load_link(struct load *l, const struct link_row *link)
{
    struct link_row kept = *link;
    kept.reason = arena_strdup(&l->arena, link->reason);
    array_grow((void **)&l->links, &l->link_alloc, l->link_count, sizeof(*l->links));
    l->links[l->link_count++] = kept;
}

int load_texts(struct load *l, struct text_index *x, struct error *e)
{
    return x->texts.used < TEXTS_BYTES ? 0 : text_load_take(l->texts, x, e);
}

void load_save(const struct load *l, struct savepoint *saved)
{
    saved->links = l->link_count;
    saved->waiting = l->waiting_count;
}

void load_undo(struct load *l, const struct savepoint *saved)
{
    l->link_count = saved->links;
    l->waiting_count = saved->waiting;
    for (size_t i = 0; i < l->waiting_count; i++)
        if (l->waiting[i].node > saved->last_node)
            l->waiting[i].node = 0;
    intern_clear(&l->refs);
}

/* ---- when they are there ---- */

static int make_stubs(struct load *l, struct txn *t, struct error *e)
{
    for (size_t i = 0; i < l->waiting_count; i++) {
        struct load_waiting *w = &l->waiting[i];
        if (!w->node && (w->node = txn_ref(t, w->ref, true, e)) < 0)
            return -1;
    }
    return 0;
}

/* In the order of the table, for the memories came in the order of their rows. */
static int write_links(struct load *l, struct txn *t, struct error *e)
{
    for (size_t i = 0; i < l->link_count; i++) {
        struct link_row *link = &l->links[i];
        if (link->target < 0)
            link->target = waiting_at(l, link->target)->node;
        if (put_link_row(t, link, e))
            return -1;
    }
    return 0;
}

int load_finish(struct load *l, struct txn *t, struct error *e)
{
    return text_load_take(l->texts, &t->index, e) || schema_create_refs(t->db, e) ||
                   make_stubs(l, t, e) || write_links(l, t, e) || schema_fill_targets(t->db, e) ||
                   schema_create_indexes(t->db, e) || entry_row_count(t->db, e) ||
                   text_load_finish(l->texts, t->db, e)
               ? -1
               : 0;
}
