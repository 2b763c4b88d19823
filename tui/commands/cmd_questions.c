/*
 * stemma why, blame, roots, … : the questions of store/questions as commands. What differs between them is in the table
 * there.
 */
#include "store/questions/questions.h"

#include "tui/cli/opening.h"
#include "tui/commands/commands.h"
#include "tui/render/report_page.h"

static const struct option_spec one_options[] = {OPT_AS_OF, OPTION_END};
static const struct option_spec all_options[] = {OPT_AS_OF, OPT_LIMIT("rows, at most"), OPTION_END};

static int print_json(struct invocation *i, struct reader *r, const struct question *q,
                      const struct asked *asked, struct error *e)
{
    struct report p;
    if (question_ask(&p, q, r, &i->arena, asked, e) ||
        report_json(&p, r, &(struct report_bounds){.agent = false}, &i->out.text, e))
        return -1;
    if (p.note)
        output_note("%s", p.note);
    return q->parts[0].shape == PART_LINES && p.part[0].count == 0;
}

static int print_page(struct invocation *i, struct reader *r, const struct question *q,
                      const struct asked *asked, struct error *e)
{
    struct page page;
    struct report_facts *f = report_facts_read(r, q, asked, e);
    if (!f)
        return -1;
    bool none = q->parts[0].shape == PART_LINES && f->report.part[0].count == 0;
    page_for_output(&page, &i->out);
    struct page_options options = page.options;
    report_page(&page, f, &options);
    output_page(&i->out, &page, 0);
    page_release(&page);
    report_facts_free(f);
    return none;
}

static int ask(struct invocation *i, struct reader *r, struct error *e)
{
    const struct question *q = question_find(i->command->name);
    int64_t *rows = arena_array(&i->arena, i->word_count + 1, sizeof(*rows));
    struct asked asked = {.row = rows, .limit = 0};
    if (q->of == ABOUT_TEXT)
        asked.text = i->words[0];
    else
        for (; asked.count < i->word_count; asked.count++)
            if ((rows[asked.count] = opening_resolve(r, i->words[asked.count], e)) < 0)
                return -1;
    if (q->of == ABOUT_ALL)
        asked.limit = (size_t)option_number(i, "limit", 0);
    return i->out.json ? print_json(i, r, q, &asked, e) : print_page(i, r, q, &asked, e);
}

const struct command cmd_why = {
    .name = "why",
    .words = "REF",
    .about = "show why a memory is believed: the strongest derivation first",
    .examples = "stemma why belief:c2992c46",
    .details = "Each derivation goes from its roots to the memory: who recorded a step, when, as "
               "what it supports the next, "
               "and what it added to the confidence, where the history tells. There is one for "
               "each valid justification, the "
               "strongest first: the product of what its roots warrant (`stemma confidence`). Then "
               "what contradicts it.",
    .options = one_options,
    .min_words = 1,
    .max_words = 1,
    .read = ask,
};

const struct command cmd_blame = {
    .name = "blame",
    .words = "REF",
    .about = "show the smallest sets of sources whose retraction takes a memory's support away",
    .examples = "stemma blame belief:c2992c46",
    .details = "A set is listed if retracting all of it takes all support from the memory, and no "
               "part of it does: every set "
               "of up to three sources, and larger ones as far as the search goes. RESPONSIBILITY "
               "is 1 / the size of the "
               "smallest set that contains the source (Halpern and Pearl). SHARE is the Banzhaf "
               "index: in what part of all "
               "combinations of the other sources this one decides; beyond 20 sources it is "
               "sampled, with its error.",
    .options = one_options,
    .min_words = 1,
    .max_words = 1,
    .read = ask,
};

const struct command cmd_roots = {
    .name = "roots",
    .words = "REF",
    .about = "show the roots of a memory, and its independent derivations",
    .examples = "stemma roots belief:c2992c46",
    .details = "A root stands by itself: a capture, a retrieval, a document, what a person said. "
               "Derivations are independent "
               "if they share no memory but this one, so that no single mistake takes two of them "
               "away. Ten notes from one "
               "web page are one derivation: `10 → 1` in lists.",
    .options = one_options,
    .min_words = 1,
    .max_words = 1,
    .read = ask,
};

const struct command cmd_confidence = {
    .name = "confidence",
    .words = "REF",
    .about = "show the confidence that the sources of a memory warrant, as an interval",
    .examples = "stemma confidence belief:c2992c46",
    .details = "Each root is right with its own confidence times the trust in its source, "
               "independently of the others; what "
               "is inferred is taken as sound. LOW multiplies within a justification, takes the "
               "best of those that share a "
               "root, and combines the groups: 1 - (1 - a) * (1 - b). HIGH takes the least within "
               "a justification and "
               "combines all. EXACT goes through all combinations of at most 20 roots. The sums "
               "can be given to a "
               "calculator (docs/confidence.md).",
    .options = one_options,
    .min_words = 1,
    .max_words = 1,
    .read = ask,
};

const struct command cmd_keystones = {
    .name = "keystones",
    .words = "[REF…]",
    .about = "list the memories whose loss alone takes the support of others away",
    .examples = "stemma keystones --limit 10",
    .details = "A line for each memory without which others would lose all support, the most "
               "first: review these "
               "first. With REFs only these.",
    .options = all_options,
    .max_words = -1,
    .read = ask,
};

const struct command cmd_taint = {
    .name = "taint",
    .words = "REF",
    .about = "show what a source touched, and what is based on it alone",
    .examples = "stemma taint attribution:2f1c88d0",
    .details = "ALONE is what would lose all support without it, TOUCHED all that comes from it at "
               "any depth. `stemma "
               "retract` takes the support away; flag the source as poisoned first to say why.",
    .options = one_options,
    .min_words = 1,
    .max_words = 1,
    .read = ask,
};

const struct command cmd_why_not = {
    .name = "why-not",
    .words = "TEXT",
    .about = "show why something is not believed",
    .examples = "stemma why-not \"retries are safe\"",
    .details = "Finds the memories that say it, whatever became of them, and says of the nearest "
               "what ended it, which of "
               "its sources fell, and in which event (`stemma log --seq`).",
    .options = one_options,
    .min_words = 1,
    .max_words = 1,
    .read = ask,
};

const struct command cmd_forensics = {
    .name = "forensics",
    .words = "REF",
    .about = "show which events changed the label of a memory, and how",
    .examples = "stemma forensics belief:c2992c46",
    .details = "A line for each change of the label: the event that did it, on which memory, who "
               "and when. --json also "
               "has the path from there to the memory.",
    .options = one_options,
    .min_words = 1,
    .max_words = 1,
    .read = ask,
};

const struct command cmd_suspects = {
    .name = "suspects",
    .words = "[REF…]",
    .about = "rank sources, agents and sessions by what reviewers rejected",
    .examples = "stemma suspects --limit 10",
    .details = "What a person retracted or flagged as poisoned counts as rejected, what a person "
               "approved as approved. "
               "SCORE is rejected / √(all rejected × (rejected + approved)): Ochiai's coefficient, "
               "as in the "
               "localisation of faults. With REFs only these sources.",
    .options = all_options,
    .max_words = -1,
    .read = ask,
};

const struct command cmd_duplicates = {
    .name = "duplicates",
    .words = "[REF…]",
    .about = "find memories that say the same, in groups",
    .examples = "stemma duplicates\n"
                "stemma duplicates belief:54c5507f",
    .details =
        "Compares the texts of active memories of the same kind, without case, punctuation and "
        "white space: at least 0.8 of the sequences of three characters that one of two has are "
        "in both (Jaccard index). Memories with different numbers, dates or names, or of which one "
        "denies what the "
        "other says, are no duplicates: `stemma conflicts` has them. A group is independent if its "
        "memories have no source in common; else they may be echoes of one. With REF: only the "
        "groups of these, each of those most like it. Nothing is written.\n\nThe exit status is 1 "
        "if there are "
        "none. --json: {group: [ref], similarity, independent}, oldest first.",
    .options = all_options,
    .max_words = -1,
    .read = ask,
};

const struct command cmd_conflicts = {
    .name = "conflicts",
    .words = "[REF…]",
    .about = "find memories that contradict each other, recorded or as candidates",
    .examples = "stemma conflicts\n"
                "stemma conflicts belief:54c5507f",
    .details =
        "Recorded: a relation `contradicts` between active memories. Candidate: stemma found that "
        "two of the "
        "same kind are about the same subject (0.7 of the sequences of three characters are in "
        "both) and differ in one number, date or name, in one pair of opposites (enabled, "
        "disabled), or in a negation; the words are English, numbers and dates in digits are of "
        "any "
        "language. The newer one comes first. A wording that more than 16 values fill is no "
        "subject, and raw entries are not compared.\n\nWhich of the two is current is yours to "
        "say: `stemma replace` keeps the old one readable, and settles the conflict. Nothing is "
        "written here.\n\nThe exit status is 1 if there are none. --json: {pair: [ref, ref], "
        "recorded, reason}.",
    .options = all_options,
    .max_words = -1,
    .read = ask,
};
