/* Finds and opens the store of a command; lists stores if there is none; makes temporary stores. */
#include "tui/cli/opening.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/db/store.h"
#include "store/history/past.h"
#include "store/open.h"
#include "store/query/ref.h"
#include "tui/cli/stop.h"
#include "tui/text/text.h"

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
static const char *data_directory(struct arena *arena)
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
    const char *directory = data_directory(&i->arena);
    path = directory ? join(&i->arena, directory, "/memory.db") : NULL;
    if (!path)
        error_set(e, ERROR_STORE, "Give one with --store.",
                  "no store was named, and HOME is not set to look for it");
    return path;
}

/* Where earlier versions put the working copy of a Kernle store. */
static const char *copy_beside(struct arena *arena, const char *source)
{
    AUTO_STRBUF path = STRBUF_INIT;
    size_t len = strlen(source);
    if (len > 3 && strcmp(source + len - 3, ".db") == 0)
        len -= 3;
    strbuf_add(&path, source, len);
    strbuf_addstr(&path, ".stemma.db");
    return arena_strdup(arena, path.buf);
}

const char *opening_working_copy(struct arena *arena, const char *source)
{
    AUTO_STRBUF path = STRBUF_INIT;
    AUTO_FREE char *real = realpath(source, NULL);
    const char *full = real ? real : source, *name = strrchr(full, '/');
    const char *directory = data_directory(arena), *beside = copy_beside(arena, full);
    struct digest hash;
    if (access(beside, F_OK) == 0)
        return beside;
    if (!directory)
        return NULL;
    digest_bytes(&hash, full, strlen(full));
    name = name ? name + 1 : full;
    strbuf_addf(&path, "%s/%s-", directory, name + (*name == '.'));
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

/*
 * Opens the store at `path`, or at opening_path if it is NULL. `create` makes it and its directories if it does not
 * exist. Warnings go to standard error. The caller closes it.
 */
static struct store *opening_store(struct invocation *i, const char *path, bool create,
                                   struct error *e)
{
    struct store_options options = {.read_only = option_given(i, "read-only"),
                                    .create = create,
                                    .large = strcmp(i->command->name, "import") == 0,
                                    .hmac_key = i->config.hmac_key,
                                    .runtime_dir = i->config.runtime_dir,
                                    .confidence = {i->config.decay, &i->config.trust}};
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
    struct store_options options = {.read_only = read_only || *why,
                                    .create = create && !read_only && !*why,
                                    .hmac_key = i->config.hmac_key,
                                    .runtime_dir = i->config.runtime_dir,
                                    .confidence = {i->config.decay, &i->config.trust}};
    return open_store(path, true, &options, e);
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
    char iso[32];
    clock_format_iso(iso, sizeof(iso), m->at);
    iso[10] = ' ';
    if (m->at == 0)
        return error_set(e, ERROR_NOT_FOUND, "", "nothing was ever written to the store");
    return error_set(e, ERROR_NOT_FOUND, "Give a later time.",
                     "the store was empty at %.80s: its first event is at %.19sZ", text, iso);
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

int opening_run(struct invocation *i, struct error *e)
{
    struct opened o;
    const struct command *c = i->command;
    if (c->check && c->check(i, e))
        return -1;
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

#define FOUND_MAX    20  /* stores listed; more are only counted */
#define EXAMINED_MAX 500 /* files examined in a directory */

struct found {
    struct arena *arena;
    const char *path[FOUND_MAX];
    const char *kind[FOUND_MAX];   /* "stemma" or "kernle" */
    const char *copied[FOUND_MAX]; /* the Kernle store that it is the working copy of, or NULL */
    size_t count, more;
};

/* Adds the file if its content is a store. */
static void add_if_store(struct found *f, const char *path)
{
    const char *kind = store_recognise(path);
    if (strcmp(kind, "stemma") != 0 && strcmp(kind, "kernle") != 0)
        return;
    if (f->count == FOUND_MAX) {
        f->more++;
        return;
    }
    f->path[f->count] = arena_strdup(f->arena, path);
    for (size_t i = 0; i < f->count; i++) /* a Kernle store stands before its working copy */
        if (!strcmp(f->kind[i], "kernle") &&
            !strcmp(path, opening_working_copy(f->arena, f->path[i])))
            f->copied[f->count] = f->path[i];
    f->kind[f->count++] = kind;
}

static int is_database(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);
    return len > 3 && strcmp(entry->d_name + len - 3, ".db") == 0;
}

/* Examines the files *.db of a directory, in order of their names. */
static void search_directory(struct found *f, const char *directory)
{
    struct dirent **entries;
    AUTO_STRBUF path = STRBUF_INIT;
    int count = scandir(directory, &entries, is_database, alphasort);
    for (int i = 0; i < count; i++) {
        strbuf_clear(&path);
        strbuf_addf(&path, "%s/%s", directory, entries[i]->d_name);
        if (i < EXAMINED_MAX)
            add_if_store(f, path.buf);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Kernle's directory first, because it most likely holds what the user wants. */
static void search_stores(struct found *f)
{
    const char *kernle = getenv("KERNLE_DATA_DIR"), *home = getenv("HOME");
    const char *ours = data_directory(f->arena);
    AUTO_STRBUF path = STRBUF_INIT;
    if (kernle && *kernle)
        search_directory(f, kernle);
    if (home && *home) {
        strbuf_addf(&path, "%s/.kernle", home);
        search_directory(f, path.buf);
    }
    if (ours)
        search_directory(f, ours);
    search_directory(f, ".");
}

static void write_json(struct output *out, const struct found *f, const char *path)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "store", path);
    struct json_object list = json_open(&o, "found", '[');
    for (size_t i = 0; i < f->count; i++) {
        struct json_object one = json_item_open(&list, '{');
        json_pair(&one, "path", f->path[i]);
        json_pair(&one, "kind", f->kind[i]);
        json_end(&one);
    }
    json_end(&list);
    json_end_line(&o);
}

/* Columns for the paths, at most 48. */
static size_t path_width(const struct found *f)
{
    size_t width = 0;
    for (size_t i = 0; i < f->count; i++) {
        size_t own = text_width(f->path[i], strlen(f->path[i]), 48, TEXT_EXACT);
        width = own > width ? own : width;
    }
    return width < 48 ? width : 48;
}

/* Prints what a path or a command is for, after `used` columns or, if it does not fit there, on a line of its own. */
static void print_about(struct output *out, enum style style, const char *about, size_t used)
{
    size_t width = text_width(about, strlen(about), SIZE_MAX - 64, out->flags);
    if (width + used > out->columns) {
        while (out->text.len && out->text.buf[out->text.len - 1] == ' ')
            strbuf_cut(&out->text, out->text.len - 1);
        strbuf_addstr(&out->text, "\n      ");
    }
    output_printf(out, style, "%s\n", about);
}

static void print_one(struct output *out, const struct found *f, size_t at, size_t width)
{
    struct stat st;
    char age[32] = "";
    const char *path = f->path[at];
    AUTO_STRBUF about = STRBUF_INIT;
    size_t own = text_width(path, strlen(path), SIZE_MAX - 1, TEXT_EXACT | out->flags);
    if (stat(path, &st) == 0)
        clock_format_age(age, sizeof(age), (int64_t)st.st_mtime * 1000, out->now);
    own = own > width ? own : width;
    strbuf_addstr(&out->text, "  ");
    output_cell(out, STYLE_STRONG, path, own, TEXT_EXACT);
    if (f->copied[at])
        strbuf_addf(&about, "the working copy of %s", strrchr(f->copied[at], '/') + 1);
    else
        strbuf_addf(&about, "a %s store", strcmp(f->kind[at], "kernle") == 0 ? "Kernle" : "stemma");
    strbuf_addf(&about, ", changed %s%s", age, strcmp(age, "now") == 0 ? "" : " ago");
    print_about(out, STYLE_TEXT, about.buf, 2 + own + 2);
}

/* Prints a command and, after `width` columns, what it does. */
static void print_next(struct output *out, const char *command, const char *path, const char *does,
                       size_t width)
{
    size_t own = strlen(command) + text_width(path, strlen(path), SIZE_MAX - 64, out->flags);
    size_t gap = (own < width ? width - own : 0) + 3;
    strbuf_addf(&out->text, "  stemma %s", command);
    output_text(out, STYLE_TEXT, path);
    strbuf_addchars(&out->text, ' ', gap);
    print_about(out, STYLE_DIM, does, strlen("  stemma ") + own + gap);
}

static void print_all(struct output *out, const struct found *f, const char *path)
{
    strbuf_addstr(&out->text, "There is no store at ");
    output_text(out, STYLE_TEXT, path);
    strbuf_addstr(&out->text, " yet.\n\n");
    if (f->count)
        output_printf(out, STYLE_STRONG, "Found on this machine:\n");
    else
        strbuf_addstr(&out->text, "No other store was found on this machine either.\n");
    for (size_t i = 0; i < f->count; i++)
        print_one(out, f, i, path_width(f));
    if (f->more)
        strbuf_addf(&out->text, "  and %zu more\n", f->more);
    output_printf(out, STYLE_STRONG, "\nNext:\n");
    static const char add[] = "add note \"...\"", look[] = "look around in an example store";
    size_t width = path_width(f), offered = 0;
    if (width < strlen(add) || strlen("  stemma ") + width + 3 + strlen(look) > out->columns)
        width = strlen(add);
    for (size_t i = 0; i < f->count && offered < 3; i++)
        if (!f->copied[i]) { /* the explorer opens it with its original */
            print_next(out, "", f->path[i], "explore it", width);
            offered++;
        }
    print_next(out, "demo", "", look, width);
    print_next(out, add, "", "start your own store", width);
    print_next(out, "help", "", "all commands", width);
}

int opening_print_stores(struct invocation *i, const char *path)
{
    struct found f = {.arena = &i->arena};
    search_stores(&f);
    if (i->out.json)
        write_json(&i->out, &f, path);
    else
        print_all(&i->out, &f, path);
    return 0;
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
