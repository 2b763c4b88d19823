/* Operations that are typed: in a form, or the text of a memory in the person's editor. */
#include "tui/action/actions.h"

#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/editor.h"
#include "tui/explorer/form.h"

/* Of the memory that a ref names, or of the one here; NULL where it was said why there is none. */
static const struct memory_row *subject(struct app *x, const char *argument)
{
    struct error e;
    int64_t node = *argument ? ref_resolve(x->data.reader, argument, &e) : acting_subject(x);
    if (node <= 0)
        app_fail(x, &e);
    return details_row(x, node);
}

/* The form of the operation of the action, about the memory under the cursor. */
static void begin_here(struct app *x, enum form_as as, const char *typed)
{
    const struct memory_row *row = details_row(x, app_here(x));
    form_begin(x, as, row->node, row->ref.kind, typed);
}

void act_edit(struct app *x, const char *argument)
{
    bool marked = !*argument && x->ui.marks.count > 1;
    const struct memory_row *row = marked ? NULL : subject(x, argument);
    if (marked)
        form_begin(x, FORM_EDIT_MARKED, 0, KIND_COUNT, "");
    else if (row)
        form_begin(x, FORM_EDIT, row->node, row->ref.kind, "");
}

/* What the editor left of a text becomes the form's, which says what is done with it. */
static void edited(struct app *x, struct form *f, const struct strbuf *text)
{
    struct form_field *field = &f->field[0];
    bool same = text->len == form_length(field) && !memcmp(text->buf, form_value(field), text->len);
    bool empty = text->len == strspn(text->buf, " \t\r\n");
    if (same || empty) {
        if (form_touched(f)) /* what was typed before */
            form_open(x, f);
        else
            form_free(f);
        app_say(x,
                same ? "the editor changed nothing" : "the text was emptied: nothing was changed");
        return;
    }
    form_set_bytes(field, text->buf, text->len);
    f->selected = f->count - 1;
    form_open(x, f);
    app_say(x, "Enter saves it; the reason may be left empty");
}

void act_edit_outside(struct app *x, const char *argument)
{
    struct strbuf text = STRBUF_INIT;
    struct error e = {0};
    const struct memory_row *row = subject(x, argument);
    struct form *f = NULL;
    if (!row)
        return;
    /* What was typed before goes on. */
    if (acting_reopen(x, FORM_EDIT, row->node, row->ref.kind))
        f = form_take_away(x);
    else
        f = form_make(x, FORM_EDIT, row->node, row->ref.kind, "", &e);
    if (!f) {
        app_fail(x, &e);
        return;
    }
    strbuf_add(&text, form_value(&f->field[0]), form_length(&f->field[0]));
    if (editor_run(x, "memory.txt", &text, &e)) {
        if (form_touched(f))
            form_open(x, f);
        else
            form_free(f);
        app_fail(x, &e);
    } else {
        edited(x, f, &text);
    }
    strbuf_release(&text);
}

/* ---- add ---- */

static void kind_chosen(struct app *x, const struct popup_item *item)
{
    form_begin(x, FORM_ADD, 0, (enum kind)item->value, "");
}

void act_add(struct app *x, const char *argument)
{
    size_t len = strcspn(argument, " ");
    int kind = kind_from_name(argument, len);
    const struct memory_row *here = details_row(x, app_here(x));
    if (kind >= 0) {
        form_begin(x, FORM_ADD, 0, (enum kind)kind, argument + len + strspn(argument + len, " "));
    } else if (*argument) {
        app_say(x, "there is no kind of memory called %.*s", (int)len, argument);
    } else {
        popup_open(&x->ui.popup, "add what?", kind_chosen);
        for (int i = 0; i < KIND_COUNT; i++) {
            const struct kind_spec *spec = kind_spec((enum kind)i);
            popup_add(&x->ui.popup, (uint32_t)spec->letter, spec->name, spec->about)->value = i;
        }
        x->ui.popup.selected = here ? (size_t)here->ref.kind : KIND_BELIEF;
    }
}

void act_seed(struct app *x, const char *argument)
{
    form_begin(x, FORM_SEED, 0, KIND_BELIEF, argument);
}

/* ---- of one memory ---- */

void act_revise(struct app *x)
{
    begin_here(x, FORM_REVISE, "");
}

void act_consolidate(struct app *x, const char *argument)
{
    begin_here(x, FORM_CONSOLIDATE, argument);
}

void act_supersede(struct app *x, const char *argument)
{
    struct request q = REQUEST_INIT;
    int64_t node = acting_subject(x);
    if (!*argument) {
        form_begin(x, FORM_SUPERSEDE, node, KIND_BELIEF, "");
        return;
    }
    q.nodes = &node;
    q.node_count = 1;
    q.text = argument;
    q.text_len = strlen(argument);
    acting_run(x, OPERATION_SUPERSEDE, &q, DEED_TYPED | DEED_REASON);
}
