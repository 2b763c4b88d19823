/* What changes consist of: lists are never changed where they stand, for the memory as it was shares them. */
#include "store/ops/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/json/json.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
}

/* The list with room for `more` elements. */
static void *with_room(struct plan *p, const void *list, size_t count, size_t more, size_t size,
                       struct error *e)
{
    char *larger = arena_array(p->arena, count + more, size);
    if (!larger)
        return out_of_memory(e), NULL;
    if (count)
        memcpy(larger, list, count * size);
    return larger;
}

/* A copy in the arena; NULL stays NULL. */
static int keep(struct plan *p, const char **copy, const char *text, struct error *e)
{
    *copy = arena_strdup(p->arena, text);
    return text && !*copy ? out_of_memory(e) : 0;
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
    struct history_entry *all =
        with_room(p, m->history, m->history_count, 1, sizeof(*m->history), e);
    if (!(confidence >= 0 && confidence <= 1))
        return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                         "a confidence of %g is out of range", confidence);
    if (!all || keep(p, &entry.reason, reason, e) ||
        keep(p, &entry.evidence_source, evidence_source, e))
        return -1;
    entry.new_ = rounded(confidence);
    all[m->history_count] = entry;
    m->history = all;
    m->history_count++;
    m->confidence = confidence;
    return 0;
}

int plan_add_mark(struct plan *p, struct memory *m, const char *mark, const char *value,
                  const char *reason, struct error *e)
{
    struct mark one = {.at = p->now};
    struct mark *all = with_room(p, m->marks, m->mark_count, 1, sizeof(*m->marks), e);
    if (!all || keep(p, &one.mark, mark, e) || keep(p, &one.actor, p->actor->name, e) ||
        keep(p, &one.value, value, e) || keep(p, &one.reason, reason, e))
        return -1;
    all[m->mark_count] = one;
    m->marks = all;
    m->mark_count++;
    return 0;
}

int plan_drop_mark(struct plan *p, struct memory *m, const char *mark, bool *found, struct error *e)
{
    struct mark *kept = with_room(p, NULL, 0, m->mark_count + 1, sizeof(*kept), e);
    size_t count = 0;
    if (!kept)
        return -1;
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, mark) != 0)
            kept[count++] = m->marks[i];
    *found = count < m->mark_count;
    m->marks = kept;
    m->mark_count = count;
    return 0;
}

int plan_add_relation(struct plan *p, struct memory *m, enum role type, struct ref to,
                      const char *reason, struct error *e)
{
    struct relation one = {.type = type, .to.kind = to.kind, .at = p->now};
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == type && ref_equal(m->relations[i].to, to))
            return 0;
    struct relation *all =
        with_room(p, m->relations, m->relation_count, 1, sizeof(*m->relations), e);
    if (!all || keep(p, &one.to.id, to.id, e) || keep(p, &one.reason, reason, e))
        return -1;
    all[m->relation_count] = one;
    m->relations = all;
    m->relation_count++;
    return 0;
}

int plan_add_support(struct plan *p, struct memory *m, enum role role, struct ref by,
                     const struct use *use, const char *reason, struct error *e)
{
    size_t count = m->justification_count;
    struct justification *all = with_room(p, m->justifications, count, 2, sizeof(*all), e);
    struct antecedent *antecedent = with_room(p, NULL, 0, 1, sizeof(*antecedent), e);
    struct justification one = {role, READING_ANY, RECORDED, p->now, NULL, antecedent, 1};
    if (!all || !antecedent || keep(p, &one.reason, reason, e) ||
        keep(p, &antecedent->ref.id, by.id, e))
        return -1;
    antecedent->ref.kind = by.kind;
    antecedent->use = use;
    if (count == 0)
        all[count++] =
            (struct justification){ROLE_DERIVED_FROM, READING_ALL, RECORDED, p->now, NULL, NULL, 0};
    all[count++] = one;
    m->justifications = all;
    m->justification_count = count;
    return 0;
}

static int add_string(struct plan *p, const char ***list, size_t *count, const char *text,
                      struct error *e)
{
    const char *copy;
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], text) == 0)
            return 0;
    const char **all = with_room(p, *list, *count, 1, sizeof(*all), e);
    if (!all || keep(p, &copy, text, e))
        return -1;
    all[(*count)++] = copy;
    *list = all;
    return 0;
}

int plan_add_tag(struct plan *p, struct memory *m, const char *tag, struct error *e)
{
    return add_string(p, &m->tags, &m->tag_count, tag, e);
}

int plan_add_annotation(struct plan *p, struct memory *m, const char *annotation, struct error *e)
{
    return add_string(p, &m->annotations, &m->annotation_count, annotation, e);
}

int plan_set_detail(struct plan *p, struct memory *m, const char *member, const char *json,
                    struct error *e)
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
    m->detail = out.failed ? NULL : arena_strndup(p->arena, out.buf, out.len);
    strbuf_release(&out);
    return m->detail ? 0 : out_of_memory(e);
}
