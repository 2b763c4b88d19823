/* The views of duplicates and of conflicts: a line for each memory, those of a group one below the other. */
#include "tui/view/views.h"

#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "store/similar/similar.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"
#include "tui/widget/scan.h"

struct similar_row {
    int64_t node;
    size_t place; /* in its set, from 0 */
    struct similar_set set;
    bool independent;
};

static int read_sets(struct rows *rows, struct reader *r, enum similar_question question,
                     struct error *e)
{
    struct similar_sets *sets = rows->context;
    if (similar_find(r, &rows->arena, question, NULL, 0, sets, e))
        return -1;
    for (size_t i = 0; i < sets->count && !*rows->cancelled; i++) {
        struct similar_row one = {.set = sets->set[i]};
        if (question == SIMILAR_DUPLICATES && similar_independent(r, &one.set, &one.independent, e))
            return -1;
        for (; one.place < one.set.count; one.place++) {
            one.node = one.set.row[one.place];
            *(struct similar_row *)rows_add(rows) = one;
        }
    }
    return 0;
}

static int read_duplicates(struct rows *rows, struct reader *r, struct error *e)
{
    return read_sets(rows, r, SIMILAR_DUPLICATES, e);
}

static int read_conflicts(struct rows *rows, struct reader *r, struct error *e)
{
    return read_sets(rows, r, SIMILAR_CONFLICTS, e);
}

static bool matches(struct rows *rows, size_t index, struct reader *r, const char *filter)
{
    AUTO_ARENA arena = ARENA_INIT;
    return scan_matches(r, &arena, ((const struct similar_row *)rows->row)[index].node, filter);
}

/* A memory may be in several pairs: its line is that of the memory and its neighbour in the set. */
static struct line_subject row_subject(const void *row)
{
    const struct similar_row *one = row;
    uint64_t other = (uint64_t)one->set.row[one->place ? 0 : 1];
    return (struct line_subject){.node = one->node,
                                 .id = (int64_t)((other << 31 ^ (uint64_t)one->node) & INT64_MAX)};
}

/* ---- drawing ---- */

static void counts(struct view *v, struct strbuf *out)
{
    AUTO_ARENA arena = ARENA_INIT;
    const struct similar_sets *sets = rows_view_answer(v);
    const char *left = sets ? similar_left_out(&arena, sets) : NULL;
    if (sets)
        strbuf_addf(out, "%zu found%s%s", sets->count, left ? ", " : "", left ? left : "");
}

static void draw_first(struct list_line *l, const struct similar_row *one, bool duplicates)
{
    char number[40] = "";
    bool first = one && one->place == 0;
    if (!duplicates) {
        line_cell(l, 10, "conflict",
                  first && one->set.recorded ? STYLE_UNSUPPORTED : STYLE_WEAKENED,
                  !first              ? NULL
                  : one->set.recorded ? "recorded"
                                      : "candidate");
        line_cell(l, l->end - l->at >= 90 ? 30 : 18, "why", STYLE_TEXT,
                  first ? one->set.reason : NULL);
        return;
    }
    if (first)
        snprintf(number, sizeof(number), "%zu", one->set.count);
    line_cell(l, 6, "group", STYLE_NUMBER, number);
    if (first)
        snprintf(number, sizeof(number), "%.2f", one->set.similarity);
    line_cell(l, 7, "similar", STYLE_NUMBER, number);
    line_cell(l, 11, "sources", one && one->independent ? STYLE_SUPPORTED : STYLE_WEAKENED,
              !first             ? NULL
              : one->independent ? "independent"
                                 : "common");
}

static void draw_similar(struct view *v, const struct pane *row, const void *similar,
                         bool duplicates)
{
    const struct similar_row *one = similar;
    struct list_line l = line_begin(v, row, !one, 6, v->filter);
    const struct memory_row *m = one ? line_memory(&l, one->node, 3) : NULL;
    if (m)
        line_change_sign(&l, 4, m);
    draw_first(&l, one, duplicates);
    line_when(&l, v->app->prefs.exact_times ? "at" : "age", m ? m->created_at : 0);
    if (l.end - l.at >= 50)
        line_ref(&l, 17, "memory", m);
    line_text(&l, "text", m ? details_style(m, details_of(&v->app->details, m->node)) : STYLE_TEXT,
              m ? m->text : NULL);
}

static void draw_duplicate(struct view *v, const struct pane *row, const void *one)
{
    draw_similar(v, row, one, true);
}

static void draw_conflict(struct view *v, const struct pane *row, const void *one)
{
    draw_similar(v, row, one, false);
}

#define ROWS(read_, draw_, nothing_)                                                               \
    {                                                                                              \
        .job = "comparing memories", .size = sizeof(struct similar_row),                           \
        .context = sizeof(struct similar_sets), .read = read_, .matches = matches,                 \
        .subject = row_subject, .draw = draw_, .nothing = nothing_                                 \
    }
static const struct rows_ops duplicate_rows =
    ROWS(read_duplicates, draw_duplicate, "no memory repeats another one");
static const struct rows_ops conflict_rows =
    ROWS(read_conflicts, draw_conflict, "no memory contradicts another one");

#define VIEW(name_)                                                                                \
    {                                                                                              \
        .name = name_, ROWS_VIEW_OPS, .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER,                 \
        .bar = "retract,approve,edit,open,based-on,used-by,select", .counts = counts               \
    }
static const struct view_ops duplicate_ops = VIEW("duplicates"), conflict_ops = VIEW("conflicts");

struct view *similar_view_new(struct ui *ui, bool duplicates)
{
    struct rows_view *s = rows_view_new(sizeof(*s), duplicates ? &duplicate_ops : &conflict_ops,
                                        duplicates ? &duplicate_rows : &conflict_rows, ui);
    view_load(&s->view);
    return &s->view;
}
