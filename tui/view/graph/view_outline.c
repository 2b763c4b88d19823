/* The view of a lineage as an outline. */
#include "tui/view/graph/graph_view.h"

#include <math.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/lineage/effective.h"
#include "store/record/get.h"
#include "tui/render/facts.h"

#define SLOT_OUTLINE   0
#define LINES_MAX      200000 /* further lines are only counted */
#define LINES_AT_FIRST 200    /* deeper levels are folded if there would be more lines */
#define INDENT_MAX     16     /* drawn levels; deeper lines show their level as a number */

struct outline_job {
    struct job job;
    struct outline_view *view;
    int64_t node;
    enum subgraph_show show;
    struct tree tree;
};

static void tree_release(struct tree *t)
{
    if (!t->filled)
        return;
    outline_release(&t->outline);
    labels_release(&t->labels);
    graph_release(&t->graph);
    t->filled = false;
}

/* Appends the lines of `second`. */
static void join(struct outline *first, const struct outline *second)
{
    size_t count = first->count + second->count;
    struct outline_line *line = xrealloc(first->line, (count ? count : 1) * sizeof(*line));
    first->line = line;
    for (size_t i = 0; i < second->count; i++) {
        line[first->count + i] = second->line[i];
        if (second->line[i].parent_line != NODE_NONE)
            line[first->count + i].parent_line += (uint32_t)first->count;
    }
    first->count = count;
    first->bounded = first->bounded || second->bounded;
}

static void make_outline(struct tree *t, enum subgraph_show show)
{
    struct outline used_by;
    enum direction first = show == SHOW_DESCENDANTS ? DESCENDANTS : ANCESTORS;
    outline_make(&t->outline, &t->graph, 0, first, DEPTH_UNLIMITED, LINES_MAX);
    t->split = show == SHOW_DESCENDANTS ? 0 : t->outline.count;
    if (show != SHOW_BOTH)
        return;
    outline_make(&used_by, &t->graph, 0, DESCENDANTS, DEPTH_UNLIMITED, LINES_MAX);
    join(&t->outline, &used_by);
    outline_release(&used_by);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct outline_job *j = (struct outline_job *)job;
    struct tree *t = &j->tree;
    bool bounded;
    enum direction direction = j->show == SHOW_ANCESTORS ? ANCESTORS : DESCENDANTS;
    if (graph_load_surroundings(r, &t->graph, &j->node, 1, direction, 0, &bounded, e))
        return JOB_FAILED;
    labels_compute(&t->labels, &t->graph);
    make_outline(t, j->show);
    t->filled = true;
    return JOB_DONE;
}

/* ---- folding ---- */

static bool has_children(const struct outline_view *o, size_t line)
{
    const struct outline *all = &o->tree.outline;
    return line + 1 < all->count && all->line[line + 1].depth > all->line[line].depth;
}

/* The number of lines below a line. */
static size_t subtree(const struct outline_view *o, size_t line)
{
    const struct outline *all = &o->tree.outline;
    size_t end = line + 1;
    while (end < all->count && all->line[end].depth > all->line[line].depth)
        end++;
    return end - line - 1;
}

static void make_visible(struct outline_view *o)
{
    const struct outline *all = &o->tree.outline;
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        o->visible[count++] = (uint32_t)i;
        if (o->folded[i])
            i += subtree(o, i);
    }
    view_set_count(&o->view, count);
    view_reveal(&o->view);
    view_search_again(&o->view);
}

/* Folds deep levels, so that the outline starts with a readable size. */
static void fold_deep(struct outline_view *o)
{
    const struct outline *all = &o->tree.outline;
    uint32_t deepest = 0, depth = 1;
    for (size_t i = 0; i < all->count; i++)
        deepest = all->line[i].depth > deepest ? all->line[i].depth : deepest;
    while (depth < deepest) {
        size_t lines = 0;
        for (size_t i = 0; i < all->count; i++)
            lines += all->line[i].depth <= depth + 1;
        if (lines > LINES_AT_FIRST)
            break;
        depth++;
    }
    for (size_t i = 0; i < all->count; i++)
        o->folded[i] = all->line[i].depth >= depth && has_children(o, i);
}

static size_t line_at(const struct outline_view *o, size_t visible)
{
    return visible < o->view.count ? o->visible[visible] : LINE_NONE;
}

/* Goes to a line after unfolding its ancestors. */
static void go_to_line(struct outline_view *o, size_t line)
{
    const struct outline *all = &o->tree.outline;
    for (uint32_t up = all->line[line].parent_line; up != NODE_NONE; up = all->line[up].parent_line)
        o->folded[up] = 0;
    make_visible(o);
    for (size_t i = 0; i < o->view.count; i++)
        if (o->visible[i] == line)
            view_select(&o->view, i);
}

/* Finds the first line of the wanted memory. */
static void find_wanted(struct outline_view *o)
{
    const struct outline *all = &o->tree.outline;
    for (size_t i = 0; o->wanted && i < all->count; i++) {
        if (graph_row(&o->tree.graph, all->line[i].node) != o->wanted)
            continue;
        o->wanted = 0;
        go_to_line(o, i);
    }
    o->wanted = 0;
}

static void done(struct job *job, const struct error *e)
{
    struct outline_job *j = (struct outline_job *)job;
    struct outline_view *o = j->view;
    if (e->code != ERROR_NONE) {
        ui_error(o->view.ui, e);
        return;
    }
    size_t count = j->tree.outline.count;
    uint8_t *folded = xcalloc(count ? count : 1, 1);
    uint32_t *visible = xcalloc(count ? count : 1, sizeof(*visible));
    tree_release(&o->tree);
    free(o->folded);
    free(o->visible);
    o->tree = j->tree;
    j->tree.filled = false;
    o->folded = folded;
    o->visible = visible;
    o->changed = false;
    o->memories = 0;
    for (size_t i = 0; i < count; i++)
        o->memories += o->tree.outline.line[i].depth > 0 && !o->tree.outline.line[i].again &&
                       !o->tree.outline.line[i].circle;
    fold_deep(o);
    make_visible(o);
    find_wanted(o);
}

static void release_job(struct job *job)
{
    tree_release(&((struct outline_job *)job)->tree);
    free(job);
}

static const struct job_ops job_ops = {
    .name = "following the lineage", .run = run, .done = done, .release = release_job};

static void load(struct outline_view *o)
{
    struct outline_job *j = xcalloc(1, sizeof(*j));
    j->view = o;
    j->node = o->node;
    j->show = o->show;
    worker_submit(&o->view.ui->data->worker, &j->job, &job_ops, o, SLOT_OUTLINE);
}

/* ---- drawing ---- */

static enum direction direction_of(const struct outline_view *o, size_t line)
{
    return line < o->tree.split ? ANCESTORS : DESCENDANTS;
}

static struct line_subject subject_at(struct view *v, size_t visible)
{
    struct outline_view *o = outline_of(v);
    size_t line = line_at(o, visible);
    int64_t row =
        line == LINE_NONE ? 0 : graph_row(&o->tree.graph, o->tree.outline.line[line].node);
    return (struct line_subject){.node = row};
}

/* Draws the branches "│  ├─ " from the root on. Returns the columns used. */
static int draw_branches(struct outline_view *o, const struct pane *row, int column, size_t line)
{
    const struct outline *all = &o->tree.outline;
    const struct screen *s = &o->view.ui->screen;
    uint32_t depth = all->line[line].depth;
    if (depth == 0)
        return column;
    if (s->speaks) {
        char level[24];
        snprintf(level, sizeof(level), "level %u", depth);
        return column + paint_spoken_as(row, 0, column, 2, STYLE_DIM, level);
    }
    uint32_t most = (uint32_t)(row->width / 8 < 2            ? 2
                               : row->width / 8 < INDENT_MAX ? row->width / 8
                                                             : INDENT_MAX);
    uint32_t drawn = depth < most ? depth : most;
    int start = column;
    if (depth > drawn) /* too deep to draw all levels */
        start += paint_format(row, 0, column, 8, STYLE_DIM, "%u%s ", depth,
                              glyph_text(s, GLYPH_ELLIPSIS));
    uint32_t at = (uint32_t)line;
    for (uint32_t level = drawn; level > 0 && at != NODE_NONE; level--) {
        bool own = level == drawn;
        const char *branch = own ? glyph_text(s, all->line[at].last ? GLYPH_CORNER : GLYPH_TEE)
                             : all->line[at].last ? ""
                                                  : glyph_text(s, GLYPH_BAR);
        paint_text(row, 0, start + (int)(level - 1) * 3, 3, STYLE_RULE, branch);
        at = all->line[at].parent_line;
    }
    return start + (int)drawn * 3;
}

static const char *how_text(const struct graph *g, uint32_t just, bool *guessed)
{
    uint8_t shape = g->just_shape[just];
    *guessed = SHAPE_RECORDED(shape) != RECORDED;
    if (*guessed)
        return recorded_words(SHAPE_RECORDED(shape));
    if (SHAPE_READING(shape) == READING_ALL && g->link_first[just + 1] - g->link_first[just] > 1)
        return "all of these";
    return facts_how(SHAPE_ROLE(shape), RECORDED);
}

static void add_ref(struct app *x, int64_t node, struct strbuf *out)
{
    const struct memory_row *row = details_row(x, node);
    if (row)
        details_ref(x, row, out);
}

/* Appends the path of a cycle, from the first line of the memory to this one. */
static void circle_path(struct outline_view *o, size_t line, struct strbuf *out)
{
    const struct outline *all = &o->tree.outline;
    const struct screen *s = &o->view.ui->screen;
    uint32_t node = all->line[line].node, way[8];
    size_t steps = 0, more = 0;
    uint32_t up = all->line[line].parent_line;
    for (; up != NODE_NONE && all->line[up].node != node; up = all->line[up].parent_line) {
        if (steps < 8)
            way[steps++] = all->line[up].node;
        else
            more++;
    }
    add_ref(o->view.app, graph_row(&o->tree.graph, node), out);
    if (more)
        strbuf_addf(out, " %s %zu more", glyph_text(s, GLYPH_ARROW), more);
    while (steps > 0) {
        strbuf_addf(out, " %s ", glyph_text(s, GLYPH_ARROW));
        add_ref(o->view.app, graph_row(&o->tree.graph, way[--steps]), out);
    }
    strbuf_addf(out, " %s itself", glyph_text(s, GLYPH_ARROW));
}

/* Draws origin of the link, confidence and age at the right. Returns the column where they begin. */
static int draw_right(struct outline_view *o, const struct pane *row, size_t line,
                      const struct memory_row *m)
{
    struct app *x = o->view.app;
    const struct outline_line *l = &o->tree.outline.line[line];
    struct page_options options = ages_options(&x->ui);
    const struct row_label *label = details_label(details_of(&x->details, m->node));
    char text[32];
    bool guessed = false;
    int age = x->prefs.exact_times ? 19 : 4, end = row->width;
    if (end < 60 || m->status == STATUS_MISSING)
        return end;
    facts_when(text, sizeof(text), m->created_at, &options);
    end -= age + 1;
    paint_right(row, 0, end, age, STYLE_AGE, text);
    if (row->width >= 66) {
        double confidence = label ? effective_shown(label) : NAN;
        snprintf(text, sizeof(text), "%.2f", confidence);
        end -= 6;
        paint_right(row, 0, end, 5, STYLE_NUMBER, isnan(confidence) ? "" : text);
    }
    if (row->width >= 92) {
        end -= 14;
        if (l->just != NODE_NONE) {
            const char *how = how_text(&o->tree.graph, l->just, &guessed);
            paint_text(row, 0, end, 13, guessed ? STYLE_GUESSED : STYLE_DIM, how);
        }
    }
    return end - 1;
}

static void draw_text(struct outline_view *o, const struct pane *row, size_t line, int at, int end,
                      const struct memory_row *m)
{
    const struct outline_line *l = &o->tree.outline.line[line];
    const char *pattern = o->view.search.pattern;
    AUTO_STRBUF extra = STRBUF_INIT;
    if (l->circle) {
        circle_path(o, line, &extra);
        paint_bytes(row, 0, at, end - at, STYLE_CIRCULAR, extra.buf, extra.len);
    } else if (l->again) {
        paint_text(row, 0, at, end - at, STYLE_DIM, "is shown above; Enter goes there");
    } else {
        size_t deeper = l->more + (o->folded[line] ? subtree(o, line) : 0);
        if (deeper > 0) {
            strbuf_addf(&extra, " +%zu deeper", deeper);
            end -= (int)extra.len;
            paint_bytes(row, 0, end, (int)extra.len, STYLE_CHIP, extra.buf, extra.len);
        }
        if (m->status == STATUS_MISSING)
            paint_text(row, 0, at, end - at, STYLE_DIM, "not in this store");
        else if (m->text)
            paint_matched(row, 0, at, end - at,
                          details_style(m, details_of(&o->view.app->details, m->node)), m->text,
                          strlen(m->text), pattern);
    }
}

/* Whether nothing is below the memory that the outline is of: its own text there would look like an answer. */
static bool is_bare(const struct outline_view *o, size_t line)
{
    const struct outline *all = &o->tree.outline;
    return all->line[line].depth == 0 && (line + 1 >= all->count || all->line[line + 1].depth == 0);
}

static void draw_line(struct view *v, const struct pane *row, size_t visible)
{
    struct outline_view *o = outline_of(v);
    size_t line = line_at(o, visible);
    int64_t node = subject_at(v, visible).node;
    const struct memory_row *m = details_row(v->app, node);
    if (line == LINE_NONE || !m)
        return;
    const struct outline_line *l = &o->tree.outline.line[line];
    ui_draw_mark(v->ui, row, 0, 2, node);
    struct pane body = pane_part(row, 0, 3, 1, row->width - 3);
    int at = draw_branches(o, &body, 0, line);
    enum label label = (enum label)o->tree.labels.label[l->node];
    if (l->circle)
        paint_label(&body, 0, at, LABEL_CIRCULAR);
    else
        paint_label(&body, 0, at, label);
    AUTO_STRBUF ref = STRBUF_INIT;
    if (l->again)
        strbuf_addf(&ref, "%s ", glyph_text(&v->ui->screen, GLYPH_AGAIN));
    details_ref(v->app, m, &ref);
    bool has_state = !STATUS_LIVES(m->status) && m->status != STATUS_MISSING;
    if (has_state)
        strbuf_addf(&ref, " %s", status_word(m->status));
    bool bare = is_bare(o, line);
    if (bare || (o->show == SHOW_BOTH && l->depth == 0))
        strbuf_addstr(&ref, direction_of(o, line) == ANCESTORS ? " based on" : " used by");
    int end = draw_right(o, &body, line, m);
    int taken = l->circle ? 0
                          : paint_bytes(&body, 0, at + 2, end - at - 2,
                                        l->again ? STYLE_DIM : STYLE_REF, ref.buf, ref.len);
    int text_at = at + 2 + taken + (taken ? 2 : 0);
    if (bare)
        paint_text(&body, 0, text_at, end - text_at, STYLE_DIM, "nothing");
    else
        draw_text(o, &body, line, text_at, end, m);
}

static void title(struct view *v, struct strbuf *out)
{
    static const char *const words[] = {
        [SHOW_ANCESTORS] = "based on", [SHOW_DESCENDANTS] = "used by", [SHOW_BOTH] = "lineage"};
    strbuf_addf(out, "%s %s", details_name(v->app, &outline_of(v)->name),
                words[outline_of(v)->show]);
}

static void counts(struct view *v, struct strbuf *out)
{
    struct outline_view *o = outline_of(v);
    if (!o->tree.filled)
        return;
    strbuf_addf(out, "%zu memor%s", o->memories, o->memories == 1 ? "y" : "ies");
    if (o->tree.outline.count >= LINES_MAX)
        strbuf_addstr(out, " and more than can be listed");
}

static void notice(struct view *v, struct strbuf *out)
{
    if (outline_of(v)->tree.filled && outline_of(v)->changed)
        strbuf_addstr(out, "changed since, R reloads");
}

/* Counts memories, since one may have several lines. */
static void position(struct view *v, struct strbuf *out)
{
    (void)v;
    (void)out;
}

static const char *empty(struct view *v)
{
    (void)v;
    return "following the lineage…";
}

/* ---- requests ---- */

static void jump_to_first(struct outline_view *o, size_t line)
{
    const struct outline *all = &o->tree.outline;
    for (size_t i = line < o->tree.split ? 0 : o->tree.split; i < all->count; i++) {
        if (all->line[i].node == all->line[line].node && !all->line[i].again &&
            !all->line[i].circle) {
            go_to_line(o, i);
            return;
        }
    }
}

static void fold(struct outline_view *o)
{
    struct view *v = &o->view;
    size_t line = line_at(o, v->cursor);
    if (line == LINE_NONE)
        return;
    if (has_children(o, line) && !o->folded[line]) {
        o->folded[line] = 1;
        make_visible(o);
    } else if (o->tree.outline.line[line].parent_line != NODE_NONE) {
        go_to_line(o, o->tree.outline.line[line].parent_line);
    } else {
        ui_message(v->ui, "there is nothing above this");
    }
}

static void unfold(struct outline_view *o)
{
    struct view *v = &o->view;
    size_t line = line_at(o, v->cursor);
    if (line == LINE_NONE)
        return;
    if (o->folded[line]) {
        o->folded[line] = 0;
        make_visible(o);
    } else if (has_children(o, line)) {
        view_move(v, 1);
    } else {
        ui_message(v->ui, direction_of(o, line) == ANCESTORS ? "it has no further sources"
                                                             : "nothing further is based on it");
    }
}

static void open_line(struct outline_view *o)
{
    size_t line = line_at(o, o->view.cursor);
    if (line == LINE_NONE)
        return;
    if (o->tree.outline.line[line].again || o->tree.outline.line[line].circle)
        jump_to_first(o, line);
    else
        app_open_memory(o->view.app, view_node(&o->view));
}

/* Goes to the next or previous line of the same or a lower depth. */
static void step_sibling(struct outline_view *o, int direction)
{
    struct view *v = &o->view;
    size_t at = v->cursor, line = line_at(o, at);
    if (line == LINE_NONE)
        return;
    uint32_t depth = o->tree.outline.line[line].depth;
    for (;;) {
        if (direction < 0 ? at == 0 : at + 1 >= v->count)
            return;
        at += direction < 0 ? (size_t)-1 : 1;
        if (o->tree.outline.line[o->visible[at]].depth <= depth)
            break;
    }
    view_select(v, at);
}

static bool request(struct view *v, enum view_request request)
{
    struct outline_view *o = outline_of(v);
    switch (request) {
    case REQUEST_OPEN:
        open_line(o);
        return true;
    case REQUEST_LEFT:
        fold(o);
        return true;
    case REQUEST_RIGHT:
        unfold(o);
        return true;
    case REQUEST_NEXT_SECTION:
    case REQUEST_PREVIOUS_SECTION:
        step_sibling(o, request == REQUEST_NEXT_SECTION ? 1 : -1);
        return true;
    case REQUEST_REFRESH:
        load(o);
        return true;
    default:
        return false;
    }
}

static void notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct view *drawing = outline_of(v)->drawing;
    outline_of(v)->changed = true;
    if (drawing)
        view_notify(drawing, events, count, whole);
}

static void release(struct view *v)
{
    tree_release(&outline_of(v)->tree);
    free(outline_of(v)->folded);
    free(outline_of(v)->visible);
    view_drop(outline_of(v)->drawing);
}

static const struct view_ops outline_ops = {
    .name = "outline",
    .has = HAS_MEMORIES | HAS_LINEAGE | HAS_FOLDS,
    .bar = "show,based-on,used-by,what-if,edit,change,outline=drawing,left=fold,right=unfold",
    .preview = true,
    .title = title,
    .notice = notice,
    .counts = counts,
    .draw_line = draw_line,
    .subject = subject_at,
    .empty = empty,
    .request = request,
    .position = position,
    .notify = notify,
    .release = release,
};

struct view *outline_view_new(struct app *x, int64_t node, enum subgraph_show show,
                              struct view *drawing, bool for_room)
{
    struct outline_view *o = xcalloc(1, sizeof(*o));
    view_init(&o->view, &outline_ops, &x->ui);
    o->node = node;
    o->show = show;
    o->drawing = drawing ? view_hold(drawing) : NULL;
    o->for_room = for_room;
    details_name_open(x, &o->name, node);
    load(o);
    return &o->view;
}

void outline_view_find(struct view *v, int64_t node)
{
    outline_of(v)->wanted = node;
    if (outline_of(v)->tree.filled)
        find_wanted(outline_of(v));
}

bool view_is_outline(const struct view *v)
{
    return v->ops == &outline_ops;
}
