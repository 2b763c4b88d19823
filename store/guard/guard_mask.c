#include "store/guard/guard_mask.h"

#include <string.h>
#include "model/memory/memory.h"

struct masking {
    const struct pii *pii;
    struct arena *arena;
};

static struct masking masking_by(struct reader *r, struct arena *arena)
{
    return (struct masking){.pii = guard_pii(reader_masked(r)), .arena = arena};
}

static void mask(struct masking *w, const char **text, bool json)
{
    size_t len = *text ? strlen(*text) : 0;
    struct strbuf out = STRBUF_INIT;
    if (len == 0)
        return;
    bool any =
        json ? pii_mask_json(w->pii, *text, len, &out, NULL)
             : pii_in_string(w->pii, *text, len) && pii_mask_string(w->pii, *text, len, &out, NULL);
    const char *made = any ? arena_strndup(w->arena, out.buf, out.len) : NULL;
    *text = any ? made : *text;
    strbuf_release(&out);
}

static int finish(const struct masking *w, struct error *e)
{
    (void)w, (void)e;
    return 0;
}

struct ref guard_mask_ref(struct reader *r, struct arena *arena, struct ref ref)
{
    const char *id = ref.id && *ref.id ? guard_ref_id(r, arena, ref) : ref.id;
    return (struct ref){ref.kind, ref.id && !id ? "" : id};
}

static void mask_ref(struct masking *w, struct reader *r, struct ref *ref)
{
    struct ref shown = guard_mask_ref(r, w->arena, *ref);
    *ref = shown;
}

const char *guard_mask_text(const struct guard_rules *rules, struct arena *arena, const char *text)
{
    struct masking w = {.pii = guard_pii(rules), .arena = arena};
    mask(&w, &text, false);
    return text;
}

int guard_mask_row(struct reader *r, struct arena *arena, struct memory_row *row, struct error *e)
{
    struct masking w = masking_by(r, arena);
    mask_ref(&w, r, &row->ref);
    mask(&w, &row->agent_id, false);
    mask(&w, &row->source, false);
    mask(&w, &row->tags, true);
    mask(&w, &row->annotations, true);
    return finish(&w, e);
}

static void mask_list(struct masking *w, const char **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mask(w, &list[i], false);
}

static void mask_use(struct masking *w, struct antecedent *a)
{
    if (!a->use)
        return;
    struct use *use = arena_alloc(w->arena, sizeof(*use));
    if (!use)
        return;
    *use = *a->use;
    const char **const said[] = {&use->excerpt, &use->section, &use->label, &use->title};
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
        mask(w, said[i], false);
    a->use = use;
}

static void mask_links(struct masking *w, struct reader *r, struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        mask(w, &m->justifications[i].reason, false);
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            mask_ref(w, r, &m->justifications[i].antecedents[k].ref);
            mask_use(w, &m->justifications[i].antecedents[k]);
        }
    }
    for (size_t i = 0; i < m->relation_count; i++) {
        mask_ref(w, r, &m->relations[i].to);
        mask(w, &m->relations[i].reason, false);
    }
}

static void mask_past(struct masking *w, struct memory *m)
{
    for (size_t i = 0; i < m->history_count; i++) {
        mask(w, &m->history[i].reason, false);
        mask(w, &m->history[i].evidence_source, false);
        mask(w, &m->history[i].actor, false);
    }
    for (size_t i = 0; i < m->mark_count; i++) {
        mask(w, &m->marks[i].value, false);
        mask(w, &m->marks[i].reason, false);
        mask(w, &m->marks[i].actor, false);
    }
}

int guard_read_bare(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                    struct error *e)
{
    const struct guard_rules *mask = reader_masked(r);
    reader_mask(r, NULL);
    int result = memory_read(r, arena, node, out, e);
    reader_mask(r, mask);
    return result;
}

/* The key of an entry is shown as lists have it, wherever it stands. */
static int show_key(struct masking *w, struct reader *r, struct memory *m, struct error *e)
{
    const char *key, *shown;
    struct strbuf detail = STRBUF_INIT;
    if (m->ref.kind != KIND_ENTRY)
        return 0;
    if (guard_entry_key(r, w->arena, m, &key, &shown, e))
        return -1;
    if (!shown)
        return 0;
    if (m->text && strcmp(m->text, key) == 0)
        m->text = shown;
    if (m->detail) {
        guard_add_shown(&detail, m->detail, strlen(m->detail), key, shown);
        m->detail = arena_strndup(w->arena, detail.buf, detail.len);
    }
    strbuf_release(&detail);
    return 0;
}

int guard_mask_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    struct masking w = masking_by(r, arena);
    if (show_key(&w, r, m, e) || guard_excerpts(r, arena, m, e))
        return -1;
    const char **const texts[] = {&m->text, &m->agent_id, &m->source, &m->source_entity,
                                  &m->context};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        mask(&w, texts[i], false);
    mask_ref(&w, r, &m->ref);
    mask(&w, &m->detail, true);
    mask_list(&w, m->tags, m->tag_count);
    mask_list(&w, m->annotations, m->annotation_count);
    mask_links(&w, r, m);
    mask_past(&w, m);
    m->form = NULL; /* says it as it is */
    return finish(&w, e);
}

int guard_mask_texts(const struct reader *r, struct arena *arena, const char **const *texts,
                     size_t count, struct error *e)
{
    if (!reader_masked(r))
        return 0;
    struct masking w = {.pii = guard_pii(reader_masked(r)), .arena = arena};
    for (size_t i = 0; i < count; i++)
        mask(&w, texts[i], false);
    return finish(&w, e);
}

int guard_mask_use(const struct reader *r, struct arena *arena, struct use *use, struct error *e)
{
    const char **const said[] = {&use->excerpt, &use->section, &use->label, &use->title};
    return guard_mask_texts(r, arena, said, sizeof(said) / sizeof(said[0]), e);
}
