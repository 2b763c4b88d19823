/* What a note says of other notes, as the JSON of a memory has it: support and relations. */
#include <string.h>
#include "model/base/strbuf.h"
#include "store/import/builder.h"
#include "store/import/markdown/notes.h"

enum link_sense {
    LINK_RELATION,
    LINK_SUPPORT,
    LINK_REPLACES,
    LINK_CONTRADICTS
};

static enum link_sense sense_of(const char *type)
{
    static const struct {
        const char *type;
        enum link_sense sense;
    } senses[] = {
        {"derived_from", LINK_SUPPORT},    {"based_on", LINK_SUPPORT},
        {"source", LINK_SUPPORT},          {"evidence", LINK_SUPPORT},
        {"learned_from", LINK_SUPPORT},    {"supports", LINK_SUPPORT},
        {"supersedes", LINK_REPLACES},     {"replaces", LINK_REPLACES},
        {"contradicts", LINK_CONTRADICTS},
    };
    for (size_t i = 0; i < sizeof(senses) / sizeof(senses[0]); i++) {
        const char *a = senses[i].type, *b = type;
        for (; *a && (*a == (*b | 32) || (*a == '_' && (*b == ' ' || *b == '-' || *b == '_')));)
            a++, b++;
        if (!*a && !*b)
            return senses[i].sense;
    }
    return LINK_RELATION;
}

struct resolved {
    const struct markdown_link *link;
    enum link_sense sense;
    const char *ref;
};

static const char *reason_of(struct arena *arena, const struct resolved *l)
{
    const char *context = l->link->context;
    return context ? arena_format(arena, "%s (%s)", l->link->type, context) : l->link->type;
}

/* Each link once, and none to the note itself. Returns their number. */
static size_t resolve(const struct notes *n, const struct note *note, const struct markdown *m,
                      struct arena *arena, struct resolved **out)
{
    struct key_index seen = KEY_INDEX_INIT;
    size_t count = 0;
    *out = arena_array(arena, m->link_count + 1, sizeof(**out));
    for (size_t i = 0; i < m->link_count; i++) {
        const struct markdown_link *link = &m->links[i];
        const char *id;
        const struct note *to = notes_find(n, note, link, arena, &id);
        struct resolved l = {link, sense_of(link->type), NULL};
        id = to ? to->id : id;
        l.ref = arena_format(arena, "note:%s", id);
        AUTO_STRBUF key = STRBUF_INIT;
        strbuf_addf(&key, "%s %s", l.ref, reason_of(arena, &l));
        size_t known = seen.count;
        if (strcmp(id, note->id) != 0 && key_index_add(&seen, key.buf, key.len) == known)
            (*out)[count++] = l;
    }
    key_index_release(&seen);
    return count;
}

void note_add_links(const struct notes *n, const struct note *note, const struct markdown *m,
                    struct arena *arena, struct builder *b)
{
    static const char *const types[] = {[LINK_RELATION] = "related_to",
                                        [LINK_REPLACES] = "supersedes",
                                        [LINK_CONTRADICTS] = "contradicts"};
    struct resolved *all;
    size_t count = resolve(n, note, m, arena, &all);
    for (size_t i = 0; i < count; i++)
        if (all[i].sense == LINK_SUPPORT) {
            build_group(b, &(struct build_group){.role = "derived_from",
                                                 .reason = reason_of(arena, &all[i])});
            build_source(b, all[i].ref);
        }
    for (size_t i = 0; i < count; i++)
        if (all[i].sense != LINK_SUPPORT)
            build_relation(b, types[all[i].sense], all[i].ref,
                           all[i].sense == LINK_RELATION ? reason_of(arena, &all[i])
                                                         : all[i].link->context);
}
