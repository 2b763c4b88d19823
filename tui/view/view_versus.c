/* The view of a conflict: what is stored now, and what the person typed or an undo would restore. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/format/difference.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/ops/operation.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/form.h"
#include "tui/explorer/news.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/facts.h"
#include "tui/term/paint.h"
#include "tui/widget/sheet_view.h"

#define NOTES       2
#define PARTS       2
#define SINCE_SHOWN 4 /* of what was done to it meanwhile: the newest */

struct versus_view {
    struct sheet_view page; /* its facts are what stands here */
    struct deed *deed;      /* NULL: of an undo */
    int64_t node;
    struct arena arena;      /* of all that is shown */
    const char *note[NOTES]; /* what has to be known first */
    size_t note_count;
    const char *now; /* what is stored by now, in words */
    struct versus_part {
        const char *title;
        struct difference *list;
        size_t count;
    } part[PARTS]; /* what others did, then what it would become */
    size_t part_count;
    bool erased; /* nothing can be written there any more */
};

static struct versus_view *versus_of(struct view *v)
{
    return (struct versus_view *)v;
}

/* ---- the rows ---- */

static const char *keep(struct versus_view *s, const char *text)
{
    return arena_strdup(&s->arena, text);
}

/* As it is stored: what a frame has read may be older. */
static bool read_row(struct versus_view *s, struct memory_row *row)
{
    struct error e;
    return memory_row_read(s->page.view.app->data.reader, &s->arena, s->node, row, &e) == 0;
}

static void add_note(struct versus_view *s, const char *text)
{
    s->note[s->note_count++] = keep(s, text);
}

/* The differences are added by add_difference. */
static struct versus_part *add_part(struct versus_view *s, const char *title, size_t most)
{
    struct versus_part *part = &s->part[s->part_count++];
    part->title = keep(s, title);
    part->list = arena_array(&s->arena, most + 1, sizeof(*part->list));
    return part;
}

static void add_difference(struct versus_view *s, struct versus_part *part, const char *field,
                           const char *before, const char *after)
{
    part->list[part->count++] = (struct difference){
        keep(s, field), *before ? keep(s, before) : NULL, *after ? keep(s, after) : NULL};
}

/* What others wrote in the fields of a form, and what was typed over that; `theirs` NULL: nothing is stored any more. A
 * field that was not typed in stays theirs. */
static void compare_forms(struct versus_view *s, const struct form *mine, const struct form *theirs)
{
    struct versus_part *changed = theirs ? add_part(s, s->now, mine->count) : NULL;
    struct versus_part *typed = add_part(s, "yours: typed, and not saved", mine->count);
    for (size_t i = 0; i < mine->count; i++) {
        const struct form_field *a = &mine->field[i];
        const struct form_field *b = theirs ? form_find(theirs, a->name) : NULL;
        if (theirs && !b)
            continue;
        if (b && strcmp(a->was, form_value(b)) != 0)
            add_difference(s, changed, a->name, a->was, form_value(b));
        if (form_changed(a) && (!b || strcmp(form_value(a), form_value(b)) != 0))
            add_difference(s, typed, a->name, b ? form_value(b) : "", form_value(a));
    }
}

/* ---- what was done ---- */

/* ", 2m ago: reason" */
static void add_when(struct app *x, const struct event *event, struct strbuf *out)
{
    struct facts_look look = ages_look(&x->ui);
    char when[40];
    facts_when(when, sizeof(when), event->at, &look);
    strbuf_addf(out, ", %s%s", when, x->prefs.exact_times || !strcmp(when, "now") ? "" : " ago");
    if (event->reason)
        strbuf_addf(out, ": %s", event->reason);
}

/* "retracted by claire (person), 2m ago: reason". */
static void add_deed(struct versus_view *s, const struct event *event, struct strbuf *out)
{
    struct app *x = s->page.view.app;
    int op = event->operation ? operation_from_name(event->operation) : -1;
    if (op == OPERATION_UNDO || op == OPERATION_REDO)
        strbuf_addstr(out, event->after ? "a change of it " : "its addition ");
    strbuf_addf(out, "%s by ",
                op >= 0            ? op_spec((enum operation)op)->done
                : event->operation ? event->operation
                                   : "changed");
    news_add_who(x, event, out);
    add_when(x, event, out);
}

/* "since you opened it: retracted by claire (person), 2m ago"; of several the newest first. */
static void note_since(struct versus_view *s, int64_t version)
{
    struct app *x = s->page.view.app;
    struct strbuf text = STRBUF_INIT;
    struct event_filter filter = EVENT_FILTER_ALL;
    struct event *events;
    struct error e;
    size_t count;
    struct memory_row row;
    int64_t since = read_row(s, &row) && row.version > version ? row.version - version : 1;
    size_t limit = since < SINCE_SHOWN ? (size_t)since : SINCE_SHOWN;
    filter.subject = s->node;
    filter.newest_first = true;
    if (journal_select(x->data.reader, &s->arena, &filter, 0, limit, &events, &count, &e))
        count = 0;
    strbuf_addstr(&text, "since you opened it: ");
    for (size_t i = 0; i < count; i++) {
        strbuf_addstr(&text, i ? "; before that " : "");
        add_deed(s, &events[i], &text);
    }
    if (since > SINCE_SHOWN)
        strbuf_addf(&text, "; and %lld more", (long long)(since - SINCE_SHOWN));
    if (count)
        add_note(s, text.buf);
    strbuf_release(&text);
}

/* "theirs: version 4, by ash (agent), 2m ago: reason". */
static void name_now(struct versus_view *s, const char *theirs)
{
    struct app *x = s->page.view.app;
    struct strbuf title = STRBUF_INIT;
    struct event *events;
    struct error e;
    size_t count;
    struct memory_row row;
    bool found = read_row(s, &row);
    strbuf_addstr(&title, theirs);
    if (found)
        strbuf_addf(&title, ": version %lld", (long long)row.version);
    if (found && row.event &&
        !journal_read(x->data.reader, &s->arena, row.event - 1, 1, &events, &count, &e) && count) {
        const char **const shown[] = {&events->reason};
        guard_mask_texts(x->data.reader, &s->arena, shown, 1);
        strbuf_addstr(&title, ", by ");
        news_add_who(x, events, &title);
        add_when(x, events, &title);
    }
    s->now = keep(s, title.buf);
    strbuf_release(&title);
}

/* ---- drawing ---- */

static void lay(struct page *p, const struct facts_look *look)
{
    struct versus_view *s = versus_of(p->view);
    struct sheet *sheet = &p->sheet;
    for (size_t i = 0; i < s->note_count; i++) {
        sheet_line(sheet);
        sheet_wrap(sheet, 3, sheet->width - 4, STYLE_WEAKENED, s->note[i], SIZE_MAX, true);
    }
    for (size_t i = 0; i < s->part_count; i++) {
        sheet_line(sheet);
        sheet_rule(sheet, s->part[i].title, "");
        difference_sheet(sheet, s->part[i].list, s->part[i].count, look->ascii);
    }
}

static const struct page_ops versus_page = {.lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    const struct memory_row *row = details_row(v->app, versus_of(v)->node);
    strbuf_addstr(out, "both versions of ");
    if (row)
        details_ref(v->app, row, out);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct versus_view *s = versus_of(v);
    size_t count = s->part_count ? s->part[s->part_count - 1].count : 0;
    strbuf_addf(out, "%zu field%s differ%s", count, count == 1 ? "" : "s", count == 1 ? "s" : "");
}

static const char *empty(struct view *v)
{
    (void)v;
    return "they do not differ";
}

static void release(struct view *v)
{
    struct versus_view *s = versus_of(v);
    /* Going back is no choice: what was typed is kept. */
    if (s->deed)
        acting_shelve(v->app, s->deed);
    sheet_view_release(v);
    arena_release(&s->arena);
}

static const struct view_ops versus_ops = {
    .name = "versus",
    SHEET_VIEW_OPS,
    .load = NULL,
    .has = HAS_CONFLICT | HAS_NO_PLACE | HAS_FORMER,
    .at_large = true,
    .title = title,
    .counts = counts,
    .empty = empty,
    .release = release,
};

/* `arena` is the view's then. */
static struct versus_view *make(struct app *x, int64_t node, const char *theirs, struct arena arena)
{
    struct versus_view *s = sheet_view_new(sizeof(*s), &versus_ops, &x->ui, &versus_page, node);
    s->page.shown.facts = s;
    struct memory_row row;
    s->arena = arena;
    s->node = node;
    name_now(s, theirs);
    /* Purged, or its addition was taken back. */
    s->erased = !read_row(s, &row) || row.status >= STATUS_PURGED;
    return s;
}

struct view *versus_view_edit(struct app *x, struct deed *d)
{
    struct versus_view *s = make(x, d->node, "theirs", (struct arena)ARENA_INIT);
    struct error e;
    struct form *theirs = s->erased ? NULL : form_make(x, FORM_EDIT, d->node, KIND_COUNT, "", &e);
    s->deed = d;
    note_since(s, d->q.expected_version);
    if (s->erased)
        add_note(s, "Nothing can be saved over it any more. What you typed is below, and is kept.");
    if (d->form)
        compare_forms(s, d->form, theirs);
    form_free(theirs);
    return &s->page.view;
}

static void add_differences(struct versus_view *s, const char *title, const struct memory *a,
                            const struct memory *b)
{
    struct versus_part *part = add_part(s, title, 0);
    memory_difference(a, b, &s->arena, &part->list, &part->count);
}

/* "what event 12 did: edited by ash (agent), 5m ago: reason". */
static void add_event(struct versus_view *s, const struct revision *revision)
{
    const struct event *event = &revision->event;
    struct strbuf title = STRBUF_INIT;
    strbuf_addf(&title, "what event %lld did: ", (long long)event->seq);
    add_deed(s, event, &title);
    add_differences(s, title.buf, revision->before, revision->after);
    strbuf_release(&title);
}

static void note_advice(struct versus_view *s)
{
    struct app *x = s->page.view.app;
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "It is not taken back");
    if (s->erased) {
        strbuf_addstr(&text, ", and there is nothing to edit any more.");
    } else {
        strbuf_addstr(&text, ". Compare both; then ");
        x->above->add_keys(x, "edit-again", 1, &text);
        strbuf_addstr(&text, " edits it by hand.");
    }
    add_note(s, text.buf);
    strbuf_release(&text);
}

struct view *versus_view_undo(struct app *x, int64_t seq, const struct error *refusal)
{
    struct arena arena = ARENA_INIT;
    struct revision revision;
    const struct memory *now;
    struct error e;
    if (history_at(x->data.reader, &arena, seq, &revision, &now, &e)) {
        arena_release(&arena);
        return NULL;
    }
    /* The arena has the states, whose words the rows are. */
    struct versus_view *s = make(x, revision.event.subject, "now", arena);
    add_note(s, refusal->what);
    note_advice(s);
    add_event(s, &revision);
    struct strbuf title = STRBUF_INIT;
    strbuf_addf(&title, "%s, and what the undo would bring back", s->now);
    add_differences(s, title.buf, now, revision.before);
    strbuf_release(&title);
    return &s->page.view;
}

/* ---- choosing ---- */

const char *versus_view_blocked(struct view *v, enum versus_choice choice)
{
    const struct versus_view *s = versus_of(v);
    if (s->erased && choice != VERSUS_THEIRS)
        return s->deed ? "it is erased: nothing can be saved over it; what you typed is kept"
                       : "it is erased: there is nothing to edit";
    if (choice == VERSUS_AGAIN || s->deed)
        return NULL;
    return "this is an undo that was refused: e edits the memory by hand";
}

/* What is stored by now is what the form was read from, then: a row that was not typed in says what is
 * stored. */
static void take_over(struct app *x, struct deed *d)
{
    struct error e;
    struct form *theirs = form_make(x, FORM_EDIT, d->node, KIND_COUNT, "", &e);
    if (!theirs)
        return;
    d->q.expected_version = theirs->version;
    for (size_t i = 0; d->form && i < d->form->count; i++) {
        struct form_field *field = &d->form->field[i];
        const struct form_field *now = form_find(theirs, field->name);
        char *was = now ? xstrdup(form_value(now)) : NULL;
        if (!was)
            continue;
        if (!form_changed(field))
            form_set_value(field, was);
        free(field->was);
        field->was = was;
    }
    if (d->form) {
        d->form->version = theirs->version;
        form_name(x, d->form);
    }
    form_free(theirs);
}

void versus_view_choose(struct view *v, enum versus_choice choice)
{
    struct versus_view *s = versus_of(v);
    struct app *x = v->app;
    struct deed *d = s->deed;
    int64_t node = s->node;
    const char *blocked = versus_view_blocked(v, choice);
    if (blocked) {
        app_say(x, "%s", blocked);
        return;
    }
    s->deed = NULL;
    app_pop(x);
    if (choice == VERSUS_THEIRS) {
        deed_free(d);
        app_say(x, "theirs stays");
        return;
    }
    if (!d) {
        struct error e;
        struct form *f = form_make(x, FORM_EDIT, node, KIND_COUNT, "", &e);
        if (f)
            form_open(x, f);
        else
            app_fail(x, &e);
        return;
    }
    take_over(x, d);
    if (choice == VERSUS_MINE || !d->form) {
        acting_do(x, d);
        return;
    }
    form_open(x, d->form);
    d->form = NULL;
    deed_free(d);
}
