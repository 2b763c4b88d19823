#include "tui/explorer/live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/entries/entry.h"
#include "store/mcp/server/server.h"
#include "store/mcp/tools/service.h"
#include "tui/config/config_rules.h"
#include "tui/explorer/app.h"
#include "tui/render/session_print.h"

#define LOOK_MS   500  /* least time between two reads */
#define TICK_MS   1000 /* while sessions make calls, so that rates fall again */
#define IDLE_MS   5000 /* while sessions are connected, since a killed process reports nothing */
#define SLOT_LIVE 0

struct live_job {
    struct job job;
    struct app *app;
    struct arena arena;
    struct session_row *session, *away;
    size_t count, away_count, agents;
    int64_t now, minutes_of;
    struct call_minute *minute;
    bool wants_quotas; /* a namespace may have one */
    struct namespace_row *namespaces;
    size_t namespace_count;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Counts agents; one may have several sessions. A session of an unknown agent counts as one. */
static size_t count_agents(struct live_job *j)
{
    const char **names = arena_array(&j->arena, j->count ? j->count : 1, sizeof(*names));
    size_t named = 0, agents = 0;
    for (size_t i = 0; i < j->count; i++) {
        const char *name = j->session[i].label;
        if (name)
            names[named++] = name;
        agents += !name;
    }
    qsort(names, named, sizeof(*names), compare_names);
    for (size_t i = 0; i < named; i++)
        agents += i == 0 || strcmp(names[i - 1], names[i]) != 0;
    return agents;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct live_job *j = (struct live_job *)job;
    if (session_list(r, &j->arena, SESSIONS_LIVING, 0, 0, &j->session, &j->count, e) ||
        session_list(r, &j->arena, SESSIONS_AWAY, 0, 0, &j->away, &j->away_count, e) ||
        session_minutes(r, &j->arena, j->minutes_of, j->now - (LIVE_MINUTES - 1) * MINUTE_MS,
                        LIVE_MINUTES, &j->minute, e) ||
        (j->wants_quotas && namespace_list(r, &j->arena, &j->namespaces, &j->namespace_count, e)))
        return JOB_FAILED;
    j->agents = count_agents(j); /* compare names before masking, which could make them equal */
    session_mask(r, &j->arena, j->session, j->count);
    session_mask(r, &j->arena, j->away, j->away_count);
    return JOB_DONE;
}

static const struct call_rate *call_rate_of(const struct live *live, int64_t session)
{
    for (size_t i = 0; i < live->count; i++)
        if (live->session[i].id == session)
            return &live->rate[i];
    return NULL;
}

/* A session that began within those seconds made all its calls in them. */
static struct call_rate next_call_rate(const struct call_rate *before, const struct session_row *s,
                                       int64_t now)
{
    struct call_rate rate = before ? *before : (struct call_rate){0};
    if (!before && now - s->started_at < CALL_RATE_SECONDS * 1000)
        call_rate_add(&rate, now - CALL_RATE_SECONDS * 1000, 0);
    call_rate_add(&rate, now, s->calls);
    return rate;
}

static bool anybody_calls(const struct live *live, int64_t now)
{
    for (size_t i = 0; i < live->count; i++)
        if (call_rate_at(&live->rate[i], now) > 0)
            return true;
    return false;
}

static void plan(struct app *x)
{
    struct live *live = &x->live;
    int64_t wait = live->store_changed                             ? LOOK_MS
                   : anybody_calls(live, store_now(x->data.store)) ? TICK_MS
                   : live->count > 0                               ? IDLE_MS
                                                                   : 0;
    live->look_at = wait ? live->looked_at + wait : 0;
    if (wait)
        ui_wake(&x->ui, live->look_at - monotonic_ms());
}

/* Whether sessions changed since the last read. */
static bool did_change(const struct live *live, const struct live_job *j)
{
    bool same = live->count == j->count;
    for (size_t i = 0; same && i < j->count; i++)
        same = live->session[i].id == j->session[i].id;
    return live->known && !same;
}

/* Sessions changed. The end of one may have made its chain abandoned, without a write of a memory. */
static void notify_views(struct app *x)
{
    app_changed(x);
    if (x->nav.top && x->nav.top->ops->store_changed)
        x->nav.top->ops->store_changed(x->nav.top);
}

/* ---- quotas ---- */

static bool has_quotas(const struct permissions *p)
{
    for (size_t i = 0; i < p->namespace_count; i++)
        if (p->namespaces[i].max_items || p->namespaces[i].max_bytes)
            return true;
    return false;
}

static double fullness(const struct quota_use *q)
{
    double items = q->max_items ? (double)q->items / (double)q->max_items : 0;
    double bytes = q->max_bytes ? (double)q->bytes / (double)q->max_bytes : 0;
    return items > bytes ? items : bytes;
}

static int by_fullness(const void *a, const void *b)
{
    double x = fullness(a), y = fullness(b);
    return x == y ? strcmp(((const struct quota_use *)a)->name, ((const struct quota_use *)b)->name)
                  : (x < y) - (x > y);
}

static void take_quotas(struct live *live, struct live_job *j, const struct permissions *p)
{
    if (j->wants_quotas)
        namespace_add_quotas(p, &j->arena, &j->namespaces, &j->namespace_count);
    live->quota = arena_array(&j->arena, j->namespace_count + 1, sizeof(*live->quota));
    live->quotas = 0;
    for (size_t i = 0; i < j->namespace_count; i++) {
        const struct namespace_row *r = &j->namespaces[i];
        const struct namespace_policy *policy = permission_policy(p, r->name);
        if (policy->max_items || policy->max_bytes)
            live->quota[live->quotas++] = (struct quota_use){r->name, r->items, policy->max_items,
                                                             r->bytes, policy->max_bytes};
    }
    qsort(live->quota, live->quotas, sizeof(*live->quota), by_fullness);
}

static void done(struct job *job, const struct error *e)
{
    struct live_job *j = (struct live_job *)job;
    struct live *live = &j->app->live;
    bool changed = !e->code && did_change(live, j);
    struct call_rate *rate = e->code ? NULL : xcalloc(j->count + 1, sizeof(*rate));
    int64_t now = store_now(j->app->data.store);
    live->looked_at = monotonic_ms();
    for (size_t i = 0; rate && i < j->count; i++)
        rate[i] = next_call_rate(call_rate_of(live, j->session[i].id), &j->session[i], now);
    if (rate) {
        struct arena before = live->arena;
        free(live->rate);
        live->rate = rate;
        live->session = j->session;
        live->count = j->count;
        live->away = j->away;
        live->away_count = j->away_count;
        live->agents = j->agents;
        live->minute = j->minutes_of == live->minutes_of ? j->minute : NULL;
        take_quotas(live, j, rules_permissions(j->app->config, j->app->rules.shown));
        live->arena = j->arena;
        live->known = true;
        j->arena = before;
    }
    if (rate && changed)
        notify_views(j->app);
    plan(j->app);
}

static void release(struct job *job)
{
    arena_release(&((struct live_job *)job)->arena);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "sessions", .run = run, .done = done, .release = release, .quiet = true};

static void start_read(struct app *x)
{
    struct live_job *j = xcalloc(1, sizeof(*j));
    j->app = x;
    j->arena = (struct arena)ARENA_INIT;
    j->now = store_now(x->data.store);
    j->minutes_of = x->live.minutes_of;
    j->wants_quotas =
        !asof_is_past(&x->asof) && has_quotas(rules_permissions(x->config, x->rules.shown));
    x->live.store_changed = false;
    x->live.look_at = 0;
    worker_submit(&x->data.worker, &j->job, &job_ops, &x->live, SLOT_LIVE);
}

void live_open(struct app *x)
{
    x->live = (struct live){.arena = ARENA_INIT};
    if (x->home->listener) /* its messages were lost while another store was shown */
        atomic_store(&x->home->has_message, true);
    start_read(x);
}

void live_count_minutes(struct app *x, int64_t session)
{
    if (x->live.minutes_of == session)
        return;
    x->live.minutes_of = session;
    x->live.minute = NULL;
    start_read(x);
}

void live_release(struct live *live)
{
    free(live->rate);
    arena_release(&live->arena);
    *live = (struct live){.arena = ARENA_INIT};
}

void live_store_changed(struct app *x)
{
    struct live *live = &x->live;
    live->store_changed = true;
    if (worker_has(&x->data.worker, live, SLOT_LIVE))
        return; /* when it is done, it reads again */
    if (x->options->script)
        start_read(x);
    else
        plan(x);
}

/* The listener if it serves the store that is shown; else NULL. */
static struct mcp_listener *listener_of(const struct app *x)
{
    return stores_at_home(x) ? x->home->listener : NULL;
}

bool live_take_messages(struct app *x)
{
    if (!atomic_exchange(&x->home->has_message, false))
        return false;
    x->live.unlogged.code = ERROR_NONE;
    if (listener_of(x))
        mcp_server_log_error(mcp_listener_server(listener_of(x)), &x->live.unlogged);
    return true;
}

bool live_due(struct app *x)
{
    struct live *live = &x->live;
    int64_t left = live->look_at - monotonic_ms();
    if (live->look_at && left > 0)
        ui_wake(&x->ui, left);
    else if (live->look_at && !worker_has(&x->data.worker, live, SLOT_LIVE))
        start_read(x);
    return false;
}

double live_rate(const struct app *x, int64_t session)
{
    const struct call_rate *rate = call_rate_of(&x->live, session);
    return rate ? call_rate_at(rate, x->ui.now) : 0;
}

bool live_knows(const struct live *live, int64_t session)
{
    return call_rate_of(live, session) != NULL;
}

void live_add_waiting(const struct live *live, struct strbuf *out)
{
    size_t agents = 0;
    for (size_t i = 0; i < live->count; i++)
        agents += live->session[i].process == getpid();
    if (agents > 0)
        strbuf_addf(out, "stemma: %zu agent%s until you continue it (fg)\n", agents,
                    agents == 1 ? " waits" : "s wait");
}

/* ---- the listener ---- */

/* If the configured port cannot be used, report it at once and serve without HTTP. */
static void report_http_error(struct app *x)
{
    struct error e = *mcp_listener_http(x->home->listener);
    if (!e.code)
        return;
    error_prefix(&e, "no HTTP");
    ui_error(&x->ui, &e);
    x->ui.undrawn = true;
}

/* Runs in the listener's thread. */
static void on_server_event(void *arg, enum server_event event, const char *path, int64_t pid)
{
    struct home *home = arg;
    (void)event;
    (void)path;
    (void)pid;
    atomic_store(&home->has_message, true);
    pthread_mutex_lock(&home->lock);
    if (home->worker)
        worker_wake(home->worker);
    pthread_mutex_unlock(&home->lock);
}

void live_listen(struct app *x)
{
    struct home *home = x->home;
    if (!x->config->listen || x->data.read_only || x->options->script || !stores_at_home(x) ||
        home->listener || !rules_open(x, &home->listen_error))
        return;
    struct mcp_server_options options = {.on_event = on_server_event,
                                         .arg = home,
                                         .rules = config_rules_now,
                                         .rules_arg = home->rules};
    struct mcp_service service =
        stemma_service((struct mcp_offer){.sets = toolsets_of(x->config->toolsets),
                                          .opt_in = x->config->destructive_tools,
                                          .strict = x->config->strict,
                                          .person = pending_actor(x->options).name});
    home->listener = mcp_listener_start(home->store, &service, &options, x->config->http_port,
                                        &home->listen_error);
    home->port = x->config->http_port;
    if (home->listener)
        report_http_error(x);
}

/* Adds an error of the configuration, also if this process serves nobody, since `#` and others show the old rules. It
 * replaces the address, as there is no room for both: "config.yaml line 3". */
static bool add_wrong(struct rules *rules, struct strbuf *out)
{
    struct error wrong;
    if (!rules->config || !config_rules_wrong(rules->config, &wrong))
        return false;
    const char *end = wrong.what + strcspn(wrong.what, ":"), *from = end;
    while (from > wrong.what && from[-1] != '/')
        from--;
    size_t len = (size_t)(end - from);
    if (memmem(from, len, " line ", 6))
        strbuf_add(out, from, len);
    else
        strbuf_addstr(out, "the configuration");
    strbuf_addstr(out, " is wrong; the previous rules stay in force");
    return true;
}

void live_add_listener(struct app *x, struct strbuf *out)
{
    struct error why;
    if (x->live.unlogged.code)
        strbuf_addf(out, "calls are not logged: %s; ", x->live.unlogged.what);
    if (add_wrong(&x->rules, out))
        return;
    struct mcp_listener *listener = listener_of(x);
    const char *path = listener ? mcp_server_path(mcp_listener_server(listener)) : NULL;
    if (!stores_at_home(x)) {
        if (x->home->listener)
            strbuf_addf(out, "this program answers agents of %s, not of this store", x->home->name);
        return;
    }
    if (path)
        strbuf_addf(out, "agents connect at %s", path);
    else if (listener && mcp_server_listen_error(mcp_listener_server(listener), &why))
        strbuf_addf(out, "cannot listen: %s", why.what);
    else if (listener)
        strbuf_addstr(out, "another process listens for this store");
    else if (x->data.read_only)
        strbuf_addstr(out, "does not listen: the store is read-only");
    else if (x->home->listen_error.code)
        strbuf_addf(out, "does not listen: %s", x->home->listen_error.what);
    else if (!x->config->listen)
        strbuf_addstr(out, "does not listen: the configuration says no");
    const struct error *http = listener ? mcp_listener_http(listener) : NULL;
    if (!listener || !x->home->port)
        return;
    if (http->code)
        strbuf_addf(out, "; no HTTP at port %d", x->home->port);
    else
        strbuf_addf(out, "; HTTP at port %d", x->home->port);
}

/* ---- call rates ---- */

#define SPAN_MS (CALL_RATE_SECONDS * 1000)
#define MIN_MS  1000 /* a shorter time counts as this much */

void call_rate_add(struct call_rate *p, int64_t at, int64_t calls)
{
    p->reading[p->count++ % CALL_RATE_READINGS] = (struct call_rate_reading){at, calls};
}

double call_rate_at(const struct call_rate *p, int64_t now)
{
    struct call_rate_reading last = {0}, first = {now, 0};
    for (unsigned i = 0; i < CALL_RATE_READINGS && i < p->count; i++) {
        const struct call_rate_reading *r = &p->reading[i];
        if (now - r->at > SPAN_MS || r->at > now)
            continue;
        first = r->at < first.at ? *r : first;
        last = r->at >= last.at ? *r : last;
    }
    int64_t span = now - first.at < MIN_MS ? MIN_MS : now - first.at;
    return last.at > first.at ? (double)(last.calls - first.calls) * 1000 / (double)span : 0;
}
