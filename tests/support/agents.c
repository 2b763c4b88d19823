#include "tests/support/agents.h"

#include "model/base/alloc.h"
#include "model/format/memory_json.h"
#include "store/record/put.h"
#include "tests/support/findings.h"
#include "tests/support/scratch.h"

struct call_log *agents_open(struct store *s)
{
    struct error e = {0};
    struct call_log *l = call_log_open(s);
    if (!l)
        fail_msg("%s", e.what);
    return l;
}

struct session *agents_join(struct call_log *l, const char *client, const char *agent)
{
    struct session_start start = {.client = client,
                                  .client_version = "2.1",
                                  .era = "2025-11-25",
                                  .transport = "socket",
                                  .actor = agent,
                                  .task = "look after the deploys",
                                  .peer_uid = 1000,
                                  .peer_pid = 4711};
    return session_begin(l, &start);
}

struct writing {
    struct session *session;
    struct actor actor;
    char *line;
    int64_t node;
};

static int run(struct txn *t, void *arg, struct error *e)
{
    struct writing *w = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int failed = w->session ? session_admit(t, w->session, &w->actor.session, e) : 0;
    if (!failed)
        failed = memory_json_read(&m, &arena, w->line, strlen(w->line), w->actor.agent, txn_now(t),
                                  NULL, e);
    if (!failed)
        failed = txn_put(t, &w->actor, "add", NULL, &m, NULL, e);
    w->node = failed ? 0 : m.node;
    return failed ? -1 : 0;
}

static struct writing writing_of(struct session *session, const char *agent, const char *line)
{
    return (struct writing){
        .session = session,
        .actor = {.class = ACTOR_AGENT, .name = agent, .agent = agent, .origin = "mcp"},
        .line = xstrdup(line)};
}

int64_t agents_write(struct store *s, struct session *session, const char *agent, const char *line)
{
    struct writing w = writing_of(session, agent, line);
    struct error e = {0};
    if (store_run(s, run, &w, &e))
        fail_msg("%s %s: %s", e.what, e.hint, line);
    if (session)
        session_note(session, &(struct call_note){.tool = "memory_add",
                                                  .subject = w.node,
                                                  .at = store_now(s),
                                                  .took_us = 3100,
                                                  .bytes = 240,
                                                  .wrote = true});
    free(w.line);
    return w.node;
}

static void sent(void *arg, const struct error *e)
{
    AUTO_FREE struct writing *w = arg;
    free(w->line);
}

bool agents_send(struct store *s, struct session *session, const char *agent, const char *line)
{
    struct writing *w = xmalloc(sizeof(*w));
    struct error e;
    *w = writing_of(session, agent, line);
    if (!store_submit(s, run, sent, w, &e))
        return true;
    sent(w, &e);
    return false;
}

void agents_ask(struct session *session, const char *tool, int64_t subject, int64_t at,
                enum error_code outcome)
{
    session_note(session, &(struct call_note){.tool = tool,
                                              .subject = subject,
                                              .at = at,
                                              .took_us = 640,
                                              .outcome = outcome,
                                              .bytes = 1600,
                                              .full_bytes = outcome == ERROR_NONE ? 12000 : 0});
}

int empty_job(struct txn *t, void *arg, struct error *e)
{
    return 0;
}

void agents_flush(struct store *s, struct call_log *l)
{
    struct error e;
    for (int i = 0; i < 2; i++) {
        call_log_flush(l);
        if (store_run(s, empty_job, NULL, &e))
            fail_msg("%s", e.what);
    }
    call_log_flush(l);
}

void place_serve(struct place *p)
{
    struct error e;
    p->store = scratch_store(p->path);
    p->log = agents_open(p->store);
    p->reader = reader_open(p->store, &e);
    assert_non_null(p->reader);
}

void place_stop(struct place *p)
{
    call_log_close(p->log);
    reader_close(p->reader);
    store_close(p->store);
    expect_sound_file(p->path);
}

void place_open(struct place *p, const char *name)
{
    *p = (struct place){.path = scratch_path(name)};
    place_serve(p);
}

void place_close(struct place *p)
{
    place_stop(p);
    arena_release(&p->arena);
    free(p->path);
}
