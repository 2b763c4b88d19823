/* stemma graph: the drawn lineage of a memory. */
#include "tui/cli/cmd.h"

#include <stdlib.h>
#include <string.h>
#include "store/history/past.h"
#include "tui/chart/chart.h"
#include "tui/chart/graph_text.h"
#include "tui/cli/opening.h"

#define BUDGET_PIPED CHART_LARGE
#define FAN_SHARE    5 /* of a budget that one memory's neighbours of a kind may take */

enum format {
    FORMAT_TEXT = 0,
    FORMAT_DOT,
    FORMAT_JSON
};

static const char *style_choice(int i)
{
    return i < CHART_STYLES ? chart_style_name((enum chart_style)i) : NULL;
}

static const char *format_choice(int i)
{
    static const char *const names[] = {"text", "dot", "json", NULL};
    return names[i];
}

static const struct option_spec options[] = {
    OPT_FLAG("reverse", "what it carries: all that rests on it"),
    OPT_FLAG("both", "what it rests on and what it carries"),
    OPT_INT("depth", "N", 0, 1e9, "only so many steps away from it; what lies deeper is counted"),
    OPT_INT("budget", "N", 0, 1e9,
            "show about so many memories, the nearest first; the others are counted where they "
            "hang; 0: all of them, which is what dot and json have by themselves"),
    OPT_CHOICE("style", "STYLE", style_choice,
               "from left to right, from top to bottom, in boxes, or as an outline:"),
    OPT_CHOICE("format", "FORMAT", format_choice, "what it is written as:"),
    OPT_AS_OF,
    OPTION_END,
};

static enum format format_of(const struct invocation *i)
{
    return (enum format)option_choice(i, "format", i->out.json ? FORMAT_JSON : FORMAT_TEXT);
}

/* ---- what is in view ---- */

/* A raw entry rests on nothing, so its lineage is what was made from it. */
static int choose_side(struct invocation *i, struct reader *r, struct scene_wishes *w,
                       struct error *e)
{
    struct memory m;
    w->show = option_given(i, "both")      ? SCENE_BOTH
              : option_given(i, "reverse") ? SCENE_CARRIES
                                           : SCENE_RESTS_ON;
    if (w->show != SCENE_RESTS_ON)
        return 0;
    if (memory_read(r, &i->arena, w->focus, &m, e))
        return -1;
    if (m.ref.kind == KIND_RAW && m.justification_count == 0)
        w->show = SCENE_CARRIES;
    return 0;
}

/* So many; the neighbours of one memory leave room for those of others. */
static void wish_budget(struct scene_wishes *w, size_t budget)
{
    bool all = budget == 0;
    w->budget = all ? SIZE_MAX : budget;
    w->fan = all ? 0 : budget / FAN_SHARE > w->fan ? budget / FAN_SHARE : w->fan;
    w->gather = !all;
}

/* A style was asked for, and it is a drawing. */
static bool draws(const struct invocation *i)
{
    return option_choice(i, "style", CHART_OUTLINE) != CHART_OUTLINE;
}

static void choose_size(const struct invocation *i, struct scene_wishes *w)
{
    double depth = option_number(i, "depth", DEPTH_UNLIMITED);
    w->depth = depth < DEPTH_UNLIMITED ? (uint32_t)depth : DEPTH_UNLIMITED;
    if (option_given(i, "budget"))
        wish_budget(w, (size_t)option_number(i, "budget", 0));
    else if (format_of(i) == FORMAT_DOT || (format_of(i) == FORMAT_JSON && !draws(i)))
        wish_budget(w, 0);
    else if (i->out.tty || draws(i))
        chart_wish_room(w, i->out.columns == SIZE_MAX ? 0 : (int)i->out.columns, 0);
    else
        wish_budget(w, BUDGET_PIPED);
}

/* ---- how it is shown ---- */

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term && strcmp(term, "dumb") == 0;
}

/* What was asked for; else at a terminal what fits, and elsewhere an outline. Dot lays out by itself. */
static void choose_style(const struct invocation *i, struct chart_options *o)
{
    bool seen = format_of(i) == FORMAT_TEXT && i->out.tty && !is_dumb();
    int otherwise = seen ? CHART_AUTO : CHART_OUTLINE;
    o->style = (enum chart_style)option_choice(i, "style", otherwise);
    if (format_of(i) == FORMAT_DOT)
        o->style = CHART_OUTLINE;
    o->columns = i->out.columns == SIZE_MAX ? 0 : (int)i->out.columns;
    o->ascii = i->out.ascii;
}

/* Lines that a terminal would break cannot be followed. */
static int mind_width(struct invocation *i, struct chart *c, struct chart_options *o,
                      struct error *e)
{
    if (c->style == CHART_OUTLINE || o->columns <= 0 || c->layout.width <= o->columns)
        return 0;
    if (o->style == CHART_AUTO) {
        o->style = CHART_OUTLINE;
        return chart_lay_out(c, o, e);
    }
    if (i->out.tty)
        output_note("the drawing is %d columns wide: `| less -S` shows it", (int)c->layout.width);
    return 0;
}

static int print_chart(struct invocation *i, struct reader *r, const struct chart *c,
                       enum scene_show show, struct error *e)
{
    enum format format = format_of(i);
    if (format == FORMAT_TEXT) {
        graph_text_print(&i->out, c, show);
        return 0;
    }
    if (format == FORMAT_DOT) {
        int style = option_choice(i, "style", CHART_OUTLINE);
        graph_dot_add(&i->out.text, c, style == CHART_TB || style == CHART_TB_BOX);
        return 0;
    }
    int result = graph_json_add(&i->out.text, r, c, show, e);
    strbuf_addch(&i->out.text, '\n');
    return result;
}

/* A memory that was not written yet then, and that nothing named. */
static int check_there(const struct invocation *i, const struct reader *r, const struct chart *c,
                       struct error *e)
{
    if (c->scene.node[0].sort != SCENE_GHOST || c->scene.nodes > 1 || reader_past(r) < 0)
        return 0;
    return error_set(e, ERROR_NOT_FOUND, "`stemma history` tells when it came.",
                     "%s was not there yet", i->words[0]);
}

static int graph(struct invocation *i, struct reader *r, struct error *e)
{
    struct scene_wishes wishes = SCENE_WISHES_INIT;
    struct chart_options o = {0};
    struct chart chart = CHART_INIT;
    wishes.focus = opening_resolve(r, i->words[0], e);
    if (wishes.focus < 0 || choose_side(i, r, &wishes, e))
        return -1;
    choose_size(i, &wishes);
    choose_style(i, &o);
    int result = chart_load(&chart, r, &wishes, &o, e);
    if (!result)
        result = check_there(i, r, &chart, e) || mind_width(i, &chart, &o, e) ||
                         print_chart(i, r, &chart, wishes.show, e)
                     ? -1
                     : 0;
    chart_release(&chart);
    scene_wishes_release(&wishes);
    return result;
}

static int check_graph(const struct invocation *i, struct error *e)
{
    if (option_given(i, "reverse") && option_given(i, "both"))
        return error_set(e, ERROR_USAGE, "Give --both alone.", "--both is --reverse and more");
    if (i->out.json && option_given(i, "format") && format_of(i) != FORMAT_JSON)
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--json and --format %s are two formats",
                         format_choice((int)format_of(i)));
    return 0;
}

const struct command cmd_graph = {
    .name = "graph",
    .words = "REF",
    .about = "draw what a memory rests on; what it carries",
    .details = "What stands on the left, or above, rests on what stands on the right, or below. A "
               "line that joins several memories has one of them at its beginning or one at its "
               "end; where two lines cross, one is interrupted. Below the drawing stands what its "
               "signs mean, how much is not in view, and each circle.\n\n"
               "At a terminal it takes the style that fits, and an outline where none does, where "
               "there are fewer than 60 columns or more than 200 memories. Into a pipe or a file "
               "it writes an outline unless --style is given. dot and json hold all of the lineage "
               "within --depth, json with --style what that drawing shows and where: `stemma graph "
               "REF --format dot | dot -Tsvg`.",
    .marks = true,
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .check = check_graph,
    .read = graph,
};
