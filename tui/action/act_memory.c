/* What a person does to memories: the operations as actions. */
#include "tui/action/actions.h"

#include "tui/explorer/app.h"
#include "tui/view/view_confirm.h"
#include "tui/view/view_versus.h"

/* ---- why not ---- */

const char *blocked_act(struct app *x)
{
    const char *why = acting_blocked(x);
    return why ? why : x->ui.marks.count > 0 ? NULL : blocked_no_memory(x);
}

const char *blocked_acting(struct app *x)
{
    return acting_blocked(x);
}

/* A key that would take back something else than what is shown. */
const char *blocked_back(struct app *x)
{
    const char *why = acting_blocked(x);
    return why ? why
           : x->nav.top->ops->place == IN_CONFIRM
               ? "first say what becomes of this: y does it, q leaves it"
               : NULL;
}

/* The row of the one memory that it is about; NULL where there are several, of which each says for itself. */
static const struct memory_row *subject_row(struct app *x)
{
    int64_t node = view_node(x->nav.top);
    if (x->ui.marks.count > 0)
        return NULL;
    return details_row(x, node > 0 ? node : view_about(x->nav.top));
}

static const char *already(struct app *x, bool so, const char *what)
{
    const char *why = blocked_act(x);
    return why ? why : so ? what : NULL;
}

const char *blocked_retract(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && !STATUS_LIVES(row->status), "it does not live any more");
}

const char *blocked_restore(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    if (row && row->status == STATUS_PURGED)
        return already(x, true, "it was purged: nothing of it is kept");
    return already(x, row && STATUS_LIVES(row->status), "it lives already");
}

const char *blocked_forget(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    if (row && row->is_protected)
        return already(x, true, "it is protected");
    return already(x, row && row->status >= STATUS_FORGOTTEN, "it is forgotten already");
}

const char *blocked_purge(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && row->status == STATUS_PURGED, "it is purged already");
}

const char *blocked_protect(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && row->is_protected, "it is protected already");
}

const char *blocked_unprotect(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && !row->is_protected, "it is not protected");
}

const char *blocked_living(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && !STATUS_LIVES(row->status), "it does not live any more");
}

const char *blocked_one(struct app *x)
{
    return already(x, x->ui.marks.count > 1, "this is for one at a time");
}

/* ---- doing it ---- */

/* The refs of a `:` line, else the marked ones, else the one here. */
static void run_on(struct app *x, enum operation op, const char *argument, unsigned how)
{
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    bool marked = false;
    if (*argument) {
        q.refs = acting_words(&arena, argument, &q.ref_count);
    } else {
        q.nodes = acting_subjects(x, &arena, &q.node_count, &marked);
    }
    if (!q.refs && !q.nodes)
        app_say(x, "there is no memory here");
    else
        acting_run(x, op, &q, how | (marked ? DEED_MARKED : 0));
    arena_release(&arena);
}

#define ACT_ON(name, op)                                                                           \
    void act_##name(struct app *x, const char *argument)                                           \
    {                                                                                              \
        run_on(x, op, argument, DEED_REASON);                                                      \
    }
ACT_ON(verify, OPERATION_VERIFY)
ACT_ON(protect, OPERATION_PROTECT)
ACT_ON(unprotect, OPERATION_UNPROTECT)
ACT_ON(retract, OPERATION_RETRACT)
ACT_ON(restore, OPERATION_RESTORE)
ACT_ON(forget, OPERATION_FORGET)
ACT_ON(purge, OPERATION_PURGE)
ACT_ON(propagate, OPERATION_PROPAGATE)

void act_fix_provenance(struct app *x, const char *argument)
{
    struct request q = REQUEST_INIT;
    (void)argument;
    acting_run(x, OPERATION_FIX_PROVENANCE, &q, DEED_REASON);
}

/* ---- agreeing ---- */

const char *blocked_confirm(struct app *x)
{
    return confirm_view_blocked(x->nav.top);
}

void act_confirm(struct app *x, const char *argument)
{
    (void)argument;
    confirm_view_agree(x->nav.top);
}

/* ---- choosing between two versions ---- */

const char *blocked_mine(struct app *x)
{
    return versus_view_blocked(x->nav.top, VERSUS_MINE);
}

const char *blocked_theirs(struct app *x)
{
    return versus_view_blocked(x->nav.top, VERSUS_THEIRS);
}

void act_mine(struct app *x, const char *argument)
{
    (void)argument;
    versus_view_choose(x->nav.top, VERSUS_MINE);
}

void act_theirs(struct app *x, const char *argument)
{
    (void)argument;
    versus_view_choose(x->nav.top, VERSUS_THEIRS);
}

void act_edit_again(struct app *x, const char *argument)
{
    (void)argument;
    versus_view_choose(x->nav.top, VERSUS_AGAIN);
}

/* ---- back and again ---- */

/* The person's last edit, or the event of that number. */
void act_undo(struct app *x, const char *argument)
{
    struct request q = REQUEST_INIT;
    char *end;
    int64_t seq = strtoll(argument, &end, 10);
    if (*argument && (*end || seq <= 0)) {
        app_say(x, "%s is no number of an event", argument);
        return;
    }
    q.seqs = &seq;
    q.seq_count = *argument != '\0';
    acting_run(x, OPERATION_UNDO, &q, 0);
}

void act_redo(struct app *x, const char *argument)
{
    struct request q = REQUEST_INIT;
    (void)argument;
    acting_run(x, OPERATION_REDO, &q, 0);
}
