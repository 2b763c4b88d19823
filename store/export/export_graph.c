/*
 * Drawings of the lineage for Graphviz and Mermaid: a node for each memory, then an arrow from each memory to those
 * that are based on it, and from a memory to the one that replaced it.
 *
 * The two languages differ in a few words, which stand in a table.
 */
#include <stdio.h>
#include <string.h>
#include "model/base/utf8.h"
#include "store/export/export_internal.h"
#include "store/query/ref.h"

#define TITLE_MAX 60 /* characters of a text in a node */

/* What Mermaid draws unless its settings allow more. */
#define MERMAID_LINKS 500
#define MERMAID_BYTES 50000

enum walk {
    WALK_NODES,
    WALK_ARROWS
};

enum arrow {
    ARROW_PLAIN,
    ARROW_GUESSED,
    ARROW_ALL, /* one of several that count together */
    ARROW_REPLACES,
    ARROW_COUNT
};

struct language {
    const char *head, *foot;
    const char *node, *ended,
        *node_end; /* around a label; `ended` ends that of one that does not live */
    const char *line_break;
    const char *arrow[ARROW_COUNT]; /* between two names */
    const char *arrow_end[ARROW_COUNT];
};

static const struct language dot = {
    .head = "digraph stemma {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", "
            "fontsize=11];\n",
    .foot = "}\n",
    .node = " [label=\"",
    .node_end = "\"];\n",
    .ended = "\", style=dashed, fontcolor=gray50];\n",
    .line_break = "\\n",
    .arrow = {" -> ", " -> ", " -> ", " -> "},
    .arrow_end = {";\n", " [style=dashed, color=gray50, arrowhead=empty];\n",
                  " [dir=both, arrowtail=tee];\n", " [penwidth=3];\n"},
};

static const struct language mermaid = {
    .head = "flowchart LR\n  classDef ended stroke-dasharray:4,color:#888\n",
    .foot = "",
    .node = "[\"",
    .node_end = "\"]\n",
    .ended = "\"]:::ended\n",
    .line_break = "<br/>",
    .arrow = {" --> ", " -.-> ", " ==> ", " -- replaced by --> "},
    .arrow_end = {"\n", "\n", "\n", "\n"},
};

struct drawing {
    const struct language *language;
    int64_t links, bytes;
    struct row_index stubs; /* drawn so far */
};

/* ---- names and labels ---- */

static bool is_plain(char c)
{
    return (unsigned char)c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || strchr(" .,:-_/", c);
}

/* Appends what neither language takes as its own: in dot quotes and backslashes, in Mermaid everything but letters,
 * digits and a few signs is written by its number. */
static void add_escaped(const struct drawing *d, struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (d->language == &dot && strchr("\"\\", *text))
            strbuf_addf(out, "\\%c", *text);
        else if (d->language == &mermaid && !is_plain(*text))
            strbuf_addf(out, "#%d;", *text);
        else
            strbuf_addch(out, *text);
    }
}

static void add_label(struct export *x, const char *text)
{
    AUTO_STRBUF clean = STRBUF_INIT;
    export_add_title(x, &clean, text, TITLE_MAX);
    add_escaped(x->state, &x->out, clean.buf);
}

/* The name of a row: unlike a ref it needs no escapes, and is short. */
static void add_name(struct strbuf *out, int64_t row)
{
    strbuf_addf(out, "n%lld", (long long)row);
}

static void add_node(struct export *x, const struct memory *m)
{
    const struct drawing *d = x->state;
    strbuf_addstr(&x->out, "  ");
    add_name(&x->out, m->node);
    strbuf_addstr(&x->out, d->language->node);
    add_label(x, ref_short(x->reader, &x->arena, m->ref));
    strbuf_addstr(&x->out, d->language->line_break);
    add_label(x, m->text);
    strbuf_addstr(&x->out, STATUS_LIVES(m->status) ? d->language->node_end : d->language->ended);
    export_leave_out(x, PART_TEXT,
                     m->text[utf8_prefix(m->text, TITLE_MAX)] || strchr(m->text, '\n'));
}

/* A memory that was never written has a node as soon as an arrow needs it. */
static void add_stub(struct export *x, struct ref ref, int64_t row)
{
    struct drawing *d = x->state;
    size_t before = d->stubs.count;
    if (row_index_add(&d->stubs, row) != before)
        return;
    strbuf_addstr(&x->out, "  ");
    add_name(&x->out, row);
    strbuf_addstr(&x->out, d->language->node);
    add_label(x, ref_short(x->reader, &x->arena, ref));
    strbuf_addf(&x->out, "%s(missing)%s", d->language->line_break, d->language->ended);
}

/* ---- arrows ---- */

static void add_arrow(struct export *x, int64_t from, int64_t to, enum arrow kind)
{
    struct drawing *d = x->state;
    d->links++;
    strbuf_addstr(&x->out, "  ");
    add_name(&x->out, from);
    strbuf_addstr(&x->out, d->language->arrow[kind]);
    add_name(&x->out, to);
    strbuf_addstr(&x->out, d->language->arrow_end[kind]);
}

/* Draws what a link names, if it is not a memory of this export. */
static bool has_end(struct export *x, struct ref ref, int64_t row, enum status status)
{
    if (!export_has(x, row))
        return false;
    if (status == STATUS_MISSING)
        add_stub(x, ref, row);
    return true;
}

static void add_arrows(struct export *x, const struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++) {
        const struct justification *j = &m->justifications[i];
        enum arrow kind = j->recorded != RECORDED                     ? ARROW_GUESSED
                          : j->reading == READING_ALL && j->count > 1 ? ARROW_ALL
                                                                      : ARROW_PLAIN;
        for (size_t k = 0; k < j->count; k++)
            if (has_end(x, j->antecedents[k].ref, j->antecedents[k].node, j->antecedents[k].status))
                add_arrow(x, j->antecedents[k].node, m->node, kind);
    }
    for (size_t i = 0; i < m->relation_count; i++) {
        const struct relation *r = &m->relations[i];
        if (r->type == RELATION_SUPERSEDES && has_end(x, r->to, r->to_node, r->to_status))
            add_arrow(x, r->to_node, m->node, ARROW_REPLACES);
    }
}

/* Counts what is not drawn: links out of the part that is exported, and other relations. */
static void count_hidden(struct export *x, const struct memory *m)
{
    int64_t links = 0, relations = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            links += !export_has(x, m->justifications[i].antecedents[k].node);
    for (size_t i = 0; i < m->relation_count; i++)
        relations +=
            m->relations[i].type != RELATION_SUPERSEDES || !export_has(x, m->relations[i].to_node);
    export_leave_out(x, PART_LINK, links);
    export_leave_out(x, PART_RELATION, relations);
}

/* ---- the format ---- */

static int begin(struct export *x, struct error *e)
{
    (void)e;
    if (x->walk == WALK_NODES) {
        struct drawing *d = x->state = arena_alloc(&x->kept, sizeof(*d));
        d->language = x->format == &export_as_mermaid ? &mermaid : &dot;
        strbuf_addstr(&x->out, d->language->head);
    }
    return 0;
}

static int draw(struct export *x, const struct memory *m, struct error *e)
{
    struct drawing *d = x->state;
    (void)e;
    if (x->walk == WALK_NODES) {
        add_node(x, m);
        count_hidden(x, m);
    } else {
        add_arrows(x, m);
    }
    d->bytes += (int64_t)x->out.len;
    return 0;
}

static int end(struct export *x, struct error *e)
{
    const struct drawing *d = x->state;
    (void)e;
    if (x->walk != WALK_ARROWS)
        return 0;
    strbuf_addstr(&x->out, d->language->foot);
    if (d->language == &mermaid && (d->links > MERMAID_LINKS || d->bytes > MERMAID_BYTES))
        snprintf(x->result->note, sizeof(x->result->note),
                 "it has %lld links and %lld bytes; Mermaid draws %d and %d, unless its settings "
                 "maxEdges and "
                 "maxTextSize allow more",
                 (long long)d->links, (long long)d->bytes, MERMAID_LINKS, MERMAID_BYTES);
    return 0;
}

static void release(struct export *x)
{
    struct drawing *d = x->state;
    if (d)
        row_index_release(&d->stubs);
}

/* What both drawings have. */
#define DRAWING                                                                                    \
    .kinds = KINDS_ALL, .statuses = STATUSES_ALL, .walks = 2, .begin = begin, .memory = draw,      \
    .end = end, .close = release,                                                                  \
    .parts = 1u << PART_STATUS | 1u << PART_LINK | 1u << PART_ALL | 1u << PART_RECORDED |          \
             1u << PART_RELATION

const struct export_format export_as_dot = {
    .name = "dot", .about = "a drawing of the lineage for Graphviz", DRAWING};

const struct export_format export_as_mermaid = {
    .name = "mermaid", .about = "the same for Mermaid, as markdown pages embed it", DRAWING};
