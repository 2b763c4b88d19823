#include "tui/explorer/stores.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/config/config_rules.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "store/import/import.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"
#include "tui/text/times.h"

#define RECENT_MAX 20

/* ---- which store it is ---- */

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    if (!a || !b)
        return false;
    return !strcmp(a, b) || (!stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev &&
                             one.st_ino == other.st_ino);
}

bool opened_store_has(const struct opened_store *o, const char *path)
{
    return same_file(o->open[0], path) || same_file(o->open[1], path);
}

bool stores_at_home(const struct app *x)
{
    return x->data.store == x->home->store;
}

/* Whether the path opens the store: it is its own, or that of the source that it follows. */
static bool opens(const char *path, const struct store *s, const struct explorer_options *options)
{
    return same_file(path, store_path(s)) || same_file(path, options->origin);
}

static const struct config_store *configured(const struct app *x)
{
    for (size_t i = 0; i < x->config->store_count; i++)
        if (opens(x->config->stores[i].path, x->data.store, x->options))
            return &x->config->stores[i];
    return NULL;
}

void stores_take_name(struct app *x)
{
    const struct config_store *store = configured(x);
    const char *name = store ? store->name : x->options->name;
    free(x->stores.name);
    x->stores.name = name ? xstrdup(name) : NULL;
    screen_set_store(&x->ui.screen, store ? store->colour : 0);
    if (!stores_at_home(x))
        return;
    free(x->home->name);
    x->home->name = xstrdup(name ? name : "stemma");
}

void stores_set_worker(struct home *home, struct worker *worker)
{
    pthread_mutex_lock(&home->lock);
    home->worker = worker;
    pthread_mutex_unlock(&home->lock);
}

/* ---- those that were opened last ---- */

/* The file of their paths, the last one first. False without a place for it. */
static bool recent_path(struct strbuf *out)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        strbuf_addf(out, "%s/stemma/recent", state);
    else if (home && *home == '/')
        strbuf_addf(out, "%s/.local/state/stemma/recent", home);
    return out->len > 0;
}

static size_t read_recent(struct arena *arena, const char *recent[RECENT_MAX])
{
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT;
    struct file_state state;
    struct error e;
    size_t count = 0;
    if (!recent_path(&path) || config_file_read(path.buf, &text, &state, &e))
        return 0;
    for (const char *line = text.buf; *line && count < RECENT_MAX;) {
        size_t len = strcspn(line, "\n");
        if (*line == '/')
            recent[count++] = arena_strndup(arena, line, len);
        line += len + (line[len] == '\n');
    }
    return count;
}

void stores_note_recent(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT;
    AUTO_FREE char *whole = x->options->origin ? realpath(x->options->origin, NULL) : NULL;
    const char *recent[RECENT_MAX];
    if (!whole || strchr(whole, '\n') || !recent_path(&path))
        return;
    size_t count = read_recent(&arena, recent);
    strbuf_addf(&text, "%s\n", whole);
    for (size_t i = 0, kept = 1; i < count && kept < RECENT_MAX; i++)
        if (strcmp(recent[i], whole) != 0) {
            strbuf_addf(&text, "%s\n", recent[i]);
            kept++;
        }
    file_replace(path.buf, text.buf);
}

static bool is_listed(const struct app *x, const char *path)
{
    for (size_t i = 0; i < x->config->store_count; i++)
        if (same_file(x->config->stores[i].path, path))
            return true;
    return false;
}

/* A path that does not exist is said to be missing. */
static const char *state_of(const struct app *x, const char *path)
{
    return opens(path, x->data.store, x->options) ? "open" : access(path, F_OK) ? "missing" : "";
}

struct known_store *stores_list(struct app *x, struct arena *arena, size_t *count)
{
    struct known_store *list = NULL;
    const char *recent[RECENT_MAX];
    size_t alloc = 0;
    *count = 0;
    for (size_t i = 0; i < x->config->store_count; i++) {
        const struct config_store *s = &x->config->stores[i];
        *ARENA_ADD(arena, list, *count, alloc) = (struct known_store){
            s->name, arena_format(arena, "%s %s", s->path, state_of(x, s->path))};
    }
    size_t all = read_recent(arena, recent);
    for (size_t i = 0; i < all; i++)
        if (!is_listed(x, recent[i]) && !opens(recent[i], x->data.store, x->options))
            *ARENA_ADD(arena, list, *count, alloc) =
                (struct known_store){recent[i], state_of(x, recent[i])};
    return list;
}

/* ---- opening ---- */

/* The path that a name of the configuration has, or that was typed. */
static const char *path_of(const struct app *x, const char *name, struct strbuf *out)
{
    const char *home = getenv("HOME");
    for (size_t i = 0; i < x->config->store_count; i++)
        if (!strcmp(x->config->stores[i].name, name))
            return x->config->stores[i].path;
    if (strncmp(name, "~/", 2) != 0 || !home)
        return name;
    strbuf_addf(out, "%s%s", home, name + 1);
    return out->buf;
}

static void leave(struct app *x, struct opened_store *next)
{
    x->stores.next = next;
    x->stores.leaves = x->ui.quit = true;
}

void stores_open(struct app *x, const char *name)
{
    AUTO_STRBUF expanded = STRBUF_INIT;
    const char *path = path_of(x, name, &expanded);
    struct error e = {0};
    if (!x->options->open) {
        ui_message(&x->ui, "no other store can be opened here");
    } else if (x->pending.count[PENDING_UNSAVED]) {
        ui_message(&x->ui, "some of what you typed is not saved; :unsaved shows it");
    } else if (opens(path, x->data.store, x->options)) {
        ui_message(&x->ui, "%s is open", name);
    } else if (opens(path, x->home->store, &x->home->options)) {
        leave(x, NULL);
    } else {
        struct opened_store *next = xcalloc(1, sizeof(*next));
        next->open[0] = store_path(x->home->store);
        next->open[1] = store_path(x->data.store);
        next->options = (struct explorer_options){.open = x->options->open,
                                                  .open_arg = x->options->open_arg,
                                                  .no_colour = x->options->no_colour,
                                                  .person = x->options->person,
                                                  .script = x->options->script,
                                                  .rows = x->options->rows,
                                                  .columns = x->options->columns,
                                                  .frame = x->options->frame,
                                                  .arg = x->options->arg};
        if (!x->options->open(x->options->open_arg, path, next, &e)) {
            leave(x, next);
            return;
        }
        arena_release(&next->arena);
        free(next);
        ui_error(&x->ui, &e);
    }
}

/* ---- a source that is imported again ---- */

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
