#include "tui/explorer/follow.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/import/import.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"
#include "tui/text/progress.h"

struct follow {
    struct store *store;
    const struct import_format *format;
    const char *path, *person;
    struct import_watch *watch;
    pthread_t thread;
    atomic_bool stop;
    struct wakeup stopping; /* ends the wait */
    int telling[2];         /* pipe: messages, each a pointer */
    int64_t began, told;    /* ms, monotonic: the import, and the last message about its progress */
};

#define TELL_EVERY_MS 2000 /* a message about the progress of a long import */

/* Sends a message; the main loop frees it. */
static void send_message(struct follow *f, char *text)
{
    if (write(f->telling[1], &text, sizeof(text)) != sizeof(text))
        free(text);
}

/* Says how far a long import is: its share, its rate and the time left. */
static int progress(void *arg, int64_t done, int64_t total)
{
    struct follow *f = arg;
    int64_t now = monotonic_ms(), spent = now - f->began;
    if (now - f->told >= TELL_EVERY_MS && done > 0 && total >= done) {
        AUTO_STRBUF words = STRBUF_INIT;
        f->told = now;
        strbuf_addstr(&words, "importing: ");
        progress_add(&words, done, total, !f->format->counts_memories, spent);
        send_message(f, strbuf_detach(&words, NULL));
    }
    return atomic_load(&f->stop);
}

static void report(void *arg, const char *line)
{
    (void)arg;
    (void)line;
}

static void import_again(struct follow *f)
{
    struct import_options options = {.agent = import_agent_of(f->format, f->person),
                                     .actor = f->person,
                                     .report = report,
                                     .progress = progress,
                                     .arg = f};
    struct import_summary summary = {0};
    struct error e;
    f->began = f->told = monotonic_ms();
    if (import_source_run(f->format, f->store, f->path, &options, &summary, &e)) {
        if (e.code != ERROR_INTERRUPTED)
            send_message(f, xformat("the import failed: %s", e.what));
    } else if (summary.added + summary.updated + summary.conflicts + summary.newly_unlisted > 0) {
        AUTO_STRBUF words = STRBUF_INIT;
        strbuf_addf(&words, "imported: %lld new, %lld changed", (long long)summary.added,
                    (long long)summary.updated);
        if (summary.newly_unlisted)
            strbuf_addf(&words, ", %lld no longer in the source",
                        (long long)summary.newly_unlisted);
        if (summary.conflicts)
            strbuf_addstr(&words, ", some changed on both sides");
        send_message(f, strbuf_detach(&words, NULL));
    }
}

static void *thread_main(void *arg)
{
    struct follow *f = arg;
    bool missing = false;
    import_again(f); /* changes between the first import and the start of the watch */
    while (!atomic_load(&f->stop)) {
        struct pollfd fds[2] = {{.fd = f->stopping.fd, .events = POLLIN},
                                {.fd = import_watch_fd(f->watch), .events = POLLIN}};
        poll(fds, 2, import_watch_timeout(f->watch));
        if (atomic_load(&f->stop))
            break;
        int changed = import_watch_changed(f->watch);
        if (changed > 0)
            import_again(f);
        if (changed < 0 && !missing)
            send_message(f, xstrdup("the source that is followed was removed"));
        missing = changed < 0; /* the file may be about to be replaced */
    }
    return NULL;
}

struct follow *follow_open(struct store *s, const struct import_format *format, const char *path,
                           const char *person, struct error *e)
{
    struct follow *f = xcalloc(1, sizeof(*f));
    f->store = s;
    f->format = format;
    f->path = path;
    f->person = person;
    f->watch = import_watch_open(path, e);
    if (!f->watch) {
        free(f);
        return NULL;
    }
    if (wakeup_open(&f->stopping) || platform_pipe(f->telling, true) ||
        thread_start(&f->thread, "follow", thread_main, f)) {
        error_set(e, ERROR_STORE, "", "no thread could be started to follow %s", path);
        import_watch_close(f->watch);
        free(f);
        return NULL;
    }
    return f;
}

void follow_close(struct follow *f)
{
    if (!f)
        return;
    atomic_store(&f->stop, true);
    wakeup_send(&f->stopping);
    pthread_join(f->thread, NULL);
    import_watch_close(f->watch);
    for (char *text; (text = follow_take(f));)
        free(text);
    wakeup_close(&f->stopping);
    close(f->telling[0]);
    close(f->telling[1]);
    free(f);
}

int follow_fd(const struct follow *f)
{
    return f ? f->telling[0] : -1;
}

char *follow_take(struct follow *f)
{
    char *text;
    return read(f->telling[0], &text, sizeof(text)) == sizeof(text) ? text : NULL;
}
