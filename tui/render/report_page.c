/* Lays out the answers to questions. */
#include "tui/render/report_page.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "tui/text/text.h"

/* ---- reading ---- */

/* The memories that a row names in its first column; of a line that a text names, the memory of a later one. */
static size_t report_row_refs(const struct report_part *part, const struct report_row *row,
                              const int64_t **refs)
{
    size_t at = 0, columns = report_columns(part);
    /* What a text names may be a memory, such as a suspect. */
    if (part->columns[0].type == REPORT_TEXT && part->shape == PART_LINES)
        while (at + 1 < columns && part->columns[at].type != REPORT_REF)
            at++;
    enum report_type type = part->columns[at].type;
    const struct cell *c = &row->cell[at];
    if (!c->known || (type != REPORT_REF && type != REPORT_REFS))
        return 0;
    *refs = type == REPORT_REF ? &c->is.integer : c->is.refs.row;
    return type == REPORT_REF ? 1 : c->is.refs.count;
}

static int read_part(struct report_facts *f, struct reader *r, size_t part, struct error *e)
{
    const struct report_part *spec = &f->report.question->parts[part];
    const struct report_rows *rows = &f->report.part[part];
    const int64_t *refs = NULL;
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        count += report_row_refs(spec, &rows->row[i], &refs);
    int64_t *nodes = arena_array(&f->arena, count + 1, sizeof(*nodes));
    count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        size_t more = report_row_refs(spec, &rows->row[i], &refs);
        for (size_t k = 0; k < more; k++)
            nodes[count++] = refs[k];
    }
    f->row[part] = facts_rows_read(r, &f->arena, nodes, count, e);
    return f->row[part] ? 0 : -1;
}

static int read_facts(struct report_facts *f, struct reader *r, const struct question *q,
                      const struct asked *asked, struct error *e)
{
    if (question_ask(&f->report, q, r, &f->arena, asked, e))
        return -1;
    if (f->report.subject &&
        !(f->subject = facts_rows_read(r, &f->arena, &f->report.subject, 1, e)))
        return -1;
    for (size_t part = 0; q->parts[part].columns; part++)
        if (read_part(f, r, part, e))
            return -1;
    return 0;
}

struct report_facts *report_facts_read(struct reader *r, const struct question *q,
                                       const struct asked *asked, struct error *e)
{
    struct report_facts *f = xcalloc(1, sizeof(*f));
    if (reader_begin(r, e) == 0 && reader_done(r, read_facts(f, r, q, asked, e)) == 0)
        return f;
    report_facts_free(f);
    return NULL;
}

void report_facts_free(void *facts)
{
    struct report_facts *f = facts;
    if (f)
        arena_release(&f->arena);
    free(f);
}

/* ---- layout ---- */

#define GLYPH 3
#define REF   (GLYPH + 2)

#define COLUMNS_MOST 12
#define WORDS_MOST   34

struct laying {
    struct page *page;
    const struct report_part *part;
    const struct report_rows *rows;
    size_t columns;
    int width[COLUMNS_MOST]; /* of each; 0: not shown */
    int64_t subject;
};

/* "derived_from" as people read it. */
static const char *words_of(struct page *s, const char *name)
{
    char *words = arena_strdup(&s->arena, name);
    for (char *at = words; (at = strchr(at, '_'));)
        *at = ' ';
    return words;
}

static const char *cell_shown(struct page *s, enum report_type type, const struct cell *c)
{
    if (!c->known)
        return "";
    switch (type) {
    case REPORT_TEXT:
        return page_name(s, c->is.text);
    case REPORT_WORD:
        return words_of(s, c->is.text);
    case REPORT_NUMBER:
        return page_printf(s, "%.3f", c->is.number);
    case REPORT_COUNT:
        return page_printf(s, "%lld", (long long)c->is.integer);
    case REPORT_TIME:
        return facts_age(s, c->is.integer);
    case REPORT_YES:
    case REPORT_REF:
    case REPORT_REFS:
        break;
    }
    return "";
}

/* The columns that the widest cell takes; 0 if all are empty. */
static int widest_cell(const struct laying *l, size_t column)
{
    size_t widest = 0;
    for (size_t i = 0; i < l->rows->count; i++) {
        const struct cell *c = &l->rows->row[i].cell[column];
        const char *text = cell_shown(l->page, l->part->columns[column].type, c);
        size_t width = c->known ? text_width(text, strlen(text), PAGE_PROSE, TEXT_EXACT) : 0;
        widest = width > widest ? width : widest;
    }
    return (int)widest;
}

/* Stored texts are cut to a quarter of the page; on a narrow one words give way to the memory. Empty columns are left
 * out. */
static void measure_columns(struct laying *l)
{
    for (size_t i = 1; i < l->columns && i < COLUMNS_MOST; i++) {
        const struct report_column *c = &l->part->columns[i];
        bool words = c->type == REPORT_TEXT || c->type == REPORT_WORD;
        int widest = c->heading ? widest_cell(l, i) : 0,
            most = c->type == REPORT_TEXT ? l->page->width / 4 : WORDS_MOST;
        if (widest == 0 || (words && l->page->width < 72))
            continue;
        widest = words && widest > most ? most : widest;
        int heading = (int)strlen(c->heading);
        l->width[i] = (heading > widest ? heading : widest) + 2;
    }
}

static bool is_right(enum report_type type)
{
    return type == REPORT_NUMBER || type == REPORT_COUNT || type == REPORT_TIME;
}

/* Adds the columns next to the ref, or their headings for `row` NULL; returns where the text begins. */
static int put_columns(struct laying *l, const struct report_row *row, int at)
{
    for (size_t i = 1; i < l->columns; i++) {
        const struct report_column *c = &l->part->columns[i];
        int width = l->width[i];
        const char *text = row ? cell_shown(l->page, c->type, &row->cell[i]) : c->heading;
        if (width == 0)
            continue;
        if (is_right(c->type))
            page_put_right(l->page, at, width - 2, row ? STYLE_NUMBER : STYLE_DIM, text);
        else
            page_put(l->page, at, width - 2, row ? STYLE_SOURCE : STYLE_DIM, text);
        at += width;
    }
    return at;
}

static void put_headings(struct laying *l)
{
    struct page *s = l->page;
    if (l->columns < 2 || l->part->columns[0].type == REPORT_REFS)
        return;
    page_line(s);
    page_put(s, REF, s->options.ref_width, STYLE_DIM, l->part->columns[0].heading);
    page_put(s, put_columns(l, NULL, REF + s->options.ref_width + 2), 0, STYLE_DIM, "text");
}

static void put_memory(struct laying *l, const struct report_row *row, const struct fact_row *m)
{
    struct page *s = l->page;
    bool dim = m->row.status == STATUS_MISSING || !label_stands(m->label.label);
    page_opens(s, m->row.node);
    facts_put_label(s, GLYPH, m->label.label);
    facts_put_ref(s, REF, s->options.ref_width + 1, m);
    int at = REF + s->options.ref_width + 2;
    at = row ? put_columns(l, row, at) : at;
    page_put(s, at, 0, dim ? STYLE_DIM : STYLE_TEXT,
             m->row.status == STATUS_MISSING ? "not in this store" : m->row.text);
}

/* "similarity 1.000 · independent": what is said of several memories together. */
static void put_together(struct laying *l, const struct report_row *row)
{
    struct page *s = l->page;
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 1; i < l->columns; i++) {
        const struct report_column *c = &l->part->columns[i];
        const char *no = c->type == REPORT_YES && c->heading ? strchr(c->heading, '|') : NULL;
        if (!c->heading || !row->cell[i].known)
            continue;
        if (text.len)
            strbuf_addf(&text, " %s ", glyph_of(GLYPH_DOT, s->options.ascii));
        if (no && row->cell[i].is.integer)
            strbuf_add(&text, c->heading, (size_t)(no - c->heading));
        else if (no)
            strbuf_addstr(&text, no + 1);
        else
            strbuf_addf(&text, "%s%s%s", c->type == REPORT_NUMBER ? c->heading : "",
                        c->type == REPORT_NUMBER ? " " : "", cell_shown(s, c->type, &row->cell[i]));
    }
    page_line(s);
    page_put(s, 1, 0, STYLE_DIM, text.buf);
}

static void put_row(struct laying *l, const struct report_row *row, const struct fact_row **memory)
{
    const int64_t *refs;
    size_t count = report_row_refs(l->part, row, &refs);
    bool together = l->part->columns[0].type == REPORT_REFS;
    if (together)
        put_together(l, row);
    for (size_t k = 0; k < count; k++)
        put_memory(l, together ? NULL : row, (*memory)++);
    if (count || together)
        return;
    page_line(l->page);
    page_put(l->page, GLYPH, l->columns > 1 ? REF - GLYPH + l->page->options.ref_width : 0,
             STYLE_TEXT, cell_shown(l->page, l->part->columns[0].type, &row->cell[0]));
    put_columns(l, row, REF + l->page->options.ref_width + 2);
}

static size_t group_end(const struct report_rows *rows, size_t from)
{
    size_t end = from;
    while (end < rows->count && rows->row[end].group == rows->row[from].group)
        end++;
    return end;
}

/* The row of a group that is about the memory asked about, which stands above the page; NULL if it has none, or no
 * other. */
static const struct report_row *own_row(const struct laying *l, const struct report_rows *rows,
                                        size_t from)
{
    size_t end = group_end(rows, from);
    for (size_t i = from; l->subject && end > from + 1 && i < end; i++)
        if (rows->row[i].cell[0].is.integer == l->subject)
            return &rows->row[i];
    return NULL;
}

/* Whether two groups differ only in the row before that of the memory asked about. */
static bool is_variant(const struct laying *l, const struct report_rows *rows, size_t a, size_t b)
{
    size_t count = group_end(rows, a) - a;
    if (count < 2 || group_end(rows, b) - b != count || !own_row(l, rows, a))
        return false;
    for (size_t i = 0; i < count; i++)
        if (i != count - 2 &&
            rows->row[a + i].cell[0].is.integer != rows->row[b + i].cell[0].is.integer)
            return false;
    const struct report_row *x = own_row(l, rows, a), *y = own_row(l, rows, b);
    for (size_t i = 1; i < l->columns; i++)
        if (l->part->columns[i].type == REPORT_NUMBER && x->cell[i].known &&
            x->cell[i].is.number != y->cell[i].is.number)
            return false;
    return true;
}

/* "derivation 1 · strength 0.600", or "derivations 1 to 10": with the numbers of the memory asked about. */
static void put_group(struct laying *l, const struct report_rows *rows, size_t from, size_t last)
{
    struct page *s = l->page;
    const struct report_row *own = own_row(l, rows, from);
    AUTO_STRBUF title = STRBUF_INIT;
    uint32_t first = rows->row[from].group + 1, to = rows->row[last].group + 1;
    strbuf_addf(&title, "%s%s %u", l->part->group_name, to > first ? "s" : "", first);
    if (to > first)
        strbuf_addf(&title, " to %u", to);
    for (size_t i = 1; own && i < l->columns; i++)
        if (l->part->columns[i].type == REPORT_NUMBER && own->cell[i].known)
            strbuf_addf(&title, " %s %s %.3f", glyph_of(GLYPH_DOT, s->options.ascii),
                        l->part->columns[i].key, own->cell[i].is.number);
    page_line(s);
    page_put(s, 1, 0, STYLE_DIM, title.buf);
}

static void put_step(struct laying *l, const struct report_rows *rows,
                     const struct fact_row *memory, size_t at)
{
    memory += at; /* each row of a group is one memory */
    put_row(l, &rows->row[at], &memory);
}

/* Three or more derivations that differ in one step are shown as one, with a choice at the end. */
static void put_groups(struct laying *l, const struct report_rows *rows,
                       const struct fact_row *memory)
{
    for (size_t from = 0, end, last; from < rows->count; from = end) {
        size_t count = group_end(rows, from) - from;
        const struct report_row *own = own_row(l, rows, from);
        for (end = from + count, last = from; end < rows->count && is_variant(l, rows, from, end);
             end += count)
            last = end;
        bool run = end > from + 2 * count;
        if (!run)
            end = (last = from) + count;
        put_group(l, rows, from, last);
        for (size_t i = from; i < from + count - (run ? 2 : 0); i++)
            if (&rows->row[i] != own)
                put_step(l, rows, memory, i);
        if (run && count > 2)
            page_note(l->page, GLYPH, "and any of");
        for (size_t i = from + count - 2; run && i < end; i += count)
            put_step(l, rows, memory, i);
    }
}

static void put_rows(struct laying *l, const struct report_rows *rows,
                     const struct fact_row *memory)
{
    measure_columns(l);
    put_headings(l);
    if (l->part->shape == PART_GROUPS)
        put_groups(l, rows, memory);
    else
        for (size_t i = 0; i < rows->count; i++)
            put_row(l, &rows->row[i], &memory);
}

static void put_members(struct laying *l, const struct report_rows *rows,
                        const struct fact_row *memory)
{
    const int64_t *refs;
    if (rows->count && report_row_refs(l->part, &rows->row[0], &refs))
        put_memory(l, NULL, memory);
    for (size_t i = 0; rows->count && i < l->columns; i++) {
        const struct report_column *c = &l->part->columns[i];
        const struct cell *cell = &rows->row[0].cell[i];
        if (c->heading && cell->known && c->type != REPORT_REF)
            page_field(l->page, c->heading, STYLE_TEXT, cell_shown(l->page, c->type, cell), 4);
    }
}

static void put_part(struct page *s, const struct report_facts *f, size_t part)
{
    struct laying l = {.page = s,
                       .part = &f->report.question->parts[part],
                       .subject = f->report.subject,
                       .rows = &f->report.part[part]};
    const struct report_rows *rows = l.rows;
    size_t groups = rows->count;
    l.columns = report_columns(l.part);
    if (l.part->shape == PART_MEMBERS) {
        put_members(&l, rows, f->row[part]);
        return;
    }
    if (rows->count == 0 && !l.part->none)
        return;
    if (l.part->shape == PART_GROUPS && rows->count)
        groups = rows->row[rows->count - 1].group + 1;
    if (l.part->title)
        (s->count ? page_section : page_rule)(s, l.part->title, page_printf(s, "%zu", groups));
    if (rows->count)
        put_rows(&l, rows, f->row[part]);
    else
        page_note(s, GLYPH, "%s", l.part->none);
}

/* The widest name that stands in place of a ref. */
static int widest_name(const struct report_part *spec, const struct report_rows *rows)
{
    size_t widest = 0;
    if (spec->shape == PART_MEMBERS || spec->columns[0].type != REPORT_TEXT)
        return 0;
    for (size_t i = 0; i < rows->count; i++) {
        size_t len = strlen(rows->row[i].cell[0].is.text);
        widest = len > widest ? len : widest;
    }
    return widest < WORDS_MOST ? (int)widest : WORDS_MOST;
}

static int widest_ref(const struct report_facts *f)
{
    int width = f->subject ? facts_ref_width(f->subject, 1, 8) : 8;
    for (size_t part = 0; f->report.question->parts[part].columns; part++) {
        const struct report_part *spec = &f->report.question->parts[part];
        const struct report_rows *rows = &f->report.part[part];
        size_t count = 0;
        const int64_t *refs;
        for (size_t i = 0; i < rows->count; i++)
            count += report_row_refs(spec, &rows->row[i], &refs);
        width = facts_ref_width(f->row[part], count, width);
        int name = widest_name(spec, rows);
        width = name > width ? name : width;
    }
    return width;
}

void report_page(struct page *s, const struct report_facts *f, const struct page_options *options)
{
    page_begin(s, options);
    s->options.ref_width = widest_ref(f);
    if (f->subject) {
        page_opens(s, f->report.subject);
        facts_put_row(s, f->subject, "", false, 1);
    }
    if (f->report.text)
        facts_put_text(s, f->report.text, 4);
    if (f->report.summary) {
        page_line(s);
        page_wrap(s, 1, page_prose(s, 1), STYLE_STRONG, f->report.summary, 4, true);
    }
    for (size_t part = 0; f->report.question->parts[part].columns; part++)
        put_part(s, f, part);
    if (f->report.more) {
        page_line(s);
        page_note(s, GLYPH, "%s more", GROUPED(f->report.more));
    }
    if (f->report.note) {
        page_line(s);
        page_line(s);
        page_wrap(s, 1, page_prose(s, 1), STYLE_DIM, f->report.note, 4, true);
    }
}
