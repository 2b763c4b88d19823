/*
 * Names of entries in details and texts, excerpts, and expired values, as the caller may see them.
 */
#include <string.h>
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard_internal.h"
#include "store/record/index_tables.h"
#include "store/record/entry_row.h"

/* The inside of a string in JSON. */
struct string {
    const char *begin, *end;
};

/* Finds the next string from `at` on in valid JSON. Returns false if there is none. */
static bool next_string(const char *at, const char *end, struct string *out)
{
    at = memchr(at, '"', (size_t)(end - at));
    if (!at)
        return false;
    out->begin = ++at;
    while (at < end && *at != '"')
        at += *at == '\\' ? 2 : 1;
    out->end = at < end ? at : end;
    return true;
}

static const char uri_begins[] = "stemma://entry/", ref_begins[] = "entry:";

/* Writes "entry:ID" to `name` if the text is such a ref or its URI. Returns false otherwise. */
static bool name_of(const char *text, size_t len, char *name, size_t size)
{
    const size_t uri = sizeof(uri_begins) - 1, ref = sizeof(ref_begins) - 1;
    bool is_uri = len > uri && memcmp(text, uri_begins, uri) == 0;
    if ((!is_uri && (len <= ref || memcmp(text, ref_begins, ref) != 0)) || len >= size)
        return false;
    size_t from = is_uri ? uri : ref;
    memcpy(name, ref_begins, ref);
    memcpy(name + ref, text + from, len - from);
    name[ref + len - from] = '\0';
    return true;
}

/* Sets *unseen if the text is nothing but the name of an entry that the caller does not see.
 * Missing and hidden entries give the same result. */
static int is_unseen(struct reader *r, const char *text, size_t len, bool *unseen, struct error *e)
{
    char name[REF_ID_MAX + 40];
    struct ref ref;
    enum visibility visibility;
    *unseen = false;
    if (!name_of(text, len, name, sizeof(name)) || ref_parse(name, &ref) != REF_MEMORY)
        return 0;
    if (guard_visibility_of_ref(r, ref, VISIBLE_NONE, &visibility, e))
        return -1;
    *unseen = visibility == VISIBLE_NONE;
    return 0;
}

static int is_unseen_string(struct reader *r, struct string s, bool *unseen, struct error *e)
{
    char text[2 * REF_ID_MAX];
    size_t len = (size_t)(s.end - s.begin);
    *unseen = false;
    return len < sizeof(text) ? is_unseen(r, text, json_unescape(text, s.begin, len), unseen, e)
                              : 0;
}

static const char *past_space(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at))
        at++;
    return at;
}

/* Removes a string that was to be appended to `out`. An element of an array goes with one of its
 * commas; the value of a member becomes null. *at is after the closing quote. */
static void remove_string(struct strbuf *out, const char **at, const char *end)
{
    while (out->len && strchr(" \t\r\n", out->buf[out->len - 1]))
        strbuf_cut(out, out->len - 1);
    const char *next = past_space(*at, end);
    char before = out->len ? out->buf[out->len - 1] : '\0';
    if (before == ':' || !before) {
        strbuf_addstr(out, "null");
    } else if (before == ',') {
        strbuf_cut(out, out->len - 1);
    } else if (next < end && *next == ',') {
        *at = next + 1;
    }
}

static int remove_unseen(struct reader *r, const char *text, const char *end, struct strbuf *out,
                         struct error *e)
{
    struct string s;
    const char *at = text;
    while (next_string(at, end, &s)) {
        bool unseen, is_key;
        const char *after = s.end < end ? s.end + 1 : end, *next = past_space(after, end);
        is_key = next < end && *next == ':';
        if (is_unseen_string(r, s, &unseen, e))
            return -1;
        strbuf_add(out, at, (size_t)((unseen && !is_key ? s.begin - 1 : after) - at));
        at = after;
        if (unseen && !is_key)
            remove_string(out, &at, end);
    }
    strbuf_add(out, at, (size_t)(end - at));
    return 0;
}

/* Runs for every memory shown to an agent, so it is one pass. A false positive only costs a closer
 * look. */
bool guard_may_name(const char *text, size_t len)
{
    static const char word[] = "entry";
    const char *end = text + len, *at = text;
    while ((at = memmem(at, (size_t)(end - at), word, sizeof(word) - 1))) {
        at += sizeof(word) - 1;
        if (at < end && (*at == ':' || *at == '/' || *at == '\\'))
            return true;
    }
    return false;
}

static int filter_detail(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    AUTO_STRBUF out = STRBUF_INIT;
    size_t len = m->detail ? strlen(m->detail) : 0;
    if (len == 0 || !guard_may_name(m->detail, len))
        return 0;
    int result = remove_unseen(r, m->detail, m->detail + len, &out, e);
    if (result == 0)
        m->detail = arena_strndup(arena, out.buf, out.len);
    return result;
}

/* ---- texts ---- */

static bool begins_as_name(const char *text)
{
    return strncmp(text, ref_begins, sizeof(ref_begins) - 1) == 0 ||
           strncmp(text, uri_begins, sizeof(uri_begins) - 1) == 0;
}

static bool is_name(const char *text)
{
    return begins_as_name(text) && !text[strcspn(text, " \t\r\n")];
}

static int filter_text(struct reader *r, const char **text, struct error *e)
{
    bool unseen = false;
    if (*text && begins_as_name(*text) && is_unseen(r, *text, strlen(*text), &unseen, e))
        return -1;
    if (unseen)
        *text = NULL;
    return 0;
}

/* Only a text of a single word is a name. */
static int filter_words(struct reader *r, enum kind kind, const char **text, struct error *e)
{
    if (!*text || !is_name(*text))
        return 0;
    if (filter_text(r, text, e))
        return -1;
    if (!*text)
        *text = kind_name(kind);
    return 0;
}

static int filter_flags(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    struct flag *flags = arena_array(arena, m->flag_count + 1, sizeof(*flags));
    for (size_t i = 0; i < m->flag_count; i++) {
        flags[i] = m->flags[i];
        if (filter_text(r, &flags[i].value, e))
            return -1;
    }
    m->flags = flags;
    return 0;
}

/* ---- own memories ---- */

static bool is_own(const struct guard *g, const char *agent)
{
    return g->agent && agent && strcmp(g->agent, agent) == 0;
}

int guard_names(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    const struct guard *g = reader_guarded(r);
    if (!g || is_own(g, m->agent_id) || m->ref.kind == KIND_ENTRY)
        return 0;
    return failed_if(filter_detail(r, arena, m, e) || filter_flags(r, arena, m, e) ||
                     filter_words(r, m->ref.kind, &m->text, e) || filter_text(r, &m->source, e) ||
                     filter_text(r, &m->source_entity, e));
}

static bool may_name(const struct memory *m)
{
    const char *const texts[] = {m->text, m->source, m->source_entity};
    bool may = m->detail && guard_may_name(m->detail, strlen(m->detail));
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        may |= texts[i] && begins_as_name(texts[i]);
    return may;
}

int guard_names_of_row(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                       struct error *e)
{
    int kind;
    enum status status;
    if (!guard_hides(r) || !may_name(m))
        return 0;
    int found = guard_owner(r, arena, node, &kind, &status, &m->agent_id, e);
    if (found <= 0)
        return found;
    m->ref.kind = (enum kind)kind;
    return guard_names(r, arena, m, e);
}

int guard_names_in_json(struct reader *r, const char *agent, struct strbuf *out, size_t from,
                        struct error *e)
{
    const struct guard *g = reader_guarded(r);
    AUTO_STRBUF thinned = STRBUF_INIT;
    size_t len = out->len - from;
    if (!guard_hides(r) || is_own(g, agent) || !guard_may_name(out->buf + from, len))
        return 0;
    int result = remove_unseen(r, out->buf + from, out->buf + out->len, &thinned, e);
    if (result == 0) {
        strbuf_cut(out, from);
        strbuf_add(out, thinned.buf, thinned.len);
    }
    return result;
}

/* ---- excerpts ---- */

#define CONTEXT 1024 /* bytes on each side of an edge; no pattern matches more */

/* The start of the character at or before `at`. */
static size_t character_at(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* Finds personal data that lies on both sides of `edge`. *out has offsets in the text. */
static bool crosses(const struct pii *pii, const char *text, size_t len, size_t edge,
                    struct pii_span *out)
{
    size_t from = character_at(text, edge > CONTEXT ? edge - CONTEXT : 0);
    size_t to = len - edge > CONTEXT ? character_at(text, edge + CONTEXT) : len;
    for (size_t at = 0; at < to - from && pii_find(pii, text + from, to - from, at, out);
         at = out->end) {
        if (from + out->start >= edge)
            return false;
        if (from + out->end > edge) {
            out->start += from;
            out->end += from;
            return true;
        }
        if (out->end <= at)
            return false;
    }
    return false;
}

static void add_mask(struct strbuf *out, const struct pii *pii, const char *text,
                     const struct pii_span *found)
{
    pii_mask_text(pii, text + found->start, found->end - found->start, out, NULL);
}

/* If the excerpt occurs several times in the text, the first place counts. Returns false if nothing
 * is cut in two. */
static bool mask_edges(const struct pii *pii, const char *text, const char *excerpt,
                       struct strbuf *out)
{
    size_t len = strlen(text), quoted = strlen(excerpt), begin, end;
    const char *at = memmem(text, len, excerpt, quoted);
    struct pii_span first, last;
    if (!at || quoted == 0 || quoted == len)
        return false;
    begin = (size_t)(at - text);
    end = begin + quoted;
    bool before = begin > 0 && crosses(pii, text, len, begin, &first);
    bool after = end < len && crosses(pii, text, len, end, &last);
    if (!before && !after)
        return false;
    if (before) {
        add_mask(out, pii, text, &first);
        begin = first.end;
    }
    if (after)
        end = last.start;
    if (begin < end)
        strbuf_add(out, text + begin, end - begin);
    if (after && !(before && first.start == last.start))
        add_mask(out, pii, text, &last);
    return true;
}

static int read_text(struct reader *r, struct arena *arena, int64_t node, const char **text,
                     struct error *e)
{
    struct query found =
        db_query(reader_db(r), e, "SELECT text FROM memory WHERE id = ?", "i", node);
    *text = db_next(&found) ? db_text(arena, found.stmt, 0) : NULL;
    return db_end(&found);
}

/* Masks personal data that the start or the end of the excerpt cuts in two. `quoted` is the row of the memory that it
 * quotes. The result is in the arena. */
static int mask_excerpt(struct reader *r, struct arena *arena, int64_t quoted, const char **excerpt,
                        struct error *e)
{
    const struct guard_rules *rules = guard_rules_of(r);
    const char *text;
    AUTO_STRBUF out = STRBUF_INIT;
    if (!rules || !guard_masks(r) || !*excerpt || !**excerpt || quoted <= 0)
        return 0;
    if (read_text(r, arena, quoted, &text, e))
        return -1;
    bool cut = text && mask_edges(guard_pii(rules), text, *excerpt, &out);
    if (cut) {
        *excerpt = arena_strndup(arena, out.buf, out.len);
        reader_guard_known(r)->masked++;
    }
    return 0;
}

int guard_excerpts(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    for (size_t i = 0; i < m->justification_count && guard_rules_of(r); i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct antecedent *a = &m->justifications[i].antecedents[k];
            const char *excerpt = a->use ? a->use->excerpt : NULL;
            if (mask_excerpt(r, arena, a->node, &excerpt, e))
                return -1;
            if (!a->use || excerpt == a->use->excerpt)
                continue;
            struct use *use = arena_memdup(arena, a->use, sizeof(*use));
            use->excerpt = excerpt;
            a->use = use;
        }
    return 0;
}

/* ---- expired values ---- */

/*
 * Sets *is if the value of an entry must not be shown, in this version or in any. Once the present
 * version has expired, all earlier values are hidden. For agents, a deleted entry has no value
 * until a person restores it. *kind is the present kind of the row.
 */
static int is_hidden(struct reader *r, const struct memory *m, int *kind, bool *is, struct error *e)
{
    int64_t now = store_now(reader_store(r));
    struct query row = db_query(reader_db(r), e,
                                "SELECT m.kind, m.status, e.expires FROM main.memory m"
                                " LEFT JOIN main.entry e ON e.memory = m.id WHERE m.id = ?",
                                "i", m->node);
    *is = entry_is_over(m, now);
    if (!db_next(&row))
        return db_end(&row);
    *kind = sqlite3_column_int(row.stmt, 0);
    *is |=
        sqlite3_column_type(row.stmt, 2) != SQLITE_NULL && sqlite3_column_int64(row.stmt, 2) <= now;
    *is |= reader_guarded(r) && sqlite3_column_int(row.stmt, 1) == STATUS_DELETED;
    return db_end(&row);
}

int entry_hide(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    if (m->ref.kind != KIND_ENTRY || !m->detail || reader_is_writers(r))
        return 0;
    struct json_slice detail = detail_json(m->detail);
    if (!detail.ptr || !json_member(detail.ptr, detail.len, "value").ptr)
        return 0;
    bool hidden;
    int kind = m->ref.kind;
    if (is_hidden(r, m, &kind, &hidden, e))
        return -1;
    if (!hidden || kind != KIND_ENTRY)
        return 0;
    m->form = NULL; /* holds the value */
    detail_set(&m->detail, arena, "value", NULL);
    return 0;
}

int entry_hide_detail(struct reader *r, struct arena *arena, int64_t node, const char **detail,
                      struct error *e)
{
    struct memory m = {.ref.kind = KIND_ENTRY, .node = node, .detail = *detail};
    if (!*detail || !strstr(*detail, "\"value\""))
        return 0;
    int result = entry_hide(r, arena, &m, e);
    *detail = m.detail;
    return result;
}
