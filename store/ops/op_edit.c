/* Edit: changes text, confidence, tags, fields of the detail and what it was made from. Values that are the same
 * already are no change. */
#include <string.h>
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "model/base/utf8.h"
#include "store/ops/add.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"
#include "store/record/entry_row.h"
#include "store/ops/fix.h"
#include "store/ops/operation_internal.h"
#include "store/db/db.h"

/* ---- text ---- */

/* Some kinds repeat their text in a field of the detail; keep it in step. */
static void follow_text(struct plan *p, struct memory *m, const char *was)
{
    static const char *const names[] = {"objective", "question"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const char *text;
        detail_text(m, names[i], p->arena, &text);
        if (same_text(text, was))
            detail_set_text(&m->detail, p->arena, names[i], m->text);
    }
}

/* The new text is a real text: remove the fields that say the old one was only an id, a snippet or
 * a summary. */
static void own_text(struct plan *p, struct memory *m)
{
    static const struct {
        const char *name;
        unsigned kinds;
    } stand_ins[] = {
        {"untitled", KIND_BIT(KIND_DOCUMENT) | KIND_BIT(KIND_CITATION)},
        {"snippet", KIND_BIT(KIND_DOCUMENT) | KIND_BIT(KIND_CITATION)},
        {"content_summary", KIND_BIT(KIND_ATTRIBUTION)},
    };
    for (size_t i = 0; i < sizeof(stand_ins) / sizeof(*stand_ins); i++)
        if (stand_ins[i].kinds & KIND_BIT(m->ref.kind))
            detail_set(&m->detail, p->arena, stand_ins[i].name, NULL);
}

static int edit_text(struct plan *p, struct memory *m, const struct request *q, struct error *e)
{
    const char *was = m->text;
    if (plan_set_text(p, m, q->text, q->text_len, e))
        return -1;
    follow_text(p, m, was);
    own_text(p, m);
    if (!same_text(was, m->text))
        operation_end_approval(p, m);
    return 0;
}

/* ---- tags, fields, source ---- */

static int edit_tags(struct plan *p, struct memory *m, const struct request *q, struct error *e)
{
    m->tags = NULL;
    m->tag_count = 0;
    for (size_t i = 0; i < q->tag_count; i++) {
        if (!utf8_valid(q->tags[i], strlen(q->tags[i])))
            return error_set(e, ERROR_INVALID, "", "a tag is not valid UTF-8");
        if (*q->tags[i])
            plan_add_tag(p, m, q->tags[i]);
    }
    return 0;
}

/*
 * Validates the members to set as those of a new memory; null, which removes a member, is skipped.
 */
static int check_fields(struct plan *p, const struct memory *m, const char *fields, struct error *e)
{
    AUTO_STRBUF given = STRBUF_INIT;
    const char *ignored;
    if (json_check(fields, strlen(fields), JSON_DEPTH_MAX, e))
        return error_prefix(e, "fields");
    struct json_slice all = json_trim(fields, strlen(fields));
    if (all.ptr[0] != '{')
        return error_set(e, ERROR_INVALID, "Give {\"name\": value}.", "the fields are no object");
    strbuf_addch(&given, '{');
    for (struct json_each it = json_each(all); json_next(&it);) {
        if (it.value.len == 4 && memcmp(it.value.ptr, "null", 4) == 0)
            continue;
        strbuf_addf(&given, "%s\"", given.len > 1 ? "," : "");
        strbuf_add(&given, it.key.ptr, it.key.len);
        strbuf_addstr(&given, "\":");
        strbuf_add(&given, it.value.ptr, it.value.len);
    }
    strbuf_addch(&given, '}');
    return add_detail(&ignored, p->arena, m->ref.kind, given.buf, e);
}

static void edit_field(struct plan *p, struct memory *m, const struct json_each *it)
{
    AUTO_STRBUF value = STRBUF_INIT;
    char *name = arena_alloc(p->arena, it->key.len + 1);
    bool is_null = it->value.len == 4 && memcmp(it->value.ptr, "null", 4) == 0;
    name[json_unescape(name, it->key.ptr, it->key.len)] = '\0';
    if (m->ref.kind == KIND_ENTRY && strcmp(name, "value") == 0)
        is_null = false; /* null is a valid value of an entry */
    json_tidy(&value, it->value.ptr, it->value.len);
    detail_set(&m->detail, p->arena, name, is_null ? NULL : value.buf);
}

static int edit_fields(struct plan *p, struct memory *m, const char *fields, struct error *e)
{
    int64_t was = detail_int(m, "step_number", 0);
    if (check_fields(p, m, fields, e))
        return -1;
    for (struct json_each it = json_each(json_trim(fields, strlen(fields))); json_next(&it);)
        edit_field(p, m, &it);
    return detail_int(m, "step_number", 0) == was ? 0
                                                  : step_number_check(reader_db(p->reader), m, e);
}

/* ---- entries ---- */

/* The text of an entry is its key. */
static int follow_key(struct plan *p, struct memory *m, const struct request *q, struct error *e)
{
    const char *key;
    detail_text(m, "key", p->arena, &key);
    bool follows = key && !q->text && entry_key_is_valid(key, strlen(key));
    return follows ? plan_set_text(p, m, key, strlen(key), e) : 0;
}

/*
 * An entry must stay valid for putMemory and must not take the name of another one. An expired
 * entry has no value left: it becomes active again only with a new value and an expiry in the
 * future.
 */
static int check_entry(struct plan *p, struct memory *m, const struct request *q, struct error *e)
{
    struct json_slice value;
    if (m->ref.kind != KIND_ENTRY || (!q->text && !q->fields))
        return 0;
    entry_value_of(m, &value);
    if (follow_key(p, m, q, e))
        return -1;
    if (m->status == STATUS_EXPIRED && !value.ptr)
        return entry_check_given(m, e);
    if (entry_check(m, p->now, e) ||
        entry_claim_check(reader_db(p->reader), NULL, m, p->now, NULL, e))
        return -1;
    if (m->status == STATUS_EXPIRED)
        m->status = STATUS_ACTIVE;
    return 0;
}

static int edit_source(struct plan *p, struct memory *m, const char *source, struct error *e)
{
    if (!utf8_valid(source, strlen(source)))
        return error_set(e, ERROR_INVALID, "", "the source is not valid UTF-8");
    m->source = *source ? arena_strdup(p->arena, source) : NULL;
    return 0;
}

/* ---- what it was made from ---- */

/* Finds what the memory would be with the refs of the request. */
static int find_derivation(struct plan *p, const struct memory *now, const struct request *q,
                           struct memory *derived, struct error *e)
{
    *derived = *now;
    return q->derived ? plan_derive(p, derived, q->derived, q->derived_count, e) : 0;
}

static bool same_antecedents(const struct memory *a, const struct memory *b)
{
    bool same = a->justification_count == b->justification_count;
    for (size_t i = 0; i < a->justification_count && same; i++) {
        const struct justification *x = &a->justifications[i], *y = &b->justifications[i];
        same = x->role == y->role && x->count == y->count;
        for (size_t k = 0; k < x->count && same; k++)
            same = ref_equal(x->antecedents[k].ref, y->antecedents[k].ref);
    }
    return same;
}

static void edit_derivation(struct plan *p, struct memory *m, const struct memory *derived)
{
    m->annotations = derived->annotations;
    m->annotation_count = derived->annotation_count;
    if (same_antecedents(m, derived))
        return;
    m->justifications = derived->justifications;
    m->justification_count = derived->justification_count;
    operation_end_approval(p, m);
}

/* ---- the operation ---- */

static bool same_tags(const struct memory *m, const struct request *q)
{
    bool same = m->tag_count == q->tag_count;
    for (size_t i = 0; i < m->tag_count && same; i++)
        same = strcmp(m->tags[i], q->tags[i]) == 0;
    return same;
}

static bool is_so_already(const struct memory *m, const struct memory *derived,
                          const struct request *q)
{
    return same_antecedents(m, derived) && m->annotation_count == derived->annotation_count &&
           (!q->text ||
            (strlen(m->text) == q->text_len && memcmp(m->text, q->text, q->text_len) == 0)) &&
           (isnan(q->confidence) || m->confidence == q->confidence) &&
           (!q->tags_given || same_tags(m, q)) && !q->fields &&
           (!q->source || same_text(q->source, m->source)) &&
           (!q->created_at || q->created_at == m->created_at);
}

/* An agent may not change the question of a finished chain, just as it may not change its steps,
 * nor what the log says of a retrieval. A person may. */
static int check_open(struct plan *p, const struct memory *m, const struct request *q,
                      struct error *e)
{
    bool reworded =
        q->text && (strlen(m->text) != q->text_len || memcmp(m->text, q->text, q->text_len) != 0);
    if (p->actor->class != ACTOR_AGENT || (!reworded && !q->fields && !q->derived))
        return 0;
    if (m->ref.kind == KIND_ATTRIBUTION)
        return error_set(e, ERROR_REFUSED, "Log what you retrieved now, or flag this one.",
                         "attribution:%s is a record of the log, which agents do not rewrite",
                         m->ref.id);
    if (m->ref.kind != KIND_CHAIN || !reworded)
        return 0;
    struct json_slice answer = detail_member(m, "final_answer");
    if (!answer.ptr || answer.ptr[0] != '"')
        return 0;
    return error_set(e, ERROR_CONFLICT, "Begin another chain.", "chain:%s is finished already",
                     m->ref.id);
}

int op_edit(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    struct memory derived;
    if (check_open(p, now, q, e) || find_derivation(p, now, q, &derived, e))
        return -1;
    if (is_so_already(now, &derived, q))
        return plan_leave(p, "%s:%s has these values already", REF_ARGS(now->ref));
    if (entry_sweep_first(p, node, e))
        return -1;
    struct memory *m = plan_change(p, node, "edit", q->reason, e);
    if (!m || (q->text && edit_text(p, m, q, e)) || (q->tags_given && edit_tags(p, m, q, e)) ||
        (q->fields && edit_fields(p, m, q->fields, e)) ||
        (q->source && edit_source(p, m, q->source, e)) || check_entry(p, m, q, e) ||
        (q->fields && attribution_check(m, e)))
        return -1;
    operation_answer_review(p, m);
    if (q->derived)
        edit_derivation(p, m, &derived);
    if (q->created_at)
        m->created_at = q->created_at;
    if (isnan(q->confidence) || q->confidence == m->confidence)
        return 0;
    return plan_confidence(p, m, q->confidence, q->reason, NULL, e);
}

int op_edit_check(struct plan *p, const struct request *q, size_t count, struct error *e)
{
    (void)p;
    if (!q->text && isnan(q->confidence) && !q->tags_given && !q->fields && !q->source &&
        !q->created_at && !q->derived)
        return error_set(e, ERROR_INVALID, "Give a text, a confidence, tags, fields or sources.",
                         "nothing to change is given");
    if (q->text && count > 1)
        return error_set(e, ERROR_INVALID, "Edit the text of one memory at a time.",
                         "one text cannot replace the texts of %zu memories", count);
    return operation_check_confidence(q, e);
}
