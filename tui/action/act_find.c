#include "tui/action/actions.h"

#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/action/view_help.h"
#include "tui/view/view_list.h"

/* ---- searching in the view ---- */

static void search_typed(struct app *x, const char *text)
{
    view_search(x->nav.top, text);
}

static void search_note(struct app *x, struct strbuf *out)
{
    const struct search *s = &x->nav.top->search;
    const char *more = glyph_text(&x->ui.screen, GLYPH_ELLIPSIS);
    if (s->count == 0)
        strbuf_addf(out, s->complete ? "no match" : "looking%s", more);
    else
        strbuf_addf(out, "%zu%s match%s", s->count, s->complete ? "" : more,
                    s->count == 1 ? "" : "es");
}

static void search_taken(struct app *x, const char *text)
{
    struct search *s = &x->nav.top->search;
    if (!*text || !s->complete)
        return;
    if (s->count == 0)
        app_say(x, "nothing here matches \"%s\"", text);
    else if (s->count == 1)
        app_say(x, "1 match for \"%s\"", text);
    else
        app_say(x, "%zu matches for \"%s\"; n and N go to the others", s->count, text);
}

static void search_left(struct app *x)
{
    view_search_abandon(x->nav.top);
}

static const struct prompt_ops search_prompt = {
    .name = "search",
    .prefix = "/",
    .hint = "what to find in this view",
    .history = HISTORY_SEARCH,
    .changed = search_typed,
    .accepted = search_taken,
    .abandoned = search_left,
    .note = search_note,
};

void act_search(struct app *x, const char *argument)
{
    view_search_begin(x->nav.top);
    if (*argument)
        view_search(x->nav.top, argument);
    else
        prompt_open(&x->ui, &search_prompt, "");
}

void act_search_next(struct app *x, const char *argument)
{
    (void)argument;
    view_search_next(x->nav.top, 1);
}

void act_search_previous(struct app *x, const char *argument)
{
    (void)argument;
    view_search_next(x->nav.top, -1);
}

const char *blocked_no_search(struct app *x)
{
    return *x->nav.top->search.pattern ? NULL : "nothing was searched for in this view; / does";
}

/* ---- filtering ---- */

static void filter_typed(struct app *x, const char *text)
{
    if (x->nav.top->ops->set_filter)
        x->nav.top->ops->set_filter(x->nav.top, text);
}

static void filter_left(struct app *x)
{
    filter_typed(x, "");
}

static const struct prompt_ops filter_prompt = {
    .name = "filter",
    .prefix = "\\",
    .hint = "what the lines must have in them",
    .history = HISTORY_FILTER,
    .moves = app_move_key,
    .changed = filter_typed,
    .accepted = filter_typed,
    .abandoned = filter_left,
};

void act_filter(struct app *x, const char *argument)
{
    if (*argument)
        filter_typed(x, argument);
    else if (x->nav.top->ops->ask_filter)
        x->nav.top->ops->ask_filter(x->nav.top);
    else
        prompt_open(&x->ui, &filter_prompt, x->nav.top->ops->filter(x->nav.top));
}

/* ---- the whole store ---- */

static void words_taken(struct app *x, const char *text)
{
    if (*text)
        app_push(x, list_view_search(x, text, 0));
}

static void words_left(struct app *x)
{
    (void)x;
}

static const struct prompt_ops words_prompt = {
    .name = "search the store",
    .prefix = "search the store: ",
    .hint = "words that must all be there",
    .history = HISTORY_SEARCH,
    .accepted = words_taken,
    .abandoned = words_left,
};

void act_search_store(struct app *x, const char *argument)
{
    if (*argument)
        words_taken(x, argument);
    else
        prompt_open(&x->ui, &words_prompt, x->nav.top->search.pattern);
}

/* ---- the rest ---- */

void act_command(struct app *x, const char *argument)
{
    (void)argument;
    palette_open(x);
}

void act_go(struct app *x, const char *argument)
{
    if (*argument)
        palette_goto(x, argument);
    else
        palette_open(x);
}

void act_help(struct app *x, const char *argument)
{
    (void)argument;
    if (x->nav.top->ops->place != IN_HELP)
        app_push(x, help_view_new(x));
    help_view_prompt(x);
}
