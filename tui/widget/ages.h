/*
 * The ages that stand on the screen: "41s", "5m". Whoever shows one notes it here, and a frame is drawn once one of
 * them reads otherwise: at most once in what the finest of them counts in, so that minutes cost a frame a minute.
 */
#ifndef STEMMA_WIDGET_AGES_H
#define STEMMA_WIDGET_AGES_H

#include <stdint.h>
#include "tui/render/facts_sheet.h"
#include "tui/term/paint.h"

struct ui;
struct facts_look;

/* As times are shown in this frame, noting the ages. */
struct facts_look ages_look(struct ui *ui);
/* Another number where times were shown otherwise: what was laid out then must be again. */
unsigned ages_shown(const struct ui *ui);
/* Before a frame, at ui->now, and after it. */
void ages_begin(struct ui *ui);
void ages_end(struct ui *ui);

/* How full a quota is, and how long something still lives: as lines of entries show it. */

/* A bar of `width` columns; nothing where there is no quota. From four fifths on it warns. */
void gauge_draw(const struct pane *row, int column, int width, int64_t used, int64_t most);
/* The style of a number beside it. */
enum style gauge_style(int64_t used, int64_t most);

/*
 * "45s", "59m", "3h"; "" for what never expires, and "expired". Where it is drawn a frame is wanted when it would
 * read otherwise, and not before: nothing ticks that does not change.
 */
void countdown_say(struct ui *ui, char *out, size_t size, int64_t expires_at);

#endif
