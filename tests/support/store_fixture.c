#include "tests/support/store_fixture.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/format/memory_json.h"
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/open.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "tests/support/test.h"

static int64_t frozen_now(void)
{
    return FIXTURE_NOW;
}

void fixture_open(struct fixture *f)
{
    const char *parent = getenv("STEMMA_TEST_DIR");
    struct error e = {0};
    *f = (struct fixture){.arena = ARENA_INIT};
    snprintf(f->directory, sizeof(f->directory), "%s/store-XXXXXX", parent ? parent : "/tmp");
    assert_non_null(mkdtemp(f->directory));
    snprintf(f->path, sizeof(f->path), "%s/memory.db", f->directory);
    f->store =
        store_open(f->path, &(struct store_options){.create = true, .now = frozen_now}, NULL, &e);
    if (!f->store)
        fail_msg("%s", e.what);
    f->reader = reader_open(f->store, &e);
    if (!f->reader)
        fail_msg("%s", e.what);
}

void fixture_close(struct fixture *f)
{
    static const char *const made[] = {"", "-wal", "-shm", "-journal"};
    char path[400];
    reader_close(f->reader);
    store_close(f->store);
    for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
        snprintf(path, sizeof(path), "%s%s", f->path, made[i]);
        unlink(path);
    }
    rmdir(f->directory);
    arena_release(&f->arena);
}

int fixture_set_up(void **state)
{
    struct fixture *f = xmalloc(sizeof(*f));
    fixture_open(f);
    *state = f;
    return 0;
}

int fixture_tear_down(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

struct lines {
    const char *const *line;
    size_t count;
};

static int put_line(struct txn *t, const char *line, struct error *e)
{
    static const struct actor actor = {.class = ACTOR_PERSON, .name = "tester", .origin = "test"};
    AUTO_ARENA a = ARENA_INIT;
    struct memory before, after;
    int result = memory_json_read(&after, &a, line, strlen(line), "ash", FIXTURE_NOW, NULL, e);
    int64_t row = result ? -1 : ref_find(txn_db(t), after.ref, e);
    if (row > 0)
        result = memory_read_db(txn_db(t), &a, row, &before, e);
    bool replaces = result == 0 && row > 0 && before.status != STATUS_MISSING;
    if (result == 0)
        result = row < 0 ? -1
                         : txn_put(t, &actor, replaces ? "edit" : "add", replaces ? &before : NULL,
                                   &after, NULL, e);
    return result;
}

static int put_lines(struct txn *t, void *arg, struct error *e)
{
    const struct lines *l = arg;
    for (size_t i = 0; i < l->count; i++)
        if (put_line(t, l->line[i], e))
            return error_prefix(e, "%s", l->line[i]);
    return 0;
}

void fixture_put_lines(struct fixture *f, const char *const *lines, size_t count)
{
    struct error e = {0};
    if (store_run(f->store, put_lines, &(struct lines){lines, count}, &e))
        fail_msg("%s", e.what);
}

void fixture_put(struct fixture *f, ...)
{
    const char *lines[64];
    size_t count = 0;
    va_list args;
    va_start(args, f);
    for (const char *line; (line = va_arg(args, const char *));) {
        assert_true(count < 64);
        lines[count++] = line;
    }
    va_end(args);
    fixture_put_lines(f, lines, count);
}

int64_t fixture_row(struct fixture *f, const char *ref)
{
    struct error e = {0};
    struct ref parsed;
    assert_int_equal(ref_parse(ref, &parsed), REF_MEMORY);
    int64_t row = ref_find(reader_db(f->reader), parsed, &e);
    if (row <= 0)
        fail_msg("%s was never named", ref);
    return row;
}

const char *fixture_ref(struct fixture *f, int64_t row)
{
    struct error e = {0};
    struct memory_row m;
    AUTO_STRBUF sb = STRBUF_INIT;
    if (memory_row_read(f->reader, &f->arena, row, &m, &e))
        fail_msg("%s", e.what);
    ref_add(&sb, m.ref);
    return arena_strdup(&f->arena, sb.buf);
}

void fixture_sql(struct fixture *f, const char *sql)
{
    sqlite3 *db;
    char *error = NULL;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &error);
    if (error)
        fail_msg("%s: %s", sql, error);
    sqlite3_close(db);
}
