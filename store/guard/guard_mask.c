/* The rules of a configuration, and masking texts, JSON and memories by them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/record/get.h"
#include "store/guard/guard_internal.h"

/* ---- the rules ---- */

struct guard_rules *guard_rules_new(struct permissions *p, struct error *e)
{
    struct guard_rules *g = xcalloc(1, sizeof(*g));
    g->permissions = *p;
    memset(p, 0, sizeof(*p));
    atomic_init(&g->holders, 1);
    if (getentropy(g->key, sizeof(g->key)))
        error_set(e, ERROR_STORE, "", "the system gives no random bytes");
    else if ((g->pii = pii_new(g->permissions.patterns, g->permissions.pattern_count, e)))
        return g;
    guard_rules_release(g);
    return NULL;
}

void guard_rules_set_own_names(struct guard_rules *g, bool (*is_own)(const char *key, size_t len))
{
    pii_exempt_keys(g->pii, is_own);
}

struct guard_rules *guard_rules_hold(struct guard_rules *g)
{
    if (g)
        atomic_fetch_add(&g->holders, 1);
    return g;
}

void guard_rules_release(struct guard_rules *g)
{
    if (!g || atomic_fetch_sub(&g->holders, 1) > 1)
        return;
    pii_free(g->pii);
    permissions_release(&g->permissions);
    free(g);
}

const struct permissions *guard_permissions(const struct guard_rules *g)
{
    return &g->permissions;
}

const struct pii *guard_pii(const struct guard_rules *g)
{
    return g->pii;
}

/* ---- texts and JSON ---- */

const struct guard_rules *guard_rules_of(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? g->rules : reader_masked(r);
}

bool guard_has_read_entry(const struct reader *r)
{
    return reader_guarded(r) && reader_guard_known(r)->read_masked;
}

size_t guard_masked(const struct reader *r)
{
    return reader_guard_known(r)->masked;
}

bool guard_masks(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? g->rules->permissions.mask || guard_has_read_entry(r) : reader_masked(r) != NULL;
}

bool guard_has_pii(const struct guard_rules *g, const char *text, size_t len)
{
    return pii_in_string(g->pii, text, len);
}

/* Returns the text or a masked copy in the arena. JSON must be valid. */
static const char *masked(const struct pii *pii, struct arena *arena, const char *text, size_t len,
                          bool is_json)
{
    AUTO_STRBUF out = STRBUF_INIT;
    if ((is_json ? pii_mask_json : pii_mask_string)(pii, text, len, &out, NULL))
        text = arena_strndup(arena, out.buf, out.len);
    return text;
}

/* The same for the reader's caller, with counting. */
static const char *masked_for(const struct reader *r, struct arena *arena, const char *text,
                              size_t len, bool is_json)
{
    if (!guard_masks(r))
        return text;
    const char *shown = masked(guard_rules_of(r)->pii, arena, text, len, is_json);
    reader_guard_known(r)->masked += shown != text;
    return shown;
}

const char *guard_text(const struct reader *r, struct arena *arena, const char *text, size_t len)
{
    return masked_for(r, arena, text, len, false);
}

void guard_add_clean(const struct reader *r, struct arena *arena, struct strbuf *out,
                     const char *text, size_t code_points)
{
    clean_add(out, guard_text(r, arena, text, strlen(text)), code_points);
}

const char *guard_json(const struct reader *r, struct arena *arena, const char *json, size_t len)
{
    struct error not_json;
    bool is_json = guard_masks(r) && json_check(json, len, JSON_DEPTH_LIMIT, &not_json) == 0;
    return masked_for(r, arena, json, len, is_json);
}

bool guard_masks_name(const struct reader *r, const char *name)
{
    const struct guard_rules *rules = guard_rules_of(r);
    return guard_masks(r) && name && guard_has_pii(rules, name, strlen(name));
}

/* ---- text in one line ---- */

/* How many bytes from `s` on are ASCII that shows, with single spaces. *gap: before them, and then at their end, is a
 * space. */
static size_t clean_run(const char *s, size_t len, bool *gap)
{
    size_t at = 0;
    for (; at < len && s[at] >= ' ' && s[at] < 0x7f && !(*gap && s[at] == ' '); at++)
        *gap = s[at] == ' ';
    return at;
}

void clean_add(struct strbuf *out, const char *s, size_t count)
{
    size_t len = strlen(s), at = 0, shown = 0;
    bool gap = false;
    while (at < len && shown < count) {
        size_t left = len - at, most = count - shown;
        size_t run = clean_run(s + at, left < most ? left : most, &gap);
        strbuf_add(out, s + at, run);
        at += run;
        shown += run;
        if (at == len || shown == count)
            break;
        uint32_t c;
        int n = utf8_decode(s + at, len - at, &c);
        bool space = n && (c == ' ' || utf8_is_control(c));
        bool plain = n && !space && !utf8_is_bidi(c);
        if (!space || !gap) {
            strbuf_add(out,
                       space   ? " "
                       : plain ? s + at
                               : "\xef\xbf\xbd",
                       space   ? 1
                       : plain ? (size_t)n
                               : 3);
            shown++;
        }
        gap = space;
        at += n ? (size_t)n : 1;
    }
    if (at < len)
        strbuf_addstr(out, "…");
}

/* ---- memories ---- */

static void mask(const struct guard_rules *rules, struct arena *arena, const char **text, bool json)
{
    if (*text && **text)
        *text = masked(rules->pii, arena, *text, strlen(*text), json);
}

struct ref guard_mask_ref(struct reader *r, struct arena *arena, struct ref ref)
{
    return (struct ref){ref.kind, ref.id && *ref.id ? guard_ref_id(r, arena, ref) : ref.id};
}

static void mask_ref(struct reader *r, struct arena *arena, struct ref *ref)
{
    *ref = guard_mask_ref(r, arena, *ref);
}

const char *guard_mask_text(const struct guard_rules *rules, struct arena *arena, const char *text)
{
    mask(rules, arena, &text, false);
    return text;
}

void guard_mask_row(struct reader *r, struct arena *arena, struct memory_row *row)
{
    const struct guard_rules *rules = reader_masked(r);
    mask_ref(r, arena, &row->ref);
    mask(rules, arena, &row->agent_id, false);
    mask(rules, arena, &row->agent, false);
    mask(rules, arena, &row->source, false);
    mask(rules, arena, &row->tags, true);
    mask(rules, arena, &row->annotations, true);
}

void guard_mask_texts(const struct reader *r, struct arena *arena, const char **const *texts,
                      size_t count)
{
    for (size_t i = 0; reader_masked(r) && i < count; i++)
        mask(reader_masked(r), arena, texts[i], false);
}

static void mask_use(const struct reader *r, struct arena *arena, struct use *use)
{
    const char **const texts[] = {&use->excerpt, &use->section, &use->label, &use->title};
    guard_mask_texts(r, arena, texts, sizeof(texts) / sizeof(texts[0]));
}

static void mask_links(struct reader *r, struct arena *arena, struct memory *m)
{
    const struct guard_rules *rules = reader_masked(r);
    for (size_t i = 0; i < m->justification_count; i++) {
        mask(rules, arena, &m->justifications[i].reason, false);
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct antecedent *a = &m->justifications[i].antecedents[k];
            struct use *use = a->use ? arena_memdup(arena, a->use, sizeof(*use)) : NULL;
            mask_ref(r, arena, &a->ref);
            if (use)
                mask_use(r, arena, use);
            a->use = use;
        }
    }
    for (size_t i = 0; i < m->relation_count; i++) {
        mask_ref(r, arena, &m->relations[i].to);
        mask(rules, arena, &m->relations[i].reason, false);
    }
}

static void mask_past(struct reader *r, struct arena *arena, struct memory *m)
{
    for (size_t i = 0; i < m->history_count; i++) {
        struct history_entry *h = &m->history[i];
        const char **const texts[] = {&h->reason, &h->evidence_source, &h->actor, &h->before,
                                      &h->after};
        guard_mask_texts(r, arena, texts, sizeof(texts) / sizeof(texts[0]));
    }
    for (size_t i = 0; i < m->flag_count; i++) {
        const char **const texts[] = {&m->flags[i].value, &m->flags[i].reason, &m->flags[i].actor};
        guard_mask_texts(r, arena, texts, sizeof(texts) / sizeof(texts[0]));
    }
}

int guard_read_unmasked(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                        struct error *e)
{
    const struct guard_rules *mask = reader_masked(r);
    reader_mask(r, NULL);
    int result = memory_read(r, arena, node, out, e);
    reader_mask(r, mask);
    return result;
}

/* Replaces the key of an entry by its opaque key everywhere in the memory. */
static int show_key(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    const char *key, *shown;
    AUTO_STRBUF detail = STRBUF_INIT;
    if (m->ref.kind != KIND_ENTRY)
        return 0;
    if (guard_entry_key(r, arena, m, &key, &shown, e))
        return -1;
    if (!shown)
        return 0;
    if (m->text && strcmp(m->text, key) == 0)
        m->text = shown;
    if (m->detail) {
        guard_add_opaque_key(&detail, m->detail, strlen(m->detail), key, shown);
        m->detail = arena_strndup(arena, detail.buf, detail.len);
    }
    return 0;
}

int guard_mask_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    if (show_key(r, arena, m, e) || guard_excerpts(r, arena, m, e))
        return -1;
    const char **const texts[] = {&m->text, &m->agent_id, &m->source, &m->source_entity,
                                  &m->context};
    guard_mask_texts(r, arena, texts, sizeof(texts) / sizeof(texts[0]));
    mask_ref(r, arena, &m->ref);
    mask(reader_masked(r), arena, &m->detail, true);
    for (size_t i = 0; i < m->tag_count; i++)
        mask(reader_masked(r), arena, &m->tags[i], false);
    for (size_t i = 0; i < m->annotation_count; i++)
        mask(reader_masked(r), arena, &m->annotations[i], false);
    mask_links(r, arena, m);
    mask_past(r, arena, m);
    m->form = NULL; /* holds the unmasked form */
    return 0;
}
