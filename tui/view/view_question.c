/* The view of the answer to a question of the graph (store/questions): why, blame, roots and so on. */
#include "tui/view/views.h"

#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/render/report_page.h"
#include "tui/widget/page_view.h"

#define SHOWN        1000 /* rows of a list */
#define TEXT_COLUMNS 100  /* of an answer that is copied */

/* One about a text has that text, one about two memories the ref of the second. */
struct question_view {
    struct page_view page;
    char text[500];
};

static const struct question *question_of(const struct panel_key *key)
{
    return questions[key->other];
}

static const struct report_facts *facts_of(const struct view *v)
{
    return ((const struct page_view *)v)->shown.facts;
}

static void ask(const struct panel *p, void *more)
{
    memcpy(more, ((const struct question_view *)p->view)->text,
           sizeof(((struct question_view *)0)->text));
}

/* The worker's thread. */
static void *read_answer(const struct panel_key *key, struct reader *r, struct error *e)
{
    const struct question *q = question_of(key);
    struct asked asked = {.row = &key->id, .count = key->id > 0, .text = key->more, .limit = SHOWN};
    return report_facts_read(r, q, &asked, e);
}

static void lay(struct panel *p, const struct page_options *options)
{
    report_page(&p->page, p->facts, options);
}

static const struct panel_ops answer_panel = {.job = "asking the graph",
                                              .more = sizeof(((struct question_view *)0)->text),
                                              .ask = ask,
                                              .read = read_answer,
                                              .free = report_facts_free,
                                              .lay = lay};

static void title(struct view *v, struct strbuf *out)
{
    strbuf_addstr(out, question_of(&((const struct page_view *)v)->shown.key)->name);
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct report_facts *f = facts_of(v);
    if (f && f->report.question->parts[0].shape == PART_LINES)
        strbuf_addf(out, "%zu", f->report.part[0].count);
}

static const struct view_ops question_ops = {
    .name = "question",
    PAGE_VIEW_OPS,
    .title = title,
    .counts = counts,
    .preview = true,
    .has = HAS_MEMORIES | HAS_TEXT,
    .bar = "show,retract,disbelieve=disbelieve,what-if,based-on,used-by,approve,select,yank",
};

struct view *question_view_new(struct ui *ui, int question, int64_t node, const char *text)
{
    struct question_view *v = page_view_new(sizeof(*v), &question_ops, ui, &answer_panel, node);
    v->page.shown.key.other = question;
    snprintf(v->text, sizeof(v->text), "%s", text);
    view_load(&v->page.view);
    return &v->page.view;
}

int64_t question_view_subject(const struct view *v)
{
    const struct report_facts *f = v->ops == &question_ops ? facts_of(v) : NULL;
    return f ? f->report.subject : 0;
}

bool question_view_is(const struct view *v, int question, int64_t node)
{
    const struct panel_key *key = &((const struct page_view *)v)->shown.key;
    return v->ops == &question_ops && key->other == question && key->id == node;
}

bool question_view_resolved(const struct view *v, int64_t rows[2])
{
    const struct report_facts *f = v->ops == &question_ops ? facts_of(v) : NULL;
    if (!f || f->report.question != &question_resolve)
        return false;
    const struct cell *c = f->report.part[0].row[0].cell; /* command, keep, replace */
    rows[0] = c[2].is.integer;
    rows[1] = c[1].is.integer;
    return true;
}

void question_view_text(const struct view *v, struct strbuf *out)
{
    const struct report_facts *f = facts_of(v);
    struct page page;
    struct output text = {.columns = TEXT_COLUMNS, .now = v->ui->now};
    page_for_output(&page, &text);
    struct page_options options = page.options;
    if (f)
        report_page(&page, f, &options);
    output_page(&text, &page, 0);
    strbuf_add(out, text.text.buf, text.text.len);
    output_release(&text);
}
