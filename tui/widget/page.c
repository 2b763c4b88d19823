#include "tui/widget/page.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "tui/render/facts.h"
#include "tui/widget/sheet_view.h"
#include "tui/widget/ui.h"

#define SLOT_PAGE 0

struct page_job {
    struct job job;
    struct job_ops job_ops;
    struct page *page;
    const struct page_ops *ops; /* the page may be released while the job runs */
    struct page_key key;
    void *facts;
};

static bool same_key(struct page_key a, struct page_key b)
{
    return a.id == b.id && a.other == b.other && a.how == b.how;
}

static const void *owner_of(const struct page *p)
{
    return p->view ? (const void *)p->view : p;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct page_job *j = (struct page_job *)job;
    j->facts = j->ops->read(&j->key, r, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void put_facts(struct page *p, void *facts, struct page_key key)
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
    struct page_job *j = (struct page_job *)job;
    struct page *p = j->page;
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
    struct page_job *j = (struct page_job *)job;
    if (j->facts)
        j->ops->free(j->facts);
    if (j->ops->drop)
        j->ops->drop(j->key.more);
    free(j->key.more);
    free(j);
}

void page_init(struct page *p, const struct page_ops *ops, struct ui *ui)
{
    *p = (struct page){.ops = ops, .ui = ui};
    sheet_init(&p->sheet);
}

void page_release(struct page *p)
{
    if (p->ui->data->worker.store)
        worker_cancel_owner(&p->ui->data->worker, owner_of(p));
    if (p->ui->previewed == p)
        p->ui->previewed = NULL;
    put_facts(p, NULL, (struct page_key){0});
    sheet_release(&p->sheet);
}

void page_load(struct page *p)
{
    struct page_job *j = xcalloc(1, sizeof(*j));
    j->page = p;
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
void page_set_subject(struct page *p, struct page_key key)
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
        page_load(p);
}

void page_forget(struct page *p)
{
    worker_cancel(&p->ui->data->worker, owner_of(p), SLOT_PAGE);
    put_facts(p, NULL, (struct page_key){0});
    p->key.id = 0;
}

bool page_is_known(const struct page *p)
{
    return p->facts && same_key(p->known, p->key);
}

bool page_is_laid_out(const struct page *p, int width, int lines)
{
    return p->width == width && p->lines == lines && p->times == ages_shown(p->ui);
}

void page_lay_out(struct page *p, int width, int lines)
{
    struct facts_look look = ages_look(p->ui);
    look.width = width;
    look.text_lines = lines;
    sheet_clear(&p->sheet, width);
    p->ops->lay(p, &look);
    p->width = width;
    p->lines = lines;
    p->times = ages_shown(p->ui);
}

void page_draw(struct page *p, const struct pane *pane, int lines)
{
    struct ui *ui = p->ui;
    if (!page_is_laid_out(p, pane->width, lines))
        page_lay_out(p, pane->width, lines);
    p->top = sheet_draw(&p->sheet, pane, p->top);
    ui->previewed = p;
    if (ui->preview_focus) {
        ui->screen.cursor_y = pane->y + (pane->height > 1);
        ui->screen.cursor_x = pane->x;
    }
}

void page_scroll(struct ui *ui, long lines)
{
    struct page *p = ui->previewed;
    if (p)
        p->top = sheet_scrolled(&p->sheet, p->top, lines);
}
