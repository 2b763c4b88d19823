/*
 * What the commands say as of an event is what they said then: of each moment of a history a copy
 * of the store is kept, and asked the same. And what differs between two moments.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/scratch.h"
#include "tests/support/story.h"

#define MOMENTS 9

static char *store_then[MOMENTS + 1]; /* copies, by the number of the last event */
static char *the_store;

/* What happened, an event each. */
static const struct {
    const char *line, *reason;
} history[MOMENTS] = {
    {"{\"ref\":\"raw:11111111\",\"agent_id\":\"ash\",\"text\":\"The deploy failed at noon\","
     "\"created_at\":1700000000000}",
     NULL},
    {"{\"ref\":\"belief:22222222\",\"agent_id\":\"ash\",\"text\":\"Never deploy at noon\","
     "\"created_at\":1700000001000,\"tags\":[\"deploy\"],\"derived_from\":[\"raw:11111111\"]}",
     NULL},
    {"{\"ref\":\"belief:33333333\",\"agent_id\":\"claire\",\"text\":\"Noon is a bad time\","
     "\"created_at\":1700000002000,\"derived_from\":[\"belief:22222222\",\"raw:99999999\"]}",
     NULL},
    {"{\"ref\":\"belief:22222222\",\"agent_id\":\"ash\",\"text\":\"Deploy after staging\","
     "\"created_at\":1700000001000,\"confidence\":0.9,\"derived_from\":[\"raw:11111111\"],"
     "\"history\":[{\"at\":1700000003000,\"old\":0.8,\"new\":0.9}]}",
     "said better"},
    {"{\"ref\":\"raw:11111111\",\"agent_id\":\"ash\",\"text\":\"The deploy failed at noon\","
     "\"created_at\":1700000000000,\"status\":\"retracted\"}",
     "it did not"},
    {"{\"ref\":\"raw:99999999\",\"agent_id\":\"claire\",\"text\":\"Noon again\","
     "\"created_at\":1700000004000}",
     NULL},
    {"{\"ref\":\"raw:11111111\",\"agent_id\":\"ash\",\"text\":\"The deploy failed at noon\","
     "\"created_at\":1700000000000}",
     "it did"},
    {"{\"ref\":\"belief:33333333\",\"agent_id\":\"claire\",\"text\":\"Noon is a bad time\","
     "\"created_at\":1700000002000,\"status\":\"forgotten\",\"derived_from\":"
     "[\"belief:22222222\",\"raw:99999999\"]}",
     NULL},
    {"{\"ref\":\"note:44444444\",\"agent_id\":\"ash\",\"text\":\"Nothing more\","
     "\"created_at\":1700000005000}",
     NULL},
};

static int make_history(void **state)
{
    char name[32];
    if (story_open(state))
        return -1;
    the_store = scratch_path("now.db");
    for (int i = 0; i < MOMENTS; i++) {
        struct store *s = scratch_store(the_store);
        if (history[i].reason)
            scratch_replace(s, history[i].line, history[i].reason);
        else if (i == 7)
            scratch_replace(s, history[i].line, NULL);
        else
            scratch_put(s, history[i].line);
        store_close(s);
        snprintf(name, sizeof(name), "then-%d.db", i + 1);
        store_then[i + 1] = scratch_path(name);
        scratch_copy(the_store, store_then[i + 1]);
    }
    return 0;
}

static int drop_history(void **state)
{
    for (int i = 1; i <= MOMENTS; i++)
        free(store_then[i]);
    free(the_store);
    return story_close(state);
}

/* ---- as it was ---- */

/* Asked of the copy, and as of the event. */
static void same_answer(int moment, const char *const *words)
{
    const char *then[16] = {"--store", store_then[moment]}, *now[16] = {"--store", the_store};
    char as_of[24];
    size_t count = 2;
    for (; words[count - 2]; count++)
        then[count] = now[count] = words[count - 2];
    snprintf(as_of, sizeof(as_of), "@%d", moment);
    now[count++] = "--as-of";
    now[count++] = as_of;
    struct program was = {0};
    program_run(&was, NULL, then);
    program_run(&story.p, NULL, now);
    assert_string_equal(story.p.out, was.out);
    assert_int_equal(story.p.status, was.status);
    snprintf(as_of, sizeof(as_of), "as of event %d,", moment);
    STORY_TELLS(as_of);
    program_release(&was);
}

#define SAME(moment, ...) same_answer(moment, (const char *const[]){__VA_ARGS__, NULL})

static void every_command_answers_as_it_did(void **state)
{
    (void)state;
    for (int m = 1; m <= MOMENTS; m++) {
        SAME(m, "list", "all", "--json", "--status", "all");
        SAME(m, "list", "belief", "--order", "confidence");
        SAME(m, "list", "all", "--agent", "ash", "--json", "--order", "text");
        SAME(m, "list", "all", "--label", "grounded", "--json");
        SAME(m, "search", "deploy", "--json");
        SAME(m, "search", "noon");
        SAME(m, "search", "st", "--json");
        SAME(m, "orphans", "--json");
        SAME(m, "export");
        SAME(m, "log", "--limit", "3", "--json");
        SAME(m, "show", "raw:11111111");
        SAME(m, "show", "raw:11111111", "--json");
        SAME(m, "show", "raw:11111111", "--reverse", "--json");
        SAME(m, "history", "raw:11111111", "--json");
        SAME(m, "whatif", "raw:11111111", "--json");
    }
    for (int m = 3; m <= MOMENTS; m++) {
        SAME(m, "show", "belief:33333333", "--trace", "--json");
        SAME(m, "show", "belief:33333333", "--trace");
        SAME(m, "show", "belief:22222222", "--json");
        SAME(m, "history", "belief:2222");
    }
}

static void as_of(const char *time, int status, const char *says)
{
    PROGRAM(&story.p, "list", "all", "--store", the_store, "--as-of", time);
    assert_int_equal(story.p.status, status);
    STORY_TELLS(says);
}

static void a_time_means_an_event(void **state)
{
    (void)state;
    as_of("2100-01-01", 0, "as of event 9,");
    as_of("now", 0, "as of event 9,");
    as_of("1999-12-31", 1, "there was nothing yet at 1999-12-31: the first event is of 2023-11-1");
    as_of("@0", 1, "there was nothing yet");
    as_of("@10", 2, "there is no event 10: the last one is 9");
    as_of("@", 2, "no event's number");
    as_of("@-1", 2, "no event's number");
    as_of("@1x", 2, "no event's number");
    as_of("@99999999999999999999", 2, "no event's number");
    as_of("soon", 2, "is not a time");
    as_of("", 2, "is not a time");
    PROGRAM(&story.p, "show", "note:44444444", "--store", the_store, "--as-of", "@8");
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("was not there yet");
}

static void who_writes_refuses_it(void **state)
{
    static const char *const commands[][4] = {
        {"add", "note", "x", NULL},       {"retract", "raw:11111111", "--yes", NULL},
        {"undo", NULL, NULL, NULL},       {"mark", "reviewed", "raw:11111111", NULL},
        {"import", "jsonl", "/dev/null"}, {"edit", "raw:11111111", "--text=x", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
        const char *words[8] = {"--store", the_store, "--as-of=@3"};
        for (size_t k = 0; k < 4 && commands[i][k]; k++)
            words[3 + k] = commands[i][k];
        program_run(&story.p, NULL, words);
        assert_int_equal(story.p.status, 4);
        STORY_TELLS("works on the store as it is now");
    }
    PROGRAM(&story.p, "log", "--follow", "--store", the_store, "--as-of", "@3");
    assert_int_equal(story.p.status, 2);
}

/* ---- what differs ---- */

static void diff(int status, const char *from, const char *to, const char *how)
{
    if (how)
        PROGRAM(&story.p, "diff", from, to, how, "--store", the_store);
    else
        PROGRAM(&story.p, "diff", from, to, "--store", the_store);
    assert_int_equal(story.p.status, status);
}

static void a_difference_names_its_event(void **state)
{
    (void)state;
    diff(0, "@3", "@5", NULL);
    STORY_SAYS("belief:22222222  Deploy after staging\n  changed by event 4, ");
    STORY_SAYS("Never deploy at noon \xe2\x86\x92 Deploy after staging");
    STORY_SAYS("raw:11111111  The deploy failed at noon\n  changed by event 5, ");
    STORY_SAYS("active \xe2\x86\x92 retracted");
    STORY_SAYS("0 came, 2 changed, 0 went\n");
    diff(0, "@0", "@2", NULL);
    STORY_SAYS("belief:22222222  Never deploy at noon\n  added by event 2, ");
    STORY_SAYS("2 came, 0 changed, 0 went\n");
    diff(0, "@2", "@0", NULL);
    STORY_SAYS("belief:22222222  Never deploy at noon\n  not there before event 2, ");
    STORY_TELLS("to before the first event");
    diff(1, "@5", "@5", NULL);
    STORY_TELLS("nothing differs");
    diff(2, "@5", "@50", NULL);
}

static void a_difference_is_exact(void **state)
{
    (void)state;
    diff(0, "@3", "@5", "--json");
    STORY_SAYS("{\"ref\":\"belief:22222222\",\"event\":4,\"before\":{\"text\":\"Never deploy at "
               "noon\",");
    STORY_SAYS("\"tags\":[\"deploy\"],");
    STORY_SAYS("\"after\":{\"text\":\"Deploy after staging\",");
    STORY_SAYS("\"tags\":null,");
    STORY_SAYS(",\"events\":[4]}\n{\"ref\":\"raw:11111111\",\"event\":5,");
    diff(0, "@5", "@7", "--json");
    STORY_SAYS("{\"ref\":\"raw:99999999\",\"event\":6,\"before\":null,\"after\":{\"ref\":");
    diff(0, "@4", "@7", "--json"); /* there and back again: another version of the same */
    STORY_SAYS("{\"ref\":\"raw:11111111\",\"event\":7,\"before\":{");
    STORY_SAYS("\"events\":[5,7]}");
    diff(0, "@7", "@5", "--json");
    STORY_SAYS("{\"ref\":\"raw:99999999\",\"event\":6,\"before\":{\"ref\":");
    STORY_SAYS(",\"after\":null,\"events\":[6]}");
}

/* Neither asking for the past nor comparing writes to the store. */
static void nothing_is_written(void **state)
{
    size_t len, len_then;
    char *before = scratch_read(the_store, &len_then), *after;
    (void)state;
    PROGRAM(&story.p, "list", "all", "--store", the_store, "--as-of", "@3", "--read-only");
    assert_int_equal(story.p.status, 0);
    diff(0, "@1", "@9", NULL);
    after = scratch_read(the_store, &len);
    assert_int_equal(len, len_then);
    assert_memory_equal(before, after, len);
    free(before);
    free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_answers_as_it_did),
        cmocka_unit_test(a_time_means_an_event),
        cmocka_unit_test(who_writes_refuses_it),
        cmocka_unit_test(a_difference_names_its_event),
        cmocka_unit_test(a_difference_is_exact),
        cmocka_unit_test(nothing_is_written),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, make_history, drop_history);
}
