/*
 * The commits of the repository that has a folder of notes, as `git log` tells them. The repository is hostile: its
 * configuration may name programs, so every setting by which a log would run one is overridden, no object is
 * fetched, and output and time are bounded. No shell is involved.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/db/thread.h"
#include "store/import/import_run.h"
#include "store/import/markdown/notes.h"
#include "store/platform/platform.h"

#define OUTPUT_MAX (16u << 20) /* bytes */
#define TIME_MS    20000
#define ASK_MS     100 /* between two questions whether to stop */
#define AGENT_MAIL "@letta.com"

/* A name is never empty, so an empty one announces a commit. */
#define FORMAT "--format=%x00%H%x1f%at%x1f%an%x1f%ae%x1f%s"

static const char *const arguments[] = {
    "--no-pager", "--no-replace-objects", "--literal-pathspecs",
    /* settings that name programs, other files, or machines */
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
    "core.attributesFile=/dev/null", "-c", "diff.orderFile=/dev/null", "-c", "protocol.allow=never",
    "-c", "core.sshCommand=false", "-c", "core.askPass=false", "-c", "credential.helper=", "-c",
    "log.mailmap=false", "-c", "log.follow=false", "log", "--no-color", "--no-ext-diff",
    "--no-textconv", "--no-show-signature", "--no-notes", "--no-renames", "--no-decorate",
    "--ignore-submodules=all", "--encoding=UTF-8", "--name-only", "-z", "--relative", FORMAT, "--"};

/* Nothing of our own environment but the path to git. */
static const char *const environment[] = {"LC_ALL=C",
                                          "HOME=/nonexistent",
                                          "GIT_CONFIG_NOSYSTEM=1",
                                          "GIT_CONFIG_SYSTEM=/dev/null",
                                          "GIT_CONFIG_GLOBAL=/dev/null",
                                          "GIT_OPTIONAL_LOCKS=0",
                                          "GIT_TERMINAL_PROMPT=0",
                                          "GIT_NO_LAZY_FETCH=1",
                                          "GIT_ALLOW_PROTOCOL=",
                                          "GIT_ATTR_NOSYSTEM=1",
                                          "GIT_PAGER=cat"};

#define ARGUMENTS   (sizeof(arguments) / sizeof(arguments[0]))
#define ENVIRONMENT (sizeof(environment) / sizeof(environment[0]))

/* Returns the pid, or -1 if git cannot be started. *fd is its standard output. */
static pid_t start_git(const struct notes *n, int *fd)
{
    const char *path = getenv("PATH");
    AUTO_STRBUF path_setting = STRBUF_INIT;
    char *argv[ARGUMENTS + 5] = {(char[]){"git"}, (char[]){"-C"}, (char *)(uintptr_t)n->root};
    char *env[ENVIRONMENT + 2] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, piped;
    pid_t pid;
    int fds[2];
    if (platform_pipe(fds, false))
        return -1;
    for (size_t i = 0; i < ARGUMENTS; i++)
        argv[i + 3] = (char *)(uintptr_t)arguments[i];
    argv[ARGUMENTS + 3] = (char *)(uintptr_t)(n->folder.is_file ? n->note[0].name : ".");
    for (size_t i = 0; i < ENVIRONMENT; i++)
        env[i] = (char *)(uintptr_t)environment[i];
    strbuf_addf(&path_setting, "PATH=%s", path ? path : "/usr/local/bin:/usr/bin:/bin");
    env[ENVIRONMENT] = path_setting.buf;
    sigemptyset(&none);
    sigemptyset(&piped);
    sigaddset(&piped, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &piped);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int failed = posix_spawnp(&pid, "git", &actions, &attributes, argv, env);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    *fd = fds[0];
    if (failed)
        close(fds[0]);
    return failed ? -1 : pid;
}

/* Reads to the end, or sets *why there is not all. Returns -1 with `e` if the import is interrupted. */
static int read_output(int fd, struct import_run *run, struct strbuf *out, const char **why,
                       struct error *e)
{
    int64_t until = monotonic_ms() + TIME_MS;
    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int64_t left = until - monotonic_ms();
        if (import_run_progress(run, 0, 0, e))
            return -1;
        if (left <= 0 || out->len >= OUTPUT_MAX) {
            *why = "the history of its repository is cut at 16 MiB or 20 s";
            return 0;
        }
        if (poll(&ready, 1, (int)(left < ASK_MS ? left : ASK_MS)) <= 0)
            continue;
        strbuf_grow(out, 65536);
        ssize_t got = read(fd, out->buf + out->len, 65536);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            *why = "the history of its repository could not be read to its end";
        if (got <= 0)
            return 0;
        out->len += (size_t)got;
        out->buf[out->len] = '\0';
    }
}

/* ---- what it says ---- */

/* "HASH\x1fTIME\x1fNAME\x1fMAIL\x1fSUBJECT" */
static const struct commit *add_commit(struct notes *n, const char *text)
{
    struct commit *c = arena_alloc(&n->arena, sizeof(*c));
    const char *part[5] = {"", "", "", "", ""};
    char *at = arena_strdup(&n->arena, text);
    for (size_t i = 0; i < 5 && at; i++) {
        part[i] = at;
        at = i < 4 ? strchr(at, '\x1f') : NULL;
        if (at)
            *at++ = '\0';
    }
    int64_t seconds = strtoll(part[1], NULL, 10);
    const char *mail = strstr(part[3], AGENT_MAIL);
    bool is_agent = mail && mail > part[3] && !mail[strlen(AGENT_MAIL)];
    *c = (struct commit){
        .hash = part[0],
        .at = seconds > 0 && seconds < INT64_C(100000000000) ? seconds * 1000 : 0,
        .author = part[2],
        .subject = part[4],
        .agent = is_agent ? arena_strndup(&n->arena, part[3], (size_t)(mail - part[3])) : NULL,
    };
    if (c->agent && !n->agent)
        n->agent = c->agent;
    return c;
}

/* The log begins with the latest commit, so a note's changes end with its first. */
static void add_change(struct notes *n, struct change **last, const struct commit *commit,
                       const char *name)
{
    size_t at = key_index_find(&n->paths, name, strlen(name));
    if (at == ROW_NONE)
        return;
    n->note[at].first = commit;
    if (n->note[at].change_count == CHANGES_MAX) {
        n->changes_cut = true;
        return;
    }
    struct change *change = arena_alloc(&n->arena, sizeof(*change));
    change->commit = commit;
    *(n->note[at].change_count++ ? &last[at]->next : &n->note[at].changes) = change;
    last[at] = change;
}

static void take_output(struct notes *n, const struct strbuf *out)
{
    struct change **last = arena_array(&n->arena, n->count + 1, sizeof(struct change *));
    const struct commit *commit = NULL;
    bool announced = false;
    for (const char *at = out->buf, *end = at + out->len; at < end; at += strlen(at) + 1) {
        if (announced) {
            commit = add_commit(n, at);
            announced = false;
        } else if (!*at) {
            announced = true;
        } else if (commit) {
            add_change(n, last, commit, *at == '\n' ? at + 1 : at);
        }
    }
}

/* Has the folder, or one above it, a repository? */
static bool has_repository(const char *root)
{
    AUTO_STRBUF path = STRBUF_INIT;
    struct stat st;
    for (size_t len = strlen(root);; len--) {
        if (len > 0 && root[len] != '/' && root[len])
            continue;
        strbuf_clear(&path);
        strbuf_add(&path, root, len);
        strbuf_addstr(&path, "/.git");
        if (lstat(path.buf, &st) == 0)
            return true;
        if (len == 0)
            return false;
    }
}

int notes_read_commits(struct notes *n, struct import_run *run, char *remarks, size_t size,
                       struct error *e)
{
    AUTO_STRBUF out = STRBUF_INIT;
    const char *why = NULL;
    int fd, status = 0;
    if (n->count == 0 || !has_repository(n->root))
        return 0;
    pid_t pid = start_git(n, &fd);
    if (pid < 0) {
        snprintf(remarks, size, "no history from its repository: git cannot be started");
        return 0;
    }
    int result = read_output(fd, run, &out, &why, e);
    close(fd);
    if (result || why)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    take_output(n, &out);
    if (!why && status != 0)
        why = "no history from its repository: git log fails there";
    else if (!why && n->changes_cut)
        why = "of a note with more than 200 commits, the last 200 are its history";
    if (why)
        snprintf(remarks, size, "%s", why);
    return result;
}
