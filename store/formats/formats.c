/* The table of formats. A new format is a `struct import_format` in its reader's file, and a row here. */
#include "store/formats/formats.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/error.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/db/store_file.h"
#include "store/import/folder.h"
#include "store/import/kernle/kernle_map.h"
#include "store/import/markdown/notes.h"
#include "store/import/tables/tables.h"
#include "store/import/traces/span.h"
#include "store/import/transcripts/transcripts.h"

/* ---- facts about a source ---- */

struct probe {
    bool is_folder, is_database;
    struct key_index facts;
};

#define HEAD_BYTES    (256u << 10) /* read of a file that is the source */
#define MEMBER_BYTES  (64u << 10)  /* read of a file in a folder */
#define FIRST_OBJECTS 50
#define LONGEST_VALUE 40 /* bytes of a text that is a fact */
#define FOLDER_DEPTH  4
#define HEADS_MAX     200 /* files of a folder that are read, of markdown and of JSON each */

static void add_fact(struct probe *p, const char *kind, const char *text, size_t len)
{
    AUTO_STRBUF fact = STRBUF_INIT;
    strbuf_addstr(&fact, kind);
    strbuf_add(&fact, text, len);
    key_index_add(&p->facts, fact.buf, fact.len);
}

/* ---- JSON: the head of a file may end anywhere, so nothing is parsed ---- */

struct search {
    const char *at, *end;
};

static void skip_space(struct search *s)
{
    while (s->at < s->end && strchr(" \t\r\n,:", *s->at) && *s->at)
        s->at++;
}

/* Moves behind the string that begins here. Returns its text between the quotes. */
static struct search take_string(struct search *s)
{
    struct search text = {s->at + 1, s->end};
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
        if (*s->at == '\\')
            s->at++;
    if (s->at > s->end)
        s->at = s->end;
    text.end = s->at;
    if (s->at < s->end)
        s->at++;
    return text;
}

/* Moves behind the value that begins here. */
static void skip_value(struct search *s)
{
    int depth = 0;
    do {
        if (*s->at == '"') {
            take_string(s);
            continue;
        }
        depth += (*s->at == '{' || *s->at == '[') - (*s->at == '}' || *s->at == ']');
        if (depth < 0)
            return;
        s->at++;
    } while (s->at < s->end && (depth > 0 || !strchr(",}] \t\r\n", *s->at)));
}

/* The members of the object that begins here. */
static void add_object(struct probe *p, struct search *s)
{
    s->at++;
    for (skip_space(s); s->at < s->end && *s->at == '"'; skip_space(s)) {
        AUTO_STRBUF fact = STRBUF_INIT;
        struct search key = take_string(s), value;
        strbuf_add(&fact, key.at, (size_t)(key.end - key.at));
        add_fact(p, "json:", fact.buf, fact.len);
        skip_space(s);
        if (s->at == s->end)
            return;
        if (*s->at != '"') {
            skip_value(s);
            continue;
        }
        value = take_string(s);
        if (value.end - value.at > LONGEST_VALUE)
            continue;
        strbuf_addch(&fact, '=');
        strbuf_add(&fact, value.at, (size_t)(value.end - value.at));
        add_fact(p, "json:", fact.buf, fact.len);
    }
    if (s->at < s->end)
        s->at++;
}

/* The first objects: of a list, on lines, or one after the other. */
static void add_json(struct probe *p, const char *text, size_t len)
{
    struct search s = {text, text + len};
    for (int objects = 0; objects < FIRST_OBJECTS; objects++) {
        const char *begin = memchr(s.at, '{', (size_t)(s.end - s.at));
        if (!begin)
            return;
        s.at = begin;
        add_object(p, &s);
    }
}

/* ---- frontmatter ---- */

static void add_frontmatter(struct probe *p, const char *text, size_t len)
{
    const char *end = text + len, *line = memchr(text, '\n', len);
    add_fact(p, "md:", "", 0);
    while (line && ++line < end && !(end - line >= 3 && memcmp(line, "---", 3) == 0)) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        const char *colon = memchr(line, ':', (size_t)((next ? next : end) - line));
        const char *key = line;
        while (colon && key < colon && *key == ' ')
            key++;
        if (colon && *key != '#' && *key != '-')
            add_fact(p, key > line ? "md:." : "md:", key, (size_t)(colon - key));
        line = next;
    }
}

/* ---- a file ---- */

static void add_text(struct probe *p, const char *text, size_t len)
{
    size_t skip = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (skip < len && strchr(" \t\r\n", text[skip]) && text[skip])
        skip++;
    text += skip;
    len -= skip;
    if (len && (*text == '{' || *text == '['))
        add_json(p, text, len);
    else if (len >= 4 && (memcmp(text, "---\n", 4) == 0 || memcmp(text, "---\r", 4) == 0))
        add_frontmatter(p, text, len);
}

/* Reads the head of a file. Returns -1 with errno. */
static int read_head(struct probe *p, const char *path, size_t most)
{
    AUTO_FREE char *text = xmalloc(most);
    size_t len = 0;
    ssize_t got = 0;
    int fd = store_file_peek(path);
    if (fd < 0)
        return -1;
    while (len < most && (got = pread(fd, text + len, most - len, (off_t)len)) > 0)
        len += (size_t)got;
    int saved = errno;
    store_file_end_peek(fd);
    errno = saved;
    AUTO_FREE char *content = xmalloc(most);
    size_t contained = transcript_decompress(text, len, content, most);
    add_text(p, contained ? content : text, contained ? contained : len);
    return got < 0 ? -1 : 0;
}

/* A table of a module that is missing here would end the query, so virtual tables are left out. */
static void add_columns(struct probe *p, struct db *db)
{
    struct error ignored;
    struct query rows =
        db_query(db, &ignored,
                 "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                 " WHERE t.type = 'table' AND t.rootpage > 0",
                 "");
    while (db_next(&rows)) {
        const char *name = (const char *)sqlite3_column_text(rows.stmt, 0);
        if (name)
            add_fact(p, "column:", name, strlen(name));
    }
    db_end(&rows);
}

/* Returns 1 if the file is a database, 0 if not. */
static int add_tables(struct probe *p, const char *path)
{
    struct error ignored;
    struct db *db = db_open(path, DB_FOREIGN, &ignored);
    if (!db)
        return 0;
    struct query rows =
        db_query(db, &ignored, "SELECT name FROM sqlite_schema WHERE type = 'table'", "");
    while (db_next(&rows)) {
        const char *name = (const char *)sqlite3_column_text(rows.stmt, 0);
        if (name)
            add_fact(p, "table:", name, strlen(name));
    }
    int result = db_end(&rows);
    add_columns(p, db);
    db_close(db);
    return result == 0;
}

/* ---- a folder ---- */

static int read_folder(struct probe *p, const char *path, struct error *e)
{
    AUTO(folder) f = {.entry = NULL};
    int markdown = 0, others = 0;
    int result = folder_read(&f, path, FOLDER_DEPTH, e);
    for (size_t i = 0; i < f.count; i++) {
        const char *slash = strrchr(f.entry[i].path, '/');
        add_fact(p, "file:", slash + 1, strlen(slash + 1));
        if (f.entry[i].is_folder)
            continue;
        bool is_markdown = text_ends_with(slash, ".md");
        if (is_markdown)
            add_fact(p, "file:", ".md", 3);
        if ((is_markdown ? markdown++ : others++) < HEADS_MAX)
            read_head(p, f.entry[i].path, MEMBER_BYTES);
    }
    return result;
}

/* Returns -1 with ERROR_STORE if the path cannot be read. */
static int probe_read(struct probe *p, const char *path, struct error *e)
{
    struct stat st;
    *p = (struct probe){.facts = KEY_INDEX_INIT};
    if (stat(path, &st))
        return error_set(e, ERROR_STORE, "Check the path.", "cannot find %s: %s", path,
                         strerror(errno));
    if (S_ISDIR(st.st_mode)) {
        p->is_folder = true;
        return read_folder(p, path, e);
    }
    if (!S_ISREG(st.st_mode) || store_file_check_other(path, e))
        return S_ISREG(st.st_mode)
                   ? -1
                   : error_set(e, ERROR_STORE, "Give the path of a file or a folder.",
                               "%s is neither a file nor a folder", path);
    p->is_database = add_tables(p, path);
    if (p->is_database || read_head(p, path, HEAD_BYTES) == 0)
        return 0;
    return error_set(e, ERROR_STORE, "Check its permissions.", "cannot read %s: %s", path,
                     strerror(errno));
}

static void probe_release(struct probe *p)
{
    key_index_release(&p->facts);
}

/* Do all facts of the alternative hold? It ends at "|" or at the end. */
static bool holds(const struct probe *p, const char *alternative, size_t len)
{
    while (len) {
        const char *space = memchr(alternative, ' ', len);
        size_t own = space ? (size_t)(space - alternative) : len;
        bool wanted = *alternative != '!';
        if (own &&
            wanted != (key_index_find(&p->facts, alternative + !wanted, own - !wanted) != ROW_NONE))
            return false;
        own += space != NULL;
        alternative += own;
        len -= own;
    }
    return true;
}

/* "table:a table:b|json:c !json:d": do all facts of one of the alternatives hold, and none with "!"? NULL: no. */
static bool probe_matches(const struct probe *p, const char *pattern)
{
    for (const char *at = pattern; at && *at;) {
        size_t len = strcspn(at, "|");
        if (holds(p, at, len))
            return true;
        at += len + (at[len] == '|');
    }
    return false;
}

/* ---- the formats ---- */

/* The narrower format stands before the wider one: every folder of an agent has markdown. */
static const struct import_format *const formats[] = {
    &kernle_format,   &claude_format,        &codex_format,      &jsonl_format,
    &cot_format,      &server_memory_format, &claude_mem_format, &mcp_memory_service_format,
    &mem0_format,     &openmemory_format,    &cognee_format,     &langgraph_format,
    &memori_format,   &traces_format,        &af_format,         &memfs_format,
    &markdown_format, &prov_format,
};

#define SOURCE_DEPTH  3   /* folders down to which a file is looked for */
#define SOURCE_FILES  200 /* examined in a folder */
#define SOURCES_NAMED 3
#define BACKUP_SUFFIX ".stemma-backup" /* of copies that `stemma apply` made */

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct import_format *const *formats_all(size_t *count)
{
    *count = FORMATS;
    return formats;
}

const struct import_format *format_find(const char *name, struct error *e)
{
    char hint[256];
    AUTO_STRBUF all = STRBUF_INIT;
    struct suggestion near = SUGGESTION_INIT(name);
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
        suggest_consider(&near, formats[i]->name);
        strbuf_addf(&all, "%s%s", i ? ", " : "", formats[i]->name);
    }
    if (near.name)
        snprintf(hint, sizeof(hint), "Did you mean %s?", near.name);
    else
        snprintf(hint, sizeof(hint), "Formats: %s.", all.buf);
    error_set(e, ERROR_USAGE, hint, "'%.80s' is not an import format", name);
    return NULL;
}

const struct import_format *format_recognise(const char *path, struct error *e)
{
    struct probe p;
    const struct import_format *found = NULL;
    int result = probe_read(&p, path, e);
    for (size_t i = 0; result == 0 && i < FORMATS && !found; i++)
        if (probe_matches(&p, p.is_folder ? formats[i]->folder : formats[i]->file))
            found = formats[i];
    if (result == 0 && !found)
        error_set(e, ERROR_INVALID,
                  p.is_database ? "--map FILE reads any database; docs/formats/map.md says how."
                                : "`stemma help import` names the formats that it reads.",
                  "%s is in no format that stemma knows", path);
    probe_release(&p);
    return found;
}

const struct import_format *format_find_source(const char **path, struct arena *arena,
                                               struct error *e)
{
    const struct import_format *found = format_recognise(*path, e), *one;
    struct folder f = {.entry = NULL};
    struct error ignored;
    AUTO_STRBUF names = STRBUF_INIT;
    const char *first = NULL;
    size_t count = 0, files = 0;
    if (found || e->code != ERROR_INVALID)
        return found;
    if (folder_read(&f, *path, SOURCE_DEPTH, &ignored)) {
        folder_release(&f);
        return NULL;
    }
    for (size_t i = 0; i < f.count && files < SOURCE_FILES; i++) {
        if (f.entry[i].is_folder || strstr(f.entry[i].name, BACKUP_SUFFIX))
            continue;
        files++;
        if (!(one = format_recognise(f.entry[i].path, &ignored)) || count++ >= SOURCES_NAMED)
            continue;
        strbuf_addf(&names, "%s%s", count > 1 ? ", " : "", f.entry[i].name);
        if (count > 1)
            continue;
        found = one;
        first = arena_format(arena, "%s/%s", *path, f.entry[i].name);
    }
    folder_release(&f);
    if (count > 1) {
        error_set(e, ERROR_INVALID, "Give the path of one of them.", "%s has several sources: %s%s",
                  *path, names.buf, count > SOURCES_NAMED ? " and more" : "");
        return NULL;
    }
    *path = found ? first : *path;
    return found;
}

/* ---- what a source holds, for the list of stores on a machine ---- */

static void add_count(struct strbuf *out, int64_t count, const char *what)
{
    strbuf_addf(out, "%s%lld %s", out->len ? ", " : "", (long long)count, what);
}

static void add_bytes(struct strbuf *out, int64_t bytes)
{
    if (bytes < 1024)
        add_count(out, bytes, "bytes");
    else
        add_count(out, bytes < 10 << 20 ? bytes >> 10 : bytes >> 20,
                  bytes < 10 << 20 ? "KiB" : "MiB");
}

/* Rows of tables, "TABLE:one:many|…". These names are our own. */
static void count_tables(struct db *db, const char *counted, struct strbuf *out)
{
    struct error ignored;
    for (const char *at = counted; *at; at += *at == '|') {
        AUTO_STRBUF sql = STRBUF_INIT, word = STRBUF_INIT;
        size_t table = strcspn(at, ":"), one = strcspn(at + table + 1, ":");
        const char *words = at + table + 1, *many = words + one + 1;
        int64_t count;
        at = many + strcspn(many, "|");
        strbuf_addf(&sql, "SELECT count(*) FROM \"%.*s\"", (int)table, words - table - 1);
        if (db_int(db, &count, 0, &ignored, sql.buf, "") || count == 0)
            continue;
        strbuf_add(&word, count == 1 ? words : many, count == 1 ? one : (size_t)(at - many));
        add_count(out, count, word.buf);
    }
}

static void count_rows(const char *counted, const char *path, struct strbuf *out)
{
    struct error ignored;
    int64_t count;
    struct db *db = db_open(path, DB_FOREIGN, &ignored);
    if (!db)
        return;
    if (counted)
        count_tables(db, counted, out);
    else if (db_int(db, &count, 0, &ignored,
                    "SELECT count(*) FROM memory WHERE status NOT IN (4, 5, 6, 7)", "") == 0)
        add_count(out, count, count == 1 ? "memory" : "memories");
    db_close(db);
}

/* Returns when the newest of them was written. */
static int64_t count_files(const char *path, struct strbuf *out)
{
    struct folder f = {.entry = NULL};
    struct error ignored;
    int64_t files = 0, bytes = 0, newest = 0;
    folder_read(&f, path, 8, &ignored);
    for (size_t i = 0; i < f.count; i++)
        if (!f.entry[i].is_folder) {
            files++;
            bytes += f.entry[i].size;
            newest = f.entry[i].written > newest ? f.entry[i].written : newest;
        }
    folder_release(&f);
    add_count(out, files, files == 1 ? "file" : "files");
    add_bytes(out, bytes);
    return newest;
}

int64_t format_count(const struct import_format *format, const char *path, struct strbuf *out)
{
    struct stat st;
    if (stat(path, &st))
        return 0;
    if (S_ISDIR(st.st_mode))
        return count_files(path, out);
    if (!format || format->counted)
        count_rows(format ? format->counted : NULL, path, out);
    else
        add_bytes(out, st.st_size);
    return (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
}
