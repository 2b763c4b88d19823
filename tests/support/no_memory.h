/*
 * Allocations that fail when a test says so: for programs that are linked with --wrap for malloc, calloc, realloc,
 * xmalloc and xcalloc (see the Makefile), which include this once, after cmocka.h.
 */
#ifndef STEMMA_TESTS_NO_MEMORY_H
#define STEMMA_TESTS_NO_MEMORY_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__real_xmalloc(size_t size);
void *__real_xcalloc(size_t count, size_t size);
void *__wrap_xmalloc(size_t size);
void *__wrap_xcalloc(size_t count, size_t size);
char *__wrap_xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

static atomic_long memory_left = -1; /* allocations until one fails; -1: none does */
static atomic_bool memory_gone;      /* all that follow fail too */
static atomic_long memory_failures;
static _Thread_local int memory_spared; /* within what may end the program instead */

static bool memory_fails(void)
{
    if (memory_spared || atomic_load(&memory_left) < 0)
        return false;
    if (atomic_load(&memory_left) > 0) {
        atomic_fetch_sub(&memory_left, 1);
        return false;
    }
    atomic_fetch_add(&memory_failures, 1);
    if (!atomic_load(&memory_gone))
        atomic_store(&memory_left, -1);
    return true;
}

void *__wrap_malloc(size_t size)
{
    return memory_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return memory_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return memory_fails() ? NULL : __real_realloc(old, size);
}

/* Small fixed allocations end the program where they fail: they are not what is tried. */
void *__wrap_xmalloc(size_t size)
{
    memory_spared++;
    void *p = __real_xmalloc(size);
    memory_spared--;
    return p;
}

void *__wrap_xcalloc(size_t count, size_t size)
{
    memory_spared++;
    void *p = __real_xcalloc(count, size);
    memory_spared--;
    return p;
}

char *__wrap_xformat(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    return text;
}

/* What is tried: 0 where it came out right, -1 where it said that it failed. It checks what it gives. */
typedef int (*memory_attempt)(void);

/* Each allocation of it fails in turn, alone and with all that follow. */
static inline void fail_each_allocation(memory_attempt tried)
{
    for (int all = 0; all < 2; all++) {
        long tries = 0;
        for (;; tries++) {
            assert_true(tries < 100000);
            memory_failures = 0;
            memory_gone = all;
            memory_left = tries;
            int result = tried();
            memory_left = -1;
            assert_true(result == 0 || memory_failures > 0);
            if (memory_failures == 0)
                break;
        }
        assert_true(tries > 0); /* something was there to fail */
        assert_int_equal(tried(), 0);
    }
}

#endif
