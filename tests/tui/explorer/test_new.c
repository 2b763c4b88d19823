/* What is new since the last visit, in every view of memories or activity: its sign, and `+`. */
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/support/agents.h"
#include "tests/support/entries.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/test.h"

struct state {
    struct script script;
    struct call_log *log;
    struct session *ash;
    char *visit;
};

/* A belief with a missing source that waits for a review. */
static void put(const char *id)
{
    char line[400];
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:%s\",\"text\":\"belief %s\",\"derived_from\":[\"raw:no-%s\"],"
             "\"marks\":[{\"mark\":\"for_review\",\"at\":%lld,\"actor\":\"sean\"}]}",
             id, id, id, (long long)entries_now);
    scratch_put(entries_store, line);
}

static void run_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(entries_path(), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void ask(struct state *s, const char *tool)
{
    agents_ask(s->ash, tool, 0, entries_now, ERROR_NONE);
    agents_flush(entries_store, s->log);
}

/* Some memories, a visit, and later changes. */
static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    entries_open();
    put("old");
    put("changed");
    entries_put("team.old", "before", "1", -1, NULL, NULL);
    entries_put("team.both", "first", "1", -1, NULL, NULL);
    entries_put("team.both", "second", "1", -1, NULL, NULL);
    s->log = agents_open(entries_store);
    s->ash = agents_join(s->log, "claude-code", "ash");
    ask(s, "memory_list");
    script_open(&s->script, entries_store);
    s->visit = scratch_path("state/visits/visit");
    s->script.visit = s->visit;
    s->script.rows = 40;
    script_run(&s->script, "j");
    entries_now += 5000;
    put("new");
    scratch_replace(entries_store,
                    "{\"ref\":\"belief:changed\",\"text\":\"belief changed\",\"derived_from\":["
                    "\"raw:no-changed\"],\"confidence\":0.4,\"marks\":[{\"mark\":\"for_review\","
                    "\"at\":1700000000000,\"actor\":\"sean\"}]}",
                    "it was wrong");
    entries_put("team.both", "second", "2", -1, NULL, NULL);
    entries_put("team.both", "third", "1", -1, NULL, NULL);
    ask(s, "memory_search");
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct state *s = *state;
    call_log_close(s->log);
    script_close(&s->script);
    entries_close();
    free(s->visit);
    free(s);
    return 0;
}

/* The sign in that column of the row with the text. */
static char mark_of(const char *frame, const char *text, int column)
{
    const char *at = strstr(frame, text);
    if (!at)
        fail_msg("\"%s\" is not in %s", text, frame);
    while (at > frame && at[-1] != '\n')
        at--;
    for (int i = 0; i < column; i++)
        while ((*++at & 0xC0) == 0x80)
            ;
    return *at;
}

/* The numbers of lines with all and with only the new memories. */
struct shown {
    char *all, *new, *again;
};

static struct shown show(struct state *s, const char *keys)
{
    char script[200];
    snprintf(script, sizeof(script), "%s<shot:all>:new<Enter><shot:new><Esc><shot:again>", keys);
    script_run(&s->script, script);
    struct shown shown = {script_shot(&s->script, "all"), script_shot(&s->script, "new"),
                          script_shot(&s->script, "again")};
    assert_has(shown.new, " › new");
    assert_lacks(shown.again, " › new");
    return shown;
}

static void release(struct shown *shown)
{
    free(shown->all);
    free(shown->new);
    free(shown->again);
}

FIXTURE(set_up, tear_down);

TEST(test_live_marks_new_memories)
{
    struct state *s = *state;
    struct shown shown = show(s, "9<Enter><Esc>9");
    assert_int_equal(mark_of(shown.all, "belief new", 4), '+');
    assert_int_equal(mark_of(shown.all, "belief old", 4), ' ');
    assert_int_equal(mark_of(shown.all, "memory_search", 4), '+');
    assert_int_equal(mark_of(shown.all, "memory_list", 4), ' ');
    assert_has(shown.new, "belief new");
    assert_has(shown.new, "memory_search");
    assert_lacks(shown.new, "belief old");
    assert_lacks(shown.new, "memory_list");
    assert_has(shown.new, "5 events");
    assert_has(shown.again, "belief old");
    release(&shown);
}

TEST(test_live_filters_new_memories)
{
    struct state *s = *state;
    const char *frame = script_run(&s->script, "9-\\memory_<Enter><C-g>");
    assert_has(frame, "live › \"memory_\" › new");
    assert_has(frame, " 1 event");
    assert_has(frame, "memory_search");
    assert_lacks(frame, "belief new");
    assert_lacks(frame, "memory_list");
}

TEST(test_audit_marks_new_events)
{
    struct shown shown = show(*state, "@");
    assert_int_equal(mark_of(shown.all, "memory_search", 4), '+');
    assert_has(shown.all, "memory_list");
    assert_has(shown.new, "5 events");
    assert_lacks(shown.new, "memory_list");
    assert_has(shown.again, "memory_list");
    release(&shown);
}

TEST(test_history_marks_new_changes)
{
    struct shown shown = show(*state, ":history belief:changed<Enter>");
    assert_has(shown.all, "2 changes");
    assert_has(shown.new, "1 change");
    release(&shown);
}

/* Sets the end of the last visit. */
static void leave_at(const struct state *s, int64_t at)
{
    struct timespec when = {at / 1000, at % 1000 * 1000000};
    assert_int_equal(utimensat(AT_FDCWD, s->visit, (struct timespec[]){when, when}, 0), 0);
}

/* New sessions are those that began since, wherever they are listed. */
TEST(test_new_sessions_are_marked)
{
    struct state *s = *state;
    leave_at(s, entries_now - 1000);
    agents_join(s->log, "goose", "moss");
    agents_flush(entries_store, s->log);
    struct shown shown = show(s, ":sessions<Enter>");
    assert_int_equal(mark_of(shown.all, "goose", 2), '+');
    assert_int_equal(mark_of(shown.all, "claude-code", 2), ' ');
    assert_has(shown.new, "1 of 2 sessions");
    assert_has(shown.new, "goose");
    assert_lacks(shown.new, "claude-code");
    assert_has(shown.again, " 2 sessions");
    release(&shown);
    leave_at(s, entries_now - 1000);
    const char *frame = script_run(&s->script, "9");
    assert_int_equal(mark_of(frame, "goose", 2), '+');
    assert_int_equal(mark_of(frame, "claude-code", 2), ' ');
    leave_at(s, entries_now);
    assert_has(script_run(&s->script, ":sessions<Enter>-<C-g>"),
               "nothing is new since your last visit; Esc shows everything");
}

TEST(test_review_marks_new_memories)
{
    struct shown shown = show(*state, "8");
    assert_int_equal(mark_of(shown.all, "belief new", 4), '+');
    assert_int_equal(mark_of(shown.all, "belief changed", 4), '~');
    assert_int_equal(mark_of(shown.all, "belief old", 4), ' ');
    assert_has(shown.new, "0 of 2");
    assert_lacks(shown.new, "belief old");
    assert_has(shown.again, "0 of 3");
    release(&shown);
}

TEST(test_health_marks_new_problems)
{
    struct shown shown = show(*state, "!");
    assert_int_equal(mark_of(shown.all, "belief new", 4), '+');
    assert_has(shown.all, "belief old");
    assert_has(shown.new, "belief changed");
    assert_lacks(shown.new, "belief old");
    assert_has(shown.again, "belief old");
    release(&shown);
}

TEST(test_new_namespaces_are_marked)
{
    struct shown shown = show(*state, ":namespaces<Enter>");
    assert_int_equal(mark_of(shown.all, "team.both", 2), '~');
    assert_int_equal(mark_of(shown.all, "team.old", 2), ' ');
    assert_has(shown.new, "1 of 2 namespaces");
    assert_lacks(shown.new, "team.old");
    assert_has(shown.again, "team.old");
    release(&shown);
}

TEST(test_new_entries_are_marked)
{
    struct shown shown = show(*state, ":namespaces<Enter><Enter>");
    assert_int_equal(mark_of(shown.all, "first", 5), ' ');
    assert_int_equal(mark_of(shown.all, "second", 5), '~');
    assert_int_equal(mark_of(shown.all, "third", 5), '+');
    assert_has(shown.new, "2 entries");
    assert_lacks(shown.new, "first");
    assert_has(shown.again, "3 entries");
    release(&shown);
}

/* The setting applies to every view that opens, and an empty view says why it is empty. */
TEST(test_one_setting_applies_to_all_views)
{
    struct state *s = *state;
    const char *frame = script_run(&s->script, "--8<C-g>");
    assert_has(frame, "inbox › new");
    assert_has(frame, "0 of 2");
    frame = script_run(&s->script,
                       "8-@9<shot:live>8<shot:review>!<shot:health>:namespaces<Enter><C-g>");
    static const char *const why[][2] = {
        {"live", "nothing is new since your last visit; Esc shows everything"},
        {"review", "nothing is new since your last visit; Esc shows everything"},
        {"health", "no problem in what is new or changed; Esc shows everything"},
    };
    for (size_t i = 0; i < sizeof(why) / sizeof(why[0]); i++) {
        char *shot = script_shot(&s->script, why[i][0]);
        assert_has(shot, why[i][1]);
        free(shot);
    }
    assert_has(frame, "nothing is new since your last visit; Esc shows everything");
}

static void give_the_log_back(struct script *script, const char *name)
{
    if (!strcmp(name, "back"))
        run_sql("ALTER TABLE away RENAME TO call");
}

/* If the end of the call log could not be read, nothing counts as new. */
TEST(test_without_the_call_log_nothing_is_new)
{
    struct state *s = *state;
    unlink(s->visit);
    run_sql("ALTER TABLE call RENAME TO away");
    s->script.at_shot = give_the_log_back;
    struct shown shown = show(s, "<shot:back>9<Enter><Esc>9");
    s->script.at_shot = NULL;
    assert_int_equal(mark_of(shown.all, "memory_search", 4), ' ');
    assert_int_equal(mark_of(shown.all, "memory_list", 4), ' ');
    release(&shown);
}

/* A view without new lines says so, and says where the key works. */
TEST(test_other_views_say_where_it_works)
{
    struct state *s = *state;
    assert_has(script_run(&s->script, "?<Esc>:permissions<Enter>+"),
               "more works in a drawing: f leads there");
}
