/* The questions duplicates and conflicts: which memories say the same, and which contradict each other. */
#include "store/similar/similar.h"

#include "store/questions/questions.h"
#include "store/questions/support.h"
#include <string.h>
#include "model/base/strbuf.h"
#include "model/graph/fold.h"
#include "model/graph/roots.h"
#include "store/guard/guard.h"
#include "store/lineage/orphans.h"
#include "store/query/ref.h"

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
static int add_sources(struct report *p, struct reader *r, const int64_t pair[2], struct cell *c,
                       struct error *e)
{
    AUTO(nogoods) found = {0};
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
        if (sets.set[i].recorded && add_sources(p, r, sets.set[i].row, &c[3], e))
            return -1;
    }
    return 0;
}

const struct question question_duplicates = {
    .name = "duplicates", .of = ABOUT_ALL, .parts = duplicates_parts, .answer = answer_duplicates};
const struct question question_conflicts = {
    .name = "conflicts", .of = ABOUT_ALL, .parts = conflicts_parts, .answer = answer_conflicts};

/* ---- duplicates and conflicts ---- */

enum {
    RESOLVE_CHOICE,
    RESOLVE_REASONS,
    RESOLVE_WAYS,
    RESOLVE_IMPOSSIBLE
};
static const struct report_column choice_columns[] = {
    {"command", "preferred", REPORT_TEXT},
    {"keep", NULL, REPORT_REF},
    {"replace", NULL, REPORT_REF},
    {0},
};
static const struct report_column reason_columns[] = {{NULL, "", REPORT_WORD}, {0}};
static const struct report_column way_columns[] = {
    {"ref", "memory", REPORT_REF},
    {"way", "way", REPORT_WORD},
    {"by", NULL, REPORT_REF},
    {"loses", "lose support", REPORT_COUNT},
    {"lost", NULL, REPORT_REFS},
    {"command", NULL, REPORT_TEXT},
    {0},
};
static const struct report_column source_columns[] = {{NULL, "source", REPORT_REF}, {0}};
static const struct report_part parts[] = {
    [RESOLVE_CHOICE] = {.shape = PART_MEMBERS, .columns = choice_columns},
    [RESOLVE_REASONS] = {.key = "reasons",
                         .title = "because",
                         .shape = PART_LIST,
                         .columns = reason_columns},
    [RESOLVE_WAYS] = {.key = "ways",
                      .title = "ways out",
                      .shape = PART_LIST,
                      .columns = way_columns},
    [RESOLVE_IMPOSSIBLE] = {.key = "impossible",
                            .title = "sources that cannot all be right",
                            .shape = PART_GROUPS,
                            .columns = source_columns,
                            .group_name = "set",
                            .none = "no sources support both"},
    {0},
};

/* One of the two. */
struct side {
    int64_t row;
    const char *name; /* its short ref, as a word of a command line */
    int64_t created_at;
    bool approved; /* by a person */
    uint32_t independent;
};

const char *shell_word(struct arena *arena, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/@%+=-";
    struct strbuf out = STRBUF_INIT;
    if (strspn(text, plain) == strlen(text))
        return text;
    strbuf_addch(&out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            strbuf_addstr(&out, "'\\''");
        else
            strbuf_addch(&out, *text);
    strbuf_addch(&out, '\'');
    return arena_take(arena, &out);
}

static int count_independent(struct reader *r, struct side *s, struct error *e)
{
    AUTO(support) of = {0};
    AUTO(independence) found = {0};
    if (support_load(&of, r, s->row, e))
        return -1;
    independence_compute(&found, of.graph, of.labels, of.node);
    /* What stands by itself is its own root. */
    s->independent = fold_is_leaf(of.graph, of.labels, of.node) ? 1 : found.independent;
    return 0;
}

static int read_side(struct report *p, struct reader *r, int64_t row, struct side *out,
                     struct error *e)
{
    struct memory m;
    if (memory_read(r, p->arena, row, &m, e))
        return -1;
    const char *name = ref_short(r, p->arena, m.ref);
    if (m.status != STATUS_ACTIVE)
        return error_set(e, ERROR_INVALID, "Name two memories that are active.",
                         "%.100s is %s: there is nothing to resolve", name, status_word(m.status));
    *out =
        (struct side){.row = row, .name = shell_word(p->arena, name), .created_at = m.created_at};
    for (size_t i = 0; i < m.flag_count; i++)
        out->approved |= strcmp(m.flags[i].name, "approved") == 0 && !m.flags[i].by_agent;
    return count_independent(r, out, e);
}

/* The memory that the first conflict of this one is with. */
static int find_other(struct report *p, struct reader *r, int64_t row, int64_t *other,
                      struct error *e)
{
    struct similar_sets sets = {0};
    if (similar_find(r, p->arena, SIMILAR_CONFLICTS, &row, 1, &sets, e))
        return -1;
    for (size_t i = 0; i < sets.count; i++)
        for (size_t k = 0; k < sets.set[i].count; k++)
            if ((*other = sets.set[i].row[k]) != row)
                return 0;
    return error_set(e, ERROR_INVALID, "Name the other memory as well.",
                     "nothing is known to contradict this memory");
}

/* The memories of the question: two rows, or one and the ref of the other or nothing. */
static int read_pair(struct report *p, struct reader *r, const struct asked *asked,
                     struct side side[2], struct error *e)
{
    int64_t other = asked->count > 1 ? asked->row[1] : 0;
    if (!other && asked->text && *asked->text)
        other = ref_resolve(r, asked->text, e);
    else if (!other && find_other(p, r, asked->row[0], &other, e))
        return -1;
    if (other < 0)
        return -1;
    if (other == asked->row[0])
        return error_set(e, ERROR_INVALID, "Name two different memories.",
                         "a memory does not contradict itself");
    return read_side(p, r, asked->row[0], &side[0], e) || read_side(p, r, other, &side[1], e) ? -1
                                                                                              : 0;
}

static bool is_newer(const struct side *a, const struct side *b)
{
    return a->created_at != b->created_at ? a->created_at > b->created_at : a->row > b->row;
}

/* Is the first preferred? What a person approved, then what has more independent roots, then what is newer. */
static bool is_preferred(const struct side *a, const struct side *b)
{
    if (a->approved != b->approved)
        return a->approved;
    return a->independent != b->independent ? a->independent > b->independent : is_newer(a, b);
}

static void add_reasons(struct report *p, const struct side *keep, const struct side *other)
{
    if (keep->approved && !other->approved)
        cell_text(report_add(p, RESOLVE_REASONS, 0), "a person approved it");
    if (keep->independent != other->independent)
        cell_text(
            report_add(p, RESOLVE_REASONS, 0),
            arena_format(p->arena, "%sindependent derivations: %u against %u",
                         keep->independent < other->independent ? "although it has fewer " : "",
                         keep->independent, other->independent));
    cell_text(report_add(p, RESOLVE_REASONS, 0),
              is_newer(keep, other) ? "it is newer" : "although the other one is newer");
}

static int add_end(struct report *p, struct reader *r, const struct side *end, struct error *e)
{
    AUTO(retraction) q = {0};
    if (retraction_load(&q, r, &end->row, 1, e))
        return -1;
    size_t count = q.outcome.unsupported_count;
    int64_t *lost = arena_array(p->arena, count + 1, sizeof(*lost));
    for (size_t i = 0; i < count; i++)
        lost[i] = graph_row(&q.graph, q.outcome.unsupported[i]);
    struct cell *c = report_add(p, RESOLVE_WAYS, 0);
    cell_int(&c[0], end->row);
    cell_text(&c[1], "retract");
    cell_int(&c[3], (int64_t)count);
    cell_refs(&c[4], lost, count);
    cell_text(&c[5], arena_format(p->arena, "stemma retract %s", end->name));
    return 0;
}

static const char *replaces(struct report *p, const struct side *old, const struct side *by)
{
    return arena_format(p->arena, "stemma resolve %s %s --keep %s --yes", by->name, old->name,
                        by->name);
}

static void add_replace(struct report *p, const struct side *old, const struct side *by)
{
    struct cell *c = report_add(p, RESOLVE_WAYS, 0);
    cell_int(&c[0], old->row);
    cell_text(&c[1], "replace");
    cell_int(&c[2], by->row);
    cell_int(&c[3], 0); /* what is replaced still supports: it was right at its time */
    cell_refs(&c[4], NULL, 0);
    cell_text(&c[5], replaces(p, old, by));
}

static int add_impossible(struct report *p, struct reader *r, const struct side side[2],
                          struct error *e)
{
    AUTO(nogoods) found = {0};
    if (support_nogoods(&found, r, side[0].row, side[1].row, e))
        return -1;
    for (uint32_t set = 0; set < found.count; set++)
        for (size_t i = found.first[set]; i < found.first[set + 1]; i++)
            cell_int(report_add(p, RESOLVE_IMPOSSIBLE, set), found.member[i]);
    if (!found.all)
        p->note = "There may be other sets of sources that cannot all be right.";
    return 0;
}

static int answer_resolve(struct report *p, struct reader *r, const struct asked *asked,
                          struct error *e)
{
    struct side side[2];
    if (read_pair(p, r, asked, side, e))
        return -1;
    const struct side *keep = is_preferred(&side[0], &side[1]) ? &side[0] : &side[1];
    const struct side *other = keep == &side[0] ? &side[1] : &side[0];
    struct cell *c = report_add(p, RESOLVE_CHOICE, 0);
    cell_text(&c[0], replaces(p, other, keep));
    cell_int(&c[1], keep->row);
    cell_int(&c[2], other->row);
    add_reasons(p, keep, other);
    add_replace(p, other, keep);
    add_replace(p, keep, other);
    return add_end(p, r, other, e) || add_end(p, r, keep, e) || add_impossible(p, r, side, e) ? -1
                                                                                              : 0;
}

const struct question question_resolve = {
    .name = "resolve", .of = ABOUT_PAIR, .parts = parts, .answer = answer_resolve};
