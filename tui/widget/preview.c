#include "tui/widget/preview.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "tui/render/facts.h"
#include "tui/widget/sheet_view.h"
#include "tui/widget/ui.h"

#define SLOT_PREVIEW 0

struct preview_job {
    struct job job;
    struct job_ops job_ops;
    struct preview *preview;
    const struct preview_ops *ops; /* the preview may be gone while it runs */
    struct preview_key key;
    void *facts;
};

static bool same_key(struct preview_key a, struct preview_key b)
{
    return a.id == b.id && a.other == b.other && a.how == b.how;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct preview_job *j = (struct preview_job *)job;
    j->facts = j->ops->read(j->key, r, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void take(struct preview *p, void *facts, struct preview_key key)
{
    if (p->facts)
        p->ops->free(p->facts);
    p->facts = facts;
    p->known = key;
    p->width = 0;
}

static void done(struct job *job, const struct error *e)
{
    struct preview_job *j = (struct preview_job *)job;
    struct preview *p = j->preview;
    p->error = *e;
    if (e->code == ERROR_NONE) {
        take(p, j->facts, j->key);
        j->facts = NULL;
    } else if (!j->ops->shows_error && e->code != ERROR_INTERRUPTED) {
        ui_fail(p->ui, e);
    }
}

static void release(struct job *job)
{
    struct preview_job *j = (struct preview_job *)job;
    if (j->facts)
        j->ops->free(j->facts);
    free(j);
}

void preview_init(struct preview *p, const struct preview_ops *ops, struct ui *ui)
{
    *p = (struct preview){.ops = ops, .ui = ui};
    sheet_init(&p->sheet);
}

void preview_release(struct preview *p)
{
    if (p->ui->data->worker.store)
        worker_cancel_owner(&p->ui->data->worker, p);
    take(p, NULL, (struct preview_key){0});
    sheet_release(&p->sheet);
}

/* What is under way about the same is waited for, or an answer would never come while others write. */
void preview_follow(struct preview *p, struct preview_key key)
{
    struct worker *worker = &p->ui->data->worker;
    bool same = same_key(p->key, key);
    if (same && (!p->stale || worker_has(worker, p, SLOT_PREVIEW)))
        return;
    p->top = same ? p->top : 0;
    p->key = key;
    p->stale = false;
    p->error.code = ERROR_NONE;
    if (key.id == 0) {
        worker_cancel(worker, p, SLOT_PREVIEW);
        return;
    }
    struct preview_job *j = xcalloc(1, sizeof(*j));
    j->preview = p;
    j->ops = p->ops;
    j->key = key;
    j->job_ops = (struct job_ops){
        .name = p->ops->job, .run = run, .done = done, .release = release, .quiet = true};
    worker_submit(worker, &j->job, &j->job_ops, p, SLOT_PREVIEW);
}

void preview_forget(struct preview *p)
{
    worker_cancel(&p->ui->data->worker, p, SLOT_PREVIEW);
    take(p, NULL, (struct preview_key){0});
    p->key.id = 0;
}

bool preview_is_known(const struct preview *p)
{
    return p->facts && same_key(p->known, p->key);
}

void preview_draw(struct preview *p, const struct pane *pane, int lines)
{
    struct ui *ui = p->ui;
    if (p->width != pane->width || p->lines != lines || p->times != ages_shown(ui)) {
        struct facts_look look = ages_look(ui);
        look.width = pane->width;
        look.text_lines = lines;
        sheet_clear(&p->sheet, pane->width);
        p->ops->lay(p, &look);
        p->width = pane->width;
        p->lines = lines;
        p->times = ages_shown(ui);
    }
    p->top = sheet_draw(&p->sheet, pane, p->top);
    if (ui->preview_focus) {
        ui->screen.cursor_y = pane->y + (pane->height > 1);
        ui->screen.cursor_x = pane->x;
    }
}

void preview_scroll(struct preview *p, long lines)
{
    p->top = sheet_scrolled(&p->sheet, p->top, lines);
}
