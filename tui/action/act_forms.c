/* Editing a memory: its fields in a form, or its text in the person's editor. */
#include "tui/action/actions.h"

#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/form_file.h"
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

static const char *const readings[] = {"any", "all", NULL};

/* Whose memory it is, unless it is said: the agent that is looked at, else the person. */
static const char *whose(const struct app *x)
{
    return x->prefs.agent ? x->prefs.agent : x->options->person ? x->options->person : "someone";
}

/* ---- add ---- */

static void take_lists(const struct form *f, struct arena *arena, struct add_request *add)
{
    const char *reading = form_text(f, "needs");
    add->derivation = reading && !strcmp(reading, "all") ? READING_ALL : READING_ANY;
    form_list(f, "tags", arena, &add->tags, &add->tag_count);
    form_list(f, "from", arena, &add->derived_from, &add->derived_count);
    form_list(f, "evidence", arena, &add->relates_to, &add->relates_count);
}

/* What it says; an entry's text is its key, which is among its fields. */
static const char *text_row(const struct form *f)
{
    return f->kind == KIND_ENTRY ? "key" : "text";
}

static int take_addition(const struct form *f, struct arena *arena, struct add_request *add,
                         size_t *wrong, struct error *e)
{
    *wrong = (size_t)(form_find(f, text_row(f)) - f->field);
    add->kind = f->kind;
    add->text = form_text(f, text_row(f));
    if (!add->text)
        return error_set(e, ERROR_INVALID, "Esc leaves it.",
                         f->kind == KIND_ENTRY ? "give its key" : "say what is to be remembered");
    add->source = form_text(f, "source");
    add->source_entity = form_text(f, "told by");
    add->context = form_text(f, "context");
    add->agent_id = form_text(f, "agent");
    take_lists(f, arena, add);
    return form_confidence(f, &add->confidence, wrong, e) ||
                   form_detail(f, false, arena, &add->detail, wrong, e)
               ? -1
               : 0;
}

static struct deed *make_addition(struct app *x, struct form *f, size_t *wrong, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct add_request add = {.confidence = NAN};
    struct deed *d = NULL;
    if (take_addition(f, &arena, &add, wrong, e) == 0) {
        if (!add.agent_id)
            add.agent_id = whose(x);
        d = deed_new_addition(&add, form_length(form_find(f, text_row(f))), DEED_TYPED);
    }
    arena_release(&arena);
    return d;
}

static const struct form_ops add_form = {.name = "add", .make = make_addition};

/* What is marked is what it is made from. */
static void add_marked(struct app *x, struct strbuf *refs)
{
    for (int64_t n = marks_next(&x->ui.marks, 0); n > 0; n = marks_next(&x->ui.marks, n)) {
        const struct memory_row *row = details_row(x, n);
        if (!row)
            continue;
        strbuf_addstr(refs, refs->len ? ", " : "");
        ref_add(refs, row->ref);
    }
}

static void open_addition(struct app *x, enum kind kind, const char *text)
{
    struct strbuf refs = STRBUF_INIT;
    if (!*text && acting_reopen(x, &add_form, 0, kind))
        return;
    struct form *f = form_new(&add_form);
    f->kind = kind;
    add_marked(x, &refs);
    if (kind != KIND_ENTRY)
        form_add_text(f, text);
    form_add_detail(f, NULL);
    if (kind == KIND_ENTRY)
        form_set_value(form_find(f, "key"), text);
    form_add(f, "from", VALUE_REFS, refs.buf,
             "what it was made from: refs, or context:TEXT, with commas between");
    struct form_field *needs = form_add(f, "needs", VALUE_TEXT, "any", "of those it rests on");
    needs->choices = readings;
    needs->only = true;
    form_add(f, "evidence", VALUE_REFS, "", "refs of what backs it up");
    form_add_common(f, NULL);
    form_add(f, "told by", VALUE_TEXT, "", "who told it; a human as human:NAME");
    form_add(f, "context", VALUE_TEXT, "", "in which it holds");
    form_add(f, "agent", VALUE_TEXT, whose(x), "whose memory it is");
    form_name(x, f, "add");
    struct strbuf title = STRBUF_INIT;
    strbuf_addf(&title, "add: %s", kind_name(kind));
    const char *copy = arena_strdup(&f->arena, title.buf);
    f->title = copy ? copy : "add";
    form_open(x, f);
    strbuf_release(&title);
    strbuf_release(&refs);
}

static void kind_chosen(struct app *x, const struct popup_item *item)
{
    open_addition(x, (enum kind)item->value, "");
}

/* The kind that is looked at is the one that is offered first. */
static int kind_here(struct app *x)
{
    const struct memory_row *row = details_row(x, app_here(x));
    return row ? (int)row->ref.kind : KIND_BELIEF;
}

void act_add(struct app *x, const char *argument)
{
    size_t len = strcspn(argument, " ");
    int kind = kind_from_name(argument, len);
    const char *why = acting_blocked(x);
    if (why) {
        app_say(x, "%s", why);
    } else if (kind >= 0) {
        open_addition(x, (enum kind)kind, argument + len + strspn(argument + len, " "));
    } else if (*argument) {
        app_say(x, "there is no kind of memory called %.*s", (int)len, argument);
    } else {
        popup_open(&x->ui.popup, "add what?", kind_chosen);
        for (int i = 0; i < KIND_COUNT; i++) {
            const struct kind_spec *spec = kind_spec((enum kind)i);
            popup_add(&x->ui.popup, (uint32_t)spec->letter, spec->name, spec->about)->value = i;
        }
        x->ui.popup.selected = (size_t)kind_here(x);
    }
}

/* ---- seed ---- */

static struct deed *make_seed(struct app *x, struct form *f, size_t *wrong, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct seed seed = {.text = form_text(f, "text")};
    struct deed *d = NULL;
    q.seeds = &seed;
    q.seed_count = 1;
    q.agent = form_text(f, "agent");
    q.reason = form_text(f, "why");
    if (!q.agent)
        q.agent = whose(x);
    *wrong = 0;
    if (!seed.text) {
        error_set(e, ERROR_INVALID, "Esc leaves it.", "say what is to be believed");
    } else if (!form_confidence(f, &seed.confidence, wrong, e)) {
        form_list(f, "tags", &arena, &seed.tags, &seed.tag_count);
        seed.len = form_length(form_find(f, "text"));
        d = deed_new(OPERATION_SEED, &q, DEED_TYPED);
    }
    arena_release(&arena);
    return d;
}

static const struct form_ops seed_form = {.name = "seed", .make = make_seed};

void act_seed(struct app *x, const char *argument)
{
    const char *why = acting_blocked(x);
    if (why) {
        app_say(x, "%s", why);
        return;
    }
    if (!*argument && acting_reopen(x, &seed_form, 0, KIND_BELIEF))
        return;
    struct form *f = form_new(&seed_form);
    f->kind = KIND_BELIEF;
    f->title = "seed: a belief that is there from the start";
    form_add_text(f, argument);
    form_add(f, "confidence", VALUE_NUMBER, "", "from 0 to 1; empty: 0.8");
    form_add(f, "tags", VALUE_TEXTS, "", "with commas between");
    form_add(f, "agent", VALUE_TEXT, whose(x), "whose belief it is");
    form_add_why(f);
    form_open(x, f);
}

#define MARKED_MOST 500 /* rows of marked beliefs in a form */

static const char *const verdicts[] = {"neither", "confirms", "contradicts", NULL};

static const struct memory_row *here(struct app *x)
{
    return details_row(x, app_here(x));
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
static void add_marked_gather(struct app *x, struct form *f)
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

void act_revise(struct app *x)
{
    const char *why = blocked_revise(x);
    if (why) {
        app_say(x, "%s", why);
        return;
    }
    if (acting_reopen(x, &revise_form, here(x)->node, KIND_EPISODE))
        return;
    struct form *f = begin(x, &revise_form);
    add_marked_gather(x, f);
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
