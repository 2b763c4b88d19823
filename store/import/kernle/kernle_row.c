/* Maps a row of a Kernle table to a memory: history, support, relations, fields. */
#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "store/import/kernle/kernle_map.h"

/* ---- history ---- */

/* History entries under construction; `list` has room for all of them. */
struct entries {
    struct history_entry *list;
    size_t count;
};

/* Returns a confidence, or NAN; other values stay among the leftover members. */
static double confidence_member(struct json_slice object, const char *name)
{
    double value;
    struct json_slice member = json_get(object, name);
    if (!member.ptr || json_double(member, &value) || value < 0 || value > 1)
        return NAN;
    return value;
}

/* Joins the reason and the members without a field of their own. */
static const char *full_reason(struct kernle_mapping *map, const char *reason, const char *leftover)
{
    if (!reason || !leftover)
        return reason ? reason : leftover;
    return arena_format(map->arena, "%s %s", reason, leftover);
}

static int64_t entry_time(struct kernle_mapping *map, struct json_slice object, int64_t before)
{
    const char *text = mapping_member(map, object, "timestamp");
    struct json_slice number = json_get(object, "timestamp");
    struct cell cell = {.type = CELL_TEXT, .bytes = text, .len = text ? strlen(text) : 0};
    int64_t ms;
    if (!text && number.ptr && json_double(number, &cell.real) == 0)
        cell.type = CELL_REAL;
    if (kernle_cell_time(&cell, &ms) > 0)
        return ms;
    mapping_report(map, FIELD_HISTORY,
                   "has an entry without a readable time; the time of the previous one is used");
    mapping_keep(map, FIELD_HISTORY, KEEP_CELL);
    return before;
}

static void add_change(struct kernle_mapping *map, struct entries *entries,
                       struct json_slice object)
{
    int64_t before = entries->count ? entries->list[entries->count - 1].at : map->m->created_at;
    struct history_entry *h = &entries->list[entries->count++];
    const char *known[6] = {"timestamp"}; /* ends with NULL */
    size_t count = 1;
    h->at = entry_time(map, object, before);
    h->old = confidence_member(object, "old");
    h->new_ = confidence_member(object, "new");
    h->evidence_source = mapping_member(map, object, "evidence_source");
    const char *reason = mapping_member(map, object, "reason");
    if (!isnan(h->old))
        known[count++] = "old";
    if (!isnan(h->new_))
        known[count++] = "new";
    if (h->evidence_source)
        known[count++] = "evidence_source";
    if (reason)
        known[count++] = "reason";
    h->reason = full_reason(map, reason, mapping_leftover(map, object, known));
}

static void add_changes(struct kernle_mapping *map, struct entries *entries,
                        struct json_slice array)
{
    size_t odd = 0;
    for (struct json_each it = json_each(array); json_next(&it);) {
        if (slice_is(it.value, '{'))
            add_change(map, entries, it.value);
        else
            odd += !slice_is(it.value, 'n');
    }
    if (odd) {
        mapping_report(map, FIELD_HISTORY, "has %zu %s; left out", odd,
                       odd == 1 ? "entry that is no object" : "entries that are no objects");
        mapping_keep(map, FIELD_HISTORY, KEEP_CELL);
    }
}

/* ---- memory_audit ---- */

static void read_details(struct kernle_mapping *map, struct history_entry *h, const char *details)
{
    static const char *const with_cause[] = {"reason", "cascade_source", "trigger_id", NULL};
    struct json_slice json = json_trim(details, strlen(details));
    struct error e;
    if (json_check_lax(json.ptr, json.len, JSON_DEPTH_MAX, &e) || !slice_is(json, '{')) {
        h->reason = details;
        return;
    }
    h->evidence_source = mapping_member(map, json, "cascade_source");
    if (!h->evidence_source)
        h->evidence_source = mapping_member(map, json, "trigger_id");
    h->reason = full_reason(map, mapping_member(map, json, "reason"),
                            mapping_leftover(map, json, with_cause));
}

static void add_audit(struct kernle_mapping *map, struct entries *entries,
                      const struct kernle_audit_row *row)
{
    struct history_entry *h = &entries->list[entries->count++];
    const char *created = row->created_at ? row->created_at : "";
    struct cell cell = {.type = CELL_TEXT, .bytes = created, .len = strlen(created)};
    *h = (struct history_entry){.old = NAN, .new_ = NAN, .origin = "kernle"};
    h->operation = row->operation;
    h->actor = row->actor;
    if (kernle_cell_time(&cell, &h->at) <= 0) {
        mapping_report(map, FIELD_NONE, "an entry of memory_audit has no readable time");
        h->at = map->m->updated_at;
    }
    if (row->details && *row->details)
        read_details(map, h, row->details);
    if (row->correlation && *row->correlation)
        h->reason = full_reason(map, h->reason,
                                arena_format(map->arena, "correlation %s", row->correlation));
}

/* Sorts by time; entries with equal times stay in order, which is that of their addresses. */
static int compare_entries(const void *a, const void *b)
{
    const struct history_entry *x = *(const struct history_entry *const *)a,
                               *y = *(const struct history_entry *const *)b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x > y) - (x < y);
}

static struct history_entry *sorted_entries(struct kernle_mapping *map,
                                            const struct entries *entries)
{
    const struct history_entry **order = arena_array(map->arena, entries->count, sizeof(*order));
    struct history_entry *list = arena_array(map->arena, entries->count, sizeof(*list));
    for (size_t i = 0; i < entries->count; i++)
        order[i] = &entries->list[i];
    SORT(order, entries->count, compare_entries);
    for (size_t i = 0; i < entries->count; i++)
        list[i] = *order[i];
    return list;
}

/* Builds the history from confidence_history and memory_audit. */
static void mapping_history(struct kernle_mapping *map)
{
    struct json_slice array = mapping_array(map, FIELD_HISTORY);
    size_t most = map->row->audit_count + json_count(array);
    struct entries entries = {arena_array(map->arena, most, sizeof(*entries.list)), 0};
    add_changes(map, &entries, array);
    for (size_t i = 0; i < map->row->audit_count; i++)
        add_audit(map, &entries, &map->row->audit[i]);
    map->m->history = sorted_entries(map, &entries);
    map->m->history_count = entries.count;
}

/* ---- support ---- */

/*
 * Support. Kernle records it in three places: derived_from (one group, reading any),
 * source_episodes (a group for each) and the evidence of reinforcements. In each place the first of
 * repeated refs counts. A reinforcement counts only if it adds something: an episode that is not a
 * source episode, or another memory that does not support this one yet.
 */
struct support {
    struct kernle_mapping *map;
    struct justification *all;  /* one element at the start is reserved for derived_from */
    struct antecedent *derived; /* antecedents of derived_from */
    size_t derived_count;
    struct key_index in_derived, in_single;
    struct kernle_list annotations;
    enum recorded recorded; /* of derived_from: a marker may say that it was guessed */
};

/* Adds a ref to a set, with a number that separates roles. Returns false if it was there. */
static bool add_key(struct key_index *keys, int word, struct ref ref)
{
    AUTO_STRBUF key = STRBUF_INIT;
    size_t before = keys->count;
    strbuf_addf(&key, "%d ", word);
    ref_add(&key, ref);
    return key_index_add(keys, key.buf, key.len) == before;
}

static void add_single(struct support *s, enum role role, struct ref ref, int64_t at,
                       const char *reason)
{
    struct memory *m = s->map->m;
    if (!add_key(&s->in_single, 0, ref))
        return;
    struct antecedent *a = arena_array(s->map->arena, 1, sizeof(*a));
    a->ref = ref;
    s->all[++m->justification_count] =
        (struct justification){role, READING_ANY, RECORDED, at, reason, a, 1};
}

/*
 * Markers that Kernle's own repairs leave among the refs; auto-linked is the weaker claim and wins.
 */
static void take_marker(struct support *s, const char *text)
{
    if (strcmp(text, "kernle:auto-linked") == 0 || strcmp(text, SYNTHETIC_RAW) == 0)
        s->recorded = RECORDED_AUTO_LINKED;
    else if (strcmp(text, "kernle:pre-v0.9-migration") == 0 && s->recorded == RECORDED)
        s->recorded = RECORDED_MIGRATED;
}

static void not_a_ref(struct kernle_mapping *map, enum kernle_field field, const char *text)
{
    mapping_report(map, field, "names \"%.*s\", which is no ref; left out",
                   (int)utf8_prefix(text, 60), text);
    mapping_keep(map, field, KEEP_CELL);
}

/* Parses a ref, or a bare id of a memory of kind `bare` (-1 if a kind is required). */
static bool read_ref(const char *text, int bare, struct ref *out)
{
    enum ref_class class = ref_parse(text, out);
    if (class == REF_BARE && bare >= 0) {
        *out = (struct ref){(enum kind)bare, text};
        return true;
    }
    return class == REF_MEMORY;
}

/* `bare` is the kind of a bare id, or -1 if a bare id is no ref. */
static void take_item(struct support *s, enum kernle_field field, const char *text, int bare)
{
    struct ref ref;
    if (!read_ref(text, bare, &ref)) {
        if (ref_parse(text, &ref) == REF_ANNOTATION) {
            take_marker(s, text);
            s->annotations.items[s->annotations.count++] = text;
        } else {
            not_a_ref(s->map, field, text);
        }
    } else if (field == FIELD_SOURCE_EPISODES) {
        add_single(s, ROLE_EVIDENCE, ref, s->map->m->created_at, NULL);
    } else if (add_key(&s->in_derived, 0, ref)) {
        s->derived[s->derived_count++].ref = ref;
    }
}

/* Evidence that lowered the confidence is no support. */
static bool is_reinforcement(const struct history_entry *h, struct ref *ref)
{
    if (h->origin || !h->evidence_source || ref_parse(h->evidence_source, ref) != REF_MEMORY)
        return false;
    return isnan(h->old) || isnan(h->new_) || h->new_ >= h->old;
}

static void take_reinforcements(struct support *s)
{
    const struct memory *m = s->map->m;
    struct ref ref;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (!is_reinforcement(h, &ref))
            continue;
        if (ref.kind == KIND_EPISODE)
            add_single(s, ROLE_EVIDENCE, ref, h->at, h->reason);
        else if (add_key(&s->in_derived, 0, ref)) /* by now it contains all of derived_from */
            add_single(s, ROLE_REINFORCEMENT, ref, h->at, h->reason);
    }
}

/*
 * Adds the group of derived_from. A memory without sources that was reinforced gets an empty one.
 */
static void add_first(struct support *s, size_t evidence)
{
    struct memory *m = s->map->m;
    bool is_empty = s->derived_count == 0 && evidence == 0 && m->justification_count > 0;
    m->justifications = s->all + 1;
    if (s->derived_count == 0 && !is_empty)
        return;
    *--m->justifications = (struct justification){ROLE_DERIVED_FROM,
                                                  is_empty ? READING_ALL : READING_ANY,
                                                  is_empty ? RECORDED : s->recorded,
                                                  m->created_at,
                                                  NULL,
                                                  is_empty ? NULL : s->derived,
                                                  s->derived_count};
    m->justification_count++;
}

/*
 * Builds justifications from derived_from, source_episodes and reinforcements. Needs the history.
 */
static void mapping_support(struct kernle_mapping *map)
{
    static const enum kernle_field fields[3] = {FIELD_DERIVED_FROM, FIELD_SOURCE_RAWS,
                                                FIELD_SOURCE_EPISODES};
    static const int bare[3] = {-1, KIND_RAW, KIND_EPISODE};
    struct kernle_list lists[3];
    struct support s = {.map = map};
    size_t items = 0;
    for (size_t i = 0; i < 3; i++) {
        lists[i] = mapping_list(map, fields[i]);
        items += lists[i].count;
    }
    s.all = arena_array(map->arena, 1 + items + map->m->history_count, sizeof(*s.all));
    s.derived = arena_array(map->arena, items, sizeof(*s.derived));
    s.annotations.items = arena_array(map->arena, items, sizeof(*s.annotations.items));
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            take_item(&s, fields[i], lists[i].items[k], bare[i]);
    size_t evidence = map->m->justification_count;
    take_reinforcements(&s);
    add_first(&s, evidence);
    key_index_release(&s.in_derived);
    key_index_release(&s.in_single);
    kernle_list_unique(map, &s.annotations);
    map->m->annotations = s.annotations.items;
    map->m->annotation_count = s.annotations.count;
}

/* ---- relations ---- */

/* Relations under construction, without duplicates; `list` has room for all. */
struct relations {
    struct kernle_mapping *map;
    struct relation *list;
    size_t count;
    struct key_index met;
};

static void add(struct relations *r, enum role type, struct ref to, int64_t at, const char *reason)
{
    if (add_key(&r->met, (int)type, to))
        r->list[r->count++] = (struct relation){.type = type, .to = to, .at = at, .reason = reason};
}

static void add_field(struct relations *r, enum kernle_field field, enum role type, int bare)
{
    const char *text = mapping_text(r->map, field);
    struct ref to;
    if (!text || !*text)
        return;
    if (read_ref(text, bare, &to))
        add(r, type, to, r->map->m->created_at, NULL);
    else
        not_a_ref(r->map, field, text);
}

static void add_list(struct relations *r, enum kernle_field field, const struct kernle_list *list,
                     enum role type)
{
    struct ref to;
    for (size_t i = 0; i < list->count; i++)
        if (read_ref(list->items[i], -1, &to))
            add(r, type, to, r->map->m->updated_at, NULL);
        else
            not_a_ref(r->map, field, list->items[i]);
}

/* Since schema 27 a revision is recorded only in the audit: on the new belief, with the id of the
 * old one. */
static void add_revision(struct relations *r, const struct kernle_audit_row *row)
{
    if (!row->operation || strcmp(row->operation, "belief.revised") != 0 || !row->details)
        return;
    struct json_slice json = json_trim(row->details, strlen(row->details));
    struct error e;
    struct ref to;
    if (json_check_lax(json.ptr, json.len, JSON_DEPTH_MAX, &e))
        return;
    const char *old = mapping_member(r->map, json, "trigger_id");
    if (old && read_ref(old, KIND_BELIEF, &to) && to.kind == KIND_BELIEF)
        add(r, RELATION_SUPERSEDES, to, r->map->m->created_at,
            mapping_member(r->map, json, "reason"));
}

/* Builds the relations: supersedes, processed_into, promoted_to. */
static void mapping_relations(struct kernle_mapping *map)
{
    const struct kernle_row *row = map->row;
    struct kernle_list into = mapping_list(map, FIELD_PROCESSED_INTO);
    size_t most = 2 + into.count + row->replaced_count + row->audit_count;
    struct relations r = {.map = map, .list = arena_array(map->arena, most, sizeof(*r.list))};
    add_field(&r, FIELD_SUPERSEDES, RELATION_SUPERSEDES, KIND_BELIEF);
    for (size_t i = 0; i < row->replaced_count; i++)
        add(&r, RELATION_SUPERSEDES, (struct ref){KIND_BELIEF, row->replaced[i]},
            map->m->created_at, NULL);
    for (size_t i = 0; row->table->kind == KIND_BELIEF && i < row->audit_count; i++)
        add_revision(&r, &row->audit[i]);
    add_list(&r, FIELD_PROCESSED_INTO, &into, RELATION_PROCESSED_INTO);
    add_field(&r, FIELD_PROMOTED_TO, RELATION_PROCESSED_INTO, -1);
    key_index_release(&r.met);
    map->m->relations = r.list;
    map->m->relation_count = r.count;
}

/* ---- a row ---- */

const char *kernle_id(const struct cell *cell, struct arena *arena)
{
    if (cell->type == CELL_INTEGER) {
        AUTO_STRBUF text = STRBUF_INIT;
        json_add_int(&text, cell->integer);
        return arena_strdup(arena, text.buf);
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
        mapping_report(map, FIELD_NONE, "it has no usable id; not imported");
    return id != NULL;
}

/* ---- text ---- */

static const char *joined(struct kernle_mapping *map, const struct kernle_list *words)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < words->count; i++)
        strbuf_addf(&text, "%s%s", i ? ", " : "", words->items[i]);
    return arena_take(map->arena, &text);
}

/* Words added to the name: focus areas of a drive, notes of a relationship or else its type. */
static const char *extra_words(struct kernle_mapping *map)
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

/* A suggestion's content is an object; its text is the first of these members. */
static const char *suggested(struct kernle_mapping *map)
{
    static const char *const names[] = {"statement", "objective", "content", "text",
                                        "title",     "name",      "summary"};
    struct json_slice json = mapping_json(map, FIELD_TEXT);
    const char *text = json_text_repaired(map->arena, json);
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

/* Uses the column of an older version if the newer one is empty; otherwise keeps it only if it
 * differs. */
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

/* If the text comes from one cell and is broken, its original is kept like that of every memory. */
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
    const char *extra = extra_words(map);
    if (extra && *extra) {
        text = arena_format(map->arena, "%s: %s", text, extra);
        map->broken_text = NULL;
    }
    map->m->text = text;
}

/* ---- times, numbers, texts ---- */

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
        mapping_report(map, FIELD_NONE, "it has no creation time; %s",
                       known[2] || known[3] ? "the time of its last change is used"
                                            : "shown as unknown");
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
        mapping_report(map, FIELD_NONE, "it has no agent; taken as \"unknown\"");
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
    if (text)
        memory_set_text(map->m, map->arena, text->bytes, text->len);
}

/*
 * `kernle migrate link-raw --all` makes a raw entry from each memory that has none, and links the memory
 * to it. Such an entry is no record of anything: it gets the annotation that the memory has.
 */
static void mark_synthetic(struct kernle_mapping *map)
{
    static const char made[] = "[migrated ";
    struct memory *m = map->m;
    if (m->ref.kind != KIND_RAW || strncmp(m->text, made, sizeof(made) - 1) != 0)
        return;
    const char *source =
        m->detail ? json_text(map->arena, json_member(m->detail, strlen(m->detail), "source"), NULL)
                  : NULL;
    if (!same_text(source, "migration"))
        return;
    const char **annotations =
        arena_array(map->arena, m->annotation_count + 1, sizeof(*annotations));
    for (size_t i = 0; i < m->annotation_count; i++)
        annotations[i] = m->annotations[i];
    annotations[m->annotation_count++] = SYNTHETIC_RAW;
    m->annotations = annotations;
    m->source_type = source_type_name(SOURCE_UNKNOWN);
}

int kernle_map(const struct kernle_row *row, int64_t now, struct arena *arena, struct memory *m,
               struct kernle_report *report)
{
    struct kernle_mapping map = {.row = row, .arena = arena, .m = m, .now = now, .report = report};
    map.keep = arena_array(arena, row->table->count, sizeof(*map.keep));
    bool usable = map_id(&map);
    if (usable) {
        map_text(&map);
        map_times(&map);
        map_words(&map);
        map_state(&map);
        mapping_history(&map);
        mapping_support(&map);
        mapping_relations(&map);
        mapping_detail(&map);
        mark_synthetic(&map);
        keep_broken_text(&map);
    }
    return usable;
}
