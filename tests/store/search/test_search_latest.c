/* What a search finds among the latest rows is what reading everything finds, in whatever order memories came and
 * whatever was written since. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/strbuf.h"
#include "store/search/search.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

#define NAMES 1500
#define BATCH 50
#define TAKEN 40

/* How times come, and how often (of 100) something else comes. */
struct stream {
    unsigned old, future, again, stubs, parts;
};

/* What the store should hold. */
static struct {
    bool there, first_agent;
    int64_t created_at, row;
    char text[64];
} held[NAMES];
static unsigned written;

static const char *const vocabulary[] = {"river",  "stone", "Rivers", "upriver", "milestone",
                                         "bridge", "ridge", "日本語", "a",       "of"};
#define WORDS (sizeof(vocabulary) / sizeof(*vocabulary))

/* The first ones are common. */
static const char *any_word(struct random *r, unsigned step)
{
    unsigned word = (unsigned)random_below(r, WORDS);
    return step % 3 ? vocabulary[7 + word % 3] : vocabulary[word];
}

static void make_text(struct random *r, unsigned parts, char *out, size_t size)
{
    out[0] = '\0';
    for (unsigned i = 0; i < 4; i++) {
        size_t len = strlen(out);
        const char *word = random_below(r, 100) < parts ? "upriverside" : any_word(r, written);
        snprintf(out + len, size - len, "%s%s", i ? random_below(r, 2) ? " " : "-" : "", word);
    }
}

static int64_t make_time(struct random *r, const struct stream *s)
{
    unsigned dice = (unsigned)random_below(r, 100);
    if (dice < s->old)
        return 1 + (int64_t)random_below(r, 1000 * (written + 1));
    if (dice < s->old + s->future)
        return 1000000 + (int64_t)random_below(r, 1000000);
    return 1000 * (int64_t)written + (int64_t)random_below(r, 2000); /* two in three in order */
}

static void write_one(struct random *r, const struct stream *s, struct strbuf *line)
{
    unsigned n = written;
    if (written && random_below(r, 100) < s->again)
        n = (unsigned)random_below(r, written);
    else
        written++;
    held[n].there = true;
    held[n].created_at = make_time(r, s);
    held[n].first_agent = random_below(r, 2) == 0;
    make_text(r, s->parts, held[n].text, sizeof(held[n].text));
    strbuf_addf(line,
                "{\"ref\":\"note:n%u\",\"text\":\"%s\",\"created_at\":%lld,\"agent_id\":\"%s\"", n,
                held[n].text, (long long)held[n].created_at, held[n].first_agent ? "a" : "b");
    /* One that is still to come has its row from now on. */
    if (random_below(r, 100) < s->stubs && written + 3 < NAMES)
        strbuf_addf(line, ",\"derived_from\":[\"note:n%u\"]",
                    written + (unsigned)random_below(r, 3));
    strbuf_addstr(line, "}");
}

static void write_batch(struct fixture *f, struct random *r, const struct stream *s)
{
    struct strbuf line[BATCH];
    const char *lines[BATCH];
    for (unsigned i = 0; i < BATCH; i++) {
        line[i] = (struct strbuf)STRBUF_INIT;
        write_one(r, s, &line[i]);
        lines[i] = line[i].buf;
    }
    fixture_put_lines(f, lines, BATCH);
    for (unsigned i = 0; i < BATCH; i++)
        strbuf_release(&line[i]);
    for (unsigned n = 0; n < written; n++) {
        char ref[32];
        snprintf(ref, sizeof(ref), "note:n%u", n);
        held[n].row = held[n].row ? held[n].row : fixture_row(f, ref);
    }
}

/* ---- reading everything ---- */

struct hit {
    int64_t created_at, row;
    bool exact;
};

static int compare_hits(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    if (x->exact != y->exact)
        return x->exact ? -1 : 1;
    if (x->created_at != y->created_at)
        return x->created_at > y->created_at ? -1 : 1;
    return (x->row < y->row) - (x->row > y->row);
}

static size_t read_all(const struct search_query *q, struct hit *hits)
{
    size_t count = 0;
    for (unsigned n = 0; n < written; n++) {
        struct hit *h = &hits[count];
        *h = (struct hit){held[n].created_at, held[n].row, false};
        bool asked = !q->agent || held[n].first_agent == (q->agent[0] == 'a');
        count += held[n].there && asked && search_matches(held[n].text, q->words, &h->exact);
    }
    qsort(hits, count, sizeof(*hits), compare_hits);
    return count;
}

struct found {
    struct hit hits[NAMES];
    size_t count, stop;
};

static int take(void *arg, int64_t node, bool exact)
{
    struct found *f = arg;
    f->hits[f->count++] = (struct hit){0, node, exact};
    return f->count == f->stop;
}

static size_t more_than_asked;

static void compare(struct fixture *f, const struct search_query *q, size_t stop, size_t limit)
{
    static struct hit wanted[NAMES];
    static struct found found;
    size_t all = read_all(q, wanted);
    struct error e;
    found.count = 0;
    found.stop = stop;
    assert_int_equal(search_run(f->reader, q, take, &found, &e), 0);
    assert_int_equal(found.count, all < stop ? all : stop);
    for (size_t i = 0; i < found.count; i++) {
        assert_int_equal(found.hits[i].row, wanted[i].row);
        assert_int_equal(found.hits[i].exact, wanted[i].exact);
    }
    (void)limit;
    more_than_asked += all > stop;
}

static void ask(struct fixture *f, struct random *r)
{
    static const char *const queries[] = {"river",     "stone",  "iver",    "bridge river",
                                          "ston mile", "日本語", "river a", "upriverside",
                                          "ridge",     "iversi", "nothing", "of stone"};
    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        struct search_query q = {.words = queries[i],
                                 .agent = random_below(r, 3) ? NULL : "a",
                                 .enough =
                                     random_below(r, 3) ? 1 + random_below(r, i % 2 ? 20 : 2) : 0};
        compare(f, &q, 1 + random_below(r, random_below(r, 2) ? 15 : 2 * NAMES),
                1 + random_below(r, TAKEN));
    }
}

static void the_latest_are_the_newest(void **state)
{
    static const struct stream streams[] = {
        {0, 0, 0, 0, 0},   /* as they come */
        {2, 1, 5, 3, 10},  /* a few are old, of the future, written anew, or come late */
        {2, 1, 5, 3, 90},  /* hardly any has a word whole */
        {60, 0, 10, 0, 5}, /* in no order */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
        struct fixture f;
        struct random r = {41 + i};
        memset(held, 0, sizeof(held));
        written = 0;
        fixture_open(&f);
        while (written + BATCH < NAMES) {
            write_batch(&f, &r, &streams[i]);
            ask(&f, &r);
        }
        fixture_close(&f);
    }
    assert_true(more_than_asked > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_latest_are_the_newest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
