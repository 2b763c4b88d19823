#include "tui/view/events/audit_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "store/query/ref.h"
#include "tui/explorer/app.h"
#include "tui/render/session_print.h"
#include "tui/text/match.h"
#include "tui/text/text.h"

#define VALUE_MAX ACTOR_MAX

struct filter_reading {
    struct app *app;
    struct activity_filter *out;
};

/* A column of the filter: its name, and the function that parses its value. */
struct column {
    const char *name, *about;
    const char *of_session; /* the corresponding column of sessions; NULL if there is none */
    bool (*take)(struct filter_reading *r, const struct column *c, const char *value);
    size_t at, size;
};

static bool refuse(struct filter_reading *r, const char *what, const char *value)
{
    ui_message(&r->app->ui, "%s: \"%.80s\"", what, value);
    return false;
}

static bool take_text(struct filter_reading *r, const struct column *c, const char *value)
{
    if (strlen(value) >= c->size)
        return refuse(r, "this name is too long", value);
    snprintf((char *)r->out + c->at, c->size, "%s", value);
    return true;
}

static bool take_kind(struct filter_reading *r, const struct column *c, const char *value)
{
    (void)c;
    int kind = kind_from_name(value, strlen(value));
    if (kind < 0)
        return refuse(r, "there is no kind of memory called that", value);
    r->out->kinds = KIND_BIT(kind);
    return true;
}

static bool take_memory(struct filter_reading *r, const struct column *c, const char *value)
{
    (void)c;
    struct error e;
    int64_t node = ref_resolve(r->app->data.reader, value, &e);
    if (node <= 0)
        return refuse(r,
                      e.code == ERROR_INVALID ? "several memories begin with that"
                                              : "there is no such memory",
                      value);
    r->out->subject = node;
    return true;
}

static bool take_session(struct filter_reading *r, const struct column *c, const char *value)
{
    (void)c;
    AUTO_ARENA arena = ARENA_INIT;
    struct session_row row;
    struct error e;
    bool found = !session_find(r->app->data.reader, &arena, value, &row, &e);
    if (found)
        r->out->session = row.id;
    return found ? true
                 : refuse(r,
                          e.code == ERROR_INVALID ? "several sessions begin with that"
                                                  : "there is no such session",
                          value);
}

static bool take_time(struct filter_reading *r, const struct column *c, const char *value)
{
    int64_t *to = (int64_t *)(void *)((char *)r->out + c->at);
    if (clock_parse_when(value, store_now(r->app->data.store), to))
        return refuse(r, "give a date, \"last week\" or \"2 days ago\"", value);
    *to = *to ? *to : 1;
    return true;
}

static const char *const type_names[] = {"changes", "reads", "refusals", "cancellations"};
#define TYPES (sizeof(type_names) / sizeof(type_names[0]))

static bool take_type(struct filter_reading *r, const struct column *c, const char *value)
{
    (void)c;
    for (unsigned i = 0; i < TYPES; i++)
        if (!strcmp(value, type_names[i])) {
            r->out->types = 1u << i;
            return true;
        }
    return refuse(r, "only changes, reads, refusals or cancellations", value);
}

#define FIELD(name)                                                                                \
    offsetof(struct activity_filter, name), sizeof(((struct activity_filter *)0)->name)

static const struct column columns[] = {
    {"actor", "who did it: a person or an agent", "the agent, or its client", take_text,
     FIELD(actor)},
    {"operation", "the operation, or the tool of a call", NULL, take_text, FIELD(operation)},
    {"kind", "the kind of the memory", NULL, take_kind, 0, 0},
    {"memory", "a ref, or its beginning", NULL, take_memory, 0, 0},
    {"session", "its number, or the beginning of its uuid",
     "its number, or the beginning of its uuid", take_session, 0, 0},
    {"correlation", "changes made together", NULL, take_text, FIELD(correlation)},
    {"since", "a date, yesterday, \"2 days ago\"", "it had not ended by then", take_time,
     FIELD(since)},
    {"until", "the same", "it had begun by then", take_time, FIELD(until)},
    {"only", "changes, reads, refusals or cancellations", NULL, take_type, 0, 0},
    /* Other names: what lists and commands use. */
    {"ref", NULL, NULL, take_memory, 0, 0},
    {"agent", NULL, "the agent, or its client", take_text, FIELD(actor)},
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const struct column *column_named(const char *name, size_t len)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (strlen(columns[i].name) == len && !memcmp(columns[i].name, name, len))
            return &columns[i];
    return NULL;
}

struct filter_field audit_filter_field(int i)
{
    return (struct filter_field){i < (int)COLUMNS ? columns[i].name : NULL, NULL};
}

/* ---- words ---- */

struct word {
    const char *from, *to;       /* position in the line, including quotes */
    const struct column *column; /* NULL for a plain word */
    char value[VALUE_MAX];       /* without quotes */
    bool open;                   /* its quote is not closed */
    bool too_long;
};

static void add_char(struct word *w, size_t *len, char c)
{
    w->too_long = *len + 1 >= sizeof(w->value);
    if (!w->too_long)
        w->value[(*len)++] = c;
    w->value[*len] = '\0';
}

/* Returns false at the end of the line. */
static bool next_word(const char **at, struct word *w)
{
    const char *s = *at + strspn(*at, " ");
    size_t len = 0;
    *w = (struct word){.from = s};
    if (!*s)
        return false;
    for (; *s && (w->open || *s != ' '); s++) {
        if (*s == ':' && !w->column && !w->open && s > w->from &&
            (w->column = column_named(w->from, (size_t)(s - w->from)))) {
            w->value[len = 0] = '\0';
            continue;
        }
        if (*s == '"') {
            w->open = !w->open;
            continue;
        }
        if (w->open && *s == '\\' && (s[1] == '"' || s[1] == '\\'))
            s++;
        add_char(w, &len, *s);
    }
    w->to = *at = s;
    return true;
}

static bool add_pattern(struct filter_reading *r, const char *word)
{
    char *pattern = r->out->pattern;
    size_t size = sizeof(r->out->pattern), at = strlen(pattern), len = strlen(word);
    if (at + (at > 0) + len >= size)
        return refuse(r, "this is too long to search for", word);
    if (at > 0)
        pattern[at++] = ' ';
    memcpy(pattern + at, word, len + 1);
    return true;
}

static bool take_word(struct filter_reading *r, const struct word *w, bool sessions)
{
    if (w->too_long)
        return refuse(r, "this is too long", w->value);
    if (!w->column)
        return add_pattern(r, w->value);
    if (sessions && !w->column->of_session)
        return refuse(r, "that is of what happens in a session, which Tab shows", w->column->name);
    return !*w->value || w->column->take(r, w->column, w->value);
}

bool audit_filter_read(struct view *v, const char *text, bool sessions, struct activity_filter *f)
{
    struct activity_filter filter = {.session = 0};
    struct filter_reading r = {v->app, &filter};
    const char *at = text;
    struct word w;
    while (next_word(&at, &w))
        if (!take_word(&r, &w, sessions))
            return false;
    v->filter_columns = strcmp(text, filter.pattern) != 0;
    *f = filter;
    return true;
}

static void audit_filter_add(struct strbuf *out, const char *name, const char *value)
{
    bool quoted = !*value || strpbrk(value, " \"\\") != NULL;
    strbuf_addf(out, "%s%s:%s", out->len ? " " : "", name, quoted ? "\"" : "");
    for (; *value; value++) {
        if (*value == '"' || (quoted && *value == '\\'))
            strbuf_addch(out, '\\');
        strbuf_addch(out, *value);
    }
    if (quoted)
        strbuf_addch(out, '"');
}

void audit_filter_put(struct strbuf *out, const char *text, const char *name, const char *value)
{
    struct word w;
    while (next_word(&text, &w)) {
        if (w.column && !strcmp(w.column->name, name))
            continue;
        if (out->len > 0)
            strbuf_addch(out, ' ');
        strbuf_add(out, w.from, (size_t)(w.to - w.from));
    }
    audit_filter_add(out, name, value);
}

/* ---- completions ---- */

/* Finds the last word, if the line does not end after it. */
static bool last_word(const char *text, struct word *last)
{
    const char *at = text;
    struct word w;
    *last = (struct word){.from = text + strlen(text)};
    while (next_word(&at, &w))
        *last = w;
    return last->to && !*last->to;
}

struct offer {
    struct app *app;
    const struct word *word;
    bool sessions;
};

static void offer(const struct offer *o, const char *value, const char *about)
{
    AUTO_STRBUF word = STRBUF_INIT;
    const char *typed = o->word->value;
    int score = strncmp(value, typed, strlen(typed)) ? 1 : 0;
    if (*typed && score && !match_text(value, typed))
        return;
    audit_filter_add(&word, o->word->column->name, value);
    prompt_offer(&o->app->ui, word.buf, about, NULL, score);
}

/* Sessions are compared by the name that is shown. Events are compared by the stored name, so a masked name cannot be
 * offered. */
static void offer_name(const struct offer *o, const char *name, const char *about)
{
    AUTO_STRBUF shown = STRBUF_INIT;
    ui_mask_name(&o->app->ui, name, &shown);
    if (o->sessions || (shown.buf && !strcmp(shown.buf, name)))
        offer(o, shown.buf, about);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#define RECENT 10000 /* events */

static void offer_names(const struct offer *o, const char *const *names, size_t count,
                        const char *const *others, size_t other_count, const char *about)
{
    const char *you = o->app->options->person;
    for (size_t i = 0; i < count; i++)
        if ((!you || o->sessions || strcmp(names[i], you) != 0) &&
            (!other_count || !bsearch(&names[i], others, other_count, sizeof(*others), by_name)))
            offer_name(o, names[i], about);
}

/* Offers recent actors, and agents whose calls all failed: those have sessions but no events. */
static void offer_actors(const struct offer *o)
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

static void offer_operations(const struct offer *o)
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
        offer(o, others[i][0], others[i][1]);
    for (int i = 0; i < OPERATION_COUNT; i++)
        offer(o, display_name(op_spec((enum operation)i)->name), op_spec((enum operation)i)->about);
}

#define SESSIONS_MAX 1000 /* limit for ended sessions, newest first */
#define NAME_SHOWN   24   /* columns of the client's name */

/* Offers a session by its number, or by the start of its uuid. */
static void offer_session(const struct offer *o, const struct session_row *s)
{
    const char *typed = o->word->value;
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
    offer(o, id, about.buf);
}

/* Offers connected sessions, then ended ones, newest first. */
static void offer_sessions(const struct offer *o)
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

static void offer_times(const struct offer *o)
{
    static const char *const times[] = {"today", "yesterday", "1h", "1d", "1w", "1mo"};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        offer(o, times[i], i < 2 ? "" : "ago");
}

static void offer_values(const struct offer *o)
{
    const char *name = o->word->column->name;
    if (o->word->column->at == offsetof(struct activity_filter, actor) && o->word->column->size)
        offer_actors(o);
    else if (!strcmp(name, "operation"))
        offer_operations(o);
    else if (!strcmp(name, "session"))
        offer_sessions(o);
    else if (o->word->column->take == take_time)
        offer_times(o);
    for (int i = 0; !strcmp(name, "kind") && i < KIND_COUNT; i++)
        offer(o, kind_name((enum kind)i), "");
    for (size_t i = 0; !strcmp(name, "only") && i < TYPES; i++)
        offer(o, type_names[i], "");
}

/* Offers completions for the last word, for events or sessions. */
static void audit_filter_offer(struct app *x, const char *text, bool sessions)
{
    struct word w;
    char word[64];
    bool typed = last_word(text, &w);
    prompt_offer_none(&x->ui);
    if (typed && w.column) {
        struct offer o = {x, &w, sessions};
        if (!sessions || w.column->of_session)
            offer_values(&o);
        return;
    }
    size_t len = typed ? (size_t)(w.to - w.from) : 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *about = sessions ? columns[i].of_session : columns[i].about;
        if (!about || strncmp(columns[i].name, w.from, len) != 0)
            continue;
        snprintf(word, sizeof(word), "%s:", columns[i].name);
        prompt_offer(&x->ui, word, about, NULL, 0);
    }
}

static bool of_sessions(struct view *top)
{
    return view_is(top, "sessions");
}

static void filter_field_offer(struct app *x, const char *text)
{
    audit_filter_offer(x, text, of_sessions(x->nav.top));
}

/* Ignores a column whose value is still typed, since half a value would match nothing. */
static void changed(struct app *x, const char *text)
{
    char whole[PROMPT_MAX];
    struct word w;
    filter_field_offer(x, text);
    snprintf(whole, sizeof(whole), "%s", text);
    if (last_word(text, &w) && w.column)
        whole[w.from - text] = '\0';
    view_filter(x->nav.top, whole);
}

/* Replaces the word by the chosen completion. */
static void complete(struct ui *ui)
{
    const struct offers *p = &ui->prompt.offers;
    AUTO_STRBUF text = STRBUF_INIT;
    struct word w;
    if (p->count == 0)
        return;
    const char *word = p->item[p->selected].word, *typed = ui->prompt.line.text;
    strbuf_add(&text, typed, last_word(typed, &w) ? (size_t)(w.from - typed) : strlen(typed));
    strbuf_addf(&text, "%s%s", word, word[strlen(word) - 1] == ':' ? "" : " ");
    prompt_set(ui, text.buf);
}

static bool key(struct app *x, const struct input_event *event)
{
    if (event->key == KEY_TABULATOR || (event->key == KEY_RETURN && x->ui.prompt.offers.moved)) {
        complete(&x->ui);
        return true;
    }
    return x->ui.prompt.offers.count > 0 && prompt_choose(&x->ui, event->key);
}

static void accepted(struct app *x, const char *text)
{
    view_filter(x->nav.top, text);
}

static void abandoned(struct app *x)
{
    view_filter(x->nav.top, "");
}

#define PROMPT(words)                                                                              \
    {                                                                                              \
        .prefix = "\\", .hint = words, .enter = "filter", .history = HISTORY_AUDIT,                \
        .type_ahead = true, .moves = app_move_key, .offers = true, .changed = changed,             \
        .accepted = accepted, .abandoned = abandoned, .key = key,                                  \
    }

static const struct prompt_ops of_events =
    PROMPT("words, or actor:ash operation:edit since:yesterday");
static const struct prompt_ops sessions = PROMPT("words, or actor:ash since:yesterday");

void filter_field_ask(struct view *v)
{
    struct app *x = v->app;
    prompt_open(&x->ui, of_sessions(x->nav.top) ? &sessions : &of_events, v->filter);
    filter_field_offer(x, x->ui.prompt.line.text);
}
