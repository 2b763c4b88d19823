/* The file for a person's editor: its permissions, and its removal. */
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/test.h"

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    AUTO_FREE char *path = scratch_path("editor.db");
    struct store *store = scratch_store(path);
    scratch_put(store, "{\"ref\":\"belief:one\",\"text\":\"Stands by itself\"}");
    script_open(s, store);
    *state = s;
    return 0;
}

FIXTURE(set_up, script_tear_down);

/* The saved text may be incomplete: nothing is changed, and the message names the file. */
TEST(test_a_failed_editor_changes_nothing)
{
    struct script *s = *state;
    static const char *const ends[][2] = {{"exit 3", "the editor failed (exit status 3)"},
                                          {"kill -9 $$", "the editor was ended by signal 9"}};
    for (size_t i = 0; i < 2; i++) {
        char body[80], path[256];
        size_t len;
        snprintf(body, sizeof(body), "echo half of it >\"$1\"; %s", ends[i][0]);
        scratch_editor(body);
        const char *frame = script_run(s, "<size:200x40>1E");
        assert_has(frame, ends[i][1]);
        assert_has(frame, "The edited text is in ");
        sscanf(strstr(frame, "The edited text is in ") + 22, "%255s", path);
        path[strlen(path) - 1] = '\0'; /* the full stop */
        AUTO_FREE char *left = scratch_read(path, &len);
        assert_memory_equal(left, "half of it\n", len);
        remove(path);
    }
    assert_lacks(script_run(s, "@"), "edited");
}

/* What cannot be read is not thrown away, nor what differs only behind a NUL. */
TEST(test_a_text_that_is_not_taken_is_kept)
{
    struct script *s = *state;
    static const char *const ends[][2] = {
        {"truncate -s 65M \"$1\"", "cannot read the edited text: it is too long"},
        {"printf 'Stands by itself\\0more\\n' >\"$1\"; exit 3",
         "the editor failed (exit status 3)"}};
    for (size_t i = 0; i < 2; i++) {
        char path[256];
        scratch_editor(ends[i][0]);
        const char *frame = script_run(s, "<size:200x40>1E");
        assert_has(frame, ends[i][1]);
        assert_has(frame, "The edited text is in ");
        sscanf(strstr(frame, "The edited text is in ") + 22, "%255s", path);
        path[strlen(path) - 1] = '\0'; /* the full stop */
        assert_int_equal(remove(path), 0);
    }
    assert_lacks(script_run(s, "@"), "edited");
}

/* Only its owner can read it. It is removed, with files that the editor left next to it. */
TEST(test_the_editors_file_is_private_and_removed)
{
    struct script *s = *state;
    AUTO_FREE char *told = scratch_path("told");
    AUTO_STRBUF body = STRBUF_INIT;
    struct stat st;
    size_t len;
    strbuf_addf(&body, "stat -c %%a \"$1\" >%s; dirname \"$1\" >>%s; cp \"$1\" \"$1~\"", told,
                told);
    scratch_editor(body.buf);
    script_run(s, "1E");
    AUTO_FREE char *text = scratch_read(told, &len);
    assert_non_null(text);
    assert_memory_equal(text, "600\n", 4);
    text[len - 1] = '\0';
    assert_int_equal(stat(text + 4, &st), -1);
}
