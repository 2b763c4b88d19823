/* stemma chain: a chain for reading; stemma sources: what it used. */
#include <string.h>
#include "model/reasoning/reasoning.h"
#include "store/reasoning/chain.h"
#include "tui/cli/cmd.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/render/brief.h"
#include "tui/render/chain_print.h"

/* stemma chain: a chain of thought for reading, or whole as JSON. */

static int read_chain(struct invocation *i, struct reader *r, struct error *e)
{
    int64_t node = chain_typed(r, i->words[0], e);
    int result = node < 0      ? -1
                 : i->out.json ? chain_write(r, node, true, &i->out.text, e)
                               : chain_print(&i->out, r, node, e);
    if (!result && i->out.json)
        strbuf_addch(&i->out.text, '\n');
    return result;
}

static const struct option_spec options[] = {
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_chain = {
    .name = "chain",
    .words = "ID",
    .about = "read a chain of thought: its steps, and what each of them used",
    .details =
        "ID is a chain's or a step's ref; a step shows the chain that it is part of, and is marked "
        "there. A step says its number, confidence, time and question, then its answer, its trace "
        "and its sources, the most relevant first: the rank in the retrieval, how relevant it was, "
        "and a star where the document is among the primary sources of the chain.\n\nThe sign "
        "before a relevance says where the number comes from: none where a retrieval measured it, "
        "~ where it was made from the rank, = where there was none, ? where a model asserted it. "
        "\"changed since\": the same passage was recorded later with another content.",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .read = read_chain,
};

/* stemma sources: the documents that a chain of thought rests on, in the form for display. */

#define STEP_COLUMNS 12 /* "  step 3  4  " at least; where the ids begin */

/* The sources of a chain while they are printed. */
struct summing {
    struct output *out;
    struct arena arena;
    struct chain chain;
    struct source_summary summary;
    int64_t asked; /* the number of the step that was asked for; 0: the chain was */
    bool excerpts;
};

static bool is_primary(const struct source_summary *s, size_t index)
{
    for (size_t i = 0; i < s->primary_count; i++)
        if (strcmp(s->primary[i].document_id, s->all[index].document_id) == 0)
            return true;
    return false;
}

static struct source_line line_of(const struct source_summary *s, size_t index)
{
    const struct source *source = &s->all[index];
    bool primary = is_primary(s, index);
    return (struct source_line){.relevance = source->relevance,
                                .origin = source->origin,
                                .primary = primary,
                                .rank = primary ? source->rank : -1,
                                .title = source->title && *source->title ? source->title : NULL,
                                .id = source->document_id,
                                .note = "",
                                .warning = ""};
}

/* Below a document, its passage. */
static void print_excerpt(void *arg, size_t index)
{
    const struct summing *s = arg;
    const char *excerpt = s->summary.all[index].excerpt;
    if (excerpt && *excerpt)
        output_quote(s->out, excerpt, 4);
}

static void print_documents(struct summing *s)
{
    struct table t = source_table(s->out, 1);
    bool guesses = false;
    t.below = s->excerpts ? print_excerpt : NULL;
    t.arg = s;
    for (size_t i = 0; i < s->summary.count; i++) {
        struct source_line line = line_of(&s->summary, i);
        source_put(&t, &line);
        guesses |= line.origin != SCORE_MEASURED;
    }
    table_print(&t, NULL);
    table_close(&t);
    if (guesses)
        source_legend_print(s->out);
}

/* "  step 3  4  incident-report, worker-supervisor, …": as often as the step used them. */
static void print_steps(struct summing *s)
{
    if (s->summary.step_count)
        output_heading(s->out, "by step", "");
    for (size_t i = 0; i < s->summary.step_count; i++) {
        const struct step_sources *step = &s->summary.step[i];
        struct strbuf ids = STRBUF_INIT;
        for (size_t k = 0; k < step->count; k++)
            strbuf_addf(&ids, "%s%s", k ? ", " : "", step->source[k].document_id);
        size_t start = s->out->text.len;
        strbuf_addf(&s->out->text, "%c step %-3lld %2zu  ", step->number == s->asked ? '>' : ' ',
                    (long long)step->number, step->count);
        size_t used = s->out->text.len - start;
        output_flow(s->out, ids.buf, used > STEP_COLUMNS ? used : STEP_COLUMNS);
        strbuf_release(&ids);
    }
}

static int print(struct summing *s, struct reader *r, int64_t node, struct error *e)
{
    struct output *out = s->out;
    if (chain_read(r, &s->arena, node, &s->chain, e))
        return -1;
    struct step_sources *steps = chain_step_sources(&s->chain, &s->arena);
    for (size_t i = 0; i < s->chain.step_count; i++)
        s->asked = s->chain.step[i].node == node ? steps[i].number : s->asked;
    source_summarise(&s->summary, &s->arena, steps, s->chain.step_count);
    chain_print_head(out, &s->chain);
    strbuf_addf(&out->text, "\n%zu source%s, %zu primary", s->summary.count,
                s->summary.count == 1 ? "" : "s", s->summary.primary_count);
    strbuf_addf(&out->text, "%s\n", out->ascii ? " *" : " ★");
    print_documents(s);
    print_steps(s);
    return 0;
}

static int read_sources(struct invocation *i, struct reader *r, struct error *e)
{
    struct summing s = {
        .out = &i->out, .arena = ARENA_INIT, .excerpts = option_given(i, "excerpts")};
    int64_t node = chain_typed(r, i->words[0], e);
    int result = node < 0      ? -1
                 : i->out.json ? chain_write_sources(r, node, s.excerpts, &i->out.text, e)
                               : print(&s, r, node, e);
    if (!result && i->out.json)
        strbuf_addch(&i->out.text, '\n');
    arena_release(&s.arena);
    return result;
}

static const struct option_spec cmd_sources_options[] = {
    OPT_FLAG("excerpts", "with the passage of each"),
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_sources = {
    .name = "sources",
    .words = "ID",
    .about = "the documents that a chain rests on, and which step used which",
    .details = "ID is a chain's or a step's ref; a step shows the chain that it is part of. Each "
               "document stands once, with the highest relevance that a step gave it. Primary are "
               "those above 0.7, at most three; where there is none, the first three. By step "
               "every use is counted.\n\nWith --json: total_sources, primary_sources, all_sources "
               "and step_breakdown, as cot_sources answers.",
    .options = cmd_sources_options,
    .min_words = 1,
    .max_words = 1,
    .read = read_sources,
};
