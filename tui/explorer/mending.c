#include "tui/explorer/mending.h"

#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/text/text.h"

#define SLOT_MEND 0

struct mend_job {
    struct job job;
    struct mending *mending;
    struct mending found;
};

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void copy_orphan(struct arena *a, struct orphan *to, const struct orphan *from)
{
    *to = *from;
    to->field = arena_strdup(a, from->field);
    to->target = arena_strdup(a, from->target);
    to->ref.id = NULL;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct mending *g = &((struct mend_job *)job)->found;
    struct memory_row row;
    if (reader_begin(r, e))
        return JOB_FAILED;
    int failed = memory_row_read(r, &g->arena, g->orphan.node, &row, e);
    if (!failed) {
        g->orphan.ref = row.ref;
        failed = mend_find(r, &g->arena, &g->orphan, g->mend, &g->count, e);
    }
    reader_end(r);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct mend_job *j = (struct mend_job *)job;
    struct mending *g = j->mending;
    if (e->code) {
        if (e->code != ERROR_INTERRUPTED)
            app_fail(g->app, e);
        return;
    }
    arena_release(&g->arena);
    *g = j->found;
    g->known = true;
    j->found.arena = (struct arena)ARENA_INIT;
}

static void release_job(struct job *job)
{
    arena_release(&((struct mend_job *)job)->found.arena);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "what would mend it", .run = run, .done = done, .release = release_job, .quiet = true};

void mending_open(struct mending *g, struct app *x)
{
    *g = (struct mending){.app = x, .arena = ARENA_INIT};
}

void mending_release(struct mending *g)
{
    worker_cancel_owner(&g->app->data.worker, g);
    if (g->app->mending_menu.mending == g)
        g->app->mending_menu.mending = NULL;
    arena_release(&g->arena);
}

void mending_changed(struct mending *g)
{
    g->orphan.node = 0;
}

void mending_follow(struct mending *g, const struct orphan *orphan)
{
    bool same = g->orphan.node == orphan->node && g->orphan.problem == orphan->problem &&
                is_same(g->orphan.field, orphan->field) &&
                is_same(g->orphan.target, orphan->target);
    if (same)
        return;
    struct mend_job *j = xcalloc(1, sizeof(*j));
    g->known = false;
    arena_clear(&g->arena);
    j->mending = g;
    j->found = (struct mending){.app = g->app, .arena = ARENA_INIT};
    copy_orphan(&g->arena, &g->orphan, orphan);
    copy_orphan(&j->found.arena, &j->found.orphan, orphan);
    worker_submit(&g->app->data.worker, &j->job, &job_ops, g, SLOT_MEND);
}

void mending_draw(const struct mending *g, const struct pane *p)
{
    struct strbuf text = STRBUF_INIT;
    struct arena arena = ARENA_INIT;
    struct text_line *lines;
    if (!g->known)
        return;
    for (size_t i = 0; i < g->count; i++)
        strbuf_addf(&text, "%s%s, %s", i ? "; " : "mends: ", op_spec(g->mend[i].operation)->name,
                    g->mend[i].about);
    if (g->count == 0)
        strbuf_addstr(&text, mend_advice(g->orphan.problem));
    int width = p->width > 6 ? p->width - 4 : 2;
    size_t count = text_wrap(&arena, text.buf ? text.buf : "", text.len, (size_t)width,
                             (size_t)p->height, 0, &lines);
    for (size_t i = 0; i < count; i++)
        paint_text(p, (int)i, 3, width, STYLE_CHIP, lines[i].text);
    arena_release(&arena);
    strbuf_release(&text);
}

/* ---- what is still to be said ---- */

static void left_alone(struct app *x)
{
    deed_free(x->acting.asked);
    x->acting.asked = NULL;
    app_say(x, "left as it is");
}

static struct deed *take_asked(struct app *x)
{
    struct deed *d = x->acting.asked;
    x->acting.asked = NULL;
    return d;
}

static void evidence_given(struct app *x, const char *text)
{
    struct deed *d = take_asked(x);
    if (!d)
        return;
    d->q.evidence = acting_words(&d->arena, text, &d->q.evidence_count);
    acting_do(x, d);
}

/* False where it is none: it is asked for again, with what was typed. */
static bool read_time(struct app *x, const char *text, int64_t *ms)
{
    if (clock_parse_when(text, store_now(x->data.store), ms) == 0)
        return true;
    app_say(x, "\"%s\" is no time: give a date, ISO 8601, or \"2 days ago\"", text);
    return false;
}

/* Its own, or a member's: the one that is wrong stands as the name in `fields` until its value is said. */
static void time_given(struct app *x, const char *text)
{
    struct deed *d = take_asked(x);
    struct strbuf fields = STRBUF_INIT;
    int64_t ms;
    if (!d || !read_time(x, text, &ms)) {
        deed_free(d);
        return;
    }
    if (d->q.fields) {
        struct json_object o = json_begin(&fields, '{');
        json_pair_int(&o, d->q.fields, ms);
        json_end(&o);
        d->q.fields = arena_strndup(&d->arena, fields.buf, fields.len);
        strbuf_release(&fields);
    } else {
        d->q.created_at = ms;
    }
    acting_do(x, d);
}

static const struct prompt_ops asks_evidence = {
    .name = "evidence",
    .prefix = "what bears it out? ",
    .hint = "refs of memories, or an annotation such as context:…",
    .history = -1,
    .accepted = evidence_given,
    .abandoned = left_alone,
};

static const struct prompt_ops asks_time = {
    .name = "time",
    .prefix = "when was it? ",
    .hint = "a date, ISO 8601, or \"2 days ago\"",
    .history = -1,
    .accepted = time_given,
    .abandoned = left_alone,
};

/* ---- choosing ---- */

static void begin(struct app *x, const struct mending *g, const struct mend *one,
                  const int64_t *nodes, size_t count, bool marked)
{
    struct request q = one->request;
    if (count > 1 && !mend_together(one, nodes, count, &q)) {
        app_say(x,
                "each of them is mended in its own way: unmark them, and mend one after the other");
        return;
    }
    struct deed *d =
        deed_new(one->operation, &q, DEED_REASON | DEED_SHOWN | (marked ? DEED_MARKED : 0));
    acting_name(x, d);
    if (one->lack == MEND_LACKS_VALUE)
        d->q.fields =
            arena_strdup(&d->arena, g->orphan.field ? g->orphan.field : "retrieval_timestamp");
    if (one->lack == MEND_LACKS_NOTHING)
        acting_do(x, d);
    else
        acting_ask(x, d, one->lack == MEND_LACKS_EVIDENCE ? &asks_evidence : &asks_time, "");
}

static void mend_chosen(struct app *x, const struct popup_item *item)
{
    struct mending_menu *m = &x->mending_menu;
    struct mending *g = m->mending;
    if (g && g->known && (size_t)item->value < g->count)
        begin(x, g, &g->mend[item->value], m->nodes, m->count, m->marked);
}

void mending_offer(struct mending *g, const int64_t *nodes, size_t count, bool marked)
{
    struct app *x = g->app;
    struct mending_menu *m = &x->mending_menu;
    if (!g->known || g->count == 0) {
        app_say(x, "%s",
                g->known ? mend_advice(g->orphan.problem) : "what would mend it is not known yet");
        return;
    }
    int64_t *copy = xmalloc((count ? count : 1) * sizeof(*copy));
    memcpy(copy, nodes, count * sizeof(*copy));
    free(m->nodes);
    *m = (struct mending_menu){g, copy, count, marked};
    popup_open(&x->ui.popup, "what would mend it", mend_chosen);
    for (size_t i = 0; i < g->count; i++)
        popup_add(&x->ui.popup, (uint32_t)('1' + i), op_spec(g->mend[i].operation)->name,
                  g->mend[i].about)
            ->value = (int64_t)i;
}
