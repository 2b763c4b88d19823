/* Another store in a running explorer: agents stay connected to the one that it began with. */
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/story.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

static char home[300], other[300];

static void open_other(struct terminal *t)
{
    char keys[400];
    snprintf(keys, sizeof(keys), ":open %s\r", other);
    terminal_see(t, keys, "only in the other");
}

/* Those of each test have other names, so that nothing waits that was written in another one. */
static void make_stores(const char *home_name, const char *other_name)
{
    story_store(home, sizeof(home), home_name, "{\"ref\":\"note:a\",\"text\":\"only at home\"}\n");
    story_store(other, sizeof(other), other_name,
                "{\"ref\":\"note:b\",\"text\":\"only in the other\"}\n");
}

#define NOTE                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/"                                            \
    "call\",\"params\":{\"name\":\"memory_note\","                                                 \
    "\"arguments\":{\"content\":\"written meanwhile\"}}}"

GROUP(story_open_empty, story_close);

TEST(agents_stay_with_the_store_they_are_connected_to)
{
    struct terminal t;
    struct client c;
    char keys[400];
    make_stores("home.db", "other.db");
    terminal_start(&t, home, 40, 160);
    terminal_wait_shows(&t, "only at home");
    client_join(&c, home);
    open_other(&t);
    assert_true(terminal_shows(&t, "other › all agents"));
    terminal_see(&t, "9", "this program answers agents of home, not of this store");
    assert_non_null(strstr(client_ask(&c, NOTE), "note:"));
    assert_false(terminal_shows(&t, "written meanwhile"));
    terminal_see(&t, "0", "only in the other");
    assert_false(terminal_shows(&t, "written meanwhile"));
    snprintf(keys, sizeof(keys), ":open %s\r", home);
    terminal_see(&t, keys, "written meanwhile");
    terminal_see(&t, "9", "agents connect at /");
    assert_non_null(strstr(client_ask(&c, NOTE), "note:"));
    client_close(&c);
    terminal_leave(&t);
    PROGRAM(&story.p, "--store", other, "list", "all");
    STORY_OUT_LACKS("written meanwhile");
    STORY_OUT_HAS("only in the other");
}

/* Back and forth, with what the person does in each. */
TEST(each_store_gets_its_own_changes)
{
    struct terminal t;
    char keys[400];
    make_stores("home2.db", "other2.db");
    terminal_start(&t, home, 40, 160);
    terminal_wait_shows(&t, "only at home");
    for (int i = 0; i < 5; i++) {
        open_other(&t);
        snprintf(keys, sizeof(keys), ":open %s\r", home);
        terminal_see(&t, keys, "only at home");
    }
    open_other(&t);
    terminal_see(&t, "d", "Enter on the first line does it");
    terminal_see(&t, "\r", "retracted · u undoes it");
    terminal_leave(&t);
    PROGRAM(&story.p, "--store", other, "list", "all", "--status", "retracted");
    STORY_OUT_HAS("only in the other");
    PROGRAM(&story.p, "--store", home, "list", "all");
    STORY_OUT_HAS("only at home");
    PROGRAM(&story.p, "--store", home, "check");
    assert_int_equal(story.p.status, 1); /* unsourced, and nothing else */
    STORY_OUT_LACKS("journal");
}
