#include "model/memory/rating.h"

#include <string.h>
#include "model/base/arena.h"
#include "model/memory/memory.h"

/* An id may hold spaces, a word does not: the last one parts them. */
static const char *last_space(const char *value)
{
    const char *space = strrchr(value, ' ');
    return space && space[1] ? space : NULL;
}

bool rating_parse(const char *value, struct arena *arena, struct ref *of, const char **word)
{
    const char *space = value ? last_space(value) : NULL;
    if (!space)
        return false;
    const char *ref = arena_strndup(arena, value, (size_t)(space - value));
    *word = arena_strdup(arena, space + 1);
    return ref && *word && ref_parse(ref, of) == REF_MEMORY;
}

/* Does the value begin with that ref and a space? Most do not, and need not be taken apart. */
static bool names_source(const char *value, struct ref source)
{
    const char *kind = kind_name(source.kind);
    size_t kind_len = strlen(kind), len = strlen(source.id);
    return value && strncmp(value, kind, kind_len) == 0 && value[kind_len] == ':' &&
           strncmp(value + kind_len + 1, source.id, len) == 0 && value[kind_len + 1 + len] == ' ';
}

const struct mark *rating_of(const struct memory *step, struct ref source, struct arena *arena)
{
    const struct mark *latest = NULL;
    struct ref of;
    const char *word;
    for (size_t i = 0; i < step->mark_count; i++) {
        const struct mark *mark = &step->marks[i];
        if (strcmp(mark->mark, "rating") != 0 || !names_source(mark->value, source) ||
            (latest && mark->at < latest->at))
            continue;
        if (rating_parse(mark->value, arena, &of, &word) && ref_equal(of, source))
            latest = mark;
    }
    return latest;
}
