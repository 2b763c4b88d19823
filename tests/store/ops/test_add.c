/*
 * Adding memories: every kind, provenance, refs that are short, missing or ambiguous, hostile text.
 */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/ops/add.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/record/put.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static struct store *s;
static struct arena arena;
static char *path;

#define UUID_A "aaaaaaaa-0000-4000-8000-000000000001"
#define UUID_B "aaaaaaaa-0000-4000-8000-000000000002"
#define UUID_C "cccccccc-0000-4000-8000-000000000003"

static int setup(void **state)
{
    path = scratch_path("added.db");
    s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"raw:" UUID_A "\",\"text\":\"a\"}");
    scratch_put(s, "{\"ref\":\"raw:" UUID_B "\",\"text\":\"b\"}");
    scratch_put(s, "{\"ref\":\"episode:" UUID_C "\",\"text\":\"c\"}");
    scratch_put(s, "{\"ref\":\"note:abcdef\",\"text\":\"no UUID\"}");
    scratch_put(
        s, "{\"ref\":\"note:cccccccc-0000-4000-8000-000000000003-and-more\",\"text\":\"longer\"}");
    return 0;
}

static int teardown(void **state)
{
    arena_release(&arena);
    store_close(s);
    free(path);
    return 0;
}

static struct added add(const struct add_request *request)
{
    struct error e = {0};
    struct added added;
    if (store_add(s, &scratch_actor, request, strlen(request->text), &arena, &added, &e))
        fail_msg("%s %s", e.what, e.hint);
    return added;
}

static struct error refuse(const struct add_request *request, size_t len)
{
    struct error e = {0};
    struct added added;
    assert_int_equal(store_add(s, &scratch_actor, request, len, &arena, &added, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    return e;
}

static struct memory read_back(int64_t node)
{
    struct error e = {0};
    struct memory m;
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    if (memory_read(r, &arena, node, &m, &e))
        fail_msg("%s", e.what);
    reader_close(r);
    return m;
}

/* ---- kinds and fields ---- */

GROUP(setup, teardown);

TEST(the_source_type_is_inferred_unless_given)
{
    static const char *const cases[][3] = {
        {"she said so", NULL, "told_by_agent"},
        {"I INFERRED it", NULL, "inference"},
        {"consolidation of May", NULL, "consolidation"},
        {"seed file", NULL, "seed"},
        {"she said so", "processing", "processing"},
        {NULL, "external", "external"},
        {"", "", "direct_experience"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct added added = add(&(struct add_request){.kind = KIND_NOTE,
                                                       .text = "t",
                                                       .confidence = NAN,
                                                       .source = cases[i][0],
                                                       .source_type = cases[i][1]});
        assert_string_equal(read_back(added.node).source_type, cases[i][2]);
    }
    refuse(
        &(struct add_request){
            .kind = KIND_NOTE, .text = "t", .confidence = NAN, .source_type = "gossip"},
        1);
}

/* ---- refs ---- */

static struct added rest_on(const char **from, size_t count, enum reading reading)
{
    return add(&(struct add_request){.kind = KIND_BELIEF,
                                     .text = "t",
                                     .confidence = NAN,
                                     .derived_from = from,
                                     .derived_count = count,
                                     .derivation = reading});
}

static void check_rests_on(struct added added, size_t position, enum kind kind, const char *id)
{
    struct memory m = read_back(added.node);
    assert_int_equal(m.justification_count, 1);
    assert_int_equal(m.justifications[0].role, ROLE_DERIVED_FROM);
    assert_true(m.justifications[0].count > position);
    assert_int_equal(m.justifications[0].antecedents[position].ref.kind, kind);
    assert_string_equal(m.justifications[0].antecedents[position].ref.id, id);
}

TEST(unresolved_refs_are_kept_as_given)
{
    static const char *const given[] = {
        "raw:aaaaaaa",  /* 7 characters are too few */
        "note:abcde",   /* no UUID, so only an exact match counts */
        "raw:dddddddd", /* a prefix of no id */
        "note:cccccccc-0000-4000-8000-000000000003-and", /* longer than the id */
    };
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        struct added added = rest_on((const char *[]){given[i]}, 1, READING_ANY);
        assert_int_equal(added.unresolved_count, 1);
        assert_string_equal(added.unresolved[0], given[i]);
        check_rests_on(added, 0, given[i][0] == 'r' ? KIND_RAW : KIND_NOTE,
                       strchr(given[i], ':') + 1);
        assert_int_equal(read_back(added.node).justifications[0].antecedents[0].status,
                         STATUS_MISSING);
    }
}

TEST(each_evidence_is_a_justification)
{
    const char *relates[] = {UUID_C, "episode:" UUID_C, "raw:" UUID_A, "not-yet", "context:x"};
    struct added added = add(&(struct add_request){.kind = KIND_BELIEF,
                                                   .text = "t",
                                                   .confidence = NAN,
                                                   .derived_from = (const char *[]){"raw:" UUID_B},
                                                   .derived_count = 1,
                                                   .relates_to = relates,
                                                   .relates_count = 5});
    struct memory m = read_back(added.node);
    assert_int_equal(m.justification_count, 4);
    assert_int_equal(m.justifications[0].role, ROLE_DERIVED_FROM);
    for (int i = 1; i < 4; i++) {
        assert_int_equal(m.justifications[i].role, ROLE_EVIDENCE);
        assert_int_equal(m.justifications[i].count, 1);
    }
    assert_string_equal(m.justifications[1].antecedents[0].ref.id, UUID_C);
    assert_int_equal(m.justifications[1].antecedents[0].ref.kind, KIND_EPISODE);
    assert_string_equal(m.justifications[3].antecedents[0].ref.id, "not-yet");
    assert_int_equal(m.justifications[3].antecedents[0].ref.kind, KIND_EPISODE);
    assert_int_equal(added.unresolved_count, 1);
    assert_string_equal(added.unresolved[0], "episode:not-yet");
    assert_int_equal(m.annotation_count, 1);
}

TEST(a_stub_is_filled_and_keeps_its_row)
{
    struct added added = rest_on((const char *[]){"document:later"}, 1, READING_ANY);
    struct memory m = read_back(added.node);
    int64_t stub = m.justifications[0].antecedents[0].node;
    m = read_back(stub);
    assert_int_equal(m.status, STATUS_MISSING);
    assert_string_equal(m.ref.id, "later");
    assert_int_equal(m.version, 1);
    assert_int_equal(scratch_put(s, "{\"ref\":\"document:later\",\"text\":\"came\"}"), stub);
    m = read_back(added.node);
    assert_int_equal(m.justifications[0].antecedents[0].node, stub);
    assert_int_equal(m.justifications[0].antecedents[0].status, STATUS_ACTIVE);
    struct error e;
    assert_int_equal(scratch_try(s, "{\"ref\":\"document:later\",\"text\":\"again\"}", &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    /* Only an exact id resolves; a prefix stays unresolved. */
    added = rest_on((const char *[]){"document:late"}, 1, READING_ANY);
    assert_int_equal(added.unresolved_count, 1);
}

/* ---- hostile text ---- */

TEST(text_is_kept_as_it_is_or_repaired_with_its_bytes)
{
    struct error e = {0};
    struct added added;
    struct memory m;
    static const char good[] =
        "\x1b[31mred\x07 \xc2\x85 \xe2\x80\xae back \xf0\x9f\x8e\x89 '\"\\ %s\n\t\x7f";
    m = read_back(
        add(&(struct add_request){.kind = KIND_RAW, .text = good, .confidence = NAN}).node);
    assert_string_equal(m.text, good);
    assert_null(m.detail);

    static const char bad[] = "a\0b\xff\xed\xa0\x80";
    struct add_request request = {
        .kind = KIND_RAW, .text = bad, .confidence = NAN, .detail = "{\"source\":\"x\"}"};
    assert_int_equal(store_add(s, &scratch_actor, &request, sizeof(bad) - 1, &arena, &added, &e),
                     0);
    m = read_back(added.node);
    assert_string_equal(m.text, "a\xef\xbf\xbd"
                                "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_string_equal(m.detail, "{\"source\":\"x\",\"original\":\"YQBi/+2ggA==\"}");

    size_t len = 1 << 20;
    AUTO_FREE char *large = malloc(len + 1);
    memset(large, 'x', len);
    large[len] = '\0';
    m = read_back(
        add(&(struct add_request){.kind = KIND_RAW, .text = large, .confidence = NAN}).node);
    assert_string_equal(m.text, large);
}

/* ---- fsck ---- */

TEST(the_store_passes_fsck)
{
    expect_sound_store(s);
}

static struct memory bad_memory; /* one of its fields is invalid */

static int put_bad(struct txn *t, void *arg, struct error *e)
{
    return txn_put(t, &scratch_actor, "add", NULL, &bad_memory, NULL, e);
}

/* The lower layers refuse invalid memories too, no matter who calls them. */
TEST(lower_layers_refuse_invalid_memories)
{
    struct error e;
    struct antecedent twice[] = {{.ref = {KIND_RAW, "a"}}, {.ref = {KIND_RAW, "a"}}};
    struct justification just = {.antecedents = twice, .count = 2};
    struct relation relation = {.type = ROLE_EVIDENCE, .to = {KIND_RAW, "a"}};
    struct flag flag = {.name = ""};
    const char *broken[] = {"ok", "\xff"};
    struct memory good = {.ref = {KIND_NOTE, "good"},
                          .agent_id = "a",
                          .text = "t",
                          .source_type = "seed",
                          .version = 1};
#define WRONG(field, value)                                                                        \
    do {                                                                                           \
        bad_memory = good;                                                                         \
        bad_memory.field = value;                                                                  \
        assert_int_equal(store_run(s, put_bad, NULL, &e), -1);                                     \
        if (e.code != ERROR_INVALID)                                                               \
            fail_msg("%s: %s", #field, e.what);                                                    \
    } while (0)
    WRONG(ref.id, "");
    WRONG(ref.id, NULL);
    WRONG(ref.kind, KIND_COUNT);
    WRONG(text, NULL);
    WRONG(text, "\xc3");
    WRONG(agent_id, "");
    WRONG(source_type, NULL);
    WRONG(source, "\xf8");
    WRONG(confidence, NAN);
    WRONG(confidence, 2);
    WRONG(status, STATUS_MISSING);
    WRONG(version, 0);
    WRONG(detail, "{ }");
    WRONG(detail, "nonsense");
    good.tags = broken;
    WRONG(tag_count, 2);
    good.justifications = &just;
    WRONG(justification_count, 1);
    good.relations = &relation;
    WRONG(relation_count, 1);
    good.flags = &flag;
    WRONG(flag_count, 1);
    bad_memory = good;
    assert_int_equal(store_run(s, put_bad, NULL, &e), 0);
}
