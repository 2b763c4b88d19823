#include "tui/demo/demo_agents.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tui/demo/demo_scene.h"
#include "store/platform/platform.h"

#define KNOCK_MS  150 /* between two looks whether somebody listens */
#define AWAY_MS   20000
#define SCENES_MS 2500 /* between two scenes, at least; at most three times that */

static const struct demo_agent *const cast[DEMO_AGENTS] = {&demo_ash, &demo_claire};

/* ---- an agent's process ---- */

/* The terminal is the explorer's: nothing of this process shall appear there. */
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

static int find_socket(struct endpoint *where, const char *path)
{
    struct error e;
    struct store *s = store_open(path, &(struct store_options){.read_only = true}, NULL, &e);
    int result = s ? endpoint_find(where, s, false, &e) : -1;
    store_close(s);
    return result;
}

/* Scenes one after the other, until the connection or the leash ends. */
static void play_scenes(struct demo_stage *stage, const struct demo_agent *agent)
{
    size_t next = 0;
    for (size_t played = 1;; played++) {
        if (demo_scene_play(stage, &agent->scenes[next]) == DEMO_GONE ||
            !demo_client_pause(&stage->client,
                               SCENES_MS + (int)demo_text_draw(&stage->telling, 0, 2 * SCENES_MS)))
            return;
        next = demo_scene_next(agent, played, next, &stage->telling);
    }
}

/* Who was sent away comes back after a while. */
static void live(const struct demo_agent *agent, const char *path, int leash)
{
    struct demo_stage stage = {
        .client = {.name = agent->name,
                   .version = agent->version,
                   .modern = agent->modern,
                   .leash = leash,
                   .fd = -1,
                   .in = STRBUF_INIT},
        .telling = {.seed = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid()},
    };
    struct endpoint where;
    int wait = KNOCK_MS;
    do {
        if (find_socket(&where, path) == 0 &&
            demo_client_connect(&stage.client, &where) == DEMO_DONE) {
            play_scenes(&stage, agent);
            wait = AWAY_MS;
        }
        demo_client_close(&stage.client);
    } while (demo_client_pause(&stage.client, wait));
    demo_text_begin(&stage.telling);
}

/* ---- the explorer's side ---- */

static pid_t start_agent(const struct demo_agent *agent, const char *path, const int leash[2])
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    close(leash[1]);
    leave_terminal();
    live(agent, path, leash[0]);
    _exit(0);
}

int demo_agents_start(struct demo_agents *a, const char *path, struct error *e)
{
    int leash[2];
    if (platform_pipe(leash, false))
        return error_set(e, ERROR_STORE, "Try again with less running.",
                         "the agents cannot be started: %s", strerror(errno));
    a->leash = leash[1];
    for (int i = 0; i < DEMO_AGENTS; i++) {
        a->pids[i] = start_agent(cast[i], path, leash);
        if (a->pids[i] > 0)
            continue;
        error_set(e, ERROR_STORE, "Try again with less running.",
                  "the agents cannot be started: %s", strerror(errno));
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
