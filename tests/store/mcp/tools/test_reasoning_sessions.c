/*
 * Chains written by real clients, over a socket and in their own processes: the order of the journal's events, two
 * clients on one chain, notifications, and chains whose session ends.
 */
#include <signal.h>
#include <time.h>
#include "store/journal/journal.h"
#include "tests/support/client.h"
#include "tests/support/findings.h"
#include "tests/support/notes.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

#define MODERN                                                                                     \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                             \
    "'io.modelcontextprotocol/clientCapabilities':{},'io.modelcontextprotocol/clientInfo':{"       \
    "'name':'modern','version':'1'}},"

/* A server, two clients, and their last answers. */
struct room {
    char *path;
    struct served served;
    struct client ash, claire;
    struct arena arena;
};

static void enter(struct room *r)
{
    r->path = scratch_path("chains.db");
    r->arena = (struct arena)ARENA_INIT;
    served_start(&r->served, r->path);
    client_connect(&r->ash, r->served.path);
    client_initialize(&r->ash, "2025-11-25");
    client_connect(&r->claire, r->served.path);
}

static void leave(struct room *r)
{
    client_close(&r->ash);
    client_close(&r->claire);
    assert_int_equal(served_stop(&r->served), 0);
    notes_check(r->path);
    free(r->path);
    arena_release(&r->arena);
}

/* Sends a call; ' in its arguments becomes ". */
static void send_call(struct client *c, int id, const char *meta, const char *tool,
                      const char *arguments)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line,
                "{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{%s'name':'%s',"
                "'arguments':%s}}",
                id, meta, tool, arguments);
    for (size_t i = 0; i < line.len; i++)
        if (line.buf[i] == '\'')
            line.buf[i] = '"';
    client_send(c, line.buf);
}

/* Reads the next answer. */
static const char *hear_answer(struct room *r, struct client *c)
{
    const char *line;
    while ((line = client_read(c)) && !answer_at(line, "id").ptr)
        ;
    assert_non_null(line);
    return arena_strndup(&r->arena, line, strlen(line));
}

/* Calls a tool and returns its structuredContent as text. */
static const char *call(struct room *r, struct client *c, const char *tool, const char *arguments)
{
    send_call(c, 7, c == &r->claire ? MODERN : "", tool, arguments);
    struct json_slice content = answer_at(hear_answer(r, c), "result.structuredContent");
    assert_non_null(content.ptr);
    return arena_strndup(&r->arena, content.ptr, content.len);
}

static const char *text_at(struct room *r, const char *answer, const char *path)
{
    struct json_slice at = answer_at(answer, path);
    if (!at.ptr || at.ptr[0] != '"')
        fail_msg("there is no %s in %s", path, answer);
    return arena_strndup(&r->arena, at.ptr + 1, at.len - 2);
}

static const char *begin_chain(struct room *r, struct client *c)
{
    return text_at(r, call(r, c, "cot_begin", "{'question':'Why?','agent_id':'ash'}"), "ref");
}

static const char *add_step(struct room *r, struct client *c, const char *chain, int number,
                            const char *more)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "{'chain':'%s','step_number':%d,'question':'step %d'%s}", chain, number,
                number, more);
    return call(r, c, "cot_step", line.buf);
}

static const char *of_chain(struct room *r, struct client *c, const char *tool, const char *chain,
                            const char *more)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "{'chain':'%s'%s}", chain, more);
    return call(r, c, tool, line.buf);
}

static void expect_code(struct room *r, const char *answer, const char *code)
{
    if (strcmp(text_at(r, answer, "error.code"), code) != 0)
        fail_msg("%s is not %s", answer, code);
}

static void expect_state(struct room *r, const char *chain, const char *state)
{
    const char *got = of_chain(r, &r->claire, "cot_get", chain, "");
    if (strcmp(text_at(r, got, "state"), state) != 0)
        fail_msg("the chain is %s, not %s", text_at(r, got, "state"), state);
}

/* ---- the journal ---- */

/* Expects these events on chains and steps, as another process reads them: "begin chain, add step". */
static void expect_journal(struct room *r, const char *expected)
{
    struct stored_notes kept;
    struct event *events;
    struct error e;
    size_t count;
    AUTO_STRBUF got = STRBUF_INIT;
    stored_notes_open(&kept, r->path);
    assert_int_equal(journal_read(kept.reader, &r->arena, 0, 1000, &events, &count, &e), 0);
    for (size_t i = 0; i < count; i++) {
        const struct event *event = &events[i];
        if (!event->ref.id || (event->ref.kind != KIND_CHAIN && event->ref.kind != KIND_STEP))
            continue;
        strbuf_addf(&got, "%s%s %s", got.len ? ", " : "", event->operation,
                    kind_name(event->ref.kind));
        assert_string_equal(event->author, "?ash");
        assert_true(event->session > 0);
    }
    if (strcmp(got.buf, expected) != 0)
        fail_msg("the journal has %s, not %s", got.buf, expected);
    stored_notes_close(&kept);
}

/* Expects each document before the step that uses it, so that links never lead to missing memories. */
static void expect_documents_first(struct room *r)
{
    struct stored_notes kept;
    struct event *events;
    struct error e;
    size_t count, documents = 0;
    stored_notes_open(&kept, r->path);
    assert_int_equal(journal_read(kept.reader, &r->arena, 0, 1000, &events, &count, &e), 0);
    for (size_t i = 0; i + 1 < count; i++)
        if (events[i].ref.id && events[i].ref.kind == KIND_DOCUMENT) {
            documents++;
            assert_string_equal(events[i].correlation, events[i + 1].correlation);
        }
    assert_int_equal(documents, 2);
    stored_notes_close(&kept);
}

TEST(the_journal_grows_with_each_step)
{
    struct room r;
    enter(&r);
    const char *chain = begin_chain(&r, &r.ash);
    expect_journal(&r, "add chain");
    add_step(&r, &r.ash, chain, 1,
             ",'agent_id':'ash','retrieved_documents':[{'document_id':'a','score':0.9},"
             "{'document_id':'b','score':0.8}]");
    expect_journal(&r, "add chain, add step");
    expect_state(&r, chain, "running");
    expect_code(&r, add_step(&r, &r.ash, chain, 1, ""), "CONFLICT");
    expect_code(&r, add_step(&r, &r.ash, chain, 0, ""), "INVALID_REQUEST");
    expect_journal(&r, "add chain, add step"); /* a refused call leaves nothing */
    add_step(&r, &r.ash, chain, 2,
             ",'agent_id':'ash','retrieved_documents':[{'document_id':'a','score':0.7}]");
    of_chain(&r, &r.ash, "cot_finish", chain, ",'final_answer':'so','agent_id':'ash'");
    expect_journal(&r, "add chain, add step, add step, finish chain");
    expect_code(&r, add_step(&r, &r.ash, chain, 3, ""), "CONFLICT");
    expect_code(&r, of_chain(&r, &r.ash, "cot_finish", chain, ",'final_answer':'no'"), "CONFLICT");
    expect_journal(&r, "add chain, add step, add step, finish chain");
    expect_documents_first(&r);
    expect_state(&r, chain, "finished");
    leave(&r);
}

/* ---- two at once ---- */

#define EACH 40

/* Both send all calls before they read any answer; step 1 belongs to the first. */
TEST(two_sessions_write_one_chain)
{
    struct room r;
    struct client *both[2];
    size_t refused = 0;
    enter(&r);
    both[0] = &r.ash;
    both[1] = &r.claire;
    const char *chain = begin_chain(&r, &r.ash);
    for (int i = 0; i < EACH; i++)
        for (int who = 0; who < 2; who++) {
            char arguments[200];
            snprintf(arguments, sizeof(arguments),
                     "{'chain':'%s','step_number':%d,'question':'q','context_used':['id:d x']}",
                     chain, i == 0 ? 1 : 2 * i + who);
            send_call(both[who], i, who ? MODERN : "", "cot_step", arguments);
        }
    for (int who = 0; who < 2; who++)
        for (int i = 0; i < EACH; i++) {
            const char *answer = hear_answer(&r, both[who]);
            bool failed = answer_at(answer, "result.isError").ptr != NULL;
            refused += failed;
            if (failed)
                assert_non_null(strstr(answer, "has a step 1 already"));
        }
    assert_int_equal(refused, 1);
    const char *got = of_chain(&r, &r.claire, "cot_get", chain, "");
    assert_int_equal(answer_count(got, "reasoning_steps"), 2 * EACH - 1);
    for (size_t i = 0; i < 2 * EACH - 1; i++) {
        char path[60];
        snprintf(path, sizeof(path), "reasoning_steps.%zu.step_number", i);
        assert_int_equal(answer_number(got, path), i + 1);
    }
    const char *finished =
        of_chain(&r, &r.claire, "cot_finish", chain, ",'final_answer':'so'"); /* either may */
    assert_int_equal(answer_number(finished, "steps"), 2 * EACH - 1);
    leave(&r);
}

/* ---- sessions that end ---- */

static void wait_for_state(struct room *r, const char *chain, const char *state)
{
    for (int waited = 0; waited < CLIENT_WAIT_MS; waited += 20) {
        const char *got = of_chain(r, &r->claire, "cot_get", chain, "");
        if (strcmp(text_at(r, got, "state"), state) == 0)
            return;
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    expect_state(r, chain, state);
}

TEST(a_chain_whose_session_ends_is_abandoned)
{
    struct room r;
    enter(&r);
    const char *begun = begin_chain(&r, &r.ash), *stepped = begin_chain(&r, &r.ash),
               *finished = begin_chain(&r, &r.ash), *shared = begin_chain(&r, &r.ash);
    add_step(&r, &r.ash, stepped, 1, "");
    of_chain(&r, &r.ash, "cot_finish", finished, ",'final_answer':'so'");
    add_step(&r, &r.claire, shared, 1, ""); /* the last writer continues */
    expect_state(&r, begun, "running");
    expect_state(&r, stepped, "running");
    client_close(&r.ash);
    wait_for_state(&r, begun, "abandoned");
    expect_state(&r, stepped, "abandoned");
    expect_state(&r, finished, "finished");
    expect_state(&r, shared, "running");
    add_step(&r, &r.claire, begun, 1, ""); /* another client continues it */
    expect_state(&r, begun, "running");
    client_connect(&r.ash, r.served.path);
    leave(&r);
}

/* A killed process does not end its session. */
TEST(a_chain_whose_process_is_killed_is_abandoned)
{
    struct room r;
    struct client lost;
    enter(&r);
    CLIENT_START(&lost, "mcp", "--store", r.path);
    client_initialize(&lost, "2025-11-25");
    const char *chain = begin_chain(&r, &lost);
    add_step(&r, &lost, chain, 1, "");
    expect_state(&r, chain, "running");
    assert_int_equal(kill(lost.pid, SIGKILL), 0);
    assert_int_equal(client_wait(&lost), 128 + SIGKILL);
    client_close(&lost);
    wait_for_state(&r, chain, "abandoned");
    leave(&r);
}

/* ---- notifications ---- */

/* A chain is based on its steps only when it is finished, but changes with each step before. */
TEST(subscriber_of_a_chain_is_notified_of_each_step)
{
    struct room r;
    enter(&r);
    const char *chain = begin_chain(&r, &r.claire), *id = strchr(chain, ':') + 1;
    client_sendf(&r.ash,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{"
                 "\"uri\":\"stemma://chain/%s/reasoning\"}}",
                 id);
    assert_non_null(strstr(client_read(&r.ash), "\"result\":{}"));
    for (int number = 1; number < 4; number++) {
        add_step(&r, &r.claire, chain, number, "");
        const char *line = client_read(&r.ash);
        assert_non_null(strstr(line, "notifications/resources/updated"));
        assert_non_null(strstr(line, id));
    }
    leave(&r);
}

/* ---- the tools of reasoning and citations with random calls ---- */

#define CALLS 3000
#define KNOWN 64 /* refs that later calls name */

struct trial {
    struct random random;
    struct arena arena;
    const char *known[KNOWN];
    size_t known_count;
    size_t done, refused;
};

/* ---- arguments ---- */

static void add_string(struct trial *t, struct strbuf *out)
{
    static const char *const odd[] = {"\"\\u0000\"", "\"\\ud800\"",      "\"id:a\"",  "\"\"",
                                      "\"   \"",     "\"id: d_1 text\"", "\"doc_1\"", "\" 7 \""};
    if (random_chance(&t->random, 30))
        strbuf_addstr(out, odd[random_below(&t->random, sizeof(odd) / sizeof(*odd))]);
    else
        json_add_string(out, random_text(&t->random, &t->arena, 12));
}

static void add_number(struct trial *t, struct strbuf *out)
{
    static const char *const numbers[] = {
        "0",    "1",      "0.5",   "0.7", "0.70000001",       "1e-9",   "-0", "-1", "1.01", "2.0",
        "1e99", "100000", "0.1e1", "7",   "9007199254740993", "-1e-320"};
    strbuf_addstr(out, numbers[random_below(&t->random, sizeof(numbers) / sizeof(*numbers))]);
}

static void add_any(struct trial *t, struct strbuf *out)
{
    static const char *const others[] = {"null", "true", "false", "[]", "{}", "[[1],{\"a\":null}]"};
    uint32_t kind = random_below(&t->random, 10);
    if (kind < 4)
        add_string(t, out);
    else if (kind < 7)
        add_number(t, out);
    else
        strbuf_addstr(out, others[random_below(&t->random, sizeof(others) / sizeof(*others))]);
}

static void add_known(struct trial *t, struct strbuf *out)
{
    if (t->known_count == 0 || random_chance(&t->random, 4))
        add_any(t, out);
    else
        json_add_string(out, t->known[random_below(&t->random, (uint32_t)t->known_count)]);
}

static void add_value(struct trial *t, struct strbuf *out, const struct field *f, int depth);

static void add_object(struct trial *t, struct strbuf *out, const struct field *fields, bool open,
                       int depth)
{
    struct json_object o = json_begin(out, '{');
    for (const struct field *f = fields; f->name; f++) {
        if (!random_chance(&t->random, f->flags & FIELD_REQUIRED ? 98 : 55))
            continue;
        json_key(&o, f->name);
        add_value(t, out, f, depth);
    }
    if (open && random_chance(&t->random, 20)) {
        json_key(&o, "more");
        add_any(t, out);
    }
    json_end(&o);
}

static void add_list(struct trial *t, struct strbuf *out, const struct field *f, int depth)
{
    uint32_t count = random_below(&t->random, 5);
    struct json_object list = json_begin(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        json_item(&list);
        if (random_chance(&t->random, 6))
            add_any(t, out);
        else if (f->of == FIELD_OBJECT && f->fields)
            add_object(t, out, f->fields, true, depth + 1);
        else
            add_string(t, out);
    }
    json_end(&list);
}

/* Mostly a valid value, sometimes anything. */
static void add_value(struct trial *t, struct strbuf *out, const struct field *f, int depth)
{
    if (strcmp(f->name, "chain") == 0) {
        add_known(t, out);
    } else if (random_chance(&t->random, depth ? 8 : 2)) {
        add_any(t, out);
    } else if (f->flags & FIELD_NULLABLE && random_chance(&t->random, 15)) {
        strbuf_addstr(out, "null");
    } else if (f->type == FIELD_ARRAY) {
        add_list(t, out, f, depth);
    } else if (f->type == FIELD_OBJECT && f->fields) {
        add_object(t, out, f->fields, f->flags & FIELD_OPEN, depth + 1);
    } else if (f->type == FIELD_INTEGER) {
        strbuf_addf(out, "%u", random_below(&t->random, 12));
    } else if (f->type == FIELD_NUMBER) {
        strbuf_addf(out, "0.%02u", random_below(&t->random, 100));
    } else if (f->type == FIELD_BOOLEAN) {
        strbuf_addstr(out, random_chance(&t->random, 50) ? "true" : "false");
    } else if (f->type == FIELD_STRING && f->choice) {
        json_add_string(out, f->choice(0));
    } else if (f->type == FIELD_STRING) {
        add_string(t, out);
    } else {
        add_any(t, out);
    }
}

/* ---- calls ---- */

/* Clients can send what json_check_lax accepts; duplicate keys and invalid numbers do not reach a tool. */
static bool reaches_a_tool(const struct strbuf *line)
{
    struct error e;
    return json_check_lax(line->buf, line->len, JSON_DEPTH_LIMIT, &e) == 0;
}

static void remember(struct trial *t, struct fixture *f, const char *answer)
{
    struct json_slice ref = answer_at(answer, "ref");
    if (!ref.ptr || ref.ptr[0] != '"')
        return;
    const char *text = answer_text(f, answer, "ref");
    if (t->known_count < KNOWN)
        t->known[t->known_count++] = text;
    else
        t->known[random_below(&t->random, KNOWN)] = text;
}

static void call_once(struct trial *t, struct fixture *f, const char *tool)
{
    AUTO_STRBUF line = STRBUF_INIT;
    struct error e;
    const char *answer;
    arena_clear(&t->arena);
    add_object(t, &line, tool_named(tool)->arguments, false, 0);
    if (reaches_a_tool(&line)) {
        if (tool_try(f, tool, line.buf, &answer, &e) == 0) {
            t->done++;
            remember(t, f, answer);
        } else {
            t->refused++;
            if (e.code != ERROR_INVALID && e.code != ERROR_NOT_FOUND && e.code != ERROR_CONFLICT)
                fail_msg("%s %s: %s: %s", tool, line.buf, error_name(e.code), e.what);
            assert_true(*e.what);
        }
    }
}

TEST(random_calls_are_answered_or_refused)
{
    static const char *const tools[] = {
        "cot_begin", "cot_step",    "cot_step",        "cot_step",     "cot_finish",   "cot_record",
        "cot_get",   "cot_sources", "extract_sources", "cite_sources", "get_citations"};
    struct fixture f;
    struct trial t = {.random = {20261121}, .arena = ARENA_INIT};
    fixture_open(&f);
    for (int i = 0; i < CALLS; i++)
        call_once(&t, &f, tools[random_below(&t.random, sizeof(tools) / sizeof(*tools))]);
    assert_true(t.done > CALLS / 4);
    assert_true(t.refused > CALLS / 20);
    expect_sound(f.reader);
    arena_release(&t.arena);
    fixture_close(&f);
}
