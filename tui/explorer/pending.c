/* Pending operations: asking, showing, committing and answering. */
#include "tui/explorer/pending.h"

#include <poll.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/db/thread.h"
#include "store/journal/journal.h"
#include "store/platform/platform.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/txn/checkpoint.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/explorer/shown_state.h"
#include "tui/explorer/rules.h"
#include "tui/term/signals.h"

struct pending *pending_new(struct app *x, enum operation op, unsigned how)
{
    struct pending *p = xcalloc(1, sizeof(*p));
    if (!x->pending.with_reason)
        how &= ~(unsigned)PENDING_REASON;
    else if (how & PENDING_REASON)
        x->pending.with_reason = false;
    if (x->pending.shows_first)
        how |= PENDING_SHOWN;
    *p = (struct pending){.app = x,
                          .arena = ARENA_INIT,
                          .answers = ARENA_INIT,
                          .shown_arena = ARENA_INIT,
                          .op = op,
                          .name = op == OPERATION_COUNT ? "add" : display_name(op_spec(op)->name),
                          .how = how,
                          .q = REQUEST_INIT};
    return p;
}

void pending_free(struct pending *p)
{
    if (!p)
        return;
    form_free(p->form);
    arena_release(&p->arena);
    arena_release(&p->answers);
    arena_release(&p->shown_arena);
    free(p);
}

/* ---- the list ---- */

static void put(struct pending *p, enum pending_state state)
{
    struct pending_list *list = &p->app->pending;
    struct pending **at = &list->first;
    while (*at)
        at = &(*at)->next;
    *at = p;
    p->next = NULL;
    p->state = state;
    list->count[state]++;
}

static struct pending *take_out(struct pending *p)
{
    struct pending_list *list = &p->app->pending;
    struct pending **at = &list->first;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    list->count[p->state]--;
    p->state = PENDING_HELD;
    return p;
}

static struct pending *newest_unsaved(const struct pending_list *pending)
{
    struct pending *newest = NULL;
    for (struct pending *p = pending->first; p; p = p->next)
        newest = p->state == PENDING_UNSAVED ? p : newest;
    return newest;
}

void pending_put_away(struct pending *p)
{
    if (p && p->how & PENDING_TYPED)
        put(p, PENDING_UNSAVED);
    else
        pending_free(p);
}

/* ---- subject ---- */

int64_t pending_subject(struct app *x)
{
    int64_t node = x->ui.selection.count == 1 ? selection_next(&x->ui.selection, 0) : 0;
    return node > 0 ? node : view_memory(x->nav.top);
}

const int64_t *pending_subjects(struct app *x, struct arena *arena, size_t *count, bool *selected)
{
    int64_t one = pending_subject(x),
            *all = arena_array(arena, x->ui.selection.count + 1, sizeof(*all));
    *selected = x->ui.selection.count > 0;
    *count = 0;
    for (int64_t n = selection_next(&x->ui.selection, 0); n > 0;
         n = selection_next(&x->ui.selection, n))
        all[(*count)++] = n;
    if (!*selected && one > 0)
        all[(*count)++] = one;
    return *count ? all : NULL;
}

const char **pending_words(struct arena *arena, const char *text, size_t *count)
{
    const char **words = arena_array(arena, strlen(text) / 2 + 1, sizeof(*words));
    *count = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t len = strcspn(text, " ");
        words[(*count)++] = arena_strndup(arena, text, len);
        text += len;
    }
    return words;
}

/* "4,601 selected memories" */
static void add_many(struct strbuf *out, size_t count, bool selected)
{
    char digits[32];
    int len = snprintf(digits, sizeof(digits), "%zu", count);
    for (int i = 0; i < len; i++)
        strbuf_addf(out, "%s%c", i > 0 && (len - i) % 3 == 0 ? "," : "", digits[i]);
    strbuf_addstr(out, selected ? " selected memories" : " memories");
}

/* Sets p->about to its subject. */
static void name(struct pending *p)
{
    AUTO_STRBUF about = STRBUF_INIT;
    size_t count = p->q.node_count + p->q.ref_count;
    p->node = p->q.node_count == 1 && p->q.ref_count == 0 ? p->q.nodes[0] : 0;
    const struct memory_row *row = p->node > 0 ? details_row(p->app, p->node) : NULL;
    if (row)
        details_ref(p->app, row, &about);
    else if (count == 1 && p->q.ref_count)
        strbuf_addstr(&about, p->q.refs[0]);
    else if (count > 0)
        add_many(&about, count, p->how & PENDING_SELECTED);
    p->about = arena_strdup(&p->arena, about.buf);
}

void pending_do_on(struct pending *p, const char *argument)
{
    bool selected = false, decides = p->app->nav.top->ops->has & HAS_INBOX;
    struct error e;
    if (*argument)
        p->q.refs = pending_words(&p->arena, argument, &p->q.ref_count);
    /* A wrong ref is reported before anything is asked. */
    for (size_t i = 0; i < p->q.ref_count; i++)
        if (ref_resolve(p->app->data.reader, p->q.refs[i], &e) <= 0) {
            ui_error(&p->app->ui, &e);
            pending_free(p);
            return;
        }
    if (!*argument)
        p->q.nodes = pending_subjects(p->app, &p->arena, &p->q.node_count, &selected);
    p->how |= selected ? PENDING_SELECTED : 0;
    if (decides && p->q.node_count + p->q.ref_count > 1)
        p->how |= PENDING_SHOWN;
    else if (decides && p->op == OPERATION_RETRACT)
        p->how |= PENDING_ALONE;
    if (p->q.refs || p->q.nodes) {
        pending_do(p);
    } else {
        ui_message(&p->app->ui, "there is no memory here");
        pending_free(p);
    }
}

/* ---- actor ---- */

struct actor pending_actor(const struct explorer_options *options)
{
    return (struct actor){.class = ACTOR_PERSON,
                          .name = options->person ? options->person : "someone",
                          .origin = "explorer"};
}

bool pending_is_own(const struct explorer_options *options, const struct event *event)
{
    struct actor own = pending_actor(options);
    bool person = event->class_name && !strcmp(event->class_name, "person");
    return person && same_text(event->actor, own.name) && same_text(event->origin, own.origin);
}

const char *pending_blocked(struct app *x)
{
    if (x->data.read_only)
        return "the store is open read-only";
    const char *why = asof_blocked(&x->asof) ? asof_blocked(&x->asof) : disbelieve_blocked(x);
    return why ? why : rules_mask_blocks(&x->data);
}

/* ---- the writer's thread ---- */

static int run(struct txn *t, void *arg, struct error *e)
{
    struct pending *p = arg;
    struct actor actor = pending_actor(p->app->options);
    arena_clear(&p->answers); /* it may be run again */
    p->differs = false;
    if (p->session)
        return session_decide(t, &actor, p->session, p->verdict, e);
    if (p->op == OPERATION_COUNT)
        return add_memory(t, &actor, &p->add, p->add_len, &p->answers, &p->added, e);
    if (operation_in(t, &actor, p->op, &p->q, &p->answers, &p->plan, e))
        return -1;
    if (p->how & PENDING_ALONE && !p->confirmed)
        p->differs = p->plan.count > 1 || p->plan.unsupported_count;
    else
        p->differs = p->confirmed && !plan_same(&p->shown, &p->plan);
    return p->differs
               ? error_set(e, ERROR_CONFLICT, "Look at it again.", "the store changed meanwhile")
               : 0;
}

/* The limit of operations with the writer. A pipe holds this many pointers (one page), so no answer is lost even if
 * the main thread is late. */
#define PENDING_MAX 500

/* After this write, the main thread owns it. */
static void done(void *arg, const struct error *e)
{
    struct pending *p = arg;
    (void)e;
    ssize_t n = write(p->app->pending.wake[1], &p, sizeof(p));
    (void)n;
}

/* ---- erasing after a purge ---- */

static int on_vacuum_progress(void *arg, enum vacuum_stage stage, int64_t so_far, int64_t total)
{
    struct pending *p = arg;
    (void)stage;
    (void)so_far;
    (void)total;
    return atomic_load(&p->until) == 0;
}

static void *vacuum_main(void *arg)
{
    struct pending *p = arg;
    p->error.code = ERROR_NONE;
    store_vacuum(p->app->data.store, on_vacuum_progress, p, &p->error);
    done(p, &p->error);
    return NULL;
}

static void hand_over(struct pending *p)
{
    atomic_store(&p->until, INT64_MAX);
    put(p, PENDING_COMMITTED);
}

/* Runs in its own thread: the time grows with the size of the store, and it may wait for readers. */
static void start_vacuum(struct pending *p)
{
    p->vacuums = true;
    hand_over(p);
    if (thread_start(&p->thread, "start_vacuum", vacuum_main, p)) {
        p->vacuums = false;
        error_set(&p->error, ERROR_STORE, "Purge it again to remove them.",
                  "it is erased, but its bytes may still be found in the store's files");
        done(p, &p->error);
    }
}

static void vacuumed(struct pending *p)
{
    if (p->error.code == ERROR_NONE) {
        ui_message(&p->app->ui, "%s purged: no byte of it is left in the store's files", p->about);
    } else {
        error_prefix(&p->error, "it is erased, but its bytes may still be found in the files");
        ui_error(&p->app->ui, &p->error);
    }
    pending_free(p);
}

/* ---- committing ---- */

/* The inbox shows at once what was decided. */
static void tell_inbox(struct pending *p, enum commit_state state)
{
    struct view *inbox = p->app->nav.root[ROOT_REVIEW];
    const struct plan *plan = &p->plan;
    if (!inbox || p->op == OPERATION_COUNT || p->op == OPERATION_UNFLAG)
        return;
    if (p->op != OPERATION_UNDO && p->op != OPERATION_REDO) {
        inbox->ops->decided(inbox, p->q.nodes, p->q.node_count, state);
    } else if (state == COMMIT_DONE) {
        int64_t *nodes = arena_array(&p->answers, plan->count + 1, sizeof(*nodes));
        for (size_t i = 0; i < plan->count; i++)
            nodes[i] = plan->change[i].before ? plan->change[i].before->node : 0;
        inbox->ops->decided(inbox, nodes, plan->count, COMMIT_UNDONE);
    }
}

void pending_commit(struct pending *p)
{
    struct app *x = p->app;
    p->error.code = ERROR_NONE;
    tell_inbox(p, COMMIT_BEGINS);
    p->job = (struct store_job){
        .run = run, .done = done, .arg = p, .error = &p->error, .until = &p->until};
    hand_over(p);
    if (store_submit_list(x->data.store, &p->job, &p->error))
        done(p, &p->error);
    else
        pending_report_waiting(x);
}

/* ---- asking ---- */

struct pending *pending_take_asked(struct pending_list *pending)
{
    struct pending *p = pending->asked;
    pending->asked = NULL;
    return p;
}

static void left_alone(struct app *x)
{
    ui_message(&x->ui, "cancelled");
    pending_put_away(pending_take_asked(&x->pending));
}

static void reason_given(struct app *x, const char *text)
{
    struct pending *p = pending_take_asked(&x->pending);
    p->q.reason = *text ? arena_strdup(&p->arena, text) : NULL;
    p->how &= ~(unsigned)PENDING_REASON;
    pending_do(p);
}

/* "verify belief:54c5507f: why? " */
static void ask_reason(struct app *x, struct strbuf *out)
{
    const struct pending *p = x->pending.asked;
    if (p->question)
        strbuf_addstr(out, p->question);
    else
        strbuf_addf(out, "%s%s%s", p->name, *p->about ? " " : "", p->about);
    if (!p->question && p->q.flag)
        strbuf_addf(out, " %s%s%s", p->q.flag, p->q.value ? " " : "", p->q.value ? p->q.value : "");
    strbuf_addstr(out, ": why? ");
}

#define REASON_PROMPT(hint_, verb)                                                                 \
    {                                                                                              \
        .prefix = "why? ", .asks = ask_reason, .hint = hint_, .enter = verb,                       \
        .history = HISTORY_REASON, .accepted = reason_given, .abandoned = left_alone               \
    }
static const struct prompt_ops reason_prompt = REASON_PROMPT("a reason (optional)", "do it"),
                               reason_then_preview = REASON_PROMPT(
                                   "a reason (optional) · Enter shows what would change",
                                   "preview");

static void word_given(struct app *x, const char *text)
{
    if (strcmp(text, "purge") != 0) {
        left_alone(x);
        return;
    }
    x->pending.asked->word_given = true;
    pending_do(pending_take_asked(&x->pending));
}

static const struct prompt_ops word_prompt = {
    .prefix = "it cannot be undone; type purge to erase it: ",
    .hint = "",
    .enter = "erase it",
    .history = -1,
    .accepted = word_given,
    .abandoned = left_alone,
};

void pending_ask(struct pending *p, const struct prompt_ops *ops)
{
    pending_put_away(pending_take_asked(&p->app->pending));
    p->app->pending.asked = p;
    prompt_open(&p->app->ui, ops, "");
}

/* Reports the error and keeps typed text. Asks what to do with it unless a modal is open. */
static void fail(struct pending *p, const struct error *e)
{
    struct app *x = p->app;
    struct error message = *e;
    AUTO_STRBUF title = STRBUF_INIT;
    pending_add_title(p, &title);
    error_prefix(&message, "%s not done", title.buf);
    bool typed = p->how & PENDING_TYPED;
    p->error = *e;
    pending_put_away(p);
    if (typed && !x->ui.modal)
        pending_ask_unsaved(x);
    else
        ui_error(&x->ui, &message);
}

void pending_do(struct pending *p)
{
    const struct op_spec *spec = p->op == OPERATION_COUNT ? NULL : op_spec(p->op);
    const char *why = pending_blocked(p->app);
    bool asks = spec && spec->asks && !(p->how & PENDING_ALONE);
    bool shows = spec && (asks || p->how & (PENDING_SHOWN | PENDING_STALE)) && !p->confirmed;
    if (!why && p->app->pending.count[PENDING_COMMITTED] >= PENDING_MAX)
        why = "too many changes already wait for the store";
    if (!p->about)
        name(p);
    if (p->how & PENDING_WHAT_IF && !p->confirmed) {
        app_push(p->app, p->app->above->confirm(p));
    } else if (why) {
        struct error e;
        error_set(&e, ERROR_REFUSED, "", "%s", why);
        fail(p, &e);
    } else if (p->how & PENDING_REASON && !p->q.reason) {
        pending_ask(p, shows ? &reason_then_preview : &reason_prompt);
    } else if (shows) {
        app_push(p->app, p->app->above->confirm(p));
    } else if (p->op == OPERATION_PURGE && !p->word_given) {
        pending_ask(p, &word_prompt);
    } else {
        pending_commit(p);
    }
}

/* A what-if becomes the operation itself, and only then asks for the reason. */
void pending_agree(struct pending *p)
{
    p->confirmed = true;
    p->how &= ~(unsigned)PENDING_WHAT_IF;
    arena_release(&p->shown_arena);
    p->shown_arena = p->answers;
    p->answers = (struct arena)ARENA_INIT;
    p->shown = p->plan;
    p->shown.arena = &p->shown_arena;
}

/* ---- answers ---- */

static void succeeded(struct pending *p)
{
    struct app *x = p->app;
    for (size_t i = 0; p->how & PENDING_SELECTED && i < p->q.node_count; i++)
        selection_set(&x->ui.selection, p->q.nodes[i], false);
    /* Own changes are shown even while changes are held back or cannot be followed. */
    if (!x->data.feed || x->remote.paused) {
        app_changed(x);
        view_notify(x->nav.top, NULL, 0, true);
    }
    pending_report_done(p);
    if (p->op == OPERATION_PURGE)
        start_vacuum(p);
    else
        pending_free(p);
}

/* Shows the new plan for agreement. If the past is shown, it waits for the present. An edit of an old version becomes
 * one of the current version: unedited rows keep the stored values. */
static void show_again(struct pending *p)
{
    struct app *x = p->app;
    AUTO_STRBUF by = STRBUF_INIT;
    bool changed = !(p->how & PENDING_ALONE) || p->confirmed;
    p->how &= ~(unsigned)PENDING_ALONE;
    p->confirmed = p->word_given = false;
    if (!p->differs) {
        p->how |= PENDING_STALE;
        p->q.expected_version = 0;
        changes_add_last(x, p->node, &by);
    }
    ui_message(&x->ui, "%s", ""); /* it waits no longer: the preview says what Enter does */
    x->ui.status.fresh = false;
    app_push(x, x->above->confirm(p));
    if (by.len)
        ui_message(&x->ui, "meanwhile %s; nothing is saved yet", by.buf);
    else if (changed)
        ui_message(&x->ui, "the store changed meanwhile: these are the changes now");
}

static bool is_stale(const struct pending *p)
{
    return p->differs || (p->error.code == ERROR_CONFLICT && p->op == OPERATION_EDIT &&
                          p->node > 0 && p->q.expected_version);
}

/* The next operation that the writer has answered, or NULL. */
static struct pending *next_answer(struct pending_list *pending)
{
    struct pending *p;
    if (read(pending->wake[0], &p, sizeof(p)) != sizeof(p))
        return NULL;
    if (p->vacuums)
        pthread_join(p->thread, NULL);
    return take_out(p);
}

static void take_answer(struct pending *p)
{
    if (p->session)
        live_store_changed(p->app); /* even if it failed, someone else may have decided */
    if (!p->vacuums)
        tell_inbox(p, p->error.code == ERROR_NONE ? COMMIT_DONE : COMMIT_FAILED);
    if (p->vacuums) {
        vacuumed(p);
    } else if (p->error.code == ERROR_NONE) {
        succeeded(p);
    } else if (is_stale(p) && !p->app->ui.modal) {
        show_again(p);
    } else {
        fail(p, &p->error);
    }
}

bool pending_deliver(struct app *x)
{
    bool any = false;
    for (struct pending *p; (p = next_answer(&x->pending)); any = true)
        take_answer(p);
    return any;
}

void pending_wait(struct app *x)
{
    struct pollfd ready = {.fd = x->pending.wake[0], .events = POLLIN};
    if (x->pending.count[PENDING_COMMITTED]) /* signals are only handled while we wait */
        platform_poll(&ready, 1, 20, &x->ui.wait_mask);
}

bool pending_cancel(struct pending_list *pending)
{
    for (struct pending *p = pending->first; p; p = p->next)
        atomic_store(&p->until, 0);
    return pending->count[PENDING_COMMITTED] > 0;
}

/* ---- unsaved operations ---- */

enum unsaved_choice {
    TRY_AGAIN = 0,
    EDIT_AGAIN,
    LET_GO,
};

/* Whether it only holds a form that was put away. */
static bool is_form_alone(const struct pending *p)
{
    return p->op == OPERATION_COUNT && !p->add.text;
}

void pending_edit_again(struct pending *p)
{
    struct error e;
    if (p->how & PENDING_STALE && form_rebase(p->app, p->form, &e))
        ui_error(&p->app->ui, &e);
    form_open(p->app, p->form);
    p->form = NULL;
    pending_free(p);
}

bool pending_reopen(struct app *x, enum form_as as, int64_t node, enum kind kind)
{
    struct pending *found = NULL;
    for (struct pending *p = x->pending.first; p; p = p->next)
        if (p->state == PENDING_UNSAVED && p->form && p->form->as == as && p->form->node == node &&
            p->form->kind == kind)
            found = p;
    if (found) {
        pending_edit_again(take_out(found));
        ui_message(&x->ui, "what you typed before is back");
    }
    return found;
}

static void decided(struct app *x, const struct popup_item *item)
{
    struct pending *p = take_out(x->pending.offered);
    if (item->value == TRY_AGAIN) {
        pending_do(p);
    } else if (item->value == EDIT_AGAIN) {
        pending_edit_again(p);
    } else {
        pending_free(p);
        ui_message(&x->ui, "the memory no longer exists");
    }
}

void pending_ask_unsaved(struct app *x)
{
    struct pending_list *list = &x->pending;
    const struct pending *p = list->offered = newest_unsaved(&x->pending);
    if (!p)
        return;
    bool alone = is_form_alone(p);
    snprintf(list->title, sizeof(list->title), "not saved: %s%s%s", alone ? "" : p->name,
             alone || !*p->about ? "" : " ", p->about);
    popup_open(&x->ui.popup, list->title, decided);
    if (p->form)
        popup_add(&x->ui.popup, 'e', "edit again", "as it was typed")->value = EDIT_AGAIN;
    if (!alone)
        popup_add(&x->ui.popup, 't', "try again", "as it was typed")->value = TRY_AGAIN;
    popup_add(&x->ui.popup, 'x', "discard", "what you typed is lost")->value = LET_GO;
    if (p->error.code)
        ui_error(&x->ui, &p->error);
}

/* ---- beginning and end ---- */

int pending_open(struct pending_list *pending, struct error *e)
{
    if (platform_pipe(pending->wake, true))
        return error_set(e, ERROR_STORE, "", "no pipe could be made for what is saved");
    pending->open = true;
    return 0;
}

/* "verify of belief:54c5507f was not saved: …" */
static int not_saved(const struct pending *p, int failed, struct error *e)
{
    AUTO_STRBUF title = STRBUF_INIT;
    if (p->error.code == ERROR_NONE)
        return failed;
    if (failed)
        dprintf(STDERR_FILENO, "stemma: %s. %s\n", e->what, e->hint);
    pending_add_title(p, &title);
    error_set(e, ERROR_STORE, p->error.hint, "%s was not saved: %s", title.buf, p->error.what);
    return -1;
}

/* The screen is closed, so print the outcome on stderr. */
static int finish(struct app *x, struct error *e)
{
    int waited = 0, failed = 0;
    while (x->pending.count[PENDING_COMMITTED]) {
        pending_wait(x);
        if (++waited == 10)
            dprintf(STDERR_FILENO, "stemma: saving your last changes (C-c gives up)\n");
        unsigned bits = signals_take();
        if (bits & (SIGNAL_BIT_CANCEL | SIGNAL_BIT_END))
            pending_cancel(&x->pending);
        if (bits & SIGNAL_BIT_STOP)
            suspend_now(SIGTSTP);
        struct pending *p = next_answer(&x->pending);
        failed = p ? not_saved(p, failed, e) : failed;
        pending_free(p);
    }
    return failed;
}

int pending_close(struct app *x, struct error *e)
{
    if (!x->pending.open)
        return 0;
    int failed = finish(x, e);
    for (struct pending *p = x->pending.first, *next; p; p = next) {
        next = p->next;
        pending_free(p);
    }
    x->pending.first = NULL;
    memset(x->pending.count, 0, sizeof(x->pending.count));
    pending_free(pending_take_asked(&x->pending));
    form_free(form_take_away(x));
    close(x->pending.wake[0]);
    close(x->pending.wake[1]);
    x->pending.open = false;
    return failed;
}

int pending_fd(const struct app *x)
{
    return x->pending.wake[0];
}
