#include "model/base/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"

void (*alloc_on_failure)(void);
bool (*alloc_should_fail)(void);

/* Not exit(): the handlers of atexit() may allocate, and another thread may hold their lock. */
_Noreturn void alloc_fail(void)
{
    if (alloc_on_failure)
        alloc_on_failure();
    _Exit(EXIT_OUT_OF_MEMORY);
}

static void *checked(void *p)
{
    if (!p || (alloc_should_fail && alloc_should_fail()))
        alloc_fail();
    return p;
}

void alloc_free(void *pointer)
{
    void *allocated;
    memcpy(&allocated, pointer, sizeof(allocated));
    free(allocated);
}

void free_all(void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(pointers[i]);
}

void *xmalloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *old, size_t size)
{
    return checked(realloc(old, size ? size : 1));
}

char *xstrdup(const char *s)
{
    return checked(strdup(s));
}

char *xmemdup(const void *bytes, size_t len)
{
    if (len == SIZE_MAX)
        alloc_fail();
    char *copy = xmalloc(len + 1);
    if (len)
        memcpy(copy, bytes, len);
    copy[len] = '\0';
    return copy;
}

char *xformat(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len < 0)
        alloc_fail();
    char *text = xmalloc((size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void array_sort(void *item, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(item, count, size, compare);
}

void *array_room(void *item, size_t *alloc, size_t count, size_t size)
{
    if (count <= *alloc)
        return item;
    size_t grown = *alloc ? *alloc * 2 : 16;
    if (grown < count)
        grown = count;
    if (grown > SIZE_MAX / 2 / size)
        alloc_fail();
    *alloc = grown;
    return xrealloc(item, grown * size);
}
