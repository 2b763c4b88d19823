#include "tui/explorer/follow.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/import/import.h"
#include "store/db/thread.h"
#include "store/import/kernle/import_kernle.h"
#include "store/platform/platform.h"

struct follow {
    struct store *store;
    const char *path;
    struct import_watch *watch;
    pthread_t thread;
    atomic_bool stop;
    int stopping[2]; /* closes the wait */
    int telling[2];
    pthread_mutex_t lock;
    char text[512]; /* "": nothing to say */
};

static void tell(struct follow *f, const char *text)
{
    pthread_mutex_lock(&f->lock);
    snprintf(f->text, sizeof(f->text), "%s", text);
    pthread_mutex_unlock(&f->lock);
    ssize_t n = write(f->telling[1], "", 1);
    (void)n;
}

static int progress(void *arg, int64_t done, int64_t total)
{
    struct follow *f = arg;
    (void)done;
    (void)total;
    return atomic_load(&f->stop);
}

static void report(void *arg, const char *line)
{
    (void)arg;
    (void)line;
}

static void import_again(struct follow *f)
{
    struct import_options options = {.report = report, .progress = progress, .arg = f};
    struct import_summary summary = {0};
    struct error e;
    char text[512];
    if (import_kernle(f->store, f->path, &options, &summary, &e)) {
        if (e.code != ERROR_INTERRUPTED) {
            snprintf(text, sizeof(text), "the import failed: %.480s", e.what);
            tell(f, text);
        }
        return;
    }
    if (summary.added + summary.updated + summary.conflicts == 0)
        return;
    snprintf(text, sizeof(text), "taken over: %lld new, %lld changed%s", (long long)summary.added,
             (long long)summary.updated, summary.conflicts ? ", some changed on both sides" : "");
    tell(f, text);
}

static void *thread_main(void *arg)
{
    struct follow *f = arg;
    bool gone = false;
    import_again(f); /* what changed between the first import and the watch */
    while (!atomic_load(&f->stop)) {
        struct pollfd fds[2] = {{.fd = f->stopping[0], .events = POLLIN},
                                {.fd = import_watch_fd(f->watch), .events = POLLIN}};
        poll(fds, 2, -1);
        if (atomic_load(&f->stop))
            break;
        int changed = import_watch_changed(f->watch);
        if (changed > 0)
            import_again(f);
        if (changed < 0 && !gone)
            tell(f, "the store that is followed is gone");
        gone = changed < 0; /* it may be on its way to being replaced */
    }
    return NULL;
}

struct follow *follow_open(struct store *s, const char *path, struct error *e)
{
    struct follow *f = xcalloc(1, sizeof(*f));
    f->store = s;
    f->path = path;
    f->watch = import_watch_open(path, e);
    if (!f->watch) {
        free(f);
        return NULL;
    }
    pthread_mutex_init(&f->lock, NULL);
    if (platform_pipe(f->stopping, true) || platform_pipe(f->telling, true) ||
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
    ssize_t n = write(f->stopping[1], "", 1);
    (void)n;
    pthread_join(f->thread, NULL);
    import_watch_close(f->watch);
    for (int i = 0; i < 2; i++) {
        close(f->stopping[i]);
        close(f->telling[i]);
    }
    pthread_mutex_destroy(&f->lock);
    free(f);
}

int follow_fd(const struct follow *f)
{
    return f ? f->telling[0] : -1;
}

bool follow_take(struct follow *f, char *text, size_t size)
{
    char drain[16];
    while (read(f->telling[0], drain, sizeof(drain)) > 0)
        ;
    pthread_mutex_lock(&f->lock);
    bool any = f->text[0] != '\0';
    snprintf(text, size, "%s", f->text);
    f->text[0] = '\0';
    pthread_mutex_unlock(&f->lock);
    return any;
}
