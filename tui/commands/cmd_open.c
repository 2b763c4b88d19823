/* stemma [PATH] and demo: the explorer on a store, a working copy of a foreign source, or the demo's story. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"
#include "store/formats/formats.h"
#include "store/import/tables/tables.h"
#include "store/open.h"
#include "tui/commands/commands.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/demo/demo.h"
#include "tui/loop/explorer.h"

/* How the header names the store at that path: its name without `.db`; NULL for the default store. In the arena. */
static const char *store_title(struct arena *arena, const char *path)
{
    const char *ours = opening_data_directory(arena), *name = strrchr(path, '/');
    if (ours && !strcmp(path, arena_format(arena, "%s/memory.db", ours)))
        return NULL;
    name = name ? name + 1 : path;
    name += *name == '.' && name[1];
    return arena_strndup(arena, name, strlen(name) - (text_ends_with(name, ".db") ? 3 : 0));
}

/* Copies a text to the arena and frees it; NULL stays NULL. */
static const char *open_kept(struct arena *arena, char *text)
{
    const char *kept = text ? arena_strdup(arena, text) : NULL;
    free(text);
    return kept;
}

/* Checks that there is a terminal for the explorer. Otherwise sets ERROR_USAGE with the command that lists `path`, or
 * that first imports `source` (its path, after --map if there is one) if it was not imported yet. `path` is NULL for a
 * temporary store. */
static int explore_possible(const struct invocation *i, const char *path, const char *source,
                            struct error *e)
{
    char hint[250];
    if (i->out.tty && !i->out.json)
        return 0;
    if (!path)
        snprintf(hint, sizeof(hint), "Run it in a terminal.");
    else if (source && access(path, F_OK) != 0)
        snprintf(hint, sizeof(hint), "`stemma import %.110s --store %.100s` imports it.", source,
                 path);
    else
        snprintf(hint, sizeof(hint), "`stemma list all --store %.120s` lists what is in it.", path);
    if (i->out.json)
        return error_set(e, ERROR_USAGE, hint, "the explorer draws a screen and writes no JSON");
    return error_set(e, ERROR_USAGE, hint, "the explorer needs a terminal to draw on");
}

/* Checks --as-of before the explorer opens, so that an invalid time does not show the present. */
static int check_moment(struct invocation *i, const struct opened *o, struct error *e)
{
    const char *text = option_text(i, "as-of");
    struct point_in_time m;
    if (!text || strcmp(text, "now") == 0)
        return 0;
    if (point_in_time_read(o->reader, text, i->out.now, &m, e))
        return -1;
    if (m.seq > 0)
        return 0;
    opening_nothing_yet(text, &m, e);
    e->code = ERROR_STORE;
    return -1;
}

/* A foreign source that the explorer shows a working copy of, and follows. */
struct source {
    const struct import_format *format;
    const char *path; /* absolute */
};

/* The fixed path of a file next to the demo store. NULL without a home. */
static const char *demo_path(struct arena *arena, const char *name)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        return arena_format(arena, "%s/stemma/%s", state, name);
    return home && *home ? arena_format(arena, "%s/.local/state/stemma/%s", home, name) : NULL;
}

/* The tour begins by itself only once, which an empty file remembers. */
static bool wants_tour(struct invocation *i)
{
    struct error e = {0};
    const char *path = demo_path(&i->arena, "tour");
    if (option_given(i, "live") && !option_given(i, "tour"))
        return false;
    int fd = !path || store_make_folders(path, &e)
                 ? -1
                 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0 || option_given(i, "tour");
}

/* Runs the explorer on an open store and closes the store. `follow` is a source to import again on changes,
 * `notice` the first text of the status line; both may be NULL. Sets i->ended_by if a signal ended the explorer. */
static int explore(struct invocation *i, struct opened *o, const struct source *follow,
                   const char *notice, struct error *e)
{
    if (check_moment(i, o, e)) {
        opening_close(o);
        return -1;
    }
    i->config.screen_reader |= option_given(i, "screen-reader") || getenv("STEMMA_SCREEN_READER");
    const char *path = store_path(o->store), *origin = follow ? follow->path : path;
    bool demo = i->command == &cmd_demo;
    struct store_opener opener = {&i->config, option_given(i, "read-only"), opening_person(i).name};
    struct explorer_options options = {.no_colour = !i->out.color,
                                       .notice = notice,
                                       .as_of = option_text(i, "as-of"),
                                       .visit = open_kept(&i->arena, explorer_visit_path(path)),
                                       .place = open_kept(&i->arena, explorer_place_path(path)),
                                       .anew = demo, /* its story begins anew each time */
                                       .name = demo ? "demo" : store_title(&i->arena, origin),
                                       .origin = demo ? NULL : origin,
                                       .open = open_for_explorer,
                                       .open_arg = &opener,
                                       .inbox_first = !demo,
                                       .tour = demo && wants_tour(i),
                                       .story = demo,
                                       .record = option_text(i, "record"),
                                       .person = opening_person(i).name};
    if (follow) {
        options.format = follow->format;
        options.follow = follow->path;
    }
    /* The explorer opens its own readers and handles signals itself. */
    stop_watch(NULL);
    reader_close(o->reader);
    o->reader = NULL;
    int result = explorer_run(o->store, &i->config, &options, e);
    opening_close(o);
    i->ended_by = result > 0 ? result : 0;
    return result < 0 ? -1 : 0;
}

#define OPT_RECORD                                                                                 \
    OPT_TEXT("record", "FILE", "write the keys to a new file, which `stemma replay` plays")

#define OPT_SCREEN_READER                                                                          \
    OPT_FLAG("screen-reader",                                                                      \
             "words for signs, the outline for drawings, the cursor where you are; "               \
             "`screen_reader: yes` in config.yaml does it always")

/* stemma [PATH]: the explorer on a store, or on a working copy of a source that it recognises. */

static const struct option_spec options[] = {
    OPT_FLAG("version", "print the version"),
    OPT_TEXT("map", "FILE", "read a database of SQLite as FILE describes it; docs/formats/map.md"),
    OPT_RECORD,
    OPT_SCREEN_READER,
    OPT_AS_OF,
    OPTION_END,
};

/* ---- a foreign source ---- */

/* The store into which the source is imported: --store if given. */
static const char *path_for(struct invocation *i, const struct source *source)
{
    const char *path = option_text(i, "store");
    return path ? path : opening_working_copy(&i->arena, source->path);
}

/* The explorer opens after that many ms: what is not imported then is imported while it is open (stores.c). */
#define OPEN_WITHIN_MS 700

struct first_import {
    struct progress *progress; /* NULL while the explorer has the terminal */
    int64_t until;             /* ms, monotonic */
    bool goes_on;
};

static int tick(void *arg, int64_t done, int64_t total)
{
    struct first_import *f = arg;
    f->goes_on = monotonic_ms() >= f->until;
    return (f->progress && progress_tick(f->progress, done, total)) || f->goes_on;
}

static void pass_over(void *arg, const char *line)
{
    (void)arg;
    (void)line; /* problems are counted in the summary; the notice tells how to list them */
}

/* Imports the source, or its beginning, and summarises that in `notice`. A narrow screen cuts its end. */
static int import_source(struct store *store, const struct source *source, const char *person,
                         struct progress *progress, struct strbuf *notice, struct error *e)
{
    struct first_import first = {.progress = progress, .until = monotonic_ms() + OPEN_WITHIN_MS};
    struct import_summary s = {0};
    struct import_options import = {.agent = import_agent_of(source->format, person),
                                    .actor = person,
                                    .report = pass_over,
                                    .progress = tick,
                                    .arg = &first};
    int result = import_source_run(source->format, store, source->path, &import, &s, e);
    bool more = result && e->code == ERROR_INTERRUPTED && first.goes_on && !stop_wanted();
    strbuf_addf(notice, "%s stays as it is%s; working copy: %s (%lld added, %lld updated%s)",
                strrchr(source->path, '/') + 1,
                source->format->write_back ? " (:apply writes to it)" : "", store_path(store),
                (long long)s.added, (long long)s.updated, more ? ", more is coming" : "");
    long long left = s.not_understood + s.refused + s.repeated + s.taken;
    if (left > 0)
        strbuf_addf(notice, "; %lld not imported (`stemma import` lists them)", left);
    if (*s.remarks)
        strbuf_addf(notice, "; %s", s.remarks);
    return more ? 0 : result;
}

/* Shows a store that follows the source, which is only read. `wrong` is NULL if the source can be imported. */
static int explore_source(struct invocation *i, const struct source *source,
                          const struct error *wrong, struct error *e)
{
    struct opened o;
    AUTO_STRBUF notice = STRBUF_INIT;
    bool read_only = option_given(i, "read-only");
    const char *path = path_for(i, source);
    if (!path)
        return error_set(e, ERROR_STORE, "Name one with --store.",
                         "HOME is not set, so there is no place for the working copy");
    const char *map = option_text(i, "map");
    if (explore_possible(i, path,
                         arena_format(&i->arena, "%s%s%s%s", map ? "--map " : "", map ? map : "",
                                      map ? " " : "", source->path),
                         e))
        return -1;
    /* Do not create a store for a source that cannot be read. */
    if (wrong && access(path, F_OK) != 0) {
        *e = *wrong;
        return -1;
    }
    if (opening_open(i, path, !read_only, &o, e))
        return -1;
    if (read_only)
        return explore(i, &o, NULL, "read-only: the source was not imported again", e);
    struct progress progress;
    progress_begin(&progress, "import");
    progress.is_bytes = !source->format->counts_memories;
    int failed = import_source(o.store, source, opening_person(i).name, &progress, &notice, e);
    progress_end(&progress);
    if (failed) {
        opening_close(&o);
        return -1;
    }
    return explore(i, &o, source, notice.buf, e);
}

static int find_source(struct source *source, struct arena *arena, const char *path,
                       struct error *e)
{
    source->path = open_kept(arena, realpath(path, NULL));
    return source->path ? 0
                        : error_set(e, ERROR_STORE, "Check the path.", "cannot find %s: %s", path,
                                    strerror(errno));
}

/* `path` is not a store of ours. */
static int open_source(struct invocation *i, const char *path, struct error *e)
{
    const char *map = option_text(i, "map");
    struct import_format format; /* with --map */
    struct source source = {.format = map ? &format : format_find_source(&path, &i->arena, e)};
    struct import_summary found;
    struct error wrong;
    if (!source.format || (map && table_map_read(&format, &i->arena, map, e)))
        return -1;
    if (find_source(&source, &i->arena, path, e))
        return -1;
    bool fails = import_source_check(source.format, source.path, NULL, &found, &wrong) < 0;
    opening_note_format(path, source.format, &found);
    return explore_source(i, &source, fails ? &wrong : NULL, e);
}

/* ---- a stemma store ---- */

static int open_store(struct invocation *i, const char *path, struct error *e)
{
    struct opened o;
    char notice[160];
    int why;
    if (opening_explored(i, path, &o, &why, e))
        return -1;
    snprintf(notice, sizeof(notice), "read-only: the store cannot be written (%s)", strerror(why));
    if (explore_possible(i, path, NULL, e)) {
        opening_close(&o);
        return -1;
    }
    return explore(i, &o, NULL, why ? notice : NULL, e);
}

static int run_open(struct invocation *i, struct error *e)
{
    bool named = i->word_count > 0;
    if (option_given(i, "version")) {
        strbuf_addstr(&i->out.text, "stemma " STEMMA_VERSION "\n");
        return 0;
    }
    if (option_given(i, "map") && !named)
        return error_set(e, ERROR_USAGE, "`stemma PATH --map FILE` opens it.",
                         "--map needs the path of a database");
    const char *path = named ? i->words[0] : opening_path(i, &named, e);
    if (!path)
        return -1;
    const char *kind = store_recognise(path);
    if (!named && i->out.tty && isatty(STDIN_FILENO) && !i->out.json) {
        *e = (struct error){0};
        const char *chosen = opening_choose_store(i, e);
        if (!chosen && e->code != ERROR_NONE)
            return -1;
        if (!chosen)
            return opening_print_stores(i, path);
        kind = store_recognise(path = chosen);
    } else if (!named && strcmp(kind, "none") == 0)
        return opening_print_stores(i, path);
    if (!option_given(i, "map") && (strcmp(kind, "stemma") == 0 || strcmp(kind, "none") == 0))
        return open_store(i, path, e);
    return open_source(i, path, e);
}

const struct command cmd_open = {
    .name = "",
    .words = "[PATH] [--map FILE] [--record FILE] [--screen-reader]",
    .about =
        "explore a store, or what another program keeps; without PATH, say what is on this machine",
    .examples = "stemma ./memory.db\n"
                "stemma ~/.claude\n"
                "stemma ~/.kernle/memories.db",
    .options = options,
    .run = run_open,
};

/* ---- `:open`, another store while the explorer runs: without a word on the terminal, which is the explorer's ---- */

/* Sets what the explorer needs to know of the open store; `origin` is what opens it again. */
static void describe(struct opened_store *out, const char *origin, const char *notice)
{
    struct explorer_options *o = &out->options;
    const char *path = store_path(out->store);
    o->name = store_title(&out->arena, origin);
    o->origin = arena_strdup(&out->arena, origin);
    o->visit = open_kept(&out->arena, explorer_visit_path(path));
    o->place = open_kept(&out->arena, explorer_place_path(path));
    o->inbox_first = true;
    o->notice = *notice ? arena_strdup(&out->arena, notice)
                        : arena_format(&out->arena, "this is %s", origin);
}

static int open_followed(const struct store_opener *opener, const char *path,
                         struct opened_store *out, struct strbuf *notice, struct error *e)
{
    struct source source = {.format = format_find_source(&path, &out->arena, e)};
    struct import_summary found;
    if (!source.format || find_source(&source, &out->arena, path, e))
        return -1;
    const char *copy = opening_working_copy(&out->arena, source.path);
    if (!copy)
        return error_set(e, ERROR_STORE, "Set HOME.", "there is no place for its working copy");
    if (opened_store_has(out, copy))
        return error_set(e, ERROR_REFUSED, "Open that.", "its working copy, %s, is open", copy);
    if ((access(copy, F_OK) != 0 &&
         import_source_check(source.format, source.path, NULL, &found, e) < 0) ||
        !(out->store = opening_quiet(opener->config, copy, opener->read_only, true, notice, e)))
        return -1;
    if (store_is_read_only(out->store)) {
        strbuf_addf(notice, "%sthe source was not imported again", notice->len ? "; " : "");
    } else {
        out->options.format = source.format;
        out->options.follow = source.path;
        if (import_source(out->store, &source, opener->person, NULL, notice, e))
            return -1;
    }
    describe(out, source.path, notice->buf);
    return 0;
}

static int open_ours(const struct store_opener *opener, const char *path, struct opened_store *out,
                     struct strbuf *notice, struct error *e)
{
    out->store = opening_quiet(opener->config, path, opener->read_only, false, notice, e);
    struct reader *reads = out->store ? reader_open(out->store, e) : NULL;
    if (!reads)
        return -1;
    reader_close(reads);
    describe(out, store_path(out->store), notice->buf);
    return 0;
}

int open_for_explorer(void *arg, const char *path, struct opened_store *out, struct error *e)
{
    const struct store_opener *opener = arg;
    AUTO_STRBUF notice = STRBUF_INIT;
    const char *kind = store_recognise(path);
    bool ours = strcmp(kind, "stemma") == 0 || strcmp(kind, "none") == 0;
    if (!(ours ? open_ours : open_followed)(opener, path, out, &notice, e))
        return 0;
    store_close(out->store);
    out->store = NULL;
    return -1;
}

/*
 * stemma demo: a new store each time, at a fixed path that other commands can use. A second demo at the same time
 * gets a private store, so that neither removes the other's. A store at the path of --store is kept.
 */

/* Locks the directory of the demo store while it is explored; the store itself is removed and created again. Returns
 * -1 if another demo holds the lock, or it cannot be made; *why says which. */
static int take_lock(const char *path, const char **why)
{
    struct error e = {0};
    AUTO_FREE char *folder = xstrdup(path);
    *strrchr(folder, '/') = '\0';
    int fd = store_make_folders(path, &e) ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *why = fd < 0 ? "the usual folder cannot be written" : "another demo is running";
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* --live needs the explorer's socket, because its agents connect to it. */
static int check_listening(struct invocation *i, struct error *e)
{
    if (option_given(i, "read-only"))
        return error_set(e, ERROR_USAGE, "Omit --live or --read-only.",
                         "--live needs a store that agents can write to");
    if (!i->config.listen)
        return error_set(e, ERROR_USAGE, "Omit --live, or set `listen: yes`.",
                         "the configuration says `listen: no`, so agents cannot connect");
    return 0;
}

/* `apart`: why the store is not the usual one and is removed at the end; NULL if it stays. */
static int explore_demo(struct invocation *i, const char *path, const char *apart, struct error *e)
{
    struct opened o;
    struct demo_agents agents = DEMO_AGENTS_INIT;
    char notice[600];
    bool live = option_given(i, "live"), kept = option_given(i, "store");
    agents.runtime_dir = i->config.runtime_dir;
    demo_rules_add(&i->config.permissions);
    if (story_replay(path, i->out.now, e))
        return -1;
    if (kept && !live && !i->out.tty && !i->out.json) { /* a script that wants the store */
        strbuf_addf(&i->out.text, "made %s; `stemma %s` opens it in a terminal\n", path, path);
        return 0;
    }
    if (explore_possible(i, apart ? NULL : path, NULL, e) ||
        (live && demo_sockets_add(&i->config.permissions, path, i->config.runtime_dir, e)) ||
        (live && demo_agents_start(&agents, path, e)))
        return -1;
    snprintf(notice, sizeof(notice), "%s%s; commands find it with --store %.400s",
             apart  ? apart
             : live ? "two agents are at work"
                    : "an example store",
             apart  ? ": this one has a store of its own, removed when it ends"
             : kept ? ""
                    : ", new each time",
             path);
    int result = opening_open(i, path, false, &o, e) ? -1 : explore(i, &o, NULL, notice, e);
    demo_agents_stop(&agents);
    return result;
}

/* The demo at the path of --store. An existing file is never changed. */
static int explore_at_path(struct invocation *i, struct error *e)
{
    struct stat st;
    const char *path = opening_path(i, NULL, e);
    if (!path)
        return -1;
    if (lstat(path, &st) == 0)
        return error_set(e, ERROR_USAGE, "Name a new file, or omit --store.",
                         "%.400s exists, but the demo needs a new store", path);
    return store_make_folders(path, e) ? -1 : explore_demo(i, path, NULL, e);
}

static int explore_usual(struct invocation *i, struct error *e)
{
    struct scratch scratch = SCRATCH_INIT;
    const char *path = demo_path(&i->arena, "demo.db"), *why = "there is no home folder";
    int lock = path ? take_lock(path, &why) : -1;
    if (lock < 0) {
        output_note("%s: this demo has a store of its own, removed when it ends", why);
        if (scratch_make(&scratch, e))
            return -1;
        path = scratch.store;
    } else {
        scratch_remove_store(path); /* each run starts the story from the beginning */
    }
    int result = explore_demo(i, path, lock < 0 ? why : NULL, e);
    scratch_remove(&scratch);
    if (lock >= 0)
        close(lock);
    return result;
}

static int run_demo(struct invocation *i, struct error *e)
{
    if (option_given(i, "live") && check_listening(i, e))
        return -1;
    return option_given(i, "store") ? explore_at_path(i, e) : explore_usual(i, e);
}

static const struct option_spec demo_options[] = {
    OPT_FLAG("live",
             "with two agents that write, reason, search and make mistakes while you watch"),
    OPT_FLAG("tour", "begin with a tour of five steps, as at the first start"),
    OPT_RECORD,
    OPT_SCREEN_READER,
    OPTION_END,
};

const struct command cmd_demo = {
    .name = "demo",
    .words = "[--live] [--tour] [--record FILE] [--screen-reader]",
    .about = "explore an example store",
    .examples = "stemma demo\n"
                "stemma demo --live\n"
                "stemma demo --tour",
    .details =
        "The story begins anew each time: your changes are lost with the next demo. Try other "
        "commands on its store, ~/.local/state/stemma/demo.db. --store FILE keeps the story in a "
        "new file, which `stemma FILE` opens again. If a demo is running already, a second one "
        "uses another store and says so.\n\nWith --live two agents, Ash and Claire, connect to the "
        "explorer's socket as any agent would, and leave when it ends.",
    .options = demo_options,
    .run = run_demo,
};
