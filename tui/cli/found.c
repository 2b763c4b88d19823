#include "tui/cli/found.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/clock.h"
#include "model/json/json.h"
#include "store/db/store.h"
#include "tui/cli/opening.h"
#include "tui/text/text.h"

#define FOUND_MAX  20  /* stores that are named; more are counted */
#define LOOKED_MAX 500 /* files of a directory that are looked at */

struct found {
    struct arena *arena;
    const char *path[FOUND_MAX];
    const char *kind[FOUND_MAX]; /* "stemma" or "kernle" */
    size_t count, more;
};

/* Only what is a store, by its content and not by its name. */
static void consider(struct found *f, const char *path)
{
    const char *kind = store_recognise(path);
    if (strcmp(kind, "stemma") != 0 && strcmp(kind, "kernle") != 0)
        return;
    if (f->count == FOUND_MAX) {
        f->more++;
        return;
    }
    f->path[f->count] = arena_strdup(f->arena, path);
    f->kind[f->count] = kind;
    f->count += f->path[f->count] != NULL;
}

static int is_database(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);
    return len > 3 && strcmp(entry->d_name + len - 3, ".db") == 0;
}

/* The databases of a directory, by their names. */
static void look_in(struct found *f, const char *directory)
{
    struct dirent **entries;
    struct strbuf path = STRBUF_INIT;
    int count = scandir(directory, &entries, is_database, alphasort);
    for (int i = 0; i < count; i++) {
        strbuf_clear(&path);
        strbuf_addf(&path, "%s/%s", directory, entries[i]->d_name);
        if (i < LOOKED_MAX)
            consider(f, path.buf);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    strbuf_release(&path);
}

/* Kernle's own place first: it is the likeliest to hold what someone looks for. */
static void look_around(struct found *f)
{
    const char *kernle = getenv("KERNLE_DATA_DIR"), *home = getenv("HOME");
    const char *ours = opening_data_directory(f->arena);
    struct strbuf path = STRBUF_INIT;
    if (kernle && *kernle)
        look_in(f, kernle);
    if (home && *home) {
        strbuf_addf(&path, "%s/.kernle", home);
        look_in(f, path.buf);
    }
    if (ours)
        look_in(f, ours);
    look_in(f, ".");
    strbuf_release(&path);
}

static void write_json(struct output *out, const struct found *f, const char *path)
{
    struct json_object o = json_begin(&out->text, '{');
    json_key(&o, "store");
    json_add_string(&out->text, path);
    json_key(&o, "found");
    struct json_object list = json_begin(&out->text, '[');
    for (size_t i = 0; i < f->count; i++) {
        json_item(&list);
        struct json_object one = json_begin(&out->text, '{');
        json_key(&one, "path");
        json_add_string(&out->text, f->path[i]);
        json_key(&one, "kind");
        json_add_string(&out->text, f->kind[i]);
        json_end(&one);
    }
    json_end(&list);
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

/* Columns that the paths take up, within reason. */
static size_t path_width(const struct found *f)
{
    size_t width = 0;
    for (size_t i = 0; i < f->count; i++) {
        size_t own = text_width(f->path[i], strlen(f->path[i]), 48, TEXT_EXACT);
        width = own > width ? own : width;
    }
    return width < 48 ? width : 48;
}

static void print_one(struct output *out, const char *path, const char *kind, size_t width)
{
    struct stat st;
    char age[32] = "";
    size_t own = text_width(path, strlen(path), SIZE_MAX - 1, TEXT_EXACT | out->flags);
    if (stat(path, &st) == 0)
        clock_format_age(age, sizeof(age), (int64_t)st.st_mtime * 1000, out->now);
    strbuf_addstr(&out->text, "  ");
    output_cell(out, STYLE_STRONG, path, own > width ? own : width, TEXT_EXACT);
    strbuf_addf(&out->text, "a %s store, changed %s%s\n",
                strcmp(kind, "kernle") == 0 ? "Kernle" : "stemma", age,
                strcmp(age, "now") == 0 ? "" : " ago");
}

/* A command to type, and what it does: `width` columns on. */
static void print_next(struct output *out, const char *command, const char *path, const char *does,
                       size_t width)
{
    size_t own = strlen(command) + text_width(path, strlen(path), SIZE_MAX - 64, out->flags);
    strbuf_addf(&out->text, "  stemma %s", command);
    output_text(out, STYLE_TEXT, path);
    strbuf_addchars(&out->text, ' ', own < width ? width - own : 0);
    output_printf(out, STYLE_DIM, "   %s\n", does);
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
        print_one(out, f->path[i], f->kind[i], path_width(f));
    if (f->more)
        strbuf_addf(&out->text, "  and %zu more\n", f->more);
    output_printf(out, STYLE_STRONG, "\nNext:\n");
    static const char add[] = "add note \"...\"";
    size_t width = path_width(f) > strlen(add) ? path_width(f) : strlen(add);
    for (size_t i = 0; i < f->count && i < 3; i++)
        print_next(out, "", f->path[i], "explore it", width);
    print_next(out, "demo", "", "look around in a story made for it", width);
    print_next(out, add, "", "begin a store of your own", width);
    print_next(out, "help", "", "all commands", width);
}

int found_print(struct invocation *i, const char *path)
{
    struct found f = {.arena = &i->arena};
    look_around(&f);
    if (i->out.json)
        write_json(&i->out, &f, path);
    else
        print_all(&i->out, &f, path);
    return 0;
}
