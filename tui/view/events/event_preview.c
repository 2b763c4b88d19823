#include "tui/view/events/event_facts.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/facts_sheet.h"
#include "tui/explorer/rules.h"
#include "tui/widget/sheet_view.h"

#define SLOT_EVENT 0

struct event_job {
    struct job job;
    struct event_preview *preview;
    int64_t id;
    bool call, masked;
    struct event_facts *facts;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct event_job *j = (struct event_job *)job;
    j->facts = event_facts_read(r, j->id, j->call, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void done(struct job *job, const struct error *e)
{
    struct event_job *j = (struct event_job *)job;
    struct event_preview *p = j->preview;
    p->error = *e;
    if (e->code || j->masked != rules_mask_is_on(p->app))
        return;
    event_facts_free(p->facts);
    p->facts = j->facts;
    j->facts = NULL;
    p->width = 0;
}

static void release(struct job *job)
{
    event_facts_free(((struct event_job *)job)->facts);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "reading an event", .run = run, .done = done, .release = release, .quiet = true};

void event_preview_open(struct event_preview *p, struct app *x)
{
    *p = (struct event_preview){.app = x};
    sheet_init(&p->sheet);
}

void event_preview_release(struct event_preview *p)
{
    worker_cancel_owner(&p->app->data.worker, p);
    event_facts_free(p->facts);
    sheet_release(&p->sheet);
}

void event_preview_changed(struct event_preview *p)
{
    p->stale = true;
}

void event_preview_scroll(struct event_preview *p, long lines)
{
    p->top = sheet_scrolled(&p->sheet, p->top, lines);
}

/* What is under way about it is waited for, or an answer would never come while others write. */
static void follow(struct event_preview *p, const struct happening *h)
{
    bool call = h->sort != HAPPENED_WRITE, masked = rules_mask_is_on(p->app);
    bool other = h->id != p->id || call != p->call || masked != p->masked;
    if (masked != p->masked) { /* what was read shows what is hidden by now, or hides it */
        event_facts_free(p->facts);
        p->facts = NULL;
    }
    if (!other && (!p->stale || worker_has(&p->app->data.worker, p, SLOT_EVENT)))
        return;
    if (other)
        p->top = 0;
    p->id = h->id;
    p->call = call;
    p->masked = masked;
    p->stale = false;
    p->error.code = ERROR_NONE;
    struct event_job *j = xcalloc(1, sizeof(*j));
    j->preview = p;
    j->id = h->id;
    j->call = call;
    j->masked = masked;
    worker_submit(&p->app->data.worker, &j->job, &job_ops, p, SLOT_EVENT);
}

static void lay_out(struct event_preview *p, int width, const struct happening *h)
{
    struct app *x = p->app;
    if (p->width == width && p->exact_times == x->prefs.exact_times)
        return;
    event_sheet(x, &p->sheet, width, p->facts, h);
    p->width = width;
    p->exact_times = x->prefs.exact_times;
}

static void draw_sheet(struct event_preview *p, const struct pane *pane)
{
    struct app *x = p->app;
    p->top = sheet_draw(&p->sheet, pane, p->top);
    if (x->ui.preview_focus) {
        x->ui.screen.cursor_y = pane->y + (pane->height > 1);
        x->ui.screen.cursor_x = pane->x;
    }
}

void event_preview_draw(struct event_preview *p, const struct pane *pane, const struct happening *h)
{
    struct facts_look look = {.exact_times = true};
    struct strbuf title = STRBUF_INIT;
    char when[40];
    if (pane->height < 1 || pane->width < 1)
        return;
    if (!h) {
        paint_rule(pane, 0, "", "");
        return;
    }
    follow(p, h);
    event_title(p->app, h, &title);
    facts_when(when, sizeof(when), h->at, &look);
    paint_rule(pane, 0, title.buf, when);
    strbuf_release(&title);
    if (p->facts && p->facts->id == p->id && p->facts->call == p->call) {
        lay_out(p, pane->width, h);
        draw_sheet(p, pane);
    } else if (p->error.code) {
        paint_text(pane, 1, 1, pane->width - 2, STYLE_ERROR, p->error.what);
    }
}
