/* Citations in a text: their names, locations and positions. */
#include "model/reasoning/citation.h"
#include "model/base/utf8.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

static struct arena arena = ARENA_INIT;
static struct cited *found;
static size_t found_count;

static int teardown(void **state)
{
    arena_release(&arena);
    return 0;
}

static void find(const char *text)
{
    citations_in_text(text, &arena, &found, &found_count);
}

static void expect_cited(const struct cited *c, const char *name, int64_t page, const char *section)
{
    assert_string_equal(c->name, name);
    assert_int_equal(c->page, page);
    if (section)
        assert_string_equal(c->section, section);
    else
        assert_null(c->section);
}

GROUP(NULL, teardown);

TEST(the_example_of_the_specification_is_found)
{
    find("Revenue was \xe2\x82\xac"
         "5.2M (source: Q3_Report.pdf, p.12). Costs \xf0\x9f\x8e\x89 (source: Report.pdf)");
    assert_int_equal(found_count, 2);
    expect_cited(&found[0], "Q3_Report.pdf", 12, NULL);
    assert_int_equal(found[0].at, 18);
    assert_int_equal(found[0].len, 29);
    expect_cited(&found[1], "Report.pdf", 0, NULL);
    assert_int_equal(found[1].at, 57);
    assert_int_equal(found[1].len, 20);
}

static const struct {
    const char *text, *name;
    int64_t page;
    const char *section;
} cases[] = {
    {"(source: R.pdf, p.12)", "R.pdf", 12, NULL},
    {"(source: R.pdf, p12)", "R.pdf", 12, NULL},
    {"(source: R.pdf, page 12)", "R.pdf", 12, NULL},
    {"(SOURCE: R.pdf, PAGE 12)", "R.pdf", 12, NULL},
    {"(Source:R.pdf,P.12)", "R.pdf", 12, NULL},
    {"(source: R.pdf, p. 12)", "R.pdf", 12, NULL},
    {"(source:\xc2\xa0R.pdf\xe3\x80\x80,\np.\xc2\xa0"
     "12 )",
     "R.pdf", 12, NULL},
    {"(source: R.pdf, p.012)", "R.pdf", 12, NULL},
    {"(source: R.pdf, p.0)", "R.pdf", 0, NULL},
    {"(source: R.pdf, Section Executive Summary)", "R.pdf", 0, "Section Executive Summary"},
    {"(source: R.pdf, section 4.2)", "R.pdf", 0, "section 4.2"},
    {"(source: R.pdf, Section Risks, and others)", "R.pdf", 0, "Section Risks, and others"},
    {"(source: R.pdf, Section \"A\", \xe2\x80\x98"
     "B\xe2\x80\x99)",
     "R.pdf", 0,
     "Section \"A\", \xe2\x80\x98"
     "B\xe2\x80\x99"},
    {"(source: M.xlsx, Sheet 'S', Cell B15)", "M.xlsx", 0, "Sheet 'S', Cell B15"},
    {"(source: M.xlsx, SHEET 'P&L', CELL b15)", "M.xlsx", 0, "SHEET 'P&L', CELL b15"},
    {"(source: M.xlsx, Sheet 'Q3, new', Cell B15:$C$20)", "M.xlsx", 0,
     "Sheet 'Q3, new', Cell B15:$C$20"},
    {"(source: M.xlsx, Sheet Summary, Cell B15)", "M.xlsx", 0, "Sheet Summary, Cell B15"},
    {"(source: M.xlsx, Sheet 'S')", "M.xlsx", 0, "Sheet 'S'"},
    {"(source: M.xlsx, Cell AB3)", "M.xlsx", 0, "Cell AB3"},
    {"(source: Smith, Jones.pdf, p.3)", "Smith, Jones.pdf", 3, NULL},
    {"(source: A, B, C)", "A, B, C", 0, NULL},
    {"(source: A, p.1, p.2)", "A, p.1", 2, NULL}, /* the last location counts */
    {"(source: R.pdf, page 5, Chapter 1)", "R.pdf", 5, "Chapter 1"},
    {"(source: R.pdf, p.5, Section Intro, continued)", "R.pdf", 5, "Section Intro, continued"},
    {"(source: R.pdf, Section Intro, p.5)", "R.pdf", 5, "Section Intro"},
    {"(source: R.pdf, Section Intro, p.5, foot)", "R.pdf", 5, "Section Intro, p.5, foot"},
    {"(source: R.pdf, pp. 12-14)", "R.pdf", 12, "pp. 12-14"},
    {"(source: R.pdf, pages 12 \xe2\x80\x93 14, foot)", "R.pdf", 12,
     "pages 12 \xe2\x80\x93 14, foot"},
    /* no locations */
    {"(source: p.3)", "p.3", 0, NULL},
    {"(source: Section 4)", "Section 4", 0, NULL},
    {"(source: R, Section)", "R, Section", 0, NULL},
    {"(source: R, Sectional)", "R, Sectional", 0, NULL},
    {"(source: R, p)", "R, p", 0, NULL},
    {"(source: R, p.)", "R, p.", 0, NULL},
    {"(source: R, p.x)", "R, p.x", 0, NULL},
    {"(source: R, p12.pdf)", "R, p12.pdf", 0, NULL},
    {"(source: R, p.12-)", "R, p.12-", 0, NULL},
    {"(source: R, p.12-x)", "R, p.12-x", 0, NULL},
    {"(source: R, p.-3)", "R, p.-3", 0, NULL},
    {"(source: R, p.99999999999999999999)", "R, p.99999999999999999999", 0, NULL},
    {"(source: R, Cell biology)", "R, Cell biology", 0, NULL},
    {"(source: R, Cell 12)", "R, Cell 12", 0, NULL},
    {"(source: R, Sheet metal)", "R, Sheet metal", 0, NULL},
    {"(source: R, 12)", "R, 12", 0, NULL},
    {"(source: R,)", "R,", 0, NULL},
    /* parentheses */
    {"(source: R (final).pdf, p.3)", "R (final).pdf", 3, NULL},
    {"(source: R ((a)(b)), p.3) (x)", "R ((a)(b))", 3, NULL},
    {"(see (source: R))", "R", 0, NULL},
    {"(source: lost (source: R, p.3) and more)", "R", 3, NULL},
    {"(source: R :( x, p.3) and more", "R :( x", 3, NULL},
    {"(source: R (v2.pdf, p.3) and (more) of it", "R (v2.pdf", 3, NULL},
    {"((source: R, p.3", NULL, 0, NULL},
    {"(source: )", NULL, 0, NULL},
    {"(source:)", NULL, 0, NULL},
    {"(source:\xc2\xa0)", NULL, 0, NULL},
    {"(source: , p.3)", NULL, 0, NULL},
    {"source: R, p.3)", NULL, 0, NULL},
    {"(sources: R, p.3)", NULL, 0, NULL},
    {"(source R, p.3)", NULL, 0, NULL},
    {"(source:", NULL, 0, NULL},
    {"(", NULL, 0, NULL},
    {"", NULL, 0, NULL},
    /* invalid bytes are repaired */
    {"(source: R\xff.pdf, p.3)", "R\xef\xbf\xbd.pdf", 3, NULL},
    {"(source: R, Section \xff)", "R", 0, "Section \xef\xbf\xbd"},
};

TEST(a_citation_is_a_name_and_a_location)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        find(cases[i].text);
        assert_int_equal(found_count, cases[i].name != NULL);
        if (found_count)
            expect_cited(found, cases[i].name, cases[i].page, cases[i].section);
    }
}

TEST(positions_count_code_points)
{
    find("\xff\xf0\x9f\x8e\x89(source: \xc3\xa9\xff)\xe2\x82(source: b)");
    assert_int_equal(found_count, 2);
    assert_int_equal(found[0].at, 2); /* an invalid byte counts as one */
    assert_int_equal(found[0].len, 12);
    assert_int_equal(found[1].at, 16);
    assert_int_equal(found[1].len, 11);
}

/* ---- generated citations ---- */

struct made {
    const char *name;
    int64_t page;
    const char *section;
    size_t at, len;
};

static const char *pick(struct random *r, const char *const *words, size_t count)
{
    return words[random_below(r, (uint32_t)count)];
}
#define PICK(r, words) pick(r, words, sizeof(words) / sizeof(*words))

static void make_name(struct random *r, struct strbuf *out)
{
    static const char *const words[] = {
        "Report",   "Q3 (final)", "Smith, Jones", "\xc3\xa9t\xc3\xa9", "\xe5\xb9\xb4\xe5\xa0\xb1",
        "p12.pdf",  "((x)y)",     "a:b",          "\xf0\x9f\x8c\x8d",  "'quoted', too",
        "Sectional"};
    for (uint32_t i = 0, count = 1 + random_below(r, 3); i < count; i++)
        strbuf_addf(out, "%s%s", i ? (random_chance(r, 50) ? ", " : " ") : "", PICK(r, words));
}

static void make_location(struct random *r, struct strbuf *out, struct made *m)
{
    static const char *const pages[] = {"p.", "p", "page ", "P.", "Page ", "PAGE\xc2\xa0"};
    static const char *const sections[] = {
        "Section Summary",         "section 4.2",  "SECTION A, B", "Sheet 'S', Cell B15",
        "sheet 'a, b', cell $C$9", "Section (x) y"};
    uint32_t kind = random_below(r, 4);
    if (kind & 1) {
        m->page = 1 + random_below(r, 500);
        strbuf_addf(out, ",%s%s%lld", random_chance(r, 80) ? " " : "", PICK(r, pages),
                    (long long)m->page);
    }
    if (kind == 2 || (kind == 3 && random_chance(r, 50))) {
        m->section = PICK(r, sections);
        if (kind == 3 && strncasecmp(m->section, "sheet", 5) == 0)
            m->section = sections[0];
        strbuf_addf(out, ", %s", m->section);
    }
}

static void make_citation(struct random *r, struct strbuf *text, struct made *m)
{
    static const char *const opens[] = {"(source: ", "(source:", "(Source:\xc2\xa0", "(SOURCE:\n"};
    AUTO_STRBUF name = STRBUF_INIT;
    size_t from = text->len;
    *m = (struct made){.at = utf8_count(text->buf)};
    make_name(r, &name);
    strbuf_addstr(text, PICK(r, opens));
    strbuf_addstr(text, name.buf);
    make_location(r, text, m);
    strbuf_addstr(text, random_chance(r, 20) ? " )" : ")");
    m->name = arena_strdup(&arena, name.buf);
    m->len = utf8_count(text->buf + from);
}

static void make_between(struct random *r, struct strbuf *text)
{
    static const char *const words[] = {"Revenue was \xe2\x82\xac",
                                        " (see above)",
                                        ", p.4 ",
                                        ")",
                                        "(sources: none)",
                                        "source : x",
                                        "\n\n",
                                        "\xf0\x9f\x8e\x89",
                                        "(("};
    for (uint32_t i = 0, count = random_below(r, 5); i < count; i++)
        strbuf_addstr(text, PICK(r, words));
    if (random_chance(r, 20))
        strbuf_addstr(text, "(source: lost, p.3 "); /* the next one begins before it is closed */
}

TEST(generated_citations_are_found)
{
    struct random r = {11};
    for (int round = 0; round < 3000; round++) {
        struct made made[6];
        AUTO_STRBUF text = STRBUF_INIT;
        size_t count = random_below(&r, 6);
        for (size_t i = 0; i < count; i++) {
            make_between(&r, &text);
            make_citation(&r, &text, &made[i]);
        }
        find(text.buf);
        assert_int_equal(found_count, count);
        for (size_t i = 0; i < count; i++) {
            expect_cited(&found[i], made[i].name, made[i].page, made[i].section);
            assert_int_equal(found[i].at, made[i].at);
            assert_int_equal(found[i].len, made[i].len);
        }
        arena_clear(&arena);
    }
}

/* The closing parenthesis, by a slow search. */
static size_t closing_of(const char *text, size_t from)
{
    for (size_t end = from; text[end]; end++) {
        long level = 1;
        if (strncmp(text + end, "(source:", 8) == 0)
            break;
        for (size_t i = from; i <= end; i++)
            level += (text[i] == '(') - (text[i] == ')');
        if (level == 0)
            return end;
    }
    for (size_t end = from; text[end]; end++) {
        if (strncmp(text + end, "(source:", 8) == 0)
            break;
        if (text[end] == ')')
            return end;
    }
    return SIZE_MAX;
}

TEST(each_citation_ends_at_its_closing_parenthesis)
{
    static const char *const words[] = {"(source:", "(", ")", "x", "(source", "source:"};
    struct random r = {12};
    for (int round = 0; round < 5000; round++) {
        AUTO_STRBUF text = STRBUF_INIT;
        size_t seen = 0;
        for (uint32_t i = 0, count = random_below(&r, 16); i < count; i++)
            strbuf_addstr(&text, PICK(&r, words));
        find(text.buf);
        for (size_t at = 0; at < text.len; at++) {
            size_t end = strncmp(text.buf + at, "(source:", 8) == 0 ? closing_of(text.buf, at + 8)
                                                                    : SIZE_MAX;
            if (end == SIZE_MAX || end == at + 8)
                continue;
            assert_true(seen < found_count);
            assert_int_equal(found[seen].at, at);
            assert_int_equal(found[seen].len, end + 1 - at);
            seen++;
        }
        assert_int_equal(seen, found_count);
        arena_clear(&arena);
    }
}

/* Would take days if the text were scanned repeatedly. */
TEST(hostile_text_takes_linear_time)
{
    static const char *const pieces[] = {"(source: ",  "(source: a)",  "(",
                                         ")",          ", p.1x",       ", Section",
                                         ", Sheet 'x", "(source: a, ", ", Cell B1"};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
        for (int closed = 0; closed < 2; closed++) {
            AUTO_STRBUF text = STRBUF_INIT;
            strbuf_addstr(&text, "(source: first");
            while (text.len < 1000000)
                strbuf_addstr(&text, pieces[i]);
            strbuf_addstr(&text, closed ? ")" : ", Cell C2");
            find(text.buf);
            arena_clear(&arena);
        }
}
