/* Actions: selecting memories, and copying. */
#include "tui/action/action.h"

#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "store/guard/guard.h"
#include "tui/explorer/app.h"
#include "tui/term/screen.h"
#include "tui/text/text.h"
#include "tui/view/chain/chain_view.h"
#include "tui/view/graph/graph_view.h"
#include "tui/view/views.h"

static void report_selection(struct ui *ui)
{
    if (ui->selection.count == 0)
        ui_message(ui, "nothing is selected");
    else
        ui_message(ui, "%zu selected", ui->selection.count);
}

/* Selects the memory here for the next action, or unselects it. */
void act_select(struct view *top)
{
    int64_t node = view_memory(top);
    if (node <= 0) {
        ui_message(top->ui, "there is no memory here");
        return;
    }
    selection_set(&top->ui->selection, node, !selection_has(&top->ui->selection, node));
    if (view_node(top) > 0 && !top->ops->draw)
        view_move(top, 1);
    report_selection(top->ui);
}

static size_t line_of(struct view *v, int64_t node)
{
    for (size_t i = 0; i < v->count; i++)
        if (view_node_at(v, i) == node)
            return i;
    return LINE_NONE;
}

void act_select_range(struct view *v)
{
    if (!v->ui->selection.range) {
        v->ui->selection.range = view_node(v);
        v->ui->selection.range_line = v->cursor;
        ui_message(v->ui, "a range starts here; act on it, v selects it, Esc gives it up");
        return;
    }
    size_t from = line_of(v, v->ui->selection.range), to = v->cursor;
    v->ui->selection.range = 0;
    if (from == LINE_NONE || to == LINE_NONE) {
        ui_message(v->ui, "the start of the range is no longer in this view");
        return;
    }
    for (size_t i = from < to ? from : to; i <= (from < to ? to : from); i++)
        selection_set(&v->ui->selection, view_node_at(v, i), true);
    report_selection(v->ui);
}

/* Inverts each memory once, even if it has several lines. */
void act_select_invert(struct view *v)
{
    struct selection before = v->ui->selection, after = {0};
    for (int64_t n = selection_next(&before, 0); n > 0; n = selection_next(&before, n))
        selection_set(&after, n, true);
    for (size_t i = 0; i < v->count; i++) {
        int64_t node = view_chain_has_keys(v, i) ? view_node_at(v, i) : 0;
        if (node > 0)
            selection_set(&after, node, !selection_has(&before, node));
    }
    selection_release(&v->ui->selection);
    v->ui->selection = after;
    report_selection(v->ui);
}

void act_select_alike(struct view *top)
{
    review_view_select_alike(top);
}

void act_unselect_all(struct view *top)
{
    selection_clear(&top->ui->selection);
    report_selection(top->ui);
}

void yank_copy(struct app *x, const char *what, const char *bytes, size_t len)
{
    if (len == 0) {
        ui_message(&x->ui, "%s is empty", what);
        return;
    }
    if (x->config->clipboard == CLIPBOARD_OFF) {
        ui_message(&x->ui, "copying is off (clipboard in config.yaml)");
        return;
    }
    bool programs = x->config->clipboard == CLIPBOARD_AUTO;
    const char *how = clipboard_set(&x->ui.screen, programs, bytes, len);
    if (how)
        ui_message(&x->ui, "copied %s (%zu bytes) to the clipboard, %s", what, len, how);
    else
        ui_message(&x->ui, "%s is %zu bytes, more than a terminal's clipboard takes (%d)", what,
                   len, CLIPBOARD_MAX);
}

/* ---- copying ---- */

enum yanked {
    YANK_TEXT = 0,
    YANK_REF,
    YANK_JSON,
    YANK_PATH,
    YANK_LINES,
    YANK_EXCERPT,
    YANK_QUOTED,
    YANK_ANSWER,
    YANK_DRAWING /* and more, in the order of enum graph_format */
};

static int append_memory(struct data *data, enum yanked as, int64_t node, struct strbuf *out,
                         struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int failed = memory_read(data->reader, &arena, node, &m, e);
    if (!failed) {
        if (as == YANK_REF)
            ref_add(out, m.ref);
        else if (as == YANK_JSON)
            memory_json_write(out, &m, NULL);
        else
            text_add(out, m.text, TEXT_LINES);
    }
    return failed;
}

/* Copies all selected memories, a line or paragraph each, or the one under the cursor. */
static void copy_memories(struct app *x, enum yanked as)
{
    static const char *const names[] = {"the text", "the ref", "the JSON"};
    AUTO_STRBUF out = STRBUF_INIT;
    struct error e;
    char what[96];
    int failed = 0;
    if (x->ui.selection.count == 0) {
        failed = append_memory(&x->data, as, view_memory(x->nav.top), &out, &e);
        snprintf(what, sizeof(what), "%s", names[as]);
    } else {
        for (int64_t n = selection_next(&x->ui.selection, 0); n > 0 && !failed;
             n = selection_next(&x->ui.selection, n)) {
            failed = append_memory(&x->data, as, n, &out, &e);
            strbuf_addstr(&out, as == YANK_TEXT ? "\n\n" : "\n");
        }
        snprintf(what, sizeof(what), "%s of %zu selected", names[as], x->ui.selection.count);
    }
    if (failed)
        ui_error(&x->ui, &e);
    else
        yank_copy(x, what, out.buf, out.len);
}

/* Copies the path: the refs of the views below, then the one under the cursor. */
static void copy_path(struct app *x)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct error e;
    const struct view *way[64];
    size_t count = 0;
    for (const struct view *v = x->nav.top; v && count < 64; v = v->below)
        way[count++] = v;
    strbuf_addstr(&out, store_path(x->data.store));
    int64_t before = 0;
    while (count > 0) {
        struct view *v = (struct view *)(uintptr_t)way[--count];
        int64_t node = view_node(v) > 0 ? view_node(v) : view_about(v);
        if (node <= 0 || node == before)
            continue;
        before = node;
        strbuf_addstr(&out, " ");
        if (append_memory(&x->data, YANK_REF, node, &out, &e))
            break;
    }
    yank_copy(x, "the path", out.buf, out.len);
}

static void copy_answer(struct app *x)
{
    AUTO_STRBUF out = STRBUF_INIT;
    question_view_text(x->nav.top, &out);
    yank_copy(x, "the answer", out.buf, out.len);
}

static void copy(struct app *x, enum yanked as)
{
    if (as >= YANK_DRAWING)
        lineage_yank(x, (enum graph_format)(as - YANK_DRAWING));
    else if (as == YANK_EXCERPT || as == YANK_QUOTED)
        yank_use(x, as == YANK_QUOTED);
    else if (as == YANK_PATH)
        copy_path(x);
    else if (as == YANK_ANSWER)
        copy_answer(x);
    else if (as == YANK_LINES || (as == YANK_JSON && yanks_events(x)))
        yank_events(x, as == YANK_LINES);
    else
        copy_memories(x, as);
}

static void chosen(struct app *x, const struct popup_item *item)
{
    copy(x, (enum yanked)item->value);
}

static const struct choice copies[] = {
    {'y', "text", "the text, without control characters", YANK_TEXT},
    {'i', "ref", "kind:id, in full", YANK_REF},
    {'j', "json", "as `stemma export` writes it", YANK_JSON},
    {'p', "path", "the store, and the refs that led here", YANK_PATH},
};
#define COPIES (sizeof(copies) / sizeof(copies[0]))
static const struct choice copies_of_events[] = {
    {'J', "lines", "JSON of all lines read so far", YANK_LINES},
};
static const struct choice copies_of_an_answer[] = {
    {'a', "answer", "this whole page as text, for a report", YANK_ANSWER},
};
static const struct choice copies_of_a_use[] = {
    {'e', "excerpt", "the passage that the step used", YANK_EXCERPT},
    {'u', "quoted", "the same in quotes, with a citation", YANK_QUOTED},
};
static const struct choice copies_of_a_drawing[] = {
    {'d', "drawing", "the drawing as text", YANK_DRAWING + GRAPH_TEXT},
    {'v', "graphviz", "the drawing for dot", YANK_DRAWING + GRAPH_DOT},
    {'J', "graph JSON", "the link as well", YANK_DRAWING + GRAPH_JSON},
};

void act_yank(struct app *x, const char *argument)
{
    struct popup *p = &x->ui.popup;
    if (x->nav.top->ops->has & HAS_COMMANDS) {
        help_view_copy(x);
        return;
    }
    for (size_t i = 0; i < COPIES; i++) {
        if (!strcmp(argument, copies[i].text)) {
            copy(x, (enum yanked)copies[i].value);
            return;
        }
    }
    if (*argument) {
        ui_message(&x->ui, "copy text, ref, json or path, not \"%s\"", argument);
        return;
    }
    popup_choose(p, "copy", copies, COPIES, chosen);
    p->items[0].also = 't';
    if (yanks_events(x))
        popup_offer(p, copies_of_events, 1);
    if (view_is(x->nav.top, "question"))
        popup_offer(p, copies_of_an_answer, 1);
    if (yanks_use(x))
        popup_offer(p, copies_of_a_use, 2);
    if (view_is_graph(x->nav.top))
        popup_offer(p, copies_of_a_drawing, 3);
}

/* ---- the original ---- */

static int read_original(struct data *data, int64_t node, struct strbuf *out, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int failed = memory_read(data->reader, &arena, node, &m, e);
    if (!failed && (rules_mask_is_on(data) || !memory_original(&m, &arena, out)) && m.text)
        strbuf_addstr(out, m.text);
    return failed;
}

static void original_chosen(struct app *x, const struct popup_item *item)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct error e;
    if (item->key != 'y')
        return;
    if (read_original(&x->data, item->value, &out, &e))
        ui_error(&x->ui, &e);
    else
        yank_copy(x, "the original", out.buf, out.len);
}

void act_yank_original(struct app *x)
{
    AUTO_STRBUF out = STRBUF_INIT, holds = STRBUF_INIT;
    struct text_removed removed;
    struct error e;
    int64_t node = view_memory(x->nav.top);
    if (read_original(&x->data, node, &out, &e)) {
        ui_error(&x->ui, &e);
    } else {
        text_examine(&removed, out.buf, out.len);
        if (text_removed_total(&removed) == 0) {
            yank_copy(x, "the original text; it has no hidden characters", out.buf, out.len);
        } else {
            strbuf_addstr(&holds, "it contains ");
            text_removed_describe(&holds, &removed);
            popup_open(&x->ui.popup, "copy the original?", original_chosen);
            popup_add(&x->ui.popup, 'n', "cancel", holds.buf)->value = node;
            popup_add(&x->ui.popup, 'y', "copy",
                      "unchanged; a terminal that you paste it into may execute it")
                ->value = node;
        }
    }
}
