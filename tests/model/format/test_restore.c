/*
 * Taking a change back from a memory that may have been changed since, and the difference of two
 * states in words.
 */
#include <math.h>
#include "model/base/alloc.h"
#include "model/format/difference.h"
#include "model/format/memory_json.h"
#include "tests/support/random_memory.h"
#include "tests/support/test.h"

static struct arena arena;

static int teardown(void **state)
{
    arena_release(&arena);
    return 0;
}

static const char *line(const struct memory *m)
{
    AUTO_STRBUF out = STRBUF_INIT;
    memory_json_write(&out, m, NULL);
    return arena_strdup(&arena, out.buf);
}

/* Ignores version and updated_at. */
static const char *line_as(struct memory m, const struct memory *as)
{
    m.version = as->version;
    m.updated_at = as->updated_at;
    return line(&m);
}

static struct memory sample(void)
{
    struct memory m;
    memory_init(&m, (struct ref){KIND_BELIEF, "b"});
    m.agent_id = "ash";
    m.text = "t";
    m.source_type = "inference";
    m.created_at = m.updated_at = 7;
    m.confidence = 0.7;
    return m;
}

static void restore(struct memory *out, const struct memory *now, const struct memory *before,
                    const struct memory *after)
{
    struct error e;
    if (memory_json_restore(out, now, before, after, &arena, &e))
        fail_msg("%s", e.what);
}

static void expect_conflict(const struct memory *now, const struct memory *before,
                            const struct memory *after, const char *field)
{
    struct error e = {0};
    struct memory out;
    char words[128];
    assert_int_equal(memory_json_restore(&out, now, before, after, &arena, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    snprintf(words, sizeof(words), "belief:b: %s was changed again", field);
    assert_non_null(strstr(e.what, words));
}

/* ---- any states ---- */

GROUP(NULL, teardown);

TEST(unchanged_fields_become_as_before)
{
    struct random r = {41};
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct memory before, after, now, other, out;
        arena_clear(&arena);
        random_memory(&r, &arena, &before);
        random_memory(&r, &arena, &other);
        other.ref = before.ref;
        after = before;
        random_edit(&r, &arena, &after);
        now = after;
        now.version += 3;
        now.updated_at = 12;
        restore(&out, &now, &before, &after);
        assert_string_equal(line(&out), line_as(before, &now));
        restore(&out, &other, &before, &other);
        assert_string_equal(line(&out), line_as(before, &other));
        restore(&out, &before, &before, &after); /* as before already */
        assert_string_equal(line(&out), line(&before));
        restore(&out, &other, &before, &before); /* nothing to restore */
        assert_string_equal(line(&out), line(&other));
    }
}

/* With copies of lists, as they are read from a store, not shared arrays. */
TEST(any_three_states_give_a_memory_or_a_conflict)
{
    struct random r = {42};
    int conflicts = 0;
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct memory before, after, now, out, again;
        struct error e = {0};
        arena_clear(&arena);
        random_memory(&r, &arena, &before);
        after = before;
        random_edit(&r, &arena, &after);
        now = after;
        random_edit(&r, &arena, &now);
        if (memory_json_restore(&out, &now, &before, &after, &arena, &e)) {
            assert_int_equal(e.code, ERROR_CONFLICT);
            conflicts++;
            continue;
        }
        const char *text = line(&out);
        assert_int_equal(memory_json_read(&again, &arena, text, strlen(text), NULL, 0, NULL, &e),
                         0);
        assert_string_equal(line(&again), text);
        assert_int_equal(out.version, now.version);
    }
    assert_in_range(conflicts, 100, 2900);
}

/* ---- fields ---- */

TEST(a_field_is_restored_next_to_changed_ones)
{
    struct memory before = sample(), after = before, now, out;
    after.text = "new";
    after.status = STATUS_RETRACTED;
    after.source = "told";
    now = after;
    now.confidence = 0.9;
    now.context = "c";
    now.version = 3;
    restore(&out, &now, &before, &after);
    assert_string_equal(out.text, "t");
    assert_null(out.source);
    assert_int_equal(out.status, STATUS_ACTIVE);
    assert_true(out.confidence == 0.9);
    assert_string_equal(out.context, "c");
    assert_int_equal(out.version, 3);
    now.text = "t"; /* another change had the same result */
    restore(&out, &now, &before, &after);
    assert_string_equal(out.text, "t");
}

TEST(a_conflict_names_the_field)
{
    struct memory before = sample(), after, now;
    after = now = before;
    after.text = "new", now.text = "newer";
    expect_conflict(&now, &before, &after, "text");
    after = now = before;
    after.confidence = 0.8, now.confidence = 0.9;
    expect_conflict(&now, &before, &after, "confidence");
    after = now = before;
    after.status = STATUS_SUPERSEDED, now.status = STATUS_FORGOTTEN;
    expect_conflict(&now, &before, &after, "status");
    after = now = before;
    after.source = "a", now.source = "b";
    expect_conflict(&now, &before, &after, "source");
    after = now = before;
    after.created_at = 8, now.created_at = 9;
    expect_conflict(&now, &before, &after, "created_at");
    after = now = before;
    after.agent_id = "x", now.agent_id = "y";
    expect_conflict(&now, &before, &after, "agent_id");
    after = now = before;
    before.detail = "{\"x\":1,\"y\":1}", after.detail = "{\"x\":2,\"y\":1}";
    now.detail = "{\"x\":3,\"y\":1}";
    expect_conflict(&now, &before, &after, "detail.x");
    now.detail = "{\"y\":1}";
    expect_conflict(&now, &before, &after, "detail.x");
}

TEST(members_of_the_detail_are_fields)
{
    struct memory before = sample(), after = before, now = before, out;
    before.detail = "{\"a\":1,\"gone\":[1],\"same\":{}}";
    after.detail = "{\"a\":2,\"same\":{},\"new\":true}";
    now.detail = "{\"since\":\"x\",\"a\":2,\"new\":true,\"same\":null}";
    restore(&out, &now, &before, &after);
    assert_string_equal(out.detail, "{\"since\":\"x\",\"a\":1,\"same\":null,\"gone\":[1]}");
    before.detail = NULL;
    now.detail = "{\"same\":{},\"a\":2,\"new\":true}"; /* in another order */
    restore(&out, &now, &before, &after);
    assert_string_equal(out.detail, "{}");
}

/* ---- lists ---- */

static const char **some_of(struct random *r, const char *const *all, size_t count, size_t *kept)
{
    const char **out = arena_array(&arena, count, sizeof(*out));
    *kept = 0;
    for (size_t i = 0; i < count; i++)
        if (random_chance(r, 50))
            out[(*kept)++] = all[i];
    return out;
}

static bool has(const char *const *list, size_t count, const char *one)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], one) == 0)
            return true;
    return false;
}

/* As sets: what the change added is gone, what it removed is back, the rest is unchanged. */
TEST(tags_are_merged_one_by_one)
{
    static const char *const all[] = {"a", "b", "c", "d", "e", "f", "g"};
    struct random r = {43};
    for (int round = 0; round < RANDOM_ROUNDS(5000); round++) {
        struct memory b = sample(), a = b, n = b, out;
        arena_clear(&arena);
        b.tags = some_of(&r, all, 7, &b.tag_count);
        a.tags = some_of(&r, all, 7, &a.tag_count);
        n.tags = some_of(&r, all, 7, &n.tag_count);
        restore(&out, &n, &b, &a);
        for (size_t i = 0; i < 7; i++) {
            bool was = has(b.tags, b.tag_count, all[i]), left = has(a.tags, a.tag_count, all[i]);
            bool is = has(n.tags, n.tag_count, all[i]);
            assert_int_equal(has(out.tags, out.tag_count, all[i]), was == left ? is : was);
        }
        for (size_t i = 0; i < out.tag_count; i++)
            assert_false(has(out.tags, i, out.tags[i])); /* none twice */
    }
}

static struct flag flag_of(const char *flag, const char *value)
{
    return (struct flag){.name = flag, .at = 5, .actor = "ann", .value = value};
}

TEST(replaced_elements_conflict)
{
    struct memory before = sample(), after = before, now = before, out;
    struct flag was[] = {flag_of("rating", "1"), flag_of("reviewed", NULL)};
    struct flag left[] = {flag_of("rating", "2"), flag_of("reviewed", NULL)};
    struct flag is[] = {flag_of("reviewed", NULL), flag_of("rating", "3")};
    struct flag also[] = {flag_of("poisoned", NULL), left[0], left[1]};
    before.flags = was, before.flag_count = 2;
    after.flags = left, after.flag_count = 2;
    now.flags = is, now.flag_count = 2;
    expect_conflict(&now, &before, &after, "marks");
    now.flags = also, now.flag_count = 3;
    restore(&out, &now, &before, &after);
    assert_int_equal(out.flag_count, 3);
    assert_string_equal(out.flags[0].value ? out.flags[0].value : "", "1");
    assert_string_equal(out.flags[1].name, "poisoned");
}

static struct justification by(enum reading reading, struct antecedent *list, size_t count)
{
    return (struct justification){ROLE_EVIDENCE, reading, RECORDED, 5, NULL, list, count};
}

/*
 * 1. A memory without justifications is reinforced by x: an empty justification is added too. 2. It
 * is reinforced by y. Taking back 1 must not make it lose support more easily than before.
 */
TEST(an_empty_justification_stays_for_later_ones)
{
    struct antecedent x = {.ref = {KIND_RAW, "x"}}, y = {.ref = {KIND_RAW, "y"}};
    struct justification list[] = {by(READING_ALL, NULL, 0), by(READING_ANY, &x, 1),
                                   by(READING_ANY, &y, 1)};
    struct memory before = sample(), after = before, now = before, out;
    after.justifications = list, after.justification_count = 2;
    now.justifications = list, now.justification_count = 3;
    restore(&out, &now, &before, &after);
    assert_int_equal(out.justification_count, 2);
    assert_int_equal(out.justifications[0].count, 0);
    assert_string_equal(out.justifications[1].antecedents[0].ref.id, "y");
    now.justification_count = 2;
    restore(&out, &now, &before, &after);
    assert_int_equal(out.justification_count, 0);
}

TEST(removed_elements_return_to_their_place)
{
    const char *was[] = {"a", "b", "c"}, *left[] = {"a", "c"}, *is[] = {"x", "a", "y", "c", "z"};
    struct memory before = sample(), after = before, now = before, out;
    before.tags = was, before.tag_count = 3;
    after.tags = left, after.tag_count = 2;
    now.tags = is, now.tag_count = 5;
    restore(&out, &now, &before, &after);
    const char *expected[] = {"x", "a", "b", "y", "c", "z"};
    assert_int_equal(out.tag_count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(out.tags[i], expected[i]);
}

TEST(long_lists_do_not_take_quadratic_time)
{
    const size_t count = 20000;
    struct memory before = sample(), after = before, now = before, out;
    AUTO_FREE struct history_entry *list = calloc(3 * count, sizeof(*list));
    assert_non_null(list);
    for (size_t i = 0; i < 3 * count; i++)
        list[i] = (struct history_entry){.at = (int64_t)(i % 7), .old = NAN, .new_ = NAN};
    for (size_t i = 0; i < count; i++)
        list[i].at = (int64_t)i;
    before.history = list, before.history_count = count;
    after.history = list + count, after.history_count = count;
    now.history = list + count - 1, now.history_count = count + 2;
    restore(&out, &now, &before, &after);
    assert_in_range(out.history_count, count, count + 2);
}

/* ---- the difference in words ---- */

static void expect_differences(const struct memory *before, const struct memory *after,
                               const char *expected)
{
    struct difference *list;
    size_t count;
    AUTO_STRBUF out = STRBUF_INIT;
    memory_difference(before, after, &arena, &list, &count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&out, "%s: %s > %s\n", list[i].field, list[i].before ? list[i].before : "-",
                    list[i].after ? list[i].after : "-");
    assert_string_equal(out.buf, expected);
}

TEST(a_difference_is_a_line_for_each_field)
{
    struct memory b = sample(), a = b;
    const char *was[] = {"x", "y"}, *is[] = {"y", "z"};
    struct antecedent two[] = {{.ref = {KIND_RAW, "1"}}, {.ref = {KIND_RAW, "2"}}};
    struct justification j[] = {by(READING_ALL, two, 2), by(READING_ANY, NULL, 0)};
    struct history_entry h[] = {
        {.at = 1, .old = 0.7, .new_ = 0.713, .reason = "Reinforced", .evidence_source = "raw:1"},
        {.at = 2,
         .old = NAN,
         .new_ = NAN,
         .operation = "forget",
         .actor = "k",
         .origin = "kernle"}};
    struct relation rel = {.type = RELATION_CONTRADICTS, .to = {KIND_BELIEF, "c"}, .reason = "why"};
    struct flag flag = flag_of("rating", "4");
    j[1].recorded = RECORDED_MIGRATED;
    b.tags = was, b.tag_count = 2;
    a.tags = is, a.tag_count = 2;
    b.detail = "{\"n\":1,\"s\":\"a\\nb\",\"same\":2}";
    a.detail = "{\"same\":2,\"s\":\"c\",\"o\":[1]}";
    a.text = "new";
    a.confidence = 0.71318181818181818;
    a.is_protected = true;
    a.source = "told";
    a.version = 9;
    a.updated_at = 99;
    a.justifications = j, a.justification_count = 2;
    a.history = h, a.history_count = 2;
    a.relations = &rel, a.relation_count = 1;
    a.flags = &flag, a.flag_count = 1;
    expect_differences(&b, &a,
                       "text: t > new\n"
                       "confidence: 0.7 > 0.7131818181818181\n"
                       "source: - > told\n"
                       "protected: false > true\n"
                       "tags: x > -\n"
                       "tags: - > z\n"
                       "detail.n: 1 > -\n"
                       "detail.o: - > [1]\n"
                       "detail.s: a\nb > c\n"
                       "justifications: - > evidence all of raw:1, raw:2\n"
                       "justifications: - > evidence nothing (migrated)\n"
                       "history: - > 0.700 \xe2\x86\x92 0.713 (Reinforced), by raw:1\n"
                       "history: - > forget, k\n"
                       "relations: - > contradicts belief:c: why\n"
                       "marks: - > rating = 4 by ann\n");
    expect_differences(&b, &b, "");
    expect_differences(NULL, NULL, "");
    struct memory shorter = a; /* shares the common part */
    shorter.history_count = 1;
    expect_differences(&shorter, &a, "history: - > forget, k\n");
    expect_differences(&a, &shorter, "history: forget, k > -\n");
    b.tag_count = 0;
    b.detail = NULL;
    expect_differences(NULL, &b,
                       "agent_id: - > ash\ntext: - > t\ncreated_at: - > 7\nconfidence: - > 0.7\n"
                       "source_type: - > inference\nstatus: - > active\n");
}

/* There is a difference in words exactly if the JSON of a memorys differ. */
TEST(differences_match_the_json)
{
    struct random r = {44};
    for (int round = 0; round < RANDOM_ROUNDS(2000); round++) {
        struct memory m, n;
        struct difference *list;
        size_t count;
        arena_clear(&arena);
        random_memory(&r, &arena, &m);
        n = m;
        random_edit(&r, &arena, &n);
        memory_difference(&m, &n, &arena, &list, &count);
        bool same = strcmp(line_as(n, &m), line(&m)) == 0;
        if (same)
            assert_int_equal(count, 0);
        for (size_t i = 0; i < count; i++)
            assert_true(list[i].field && (list[i].before || list[i].after));
        memory_difference(&m, NULL, &arena, &list, &count);
        assert_true(count >= 6);
    }
}

/* Views keep a difference longer than the states that it was made of. */
TEST(a_difference_outlives_its_states)
{
    char was[] = "what was there", is[] = "what was written";
    struct history_entry event = {
        .old = NAN, .new_ = NAN, .operation = "Edit", .before = was, .after = is};
    struct memory before = sample(), after = sample();
    struct difference *list;
    size_t count;
    after.history = &event;
    after.history_count = 1;
    memory_difference(&before, &after, &arena, &list, &count);
    memset(was, 'x', sizeof(was) - 1);
    memset(is, 'x', sizeof(is) - 1);
    assert_int_equal(count, 2);
    assert_string_equal(list[1].field, "written");
    assert_string_equal(list[1].before, "what was there");
    assert_string_equal(list[1].after, "what was written");
}
