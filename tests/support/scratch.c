#include "tests/support/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/format/memory_json.h"
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/db/head.h"
#include "store/db/store_file.h"
#include "store/guard/guard.h"
#include "store/open.h"
#include "store/record/get.h"
#include "store/record/put.h"

int64_t scratch_clock = SCRATCH_NOW;
const struct actor scratch_actor = {.name = "tester", .origin = "command"};

char *scratch_path(const char *name)
{
    const char *parent = getenv("STEMMA_TEST_DIR");
    struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "%s/scratch-XXXXXX", parent ? parent : "/tmp");
    assert_non_null(mkdtemp(sb.buf));
    strbuf_addf(&sb, "/%s", name);
    return strbuf_detach(&sb, NULL);
}

void scratch_clear(char *path)
{
    AUTO_FREE char *remove = xformat("rm -rf '%.*s'", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(system(remove), 0);
    free(path);
}

void scratch_home(void)
{
    AUTO_FREE char *home = scratch_path("home");
    setenv("HOME", home, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
}

void scratch_configure(const char *text)
{
    AUTO_STRBUF path = STRBUF_INIT;
    scratch_home();
    mkdir(getenv("HOME"), 0700);
    strbuf_addf(&path, "%s/.config/stemma/config.yaml", getenv("HOME"));
    for (char *at = path.buf + strlen(getenv("HOME")); (at = strchr(at + 1, '/')); *at = '/') {
        *at = '\0';
        mkdir(path.buf, 0700);
    }
    scratch_write(path.buf, text, strlen(text));
}

int scratch_set_up_path(void **state)
{
    *state = scratch_path("store.db");
    return 0;
}

int scratch_tear_down_path(void **state)
{
    free(*state);
    return 0;
}

/* Reads at once, since some tests read many large files. */
char *scratch_read(const char *path, size_t *len)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    assert_int_equal(fstat(fileno(file), &about), 0);
    char *bytes = malloc((size_t)about.st_size + 1);
    assert_non_null(bytes);
    size_t got = fread(bytes, 1, (size_t)about.st_size, file);
    bytes[got] = '\0';
    fclose(file);
    if (len)
        *len = got;
    return bytes;
}

void scratch_write(const char *path, const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

void scratch_editor(const char *body)
{
    AUTO_FREE char *path = scratch_path("editor");
    AUTO_STRBUF script = STRBUF_INIT;
    strbuf_addf(&script, "#!/bin/sh\n%s\n", body);
    scratch_write(path, script.buf, script.len);
    chmod(path, 0755);
    unsetenv("VISUAL");
    setenv("EDITOR", path, 1);
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[65536];
    size_t got;
    unlink(to);
    FILE *source = fopen(from, "rb"), *target = source ? fopen(to, "wb") : NULL;
    if (!source)
        return;
    assert_non_null(target);
    while ((got = fread(bytes, 1, sizeof(bytes), source)) > 0)
        assert_int_equal(fwrite(bytes, 1, got, target), got);
    fclose(source);
    assert_int_equal(fclose(target), 0);
}

void scratch_dump(const char *path, const char *sql_path)
{
    char *why = NULL, *sql = scratch_read(sql_path, NULL);
    sqlite3 *db;
    assert_non_null(sql);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &why);
    if (why)
        fail_msg("%s: %s", sql_path, why);
    sqlite3_close(db);
    free(sql);
}

void scratch_head(char *out, size_t size, const char *store)
{
    struct error e;
    AUTO_FREE char *path = realpath(store, NULL);
    struct db *db = path ? db_open(path, DB_READ, &e) : NULL;
    AUTO_FREE char *head = db ? head_path(db, path) : NULL;
    snprintf(out, size, "%s", head ? head : "");
    db_close(db);
}

struct store_file *scratch_lock(const char *store)
{
    struct error e;
    struct store_file *f = xcalloc(1, sizeof(*f));
    AUTO_FREE char *path = realpath(store, NULL);
    assert_non_null(path);
    assert_int_equal(store_file_open(f, path, &e), 0);
    if (store_file_lock(f, 0, NULL, NULL, &e) == 0)
        return f;
    store_file_close(f);
    free(f);
    return NULL;
}

void scratch_unlock(struct store_file *f)
{
    store_file_unlock(f);
    store_file_close(f);
    free(f);
}

void scratch_copy(const char *from, const char *to)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        AUTO_STRBUF source = STRBUF_INIT, target = STRBUF_INIT;
        strbuf_addf(&source, "%s%s", from, suffixes[i]);
        strbuf_addf(&target, "%s%s", to, suffixes[i]);
        copy_file(source.buf, target.buf);
    }
    char head[4096], copied[4096];
    scratch_head(head, sizeof(head), from);
    scratch_head(copied, sizeof(copied), to);
    copy_file(head, copied);
}

static _Atomic int64_t ticks;
static int64_t ticking(void)
{
    return SCRATCH_NOW + 1000 * ticks++;
}

struct store *scratch_store_with(const char *path, const struct store_options *options)
{
    struct error e = {0};
    struct store *s = store_open(path, options, NULL, &e);
    if (!s)
        fail_msg("%s %s", e.what, e.hint);
    return s;
}

struct store *scratch_store(const char *path)
{
    return scratch_store_with(path, &(struct store_options){.create = true, .now = ticking});
}

static int64_t stands(void)
{
    return scratch_clock;
}

struct store *scratch_store_with_clock(const char *name, void (*make_id)(char out[37]))
{
    AUTO_FREE char *path = scratch_path(name);
    scratch_clock = SCRATCH_NOW;
    return scratch_store_with(
        path, &(struct store_options){.create = true, .now = stands, .make_id = make_id});
}

char *scratch_filled(const char *name, void (*fill)(struct store *s))
{
    char *path = scratch_path(name);
    struct store *s = scratch_store(path);
    fill(s);
    store_close(s);
    return path;
}

struct putting {
    const char *line, *reason;
    bool replaces;
    int64_t node;
};

static int run_put(struct txn *t, void *arg, struct error *e)
{
    struct putting *p = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory before, after;
    int result =
        memory_json_read(&after, &arena, p->line, strlen(p->line), "ash", txn_now(t), NULL, e);
    int64_t node = 0;
    if (result == 0 && p->replaces) {
        node = ref_find(txn_db(t), after.ref, e);
        result = node > 0 ? memory_read_db(txn_db(t), &arena, node, &before, e) : -1;
    }
    if (result == 0)
        result = txn_put(t, &scratch_actor, p->replaces ? "edit" : "add", node ? &before : NULL,
                         &after, p->reason, e);
    p->node = after.node;
    return result;
}

int scratch_try(struct store *s, const char *line, struct error *e)
{
    struct putting p = {.line = line};
    return store_run(s, run_put, &p, e);
}

static int64_t put(struct store *s, struct putting *p)
{
    struct error e = {0};
    if (store_run(s, run_put, p, &e))
        fail_msg("%s %s: %s", e.what, e.hint, p->line);
    return p->node;
}

int64_t scratch_put(struct store *s, const char *line)
{
    return put(s, &(struct putting){.line = line});
}

int64_t scratch_replace(struct store *s, const char *line, const char *reason)
{
    return put(s, &(struct putting){.line = line, .reason = reason, .replaces = true});
}

char *scratch_line(struct store *s, int64_t node)
{
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    struct strbuf out = STRBUF_INIT;
    struct memory m;
    struct reader *r = reader_open(s, &e);
    if (!r || memory_read(r, &arena, node, &m, &e))
        fail_msg("%s", e.what);
    memory_json_write(&out, &m, NULL);
    reader_close(r);
    return strbuf_detach(&out, NULL);
}
