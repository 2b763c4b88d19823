/*
 * Allocation that never fails. If memory runs out or a size overflows, the program ends: the
 * terminal is restored, stderr gets the line "stemma: out of memory", and the exit status is
 * EXIT_OUT_OF_MEMORY. Acknowledged data is on disk by then, so nothing is lost. Callers must bound
 * a size that comes from outside before they allocate it.
 */
#ifndef STEMMA_ALLOC_H
#define STEMMA_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#define EXIT_OUT_OF_MEMORY 5

/* Called before the program ends, on the thread that ran out of memory. Restores the terminal and writes the line. It
 * must not allocate. */
extern void (*alloc_on_failure)(void);
_Noreturn void alloc_fail(void);
/* For tests: called at each allocation, which fails if this returns true. NULL by default. */
extern bool (*alloc_should_fail)(void);

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *s);
/* Copies all `len` bytes, NULs included, and adds a NUL. */
char *xmemdup(const void *bytes, size_t len);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Declares a local struct that TYPE_release releases where its block ends: AUTO(map) known = MAP_INIT;
 * A block that is left before such a declaration does not release it. */
#define AUTO(type) __attribute__((cleanup(type##_release))) struct type
/* Declares a local pointer that is freed where its block ends: AUTO_FREE char *name = xstrdup(s); */
#define AUTO_FREE __attribute__((cleanup(alloc_free)))
void alloc_free(void *pointer); /* a pointer to the pointer */
/* Frees each of these pointers, which may be NULL: FREE_ALL(g->row, g->status); */
#define FREE_ALL(...)                                                                              \
    free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void free_all(void *const *pointers, size_t count);

#endif
