#include <stdlib.h>
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/text/style.h"
#include "tui/view/chain/chain_matrix.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/chain/chain_views.h"
#include "tui/widget/page_view.h"

/* ---- texts ---- */

void step_add_use(struct strbuf *out, bool ascii, const struct chain_source *s, bool signs)
{
    if (s->source.rank >= 0)
        strbuf_addf(out, "rank %lld", (long long)s->source.rank);
    if (s->source.chunk != CHUNK_NONE) {
        add_dot(out, ascii);
        strbuf_addf(out, "chunk %lld", (long long)s->source.chunk);
    }
    add_dot(out, ascii);
    if (signs) {
        score_add(out, s->source.relevance, s->source.origin);
        strbuf_addf(out, " %s", score_word(s->source.origin));
    } else if (s->source.relevance == s->source.relevance) {
        strbuf_addf(out, "%s %.2f", score_word(s->source.origin), s->source.relevance);
    } else {
        strbuf_addstr(out, "no relevance");
    }
    if (s->guessed)
        strbuf_addf(out, " %s the link was guessed", glyph_of(GLYPH_DOT, ascii));
    if (s->changed)
        strbuf_addf(out, " %s changed since", glyph_of(GLYPH_DOT, ascii));
    if (s->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", glyph_of(GLYPH_DOT, ascii), status_word(s->status));
    if (s->source.retrieval)
        strbuf_addf(out, " %s retrieval %s", glyph_of(GLYPH_DOT, ascii), s->source.retrieval);
}

static const char *ordinal_ending(size_t number)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    bool teens = number % 100 / 10 == 1;
    return endings[!teens && number % 10 < 4 ? number % 10 : 0];
}

void step_add_place(struct strbuf *out, const struct chain *chain, size_t step, size_t place)
{
    int64_t number = chain->step[step].number;
    if (number > 0 && (uint64_t)number == place + 1)
        strbuf_addf(out, "step %zu", place + 1);
    else if (number > 0)
        strbuf_addf(out, "step %lld, %zu%s", (long long)number, place + 1,
                    ordinal_ending(place + 1));
    else
        strbuf_addf(out, "unnumbered step, %zu%s", place + 1, ordinal_ending(place + 1));
    strbuf_addf(out, " of %zu", chain->step_count);
}

struct step_view {
    struct page_view page; /* struct chain_reading */
    size_t step;           /* index in the chain; SIZE_MAX if it no longer exists */
    size_t wanted;         /* source for the cursor after the next layout; SIZE_MAX for none */
    bool by_confidence;
    struct memory_name name; /* of the breadcrumb */
};

static struct step_view *step_of(struct view *v)
{
    return (struct step_view *)v;
}

/* NULL before the first read. */
static const struct chain *chain_of_page(const struct view *v)
{
    const struct chain_reading *reading = ((const struct page_view *)v)->shown.facts;
    return reading ? &reading->chain : NULL;
}

/* NULL before the first read, or if it no longer exists. */
static const struct chain_step *step_shown(const struct view *v)
{
    const struct chain *chain = chain_of_page(v);
    size_t step = ((const struct step_view *)v)->step;
    return chain && step != SIZE_MAX ? &chain->step[step] : NULL;
}

/* ---- reading ---- */

static void taken(struct panel *p)
{
    struct step_view *s = step_of(p->view);
    s->step = chain_step_of(chain_of_page(p->view), p->known.id);
}

static void lay(struct panel *p, const struct page_options *options)
{
    const struct step_view *s = step_of(p->view);
    if (s->step != SIZE_MAX)
        step_page(&p->page, chain_of_page(p->view), s->step, s->by_confidence, options);
}

static const struct panel_ops step_panel = {.job = "reading the step",
                                            .read = chain_reading_make,
                                            .free = chain_reading_free,
                                            .taken = taken,
                                            .lay = lay};

/* Shows the requested source, and its excerpt as far as there is room. */
static void show_wanted(struct step_view *s)
{
    struct view *v = &s->page.view;
    const struct page *page = &s->page.shown.page;
    size_t line = 0;
    while (line < page->count &&
           (!page->line[line].opens || page->line[line].value != (int64_t)s->wanted))
        line++;
    s->wanted = SIZE_MAX;
    if (line == page->count)
        return;
    view_select(v, line);
    size_t end = line + 1, height = v->height > 0 ? (size_t)v->height : 1;
    while (end < page->count && !page->line[end].opens)
        end++;
    if (end > v->top + height && end - line < height)
        v->top = end - height;
}

static void layout(struct view *v, int height, int width)
{
    page_view_layout(v, height, width);
    if (step_shown(v) && step_of(v)->wanted != SIZE_MAX)
        show_wanted(step_of(v));
}

/* ---- header texts ---- */

static void title(struct view *v, struct strbuf *out)
{
    struct step_view *s = step_of(v);
    const struct chain_step *step = step_shown(v);
    if (step && step->number > 0 && v->below && view_is_chain(v->below))
        strbuf_addf(out, "step %lld", (long long)step->number);
    else
        strbuf_addstr(out, details_name(v->app, &s->name));
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct step_view *s = step_of(v);
    const char *dot = glyph_text(&v->ui->screen, GLYPH_DOT);
    const struct chain *chain = chain_of_page(v);
    if (!step_shown(v))
        return;
    if (s->by_confidence)
        strbuf_addf(out, "by confidence %s ", dot);
    step_add_place(out, chain, s->step, s->step);
    strbuf_addf(out, " %s %s", dot, chain_state_name(chain->state));
}

static const char *empty(struct view *v)
{
    return chain_of_page(v) ? "the step is no longer part of its chain" : "reading…";
}

static bool request(struct view *v, enum view_request request)
{
    if (request == REQUEST_CLEAR)
        return step_of(v)->by_confidence && (step_view_by_confidence(v), true);
    return page_view_request(v, request);
}

static const struct view_ops step_ops = {
    .name = "step",
    PAGE_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_USES,
    .bar = "show,by-confidence,flag=rate",
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .empty = empty,
    .request = request,
};

bool view_is_step(const struct view *v)
{
    return v->ops == &step_ops;
}

int64_t step_view_number(const struct view *v)
{
    const struct chain_step *step = step_shown(v);
    return step ? step->number : 0;
}

const struct chain_source *step_view_source(const struct view *v)
{
    const struct page_line *line = view_is_step(v) ? page_view_line(v) : NULL;
    const struct chain_step *step = line ? step_shown(v) : NULL;
    int64_t source = step ? line->value : STEP_NO_SOURCE;
    return source >= 0 && (size_t)source < step->source_count ? &step->source[source] : NULL;
}

bool step_view_by_confidence(struct view *v)
{
    struct step_view *s = step_of(v);
    s->by_confidence = !s->by_confidence;
    s->page.shown.width = 0;
    return s->by_confidence;
}

struct view *step_view_at(struct app *x, int64_t node, size_t source)
{
    struct step_view *s = page_view_new(sizeof(*s), &step_ops, &x->ui, &step_panel, node);
    s->step = SIZE_MAX;
    s->wanted = source;
    details_name_open(x, &s->name, node);
    view_load(&s->page.view);
    return &s->page.view;
}

struct view *step_view_new(struct app *x, int64_t node)
{
    return step_view_at(x, node, SIZE_MAX);
}
