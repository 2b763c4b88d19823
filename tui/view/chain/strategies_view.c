/* The view of chains on the same question: laid out beside each other. */
#include "tui/view/chain/chain_views.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"
#include "tui/text/style.h"
#include "tui/text/text.h"
#include "tui/view/chain/strategies.h"
#include "tui/render/facts.h"
#include "tui/widget/sheet_view.h"

#define CELL        6 /* columns of a chain in the table of sources */
#define TITLE_LEAST 24

static void laying_section(struct laying *l, const char *title, const char *right)
{
    sheet_line(l->sheet);
    sheet_rule(l->sheet, title, right);
}

/* ---- sources ---- */

/* The columns of a document's id, and of what stands at the edge. */
static int id_width(const struct laying *l)
{
    return l->look->width >= 110 ? l->look->width / 4 : 0;
}

static int edge_width(const struct laying *l)
{
    return l->changed ? 16 : 1; /* a column of its own where one of them changed */
}

/* Which of the chains have a column in the table: as many as leave room for a title. */
static void table_window(const struct laying *l, size_t *from, size_t *shown)
{
    int room = (l->look->width - 4 - TITLE_LEAST - id_width(l) - edge_width(l)) / CELL;
    *shown = room < 1 ? 1 : (size_t)room < l->all->count ? (size_t)room : l->all->count;
    *from = l->focus < *shown ? 0 : l->focus - *shown + 1;
}

static void put_cell(struct laying *l, const struct chain_document *used, int column)
{
    struct strbuf score = STRBUF_INIT;
    if (!used) {
        sheet_put_right(l->sheet, column, SCORE_WIDTH, STYLE_DIM, l->dot);
        return;
    }
    score_add(&score, used->best, used->origin);
    sheet_put_right(l->sheet, column, SCORE_WIDTH, score_style(used->best, used->origin),
                    score.buf);
    strbuf_release(&score);
}

/* The line that was added last opens that memory; 0: none. `chain`: counted from 1, 0 for none. */
static void laying_opens(struct laying *l, int64_t node, size_t chain)
{
    if (l->sheet->count == 0 || node <= 0)
        return;
    struct sheet_line *line = &l->sheet->line[l->sheet->count - 1];
    line->opens = true;
    line->node = node;
    line->value = (int64_t)chain;
}

static void put_source(struct laying *l, const struct shared_source *source, size_t from,
                       size_t shown)
{
    const struct chain_document *d = source->document;
    int at = 4, width = l->look->width, id = id_width(l), edge = edge_width(l);
    sheet_line(l->sheet);
    for (size_t i = from; i < from + shown; i++, at += CELL)
        put_cell(l, source->used[i], at);
    int end = width - id - edge;
    if (end > at)
        sheet_put(l->sheet, at, end - at - 1, STYLE_TEXT, d->title ? d->title : d->id);
    if (id)
        sheet_put(l->sheet, -id - edge, id - 1, STYLE_REF, d->id);
    if (source->changed)
        sheet_put_right(l->sheet, -15, 14, STYLE_CHIP, "changed since");
    laying_opens(l, d->node, 0);
}

static void put_sharing(struct laying *l, const struct shared_source *source)
{
    const struct strategies *all = l->all;
    sheet_line(l->sheet);
    if (source->users == all->count)
        sheet_put(l->sheet, 3, 0, STYLE_FIELD, all->count == 2 ? "used by both" : "used by all");
    else if (source->users > 1)
        sheet_format(l->sheet, 3, 0, STYLE_FIELD, "used by %zu of %zu", source->users, all->count);
    else
        sheet_format(l->sheet, 3, 0, STYLE_FIELD, "only %zu used", source->first + 1);
}

static bool begins_group(const struct strategies *all, size_t i)
{
    const struct shared_source *a = &all->source[i];
    return i == 0 || a->users != a[-1].users || (a->users == 1 && a->first != a[-1].first);
}

static void put_table_head(struct laying *l, size_t from, size_t shown)
{
    sheet_line(l->sheet);
    for (size_t i = from; i < from + shown; i++) {
        char number[24];
        bool focus = i == l->focus;
        snprintf(number, sizeof(number), focus ? "[%zu]" : "%zu", i + 1);
        sheet_put_right(l->sheet, 4 + (int)(i - from) * CELL, SCORE_WIDTH + focus,
                        focus ? STYLE_RULE_TITLE : STYLE_HEADER, number);
    }
}

/* Which of them used which document. */
static void strategies_put_sources(struct laying *l)
{
    const struct strategies *all = l->all;
    struct strbuf right = STRBUF_INIT;
    size_t from, shown;
    for (size_t i = 0; i < all->source_count; i++)
        l->changed = l->changed || all->source[i].changed;
    table_window(l, &from, &shown);
    if (all->source_count > 0)
        strbuf_addf(&right, "%zu document%s %s %zu by %s %s %zu by one", all->source_count,
                    all->source_count == 1 ? "" : "s", l->dot, all->by_all,
                    all->count == 2 ? "both" : "all", l->dot, all->by_one);
    laying_section(l, "sources", right.buf);
    strbuf_release(&right);
    if (all->source_count == 0) {
        sheet_line(l->sheet);
        sheet_put(l->sheet, 3, 0, STYLE_DIM, "none of them names a source");
        return;
    }
    put_table_head(l, from, shown);
    for (size_t i = 0; i < all->source_count; i++) {
        if (begins_group(all, i))
            put_sharing(l, &all->source[i]);
        put_source(l, &all->source[i], from, shown);
    }
}

/* ---- steps ---- */

static void put_step(struct laying *l, const struct chain_step *step, int column, int width)
{
    struct strbuf number = STRBUF_INIT;
    sheet_format(l->sheet, column, 3, STYLE_NUMBER, "%2lld", (long long)step->number);
    if (width > 10)
        sheet_put(l->sheet, column + 3, width - 8, STYLE_TEXT,
                  step->question ? step->question : "");
    if (step->confidence == step->confidence)
        strbuf_addf(&number, "%.2f", step->confidence);
    sheet_put_right(l->sheet, column + width - 4, 4, STYLE_NUMBER, number.buf);
    strbuf_release(&number);
}

#define GUTTER       15 /* columns of the names of fields */
#define COLUMN_LEAST 40
#define ANSWER_LINES 24

/* Where a chain's column begins; the last columns before the next are left blank. */
static int laying_column(const struct laying *l, size_t chain)
{
    return l->shown < 2 ? 3 : GUTTER + (int)(chain - l->from) * l->column;
}

static int laying_column_width(const struct laying *l)
{
    int width = l->shown < 2 ? l->look->width - 5 : l->column - 2;
    return width > 1 ? width : 1;
}

static void put_steps_beside(struct laying *l)
{
    size_t most = 0;
    for (size_t i = 0; i < l->all->count; i++)
        most = l->all->chain[i].chain.step_count > most ? l->all->chain[i].chain.step_count : most;
    for (size_t k = 0; k < most; k++) {
        sheet_line(l->sheet);
        const struct chain *focused = &l->all->chain[l->focus].chain;
        for (size_t i = l->from; i < l->from + l->shown; i++)
            if (k < l->all->chain[i].chain.step_count)
                put_step(l, &l->all->chain[i].chain.step[k], laying_column(l, i),
                         laying_column_width(l));
        if (k < focused->step_count)
            laying_opens(l, focused->step[k].node, l->focus + 1);
    }
}

/* One chain after the other: what each went through. */
static void put_steps_below(struct laying *l)
{
    for (size_t i = 0; i < l->all->count; i++) {
        const struct chain *c = &l->all->chain[i].chain;
        for (size_t k = 0; k < c->step_count; k++) {
            sheet_line(l->sheet);
            if (k == 0)
                sheet_format(l->sheet, 3, 4, STYLE_HEADER, "%zu", i + 1);
            put_step(l, &c->step[k], 6, l->look->width - 8);
            laying_opens(l, c->step[k].node, i + 1);
        }
    }
}

static void strategies_put_steps(struct laying *l)
{
    laying_section(l, "steps", "");
    if (l->shown > 1)
        put_steps_beside(l);
    else
        put_steps_below(l);
}

/* Chains compared, laid out: beside each other where there is room, else one below the other. */

/* How many of them stand beside each other at that width; 1: they stand below each other. */
static size_t strategies_beside(size_t count, int width)
{
    size_t room = width > GUTTER ? (size_t)(width - GUTTER) / COLUMN_LEAST : 0;
    room = room < count ? room : count;
    return room < 2 ? 1 : room;
}

/* ---- what each of them is ---- */

static void add_number(struct strbuf *out, double number)
{
    if (number == number)
        strbuf_addf(out, "%.2f", number);
}

static void add_strategy(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    (void)l;
    strbuf_addstr(out, c->chain.strategy ? c->chain.strategy : "not told");
}

static void add_ref(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    struct memory_row row = {.ref = c->chain.ref};
    (void)l;
    facts_ref(&row, c->short_length, out);
}

static void add_state(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    strbuf_addstr(out, chain_state_name(c->chain.state));
    if (c->chain.status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", l->dot, status_name(c->chain.status));
}

static void add_confidence(const struct laying *l, const struct compared_chain *c,
                           struct strbuf *out)
{
    (void)l;
    add_number(out, c->chain.confidence);
    if (out->len > 0 && c->chain.state != CHAIN_FINISHED)
        strbuf_addstr(out, " so far");
}

static void add_steps(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    (void)l;
    strbuf_addf(out, "%zu", c->chain.step_count);
}

static void add_sources(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    size_t alone = 0, at = (size_t)(c - l->all->chain);
    for (size_t i = 0; i < l->all->source_count; i++)
        alone += l->all->source[i].users == 1 && l->all->source[i].first == at;
    strbuf_addf(out, "%zu%s", c->chain.document_count,
                l->shown > 1                   ? ""
                : c->chain.document_count == 1 ? " source"
                                               : " sources");
    if (alone > 0)
        strbuf_addf(out, ", %zu its own", alone);
}

static void add_time(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    char time[24];
    (void)l;
    seconds_text(time, c->chain.total_time);
    strbuf_addstr(out, time);
}

static void add_agent(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    (void)l;
    text_add(out, c->chain.agent_id, TEXT_EXACT);
}

static void add_when(const struct laying *l, const struct compared_chain *c, struct strbuf *out)
{
    char when[32];
    facts_when(when, sizeof(when), c->chain.created_at, l->look);
    strbuf_addstr(out, when);
}

static const struct compared_field {
    const char *name;
    void (*add)(const struct laying *, const struct compared_chain *, struct strbuf *);
    bool opens;
    enum style style;
} fields[] = {
    {"chain", add_ref, true, STYLE_REF},     {"strategy", add_strategy, false, STYLE_TEXT},
    {"state", add_state, false, STYLE_TEXT}, {"confidence", add_confidence, false, STYLE_TEXT},
    {"steps", add_steps, false, STYLE_TEXT}, {"sources", add_sources, false, STYLE_TEXT},
    {"time", add_time, false, STYLE_TEXT},   {"agent", add_agent, false, STYLE_TEXT},
    {"asked", add_when, false, STYLE_TEXT},
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static void put_numbers(struct laying *l)
{
    if (l->shown < 2)
        return;
    sheet_line(l->sheet);
    for (size_t i = l->from; i < l->from + l->shown; i++)
        sheet_format(l->sheet, laying_column(l, i), laying_column_width(l),
                     i == l->focus ? STYLE_RULE_TITLE : STYLE_HEADER,
                     i == l->focus ? "[%zu]" : " %zu ", i + 1);
}

static void put_field(struct laying *l, const struct compared_field *f)
{
    struct strbuf text = STRBUF_INIT;
    sheet_line(l->sheet);
    sheet_put(l->sheet, 3, GUTTER - 3, STYLE_FIELD, f->name);
    for (size_t i = l->from; i < l->from + l->shown; i++) {
        strbuf_clear(&text);
        f->add(l, &l->all->chain[i], &text);
        sheet_put(l->sheet, laying_column(l, i), laying_column_width(l), f->style, text.buf);
    }
    if (f->opens)
        laying_opens(l, l->all->chain[l->focus].chain.node, l->focus + 1);
    strbuf_release(&text);
}

/* ---- texts in columns ---- */

/* A text with places in it that stand out. */
struct told {
    struct strbuf text;
    struct stretch {
        size_t from, to;
    } * stretch; /* in the sheet's arena */
    size_t count;
};

/* The text, and of what it has that the other has not, where that stands. */
static void tell(struct laying *l, const char *text, const struct text_run *run, size_t count,
                 struct told *out)
{
    *out = (struct told){.text = STRBUF_INIT};
    out->stretch = arena_array(&l->sheet->arena, count + 1, sizeof(*out->stretch));
    if (!run || !out->stretch) {
        strbuf_addstr(&out->text, text);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (run[i].kind == RUN_REMOVED)
            continue;
        if (run[i].kind == RUN_ADDED)
            out->stretch[out->count++] =
                (struct stretch){out->text.len, out->text.len + run[i].len};
        strbuf_add(&out->text, run[i].text, run[i].len);
    }
}

/* The line that is `below` the one where the columns begin; made where no column was so long yet. */
static size_t line_below(struct laying *l, size_t begin, size_t below)
{
    while (l->sheet->count <= begin + below)
        sheet_line(l->sheet);
    return begin + below < l->sheet->count ? begin + below : SIZE_MAX;
}

static void put_piece(struct laying *l, size_t line, int column, int room, enum style style,
                      const char *text, size_t len)
{
    struct strbuf clean = STRBUF_INIT;
    text_clean(&clean, text, len, 0);
    struct span span = {clean.buf, column, room, style, false};
    if (clean.len > 0 && room > 0)
        sheet_put_at(l->sheet, line, &span);
    strbuf_release(&clean);
}

static void put_pieces(struct laying *l, size_t line, int column, const struct told *t, size_t from,
                       size_t to)
{
    int at = column, end = column + laying_column_width(l);
    for (size_t i = 0; from < to;) {
        while (i < t->count && t->stretch[i].to <= from)
            i++;
        bool within = i < t->count && t->stretch[i].from <= from;
        size_t next = i == t->count ? to : within ? t->stretch[i].to : t->stretch[i].from;
        next = next < to ? next : to;
        put_piece(l, line, at, end - at, within ? STYLE_MATCH : STYLE_TEXT, t->text.buf + from,
                  next - from);
        at += (int)text_width(t->text.buf + from, next - from, SIZE_MAX - 1, 0);
        from = next;
    }
}

/* From the line `begin` on in a chain's column. */
static void put_told(struct laying *l, size_t begin, size_t chain, const struct told *t)
{
    struct text_line *lines;
    int column = laying_column(l, chain);
    size_t count = text_wrap(&l->sheet->arena, t->text.buf, t->text.len,
                             (size_t)laying_column_width(l), ANSWER_LINES, 0, &lines);
    for (size_t i = 0; i < count; i++) {
        size_t line = line_below(l, begin, (size_t)i), to = lines[i].to;
        while (to > lines[i].from && strchr("\r\n \t", t->text.buf[to - 1]))
            to--;
        if (line != SIZE_MAX)
            put_pieces(l, line, column, t, lines[i].from, to);
    }
    if (count == ANSWER_LINES && lines[count - 1].to < t->text.len) {
        size_t line = line_below(l, begin, (size_t)count);
        struct span span = {"and more, in the chain", column, laying_column_width(l), STYLE_DIM,
                            false};
        if (line != SIZE_MAX)
            sheet_put_at(l->sheet, line, &span);
    }
}

static void put_note(struct laying *l, size_t begin, size_t chain, const char *note)
{
    size_t line = line_below(l, begin, 0);
    struct span span = {note, laying_column(l, chain), laying_column_width(l), STYLE_DIM, false};
    if (line != SIZE_MAX)
        sheet_put_at(l->sheet, line, &span);
}

static void put_answer(struct laying *l, size_t begin, size_t chain)
{
    const struct compared_chain *c = &l->all->chain[chain];
    struct told told;
    if (!c->chain.answer) {
        put_note(l, begin, chain,
                 c->chain.state == CHAIN_RUNNING ? "no answer yet" : "no answer: it was abandoned");
        return;
    }
    if (c->same_as) {
        char note[48];
        snprintf(note, sizeof(note), "the same as %zu", c->same_as);
        put_note(l, begin, chain, note);
        return;
    }
    tell(l, c->chain.answer, c->run, c->run_count, &told);
    put_told(l, begin, chain, &told);
    strbuf_release(&told.text);
}

static void put_question(struct laying *l, size_t begin, size_t chain)
{
    struct told told;
    tell(l, l->all->chain[chain].chain.question, NULL, 0, &told);
    put_told(l, begin, chain, &told);
    strbuf_release(&told.text);
}

/* A text of each of the chains in its column, with the field's name before it. */
static void put_texts(struct laying *l, const char *name, size_t from, size_t shown,
                      void (*put)(struct laying *, size_t, size_t))
{
    size_t begin = l->sheet->count;
    sheet_line(l->sheet);
    sheet_put(l->sheet, 3, GUTTER - 3, STYLE_FIELD, name);
    for (size_t i = from; i < from + shown; i++)
        put(l, begin, i);
}

/* ---- the chains ---- */

static void add_answers(const struct laying *l, struct strbuf *out)
{
    const struct strategies *all = l->all;
    size_t answered = 0;
    bool marked = false;
    for (size_t i = 0; i < all->count; i++) {
        answered += all->chain[i].chain.answer != NULL;
        marked = marked || all->chain[i].run;
    }
    if (all->answers == 1 && answered > 1)
        strbuf_addf(out, "all answer the same");
    else if (all->answers > 1)
        strbuf_addf(out, "%zu different answers%s", all->answers,
                    marked ? ": what differs stands out" : "");
}

static void put_beside(struct laying *l)
{
    struct strbuf right = STRBUF_INIT;
    if (l->shown < l->all->count)
        strbuf_addf(&right, "%zu to %zu of %zu, h and l show others", l->from + 1,
                    l->from + l->shown, l->all->count);
    laying_section(l, "chains", right.buf);
    strbuf_clear(&right);
    put_numbers(l);
    for (size_t i = 0; i < FIELDS; i++)
        put_field(l, &fields[i]);
    if (!l->all->one_question)
        put_texts(l, "question", l->from, l->shown, put_question);
    add_answers(l, &right);
    laying_section(l, "answers", right.buf);
    strbuf_release(&right);
    put_texts(l, "", l->from, l->shown, put_answer);
}

/* Its ref, whose it is and since when; then what it came to, in words. */
static void put_brief(struct laying *l, size_t chain)
{
    const struct compared_chain *c = &l->all->chain[chain];
    struct strbuf text = STRBUF_INIT;
    int width = l->look->width, age = l->look->exact_times ? 19 : 5;
    sheet_line(l->sheet);
    add_ref(l, c, &text);
    sheet_put(l->sheet, 3, 20, STYLE_REF, text.buf);
    strbuf_clear(&text);
    add_agent(l, c, &text);
    if (width >= 40 + age)
        sheet_put(l->sheet, 25, width - 27 - age, STYLE_SOURCE, text.buf);
    strbuf_clear(&text);
    add_when(l, c, &text);
    if (width >= 30 + age)
        sheet_put_right(l->sheet, -age - 1, age, STYLE_AGE, text.buf);
    laying_opens(l, c->chain.node, chain + 1);
    strbuf_clear(&text);
    add_state(l, c, &text);
    if (c->chain.confidence == c->chain.confidence)
        strbuf_addf(&text, " %s conf ", l->dot), add_confidence(l, c, &text);
    strbuf_addf(&text, " %s %zu step%s %s ", l->dot, c->chain.step_count,
                c->chain.step_count == 1 ? "" : "s", l->dot);
    add_sources(l, c, &text);
    if (c->chain.total_time == c->chain.total_time)
        strbuf_addf(&text, " %s ", l->dot), add_time(l, c, &text);
    sheet_wrap(l->sheet, 3, width - 5, STYLE_DIM, text.buf, 4, false);
    strbuf_release(&text);
}

static void put_below(struct laying *l)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < l->all->count; i++) {
        strbuf_clear(&text);
        strbuf_addf(&text, "%zu  ", i + 1);
        add_strategy(l, &l->all->chain[i], &text);
        laying_section(l, text.buf, "");
        put_brief(l, i);
        if (!l->all->one_question)
            put_texts(l, "", i, 1, put_question);
        put_texts(l, "", i, 1, put_answer);
    }
    strbuf_release(&text);
}

/*
 * From an empty sheet of look->width. `focus`: the chain that lines about all of them open, and that is
 * to be seen where not all fit. The value of a line that opens is its chain, counted from 1, 0 where it is
 * about none.
 */
static void strategies_sheet(struct sheet *s, const struct strategies *all, size_t focus,
                             const struct facts_look *look)
{
    struct laying l = {.sheet = s,
                       .all = all,
                       .look = look,
                       .focus = focus < all->count ? focus : 0,
                       .dot = glyph_of(GLYPH_DOT, look->ascii)};
    sheet_clear(s, look->width);
    if (all->count == 0)
        return;
    l.shown = strategies_beside(all->count, look->width);
    l.from = l.focus < l.shown ? 0 : l.focus - l.shown + 1;
    l.column = (look->width - GUTTER) / (int)l.shown;
    sheet_line(s);
    if (all->one_question)
        sheet_wrap(s, 1, look->width - 2, STYLE_TEXT, all->chain[0].chain.question, 6, false);
    if (l.shown > 1)
        put_beside(&l);
    else
        put_below(&l);
    strategies_put_sources(&l);
    strategies_put_steps(&l);
}

struct compared_nodes {
    int64_t node[STRATEGIES_MOST];
    size_t count;
};

struct strategies_view {
    struct sheet_view page; /* struct strategies */
    struct compared_nodes nodes;
    size_t focus; /* the chain that is looked at */
    bool opened;  /* the cursor was put where it begins */
};

static struct strategies_view *strategies_of(struct view *v)
{
    return (struct strategies_view *)v;
}

/* NULL: not read yet. */
static const struct strategies *shown_of(const struct view *v)
{
    return ((const struct sheet_view *)v)->facts;
}

/* ---- reading ---- */

static void ask(const struct sheet_view *v, void *question)
{
    *(struct compared_nodes *)question = ((const struct strategies_view *)v)->nodes;
}

static void *read_strategies(void *question, struct reader *r, struct error *e)
{
    const struct compared_nodes *asked = question;
    return strategies_read(r, asked->node, asked->count, e);
}

static void free_strategies(void *facts)
{
    strategies_free(facts);
}

static void lay(struct sheet_view *v, const struct facts_look *look)
{
    strategies_sheet(&v->sheet, v->facts, strategies_of(&v->view)->focus, look);
}

static const struct page_ops strategies_page = {.job = "comparing chains",
                                                .question = sizeof(struct compared_nodes),
                                                .ask = ask,
                                                .read = read_strategies,
                                                .free = free_strategies,
                                                .lay = lay};

static void layout(struct view *v, int height, int width)
{
    struct strategies_view *s = strategies_of(v);
    sheet_view_layout(v, height, width);
    if (shown_of(v) && !s->opened) {
        view_select(v, 0);
        s->opened = true;
    }
}

static void title(struct view *v, struct strbuf *out)
{
    bool told = shown_of(v) && shown_of(v)->by_strategy;
    strbuf_addf(out, "%zu %s", strategies_of(v)->nodes.count, told ? "strategies" : "chains");
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct strategies *all = shown_of(v);
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    size_t running = 0;
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        running += all->chain[i].chain.state == CHAIN_RUNNING;
    strbuf_addstr(out, all->one_question ? "one question" : "several questions");
    if (running > 0)
        strbuf_addf(out, " %s %zu running", dot, running);
}

/* The chain that is looked at. */
static int64_t about(const struct view *v)
{
    const struct strategies_view *s = (const struct strategies_view *)v;
    const struct strategies *all = shown_of(v);
    return all && s->focus < all->count ? all->chain[s->focus].chain.node : 0;
}

static const char *empty(struct view *v)
{
    return shown_of(v) ? "none of these chains is there any more" : "comparing…";
}

/* ---- requests ---- */

/* The cursor stays on its line, which is about the other chain then. */
static void look_at(struct view *v, int direction)
{
    struct strategies_view *s = strategies_of(v);
    const struct strategies *all = shown_of(v);
    if (!all)
        return;
    if (direction < 0 ? s->focus == 0 : s->focus + 1 >= all->count) {
        app_say(v->app, direction < 0 ? "this is the first chain" : "this is the last chain");
        return;
    }
    s->focus += direction < 0 ? (size_t)-1 : 1;
    size_t line = v->selected, top = v->top;
    v->selected = LINE_NONE;
    s->page.laid_out = 0;
    layout(v, v->height, v->width);
    v->top = top;
    if (line != LINE_NONE)
        view_select(v, line);
}

/* Where they stand below each other the cursor says which one is looked at. */
static void selected(struct view *v)
{
    struct strategies_view *s = strategies_of(v);
    const struct sheet_line *line = sheet_view_line(v);
    if (line && line->value > 0 && strategies_beside(shown_of(v)->count, v->width) == 1)
        s->focus = (size_t)line->value - 1;
}

static bool request(struct view *v, enum view_request request)
{
    switch (request) {
    case REQUEST_FOLD:
        look_at(v, -1);
        return true;
    case REQUEST_UNFOLD:
        look_at(v, 1);
        return true;
    default:
        return sheet_view_request(v, request);
    }
}

/* A session that came or went says of a chain whether it still runs. */
static void stirred(struct view *v)
{
    const struct strategies *all = shown_of(v);
    bool running = false;
    for (size_t i = 0; all && i < all->count; i++)
        running = running || all->chain[i].chain.state == CHAIN_RUNNING;
    if (running)
        view_news(v, NULL, 0, true);
}

static const struct view_ops strategies_ops = {
    .name = "strategies",
    SHEET_VIEW_OPS,
    .place = IN_STRATEGIES,
    .bar = "open,chain-after=chain,next-section,rests-on,facts=facts",
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .node = sheet_view_node,
    .about = about,
    .empty = empty,
    .request = request,
    .position = details_position,
    .selected = selected,
    .load = sheet_view_load,
    .stirred = stirred,
    .release = sheet_view_release,
};

struct view *strategies_view_new(struct app *x, const int64_t *nodes, size_t count)
{
    struct strategies_view *s = xcalloc(1, sizeof(*s));
    sheet_view_init(&s->page, &strategies_ops, &x->ui, &strategies_page);
    s->nodes.count = count < STRATEGIES_MOST ? count : STRATEGIES_MOST;
    memcpy(s->nodes.node, nodes, s->nodes.count * sizeof(*nodes));
    view_load(&s->page.view);
    return &s->page.view;
}
