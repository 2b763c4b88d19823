/* Rows of a Kernle store with any content: the resulting memories can be stored and written. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/import/kernle/kernle_map.h"
#include "store/record/put.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Every known column, and two unknown ones. */
static const char *const names[] = {
    "id",
    "stack_id",
    "blob",
    "content",
    "statement",
    "objective",
    "title",
    "drive_type",
    "entity_name",
    "captured_at",
    "timestamp",
    "created_at",
    "updated_at",
    "version",
    "confidence",
    "source_type",
    "source_entity",
    "context",
    "tags",
    "is_protected",
    "strength",
    "is_forgotten",
    "deleted",
    "is_active",
    "supersedes",
    "superseded_by",
    "derived_from",
    "source_episodes",
    "source_raw_ids",
    "confidence_history",
    "processed_into",
    "promoted_to",
    "focus_areas",
    "notes",
    "relationship_type",
    "lessons",
    "emotional_tags",
    "odd",
    "original",
    "local_updated_at",
};
#define COLUMNS (sizeof(names) / sizeof(*names))

/* A cell: one byte for its type, two for its length, then its bytes. */
static struct cell take_cell(const uint8_t **at, const uint8_t *end)
{
    struct cell cell = {.type = CELL_NULL};
    if (end - *at < 3)
        return cell;
    cell.type = (enum cell_type)(**at % 5);
    size_t len = (size_t)((*at)[1] | (*at)[2] << 8);
    *at += 3;
    cell.len = len < (size_t)(end - *at) ? len : (size_t)(end - *at);
    cell.bytes = (const char *)*at;
    *at += cell.len;
    if (cell.len >= sizeof(cell.integer)) {
        memcpy(&cell.integer, cell.bytes, sizeof(cell.integer));
        memcpy(&cell.real, cell.bytes, sizeof(cell.real));
    }
    return cell;
}

static void stored(const struct memory *m)
{
    struct arena arena = ARENA_INIT;
    struct strbuf first = STRBUF_INIT, second = STRBUF_INIT, scratch = STRBUF_INIT;
    struct memory again;
    struct error e;
    assert(put_check(m, &scratch, &e) == 0);
    memory_json_write(&first, m, NULL);
    assert(memory_json_read(&again, &arena, first.buf, first.len, NULL, 0, NULL, &e) == 0);
    memory_json_write(&second, &again, NULL);
    assert(second.len == first.len && memcmp(second.buf, first.buf, first.len) == 0);
    strbuf_release(&first);
    strbuf_release(&second);
    strbuf_release(&scratch);
    arena_release(&arena);
}

static const char *as_text(struct arena *a, const struct cell *cell)
{
    struct strbuf sb = STRBUF_INIT;
    utf8_repair(&sb, cell->bytes, cell->bytes ? cell->len : 0);
    const char *text = cell->type == CELL_NULL ? NULL : arena_strdup(a, sb.buf);
    strbuf_release(&sb);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    const uint8_t *at = bytes + 1, *end = bytes + len;
    struct arena arena = ARENA_INIT;
    struct kernle_column columns[COLUMNS] = {{0}};
    struct cell cells[COLUMNS];
    struct kernle_table table;
    struct kernle_report report = {.line = NULL};
    struct memory m;
    if (len < 2)
        return 0;
    for (size_t i = 0; i < COLUMNS; i++)
        columns[i].name = names[i];
    kernle_table_resolve(&table, bytes[0] % KERNLE_TABLES, columns, COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++)
        cells[i] = take_cell(&at, end);
    struct kernle_audit_row audit = {as_text(&arena, &cells[30]), as_text(&arena, &cells[31]),
                                     as_text(&arena, &cells[29]), as_text(&arena, &cells[11]),
                                     as_text(&arena, &cells[17])};
    struct kernle_row row = {.table = &table, .cells = cells, .audit = &audit, .audit_count = 1};
    if (kernle_map(&row, 1796083200000, &arena, &m, &report) == 1)
        stored(&m);
    arena_release(&arena);
    return 0;
}
