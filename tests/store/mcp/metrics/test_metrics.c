/*
 * Counters of calls as Prometheus text and as JSON: every kind of call, too many names, names that must stay hidden,
 * and that counting allocates no memory.
 */
#include "model/base/alloc.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"

#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/mcp/tools/service.h"
#include "store/mcp/metrics/metrics.h"
#include "tests/support/test.h"

static char *written(const struct metrics *m)
{
    struct strbuf out = STRBUF_INIT;
    metrics_write(m, NULL, &out);
    return strbuf_detach(&out, NULL);
}

static void add(struct metrics *m, const char *tool, const char *name, enum error_code outcome,
                int64_t took_us)
{
    metrics_add(m, &(struct metrics_call){.name = tool,
                                          .is_tool = true,
                                          .namespace_ = name,
                                          .outcome = outcome,
                                          .denied = outcome == ERROR_REFUSED ? DENIAL_NAMESPACE
                                                                             : DENIAL_NONE,
                                          .took_us = took_us,
                                          .times = 1});
}

TEST(calls_are_counted_by_tool_namespace_and_outcome)
{
    struct metrics *m = metrics_new(7, 1700000000000);
    add(m, "listMemory", "public.info", ERROR_NONE, 250);
    add(m, "listMemory", "public.info", ERROR_NONE, 250);
    add(m, "putMemory", "public.info", ERROR_REFUSED, 20);
    add(m, "putMemory", "session.a", ERROR_PII, 40);
    add(m, "putMemory", "session.a", ERROR_INVALID, 40);
    add(m, "putMemory", "session.a", ERROR_USAGE, 40); /* has the same name */
    add(m, "putMemory", "session.a", ERROR_INTERRUPTED, 40);
    add(m, "getContext", NULL, ERROR_NONE, 1500000);
    add(m, "memory_get", NULL, ERROR_NOT_FOUND, 3);
    metrics_add(
        m, &(struct metrics_call){
               .name = "memory_get", .is_tool = true, .redactions = 3, .took_us = -1, .times = 2});
    metrics_add(m, &(struct metrics_call){.name = "resources/read", .took_us = 5, .times = 1});
    metrics_http(m, 403);
    m->sessions = 2;
    AUTO_FREE char *text = written(m);
    static const char *const lines[] = {
        "# TYPE memory_tool_requests_total counter\n",
        "memory_tool_requests_total{tool_name=\"listMemory\",namespace=\"public.info\",status="
        "\"success\"} 2\n",
        "memory_tool_requests_total{tool_name=\"putMemory\",namespace=\"public.info\",status="
        "\"PERMISSION_DENIED\"} 1\n",
        "memory_tool_requests_total{tool_name=\"putMemory\",namespace=\"session.a\",status=\"PII_"
        "DETECTED\"} 1\n",
        "memory_tool_requests_total{tool_name=\"putMemory\",namespace=\"session.a\",status="
        "\"INVALID_REQUEST\"} 2\n",
        "memory_tool_requests_total{tool_name=\"putMemory\",namespace=\"session.a\",status="
        "\"cancelled\"} 1\n",
        "memory_tool_requests_total{tool_name=\"getContext\",namespace=\"\",status=\"success\"} "
        "1\n",
        "memory_tool_requests_total{tool_name=\"memory_get\",namespace=\"\",status=\"NOT_FOUND\"} "
        "1\n",
        "# TYPE memory_tool_latency_seconds summary\n",
        "memory_tool_latency_seconds{tool_name=\"listMemory\",quantile=\"0.5\"} 0.000255\n",
        "memory_tool_latency_seconds_sum{tool_name=\"listMemory\"} 0.000500\n",
        "memory_tool_latency_seconds_count{tool_name=\"listMemory\"} 2\n",
        "memory_tool_latency_seconds{tool_name=\"getContext\",quantile=\"0.99\"} 1.572863\n",
        "memory_tool_latency_seconds_count{tool_name=\"memory_get\"} 1\n",
        "memory_tool_permission_denies_total{tool_name=\"putMemory\",reason=\"namespace\"} 1\n",
        "memory_tool_pii_redactions_total{tool_name=\"memory_get\"} 3\n",
        "stemma_requests_total{method=\"resources/read\",status=\"success\"} 1\n",
        "stemma_http_responses_total{code=\"403\"} 1\n",
        "stemma_sessions 2\n",
        "stemma_start_time_seconds 1700000000\n",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
        assert_has(text, lines[i]);
    metrics_free(m);
}

/* Checks that each metric occurs once with the same labels, and that its lines are together. */
static void check_text(const char *text)
{
    char *copy = strdup(text), *lines[4096], *rest = copy;
    size_t count = 0;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line && *line != '#') {
            char *value = strrchr(line, ' ');
            assert_non_null(value);
            assert_true(strspn(value + 1, "0123456789.") == strlen(value + 1));
            *value = '\0';
            assert_true(count < 4096);
            for (size_t i = 0; i < count; i++)
                assert_string_not_equal(lines[i], line);
            lines[count++] = line;
        }
    assert_true(count > 0);
    free(copy);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

TEST(hundred_namespaces_have_their_own_row)
{
    struct metrics *m = metrics_new(1, 1);
    char name[40];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 1000; i++) {
            snprintf(name, sizeof(name), "session.n%d", i);
            add(m, "getMemory", name, ERROR_NONE, 1);
        }
    add(m, "getMemory", "other", ERROR_NONE, 1); /* a namespace named "other" */
    AUTO_FREE char *text = written(m);
    check_text(text);
    assert_int_equal(count_of(text, "namespace=\"session.n"), 100);
    assert_has(text, "namespace=\"other\",status=\"success\"} 1801\n");
    assert_has(text, "namespace=\"session.n0\",status=\"success\"} 2\n");
    metrics_free(m);
}

TEST(invalid_names_have_no_row)
{
    struct metrics *m = metrics_new(1, 1);
    char name[NAMESPACE_MAX + 20];
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof(name), "not valid \n%d\"", i);
        add(m, "getMemory", name, ERROR_INVALID, 1);
    }
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    add(m, "getMemory", name, ERROR_INVALID, 1);
    AUTO_FREE char *text = written(m);
    check_text(text);
    assert_has(text, "namespace=\"\",status=\"INVALID_REQUEST\"} 5001\n");
    assert_lacks(text, "not valid");
    metrics_free(m);
}

/* ---- by rules ---- */

static struct guard_rules *rules_of(struct permissions *p)
{
    struct error e;
    struct guard_rules *rules = service_rules_new(p, &e);
    assert_non_null(rules);
    return rules;
}

static struct guard_rules *default_rules(void)
{
    struct permissions p;
    permissions_init(&p);
    return rules_of(&p);
}

static void put_by(struct metrics *m, const struct guard_rules *rules, const char *name)
{
    metrics_add(m, &(struct metrics_call){.name = "putMemory",
                                          .is_tool = true,
                                          .namespace_ = name,
                                          .took_us = 1,
                                          .times = 1,
                                          .rules = rules});
}

static void expect_puts(const struct metrics *m, const struct guard_rules *rules, const char *name,
                        int count)
{
    AUTO_STRBUF text = STRBUF_INIT, json = STRBUF_INIT;
    char line[200], quoted[100];
    snprintf(line, sizeof(line), "putMemory\",namespace=\"%s\",status=\"success\"} %d\n", name,
             count);
    snprintf(quoted, sizeof(quoted), "\"%s\"", name);
    metrics_write(m, rules, &text);
    metrics_write_json(m, rules, &json);
    check_text(text.buf);
    if (count > 0) {
        assert_has(text.buf, line);
        assert_has(json.buf, quoted);
    } else {
        assert_lacks(text.buf, quoted);
        assert_lacks(json.buf, quoted);
    }
}

/* A namespace name that contains personal data is not shown. */
TEST(name_with_personal_data_is_hidden)
{
    struct metrics *m = metrics_new(1, 1);
    struct guard_rules *rules = default_rules();
    put_by(m, rules, "agent.555-123-4567");
    AUTO_FREE char *text = written(m);
    assert_lacks(text, "555-123");
    expect_puts(m, rules, "other", 1);
    guard_rules_release(rules);
    metrics_free(m);
}

/* Nor is the name of a namespace that not all agents may read. */
TEST(names_are_shown_to_readers_only)
{
    struct metrics *m = metrics_new(1, 1);
    struct guard_rules *rules = default_rules();
    put_by(m, rules, "session.a");
    put_by(m, rules, "private.x");
    put_by(m, rules, "private.y");
    put_by(m, rules, "other");
    expect_puts(m, rules, "session.a", 1);
    expect_puts(m, rules, "private.x", 0);
    expect_puts(m, rules, "private.y", 0);
    expect_puts(m, rules, "other", 3);
    guard_rules_release(rules);
    put_by(m, NULL, "private.x"); /* as in a person's view of the log */
    expect_puts(m, NULL, "private.x", 1);
    metrics_free(m);
}

/* Calls after a change of the rules count by the new rules; earlier ones are not counted again. */
TEST(counters_never_decrease_when_rules_change)
{
    struct metrics *m = metrics_new(1, 1);
    struct permissions p;
    struct pii_pattern badge = {"badge", "B-[0-9]{6}"};
    struct guard_rules *rules = default_rules(), *badges, *unlisted;
    permissions_init(&p);
    p.patterns = &badge;
    p.pattern_count = 1;
    badges = rules_of(&p);
    permissions_init(&p);
    p.grant[MEMORY_TOOL_GET] = p.grant[MEMORY_TOOL_LIST];
    p.grant[MEMORY_TOOL_LIST].namespace_count = 0; /* names are shown here as in a list */
    unlisted = rules_of(&p);
    for (int i = 0; i < 3; i++)
        put_by(m, rules, "session.B-123456");
    put_by(m, rules, "session.a");
    put_by(m, rules, "private.x");
    expect_puts(m, rules, "session.B-123456", 3);
    expect_puts(m, rules, "other", 1);
    expect_puts(m, badges, "session.B-123456", 0);
    expect_puts(m, badges, "session.a", 1);
    expect_puts(m, badges, "other", 1);
    put_by(m, badges, "session.B-123456");
    expect_puts(m, badges, "other", 2);
    expect_puts(m, unlisted, "session.a", 0);
    put_by(m, unlisted, "session.a");
    expect_puts(m, unlisted, "other", 3);
    expect_puts(m, rules, "session.B-123456", 3);
    expect_puts(m, rules, "session.a", 1);
    expect_puts(m, rules, "other", 3);
    put_by(m, rules, "session.a");
    expect_puts(m, rules, "session.a", 2);
    guard_rules_release(rules);
    guard_rules_release(badges);
    guard_rules_release(unlisted);
    metrics_free(m);
}

TEST(too_many_tools_are_counted_as_one)
{
    struct metrics *m = metrics_new(1, 1);
    char name[40];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof(name), "tool_%d", i % 500);
        metrics_add(m, &(struct metrics_call){.name = name, .is_tool = i % 2, .times = 1});
    }
    assert_true(m->call_count <= METRICS_CALLS);
    uint64_t calls = 0;
    for (size_t i = 0; i < m->call_count; i++)
        calls += metrics_calls(m->calls[i]);
    assert_int_equal(calls, 1000);
    AUTO_FREE char *text = written(m);
    check_text(text);
    metrics_free(m);
}

TEST(json_has_the_same_counters)
{
    struct metrics *m = metrics_new(42, 1700000000000);
    AUTO_STRBUF json = STRBUF_INIT;
    struct error e;
    for (int i = 0; i < ERROR_CODES; i++) {
        add(m, "putMemory", "session.a", (enum error_code)i, 100 * i);
        add(m, "putMemory", "agent.b", (enum error_code)i, 100 * i);
        add(m, "memory_search", NULL, (enum error_code)i, i);
    }
    for (int i = 0; i < 200; i++) {
        char name[20];
        snprintf(name, sizeof(name), "session.%d", i);
        add(m, "listMemory", name, ERROR_NONE, i);
    }
    metrics_add(m, &(struct metrics_call){.name = "a \"name\"\n", .redactions = 5, .times = 9});
    metrics_http(m, 200);
    metrics_http(m, 599);
    m->sessions = 3;
    m->connections = 4;
    metrics_write_json(m, NULL, &json);
    assert_int_equal(json_check(json.buf, json.len, JSON_DEPTH_MAX, &e), 0);
    assert_has(json.buf, "{\"process\":42,\"started_at\":1700000000000,\"sessions\":3,"
                         "\"connections\":4,\"calls\":[{\"tool_name\":\"putMemory\",\"calls\":24,"
                         "\"ended\":{\"success\":2,\"NOT_FOUND\":2,\"INVALID_REQUEST\":4,");
    assert_has(json.buf, "{\"method\":\"a \\\"name\\\"\\n\",\"calls\":9,");
    assert_has(json.buf, "{\"namespace\":\"session.a\",\"tool_name\":\"putMemory\",\"ended\":{"
                         "\"success\":1,");
    assert_has(json.buf, "\"http\":{\"200\":1,\"599\":1}}");
    AUTO_FREE char *text = written(m);
    check_text(text);
    metrics_free(m);
}
