/* Exports all memories as lines of the JSON of a memory, sorted by ref. */
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/import/import.h"
#include "store/ops/policy.h"

#define PROGRESS_EVERY 1000 /* memories */

struct export
{
    struct reader *reader;
    int (*write)(void *arg, const char *line, size_t len);
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t done, total;
    struct arena arena;
    struct strbuf line;
};

static int interrupted(struct error *e)
{
    return error_set(e, ERROR_INTERRUPTED, "", "the export was interrupted");
}

static int export_memory(struct export *x, int64_t node, struct error *e)
{
    struct memory m;
    arena_clear(&x->arena);
    strbuf_clear(&x->line);
    if (memory_read(x->reader, &x->arena, node, &m, e) || policy_set_by_agent(x->reader, &m, e))
        return -1;
    memory_json_write(&x->line, &m, NULL);
    json_show(&x->line);
    strbuf_addch(&x->line, '\n');
    if (x->write(x->arg, x->line.buf, x->line.len))
        return error_set(e, ERROR_STORE, "Check the disk and the permissions.",
                         "cannot write the export");
    x->done++;
    if (x->progress && x->done % PROGRESS_EVERY == 0 && x->progress(x->arg, x->done, x->total))
        return interrupted(e);
    return 0;
}

/* Within a kind, the index of refs sorts by the bytes of the id. */
static int export_kind(struct export *x, enum kind kind, struct error *e)
{
    struct db *db = reader_db(x->reader);
    struct query rows =
        db_query(db, e, "SELECT id, name FROM memory WHERE kind = ? AND status < 7 ORDER BY name",
                 "i", (int64_t)kind);
    while (db_next(&rows))
        if (export_memory(x, sqlite3_column_int64(rows.stmt, 0), e))
            return db_fail(&rows);
    return db_end(&rows);
}

static int compare_kinds(const void *a, const void *b)
{
    return strcmp(kind_name(*(const enum kind *)a), kind_name(*(const enum kind *)b));
}

static int export_all(struct export *x, struct error *e)
{
    enum kind kinds[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++)
        kinds[i] = (enum kind)i;
    qsort(kinds, KIND_COUNT, sizeof(*kinds), compare_kinds);
    if (db_int(reader_db(x->reader), &x->total, 0, e,
               "SELECT count(*) FROM memory WHERE status < 7", ""))
        return -1;
    if (x->progress && x->progress(x->arg, 0, x->total))
        return interrupted(e);
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (export_kind(x, kinds[i], e))
            return -1;
    return 0;
}

int export_jsonl(struct reader *r, int (*write)(void *arg, const char *line, size_t len), void *arg,
                 int (*progress)(void *arg, int64_t done, int64_t total), struct error *e)
{
    struct export x = {.reader = r,
                       .write = write,
                       .progress = progress,
                       .arg = arg,
                       .arena = ARENA_INIT,
                       .line = STRBUF_INIT};
    if (reader_begin(r, e))
        return -1;
    int result = export_all(&x, e);
    reader_end(r);
    arena_release(&x.arena);
    strbuf_release(&x.line);
    return result;
}
