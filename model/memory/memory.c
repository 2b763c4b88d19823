#include "model/memory/memory.h"

static const char *const statuses[STATUS_COUNT] = {
    [STATUS_ACTIVE] = "active",       [STATUS_SUPERSEDED] = "superseded",
    [STATUS_EXPIRED] = "expired",     [STATUS_RETRACTED] = "retracted",
    [STATUS_FORGOTTEN] = "forgotten", [STATUS_DELETED] = "deleted",
    [STATUS_PURGED] = "purged",       [STATUS_MISSING] = "missing",
};

static const char *const roles[RELATION_END] = {
    [ROLE_DERIVED_FROM] = "derived_from",
    [ROLE_EVIDENCE] = "evidence",
    [ROLE_REINFORCEMENT] = "reinforcement",
    [ROLE_SOURCE] = "source",
    [ROLE_STEP] = "step",
    [ROLE_CITATION] = "citation",
    [RELATION_SUPERSEDES] = "supersedes",
    [RELATION_PROCESSED_INTO] = "processed_into",
    [RELATION_CONTRADICTS] = "contradicts",
    [RELATION_COPY_OF] = "copy_of",
    [RELATION_RETIRED_BY] = "retired_by",
    [RELATION_PART_OF] = "part_of",
};

static const char *const readings[] = {[READING_ANY] = "any", [READING_ALL] = "all"};

static const char *const recordings[] = {
    [RECORDED] = "recorded",
    [RECORDED_AUTO_LINKED] = "auto-linked",
    [RECORDED_MIGRATED] = "migrated",
    [RECORDED_HEURISTIC] = "heuristic",
};

static const char *const scores[] = {
    [SCORE_NONE] = "none",       [SCORE_MEASURED] = "measured", [SCORE_HEURISTIC] = "heuristic",
    [SCORE_DEFAULT] = "default", [SCORE_ASSERTED] = "asserted",
};

#define COUNT_OF(table) (sizeof(table) / sizeof(*(table)))

/* Where `name` stands in a table, whose gaps are NULL; -1: nowhere. */
static int find_name(const char *const *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (table[i] && strcmp(table[i], name) == 0)
            return (int)i;
    return -1;
}

const char *status_name(enum status status)
{
    return statuses[status];
}

int status_from_name(const char *name)
{
    return find_name(statuses, COUNT_OF(statuses), name);
}

const char *role_name(enum role role)
{
    return roles[role];
}

int role_from_name(const char *name)
{
    return find_name(roles, COUNT_OF(roles), name);
}

const char *reading_name(enum reading reading)
{
    return readings[reading];
}

int reading_from_name(const char *name)
{
    return find_name(readings, COUNT_OF(readings), name);
}

const char *recorded_name(enum recorded recorded)
{
    return recordings[recorded];
}

int recorded_from_name(const char *name)
{
    return find_name(recordings, COUNT_OF(recordings), name);
}

const char *score_name(enum score score)
{
    return scores[score];
}

int score_from_name(const char *name)
{
    return find_name(scores, COUNT_OF(scores), name);
}

void memory_init(struct memory *m, struct ref ref)
{
    *m = (struct memory){
        .ref = ref,
        .confidence = kind_spec(ref.kind)->confidence,
        .status = STATUS_ACTIVE,
        .version = 1,
    };
}

/* An empty group is a justification without antecedents, however it reads. */
size_t memory_expanded_count(const struct memory *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        count += j->reading == READING_ANY && j->count > 1 ? j->count : 1;
    }
    return count;
}
