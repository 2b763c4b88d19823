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
    struct table_map map;
    struct error e = {0};
    if (table_map_parse(&map, &arena, "fuzz.yaml", (const char *)bytes, len, &e) == 0) {
        assert(map.name && *map.name && map.title && map.path && map.count > 0);
        for (size_t i = 0; i < map.count; i++)
            assert(map.selects[i].table && map.selects[i].sql && map.lines[i] > 0);
    } else {
        assert(e.code == ERROR_INVALID && strstr(e.what, "fuzz.yaml line "));
        assert(!strpbrk(e.what, "\n\x1b") && !strpbrk(e.hint, "\n\x1b"));
    }
    arena_release(&arena);
    return 0;
}
