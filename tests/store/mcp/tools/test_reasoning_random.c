/*
 * The tools of reasoning and citations with whatever a client may send: each call is answered as its schema
 * says or refused with a reason and nothing stored, and in the end the store is whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/fsck/fsck.h"
#include "tests/support/findings.h"
#include "tests/support/random.h"
#include "tests/support/tool_call.h"

#define CALLS 3000
#define KNOWN 64 /* refs that later calls name */

struct trial {
    struct random random;
    struct arena arena;
    const char *known[KNOWN];
    size_t known_count;
    size_t done, refused;
};

/* ---- arguments ---- */

static void add_string(struct trial *t, struct strbuf *out)
{
    static const char *const odd[] = {"\"\\u0000\"", "\"\\ud800\"",      "\"id:a\"",  "\"\"",
                                      "\"   \"",     "\"id: d_1 text\"", "\"doc_1\"", "\" 7 \""};
    if (random_chance(&t->random, 30))
        strbuf_addstr(out, odd[random_below(&t->random, sizeof(odd) / sizeof(*odd))]);
    else
        json_add_string(out, random_text(&t->random, &t->arena, 12));
}

static void add_number(struct trial *t, struct strbuf *out)
{
    static const char *const numbers[] = {
        "0",    "1",      "0.5",   "0.7", "0.70000001",       "1e-9",   "-0", "-1", "1.01", "2.0",
        "1e99", "100000", "0.1e1", "7",   "9007199254740993", "-1e-320"};
    strbuf_addstr(out, numbers[random_below(&t->random, sizeof(numbers) / sizeof(*numbers))]);
}

static void add_any(struct trial *t, struct strbuf *out)
{
    static const char *const others[] = {"null", "true", "false", "[]", "{}", "[[1],{\"a\":null}]"};
    uint32_t kind = random_below(&t->random, 10);
    if (kind < 4)
        add_string(t, out);
    else if (kind < 7)
        add_number(t, out);
    else
        strbuf_addstr(out, others[random_below(&t->random, sizeof(others) / sizeof(*others))]);
}

static void add_known(struct trial *t, struct strbuf *out)
{
    if (t->known_count == 0 || random_chance(&t->random, 4))
        add_any(t, out);
    else
        json_add_string(out, t->known[random_below(&t->random, (uint32_t)t->known_count)]);
}

static void add_value(struct trial *t, struct strbuf *out, const struct field *f, int depth);

static void add_object(struct trial *t, struct strbuf *out, const struct field *fields, bool open,
                       int depth)
{
    struct json_object o = json_begin(out, '{');
    for (const struct field *f = fields; f->name; f++) {
        if (!random_chance(&t->random, f->flags & FIELD_REQUIRED ? 98 : 55))
            continue;
        json_key(&o, f->name);
        add_value(t, out, f, depth);
    }
    if (open && random_chance(&t->random, 20)) {
        json_key(&o, "more");
        add_any(t, out);
    }
    json_end(&o);
}

static void add_list(struct trial *t, struct strbuf *out, const struct field *f, int depth)
{
    uint32_t count = random_below(&t->random, 5);
    struct json_object list = json_begin(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        json_item(&list);
        if (random_chance(&t->random, 6))
            add_any(t, out);
        else if (f->of == FIELD_OBJECT && f->fields)
            add_object(t, out, f->fields, true, depth + 1);
        else
            add_string(t, out);
    }
    json_end(&list);
}

/* Mostly what the schema says, now and then anything. */
static void add_value(struct trial *t, struct strbuf *out, const struct field *f, int depth)
{
    if (strcmp(f->name, "chain") == 0) {
        add_known(t, out);
    } else if (random_chance(&t->random, depth ? 8 : 2)) {
        add_any(t, out);
    } else if (f->flags & FIELD_NULLABLE && random_chance(&t->random, 15)) {
        strbuf_addstr(out, "null");
    } else if (f->type == FIELD_ARRAY) {
        add_list(t, out, f, depth);
    } else if (f->type == FIELD_OBJECT && f->fields) {
        add_object(t, out, f->fields, f->flags & FIELD_OPEN, depth + 1);
    } else if (f->type == FIELD_INTEGER) {
        strbuf_addf(out, "%u", random_below(&t->random, 12));
    } else if (f->type == FIELD_NUMBER) {
        strbuf_addf(out, "0.%02u", random_below(&t->random, 100));
    } else if (f->type == FIELD_BOOLEAN) {
        strbuf_addstr(out, random_chance(&t->random, 50) ? "true" : "false");
    } else if (f->type == FIELD_STRING && f->choice) {
        json_add_string(out, f->choice(0));
    } else if (f->type == FIELD_STRING) {
        add_string(t, out);
    } else {
        add_any(t, out);
    }
}

/* ---- calls ---- */

/* Clients send what json_check_lax passes; a key twice or a number that is none does not reach a tool. */
static bool reaches_a_tool(const struct strbuf *line)
{
    struct error e;
    return json_check_lax(line->buf, line->len, JSON_DEPTH_LIMIT, &e) == 0;
}

static void remember(struct trial *t, struct fixture *f, const char *answer)
{
    struct json_slice ref = answer_at(answer, "ref");
    if (!ref.ptr || ref.ptr[0] != '"')
        return;
    const char *text = answer_text(f, answer, "ref");
    if (t->known_count < KNOWN)
        t->known[t->known_count++] = text;
    else
        t->known[random_below(&t->random, KNOWN)] = text;
}

static void call_once(struct trial *t, struct fixture *f, const char *tool)
{
    struct strbuf line = STRBUF_INIT;
    struct error e;
    const char *answer;
    arena_clear(&t->arena);
    add_object(t, &line, tool_named(tool)->arguments, false, 0);
    if (reaches_a_tool(&line)) {
        if (tool_try(f, tool, line.buf, &answer, &e) == 0) {
            t->done++;
            remember(t, f, answer);
        } else {
            t->refused++;
            if (e.code != ERROR_INVALID && e.code != ERROR_NOT_FOUND && e.code != ERROR_CONFLICT)
                fail_msg("%s %s: %s: %s", tool, line.buf, error_name(e.code), e.what);
            assert_true(*e.what);
        }
    }
    strbuf_release(&line);
}

static void whatever_is_sent_is_answered_or_refused(void **state)
{
    (void)state;
    static const char *const tools[] = {
        "cot_begin", "cot_step",    "cot_step",        "cot_step",     "cot_finish",   "cot_record",
        "cot_get",   "cot_sources", "extract_sources", "cite_sources", "get_citations"};
    struct fixture f;
    struct trial t = {.random = {20261121}, .arena = ARENA_INIT};
    fixture_open(&f);
    for (int i = 0; i < CALLS; i++)
        call_once(&t, &f, tools[random_below(&t.random, sizeof(tools) / sizeof(*tools))]);
    assert_true(t.done > CALLS / 4);
    assert_true(t.refused > CALLS / 20);
    struct findings found = {0};
    struct fsck_summary summary;
    struct error e;
    assert_int_equal(store_fsck(f.reader, findings_note, NULL, &found, &summary, &e), 0);
    if (found.total)
        fail_msg("%s", found.text);
    arena_release(&t.arena);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_sent_is_answered_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
