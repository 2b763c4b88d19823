#include "tests/support/operated.h"

#include <stdlib.h>
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/query/ref.h"
#include "tests/support/scratch.h"

struct operated operated;

void operated_begin(void)
{
    struct error e;
    operated.store = scratch_store(operated.path);
    operated.reader = reader_open(operated.store, &e);
    assert_non_null(operated.reader);
}

void operated_open(const char *name)
{
    operated = (struct operated){.path = scratch_path(name), .arena = ARENA_INIT};
    operated_begin();
}

void operated_end(void)
{
    reader_close(operated.reader);
    store_close(operated.store);
}

int operated_close(void **state)
{
    operated_end();
    arena_release(&operated.arena);
    free(operated.path);
    return 0;
}

int64_t operated_put(const char *line)
{
    return scratch_put(operated.store, line);
}

int operated_try(const struct actor *actor, enum operation op, const struct request *q,
                 struct error *e)
{
    *e = (struct error){.code = ERROR_NONE};
    return operation_run_now(operated.store, actor, op, q, &operated.arena, &operated.done, e);
}

void operated_must(const struct actor *actor, enum operation op, const struct request *q)
{
    struct error e;
    if (operated_try(actor, op, q, &e))
        fail_msg("%s %s", e.what, e.hint);
}

struct request operated_about(const char **refs)
{
    struct request q = REQUEST_INIT;
    q.refs = refs;
    while (refs[q.ref_count])
        q.ref_count++;
    return q;
}

int64_t operated_row(const char *ref)
{
    struct error e;
    int64_t node = ref_resolve(operated.reader, ref, &e);
    assert_true(node > 0);
    return node;
}

struct memory operated_read(const char *ref)
{
    struct error e;
    struct memory m;
    if (memory_read(operated.reader, &operated.arena, operated_row(ref), &m, &e))
        fail_msg("%s", e.what);
    return m;
}

int64_t operated_last(void)
{
    struct error e;
    int64_t last = journal_last(operated.reader, &e);
    assert_true(last >= 0);
    return last;
}
