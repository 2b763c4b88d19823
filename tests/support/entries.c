#include "tests/support/entries.h"

#include <sqlite3.h>
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "tests/support/findings.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

int64_t entries_now;
struct store *entries_store;
struct reader *entries_reader;
struct arena entries_arena;
const struct actor entries_agent = {.class = ACTOR_AGENT, .name = "ash", .agent = "ash"};
const struct actor entries_person = {.class = ACTOR_PERSON, .name = "claire"};

static char *path;

static int64_t now(void)
{
    return entries_now;
}

static void open_path(void)
{
    struct error e;
    entries_store = scratch_store_with(path, &(struct store_options){.create = true, .now = now});
    entries_reader = reader_open(entries_store, &e);
    assert_non_null(entries_reader);
}

void entries_open(void)
{
    entries_now = SCRATCH_NOW;
    entries_arena = (struct arena)ARENA_INIT;
    path = scratch_path("entries.db");
    open_path();
}

void entries_end(void)
{
    reader_close(entries_reader);
    store_close(entries_store);
}

void entries_reopen(void)
{
    entries_end();
    open_path();
}

void entries_open_dump(const char *sql_path)
{
    entries_now = SCRATCH_NOW;
    entries_arena = (struct arena)ARENA_INIT;
    path = scratch_path("entries.db");
    scratch_dump(path, sql_path);
}

void entries_begin(void)
{
    open_path();
}

void entries_close(void)
{
    reader_close(entries_reader);
    store_close(entries_store);
    arena_release(&entries_arena);
    free(path);
}

int entries_set_up(void **state)
{
    entries_open();
    return 0;
}

int entries_tear_down(void **state)
{
    entries_close();
    return 0;
}

const char *entries_path(void)
{
    return path;
}

/* ---- writing ---- */

struct writing {
    const struct actor *actor;
    struct entry_put put;
    struct entry_done done;
};

static int run_put(struct txn *t, void *arg, struct error *e)
{
    struct writing *w = arg;
    return entry_put(t, w->actor, &w->put, &entries_arena, &w->done, e);
}

int entries_put_as(const struct actor *actor, const char *name, const char *key, const char *value,
                   int64_t ttl, const struct namespace_policy *policy, struct entry_done *done)
{
    struct error e = {.code = ERROR_NONE};
    struct writing w = {.actor = actor,
                        .put = {.namespace_ = name,
                                .key = key,
                                .value = value,
                                .value_len = strlen(value),
                                .ttl_seconds = ttl,
                                .policy = policy}};
    if (store_run(entries_store, run_put, &w, &e))
        return e.code;
    if (done)
        *done = w.done;
    return ERROR_NONE;
}

int entries_put(const char *name, const char *key, const char *value, int64_t ttl,
                const struct namespace_policy *policy, struct entry_done *done)
{
    return entries_put_as(&entries_agent, name, key, value, ttl, policy, done);
}

static int run_delete(struct txn *t, void *arg, struct error *e)
{
    struct writing *w = arg;
    return entry_delete(t, w->actor, w->put.namespace_, w->put.key, NULL, &entries_arena, e);
}

int entries_delete_as(const struct actor *actor, const char *name, const char *key)
{
    struct error e = {.code = ERROR_NONE};
    struct writing w = {.actor = actor, .put = {.namespace_ = name, .key = key}};
    return store_run(entries_store, run_delete, &w, &e) ? (int)e.code : ERROR_NONE;
}

int entries_delete(const char *name, const char *key)
{
    return entries_delete_as(&entries_agent, name, key);
}

static int run_sweep(struct txn *t, void *arg, struct error *e)
{
    return entry_sweep(t, &entries_agent, 3, arg, e);
}

void entries_sweep(void)
{
    struct error e;
    bool left;
    do
        assert_int_equal(store_run(entries_store, run_sweep, &left, &e), 0);
    while (left);
}

/* ---- reading ---- */

const char *entries_value(const char *name, const char *key)
{
    struct entry entry;
    struct error e;
    if (entry_get(entries_reader, &entries_arena, name, key, &entry, &e) == 0)
        return entry.value;
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    return NULL;
}

int entries_page(const char *name, const char *prefix, const char *cursor, size_t limit,
                 struct entry_page *out)
{
    struct error e = {.code = ERROR_NONE};
    struct entry_query query = {
        .namespace_ = name, .prefix = prefix, .cursor = cursor, .limit = limit};
    return entry_list(entries_reader, &entries_arena, &query, out, &e) ? (int)e.code : ERROR_NONE;
}

int64_t entries_total(const char *name, const char *prefix)
{
    struct entry_page page;
    assert_int_equal(entries_page(name, prefix, NULL, 1, &page), ERROR_NONE);
    return page.total;
}

void entries_check(void)
{
    expect_sound(entries_reader);
}

const char *entries_keys(const char *name, const char *prefix)
{
    AUTO_STRBUF all = STRBUF_INIT;
    struct entry_page page;
    assert_int_equal(entries_page(name, prefix, NULL, 1000, &page), ERROR_NONE);
    assert_int_equal(page.total, page.count);
    for (size_t i = 0; i < page.count; i++)
        strbuf_addf(&all, "%s%s", i ? " " : "", page.keys[i]);
    return arena_strndup(&entries_arena, all.len ? all.buf : "", all.len);
}

int entries_run(enum operation op, const struct request *q)
{
    struct plan p;
    struct error e = {.code = ERROR_NONE};
    return operation_run_now(entries_store, &entries_person, op, q, &entries_arena, &p, &e)
               ? (int)e.code
               : ERROR_NONE;
}

int entries_operate(enum operation op, int64_t node)
{
    struct request q = REQUEST_INIT;
    q.nodes = &node;
    q.node_count = op == OPERATION_UNDO || op == OPERATION_REDO ? 0 : 1;
    return entries_run(op, &q);
}

int entries_edit(int64_t node, const char *fields)
{
    struct request q = REQUEST_INIT;
    q.nodes = &node;
    q.node_count = 1;
    q.fields = fields;
    return entries_run(OPERATION_EDIT, &q);
}

int entries_undo(int64_t seq)
{
    struct request q = REQUEST_INIT;
    q.seqs = &seq;
    q.seq_count = 1;
    return entries_run(OPERATION_UNDO, &q);
}

/* ---- tables ---- */

int64_t entries_counted(const char *sql)
{
    int64_t found;
    struct error e;
    if (db_int(reader_db(entries_reader), &found, -1, &e, sql, ""))
        fail_msg("%s", e.what);
    return found;
}

int64_t entries_rows_with(const char *word)
{
    int64_t found;
    struct error e;
    if (db_int(reader_db(entries_reader), &found, -1, &e,
               "SELECT (SELECT count(*) FROM memory WHERE instr(detail, ?1) > 0)"
               " + (SELECT count(*) FROM event WHERE instr(patch, ?1) > 0)",
               "s", word))
        fail_msg("%s", e.what);
    return found;
}

int64_t entries_last(void)
{
    struct error e;
    return journal_last(entries_reader, &e);
}
