/* Actions that open views: of a memory, lists, order, agent, as-of, diff, sources. */
#include "tui/action/action.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/policy/permission.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/retrievals.h"
#include "store/questions/questions.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/rules.h"
#include "tui/cli/files.h"
#include "tui/render/session_print.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/chain/chain_views.h"
#include "tui/view/events/event_views.h"
#include "tui/view/graph/lineage_view.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/views.h"
#include "tui/view/shared/shared_views.h"

void act_lineage(struct app *x, const char *argument, int show)
{
    int64_t node = palette_subject(x, argument);
    if (node > 0 && lineage_is_shown(x->nav.top, node, (enum subgraph_show)show))
        ui_message(&x->ui, "this is that lineage");
    else if (node > 0)
        app_push(x, lineage_view_new(x, node, (enum subgraph_show)show));
}

/* Parses the first of two times, text[0..len). */
static bool read_first(struct app *x, const char *text, size_t len, struct point_in_time *m)
{
    char first[128];
    struct error e;
    while (len > 0 && text[len - 1] == ' ')
        len--;
    if (len == 0 || len >= sizeof(first))
        return false;
    memcpy(first, text, len);
    first[len] = '\0';
    return point_in_time_read(x->asof.present, first, x->ui.now, m, &e) == 0;
}

/* As times may have spaces, tries each split until both parse. */
bool two_times_read(struct app *x, const char *text, struct point_in_time *from,
                    struct point_in_time *to)
{
    struct error e;
    for (const char *at = text; (at = strchr(at, ' ')); at++)
        if (at[1] && read_first(x, text, (size_t)(at - text), from) &&
            point_in_time_read(x->asof.present, at + 1 + strspn(at + 1, " "), x->ui.now, to, &e) ==
                0)
            return true;
    return read_first(x, text, strlen(text), from) &&
           point_in_time_read(x->asof.present, "now", x->ui.now, to, &e) == 0;
}

/* "@137 last week now" as the events that the times stand for: "@137 @120 @214". */
static const char *event_words(struct app *x, struct arena *arena, const char *argument)
{
    struct point_in_time from, to;
    size_t event = strcspn(argument, " ");
    if (!argument[event] || !two_times_read(x, argument + event + 1, &from, &to))
        return argument;
    return arena_format(arena, "%.*s @%lld @%lld", (int)event, argument, (long long)from.seq,
                        (long long)to.seq);
}

void act_question(struct app *x, const char *argument, int question)
{
    AUTO_ARENA arena = ARENA_INIT;
    enum question_about of = questions[question]->of;
    int64_t node = of == ABOUT_MEMORY ? palette_subject(x, argument) : 0;
    argument = question == QUESTION_EFFECTS ? event_words(x, &arena, argument) : argument;
    if (of == ABOUT_TEXT && !*argument)
        ui_message(&x->ui, "give the words: :%s retries are safe", questions[question]->name);
    else if (of != ABOUT_TEXT && question_view_is(x->nav.top, question, node))
        ui_message(&x->ui, "this is that answer");
    else if (node > 0 || of != ABOUT_MEMORY)
        app_push(x, question_view_new(&x->ui, question, node, of == ABOUT_TEXT ? argument : ""));
}

/* Weighs two selected memories, or this one and what contradicts it; where that is shown, carries it out. */
void act_resolve(struct app *x, const char *argument)
{
    AUTO_ARENA arena = ARENA_INIT;
    int64_t rows[2];
    size_t count;
    bool selected;
    if (!*argument && question_view_resolved(x->nav.top, rows)) {
        struct pending *p = pending_new(x, OPERATION_RESOLVE, PENDING_REASON);
        p->q.nodes = arena_memdup(&p->arena, rows, sizeof(rows));
        p->q.node_count = 2;
        pending_do(p);
        return;
    }
    const int64_t *subject = pending_subjects(x, &arena, &count, &selected);
    const struct memory_row *second = subject && count == 2 ? details_row(x, subject[1]) : NULL;
    if (!subject || count > 2) {
        ui_message(&x->ui, subject ? "select the two memories" : "there is no memory here");
        return;
    }
    if (second && !*argument)
        argument = arena_format(&arena, "%s:%s", REF_ARGS(second->ref));
    app_push(x, question_view_new(&x->ui, QUESTION_RESOLVE, subject[0], argument));
    ui_message(&x->ui, ":resolve again replaces it, after a preview");
}

void act_history(struct app *x, const char *argument)
{
    int64_t node = palette_subject(x, argument);
    if (view_is(x->nav.top, "history") && !*argument)
        ui_message(&x->ui, "this is its history");
    else if (node > 0)
        app_push(x, history_view_new(x, node));
}

/* ---- lists ---- */

void act_root(struct app *x, const char *argument, int root)
{
    (void)argument;
    app_open_root(x, root);
}

void lists_changed(struct view *top)
{
    if (top->ops->has & HAS_AGENT)
        top->ops->shown(top);
    top->asked = true;
}

/* ---- agents ---- */

/* Reports the new agent. In views of all agents (namespaces, activity) also tells that their lines do not change. */
static void report_agent(struct app *x, const char *name)
{
    unsigned has = x->nav.top->ops->has;
    if (view_is(x->nav.top, "permissions"))
        ui_message(&x->ui, name ? "what %s may do" : "what any agent may do", name);
    else if (name && has & HAS_SHARED)
        ui_message(&x->ui,
                   "lists show only the memories of %s; a namespace has the entries of all agents",
                   name);
    else if (name && has & HAS_EVERYONE)
        ui_message(&x->ui, "lists show only the memories of %s; this view shows all agents%s", name,
                   has & HAS_FILTER ? ", and \\ filters" : "");
    else
        ui_message(&x->ui, name ? "only the memories of %s" : "the memories of all agents", name);
}

static void take_agent(struct app *x, const char *name)
{
    free(x->prefs.agent);
    x->prefs.agent = name ? xstrdup(name) : NULL;
    lists_changed(x->nav.top);
    if (view_is(x->nav.top, "permissions"))
        permissions_view_of(x->nav.top, name);
    report_agent(x, name);
}

static void agent_chosen(struct app *x, const struct popup_item *item)
{
    take_agent(x, item->value ? item->text : NULL);
}

static void offer_agent(struct ui *ui, const char *name, const char *help)
{
    for (size_t i = 1; i < ui->popup.count; i++) /* the first item is "all" */
        if (!strcmp(ui->popup.items[i].text, name))
            return;
    popup_add(&ui->popup, KEY_NONE, name, help)->value = 1;
}

/* In views of permissions also offers agents without memories: those that the configuration names, and those that
 * were connected. */
static void offer_others(struct app *x, struct arena *arena)
{
    struct guard_rules *rules = rules_now(x);
    const struct permissions *p = rules ? guard_permissions(rules) : NULL;
    const char **names;
    struct error e;
    size_t count;
    for (size_t i = 0; p && i < p->agent_count; i++)
        offer_agent(&x->ui, p->agents[i].agent, "grants of its own");
    guard_rules_release(rules);
    if (session_agents(x->data.reader, arena, &names, &count, &e)) {
        ui_error(&x->ui, &e);
        return;
    }
    for (size_t i = 0; i < count; i++)
        offer_agent(&x->ui, names[i], "was connected");
}

void act_agent(struct app *x, const char *argument)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct agent_count *agents;
    struct error e;
    size_t count;
    char help[48];
    if (*argument) {
        take_agent(x, strcmp(argument, "all") ? argument : NULL);
        return;
    }
    if (list_agents(x->data.reader, &arena, &agents, &count, &e)) {
        ui_error(&x->ui, &e);
        return;
    }
    bool allowed = view_is(x->nav.top, "permissions");
    popup_open(&x->ui.popup, allowed ? "whose permissions?" : "whose memories?", agent_chosen);
    popup_add(&x->ui.popup, '0', "all agents", "")->value = 0;
    for (size_t i = 0; i < count; i++) {
        snprintf(help, sizeof(help), "%lld", (long long)agents[i].count);
        uint32_t key = i < 9 ? (uint32_t)('1' + i) : KEY_NONE;
        popup_add(&x->ui.popup, key, agents[i].name, help)->value = 1;
        if (x->prefs.agent && !strcmp(x->prefs.agent, agents[i].name))
            x->ui.popup.selected = i + 1;
    }
    x->prefs.agents = count;
    if (allowed)
        offer_others(x, &arena);
}

void act_only_new(struct app *x)
{
    char age[32];
    x->prefs.only_new = !x->prefs.only_new;
    view_update_only_new(x->nav.top);
    clock_format_age(age, sizeof(age), x->unread.left_at, store_now(x->data.store));
    if (!x->prefs.only_new)
        ui_message(&x->ui, "all memories");
    else if (x->unread.before)
        ui_message(&x->ui, "only what is new (+) or changed (~) since your last visit, %s%s", age,
                   strcmp(age, "now") ? " ago" : "");
    else
        ui_message(&x->ui,
                   "this is your first visit: only changes since you opened the store are shown");
}

/* Of a list: every memory, all but forgotten ones, none that has ended, only what is new. */
void act_more(struct app *x, const char *argument, int step)
{
    struct view *top = x->nav.top;
    bool list = top->ops->has & HAS_MEMORY_LIST;
    (void)argument;
    if (view_request(top, step > 0 ? REQUEST_MORE : REQUEST_LESS))
        return;
    const char *now = list && !x->prefs.only_new ? list_view_step_extent(&x->prefs, step) : NULL;
    if (now) {
        lists_changed(top);
        ui_message(&x->ui, "%s", now);
    } else if (x->prefs.only_new == (step > 0)) {
        act_only_new(x);
    } else {
        ui_message(&x->ui, step > 0 ? "there is no more to show; - shows less"
                                    : "only what is new is shown; + shows more");
    }
}

void act_namespaces(struct app *x, const char *argument)
{
    if (!*argument && view_is(x->nav.top, "namespaces"))
        ui_message(&x->ui, "this is the list of namespaces");
    else if (!*argument)
        app_push(x, namespaces_view_new(&x->ui));
    else if (namespace_is_valid(argument, strlen(argument)))
        app_push(x, entries_view_new(&x->ui, argument));
    else
        ui_message(&x->ui,
                   "\"%.100s\" is not a namespace: use letters, digits, _ and -, with dots between",
                   argument);
}

void act_permissions(struct app *x, const char *argument)
{
    const char *agent = *argument ? argument : x->prefs.agent;
    if (agent && !strcmp(agent, "all"))
        agent = NULL;
    if (view_is(x->nav.top, "permissions"))
        permissions_view_of(x->nav.top, agent);
    else
        app_push(x, permissions_view_new(&x->ui, agent));
}

/* ---- one state ---- */

static void report_state(struct app *x)
{
    AUTO_STRBUF text = STRBUF_INIT;
    asof_add_status(x, &text);
    if (text.len)
        ui_message(&x->ui, "%s", text.buf);
    else
        palette_ask(x, "asof ",
                    "give a time, such as 2 days ago, 2026-11-13 09:00, or an event: @123");
}

void act_asof(struct app *x, const char *argument)
{
    struct point_in_time m;
    struct error e;
    if (!*argument)
        report_state(x);
    else if (strcmp(argument, "now") == 0)
        asof_return(x);
    else if (point_in_time_read(x->asof.present, argument, x->ui.now, &m, &e))
        ui_error(&x->ui, &e);
    else if (m.seq == 0)
        ui_message(&x->ui, "the store was empty at %s", argument);
    else
        asof_go(x, &m);
}

/* ---- two states ---- */

void act_diff(struct app *x, const char *argument)
{
    struct point_in_time from, to;
    struct error e;
    if (!*argument)
        palette_ask(x, "diff ", "give one time, or two: yesterday, last week now, @120 @123");
    else if (two_times_read(x, argument, &from, &to))
        app_push(x, diff_view_new(&x->ui, &from, &to));
    else if (point_in_time_read(x->asof.present, argument, x->ui.now, &from, &e))
        ui_error(&x->ui, &e);
}

void act_facts(struct app *x, const char *argument)
{
    int64_t node = palette_subject(x, argument);
    if (node > 0)
        app_push(x, memory_view_new(x, node));
}

/* The session under the cursor, in views of sessions. */
static int64_t session_here(const struct app *x)
{
    return x->nav.top->ops->has & HAS_SESSIONS ? view_subject(x->nav.top).session : 0;
}

const char *blocked_conversation(struct app *x)
{
    return session_here(x)                ? NULL
           : view_memory(x->nav.top) <= 0 ? "there is no memory here"
           : x->prefs.has_transcripts     ? NULL
                                          : "no transcripts of an agent were imported";
}

/* Of a session: what it calls is known without a transcript. */
static void open_session_conversation(struct app *x, int64_t session)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF name = STRBUF_INIT;
    struct session_row row;
    if (!session_read_shown(x->data.reader, &arena, session, &row))
        return;
    session_title(&row, &name);
    app_push(x, talk_view_new(x, session, name.buf));
}

void act_conversation(struct app *x, const char *argument)
{
    int64_t session = *argument ? 0 : session_here(x);
    int64_t node = session ? 0 : palette_subject(x, argument);
    if (session)
        open_session_conversation(x, session);
    else if (node > 0)
        app_push(x, conversation_view_new(x, node));
}

/* ---- retrievals ---- */

void act_retrievals(struct app *x, const char *argument)
{
    int by = RETRIEVALS_BY_TYPE;
    for (int i = 0; i < RETRIEVALS_GROUPS; i++)
        if (!strcasecmp(argument, retrieval_group_name((enum retrieval_group)i)))
            by = i;
    app_push(x, retrievals_view_new(&x->ui, (enum retrieval_group)by));
}

/* ---- strategies ---- */

static bool is_reasoning(struct app *x, int64_t node)
{
    const struct memory_row *row = details_row(x, node);
    return row && (row->ref.kind == KIND_CHAIN || row->ref.kind == KIND_STEP);
}

/* The chain or step under the cursor, else of the view; 0 for neither. */
static int64_t reasoning_here(struct app *x)
{
    int64_t node = view_node(x->nav.top), about = view_about(x->nav.top);
    return is_reasoning(x, node) ? node : is_reasoning(x, about) ? about : 0;
}

const char *blocked_strategies(struct app *x)
{
    bool selected =
        x->ui.selection.count > 1 && is_reasoning(x, selection_next(&x->ui.selection, 0));
    if (selected || reasoning_here(x) > 0)
        return NULL;
    return "select two chains, or move the cursor to one";
}

/* The selected chains; a step counts as its chain. In the arena. */
static int64_t *selected_chains(struct app *x, struct arena *arena, size_t *count)
{
    int64_t *nodes = arena_array(arena, x->ui.selection.count + 1, sizeof(*nodes));
    struct error e;
    *count = 0;
    for (int64_t n = selection_next(&x->ui.selection, 0); nodes && n > 0;
         n = selection_next(&x->ui.selection, n)) {
        const struct memory_row *row = details_row(x, n);
        int64_t chain = row && row->ref.kind == KIND_CHAIN  ? n
                        : row && row->ref.kind == KIND_STEP ? chain_of_step(x->data.reader, n, &e)
                                                            : 0;
        bool is_new = chain > 0;
        for (size_t i = 0; i < *count; i++)
            is_new = is_new && nodes[i] != chain;
        if (is_new)
            nodes[(*count)++] = chain;
    }
    return nodes;
}

/* Ensures that `node` is among the chains that are compared: it replaces the last one if there are too many. */
static void put_first(int64_t *nodes, size_t count, int64_t node)
{
    size_t at = 0;
    while (at + 1 < count && nodes[at] != node)
        at++;
    if (count == 0)
        return;
    memmove(nodes + 1, nodes, at * sizeof(*nodes));
    nodes[0] = node;
}

/* All chains on the same question, this one first. */
static int64_t *chains_here(struct app *x, struct arena *arena, size_t *count, bool *more)
{
    int64_t node = reasoning_here(x), *nodes;
    const struct memory_row *row = details_row(x, node);
    struct error e;
    if (row && row->ref.kind == KIND_STEP)
        node = chain_of_step(x->data.reader, node, &e);
    if (node <= 0)
        return NULL;
    if (chains_on_question(x->data.reader, arena, node, STRATEGIES_MAX, &nodes, count, more, &e)) {
        ui_error(&x->ui, &e);
        return NULL;
    }
    put_first(nodes, *count, node);
    return nodes;
}

void act_strategies(struct app *x)
{
    AUTO_ARENA arena = ARENA_INIT;
    size_t count = 0;
    bool more = false, selected = x->ui.selection.count > 1;
    int64_t *nodes =
        selected ? selected_chains(x, &arena, &count) : chains_here(x, &arena, &count, &more);
    if (nodes && count > 1) {
        app_push(x, strategies_view_new(&x->ui, nodes, count));
        if (more)
            ui_message(&x->ui, "the newest %d chains on this question", STRATEGIES_MAX);
    } else if (nodes) {
        ui_message(&x->ui, selected
                               ? "fewer than two of the selected are chains"
                               : "no other chain has this question; select the chains to compare");
    }
}

static bool is_retrieval(struct app *x, int64_t node)
{
    const struct memory_row *row = node > 0 ? details_row(x, node) : NULL;
    return row && row->ref.kind == KIND_ATTRIBUTION;
}

/* The document or chain under the cursor, else that of the view. */
static int64_t current_checkable(struct app *x)
{
    int64_t node = view_node(x->nav.top);
    return is_retrieval(x, node) ? node : view_about(x->nav.top);
}

const char *blocked_check(struct app *x)
{
    return is_retrieval(x, current_checkable(x)) ? NULL
                                                 : "only a logged retrieval has a hash to check";
}

struct check_job {
    struct job job;
    struct app *app;
    int64_t node;
    char *path; /* NULL for the stored content */
    struct retrieval_checked checked;
};

static int tick(void *arg, int64_t bytes)
{
    struct check_job *j = arg;
    (void)bytes;
    return atomic_load(&j->job.cancelled);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct check_job *j = (struct check_job *)job;
    AUTO_ARENA arena = ARENA_INIT;
    struct digest found;
    int result = j->path ? file_hash(j->path, tick, j, &found, e) : 0;
    if (!result)
        result = retrieval_compare(r, &arena, j->node, j->path ? &found : NULL, &j->checked, e);
    j->checked.ref.id = NULL; /* it points into the arena */
    return result ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct check_job *j = (struct check_job *)job;
    const char *what = j->path ? j->path : "the stored content";
    if (e->code) {
        ui_error(&j->app->ui, e);
        return;
    }
    switch (j->checked.result) {
    case HASH_EQUAL:
        ui_message(&j->app->ui, "equal: %s has the recorded hash", what);
        break;
    case HASH_DIFFERS:
        ui_message(&j->app->ui, "differs: %s does not have the recorded hash", what);
        break;
    case HASH_ABSENT:
        ui_message(&j->app->ui, "no hash was recorded, so %s cannot be checked", what);
        break;
    case HASH_NOTHING:
        ui_message(&j->app->ui, "only the hash is stored: :check FILE compares a file");
        break;
    }
}

static void release(struct job *job)
{
    struct check_job *j = (struct check_job *)job;
    free(j->path);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "checking a hash", .run = run, .done = done, .release = release};

void act_check(struct app *x, const char *argument)
{
    struct check_job *j = xcalloc(1, sizeof(*j));
    const char *home = getenv("HOME");
    j->app = x;
    j->node = current_checkable(x);
    if (strncmp(argument, "~/", 2) == 0 && home)
        j->path = xformat("%s%s", home, argument + 1);
    else if (*argument)
        j->path = xstrdup(argument);
    worker_submit(&x->data.worker, &j->job, &job_ops, &job_ops, 0);
}
