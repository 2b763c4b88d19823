/* stemma show: the page of a memory, or a trace in either direction. */
#include "tui/cli/cmd.h"

#include "store/json/answer.h"
#include "store/history/past.h"
#include "tui/cli/opening.h"
#include "tui/render/brief.h"
#include "tui/render/facts_sheet.h"
#include "tui/render/trace.h"

static const struct option_spec options[] = {
    OPT_FLAG("trace", "what it rests on; of a raw entry, what was made from it"),
    OPT_FLAG("reverse", "what it carries: all that rests on it"),
    OPT_INT("depth", "N", 0, 1e9,
            "follow --trace or --reverse only so far; what lies deeper is counted"),
    OPT_AS_OF,
    OPTION_END,
};

static int show_trace(struct invocation *i, struct reader *r, const struct memory *m,
                      struct error *e)
{
    struct trace trace;
    /* A raw entry rests on nothing, so its lineage is what was made from it. */
    bool source = m->ref.kind == KIND_RAW && m->justification_count == 0;
    bool down = option_given(i, "reverse") || source;
    double depth = option_number(i, "depth", DEPTH_UNLIMITED);
    struct answer to = output_answer(&i->out);
    int result = trace_load(&trace, r, m->node, down ? DESCENDANTS : ANCESTORS, (uint32_t)depth, e);
    if (!result)
        result = i->out.json ? answer_trace(&to, r, &trace, e) : trace_print(&i->out, r, &trace, e);
    if (!result && i->out.json)
        strbuf_addch(&i->out.text, '\n');
    trace_release(&trace);
    return result;
}

static int show_json(struct invocation *i, struct reader *r, const struct memory *m,
                     struct error *e)
{
    if (answer_memory(r, &i->arena, m->node, &i->out.text, e))
        return -1;
    strbuf_addch(&i->out.text, '\n');
    return 0;
}

/* What it carries is counted so far, and no further: the count would take longer than all else. */
#define COUNTED_MAX 2000

static int show_page(struct invocation *i, struct reader *r, int64_t node, struct error *e)
{
    struct facts *facts = facts_read(r, node, COUNTED_MAX, true, e);
    struct sheet sheet;
    if (!facts)
        return -1;
    sheet_for_output(&sheet, &i->out);
    facts_sheet_full(
        &sheet, facts,
        &(struct facts_look){
            .ascii = i->out.ascii, .width = sheet.width, .now = i->out.now, .command = true});
    output_ref(&i->out, STYLE_STRONG, facts->memory.ref);
    strbuf_addch(&i->out.text, '\n');
    output_sheet(&i->out, &sheet, 1);
    sheet_release(&sheet);
    facts_free(facts);
    return 0;
}

static int show(struct invocation *i, struct reader *r, struct error *e)
{
    struct memory m;
    int64_t row = opening_resolve(r, i->words[0], e);
    if (row < 0 || memory_read(r, &i->arena, row, &m, e))
        return -1;
    if (option_given(i, "trace") || option_given(i, "reverse"))
        return show_trace(i, r, &m, e);
    if (m.status == STATUS_MISSING && reader_past(r) >= 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma history` tells when it came.",
                         "%s was not there yet", i->words[0]);
    if (m.status == STATUS_MISSING && i->out.json)
        return error_set(e, ERROR_NOT_FOUND, "`stemma show --reverse` shows who names it.", "%s %s",
                         i->words[0],
                         m.event ? "was taken back: only its ref is left"
                                 : "is named by others and was never written here");
    int result = i->out.json ? show_json(i, r, &m, e) : show_page(i, r, m.node, e);
    return result ? -1 : m.status == STATUS_MISSING;
}

static int check_show(const struct invocation *i, struct error *e)
{
    if (option_given(i, "trace") && option_given(i, "reverse"))
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--trace and --reverse are two directions");
    if (option_given(i, "depth") && !option_given(i, "trace") && !option_given(i, "reverse"))
        return error_set(e, ERROR_USAGE, "Give --trace or --reverse as well.",
                         "--depth bounds a trace, and none was asked for");
    return 0;
}

const struct command cmd_show = {
    .name = "show",
    .words = "REF",
    .about = "show a memory in full; what it rests on; what it carries",
    .details =
        "In a trace a memory that is reached in several ways stands once and is referred to after. "
        "A circle is marked where it closes and written out below. Without --depth nothing is cut.",
    .marks = true,
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .check = check_show,
    .read = show,
};
