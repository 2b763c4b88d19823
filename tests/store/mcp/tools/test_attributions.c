/* The log of attributions, by its specification. */
#include "store/fsck/fsck.h"
#include "store/journal/journal.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

#define LOG "log_source_attribution"
#define GET "get_source_attributions"

/* ---- reading ---- */

static void log_at(struct fixture *f, const char *agent, const char *type, int64_t at,
                   const char *uri)
{
    AUTO_STRBUF arguments = STRBUF_INIT;
    strbuf_addf(&arguments,
                "{\"agent_id\":\"%s\",\"source_type\":\"%s\",\"retrieval_timestamp\":%lld,"
                "\"source_uri\":\"%s\"}",
                agent, type, (long long)at, uri);
    tool_answer(f, LOG, arguments.buf);
}

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(pages_are_of_the_same_order)
{
    struct fixture *f = *state;
    for (int i = 0; i < 130; i++)
        log_at(f, "a", i % 2 ? "web" : "db", 1000 + i / 10, "u");
    const char *got = tool_answer(f, GET, "{\"agent_id\":\"a\"}");
    assert_int_equal(answer_count(got, "attributions"), 100);
    assert_int_equal(answer_number(got, "total"), 130);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"limit\":0}");
    assert_int_equal(answer_count(got, "attributions"), 0);
    assert_int_equal(answer_number(got, "total"), 130);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"limit\":1000,\"offset\":120}");
    assert_int_equal(answer_count(got, "attributions"), 10);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"offset\":130}");
    assert_int_equal(answer_count(got, "attributions"), 0);
    assert_int_equal(answer_number(got, "total"), 130);
    got = tool_answer(f, GET, "{\"agent_id\":\"a\",\"source_type\":\"web\",\"limit\":7.0}");
    assert_int_equal(answer_count(got, "attributions"), 7);
    assert_int_equal(answer_number(got, "total"), 65);
    /* Reading one by one gives the same as reading all at once. */
    const char *all = tool_answer(f, GET, "{\"agent_id\":\"a\",\"limit\":130}");
    for (int i = 0; i < 130; i += 13) {
        char arguments[96], path[64];
        snprintf(arguments, sizeof(arguments), "{\"agent_id\":\"a\",\"limit\":1,\"offset\":%d}", i);
        snprintf(path, sizeof(path), "attributions.%d.attribution_id", i);
        assert_string_equal(
            answer_text(f, tool_answer(f, GET, arguments), "attributions.0.attribution_id"),
            answer_text(f, all, path));
    }
}

/* ---- the table ---- */

static void count_finding(void *arg, const struct fsck_finding *finding)
{
    struct strbuf *all = arg;
    strbuf_addf(all, "%s\n", finding->what);
}

static const char *findings(struct fixture *f)
{
    AUTO_STRBUF all = STRBUF_INIT;
    struct fsck_summary summary;
    struct error e;
    assert_int_equal(store_fsck(f->reader, count_finding, NULL, &all, &summary, &e), 0);
    return arena_strdup(&f->arena, all.buf);
}

TEST(fsck_looks_at_the_table)
{
    struct fixture *f = *state;
    log_at(f, "a", "web", 300, "1");
    fixture_put(f, "{\"ref\":\"raw:r\",\"text\":\"t\"}", NULL);
    assert_string_equal(findings(f), "");
    fixture_sql(f, "UPDATE attribution SET type = 'other'");
    assert_non_null(strstr(findings(f), "its place in the log of attributions"));
    fixture_sql(f, "UPDATE attribution SET type = 'web'; UPDATE attribution SET at = 1");
    assert_non_null(strstr(findings(f), "its place in the log of attributions"));
    fixture_sql(f, "UPDATE attribution SET at = 300;"
                   "INSERT INTO attribution VALUES (2, 1, NULL, 5)");
    assert_non_null(strstr(findings(f), "an entry of the log of attributions"));
}
