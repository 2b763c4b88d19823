#include "store/import/kernle/kernle_table.h"

#include <strings.h>

static const struct {
    const char *name;
    enum kind kind;
} tables[KERNLE_TABLES] = {
    {"raw_entries", KIND_RAW},
    {"episodes", KIND_EPISODE},
    {"beliefs", KIND_BELIEF},
    {"notes", KIND_NOTE},
    {"agent_values", KIND_VALUE},
    {"goals", KIND_GOAL},
    {"drives", KIND_DRIVE},
    {"relationships", KIND_RELATIONSHIP},
    {"memory_suggestions", KIND_SUGGESTION},
};

enum {
    IN_DETAIL = 1, /* besides its field */
    ALWAYS = 2,
    LIST = 4,
    JSON = 8
};

/* One meaning of a column's name. The first that fits counts, so a kind's own stand before `all`. */
struct meaning {
    unsigned kinds;
    const char *name;
    enum kernle_field field;
    unsigned flags;
};

#define ALL    KINDS_ALL
#define IS(k)  KIND_BIT(KIND_##k)
#define DETAIL FIELD_NONE

static const struct meaning meanings[] = {
    {IS(RAW), "blob", FIELD_TEXT, 0},
    {IS(RAW), "content", FIELD_TEXT_BEFORE, 0},
    {IS(RAW), "captured_at", FIELD_CREATED, 0},
    {IS(RAW), "timestamp", FIELD_CREATED_BEFORE, 0},
    {IS(RAW), "created_at", FIELD_CREATED_BEFORE, 0},
    {IS(RAW), "processed_into", FIELD_PROCESSED_INTO, LIST},
    {IS(RAW), "source", DETAIL, ALWAYS},
    {IS(EPISODE), "objective", FIELD_TEXT, 0},
    {IS(EPISODE), "outcome", DETAIL, ALWAYS},
    {IS(EPISODE), "outcome_type", DETAIL, ALWAYS},
    {IS(EPISODE), "lessons", DETAIL, LIST},
    {IS(EPISODE), "repeat", DETAIL, LIST},
    {IS(EPISODE), "avoid", DETAIL, LIST},
    {IS(EPISODE), "emotional_tags", DETAIL, LIST},
    {IS(BELIEF), "statement", FIELD_TEXT, 0},
    {IS(BELIEF), "belief_type", DETAIL, ALWAYS},
    {IS(BELIEF), "supersedes", FIELD_SUPERSEDES, 0},
    {IS(BELIEF), "superseded_by", FIELD_SUPERSEDED_BY, IN_DETAIL},
    {IS(BELIEF), "is_active", FIELD_IS_ACTIVE, 0},
    {IS(BELIEF), "cross_domain_applications", DETAIL, LIST},
    {IS(NOTE), "content", FIELD_TEXT, 0},
    {IS(NOTE), "note_type", DETAIL, ALWAYS},
    {IS(VALUE), "statement", FIELD_TEXT, 0},
    {IS(VALUE), "priority", DETAIL, ALWAYS},
    {IS(GOAL), "title", FIELD_TEXT, 0},
    {IS(GOAL), "goal_type", DETAIL, ALWAYS},
    {IS(GOAL), "priority", DETAIL, ALWAYS},
    {IS(GOAL), "status", DETAIL, ALWAYS},
    {IS(DRIVE), "drive_type", FIELD_TEXT, IN_DETAIL | ALWAYS},
    {IS(DRIVE), "intensity", DETAIL, ALWAYS},
    {IS(DRIVE), "focus_areas", FIELD_WORDS, IN_DETAIL | LIST},
    {IS(RELATIONSHIP), "entity_name", FIELD_TEXT, IN_DETAIL | ALWAYS},
    {IS(RELATIONSHIP), "notes", FIELD_WORDS, IN_DETAIL},
    {IS(RELATIONSHIP), "relationship_type", FIELD_WORDS_ELSE, IN_DETAIL | ALWAYS},
    {IS(RELATIONSHIP), "sentiment", DETAIL, ALWAYS},
    {IS(SUGGESTION), "content", FIELD_TEXT, IN_DETAIL | JSON},
    {IS(SUGGESTION), "status", DETAIL, ALWAYS},
    {IS(SUGGESTION), "source_raw_ids", FIELD_SOURCE_RAWS, LIST},
    {IS(SUGGESTION), "promoted_to", FIELD_PROMOTED_TO, 0},
    {ALL, "id", FIELD_ID, 0},
    {ALL, "stack_id", FIELD_AGENT, 0},
    {ALL, "agent_id", FIELD_AGENT, 0},
    {ALL, "created_at", FIELD_CREATED, 0},
    {ALL, "local_updated_at", FIELD_UPDATED, 0},
    {ALL, "updated_at", FIELD_UPDATED_BEFORE, 0},
    {ALL, "version", FIELD_VERSION, 0},
    {ALL, "confidence", FIELD_CONFIDENCE, 0},
    {ALL, "source_type", FIELD_SOURCE_TYPE, 0},
    {ALL, "source_entity", FIELD_SOURCE_ENTITY, 0},
    {ALL, "context", FIELD_CONTEXT, 0},
    {ALL, "tags", FIELD_TAGS, LIST},
    {ALL, "context_tags", DETAIL, LIST},
    {ALL, "is_protected", FIELD_PROTECTED, 0},
    {ALL, "strength", FIELD_STRENGTH, IN_DETAIL},
    {ALL, "is_forgotten", FIELD_FORGOTTEN, IN_DETAIL},
    {ALL, "deleted", FIELD_DELETED, 0},
    {ALL, "derived_from", FIELD_DERIVED_FROM, LIST},
    {ALL, "source_episodes", FIELD_SOURCE_EPISODES, LIST},
    {ALL, "confidence_history", FIELD_HISTORY, LIST},
    {ALL, "subject_ids", DETAIL, LIST},
    {ALL, "access_grants", DETAIL, LIST},
    {ALL, "consent_grants", DETAIL, LIST},
};

const char *kernle_table_name(size_t index)
{
    return tables[index].name;
}

int kernle_kind(const char *name)
{
    for (size_t i = 0; i < KERNLE_TABLES; i++) {
        const struct kind_spec *kind = kind_spec(tables[i].kind);
        if (strcasecmp(name, kind->name) == 0 || strcasecmp(name, kind->plural) == 0 ||
            strcasecmp(name, tables[i].name) == 0)
            return (int)tables[i].kind;
    }
    if (strcasecmp(name, "raw_entry") == 0)
        return KIND_RAW;
    return strcasecmp(name, "agent_value") == 0 ? KIND_VALUE : -1;
}

static const struct meaning *meaning_of(enum kind kind, const char *column)
{
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
        if ((meanings[i].kinds & KIND_BIT(kind)) && strcasecmp(meanings[i].name, column) == 0)
            return &meanings[i];
    return NULL;
}

static void resolve_column(struct kernle_table *t, size_t at)
{
    struct kernle_column *c = &t->columns[at];
    const struct meaning *m = meaning_of(t->kind, c->name);
    c->field = m ? m->field : FIELD_NONE;
    /* A second column for the same place is kept, but does not fill it. */
    if (c->field != FIELD_NONE && t->place[c->field] >= 0)
        c->field = FIELD_NONE;
    if (c->field != FIELD_NONE)
        t->place[c->field] = (int)at;
    unsigned flags = m ? m->flags : 0;
    c->in_detail = c->field == FIELD_NONE || (flags & IN_DETAIL);
    c->always = flags & ALWAYS;
    c->list = flags & LIST;
    c->json = flags & (LIST | JSON);
}

void kernle_table_resolve(struct kernle_table *table, size_t index, struct kernle_column *columns,
                          size_t count)
{
    *table = (struct kernle_table){
        .kind = tables[index].kind, .name = tables[index].name, .columns = columns, .count = count};
    for (size_t f = 0; f < FIELD_COUNT; f++)
        table->place[f] = -1;
    for (size_t i = 0; i < count; i++)
        resolve_column(table, i);
}
