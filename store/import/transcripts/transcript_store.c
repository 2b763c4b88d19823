/* What the store keeps of transcripts: the files and how far they were read, the place of each line, and the tool calls
 * that open or write memory files. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/array.h"
#include "store/import/transcripts/transcripts.h"

/* ---- what a file says about itself, as JSON ---- */

static const struct {
    const char *key;
    size_t field; /* a text of struct transcript_file */
} abouts[] = {{"cwd", offsetof(struct transcript_file, cwd)},
              {"branch", offsetof(struct transcript_file, branch)},
              {"version", offsetof(struct transcript_file, version)},
              {"model", offsetof(struct transcript_file, model)},
              {"last", offsetof(struct transcript_file, last_message)}};

static const char **about_at(const struct transcript_file *f, size_t i)
{
    return (const char **)(uintptr_t)((const char *)f + abouts[i].field);
}

static void write_about(struct strbuf *out, const struct transcript_file *f)
{
    struct json_object o = json_begin(out, '{');
    for (size_t i = 0; i < sizeof(abouts) / sizeof(*abouts); i++)
        json_pair(&o, abouts[i].key, *about_at(f, i));
    struct json_object list = json_open(&o, "usage", '[');
    for (size_t i = 0; i < USAGE_COUNT; i++)
        json_item_int(&list, f->usage[i]);
    json_end(&list);
    json_end(&o);
}

static void read_about(struct transcripts *t, struct transcript_file *f, const char *json)
{
    struct json_slice about = {json, json ? strlen(json) : 0};
    if (!json || !json_is_formed(about.ptr, about.len))
        about.ptr = NULL;
    for (size_t i = 0; i < sizeof(abouts) / sizeof(*abouts); i++) {
        const char *text = json_get_text(&t->arena, about, abouts[i].key);
        *about_at(f, i) = text ? text : "";
    }
    struct json_each it = json_each(json_get(about, "usage"));
    for (size_t i = 0; i < USAGE_COUNT && json_next(&it); i++)
        if (json_integer(it.value, &f->usage[i]))
            f->usage[i] = 0;
}

/* ---- finding ---- */

static int load_touches(struct transcripts *t, struct db *db, struct transcript_file *f,
                        struct error *e)
{
    struct query rows =
        db_query(db, e,
                 "SELECT offset, kind, path, tool, call FROM source_touch WHERE file = ?"
                 " ORDER BY offset",
                 "i", f->row);
    while (db_next(&rows)) {
        int kind = column_enum(rows.stmt, 1, TOUCH_KINDS);
        const char *path = column_utf8(&t->arena, rows.stmt, 2);
        const char *tool = column_utf8(&t->arena, rows.stmt, 3);
        const char *call = column_utf8(&t->arena, rows.stmt, 4);
        if (kind >= 0 && path && tool && call)
            *ARRAY_ADD(f->touch, f->touch_count, f->touch_alloc) =
                (struct transcript_touch){.offset = sqlite3_column_int64(rows.stmt, 0),
                                          .kind = (enum touch_kind)kind,
                                          .path = path,
                                          .tool = tool,
                                          .call = call,
                                          .cause = LINE_NONE};
    }
    return db_end(&rows);
}

static int find_known(struct transcripts *t, struct db *db, struct transcript_file *f,
                      struct error *e)
{
    struct query one = db_query(
        db, e, "SELECT id, size, written, read_to, lines, about FROM source_file WHERE path = ?",
        "s", f->path);
    f->is_changed = true;
    read_about(t, f, "{}");
    if (!db_next(&one))
        return db_end(&one);
    f->row = sqlite3_column_int64(one.stmt, 0);
    f->is_changed = sqlite3_column_int64(one.stmt, 1) != f->size ||
                    sqlite3_column_int64(one.stmt, 2) != f->written;
    f->read_to = sqlite3_column_int64(one.stmt, 3);
    f->line_number = sqlite3_column_int64(one.stmt, 4);
    read_about(t, f, column_utf8(&t->arena, one.stmt, 5));
    db_end(&one);
    return load_touches(t, db, f, e);
}

static int by_time(const void *a, const void *b)
{
    const struct transcript_file *x = a, *y = b;
    return COMPARE(y->written, x->written) ? COMPARE(y->written, x->written)
                                           : strcmp(x->path, y->path);
}

static void index_sessions(struct transcripts *t)
{
    t->session_file = xcalloc(t->count + 1, sizeof(*t->session_file));
    for (size_t i = 0; i < t->count; i++) {
        size_t known = t->sessions.count;
        const char *session = t->file[i].session;
        if (!t->file[i].is_agent && key_index_add(&t->sessions, session, strlen(session)) == known)
            t->session_file[known] = i;
    }
}

/* A file that is not listed may be in a folder that cannot be read. */
static bool is_gone(const char *path)
{
    return access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR);
}

/* Transcripts that were read from below the folder and are not listed: Claude Code removes them
 * after a month. What they tell of memory files still counts. */
static int find_gone(struct transcripts *t, struct db *db, const struct folder *folder,
                     struct error *e)
{
    AUTO(key_index) paths = KEY_INDEX_INIT;
    const char *root = folder->count ? folder->entry[0].path : "";
    size_t root_len = folder->count ? (size_t)(folder->entry[0].name - root) : 0;
    int result = 0;
    for (size_t i = 0; i < t->count; i++)
        key_index_add(&paths, t->file[i].path, strlen(t->file[i].path));
    struct query rows =
        db_query(db, e,
                 "SELECT id, path, session, agent, size, lines, about FROM source_file"
                 " WHERE format = ?1 AND substr(path, 1, length(?2)) = ?2",
                 "ss", t->format, arena_strndup(&t->arena, root, root_len));
    while (result == 0 && root_len && db_next(&rows)) {
        struct transcript_file f = {.row = sqlite3_column_int64(rows.stmt, 0),
                                    .path = column_utf8(&t->arena, rows.stmt, 1),
                                    .session = column_utf8(&t->arena, rows.stmt, 2),
                                    .is_agent = sqlite3_column_int(rows.stmt, 3) != 0,
                                    .line_number = sqlite3_column_int64(rows.stmt, 5)};
        if (!f.path || !f.session || key_index_find(&paths, f.path, strlen(f.path)) != ROW_NONE)
            continue;
        if (sqlite3_column_int64(rows.stmt, 4) >= 0 && is_gone(f.path)) {
            *ARRAY_ADD(t->gone, t->gone_count, t->gone_alloc) = f.row;
            transcript_report(t, f.path, 0, false,
                              "is no longer there; what was read of it stays here");
        }
        read_about(t, &f, column_utf8(&t->arena, rows.stmt, 6));
        result = load_touches(t, db, &f, e);
        *ARRAY_ADD(t->file, t->count, t->alloc) = f;
    }
    return result ? db_fail(&rows) : db_end(&rows);
}

/* Of other files of JSON lines it is not known what they are, if they cannot be read. */
static void report_unreadable(struct transcripts *t, const struct folder_entry *entry)
{
    if (text_ends_with(entry->path, ".jsonl") && access(entry->path, R_OK) != 0)
        transcript_report(t, entry->path, 0, true, "cannot be read: %s", strerror(errno));
}

#define HEAD_BYTES (64u << 10)

/* A transcript of another name says itself which session it is of. Returns NULL if it is none. */
static const char *session_in(const struct dialect *dialect, const char *path, struct arena *arena)
{
    AUTO_FREE char *head = xmalloc(HEAD_BYTES);
    struct transcript_source in;
    if (transcript_source_open(&in, path))
        return NULL;
    ssize_t len = transcript_source_read(&in, head, HEAD_BYTES);
    transcript_source_close(&in);
    if (len <= 0 || !memmem(head, (size_t)len, dialect->mark, strlen(dialect->mark)))
        return NULL;
    const char *key = memmem(head, (size_t)len, dialect->session_key, strlen(dialect->session_key));
    const char *id = key ? key + strlen(dialect->session_key) : NULL;
    if (!id || head + len - id < UUID_LEN)
        return NULL;
    id = arena_strndup(arena, id, UUID_LEN);
    return ref_is_uuid_prefix(id, UUID_LEN) ? id : NULL;
}

static bool is_of_session(struct transcripts *t, const struct folder *folder,
                          const struct folder_entry *entry, const char **session, bool *is_agent)
{
    if (t->dialect->is_transcript(entry, &t->arena, session, is_agent))
        return true;
    *is_agent = false;
    *session = folder->is_file || text_ends_with(entry->path, ".jsonl")
                   ? session_in(t->dialect, entry->path, &t->arena)
                   : NULL;
    return *session != NULL;
}

int transcripts_find(struct transcripts *t, const struct folder *folder, struct error *e)
{
    struct reader *r = reader_open(t->store, e);
    int result = r ? 0 : -1;
    for (size_t i = 0; result == 0 && i < folder->count; i++) {
        const struct folder_entry *entry = &folder->entry[i];
        const char *session = NULL;
        bool is_agent = false;
        if (entry->is_folder)
            continue;
        if (!is_of_session(t, folder, entry, &session, &is_agent)) {
            report_unreadable(t, entry);
            continue;
        }
        struct transcript_file *f = ARRAY_ADD(t->file, t->count, t->alloc);
        *f = (struct transcript_file){.path = arena_strdup(&t->arena, entry->path),
                                      .session = session,
                                      .is_agent = is_agent,
                                      .size = entry->size,
                                      .written = entry->written};
        result = find_known(t, reader_db(r), f, e);
    }
    if (result == 0 && !folder->is_file)
        result = find_gone(t, reader_db(r), folder, e);
    for (size_t i = 0; i < t->count; i++)
        if (t->file[i].is_changed && t->file[i].size > t->file[i].read_to)
            t->total += t->file[i].size - t->file[i].read_to;
    SORT(t->file, t->count, by_time);
    index_sessions(t);
    reader_close(r);
    return result;
}

/* ---- lines ---- */

static void read_id(uint8_t out[LINE_ID], sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_bytes(stmt, column) == LINE_ID)
        memcpy(out, sqlite3_column_blob(stmt, column), LINE_ID);
}

struct transcript_line line_of_row(sqlite3_stmt *stmt)
{
    struct transcript_line line = {.offset = sqlite3_column_int64(stmt, 0),
                                   .length = sqlite3_column_int64(stmt, 1),
                                   .hash = (uint64_t)sqlite3_column_int64(stmt, 2),
                                   .type = (uint8_t)sqlite3_column_int(stmt, 3),
                                   .flags = (uint8_t)sqlite3_column_int(stmt, 4),
                                   .at = sqlite3_column_int64(stmt, 7)};
    read_id(line.id, stmt, 5);
    read_id(line.parent, stmt, 6);
    return line;
}

static int read_lines(struct db *db, struct transcript_file *f, struct error *e)
{
    struct query rows = db_query(
        db, e, "SELECT " LINE_COLUMNS " FROM source_line l WHERE l.file = ? ORDER BY l.offset", "i",
        f->row);
    while (db_next(&rows))
        *ARRAY_ADD(f->line, f->count, f->alloc) = line_of_row(rows.stmt);
    return db_end(&rows);
}

/* A touch whose line is not there is left out. */
static void place_touches(struct transcript_file *f)
{
    size_t kept = 0, line = 0;
    for (size_t i = 0; i < f->touch_count; i++) {
        while (line < f->count && f->line[line].offset < f->touch[i].offset)
            line++;
        if (line == f->count || f->line[line].offset != f->touch[i].offset)
            continue;
        f->touch[kept] = f->touch[i];
        f->touch[kept++].line = line;
    }
    f->touch_count = kept;
}

int transcript_load(struct transcripts *t, struct transcript_file *f, struct error *e)
{
    if (f->is_read || !f->row)
        return 0;
    struct reader *r = reader_open(t->store, e);
    int result = r ? read_lines(reader_db(r), f, e) : -1;
    reader_close(r);
    place_touches(f);
    f->is_read = true;
    f->fresh = f->count;
    return result;
}

/* ---- saving ---- */

/* About 0.3 s of writing; a commit for each of thousands of small files would take longer than reading them. */
#define SLICE_LINES 50000

struct saving {
    struct transcripts *t;
    size_t begin, end; /* files */
};

static int save_line(struct db *db, int64_t file, const struct transcript_line *l, struct error *e)
{
    return db_run(db, e, "INSERT OR REPLACE INTO source_line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  "iiiiiibbi", file, l->offset, l->length, (int64_t)l->hash, (int64_t)l->type,
                  (int64_t)l->flags, line_id_is_set(l->id) ? (const void *)l->id : NULL,
                  (size_t)LINE_ID, line_id_is_set(l->parent) ? (const void *)l->parent : NULL,
                  (size_t)LINE_ID, l->at);
}

/* What was read of a file that was replaced becomes a file that is gone. */
static int set_aside(struct db *db, const struct transcripts *t, const struct transcript_file *f,
                     struct error *e)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->file[i].row == f->row && &t->file[i] != f)
            return db_run(db, e, "UPDATE source_file SET path = ?, size = -1 WHERE id = ?", "si",
                          t->file[i].path, f->row);
    return 0;
}

static int save_file(struct db *db, const struct transcripts *t, const struct transcript_file *f,
                     struct error *e)
{
    static const char sql[] =
        "INSERT INTO source_file(path, format, session, agent, size, written, read_to, lines, "
        "about)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(path) DO UPDATE SET size = excluded.size,"
        " written = excluded.written, read_to = excluded.read_to, lines = excluded.lines,"
        " about = excluded.about";
    int64_t row;
    AUTO_STRBUF about = STRBUF_INIT;
    write_about(&about, f);
    if (f->is_restarted && set_aside(db, t, f, e))
        return -1;
    if (db_run(db, e, sql, "sssiiiiis", f->path, t->format, f->session, (int64_t)f->is_agent,
               f->size, f->written, f->read_to, f->line_number, about.buf) ||
        db_int(db, &row, 0, e, "SELECT id FROM source_file WHERE path = ?", "s", f->path))
        return -1;
    for (size_t i = f->fresh; i < f->count; i++)
        if (save_line(db, row, &f->line[i], e))
            return -1;
    for (size_t i = 0; i < f->touch_count; i++) {
        const struct transcript_touch *touch = &f->touch[i];
        if (db_run(db, e, "INSERT OR REPLACE INTO source_touch VALUES (?, ?, ?, ?, ?, ?)", "iisiss",
                   row, touch->offset, touch->call, (int64_t)touch->kind, touch->path, touch->tool))
            return -1;
    }
    return 0;
}

static int save_files(struct txn *txn, void *arg, struct error *e)
{
    const struct saving *s = arg;
    for (size_t i = s->begin; i < s->end; i++)
        if (s->t->file[i].is_changed && save_file(txn_db(txn), s->t, &s->t->file[i], e))
            return -1;
    return 0;
}

static int note_gone(struct txn *txn, void *arg, struct error *e)
{
    const struct transcripts *t = arg;
    for (size_t i = 0; i < t->gone_count; i++)
        if (db_run(txn_db(txn), e, "UPDATE source_file SET size = -1 WHERE id = ?", "i",
                   t->gone[i]))
            return -1;
    return 0;
}

int transcripts_save(struct transcripts *t, struct error *e)
{
    for (size_t i = 0; i < t->count;) {
        struct saving s = {.t = t, .begin = i};
        size_t lines = 0;
        bool any = false;
        for (; i < t->count && lines < SLICE_LINES; i++) {
            any |= t->file[i].is_changed;
            lines += t->file[i].is_changed ? t->file[i].count - t->file[i].fresh + 1 : 0;
        }
        s.end = i;
        if (any && store_run(t->store, save_files, &s, e))
            return -1;
    }
    return t->gone_count ? store_run(t->store, note_gone, t, e) : 0;
}

void transcripts_release(struct transcripts *t)
{
    if (t->source_of)
        transcript_source_close(&t->source);
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->file[i].touch_count; k++)
            free(t->file[i].touch[k].result);
        free(t->file[i].line);
        free(t->file[i].touch);
    }
    FREE_ALL(t->file, t->gone, t->replaced);
    key_index_release(&t->repeats);
    key_index_release(&t->messages);
    key_index_release(&t->failed);
    key_index_release(&t->sessions);
    free(t->session_file);
    free(t->scanned.call);
    key_index_release(&t->taken);
    strbuf_release(&t->json);
    arena_release(&t->arena);
}
