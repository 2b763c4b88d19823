/*
 * Sources against their rules as they are written down, on random items and contexts: texts are lists of
 * code points there, and everything is looked for from the beginning.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <utf8proc.h>
#include "model/reasoning/source.h"
#include "model/base/utf8.h"
#include "tests/support/random.h"

#define POINTS_MAX 700
#define BROKEN     0x110000 /* stands for a byte that is no UTF-8 */

struct points {
    uint32_t at[POINTS_MAX];
    size_t count;
};

enum type {
    ABSENT,
    IS_NULL,
    IS_TEXT,
    IS_NUMBER,
    IS_OTHER
};

/* A value as it is meant, and as JSON. */
struct value {
    enum type type;
    struct points text; /* of a number its JSON text */
    double number;
    const char *json; /* of what is neither text nor null */
};

static struct arena arena = ARENA_INIT;

static void add(struct points *p, uint32_t c)
{
    assert_true(p->count < POINTS_MAX);
    p->at[p->count++] = c;
}

static void add_ascii(struct points *p, const char *s)
{
    for (; *s; s++)
        add(p, (unsigned char)*s);
}

/* As bytes: a broken one is 0xff, half a surrogate pair the three bytes that UTF-8 forbids. */
static void add_bytes(struct strbuf *out, uint32_t c)
{
    char bytes[4];
    if (c == BROKEN)
        strbuf_addch(out, (char)0xff);
    else if (c >= 0xd800 && c <= 0xdfff)
        strbuf_addf(out, "%c%c%c", 0xed, 0x80 | (int)(c >> 6 & 0x3f), 0x80 | (int)(c & 0x3f));
    else
        strbuf_add(out, bytes, (size_t)utf8_encode(c, bytes));
}

/* As people read it: what is broken, and NUL, as U+FFFD, a byte at a time. */
static struct points mended(const struct points *p)
{
    struct points out = {.count = 0};
    for (size_t i = 0; i < p->count; i++) {
        uint32_t c = p->at[i];
        bool half = c >= 0xd800 && c <= 0xdfff;
        for (int k = 0; k < (half ? 3 : 1); k++)
            if (out.count < POINTS_MAX)
                add(&out, half || c == BROKEN || c == 0 ? 0xfffd : c);
    }
    return out;
}

static void expect_text(const char *text, const struct points *p, size_t most)
{
    struct strbuf expected = STRBUF_INIT;
    for (size_t i = 0; i < p->count && i < most; i++)
        add_bytes(&expected, p->at[i]);
    assert_string_equal(text, expected.buf);
    strbuf_release(&expected);
}

/* Escapes some, and what must be. */
static void write_text(struct random *r, struct strbuf *out, const struct points *p)
{
    strbuf_addch(out, '"');
    for (size_t i = 0; i < p->count; i++) {
        uint32_t c = p->at[i];
        bool must = c < 0x20 || c == '"' || c == '\\' || (c >= 0xd800 && c <= 0xdfff);
        if (c != BROKEN && (must || random_chance(r, 10))) {
            if (c >= 0x10000)
                strbuf_addf(out, "\\u%04x", 0xd800 + ((c - 0x10000) >> 10));
            strbuf_addf(out, "\\u%04x", c >= 0x10000 ? 0xdc00 + (c & 0x3ff) : c);
        } else {
            add_bytes(out, c);
        }
    }
    strbuf_addch(out, '"');
}

static uint32_t random_point(struct random *r)
{
    static const uint32_t some[] = {0,      0x1f,   ' ',    '"',    '\\',   0x7f,    0xe9,   0xa0,
                                    0x3000, 0x200b, 0x202e, 0xd800, 0xfffd, 0x1f30d, BROKEN, '7'};
    return random_chance(r, 60) ? 'a' + random_below(r, 26) : some[random_below(r, 16)];
}

/* No half of a pair next to another: the two would be one. */
static void random_points(struct random *r, struct points *p)
{
    size_t count = random_chance(r, 15) ? 190 + random_below(r, 20) : random_below(r, 6);
    p->count = 0;
    for (size_t i = 0; i < count; i++)
        add(p, random_point(r));
}

static void random_value(struct random *r, struct value *v)
{
    static const char *const numbers[] = {"12345", "-7",   "1.50", "0.5",       "1",    "0",  "-0",
                                          "2.0",   "1e30", "0.7",  "1.0000001", "0.25", "2.5"};
    static const char *const others[] = {"true", "false", "{}", "[]", "{\"document_id\":1}",
                                         "[0.5]"};
    static const char *const whole[] = {" 7 ", "5", "x", "+3", "-1", "5.0", "9223372036854775808",
                                        ""};
    v->type = (enum type)random_below(r, IS_OTHER + 1);
    v->text.count = 0;
    if (v->type == IS_OTHER && random_chance(r, 70))
        v->type = ABSENT;
    if (v->type == IS_NUMBER) {
        v->json = numbers[random_below(r, 13)];
        v->number = strtod(v->json, NULL);
        add_ascii(&v->text, v->json);
    } else if (v->type == IS_OTHER) {
        v->json = others[random_below(r, 6)];
    } else if (v->type == IS_TEXT && random_chance(r, 30)) {
        add_ascii(&v->text, whole[random_below(r, 8)]);
    } else if (v->type == IS_TEXT) {
        random_points(r, &v->text);
    }
}

enum {
    ID,
    TITLE,
    DOCUMENT_TITLE,
    SCORE,
    RELEVANCE,
    CONTENT,
    TEXT,
    CHUNK,
    MEMBERS
};
static const char *const names[MEMBERS] = {"document_id", "title",           "document_title",
                                           "score",       "relevance_score", "content",
                                           "text",        "chunk_index"};

struct item {
    bool is_object;
    struct value member[MEMBERS];
};

static void write_item(struct random *r, struct strbuf *out, const struct item *item)
{
    bool any = false;
    if (!item->is_object) {
        strbuf_addstr(out, "[{\"document_id\":1}]");
        return;
    }
    strbuf_addch(out, '{');
    for (size_t i = 0; i < MEMBERS; i++) {
        const struct value *v = &item->member[i];
        if (v->type == ABSENT)
            continue;
        strbuf_addf(out, "%s\"%s\":", any ? ", " : "", names[i]);
        any = true;
        if (v->type == IS_TEXT)
            write_text(r, out, &v->text);
        else
            strbuf_addstr(out, v->type == IS_NULL ? "null" : v->json);
    }
    strbuf_addch(out, '}');
}

/* ---- the rules ---- */

static const struct value *either(const struct item *item, int first, int second)
{
    return item->member[first].type != ABSENT ? &item->member[first] : &item->member[second];
}

static bool refuses(const struct item *item)
{
    if (!item->is_object)
        return true;
    const struct value *score = either(item, SCORE, RELEVANCE);
    const struct value *texts[] = {&item->member[ID], either(item, TITLE, DOCUMENT_TITLE),
                                   either(item, CONTENT, TEXT)};
    for (size_t i = 0; i < 3; i++)
        if (texts[i]->type == IS_OTHER)
            return true;
    return score->type == IS_NUMBER && (score->number < 0 || score->number > 1);
}

static bool white(uint32_t c)
{
    utf8proc_category_t category =
        c == BROKEN ? UTF8PROC_CATEGORY_CN : utf8proc_category((utf8proc_int32_t)c);
    return (c >= 9 && c <= 13) || c == 0x85 || category == UTF8PROC_CATEGORY_ZS ||
           category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

/* Only what the generator makes: at most 19 digits. */
static int64_t chunk_of(const struct value *v)
{
    char digits[32];
    size_t count = 0, from = 0, to = v->text.count;
    if (v->type == IS_NUMBER)
        return v->number >= 0 && v->number < 1e6 && v->number == (double)(int64_t)v->number
                   ? (int64_t)v->number
                   : -1;
    if (v->type != IS_TEXT)
        return -1;
    while (from < to && white(v->text.at[from]))
        from++;
    while (to > from && white(v->text.at[to - 1]))
        to--;
    from += from < to && (v->text.at[from] == '+');
    for (; from < to; from++) {
        if (v->text.at[from] < '0' || v->text.at[from] > '9' || count == 18)
            return -1;
        digits[count++] = (char)v->text.at[from];
    }
    digits[count] = '\0';
    return count ? strtoll(digits, NULL, 10) : -1;
}

static void expect_said(const char *text, const struct value *v, const char *without, size_t most)
{
    if (v->type != IS_TEXT && v->type != IS_NUMBER) {
        if (without)
            assert_string_equal(text, without);
        else
            assert_null(text);
        return;
    }
    struct points p = mended(&v->text);
    expect_text(text, &p, most);
}

static void expect_content(const struct source *s, const struct value *v)
{
    struct strbuf bytes = STRBUF_INIT;
    if (v->type == IS_TEXT || v->type == IS_NUMBER)
        for (size_t i = 0; i < v->text.count; i++)
            add_bytes(&bytes, v->text.at[i]);
    assert_int_equal(s->content_len, bytes.len);
    if (bytes.len > 0)
        assert_memory_equal(s->content, bytes.buf, bytes.len);
    assert_int_equal(s->version_hash != NULL, bytes.len > 0);
    strbuf_release(&bytes);
}

static void expect_result(const struct source *s, const struct item *item, size_t index)
{
    char made_up[48];
    const struct value *id = &item->member[ID], *score = either(item, SCORE, RELEVANCE);
    snprintf(made_up, sizeof(made_up), "doc_%zu", index);
    assert_int_equal(s->invented,
                     (id->type != IS_TEXT && id->type != IS_NUMBER) || id->text.count == 0);
    if (s->invented)
        assert_string_equal(s->document_id, made_up);
    else
        expect_said(s->document_id, id, NULL, SIZE_MAX);
    expect_said(s->title, either(item, TITLE, DOCUMENT_TITLE), NULL, SIZE_MAX);
    expect_said(s->excerpt, either(item, CONTENT, TEXT), "", 200);
    expect_content(s, either(item, CONTENT, TEXT));
    assert_true(s->relevance == (score->type == IS_NUMBER ? score->number : 0.5));
    assert_int_equal(s->origin, score->type == IS_NUMBER ? SCORE_MEASURED : SCORE_DEFAULT);
    assert_int_equal(s->chunk, chunk_of(&item->member[CHUNK]));
    assert_int_equal(s->rank, index + 1);
}

#define ITEMS_MAX 6

static void try_results(struct random *r, const struct item *items, size_t count)
{
    struct strbuf json = STRBUF_INIT;
    struct source_list list;
    struct error e;
    size_t taken = 0, refused = 0;
    strbuf_addch(&json, '[');
    for (size_t i = 0; i < count; i++) {
        strbuf_addstr(&json, i ? " , " : "");
        write_item(r, &json, &items[i]);
    }
    strbuf_addch(&json, ']');
    assert_int_equal(json_check_lax(json.buf, json.len, JSON_DEPTH_MAX, &e), 0);
    struct json_slice slice = {json.buf, json.len};
    sources_from_results(&list, &arena, slice, "item");
    for (size_t i = 0; i < count; i++) {
        if (refuses(&items[i]))
            assert_int_equal(list.refused[refused++].index, i);
        else
            expect_result(&list.source[taken++], &items[i], i);
    }
    assert_int_equal(list.count, taken);
    assert_int_equal(list.refused_count, refused);
    strbuf_release(&json);
}

static void results_are_as_the_rules_say(void **state)
{
    static struct item items[ITEMS_MAX];
    struct random r = {21};
    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t count = random_below(&r, ITEMS_MAX + 1);
        for (size_t i = 0; i < count; i++) {
            items[i].is_object = random_chance(&r, 95);
            for (size_t k = 0; k < MEMBERS; k++)
                random_value(&r, &items[i].member[k]);
        }
        try_results(&r, items, count);
        arena_clear(&arena);
    }
}

/* ---- contexts ---- */

static void random_context(struct random *r, struct points *p)
{
    static const uint32_t blanks[] = {' ', '\n', 0xa0, 0x3000, 0x200b, 0x85, 0x1680, 0x2028, 0x1f};
    static const char *const words[] = {
        "id:", "id:", "ID:", "doc_1", "valid:", "paid:", "i", "d", ":"};
    p->count = 0;
    for (uint32_t i = 0, count = random_below(r, 9); i < count; i++) {
        if (random_chance(r, 40))
            add(p, blanks[random_below(r, 9)]);
        else if (random_chance(r, 10))
            add(p, BROKEN);
        else
            add_ascii(p, words[random_below(r, 9)]);
    }
    if (random_chance(r, 5))
        while (p->count < 203)
            add(p, 0x1f30d);
}

static bool mark_at(const struct points *p, size_t at)
{
    return at + 3 <= p->count && p->at[at] == 'i' && p->at[at + 1] == 'd' && p->at[at + 2] == ':';
}

/* Empty: none. */
static struct points id_of(const struct points *p)
{
    struct points id = {.count = 0};
    for (size_t at = 0; at < p->count; at++) {
        if (!mark_at(p, at) || (at > 0 && !white(p->at[at - 1])))
            continue;
        size_t from = at + 3, end = from;
        while (end < p->count && !mark_at(p, end))
            end++;
        while (from < end && white(p->at[from]))
            from++;
        for (; from < end && !white(p->at[from]); from++)
            add(&id, p->at[from]);
        break;
    }
    return id;
}

static bool is_blank(const struct points *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (!white(p->at[i]))
            return false;
    return true;
}

static void expect_context(const struct source *s, const struct points *p, const char *text,
                           size_t index)
{
    char made_up[48];
    struct points id = id_of(p), whole = mended(p);
    double relevance = 1.0 - (double)index * 0.1;
    snprintf(made_up, sizeof(made_up), "context_doc_%zu", index);
    assert_int_equal(s->invented, id.count == 0);
    id = mended(&id);
    if (s->invented)
        assert_string_equal(s->document_id, made_up);
    else
        expect_text(s->document_id, &id, SIZE_MAX);
    expect_text(s->excerpt, &whole, 200);
    assert_string_equal(s->content, text);
    assert_int_equal(s->content_len, strlen(text));
    assert_true(s->relevance == (relevance > 0.3 ? relevance : 0.3));
    assert_int_equal(s->origin, SCORE_HEURISTIC);
    assert_int_equal(s->rank, index + 1);
    assert_int_equal(s->chunk, -1);
    assert_null(s->title);
}

#define CONTEXTS_MAX 10

static void contexts_are_as_the_rules_say(void **state)
{
    static struct points points[CONTEXTS_MAX];
    struct random r = {22};
    (void)state;
    for (int round = 0; round < 5000; round++) {
        const char *text[CONTEXTS_MAX];
        struct source_list list;
        size_t taken = 0, count = random_below(&r, CONTEXTS_MAX + 1);
        for (size_t i = 0; i < count; i++) {
            struct strbuf bytes = STRBUF_INIT;
            random_context(&r, &points[i]);
            for (size_t k = 0; k < points[i].count; k++)
                add_bytes(&bytes, points[i].at[k]);
            text[i] = arena_strdup(&arena, bytes.buf);
            strbuf_release(&bytes);
        }
        sources_from_contexts(&list, &arena, text, count);
        for (size_t i = 0; i < count; i++)
            if (!is_blank(&points[i]))
                expect_context(&list.source[taken++], &points[i], text[i], i);
        assert_int_equal(list.count, taken);
        arena_clear(&arena);
    }
}

static void white_space_is_unicodes(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10ffff; c++)
        assert_int_equal(utf8_is_space(c), white(c));
}

/* What would take days if anything were looked at again and again. */
static void a_hostile_context_is_read_once(void **state)
{
    static const char *const pieces[] = {"id:", "aid:", " id: ", " ", "\xe3\x80\x80", "\xff", "id"};
    (void)state;
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
        for (int marked = 0; marked < 2; marked++) {
            struct strbuf text = STRBUF_INIT;
            struct source_list list;
            strbuf_addstr(&text, marked ? "id: " : "");
            while (text.len < 1000000)
                strbuf_addstr(&text, pieces[i]);
            sources_from_contexts(&list, &arena, (const char *const *)&text.buf, 1);
            strbuf_release(&text);
            arena_clear(&arena);
        }
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_as_the_rules_say),
        cmocka_unit_test(contexts_are_as_the_rules_say),
        cmocka_unit_test(white_space_is_unicodes),
        cmocka_unit_test(a_hostile_context_is_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
