/*
 * Small fixed allocations. One that fails ends the program, after `alloc_on_failure` has restored
 * the terminal. Nothing whose size an input decides is allocated with these: that is malloc, a
 * strbuf or an arena, and fails that input alone.
 */
#ifndef STEMMA_ALLOC_H
#define STEMMA_ALLOC_H

#include <stddef.h>

extern void (*alloc_on_failure)(void);
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
char *xstrdup(const char *s);
/* As sprintf, of a name that is short whatever the input: a path with its suffix. */
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Makes room for `count` + 1 elements of `size` in a growing array by doubling it: 1 where there
 * is, 0 where memory ran out. For arrays whose length an input decides.
 */
int array_grow(void **array, size_t *alloc, size_t count, size_t size);

#endif
