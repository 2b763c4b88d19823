/* Groups of similar texts, against a comparison of each with each; and that the work is bounded. */
#include "model/base/alloc.h"
#include "model/similarity/texts.h"
#include "tests/support/test.h"

#define MOST 200000

static char *text[MOST];
static size_t count, reads, found;
static struct texts texts;
static uint8_t *is_pair; /* [count * count] what texts_conflicts found, or NULL */

static uint32_t dice(uint32_t below)
{
    static uint32_t state = 12345;
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

static int read_text(void *arg, size_t i, struct statement *out)
{
    reads++;
    statement_parse(out, text[i], strlen(text[i]));
    return 0;
}

static int go_on(void *arg, size_t band)
{
    (void)arg, (void)band;
    return 0;
}

static const struct text_reader reader = {read_text, go_on, NULL};

static int take_pair(void *arg, size_t a, size_t b)
{
    found++;
    if (is_pair)
        is_pair[a * count + b] = is_pair[b * count + a] = 1;
    return 0;
}

static void add(const char *format, ...)
{
    char line[400];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    text[count++] = xstrdup(line);
}

static void sign_all(void)
{
    struct statement s = STATEMENT_INIT;
    for (size_t i = 0; i < count; i++) {
        statement_parse(&s, text[i], strlen(text[i]));
        texts_add(&texts, (int64_t)i + 1, 0, &s);
    }
    statement_release(&s);
    assert_int_equal(texts.count, count);
}

static int teardown(void **state)
{
    while (count)
        free(text[--count]);
    texts_release(&texts);
    free(is_pair);
    is_pair = NULL;
    reads = found = 0;
    return 0;
}

/* ---- against each with each ---- */

/* Texts of common words; each third is an earlier one with a few words changed, another number, or denied. */
static void make_texts(size_t most)
{
    static const char *const words[] = {
        "deploy", "staging", "service", "cache",  "release", "review",  "the",     "of",
        "in",     "limit",   "billing", "report", "backup",  "Claire",  "cluster", "tests",
        "with",   "before",  "after",   "friday", "30",      "enabled", "weekly",  "database"};
    AUTO_STRBUF line = STRBUF_INIT;
    while (count < most) {
        strbuf_clear(&line);
        if (count > 10 && dice(3) == 0) {
            strbuf_addstr(&line, text[dice((uint32_t)count)]);
            char *at = strchr(line.buf + dice((uint32_t)line.len) / 2, ' ');
            if (at && dice(3) == 0)
                at[1] = (char)('a' + dice(26));
            if (dice(4) == 0)
                line.buf[0] = 'x';
            if (dice(2))
                strbuf_addstr(&line, " the");
            if (dice(4) == 0 && line.len < 300)
                strbuf_addstr(&line, dice(2) ? " never" : " 17");
        } else {
            for (uint32_t n = 4 + dice(14); n; n--)
                strbuf_addf(&line, "%s%s", words[dice(sizeof(words) / sizeof(*words))],
                            n > 1 ? " " : ".");
        }
        add("%s", line.buf);
    }
}

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* The groups of the texts that are not gone are those that a comparison of each with each makes. */
static size_t expect_groups(void)
{
    struct statement *s = xcalloc(count, sizeof(*s));
    AUTO_FREE uint32_t *parent = xcalloc(count, sizeof(*parent));
    size_t pairs = 0;
    for (uint32_t i = 0; i < count; i++) {
        s[i] = (struct statement)STATEMENT_INIT;
        statement_parse(&s[i], text[i], strlen(text[i]));
        parent[i] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++) {
            double similarity;
            if (!texts.text[i].gone && !texts.text[k].gone &&
                statements_repeat(&s[i], &s[k], &similarity)) {
                parent[find(parent, i)] = find(parent, k);
                pairs++;
            }
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if ((find(parent, i) == find(parent, k)) !=
                (texts_root(&texts, i) == texts_root(&texts, k)))
                fail_msg("%s\n%s", text[i], text[k]);
    for (size_t i = 0; i < count; i++) {
        assert_true(texts.text[texts_root(&texts, (uint32_t)i)].similarity >=
                    (float)SIMILAR_DUPLICATE);
        statement_release(&s[i]);
    }
    free(s);
    return pairs;
}

FIXTURE(NULL, teardown);

TEST(groups_equal_those_of_all_pairs)
{
    make_texts(700);
    sign_all();
    assert_int_equal(texts_group(&texts, &reader), 0);
    assert_true(expect_groups() > 50);
}

/* Rows are added, changed to something like another row's text, and removed. */
TEST(groups_follow_changes)
{
    struct statement s = STATEMENT_INIT;
    make_texts(300);
    sign_all();
    assert_int_equal(texts_group(&texts, &reader), 0);
    for (int i = 0; i < 600; i++) {
        int64_t row = 1 + dice(400);
        bool removed = dice(3) == 0;
        if (!removed) {
            make_texts(count + 1);
            statement_parse(&s, text[count - 1], strlen(text[count - 1]));
        }
        assert_int_equal(texts_change(&texts, &reader, row, 0, removed ? NULL : &s), 0);
        assert_int_equal(texts.count, count);
        if (i % 200 == 199)
            assert_true(expect_groups() > 10);
    }
    statement_release(&s);
}

TEST(conflicts_are_those_of_all_pairs)
{
    size_t all = 0, missing = 0;
    struct statement a = STATEMENT_INIT, b = STATEMENT_INIT;
    make_texts(500);
    sign_all();
    is_pair = xcalloc(count * count, 1);
    assert_int_equal(texts_group(&texts, &reader), 0);
    assert_int_equal(texts_skip_templates(&texts), 0);
    assert_int_equal(texts_conflicts(&texts, &reader, take_pair), 0);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            double similarity;
            enum difference how;
            struct span at;
            statement_parse(&a, text[i], strlen(text[i]));
            statement_parse(&b, text[k], strlen(text[k]));
            bool is = texts_root(&texts, (uint32_t)i) != texts_root(&texts, (uint32_t)k) &&
                      statements_conflict(&a, &b, &similarity, &how, &at, &at);
            all += is;
            missing += is && !is_pair[i * count + k];
            assert_true(is || !is_pair[i * count + k]);
        }
    assert_true(all > 20);
    assert_true(missing * 50 <= all);
    statement_release(&a);
    statement_release(&b);
}

TEST(signatures_estimate_the_similarity)
{
    double off = 0;
    struct statement a = STATEMENT_INIT, b = STATEMENT_INIT;
    make_texts(400);
    sign_all();
    for (size_t i = 1; i < count; i++) {
        statement_parse(&a, text[i], strlen(text[i]));
        statement_parse(&b, text[i / 2], strlen(text[i / 2]));
        double wrong = statement_similarity(&a, &b) -
                       signature_similarity(&texts.signature[i], &texts.signature[i / 2]);
        off += wrong * wrong;
    }
    assert_true(off / (double)count < 0.06 * 0.06);
    statement_release(&a);
    statement_release(&b);
}

/* ---- bounded work ---- */

TEST(equal_texts_are_one_group)
{
    for (size_t i = 0; i < 100000; i++)
        add(i % 2 ? "We deploy on Fridays, after a review."
                  : "we deploy on fridays after a REVIEW");
    sign_all();
    assert_int_equal(texts_group(&texts, &reader), 0);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(texts_root(&texts, i), 0);
    assert_true(reads <= 2 * count);
}

TEST(a_template_is_no_subject)
{
    for (int i = 0; i < 10000; i++)
        add("user %d logged in to the billing service", i);
    add("The rate limit of the service is 30 requests");
    add("The rate limit of the service is 60 requests");
    sign_all();
    assert_int_equal(texts_group(&texts, &reader), 0);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(texts_root(&texts, i), i);
    assert_int_equal(texts_skip_templates(&texts), 1);
    assert_int_equal(texts_conflicts(&texts, &reader, take_pair), 0);
    assert_true(found >= 1 && found <= SIGNATURE_BANDS);
}

/* Alike, but not enough: each text is compared in vain a few times and then no more. */
TEST(vain_comparisons_are_bounded)
{
    for (uint32_t i = 0; i < 5000; i++)
        add("the weekly report of the billing service was reviewed by the team %c%c%c%c%c "
            "%c%c%c%c%c "
            "%c%c%c%c",
            'a' + dice(26), 'a' + dice(26), 'a' + dice(26), 'a' + dice(26), 'a' + dice(26),
            'a' + dice(26), 'a' + dice(26), 'a' + dice(26), 'a' + dice(26), 'a' + dice(26),
            'a' + dice(26), 'a' + dice(26), 'a' + dice(26), 'a' + dice(26));
    sign_all();
    assert_int_equal(texts_group(&texts, &reader), 0);
    assert_true(reads <= (PAIRS_TRIED + 2) * count);
}
