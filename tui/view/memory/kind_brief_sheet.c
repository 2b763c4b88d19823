#include "tui/view/memory/kind_brief.h"

#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "tui/text/score.h"
#include "tui/text/seconds.h"

#define FIELD        14 /* where values begin */
#define STEPS_MOST   40
#define SOURCES_MOST 8

struct laying {
    struct sheet *sheet;
    const struct kind_brief *brief;
    const struct facts *facts;
    const struct facts_look *look;
    const char *dot;
};

/* ---- lines ---- */

/* A field's name, and what it is wrapped behind it: at most so many lines. */
static void put_text(struct laying *l, const char *name, const char *text, size_t lines)
{
    int room = l->look->width - FIELD - 1;
    if (!text || !*text || !sheet_line(l->sheet))
        return;
    sheet_put(l->sheet, 1, FIELD - 2, STYLE_FIELD, name);
    sheet_wrap(l->sheet, FIELD, room > 1 ? room : 1, STYLE_TEXT, text, lines, true);
}

/* Rows of a section have its name before the first. */
static bool put_row(struct laying *l, const char *name, size_t i)
{
    if (!sheet_line(l->sheet))
        return false;
    if (i == 0)
        sheet_put(l->sheet, 1, FIELD - 2, STYLE_FIELD, name);
    return true;
}

static void put_score(struct laying *l, int column, double relevance, enum score origin)
{
    struct strbuf text = STRBUF_INIT;
    if (relevance == relevance)
        score_add(&text, relevance, origin);
    sheet_put_right(l->sheet, column, SCORE_WIDTH, score_style(relevance, origin), text.buf);
    strbuf_release(&text);
}

static void put_more(struct laying *l, size_t left)
{
    if (left > 0 && sheet_line(l->sheet))
        sheet_format(l->sheet, FIELD, 0, STYLE_DIM, "%zu more", left);
}

static void put_number(struct laying *l, int column, int width, double number)
{
    if (number == number) {
        char text[24];
        snprintf(text, sizeof(text), "%.2f", number);
        sheet_put_right(l->sheet, column, width, STYLE_NUMBER, text);
    }
}

/* ---- a chain ---- */

static void put_steps(struct laying *l, const struct chain *c)
{
    int width = l->look->width, end = width - 16;
    for (size_t i = 0; i < c->step_count && i < STEPS_MOST && put_row(l, "steps", i); i++) {
        const struct chain_step *step = &c->step[i];
        char time[24];
        seconds_text(time, step->execution_time);
        sheet_format(l->sheet, FIELD, 3, STYLE_NUMBER, "%2lld", (long long)step->number);
        if (end > FIELD + 4)
            sheet_put(l->sheet, FIELD + 3, end - FIELD - 3, STYLE_TEXT, step->question);
        put_number(l, -13, 4, step->confidence);
        sheet_put_right(l->sheet, -8, 7, STYLE_AGE, time);
    }
    put_more(l, c->step_count > STEPS_MOST ? c->step_count - STEPS_MOST : 0);
}

static void put_documents(struct laying *l, const struct chain *c)
{
    size_t shown = c->document_count < SOURCES_MOST ? c->document_count : SOURCES_MOST;
    int width = l->look->width;
    for (size_t i = 0; i < shown && put_row(l, "sources", i); i++) {
        const struct chain_document *d = &c->document[i];
        put_score(l, FIELD, d->best, d->origin);
        sheet_put(l->sheet, FIELD + SCORE_WIDTH + 2,
                  width - FIELD - SCORE_WIDTH - (d->changed ? 18 : 3), STYLE_TEXT,
                  d->title ? d->title : d->id);
        if (d->changed)
            sheet_put_right(l->sheet, -15, 14, STYLE_CHIP, "changed since");
    }
    put_more(l, c->document_count - shown);
}

static void put_chain(struct laying *l)
{
    const struct chain *c = &l->brief->chain;
    put_text(l, "answer", c->answer, 6);
    put_text(l, "strategy", c->strategy, 1);
    put_documents(l, c);
    put_steps(l, c);
}

/* ---- a step ---- */

static void put_source(struct laying *l, const struct chain_source *source)
{
    const struct source *s = &source->source;
    const struct chain_document *d = &l->brief->chain.document[source->column];
    int width = l->look->width;
    put_score(l, FIELD, s->relevance, s->origin);
    sheet_put(l->sheet, FIELD + SCORE_WIDTH + 2,
              width - FIELD - SCORE_WIDTH - (source->changed ? 18 : 3), STYLE_TEXT,
              s->title   ? s->title
              : d->title ? d->title
                         : s->document_id);
    if (source->changed)
        sheet_put_right(l->sheet, -15, 14, STYLE_CHIP, "changed since");
    if (s->excerpt && *s->excerpt)
        sheet_wrap(l->sheet, FIELD + SCORE_WIDTH + 2, width - FIELD - SCORE_WIDTH - 3, STYLE_DIM,
                   s->excerpt, 2, false);
}

static void put_step(struct laying *l)
{
    const struct chain_step *step = l->brief->step;
    size_t shown = step->source_count < SOURCES_MOST ? step->source_count : SOURCES_MOST;
    struct strbuf of = STRBUF_INIT;
    put_text(l, "answer", step->answer, 4);
    put_text(l, "trace", step->trace, 3);
    strbuf_addf(&of, "%lld of %zu  %s", (long long)step->number, l->brief->chain.step_count,
                l->brief->chain.question);
    put_text(l, "step", of.buf, 1);
    strbuf_release(&of);
    for (size_t i = 0; i < shown && put_row(l, "sources", i); i++)
        put_source(l, &step->source[i]);
    put_more(l, step->source_count - shown);
}

/* ---- a document ---- */

static void add_counts(struct laying *l, struct strbuf *out)
{
    const struct document_counts *c = &l->brief->reach->counts;
    const char *more = c->bounded ? "+" : "";
    strbuf_addf(out, "%lld%s step%s", (long long)c->steps, more, c->steps == 1 ? "" : "s");
    if (c->chains > 0)
        strbuf_addf(out, " of %lld%s chain%s", (long long)c->chains, more,
                    c->chains == 1 ? "" : "s");
    strbuf_addf(out, " %s %lld%s citation%s", l->dot, (long long)c->citations, more,
                c->citations == 1 ? "" : "s");
    if (c->others > 0)
        strbuf_addf(out, " %s %lld%s other%s", l->dot, (long long)c->others, more,
                    c->others == 1 ? "" : "s");
}

static void put_use(struct laying *l, const struct document_use *use, const char *text)
{
    int width = l->look->width;
    put_score(l, FIELD, use->use.relevance, use->use.score);
    sheet_put(l->sheet, FIELD + SCORE_WIDTH + 2,
              width - FIELD - SCORE_WIDTH - (use->changed ? 18 : 3), STYLE_TEXT, text ? text : "");
    if (use->changed)
        sheet_put_right(l->sheet, -15, 14, STYLE_CHIP, "changed since");
}

static void put_uses(struct laying *l, const char *name, const struct document_uses *u)
{
    for (size_t i = 0; i < u->count && put_row(l, name, i); i++) {
        put_use(l, &u->use[i], u->use[i].text);
        for (size_t k = 0; k < u->use[i].further_count && put_row(l, name, i + 1); k++) {
            struct document_use further = document_use_further(&u->use[i], k);
            put_use(l, &further, "and another passage");
        }
    }
}

static void put_document(struct laying *l)
{
    const struct document_facts *d = l->brief->document;
    struct strbuf text = STRBUF_INIT;
    size_t passages = 0;
    add_counts(l, &text);
    put_text(l, "used by", text.buf, 2);
    put_uses(l, "steps", &d->steps);
    put_uses(l, "citations", &l->brief->reach->citations);
    put_uses(l, "others", &l->brief->reach->others);
    for (size_t i = 0; i < d->version_count; i++)
        passages += i == 0 || d->version[i].chunk != d->version[i - 1].chunk;
    strbuf_clear(&text);
    strbuf_addf(&text, "%zu%s version%s of %zu passage%s", d->version_count,
                d->version_more ? "+" : "", d->version_count == 1 ? "" : "s", passages,
                passages == 1 ? "" : "s");
    put_text(l, "versions", passages > 0 ? text.buf : "", 1);
    put_text(l, "uri", d->uri, 2);
    strbuf_release(&text);
}

/* ---- a citation ---- */

/* The document itself. */
static void put_cited(struct laying *l)
{
    const struct memory *m = &l->facts->memory;
    struct facts_look look = *l->look;
    if (m->justification_count == 0 || l->facts->group[0].shown == 0 || !put_row(l, "document", 0))
        return;
    look.ref_width = facts_ref_width(l->facts->group[0].row, 1, 12);
    facts_put_row(l->sheet, &l->facts->group[0].row[0], "", false, FIELD, &look);
}

static void put_citation(struct laying *l)
{
    const struct kind_brief *b = l->brief;
    struct strbuf text = STRBUF_INIT;
    citation_format(&text, b->citation.name, b->citation.page, b->citation.section);
    put_text(l, "cites", text.buf, 2);
    if (b->citation.relevance == b->citation.relevance && put_row(l, "score", 0)) {
        put_score(l, FIELD, b->citation.relevance, b->citation.origin);
        sheet_put(l->sheet, FIELD + SCORE_WIDTH + 2, 0, STYLE_DIM, score_word(b->citation.origin));
    }
    put_cited(l);
    strbuf_clear(&text);
    if (b->conversation)
        strbuf_addf(&text, "%s%s%s", b->conversation, b->message ? ", message " : "",
                    b->message ? b->message : "");
    put_text(l, "response", text.buf, 1);
    strbuf_release(&text);
}

/* ---- an attribution ---- */

static const char *check_said(enum hash_check check)
{
    static const char *const said[] = {
        [HASH_EQUAL] = "the stored content is what was hashed",
        [HASH_DIFFERS] = "the stored content is not what was hashed",
        [HASH_ABSENT] = "no hash was given",
        [HASH_NOTHING] = "a hash, and no content to compare with",
    };
    return said[check];
}

static void put_attribution(struct laying *l)
{
    const struct kind_brief *b = l->brief;
    struct facts_look exact = {.exact_times = true};
    bool suspect = clock_retrieval_is_suspect(b->retrieved_at, l->look->now);
    char when[32];
    put_text(l, "type", b->type, 1);
    put_text(l, "uri", b->uri, 3);
    facts_when(when, sizeof(when), b->retrieved_at, &exact);
    put_text(l, "retrieved", when, 1);
    if (suspect)
        sheet_put(l->sheet, FIELD + 21, 0, STYLE_UNGROUNDED,
                  b->retrieved_at >= 0 && b->retrieved_at < CLOCK_RETRIEVED_EARLIEST
                      ? "suspect: seconds given?"
                      : "suspect");
    put_text(l, "content", check_said(b->check), 2);
}

/* ---- all of it ---- */

void kind_brief_sheet(struct sheet *s, const struct facts *f, const struct kind_brief *b,
                      const struct facts_look *look)
{
    static void (*const puts[KIND_COUNT])(struct laying *) = {
        [KIND_CHAIN] = put_chain,
        [KIND_STEP] = put_step,
        [KIND_DOCUMENT] = put_document,
        [KIND_CITATION] = put_citation,
        [KIND_ATTRIBUTION] = put_attribution,
    };
    struct laying l = {s, b, f, look, glyph_text(look->screen, GLYPH_DOT)};
    struct strbuf carries = STRBUF_INIT;
    sheet_clear(s, look->width);
    facts_brief_text(s, &f->memory, look);
    sheet_line(s);
    puts[b->kind](&l);
    facts_carry(f, look->screen, &carries);
    put_text(&l, "carries", carries.len ? carries.buf : "nothing", 1);
    strbuf_release(&carries);
}

void kind_brief_state(const struct kind_brief *b, const struct screen *screen, struct strbuf *out)
{
    const char *dot = glyph_text(screen, GLYPH_DOT);
    char time[24];
    if (b->kind != KIND_CHAIN)
        return;
    strbuf_addstr(out, chain_state_name(b->chain.state));
    if (b->chain.confidence == b->chain.confidence)
        strbuf_addf(out, " %s %.2f", dot, b->chain.confidence);
    seconds_text(time, b->chain.total_time);
    if (*time)
        strbuf_addf(out, " %s %s", dot, time);
    strbuf_addf(out, " %s ", dot);
}
