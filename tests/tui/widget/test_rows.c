/* A list whose read was cancelled, and which is shown again before it learned of that. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <unistd.h>
#include "store/open.h"
#include "tests/support/test.h"
#include "tui/widget/rows_view.h"
#include "tui/widget/ui.h"

static atomic_int readings;

/* The first read runs until it is cancelled. */
static int read_rows(struct rows *rows, struct reader *r, struct error *e)
{
    if (atomic_fetch_add(&readings, 1) > 0) {
        *(int64_t *)rows_add(rows) = 1;
        return 0;
    }
    while (!atomic_load(rows->cancelled))
        usleep(100);
    return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
}

static struct line_subject row_subject(const void *row)
{
    return (struct line_subject){.id = *(const int64_t *)row};
}

static const struct rows_ops rows_ops = {
    .job = "counting", .size = sizeof(int64_t), .read = read_rows, .subject = row_subject};
static const struct view_ops view_ops = {.name = "rows", ROWS_VIEW_OPS, .shown = rows_view_shown};

TEST(a_cancelled_list_is_read_again_when_shown)
{
    AUTO_FREE char *path = scratch_path("rows.db");
    struct error e;
    struct data data = {0};
    struct prefs prefs = {0};
    struct ui ui = {.data = &data, .prefs = &prefs};
    data.store = scratch_store(path);
    data.reader = reader_open(data.store, &e);
    assert_int_equal(worker_open(&data.worker, data.store, &e), 0);
    struct rows_view *l = rows_view_new(sizeof(*l), &view_ops, &rows_ops, &ui);
    view_load(&l->view);
    while (atomic_load(&readings) == 0)
        usleep(100);
    assert_string_equal(worker_cancel_all(&data.worker), "counting");
    l->view.ops->shown(&l->view);
    while (!worker_idle(&data.worker)) {
        worker_wait(&data.worker);
        worker_deliver(&data.worker);
    }
    assert_int_equal(l->view.count, 1);
    view_drop(&l->view);
    worker_close(&data.worker);
    reader_close(data.reader);
    store_close(data.store);
}
