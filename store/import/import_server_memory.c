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
#include "store/import/import.h"
#include "store/import/import_run.h"

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

static const char *text_member(struct graph_file *g, struct json_slice object, const char *name)
{
    return json_text_repaired(&g->arena, json_member(object.ptr, object.len, name));
}

/* Adds the observations of entity `at`. Those that are no text are reported. */
static void take_observations(struct record_import *r, struct graph_file *g, size_t at,
                              struct json_slice object, int64_t line)
{
    struct json_slice all = json_member(object.ptr, object.len, "observations");
    struct error wrong;
    size_t others = all.ptr && *all.ptr != '[' && *all.ptr != 'n';
    for (struct json_each it = json_each(all); json_next(&it);) {
        const char *text = *it.value.ptr == '"' ? json_text_repaired(&g->arena, it.value) : NULL;
        others += !text;
        if (text && *text)
            *ARRAY_ADD(g->observation, g->observation_count, g->observation_alloc) =
                (struct observation){at, text, line};
    }
    if (!others)
        return;
    error_set(&wrong, ERROR_INVALID, "", "%zu of the observations of %.80s %s no text; left out",
              others, g->entity[at].name, others == 1 ? "is" : "are");
    import_fault(r, &(struct import_item){.line = line}, &wrong);
}

/* The server itself makes no two entities of one name, but others that write the file do. */
static void take_entity(struct record_import *r, struct graph_file *g, struct json_slice object,
                        int64_t line)
{
    const char *name = text_member(g, object, "name");
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
            .type = text_member(g, object, "entityType"),
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
    const char *type = text_member(g, object, "type");
    struct relation_line relation = {text_member(g, object, "from"), text_member(g, object, "to"),
                                     text_member(g, object, "relationType")};
    if (type && strcmp(type, "entity") == 0 && text_member(g, object, "name"))
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

static void report_part(struct record_import *r, int64_t line, size_t len)
{
    struct error wrong;
    error_set(&wrong, ERROR_INVALID, "", "%zu bytes are not a whole entity or relation; left out",
              len);
    import_fault(r, &(struct import_item){.line = line}, &wrong);
}

/* A line is one object, or several, or the rest of a torn one before the next. */
static int take_line(struct record_import *r, const struct record *line, struct import_item *item,
                     struct error *e)
{
    const char *text = line->ptr, *end = line->ptr + line->len;
    size_t objects = 0;
    (void)item;
    (void)e;
    while (text < end) {
        size_t rest = (size_t)(end - text), len = object_len(text, rest);
        if (len && take_object(r, r->state, text, len, line->line)) {
            objects++;
            text += len;
            continue;
        }
        const char *next = next_object(text, rest);
        report_part(r, line->line, next ? (size_t)(next - text) : rest);
        text = next ? next : end;
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

static const char *entity_ref(struct arena *arena, const char *name)
{
    return arena_format(arena, "note:%s", import_make_id(arena, FORMAT, "entity", name, NULL));
}

static void begin_memory(struct json_object *o, struct strbuf *out, const char *ref,
                         const char *text)
{
    strbuf_clear(out);
    *o = json_begin(out, '{');
    json_pair(o, "ref", ref);
    json_pair(o, "text", text);
    json_pair(o, "source_type", "external");
}

static void add_relation(struct json_object *list, const char *to, const char *reason)
{
    struct json_object one = json_item_open(list, '{');
    json_pair(&one, "type", "related_to");
    json_pair(&one, "to", to);
    json_pair_if(&one, "reason", reason);
    json_end(&one);
}

/* An observation is a belief about its entity. */
static int add_observation(struct record_import *r, const struct entity *entity,
                           const struct observation *said, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct json_object o;
    begin_memory(
        &o, &r->scratch,
        arena_format(&arena, "belief:%s",
                     import_make_id(&arena, FORMAT, "observation", entity->name, said->text, NULL)),
        said->text);
    struct json_object relations = json_open(&o, "relations", '[');
    add_relation(&relations, entity_ref(&arena, entity->name), "about");
    json_end(&relations);
    json_pair_raw(&o, "detail", "{\"confidence_default\":true}");
    json_end(&o);
    return import_run_take(r->run, &r->scratch, said->line, e);
}

static int add_entity(struct record_import *r, const struct graph_file *g,
                      const struct entity *entity, struct error *e)
{
    static const char *const known[] = {"type", "name", "entityType", "observations", NULL};
    AUTO_ARENA arena = ARENA_INIT;
    struct json_object o;
    begin_memory(&o, &r->scratch, entity_ref(&arena, entity->name), entity->name);
    if (entity->type && *entity->type) {
        struct json_object tags = json_open(&o, "tags", '[');
        json_item(&tags);
        json_add_string(&r->scratch, entity->type);
        json_end(&tags);
    }
    struct json_object relations = json_open(&o, "relations", '[');
    for (size_t i = entity->first; i < entity->first + entity->count; i++)
        add_relation(&relations, entity_ref(&arena, g->relation[i].to), g->relation[i].type);
    json_end(&relations);
    struct json_object detail = json_open(&o, "detail", '{');
    json_add_others(&detail, entity->object, known);
    json_pair_bool(&detail, "confidence_default", true);
    json_end(&detail);
    json_end(&o);
    return import_run_take(r->run, &r->scratch, entity->line, e);
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
    if (g->relation_count)
        qsort(g->relation, g->relation_count, sizeof(*g->relation), compare_relations);
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
        struct error wrong;
        error_set(&wrong, ERROR_INVALID, "", "%zu %s at %.80s, which is no entity; left out",
                  next - i, next - i == 1 ? "relation begins" : "relations begin", from);
        import_fault(r, &(struct import_item){0}, &wrong);
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
    free(g->entity);
    free(g->observation);
    free(g->relation);
}

static const struct record_format format = {
    .source = {.name = FORMAT, .actor = "import " FORMAT},
    .by_lines = true,
    .state_size = sizeof(struct graph_file),
    .take = take_line,
    .end = add_all,
    .release = release,
    .is_one = is_graph_line,
};

static int check(const char *path, const char *agent, struct error *e)
{
    (void)agent;
    return record_format_check(&format, path, e);
}

static int run(struct store *s, const char *path, const struct import_options *options,
               struct import_summary *summary, struct error *e)
{
    return record_format_run(&format, s, path, options, summary, e);
}

const struct import_format server_memory_format = {
    .name = FORMAT,
    .title = "a file of server-memory, the MCP reference server",
    .about = "An entity becomes a note, an observation a belief about it, a relation a relation",
    .agent = "the agent of all memories, since the file names none",
    .file = "json:type=entity json:entityType|json:type=relation json:relationType",
    .places = "$MEMORY_FILE_PATH",
    .check = check,
    .run = run,
};
