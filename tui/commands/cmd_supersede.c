/* stemma supersede: a better statement takes the place of a belief. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"

static const struct option_spec options[] = {
    {.name = "confidence",
     .type = OPTION_NUMBER,
     .argument = "C",
     .min = 0,
     .max = 1,
     .about = "of the new one, from 0 to 1; the old one's, if left out"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_supersede(struct invocation *i, struct error *e)
{
    struct strbuf text = STRBUF_INIT;
    struct request q = REQUEST_INIT;
    q.confidence = option_number(i, "confidence", NAN);
    q.refs = i->words;
    q.ref_count = 1;
    int result = typed_text(i->words[1], &text, e);
    q.text = text.buf;
    q.text_len = text.len;
    if (result == 0)
        result = operating_run(i, OPERATION_SUPERSEDE, &q, e);
    strbuf_release(&text);
    return result;
}

const struct command cmd_supersede = {
    .name = "supersede",
    .words = "REF TEXT",
    .about = "put a better statement in the place of a belief",
    .details =
        "Prints the ref of the new belief: it is derived from the old one, has its episodes as "
        "evidence and a history of its own. TEXT - is standard input.\n\n" OPERATING_JSON,
    .options = options,
    .min_words = 2,
    .max_words = 2,
    .run = run_supersede,
};
