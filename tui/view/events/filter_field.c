#include "tui/view/events/audit_filter.h"

#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"

static bool of_sessions(const struct app *x)
{
    return x->nav.top->ops->place == IN_SESSIONS;
}

static void offer(struct app *x, const char *text)
{
    audit_filter_offer(x, text, of_sessions(x));
}

/* The name of a column and half a value would leave nothing. */
static void changed(struct app *x, const char *text)
{
    char whole[PROMPT_MAX];
    offer(x, text);
    snprintf(whole, sizeof(whole), "%s", text);
    if (audit_filter_is_partial(text))
        whole[audit_filter_word(text)] = '\0';
    x->nav.top->ops->set_filter(x->nav.top, whole);
}

/* Puts what is chosen in the place of the word that is typed. */
static void complete(struct app *x)
{
    const struct offers *p = &x->ui.prompt.offers;
    struct strbuf text = STRBUF_INIT;
    if (p->count == 0)
        return;
    const char *word = p->item[p->selected].word;
    strbuf_add(&text, x->ui.prompt.line.text, audit_filter_word(x->ui.prompt.line.text));
    strbuf_addf(&text, "%s%s", word, word[strlen(word) - 1] == ':' ? "" : " ");
    prompt_set(&x->ui, text.buf);
    strbuf_release(&text);
}

static bool key(struct app *x, const struct input_event *event)
{
    if (event->key == KEY_TABULATOR || (event->key == KEY_RETURN && x->ui.prompt.offers.moved)) {
        complete(x);
        return true;
    }
    return x->ui.prompt.offers.count > 0 && prompt_choose(&x->ui, event->key);
}

static void accepted(struct app *x, const char *text)
{
    x->nav.top->ops->set_filter(x->nav.top, text);
}

static void abandoned(struct app *x)
{
    x->nav.top->ops->set_filter(x->nav.top, "");
}

#define PROMPT(words)                                                                              \
    {                                                                                              \
        .name = "filter", .prefix = "\\", .hint = words, .history = HISTORY_AUDIT,                 \
        .moves = app_move_key, .offers = true, .changed = changed, .accepted = accepted,           \
        .abandoned = abandoned, .key = key,                                                        \
    }

static const struct prompt_ops of_events =
    PROMPT("words, or actor:ash operation:edit since:yesterday");
static const struct prompt_ops sessions = PROMPT("words, or actor:ash since:yesterday");

void filter_field_ask(struct view *v)
{
    struct app *x = v->app;
    prompt_open(&x->ui, of_sessions(x) ? &sessions : &of_events, v->ops->filter(v));
    offer(x, x->ui.prompt.line.text);
}
