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
#include "tui/render/facts.h"
#include "tui/explorer/form.h"
#include "tui/explorer/news.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"
#include "tui/widget/sheet_view.h"

#define BESIDE_WIDTH                                                                               \
    100 /* from here on the two stand beside each other, else one above the other */
#define NOTES       2
#define SINCE_SHOWN 4 /* of what was done to it meanwhile: the newest */

/* A field in which they differ. */
struct versus_row {
    const char *field;
    const char *was; /* what both began with; NULL: it is not shown */
    const char *theirs, *mine;
};

struct versus_view {
    struct sheet_view page; /* its facts are what stands here */
    struct deed *deed;      /* NULL: of an undo */
    int64_t node;
    struct arena arena;
    struct versus_row *row; /* in the arena, as all that is shown */
    size_t count;
    const char *their_title, *my_title;
    const char *note[NOTES]; /* what has to be known first */
    size_t note_count;
    const char *event_title; /* of an undo: what the event did, `was` and `mine` of each field */
    struct versus_row *event;
    size_t event_count;
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
    if (s->note_count < NOTES)
        s->note[s->note_count++] = keep(s, text);
}

static void add_row(struct versus_view *s, const char *field, const char *was, const char *theirs,
                    const char *mine)
{
    s->row[s->count++] =
        (struct versus_row){keep(s, field), keep(s, was), keep(s, theirs), keep(s, mine)};
}

/* What is typed beside a form of what is stored by now; a row for each field that is not the same. */
static void compare_forms(struct versus_view *s, const struct form *mine, const struct form *theirs)
{
    s->row = arena_array(&s->arena, mine->count + 1, sizeof(*s->row));
    for (size_t i = 0; i < mine->count; i++) {
        const struct form_field *a = &mine->field[i];
        const struct form_field *b = form_find(theirs, a->name);
        if (b && (form_changed(a) || strcmp(a->was, form_value(b)) != 0) &&
            strcmp(form_value(a), form_value(b)) != 0)
            add_row(s, a->name, a->was, form_value(b), form_value(a));
    }
}

/* What was typed, where nothing is stored any more. */
static void take_typed(struct versus_view *s, const struct form *mine)
{
    s->row = arena_array(&s->arena, mine->count + 1, sizeof(*s->row));
    for (size_t i = 0; i < mine->count; i++)
        if (form_changed(&mine->field[i]))
            add_row(s, mine->field[i].name, mine->field[i].was, "", form_value(&mine->field[i]));
}

/* ---- what was done ---- */

/* "retracted by claire (person), 2m ago: reason". */
static void add_deed(struct versus_view *s, const struct event *event, struct strbuf *out)
{
    struct app *x = s->page.view.app;
    struct facts_look look = ages_look(&x->ui);
    int op = event->operation ? operation_from_name(event->operation) : -1;
    char when[40];
    if (op == OPERATION_UNDO || op == OPERATION_REDO)
        strbuf_addstr(out, event->after ? "a change of it " : "its addition ");
    strbuf_addf(out, "%s by ",
                op >= 0            ? op_spec((enum operation)op)->done
                : event->operation ? event->operation
                                   : "changed");
    news_add_who(x, event, out);
    facts_when(when, sizeof(when), event->at, &look);
    strbuf_addf(out, ", %s%s", when, x->prefs.exact_times || !strcmp(when, "now") ? "" : " ago");
    if (event->reason)
        strbuf_addf(out, ": %s", event->reason);
}

/* "since you opened it: retracted by claire (person), 2m ago"; of several the newest first. */
static void note_since(struct versus_view *s, int64_t version)
{
    struct app *x = s->page.view.app;
    struct strbuf text = STRBUF_INIT;
    struct event *events;
    struct error e;
    size_t count;
    struct memory_row row;
    int64_t since = read_row(s, &row) && row.version > version ? row.version - version : 1;
    size_t limit = since < SINCE_SHOWN ? (size_t)since : SINCE_SHOWN;
    if (journal_of_before(x->data.reader, &s->arena, s->node, INT64_MAX, limit, &events, &count,
                          &e))
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
static void name_theirs(struct versus_view *s, const char *theirs)
{
    struct app *x = s->page.view.app;
    struct strbuf title = STRBUF_INIT;
    struct event *events;
    struct error e;
    size_t count;
    struct memory_row row;
    bool found = read_row(s, &row);
    struct facts_look look = ages_look(&x->ui);
    char when[40];
    strbuf_addstr(&title, theirs);
    if (found)
        strbuf_addf(&title, ": version %lld", (long long)row.version);
    if (found && row.event &&
        !journal_read(x->data.reader, &s->arena, row.event - 1, 1, &events, &count, &e) && count) {
        facts_when(when, sizeof(when), events->at, &look);
        strbuf_addstr(&title, ", by ");
        news_add_who(x, events, &title);
        strbuf_addf(&title, ", %s%s", when,
                    x->prefs.exact_times || !strcmp(when, "now") ? "" : " ago");
        const char **const shown[] = {&events->reason};
        guard_mask_texts(x->data.reader, &s->arena, shown, 1);
        if (events->reason)
            strbuf_addf(&title, ": %s", events->reason);
    }
    s->their_title = keep(s, title.buf);
    strbuf_release(&title);
}

/* ---- drawing ---- */

/* A field that the person did not type in: theirs stays, whichever is chosen. */
static bool is_left(const struct versus_row *row)
{
    return row->was && !strcmp(row->was, row->mine);
}

/* Wraps what a row says on one side from a column of the last line on. */
static void put_side(struct sheet *sheet, const struct versus_row *row, bool mine, int column,
                     int width)
{
    const char *text = mine ? row->mine : row->theirs;
    if (mine && is_left(row))
        sheet_put(sheet, column, width, STYLE_DIM, "(not typed: theirs stays)");
    else if (*text)
        sheet_wrap(sheet, column, width, STYLE_TEXT, text, SIZE_MAX, true);
    else
        sheet_put(sheet, column, width, STYLE_DIM, "(nothing)");
}

static void lay_out_above(struct versus_view *s, const char *title, bool mine)
{
    struct sheet *sheet = &s->page.sheet;
    sheet_rule(sheet, title, "");
    for (size_t i = 0; i < s->count; i++) {
        sheet_line(sheet);
        sheet_put(sheet, 3, 14, STYLE_FIELD, s->row[i].field);
        put_side(sheet, &s->row[i], mine, 18, sheet->width - 19);
    }
    sheet_line(sheet);
}

/* Both sides of a field, line by line. */
static void put_beside(struct versus_view *s, const struct versus_row *row, int left, int right,
                       int width)
{
    struct sheet *sheet = &s->page.sheet, other;
    size_t first = sheet->count;
    sheet_line(sheet);
    sheet_put(sheet, 3, 14, STYLE_FIELD, row->field);
    put_side(sheet, row, false, left, width);
    sheet_init(&other);
    sheet_clear(&other, sheet->width);
    sheet_line(&other);
    put_side(&other, row, true, right, width);
    while (sheet->count - first < other.count && sheet_line(sheet))
        ;
    for (size_t i = 0; i < other.count && first + i < sheet->count; i++)
        for (uint32_t k = 0; k < other.line[i].span_count; k++)
            sheet_put_at(sheet, first + i, &other.line[i].span[k]);
    sheet_release(&other);
}

static void lay_out_beside(struct versus_view *s)
{
    struct sheet *sheet = &s->page.sheet;
    int width = (sheet->width - 18 - 4) / 2, left = 18, right = 18 + width + 3;
    sheet_line(sheet);
    sheet_put(sheet, left, width, STYLE_RULE_TITLE, s->their_title);
    sheet_put(sheet, right, width, STYLE_RULE_TITLE, s->my_title);
    for (size_t i = 0; i < s->count; i++) {
        sheet_line(sheet);
        put_beside(s, &s->row[i], left, right, width);
    }
}

static void lay_out_notes(struct versus_view *s)
{
    struct sheet *sheet = &s->page.sheet;
    for (size_t i = 0; i < s->note_count; i++) {
        sheet_line(sheet);
        sheet_wrap(sheet, 3, sheet->width - 4, STYLE_WEAKENED, s->note[i], SIZE_MAX, true);
    }
    if (s->note_count)
        sheet_line(sheet);
}

/* What the event did: "0.7 -> 0.9"; of an element of a list "+" or "-" stands before it. */
static void lay_out_event(struct versus_view *s)
{
    struct sheet *sheet = &s->page.sheet;
    const char *arrow = glyph_text(&s->page.view.app->ui.screen, GLYPH_ARROW);
    if (!s->event_title)
        return;
    sheet_rule(sheet, s->event_title, "");
    for (size_t i = 0; i < s->event_count; i++) {
        const struct versus_row *row = &s->event[i];
        struct strbuf text = STRBUF_INIT;
        if (*row->theirs && *row->mine)
            strbuf_addf(&text, "%s %s %s", row->theirs, arrow, row->mine);
        else
            strbuf_addf(&text, "%s %s", *row->mine ? "+" : "-",
                        *row->mine ? row->mine : row->theirs);
        sheet_line(sheet);
        sheet_put(sheet, 3, 14, STYLE_FIELD, row->field);
        sheet_wrap(sheet, 18, sheet->width - 19, STYLE_TEXT, text.buf, SIZE_MAX, true);
        strbuf_release(&text);
    }
    sheet_line(sheet);
}

static void lay(struct sheet_view *v, const struct facts_look *look)
{
    struct versus_view *s = versus_of(&v->view);
    lay_out_notes(s);
    lay_out_event(s);
    if (look->width >= BESIDE_WIDTH) {
        lay_out_beside(s);
    } else {
        lay_out_above(s, s->their_title, false);
        lay_out_above(s, s->my_title, true);
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
    size_t count = versus_of(v)->count;
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
    .place = IN_VERSUS,
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = sheet_view_layout,
    .empty = empty,
    .release = release,
};

static struct versus_view *make(struct app *x, int64_t node, const char *theirs)
{
    struct versus_view *s = xcalloc(1, sizeof(*s));
    sheet_view_init(&s->page, &versus_ops, &x->ui, &versus_page);
    s->page.facts = s;
    s->arena = (struct arena)ARENA_INIT;
    s->node = node;
    s->my_title = "yours";
    name_theirs(s, theirs);
    return s;
}

/* Purged, or its addition was taken back. */
static bool is_erased(struct versus_view *s)
{
    struct memory_row row;
    return !read_row(s, &row) || row.status >= STATUS_PURGED;
}

struct view *versus_view_edit(struct app *x, struct deed *d)
{
    struct versus_view *s = make(x, d->node, "theirs");
    struct error e;
    s->erased = is_erased(s);
    struct form *theirs = s->erased ? NULL : form_make(x, FORM_EDIT, d->node, KIND_COUNT, "", &e);
    s->deed = d;
    note_since(s, d->q.expected_version);
    if (s->erased)
        add_note(s, "Nothing can be saved over it any more. What you typed is below, and is kept.");
    if (theirs && d->form)
        compare_forms(s, d->form, theirs);
    else if (d->form)
        take_typed(s, d->form);
    form_free(theirs);
    s->my_title = "yours: typed, and not saved";
    return &s->page.view;
}

/* The rows of what differs, in which either side may be absent. */
static struct versus_row *take_differences(struct versus_view *s, const struct memory *a,
                                           const struct memory *b, size_t *count)
{
    struct difference *list;
    *count = 0;
    memory_difference(a, b, &s->arena, &list, count);
    struct versus_row *row = arena_array(&s->arena, *count + 1, sizeof(*row));
    for (size_t i = 0; i < *count; i++)
        row[i] = (struct versus_row){list[i].field, NULL, list[i].before ? list[i].before : "",
                                     list[i].after ? list[i].after : ""};
    return row;
}

/* "what event 12 did: edited by ash (agent), 5m ago: reason". */
static void name_event(struct versus_view *s, const struct event *event)
{
    struct strbuf title = STRBUF_INIT;
    strbuf_addf(&title, "what event %lld did: ", (long long)event->seq);
    add_deed(s, event, &title);
    s->event_title = keep(s, title.buf);
    strbuf_release(&title);
}

static void note_advice(struct versus_view *s)
{
    struct app *x = s->page.view.app;
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "It is not taken back. Compare both; then ");
    x->above->add_keys(x, "edit-again", 1, &text);
    strbuf_addstr(&text, " edits it by hand.");
    add_note(s,
             s->erased ? "It is not taken back, and there is nothing to edit any more." : text.buf);
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
    struct versus_view *s = make(x, revision.event.subject, "now");
    arena_release(&s->arena);
    s->arena = arena; /* with the states, whose words the rows are */
    name_theirs(s, "now");
    s->erased = is_erased(s);
    add_note(s, refusal->what);
    note_advice(s);
    name_event(s, &revision.event);
    s->event = take_differences(s, revision.before, revision.after, &s->event_count);
    s->row = take_differences(s, now, revision.before, &s->count);
    s->my_title = "before it: what the undo would bring back";
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
