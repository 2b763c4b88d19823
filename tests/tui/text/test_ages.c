/* Ages are updated without keys, sessions or writes. */
#include <signal.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tests/support/agents.h"
#include "tests/support/chains.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

/* The first age in seconds on the screen; -1 if there is none. */
static int shown_age(struct terminal *t)
{
    AUTO_STRBUF all = STRBUF_INIT;
    int age = -1;
    for (int row = 0; row < t->rows; row++)
        terminal_row(t, row, &all);
    for (const char *at = all.buf; age < 0 && (at = strchr(at, ' ')); at++) {
        char *end;
        long number = strtol(at + 1, &end, 10);
        if (at[1] >= '0' && at[1] <= '9' && end[0] == 's' && (end[1] == ' ' || end[1] == '\n'))
            age = (int)number;
    }
    return age;
}

/* Waits until the age is higher than now. */
static void wait_age_grows(struct terminal *t)
{
    int first = -1, age = -1;
    while (first < 0 || age < 0 || age == first) {
        if (!terminal_read(t))
            fail_msg("no age grows: %.2000s", t->bytes.buf);
        age = terminal_is_whole(t) ? shown_age(t) : age;
        first = first < 0 ? age : first;
    }
}

TEST(test_ages_are_updated)
{
    AUTO_FREE char *path = scratch_path("ages.db");
    struct store *s = scratch_store_with(path, &(struct store_options){.create = true});
    struct terminal t;
    scratch_home();
    scratch_put(s, "{\"ref\":\"raw:first-1\",\"text\":\"what was seen\"}");
    scratch_put(s, "{\"ref\":\"belief:second-1\",\"text\":\"what follows\","
                   "\"derived_from\":[\"raw:first-1\"]}");
    store_close(s);
    terminal_start(&t, path, 24, 100);
    terminal_wait_shows(&t, "what follows");
    wait_age_grows(&t); /* a list */
    terminal_see(&t, "9", "no agent is connected");
    wait_age_grows(&t);
    terminal_type(&t, "\r"); /* all of a memory, with what it is based on */
    terminal_wait_shows(&t, "1 of 1 valid");
    wait_age_grows(&t);
    kill(t.pid, SIGTERM);
    terminal_finish(&t);
    terminal_release(&t);
}

/* ---- what stays in place ---- */

static void wait_a_day(struct script *s, const char *name)
{
    scratch_clock += 24 * 3600 * 1000;
}

/* Opens a new store whose clock advances by a day at each shot. */
static struct store *open_days(struct script *s, const char *name)
{
    struct store *store = scratch_store_with_clock(name, NULL);
    script_open(s, store);
    s->person = "sean";
    s->at_shot = wait_a_day;
    return store;
}

/* Types keys, waits a day, and compares the frames. */
static void assert_stays(struct script *s, const char *keys)
{
    char *all;
    assert_true(asprintf(&all, "%s<shot:before><shot:after>", keys) > 0);
    script_run(s, all);
    AUTO_FREE char *before = script_shot(s, "before"), *after = script_shot(s, "after");
    if (strcmp(before, after) != 0)
        fail_msg("after %s\n%s\nbecame\n%s", keys, before, after);
    free(all);
}

/* The sources stay in their places. */
TEST(test_a_step_stays_in_place)
{
    struct script s;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory_row row;
    char keys[160];
    struct store *store = open_days(&s, "step.db");
    struct call_log *log = agents_open(store);
    int64_t chain = chains_deploy(store, agents_join(log, "claude-code", "ash"));
    struct reader *r = reader_open(store, &e);
    assert_int_equal(memory_row_read(r, &arena, chain, &row, &e), 0);
    for (int downs = 0; downs < 20; downs++) {
        snprintf(keys, sizeof(keys), ":chain:%s<Enter>jjjl<Enter>%.*s", row.ref.id, downs,
                 "jjjjjjjjjjjjjjjjjjjj");
        assert_stays(&s, keys);
    }
    reader_close(r);
    call_log_close(log);
    store_close(store);
    script_close(&s);
}

/* Text scrolled away from the cursor does not scroll back. */
TEST(test_a_memory_stays_in_place)
{
    struct script s;
    AUTO_STRBUF line = STRBUF_INIT;
    struct store *store = open_days(&s, "memory.db");
    scratch_put(store, "{\"ref\":\"raw:seen\",\"text\":\"what was seen\"}");
    strbuf_addstr(&line, "{\"ref\":\"belief:long\",\"text\":\"what follows\",\"derived_from\":["
                         "\"raw:seen\"],\"history\":[");
    for (int i = 0; i < 40; i++)
        strbuf_addf(&line,
                    "%s{\"at\":169000%d000,\"old\":0.7,\"new\":0.8,\"reason\":\"%d\","
                    "\"origin\":\"kernle\"}",
                    i ? "," : "", 1000 + i, i);
    strbuf_addstr(&line, "]}");
    scratch_put(store, line.buf);
    assert_stays(&s, ":belief:long<Enter><Tab>jjjjjjjjjjjjjjjjjjjj");
    assert_null(strstr(s.frames.buf, "what was seen"));
    assert_non_null(strstr(s.frames.buf, "on raw:seen"));
    store_close(store);
    script_close(&s);
}
