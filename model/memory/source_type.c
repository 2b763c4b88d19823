#include "model/memory/source_type.h"

#include <strings.h>

static const struct {
    const char *name, *label;
} types[SOURCE_TYPE_COUNT] = {
    [SOURCE_DIRECT_EXPERIENCE] = {"direct_experience", "direct"},
    [SOURCE_INFERENCE] = {"inference", "inference"},
    [SOURCE_CONSOLIDATION] = {"consolidation", "consolidation"},
    [SOURCE_PROCESSING] = {"processing", "processing"},
    [SOURCE_SEED] = {"seed", "seed"},
    [SOURCE_TOLD_BY_AGENT] = {"told_by_agent", "told by agent"},
    [SOURCE_TOLD_BY_HUMAN] = {"told_by_human", "told by human"},
    [SOURCE_OBSERVATION] = {"observation", "observation"},
    [SOURCE_EXTERNAL] = {"external", "external"},
    [SOURCE_UNKNOWN] = {"unknown", "unknown"},
};

/* In this order: the first word found anywhere in the source decides. */
static const struct {
    const char *word;
    enum source_type type;
} words[] = {
    {"told", SOURCE_TOLD_BY_AGENT},       {"said", SOURCE_TOLD_BY_AGENT},
    {"heard", SOURCE_TOLD_BY_AGENT},      {"infer", SOURCE_INFERENCE},
    {"deduce", SOURCE_INFERENCE},         {"conclude", SOURCE_INFERENCE},
    {"consolidat", SOURCE_CONSOLIDATION}, {"seed", SOURCE_SEED},
};

const char *source_type_name(enum source_type type)
{
    return types[type].name;
}

int source_type_from_name(const char *name)
{
    for (int t = 0; t < SOURCE_TYPE_COUNT; t++)
        if (strcmp(types[t].name, name) == 0)
            return t;
    return -1;
}

const char *source_type_label(const char *name)
{
    int type = source_type_from_name(name);
    return type < 0 ? name : types[type].label;
}

enum source_type source_type_infer(const char *source, const char *source_entity)
{
    if (!source)
        return SOURCE_DIRECT_EXPERIENCE;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (!strcasestr(source, words[i].word))
            continue;
        if (words[i].type == SOURCE_TOLD_BY_AGENT && source_entity &&
            strncmp(source_entity, "human:", 6) == 0)
            return SOURCE_TOLD_BY_HUMAN;
        return words[i].type;
    }
    return SOURCE_DIRECT_EXPERIENCE;
}
