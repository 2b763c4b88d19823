#include "happening_typed.h"

#include <stdio.h>
#include <string.h>
#include "../model/strbuf.h"
#include "app.h"
#include "audit_filter.h"
#include "happening_list.h"

static struct happening_list *list_of(struct view *v)
{
    return (struct happening_list *)v;
}

/* What is shown of one session alone stays that. */
static bool read_line(struct happening_list *l, const char *text, struct happening_filter *out)
{
    struct app *x = l->view.app;
    char why[160];
    if (!audit_filter_read(x, text, out, why, sizeof(why))) {
        app_say(x, "%s", why);
        return false;
    }
    if (l->session && out->session && out->session != l->session) {
        app_say(x, "here stands one session alone; 9 shows all");
        return false;
    }
    if (l->session)
        out->session = l->session;
    return true;
}

void happening_typed_begin(struct happening_list *l, const char *text)
{
    if (!read_line(l, text, &l->filter)) {
        l->filter = (struct happening_filter){.session = l->session};
        return;
    }
    snprintf(l->typed, sizeof(l->typed), "%s", text);
    happening_return_taken(l);
}

const char *happening_typed_filter(const struct view *v)
{
    return ((const struct happening_list *)v)->typed;
}

void happening_typed_set(struct view *v, const char *text)
{
    struct happening_list *l = list_of(v);
    struct happening_filter filter;
    bool was = *l->typed != '\0';
    if (!strcmp(l->typed, text)) {
        happening_return_taken(l);
        return;
    }
    if (!read_line(l, text, &filter))
        return;
    snprintf(l->typed, sizeof(l->typed), "%s", text);
    l->filter = filter;
    happening_list_refilter(l, was, *text != '\0');
}

/* ---- the field ---- */

/* The name of a column and half a value would leave nothing. */
static void changed(struct app *x, const char *text)
{
    char whole[PROMPT_MAX];
    audit_filter_offer(x, text);
    snprintf(whole, sizeof(whole), "%s", text);
    if (audit_filter_is_partial(text))
        whole[audit_filter_word(text)] = '\0';
    happening_typed_set(x->top, whole);
}

/* Puts what is chosen in the place of the word that is typed. */
static void complete(struct app *x)
{
    const struct palette *p = &x->palette;
    struct strbuf text = STRBUF_INIT;
    if (p->count == 0)
        return;
    const char *word = p->item[p->selected].word;
    strbuf_add(&text, x->prompt.line.text, audit_filter_word(x->prompt.line.text));
    strbuf_addf(&text, "%s%s", word, word[strlen(word) - 1] == ':' ? "" : " ");
    prompt_set(x, text.buf);
    strbuf_release(&text);
}

static bool key(struct app *x, const struct input_event *event)
{
    if (event->key == KEY_TABULATOR || (event->key == KEY_RETURN && x->palette.moved)) {
        complete(x);
        return true;
    }
    return x->palette.count > 0 && palette_choose(x, event->key);
}

static void accepted(struct app *x, const char *text)
{
    happening_typed_set(x->top, text);
}

static void abandoned(struct app *x)
{
    happening_typed_set(x->top, "");
}

static const struct prompt_ops prompt = {
    .name = "filter",
    .prefix = "\\",
    .hint = "words, or actor:ash operation:edit since:yesterday",
    .history = HISTORY_AUDIT,
    .moves_view = true,
    .offers = true,
    .changed = changed,
    .accepted = accepted,
    .abandoned = abandoned,
    .key = key,
};

void happening_typed_ask(struct view *v)
{
    prompt_open(v->app, &prompt, happening_typed_filter(v));
    audit_filter_offer(v->app, v->app->prompt.line.text);
}
