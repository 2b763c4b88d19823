#include "tui/render/document.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/query/ref.h"
#include "tui/render/kind_fields.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

/* ---- uses ---- */

static int read_uses(struct reader *r, struct arena *arena, int64_t node, unsigned kinds,
                     size_t limit, struct document_uses *u, struct error *e)
{
    if (limit == 0)
        return 0;
    if (document_uses(r, arena, node, kinds, limit, &u->use, &u->count, &u->more, e))
        return -1;
    int64_t *nodes = arena_array(arena, u->count + 1, sizeof(*nodes));
    for (size_t i = 0; i < u->count; i++)
        nodes[i] = u->use[i].node;
    u->row = facts_rows_read(r, arena, nodes, u->count, e);
    return u->row ? 0 : -1;
}

/* Where the chain stands among `chains`, at their end where it is new. */
static size_t place_of(int64_t *chains, size_t *count, int64_t chain)
{
    for (size_t i = *count; i-- > 0;) /* steps of a chain mostly stand together */
        if (chains[i] == chain)
            return i;
    chains[*count] = chain;
    return (*count)++;
}

/* Those of a chain one after the other, in the order in which they were thought: the last used comes first. */
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

/* ---- retrievals: reading ---- */

static int read_retrieval(struct reader *r, struct document_facts *f, size_t i, struct error *e)
{
    struct memory m;
    if (memory_read(r, &f->arena, f->retrieval[i].attribution, &m, e))
        return -1;
    f->retrieval_at[i] = member_int(&m, "retrieval_timestamp", m.created_at);
    f->retrieval_type[i] = member_text(&m, "source_type", &f->arena);
    f->retrieval_uri[i] = member_text(&m, "source_uri", &f->arena);
    return 0;
}

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
    f->retrieval_at = arena_array(&f->arena, count + 1, sizeof(*f->retrieval_at));
    for (size_t i = 0; i < count; i++) {
        nodes[i] = f->retrieval[i].attribution;
        if (read_retrieval(r, f, i, e))
            return -1;
    }
    f->retrieval_row = facts_rows_read(r, &f->arena, nodes, count, e);
    return f->retrieval_row ? 0 : -1;
}

/* ---- all of it ---- */

static int read_reach(struct reader *r, struct document_facts *f, size_t limit, size_t counted,
                      struct error *e)
{
    counted = limit > counted ? limit : counted;
    if (document_reach_read(r, &f->arena, f->node, counted, &f->reach, e))
        return -1;
    f->belief_count = f->reach.beliefs < limit ? f->reach.beliefs : limit;
    f->belief = facts_rows_read(r, &f->arena, f->reach.belief, f->belief_count, e);
    return f->belief ? 0 : -1;
}

static int read_all(struct reader *r, struct document_facts *f,
                    const size_t limit[DOCUMENT_SECTIONS], size_t counted, struct error *e)
{
    const unsigned others = KINDS_ALL & ~KIND_BIT(KIND_STEP) & ~KIND_BIT(KIND_CITATION);
    if (memory_read(r, &f->arena, f->node, &f->memory, e) ||
        labels_of_rows(r, &f->node, 1, &f->label, e))
        return -1;
    f->short_length = ref_short_length(r, f->memory.ref);
    f->document_id = member_text(&f->memory, "document_id", &f->arena);
    f->uri = member_text(&f->memory, "uri", &f->arena);
    return read_uses(r, &f->arena, f->node, KIND_BIT(KIND_STEP), limit[DOCUMENT_STEPS], &f->steps,
                     e) ||
           read_uses(r, &f->arena, f->node, KIND_BIT(KIND_CITATION), limit[DOCUMENT_CITATIONS],
                     &f->citations, e) ||
           read_uses(r, &f->arena, f->node, others, limit[DOCUMENT_OTHERS], &f->others, e) ||
           read_chains(r, f, e) ||
           document_versions(r, &f->arena, f->node, limit[DOCUMENT_VERSIONS], &f->version,
                             &f->version_count, &f->version_more, e) ||
           read_retrievals(r, f, limit[DOCUMENT_RETRIEVALS], e) ||
           read_reach(r, f, limit[DOCUMENT_BELIEFS], counted, e);
}

struct document_facts *document_facts_read(struct reader *r, int64_t node,
                                           const size_t limit[DOCUMENT_SECTIONS], size_t counted,
                                           struct error *e)
{
    struct document_facts *f = xcalloc(1, sizeof(*f));
    f->arena = (struct arena)ARENA_INIT;
    f->node = node;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_all(r, f, limit, counted, e);
        reader_end(r);
    }
    if (!failed)
        return f;
    document_facts_free(f);
    return NULL;
}

void document_facts_free(struct document_facts *f)
{
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}

void document_add_beliefs(const struct document_facts *f, struct strbuf *out)
{
    bool bounded = f->reach.bounded;
    strbuf_addf(out, "%zu%s belief%s", f->reach.beliefs, bounded ? "+" : "",
                f->reach.beliefs == 1 && !bounded ? "" : "s");
}

#define EXCERPT_LINES 3
#define PLACE_MOST    28 /* columns of a chunk, a page and a section */

/* Where the columns of a use stand; what counts from the right edge is negative, 0: it is not shown. */
struct use_columns {
    int glyph, number, ref, text;
    int score, place, place_width, age, end;
};

struct laying {
    struct sheet *sheet;
    const struct document_facts *facts;
    const struct facts_look *look;
    const char *dot;
};

/* ---- sections ---- */

static void put_section(struct laying *p, const char *title, const char *right)
{
    sheet_line(p->sheet);
    sheet_rule(p->sheet, title, right);
}

static void put_dim(struct laying *p, int column, const char *text)
{
    if (sheet_line(p->sheet))
        sheet_put(p->sheet, column, 0, STYLE_DIM, text);
}

/* The line that was added last opens that memory. */
static void opens(struct laying *p, int64_t node, enum document_section section)
{
    struct sheet *s = p->sheet;
    if (s->count == 0)
        return;
    s->line[s->count - 1].opens = true;
    s->line[s->count - 1].node = node;
    s->line[s->count - 1].value = (int64_t)section + 1;
}

/* `left` below 0: it is not known how many. */
static void put_more(struct laying *p, enum document_section section, int64_t left)
{
    const char *how = p->look->command ? "--limit says how many are shown" : "Enter reads on";
    sheet_line(p->sheet);
    if (left > 0)
        sheet_format(p->sheet, 3, 0, STYLE_DIM, "%lld more; %s", (long long)left, how);
    else
        sheet_format(p->sheet, 3, 0, STYLE_DIM, "there are more; %s", how);
    opens(p, 0, section);
}

/* "12 steps", "5000+ steps" */
static void add_count(const struct laying *p, struct strbuf *out, int64_t count, const char *what)
{
    strbuf_addf(out, "%s%s%s%lld%s %s%s", out->len ? " " : "", out->len ? p->dot : "",
                out->len ? " " : "", (long long)count, p->facts->reach.bounded ? "+" : "", what,
                count == 1 ? "" : "s");
}

/* ---- a use ---- */

static void add_place(const struct use *use, struct strbuf *out)
{
    if (use->chunk >= 0)
        strbuf_addf(out, "chunk %lld", (long long)use->chunk);
    if (use->page > 0)
        strbuf_addf(out, "%spage %lld", out->len ? ", " : "", (long long)use->page);
    if (use->section && *use->section)
        strbuf_addf(out, "%s%s", out->len ? ", " : "", use->section);
    if (use->rank > 0 && out->len == 0)
        strbuf_addf(out, "rank %lld", (long long)use->rank);
}

static int widest_place(const struct use *use, int widest, int most)
{
    struct strbuf place = STRBUF_INIT;
    add_place(use, &place);
    int width = (int)place.len < most ? (int)place.len : most;
    strbuf_release(&place);
    return width > widest ? width : widest;
}

static int place_width(const struct document_uses *u, int most)
{
    int width = 0;
    for (size_t i = 0; i < u->count && width < most; i++)
        for (size_t k = 0; k < u->use[i].passages && width < most; k++)
            width = widest_place(&u->use[i].passage[k].use, width, most);
    return width;
}

static struct use_columns columns_for(const struct laying *p, const struct document_uses *u,
                                      bool steps, int ref_width)
{
    int width = p->look->width, most = width / 4 < PLACE_MOST ? width / 4 : PLACE_MOST;
    int age = p->look->exact_times ? 20 : 6;
    struct use_columns c = {.glyph = steps ? 5 : 3, .number = steps ? 7 : 0, .end = -1};
    c.ref = steps ? 0 : c.glyph + 2;
    c.text = steps ? 11 : c.ref + ref_width + 2;
    if (width >= 48)
        c.end = c.age = -age;
    if (width >= 66) {
        c.place_width = place_width(u, most);
        c.place = c.place_width ? c.end - c.place_width - 1 : 0;
        c.end = c.place ? c.place : c.end;
    }
    if (width >= 36)
        c.end = c.score = c.end - SCORE_WIDTH - 2;
    return c;
}

static int text_room(const struct laying *p, const struct use_columns *c)
{
    int room = p->look->width + c->end - c->text - 1;
    return room > 1 ? room : 1;
}

static void put_score(struct laying *p, const struct use *use, const struct use_columns *c)
{
    struct strbuf text = STRBUF_INIT;
    if (!c->score || use->relevance != use->relevance)
        return;
    score_add(&text, use->relevance, use->score);
    sheet_put_right(p->sheet, c->score, SCORE_WIDTH, score_style(use->relevance, use->score),
                    text.buf);
    strbuf_release(&text);
}

/* What became of it stands before its text. */
static void put_text(struct laying *p, const struct document_use *u, const struct use_columns *c)
{
    struct strbuf text = STRBUF_INIT;
    if (u->status != STATUS_ACTIVE)
        strbuf_addf(&text, "%s %s ", status_name(u->status), p->dot);
    strbuf_addstr(&text, u->text ? u->text : "");
    sheet_put(p->sheet, c->text, text_room(p, c),
              u->status != STATUS_ACTIVE ? STYLE_DIM
              : u->passage->guessed      ? STYLE_GUESSED
                                         : STYLE_TEXT,
              text.buf);
    strbuf_release(&text);
}

static void put_columns(struct laying *p, const struct document_use *u, const struct fact_row *row,
                        const struct use_columns *c)
{
    struct strbuf text = STRBUF_INIT;
    sheet_put(p->sheet, c->glyph, 1, STYLE_OF_LABEL(row->label.label),
              mark_of_label(row->label.label, p->look->ascii));
    if (c->number && u->step_number > 0) {
        strbuf_addf(&text, "%lld", (long long)u->step_number);
        sheet_put_right(p->sheet, c->number, 3, STYLE_NUMBER, text.buf);
    }
    strbuf_clear(&text);
    if (c->ref) {
        facts_ref(&row->row, row->short_length, &text);
        sheet_put(p->sheet, c->ref, c->text - c->ref - 1, STYLE_REF, text.buf);
    }
    put_text(p, u, c);
    strbuf_release(&text);
}

static void put_called(struct laying *p, const struct use *use, int column)
{
    const struct memory *m = &p->facts->memory;
    struct strbuf text = STRBUF_INIT;
    if (use->title && *use->title && (!m->text || strcmp(use->title, m->text) != 0))
        strbuf_addf(&text, "called \"%s\" there", use->title);
    if (use->label && *use->label)
        strbuf_addf(&text, "%sas %s", text.len ? ", " : "", use->label);
    if (text.len > 0) {
        sheet_line(p->sheet);
        sheet_put(p->sheet, column, 0, STYLE_DIM, text.buf);
    }
    strbuf_release(&text);
}

/* There is more than the line that was added last has room for. */
static void put_cut(struct laying *p, int column)
{
    const struct sheet_line *line = p->sheet->count ? &p->sheet->line[p->sheet->count - 1] : NULL;
    if (!line || line->span_count == 0)
        return;
    const char *text = line->span[line->span_count - 1].text;
    column += (int)text_width(text, strlen(text), (size_t)p->look->width, 0);
    sheet_put(p->sheet, column, 1, STYLE_DIM, glyph_of(GLYPH_ELLIPSIS, p->look->ascii));
}

/* The passage, and in the same line what has to be known. */
static void put_excerpt(struct laying *p, const struct document_use *u,
                        const struct document_passage *passage, int column)
{
    const char *excerpt = passage->use.excerpt;
    const char *warning = passage->changed   ? "changed since"
                          : passage->guessed ? "a guessed link"
                                             : NULL;
    struct strbuf quoted = STRBUF_INIT;
    int room = p->look->width - column - (warning ? 17 : 1);
    size_t begin = p->sheet->count;
    if (excerpt && *excerpt && (!u->text || strcmp(excerpt, u->text) != 0)) {
        strbuf_addf(&quoted, "\"%s\"", excerpt);
        size_t shown =
            sheet_wrap(p->sheet, column, room, STYLE_DIM, quoted.buf,
                       p->look->text_lines ? (size_t)p->look->text_lines : EXCERPT_LINES, false);
        if (shown < quoted.len)
            put_cut(p, column);
    } else if (warning) {
        sheet_line(p->sheet);
    }
    strbuf_release(&quoted);
    if (warning && p->sheet->count > begin) {
        struct span span = {warning, -15, 14, passage->changed ? STYLE_CHIP : STYLE_GUESSED, true};
        sheet_put_at(p->sheet, begin, &span);
    }
}

/* Further passages that the same memory used stand below it, each with what is said of that one. */
static void put_use(struct laying *p, enum document_section section, const struct document_uses *u,
                    size_t i, const struct use_columns *c)
{
    struct strbuf place = STRBUF_INIT;
    char age[32];
    for (size_t k = 0; k < u->use[i].passages; k++) {
        const struct document_passage *passage = &u->use[i].passage[k];
        sheet_line(p->sheet);
        if (k == 0) {
            put_columns(p, &u->use[i], &u->row[i], c);
            opens(p, u->use[i].node, section);
        } else {
            sheet_put(p->sheet, c->text, text_room(p, c), STYLE_DIM, "and another passage");
        }
        put_score(p, &passage->use, c);
        strbuf_clear(&place);
        add_place(&passage->use, &place);
        if (c->place)
            sheet_put(p->sheet, c->place, c->place_width, STYLE_SOURCE, place.buf);
        facts_when(age, sizeof(age), u->use[i].created_at, p->look);
        if (k == 0 && c->age)
            sheet_put_right(p->sheet, c->age, -c->age - 1, STYLE_AGE, age);
        put_excerpt(p, &u->use[i], passage, c->text);
        put_called(p, &passage->use, c->text);
    }
    strbuf_release(&place);
}

/* ---- steps, by their chains ---- */

static void put_chain(struct laying *p, const struct fact_row *chain)
{
    struct strbuf ref = STRBUF_INIT;
    char age[32];
    int width = p->look->width, end = width >= 48 ? (p->look->exact_times ? 20 : 6) : 0;
    sheet_line(p->sheet);
    if (chain->row.node == 0) {
        sheet_put(p->sheet, 3, 0, STYLE_DIM, "of no chain");
        return;
    }
    facts_ref(&chain->row, chain->short_length, &ref);
    sheet_put(p->sheet, 3, p->look->ref_width, STYLE_REF, ref.buf);
    strbuf_release(&ref);
    int at = 3 + p->look->ref_width + 2, room = width - end - at - 1;
    sheet_put(p->sheet, at, room > 1 ? room : 1, STYLE_TEXT,
              chain->row.text ? chain->row.text : "");
    facts_when(age, sizeof(age), chain->row.created_at, p->look);
    if (end && chain->row.created_at)
        sheet_put_right(p->sheet, -end, end - 1, STYLE_AGE, age);
    opens(p, chain->row.node, DOCUMENT_STEPS);
}

static void put_steps(struct laying *p)
{
    const struct document_facts *f = p->facts;
    const struct document_uses *u = &f->steps;
    const struct document_reach *counts = &f->reach;
    struct use_columns c = columns_for(p, u, true, 0);
    struct strbuf right = STRBUF_INIT;
    if (counts->steps > 0) {
        add_count(p, &right, counts->steps, "step");
        add_count(p, &right, counts->chains, "chain");
    }
    put_section(p, "used in reasoning", right.buf);
    strbuf_release(&right);
    if (u->count == 0)
        put_dim(p, 3, "by no step of any chain");
    for (size_t i = 0; i < u->count; i++) {
        size_t use = f->by_chain[i];
        if (i == 0 || f->chain_of[use] != f->chain_of[f->by_chain[i - 1]])
            put_chain(p, &f->chain[f->chain_of[use]]);
        put_use(p, DOCUMENT_STEPS, u, use, &c);
    }
    if (u->more)
        put_more(p, DOCUMENT_STEPS, !counts->bounded ? counts->steps - (int64_t)u->count : -1);
}

/* ---- citations and others ---- */

static void put_others(struct laying *p, enum document_section section,
                       const struct document_uses *u, int64_t count)
{
    const char *title = section == DOCUMENT_CITATIONS ? "cited" : "used otherwise";
    struct strbuf right = STRBUF_INIT;
    if (u->count == 0)
        return;
    add_count(p, &right, count, section == DOCUMENT_CITATIONS ? "citation" : "use");
    put_section(p, title, right.buf);
    strbuf_release(&right);
    int widest = p->look->width / 3 > 12 ? p->look->width / 3 : 12;
    int refs = facts_ref_width(u->row, u->count, 12);
    struct use_columns c = columns_for(p, u, false, refs < widest ? refs : widest);
    for (size_t i = 0; i < u->count; i++)
        put_use(p, section, u, i, &c);
    if (u->more)
        put_more(p, section, !p->facts->reach.bounded ? count - (int64_t)u->count : -1);
}

/* ---- beliefs ---- */

static void put_beliefs(struct laying *p)
{
    const struct document_facts *f = p->facts;
    struct strbuf right = STRBUF_INIT;
    if (f->belief_count > 0)
        document_add_beliefs(f, &right);
    put_section(p, "beliefs it carries", right.buf);
    strbuf_release(&right);
    if (f->belief_count == 0) {
        put_dim(p, 3, "no belief rests on it");
        return;
    }
    struct facts_look look = *p->look;
    look.ref_width = facts_ref_width(f->belief, f->belief_count, 12);
    for (size_t i = 0; i < f->belief_count; i++) {
        sheet_line(p->sheet);
        const struct row_label *label = &f->belief[i].label;
        char how[48];
        snprintf(how, sizeof(how), "%u of %u hold%s", label->holds, label->justs,
                 label->justs == 1 && label->holds == 1 ? "s" : "");
        facts_put_row(p->sheet, &f->belief[i], how, false, 3, &look);
        opens(p, f->belief[i].row.node, DOCUMENT_BELIEFS);
    }
    if (f->reach.bounded || f->reach.beliefs > f->belief_count)
        put_more(p, DOCUMENT_BELIEFS,
                 f->reach.bounded ? -1 : (int64_t)(f->reach.beliefs - f->belief_count));
}

/* ---- versions ---- */

static void put_version(struct laying *p, const struct document_version *v)
{
    char first[32], last[32], passage[40] = "whole";
    int width = p->look->width, when = p->look->exact_times ? 19 : 5;
    sheet_line(p->sheet);
    if (v->chunk >= 0)
        snprintf(passage, sizeof(passage), "chunk %lld", (long long)v->chunk);
    facts_when(first, sizeof(first), v->first_at, p->look);
    facts_when(last, sizeof(last), v->last_at, p->look);
    sheet_put(p->sheet, 3, 11, STYLE_TEXT, passage);
    sheet_format(p->sheet, 15, 12, STYLE_REF, "%.12s", v->hash);
    sheet_put(p->sheet, 29, 8, v->latest ? STYLE_TEXT : STYLE_CHIP,
              v->latest ? "current" : "earlier");
    if (width >= 52)
        sheet_format(p->sheet, 38, 11, STYLE_NUMBER, "%zu use%s", v->uses, v->uses == 1 ? "" : "s");
    if (width >= 60)
        sheet_put_right(p->sheet, -when - 1, when, STYLE_AGE, last);
    if (width >= 66 + when) {
        sheet_put_right(p->sheet, -2 * when - 8, when, STYLE_AGE, first);
        sheet_put(p->sheet, -when - 6, 4, STYLE_DIM, "last");
        sheet_put(p->sheet, -2 * when - 14, 5, STYLE_DIM, "first");
    }
    opens(p, v->last, DOCUMENT_VERSIONS);
}

static void put_versions(struct laying *p)
{
    const struct document_facts *f = p->facts;
    struct strbuf right = STRBUF_INIT;
    size_t passages = 0;
    for (size_t i = 0; i < f->version_count; i++)
        passages += i == 0 || f->version[i].chunk != f->version[i - 1].chunk;
    if (passages > 0)
        strbuf_addf(&right, "%zu%s version%s of %zu%s passage%s", f->version_count,
                    f->version_more ? "+" : "", f->version_count == 1 ? "" : "s", passages,
                    f->version_more ? "+" : "", passages == 1 ? "" : "s");
    put_section(p, "versions", right.buf);
    strbuf_release(&right);
    if (f->version_count == 0)
        put_dim(p, 3, "no use says what the passage was then");
    for (size_t i = 0; i < f->version_count; i++)
        put_version(p, &f->version[i]);
    if (f->version_more)
        put_more(p, DOCUMENT_VERSIONS, -1);
}

/* ---- retrievals: laid out ---- */

static void put_retrieval(struct laying *p, size_t i, int ref_width)
{
    const struct document_facts *f = p->facts;
    const struct fact_row *row = &f->retrieval_row[i];
    const char *uri = f->retrieval_uri[i] ? f->retrieval_uri[i] : row->row.text;
    struct strbuf ref = STRBUF_INIT;
    char when[32];
    int width = p->look->width, age = p->look->exact_times ? 19 : 7, end = -1, at = 5;
    bool suspect;
    sheet_line(p->sheet);
    sheet_put(p->sheet, 3, 1, STYLE_OF_LABEL(row->label.label),
              mark_of_label(row->label.label, p->look->ascii));
    facts_ref(&row->row, row->short_length, &ref);
    sheet_put(p->sheet, at, ref_width, STYLE_REF, ref.buf);
    strbuf_release(&ref);
    at += ref_width + 2;
    suspect = facts_when_retrieved(when, sizeof(when), f->retrieval_at[i], p->look);
    if (width >= 48) {
        end = -age - 1;
        sheet_put_right(p->sheet, end, age, suspect ? STYLE_UNGROUNDED : STYLE_AGE, when);
    }
    if (width >= 66) {
        end -= 11;
        sheet_put(p->sheet, end, 9, f->retrieval[i].recorded ? STYLE_TEXT : STYLE_GUESSED,
                  f->retrieval[i].recorded ? "recorded" : "matched");
    }
    if (width >= 78) {
        sheet_put(p->sheet, at, 14, STYLE_SOURCE, f->retrieval_type[i]);
        at += 16;
    }
    if (width + end - at > 2)
        sheet_put(p->sheet, at, width + end - at - 1, STYLE_TEXT, uri);
    opens(p, f->retrieval[i].attribution, DOCUMENT_RETRIEVALS);
}

static void put_retrievals(struct laying *p)
{
    const struct document_facts *f = p->facts;
    char right[32] = "";
    if (f->retrieval_count > 0)
        snprintf(right, sizeof(right), "%zu%s", f->retrieval_count, f->retrieval_more ? "+" : "");
    put_section(p, "retrieved", right);
    if (f->retrieval_count == 0)
        put_dim(p, 3, "no retrieval of it was logged");
    int refs = facts_ref_width(f->retrieval_row, f->retrieval_count, 12);
    for (size_t i = 0; i < f->retrieval_count; i++)
        put_retrieval(p, i, refs);
    if (f->retrieval_more)
        put_more(p, DOCUMENT_RETRIEVALS, -1);
}

/* ---- the head ---- */

static void put_head(struct laying *p)
{
    const struct document_facts *f = p->facts;
    const struct memory *m = &f->memory;
    struct facts state = {.memory = *m, .label = f->label};
    struct strbuf sb = STRBUF_INIT;
    int place = 0;
    sheet_line(p->sheet);
    if (m->text && *m->text)
        facts_put_text(p->sheet, m->text, 12, p->look);
    else
        put_dim(p, 1, m->status == STATUS_MISSING ? "used, and never written here" : "no title");
    sheet_line(p->sheet);
    facts_put_fact(p->sheet, &place, p->look, "document",
                   f->document_id ? f->document_id : m->ref.id);
    facts_state(&state, p->look->ascii, &sb);
    facts_put_fact(p->sheet, &place, p->look, "state", sb.buf);
    facts_put_fact(p->sheet, &place, p->look, "uri", f->uri);
    facts_put_name(p->sheet, &place, p->look, "agent", m->agent_id);
    facts_put_time(p->sheet, &place, p->look, "created", m->created_at);
    strbuf_release(&sb);
}

void document_sheet(struct sheet *s, const struct document_facts *f, const struct facts_look *asked)
{
    struct facts_look look = *asked;
    struct laying p = {
        .sheet = s, .facts = f, .look = &look, .dot = glyph_of(GLYPH_DOT, asked->ascii)};
    look.ref_width = facts_ref_width(f->chain, f->chain_count, 12);
    sheet_clear(s, look.width);
    put_head(&p);
    put_steps(&p);
    put_others(&p, DOCUMENT_CITATIONS, &f->citations, f->reach.citations);
    put_others(&p, DOCUMENT_OTHERS, &f->others, f->reach.others);
    put_beliefs(&p);
    put_versions(&p);
    put_retrievals(&p);
}

/* A document's uses, versions and retrievals as JSON. */

/* -1: there is none. */
static void document_write_add_place(struct json_object *o, const char *key, int64_t value)
{
    if (value >= 0)
        json_pair_int(o, key, value);
}

/* What is said of one passage that was used. */
static void write_passage(struct json_object *o, const struct document_passage *p, bool excerpts)
{
    const struct use *use = &p->use;
    if (use->relevance == use->relevance)
        json_pair_double(o, "relevance", use->relevance);
    if (use->score != SCORE_NONE)
        json_pair(o, "score", score_name(use->score));
    document_write_add_place(o, "rank", use->rank);
    document_write_add_place(o, "chunk", use->chunk);
    document_write_add_place(o, "page", use->page);
    json_pair_if(o, "section", use->section);
    json_pair_if(o, "title", use->title);
    json_pair_if(o, "label", use->label);
    json_pair_if(o, "excerpt", excerpts ? use->excerpt : NULL);
    json_pair_if(o, "version_hash", use->version_hash);
    json_pair_bool(o, "changed_since", p->changed);
    json_pair_bool(o, "recorded", !p->guessed);
}

static void write_further(struct json_object *o, const struct document_use *u, bool excerpts)
{
    if (u->passages < 2)
        return;
    struct json_object list = json_open(o, "further", '[');
    for (size_t i = 1; i < u->passages; i++) {
        struct json_object passage = json_item_open(&list, '{');
        write_passage(&passage, &u->passage[i], excerpts);
        json_end(&passage);
    }
    json_end(&list);
}

static void write_use(struct json_object *list, const struct document_facts *f,
                      const struct document_uses *uses, size_t i, bool excerpts)
{
    const struct document_use *u = &uses->use[i];
    struct json_object o = json_item_open(list, '{');
    exchange_pair_ref(&o, "ref", u->ref);
    if (uses == &f->steps && u->chain)
        exchange_pair_ref(&o, "chain", f->chain[f->chain_of[i]].row.ref);
    if (u->step_number > 0)
        json_pair_int(&o, "step_number", u->step_number);
    json_pair(&o, "text", u->text);
    write_passage(&o, u->passage, excerpts);
    write_further(&o, u, excerpts);
    json_pair(&o, "status", status_name(u->status));
    json_pair_int(&o, "at", u->created_at);
    json_end(&o);
}

static void write_uses(struct json_object *o, const char *key, const struct document_facts *f,
                       const struct document_uses *uses, bool excerpts)
{
    json_key(o, key);
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < uses->count; i++)
        write_use(&list, f, uses, i, excerpts);
    json_end(&list);
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

static void write_versions(struct json_object *o, const struct document_facts *f)
{
    struct json_object list = json_open(o, "versions", '[');
    for (size_t i = 0; i < f->version_count; i++) {
        const struct document_version *v = &f->version[i];
        struct json_object version = json_item_open(&list, '{');
        document_write_add_place(&version, "chunk", v->chunk);
        json_pair(&version, "version_hash", v->hash);
        json_pair_int(&version, "uses", (int64_t)v->uses);
        json_pair_int(&version, "first_at", v->first_at);
        json_pair_int(&version, "last_at", v->last_at);
        json_pair_bool(&version, "latest", v->latest);
        json_end(&version);
    }
    json_end(&list);
}

static void write_retrievals(struct json_object *o, const struct document_facts *f)
{
    struct json_object list = json_open(o, "retrievals", '[');
    for (size_t i = 0; i < f->retrieval_count; i++) {
        struct json_object one = json_item_open(&list, '{');
        exchange_pair_ref(&one, "ref", f->retrieval_row[i].row.ref);
        json_pair_int(&one, "retrieval_timestamp", f->retrieval_at[i]);
        json_pair_if(&one, "source_type", f->retrieval_type[i]);
        json_pair_if(&one, "source_uri", f->retrieval_uri[i]);
        json_pair_bool(&one, "recorded", f->retrieval[i].recorded);
        json_end(&one);
    }
    json_end(&list);
}

static void write_beliefs(struct json_object *o, const struct document_facts *d)
{
    struct json_object list = json_open(o, "beliefs", '[');
    for (size_t i = 0; i < d->belief_count; i++) {
        json_item(&list);
        exchange_add_ref(o->out, d->belief[i].row.ref);
    }
    json_end(&list);
}

static void write_more(struct json_object *o, const struct document_facts *d)
{
    const struct {
        const char *name;
        bool more;
    } lists[] = {{"steps", d->steps.more},
                 {"citations", d->citations.more},
                 {"others", d->others.more},
                 {"versions", d->version_more},
                 {"retrievals", d->retrieval_more},
                 {"beliefs", d->reach.bounded || d->reach.beliefs > d->belief_count}};
    struct json_object list = json_open(o, "more", '[');
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (lists[i].more) {
            json_item(&list);
            json_add_string(o->out, lists[i].name);
        }
    json_end(&list);
}

void document_write(struct strbuf *out, const struct document_facts *f, bool excerpts)
{
    struct json_object o = json_begin(out, '{');
    exchange_pair_ref(&o, "ref", f->memory.ref);
    json_pair_if(&o, "document_id", f->document_id);
    json_pair(&o, "title", f->memory.text);
    json_pair(&o, "uri", f->uri);
    json_pair(&o, "status", status_name(f->memory.status));
    json_pair(&o, "label", label_name(f->label.label));
    write_counts(&o, &f->reach);
    write_uses(&o, "steps", f, &f->steps, excerpts);
    write_uses(&o, "citations", f, &f->citations, excerpts);
    write_uses(&o, "others", f, &f->others, excerpts);
    write_versions(&o, f);
    write_retrievals(&o, f);
    write_beliefs(&o, f);
    write_more(&o, f);
    json_end(&o);
}
