#ifndef TEST_H
#define TEST_H

/*
 * How a test is written: TEST(what_it_shows) and its body. A program runs its tests in the order of its file. cmocka.h
 * needs the headers before it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum {
    TEST_ONE,
    TEST_FIXTURE,
    TEST_GROUP
};

void test_add(int line, int what, struct CMUnitTest test);

/* Runs them; the main of a program that does nothing before (tests/main.c). */
int tests_run(void);

#define TEST_ADD(line_, name_, what_, ...)                                                         \
    __attribute__((constructor)) static void name_##_is_added(void)                                \
    {                                                                                              \
        test_add(line_, what_, (struct CMUnitTest){__VA_ARGS__});                                  \
    }

#define TEST(name_)                                                                                \
    static void name_(void **state);                                                               \
    TEST_ADD(__LINE__, name_, TEST_ONE, .name = #name_, .test_func = name_)                        \
    static void name_(__attribute__((unused)) void **state)

/* Before and after each of the tests below, and once for all tests of the program. NULL is none. */
#define FIXTURE(set_up_, tear_down_) TEST_ADD_AT(__LINE__, TEST_FIXTURE, set_up_, tear_down_)
#define GROUP(set_up_, tear_down_)   TEST_ADD_AT(__LINE__, TEST_GROUP, set_up_, tear_down_)
#define TEST_ADD_AT(line_, ...)      TEST_ADD_AT_(line_, __VA_ARGS__)
#define TEST_ADD_AT_(line_, what_, set_up_, tear_down_)                                            \
    TEST_ADD(line_, fixture_##line_, what_, .setup_func = set_up_, .teardown_func = tear_down_)    \
    struct CMUnitTest

#endif
