#include "tui/render/document.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/query/ref.h"
#include "tui/render/kind_fields.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

/* ---- uses ---- */

static int read_uses(struct reader *r, struct document_facts *f, unsigned kinds, size_t limit,
                     struct document_uses *u, struct error *e)
{
    if (limit == 0)
        return 0;
    if (document_uses(r, &f->arena, f->node, kinds, limit, &u->use, &u->count, &u->more, e))
        return -1;
    int64_t *nodes = arena_array(&f->arena, u->count + 1, sizeof(*nodes));
    for (size_t i = 0; i < u->count; i++)
        nodes[i] = u->use[i].node;
    u->row = facts_rows_read(r, &f->arena, nodes, u->count, e);
    return u->row ? 0 : -1;
}

/* The index of the chain in `chains`; appends it if it is new. */
static size_t place_of(int64_t *chains, size_t *count, int64_t chain)
{
    for (size_t i = *count; i-- > 0;) /* steps of a chain are mostly adjacent */
        if (chains[i] == chain)
            return i;
    chains[*count] = chain;
    return (*count)++;
}

/* Groups the steps by chain, in the order of their numbers. The last used chain comes first. */
static void order_by_chain(struct document_facts *f)
{
    size_t count = f->steps.count, at = 0;
    size_t *begin = arena_array(&f->arena, f->chain_count + 1, sizeof(*begin));
    f->by_chain = arena_array(&f->arena, count + 1, sizeof(*f->by_chain));
    for (size_t i = 0; i < count; i++)
        begin[f->chain_of[i]]++;
    for (size_t chain = 0; chain < f->chain_count; chain++) {
        size_t steps = begin[chain];
        begin[chain] = at;
        at += steps;
    }
    for (size_t i = count; i-- > 0;)
        f->by_chain[begin[f->chain_of[i]]++] = i;
}

static int read_chains(struct reader *r, struct document_facts *f, struct error *e)
{
    const struct document_uses *u = &f->steps;
    int64_t *chains = arena_array(&f->arena, u->count + 1, sizeof(*chains));
    f->chain_of = arena_array(&f->arena, u->count + 1, sizeof(*f->chain_of));
    for (size_t i = 0; i < u->count; i++)
        f->chain_of[i] = place_of(chains, &f->chain_count, u->use[i].chain);
    f->chain = arena_array(&f->arena, f->chain_count + 1, sizeof(*f->chain));
    order_by_chain(f);
    for (size_t i = 0; i < f->chain_count; i++) {
        if (chains[i] <= 0)
            continue;
        struct fact_row *row = facts_rows_read(r, &f->arena, &chains[i], 1, e);
        if (!row)
            return -1;
        f->chain[i] = *row;
    }
    return 0;
}

/* ---- retrievals ---- */

static int read_retrievals(struct reader *r, struct document_facts *f, size_t limit,
                           struct error *e)
{
    if (document_retrievals(r, &f->arena, f->node, limit, &f->retrieval, &f->retrieval_count,
                            &f->retrieval_more, e))
        return -1;
    size_t count = f->retrieval_count;
    int64_t *nodes = arena_array(&f->arena, count + 1, sizeof(*nodes));
    f->retrieval_type = arena_array(&f->arena, count + 1, sizeof(*f->retrieval_type));
    f->retrieval_uri = arena_array(&f->arena, count + 1, sizeof(*f->retrieval_uri));
    for (size_t i = 0; i < count; i++) {
        struct memory m;
        nodes[i] = f->retrieval[i].attribution;
        if (memory_read(r, &f->arena, nodes[i], &m, e))
            return -1;
        f->retrieval_type[i] = member_text(&m, "source_type", &f->arena);
        f->retrieval_uri[i] = member_text(&m, "source_uri", &f->arena);
    }
    f->retrieval_row = facts_rows_read(r, &f->arena, nodes, count, e);
    return f->retrieval_row ? 0 : -1;
}

/* ---- reading everything ---- */

static int read_all(struct reader *r, struct document_facts *f,
                    const size_t limit[DOCUMENT_SECTIONS], size_t counted, struct error *e)
{
    const unsigned others = KINDS_ALL & ~KIND_BIT(KIND_STEP) & ~KIND_BIT(KIND_CITATION);
    size_t most = limit[DOCUMENT_BELIEFS];
    if (memory_read(r, &f->arena, f->node, &f->memory, e) ||
        labels_of_rows(r, &f->node, 1, &f->label, e))
        return -1;
    f->short_length = ref_short_length(r, f->memory.ref);
    f->document_id = member_text(&f->memory, "document_id", &f->arena);
    f->uri = member_text(&f->memory, "uri", &f->arena);
    if (read_uses(r, f, KIND_BIT(KIND_STEP), limit[DOCUMENT_STEPS], &f->steps, e) ||
        read_uses(r, f, KIND_BIT(KIND_CITATION), limit[DOCUMENT_CITATIONS], &f->citations, e) ||
        read_uses(r, f, others, limit[DOCUMENT_OTHERS], &f->others, e) || read_chains(r, f, e) ||
        document_versions(r, &f->arena, f->node, limit[DOCUMENT_VERSIONS], &f->version,
                          &f->version_count, &f->version_more, e) ||
        read_retrievals(r, f, limit[DOCUMENT_RETRIEVALS], e) ||
        document_reach_read(r, &f->arena, f->node, most > counted ? most : counted, &f->reach, e) ||
        source_quality_read(r, &f->arena, f->node, &f->quality, e))
        return -1;
    f->belief_count = f->reach.beliefs < most ? f->reach.beliefs : most;
    f->belief = facts_rows_read(r, &f->arena, f->reach.belief, f->belief_count, e);
    return f->belief ? 0 : -1;
}

struct document_facts *document_facts_read(struct reader *r, int64_t node,
                                           const size_t limit[DOCUMENT_SECTIONS], size_t counted,
                                           struct error *e)
{
    struct document_facts *f = xcalloc(1, sizeof(*f));
    f->arena = (struct arena)ARENA_INIT;
    f->node = node;
    if (!reader_begin(r, e) && !reader_done(r, read_all(r, f, limit, counted, e)))
        return f;
    document_facts_free(f);
    return NULL;
}

void document_facts_free(void *facts)
{
    struct document_facts *f = facts;
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}

/* ---- sections, of the page and of the JSON ---- */

struct section {
    const char *key, *title;
    const char *none; /* text for an empty section; NULL to omit the section */
    const char *unit; /* what is counted in all; NULL if not known */
    size_t count;
    bool more;
    int64_t all;                /* total number; -1 if unknown */
    const struct fact_row *row; /* [rows] memories whose refs are shown */
    size_t rows;
};

static struct section section_of(const struct document_facts *f, enum document_section which)
{
    const struct document_reach *c = &f->reach;
    const struct document_uses *s = &f->steps, *q = &f->citations, *o = &f->others;
    const struct section sections[DOCUMENT_SECTIONS] = {
        {"steps", "used in chains", "no step of a chain used it", "step", s->count, s->more,
         c->steps, f->chain, f->chain_count},
        {"citations", "cited", NULL, "citation", q->count, q->more, c->citations, q->row, q->count},
        {"others", "other uses", NULL, "use", o->count, o->more, c->others, o->row, o->count},
        {"versions", "versions", "no use recorded its passage", NULL, f->version_count,
         f->version_more, -1, NULL, 0},
        {"retrievals", "retrieved", "no retrieval of it was logged", NULL, f->retrieval_count,
         f->retrieval_more, -1, f->retrieval_row, f->retrieval_count},
        {"beliefs", "beliefs based on it", "no belief is based on it", "belief", f->belief_count,
         c->bounded || c->beliefs > f->belief_count, (int64_t)c->beliefs, f->belief,
         f->belief_count},
    };
    return sections[which];
}

void document_add_count(const struct document_facts *f, const char *before, int64_t count,
                        const char *what, struct strbuf *out)
{
    bool bounded = f->reach.bounded;
    strbuf_addf(out, "%s%lld%s %s%s", before, (long long)count, bounded ? "+" : "", what,
                count == 1 && !bounded ? "" : "s");
}

void document_add_versions(const struct document_facts *f, struct strbuf *out)
{
    const char *more = f->version_more ? "+" : "";
    size_t passages = 0;
    for (size_t i = 0; i < f->version_count; i++)
        passages += i == 0 || f->version[i].passage != f->version[i - 1].passage;
    if (passages > 0)
        strbuf_addf(out, "%zu%s version%s of %zu%s passage%s", f->version_count, more,
                    f->version_count == 1 ? "" : "s", passages, more, passages == 1 ? "" : "s");
}

#define EXCERPT_LINES 3
#define PLACE_MAX     28 /* columns of chunk, page and section together */

/* The columns of a use. A negative column counts from the right edge; 0 hides it. */
struct use_columns {
    int glyph, number, ref, text;
    int score, place, place_width, age, end;
};

struct laying {
    struct page *page;
    const struct document_facts *facts;
    struct use_columns columns; /* of the section's uses */
};

/* Adds a line that opens that memory. */
static void opens(struct laying *p, int64_t node, enum document_section section)
{
    page_opens(p->page, node)->value = (int64_t)section + 1;
}

/* ---- a use ---- */

static void add_place(const struct use *use, struct strbuf *out)
{
    if (use->chunk != CHUNK_NONE)
        strbuf_addf(out, "chunk %lld", (long long)use->chunk);
    if (use->page > 0)
        strbuf_addf(out, "%spage %lld", out->len ? ", " : "", (long long)use->page);
    if (use->section && *use->section)
        strbuf_addf(out, "%s%s", out->len ? ", " : "", use->section);
    if (use->rank > 0 && out->len == 0)
        strbuf_addf(out, "rank %lld", (long long)use->rank);
}

static int place_width(struct page *s, const struct document_uses *u, int most)
{
    int width = 0;
    for (size_t i = 0; i < u->count && width < most; i++)
        for (size_t k = 0; k < u->use[i].passages && width < most; k++) {
            struct strbuf *place = page_buffer(s);
            add_place(&u->use[i].passage[k].use, place);
            width = (int)place->len > width ? (int)place->len : width;
        }
    return width < most ? width : most;
}

static struct use_columns columns_for(struct page *s, const struct document_uses *u, bool steps)
{
    int width = s->width, most = width / 4 < PLACE_MAX ? width / 4 : PLACE_MAX;
    struct use_columns c = {.glyph = steps ? 5 : 3, .number = steps ? 7 : 0, .end = -1};
    c.ref = steps ? 0 : c.glyph + 2;
    c.text = steps ? 11 : c.ref + s->options.ref_width + 2;
    if (width >= 48)
        c.end = c.age = s->options.exact_times ? -20 : -6;
    if (width >= 66) {
        c.place_width = place_width(s, u, most);
        c.place = c.place_width ? c.end - c.place_width - 1 : 0;
        c.end = c.place ? c.place : c.end;
    }
    if (width >= 36)
        c.end = c.score = c.end - SCORE_WIDTH - (steps ? 2 : 3);
    return c;
}

static int text_room(const struct laying *p)
{
    int room = p->page->width + p->columns.end - p->columns.text - 1;
    return room > 1 ? room : 1;
}

/* The status is shown before the text. */
static void put_columns(struct laying *p, const struct document_use *u, const struct fact_row *row)
{
    struct page *s = p->page;
    const struct use_columns *c = &p->columns;
    const char *text = u->text ? u->text : "";
    bool active = u->status == STATUS_ACTIVE;
    facts_put_label(s, c->glyph, row->label.label);
    if (c->number && u->step_number > 0)
        page_put_right(s, c->number, 3, STYLE_NUMBER,
                       page_printf(s, "%lld", (long long)u->step_number));
    if (c->ref)
        facts_put_ref(s, c->ref, c->text - c->ref - 1, row);
    if (active)
        page_put(s, c->text, text_room(p), u->passage->guessed ? STYLE_GUESSED : STYLE_TEXT, text);
    else
        page_format(s, c->text, text_room(p), STYLE_DIM, "%s %s %s", status_word(u->status),
                    glyph_of(GLYPH_DOT, s->options.ascii), text);
}

static void put_called(struct laying *p, const struct use *use)
{
    const struct memory *m = &p->facts->memory;
    struct strbuf *text = page_buffer(p->page);
    if (use->title && *use->title && (!m->text || strcmp(use->title, m->text) != 0))
        strbuf_addf(text, "titled \"%s\" there", use->title);
    if (use->label && *use->label)
        strbuf_addf(text, "%sas %s", text->len ? ", " : "", use->label);
    if (text->len > 0)
        page_note(p->page, p->columns.text, "%s", text->buf);
}

/* Marks the last line as cut. */
static void put_cut(struct page *s, int column)
{
    const struct page_line *line = s->count ? &s->line[s->count - 1] : NULL;
    if (!line || line->span_count == 0)
        return;
    const char *text = line->span[line->span_count - 1].text;
    column += (int)text_width(text, strlen(text), (size_t)s->width, 0);
    page_put(s, column, 1, STYLE_DIM, glyph_of(GLYPH_ELLIPSIS, s->options.ascii));
}

/* The excerpt and, in the same line, warnings about it. */
static void put_excerpt(struct laying *p, const struct document_use *u,
                        const struct document_passage *passage)
{
    struct page *s = p->page;
    const char *excerpt = passage->use.excerpt;
    const char *warning = passage->changed   ? "changed since"
                          : passage->guessed ? "a guessed link"
                                             : NULL;
    int column = p->columns.text, room = s->width - column - (warning ? 17 : 1);
    size_t begin = s->count;
    if (excerpt && *excerpt && (!u->text || strcmp(excerpt, u->text) != 0)) {
        const char *quoted = page_printf(s, "\"%s\"", excerpt);
        size_t most = s->options.text_lines ? (size_t)s->options.text_lines : EXCERPT_LINES;
        if (page_wrap(s, column, room, STYLE_DIM, quoted, most, false) < strlen(quoted))
            put_cut(s, column);
    } else if (warning) {
        page_line(s);
    }
    if (warning && s->count > begin) {
        struct span span = {.text = warning,
                            .column = -15,
                            .width = 14,
                            .style = passage->changed ? STYLE_CHIP : STYLE_GUESSED,
                            .right = true};
        page_put_at(s, begin, &span);
    }
}

/* Further passages that the same memory used are listed below it, each with its own details. */
static void put_use(struct laying *p, enum document_section section, const struct document_uses *u,
                    size_t i)
{
    struct page *s = p->page;
    const struct use_columns *c = &p->columns;
    for (size_t k = 0; k < u->use[i].passages; k++) {
        const struct document_passage *passage = &u->use[i].passage[k];
        if (k == 0) {
            opens(p, u->use[i].node, section);
            put_columns(p, &u->use[i], &u->row[i]);
        } else {
            page_line(s);
            page_put(s, c->text, text_room(p), STYLE_DIM, "and a different passage");
        }
        double relevance = passage->use.relevance;
        if (c->score && section == DOCUMENT_STEPS)
            page_score(s, c->score, relevance, passage->use.score);
        else if (c->score && relevance == relevance)
            page_put_right(s, c->score, SCORE_WIDTH + 1, score_style(relevance, passage->use.score),
                           page_printf(s, "%c%.2f", score_sign(passage->use.score), relevance));
        struct strbuf *place = page_buffer(s);
        add_place(&passage->use, place);
        if (c->place)
            page_put(s, c->place, c->place_width, STYLE_SOURCE, place->buf);
        if (k == 0 && c->age)
            page_put_right(s, c->age, -c->age - 1, STYLE_AGE, facts_age(s, u->use[i].created_at));
        put_excerpt(p, &u->use[i], passage);
        put_called(p, &passage->use);
    }
}

static void put_chain(struct laying *p, const struct fact_row *chain)
{
    struct page *s = p->page;
    int end = s->width < 48 ? 0 : s->options.exact_times ? 20 : 6;
    int at = 3 + s->options.ref_width + 2, room = s->width - end - at - 1;
    if (chain->row.node == 0) {
        page_note(s, 3, "not part of a chain");
        return;
    }
    opens(p, chain->row.node, DOCUMENT_STEPS);
    facts_put_ref(s, 3, s->options.ref_width, chain);
    page_put(s, at, room > 1 ? room : 1, STYLE_TEXT, chain->row.text ? chain->row.text : "");
    if (end && chain->row.created_at)
        page_put_right(s, -end, end - 1, STYLE_AGE, facts_age(s, chain->row.created_at));
}

/* Steps are grouped by chain. */
static void put_step(struct laying *p, size_t i)
{
    const struct document_facts *f = p->facts;
    size_t use = f->by_chain[i];
    if (i == 0 || f->chain_of[use] != f->chain_of[f->by_chain[i - 1]])
        put_chain(p, &f->chain[f->chain_of[use]]);
    put_use(p, DOCUMENT_STEPS, &f->steps, use);
}

/* ---- beliefs, versions, retrievals ---- */

static void put_belief(struct laying *p, size_t i)
{
    const struct fact_row *row = &p->facts->belief[i];
    opens(p, row->row.node, DOCUMENT_BELIEFS);
    facts_put_row(p->page, row, facts_support(p->page, &row->label), false, 3);
}

static void put_version(struct laying *p, size_t i)
{
    struct page *s = p->page;
    const struct document_version *v = &p->facts->version[i];
    int width = s->width, when = s->options.exact_times ? 19 : 5;
    opens(p, v->last, DOCUMENT_VERSIONS);
    if (v->chunk != CHUNK_NONE)
        page_format(s, 3, 11, STYLE_TEXT, "chunk %lld", (long long)v->chunk);
    else
        page_put(s, 3, 11, STYLE_TEXT, "whole");
    page_format(s, 15, 12, STYLE_REF, "%.12s", v->hash);
    page_put(s, 29, 8, v->latest ? STYLE_TEXT : STYLE_CHIP, v->latest ? "current" : "earlier");
    if (width >= 52)
        page_format(s, 38, 11, STYLE_NUMBER, "%zu use%s", v->uses, v->uses == 1 ? "" : "s");
    if (width >= 60)
        page_put_right(s, -when - 1, when, STYLE_AGE, facts_age(s, v->last_at));
    if (width >= 66 + when) {
        page_put_right(s, -2 * when - 8, when, STYLE_AGE, facts_age(s, v->first_at));
        page_put(s, -when - 6, 4, STYLE_DIM, "last");
        page_put(s, -2 * when - 14, 5, STYLE_DIM, "first");
    }
}

static void put_retrieval(struct laying *p, size_t i)
{
    struct page *s = p->page;
    const struct document_facts *f = p->facts;
    const struct fact_row *row = &f->retrieval_row[i];
    const char *uri = f->retrieval_uri[i] ? f->retrieval_uri[i] : row->row.text;
    enum retrieval_match match = f->retrieval[i].match;
    char when[32];
    int width = s->width, age = s->options.exact_times ? 19 : 7, end = -1;
    int at = 5 + s->options.ref_width + 2;
    opens(p, f->retrieval[i].attribution, DOCUMENT_RETRIEVALS);
    facts_put_label(s, 3, row->label.label);
    facts_put_ref(s, 5, s->options.ref_width, row);
    bool suspect = facts_when_retrieved(when, sizeof(when), f->retrieval[i].at, &s->options);
    if (width >= 48) {
        end = -age - 1;
        page_put_right(s, end, age, suspect ? STYLE_UNSUPPORTED : STYLE_AGE, when);
    }
    if (width >= 66) {
        end -= 11;
        page_put(s, end, 9, match == MATCH_RECORDED ? STYLE_TEXT : STYLE_GUESSED,
                 match == MATCH_URI    ? "by URI"
                 : match == MATCH_HASH ? "by hash"
                                       : retrieval_match_name(match));
    }
    if (width >= 78) {
        page_put(s, at, 14, STYLE_SOURCE, f->retrieval_type[i]);
        at += 16;
    }
    if (width + end - at > 2 && row->row.status == STATUS_ACTIVE)
        page_put(s, at, width + end - at - 1, STYLE_TEXT, uri);
    else if (width + end - at > 2)
        page_format(s, at, width + end - at - 1, STYLE_DIM, "[%s] %s", status_word(row->row.status),
                    uri);
}

/* ---- the page ---- */

static void put_head(struct page *s, const struct document_facts *f)
{
    const struct memory *m = &f->memory;
    struct facts state = {.memory = *m, .label = f->label};
    page_line(s);
    if (m->text && *m->text)
        facts_put_text(s, m->text, 12);
    else
        page_note(s, 1, "%s",
                  m->status == STATUS_MISSING ? "named by others, but not written here yet"
                                              : "no title");
    page_line(s);
    page_fact(s, "document", f->document_id ? f->document_id : m->ref.id);
    facts_put_state(s, &state);
    page_fact(s, "uri", f->uri);
    struct strbuf *quality = page_buffer(s);
    source_quality_add(quality, &f->quality);
    page_fact(s, "quality", page_printf(s, "%s", quality->buf));
    facts_put_agent(s, m);
    facts_put_time(s, "created", m->created_at);
}

/* The count at the right of a section's title. */
static const char *how_many(struct laying *p, enum document_section which,
                            const struct section *section)
{
    const struct document_facts *f = p->facts;
    struct strbuf *out = page_buffer(p->page);
    if (section->unit && (section->all > 0 || !section->none))
        document_add_count(f, "", section->all, section->unit, out);
    if (which == DOCUMENT_STEPS && section->all > 0) {
        strbuf_addf(out, " %s ", glyph_of(GLYPH_DOT, p->page->options.ascii));
        document_add_count(f, "", f->reach.chains, "chain", out);
    } else if (which == DOCUMENT_VERSIONS) {
        document_add_versions(f, out);
    } else if (which == DOCUMENT_RETRIEVALS && section->count > 0) {
        strbuf_addf(out, "%zu%s", section->count, f->retrieval_more ? "+" : "");
    }
    return out->buf;
}

static void put_section(struct laying *p, enum document_section which)
{
    /* NULL for a section whose rows are uses: put_use */
    static void (*const put[DOCUMENT_SECTIONS])(struct laying *, size_t) = {
        [DOCUMENT_STEPS] = put_step,
        [DOCUMENT_VERSIONS] = put_version,
        [DOCUMENT_RETRIEVALS] = put_retrieval,
        [DOCUMENT_BELIEFS] = put_belief,
    };
    const struct document_uses *uses[DOCUMENT_SECTIONS] = {&p->facts->steps, &p->facts->citations,
                                                           &p->facts->others};
    struct page *s = p->page;
    struct section section = section_of(p->facts, which);
    const char *how = s->options.command ? "--limit sets how many are shown" : "Enter shows more";
    int third = s->width / 3 > 12 ? s->width / 3 : 12;
    if (section.count == 0 && !section.none)
        return;
    page_section(s, section.title, how_many(p, which, &section));
    if (section.count == 0)
        page_note(s, 3, "%s", section.none);
    s->options.ref_width = facts_ref_width(section.row, section.rows, 12);
    s->options.ref_width = s->options.ref_width < third ? s->options.ref_width : third;
    if (uses[which])
        p->columns = columns_for(s, uses[which], which == DOCUMENT_STEPS);
    for (size_t i = 0; i < section.count; i++) {
        if (put[which])
            put[which](p, i);
        else
            put_use(p, which, uses[which], i);
    }
    if (!section.more)
        return;
    opens(p, 0, which);
    s->line[s->count - 1].opens = true;
    if (section.all < 0 || p->facts->reach.bounded)
        page_format(s, 3, 0, STYLE_DIM, "there are more; %s", how);
    else
        page_format(s, 3, 0, STYLE_DIM, "%lld more; %s",
                    (long long)section.all - (long long)section.count, how);
}

void document_page(struct page *s, const struct document_facts *f,
                   const struct page_options *options)
{
    static const enum document_section order[] = {DOCUMENT_STEPS,    DOCUMENT_CITATIONS,
                                                  DOCUMENT_OTHERS,   DOCUMENT_BELIEFS,
                                                  DOCUMENT_VERSIONS, DOCUMENT_RETRIEVALS};
    struct laying p = {.page = s, .facts = f};
    page_begin(s, options);
    put_head(s, f);
    for (size_t i = 0; i < DOCUMENT_SECTIONS; i++)
        put_section(&p, order[i]);
}

/* ---- JSON ---- */

/* Adds nothing for -1. */
static void add_number(struct json_object *o, const char *key, int64_t value)
{
    if (value >= 0)
        json_pair_int(o, key, value);
}

/* Adds what is known about one passage. */
static void write_passage(struct json_object *o, const struct document_passage *p, bool excerpts)
{
    const struct use *use = &p->use;
    if (use->relevance == use->relevance)
        json_pair_double(o, "relevance", use->relevance);
    if (use->score != SCORE_NONE)
        json_pair(o, "score", score_name(use->score));
    add_number(o, "rank", use->rank);
    if (use->chunk != CHUNK_NONE)
        json_pair_int(o, "chunk", use->chunk);
    add_number(o, "page", use->page);
    json_pair_if(o, "section", use->section);
    json_pair_if(o, "title", use->title);
    json_pair_if(o, "label", use->label);
    json_pair_if(o, "excerpt", excerpts ? use->excerpt : NULL);
    json_pair_if(o, "version_hash", use->version_hash);
    json_pair_bool(o, "changed_since", p->changed);
    json_pair_bool(o, "recorded", !p->guessed);
}

static void write_use(struct json_object *o, const struct document_facts *f,
                      const struct document_uses *uses, size_t i, bool excerpts)
{
    const struct document_use *u = &uses->use[i];
    memory_json_pair_ref(o, "ref", u->ref);
    if (uses == &f->steps && u->chain)
        memory_json_pair_ref(o, "chain", f->chain[f->chain_of[i]].row.ref);
    if (u->step_number > 0)
        json_pair_int(o, "step_number", u->step_number);
    json_pair(o, "text", u->text);
    write_passage(o, u->passage, excerpts);
    if (u->passages > 1) {
        struct json_object list = json_open(o, "further", '[');
        for (size_t k = 1; k < u->passages; k++) {
            struct json_object passage = json_item_open(&list, '{');
            write_passage(&passage, &u->passage[k], excerpts);
            json_end(&passage);
        }
        json_end(&list);
    }
    json_pair(o, "status", status_name(u->status));
    json_pair_int(o, "at", u->created_at);
}

static void write_counts(struct json_object *o, const struct document_reach *c)
{
    struct json_object counts = json_open(o, "counts", '{');
    json_pair_int(&counts, "steps", c->steps);
    json_pair_int(&counts, "chains", c->chains);
    json_pair_int(&counts, "citations", c->citations);
    json_pair_int(&counts, "others", c->others);
    json_pair_int(&counts, "beliefs", (int64_t)c->beliefs);
    json_pair_bool(&counts, "bounded", c->bounded);
    json_end(&counts);
}

/* A belief is written as its ref, any other row as an object. */
static void write_row(struct json_object *list, const struct document_facts *f,
                      enum document_section section, size_t i, bool excerpts)
{
    if (section == DOCUMENT_BELIEFS) {
        json_item(list);
        memory_json_add_ref(list->out, f->belief[i].row.ref);
        return;
    }
    struct json_object o = json_item_open(list, '{');
    if (section == DOCUMENT_VERSIONS) {
        const struct document_version *v = &f->version[i];
        if (v->chunk != CHUNK_NONE)
            json_pair_int(&o, "chunk", v->chunk);
        json_pair(&o, "version_hash", v->hash);
        json_pair_int(&o, "uses", (int64_t)v->uses);
        json_pair_int(&o, "first_at", v->first_at);
        json_pair_int(&o, "last_at", v->last_at);
        json_pair_bool(&o, "latest", v->latest);
    } else if (section == DOCUMENT_RETRIEVALS) {
        memory_json_pair_ref(&o, "ref", f->retrieval_row[i].row.ref);
        json_pair_int(&o, "retrieval_timestamp", f->retrieval[i].at);
        json_pair_if(&o, "source_type", f->retrieval_type[i]);
        json_pair_if(&o, "source_uri", f->retrieval_uri[i]);
        json_pair_bool(&o, "recorded", f->retrieval[i].match == MATCH_RECORDED);
        json_pair(&o, "match", retrieval_match_name(f->retrieval[i].match));
        json_pair(&o, "status", status_name(f->retrieval_row[i].row.status));
    } else {
        write_use(&o, f,
                  section == DOCUMENT_STEPS       ? &f->steps
                  : section == DOCUMENT_CITATIONS ? &f->citations
                                                  : &f->others,
                  i, excerpts);
    }
    json_end(&o);
}

void document_write(struct strbuf *out, const struct document_facts *f, bool excerpts)
{
    struct json_object o = json_begin(out, '{'), list;
    memory_json_pair_ref(&o, "ref", f->memory.ref);
    json_pair_if(&o, "document_id", f->document_id);
    json_pair(&o, "title", f->memory.text);
    json_pair(&o, "uri", f->uri);
    json_pair(&o, "status", status_name(f->memory.status));
    json_pair(&o, "label", label_name(f->label.label));
    write_counts(&o, &f->reach);
    source_quality_write(&o, &f->quality);
    for (enum document_section s = 0; s < DOCUMENT_SECTIONS; s++) {
        struct section section = section_of(f, s);
        list = json_open(&o, section.key, '[');
        for (size_t i = 0; i < section.count; i++)
            write_row(&list, f, s, i, excerpts);
        json_end(&list);
    }
    list = json_open(&o, "more", '[');
    for (enum document_section s = 0; s < DOCUMENT_SECTIONS; s++) {
        struct section section = section_of(f, s);
        if (!section.more)
            continue;
        json_item(&list);
        json_add_string(out, section.key);
    }
    json_end(&list);
    json_end(&o);
}
