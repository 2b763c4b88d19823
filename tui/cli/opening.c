/* Finds and opens the store of a command; lists stores if there is none; makes temporary stores. */
#include "tui/cli/opening.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/store.h"
#include "store/history/past.h"
#include "store/open.h"
#include "store/platform/platform.h"
#include "store/query/ref.h"
#include "tui/cli/stop.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

extern char **environ;

/* The value of a variable; NULL if it is unset or empty. */
static const char *set_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Concatenates two strings in the arena. */
static const char *join(struct arena *arena, const char *base, const char *rest)
{
    AUTO_STRBUF path = STRBUF_INIT;
    strbuf_addf(&path, "%s%s", base, rest);
    return arena_strdup(arena, path.buf);
}

/* $XDG_DATA_HOME/stemma or ~/.local/share/stemma, in the arena. NULL if HOME is not set. */
const char *opening_data_directory(struct arena *arena)
{
    const char *data = set_variable("XDG_DATA_HOME"), *home = set_variable("HOME");
    if (data && *data == '/')
        return join(arena, data, "/stemma");
    return home ? join(arena, home, "/.local/share/stemma") : NULL;
}

/* Replaces a leading `~/`, because no shell has expanded paths in a client's configuration. */
static const char *expand_home(struct arena *arena, const char *path, struct error *e)
{
    struct passwd *entry = NULL;
    const char *home = set_variable("HOME");
    if (strncmp(path, "~/", 2) != 0)
        return path;
    if (!home && (entry = getpwuid(geteuid())))
        home = entry->pw_dir;
    if (home && *home == '/')
        return join(arena, home, path + 1);
    error_set(e, ERROR_USAGE, "Write the whole path.", "%s needs HOME, which is not set", path);
    return NULL;
}

const char *opening_path(struct invocation *i, bool *named, struct error *e)
{
    const char *path = option_text(i, "store");
    if (!path)
        path = set_variable("STEMMA_STORE");
    if (!path)
        path = i->config.store;
    if (path && !*path) {
        error_set(e, ERROR_USAGE, "Write --store PATH.", "the path of the store is empty");
        return NULL;
    }
    if (named)
        *named = path != NULL;
    if (path)
        return expand_home(&i->arena, path, e);
    const char *directory = opening_data_directory(&i->arena);
    path = directory ? join(&i->arena, directory, "/memory.db") : NULL;
    if (!path)
        error_set(e, ERROR_STORE, "Give one with --store.",
                  "no store was named, and HOME is not set to look for it");
    return path;
}

/* Where earlier versions put the working copy of a Kernle store. */
static const char *older_copy(struct arena *arena, const char *source)
{
    AUTO_STRBUF path = STRBUF_INIT;
    size_t len = strlen(source);
    if (text_ends_with(source, ".db"))
        len -= 3;
    strbuf_add(&path, source, len);
    strbuf_addstr(&path, ".stemma.db");
    return arena_strdup(arena, path.buf);
}

/* At most 40 bytes of a name: letters, digits, "-" and "_" as they are, "_" for all else. */
static void add_plain_name(struct strbuf *out, const char *name, size_t len)
{
    size_t end = out->len + 40;
    while (len > 0) {
        uint32_t c;
        size_t used = (size_t)utf8_decode(name, len, &c); /* 0: no UTF-8 */
        bool plain = used && (c == '-' || fold_class(c) == FOLD_WORD);
        if (out->len + (plain ? used : 1) > end)
            return;
        strbuf_add(out, plain ? name : "_", plain ? used : 1);
        name += used ? used : 1;
        len -= used ? used : 1;
    }
}

const char *opening_working_copy(struct arena *arena, const char *source)
{
    AUTO_STRBUF path = STRBUF_INIT;
    AUTO_FREE char *real = realpath(source, NULL);
    const char *full = real ? real : source, *name = strrchr(full, '/');
    const char *directory = opening_data_directory(arena), *older = older_copy(arena, full);
    struct digest hash;
    if (access(older, F_OK) == 0)
        return older;
    if (!directory)
        return NULL;
    digest_bytes(&hash, full, strlen(full));
    name = name ? name + 1 : full;
    name += *name == '.';
    strbuf_addf(&path, "%s/", directory);
    add_plain_name(&path, name, strcspn(name, "."));
    strbuf_addch(&path, '-');
    for (size_t i = 0; i < 4; i++)
        strbuf_addf(&path, "%02x", hash.bytes[i]);
    strbuf_addstr(&path, ".db");
    return arena_strdup(arena, path.buf);
}

/* Replaces the hint of `e` if the store is one of Kernle that has a working copy. */
static void name_working_copy(struct arena *arena, const char *path, struct error *e)
{
    const char *copy = opening_working_copy(arena, path);
    if (strcmp(store_recognise(path), "kernle") == 0 &&
        strcmp(store_recognise(copy), "stemma") == 0)
        snprintf(e->hint, sizeof(e->hint), "Its working copy is %.200s: --store that.", copy);
}

/* Reports that the store does not exist, and what to do. At a path that was named there may be an agent's own store
 * another day, so the advice is not to make one there. */
static int no_store(const char *path, bool named, struct error *e)
{
    return error_set(e, ERROR_STORE,
                     named ? "Check the path; `stemma` alone lists the stores on this machine."
                           : "Name one with --store, fill it with `stemma add` or `stemma import`, "
                             "or look around with `stemma demo`.",
                     "there is no store at %s", path);
}

static struct store *open_store(const char *path, bool named, const struct store_options *options,
                                struct error *e)
{
    struct error warning = {0};
    struct store *s = store_open(path, options, &warning, e);
    if (!s && e->code == ERROR_NOT_FOUND)
        no_store(path, named, e);
    if (s && warning.code != ERROR_NONE)
        output_error(&warning);
    return s;
}

static struct store_options options_of(const struct config *config)
{
    return (struct store_options){.hmac_key = config->hmac_key,
                                  .runtime_dir = config->runtime_dir,
                                  .confidence = {config->decay, &config->trust, config->stale}};
}

/*
 * Opens the store at `path`, or at opening_path if it is NULL. `create` makes it and its directories if it does not
 * exist. Warnings go to standard error. The caller closes it.
 */
static struct store *opening_store(struct invocation *i, const char *path, bool create,
                                   struct error *e)
{
    struct store_options options = options_of(&i->config);
    options.read_only = option_given(i, "read-only");
    options.create = create;
    options.large = strcmp(i->command->name, "import") == 0;
    bool named = path != NULL;
    if (!path)
        path = opening_path(i, &named, e);
    if (!path)
        return NULL;
    if (create && options.read_only) {
        error_set(e, ERROR_REFUSED, "Omit --read-only to change the store.",
                  "%s changes the store, but --read-only was given", i->command->name);
        return NULL;
    }
    if (create && store_write_errno(path)) { /* check before SQLite creates a log next to it */
        error_set(e, ERROR_REFUSED, "Check the permissions of the file and its directory.",
                  "cannot write %s: the store is read-only", path);
        return NULL;
    }
    struct store *s = open_store(path, named, &options, e);
    if (!s)
        name_working_copy(&i->arena, path, e);
    return s;
}

/* Opens the store for reading if it is not writable; *why is then the errno, otherwise 0. */
static struct store *open_as_permitted(struct invocation *i, const char *path, bool create,
                                       int *why, struct error *e)
{
    bool read_only = option_given(i, "read-only");
    *why = read_only ? 0 : store_write_errno(path);
    struct store_options options = options_of(&i->config);
    options.read_only = read_only || *why;
    options.create = create && !read_only && !*why;
    return open_store(path, true, &options, e);
}

struct store *opening_quiet(const struct config *config, const char *path, bool read_only,
                            bool create, struct strbuf *why, struct error *e)
{
    struct store_options options = options_of(config);
    struct error warning = {0};
    int cannot = read_only ? 0 : store_write_errno(path);
    options.read_only = read_only || cannot;
    options.create = create && !options.read_only;
    struct store *s = store_open(path, &options, &warning, e);
    if (!s && e->code == ERROR_NOT_FOUND)
        no_store(path, true, e);
    if (s && cannot)
        strbuf_addf(why, "read-only: the store cannot be written (%s)", strerror(cannot));
    if (s && warning.code != ERROR_NONE)
        strbuf_addf(why, "%s%s", why->len ? "; " : "", warning.what);
    return s;
}

/* Opens the store to serve, and creates a missing one; a note reports that, because the path may be mistyped. */
struct store *opening_served_store(struct invocation *i, struct error *e)
{
    int why;
    const char *path = opening_path(i, NULL, e);
    bool is_there = path && access(path, F_OK) == 0;
    struct store *s = path ? open_as_permitted(i, path, true, &why, e) : NULL;
    if (s && !is_there)
        output_note("there was no store at %s: a new one was created", path);
    if (s && why)
        output_note("cannot write %s (%s): it is served read-only", path, strerror(why));
    return s;
}

/* ---- reading as of a time ---- */

int opening_nothing_yet(const char *text, const struct point_in_time *m, struct error *e)
{
    char when[32];
    times_format(when, sizeof(when), m->at);
    if (m->at == 0)
        return error_set(e, ERROR_NOT_FOUND, "", "nothing was ever written to the store");
    return error_set(e, ERROR_NOT_FOUND, "Give a later time.",
                     "the store was empty at %.80s: its first event is at %s%s", text, when,
                     times_zone());
}

static int tick(void *arg, int64_t done, int64_t total)
{
    return progress_tick(arg, done, total);
}

static struct reader *open_past(struct store *s, int64_t seq, struct error *e)
{
    struct progress progress;
    progress_begin(&progress, "going back");
    struct reader *r = reader_open_past(s, seq, tick, &progress, e);
    progress_end(&progress);
    return r;
}

/* Replaces the reader by one as of that time. */
static int open_as_of(struct invocation *i, const char *text, struct opened *o, struct error *e)
{
    AUTO_STRBUF name = STRBUF_INIT;
    if (point_in_time_read(o->reader, text, i->out.now, &o->as_of, e))
        return -1;
    if (o->as_of.seq == 0)
        return opening_nothing_yet(text, &o->as_of, e);
    struct reader *past = open_past(o->store, o->as_of.seq, e);
    if (!past)
        return -1;
    stop_watch(NULL);
    reader_close(o->reader);
    o->reader = past;
    i->out.now = o->as_of.until; /* ages count back from that time */
    point_in_time_add(&name, &o->as_of);
    output_note("as of %s", name.buf);
    return 0;
}

/* Opens the reader of o->store (NULL if opening failed), as of a time if `as_of` is not NULL. */
static int open_reader(struct invocation *i, const char *as_of, struct opened *o, struct error *e)
{
    o->reader = o->store ? reader_open(o->store, e) : NULL;
    if (!o->reader || (as_of && open_as_of(i, as_of, o, e))) {
        opening_close(o);
        return -1;
    }
    stop_watch(o->reader);
    return 0;
}

int opening_open(struct invocation *i, const char *path, bool create, struct opened *o,
                 struct error *e)
{
    /* The explorer, whose name is "", handles --as-of itself. */
    const char *as_of = *i->command->name ? option_text(i, "as-of") : NULL;
    *o = (struct opened){.as_of = {.seq = -1}};
    stop_watch(NULL);
    o->store = opening_store(i, path, create, e);
    return open_reader(i, as_of, o, e);
}

int opening_explored(struct invocation *i, const char *path, struct opened *o, int *why,
                     struct error *e)
{
    *o = (struct opened){.as_of = {.seq = -1}};
    stop_watch(NULL);
    o->store = open_as_permitted(i, path, false, why, e);
    return open_reader(i, NULL, o, e); /* the explorer handles --as-of itself */
}

void opening_close(struct opened *o)
{
    if (o->reader) {
        stop_watch(NULL);
        reader_close(o->reader);
    }
    store_close(o->store);
    *o = (struct opened){0};
}

/* ---- running ---- */

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

int opening_run(struct invocation *i, struct error *e)
{
    struct opened o;
    const struct command *c = i->command;
    if (c->check && c->check(i, e))
        return -1;
    if ((c->read || c->pages) && i->out.tty && !i->out.json)
        i->out.pager = pager_start;
    if (!c->read)
        return c->run(i, e);
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = c->read(i, o.reader, e);
    opening_close(&o);
    return result;
}

int64_t opening_resolve(struct reader *r, const char *text, struct error *e)
{
    int64_t row = ref_resolve(r, text, e);
    /* An invalid ref is a mistake on the command line, not in an input. */
    if (row < 0 && e->code == ERROR_INVALID)
        e->code = ERROR_USAGE;
    return row;
}

void opening_note_format(const char *path, const struct import_format *format,
                         const struct import_summary *found)
{
    AUTO_STRBUF holds = STRBUF_INIT;
    const char *const rest[][2] = {{"; schema ", found->source_version},
                                   {"; ", found->remarks},
                                   {"; not imported: ", found->other_tables}};
    format_count(format, path, &holds);
    for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
        if (*rest[i][1])
            strbuf_addf(&holds, "%s%s", rest[i][0] + (holds.len ? 0 : 2), rest[i][1]);
    output_note("%s is %s%s%s%s", path, format->title, holds.len ? " (" : "", holds.buf,
                holds.len ? ")" : "");
}

struct actor opening_person(struct invocation *i)
{
    struct actor person = {.class = ACTOR_PERSON, .name = i->config.actor, .origin = "command"};
    struct passwd *entry = person.name ? NULL : getpwuid(geteuid());
    if (!person.name)
        person.name = entry ? arena_strdup(&i->arena, entry->pw_name) : set_variable("LOGNAME");
    if (!person.name)
        person.name = "someone";
    return person;
}

int scratch_make(struct scratch *s, struct error *e)
{
    const char *base = getenv("TMPDIR");
    if (!base || *base != '/')
        base = "/tmp";
    int len = snprintf(s->directory, sizeof(s->directory), "%s/stemma-XXXXXX", base);
    if (len >= (int)sizeof(s->directory) || !mkdtemp(s->directory)) {
        s->directory[0] = '\0';
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory that you can write to.",
                         "cannot create a directory in %s: %s", base, strerror(errno));
    }
    snprintf(s->store, sizeof(s->store), "%s/memory.db", s->directory);
    return 0;
}

void scratch_remove_store(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    AUTO_STRBUF name = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        strbuf_clear(&name);
        strbuf_addf(&name, "%s%s", path, suffixes[i]);
        unlink(name.buf);
    }
}

void scratch_remove(struct scratch *s)
{
    if (!*s->directory)
        return;
    scratch_remove_store(s->store);
    rmdir(s->directory);
    s->directory[0] = '\0';
}
