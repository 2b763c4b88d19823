/* Where the person was: written when the explorer ends, and shown again at the next start on the same store. */
#include "tui/action/action.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/config/config_rules.h"
#include "tui/explorer/app.h"
#include "tui/explorer/changes.h"
#include "tui/view/columns.h"
#include "tui/view/views.h"

#define SELECTED_MAX 10000 /* refs in the file; of more only their number is written */

/* ---- writing ---- */

static void write_memory(struct app *x, const char *name, int64_t node, struct strbuf *out)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    size_t before = out->len;
    if (node <= 0 || memory_row_read(x->asof.present, &arena, node, &row, &e))
        return;
    strbuf_addf(out, "%s: ", name);
    ref_add(out, row.ref);
    if (strchr(out->buf + before, '\n'))
        strbuf_cut(out, before); /* no line can hold it */
    else
        strbuf_addch(out, '\n');
}

static void add_selected(struct app *x, struct strbuf *out)
{
    const struct selection *all = &x->ui.selection;
    if (all->count > SELECTED_MAX)
        strbuf_addf(out, "unselected: %zu\n", all->count);
    for (int64_t n = 0; all->count <= SELECTED_MAX && (n = selection_next(all, n)) > 0;)
        write_memory(x, "selected", n, out);
}

void last_place_write(struct app *x)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct view *v = x->nav.top;
    const struct action *opens = NULL;
    while (v && !(opens = view_opener(x, v)))
        v = v->below;
    if (!x->options->place || !v || asof_is_past(&x->asof))
        return;
    strbuf_addf(&out, "view: %s\n", opens->name);
    if (*v->filter && !strchr(v->filter, '\n'))
        strbuf_addf(&out, "filter: %s\n", v->filter);
    if ((int)x->prefs.order != x->config->order || x->prefs.reverse)
        strbuf_addf(&out, "%s: %s\n", x->prefs.reverse ? "reversed" : "order",
                    order_name(x->prefs.order));
    if (x->prefs.by_column && v->ops->has & HAS_MEMORY_LIST)
        strbuf_addf(&out, "column: %s%s\n", x->prefs.by_column < 0 ? "-" : "",
                    column_name(abs(x->prefs.by_column) - 1, list_view_root(v)));
    if (x->prefs.preview != x->config->preview || x->prefs.preview_size != x->config->preview_size)
        strbuf_addf(&out, "preview: %s %d\n", preview_name(x->prefs.preview),
                    x->prefs.preview_size);
    if (v->ops->has & HAS_MEMORY_LIST && v->cursor < v->count) {
        strbuf_addf(&out, "line: %zu\n", v->cursor + 1);
        write_memory(x, "row", view_node(v), &out);
    }
    if (v != x->nav.top)
        write_memory(x, "open", view_about(x->nav.top), &out);
    add_selected(x, &out);
    file_replace(x->options->place, out.buf);
}

/* ---- reading ---- */

struct last_place {
    const struct action *view;
    const char *filter;
    const char *column; /* that sorts in place of the order, reversed after a "-"; "" for none */
    int order;          /* -1: as configured */
    int preview;        /* the same; its size is known then */
    int preview_size;
    bool reversed;
    size_t line, unselected;
    int64_t row, open;
};

/* The row of a memory that still exists; else 0. */
static int64_t find(struct app *x, const char *text)
{
    enum status status;
    struct error e;
    struct ref ref;
    int64_t row = ref_parse(text, &ref) == REF_MEMORY
                      ? ref_find_status(reader_db(x->data.reader), ref, &status, &e)
                      : 0;
    return row > 0 && status != STATUS_MISSING && status != STATUS_PURGED ? row : 0;
}

static int order_named(const char *name)
{
    int order = ORDER_COUNT - 1;
    while (order >= 0 && strcmp(order_name((enum list_order)order), name) != 0)
        order--;
    return order;
}

/* "right 45" */
static bool take_preview(const char *value, struct last_place *p)
{
    size_t len = strcspn(value, " ");
    p->preview = preview_named(value, len);
    p->preview_size = (int)strtol(value + len, NULL, 10);
    return p->preview >= 0 && p->preview_size >= 0 && p->preview_size <= PREVIEW_SIZE_MAX;
}

/* Reads "NAME: VALUE". Returns false if it is something else. */
static bool take_line(struct app *x, char *line, struct last_place *p)
{
    char *value = strstr(line, ": ");
    if (!value)
        return false;
    *value = '\0';
    value += 2;
    if (!strcmp(line, "view"))
        return (p->view = action_find(value, strlen(value))) != NULL;
    if (!strcmp(line, "filter"))
        p->filter = value;
    else if (!strcmp(line, "column"))
        p->column = value;
    else if (!strcmp(line, "order") || !strcmp(line, "reversed")) {
        p->reversed = *line == 'r';
        return (p->order = order_named(value)) >= 0;
    } else if (!strcmp(line, "preview"))
        return take_preview(value, p);
    else if (!strcmp(line, "line"))
        return (p->line = strtoul(value, NULL, 10)) > 0;
    else if (!strcmp(line, "unselected"))
        p->unselected = strtoul(value, NULL, 10);
    else if (!strcmp(line, "row"))
        p->row = find(x, value);
    else if (!strcmp(line, "open"))
        p->open = find(x, value);
    else if (!strcmp(line, "selected")) {
        int64_t node = find(x, value);
        if (node)
            selection_set(&x->ui.selection, node, true);
    } else
        return false;
    return true;
}

static bool parse(struct app *x, char *text, struct last_place *p)
{
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (!*next)
            return false; /* the file is cut off */
        *next++ = '\0';
        if (!take_line(x, line, p))
            return false;
    }
    return p->view != NULL;
}

static void go(struct app *x, const struct last_place *p)
{
    if (p->order >= 0) {
        x->prefs.order = (enum list_order)p->order;
        x->prefs.reverse = p->reversed;
    }
    bool down = *p->column == '-', lists = p->view->with == act_root && p->view->value <= ROOT_ALL;
    int column = lists ? columns_find(p->column + down, p->view->value) : COLUMN_NONE;
    x->prefs.by_column = column == COLUMN_NONE ? 0 : down ? -1 - column : 1 + column;
    if (p->preview >= 0) {
        x->prefs.preview = p->preview;
        x->prefs.preview_size = p->preview_size;
    }
    if (view_opener(x, x->nav.top) != p->view)
        action_run(x, p->view, "");
    else if (x->nav.top->ops->shown)
        x->nav.top->ops->shown(x->nav.top); /* reads it in the order of last time */
    if (*p->filter)
        view_filter(x->nav.top, p->filter);
    if (p->line) {
        x->nav.top->sought = p->row ? p->row : -1;
        x->nav.top->line_wanted = p->line; /* without the row, its neighbour */
    }
    if (p->open)
        app_open_memory(x, p->open);
    if (p->unselected)
        ui_message(&x->ui, "the %zu memories selected last time were too many to keep",
                   p->unselected);
}

bool last_place_open(struct app *x)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct last_place place = {.filter = "", .column = "", .order = -1, .preview = -1};
    struct file_state state;
    struct error e;
    const char *path = x->options->place;
    int result = path ? config_file_read(path, &text, &state, &e) : 1;
    if (result == 0 && parse(x, text.buf, &place)) {
        go(x, &place);
        return true;
    }
    selection_clear(&x->ui.selection);
    if (result <= 0)
        ui_message(&x->ui, "where you were last time is not known: %s cannot be read", path);
    return false;
}
