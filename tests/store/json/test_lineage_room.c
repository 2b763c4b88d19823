/* A lineage in less room than it needs, compared with the whole: it has the nearest nodes and
 * exact counts of the rest. */
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/json/answer.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define CLOSES 300 /* bytes by which an answer may exceed its limit */

static struct fixture f;

static int tear_down(void **state)
{
    fixture_close(&f);
    return 0;
}

static void put(const char *ref, const char *text, const char *rests_on)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "{\"ref\":\"%s\",\"text\":\"%s\",\"derived_from\":[%s]}", ref, text,
                rests_on);
    fixture_put(&f, line.buf, NULL);
}

static void put_number(const char *kind, int i, const char *text, const char *rests_on)
{
    char ref[64];
    snprintf(ref, sizeof(ref), "%s:n%d", kind, i);
    put(ref, text, rests_on);
}

/* One source that supports ten notes. Each note supports two beliefs, and some beliefs form circles. */
static int set_up(void **state)
{
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"raw:root\",\"text\":\"a source\"}", NULL);
    for (int i = 0; i < 10; i++) {
        char first[64], both[160];
        put_number("note", i, "a note with \\\"quotes\\\" in it", "\"raw:root\"");
        snprintf(first, sizeof(first), "\"note:n%d\"", i);
        put_number("belief", 2 * i, "what follows", first);
        snprintf(both, sizeof(both), "\"note:n%d\",\"belief:n%d\",\"belief:n%d\",\"raw:root\"", i,
                 2 * i, 2 * i + 1);
        put_number("belief", 2 * i + 1, "and this", both);
    }
    for (int i = 0; i < 3; i++) {
        char back[64];
        snprintf(back, sizeof(back), "\"note:n%d\",\"belief:n%d\"", i, 2 * i + 1);
        put_number("belief", 2 * i, "what follows, and goes round", back);
    }
    return 0;
}

static void ask_page(int64_t row, enum direction direction, uint32_t depth, size_t offset,
                     size_t most, struct strbuf *out)
{
    struct error e;
    strbuf_clear(out);
    const struct lineage_part part = {
        .direction = direction, .depth = depth, .offset = offset, .most = most};
    if (answer_lineage(f.reader, row, &part, out, NULL, &e))
        fail_msg("%s", e.what);
    assert_int_equal(json_check(out->buf, out->len, JSON_DEPTH_MAX, &e), 0);
}

static void ask(int64_t row, enum direction direction, uint32_t depth, size_t most,
                struct strbuf *out)
{
    ask_page(row, direction, depth, 0, most, out);
}

static struct json_slice member(const struct strbuf *answer, const char *name)
{
    return json_member(answer->buf, answer->len, name);
}

static int64_t number(const struct strbuf *answer, const char *name)
{
    int64_t value = 0;
    struct json_slice slice = member(answer, name);
    assert_true(!slice.ptr || json_integer(slice, &value) == 0);
    return value;
}

static size_t count(struct json_slice list)
{
    size_t n = 0;
    for (struct json_each it = json_each(list); json_next(&it);)
        n++;
    return n;
}

static bool same(struct json_slice a, struct json_slice b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static bool is_told(struct json_slice nodes, struct json_slice ref)
{
    for (struct json_each it = json_each(nodes); json_next(&it);)
        if (same(json_member(it.value.ptr, it.value.len, "ref"), ref))
            return true;
    return false;
}

/* How many links of the answer have both ends among the nodes. */
static size_t count_links(const struct strbuf *answer, struct json_slice nodes)
{
    size_t told = 0;
    for (struct json_each it = json_each(member(answer, "links")); json_next(&it);) {
        bool from = is_told(nodes, json_member(it.value.ptr, it.value.len, "from"));
        struct json_each to = json_each(json_member(it.value.ptr, it.value.len, "to"));
        while (json_next(&to))
            told += from && is_told(nodes, to.value);
    }
    return told;
}

/* The links must be those of the whole lineage between returned nodes. */
static void check_links(const struct strbuf *whole, const struct strbuf *part)
{
    struct json_slice nodes = member(part, "nodes");
    size_t all = 0;
    for (struct json_each it = json_each(member(part, "links")); json_next(&it);)
        all += count(json_member(it.value.ptr, it.value.len, "to"));
    assert_int_equal(count_links(part, nodes), all);
    assert_int_equal(count_links(whole, nodes), all);
}

/* The same node, whose text may be cut. */
static bool same_node(struct json_slice part, struct json_slice whole)
{
    static const char dots[] = "…\"";
    struct json_slice a = json_member(part.ptr, part.len, "text");
    struct json_slice b = json_member(whole.ptr, whole.len, "text");
    size_t kept = a.len - (sizeof(dots) - 1);
    if (same(part, whole))
        return true;
    return a.len > sizeof(dots) && memcmp(a.ptr + kept, dots, sizeof(dots) - 1) == 0 &&
           kept < b.len && memcmp(a.ptr, b.ptr, kept) == 0 &&
           same(json_member(part.ptr, part.len, "ref"), json_member(whole.ptr, whole.len, "ref")) &&
           same(json_member(part.ptr, part.len, "depth"),
                json_member(whole.ptr, whole.len, "depth"));
}

static void check_part(const struct strbuf *whole, const struct strbuf *part)
{
    struct json_each all = json_each(member(whole, "nodes"));
    for (struct json_each it = json_each(member(part, "nodes")); json_next(&it);) {
        assert_true(json_next(&all));
        assert_true(same_node(it.value, all.value));
    }
    size_t nodes = count(member(whole, "nodes")), told = count(member(part, "nodes"));
    assert_int_equal(number(part, "nodes_more"), nodes - told);
    assert_int_equal(member(part, "nodes_more").ptr != NULL, told < nodes);
    assert_int_equal(number(part, "cut"), number(whole, "cut") + (int64_t)(nodes - told));
    assert_int_equal(count(member(part, "cycles")) + (size_t)number(part, "cycles_more"),
                     count(member(whole, "cycles")));
    check_links(whole, part);
}

/* More room never gives fewer nodes. Enough room gives the whole. */
static void check_all_rooms(const char *ref, enum direction direction, uint32_t depth)
{
    AUTO_STRBUF whole = STRBUF_INIT, part = STRBUF_INIT;
    int64_t row = fixture_row(&f, ref);
    size_t before = 0;
    ask(row, direction, depth, 0, &whole);
    for (size_t most = 1; most <= whole.len; most += most + 100 < whole.len ? 17 : 1) {
        ask(row, direction, depth, most, &part);
        assert_true(part.len <= most + CLOSES);
        check_part(&whole, &part);
        assert_true(count(member(&part, "nodes")) >= before);
        before = count(member(&part, "nodes"));
    }
    ask(row, direction, depth, 8 * whole.len, &part);
    assert_int_equal(number(&part, "nodes_more") + number(&part, "cycles_more"), 0);
    check_part(&whole, &part);
}

static size_t count_ends(const struct strbuf *answer)
{
    size_t ends = 0;
    for (struct json_each it = json_each(member(answer, "links")); json_next(&it);)
        ends += count(json_member(it.value.ptr, it.value.len, "to"));
    return ends;
}

/* The pages of a lineage have each node once, in order, and each link once. */
static void check_pages(const char *ref, enum direction direction, uint32_t depth, size_t most)
{
    AUTO_STRBUF whole = STRBUF_INIT, page = STRBUF_INIT;
    int64_t row = fixture_row(&f, ref);
    size_t offset = 0, ends = 0, nodes;
    ask(row, direction, depth, 0, &whole);
    nodes = count(member(&whole, "nodes"));
    struct json_each all = json_each(member(&whole, "nodes"));
    for (bool more = true; more;) {
        ask_page(row, direction, depth, offset, most, &page);
        assert_true(page.len <= most + CLOSES || count(member(&page, "nodes")) == 1);
        for (struct json_each it = json_each(member(&page, "nodes")); json_next(&it); offset++) {
            assert_true(json_next(&all));
            assert_true(same_node(it.value, all.value));
        }
        ends += count_ends(&page);
        more = member(&page, "next").ptr != NULL;
        assert_true(!more || number(&page, "next") == (int64_t)offset);
        assert_int_equal(number(&page, "nodes_more"), nodes - offset);
    }
    assert_int_equal(offset, nodes);
    assert_int_equal(ends, count_ends(&whole));
    ask_page(row, direction, depth, nodes + 7, most, &page);
    assert_int_equal(count(member(&page, "nodes")) + count(member(&page, "links")), 0);
}

FIXTURE(set_up, tear_down);

TEST(pages_have_each_node_and_link_once)
{
    for (size_t most = 1; most < 6000; most += most / 2 + 150) {
        check_pages("raw:root", DESCENDANTS, 20, most);
        check_pages("raw:root", DESCENDANTS, 1, most);
        check_pages("belief:n1", ANCESTORS, 20, most);
    }
}

/* A lineage of few memories has 8,000 bytes: each is there, and each text as far as 160 characters. */
TEST(a_small_lineage_is_whole)
{
    AUTO_STRBUF out = STRBUF_INIT;
    char text[401], source[64] = "";
    memset(text, 't', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (int i = 0; i < 50; i++) {
        put_number("note", 100 + i, text, source);
        snprintf(source, sizeof(source), "\"note:n%d\"", 100 + i);
    }
    for (int i = 2; i <= 50; i++) {
        char ref[40];
        snprintf(ref, sizeof(ref), "note:n%d", 99 + i);
        ask(fixture_row(&f, ref), ANCESTORS, 60, 40000, &out);
        assert_true(out.len <= 8000);
        assert_int_equal(count(member(&out, "nodes")), i);
        assert_true(out.len > (i > 29 ? 7800 : 250 * (size_t)i));
        assert_null(member(&out, "todo").ptr);
    }
}

TEST(dependants_are_returned_up_to_the_limit)
{
    check_all_rooms("raw:root", DESCENDANTS, 20);
    check_all_rooms("raw:root", DESCENDANTS, 1);
}

TEST(antecedents_are_returned_up_to_the_limit)
{
    char all[600] = "";
    for (int i = 0; i < 20; i++)
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s\"belief:n%d\"", i ? "," : "", i);
    put("note:all", "it is based on all of them", all);
    check_all_rooms("note:all", ANCESTORS, 20);
    check_all_rooms("note:all", ANCESTORS, 1);
    check_all_rooms("belief:n1", ANCESTORS, 20);
}

/* An outline reads what it shows and the next step: not the thousand that lie deeper, on either side. */
TEST(an_outline_reads_what_it_shows)
{
    enum {
        DEEP = 1000
    };
    static char lines[DEEP][120];
    const char *line[DEEP];
    AUTO_STRBUF out = STRBUF_INIT;
    struct error e;
    for (int i = 0; i < DEEP; i++) {
        char before[40] = "";
        if (i)
            snprintf(before, sizeof(before), ",\"note:d%d\"", i - 1);
        snprintf(lines[i], sizeof(lines[i]),
                 "{\"ref\":\"note:d%d\",\"text\":\"t\",\"derived_from\":[\"raw:root\"%s]}", i,
                 before);
        line[i] = lines[i];
    }
    fixture_put_lines(&f, line, DEEP);
    for (int side = ANCESTORS; side <= DESCENDANTS; side++) {
        const struct lineage_part part = {
            .direction = (enum direction)side, .depth = 2, .lines = 50, .most = 8000};
        int64_t row = fixture_row(&f, "note:d500");
        strbuf_clear(&out);
        reader_limit(f.reader, 3000);
        if (answer_outline(f.reader, row, &part, &out, NULL, &e))
            fail_msg("%s", e.what);
        reader_limit(f.reader, 0);
        const char *last = side == ANCESTORS ? "note:d498 [supported, effective 0.8"
                                             : "note:d502 [supported, effective 0.8";
        assert_non_null(strstr(out.buf, last));
        assert_non_null(strstr(out.buf, "(1+ deeper)"));
        assert_null(strstr(out.buf, side == ANCESTORS ? "note:d497" : "note:d503"));
    }
}
