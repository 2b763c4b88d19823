/*
 * Rows come in batches: a batch is read in one transaction, measured, printed, and forgotten, so a
 * list of a million costs no more memory than one of a hundred.
 */
#include "tui/render/listing.h"

#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "store/json/answer.h"
#include "tui/render/aspect.h"
#include "tui/render/brief.h"
#include "tui/text/text.h"

#define WIDEST_REF       32
#define WIDEST_SOURCE    16
#define WIDEST_AGENT     16
#define AGE_WIDTH        4
#define CONFIDENCE_WIDTH 4
#define LEAST_TEXT       30 /* columns; rather than less, the others give way */

/* A row with its cells made. */
struct listed {
    struct memory_row row;
    struct row_label label;
    const char *ref, *source;
    char holds[32], age[32], confidence[16];
};

int listing_open(struct listing *l, struct output *out, struct reader *r, size_t expected,
                 const char *agent, struct error *e)
{
    bool many = false;
    *l = (struct listing){.out = out, .reader = r, .arena = ARENA_INIT};
    if (labelling_open(&l->labelling, r, expected, e))
        return -1;
    /* What comes in one batch shows by itself whose it is; only a longer list has to ask. */
    if (!agent && !out->json && expected > LISTING_BATCH && list_several_agents(r, &many, e))
        return -1;
    l->agents = agent ? AGENTS_HIDE : many ? AGENTS_SHOW : AGENTS_IF_MANY;
    return 0;
}

void listing_close(struct listing *l)
{
    labelling_close(&l->labelling);
    arena_release(&l->arena);
}

/* Makes all cells of a row but its text. */
static int read_listed(struct listing *l, int64_t node, const struct row_label *label,
                       struct listed *x, struct error *e)
{
    if (memory_row_read(l->reader, &l->arena, node, &x->row, e))
        return -1;
    x->label = *label;
    x->ref = short_ref(l->reader, &l->arena, x->row.ref);
    x->source = x->row.source_type ? source_type_label(x->row.source_type) : "";
    if (l->aspects && !(x->source = aspect_read(l->reader, &l->arena, node, e)))
        return -1;
    snprintf(x->confidence, sizeof(x->confidence), "%.2f", x->row.confidence);
    if (label->justs)
        snprintf(x->holds, sizeof(x->holds), "%u/%u", (unsigned)label->holds,
                 (unsigned)label->justs);
    else
        snprintf(x->holds, sizeof(x->holds), "%s", l->out->ascii ? "-" : "–");
    clock_format_age(x->age, sizeof(x->age), l->by_update ? x->row.updated_at : x->row.created_at,
                     l->out->now);
    return 0;
}

static void widen(size_t *width, const char *s, size_t most)
{
    size_t w = text_width(s, strlen(s), most, TEXT_EXACT);
    if (w > *width)
        *width = w < most ? w : most;
}

/* Leaves columns out until the text has room, the least telling first. */
static void make_room(struct listing *l)
{
    size_t *origins[] = {&l->source_width, &l->holds_width, &l->agent_width, &l->confidence_width,
                         &l->age_width};
    size_t *aspects[] = {&l->holds_width, &l->confidence_width, &l->agent_width, &l->source_width,
                         &l->age_width};
    size_t **columns = l->aspects ? aspects : origins;
    size_t count = sizeof(origins) / sizeof(origins[0]);
    size_t taken = 3 + l->ref_width + 2;
    for (size_t i = 0; i < count; i++)
        taken += *columns[i] ? *columns[i] + 2 : 0;
    for (size_t i = 0; i < count && taken + LEAST_TEXT > l->out->columns; i++) {
        taken -= *columns[i] ? *columns[i] + 2 : 0;
        *columns[i] = 0;
    }
}

/* NULL is an agent of its own: a memory that says of no one whose it is. */
static bool same_agent(const struct listed *a, const struct listed *b)
{
    const char *x = a->row.agent_id, *y = b->row.agent_id;
    return x && y ? strcmp(x, y) == 0 : x == y;
}

/* From the first batch, and for good: a column that changed its width further down would be no
 * column. */
static void measure(struct listing *l, const struct listed *rows, size_t count)
{
    if (l->measured || count == 0)
        return;
    l->measured = true;
    for (size_t i = 1; l->agents == AGENTS_IF_MANY && i < count; i++)
        if (!same_agent(&rows[0], &rows[i]))
            l->agents = AGENTS_SHOW;
    for (size_t i = 0; i < count; i++) {
        widen(&l->ref_width, rows[i].ref, WIDEST_REF);
        widen(&l->source_width, rows[i].source, l->aspects ? ASPECT_WIDEST : WIDEST_SOURCE);
        widen(&l->holds_width, rows[i].holds, 12);
        if (l->agents == AGENTS_SHOW)
            widen(&l->agent_width, rows[i].row.agent_id ? rows[i].row.agent_id : "", WIDEST_AGENT);
    }
    l->confidence_width = CONFIDENCE_WIDTH;
    l->age_width = AGE_WIDTH;
    make_room(l);
}

static void print_row(struct listing *l, const struct listed *x)
{
    const struct memory_row *row = &x->row;
    char status[32] = "";
    size_t used = 0;
    used += output_column(l->out, STYLE_OF_LABEL(x->label.label),
                          mark_of_label(x->label.label, l->out->ascii), 1, 0);
    used += output_column(l->out, STYLE_DIM, x->ref, l->ref_width, TEXT_EXACT);
    used += output_column(l->out, STYLE_TEXT, x->confidence, l->confidence_width, 0);
    used += output_column(l->out, STYLE_TEXT, x->holds, l->holds_width, TEXT_RIGHT);
    used += output_column(l->out, STYLE_TEXT, x->source, l->source_width, TEXT_EXACT);
    if (l->agents == AGENTS_SHOW)
        used += output_column(l->out, STYLE_TEXT, row->agent_id ? row->agent_id : "",
                              l->agent_width, TEXT_EXACT);
    used += output_column(l->out, STYLE_DIM, x->age, l->age_width, TEXT_RIGHT);
    if (row->status != STATUS_ACTIVE) { /* in a tone that no text has */
        snprintf(status, sizeof(status), "[%s] ", status_name(row->status));
        output_printf(l->out, STYLE_DIM, "%s", status);
    }
    output_rest(l->out, STYLE_TEXT, row->text ? row->text : "", used + strlen(status));
}

/* A row of a list holds only the beginning of a long text; where nothing is cut, all is read. */
static int read_all_text(struct listing *l, struct listed *x, struct error *e)
{
    struct memory m;
    if (!x->row.text_cut || l->out->columns != SIZE_MAX)
        return 0;
    if (memory_read(l->reader, &l->arena, x->row.node, &m, e))
        return -1;
    x->row.text = m.text;
    return 0;
}

static int print_rows(struct listing *l, const int64_t *rows, const struct row_label *labels,
                      size_t count, struct error *e)
{
    struct listed *listed = arena_array(&l->arena, count ? count : 1, sizeof(*listed));
    if (!listed)
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory for the list");
    for (size_t i = 0; i < count; i++)
        if (read_listed(l, rows[i], &labels[i], &listed[i], e) || read_all_text(l, &listed[i], e))
            return -1;
    measure(l, listed, count);
    for (size_t i = 0; i < count; i++)
        print_row(l, &listed[i]);
    return 0;
}

/* JSON is the whole memory, which may be large: each is flushed before the next is read. */
static int print_json(struct listing *l, const int64_t *rows, const struct row_label *labels,
                      size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        arena_clear(&l->arena);
        if (answer_labelled(l->reader, &l->arena, rows[i], labels[i].label, &l->out->text, e))
            return -1;
        strbuf_addch(&l->out->text, '\n');
        if (output_row(l->out, e))
            return -1;
    }
    return 0;
}

int listing_print(struct listing *l, const int64_t *rows, const struct row_label *labels,
                  size_t count, struct error *e)
{
    if (l->out->json)
        return print_json(l, rows, labels, count, e);
    arena_clear(&l->arena);
    if (reader_begin(l->reader, e))
        return -1;
    int result = print_rows(l, rows, labels, count, e);
    reader_end(l->reader);
    return result ? -1 : output_row(l->out, e);
}
