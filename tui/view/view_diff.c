/*
 * The difference between two states of the store: a line for each memory that differs, and below it a line for each
 * field. It does not depend on the displayed state, so it is read with a reader of the present.
 */
#include "model/memory/memory.h"
#include "tui/view/views.h"

#include "model/base/alloc.h"
#include "model/format/difference.h"
#include "model/base/utf8.h"
#include "store/journal/journal.h"
#include "store/history/past.h"
#include "store/ops/operation.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/difference_page.h"
#include "tui/render/facts.h"
#include "tui/text/match.h"
#include "tui/text/times.h"
#include "tui/view/memory/list_line.h"
#include "tui/widget/rows_view.h"

#define TEXT_MAX    400                /* bytes of a text in a line */
#define WHOLE_BELOW ((size_t)64 << 20) /* bytes; beyond that, fields are not listed */

/* A memory, or one of its fields. */
struct diff_line {
    int64_t node, event, at; /* event 0 for a field */
    char sign;               /* '+' added, '-' removed, '~' changed */
    uint32_t memory_number;  /* from 1; the same for a memory and its fields */
    const char *who, *operation, *verb, *ref, *text;
    const char *field, *before, *after; /* before or after may be NULL */
};

struct diff_view {
    struct rows_view rows;
    struct point_in_time from, to;
    size_t shown; /* memories that the filter shows */
};

struct diff_context {
    int64_t from, to;
    uint32_t memories, unlisted; /* memories without listed fields, since there are too many */
    struct reader *reader;       /* only during the read */
    struct error error;
    bool failed;
};

static struct diff_view *diff_of(struct view *v)
{
    return (struct diff_view *)v;
}

/* ---- comparing ---- */

static const char *keep(struct rows *rows, const char *text)
{
    return text ? arena_strndup(&rows->arena, text, utf8_fit(text, strlen(text), TEXT_MAX)) : NULL;
}

static struct diff_line *add_line(struct rows *rows)
{
    struct diff_line *line = rows_add(rows);
    line->memory_number = ((struct diff_context *)rows->context)->memories;
    return line;
}

static void add_fields(struct rows *rows, const struct changed *c)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct difference *all;
    size_t count = 0;
    memory_difference(c->before, c->after, &arena, &all, &count);
    for (size_t i = 0; i < count; i++) {
        struct diff_line *line = add_line(rows);
        difference_readable(&all[i], &arena);
        line->field = keep(rows, all[i].field);
        line->before = keep(rows, all[i].before);
        line->after = keep(rows, all[i].after);
    }
    /* It was forgotten and restored, or rewritten unchanged: shown as a line without fields. */
    if (count == 0)
        add_line(rows)->text = "changed and changed back";
}

static void add_changed(struct rows *rows, const struct changed *c, const struct event *event)
{
    struct diff_context *asked = rows->context;
    const struct memory *m = c->after ? c->after : c->before;
    AUTO_STRBUF ref = STRBUF_INIT;
    struct memory_row row = {.ref = c->ref};
    asked->memories++;
    struct diff_line *line = add_line(rows);
    facts_ref(&row, ref_short_length(asked->reader, c->ref), &ref);
    line->node = c->node;
    line->event = c->made;
    line->sign = !c->before ? '+' : !c->after ? '-' : '~';
    line->ref = arena_strdup(&rows->arena, ref.buf);
    line->text = keep(rows, m ? m->text : "");
    if (event) {
        line->at = event->at;
        line->who = keep(rows, event->author);
        line->operation = keep(rows, event->operation);
        line->verb = keep(rows, event_verb(event->operation));
    }
    bool whole = rows->arena.used < WHOLE_BELOW;
    asked->unlisted += !whole;
    if (whole && c->before && c->after)
        add_fields(rows, c);
}

static int take(void *arg, const struct changed *c)
{
    struct rows *rows = arg;
    struct diff_context *asked = rows->context;
    AUTO_ARENA arena = ARENA_INIT;
    struct event *event;
    size_t count;
    if (atomic_load(rows->cancelled)) {
        asked->failed = error_set(&asked->error, ERROR_INTERRUPTED, "", "interrupted") != 0;
        return 1;
    }
    if (journal_read(asked->reader, &arena, c->made - 1, 1, &event, &count, &asked->error))
        asked->failed = true;
    else
        add_changed(rows, c, count ? event : NULL);
    return asked->failed;
}

static void ask(struct rows_view *v, struct rows *rows)
{
    const struct diff_view *d = diff_of(&v->view);
    *(struct diff_context *)rows->context =
        (struct diff_context){.from = d->from.seq, .to = d->to.seq};
}

static int read_changes(struct rows *rows, struct reader *r, struct error *e)
{
    struct diff_context *asked = rows->context;
    bool own = reader_past(r) >= 0;
    asked->reader = own ? reader_open(reader_store(r), e) : r;
    int failed =
        !asked->reader || past_compare(asked->reader, asked->from, asked->to, take, rows, e);
    if (!failed && asked->failed)
        *e = asked->error;
    if (own)
        reader_close(asked->reader);
    return failed || asked->failed ? -1 : 0;
}

static struct line_subject row_subject(const void *row)
{
    const struct diff_line *l = row;
    return (struct line_subject){
        .node = l->node, .id = l->event, .event = l->event, .section = (int)l->memory_number};
}

/* ---- drawing ---- */

/* The row of a memory, or the column headers. */
static void draw_memory(struct view *v, const struct pane *row, const struct diff_line *d,
                        bool names)
{
    static const enum style styles[] = {STYLE_SUPPORTED, STYLE_UNSUPPORTED, STYLE_WEAKENED};
    char event[24], sign[] = {d->sign, '\0'};
    struct list_line l = line_begin(v, row, names, 6, v->filter);
    if (!names) {
        line_memory(&l, d->node, 0);
        paint_text(row, 0, 4, 1, styles[d->sign == '+' ? 0 : d->sign == '-' ? 1 : 2], sign);
    }
    bool wide = row->width >= 90;
    snprintf(event, sizeof(event), "@%lld", (long long)d->event);
    line_right(&l, wide ? 8 : 0, "@event", STYLE_NUMBER, event);
    l.at -= wide;
    line_when(&l, "age", "at", d->at);
    line_cell(&l, wide ? 12 : row->width >= 64 ? 8 : 0, "actor", STYLE_SOURCE, d->who);
    line_cell(&l, wide ? 12 : 10, "action", STYLE_DIM, d->verb);
    line_cell(&l,
              row->width >= 160   ? 32
              : row->width >= 110 ? 20
                                  : 17,
              "memory", STYLE_REF, d->ref);
    line_text(&l, "text", STYLE_TEXT, d->text);
}

/* "confidence  0.7 → 0.9"; an element of a list has "+" or "-" in front. */
static void add_field(const struct diff_line *l, const char *arrow, struct strbuf *out)
{
    if (l->before && l->after)
        strbuf_addf(out, "%s %s %s", l->before, arrow, l->after);
    else
        strbuf_addf(out, "%s %s", l->before ? "-" : "+", l->before ? l->before : l->after);
}

static void draw(struct view *v, const struct pane *row, const void *one)
{
    static const struct diff_line header;
    const struct diff_line *d = one ? one : &header;
    AUTO_STRBUF text = STRBUF_INIT;
    struct list_line l = line_begin(v, row, false, 8, v->filter);
    if (!one || d->event) {
        draw_memory(v, row, d, !one);
    } else if (d->field) {
        line_cell(&l,
                  row->width >= 110  ? 22
                  : row->width >= 60 ? 16
                                     : 10,
                  NULL, STYLE_FIELD, d->field);
        add_field(d, glyph_text(&v->ui->screen, GLYPH_ARROW), &text);
        line_text(&l, NULL, STYLE_TEXT, text.buf);
    } else {
        line_text(&l, NULL, STYLE_DIM, d->text);
    }
}

/* "diff 2026-11-15 @137 → 11-17 @204", short enough for 80 columns: the second date has what differs. */
static void title(struct view *v, struct strbuf *out)
{
    const struct diff_view *d = diff_of(v);
    char from[32], to[32];
    times_format(from, sizeof(from), d->from.until);
    times_format(to, sizeof(to), d->to.until);
    bool known = d->from.seq != 0;
    int same = !known ? 0 : !memcmp(from, to, 10) ? 10 : !memcmp(from, to, 4) ? 5 : 0;
    if (known)
        strbuf_addf(out, "diff %.10s @%lld", from, (long long)d->from.seq);
    else
        strbuf_addstr(out, "diff the start");
    strbuf_addf(out, " %s %.*s%s", glyph_text(&v->ui->screen, GLYPH_ARROW), 10 - same, to + same,
                same < 10 ? " " : "");
    if (d->to.seq)
        strbuf_addf(out, "@%lld", (long long)d->to.seq);
}

static void taken(struct rows_view *v)
{
    const struct diff_line *all = v->rows->row;
    size_t shown = 0;
    for (size_t i = 0; i < v->rows->count; i++)
        shown += all[i].event != 0;
    diff_of(&v->view)->shown = shown;
}

static void counts(struct view *v, struct strbuf *out)
{
    const struct diff_context *d = rows_view_answer(v);
    if (d && *v->filter)
        strbuf_addf(out, "%zu of ", diff_of(v)->shown);
    if (d)
        strbuf_addf(out, "%u memor%s", d->memories, d->memories == 1 ? "y" : "ies");
}

static void order(struct view *v, struct strbuf *out)
{
    (void)v;
    strbuf_addstr(out, "oldest first");
}

static void notice(struct view *v, struct strbuf *out)
{
    const struct diff_context *d = rows_view_answer(v);
    if (d && d->unlisted)
        strbuf_addf(out, "%u without details; `stemma diff` shows them", d->unlisted);
}

/* What a line says, for searching and filtering. */
static void add_words(const struct diff_line *l, const char *arrow, struct strbuf *out)
{
    if (l->event) {
        strbuf_addf(out, "%s %s %s %s %s", l->who ? l->who : "", l->verb ? l->verb : "",
                    l->operation ? l->operation : "", l->ref ? l->ref : "", l->text ? l->text : "");
    } else if (l->field) {
        strbuf_addf(out, "%s ", l->field);
        add_field(l, arrow, out);
    } else {
        strbuf_addstr(out, l->text);
    }
}

static void line_words(struct view *v, size_t line, struct strbuf *out)
{
    add_words(rows_view_at(v, line), glyph_text(&v->ui->screen, GLYPH_ARROW), out);
}

static int matches(struct rows *rows, size_t index, struct reader *r, struct error *e)
{
    AUTO_STRBUF words = STRBUF_INIT;
    (void)r;
    add_words((const struct diff_line *)rows->row + index, "", &words);
    (void)e;
    return match_text(words.buf, rows->filter);
}

static const struct rows_ops change_ops = {.job = "comparing",
                                           .size = sizeof(struct diff_line),
                                           .context = sizeof(struct diff_context),
                                           .ask = ask,
                                           .read = read_changes,
                                           .subject = row_subject,
                                           .draw = draw,
                                           .matches = matches,
                                           .taken = taken,
                                           .sections = true,
                                           .whole_sections = true,
                                           .while_reading = "comparing…",
                                           .nothing = "nothing differs between these two times"};

static const struct view_ops diff_ops = {
    .name = "diff",
    ROWS_SECTIONS_OPS,
    .header_rows = 1,
    .draw_header = rows_view_draw_header,
    .narrow = rows_view_load,
    .has = HAS_MEMORIES | HAS_TEXT | HAS_FILTER | HAS_UNDO | HAS_FORMER | HAS_EVERYONE,
    .bar = "show,based-on,used-by,what-if,edit,change,undo=undo it",
    .legend = SIGN_BIT(SIGN_NEW) | SIGN_BIT(SIGN_CHANGED),
    .title = title,
    .notice = notice,
    .counts = counts,
    .order = order,
    .wide = true,
    .text = line_words,
};

struct view *diff_view_new(struct ui *ui, const struct point_in_time *from,
                           const struct point_in_time *to)
{
    struct diff_view *d = rows_view_new(sizeof(*d), &diff_ops, &change_ops, ui);
    d->from = *from;
    d->to = *to;
    rows_view_load(&d->rows.view);
    return &d->rows.view;
}
