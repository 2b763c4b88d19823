/* stemma serve: what a client is told on the way, of long reads and for its log. */
#include "../support/notes.h"
#include "../support/program.h"
#include "../support/scratch.h"

#include "../../model/json.h"

#define NOTES 60

static void assert_has(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("%s is not in %.400s", part, text ? text : "(nothing)");
}

static void begin(struct served *served, struct client *c, const char *store)
{
    served_start(served, store);
    client_connect(c, served->path);
    client_initialize(c, "2025-11-25");
    for (int i = 0; i < NOTES; i++) {
        char content[64];
        snprintf(content, sizeof(content), "note %d of staging", i);
        note_send(c, 100 + i, content);
        assert_non_null(client_read(c));
    }
}

static void end(struct served *served, struct client *c)
{
    client_close(c);
    assert_int_equal(served_stop(served), 0);
}

static double number_in(const char *line, const char *name)
{
    double number = -1;
    struct json_slice params = json_member(line, strlen(line), "params");
    struct json_slice value = json_member(params.ptr, params.len, name);
    if (value.ptr)
        json_double(value, &number);
    return number;
}

/* Calls the tool with a progressToken: what was told last before the answer, growing until then. */
static void ask(struct client *c, const char *tool, const char *arguments, double *done,
                double *total)
{
    const char *line;
    *done = *total = -1;
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"_meta\":{"
                 "\"progressToken\":\"t\"},\"name\":\"%s\",\"arguments\":%s}}",
                 tool, arguments);
    while ((line = client_read(c)) && !strstr(line, "\"id\":7")) {
        assert_has(line, "\"method\":\"notifications/progress\"");
        assert_has(line, "\"progressToken\":\"t\"");
        double now = number_in(line, "progress");
        assert_true(now > *done);
        *done = now;
        *total = number_in(line, "total");
    }
    assert_non_null(line);
    assert_null(strstr(line, "isError"));
}

static void long_reads_tell_how_far_they_are(void **state)
{
    (void)state;
    struct served served;
    struct client c;
    double done, total;
    char *path = scratch_path("progress.db");
    begin(&served, &c, path);
    /* One pass to load, and one for each problem. */
    ask(&c, "memory_orphans", "{\"limit\":1000}", &done, &total);
    assert_int_equal(total, 7 * NOTES);
    assert_int_equal(done, total);
    ask(&c, "memory_list", "{\"label\":\"unsourced\"}", &done, &total);
    assert_int_equal(total, 2 * NOTES);
    assert_int_equal(done, total);
    ask(&c, "memory_search", "{\"query\":\"staging\",\"limit\":50}", &done, &total);
    assert_true(done >= 50 && done == total);
    note_send(&c, 8, "the last one");
    const char *line = client_read(&c), *at = strstr(line, "note:");
    assert_non_null(at);
    char ask_of[96];
    snprintf(ask_of, sizeof(ask_of), "{\"ref\":\"%.41s\"}", at);
    ask(&c, "memory_lineage", ask_of, &done, &total);
    assert_int_equal(done, 1);
    ask(&c, "memory_whatif", ask_of, &done, &total);
    assert_int_equal(done, 1);
    end(&served, &c);
    free(path);
}

static void set_level(struct client *c, const char *level)
{
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{"
                 "\"level\":\"%s\"}}",
                 level);
    assert_has(client_read(c), "\"result\":{}");
}

static void call(struct client *c, const char *tool, const char *arguments)
{
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{"
                 "\"name\":\"%s\",\"arguments\":%s}}",
                 tool, arguments);
}

/* Slips are told where a host shows its log; what a memory says never is. */
static void the_log_has_what_helps_and_no_content(void **state)
{
    (void)state;
    struct served served;
    struct client c;
    char *path = scratch_path("log.db");
    begin(&served, &c, path);
    call(&c, "memory_belief", "{\"statement\":\"secret\",\"derived_from\":[\"raw:a\",\"raw:b\"]}");
    const char *line = client_read(&c);
    assert_has(line, "\"level\":\"warning\"");
    assert_has(line, "2 refs name nothing yet and are kept as given: raw:a, raw:b");
    assert_null(strstr(line, "secret"));
    assert_has(client_read(&c), "\"unresolved\"");
    call(&c, "memory_search", "{\"query\":\"secret\"}");
    assert_has(client_read(&c), "\"id\":9");
    set_level(&c, "debug");
    call(&c, "memory_search", "{\"query\":\"secret\"}");
    line = client_read(&c);
    assert_has(line, "\"level\":\"debug\"");
    assert_has(line, "memory_search");
    assert_null(strstr(line, "secret"));
    assert_has(client_read(&c), "\"id\":9");
    set_level(&c, "error");
    call(&c, "memory_belief", "{\"statement\":\"secret\",\"derived_from\":[\"raw:c\"]}");
    assert_has(client_read(&c), "\"id\":9");
    end(&served, &c);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_reads_tell_how_far_they_are),
        cmocka_unit_test(the_log_has_what_helps_and_no_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
