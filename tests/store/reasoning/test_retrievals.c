/* The log of retrievals: groups, pages and timelines, compared with plain scans. */
#include "model/base/strbuf.h"
#include "store/ops/operation.h"
#include "store/reasoning/retrievals.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define MANY 300

static struct fixture f;
static struct error e;

static const struct logged {
    const char *type, *uri; /* NULL if none */
} kinds[] = {{"web", "https://a.example"},
             {"web", "https://b.example"},
             {"search", "a query"},
             {"user", NULL},
             {"search", NULL},
             {NULL, "https://a.example"},
             {"web", "\xe2\x80\xaeliar\n"}};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static struct made {
    size_t kind, agent;
    int64_t at, node;
} made[MANY];

static const char *const agents[] = {"ash", "claire"};

static void add_member(struct strbuf *out, const char *name, const char *value)
{
    AUTO_STRBUF quoted = STRBUF_INIT;
    if (!value)
        return;
    for (const char *c = value; *c; c++)
        if (*c == '\n')
            strbuf_addstr(&quoted, "\\n");
        else
            strbuf_addch(&quoted, *c);
    strbuf_addf(out, "\"%s\":\"%s\",", name, quoted.buf);
}

static int setup(void **state)
{
    uint64_t seed = 3;
    fixture_open(&f);
    for (size_t i = 0; i < MANY; i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        made[i] = (struct made){(seed >> 33) % KINDS, (seed >> 43) % 2,
                                FIXTURE_NOW - (int64_t)((seed >> 50) % 40) * 1000, 0};
        strbuf_addf(&line,
                    "{\"ref\":\"attribution:%zu\",\"text\":\"t\",\"agent_id\":\"%s\",\"detail\":{",
                    i, agents[made[i].agent]);
        add_member(&line, "source_type", kinds[made[i].kind].type);
        add_member(&line, "source_uri", kinds[made[i].kind].uri);
        strbuf_addf(&line, "\"retrieval_timestamp\":%lld}}", (long long)made[i].at);
        fixture_put(&f, line.buf, NULL);
        char ref[40];
        snprintf(ref, sizeof(ref), "attribution:%zu", i);
        made[i].node = fixture_row(&f, ref);
    }
    return 0;
}

static int teardown(void **state)
{
    fixture_close(&f);
    return 0;
}

static const char *name_of(const struct made *m, enum retrieval_group by)
{
    return by == RETRIEVALS_BY_TYPE  ? kinds[m->kind].type
           : by == RETRIEVALS_BY_URI ? kinds[m->kind].uri
                                     : agents[m->agent];
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_in(const struct made *m, enum retrieval_group by, const char *name,
                  const char *agent)
{
    return m->node && same(name_of(m, by), name) && (!agent || same(agents[m->agent], agent));
}

static void check_group(const struct retrievals *g, enum retrieval_group by, const char *agent)
{
    int64_t count = 0, first = INT64_MAX, last = INT64_MIN, counts[7], expected[7] = {0};
    for (size_t i = 0; i < MANY; i++)
        if (is_in(&made[i], by, g->name, agent)) {
            count++;
            first = made[i].at < first ? made[i].at : first;
            last = made[i].at > last ? made[i].at : last;
        }
    assert_int_equal(g->count, count);
    assert_int_equal(g->first, first);
    assert_int_equal(g->last, last);
    assert_int_equal(g->suspect, 0);
    for (size_t i = 0; i < MANY; i++)
        if (is_in(&made[i], by, g->name, agent))
            expected[(made[i].at - first) * 7 / (last - first + 1)]++;
    assert_int_equal(retrievals_timeline(f.reader, by, g->name, agent, first, last, 7, counts, &e),
                     0);
    assert_memory_equal(counts, expected, sizeof(counts));
}

/* Newest first, and as many as requested. */
static void check_pages(const struct retrievals *g, enum retrieval_group by, const char *agent)
{
    struct retrieval *page, last = {INT64_MAX, INT64_MAX};
    size_t count;
    assert_int_equal(retrievals_of(f.reader, &f.arena, by, g->name, agent, 7, &page, &count, &e),
                     0);
    assert_int_equal(count, g->count < 7 ? g->count : 7);
    assert_int_equal(retrievals_of(f.reader, &f.arena, by, g->name, agent, MANY, &page, &count, &e),
                     0);
    assert_int_equal(count, g->count);
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        assert_true(page[i].at < last.at || (page[i].at == last.at && page[i].node < last.node));
        last = page[i];
        for (size_t k = 0; k < MANY; k++)
            known |= made[k].node == last.node && made[k].at == last.at &&
                     is_in(&made[k], by, g->name, agent);
        assert_true(known);
    }
}

static void check_all(void)
{
    for (int by = 0; by < RETRIEVALS_GROUPS; by++)
        for (int who = 0; who < 3; who++) {
            const char *agent = who < 2 ? agents[who] : NULL;
            struct retrievals *g;
            size_t count, there = 0;
            int64_t sum = 0;
            assert_int_equal(retrievals_grouped(f.reader, &f.arena, (enum retrieval_group)by, agent,
                                                &g, &count, &e),
                             0);
            for (size_t i = 0; i < count; i++) {
                assert_true(i == 0 || g[i].last <= g[i - 1].last);
                check_group(&g[i], (enum retrieval_group)by, agent);
                check_pages(&g[i], (enum retrieval_group)by, agent);
                sum += g[i].count;
            }
            for (size_t i = 0; i < MANY; i++)
                there += made[i].node && (!agent || same(agents[made[i].agent], agent));
            assert_int_equal(sum, there);
        }
}

FIXTURE(setup, teardown);

TEST(groups_pages_and_timelines_match_a_scan)
{
    check_all();
}

TEST(forgotten_attributions_leave_their_groups)
{
    static const struct actor sean = {.class = ACTOR_PERSON, .name = "sean", .origin = "test"};
    int64_t nodes[20];
    struct plan p;
    for (size_t i = 0; i < 20; i++) {
        nodes[i] = made[i * 3].node;
        made[i * 3].node = 0;
    }
    struct request q = REQUEST_INIT;
    q.nodes = nodes;
    q.node_count = 20;
    if (operation_run_now(f.store, &sean, OPERATION_FORGET, &q, &f.arena, &p, &e))
        fail_msg("%s", e.what);
    check_all();
}

FIXTURE(NULL, NULL);

/* Times since the start of the web are plausible; times in seconds and future times are suspect. */
TEST(only_seconds_and_future_times_are_suspect)
{
    static const char *const times[] = {"99999999999", "100000000000", "946684799999",
                                        "4100000000000"};
    struct fixture few;
    struct retrievals *g;
    size_t count;
    fixture_open(&few);
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_addf(&line,
                    "{\"ref\":\"attribution:%zu\",\"text\":\"t\",\"detail\":{\"source_type\":"
                    "\"web\",\"retrieval_timestamp\":%s}}",
                    i, times[i]);
        fixture_put(&few, line.buf, NULL);
    }
    assert_int_equal(
        retrievals_grouped(few.reader, &few.arena, RETRIEVALS_BY_TYPE, NULL, &g, &count, &e), 0);
    assert_int_equal(count, 1);
    assert_int_equal(g->count, 4);
    assert_int_equal(g->suspect, 2);
    assert_int_equal(g->first, 100000000000);
    assert_int_equal(g->last, 946684799999);
    fixture_close(&few);
}
