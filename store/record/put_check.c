#include "model/base/alloc.h"
#include "store/record/put.h"

#include "model/json/json.h"
#include "model/base/utf8.h"

struct check {
    const struct memory *m;
    struct error *e;
};

static int wrong(const struct check *c, const char *field, const char *how)
{
    return error_set(c->e, ERROR_INVALID, "Correct it and try again.", "%s:%s: %s %s",
                     kind_name(c->m->ref.kind), c->m->ref.id, field, how);
}

static int text(const struct check *c, const char *field, const char *s)
{
    if (s && !utf8_valid(s, strlen(s)))
        return wrong(c, field, "is not valid UTF-8");
    return 0;
}

static int name(const struct check *c, const char *field, const char *s)
{
    return s && *s ? text(c, field, s) : wrong(c, field, "is empty");
}

static int texts(const struct check *c, const char *field, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strings[i] || text(c, field, strings[i]))
            return strings[i] ? -1 : wrong(c, field, "has an element that is absent");
    return 0;
}

static int ref(const struct check *c, const char *field, struct ref r)
{
    if ((unsigned)r.kind >= KIND_COUNT)
        return wrong(c, field, "names no kind");
    if (name(c, field, r.id))
        return -1;
    return strlen(r.id) > REF_ID_MAX ? wrong(c, field, "is too long") : 0;
}

static int fraction(const struct check *c, const char *field, double value)
{
    return value >= 0 && value <= 1 ? 0 : wrong(c, field, "is not a number from 0 to 1");
}

static int number(const struct check *c, const char *field, double value)
{
    return isnan(value) || isfinite(value) ? 0 : wrong(c, field, "is not a finite number");
}

static int use(const struct check *c, const struct use *u)
{
    if (!isnan(u->relevance) && fraction(c, "a relevance", u->relevance))
        return -1;
    if ((unsigned)u->score > SCORE_ASSERTED || u->chunk < -1 || u->rank < -1 || u->page < -1)
        return wrong(c, "a use", "has a number out of range");
    return text(c, "an excerpt", u->excerpt) || text(c, "a section", u->section) ||
                   text(c, "a version hash", u->version_hash) || text(c, "a label", u->label) ||
                   text(c, "a title", u->title)
               ? -1
               : 0;
}

/* Few groups have more than a handful of members; a large one is compared in the order of its refs. */
static int compare_refs(const void *a, const void *b)
{
    return ref_compare(*(const struct ref *)a, *(const struct ref *)b);
}

static int repeated_in_few(const struct check *c, const struct justification *j)
{
    for (size_t i = 1; i < j->count; i++)
        for (size_t k = 0; k < i; k++)
            if (ref_equal(j->antecedents[i].ref, j->antecedents[k].ref))
                return wrong(c, role_name(j->role), "names a memory twice");
    return 0;
}

static int repeated(const struct check *c, const struct justification *j)
{
    if (j->count <= 8)
        return repeated_in_few(c, j);
    struct ref *refs = xmalloc((j->count + 1) * sizeof(*refs));
    for (size_t i = 0; i < j->count; i++)
        refs[i] = j->antecedents[i].ref;
    qsort(refs, j->count, sizeof(*refs), compare_refs);
    int result = 0;
    for (size_t i = 1; i < j->count && result == 0; i++)
        if (ref_equal(refs[i - 1], refs[i]))
            result = wrong(c, role_name(j->role), "names a memory twice");
    free(refs);
    return result;
}

static int justification(const struct check *c, const struct justification *j)
{
    if (!ROLE_IS_SUPPORT((unsigned)j->role) || (unsigned)j->reading > READING_ALL ||
        (unsigned)j->recorded > RECORDED_HEURISTIC)
        return wrong(c, "a justification", "has an unknown role, reading or way of recording");
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
            return wrong(c, "a relation", "is of an unknown type");
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
            text(c, "history", h->origin))
            return -1;
    }
    for (size_t i = 0; i < c->m->mark_count; i++) {
        const struct mark *k = &c->m->marks[i];
        if (name(c, "a mark", k->mark) || text(c, "a mark", k->actor) ||
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
        return wrong(c, "detail", "is not a JSON object");
    strbuf_clear(scratch);
    json_minify(scratch, json, len);
    return strcmp(scratch->buf, json) != 0 ? wrong(c, "detail", "is not minified") : 0;
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
        return m->text ? -1 : wrong(&c, "text", "is absent");
    if ((unsigned)m->status >= STATUS_MISSING)
        return wrong(&c, "status", "is not one that a memory can have");
    if (m->version < 1)
        return wrong(&c, "version", "is less than 1");
    return groups(&c) || entries(&c) || detail(&c, scratch) ? -1 : 0;
}
