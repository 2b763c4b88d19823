/*
 * The table of operations: what each is called, who may do it, and what it takes. Commands, MCP tools and forms take
 * their options, arguments and rows from here.
 */
#include "store/ops/operation_internal.h"

#include <stddef.h>
#include <string.h>

#define VALUE(member_) .value = offsetof(struct request, member_)
#define LIST(member_, count_)                                                                      \
    .value = offsetof(struct request, member_), .length = offsetof(struct request, count_)

/* What it is about. */
#define ANY_REF "kind:id, or the beginning of an id where it is unique"
#define SUBJECT(name_, argument_, about_, ...)                                                     \
    {                                                                                              \
        .name = name_, .argument = argument_, .about = about_, .type = PARAM_REFS,                 \
        LIST(refs, ref_count), __VA_ARGS__                                                         \
    }
#define REFS SUBJECT("ref", "REF…", ANY_REF, .required = true, .positional = true)

#define REASON                                                                                     \
    {.name = "reason",                                                                             \
     .argument = "TEXT",                                                                           \
     .type = PARAM_TEXT,                                                                           \
     VALUE(reason),                                                                                \
     .about = "why; it is kept in the history"},                                                   \
    {                                                                                              \
        .type = PARAM_END                                                                          \
    }
#define CONFIDENCE(about_)                                                                         \
    {                                                                                              \
        .name = "confidence", .argument = "C", .type = PARAM_NUMBER, .max = 1, VALUE(confidence),  \
        .about = about_                                                                            \
    }

static const struct param edit_params[] = {
    SUBJECT("ref", "REF", ANY_REF, .required = true, .positional = true),
    {.name = "text",
     .argument = "TEXT",
     .type = PARAM_BODY,
     LIST(text, text_len),
     .about = "what it says, in place of what it said"},
    CONFIDENCE("from 0 to 1; the change stands in its history"),
    {.name = "tags",
     .option = "tag",
     .argument = "T",
     .type = PARAM_TAGS,
     LIST(tags, tag_count),
     .about = "its tags, in place of those it has"},
    {.name = "source",
     .argument = "TEXT",
     .type = PARAM_TEXT,
     .use = PARAM_OF_COMMAND | PARAM_OF_FORM,
     VALUE(source),
     .about = "where it is from, in words"},
    {.name = "fields",
     .option = "field",
     .argument = "NAME=VALUE",
     .type = PARAM_FIELDS,
     .use = PARAM_OF_COMMAND | PARAM_OF_FORM,
     VALUE(fields),
     .about = "a field of its kind, as JSON or as plain words; NAME= takes it away"},
    {.name = "expected_version",
     .option = "expected-version",
     .argument = "N",
     .type = PARAM_INTEGER,
     .use = PARAM_OF_COMMAND | PARAM_OF_TOOL,
     .min = 1,
     .max = 9007199254740991,
     VALUE(expected_version),
     .about = "the version that was read: refuse where it is another by now"},
    {.name = "created_at",
     .type = PARAM_TIME,
     .use = PARAM_OF_FORM,
     VALUE(created_at),
     .about = "when it was made"},
    REASON,
};

static const struct param process_params[] = {
    SUBJECT("ref", "REF…", ANY_REF, .required = true, .positional = true,
            .kinds = KIND_BIT(KIND_RAW)),
    {.name = "as",
     .argument = "KIND",
     .type = PARAM_KIND,
     .required = true,
     .kinds = KIND_BIT(KIND_EPISODE) | KIND_BIT(KIND_BELIEF) | KIND_BIT(KIND_NOTE),
     VALUE(as),
     .about = "what it becomes"},
    {.name = "text",
     .argument = "TEXT",
     .type = PARAM_BODY,
     LIST(text, text_len),
     .about = "what that says, in place of the words of the raw"},
    {.name = "provenance",
     .type = PARAM_PROVENANCE,
     .use = PARAM_OF_TOOL,
     VALUE(provenance),
     .about = "where it comes from, beside the raw"},
    REASON,
};

static const struct param reinforce_params[] = {
    REFS,
    {.name = "evidence_source",
     .option = "evidence",
     .argument = "REF",
     .type = PARAM_LIST,
     .most = 1,
     LIST(evidence, evidence_count),
     .about = "what bears it out: a memory, or an annotation such as consolidation:2026-02-01"},
    REASON,
};

static const struct param supersede_params[] = {
    SUBJECT("ref", "REF", ANY_REF, .required = true, .positional = true, .most = 1,
            .kinds = KIND_BIT(KIND_BELIEF)),
    {.name = "statement",
     .argument = "TEXT",
     .type = PARAM_BODY,
     .required = true,
     .positional = true,
     LIST(text, text_len),
     .about = "the better one"},
    CONFIDENCE("of the new one, from 0 to 1; the old one's, if left out"),
    REASON,
};

static const struct param revise_params[] = {
    SUBJECT("episode", "EPISODE", "the episode", .required = true, .positional = true, .most = 1,
            .kinds = KIND_BIT(KIND_EPISODE)),
    {.name = "confirms",
     .argument = "REF…",
     .type = PARAM_LIST,
     LIST(evidence, evidence_count),
     .about = "what it bears out: reinforced, with the episode as evidence"},
    {.name = "contradicts",
     .argument = "REF…",
     .type = PARAM_LIST,
     LIST(contradicts, contradict_count),
     .about = "what it speaks against: marked for review, nothing else"},
    REASON,
};

static const struct param consolidate_params[] = {
    REFS,
    {.name = "evidence",
     .option = "from",
     .argument = "REF…",
     .type = PARAM_LIST,
     .required = true,
     LIST(evidence, evidence_count),
     .about = "what was looked over, or an annotation such as context:TEXT"},
    {.name = "date",
     .argument = "D",
     .type = PARAM_TEXT,
     VALUE(date),
     .about = "of the consolidation, as 2026-02-01; today, if left out"},
    REASON,
};

static const struct param seed_params[] = {
    {.name = "statements",
     .argument = "FILE",
     .type = PARAM_SEEDS,
     .required = true,
     .positional = true,
     LIST(seeds, seed_count),
     .about = "the beliefs"},
    {.name = "agent",
     .argument = "A",
     .type = PARAM_TEXT,
     .use = PARAM_OF_COMMAND | PARAM_OF_FORM,
     VALUE(agent),
     .about = "whose beliefs they are; yours, if left out"},
    REASON,
};

/* verify, protect, retract, …: a decision about memories as they are. */
static const struct param decide_params[] = {REFS, REASON};

static const struct param propagate_params[] = {
    SUBJECT("ref", "REF", ANY_REF, .required = true, .positional = true, .most = 1), REASON};

static const struct param fix_provenance_params[] = {
    SUBJECT("ref", "REF…", ANY_REF, .use = PARAM_OF_FORM),
    {.name = "seeds",
     .argument = "FILE",
     .type = PARAM_STATEMENTS,
     .use = PARAM_OF_COMMAND,
     LIST(statements, statement_count),
     .about = "statements that are seeds, one a line, beside those that say so themselves"},
    REASON,
};

#define MARK(about_)                                                                               \
    {                                                                                              \
        .name = "mark", .argument = "MARK", .type = PARAM_TEXT, .required = true,                  \
        .positional = true, VALUE(mark), .about = about_                                           \
    }
static const struct param mark_params[] = {
    MARK("one word: reviewed, for_review, poisoned, quarantined, rating, faithful, or your own"),
    REFS,
    {.name = "value",
     .argument = "V",
     .type = PARAM_TEXT,
     VALUE(value),
     .about = "how good it is; of a source in a step: document:ID relevant|irrelevant; faithful: "
              "yes|no"},
    REASON,
};

static const struct param unmark_params[] = {
    MARK("which word"),
    REFS,
    {.name = "value",
     .argument = "V",
     .type = PARAM_TEXT,
     VALUE(value),
     .about = "of a rating: document:ID, one source's"},
    REASON,
};

static const struct param undo_params[] = {
    {.name = "events",
     .argument = "SEQ",
     .type = PARAM_EVENTS,
     .positional = true,
     LIST(seqs, seq_count),
     .about = "each with all that was done together with it; the last edit, if left out"},
    REASON,
};

static const struct param redo_params[] = {REASON};

static const struct op_spec specs[OPERATION_COUNT] = {
    [OPERATION_EDIT] = {"edit", "edited", "changes text, confidence, tags or fields", .many = true,
                        .undone = true, .check = op_edit_check, .each = op_edit,
                        .params = edit_params},
    [OPERATION_PROCESS] = {"process", "processed", "makes an episode, a belief or a note of a raw",
                           .many = true, .undone = true, .check = op_process_check,
                           .each = op_process, .params = process_params, .adds = true},
    [OPERATION_REINFORCE] = {"reinforce", "reinforced", "evidence came that bears it out",
                             .many = true, .undone = true, .plan = op_reinforce,
                             .params = reinforce_params},
    [OPERATION_SUPERSEDE] = {"supersede", "superseded", "puts a better statement in its place",
                             .undone = true, .plan = op_supersede, .params = supersede_params,
                             .adds = true},
    [OPERATION_REVISE] = {"revise", "revised", "what an episode confirms and contradicts",
                          .undone = true, .plan = op_revise, .params = revise_params},
    [OPERATION_CONSOLIDATE] = {"consolidate", "consolidated",
                               "reinforces it by what was looked over together", .many = true,
                               .undone = true, .plan = op_consolidate,
                               .params = consolidate_params},
    [OPERATION_SEED] = {"seed", "seeded", "adds a belief that was there from the start",
                        .undone = true, .plan = op_seed, .params = seed_params, .adds = true},
    [OPERATION_VERIFY] = {"verify", "verified", "it was looked into, and holds: confidence + 0.1",
                          .many = true, .undone = true, .destructive = true, .each = op_verify,
                          .params = decide_params},
    [OPERATION_PROTECT] = {"protect", "protected", "keeps it from being changed by agents",
                           .many = true, .undone = true, .destructive = true, .each = op_protect,
                           .params = decide_params},
    [OPERATION_UNPROTECT] = {"unprotect", "unprotected",
                             "lets agents change it again, if it was verified too", .person = true,
                             .many = true, .undone = true, .each = op_unprotect,
                             .params = decide_params},
    [OPERATION_RETRACT] = {"retract", "retracted", "it is wrong: what rests on it alone falls",
                           .asks = true, .destructive = true, .many = true, .undone = true,
                           .each = op_retract, .falls = true, .params = decide_params},
    [OPERATION_RESTORE] = {"restore", "restored", "it holds again after all", .many = true,
                           .destructive = true, .undone = true, .each = op_restore,
                           .params = decide_params},
    [OPERATION_FORGET] = {"forget", "forgotten", "takes it out of the lists, and keeps its lineage",
                          .asks = true, .destructive = true, .many = true, .undone = true,
                          .each = op_forget, .then = op_forget_then, .falls = true,
                          .params = decide_params},
    [OPERATION_PURGE] = {"purge", "purged", "erases what it says, for good", .asks = true,
                         .person = true, .destructive = true, .many = true, .each = op_purge,
                         .then = op_purge_then, .falls = true, .params = decide_params},
    [OPERATION_PROPAGATE] = {"propagate", "propagated",
                             "lowers what rests on it to what it can bear", .asks = true,
                             .person = true, .undone = true, .plan = op_propagate,
                             .params = propagate_params},
    [OPERATION_FIX_PROVENANCE] = {"fix-provenance", "mended",
                                  "says of seeds and processed raws where they came from",
                                  .asks = true, .person = true, .undone = true,
                                  .plan = op_fix_provenance, .params = fix_provenance_params},
    [OPERATION_MARK] = {"mark", "marked", "says a word on it: reviewed, poisoned, a rating, …",
                        .many = true, .undone = true, .check = op_mark_check, .each = op_mark,
                        .params = mark_params},
    [OPERATION_UNMARK] = {"unmark", "unmarked", "takes such a word away", .many = true,
                          .undone = true, .check = op_mark_check, .each = op_unmark,
                          .params = unmark_params},
    [OPERATION_UNDO] = {"undo", "undone", "takes back what was done last, or an event",
                        .person = true, .undone = true, .plan = op_undo, .params = undo_params},
    [OPERATION_REDO] = {"redo", "done again", "does again what was undone last", .person = true,
                        .undone = true, .plan = op_redo, .params = redo_params},
};

const struct op_spec *op_spec(enum operation op)
{
    return &specs[op];
}

int operation_from_name(const char *name)
{
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(specs[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- values ---- */

const struct param *op_param(const struct op_spec *spec, const char *name)
{
    const struct param *p = spec->params;
    while (p->type != PARAM_END && strcmp(p->name, name) != 0)
        p++;
    return p->type == PARAM_END ? NULL : p;
}

static void *member(struct request *q, size_t offset)
{
    return (char *)q + offset;
}

void op_set_text(const struct param *p, struct request *q, struct arena *arena, const char *text,
                 size_t len)
{
    if (p->type == PARAM_LIST || p->type == PARAM_REFS) {
        const char **one = arena_alloc(arena, sizeof(*one));
        *one = text;
        op_set_list(p, q, one, text != NULL);
        return;
    }
    *(const char **)member(q, p->value) = text;
    if (p->type == PARAM_BODY)
        *(size_t *)member(q, p->length) = len;
}

void op_set_list(const struct param *p, struct request *q, const char **list, size_t count)
{
    *(const char ***)member(q, p->value) = list;
    *(size_t *)member(q, p->length) = count;
    q->tags_given |= p->type == PARAM_TAGS;
}

void op_set_number(const struct param *p, struct request *q, double number)
{
    *(double *)member(q, p->value) = number;
}

void op_set_integer(const struct param *p, struct request *q, int64_t integer)
{
    *(int64_t *)member(q, p->value) = integer;
}

void op_set_kind(const struct param *p, struct request *q, enum kind kind)
{
    *(enum kind *)member(q, p->value) = kind;
}
