#include "tui/widget/ui.h"

#include "model/base/strbuf.h"
#include "tui/text/text.h"

void ui_mask(const struct ui *ui, struct strbuf *text)
{
    struct arena arena = ARENA_INIT;
    if (!ui->data->mask || text->len == 0)
        return;
    const char *shown = guard_mask_text(ui->data->mask, &arena, text->buf);
    if (shown != text->buf) {
        strbuf_clear(text);
        strbuf_addstr(text, shown ? shown : "");
    }
    arena_release(&arena);
}

void ui_vsay(struct ui *ui, const char *format, va_list args)
{
    struct strbuf text = STRBUF_INIT, clean = STRBUF_INIT;
    strbuf_vaddf(&text, format, args);
    ui_mask(ui, &text);
    text_clean(&clean, text.buf, text.len, TEXT_EXACT); /* it may name anybody */
    snprintf(ui->status.text, sizeof(ui->status.text), "%s", clean.buf);
    strbuf_release(&text);
    strbuf_release(&clean);
    ui->status.style = STYLE_STATUS;
    ui->status.fresh = true;
    ui->status.said_at = monotonic_ms();
}

void ui_say(struct ui *ui, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ui_vsay(ui, format, args);
    va_end(args);
}

void ui_fail(struct ui *ui, const struct error *e)
{
    ui_say(ui, "%s%s%s", e->what, *e->todo ? ". " : "", e->todo);
    ui->status.style = STYLE_ERROR;
}

void ui_wake(struct ui *ui, int64_t ms)
{
    int64_t at = monotonic_ms() + ms;
    if (ui->wake_at == 0 || at < ui->wake_at)
        ui->wake_at = at;
}

/* ---- what is open ---- */

void modal_open(struct ui *ui, struct modal *m, const struct modal_ops *ops)
{
    modal_close(ui, m);
    m->ops = ops;
    m->below = ui->modal;
    ui->modal = m;
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
