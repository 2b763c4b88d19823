#include "store/import/kernle/kernle_row.h"

#include "model/base/utf8.h"
#include "store/import/kernle/kernle_map.h"

const char *kernle_id(const struct cell *cell, struct arena *arena)
{
    if (cell->type == CELL_INTEGER) {
        struct strbuf text = STRBUF_INIT;
        json_add_int(&text, cell->integer);
        const char *id = arena_strdup(arena, text.buf);
        strbuf_release(&text);
        return id;
    }
    if ((cell->type != CELL_TEXT && cell->type != CELL_BLOB) || cell->len == 0 ||
        cell->len > REF_ID_MAX || !utf8_valid(cell->bytes, cell->len))
        return NULL;
    return arena_strndup(arena, cell->bytes, cell->len);
}

static bool map_id(struct kernle_mapping *map)
{
    const struct cell *cell = mapping_cell(map, FIELD_ID);
    const char *id = cell ? kernle_id(cell, map->arena) : NULL;
    memory_init(map->m, (struct ref){map->row->table->kind, id});
    if (!id && cell && cell_is_bytes(cell) && cell->len > REF_ID_MAX)
        mapping_report(map, FIELD_NONE, "its id is longer than 512 bytes; not imported");
    else if (!id)
        mapping_report(map, FIELD_NONE, "it has no id that can be used; not imported");
    return id != NULL;
}

/* ---- text ---- */

static const char *joined(struct kernle_mapping *map, const struct kernle_list *words)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < words->count; i++)
        strbuf_addf(&text, "%s%s", i ? ", " : "", words->items[i]);
    return mapping_take(map, &text);
}

/* What stands beside the name: a drive's focus areas, a relationship's notes or else its type. */
static const char *words_beside(struct kernle_mapping *map)
{
    if (map->m->ref.kind == KIND_DRIVE) {
        struct kernle_list areas = mapping_list(map, FIELD_WORDS);
        return areas.count ? joined(map, &areas) : NULL;
    }
    if (map->m->ref.kind != KIND_RELATIONSHIP)
        return NULL;
    const char *notes = mapping_text(map, FIELD_WORDS);
    return notes && *notes ? notes : mapping_text(map, FIELD_WORDS_ELSE);
}

/* A suggestion's content is an object; what it suggests is the first of these that it has. */
static const char *suggested(struct kernle_mapping *map)
{
    static const char *const names[] = {"statement", "objective", "content", "text",
                                        "title",     "name",      "summary"};
    struct json_slice json = mapping_json(map, FIELD_TEXT);
    const char *text = mapping_string(map, json);
    for (size_t i = 0; slice_is(json, '{') && !text && i < sizeof(names) / sizeof(*names); i++)
        text = mapping_member(map, json, names[i]);
    return text;
}

static bool same_cells(const struct cell *a, const struct cell *b)
{
    if (!cell_is_bytes(a) || !cell_is_bytes(b))
        return a->type == b->type && a->integer == b->integer && a->real == b->real;
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

/* The column of an older version: it fills the place where the newer one is empty; elsewhere it is
 * kept only if it says something else. */
static bool use_before(struct kernle_mapping *map, enum kernle_field field,
                       enum kernle_field before)
{
    const struct cell *cell = mapping_cell(map, field), *old = mapping_cell(map, before);
    if (!old)
        return false;
    if (!cell)
        return true;
    if (!same_cells(cell, old))
        mapping_keep(map, before, KEEP_CELL);
    return false;
}

/* The text is all of one cell: what is broken in it is kept as every memory's original is. */
static const char *plain_text(struct kernle_mapping *map)
{
    bool before = use_before(map, FIELD_TEXT, FIELD_TEXT_BEFORE);
    enum kernle_field field = before ? FIELD_TEXT_BEFORE : FIELD_TEXT;
    const char *text = map->m->ref.kind == KIND_SUGGESTION ? suggested(map) : NULL;
    if (text)
        return text;
    text = mapping_text(map, field);
    const struct cell *cell = mapping_cell(map, field);
    if (cell && cell_is_bytes(cell) && !utf8_valid(cell->bytes, cell->len))
        map->broken_text = cell;
    return text;
}

static void map_text(struct kernle_mapping *map)
{
    const char *text = plain_text(map);
    if (!text) {
        mapping_report(map, FIELD_NONE, "it has no text");
        text = "";
    }
    const char *beside = words_beside(map);
    if (beside && *beside) {
        struct strbuf both = STRBUF_INIT;
        strbuf_addf(&both, "%s: %s", text, beside);
        text = mapping_take(map, &both);
        map->broken_text = NULL;
    }
    map->m->text = text;
}

/* ---- times, numbers, words ---- */

static void map_times(struct kernle_mapping *map)
{
    static const enum kernle_field fields[] = {FIELD_CREATED, FIELD_CREATED_BEFORE, FIELD_UPDATED,
                                               FIELD_UPDATED_BEFORE};
    int64_t ms[4];
    bool known[4];
    use_before(map, FIELD_CREATED, FIELD_CREATED_BEFORE);
    use_before(map, FIELD_UPDATED, FIELD_UPDATED_BEFORE);
    for (size_t i = 0; i < 4; i++)
        known[i] = mapping_time(map, fields[i], &ms[i]) == 1;
    struct memory *m = map->m;
    for (size_t i = 4; i-- > 0;)
        if (known[i])
            m->created_at = ms[i];
    m->updated_at = known[2] ? ms[2] : known[3] ? ms[3] : m->created_at;
    if (!known[0] && !known[1])
        mapping_report(map, FIELD_NONE, "nothing says when it was made; %s",
                       known[2] || known[3] ? "taken as when it was last changed"
                                            : "left at the beginning of 1970");
}

static void map_confidence(struct kernle_mapping *map)
{
    double value = mapping_number(map, FIELD_CONFIDENCE);
    if (isnan(value))
        return;
    if (value >= 0 && value <= 1) {
        map->m->confidence = value;
        return;
    }
    map->m->confidence = value < 0 ? 0 : 1;
    mapping_report(map, FIELD_CONFIDENCE, "is %g; taken as %g", value, map->m->confidence);
    mapping_keep(map, FIELD_CONFIDENCE, KEEP_CELL);
}

static void map_version(struct kernle_mapping *map)
{
    double value = mapping_number(map, FIELD_VERSION);
    if (value >= 1 && value < 1e15)
        map->m->version = (int64_t)value;
}

static void map_words(struct kernle_mapping *map)
{
    struct memory *m = map->m;
    m->agent_id = mapping_text(map, FIELD_AGENT);
    if (!m->agent_id || !*m->agent_id) {
        mapping_report(map, FIELD_NONE, "it says of no agent whose it is; taken as \"unknown\"");
        m->agent_id = "unknown";
    }
    m->source_type = mapping_text(map, FIELD_SOURCE_TYPE);
    if (!m->source_type || !*m->source_type)
        m->source_type = source_type_name(SOURCE_UNKNOWN);
    m->source_entity = mapping_text(map, FIELD_SOURCE_ENTITY);
    m->context = mapping_text(map, FIELD_CONTEXT);
    struct kernle_list tags = mapping_list(map, FIELD_TAGS);
    kernle_list_unique(map, &tags);
    m->tags = tags.items;
    m->tag_count = tags.count;
}

static enum status status_of(struct kernle_mapping *map)
{
    const struct cell *active = mapping_cell(map, FIELD_IS_ACTIVE);
    const struct cell *successor = mapping_cell(map, FIELD_SUPERSEDED_BY);
    double strength = mapping_number(map, FIELD_STRENGTH);
    bool superseded = (active && !mapping_flag(map, FIELD_IS_ACTIVE)) ||
                      (successor && !(cell_is_bytes(successor) && successor->len == 0));
    bool forgotten = mapping_flag(map, FIELD_FORGOTTEN) || strength <= 0;
    bool deleted = mapping_flag(map, FIELD_DELETED);
    if (superseded && (forgotten || deleted))
        mapping_keep(map, FIELD_IS_ACTIVE, KEEP_CELL);
    return deleted      ? STATUS_DELETED
           : forgotten  ? STATUS_FORGOTTEN
           : superseded ? STATUS_SUPERSEDED
                        : STATUS_ACTIVE;
}

static void map_state(struct kernle_mapping *map)
{
    map->m->status = status_of(map);
    map->m->is_protected = mapping_flag(map, FIELD_PROTECTED);
    map_confidence(map);
    map_version(map);
}

static void keep_broken_text(struct kernle_mapping *map)
{
    const struct cell *text = map->broken_text;
    if (text && memory_set_text(map->m, map->arena, text->bytes, text->len))
        map->failed = true;
}

int kernle_map(const struct kernle_row *row, int64_t now, struct arena *arena, struct memory *m,
               struct kernle_report *report, struct error *e)
{
    struct kernle_mapping map = {.row = row, .arena = arena, .m = m, .now = now, .report = report};
    map.keep = mapping_alloc(&map, row->table->count, sizeof(*map.keep));
    bool usable = !map.failed && map_id(&map);
    if (usable) {
        map_text(&map);
        map_times(&map);
        map_words(&map);
        map_state(&map);
        mapping_history(&map);
        mapping_support(&map);
        mapping_relations(&map);
        mapping_detail(&map);
        keep_broken_text(&map);
    }
    if (map.failed)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    return usable;
}
