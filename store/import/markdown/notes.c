/* Finds the files of markdown of a source, and the one that a link means. */
#include "store/import/markdown/notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/store_file.h"
#include "store/import/import_run.h"

#define DEPTH_MAX 64
#define ID_MAX    200 /* bytes of an id that is a permalink */

/* A note that has the name. */
struct name_use {
    const struct note *note;
    struct name_use *next;
};

void note_report(struct notes *n, const char *name, const char *what)
{
    AUTO_STRBUF line = STRBUF_INIT;
    n->reports++;
    if (!n->report)
        return;
    strbuf_addf(&line, "%s: %s", name, what);
    n->report(n->arg, line.buf);
}

int note_text(struct notes *n, const struct note *note, struct strbuf *out)
{
    struct error e;
    const char *why = NULL;
    if (store_file_check_other(note->path, &e))
        why = e.what;
    else if (note->size > NOTE_BYTES_MAX)
        why = "is longer than 64 MiB; left out";
    else if (folder_read_text(note->path, NOTE_BYTES_MAX, out) < 0)
        why = strerror(errno);
    if (why)
        note_report(n, note->name, why);
    return why ? -1 : 0;
}

/* ---- names ---- */

/* "Coffee Bean Origins", "coffee_bean-origins" and "coffee-bean-origins.md" are one name. */
static void add_slug(struct strbuf *out, const char *text)
{
    size_t begin = out->len, len = strlen(text);
    if (len > 3 && strcasecmp(text + len - 3, ".md") == 0)
        len -= 3;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80;
        if (c >= 'A' && c <= 'Z')
            strbuf_addch(out, (char)(c | 32));
        else if (letter || c == '/' || c == '.')
            strbuf_addch(out, (char)c);
        else if (c != '\'' && out->len > begin && out->buf[out->len - 1] != '-')
            strbuf_addch(out, '-');
    }
    while (out->len > begin && out->buf[out->len - 1] == '-')
        strbuf_cut(out, out->len - 1);
}

static void add_name(struct notes *n, size_t *alloc, const char *text, const struct note *note)
{
    AUTO_STRBUF slug = STRBUF_INIT;
    size_t known = n->names.count;
    if (!text)
        return;
    add_slug(&slug, text);
    if (slug.len == 0)
        return;
    size_t at = key_index_add(&n->names, slug.buf, slug.len);
    if (at == known) {
        ARRAY_ROOM(n->use, at, *alloc, 1);
        n->use[at] = (struct name_use){note, NULL};
        return;
    }
    struct name_use *first = &n->use[at];
    if (first->note == note || (first->next && first->next->note == note))
        return;
    struct name_use *use = arena_alloc(&n->arena, sizeof(*use));
    *use = (struct name_use){note, first->next};
    first->next = use;
}

static size_t folder_len(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) : 0;
}

static bool same_folder(const struct note *a, const struct note *b)
{
    size_t len = folder_len(a->name);
    return folder_len(b->name) == len && memcmp(a->name, b->name, len) == 0;
}

/* The first note of that name, or one in the folder of `from`. `slug` is one. */
static const struct note *find_slug(const struct notes *n, const struct note *from,
                                    const struct strbuf *slug)
{
    size_t at = key_index_find(&n->names, slug->buf, slug->len);
    if (at == ROW_NONE)
        return NULL;
    for (const struct name_use *u = &n->use[at]; u; u = u->next)
        if (same_folder(u->note, from))
            return u->note;
    return n->use[at].note;
}

/* The target as a path from the folder of `from`; false if that leaves the root. */
static bool add_path(struct strbuf *out, const char *from, const char *target)
{
    strbuf_add(out, from, folder_len(from));
    for (const char *at = target; *at;) {
        size_t len = strcspn(at, "/");
        bool up = len == 2 && memcmp(at, "..", 2) == 0, here = len == 0 || (len == 1 && *at == '.');
        if (up && out->len == 0)
            return false;
        if (up)
            strbuf_cut(out, folder_len(out->buf));
        else if (!here)
            strbuf_addf(out, "%s%.*s", out->len ? "/" : "", (int)len, at);
        at += len + (at[len] == '/');
    }
    return true;
}

static const struct note *find_text(const struct notes *n, const struct note *from,
                                    const char *target, bool is_path)
{
    AUTO_STRBUF path = STRBUF_INIT, slug = STRBUF_INIT;
    if (add_path(&path, from->name, target)) {
        add_slug(&slug, path.buf);
        const struct note *found = find_slug(n, from, &slug);
        if (found || is_path)
            return found;
    }
    strbuf_clear(&slug);
    add_slug(&slug, target);
    return is_path ? NULL : find_slug(n, from, &slug);
}

const char *notes_find(const struct notes *n, const struct note *from,
                       const struct markdown_link *link, struct arena *arena)
{
    AUTO_STRBUF slug = STRBUF_INIT;
    const struct note *found = find_text(n, from, link->target, link->is_path);
    const char *hash = found ? NULL : strchr(link->target, '#');
    if (hash && hash > link->target) /* [[note#heading]] */
        found = find_text(n, from,
                          arena_strndup(arena, link->target, (size_t)(hash - link->target)), false);
    if (found)
        return found->id;
    add_slug(&slug, link->target);
    return slug.len && slug.len <= ID_MAX && utf8_valid(slug.buf, slug.len)
               ? arena_strdup(arena, slug.buf)
               : import_make_id(arena, "markdown", link->target, NULL);
}

/* ---- files ---- */

/* A permalink that can be an id as it is. */
static bool is_good_id(const char *text)
{
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at <= ' ' || *at == 0x7f)
            return false;
    return *text && strlen(text) <= ID_MAX;
}

static bool is_markdown(const struct folder_entry *entry)
{
    const char *dot = strrchr(entry->name, '.');
    return !entry->is_folder && dot &&
           (strcasecmp(dot, ".md") == 0 || strcasecmp(dot, ".markdown") == 0) &&
           entry->name[0] != '.' && !strstr(entry->name, "/.");
}

/* The note that has the permalink as its id; NULL if none has it yet. */
static const struct note *holder_of(const struct notes *n, const char *permalink)
{
    AUTO_STRBUF slug = STRBUF_INIT;
    add_slug(&slug, permalink);
    size_t at = key_index_find(&n->names, slug.buf, slug.len);
    for (const struct name_use *u = at == ROW_NONE ? NULL : &n->use[at]; u; u = u->next)
        if (strcmp(u->note->id, permalink) == 0)
            return u->note;
    return NULL;
}

/* The id of a note: its permalink if that can be one and no other note has it, else of its path. */
static const char *choose_id(struct notes *n, const struct note *note, const char *permalink,
                             const char *format)
{
    AUTO_STRBUF line = STRBUF_INIT;
    const struct note *other = permalink ? holder_of(n, permalink) : NULL;
    if (permalink && !other && is_good_id(permalink))
        return arena_strdup(&n->arena, permalink);
    if (other) {
        strbuf_addf(&line, "has the permalink %s of %s; its id is made of its path", permalink,
                    other->name);
        note_report(n, note->name, line.buf);
    }
    return import_make_id(&n->arena, format, n->root, note->name, NULL);
}

static void read_names(struct notes *n, struct note *note, size_t *alloc, const char *format)
{
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct markdown m;
    if (note_text(n, note, &text)) {
        note->id = NULL;
        return;
    }
    markdown_read(&m, &arena, text.buf, text.len);
    const char *permalink = markdown_field(&m, "permalink"), *slash = strrchr(note->name, '/');
    n->has_permalinks |= permalink != NULL;
    note->id = choose_id(n, note, permalink, format);
    add_name(n, alloc, permalink, note);
    add_name(n, alloc, markdown_field(&m, "title"), note);
    add_name(n, alloc, note->name, note);
    add_name(n, alloc, slash ? slash + 1 : note->name, note);
}

/* One file is a folder with that file, whatever its name is. */
static int list(struct notes *n, const char *path, bool is_folder, struct error *e)
{
    struct folder *f = &n->folder;
    f->report = n->report;
    f->arg = n->arg;
    if (is_folder ? folder_read(f, path, DEPTH_MAX, e)
                  : store_file_check_other(path, e) || folder_read_file(f, path, e))
        return -1;
    n->root = f->root;
    n->reports += (int64_t)f->unread;
    n->note = arena_array(&n->arena, f->count + 1, sizeof(*n->note));
    for (size_t i = 0; i < f->count; i++) {
        const struct folder_entry *entry = &f->entry[i];
        if (f->is_file || is_markdown(entry))
            n->note[n->count++] = (struct note){.path = entry->path,
                                                .name = entry->name,
                                                .size = entry->size,
                                                .written = entry->written};
    }
    return 0;
}

int notes_read(struct notes *n, const char *path, const char *format, struct error *e)
{
    struct stat st;
    size_t alloc = 0, kept = 0;
    if (stat(path, &st))
        return error_set(e, ERROR_STORE, "Check the path.", "cannot find %s: %s", path,
                         strerror(errno));
    if (list(n, path, S_ISDIR(st.st_mode), e))
        return -1;
    for (size_t i = 0; format && i < n->count; i++) {
        n->note[kept] = n->note[i];
        read_names(n, &n->note[kept], &alloc, format);
        if (!n->note[kept].id)
            continue;
        key_index_add(&n->paths, n->note[kept].name, strlen(n->note[kept].name));
        kept++;
    }
    n->count = format ? kept : n->count;
    return 0;
}

void notes_release(struct notes *n)
{
    folder_release(&n->folder);
    key_index_release(&n->names);
    key_index_release(&n->paths);
    free(n->use);
    arena_release(&n->arena);
}
