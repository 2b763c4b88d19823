/* Quarantine on random lineages: it ends what a retraction would leave without support, and nothing
 * else; it brings back what that had replaced; undo and release restore every label and every
 * memory. */
#include "tests/support/scratch.h"

#include "model/format/memory_json.h"
#include "store/lineage/subgraph.h"
#include "tests/support/findings.h"
#include "tests/support/operated.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define MEMORIES 24
#define ROUNDS   12

static const struct actor ann = {ACTOR_PERSON, "ann", NULL, "command", NULL, 0, NULL};
static const struct actor ash = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0, NULL};
static struct random dice;
static int replaced_by[MEMORIES]; /* -1 for none */

/* A later belief may replace one. */
static void choose_replacements(void)
{
    for (int i = 0; i < MEMORIES; i++) {
        int by = i + 1 + (int)random_below(&dice, MEMORIES);
        replaced_by[i] = by < MEMORIES && random_chance(&dice, 50) ? by : -1;
    }
}

/* A third of them are sources. */
static void put_one(int i)
{
    AUTO_STRBUF line = STRBUF_INIT, replaces = STRBUF_INIT;
    for (int old = 0; old < i; old++)
        if (replaced_by[old] == i)
            strbuf_addf(&replaces, "%s{\"type\":\"supersedes\",\"to\":\"belief:m%d\"}",
                        replaces.len ? "," : "", old);
    strbuf_addf(&line,
                "{\"ref\":\"belief:m%d\",\"text\":\"t\",\"agent_id\":\"ash\",\"created_at\":1000,"
                "\"status\":\"%s\",\"relations\":[%s]",
                i, replaced_by[i] < 0 ? "active" : "superseded", replaces.buf ? replaces.buf : "");
    if (i > 0 && random_chance(&dice, 70)) {
        strbuf_addf(&line, ",\"derivation\":\"%s\",\"derived_from\":[",
                    random_chance(&dice, 30) ? "all" : "any");
        for (int n = (int)random_below(&dice, 3); n >= 0; n--)
            strbuf_addf(&line, "\"belief:m%u\"%s", random_below(&dice, (uint32_t)i), n ? "," : "]");
    }
    strbuf_addstr(&line, "}");
    operated_put(line.buf);
}

/* Status and label of each memory, and what it says but for its version and time: every change counts these. */
struct seen {
    struct row_label label[MEMORIES];
    enum status status[MEMORIES];
    char *form[MEMORIES];
};

static void see(struct seen *s)
{
    struct error e;
    int64_t rows[MEMORIES];
    memset(s, 0, sizeof(*s));
    for (int i = 0; i < MEMORIES; i++) {
        struct memory m = operated_read(arena_format(&operated.arena, "belief:m%d", i));
        AUTO_STRBUF form = STRBUF_INIT;
        rows[i] = m.node;
        s->status[i] = m.status;
        m.version = 1;
        m.updated_at = 0;
        m.form = NULL;
        memory_json_write(&form, &m, NULL);
        s->form[i] = arena_strndup(&operated.arena, form.buf, form.len);
    }
    if (labels_of_rows(operated.reader, rows, MEMORIES, s->label, &e))
        fail_msg("%s", e.what);
}

static void expect_same(const struct seen *a, const struct seen *b)
{
    for (int i = 0; i < MEMORIES; i++) {
        assert_int_equal(a->status[i], b->status[i]);
        assert_int_equal(a->label[i].label, b->label[i].label);
        assert_int_equal(a->label[i].valid, b->label[i].valid);
        assert_string_equal(a->form[i], b->form[i]);
    }
}

/* Whether a retraction of `about` alone would take all support of that memory away. */
static bool falls_with(const struct plan *retraction, int64_t row)
{
    for (size_t i = 0; i < retraction->unsupported_count; i++)
        if (retraction->unsupported[i].node == row)
            return true;
    return false;
}

static void expect_quarantined(const struct seen *before, const struct plan *retraction, int x)
{
    struct seen after;
    see(&after);
    for (int i = 0; i < MEMORIES; i++) {
        int64_t row = operated_row(arena_format(&operated.arena, "belief:m%d", i));
        int by = replaced_by[i];
        bool ends = i == x || falls_with(retraction, row);
        bool returns = before->status[i] == STATUS_SUPERSEDED && by >= 0 &&
                       after.status[by] == STATUS_QUARANTINED;
        assert_int_equal(after.status[i], ends      ? STATUS_QUARANTINED
                                          : returns ? STATUS_ACTIVE
                                                    : before->status[i]);
        if (!ends)
            assert_int_equal(label_stands(before->label[i].label),
                             label_stands(after.label[i].label));
    }
}

static void one_round(void)
{
    struct error e;
    struct seen before, after;
    struct plan retraction;
    int x = (int)random_below(&dice, MEMORIES);
    const char *refs[] = {arena_format(&operated.arena, "belief:m%d", x), NULL};
    struct request q = operated_about(refs), none = REQUEST_INIT;
    see(&before);
    assert_int_equal(operation_preview(operated.reader, &ann, OPERATION_RETRACT, &q,
                                       &operated.arena, &retraction, &e),
                     0);
    operated_must(&ann, OPERATION_QUARANTINE, &q);
    expect_quarantined(&before, &retraction, x);
    operated_must(&ann, OPERATION_UNDO, &none);
    see(&after);
    expect_same(&before, &after);
    operated_must(&ann, OPERATION_REDO, &none);
    expect_quarantined(&before, &retraction, x);
    operated_must(&ann, OPERATION_RELEASE, &q);
    see(&after);
    expect_same(&before, &after);
}

TEST(undo_and_release_restore_every_label)
{
    for (int round = 0; round < RANDOM_ROUNDS(ROUNDS); round++) {
        dice.state = (uint64_t)round + 1;
        operated_open("quarantined.db");
        choose_replacements();
        for (int i = 0; i < MEMORIES; i++)
            put_one(i);
        for (int times = 0; times < 4; times++)
            one_round();
        expect_sound(operated.reader);
        operated_close(NULL);
    }
}

TEST(only_a_person_quarantines)
{
    struct error e;
    operated_open("persons.db");
    operated_put("{\"ref\":\"belief:b\",\"text\":\"t\",\"agent_id\":\"ash\"}");
    struct request q = ABOUT("belief:b");
    assert_int_equal(operated_try(&ash, OPERATION_QUARANTINE, &q, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    operated_must(&ann, OPERATION_QUARANTINE, &q);
    assert_int_equal(operated_try(&ash, OPERATION_RELEASE, &q, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_int_equal(operated_try(&ash, OPERATION_RESTORE, &q, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_int_equal(operated_read("belief:b").status, STATUS_QUARANTINED);
    operated_close(state);
}
