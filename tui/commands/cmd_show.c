/*
 * stemma show, graph and whatif: a memory as a page or a trace, its lineage as a drawing, and the effect of a
 * retraction.
 */
#include <stdlib.h>
#include <string.h>
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/import/transcripts/transcript_text.h"
#include "store/json/answer.h"
#include "tui/chart/chart.h"
#include "tui/render/chain_page.h"
#include "tui/render/conversation_page.h"
#include "tui/commands/commands.h"
#include "tui/cli/opening.h"
#include "tui/render/facts.h"
#include "tui/render/plan_page.h"
#include "tui/render/trace.h"

/* stemma show: the page of a memory, or a trace of its lineage. */

static const struct option_spec options[] = {
    OPT_FLAG("trace", "what it is based on; of a raw entry, what was made from it"),
    OPT_FLAG("conversation", "the part of a transcript in which it came about"),
    OPT_FLAG("reverse", "what is based on it"),
    OPT_INT("depth", "N", 0, 1e9,
            "follow --trace or --reverse only so far; deeper memories are counted"),
    OPT_AS_OF,
    OPTION_END,
};

static int show_trace(struct invocation *i, struct reader *r, const struct memory *m,
                      struct error *e)
{
    struct trace trace;
    struct error ignored; /* without the cache the trace is slower */
    /* Of a raw entry what was made from it is of interest. */
    bool down = option_given(i, "reverse") || m->ref.kind == KIND_RAW;
    double depth = option_number(i, "depth", DEPTH_UNLIMITED);
    struct answer to = output_answer(&i->out);
    db_enlarge_cache(reader_db(r), &ignored);
    int result = trace_load(&trace, r, m->node, down ? DESCENDANTS : ANCESTORS, (uint32_t)depth, e);
    if (!result)
        result = i->out.json ? answer_trace(&to, r, &trace, e) : trace_print(&i->out, r, &trace, e);
    if (!result && i->out.json)
        strbuf_addch(&i->out.text, '\n');
    trace_release(&trace);
    return result;
}

/* Dependents are counted up to this number; counting more would take longer than everything else. */
#define COUNTED_MAX 2000

static int show_page(struct invocation *i, struct reader *r, int64_t node, struct error *e)
{
    struct facts *facts = facts_read(r, node, COUNTED_MAX, true, NULL, e);
    struct page page;
    if (!facts)
        return -1;
    page_for_output(&page, &i->out);
    page.options.permissions = &i->config.permissions;
    facts_page(&page, facts, &page.options);
    output_memory_page(&i->out, &page, facts->memory.ref);
    facts_free(facts);
    return 0;
}

static void write_conversation(struct output *out, const struct talk *talk)
{
    const struct conversation *c = &talk->conversation;
    static const char *const kinds[] = {"person", "agent", "notice", "thought", "call", "result"};
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "transcript", c->path);
    json_pair_bool(&o, "before", c->before);
    json_pair_bool(&o, "after", c->after);
    json_pair_bool(&o, "guessed", talk->is_guessed);
    json_pair_if(&o, "unread", c->why);
    struct json_object list = json_open(&o, "turns", '[');
    for (size_t i = 0; i < c->count; i++) {
        const struct turn *t = &c->turn[i];
        struct json_object one = json_item_open(&list, '{');
        json_pair(&one, "kind", kinds[t->kind]);
        json_pair_int(&one, "at", t->at);
        json_pair_bool(&one, "here", t->is_here);
        json_pair_bool(&one, "subagent", t->is_side);
        json_pair_bool(&one, "failed", t->failed);
        json_pair(&one, "text", t->text);
        json_end(&one);
    }
    json_end(&list);
    json_end_line(&o);
}

/* What a person and the agent said when the memory came about. */
static int show_conversation(struct invocation *i, struct reader *r, int64_t node, struct error *e)
{
    struct talk *talk = talk_read(r, node, false, e);
    struct page page;
    if (!talk)
        return -1;
    if (i->out.json) {
        write_conversation(&i->out, talk);
    } else {
        page_for_output(&page, &i->out);
        conversation_page(&page, talk, NULL, &page.options);
        output_page(&i->out, &page, 0);
    }
    talk_free(talk);
    return 0;
}

/* A line of a transcript that is no memory. Returns 1 if it is shown. */
static int show_line(struct invocation *i, struct reader *r, const char *word)
{
    struct transcript_text t;
    struct ref ref = {KIND_RAW, word};
    struct error ignored;
    enum ref_class given = ref_parse(word, &ref);
    if ((given != REF_MEMORY && given != REF_BARE) ||
        transcript_text_read(r, ref, &i->arena, &t, &ignored) <= 0)
        return 0;
    const char **const texts[] = {&t.text, &t.path};
    guard_mask_texts(r, &i->arena, texts, 2);
    output_note("%s is no memory, but a line of a transcript: bytes %lld to %lld of %s", word,
                (long long)t.offset, (long long)t.offset + (long long)t.length, t.path);
    struct page page;
    page_for_output(&page, &i->out);
    page_begin(&page, &page.options);
    if (t.text)
        facts_put_text(&page, t.text, SIZE_MAX);
    else
        page_note(&page, 1, "its text cannot be shown: %s", t.why ? t.why : "it has none");
    output_page(&i->out, &page, 0);
    return 1;
}

int not_written(struct reader *r, const char *word, int64_t event, struct error *e)
{
    if (reader_past(r) >= 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma history` shows when it was added.",
                         "%.80s did not exist yet", word);
    return error_set(e, ERROR_NOT_FOUND, "`stemma show --reverse` shows who names it.", "%.80s %s",
                     word,
                     event ? "was undone: only its ref is left"
                           : "is named by others, but was not written here yet");
}

static int show(struct invocation *i, struct reader *r, struct error *e)
{
    struct memory m;
    int64_t row = opening_resolve(r, i->words[0], e);
    if (row < 0 && e->code == ERROR_NOT_FOUND && !i->out.json && show_line(i, r, i->words[0]))
        return 0;
    if (row < 0 || memory_read(r, &i->arena, row, &m, e))
        return -1;
    if (option_given(i, "conversation"))
        return show_conversation(i, r, m.node, e);
    if (option_given(i, "trace") || option_given(i, "reverse"))
        return show_trace(i, r, &m, e);
    if (m.status == STATUS_MISSING && (reader_past(r) >= 0 || i->out.json))
        return not_written(r, i->words[0], m.event, e);
    int result = i->out.json                  ? answer_memory(r, &i->arena, m.node, &i->out.text, e)
                 : m.status == STATUS_MISSING ? show_page(i, r, m.node, e)
                 : m.ref.kind == KIND_CHAIN   ? chain_print(&i->out, r, m.node, e)
                 : m.ref.kind == KIND_DOCUMENT
                     ? document_show(i, r, m.node, false, DOCUMENT_ROWS, e)
                     : show_page(i, r, m.node, e);
    if (!result && i->out.json)
        strbuf_addch(&i->out.text, '\n');
    return result ? -1 : m.status == STATUS_MISSING;
}

static int check_show(const struct invocation *i, struct error *e)
{
    if (option_given(i, "trace") && option_given(i, "reverse"))
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--trace and --reverse are two directions");
    if (option_given(i, "conversation") && (option_given(i, "trace") || option_given(i, "reverse")))
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--conversation and --%s are two pages",
                         option_given(i, "trace") ? "trace" : "reverse");
    if (option_given(i, "depth") && !option_given(i, "trace") && !option_given(i, "reverse"))
        return error_set(e, ERROR_USAGE, "Give --trace or --reverse as well.",
                         "--depth needs --trace or --reverse");
    return 0;
}

const struct command cmd_show = {
    .name = "show",
    .words = "REF",
    .about = "show a memory of any kind: its text, what it is based on, what is based on it",
    .examples = "stemma show belief:8fc21b98\n"
                "stemma show belief:8fc21b98 --trace\n"
                "stemma show belief:8fc21b98 --conversation\n"
                "stemma show belief:8fc21b98 --as-of \"2 days ago\"",
    .details = "In a trace, a memory that is reached in several ways is shown once and referred to "
               "after that. A circle is marked where it closes and listed below. Without --depth "
               "nothing is cut.",
    .signs = true,
    .options = options,
    .check = check_show,
    .read = show,
};

/* stemma graph: the drawn lineage of a memory. */

#define BUDGET_PIPED 200
#define FAN_SHARE    5 /* divisor: part of the budget for one memory's neighbours of one kind */

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

static const struct option_spec graph_options[] = {
    OPT_FLAG("reverse", "what is based on it"),
    OPT_FLAG("both", "what it is based on and what is based on it"),
    OPT_INT("depth", "N", 0, 1e9, "only so many steps away from it; deeper memories are counted"),
    OPT_INT("budget", "N", 0, 1e9,
            "show about so many memories, the nearest first, and count the others; 0: all of them, "
            "the default of dot and json"),
    OPT_CHOICE("style", "STYLE", style_choice,
               "from left to right, from top to bottom, in boxes, or as an outline:"),
    OPT_CHOICE("format", "FORMAT", format_choice, "output format:"),
    OPT_AS_OF,
    OPTION_END,
};

static enum format format_of(const struct invocation *i)
{
    return (enum format)option_choice(i, "format", i->out.json ? FORMAT_JSON : FORMAT_TEXT);
}

/* ---- the visible part ---- */

/* A raw entry has no sources: show what was made from it. */
static int choose_side(struct invocation *i, struct reader *r, struct subgraph_request *w,
                       struct error *e)
{
    struct memory m;
    w->show = option_given(i, "both")      ? SHOW_BOTH
              : option_given(i, "reverse") ? SHOW_DESCENDANTS
                                           : SHOW_ANCESTORS;
    if (w->show != SHOW_ANCESTORS)
        return 0;
    if (memory_read(r, &i->arena, w->focus, &m, e))
        return -1;
    if (m.ref.kind == KIND_RAW && m.justification_count == 0)
        w->show = SHOW_DESCENDANTS;
    return 0;
}

/* Sets the number of nodes; the neighbours of one memory get only a part of it. */
static void request_budget(struct subgraph_request *w, size_t budget)
{
    bool all = budget == 0;
    w->budget = all ? SIZE_MAX : budget;
    w->fan = all ? 0 : budget / FAN_SHARE > w->fan ? budget / FAN_SHARE : w->fan;
    w->gather = !all;
}

/* True if a style other than the outline was given. */
static bool draws(const struct invocation *i)
{
    return option_choice(i, "style", CHART_OUTLINE) != CHART_OUTLINE;
}

/* True if a drawing shows as much as there is room for. */
static bool draws_room(const struct invocation *i)
{
    bool whole = format_of(i) == FORMAT_DOT || (format_of(i) == FORMAT_JSON && !draws(i));
    return !option_given(i, "budget") && !whole && (i->out.tty || draws(i));
}

static void choose_size(const struct invocation *i, struct subgraph_request *w)
{
    double depth = option_number(i, "depth", DEPTH_UNLIMITED);
    w->depth = depth < DEPTH_UNLIMITED ? (uint32_t)depth : DEPTH_UNLIMITED;
    if (option_given(i, "budget"))
        request_budget(w, (size_t)option_number(i, "budget", 0));
    else if (format_of(i) == FORMAT_DOT || (format_of(i) == FORMAT_JSON && !draws(i)))
        request_budget(w, 0);
    else if (draws_room(i))
        chart_request_room(w, i->out.columns == SIZE_MAX ? 0 : (int)i->out.columns, 0);
    else
        request_budget(w, BUDGET_PIPED);
}

/* ---- style ---- */

/* Uses the style that was given; otherwise what fits on a terminal, and an outline elsewhere. Dot does its own
 * layout. */
static void choose_style(const struct invocation *i, struct chart_options *o)
{
    const char *term = getenv("TERM");
    bool dumb = term && strcmp(term, "dumb") == 0;
    bool seen = format_of(i) == FORMAT_TEXT && i->out.tty && !dumb;
    int otherwise = seen ? CHART_AUTO : CHART_OUTLINE;
    o->style = (enum chart_style)option_choice(i, "style", otherwise);
    if (format_of(i) == FORMAT_DOT)
        o->style = CHART_OUTLINE;
    o->columns = i->out.columns == SIZE_MAX ? 0 : (int)i->out.columns;
    o->ascii = i->out.ascii;
}

/* Lines wrapped by a terminal would be unreadable. */
static int check_width(struct invocation *i, struct chart *c, struct chart_options *o,
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
                       enum subgraph_show show, struct error *e)
{
    enum format format = format_of(i);
    if (format == FORMAT_TEXT) {
        graph_text_print(&i->out, c, show);
        if (c->subgraph.partial)
            output_flow(&i->out, "--depth and --budget set how much is shown", 2);
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

static int graph(struct invocation *i, struct reader *r, struct error *e)
{
    struct subgraph_request request = SUBGRAPH_REQUEST_INIT;
    struct chart_options o = {0};
    struct chart chart = CHART_INIT;
    request.focus = opening_resolve(r, i->words[0], e);
    if (request.focus < 0 || choose_side(i, r, &request, e))
        return -1;
    choose_size(i, &request);
    choose_style(i, &o);
    bool fitting = draws_room(i);
    int result = fitting ? chart_load_fitting(&chart, r, &request, &o, e)
                         : chart_load(&chart, r, &request, &o, e);
    const struct subgraph *drawn = &chart.subgraph;
    if (!result && drawn->node[0].type == SUBGRAPH_MISSING && drawn->nodes == 1 &&
        reader_past(r) >= 0)
        result = not_written(r, i->words[0], 0, e);
    if (!result)
        result =
            check_width(i, &chart, &o, e) || print_chart(i, r, &chart, request.show, e) ? -1 : 0;
    chart_release(&chart);
    subgraph_request_release(&request);
    return result;
}

static int check_graph(const struct invocation *i, struct error *e)
{
    if (option_given(i, "reverse") && option_given(i, "both"))
        return error_set(e, ERROR_USAGE, "Omit --reverse.", "--both includes --reverse");
    if (i->out.json && option_given(i, "format") && format_of(i) != FORMAT_JSON)
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--json and --format %s are two formats",
                         format_choice((int)format_of(i)));
    return 0;
}

const struct command cmd_graph = {
    .name = "graph",
    .words = "REF",
    .about = "draw what a memory is based on, or what is based on it",
    .examples = "stemma graph belief:c2992c46\n"
                "stemma graph episode:65f767ba --reverse",
    .details = "A memory is based on the memories to its left, or above it. A line that joins "
               "several memories has one of them at its beginning or at its end; where two lines "
               "cross, one is interrupted. Below the drawing are the meaning of its signs, how "
               "much is not in view, and each circle.\n\nOn a terminal it uses the style that "
               "fits, and an outline if none does, if there are fewer than 80 columns or more than "
               "60 memories. To a pipe or a file it writes an outline unless --style is given. dot "
               "and json have all of the lineage within --depth; json with --style has what that "
               "drawing shows and where: `stemma graph REF --format dot | dot -Tsvg`.",
    .signs = true,
    .options = graph_options,
    .check = check_graph,
    .read = graph,
};

/*
 * stemma whatif: the effect of a retraction. Loads the closure of the given memories, computes the labels without
 * them, and writes nothing.
 */

/* Resolves the refs, each memory once, into the arena. Returns how many there are, or -1. */
static int resolve_all(struct invocation *i, struct reader *r, int64_t **rows, struct error *e)
{
    int count = 0;
    *rows = arena_array(&i->arena, i->word_count, sizeof(**rows));
    for (size_t w = 0; w < i->word_count; w++) {
        int64_t row = opening_resolve(r, i->words[w], e);
        if (row < 0)
            return -1;
        int n = 0;
        while (n < count && (*rows)[n] != row)
            n++;
        (*rows)[n] = row;
        count += n == count;
    }
    return count;
}

/* Prints the result like the plan of a retraction. */
static int print_retraction(struct invocation *i, struct reader *r, const int64_t *rows,
                            size_t count, struct error *e)
{
    struct memory *states = arena_array(&i->arena, 2 * count, sizeof(*states));
    struct plan plan = {.reader = r, .arena = &i->arena, .count = count, .whole = true};
    plan.change = arena_array(&i->arena, count, sizeof(*plan.change));
    for (size_t n = 0; n < count; n++) {
        struct memory *before = &states[2 * n], *after = before + 1;
        if (memory_read(r, &i->arena, rows[n], before, e))
            return -1;
        *after = *before;
        after->status = STATUS_RETRACTED;
        plan.change[n] = (struct planned){.operation = "retract", .before = before, .after = after};
    }
    if (plan_consequences(&plan, rows, count, e) ||
        plan_print(&i->out, r, OPERATION_RETRACT, &plan, PLAN_SHOWN, e))
        return -1;
    strbuf_addstr(&i->out.text, "Nothing was written.\n");
    return 0;
}

static int read_whatif(struct invocation *i, struct reader *r, struct error *e)
{
    struct answer to = output_answer(&i->out);
    struct retraction retraction;
    int64_t *rows;
    int count = resolve_all(i, r, &rows, e);
    if (count < 0 || !i->out.json)
        return count < 0 ? -1 : print_retraction(i, r, rows, (size_t)count, e);
    int result = retraction_load(&retraction, r, rows, (size_t)count, e);
    if (!result)
        result = answer_retraction(&to, r, &retraction, NULL, e);
    strbuf_addstr(&i->out.text, result ? "" : "\n");
    retraction_release(&retraction);
    return result;
}

const struct command cmd_whatif = {
    .name = "whatif",
    .words = "REF…",
    .about = "show which memories would lose support if these were retracted",
    .examples = "stemma whatif attribution:03b3f0bb",
    .details = "A memory loses all support if none of its justifications would be valid any more. "
               "It is weakened if some would. It loses an ancestor only if it is based on them, "
               "but keeps all its support. Nothing is written.",
    .options = as_of_options,
    .read = read_whatif,
};
