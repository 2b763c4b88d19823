/* The tools memory_duplicates and memory_conflicts. */
#include "store/json/compact.h"
#include "store/mcp/tools/tools.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/similar/similar.h"

#define LIMIT_MAX   1000
#define GROUP_REFS  50  /* refs of a group that are given; the others are counted */
#define AROUND_SETS 200 /* bytes around the sets: names of members, what was left out */

/* Of the duplicates of all a page is as good as another: the largest groups come first. */
static const struct field arguments[] = {
    TEXTS("refs", FIELD_NONE_EMPTY, "Only what concerns these; fast.", .longest = URI_MAX,
          .max = REFS_MAX),
    LIMIT(LIMIT_MAX, "50"),
    OPTIONAL("offset", INTEGER, "`next` of the answer before", COUNT),
    FIELD_END,
};

static const struct field group_fields[] = {
    TEXTS("group", FIELD_REQUIRED | FIELD_OWN, "Oldest first."),
    OPTIONAL("more", INTEGER, "So many more are in the group."),
    NEEDED("similarity", NUMBER, NULL),
    NEEDED("independent", BOOLEAN, "They have no source in common."),
    FIELD_END,
};

static const struct field pair_fields[] = {
    TEXTS("pair", FIELD_REQUIRED | FIELD_OWN, "The newer first."),
    NEEDED("recorded", BOOLEAN, "false: a candidate, found by comparing texts."),
    OR_NULL("reason", STRING, "What differs."),
    FIELD_END,
};

#define ANSWER_FIELDS(name_, fields_)                                                              \
    {                                                                                              \
        OBJECTS(name_, FIELD_REQUIRED, fields_, NULL),                                             \
            FIELD("next", INTEGER, FIELD_OWN, "There are more: give it as offset."),               \
            FIELD("left_out", STRING, FIELD_OWN, NULL), FIELD_END,                                 \
    }
static const struct field duplicates_answer[] = ANSWER_FIELDS("groups", group_fields);
static const struct field conflicts_answer[] = ANSWER_FIELDS("pairs", pair_fields);

struct page {
    struct mcp_call *call;
    struct reader *reader;
    enum similar_question question;
    struct similar_sets sets;
};

static int add_refs(struct page *p, const struct similar_set *set, struct json_object *o,
                    const char *name, struct error *e)
{
    struct json_object list = json_open(o, name, '[');
    for (size_t i = 0; i < set->count && i < GROUP_REFS; i++) {
        struct memory_row row;
        if (memory_row_read(p->reader, &p->call->arena, set->row[i], &row, e))
            return -1;
        json_item(&list);
        json_add_string(list.out, ref_short(p->reader, &p->call->arena, row.ref));
    }
    json_end(&list);
    return 0;
}

static int add_set(struct page *p, const struct similar_set *set, struct json_object *list,
                   struct error *e)
{
    bool independent;
    struct json_object o = json_item_open(list, '{');
    if (p->question == SIMILAR_CONFLICTS) {
        if (add_refs(p, set, &o, "pair", e))
            return -1;
        json_pair_bool(&o, "recorded", set->recorded);
        json_pair(&o, "reason", set->reason);
    } else {
        if (add_refs(p, set, &o, "group", e) ||
            similar_independent(p->reader, set, &independent, e))
            return -1;
        if (set->count > GROUP_REFS)
            json_pair_int(&o, "more", (int64_t)(set->count - GROUP_REFS));
        json_pair_double(&o, "similarity", set->similarity);
        json_pair_bool(&o, "independent", independent);
    }
    json_end(&o);
    return 0;
}

/* Adds the sets from `offset` on, as many as fit. */
static int add_page(struct page *p, struct json_object *list, size_t *at, struct error *e)
{
    size_t limit = (size_t)given_integer(&p->call->given, "limit", 50), first = *at;
    for (; *at < p->sets.count && *at - first < limit; ++*at) {
        size_t before = p->call->result.len;
        struct json_object were = *list;
        if (add_set(p, &p->sets.set[*at], list, e))
            return -1;
        if (*at > first && p->call->result.len + AROUND_SETS > answer_rows_max(limit)) {
            strbuf_cut(&p->call->result, before);
            *list = were;
            return 0;
        }
    }
    return 0;
}

static int read_sets(struct mcp_call *call, struct reader *r, enum similar_question question,
                     struct error *e)
{
    struct page p = {.call = call, .reader = r, .question = question};
    size_t count, at = (size_t)given_integer(&call->given, "offset", 0);
    const char **refs = given_list(&call->given, "refs", &count);
    int64_t *rows = arena_array(&call->arena, count + 1, sizeof(*rows));
    for (size_t i = 0; i < count; i++)
        if ((rows[i] = ref_resolve(r, refs[i], e)) < 0 || check_whole(r, rows[i], e))
            return -1;
    if (similar_find(r, &call->arena, question, rows, count, &p.sets, e))
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    struct json_object list =
        json_open(&o, question == SIMILAR_DUPLICATES ? "groups" : "pairs", '[');
    if (add_page(&p, &list, &at, e))
        return -1;
    json_end(&list);
    if (at < p.sets.count)
        json_pair_int(&o, "next", (int64_t)at);
    json_pair_if(&o, "left_out", similar_left_out(&call->arena, &p.sets));
    json_end(&o);
    return 0;
}

static int read_duplicates(struct mcp_call *call, struct reader *r, struct error *e)
{
    return read_sets(call, r, SIMILAR_DUPLICATES, e);
}

static int read_conflicts(struct mcp_call *call, struct reader *r, struct error *e)
{
    return read_sets(call, r, SIMILAR_CONFLICTS, e);
}

const struct mcp_tool tool_memory_duplicates = {
    .name = "memory_duplicates",
    .title = "Find memories that say the same",
    .description =
        "Groups memories that say the same in nearly the same words: merge them, or keep the best. "
        "Independent ones confirm each other, others are echoes of one source.",
    .sets = TOOLSET_BIT(TOOLSET_REVIEW),
    SCHEMA(arguments, duplicates_answer),
    READS(read_duplicates),
};

const struct mcp_tool tool_memory_conflicts = {
    .name = "memory_conflicts",
    .title = "Find contradictions",
    .description =
        "Finds pairs that contradict each other: recorded ones, and candidates, which say the same "
        "with another number, date, name or negation. Judge a candidate; then memory_supersede "
        "what is out of date.",
    .sets = TOOLSET_BIT(TOOLSET_REVIEW),
    SCHEMA(arguments, conflicts_answer),
    READS(read_conflicts),
};
