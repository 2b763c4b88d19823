#include "tui/demo/demo.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/json/json.h"
#include "store/open.h"
#include "store/platform/platform.h"
#include "tui/text/embedded.h"

/* ---- the client ---- */

#define LEGACY "2025-11-25"
#define MODERN "2026-07-28"
#define CHUNK  65536

/* Waits. Returns false if the leash ended. */
static bool client_pause(const struct demo_client *c, int ms)
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

/* `params` has the members of the object, without braces. *result is the `result` or `error` of the answer, valid
 * until the next request. */
static enum demo_answer client_request(struct demo_client *c, const char *method,
                                       const char *params, struct json_slice *result)
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

/* Calls a tool; *result is its structuredContent. */
static enum demo_answer client_call(struct demo_client *c, const char *tool, const char *arguments,
                                    struct json_slice *result)
{
    AUTO_STRBUF params = STRBUF_INIT;
    strbuf_addf(&params, "\"name\":\"%s\",\"arguments\":%s", tool, arguments);
    enum demo_answer answer = client_request(c, "tools/call", params.buf, result);
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
    enum demo_answer answer = client_request(c, "initialize", params.buf, &result);
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
    bool done = client_request(c, "server/discover", "", &result) == DEMO_DONE;
    return done ? DEMO_DONE : DEMO_ENDED;
}

void demo_client_close(struct demo_client *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    strbuf_release(&c->in);
}

/* ---- scenes.json ---- */

const cJSON *demo_list(const char *name)
{
    static cJSON *tree;
    if (!tree)
        tree = cJSON_Parse(embedded_find("tui/demo/scenes.json")->text);
    return cJSON_GetObjectItem(tree, name);
}

const char *demo_member(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
}

const cJSON *demo_named(const cJSON *list, const char *name)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, list) if (strcmp(demo_member(one, "name"), name) == 0) return one;
    return NULL;
}

static unsigned number_of(const cJSON *object, const char *name)
{
    const cJSON *number = cJSON_GetObjectItem(object, name);
    return number ? (unsigned)number->valueint : 0;
}

#define NESTED_MAX 6 /* depth of words with placeholders in words … */

void demo_text_begin(struct demo_scene_state *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->bound[i].text);
    t->count = 0;
}

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(struct demo_scene_state *t)
{
    t->seed ^= t->seed >> 12;
    t->seed ^= t->seed << 25;
    t->seed ^= t->seed >> 27;
    return t->seed * UINT64_C(0x2545f4914f6cdd1d);
}

/* A random number from `low` to `high`, inclusive. */
static unsigned random_number(struct demo_scene_state *t, unsigned low, unsigned high)
{
    return low + (unsigned)((next_random(t) >> 33) % ((uint64_t)high - low + 1));
}

static const char *find_bound(const struct demo_scene_state *t, const char *name)
{
    for (size_t i = t->count; i > 0; i--)
        if (strcmp(t->bound[i - 1].name, name) == 0)
            return t->bound[i - 1].text;
    return NULL;
}

void demo_text_store(struct demo_scene_state *t, const char *name, const char *text)
{
    if (t->count < DEMO_BOUND_MAX)
        t->bound[t->count++] = (struct demo_bound){name, xstrdup(text)};
}

/* ---- values from answers ---- */

/* Stores the raw text of a string member: refs have no escapes. */
static bool store_string(struct demo_scene_state *t, const char *name, const char *prefix,
                         struct json_slice value)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (value.len < 2 || value.ptr[0] != '"')
        return false;
    strbuf_addstr(&text, prefix);
    strbuf_add(&text, value.ptr + 1, value.len - 2);
    demo_text_store(t, name, text.buf);
    return true;
}

/* A random element of a list; ptr NULL if it is empty. */
static struct json_slice draw_one(struct demo_scene_state *t, struct json_slice list)
{
    unsigned count = (unsigned)json_count(list);
    if (!list.ptr)
        return list;
    unsigned chosen = count ? random_number(t, 0, count - 1) : 0;
    for (struct json_each it = json_each(list); json_next(&it);)
        if (chosen-- == 0)
            return it.value;
    return (struct json_slice){NULL, 0};
}

static void keep_any(struct demo_scene_state *t, const char *name, struct json_slice list)
{
    struct json_slice one = draw_one(t, list);
    if (one.ptr)
        store_string(t, name, "", json_get(one, "ref"));
}

static void keep_source(struct demo_scene_state *t, const char *name, struct json_slice steps)
{
    struct json_slice step = draw_one(t, steps);
    struct json_slice source = step;
    if (step.ptr)
        source = draw_one(t, json_get(step, "source_attributions"));
    if (source.ptr && store_string(t, name, "", json_get(step, "ref")))
        store_string(t, "source", "", json_get(source, "ref"));
}

static void keep_answer(struct demo_scene_state *t, const cJSON *step, struct json_slice result)
{
    const char *from = demo_member(step, "from"), *keep = demo_member(step, "keep");
    if (!result.ptr || !from)
        return;
    if (!strcmp(from, "ref"))
        store_string(t, keep, "", json_get(result, "ref"));
    else if (!strcmp(from, "attribution"))
        store_string(t, keep, "attribution:", json_get(result, "attribution_id"));
    else if (!strcmp(from, "any"))
        keep_any(t, keep, json_get(result, "memories"));
    else
        keep_source(t, keep, json_get(result, "reasoning_steps"));
}

static enum demo_answer make_call(struct demo_stage *stage, const cJSON *step,
                                  const char *arguments)
{
    struct json_slice result = {0};
    const char *call = demo_member(step, "call");
    bool method = strchr(call, '/') || strcmp(call, "ping") == 0;
    enum demo_answer answer = method ? client_request(&stage->client, call, arguments, &result)
                                     : client_call(&stage->client, call, arguments, &result);
    if (answer == DEMO_DONE)
        keep_answer(&stage->telling, step, result);
    if (stage->reported)
        stage->reported(stage->arg, step, answer);
    return answer;
}

static enum demo_answer play_step(struct demo_stage *stage, const cJSON *step)
{
    struct demo_scene_state *t = &stage->telling;
    AUTO_STRBUF arguments = STRBUF_INIT;
    enum demo_answer answer = DEMO_DONE;
    unsigned pause = number_of(step, "pause"), chance = number_of(step, "chance");
    pause = pause * 50 + random_number(t, 0, pause * 100);
    if (chance && random_number(t, 1, 100) > chance)
        return DEMO_DONE;
    if (demo_text_fill_json(t, demo_member(step, "arguments"), &arguments) == 0) {
        if (!stage->hurried && !client_pause(&stage->client, (int)pause))
            answer = DEMO_ENDED;
        else
            answer = make_call(stage, step, arguments.buf);
    }
    return answer;
}

enum demo_answer demo_scene_play(struct demo_stage *stage, const cJSON *scene)
{
    const cJSON *step;
    demo_text_begin(&stage->telling);
    cJSON_ArrayForEach(step, cJSON_GetObjectItem(scene, "steps"))
    {
        if (play_step(stage, step) == DEMO_ENDED)
            return DEMO_ENDED;
    }
    return DEMO_DONE;
}

int demo_scene_next(const cJSON *agent, int played, int last, struct demo_scene_state *t)
{
    const cJSON *names = cJSON_GetObjectItem(agent, "scenes");
    const char *before = cJSON_GetArrayItem(names, last)->valuestring;
    int count = cJSON_GetArraySize(names), next = played < count ? played : last;
    while (strcmp(cJSON_GetArrayItem(names, next)->valuestring, before) == 0)
        next = (int)random_number(t, 0, (unsigned)count - 1);
    return next;
}

/* ---- placeholders ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_uuid(struct demo_scene_state *t, struct strbuf *out)
{
    uint64_t a = next_random(t), b = next_random(t);
    strbuf_addf(out, "%08x-%04x-4%03x-a%03x-%012llx", (unsigned)(a & 0xffffffff),
                (unsigned)(a >> 32 & 0xffff), (unsigned)(a >> 48 & 0xfff), (unsigned)(b & 0xfff),
                (unsigned long long)(b >> 16));
}

/* Fills a built-in placeholder. Returns 1, or 0 if it is none. */
static int fill_own(struct demo_scene_state *t, const char *name, struct strbuf *out)
{
    unsigned low, high;
    char iso[32];
    if (sscanf(name, "%u-%u", &low, &high) == 2 && low <= high)
        strbuf_addf(out, "%u", random_number(t, low, high));
    else if (strcmp(name, "now") == 0)
        json_add_int(out, now_ms());
    else if (strcmp(name, "uuid") == 0)
        add_uuid(t, out);
    else if (strcmp(name, "clock") == 0) {
        clock_format_iso(iso, sizeof(iso), now_ms());
        strbuf_add(out, iso + 11, 5);
    } else
        return 0;
    return 1;
}

/* "belief:ID" is stemma://belief/ID. */
static void add_uri(const char *ref, struct strbuf *out)
{
    size_t kind = strcspn(ref, ":");
    strbuf_addstr(out, "stemma://");
    strbuf_add(out, ref, kind);
    if (ref[kind])
        strbuf_addf(out, "/%s", ref + kind + 1);
}

static int fill(struct demo_scene_state *t, const char *template, int depth, struct strbuf *out);

static int fill_words(struct demo_scene_state *t, const char *name, int depth, struct strbuf *out)
{
    const cJSON *words = demo_named(demo_list("words"), name);
    if (!words || depth >= NESTED_MAX)
        return -1;
    const char *called = demo_member(words, "name"); /* owned by the list */
    bool once = cJSON_IsTrue(cJSON_GetObjectItem(words, "once"));
    const char *kept = once ? find_bound(t, called) : NULL;
    if (kept) {
        strbuf_addstr(out, kept);
        return 0;
    }
    const cJSON *choices = cJSON_GetObjectItem(words, "choices");
    unsigned drawn = random_number(t, 0, (unsigned)cJSON_GetArraySize(choices) - 1);
    size_t from = out->len;
    if (fill(t, cJSON_GetArrayItem(choices, (int)drawn)->valuestring, depth + 1, out))
        return -1;
    if (once)
        demo_text_store(t, called, out->buf + from);
    return 0;
}

static int fill_mark(struct demo_scene_state *t, const char *name, int depth, struct strbuf *out)
{
    const char *kept = find_bound(t, name + 1);
    if (name[0] == '$' && kept)
        strbuf_addstr(out, kept);
    else if (name[0] == '@' && kept)
        add_uri(kept, out);
    if (name[0] == '$' || name[0] == '@')
        return kept ? 0 : -1;
    return fill_own(t, name, out) ? 0 : fill_words(t, name, depth, out);
}

/* Reads the name of the placeholder at `template`. Returns its end, or NULL if there is none. */
static const char *read_mark(const char *template, char name[32])
{
    const char *end = template[0] == '<' ? strchr(template, '>') : NULL;
    if (!end || end - template > 31)
        return NULL;
    memcpy(name, template + 1, (size_t)(end - template - 1));
    name[end - template - 1] = '\0';
    return end;
}

/* Only built-in texts nest, at most NESTED_MAX deep. */
static int fill(struct demo_scene_state *t, const char *template, int depth, struct strbuf *out)
{
    char name[32];
    for (const char *at = template; *at; at++) {
        const char *end = read_mark(at, name);
        if (!end)
            strbuf_addch(out, *at);
        else if (fill_mark(t, name, depth, out))
            return -1;
        else
            at = end;
    }
    return 0;
}

int demo_text_fill_json(struct demo_scene_state *t, const char *template, struct strbuf *out)
{
    char name[32];
    int result = 0;
    AUTO_STRBUF text = STRBUF_INIT;
    for (const char *at = template; *at && result == 0; at++) {
        const char *end = read_mark(at, name);
        strbuf_clear(&text);
        if (!end) {
            strbuf_addch(out, (char)(*at == '\'' ? '"' : *at));
            continue;
        }
        result = fill_mark(t, name, 0, &text);
        json_add_inside(out, text.buf);
        at = end;
    }
    return result;
}

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
            !client_pause(&stage->client,
                          SCENES_MS + (int)random_number(&stage->telling, 0, 2 * SCENES_MS)))
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
    } while (client_pause(&stage.client, wait));
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
