/* What changes consist of: lists are never changed where they stand, for the memory as it was shares them. */
#include "store/ops/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/json/json.h"

/* The list with room for `more` elements. */
static void *with_room(struct plan *p, const void *list, size_t count, size_t more, size_t size)
{
    char *larger = arena_array(p->arena, count + more, size);
    if (count)
        memcpy(larger, list, count * size);
    return larger;
}

/* A copy in the arena; NULL stays NULL. */
static void keep(struct plan *p, const char **copy, const char *text)
{
    *copy = arena_strdup(p->arena, text);
}

/* To three decimals, as Kernle keeps its history: the double nearest to that decimal. */
static double rounded(double confidence)
{
    char digits[32];
    snprintf(digits, sizeof(digits), "%.3f", confidence);
    return strtod(digits, NULL);
}

int plan_confidence(struct plan *p, struct memory *m, double confidence, const char *reason,
                    const char *evidence_source, struct error *e)
{
    struct history_entry entry = {.at = p->now, .old = rounded(m->confidence)};
    struct history_entry *all = with_room(p, m->history, m->history_count, 1, sizeof(*m->history));
    if (!(confidence >= 0 && confidence <= 1))
        return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                         "a confidence of %g is out of range", confidence);
    if (!all)
        return -1;
    keep(p, &entry.reason, reason);
    keep(p, &entry.evidence_source, evidence_source);
    entry.new_ = rounded(confidence);
    all[m->history_count] = entry;
    m->history = all;
    m->history_count++;
    m->confidence = confidence;
    return 0;
}

void plan_add_mark(struct plan *p, struct memory *m, const char *mark, const char *value,
                   const char *reason)
{
    struct mark one = {.at = p->now};
    struct mark *all = with_room(p, m->marks, m->mark_count, 1, sizeof(*m->marks));
    keep(p, &one.mark, mark);
    keep(p, &one.actor, p->actor->name);
    keep(p, &one.value, value);
    keep(p, &one.reason, reason);
    all[m->mark_count] = one;
    m->marks = all;
    m->mark_count++;
}

void plan_drop_mark(struct plan *p, struct memory *m, const char *mark, bool *found)
{
    struct mark *kept = with_room(p, NULL, 0, m->mark_count + 1, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, mark) != 0)
            kept[count++] = m->marks[i];
    *found = count < m->mark_count;
    m->marks = kept;
    m->mark_count = count;
}

int plan_add_relation(struct plan *p, struct memory *m, enum role type, struct ref to,
                      const char *reason)
{
    struct relation one = {.type = type, .to.kind = to.kind, .at = p->now};
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == type && ref_equal(m->relations[i].to, to))
            return 0;
    struct relation *all = with_room(p, m->relations, m->relation_count, 1, sizeof(*m->relations));
    keep(p, &one.to.id, to.id);
    keep(p, &one.reason, reason);
    all[m->relation_count] = one;
    m->relations = all;
    m->relation_count++;
    return 0;
}

void plan_add_support(struct plan *p, struct memory *m, enum role role, struct ref by,
                      const struct use *use, const char *reason)
{
    size_t count = m->justification_count;
    struct justification *all = with_room(p, m->justifications, count, 2, sizeof(*all));
    struct antecedent *antecedent = with_room(p, NULL, 0, 1, sizeof(*antecedent));
    struct justification one = {role, READING_ANY, RECORDED, p->now, NULL, antecedent, 1};
    keep(p, &one.reason, reason);
    keep(p, &antecedent->ref.id, by.id);
    antecedent->ref.kind = by.kind;
    antecedent->use = use;
    if (count == 0)
        all[count++] =
            (struct justification){ROLE_DERIVED_FROM, READING_ALL, RECORDED, p->now, NULL, NULL, 0};
    all[count++] = one;
    m->justifications = all;
    m->justification_count = count;
}

static void add_string(struct plan *p, const char ***list, size_t *count, const char *text)
{
    const char *copy;
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], text) == 0)
            return;
    const char **all = with_room(p, *list, *count, 1, sizeof(*all));
    keep(p, &copy, text);
    all[(*count)++] = copy;
    *list = all;
}

void plan_add_tag(struct plan *p, struct memory *m, const char *tag)
{
    add_string(p, &m->tags, &m->tag_count, tag);
}

void plan_add_annotation(struct plan *p, struct memory *m, const char *annotation)
{
    add_string(p, &m->annotations, &m->annotation_count, annotation);
}

void plan_set_detail(struct plan *p, struct memory *m, const char *member, const char *json)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    bool found = false;
    const char *detail = m->detail ? m->detail : "{}";
    for (struct json_each it = json_each((struct json_slice){detail, strlen(detail)});
         json_next(&it);) {
        bool is_it = json_key_is(it.key, member);
        found |= is_it;
        if (is_it && !json)
            continue;
        if (o.any)
            strbuf_addch(&out, ',');
        o.any = true;
        strbuf_addch(&out, '"');
        strbuf_add(&out, it.key.ptr, it.key.len);
        strbuf_addstr(&out, "\":");
        if (is_it)
            strbuf_addstr(&out, json);
        else
            strbuf_add(&out, it.value.ptr, it.value.len);
    }
    if (!found && json) {
        json_key(&o, member);
        strbuf_addstr(&out, json);
    }
    json_end(&o);
    m->detail = arena_strndup(p->arena, out.buf, out.len);
    strbuf_release(&out);
}
