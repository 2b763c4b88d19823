/*
 * The stores on this machine: those of stemma, and what other programs keep in the places that
 * their formats name. Printed when no store was named; on a terminal one is chosen.
 */
#include "tui/cli/opening.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/db/store.h"
#include "store/formats/formats.h"
#include "tui/text/text.h"

#define FOUND_MAX    20  /* stores listed; more are only counted */
#define EXAMINED_MAX 500 /* files examined in a directory */

struct found_store {
    const char *path;
    const struct import_format *format; /* NULL: a store of ours */
    const char *copied;                 /* the source that it is the working copy of, or NULL */
};

struct found {
    struct arena *arena;
    struct found_store store[FOUND_MAX];
    size_t count, more; /* listed, and found besides */
    size_t unexamined;  /* files of large directories */
};

static bool is_listed(const struct found *f, const char *path)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->store[i].path, path) == 0)
            return true;
    return false;
}

/* Adds what is at the path if its content is a store of ours, or `format`; NULL for any format. */
static void add_if_store(struct found *f, const char *path, const struct import_format *format)
{
    struct error ignored;
    struct found_store store = {.path = path};
    if (strcmp(store_recognise(path), "stemma") != 0) {
        store.format = format_recognise(path, &ignored);
        if (!store.format || (format && store.format != format))
            return;
    }
    if (is_listed(f, path))
        return;
    if (f->count == FOUND_MAX) {
        f->more++;
        return;
    }
    store.path = arena_strdup(f->arena, path);
    for (size_t i = 0; i < f->count && !store.format;
         i++) { /* a source stands before its working copy */
        const char *copy =
            f->store[i].format ? opening_working_copy(f->arena, f->store[i].path) : NULL;
        if (copy && strcmp(path, copy) == 0)
            store.copied = f->store[i].path;
    }
    f->store[f->count++] = store;
}

static int is_database(const struct dirent *entry)
{
    return text_ends_with(entry->d_name, ".db");
}

/* Examines the files *.db of a directory, in order of their names. */
static void search_directory(struct found *f, const char *directory,
                             const struct import_format *format)
{
    struct dirent **entries;
    AUTO_STRBUF path = STRBUF_INIT;
    int count = scandir(directory, &entries, is_database, alphasort);
    for (int i = 0; i < count; i++) {
        strbuf_clear(&path);
        strbuf_addf(&path, "%s/%s", directory, entries[i]->d_name);
        if (i < EXAMINED_MAX)
            add_if_store(f, path.buf, format);
        else
            f->unexamined++;
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Expands `~/` and `$NAME/` at the start of a place. Returns false if the variable is not set. */
static bool expand_place(const char *place, size_t len, struct strbuf *out)
{
    size_t name = *place == '~' ? 1 : *place == '$' ? strcspn(place, "/|") : 0;
    AUTO_STRBUF variable = STRBUF_INIT;
    if (name > len)
        name = len;
    strbuf_add(&variable, *place == '~' ? "HOME" : place + 1,
               *place == '~' ? 4
               : name        ? name - 1
                             : 0);
    const char *value = name ? getenv(variable.buf) : "";
    if (!value || (name && *value != '/'))
        return false;
    strbuf_addstr(out, value);
    strbuf_add(out, place + name, len - name);
    return true;
}

/* A place is a file or a folder, and may have "*"; with "/" at its end it is a directory of databases. */
static void search_place(struct found *f, const char *place, const struct import_format *format)
{
    glob_t paths;
    size_t len = strlen(place);
    if (len && place[len - 1] == '/')
        search_directory(f, arena_strndup(f->arena, place, len - 1), format);
    else if (glob(place, GLOB_NOSORT, NULL, &paths) == 0) {
        for (size_t i = 0; i < paths.gl_pathc; i++)
            add_if_store(f, paths.gl_pathv[i], format);
        globfree(&paths);
    }
}

static void search_places(struct found *f, const struct import_format *format)
{
    for (const char *at = format->places; at && *at;) {
        size_t len = strcspn(at, "|");
        AUTO_STRBUF place = STRBUF_INIT;
        if (expand_place(at, len, &place))
            search_place(f, place.buf, format);
        at += len + (at[len] == '|');
    }
}

/* What agents keep stands first: it most likely is what the user wants. */
static void search_stores(struct found *f)
{
    size_t count;
    const struct import_format *const *formats = formats_all(&count);
    const char *ours = opening_data_directory(f->arena);
    for (size_t i = 0; i < count; i++)
        search_places(f, formats[i]);
    if (ours)
        search_directory(f, ours, NULL);
    search_directory(f, ".", NULL);
}

static void write_json(struct output *out, const struct found *f, const char *path)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "store", path);
    struct json_object list = json_open(&o, "found", '[');
    for (size_t i = 0; i < f->count; i++) {
        struct json_object one = json_item_open(&list, '{');
        json_pair(&one, "path", f->store[i].path);
        json_pair(&one, "kind", f->store[i].format ? f->store[i].format->name : "stemma");
        AUTO_STRBUF holds = STRBUF_INIT;
        int64_t changed = format_count(f->store[i].format, f->store[i].path, &holds);
        json_pair(&one, "holds", holds.buf);
        json_pair_int(&one, "changed_at", changed);
        json_end(&one);
    }
    json_end(&list);
    json_pair_int(&o, "more", (int64_t)f->more);
    json_pair_int(&o, "unexamined", (int64_t)f->unexamined);
    json_end_line(&o);
}

/* Columns for the paths, at most 48. */
static size_t path_width(const struct found *f)
{
    size_t width = 0;
    for (size_t i = 0; i < f->count; i++) {
        size_t own = text_width(f->store[i].path, strlen(f->store[i].path), 48, TEXT_EXACT);
        width = own > width ? own : width;
    }
    return width < 48 ? width : 48;
}

/* Prints what a path or a command is for, after `used` columns or, if it does not fit there, on lines of its own. */
static void print_about(struct output *out, enum style style, const char *about, size_t used)
{
    size_t width = text_width(about, strlen(about), SIZE_MAX - 64, out->flags);
    if (width + used <= out->columns) {
        output_printf(out, style, "%s\n", about);
        return;
    }
    while (out->text.len && out->text.buf[out->text.len - 1] == ' ')
        strbuf_cut(&out->text, out->text.len - 1);
    strbuf_addch(&out->text, '\n');
    output_paragraph(out, about, 6, out->columns);
}

/* `number` from 1, to be chosen by; 0 for none. */
static void print_one(struct output *out, const struct found *f, size_t at, size_t width,
                      size_t number)
{
    char age[32];
    const struct found_store *store = &f->store[at];
    AUTO_STRBUF about = STRBUF_INIT, holds = STRBUF_INIT;
    size_t own =
        text_width(store->path, strlen(store->path), SIZE_MAX - 1, TEXT_EXACT | out->flags);
    size_t used = out->text.len;
    own = own > width ? own : width;
    if (number)
        strbuf_addf(&out->text, "%3zu", number);
    strbuf_addstr(&out->text, "  ");
    used = out->text.len - used;
    output_cell(out, STYLE_STRONG, store->path, own, TEXT_EXACT);
    if (store->copied)
        strbuf_addf(&about, "the working copy of %s", strrchr(store->copied, '/') + 1);
    else
        strbuf_addstr(&about, store->format ? store->format->title : "a stemma store");
    clock_format_age(age, sizeof(age), format_count(store->format, store->path, &holds), out->now);
    strbuf_addf(&about, "%s%s, changed %s%s", holds.len ? ", " : "", holds.buf, age,
                strcmp(age, "now") == 0 ? "" : " ago");
    print_about(out, STYLE_TEXT, about.buf, used + own + 2);
}

/* What is not in the list. */
static void print_rest(struct output *out, const struct found *f)
{
    if (f->more)
        strbuf_addf(&out->text, "  and %zu more\n", f->more);
    if (f->unexamined)
        strbuf_addf(&out->text, "  and %zu more file%s *.db, not looked at\n", f->unexamined,
                    f->unexamined == 1 ? "" : "s");
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
        print_one(out, f, i, path_width(f), 0);
    print_rest(out, f);
    output_printf(out, STYLE_STRONG, "\nNext:\n");
    static const char add[] = "add note \"...\"", look[] = "look around in an example store";
    size_t width = path_width(f), offered = 0;
    if (width < strlen(add) || strlen("  stemma ") + width + 3 + strlen(look) > out->columns)
        width = strlen(add);
    for (size_t i = 0; i < f->count && offered < 3; i++)
        if (!f->store[i].copied) { /* the explorer opens it with its original */
            print_next(out, "", f->store[i].path, "explore it", width);
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

/* A working copy is opened by its original. */
static void leave_copies(struct found *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++)
        if (!f->store[i].copied)
            f->store[kept++] = f->store[i];
    f->count = kept;
}

/* Asks for a number from 1 to `count`, at most three times. Returns 0 with `e` if none was given. */
static size_t ask_number(struct output *out, size_t count, struct error *e)
{
    char line[32];
    for (int tries = 0; tries < 3; tries++) {
        strbuf_addf(&out->text, "%sOpen which one? [1] ",
                    tries ? "There is no such number in the list. " : "");
        if (output_flush(out, e))
            return 0;
        if (!fgets(line, sizeof(line), stdin))
            break;
        unsigned long chosen = *line == '\n' ? 1 : strtoul(line, NULL, 10);
        if (chosen >= 1 && chosen <= count)
            return chosen;
    }
    error_set(e, ERROR_USAGE, "Give its number, or `stemma PATH`.",
              "there is no such store in the list");
    return 0;
}

const char *opening_choose_store(struct invocation *i, struct error *e)
{
    struct found f = {.arena = &i->arena};
    search_stores(&f);
    leave_copies(&f);
    if (f.count < 2)
        return f.count ? f.store[0].path : NULL;
    for (size_t n = 0; n < f.count; n++)
        print_one(&i->out, &f, n, path_width(&f), n + 1);
    print_rest(&i->out, &f);
    size_t chosen = ask_number(&i->out, f.count, e);
    return chosen ? f.store[chosen - 1].path : NULL;
}
