/* Actions: writing what is shown to a file: a drawing, or the memories of a list in a format of `stemma export`. */
#include "tui/action/action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/export/export.h"
#include "tui/cli/files.h"
#include "tui/explorer/app.h"

/* ---- "FILE [FORMAT]" or "FORMAT FILE" ---- */

typedef const char *format_name(int i);

static const char *list_format_name(int i)
{
    const struct export_format *format = export_format((size_t)i);
    return format ? format->name : NULL;
}

static int find_format(format_name *name, const char *word, size_t len)
{
    for (int i = 0; name(i); i++)
        if (strlen(name(i)) == len && !memcmp(name(i), word, len))
            return i;
    return -1;
}

/* Appends the path, with `~/` as HOME. */
static void add_path(struct strbuf *out, const char *path, size_t len)
{
    const char *home = getenv("HOME");
    if (len > 1 && !strncmp(path, "~/", 2) && home) {
        strbuf_addstr(out, home);
        path++;
        len--;
    }
    strbuf_add(out, path, len);
}

/* A file named "memories.csv" asks for the format of that name; else the first format is taken. */
static int read_argument(const char *argument, format_name *name, struct strbuf *path)
{
    size_t first = strcspn(argument, " "), len = strlen(argument);
    const char *last = strrchr(argument, ' ');
    int format = last ? find_format(name, last + 1, len - (size_t)(last + 1 - argument)) : -1;
    if (format >= 0) {
        len = (size_t)(last - argument);
    } else if ((format = find_format(name, argument, first)) >= 0) {
        argument += first + strspn(argument + first, " ");
        len = strlen(argument);
    }
    while (len > 0 && argument[len - 1] == ' ')
        len--;
    add_path(path, argument, len);
    const char *end = path->len ? strrchr(path->buf, '.') : NULL;
    if (format < 0 && end)
        format = find_format(name, end + 1, strlen(end + 1));
    return format < 0 ? 0 : format;
}

/* ---- asking ---- */

static void export_to(struct app *x, const char *argument, bool replace);

static void replace_chosen(struct app *x, const struct popup_item *item)
{
    if (item->key == 'y')
        export_to(x, item->text, true);
}

/* The item has the argument, which a popup shows in other words. */
static void ask_to_replace(struct app *x, const char *argument, const char *path)
{
    popup_open(&x->ui.popup, "that file exists", replace_chosen);
    popup_add(&x->ui.popup, 'n', "cancel", path);
    popup_add(&x->ui.popup, 'y', argument, "its content is lost")->shown = xstrdup("overwrite");
}

/* Returns 1 if the person is asked whether to replace a file. */
static int find_destination(struct app *x, struct destination *d, const char *argument,
                            const char *path, bool replace, struct error *e)
{
    if (destination_find(d, path, store_path(x->data.store), e))
        return -1;
    if (d->exists && !S_ISREG(d->st.st_mode))
        return error_set(e, ERROR_REFUSED, "Give another name.", "%.200s is not a file", path);
    if (d->exists && !replace)
        ask_to_replace(x, argument, path);
    return d->exists && !replace;
}

/* ---- a drawing ---- */

static int write_text(void *arg, FILE *file, struct error *e)
{
    const struct strbuf *text = arg;
    (void)e;
    fwrite(text->buf, 1, text->len, file); /* fclose reports errors */
    return 0;
}

static void export_drawing(struct app *x, const char *argument, const char *path, int format,
                           bool replace)
{
    struct destination d = {.path = STRBUF_INIT};
    AUTO_STRBUF text = STRBUF_INIT;
    struct error e;
    int asked = find_destination(x, &d, argument, path, replace, &e);
    if (asked < 0 || (!asked && (lineage_make(x, (enum graph_format)format, &text, &e) ||
                                 destination_write(&d, write_text, &text, &e))))
        ui_error(&x->ui, &e);
    else if (!asked)
        ui_message(&x->ui, "wrote %s (%zu bytes) to %s", graph_format_about(format), text.len,
                   path);
    strbuf_release(&d.path);
}

/* ---- a list ---- */

/* An export of the rows that a list had. */
struct export_job {
    struct job job;
    struct app *app;
    struct destination to;
    struct export_request request;
    struct export_result result;
    FILE *file;
    int64_t *rows; /* [count] owned */
    size_t count, alloc;
    bool selected;
    struct reader *reader; /* of the worker, while it runs */
};

static int write_bytes(void *arg, const char *bytes, size_t len)
{
    const struct export_job *j = arg;
    return fwrite(bytes, 1, len, j->file) == len ? 0 : -1;
}

static int tick(void *arg, int64_t written, int64_t total)
{
    const struct export_job *j = arg;
    (void)written;
    (void)total;
    return atomic_load(&j->job.cancelled);
}

static int write_rows(void *arg, FILE *file, struct error *e)
{
    struct export_job *j = arg;
    j->file = file;
    return export_run(j->reader, &j->request, &j->result, e);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct export_job *j = (struct export_job *)job;
    j->reader = r;
    int failed = j->request.format->target == EXPORT_STREAM
                     ? destination_write(&j->to, write_rows, j, e)
                     : write_rows(j, NULL, e);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct export_job *j = (struct export_job *)job;
    AUTO_STRBUF left = STRBUF_INIT;
    if (e->code) {
        ui_error(&j->app->ui, e);
        return;
    }
    export_left_out_add(&left, &j->result);
    ui_message(&j->app->ui, "wrote %lld %smemor%s as %s to %s%s%s", (long long)j->result.exported,
               j->selected ? "selected " : "", j->result.exported == 1 ? "y" : "ies",
               j->request.format->name, j->to.path.buf, left.len ? "; " : "",
               left.len ? left.buf : "");
}

static void release(struct job *job)
{
    struct export_job *j = (struct export_job *)job;
    strbuf_release(&j->to.path);
    free(j->rows);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "export", .run = run, .done = done, .release = release};

/* The memories of the lines; only the selected ones, if the list has any. */
static void gather(struct export_job *j, struct view *v)
{
    const struct selection *selection = &v->ui->selection;
    for (size_t i = 0; i < v->count && selection->count && !j->selected; i++)
        j->selected = selection_has(selection, view_node_at(v, i));
    for (size_t i = 0; i < v->count; i++) {
        int64_t node = view_node_at(v, i);
        if (node > 0 && (!j->selected || selection_has(selection, node)))
            *ARRAY_ADD(j->rows, j->count, j->alloc) = node;
    }
}

static void export_list(struct app *x, const char *argument, const char *path, int format,
                        bool replace)
{
    struct export_job *j = xcalloc(1, sizeof(*j));
    const char *not = x->nav.top->ops->has & HAS_MEMORIES
                          ? NULL
                          : "the lines here are no memories, which is what `stemma export` writes";
    struct error e = {.code = ERROR_NONE};
    *j = (struct export_job){.app = x, .to.path = STRBUF_INIT};
    gather(j, x->nav.top);
    j->request = (struct export_request){.format = export_format((size_t)format),
                                         .rows = j->rows,
                                         .row_count = j->count,
                                         .write = write_bytes,
                                         .progress = tick,
                                         .arg = j};
    bool stream = j->request.format->target == EXPORT_STREAM;
    int asked = not || !j->count ? 1
                : stream         ? find_destination(x, &j->to, argument, path, replace, &e)
                                 : destination_find(&j->to, path, store_path(x->data.store), &e);
    if (not || !j->count)
        ui_message(&x->ui, "%s", not ? not : "there is nothing to export");
    else if (asked < 0)
        ui_error(&x->ui, &e);
    if (asked) {
        release(&j->job);
        return;
    }
    j->request.path = j->to.path.buf;
    ui_message(&x->ui, "writing %s; C-c stops it", path);
    worker_submit(&x->data.worker, &j->job, &job_ops, &job_ops, 0);
}

/* ---- the action ---- */

static void export_to(struct app *x, const char *argument, bool replace)
{
    AUTO_STRBUF path = STRBUF_INIT;
    bool drawing = x->nav.top->ops->has & HAS_DRAWING;
    int format = read_argument(argument, drawing ? graph_format_name : list_format_name, &path);
    if (path.len == 0 ||
        find_format(drawing ? graph_format_name : list_format_name, path.buf, path.len) >= 0)
        palette_ask(x, "export ",
                    drawing ? "give a file and a format: export FILE text|dot|json"
                            : "give a file, and a format of `stemma export`: export FILE csv");
    else if (drawing)
        export_drawing(x, argument, path.buf, format, replace);
    else
        export_list(x, argument, path.buf, format, replace);
}

static void when_whole(struct view *v)
{
    AUTO_FREE char *argument = v->app->export_argument;
    v->app->export_argument = NULL;
    export_to(v->app, argument, false);
}

void act_export(struct app *x, const char *argument)
{
    free(x->export_argument);
    x->export_argument = xstrdup(argument);
    view_read_whole(x->nav.top, when_whole);
}
