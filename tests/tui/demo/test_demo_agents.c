/* The agents of the live demo against the program: each scene is played over a real socket. */
#include <cjson/cJSON.h>
#include "tests/support/test.h"
#include "tui/demo/demo.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "store/open.h"
#include "store/query/list.h"
#include "tests/support/client.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/listed.h"

#define ROUNDS  4
#define WAIT_MS 60000

/* The demo's default limits: Claire writes only for herself, and not much. */
static const char rules[] = "tool_permissions:\n"
                            "  listMemory: {allowed_namespaces: [session.*, agent.*, public.*], "
                            "operations: [read]}\n"
                            "  getContext: {allowed_context_types: [session, agent, task], "
                            "operations: [read]}\n"
                            "namespaces:\n"
                            "  \"session.*\": {max_items: 5, max_bytes: 2000, evict: oldest}\n"
                            "  agent.claire: {pii: refuse, max_items: 50, max_bytes: 600}\n"
                            "agents:\n"
                            "  claire:\n"
                            "    tool_permissions:\n"
                            "      putMemory:\n"
                            "        allowed_namespaces: [agent.claire]\n"
                            "        operations: [write]\n"
                            "        max_ttl_seconds: 600\n";

static char *store, *configuration;
static struct served server;

static void start_server(void)
{
    CLIENT_START(&server.program, "serve", "--store", store, "--config", configuration);
    const char *path = client_read(&server.program);
    assert_non_null(path);
    snprintf(server.path, sizeof(server.path), "%s", path);
}

static int begin(void **state)
{
    struct error e;
    store = scratch_path("demo.db");
    if (story_replay(store, (int64_t)time(NULL) * 1000, &e))
        fail_msg("%s", e.what);
    configuration = scratch_path("rules.yaml");
    AUTO_STRBUF all = STRBUF_INIT;
    struct endpoint ash, claire;
    if (demo_agent_socket(&ash, store, NULL, "ash", &e) ||
        demo_agent_socket(&claire, store, NULL, "claire", &e))
        fail_msg("%s", e.what);
    strbuf_addf(&all, "%s    socket: %s\n  ash:\n    socket: %s\n", rules, claire.path, ash.path);
    strbuf_addstr(&all, "    tool_permissions: {putMemory: {allowed_namespaces: [session.*, "
                        "agent.oncall], operations: [write]}}\n");
    scratch_write(configuration, all.buf, all.len);
    start_server();
    return 0;
}

static int end(void **state)
{
    assert_int_equal(served_stop(&server), 0);
    free(store);
    free(configuration);
    return 0;
}

/* ---- scenes ---- */

struct heard {
    const cJSON *scene;
    size_t done, failed;
};

static void hear(void *arg, const cJSON *step, enum demo_answer answer)
{
    struct heard *h = arg;
    bool fails = cJSON_IsTrue(cJSON_GetObjectItem(step, "fails"));
    if (answer != (fails ? DEMO_FAILED : DEMO_DONE))
        fail_msg("%s: %s was %s", demo_member(h->scene, "name"), demo_member(step, "call"),
                 answer == DEMO_DONE     ? "answered"
                 : answer == DEMO_FAILED ? "refused"
                                         : "cut off");
    h->done += answer == DEMO_DONE;
    h->failed += answer == DEMO_FAILED;
}

static void play_all(const cJSON *agent)
{
    struct heard heard = {0};
    int leash[2];
    const cJSON *names = cJSON_GetObjectItem(agent, "scenes");
    int count = cJSON_GetArraySize(names);
    assert_int_equal(pipe(leash), 0);
    struct demo_stage stage = {
        .client = {.name = demo_member(agent, "name"),
                   .version = demo_member(agent, "version"),
                   .modern = cJSON_IsTrue(cJSON_GetObjectItem(agent, "modern")),
                   .leash = leash[0],
                   .fd = -1,
                   .in = STRBUF_INIT},
        .telling = {.seed = 20261120},
        .hurried = true,
        .reported = hear,
        .arg = &heard,
    };
    struct endpoint where = {.listener = -1};
    struct error e;
    assert_int_equal(demo_agent_socket(&where, store, NULL, stage.client.name, &e), 0);
    assert_int_equal(demo_client_connect(&stage.client, &where), DEMO_DONE);
    for (int i = 0; i < ROUNDS * count; i++) {
        heard.scene =
            demo_named(demo_list("scenes"), cJSON_GetArrayItem(names, i % count)->valuestring);
        assert_int_equal(demo_scene_play(&stage, heard.scene), DEMO_DONE);
    }
    demo_client_close(&stage.client);
    demo_text_begin(&stage.telling);
    close(leash[0]);
    close(leash[1]);
    assert_true(heard.done > (size_t)(ROUNDS * count));
    assert_true(heard.failed > 0);
}

GROUP(begin, end);

TEST(ash_plays_every_scene)
{
    play_all(cJSON_GetArrayItem(demo_list("agents"), 0));
}

TEST(claire_plays_every_scene)
{
    play_all(cJSON_GetArrayItem(demo_list("agents"), 1));
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Waits until the call log, which is written once a second, has that outcome. */
static void wait_for_outcome(struct program *p, const char *outcome)
{
    for (int waited = 0; waited < WAIT_MS; waited += 100) {
        PROGRAM(p, "log", "--calls", "--operation", "putMemory", "--json", "--store", store);
        if (p->status == 0 && strstr(p->out, outcome))
            return;
        pause_ms(100);
    }
    fail_msg("nobody met %s", outcome);
}

TEST(agents_meet_each_refusal)
{
    struct program p = {0};
    wait_for_outcome(&p, "\"PERMISSION_DENIED\"");
    wait_for_outcome(&p, "\"PII_DETECTED\"");
    wait_for_outcome(&p, "\"QUOTA_EXCEEDED\"");
    program_release(&p);
}

TEST(shared_entries_are_stored_and_masked)
{
    struct program p = {0};
    PROGRAM(&p, "list", "entry", "--json", "--store", store);
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "@example.com\""));
    assert_null(strstr(p.out, "[redacted"));
    PROGRAM(&p, "list", "belief", "--agent", "ash", "--json", "--store", store);
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "\"antecedents\":[{\"ref\":\"entry:"));
    PROGRAM(&p, "metrics", "--prometheus", "--store", store);
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "\nmemory_tool_pii_redactions_total{"));
    program_release(&p);
}

TEST(written_memories_are_complete)
{
    struct program p = {0};
    PROGRAM(&p, "fsck", "--store", store);
    assert_int_equal(p.status, 0);
    program_release(&p);
}

/* ---- processes ---- */

static int64_t count_memories(void)
{
    struct error e;
    int64_t count = 0;
    struct store *s = store_open(store, &(struct store_options){.read_only = true}, NULL, &e);
    struct reader *r = s ? reader_open(s, &e) : NULL;
    if (!r || listed_count(r, &(struct list_query){0}, &count, &e))
        fail_msg("%s", e.what);
    reader_close(r);
    store_close(s);
    return count;
}

TEST(agents_write_until_stopped)
{
    struct demo_agents agents = DEMO_AGENTS_INIT;
    struct error e;
    int64_t before = count_memories();
    assert_int_equal(demo_agents_start(&agents, store, &e), 0);
    for (int waited = 0; count_memories() == before && waited < WAIT_MS; waited += 100)
        pause_ms(100);
    assert_true(count_memories() > before);
    struct demo_agents were = agents;
    demo_agents_stop(&agents);
    for (int i = 0; i < DEMO_AGENTS; i++) {
        assert_int_equal(agents.pids[i], 0);
        assert_int_equal(kill(were.pids[i], 0), -1);
        assert_int_equal(errno, ESRCH);
    }
}

/* If the explorer is killed, the agents end by themselves. */
TEST(agents_end_with_their_parent)
{
    int status, ended = 0;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    pid_t parent = fork();
    if (parent == 0) {
        struct demo_agents agents = DEMO_AGENTS_INIT;
        struct error e;
        _exit(demo_agents_start(&agents, store, &e) ? 1 : 0);
    }
    assert_int_equal(waitpid(parent, &status, 0), parent);
    assert_int_equal(status, 0);
    for (int waited = 0; ended < DEMO_AGENTS && waited < WAIT_MS; waited += 20) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ended++;
        pause_ms(20);
    }
    assert_int_equal(ended, DEMO_AGENTS);
}
