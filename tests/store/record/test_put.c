/*
 * Putting and reading are inverse. Random memories that are overwritten again and again read back
 * as they were put, search does not find their former text, and fsck finds nothing.
 */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/txn/txn.h"
#include "store/open.h"
#include "store/search/search.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

#define MEMORIES 25
#define EDITS    12

/* A fixed generator, so that a failure can be repeated (Knuth's MMIX constants). */
static uint64_t seed = 1;
static unsigned below(unsigned limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % limit;
}

static void add_texts(struct strbuf *line, const char *key, unsigned most)
{
    unsigned count = below(most + 1);
    for (unsigned i = 0; i < count; i++)
        strbuf_addf(line, "%s\"%s\\u202e%u\"", i ? "," : key, i % 2 ? "\xc3\xa9" : "'", below(9));
    if (count)
        strbuf_addch(line, ']');
}

static void add_antecedent(struct strbuf *line, unsigned number)
{
    static const char *const refs[] = {"raw", "episode", "document", "note"};
    strbuf_addf(line, "%s{\"ref\":\"%s:%u\"", number ? "," : "", refs[below(4)], number);
    if (below(3) == 0)
        strbuf_addf(line, ",\"relevance\":0.%u,\"score\":\"measured\"", below(9) + 1);
    if (below(3) == 0)
        strbuf_addf(line, ",\"excerpt\":\"e%u\",\"chunk\":%u,\"page\":0", below(9), below(4));
    if (below(4) == 0)
        strbuf_addf(line,
                    ",\"section\":\"\",\"version_hash\":\"v\",\"label\":\"doc_%u\",\"title\":\"\"",
                    below(3));
    strbuf_addch(line, '}');
}

static void add_justifications(struct strbuf *line)
{
    static const char *const roles[] = {"derived_from", "evidence", "reinforcement",
                                        "source",       "step",     "citation"};
    static const char *const ways[] = {"recorded", "auto-linked", "migrated", "heuristic"};
    unsigned count = below(5);
    for (unsigned i = 0; i < count; i++) {
        strbuf_addf(line, "%s{\"role\":\"%s\",\"reading\":\"%s\",\"recorded\":\"%s\",\"at\":%u%s,",
                    i ? "," : ",\"justifications\":[", roles[below(6)], below(2) ? "any" : "all",
                    ways[below(4)], below(3), below(2) ? ",\"reason\":\"r\"" : "");
        strbuf_addstr(line, "\"antecedents\":[");
        unsigned members = below(4);
        for (unsigned k = 0; k < members; k++)
            add_antecedent(line, k);
        strbuf_addstr(line, "]}");
    }
    if (count)
        strbuf_addch(line, ']');
}

static void add_lists(struct strbuf *line)
{
    unsigned count = below(4);
    for (unsigned i = 0; i < count; i++)
        strbuf_addf(line, "%s{\"at\":%u,\"old\":0.%u,\"new\":0.%u%s}", i ? "," : ",\"history\":[",
                    below(3), below(10), below(10), below(2) ? ",\"reason\":\"h\"" : "");
    strbuf_addstr(line, count ? "]" : "");
    count = below(3);
    for (unsigned i = 0; i < count; i++)
        strbuf_addf(line, "%s{\"type\":\"contradicts\",\"to\":\"belief:%u\",\"at\":%u}",
                    i ? "," : ",\"relations\":[", below(4), below(3));
    strbuf_addstr(line, count ? "]" : "");
    count = below(3);
    for (unsigned i = 0; i < count; i++)
        strbuf_addf(line, "%s{\"mark\":\"m%u\",\"at\":%u%s}", i ? "," : ",\"marks\":[", below(3),
                    below(3), below(2) ? ",\"value\":\"5\"" : "");
    strbuf_addstr(line, count ? "]" : "");
}

/* A word that only that version of that memory has. */
static void word_of(char *out, size_t size, unsigned memory, unsigned version)
{
    snprintf(out, size, "w%uv%uend", memory, version);
}

static char *random_line(unsigned memory, unsigned version)
{
    struct strbuf line = STRBUF_INIT;
    char word[32];
    word_of(word, sizeof(word), memory, version);
    static const char *const statuses[] = {"active", "superseded", "retracted", "forgotten"};
    strbuf_addf(&line,
                "{\"ref\":\"belief:%u\",\"agent_id\":\"a%u\",\"text\":\"%s\\n\\u0007\","
                "\"created_at\":%u,\"updated_at\":%u,\"confidence\":0.%u,\"source_type\":\"s%u\","
                "\"status\":\"%s\",\"version\":%u",
                memory, below(3), word, below(5), below(5), below(10), below(3), statuses[below(4)],
                version);
    strbuf_addstr(&line, below(2) ? ",\"source\":\"\"" : "");
    strbuf_addstr(&line, below(2) ? ",\"context\":\"c\"" : "");
    strbuf_addstr(&line, below(2) ? ",\"protected\":true" : "");
    strbuf_addstr(&line, below(2) ? ",\"detail\":{\"belief_type\":\"fact\",\"n\":[1.50]}" : "");
    add_texts(&line, ",\"tags\":[", 3);
    add_texts(&line, ",\"annotations\":[\"x:y\",", 2);
    add_justifications(&line);
    add_lists(&line);
    strbuf_addch(&line, '}');
    return strbuf_detach(&line, NULL);
}

static int count_match(void *arg, int64_t node, bool exact)
{
    (void)node, (void)exact;
    ++*(int *)arg;
    return 0;
}

static int matches(struct reader *r, unsigned memory, unsigned version)
{
    struct error e;
    char word[32];
    int count = 0;
    word_of(word, sizeof(word), memory, version);
    struct search_query query = {.words = word, .statuses = STATUSES_ALL};
    assert_int_equal(search_run(r, &query, count_match, &count, &e), 0);
    return count;
}

TEST(put_and_read_round_trip)
{
    struct error e;
    AUTO_FREE char *path = scratch_path("put.db");
    struct store *s = scratch_store(path), *other = NULL;
    for (unsigned version = 1; version <= EDITS; version++)
        for (unsigned i = 0; i < MEMORIES; i++) {
            AUTO_FREE char *line = random_line(i, version);
            int64_t node = version == 1 ? scratch_put(s, line) : scratch_replace(s, line, "again");
            AUTO_FREE char *back = scratch_line(s, node);
            /* In an empty store the memory reads the same: earlier content has no effect. */
            char *fresh_path = i == version ? scratch_path("fresh.db") : NULL;
            if (fresh_path) {
                other = scratch_store(fresh_path);
                AUTO_FREE char *fresh = scratch_line(other, scratch_put(other, line));
                assert_string_equal(fresh, back);
                store_close(other);
                free(fresh_path);
            }
        }
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    expect_sound(r);
    for (unsigned i = 0; i < MEMORIES; i++)
        for (unsigned version = 1; version <= EDITS; version++)
            assert_int_equal(matches(r, i, version), version == EDITS);
    reader_close(r);
    store_close(s);
}

/* A line that was put reads back byte for byte. */
TEST(lines_round_trip)
{
    AUTO_FREE char *path = scratch_path("first.db"), *again_path = scratch_path("again.db");
    struct store *s = scratch_store(path), *again = scratch_store(again_path);
    for (unsigned i = 0; i < 100; i++) {
        AUTO_FREE char *line = random_line(i, 1);
        AUTO_FREE char *first = scratch_line(s, scratch_put(s, line));
        AUTO_FREE char *second = scratch_line(again, scratch_put(again, first));
        assert_string_equal(first, second);
    }
    store_close(s);
    store_close(again);
}

/* ---- the cache of rows ---- */

TEST(the_cache_finds_or_returns_none)
{
    struct intern t = INTERN_INIT;
    char key[32];
    assert_true(intern_find(&t, 0, "x") == INTERN_NONE);
    bool forgot = false;
    for (int64_t i = 0; i < 5000; i++) {
        snprintf(key, sizeof(key), "key-%d", (int)i);
        forgot |= intern_add(&t, (unsigned)i % 3, key, i) != 0;
    }
    assert_false(forgot);
    for (int64_t i = 0; i < 5000; i++) {
        snprintf(key, sizeof(key), "key-%d", (int)i);
        assert_true(intern_find(&t, (unsigned)i % 3, key) == i);
        assert_true(intern_find(&t, (unsigned)(i + 1) % 3, key) == INTERN_NONE);
    }
    intern_clear(&t);
    assert_true(intern_find(&t, 0, "key-0") == INTERN_NONE);
    intern_release(&t);
}
