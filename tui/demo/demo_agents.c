#include "tui/demo/demo_agents.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "store/open.h"
#include "store/platform/platform.h"

#define KNOCK_MS  150 /* between two attempts to connect */
#define AWAY_MS   20000
#define SCENES_MS 2500 /* least time between two scenes; at most three times that */

/* ---- an agent's process ---- */

/* The terminal belongs to the explorer: this process must not write there. */
static void leave_terminal(void)
{
    static const int ending[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGQUIT};
    sigset_t none;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd <= 2 && null >= 0; fd++)
        dup2(null, fd);
    for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
        signal(ending[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
}

int demo_agent_socket(struct endpoint *where, const char *path, const char *runtime_dir,
                      const char *agent, struct error *e)
{
    struct store_options options = {.read_only = true, .runtime_dir = runtime_dir};
    struct store *s = store_open(path, &options, NULL, e);
    int result = s ? endpoint_find(where, s, true, e) : -1;
    store_close(s);
    if (result)
        return -1;
    size_t stem = strlen(where->path) - strlen(".sock");
    snprintf(where->path + stem, sizeof(where->path) - stem, "-%s.sock", agent);
    return 0;
}

static struct agent_grants *find_or_add(struct permissions *p, const char *agent)
{
    for (size_t i = 0; i < p->agent_count; i++)
        if (strcmp(p->agents[i].agent, agent) == 0)
            return &p->agents[i];
    struct agent_grants *more = arena_array(&p->arena, p->agent_count + 1, sizeof(*more));
    if (p->agent_count)
        memcpy(more, p->agents, p->agent_count * sizeof(*more));
    p->agents = more;
    p->agents[p->agent_count] = (struct agent_grants){.agent = agent};
    return &p->agents[p->agent_count++];
}

int demo_sockets_add(struct permissions *p, const char *path, const char *runtime_dir,
                     struct error *e)
{
    for (int i = 0; i < DEMO_AGENTS; i++) {
        struct endpoint where;
        const char *name = demo_member(cJSON_GetArrayItem(demo_list("agents"), i), "name");
        if (demo_agent_socket(&where, path, runtime_dir, name, e))
            return -1;
        find_or_add(p, name)->socket = arena_strdup(&p->arena, where.path);
    }
    return 0;
}

/* Plays scenes until the connection or the leash ends. */
static void play_scenes(struct demo_stage *stage, const cJSON *agent)
{
    const cJSON *names = cJSON_GetObjectItem(agent, "scenes");
    int next = 0;
    for (int played = 1;; played++) {
        const char *name = cJSON_GetArrayItem(names, next)->valuestring;
        if (demo_scene_play(stage, demo_named(demo_list("scenes"), name)) == DEMO_ENDED ||
            !demo_client_pause(&stage->client, SCENES_MS + (int)demo_text_random(&stage->telling, 0,
                                                                                 2 * SCENES_MS)))
            return;
        next = demo_scene_next(agent, played, next, &stage->telling);
    }
}

/* Reconnects some time after a disconnect. */
static void live(const struct demo_agents *a, const cJSON *agent, const char *path, int leash)
{
    struct demo_stage stage = {
        .client = {.name = demo_member(agent, "name"),
                   .version = demo_member(agent, "version"),
                   .modern = cJSON_IsTrue(cJSON_GetObjectItem(agent, "modern")),
                   .leash = leash,
                   .fd = -1,
                   .in = STRBUF_INIT},
        .telling = {.seed = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid()},
    };
    struct endpoint where;
    int wait = KNOCK_MS;
    do {
        struct error ignored;
        if (demo_agent_socket(&where, path, a->runtime_dir, stage.client.name, &ignored) == 0 &&
            demo_client_connect(&stage.client, &where) == DEMO_DONE) {
            play_scenes(&stage, agent);
            wait = AWAY_MS;
        }
        demo_client_close(&stage.client);
    } while (demo_client_pause(&stage.client, wait));
    demo_text_begin(&stage.telling);
}

/* ---- the explorer's side ---- */

static pid_t start_agent(const struct demo_agents *a, const cJSON *agent, const char *path,
                         const int leash[2])
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    close(leash[1]);
    leave_terminal();
    live(a, agent, path, leash[0]);
    _exit(0);
}

int demo_agents_start(struct demo_agents *a, const char *path, struct error *e)
{
    int leash[2];
    if (platform_pipe(leash, false))
        return error_set(e, ERROR_STORE, "End other programs and try again.",
                         "cannot start the agents: %s", strerror(errno));
    a->leash = leash[1];
    for (int i = 0; i < DEMO_AGENTS; i++) {
        a->pids[i] = start_agent(a, cJSON_GetArrayItem(demo_list("agents"), i), path, leash);
        if (a->pids[i] > 0)
            continue;
        error_set(e, ERROR_STORE, "End other programs and try again.",
                  "cannot start the agents: %s", strerror(errno));
        a->pids[i] = 0;
        close(leash[0]);
        demo_agents_stop(a);
        return -1;
    }
    close(leash[0]);
    return 0;
}

void demo_agents_stop(struct demo_agents *a)
{
    if (a->leash >= 0)
        close(a->leash);
    a->leash = -1;
    for (int i = 0; i < DEMO_AGENTS; i++) {
        if (a->pids[i] > 0)
            kill(a->pids[i], SIGTERM);
        while (a->pids[i] > 0 && waitpid(a->pids[i], NULL, 0) < 0 && errno == EINTR)
            ;
        a->pids[i] = 0;
    }
}

#define LEGACY "2025-11-25"
#define MODERN "2026-07-28"
#define CHUNK  65536

bool demo_client_pause(const struct demo_client *c, int ms)
{
    struct pollfd leash = {.fd = c->leash, .events = POLLIN};
    int ready;
    do
        ready = poll(&leash, 1, ms);
    while (ready < 0 && errno == EINTR);
    return ready == 0;
}

static bool send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        len -= (size_t)sent;
    }
    return true;
}

/* Reads more bytes. Returns false at the end. */
static bool read_more(struct demo_client *c)
{
    struct pollfd ends[2] = {{.fd = c->fd, .events = POLLIN}, {.fd = c->leash, .events = POLLIN}};
    if (poll(ends, 2, -1) < 0)
        return errno == EINTR;
    if (ends[1].revents)
        return false;
    strbuf_grow(&c->in, CHUNK);
    ssize_t got = recv(c->fd, c->in.buf + c->in.len, CHUNK, MSG_DONTWAIT);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    c->in.len += (size_t)got;
    c->in.buf[c->in.len] = '\0';
    return got > 0;
}

/* Reads the next line; valid until the next call. Returns false at the end. */
static bool read_line(struct demo_client *c, struct json_slice *line)
{
    size_t looked = c->taken;
    const char *end;
    while (!(end = memchr(c->in.buf + looked, '\n', c->in.len - looked))) {
        memmove(c->in.buf, c->in.buf + c->taken, c->in.len - c->taken);
        strbuf_cut(&c->in, c->in.len - c->taken);
        c->taken = 0;
        looked = c->in.len;
        if (!read_more(c))
            return false;
    }
    *line = (struct json_slice){c->in.buf + c->taken, (size_t)(end - c->in.buf) - c->taken};
    c->taken = (size_t)(end - c->in.buf) + 1;
    return true;
}

/* Reads the answer to the last request; skips notifications. */
static enum demo_answer read_answer(struct demo_client *c, struct json_slice *result)
{
    struct json_slice line;
    struct error e;
    int64_t id;
    while (read_line(c, &line)) {
        if (json_check(line.ptr, line.len, JSON_DEPTH_LIMIT, &e) ||
            json_integer(json_member(line.ptr, line.len, "id"), &id) || id != c->last_id)
            continue;
        struct json_slice failed = json_member(line.ptr, line.len, "error");
        *result = failed.ptr ? failed : json_member(line.ptr, line.len, "result");
        return failed.ptr ? DEMO_FAILED : DEMO_DONE;
    }
    return DEMO_ENDED;
}

static void add_identity(const struct demo_client *c, struct strbuf *out)
{
    strbuf_addf(out, "{\"name\":\"%s\",\"version\":\"%s\"}", c->name, c->version);
}

static void add_meta(const struct demo_client *c, struct strbuf *out)
{
    strbuf_addstr(out, "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" MODERN "\","
                       "\"io.modelcontextprotocol/clientCapabilities\":{},"
                       "\"io.modelcontextprotocol/clientInfo\":");
    add_identity(c, out);
    strbuf_addch(out, '}');
}

enum demo_answer demo_client_request(struct demo_client *c, const char *method, const char *params,
                                     struct json_slice *result)
{
    AUTO_STRBUF out = STRBUF_INIT;
    strbuf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"method\":\"%s\",\"params\":{%s",
                (long long)++c->last_id, method, params);
    if (c->modern) {
        if (*params)
            strbuf_addch(&out, ',');
        add_meta(c, &out);
    }
    strbuf_addstr(&out, "}}\n");
    bool sent = send_all(c->fd, out.buf, out.len);
    return sent ? read_answer(c, result) : DEMO_ENDED;
}

enum demo_answer demo_client_call(struct demo_client *c, const char *tool, const char *arguments,
                                  struct json_slice *result)
{
    AUTO_STRBUF params = STRBUF_INIT;
    strbuf_addf(&params, "\"name\":\"%s\",\"arguments\":%s", tool, arguments);
    enum demo_answer answer = demo_client_request(c, "tools/call", params.buf, result);
    if (answer != DEMO_DONE)
        return answer;
    struct json_slice failed = json_member(result->ptr, result->len, "isError");
    *result = json_member(result->ptr, result->len, "structuredContent");
    return failed.len == 4 && memcmp(failed.ptr, "true", 4) == 0 ? DEMO_FAILED : DEMO_DONE;
}

static enum demo_answer shake_hands(struct demo_client *c)
{
    static const char done[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    AUTO_STRBUF params = STRBUF_INIT;
    struct json_slice result;
    strbuf_addstr(&params,
                  "\"protocolVersion\":\"" LEGACY "\",\"capabilities\":{},\"clientInfo\":");
    add_identity(c, &params);
    enum demo_answer answer = demo_client_request(c, "initialize", params.buf, &result);
    if (answer == DEMO_DONE && !send_all(c->fd, done, sizeof(done) - 1))
        answer = DEMO_ENDED;
    return answer == DEMO_DONE ? DEMO_DONE : DEMO_ENDED;
}

enum demo_answer demo_client_connect(struct demo_client *c, const struct endpoint *where)
{
    struct error e;
    struct json_slice result;
    c->fd = endpoint_connect(where, &e);
    if (c->fd < 0)
        return DEMO_ENDED;
    strbuf_clear(&c->in);
    c->taken = 0;
    if (!c->modern)
        return shake_hands(c);
    bool done = demo_client_request(c, "server/discover", "", &result) == DEMO_DONE;
    return done ? DEMO_DONE : DEMO_ENDED;
}

void demo_client_close(struct demo_client *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    strbuf_release(&c->in);
}

static const struct namespace_policy policies[] = {
    {.pattern = "session.*", .max_items = 5, .max_bytes = 2000, .evict_oldest = true},
    {.pattern = "agent.oncall", .max_items = 20, .max_bytes = 240},
    {.pattern = "agent.claire", .pii = PII_REFUSE, .max_items = 50, .max_bytes = 600},
    {.pattern = "agent.*", .max_items = 50, .max_bytes = 10000},
    {.pattern = "public.*", .pii = PII_REFUSE, .max_items = 100},
    {.pattern = "vault.*", .strong = true},
};
#define POLICIES (sizeof(policies) / sizeof(policies[0]))

static const char *const everybodys[] = {"session.*", "agent.*", "public.*"};
static const char *const ashs[] = {"session.*", "agent.ash", "agent.oncall"};
static const char *const claires[] = {"agent.claire"};

#define WRITES(list, seconds)                                                                      \
    (struct grant)                                                                                 \
    {                                                                                              \
        .given = true, .namespaces = (list), .namespace_count = sizeof(list) / sizeof((list)[0]),  \
        .operations = ACCESS_WRITE, .max_ttl_seconds = (seconds)                                   \
    }

void demo_rules_add(struct permissions *p)
{
    if (p->namespace_count > 0 || p->agent_count > 0)
        return;
    struct namespace_policy *made = arena_memdup(&p->arena, policies, sizeof(policies));
    p->namespaces = made;
    p->namespace_count = POLICIES;
    p->grant[MEMORY_TOOL_LIST].namespaces = everybodys;
    p->grant[MEMORY_TOOL_LIST].namespace_count = sizeof(everybodys) / sizeof(everybodys[0]);
    find_or_add(p, "ash")->grant[MEMORY_TOOL_PUT] = WRITES(ashs, 3600);
    find_or_add(p, "claire")->grant[MEMORY_TOOL_PUT] = WRITES(claires, 600);
}
