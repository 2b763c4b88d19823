#include "tests/support/test.h"
#include "tests/support/tool_call.h"

#include "store/journal/journal.h"
#include "store/mcp/tools/service.h"
#include "tests/support/schema.h"

size_t tool_full_bytes;

const struct mcp_service *service_of_all(void)
{
    static struct mcp_service service;
    if (!service.name)
        service = stemma_service((struct mcp_offer){.opt_in = true});
    return &service;
}

const struct mcp_tool *tool_named(const char *name)
{
    const struct mcp_service *s = service_of_all();
    for (size_t i = 0; i < s->tool_count; i++)
        if (strcmp(s->tools[i]->name, name) == 0)
            return s->tools[i];
    fail_msg("there is no tool %s", name);
    return NULL;
}

static void call_begin(struct mcp_call *call, const char *arguments)
{
    *call =
        (struct mcp_call){.service = service_of_all(), .era = ERA_MODERN, .result = STRBUF_INIT};
    call->arena = (struct arena)ARENA_INIT;
    call->actor =
        (struct actor){.class = ACTOR_AGENT, .name = "client", .agent = "client", .origin = "mcp"};
    if (arguments)
        call->arguments = json_trim(arguments, strlen(arguments));
}

static int run_write(struct txn *t, void *arg, struct error *e)
{
    struct mcp_call *call = arg;
    return call->tool->write(call, t, e);
}

/* Runs a read in a transaction, like the server's loop. */
static int run_read(struct fixture *f, call_read read, struct mcp_call *call, struct error *e)
{
    if (reader_begin(f->reader, e))
        return -1;
    int result = read(call, f->reader, e);
    reader_end(f->reader);
    return result;
}

static int carry_out(struct fixture *f, struct mcp_call *call, struct error *e)
{
    if (call->tool->work != WORK_WRITE)
        return run_read(f, call->tool->read, call, e);
    if (store_run(f->store, run_write, call, e))
        return -1;
    if (call->done)
        call->tool->encode(call);
    *e = call->error;
    return e->code == ERROR_NONE ? 0 : -1;
}

static void check_answer(const struct mcp_tool *tool, const struct strbuf *answer)
{
    struct error e;
    char why[600];
    AUTO_STRBUF schema = STRBUF_INIT;
    if (json_check(answer->buf, answer->len, JSON_DEPTH_LIMIT, &e))
        fail_msg("%s: %s\n%s", tool->name, e.what, answer->buf);
    if (!tool->answer) /* text, or JSON of a form that no schema tells */
        return;
    field_schema(&schema, tool->answer, false);
    if (!schema_fits(json_trim(schema.buf, schema.len), json_trim(answer->buf, answer->len), why,
                     sizeof(why)))
        fail_msg("%s: %s\n%s", tool->name, why, answer->buf);
}

static int call_tool(struct fixture *f, const char *tool, const char *arguments,
                     const char **answer, struct error *e)
{
    struct mcp_call call;
    call_begin(&call, arguments);
    call.tool = tool_named(tool);
    *e = (struct error){.code = ERROR_NONE};
    int result =
        field_take(call.tool->arguments, call.arguments, &call.request_arena, &call.given, e);
    const char *agent = result ? NULL : given_text(&call.given, "agent_id", NULL);
    if (agent)
        call.actor.name = call.actor.agent = agent;
    if (!result && call.tool->begin)
        result = call.tool->begin(&call, e);
    if (!result)
        result = carry_out(f, &call, e);
    if (!result) {
        check_answer(call.tool, &call.result);
        tool_full_bytes = call.full_bytes;
        *answer = arena_strndup(&f->arena, call.result.buf, call.result.len);
    }
    strbuf_release(&call.result);
    arena_release(&call.arena);
    arena_release(&call.request_arena);
    return result;
}

int tool_try(struct fixture *f, const char *tool, const char *arguments, const char **answer,
             struct error *e)
{
    int64_t before = event_count(f);
    *answer = NULL;
    int result = call_tool(f, tool, arguments, answer, e);
    if (result)
        assert_int_equal(event_count(f), before);
    return result;
}

const char *tool_answer(struct fixture *f, const char *tool, const char *arguments)
{
    struct error e;
    const char *answer = NULL;
    if (call_tool(f, tool, arguments, &answer, &e))
        fail_msg("%s %s: %s %s", tool, arguments, e.what, e.hint);
    return answer;
}

void tool_fails(struct fixture *f, const char *tool, const char *arguments, enum error_code code,
                const char *what)
{
    struct error e;
    const char *answer = NULL;
    int64_t before = event_count(f);
    if (call_tool(f, tool, arguments, &answer, &e) == 0)
        fail_msg("%s %s was not refused: %s", tool, arguments, answer);
    if (e.code != code || !strstr(e.what, what))
        fail_msg("%s %s: %s: %s", tool, arguments, error_name(e.code), e.what);
    assert_int_equal(event_count(f), before);
}

/* Replaces ' by ". The result is in the fixture's arena. */
static const char *quoted(struct fixture *f, const char *text)
{
    char *line = arena_strndup(&f->arena, text, strlen(text));
    for (char *at = line; *at; at++)
        if (*at == '\'')
            *at = '"';
    return line;
}

void tool_allows(struct fixture *f, const char *tool, const char *arguments)
{
    char why[600];
    AUTO_STRBUF schema = STRBUF_INIT;
    const char *given = quoted(f, arguments);
    field_schema(&schema, tool_named(tool)->arguments, true);
    if (!schema_fits(json_trim(schema.buf, schema.len), json_trim(given, strlen(given)), why,
                     sizeof(why)))
        fail_msg("%s: %s\n%s", tool, why, given);
}

const char *tool_ask(struct fixture *f, const char *tool, const char *arguments)
{
    return tool_answer(f, tool, quoted(f, arguments));
}

/* If the function belongs to a prompt, decodes its arguments by the prompt's table. */
static void take_prompt(struct mcp_call *call, call_read read)
{
    struct error e;
    for (size_t i = 0; i < call->service->prompt_count; i++) {
        const struct mcp_prompt *p = &call->service->prompts[i];
        struct json_slice arguments =
            json_member(call->arguments.ptr, call->arguments.len, "arguments");
        if (p->get == read)
            field_take(p->arguments, arguments, &call->request_arena, &call->given, &e);
    }
}

const char *service_answer(struct fixture *f, call_read read, const char *params, struct error *e)
{
    struct mcp_call call;
    call_begin(&call, params);
    take_prompt(&call, read);
    const char *answer = NULL;
    *e = (struct error){.code = ERROR_NONE};
    if (run_read(f, read, &call, e) == 0) {
        AUTO_STRBUF object = STRBUF_INIT;
        strbuf_addf(&object, "{%s}", call.result.buf);
        if (json_check(object.buf, object.len, JSON_DEPTH_LIMIT, e))
            fail_msg("%s\n%s", e->what, object.buf);
        answer = arena_strndup(&f->arena, object.buf, object.len);
    }
    strbuf_release(&call.result);
    arena_release(&call.arena);
    arena_release(&call.request_arena);
    return answer;
}

/* ---- reading an answer ---- */

static struct json_slice element(struct json_slice list, size_t index)
{
    for (struct json_each it = json_each(list); json_next(&it);)
        if (index-- == 0)
            return it.value;
    return (struct json_slice){NULL, 0};
}

struct json_slice answer_at(const char *answer, const char *path)
{
    struct json_slice at = json_trim(answer, strlen(answer));
    while (*path && at.ptr) {
        char step[64];
        size_t len = strcspn(path, ".");
        snprintf(step, sizeof(step), "%.*s", (int)len, path);
        at = at.ptr[0] == '[' ? element(at, strtoul(step, NULL, 10))
                              : json_member(at.ptr, at.len, step);
        path += len + (path[len] == '.');
    }
    return at;
}

static struct json_slice must_be(const char *answer, const char *path)
{
    struct json_slice at = answer_at(answer, path);
    if (!at.ptr)
        fail_msg("there is no %s in %s", path, answer);
    return at;
}

const char *answer_text(struct fixture *f, const char *answer, const char *path)
{
    struct json_slice at = must_be(answer, path);
    if (at.ptr[0] != '"')
        fail_msg("%s is not a string in %s", path, answer);
    char *text = arena_strndup(&f->arena, at.ptr + 1, at.len - 2);
    text[json_unescape(text, text, at.len - 2)] = '\0';
    return text;
}

int64_t answer_number(const char *answer, const char *path)
{
    int64_t number;
    if (json_integer(must_be(answer, path), &number))
        fail_msg("%s is no number in %s", path, answer);
    return number;
}

size_t answer_count(const char *answer, const char *path)
{
    size_t count = 0;
    struct json_slice at = must_be(answer, path);
    if (at.ptr[0] != '[')
        fail_msg("%s is no list in %s", path, answer);
    for (struct json_each it = json_each(at); json_next(&it);)
        count++;
    return count;
}

bool answer_is_null(const char *answer, const char *path)
{
    return must_be(answer, path).ptr[0] == 'n';
}

void answer_is(const char *answer, const char *path, const char *expected)
{
    struct json_slice at = answer_at(answer, path);
    size_t len = strlen(expected), i = 0;
    while (at.ptr && i < len && i < at.len &&
           at.ptr[i] == (expected[i] == '\'' ? '"' : expected[i]))
        i++;
    if (!at.ptr || at.len != len || i < len)
        fail_msg("%s is %.*s, not %s", path, (int)at.len, at.ptr ? at.ptr : "", expected);
}

void answer_is_text(struct fixture *f, const char *answer, const char *path, const char *expected)
{
    const char *text = answer_text(f, answer, path);
    if (strcmp(text, expected) != 0)
        fail_msg("%s is \"%s\", not \"%s\"", path, text, expected);
}

void operate_as_person(struct fixture *f, enum operation op, const char *ref, const char *flag)
{
    static const struct actor person = {
        .class = ACTOR_PERSON, .name = "sean", .origin = "explorer"};
    struct request q = REQUEST_INIT;
    struct plan p;
    struct error e = {0};
    q.refs = &ref;
    q.ref_count = 1;
    q.flag = flag;
    if (operation_run_now(f->store, &person, op, &q, &f->arena, &p, &e))
        fail_msg("%s: %s", ref, e.what);
}

int64_t event_count(struct fixture *f)
{
    struct error e;
    return journal_last(f->reader, &e);
}
