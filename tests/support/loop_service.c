#include "tests/support/loop_service.h"

#include <math.h>
#include <unistd.h>
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/record/put.h"
#include "tests/support/test.h"

static struct json_slice argument(const struct mcp_call *call, const char *name)
{
    return json_member(call->arguments.ptr, call->arguments.len, name);
}

static int echo(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct json_slice text = argument(call, "text");
    strbuf_addstr(&call->result, "{\"text\":");
    strbuf_add(&call->result, text.ptr ? text.ptr : "\"\"", text.ptr ? text.len : 2);
    strbuf_addch(&call->result, '}');
    return 0;
}

static int count(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t notes;
    if (db_int(reader_db(r), &notes, 0, e, "SELECT count(*) FROM memory WHERE kind = ?", "i",
               (int64_t)KIND_NOTE))
        return -1;
    strbuf_addf(&call->result, "{\"notes\":%lld}", (long long)notes);
    return 0;
}

static _Thread_local bool is_loop; /* otherwise this is a reading thread */

/* Counts to `steps` in SQLite. */
static int step(struct reader *r, int64_t steps, int64_t *rows, struct error *e)
{
    return db_int(reader_db(r), rows, 0, e,
                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                  "SELECT count(*) FROM n",
                  "i", steps);
}

static int churn(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t steps = 0, rows;
    json_integer(argument(call, "steps"), &steps);
    strbuf_addf(&call->result, "{\"thread\":\"%s\",", is_loop ? "loop" : "reading");
    if (step(r, steps, &rows, e))
        return -1;
    strbuf_addf(&call->result, "\"rows\":%lld}", (long long)rows);
    return 0;
}

static int scan(struct mcp_call *call, struct reader *r, struct error *e)
{
    int64_t rows;
    return step(r, INT64_MAX, &rows, e);
}

static int note(struct mcp_call *call, struct txn *t, struct error *e)
{
    struct json_slice text = argument(call, "text");
    char id[37], kept[128] = "?";
    store_make_id(txn_store(t), id);
    if (text.len >= 2 && text.len - 2 < sizeof(kept))
        kept[json_unescape(kept, text.ptr + 1, text.len - 2)] = '\0';
    struct memory m = {.ref = {KIND_NOTE, id},
                       .agent_id = call->actor.agent,
                       .text = kept,
                       .created_at = txn_now(t),
                       .updated_at = txn_now(t),
                       .confidence = 0.8,
                       .source_type = "direct_experience",
                       .version = 1};
    if (txn_put(t, &call->actor, "add", NULL, &m, NULL, e))
        return -1;
    call->subject = m.node;
    strbuf_addf(&call->result, "{\"ref\":\"note:%s\"}", id);
    return 0;
}

static int refuse(struct mcp_call *call, struct txn *t, struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Do not.", "nobody may");
}

static const struct field text_of[] = {{.name = "text", .type = FIELD_STRING}, FIELD_END};
static const struct field steps_of[] = {{.name = "steps", .type = FIELD_INTEGER}, FIELD_END};

static const struct mcp_tool echo_tool = {.name = "echo",
                                          .title = "Echo",
                                          .description = "Says it again.",
                                          .arguments = text_of,
                                          .work = WORK_READ,
                                          .read = echo};
static const struct mcp_tool count_tool = {.name = "count",
                                           .title = "Count",
                                           .description = "Counts notes.",
                                           .work = WORK_READ,
                                           .read = count};
static const struct mcp_tool churn_tool = {.name = "churn",
                                           .title = "Churn",
                                           .description = "Reads so much.",
                                           .arguments = steps_of,
                                           .work = WORK_READ,
                                           .read = churn};
static const struct mcp_tool scan_tool = {.name = "scan",
                                          .title = "Scan",
                                          .description = "Reads for ever.",
                                          .work = WORK_LONG,
                                          .read = scan};
static const struct mcp_tool note_tool = {.name = "note",
                                          .title = "Note",
                                          .description = "Adds a note.",
                                          .arguments = text_of,
                                          .work = WORK_WRITE,
                                          .write = note};
static const struct mcp_tool refuse_tool = {.name = "refuse",
                                            .title = "Refuse",
                                            .description = "Fails.",
                                            .work = WORK_WRITE,
                                            .write = refuse};

/* It has no resources. */
static int nothing(struct mcp_call *call, struct reader *r, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "", "there is nothing here");
}

const struct mcp_service *loop_service(void)
{
    static const struct mcp_tool *const tools[] = {&echo_tool, &count_tool, &churn_tool,
                                                   &scan_tool, &note_tool,  &refuse_tool};
    static const struct mcp_service service = {.name = "loop",
                                               .title = "Loop",
                                               .version = "1",
                                               .tools = tools,
                                               .tool_count = sizeof(tools) / sizeof(tools[0]),
                                               .list_resources = nothing,
                                               .read_resource = nothing,
                                               .complete = nothing};
    return &service;
}

/* ---- a server in a thread ---- */

static void *run(void *arg)
{
    struct error e;
    is_loop = true;
    mcp_server_run(arg, &e);
    return NULL;
}

const char *running_path(struct running *r)
{
    const char *path;
    for (int i = 0; !(path = mcp_server_path(r->server)); i++) {
        if (i == 60000)
            fail_msg("it does not listen");
        usleep(1000);
    }
    return path;
}

void running_start(struct running *r, struct store *s, bool wait)
{
    struct mcp_server_options options = {0};
    running_start_with(r, s, &options, wait);
}

void running_start_with(struct running *r, struct store *s,
                        const struct mcp_server_options *options, bool wait)
{
    struct error e = {0};
    struct mcp_server_options own = *options;
    own.http = &http_transport;
    r->server = mcp_server_new(s, loop_service(), &own, &e);
    if (!r->server || mcp_server_listen(r->server, &e))
        fail_msg("%s", e.what);
    assert_int_equal(pthread_create(&r->thread, NULL, run, r->server), 0);
    if (wait)
        running_path(r);
}

void running_stop(struct running *r)
{
    mcp_server_stop(r->server);
    pthread_join(r->thread, NULL);
    mcp_server_free(r->server);
}
