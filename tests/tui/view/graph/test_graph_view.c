/*
 * Lineage as the explorer draws it: what opens, how it is walked, what is shown more and less of, and that nothing moves
 * by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "tui/chart/chart.h"
#include "tests/support/golden.h"
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

/* In one transaction, and frees them. */
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

/* What was drawn is the same in both, whatever is said around it: the rows between the first and the last three. */
static void same_drawing(const char *a, const char *b)
{
    a = strchr(a, '\n');
    b = strchr(b, '\n');
    for (int row = 0; row < 20; row++) {
        size_t len = strcspn(a + 1, "\n");
        if (strcspn(b + 1, "\n") != len || memcmp(a + 1, b + 1, len) != 0)
            fail_msg("row %d is another:\n%.*s\n%.*s", row + 2, (int)len, a + 1,
                     (int)strcspn(b + 1, "\n"), b + 1);
        a += len + 1;
        b += strcspn(b + 1, "\n") + 1;
    }
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

#define FOCUS  ":belief:focus-01<Enter>"
#define CIRCLE ":belief:circle-0<Enter>"

static void put_circle(struct viewed *s)
{
    for (int i = 0; i < 3; i++)
        put(s,
            "{\"ref\":\"belief:circle-%d\",\"text\":\"C%d\",\"derived_from\":[\"belief:circle-%d\"]"
            "}",
            i, i, (i + 1) % 3);
}

/* ---- opening ---- */

static void test_opens(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "f", "belief:focus-01 rests on");
    viewed_shows(s, FOCUS "f", "n \xe2\x80\x93 Stage first");
    shows_not(s, FOCUS "f", "No outage");
    viewed_shows(s, FOCUS "r", "belief:focus-01 carries");
    viewed_shows(s, FOCUS "r", "g \xe2\x97\x8f No outage");
    viewed_shows(s, FOCUS "b", "No outage");
    viewed_shows(s, FOCUS "b", "Skipped staging");
    viewed_shows(s, FOCUS "b", "rests on 17 \xc2\xb7 carries 1 \xc2\xb7 ");
    viewed_shows(s, FOCUS "b", "\xe2\x8b\xaf +");                 /* the raws beyond the first */
    viewed_shows(s, FOCUS "bq", "belief:focus-01");               /* back where it was */
    viewed_shows(s, ":carries note:no-0001<Enter>", "No outage"); /* by its name, with a ref */
    viewed_shows(s, FOCUS "f<Enter>q", "belief:focus-01 rests on");
}

/* What rests on nothing says where to look. */
static void test_source(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, ":raw:r05-0000<Enter>f", "it rests on nothing; r shows what it carries");
    viewed_shows(s, ":goal:goal-001<Enter>r", "it carries nothing; f shows what it rests on");
}

static void test_where_an_outline_stands(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    s->script.columns = 59;
    viewed_shows(s, FOCUS "f", "\xe2\x94\x9c\xe2\x94\x80 \xe2\x97\x8f episode:ep-0001");
    s->script.columns = 60;
    shows_not(s, FOCUS "f", "\xe2\x94\x9c\xe2\x94\x80 \xe2\x97\x8f episode:ep-0001");
    s->script.columns = 100;
    /* It comes and goes with the room, and the cursor stays on its memory. */
    viewed_shows(
        s, FOCUS "f/note:<Enter><shot:wide><size:59x30><shot:narrow><size:100x30><shot:again>",
        "n>");
    char *wide = shot(s, "wide"), *narrow = shot(s, "narrow"), *again = shot(s, "again");
    assert_non_null(strstr(narrow, "\xe2\x94\x80 \xe2\x80\x93 note:no-0001"));
    assert_non_null(strstr(narrow, "\n > "));
    same_drawing(wide, again);
    free(wide);
    free(narrow);
    free(again);
    setenv("TERM", "dumb", 1);
    viewed_shows(s, FOCUS "f", "\xe2\x94\x9c\xe2\x94\x80 \xe2\x97\x8f episode:ep-0001");
    setenv("TERM", "xterm-256color", 1);
    s->script.config.graph_style = CHART_OUTLINE;
    viewed_shows(s, FOCUS "f", "\xe2\x94\x9c\xe2\x94\x80 \xe2\x97\x8f episode:ep-0001");
}

static void test_too_large(void **state)
{
    struct viewed *s = *state;
    struct strbuf line = STRBUF_INIT, keys = STRBUF_INIT;
    char **lines = xcalloc(260, sizeof(*lines));
    for (int i = 0; i < 260; i++) { /* no two are alike, so none stand as one */
        char one[120];
        snprintf(
            one, sizeof(one),
            "{\"ref\":\"note:n%03d-000\",\"text\":\"N%d\",\"derived_from\":[\"raw:x%03d-00\"]}", i,
            i, i);
        lines[i] = xstrdup(one);
    }
    put_all(s, lines, 260);
    strbuf_addstr(&line, "{\"ref\":\"belief:wide-001\",\"text\":\"Wide\",\"derived_from\":[");
    for (int i = 0; i < 260; i++)
        strbuf_addf(&line, "%s\"note:n%03d-000\"", i ? "," : "", i);
    strbuf_addstr(&line, "]}");
    fixture_put(&s->fixture, line.buf, NULL);
    strbuf_addstr(&keys, ":belief:wide<Enter>f/more<Esc>/+2<Enter>");
    const char *frame = "";
    for (int i = 0; i < 24; i++) {
        strbuf_addstr(&keys, "+");
        if (i >= 16 && strstr(frame = script_run(&s->script, keys.buf), ", drawing"))
            break;
    }
    frame = viewed_shows(s, keys.buf, "\xe2\x94\x9c\xe2\x94\x80 ");
    assert_non_null(strstr(frame, "more than 200 in view: an outline; , draws it all the same"));
    assert_null(strstr(frame, "\n > \xe2\x97\x8f belief:wide-001")); /* it stands where it stood */
    char *beside = xstrdup(strstr(frame, "\n > "));
    beside[strcspn(beside + 1, "\n") + 1] = '\0';
    char *name = strstr(beside, " N");
    assert_non_null(name);
    name[1 + strcspn(name + 1, " ")] = '\0';
    strbuf_addstr(&keys, ",");
    frame = viewed_shows(s, keys.buf, " in view");
    char at[64];
    snprintf(at, sizeof(at), "n>\xe2\x97\x8b%s", name);
    assert_non_null(strstr(frame, at));
    strbuf_addstr(&keys, ",");
    viewed_shows(s, keys.buf, ", drawing");
    strbuf_addstr(&keys, ",");
    viewed_shows(s, keys.buf, at); /* at once: it was drawn already */
    strbuf_addstr(&keys, "-");
    frame = viewed_shows(s, keys.buf, " in view");
    assert_null(strstr(frame, at));
    free(beside);
    strbuf_release(&line);
    strbuf_release(&keys);
}

static void test_exchange(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "b,", ", drawing");
    viewed_shows(s, FOCUS "b,", "belief:focus-01 rests on  Never skip staging");
    viewed_shows(s, FOCUS "b,G", "belief:focus-01 carries  Never skip staging");
    viewed_shows(s, FOCUS "b/goal:<Enter>,", "> ");
    const char *frame = viewed_shows(s, FOCUS "b/goal:<Enter>,,", "g>");
    assert_null(strstr(frame, ", drawing"));
    viewed_shows(s, FOCUS "b,q", "belief:focus-01");
    /* The way chosen is remembered. */
    viewed_shows(s, FOCUS "booqf", ", drawing");
    viewed_shows(s, FOCUS "bolqf", "left rests on right");
    viewed_shows(s, FOCUS "botqf", "above rests on below");
    viewed_shows(s, FOCUS "boTqf", "\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80");
    viewed_shows(s, FOCUS "b:draw-as lr-box<Enter>", "left rests on right");
    viewed_shows(s, FOCUS "b:draw-as sideways<Enter>", "no way to draw called \"sideways\"");
    s->script.columns = 50; /* who asks for a drawing gets one */
    viewed_shows(s, FOCUS "f,", "b>\xe2\x97\x8f Never");
}

/* ---- walking ---- */

static void test_walks(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    s->script.config.graph_style = CHART_LR;
    viewed_shows(s, FOCUS "b<shot:at>l<shot:on>h<shot:back>h<shot:before>l<shot:again>", "b>");
    char *at = shot(s, "at"), *on = shot(s, "on"), *back = shot(s, "back");
    char *before = shot(s, "before"), *again = shot(s, "again");
    assert_non_null(strstr(at, "b>\xe2\x97\x8f Never"));
    assert_null(strstr(on, "b>\xe2\x97\x8f Never"));
    same_drawing(at, back);
    assert_non_null(strstr(before, "g>\xe2\x97\x8f No outage"));
    same_drawing(at, again);
    free(at);
    free(on);
    free(back);
    free(before);
    free(again);
    viewed_shows(s, FOCUS "bhh", "it carries nothing further");
    viewed_shows(s, FOCUS "bG", "r>");
    viewed_shows(s, FOCUS "bGg", "b>\xe2\x97\x8f Never");
}

static void test_edges(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "b<Tab>", "edge 1 of ");
    viewed_shows(s, FOCUS "b<S-Tab>", ": carries goal:goal-001 \xc2\xb7 all are needed");
    viewed_shows(s, FOCUS "b/Stage<Enter><Tab>", "edge 1 of 2: carries ");
    /* The arrow goes along the edge that was chosen. */
    s->script.config.graph_style = CHART_LR;
    viewed_shows(s, FOCUS "f<Tab><shot:one>l<shot:gone>", ">");
    char *one = shot(s, "one"), *gone = shot(s, "gone");
    assert_null(strstr(gone, "b>\xe2\x97\x8f Never"));
    free(one);
    free(gone);
    viewed_shows(s, ":raw:r05-0000<Enter>f<Tab>", "it has no edge here");
}

/* ---- more and less ---- */

static void test_more(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    const char *keys = FOCUS "f/+1<Enter><shot:first><Enter><shot:more>-<shot:less>";
    viewed_shows(s, keys, ">");
    char *first = shot(s, "first"), *more = shot(s, "more"), *less = shot(s, "less");
    assert_string_not_equal(first, more);
    same_drawing(first, less);
    assert_string_equal(strstr(first, "-- cursor"), strstr(more, "-- cursor"));
    free(first);
    free(more);
    free(less);
    /* The way on from there opens it, too. */
    s->script.config.graph_style = CHART_LR;
    viewed_shows(s, FOCUS "f/+10 raw<Enter>l", "r>\xe2\x97\x8f Captured 10");
    s->script.config.graph_style = CHART_AUTO;
    viewed_shows(s, FOCUS "f++", "all that it rests on and carries is in view");
    viewed_shows(s, FOCUS "f-", "this is what all of it is about");
    viewed_shows(s, FOCUS "f/Stage<Enter>-", "nothing hangs on it here");
    viewed_shows(s, FOCUS "f/episode<Enter>+", ">");
    viewed_shows(s, FOCUS "f/Stage<Enter>+", "No outage"); /* it carries that too */
    shows_not(s, FOCUS "f/Stage<Enter>+-", "No outage");
    viewed_shows(s, FOCUS "f/Stage<Enter><lt>", "No outage");
    viewed_shows(s, FOCUS "f/Stage<Enter>>", "all that it rests on is in view");
}

static void test_hides_what_lies_beyond(void **state)
{
    struct viewed *s = *state;
    for (int i = 0; i < 4; i++)
        put(s,
            "{\"ref\":\"belief:deep-%d\",\"text\":\"Deep %d\",\"derived_from\":[\"belief:deep-%d\","
            "\"raw:deep-%d\"]}",
            i, i, i + 1, i);
    viewed_shows(s, ":belief:deep-0<Enter>f", "Deep 2");
    shows_not(s, ":belief:deep-0<Enter>f/Deep 1<Enter>-", "\xe2\x97\x8b Deep 2");
    viewed_shows(s, ":belief:deep-0<Enter>f/Deep 1<Enter>-+", "Deep 2");
}

static void test_apart(void **state)
{
    struct viewed *s = *state;
    for (int i = 0; i < 4; i++)
        put(s, "{\"ref\":\"raw:twin-%d\",\"text\":\"Twin %d\"}", i, i);
    put(s, "{\"ref\":\"belief:other-01\",\"text\":\"O\",\"derived_from\":[\"raw:twin-0\",\"raw:"
           "twin-1\","
           "\"raw:twin-2\",\"raw:twin-3\"]}");
    put(s, "{\"ref\":\"belief:twins-1\",\"text\":\"T\",\"derived_from\":[\"belief:other-01\","
           "\"raw:twin-0\",\"raw:twin-1\","
           "\"raw:twin-2\",\"raw:twin-3\"]}");
    viewed_shows(s, ":belief:twins-1<Enter>f", "4 raw");
    viewed_shows(s, ":belief:twins-1<Enter>f/4 raw<Enter>",
                 "4 raw with the same before and after them");
    viewed_shows(s, ":belief:twins-1<Enter>f/4 raw<Enter><Enter>", "Twin 3");
    shows_not(s, ":belief:twins-1<Enter>f/4 raw<Enter><Enter>", "4 raw");
    viewed_shows(s, ":belief:twins-1<Enter>f/4 raw<Enter><Enter>-", "4 raw");
    viewed_shows(s, ":belief:twins-1<Enter>f/4 raw<Enter>#", "Twin 3");
    viewed_shows(s, ":belief:twins-1<Enter>f/4 raw<Enter>#", "4 raw  ");
}

static void test_chain(void **state)
{
    struct viewed *s = *state;
    put(s, "{\"ref\":\"belief:ver-00000\",\"text\":\"Version 0\",\"created_at\":1}");
    for (int i = 1; i < 9; i++)
        put(s,
            "{\"ref\":\"belief:ver-0000%d\",\"text\":\"Version %d\",\"created_at\":%d,"
            "\"supersedes\":\"belief:ver-0000%d\",\"derived_from\":[\"belief:ver-0000%d\"]}",
            i, i, i + 1, i - 1, i - 1);
    const char *frame = viewed_shows(s, ":belief:ver-00008<Enter>f", "\xe2\x8b\xae ");
    assert_null(strstr(frame, "Version 4"));
    viewed_shows(s, ":belief:ver-00008<Enter>f/7 beliefs<Enter>", "in a row, each with one before");
    viewed_shows(s, ":belief:ver-00008<Enter>f/7 beliefs<Enter><Enter>",
                 "b>\xe2\x97\x8f Version 7");
    viewed_shows(s, ":belief:ver-00008<Enter>f/7 beliefs<Enter><Enter>-", "\xe2\x8b\xae>");
}

static void test_list(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    const char *frame =
        viewed_shows(s, FOCUS "f/\xe2\x8b\xaf<Enter>#", "belief:focus-01 rests on raw");
    assert_non_null(strstr(frame, " 15\n"));
    viewed_shows(s, FOCUS "f/\xe2\x8b\xaf<Enter>#\\Captured 11<Enter>", "1 of 15");
    viewed_shows(s, FOCUS "f/\xe2\x8b\xaf<Enter>#o", "the order is that of the drawing");
    viewed_shows(s, FOCUS "f#", "this is one memory");
}

/*
 * Whatever is opened or closed, the cursor stays in its cell, and so does what it is on: on graphs with circles, of
 * all kinds, from anywhere.
 */
static void put_random(struct viewed *s, struct random *r, int count)
{
    static const char *const kinds[] = {"raw", "belief", "belief", "note", "episode"};
    char **lines = xcalloc((size_t)count, sizeof(*lines));
    for (int i = 0; i < count; i++) {
        struct strbuf line = STRBUF_INIT;
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
        strbuf_release(&line);
    }
    put_all(s, lines, (size_t)count);
}

#define VIEWS_IN_RUN 20

static void add_view(struct random *r, struct strbuf *keys, int number)
{
    static const char *const shows_of[] = {"f", "r", "b", "b"};
    static const char *const moves[] = {"h", "j", "h", "k", "l", "l", "l", "h"};
    static const char *const opened[] = {"+", "+", "+", "-", "-", "<lt>", ">"};
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

static void test_keeps_the_cell(void **state)
{
    static const int styles[] = {CHART_AUTO, CHART_LR, CHART_TB, CHART_TB_BOX, CHART_LR_BOX};
    struct viewed *s = *state;
    struct random r = {7};
    int others = 0;
    put_random(s, &r, 300);
    for (int run = 0; run < 10; run++) {
        struct strbuf keys = STRBUF_INIT;
        s->script.config.graph_style = styles[run % 5];
        for (int i = 0; i < VIEWS_IN_RUN; i++)
            add_view(&r, &keys, i);
        script_run(&s->script, keys.buf);
        for (int i = 0; i < VIEWS_IN_RUN; i++) {
            char name[32];
            snprintf(name, sizeof(name), "before-%d", i);
            char *before = shot(s, name);
            snprintf(name, sizeof(name), "after-%d", i);
            char *after = shot(s, name);
            if (strcmp(strstr(before, "-- cursor"), strstr(after, "-- cursor")) != 0)
                fail_msg("the cursor moved:\n%s\n%s", before, after);
            others += strcmp(before, after) != 0;
            free(before);
            free(after);
        }
        strbuf_release(&keys);
    }
    assert_true(others > 100); /* most of them did open or close something */
}

/* ---- what lies over it ---- */

static void test_shade(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "b/Stage<Enter>W",
                 "without note:no-0001, 1 would fall and 1 be weakened");
    const char *frame = viewed_shows(s, FOCUS "b/Stage<Enter>W", "n>\xc3\x97");
    assert_non_null(strstr(frame, "g \xe2\x97\x8b No outage")); /* it needs both */
    assert_non_null(strstr(frame, "b \xe2\x97\x90 Never skip"));
    assert_non_null(strstr(frame, "without note:no-0001: \xe2\x97\x8b 1 falls"));
    viewed_shows(s, FOCUS "b/Stage<Enter>Wg", "b>\xe2\x97\x90 Never skip"); /* it stays */
    shows_not(s, FOCUS "b/Stage<Enter>W<Esc><Esc>", "1 falls");             /* the search first */
    shows_not(s, FOCUS "b/Stage<Enter>WW", "1 falls");
    viewed_shows(s, FOCUS "b/Stage<Enter>w", "would fall"); /* what if has its own view */
    /* What falls and is not in the drawing is said to be elsewhere. */
    put(s, "{\"ref\":\"belief:alone-01\",\"text\":\"Alone\",\"derived_from\":[\"note:no-0001\"]}");
    viewed_shows(s, FOCUS "b/Stage<Enter>W", "2 fall, 1 in view");
    viewed_shows(s, ":note:no-0001<Enter>fW", "2 fall, none in view");
}

static void test_dots(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "b<shot:at>Z<shot:small>Z<shot:again>", "Never skip");
    char *at = shot(s, "at"), *small = shot(s, "small"), *again = shot(s, "again");
    assert_null(strstr(small, "Skipped staging\xe2\x94"));
    assert_non_null(strstr(
        small, " b \xe2\x97\x8f Never skip staging")); /* the one under the cursor is named */
    same_drawing(at, again);
    free(at);
    free(small);
    free(again);
    viewed_shows(s, FOCUS "bZl", "r \xe2\x97\x8f ");
    /* What is opened in it, and taken back. */
    viewed_shows(s, FOCUS "b/+1<Enter><shot:at><Enter>Z<shot:small>-<shot:less>Z<shot:again>",
                 "raw");
    at = shot(s, "at");
    small = shot(s, "small");
    char *less = shot(s, "less");
    assert_string_equal(strstr(small, "-- cursor"), strstr(less, "-- cursor"));
    assert_string_not_equal(small, less);
    free(at);
    free(small);
    free(less);
}

static void test_search(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "b/staging<Enter>", "2 matches for \"staging\"");
    viewed_shows(s, FOCUS "b/staging<Enter>n", "match 2 of 2");
    viewed_shows(s, FOCUS "b/staging<Enter>nn", "match 1 of 2, from the top again");
    viewed_shows(s, FOCUS "b/ep-0001<Enter>", "e>\xe2\x97\x8f Skipped"); /* by the ref as well */
    viewed_shows(s, FOCUS "b/nowhere<Enter>", "nothing here matches");
}

static void test_legend(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    put_circle(s);
    viewed_shows(s, FOCUS "b", "needs all of them");
    viewed_shows(s, FOCUS "bK", "\xe2\x94\x82 kinds");
    shows_not(s, FOCUS "bKK", "needs all of them");
    viewed_shows(s, FOCUS "bKKK", "needs all of them");
    shows_not(s, FOCUS "bK<Esc>", "\xe2\x94\x82 kinds");
    viewed_shows(s, CIRCLE "f",
                 "circle: belief:circle-0 \xe2\x86\x92 belief:circle-1 \xe2\x86\x92 "
                 "belief:circle-2 \xe2\x86\x92 itself");
    viewed_shows(s, CIRCLE "f", "1 circle");
    put(s, "{\"ref\":\"belief:beside-1\",\"text\":\"B\",\"derived_from\":[\"belief:circle-1\"]}");
    viewed_shows(s, ":belief:beside-1<Enter>f",
                 "circle: belief:circle-1 \xe2\x86\x92 belief:circle-2");
    viewed_shows(s, FOCUS "b?# lists all", "a drawn lineage");
}

static void test_ghost(void **state)
{
    struct viewed *s = *state;
    put(s, "{\"ref\":\"belief:haunted1\",\"text\":\"H\",\"derived_from\":[\"raw:absent-99\"]}");
    viewed_shows(s, ":belief:haunted<Enter>f", "r ?absent-9");
    viewed_shows(s, ":belief:haunted<Enter>f/absent<Enter>", "r>?absent-9");
}

/* ---- news, and other moments ---- */

static void write_another(struct script *script, const char *name)
{
    static int number = 10000001;
    struct viewed *s = (struct viewed *)script;
    if (!strcmp(name, "before"))
        put(s,
            "{\"ref\":\"value:newer-%d\",\"text\":\"Newer\",\"derived_from\":[\"belief:focus-"
            "01\"]}",
            number++);
    if (!strcmp(name, "elsewhere"))
        put(s, "{\"ref\":\"value:other-%d\",\"text\":\"Other\"}", number++);
}

static void test_news(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    s->script.at_shot = write_another;
    viewed_shows(s, FOCUS "b<shot:elsewhere><C-l><shot:still>", "in view");
    shows_not(s, FOCUS "b<shot:elsewhere><C-l>", "press R");
    viewed_shows(s, FOCUS "b<shot:before><C-l><shot:after>R<shot:read>", "Newer");
    char *before = shot(s, "before"), *after = shot(s, "after"), *read = shot(s, "read");
    assert_non_null(strstr(after, "1 new, press R"));
    same_drawing(before, after);
    assert_null(strstr(read, "press R"));
    assert_string_equal(strstr(before, "-- cursor"), strstr(read, "-- cursor"));
    free(before);
    free(after);
    free(read);
    /* From below another view, and in the outline that stands for it. */
    shows_not(s, FOCUS "b<Enter><shot:elsewhere>q", "press R");
    viewed_shows(s, FOCUS "r<Enter><shot:before>q", "press R");
    viewed_shows(s, FOCUS "b,<shot:before><C-l>,", "1 new, press R");
    s->script.at_shot = NULL;
}

/* What is done here is seen at once, in its place. */
static void test_own_deeds(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "b/Stage<Enter><Esc><shot:before>d<Enter>y<shot:after><C-l>",
                 "n>\xc3\x97");
    char *before = shot(s, "before"), *after = shot(s, "after");
    assert_null(strstr(after, "press R"));
    assert_non_null(strstr(before, "g \xe2\x97\x8f No outage"));
    assert_non_null(strstr(after, "g \xe2\x97\x8b No outage"));
    assert_string_equal(strstr(before, "-- cursor"), strstr(after, "-- cursor"));
    free(before);
    free(after);
}

static void test_as_of(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    int64_t then = 19; /* events: all of the family */
    char keys[200];
    put(s,
        "{\"ref\":\"value:later-01\",\"text\":\"Later\",\"derived_from\":[\"belief:focus-01\"]}");
    viewed_shows(s, FOCUS "b", "Later");
    snprintf(keys, sizeof(keys), FOCUS "b:asof @%lld<Enter>", (long long)then);
    shows_not(s, keys, "Later");
    viewed_shows(s, keys, "No outage");
    snprintf(keys, sizeof(keys), FOCUS "b:asof @%lld<Enter>:asof now<Enter>", (long long)then);
    viewed_shows(s, keys, "Later");
}

/* ---- acting ---- */

static void test_acts(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    viewed_shows(s, FOCUS "b<Space>", "1 marked");
    viewed_shows(s, FOCUS "b<Space>", "b>\xe2\x97\x8f*Never");
    viewed_shows(s, FOCUS "b<Space>l<Space>", "2 marked");
    viewed_shows(s, FOCUS "ba", "act on belief:focus-01");
    viewed_shows(s, FOCUS "be", "Never skip staging");
    viewed_shows(s, FOCUS "bI", "belief:focus-01 \xe2\x80\xba history");
    viewed_shows(s, FOCUS "by", "graphviz");
    viewed_shows(s, FOCUS "byd", "copied the drawing (");
    viewed_shows(s, FOCUS "byi", "copied the ref (");
    viewed_shows(s, FOCUS "bmalll'a", "b>");
    viewed_shows(s, FOCUS "bq[", "in view");
    viewed_shows(s, FOCUS "bv", "does not apply in this view");
}

static void test_pointer(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    const char *frame = script_run(&s->script, FOCUS "b");
    const char *at = strstr(frame, "Stage first"), *line = frame;
    char keys[200];
    int row = 1, column = 1;
    for (const char *c = frame; c < at; c++)
        if (*c == '\n') {
            row++;
            line = c + 1;
        }
    for (const char *c = line; c < at; c++)
        column += (*c & 0xc0) != 0x80;
    snprintf(keys, sizeof(keys), FOCUS "b<click:%d,%d>", column, row);
    viewed_shows(s, keys, "n>");
    snprintf(keys, sizeof(keys), FOCUS "b<click:%d,%d><click:%d,%d>", column, row, column, row);
    viewed_shows(s, keys, "ref          note:no-0001");
    script_run(&s->script, FOCUS "b<click:1,3><wheeldown:5,5><wheelup:5,5>");
}

/* The cursor's node is on the screen, wherever it was panned to. */
static void test_pans(void **state)
{
    static const char *const pans[] = {"H",      "L", "<C-d>", "<C-u>", "<PgDn>",
                                       "<PgUp>", ".", "j",     "l"};
    struct viewed *s = *state;
    struct random r = {3};
    put_random(s, &r, 60);
    s->script.columns = 70;
    s->script.rows = 18;
    s->script.config.preview = PREVIEW_OFF;
    for (int run = 0; run < 30; run++) {
        struct strbuf keys = STRBUF_INIT;
        strbuf_addf(&keys, ":belief:x%03d-0000<Enter>b", (int)random_below(&r, 12) * 5 + 1);
        for (int i = 0; i < 12; i++)
            strbuf_addstr(&keys, pans[random_below(&r, 9)]);
        const char *frame = script_run(&s->script, keys.buf);
        int column = 0, row = 0;
        assert_int_equal(sscanf(strstr(frame, "-- cursor"), "-- cursor %d,%d", &column, &row), 2);
        assert_true(column >= 1 && column <= 70 && row >= 2 && row <= 16);
        assert_non_null(strchr(frame, '>'));
        strbuf_release(&keys);
    }
}

static void test_exports(void **state)
{
    struct viewed *s = *state;
    struct strbuf keys = STRBUF_INIT;
    char *path = scratch_path("drawn.dot");
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
    viewed_shows(s, keys.buf, "that file is there already");
    strbuf_addstr(&keys, "y");
    viewed_shows(s, keys.buf, "wrote the drawing as JSON (");
    text = scratch_read(path, &len);
    assert_int_equal(text[0], '{');
    free(text);
    strbuf_clear(&keys);
    strbuf_addf(&keys, FOCUS "b:export text %s<Enter>", s->fixture.path);
    shows_not(s, keys.buf, "wrote");
    viewed_shows(s, FOCUS "b:export nothing<Enter>", "it takes a form and a file");
    strbuf_release(&keys);
    free(path);
}

/* ---- whatever is in it ---- */

static void test_hostile(void **state)
{
    struct viewed *s = *state;
    script_put_hostile(s->fixture.store, 11);
    script_put_wide(s->fixture.store);
    static const char *const views[] = {"0Gf",     "0Gr",    "0Gb",    "0jjjb",  "0jjjbol",
                                        "0jjjboT", "0jjjbZ", "0jjjbW", "0jjjbK", "0jjjb<Tab>"};
    for (int ascii = 0; ascii < 2; ascii++) {
        s->script.config.ascii = ascii ? ASCII_YES : ASCII_NO;
        for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
            for (const char *c = script_run(&s->script, views[i]); *c; c++)
                assert_true(*c == '\n' || (!ascii && (unsigned char)*c >= 0x80) ||
                            (*c >= ' ' && *c < 0x7f));
    }
    s->script.config.ascii = ASCII_AUTO;
}

/* Nothing is told by colour alone: without any the cells are the same. */
static void test_mono(void **state)
{
    struct viewed *s = *state;
    static const char *const views[] = {FOCUS "b", FOCUS "b<Tab>", FOCUS "bW", FOCUS "bZ"};
    put_family(s);
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        char *coloured = strdup(script_run(&s->script, views[i]));
        s->script.no_colour = true;
        assert_string_equal(script_run(&s->script, views[i]), coloured);
        s->script.no_colour = false;
        free(coloured);
    }
}

/* Any size at any time. */
static void test_sizes(void **state)
{
    struct viewed *s = *state;
    put_family(s);
    put_circle(s);
    script_run(&s->script,
               FOCUS "b<size:1x1>jl<size:200x50>l<size:60x4>hjkl+<size:61x5>Z<size:7x90>"
                     "<size:80x24>W<size:300x100>K<size:20x3>,<size:90x20>,");
    script_run(&s->script, CIRCLE "b<size:60x1><size:60x2>l<size:60x3><Tab><size:59x3><size:60x3>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, viewed_close)
        TEST(test_opens),          TEST(test_source),    TEST(test_where_an_outline_stands),
        TEST(test_too_large),      TEST(test_exchange),  TEST(test_walks),
        TEST(test_edges),          TEST(test_more),      TEST(test_hides_what_lies_beyond),
        TEST(test_apart),          TEST(test_chain),     TEST(test_list),
        TEST(test_keeps_the_cell), TEST(test_shade),     TEST(test_dots),
        TEST(test_search),         TEST(test_legend),    TEST(test_ghost),
        TEST(test_news),           TEST(test_own_deeds), TEST(test_as_of),
        TEST(test_acts),           TEST(test_pointer),   TEST(test_pans),
        TEST(test_exports),        TEST(test_hostile),   TEST(test_mono),
        TEST(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
