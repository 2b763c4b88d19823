/* The questions duplicates and conflicts: which memories say the same, and which contradict each other. */
#include "store/similar/similar.h"

#include "store/questions/questions.h"
#include "store/questions/support.h"

static const struct report_column group_columns[] = {
    {"group", "memories", REPORT_REFS},
    {"similarity", "similarity", REPORT_NUMBER},
    {"independent", "independent|from a common source", REPORT_YES},
    {0},
};
static const struct report_part duplicates_parts[] = {
    {.shape = PART_LINES,
     .title = "duplicates",
     .columns = group_columns,
     .none = "no two memories say the same"},
    {0},
};
static const struct report_column pair_columns[] = {
    {"pair", "newer, older", REPORT_REFS},
    {"recorded", "recorded|candidate", REPORT_YES},
    {"reason", "because", REPORT_TEXT},
    {"impossible", NULL, REPORT_REFS}, /* the smallest set of sources that cannot all be right */
    {0},
};
static const struct report_part conflicts_parts[] = {
    {.shape = PART_LINES,
     .title = "conflicts, and candidates",
     .columns = pair_columns,
     .none = "no two memories contradict each other"},
    {0},
};

static int find_sets(struct report *p, struct reader *r, const struct asked *asked,
                     enum similar_question question, struct similar_sets *out, struct error *e)
{
    if (similar_find(r, p->arena, question, asked->row, asked->count, out, e))
        return -1;
    p->note = similar_left_out(p->arena, out);
    if (asked->limit && out->count > asked->limit) {
        p->more = out->count - asked->limit;
        out->count = asked->limit;
    }
    return 0;
}

static int answer_duplicates(struct report *p, struct reader *r, const struct asked *asked,
                             struct error *e)
{
    struct similar_sets sets = {0};
    if (find_sets(p, r, asked, SIMILAR_DUPLICATES, &sets, e))
        return -1;
    for (size_t i = 0; i < sets.count; i++) {
        enum similar_origins origins;
        if (similar_independent(r, &sets.set[i], &origins, e))
            return -1;
        struct cell *c = report_add(p, 0, 0);
        cell_refs(&c[0], sets.set[i].row, sets.set[i].count);
        cell_number(&c[1], sets.set[i].similarity);
        if (origins != ORIGINS_UNKNOWN)
            cell_int(&c[2], origins == ORIGINS_INDEPENDENT);
    }
    return 0;
}

/* Of two memories that are no sources themselves: that these cannot both be right is told already. */
static int add_impossible(struct report *p, struct reader *r, const int64_t pair[2], struct cell *c,
                          struct error *e)
{
    struct nogoods found;
    bool told = true;
    if (support_nogoods(&found, r, pair[0], pair[1], e))
        return -1;
    size_t count = found.count ? found.first[1] : 0;
    int64_t *rows = arena_array(p->arena, count + 1, sizeof(*rows));
    for (size_t i = 0; i < count; i++) {
        rows[i] = found.member[i];
        told &= rows[i] == pair[0] || rows[i] == pair[1];
    }
    if (!told)
        cell_refs(c, rows, count);
    nogoods_release(&found);
    return 0;
}

static int answer_conflicts(struct report *p, struct reader *r, const struct asked *asked,
                            struct error *e)
{
    struct similar_sets sets = {0};
    if (find_sets(p, r, asked, SIMILAR_CONFLICTS, &sets, e))
        return -1;
    for (size_t i = 0; i < sets.count; i++) {
        struct cell *c = report_add(p, 0, 0);
        cell_refs(&c[0], sets.set[i].row, sets.set[i].count);
        cell_int(&c[1], sets.set[i].recorded);
        cell_text(&c[2], sets.set[i].reason);
        if (sets.set[i].recorded && add_impossible(p, r, sets.set[i].row, &c[3], e))
            return -1;
    }
    return 0;
}

const struct question question_duplicates = {
    .name = "duplicates", .of = ABOUT_ALL, .parts = duplicates_parts, .answer = answer_duplicates};
const struct question question_conflicts = {
    .name = "conflicts", .of = ABOUT_ALL, .parts = conflicts_parts, .answer = answer_conflicts};
