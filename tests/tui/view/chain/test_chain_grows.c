/*
 * A chain of thought that grows while a person watches: the explorer in a pseudo-terminal, and a client that reasons
 * through the explorer's socket. The tests wait for output, never for time.
 */
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/terminal.h"

#include "model/json/json.h"
#include "store/open.h"
#include "tests/support/test.h"

#define STEPS 6

struct subgraph {
    char *path;
    struct terminal terminal;
    struct client client;
    char chain[64];
};

/* ---- the client ---- */

/* Calls a tool and returns its answer, which must not be an error. `arguments` has ' for ". */
static const char *call(struct subgraph *s, const char *tool, const char *arguments)
{
    AUTO_STRBUF line = STRBUF_INIT;
    const char *answer;
    strbuf_addf(&line,
                "{'jsonrpc':'2.0','id':7,'method':'tools/call','params':{'name':'%s',"
                "'arguments':%s}}",
                tool, arguments);
    for (size_t i = 0; i < line.len; i++)
        if (line.buf[i] == '\'')
            line.buf[i] = '"';
    answer = client_ask(&s->client, line.buf);
    if (!answer || strstr(answer, "\"isError\":true"))
        fail_msg("%s: %s", line.buf, answer ? answer : "nobody answers");
    return answer;
}

static void begin_chain(struct subgraph *s, const char *question)
{
    char arguments[200];
    snprintf(arguments, sizeof(arguments), "{'question':'%s','agent_id':'ash'}", question);
    const char *answer = call(s, "cot_begin", arguments);
    struct json_slice result = json_member(answer, strlen(answer), "result");
    struct json_slice content = json_member(result.ptr, result.len, "structuredContent");
    struct json_slice ref = json_member(content.ptr, content.len, "ref");
    assert_true(ref.len > 2 && ref.len < sizeof(s->chain));
    snprintf(s->chain, sizeof(s->chain), "%.*s", (int)ref.len - 2, ref.ptr + 1);
}

static void add_step(struct subgraph *s, int number)
{
    char arguments[600];
    snprintf(arguments, sizeof(arguments),
             "{'chain':'%s','step_number':%d,'question':'Question %d of the client?',"
             "'intermediate_answer':'Answer %d of it.','confidence_score':0.8,"
             "'execution_time':1.5,'retrieved_documents':[{'document_id':'manual','title':"
             "'The manual','score':0.9,'content':'page %d'},{'document_id':'log-%d','score':0.6,"
             "'content':'line %d'}]}",
             s->chain, number, number, number, number, number, number);
    call(s, "cot_step", arguments);
}

static void finish_chain(struct subgraph *s)
{
    char arguments[200];
    snprintf(arguments, sizeof(arguments), "{'chain':'%s','final_answer':'The cache was lost.'}",
             s->chain);
    call(s, "cot_finish", arguments);
}

/* ---- the screen ---- */

static int set_up(void **state)
{
    struct subgraph *s = calloc(1, sizeof(*s));
    scratch_home();
    s->path = scratch_path("grows.db");
    store_close(scratch_store(s->path));
    terminal_start(&s->terminal, s->path, 40, 140);
    client_join(&s->client, s->path);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct subgraph *s = *state;
    terminal_leave(&s->terminal);
    client_close(&s->client);
    free(s->path);
    free(s);
    return 0;
}

static void wait_shows(struct subgraph *s, const char *format, int number)
{
    char text[80];
    snprintf(text, sizeof(text), format, number, number);
    terminal_wait_shows(&s->terminal, text);
}

FIXTURE(set_up, tear_down);

TEST(a_chain_grows_step_by_step)
{
    struct subgraph *s = *state;
    terminal_type(&s->terminal, "6");
    begin_chain(s, "Why was build 512 slow?");
    terminal_wait_shows(&s->terminal, "Why was build 512 slow?");
    terminal_wait_shows(&s->terminal, "running");
    add_step(s, 1);
    terminal_type(&s->terminal, "\r");
    wait_shows(s, "Question %d of the client?", 1);
    terminal_see(&s->terminal, "\x06", "the cursor follows new lines"); /* before the next step */
    for (int number = 2; number <= STEPS; number++) {
        add_step(s, number);
        wait_shows(s, "step %d of %d", number); /* the cursor moved there */
        wait_shows(s, "Question %d of the client?", number);
    }
    wait_shows(s, "running · %d steps", STEPS);
    finish_chain(s);
    terminal_wait_shows(&s->terminal, "The cache was lost.");
    wait_shows(s, "finished · %d steps", STEPS);
    terminal_wait_shows(&s->terminal, "The manual");
}

TEST(a_chain_is_abandoned_when_its_client_leaves)
{
    struct subgraph *s = *state;
    begin_chain(s, "Is anybody there?");
    add_step(s, 1);
    terminal_type(&s->terminal, "6");
    terminal_wait_shows(&s->terminal, "Is anybody there?");
    terminal_wait_shows(&s->terminal, "running");
    client_close(&s->client);
    terminal_wait_shows(&s->terminal, "abandoned");
}

TEST(an_open_chain_is_shown_as_abandoned)
{
    struct subgraph *s = *state;
    begin_chain(s, "Is anybody there?");
    add_step(s, 1);
    terminal_type(&s->terminal, "6");
    terminal_wait_shows(&s->terminal, "Is anybody there?");
    terminal_type(&s->terminal, "\r");
    wait_shows(s, "running · %d step", 1);
    client_close(&s->client);
    wait_shows(s, "abandoned · %d step", 1);
}
