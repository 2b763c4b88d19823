#include "tui/view/chain/step_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

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

/* ---- laid out ---- */

static int prose(const struct facts_look *look, int column)
{
    int room = look->width - column - 2;
    return room > PROSE ? PROSE : room;
}

static void put_text(struct sheet *s, const struct facts_look *look, const char *name,
                     enum style style, const char *text)
{
    if (!text || !*text || !sheet_line(s))
        return;
    sheet_put(s, NAME, VALUE - NAME - 1, STYLE_FIELD, name);
    sheet_wrap(s, VALUE, prose(look, VALUE), style, text, SIZE_MAX, true);
}

/* The chain that it is part of: opens. */
static void put_chain(struct sheet *s, const struct chain *chain, const struct facts_look *look)
{
    struct sheet_line *line = sheet_line(s);
    if (!line)
        return;
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
            struct sheet_line *line = earlier->number == step->earlier[i] ? sheet_line(s) : NULL;
            if (!line)
                continue;
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
    if (!line)
        return;
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
    if (dead && sheet_line(s))
        sheet_format(s, title, 0, STYLE_DIM, "the document is %s", status_name(source->status));
    if (from->excerpt && *from->excerpt)
        sheet_wrap(s, title, prose(&look->facts, title), STYLE_TEXT, from->excerpt, SIZE_MAX,
                   false);
    if (source->rating && sheet_line(s))
        sheet_format(s, title, 0, STYLE_MARK, "%s%s%s%s%s", source->rating,
                     source->rated_by ? ", " : "", source->rated_by ? source->rated_by : "",
                     source->rating_reason && *source->rating_reason ? ": " : "",
                     source->rating_reason ? source->rating_reason : "");
}

struct ranked {
    double relevance;
    size_t number;
};

static int by_relevance(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    bool known = x->relevance == x->relevance, other = y->relevance == y->relevance;
    if (known != other)
        return known ? -1 : 1;
    if (known && x->relevance != y->relevance)
        return x->relevance > y->relevance ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* The most relevant first, the first of equals. */
static void put_sources(struct sheet *s, const struct chain *chain, const struct chain_step *step,
                        const struct step_look *look)
{
    struct ranked *rank = arena_array(&s->arena, step->source_count + 1, sizeof(*rank));
    for (size_t i = 0; i < step->source_count; i++)
        rank[i] = (struct ranked){step->source[i].source.relevance, i};
    qsort(rank, step->source_count, sizeof(*rank), by_relevance);
    for (size_t i = 0; i < step->source_count; i++) {
        if (i > 0 && sheet_line(s))
            s->line[s->count - 1].value = STEP_NO_SOURCE;
        put_source(s, chain, step, rank[i].number, look);
    }
}

void step_sheet_lay(struct sheet *s, const struct chain *chain, size_t number,
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
    if (step->source_count == 0 && sheet_line(s))
        sheet_put(s, 3, 0, STYLE_DIM, "it used none");
    put_sources(s, chain, step, look);
}
