/* Undo patches: applied to the state after, by the rules in memory_json.h, they give the state
 * before. */
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "tests/support/random_memory.h"
#include "tests/support/test.h"

#define MOST 64

/* The members of an object or the elements of a list as texts. */
struct texts {
    struct json_slice key[MOST], value[MOST];
    size_t count;
};

static struct texts take(struct json_slice container)
{
    struct texts t = {.count = 0};
    for (struct json_each it = json_each(container); container.ptr && json_next(&it); t.count++) {
        assert_true(t.count < MOST);
        t.key[t.count] = it.key;
        t.value[t.count] = it.value;
    }
    return t;
}

static bool same(struct json_slice a, struct json_slice b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static struct json_slice slice(const char *text)
{
    return (struct json_slice){text, strlen(text)};
}

static void drop(struct texts *t, size_t at)
{
    t->count--;
    memmove(&t->key[at], &t->key[at + 1], (t->count - at) * sizeof(*t->key));
    memmove(&t->value[at], &t->value[at + 1], (t->count - at) * sizeof(*t->value));
}

static void put(struct texts *t, size_t at, struct json_slice key, struct json_slice value)
{
    assert_true(at <= t->count && t->count < MOST);
    memmove(&t->key[at + 1], &t->key[at], (t->count - at) * sizeof(*t->key));
    memmove(&t->value[at + 1], &t->value[at], (t->count - at) * sizeof(*t->value));
    t->key[at] = key;
    t->value[at] = value;
    t->count++;
}

/* Removes the added elements from the list. Among equal ones any of a run may be the added one,
 * so the last is taken. */
static bool undo_from(struct texts list, const struct texts *added, size_t next, size_t from,
                      const struct texts *removed, const struct texts *before, bool members)
{
    if (next == added->count) {
        for (size_t i = 0; i < removed->count; i++) {
            int64_t index;
            struct json_slice value =
                json_member(removed->value[i].ptr, removed->value[i].len, "value");
            struct json_slice key = {NULL, 0};
            assert_int_equal(
                json_integer(json_member(removed->value[i].ptr, removed->value[i].len, "index"),
                             &index),
                0);
            if (members) {
                struct texts one = take(value);
                assert_int_equal(one.count, 1);
                key = one.key[0];
                value = one.value[0];
            }
            if ((size_t)index > list.count)
                return false;
            put(&list, (size_t)index, key, value);
        }
        bool fits = list.count == before->count;
        for (size_t i = 0; fits && i < list.count; i++)
            fits = same(list.value[i], before->value[i]) &&
                   (!members || same(list.key[i], before->key[i]));
        return fits;
    }
    for (size_t i = from; i < list.count; i++) {
        struct json_slice name = {added->value[next].ptr + 1, added->value[next].len - 2};
        if (members ? !same(list.key[i], name) : !same(list.value[i], added->value[next]))
            continue;
        struct texts without = list;
        drop(&without, i);
        if (undo_from(without, added, next + 1, i, removed, before, members))
            return true;
    }
    return false;
}

static struct json_slice member(struct json_slice object, const char *name)
{
    return json_member(object.ptr, object.len, name);
}

/* Every member of `before` follows from `after` and the patch, and nothing else. */
static void expect_undone(struct json_slice before, struct json_slice after,
                          struct json_slice patch)
{
    static const char *const names[] = {
        "ref",        "agent_id",       "text",    "created_at",    "updated_at",
        "confidence", "source_type",    "source",  "source_entity", "status",
        "protected",  "tags",           "context", "annotations",   "version",
        "detail",     "justifications", "history", "relations",     "marks"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct json_slice was = member(before, names[i]), is = member(after, names[i]);
        struct json_slice how = member(patch, names[i]);
        bool unchanged = was.ptr && is.ptr ? same(was, is) : was.ptr == is.ptr;
        assert_int_equal(how.ptr == NULL, unchanged); /* has only the changes */
        if (unchanged)
            continue;
        if (*how.ptr == '{') {
            struct texts added = take(member(how, "added")), removed = take(member(how, "removed"));
            struct texts target = take(was);
            assert_true(added.count + removed.count > 0);
            if (!undo_from(take(is), &added, 0, 0, &removed, &target,
                           strcmp(names[i], "detail") == 0))
                fail_msg("%.*s is not undone by %.*s", (int)is.len, is.ptr, (int)how.len, how.ptr);
        } else if (was.ptr) {
            assert_true(same(how, was));
        } else {
            assert_true(same(how, slice("null")) || same(how, slice("false")));
        }
    }
}

TEST(a_patch_restores_the_state_before)
{
    struct random r = {31};
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF before = STRBUF_INIT, after = STRBUF_INIT, patch = STRBUF_INIT;
    struct error e;
    for (int round = 0; round < RANDOM_ROUNDS(5000); round++) {
        struct memory m, n;
        arena_clear(&arena);
        strbuf_clear(&before);
        strbuf_clear(&after);
        strbuf_clear(&patch);
        random_memory(&r, &arena, &m);
        n = m;
        random_edit(&r, &arena, &n);
        memory_json_write(&before, &m, NULL);
        memory_json_write(&after, &n, NULL);
        memory_json_patch(&patch, &m, &n);
        assert_int_equal(json_check(patch.buf, patch.len, JSON_DEPTH_MAX, &e), 0);
        expect_undone(slice(before.buf), slice(after.buf), slice(patch.buf));
    }
}

/* ---- memory_json_unpatch ---- */

static void expect_unpatched(const struct memory *before, const struct memory *after)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF patch = STRBUF_INIT, was = STRBUF_INIT, is = STRBUF_INIT;
    struct memory again;
    struct error e;
    memory_json_patch(&patch, before, after);
    if (memory_json_unpatch(&again, after, &arena, patch.buf, &e))
        fail_msg("%s: %s", e.what, patch.buf);
    memory_json_write(&was, before, NULL);
    memory_json_write(&is, &again, NULL);
    assert_string_equal(is.buf, was.buf);
}

TEST(unpatch_restores_the_state_before)
{
    struct random r = {32};
    AUTO_ARENA arena = ARENA_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(3000); round++) {
        struct memory m, n, other;
        arena_clear(&arena);
        random_memory(&r, &arena, &m);
        random_memory(&r, &arena, &other);
        n = m;
        random_edit(&r, &arena, &n);
        other.ref = m.ref;
        expect_unpatched(&m, &n);
        expect_unpatched(&n, &m);
        expect_unpatched(&m, &other);
        expect_unpatched(&m, &m);
        expect_unpatched(&m, NULL);
    }
}

/* Up to eight elements of two letters, so nearly every element has an equal one. */
static void fill_with_likes(struct random *r, struct arena *arena, struct memory *m)
{
    static const char *const letters[] = {"a", "b"};
    struct ref refs[] = {{KIND_RAW, "a"}, {KIND_RAW, "b"}};
    m->tag_count = random_below(r, 9);
    m->relation_count = random_below(r, 9);
    m->tags = arena_array(arena, m->tag_count, sizeof(*m->tags));
    m->relations = arena_array(arena, m->relation_count, sizeof(*m->relations));
    for (size_t i = 0; i < m->tag_count; i++)
        m->tags[i] = letters[random_below(r, 2)];
    for (size_t i = 0; i < m->relation_count; i++)
        m->relations[i] =
            (struct relation){.type = RELATION_CONTRADICTS, .to = refs[random_below(r, 2)]};
}

TEST(equal_elements_are_distinguished)
{
    struct random r = {33};
    AUTO_ARENA arena = ARENA_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(20000); round++) {
        struct memory m, n;
        arena_clear(&arena);
        memory_init(&m, (struct ref){KIND_NOTE, "n"});
        m.agent_id = "ash";
        m.text = "";
        m.source_type = "inference";
        n = m;
        fill_with_likes(&r, &arena, &m);
        fill_with_likes(&r, &arena, &n);
        expect_unpatched(&m, &n);
    }
}

/* A patch that is truncated or damaged, or belongs to another memory, gives an error or a
 * memory. */
static void try_patch(const struct memory *after, const char *patch)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF line = STRBUF_INIT;
    struct memory before;
    struct error e = {0};
    if (memory_json_unpatch(&before, after, &arena, patch, &e) == 0)
        memory_json_write(&line, &before, NULL);
    else
        assert_true(e.code == ERROR_STORE && e.what[0]);
}

TEST(a_wrong_patch_is_an_error)
{
    static const char bytes[] = "\"{}[]:,0159anull\\u\xff";
    struct random r = {34};
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF patch = STRBUF_INIT;
    for (int round = 0; round < RANDOM_ROUNDS(4000); round++) {
        struct memory m, n, other;
        arena_clear(&arena);
        strbuf_clear(&patch);
        random_memory(&r, &arena, &m);
        random_memory(&r, &arena, &other);
        n = m;
        random_edit(&r, &arena, &n);
        memory_json_patch(&patch, &m, &n);
        try_patch(&other, patch.buf);
        for (uint32_t i = random_below(&r, 4); i > 0; i--)
            patch.buf[random_below(&r, (uint32_t)patch.len)] =
                bytes[random_below(&r, sizeof(bytes) - 1)];
        try_patch(&n, patch.buf);
        try_patch(NULL, patch.buf);
        strbuf_cut(&patch, random_below(&r, (uint32_t)patch.len));
        try_patch(&n, patch.buf);
    }
}

TEST(each_mismatch_is_reported)
{
    static const char *const wrong[] = {
        "",
        "[]",
        "7",
        "{",
        "{\"zork\":1}",
        "{\"ref\":\"note:m\"}",
        "{\"version\":0}",
        "{\"version\":null}",
        "{\"status\":\"missing\"}",
        "{\"status\":\"away\"}",
        "{\"confidence\":2}",
        "{\"protected\":1}",
        "{\"text\":1}",
        "{\"text\":\"\\u0000\"}",
        "{\"agent_id\":null}",
        "{\"tags\":null}",
        "{\"tags\":[]}",
        "{\"tags\":{\"added\":[\"b\"]}}",
        "{\"tags\":{\"added\":[\"a\",\"a\"]}}",
        "{\"tags\":{\"added\":[\"a\"],\"at\":[1]}}",
        "{\"tags\":{\"added\":[\"a\"],\"at\":[]}}",
        "{\"tags\":{\"added\":[\"a\"],\"at\":[0,0]}}",
        "{\"tags\":{\"added\":[\"a\"],\"at\":[-1]}}",
        "{\"tags\":{\"removed\":[\"b\"]}}",
        "{\"tags\":{\"removed\":[{\"value\":\"b\"}]}}",
        "{\"tags\":{\"removed\":[{\"index\":0}]}}",
        "{\"tags\":{\"removed\":[{\"index\":2,\"value\":\"b\"}]}}",
        "{\"tags\":{\"removed\":[{\"index\":0,\"value\":null}]}}",
        "{\"tags\":{\"removed\":[{\"index\":0,\"value\":7}]}}",
        "{\"tags\":{\"removed\":[{\"index\":1,\"value\":\"b\"},{\"index\":0,\"value\":\"c\"}]}}",
        "{\"tags\":{\"removed\":[{\"index\":18446744073709551616,\"value\":\"b\"}]}}",
        "{\"marks\":{\"removed\":[{\"index\":0,\"value\":{}}]}}",
        "{\"marks\":{\"removed\":[{\"index\":0,\"value\":\"poisoned\"}]}}",
        "{\"relations\":{\"removed\":[{\"index\":0,\"value\":{\"type\":\"derived_from\"}}]}}",
        "{\"detail\":{\"added\":[\"y\"]}}",
        "{\"detail\":{\"added\":[7]}}",
        "{\"detail\":{\"removed\":[{\"index\":0,\"value\":{\"x\":2}}]}}",
        "{\"detail\":{\"removed\":[{\"index\":0,\"value\":{}}]}}",
        "{\"detail\":{\"removed\":[{\"index\":0,\"value\":[]}]}}",
        "{\"detail\":{\"removed\":[{\"index\":0,\"value\":\"y\"}]}}",
    };
    struct memory m;
    const char *tags[] = {"a"};
    memory_init(&m, (struct ref){KIND_NOTE, "n"});
    m.agent_id = "ash";
    m.text = "t";
    m.source_type = "inference";
    m.tags = tags;
    m.tag_count = 1;
    m.detail = "{\"x\":1}";
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct memory before;
        struct error e = {0};
        if (memory_json_unpatch(&before, &m, &arena, wrong[i], &e) == 0)
            fail_msg("%s was accepted", wrong[i]);
        assert_int_equal(e.code, ERROR_STORE);
        assert_non_null(strstr(e.what, "note:n"));
    }
}

static void expect(const struct memory *before, const struct memory *after, const char *expected)
{
    AUTO_STRBUF patch = STRBUF_INIT;
    memory_json_patch(&patch, before, after);
    assert_string_equal(patch.buf, expected);
}

TEST(a_patch_has_only_the_changes)
{
    struct memory m, n;
    const char *tags[] = {"a", "b", "c"}, *fewer[] = {"a", "c", "d"};
    memory_init(&m, (struct ref){KIND_BELIEF, "b"});
    m.agent_id = "ash";
    m.text = "old";
    m.source_type = "inference";
    m.tags = tags;
    m.tag_count = 3;
    m.detail = "{\"x\":1,\"y\":{\"long\":true}}";
    n = m;
    expect(NULL, &m, "");
    expect(&m, &n, "{}");
    n.text = "new";
    n.source = "told";
    n.version = 2;
    n.tags = fewer;
    n.detail = "{\"x\":1.0,\"y\":{\"long\":true},\"z\":0}";
    expect(&m, &n,
           "{\"text\":\"old\",\"source\":null,\"version\":1,"
           "\"tags\":{\"added\":[\"d\"],\"removed\":[{\"index\":1,\"value\":\"b\"}]},"
           "\"detail\":{\"added\":[\"x\",\"z\"],\"removed\":[{\"index\":0,\"value\":{\"x\":1}}]}}");
    expect(&n, &m,
           "{\"text\":\"new\",\"source\":\"told\",\"version\":2,"
           "\"tags\":{\"added\":[\"b\"],\"removed\":[{\"index\":2,\"value\":\"d\"}]},"
           "\"detail\":{\"added\":[\"x\"],\"removed\":[{\"index\":0,\"value\":{\"x\":1.0}},"
           "{\"index\":2,\"value\":{\"z\":0}}]}}");
}

/* A store has no -0. */
TEST(zero_has_no_sign)
{
    struct memory m, n;
    AUTO_STRBUF line = STRBUF_INIT;
    memory_init(&m, (struct ref){KIND_NOTE, "n"});
    m.agent_id = "ash";
    m.text = "";
    m.source_type = "inference";
    n = m;
    m.confidence = -0.0;
    n.confidence = 0;
    memory_json_write(&line, &m, NULL);
    assert_non_null(strstr(line.buf, "\"confidence\":0,"));
    expect(&m, &n, "{}");
    expect_unpatched(&m, &n);
}

/* Lists in different orders are different. */
TEST(the_order_of_a_list_is_restored)
{
    struct memory m, n;
    const char *tags[] = {"a", "b"}, *turned[] = {"b", "a"};
    memory_init(&m, (struct ref){KIND_NOTE, "n"});
    m.agent_id = "ash";
    m.text = "";
    m.source_type = "inference";
    m.tags = tags;
    m.tag_count = 2;
    n = m;
    n.tags = turned;
    expect(&m, &n, "{\"tags\":{\"added\":[\"b\"],\"removed\":[{\"index\":1,\"value\":\"b\"}]}}");
}

TEST(a_long_history_does_not_take_quadratic_time)
{
    const size_t count = 20000;
    struct memory m, n;
    AUTO_STRBUF patch = STRBUF_INIT;
    memory_init(&m, (struct ref){KIND_BELIEF, "b"});
    m.agent_id = "ash";
    m.text = "";
    m.source_type = "inference";
    m.history = calloc(count, sizeof(*m.history));
    assert_non_null(m.history);
    m.history_count = count;
    n = m;
    n.history = calloc(count, sizeof(*n.history));
    assert_non_null(n.history);
    for (size_t i = 0; i < count; i++) {
        m.history[i].at = (int64_t)i;
        n.history[i].at = (int64_t)(i + count); /* all of them differ */
    }
    memory_json_patch(&patch, &m, &n);
    assert_non_null(strstr(patch.buf, "{\"index\":19999,\"value\":{\"at\":19999,"));
    expect_unpatched(&m, &n);
    free(m.history);
    free(n.history);
}
