/*
 * An arena: many small allocations that are freed at once. A frame, a load and a loaded memory use
 * one; what lives longer is allocated by whoever keeps it. Pointers stay valid until arena_clear or
 * arena_release.
 */
#ifndef STEMMA_ARENA_H
#define STEMMA_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *head;
    size_t used; /* bytes handed out since the last clear, for bounds and for benches */
};
#define ARENA_INIT                                                                                 \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* Zeroed memory for any type. It never fails: see alloc.h. */
void *arena_alloc(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size);
char *arena_strdup(struct arena *a, const char *s); /* NULL gives NULL */
char *arena_strndup(struct arena *a, const char *s, size_t len);
void *arena_memdup(struct arena *a, const void *bytes, size_t len);
/* What was written, as a string in the arena; releases it. */
struct strbuf;
char *arena_take(struct arena *a, struct strbuf *written);
char *arena_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vformat(struct arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* A list that grows in an arena, as ARRAY_ADD does it elsewhere (array.h): adds an element and points to it. */
#define ARENA_ADD(a, item, count, alloc)                                                           \
    ((void)((count) < (alloc) ||                                                                   \
            ((item) = arena_room(a, item, &(alloc), count, sizeof(*(item))))),                     \
     &(item)[(count)++])
void *arena_room(struct arena *a, const void *item, size_t *alloc, size_t count, size_t size);
/* Frees all but one block, and hands everything out anew. */
void arena_clear(struct arena *a);
void arena_release(struct arena *a);

#endif
