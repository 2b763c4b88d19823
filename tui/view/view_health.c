/* The view of lineage problems and their fixes. */
#include "model/memory/memory.h"
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/ops/fix.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/oneline.h"
#include "tui/render/plan_page.h"
#include "tui/text/match.h"
#include "tui/text/text.h"
#include "tui/explorer/changes.h"
#include "tui/render/kind_fields.h"
#include "tui/text/times.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

/* A line: a heading or a finding. */
struct finding {
    int64_t node; /* 0 for the heading of a problem */
    uint8_t problem;
    double confidence;          /* as stored */
    const char *field, *target; /* in the arena, or NULL */
};

/* Fixes for the problem under the cursor. They are offered in a menu and done through the usual preview. Finding them
 * needs only a few rows, so it is done at once. */
struct fixes {
    struct arena arena;
    struct orphan orphan; /* the problem that the fixes are for; node 0 for none */
    struct fix fix[FIX_MAX];
    size_t count;
    const char *advice; /* if there is none; in the arena */
    /* The subject of the open menu. */
    int64_t *nodes; /* [node_count] owned */
    size_t node_count;
    bool selected;
};

struct health_view {
    struct rows_view rows;
    size_t of[PROBLEM_COUNT];
    uint32_t findings; /* number of findings */
    struct fixes fixes;
};

struct health_context {
    struct new_filter since;
    _Atomic int percent; /* progress of the read */
};

/* Reading a million memories takes a second, so it is not repeated all the time while the store changes. */
#define LOOKS_AGAIN_MS 200

static struct health_view *health_of(struct view *v)
{
    return (struct health_view *)v;
}

/* ---- reading ---- */

static int take_orphan(void *arg, const struct orphan *orphan)
{
    struct rows *rows = arg;
    const struct health_context *asked = rows->context;
    const struct finding *found = rows->row;
    if (new_filter_wants(&asked->since, orphan->node)) {
        if (rows->count == 0 || found[rows->count - 1].problem != orphan->problem)
            ((struct finding *)rows_add(rows))->problem = (uint8_t)orphan->problem;
        *(struct finding *)rows_add(rows) =
            (struct finding){.node = orphan->node,
                             .problem = (uint8_t)orphan->problem,
                             .confidence = orphan->confidence,
                             .field = arena_strdup(&rows->arena, orphan->field),
                             .target = arena_strdup(&rows->arena, orphan->target)};
    }
    return atomic_load(rows->cancelled);
}

static void on_progress(void *arg, int64_t done_rows, int64_t total)
{
    struct health_context *asked = arg;
    if (total > 0)
        atomic_store(&asked->percent, (int)(100 * done_rows / total));
}

static void ask(struct rows_view *v, struct rows *rows)
{
    struct health_context *asked = rows->context;
    asked->since = new_filter_of(&v->view);
}

static int read_findings(struct rows *rows, struct reader *r, struct error *e)
{
    struct health_context *asked = rows->context;
    int failed = new_filter_read(&asked->since, r, rows->cancelled, e);
    reader_on_progress(r, on_progress, asked);
    failed = failed ||
             orphans_find(r, &(struct orphan_query){.agent = rows->agent}, take_orphan, rows, e);
    reader_on_progress(r, NULL, NULL);
    new_filter_release(&asked->since);
    return failed ? -1 : 0;
}

static int matches(struct rows *rows, size_t index, struct reader *r, struct error *e)
{
    const struct finding *f = (const struct finding *)rows->row + index;
    AUTO_ARENA arena = ARENA_INIT;
    const char *words = arena_format(&arena, "%s %s %s", problem_name((enum problem)f->problem),
                                     f->field ? f->field : "", f->target ? f->target : "");
    return rows_match(rows, r, f->node, words, e);
}

/* The id differs by problem, since a memory may have several problems. */
static struct line_subject row_subject(const void *row)
{
    const struct finding *f = row;
    int64_t id = f->node ? f->node * PROBLEM_COUNT + f->problem : 0;
    return (struct line_subject){.node = f->node, .id = id, .section = f->problem};
}

static void taken(struct rows_view *v)
{
    struct health_view *h = health_of(&v->view);
    const struct finding *all = v->rows->row;
    h->findings = 0;
    memset(h->of, 0, sizeof(h->of));
    for (size_t i = 0; i < v->rows->count; i++)
        if (all[i].node) {
            h->of[all[i].problem]++;
            h->findings++;
        }
    h->fixes.orphan.node = 0;
}

/* ---- fixes ---- */

/* Finds the fixes for that problem, unless they are known. */
static void fixes_follow(struct app *x, struct fixes *g, const struct orphan *orphan)
{
    struct reader *r = x->data.reader;
    struct memory_row row;
    struct error e;
    bool same = g->orphan.node == orphan->node && g->orphan.problem == orphan->problem &&
                same_text(g->orphan.field, orphan->field) &&
                same_text(g->orphan.target, orphan->target);
    if (same)
        return;
    arena_clear(&g->arena);
    g->count = 0;
    g->advice = "";
    g->orphan = *orphan;
    g->orphan.field = arena_strdup(&g->arena, orphan->field);
    g->orphan.target = arena_strdup(&g->arena, orphan->target);
    int failed = memory_row_read(r, &g->arena, orphan->node, &row, &e);
    if (!failed) {
        g->orphan.ref = row.ref;
        failed = fix_find(r, &g->arena, &g->orphan, g->fix, &g->count, &e);
        g->advice = fix_advice(r, &g->arena, &g->orphan);
    }
    if (failed)
        ui_error(&x->ui, &e);
}

/* Draws "fixes: restore, it stands again; retract, …" or a hint, in as many rows as the pane has. */
static void draw_fixes(const struct fixes *g, const struct pane *p)
{
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    for (size_t i = 0; i < g->count; i++)
        strbuf_addf(&text, "%s%s, %s",
                    i ? "; " : "fixes: ", display_name(op_spec(g->fix[i].operation)->name),
                    g->fix[i].about);
    if (g->count == 0)
        strbuf_addstr(&text, g->advice);
    int width = p->width > 6 ? p->width - 4 : 2;
    size_t count =
        text_wrap(&arena, text.buf, text.len, (size_t)width, (size_t)p->height, 0, &lines);
    for (size_t i = 0; i < count; i++)
        paint_text(p, (int)i, 3, width, STYLE_CHIP, lines[i].text);
}

/* ---- arguments of a fix ---- */

static void left_alone(struct app *x)
{
    pending_put_away(pending_take_asked(&x->pending));
    ui_message(&x->ui, "cancelled");
}

static void evidence_given(struct app *x, const char *text)
{
    struct pending *p = pending_take_asked(&x->pending);
    p->q.evidence = pending_words(&p->arena, text, &p->q.evidence_count);
    pending_do(p);
}

/* Returns false for an invalid time, after opening the prompt again with the text. */
static bool read_time(struct app *x, const char *text, int64_t *ms)
{
    if (times_parse(text, store_now(x->data.store), ms) == 0)
        return true;
    ui_message(&x->ui, "\"%s\" is not a time: give a date, ISO 8601, or \"2 days ago\"", text);
    return false;
}

/* The missing time is the memory's own or that of a member. Until it is given, `fields` has the member's name. */
static void time_given(struct app *x, const char *text)
{
    struct pending *p = pending_take_asked(&x->pending);
    AUTO_STRBUF fields = STRBUF_INIT;
    int64_t ms;
    if (!read_time(x, text, &ms)) {
        pending_free(p);
        return;
    }
    if (p->q.fields) {
        struct json_object o = json_begin(&fields, '{');
        json_pair_int(&o, p->q.fields, ms);
        json_end(&o);
        p->q.fields = arena_strdup(&p->arena, fields.buf);
    } else {
        p->q.created_at = ms;
    }
    pending_do(p);
}

static const struct prompt_ops asks_evidence = {
    .prefix = "what confirms it? ",
    .hint = "refs of memories, or an annotation such as context:…",
    .enter = "preview",
    .history = -1,
    .accepted = evidence_given,
    .abandoned = left_alone,
};

static const struct prompt_ops asks_time = {
    .prefix = "when was it? ",
    .hint = "a date, ISO 8601, or \"2 days ago\"",
    .enter = "preview",
    .history = -1,
    .accepted = time_given,
    .abandoned = left_alone,
};

/* ---- choosing a fix ---- */

/* Finds the fix again with strings in the arena of the operation. */
static void begin(struct app *x, const struct fixes *g, size_t index)
{
    struct fix fixes[FIX_MAX];
    const struct fix *one = &fixes[index];
    struct error e;
    size_t count;
    struct pending *p =
        pending_new(x, g->fix[index].operation,
                    PENDING_REASON | PENDING_SHOWN | (g->selected ? PENDING_SELECTED : 0));
    const int64_t *nodes = arena_memdup(&p->arena, g->nodes, g->node_count * sizeof(*nodes));
    const char *why = NULL;
    if (fix_find(x->data.reader, &p->arena, &g->orphan, fixes, &count, &e))
        why = e.what;
    else if (index >= count || one->operation != p->op)
        why = "it is already fixed";
    else if (g->node_count > 1 && !fix_together(one, nodes, g->node_count, &p->q))
        why = "they need different fixes: unselect them and fix one after the other";
    if (why) {
        ui_message(&x->ui, "%s", why);
        pending_free(p);
        return;
    }
    if (g->node_count <= 1)
        p->q = one->request;
    if (one->need == FIX_NEEDS_VALUE)
        p->q.fields =
            arena_strdup(&p->arena, g->orphan.field ? g->orphan.field : "retrieval_timestamp");
    if (one->need == FIX_NEEDS_NOTHING)
        pending_do(p);
    else
        pending_ask(p, one->need == FIX_NEEDS_EVIDENCE ? &asks_evidence : &asks_time);
}

static void fix_chosen(struct app *x, const struct popup_item *item)
{
    bool here = view_is(x->nav.top, "health");
    const struct fixes *g = here ? &health_of(x->nav.top)->fixes : NULL;
    if (g && (size_t)item->value < g->count)
        begin(x, g, (size_t)item->value);
}

/* Offers fixes for memories that all have that problem: the one under the cursor, or the selected ones. Takes
 * ownership of `nodes`. */
static void offer_fixes(struct ui *ui, struct fixes *g, int64_t *nodes, size_t count, bool selected)
{
    free(g->nodes);
    g->nodes = nodes;
    g->node_count = count;
    g->selected = selected;
    if (g->count == 0) {
        ui_message(ui, "%s", g->advice);
        return;
    }
    popup_open(&ui->popup, "how to fix it", fix_chosen);
    for (size_t i = 0; i < g->count; i++)
        popup_add(&ui->popup, (uint32_t)('1' + i), display_name(op_spec(g->fix[i].operation)->name),
                  g->fix[i].about)
            ->value = (int64_t)i;
}

static const struct finding *at_cursor(const struct health_view *h)
{
    const struct finding *f = rows_view_at(&h->rows.view, h->rows.view.cursor);
    return f && f->node ? f : NULL;
}

static void follow_fixes(struct health_view *h)
{
    const struct finding *f = at_cursor(h);
    if (!f)
        return;
    struct orphan orphan = {.node = f->node,
                            .problem = (enum problem)f->problem,
                            .field = f->field,
                            .target = f->target};
    fixes_follow(h->rows.view.app, &h->fixes, &orphan);
}

void health_view_fix(struct view *v)
{
    struct health_view *h = health_of(v);
    const struct selection *selection = &v->ui->selection;
    const struct finding *f = at_cursor(h);
    if (!f)
        return;
    int64_t *nodes = xcalloc(v->count, sizeof(*nodes));
    size_t count = 0;
    bool selected = selection->count > 0;
    /* A memory that has a problem several times is fixed once. */
    for (size_t i = 0; i < v->count; i++) {
        const struct finding *one = rows_view_at(v, i);
        bool meant =
            selected ? one->problem == f->problem && selection_has(selection, one->node) : one == f;
        if (meant && (count == 0 || nodes[count - 1] != one->node))
            nodes[count++] = one->node;
    }
    if (count > 0) {
        offer_fixes(v->ui, &h->fixes, nodes, count, selected);
        return;
    }
    ui_message(v->ui, "none of the selected has the problem under the cursor");
    free(nodes);
}

/* ---- drawing ---- */

static int header(struct view *v)
{
    return v->ui->screen.columns < 130 ? 2 : 1;
}

/* The fixes for the problem under the cursor, or the progress of the read. */
static void draw_header(struct view *v, const struct pane *p)
{
    struct health_view *h = health_of(v);
    if (at_cursor(h))
        draw_fixes(&h->fixes, p);
}

static void layout(struct view *v, int height, int width)
{
    struct health_view *h = health_of(v);
    (void)height;
    (void)width;
    follow_fixes(h);
    if (h->rows.next && !v->ui->screen.speaks)
        ui_wake(v->ui, 100);
}

static void draw_finding(struct view *v, const struct pane *row, const struct finding *f)
{
    struct list_line l = line_begin(v, row, false, 6, NULL);
    const struct memory_row *m = line_memory(&l, f->node, 3);
    AUTO_STRBUF sb = STRBUF_INIT;
    if (!m)
        return;
    line_change_sign(&l, 4, m);
    line_ref(&l, 20, NULL, m);
    if (f->field)
        field_add_title(&sb, f->field);
    if (f->target)
        strbuf_addf(&sb, "%s%s", f->field ? " " : "", f->target);
    if (f->problem == PROBLEM_UNEXPLAINED) {
        strbuf_addstr(&sb, ", stored ");
        add_confidence(&sb, f->confidence);
    }
    int room = row->width >= 90 && sb.len > 0 ? row->width * 2 / 5 : 0;
    if (room)
        paint_bytes(row, 0, row->width - room, room - 1, STYLE_UNSUPPORTED, sb.buf, sb.len);
    l.end -= room;
    line_text(&l, NULL, STYLE_TEXT, m->text);
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    const struct finding *f = one;
    if (f->node == 0)
        line_heading(row, problem_name(f->problem), health_of(v)->of[f->problem],
                     problem_explained((enum problem)f->problem));
    else
        draw_finding(v, row, f);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct health_view *h = health_of(v);
    if (rows_view_known(v))
        strbuf_addf(out, "%u problem%s", h->findings, h->findings == 1 ? "" : "s");
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct health_view *h = health_of(v);
    struct health_context *asked = h->rows.next ? h->rows.next->context : NULL;
    int percent = asked ? atomic_load(&asked->percent) : 0;
    if (percent > 0)
        strbuf_addf(out, "looking %d%%", percent);
}

static const char *empty(struct view *v)
{
    return rows_view_known(v) && v->only_new && !*v->filter
               ? "no problem in what is new or changed; Esc shows everything"
               : rows_view_empty(v);
}

static void notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct health_view *h = health_of(v);
    h->fixes.orphan.node = 0;
    view_changed(v, events, count, whole);
    if (!h->rows.next && rows_view_known(v) && h->rows.took < LOOKS_AGAIN_MS)
        rows_view_load(v);
}

static void release(struct view *v)
{
    struct fixes *g = &health_of(v)->fixes;
    arena_release(&g->arena);
    free(g->nodes);
    rows_view_release(v);
}

static const struct rows_ops finding_ops = {.job = "checking the lineage",
                                            .size = sizeof(struct finding),
                                            .context = sizeof(struct health_context),
                                            .ask = ask,
                                            .read = read_findings,
                                            .matches = matches,
                                            .subject = row_subject,
                                            .sections = true,
                                            .draw = draw,
                                            .taken = taken,
                                            .while_reading = "looking…",
                                            .nothing = "the lineage of this store has no problems"};

static const struct view_ops health_ops = {
    .name = "health",
    ROWS_SECTIONS_OPS,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER | HAS_NEW | HAS_PROBLEMS | HAS_AGENT,
    .query = QUERY_MEMORIES,
    .bar = "show,fix,select",
    .notice = notice,
    .counts = counts,
    .layout = layout,
    .header = header,
    .draw_header = draw_header,
    .empty = empty,
    .narrow = rows_view_load,
    .shown = rows_view_shown,
    .notify = notify,
    .release = release,
};

struct view *health_view_new(struct ui *ui)
{
    struct health_view *h = rows_view_new(sizeof(*h), &health_ops, &finding_ops, ui);
    rows_view_load(&h->rows.view);
    return &h->rows.view;
}
