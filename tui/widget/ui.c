#include "tui/widget/ui.h"

#include <stdarg.h>
#include <stdio.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/history/past.h"
#include "tui/render/permission_table.h"
#include "tui/render/page.h"
#include "tui/term/signals.h"
#include "tui/text/text.h"

struct page_options ages_options(struct ui *ui)
{
    return (struct page_options){.ascii = !ui->screen.utf8,
                                 .now = ui->ages_from,
                                 .exact_times = ui->prefs->exact_times,
                                 .ages = &ui->ages,
                                 .permissions = ui->permissions};
}

unsigned ages_shown(const struct ui *ui)
{
    return ui->prefs->exact_times ? 0 : ui->ages.turn + 1;
}

/* When the ages have to be written again: ages in minutes wait a minute since the last time. */
static int64_t due_at(const struct ages *ages)
{
    int64_t soonest = ages->turned_at + ages->unit;
    return ages->next > soonest ? ages->next : soonest;
}

/* Forgets all ages. Drawing registers those that are still shown. */
void ages_begin(struct ui *ui)
{
    struct ages *ages = &ui->ages;
    if (ages->next && ui->ages_from >= due_at(ages))
        *ages = (struct ages){.turned_at = ui->ages_from, .turn = ages->turn + 1};
}

void ages_end(struct ui *ui)
{
    const struct ages *ages = &ui->ages;
    if (!ages->next || ui->screen.speaks)
        return; /* nothing is repainted for its own sake */
    int64_t wait =
        due_at(ages) - ui->ages_from; /* a clock that was set back must not delay the next frame */
    ui_wake(ui, wait < ages->unit ? wait : ages->unit);
}

enum style gauge_style(int64_t used, int64_t most)
{
    if (most <= 0 || (double)used < (double)most * 0.8)
        return STYLE_NUMBER;
    return used >= most ? STYLE_UNSUPPORTED : STYLE_WEAKENED;
}

void gauge_draw(const struct pane *row, int column, int width, int64_t used, int64_t most)
{
    enum style style = gauge_style(used, most);
    bool letters = !strcmp(glyph_text(row->screen, GLYPH_ELLIPSIS), "~");
    if (most <= 0)
        return;
    double level = (double)used / (double)most;
    if (row->screen->speaks) {
        char text[24];
        snprintf(text, sizeof(text), "%.0f%% used", level * 100);
        paint_spoken_as(row, 0, column, width, style, text);
        return;
    }
    int full = level >= 1 ? width : (int)(level * width);
    if (full == 0 && used > 0)
        full = 1;
    for (int i = 0; i < width; i++)
        paint_text(row, 0, column + i, 1, i < full ? style : STYLE_DIM,
                   i < full ? (letters ? "#" : "█") : (letters ? "." : "░"));
}

/* How many ms the text stays the same. */
static int64_t until_next(int64_t left)
{
    int64_t unit = left >= 172800000 ? 86400000
                   : left >= 7200000 ? 3600000
                   : left >= 60000   ? 60000
                                     : 1000;
    return left % unit + 1;
}

void countdown_text(struct ui *ui, char *out, size_t size, int64_t expires_at)
{
    int64_t left = expires_at - ui->ages_from;
    out[0] = '\0';
    if (expires_at <= 0)
        return;
    if (left <= 0) {
        snprintf(out, size, "expired");
        return;
    }
    format_seconds(out, size, left / 1000);
    if (reader_past(ui->data->reader) < 0 && !ui->screen.speaks)
        ui_wake(ui, until_next(left));
}

void selection_release(struct selection *m)
{
    free(m->bits);
    *m = (struct selection){0};
}

bool selection_has(const struct selection *m, int64_t node)
{
    size_t word = (size_t)node / 64;
    return node > 0 && word < m->words && (m->bits[word] >> (node % 64) & 1);
}

static void grow(struct selection *m, size_t word)
{
    size_t words = m->words ? m->words : 64;
    while (words <= word)
        words *= 2;
    m->bits = xrealloc(m->bits, words * sizeof(*m->bits));
    memset(m->bits + m->words, 0, (words - m->words) * sizeof(*m->bits));
    m->words = words;
}

void selection_set(struct selection *m, int64_t node, bool selected)
{
    size_t word = (size_t)node / 64;
    if (node <= 0 || selection_has(m, node) == selected)
        return;
    if (word >= m->words)
        grow(m, word);
    m->bits[word] ^= (uint64_t)1 << (node % 64);
    if (selected)
        m->count++;
    else
        m->count--;
}

void selection_clear(struct selection *m)
{
    if (m->bits)
        memset(m->bits, 0, m->words * sizeof(*m->bits));
    m->count = 0;
    m->range = 0;
}

int64_t selection_next(const struct selection *m, int64_t after)
{
    for (int64_t node = after + 1; (size_t)node / 64 < m->words; node++) {
        if (m->bits[node / 64] >> (node % 64) == 0)
            node |= 63; /* no more bits in this word */
        else if (selection_has(m, node))
            return node;
    }
    return 0;
}

const char *ui_mark(const struct ui *ui, int64_t node)
{
    int sign = selection_has(&ui->disbelieved, node)   ? SIGN_DISBELIEVED
               : selection_has(&ui->unsupported, node) ? SIGN_FALLEN
               : selection_has(&ui->selection, node)   ? SIGN_SELECTED
                                                       : -1;
    return sign < 0 ? NULL : mark_of_label(sign, !ui->screen.utf8);
}

void ui_draw_mark(const struct ui *ui, const struct pane *p, int row, int column, int64_t node)
{
    const char *mark = ui_mark(ui, node);
    if (mark)
        paint_text(p, row, column, 1, STYLE_MARK, mark);
}

void ui_mask(const struct ui *ui, struct strbuf *text)
{
    AUTO_ARENA arena = ARENA_INIT;
    if (!ui->data->mask || text->len == 0)
        return;
    const char *shown = guard_mask_text(ui->data->mask, &arena, text->buf);
    if (shown != text->buf) {
        strbuf_clear(text);
        strbuf_addstr(text, shown ? shown : "");
    }
}

void ui_mask_name(const struct ui *ui, const char *name, struct strbuf *text)
{
    strbuf_clear(text);
    strbuf_addstr(text, name);
    ui_mask(ui, text);
}

void ui_message(struct ui *ui, const char *format, ...)
{
    AUTO_STRBUF text = STRBUF_INIT, clean = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    ui_mask(ui, &text);
    text_clean(&clean, text.buf, text.len, TEXT_EXACT); /* it may contain a name */
    snprintf(ui->status.text, sizeof(ui->status.text), "%s", clean.buf);
    ui->status.style = STYLE_STATUS;
    ui->status.fresh = true;
    ui->status.shown_since = monotonic_ms();
}

void ui_error(struct ui *ui, const struct error *e)
{
    ui_message(ui, "%s%s%s", e->what, *e->hint ? ". " : "", e->hint);
    ui->status.style = STYLE_ERROR;
}

bool ui_shows_error(const struct ui *ui)
{
    return ui->status.fresh && ui->status.style == STYLE_ERROR;
}

void ui_wake(struct ui *ui, int64_t ms)
{
    int64_t at = monotonic_ms() + ms;
    if (ui->wake_at == 0 || at < ui->wake_at)
        ui->wake_at = at;
}

bool ui_is_ended(struct ui *ui)
{
    if (!signals_end())
        return false;
    ui->quit = true;
    ui->ended_by = signals_end();
    return true;
}

/* ---- modals ---- */

void modal_open(struct ui *ui, struct modal *m, const struct modal_ops *ops)
{
    modal_close(ui, m);
    m->ops = ops;
    m->below = ui->modal;
    ui->modal = m;
    ui->drop_typed = true;
}

void modal_close(struct ui *ui, struct modal *m)
{
    struct modal **at = &ui->modal;
    while (*at && *at != m)
        at = &(*at)->below;
    if (*at)
        *at = m->below;
    m->ops = NULL;
    m->below = NULL;
}
