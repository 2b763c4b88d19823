/* The history of one memory: its revisions, newest first, and the chain of its versions, found from any member. */
#include "tests/support/scratch.h"

#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "store/history/history.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "tests/support/operated.h"
#include "tests/support/test.h"

static const struct actor ann = {ACTOR_PERSON, "ann", NULL, "command", NULL, 0, NULL};

static int setup(void **state)
{
    operated_open("history.db");
    return 0;
}

/* ---- revisions ---- */

/* The texts are larger than the memory of one walk, so the walk restarts several times. */

/* ---- versions ---- */

struct lines {
    const char *const *line;
    size_t count;
};

static int put_lines(struct txn *t, void *arg, struct error *e)
{
    const struct lines *l = arg;
    for (size_t i = 0; i < l->count; i++) {
        AUTO_ARENA a = ARENA_INIT;
        struct memory m;
        int result = memory_json_read(&m, &a, l->line[i], strlen(l->line[i]), "ash", 7, NULL, e);
        if (result == 0)
            result = txn_put(t, &ann, "add", NULL, &m, NULL, e);
        if (result)
            return -1;
    }
    return 0;
}

static void put(const char *const *line, size_t count)
{
    struct error e;
    if (store_run(operated.store, put_lines, &(struct lines){line, count}, &e))
        fail_msg("%s", e.what);
}

static int64_t row(const char *ref)
{
    struct error e;
    int64_t node = ref_resolve(operated.reader, ref, &e);
    assert_true(node > 0);
    return node;
}

/* From each of the members. "a b c" is the chain. */
static void expect_versions(const char *expected)
{
    struct error e;
    char *words = strdup(expected), *rest = words, *word;
    while ((word = strsep(&rest, " "))) {
        char ref[32];
        int64_t *rows;
        size_t count;
        AUTO_STRBUF out = STRBUF_INIT;
        snprintf(ref, sizeof(ref), "belief:%s", word);
        assert_int_equal(
            history_versions(operated.reader, &operated.arena, row(ref), &rows, &count, &e), 0);
        for (size_t i = 0; i < count; i++) {
            struct memory_row m;
            assert_int_equal(memory_row_read(operated.reader, &operated.arena, rows[i], &m, &e), 0);
            strbuf_addf(&out, "%s%s", i ? " " : "", m.ref.id);
        }
        assert_string_equal(out.buf, expected);
    }
    free(words);
}

#define BELIEF(id, at, supersedes)                                                                 \
    "{\"ref\":\"belief:" id "\",\"text\":\"" id "\",\"created_at\":" at                            \
    ",\"supersedes\":[" supersedes "]}"

FIXTURE(setup, operated_close);

TEST(versions_are_the_same_from_each_member)
{
    static const char *const line[] = {
        BELIEF("bbbb", "5",
               "\"aaaa\""), /* created before the version that it replaces: a clock was wrong */
        BELIEF("aaaa", "9", ""),
        BELIEF("cccc", "8", "\"bbbb\""),
        BELIEF("dddd", "7", "\"bbbb\""), /* another replacement of the same version */
        BELIEF("eeee", "10", "\"cccc\",\"dddd\",\"gone\""),
        BELIEF("alone", "1", ""),
    };
    put(line, sizeof(line) / sizeof(*line));
    expect_versions("gone aaaa bbbb dddd cccc eeee");
    expect_versions("alone");
}

#define CHAIN 5000

TEST(a_long_chain_is_found_from_any_member)
{
    struct error e;
    char(*line)[128] = calloc(CHAIN, sizeof(*line));
    const char **lines = calloc(CHAIN, sizeof(*lines));
    int64_t *rows;
    size_t count;
    assert_true(line && lines);
    for (int i = 0; i < CHAIN; i++) {
        char before[32] = "";
        if (i)
            snprintf(before, sizeof(before), ",\"supersedes\":\"v%05d\"", i - 1);
        snprintf(line[i], sizeof(line[i]),
                 "{\"ref\":\"belief:v%05d\",\"text\":\"x\",\"created_at\":5%s}", i, before);
        lines[i] = line[i];
    }
    put(lines, CHAIN);
    static const int from[] = {0, 1, CHAIN / 2, CHAIN - 1};
    for (size_t k = 0; k < 4; k++) {
        char ref[32];
        snprintf(ref, sizeof(ref), "belief:v%05d", from[k]);
        assert_int_equal(
            history_versions(operated.reader, &operated.arena, row(ref), &rows, &count, &e), 0);
        assert_int_equal(count, CHAIN);
        for (size_t i = 1; i < count; i++)
            assert_true(rows[i] > rows[i - 1]);
    }
    free(line);
    free(lines);
}
