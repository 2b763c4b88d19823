/* stemma serve: what a client is told on the way, of long reads and for its log. */
#include "tests/support/has.h"
#include "tests/support/notes.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"

#include "store/db/reader.h"
#include "tests/support/tool_call.h"

#define NOTES 60

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

/* What a read tells on its way. */
struct told {
    int64_t done, total;
};

static void hear(void *arg, int64_t done, int64_t total)
{
    struct told *t = arg;
    if (done > t->done) /* as it reaches a client: what does not grow is left out */
        *t = (struct told){done, total};
}

static struct told ask(struct fixture *f, const char *tool, const char *arguments)
{
    struct told told = {0};
    reader_on_progress(f->reader, hear, &told);
    tool_answer(f, tool, arguments);
    reader_on_progress(f->reader, NULL, NULL);
    return told;
}

static void long_reads_tell_how_far_they_are(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    for (int i = 0; i < NOTES; i++)
        tool_answer(&f, "memory_note", "{\"content\":\"a note of staging\"}");
    /* One pass to load, and one for each problem. */
    struct told told = ask(&f, "memory_orphans", "{\"limit\":1000}");
    assert_int_equal(told.total, 8 * NOTES);
    assert_int_equal(told.done, told.total);
    told = ask(&f, "memory_list", "{\"label\":\"unsourced\"}");
    assert_int_equal(told.total, 2 * NOTES);
    assert_int_equal(told.done, told.total);
    told = ask(&f, "memory_search", "{\"query\":\"staging\",\"limit\":50}");
    assert_true(told.done >= 50);
    fixture_close(&f);
}

/* A client that hears of progress together with the answer takes it for a request it does not know. */
static void what_ends_at_once_tells_nothing_on_the_way(void **state)
{
    (void)state;
    struct served served;
    struct client c;
    char *path = scratch_path("progress.db");
    begin(&served, &c, path);
    for (int i = 0; i < 20; i++) {
        client_send(&c, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{"
                        "\"_meta\":{\"progressToken\":\"t\"},\"name\":\"memory_search\","
                        "\"arguments\":{\"query\":\"staging\"}}}");
        assert_has(client_read(&c), "\"id\":7");
    }
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
        cmocka_unit_test(what_ends_at_once_tells_nothing_on_the_way),
        cmocka_unit_test(the_log_has_what_helps_and_no_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
