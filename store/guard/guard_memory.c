/*
 * A memory as the caller may see it: filtered, withheld or masked.
 *
 * Hidden entries must leave no trace. A graph or a memory without its hidden antecedents must look
 * as if the same operations had been done and the hidden entries had never been named.
 */
#include "store/guard/guard_internal.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/graph/graph.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/record/index_tables.h"
#include "store/record/entry_row.h"
#include "store/record/get.h"

static int64_t row_of(const struct graph *g, uint32_t node)
{
    return g->row ? g->row[node] : (int64_t)node + 1;
}

/* ---- empty justifications ---- */

/*
 * The first evidence for a memory without sources adds an empty justification with it
 * (plan_add_support), both with the same time. So if the first visible justification was added
 * later than hidden ones, an empty one must stand before it. And an empty one that was added
 * together with a hidden one must go if nothing else is left.
 */

/* Returns true if the justification is evidence added after time `before`. What a memory was made
 * from adds no empty justification. */
static bool is_later_evidence(enum role role, int64_t at, int64_t before)
{
    return role == ROLE_REINFORCEMENT || (role == ROLE_EVIDENCE && at > before);
}

/* ---- of a memory ---- */

static int sees_antecedent(struct reader *r, struct ref ref, int64_t node, bool *seen,
                           struct error *e)
{
    enum visibility visibility, absent = ref.kind == KIND_ENTRY ? VISIBLE_NONE : VISIBLE_WHOLE;
    *seen = true;
    if (ref.kind != KIND_ENTRY && !guard_withholds(r))
        return 0;
    if (node ? guard_visibility(r, node, &visibility, e)
             : guard_visibility_of_ref(r, ref, absent, &visibility, e))
        return -1;
    *seen = visibility != VISIBLE_NONE;
    return 0;
}

/* Keeps only the visible antecedents. */
static int filter_antecedents(struct reader *r, struct arena *arena, struct justification *j,
                              struct error *e)
{
    struct antecedent *kept = arena_array(arena, j->count + 1, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; i < j->count; i++) {
        bool seen;
        if (sees_antecedent(r, j->antecedents[i].ref, j->antecedents[i].node, &seen, e))
            return -1;
        if (seen)
            kept[count++] = j->antecedents[i];
    }
    j->antecedents = kept;
    j->count = count;
    return 0;
}

/* Removes justifications that lose all antecedents. */
static int filter_justifications(struct reader *r, struct arena *arena, struct memory *m,
                                 struct error *e)
{
    const struct justification *all = m->justifications;
    struct justification *kept = arena_array(arena, m->justification_count + 1, sizeof(*kept));
    bool added_with_hidden = false; /* the empty one was added with a hidden one */
    size_t count = 0, lost = 0;
    for (size_t i = 0; i < m->justification_count; i++) {
        struct justification j = all[i];
        if (filter_antecedents(r, arena, &j, e))
            return -1;
        if (all[i].count > 0 && j.count == 0) {
            added_with_hidden |= i == 1 && all[0].count == 0 && all[0].at == all[1].at;
            lost++;
            continue;
        }
        if (count == 0 && lost > 0 && j.count > 0 && is_later_evidence(j.role, j.at, all[0].at))
            kept[count++] = (struct justification){
                ROLE_DERIVED_FROM, READING_ALL, RECORDED, j.at, NULL, NULL, 0};
        kept[count++] = j;
    }
    if (added_with_hidden && count == 1)
        count = 0;
    else if (added_with_hidden)
        kept[0].at = kept[1].at;
    m->justifications = kept;
    m->justification_count = count;
    return 0;
}

/* ---- of a graph ---- */

static bool is_empty(const struct graph *g, uint32_t just)
{
    return g->link_first[just] == g->link_first[just + 1];
}

/* Returns true if all antecedents of the justification are hidden. */
static bool is_lost(const struct graph *g, uint32_t just, const uint8_t *view)
{
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++)
        if (view[g->link_to[i]] != VIEW_NONE)
            return false;
    return !is_empty(g, just);
}

/* Reads the time at which a justification was added. */
static int time_of(struct reader *r, const struct graph *g, uint32_t just, int64_t *at,
                   struct error *e)
{
    return db_int(reader_db(r), at, 0, e,
                  "SELECT at FROM link WHERE memory = ? AND number = ? AND position = 0", "ii",
                  row_of(g, g->just_node[just]), (int64_t)g->just_group[just]);
}

/* Only the first justification is left, an empty one. It goes too if it was added with the next
 * one. */
static int view_empty(struct reader *r, const struct graph *g, uint32_t first, uint8_t *view,
                      struct error *e)
{
    int64_t at, next;
    if (time_of(r, g, first, &at, e) || time_of(r, g, first + 1, &next, e))
        return -1;
    if (at == next)
        *view = VIEW_REF;
    return 0;
}

/* All justifications before `seen` are lost. */
static int view_later(struct reader *r, const struct graph *g, uint32_t first, uint32_t seen,
                      uint8_t *view, struct error *e)
{
    int64_t at, before;
    if (is_empty(g, seen) || g->just_group[seen] == g->just_group[first])
        return 0;
    if (time_of(r, g, first, &before, e) || time_of(r, g, seen, &at, e))
        return -1;
    if (is_later_evidence(SHAPE_ROLE(g->just_shape[seen]), at, before))
        *view = VIEW_WITH_PREMISE;
    return 0;
}

/* Handles a node with a hidden antecedent. */
static int view_user(struct reader *r, const struct graph *g, uint32_t node, uint8_t *view,
                     struct error *e)
{
    uint32_t first = g->just_first[node], end = g->just_first[node + 1], seen = first;
    if (view[node] != VIEW_WHOLE)
        return 0;
    while (seen < end && is_lost(g, seen, view))
        seen++;
    if (seen == end)
        return 0;
    if (seen > first)
        return view_later(r, g, first, seen, &view[node], e);
    if (!is_empty(g, first))
        return 0;
    for (seen = first + 1; seen < end && is_lost(g, seen, view);)
        seen++;
    return seen == end ? view_empty(r, g, first, &view[node], e) : 0;
}

static int view_users(struct reader *r, const struct graph *g, uint8_t *view, struct error *e)
{
    for (uint32_t node = 0; node < g->nodes; node++) {
        uint32_t end = view[node] == VIEW_NONE ? g->use_first[node + 1] : 0;
        for (uint32_t i = g->use_first[node]; i < end; i++)
            if (view_user(r, g, g->just_node[g->use_just[i]], view, e))
                return -1;
    }
    return 0;
}

static bool has_links(const struct graph *g, uint32_t node)
{
    return g->use_first[node] < g->use_first[node + 1] ||
           g->just_first[node] < g->just_first[node + 1];
}

int guard_graph(struct reader *r, struct graph *g, struct error *e)
{
    bool hides = false;
    int result = 0;
    if (!guard_hides_linked_entries(r))
        return 0;
    AUTO_FREE uint8_t *view = xmalloc((size_t)g->nodes + 1);
    for (uint32_t node = 0; node < g->nodes && result == 0; node++) {
        enum visibility visibility = VISIBLE_WHOLE;
        if (g->kind[node] == KIND_ENTRY && has_links(g, node))
            result =
                guard_visibility(r, row_of(g, node), &visibility, e) || reader_check(r, e) ? -1 : 0;
        view[node] = visibility == VISIBLE_NONE ? VIEW_NONE : VIEW_WHOLE;
        hides |= visibility == VISIBLE_NONE;
    }
    if (result == 0 && hides) {
        result = view_users(r, g, view, e);
        if (result == 0)
            graph_thin(g, view, false);
    }
    return result;
}

/* ---- names of entries in texts, and keys ---- */

static const char names_entry[] = "entry:";

static bool ends_id(char c)
{
    return !c || (unsigned char)c <= ' ' || strchr("\"',;()[]{}<>\\", c);
}

static int is_hidden_id(struct reader *r, const char *id, size_t len, bool *hidden, struct error *e)
{
    char name[REF_ID_MAX + 1];
    enum visibility visibility;
    if (len == 0 || len > REF_ID_MAX)
        return 0;
    memcpy(name, id, len);
    name[len] = '\0';
    if (guard_visibility_of_ref(r, (struct ref){KIND_ENTRY, name}, VISIBLE_NONE, &visibility, e))
        return -1;
    *hidden |= visibility == VISIBLE_NONE;
    return 0;
}

int guard_names_hidden(struct reader *r, const char *text, bool *hidden, struct error *e)
{
    *hidden = false;
    if (!text || !guard_hides(r))
        return 0;
    for (const char *at = text; !*hidden && (at = strstr(at, names_entry));) {
        size_t len = 0;
        at += strlen(names_entry);
        while (!ends_id(at[len]))
            len++;
        if (is_hidden_id(r, at, len, hidden, e))
            return -1;
    }
    return 0;
}

int guard_begins_hidden(struct reader *r, const char *text, bool *hidden, struct error *e)
{
    char name[REF_ID_MAX + 64];
    struct ref ref;
    enum visibility visibility;
    size_t len = 0;
    *hidden = false;
    if (!guard_hides(r))
        return 0;
    while (!ends_id(text[len]))
        len++;
    if (len >= sizeof(name))
        return 0;
    memcpy(name, text, len);
    name[len] = '\0';
    if (ref_parse(name, &ref) != REF_MEMORY)
        return 0;
    if (guard_visibility_of_ref(r, ref, VISIBLE_WHOLE, &visibility, e))
        return -1;
    *hidden = visibility != VISIBLE_WHOLE;
    return 0;
}

/* ---- filtering a memory ---- */

static int filter_relations(struct reader *r, struct arena *arena, struct memory *m,
                            struct error *e)
{
    struct relation *kept = arena_array(arena, m->relation_count + 1, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; i < m->relation_count; i++) {
        bool seen;
        if (sees_antecedent(r, m->relations[i].to, m->relations[i].to_node, &seen, e))
            return -1;
        if (seen)
            kept[count++] = m->relations[i];
    }
    m->relations = kept;
    m->relation_count = count;
    return 0;
}

static int thin_history(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    struct history_entry *kept = arena_array(arena, m->history_count + 1, sizeof(*kept));
    for (size_t i = 0; i < m->history_count; i++) {
        bool hidden;
        kept[i] = m->history[i];
        if (guard_names_hidden(r, kept[i].evidence_source, &hidden, e))
            return -1;
        if (hidden)
            kept[i].evidence_source = NULL;
    }
    m->history = kept;
    return 0;
}

/* Annotations may contain names, for example those made by an import. */
static int filter_annotations(struct reader *r, struct arena *arena, struct memory *m,
                              struct error *e)
{
    const char **kept = arena_array(arena, m->annotation_count + 1, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; i < m->annotation_count; i++) {
        bool hidden;
        if (guard_names_hidden(r, m->annotations[i], &hidden, e))
            return -1;
        if (!hidden)
            kept[count++] = m->annotations[i];
    }
    m->annotations = kept;
    m->annotation_count = count;
    return 0;
}

static void withhold(struct memory *m)
{
    struct memory bare;
    memory_init(&bare, m->ref);
    bare.node = m->node;
    bare.agent_id = m->agent_id;
    bare.source_type = m->source_type;
    bare.status = m->status;
    *m = bare;
}

int guard_filter(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    m->form = NULL;
    return failed_if(filter_justifications(r, arena, m, e) || filter_relations(r, arena, m, e) ||
                     thin_history(r, arena, m, e) || filter_annotations(r, arena, m, e) ||
                     guard_names(r, arena, m, e));
}

int guard_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    enum visibility visibility;
    if (!guard_hides(r))
        return 0;
    if (guard_visibility_of(r, m->node, m->ref.kind, m->agent_id, &visibility, e))
        return -1;
    if (visibility == VISIBLE_WHOLE)
        return guard_filter(r, arena, m, e);
    withhold(m);
    return 0;
}

/* ---- keys ---- */

/* An entry that was not put by the tools may have a text that differs from its key. A reader of the
 * past gets the key of that time. */
#define KEY_SQL(of_then)                                                                           \
    "SELECT coalesce(" of_then "(SELECT key FROM main.entry WHERE memory = m.id), m.text)"         \
    " FROM memory m WHERE m.id = ? AND m.kind = ?"

static int read_key(struct reader *r, struct arena *arena, int64_t node, const char **key,
                    struct error *e)
{
    static const char now[] = KEY_SQL("");
    static const char then[] = KEY_SQL("(SELECT key FROM temp.then_entry WHERE memory = m.id), ");
    struct query row =
        db_query(reader_db(r), e, reader_past(r) < 0 ? now : then, "ii", node, (int64_t)KIND_ENTRY);
    if (!db_next(&row))
        return db_end(&row);
    *key = db_text(arena, row.stmt, 0);
    db_end(&row);
    return 1;
}

/* Returns true if the namespace does not mask keys or if the key has no personal data. */
static bool key_is_open(const struct guard_rules *rules, const char *name, const char *key)
{
    size_t len = strlen(key);
    return !name || permission_policy(guard_permissions(rules), name)->pii == PII_OFF ||
           pii_key_visible(guard_pii(rules), key, len) == len;
}

static int show_key(struct reader *r, struct arena *arena, const char *name, const char *key,
                    const char **shown, struct error *e)
{
    reader_guard_known(r)->masked++;
    return entry_masked_key(r, arena, name, key, shown, e);
}

int guard_key(struct reader *r, struct arena *arena, int64_t node, const char **key,
              const char **shown, struct error *e)
{
    const struct guard_rules *rules = guard_rules_of(r);
    const char *name = NULL;
    *key = *shown = NULL;
    if (!rules)
        return 0;
    int found = read_key(r, arena, node, key, e);
    if (found <= 0 || !*key)
        return found < 0 ? -1 : 0;
    if (entry_namespace(r, arena, node, &name, e))
        return -1;
    if (key_is_open(rules, name, *key))
        return 0;
    return show_key(r, arena, name, *key, shown, e);
}

int guard_entry_key(struct reader *r, struct arena *arena, const struct memory *m, const char **key,
                    const char **shown, struct error *e)
{
    const struct guard_rules *rules = guard_rules_of(r);
    struct entry_claim name;
    *key = *shown = NULL;
    if (!rules || !m || m->ref.kind != KIND_ENTRY)
        return 0;
    if (!entry_name_of(m, detail_json(m->detail), arena, &name))
        return guard_key(r, arena, m->node, key, shown, e);
    *key = name.key;
    return key_is_open(rules, name.namespace_, name.key)
               ? 0
               : show_key(r, arena, name.namespace_, name.key, shown, e);
}

const char *guard_memory_text(struct reader *r, struct arena *arena, int64_t node, enum kind kind,
                              const char *text)
{
    struct error ignored;
    const char *key, *shown;
    if (!text || !guard_rules_of(r))
        return text;
    if (kind != KIND_ENTRY) {
        struct memory m = {.text = text};
        return guard_names_of_row(r, arena, node, &m, &ignored) ? kind_name(kind) : m.text;
    }
    if (guard_key(r, arena, node, &key, &shown, &ignored))
        return ENTRY_MASKED_PREFIX;
    const char *masked = shown ? guard_text(r, arena, key, strlen(key)) : NULL;
    bool is_key = shown && (!masked || !strcmp(text, key) || !strcmp(text, masked));
    return is_key ? shown : text;
}

void guard_add_opaque_key(struct strbuf *out, const char *form, size_t len, const char *key,
                          const char *shown)
{
    size_t key_len = strlen(key);
    const char *end = form + len, *at;
    for (; (at = memmem(form, (size_t)(end - form), key, key_len)); form = at + key_len) {
        bool alone = at[-1] == '"' && at + key_len < end && at[key_len] == '"';
        strbuf_add(out, form, (size_t)(at - form));
        strbuf_addstr(out, alone ? shown : key);
    }
    strbuf_add(out, form, (size_t)(end - form));
}

/* ---- reading ---- */

/* The stored form has the stored status. */
static int show_status(struct reader *r, struct memory *m, struct error *e)
{
    enum status stored = m->status;
    if (guard_status(r, m->ref.kind, m->node, &m->status, e))
        return -1;
    m->form = m->status == stored ? m->form : NULL;
    return 0;
}

static int read_for(struct reader *r, struct arena *arena, int64_t node, bool whole,
                    struct memory *out, struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = memory_read_db(reader_db(r), arena, node, out, e);
    if (!result && !whole)
        result = entry_hide(r, arena, out, e) || show_status(r, out, e) ? -1 : 0;
    reader_end(r);
    if (!result && reader_masked(r))
        result = guard_mask_memory(r, arena, out, e);
    return result;
}

int memory_read_with_expired(struct reader *r, struct arena *arena, int64_t node,
                             struct memory *out, struct error *e)
{
    return read_for(r, arena, node, true, out, e);
}

int memory_read(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                struct error *e)
{
    return read_for(r, arena, node, false, out, e);
}
