#include "model/base/alloc.h"

#include <stdarg.h>
#include <stdint.h>

void (*alloc_on_failure)(void);

static void *checked(void *p)
{
    if (p)
        return p;
    if (alloc_on_failure)
        alloc_on_failure();
    abort();
}

void *xmalloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
    return checked(strdup(s));
}

char *xformat(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    char *text = xmalloc((size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

int array_grow(void **array, size_t *alloc, size_t count, size_t size)
{
    if (count < *alloc || size == 0)
        return 1;
    size_t grown = *alloc ? *alloc * 2 : 16;
    if (grown <= count)
        grown = count + 1;
    if (grown > SIZE_MAX / 2 / size)
        return 0;
    void *moved = realloc(*array, grown * size);
    if (!moved)
        return 0;
    *array = moved;
    *alloc = grown;
    return 1;
}
