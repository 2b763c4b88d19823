/* A step of a chain of thought as a page; for a command the whole chain, and its sources. */
#include "tui/render/chain_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/reasoning/reasoning.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/render/oneline.h"
#include "tui/text/text.h"

/* ---- texts ---- */

void matrix_letter(char out[16], size_t document)
{
    char turned[16];
    size_t len = 0, at = 0;
    for (size_t n = document + 1; n > 0 && len < sizeof(turned) - 1; n = (n - 1) / 26)
        turned[len++] = (char)('A' + (n - 1) % 26);
    while (len > 0)
        out[at++] = turned[--len];
    out[at] = '\0';
}

void step_add_earlier(struct strbuf *out, const struct chain_step *step)
{
    size_t count = step->earlier_count;
    if (count > 0)
        strbuf_addf(out, "the answer%s of step%s ", count == 1 ? "" : "s", count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, "%s%lld",
                    i == 0           ? ""
                    : i + 1 == count ? " and "
                                     : ", ",
                    (long long)step->earlier[i]);
}

void step_add_faithful(struct strbuf *out, const struct chain_step *step, enum judge judge)
{
    const struct judgement *j = &step->faithful[judge];
    if (!j->word)
        return;
    bool yes = !strcmp(j->word, "yes"), no = !strcmp(j->word, "no");
    strbuf_addstr(out, yes  ? "supported by its sources"
                       : no ? "not supported by its sources"
                            : j->word);
    if (j->by)
        strbuf_addf(out, ", %s%s", judge_title(judge), j->by);
    if (j->reason && *j->reason)
        strbuf_addf(out, ": %s", j->reason);
}

/* Descending by relevance. Equal and unknown relevances keep their order; unknown ones come last. */
static int by_relevance(const void *a, const void *b)
{
    const struct chain_source *x = *(const struct chain_source *const *)a,
                              *y = *(const struct chain_source *const *)b;
    double first = x->source.relevance, second = y->source.relevance;
    if (isnan(first) != isnan(second))
        return isnan(first) ? 1 : -1;
    if (!isnan(first) && first != second)
        return first < second ? 1 : -1;
    return (x > y) - (x < y);
}

/* Sorts the sources by relevance, into the arena. */
static const struct chain_source **step_rank_sources(struct arena *arena,
                                                     const struct chain_step *step)
{
    const struct chain_source **order = arena_array(arena, step->source_count + 1, sizeof(*order));
    for (size_t i = 0; i < step->source_count; i++)
        order[i] = &step->source[i];
    if (step->source_count)
        qsort(order, step->source_count, sizeof(*order), by_relevance);
    return order;
}

/* ---- a source in a line ---- */

#define BAR       8
#define TITLE_MAX 60
#define ID_MIN    16
#define NOTE      24 /* columns of the note after a document */

/* One line about a document that was used. */
struct source_line {
    double relevance; /* NAN if unknown */
    enum score origin;
    bool primary;
    const char *mark;  /* before the title: rank or column letter */
    const char *title; /* NULL to show only the id */
    const char *id;
    const char *note, *warning; /* "" if empty */
};

struct laying {
    struct page *page;
    const struct chain *chain;
    int mark_width, title_width, id_width; /* the widest of all lines, so that columns align */
    bool notes; /* notes are in the line of the id, else in a line below */
    bool by_confidence;
    bool guesses; /* the page shows a score that was not measured */
};

static int width_of(const char *text, unsigned flags)
{
    return (int)text_width(text, strlen(text), TITLE_MAX, flags);
}

static void widen(int *width, int own)
{
    own = own < TITLE_MAX ? own : TITLE_MAX;
    *width = own > *width ? own : *width;
}

static void measure(struct laying *l, const struct source_line *line)
{
    widen(&l->mark_width, width_of(line->mark, 0));
    widen(&l->title_width, width_of(line->title ? line->title : line->id, 0));
    widen(&l->id_width, line->title ? width_of(line->id, TEXT_EXACT) : 0);
    l->guesses |= line->origin != SCORE_MEASURED;
}

/* On a narrow terminal drops ids first, then cuts titles. */
static void fit(struct laying *l)
{
    int room = l->page->width - CHAIN_INDENT - l->mark_width - 1 - BAR - SCORE_WIDTH - 5 -
               (l->notes ? NOTE : 0);
    if (l->title_width + l->id_width + 2 > room)
        l->id_width = room - l->title_width - 2 < ID_MIN ? 0 : room - l->title_width - 2;
    l->title_width = l->title_width > room && room > 0 ? room : l->title_width;
}

static void put_source_line(struct laying *l, const struct source_line *line)
{
    struct page *s = l->page;
    struct strbuf *text = page_buffer(s);
    bool ascii = s->options.ascii;
    enum style style = score_style(line->relevance, line->origin);
    int at = CHAIN_INDENT;
    page_put(s, at, l->mark_width, STYLE_DIM, line->mark);
    at += l->mark_width + (l->mark_width > 0);
    score_bar(text, !ascii, line->relevance, line->origin, BAR);
    page_put(s, at, BAR, style, text->buf);
    at += BAR + 1;
    strbuf_clear(text);
    score_add(text, line->relevance, line->origin);
    strbuf_addstr(text, !line->primary ? "" : ascii ? "*" : "★");
    page_put(s, at, SCORE_WIDTH + 1, style, text->buf);
    at += SCORE_WIDTH + 3;
    strbuf_clear(text);
    text_add(text, line->id, TEXT_EXACT); /* a document without a title shows its id */
    page_put(s, at, l->title_width, STYLE_TEXT, line->title ? line->title : text->buf);
    at += l->title_width + 2;
    if (l->id_width > 0)
        page_put(s, at, l->id_width, STYLE_REF, line->title ? text->buf : "");
    at += l->id_width > 0 ? l->id_width + 2 : 0;
    if (l->notes) {
        page_put(s, at, 0, STYLE_DIM, line->note);
        at += width_of(line->note, 0) + 2;
        page_put(s, at, 0, STYLE_CHIP, line->warning);
    }
}

/* A made-up id is of one step alone. Without a title, the document's own follows. */
static const char *id_of(struct page *page, const struct source *s, const char *title)
{
    return !title && s->invented && s->version_hash
               ? page_printf(page, "%s is document:sha256-%.8s", s->document_id, s->version_hash)
               : s->document_id;
}

/* "chunk 14 · page 3"; with `whole` also "measured · rank 2 · chunk 14 · version 4f1c9e2a". */
static const char *use_of(struct page *page, const struct chain_source *s, bool whole)
{
    struct strbuf *out = page_buffer(page);
    bool ascii = page->options.ascii;
    if (whole)
        strbuf_addstr(out, score_word(s->source.origin));
    if (whole && s->source.rank >= 0)
        add_dot(out, ascii), strbuf_addf(out, "rank %lld", (long long)s->source.rank);
    if (s->source.chunk != CHUNK_NONE)
        add_dot(out, ascii), strbuf_addf(out, "chunk %lld", (long long)s->source.chunk);
    if (s->page > 0)
        add_dot(out, ascii), strbuf_addf(out, "page %lld", (long long)s->page);
    if (whole && s->source.version_hash)
        add_dot(out, ascii), strbuf_addf(out, "version %.8s", s->source.version_hash);
    return page_printf(page, "%s", out->buf);
}

static const char *warning_of(struct page *s, bool changed, bool guessed, enum status status,
                              enum status retrieval)
{
    struct strbuf *out = page_buffer(s);
    const char *words[] = {
        changed ? "changed since" : NULL, guessed ? "the link was guessed" : NULL,
        status != STATUS_ACTIVE ? status_word(status) : NULL,
        retrieval != STATUS_ACTIVE ? page_printf(s, "retrieval %s", status_word(retrieval)) : NULL};
    for (size_t i = 0; i < 4; i++)
        if (words[i])
            strbuf_addf(out, "%s%s", out->len ? "  " : "", words[i]);
    return page_printf(s, "%s", out->buf);
}

static struct source_line line_of(struct laying *l, const struct chain_source *s)
{
    const struct chain_document *d = &l->chain->document[s->column];
    const char *title = s->source.title && *s->source.title ? s->source.title : d->title;
    char mark[24] = "";
    if (!l->notes)
        matrix_letter(mark, s->column);
    else if (s->source.rank > 0)
        snprintf(mark, sizeof(mark), s->source.rank > 99 ? "99+" : "#%d", (int)s->source.rank);
    return (struct source_line){
        .relevance = s->source.relevance,
        .origin = s->source.origin,
        .primary = d->primary,
        .mark = page_printf(l->page, "%s", mark),
        .title = title,
        .id = id_of(l->page, &s->source, title),
        .note = use_of(l->page, s, !l->notes),
        .warning = warning_of(l->page, s->changed, s->guessed, s->status, d->retrieval)};
}

static void measure_step(struct laying *l, const struct chain_step *step)
{
    for (size_t i = 0; i < step->source_count; i++) {
        struct source_line line = line_of(l, &step->source[i]);
        measure(l, &line);
    }
}

/* "rated irrelevant by sean: says how busy it was, not who waited" */
static void put_rating(struct page *page, const struct chain_source *s, int column)
{
    for (int judge = 0; judge < JUDGES; judge++) {
        const struct judgement *j = &s->rating[judge];
        struct strbuf *line = page_buffer(page);
        if (!j->word)
            continue;
        strbuf_addf(line, "rated %s by %s", j->word, judge_title((enum judge)judge));
        text_add(line, j->by ? j->by : "someone", TEXT_EXACT);
        strbuf_addstr(line, j->reason && *j->reason ? ": " : "");
        text_add(line, j->reason, 0); /* in one line */
        page_wrap(page, column, page->width - column - 1, STYLE_MARK, line->buf, SIZE_MAX, false);
    }
}

/* ---- the page of a step ---- */

static void put_field(struct page *s, const char *name, enum style style, const char *text)
{
    page_field(s, name, style, text, SIZE_MAX);
}

static void put_faithful(struct page *s, enum style style, const struct chain_step *step)
{
    for (int judge = 0; judge < JUDGES; judge++) {
        struct strbuf *text = page_buffer(s);
        step_add_faithful(text, step, (enum judge)judge);
        put_field(s, "judged", style, text->buf);
    }
}

static const char *state_of(struct page *s, const struct chain_step *step)
{
    struct strbuf *text = page_buffer(s);
    step_add_state(text, s->options.ascii, step);
    return text->buf;
}

static void opens(struct page *s, int64_t node, int64_t value)
{
    page_opens(s, node)->value = value;
}

/* The steps whose answers this step received. Enter opens each. */
static void put_earlier(struct page *s, const struct chain *chain, const struct chain_step *step)
{
    if (step->earlier_count == 0)
        return;
    page_section(s, "given", step->earlier_count == 1 ? "1 earlier answer" : "earlier answers");
    for (size_t i = 0; i < step->earlier_count; i++)
        for (size_t k = 0; k < chain->step_count; k++) {
            const struct chain_step *earlier = &chain->step[k];
            if (earlier->number != step->earlier[i])
                continue;
            opens(s, earlier->node, STEP_NO_SOURCE);
            page_format(s, CHAIN_INDENT, PAGE_FIELD - CHAIN_INDENT - 1, STYLE_NUMBER, "step %lld",
                        (long long)earlier->number);
            page_put(s, PAGE_FIELD, s->width - PAGE_FIELD - 2, STYLE_TEXT,
                     earlier->answer && *earlier->answer ? earlier->answer : earlier->question);
        }
}

/* A source with the details of its use below it. */
static void put_source(struct laying *l, const struct chain_step *step,
                       const struct chain_source *s)
{
    struct page *page = l->page;
    struct source_line line = line_of(l, s);
    int below = CHAIN_INDENT + l->mark_width + 1 + BAR + 1 + SCORE_WIDTH + 3;
    opens(page, s->document, s - step->source);
    put_source_line(l, &line);
    page_line(page);
    if (l->by_confidence) {
        char digits[8];
        score_digits(digits, s->source.relevance * step->confidence);
        page_format(page, below - SCORE_WIDTH - 5, 6, STYLE_GUESSED, "%s %s",
                    glyph_of(GLYPH_TIMES, page->options.ascii), digits);
    }
    page_put(page, below, 0, STYLE_DIM, line.note);
    page_put(page, below + width_of(line.note, 0) + 2, 0, STYLE_CHIP, line.warning);
    const char *text = s->source.whole ? s->source.whole : s->source.excerpt;
    if (text && *text)
        page_wrap(page, below, page_prose(page, below), STYLE_TEXT, text, SIZE_MAX, false);
    put_rating(page, s, below);
}

static void put_sources(struct laying *l, const struct chain_step *step)
{
    const struct chain_source **order = step_rank_sources(&l->page->arena, step);
    page_section(l->page,
                 l->by_confidence ? "sources, relevance by confidence below it" : "sources",
                 page_printf(l->page, "%zu source%s", step->source_count,
                             step->source_count == 1 ? "" : "s"));
    if (step->source_count == 0)
        page_note(l->page, CHAIN_INDENT, "it used no sources");
    measure_step(l, step);
    fit(l);
    for (size_t i = 0; i < step->source_count; i++) {
        if (i > 0)
            page_line(l->page)->value = STEP_NO_SOURCE;
        put_source(l, step, order[i]);
    }
}

void step_page(struct page *s, const struct chain *chain, size_t number, bool by_confidence,
               const struct page_options *options)
{
    const struct chain_step *step = &chain->step[number];
    struct laying l = {.page = s, .chain = chain, .by_confidence = by_confidence};
    const char *question = step->question && *step->question ? step->question : "no question";
    page_begin(s, options);
    page_line(s);
    page_wrap(s, 1, page_prose(s, 1), STYLE_TITLE, question, SIZE_MAX, false);
    page_line(s);
    put_field(s, "answer", STYLE_TEXT,
              step->answer && *step->answer ? step->answer : "no question of its own");
    put_field(s, "trace", STYLE_DIM, step->trace);
    put_field(s, "state", STYLE_TEXT, state_of(s, step));
    put_faithful(s, STYLE_MARK, step);
    page_field(s, "chain", STYLE_TEXT,
               chain->question && *chain->question ? chain->question : "without a question", 1);
    s->line[s->count - 1].opens = true;
    s->line[s->count - 1].node = chain->node;
    s->line[s->count - 1].value = STEP_NO_SOURCE;
    put_earlier(s, chain, step);
    put_sources(&l, step);
}

/* ---- the page of a chain, for a command ---- */

#define OTHERS_MAX    8  /* other chains on the same question */
#define CONCLUDED_MAX 50 /* memories based on a step that are read */

/* The page of a chain that is being built. */
struct printing {
    struct laying l;
    struct reader *r;
    struct chain chain;
    int64_t asked; /* the row that the person named */
    bool excerpts;
    struct page page;
};

/* Where the summary of the sources that the chain was recorded with differs from its steps. */
static void put_differences(struct page *s, const struct chain *c)
{
    const char **differences;
    struct source_summary ours;
    size_t count;
    source_summarise(&ours, &s->arena, chain_step_sources(c, &s->arena), c->step_count);
    source_summary_compare(&ours, c->summary, &s->arena, &differences, &count);
    if (count == 0)
        return;
    page_section(s, "the recorded summary differs",
                 page_printf(s, "%zu difference%s", count, count == 1 ? "" : "s"));
    for (size_t i = 0; i < count; i++)
        page_wrap(s, CHAIN_INDENT, page_prose(s, CHAIN_INDENT), STYLE_TEXT, differences[i],
                  SIZE_MAX, false);
}

static void put_facts(struct page *s, const struct chain *c)
{
    char seconds[24];
    bool purged = c->status == STATUS_PURGED; /* its end is unknown */
    if (c->answer) {
        page_section(s, "answer", "");
        facts_put_text(s, c->answer, SIZE_MAX);
    }
    page_line(s);
    struct strbuf *text = page_buffer(s);
    strbuf_addstr(text, purged ? status_word(c->status) : chain_state_name(c->state));
    if (c->status != STATUS_ACTIVE && !purged)
        strbuf_addf(text, ", %s", status_word(c->status));
    strbuf_addf(text, ", %zu step%s, %zu document%s", c->step_count, c->step_count == 1 ? "" : "s",
                c->document_count, c->document_count == 1 ? "" : "s");
    put_field(s, "state", STYLE_TEXT, text->buf);
    put_field(s, "strategy", STYLE_TEXT, c->strategy);
    if (!isnan(c->confidence))
        put_field(s, "confidence", STYLE_TEXT,
                  page_printf(
                      s, "%.3f%s%s", c->confidence,
                      c->state == CHAIN_FINISHED || purged ? "" : ", the mean of its steps so far",
                      c->effective == c->confidence
                          ? ""
                          : page_printf(s, " stored, %.3f effective", c->effective)));
    page_fact_agent(s, c->agent_id, c->claimed);
    seconds_text(seconds, c->total_time);
    put_field(s, "time", STYLE_TEXT, seconds);
    chain_put_tokens(s, c);
    put_field(s, "model", STYLE_TEXT, c->model);
    facts_put_time(s, "created", c->created_at);
}

/* Memories that were concluded from a step, without its chain and later steps. */
static int put_concluded(struct printing *p, const struct chain_step *step, struct error *e)
{
    struct dependants below = {0};
    struct page *s = &p->page;
    int result = dependants_find(p->r, step->node, CONCLUDED_MAX, &below, e);
    struct fact_row *rows =
        result ? NULL : facts_rows_read(p->r, &s->arena, below.row, below.direct, e);
    for (size_t i = 0; rows && i < below.direct; i++) {
        if (rows[i].row.ref.kind == KIND_CHAIN || rows[i].row.ref.kind == KIND_STEP)
            continue;
        page_line(s);
        page_put(s, 1, PAGE_FIELD - 2, STYLE_FIELD, "used by");
        facts_put_row(s, &rows[i], "", false, PAGE_FIELD);
    }
    if (rows && below.more && below.direct == below.count)
        put_field(s, "used by", STYLE_DIM, "more: `stemma show --reverse` shows all");
    free(below.row);
    return rows ? 0 : -1;
}

static int put_step(struct printing *p, const struct chain_step *step, struct error *e)
{
    struct page *s = &p->page;
    const struct chain_source **order = step_rank_sources(&s->arena, step);
    const char *mark = step->node == p->asked ? "> " : "";
    page_section(s,
                 step->number ? page_printf(s, "%sstep %lld", mark, (long long)step->number)
                              : page_printf(s, "%sstep", mark),
                 state_of(s, step));
    put_field(s, "question", STYLE_STRONG, step->question);
    put_field(s, "answer", STYLE_TEXT, step->answer);
    put_field(s, "trace", STYLE_TEXT, step->trace);
    struct strbuf *earlier = page_buffer(s);
    step_add_earlier(earlier, step);
    put_field(s, "given", STYLE_TEXT, earlier->buf);
    put_faithful(s, STYLE_TEXT, step);
    for (size_t i = 0; i < step->source_count; i++) {
        struct source_line line = line_of(&p->l, order[i]);
        page_line(s);
        put_source_line(&p->l, &line);
        put_rating(s, order[i], CHAIN_INDENT + 4);
    }
    return put_concluded(p, step, e);
}

static struct source_line line_of_document(struct page *s, const struct chain_document *d)
{
    return (struct source_line){
        .relevance = d->best,
        .origin = d->origin,
        .primary = d->primary,
        .mark = "",
        .title = d->title,
        .id = d->invented && !d->title ? page_printf(s, "%s is document:%.15s", d->id, d->ref.id)
                                       : d->id,
        .note = page_printf(s, "%zu step%s", d->steps, d->steps == 1 ? "" : "s"),
        .warning = warning_of(s, d->changed, false, d->status, d->retrieval)};
}

/* Adds a rule and lines; below each line its excerpt, if any. */
static void put_lines(struct printing *p, const char *title, const struct source_line *line,
                      const char *const *excerpt, size_t count)
{
    struct page *s = &p->page;
    size_t primary = 0;
    if (count == 0)
        return;
    p->l.mark_width = p->l.title_width = p->l.id_width = 0;
    for (size_t i = 0; i < count; i++) {
        measure(&p->l, &line[i]);
        primary += line[i].primary;
    }
    fit(&p->l);
    page_section(s, title,
                 page_printf(s, "%zu document%s, %zu primary %s", count, count == 1 ? "" : "s",
                             primary, s->options.ascii ? "*" : "★"));
    for (size_t i = 0; i < count; i++) {
        page_line(s);
        put_source_line(&p->l, &line[i]);
        if (excerpt && excerpt[i] && *excerpt[i])
            facts_put_text(s, excerpt[i], SIZE_MAX);
    }
    if (p->l.guesses && page_line(s))
        page_wrap(s, 1, page_prose(s, 1), STYLE_DIM,
                  "scores: measured plain, ~ heuristic, = default, ? asserted", SIZE_MAX, false);
}

/* "chain:c8c41f20  0.86  finished, 3 steps  verify_each_claim" and the answer. */
static int put_other(struct printing *p, int64_t node, struct error *e)
{
    struct page *s = &p->page;
    struct chain_summary summary;
    struct memory_row row;
    struct row_label label;
    if (chain_summary_read(p->r, &s->arena, node, &summary, e) ||
        memory_row_read(p->r, &s->arena, node, &row, e) ||
        effective_of_rows(p->r, &node, 1, &label, e))
        return -1;
    struct strbuf *line = page_buffer(s);
    strbuf_addf(line, "%s  ", short_ref(p->r, &s->arena, row.ref));
    double confidence = label_stands(label.label)
                            ? chain_effective(summary.confidence, summary.state, &label)
                            : label.effective;
    strbuf_addf(line, isnan(confidence) ? "-" : "%.2f", confidence);
    strbuf_addf(line, "  %s, %zu step%s  ", chain_state_name(summary.state), summary.steps,
                summary.steps == 1 ? "" : "s");
    text_add(line, summary.strategy, 0);
    page_wrap(s, CHAIN_INDENT, page_prose(s, CHAIN_INDENT), STYLE_TEXT, line->buf, SIZE_MAX, false);
    if (summary.answer)
        facts_put_text(s, summary.answer, SIZE_MAX);
    return 0;
}

static int put_others(struct printing *p, struct error *e)
{
    int64_t *rows;
    size_t count;
    bool more, any = false;
    if (chains_on_question(p->r, &p->page.arena, p->chain.node, OTHERS_MAX + 1, &rows, &count,
                           &more, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (rows[i] == p->chain.node)
            continue;
        if (!any)
            page_section(&p->page, "the same question", "");
        any = true;
        if (put_other(p, rows[i], e))
            return -1;
    }
    if (more)
        page_note(&p->page, CHAIN_INDENT, "and others");
    return 0;
}

static int put_chain(struct printing *p, struct error *e)
{
    size_t count = p->chain.document_count;
    struct source_line *line = arena_array(&p->page.arena, count + 1, sizeof(*line));
    put_facts(&p->page, &p->chain);
    for (size_t i = 0; i < p->chain.step_count; i++)
        measure_step(&p->l, &p->chain.step[i]);
    fit(&p->l);
    for (size_t i = 0; i < p->chain.step_count; i++)
        if (put_step(p, &p->chain.step[i], e))
            return -1;
    for (size_t i = 0; i < count; i++)
        line[i] = line_of_document(&p->page, &p->chain.document[i]);
    put_lines(p, "sources by relevance", line, NULL, count);
    put_differences(&p->page, &p->chain);
    chain_put_waterfall(&p->page, &p->chain);
    return put_others(p, e);
}

/* Reads in one transaction. Writes nothing before its end. */
static int print(struct output *out, struct reader *r, int64_t node,
                 int (*put)(struct printing *p, struct error *e), bool excerpts, struct error *e)
{
    struct printing p = {.r = r, .asked = node, .excerpts = excerpts};
    page_for_output(&p.page, out);
    p.page.options.ref_width = 16;
    p.l = (struct laying){.page = &p.page, .chain = &p.chain, .notes = true};
    int result = reader_begin(r, e);
    if (!result) {
        page_line(&p.page); /* output_memory_page puts the ref there */
        result = chain_read(r, &p.page.arena, node, &p.chain, e);
        if (!result)
            facts_put_text(&p.page, p.chain.question, SIZE_MAX);
        result = reader_done(r, result || put(&p, e) ? -1 : 0);
    }
    if (!result)
        output_memory_page(out, &p.page, p.chain.ref);
    page_release(&p.page);
    return result;
}

int chain_print(struct output *out, struct reader *r, int64_t node, struct error *e)
{
    return print(out, r, node, put_chain, false, e);
}

/* ---- sources ---- */

static struct source_line line_of_source(struct page *page, const struct source_summary *s,
                                         size_t index)
{
    const struct source *source = &s->all[index];
    const char *title = source->title && *source->title ? source->title : NULL;
    bool primary = index < s->primary_count; /* the most relevant ones are first */
    return (struct source_line){
        .relevance = source->relevance,
        .origin = source->origin,
        .primary = primary,
        .mark = primary && source->rank > 0 ? page_printf(page, "#%d", (int)source->rank) : "",
        .title = title,
        .id = id_of(page, source, title),
        .note = "",
        .warning = source->retrieval ? page_printf(page, "retrieval %s", source->retrieval) : ""};
}

static int put_summary(struct printing *p, struct error *e)
{
    struct source_summary summary;
    struct page *s = &p->page;
    struct arena *arena = &s->arena;
    struct step_sources *steps = chain_step_sources(&p->chain, arena);
    (void)e;
    source_summarise(&summary, arena, steps, p->chain.step_count);
    struct source_line *line = arena_array(arena, summary.count + 1, sizeof(*line));
    const char **excerpt = arena_array(arena, summary.count + 1, sizeof(*excerpt));
    for (size_t i = 0; i < summary.count; i++) {
        line[i] = line_of_source(&p->page, &summary, i);
        excerpt[i] = p->excerpts ? summary.all[i].excerpt : NULL;
    }
    put_lines(p, "sources", line, excerpt, summary.count);
    if (p->chain.step_count)
        page_section(&p->page, "by step", "");
    /* "step 3  4  incident-report, worker-supervisor, …", in the order in which the steps used them. */
    for (size_t i = 0; i < p->chain.step_count; i++) {
        struct strbuf *ids = page_buffer(s);
        for (size_t k = 0; k < steps[i].count; k++)
            strbuf_addf(ids, "%s%s", k ? ", " : "",
                        id_of(s, &steps[i].source[k], steps[i].source[k].title));
        page_line(s);
        page_format(s, 0, PAGE_FIELD - 1, STYLE_TEXT, "%c step %-3s %2zu",
                    p->chain.step[i].node == p->asked ? '>' : ' ',
                    steps[i].number ? page_printf(s, "%lld", (long long)steps[i].number) : "",
                    steps[i].count);
        page_wrap(s, PAGE_FIELD, page_prose(s, PAGE_FIELD), STYLE_TEXT, ids->buf, SIZE_MAX, true);
    }
    return 0;
}

int sources_print(struct output *out, struct reader *r, int64_t node, bool excerpts,
                  struct error *e)
{
    return print(out, r, node, put_summary, excerpts, e);
}
