/* What of a chain goes where: the panes, and the columns of the matrix. Nothing here depends on where the
 * cursor is, so nothing jumps when it moves. */
#include "tui/view/chain/chain_view.h"

#define BESIDE_WIDTH    140 /* from here on the last pane stands beside the sources */
#define QUESTION        16  /* columns of a step's question that other columns give way to */
#define QUESTION_ENOUGH 26  /* and of them that all cells are worth */

/* ---- panes ---- */

/* Rows of each part, 0 for one that is not shown. */
struct rows {
    int header, matrix, sources, cell;
};

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int whole_matrix(const struct chain_view *c)
{
    size_t steps = chain_shown(c)->step_count;
    return 4 + (steps < 4000 ? (int)steps : 4000);
}

static int whole_sources(const struct chain_view *c)
{
    size_t documents = chain_shown(c)->document_count;
    return 1 + (documents == 0 ? 1 : documents < 4000 ? (int)documents : 4000);
}

/* The pane with the keys alone, where there is no room for two. */
static struct rows only(const struct chain_view *c, int height)
{
    struct rows rows = {0};
    *(c->focus == FOCUS_MATRIX    ? &rows.matrix
      : c->focus == FOCUS_SOURCES ? &rows.sources
                                  : &rows.cell) = height;
    return rows;
}

/* What is left over goes to who can use it, the matrix first. */
static void share(struct rows *rows, int left, const struct rows *want)
{
    int *const to[] = {&rows->matrix, &rows->sources, &rows->cell};
    const int wanted[] = {want->matrix, want->sources, want->cell};
    for (int i = 0; i < 3; i++) {
        int more = *to[i] > 0 ? most(0, least(left, wanted[i] - *to[i])) : 0;
        *to[i] += more;
        left -= more;
    }
    if (rows->cell > 0)
        rows->cell += left;
    else
        rows->matrix += left;
}

static struct rows stacked(const struct chain_view *c, int height)
{
    struct rows want = {0, whole_matrix(c), whole_sources(c), most(6, height * 3 / 10)};
    struct rows rows = {0, least(want.matrix, 6), least(want.sources, 3), least(want.cell, 5)};
    if (rows.matrix + rows.sources + rows.cell > height) {
        int *gives = c->focus == FOCUS_SOURCES ? &rows.cell : &rows.sources;
        *gives = 0;
    }
    int left = height - rows.matrix - rows.sources - rows.cell;
    if (left < 0 || height < 9)
        return only(c, height);
    /* Half for the matrix, a quarter for the sources, before any of them gets all that it can use. */
    struct rows first = {0, least(want.matrix, most(rows.matrix, height / 2)),
                         least(want.sources, most(rows.sources, height / 4)), want.cell};
    int taken = rows.matrix + rows.sources + rows.cell;
    for (int i = 0; i < 3 && taken < height; i++) {
        int *const to[] = {&rows.matrix, &rows.sources, &rows.cell};
        const int wanted[] = {first.matrix, first.sources, first.cell};
        int more = *to[i] > 0 ? most(0, least(height - taken, wanted[i] - *to[i])) : 0;
        *to[i] += more;
        taken += more;
    }
    share(&rows, height - taken, &want);
    return rows;
}

/* The matrix above, the sources and the last pane beside each other below it. */
static struct rows side_by_side(const struct chain_view *c, int height)
{
    int want = whole_matrix(c), below = most(whole_sources(c), most(8, height * 3 / 10));
    int matrix = least(want, most(height - below, height * 3 / 5));
    if (height < 12)
        return only(c, height);
    below = height - matrix;
    return (struct rows){0, matrix, below, below};
}

static void place(struct chain_view *c, const struct pane *p, const struct rows *rows, bool beside)
{
    struct chain_panes *to = &c->panes;
    int at = 0, half = beside && rows->sources && rows->cell ? p->width * 11 / 20 : p->width;
    to->header = pane_part(p, at, 0, rows->header, p->width);
    at += rows->header;
    to->matrix = pane_part(p, at, 0, rows->matrix, p->width);
    at += rows->matrix;
    to->sources = pane_part(p, at, 0, rows->sources, half);
    if (half < p->width) {
        to->cell = pane_part(p, at, half + 1, rows->cell, p->width - half - 1);
        return;
    }
    at += rows->sources;
    to->cell = pane_part(p, at, 0, rows->cell, p->width);
}

static void fit_panes(struct chain_view *c, const struct pane *p)
{
    bool beside = p->width >= BESIDE_WIDTH;
    struct rows rows;
    if (c->view.app->ui.zoom) {
        rows = only(c, p->height);
        place(c, p, &rows, false);
        return;
    }
    chain_view_lay_header(c, p->width, p->height);
    int header = (int)c->header.count + (p->height >= 22);
    if (header > p->height / 3)
        header = p->height < 12 ? 0 : p->height / 3;
    rows = beside ? side_by_side(c, p->height - header) : stacked(c, p->height - header);
    rows.header = header;
    place(c, p, &rows, beside);
}

/* ---- the columns of the matrix ---- */

static int digits(int64_t number)
{
    int count = 1;
    for (; number > 9; number /= 10)
        count++;
    return count;
}

/* Columns of what stands before and behind a cell's number: its sign, a person's word, how often. */
static int cell_pitch(const struct chain_view *c)
{
    const struct matrix *m = &c->reading->matrix;
    int pitch = 6 + (c->by_confidence ? 6 : 0);
    if (m->most_uses > 1)
        pitch += digits((int64_t)m->most_uses) + !c->view.app->ui.screen.utf8;
    return pitch;
}

/* What stands beside the question and the cells; what there is no room for is 0. */
struct beside_cells {
    int conf, time, used;
};

static int taken(const struct beside_cells *b)
{
    return (b->conf ? b->conf + 2 : 0) + (b->time ? b->time + 2 : 0) + (b->used ? b->used + 1 : 0);
}

static void fit_columns(struct chain_view *c, int width)
{
    const struct chain *chain = chain_shown(c);
    struct chain_columns *to = &c->columns;
    struct beside_cells beside = {4, c->reading->time_width, 4};
    int *const gives[] = {&beside.time, &beside.used, &beside.conf};
    *to = (struct chain_columns){
        .number = 5, .number_width = c->reading->number_width, .pitch = cell_pitch(c)};
    if (width < 24) /* the cursor and the number alone */
        to->number = 2;
    to->word = to->number + to->number_width;
    to->question = to->word + 2;
    size_t documents = chain->document_count;
    int all = documents < 1000 ? (int)documents * to->pitch : 100000;
    int three = least(all, 3 * to->pitch), longest = most(QUESTION, c->reading->question_width);
    for (int i = 0; i < 3; i++)
        if (width - to->question - taken(&beside) - 1 - QUESTION < three)
            *gives[i] = 0;
    int room = width - to->question - taken(&beside) - 1;
    /* All documents, where a question still says something beside them. */
    int question = least(longest, room - all > QUESTION_ENOUGH ? room - all - 1 : room * 2 / 5);
    question = least(question, room - least(all, to->pitch) - 1);
    to->question_width = question < 6 ? 0 : question;
    int at = to->question + (to->question_width ? to->question_width : -1);
    to->confidence = beside.conf ? at + 2 : 0;
    at += beside.conf ? beside.conf + 2 : 0;
    to->time = beside.time ? at + 2 : 0;
    to->time_width = beside.time;
    at += beside.time ? beside.time + 2 : 0;
    to->cells = at + 1;
    int shown = most(0, width - to->cells - (beside.used ? beside.used + 1 : 0) - 1) / to->pitch;
    c->matrix_columns = least(shown, documents < 100000 ? (int)documents : 100000);
    to->used = beside.used ? to->cells + c->matrix_columns * to->pitch + 1 : 0;
}

/* The rule, the letters, and what all steps come to are no steps. */
static void fit_rows(struct chain_view *c)
{
    int height = c->panes.matrix.height;
    bool whole = height >= whole_matrix(c);
    c->has_letters = height >= 4;
    c->has_best = whole || height >= 9;
    c->has_primary = whole || height >= 11;
    c->matrix_rows = most(0, height - 1 - c->has_letters - c->has_best - c->has_primary);
}

void chain_view_fit(struct chain_view *c, const struct pane *p)
{
    fit_panes(c, p);
    fit_columns(c, c->panes.matrix.width > 0 ? c->panes.matrix.width : p->width);
    fit_rows(c);
}
