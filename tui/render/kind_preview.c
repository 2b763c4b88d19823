#include "tui/render/kind_preview.h"

#include <math.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/query/list.h"
#include "store/reasoning/cite.h"
#include "store/lineage/effective.h"
#include "store/reasoning/document.h"
#include "store/record/get.h"
#include "tui/render/chain_page.h"
#include "tui/render/kind_fields.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

#define USES_MAX 1000 /* uses of a document that a row counts at most */

#define COUNTED 1000 /* links that a preview of a document counts at most */

/* ---- reading ---- */

static int read_kind(struct reader *r, const struct memory *m, struct kind_preview *b,
                     struct error *e)
{
    static const size_t limits[DOCUMENT_SECTIONS] = {
        [DOCUMENT_STEPS] = 6,    [DOCUMENT_CITATIONS] = 3,  [DOCUMENT_OTHERS] = 2,
        [DOCUMENT_VERSIONS] = 8, [DOCUMENT_RETRIEVALS] = 3, [DOCUMENT_BELIEFS] = 0,
    };
    struct retrieval_checked checked;
    switch (m->ref.kind) {
    case KIND_CHAIN:
    case KIND_STEP:
        if (chain_read(r, &b->arena, m->node, &b->chain, e))
            return -1;
        for (size_t i = 0; i < b->chain.step_count; i++)
            if (b->chain.step[i].node == m->node)
                b->step = &b->chain.step[i];
        return m->ref.kind == KIND_CHAIN || b->step ? 0 : -1;
    case KIND_DOCUMENT:
        b->document = document_facts_read(r, m->node, limits, COUNTED, e);
        return b->document ? 0 : -1;
    case KIND_CITATION:
        b->conversation = member_text(m, "conversation_id", &b->arena);
        b->message = member_text(m, "message_id", &b->arena);
        citation_from_memory(m, &b->arena, &b->citation);
        return 0;
    case KIND_ATTRIBUTION:
        b->type = member_text(m, "source_type", &b->arena);
        b->uri = member_text(m, "source_uri", &b->arena);
        b->retrieved_at = member_int(m, "retrieval_timestamp", m->created_at);
        if (retrieval_compare(r, &b->arena, m->node, NULL, &checked, e))
            return -1;
        b->check = checked.result;
        return 0;
    default:
        return -1;
    }
}

struct kind_preview *kind_preview_read(struct reader *r, const struct memory *m)
{
    struct error e;
    if (m->status == STATUS_MISSING || m->status == STATUS_PURGED)
        return NULL;
    struct kind_preview *b = xcalloc(1, sizeof(*b));
    b->kind = m->ref.kind;
    if (!read_kind(r, m, b, &e))
        return b;
    kind_preview_free(b);
    return NULL;
}

void kind_preview_free(struct kind_preview *b)
{
    if (!b)
        return;
    document_facts_free(b->document);
    arena_release(&b->arena);
    free(b);
}

#define STEPS_MAX    40
#define SOURCES_MOST 8
#define USED         (PAGE_FIELD + SCORE_WIDTH + 2) /* column of the text of a source */

struct laying {
    struct page *page;
    const struct kind_preview *preview;
    const struct facts *facts;
};

/* ---- lines ---- */

/* Adds a field's name and its text, wrapped to at most `lines` lines. */
static void put_text(struct laying *l, const char *name, const char *text, size_t lines)
{
    page_field(l->page, name, STYLE_TEXT, text, lines);
}

/* Adds a row. The first row of a section has the section's name. */
static void put_row(struct laying *l, const char *name, size_t i)
{
    page_line(l->page);
    if (i == 0)
        page_put(l->page, 1, PAGE_FIELD - 2, STYLE_FIELD, name);
}

/* A source with its relevance in front. `changed`: the passage has changed since. */
static void put_used(struct laying *l, double relevance, enum score origin, const char *text,
                     bool changed)
{
    struct page *s = l->page;
    page_score(s, PAGE_FIELD, relevance, origin);
    page_put(s, USED, s->width - USED - (changed ? 16 : 1), STYLE_TEXT, text ? text : "");
    if (changed)
        page_put_right(s, -15, 14, STYLE_CHIP, "changed since");
}

static void put_more(struct laying *l, size_t left)
{
    if (left > 0)
        page_note(l->page, PAGE_FIELD, "%s more", GROUPED(left));
}

/* ---- a chain ---- */

static void put_steps(struct laying *l, const struct chain *c)
{
    struct page *s = l->page;
    int end = s->width - 16;
    for (size_t i = 0; i < c->step_count && i < STEPS_MAX; i++) {
        put_row(l, "steps", i);
        const struct chain_step *step = &c->step[i];
        char time[24];
        seconds_text(time, step->execution_time);
        page_format(s, PAGE_FIELD, 3, STYLE_NUMBER, "%2lld", (long long)step->number);
        if (end > PAGE_FIELD + 4)
            page_put(s, PAGE_FIELD + 3, end - PAGE_FIELD - 3,
                     label_stands(step->label) ? STYLE_TEXT : STYLE_DIM, step->question);
        if (step->effective == step->effective)
            page_put_right(s, -13, 4, STYLE_NUMBER, page_printf(s, "%.2f", step->effective));
        page_put_right(s, -8, 7, STYLE_AGE, time);
    }
    put_more(l, c->step_count > STEPS_MAX ? c->step_count - STEPS_MAX : 0);
}

static void put_chain(struct laying *l)
{
    const struct chain *c = &l->preview->chain;
    size_t shown = c->document_count < SOURCES_MOST ? c->document_count : SOURCES_MOST;
    put_text(l, "answer", c->answer, 6);
    put_text(l, "strategy", c->strategy, 1);
    for (size_t i = 0; i < shown; i++) {
        const struct chain_document *d = &c->document[i];
        put_row(l, "sources", i);
        put_used(l, d->best, d->origin, d->title ? d->title : d->id, d->changed);
    }
    put_more(l, c->document_count - shown);
    put_steps(l, c);
}

/* ---- a step ---- */

static void put_step(struct laying *l)
{
    const struct chain_step *step = l->preview->step;
    const struct chain *chain = &l->preview->chain;
    size_t shown = step->source_count < SOURCES_MOST ? step->source_count : SOURCES_MOST;
    put_text(l, "answer", step->answer, 4);
    put_text(l, "trace", step->trace, 3);
    put_text(l, "step",
             page_printf(l->page, "%lld of %zu  %s", (long long)step->number, chain->step_count,
                         chain->question),
             1);
    for (size_t i = 0; i < shown; i++) {
        const struct source *s = &step->source[i].source;
        const struct chain_document *d = &chain->document[step->source[i].column];
        const char *title = s->title ? s->title : d->title;
        put_row(l, "sources", i);
        put_used(l, s->relevance, s->origin, title ? title : s->document_id,
                 step->source[i].changed);
        if (s->excerpt && *s->excerpt)
            page_wrap(l->page, USED, l->page->width - USED - 1, STYLE_DIM, s->excerpt, 2, false);
    }
    put_more(l, step->source_count - shown);
}

/* ---- a document ---- */

static void put_uses(struct laying *l, const char *name, const struct document_uses *u)
{
    for (size_t i = 0; i < u->count; i++)
        for (size_t k = 0; k < u->use[i].passages; k++) {
            const struct document_passage *p = &u->use[i].passage[k];
            put_row(l, name, i + k);
            put_used(l, p->use.relevance, p->use.score,
                     k ? "and a different passage" : u->use[i].text, p->changed);
        }
}

static void put_document(struct laying *l)
{
    const struct document_facts *d = l->preview->document;
    struct strbuf *text = page_buffer(l->page);
    const char *dot = page_printf(l->page, " %s ", glyph_of(GLYPH_DOT, l->page->options.ascii));
    document_add_count(d, "", d->reach.steps, "step", text);
    if (d->reach.chains > 0)
        document_add_count(d, " of ", d->reach.chains, "chain", text);
    document_add_count(d, dot, d->reach.citations, "citation", text);
    if (d->reach.others > 0)
        document_add_count(d, dot, d->reach.others, "other", text);
    put_text(l, "uses", text->buf, 2);
    put_uses(l, "steps", &d->steps);
    put_uses(l, "citations", &d->citations);
    put_uses(l, "others", &d->others);
    text = page_buffer(l->page);
    document_add_versions(d, text);
    put_text(l, "versions", text->buf, 1);
    put_text(l, "uri", d->uri, 2);
}

/* ---- a citation ---- */

static void put_citation(struct laying *l)
{
    const struct kind_preview *b = l->preview;
    const struct fact_group *cited = l->facts->group;
    struct page *s = l->page;
    struct strbuf *text = page_buffer(s);
    citation_format(text, b->citation.name, b->citation.page, b->citation.section);
    put_text(l, "cites", text->buf, 2);
    if (b->citation.relevance == b->citation.relevance) {
        put_text(l, "score",
                 page_printf(s, "%.2f %s", b->citation.relevance, score_word(b->citation.origin)),
                 1);
    }
    if (l->facts->memory.justification_count > 0 && cited->shown > 0) {
        put_row(l, "document", 0);
        s->options.ref_width = facts_ref_width(cited->row, 1, 12);
        facts_put_row(s, &cited->row[0], "", false, PAGE_FIELD);
    }
    if (b->conversation)
        put_text(l, "response",
                 page_printf(s, "%s%s%s", b->conversation, b->message ? ", message " : "",
                             b->message ? b->message : ""),
                 1);
}

/* ---- an attribution ---- */

static void put_attribution(struct laying *l)
{
    static const char *const checked[] = {
        [HASH_EQUAL] = "the stored content has that hash",
        [HASH_DIFFERS] = "the stored content does not have that hash",
        [HASH_ABSENT] = "no hash was recorded",
        [HASH_NOTHING] = "no content to compare with",
    };
    const struct kind_preview *b = l->preview;
    struct strbuf *when = page_buffer(l->page);
    put_text(l, "type", b->type, 1);
    put_text(l, "uri", b->uri, 3);
    facts_add_retrieved(when, b->retrieved_at, &l->page->options);
    put_text(l, "retrieved", when->buf, 2);
    put_text(l, "content", checked[b->check], 2);
}

/* ---- everything ---- */

void kind_preview_page(struct page *s, const struct facts *f, const struct kind_preview *b,
                       const struct page_options *options)
{
    static void (*const puts[KIND_COUNT])(struct laying *) = {
        [KIND_CHAIN] = put_chain,
        [KIND_STEP] = put_step,
        [KIND_DOCUMENT] = put_document,
        [KIND_CITATION] = put_citation,
        [KIND_ATTRIBUTION] = put_attribution,
    };
    facts_preview_begin(s, f, options);
    facts_put_contradictions(s, f);
    puts[b->kind](&(struct laying){s, b, f});
    facts_put_users(s, f);
    if (b->kind == KIND_CHAIN)
        chain_put_waterfall(s, &b->chain); /* a section of its own, so the last */
}

void kind_preview_state(const struct kind_preview *b, bool ascii, struct strbuf *out)
{
    const char *dot = glyph_of(GLYPH_DOT, ascii);
    char time[24];
    if (b->kind != KIND_CHAIN)
        return;
    strbuf_addstr(out, chain_state_name(b->chain.state));
    if (b->chain.effective == b->chain.effective)
        strbuf_addf(out, " %s %.2f", dot, b->chain.effective);
    seconds_text(time, b->chain.total_time);
    if (*time)
        strbuf_addf(out, " %s %s", dot, time);
    strbuf_addf(out, " %s ", dot);
}

static void keep(char *out, size_t size, const char *text)
{
    size_t len = text ? utf8_fit(text, strlen(text), size - 1) : 0;
    if (len > 0)
        memcpy(out, text, len);
    out[len] = '\0';
}

/* The document's title in this store, if the citation has none. */
static const char *title_of(struct reader *r, struct arena *arena, const struct memory *m)
{
    struct memory_row row;
    struct error e;
    if (m->justification_count == 0 || m->justifications[0].count == 0)
        return NULL;
    const struct antecedent *a = &m->justifications[0].antecedents[0];
    if (memory_row_read(r, arena, a->node, &row, &e) || !row.text || !*row.text)
        return a->ref.id;
    return row.text;
}

static int read_citation(struct reader *r, struct arena *arena, const struct memory *m,
                         struct kind_detail *out, const char **text, struct error *e)
{
    struct citation c;
    struct cited_standing standing;
    AUTO_STRBUF place = STRBUF_INIT;
    if (cited_standing_read(r, m, &standing, e))
        return -1;
    citation_from_memory(m, arena, &c);
    const char *title = c.unnamed ? title_of(r, arena, m) : NULL;
    *text = title ? title : c.name;
    if (standing.retrieval !=
        STATUS_ACTIVE) /* in front, where a narrow column does not cut it off */
        strbuf_addf(&place, "retrieval %s", status_word(standing.retrieval));
    if (c.page > 0)
        strbuf_addf(&place, "%spage %lld", place.len ? ", " : "", (long long)c.page);
    if (c.section && *c.section)
        strbuf_addf(&place, "%s%s", place.len ? ", " : "", c.section);
    keep(out->place, sizeof(out->place), place.buf);
    out->citation.relevance = c.relevance;
    out->citation.origin = c.origin;
    return 0;
}

static void read_step(const struct memory *m, struct kind_detail *out)
{
    int64_t number = member_int(m, "step_number", 0);
    out->step.number = number > 0 ? number : 0;
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_SOURCE)
            out->step.sources += m->justifications[i].count;
}

int kind_detail_read(struct reader *r, struct arena *arena, const struct memory *m,
                     struct kind_detail *out, struct error *e)
{
    struct chain_summary chain;
    struct document_summary document;
    AUTO_STRBUF value = STRBUF_INIT;
    const char *text = NULL;
    *out = (struct kind_detail){0};
    switch (m->ref.kind) {
    case KIND_CHAIN:
        if (chain_summary_read(r, arena, m->node, &chain, e))
            return -1;
        out->chain.state = chain.state;
        out->chain.steps = chain.steps;
        out->chain.sources = chain.sources;
        out->chain.confidence = chain.confidence;
        out->chain.time = chain.total_time;
        text = chain.answer;
        break;
    case KIND_STEP:
        read_step(m, out);
        if ((out->step.chain = chain_of_step(r, m->node, e)) < 0)
            return -1;
        text = member_text(m, "intermediate_answer", arena);
        break;
    case KIND_DOCUMENT:
        if (document_summary_read(r, m->node, USES_MAX, &document, e))
            return -1;
        out->document.uses = document.uses;
        out->document.bounded = document.more;
        out->document.changed = document.changed;
        break;
    case KIND_CITATION:
        if (read_citation(r, arena, m, out, &text, e))
            return -1;
        break;
    case KIND_ATTRIBUTION:
        out->attribution.at = member_int(m, "retrieval_timestamp", m->created_at);
        text = member_text(m, "source_uri", arena);
        break;
    case KIND_ENTRY:
        out->entry.expires_at = member_int(m, "expires_at", 0);
        if (member_of(m, "value").ptr)
            json_tidy(&value, member_of(m, "value").ptr, member_of(m, "value").len);
        text = value.buf;
        break;
    default:
        return 0;
    }
    keep(out->text, sizeof(out->text), text);
    out->known = true;
    return 0;
}

double kind_confidence(const struct kind_detail *d, enum kind kind, const struct row_label *label)
{
    bool chain = d->known && kind == KIND_CHAIN && label_stands(label->label);
    return chain ? chain_effective(d->chain.confidence, d->chain.state, label)
                 : effective_shown(label);
}
