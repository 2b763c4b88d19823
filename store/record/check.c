/*
 * Checks memories before they are written: the rules for entries, and whether any memory can be
 * stored and read back unchanged.
 */

#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/record/entry_row.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"

/* ---- members of an entry ---- */

#define SHOWN 60 /* bytes of a wrong value in an error text */

static int wrong(struct json_slice value, const char *member, const char *hint, struct error *e)
{
    size_t shown = utf8_fit(value.ptr, value.len, SHOWN);
    return error_set(e, ERROR_INVALID, hint, "the %s of an entry cannot be %.*s%s", member,
                     (int)shown, value.ptr, shown < value.len ? "…" : "");
}

static int check_name(struct json_slice detail, const char *member,
                      bool (*valid)(const char *, size_t), const char *hint, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *text;
    struct json_slice value = json_member(detail.ptr, detail.len, member);
    int result = 0;
    if (value.ptr) {
        detail_string(value, &arena, &text);
        if (!text || !valid(text, strlen(text)))
            result = wrong(value, member, hint, e);
    }
    return result;
}

static int check_value(struct json_slice detail, struct error *e)
{
    if (json_member(detail.ptr, detail.len, "value").len <= ENTRY_VALUE_MAX)
        return 0;
    return error_set(e, ERROR_INVALID, "Keep it elsewhere, and its name here.",
                     "the value is longer than %d bytes", ENTRY_VALUE_MAX);
}

static bool is_null(struct json_slice value)
{
    return value.len == 4 && memcmp(value.ptr, "null", 4) == 0;
}

static int check_expiry(struct json_slice detail, struct error *e)
{
    int64_t ms;
    struct json_slice value = json_member(detail.ptr, detail.len, "expires_at");
    if (!value.ptr || is_null(value) ||
        (json_integer(value, &ms) == 0 && ms >= 0 && ms < YEAR_10000))
        return 0;
    return wrong(value, "expires_at",
                 "Give milliseconds since the epoch, or leave it out for never.", e);
}

#define NAMESPACE_TODO                                                                             \
    "Give letters, digits, _ and -, with dots between parts, 100 bytes of them at most."
#define KEY_TODO "Give letters, digits and _ . : / @ -, 200 bytes of them at most."

static int check_detail(struct json_slice detail, struct error *e)
{
    return failed_if(check_name(detail, "namespace", namespace_is_valid, NAMESPACE_TODO, e) ||
                     check_name(detail, "key", entry_key_is_valid, KEY_TODO, e) ||
                     check_value(detail, e) || check_expiry(detail, e));
}

/*
 * Stores the detail of an entry; ptr is NULL for other kinds, purged entries and entries without
 * one.
 */
static void detail_of_entry(const struct memory *m, struct json_slice *detail)
{
    *detail = (struct json_slice){NULL, 0};
    if (m->ref.kind != KIND_ENTRY || m->status == STATUS_PURGED)
        return;
    *detail = detail_json(m->detail);
}

int entry_check_given(const struct memory *m, struct error *e)
{
    struct json_slice detail;
    detail_of_entry(m, &detail);
    return detail.ptr ? check_detail(detail, e) : 0;
}

/* ---- whether the entry is complete ---- */

static int wrong_text(const char *text, struct error *e)
{
    size_t len = strlen(text), shown = utf8_fit(text, len, SHOWN);
    return error_set(e, ERROR_INVALID, KEY_TODO,
                     "the text of an entry is its key, which cannot be \"%.*s%s\"", (int)shown,
                     text, shown < len ? "…" : "");
}

static int check_text(const struct memory *m, struct json_slice detail, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *key = NULL;
    struct json_slice value = json_member(detail.ptr, detail.len, "key");
    int result = 0;
    if (value.ptr)
        detail_string(value, &arena, &key);
    if (key && strcmp(key, m->text) != 0)
        result = error_set(e, ERROR_INVALID, "Leave the text out, or give the key as the text.",
                           "the text of an entry is its key");
    else if (result == 0 && !entry_key_is_valid(m->text, strlen(m->text)))
        result = wrong_text(m->text, e);
    return result;
}

/* Requires a namespace, and a value if `needs_value`. */
static int check_parts(struct json_slice detail, bool needs_value, struct error *e)
{
    if (!detail.ptr || !json_member(detail.ptr, detail.len, "namespace").ptr)
        return error_set(e, ERROR_INVALID, "Give the field namespace.",
                         "an entry is in a namespace, and this one is in none");
    if (!needs_value || json_member(detail.ptr, detail.len, "value").ptr)
        return 0;
    return error_set(e, ERROR_INVALID,
                     "Give the field value as JSON; null says that there is nothing.",
                     "an entry has a value, and this one has none");
}

int entry_check(const struct memory *m, int64_t now, struct error *e)
{
    struct json_slice detail;
    struct memory living = *m;
    living.status = STATUS_ACTIVE;
    if (m->ref.kind != KIND_ENTRY)
        return 0;
    detail_of_entry(m, &detail);
    if ((detail.ptr && check_detail(detail, e)) || check_parts(detail, true, e))
        return -1;
    if (entry_is_over(&living, now))
        return error_set(e, ERROR_INVALID, "Give a time to come, or retract it.",
                         "expires_at is past: the value would be erased at once, for good");
    return check_text(m, detail, e);
}

/* ---- JSONL lines ---- */

/*
 * An expired entry has no value any more. If there is a key, the text may be anything: an import
 * stores it unchanged.
 */
static int check_living(const struct memory *m, struct json_slice detail, int64_t now,
                        struct error *e)
{
    if (check_parts(detail, !entry_is_over(m, now), e))
        return -1;
    bool has_key = json_member(detail.ptr, detail.len, "key").ptr;
    return has_key || entry_key_is_valid(m->text, strlen(m->text)) ? 0 : wrong_text(m->text, e);
}

int entry_check_line(const struct memory *m, int64_t now, struct error *e)
{
    struct json_slice detail;
    if (m->ref.kind != KIND_ENTRY)
        return 0;
    detail_of_entry(m, &detail);
    bool lives = m->status == STATUS_ACTIVE || m->status == STATUS_SUPERSEDED;
    if ((detail.ptr && check_detail(detail, e)) || (lives && check_living(m, detail, now, e)))
        return error_prefix(e, "entry:%s", m->ref.id);
    return 0;
}

struct check {
    const struct memory *m;
    struct error *e;
};

static int put_check_wrong(const struct check *c, const char *field, const char *how)
{
    return error_set(c->e, ERROR_INVALID, "Correct it and try again.", "%s:%s: %s %s",
                     REF_ARGS(c->m->ref), field, how);
}

static int text(const struct check *c, const char *field, const char *s)
{
    if (s && !utf8_valid(s, strlen(s)))
        return put_check_wrong(c, field, "is not valid UTF-8");
    return 0;
}

static int name(const struct check *c, const char *field, const char *s)
{
    return s && *s ? text(c, field, s) : put_check_wrong(c, field, "is empty");
}

static int texts(const struct check *c, const char *field, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strings[i] || text(c, field, strings[i]))
            return strings[i] ? -1 : put_check_wrong(c, field, "has an element that is absent");
    return 0;
}

static int ref(const struct check *c, const char *field, struct ref r)
{
    if ((unsigned)r.kind >= KIND_COUNT)
        return put_check_wrong(c, field, "names no kind");
    if (name(c, field, r.id))
        return -1;
    return strlen(r.id) > REF_ID_MAX ? put_check_wrong(c, field, "is too long") : 0;
}

static int fraction(const struct check *c, const char *field, double value)
{
    return value >= 0 && value <= 1 ? 0 : put_check_wrong(c, field, "is not a number from 0 to 1");
}

static int number(const struct check *c, const char *field, double value)
{
    return isnan(value) || isfinite(value) ? 0
                                           : put_check_wrong(c, field, "is not a finite number");
}

static int use(const struct check *c, const struct use *u)
{
    if (!isnan(u->relevance) && fraction(c, "a relevance", u->relevance))
        return -1;
    if ((unsigned)u->score > SCORE_ASSERTED || u->rank < -1 || u->page < -1)
        return put_check_wrong(c, "a use", "has a number out of range");
    return failed_if(text(c, "an excerpt", u->excerpt) || text(c, "a section", u->section) ||
                     text(c, "a version hash", u->version_hash) || text(c, "a label", u->label) ||
                     text(c, "a title", u->title));
}

static int repeated_in_few(const struct check *c, const struct justification *j)
{
    for (size_t i = 1; i < j->count; i++)
        for (size_t k = 0; k < i; k++)
            if (ref_equal(j->antecedents[i].ref, j->antecedents[k].ref))
                return put_check_wrong(c, role_name(j->role), "names a memory twice");
    return 0;
}

/* Most groups have only a few members; in a large one duplicates are found by sorting. */
static int repeated(const struct check *c, const struct justification *j)
{
    bool again = false;
    if (j->count <= 8)
        return repeated_in_few(c, j);
    AUTO_FREE struct unique_key *keys = xmalloc(j->count * sizeof(*keys));
    for (size_t i = 0; i < j->count; i++)
        keys[i] = (struct unique_key){.group = (int)j->antecedents[i].ref.kind,
                                      .text = j->antecedents[i].ref.id};
    unique_find(keys, j->count);
    for (size_t i = 0; i < j->count; i++)
        again |= keys[i].again;
    return again ? put_check_wrong(c, role_name(j->role), "names a memory twice") : 0;
}

static int justification(const struct check *c, const struct justification *j)
{
    if (!ROLE_IS_SUPPORT((unsigned)j->role) || (unsigned)j->reading > READING_ALL ||
        (unsigned)j->recorded > RECORDED_HEURISTIC)
        return put_check_wrong(c, "a justification",
                               "has an unknown role, reading or way of recording");
    for (size_t i = 0; i < j->count; i++) {
        const struct antecedent *a = &j->antecedents[i];
        if (ref(c, role_name(j->role), a->ref) || (a->use && use(c, a->use)))
            return -1;
    }
    return text(c, "a reason", j->reason) || (j->count > 1 && repeated(c, j)) ? -1 : 0;
}

static int groups(const struct check *c)
{
    for (size_t i = 0; i < c->m->justification_count; i++)
        if (justification(c, &c->m->justifications[i]))
            return -1;
    for (size_t i = 0; i < c->m->relation_count; i++) {
        const struct relation *r = &c->m->relations[i];
        if (r->type < RELATION_SUPERSEDES || r->type >= RELATION_END)
            return put_check_wrong(c, "a relation", "is of an unknown type");
        if (ref(c, role_name(r->type), r->to) || text(c, "a reason", r->reason))
            return -1;
    }
    return 0;
}

static int entries(const struct check *c)
{
    for (size_t i = 0; i < c->m->history_count; i++) {
        const struct history_entry *h = &c->m->history[i];
        if (number(c, "history", h->old) || number(c, "history", h->new_) ||
            text(c, "history", h->reason) || text(c, "history", h->evidence_source) ||
            text(c, "history", h->operation) || text(c, "history", h->actor) ||
            text(c, "history", h->origin) || text(c, "history", h->before) ||
            text(c, "history", h->after))
            return -1;
    }
    for (size_t i = 0; i < c->m->flag_count; i++) {
        const struct flag *k = &c->m->flags[i];
        if (name(c, "a mark", k->name) || text(c, "a mark", k->actor) ||
            text(c, "a mark", k->value) || text(c, "a mark", k->reason))
            return -1;
    }
    return 0;
}

static int detail(const struct check *c, struct strbuf *scratch)
{
    const char *json = put_detail(c->m);
    if (!json)
        return 0;
    struct error why;
    size_t len = strlen(json);
    if (json[0] != '{' || json_check(json, len, JSON_DEPTH_MAX, &why))
        return put_check_wrong(c, "detail", "is not a JSON object");
    strbuf_clear(scratch);
    json_minify(scratch, json, len);
    return strcmp(scratch->buf, json) != 0 ? put_check_wrong(c, "detail", "is not minified") : 0;
}

int put_check(const struct memory *m, struct strbuf *scratch, struct error *e)
{
    struct check c = {m, e};
    if ((unsigned)m->ref.kind >= KIND_COUNT || !m->ref.id)
        return error_set(e, ERROR_INVALID, "", "a memory without a kind or an id");
    if (ref(&c, "id", m->ref) || name(&c, "agent_id", m->agent_id) ||
        name(&c, "source_type", m->source_type) || fraction(&c, "confidence", m->confidence) ||
        text(&c, "source", m->source) || text(&c, "source_entity", m->source_entity) ||
        text(&c, "context", m->context) || texts(&c, "tags", m->tags, m->tag_count) ||
        texts(&c, "annotations", m->annotations, m->annotation_count))
        return -1;
    if (!m->text || text(&c, "text", m->text))
        return m->text ? -1 : put_check_wrong(&c, "text", "is absent");
    if ((unsigned)m->status >= STATUS_COUNT || m->status == STATUS_MISSING)
        return put_check_wrong(&c, "status", "is not one that a memory can have");
    if (m->version < 1)
        return put_check_wrong(&c, "version", "is less than 1");
    return groups(&c) || entries(&c) || detail(&c, scratch) ? -1 : 0;
}

/* ---- the number of a step ---- */

static int check_siblings(struct db *db, const struct memory *m, const char *chain, struct error *e)
{
    static const char siblings[] =
        "SELECT m.name, m.detail FROM memory c CROSS JOIN link l INDEXED BY link_target"
        " ON l.target = c.id CROSS JOIN memory m ON m.id = l.memory WHERE c.kind = ? AND c.name = ?"
        " AND l.shape & 31 = ? AND m.kind = ? AND m.name <> ? AND m.status <> ?";
    AUTO_ARENA arena = ARENA_INIT;
    int64_t number = detail_int(m, "step_number", 0);
    struct query rows =
        db_query(db, e, siblings, "isiisi", (int64_t)KIND_CHAIN, chain, (int64_t)RELATION_PART_OF,
                 (int64_t)KIND_STEP, m->ref.id, (int64_t)STATUS_MISSING);
    while (db_next(&rows)) {
        struct memory step = {.detail = db_text(&arena, rows.stmt, 1)};
        if (detail_int(&step, "step_number", 0) != number)
            continue;
        error_set(e, ERROR_CONFLICT, "Give it another number.",
                  "step:%s has the number %lld already", db_text(&arena, rows.stmt, 0),
                  (long long)number);
        return db_fail(&rows);
    }
    return db_end(&rows);
}

int step_number_check(struct db *db, const struct memory *m, struct error *e)
{
    if (m->ref.kind != KIND_STEP || detail_int(m, "step_number", 0) == 0)
        return 0;
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == RELATION_PART_OF &&
            check_siblings(db, m, m->relations[i].to.id, e))
            return -1;
    return 0;
}

int step_return_check(struct db *db, const struct memory *m, struct error *e)
{
    int64_t was_here = 0;
    if (m->ref.kind == KIND_STEP &&
        db_int(db, &was_here, 0, e,
               "SELECT 1 FROM memory WHERE kind = ? AND name = ? AND status = ? AND event > 0",
               "isi", (int64_t)KIND_STEP, m->ref.id, (int64_t)STATUS_MISSING))
        return -1;
    return was_here ? step_number_check(db, m, e) : 0;
}
