/* stemma process: a raw capture becomes an episode, a belief or a note. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"

static const enum kind made[] = {KIND_EPISODE, KIND_BELIEF, KIND_NOTE};

static const char *choice_made(int i)
{
    return (size_t)i < sizeof(made) / sizeof(made[0]) ? kind_name(made[i]) : NULL;
}

static const struct option_spec options[] = {
    {.name = "as",
     .type = OPTION_CHOICE,
     .argument = "KIND",
     .choice = choice_made,
     .about = "what it becomes:"},
    {.name = "text",
     .type = OPTION_TEXT,
     .argument = "TEXT",
     .about = "what that says, in place of the words of the raw; - is standard input"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int process(struct invocation *i, struct request *q, struct error *e)
{
    struct strbuf text = STRBUF_INIT;
    const char *word = option_text(i, "text");
    int result = word ? typed_text(word, &text, e) : 0;
    q->text = word ? text.buf : NULL;
    q->text_len = text.len;
    if (result == 0)
        result = operating_run(i, OPERATION_PROCESS, q, e);
    strbuf_release(&text);
    return result;
}

static int run_process(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    int as = option_choice(i, "as", -1);
    if (as < 0)
        return error_set(e, ERROR_USAGE, "Write --as episode, --as belief or --as note.",
                         "it is not said what is to be made of it");
    if (option_given(i, "text") && i->word_count > 1)
        return error_set(e, ERROR_USAGE, "Process them one after the other.",
                         "--text is what one of them becomes, and several are named");
    q.as = made[as];
    operating_take_refs(i, &q, 0);
    return process(i, &q, e);
}

const struct command cmd_process = {
    .name = "process",
    .words = "REF… --as KIND",
    .about = "make an episode, a belief or a note of a raw capture",
    .details = "Prints the ref of what was made: it is derived from the raw, has the source "
               "cli-promote and the tag promoted, and the raw says what it was processed "
               "into.\n\n" OPERATING_JSON,
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .run = run_process,
};
