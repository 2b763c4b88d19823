#include "tui/render/trace.h"

#include <math.h>
#include <string.h>
#include "store/guard/guard.h"
#include "store/lineage/effective.h"
#include "tui/render/oneline.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"

/* Words for edges, by direction of the outline: against the edges, along the edges. */
static const char *const roles[STROKE_COUNT][2] = {
    [STROKE_GUESSED] = {"guessed for", "guessed"},
    [STROKE_EVIDENCE] = {"evidence for", "evidence"},
    [STROKE_REINFORCED] = {"reinforces", "reinforced by"},
    [STROKE_DERIVED] = {"", ""},
    [STROKE_ALL] = {"all for", "all of"},
    [STROKE_SUPERSEDES] = {"replaced by", "replaces"},
};

static size_t digits_of(size_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/*
 * Appends "│  ├─ ": three columns per level below the root. `lasts` has a 'y' or 'n' for each level of the path:
 * whether its line is the last of its siblings. `tee`: the line is a node, not a note below one. Below `levels` (0
 * for no limit) the depth is written as a number. Returns the columns used.
 */
static size_t add_branch(struct strbuf *out, const char *lasts, uint32_t depth, uint32_t levels,
                         bool ascii, bool tee)
{
    if (levels && depth > levels) {
        strbuf_addf(out, ascii ? "... %u > " : "… %u › ", (unsigned)depth);
        return (ascii ? 7 : 5) + digits_of(depth);
    }
    for (uint32_t level = 1; level <= depth; level++) {
        bool last = lasts[level] == 'y';
        if (level == depth && tee)
            strbuf_addstr(out, ascii ? (last ? "`- " : "|- ") : last ? "└─ " : "├─ ");
        else
            strbuf_addstr(out, last ? "   " : ascii ? "|  " : "│  ");
    }
    return 3 * (size_t)depth;
}

static size_t add_tree(struct strbuf *out, const struct outline_text *t,
                       const struct picture_line *line)
{
    AUTO_STRBUF lasts = STRBUF_INIT;
    uint32_t level = line->depth;
    strbuf_addchars(&lasts, 'n', (size_t)level + 1);
    for (const struct picture_line *l = line; l->parent != PICTURE_NONE;
         l = &t->outline->line[l->parent])
        lasts.buf[level--] = l->last ? 'y' : 'n';
    return add_branch(out, lasts.buf, line->depth, t->levels, t->ascii, true);
}

/* Appends the part after the label. Each of its characters is one column wide. */
static size_t add_note(struct strbuf *out, const struct outline_text *t,
                       const struct picture_line *line)
{
    size_t first = (size_t)line->first + 1;
    if (line->circle) {
        strbuf_addstr(out, t->ascii ? "  C cycle" : "  ↻ cycle");
        return 9;
    }
    if (line->again) {
        strbuf_addf(out, t->ascii ? "  ^%zu" : "  ↑%zu", first);
        if (line->below == 0)
            return 3 + digits_of(first);
        strbuf_addf(out, " (%u below)", (unsigned)line->below);
        return 3 + digits_of(first) + 9 + digits_of(line->below);
    }
    if (line->parents < 2)
        return 0;
    strbuf_addf(out, t->ascii ? "  x%u" : "  ×%u", (unsigned)line->parents);
    return 3 + digits_of(line->parents);
}

void outline_text_add(struct strbuf *out, const struct outline_text *t, size_t line,
                      struct outline_place *place)
{
    const struct picture_line *l = &t->outline->line[line];
    AUTO_STRBUF note = STRBUF_INIT;
    size_t digits = digits_of(t->outline->count), column = digits + 1;
    const char *role =
        l->edge == PICTURE_NONE ? "" : roles[t->picture->edge[l->edge].stroke][t->down];
    size_t note_columns = add_note(&note, t, l);
    strbuf_addf(out, "%*zu ", (int)digits, line + 1);
    column += add_tree(out, t, l);
    strbuf_addstr(out, role);
    if (*role) {
        strbuf_addch(out, ' ');
        column += strlen(role) + 1;
    }
    size_t taken = column + note_columns, room = SIZE_MAX;
    if (t->columns)
        room = t->columns < taken + OUTLINE_LABEL ? OUTLINE_LABEL : t->columns - taken;
    size_t columns = t->label(t->of, l->node, room, out);
    strbuf_add(out, note.buf, note.len);
    if (place)
        *place = (struct outline_place){column, columns};
}

/* A trace for people: the page of the memory, with an outline in place of its sources or users. */

/* At most LEVELS_DRAWN levels are drawn, one per COLUMNS_FOR_LEVEL columns. A deeper level is a number, since the
 * lines of a long chain would be mostly blanks. */
#define LEVELS_DRAWN      20
#define COLUMNS_FOR_LEVEL 6
#define LINES_AT_ONCE     256

struct drawing {
    struct output *out;
    struct reader *reader;
    const struct trace *t;
    const struct outline *outline;
    const struct trust *trust; /* of each line */
    const char *agent;         /* the agent of the root */
    struct strbuf lasts; /* per level of the path: whether its line was the last of its siblings */
    struct strbuf prefix;
    uint32_t levels; /* levels that are drawn */
    struct arena arena;
};

/* ---- the outline ---- */

static size_t draw_prefix(struct drawing *d, uint32_t depth, bool tee)
{
    strbuf_clear(&d->prefix);
    size_t width = add_branch(&d->prefix, d->lasts.buf, depth, d->levels, d->out->ascii, tee);
    output_printf(d->out, STYLE_DIM, "%s", d->prefix.buf);
    return width;
}

/* Describes the link of this line, unless it is simply "derived from". */
static void describe_link(struct strbuf *note, const struct drawing *d,
                          const struct outline_line *line)
{
    if (line->just == NODE_NONE)
        return;
    const struct graph *g = &d->t->graph;
    uint8_t shape = g->just_shape[line->just];
    if (SHAPE_READING(shape) == READING_ALL)
        strbuf_addf(note, "all of %u  ",
                    (unsigned)(g->link_first[line->just + 1] - g->link_first[line->just]));
    if (SHAPE_ROLE(shape) != ROLE_DERIVED_FROM)
        strbuf_addf(note, "%s  ", role_name(SHAPE_ROLE(shape)));
    if (SHAPE_RECORDED(shape) != RECORDED)
        strbuf_addf(note, "%s  ", recorded_words(SHAPE_RECORDED(shape)));
}

/* "2026-11-20 10:42:16Z (3d) by sean: the log says otherwise", after the status of a memory that does not live. */
static int describe_end(struct strbuf *note, struct drawing *d, const struct oneline *b,
                        struct error *e)
{
    struct author author;
    const struct page_options options = {.command = true, .now = d->out->now};
    if (history_ended_by(d->reader, &d->arena, b->row.node, b->row.status, &author, e))
        return -1;
    if (author.who)
        facts_add_author(note, &author, &options);
    return 0;
}

/* The most important part comes first, since a narrow terminal cuts the end. Trust stands where it falls. */
static void describe_line(struct strbuf *note, const struct drawing *d,
                          const struct outline_line *line, const struct oneline *b,
                          double confidence, const struct trust *trust)
{
    const char *mark = d->out->ascii ? "" : line->circle ? "↺ " : "↑ ";
    bool repeated = line->circle || line->again;
    if (repeated)
        strbuf_addf(note, "%s%s  ", mark, line->circle ? "circle" : "above");
    else if (line->more > 0)
        strbuf_addf(note, "+%u deeper  ", (unsigned)line->more);
    describe_link(note, d, line);
    if (!repeated && STATUS_LIVES(b->row.status) && !isnan(confidence)) {
        add_confidence(note, confidence);
        strbuf_addstr(note, "  ");
    }
    if (!repeated && trust->value < 1 && trust->weakest == b->row.node)
        strbuf_addf(note, "trust %.2f", trust->value);
    while (note->len > 0 && note->buf[note->len - 1] == ' ')
        strbuf_cut(note, note->len - 1);
}

/* Prints a memory and its annotations, and updates `lasts`. */
static int draw_line(struct drawing *d, size_t index, struct error *e)
{
    const struct outline_line *line = &d->outline->line[index];
    bool has_children = index + 1 < d->outline->count && line[1].depth > line->depth;
    AUTO_STRBUF note = STRBUF_INIT;
    struct memory m;
    struct oneline b;
    struct row_label support = {.label = (enum label)d->t->labels.label[line->node],
                                .has_trust = true,
                                .trust = d->trust[index].value};
    int64_t row = graph_row(&d->t->graph, line->node);
    arena_clear(&d->arena);
    strbuf_cut(&d->lasts, line->depth);
    strbuf_addch(&d->lasts, line->last ? 'y' : 'n');
    bool repeated = line->circle || line->again; /* without its confidence */
    if (oneline_read(d->reader, &d->arena, row, support.label, &b, e) ||
        (!repeated && effective_fill(d->reader, &row, 1, &support, e)))
        return -1;
    size_t used = draw_prefix(d, line->depth, true);
    describe_line(&note, d, line, &b, effective_shown(&support), &d->trust[index]);
    if (!line->again && !line->circle && !STATUS_LIVES(b.row.status))
        strbuf_addstr(&note, note.len ? "  " : "");
    if (!line->again && !line->circle && describe_end(&note, d, &b, e))
        return -1;
    oneline_print(d->out, &b, d->agent, used, note.buf);
    if (line->again || line->circle || line->depth == 0 || !b.row.annotations)
        return 0;
    if (memory_read(d->reader, &d->arena, b.row.node, &m, e))
        return -1;
    /* Annotations are shown below their memory, but not followed. */
    for (size_t i = 0; i < m.annotation_count; i++) {
        used = draw_prefix(d, line->depth, false);
        const char *bar = !has_children ? "   " : d->out->ascii ? "|  " : "│  ";
        output_printf(d->out, STYLE_DIM, "%s", bar);
        output_rest(d->out, STYLE_DIM, m.annotations[i], used + 3);
    }
    return 0;
}

/* Reads several lines in one transaction, which costs less than one each. The transaction ends before anything is
 * written, since writing may block. `cut`: some lines are not drawn. */
static int draw_outline(struct drawing *d, bool cut, struct error *e)
{
    size_t count = d->outline->count;
    if (count <= 1 && !cut)
        strbuf_addstr(&d->out->text, "  nothing\n");
    for (size_t i = 0; count > 1 && i < count && !d->out->closed; i += LINES_AT_ONCE) {
        size_t end = count - i < LINES_AT_ONCE ? count : i + LINES_AT_ONCE;
        int result = reader_begin(d->reader, e);
        if (result)
            return -1;
        for (size_t k = i; k < end && !result; k++)
            result = draw_line(d, k, e);
        if (reader_done(d->reader, result) || output_row(d->out, e))
            return -1;
    }
    return 0;
}

/* Prints "↺ circle: belief:a → belief:b → belief:a" for each cycle. */
static int draw_cycles(struct drawing *d, const struct lineage *walk, struct error *e)
{
    for (size_t c = 0; c < walk->cycle_count; c++) {
        uint32_t first = walk->cycle_first[c], end = walk->cycle_first[c + 1];
        output_printf(d->out, STYLE_CIRCULAR, d->out->ascii ? "C circle: " : "↺ circle: ");
        for (uint32_t n = first; n <= end; n++) {
            struct oneline b;
            uint32_t node = walk->cycle[n < end ? n : first];
            arena_clear(&d->arena);
            if (oneline_read(d->reader, &d->arena, graph_row(&d->t->graph, node), LABEL_SUPPORTED,
                             &b, e))
                return -1;
            strbuf_addstr(&d->out->text, n == first ? "" : d->out->ascii ? " -> " : " → ");
            text_add(&d->out->text, b.ref, d->out->flags | TEXT_EXACT);
        }
        strbuf_addch(&d->out->text, '\n');
    }
    if (walk->cut)
        strbuf_addf(&d->out->text, "+%zu deeper: omit --depth to see all\n", walk->cut);
    return 0;
}

/* Prints the facts of the memory and the rule above the outline. */
static void print_head(struct drawing *d, const struct facts *facts)
{
    struct page page;
    page_for_output(&page, d->out);
    page.options.traced = true;
    facts_page(&page, facts, &page.options);
    if (d->t->direction == ANCESTORS)
        facts_put_based_on_heading(&page, facts);
    else
        page_section(&page, "used by", "");
    output_memory_page(d->out, &page, facts->memory.ref);
}

/* The traversal finds cycles and counts what is cut. The outline draws. */
static int print_walk(struct drawing *d, struct error *e)
{
    struct lineage walk;
    const struct trace *t = d->t;
    lineage_walk(&walk, &t->graph, t->root, t->direction, t->depth);
    int result = draw_outline(d, walk.cut > 0, e);
    if (!result)
        result = draw_cycles(d, &walk, e);
    lineage_release(&walk);
    return result;
}

int trace_print(struct output *out, struct reader *r, const struct trace *t, struct error *e)
{
    struct drawing d = {.out = out,
                        .reader = r,
                        .t = t,
                        .arena = ARENA_INIT,
                        .lasts = STRBUF_INIT,
                        .prefix = STRBUF_INIT};
    size_t levels = out->columns < COLUMNS_FOR_LEVEL ? 1 : out->columns / COLUMNS_FOR_LEVEL;
    d.levels = levels < LEVELS_DRAWN ? (uint32_t)levels : LEVELS_DRAWN;
    struct outline outline;
    outline_make(&outline, &t->graph, t->root, t->direction, t->depth, SIZE_MAX);
    d.outline = &outline;
    struct trust *trust = trust_of_outline(r, &t->graph, &outline, e);
    d.trust = trust;
    struct facts *facts =
        trust ? facts_read(r, graph_row(&t->graph, t->root), 1, true, trust, e) : NULL;
    int result = facts ? 0 : -1;
    if (facts) {
        d.agent = facts->memory.agent_id;
        print_head(&d, facts);
        result = print_walk(&d, e);
    }
    facts_free(facts);
    free(trust);
    outline_release(&outline);
    strbuf_release(&d.lasts);
    strbuf_release(&d.prefix);
    arena_release(&d.arena);
    return result;
}
