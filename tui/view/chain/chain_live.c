/* A chain is read, and read again as others write it: the cursor stays on its step and its document. */
#include "tui/view/chain/chain_view.h"

#include <math.h>
#include <stdlib.h>
#include "model/base/alloc.h"

/* ---- reading ---- */

struct reading_job {
    struct job job;
    struct chain_view *view;
    int64_t node, moment;
    struct chain_reading *reading;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct reading_job *j = (struct reading_job *)job;
    j->reading = chain_reading_make(r, j->node, e);
    return j->reading ? JOB_DONE : JOB_FAILED;
}

static void done(struct job *job, const struct error *e)
{
    struct reading_job *j = (struct reading_job *)job;
    struct chain_view *c = j->view;
    if (e->code != ERROR_NONE) {
        snprintf(c->failed, sizeof(c->failed), "%s", e->what);
        app_fail(c->view.app, e);
        return;
    }
    c->moment = j->moment;
    chain_view_take(c, j->reading);
    j->reading = NULL;
    if (c->load_again)
        chain_view_load(c);
    c->load_again = false;
}

static void release(struct job *job)
{
    chain_reading_drop(((struct reading_job *)job)->reading);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "reading the chain", .run = run, .done = done, .release = release};

void chain_view_load(struct chain_view *c)
{
    struct app *x = c->view.app;
    struct reading_job *j = xcalloc(1, sizeof(*j));
    j->view = c;
    j->node = c->node;
    j->moment = x->asof.moment.seq;
    worker_submit(&x->data.worker, &j->job, &job_ops, c, SLOT_CHAIN);
}

/* ---- taking over ---- */

/* What the cursor is on, and how far from the edge, so that it is found again in another reading. */
struct anchor {
    int64_t step, document; /* rows; 0: a heading, or none */
    bool heads_row, heads_column;
    size_t from_top, from_left;
};

static struct anchor anchor_of(const struct chain_view *c)
{
    size_t step = chain_view_step(c), document = chain_view_document(c);
    struct anchor a = {.heads_row = c->row == CHAIN_HEADING,
                       .heads_column = c->column == CHAIN_HEADING};
    if (step != SIZE_MAX) {
        a.step = chain_shown(c)->step[step].node;
        a.from_top = c->row > c->top ? c->row - c->top : 0;
    }
    if (document != SIZE_MAX) {
        a.document = chain_shown(c)->document[document].node;
        a.from_left = c->column > c->left ? c->column - c->left : 0;
    }
    return a;
}

static size_t place_of(const size_t *place, size_t number)
{
    return number == SIZE_MAX ? 0 : place[number];
}

static void return_to(struct chain_view *c, const struct anchor *a)
{
    const struct matrix *m = &c->reading->matrix;
    size_t step = a->step ? chain_step_of(m->chain, a->step) : SIZE_MAX;
    size_t document = a->document ? chain_document_of(m->chain, a->document) : SIZE_MAX;
    c->row =
        m->chain->step_count == 0 || a->heads_row ? CHAIN_HEADING : place_of(m->step_place, step);
    c->column = m->chain->document_count == 0 || a->heads_column ? CHAIN_HEADING
                                                                 : place_of(m->doc_place, document);
    if (c->row != CHAIN_HEADING)
        c->top = c->row > a->from_top ? c->row - a->from_top : 0;
    if (c->column != CHAIN_HEADING)
        c->left = c->column > a->from_left ? c->column - a->from_left : 0;
}

static void order(struct chain_view *c)
{
    const struct chain_orders *o = &c->orders;
    if (matrix_order(&c->reading->matrix, o->steps, o->steps_reversed, o->documents,
                     o->documents_reversed))
        app_say(c->view.app, "there is no memory left for that order");
}

void chain_view_reorder(struct chain_view *c)
{
    struct anchor a = anchor_of(c);
    order(c);
    return_to(c, &a);
    chain_view_settle(c);
    chain_view_reveal(c);
    view_search_again(&c->view);
}

/* How many of the steps were not there before. Most stand where they stood. */
static size_t count_landed(const struct chain *before, const struct chain *now)
{
    size_t landed = 0;
    for (size_t i = 0; i < now->step_count; i++) {
        bool stands = i < before->step_count && before->step[i].node == now->step[i].node;
        landed += !stands && chain_step_of(before, now->step[i].node) == SIZE_MAX;
    }
    return landed;
}

/* The best of what the step used, by number; SIZE_MAX: it used nothing. */
static size_t best_of(const struct matrix *m, size_t step)
{
    const struct chain_source *source = m->chain->step[step].source;
    const struct matrix_cell *best = NULL;
    for (size_t i = m->begin[step]; i < m->begin[step + 1]; i++) {
        const struct matrix_cell *cell = &m->cell[i];
        double now = source[cell->source].source.relevance;
        double before = best ? source[best->source].source.relevance : NAN;
        if (!best || now > before || (before != before && now == now))
            best = cell;
    }
    return best ? best->document : SIZE_MAX;
}

static void go_to_last(struct chain_view *c)
{
    const struct matrix *m = &c->reading->matrix;
    size_t last = m->chain->step_count - 1, best = best_of(m, last);
    c->row = m->step_place[last];
    if (best != SIZE_MAX)
        c->column = m->doc_place[best];
    c->landed = 0;
}

/* The first time: on the step that was asked for, else on the first use of all. */
static void arrive(struct chain_view *c)
{
    const struct matrix *m = &c->reading->matrix;
    size_t step = chain_step_of(m->chain, c->wanted);
    size_t document = chain_document_of(m->chain, c->wanted_source);
    c->node = m->chain->node;
    c->row = m->chain->step_count == 0 ? CHAIN_HEADING : place_of(m->step_place, step);
    c->column = m->chain->document_count == 0 ? CHAIN_HEADING : place_of(m->doc_place, document);
    c->landed = 0;
    c->arrived = step == SIZE_MAX && document == SIZE_MAX;
    size_t row = chain_view_step(c);
    if (document == SIZE_MAX && row != SIZE_MAX && m->begin[row] < m->begin[row + 1])
        c->column = m->doc_place[m->cell[m->begin[row]].document];
    c->wanted = c->wanted_source = 0;
}

void chain_view_take(struct chain_view *c, struct chain_reading *reading)
{
    struct chain_reading *before = c->reading;
    struct anchor a = {0};
    if (before)
        a = anchor_of(c);
    c->reading = reading;
    c->failed[0] = '\0';
    c->cell_look.width = 0;
    order(c);
    if (before) {
        size_t landed = count_landed(&before->chain, &reading->chain);
        return_to(c, &a);
        c->landed += landed;
        if (landed && c->view.app->remote.follows == &c->view)
            go_to_last(c);
        else if (before->chain.step_count == 0 && landed)
            arrive(c);
    } else {
        arrive(c);
    }
    chain_reading_drop(before);
    chain_view_settle(c);
    chain_view_reveal(c);
    view_search_again(&c->view);
}

/* ---- news ---- */

static void load_anew(struct chain_view *c)
{
    c->load_again = worker_has(&c->view.app->data.worker, &c->view, SLOT_CHAIN);
    if (!c->load_again)
        chain_view_load(c);
}

void chain_view_news(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct chain_view *c = chain_of(v);
    /* What else the documents are used for may have changed, whoever wrote. */
    c->facts_stale = true;
    if (whole || !c->reading || chain_concerned(chain_shown(c), v->app->data.reader, events, count))
        load_anew(c);
}

static bool state_is_another(struct chain_view *c)
{
    struct arena arena = ARENA_INIT;
    struct chain_brief brief;
    struct error e;
    bool read = !chain_brief_read(c->view.app->data.reader, &arena, c->node, &brief, &e);
    arena_release(&arena);
    return read && brief.state != chain_shown(c)->state;
}

/* Who wrote it may have left, and then it runs no more: no event says so. They may have gone before it was looked who is
 * there. */
void chain_view_stirred(struct view *v)
{
    struct chain_view *c = chain_of(v);
    uint64_t now = v->app->live.came_and_went;
    bool may_be_another = c->reading && chain_shown(c)->state != CHAIN_FINISHED;
    if (may_be_another && (now != c->came_and_went || state_is_another(c)))
        load_anew(c);
    c->came_and_went = now;
}

/* ---- what is known of the document under the cursor ---- */

struct facts_job {
    struct job job;
    struct chain_view *view;
    int64_t document, chain;
    size_t own;
    struct cell_facts *facts;
};

static enum job_result run_facts(struct job *job, struct reader *r, struct error *e)
{
    struct facts_job *j = (struct facts_job *)job;
    j->facts = cell_facts_read(r, j->document, j->chain, j->own, e);
    return j->facts ? JOB_DONE : JOB_FAILED;
}

static void done_facts(struct job *job, const struct error *e)
{
    struct facts_job *j = (struct facts_job *)job;
    if (e->code != ERROR_NONE) {
        if (e->code != ERROR_INTERRUPTED)
            app_fail(j->view->view.app, e);
        return;
    }
    cell_facts_free(j->view->facts);
    j->view->facts = j->facts;
    j->facts = NULL;
    j->view->cell_look.width = 0;
}

static void release_facts(struct job *job)
{
    cell_facts_free(((struct facts_job *)job)->facts);
    free(job);
}

static const struct job_ops facts_ops = {.name = "who else used the document",
                                         .run = run_facts,
                                         .done = done_facts,
                                         .release = release_facts,
                                         .quiet = true};

void chain_view_want_facts(struct chain_view *c)
{
    struct app *x = c->view.app;
    size_t at = chain_view_document(c);
    int64_t document = at == SIZE_MAX ? 0 : chain_shown(c)->document[at].node;
    bool asked = document == c->asked;
    if (asked && (!c->facts_stale || worker_has(&x->data.worker, c, SLOT_CELL)))
        return;
    c->asked = document;
    c->facts_stale = false;
    if (document == 0) {
        worker_cancel(&x->data.worker, c, SLOT_CELL);
        return;
    }
    struct facts_job *j = xcalloc(1, sizeof(*j));
    j->view = c;
    j->document = document;
    j->chain = c->node;
    for (size_t i = 0; i < chain_shown(c)->step_count; i++) {
        const struct matrix_cell *cell = matrix_at(&c->reading->matrix, i, at);
        j->own += cell ? cell->uses : 0;
    }
    worker_submit(&x->data.worker, &j->job, &facts_ops, c, SLOT_CELL);
}
