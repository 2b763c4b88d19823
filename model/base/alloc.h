/*
 * Allocation that never fails: where memory runs out, or a size overflows, the program ends. The terminal is restored,
 * stderr gets the line "stemma: out of memory", and the exit status is EXIT_OUT_OF_MEMORY. What was acknowledged is on
 * disk by then, so nothing is lost. Callers bound a size that comes from outside before they allocate it.
 */
#ifndef STEMMA_ALLOC_H
#define STEMMA_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#define EXIT_OUT_OF_MEMORY 5

/* Called before the program ends, in whatever thread memory ran out. It must not allocate. */
extern void (*alloc_on_failure)(void);
_Noreturn void alloc_fail(void);
/* For tests: asked at each allocation, true makes it fail. NULL: none is made to. */
extern bool (*alloc_refused)(void);

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *s);
/* A copy of all `len` bytes, NULs too, with a NUL behind them. */
char *xmemdup(const void *bytes, size_t len);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
