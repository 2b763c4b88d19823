/* What the questions answer about a small lineage, as JSON: for a person, and bounded for an agent. */
#include "model/base/alloc.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/scratch.h"

#include "model/json/json.h"
#include "store/db/store.h"
#include "store/query/ref.h"
#include "store/questions/questions.h"
#include "tests/support/test.h"

/* A page, two notes from it, an entry of one's own, and a belief on all three; what contradicts it; a circle. */
static const char lineage[] =
    "{\"ref\":\"raw:page\",\"agent_id\":\"ash\",\"text\":\"A page\"}\n"
    "{\"ref\":\"raw:own\",\"agent_id\":\"ash\",\"text\":\"Seen in the log\"}\n"
    "{\"ref\":\"note:one\",\"agent_id\":\"ash\",\"text\":\"One\",\"derived_from\":[\"raw:"
    "page\"]}\n"
    "{\"ref\":\"note:two\",\"agent_id\":\"ash\",\"text\":\"Two\",\"derived_from\":[\"raw:"
    "page\"]}\n"
    "{\"ref\":\"belief:echo\",\"agent_id\":\"ash\",\"text\":\"Retries are "
    "safe\",\"derived_from\":[\"note:one\","
    "\"note:two\"]}\n"
    "{\"ref\":\"belief:firm\",\"agent_id\":\"ash\",\"text\":\"Retries hide "
    "errors\",\"derived_from\":[\"note:one\","
    "\"raw:own\"]}\n"
    "{\"ref\":\"belief:both\",\"agent_id\":\"ash\",\"text\":\"It needs "
    "both\",\"justifications\":[{\"role\":"
    "\"derived_from\",\"reading\":\"all\",\"antecedents\":[{\"ref\":\"raw:page\"},{\"ref\":"
    "\"raw:own\"}]}]}\n"
    "{\"ref\":\"belief:other\",\"agent_id\":\"ash\",\"text\":\"Retries are not "
    "safe\",\"derived_from\":[\"raw:own\"],"
    "\"relations\":[{\"type\":\"contradicts\",\"to\":\"belief:echo\"}]}\n"
    "{\"ref\":\"belief:this\",\"agent_id\":\"ash\",\"text\":\"This\",\"derived_from\":[\"belief:"
    "that\"]}\n"
    "{\"ref\":\"belief:that\",\"agent_id\":\"ash\",\"text\":\"That\",\"derived_from\":[\"belief:"
    "this\"]}\n";

static struct store *store;
static struct reader *reader;

static int open_store(void **state)
{
    struct imported out;
    struct error e;
    AUTO_FREE char *path = scratch_path("questions.db");
    store = kernle_target(path);
    import_lines(&out, store, lineage, NULL);
    assert_string_equal(out.lines.buf, "");
    imported_release(&out);
    reader = reader_open(store, &e);
    return reader ? 0 : -1;
}

static int close_store(void **state)
{
    reader_close(reader);
    store_close(store);
    return 0;
}

/* The answer as JSON, in the arena. */
static const char *asked(struct arena *arena, const char *name, const char *about)
{
    const struct question *q = question_find(name);
    struct error e = {0};
    struct report p;
    struct strbuf out = STRBUF_INIT;
    int64_t row = 0;
    assert_non_null(q);
    bool of_memory = q->of == ABOUT_MEMORY || q->of == ABOUT_PAIR;
    if (of_memory && (row = ref_resolve(reader, about, &e)) < 0)
        fail_msg("%s", e.what);
    struct asked to = {.row = &row, .count = of_memory, .text = q->of == ABOUT_TEXT ? about : NULL};
    if (question_ask(&p, q, reader, arena, &to, &e) ||
        report_json(&p, reader, &(struct report_bounds){.agent = false}, &out, &e))
        fail_msg("%s: %s", name, e.what);
    return arena_take(arena, &out);
}

static void expect(const char *name, const char *about, const char *answer)
{
    AUTO_ARENA arena = ARENA_INIT;
    assert_string_equal(asked(&arena, name, about), answer);
}

GROUP(open_store, close_store);

TEST(ten_echoes_are_one_derivation)
{
    expect("roots", "belief:echo",
           "{\"ref\":\"belief:echo\",\"supports\":2,\"independent\":1,\"proven\":true,\"ways\":2,"
           "\"oldest\":1796083200000,\"roots\":["
           "\"raw:page\"],"
           "\"derivations\":[[\"raw:page\",\"note:one\"]]}\n");
    expect("roots", "belief:firm",
           "{\"ref\":\"belief:firm\",\"supports\":2,\"independent\":2,\"proven\":true,\"ways\":2,"
           "\"oldest\":1796083200000,\"roots\":["
           "\"raw:page\","
           "\"raw:own\"],\"derivations\":[[\"raw:own\"],[\"raw:page\",\"note:one\"]]}\n");
    expect("roots", "belief:this",
           "{\"ref\":\"belief:this\",\"supports\":0,\"independent\":0,\"proven\":true,\"roots\":[],"
           "\"derivations\":[]}\n");
}

TEST(blame_names_the_smallest_sets)
{
    expect("blame", "belief:echo",
           "{\"ref\":\"belief:echo\",\"sets\":[[\"raw:page\"]],\"minimal\":true,"
           "\"sources\":[{\"ref\":"
           "\"raw:page\",\"responsibility\":1,\"share\":1}]}\n");
    expect("blame", "belief:firm",
           "{\"ref\":\"belief:firm\",\"sets\":[[\"raw:page\",\"raw:own\"]],\"minimal\":"
           "true,\"sources\":[{\"ref\":"
           "\"raw:page\",\"responsibility\":0.5,\"share\":0.5},{\"ref\":\"raw:own\","
           "\"responsibility\":0.5,"
           "\"share\":0.5}]}\n");
    expect("blame", "belief:both",
           "{\"ref\":\"belief:both\",\"sets\":[[\"raw:page\"],[\"raw:own\"]],\"minimal\":"
           "true,\"sources\":[{"
           "\"ref\":\"raw:page\",\"responsibility\":1,\"share\":0.5},{\"ref\":\"raw:own\","
           "\"responsibility\":1,"
           "\"share\":0.5}]}\n");
    expect("blame", "raw:own",
           "{\"ref\":\"raw:own\",\"sets\":[],\"minimal\":true,\"sources\":[]}\n");
}

TEST(why_goes_from_the_root_to_the_belief)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *answer = asked(&arena, "why", "belief:echo");
    const char *page = strstr(answer, "{\"ref\":\"raw:page\",\"role\":\"derived_from\""),
               *note = strstr(answer, "{\"ref\":\"note:one\""),
               *belief = note ? strstr(note, "{\"ref\":\"belief:echo\"") : NULL;
    assert_non_null(page);
    assert_true(page < note && note < belief);
    assert_non_null(strstr(answer, "\"supports\":2,\"independent\":1"));
    assert_non_null(strstr(answer, "\"contradicted_by\":[\"belief:other\"]}"));
}

TEST(the_interval_says_what_the_sources_warrant)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *answer = asked(&arena, "confidence", "belief:both");
    assert_non_null(strstr(answer, "\"low\":"));
    assert_non_null(strstr(answer, "\"expression\":"));
    assert_non_null(strstr(answer, "\"roots\":[{\"ref\":\"raw:page\",\"probability\":"));
}

TEST(keystones_come_in_the_order_of_what_they_hold_up)
{
    expect("keystones", NULL,
           "{\"ref\":\"raw:page\",\"loses\":4}\n{\"ref\":\"raw:own\",\"loses\":2}\n");
}

TEST(taint_tells_touched_from_alone)
{
    expect("taint", "raw:page",
           "{\"ref\":\"raw:page\",\"alone\":[\"note:one\",\"note:two\",\"belief:echo\","
           "\"belief:both\"],"
           "\"touched\":[\"note:one\",\"note:two\",\"belief:echo\",\"belief:both\",\"belief:firm\"]"
           "}\n");
}

TEST(why_not_names_what_is_believed_and_what_is_not)
{
    expect("why-not", "hide errors",
           "{\"text\":\"hide errors\",\"ref\":\"belief:firm\",\"cause\":\"it is "
           "believed\",\"fallen\":[],\"others\":[]}\n");
    expect("why-not", "zebra",
           "{\"text\":\"zebra\",\"cause\":\"no memory says this: it was never recorded, or "
           "purged\",\"fallen\":[],\"others\":[]}\n");
}

TEST(resolve_finds_the_other_and_weighs_both)
{
    expect(
        "resolve", "belief:echo",
        "{\"command\":\"stemma resolve belief:other belief:echo --keep belief:other "
        "--yes\",\"keep\":"
        "\"belief:other\",\"replace\":\"belief:echo\",\"reasons\":[\"it is newer\"],\"ways\":["
        "{\"ref\":\"belief:echo\",\"way\":\"replace\",\"by\":\"belief:other\",\"loses\":0,\"lost\":"
        "[],"
        "\"command\":\"stemma resolve belief:other belief:echo --keep belief:other --yes\"},"
        "{\"ref\":\"belief:other\",\"way\":\"replace\",\"by\":\"belief:echo\",\"loses\":0,\"lost\":"
        "[],"
        "\"command\":\"stemma resolve belief:echo belief:other --keep belief:echo --yes\"},"
        "{\"ref\":\"belief:echo\",\"way\":\"retract\",\"loses\":0,\"lost\":[],\"command\":\"stemma "
        "retract belief:echo\"},"
        "{\"ref\":\"belief:other\",\"way\":\"retract\",\"loses\":0,\"lost\":[],\"command\":"
        "\"stemma "
        "retract belief:other\"}],\"impossible\":[[\"raw:page\",\"raw:own\"]]}\n");
}

TEST(an_answer_with_little_room_is_whole_and_counts_the_rest)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e = {0};
    struct report p;
    AUTO_STRBUF out = STRBUF_INIT;
    struct report_bounds bounds = {.agent = true, .most = 60};
    int64_t row = ref_resolve(reader, "raw:page", &e);
    struct asked to = {.row = &row, .count = 1};
    assert_int_equal(question_ask(&p, question_find("taint"), reader, &arena, &to, &e), 0);
    assert_int_equal(report_json(&p, reader, &bounds, &out, &e), 0);
    assert_int_equal(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e), 0);
    assert_true(bounds.left > 0);
}

/* 400 notes, each of which needs 4 of 60 sources: too much for the search. */
TEST(a_responsibility_that_is_a_bound_says_so)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF lines = STRBUF_INIT, notes = STRBUF_INIT;
    struct imported out;
    uint32_t at = 1;
    for (int i = 0; i < 60; i++)
        strbuf_addf(&lines, "{\"ref\":\"raw:h%d\",\"agent_id\":\"ash\",\"text\":\"h\"}\n", i);
    for (int i = 0; i < 400; i++) {
        strbuf_addf(
            &lines,
            "{\"ref\":\"note:h%d\",\"agent_id\":\"ash\",\"text\":\"h\",\"justifications\":[{"
            "\"role\":\"derived_from\",\"reading\":\"all\",\"antecedents\":[",
            i);
        for (uint32_t k = 0; k < 4; k++) {
            at = at * 1103515245 + 12345;
            strbuf_addf(&lines, "%s{\"ref\":\"raw:h%u\"}", k ? "," : "", k * 15 + (at >> 16) % 15);
        }
        strbuf_addstr(&lines, "]}]}\n");
        strbuf_addf(&notes, "%s\"note:h%d\"", i ? "," : "", i);
    }
    strbuf_addf(
        &lines,
        "{\"ref\":\"belief:hard\",\"agent_id\":\"ash\",\"text\":\"h\",\"derived_from\":[%s]}\n",
        notes.buf);
    import_lines(&out, store, lines.buf, NULL);
    imported_release(&out);
    assert_non_null(strstr(asked(&arena, "blame", "belief:hard"), "\"at_most\":true"));
}

/* More than forensics looks through. */
TEST(forensics_of_a_deep_memory_has_its_own_events)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF chain = STRBUF_INIT;
    struct imported out;
    for (int i = 0; i < 2100; i++)
        strbuf_addf(&chain,
                    "{\"ref\":\"note:c%d\",\"agent_id\":\"ash\",\"text\":\"c\",\"derived_from\":["
                    "\"%s\"]}\n",
                    i, i ? arena_format(&arena, "note:c%d", i - 1) : "raw:page");
    import_lines(&out, store, chain.buf, NULL);
    imported_release(&out);
    const char *answer = asked(&arena, "forensics", "note:c2099");
    assert_non_null(strstr(answer, "\"changes\":[{\"ref\":\"note:c2099\""));
    assert_non_null(strstr(answer, "\"path\":[\"note:c2099\"]"));
}
