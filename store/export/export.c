/* The formats, the walk over the memories that all of them share, and the count of what a format leaves out. */
#include "store/export/export_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/lineage/subgraph.h"
#include "store/ops/policy.h"
#include "store/query/list.h"
#include "model/format/memory_json.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRESS_EVERY 1000 /* memories */

/* ---- the formats ---- */

static const struct export_format *const formats[] = {
    &export_as_jsonl, &export_as_prov, &export_as_server_memory, &export_as_markdown,
    &export_as_csv,   &export_as_dot,  &export_as_mermaid,       &export_as_kernle,
};

#define FORMATS (sizeof(formats) / sizeof(*formats))

const struct export_format *export_format(size_t index)
{
    return index < FORMATS ? formats[index] : NULL;
}

const struct export_format *export_format_find(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

/* ---- what a format leaves out ---- */

/* The member in JSON, and the words for one and for several. */
static const struct {
    const char *member, *one, *more;
} part_words[PART_COUNT] = {
    [PART_TEXT] = {"text", "rest of a text", "rests of texts"},
    [PART_AGENT] = {"agent", "name of an agent", "names of agents"},
    [PART_CONFIDENCE] = {"confidence", "confidence", "confidences"},
    [PART_TIME] = {"time", "time", "times"},
    [PART_STATUS] = {"status", "status", "statuses"},
    [PART_SOURCE] = {"source", "source", "sources"},
    [PART_CONTEXT] = {"context", "context", "contexts"},
    [PART_TAGS] = {"tag", "tag", "tags"},
    [PART_ANNOTATION] = {"annotation", "annotation", "annotations"},
    [PART_LOCK] = {"lock", "lock", "locks"},
    [PART_DETAIL] = {"detail", "detail", "details"},
    [PART_HISTORY] = {"history", "history", "histories"},
    [PART_FLAG] = {"flag", "flag", "flags"},
    [PART_LINK] = {"link", "link", "links"},
    [PART_ALL] = {"all_of", "\"all of these\"", "\"all of these\""},
    [PART_RECORDED] = {"guessed", "sign of a guessed link", "signs of guessed links"},
    [PART_USE] = {"use", "use of a source", "uses of sources"},
    [PART_REASON] = {"reason", "reason of a link", "reasons of links"},
    [PART_RELATION] = {"relation", "relation", "relations"},
    [PART_CHARACTER] = {"control_character", "control character", "control characters"},
};

static bool has_text(const char *text)
{
    return text && *text;
}

static void count_links(const struct memory *m, int64_t *count)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        count[PART_LINK] += (int64_t)j->count;
        count[PART_ALL] += j->reading == READING_ALL && j->count > 1;
        count[PART_RECORDED] += j->recorded != RECORDED;
        count[PART_REASON] += has_text(j->reason);
        for (size_t k = 0; k < j->count; k++)
            count[PART_USE] += j->antecedents[k].use != NULL;
    }
    for (size_t i = 0; i < m->relation_count; i++)
        /* The reason of one that only its source knows is its type. */
        count[PART_REASON] +=
            has_text(m->relations[i].reason) && m->relations[i].type != RELATION_RELATED;
    count[PART_RELATION] = (int64_t)m->relation_count;
}

/* Counts the parts of a memory that the format cannot express. */
static void count_left_out(struct export *x, const struct memory *m)
{
    int64_t count[PART_COUNT] = {
        [PART_AGENT] = 1,
        [PART_CONFIDENCE] = 1,
        [PART_TIME] = 1,
        [PART_STATUS] = m->status != STATUS_ACTIVE,
        [PART_SOURCE] = 1,
        [PART_CONTEXT] = has_text(m->context),
        [PART_TAGS] = (int64_t)m->tag_count,
        [PART_ANNOTATION] = (int64_t)m->annotation_count,
        [PART_LOCK] = m->is_protected,
        [PART_DETAIL] = m->detail && strcmp(m->detail, "{}") != 0,
        [PART_HISTORY] = m->history_count > 0,
        [PART_FLAG] = (int64_t)m->flag_count,
    };
    count_links(m, count);
    for (int part = 0; part < PART_COUNT; part++)
        if (!(x->format->parts >> part & 1))
            x->result->part[part] += count[part];
}

void export_leave_out(struct export *x, enum export_part part, int64_t count)
{
    if (x->walk == 0)
        x->result->part[part] += count;
}

static void add_count(struct strbuf *out, int64_t count, const char *words)
{
    if (count)
        strbuf_addf(out, "%s%lld %s", out->len ? ", " : "", (long long)count, words);
}

void export_left_out_add(struct strbuf *out, const struct export_result *result)
{
    AUTO_STRBUF list = STRBUF_INIT;
    for (int s = 0; s < STATUS_COUNT; s++) {
        AUTO_STRBUF words = STRBUF_INIT;
        strbuf_addf(&words, "%s %s", status_word((enum status)s),
                    result->status[s] == 1 ? "memory" : "memories");
        add_count(&list, result->status[s], words.buf);
    }
    for (int k = 0; k < KIND_COUNT; k++)
        add_count(&list, result->kind[k], kind_words((enum kind)k, result->kind[k] == 1));
    for (int part = 0; part < PART_COUNT; part++)
        add_count(&list, result->part[part],
                  result->part[part] == 1 ? part_words[part].one : part_words[part].more);
    if (list.len)
        strbuf_addf(out, "left out: %s", list.buf);
}

static void pair_count(struct json_object *o, const char *key, int64_t count)
{
    if (count)
        json_pair_int(o, key, count);
}

void export_left_out_json(struct json_object *o, const struct export_result *result)
{
    struct json_object all = json_open(o, "left_out", '{');
    for (int s = 0; s < STATUS_COUNT; s++)
        pair_count(&all, status_name((enum status)s), result->status[s]);
    for (int k = 0; k < KIND_COUNT; k++)
        pair_count(&all, kind_name((enum kind)k), result->kind[k]);
    for (int part = 0; part < PART_COUNT; part++)
        pair_count(&all, part_words[part].member, result->part[part]);
    json_end(&all);
}

/* ---- the walk ---- */

static int interrupted(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "", "the export was interrupted");
}

static int tick(struct export *x, struct error *e)
{
    const struct export_request *q = x->request;
    return q->progress && q->progress(q->arg, x->done, x->total) ? interrupted(e) : 0;
}

/* Passes on what a format wrote. */
static int pass_on(struct export *x, struct error *e)
{
    const struct export_request *q = x->request;
    if (x->out.len == 0)
        return 0;
    if (q->write(q->arg, x->out.buf, x->out.len))
        return error_set(e, ERROR_STORE, "Check the disk and the permissions.",
                         "cannot write the export");
    strbuf_clear(&x->out);
    return 0;
}

/* Counts a memory that the format does not take, by the first reason. */
static bool takes(struct export *x, const struct memory *m)
{
    const struct export_format *f = x->format;
    bool kind = f->kinds & KIND_BIT(m->ref.kind), status = f->statuses & STATUS_BIT(m->status);
    if (x->walk == 0 && !kind)
        x->result->kind[m->ref.kind]++;
    else if (x->walk == 0 && !status)
        x->result->status[m->status]++;
    return kind && status;
}

static int export_memory(struct export *x, int64_t node, struct error *e)
{
    struct memory m;
    arena_clear(&x->arena);
    if (memory_read(x->reader, &x->arena, node, &m, e) || policy_set_by_agent(x->reader, &m, e))
        return -1;
    if (takes(x, &m)) {
        if (x->walk == 0) {
            x->result->exported++;
            count_left_out(x, &m);
        }
        if (x->format->memory(x, &m, e) || pass_on(x, e))
            return -1;
    }
    return ++x->done % PROGRESS_EVERY == 0 ? tick(x, e) : 0;
}

bool export_has(const struct export *x, int64_t row)
{
    return !x->only || row_index_find(&x->rows, row) != ROW_NONE;
}

/* Within a kind, the index of refs sorts by the bytes of the id. */
static int walk_kind(struct export *x, enum kind kind, struct error *e)
{
    struct db *db = reader_db(x->reader);
    struct query rows =
        db_query(db, e, "SELECT id, name FROM memory WHERE kind = ? AND status <> 7 ORDER BY name",
                 "i", (int64_t)kind);
    while (db_next(&rows)) {
        int64_t node = sqlite3_column_int64(rows.stmt, 0);
        if (export_has(x, node) && export_memory(x, node, e))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

static int compare_kinds(const void *a, const void *b)
{
    return strcmp(kind_name(*(const enum kind *)a), kind_name(*(const enum kind *)b));
}

static int walk_once(struct export *x, struct error *e)
{
    enum kind kinds[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++)
        kinds[i] = (enum kind)i;
    SORT(kinds, KIND_COUNT, compare_kinds);
    x->any = false;
    if (x->format->begin && (x->format->begin(x, e) || pass_on(x, e)))
        return -1;
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (walk_kind(x, kinds[i], e))
            return -1;
    return x->format->end && (x->format->end(x, e) || pass_on(x, e)) ? -1 : 0;
}

static int walk_all(struct export *x, struct error *e)
{
    int walks = x->format->walks ? x->format->walks : 1, result = 0;
    for (x->walk = 0; x->walk < walks && result == 0; x->walk++)
        result = walk_once(x, e);
    if (x->format->close)
        x->format->close(x);
    return result;
}

/* ---- what is exported ---- */

/* Adds the memory, what it is based on, and what is based on it. */
static int find_lineage(struct export *x, struct error *e)
{
    struct graph above;
    struct dependants below = {0};
    bool bounded;
    x->only = true;
    if (graph_load_surroundings(x->reader, &above, &x->request->row, 1, ANCESTORS, 0, &bounded, e))
        return -1;
    for (uint32_t i = 0; i < above.nodes; i++)
        row_index_add(&x->rows, graph_row(&above, i));
    graph_release(&above);
    if (dependants_find(x->reader, x->request->row, 0, &below, e))
        return -1;
    for (size_t i = 0; i < below.count; i++)
        row_index_add(&x->rows, below.row[i]);
    free(below.row);
    return 0;
}

static int add_rows(void *arg, const int64_t *nodes, size_t count)
{
    struct export *x = arg;
    for (size_t i = 0; i < count; i++)
        row_index_add(&x->rows, nodes[i]);
    return 0;
}

/* Adds what matches the query. */
static int find_matches(struct export *x, struct error *e)
{
    const struct list_query query = {.statuses = STATUSES_ALL, .terms = x->request->terms};
    x->only = true;
    return list_ids(x->reader, &query, add_rows, x, e);
}

static int count_memories(struct export *x, struct error *e)
{
    if (x->only)
        x->total = (int64_t)x->rows.count;
    else if (db_int(reader_db(x->reader), &x->total, 0, e,
                    "SELECT count(*) FROM memory WHERE status <> 7", ""))
        return -1;
    x->total *= x->format->walks ? x->format->walks : 1;
    return tick(x, e);
}

static int export_all(struct export *x, struct error *e)
{
    x->only = x->request->rows != NULL;
    add_rows(x, x->request->rows, x->request->row_count);
    if ((x->request->row && find_lineage(x, e)) || (x->request->terms && find_matches(x, e)) ||
        count_memories(x, e))
        return -1;
    return x->format->target == EXPORT_STREAM ? walk_all(x, e) : export_to_path(x, walk_all, e);
}

int export_run(struct reader *r, const struct export_request *request, struct export_result *result,
               struct error *e)
{
    struct export x = {.reader = r,
                       .request = request,
                       .format = request->format,
                       .result = result,
                       .out = STRBUF_INIT,
                       .arena = ARENA_INIT,
                       .kept = ARENA_INIT,
                       .rows = ROW_INDEX_INIT};
    *result = (struct export_result){0};
    if (reader_begin(r, e))
        return -1;
    int done = export_all(&x, e);
    reader_end(r);
    row_index_release(&x.rows);
    arena_release(&x.arena);
    arena_release(&x.kept);
    strbuf_release(&x.out);
    return done;
}

/* ---- for several formats ---- */

/* Line breaks and tabs stay. What is replaced could control a terminal or hide text, and has no use in a memory. */
void export_add_text(struct export *x, struct strbuf *out, const char *text)
{
    uint32_t c;
    for (size_t len = strlen(text); len;) {
        size_t bytes = (size_t)utf8_decode(text, len, &c);
        bool line = c == '\n' || c == '\t', end = c == '\r' && len > 1 && text[1] == '\n';
        if (!line && !end && (utf8_is_control(c) || utf8_is_bidi(c))) {
            strbuf_addstr(out, "\xef\xbf\xbd"); /* U+FFFD */
            export_leave_out(x, PART_CHARACTER, 1);
        } else if (!end) {
            strbuf_add(out, text, bytes);
        }
        text += bytes;
        len -= bytes;
    }
}

void export_add_title(struct export *x, struct strbuf *out, const char *text, size_t most)
{
    size_t line = strcspn(text, "\r\n"), fit = utf8_prefix(text, most),
           len = line < fit ? line : fit;
    AUTO_STRBUF title = STRBUF_INIT;
    strbuf_add(&title, text, len);
    export_add_text(x, out, title.buf);
    if (text[len])
        strbuf_addstr(out, "…");
}

/* ---- lines of the JSON of a memory ---- */

static int write_line(struct export *x, const struct memory *m, struct error *e)
{
    (void)e;
    memory_json_write(&x->out, m, NULL);
    json_show(&x->out);
    strbuf_addch(&x->out, '\n');
    return 0;
}

const struct export_format export_as_jsonl = {
    .name = "jsonl",
    .about = "a memory on each line, as JSON; everything, for `stemma import jsonl`",
    .parts = PARTS_ALL,
    .kinds = KINDS_ALL,
    .statuses = STATUSES_ALL,
    .memory = write_line,
};

int export_jsonl(struct reader *r, int (*write)(void *arg, const char *line, size_t len), void *arg,
                 int (*progress)(void *arg, int64_t done, int64_t total), struct error *e)
{
    struct export_result result;
    struct export_request request = {
        .format = &export_as_jsonl, .write = write, .progress = progress, .arg = arg};
    return export_run(r, &request, &result, e);
}

/* ---- folders and databases: written under another name, renamed when they are complete ---- */

int export_cannot_write(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, error_write_hint(errno), "cannot write %.200s: %s", path,
                     strerror(errno));
}

static int refuse(const char *path, const char *why, struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Give a new name.", "%.200s %s", path, why);
}

static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    size_t names = 0;
    while (folder && names < 3 && readdir(folder))
        names++;
    if (folder)
        closedir(folder);
    return folder && names == 2; /* . and .. */
}

/* Returns the mode for the new one, or -1 with `e`. */
static int check_target(const struct export *x, struct error *e)
{
    const char *path = x->request->path;
    struct stat st;
    if (stat(path, &st))
        return errno == ENOENT ? 0700 : export_cannot_write(path, e);
    if (x->format->target == EXPORT_STORE)
        return refuse(path, "exists already", e);
    if (!S_ISDIR(st.st_mode))
        return refuse(path, "is a file; this export is a folder", e);
    return is_empty(path) ? (int)(st.st_mode & 0777) : refuse(path, "is a folder with files", e);
}

/* Removes a folder of files. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* Removes a database, and the logs that one which was not finished has next to it. */
static void remove_store(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        AUTO_STRBUF name = STRBUF_INIT;
        strbuf_addf(&name, "%s%s", path, ends[i]);
        unlink(name.buf);
    }
}

/* Makes the temporary file or folder. */
static int make(const struct export *x, char *path, int mode)
{
    if (x->format->target == EXPORT_FOLDER)
        return mkdtemp(path) && chmod(path, (mode_t)mode) == 0 ? 0 : -1;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

/* A folder replaces an empty one in one step, and no other; a link to a file fails if the name is taken. */
static int publish(const struct export *x, const char *from, struct error *e)
{
    const char *to = x->request->path;
    if (x->format->target == EXPORT_FOLDER)
        return rename(from, to) ? export_cannot_write(to, e) : 0;
    int failed = link(from, to);
    if (failed && (errno == EPERM || errno == EOPNOTSUPP)) /* a file system without links */
        failed = access(to, F_OK) == 0 || rename(from, to);
    return failed ? export_cannot_write(to, e) : 0;
}

/* An error of SQLite names the temporary file; a person gave the other name. */
static void name_target(const char *temporary, size_t suffix, struct error *e)
{
    const char *found = strstr(e->what, temporary);
    if (found)
        error_cut(e, (size_t)(found - e->what) + strlen(temporary) - suffix, suffix);
}

int export_to_path(struct export *x, int (*walk)(struct export *x, struct error *e),
                   struct error *e)
{
    static const char unique[] = ".XXXXXX"; /* for mkstemp */
    AUTO_STRBUF temporary = STRBUF_INIT;
    int mode = check_target(x, e);
    if (mode < 0)
        return -1;
    strbuf_addf(&temporary, "%s%s", x->request->path, unique);
    if (make(x, temporary.buf, mode))
        return export_cannot_write(x->request->path, e);
    x->path = temporary.buf;
    int result = walk(x, e) || publish(x, temporary.buf, e) ? -1 : 0;
    if (result)
        name_target(temporary.buf, strlen(unique), e);
    if (x->format->target == EXPORT_STORE)
        remove_store(temporary.buf);
    else if (result)
        remove_folder(temporary.buf);
    return result;
}
