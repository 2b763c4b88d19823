/* stemma chain: a chain of thought for reading, or whole as JSON. */
#include "tui/cli/cmd.h"

#include "store/reasoning/chain.h"
#include "tui/render/chain_print.h"
#include "tui/cli/operating.h"
#include "tui/cli/opening.h"

static int run_chain(struct invocation *i, struct error *e)
{
    struct opened o;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int64_t node = chain_typed(o.reader, i->words[0], e);
    int result = node < 0      ? -1
                 : i->out.json ? chain_write(o.reader, node, true, &i->out.text, e)
                               : chain_print(&i->out, o.reader, node, e);
    if (!result && i->out.json)
        strbuf_addch(&i->out.text, '\n');
    opening_close(&o);
    return result;
}

static const struct option_spec options[] = {
    OPTION_AS_OF,
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
    .run = run_chain,
};
