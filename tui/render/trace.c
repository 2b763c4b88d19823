#include "tui/render/trace.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/clock.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/render/brief.h"
#include "tui/text/text.h"

/* By the direction in which the outline goes: against the edges, along them. */
static const char *const roles[STROKE_COUNT][2] = {
    [STROKE_GUESSED] = {"guessed for", "guessed"},
    [STROKE_EVIDENCE] = {"evidence for", "evidence"},
    [STROKE_REINFORCED] = {"reinforces", "reinforced by"},
    [STROKE_DERIVED] = {"", ""},
    [STROKE_ALL] = {"all for", "all of"},
    [STROKE_SUPERSEDES] = {"superseded by", "supersedes"},
};

static size_t digits_of(size_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/*
 * "│  ├─ ": three columns for each level but the root's. What decides is gathered from the line
 * outwards and written from the root inwards.
 */
static size_t add_tree(struct strbuf *out, const struct outline_text *t,
                       const struct picture_line *line)
{
    struct strbuf lasts = STRBUF_INIT; /* for each level, from the line outwards */
    uint32_t depth = line->depth;
    if (t->levels && depth > t->levels) {
        strbuf_addf(out, t->ascii ? "... %u > " : "… %u › ", (unsigned)depth);
        return (t->ascii ? 7 : 5) + digits_of(depth);
    }
    for (const struct picture_line *l = line; l->parent != PICTURE_NONE;
         l = &t->outline->line[l->parent])
        strbuf_addch(&lasts, l->last ? 'y' : 'n');
    for (size_t level = lasts.len; level-- > 0;) {
        bool last = lasts.buf[level] == 'y';
        if (level == 0)
            strbuf_addstr(out, t->ascii ? (last ? "`- " : "|- ") : last ? "└─ " : "├─ ");
        else
            strbuf_addstr(out, last ? "   " : t->ascii ? "|  " : "│  ");
    }
    strbuf_release(&lasts);
    return 3 * (size_t)depth;
}

/* What follows the label; all of it is one column wide each character. */
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

/* How many columns there are for the label, where so many are taken up by all else. */
static size_t label_room(const struct outline_text *t, size_t taken)
{
    if (t->columns == 0)
        return SIZE_MAX;
    return t->columns < taken + OUTLINE_LABEL ? OUTLINE_LABEL : t->columns - taken;
}

void outline_text_add(struct strbuf *out, const struct outline_text *t, size_t line,
                      struct outline_place *place)
{
    const struct picture_line *l = &t->outline->line[line];
    struct strbuf note = STRBUF_INIT;
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
    size_t columns = t->label(t->of, l->node, label_room(t, column + note_columns), out);
    strbuf_add(out, note.buf, note.len);
    strbuf_release(&note);
    if (place)
        *place = (struct outline_place){column, columns};
}

/*
 * A trace for people, in the words of the specification of lineage: what it says, how its
 * confidence came about, and an outline of what it rests on or carries.
 */

/* Levels that are drawn, at most and for so many columns one; a deeper one is named by its number,
 * or a chain of 5,000 would be a picture of blanks. */
#define LEVELS_DRAWN      20
#define COLUMNS_FOR_LEVEL 6
#define LINES_AT_ONCE     256
#define EVIDENCE_WIDTH    60 /* columns of what the evidence says */

struct drawing {
    struct output *out;
    struct reader *reader;
    const struct trace *t;
    const struct outline *outline;
    const char *agent;   /* of the memory at the root */
    struct strbuf lasts; /* for each level of the path: was its line the last of its siblings? */
    struct strbuf prefix;
    uint32_t levels; /* that are drawn */
    struct arena arena;
};

/* ---- the head: what it says, its confidence and how that came about ---- */

static const char *arrow(const struct output *out)
{
    return out->ascii ? " -> " : " → ";
}

/* What an entry of the memory's own history was. */
enum change {
    CHANGE_NONE = 0, /* no number, or another system's audit: not its confidence */
    CHANGE_CREATED,  /* from nothing: how it came about */
    CHANGE_REINFORCED,
    CHANGE_OTHER,
};

static bool begins(const char *reason, const char *word)
{
    return reason && strncmp(reason, word, strlen(word)) == 0;
}

/* A reinforcement names its evidence, or says that it is one; a note, a verification or a decay
 * changes the confidence, too. */
static enum change change_of(const struct memory *m, size_t index)
{
    const struct history_entry *h = &m->history[index];
    if (h->origin || isnan(h->new_) || isnan(h->old))
        return CHANGE_NONE;
    bool first = true;
    for (size_t i = 0; i < index && first; i++)
        first = m->history[i].origin != NULL;
    if (first && h->old == 0)
        return CHANGE_CREATED;
    bool said =
        h->evidence_source || begins(h->reason, "Reinforced") || begins(h->reason, "Confirmed");
    return said && h->new_ >= h->old ? CHANGE_REINFORCED : CHANGE_OTHER;
}

static const char *origin_word(const struct memory *m)
{
    return m->source_type && strcmp(m->source_type, "seed") == 0 ? "seed" : "created";
}

/* "Title: " and what it says, further lines further in. */
static void head_line(struct output *out, const char *title, struct strbuf *line)
{
    strbuf_addf(&out->text, "%s: ", title);
    output_flow(out, line->buf, strlen(title) + 2);
    strbuf_release(line);
}

/* How many entries were what. */
struct changes {
    size_t of[CHANGE_OTHER + 1];
};

static struct changes count_changes(const struct memory *m)
{
    struct changes c = {{0}};
    for (size_t i = 0; i < m->history_count; i++)
        c.of[change_of(m, i)]++;
    return c;
}

/* "0.70 → 0.713 → 0.87": each value once; where an entry does not go on from the one before, a
 * comma stands between. */
static void add_values(struct output *out, struct strbuf *line, const struct memory *m)
{
    double before = NAN;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        enum change change = change_of(m, i);
        bool goes_on = fabs(h->old - before) < 0.0006;
        if (change == CHANGE_NONE || (goes_on && h->old == h->new_))
            continue;
        if (!goes_on) {
            strbuf_addstr(line, line->len ? ", " : "");
            if (change == CHANGE_CREATED)
                strbuf_addstr(line, origin_word(m));
            else
                add_confidence(line, h->old);
        }
        if (h->old != h->new_) {
            strbuf_addstr(line, arrow(out));
            add_confidence(line, h->new_);
        }
        before = h->new_;
    }
}

/* "0.85 → 0.87 (reinforced)", or "0.65 (seed → 0.65)" where it never changed. */
static void confidence_line(struct output *out, const struct memory *m)
{
    struct strbuf line = STRBUF_INIT;
    struct changes c = count_changes(m);
    if (c.of[CHANGE_REINFORCED] + c.of[CHANGE_OTHER] > 0) {
        add_values(out, &line, m);
        strbuf_addf(&line, " (%s%s%s)", c.of[CHANGE_REINFORCED] ? "reinforced" : "",
                    c.of[CHANGE_REINFORCED] && c.of[CHANGE_OTHER] ? ", " : "",
                    c.of[CHANGE_OTHER] ? "changed" : "");
    } else {
        add_confidence(&line, m->confidence);
        strbuf_addf(&line, " (%s%s", origin_word(m), arrow(out));
        add_confidence(&line, m->confidence);
        strbuf_addch(&line, ')');
    }
    head_line(out, "Confidence", &line);
}

static void source_line(struct output *out, const struct memory *m)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addstr(&line, m->source_type ? m->source_type : "unknown");
    if (m->source)
        strbuf_addf(&line, ": %s", m->source);
    for (size_t i = 0; i < m->annotation_count; i++)
        strbuf_addf(&line, "%s%s", i ? ", " : " (", m->annotations[i]);
    strbuf_addstr(&line, m->annotation_count ? ")" : "");
    head_line(out, "Source", &line);
}

/* "Belief: “…”", in the words of the specification of lineage. */
static void text_line(struct output *out, const struct memory *m)
{
    const char *kind = kind_name(m->ref.kind);
    strbuf_addf(&out->text, "%c%s: ", toupper((unsigned char)*kind), kind + 1);
    output_hanging(out, m->text ? m->text : "", strlen(kind) + 2, out->columns);
}

/* "Processed: into belief:cf00b4ce, note:5c6270a0": of a raw, what it became. */
static void processed_line(struct output *out, struct reader *r, const struct memory *m)
{
    struct strbuf line = STRBUF_INIT;
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == RELATION_PROCESSED_INTO)
            strbuf_addf(&line, "%s%s", line.len ? ", " : "into ",
                        short_ref(r, &arena, m->relations[i].to));
    if (line.len)
        head_line(out, "Processed", &line);
    strbuf_release(&line);
    arena_release(&arena);
}

static void head_lines(struct output *out, struct reader *r, const struct memory *m,
                       const struct trace *t)
{
    enum label label = (enum label)t->labels.label[t->root];
    struct strbuf created = STRBUF_INIT, state = STRBUF_INIT;
    output_ref(out, STYLE_STRONG, m->ref);
    strbuf_addch(&out->text, '\n');
    if (m->status == STATUS_MISSING) {
        strbuf_addstr(&out->text, "Named by others, and never written here.\n");
        return;
    }
    text_line(out, m);
    confidence_line(out, m);
    source_line(out, m);
    add_time(&created, m->created_at, out->now);
    if (m->agent_id)
        strbuf_addstr(&created, ", by "), text_add(&created, m->agent_id, TEXT_EXACT);
    head_line(out, "Created", &created);
    strbuf_addf(&state, "%s %s", mark_of_label(label, out->ascii),
                label == LABEL_GONE ? status_name(m->status) : label_name(label));
    strbuf_addstr(&out->text, "State: ");
    output_led(out, STYLE_OF_LABEL(label), state.buf, "", 7);
    processed_line(out, r, m);
    strbuf_release(&state);
}

/* What bears it out: its ref and how it begins, where it is a memory; else as it was given. */
static void add_evidence(struct drawing *d, struct strbuf *line, const char *source)
{
    struct error e; /* the ref says enough */
    struct ref ref;
    struct memory_row row;
    strbuf_addf(line, " from %s", short_source(d->reader, &d->arena, source));
    int64_t node =
        ref_parse(source, &ref) == REF_MEMORY ? ref_find(reader_db(d->reader), ref, &e) : 0;
    if (node <= 0 || memory_row_read(d->reader, &d->arena, node, &row, &e) || !row.text)
        return;
    strbuf_addstr(line, d->out->ascii ? " \"" : " “");
    text_fit(line, row.text, strlen(row.text), EVIDENCE_WIDTH, d->out->flags);
    strbuf_addstr(line, d->out->ascii ? "\"" : "”");
}

/* "Reinforced: 2026-02-01 … (3w)  0.85 → 0.87 from episode:52a8b0c0 “Skipped staging”: because" */
static void history_line(struct drawing *d, const struct memory *m, size_t index)
{
    static const char *const words[] = {[CHANGE_CREATED] = "Created",
                                        [CHANGE_REINFORCED] = "Reinforced",
                                        [CHANGE_OTHER] = "Changed"};
    const struct history_entry *h = &m->history[index];
    enum change change = change_of(m, index);
    struct strbuf line = STRBUF_INIT;
    arena_clear(&d->arena);
    strbuf_addf(&line, "%s: ", words[change]);
    add_time(&line, h->at, d->out->now);
    strbuf_addstr(&line, "  ");
    if (change == CHANGE_CREATED)
        strbuf_addstr(&line, origin_word(m));
    else
        add_confidence(&line, h->old);
    strbuf_addstr(&line, arrow(d->out));
    add_confidence(&line, h->new_);
    if (h->evidence_source)
        add_evidence(d, &line, h->evidence_source);
    if (h->reason)
        strbuf_addf(&line, ": %s", h->reason);
    strbuf_addstr(&d->out->text, "  ");
    output_flow(d->out, line.buf, 4);
    strbuf_release(&line);
}

static void add_count(struct strbuf *line, size_t count, const char *one, const char *before)
{
    if (count)
        strbuf_addf(line, "%s%zu %s%s", before, count, one, count == 1 ? "" : "s");
}

/* Each change of confidence with its evidence. */
static void history_lines(struct drawing *d, const struct memory *m)
{
    struct changes c = count_changes(m);
    struct strbuf line = STRBUF_INIT;
    if (c.of[CHANGE_CREATED] + c.of[CHANGE_REINFORCED] + c.of[CHANGE_OTHER] == 0)
        return;
    output_printf(d->out, STYLE_STRONG, "\nHistory:\n");
    for (size_t i = 0; i < m->history_count; i++)
        if (change_of(m, i) != CHANGE_NONE)
            history_line(d, m, i);
    add_confidence(&line, m->confidence);
    add_count(&line, c.of[CHANGE_REINFORCED], "reinforcement", " after ");
    add_count(&line, c.of[CHANGE_OTHER], "change", c.of[CHANGE_REINFORCED] ? " and " : " after ");
    head_line(d->out, "  Current", &line);
}

/* ---- the outline ---- */

/* What stands before a line at `depth`; `tee`: the line is a memory and not a remark below one. */
static size_t draw_prefix(struct drawing *d, uint32_t depth, bool tee)
{
    const struct output *out = d->out;
    size_t width = 0;
    strbuf_clear(&d->prefix);
    if (depth > d->levels) {
        strbuf_addf(&d->prefix, out->ascii ? "... %u > " : "… %u › ", (unsigned)depth);
        width = text_width(d->prefix.buf, d->prefix.len, SIZE_MAX - 1, 0);
    }
    for (uint32_t level = 1; depth <= d->levels && level <= depth; level++, width += 3) {
        bool last = d->lasts.buf[level] == 'y';
        if (level == depth && tee)
            strbuf_addstr(&d->prefix, out->ascii ? (last ? "`- " : "|- ") : last ? "└─ " : "├─ ");
        else
            strbuf_addstr(&d->prefix, last ? "   " : out->ascii ? "|  " : "│  ");
    }
    output_printf(d->out, STYLE_DIM, "%s", d->prefix.buf);
    return width;
}

/* What the link that leads here says of itself, where it is not simply "derived from". */
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
        strbuf_addf(note, "%s  ", recorded_name(SHAPE_RECORDED(shape)));
}

/* What matters most stands first: a narrow terminal cuts the end. */
static void describe_line(struct strbuf *note, const struct drawing *d,
                          const struct outline_line *line, const struct brief *b)
{
    const char *mark = d->out->ascii ? "" : line->circle ? "↺ " : "↑ ";
    bool repeated = line->circle || line->again;
    if (repeated)
        strbuf_addf(note, "%s%s  ", mark, line->circle ? "circle" : "above");
    else if (line->more > 0)
        strbuf_addf(note, "+%u deeper  ", (unsigned)line->more);
    describe_link(note, d, line);
    if (!repeated && STATUS_LIVES(b->row.status))
        add_confidence(note, b->row.confidence);
    while (note->len > 0 && note->buf[note->len - 1] == ' ')
        strbuf_cut(note, note->len - 1);
}

/* Annotations are shown, never walked: each on a line of its own below its memory. */
static void draw_annotations(struct drawing *d, const struct memory *m, uint32_t depth,
                             bool has_children)
{
    for (size_t i = 0; i < m->annotation_count; i++) {
        size_t used = draw_prefix(d, depth, false);
        const char *bar = !has_children ? "   " : d->out->ascii ? "|  " : "│  ";
        output_printf(d->out, STYLE_DIM, "%s", bar);
        output_rest(d->out, STYLE_DIM, m->annotations[i], used + 3);
    }
}

/* A memory, then its annotations. `lasts` remembers for each level of the path whether more
 * siblings follow, which decides where a bar is drawn. */
static int draw_line(struct drawing *d, size_t index, struct error *e)
{
    const struct outline_line *line = &d->outline->line[index];
    bool has_children = index + 1 < d->outline->count && line[1].depth > line->depth;
    struct strbuf note = STRBUF_INIT;
    struct memory m;
    struct brief b;
    arena_clear(&d->arena);
    strbuf_cut(&d->lasts, line->depth);
    strbuf_addch(&d->lasts, line->last ? 'y' : 'n');
    if (brief_read(d->reader, &d->arena, graph_row(&d->t->graph, line->node),
                   (enum label)d->t->labels.label[line->node], &b, e))
        return -1;
    size_t used = draw_prefix(d, line->depth, true);
    describe_line(&note, d, line, &b);
    brief_print(d->out, &b, d->agent, used, note.buf);
    strbuf_release(&note);
    if (line->again || line->circle || line->depth == 0 || !b.row.annotations)
        return 0;
    if (memory_read(d->reader, &d->arena, b.row.node, &m, e))
        return -1;
    draw_annotations(d, &m, line->depth, has_children);
    return 0;
}

/* Some lines in one transaction, for one of their own for each would cost more than the reading; it
 * ends before anything is written, which may have to wait. */
static int draw_lines(struct drawing *d, size_t from, size_t to, struct error *e)
{
    int result = reader_begin(d->reader, e);
    if (result)
        return -1;
    for (size_t i = from; i < to && !result; i++)
        result = draw_line(d, i, e);
    reader_end(d->reader);
    return result;
}

/* `cut`: there is more, though it is not drawn. */
static int draw_outline(struct drawing *d, bool cut, struct error *e)
{
    size_t count = d->outline->count;
    if (count <= 1 && !cut)
        strbuf_addstr(&d->out->text, "  nothing\n");
    for (size_t i = 0; count > 1 && i < count && !d->out->closed; i += LINES_AT_ONCE) {
        size_t end = count - i < LINES_AT_ONCE ? count : i + LINES_AT_ONCE;
        if (draw_lines(d, i, end, e) || output_row(d->out, e))
            return -1;
    }
    return 0;
}

/* "↺ circle: belief:a → belief:b → belief:a" for each. */
static int draw_cycles(struct drawing *d, const struct lineage *walk, struct error *e)
{
    for (size_t c = 0; c < walk->cycle_count; c++) {
        uint32_t first = walk->cycle_first[c], end = walk->cycle_first[c + 1];
        output_printf(d->out, STYLE_CIRCULAR, d->out->ascii ? "C circle: " : "↺ circle: ");
        for (uint32_t n = first; n <= end; n++) {
            struct brief b;
            uint32_t node = walk->cycle[n < end ? n : first];
            arena_clear(&d->arena);
            if (brief_read(d->reader, &d->arena, graph_row(&d->t->graph, node), LABEL_GROUNDED, &b,
                           e))
                return -1;
            strbuf_addstr(&d->out->text, n > first ? arrow(d->out) : "");
            text_add(&d->out->text, b.ref, d->out->flags | TEXT_EXACT);
        }
        strbuf_addch(&d->out->text, '\n');
    }
    if (walk->cut)
        strbuf_addf(&d->out->text, "+%zu deeper: leave --depth out to see all\n", walk->cut);
    return 0;
}

/* The walk finds circles and counts what is cut; the outline draws. */
static int print_walk(struct drawing *d, struct outline *outline, struct error *e)
{
    struct lineage walk;
    const struct trace *t = d->t;
    lineage_walk(&walk, &t->graph, t->root, t->direction, t->depth);
    outline_make(outline, &t->graph, t->root, t->direction, t->depth, SIZE_MAX);
    output_printf(d->out, STYLE_STRONG, "\n%s:\n",
                  t->direction == ANCESTORS ? "Rests on" : "Carries");
    d->outline = outline;
    int result = draw_outline(d, walk.cut > 0, e);
    if (!result)
        result = draw_cycles(d, &walk, e);
    outline_release(outline);
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
    struct arena arena = ARENA_INIT;
    struct memory m;
    struct outline outline;
    size_t levels = out->columns / COLUMNS_FOR_LEVEL;
    d.levels = levels < LEVELS_DRAWN ? (uint32_t)levels : LEVELS_DRAWN;
    int result = memory_read(r, &arena, graph_row(&t->graph, t->root), &m, e);
    if (!result) {
        d.agent = m.agent_id;
        head_lines(out, r, &m, t);
        history_lines(&d, &m);
        result = print_walk(&d, &outline, e);
    }
    strbuf_release(&d.lasts);
    strbuf_release(&d.prefix);
    arena_release(&d.arena);
    arena_release(&arena);
    return result;
}
