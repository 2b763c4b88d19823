/*
 * The view of chains on the same question: their results, how the answers differ, and which sources they share. The
 * worker reads one struct, and the page is laid out from it.
 */
#include "tui/view/chain/chain_views.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/query/ref.h"
#include "store/reasoning/chain.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_page.h"
#include "tui/render/facts.h"
#include "tui/text/style.h"
#include "tui/widget/page_view.h"

/* A document that at least one chain used. */
struct shared_source {
    const struct chain_document *document; /* as in the first chain that used it */
    const struct chain_document **used; /* [count of chains]; NULL if that chain did not use it */
    size_t users, first;                /* `first`: the first chain that used it */
    double best;
    bool changed;
};

struct compared_chain {
    struct chain chain;
    size_t short_length; /* bytes of its shortest unique id */
    size_t own;          /* documents that only this chain used */
    /* difference from another answer; NULL if they have too little in common */
    struct text_run *run;
    size_t run_count;
    size_t same_as; /* an earlier chain with the same answer, counted from 1; 0 for none */
};

struct strategies {
    struct arena arena;
    struct compared_chain *chain;
    size_t count;
    bool one_question; /* all have the same question */
    bool by_strategy;  /* all have the same question and a strategy */
    /* Sorted by the number of users; those of one chain last, by chain; then by relevance. */
    struct shared_source *source;
    size_t source_count;
    size_t by_all, by_one; /* shared by all chains; used by one only */
    bool changed;          /* a source changed since */
    size_t answers;        /* number of different answers; 0 if there is none yet */
};

/* ---- reading ---- */

static int by_sharing(const void *a, const void *b)
{
    const struct shared_source *x = a, *y = b;
    if (x->users != y->users)
        return x->users > y->users ? -1 : 1;
    if (x->users == 1 && x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->best != y->best)
        return x->best > y->best ? -1 : 1;
    return (x->document->node > y->document->node) - (x->document->node < y->document->node);
}

static void join_source(struct strategies *s, struct row_index *met, size_t chain,
                        const struct chain_document *d)
{
    size_t at = row_index_add(met, d->node);
    struct shared_source *source = &s->source[at];
    if (at == s->source_count) {
        s->source_count++;
        *source = (struct shared_source){.document = d, .first = chain, .best = -1};
        source->used = arena_array(&s->arena, s->count, sizeof(*source->used));
    }
    source->used[chain] = d;
    source->users++;
    source->best = d->best > source->best ? d->best : source->best;
    source->changed |= d->changed;
}

static void join_sources(struct strategies *s)
{
    struct row_index met = ROW_INDEX_INIT;
    size_t most = 0;
    for (size_t i = 0; i < s->count; i++)
        most += s->chain[i].chain.document_count;
    s->source = arena_array(&s->arena, most + 1, sizeof(*s->source));
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->chain[i].chain.document_count; k++)
            join_source(s, &met, i, &s->chain[i].chain.document[k]);
    row_index_release(&met);
    if (s->source_count)
        qsort(s->source, s->source_count, sizeof(*s->source), by_sharing);
    for (size_t i = 0; i < s->source_count; i++) {
        const struct shared_source *source = &s->source[i];
        s->by_all += source->users == s->count;
        s->by_one += source->users == 1;
        s->chain[source->first].own += source->users == 1;
        s->changed |= source->changed;
    }
}

static const char *answer_of(const struct strategies *s, size_t i)
{
    return s->chain[i].chain.answer;
}

/* Highlights differences only if the answers have enough in common. */
static void compare_answer(struct strategies *s, size_t i, size_t from)
{
    struct compared_chain *c = &s->chain[i];
    size_t same = 0, all = 0;
    text_difference(answer_of(s, from), answer_of(s, i), &s->arena, &c->run, &c->run_count);
    for (size_t k = 0; k < c->run_count; k++) {
        same += c->run[k].kind == RUN_SAME ? c->run[k].len : 0;
        all += c->run[k].kind != RUN_REMOVED ? c->run[k].len : 0;
    }
    if (same < all / 2)
        c->run = NULL;
}

/* Compares the first two answers with each other, and all others with the first. */
static void compare_answers(struct strategies *s)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < s->count; i++) {
        struct compared_chain *c = &s->chain[i];
        if (!answer_of(s, i))
            continue;
        for (size_t k = 0; k < i && !c->same_as; k++)
            if (answer_of(s, k) && !strcmp(answer_of(s, k), answer_of(s, i)))
                c->same_as = k + 1;
        if (c->same_as)
            continue;
        if (s->answers++ == 0)
            first = i;
        else
            compare_answer(s, i, first);
        if (s->answers == 2)
            compare_answer(s, first, i);
    }
}

static int read_all(struct reader *r, struct strategies *s, const int64_t *nodes, size_t count,
                    struct error *e)
{
    s->chain = arena_array(&s->arena, count + 1, sizeof(*s->chain));
    s->one_question = s->by_strategy = true;
    for (size_t i = 0; i < count; i++) {
        struct chain *chain = &s->chain[s->count].chain;
        if (chain_read(r, &s->arena, nodes[i], chain, e)) {
            if (e->code != ERROR_NOT_FOUND) /* purged meanwhile; the others remain */
                return -1;
            continue;
        }
        s->chain[s->count++].short_length = ref_short_length(r, chain->ref);
        s->one_question &= chain_asks_same(chain, &s->chain[0].chain);
        s->by_strategy &= s->one_question && chain->strategy;
    }
    join_sources(s);
    compare_answers(s);
    return 0;
}

static void strategies_free(void *facts)
{
    struct strategies *s = facts;
    arena_release(&s->arena);
    free(s);
}

struct compared_nodes {
    int64_t node[STRATEGIES_MAX];
    size_t count;
};

static void *strategies_read(const struct panel_key *key, struct reader *r, struct error *e)
{
    const struct compared_nodes *asked = key->more;
    struct strategies *s = xcalloc(1, sizeof(*s));
    s->arena = (struct arena)ARENA_INIT;
    if (!reader_begin(r, e) && !reader_done(r, read_all(r, s, asked->node, asked->count, e)))
        return s;
    strategies_free(s);
    return NULL;
}

/* ---- layout ---- */

struct laying {
    struct page *page;
    const struct strategies *all;
    const struct page_options *options;
    size_t focus; /* the focused chain */
    const char *dot;
};

static void put_section(struct laying *l, const char *title, const char *right)
{
    page_line(l->page);
    page_rule(l->page, title, right);
}

/* The last line opens that memory. `chain` is the chain it is about, counted from 1; 0 for none. */
static void opens(struct laying *l, int64_t node, size_t chain)
{
    struct page_line *line = &l->page->line[l->page->count - 1];
    line->opens = node > 0;
    line->node = node;
    line->value = (int64_t)chain;
}

static void put_number(struct laying *l, size_t chain)
{
    page_format(l->page, 3, 3, chain == l->focus ? STYLE_RULE_TITLE : STYLE_HEADER, "%2zu",
                chain + 1);
}

/* ---- the chains ---- */

/* Adds ref and strategy, and as many right-aligned columns as fit. With `c` NULL adds the column headers. */
static void put_chain(struct laying *l, const struct compared_chain *c, int ref_width)
{
    static const struct compared_chain none = {0};
    const struct chain *chain = c ? &c->chain : &none.chain;
    AUTO_STRBUF ref = STRBUF_INIT;
    char when[32], time[24], own[24], sources[24], steps[24], conf[24];
    AUTO_ARENA arena = ARENA_INIT;
    const char *agent = agent_label(&arena, chain->agent_id, chain->claimed);
    const struct {
        const char *name, *value;
        int width, from; /* shown from that page width on */
        enum style style;
    } columns[] = {{"asked", when, l->options->exact_times ? 20 : 6, 40, STYLE_AGE},
                   {"agent", agent, 16, 110, STYLE_SOURCE},
                   {"time", time, 9, 84, STYLE_AGE},
                   {"own", own, 5, 90, STYLE_NUMBER},
                   {"sources", sources, 9, 60, STYLE_NUMBER},
                   {"steps", steps, 7, 68, STYLE_NUMBER},
                   {"conf", conf, 6, 50, STYLE_NUMBER},
                   {"state",
                    chain->status == STATUS_ACTIVE ? chain_state_name(chain->state)
                                                   : status_word(chain->status),
                    11, 32, STYLE_TEXT}};
    int edge = 0, at = 7 + ref_width + 2;
    facts_when(when, sizeof(when), chain->created_at, l->options);
    seconds_text(time, chain->total_time);
    snprintf(own, sizeof(own), "%zu", c ? c->own : 0);
    snprintf(sources, sizeof(sources), "%zu", chain->document_count);
    snprintf(steps, sizeof(steps), "%zu", chain->step_count);
    snprintf(conf, sizeof(conf), "%.2f", chain->effective);
    page_line(l->page);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        if (l->options->width < columns[i].from)
            continue;
        edge += columns[i].width;
        if (columns[i].value != conf || chain->effective == chain->effective)
            page_put_right(l->page, -edge - 1, columns[i].width - 1,
                           c ? columns[i].style : STYLE_HEADER,
                           c ? columns[i].value : columns[i].name);
    }
    if (c) {
        put_number(l, (size_t)(c - l->all->chain));
        facts_ref(&(struct memory_row){.ref = chain->ref}, c->short_length, &ref);
        opens(l, chain->node, (size_t)(c - l->all->chain) + 1);
    }
    page_put(l->page, 7, ref_width, c ? STYLE_REF : STYLE_HEADER, c ? ref.buf : "chain");
    if (l->options->width - edge - 2 - at > 4)
        page_put(l->page, at, l->options->width - edge - 2 - at, c ? STYLE_TEXT : STYLE_HEADER,
                 !c                ? "strategy"
                 : chain->strategy ? chain->strategy
                                   : "not told");
}

static void put_chains(struct laying *l)
{
    int widest = 0, most = l->options->width / 4;
    for (size_t i = 0; i < l->all->count; i++) {
        int width = 6 + (int)l->all->chain[i].short_length;
        widest = width > widest ? width : widest;
    }
    widest = widest < most ? widest : most;
    put_section(l, "chains", "");
    put_chain(l, NULL, widest);
    for (size_t i = 0; i < l->all->count; i++)
        put_chain(l, &l->all->chain[i], widest);
}

/* ---- the answers ---- */

static void put_answer(struct laying *l, size_t i)
{
    const struct compared_chain *c = &l->all->chain[i];
    int room = l->options->width - 9;
    page_line(l->page);
    put_number(l, i);
    if (!l->all->one_question) {
        page_wrap(l->page, 7, room, STYLE_DIM, c->chain.question, SIZE_MAX, true);
        page_line(l->page);
    }
    if (!c->chain.answer)
        page_put(l->page, 7, room, STYLE_DIM,
                 c->chain.state == CHAIN_RUNNING ? "no answer yet" : "no answer: it was abandoned");
    else if (c->same_as)
        page_format(l->page, 7, room, STYLE_DIM, "the same as %zu", c->same_as);
    else if (c->run)
        difference_put_after(l->page, 7, c->run, c->run_count);
    else
        page_wrap(l->page, 7, room, STYLE_TEXT, c->chain.answer, SIZE_MAX, true);
}

static void put_answers(struct laying *l)
{
    const struct strategies *all = l->all;
    char right[80] = "";
    size_t answered = 0;
    bool differ = false;
    for (size_t i = 0; i < all->count; i++) {
        answered += answer_of(all, i) != NULL;
        differ |= all->chain[i].run != NULL;
    }
    if (all->answers > 1)
        snprintf(right, sizeof(right), "%zu different answers%s", all->answers,
                 differ ? ": differences are highlighted" : "");
    else if (answered > 1)
        snprintf(right, sizeof(right), "all answers are the same");
    put_section(l, "answers", right);
    for (size_t i = 0; i < all->count; i++)
        put_answer(l, i);
}

/* ---- the sources ---- */

#define CELL      6 /* width of a chain's column in the table of sources */
#define TITLE_MIN 24

/* The layout of the table: columns for as many chains as leave room for the title, including the focused chain. */
struct source_table {
    size_t from, shown;
    int title, title_width, id_width;
};

static struct source_table divide(const struct laying *l)
{
    int width = l->options->width, edge = l->all->changed ? 16 : 1;
    struct source_table t = {.id_width = width >= 110 ? width / 4 : 0};
    int room = (width - 4 - TITLE_MIN - t.id_width - edge) / CELL;
    t.shown = room < 1 ? 1 : (size_t)room < l->all->count ? (size_t)room : l->all->count;
    t.from = l->focus < t.shown ? 0 : l->focus - t.shown + 1;
    t.title = 4 + (int)t.shown * CELL;
    t.title_width = width - t.id_width - edge - t.title - 1;
    return t;
}

static void put_cell(struct laying *l, const struct chain_document *used, int column)
{
    AUTO_STRBUF score = STRBUF_INIT;
    if (used)
        score_add(&score, used->best, used->origin);
    page_put_right(l->page, column, SCORE_WIDTH,
                   used ? score_style(used->best, used->origin) : STYLE_DIM,
                   used ? score.buf : l->dot);
}

static void put_source(struct laying *l, const struct shared_source *source,
                       const struct source_table *t)
{
    const struct chain_document *d = source->document;
    page_line(l->page);
    for (size_t i = 0; i < t->shown; i++)
        put_cell(l, source->used[t->from + i], 4 + (int)i * CELL);
    if (t->title_width > 0)
        page_put(l->page, t->title, t->title_width, STYLE_TEXT, d->title ? d->title : d->id);
    if (t->id_width)
        page_put(l->page, t->title + t->title_width + 1, t->id_width - 1, STYLE_REF, d->id);
    if (source->changed)
        page_put_right(l->page, -15, 14, STYLE_CHIP, "changed since");
    opens(l, d->node, 0);
}

static void put_sharing(struct laying *l, const struct shared_source *source)
{
    size_t count = l->all->count;
    page_line(l->page);
    if (source->users == count)
        page_put(l->page, 3, 0, STYLE_FIELD, count == 2 ? "used by both" : "used by all");
    else if (source->users > 1)
        page_format(l->page, 3, 0, STYLE_FIELD, "used by %zu of %zu", source->users, count);
    else
        page_format(l->page, 3, 0, STYLE_FIELD, "used by %zu only", source->first + 1);
}

static void put_table_head(struct laying *l, const struct source_table *t)
{
    page_line(l->page);
    for (size_t i = 0; i < t->shown; i++) {
        bool focus = t->from + i == l->focus;
        char number[24];
        snprintf(number, sizeof(number), focus ? "[%zu]" : "%zu", t->from + i + 1);
        page_put_right(l->page, 4 + (int)i * CELL, SCORE_WIDTH + focus,
                       focus ? STYLE_RULE_TITLE : STYLE_HEADER, number);
    }
}

/* The table of chains and documents. */
static void put_sources(struct laying *l)
{
    const struct strategies *all = l->all;
    struct source_table t = divide(l);
    AUTO_STRBUF right = STRBUF_INIT;
    if (t.shown < all->count)
        strbuf_addf(&right, "chains %zu to %zu of %zu, h and l show others %s ", t.from + 1,
                    t.from + t.shown, all->count, l->dot);
    if (all->source_count > 0)
        strbuf_addf(&right, "%zu document%s %s %zu by %s %s %zu by one", all->source_count,
                    all->source_count == 1 ? "" : "s", l->dot, all->by_all,
                    all->count == 2 ? "both" : "all", l->dot, all->by_one);
    put_section(l, "sources", all->source_count ? right.buf : "");
    if (all->source_count == 0) {
        page_line(l->page);
        page_put(l->page, 3, 0, STYLE_DIM, "none of them names a source");
        return;
    }
    put_table_head(l, &t);
    for (size_t i = 0; i < all->source_count; i++) {
        const struct shared_source *a = &all->source[i];
        if (i == 0 || a->users != a[-1].users || (a->users == 1 && a->first != a[-1].first))
            put_sharing(l, a);
        put_source(l, a, &t);
    }
}

/* ---- the steps ---- */

static void put_step(struct laying *l, const struct chain_step *step, size_t chain, bool first)
{
    int width = l->options->width;
    page_line(l->page);
    if (first)
        put_number(l, chain);
    page_format(l->page, 7, 3, STYLE_NUMBER, "%2lld", (long long)step->number);
    if (width > 24)
        page_put(l->page, 11, width - 18, label_stands(step->label) ? STYLE_TEXT : STYLE_DIM,
                 step->question);
    if (step->effective == step->effective)
        page_format(l->page, -6, 4, STYLE_NUMBER, "%.2f", step->effective);
    opens(l, step->node, chain + 1);
}

static void lay(struct page *s, const struct strategies *all, size_t focus,
                const struct page_options *options)
{
    struct laying l = {s, all, options, focus, glyph_of(GLYPH_DOT, options->ascii)};
    if (all->count == 0)
        return;
    page_line(s);
    if (all->one_question)
        page_wrap(s, 1, options->width - 2, STYLE_TEXT, all->chain[0].chain.question, 6, false);
    put_chains(&l);
    put_answers(&l);
    put_sources(&l);
    put_section(&l, "steps", "");
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->chain[i].chain.step_count; k++)
            put_step(&l, &all->chain[i].chain.step[k], i, k == 0);
}

/* ---- the view ---- */

struct strategies_view {
    struct page_view page; /* struct strategies */
    struct compared_nodes nodes;
    size_t focus; /* the focused chain */
    bool opened;  /* the cursor was put on its first line */
};

static struct strategies_view *strategies_of(struct view *v)
{
    return (struct strategies_view *)v;
}

/* NULL before the first read. */
static const struct strategies *shown_of(const struct view *v)
{
    return ((const struct page_view *)v)->shown.facts;
}

static void ask(const struct panel *p, void *more)
{
    *(struct compared_nodes *)more = ((const struct strategies_view *)p->view)->nodes;
}

/* A chain may have been removed since the last read. */
static void taken(struct panel *p)
{
    size_t count = shown_of(p->view)->count, *focus = &strategies_of(p->view)->focus;
    *focus = *focus < count ? *focus : 0;
}

static void lay_page(struct panel *p, const struct page_options *options)
{
    lay(&p->page, p->facts, strategies_of(p->view)->focus, options);
}

static const struct panel_ops strategies_panel = {.job = "comparing chains",
                                                  .more = sizeof(struct compared_nodes),
                                                  .ask = ask,
                                                  .read = strategies_read,
                                                  .free = strategies_free,
                                                  .taken = taken,
                                                  .lay = lay_page};

static void layout(struct view *v, int height, int width)
{
    struct strategies_view *s = strategies_of(v);
    page_view_layout(v, height, width);
    if (shown_of(v) && !s->opened) {
        s->opened = true;
        view_select(v, 0);
    }
}

static void title(struct view *v, struct strbuf *out)
{
    bool by_strategy = shown_of(v) && shown_of(v)->by_strategy;
    strbuf_addf(out, "%zu %s", strategies_of(v)->nodes.count,
                by_strategy ? "strategies" : "chains");
}

static size_t count_running(const struct strategies *all)
{
    size_t running = 0;
    for (size_t i = 0; all && i < all->count; i++)
        running += all->chain[i].chain.state == CHAIN_RUNNING;
    return running;
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct strategies *all = shown_of(v);
    size_t running = count_running(all);
    if (!all)
        return;
    strbuf_addstr(out, all->one_question ? "one question" : "several questions");
    if (running > 0)
        strbuf_addf(out, " %s %zu running", glyph_text(&v->ui->screen, GLYPH_DOT), running);
}

static struct line_subject subject_at(struct view *v, size_t line)
{
    const struct strategies *all = shown_of(v);
    struct line_subject s = page_view_subject(v, line);
    if (line == LINE_NONE)
        s.node = all && all->count ? all->chain[strategies_of(v)->focus].chain.node : 0;
    return s;
}

static const char *empty(struct view *v)
{
    return shown_of(v) ? "these chains no longer exist" : "comparing…";
}

static void focus_next(struct view *v, int direction)
{
    struct strategies_view *s = strategies_of(v);
    size_t line = 0, next = s->focus + (size_t)direction;
    if (!shown_of(v))
        return;
    if (next >= shown_of(v)->count) {
        ui_message(v->ui, direction < 0 ? "this is the first chain" : "this is the last chain");
        return;
    }
    while (line < s->page.shown.page.count &&
           s->page.shown.page.line[line].value != (int64_t)next + 1)
        line++;
    view_select(v, line);
}

/* Focuses the chain that the line is about. */
static void moved(struct view *v)
{
    const struct page_line *line = page_view_line(v);
    size_t chain = line && line->value > 0 ? (size_t)line->value - 1 : strategies_of(v)->focus;
    if (chain != strategies_of(v)->focus)
        strategies_of(v)->page.shown.width = 0;
    strategies_of(v)->focus = chain;
}

static bool request(struct view *v, enum view_request request)
{
    if (request != REQUEST_LEFT && request != REQUEST_RIGHT)
        return page_view_request(v, request);
    focus_next(v, request == REQUEST_LEFT ? -1 : 1);
    return true;
}

/* The state of a chain depends on whether its session still runs. */
static void store_changed(struct view *v)
{
    if (count_running(shown_of(v)))
        view_notify(v, NULL, 0, true);
}

static const struct view_ops strategies_ops = {
    .name = "strategies",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_CHAINS,
    .bar = "show,right=chain,next-section,based-on,facts=facts",
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .subject = subject_at,
    .empty = empty,
    .request = request,
    .moved = moved,
    .store_changed = store_changed,
};

struct view *strategies_view_new(struct ui *ui, const int64_t *nodes, size_t count)
{
    struct strategies_view *s =
        page_view_new(sizeof(*s), &strategies_ops, ui, &strategies_panel, nodes[0]);
    s->nodes.count = count < STRATEGIES_MAX ? count : STRATEGIES_MAX;
    memcpy(s->nodes.node, nodes, s->nodes.count * sizeof(*nodes));
    view_load(&s->page.view);
    return &s->page.view;
}
