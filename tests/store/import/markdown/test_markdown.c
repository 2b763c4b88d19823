/* The reader of markdown: the rules of basic-memory, the blocks of CommonMark, frontmatters, and hostile texts. */
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/import/markdown/markdown.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static struct arena arena;

static int release(void **state)
{
    arena_release(&arena);
    return 0;
}

static struct markdown read_bytes(const char *text, size_t len)
{
    struct markdown m;
    markdown_read(&m, &arena, text, len);
    return m;
}

/* All that was found, one after the other: "[category] text {tags} (context); type -> target | title (context); " */
static const char *found(const char *text)
{
    struct strbuf out = STRBUF_INIT;
    struct markdown m = read_bytes(text, strlen(text));
    for (size_t i = 0; i < m.observation_count; i++) {
        const struct markdown_observation *o = &m.observations[i];
        strbuf_addf(&out, "[%s] %s", o->category ? o->category : "", o->text);
        for (size_t t = 0; t < o->tag_count; t++)
            strbuf_addf(&out, "%s%s", t ? "," : " {", o->tags[t]);
        strbuf_addf(&out, "%s%s%s%s; ", o->tag_count ? "}" : "", o->context ? " (" : "",
                    o->context ? o->context : "", o->context ? ")" : "");
    }
    for (size_t i = 0; i < m.link_count; i++) {
        const struct markdown_link *l = &m.links[i];
        strbuf_addf(&out, "%s %s %s%s%s%s%s%s; ", l->type, l->is_path ? "=>" : "->", l->target,
                    l->title ? " | " : "", l->title ? l->title : "", l->context ? " (" : "",
                    l->context ? l->context : "", l->context ? ")" : "");
    }
    return arena_take(&arena, &out);
}

struct rule {
    const char *text, *found;
};

static void expect_all(const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *is = found(rules[i].text);
        if (strcmp(is, rules[i].found) != 0)
            print_error("%s\n", rules[i].text);
        assert_string_equal(is, rules[i].found);
    }
}
#define EXPECT_ALL(rules) expect_all(rules, sizeof(rules) / sizeof((rules)[0]))

GROUP(NULL, release);

TEST(test_observations)
{
    static const struct rule rules[] = {
        {"- [method] Pour over #brewing (tested in March)",
         "[method] Pour over #brewing {brewing} (tested in March); "},
        {"- [a b] x", "[a b] x; "},
        {"* [a] x\n+ [b] y\n1. [c] z", "[a] x; [b] y; [c] z; "},
        {"- no category #tag", "[] no category #tag {tag}; "},
        {"- [] text #tag", "[] text #tag {tag}; "},
        {"- nothing", ""},
        {"- [a]nothing", ""},
        {"- [a]", ""},
        {"- [a] (only a context)", ""},
        {"- [a] x (b) (c)", "[a] x (b) (c); "},
        {"- [a] x #b#c ##d # e", "[a] x #b#c ##d # e {b,c,d}; "},
        {"- color=\"#fff\"", ""},
        /* tasks, times, links */
        {"- [ ] t #a\n- [x] t #a\n- [-] t #a", ""},
        {"- [X] t\n- [/] t\n- [>] t\n- [?] t\n- [\xe2\x9c\x93] t", ""},
        {"- [/] t #a", "[] [/] t #a {a}; "},
        {"- [a] t\n- [\xc3\xa9] t", "[a] t; [\xc3\xa9] t; "},
        {"- [12:30] t\n- [1:02:03.5] t\n- [00:00:11 - 00:01:12] t", ""},
        {"- [12:3] t", "[12:3] t; "},
        {"- [00:00:11] said #a", "[] [00:00:11] said #a {a}; "},
        {"- [text](url)\n- [text](url) #a", "[] [text](url) #a {a}; "},
        {"- [[Target]]", "links_to -> Target; "},
        {"- [a(b)] t", ""},
        /* outside of lists, over several lines */
        {"[a] x\nnext line", "[a] x; "},
        {"text\nwith #a tag", "[] text\nwith #a tag {a}; "},
        {"## [a] heading ##", "[a] heading; "},
        {"> [!info] x #a\n> - [a] x", ""},
    };
    EXPECT_ALL(rules);
}

TEST(test_relations)
{
    static const struct rule rules[] = {
        {"- requires [[A]]", "requires -> A; "},
        {"- requires [[A]] (why)", "requires -> A (why); "},
        {"- requires [[A]] ((a) (b))", "requires -> A ((a) (b)); "},
        {"- \"pairs well with\" [[A]]\n- 'in response to' [[B]]",
         "pairs well with -> A; in response to -> B; "},
        {"- some words [[A]]", "links_to -> A; "},
        {"- requires [[A]] and more", "links_to -> A; "},
        {"- requires [[A]] (a) and [[B]] (b)", "links_to -> A; links_to -> B; "},
        {"- requires [[]]", ""},
        {"- \"\" [[A]]", "links_to -> A; "},
        {"requires [[A]]", "links_to -> A; "},
        {"Prose with [[A]] and [[B|b]].", "links_to -> A; links_to -> B | b; "},
        {"[[a [[b]] c]] [[open", "links_to -> a [[b]] c; "},
        {"[[project::note]]", "links_to -> project/note; "},
        {"- a\n\n  requires [[A]]", "requires -> A; "},
        {"- a\n  - b\n\n  requires [[A]]", "links_to -> A; "}, /* an item has ended */
        {"> see [[A]]", "links_to -> A; "},
        {"- [a] uses [[A]] #t", "[a] uses [[A]] #t {t}; links_to -> A; "},
    };
    EXPECT_ALL(rules);
}

TEST(test_paths)
{
    static const struct rule rules[] = {
        {"- [Title](file.md) \xe2\x80\x94 a hook", "links_to => file.md | Title (a hook); "},
        {"- [Title](a/my%20file.md#part): hook", "links_to => a/my file.md | Title (hook); "},
        {"See [one](../a.md) and [two](<b c.md>).",
         "links_to => ../a.md | one; links_to => b c.md | two; "},
        {"![picture](a.md) [x](http://a/b.md) [y](a.txt) [z](%00.md)", ""},
    };
    EXPECT_ALL(rules);
}

TEST(test_blocks)
{
    static const struct rule rules[] = {
        {"```\n- [a] x\n```\n- [b] y", "[b] y; "},
        {"~~~ text\n```\n- [a] x\n~~~\n- [b] y", "[b] y; "},
        {"- item\n  ```\n  [[A]]\n- requires [[B]]",
         "requires -> B; "}, /* the item ended the code */
        {"> ```\n> [[A]]\n\n[[B]]", "links_to -> B; "},
        {"text\n\n    - [a] code", ""},
        {"text\n    - [a] no code", ""},
        {"<!-- [[A]]\n- [a] x -->\n[[B]]", "links_to -> B; "},
        {"---\n\n***\n- [a] x", "[a] x; "},
        {"Title\n===\n- [a] x", "[a] x; "},
        {"- [a] x\n- - [b] y\n    - [c] z", "[a] x; [b] y; [c] z; "},
        {"1. [a] x\n2. [b] y", "[a] x; [b] y; "},
        {"text\n2. [b] y", ""}, /* a list does not begin with 2 within a paragraph */
        {"- [a] x\r\n- [b] y\r\n", "[a] x; [b] y; "},
        {"\xef\xbb\xbf- [a] x", "[a] x; "},
    };
    EXPECT_ALL(rules);
}

TEST(test_lines_are_those_of_the_text)
{
    const char *text = "---\na: b\n---\n\n# h\n\n- [c] x\n- r [[T]]\n";
    struct markdown m = read_bytes(text, strlen(text));
    assert_int_equal(m.observations[0].line, 7);
    assert_int_equal(m.links[0].line, 8);
}

TEST(test_frontmatter)
{
    const char *text = "---\n"
                       "title: Coffee\n"
                       "tags: [a, '#b', \"c, d\", {x: 1}]\n"
                       "empty:\n"
                       "metadata:\n"
                       "  type: feedback\n"
                       "  deep: {er: yes}\n"
                       "list: [1, {a: b}]\n"
                       "same: &s {k: v}\n"
                       "again: *s\n"
                       "title: Tea\n"
                       "tagged: !!python/object:os.system x\n"
                       "---\n"
                       "\n"
                       "body\n\n";
    const char **tags;
    struct error e;
    struct markdown m = read_bytes(text, strlen(text));
    assert_null(m.fault);
    assert_string_equal(markdown_field(&m, "title"), "Tea");
    assert_string_equal(markdown_field(&m, "metadata.type"), "feedback");
    assert_string_equal(markdown_field(&m, "metadata.deep.er"), "yes");
    assert_string_equal(markdown_field(&m, "list"), "[\"1\",{\"a\":\"b\"}]");
    assert_string_equal(markdown_field(&m, "again.k"), "v");
    assert_string_equal(markdown_field(&m, "tagged"), "x");
    assert_null(markdown_field(&m, "empty"));
    assert_null(markdown_field(&m, "metadata"));
    assert_int_equal(markdown_field_list(&m, "tags", &arena, &tags), 4);
    assert_string_equal(tags[1], "b");
    assert_string_equal(tags[3], "d");
    assert_int_equal(markdown_field_list(&m, "title", &arena, &tags), 1);
    assert_int_equal(json_check(m.json, strlen(m.json), JSON_DEPTH_MAX, &e), 0);
    assert_int_equal(m.body_len, 4);
    assert_memory_equal(m.body, "body", 4);
}

TEST(test_what_is_no_frontmatter)
{
    static const char *const texts[] = {"---\nno end\n",
                                        "---\na paragraph\n---\n[[A]]",
                                        "text\n---\na: b\n---\n",
                                        "---\n- a list\n---\nx",
                                        "",
                                        "---"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct markdown m = read_bytes(texts[i], strlen(texts[i]));
        assert_null(m.fault);
        assert_null(m.json);
        assert_int_equal(m.field_count, 0);
        assert_ptr_equal(m.body, texts[i]);
    }
    struct markdown m = read_bytes("---\n---\nbody", 12);
    assert_int_equal(m.body_len, 4); /* an empty one is one */
}

static const char *fault_of(const char *yaml)
{
    const char *text = arena_format(&arena, "---\n%s\n---\nthe text [[A]]", yaml);
    struct markdown m = read_bytes(text, strlen(text));
    assert_int_equal(m.field_count, 0);
    assert_null(m.json);
    assert_ptr_equal(m.body, text); /* all of the text is kept, and read */
    assert_true(m.link_count == 1);
    assert_non_null(m.fault);
    return m.fault;
}

TEST(test_broken_frontmatters)
{
    assert_string_equal(fault_of("a: [b\nc: d"), "line 3 of its frontmatter: did not find "
                                                 "expected ',' or ']'");
    assert_non_null(strstr(fault_of("a: *none"), "an alias names nothing"));
    assert_non_null(strstr(fault_of("a: &a [*a]"), "an alias names nothing"));
    assert_non_null(strstr(fault_of("[a, b]: c"), "a key is no text"));
    assert_non_null(strstr(fault_of("a: \xff"), "of its frontmatter"));
}

/* What models write: a colon, a sign or a quote in a value that has no quotes. */
TEST(test_mended_frontmatters)
{
    const char *text = "---\n"
                       "name: it's: one\r\n"
                       "description: Rule: never `push`  # so\n"
                       "metadata:\n"
                       "  type: @feedback\n"
                       "tags: [a, b]\n"
                       "---\n"
                       "body\n";
    const char **tags;
    struct markdown m = read_bytes(text, strlen(text));
    assert_string_equal(m.fault,
                        "line 2 of its frontmatter: mapping values are not allowed in this context"
                        "; read with its values in quotes");
    assert_string_equal(markdown_field(&m, "name"), "it's: one");
    assert_string_equal(markdown_field(&m, "description"), "Rule: never `push`  # so");
    assert_string_equal(markdown_field(&m, "metadata.type"), "@feedback");
    assert_int_equal(markdown_field_list(&m, "tags", &arena, &tags), 2);
    assert_int_equal(m.body_len, 4);
    text = "---\ncreated: {{date}}\nup: [[A]], [[B]]\ntags: [a, b]\n---\nbody\n";
    m = read_bytes(text, strlen(text));
    assert_non_null(strstr(m.fault, "; read with its values in quotes"));
    assert_string_equal(markdown_field(&m, "created"), "{{date}}");
    assert_string_equal(markdown_field(&m, "up"), "[[A]], [[B]]");
    assert_int_equal(markdown_field_list(&m, "tags", &arena, &tags), 2);
}

/* Billion laughs, deep values, many keys, long frontmatters. */
TEST(test_limits)
{
    AUTO_STRBUF yaml = STRBUF_INIT;
    strbuf_addstr(&yaml, "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]");
    for (int i = 1; i < 12; i++)
        strbuf_addf(&yaml, "\na%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]", i,
                    i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    assert_non_null(strstr(fault_of(yaml.buf), "longer than 256 KiB"));
    strbuf_clear(&yaml);
    strbuf_addstr(&yaml, "a0: &a0 [x]"); /* each within the next: few bytes, many levels */
    for (int i = 1; i < 20; i++)
        strbuf_addf(&yaml, "\na%d: &a%d [*a%d]", i, i, i - 1);
    assert_non_null(strstr(fault_of(yaml.buf), "more than 16 levels"));
    strbuf_clear(&yaml);
    strbuf_addstr(&yaml, "a: ");
    strbuf_addchars(&yaml, '[', 5000);
    assert_non_null(strstr(fault_of(yaml.buf), "more than 16 levels"));
    strbuf_clear(&yaml);
    for (int i = 0; i < 1001; i++)
        strbuf_addf(&yaml, "k%d: 1\n", i);
    assert_non_null(strstr(fault_of(yaml.buf), "more than 1000 keys"));
    strbuf_addchars(&yaml, '#', 65536);
    assert_non_null(strstr(fault_of(yaml.buf), "longer than 64 KiB"));
    strbuf_clear(&yaml);
    for (int i = 0; i < 10001; i++)
        strbuf_addstr(&yaml, "[[a]] ");
    struct markdown m = read_bytes(yaml.buf, yaml.len);
    assert_int_equal(m.link_count, MARKDOWN_ITEMS_MAX);
    assert_non_null(strstr(m.fault, "more than 10000 links"));
}

TEST(test_any_bytes)
{
    struct markdown m = read_bytes("- [a] x\0y\n- [b] \xff\xfe\n", 19);
    assert_int_equal(m.observation_count, 2);
    assert_string_equal(m.observations[0].text, "x y");
    assert_int_equal(m.body_len, 18);
}
