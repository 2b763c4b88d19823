/* A memory as the guard's caller sees it: thinned, withheld, masked. */
#include "store/guard/guard.h"

#include <string.h>
#include "model/format/exchange.h"
#include "model/format/exchange_parts.h"
#include "model/json/json.h"
#include "store/json/answer.h"
#include "store/db/db.h"
#include "store/record/detail_member.h"
#include "store/entries/entry.h"
#include "store/record/entry_claim.h"
#include "store/guard/guard_mask.h"
#include "store/guard/guard_support.h"
#include "store/history/past.h"
#include "store/db/reader.h"

static const char names_entry[] = "entry:";

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less.", "memory ran out");
}

/* ---- what names an entry ---- */

static bool ends_id(char c)
{
    return !c || (unsigned char)c <= ' ' || strchr("\"',;()[]{}<>\\", c);
}

static int is_hidden_id(struct reader *r, const char *id, size_t len, bool *hidden, struct error *e)
{
    char name[REF_ID_MAX + 1];
    enum sight sight = SIGHT_NONE;
    if (len == 0 || len > REF_ID_MAX)
        return 0;
    memcpy(name, id, len);
    name[len] = '\0';
    int64_t node = ref_find(reader_db(r), (struct ref){KIND_ENTRY, name}, e);
    if (node < 0 || (node > 0 && guard_sight(r, node, &sight, e)))
        return -1;
    *hidden |= sight == SIGHT_NONE;
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
    enum sight sight = SIGHT_WHOLE;
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
    int64_t node = ref_find(reader_db(r), ref, e);
    if (node < 0 || (node > 0 && guard_sight(r, node, &sight, e)))
        return -1;
    *hidden = sight != SIGHT_WHOLE;
    return 0;
}

/* ---- a memory thinned ---- */

static int thin_relations(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    struct relation *kept = arena_array(arena, m->relation_count + 1, sizeof(*kept));
    size_t count = 0;
    if (!kept)
        return out_of_memory(e);
    for (size_t i = 0; i < m->relation_count; i++) {
        bool seen;
        if (guard_sees_end(r, m->relations[i].to, m->relations[i].to_node, &seen, e))
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
    if (!kept)
        return out_of_memory(e);
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

/* Names that stand by themselves, such as an annotation of an import's. */
static int thin_annotations(struct reader *r, struct arena *arena, struct memory *m,
                            struct error *e)
{
    const char **kept = arena_array(arena, m->annotation_count + 1, sizeof(*kept));
    size_t count = 0;
    if (!kept)
        return out_of_memory(e);
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

int guard_thin(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    m->form = NULL;
    return guard_groups(r, arena, m, e) || thin_relations(r, arena, m, e) ||
                   thin_history(r, arena, m, e) || thin_annotations(r, arena, m, e) ||
                   guard_names(r, arena, m, e)
               ? -1
               : 0;
}

int guard_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    enum sight sight;
    if (!guard_hides(r))
        return 0;
    if (guard_sight_of(r, m->node, m->ref.kind, m->agent_id, &sight, e))
        return -1;
    if (sight == SIGHT_WHOLE)
        return guard_thin(r, arena, m, e);
    withhold(m);
    return 0;
}

/* ---- keys ---- */

/* What was put by another way than the tools may have another text than its key. Of a moment its key of then. */
#define KEY_SQL(of_then)                                                                           \
    "SELECT coalesce(" of_then "(SELECT key FROM main.entry WHERE memory = m.id), m.text)"         \
    " FROM memory m WHERE m.id = ? AND m.kind = ?"

static int read_key(struct reader *r, struct arena *arena, int64_t node, const char **key,
                    struct error *e)
{
    static const char now[] = KEY_SQL("");
    static const char then[] = KEY_SQL("(SELECT key FROM temp.then_entry WHERE memory = m.id), ");
    sqlite3_stmt *stmt = db_prepare(reader_db(r), reader_past(r) < 0 ? now : then, e);
    int found = stmt ? db_bind(reader_db(r), stmt, e, "ii", node, (int64_t)KIND_ENTRY) : -1;
    if (found <= 0)
        return found;
    *key = db_text(arena, stmt, 0);
    sqlite3_reset(stmt);
    return 1;
}

/* Shown as it is where its namespace says so, and where nothing in it is personal. */
static bool key_is_open(const struct guard_rules *rules, const char *name, const char *key)
{
    size_t len = strlen(key);
    return !name || permission_policy(guard_permissions(rules), name)->pii == PII_OFF ||
           pii_key_open(guard_pii(rules), key, len) == len;
}

static int show_key(struct reader *r, struct arena *arena, const char *name, const char *key,
                    const char **shown, struct error *e)
{
    reader_guard_known(r)->masked++;
    return entry_shown_key(r, arena, name, key, shown, e);
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
        return ENTRY_SHOWN;
    const char *masked = shown ? guard_text(r, arena, key, strlen(key)) : NULL;
    bool is_key = shown && (!masked || !strcmp(text, key) || !strcmp(text, masked));
    return is_key ? shown : text;
}

/* ---- forms ---- */

int guard_add_withheld(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                       struct error *e)
{
    struct memory_row row;
    if (memory_row_read(r, arena, node, &row, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "ref");
    exchange_add_ref(out, row.ref);
    json_key(&o, "agent_id");
    json_add_string(out, row.agent_id ? row.agent_id : "");
    json_pair_bool(&o, "withheld", true);
    json_end(&o);
    return 0;
}

static int add_thinned(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                       struct error *e)
{
    struct memory m;
    if (answer_read(r, arena, node, &m, e) || guard_memory(r, arena, &m, e) ||
        guard_excerpts(r, arena, &m, e))
        return -1;
    m.form = NULL;
    exchange_write(out, &m, NULL);
    if (!out->failed)
        strbuf_cut(out, out->len - 1);
    return 0;
}

void guard_add_shown(struct strbuf *out, const char *form, size_t len, const char *key,
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

static const char excerpt[] = "\"excerpt\":\"";
static const char begins_entry[] = "{\"ref\":\"entry:";

struct form_kind guard_form_kind(const char *form, size_t len)
{
    size_t begun = sizeof(begins_entry) - 1;
    bool is_entry = len >= begun && memcmp(form, begins_entry, begun) == 0;
    size_t at = is_entry ? begun : 0;
    return (struct form_kind){.is_entry = is_entry,
                              .may_name = guard_may_name(form + at, len - at),
                              .quotes = memmem(form, len, excerpt, sizeof(excerpt) - 1) != NULL};
}

/* `{"ref":"KIND:…","agent_id":"…"`: no entry, names none, and is the caller's own or one of nobody's. */
bool guard_form_is_open(struct reader *r, struct form_kind kind, const char *form, size_t len)
{
    static const char middle[] = "\",\"agent_id\":\"";
    char agent[256];
    if (kind.is_entry || kind.may_name || (kind.quotes && guard_masks(r)))
        return false;
    const char *at = memmem(form, len < 600 ? len : 600, middle, sizeof(middle) - 1);
    if (!at || memchr(form, '\\', (size_t)(at - form)))
        return false;
    at += sizeof(middle) - 1;
    size_t left = len - (size_t)(at - form);
    const char *end = memchr(at, '"', left < sizeof(agent) ? left : sizeof(agent));
    if (!end || memchr(at, '\\', (size_t)(end - at)))
        return false;
    memcpy(agent, at, (size_t)(end - at));
    agent[end - at] = '\0';
    return !guard_hides_agent(r, agent);
}

int guard_form(struct reader *r, struct arena *arena, int64_t node, struct form_kind kind,
               const char *whole, size_t len, struct strbuf *out, struct error *e)
{
    const char *key, *shown = NULL;
    struct strbuf seen = STRBUF_INIT;
    if (kind.is_entry && guard_key(r, arena, node, &key, &shown, e))
        return -1;
    struct strbuf *to = shown ? &seen : out;
    int result = 0;
    if (kind.may_name || (kind.quotes && guard_masks(r)))
        result = add_thinned(r, arena, node, to, e);
    else
        strbuf_add(to, whole, len);
    if (result == 0 && shown)
        guard_add_shown(out, seen.buf, seen.len, key, shown);
    out->failed |= seen.failed;
    strbuf_release(&seen);
    return result;
}
