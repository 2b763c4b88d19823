/* A store with the demo's story and a private HOME, for tests of commands. */
#ifndef STEMMA_TESTS_STORY_H
#define STEMMA_TESTS_STORY_H

#include "tests/support/program.h"

struct story {
    char directory[200]; /* also HOME: without configuration or other stores */
    char store[300];     /* read-only; a test that writes makes a store of its own */
    struct program p;    /* the last run */
};
extern struct story story;

/* For cmocka_run_group_tests. Sets the environment to a pipe in UTF-8. */
int story_open(void **state);
int story_open_empty(void **state); /* with no store yet */
int story_close(void **state);

/* Writes the path of `name` in the directory. */
void story_path(char *out, size_t size, const char *name);
void story_write(const char *path, const char *text);
/* Creates a store with these JSON lines at directory/name. Writes its path to `out`. Fails
 * the test on error. */
void story_store(char *out, size_t size, const char *name, const char *lines);

/* Runs the program on the story's store. */
#define STORY(...)            PROGRAM(&story.p, "--store", story.store, __VA_ARGS__)
#define STORY_OUT_HAS(text)   assert_non_null(strstr(story.p.out, text))
#define STORY_OUT_LACKS(text) assert_null(strstr(story.p.out, text))
#define STORY_ERR_HAS(text)   assert_non_null(strstr(story.p.err, text))

#endif
