/* What a person typed for a deed that was not done: it is kept until it is done, or let go. */

#include "tui/explorer/app.h"

void acting_shelve(struct app *x, struct deed *d)
{
    d->shelf = x->acting.unsaved;
    x->acting.unsaved = d;
}

/* ---- what is to become of it ---- */

enum fate {
    TRY_AGAIN = 0,
    EDIT_AGAIN,
    LET_GO,
};

/* A form that was left was never made a deed of. */
static bool is_form_alone(const struct deed *d)
{
    return d->op == OPERATION_COUNT && !d->add.text;
}

static void edit_again(struct app *x, struct deed *d)
{
    form_open(x, d->form);
    d->form = NULL;
    deed_free(d);
}

bool acting_reopen(struct app *x, const struct form_ops *ops, int64_t node, enum kind kind)
{
    for (struct deed **at = &x->acting.unsaved; *at; at = &(*at)->shelf) {
        struct deed *d = *at;
        if (!d->form || d->form->ops != ops || d->form->node != node || d->form->kind != kind)
            continue;
        *at = d->shelf;
        d->shelf = NULL;
        edit_again(x, d);
        app_say(x, "what you typed before is here again");
        return true;
    }
    return false;
}

static void decided(struct app *x, const struct popup_item *item)
{
    struct deed *d = x->acting.unsaved;
    if (!d)
        return;
    x->acting.unsaved = d->shelf;
    d->shelf = NULL;
    if (item->value == TRY_AGAIN) {
        acting_do(x, d);
    } else if (item->value == EDIT_AGAIN) {
        edit_again(x, d);
    } else {
        deed_free(d);
        app_say(x, "it is gone");
    }
}

static void ask(struct app *x, const struct deed *d)
{
    struct acting *a = &x->acting;
    bool alone = is_form_alone(d);
    snprintf(a->title, sizeof(a->title), "not saved: %s%s%s", alone ? "" : deed_name(d),
             alone || !*d->about ? "" : " ", d->about);
    popup_open(&x->ui.popup, a->title, decided);
    if (d->form)
        popup_add(&x->ui.popup, 'e', "edit again", "as it was typed")->value = EDIT_AGAIN;
    if (!alone)
        popup_add(&x->ui.popup, 't', "try again", "as it was typed")->value = TRY_AGAIN;
    popup_add(&x->ui.popup, 'x', "let it go", "what was typed is dropped")->value = LET_GO;
    if (d->error.code)
        app_fail(x, &d->error);
}

void acting_offer(struct app *x, struct deed *d)
{
    acting_shelve(x, d);
    ask(x, d);
}

void acting_ask_unsaved(struct app *x)
{
    ask(x, x->acting.unsaved);
}
