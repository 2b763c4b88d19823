/*
 * The drawing of lineage in the explorer: opening, walking, expanding and collapsing, and that nothing moves by
 * itself.
 */
#include "model/base/alloc.h"
#include "tests/support/test.h"
#include "tui/chart/chart.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tests/support/viewed.h"

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    s->script.columns = 100;
    s->script.rows = 30;
    setenv("TERM", "xterm-256color", 1);
    *state = s;
    return 0;
}

static void put(struct viewed *s, const char *format, ...)
{
    char line[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    fixture_put(&s->fixture, line, NULL);
}

/* Puts all lines in one transaction, and frees them. */
static void put_all(struct viewed *s, char **lines, size_t count)
{
    fixture_put_lines(&s->fixture, (const char *const *)lines, count);
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
}

static void shows_not(struct viewed *s, const char *keys, const char *text)
{
    const char *frame = script_run(&s->script, keys);
    if (strstr(frame, text))
        fail_msg("after %s there is \"%s\" in:\n%s", keys, text, frame);
}

static char *shot(struct viewed *s, const char *name)
{
    char *frame = script_shot(&s->script, name);
    assert_non_null(frame);
    return frame;
}

/* A belief on an episode, a note and fifteen raws, under a goal that needs two; one raw is shared. */
static void put_family(struct viewed *s)
{
    char raws[600] = "";
    for (int i = 0; i < 15; i++) {
        put(s, "{\"ref\":\"raw:r%02d-0000\",\"text\":\"Captured %02d\",\"created_at\":%d}", i, i,
            1000 + i);
        snprintf(raws + strlen(raws), sizeof(raws) - strlen(raws), ",\"raw:r%02d-0000\"", i);
    }
    put(s, "{\"ref\":\"episode:ep-0001\",\"text\":\"Skipped staging\",\"created_at\":2000,"
           "\"derived_from\":[\"raw:r03-0000\"]}");
    put(s, "{\"ref\":\"note:no-0001\",\"text\":\"Stage first\",\"created_at\":2001}");
    put(s,
        "{\"ref\":\"belief:focus-01\",\"text\":\"Never skip staging\",\"created_at\":3000,"
        "\"derived_from\":[\"episode:ep-0001\",\"note:no-0001\"%s]}",
        raws);
    put(s, "{\"ref\":\"goal:goal-001\",\"text\":\"No outage\",\"created_at\":4000,\"derivation\":"
           "\"all\",\"derived_from\":[\"belief:focus-01\",\"note:no-0001\"]}");
}

#define FOCUS ":belief:focus-01<Enter>"

/* ---- opening ---- */

FIXTURE(set_up, viewed_close);

TEST(test_a_graph_that_is_too_large_says_so)
{
    struct viewed *s = *state;
    AUTO_STRBUF line = STRBUF_INIT, keys = STRBUF_INIT;
    char **lines = xcalloc(60, sizeof(*lines));
    strbuf_addstr(&line, "{\"ref\":\"belief:wide-001\",\"text\":\"Wide\",\"derived_from\":[");
    for (int i = 0; i < 60; i++) { /* all differ, so none are merged */
        char one[120];
        snprintf(
            one, sizeof(one),
            "{\"ref\":\"note:n%03d-000\",\"text\":\"N%d\",\"derived_from\":[\"raw:x%03d-00\"]}", i,
            i, i);
        lines[i] = xstrdup(one);
        strbuf_addf(&line, "%s\"note:n%03d-000\"", i ? "," : "", i);
    }
    put_all(s, lines, 60);
    strbuf_addstr(&line, "]}");
    fixture_put(&s->fixture, line.buf, NULL);
    strbuf_addstr(&keys, ":belief:wide<Enter>f");
    const char *frame = viewed_shows(s, keys.buf, "\xe2\x94\x9c\xe2\x94\x80 "),
               *at = "n>\xe2\x97\x8b N0";
    assert_non_null(
        strstr(frame, "more than 60 memories, so this is an outline; , draws it anyway"));
    strbuf_addstr(&keys, "/N0<Enter>,");
    viewed_shows(s, keys.buf, at);
    strbuf_addstr(&keys, ",");
    viewed_shows(s, keys.buf, ", drawing");
    strbuf_addstr(&keys, ",");
    viewed_shows(s, keys.buf, at); /* at once, since the drawing exists */
}

/* ---- expanding and collapsing ---- */

/*
 * Expanding and collapsing keep the cursor on its node and in its cell: on random graphs with cycles, of all kinds,
 * from any node.
 */
static void put_random(struct viewed *s, struct random *r, int count)
{
    static const char *const kinds[] = {"raw", "belief", "belief", "note", "episode"};
    char **lines = xcalloc((size_t)count, sizeof(*lines));
    for (int i = 0; i < count; i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_addf(&line, "{\"ref\":\"%s:x%03d-0000\",\"text\":\"%s %03d\",\"created_at\":%d",
                    kinds[i % 5], i, kinds[i % 5], i, 1000 + i);
        int links = i < 5 ? 0 : (int)random_below(r, i % 17 == 0 ? 25 : 6);
        for (int k = 0; k < links; k++) {
            int to = (int)random_below(r, (uint32_t)(random_chance(r, 5) ? count : i));
            strbuf_addf(&line, "%s\"%s:x%03d-0000\"", k ? "," : ",\"derived_from\":[",
                        kinds[to % 5], to);
        }
        strbuf_addstr(&line, links ? "]}" : "}");
        lines[i] = xstrdup(line.buf);
    }
    put_all(s, lines, (size_t)count);
}

#define VIEWS_IN_RUN 20

static void add_view(struct random *r, struct strbuf *keys, int number)
{
    static const char *const shows_of[] = {"f", "r", "b", "b"};
    static const char *const moves[] = {"h", "j", "h", "k", "l", "l", "l", "h"};
    static const char *const opened[] = {
        "+", "+", "+", "-", "-", ":expand-used-by<Enter>", ":expand-sources<Enter>"};
    static const char *const kinds[] = {"raw", "belief", "belief", "note", "episode"};
    int focus = (int)random_below(r, 300);
    strbuf_addf(keys, ":%s:x%03d-0000<Enter>%s", kinds[focus % 5], focus,
                shows_of[random_below(r, 4)]);
    for (uint32_t i = random_below(r, 3); i > 0; i--)
        strbuf_addstr(keys, opened[random_below(r, 7)]);
    for (uint32_t i = 2 + random_below(r, 8); i > 0; i--)
        strbuf_addstr(keys, moves[random_below(r, 8)]);
    strbuf_addf(keys, "<shot:before-%d>%s<shot:after-%d>qq", number,
                random_chance(r, 75) ? "+" : opened[random_below(r, 7)], number);
}

TEST(test_expanding_keeps_the_cell_of_the_cursor)
{
    static const int styles[] = {CHART_AUTO, CHART_LR, CHART_TB, CHART_TB_BOX, CHART_LR_BOX};
    struct viewed *s = *state;
    struct random r = {7};
    int others = 0;
    put_random(s, &r, 300);
    for (int run = 0; run < RANDOM_ROUNDS(10); run++) {
        AUTO_STRBUF keys = STRBUF_INIT;
        s->script.config.graph_style = styles[run % 5];
        for (int i = 0; i < VIEWS_IN_RUN; i++)
            add_view(&r, &keys, i);
        script_run(&s->script, keys.buf);
        for (int i = 0; i < VIEWS_IN_RUN; i++) {
            char name[32];
            snprintf(name, sizeof(name), "before-%d", i);
            AUTO_FREE char *before = shot(s, name);
            snprintf(name, sizeof(name), "after-%d", i);
            AUTO_FREE char *after = shot(s, name);
            if (strcmp(strstr(before, "-- cursor"), strstr(after, "-- cursor")) != 0)
                fail_msg("the cursor moved:\n%s\n%s", before, after);
            others += strcmp(before, after) != 0;
        }
    }
    assert_true(others > RANDOM_ROUNDS(100)); /* most of them changed something */
}

/* ---- moving and exporting ---- */

/* The cursor's node is visible after any scrolling. */
TEST(test_the_view_follows_the_cursor)
{
    static const char *const pans[] = {"H",      "L",     "<C-d>", "<C-u>", "<PgDn>",
                                       "<PgUp>", "<C-l>", "j",     "l"};
    struct viewed *s = *state;
    struct random r = {3};
    put_random(s, &r, 60);
    s->script.columns = 90;
    s->script.rows = 18;
    s->script.config.preview = PREVIEW_OFF;
    for (int run = 0; run < RANDOM_ROUNDS(30); run++) {
        AUTO_STRBUF keys = STRBUF_INIT;
        strbuf_addf(&keys, ":belief:x%03d-0000<Enter>b", (int)random_below(&r, 12) * 5 + 1);
        for (int i = 0; i < 12; i++)
            strbuf_addstr(&keys, pans[random_below(&r, 9)]);
        const char *frame = script_run(&s->script, keys.buf);
        int column = 0, row = 0;
        assert_int_equal(sscanf(strstr(frame, "-- cursor"), "-- cursor %d,%d", &column, &row), 2);
        assert_true(column >= 1 && column <= 90 && row >= 2 && row <= 16);
        assert_non_null(strchr(frame, '>'));
    }
}

TEST(test_exports)
{
    struct viewed *s = *state;
    AUTO_STRBUF keys = STRBUF_INIT;
    AUTO_FREE char *path = scratch_path("drawn.dot");
    size_t len;
    put_family(s);
    strbuf_addf(&keys, FOCUS "b:export dot %s<Enter>", path);
    viewed_shows(s, keys.buf, "wrote the drawing for Graphviz (");
    char *text = scratch_read(path, &len);
    assert_non_null(strstr(text, "digraph"));
    assert_non_null(strstr(text, "goal:goal-001"));
    free(text);
    strbuf_clear(&keys);
    strbuf_addf(&keys, FOCUS "b:export json %s<Enter>", path);
    viewed_shows(s, keys.buf, "that file exists");
    strbuf_addstr(&keys, "y");
    viewed_shows(s, keys.buf, "wrote the drawing as JSON (");
    text = scratch_read(path, &len);
    assert_int_equal(text[0], '{');
    free(text);
    strbuf_clear(&keys);
    strbuf_addf(&keys, FOCUS "b:export text %s<Enter>", s->fixture.path);
    shows_not(s, keys.buf, "wrote");
    viewed_shows(s, FOCUS "b:export dot<Enter>", "give a file and a format");
}
