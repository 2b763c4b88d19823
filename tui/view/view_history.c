/* The view of a memory's events, and the view of its versions (memories that replaced each other). */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/difference.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_page.h"
#include "tui/view/events/activity_list.h"
#include "tui/view/memory/list_line.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/views.h"
#include "tui/widget/rows_view.h"
#include "tui/widget/panel.h"

/* The versions of a memory, newest first, the same from each of them. The preview shows the difference from the
 * version before. */
struct versions_view {
    struct rows_view rows; /* int64_t: the memories' rows, newest first */
    int64_t node;          /* the memory that it was opened for */
    struct panel compared; /* struct compared: the one under the cursor, and the one before it */
};

/* The difference between two memories. */
struct compared {
    struct arena arena;
    struct difference *list;
    size_t count;
};

static struct versions_view *versions_of(struct view *v)
{
    return (struct versions_view *)v;
}

/* ---- versions ---- */

static void ask(struct rows_view *v, struct rows *rows)
{
    *(int64_t *)rows->context = versions_of(&v->view)->node;
}

static int read_chain(struct rows *rows, struct reader *r, struct error *e)
{
    int64_t *chain;
    size_t count;
    if (history_versions(r, &rows->arena, *(int64_t *)rows->context, &chain, &count, e))
        return -1;
    for (size_t i = count; i-- > 0;)
        *(int64_t *)rows_add(rows) = chain[i];
    return 0;
}

static struct line_subject row_subject(const void *row)
{
    int64_t node = *(const int64_t *)row;
    return (struct line_subject){.node = node, .id = node};
}

static void taken(struct rows_view *v)
{
    versions_of(&v->view)->compared.stale = true;
}

/* ---- difference ---- */

/* A stub counts as an empty memory. */
static int read_one(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                    const struct memory **out, struct error *e)
{
    *out = NULL;
    if (node <= 0)
        return 0;
    if (memory_read(r, arena, node, m, e))
        return -1;
    *out = m->status == STATUS_MISSING ? NULL : m;
    return 0;
}

static void compared_free(void *facts)
{
    struct compared *c = facts;
    arena_release(&c->arena);
    free(c);
}

static void *compared_read(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct compared *c = xcalloc(1, sizeof(*c));
    struct memory old, new;
    const struct memory *before, *after;
    c->arena = (struct arena)ARENA_INIT;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_one(r, &c->arena, key->other, &old, &before, e) ||
                 read_one(r, &c->arena, key->id, &new, &after, e);
        reader_end(r);
    }
    if (!failed) {
        memory_difference(before, after, &c->arena, &c->list, &c->count);
        return c;
    }
    compared_free(c);
    return NULL;
}

static void compared_lay(struct panel *p, const struct page_options *options)
{
    const struct compared *c = p->facts;
    if (p->known.other == 0)
        state_page(&p->page, c->list, c->count);
    else
        difference_page(&p->page, c->list, c->count, options->ascii);
}

static const struct panel_ops compared_ops = {
    .job = "comparing versions", .read = compared_read, .free = compared_free, .lay = compared_lay};

/* ---- drawing ---- */

static void counts(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v))
        strbuf_addf(out, "%zu wording%s", v->count, v->count == 1 ? "" : "s");
}

/* Draws "number memory conf age text"; without a row the column headers. The memory that the view was opened for has
 * a sign. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    bool names = !one, wide = row->width >= 60;
    int64_t node = names ? 0 : *(const int64_t *)one;
    size_t newer =
        names ? 0 : (size_t)((const int64_t *)one - (int64_t *)versions_of(v)->rows.rows->row);
    bool asked = node && node == versions_of(v)->node;
    struct list_line l = line_begin(v, row, names, 3, NULL);
    const struct memory_row *m = names ? NULL : line_memory(&l, node, 11);
    bool missing = m && m->status == STATUS_MISSING;
    const struct detail *d = names ? NULL : details_of(&v->app->details, node);
    const struct row_label *label = details_label(d);
    char number[24], confidence[16] = "";
    snprintf(number, sizeof(number), "%zu", names ? 0 : v->count - newer);
    line_right(&l, 6, "number", asked ? STYLE_TITLE : STYLE_NUMBER, number);
    if (asked)
        paint_text(row, 0, 9, 1, STYLE_TITLE, "<");
    l.at = wide ? 13 : 11;
    if (label && !missing)
        snprintf(confidence, sizeof(confidence), "%.2f", label->effective);
    if (wide) {
        line_ref(&l, 18, "memory", m);
        l.at--;
        line_cell(&l, 5, "conf", STYLE_NUMBER, confidence);
        l.at--;
    }
    line_when(&l, "age", "made", m && !missing ? m->created_at : 0);
    line_text(&l, "text", missing || !m ? STYLE_DIM : details_style(m, d),
              missing ? "not in this store"
              : m     ? m->text
                      : NULL);
}

static void draw_preview(struct view *v, const struct pane *p)
{
    struct panel *compared = &versions_of(v)->compared;
    char title_text[80] = "";
    int64_t node = view_node(v);
    if (node > 0)
        panel_set_subject(compared,
                          (struct panel_key){.id = node, .other = view_node_at(v, v->cursor + 1)});
    bool here = node > 0 && panel_is_known(compared);
    if (here && compared->known.other > 0)
        snprintf(title_text, sizeof(title_text), "from wording %zu to %zu",
                 v->count - v->cursor - 1, v->count - v->cursor);
    else if (here)
        snprintf(title_text, sizeof(title_text), "the first wording");
    if (here)
        panel_draw(compared, p, 0, title_text, "");
    else
        paint_rule(p, 0, title_text, "");
}

static void release(struct view *v)
{
    panel_release(&versions_of(v)->compared);
    rows_view_release(v);
}

static const struct rows_ops chain_ops = {.job = "looking for versions",
                                          .size = sizeof(int64_t),
                                          .context = sizeof(int64_t),
                                          .ask = ask,
                                          .read = read_chain,
                                          .subject = row_subject,
                                          .draw = draw,
                                          .fixed = "versions are in the order of their making",
                                          .while_reading = "looking…",
                                          .nothing = "no belief replaced it, and it replaced none",
                                          .taken = taken};

static const struct view_ops versions_ops = {
    .name = "wordings",
    ROWS_VIEW_OPS,
    .own_preview = true,
    .has = HAS_MEMORIES | HAS_FORMER,
    .counts = counts,
    .draw_preview = draw_preview,
    .release = release,
};

static struct view *versions_view_new(struct ui *ui, int64_t node)
{
    struct versions_view *w = rows_view_new(sizeof(*w), &versions_ops, &chain_ops, ui);
    panel_init(&w->compared, &compared_ops, ui);
    w->node = w->rows.view.sought = node;
    view_load(&w->rows.view);
    return &w->rows.view;
}

struct history_view {
    struct activity_list list;
    struct memory_name name; /* of the breadcrumb */
    struct panel place;      /* struct place_among: its place among its versions */
};

static struct history_view *history_of(struct view *v)
{
    return (struct history_view *)v;
}

static int64_t subject_of(struct view *v)
{
    return history_of(v)->list.filter.subject;
}

/* ---- number of versions ---- */

struct place_among {
    size_t version, versions; /* number of this version, from 1, and their count */
};

static void *read_place(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct place_among *place = xcalloc(1, sizeof(*place));
    AUTO_ARENA arena = ARENA_INIT;
    int64_t *rows;
    int failed = history_versions(r, &arena, key->id, &rows, &place->versions, e);
    for (size_t i = 0; !failed && i < place->versions; i++)
        if (rows[i] == key->id)
            place->version = i + 1;
    if (!failed)
        return place;
    free(place);
    return NULL;
}

static const struct panel_ops place_ops = {
    .job = "looking for versions", .read = read_place, .free = free};

static const struct place_among *place_of(const struct history_view *h)
{
    static const struct place_among unknown;
    return h->place.facts ? h->place.facts : &unknown;
}

/* ---- the view ---- */

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addf(out, "%s %s history", details_name(v->app, &history_of(v)->name),
                glyph_text(&v->ui->screen, GLYPH_CRUMB));
}

static void view_history_counts(struct view *v, struct strbuf *out)
{
    struct history_view *h = history_of(v);
    panel_set_subject(&h->place, (struct panel_key){.id = subject_of(v)});
    activity_list_counts(v, out);
    if (place_of(h)->versions > 1)
        strbuf_addf(out, " %s wording %zu of %zu", glyph_text(&v->ui->screen, GLYPH_DOT),
                    place_of(h)->version, place_of(h)->versions);
}

/* Draws the current memory above the column headers. */
static void view_history_draw_header(struct view *v, const struct pane *p)
{
    struct app *x = v->app;
    const struct memory_row *m = details_row(x, subject_of(v));
    int at = 3;
    line_label(p, at, m, details_of(&x->details, subject_of(v)));
    if (m && m->status == STATUS_MISSING)
        paint_text(p, 0, at + 2, p->width - at - 3, STYLE_DIM,
                   v->count > 0 ? "missing: its addition was undone" : status_word(m->status));
    else if (m && m->status != STATUS_ACTIVE)
        at += paint_format(p, 0, at + 2, 20, STYLE_DIM, "%s %s", status_word(m->status),
                           glyph_text(&x->ui.screen, GLYPH_DOT)) +
              1;
    if (m && m->text)
        paint_text(p, 0, at + 2, p->width - at - 3, STYLE_TEXT, m->text);
    activity_list_draw_header(v, p);
}

static void notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    activity_list_notify(v, events, count, whole);
    history_of(v)->place.stale = true;
}

/* A filter never shows another memory. */
static int read_filter(struct view *v, struct query_terms *terms, struct error *e)
{
    struct activity_filter *filter = &history_of(v)->list.filter;
    int64_t subject = filter->subject;
    if (activity_list_read_filter(v, terms, e))
        return -1;
    filter->subject = subject;
    filter->types = 1u << ACTIVITY_WRITE;
    return 0;
}

static bool open_line(struct view *v)
{
    const struct activity *a = activity_list_cursor(&history_of(v)->list);
    if (a)
        app_push(v->app, state_view_new(v->ui, a->id));
    return true;
}

static bool request(struct view *v, enum view_request request)
{
    struct history_view *h = history_of(v);
    if (request == REQUEST_OPEN)
        return open_line(v);
    if (request == REQUEST_REFRESH)
        h->place.stale = true;
    if (request != REQUEST_NEXT_SECTION || v->ui->preview_focus)
        return activity_list_request(v, request);
    if (place_of(h)->versions < 2) {
        if (h->place.facts)
            ui_message(v->ui, "no earlier wording: it replaced nothing, and nothing replaced it");
        return activity_list_request(v, request);
    }
    app_push(v->app, versions_view_new(v->ui, subject_of(v)));
    return true;
}

static void history_release(struct view *v)
{
    panel_release(&history_of(v)->place);
    activity_list_release(v);
}

static const struct view_ops history_ops = {
    .name = "history",
    ACTIVITY_LIST_OPS,
    .has = HAS_MEMORIES | HAS_FILTER | HAS_NEW | HAS_EVENTS | HAS_JOURNAL | HAS_UNDO | HAS_FORMER,
    .query = QUERY_EVENTS,
    .read_filter = read_filter,
    .legend = SIGN_BIT(SIGN_NEW) | SIGN_BIT(SIGN_PERSON),
    .bar = "show=as it was then,undo=undo it,same,next-section=earlier wordings,yank",
    .title = title,
    .counts = view_history_counts,
    .header_rows = 2,
    .draw_header = view_history_draw_header,
    .request = request,
    .notify = notify,
    .release = history_release,
};

struct view *history_view_new(struct app *x, int64_t node)
{
    struct history_view *h = xcalloc(1, sizeof(*h));
    activity_list_init(&h->list, &history_ops, &x->ui, ACTIVITY_HISTORY);
    details_name_open(x, &h->name, node);
    h->list.filter.subject = node;
    h->list.filter.types = 1u << ACTIVITY_WRITE;
    activity_list_begin(&h->list);
    panel_init(&h->place, &place_ops, &x->ui);
    return &h->list.view;
}
