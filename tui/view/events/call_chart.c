/* Charts of calls: how many there were in each minute, and how long they took. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/times.h"
#include "tui/explorer/app.h"
#include "tui/render/facts.h"
#include "tui/render/session_print.h"
#include "tui/view/events/event_views.h"

#define CHARTS      3
#define BARS_WIDTH  100 /* of the list, from which on there is room for charts with an axis */
#define BAR_ROWS    3
#define BARS        (1 + BAR_ROWS + 1) /* with a title and the times */
#define LINE_HEIGHT 13                 /* from which on there is room for a line of levels */

static void write_count(char *out, size_t size, double value)
{
    snprintf(out, size, "%.0f", value);
}

/* 0, at the foot of the axis, needs no unit. */

static void write_duration(char *out, size_t size, double value)
{
    if (value > 0)
        microseconds_text(out, size, (int64_t)value);
    else
        write_count(out, size, value);
}

static double calls_of(const struct call_minute *m)
{
    return (double)m->calls;
}

static double half_of(const struct call_minute *m)
{
    return m->latency.count ? (double)latency_percentile(&m->latency, 50) : NAN;
}

static double most_of(const struct call_minute *m)
{
    return m->latency.count ? (double)latency_percentile(&m->latency, 99) : NAN;
}

static const struct {
    const char *name, *brief;
    double (*of)(const struct call_minute *m);
    void (*write)(char *out, size_t size, double value);
} charts[CHARTS] = {
    {"calls a minute", "calls", calls_of, write_count},
    {"p50", "p50", half_of, write_duration},
    {"p99", "p99", most_of, write_duration},
};

/* Sessions that are connected have a chart before their first call, so that nothing moves then. */
static bool have_calls(const struct live *live)
{
    if (live->count > 0)
        return true;
    for (size_t i = 0; live->minute && i < LIVE_MINUTES; i++)
        if (live->minute[i].calls)
            return true;
    return false;
}

int call_chart_rows(const struct app *x, int height, int width, int others)
{
    if (height < LINE_HEIGHT || !have_calls(&x->live))
        return 0;
    return height - BARS >= others && width >= BARS_WIDTH ? BARS : 1;
}

/* The values of the last `count` minutes. */
static void read_values(const struct live *live, int chart, int count, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = live->minute ? charts[chart].of(&live->minute[LIVE_MINUTES - count + i]) : NAN;
}

/* "calls ▁▂▅ 12": the number is of the last minute that has one. */
static void draw_line(const struct app *x, const struct pane *p, int chart, int at, int width)
{
    double value[LIVE_MINUTES], last = NAN;
    char now[24] = "";
    int from = at + (int)strlen(charts[chart].brief) + 1, room = width - (from - at) - 8;
    int count = room < LIVE_MINUTES ? room : LIVE_MINUTES;
    if (count < 1)
        return;
    read_values(&x->live, chart, count, value);
    for (int i = 0; i < count; i++)
        last = value[i] == value[i] ? value[i] : last;
    if (last == last)
        charts[chart].write(now, sizeof(now), last);
    paint_text(p, 0, at, from - at, STYLE_FIELD, charts[chart].brief);
    paint_plot(p, 0, from,
               &(struct plot){
                   .value = value, .count = (size_t)count, .rows = 1, .ascii = !x->ui.screen.utf8});
    paint_text(p, 0, from + count + 1, 6, STYLE_NUMBER, now);
}

static void draw_bars(const struct app *x, const struct pane *p, int chart, int at, int width)
{
    double value[LIVE_MINUTES];
    char first[40], last[40];
    int room = width - PLOT_VALUE - 2, count = room < LIVE_MINUTES ? room : LIVE_MINUTES;
    if (count < 1)
        return;
    read_values(&x->live, chart, count, value);
    int64_t now = x->live.minute ? x->live.minute[LIVE_MINUTES - 1].at : x->ui.now;
    times_format(first, sizeof(first), now - (count - 1) * (int64_t)MINUTE_MS);
    times_format(last, sizeof(last), now);
    first[16] = last[16] = '\0';
    if (chart > 0)
        paint_format(p, 0, at + PLOT_VALUE + 2, width, STYLE_RULE_TITLE, " %s ",
                     charts[chart].name);
    paint_plot(p, 1, at,
               &(struct plot){.value = value,
                              .count = (size_t)count,
                              .rows = BAR_ROWS,
                              .ascii = !x->ui.screen.utf8,
                              .write = charts[chart].write,
                              .left = first + 11, /* the time alone */
                              .right = last + 11});
}

void call_chart_draw(const struct app *x, const struct pane *p, int rows)
{
    int width = (p->width - 2) / CHARTS;
    if (rows > 1)
        paint_rule(p, 0, charts[0].name, "");
    for (int i = 0; i < CHARTS; i++)
        if (rows > 1)
            draw_bars(x, p, i, 1 + i * width, width - 2);
        else
            draw_line(x, p, i, 3 + i * width, width - 2);
}
