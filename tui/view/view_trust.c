/* The view of sources (people, agents, pages): what became of what they told, next to how far they are trusted. */
#include "tui/view/views.h"

#include <math.h>
#include "model/base/strbuf.h"
#include "store/lineage/trust.h"
#include "tui/explorer/app.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

/* ---- reading ---- */

static int read_records(struct rows *rows, struct reader *r, struct error *e)
{
    struct trust_record *all;
    size_t count;
    if (trust_records(r, &rows->arena, &all, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        *(struct trust_record *)rows_add(rows) = all[i];
    return 0;
}

static struct line_subject row_subject(const void *row)
{
    const struct trust_record *t = row;
    return (struct line_subject){.node = t->source, .id = view_name_id(t->name)};
}

/* ---- drawing ---- */

static void fraction(struct list_line *l, int width, const char *name, enum style style, double n)
{
    char text[24] = "-";
    if (!isnan(n))
        snprintf(text, sizeof(text), "%.2f", n);
    line_right(l, width, name, style, text);
}

static bool is_overtrusted(const struct trust_record *t)
{
    return t->contradicted && t->calibrated < t->trust;
}

/* Draws "memories confirmed contradicted calibrated trust source"; with `one` NULL the column headers. */
static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const struct trust_record none;
    const struct trust_record *t = one ? one : &none;
    struct list_line l = line_begin(v, row, !one, 3, NULL);
    AUTO_STRBUF name = STRBUF_INIT;
    if (one)
        ui_mask_name(v->ui, t->name, &name);
    line_number(&l, row->width >= 70 ? 8 : 0, "memories", STYLE_NUMBER, t->memories);
    line_number(&l, 9, "confirmed", STYLE_NUMBER, t->confirmed);
    line_number(&l, 12, "contradicted", t->contradicted ? STYLE_UNSUPPORTED : STYLE_NUMBER,
                t->contradicted);
    fraction(&l, 10, "calibrated", is_overtrusted(t) ? STYLE_WEAKENED : STYLE_NUMBER,
             t->calibrated);
    fraction(&l, 5, "trust", STYLE_NUMBER, t->trust);
    line_text(&l, "source", STYLE_SOURCE, name.buf);
}

static void draw_header(struct view *v, const struct pane *p)
{
    struct pane names = pane_row(p, 1);
    bool any = false;
    for (size_t i = 0; i < v->count && !any; i++)
        any = is_overtrusted(rows_view_at(v, i));
    paint_text(p, 0, 3, p->width - 4, STYLE_DIM,
               any ? "contradicted, and calibrated below trust: trust it less (in config.yaml)"
                   : "calibrated = (confirmed + 1) / (confirmed + contradicted + 2)");
    draw(v, &names, NULL);
}

/* ---- the view ---- */

static void order(struct view *v, struct strbuf *out)
{
    bool up;
    if (!heading_sorted(v, &up))
        strbuf_addstr(out, "least trusted first");
}

static void add_name(struct view *v, const void *row, struct strbuf *out)
{
    ui_mask_name(v->ui, ((const struct trust_record *)row)->name, out);
}

static void text(struct view *v, size_t line, struct strbuf *out)
{
    add_name(v, rows_view_at(v, line), out);
}

static bool request(struct view *v, enum view_request request)
{
    const struct trust_record *t = rows_view_at(v, v->cursor);
    if (request != REQUEST_OPEN || !t || t->source) /* a source is opened as any memory is */
        return false;
    app_push(v->app, list_view_told(v->ui, t->name));
    return true;
}

#define COLUMN(name, type, member) ROWS_COLUMN(name, type, trust_record, member)
static const struct rows_column trust_columns[] = {
    COLUMN("memories", BY_INT64, memories),
    COLUMN("confirmed", BY_INT64, confirmed),
    COLUMN("contradicted", BY_INT64, contradicted),
    COLUMN("calibrated", BY_DOUBLE, calibrated),
    COLUMN("trust", BY_DOUBLE, trust),
    ROWS_TEXT("source", add_name),
    {.name = NULL},
};

static const struct rows_ops trust_rows = {
    .job = "reading who told what",
    .size = sizeof(struct trust_record),
    .read = read_records,
    .subject = row_subject,
    .draw = draw,
    .columns = trust_columns,
    .nothing = "no memory says who told it (source_entity) or what page it is based on"};

static const struct view_ops trust_ops = {
    .name = "trust",
    ROWS_VIEW_OPS,
    .order = order,
    .header_rows = 2,
    .draw_header = draw_header,
    .has = HAS_MEMORIES | HAS_ORDER | HAS_EVERYONE,
    .bar = "show,what-if,used-by,retract,search",
    .text = text,
    .request = request,
};

struct view *trust_view_new(struct ui *ui)
{
    struct rows_view *t = rows_view_new(sizeof(*t), &trust_ops, &trust_rows, ui);
    view_load(&t->view);
    return &t->view;
}
