/* stemma add, and the commands that carry out an operation, with words and options made from the operation's
 * parameters. */
#include <math.h>
#include <string.h>
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/ops/add.h"
#include "tui/commands/commands.h"
#include "tui/cli/field_words.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/render/brief.h"
#include "tui/text/match.h"

/* stemma add: makes a request from words and options. */

static const struct option_spec options[] = {
    OPT_LIST("from", "REF", "what it was made from, or an annotation such as context:TEXT"),
    OPT_LIST("evidence", "REF", "what backs it up"),
    OPT_FLAG("all", "it needs all of --from, not any"),
    OPT_TEXT("agent", "A", "whose memory it is; you, if left out"),
    {.name = "confidence",
     .type = OPTION_NUMBER,
     .argument = "C",
     .max = 1,
     .about = "from 0 to 1"},
    OPT_TEXT("source", "TEXT", "where it is from, in words"),
    OPT_TEXT("source-entity", "NAME", "who told it; a human when it begins human:"),
    OPT_TEXT("source-type", "T", "its origin; inferred from --source, if left out"),
    OPT_LIST("tag", "T", "a tag"),
    OPT_LIST("field", "NAME=VALUE", "a field of its kind, as JSON or as plain words"),
    OPTION_END,
};

static void print_json(struct output *out, const struct added *added)
{
    struct json_object o = json_begin(&out->text, '{');
    json_key(&o, "ref");
    exchange_add_ref(&out->text, added->ref);
    json_pair_int(&o, "version", added->version);
    if (added->unresolved_count) {
        struct json_object list = json_open(&o, "unresolved", '[');
        for (size_t n = 0; n < added->unresolved_count; n++) {
            json_item(&list);
            json_add_string(&out->text, added->unresolved[n]);
        }
        json_end(&list);
    }
    json_end_line(&o);
}

static void print_added(struct output *out, const struct added *added)
{
    output_ref(out, STYLE_TEXT, added->ref);
    strbuf_addch(&out->text, '\n');
    for (size_t n = 0; n < added->unresolved_count; n++)
        output_note("%s names nothing here yet; the link is kept as given", added->unresolved[n]);
}

/* Adds the memory. Creates the store if it does not exist. */
static int add(struct invocation *i, struct add_request *request, size_t len, struct error *e)
{
    struct opened o;
    struct added added;
    struct actor person = opening_person(i);
    request->agent_id = option_text(i, "agent") ? option_text(i, "agent") : person.name;
    if (opening_open(i, NULL, true, &o, e))
        return -1;
    int result = store_add(o.store, &person, request, len, &i->arena, &added, e);
    /* Invalid values are mistakes on the command line, not in an input. */
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
    .about = "add a memory and record where it came from",
    .examples = "stemma add belief \"Canary first\" --from episode:65f767ba --agent ash\n"
                "stemma add note - < note.txt",
    .details = "Prints its ref. TEXT - is standard input. A REF may be the beginning of a UUID, of "
               "8 characters or more. One that names nothing yet is kept as given, and told.\n\n"
               "The TEXT of an entry is its key; it has a --field namespace= and value=, and where "
               "it expires expires_at= (10m, in 3 days, 2026-02-01).",
    .options = options,
    .min_words = 2,
    .max_words = 2,
    .run = run_add,
};

/* ---- the operations ---- */

#define OPERATES(name_, op_, about_, examples_, details_)                                          \
    OPERATES_AS(name_, #name_, op_, about_, examples_, details_)
#define OPERATES_AS(id_, name_, op_, about_, examples_, details_)                                  \
    const struct command cmd_##id_ = {                                                             \
        .name = name_,                                                                             \
        .about = about_,                                                                           \
        .examples = examples_,                                                                     \
        .details = details_ OPERATING_JSON,                                                        \
        .operates = true,                                                                          \
        .op = op_,                                                                                 \
        .run = operating_command,                                                                  \
    }

OPERATES(edit, OPERATION_EDIT, "change a memory's text, confidence, tags or fields",
         "stemma edit belief:8fc21b98 --confidence 0.6 --reason \"seen twice\"",
         "What is not given stays. The reason is kept in the history. With --expected-version a "
         "change that somebody made meanwhile is not lost: the edit is refused (exit status 4) and "
         "what differs is shown.\n\n");
OPERATES(
    promote, OPERATION_PROMOTE, "promote a raw entry to an episode, a belief or a note",
    "stemma promote raw:24bc8f6c --as note",
    "Prints the ref of what was made: it is derived from the raw entry, has the source cli-promote "
    "and the tag promoted, and the raw entry says what it was promoted to.\n\n");
OPERATES(replace, OPERATION_REPLACE, "replace a belief by a better statement",
         "stemma replace belief:8fc21b98 \"More than two retries hide the first error.\"",
         "Prints the ref of the new belief: it is derived from the old one, has its episodes as "
         "evidence and a history of its own. TEXT - is standard input.\n\n");
OPERATES(seed, OPERATION_SEED, "add an agent's first beliefs from a file",
         "stemma seed beliefs.txt --agent ash",
         "FILE (- is standard input) has one statement a line, or lines of JSON: {\"statement\": "
         "\"…\", \"confidence\": 0.8, \"tags\": [\"…\"]}, of which the last two may be left out. "
         "All are added or none, and one `stemma undo` takes them back. Prints the ref of each; "
         "the store is made where there is none.\n\n");
OPERATES(
    undo, OPERATION_UNDO, "undo your last change, or the event SEQ",
    "stemma undo\n"
    "stemma undo 120",
    "With all that was done together with it: all or none. What was changed since is refused (exit "
    "status 4) and told; other changes of the same memory stay. An undone addition leaves a stub. "
    "A purge cannot be undone, and is passed over; nor can what was decided about a session, which "
    "is decided again: what was done before that is taken back by its number alone.\n\n");
OPERATES(redo, OPERATION_REDO, "redo what you undid last", "stemma redo", );
OPERATES(approve, OPERATION_APPROVE,
         "approve memories: confidence rises by 0.1, agents cannot change them",
         "stemma approve belief:8fc21b98 --reason \"counted the tries\"",
         "To 1 at most, with an entry in its history. From then on agents do not change it; "
         "`stemma undo` takes that back.\n\n");
OPERATES(lock, OPERATION_LOCK, "lock memories: agents cannot change them, nobody can forget them",
         "stemma lock belief:8fc21b98",
         "Agents do not change a locked memory, and nobody forgets it, until it is unlocked.\n\n");
OPERATES(unlock, OPERATION_UNLOCK, "unlock memories", "stemma unlock belief:3218131c",
         "Those that were approved too. They may be forgotten again as well. Only a person "
         "unlocks.\n\n");
OPERATES(retract, OPERATION_RETRACT,
         "mark memories as wrong; those based only on them lose support",
         "stemma retract episode:65f767ba --dry-run\n"
         "stemma retract belief:c2992c46 --reason \"it came from one page\"",
         "Its text and its lineage stay, and `stemma restore` takes it back. " OPERATING_ASKS);
OPERATES(restore, OPERATION_RESTORE, "take back a retract, a forget or a deletion",
         "stemma restore episode:fc8a9c90", "What was purged cannot come back.\n\n");
OPERATES(forget, OPERATION_FORGET, "hide memories from lists; their lineage stays",
         "stemma forget raw:47735e51",
         "A locked one is refused. What is based on a forgotten one is flagged for "
         "review. " OPERATING_ASKS);
OPERATES(purge, OPERATION_PURGE, "erase memories for good, earlier versions included",
         "stemma purge entry:700e8616 --dry-run",
         "Text, earlier versions and all that would bring them back are erased from the files; the "
         "journal still verifies. It cannot be undone. " OPERATING_ASKS);
OPERATES(reinforce, OPERATION_REINFORCE, "raise the confidence of memories because of new evidence",
         "stemma reinforce belief:8fc21b98 --evidence episode:65f767ba",
         "By 0.05 / (1 + 0.1 n) of what it lacks to 0.99, where n counts its reinforcements with "
         "this one. The evidence becomes one more justification.\n\n");
OPERATES(consolidate, OPERATION_CONSOLIDATE, "reinforce a memory by several memories at once",
         "stemma consolidate belief:8fc21b98 --from raw:47735e51 episode:65f767ba",
         "Its history names the consolidation (consolidation:DATE), and each raw capture or other "
         "memory of --from becomes a justification.\n\n");
OPERATES_AS(
    cap_confidence, "cap-confidence", OPERATION_CAP_CONFIDENCE,
    "lower the confidence of what is based on REF to what supports it",
    "stemma cap-confidence episode:65f767ba --dry-run",
    "Over all that is based on REF: the lower of its own confidence and that of its strongest "
    "justification, which is as strong as its weakest antecedent. Nothing rises; what is based "
    "on itself, or has no valid justification, is left and named. " OPERATING_ASKS);

const struct command cmd_repair_origins = {
    .name = "repair-origins",
    .about = "record missing origins of seeds and promoted raw entries",
    .examples = "stemma repair-origins --dry-run",
    .details = "Beliefs that were there from the start become source_type seed; what a raw entry "
               "was promoted "
               "to is derived from it, recorded as migrated. " OPERATING_ASKS OPERATING_JSON,
    .operates = true,
    .op = OPERATION_REPAIR_ORIGINS,
    .run = operating_command,
};

/* At least one of the two lists is required. */
static int check_revise(const struct invocation *i, struct error *e)
{
    if (option_given(i, "confirms") || option_given(i, "contradicts"))
        return 0;
    return error_set(e, ERROR_USAGE, "Give --confirms REF, --contradicts REF, or both.",
                     "it is not said what the episode confirms or contradicts");
}

const struct command cmd_revise = {
    .name = "revise",
    .words = "EPISODE --confirms REF… --contradicts REF…",
    .about = "record which beliefs an episode confirms or contradicts",
    .examples = "stemma revise episode:65f767ba --confirms belief:8fc21b98",
    .details = "Nothing is guessed: only what is named is touched, and all of it or "
               "nothing.\n\n" OPERATING_JSON,
    .operates = true,
    .op = OPERATION_REVISE,
    .check = check_revise,
    .run = operating_command,
};

static const struct option_spec mark_options[] = {
    OPT_FLAG("remove", "remove the flag; --value document:ID: one source's rating"),
    OPTION_END,
};

static int check_mark(const struct invocation *i, struct error *e)
{
    if (option_given(i, "remove") && option_given(i, "value") && strcmp(i->words[0], "rating") != 0)
        return error_set(e, ERROR_USAGE, "Leave --value out.",
                         "--remove removes all flags of that name, whatever their value");
    return 0;
}

static int run_mark(struct invocation *i, struct error *e)
{
    return operating_run(i, option_given(i, "remove") ? OPERATION_UNMARK : OPERATION_MARK, e);
}

const struct command cmd_flag = {
    .name = "flag",
    .about = "flag memories: reviewed, for_review, quarantined, rating, …",
    .examples = "stemma flag for_review belief:8fc21b98 --reason \"still true?\"\n"
                "stemma flag reviewed belief:8fc21b98 --remove",
    .details =
        "A flag is a word next to the memory, with who said it, when and why, and never its "
        "status; but what a person flagged quarantined, agents do not change. Any other word "
        "will do as well.\n\n"
        "What a step of reasoning used is rated source by source: --value \"document:ID "
        "relevant\" or irrelevant, one word of each person for each of its sources. "
        "faithful says yes or no: is it supported by its sources? Neither changes a number "
        "that was recorded. A source may be named by its id alone.\n\n"
        "--remove where there is nothing to remove ends with status 1.\n\n" OPERATING_JSON,
    .options = mark_options,
    .operates = true,
    .op = OPERATION_MARK,
    .check = check_mark,
    .run = run_mark,
};
