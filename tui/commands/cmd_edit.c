/* stemma edit: text, confidence, tags, fields and source of a memory. */
#include "tui/cli/cmd.h"

#include <string.h>
#include "tui/render/kind_fields.h"
#include "tui/cli/operating.h"
#include "tui/render/plan_print.h"

static const struct option_spec options[] = {
    {.name = "text",
     .type = OPTION_TEXT,
     .argument = "TEXT",
     .about = "what it says; - is standard input"},
    {.name = "confidence",
     .type = OPTION_NUMBER,
     .argument = "C",
     .min = 0,
     .max = 1,
     .about = "from 0 to 1; the change stands in its history"},
    {.name = "tag",
     .type = OPTION_LIST,
     .argument = "T",
     .about = "its tags, in place of those it has"},
    {.name = "no-tags", .about = "take all its tags away"},
    {.name = "field",
     .type = OPTION_LIST,
     .argument = "NAME=VALUE",
     .about = "a field of its kind, as JSON or as plain words; NAME= takes it away"},
    {.name = "source",
     .type = OPTION_TEXT,
     .argument = "TEXT",
     .about = "where it is from, in words"},
    {.name = "expected-version",
     .type = OPTION_INT,
     .argument = "N",
     .min = 1,
     .max = 9e15,
     .about = "refuse where it is at another version by now"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

/* The kind that the ref says; KIND_COUNT: it says none. */
static enum kind kind_of(const char *ref)
{
    const char *colon = strchr(ref, ':');
    int kind = colon ? kind_from_name(ref, (size_t)(colon - ref)) : -1;
    return kind < 0 ? KIND_COUNT : (enum kind)kind;
}

static int take_tags(struct invocation *i, struct request *q, struct error *e)
{
    q->tags = option_list(i, "tag", &q->tag_count);
    q->tags_given = option_given(i, "tag") || option_given(i, "no-tags");
    if (option_given(i, "tag") && option_given(i, "no-tags"))
        return error_set(e, ERROR_USAGE, "Leave one of them out.",
                         "--no-tags takes all tags away, and --tag gives some");
    return 0;
}

static int edit(struct invocation *i, struct request *q, struct error *e)
{
    int result = operating_run(i, OPERATION_EDIT, q, e);
    if (result < 0 && e->code == ERROR_CONFLICT && q->expected_version)
        stale_print(i, q->refs[0], q->expected_version, e);
    return result;
}

static int run_edit(struct invocation *i, struct error *e)
{
    struct strbuf text = STRBUF_INIT;
    struct request q = REQUEST_INIT;
    const char *word = option_text(i, "text");
    q.confidence = option_number(i, "confidence", NAN);
    q.source = option_text(i, "source");
    q.expected_version = (int64_t)option_number(i, "expected-version", 0);
    operating_take_refs(i, &q, 0);
    int result = take_tags(i, &q, e) || field_words(i, kind_of(q.refs[0]), &q.fields, e) ||
                         (word && typed_text(word, &text, e))
                     ? -1
                     : 0;
    q.text = word ? text.buf : NULL;
    q.text_len = text.len;
    if (result == 0)
        result = edit(i, &q, e);
    strbuf_release(&text);
    return result;
}

const struct command cmd_edit = {
    .name = "edit",
    .words = "REF",
    .about = "change what a memory says, how sure it is, its tags or fields",
    .details =
        "What is not given stays. The reason is kept in the history. With --expected-version a "
        "change that somebody made meanwhile is not lost: the edit is refused (exit status 4) and "
        "what differs is shown.\n\n" OPERATING_JSON,
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_edit,
};
