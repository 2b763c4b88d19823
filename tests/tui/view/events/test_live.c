/* What others write while the explorer runs: it appears, and nothing moves that a person looks at. */
#include <math.h>
#include <unistd.h>
#include "tests/support/chains.h"
#include "tests/support/scratch.h"
#include "store/platform/platform.h"
#include "tests/support/script.h"

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    char *path = scratch_path("live.db");
    struct store *store = scratch_store(path);
    char line[200];
    for (int i = 0; i < 60; i++) {
        snprintf(line, sizeof(line),
                 "{\"ref\":\"belief:b-%02d\",\"agent_id\":\"ash\",\"text\":\"number %02d\","
                 "\"created_at\":%d000000}",
                 i, i, 1000 + i);
        scratch_put(store, line);
    }
    free(path);
    script_open(s, store);
    *state = s;
    return 0;
}

static void put(struct script *s, const char *id, const char *text, int at)
{
    char line[300];
    snprintf(
        line, sizeof(line),
        "{\"ref\":\"belief:%s\",\"agent_id\":\"claire\",\"text\":\"%s\",\"created_at\":%d000000}",
        id, text, at);
    scratch_put(s->store, line);
}

/* At the shots named "newest", "oldest" and "many" memories come from elsewhere. */
static void write_at_shot(struct script *s, const char *name)
{
    char id[32];
    if (!strcmp(name, "newest"))
        put(s, "newest", "the newest of all", 9000);
    if (!strcmp(name, "oldest"))
        put(s, "oldest", "the oldest of all", 1);
    if (!strcmp(name, "match"))
        put(s, "match", "number 0 once more", 8000);
    for (int i = 0; i < 3 && !strncmp(name, "three", 5); i++) {
        snprintf(id, sizeof(id), "%s-%d", name, i);
        put(s, id, "held one", 9100 + i);
    }
    for (int i = 0; i < 300 && !strcmp(name, "many"); i++) {
        snprintf(id, sizeof(id), "many-%03d", i);
        put(s, id, "one of many", 7000 + i);
    }
}

/* The frame's line with the cursor's mark. */
static void cursor_line(const char *frame, char *line, size_t size)
{
    const char *at = strstr(frame, "\n >");
    assert_non_null(at);
    snprintf(line, size, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
}

/* On which row of the frame is that text? */
static int row_of(const char *frame, const char *text)
{
    const char *at = strstr(frame, text);
    int row = 0;
    assert_non_null(at);
    for (const char *c = frame; c < at; c++)
        row += *c == '\n';
    return row;
}

static void test_nothing_moves(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    script_run(s, "ocjjjjjjjjjjjjjjjjjjjjjjjj<shot:newest><C-g><shot:oldest><C-g><shot:after>");
    char *before = script_shot(s, "newest"), *after = script_shot(s, "after");
    char line[400], line_after[400];
    cursor_line(before, line, sizeof(line));
    cursor_line(after, line_after, sizeof(line_after));
    assert_string_equal(line, line_after);
    assert_int_equal(row_of(before, line), row_of(after, line));
    assert_non_null(strstr(before, "60 · created"));
    assert_non_null(strstr(after, "62 · created"));
    assert_non_null(strstr(after, "1 new ↑"));
    free(before);
    free(after);
    assert_non_null(strstr(script_run(s, "ocg"), "the newest of all"));
    assert_non_null(strstr(script_run(s, "ocG"), "the oldest of all"));
}

static void test_it_is_said(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    script_run(s, "<shot:newest><shot:after>");
    char *after = script_shot(s, "after");
    assert_non_null(strstr(after, "the newest of all"));
    assert_non_null(strstr(after, "belief:newest"));
    free(after);
}

/* At "away" the store goes, and is back at "back". */
static void move_at_shot(struct script *s, const char *name)
{
    char away[400];
    snprintf(away, sizeof(away), "%s.away", store_path(s->store));
    if (!strcmp(name, "away")) {
        assert_int_equal(rename(store_path(s->store), away), 0);
        if (!platform_has_locks()) /* nor does the system tell of files: they are looked at */
            usleep(3 * WATCHER_LOOK_MS * 1000);
    }
    if (!strcmp(name, "back"))
        assert_int_equal(rename(away, store_path(s->store)), 0);
}

/* It is said as long as it is so, but where a key has something else to say. */
static void test_a_store_that_goes(void **state)
{
    static const char gone[] = "was removed or replaced while it was open";
    static const char *const lasting[] = {"at-once", "moved", "read", "held"};
    struct script *s = *state;
    s->columns = 200;
    s->at_shot = move_at_shot;
    const char *frame = script_run(s, "<shot:away><shot:at-once>j<shot:moved>R<shot:read>"
                                      "pj<shot:held><shot:back>jj");
    assert_null(strstr(frame, gone));
    for (size_t i = 0; i < sizeof(lasting) / sizeof(lasting[0]); i++) {
        char *shot = script_shot(s, lasting[i]);
        if (!strstr(shot, gone))
            fail_msg("%s does not say so", lasting[i]);
        free(shot);
    }
    frame = script_run(s, "<shot:away>jp");
    assert_null(strstr(frame, gone));
    move_at_shot(s, "back");
    frame = script_run(s, "<shot:away>jR");
    assert_non_null(strstr(frame, gone));
    move_at_shot(s, "back");
}

static void test_the_cursor_follows(void **state)
{
    struct script *s = *state;
    char line[400];
    s->at_shot = write_at_shot;
    script_run(s, "jjjjF<shot:newest><C-g><shot:after>");
    char *after = script_shot(s, "after");
    cursor_line(after, line, sizeof(line));
    assert_non_null(strstr(line, "the newest of all"));
    assert_non_null(strstr(after, "following"));
    free(after);
}

/* Also through a filter that leaves nothing: that moves nobody. */
static void test_it_follows_through_a_filter(void **state)
{
    static const char *const filters[] = {"\\nowhere at all<Enter>", "\\nowhere at all<Enter><Esc>",
                                          "\\nowhere at all<Enter>\\<C-u>e<Enter>"};
    struct script *s = *state;
    char keys[120];
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        snprintf(keys, sizeof(keys), "F%s", filters[i]);
        if (!strstr(script_run(s, keys), "following"))
            fail_msg("it does not follow after %s", keys);
    }
}

static void test_pause(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    script_run(s, "p<shot:newest><C-g><shot:held>p<shot:after>");
    char *held = script_shot(s, "held"), *after = script_shot(s, "after");
    assert_non_null(strstr(held, "60 · recorded"));
    assert_non_null(strstr(held, "paused, 1 held back"));
    assert_null(strstr(held, "the newest of all"));
    assert_non_null(strstr(after, "61 · recorded"));
    assert_null(strstr(after, "paused,"));
    free(held);
    free(after);
}

static size_t times(const char *frame, const char *text)
{
    size_t count = 0;
    for (const char *at = frame; (at = strstr(at, text)); at += strlen(text))
        count++;
    return count;
}

/* What a list was read with during a pause is not put in once more when the pause ends. */
static void check_held_once(struct script *s, const char *keys, const char *total)
{
    char *held, *after;
    s->at_shot = write_at_shot;
    script_run(s, keys);
    held = script_shot(s, "held");
    after = script_shot(s, "after");
    assert_int_equal(times(held, "  held one"), times(after, "  held one"));
    assert_non_null(strstr(held, "paused, 0 held back"));
    assert_non_null(strstr(held, total));
    assert_non_null(strstr(after, total));
    assert_null(strstr(after, " new "));
    free(held);
    free(after);
}

static void test_paused_and_opened(void **state)
{
    check_held_once(*state, "p<shot:three><C-g>0<shot:held>p<shot:after>", "63 · recorded");
}

static void test_paused_and_read_again(void **state)
{
    check_held_once(*state, "p<shot:three-again><C-g>R<shot:held>p<shot:after>", "63 · recorded");
}

/* What came while the past was looked at is read with the present. */
static void test_back_from_the_past(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    script_run(s, "0:asof @50<Enter><shot:three><C-g>:asof now<Enter><shot:back>g<shot:after>");
    char *back = script_shot(s, "back"), *after = script_shot(s, "after");
    assert_non_null(strstr(back, "63 · recorded"));
    assert_non_null(strstr(after, "63 · recorded"));
    assert_int_equal(times(after, "  held one"), 3);
    free(back);
    free(after);
}

/* The count is of what this view does not have. */
static void test_held_back_from_each(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    script_run(s, "p<shot:three><C-g>0<shot:newest><C-g><shot:later>1<shot:first>p<shot:after>0g"
                  "<shot:all>");
    char *later = script_shot(s, "later"), *first = script_shot(s, "first"),
         *after = script_shot(s, "after"), *all = script_shot(s, "all");
    assert_non_null(strstr(later, "63 · recorded"));
    assert_non_null(strstr(later, "paused, 1 held back"));
    assert_non_null(strstr(first, "60 · recorded"));
    assert_non_null(strstr(first, "paused, 4 held back"));
    assert_non_null(strstr(after, "64 · recorded"));
    assert_non_null(strstr(all, "64 · recorded"));
    assert_int_equal(times(all, "  held one"), 3);
    assert_int_equal(times(all, "  the newest of all"), 1);
    free(later);
    free(first);
    free(after);
    free(all);
}

/* Where a view says that something was written since, what it was read with is not meant. */
static void test_held_is_no_change(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    s->columns = 120;
    script_run(s, "p<shot:three><C-g>w<shot:held>p<shot:after><shot:newest><C-g><shot:later>");
    char *held = script_shot(s, "held"), *after = script_shot(s, "after"),
         *later = script_shot(s, "later");
    assert_non_null(strstr(held, "paused, 0 held back"));
    assert_null(strstr(after, "changed since"));
    assert_non_null(strstr(later, "changed since"));
    free(held);
    free(after);
    free(later);
}

static void test_filtered(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    script_run(s, "\\number 0<Enter>jj<shot:match><shot:newest><C-g><shot:after>");
    char *before = script_shot(s, "match"), *after = script_shot(s, "after");
    assert_non_null(strstr(before, "10 of 60"));
    assert_non_null(strstr(after, "11 of 62"));
    assert_null(strstr(after, "the newest of all\n"));
    assert_true(row_of(after, "number 0 once more") < row_of(after, "number 09"));
    free(before);
    free(after);
}

static void test_many_at_once(void **state)
{
    struct script *s = *state;
    char line[400], line_after[400];
    s->at_shot = write_at_shot;
    script_run(s, "jjjjjj<shot:many><C-g><shot:after>");
    char *before = script_shot(s, "many"), *after = script_shot(s, "after");
    cursor_line(before, line, sizeof(line));
    cursor_line(after, line_after, sizeof(line_after));
    assert_string_equal(line, line_after);
    assert_non_null(strstr(after, "360 · recorded"));
    free(before);
    free(after);
}

/* ---- a change under the cursor ---- */

static void change_at_shot(struct script *s, const char *name)
{
    if (!strcmp(name, "edit"))
        scratch_replace(
            s->store,
            "{\"ref\":\"belief:b-57\",\"agent_id\":\"ash\",\"text\":\"number 57, again\","
            "\"created_at\":1057000000}",
            "it was wrong");
    if (!strcmp(name, "forget"))
        scratch_replace(s->store,
                        "{\"ref\":\"belief:b-57\",\"agent_id\":\"ash\",\"text\":\"number 57\","
                        "\"status\":\"forgotten\",\"created_at\":1057000000}",
                        "nobody needs it");
    if (!strcmp(name, "forget another"))
        scratch_replace(s->store,
                        "{\"ref\":\"belief:b-58\",\"agent_id\":\"ash\",\"text\":\"number 58\","
                        "\"status\":\"forgotten\",\"created_at\":1058000000}",
                        "nobody needs it");
}

static void test_changed_under_the_cursor(void **state)
{
    struct script *s = *state;
    char line[400];
    s->at_shot = change_at_shot;
    script_run(s, "jj<shot:edit><shot:after>j<shot:left>");
    char *after = script_shot(s, "after"), *left = script_shot(s, "left");
    cursor_line(after, line, sizeof(line));
    assert_non_null(strstr(line, "number 57, again"));
    assert_non_null(strstr(line, "–!"));
    assert_non_null(strstr(after, "changed under the cursor: "));
    assert_non_null(strstr(after, " edited belief:b-57"));
    assert_null(strstr(left, "–!"));
    assert_non_null(strstr(left, "–~"));
    free(after);
    free(left);
    /* The memory in full says so too. */
    const char *frame = script_run(s, "jj<Enter><shot:edit><shot:after>");
    assert_non_null(frame);
    after = script_shot(s, "after");
    assert_non_null(strstr(after, "changed under the cursor: "));
    free(after);
}

/* A step of a chain of that question, which uses that document. */
static void write_step(struct store *s, const char *question, const char *document)
{
    const struct made_source source = {document, document, "a passage of it", 0.9, NULL, -1};
    const struct made_step step = {.number = 1,
                                   .question = "why?",
                                   .confidence = NAN,
                                   .seconds = NAN,
                                   .source = &source,
                                   .count = 1};
    chains_step(s, NULL, "ash", chains_begin(s, NULL, "ash", question, NULL), &step);
}

static void write_entry(struct store *s, const char *name)
{
    static int made;
    char line[200];
    snprintf(line, sizeof(line),
             "{\"ref\":\"entry:count-%d\",\"text\":\"k%d\",\"detail\":{\"namespace\":"
             "\"%s\",\"key\":\"k%d\",\"value\":1}}",
             made, made, name, made);
    made++;
    scratch_put(s, line);
}

static void write_retrieval(struct store *s, const char *type)
{
    static int made;
    char line[300];
    snprintf(line, sizeof(line),
             "{\"ref\":\"attribution:count-%d\",\"text\":\"what was found\",\"detail\":{"
             "\"source_type\":\"%s\",\"source_uri\":\"https://%s.example\","
             "\"retrieval_timestamp\":%lld}}",
             made++, type, type, (long long)scratch_clock);
    scratch_put(s, line);
}

static int64_t counted_chain;

static int set_up_counted(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    struct store *store = scratch_store_standing("counted.db", NULL);
    scratch_clock = SCRATCH_NOW;
    write_entry(store, "team.one");
    write_entry(store, "team.two");
    write_retrieval(store, "query");
    scratch_clock += 1000;
    write_retrieval(store, "scrape");
    write_step(store, "how many?", "runbook");
    write_step(store, "how often?", "postmortem");
    counted_chain = chains_begin(store, NULL, "ash", "how long?", NULL);
    script_open(s, store);
    *state = s;
    return 0;
}

/* Each is of what one of the rows counts. */
static void count_at_shot(struct script *s, const char *name)
{
    const struct made_step step = {
        .number = 1, .question = "why?", .confidence = NAN, .seconds = NAN};
    if (!strcmp(name, "step"))
        chains_step(s->store, NULL, "ash", counted_chain, &step);
    if (!strcmp(name, "runbook") || !strcmp(name, "postmortem"))
        write_step(s->store, "another?", name);
    if (!strncmp(name, "team.", 5))
        write_entry(s->store, name);
    if (!strcmp(name, "query") || !strcmp(name, "scrape"))
        write_retrieval(s->store, name);
}

/* A row that counts other memories is changed by those; what is counted elsewhere changes another. */
static void test_counted_under_the_cursor(void **state)
{
    static const struct {
        const char *keys, *here, *elsewhere;
    } cases[] = {
        {"6/how long<Enter>", "step", "postmortem"},
        {"7/runbook<Enter>", "runbook", "postmortem"},
        {"5#/scrape<Enter>", "scrape", "query"},
        {"5##/scrape<Enter>", "scrape", "query"},
        {"O/team.one<Enter>", "team.one", "team.two"},
    };
    struct script *s = *state;
    char keys[120], line[400];
    s->at_shot = count_at_shot;
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        bool here = i % 2 == 0;
        snprintf(keys, sizeof(keys), "%s<shot:%s><shot:after>jk<shot:left>", cases[i / 2].keys,
                 here ? cases[i / 2].here : cases[i / 2].elsewhere);
        script_run(s, keys);
        char *after = script_shot(s, "after"), *left = script_shot(s, "left");
        cursor_line(after, line, sizeof(line));
        if ((strchr(line, '!') != NULL) != here ||
            (strstr(after, "changed under the cursor: ") != NULL) != here)
            fail_msg("after %s:\n%s", keys, after);
        if (strstr(left, "!  ") || strstr(left, ">!"))
            fail_msg("after %s it is still marked:\n%s", keys, left);
        free(after);
        free(left);
    }
}

/* It is not taken from under the cursor, but shown as gone until the cursor leaves. */
static void test_forgotten_under_the_cursor(void **state)
{
    struct script *s = *state;
    char line[400], line_before[400];
    s->at_shot = change_at_shot;
    script_run(s, "jj<shot:forget><shot:after><C-g><shot:still>j<C-g><shot:left>");
    char *before = script_shot(s, "forget"), *after = script_shot(s, "after");
    char *still = script_shot(s, "still"), *left = script_shot(s, "left");
    cursor_line(before, line_before, sizeof(line_before));
    cursor_line(after, line, sizeof(line));
    assert_int_equal(row_of(before, line_before), row_of(after, line));
    assert_non_null(strstr(line, "×!"));
    assert_non_null(strstr(line, "forgotten"));
    assert_non_null(strstr(after, "60 · recorded"));
    assert_non_null(strstr(still, "forgotten"));
    cursor_line(left, line, sizeof(line));
    assert_non_null(strstr(line, "number 56"));
    assert_null(strstr(left, "forgotten"));
    assert_non_null(strstr(left, "59 · recorded"));
    free(before);
    free(after);
    free(still);
    free(left);
    /* Any other one goes at once, and the cursor stays on its own. */
    script_run(s, "j<shot:b><shot:forget another><C-g><shot:after>");
    before = script_shot(s, "b");
    after = script_shot(s, "after");
    cursor_line(before, line_before, sizeof(line_before));
    cursor_line(after, line, sizeof(line));
    assert_null(strstr(after, "number 57"));
    free(before);
    free(after);
}

/* What a search found moves with its lines. */
static void test_search_goes_on(void **state)
{
    struct script *s = *state;
    s->at_shot = write_at_shot;
    const char *frame =
        script_run(s, "/number 0<Enter><shot:newest><C-g><shot:match><C-g><shot:oldest><C-g>n");
    assert_non_null(strstr(frame, "match 3 of 11"));
    frame = script_run(s, "/number 0<Enter><shot:many><C-g>n");
    assert_non_null(strstr(frame, "match 2 of 11")); /* on the one that came before */
}

/* A view that was left is as it was: filter, order, place. */
static void test_views_are_as_they_were(void **state)
{
    struct script *s = *state;
    s->at_shot = NULL;
    script_run(s, "\\number 1<Enter>jjj<shot:before>0jj<Enter>1<shot:after>");
    char *before = script_shot(s, "before"), *after = script_shot(s, "after");
    assert_string_equal(before, after);
    free(before);
    free(after);
    script_run(s, "G<shot:before><Enter>fq<Esc><shot:after>");
    before = script_shot(s, "before");
    after = script_shot(s, "after");
    assert_string_equal(before, after);
    free(before);
    free(after);
    script_run(s, "jjjj<Enter><shot:before>3[<shot:after>");
    before = script_shot(s, "before");
    after = script_shot(s, "after");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void test_no_session(void **state)
{
    static const char *const keys[] = {":sessions<Enter>W", ":sessions<Enter>K",
                                       "9\\no such<Enter>K"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        assert_non_null(strstr(script_run(*state, keys[i]), "there is no session here"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing_moves, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_it_is_said, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_a_store_that_goes, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_the_cursor_follows, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_it_follows_through_a_filter, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_no_session, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_pause, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_paused_and_opened, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_paused_and_read_again, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_back_from_the_past, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_held_back_from_each, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_held_is_no_change, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_filtered, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_many_at_once, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_changed_under_the_cursor, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_counted_under_the_cursor, set_up_counted,
                                        script_tear_down),
        cmocka_unit_test_setup_teardown(test_forgotten_under_the_cursor, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_search_goes_on, set_up, script_tear_down),
        cmocka_unit_test_setup_teardown(test_views_are_as_they_were, set_up, script_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
