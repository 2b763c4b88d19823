/* Messages about pending operations in the status line. */
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/import/import.h"
#include "store/journal/journal.h"
#include "tui/explorer/app.h"

void pending_add_title(const struct pending *p, struct strbuf *out)
{
    bool gives = p->session && p->verdict != SESSION_ENDS;
    strbuf_addstr(out, p->name);
    if (p->about && *p->about)
        strbuf_addf(out, " %s %s", gives ? "for" : "of", p->about);
}

/* " · u undoes it" */
static void add_way_back(struct app *x, const char *action, struct strbuf *out)
{
    strbuf_addf(out, " %s ", glyph_text(&x->ui.screen, GLYPH_DOT));
    x->above->add_key(x, action, out);
    strbuf_addstr(out, strcmp(action, "undo") == 0 ? " undoes it" : " redoes it");
}

static void add_ref(struct app *x, int64_t node, struct ref ref, struct strbuf *out)
{
    const struct memory_row *row = node > 0 ? details_row(x, node) : NULL;
    if (row)
        details_ref(x, row, out);
    else
        strbuf_addf(out, "%s:%.8s", kind_name(ref.kind), ref.id);
}

/* The first event of a chain of undo and redo. */
static int64_t first_of_chain(struct data *data, struct arena *arena, int64_t seq,
                              const char **operation)
{
    struct event *events;
    struct error e;
    size_t count;
    for (int steps = 0; seq > 0 && steps < 1000; steps++) {
        if (journal_read(data->reader, arena, seq - 1, 1, &events, &count, &e) || count == 0)
            break;
        *operation = display_name(events->operation);
        if (events->undoes == 0)
            return seq;
        seq = events->undoes;
    }
    return seq;
}

/* "forget of belief:54c5507f". An event with consequences is described by the memory that the person chose, which is
 * the first. */
static void add_taken_back(struct app *x, const struct plan *p, struct strbuf *out)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *names[2] = {"", ""};
    const struct planned *ends[2] = {&p->change[0], &p->change[p->count - 1]};
    int64_t first = first_of_chain(&x->data, &arena, ends[0]->undoes, &names[0]);
    int64_t last = first_of_chain(&x->data, &arena, ends[1]->undoes, &names[1]);
    const struct planned *c = ends[last < first];
    const struct memory *m = c->before ? c->before : c->after;
    strbuf_addf(out, "%s of ", names[last < first]);
    add_ref(x, m->node, m->ref, out);
}

static void add_undone(struct app *x, const struct pending *p, struct strbuf *out)
{
    bool redo = p->op == OPERATION_REDO;
    const struct plan *plan = &p->plan;
    strbuf_addstr(out, redo ? "redid: " : "undid: ");
    add_taken_back(x, plan, out);
    if (plan->count > 1)
        strbuf_addf(out, " and %zu more", plan->count - 1);
    add_way_back(x, redo ? "undo" : "redo", out);
    if (plan->remark_count)
        strbuf_addf(out, "; %s", plan->remarks[0]);
}

/* Finds the first memory that an operation made and the first that it changed. *made counts the former. */
static void find_made(const struct plan *p, const struct memory **new_one,
                      const struct memory **old_one, size_t *made)
{
    *new_one = *old_one = NULL;
    *made = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct planned *c = &p->change[i];
        *made += !c->before;
        if (!c->before && !*new_one)
            *new_one = c->after;
        else if (c->before && !*old_one)
            *old_one = c->before;
    }
}

/* "raw:19ea6cb7 became note:1a2b3c4d". Returns false unless it made exactly one. */
static bool add_made(struct app *x, const struct pending *p, struct strbuf *out)
{
    const struct memory *made, *from;
    size_t count;
    find_made(&p->plan, &made, &from, &count);
    if (count > 1)
        strbuf_addf(out, "%zu %s", count, op_spec(p->op)->done);
    if (count != 1)
        return count > 1;
    const struct memory *first = p->op == OPERATION_PROMOTE && from ? from : made;
    add_ref(x, first->node, first->ref, out);
    if (p->op == OPERATION_PROMOTE && from) {
        strbuf_addstr(out, " became ");
        add_ref(x, made->node, made->ref, out);
    } else if (from) {
        strbuf_addstr(out, " replaced ");
        add_ref(x, from->node, from->ref, out);
    } else {
        strbuf_addf(out, " %s", op_spec(p->op)->done);
    }
    return true;
}

/* " retracted", " flagged poisoned"; the flag "reviewed" is the word itself. */
static void add_done(const struct pending *p, struct strbuf *out)
{
    bool flag = p->op == OPERATION_FLAG && p->q.flag;
    if (!flag || strcmp(p->q.flag, "reviewed"))
        strbuf_addf(out, " %s", op_spec(p->op)->done);
    if (flag)
        strbuf_addf(out, " %s", p->q.flag);
}

/* ", 2 sent to review", ", 2 more changed with it". */
static void add_followers(const struct plan *plan, size_t named, struct strbuf *out)
{
    size_t flagged = 0;
    for (size_t i = named; i < plan->count; i++)
        flagged += same_text(plan->change[i].operation, "mark");
    if (flagged == plan->count - named)
        strbuf_addf(out, ", %zu sent to review", flagged);
    else
        strbuf_addf(out, ", %zu more changed with %s", plan->count - named,
                    named == 1 ? "it" : "them");
}

/* "belief:54c5507f retracted", "3 forgotten, 2 sent to review". */
static void add_named(struct app *x, const struct pending *p, struct strbuf *out)
{
    const struct plan *plan = &p->plan;
    size_t named = plan->named && plan->named <= plan->count ? plan->named : plan->count;
    const struct memory *m = plan->change[0].after ? plan->change[0].after : plan->change[0].before;
    if (named == 1)
        add_ref(x, m->node, m->ref, out);
    else
        strbuf_addf(out, "%zu", named);
    add_done(p, out);
    if (plan->count > named)
        add_followers(plan, named, out);
}

/* " · :apply writes it to .claude": the source of a working copy stays as it is until then. */
static void add_apply(struct app *x, enum operation op, struct strbuf *out)
{
    bool corrects = op == OPERATION_EDIT || op == OPERATION_RETRACT || op == OPERATION_FORGET ||
                    op == OPERATION_REPLACE;
    const char *source = x->options->follow;
    if (!corrects || !source || !x->options->format->write_back)
        return;
    const char *slash = strrchr(source, '/');
    strbuf_addf(out, " %s :apply writes it to %s", glyph_text(&x->ui.screen, GLYPH_DOT),
                slash ? slash + 1 : source);
}

static void add_changed(struct app *x, const struct pending *p, struct strbuf *out)
{
    const struct plan *plan = &p->plan;
    if (p->message)
        strbuf_addstr(out, p->message);
    else if (!add_made(x, p, out))
        add_named(x, p, out);
    if (plan->unresolved_count)
        strbuf_addf(out, "; %s is not in this store yet", plan->unresolved[0]);
    if (plan->left_count)
        strbuf_addf(out, ", %zu unchanged (%s)", plan->left_count, plan->left[0]);
    if (plan->remark_count)
        strbuf_addf(out, "; %s", plan->remarks[0]);
    if (op_spec(p->op)->undoable)
        add_way_back(x, "undo", out);
    add_apply(x, p->op, out);
}

static void add_nothing(struct app *x, const struct pending *p, struct strbuf *out)
{
    (void)x;
    strbuf_addstr(out, "nothing was changed");
    if (p->plan.left_count)
        strbuf_addf(out, ": %s", p->plan.left[0]);
    if (p->plan.left_count > 1)
        strbuf_addf(out, ", and %zu more like it", p->plan.left_count - 1);
}

static void add_added(struct app *x, const struct pending *p, struct strbuf *out)
{
    add_ref(x, p->added.node, p->added.ref, out);
    strbuf_addstr(out, " added");
    if (p->added.unresolved_count)
        strbuf_addf(out, "; %s is not in this store yet", p->added.unresolved[0]);
    if (p->added.why)
        strbuf_addf(out, "; %s", p->added.why);
    add_way_back(x, "undo", out);
}

void pending_add_chip(struct app *x, struct strbuf *out)
{
    size_t waiting = x->pending.count[PENDING_COMMITTED],
           unsaved = x->pending.count[PENDING_UNSAVED];
    if (waiting)
        strbuf_addf(out, "saving%s", glyph_text(&x->ui.screen, GLYPH_ELLIPSIS));
    if (waiting && unsaved)
        strbuf_addf(out, " %s ", glyph_text(&x->ui.screen, GLYPH_DOT));
    if (unsaved)
        strbuf_addf(out, "%zu not saved (:unsaved)", unsaved);
}

void pending_report_done(const struct pending *p)
{
    struct app *x = p->app;
    AUTO_STRBUF text = STRBUF_INIT;
    bool back = p->op == OPERATION_UNDO || p->op == OPERATION_REDO;
    if (p->session)
        strbuf_addstr(&text, p->message);
    else if (p->op == OPERATION_COUNT)
        add_added(x, p, &text);
    else if (p->plan.count == 0)
        add_nothing(x, p, &text);
    else if (back)
        add_undone(x, p, &text);
    else
        add_changed(x, p, &text);
    ui_message(&x->ui, "%s", text.buf);
}

void pending_report_waiting(struct app *x)
{
    AUTO_STRBUF text = STRBUF_INIT;
    size_t waiting = 0;
    for (const struct pending *p = x->pending.first; p; p = p->next)
        if (p->state == PENDING_COMMITTED && !p->vacuums && waiting++ == 0)
            pending_add_title(p, &text);
    if (waiting == 0)
        return;
    if (waiting > 1)
        strbuf_addf(&text, " and %zu more", waiting - 1);
    strbuf_addf(&text, " wait%s for the store; ", waiting == 1 ? "s" : "");
    x->above->add_key(x, "cancel", &text);
    strbuf_addf(&text, " gives %s up", waiting == 1 ? "it" : "them");
    ui_message(&x->ui, "%s", text.buf);
}
