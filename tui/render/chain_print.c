#include "tui/render/chain_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "model/reasoning/citation.h"
#include "model/reasoning/reasoning.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/render/brief.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

#define BAR 8

/* Where a terminal is too narrow for all, ids are left out first. */
static const struct table_column source_columns[] = {
    {NULL, 0, 3, TEXT_RIGHT, 0},            /* the rank in the retrieval */
    {NULL, 0, 0, 0, 0},                     /* bar, number and star */
    {NULL, 20, 60, 0, 0},                   /* title */
    {NULL, 16, 60, TEXT_EXACT, TABLE_CUTS}, /* id */
    {NULL, 0, 0, 0, TABLE_CUTS + 2},        /* note */
};

struct table source_table(struct output *out, size_t indent)
{
    struct table t =
        table_open(out, source_columns, sizeof(source_columns) / sizeof(source_columns[0]), NULL,
                   strlen("changed since"));
    t.indent = indent;
    t.rest_keeps = TABLE_CUTS + 1;
    return t;
}

/* What was measured stands out the more relevant it is; anything else recedes. */
static enum style tone_of_score(double relevance, enum score origin)
{
    if (origin != SCORE_MEASURED)
        return STYLE_DIM;
    return relevance > PRIMARY_ABOVE ? STYLE_STRONG : STYLE_TEXT;
}

void source_put(struct table *t, const struct source_line *line)
{
    struct strbuf text = STRBUF_INIT;
    if (line->rank > 99)
        table_put(t, STYLE_DIM, "99+");
    else if (line->rank > 0)
        table_format(t, STYLE_DIM, "#%d", (int)line->rank);
    else
        table_put(t, STYLE_DIM, "");
    score_bar(&text, !t->out->ascii, line->relevance, line->origin, BAR);
    strbuf_addch(&text, ' ');
    score_add(&text, line->relevance, line->origin);
    strbuf_addstr(&text, !line->primary ? "" : t->out->ascii ? "*" : "★");
    table_put(t, tone_of_score(line->relevance, line->origin), text.buf);
    strbuf_clear(&text);
    text_add(&text, line->id, TEXT_EXACT); /* a document without a title is called by its id */
    table_put(t, STYLE_TEXT, line->title ? line->title : text.buf);
    table_put(t, STYLE_DIM, line->title ? line->id : "");
    table_put(t, STYLE_DIM, line->note);
    table_end(t, NULL, STYLE_WEAKENED, line->warning);
    strbuf_release(&text);
}

void source_legend_print(struct output *out)
{
    strbuf_addch(&out->text, '\n');
    output_style(out, STYLE_DIM);
    output_flow(out, "scores: measured plain, ~ heuristic, = default, ? asserted", 0);
    output_style(out, STYLE_TEXT);
}

/*
 * A chain as text. What agents and documents say stands behind a bar or at the end of a line, so that none
 * of it can pass for a number or a mark of the program's own.
 */

#define STEP_INDENT    5  /* of what belongs to a step */
#define QUESTION       21 /* where the question of a step begins */
#define OTHERS_MOST    8  /* chains on the same question */
#define CONCLUDED_MOST 50 /* memories that rest on a step are looked at */

/* A chain while it is printed. */
struct printing {
    struct output *out;
    struct reader *r;
    struct arena arena;
    struct chain chain;
    int64_t asked;        /* the row that was asked for */
    struct table sources; /* of its steps */
    bool guesses;         /* a score that was not measured is shown */
};

/* ---- the chain itself ---- */

void chain_print_head(struct output *out, const struct chain *c)
{
    output_ref(out, STYLE_STRONG, c->ref);
    strbuf_addch(&out->text, '\n');
    output_quote(out, c->question, 0);
}

/* "finished, 10 steps, 18 documents" */
static void print_state(struct output *out, const struct chain *c)
{
    static const enum style tones[] = {[CHAIN_RUNNING] = STYLE_WEAKENED,
                                       [CHAIN_FINISHED] = STYLE_GROUNDED,
                                       [CHAIN_ABANDONED] = STYLE_DIM};
    struct strbuf rest = STRBUF_INIT;
    /* Of what was purged nobody can say how it ended. */
    bool purged = c->status == STATUS_PURGED;
    if (c->status != STATUS_ACTIVE && !purged)
        strbuf_addf(&rest, ", %s", status_name(c->status));
    strbuf_addf(&rest, ", %zu step%s, %zu document%s", c->step_count, c->step_count == 1 ? "" : "s",
                c->document_count, c->document_count == 1 ? "" : "s");
    strbuf_addf(&out->text, "%-13s", "state");
    output_led(out, purged ? STYLE_DIM : tones[c->state],
               purged ? status_name(c->status) : chain_state_name(c->state), rest.buf, 13);
    strbuf_release(&rest);
}

static void print_times(struct output *out, const struct chain *c)
{
    struct strbuf when = STRBUF_INIT;
    char seconds[24];
    if (!isnan(c->total_time)) {
        seconds_text(seconds, c->total_time);
        output_field(out, "time", seconds);
    }
    add_time(&when, c->created_at, out->now);
    output_field(out, "created", when.buf);
    strbuf_release(&when);
}

static void print_chain(struct printing *p)
{
    const struct chain *c = &p->chain;
    struct output *out = p->out;
    chain_print_head(out, c);
    if (c->answer) {
        output_heading(out, "answer", "");
        output_quote(out, c->answer, 0);
    }
    strbuf_addch(&out->text, '\n');
    print_state(out, c);
    output_field(out, "strategy", c->strategy);
    if (!isnan(c->confidence))
        output_fieldf(out, "confidence", "%.3g%s", c->confidence,
                      c->state == CHAIN_FINISHED || c->status == STATUS_PURGED
                          ? ""
                          : ", the mean of its steps so far");
    output_name(out, "agent", c->agent_id);
    print_times(out, c);
}

/* ---- the sources of a step ---- */

/* The strings, where they are, with a gap between. */
static const char *joined(struct arena *arena, const char *const *words, size_t count)
{
    struct strbuf all = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        if (words[i])
            strbuf_addf(&all, "%s%s", all.len ? "  " : "", words[i]);
    const char *made = arena_strdup(arena, all.buf);
    strbuf_release(&all);
    return made;
}

/* "chunk 14  page 3" */
static const char *place_of(struct arena *arena, const struct chain_source *s)
{
    char chunk[32], page[32];
    snprintf(chunk, sizeof(chunk), "chunk %lld", (long long)s->source.chunk);
    snprintf(page, sizeof(page), "page %lld", (long long)s->page);
    const char *words[] = {s->source.chunk >= 0 ? chunk : NULL, s->page > 0 ? page : NULL};
    return joined(arena, words, 2);
}

static const char *warning_of(struct arena *arena, bool changed, bool guessed, enum status status)
{
    const char *words[] = {changed ? "changed since" : NULL, guessed ? "guessed" : NULL,
                           status != STATUS_ACTIVE ? status_name(status) : NULL};
    return joined(arena, words, 3);
}

static struct source_line line_of(struct printing *p, const struct chain_source *s)
{
    const struct chain_document *d = &p->chain.document[s->column];
    const char *title = s->source.title && *s->source.title ? s->source.title : d->title;
    return (struct source_line){.relevance = s->source.relevance,
                                .origin = s->source.origin,
                                .primary = d->primary,
                                .rank = s->source.rank,
                                .title = title,
                                .id = s->source.document_id,
                                .note = place_of(&p->arena, s),
                                .warning =
                                    warning_of(&p->arena, s->changed, s->guessed, s->status)};
}

/* The columns are those of all steps, so that the eye can go down them. */
static void fit_columns(struct printing *p)
{
    p->sources = source_table(p->out, STEP_INDENT);
    for (size_t i = 0; i < p->chain.step_count; i++)
        for (size_t k = 0; k < p->chain.step[i].source_count; k++) {
            struct source_line line = line_of(p, &p->chain.step[i].source[k]);
            source_put(&p->sources, &line);
            p->guesses |= line.origin != SCORE_MEASURED;
        }
    table_fit(&p->sources);
}

/* The most relevant first, equals and what is not known last, in their order. */
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

const struct chain_source **step_rank_sources(struct arena *arena, const struct chain_step *step)
{
    const struct chain_source **order = arena_array(arena, step->source_count + 1, sizeof(*order));
    for (size_t i = 0; i < step->source_count; i++)
        order[i] = &step->source[i];
    if (step->source_count)
        qsort(order, step->source_count, sizeof(*order), by_relevance);
    return order;
}

/* "rated irrelevant by sean: says how busy it was, not who waited" */
static void print_rating(struct output *out, const struct chain_source *s)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "rated %s by %s", s->rating, s->rated_by ? s->rated_by : "someone");
    if (s->rating_reason && *s->rating_reason)
        strbuf_addf(&line, ": %s", s->rating_reason);
    strbuf_addchars(&out->text, ' ', STEP_INDENT + 4);
    output_flow(out, line.buf, STEP_INDENT + 6);
    strbuf_release(&line);
}

static void print_sources(struct printing *p, const struct chain_step *step)
{
    const struct chain_source **order = step_rank_sources(&p->arena, step);
    for (size_t i = 0; i < step->source_count; i++) {
        struct source_line line = line_of(p, order[i]);
        source_put(&p->sources, &line);
        table_print(&p->sources, NULL);
        if (order[i]->rating)
            print_rating(p->out, order[i]);
    }
}

/* ---- a step ---- */

/* A name under the step, and what is said: in its own lines where it has several. */
static void print_said(struct output *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    strbuf_addchars(&out->text, ' ', STEP_INDENT);
    if (strchr(text, '\n')) {
        strbuf_addf(&out->text, "%s\n", name);
        output_quote(out, text, STEP_INDENT + 2);
    } else {
        strbuf_addf(&out->text, "%-9s ", name);
        output_flow(out, text, STEP_INDENT + 10);
    }
}

void step_add_earlier(struct strbuf *out, const struct chain_step *step)
{
    if (step->earlier_count == 0)
        return;
    strbuf_addf(out, "the answer%s of step%s ", step->earlier_count == 1 ? "" : "s",
                step->earlier_count == 1 ? "" : "s");
    for (size_t i = 0; i < step->earlier_count; i++)
        strbuf_addf(out, "%s%lld",
                    i == 0                         ? ""
                    : i + 1 == step->earlier_count ? " and "
                                                   : ", ",
                    (long long)step->earlier[i]);
}

void step_add_faithful(struct strbuf *out, const struct chain_step *step)
{
    if (!step->faithful)
        return;
    bool yes = !strcmp(step->faithful, "yes"), no = !strcmp(step->faithful, "no");
    strbuf_addstr(out, yes  ? "supported by its sources"
                       : no ? "not supported by its sources"
                            : step->faithful);
    if (step->faithful_by)
        strbuf_addf(out, ", %s", step->faithful_by);
    if (step->faithful_reason && *step->faithful_reason)
        strbuf_addf(out, ": %s", step->faithful_reason);
}

/* What it was given, and what a person said of it. */
static void print_words(struct output *out, const struct chain_step *step)
{
    struct strbuf said = STRBUF_INIT;
    step_add_earlier(&said, step);
    print_said(out, "given", said.buf);
    strbuf_clear(&said);
    step_add_faithful(&said, step);
    print_said(out, "judged", said.buf);
    strbuf_release(&said);
}

/* What was concluded from it, its chain and later steps apart. */
static int print_concluded(struct printing *p, const struct chain_step *step, struct error *e)
{
    struct dependants below = {0};
    int result = dependants_find(p->r, step->node, CONCLUDED_MOST, &below, e);
    for (size_t i = 0; i < below.direct && !result; i++) {
        struct brief b;
        result = brief_read(p->r, &p->arena, below.row[i], LABEL_COUNT, &b, e);
        if (result || b.row.ref.kind == KIND_CHAIN || b.row.ref.kind == KIND_STEP)
            continue;
        strbuf_addchars(&p->out->text, ' ', STEP_INDENT);
        strbuf_addf(&p->out->text, "%-8s", "carries");
        brief_print(p->out, &b, p->chain.agent_id, STEP_INDENT + 8, NULL);
    }
    if (!result && below.more && below.direct == below.count) {
        strbuf_addchars(&p->out->text, ' ', STEP_INDENT);
        strbuf_addstr(&p->out->text, "carries   more: `stemma show --reverse` shows all\n");
    }
    free(below.row);
    return result;
}

/* "> 3  0.90   1.1 s  Then what was waited for?" */
static void print_question(struct printing *p, const struct chain_step *step)
{
    char number[24] = "-", confidence[8] = "-", seconds[24] = "-";
    struct strbuf question = STRBUF_INIT;
    if (step->number)
        snprintf(number, sizeof(number), "%lld", (long long)step->number);
    if (!isnan(step->confidence))
        snprintf(confidence, sizeof(confidence), "%.2f", step->confidence);
    if (!isnan(step->execution_time))
        seconds_text(seconds, step->execution_time);
    if (step->status != STATUS_ACTIVE)
        strbuf_addf(&question, "[%s] ", status_name(step->status));
    strbuf_addstr(&question, step->question);
    output_printf(p->out, STYLE_STRONG, "%c%3s", step->node == p->asked ? '>' : ' ', number);
    strbuf_addf(&p->out->text, "  %4s  %7s  ", confidence, seconds);
    output_flow(p->out, question.buf, QUESTION);
    strbuf_release(&question);
}

static int print_step(struct printing *p, const struct chain_step *step, struct error *e)
{
    print_question(p, step);
    if (step->answer && *step->answer)
        output_quote(p->out, step->answer, STEP_INDENT);
    print_said(p->out, "trace", step->trace);
    print_words(p->out, step);
    print_sources(p, step);
    if (print_concluded(p, step, e))
        return -1;
    strbuf_addch(&p->out->text, '\n');
    return 0;
}

static int print_steps(struct printing *p, struct error *e)
{
    if (p->chain.step_count == 0)
        return 0;
    output_heading(p->out, "steps", "");
    for (size_t i = 0; i < p->chain.step_count; i++)
        if (print_step(p, &p->chain.step[i], e))
            return -1;
    return 0;
}

/* ---- its documents ---- */

static struct source_line line_of_document(struct printing *p, const struct chain_document *d)
{
    char steps[40];
    snprintf(steps, sizeof(steps), "%zu step%s", d->steps, d->steps == 1 ? "" : "s");
    return (struct source_line){.relevance = d->best,
                                .origin = d->origin,
                                .primary = d->primary,
                                .title = d->title,
                                .id = d->id,
                                .note = arena_strdup(&p->arena, steps),
                                .warning = warning_of(&p->arena, d->changed, false, d->status)};
}

static void print_documents(struct printing *p)
{
    struct table t = source_table(p->out, 1);
    size_t primary = 0, count = p->chain.document_count;
    for (size_t i = 0; i < count; i++) {
        struct source_line line = line_of_document(p, &p->chain.document[i]);
        source_put(&t, &line);
        primary += line.primary;
    }
    if (count) {
        output_printf(p->out, STYLE_STRONG, "sources by relevance");
        strbuf_addf(&p->out->text, "  %zu document%s, %zu primary %s\n", count,
                    count == 1 ? "" : "s", primary, p->out->ascii ? "*" : "★");
        table_print(&t, NULL);
        if (p->guesses)
            source_legend_print(p->out);
    }
    table_close(&t);
}

/* ---- others on the same question ---- */

/* "chain:c8c41f20  0.86  verify_each_claim  finished" and the answer. */
static int print_other(struct printing *p, int64_t node, struct error *e)
{
    struct chain_brief brief;
    struct memory_row row;
    char confidence[16] = "-";
    if (chain_brief_read(p->r, &p->arena, node, &brief, e) ||
        memory_row_read(p->r, &p->arena, node, &row, e))
        return -1;
    struct output *out = p->out;
    strbuf_addstr(&out->text, "  ");
    output_text(out, STYLE_DIM, short_ref(p->r, &p->arena, row.ref));
    if (!isnan(row.confidence))
        snprintf(confidence, sizeof(confidence), "%.2f", row.confidence);
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "  %s  %s, %zu steps  %s", confidence, chain_state_name(brief.state),
                brief.steps, brief.strategy ? brief.strategy : "");
    output_flow(out, line.buf, 4);
    strbuf_release(&line);
    if (brief.answer)
        output_quote(out, brief.answer, 4);
    return 0;
}

static int print_others(struct printing *p, struct error *e)
{
    int64_t *rows;
    size_t count;
    bool more;
    if (chains_on_question(p->r, &p->arena, p->chain.node, OTHERS_MOST + 1, &rows, &count, &more,
                           e))
        return -1;
    bool headed = false;
    for (size_t i = 0; i < count; i++) {
        if (rows[i] == p->chain.node)
            continue;
        if (!headed)
            output_heading(p->out, "the same question", "");
        headed = true;
        if (print_other(p, rows[i], e))
            return -1;
    }
    if (more)
        strbuf_addstr(&p->out->text, "  and others\n");
    return 0;
}

/* ---- all of it: in one transaction, so nothing is written before the end ---- */

static int print_all(struct printing *p, struct error *e)
{
    if (chain_read(p->r, &p->arena, p->asked, &p->chain, e))
        return -1;
    fit_columns(p);
    print_chain(p);
    if (print_steps(p, e))
        return -1;
    print_documents(p);
    return print_others(p, e);
}

int chain_print(struct output *out, struct reader *r, int64_t node, struct error *e)
{
    struct printing p = {.out = out, .r = r, .arena = ARENA_INIT, .asked = node};
    if (reader_begin(r, e))
        return -1;
    int result = print_all(&p, e);
    reader_end(r);
    table_close(&p.sources);
    arena_release(&p.arena);
    return result;
}
