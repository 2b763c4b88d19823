#include "kernle_map.h"

/* History entries under construction; `list` has room for all. */
struct entries {
    struct history_entry *list;
    size_t count;
};

static struct cell json_cell(const cJSON *item)
{
    if (cJSON_IsString(item))
        return (struct cell){.type = CELL_TEXT,
                             .bytes = item->valuestring,
                             .len = strlen(item->valuestring)};
    if (cJSON_IsNumber(item))
        return (struct cell){.type = CELL_REAL, .real = item->valuedouble};
    return (struct cell){.type = CELL_NULL};
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *string_member(struct kernle_mapping *map, const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    if (!cJSON_IsString(item) || !*item->valuestring)
        return NULL;
    return mapping_copy(map, item->valuestring, strlen(item->valuestring));
}

/* A confidence; NAN for anything that is none, which then stays among the leftover members. */
static double confidence_member(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 1)
        return NAN;
    return item->valuedouble;
}

/* The reason, and after it the members that have no place of their own. */
static const char *full_reason(struct kernle_mapping *map, const char *reason,
                               const char *leftover)
{
    if (!*leftover)
        return reason;
    if (!reason)
        return leftover;
    struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text, "%s %s", reason, leftover);
    const char *copy = mapping_copy(map, text.buf, text.len);
    map->failed |= text.failed;
    strbuf_release(&text);
    return copy;
}

static int64_t entry_time(struct kernle_mapping *map, const cJSON *object, int64_t before)
{
    const cJSON *item = member(object, "timestamp");
    struct cell cell = json_cell(item);
    int64_t ms;
    if (kernle_cell_time(&cell, &ms) > 0)
        return ms;
    mapping_report(map, FIELD_HISTORY, "has an entry without a time that can be read; "
                                       "it stands with the one before");
    mapping_keep(map, FIELD_HISTORY, KEEP_CELL);
    return before;
}

static void add_change(struct kernle_mapping *map, struct entries *entries, const cJSON *object)
{
    int64_t before = entries->count ? entries->list[entries->count - 1].at : map->m->created_at;
    struct history_entry *h = &entries->list[entries->count++];
    const char *known[6] = {"timestamp"};
    size_t count = 1;
    h->at = entry_time(map, object, before);
    h->old = confidence_member(object, "old");
    h->new_ = confidence_member(object, "new");
    h->evidence_source = string_member(map, object, "evidence_source");
    const char *reason = string_member(map, object, "reason");
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

static void add_changes(struct kernle_mapping *map, struct entries *entries, const cJSON *array)
{
    size_t odd = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        if (cJSON_IsObject(item))
            add_change(map, entries, item);
        else if (!cJSON_IsNull(item))
            odd++;
    }
    if (odd) {
        mapping_report(map, FIELD_HISTORY, "has %zu entries that are no objects; left out", odd);
        mapping_keep(map, FIELD_HISTORY, KEEP_CELL);
    }
}

/* What caused it, as a ref where the audit says of what kind. */
static const char *audit_cause(struct kernle_mapping *map, const cJSON *details)
{
    const char *cause = string_member(map, details, "cascade_source");
    return cause ? cause : string_member(map, details, "trigger_id");
}

static void read_details(struct kernle_mapping *map, struct history_entry *h,
                         const struct kernle_audit_row *row)
{
    static const char *const with_cause[] = {"reason", "cascade_source", "trigger_id", NULL};
    const char *text = kernle_json_text(map, row->details, strlen(row->details), NULL);
    cJSON *details = text ? cJSON_Parse(text) : NULL;
    if (!cJSON_IsObject(details)) {
        h->reason = row->details;
    } else {
        h->evidence_source = audit_cause(map, details);
        h->reason = full_reason(map, string_member(map, details, "reason"),
                                mapping_leftover(map, details, with_cause));
    }
    cJSON_Delete(details);
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
        mapping_report(map, FIELD_NONE, "an entry of memory_audit has no time that can be read");
        h->at = map->m->updated_at;
    }
    if (row->details && *row->details)
        read_details(map, h, row);
    if (row->correlation) {
        struct strbuf text = STRBUF_INIT;
        strbuf_addf(&text, "%s%scorrelation %s", h->reason ? h->reason : "", h->reason ? " " : "",
                    row->correlation);
        h->reason = mapping_copy(map, text.buf, text.len);
        strbuf_release(&text);
    }
}

/* By time; what has the same one keeps its order, which `position` remembers. */
struct placed {
    struct history_entry entry;
    size_t position;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->entry.at != y->entry.at)
        return x->entry.at < y->entry.at ? -1 : 1;
    return x->position < y->position ? -1 : 1;
}

static void sort_entries(struct kernle_mapping *map, struct entries *entries)
{
    struct placed *placed = mapping_alloc(map, entries->count, sizeof(*placed));
    if (!placed || entries->count < 2)
        return;
    for (size_t i = 0; i < entries->count; i++)
        placed[i] = (struct placed){entries->list[i], i};
    qsort(placed, entries->count, sizeof(*placed), compare_placed);
    for (size_t i = 0; i < entries->count; i++)
        entries->list[i] = placed[i].entry;
}

void mapping_history(struct kernle_mapping *map)
{
    cJSON *array = mapping_json(map, FIELD_HISTORY);
    size_t most = (size_t)cJSON_GetArraySize(array) + map->row->audit_count;
    struct entries entries = {mapping_alloc(map, most, sizeof(*entries.list)), 0};
    if (array && !cJSON_IsArray(array)) {
        mapping_report(map, FIELD_HISTORY, "is not a list; taken as none");
        mapping_keep(map, FIELD_HISTORY, KEEP_CELL);
    } else if (array && entries.list) {
        add_changes(map, &entries, array);
    }
    for (size_t i = 0; entries.list && i < map->row->audit_count; i++)
        add_audit(map, &entries, &map->row->audit[i]);
    cJSON_Delete(array);
    sort_entries(map, &entries);
    map->m->history = entries.list;
    map->m->history_count = entries.count;
}
