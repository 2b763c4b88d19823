/* What a note says of other notes, as the JSON of a memory has it: support and relations. */
#include <string.h>
#include "model/base/strbuf.h"
#include "model/json/json.h"
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

static void add_support(struct arena *arena, const struct resolved *l, struct json_object *groups)
{
    struct json_object group = json_item_open(groups, '{');
    json_pair(&group, "role", "derived_from");
    json_pair(&group, "reason", reason_of(arena, l));
    struct json_object list = json_open(&group, "antecedents", '[');
    struct json_object one = json_item_open(&list, '{');
    json_pair(&one, "ref", l->ref);
    json_end(&one);
    json_end(&list);
    json_end(&group);
}

void note_add_links(const struct notes *n, const struct note *note, const struct markdown *m,
                    struct arena *arena, struct json_object *o)
{
    static const char *const types[] = {[LINK_RELATION] = "related_to",
                                        [LINK_REPLACES] = "supersedes",
                                        [LINK_CONTRADICTS] = "contradicts"};
    struct resolved *all;
    size_t count = resolve(n, note, m, arena, &all);
    struct json_object groups = json_open(o, "justifications", '[');
    for (size_t i = 0; i < count; i++)
        if (all[i].sense == LINK_SUPPORT)
            add_support(arena, &all[i], &groups);
    json_end(&groups);
    struct json_object relations = json_open(o, "relations", '[');
    for (size_t i = 0; i < count; i++) {
        if (all[i].sense == LINK_SUPPORT)
            continue;
        struct json_object one = json_item_open(&relations, '{');
        json_pair(&one, "type", types[all[i].sense]);
        json_pair(&one, "to", all[i].ref);
        json_pair_if(&one, "reason",
                     all[i].sense == LINK_RELATION ? reason_of(arena, &all[i])
                                                   : all[i].link->context);
        json_end(&one);
    }
    json_end(&relations);
}
