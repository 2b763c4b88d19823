/* stemma add, and the commands that carry out an operation, with words and options made from the operation's
 * parameters. */
#include <math.h>
#include <string.h>
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/ops/add.h"
#include "tui/commands/commands.h"
#include "tui/cli/words.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/render/oneline.h"
#include "tui/text/match.h"

/* stemma add: makes a request from words and options. */

static const struct option_spec options[] = {
    {.name = "from",
     .also = "derived-from based-on", /* its name in JSON, and the word on the screen */
     .type = OPTION_LIST,
     .argument = "REF",
     .about = "what it was made from, or an annotation such as context:TEXT"},
    OPT_LIST("evidence", "REF", "evidence for it"),
    OPT_FLAG("all", "it needs all of --from, not just one"),
    OPT_TEXT("agent", "A", "its agent; default: you"),
    {.name = "confidence",
     .type = OPTION_NUMBER,
     .argument = "C",
     .max = 1,
     .about = "from 0 to 1"},
    OPT_TEXT("source", "TEXT", "where it is from, in words"),
    OPT_TEXT("source-entity", "NAME", "who told it; a human if it begins with human:"),
    OPT_TEXT("source-type", "T", "its origin; default: inferred from --source"),
    OPT_LIST("tag", "T", "a tag"),
    OPT_LIST("field", "NAME=VALUE", "a field of its kind, as JSON or as plain text"),
    OPTION_END,
};

static void print_json(struct output *out, const struct added *added)
{
    struct json_object o = json_begin(&out->text, '{');
    memory_json_pair_ref(&o, "ref", added->ref);
    json_pair_int(&o, "version", added->version);
    if (added->unresolved_count) {
        struct json_object list = json_open(&o, "unresolved", '[');
        for (size_t n = 0; n < added->unresolved_count; n++) {
            json_item(&list);
            json_add_string(&out->text, added->unresolved[n]);
        }
        json_end(&list);
    }
    json_pair_if(&o, "why", added->why);
    json_end_line(&o);
}

/* An id that is too short to stand for a UUID in a link. */
static bool is_short(const char *text)
{
    struct ref ref;
    return ref_parse(text, &ref) == REF_MEMORY && ref_is_uuid_prefix(ref.id, 1) &&
           !ref_is_uuid_prefix(ref.id, REF_LINK_PREFIX);
}

static void print_added(struct output *out, const struct added *added)
{
    output_ref(out, STYLE_TEXT, added->ref);
    strbuf_addch(&out->text, '\n');
    for (size_t n = 0; n < added->unresolved_count; n++)
        output_note(
            "%s is not in this store yet; the link is kept as given%s", added->unresolved[n],
            is_short(added->unresolved[n]) ? ". To abbreviate an id, give 8 characters or more."
                                           : "");
    if (added->why)
        output_note("%s", added->why);
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
    AUTO_STRBUF text = STRBUF_INIT;
    request.tags = option_list(i, "tag", &request.tag_count);
    request.derived_from = option_list(i, "from", &request.derived_count);
    request.relates_to = option_list(i, "evidence", &request.relates_count);
    if (option_given(i, "all") && request.derived_count == 0)
        return error_set(e, ERROR_USAGE, "Give --from as well, or omit --all.",
                         "--all needs --from");
    int result = -1, kind = choice_kind_typed(i->words[0], NULL, e);
    if (kind >= 0 && !field_words(i, (enum kind)kind, &request.detail, e) &&
        !typed_text(i->words[1], &text, e)) {
        request.kind = (enum kind)kind;
        request.text = text.buf;
        result = add(i, &request, text.len, e);
    }
    return result;
}

const struct command cmd_add = {
    .name = "add",
    .words = "KIND TEXT",
    .about = "add a memory and record where it came from",
    .examples = "stemma add belief \"Canary first\" --from episode:65f767ba --agent ash\n"
                "stemma add note - < note.txt",
    .details = "Prints its ref. TEXT - is standard input. A REF may be the beginning of a UUID, of "
               "8 characters or more. A REF that is not in the store yet is kept as given, with a "
               "note.\n\nThe TEXT of an entry is its key; it has a --field namespace= and value=, "
               "and expires_at= if it expires (10m, in 3 days, 2026-02-01). An attribution has a "
               "--field source_type= and retrieval_timestamp= (now, 2h ago, 2026-02-01).",
    .options = options,
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
         "What is not given stays unchanged. The reason is kept in the history. With "
         "--expected-version the edit is refused (exit status 4) if somebody changed the memory "
         "meanwhile, and the differences are shown.\n\n");
OPERATES(promote, OPERATION_PROMOTE, "promote a raw entry to an episode, a belief or a note",
         "stemma promote raw:24bc8f6c --as note",
         "Prints the ref of the new memory: it is derived from the raw entry, has the source "
         "cli-promote and the tag promoted, and the raw entry names it.\n\n");
OPERATES(replace, OPERATION_REPLACE, "replace a belief by a better statement",
         "stemma replace belief:8fc21b98 \"More than two retries hide the first error.\"",
         "Prints the ref of the new belief: it is derived from the old one, has its episodes as "
         "evidence and a history of its own. TEXT - is standard input.\n\n");
OPERATES(
    merge, OPERATION_MERGE, "merge memories that say the same into one of them",
    "stemma merge belief:8fc21b98 belief:3218131c --into belief:8fc21b98",
    "The one that stays gets the justifications and tags of the others, which it replaces. They "
    "must be of one kind. " OPERATING_ASKS);
OPERATES(seed, OPERATION_SEED, "add an agent's first beliefs from a file",
         "stemma seed beliefs.txt --agent ash",
         "FILE (- is standard input) has one statement a line, or lines of JSON: {\"statement\": "
         "\"…\", \"confidence\": 0.8, \"tags\": [\"…\"]}, where confidence and tags are optional. "
         "Either all are added or none, and one `stemma undo` undoes them. Prints the ref of each; "
         "the store is created if there is none.\n\n");
OPERATES(
    undo, OPERATION_UNDO, "undo your last change, or the event SEQ",
    "stemma undo\n"
    "stemma undo 120",
    "Changes made together are undone together: all or none. If a value was changed since, the "
    "undo is refused (exit status 4) and the conflict is shown; other changes of the same memory "
    "stay. An undone addition leaves only its ref. A purge cannot be undone and is skipped. A "
    "decision about a session cannot be undone either: decide again. To undo an earlier change, "
    "give its number. On a terminal it asks first where several memories change.\n\n");
OPERATES(redo, OPERATION_REDO, "redo what you undid last", "stemma redo", );
OPERATES(approve, OPERATION_APPROVE,
         "approve memories: they are right, and agents cannot change them",
         "stemma approve belief:8fc21b98 --reason \"counted the tries\"",
         "Its confidence stays, and its requests for review are answered. From then on agents do "
         "not change it, until it is unlocked.\n\n");
OPERATES(lock, OPERATION_LOCK, "lock memories: agents cannot change them, nobody can forget them",
         "stemma lock belief:8fc21b98",
         "Agents do not change a locked memory, and nobody forgets it, until it is unlocked.\n\n");
OPERATES(unlock, OPERATION_UNLOCK, "unlock memories", "stemma unlock belief:3218131c",
         "Agents can change the memory again, even an approved one, and it can be forgotten again. "
         "Only a person can unlock.\n\n");
OPERATES(retract, OPERATION_RETRACT,
         "mark memories as wrong; those based only on them lose support",
         "stemma retract episode:65f767ba --dry-run\n"
         "stemma retract belief:c2992c46 --reason \"it came from one page\"",
         "The text and the lineage of a retracted memory stay, and `stemma restore` brings it "
         "back. Memories based directly on it are flagged for review if their label changes. With "
         "`--dependants leave` nothing else changes. With `--dependants retract` those that lose "
         "all support are retracted too. Undo and restore take all of that back. " OPERATING_ASKS);
OPERATES(quarantine, OPERATION_QUARANTINE,
         "take memories and what is based on them alone away from agents",
         "stemma quarantine raw:47735e51 --dry-run\n"
         "stemma quarantine --session 5 --reason \"it read a planted page\"",
         "Quarantined memories support nothing, and no agent sees them, in any answer or count. "
         "What is based on a named memory alone (`stemma taint REF` lists it) is quarantined too, "
         "and what any of them had replaced is active again. With `--session N` all that the "
         "session wrote is named: the preview lists what is based on that in rings, by the number "
         "of steps. Older memories that the session changed are listed, not quarantined. `stemma "
         "release` and `stemma undo` take all of it back. " OPERATING_ASKS);
OPERATES(release, OPERATION_RELEASE, "take a quarantine back", "stemma release raw:47735e51",
         "What was quarantined with the memory, because it is based on it, is released too, and "
         "what had been replaced is replaced again.\n\n");
OPERATES(restore, OPERATION_RESTORE, "restore retracted, forgotten or deleted memories",
         "stemma restore episode:fc8a9c90", "A purged memory cannot be restored.\n\n");
OPERATES(forget, OPERATION_FORGET, "hide memories from lists; their lineage stays",
         "stemma forget raw:47735e51",
         "A locked memory is refused. Memories based on a forgotten one are flagged for "
         "review. " OPERATING_ASKS);
OPERATES(purge, OPERATION_PURGE, "erase memories for good, earlier versions included",
         "stemma purge entry:700e8616 --dry-run",
         "Text, earlier versions and everything that could restore them are erased from the files; "
         "the journal can still be verified. It cannot be undone. " OPERATING_ASKS);
OPERATES(reinforce, OPERATION_REINFORCE, "raise the confidence of memories by new evidence",
         "stemma reinforce belief:8fc21b98 --evidence episode:65f767ba",
         "By 0.05 / (1 + 0.1 n) of the distance to 0.99, where n is the number of its "
         "reinforcements, including this one. The evidence becomes one more justification.\n\n");
OPERATES(consolidate, OPERATION_CONSOLIDATE, "reinforce a memory by several memories at once",
         "stemma consolidate belief:8fc21b98 --from raw:47735e51 episode:65f767ba",
         "Its history names the consolidation (consolidation:DATE), and each memory of --from "
         "becomes a justification.\n\n");
OPERATES_AS(cap_confidence, "cap-confidence", OPERATION_CAP_CONFIDENCE,
            "cap the confidence of memories that are based on REF",
            "stemma cap-confidence episode:65f767ba --dry-run",
            "Each memory based on REF gets the lower of its own confidence and that of its "
            "strongest justification, which is as strong as its weakest source. No confidence "
            "rises. Memories that are based on themselves or have no valid justification stay "
            "unchanged and are listed. " OPERATING_SHOWS);

const struct command cmd_repair_origins = {
    .name = "repair-origins",
    .about = "record missing origins of seeds and promoted raw entries",
    .examples = "stemma repair-origins --dry-run",
    .details =
        "Beliefs that the agent started with get source_type seed; a memory that a raw entry was "
        "promoted to becomes derived from it, recorded as migrated. " OPERATING_SHOWS
            OPERATING_JSON,
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
                     "revise needs what the episode confirms or contradicts");
}

const struct command cmd_revise = {
    .name = "revise",
    .words = "EPISODE --confirms REF… --contradicts REF…",
    .about = "record which beliefs an episode confirms or contradicts",
    .examples = "stemma revise episode:65f767ba --confirms belief:8fc21b98",
    .details = "Only the named beliefs are changed: all of them or none.\n\n" OPERATING_JSON,
    .operates = true,
    .op = OPERATION_REVISE,
    .check = check_revise,
    .run = operating_command,
};

static const struct option_spec flag_options[] = {
    OPT_FLAG("remove", "remove the flag; --value document:ID: one source's rating"),
    OPTION_END,
};

static int check_flag(const struct invocation *i, struct error *e)
{
    struct ref ref;
    char hint[120];
    if (ref_parse(i->words[0], &ref) == REF_MEMORY) {
        snprintf(hint, sizeof(hint), "Write `stemma flag %.30s %.60s`.", i->words[1], i->words[0]);
        return error_set(e, ERROR_USAGE, hint, "FLAG comes first, then the memories");
    }
    if (option_given(i, "remove") && option_given(i, "value") && strcmp(i->words[0], "rating") != 0)
        return error_set(e, ERROR_USAGE, "Omit --value.",
                         "--remove removes all flags of that name, whatever their value");
    return 0;
}

static int run_flag(struct invocation *i, struct error *e)
{
    return operating_run(i, option_given(i, "remove") ? OPERATION_UNFLAG : OPERATION_FLAG, e);
}

const struct command cmd_flag = {
    .name = "flag",
    .about = "flag memories: reviewed, for_review, poisoned, rating, …",
    .examples = "stemma flag for_review belief:8fc21b98 --reason \"still true?\"\n"
                "stemma flag reviewed belief:8fc21b98 --remove",
    .details =
        "A flag is a word attached to a memory, with who set it, when and why. It does not change "
        "the memory's status. You can use any other word, too.\n\nTo rate the sources of a step, "
        "one rating per person and source: --value \"document:ID relevant\" or irrelevant. "
        "faithful, yes or no: do its sources support the step? Neither changes a recorded number. "
        "A source can be named by its id alone.\n\n--remove ends with status 1 if there is nothing "
        "to remove.\n\n" OPERATING_JSON,
    .options = flag_options,
    .operates = true,
    .op = OPERATION_FLAG,
    .check = check_flag,
    .run = run_flag,
};
