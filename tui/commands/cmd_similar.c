/* stemma duplicates and conflicts: memories that repeat each other, and memories that contradict each other. */
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/query/list.h"
#include "store/similar/similar.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/commands/commands.h"
#include "tui/render/oneline.h"
#include "tui/text/text.h"

struct finding {
    struct invocation *i;
    struct reader *reader;
    enum similar_question question;
    struct progress progress;
    struct similar_sets sets;
    struct arena arena; /* of one set */
};

static void tell_progress(void *arg, int64_t done, int64_t total)
{
    struct finding *f = arg;
    progress_tick(&f->progress, done, total);
}

static int find(struct finding *f, const int64_t *rows, size_t count, struct error *e)
{
    progress_begin(&f->progress, "comparing");
    reader_on_progress(f->reader, tell_progress, f);
    int result = similar_find(f->reader, &f->i->arena, f->question, rows, count, &f->sets, e);
    reader_on_progress(f->reader, NULL, NULL);
    progress_end(&f->progress);
    return result || stop_check("comparison", e) ? -1 : 0;
}

static int put_json(struct finding *f, const struct similar_set *set, bool independent,
                    struct error *e)
{
    bool pairs = f->question == SIMILAR_CONFLICTS;
    struct json_object o = json_begin(&f->i->out.text, '{');
    struct json_object list = json_open(&o, pairs ? "pair" : "group", '[');
    for (size_t n = 0; n < set->count; n++) {
        struct memory_row row;
        arena_clear(&f->arena);
        if (memory_row_read(f->reader, &f->arena, set->row[n], &row, e))
            return -1;
        json_item(&list);
        memory_json_add_ref(list.out, row.ref);
    }
    json_end(&list);
    if (pairs) {
        json_pair_bool(&o, "recorded", set->recorded);
        json_pair(&o, "reason", set->reason);
    } else {
        json_pair_double(&o, "similarity", set->similarity);
        json_pair_bool(&o, "independent", independent);
    }
    json_end_line(&o);
    return 0;
}

/* "3 memories, similarity 0.93, echoes of one source", then a line for each. */
static int put_text(struct finding *f, const struct similar_set *set, bool independent,
                    struct error *e)
{
    struct output *out = &f->i->out;
    AUTO_STRBUF head = STRBUF_INIT;
    if (f->question == SIMILAR_DUPLICATES)
        strbuf_addf(&head, "%zu memories, similarity %.2f, %s", set->count, set->similarity,
                    independent ? "independent" : "from a common source");
    else
        strbuf_addf(&head, "%s%s%s", set->recorded ? "recorded" : "candidate",
                    set->reason ? ", " : "", set->reason ? set->reason : "");
    strbuf_addstr(&out->text, set == f->sets.set ? "" : "\n");
    output_text(out, STYLE_STRONG, head.buf);
    strbuf_addch(&out->text, '\n');
    struct row_label *labels = arena_array(&f->arena, set->count, sizeof(*labels));
    if (labels_of_rows(f->reader, set->row, set->count, labels, e))
        return -1;
    for (size_t n = 0; n < set->count; n++) {
        struct oneline line;
        if (oneline_read(f->reader, &f->arena, set->row[n], labels[n].label, &line, e))
            return -1;
        strbuf_addstr(&out->text, "  ");
        oneline_print(out, &line, NULL, 2, NULL);
        if (output_row(out, e))
            return -1;
    }
    return 0;
}

static int put_sets(struct finding *f, struct error *e)
{
    for (size_t n = 0; n < f->sets.count && !f->i->out.closed && !stop_wanted(); n++) {
        const struct similar_set *set = &f->sets.set[n];
        bool independent = false;
        arena_clear(&f->arena);
        if (f->question == SIMILAR_DUPLICATES &&
            similar_independent(f->reader, set, &independent, e))
            return -1;
        if ((f->i->out.json ? put_json : put_text)(f, set, independent, e) ||
            output_row(&f->i->out, e))
            return -1;
    }
    return stop_check("comparison", e);
}

static int read_sets(struct invocation *i, struct reader *r, enum similar_question question,
                     struct error *e)
{
    struct finding f = {.i = i, .reader = r, .question = question, .arena = ARENA_INIT};
    int64_t *rows = arena_array(&i->arena, i->word_count + 1, sizeof(*rows));
    int result = 0;
    for (size_t n = 0; n < i->word_count && result == 0; n++)
        result = (rows[n] = opening_resolve(r, i->words[n], e)) < 0 ? -1 : 0;
    if (result == 0)
        result = find(&f, rows, i->word_count, e) || put_sets(&f, e) ? -1 : 0;
    arena_release(&f.arena);
    if (result)
        return -1;
    const char *left = similar_left_out(&i->arena, &f.sets);
    if (left)
        output_note("%s", left);
    if (f.sets.count == 0)
        output_note(question == SIMILAR_DUPLICATES ? "nothing repeats another memory"
                                                   : "nothing contradicts another memory");
    return f.sets.count == 0;
}

static int read_duplicates(struct invocation *i, struct reader *r, struct error *e)
{
    return read_sets(i, r, SIMILAR_DUPLICATES, e);
}

static int read_conflicts(struct invocation *i, struct reader *r, struct error *e)
{
    return read_sets(i, r, SIMILAR_CONFLICTS, e);
}

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
    .options = as_of_options,
    .max_words = -1,
    .read = read_duplicates,
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
    .options = as_of_options,
    .max_words = -1,
    .read = read_conflicts,
};
