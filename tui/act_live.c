/* What a person does about agents that are connected. */
#include "actions.h"

#include "../model/alloc.h"
#include "../model/strbuf.h"
#include "app.h"
#include "session_columns.h"
#include "session_words.h"
#include "view_sessions.h"

void act_live(struct app *x, const char *argument)
{
    (void)argument;
    app_open_root(x, ROOT_LIVE);
}

void act_sessions(struct app *x, const char *argument)
{
    (void)argument;
    if (x->top->ops->place == IN_SESSIONS)
        app_say(x, "these are the sessions already");
    else
        app_push(x, sessions_view_new(x));
}

/* ---- deciding about a session ---- */

static int64_t session_here(struct app *x)
{
    return x->top->ops->session ? x->top->ops->session(x->top) : 0;
}

static const struct session_row *find(const struct session_row *rows, size_t count, int64_t id)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].id == id)
            return &rows[i];
    return NULL;
}

/* The session as it was seen last; NULL: it does not live. */
static const struct session_row *living(struct app *x, int64_t id)
{
    return find(x->live.session, x->live.count, id);
}

/* The same of one that may come again. */
static const struct session_row *away(struct app *x, int64_t id)
{
    return find(x->live.away, x->live.away_count, id);
}

static const char *blocked(struct app *x)
{
    if (store_is_read_only(x->store))
        return "the store is open for reading only";
    if (asof_is_past(x))
        return asof_blocked(x);
    if (session_here(x))
        return NULL;
    return x->top->count == 0 ? "there is no session here" : "this was not done in a session";
}

const char *blocked_no_session(struct app *x)
{
    const char *why = blocked(x);
    return why || living(x, session_here(x)) ? why : "that session has ended";
}

const char *blocked_no_writer(struct app *x)
{
    const char *why = blocked(x);
    return why || away(x, session_here(x)) ? why : blocked_no_session(x);
}

enum decision {
    LEAVE_IT = 0,
    END_IT,
    TAKE_WRITING,
    GIVE_WRITING,
};

/* Decided in a thread that may wait: the writer passes a turnstile that others may hold. */
struct decision_job {
    struct job job;
    struct app *app;
    enum decision decision;
    int64_t session;
    char *name, *person;
};

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct decision_job *j = (struct decision_job *)job;
    struct actor actor = {.class = ACTOR_PERSON, .name = j->person, .origin = "explorer"};
    struct store *s = reader_store(r);
    int failed = j->decision == END_IT ? store_session_end(s, &actor, j->session, e)
                                       : store_session_read_only(s, &actor, j->session,
                                                                 j->decision == TAKE_WRITING, e);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    static const char *const words[] = {"", "was ended", "can only read now", "can write again"};
    struct decision_job *j = (struct decision_job *)job;
    if (e->code)
        app_fail(j->app, e);
    else
        app_say(j->app, "%s %s", j->name, words[j->decision]);
    live_stir(j->app);
}

static void release(struct job *job)
{
    struct decision_job *j = (struct decision_job *)job;
    free(j->name);
    free(j->person);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "deciding about a session", .run = run, .done = done, .release = release};

static void decide(struct app *x, enum decision decision)
{
    struct strbuf name = STRBUF_INIT;
    const struct session_row *s = living(x, x->asked_session);
    if (!s && decision == GIVE_WRITING)
        s = away(x, x->asked_session);
    if (!s) {
        app_say(x, "that session has ended by now");
        return;
    }
    session_title(s, &name);
    struct decision_job *j = xcalloc(1, sizeof(*j));
    j->app = x;
    j->decision = decision;
    j->session = s->id;
    j->name = xstrdup(name.buf);
    j->person = xstrdup(x->options->person ? x->options->person : "someone");
    strbuf_release(&name);
    worker_submit(&x->worker, &j->job, &job_ops, x, (int)decision);
}

static void answered(struct app *x, const struct popup_item *item)
{
    if (item->value == LEAVE_IT)
        app_say(x, "left as it is");
    else
        decide(x, (enum decision)item->value);
}

/* `what` is a constant; `s` NULL: about none. */
static void ask(struct app *x, const struct session_row *s, enum decision decision,
                const char *what, const char *then)
{
    struct strbuf name = STRBUF_INIT;
    if (!s)
        return;
    x->asked_session = s->id;
    session_title(s, &name);
    if (s->agent)
        strbuf_addf(&name, ", %s", s->agent);
    popup_open(&x->popup, what, answered);
    popup_add(&x->popup, 'y', name.buf, then)->value = decision;
    popup_add(&x->popup, 'n', "leave it", "")->value = LEAVE_IT;
    x->popup.selected = 1; /* Enter alone decides nothing */
    strbuf_release(&name);
}

void act_end_session(struct app *x, const char *argument)
{
    (void)argument;
    ask(x, living(x, session_here(x)), END_IT, "end this session?", "nothing more of it is served");
}

const char *word_session_writes(struct app *x)
{
    const struct session_row *s = living(x, session_here(x));
    return s && !s->read_only ? "read-only" : "let write";
}

void act_session_writes(struct app *x, const char *argument)
{
    int64_t here = session_here(x);
    const struct session_row *s = living(x, here), *gone = away(x, here);
    (void)argument;
    if (s && !s->read_only)
        ask(x, s, TAKE_WRITING, "make this session read-only?",
            "its writes are refused from now on");
    else
        ask(x, s ? s : gone, GIVE_WRITING, "let this session write again?",
            s ? "its writes are taken again" : "its writes are taken when it comes again");
}
