/* Any map of a user is read, or refused with the place and the reason. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "model/base/arena.h"
#include "store/import/tables/tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct import_format format;
    struct error e = {0};
    if (table_map_parse(&format, &arena, "fuzz.yaml", (const char *)bytes, len, &e) == 0) {
        const struct table_map *map = format.tables;
        assert(format.name && *format.name && format.title && map->path && map->count > 0);
        for (size_t i = 0; i < map->count; i++)
            assert(map->selects[i].table && map->selects[i].sql && map->lines[i] > 0);
    } else {
        assert(e.code == ERROR_INVALID && strstr(e.what, "fuzz.yaml line "));
        assert(!strpbrk(e.what, "\n\x1b") && !strpbrk(e.hint, "\n\x1b"));
    }
    arena_release(&arena);
    return 0;
}
