/* The demo's story in a store of its own, and a home that nothing else uses, for tests of commands. */
#ifndef STEMMA_TESTS_STORY_H
#define STEMMA_TESTS_STORY_H

#include "tests/support/program.h"

struct story {
    char directory[200]; /* HOME as well: no configuration, no other store */
    char store[300];     /* to read; a test that changes one makes its own */
    struct program p;    /* what was run last */
};
extern struct story story;

/* For cmocka_run_group_tests; the environment is that of a pipe, in UTF-8. */
int story_open(void **state);
int story_open_empty(void **state); /* with no store yet */
int story_close(void **state);

/* A path in the directory; the caller's buffer. */
void story_path(char *out, size_t size, const char *name);
void story_write(const char *path, const char *text);
/* A store of these exchange lines at directory/name; its path in `out`. Fails the test on error. */
void story_store(char *out, size_t size, const char *name, const char *lines);

/* Runs it on the story; the last argument but NULL. */
#define STORY(...)            PROGRAM(&story.p, "--store", story.store, __VA_ARGS__)
#define STORY_OUT_HAS(text)   assert_non_null(strstr(story.p.out, text))
#define STORY_OUT_LACKS(text) assert_null(strstr(story.p.out, text))
#define STORY_ERR_HAS(text)   assert_non_null(strstr(story.p.err, text))

#endif
