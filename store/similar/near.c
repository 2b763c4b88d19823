/* What is similar to one memory: candidates by the kept texts or the search index, then an exact comparison. */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "store/similar/similar_internal.h"

/*
 * A similar text has most of our words, so a candidate has two of three: of the longest the three rarest. How rare one
 * is tells the distance of the first memories with the trigram in its middle. The index has trigrams: of a word it is
 * asked for the first, the middle and the last.
 */
#define WORDS     5   /* the longest, of which three are chosen */
#define SAMPLE    8   /* memories that tell how rare a trigram is */
#define NEAR_MOST 500 /* candidates that are compared, the newest */
#define NEAR_READ                                                                                  \
    5000 /* candidates that are read, most of which may be of another kind or length */
#define LENGTH_RATIO 2 /* a text of more or less bytes than this is no candidate */

struct rare {
    const char *word;
    size_t len, count; /* in bytes; in code points */
    int64_t
        gap; /* the row of the memory number SAMPLE that has it; 0 if none has: "it's" is "its" here */
};

static int by_gap(const void *a, const void *b)
{
    const struct rare *x = a, *y = b;
    int order = COMPARE(y->gap, x->gap);
    return order ? order : COMPARE(x->word, y->word);
}

/* Inserts a word among the longest, each once. */
static void keep_longest(struct rare longest[WORDS], const char *word, size_t len)
{
    struct rare one = {.word = word, .len = len, .count = utf8_count_in(word, len)};
    if (one.count < 3)
        return;
    for (size_t i = 0; i < WORDS; i++)
        if (longest[i].len == len && memcmp(longest[i].word, word, len) == 0)
            return;
    for (size_t i = 0; i < WORDS; i++)
        if (longest[i].count < one.count) {
            struct rare shorter = longest[i];
            longest[i] = one;
            one = shorter;
        }
}

/* Word characters need no quoting. */
static void add_trigram(struct strbuf *match, const struct rare *one, size_t place)
{
    const char *at = one->word + utf8_prefix(one->word, place);
    strbuf_addf(match, "\"%.*s\"", (int)utf8_prefix(at, 3), at);
}

static void add_word(struct strbuf *match, const struct rare *one)
{
    strbuf_addch(match, '(');
    add_trigram(match, one, 0);
    strbuf_addstr(match, " AND ");
    add_trigram(match, one, (one->count - 3) / 2);
    strbuf_addstr(match, " AND ");
    add_trigram(match, one, one->count - 3);
    strbuf_addch(match, ')');
}

static int find_gap(struct finder *f, struct rare *one)
{
    AUTO_STRBUF match = STRBUF_INIT;
    int seen = 0;
    add_trigram(&match, one, (one->count - 3) / 2);
    struct query rows =
        db_query(reader_db(f->r), f->e,
                 "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? LIMIT 8", "s", match.buf);
    for (one->gap = 0; db_next(&rows); seen++)
        one->gap = sqlite3_column_int64(rows.stmt, 0);
    if (seen > 0 && seen < SAMPLE)
        one->gap = INT64_MAX;
    return db_end(&rows);
}

/* The expression for the index; empty if the subject has no word of three letters. */
static int make_match(struct finder *f, struct strbuf *match, const struct statement *s)
{
    struct rare rare[WORDS] = {{.count = 0}};
    size_t count = 0;
    for (size_t i = 0; i < s->words; i++)
        keep_longest(rare, s->subject.buf + s->word[i].at, s->word[i].len);
    while (count < WORDS && rare[count].count)
        if (find_gap(f, &rare[count++]))
            return -1;
    SORT(rare, count, by_gap);
    while (count && rare[count - 1].gap == 0)
        count--;
    bool two = count >= 3; /* of three; with fewer words any of them */
    for (size_t i = 0; i < count && i < 3; i++) {
        strbuf_addstr(match, i ? " OR (" : "(");
        add_word(match, &rare[i]);
        if (two) {
            strbuf_addstr(match, " AND ");
            add_word(match, &rare[(i + 1) % 3]);
        }
        strbuf_addch(match, ')');
    }
    return 0;
}

/* Returns false if no texts are kept. The newest first. */
static bool find_kept(struct finder *f, enum kind kind, const struct statement *s,
                      struct row_index *out)
{
    struct text_list list = {0};
    if (!texts_take(f))
        return false;
    texts_near(&f->texts, (int)kind, s, f->question == SIMILAR_CONFLICTS, &list);
    while (list.count)
        row_index_add(out, f->texts.text[list.text[--list.count]].row);
    f->out->cut |= list.cut;
    texts_give(f);
    free(list.text);
    return true;
}

static int find_candidates(struct finder *f, const struct statement *s, struct row_index *out)
{
    AUTO_STRBUF match = STRBUF_INIT;
    if (make_match(f, &match, s))
        return -1;
    if (!match.len)
        return 0;
    struct query rows = db_query(
        reader_db(f->r), f->e,
        "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid < ? ORDER BY rowid DESC",
        "si", match.buf, INT64_MAX);
    while (db_next(&rows) && !f->out->cut) {
        row_index_add(out, sqlite3_column_int64(rows.stmt, 0));
        /* A reader of the past also gets all memories that changed since. */
        f->out->cut = out->count >= NEAR_READ && reader_past(f->r) < 0;
    }
    return db_end(&rows);
}

/* The row and those that repeat it become a set. */
struct near_group {
    int64_t *row;
    size_t count, alloc;
    size_t compared; /* texts */
    double similarity;
};

static int compare_with(struct finder *f, const struct seen *one, struct statement *own,
                        int64_t row, struct statement *other, struct near_group *group)
{
    struct seen m;
    double similarity;
    enum difference how;
    struct span a_at, b_at;
    if (row == one->row)
        return 0;
    if (read_seen(f, row, KIND_BIT(one->kind), &m))
        return -1;
    size_t len = strlen(m.text), own_len = strlen(one->text);
    if (!m.compared || len > LENGTH_RATIO * own_len || own_len > LENGTH_RATIO * len)
        return 0;
    group->compared++;
    statement_parse(other, m.text, strlen(m.text));
    if (f->question == SIMILAR_CONFLICTS) {
        if (statements_conflict(own, other, &similarity, &how, &a_at, &b_at))
            add_candidate(f, one, &m, similarity, how, a_at, b_at);
    } else if (statements_repeat(own, other, &similarity)) {
        *ARENA_ADD(f->arena, group->row, group->count, group->alloc) = row;
        group->similarity = similarity < group->similarity ? similarity : group->similarity;
    }
    return 0;
}

static int compare_all(struct finder *f, const struct seen *one, struct statement *own,
                       struct near_group *group)
{
    AUTO(row_index) candidates = ROW_INDEX_INIT;
    AUTO(statement) other = STATEMENT_INIT;
    int result =
        find_kept(f, one->kind, own, &candidates) ? 0 : find_candidates(f, own, &candidates);
    for (size_t i = 0; i < candidates.count && result == 0 && group->compared < NEAR_MOST; i++)
        result = failed_if(reader_check(f->r, f->e) ||
                           compare_with(f, one, own, candidates.row[i], &other, group));
    f->out->cut |= group->compared >= NEAR_MOST;
    return result;
}

int find_near(struct finder *f, int64_t row)
{
    struct statement own = STATEMENT_INIT;
    struct seen one;
    struct near_group group = {.similarity = 1};
    AUTO_ARENA kept = ARENA_INIT;
    if (read_seen(f, row, KINDS_ALL, &one))
        return -1;
    if (!one.compared)
        return 0;
    one.text = arena_strdup(&kept, one.text);
    statement_parse(&own, one.text, strlen(one.text));
    *ARENA_ADD(f->arena, group.row, group.count, group.alloc) = row;
    int result = compare_all(f, &one, &own, &group);
    statement_release(&own);
    if (result || group.count < 2)
        return result;
    SORT(group.row, group.count, row_compare);
    for (size_t i = 0; i < f->out->count; i++) /* two of the rows repeat each other */
        if (f->out->set[i].count == group.count &&
            memcmp(f->out->set[i].row, group.row, group.count * sizeof(*group.row)) == 0)
            return 0;
    *ARENA_ADD(f->arena, f->out->set, f->out->count, f->out->alloc) =
        (struct similar_set){group.row, group.count, group.similarity, false, NULL};
    return 0;
}
