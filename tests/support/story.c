#include "tests/support/story.h"

#include <unistd.h>
#include "tests/support/test.h"

struct story story;

void story_path(char *out, size_t size, const char *name)
{
    snprintf(out, size, "%s/%s", story.directory, name);
}

void story_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

void story_store(char *out, size_t size, const char *name, const char *lines)
{
    story_path(out, size, name);
    PROGRAM_WITH(&story.p, lines, "import", "jsonl", "-", "--store", out);
    assert_int_equal(story.p.status, 0);
}

int story_open_empty(void **state)
{
    static const char *const unset[] = {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
                                        "STEMMA_STORE",  "COLUMNS",         "NO_COLOR"};
    const char *base = getenv("STEMMA_TEST_DIR");
    snprintf(story.directory, sizeof(story.directory), "%s/story-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(story.directory))
        return -1;
    setenv("HOME", story.directory, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
        unsetenv(unset[i]);
    return 0;
}

int story_open(void **state)
{
    if (story_open_empty(state))
        return -1;
    story_path(story.store, sizeof(story.store), "demo.db");
    PROGRAM(&story.p, "import", "jsonl", "tests/data/demo.jsonl", "--store", story.store);
    return story.p.status;
}

int story_close(void **state)
{
    char command[300];
    program_release(&story.p);
    snprintf(command, sizeof(command), "rm -r '%s'", story.directory);
    return system(command);
}
