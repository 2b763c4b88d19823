#include "tui/widget/ages.h"

#include <stdio.h>
#include "model/base/clock.h"
#include "store/db/store.h"
#include "store/history/past.h"
#include "tui/widget/ui.h"
#include "tui/render/permission_table.h"
#include "tui/render/facts_sheet.h"

struct facts_look ages_look(struct ui *ui)
{
    return (struct facts_look){.ascii = !ui->screen.utf8,
                               .now = ui->now,
                               .exact_times = ui->prefs->exact_times,
                               .ages = &ui->ages};
}

unsigned ages_shown(const struct ui *ui)
{
    return ui->prefs->exact_times ? 0 : ui->ages.turn + 1;
}

/* When they are to be said again: what counts in minutes waits for a minute since the last time. */
static int64_t due_at(const struct ages *ages)
{
    int64_t soonest = ages->turned_at + ages->unit;
    return ages->next > soonest ? ages->next : soonest;
}

/* What is not shown any more is forgotten then: what is, is noted as it is drawn. */
void ages_begin(struct ui *ui)
{
    struct ages *ages = &ui->ages;
    if (ages->next && ui->now >= due_at(ages))
        *ages = (struct ages){.turned_at = ui->now, .turn = ages->turn + 1};
}

void ages_end(struct ui *ui)
{
    const struct ages *ages = &ui->ages;
    if (!ages->next)
        return;
    int64_t wait = due_at(ages) - ui->now; /* a clock that was set back makes nobody wait for it */
    ui_wake(ui, wait < ages->unit ? wait : ages->unit);
}

enum style gauge_style(int64_t used, int64_t most)
{
    if (most <= 0 || (double)used < (double)most * 0.8)
        return STYLE_NUMBER;
    return used >= most ? STYLE_UNGROUNDED : STYLE_WEAKENED;
}

void gauge_draw(const struct pane *row, int column, int width, int64_t used, int64_t most)
{
    enum style style = gauge_style(used, most);
    bool letters = !strcmp(glyph_text(row->screen, GLYPH_ELLIPSIS), "~");
    if (most <= 0)
        return;
    double level = (double)used / (double)most;
    int full = level >= 1 ? width : (int)(level * width);
    if (full == 0 && used > 0)
        full = 1;
    for (int i = 0; i < width; i++)
        paint_text(row, 0, column + i, 1, i < full ? style : STYLE_DIM,
                   i < full ? (letters ? "#" : "█") : (letters ? "." : "░"));
}

/* How many ms it reads so. */
static int64_t until_next(int64_t left)
{
    int64_t unit = left >= 172800000 ? 86400000
                   : left >= 7200000 ? 3600000
                   : left >= 60000   ? 60000
                                     : 1000;
    return left % unit + 1;
}

void countdown_say(struct ui *ui, char *out, size_t size, int64_t expires_at)
{
    int64_t left = expires_at - ui->now;
    out[0] = '\0';
    if (expires_at <= 0)
        return;
    if (left <= 0) {
        snprintf(out, size, "expired");
        return;
    }
    seconds_say(out, size, left / 1000);
    if (reader_past(ui->data->reader) < 0)
        ui_wake(ui, until_next(left));
}
