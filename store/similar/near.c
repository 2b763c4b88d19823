/* What is similar to one memory: candidates by the search index, then an exact comparison. */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "store/similar/similar_internal.h"

/*
 * Similar texts have most words in common, and long words are rare. So a candidate has both words of one of three pairs,
 * made of the six longest words: a text that lacks a word of each pair is not similar enough, if not always.
 */
#define PAIRS         3
#define WORD_TRIGRAMS 4   /* that stand for a word in the index */
#define NEAR_MOST     500 /* candidates that are compared, the newest */

struct long_word {
    const char *at;
    size_t len, count; /* in bytes; in code points */
};

/* Inserts a word among the longest, each once. */
static void keep_longest(struct long_word longest[2 * PAIRS], struct long_word word)
{
    for (size_t i = 0; i < 2 * PAIRS; i++)
        if (longest[i].len == word.len && memcmp(longest[i].at, word.at, word.len) == 0)
            return;
    for (size_t i = 0; i < 2 * PAIRS; i++)
        if (longest[i].count < word.count) {
            struct long_word shorter = longest[i];
            longest[i] = word;
            word = shorter;
        }
}

/* A word of the subject consists of word characters, which need no quoting. */
static void add_trigrams(struct strbuf *match, const struct long_word *word, bool first)
{
    const char *at = word->at;
    size_t step = (word->count - 3) / (WORD_TRIGRAMS - 1);
    step = step ? step : 1;
    for (size_t i = 0, done = 0; i < WORD_TRIGRAMS && done + 3 <= word->count; i++, done += step) {
        strbuf_addf(match, "%s\"%.*s\"", first ? "" : " AND ", (int)utf8_prefix(at, 3), at);
        at += utf8_prefix(at, step);
        first = false;
    }
}

/* The expression for the index; empty if the subject has no word of three letters. */
static void make_match(struct strbuf *match, const struct statement *s)
{
    struct long_word longest[2 * PAIRS] = {{NULL, 0, 0}};
    for (size_t i = 0; i < s->words; i++) {
        const char *at = s->subject.buf + s->word[i].at;
        struct long_word word = {at, s->word[i].len, utf8_count_in(at, s->word[i].len)};
        if (word.count >= 3)
            keep_longest(longest, word);
    }
    for (size_t i = 0; i < 2 * PAIRS && longest[i].count; i += 2) {
        strbuf_addstr(match, i ? " OR (" : "(");
        add_trigrams(match, &longest[i], true);
        if (longest[i + 1].count)
            add_trigrams(match, &longest[i + 1], false);
        strbuf_addch(match, ')');
    }
}

static int find_candidates(struct finder *f, const struct statement *s, struct row_index *out)
{
    AUTO_STRBUF match = STRBUF_INIT;
    make_match(&match, s);
    if (!match.len)
        return 0;
    struct query rows = db_query(
        reader_db(f->r), f->e,
        "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid < ? ORDER BY rowid DESC",
        "si", match.buf, INT64_MAX);
    while (db_next(&rows) && !f->out->cut) {
        row_index_add(out, sqlite3_column_int64(rows.stmt, 0));
        /* A reader of the past also gets all memories that changed since. */
        f->out->cut = out->count >= NEAR_MOST && reader_past(f->r) < 0;
    }
    return db_end(&rows);
}

/* The row and those that repeat it become a set. */
struct near_group {
    int64_t *row;
    size_t count, alloc;
    double similarity;
};

static int compare_row(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return COMPARE(x, y);
}

static int compare_with(struct finder *f, const struct seen *one, struct statement *own,
                        int64_t row, struct statement *other, struct near_group *group)
{
    struct seen m;
    double similarity;
    enum difference how;
    struct span a_at, b_at;
    if (row == one->row)
        return 0;
    if (read_seen(f, row, &m))
        return -1;
    if (!m.compared || m.kind != one->kind)
        return 0;
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
    struct row_index candidates = ROW_INDEX_INIT;
    struct statement other = STATEMENT_INIT;
    int result = find_candidates(f, own, &candidates);
    for (size_t i = 0; i < candidates.count && result == 0; i++)
        result =
            reader_check(f->r, f->e) || compare_with(f, one, own, candidates.row[i], &other, group)
                ? -1
                : 0;
    row_index_release(&candidates);
    statement_release(&other);
    return result;
}

int find_near(struct finder *f, int64_t row)
{
    struct statement own = STATEMENT_INIT;
    struct seen one;
    struct near_group group = {.similarity = 1};
    AUTO_ARENA kept = ARENA_INIT;
    if (read_seen(f, row, &one))
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
    qsort(group.row, group.count, sizeof(*group.row), compare_row);
    for (size_t i = 0; i < f->out->count; i++) /* two of the rows repeat each other */
        if (f->out->set[i].count == group.count &&
            memcmp(f->out->set[i].row, group.row, group.count * sizeof(*group.row)) == 0)
            return 0;
    *ARENA_ADD(f->arena, f->out->set, f->out->count, f->out->alloc) =
        (struct similar_set){group.row, group.count, group.similarity, false, NULL};
    return 0;
}
