/*
 * Actions: what lies outside: a command, alone or for the selected memories; a browser for a URI; another store; a file
 * for the keys of a session.
 */
#include "tui/action/action.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"

extern char **environ;

/* ---- a command ---- */

/* Writes the memories as lines of JSON. Returns how many, or -1 and sets *e. */
static long write_memories(struct app *x, FILE *to, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF line = STRBUF_INIT;
    struct memory m;
    bool selected;
    size_t count;
    const int64_t *nodes = pending_subjects(x, &arena, &count, &selected);
    for (size_t i = 0; i < count; i++) {
        AUTO_ARENA one = ARENA_INIT;
        strbuf_clear(&line);
        if (memory_read(x->data.reader, &one, nodes[i], &m, e))
            return -1;
        memory_json_write(&line, &m, NULL);
        strbuf_addch(&line, '\n');
        if (fwrite(line.buf, 1, line.len, to) != line.len)
            return error_set(e, ERROR_STORE, "Is there room?", "no temporary file can be written");
    }
    if (fflush(to) || lseek(fileno(to), 0, SEEK_SET))
        return error_set(e, ERROR_STORE, "Is there room?", "no temporary file can be written");
    return (long)count;
}

/* Commands of stemma use the store that is shown. */
#define RUN "export STEMMA_STORE=\"$2\"; sh -c \"$1\""
/* The inner shell may fail in any way; the outer one then waits, so that its output can be read. C-c ends the command
 * alone. */
#define SHOW                                                                                       \
    "trap : INT; " RUN "; s=$?; printf '\\n[exit status %d; Enter goes back] ' $s;"                \
    " read -r _ </dev/tty; exit $s"

/* `input` is what the command reads; -1 for the terminal. `done` is the message if it succeeds. */
static void run_command(struct app *x, const char *command, int input, const char *done)
{
    bool shown = x->ui.screen.fd >= 0;
    int status;
    char *argv[] = {(char[]){"/bin/sh"},
                    (char[]){"-c"},
                    shown ? (char[]){SHOW} : (char[]){RUN},
                    (char[]){"sh"},
                    (char *)(uintptr_t)command,
                    (char *)(uintptr_t)store_path(x->data.store),
                    NULL};
    int failed = terminal_lend(x, argv, input, &status);
    if (failed)
        ui_message(&x->ui, "no shell can be started: %s", strerror(failed));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        ui_message(&x->ui, "%s", done);
    else
        ui_message(&x->ui, "%s failed (exit status %d)", command,
                   WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void act_run(struct app *x, const char *argument)
{
    AUTO_STRBUF done = STRBUF_INIT;
    strbuf_addf(&done, "%s is done", argument);
    if (*argument)
        run_command(x, argument, -1, done.buf);
    else
        palette_ask(x, "run ", "give a command of the shell; its STEMMA_STORE is this store");
}

void act_pipe(struct app *x, const char *argument)
{
    AUTO_STRBUF done = STRBUF_INIT;
    struct error e;
    if (!*argument) {
        palette_ask(x, "pipe ",
                    "give a command of the shell; it gets a line of JSON for each memory");
        return;
    }
    FILE *to = tmpfile();
    long count = to ? write_memories(x, to, &e)
                    : error_set(&e, ERROR_STORE, "Set TMPDIR to a directory with room.",
                                "no temporary file can be made: %s", strerror(errno));
    strbuf_addf(&done, "%ld memor%s went to %s", count, count == 1 ? "y" : "ies", argument);
    if (count < 0)
        ui_error(&x->ui, &e);
    else
        run_command(x, argument, fileno(to), done.buf);
    if (to)
        fclose(to);
}

/* ---- a URI ---- */

/* Agents write URIs, and what a handler of another scheme does is not known. */
static bool may_open(const char *uri)
{
    static const char *const schemes[] = {"http://", "https://", "file://"};
    for (const char *c = uri; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return false;
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
        if (!strncasecmp(uri, schemes[i], strlen(schemes[i])))
            return true;
    return false;
}

/* The URI is one argument, and no shell reads it. The program may stay as long as the browser does, so a child that
 * ends at once starts it. */
static bool open_outside(const char *uri)
{
    int status = -1;
    pid_t pid = fork(), got = 0;
    if (pid == 0) {
        sigset_t none;
        int null = open("/dev/null", O_RDWR);
        char *argv[] = {(char[]){"xdg-open"}, (char *)(uintptr_t)uri, NULL};
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setsid();
        for (int fd = 0; fd <= 2; fd++)
            dup2(null, fd);
        _exit(posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0);
    }
    while (pid > 0 && (got = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    return got > 0 && status == 0;
}

static void open_uri(struct app *x, const char *uri)
{
    if (!may_open(uri))
        ui_message(&x->ui, "only http, https and file are opened, not %s", uri);
    else if (open_outside(uri))
        ui_message(&x->ui, "xdg-open opens %s", uri);
    else
        ui_message(&x->ui, "xdg-open cannot be run; y copies instead");
}

static void uri_chosen(struct app *x, const struct popup_item *item)
{
    open_uri(x, item->text);
}

/* Whether a line is a URI with an authority, as RFC 3986 writes a scheme. */
static bool is_uri(const char *line)
{
    size_t len = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
    return len > 0 && !strncmp(line + len, "://", 3) && !strpbrk(line, " \t");
}

void act_open_uri(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct memory m;
    struct error e;
    const char *first = NULL;
    size_t count = 0;
    if (memory_read(x->data.reader, &arena, view_memory(x->nav.top), &m, &e)) {
        ui_error(&x->ui, &e);
        return;
    }
    memory_search_text(&m, &text);
    for (char *line = text.buf, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        if (!is_uri(line))
            continue;
        if (count == 1) {
            popup_open(&x->ui.popup, "open", uri_chosen);
            popup_add(&x->ui.popup, KEY_NONE, first, "");
        }
        if (count++)
            popup_add(&x->ui.popup, KEY_NONE, line, "");
        else
            first = line;
    }
    if (!count)
        ui_message(&x->ui, "this memory has no URI");
    else if (count == 1)
        open_uri(x, first);
}

/* ---- the keys ---- */

void act_record(struct app *x, const char *argument)
{
    struct recording *r = &x->recording;
    const char *home = strncmp(argument, "~/", 2) == 0 ? getenv("HOME") : NULL;
    AUTO_STRBUF path = STRBUF_INIT;
    struct error e;
    strbuf_addf(&path, "%s%s", home ? home : "", argument + (home ? 1 : 0));
    if (!*argument && r->fd < 0) {
        palette_ask(x, "record ", "name the file");
    } else if (!*argument) {
        ui_message(&x->ui, "%s is complete; `stemma replay` plays it", r->path);
        recording_stop(r);
    } else if (recording_start(r, path.buf, &e)) {
        ui_error(&x->ui, &e);
    } else {
        ui_message(&x->ui, "%s has all keys since the start, typed text too; :record ends it",
                   r->path);
    }
}

/* ---- another store ---- */

void act_open_store(struct app *x, const char *argument)
{
    if (*argument)
        stores_open(x, argument);
    else
        palette_ask(x, "open ", "Down and Enter choose a store; or type a path");
}
