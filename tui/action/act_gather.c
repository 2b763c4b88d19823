/*
 * What takes several memories together: an episode and the beliefs that it bears on; a belief and what it was
 * consolidated from.
 */
#include "tui/action/actions.h"

#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/form.h"

#define MARKED_MOST 500 /* rows of marked beliefs in a form */

static const char *const verdicts[] = {"neither", "confirms", "contradicts", NULL};

static const struct memory_row *here(struct app *x)
{
    int64_t node = view_node(x->nav.top);
    return details_row(x, node > 0 ? node : view_about(x->nav.top));
}

const char *blocked_revise(struct app *x)
{
    const struct memory_row *row = here(x);
    const char *why = acting_blocked(x);
    return why                             ? why
           : !row                          ? "there is no memory here"
           : row->ref.kind != KIND_EPISODE ? "beliefs are revised from an episode"
           : !STATUS_LIVES(row->status)    ? "it does not live any more"
                                           : NULL;
}

const char *blocked_consolidate(struct app *x)
{
    const struct memory_row *row = here(x);
    const char *why = acting_blocked(x);
    return why                          ? why
           : !row                       ? "there is no memory here"
           : !STATUS_LIVES(row->status) ? "it does not live any more"
                                        : NULL;
}

static void add_ref(struct strbuf *out, const struct memory_row *row)
{
    strbuf_addstr(out, out->len ? ", " : "");
    ref_add(out, row->ref);
}

static struct form *begin(struct app *x, const struct form_ops *ops)
{
    struct form *f = form_new(ops);
    f->node = here(x)->node;
    f->kind = here(x)->ref.kind;
    return f;
}

static struct deed *finish(struct app *x, const struct form *f, enum operation op,
                           struct request *q)
{
    q->nodes = &f->node;
    q->node_count = 1;
    q->reason = form_text(f, "why");
    struct deed *d = deed_new(op, q, DEED_TYPED);
    acting_name(x, d);
    return d;
}

/* ---- revise ---- */

/* The refs of the rows with that verdict, and those that are typed. */
static void gather(const struct form *f, const char *verdict, struct arena *arena,
                   const char ***list, size_t *count)
{
    const char **typed;
    size_t typed_count;
    form_list(f, verdict, arena, &typed, &typed_count);
    *list = arena_array(arena, f->count + typed_count, sizeof(**list));
    *count = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->field[i].choices == verdicts && !strcmp(form_value(&f->field[i]), verdict))
            (*list)[(*count)++] = f->field[i].name;
    for (size_t i = 0; i < typed_count; i++)
        (*list)[(*count)++] = typed[i];
}

static struct deed *make_revision(struct app *x, struct form *f, size_t *wrong, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct deed *d = NULL;
    (void)wrong;
    gather(f, "confirms", &arena, &q.evidence, &q.evidence_count);
    gather(f, "contradicts", &arena, &q.contradicts, &q.contradict_count);
    if (q.evidence_count + q.contradict_count == 0)
        error_set(e, ERROR_INVALID, "", "say what it confirms or contradicts");
    else
        d = finish(x, f, OPERATION_REVISE, &q);
    arena_release(&arena);
    return d;
}

static const struct form_ops revise_form = {.name = "revise", .make = make_revision};

/* A row for each marked one, but for the episode itself. */
static void add_marked(struct app *x, struct form *f)
{
    for (int64_t n = marks_next(&x->ui.marks, 0); n > 0 && f->count < MARKED_MOST;
         n = marks_next(&x->ui.marks, n)) {
        const struct memory_row *row = n == f->node ? NULL : details_row(x, n);
        struct strbuf ref = STRBUF_INIT;
        if (!row)
            continue;
        add_ref(&ref, row);
        const char *name = arena_strdup(&f->arena, ref.buf);
        const char *help = arena_strdup(&f->arena, row->text ? row->text : "");
        strbuf_release(&ref);
        if (!name || !help)
            continue;
        struct form_field *field = form_add(f, name, VALUE_TEXT, "neither", help);
        field->choices = verdicts;
        field->only = true;
    }
}

void act_revise(struct app *x, const char *argument)
{
    const char *why = blocked_revise(x);
    (void)argument;
    if (why) {
        app_say(x, "%s", why);
        return;
    }
    if (acting_reopen(x, &revise_form, here(x)->node, KIND_EPISODE))
        return;
    struct form *f = begin(x, &revise_form);
    add_marked(x, f);
    form_add(f, "confirms", VALUE_REFS, "", "refs of what it bears out, with commas between");
    form_add(f, "contradicts", VALUE_REFS, "", "refs of what it speaks against");
    form_add_why(f);
    form_name(x, f, "revise from");
    form_open(x, f);
}

/* ---- consolidate ---- */

static struct deed *make_consolidation(struct app *x, struct form *f, size_t *wrong,
                                       struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct deed *d = NULL;
    *wrong = 0;
    q.date = form_text(f, "date");
    form_list(f, "evidence", &arena, &q.evidence, &q.evidence_count);
    if (q.evidence_count == 0)
        error_set(e, ERROR_INVALID, "", "name what was looked over");
    else
        d = finish(x, f, OPERATION_CONSOLIDATE, &q);
    arena_release(&arena);
    return d;
}

static const struct form_ops consolidate_form = {.name = "consolidate", .make = make_consolidation};

void act_consolidate(struct app *x, const char *argument)
{
    struct strbuf refs = STRBUF_INIT;
    char today[64];
    const char *why = blocked_consolidate(x);
    if (why) {
        app_say(x, "%s", why);
        return;
    }
    if (acting_reopen(x, &consolidate_form, here(x)->node, here(x)->ref.kind))
        return;
    struct form *f = begin(x, &consolidate_form);
    strbuf_addstr(&refs, argument);
    for (int64_t n = marks_next(&x->ui.marks, 0); n > 0; n = marks_next(&x->ui.marks, n)) {
        const struct memory_row *row = n == f->node ? NULL : details_row(x, n);
        if (row)
            add_ref(&refs, row);
    }
    clock_format_iso(today, sizeof(today), store_now(x->data.store));
    today[10] = '\0';
    form_add(f, "evidence", VALUE_REFS, refs.buf,
             "refs of what was looked over together, with commas between");
    form_add(f, "date", VALUE_TEXT, today, "the day, as 2026-02-01");
    form_add_why(f);
    form_name(x, f, "consolidate");
    form_open(x, f);
    strbuf_release(&refs);
}
