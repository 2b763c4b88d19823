#include "tests/support/test.h"
#include "tests/support/tool_call.h"
#include "tests/support/guarded.h"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
#include "model/json/json.h"
#include "store/entries/entry.h"
#include "store/mcp/tools/service.h"
#include "store/mcp/http/http.h"

void guarded_open(struct guarded *g)
{
    *g = (struct guarded){.next = 1, .said = STRBUF_INIT};
    fixture_open(&g->f);
}

static struct guard_rules *rules_now(void *arg)
{
    struct guarded *g = arg;
    return guard_rules_hold(__atomic_load_n(&g->rules, __ATOMIC_ACQUIRE));
}

void guarded_rules(struct guarded *g, struct permissions *p)
{
    struct error e = {0};
    struct guard_rules *rules = service_rules_new(p, &e), *old = g->rules;
    if (!rules)
        fail_msg("%s", e.what);
    __atomic_store_n(&g->rules, rules, __ATOMIC_RELEASE);
    guard_rules_release(old); /* requests hold their own, and none is running */
}

static void *run(void *arg)
{
    struct error e = {0};
    mcp_server_run(arg, &e);
    return NULL;
}

void guarded_begin(struct guarded *g, struct permissions *p, const char *agent)
{
    int pair[2];
    pthread_t thread;
    struct error e = {0};
    guarded_rules(g, p);
    const struct mcp_server_options options = {
        .agent = agent, .rules = rules_now, .rules_arg = g, .http = &http_transport};
    g->server = mcp_server_new(g->f.store, service_of_all(), &options, &e);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    if (!g->server)
        fail_msg("%s", e.what);
    mcp_server_attach(g->server, pair[0], pair[0]);
    assert_int_equal(pthread_create(&thread, NULL, run, g->server), 0);
    g->thread = (unsigned long)thread;
    g->client = (struct client){.in = pair[1], .out = pair[1], .err = -1, .got = STRBUF_INIT};
    client_initialize(&g->client, "2025-11-25");
}

void guarded_end(struct guarded *g)
{
    if (!g->server)
        return;
    client_close(&g->client);
    mcp_server_stop(g->server);
    pthread_join((pthread_t)g->thread, NULL);
    mcp_server_free(g->server);
    g->server = NULL;
}

void guarded_close(struct guarded *g)
{
    guarded_end(g);
    guard_rules_release(g->rules);
    strbuf_release(&g->said);
    fixture_close(&g->f);
}

const char *guarded_ask(struct guarded *g, const char *method, const char *params)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":", g->next++,
                method);
    for (const char *at = params; *at; at++)
        strbuf_addch(&line, *at == '\'' ? '"' : *at);
    strbuf_addch(&line, '}');
    return client_ask(&g->client, line.buf);
}

const char *guarded_tool(struct guarded *g, const char *tool, const char *arguments)
{
    AUTO_STRBUF params = STRBUF_INIT;
    strbuf_addf(&params, "{\"name\":\"%s\",\"arguments\":%s}", tool, arguments);
    const char *line = guarded_ask(g, "tools/call", params.buf);
    struct json_slice result = json_member(line, strlen(line), "result");
    if (!result.ptr)
        return line;
    struct json_slice content = json_member(result.ptr, result.len, "structuredContent");
    strbuf_clear(&g->said);
    strbuf_add(&g->said, content.ptr ? content.ptr : result.ptr,
               content.ptr ? content.len : result.len);
    return g->said.buf;
}

struct putting {
    struct entry_put put;
    struct actor actor;
    struct arena *arena;
    struct entry_done done;
};

static int put(struct txn *t, void *arg, struct error *e)
{
    struct putting *p = arg;
    return entry_put(t, &p->actor, &p->put, p->arena, &p->done, e);
}

const char *guarded_put(struct guarded *g, const char *agent, const char *name, const char *key,
                        const char *value)
{
    struct error e = {0};
    struct putting p = {
        .put = {.namespace_ = name,
                .key = key,
                .value = value,
                .value_len = strlen(value),
                .ttl_seconds = -1},
        .actor = {.class = ACTOR_AGENT, .name = agent, .agent = agent, .origin = "mcp"},
        .arena = &g->f.arena};
    if (store_run(g->f.store, put, &p, &e))
        fail_msg("%s: %s", key, e.what);
    AUTO_STRBUF ref = STRBUF_INIT;
    ref_add(&ref, p.done.ref);
    return arena_strndup(&g->f.arena, ref.buf, ref.len);
}
