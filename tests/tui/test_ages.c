/* Ages go on by themselves while nobody presses a key, nobody is connected and nothing is written. */
#include <signal.h>
#include <unistd.h>
#include "../support/agents.h"
#include "../support/scratch.h"
#include "../support/terminal.h"

/* Its state belongs to nobody. */
static void leave_home(void)
{
    char *home = scratch_path("home");
    setenv("HOME", home, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    free(home);
}

static void test_ages_go_on(void **state)
{
    (void)state;
    char *path = scratch_path("ages.db");
    struct store *s = scratch_store_with(path, &(struct store_options){.create = true});
    struct terminal t;
    leave_home();
    scratch_put(s, "{\"ref\":\"raw:first-1\",\"text\":\"what was seen\"}");
    scratch_put(s, "{\"ref\":\"belief:second-1\",\"text\":\"what follows\","
                   "\"derived_from\":[\"raw:first-1\"]}");
    store_close(s);
    terminal_start(&t, path, 24, 100);
    terminal_wait_shows(&t, "what follows");
    terminal_wait_shows(&t, " 2s "); /* a list */
    terminal_wait_shows(&t, " 3s ");
    terminal_type(&t, "9");
    terminal_wait_shows(&t, "no agent is connected");
    terminal_wait_shows(&t, " 5s ");
    terminal_wait_shows(&t, " 6s ");
    terminal_type(&t, "\r"); /* all of a memory, with what it rests on */
    terminal_wait_shows(&t, "1 of 1 hold");
    terminal_wait_shows(&t, "8s");
    terminal_wait_shows(&t, "9s");
    kill(t.pid, SIGTERM);
    terminal_finish(&t);
    terminal_release(&t);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ages_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
