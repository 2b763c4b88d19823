#include "tui/explorer/acting.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/txn/checkpoint.h"
#include "store/ops/operation.h"
#include "store/db/thread.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/term/signals.h"
#include "store/platform/platform.h"
#include "store/record/get.h"

#define WAITS_MS 1000 /* with the writer, and it is said that it waits */

const char *acting_blocked(struct app *x)
{
    if (x->data.read_only)
        return "the store is open for reading only";
    return asof_blocked(x) ? asof_blocked(x) : rules_mask_blocks(x);
}

/* ---- the writer's thread ---- */

struct actor acting_actor(const struct app *x)
{
    return (struct actor){.class = ACTOR_PERSON,
                          .name = x->options->person ? x->options->person : "someone",
                          .origin = "explorer"};
}

static int run_addition(struct txn *t, struct deed *d, struct error *e)
{
    struct actor actor = acting_actor(d->app);
    return add_memory(t, &actor, &d->add, d->add_len, &d->answers, &d->added, e);
}

static int run_operation(struct txn *t, struct deed *d, struct error *e)
{
    struct actor actor = acting_actor(d->app);
    if (operation_in(t, &actor, d->op, &d->q, &d->answers, &d->plan, e))
        return -1;
    d->differs = d->confirmed && !plan_same(&d->shown, &d->plan);
    if (d->differs)
        return error_set(e, ERROR_CONFLICT, "Look at it again.", "the store changed meanwhile");
    return 0;
}

static int run_decision(struct txn *t, const struct deed *d, struct error *e)
{
    struct actor actor = acting_actor(d->app);
    return session_decide(t, &actor, d->session, d->verdict, e);
}

static int run(struct txn *t, void *arg, struct error *e)
{
    struct deed *d = arg;
    arena_clear(&d->answers); /* where it is run again */
    d->differs = false;
    if (d->session)
        return run_decision(t, d, e);
    return d->op == OPERATION_COUNT ? run_addition(t, d, e) : run_operation(t, d, e);
}

static void done(void *arg, const struct error *e)
{
    struct deed *d = arg;
    struct acting *a = &d->app->acting;
    (void)e;
    pthread_mutex_lock(&a->lock);
    d->next = NULL;
    *a->answered_end = d;
    a->answered_end = &d->next;
    ssize_t n = write(a->wake[1], "", 1);
    (void)n;
    pthread_mutex_unlock(&a->lock);
}

/* ---- what a purge leaves in the files ---- */

static int told(void *arg, enum scrub_stage stage, int64_t so_far, int64_t total)
{
    struct deed *d = arg;
    (void)stage;
    (void)so_far;
    (void)total;
    return atomic_load(&d->until) == 0;
}

static void *scrub_main(void *arg)
{
    struct deed *d = arg;
    d->error.code = ERROR_NONE;
    store_scrub(d->app->data.store, told, d, &d->error);
    done(d, &d->error);
    return NULL;
}

static void hand_over(struct acting *a, struct deed *d)
{
    atomic_store(&d->until, INT64_MAX);
    d->shelf = a->submitted;
    a->submitted = d;
    a->waiting++;
}

/* It costs as much as the store is large, and may wait for readers: the worker has other things to do. */
static void scrub(struct app *x, struct deed *d)
{
    d->scrubs = true;
    hand_over(&x->acting, d);
    if (thread_start(&d->thread, "scrub", scrub_main, d)) {
        d->scrubs = false;
        error_set(&d->error, ERROR_STORE, "`stemma purge` of it again removes them.",
                  "it is erased, but its bytes may still be found in the store's files");
        done(d, &d->error);
    }
}

static void scrubbed(struct app *x, struct deed *d)
{
    pthread_join(d->thread, NULL);
    if (d->error.code == ERROR_NONE) {
        app_say(x, "%s purged: no byte of it is left in the store's files", d->about);
    } else {
        error_prefix(&d->error, "it is erased, but its bytes may still be found in the files");
        app_fail(x, &d->error);
    }
    deed_free(d);
}

/* ---- handing over ---- */

void acting_commit(struct app *x, struct deed *d)
{
    d->app = x;
    d->error.code = ERROR_NONE;
    d->job = (struct store_job){
        .run = run, .done = done, .arg = d, .error = &d->error, .until = &d->until};
    hand_over(&x->acting, d);
    if (store_submit_list(x->data.store, &d->job, &d->error))
        done(d, &d->error);
    else
        app_say(x, "saving%s", glyph_text(&x->ui.screen, GLYPH_ELLIPSIS));
    d->since = monotonic_ms();
    app_wake(x, WAITS_MS);
}

/* ---- what waits for the store ---- */

static bool may_speak(const struct app *x, const struct deed *d)
{
    return !x->ui.prompt.ops && (!x->ui.status.fresh || x->ui.status.said_at <= d->since);
}

bool acting_tell_waiting(struct app *x)
{
    bool told = false, speaks = true;
    for (struct deed *d = x->acting.submitted; d; d = d->shelf) {
        int64_t left = d->since + WAITS_MS - monotonic_ms();
        if (d->waits || d->scrubs)
            continue;
        if (left > 0) {
            app_wake(x, left);
            continue;
        }
        d->waits = told = true;
        speaks = speaks && may_speak(x, d);
    }
    if (told && speaks)
        acting_say_waiting(x);
    return told;
}

/* ---- asking why ---- */

static void left_alone(struct app *x)
{
    struct deed *d = x->acting.asked;
    x->acting.asked = NULL;
    app_say(x, "left as it is");
    if (d && d->how & DEED_TYPED)
        acting_shelve(x, d);
    else
        deed_free(d);
}

static void reason_given(struct app *x, const char *text)
{
    struct deed *d = x->acting.asked;
    x->acting.asked = NULL;
    if (!d)
        return;
    d->q.reason = *text ? arena_strdup(&d->arena, text) : NULL;
    d->how &= ~(unsigned)DEED_REASON;
    acting_do(x, d);
}

/* "verify belief:54c5507f: why? " */
static void ask_reason(struct app *x, struct strbuf *out)
{
    const struct deed *d = x->acting.asked;
    if (!d)
        return;
    if (d->asks) {
        strbuf_addf(out, "%s: why? ", d->asks);
        return;
    }
    strbuf_addf(out, "%s%s%s", deed_name(d), *d->about ? " " : "", d->about);
    if (d->q.mark)
        strbuf_addf(out, " %s", d->q.mark);
    if (d->q.mark && d->q.value)
        strbuf_addf(out, " %s", d->q.value);
    strbuf_addstr(out, ": why? ");
}

static const struct prompt_ops reason_prompt = {
    .prefix = "why? ",
    .asks = ask_reason,
    .hint = "Enter gives none; Esc leaves it undone",
    .history = HISTORY_REASON,
    .accepted = reason_given,
    .abandoned = left_alone,
};

static void word_given(struct app *x, const char *text)
{
    struct deed *d = x->acting.asked;
    if (!d || strcmp(text, "purge") != 0) {
        left_alone(x);
        return;
    }
    x->acting.asked = NULL;
    d->sworn = true;
    acting_do(x, d);
}

static const struct prompt_ops word_prompt = {
    .prefix = "it cannot be undone; type purge to erase it: ",
    .hint = "",
    .history = -1,
    .accepted = word_given,
    .abandoned = left_alone,
};

void acting_ask(struct app *x, struct deed *d, const struct prompt_ops *ops, const char *text)
{
    struct deed *before = x->acting.asked;
    x->acting.asked = d;
    prompt_open(&x->ui, ops, text);
    if (before && before != d && before->how & DEED_TYPED)
        acting_shelve(x, before);
    else if (before != d)
        deed_free(before);
}

/* Says why, and keeps what was typed for it; taken over. */
static void acting_fail(struct app *x, struct deed *d, const struct error *e)
{
    struct error said = *e;
    struct strbuf title = STRBUF_INIT;
    if (!(d->how & DEED_TYPED)) {
        deed_add_title(d, &title);
        error_prefix(&said, "%s not done", title.buf);
        app_fail(x, &said);
        strbuf_release(&title);
        deed_free(d);
        return;
    }
    d->error = *e;
    acting_offer(x, d);
}

void acting_do(struct app *x, struct deed *d)
{
    const struct op_spec *entry = deed_entry(d);
    const char *why = acting_blocked(x);
    if (d->how & DEED_WHAT_IF && !d->confirmed) {
        app_push(x, x->above->confirm(x, d));
    } else if (why) {
        struct error e;
        error_set(&e, ERROR_REFUSED, "", "%s", why);
        acting_fail(x, d, &e);
    } else if (d->how & DEED_REASON && !d->q.reason) {
        acting_ask(x, d, &reason_prompt, "");
    } else if (entry && (entry->asks || d->how & DEED_SHOWN) && !d->confirmed) {
        app_push(x, x->above->confirm(x, d));
    } else if (d->op == OPERATION_PURGE && !d->sworn) {
        acting_ask(x, d, &word_prompt, "");
    } else {
        acting_commit(x, d);
    }
}

void acting_run(struct app *x, enum operation op, const struct request *q, unsigned how)
{
    acting_run_told(x, op, q, how, NULL, NULL);
}

void acting_run_told(struct app *x, enum operation op, const struct request *q, unsigned how,
                     const char *asks, const char *said)
{
    struct deed *d = deed_new(op, q, how);
    acting_name(x, d);
    d->asks = arena_strdup(&d->arena, asks);
    d->said = arena_strdup(&d->arena, said);
    acting_do(x, d);
}

/* ---- what it is about ---- */

static const int64_t *one_node(struct arena *arena, int64_t node, size_t *count)
{
    *count = node > 0;
    return node > 0 ? arena_memdup(arena, &node, sizeof(node)) : NULL;
}

const char **acting_words(struct arena *arena, const char *text, size_t *count)
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

int64_t acting_subject(struct app *x)
{
    int64_t node = x->ui.marks.count == 1 ? marks_next(&x->ui.marks, 0) : 0;
    return node > 0 ? node : app_here(x);
}

const int64_t *acting_subjects(struct app *x, struct arena *arena, size_t *count, bool *marked)
{
    *marked = x->ui.marks.count > 0;
    if (!*marked)
        return one_node(arena, acting_subject(x), count);
    int64_t *all = arena_array(arena, x->ui.marks.count, sizeof(*all));
    *count = 0;
    for (int64_t n = marks_next(&x->ui.marks, 0); n > 0; n = marks_next(&x->ui.marks, n))
        all[(*count)++] = n;
    return all;
}

/* "4,601 memories" */
static void add_many(struct strbuf *out, size_t count)
{
    char digits[32];
    int len = snprintf(digits, sizeof(digits), "%zu", count);
    for (int i = 0; i < len; i++)
        strbuf_addf(out, "%s%c", i > 0 && (len - i) % 3 == 0 ? "," : "", digits[i]);
    strbuf_addstr(out, " memories");
}

void acting_name(struct app *x, struct deed *d)
{
    struct strbuf name = STRBUF_INIT;
    size_t count = d->q.node_count + d->q.ref_count;
    const struct memory_row *row = d->node > 0 ? details_row(x, d->node) : NULL;
    if (row)
        details_ref(x, row, &name);
    else if (count == 1 && d->q.ref_count)
        strbuf_addstr(&name, d->q.refs[0]);
    else if (count > 0)
        add_many(&name, count);
    d->about = arena_strdup(&d->arena, name.buf);
    strbuf_release(&name);
}

/* ---- whose events ---- */

bool acting_is_own(const struct app *x, const struct event *event)
{
    struct actor own = acting_actor(x);
    bool person = event->class_name && !strcmp(event->class_name, "person");
    return person && same_text(event->actor, own.name) && same_text(event->origin, own.origin);
}

/* ---- the answers ---- */

static void take_out(struct deed **list, struct deed *d)
{
    while (*list && *list != d)
        list = &(*list)->shelf;
    if (*list)
        *list = d->shelf;
    d->shelf = NULL;
}

/* Is nothing open that what is to be shown would take away? */
static bool is_free(const struct app *x)
{
    return !x->ui.modal;
}

static void unmark(struct app *x, const struct deed *d)
{
    for (size_t i = 0; d->how & DEED_MARKED && i < d->q.node_count; i++)
        marks_set(&x->ui.marks, d->q.nodes[i], false);
}

/* Where changes are held back, or cannot be followed, one's own are shown nevertheless. */
static void show_own(struct app *x)
{
    if (x->data.feed && !x->remote.paused)
        return;
    details_changed(&x->details);
    x->preview.stale = true;
    view_news(x->nav.top, NULL, 0, true);
}

static void succeeded(struct app *x, struct deed *d)
{
    unmark(x, d);
    show_own(x);
    acting_say_done(x, d);
    if (d->op == OPERATION_PURGE)
        scrub(x, d);
    else
        deed_free(d);
}

/* What it would be now is shown, and agreed to or not. */
static void show_again(struct app *x, struct deed *d)
{
    d->confirmed = d->sworn = false;
    app_push(x, x->above->confirm(x, d));
    app_say(x, "the store changed meanwhile: this is what it would be now");
}

/* An edit that came too late, and an undo of what was changed since, show both states. False: it is
 * neither. */
static bool show_both(struct app *x, struct deed *d)
{
    long long seq = 0;
    struct view *v = NULL;
    if (d->op == OPERATION_EDIT && d->node > 0 && d->form)
        v = x->above->versus_edit(x, d);
    else if ((d->op == OPERATION_UNDO || d->op == OPERATION_REDO) &&
             sscanf(d->error.what, "event %lld:", &seq) == 1)
        v = x->above->versus_undo(x, seq, &d->error);
    if (!v)
        return false;
    if (x->above->is_over(x->nav.top))
        app_pop(x);
    app_push(x, v);
    if (d->op == OPERATION_EDIT) {
        app_say(x, "it was changed meanwhile; nothing is saved yet");
        return true;
    }
    app_say(x, "nothing is changed: it was changed since");
    deed_free(d);
    return true;
}

void acting_turn(struct app *x)
{
    struct acting *a = &x->acting;
    while (a->returned && is_free(x)) {
        struct deed *d = a->returned;
        a->returned = d->shelf;
        d->shelf = NULL;
        if (d->differs)
            show_again(x, d);
        else if (d->error.code == ERROR_CONFLICT && show_both(x, d))
            continue;
        else
            acting_fail(x, d, &d->error);
    }
}

void acting_return(struct app *x, struct deed *d)
{
    struct deed **end = &x->acting.returned;
    while (*end)
        end = &(*end)->shelf;
    d->shelf = NULL;
    *end = d;
}

static void say_later(struct app *x, const struct deed *d)
{
    struct strbuf title = STRBUF_INIT;
    deed_add_title(d, &title);
    app_say(x, "%s could not be done; why is said when this field is closed", title.buf);
    strbuf_release(&title);
}

static void take_answer(struct app *x, struct deed *d)
{
    struct acting *a = &x->acting;
    take_out(&a->submitted, d);
    a->waiting--;
    if (d->session)
        live_stir(x); /* whatever became of it: who else decided is seen with it */
    if (d->scrubs) {
        scrubbed(x, d);
        return;
    }
    if (d->error.code == ERROR_NONE) {
        succeeded(x, d);
        return;
    }
    acting_return(x, d);
    if (!is_free(x))
        say_later(x, d);
}

bool acting_deliver(struct app *x)
{
    struct acting *a = &x->acting;
    char drain[64];
    while (read(a->wake[0], drain, sizeof(drain)) > 0)
        ;
    pthread_mutex_lock(&a->lock);
    struct deed *d = a->answered;
    a->answered = NULL;
    a->answered_end = &a->answered;
    pthread_mutex_unlock(&a->lock);
    bool any = d != NULL;
    while (d) {
        struct deed *next = d->next;
        take_answer(x, d);
        d = next;
    }
    acting_turn(x);
    return any;
}

bool acting_idle(const struct app *x)
{
    return x->acting.waiting == 0;
}

void acting_wait(struct app *x)
{
    struct pollfd ready = {.fd = x->acting.wake[0], .events = POLLIN};
    if (!acting_idle(x)) /* what asks for something comes only while it is waited */
        platform_poll(&ready, 1, 20, &x->ui.wait_mask);
}

bool acting_cancel(struct app *x)
{
    for (struct deed *d = x->acting.submitted; d; d = d->shelf)
        atomic_store(&d->until, 0);
    return x->acting.submitted != NULL;
}

/* ---- beginning and end ---- */

int acting_open(struct app *x, struct error *e)
{
    struct acting *a = &x->acting;
    a->answered_end = &a->answered;
    if (platform_pipe(a->wake, true))
        return error_set(e, ERROR_STORE, "", "no pipe could be made for what is saved");
    pthread_mutex_init(&a->lock, NULL);
    a->open = true;
    return 0;
}

/* "verify of belief:54c5507f was not saved: …" */
static int not_saved(const struct deed *d, int failed, struct error *e)
{
    if (d->error.code == ERROR_NONE)
        return failed;
    if (failed)
        dprintf(STDERR_FILENO, "stemma: %s. %s\n", e->what, e->todo);
    struct strbuf title = STRBUF_INIT;
    deed_add_title(d, &title);
    error_set(e, ERROR_STORE, d->error.todo, "%s was not saved: %s", title.buf, d->error.what);
    strbuf_release(&title);
    return -1;
}

/* The screen is gone: what became of it can only be said behind it. */
static int finish(struct app *x, struct error *e)
{
    struct acting *a = &x->acting;
    int waited = 0, failed = 0;
    while (a->waiting) {
        acting_wait(x);
        if (++waited == 10)
            dprintf(STDERR_FILENO, "stemma: saving what was done last (C-c gives it up)\n");
        unsigned bits = signals_take();
        if (bits & (SIGNAL_BIT_CANCEL | SIGNAL_BIT_END))
            acting_cancel(x);
        if (bits & SIGNAL_BIT_STOP)
            suspend_now(SIGTSTP);
        pthread_mutex_lock(&a->lock);
        struct deed *d = a->answered;
        a->answered = d ? d->next : NULL;
        if (!a->answered)
            a->answered_end = &a->answered;
        pthread_mutex_unlock(&a->lock);
        if (!d)
            continue;
        a->waiting--;
        take_out(&a->submitted, d);
        if (d->scrubs)
            pthread_join(d->thread, NULL);
        failed = not_saved(d, failed, e);
        deed_free(d);
    }
    return failed;
}

static void free_all(struct deed *d)
{
    while (d) {
        struct deed *next = d->shelf;
        deed_free(d);
        d = next;
    }
}

int acting_close(struct app *x, struct error *e)
{
    struct acting *a = &x->acting;
    if (!a->open)
        return 0;
    int failed = finish(x, e);
    free_all(a->returned);
    free_all(a->unsaved);
    deed_free(a->asked);
    form_free(form_take_away(x));
    close(a->wake[0]);
    close(a->wake[1]);
    pthread_mutex_destroy(&a->lock);
    a->open = false;
    return failed;
}

int acting_fd(const struct app *x)
{
    return x->acting.wake[0];
}
