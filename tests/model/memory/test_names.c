/* Refs, names of codes, and inferring a source type. */
#include "model/memory/memory.h"
#include "model/base/strbuf.h"
#include "tests/support/test.h"

TEST(a_ref_is_a_kind_and_an_id)
{
    static const struct {
        const char *text;
        enum ref_class class;
        enum kind kind;
        const char *id;
    } cases[] = {
        {"belief:54c5", REF_MEMORY, KIND_BELIEF, "54c5"},
        {"raw:a:b:c", REF_MEMORY, KIND_RAW, "a:b:c"},
        {"value: ", REF_MEMORY, KIND_VALUE, " "},
        {"document:sha256-ab/c d", REF_MEMORY, KIND_DOCUMENT, "sha256-ab/c d"},
        {"entry:\xe6\xbc\xa2", REF_MEMORY, KIND_ENTRY, "\xe6\xbc\xa2"},
        {"context:told by Claire: at 12:30", REF_ANNOTATION, 0, NULL},
        {"kernle:seed-beliefs", REF_ANNOTATION, 0, NULL},
        {"consolidation:2026-02-01", REF_ANNOTATION, 0, NULL},
        {"Belief:1", REF_ANNOTATION, 0, NULL},
        {"beliefs:1", REF_ANNOTATION, 0, NULL},
        {" belief:1", REF_ANNOTATION, 0, NULL},
        {"context:", REF_ANNOTATION, 0, NULL},
        {"54c5e111", REF_BARE, 0, NULL},
        {"belief", REF_BARE, 0, NULL},
        {"", REF_BAD, 0, NULL},
        {":", REF_BAD, 0, NULL},
        {":x", REF_BAD, 0, NULL},
        {"belief:", REF_BAD, 0, NULL},
        {"belief:\xff", REF_BAD, 0, NULL},
        {"\xff", REF_BAD, 0, NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct ref ref;
        assert_int_equal(ref_parse(cases[i].text, &ref), cases[i].class);
        if (cases[i].class != REF_MEMORY)
            continue;
        assert_int_equal(ref.kind, cases[i].kind);
        assert_string_equal(ref.id, cases[i].id);
        assert_ptr_equal(ref.id, strchr(cases[i].text, ':') + 1);
        AUTO_STRBUF sb = STRBUF_INIT;
        ref_add(&sb, ref);
        assert_string_equal(sb.buf, cases[i].text);
    }
}

TEST(the_length_of_an_id_is_limited)
{
    struct ref ref;
    char text[REF_ID_MAX + 16];
    memset(text, 'x', sizeof(text));
    memcpy(text, "note:", 5);
    text[5 + REF_ID_MAX] = '\0';
    assert_int_equal(ref_parse(text, &ref), REF_MEMORY);
    assert_int_equal(ref_parse(text + 5, &ref), REF_BARE);
    text[5 + REF_ID_MAX] = 'x';
    text[6 + REF_ID_MAX] = '\0';
    assert_int_equal(ref_parse(text, &ref), REF_BAD);
    assert_int_equal(ref_parse(text + 5, &ref), REF_BAD);
    text[0] = 'N'; /* annotations have no limit */
    assert_int_equal(ref_parse(text, &ref), REF_ANNOTATION);
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

/* Like their texts, as an export promises. */
TEST(refs_are_ordered_by_bytes)
{
    static const char *const ids[] = {"", "a", "ab", "b", "\xc3\xa9", "~", "!"};
    for (int a = 0; a < KIND_COUNT * 7; a++)
        for (int b = 0; b < KIND_COUNT * 7; b++) {
            struct ref x = {(enum kind)(a / 7), ids[a % 7]}, y = {(enum kind)(b / 7), ids[b % 7]};
            AUTO_STRBUF s = STRBUF_INIT, t = STRBUF_INIT;
            ref_add(&s, x);
            ref_add(&t, y);
            assert_int_equal(sign(ref_compare(x, y)), sign(strcmp(s.buf, t.buf)));
            assert_int_equal(ref_equal(x, y), a == b);
        }
}

TEST(prefixes_of_uuids_are_recognized)
{
    const char *uuid = "deadBEEF-0000-4000-8000-00000000000a";
    char text[64];
    for (size_t len = 0; len <= 36; len++) {
        snprintf(text, sizeof(text), "%.*s", (int)len, uuid);
        assert_int_equal(ref_is_uuid_prefix(text, 8), len >= 8);
    }
    static const char *const no[] = {"deadBEEF-0000-4000-8000-00000000000a0",
                                     "deadbeef0",
                                     "deadbee-",
                                     "deadbeeg",
                                     "doc_1234",
                                     "deadbeef-0000-4000-8000x",
                                     "-eadbeef"};
    for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
        assert_false(ref_is_uuid_prefix(no[i], 4));
    assert_true(ref_is_uuid_prefix("", 0));
}

TEST(names_survive_a_round_trip)
{
    for (int s = 0; s < STATUS_COUNT; s++)
        assert_int_equal(status_from_name(status_name((enum status)s)), s);
    for (int r = 0; r < RELATION_END; r++)
        if (r < ROLE_SUPPORT_COUNT || r >= RELATION_SUPERSEDES)
            assert_int_equal(role_from_name(role_name((enum role)r)), r);
    for (int r = 0; r < 2; r++)
        assert_int_equal(reading_from_name(reading_name((enum reading)r)), r);
    for (int r = 0; r < 4; r++)
        assert_int_equal(recorded_from_name(recorded_name((enum recorded)r)), r);
    for (int s = 0; s < 5; s++)
        assert_int_equal(score_from_name(score_name((enum score)s)), s);
    for (int t = 0; t < SOURCE_TYPE_COUNT; t++)
        assert_int_equal(source_type_from_name(source_type_name((enum source_type)t)), t);
    assert_int_equal(status_from_name("Active"), -1);
    assert_int_equal(role_from_name(""), -1);
    assert_int_equal(reading_from_name("some"), -1);
    assert_int_equal(recorded_from_name("guessed"), -1);
    assert_int_equal(score_from_name("x"), -1);
    assert_int_equal(source_type_from_name("direct"), -1);
    assert_string_equal(role_name(RELATION_PROCESSED_INTO), "processed_into");
    assert_string_equal(recorded_name(RECORDED_AUTO_LINKED), "auto-linked");
    assert_string_equal(recorded_words(RECORDED_AUTO_LINKED), "auto-linked");
    assert_string_equal(recorded_name(RECORDED_HEURISTIC), "heuristic");
    assert_string_equal(recorded_words(RECORDED_HEURISTIC), "guessed");
    assert_string_equal(source_type_label("told_by_human"), "told by human");
    assert_string_equal(source_type_label("dreamt"), "dreamt");
}

TEST(a_source_type_is_inferred)
{
    static const struct {
        const char *source, *entity;
        enum source_type type;
    } cases[] = {
        {NULL, NULL, SOURCE_DIRECT_EXPERIENCE},
        {"", NULL, SOURCE_DIRECT_EXPERIENCE},
        {"told by Claire", NULL, SOURCE_TOLD_BY_AGENT},
        {"told by Claire", "agent:claire", SOURCE_TOLD_BY_AGENT},
        {"told by Claire", "human:claire", SOURCE_TOLD_BY_HUMAN},
        {"She SAID so", "human:", SOURCE_TOLD_BY_HUMAN},
        {"She said so", "Human:x", SOURCE_TOLD_BY_AGENT},
        {"overheard", NULL, SOURCE_TOLD_BY_AGENT},
        {"Inferred from logs", NULL, SOURCE_INFERENCE},
        {"inferred from what she said", NULL, SOURCE_TOLD_BY_AGENT},
        {"a deduction", NULL, SOURCE_DIRECT_EXPERIENCE},
        {"deduced", NULL, SOURCE_INFERENCE},
        {"Concluded", "human:x", SOURCE_INFERENCE},
        {"consolidation", NULL, SOURCE_CONSOLIDATION},
        {"consolidating seeds", NULL, SOURCE_CONSOLIDATION},
        {"seed-initialization", NULL, SOURCE_SEED},
        {"raw-processing", "human:x", SOURCE_DIRECT_EXPERIENCE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(source_type_infer(cases[i].source, cases[i].entity), cases[i].type);
}

TEST(a_new_memory_has_the_defaults_of_its_kind)
{
    struct memory m;
    memset(&m, 0xff, sizeof(m));
    memory_init(&m, (struct ref){KIND_VALUE, "v"});
    assert_true(m.confidence == 0.9);
    assert_int_equal(m.status, STATUS_ACTIVE);
    assert_int_equal(m.version, 1);
    assert_null(m.text);
    assert_int_equal(m.justification_count, 0);
    static const double expected[KIND_COUNT] = {1,  .8, .8, .8, .9, .8, .8, .8,
                                                .8, 1,  1,  .8, .8, .8, 1};
    for (int k = 0; k < KIND_COUNT; k++) {
        memory_init(&m, (struct ref){(enum kind)k, "x"});
        assert_true(m.confidence == expected[k]);
    }
}
