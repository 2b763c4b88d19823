/*
 * Imports the file of server-memory, the MCP reference server: JSON lines of entities with
 * observations, and of relations between entities (modelcontextprotocol/servers,
 * src/memory/index.ts). It has no ids, no times and no authors.
 *
 * The server writes the whole file anew at each change and not atomically, so torn lines and lines
 * with two objects are common. What is whole in them is read; the rest is reported.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/json/json.h"
#include "store/import/builder.h"
#include "store/import/import.h"
#include "store/import/import_run.h"
#include "store/import/write_back.h"

#define FORMAT "server-memory"

struct entity {
    const char *name, *type;
    struct json_slice object; /* all of it, for members that forks of the server add */
    int64_t line;
    size_t first, count; /* its relations */
};

struct relation_line {
    const char *from, *to, *type;
};

struct observation {
    size_t entity; /* its number */
    const char *text;
    int64_t line;
};

/* The whole file: the relations of an entity stand after it. */
struct graph_file {
    struct arena arena;
    struct key_index names; /* of entities; the number of a name is that of its entity */
    struct entity *entity;
    size_t entity_alloc;
    struct observation *observation;
    size_t observation_count, observation_alloc;
    struct relation_line *relation;
    size_t relation_count, relation_alloc;
};

/* ---- reading ---- */

/* Adds the observations of entity `at`. Those that are no text are reported. */
static void take_observations(struct record_import *r, struct graph_file *g, size_t at,
                              struct json_slice object, int64_t line)
{
    struct json_slice all = json_get(object, "observations");
    size_t others = all.ptr && *all.ptr != '[';
    for (struct json_each it = json_each(all); json_next(&it);) {
        const char *text = *it.value.ptr == '"' ? json_text_repaired(&g->arena, it.value) : NULL;
        others += !text;
        if (text && *text)
            *ARRAY_ADD(g->observation, g->observation_count, g->observation_alloc) =
                (struct observation){at, text, line};
    }
    if (!others)
        return;
    import_fault_at(r, line, "%zu of the observations of %.80s %s no text; left out", others,
                    g->entity[at].name, others == 1 ? "is" : "are");
}

/* The server itself makes no two entities of one name, but others that write the file do. */
static void take_entity(struct record_import *r, struct graph_file *g, struct json_slice object,
                        int64_t line)
{
    const char *name = json_get_text(&g->arena, object, "name");
    size_t count = g->names.count, at = key_index_add(&g->names, name, strlen(name));
    if (at < count) {
        import_run_report_record(r->run, &(struct import_item){.line = line},
                                 "the entity %.80s stands twice: its observations are joined, and "
                                 "of all else the first one counts",
                                 name);
    } else {
        ARRAY_ROOM(g->entity, at, g->entity_alloc, 1);
        g->entity[at] = (struct entity){
            .name = name,
            .type = json_get_text(&g->arena, object, "entityType"),
            .object = object,
            .line = line,
        };
    }
    take_observations(r, g, at, object, line);
}

static bool take_object(struct record_import *r, struct graph_file *g, const char *text, size_t len,
                        int64_t line)
{
    struct error wrong;
    if (json_check_lax(text, len, JSON_DEPTH_MAX, &wrong))
        return false;
    struct json_slice object = {arena_strndup(&g->arena, text, len), len};
    const char *type = json_get_text(&g->arena, object, "type");
    struct relation_line relation = {json_get_text(&g->arena, object, "from"),
                                     json_get_text(&g->arena, object, "to"),
                                     json_get_text(&g->arena, object, "relationType")};
    if (type && strcmp(type, "entity") == 0 && json_get_text(&g->arena, object, "name"))
        take_entity(r, g, object, line);
    else if (type && strcmp(type, "relation") == 0 && relation.from && relation.to)
        *ARRAY_ADD(g->relation, g->relation_count, g->relation_alloc) = relation;
    else
        return false;
    return true;
}

/* Length of the object at the start of the text; 0 if it does not end. */
static size_t object_len(const char *text, size_t len)
{
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < len; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (text[i] == '{') - (text[i] == '}');
        if (depth == 0)
            return text[i] == '}' ? i + 1 : 0;
    }
    return 0;
}

/* Where the next object may begin, behind the first byte; NULL if nowhere. */
static const char *next_object(const char *text, size_t len)
{
    return len > 1 ? memmem(text + 1, len - 1, "{\"type\":", 8) : NULL;
}

/* A line is one object, or several, or the rest of a torn one before the next. Once a part was torn, an object is only
 * looked for up to where the next one may begin: a line of beginnings would be read to its end for each. O(bytes). */
static int take_line(struct record_import *r, const struct record *line, struct import_item *item,
                     struct error *e)
{
    const char *text = line->ptr, *end = line->ptr + line->len;
    size_t objects = 0;
    bool torn = false;
    (void)item;
    (void)e;
    while (text < end) {
        size_t rest = (size_t)(end - text);
        const char *next = torn ? next_object(text, rest) : NULL;
        size_t len = object_len(text, next ? (size_t)(next - text) : rest);
        if (len && take_object(r, r->state, text, len, line->line)) {
            objects++;
            text += len;
            continue;
        }
        next = next ? next : next_object(text, rest);
        import_fault_at(r, line->line, "%zu bytes are not a whole entity or relation; left out",
                        next ? (size_t)(next - text) : rest);
        text = next ? next : end;
        torn = true;
    }
    if (objects > 1)
        import_run_report_record(r->run, &(struct import_item){.line = line->line},
                                 "has %zu objects; each was read", objects);
    return 0;
}

static bool is_graph_line(const struct record *line, struct arena *arena)
{
    size_t len = object_len(line->ptr, line->len);
    struct error wrong;
    if (!len || json_check_lax(line->ptr, len, JSON_DEPTH_MAX, &wrong))
        return false;
    const char *type = json_text(arena, json_member(line->ptr, len, "type"), NULL);
    return type && (strcmp(type, "entity") == 0 || strcmp(type, "relation") == 0);
}

/* ---- memories ---- */

static const char *entity_id(struct arena *arena, const char *name)
{
    return import_make_id(arena, FORMAT, "entity", name, NULL);
}

static const char *observation_id(struct arena *arena, const char *entity, const char *text)
{
    return import_make_id(arena, FORMAT, "observation", entity, text, NULL);
}

static void add_relation(struct builder *b, struct arena *arena, const char *to, const char *reason)
{
    build_relation(b, "related_to", arena_format(arena, "note:%s", entity_id(arena, to)), reason);
}

/* An observation is a belief about its entity. */
static int add_observation(struct record_import *r, const struct entity *entity,
                           const struct observation *said, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct builder b = build_begin(
        &r->scratch, &(struct build_head){.kind = "belief",
                                          .id = observation_id(&arena, entity->name, said->text),
                                          .text = said->text,
                                          .source_type = "external",
                                          .confidence_default = true});
    add_relation(&b, &arena, entity->name, "about");
    return build_take(&b, r->run, said->line, e);
}

static int add_entity(struct record_import *r, const struct graph_file *g,
                      const struct entity *entity, struct error *e)
{
    static const char *const known[] = {"type", "name", "entityType", "observations", NULL};
    AUTO_ARENA arena = ARENA_INIT;
    struct builder b =
        build_begin(&r->scratch, &(struct build_head){.kind = "note",
                                                      .id = entity_id(&arena, entity->name),
                                                      .text = entity->name,
                                                      .source_type = "external",
                                                      .confidence_default = true});
    build_text(&b, "tags", entity->type);
    for (size_t i = entity->first; i < entity->first + entity->count; i++)
        add_relation(&b, &arena, g->relation[i].to, g->relation[i].type);
    json_add_others(build_detail(&b), entity->object, known);
    return build_take(&b, r->run, entity->line, e);
}

static int compare_relations(const void *a, const void *b)
{
    const struct relation_line *x = a, *y = b;
    int order = strcmp(x->from, y->from);
    order = order ? order : strcmp(x->to, y->to);
    return order ? order : strcmp(x->type ? x->type : "", y->type ? y->type : "");
}

/* Sorts the relations and gives each entity its own. Those of a name that is no entity are reported. */
static void join_relations(struct record_import *r, struct graph_file *g)
{
    SORT(g->relation, g->relation_count, compare_relations);
    for (size_t i = 0, next; i < g->relation_count; i = next) {
        const char *from = g->relation[i].from;
        size_t at = key_index_find(&g->names, from, strlen(from));
        for (next = i + 1; next < g->relation_count && strcmp(g->relation[next].from, from) == 0;)
            next++;
        if (at != ROW_NONE) {
            g->entity[at].first = i;
            g->entity[at].count = next - i;
            continue;
        }
        import_fault_at(r, 0, "%zu %s at %.80s, which is no entity; left out", next - i,
                        next - i == 1 ? "relation begins" : "relations begin", from);
    }
}

static int add_all(struct record_import *r, struct error *e)
{
    struct graph_file *g = r->state;
    join_relations(r, g);
    for (size_t i = 0; i < g->names.count; i++)
        if (add_entity(r, g, &g->entity[i], e))
            return -1;
    for (size_t i = 0; i < g->observation_count; i++)
        if (add_observation(r, &g->entity[g->observation[i].entity], &g->observation[i], e))
            return -1;
    return 0;
}

static void release(void *state)
{
    struct graph_file *g = state;
    arena_release(&g->arena);
    key_index_release(&g->names);
    FREE_ALL(g->entity, g->observation, g->relation);
}

static const struct record_format format = {
    .by_lines = true,
    .state_size = sizeof(struct graph_file),
    .take = take_line,
    .end = add_all,
    .release = release,
    .is_one = is_graph_line,
};

/* ---- writing back ---- */

/*
 * The file is copied, and only observations, types and whole objects that were decided about change, as the
 * server itself would write them: an entity that is deleted takes its relations with it.
 */

struct graph_write {
    struct write_back *w;
    const struct write_file *file;
    struct strbuf out;
    int64_t line;
    bool changed;
};

static struct decision *decision_about(struct graph_write *g, enum kind kind, const char *id)
{
    return write_back_find(g->w, import_names_find(g->w->names, (struct ref){kind, id}));
}

static const char *place_of(struct graph_write *g, const char *entity)
{
    return arena_format(g->w->arena, "%s:%lld %s", strrchr(g->file->path, '/') + 1,
                        (long long)g->line, entity);
}

static void change(struct graph_write *g, struct decision *d, const char *entity, const char *old,
                   const char *fresh)
{
    write_back_change(g->w, d, place_of(g, entity), old, fresh);
    g->changed = true;
}

static bool has_text(struct arena *arena, struct json_slice list, const char *text)
{
    for (struct json_each it = json_each(list); json_next(&it);)
        if (same_text(json_text_repaired(arena, it.value), text))
            return true;
    return false;
}

/* Appends the observation as it will be; nothing if it goes. */
static void write_observation(struct graph_write *g, struct strbuf *out, const char *entity,
                              struct json_slice all, struct json_slice one)
{
    struct arena *arena = g->w->arena;
    const char *text = json_text_repaired(arena, one);
    struct decision *d =
        text ? decision_about(g, KIND_BELIEF, observation_id(arena, entity, text)) : NULL;
    const struct memory *will = d ? d->will : NULL;
    const char *old = arena_strndup(arena, one.ptr, one.len);
    if (will)
        write_back_left(g->w, d, false);
    if (!d || (will && strcmp(will->text, text) == 0)) {
        strbuf_add(out, one.ptr, one.len);
    } else if (!will || has_text(arena, all, will->text)) {
        change(g, d, entity, old, NULL);
    } else {
        size_t start = out->len;
        json_add_string(out, will->text);
        change(g, d, entity, old, out->buf + start);
        write_back_name(g->w, (struct ref){KIND_BELIEF, observation_id(arena, entity, will->text)},
                        will);
    }
}

static void write_observations(struct graph_write *g, struct strbuf *out, const char *entity,
                               struct json_slice all)
{
    bool any = false, before = g->changed;
    size_t start = out->len;
    g->changed = false;
    strbuf_addch(out, '[');
    for (struct json_each it = json_each(all); json_next(&it);) {
        AUTO_STRBUF one = STRBUF_INIT;
        write_observation(g, &one, entity, all, it.value);
        if (one.len == 0)
            continue;
        if (any)
            strbuf_addch(out, ',');
        strbuf_add(out, one.buf, one.len);
        any = true;
    }
    strbuf_addch(out, ']');
    if (!g->changed) { /* with the white space that it had */
        strbuf_cut(out, start);
        strbuf_add(out, all.ptr, all.len);
    }
    g->changed |= before;
}

/* The entity's note: its name is what relations refer to, so only its type changes. */
static void write_type(struct graph_write *g, struct strbuf *out, const char *entity,
                       struct json_slice type, struct decision *d)
{
    const struct memory *m = d ? d->now : NULL;
    const char *was = json_text_repaired(g->w->arena, type),
               *base = d && d->base && d->base->tag_count == 1 ? d->base->tags[0] : NULL;
    if (!m || m->tag_count != 1 || !was ||
        !write_back_decides(g->w, d, place_of(g, entity), g->file->at, base, was, m->tags[0])) {
        strbuf_add(out, type.ptr, type.len);
        return;
    }
    size_t start = out->len;
    json_add_string(out, m->tags[0]);
    write_back_agree(g->w, m);
    change(g, d, entity, arena_strndup(g->w->arena, type.ptr, type.len), out->buf + start);
}

static void write_entity(struct graph_write *g, const char *text, size_t len, const char *name)
{
    struct decision *d = decision_about(g, KIND_NOTE, entity_id(g->w->arena, name));
    const char *at = text;
    if (d && !d->will) {
        change(g, d, name, arena_strndup(g->w->arena, text, len), NULL);
        return;
    }
    if (d) {
        write_back_left(g->w, d, true);
        if (strcmp(d->will->text, name) != 0)
            write_back_cannot(g->w, d, "its new name: relations refer to an entity by its name");
        if (d->now->tag_count > 1)
            write_back_cannot(g->w, d, "several tags: an entity has one type");
    }
    for (struct json_each it = json_each((struct json_slice){text, len}); json_next(&it);) {
        bool is_type = json_key_is(it.key, "entityType"),
             is_list = json_key_is(it.key, "observations");
        if (!is_type && !is_list)
            continue;
        strbuf_add(&g->out, at, (size_t)(it.value.ptr - at));
        if (is_type)
            write_type(g, &g->out, name, it.value, d);
        else
            write_observations(g, &g->out, name, it.value);
        at = it.value.ptr + it.value.len;
    }
    strbuf_add(&g->out, at, (size_t)(text + len - at));
}

static void write_object(struct graph_write *g, const char *text, size_t len)
{
    static const char *const ends[] = {"name", "from", "to"};
    struct arena *arena = g->w->arena;
    struct error wrong;
    const char *name[3] = {NULL};
    if (json_check_lax(text, len, JSON_DEPTH_MAX, &wrong) == 0)
        for (int i = 0; i < 3; i++)
            name[i] = json_text_repaired(arena, json_member(text, len, ends[i]));
    if (name[0]) {
        write_entity(g, text, len, name[0]);
        return;
    }
    for (int i = 1; i < 3; i++) {
        struct decision *d =
            name[i] ? decision_about(g, KIND_NOTE, entity_id(arena, name[i])) : NULL;
        if (d && !d->will) {
            change(g, d, name[i], arena_strndup(arena, text, len), NULL);
            return;
        }
    }
    strbuf_add(&g->out, text, len);
}

/* Bytes that are no object stay as they are. A line of which nothing is left goes. */
static void write_line(struct graph_write *g, const char *text, const char *end)
{
    size_t start = g->out.len, had = (size_t)(end - text);
    while (text < end) {
        size_t rest = (size_t)(end - text), len = object_len(text, rest);
        const char *next = len ? text + len : next_object(text, rest);
        next = next ? next : end;
        if (len)
            write_object(g, text, len);
        else
            strbuf_add(&g->out, text, (size_t)(next - text));
        text = next;
    }
    if (g->out.len > start || had == 0)
        strbuf_addch(&g->out, '\n');
}

static int plan_write(struct write_back *w, struct error *e)
{
    struct write_file *f = write_back_read(w, w->path, e);
    if (!f)
        return -1;
    struct graph_write g = {.w = w, .file = f, .out = STRBUF_INIT};
    const char *end = f->text + f->len;
    for (const char *line = f->text, *stop; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        g.line++;
        write_line(&g, line, stop);
    }
    /* The server writes no line end behind the last line. */
    if (f->len && end[-1] != '\n' && g.out.len)
        strbuf_cut(&g.out, g.out.len - 1);
    f->fresh_len = g.out.len;
    f->fresh = g.changed ? arena_memdup(w->arena, g.out.buf, g.out.len) : NULL;
    strbuf_release(&g.out);
    return 0;
}

static const struct write_back_rules write_back = {.plan = plan_write};

const struct import_format server_memory_format = {
    .name = FORMAT,
    .title = "a file of server-memory, the MCP reference server",
    .about = "An entity becomes a note, an observation a belief about it, a relation a relation",
    .agent = "the agent of all memories, since the file names none",
    .file = "json:type=entity json:entityType|json:type=relation json:relationType",
    .places = "$MEMORY_FILE_PATH",
    .records = &format,
    .write_back = &write_back,
};
