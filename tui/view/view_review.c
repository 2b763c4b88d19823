/* The view of memories that are flagged for review. */
#include "tui/view/views.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/text/match.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

#define FOR_REVIEW "for_review"

/* ---- reading ---- */

static void ask(struct rows_view *v, struct rows *rows)
{
    *(struct new_filter *)rows->context = new_filter_of(&v->view);
}

static int read_queue(struct rows *rows, struct reader *r, struct error *e)
{
    struct new_filter *since = rows->context;
    AUTO_FREE struct flagged *queue = NULL;
    size_t count = 0;
    int failed = new_filter_read(since, r, rows->cancelled, e) ||
                 flagged_list(r, FOR_REVIEW, rows->agent, STATUSES_LISTED, &queue, &count, e);
    for (size_t i = 0; i < count && !failed; i++)
        if (new_filter_wants(since, queue[i].node))
            *(struct flagged *)rows_add(rows) = queue[i];
    new_filter_release(since);
    return failed ? -1 : 0;
}

static int matches(struct rows *rows, size_t index, struct reader *r, struct error *e)
{
    const struct flagged *one = (const struct flagged *)rows->row + index;
    AUTO_ARENA arena = ARENA_INIT;
    struct flag flag = {0};
    struct error none;
    if (flag_read(r, &arena, one->node, FOR_REVIEW, &flag, &none))
        return 0;
    return rows_match(rows, r, one->node,
                      arena_format(&arena, "%s\n%s\n%s", flag.actor ? flag.actor : "",
                                   flag.reason ? flag.reason : "", flag.value ? flag.value : ""),
                      e);
}

static struct line_subject row_subject(const void *row)
{
    int64_t node = ((const struct flagged *)row)->node;
    return (struct line_subject){.node = node, .id = node};
}

/* ---- drawing ---- */

static void counts(struct view *v, struct strbuf *out)
{
    if (rows_view_known(v))
        strbuf_addf(out, "%zu to review", v->count);
}

/* Draws "age by why memory text"; with `one` NULL the column headers. */
static void draw(struct view *v, const struct pane *row, const void *flagged)
{
    const struct flagged *one = flagged;
    struct app *x = v->app;
    int width = row->width, why = width >= 150 ? 40 : width >= 100 ? 28 : width >= 56 ? 20 : 0;
    struct list_line l = line_begin(v, row, !one, 6, v->filter_word);
    AUTO_ARENA arena = ARENA_INIT;
    struct flag flag = {0};
    struct error e;
    const struct memory_row *m = one ? line_memory(&l, one->node, 3) : NULL;
    if (one && flag_read(x->data.reader, &arena, one->node, FOR_REVIEW, &flag, &e))
        flag = (struct flag){0};
    if (m)
        line_change_sign(&l, 4, m);
    line_when(&l, x->prefs.exact_times ? "at" : "age", one ? one->at : 0);
    line_cell(&l, width >= 56 ? 10 : 5, "by", STYLE_SOURCE,
              flag.actor && !flag.by_agent && changes_is_own(x->options, flag.actor) ? "you"
                                                                                     : flag.actor);
    if (why) { /* show the flag's value if there is no reason */
        const char *text = flag.reason ? flag.reason : flag.value;
        line_cell(&l, why, "why", STYLE_TEXT,
                  text ? refs_shorten(x->data.reader, &arena, text) : NULL);
    }
    if (l.end - l.at >= 50)
        line_ref(&l, 17, "memory", m);
    line_text(&l, "text", m ? details_style(m, details_of(&x->details, m->node)) : STYLE_TEXT,
              m ? m->text : NULL);
}

static const struct rows_ops queue_ops = {.job = "reading the review queue",
                                          .size = sizeof(struct flagged),
                                          .context = sizeof(struct new_filter),
                                          .ask = ask,
                                          .read = read_queue,
                                          .matches = matches,
                                          .subject = row_subject,
                                          .draw = draw,
                                          .nothing = "nothing waits for review"};

static const struct view_ops review_ops = {
    .name = "review",
    ROWS_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER | HAS_NEW | HAS_AGENT,
    .query = QUERY_MEMORIES,
    .bar = "approve,edit,retract,reviewed=reviewed,change,open,based-on,used-by,select",
    .counts = counts,
    .shown = rows_view_shown,
};

struct view *review_view_new(struct ui *ui)
{
    struct rows_view *q = rows_view_new(sizeof(*q), &review_ops, &queue_ops, ui);
    view_load(&q->view);
    return &q->view;
}
