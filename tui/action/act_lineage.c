/* Actions in the drawing of a lineage and in a chain of thought. */
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "model/reasoning/citation.h"
#include "store/record/get.h"
#include "tui/action/action.h"
#include "tui/chart/chart.h"
#include "tui/render/chain_page.h"
#include "tui/text/text.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/chain/chain_views.h"
#include "tui/view/graph/graph_view.h"
#include "tui/view/graph/lineage_view.h"
#include "tui/view/memory/memory_views.h"
#include "tui/view/views.h"

/* ---- the drawing ---- */

void act_expand_side(struct app *x, const char *argument, int side)
{
    (void)argument;
    graph_view_expand_side(graph_of(x->nav.top), (enum direction)side);
}

void act_tidy(struct view *top)
{
    graph_view_load(graph_of(top), ARRIVE_IN_PLACE, NULL);
    ui_message(top->ui, "laid out again");
}

void act_dots(struct view *top)
{
    struct graph_view *g = graph_of(top);
    graph_view_set_dots(g, !g->dots);
}

void act_legend(struct view *top)
{
    struct graph_view *g = graph_of(top);
    g->legend = (enum graph_legend)((g->legend + 1) % (LEGEND_NONE + 1));
}

/* The same memory again: the next kind, then none. Keystones are those of the drawing, whatever the cursor is on. */
void act_highlight(struct view *top)
{
    struct graph_view *g = graph_of(top);
    int64_t row = view_node(top);
    bool next = g->highlight.row &&
                (row == g->highlight.row || row == 0 || g->highlight.kind == HIGHLIGHT_KEYSTONES);
    enum highlight kind = (enum highlight)(g->highlight.kind + next);
    if (kind < HIGHLIGHTS) {
        graph_view_ask_highlight(g, kind, row ? row : g->highlight.row);
        return;
    }
    graph_view_ask_highlight(g, 0, 0);
    ui_message(top->ui, "nothing is highlighted any more");
}

const char *blocked_highlight(struct app *x)
{
    return view_node(x->nav.top) > 0 || graph_of(x->nav.top)->highlight.row
               ? NULL
               : "there is no memory here";
}

/* ---- drawing or outline ---- */

static void style_chosen(struct app *x, const struct popup_item *item)
{
    lineage_draw_as(x, (enum chart_style)item->value);
}

void act_draw_as(struct app *x, const char *argument)
{
    static const struct choice styles[CHART_STYLES] = {
        {'a', "auto", "what fits", CHART_AUTO},
        {'l', "lr", "from left to right", CHART_LR},
        {'L', "lr-box", "from left to right, in boxes", CHART_LR_BOX},
        {'t', "tb", "from top to bottom", CHART_TB},
        {'T', "tb-box", "from top to bottom, in boxes", CHART_TB_BOX},
        {'o', "outline", "an outline", CHART_OUTLINE},
    };
    popup_by_name(&x->ui.popup, argument, "how lineage is drawn", styles, CHART_STYLES,
                  x->prefs.graph_style, style_chosen);
}

static const struct {
    const char *name, *what;
} formats[GRAPH_FORMATS] = {
    [GRAPH_TEXT] = {"text", "the drawing"},
    [GRAPH_DOT] = {"dot", "the drawing for Graphviz"},
    [GRAPH_JSON] = {"json", "the drawing as JSON"},
};

/* ---- exporting ---- */

static void add_text(struct graph_view *g, struct strbuf *out)
{
    struct ui *ui = g->view.ui;
    struct output text = {.text = STRBUF_INIT,
                          .ascii = !ui->screen.utf8,
                          .columns = SIZE_MAX,
                          .flags = ui->screen.utf8 ? 0 : TEXT_ASCII,
                          .now = ui->ages_from};
    graph_text_print(&text, &g->drawing->chart, g->show);
    strbuf_add(out, text.text.buf, text.text.len);
    strbuf_release(&text.text);
}

static int add_json(struct graph_view *g, struct strbuf *out, struct error *e)
{
    struct reader *r = g->view.ui->data->reader;
    if (reader_begin(r, e))
        return -1;
    int result = graph_json_add(out, r, &g->drawing->chart, g->show, e);
    reader_end(r);
    strbuf_addch(out, '\n');
    return result;
}

const char *graph_format_name(int i)
{
    return i < GRAPH_FORMATS ? formats[i].name : NULL;
}

const char *graph_format_about(int i)
{
    return formats[i].what;
}

int lineage_make(struct app *x, enum graph_format format, struct strbuf *out, struct error *e)
{
    struct graph_view *g = graph_of(x->nav.top);
    if (!drawing_is_drawn(g->drawing))
        return error_set(e, ERROR_INVALID, "Wait a moment.", "the drawing is not ready yet");
    if (format == GRAPH_TEXT)
        add_text(g, out);
    else if (format == GRAPH_DOT)
        graph_dot_add(out, &g->drawing->chart, g->drawing->chart.layout.options.flow == FLOW_DOWN);
    return format == GRAPH_JSON ? add_json(g, out, e) : 0;
}

void lineage_yank(struct app *x, enum graph_format format)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct error e;
    if (lineage_make(x, format, &out, &e))
        ui_error(&x->ui, &e);
    else
        yank_copy(x, formats[format].what, out.buf, out.len);
}

/* ---- chains of thought ---- */

void act_go_to_use(struct app *x, const char *argument, int way)
{
    bool along_step = way == NEXT_USE || way == PREVIOUS_USE;
    int direction = way == NEXT_USE || way == NEXT_USER ? 1 : -1;
    (void)argument;
    if (!chain_view_go_to_use(chain_of(x->nav.top), direction, along_step))
        ui_message(&x->ui, along_step ? "the step used no source after this one"
                                      : "no step after this one used it");
}

void act_column(struct app *x, const char *argument, int last)
{
    (void)argument;
    chain_view_go_to_column(chain_of(x->nav.top), last ? SIZE_MAX - 1 : 0);
}

void act_by_confidence(struct view *top)
{
    bool on;
    if (view_is_step(top)) {
        on = step_view_by_confidence(top);
    } else {
        struct chain_view *c = chain_of(top);
        on = c->by_confidence = !c->by_confidence;
    }
    ui_message(top->ui, on ? "each relevance is followed by its product with the step's confidence"
                           : "relevance alone, as it was recorded");
}

/* ---- order ---- */

#define ORDER_OF_SOURCES 16 /* flag in the value of a popup item: an order of sources */

static void take_order(struct chain_view *c, int value)
{
    struct chain_orders *o = &c->orders;
    bool sources = value >= ORDER_OF_SOURCES;
    /* Choosing the same order again reverses it. */
    if (sources) {
        enum document_order to = (enum document_order)(value - ORDER_OF_SOURCES);
        o->documents_reversed = to == o->documents && !o->documents_reversed;
        o->documents = to;
    } else {
        o->steps_reversed = value == (int)o->steps && !o->steps_reversed;
        o->steps = (enum step_order)value;
    }
    chain_view_reorder(c);
    ui_message(c->page.view.ui, "steps by %s%s, sources by %s%s", step_order_name(o->steps),
               o->steps_reversed ? " reversed" : "", document_order_name(o->documents),
               o->documents_reversed ? " reversed" : "");
}

static void order_chosen(struct app *x, const struct popup_item *item)
{
    if (view_is_chain(x->nav.top))
        take_order(chain_of(x->nav.top), (int)item->value);
}

static const struct choice orders[] = {
    {'n', "steps by number", "in order of the chain", STEPS_BY_NUMBER},
    {'c', "steps by confidence", "highest confidence first", STEPS_BY_CONFIDENCE},
    {'t', "steps by time", "longest first", STEPS_BY_TIME},
    {'r', "sources by relevance", "most relevant first", ORDER_OF_SOURCES + DOCUMENTS_BY_RELEVANCE},
    {'f', "sources by first use", "in order of use", ORDER_OF_SOURCES + DOCUMENTS_BY_FIRST_USE},
    {'a', "sources by title", "from A to Z", ORDER_OF_SOURCES + DOCUMENTS_BY_TITLE},
    {'s', "sources by steps", "most used first", ORDER_OF_SOURCES + DOCUMENTS_BY_STEPS},
};

void act_matrix_order(struct view *top)
{
    popup_choose(&top->ui->popup, "order", orders, sizeof(orders) / sizeof(orders[0]),
                 order_chosen);
}

/* ---- ratings ---- */

/* The use under the cursor, and its step; NULL if there is none. */
static const struct chain_source *current_use(struct view *top, int64_t *step)
{
    if (view_is_step(top)) {
        *step = view_about(top);
        return step_view_source(top);
    }
    if (!view_is_chain(top) || !chain_of(top)->page.shown.facts)
        return NULL;
    const struct chain_view *c = chain_of(top);
    const struct chain_source *source = chain_view_source(c);
    if (source)
        *step = chain_shown(c)->step[chain_view_step(c)].node;
    return source;
}

const char *blocked_rate(struct app *x)
{
    int64_t step;
    return current_use(x->nav.top, &step) ? NULL : "the cursor is on no source that a step used";
}

/* The number of the step under the cursor, or of the view's step. */
static int64_t current_step_number(struct view *top)
{
    if (view_is_step(top))
        return step_view_number(top);
    const struct chain_view *c = chain_of(top);
    return chain_shown(c)->step[chain_view_step(c)].number;
}

/* The question and the message begin with a short form of source and step, so that they fit into a line. */
void act_rate(struct app *x, const char *reason, int relevant)
{
    const char *word = relevant ? RATING_RELEVANT : RATING_IRRELEVANT;
    int64_t step = 0, number;
    const struct chain_source *source = current_use(x->nav.top, &step);
    const struct memory_row *document = source ? details_row(x, source->document) : NULL;
    char letter[16], where[40] = "the step", words[100];
    if (!document) {
        ui_message(&x->ui, "the cursor is on no source that a step used");
        return;
    }
    struct pending *p = pending_new(x, OPERATION_FLAG, PENDING_REASON);
    AUTO_STRBUF value = STRBUF_INIT;
    matrix_letter(letter, source->column);
    if ((number = current_step_number(x->nav.top)) > 0)
        snprintf(where, sizeof(where), "step %lld", (long long)number);
    snprintf(words, sizeof(words), "%s %s to %s", letter, word, where);
    p->question = arena_strdup(&p->arena, words);
    snprintf(words, sizeof(words), "%s judged %s in %s", letter, word, where);
    p->message = arena_strdup(&p->arena, words);
    ref_add(&value, document->ref);
    strbuf_addf(&value, " %s", word);
    p->q.nodes = arena_memdup(&p->arena, &step, sizeof(step));
    p->q.node_count = 1;
    p->q.flag = "rating";
    p->q.value = arena_strdup(&p->arena, value.buf);
    p->q.reason = *reason ? arena_strdup(&p->arena, reason) : NULL;
    pending_do(p);
}

/* The row of the step under the cursor, or of the view's step; 0 for none. */
static int64_t current_step(struct view *top)
{
    if (view_is_step(top))
        return view_about(top);
    if (!view_is_chain(top) || !chain_of(top)->page.shown.facts)
        return 0;
    size_t step = chain_view_step(chain_of(top));
    return step == SIZE_MAX ? 0 : chain_shown(chain_of(top))->step[step].node;
}

const char *blocked_supported(struct app *x)
{
    return current_step(x->nav.top) > 0 ? NULL : "the cursor is on no step";
}

static void report_supported(struct app *x, const char *value)
{
    int64_t step = current_step(x->nav.top);
    if (step <= 0)
        return;
    struct pending *p = pending_new(x, OPERATION_FLAG, PENDING_REASON);
    p->q.nodes = arena_memdup(&p->arena, &step, sizeof(step));
    p->q.node_count = 1;
    p->q.flag = "faithful";
    p->q.value = value;
    pending_do(p);
}

static void supported_chosen(struct app *x, const struct popup_item *item)
{
    report_supported(x, item->value ? "yes" : "no");
}

void act_supported(struct app *x, const char *argument)
{
    static const struct choice answers[] = {
        {'y', "yes", "they support it", true},
        {'n', "no", "it says more than they do, or contradicts them", false},
    };
    popup_by_name(&x->ui.popup, argument, "do its sources support the step?", answers, 2, true,
                  supported_chosen);
}

/* ---- copying ---- */

bool yanks_use(struct app *x)
{
    int64_t step;
    return x->ui.selection.count == 0 && current_use(x->nav.top, &step);
}

void yank_use(struct app *x, bool quoted)
{
    int64_t step;
    const struct chain_source *use = current_use(x->nav.top, &step);
    const struct memory_row *row = use ? details_row(x, use->document) : NULL;
    AUTO_STRBUF out = STRBUF_INIT, citation = STRBUF_INIT;
    if (!use)
        return;
    const char *name = use->source.title                ? use->source.title
                       : row && row->text && *row->text ? row->text
                                                        : use->source.document_id;
    if (quoted)
        strbuf_addstr(&out, "\"");
    text_add(&out, use->source.excerpt, TEXT_LINES);
    if (quoted && use->source.excerpt) {
        citation_format(&citation, name, 0, NULL);
        strbuf_addstr(&out, "\" ");
        text_add(&out, citation.buf, 0);
    }
    yank_copy(x, quoted ? "the excerpt, quoted" : "the excerpt", out.buf,
              use->source.excerpt ? out.len : 0);
}

/* ---- from a memory to its reasoning and sources ---- */

typedef int (*related_find)(struct reader *r, struct arena *arena, int64_t node,
                            struct related_memories *out, struct error *e);

/* The reason why there is nothing related to the memory, or NULL. */
static const char *blocked_related(struct app *x, related_find find, const char *none)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct related_memories related;
    struct error e;
    const char *why = NULL;
    if (!find(x->data.reader, &arena, view_memory(x->nav.top), &related, &e) && related.count == 0)
        why = related.bounded ? "there are too many sources to look through; f shows them" : none;
    return why;
}

const char *blocked_reasoning(struct app *x)
{
    if (!blocked_strategies(x))
        return NULL;
    return blocked_related(x, related_chains, "no chain of thought led to it or used it");
}

const char *blocked_sources(struct app *x)
{
    const struct memory_row *row = details_row(x, view_memory(x->nav.top));
    if (row && (row->ref.kind == KIND_CHAIN || row->ref.kind == KIND_STEP))
        return NULL;
    if (row && row->ref.kind != KIND_ATTRIBUTION && row->ref.kind != KIND_DOCUMENT &&
        kind_spec(row->ref.kind)->is_source)
        return "it is a source itself";
    return blocked_related(x, related_sources, "nothing that it is based on is a source");
}

/* Opens a single result; lists several. */
static void open_all(struct app *x, int64_t node, const struct related_memories *related,
                     const char *what)
{
    struct neighbour_list b = {.row = related->row, .count = related->count, .kind = KIND_CHAIN};
    const struct memory_row *row = details_row(x, node);
    AUTO_STRBUF ref = STRBUF_INIT;
    if (related->count == 1) {
        app_open_memory(x, related->row[0]);
        return;
    }
    if (row)
        details_ref(x, row, &ref);
    snprintf(b.title, sizeof(b.title), "%.60s %s", ref.buf, what);
    app_push(x, list_view_neighbours(&x->ui, &b));
    if (related->bounded)
        ui_message(&x->ui, "only the nearest are listed: there are too many to look through");
}

static void open_related(struct app *x, int64_t node, related_find find, const char *what,
                         const char *none)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct related_memories related;
    struct error e;
    if (find(x->data.reader, &arena, node, &related, &e))
        ui_error(&x->ui, &e);
    else if (related.count == 0)
        ui_message(&x->ui, "%s", none);
    else
        open_all(x, node, &related, what);
}

/* For a step, opens its chain on that step; for a chain, those on the same question. */
void act_reasoning(struct app *x, const char *argument)
{
    int64_t node = palette_subject(x, argument);
    const struct memory_row *row = details_row(x, node);
    struct error e;
    if (!row)
        return;
    int64_t chain = row->ref.kind == KIND_STEP ? chain_of_step(x->data.reader, node, &e) : 0;
    bool here = chain > 0 && view_is_chain(x->nav.top) && view_about(x->nav.top) == chain;
    if (row->ref.kind == KIND_CHAIN || here ||
        (x->ui.selection.count > 1 && !blocked_strategies(x)))
        act_strategies(x);
    else if (chain > 0)
        app_push(x, chain_view_new(&x->ui, node));
    else
        open_related(x, node, related_chains, "in reasoning",
                     "no chain of thought led to it or used it");
}

/* Of a citation its response, else what all responses cited. */
void act_responses(struct app *x, const char *argument)
{
    const int64_t here[] = {view_node(x->nav.top), view_about(x->nav.top)};
    int64_t cited = 0;
    for (size_t i = 0; i < 2 && !*argument && !cited; i++) {
        const struct memory_row *row = here[i] > 0 ? details_row(x, here[i]) : NULL;
        cited = row && row->ref.kind == KIND_CITATION ? here[i] : 0;
    }
    app_push(x, responses_view_new(x, argument, view_is(x->nav.top, "responses") ? 0 : cited));
}

/* Focuses the pane of sources if the view has one. */
static bool shows_sources(struct view *top, int64_t node)
{
    if (view_is_chain(top) && chain_of(top)->focus == FOCUS_MATRIX) {
        chain_view_set_focus(chain_of(top), FOCUS_SOURCES);
        return true;
    }
    if (view_is_step(top) && view_about(top) == node)
        return view_request(top, REQUEST_NEXT_SECTION);
    return false;
}

void act_sources(struct app *x, const char *argument)
{
    int64_t node = palette_subject(x, argument);
    const struct memory_row *row = details_row(x, node);
    if (!row || (!*argument && shows_sources(x->nav.top, node)))
        return;
    if (row->ref.kind == KIND_CHAIN && view_about(x->nav.top) != node) {
        app_open_memory(x, node);
        if (view_is_chain(x->nav.top))
            chain_view_set_focus(chain_of(x->nav.top), FOCUS_SOURCES);
    } else if (row->ref.kind == KIND_STEP && view_about(x->nav.top) != node) {
        app_open_memory(x, node);
    } else {
        open_related(x, node, related_sources, "goes back to",
                     "nothing that it is based on is a source");
    }
}
