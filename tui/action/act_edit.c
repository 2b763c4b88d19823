/* Editing a memory: its fields in a form, or its text in the person's editor. */
#include "tui/action/actions.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/editor.h"
#include "tui/explorer/form.h"
#include "tui/view/memory/view_memory.h"

const char *blocked_edit(struct app *x)
{
    const char *why = acting_blocked(x);
    const struct memory_row *row = details_row(x, acting_subject(x));
    if (why || x->ui.marks.count > 1)
        return why;
    if (!row)
        return "there is no memory here";
    return row->status == STATUS_PURGED    ? "it was purged: nothing of it is kept"
           : row->status == STATUS_MISSING ? "it is only named by others: there is nothing to edit"
                                           : NULL;
}

const char *blocked_edit_outside(struct app *x)
{
    const char *why = blocked_one(x);
    return why ? why : blocked_edit(x);
}

/* The memory that a ref names, or the one here; 0 where it was said why there is none. */
static int64_t subject(struct app *x, const char *argument)
{
    struct error e;
    if (!*argument)
        return acting_subject(x);
    int64_t node = ref_resolve(x->data.reader, argument, &e);
    if (node > 0)
        return node;
    app_fail(x, &e);
    return 0;
}

/* ---- several at once ---- */

static struct deed *make_edit_of_all(struct app *x, struct form *f, size_t *wrong, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct deed *d = NULL;
    q.nodes = f->nodes;
    q.node_count = f->node_count;
    if (form_take_edit(f, &arena, &q, wrong, e) == 0) {
        d = deed_new(OPERATION_EDIT, &q, DEED_TYPED | DEED_MARKED);
        acting_name(x, d);
    }
    arena_release(&arena);
    return d;
}

static const struct form_ops edit_all_form = {.name = "edit", .make = make_edit_of_all};

/* What is typed is said of all that are marked; an empty row leaves each as it is. */
static void edit_marked(struct app *x)
{
    bool marked;
    struct strbuf title = STRBUF_INIT;
    struct form *f = form_new(&edit_all_form);
    f->nodes = acting_subjects(x, &f->arena, &f->node_count, &marked);
    strbuf_addf(&title, "edit the %zu marked: what is left empty stays as it is", f->node_count);
    f->title = arena_strdup(&f->arena, title.buf);
    strbuf_release(&title);
    form_add_common(f, NULL);
    form_add_why(f);
    form_open(x, f);
}

void act_edit(struct app *x, const char *argument)
{
    struct error e;
    const char *why = acting_blocked(x);
    if (!why && !*argument && x->ui.marks.count > 1) {
        edit_marked(x);
        return;
    }
    int64_t node = why ? 0 : subject(x, argument);
    if (why)
        app_say(x, "%s", why);
    const struct memory_row *row = node > 0 ? details_row(x, node) : NULL;
    if (node <= 0 || (row && acting_reopen(x, &edit_form, node, row->ref.kind)))
        return;
    struct form *f = edit_form_new(x, node, &e);
    if (f)
        form_open(x, f);
    else
        app_fail(x, &e);
}

/* ---- the editor ---- */

/* What the editor left of a text becomes the form's, which says what is done with it. */
static void edited(struct app *x, struct form *f, struct strbuf *text, bool failed, struct error *e)
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
    } else if (failed) { /* perhaps half of it: not what the next Enter saves */
        form_offer(f, text->buf, text->len);
        form_open(x, f);
    } else {
        form_offer(f, NULL, 0);
        form_set_bytes(field, text->buf, text->len);
        f->selected = f->count - 1;
        form_open(x, f);
        app_say(x, "Enter saves it; the reason may be left empty");
    }
    if (failed)
        app_fail(x, e);
}

void act_edit_outside(struct app *x, const char *argument)
{
    struct strbuf text = STRBUF_INIT;
    struct error e = {0};
    int64_t node = subject(x, argument);
    const char *why = acting_blocked(x);
    if (node <= 0)
        return;
    if (why) {
        app_say(x, "%s", why);
        return;
    }
    struct form *f = edit_form_new(x, node, &e);
    if (!f) {
        app_fail(x, &e);
        return;
    }
    /* What was typed before goes on. */
    if (acting_reopen(x, &edit_form, node, f->kind)) {
        form_free(f);
        f = form_take_away(x);
    }
    if (f->offer)
        strbuf_add(&text, f->offer, f->offer_len);
    else
        strbuf_add(&text, form_value(&f->field[0]), form_length(&f->field[0]));
    bool failed = editor_run(x, "memory.txt", &text, &e) != 0;
    edited(x, f, &text, failed, &e);
    strbuf_release(&text);
}
