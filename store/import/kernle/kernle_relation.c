#include "store/import/kernle/kernle_map.h"

#include "model/base/utf8.h"

/* Relations under construction; `list` has room for all. */
struct relations {
    struct kernle_mapping *map;
    struct relation *list;
    size_t count;
};

static void add(struct relations *r, enum role type, struct ref to, int64_t at, const char *reason)
{
    r->list[r->count++] = (struct relation){.type = type, .to = to, .at = at, .reason = reason};
}

/* A ref, or a bare id of a memory of kind `bare` (-1: then a kind must stand there). */
static bool read_ref(const char *text, int bare, struct ref *out)
{
    enum ref_class class = ref_parse(text, out);
    if (class == REF_BARE && bare >= 0) {
        *out = (struct ref){(enum kind)bare, text};
        return true;
    }
    return class == REF_MEMORY;
}

static void not_a_ref(struct relations *r, enum kernle_field field, const char *text)
{
    mapping_report(r->map, field, "names \"%.*s\", which is no ref; left out",
                   (int)utf8_prefix(text, 60), text);
    mapping_keep(r->map, field, KEEP_CELL);
}

static void add_field(struct relations *r, enum kernle_field field, enum role type, int bare)
{
    const char *text = mapping_text(r->map, field);
    struct ref to;
    if (!text || !*text)
        return;
    if (read_ref(text, bare, &to))
        add(r, type, to, r->map->m->created_at, NULL);
    else
        not_a_ref(r, field, text);
}

static void add_list(struct relations *r, enum kernle_field field, const struct kernle_list *list,
                     enum role type)
{
    struct ref to;
    for (size_t i = 0; i < list->count; i++)
        if (read_ref(list->items[i], -1, &to))
            add(r, type, to, r->map->m->updated_at, NULL);
        else
            not_a_ref(r, field, list->items[i]);
}

/* Since schema 27 a revision is only in the audit: on the new belief, with the old one's id. */
static void add_revision(struct relations *r, const struct kernle_audit_row *row)
{
    if (!row->operation || strcmp(row->operation, "belief.revised") != 0 || !row->details)
        return;
    struct json_slice json = json_trim(row->details, strlen(row->details));
    struct error e;
    struct ref to;
    if (json_check_lax(json.ptr, json.len, JSON_DEPTH_MAX, &e))
        return;
    const char *old = mapping_member(r->map, json, "trigger_id");
    if (old && read_ref(old, KIND_BELIEF, &to) && to.kind == KIND_BELIEF)
        add(r, RELATION_SUPERSEDES, to, r->map->m->created_at,
            mapping_member(r->map, json, "reason"));
}

/* `list` points into the relations, so that sorting leaves their order alone. */
static int compare_relation(const void *a, const void *b)
{
    const struct relation *x = *(struct relation *const *)a, *y = *(struct relation *const *)b;
    int order = ref_compare(x->to, y->to);
    if (order == 0)
        order = (x->type > y->type) - (x->type < y->type);
    return order ? order : (x > y) - (x < y);
}

/* Leaves the first of each. */
static void settle(struct relations *r)
{
    struct relation **sorted = mapping_alloc(r->map, r->count, sizeof(void *));
    if (!sorted || r->count < 2)
        return;
    for (size_t i = 0; i < r->count; i++)
        sorted[i] = &r->list[i];
    qsort(sorted, r->count, sizeof(void *), compare_relation);
    /* Backwards, for what is compared with must still be there. */
    for (size_t i = r->count; i-- > 1;)
        if (sorted[i]->type == sorted[i - 1]->type && ref_equal(sorted[i]->to, sorted[i - 1]->to))
            sorted[i]->to.id = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].to.id)
            r->list[kept++] = r->list[i];
    r->count = kept;
}

void mapping_relations(struct kernle_mapping *map)
{
    const struct kernle_row *row = map->row;
    struct kernle_list into = mapping_list(map, FIELD_PROCESSED_INTO);
    size_t most = 2 + into.count + row->replaced_count + row->audit_count;
    struct relations r = {map, mapping_alloc(map, most, sizeof(*r.list)), 0};
    if (!r.list)
        return;
    add_field(&r, FIELD_SUPERSEDES, RELATION_SUPERSEDES, KIND_BELIEF);
    for (size_t i = 0; i < row->replaced_count; i++)
        add(&r, RELATION_SUPERSEDES, (struct ref){KIND_BELIEF, row->replaced[i]},
            map->m->created_at, NULL);
    for (size_t i = 0; row->table->kind == KIND_BELIEF && i < row->audit_count; i++)
        add_revision(&r, &row->audit[i]);
    add_list(&r, FIELD_PROCESSED_INTO, &into, RELATION_PROCESSED_INTO);
    add_field(&r, FIELD_PROMOTED_TO, RELATION_PROCESSED_INTO, -1);
    settle(&r);
    map->m->relations = r.list;
    map->m->relation_count = r.count;
}
