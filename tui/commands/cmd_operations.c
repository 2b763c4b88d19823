/* stemma add, edit, process, supersede, seed, undo, redo: operations that write memories. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/utf8.h"
#include "model/format/exchange_parts.h"
#include "model/json/json.h"
#include "store/ops/add.h"
#include "tui/cli/cmd.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/render/brief.h"
#include "tui/cli/field_words.h"
#include "tui/cli/stale.h"
#include "tui/render/kind_fields.h"
#include "tui/render/plan_print.h"
#include "tui/text/suggest.h"

/* stemma add: the store does the work; here words become a request. */

static const struct option_spec options[] = {
    {.name = "from",
     .type = OPTION_LIST,
     .argument = "REF",
     .about = "what it was made from, or an annotation such as context:TEXT"},
    {.name = "evidence", .type = OPTION_LIST, .argument = "REF", .about = "what backs it up"},
    {.name = "all", .about = "it needs all of --from, not any"},
    {.name = "agent",
     .type = OPTION_TEXT,
     .argument = "A",
     .about = "whose memory it is; you, if left out"},
    {.name = "confidence",
     .type = OPTION_NUMBER,
     .argument = "C",
     .min = 0,
     .max = 1,
     .about = "from 0 to 1"},
    {.name = "source",
     .type = OPTION_TEXT,
     .argument = "TEXT",
     .about = "where it is from, in words"},
    {.name = "source-entity",
     .type = OPTION_TEXT,
     .argument = "NAME",
     .about = "who told it; a human when it begins human:"},
    {.name = "source-type",
     .type = OPTION_TEXT,
     .argument = "T",
     .about = "how it came about; inferred from --source, if left out"},
    {.name = "tag", .type = OPTION_LIST, .argument = "T", .about = "a tag"},
    {.name = "field",
     .type = OPTION_LIST,
     .argument = "NAME=VALUE",
     .about = "a field of its kind, as JSON or as plain words"},
    OPTION_END,
};

static void print_json(struct output *out, const struct added *added)
{
    struct json_object o = json_begin(&out->text, '{');
    json_key(&o, "ref");
    exchange_add_ref(&out->text, added->ref);
    json_key(&o, "version");
    json_add_int(&out->text, added->version);
    if (added->unresolved_count) {
        json_key(&o, "unresolved");
        struct json_object list = json_begin(&out->text, '[');
        for (size_t n = 0; n < added->unresolved_count; n++) {
            json_item(&list);
            json_add_string(&out->text, added->unresolved[n]);
        }
        json_end(&list);
    }
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

static void print_added(struct output *out, const struct added *added)
{
    output_ref(out, STYLE_TEXT, added->ref);
    strbuf_addch(&out->text, '\n');
    for (size_t n = 0; n < added->unresolved_count; n++)
        output_note("%s names nothing here yet; the link is kept as given", added->unresolved[n]);
}

/* Adds to a store that is made where there is none. */
static int add(struct invocation *i, struct add_request *request, size_t len, struct error *e)
{
    struct opened o;
    struct added added;
    struct actor person = opening_person(i);
    request->agent_id = option_text(i, "agent") ? option_text(i, "agent") : person.name;
    if (opening_open(i, NULL, true, &o, e))
        return -1;
    int result = store_add(o.store, &person, request, len, &i->arena, &added, e);
    /* What is invalid here is a word that was typed, not an input. */
    if (result && e->code == ERROR_INVALID)
        e->code = ERROR_USAGE;
    if (!result && i->out.json)
        print_json(&i->out, &added);
    else if (!result)
        print_added(&i->out, &added);
    opening_close(&o);
    return result;
}

static int run_add(struct invocation *i, struct error *e)
{
    struct add_request request = {
        .confidence = option_number(i, "confidence", NAN),
        .source = option_text(i, "source"),
        .source_type = option_text(i, "source-type"),
        .source_entity = option_text(i, "source-entity"),
        .derivation = option_given(i, "all") ? READING_ALL : READING_ANY,
    };
    struct strbuf text = STRBUF_INIT;
    request.tags = option_list(i, "tag", &request.tag_count);
    request.derived_from = option_list(i, "from", &request.derived_count);
    request.relates_to = option_list(i, "evidence", &request.relates_count);
    if (option_given(i, "all") && request.derived_count == 0)
        return error_set(e, ERROR_USAGE, "Give --from as well, or leave --all out.",
                         "--all says that all of --from are needed, and there is none");
    int result = -1, kind = choice_kind_typed(i->words[0], NULL, e);
    if (kind >= 0 && !field_words(i, (enum kind)kind, &request.detail, e) &&
        !typed_text(i->words[1], &text, e)) {
        request.kind = (enum kind)kind;
        request.text = text.buf;
        result = add(i, &request, text.len, e);
    }
    strbuf_release(&text);
    return result;
}

const struct command cmd_add = {
    .name = "add",
    .words = "KIND TEXT",
    .about = "add a memory, with where it came from",
    .details =
        "Prints its ref. TEXT - is standard input. A REF may be the beginning of a UUID, of 8 "
        "characters or more. One that names nothing yet is kept as given, and told.\n\n"
        "The TEXT of an entry is its key; it has a --field namespace= and value=, and where it "
        "expires expires_at= (10m, in 3 days, 2026-02-01).",
    .options = options,
    .min_words = 2,
    .max_words = 2,
    .run = run_add,
};

/* stemma edit: text, confidence, tags, fields and source of a memory. */

static const struct option_spec cmd_edit_options[] = {
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
    .options = cmd_edit_options,
    .min_words = 1,
    .max_words = 1,
    .run = run_edit,
};

/* stemma process: a raw capture becomes an episode, a belief or a note. */

static const enum kind made[] = {KIND_EPISODE, KIND_BELIEF, KIND_NOTE};

static const char *choice_made(int i)
{
    return (size_t)i < sizeof(made) / sizeof(made[0]) ? kind_name(made[i]) : NULL;
}

static const struct option_spec cmd_process_options[] = {
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
    .options = cmd_process_options,
    .min_words = 1,
    .max_words = -1,
    .run = run_process,
};

/* stemma supersede: a better statement takes the place of a belief. */

static const struct option_spec cmd_supersede_options[] = {
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
    .options = cmd_supersede_options,
    .min_words = 2,
    .max_words = 2,
    .run = run_supersede,
};

/* stemma seed: the beliefs that an agent begins with. */

static const struct option_spec cmd_seed_options[] = {
    {.name = "agent",
     .type = OPTION_TEXT,
     .argument = "A",
     .about = "whose beliefs they are; yours, if left out"},
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int run_seed(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    struct seed *seeds;
    q.agent = option_text(i, "agent");
    if (q.agent && utf8_is_blank(q.agent))
        return error_set(e, ERROR_USAGE, "Write --agent NAME.", "the name of the agent is %s",
                         *q.agent ? "blank" : "empty");
    if (statements_read(i->words[0], &i->arena, &seeds, &q.seed_count, e))
        return -1;
    q.seeds = seeds;
    return operating_run(i, OPERATION_SEED, &q, e);
}

const struct command cmd_seed = {
    .name = "seed",
    .words = "FILE",
    .about = "add the beliefs that an agent begins with",
    .details =
        "FILE (- is standard input) has one statement a line, or lines of JSON: {\"statement\": "
        "\"…\", \"confidence\": 0.8, \"tags\": [\"…\"]}, of which the last two may be left out. "
        "All are added or none, and one `stemma undo` takes them back. Prints the ref of each; "
        "the store is made where there is none.\n\n" OPERATING_JSON,
    .options = cmd_seed_options,
    .min_words = 1,
    .max_words = 1,
    .run = run_seed,
};

/* stemma undo, stemma redo: each is an event of its own. */

static const struct option_spec cmd_undo_options[] = {
    OPERATING_REASON,
    OPERATING_DRY_RUN,
    OPTION_END,
};

static int read_seq(const char *word, int64_t *seq, struct error *e)
{
    char *end;
    errno = 0;
    *seq = strtoll(word, &end, 10);
    if (*word < '0' || *word > '9' || *end || errno || *seq < 1)
        return error_set(e, ERROR_USAGE,
                         "`stemma log --json` and `stemma history REF` number them.",
                         "'%.40s' is not the number of an event", word);
    return 0;
}

static int take_back(struct invocation *i, enum operation op, struct request *q, struct error *e)
{
    int result = operating_run(i, op, q, e);
    if (result < 0 && e->code == ERROR_CONFLICT)
        stale_undo_print(i, q->seqs, q->seq_count, op == OPERATION_REDO);
    return result;
}

static int run_undo(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    int64_t *seqs = arena_array(&i->arena, i->word_count + 1, sizeof(*seqs));
    for (size_t n = 0; n < i->word_count; n++)
        if (read_seq(i->words[n], &seqs[n], e))
            return -1;
    q.seqs = seqs;
    q.seq_count = i->word_count;
    return take_back(i, OPERATION_UNDO, &q, e);
}

static int run_redo(struct invocation *i, struct error *e)
{
    struct request q = REQUEST_INIT;
    return take_back(i, OPERATION_REDO, &q, e);
}

const struct command cmd_undo = {
    .name = "undo",
    .words = "[SEQ]",
    .about = "take back what you did last, or an event of anybody's",
    .details =
        "With all that was done together with it: all or none. What was changed since is refused "
        "(exit status 4) and told; other changes of the same memory stay. An undone addition "
        "leaves "
        "a stub. A purge cannot be undone, and is passed over; nor can what was decided about a "
        "session, which is decided again: what was done before that is taken back by its number "
        "alone.\n\n" OPERATING_JSON,
    .options = cmd_undo_options,
    .max_words = 1,
    .run = run_undo,
};

const struct command cmd_redo = {
    .name = "redo",
    .words = "",
    .about = "do again what you undid last",
    .details = OPERATING_JSON,
    .options = cmd_undo_options,
    .run = run_redo,
};
