/*
 * An agent that reasons over MCP, and a person who watches: two processes, one in a pseudo-terminal. The tests wait
 * for output, never for time.
 */
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

struct room {
    char *path;
    struct client agent;
    struct terminal t;
    char chain[100];
    int asked;
};

static int set_up(void **state)
{
    struct room *r = calloc(1, sizeof(*r));
    scratch_home();
    r->path = scratch_path("thinking.db");
    store_close(scratch_store(r->path));
    CLIENT_START(&r->agent, "mcp", "--store", r->path, "--agent", "ash");
    client_initialize(&r->agent, "2025-06-18");
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct room *r = *state;
    client_close(&r->agent);
    free(r->path);
    free(r);
    return 0;
}

/* Calls a tool; the format has ' for ". The answer is valid until the next call. */
static const char *ask(struct room *r, const char *tool, const char *format, ...)
{
    AUTO_STRBUF line = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_addf(&line,
                "{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'name':'%s',"
                "'arguments':{",
                ++r->asked, tool);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    strbuf_addstr(&line, "}}}");
    for (size_t i = 0; i < line.len; i++)
        line.buf[i] = line.buf[i] == '\'' ? '"' : line.buf[i];
    const char *answer = client_ask(&r->agent, line.buf);
    if (!answer || strstr(answer, "\"isError\":true") || strstr(answer, "\"error\":{\"code\""))
        fail_msg("%s was answered %s", line.buf, answer ? answer : "with nothing");
    return answer;
}

static void begin(struct room *r)
{
    const char *answer = ask(r, "cot_begin", "'question':'Why is the queue slow?'");
    const char *ref = strstr(answer, "\"ref\":\"chain:");
    assert_non_null(ref);
    ref += strlen("\"ref\":\"");
    snprintf(r->chain, sizeof(r->chain), "%.*s", (int)strcspn(ref, "\""), ref);
}

static void think(struct room *r, int number, const char *question, const char *answer,
                  const char *document, double score)
{
    ask(r, "cot_step",
        "'chain':'%s','step_number':%d,'question':'%s','intermediate_answer':'%s',"
        "'confidence_score':0.8,'execution_time':0.4,'retrieved_documents':[{'document_id':'%s',"
        "'title':'About %s','score':%.2f,'content':'What %s says.'}]",
        r->chain, number, question, answer, document, document, score, document);
}

/* The events of the chain, in order. */
static void check_events(struct room *r)
{
    struct store_options options = {.read_only = true};
    struct error e;
    struct store *s = store_open(r->path, &options, NULL, &e);
    assert_non_null(s);
    struct reader *reader = reader_open(s, &e);
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events;
    size_t count;
    enum kind wanted[] = {KIND_CHAIN, KIND_STEP, KIND_STEP, KIND_STEP, KIND_CHAIN};
    size_t found = 0;
    assert_int_equal(journal_read(reader, &arena, 0, 1000, &events, &count, &e), 0);
    for (size_t i = 0; i < count; i++) {
        struct memory_row row;
        if (events[i].subject <= 0 ||
            memory_row_read(reader, &arena, events[i].subject, &row, &e) ||
            (row.ref.kind != KIND_CHAIN && row.ref.kind != KIND_STEP))
            continue;
        assert_true(found < 5);
        assert_int_equal(row.ref.kind, wanted[found]);
        found++;
    }
    assert_int_equal(found, 5);
    reader_close(reader);
    store_close(s);
}

FIXTURE(set_up, tear_down);

TEST(test_a_chain_is_seen_growing)
{
    struct room *r = *state;
    struct terminal *t = &r->t;
    begin(r);
    terminal_start(t, r->path, 36, 120);
    terminal_wait_shows(t, "? help");
    terminal_see(t, "6", "Why is the queue slow?");
    terminal_see(t, "\r", "no step yet");
    think(r, 1, "Is it the workers?", "They wait.", "dashboard", 0.81);
    terminal_wait_shows(t, "Is it the workers?");
    terminal_wait_shows(t, "step 1 of 1");
    terminal_wait_shows(t, "[.81]"); /* the cursor is on the first use */

    /* New steps do not move the cursor, */
    think(r, 2, "What do they wait for?", "For a lock.", "lock-graph", 0.93);
    terminal_wait_shows(t, "What do they wait for?");
    terminal_wait_shows(t, "1 new step");
    terminal_wait_shows(t, "step 1 of 2");
    terminal_wait_shows(t, "B of 2"); /* the other document is the most relevant by now */

    /* unless the view follows them. */
    terminal_see(t, "\x06", "following");
    think(r, 3, "Who holds it?", "A report of the evening.", "dashboard", 0.88);
    terminal_wait_shows(t, "step 3 of 3");
    terminal_wait_shows(t, "A report of the evening.");
    terminal_wait_shows(t, "running");
    ask(r, "cot_finish", "'chain':'%s','final_answer':'A report holds a lock.'", r->chain);
    terminal_wait_shows(t, "A report holds a lock.");
    terminal_wait_shows(t, "finished");

    terminal_leave(t);
    check_events(r);
}

/* The session of the chain has ended. */
TEST(test_an_unfinished_chain_is_abandoned)
{
    struct room *r = *state;
    struct terminal *t = &r->t;
    begin(r);
    think(r, 1, "Is it the disk?", "Not today.", "disk-report", 0.4);
    terminal_start(t, r->path, 36, 120);
    terminal_wait_shows(t, "? help");
    terminal_see(t, "6\r", "no answer yet");
    client_end(&r->agent);
    client_wait(&r->agent);
    terminal_wait_shows(t, "abandoned");
    terminal_leave(t);
}
