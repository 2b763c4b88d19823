/*
 * A store with what Claude Code keeps: the key of the conversation is in the bar, the conversation names its file, and
 * what a memory costs can be seen in a narrow list.
 */
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "store/formats/formats.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/viewed.h"

#define SESSION "00000001-0000-4000-8000-000000000000"
#define SLUG    "-a-folder-with-a-rather-long-name"
#define LINE(id, parent, type, content)                                                            \
    "{\"parentUuid\":" parent ",\"isSidechain\":false,\"type\":\"" type                            \
    "\",\"message\":{\"role\":\"" type "\",\"content\":" content "},\"uuid\":\"0000001" id         \
    "-0000-4000-8000-000000000000\",\"timestamp\":"                                                \
    "\"2023-11-0" id "T12:00:00Z\",\"sessionId\":\"" SESSION "\",\"origin\":{\"kind\":"            \
    "\"human\"}}\n"
#define UP(id) "\"0000001" id "-0000-4000-8000-000000000000\""

static const char transcript[] = LINE("1", "null", "user", "\"use tabs here\"")
    LINE("2", UP("1"), "assistant",
         "[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Write\",\"input\":{\"file_path\":"
         "\"/h/projects/" SLUG "/memory/tabs.md\",\"content\":\"Use tabs.\"}}]")
        LINE("3", UP("2"), "assistant",
             "[{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"Read\",\"input\":{\"file_path\":"
             "\"/h/projects/" SLUG "/memory/tabs.md\"}}]");
static const char memory[] =
    "---\nname: tabs\nmetadata:\n  type: feedback\n  originSessionId: " SESSION
    "\n---\nUse tabs, and not blanks, in each file of C.\n";

#define SAID(id, up, text) LINE(id, UP(up), "user", "\"" text "\"")
static const char later[] = SAID("4", "3", "and tests?") SAID("5", "4", "and docs?")
    SAID("6", "5", "and logs?") SAID("7", "6", "and names?") SAID("8", "7", "the last word");
static const char grown[] = SAID("9", "8", "one word more");

static char *root; /* the folder of Claude Code */

/* Imports what the folder has, once more. */
static void import(struct viewed *v)
{
    struct import_options options = {.actor = "sean"};
    struct import_summary summary = {.read = 0};
    struct error e;
    assert_int_equal(import_source_run(format_find("claude", &e), v->fixture.store, root, &options,
                                       &summary, &e),
                     0);
    assert_int_equal(summary.not_understood, 0);
}

/* Adds lines to the transcript, and imports them. */
static void extend(struct viewed *v, const char *lines)
{
    AUTO_FREE char *path = xformat("%s/projects/" SLUG "/" SESSION ".jsonl", root);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_int_equal(fputs(lines, file) < 0, 0);
    assert_int_equal(fclose(file), 0);
    import(v);
}

static int set_up(void **state)
{
    struct viewed *v = viewed_open();
    free(root);
    root = scratch_path(".claude");
    char *projects = xformat("%s/projects", root), *project = xformat("%s/" SLUG, projects),
         *file = xformat("%s/" SESSION ".jsonl", project), *folder = xformat("%s/memory", project),
         *note = xformat("%s/tabs.md", folder);
    assert_int_equal(
        mkdir(root, 0700) | mkdir(projects, 0700) | mkdir(project, 0700) | mkdir(folder, 0700), 0);
    scratch_write(file, transcript, strlen(transcript));
    scratch_write(note, memory, strlen(memory));
    import(v);
    free(projects), free(project), free(file), free(folder), free(note);
    v->script.columns = 80;
    *state = v;
    return 0;
}

static int set_up_without(void **state)
{
    struct viewed *v = viewed_open();
    fixture_put(&v->fixture, "{\"ref\":\"belief:a\",\"agent_id\":\"ash\",\"text\":\"Mine\"}", NULL);
    v->script.columns = 80;
    *state = v;
    return 0;
}

FIXTURE(set_up, viewed_close);

TEST(test_its_key_is_in_the_bar)
{
    struct viewed *v = *state;
    viewed_shows(v, "1", "& conversation");
    viewed_shows(v, "1<Enter>", "& conversation");
    assert_null(strstr(viewed_shows(v, "1&", "led to this memory"), "& conversation"));
}

FIXTURE(set_up_without, viewed_close);

TEST(test_without_transcripts_there_is_no_key)
{
    struct viewed *v = *state;
    assert_null(strstr(viewed_shows(v, "1", "Mine"), "conversation"));
    viewed_shows(v, "1&", "no transcripts of an agent were imported");
}

FIXTURE(set_up, viewed_close);

TEST(test_its_file_is_named_whole)
{
    struct viewed *v = *state;
    const char *frame = viewed_shows(v, "1&", "/" SESSION ".jsonl\n");
    assert_non_null(strstr(frame, "\n \xe2\x80\xa6/"));
    v->script.columns = 200;
    frame = viewed_shows(v, "1&", "/.claude/projects/" SLUG "/" SESSION);
    assert_null(strstr(frame, "\xe2\x80\xa6/"));
}

/* At 80 columns, and where the preview stands at the right. */
TEST(test_costs_stay_in_a_narrow_list)
{
    struct viewed *v = *state;
    assert_null(strstr(viewed_shows(v, "1", "Use tabs"), " tokens"));
    viewed_shows(v, "1:columns tokens<Enter>:columns opened<Enter>", "conf  tokens  opened");
    viewed_shows(v, "1", "=0.80      36      3y "); /* a quarter of its bytes */
    viewed_shows(v, "1:columns default<Enter>", "Use tabs");
    assert_null(strstr(viewed_shows(v, "1", "Use tabs"), "opened  "));
    v->script.columns = 140;
    assert_null(strstr(viewed_shows(v, "1", "Use tabs"), "tokens  opened"));
    viewed_shows(v, "1:columns tokens<Enter>:columns opened<Enter>", "tokens  opened");
}

static void grow(struct script *s, const char *name)
{
    if (!strcmp(name, "grow"))
        extend((struct viewed *)s, grown);
}

/* C-f goes to the end, which is further than the page shows else, and the cursor stays there while lines come. */
TEST(test_the_end_of_the_transcript_is_followed)
{
    struct viewed *v = *state;
    extend(v, later);
    v->script.at_shot = grow;
    assert_null(strstr(viewed_shows(v, "1&", "led to this memory"), "the last word"));
    viewed_shows(v, "1&<C-f>", "the last word");
    const char *frame = viewed_shows(v, "1&<C-f><shot:grow><C-g>", "one word more");
    assert_non_null(strstr(frame, "following"));
}
