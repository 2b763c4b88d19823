/*
 * stemma why, blame, roots, … : the questions of store/questions as commands. What differs between them is in the table
 * there.
 */
#include "store/query/list.h"
#include "store/questions/questions.h"

#include "tui/cli/opening.h"
#include "tui/text/times.h"
#include "tui/cli/operating.h"
#include "tui/cli/words.h"
#include "tui/commands/commands.h"
#include "tui/render/report_page.h"

static const struct option_spec all_options[] = {OPT_AS_OF, OPT_LIMIT("rows, at most"), OPTION_END};

/* No line, or no memory that says what was asked: the exit status is 1. */
static bool found_nothing(const struct report *p)
{
    const struct report_part *part = &p->question->parts[0];
    const struct report_rows *rows = &p->part[0];
    if (part->shape == PART_LINES)
        return rows->count == 0;
    return p->text && rows->count && part->columns[0].type == REPORT_REF &&
           !rows->row[0].cell[0].known;
}

static int print_json(struct invocation *i, struct reader *r, const struct question *q,
                      const struct asked *asked, struct error *e)
{
    struct report p;
    if (question_ask(&p, q, r, &i->arena, asked, e) ||
        report_json(&p, r, &(struct report_bounds){.agent = false}, &i->out.text, e))
        return -1;
    if (p.note)
        output_note("%s", p.note);
    return found_nothing(&p);
}

static int print_page(struct invocation *i, struct reader *r, const struct question *q,
                      const struct asked *asked, struct error *e)
{
    struct page page;
    struct report_facts *f = report_facts_read(r, q, asked, e);
    if (!f)
        return -1;
    bool none = found_nothing(&f->report);
    page_for_output(&page, &i->out);
    struct page_options options = page.options;
    report_page(&page, f, &options);
    output_page(&i->out, &page, 0);
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

/* About one memory, and about all or some. */
#define ASKS_ONE(name_, about_, examples_, details_)                                               \
    ASKS(name_, "REF", about_, examples_, details_, as_of_options)
#define ASKS_ALL(name_, about_, examples_, details_)                                               \
    ASKS(name_, "[REF…]", about_, examples_, details_, all_options)
#define ASKS(name_, words_, about_, examples_, details_, options_)                                 \
    const struct command cmd_##name_ = {                                                           \
        .name = #name_,                                                                            \
        .words = words_,                                                                           \
        .about = about_,                                                                           \
        .examples = examples_,                                                                     \
        .details = details_,                                                                       \
        .options = options_,                                                                       \
        .read = ask,                                                                               \
    }

ASKS_ONE(why, "show why a memory is believed: the strongest derivation first",
         "stemma why belief:c2992c46",
         "Each derivation goes from its roots to the memory: who recorded a step, when, as what it "
         "supports the next, and what it added to the confidence, where the history tells. There "
         "is one for each valid justification, the strongest first: the product of what its roots "
         "warrant (`stemma confidence`). Then what contradicts it.");
ASKS_ONE(blame, "show the smallest sets of sources that a memory hangs on",
         "stemma blame belief:c2992c46",
         "A set is listed if retracting all of it takes all support from the memory, and no part "
         "of it does: every set of up to three sources, and larger ones as far as the search goes. "
         "RESPONSIBILITY is 1 / the size of the smallest set that contains the source (Halpern and "
         "Pearl). SHARE is the Banzhaf index: in what part of all combinations of the other "
         "sources this one decides; beyond 20 sources it is sampled, with its error.");
ASKS_ONE(
    roots, "show the roots of a memory, and its independent derivations",
    "stemma roots belief:c2992c46",
    "A root stands by itself: a capture, a retrieval, a document, what a person said. Derivations "
    "are independent if they share no memory but this one, so that no single mistake takes two of "
    "them away. Ten notes from one web page are one derivation: `10 → 1` in lists.");
ASKS_ONE(
    confidence, "show what the sources of a memory warrant, as an interval",
    "stemma confidence belief:c2992c46",
    "Each root is right with its own confidence times the trust in its source, independently of "
    "the others; what is inferred is taken as sound. LOW multiplies within a justification, takes "
    "the best of those that share a root, and combines the groups: 1 - (1 - a) * (1 - b). HIGH "
    "takes the least within a justification and combines all. EXACT goes through all combinations "
    "of at most 20 roots. The sums can be given to a calculator (docs/confidence.md).");
ASKS_ALL(keystones, "list memories whose loss alone takes others' support away",
         "stemma keystones --limit 10",
         "A line for each memory without which others would lose all support, the most first: "
         "review these first. With REFs only these.");
ASKS_ONE(
    taint, "show what a source touched, and what is based on it alone",
    "stemma taint attribution:2f1c88d0",
    "ALONE is what would lose all support without it, TOUCHED all that comes from it at any depth. "
    "`stemma retract` takes the support away; flag the source as poisoned first to say why.");

/* Words that nobody quoted are one text. */
static int ask_text(struct invocation *i, struct reader *r, struct error *e)
{
    i->words[0] = joined_words(i, 0);
    i->word_count = 1;
    return ask(i, r, e);
}

const struct command cmd_why_not = {
    .name = "why-not",
    .words = "TEXT|REF",
    .max_words = -1,
    .about = "show why something is not believed",
    .examples = "stemma why-not retries are safe\n"
                "stemma why-not belief:e5e2487d",
    .details = "Finds the memories that say it, whatever became of them, or the memory that REF "
               "names, and says of the nearest what ended it, which source of it fell or is "
               "missing, and in which event (`stemma effects @N`).\n\nThe exit status is 1 if no "
               "memory says it. --json: {text, ref?, cause, event?, fallen: [ref], others}.",
    .options = as_of_options,
    .read = ask_text,
};

ASKS_ONE(forensics, "show which events changed the label of a memory, and how",
         "stemma forensics belief:c2992c46",
         "A line for each change of the label: the event that did it, on which memory, who and "
         "when. --json also has the path from there to the memory.");
ASKS_ALL(suspects, "rank sources, agents and sessions by what reviewers rejected",
         "stemma suspects --limit 10",
         "What a person retracted or flagged as poisoned counts as rejected, what a person "
         "approved as approved. SCORE is rejected / √(all rejected × (rejected + approved)): "
         "Ochiai's coefficient, as in the localisation of faults. With REFs only these sources.");
ASKS_ALL(duplicates, "find memories that say the same, in groups",
         "stemma duplicates\n"
         "stemma duplicates belief:54c5507f",
         "Compares the texts of active memories of the same kind, without case, punctuation and "
         "white space: at least 0.8 of the sequences of three characters that one of two has are "
         "in both (Jaccard index). Memories with different numbers, dates or names, or of which "
         "one denies what the other says, are no duplicates: `stemma conflicts` has them. A group "
         "is independent if its memories have no source in common; else they may be echoes of one. "
         "If nobody said where one comes from, neither is said. With REF: only the groups of "
         "these, each of those most like it. Nothing is written.\n\nThe exit status is 1 if there "
         "are none. --json: {group: [ref], similarity, independent?}, oldest first.");
ASKS_ALL(
    conflicts, "find memories that contradict each other, recorded or not",
    "stemma conflicts\n"
    "stemma conflicts belief:54c5507f",
    "Recorded: a relation `contradicts` between active memories. Candidate: stemma found that two "
    "of the same kind are about the same subject (0.7 of the sequences of three characters are in "
    "both) and differ in one number, date or name, in one pair of opposites (enabled, disabled), "
    "or in a negation; the words are English, numbers and dates in digits are of any language. The "
    "newer one comes first. A wording that more than 16 values fill is no subject, and raw entries "
    "are not compared.\n\nWhich of the two is current is yours to say: `stemma resolve` says what "
    "speaks for each, and replaces one by the other. Nothing is written here.\n\nThe exit status "
    "is 1 if there are none. --json: {pair: [ref, ref], recorded, reason}.");
ASKS_ALL(
    stale, "list what changed at its source, or nobody confirmed", "stemma stale --limit 10",
    "A memory is stale if a later use of the same passage of its document found another version; "
    "if its source no longer has it (`stemma import --follow`); if the content of a retrieval has "
    "another hash than was recorded; or if it was neither written, approved by a person nor "
    "reinforced by evidence that stands for the days that the configuration gives its kind "
    "(stale). The one without which most others would lose all support comes first.\n\nThe exit "
    "status is 1 if there are none. --json: {ref, reason, loses, dependants}.");
ASKS_ALL(replaced, "list what replaced what, the largest batches first",
         "stemma replaced --limit 10",
         "BATCH is how many memories the same operation replaced, UNRELATED how many origins these "
         "had: a batch that replaces many unrelated memories at once deserves a look. `stemma "
         "undo` takes a batch back. --json also has the ref of what was replaced.");

/* The words after the event are times; the answer takes the events that they stand for. */
static int ask_effects(struct invocation *i, struct reader *r, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addstr(&text, i->words[0]);
    for (size_t n = 1; n < i->word_count; n++) {
        struct point_in_time at;
        if (point_in_time_read(r, i->words[n], i->out.now, &at, e))
            return -1;
        strbuf_addf(&text, " @%lld", (long long)at.seq);
    }
    i->words[0] = arena_strdup(&i->arena, text.buf);
    i->word_count = 1;
    return ask(i, r, e);
}

const struct command cmd_effects = {
    .name = "effects",
    .words = "EVENT [T1 [T2]]",
    .about = "show whose label an event changed",
    .examples = "stemma effects @137\n"
                "stemma effects @137 \"last week\" now",
    .details = "Compares the labels before and after the event and its batch, of what it is about "
               "and of all that is based on that. With two times (T2 is now if left out): those of "
               "them whose label differs between the times. `stemma log` lists the events, `stemma "
               "forensics REF` those behind one label.",
    .options = as_of_options,
    .read = ask_effects,
};

/* ---- resolving ---- */

static const struct option_spec resolve_options[] = {
    OPT_TEXT("keep", "REF", "the one that stays; default: the preferred one"),
    OPTION_END,
};

/* Sets `words` to the two memories in the order of the operation: the one that is replaced, then the one that stays. */
static int name_pair(struct invocation *i, struct reader *r, const char *words[2], struct error *e)
{
    struct report p;
    struct memory_row m[2];
    int64_t rows[2] = {0}, keep = 0;
    for (size_t n = 0; n < i->word_count; n++)
        if ((rows[n] = opening_resolve(r, i->words[n], e)) < 0)
            return -1;
    struct asked asked = {.row = rows, .count = i->word_count};
    const char *kept = option_text(i, "keep");
    if (question_ask(&p, &question_resolve, r, &i->arena, &asked, e) ||
        (kept && (keep = opening_resolve(r, kept, e)) < 0))
        return -1;
    const struct cell *c = p.part[0].row[0].cell + 1; /* keep, replace */
    bool other = keep == c[1].is.integer;
    if (keep && !other && keep != c[0].is.integer)
        return error_set(e, ERROR_USAGE, "Name one of the two.",
                         "--keep names neither of the two memories");
    for (size_t n = 0; n < 2; n++) {
        if (memory_row_read(r, &i->arena, c[other ? n : 1 - n].is.integer, &m[n], e))
            return -1;
        words[n] = arena_format(&i->arena, "%s:%s", REF_ARGS(m[n].ref));
    }
    return 0;
}

static int run_resolve(struct invocation *i, struct error *e)
{
    struct opened o;
    const char *words[2];
    bool changes = option_given(i, "yes") || option_given(i, "dry-run");
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = changes ? name_pair(i, o.reader, words, e) : ask(i, o.reader, e);
    opening_close(&o);
    if (!changes || result)
        return result;
    const char **typed = i->words;
    size_t count = i->word_count;
    i->words = words;
    i->word_count = 2;
    result = operating_run(i, OPERATION_RESOLVE, e);
    i->words = typed;
    i->word_count = count;
    return result;
}

static int check_resolve(const struct invocation *i, struct error *e)
{
    return i->word_count <= 2
               ? 0
               : error_set(e, ERROR_USAGE, "Run it once for each pair.",
                           "resolve takes two memories, and %zu are given", i->word_count);
}

const struct command cmd_resolve = {
    .name = "resolve",
    .words = "REF [REF]",
    .about = "weigh two memories that contradict each other",
    .examples = "stemma resolve belief:c2992c46 belief:8fc21b98\n"
                "stemma resolve belief:c2992c46 --yes",
    .details =
        "Preferred is what a person approved, then what has more independent derivations, then "
        "what is newer. WAYS are replacing one by the other, which keeps both readable and takes "
        "no support away, and retracting one, with what would lose all support. With one REF the "
        "other is the first that contradicts it (`stemma conflicts`).\n\nNothing is changed "
        "without --yes, which replaces the other one by the preferred one, or by that of --keep. "
        "`stemma undo` takes it back.\n\n--json: {command, keep, replace, reasons, ways: [{ref, "
        "way, by, loses, lost, command}]}; with --yes or --dry-run: as that of `stemma replace`.",
    .options = resolve_options,
    .operates = true,
    .op = OPERATION_RESOLVE,
    .check = check_resolve,
    .run = run_resolve,
};
