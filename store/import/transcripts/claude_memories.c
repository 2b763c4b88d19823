/* The memory files of Claude Code (projects/SLUG/memory/NAME.md, with MEMORY.md as their index), and what people
 * wrote for it: CLAUDE.md and rules. */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/utf8.h"
#include "store/import/transcripts/transcripts.h"
#include "store/record/get.h"

#define IMPORT_DEPTH 5   /* of @path in instructions */
#define INDEX_LINES  200 /* of the index that Claude Code loads */
#define INDEX_BYTES  (25u << 10)

/* ---- the index ---- */

/* A memory file, by the number of its path. */
struct memory_place {
    const struct folder_entry *entry;
    size_t line;      /* of the index that names it; 0 if none does */
    const char *key;  /* memory_entry_key */
    const char *kind; /* of its memory */
};

/* The MEMORY.md of a folder. */
struct memory_index {
    const char *folder; /* path; NULL if there is no index */
    size_t folder_len;
    struct markdown m;
    size_t lines, bytes;
    size_t loaded; /* lines that are loaded */
};

struct claude_memories {
    struct transcripts *t;
    struct import_run *run;
    const struct folder *folder;
    struct writings writings;
    struct key_index paths;        /* of the memory files */
    struct key_index names;        /* "FOLDER/NAME" by the `name` of their frontmatter */
    struct key_index instructions; /* paths of those that were taken */
    size_t *named;                 /* the file of a name */
    size_t named_alloc;
    struct memory_place *place;
    size_t place_alloc;
    struct memory_index *index;
    size_t index_count, index_alloc;
    struct reader *reader;
    struct arena arena; /* of the indexes */
};

static const char *name_in_folder(const struct folder_entry *entry)
{
    return strrchr(entry->path, '/') + 1;
}

static size_t loaded_lines(const char *text, size_t len)
{
    size_t lines = 0, most = len < INDEX_BYTES ? len : INDEX_BYTES;
    for (size_t i = 0; i < most && lines < INDEX_LINES; i++)
        lines += text[i] == '\n' || i + 1 == len;
    return lines;
}

static const struct memory_index *index_of(const struct claude_memories *c,
                                           const struct folder_entry *entry)
{
    for (size_t i = 0; i < c->index_count; i++)
        if (strncmp(entry->path, c->index[i].folder, c->index[i].folder_len) == 0)
            return &c->index[i];
    return NULL;
}

/* The number of the file that a link names from the folder: by its name, with or without ".md", or the `name` of its
 * frontmatter. ROW_NONE if there is no such file. */
static size_t find_file(const struct claude_memories *c, const char *folder, size_t folder_len,
                        const char *target)
{
    AUTO_STRBUF path = STRBUF_INIT;
    strbuf_add(&path, folder, folder_len);
    strbuf_addstr(&path, strncmp(target, "./", 2) == 0 ? target + 2 : target);
    size_t at = key_index_find(&c->paths, path.buf, path.len);
    size_t name = key_index_find(&c->names, path.buf, path.len);
    strbuf_addstr(&path, ".md");
    if (at == ROW_NONE)
        at = key_index_find(&c->paths, path.buf, path.len);
    return at != ROW_NONE || name == ROW_NONE ? at : c->named[name];
}

/* The number of the file that a link of the file names. */
static size_t find_target(const struct claude_memories *c, const struct folder_entry *entry,
                          const struct markdown_link *link)
{
    return find_file(c, entry->path, (size_t)(name_in_folder(entry) - entry->path), link->target);
}

/* An address on the web is no file of the index. */
static bool is_dangling(const struct claude_memories *c, const struct memory_index *x, size_t link)
{
    const char *target = x->m.links[link].target;
    return !strstr(target, "://") && find_file(c, x->folder, x->folder_len, target) == ROW_NONE;
}

static void add_index(struct claude_memories *c, const struct folder_entry *entry)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (!memory_file_read(c->t, entry, &text))
        return;
    struct memory_index *x = ARRAY_ADD(c->index, c->index_count, c->index_alloc);
    *x = (struct memory_index){.folder = entry->path,
                               .folder_len = (size_t)(name_in_folder(entry) - entry->path),
                               .bytes = text.len,
                               .loaded = loaded_lines(text.buf, text.len)};
    for (size_t i = 0; i < text.len; i++)
        x->lines += text.buf[i] == '\n' || i + 1 == text.len;
    markdown_read(&x->m, &c->arena, arena_strndup(&c->arena, text.buf, text.len), text.len);
    for (size_t i = 0; i < x->m.link_count; i++) {
        size_t at = find_file(c, x->folder, x->folder_len, x->m.links[i].target);
        if (at != ROW_NONE && !c->place[at].line)
            c->place[at].line = x->m.links[i].line;
    }
}

/* ---- a memory ---- */

const char *claude_memory_id(struct arena *arena, const char *key)
{
    return import_make_id(arena, "claude", "memory", key, (const char *)NULL);
}

/* feedback and user: what a person wants and is; project and reference: what the agent noted. */
static const char *kind_of(const char *type)
{
    return type && (strcmp(type, "feedback") == 0 || strcmp(type, "user") == 0) ? "belief" : "note";
}

static const char *field(const struct markdown *m, struct arena *arena, const char *key)
{
    const char *text = markdown_field(m, arena_format(arena, "metadata.%s", key));
    return text ? text : markdown_field(m, key);
}

/* Whether the index names the file, in a part that is loaded. */
static void put_index(struct json_object *detail, const struct claude_memories *c,
                      const struct folder_entry *entry)
{
    const struct memory_index *x = index_of(c, entry);
    size_t at = key_index_find(&c->paths, entry->path, strlen(entry->path));
    size_t line = x && at != ROW_NONE ? c->place[at].line : 0;
    if (!line || line > x->loaded)
        json_pair(detail, "unindexed",
                  line ? "its line in MEMORY.md is beyond what is loaded"
                       : "no line of MEMORY.md names it");
}

/* Adds a link that names nothing; `list` is begun with the first. */
static void put_dangling(struct json_object *detail, struct json_object *list, const char *target)
{
    if (!list->out)
        *list = json_open(detail, "dangling", '[');
    json_item_string(list, target);
}

static void put_memory_detail(struct builder *b, const struct claude_memories *c,
                              const struct memory_file *file, const struct markdown *m,
                              size_t bytes, struct arena *arena)
{
    struct json_object *detail = build_detail(b), list = {.out = NULL};
    json_pair_if(detail, "name", markdown_field(m, "name"));
    json_pair_if(detail, "description", markdown_field(m, "description"));
    json_pair_if(detail, "type", field(m, arena, "type"));
    memory_file_tokens(detail, bytes);
    json_pair_int(detail, "opened_in_sessions", writings_sessions(file));
    if (writings_last_opened(file))
        json_pair_int(detail, "last_opened_at", writings_last_opened(file));
    put_index(detail, c, file->entry);
    for (size_t i = 0; i < m->link_count; i++)
        if (!m->links[i].is_path && find_target(c, file->entry, &m->links[i]) == ROW_NONE)
            put_dangling(detail, &list, m->links[i].target);
    if (list.out)
        json_end(&list);
    if (file->session) {
        json_pair(detail, "session", file->session);
        if (!transcript_of_session(c->t, file->session))
            json_pair(detail, "transcript", "not found");
    }
}

/* Links to other memories of its folder. */
static void put_relations(struct builder *b, const struct claude_memories *c,
                          const struct memory_file *file, const struct markdown *m,
                          struct arena *arena)
{
    AUTO(map) put = MAP_INIT;
    for (size_t i = 0; i < m->link_count; i++) {
        size_t at = find_target(c, file->entry, &m->links[i]);
        if (at == ROW_NONE || c->place[at].entry == file->entry || *map_at(&put, (int64_t)at))
            continue;
        *map_at(&put, (int64_t)at) = 1;
        const char *to = arena_format(arena, "%s:%s", c->place[at].kind,
                                      claude_memory_id(arena, c->place[at].key));
        json_pair_int(build_relation(b, "related_to", to, m->links[i].type), "at",
                      file->entry->written);
    }
}

/* Reads the memory that an earlier import wrote. Returns 1 if there is one. */
static int read_stored(const struct claude_memories *c, const char *kind, const char *id,
                       struct arena *arena, struct memory *out, struct error *e)
{
    struct ref ref = {strcmp(kind, "belief") == 0 ? KIND_BELIEF : KIND_NOTE, id};
    enum status status = STATUS_MISSING;
    int64_t node = ref_find_status(reader_db(c->reader), ref, &status, e);
    if (node <= 0 || status == STATUS_MISSING)
        return node < 0 ? -1 : 0;
    return memory_read_db(reader_db(c->reader), arena, node, out, e) ? -1 : 1;
}

/* When the file was changed, and when it was first written, as far as that is known. */
static int64_t times_of(const struct memory_file *file, const struct markdown *m,
                        struct arena *arena, int64_t *created)
{
    const char *modified = field(m, arena, "modified");
    int64_t updated, first = 0;
    if (!modified || clock_parse_iso(modified, &updated))
        updated = file->entry->written;
    for (size_t i = 0; i < file->count && !first; i++)
        first = file->writing[i].touch->kind == TOUCH_WRITE ? file->writing[i].at : 0;
    *created = first && first < updated ? first : updated;
    return updated;
}

#define FRESH_MS 5000

/* A file that is read while it is written would become another memory, of the kind of files without a type. It is read
 * when it is complete. */
static bool is_being_written(const struct claude_memories *c, const struct folder_entry *entry,
                             const struct strbuf *text)
{
    bool ends = strncmp(text->buf, "---\n", 4) != 0 || strstr(text->buf, "\n---");
    return text->len == 0 || (!ends && store_now(c->t->store) - entry->written < FRESH_MS);
}

static int take_memory(struct claude_memories *c, const struct folder_entry *entry, const char *key,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct markdown m;
    struct memory stored;
    struct memory_file file = {.entry = entry, .key = key};
    if (!memory_file_read(c->t, entry, &text) || is_being_written(c, entry, &text))
        return 0;
    markdown_read(&m, &arena, text.buf, text.len);
    if (m.fault)
        transcript_report(c->t, entry->path, 0, true, "%s%s", m.fault,
                          m.json ? "" : "; its text is imported as it is");
    const char *kind = kind_of(field(&m, &arena, "type"));
    file.session = field(&m, &arena, "originSessionId");
    writings_of(&c->writings, file.key, &file.writing, &file.count);
    const char *id = claude_memory_id(&arena, key);
    int known = read_stored(c, kind, id, &arena, &stored, e);
    if (known < 0 || (known && c->t->is_early))
        return known < 0 ? -1 : 0;
    int64_t created, updated = times_of(&file, &m, &arena, &created);
    struct builder b =
        memory_file_begin(c->t, entry,
                          (struct build_head){.kind = kind,
                                              .id = id,
                                              .text = utf8_repaired(&arena, m.body, m.body_len),
                                              .source_type = "inference",
                                              .created_at = created,
                                              .updated_at = updated});
    put_memory_detail(&b, c, &file, &m, text.len, &arena);
    put_relations(&b, c, &file, &m, &arena);
    if (!c->t->is_early)
        writings_put(&b, c->t, &file, known ? &stored : NULL, &arena);
    return build_take(&b, c->run, 0, e);
}

/* The index itself: a note that says what of it is not loaded, and which of its lines name no file. */
static int take_index(struct claude_memories *c, const struct memory_index *x,
                      const struct folder_entry *entry, const char *key, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct json_object list = {.out = NULL};
    struct builder b = memory_file_begin(
        c->t, entry,
        (struct build_head){.kind = "note",
                            .id = claude_memory_id(&arena, key),
                            .text = utf8_repaired(&arena, x->m.body, x->m.body_len),
                            .source_type = "inference",
                            .created_at = entry->written});
    struct json_object *detail = build_detail(&b);
    memory_file_tokens(detail, x->bytes);
    json_pair_int(detail, "lines", (int64_t)x->lines);
    if (x->loaded < x->lines)
        json_pair_int(detail, "lines_not_loaded", (int64_t)(x->lines - x->loaded));
    for (size_t i = 0; i < x->m.link_count; i++)
        if (is_dangling(c, x, i))
            put_dangling(detail, &list, x->m.links[i].target);
    if (list.out)
        json_end(&list);
    return build_take(&b, c->run, 0, e);
}

/* The file of the source that `@path` names from the file; NULL if it is none, or no file below the source. */
static const struct folder_entry *find_import(const struct claude_memories *c,
                                              const struct folder_entry *from, const char *path,
                                              size_t len)
{
    AUTO_STRBUF name = STRBUF_INIT;
    while (len && strchr(".,;:!?)", path[len - 1]))
        len--;
    if (len && *path != '/')
        strbuf_add(&name, from->path, (size_t)(name_in_folder(from) - from->path));
    strbuf_add(&name, path, len);
    AUTO_FREE char *real = len ? realpath(name.buf, NULL) : NULL;
    for (size_t i = 0; real && i < c->folder->count; i++)
        if (!c->folder->entry[i].is_folder && strcmp(c->folder->entry[i].path, real) == 0)
            return &c->folder->entry[i];
    return NULL;
}

static int take_instructions(struct claude_memories *c, const struct folder_entry *entry, int depth,
                             struct error *e);

/* The files that instructions import with `@path`, which does not count in code. */
static int take_imports(struct claude_memories *c, const struct folder_entry *entry,
                        const char *text, int depth, struct error *e)
{
    bool in_code = false;
    for (const char *at = text; *at; at++) {
        in_code ^= *at == '`';
        if (*at != '@' || in_code || (at > text && !strchr(" \t\n(", at[-1])))
            continue;
        size_t len = strcspn(at + 1, " \t\r\n");
        const struct folder_entry *found = find_import(c, entry, at + 1, len);
        if (found && take_instructions(c, found, depth + 1, e))
            return -1;
    }
    return 0;
}

/* What a person wrote for the agent to follow: it counts as a seed, and agents may not change it. */
static int take_instructions(struct claude_memories *c, const struct folder_entry *entry, int depth,
                             struct error *e)
{
    size_t known = c->instructions.count;
    if (key_index_add(&c->instructions, entry->path, strlen(entry->path)) < known)
        return 0;
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    if (!memory_file_read(c->t, entry, &text) || !text.len)
        return 0;
    struct builder b =
        memory_file_begin(c->t, entry,
                          (struct build_head){.kind = "belief",
                                              .id = claude_memory_id(&arena, entry->path),
                                              .text = utf8_repaired(&arena, text.buf, text.len),
                                              .source_type = "seed",
                                              .created_at = entry->written});
    memory_file_tokens(build_detail(&b), text.len);
    return failed_if(build_take(&b, c->run, 0, e) ||
                     (depth < IMPORT_DEPTH && take_imports(c, entry, text.buf, depth, e)));
}

/* ---- all of them ---- */

/* Of ~/.claude itself, or of a project's folder. */
static bool is_rule(const struct folder_entry *entry)
{
    const char *name = strncmp(entry->name, ".claude/", 8) == 0 ? entry->name + 8 : entry->name;
    size_t len = strlen(name);
    return !entry->is_folder &&
           (strcmp(name, "CLAUDE.md") == 0 || strcmp(name, "CLAUDE.local.md") == 0 ||
            (strncmp(name, "rules/", 6) == 0 && strcmp(name + len - 3, ".md") == 0));
}

static int take_entry(struct claude_memories *c, const struct folder_entry *entry, struct error *e)
{
    if (is_rule(entry))
        return take_instructions(c, entry, 0, e);
    size_t at = key_index_find(&c->paths, entry->path, strlen(entry->path));
    if (at == ROW_NONE)
        return 0;
    if (strcmp(name_in_folder(entry), INDEX_NAME) != 0)
        return take_memory(c, entry, c->place[at].key, e);
    const struct memory_index *x = index_of(c, entry);
    return x ? take_index(c, x, entry, c->place[at].key, e) : 0;
}

/* What others need of a file before it is taken: its kind and the name by which links may call it. */
static void add_file(struct claude_memories *c, const struct folder_entry *entry, const char *key)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_STRBUF called = STRBUF_INIT;
    struct markdown m = {.body = NULL};
    size_t at = key_index_add(&c->paths, entry->path, strlen(entry->path));
    c->place = array_room(c->place, &c->place_alloc, at + 1, sizeof(*c->place));
    if (memory_file_read(NULL, entry, &text))
        markdown_read(&m, &arena, text.buf, text.len);
    bool is_index = strcmp(name_in_folder(entry), INDEX_NAME) == 0;
    c->place[at] = (struct memory_place){
        .entry = entry, .key = key, .kind = is_index ? "note" : kind_of(field(&m, &arena, "type"))};
    const char *name = markdown_field(&m, "name");
    if (!name)
        return;
    strbuf_add(&called, entry->path, (size_t)(name_in_folder(entry) - entry->path));
    strbuf_addstr(&called, name);
    size_t known = c->names.count, number = key_index_add(&c->names, called.buf, called.len);
    if (number < known)
        return;
    c->named = array_room(c->named, &c->named_alloc, number + 1, sizeof(*c->named));
    c->named[number] = at;
}

/* The files first: an index names them. */
static void find_files(struct claude_memories *c)
{
    for (size_t i = 0; i < c->folder->count; i++) {
        const struct folder_entry *entry = &c->folder->entry[i];
        const char *key = is_rule(entry) ? NULL : memory_entry_key(c->folder, entry);
        if (key)
            add_file(c, entry, key);
    }
    for (size_t i = 0; i < c->paths.count; i++)
        if (strcmp(name_in_folder(c->place[i].entry), INDEX_NAME) == 0)
            add_index(c, c->place[i].entry);
}

int claude_memories_take(struct transcripts *t, const struct folder *folder, struct import_run *run,
                         struct error *e)
{
    struct claude_memories c = {.t = t, .run = run, .folder = folder};
    int result = (c.reader = reader_open(t->store, e)) ? 0 : -1;
    writings_find(&c.writings, t);
    find_files(&c);
    for (size_t i = 0; i < folder->count && result == 0; i++)
        result = take_entry(&c, &folder->entry[i], e);
    writings_release(&c.writings);
    reader_close(c.reader);
    key_index_release(&c.paths);
    key_index_release(&c.names);
    key_index_release(&c.instructions);
    FREE_ALL(c.named, c.place, c.index);
    arena_release(&c.arena);
    return result;
}
