/* The prompt for a query, and the names that the store knows. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "store/query/known_names.h"
#include "tui/explorer/app.h"
#include "tui/render/session_print.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

/* ---- names ---- */

struct offering {
    struct app *app;
    struct query_offering *to;
    const char *typed;
    bool sessions;
};

/* Sessions are compared by the name that is shown. Events are compared by the stored name, so a masked name cannot be
 * offered. */
static void offer_name(const struct offering *o, const char *name, const char *about)
{
    AUTO_STRBUF shown = STRBUF_INIT;
    ui_mask_name(&o->app->ui, name, &shown);
    if (o->sessions || (shown.buf && !strcmp(shown.buf, name)))
        query_offer_value(o->to, shown.buf, about);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#define RECENT 10000 /* events */

static void offer_names(const struct offering *o, const char *const *names, size_t count,
                        const char *const *others, size_t other_count, const char *about)
{
    const char *you = o->app->options->person;
    for (size_t i = 0; i < count; i++)
        if ((!you || o->sessions || strcmp(names[i], you) != 0) &&
            (!other_count || !bsearch(&names[i], others, other_count, sizeof(*others), by_name)))
            offer_name(o, names[i], about);
}

/* Offers recent actors, and agents whose calls all failed: those have sessions but no events. */
static void offer_actors(const struct offering *o)
{
    struct reader *r = o->app->data.reader;
    AUTO_ARENA arena = ARENA_INIT;
    const char **connected = NULL, **did = NULL, *you = o->app->options->person;
    struct error e;
    size_t count = 0, did_count = 0;
    int64_t last = journal_last(r, &e), after = last > RECENT ? last - RECENT : 0;
    if (session_agents(r, &arena, &connected, &count, &e))
        count = 0;
    if (o->sessions || journal_actors(r, &arena, &after, RECENT, &did, &did_count, &e) < 0)
        did_count = 0;
    if (you && !o->sessions)
        offer_name(o, you, "you");
    offer_names(o, connected, count, NULL, 0, "was connected");
    offer_names(o, did, did_count, connected, count, "made changes");
}

static void offer_operations(const struct offering *o)
{
    static const char *const others[][2] = {
        {"add", "a memory was written"},
        {"import", "imported from another store"},
        {"conflict", "changed here and in its source"},
        {"expire", "it expired"},
        {"sweep", "an expired value was removed"},
        {"source_added", "a response cited a passage"},
        {"done", "a response was finished"},
        {"end-session", "a person ended a session"},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        query_offer_value(o->to, others[i][0], others[i][1]);
    for (int i = 0; i < OPERATION_COUNT; i++)
        query_offer_value(o->to, display_name(op_spec((enum operation)i)->name),
                          op_spec((enum operation)i)->about);
}

#define SESSIONS_MAX 1000 /* limit for ended sessions, newest first */
#define NAME_SHOWN   24   /* columns of the client's name */

/* Offers a session by its number, or by the start of its uuid. */
static void offer_session(const struct offering *o, const struct session_row *s)
{
    const char *typed = o->typed;
    AUTO_STRBUF name = STRBUF_INIT, about = STRBUF_INIT;
    char id[24];
    snprintf(id, sizeof(id), "%lld", (long long)s->id);
    if (s->uuid && strncmp(id, typed, strlen(typed)) != 0 &&
        !strncmp(s->uuid, typed, strlen(typed)))
        snprintf(id, sizeof(id), "%.8s", s->uuid);
    session_name(s, &name);
    ui_mask(&o->app->ui, &name); /* mask before cutting */
    text_fit(&about, name.buf, name.len, NAME_SHOWN, TEXT_EXACT);
    strbuf_addstr(&about, ", ");
    session_state(s, &about);
    ui_mask(&o->app->ui, &about);
    query_offer_value(o->to, id, about.buf);
}

/* Offers connected sessions, then ended ones, newest first. */
static void offer_sessions(const struct offering *o)
{
    const struct live *live = &o->app->live;
    AUTO_ARENA arena = ARENA_INIT;
    struct session_row *rows;
    struct error e;
    size_t count;
    for (size_t i = 0; i < live->count; i++)
        offer_session(o, &live->session[i]);
    if (session_list(o->app->data.reader, &arena, SESSIONS_BY_ROW, INT64_MAX, SESSIONS_MAX, &rows,
                     &count, &e))
        count = 0;
    for (size_t i = 0; i < count; i++)
        if (!live_knows(&o->app->live, rows[i].id))
            offer_session(o, &rows[i]);
}

/* Agents with memories. */
static void offer_agents(const struct offering *o)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *names[KNOWN_NAMES_MAX];
    struct error e;
    int64_t total;
    size_t count;
    if (known_agents(o->app->data.reader, "", &arena, names, &count, &total, &e))
        count = 0;
    for (size_t i = 0; i < count; i++)
        offer_name(o, names[i], "");
}

static void offer_list(const struct offering *o,
                       int (*read)(struct reader *r, struct arena *arena, const char ***names,
                                   size_t *count, struct error *e))
{
    AUTO_ARENA arena = ARENA_INIT;
    const char **names;
    struct error e;
    size_t count;
    if (read(o->app->data.reader, &arena, &names, &count, &e))
        count = 0;
    for (size_t i = 0; i < count; i++)
        query_offer_value(o->to, names[i], "");
}

/* What the query of the prompt selects. */
static enum query_on selects(const struct app *x)
{
    bool filters = x->ui.prompt.ops->history == HISTORY_FILTER;
    return filters ? (enum query_on)x->nav.top->ops->query : QUERY_MEMORIES;
}

/* What lists show in their column of flags, then flags of other names. */
static void offer_flags(const struct offering *o)
{
    for (int i = 0; i < ROW_FLAGS; i++)
        query_offer_value(o->to, row_flag_name(i), "in the column of flags");
    offer_list(o, list_flags);
}

static void offer_store_names(void *arg, struct query_offering *to, enum query_field field,
                              const char *typed)
{
    struct app *x = arg;
    const struct offering o = {x, to, typed, selects(x) == QUERY_SESSIONS};
    if (field == QUERY_AGENT && selects(x) == QUERY_MEMORIES)
        offer_agents(&o);
    else if (field == QUERY_AGENT)
        offer_actors(&o);
    else if (field == QUERY_OPERATION)
        offer_operations(&o);
    else if (field == QUERY_SESSION)
        offer_sessions(&o);
    else if (field == QUERY_SOURCE)
        offer_list(&o, list_source_types);
    else if (field == QUERY_FLAG)
        offer_flags(&o);
}

static void offer_word(void *arg, const char *word, const char *about, int score)
{
    struct app *x = arg;
    prompt_offer(&x->ui, word, about, NULL, score);
}

static size_t offer(struct app *x, const char *text)
{
    const struct query_offers offers = {offer_word, offer_store_names, x};
    prompt_offer_none(&x->ui);
    return query_complete(text, selects(x), &offers);
}

/* ---- the prompt ---- */

/* Sets the filter, or shows in the prompt what is wrong with it. */
static bool try_filter(struct app *x, const char *text)
{
    struct prompt *p = &x->ui.prompt;
    struct query_place bad;
    struct error e;
    if (!view_set_filter(x->nav.top, text, &bad, &e)) {
        prompt_wrong(&x->ui, NULL, 0, 0);
        return true;
    }
    error_join(&e);
    prompt_wrong(&x->ui, e.what, bad.from, bad.to < p->line.len ? bad.to : p->line.len);
    return false;
}

/* A term that is still typed counts once it is no mistake; of events only when it is complete, since half a name has
 * none. */
static void changed(struct app *x, const char *text)
{
    char whole[PROMPT_MAX];
    struct query_place bad;
    struct error e;
    offer(x, text);
    if (x->nav.top->ops->query == QUERY_MEMORIES && !view_set_filter(x->nav.top, text, &bad, &e)) {
        prompt_wrong(&x->ui, NULL, 0, 0);
        return;
    }
    snprintf(whole, sizeof(whole), "%.*s", (int)query_whole(text), text);
    try_filter(x, whole);
}

/* Replaces the last term by the chosen candidate. */
static void complete(struct ui *ui)
{
    const struct offers *p = &ui->prompt.offers;
    AUTO_STRBUF text = STRBUF_INIT;
    if (p->count == 0)
        return;
    AUTO_STRBUF word = STRBUF_INIT;
    strbuf_addstr(&word, p->item[p->selected].word);
    strbuf_add(&text, ui->prompt.line.text, offer(ui->app, ui->prompt.line.text));
    strbuf_addf(&text, "%s%s", word.buf, word.buf[word.len - 1] == ':' ? "" : " ");
    prompt_set(ui, text.buf);
}

/* Enter keeps the prompt while the query is wrong. */
static bool key(struct app *x, const struct input_event *event)
{
    struct offers *p = &x->ui.prompt.offers;
    if (event->key == KEY_TABULATOR || (event->key == KEY_RETURN && p->moved)) {
        complete(&x->ui);
        return true;
    }
    if (event->key == KEY_RETURN)
        return !try_filter(x, x->ui.prompt.line.text);
    return p->count > 0 && prompt_choose(&x->ui, event->key);
}

static void accepted(struct app *x, const char *text)
{
    view_filter(x->nav.top, text);
}

static void abandoned(struct app *x)
{
    view_filter(x->nav.top, "");
}

static const struct prompt_ops query_prompt = {
    .prefix = "\\",
    .hint = "words, \"exact words\", /regex/, or a field: Tab lists them",
    .enter = "filter",
    .history = HISTORY_FILTER,
    .type_ahead = true,
    .moves = app_move_key,
    .offers = true,
    .changed = changed,
    .accepted = accepted,
    .abandoned = abandoned,
    .key = key,
};

void query_prompt_open(struct view *v)
{
    struct app *x = v->app;
    prompt_open(&x->ui, &query_prompt, v->filter);
    offer(x, x->ui.prompt.line.text);
}

/* ---- a search ---- */

static bool try_search(struct app *x, const char *text)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct query_terms terms;
    struct error e;
    if (!query_parse(text, QUERY_MEMORIES, times_clock(x->ui.now), &arena, &terms, &e)) {
        prompt_wrong(&x->ui, NULL, 0, 0);
        return true;
    }
    error_join(&e);
    prompt_wrong(&x->ui, e.what, terms.bad_from, terms.bad_to);
    return false;
}

void query_search_changed(struct app *x, const char *text)
{
    char whole[PROMPT_MAX];
    if (*text)
        offer(x, text);
    else
        prompt_offer_none(&x->ui);
    snprintf(whole, sizeof(whole), "%.*s", (int)query_whole(text), text);
    try_search(x, whole);
}

bool query_search_key(struct app *x, const struct input_event *event)
{
    bool enters = event->key == KEY_RETURN && !x->ui.prompt.offers.moved;
    return enters ? !try_search(x, x->ui.prompt.line.text) : key(x, event);
}
