#include "model/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"

struct arena_block {
    struct arena_block *next;
    size_t size, used; /* of `bytes` */
    alignas(max_align_t) unsigned char bytes[];
};

/* The first block is small, since many arenas hold one short memory. Each next block doubles up
 * to BLOCK_MAX. A larger request gets a block of its own size. */
#define BLOCK_FIRST 2048
#define BLOCK_MAX   (256 * 1024)

static struct arena_block *add_block(struct arena *a, size_t size)
{
    size_t room = a->head ? a->head->size * 2 : BLOCK_FIRST;
    if (room > BLOCK_MAX)
        room = BLOCK_MAX;
    if (room < size)
        room = size;
    if (room > SIZE_MAX - sizeof(struct arena_block))
        alloc_fail();
    struct arena_block *block = xmalloc(sizeof(*block) + room);
    block->next = a->head;
    block->size = room;
    block->used = 0;
    a->head = block;
    return block;
}

static void *allocate(struct arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        alloc_fail();
    size = (size + align - 1) & ~(align - 1);
    struct arena_block *block = a->head;
    if (!block || block->size - block->used < size)
        block = add_block(a, size);
    void *at = block->bytes + block->used;
    block->used += size;
    a->used += size;
    return at;
}

void *arena_alloc(struct arena *a, size_t size)
{
    return memset(allocate(a, size ? size : 1), 0, size);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        alloc_fail();
    return arena_alloc(a, count * size);
}

void *arena_memdup(struct arena *a, const void *bytes, size_t len)
{
    void *at = allocate(a, len ? len : 1);
    return len ? memcpy(at, bytes, len) : at;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    if (len == SIZE_MAX)
        alloc_fail();
    char *at = allocate(a, len + 1);
    if (len)
        memcpy(at, s, len);
    at[len] = '\0';
    return at;
}

char *arena_take(struct arena *a, struct strbuf *written)
{
    char *text = arena_strndup(a, written->buf, written->len);
    strbuf_release(written);
    return text;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

char *arena_vformat(struct arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len < 0)
        alloc_fail();
    char *text = allocate(a, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

char *arena_format(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vformat(a, format, args);
    va_end(args);
    return text;
}

static void free_after(struct arena_block *block)
{
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
}

void *arena_room(struct arena *a, const void *item, size_t *alloc, size_t count, size_t size)
{
    *alloc = *alloc ? 2 * *alloc : 16;
    void *larger = arena_array(a, *alloc, size);
    if (count)
        memcpy(larger, item, count * size);
    return larger;
}

void arena_clear(struct arena *a)
{
    a->used = 0;
    if (!a->head)
        return;
    free_after(a->head->next);
    a->head->next = NULL;
    a->head->used = 0;
}

void arena_release(struct arena *a)
{
    free_after(a->head);
    *a = (struct arena)ARENA_INIT;
}
