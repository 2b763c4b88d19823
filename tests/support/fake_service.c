#include "tests/support/fake_service.h"

#include "model/base/alloc.h"
#include "tests/support/test.h"

/* ---- tools ---- */

static int64_t number(const struct mcp_call *call, const char *name, int64_t otherwise)
{
    int64_t value;
    struct json_slice s = json_member(call->arguments.ptr, call->arguments.len, name);
    return s.ptr && json_integer(s, &value) == 0 ? value : otherwise;
}

static int say(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct json_slice text = json_member(call->arguments.ptr, call->arguments.len, "text");
    strbuf_addstr(&call->result, "{\"said\":");
    strbuf_add(&call->result, text.ptr, text.len);
    strbuf_addstr(&call->result, ",\"agent\":");
    json_add_string(&call->result,
                    agent_label(&call->arena, call->actor.agent, call->actor.claimed));
    strbuf_addch(&call->result, '}');
    return 0;
}

static int fail_it(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "{\"half\":");
    return error_set(e, (enum error_code)number(call, "how", ERROR_NOT_FOUND), "Try another.",
                     "there is none");
}

static int wait_for_it(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "{\"waited\":true}");
    return 0;
}

static int count_up(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t to = number(call, "to", 3);
    for (int64_t i = 1; i <= to; i++) {
        mcp_call_progress(call, (double)i, (double)to);
        mcp_connection_send_progress(call);
        mcp_call_progress(call, (double)i, (double)to);
    }
    call->warning = "counted";
    strbuf_addstr(&call->result, "{}");
    return 0;
}

static int write_it(struct mcp_call *call, struct txn *t, struct error *e)
{
    strbuf_addstr(&call->result, "{\"ref\":\"belief:1\"}");
    return 0;
}

static int fill(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "{\"said\":\"");
    strbuf_addchars(&call->result, 'x', (size_t)number(call, "bytes", 0));
    strbuf_addstr(&call->result, "\"}");
    return 0;
}

static int write_lines(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result,
                  "{\n  \"a\" : [ 1,\r\n 2 ],\n  \"b\": \" x\\n \\\"y\\\" \\\\ \"\n}\n");
    return 0;
}

static int draw(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "{\"content\":[{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":"
                                 "\"image/png\"}]}");
    return 0;
}

static int tell(struct mcp_call *call, struct reader *r, struct error *e)
{
    static const char *const events[] = {"{\"one\":1}", "{\"two\":[null,\"2\"]}"};
    call->events = arena_memdup(&call->arena, events, sizeof(events));
    call->event_count = 2;
    strbuf_addstr(&call->result, "{}");
    int64_t how = number(call, "how", ERROR_NONE);
    return how ? error_set(e, (enum error_code)how, "", "no") : 0;
}

static void tell_failure(const struct mcp_call *call, int64_t at, struct strbuf *event)
{
    strbuf_addf(event, "{\"error\":\"%s\",\"timely\":%s}", call->error.what,
                at > 1500000000000 ? "true" : "false");
}

static const struct field text_arguments[] = {
    {.name = "text", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "What to say."},
    {.name = "agent_id", .type = FIELD_STRING},
    FIELD_END,
};
static const struct field text_answer[] = {
    {.name = "said", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "agent", .type = FIELD_STRING},
    FIELD_END,
};
static const struct field how[] = {{.name = "how", .type = FIELD_INTEGER}, FIELD_END};
static const struct field to[] = {{.name = "to", .type = FIELD_INTEGER}, FIELD_END};
static const struct field bytes[] = {{.name = "bytes", .type = FIELD_INTEGER}, FIELD_END};

static const struct mcp_tool say_tool = {
    .name = "say",
    .title = "Say",
    .description = "Says \"it\".",
    .arguments = text_arguments,
    .answer = text_answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = say,
};
static const struct mcp_tool fail_tool = {
    .name = "fail", .description = "Fails.", .arguments = how, .work = WORK_READ, .read = fail_it};
static const struct mcp_tool wait_tool = {
    .name = "wait", .description = "Waits.", .work = WORK_LONG, .read = wait_for_it};
static const struct mcp_tool count_tool = {.name = "count",
                                           .description = "Counts.",
                                           .arguments = to,
                                           .work = WORK_LONG,
                                           .read = count_up};
static const struct mcp_tool write_tool = {.name = "write",
                                           .description = "Writes.",
                                           .hints = HINT_DESTRUCTIVE,
                                           .work = WORK_WRITE,
                                           .write = write_it};
static const struct mcp_tool fill_tool = {
    .name = "fill", .description = "Fills.", .arguments = bytes, .work = WORK_READ, .read = fill};
static const struct mcp_tool lines_tool = {
    .name = "lines", .description = "Lines.", .work = WORK_READ, .read = write_lines};
static const struct mcp_tool picture_tool = {
    .name = "picture", .description = "Draws.", .work = WORK_READ, .read = draw, .whole = true};
static const struct mcp_tool tell_tool = {.name = "tell",
                                          .description = "Tells.",
                                          .arguments = how,
                                          .work = WORK_READ,
                                          .read = tell,
                                          .logger = "fake.events",
                                          .failed = tell_failure};
static const struct mcp_tool *const tools[] = {&say_tool,   &fail_tool,    &wait_tool,
                                               &count_tool, &write_tool,   &fill_tool,
                                               &lines_tool, &picture_tool, &tell_tool};

/* ---- resources and prompts ---- */

static int list_things(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct json_slice cursor = json_member(call->arguments.ptr, call->arguments.len, "cursor");
    if (cursor.len > 2)
        return error_set(e, ERROR_INVALID, "Begin anew.", "no page has that cursor");
    strbuf_addstr(&call->result, "\"resources\":[{\"uri\":\"fake://thing/1\",\"name\":\"one\"}]");
    return 0;
}

static int changes_of[10]; /* of each thing since fake_open; [0] is for all of them */

static int read_thing(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct json_slice uri = json_member(call->arguments.ptr, call->arguments.len, "uri");
    char name[64];
    int number = 0;
    snprintf(name, sizeof(name), "%.*s", (int)uri.len - 2, uri.ptr + 1);
    if (strcmp(name, "fake://things") != 0) {
        if (strncmp(name, "fake://thing/", 13) != 0 || name[13] < '1' || name[13] > '9' || name[14])
            return error_set(e, ERROR_NOT_FOUND, "", "no such thing");
        number = name[13] - '0';
    }
    call->subject = number;
    strbuf_addf(&call->result, "\"contents\":[{\"uri\":\"%s\",\"text\":\"a thing", name);
    if (changes_of[number])
        strbuf_addf(&call->result, ", changed %d times", changes_of[number]);
    strbuf_addstr(&call->result, "\"}]");
    return 0;
}

static int complete(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result,
                  "\"completion\":{\"values\":[\"ash\"],\"total\":1,\"hasMore\":false}");
    return 0;
}

static int greet(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "\"description\":\"A greeting\",\"messages\":[{\"role\":\"user\","
                                 "\"content\":{\"type\":\"text\",\"text\":\"Good morning\"}}]");
    return 0;
}

static const struct field greet_arguments[] = {
    {.name = "name", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "Whom."},
    FIELD_END,
};
static const struct mcp_prompt prompts[] = {
    {"greet", "Greet", "Greets someone.", greet_arguments, greet, false},
};
static const struct mcp_template templates[] = {
    {"fake://thing/{n}", "thing", "A thing", "One of nine.", "text/plain"},
};

static void instruct(const struct mcp_offer *sets, struct strbuf *out)
{
    strbuf_addstr(out, "Use it.");
}

const struct mcp_service *fake_service(void)
{
    static const struct mcp_service service = {
        .name = "fake",
        .title = "A fake",
        .version = "1.2.3",
        .instructions = instruct,
        .tools = tools,
        .tool_count = sizeof(tools) / sizeof(*tools),
        .templates = templates,
        .template_count = 1,
        .prompts = prompts,
        .prompt_count = 1,
        .list_resources = list_things,
        .read_resource = read_thing,
        .complete = complete,
    };
    return &service;
}

/* ---- the host of the connection ---- */

static void carry_out(struct mcp_call *call)
{
    int bad = call->work == WORK_WRITE ? call->write(call, NULL, &call->error)
                                       : call->read(call, NULL, &call->error);
    if (!bad)
        call->error.code = ERROR_NONE;
    mcp_connection_answer(call);
}

static void start(struct mcp_host *h, struct mcp_call *call)
{
    struct fake *f = (struct fake *)h;
    f->started++;
    if (call->tool != &wait_tool) {
        carry_out(call);
        return;
    }
    call->next = f->waiting;
    f->waiting = call;
}

static void take_out(struct fake *f, struct mcp_call *call)
{
    struct mcp_call **link = &f->waiting;
    while (*link != call)
        link = &(*link)->next;
    *link = call->next;
}

static void cancel(struct mcp_host *h, struct mcp_call *call)
{
    struct fake *f = (struct fake *)h;
    f->cancelled++;
    if (!f->answers_cancelled)
        return;
    take_out(f, call);
    error_set(&call->error, ERROR_INTERRUPTED, "", "it was cancelled");
    mcp_connection_answer(call);
}

static void progress(struct mcp_host *h, struct mcp_call *call)
{
    ((struct fake *)h)->told++;
}

void fake_open(struct fake *f, const struct mcp_service *service)
{
    static const struct mcp_peer peer = {.transport = "stdio", .uid = -1, .pid = -1};
    memset(changes_of, 0, sizeof(changes_of));
    *f = (struct fake){.host = {.start = start, .cancel = cancel, .progress = progress}};
    f->c = mcp_connection_new(service, &f->host, &peer);
}

void fake_change(struct fake *f, int first, int last)
{
    for (; first <= last; first++) {
        changes_of[first]++;
        changes_of[0]++;
    }
    mcp_connection_mark_changed(f->c);
    assert_true(mcp_connection_check_changed(f->c, INT64_MAX));
}

void fake_close(struct fake *f)
{
    mcp_connection_free(f->c);
    f->c = NULL;
    while (fake_finish(f))
        ;
    free(f->heard);
    f->heard = NULL;
}

int fake_set_up(void **state)
{
    struct fake *f = xmalloc(sizeof(*f));
    fake_open(f, fake_service());
    *state = f;
    return 0;
}

int fake_tear_down(void **state)
{
    fake_close(*state);
    free(*state);
    return 0;
}

bool fake_finish(struct fake *f)
{
    if (!f->waiting)
        return false;
    struct mcp_call *last = f->waiting;
    while (last->next)
        last = last->next;
    take_out(f, last);
    carry_out(last);
    return true;
}

size_t fake_waiting(const struct fake *f)
{
    size_t count = 0;
    for (const struct mcp_call *call = f->waiting; call; call = call->next)
        count++;
    return count;
}

void fake_send_bytes(struct fake *f, const char *text, size_t len)
{
    size_t step = f->bytewise ? 1 : len;
    for (size_t i = 0; i < len; i += step) {
        mcp_connection_feed(f->c, text + i, step);
        while (mcp_connection_next(f->c))
            ;
    }
}

void fake_send(struct fake *f, const char *text)
{
    fake_send_bytes(f, text, strlen(text));
}

const char *fake_output(struct fake *f)
{
    struct strbuf *out = mcp_connection_out(f->c);
    free(f->heard);
    f->heard = malloc(out->len + 1);
    assert_non_null(f->heard);
    memcpy(f->heard, out->buf, out->len + 1);
    for (const char *at = f->heard, *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        assert_non_null(end);
        shape_check(at, (size_t)(end - at));
    }
    strbuf_release(out);
    return f->heard;
}
