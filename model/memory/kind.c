#include "model/memory/kind.h"

static const struct kind_spec specs[KIND_COUNT] = {
    [KIND_RAW] = {"raw", "raw", "blob", "captured as it happened", 1.0, 'r', true},
    [KIND_EPISODE] = {"episode", "episodes", "objective", "an experience and its outcome", 0.8, 'e',
                      false},
    [KIND_BELIEF] = {"belief", "beliefs", "statement", "a statement held true", 0.8, 'b', false},
    [KIND_NOTE] = {"note", "notes", "content", "a decision, insight, quote or observation", 0.8,
                   'n', false},
    [KIND_VALUE] = {"value", "values", "statement", "what the agent holds dear", 0.9, 'v', false},
    [KIND_GOAL] = {"goal", "goals", "title", "what the agent is after", 0.8, 'g', false},
    [KIND_DRIVE] = {"drive", "drives", "drive", "what moves the agent", 0.8, 'd', false},
    [KIND_RELATIONSHIP] = {"relationship", "relationships", "entity", "someone the agent knows",
                           0.8, 'p', false},
    [KIND_SUGGESTION] = {"suggestion", "suggestions", "content", "a memory proposed, not yet taken",
                         0.8, 'u', false},
    [KIND_ATTRIBUTION] = {"attribution", "attributions", "summary", "a logged retrieval", 1.0, 'a',
                          true},
    [KIND_DOCUMENT] = {"document", "documents", "title", "a document that reasoning cites", 1.0,
                       'D', true},
    [KIND_CHAIN] = {"chain", "chains", "question", "a run of reasoning", 0.8, 'c', false},
    [KIND_STEP] = {"step", "steps", "question", "a step of a chain", 0.8, 's', false},
    [KIND_CITATION] = {"citation", "citations", "snippet", "a passage cited in a response", 0.8,
                       'q', false},
    [KIND_ENTRY] = {"entry", "entries", "key", "a namespaced key with a value", 1.0, 'k', true},
};

const struct kind_spec *kind_spec(enum kind kind)
{
    return &specs[kind];
}

const char *kind_name(enum kind kind)
{
    return specs[kind].name;
}

int kind_from_name(const char *name, size_t len)
{
    for (int k = 0; k < KIND_COUNT; k++)
        if (strlen(specs[k].name) == len && memcmp(specs[k].name, name, len) == 0)
            return k;
    return -1;
}

int kind_from_word(const char *word)
{
    for (int k = 0; k < KIND_COUNT; k++)
        if (strcmp(specs[k].name, word) == 0 || strcmp(specs[k].plural, word) == 0)
            return k;
    return -1;
}
