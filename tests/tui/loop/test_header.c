/* The header: warnings come first and are dropped last. Also the prompt while others write. */
#include "model/base/alloc.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/test.h"

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    AUTO_FREE char *path = scratch_path("header.db");
    struct store *store = scratch_store(path);
    scratch_put(store, "{\"ref\":\"raw:source\",\"agent_id\":\"ash\",\"text\":\"the source\","
                       "\"created_at\":1000000}");
    scratch_put(store, "{\"ref\":\"belief:tested\",\"agent_id\":\"ash\",\"text\":\"under test\","
                       "\"created_at\":2000000,\"derived_from\":[\"raw:source\"]}");
    script_open(s, store);
    *state = s;
    return 0;
}

/* Adds another memory based on the source at each shot named "land…". */
static void land(struct script *s, const char *name)
{
    char line[300];
    if (strncmp(name, "land", 4))
        return;
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:%s\",\"agent_id\":\"claire\",\"text\":\"it landed meanwhile\","
             "\"created_at\":3000000,\"derived_from\":[\"raw:source\"]}",
             name);
    scratch_put(s->store, line);
}

/* A row, counted from the end if negative. */
static void row_of(const struct script *s, const char *shot, int row, char *out, size_t size)
{
    AUTO_FREE char *frame = script_shot(s, shot);
    const char *at = frame;
    assert_non_null(frame);
    for (int i = 0; i < (row < 0 ? s->rows + row : row); i++)
        at = strchr(at, '\n') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static void check_said(struct script *s, const char *keys, const char *said)
{
    char header[400];
    script_run(s, keys);
    row_of(s, "see", 0, header, sizeof(header));
    assert_has(header, said);
}

FIXTURE(set_up, script_tear_down);

TEST(test_changes_are_shown_at_every_width)
{
    static const struct {
        int columns;
        const char *said;
    } at[] = {
        {20, "changed since"},
        {40, "changed since, R reloads"},
        {60, "changed since, R reloads"},
        {80, "changed since, R reloads · "},
        {160, "changed since, R reloads · "},
    };
    struct script *s = *state;
    s->at_shot = land;
    for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
        char keys[120];
        s->columns = at[i].columns;
        snprintf(keys, sizeof(keys), ":show raw:source<Enter>w<shot:land-%zu><C-g><shot:see>", i);
        check_said(s, keys, at[i].said);
    }
}

TEST(test_a_stale_confirmation_says_so)
{
    struct script *s = *state;
    s->at_shot = land;
    s->columns = 60;
    check_said(s, ":show raw:source<Enter>:retract<Enter><shot:land><C-g><shot:see>",
               "changed since, R reloads");
}

TEST(test_a_pause_comes_before_counts)
{
    struct script *s = *state;
    s->at_shot = land;
    s->columns = 60;
    check_said(s, "0p<shot:land><C-g><shot:see>", "paused, 1 new · 2");
    s->columns = 30;
    check_said(s, "0p<shot:land-again><C-g><shot:see>", "paused, 1 new");
}

/* The sort order is dropped first, so that the whole breadcrumb fits. */
TEST(test_decoration_is_dropped_before_breadcrumbs)
{
    struct script *s = *state;
    s->at_shot = NULL;
    s->columns = 48;
    check_said(s, "0<shot:see>", " stemma › all agents › everything   ");
    s->columns = 80;
    check_said(s, "0<shot:see>", "2 · recorded ↓");
}

/* ---- typing ---- */

static void check_typing(struct script *s, const char *keys, const char *typed)
{
    char before[400], after[400], all[200];
    snprintf(all, sizeof(all), "%s<shot:see-before>", keys);
    s->at_shot = NULL;
    script_run(s, all);
    row_of(s, "see-before", -2, before, sizeof(before));
    static int landed;
    snprintf(all, sizeof(all), "%s<shot:land-%d><C-g><shot:see>", keys, landed++);
    s->at_shot = land;
    script_run(s, all);
    row_of(s, "see", -2, after, sizeof(after));
    assert_has(after, typed);
    assert_string_equal(before, after);
}

TEST(test_changes_do_not_disturb_typing)
{
    struct script *s = *state;
    static const int columns[] = {40, 60, 80};
    for (size_t i = 0; i < 3; i++) {
        s->columns = columns[i];
        check_typing(s, ":show raw:source<Enter>;:retract<Enter>a misreading", "a misreading");
        check_typing(s, "1:history belief something long", "history belief something long");
        check_typing(s, "1/something longer than that is", "something longer than that is");
        check_typing(s, "1\\something longer than that is", "something longer than that is");
    }
}

/* The answer to a key is shown next to the typed text. */
TEST(test_an_answer_is_shown_while_typing)
{
    struct script *s = *state;
    char row[400];
    s->at_shot = NULL;
    s->columns = 60;
    script_run(s, "1/something longer than that is, and still longer than it<F3>");
    row_of(s, "end", -2, row, sizeof(row));
    assert_has(row, "F3 does noth");
}
