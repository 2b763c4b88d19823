#include "store/import/kernle/kernle_map.h"

/* History entries under construction; `list` has room for all. */
struct entries {
    struct history_entry *list;
    size_t count;
};

/* A confidence; NAN for anything that is none, which then stays among the leftover members. */
static double confidence_member(struct json_slice object, const char *name)
{
    double value;
    struct json_slice member = json_member(object.ptr, object.len, name);
    if (!member.ptr || json_double(member, &value) || value < 0 || value > 1)
        return NAN;
    return value;
}

/* The reason, and after it the members that have no place of their own. */
static const char *full_reason(struct kernle_mapping *map, const char *reason, const char *leftover)
{
    if (!reason || !leftover)
        return reason ? reason : leftover;
    struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text, "%s %s", reason, leftover);
    return mapping_take(map, &text);
}

static int64_t entry_time(struct kernle_mapping *map, struct json_slice object, int64_t before)
{
    const char *text = mapping_member(map, object, "timestamp");
    struct json_slice number = json_member(object.ptr, object.len, "timestamp");
    struct cell cell = {.type = CELL_TEXT, .bytes = text, .len = text ? strlen(text) : 0};
    int64_t ms;
    if (!text && number.ptr && json_double(number, &cell.real) == 0)
        cell.type = CELL_REAL;
    if (kernle_cell_time(&cell, &ms) > 0)
        return ms;
    mapping_report(map, FIELD_HISTORY,
                   "has an entry without a time that can be read; it gets that of the one before");
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
        mapping_report(map, FIELD_NONE, "an entry of memory_audit has no time that can be read");
        h->at = map->m->updated_at;
    }
    if (row->details && *row->details)
        read_details(map, h, row->details);
    if (row->correlation && *row->correlation) {
        struct strbuf text = STRBUF_INIT;
        strbuf_addf(&text, "correlation %s", row->correlation);
        h->reason = full_reason(map, h->reason, mapping_take(map, &text));
    }
}

/* By time; those of the same one keep their order. */
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
    struct json_slice array = mapping_array(map, FIELD_HISTORY);
    size_t most = map->row->audit_count;
    for (struct json_each it = json_each(array); json_next(&it);)
        most++;
    struct entries entries = {mapping_alloc(map, most, sizeof(*entries.list)), 0};
    if (!entries.list)
        return;
    add_changes(map, &entries, array);
    for (size_t i = 0; i < map->row->audit_count; i++)
        add_audit(map, &entries, &map->row->audit[i]);
    sort_entries(map, &entries);
    map->m->history = entries.list;
    map->m->history_count = entries.count;
}
