/* stemma edit: text, confidence, tags, fields and source of a memory. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>
#include "../model/json.h"
#include "../model/utf8.h"
#include "operating.h"
#include "stale.h"
#include "typed.h"

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

/* A value is JSON where it can be read as such, else a string of these words; none at all: null. */
static void add_value(struct strbuf *out, const char *value)
{
    struct error not_json;
    size_t len = strlen(value);
    if (len == 0)
        strbuf_addstr(out, "null");
    else if (json_check(value, len, JSON_DEPTH_MAX, &not_json) == 0)
        json_minify(out, value, len);
    else
        json_add_string(out, value);
}

static int take_fields(struct invocation *i, struct request *q, struct error *e)
{
    size_t count;
    const char **fields = option_list(i, "field", &count);
    struct strbuf all = STRBUF_INIT, name = STRBUF_INIT;
    struct json_object o = json_begin(&all, '{');
    int result = 0;
    for (size_t n = 0; n < count && !result; n++) {
        const char *sign = strchr(fields[n], '=');
        if (!sign || sign == fields[n]) {
            result = error_set(e, ERROR_USAGE, "Write --field NAME=VALUE.",
                               "'%.60s' is not a field and its value", fields[n]);
            break;
        }
        if (!utf8_valid(fields[n], strlen(fields[n]))) {
            result = error_set(e, ERROR_USAGE, "Write it in UTF-8.", "a field is not valid UTF-8");
            break;
        }
        strbuf_clear(&name);
        strbuf_add(&name, fields[n], (size_t)(sign - fields[n]));
        json_item(&o);
        json_add_string(&all, name.buf);
        strbuf_addch(&all, ':');
        add_value(&all, sign + 1);
    }
    json_end(&o);
    q->fields = count && !all.failed ? arena_strndup(&i->arena, all.buf, all.len) : NULL;
    if (!result && count && (!q->fields || name.failed))
        result = error_set(e, ERROR_MEMORY, "", "memory ran out");
    strbuf_release(&all);
    strbuf_release(&name);
    return result;
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
    int result =
        take_tags(i, &q, e) || take_fields(i, &q, e) || (word && typed_text(word, &text, e)) ? -1
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
