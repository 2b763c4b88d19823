/* The tools of questions (store/questions), which differ in what the table there says. */
#include "store/guard/guard.h"
#include "store/mcp/tools/tools.h"
#include "store/query/ref.h"
#include "store/questions/questions.h"

#define TOOL_PREFIX "memory_"

static const struct field one_arguments[] = {REF_FIELD, FIELD_END};
static const struct field text_arguments[] = {PROSE("text", NULL), FIELD_END};
/* `offset` is `next` of the answer before; a description would cost each agent more than it says. */
static const struct field all_arguments[] = {
    TEXTS("refs", FIELD_NONE_EMPTY | FIELD_SUBJECT, NULL, .longest = URI_MAX, .max = REFS_MAX),
    LIMIT(1000, "20"),
    OPTIONAL("offset", INTEGER, NULL, COUNT),
    FIELD_END,
};

/* The answer is text with the members that the table of the question names, so only these two stand here. */
static const struct field answer_members[] = {
    OPTIONAL("ref", STRING, "What was asked about, or what a line is about."),
    OPTIONAL("next", INTEGER, "The offset that goes on."),
    FIELD_END,
};

static const struct field pair_arguments[] = {
    TEXTS("refs", FIELD_REQUIRED | FIELD_NONE_EMPTY | FIELD_SUBJECT,
          "The two, or one: then the first that contradicts it is the other.", .longest = URI_MAX,
          .max = 2),
    FIELD_END,
};

/* Reads the memories of the call: `ref`, or `refs`. */
static int read_asked(struct mcp_call *call, struct reader *r, const struct question *q,
                      struct asked *asked, struct error *e)
{
    size_t given = 0;
    bool several = q->of == ABOUT_ALL || q->of == ABOUT_PAIR;
    const char **refs = several ? given_list(&call->given, "refs", &given) : NULL;
    int64_t *rows = arena_array(&call->arena, given + 1, sizeof(*rows));
    *asked = (struct asked){.row = rows, .count = given};
    if (q->of == ABOUT_PAIR && given == 0)
        return error_set(e, ERROR_INVALID, "Give refs.", "no memory is named");
    if (q->of == ABOUT_ALL)
        asked->limit = (size_t)(given_integer(&call->given, "offset", 0) +
                                given_integer(&call->given, "limit", 20));
    else if (q->of == ABOUT_TEXT)
        asked->text = given_text(&call->given, "text", NULL);
    else if (!several && ((rows[asked->count++] = resolve_argument(call, r, "ref", e)) < 0 ||
                          check_whole(r, rows[0], e)))
        return -1;
    for (size_t i = 0; i < given; i++)
        if ((rows[i] = ref_resolve(r, refs[i], e)) < 0 || check_whole(r, rows[i], e))
            return -1;
    return 0;
}

/* The answer is JSON as text: it has no schema that a client would pay for. */
static int answer_question(struct mcp_call *call, struct reader *r, struct error *e)
{
    const struct question *q = questions[call->tool->operation];
    struct strbuf text = STRBUF_INIT;
    struct report p;
    struct asked asked;
    struct report_bounds bounds = {.agent = true, .most = ANSWER_BYTES - 400};
    bool masks = guard_masks(r);
    bounds.from = (size_t)given_integer(&call->given, "offset", 0);
    int result = read_asked(call, r, q, &asked, e) ||
                 question_ask(&p, q, r, &call->arena, &asked, e) ||
                 report_json(&p, r, &bounds, &text, e);
    if (result == 0 && text.len == 0)
        strbuf_addstr(&text, q->parts[0].none);
    if (result == 0 && p.note)
        strbuf_addf(&text, "%s\n", p.note);
    if (result == 0 && bounds.left)
        strbuf_addf(&text, "%zu more rows did not fit; `stemma %s %s --json` has all.\n",
                    bounds.left, q->name, q->of == ABOUT_MEMORY ? "REF" : "REF REF");
    answer_masked_in_parts(call, r, masks);
    answer_text_alone(call, &text);
    return result ? -1 : 0;
}

#define QUESTION_TOOL(name_, place_, title_, arguments_, description_)                             \
    const struct mcp_tool tool_memory_##name_ = {                                                  \
        .name = TOOL_PREFIX #name_,                                                                \
        .title = title_,                                                                           \
        .description = description_,                                                               \
        .sets = TOOLSET_BIT(TOOLSET_REVIEW),                                                       \
        .operation = place_,                                                                       \
        .arguments = arguments_,                                                                   \
        .full = answer_members,                                                                    \
        READS(answer_question),                                                                    \
    }

QUESTION_TOOL(why, QUESTION_WHY, "Why is it believed?", one_arguments,
              "Why a memory is believed: derivations from root to memory, the strongest first; "
              "what contradicts it.");
QUESTION_TOOL(blame, QUESTION_BLAME, "Whom to blame?", one_arguments,
              "The smallest sets of sources whose retraction takes a memory's support away, and "
              "each one's share.");
QUESTION_TOOL(
    roots, QUESTION_ROOTS, "How independent is its support?", one_arguments,
    "From how many independent origins a memory has its support. Ten notes from one page are one.");
QUESTION_TOOL(
    confidence, QUESTION_CONFIDENCE, "What do its sources warrant?", one_arguments,
    "The interval of probability that a memory's sources warrant, next to its stored confidence.");
QUESTION_TOOL(keystones, QUESTION_KEYSTONES, "What hangs on one memory?", all_arguments,
              "Memories whose loss alone takes all support from others, the most first.");
QUESTION_TOOL(taint, QUESTION_TAINT, "What did a source reach?", one_arguments,
              "What a source touched, and what is based on it alone.");
QUESTION_TOOL(suspects, QUESTION_SUSPECTS, "Who stands behind what was rejected?", all_arguments,
              "Sources, agents and sessions, ranked by what reviewers rejected.");
QUESTION_TOOL(
    forensics, QUESTION_FORENSICS, "What changed its label?", one_arguments,
    "Which events gave a memory its support or took it away, who, when, along which path.");
QUESTION_TOOL(
    why_not, QUESTION_WHY_NOT, "Why is it not believed?", text_arguments,
    "Why something is not believed: what ended the memory that says it, or which source fell.");
QUESTION_TOOL(duplicates, QUESTION_DUPLICATES, "Find memories that say the same", all_arguments,
              "Groups of memories that say the same; independent ones confirm each other.");
QUESTION_TOOL(conflicts, QUESTION_CONFLICTS, "Find contradictions", all_arguments,
              "Pairs that contradict each other: recorded ones, and candidates; judge these.");
QUESTION_TOOL(stale, QUESTION_STALE, "What should be looked at again?", all_arguments,
              "Memories whose source changed or is gone, or that nobody confirmed for long.");
QUESTION_TOOL(resolve, QUESTION_RESOLVE, "Which of two contradicting memories to keep?",
              pair_arguments,
              "Weighs two contradicting memories: which to keep, why, what would lose support.");
QUESTION_TOOL(replaced, QUESTION_REPLACED, "What replaced what?", all_arguments,
              "What replaced what; a large batch of unrelated memories is suspect.");
QUESTION_TOOL(effects, QUESTION_EFFECTS, "What did an event change?", text_arguments,
              "Whose label an event (text: its number, @137) and its batch changed.");
