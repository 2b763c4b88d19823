/* The inbox: memories that wait for a person's decision, the riskiest first, by session. */
#include "tui/view/views.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/db/thread.h"
#include "store/ops/policy.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/questions/inbox.h"
#include "store/record/get.h"
#include "store/team/team.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/text/match.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

#define FOR_REVIEW "for_review"
#define FIRST_ROWS 200 /* read at once, by age: more than a screen has */
/* After this time the person may have read the row under the cursor, which then stays there. */
#define UNREAD_MS      500
#define LOOKS_AGAIN_MS 200 /* a longer read is not repeated for the person's own decisions */

/* A memory, or the heading of a session. */
struct inbox_row {
    struct inbox_item item;
    int section;
    size_t count; /* of a heading: rows below it that are shown */
};

/* The order in which memories were ranked first. They keep it while the person works through them. */
struct place {
    int64_t node, session;
    double key, risk; /* for sorting */
};

struct inbox_context {
    struct new_filter since;
    bool begun;        /* other jobs had their turn */
    bool cut, flagged; /* some are flagged or pending, so there are reasons to show */
    size_t disputed;   /* changes of a team that did not hold: a reason, too */
    int64_t *settled;  /* [settled_count] decisions that this read knows of, in the arena */
    size_t settled_count;
    struct place *place; /* owned */
    size_t places;
};

struct inbox_view {
    struct rows_view rows;
    struct selection hidden;  /* decided, and perhaps still among the rows that were read */
    struct selection settled; /* of these, those whose decision is committed */
    struct selection decided; /* since the view was opened */
    size_t waits;             /* memories that are shown */
    struct place *place;      /* [places] */
    size_t places;
    int64_t opened_at; /* monotonic ms */
    bool jumps;        /* the cursor goes to the first row: nobody can have read another */
};

static struct inbox_view *inbox_of(const struct view *v)
{
    return (struct inbox_view *)v;
}

/* ---- reading ---- */

static void ask(struct rows_view *l, struct rows *rows)
{
    struct inbox_context *c = rows->context;
    const struct selection *settled = &inbox_of(&l->view)->settled;
    c->since = new_filter_of(&l->view);
    c->settled = arena_array(&rows->arena, settled->count + 1, sizeof(*c->settled));
    for (int64_t n = selection_next(settled, 0); n > 0; n = selection_next(settled, n))
        c->settled[c->settled_count++] = n;
    c->places = inbox_of(&l->view)->places;
    c->place = xmalloc((c->places + 1) * sizeof(*c->place));
    if (c->places)
        memcpy(c->place, inbox_of(&l->view)->place, c->places * sizeof(*c->place));
}

static void release_context(struct rows *rows)
{
    struct inbox_context *c = rows->context;
    free(c->place);
}

static int by_key(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = COMPARE(x->key, y->key);
    order = order ? order : COMPARE(y->risk, x->risk);
    return order ? order : COMPARE(y->node, x->node);
}

/* Adds places for what is new: after the others of its session, or at the end. Returns them with the old ones. */
static size_t add_places(struct inbox_context *c, const struct inbox *inbox, struct map *items)
{
    struct map last = MAP_INIT; /* of a session, from 1 */
    AUTO_FREE bool *known = xcalloc(inbox->count + 1, sizeof(*known));
    size_t count = c->places;
    c->place = xrealloc(c->place, (count + inbox->count + 1) * sizeof(*c->place));
    for (size_t i = 0; i < inbox->count; i++)
        *map_at(items, inbox->item[i].node) = (int64_t)i;
    for (size_t i = 0; i < count; i++) {
        const int64_t *item = map_find(items, c->place[i].node);
        c->place[i].key = (double)i;
        *map_at(&last, c->place[i].session + 1) = (int64_t)i + 1;
        if (item)
            known[*item] = true;
    }
    for (size_t i = 0; i < inbox->count; i++) {
        const struct inbox_item *item = &inbox->item[i];
        const int64_t *after = known[i] ? NULL : map_find(&last, item->under + 1);
        if (!known[i])
            c->place[count++] = (struct place){
                item->node, item->under, after ? (double)*after - 0.5 : (double)(c->places + i),
                after ? item->risk : 0};
    }
    map_release(&last);
    return count;
}

/* Keeps the order of an earlier ranking, as far as it goes. */
static void keep_order(struct inbox_context *c, struct inbox *inbox)
{
    struct map items = MAP_INIT;
    struct inbox_item *kept = xcalloc(inbox->count + 1, sizeof(*kept));
    size_t count = 0;
    c->places = add_places(c, inbox, &items);
    if (c->places)
        qsort(c->place, c->places, sizeof(*c->place), by_key);
    for (size_t i = 0; i < c->places; i++) {
        const int64_t *item = map_find(&items, c->place[i].node);
        if (!item)
            continue;
        kept[count] = inbox->item[*item];
        kept[count++].under = c->place[i].session;
    }
    map_release(&items);
    free(inbox->item);
    inbox->item = kept;
}

/* Each session begins with a heading. */
static void take_items(struct rows *rows, const struct inbox *inbox)
{
    struct inbox_context *c = rows->context;
    size_t heading = 0;
    int section = 0;
    for (size_t i = 0; i < inbox->count; i++) {
        const struct inbox_item *item = &inbox->item[i];
        const struct inbox_row *begun = (const struct inbox_row *)rows->row + heading;
        if (!new_filter_wants(&c->since, item->node))
            continue;
        if (section == 0 || begun->item.under != item->under) {
            heading = rows->count;
            *(struct inbox_row *)rows_add(rows) =
                (struct inbox_row){.item.under = item->under, .section = ++section};
        }
        *(struct inbox_row *)rows_add(rows) = (struct inbox_row){*item, section, 0};
        c->flagged |= item->label == LABEL_ENDED; /* pending */
    }
}

/* Where the graph has to be loaded that takes a second and more: other jobs go first. */
static int read_inbox(struct rows *rows, struct reader *r, struct error *e)
{
    struct inbox_context *c = rows->context;
    struct inbox inbox = {0};
    if (!c->begun) {
        c->begun = true;
        return 1;
    }
    AUTO_FREE struct flagged *flagged = NULL;
    struct disputed *disputed;
    size_t flags = 0;
    int failed =
        team_disputed(r, &rows->arena, 0, &disputed, &c->disputed, e) ||
        new_filter_read(&c->since, r, rows->cancelled, e) ||
        flagged_list(r, FOR_REVIEW, rows->agent,
                     STATUS_BIT(STATUS_ACTIVE) | STATUS_BIT(STATUS_PENDING), &flagged, &flags, e) ||
        inbox_read(r, rows->agent, &inbox, e);
    if (!failed)
        keep_order(c, &inbox);
    take_items(rows, &inbox);
    c->cut = inbox.cut;
    c->flagged |= flags > 0 || c->disputed > 0;
    free(inbox.item);
    new_filter_release(&c->since);
    return failed ? -1 : 0;
}

/* Without sections and risks, which follow. */
static int read_first(struct rows *rows, struct reader *r, struct error *e)
{
    struct inbox inbox = {0};
    int failed = inbox_newest(r, rows->agent, FIRST_ROWS, &inbox, e);
    for (size_t i = 0; i < inbox.count && !failed; i++)
        *(struct inbox_row *)rows_add(rows) = (struct inbox_row){inbox.item[i], 1, 0};
    free(inbox.item);
    return failed ? -1 : 0;
}

static int matches(struct rows *rows, size_t index, struct reader *r, struct error *e)
{
    const struct inbox_row *one = (const struct inbox_row *)rows->row + index;
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF session = STRBUF_INIT;
    struct flag flag = {0};
    struct error none;
    if (!one->item.node)
        return 0;
    if (flag_read(r, &arena, one->item.node, FOR_REVIEW, &flag, &none))
        flag = (struct flag){0};
    if (one->item.session && inbox_add_session(r, one->item.session, " ", &session, e))
        return -1;
    return rows_match(rows, r, one->item.node,
                      arena_format(&arena, "%s\n%s\n%s\n%s", flag.actor ? flag.actor : "",
                                   flag.reason ? flag.reason : "", flag.value ? flag.value : "",
                                   session.buf ? session.buf : ""),
                      e);
}

static struct line_subject row_subject(const void *row)
{
    const struct inbox_row *one = row;
    return (struct line_subject){
        .node = one->item.node, .id = one->item.node, .section = one->section};
}

static bool passes(struct rows_view *l, const void *row)
{
    const struct inbox_row *one = row;
    return one->item.node ? !selection_has(&inbox_of(&l->view)->hidden, one->item.node)
                          : one->count > 0;
}

/* Counts the rows below each heading, and those that were decided. */
static void count_rows(struct inbox_view *v)
{
    struct inbox_row *row = v->rows.rows->row, *heading = row;
    v->waits = 0;
    for (size_t i = 0; i < v->rows.rows->count; i++) {
        bool hidden = selection_has(&v->hidden, row[i].item.node);
        if (!row[i].item.node) {
            heading = &row[i];
            heading->count = 0;
            continue;
        }
        heading->count += !hidden;
        v->waits += !hidden;
        selection_set(&v->decided, row[i].item.node, hidden);
    }
}

/* What was decided before this read began and is here again was undone, or written again by an agent. */
static void taken(struct rows_view *l)
{
    struct inbox_view *v = inbox_of(&l->view);
    struct inbox_context *c = l->rows->context;
    for (size_t i = 0; i < c->settled_count; i++) {
        selection_set(&v->hidden, c->settled[i], false);
        selection_set(&v->settled, c->settled[i], false);
    }
    count_rows(v);
    free(v->place);
    v->place = c->place;
    v->places = c->places;
    c->place = NULL;
    bool soon = l->view.ui->script || monotonic_ms() - v->opened_at < UNREAD_MS;
    v->jumps = v->opened_at && l->view.cursor == 0 && soon;
    if (v->opened_at && !v->jumps && l->rows->count)
        ui_message(l->view.ui, "the riskiest are on top now");
    v->opened_at = 0;
}

static void laid(struct rows_view *l)
{
    struct inbox_view *v = inbox_of(&l->view);
    if (v->jumps)
        view_first(&l->view);
    if (l->view.cursor <= 1) /* with its heading */
        l->view.top = 0;
    l->view.ui->rows_moved |= v->jumps;
    v->jumps = false;
}

/* ---- decisions ---- */

/* Of several memories, the riskiest that was decided about here: others only followed. The first, if none was. */
static int64_t first_decided(const struct inbox_view *v, const int64_t *nodes, size_t count)
{
    struct selection these = {0};
    int64_t first = 0;
    for (size_t k = 0; k < count; k++)
        selection_set(&these, nodes[k], selection_has(&v->decided, nodes[k]));
    for (size_t k = 0; k < v->places && !first; k++)
        first = selection_has(&these, v->place[k].node) ? v->place[k].node : 0;
    selection_release(&these);
    return first || !count ? first : nodes[0];
}

static void decided(struct view *v, const int64_t *nodes, size_t count, enum commit_state state)
{
    struct inbox_view *i = inbox_of(v);
    bool begins = state == COMMIT_BEGINS, done = state == COMMIT_DONE;
    int64_t back = state == COMMIT_UNDONE ? first_decided(i, nodes, count) : count ? nodes[0] : 0;
    for (size_t k = 0; k < count; k++) {
        selection_set(&i->settled, nodes[k], done);
        if (!done)
            selection_set(&i->hidden, nodes[k], begins);
    }
    if (done || !count || !rows_view_known(v))
        return;
    v->sought = begins ? 0 : back;
    count_rows(i);
    rows_view_make_lines(v);
    if (state == COMMIT_UNDONE && view_node(v) != back)
        v->sought = back; /* it comes with the next read */
    if (state == COMMIT_UNDONE)
        view_load(v);
}

/* The rows that the person decided about are hidden already. */
static void notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct inbox_view *i = inbox_of(v);
    bool wanted = whole || i->rows.took < LOOKS_AGAIN_MS;
    for (size_t k = 0; k < count && !wanted; k++)
        wanted = !selection_has(&i->hidden, events[k].subject);
    v->throttle.wanted |= wanted;
}

/* A refresh ranks anew. */
static bool request(struct view *v, enum view_request what)
{
    if (what == REQUEST_REFRESH)
        inbox_of(v)->places = 0;
    return rows_view_request(v, what);
}

/* Whether all lines of `like` are selected; `level` 0: the same words, 1: the same session, 2: any. */
static bool is_like(const struct inbox_row *a, const struct inbox_row *b, int level)
{
    return b->item.node && (level == 2   ? true
                            : level == 1 ? a->section == b->section
                                         : a->item.alike && a->item.alike == b->item.alike);
}

static size_t select_like(struct view *v, const struct inbox_row *like, int level)
{
    struct selection *selection = &v->ui->selection;
    size_t before = selection->count;
    for (size_t i = 0; i < v->count; i++) {
        const struct inbox_row *one = rows_view_at(v, i);
        if (is_like(like, one, level))
            selection_set(selection, one->item.node, true);
    }
    return selection->count - before;
}

void review_view_select_alike(struct view *v)
{
    static const char *const names[] = {"of the same words; again: all of this session",
                                        "of this session; again: all",
                                        "that wait here; Esc unselects"};
    const struct inbox_row *here = rows_view_at(v, v->cursor);
    int level = 0;
    if (!here || !here->item.node)
        return;
    while (level < 3 && select_like(v, here, level) == 0)
        level++;
    if (level == 3)
        ui_message(v->ui, "all %zu are selected; Esc unselects", v->ui->selection.count);
    else
        ui_message(v->ui, "%s%zu selected: all %s",
                   level == 1 && !here->item.alike ? "nothing says the same. " : "",
                   v->ui->selection.count, names[level]);
}

int64_t *review_view_alike(struct view *v, size_t *count)
{
    const struct inbox_row *here = rows_view_at(v, v->cursor);
    int64_t *nodes = xcalloc(v->count + 1, sizeof(*nodes));
    *count = 0;
    for (size_t i = 0; here && i < v->count; i++) {
        const struct inbox_row *one = rows_view_at(v, i);
        if (is_like(here, one, 0))
            nodes[(*count)++] = one->item.node;
    }
    return nodes;
}

/* ---- drawing ---- */

/* "12 of 50": decided, of all that waited since the view was opened. */
static void counts(struct view *v, struct strbuf *out)
{
    size_t decided = inbox_of(v)->decided.count;
    if (!rows_view_known(v) || rows_view_partial(v))
        return;
    strbuf_addf(out, "%zu of %zu", decided, decided + inbox_of(v)->waits);
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct inbox_context *c = rows_view_answer(v);
    if (rows_view_known(v) && rows_view_partial(v))
        strbuf_addstr(out, "newest first, until risks are known");
    else if (c && c->cut)
        strbuf_addf(out, "the riskiest %d are grouped", INBOX_COMPARED);
}

/* The risk of the memory under the cursor, with its parts. */
static void add_risk(struct view *v, struct strbuf *out)
{
    const struct inbox_row *one = rows_view_at(v, v->cursor);
    if (!one || !one->item.known)
        return;
    strbuf_addstr(out, "risk ");
    inbox_add_risk(&one->item, out);
}

static void draw_heading(struct view *v, const struct pane *pane, const struct inbox_row *one)
{
    AUTO_STRBUF name = STRBUF_INIT;
    struct error e;
    char apart[8];
    snprintf(apart, sizeof(apart), " %s ", glyph_text(pane->screen, GLYPH_DOT));
    if (inbox_add_session(v->ui->data->reader, one->item.under, apart, &name, &e))
        strbuf_addstr(&name, "session");
    int at = 3 + paint_text(pane, 0, 3, pane->width - 12, STYLE_RULE_TITLE, name.buf) + 2;
    paint_format(pane, 0, at, 12, STYLE_NUMBER, "%zu", one->count);
}

/* The reason of a memory of which a change did not hold because others of the team had been faster. */
static const char *why_disputed(struct app *x, int64_t node, struct arena *arena)
{
    struct error ignored;
    struct disputed *list;
    size_t count;
    if (team_disputed(x->data.reader, arena, node, &list, &count, &ignored) || !count)
        return NULL;
    return "did not hold";
}

/* How many lines in a row say the same as this one, before it and after it. */
static size_t count_alike(const struct view *v, size_t line, int step)
{
    const struct inbox_row *one = rows_view_at(v, line), *next;
    size_t count = 0;
    for (size_t i = line;
         (step > 0 || i > 0) && (next = rows_view_at(v, i + (size_t)step)) && is_like(one, next, 0);
         i += (size_t)step)
        count++;
    return count;
}

/* Groups stand next to each other: the sign begins one, and the corner ends it. */
static void draw_alike(const struct view *v, const struct pane *row, int at, size_t line)
{
    const struct screen *s = row->screen;
    const struct inbox_row *one = rows_view_at(v, line);
    if (!one->item.alike)
        return;
    size_t before = count_alike(v, line, -1), after = count_alike(v, line, 1);
    if (s->speaks)
        paint_format(row, 0, at, 1, STYLE_CHIP, "alike %zu of %zu", before + 1, before + 1 + after);
    else
        paint_text(row, 0, at, 1, STYLE_CHIP,
                   before == 0  ? (s->utf8 ? "≈" : "=")
                   : after == 0 ? (s->utf8 ? "└" : "\\")
                                : (s->utf8 ? "│" : "|"));
}

/* Draws "age risk by why memory text"; with `line` LINE_NONE the column headers. */
static void draw_cells(struct view *v, const struct pane *row, size_t line)
{
    const struct inbox_row *one = line == LINE_NONE ? NULL : rows_view_at(v, line);
    struct app *x = v->app;
    const struct inbox_context *c = rows_view_answer(v);
    int width = row->width;
    int why = !c || !c->flagged || width < 90 ? 0 : width >= 150 ? 32 : 24;
    struct list_line l = line_begin(v, row, !one, 6, v->filter_word);
    AUTO_ARENA arena = ARENA_INIT;
    struct flag flag = {0};
    struct error e;
    if (one && !one->item.node) {
        draw_heading(v, row, one);
        return;
    }
    const struct memory_row *m = one ? line_memory(&l, one->item.node, 3) : NULL;
    if (one && flag_read(x->data.reader, &arena, one->item.node, FOR_REVIEW, &flag, &e))
        flag = (struct flag){0};
    if (m)
        line_change_sign(&l, 4, m);
    char risk[24] = "";
    if (one && one->item.known)
        snprintf(risk, sizeof(risk), one->item.risk < 10 ? "%.2f" : "%.0f", one->item.risk);
    line_sign(&l);
    line_right(&l, 5, "risk", STYLE_NUMBER, one ? risk : NULL);
    line_when(&l, "age", "at", m ? m->updated_at : 0);
    const char *by = flag.actor ? flag.actor : m ? m->agent : NULL;
    line_cell(&l, width >= 56 ? 10 : 5, "by", STYLE_SOURCE,
              flag.actor && !flag.by_agent && changes_is_own(x->options, flag.actor) ? "you" : by);
    if (why) { /* show the flag's value if there is no reason */
        const char *text = m && m->status == STATUS_PENDING
                               ? gate_reason(x->data.reader, &arena, m->node)
                           : flag.reason      ? flag.reason
                           : flag.value       ? flag.value
                           : flag.name        ? flag.name
                           : c->disputed && m ? why_disputed(x, m->node, &arena)
                                              : NULL;
        line_cell(&l, why, "why", STYLE_TEXT,
                  text ? refs_shorten(x->data.reader, &arena, text) : NULL);
    }
    if (l.end - l.at >= 80) {
        if (m && column_width(v, "flags", 5))
            paint_flags(row, 0, l.at, m->flags & ~(unsigned)ROW_REVIEW);
        line_cell(&l, 5, "flags", STYLE_TEXT, NULL);
    }
    if (l.end - l.at >= 60)
        line_ref(&l, 17, "memory", m);
    if (one)
        draw_alike(v, row, l.at, line);
    l.at += 2;
    line_text(&l, "text", m ? details_style(m, details_of(&x->details, m->node)) : STYLE_TEXT,
              m ? m->text : NULL);
}

static void draw_names(struct view *v, const struct pane *row, const void *none)
{
    (void)none;
    draw_cells(v, row, LINE_NONE);
}

static const char *empty(struct view *v)
{
    return asof_is_past(&v->app->asof) ? "only what waits now is known; :asof now returns"
                                       : rows_view_empty(v);
}

static void release(struct view *v)
{
    selection_release(&inbox_of(v)->hidden);
    selection_release(&inbox_of(v)->settled);
    selection_release(&inbox_of(v)->decided);
    free(inbox_of(v)->place);
    rows_view_release(v);
}

/* In the first moment nobody has read the lines that are not ranked yet. */
static bool unsettled(struct view *v)
{
    int64_t opened_at = inbox_of(v)->opened_at, left = opened_at + UNREAD_MS - monotonic_ms();
    if (!opened_at || (left <= 0 && !v->ui->script))
        return false;
    ui_wake(v->ui, left > 0 ? left : 1);
    return true;
}

static const struct rows_ops inbox_ops = {.job = "ranking what waits by its risk",
                                          .size = sizeof(struct inbox_row),
                                          .context = sizeof(struct inbox_context),
                                          .ask = ask,
                                          .read = read_inbox,
                                          .subject = row_subject,
                                          .passes = passes,
                                          .matches = matches,
                                          .taken = taken,
                                          .laid = laid,
                                          .release = release_context,
                                          .sections = true,
                                          .fixed = "the inbox is in the order of risk, by session",
                                          .draw = draw_names,
                                          .nothing = "nothing waits for you"};

static const struct view_ops review_ops = {
    .name = "inbox",
    ROWS_VIEW_OPS,
    .draw_line = draw_cells,
    .selectable = rows_view_selectable,
    .position = view_add_position,
    .request = request,
    .notify = notify,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER | HAS_NEW | HAS_AGENT | HAS_INBOX,
    .query = QUERY_MEMORIES,
    .bar = "approve,retract,edit,merge=merge,sources=sources,show,undo,reviewed=reviewed,down=skip,"
           "select-alike,change",
    .legend = SIGNS_OF_LABELS | SIGN_BIT(SIGN_PENDING) | SIGN_BIT(SIGN_LOCKED) |
              SIGN_BIT(SIGN_CONTRADICTED),
    .counts = counts,
    .notice = notice,
    .empty = empty,
    .preview_note = add_risk,
    .narrow = rows_view_load,
    .shown = rows_view_shown,
    .unsettled = unsettled,
    .decided = decided,
    .release = release,
};

struct view *review_view_new(struct ui *ui)
{
    struct inbox_view *v = rows_view_new(sizeof(*v), &review_ops, &inbox_ops, ui);
    v->opened_at = monotonic_ms();
    rows_view_first(&v->rows, read_first);
    view_load(&v->rows.view);
    return &v->rows.view;
}
