#include "tui/cli/pager.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/platform/platform.h"

extern char **environ;

static pid_t pager; /* 0: none */

static const char *chosen(void)
{
    const char *own = getenv("STEMMA_PAGER"), *general = getenv("PAGER");
    const char *command = own ? own : general, *term = getenv("TERM");
    if (!term || strcmp(term, "dumb") == 0)
        return NULL;
    if (!command)
        return "command -v less >/dev/null && exec less; exec cat";
    return *command && strcmp(command, "cat") ? command : NULL;
}

/* A shell runs it, since the variable may have options. */
static bool spawn(const char *command, int from)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    char *const argv[] = {"sh", "-c", (char *)command, NULL};
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE); /* ignored here */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int failed = posix_spawnp(&pager, "sh", &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    pager = failed ? 0 : pager;
    return !failed;
}

bool pager_start(void)
{
    const char *command = chosen();
    int fds[2];
    /* R: colours as they are, all else that could drive the terminal shown. */
    if (!command || setenv("LESS", "FRX", 0) || platform_pipe(fds, false))
        return false;
    bool started = spawn(command, fds[0]) && dup2(fds[1], STDOUT_FILENO) >= 0;
    close(fds[0]);
    close(fds[1]);
    return started;
}

void pager_wait(void)
{
    if (!pager)
        return;
    signal(SIGINT, SIG_IGN); /* in a pager it ends a search, not the pager */
    close(STDOUT_FILENO);
    while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
        ;
    pager = 0;
}
