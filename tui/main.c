/* stemma: look-up of the command, its arguments and its configuration, and how it ends. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tui/cli/opening.h"
#include "tui/action/action.h"
#include "tui/commands/commands.h"
#include "tui/term/signals.h"
#include "tui/text/times.h"

/* A store must never come to have the number of a standard stream that was closed. */
static void fill_standard_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static int64_t milliseconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Help and the version need no configuration, so that a broken one does not stand in their way. */
static int prepare(struct invocation *i, struct error *e)
{
    bool without = option_given(i, "help") || option_given(i, "version") || i->command == &cmd_help;
    if (without)
        config_init(&i->config);
    else if (config_load(&i->config, option_text(i, "config"), e) || config_check(&i->config, e))
        return -1;
    times_set_local(i->config.times);
    output_init(&i->out, option_choice(i, "color", i->config.color), i->config.ascii,
                option_given(i, "json"), milliseconds_now());
    return 0;
}

static int run(struct invocation *i, struct error *e)
{
    if (!option_given(i, "help"))
        return opening_run(i, e);
    i->out.pager = i->out.tty ? pager_start : NULL;
    if (i->command == &cmd_open)
        command_help_all(&i->out, &command_table);
    else
        command_help(&i->out, i->command);
    return 0;
}

/* Flushes what it wrote, tells of an error, and says with which status to end. */
static int finish(struct invocation *i, int result, struct error *e)
{
    struct error later = {0};
    int flushed = output_flush(&i->out, &later);
    pager_wait();
    if (result < 0)
        output_error(e);
    if (flushed < 0 && (result >= 0 || e->code != later.code))
        output_error(&later);
    if (result < 0)
        return error_exit_status(e);
    return flushed < 0 ? error_exit_status(&later) : result;
}

/* What is said of a wrong command line or configuration keeps to ASCII where the configuration asks
 * for it, and where that cannot be known. The line may not have been read as far as --config. */
static void choose_ascii(int argc, char **argv)
{
    struct config config;
    struct error e;
    const char *path = NULL;
    for (int at = 1; at < argc; at++) {
        if (!strncmp(argv[at], "--config=", 9))
            path = argv[at] + 9;
        else if (!strcmp(argv[at], "--config") && at + 1 < argc)
            path = argv[at + 1];
    }
    bool known = !config_load(&config, path, &e);
    output_set_stderr_ascii(known ? config.ascii : ASCII_YES);
    config_release(&config);
}

int main(int argc, char **argv)
{
    struct invocation i;
    struct error e = {0};
    int status;
    fill_standard_streams();
    output_locale();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a write past the limit of a file's size fails as on a full disk */
    suspend_watch();
    alloc_on_failure = restore_out_of_memory;
    if (command_parse(&i, &command_table, argc, argv, &e) || prepare(&i, &e)) {
        choose_ascii(argc, argv);
        output_error(&e);
        status = error_exit_status(&e);
    } else {
        status = finish(&i, run(&i, &e), &e);
    }
    int ended_by = i.ended_by;
    command_release(&i);
    if (ended_by) { /* all is closed and removed: end as the signal would have had it */
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
    return status;
}
