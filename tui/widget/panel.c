#include "tui/widget/panel.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "tui/render/facts.h"
#include "tui/widget/page_view.h"
#include "tui/widget/ui.h"

#define SLOT_PAGE 0

struct panel_job {
    struct job job;
    struct job_ops job_ops;
    struct panel *panel;
    const struct panel_ops *ops; /* the page may be released while the job runs */
    struct panel_key key;
    void *facts;
};

static bool same_key(struct panel_key a, struct panel_key b)
{
    return a.id == b.id && a.other == b.other && a.how == b.how;
}

static const void *owner_of(const struct panel *p)
{
    return p->view ? (const void *)p->view : p;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct panel_job *j = (struct panel_job *)job;
    j->facts = j->ops->read(&j->key, r, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void put_facts(struct panel *p, void *facts, struct panel_key key)
{
    if (p->facts && p->ops->free)
        p->ops->free(p->facts);
    key.more = NULL;
    p->facts = facts;
    p->known = key;
    p->width = 0;
}

static void done(struct job *job, const struct error *e)
{
    struct panel_job *j = (struct panel_job *)job;
    struct panel *p = j->panel;
    if (p->view)
        throttle_read_done(&p->view->throttle, job->begun);
    if (j->ops->back)
        j->ops->back(p, j->key.more);
    p->error = *e;
    if (e->code && !j->ops->shows_error && (p->view || e->code != ERROR_INTERRUPTED))
        ui_error(p->ui, e);
    if (e->code)
        return;
    put_facts(p, j->facts, j->key);
    j->facts = NULL;
    if (j->ops->taken)
        j->ops->taken(p);
}

static void release(struct job *job)
{
    struct panel_job *j = (struct panel_job *)job;
    if (j->facts)
        j->ops->free(j->facts);
    if (j->ops->drop)
        j->ops->drop(j->key.more);
    free(j->key.more);
    free(j);
}

void panel_init(struct panel *p, const struct panel_ops *ops, struct ui *ui)
{
    *p = (struct panel){.ops = ops, .ui = ui};
    page_init(&p->page);
}

void panel_release(struct panel *p)
{
    if (p->ui->data->worker.store)
        worker_cancel_owner(&p->ui->data->worker, owner_of(p));
    if (p->ui->previewed == p)
        p->ui->previewed = NULL;
    put_facts(p, NULL, (struct panel_key){0});
    page_release(&p->page);
}

void panel_load(struct panel *p)
{
    struct panel_job *j = xcalloc(1, sizeof(*j));
    j->panel = p;
    j->ops = p->ops;
    j->key = p->key;
    j->key.more = p->ops->more ? xcalloc(1, p->ops->more) : NULL;
    if (p->ops->ask)
        p->ops->ask(p, j->key.more);
    j->job_ops = (struct job_ops){
        .name = p->ops->job, .run = run, .done = done, .release = release, .quiet = !p->view};
    worker_submit(&p->ui->data->worker, &j->job, &j->job_ops, owner_of(p), SLOT_PAGE);
}

/* A running read of the same subject is not restarted. Otherwise it would never finish while others write. */
void panel_set_subject(struct panel *p, struct panel_key key)
{
    struct worker *worker = &p->ui->data->worker;
    bool same = same_key(p->key, key);
    if (same && (!p->stale || worker_has(worker, p, SLOT_PAGE)))
        return;
    p->top = same ? p->top : 0;
    p->key = key;
    p->stale = false;
    p->error.code = ERROR_NONE;
    if (key.id == 0)
        worker_cancel(worker, p, SLOT_PAGE);
    else
        panel_load(p);
}

void panel_forget(struct panel *p)
{
    worker_cancel(&p->ui->data->worker, owner_of(p), SLOT_PAGE);
    put_facts(p, NULL, (struct panel_key){0});
    p->key.id = 0;
}

bool panel_is_known(const struct panel *p)
{
    return p->facts && same_key(p->known, p->key);
}

bool panel_is_laid_out(const struct panel *p, int width, int lines)
{
    return p->width == width && p->lines == lines && p->times == ages_shown(p->ui);
}

void panel_lay_out(struct panel *p, int width, int lines)
{
    struct page_options options = ages_options(p->ui);
    options.width = width;
    options.text_lines = lines;
    page_clear(&p->page, width);
    p->ops->lay(p, &options);
    p->width = width;
    p->lines = lines;
    p->times = ages_shown(p->ui);
}

void panel_draw(struct panel *p, const struct pane *pane, int lines, const char *title,
                const char *state)
{
    struct ui *ui = p->ui;
    if (!panel_is_laid_out(p, pane->width, lines))
        panel_lay_out(p, pane->width, lines);
    p->top = page_draw(&p->page, pane, p->top, title, state);
    ui->previewed = p;
    if (ui->preview_focus) {
        ui->screen.cursor_y = pane->y + (pane->height > 1);
        ui->screen.cursor_x = pane->x;
    }
}

void panel_scroll(struct ui *ui, long lines)
{
    struct panel *p = ui->previewed;
    if (p)
        p->top = page_scrolled(&p->page, p->top, lines);
}
