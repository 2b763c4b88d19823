#include "tui/explorer/preview.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/facts_sheet.h"
#include "tui/render/kind_brief.h"
#include "tui/widget/sheet_view.h"

#define SLOT_PREVIEW  0
#define PREVIEW_BOUND 20000 /* nodes around it that are walked for "carries" */

struct preview_job {
    struct job job;
    struct app *app;
    int64_t node;
    struct facts *facts;
    struct kind_brief *brief;
};

void preview_open(struct preview *p)
{
    *p = (struct preview){0};
    sheet_init(&p->sheet);
}

void preview_release(struct preview *p)
{
    facts_free(p->facts);
    kind_brief_free(p->brief);
    sheet_release(&p->sheet);
    preview_open(p);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct preview_job *j = (struct preview_job *)job;
    if (reader_begin(r, e))
        return JOB_FAILED;
    j->facts = facts_read(r, j->node, PREVIEW_BOUND, false, e);
    if (j->facts)
        j->brief = kind_brief_read(r, &j->facts->memory);
    reader_end(r);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void done(struct job *job, const struct error *e)
{
    struct preview_job *j = (struct preview_job *)job;
    struct preview *p = &j->app->preview;
    if (e->code != ERROR_NONE) {
        if (e->code != ERROR_INTERRUPTED)
            app_fail(j->app, e);
        return;
    }
    facts_free(p->facts);
    kind_brief_free(p->brief);
    p->facts = j->facts;
    p->brief = j->brief;
    j->facts = NULL;
    j->brief = NULL;
    p->sheet_width = 0;
}

static void release(struct job *job)
{
    facts_free(((struct preview_job *)job)->facts);
    kind_brief_free(((struct preview_job *)job)->brief);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "preview", .run = run, .done = done, .release = release, .quiet = true};

void preview_follow(struct app *x, int64_t node)
{
    struct preview *p = &x->preview;
    /* What is under way about it is waited for, or an answer would never come while others write. */
    if (node == p->node && (!p->stale || worker_has(&x->data.worker, p, SLOT_PREVIEW)))
        return;
    if (node != p->node)
        p->top = 0;
    p->node = node;
    p->stale = false;
    if (node == 0) {
        worker_cancel(&x->data.worker, p, SLOT_PREVIEW);
        return;
    }
    struct preview_job *j = xcalloc(1, sizeof(*j));
    j->app = x;
    j->node = node;
    worker_submit(&x->data.worker, &j->job, &job_ops, p, SLOT_PREVIEW);
}

void preview_forget(struct app *x)
{
    struct preview *p = &x->preview;
    worker_cancel(&x->data.worker, p, SLOT_PREVIEW);
    facts_free(p->facts);
    kind_brief_free(p->brief);
    p->facts = NULL;
    p->brief = NULL;
    p->node = 0;
    p->sheet_width = 0;
}

void preview_scroll(struct app *x, long lines)
{
    struct preview *p = &x->preview;
    p->top = sheet_scrolled(&p->sheet, p->top, lines);
}

static void lay_out(struct app *x, int width, int height)
{
    struct preview *p = &x->preview;
    if (p->sheet_width == width && p->sheet_lines == height && p->times == ages_shown(&x->ui))
        return;
    int lines = x->ui.preview_focus ? 0 : height / 2 < 3 ? 3 : height / 2;
    struct facts_look look = ages_look(&x->ui);
    look.width = width;
    look.text_lines = lines;
    if (p->brief)
        kind_brief_sheet(&p->sheet, p->facts, p->brief, &look);
    else
        facts_sheet_brief(&p->sheet, p->facts, &look);
    p->sheet_width = width;
    p->sheet_lines = height;
    p->times = ages_shown(&x->ui);
}

/* Until the facts are known: what the row has, so that a text never waits. */
static void draw_row(struct app *x, const struct pane *p, const struct memory_row *row)
{
    struct sheet sheet;
    struct strbuf ref = STRBUF_INIT;
    details_ref(x, row, &ref);
    paint_rule(p, 0, ref.buf, "");
    strbuf_release(&ref);
    sheet_init(&sheet);
    sheet_clear(&sheet, p->width);
    sheet_wrap(&sheet, 1, p->width - 2, STYLE_TEXT, row->text, (size_t)p->height, false);
    sheet_draw(&sheet, p, 0);
    sheet_release(&sheet);
}

static void draw_facts(struct app *x, const struct pane *p)
{
    struct preview *preview = &x->preview;
    struct strbuf ref = STRBUF_INIT, state = STRBUF_INIT;
    struct memory_row row = {.ref = preview->facts->memory.ref};
    facts_ref(&row, preview->facts->short_length, &ref);
    if (preview->brief)
        kind_brief_state(preview->brief, !x->ui.screen.utf8, &state);
    facts_state(preview->facts, !x->ui.screen.utf8, &state);
    paint_rule(p, 0, ref.buf, state.buf);
    strbuf_release(&ref);
    strbuf_release(&state);
    lay_out(x, p->width, p->height - 1);
    preview->top = sheet_draw(&preview->sheet, p, preview->top);
    if (x->ui.preview_focus) {
        x->ui.screen.cursor_y = p->y + (p->height > 1);
        x->ui.screen.cursor_x = p->x;
    }
}

void preview_draw(struct app *x, const struct pane *p)
{
    struct preview *preview = &x->preview;
    const struct memory_row *row = details_row(x, preview->node);
    if (p->height < 1 || p->width < 1)
        return;
    if (preview->facts && preview->facts->node == preview->node)
        draw_facts(x, p);
    else if (row)
        draw_row(x, p, row);
    else
        paint_rule(p, 0, "", "");
}
