/* stemma orphans: problems come grouped, each group under what it means. */
#include "tui/cli/cmd.h"

#include <string.h>
#include "store/json/answer.h"
#include "tui/render/brief.h"
#include "tui/render/listing.h"
#include "tui/cli/opening.h"
#include "tui/render/plan_print.h"
#include "tui/cli/stop.h"

static const struct option_spec options[] = {
    {.name = "agent", .type = OPTION_TEXT, .argument = "A", .about = "only this agent's memories"},
    OPTION_AS_OF,
    OPTION_END,
};

struct report {
    struct output *out;
    struct reader *reader;
    struct error *e;
    size_t found;
    int heading; /* the problem whose heading was printed last; -1: none */
    bool failed; /* `e` is filled */
    struct arena arena;
};

static void print_heading(struct report *p, enum problem problem)
{
    struct strbuf rest = STRBUF_INIT;
    strbuf_addf(&rest, ": %s", problem_explained(problem));
    strbuf_addstr(&p->out->text, p->heading < 0 ? "" : "\n");
    output_led(p->out, STYLE_STRONG, problem_name(problem), rest.buf, 0);
    strbuf_release(&rest);
    p->heading = (int)problem;
}

/* "derived_from raw:79d086c7-…", or with the target as short as it is unique. */
static void describe(struct report *p, struct strbuf *note, const struct orphan *orphan, bool brief)
{
    const char *target = orphan->target;
    if (target && brief)
        target = short_source(p->reader, &p->arena, target);
    if (orphan->field)
        strbuf_addf(note, "%s%s%s", orphan->field, target ? " " : "", target ? target : "");
}

static int print_orphan(struct report *p, const struct orphan *orphan)
{
    struct brief b;
    struct strbuf note = STRBUF_INIT, brief = STRBUF_INIT;
    arena_clear(&p->arena);
    if (brief_read(p->reader, &p->arena, orphan->node, orphan->label, &b, p->e))
        return -1;
    if (p->heading != (int)orphan->problem)
        print_heading(p, orphan->problem);
    describe(p, &note, orphan, false);
    describe(p, &brief, orphan, true);
    strbuf_addstr(&p->out->text, "  ");
    brief_print_about(p->out, &b, 2, note.buf, brief.buf);
    strbuf_release(&note);
    strbuf_release(&brief);
    return 0;
}

static int each_orphan(void *arg, const struct orphan *orphan)
{
    struct report *p = arg;
    p->found++;
    if (p->out->json) {
        answer_orphan(&p->out->text, orphan);
        strbuf_addch(&p->out->text, '\n');
    } else if (print_orphan(p, orphan)) {
        p->failed = true;
        return 1;
    }
    p->failed = output_row(p->out, p->e) != 0;
    return p->failed || p->out->closed || stop_wanted();
}

static int find(struct report *p, const char *agent, struct error *e)
{
    if (orphans_find(p->reader, agent, each_orphan, p, e) || p->failed)
        return -1;
    if (stop_wanted())
        return error_set(e, ERROR_INTERRUPTED, "Run it again for all of it.",
                         "the search for orphans was interrupted");
    if (!p->found && agent) {
        struct wanted wanted = {.agent = agent};
        int known = nothing_known(p->reader, &wanted, e);
        if (known < 1)
            return known < 0 ? -1 : 1;
    }
    if (!p->out->json && !p->out->closed) {
        if (p->found)
            strbuf_addf(&p->out->text, "\n%zu %s\n", p->found,
                        p->found == 1 ? "problem" : "problems");
        else
            strbuf_addstr(&p->out->text, "Nothing is wrong with the lineage.\n");
    }
    return p->found > 0;
}

static int run_orphans(struct invocation *i, struct error *e)
{
    struct opened o;
    struct report report = {.out = &i->out, .e = e, .heading = -1, .arena = ARENA_INIT};
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    report.reader = o.reader;
    int result = find(&report, option_text(i, "agent"), e);
    arena_release(&report.arena);
    opening_close(&o);
    return result;
}

const struct command cmd_orphans = {
    .name = "orphans",
    .words = "",
    .about = "what is wrong with the lineage: lost, missing and unrecorded sources",
    .details = "The exit status is 1 where anything was found, or there is no such agent.",
    .options = options,
    .run = run_orphans,
};
