/* What can be done with drawn lineage. */
#include "tui/action/actions.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "tui/chart/graph_text.h"
#include "tui/cli/files.h"
#include "tui/view/graph/graph_view.h"
#include "tui/view/graph/lineage_view.h"

void act_centre(struct app *x)
{
    graph_view_centre(graph_of(x->nav.top));
}

void act_expand(struct app *x)
{
    graph_view_expand(graph_of(x->nav.top));
}

void act_expand_side(struct app *x, const char *argument, int side)
{
    (void)argument;
    graph_view_expand_side(graph_of(x->nav.top), (enum direction)side);
}

void act_collapse(struct app *x)
{
    graph_view_collapse(graph_of(x->nav.top));
}

void act_list_group(struct app *x)
{
    graph_view_list_group(graph_of(x->nav.top));
}

void act_tidy(struct app *x)
{
    graph_view_load(graph_of(x->nav.top), ARRIVE_IN_PLACE, NULL);
    app_say(x, "laid out afresh");
}

void act_dots(struct app *x)
{
    struct graph_view *g = graph_of(x->nav.top);
    graph_view_set_dots(g, !g->dots);
}

void act_legend(struct app *x)
{
    struct graph_view *g = graph_of(x->nav.top);
    g->legend = (enum graph_legend)((g->legend + 1) % (LEGEND_NONE + 1));
}

void act_shade(struct app *x)
{
    struct graph_view *g = graph_of(x->nav.top);
    int64_t row = view_node(x->nav.top);
    if (row == 0 || row == g->shade.row)
        app_say(x, "nothing is shaded any more");
    graph_view_shade_ask(g, row == g->shade.row ? 0 : row);
}

const char *blocked_shade(struct app *x)
{
    return view_node(x->nav.top) > 0 || graph_of(x->nav.top)->shade.row ? NULL
                                                                        : "there is no memory here";
}

/* ---- drawing or outline ---- */

void act_outline(struct app *x)
{
    lineage_exchange(x);
}

static void style_chosen(struct app *x, const struct popup_item *item)
{
    lineage_draw_as(x, (enum chart_style)item->value);
}

void act_draw_as(struct app *x, const char *argument)
{
    static const struct {
        uint32_t key;
        const char *help;
    } styles[CHART_STYLES] = {
        [CHART_AUTO] = {'a', "whatever fits"},
        [CHART_LR] = {'l', "from left to right"},
        [CHART_LR_BOX] = {'L', "from left to right, in boxes"},
        [CHART_TB] = {'t', "from top to bottom"},
        [CHART_TB_BOX] = {'T', "from top to bottom, in boxes"},
        [CHART_OUTLINE] = {'o', "a list of lines"},
    };
    int style = chart_style_from_name(argument);
    if (style >= 0) {
        lineage_draw_as(x, (enum chart_style)style);
        return;
    }
    if (*argument) {
        app_say(x, "there is no way to draw called \"%s\": auto, lr, lr-box, tb, tb-box, outline",
                argument);
        return;
    }
    popup_open(&x->ui.popup, "how lineage is drawn", style_chosen);
    for (int i = 0; i < CHART_STYLES; i++) {
        struct popup_item *item = popup_add(&x->ui.popup, styles[i].key,
                                            chart_style_name((enum chart_style)i), styles[i].help);
        item->value = i;
        if (i == x->prefs.graph_style)
            x->ui.popup.selected = (size_t)i;
    }
}

static const struct {
    const char *name, *what;
} formats[GRAPH_FORMATS] = {
    [GRAPH_TEXT] = {"text", "the drawing"},
    [GRAPH_DOT] = {"dot", "the drawing for Graphviz"},
    [GRAPH_JSON] = {"json", "the drawing as JSON"},
};

/* ---- making ---- */

static void add_text(struct graph_view *g, struct strbuf *out)
{
    struct app *x = g->view.app;
    struct output text = {.text = STRBUF_INIT,
                          .ascii = !x->ui.screen.utf8,
                          .columns = SIZE_MAX,
                          .flags = x->ui.screen.utf8 ? 0 : TEXT_ASCII,
                          .now = x->ui.now};
    graph_text_print(&text, &g->drawing->chart, g->show);
    strbuf_add(out, text.text.buf, text.text.len);
    strbuf_release(&text.text);
}

static int add_json(struct graph_view *g, struct strbuf *out, struct error *e)
{
    struct reader *r = g->view.app->data.reader;
    if (reader_begin(r, e))
        return -1;
    int result = graph_json_add(out, r, &g->drawing->chart, g->show, e);
    reader_end(r);
    strbuf_addch(out, '\n');
    return result;
}

static int make(struct graph_view *g, enum graph_format format, struct strbuf *out, struct error *e)
{
    if (!drawing_is_drawn(g->drawing))
        return error_set(e, ERROR_INVALID, "Wait a moment.", "nothing is drawn yet");
    if (format == GRAPH_TEXT)
        add_text(g, out);
    else if (format == GRAPH_DOT)
        graph_dot_add(out, &g->drawing->chart, g->drawing->chart.layout.options.flow == FLOW_DOWN);
    return format == GRAPH_JSON ? add_json(g, out, e) : 0;
}

void lineage_yank(struct app *x, enum graph_format format)
{
    struct strbuf out = STRBUF_INIT;
    struct error e;
    if (make(graph_of(x->nav.top), format, &out, &e))
        app_fail(x, &e);
    else
        yank_copy(x, formats[format].what, out.buf, out.len);
    strbuf_release(&out);
}

/* ---- into a file ---- */

static int cannot_write(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, "Name another file.", "%.200s cannot be written: %s", path,
                     strerror(errno));
}

static int write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return -1;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Beside it under another name, then in its place: it is never there by half. */
static int write_file(const struct destination *d, const struct strbuf *text, struct error *e)
{
    struct strbuf beside = STRBUF_INIT;
    strbuf_addf(&beside, "%s.XXXXXX", d->path.buf);
    int fd = mkostemp(beside.buf, O_CLOEXEC), result = 0;
    if (fd < 0) {
        result = cannot_write(d->path.buf, e);
    } else {
        if (d->exists)
            fchmod(fd, d->st.st_mode & 0777);
        if (write_all(fd, text->buf, text->len) || fsync(fd))
            result = cannot_write(d->path.buf, e);
        if (close(fd) && !result)
            result = cannot_write(d->path.buf, e);
        if (!result && rename(beside.buf, d->path.buf))
            result = cannot_write(d->path.buf, e);
        if (result)
            unlink(beside.buf);
    }
    strbuf_release(&beside);
    return result;
}

/* `~/` stands for HOME, as in a shell. */
static void add_path(struct strbuf *out, const char *path)
{
    const char *home = getenv("HOME");
    if (!strncmp(path, "~/", 2) && home) {
        strbuf_addstr(out, home);
        path++;
    }
    strbuf_addstr(out, path);
}

static void write_over(struct app *x, enum graph_format format, const char *path, bool replace);

static void replace_chosen(struct app *x, const struct popup_item *item)
{
    if (item->key == 'y' && view_is_graph(x->nav.top))
        write_over(x, (enum graph_format)item->value, graph_of(x->nav.top)->exported, true);
}

static void ask_to_replace(struct app *x, enum graph_format format, const char *path)
{
    struct graph_view *g = graph_of(x->nav.top);
    snprintf(g->exported, sizeof(g->exported), "%s", path);
    popup_open(&x->ui.popup, "that file is there already", replace_chosen);
    popup_add(&x->ui.popup, 'n', "leave it", path)->value = (int64_t)format;
    popup_add(&x->ui.popup, 'y', "replace it", "what is in it now is lost")->value =
        (int64_t)format;
}

static void write_over(struct app *x, enum graph_format format, const char *path, bool replace)
{
    struct destination d = {.path = STRBUF_INIT};
    struct strbuf text = STRBUF_INIT;
    struct error e;
    if (destination_find(&d, path, store_path(x->data.store), &e)) {
        app_fail(x, &e);
    } else if (d.exists && !S_ISREG(d.st.st_mode)) {
        app_say(x, "%s is no file", path);
    } else if (d.exists && !replace) {
        ask_to_replace(x, format, path);
    } else if (make(graph_of(x->nav.top), format, &text, &e) || write_file(&d, &text, &e)) {
        app_fail(x, &e);
    } else {
        app_say(x, "wrote %s (%zu bytes) to %s", formats[format].what, text.len, path);
    }
    strbuf_release(&text);
    strbuf_release(&d.path);
}

void act_export(struct app *x, const char *argument)
{
    size_t len = strcspn(argument, " ");
    struct strbuf path = STRBUF_INIT;
    int format = -1;
    for (int i = 0; i < GRAPH_FORMATS; i++)
        if (strlen(formats[i].name) == len && !strncmp(formats[i].name, argument, len))
            format = i;
    add_path(&path, argument + len + strspn(argument + len, " "));
    if (format < 0 || path.len == 0 || path.len >= sizeof(graph_of(x->nav.top)->exported))
        app_say(x, "it takes a form and a file: export text|dot|json FILE");
    else
        write_over(x, (enum graph_format)format, path.buf, false);
    strbuf_release(&path);
}
