/* The explorer when it cannot write or cannot serve agents: it says so, and why. */
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/agents.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

#define OTHER "/usr/bin/setpriv --reuid=65534 --clear-groups "

/* The program as another user if we are root, since root may write everywhere. NULL if that is impossible. */
static char *other_program(void)
{
    const char *own = getenv("STEMMA");
    char *program = realpath(own ? own : "./stemma", NULL), line[5000];
    char *path = scratch_path("as-another");
    bool root = geteuid() == 0;
    snprintf(line, sizeof(line), "#!/bin/sh\nexec %s%s \"$@\"\n", root ? OTHER : "", program);
    scratch_write(path, line, strlen(line));
    assert_int_equal(chmod(path, 0755), 0);
    snprintf(line, sizeof(line), OTHER "%s --version > /dev/null 2>&1", program);
    free(program);
    if (root && system(line) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

/* A store that everybody may read, in a directory where nobody may write. */
static char *closed_store(char **directory)
{
    char *path = scratch_path("closed.db");
    struct store *s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"belief:one\",\"text\":\"Drain the queue first\"}");
    store_close(s);
    *directory = strdup(path);
    *strrchr(*directory, '/') = '\0';
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(*directory, 0555), 0);
    return path;
}

TEST(test_a_user_who_may_not_write_is_told)
{
    struct terminal t;
    char *program = other_program(), *own = getenv("STEMMA"), *directory;
    if (!program)
        skip();
    AUTO_FREE char *store = closed_store(&directory);
    setenv("HOME", directory, 1); /* another user cannot read the home of this one */
    own = own ? strdup(own) : NULL;
    setenv("STEMMA", program, 1);
    terminal_start(&t, store, 24, 80);
    terminal_wait_shows(&t, "the store cannot be written (Permission denied)");
    terminal_wait_shows(&t, "Drain the queue first");
    assert_true(terminal_shows(&t, "read-only"));
    terminal_see(&t, "e", "the store is open read-only");
    terminal_see(&t, "9", "does not listen: the store is read-only");
    terminal_leave(&t);
    if (own)
        setenv("STEMMA", own, 1);
    else
        unsetenv("STEMMA");
    chmod(directory, 0755);
    free(directory);
    free(own);
    free(program);
}

FIXTURE(script_set_up_demo, script_tear_down);

/* If the rule is too short for the reason why it does not listen, the reason gets its own row, or several. */
TEST(test_the_reason_for_not_listening_is_not_cut)
{
    struct script *s = *state;
    const char *why = "does not listen: the configuration says no";
    s->config.listen = false;
    char *row = strdup(script_run(s, "9<C-g>"));
    assert_has(row, why);
    assert_has(row, "── sessions ─");
    free(row);
    s->columns = 56;
    const char *frame = script_run(s, "9<C-g>");
    assert_has(frame, "\n   does not listen: the configuration says no");
    s->columns = 44;
    frame = script_run(s, "9<C-g>");
    assert_has(frame, "\n   does not listen: the configuration");
    assert_has(frame, "\n   says no\n");
    /* The view of sessions has no such row. There the reason is visibly cut. */
    assert_has(script_run(s, ":sessions<Enter><C-g>"), " does not listen: the configuratio… ──\n");
}

FIXTURE(NULL, NULL);

/* The last events keep a row below the rule, whatever the number of sessions and their rows. */
TEST(test_the_reason_leaves_room_for_events)
{
    struct script script;
    struct session *one = NULL;
    AUTO_FREE char *path = scratch_path("agents.db");
    struct store *s = scratch_store(path);
    struct call_log *log = agents_open(s);
    for (int i = 0; i < 9; i++) {
        char name[24];
        snprintf(name, sizeof(name), "agent-%d", i);
        one = agents_join(log, name, name);
    }
    agents_write(s, one, "ash", "{\"ref\":\"raw:one\",\"text\":\"The only one\"}");
    agents_flush(s, log);
    script_open(&script, s);
    script.config.listen = false;
    script.columns = 44;
    for (script.rows = 12; script.rows < 32; script.rows++) {
        const char *frame = script_run(&script, "9<C-g>");
        const char *rule = strstr(frame, "── events ─"), *event = strstr(frame, "\n > ●");
        if (!event || event < rule || (script.rows >= 22 && !rule))
            fail_msg("%d rows: %s", script.rows, frame);
    }
    script_close(&script);
    call_log_close(log);
    store_close(s);
}
