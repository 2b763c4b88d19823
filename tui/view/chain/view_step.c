#include "tui/view/chain/view_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/text/style.h"
#include "tui/text/text.h"
#include "tui/view/chain/chain_matrix.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/chain/chain_views.h"
#include "tui/widget/sheet_view.h"

/* How a line of the sheet is found again: the number of the source it tells of; -1: of none. */
#define STEP_NO_SOURCE (-1)

struct step_look {
    struct facts_look facts;
    bool by_confidence;
};

#define NAME  3
#define VALUE 16 /* where values begin, behind the names of facts */
#define PROSE 120
#define BAR   12

/* ---- in words ---- */

static void separate(struct strbuf *out, bool ascii)
{
    if (out->len > 0)
        strbuf_addf(out, " %s ", glyph_of(GLYPH_DOT, ascii));
}

void step_add_use(struct strbuf *out, bool ascii, const struct chain_source *s, bool signs)
{
    if (s->source.rank >= 0)
        strbuf_addf(out, "rank %lld", (long long)s->source.rank);
    if (s->source.chunk >= 0) {
        separate(out, ascii);
        strbuf_addf(out, "chunk %lld", (long long)s->source.chunk);
    }
    separate(out, ascii);
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
        strbuf_addf(out, " %s %s", glyph_of(GLYPH_DOT, ascii), status_name(s->status));
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

void step_add_state(struct strbuf *out, bool ascii, const struct chain_step *step)
{
    char time[24];
    seconds_text(time, step->execution_time);
    if (step->confidence == step->confidence)
        strbuf_addf(out, "confidence %.2f", step->confidence);
    if (*time) {
        separate(out, ascii);
        strbuf_addstr(out, time);
    }
    if (out->len == 0)
        strbuf_addstr(out, "neither confidence nor time");
    if (step->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", glyph_of(GLYPH_DOT, ascii), status_name(step->status));
}

/* ---- laid out ---- */

static int prose(const struct facts_look *look, int column)
{
    int room = look->width - column - 2;
    return room > PROSE ? PROSE : room;
}

static void put_text(struct sheet *s, const struct facts_look *look, const char *name,
                     enum style style, const char *text)
{
    if (!text || !*text)
        return;
    sheet_line(s);
    sheet_put(s, NAME, VALUE - NAME - 1, STYLE_FIELD, name);
    sheet_wrap(s, VALUE, prose(look, VALUE), style, text, SIZE_MAX, true);
}

/* The chain that it is part of: opens. */
static void put_chain(struct sheet *s, const struct chain *chain, const struct facts_look *look)
{
    struct sheet_line *line = sheet_line(s);
    line->opens = true;
    line->node = chain->node;
    line->value = STEP_NO_SOURCE;
    sheet_put(s, NAME, VALUE - NAME - 1, STYLE_FIELD, "chain");
    sheet_put(s, VALUE, prose(look, VALUE), STYLE_TEXT,
              chain->question && *chain->question ? chain->question : "without a question");
}

static void put_head(struct sheet *s, const struct chain *chain, const struct chain_step *step,
                     const struct facts_look *look)
{
    struct strbuf text = STRBUF_INIT;
    char time[24];
    const char *question = step->question && *step->question ? step->question : "no question";
    sheet_line(s);
    sheet_wrap(s, 1, prose(look, 1), STYLE_TITLE, question, SIZE_MAX, false);
    sheet_line(s);
    put_text(s, look, "answer", STYLE_TEXT,
             step->answer && *step->answer ? step->answer : "none of its own");
    put_text(s, look, "trace", STYLE_DIM, step->trace);
    if (step->confidence == step->confidence)
        strbuf_addf(&text, "%.2f", step->confidence);
    put_text(s, look, "confidence", STYLE_TEXT, text.buf);
    seconds_text(time, step->execution_time);
    put_text(s, look, "took", STYLE_TEXT, time);
    strbuf_clear(&text);
    step_add_faithful(&text, step);
    put_text(s, look, "judged", STYLE_MARK, text.buf);
    strbuf_release(&text);
    put_chain(s, chain, look);
}

/* The steps whose answers it was given: each opens. */
static void put_earlier(struct sheet *s, const struct chain *chain, const struct chain_step *step,
                        const struct facts_look *look)
{
    if (step->earlier_count == 0)
        return;
    sheet_line(s);
    sheet_rule(s, "given", step->earlier_count == 1 ? "1 earlier answer" : "earlier answers");
    for (size_t i = 0; i < step->earlier_count; i++)
        for (size_t k = 0; k < chain->step_count; k++) {
            const struct chain_step *earlier = &chain->step[k];
            if (earlier->number != step->earlier[i])
                continue;
            struct sheet_line *line = sheet_line(s);
            line->opens = true;
            line->node = earlier->node;
            line->value = STEP_NO_SOURCE;
            sheet_format(s, NAME, VALUE - NAME - 1, STYLE_NUMBER, "step %lld",
                         (long long)earlier->number);
            sheet_put(s, VALUE, look->width - VALUE - 2, STYLE_TEXT,
                      earlier->answer && *earlier->answer ? earlier->answer : earlier->question);
        }
}

static void put_score(struct sheet *s, const struct chain_source *source,
                      const struct chain_step *step, const struct step_look *look, int at)
{
    const struct source *from = &source->source;
    enum style style = score_style(from->relevance, from->origin);
    struct strbuf text = STRBUF_INIT;
    if (look->facts.width >= 72) {
        score_bar(&text, !look->facts.ascii, from->relevance, from->origin, BAR);
        sheet_put(s, at, BAR, style, text.buf);
        at += BAR + 1;
    }
    strbuf_clear(&text);
    score_add(&text, from->relevance, from->origin);
    sheet_put(s, at, SCORE_WIDTH, style, text.buf);
    strbuf_release(&text);
    if (look->by_confidence) {
        char digits[8];
        score_digits(digits, source_by_confidence(from->relevance, step->confidence));
        sheet_format(s, at + 5, 6, STYLE_GUESSED, "%s %s", glyph_of(GLYPH_TIMES, look->facts.ascii),
                     digits);
    }
}

/* What is said of the use beside its number: rank, chunk, version. */
static void put_use(struct sheet *s, const struct chain_source *source,
                    const struct step_look *look, int column)
{
    bool ascii = look->facts.ascii;
    struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text, "%s", score_word(source->source.origin));
    if (source->source.rank >= 0)
        strbuf_addf(&text, " %s rank %lld", glyph_of(GLYPH_DOT, ascii),
                    (long long)source->source.rank);
    if (source->source.chunk >= 0)
        strbuf_addf(&text, " %s chunk %lld", glyph_of(GLYPH_DOT, ascii),
                    (long long)source->source.chunk);
    if (source->source.version_hash)
        strbuf_addf(&text, " %s version %.8s", glyph_of(GLYPH_DOT, ascii),
                    source->source.version_hash);
    if (source->guessed)
        strbuf_addf(&text, " %s the link was guessed", glyph_of(GLYPH_DOT, ascii));
    sheet_line(s);
    sheet_put(s, column, 0, source->guessed ? STYLE_GUESSED : STYLE_DIM, text.buf);
    if (source->changed)
        sheet_put(s, column + (int)text_width(text.buf, text.len, 4096, 0) + 2, 0, STYLE_CHIP,
                  "changed since");
    strbuf_release(&text);
}

static void put_source(struct sheet *s, const struct chain *chain, const struct chain_step *step,
                       size_t number, const struct step_look *look)
{
    const struct chain_source *source = &step->source[number];
    const struct source *from = &source->source;
    int score = look->facts.width >= 72 ? BAR + 1 + SCORE_WIDTH : SCORE_WIDTH;
    int title = 5 + score + (look->by_confidence ? 7 : 0), end = look->facts.width - title - 2;
    struct sheet_line *line = sheet_line(s);
    char letter[16];
    line->opens = true;
    line->node = source->document;
    line->value = (int64_t)number;
    put_score(s, source, step, look, 3);
    matrix_letter(letter, source->column);
    sheet_format(s, title, 4, STYLE_NUMBER, "%s", letter);
    const char *name = from->title ? from->title
                       : source->column < chain->document_count
                           ? chain->document[source->column].title
                           : NULL;
    bool dead = !STATUS_LIVES(source->status);
    sheet_put(s, title + (int)strlen(letter) + 2, end - (int)strlen(letter) - 26,
              dead ? STYLE_DIM : STYLE_TEXT, name ? name : from->document_id);
    if (name && look->facts.width >= 60)
        sheet_put(s, look->facts.width - 22, 20, STYLE_REF, from->document_id);
    put_use(s, source, look, title);
    if (dead) {
        sheet_line(s);
        sheet_format(s, title, 0, STYLE_DIM, "the document is %s", status_name(source->status));
    }
    if (from->excerpt && *from->excerpt)
        sheet_wrap(s, title, prose(&look->facts, title), STYLE_TEXT, from->excerpt, SIZE_MAX,
                   false);
    if (source->rating) {
        sheet_line(s);
        sheet_format(s, title, 0, STYLE_MARK, "%s%s%s%s%s", source->rating,
                     source->rated_by ? ", " : "", source->rated_by ? source->rated_by : "",
                     source->rating_reason && *source->rating_reason ? ": " : "",
                     source->rating_reason ? source->rating_reason : "");
    }
}

static void put_sources(struct sheet *s, const struct chain *chain, const struct chain_step *step,
                        const struct step_look *look)
{
    const struct chain_source **order = step_rank_sources(&s->arena, step);
    for (size_t i = 0; i < step->source_count; i++) {
        if (i > 0) {
            sheet_line(s);
            s->line[s->count - 1].value = STEP_NO_SOURCE;
        }
        put_source(s, chain, step, (size_t)(order[i] - step->source), look);
    }
}

/* The whole step from an empty sheet of look->facts.width. `value` of a line is the number of its source. */
static void step_sheet_lay(struct sheet *s, const struct chain *chain, size_t number,
                           const struct step_look *look)
{
    const struct chain_step *step = &chain->step[number];
    char right[64];
    sheet_clear(s, look->facts.width);
    put_head(s, chain, step, &look->facts);
    put_earlier(s, chain, step, &look->facts);
    sheet_line(s);
    snprintf(right, sizeof(right), "%zu source%s", step->source_count,
             step->source_count == 1 ? "" : "s");
    sheet_rule(s, look->by_confidence ? "sources, relevance by confidence beside it" : "sources",
               right);
    if (step->source_count == 0) {
        sheet_line(s);
        sheet_put(s, 3, 0, STYLE_DIM, "it used none");
    }
    put_sources(s, chain, step, look);
}

struct step_view {
    struct sheet_view page; /* struct chain_reading, held */
    int64_t node;
    size_t step;   /* in the reading; SIZE_MAX: it is not there any more */
    size_t wanted; /* the source to stand on once it is laid out; SIZE_MAX: none */
    bool by_confidence;
    int64_t moment;
    struct memory_name name; /* of the breadcrumb */
};

static struct step_view *step_of(struct view *v)
{
    return (struct step_view *)v;
}

/* NULL: it is not read yet. */
static const struct chain *chain_of_page(const struct view *v)
{
    const struct chain_reading *reading = ((const struct sheet_view *)v)->facts;
    return reading ? &reading->chain : NULL;
}

/* NULL: it is not read yet, or not there any more. */
static const struct chain_step *step_shown(const struct view *v)
{
    const struct chain *chain = chain_of_page(v);
    size_t step = ((const struct step_view *)v)->step;
    return chain && step != SIZE_MAX ? &chain->step[step] : NULL;
}

/* ---- reading ---- */

static void ask(const struct sheet_view *v, void *question)
{
    *(int64_t *)question = ((const struct step_view *)v)->node;
}

static void *read_chain(void *question, struct reader *r, struct error *e)
{
    return chain_reading_make(r, *(int64_t *)question, e);
}

static void drop(void *facts)
{
    chain_reading_drop(facts);
}

static void taken(struct sheet_view *v)
{
    struct step_view *s = step_of(&v->view);
    s->step = chain_step_of(chain_of_page(&v->view), s->node);
    s->moment = v->view.app->asof.moment.seq;
}

static void lay(struct sheet_view *v, const struct facts_look *facts_look)
{
    const struct step_view *s = step_of(&v->view);
    struct step_look look = {.facts = *facts_look, .by_confidence = s->by_confidence};
    if (s->step != SIZE_MAX)
        step_sheet_lay(&v->sheet, chain_of_page(&v->view), s->step, &look);
}

static const struct page_ops step_page = {.job = "reading the step",
                                          .question = sizeof(int64_t),
                                          .ask = ask,
                                          .read = read_chain,
                                          .free = drop,
                                          .taken = taken,
                                          .lay = lay};

/* The line of the source that was asked for, and its excerpt as far as there is room. */
static void show_wanted(struct step_view *s)
{
    struct view *v = &s->page.view;
    const struct sheet *sheet = &s->page.sheet;
    size_t line = 0;
    while (line < sheet->count &&
           (!sheet->line[line].opens || sheet->line[line].value != (int64_t)s->wanted))
        line++;
    s->wanted = SIZE_MAX;
    if (line == sheet->count)
        return;
    view_select(v, line);
    size_t end = line + 1, height = v->height > 0 ? (size_t)v->height : 1;
    while (end < sheet->count && !sheet->line[end].opens)
        end++;
    if (end > v->top + height && end - line < height)
        v->top = end - height;
}

static void layout(struct view *v, int height, int width)
{
    sheet_view_layout(v, height, width);
    if (step_shown(v) && step_of(v)->wanted != SIZE_MAX)
        show_wanted(step_of(v));
}

/* ---- what the view says of itself ---- */

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
    const char *dot = glyph_text(&v->app->ui.screen, GLYPH_DOT);
    const struct chain *chain = chain_of_page(v);
    if (!step_shown(v))
        return;
    if (s->by_confidence)
        strbuf_addf(out, "by confidence %s ", dot);
    step_add_place(out, chain, s->step, s->step);
    strbuf_addf(out, " %s %s", dot, chain_state_name(chain->state));
}

static void position(struct view *v, struct strbuf *out)
{
    const struct memory_row *row = details_row(v->app, view_node(v));
    if (row) {
        strbuf_addstr(out, "on ");
        details_ref(v->app, row, out);
    }
}

static int64_t about(const struct view *v)
{
    return ((const struct step_view *)v)->node;
}

static const char *empty(struct view *v)
{
    return chain_of_page(v) ? "the step is not part of its chain any more" : "reading…";
}

static bool request(struct view *v, enum view_request request)
{
    if (request == REQUEST_CLEAR)
        return step_of(v)->by_confidence && (step_view_by_confidence(v), true);
    return sheet_view_request(v, request);
}

static void shown(struct view *v)
{
    struct step_view *s = step_of(v);
    if (chain_of_page(v) && s->moment != v->app->asof.moment.seq)
        v->moved = true;
}

static const struct view_ops step_ops = {
    .name = "step",
    SHEET_VIEW_OPS,
    .has = HAS_MEMORIES | HAS_USES,
    .bar = "open,by-confidence,relevant,irrelevant,supported",
    .at_large = true,
    .title = title,
    .counts = counts,
    .layout = layout,
    .node = sheet_view_node,
    .about = about,
    .empty = empty,
    .request = request,
    .position = position,
    .shown = shown,
    .load = sheet_view_load,
    .release = sheet_view_release,
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
    const struct sheet_line *line = view_is_step(v) ? sheet_view_line(v) : NULL;
    const struct chain_step *step = line ? step_shown(v) : NULL;
    int64_t source = step ? line->value : STEP_NO_SOURCE;
    return source >= 0 && (size_t)source < step->source_count ? &step->source[source] : NULL;
}

bool step_view_by_confidence(struct view *v)
{
    struct step_view *s = step_of(v);
    s->by_confidence = !s->by_confidence;
    s->page.laid_out = 0;
    return s->by_confidence;
}

static struct step_view *make(struct app *x, int64_t node)
{
    struct step_view *s = xcalloc(1, sizeof(*s));
    sheet_view_init(&s->page, &step_ops, &x->ui, &step_page);
    s->node = node;
    s->step = s->wanted = SIZE_MAX;
    details_name_open(x, &s->name, node);
    return s;
}

struct view *step_view_new(struct app *x, int64_t node)
{
    struct step_view *s = make(x, node);
    view_load(&s->page.view);
    return &s->page.view;
}

struct view *step_view_of(struct app *x, struct chain_reading *reading, size_t step, size_t source)
{
    struct step_view *s = make(x, reading->chain.step[step].node);
    sheet_view_take(&s->page, chain_reading_hold(reading));
    s->wanted = source;
    return &s->page.view;
}
