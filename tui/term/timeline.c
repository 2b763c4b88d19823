#include "tui/term/timeline.h"

#include <string.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "tui/text/text.h"

static int64_t most_of(const struct timeline *t)
{
    int64_t most = 0;
    for (size_t i = 0; i < t->buckets; i++)
        most = t->counts[i] > most ? t->counts[i] : most;
    return most;
}

/* Of `steps` levels the least that count / most reaches: something is never nothing. */
static int level_of(int64_t count, int64_t most, int steps)
{
    double level = (double)count / (double)most * steps;
    int whole = (int)level;
    whole += level > whole;
    return count <= 0 ? 0 : whole < 1 ? 1 : whole > steps ? steps : whole;
}

/* A level of 1–8 as a block, or of 1–9 as a digit. */
static const char *block(const struct screen *screen, int level)
{
    return level_glyph(screen, screen->utf8 ? (level - 0.5) / 8 : (level + 0.5) / 10);
}

void timeline_draw(const struct pane *p, int row, int column, const struct timeline *t)
{
    int64_t most = most_of(t);
    int steps = p->screen->utf8 ? 8 : 9;
    for (size_t i = 0; i < t->buckets; i++) {
        int level = level_of(t->counts[i], most, steps);
        paint_text(p, row, column + (int)i, 1, level ? STYLE_NUMBER : STYLE_RULE,
                   level ? block(p->screen, level) : glyph_text(p->screen, GLYPH_DOT));
    }
}

/* ---- the chart ---- */

static void draw_bar(const struct pane *p, int column, int rows, int64_t count, int64_t most)
{
    int steps = p->screen->utf8 ? 8 : 1, level = level_of(count, most, rows * steps);
    for (int row = rows - 1; row >= 0 && level > 0; row--, level -= steps)
        paint_text(p, row, column, 1, STYLE_NUMBER,
                   p->screen->utf8 ? block(p->screen, level < steps ? level : steps) : "#");
}

static void draw_ends(const struct pane *p, int row, const struct timeline *t)
{
    struct strbuf range = STRBUF_INIT;
    const char *dash = p->screen->utf8 ? " – " : " - ";
    timeline_add_range(p->screen, t->first, t->last, p->width, &range);
    char *middle = range.len > 0 ? strstr(range.buf, dash) : NULL;
    if (middle) {
        int end = (int)strlen(middle + strlen(dash));
        paint_bytes(p, row, 0, p->width, STYLE_AGE, range.buf, (size_t)(middle - range.buf));
        paint_text(p, row, p->width - end, end, STYLE_AGE, middle + strlen(dash));
    } else {
        paint_bytes(p, row, 0, p->width, STYLE_AGE, range.buf, range.len);
    }
    strbuf_release(&range);
}

void timeline_draw_chart(const struct pane *p, const struct timeline *t)
{
    int rows = p->height - 1;
    int64_t most = most_of(t);
    for (size_t i = 0; i < t->buckets && (int)i < p->width && rows > 0; i++) {
        if (t->counts[i] > 0)
            draw_bar(p, (int)i, rows, t->counts[i], most);
        else
            paint_text(p, rows - 1, (int)i, 1, STYLE_RULE, glyph_text(p->screen, GLYPH_DOT));
    }
    draw_ends(p, p->height - 1, t);
}

/* ---- the range ---- */

void timeline_add_range(const struct screen *screen, int64_t first, int64_t last, int width,
                        struct strbuf *out)
{
    static const struct {
        int from, len; /* of "2026-11-20T10:42:16.000Z" */
        int64_t within;
    } forms[] = {{0, 16, 4 * CLOCK_DAY}, {11, 5, CLOCK_DAY}, {0, 10, INT64_MAX}, {0, 7, INT64_MAX}};
    char a[40], b[40];
    clock_format_iso(a, sizeof(a), first);
    clock_format_iso(b, sizeof(b), last);
    if (strlen(a) != 24 || strlen(b) != 24 || last < first)
        return; /* a year that nobody writes */
    a[10] = b[10] = ' ';
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        bool same_day = forms[i].from == 0 || !strncmp(a, b, 10);
        if (2 * forms[i].len + 3 > width || last - first > forms[i].within || !same_day)
            continue;
        strbuf_addf(out, "%.*s %s %.*s", forms[i].len, a + forms[i].from, screen->utf8 ? "–" : "-",
                    forms[i].len, b + forms[i].from);
        return;
    }
}
