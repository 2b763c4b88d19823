/*
 * An arena: many small allocations that are freed at once. A frame of the screen, a load and a
 * loaded memory use one each. Pointers stay valid until arena_clear or arena_release; the caller
 * copies what must live longer.
 */
#ifndef STEMMA_ARENA_H
#define STEMMA_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include "model/base/alloc.h"

struct arena_block;
struct strbuf;
struct arena {
    struct arena_block *head;
    size_t used; /* bytes allocated since the last clear, for bounds and benchmarks */
};
#define ARENA_INIT                                                                                 \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* Zeroed memory, aligned for any type. Never fails: see alloc.h. */
void *arena_alloc(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size);
char *arena_strdup(struct arena *a, const char *s); /* NULL gives NULL */
char *arena_strndup(struct arena *a, const char *s, size_t len);
void *arena_memdup(struct arena *a, const void *bytes, size_t len);
/* Copies the string into the arena and releases `written`. */
char *arena_take(struct arena *a, struct strbuf *written);
char *arena_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vformat(struct arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* ARRAY_ADD (array.h) for a list in an arena: adds an element and points to it. */
#define ARENA_ADD(a, item, count, alloc)                                                           \
    ((void)((count) < (alloc) ||                                                                   \
            ((item) = arena_room(a, item, &(alloc), count, sizeof(*(item))))),                     \
     &(item)[(count)++])
void *arena_room(struct arena *a, const void *item, size_t *alloc, size_t count, size_t size);
/* Invalidates all pointers. Keeps one block for reuse and frees the others. */
void arena_clear(struct arena *a);
void arena_release(struct arena *a);
#define AUTO_ARENA AUTO(arena)

#endif
