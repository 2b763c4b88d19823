/* What a person does about agents that are connected. */
#include "tui/action/actions.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/view/events/session_columns.h"
#include "tui/render/session_words.h"
#include "tui/view/events/view_sessions.h"

void act_live(struct app *x, const char *argument)
{
    (void)argument;
    app_open_root(x, ROOT_LIVE);
}

void act_sessions(struct app *x, const char *argument)
{
    (void)argument;
    if (x->nav.top->ops->place == IN_SESSIONS)
        app_say(x, "these are the sessions already");
    else
        app_push(x, sessions_view_new(x));
}

/* ---- deciding about a session ---- */

static int64_t session_here(struct app *x)
{
    return x->nav.top->ops->session ? x->nav.top->ops->session(x->nav.top) : 0;
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
    if (store_is_read_only(x->data.store))
        return "the store is open for reading only";
    if (asof_is_past(x))
        return asof_blocked(x);
    if (session_here(x))
        return NULL;
    return x->nav.top->count == 0 ? "there is no session here" : "this was not done in a session";
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

#define LEAVE_IT (-1) /* of the popup, beside enum session_verdict */

static void decide(struct app *x, enum session_verdict verdict)
{
    static const char *const words[] = {[SESSION_ENDS] = "was ended",
                                        [SESSION_READS_ONLY] = "can only read now",
                                        [SESSION_WRITES] = "can write again"};
    struct strbuf name = STRBUF_INIT, said = STRBUF_INIT;
    const struct session_row *s = living(x, x->asked_session);
    if (!s && verdict == SESSION_WRITES)
        s = away(x, x->asked_session);
    if (!s) {
        app_say(x, "that session has ended by now");
        return;
    }
    session_title(s, &name);
    strbuf_addf(&said, "%s %s", name.buf, words[verdict]);
    struct deed *d = deed_new_decision(s->id, verdict, name.buf, said.buf);
    if (d)
        acting_commit(x, d);
    else
        app_say(x, "there is no memory left for it");
    strbuf_release(&name);
    strbuf_release(&said);
}

static void answered(struct app *x, const struct popup_item *item)
{
    if (item->value == LEAVE_IT)
        app_say(x, "left as it is");
    else
        decide(x, (enum session_verdict)item->value);
}

/* `what` is a constant; `s` NULL: about none. */
static void ask(struct app *x, const struct session_row *s, enum session_verdict verdict,
                const char *what, const char *then)
{
    struct strbuf name = STRBUF_INIT;
    if (!s)
        return;
    x->asked_session = s->id;
    session_title(s, &name);
    if (s->agent)
        strbuf_addf(&name, ", %s", s->agent);
    popup_open(&x->ui.popup, what, answered);
    popup_add(&x->ui.popup, 'y', name.buf, then)->value = verdict;
    popup_add(&x->ui.popup, 'n', "leave it", "")->value = LEAVE_IT;
    x->ui.popup.selected = 1; /* Enter alone decides nothing */
    strbuf_release(&name);
}

void act_end_session(struct app *x, const char *argument)
{
    (void)argument;
    ask(x, living(x, session_here(x)), SESSION_ENDS, "end this session?",
        "nothing more of it is served");
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
        ask(x, s, SESSION_READS_ONLY, "make this session read-only?",
            "its writes are refused from now on");
    else
        ask(x, s ? s : gone, SESSION_WRITES, "let this session write again?",
            s ? "its writes are taken again" : "its writes are taken when it comes again");
}
