/* Citing: what a response cites becomes memories, events and links, and can be read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/json/json.h"
#include "store/reasoning/cite.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "tests/support/findings.h"
#include "tests/support/store_fixture.h"

struct call {
    const struct actor *actor;
    struct cited_response given;
    struct arena *arena;
    struct cite_result result;
};

static int run(struct txn *t, void *arg, struct error *e)
{
    struct call *c = arg;
    return cite_sources(t, c->actor, &c->given, c->arena, &c->result, e);
}

static const struct actor agent = {
    .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
static const struct actor person = {.class = ACTOR_PERSON, .name = "sean", .origin = "command"};

static struct cite_result cite_as(struct fixture *f, const struct actor *actor, const char *who,
                                  const char *conversation, const char *message, const char *json)
{
    struct error e = {0};
    assert_int_equal(json_check_lax(json, strlen(json), JSON_DEPTH_MAX, &e), 0);
    struct call c = {.actor = actor,
                     .given = {conversation, message, who, {json, strlen(json)}},
                     .arena = &f->arena};
    if (store_run(f->store, run, &c, &e))
        fail_msg("%s", e.what);
    return c.result;
}

static struct cite_result cite(struct fixture *f, const char *message, const char *json)
{
    return cite_as(f, &agent, NULL, "c1", message, json);
}

static struct memory memory_of(struct fixture *f, const char *ref)
{
    struct memory m;
    struct error e;
    if (memory_read(f->reader, &f->arena, fixture_row(f, ref), &m, &e))
        fail_msg("%s", e.what);
    return m;
}

static struct memory memory_at(struct fixture *f, int64_t node)
{
    return memory_of(f, fixture_ref(f, node));
}

static const char *answer(struct fixture *f, const char *conversation, const char *message,
                          const char *document)
{
    struct strbuf out = STRBUF_INIT;
    struct error e;
    struct citation_query q = {
        .conversation_id = conversation, .message_id = message, .document_id = document};
    if (citations_answer(f->reader, &q, &out, &e))
        fail_msg("%s", e.what);
    assert_int_equal(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e), 0);
    const char *copy = arena_strndup(&f->arena, out.buf, out.len);
    strbuf_release(&out);
    return copy;
}

static size_t cited(struct fixture *f, const char *message)
{
    struct error e;
    int64_t *rows;
    size_t count;
    struct citation_query q = {.conversation_id = "c1", .message_id = message};
    if (citations_find(f->reader, &f->arena, &q, &rows, &count, &e))
        fail_msg("%s", e.what);
    return count;
}

static int64_t last(struct fixture *f)
{
    struct error e;
    return journal_last(f->reader, &e);
}

/* With nobody at the file, which would write its log back into it now and then. */
static void assert_sound(struct fixture *f)
{
    struct error e;
    reader_close(f->reader);
    store_close(f->store);
    struct findings found = findings_of(f->path);
    if (found.total)
        fail_msg("%s", found.text);
    f->store = store_open(f->path, &(struct store_options){.create = true}, NULL, &e);
    f->reader = f->store ? reader_open(f->store, &e) : NULL;
    assert_non_null(f->reader);
}

/* A person's deed on a memory, or on an event (the other is 0). */
static int attempt(struct fixture *f, enum operation op, int64_t node, int64_t seq, struct error *e)
{
    struct plan p;
    struct request q = REQUEST_INIT;
    q.nodes = &node;
    q.node_count = node != 0;
    q.seqs = &seq;
    q.seq_count = seq != 0;
    *e = (struct error){0};
    return operation_run_now(f->store, &person, op, &q, &f->arena, &p, e);
}

static void operate(struct fixture *f, enum operation op, int64_t node, int64_t seq)
{
    struct error e;
    if (attempt(f, op, node, seq, &e))
        fail_msg("%s", e.what);
}

/* ---- */

static const char seven[] =
    "[{\"documentId\":\"d1\",\"documentName\":\"One\",\"location\":{\"page\":1},\"snippet\":\"s1\","
    "\"relevanceScore\":0.3},{\"documentId\":\"d2\",\"snippet\":\"s2\",\"relevanceScore\":0.9},"
    "{\"documentId\":\"d3\",\"snippet\":\"s3\",\"relevanceScore\":0.8},"
    "{\"documentId\":\"d4\",\"snippet\":\"s4\",\"relevanceScore\":0.7},"
    "{\"documentId\":\"d5\",\"snippet\":\"s5\",\"relevanceScore\":0.6},"
    "{\"documentId\":\"d6\",\"snippet\":\"s6\",\"relevanceScore\":0.5},"
    "{\"documentId\":\"d1\",\"location\":{\"page\":1},\"snippet\":\"again\",\"relevanceScore\":0.4}"
    "]";

static void documents_of_made_up_ids_are_their_content(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    struct cite_result a = cite(&f, "m1", "[{\"snippet\":\"same words\",\"relevanceScore\":1}]");
    struct cite_result b = cite(&f, "m2", "[{\"snippet\":\"same words\",\"relevanceScore\":1}]");
    struct cite_result c = cite(&f, "m3", "[{\"snippet\":\"others\",\"relevanceScore\":1}]");
    struct cite_result d = cite(&f, "m4", "[{\"relevanceScore\":1}]");
    struct cite_result g = cite(&f, "m5", "[{\"relevanceScore\":1}]");
    const struct cite_result *each[] = {&a, &b, &c, &d, &g};
    struct ref ref[5];
    for (size_t i = 0; i < 5; i++) {
        struct memory m = memory_at(&f, each[i]->added[0].node);
        ref[i] = m.justifications[0].antecedents[0].ref;
        assert_string_equal(m.justifications[0].antecedents[0].use->label, "source-1");
    }
    assert_true(ref_equal(ref[0], ref[1]));
    assert_false(ref_equal(ref[0], ref[2]));
    assert_false(ref_equal(ref[3], ref[4]));
    assert_memory_equal(ref[0].id, "sha256-", 7);
    fixture_close(&f);
}

static void what_a_person_protects_is_left(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    struct cite_result r = cite(&f, "m1", seven);
    operate(&f, OPERATION_PROTECT, r.added[0].node, 0);
    const char *kept = r.added[0].ref.id;
    r = cite(&f, "m1", "[]");
    assert_int_equal(cited(&f, "m1"), 1);
    assert_int_equal(r.kept_count, 1);
    assert_string_equal(r.kept[0].id, kept);
    r = cite(&f, "m2", seven);
    assert_int_equal(r.kept_count, 0);
    fixture_close(&f);
}

static void undo_takes_a_response_back(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    fixture_open(&f);
    cite(&f, "m1", seven);
    struct cite_result r =
        cite(&f, "m1", "[{\"documentId\":\"d9\",\"snippet\":\"new\",\"relevanceScore\":0.9}]");
    int64_t done = last(&f); /* which is about no memory */
    operate(&f, OPERATION_UNDO, 0, done);
    assert_int_equal(memory_at(&f, r.added[0].node).status, STATUS_MISSING);
    assert_int_equal(memory_of(&f, "document:d9").status, STATUS_MISSING);
    assert_int_equal(cited(&f, "m1"), 5);
    assert_sound(&f);
    assert_int_equal(attempt(&f, OPERATION_UNDO, 0, done, &e), -1);
    operate(&f, OPERATION_REDO, 0, 0);
    assert_int_equal(cited(&f, "m1"), 1);
    assert_sound(&f);
    fixture_close(&f);
}

static void answers_name_what_was_cited(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    fixture_open(&f);
    cite(&f, "m1", seven);
    cite(&f, "m2",
         "[{\"documentId\":\"d2\",\"documentName\":\"Two\",\"location\":{\"page\":12},"
         "\"snippet\":\"q\",\"relevanceScore\":0.6}]");
    const char *all = answer(&f, "c1", NULL, NULL);
    assert_non_null(strstr(all, "\"total\":6"));
    assert_non_null(strstr(all, "\"formatted\":\"(Two, page 12)\""));
    const char *one = answer(&f, NULL, NULL, "d2");
    assert_non_null(strstr(one, "\"total\":2"));
    assert_non_null(strstr(one, "\"document\":\"document:d2\""));
    assert_true(strstr(one, "\"s2\"") < strstr(one, "\"q\""));
    assert_non_null(strstr(answer(&f, NULL, "m2", NULL), "\"uncertainty\":\"low\""));
    assert_non_null(strstr(answer(&f, "nothing", NULL, NULL),
                           "{\"citations\":[],\"total\":0,\"uncertainty\":\"complete\"}"));
    struct strbuf out = STRBUF_INIT;
    assert_int_equal(citations_answer(f.reader, &(struct citation_query){0}, &out, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    strbuf_release(&out);
    fixture_close(&f);
}

static void what_is_forgotten_or_purged_is_cited_no_more(void **state)
{
    (void)state;
    struct fixture f;
    static const enum operation each[] = {OPERATION_FORGET, OPERATION_RETRACT, OPERATION_PURGE};
    fixture_open(&f);
    struct cite_result r = cite(&f, "m1", seven);
    for (size_t i = 0; i < 3; i++) {
        operate(&f, each[i], r.added[i].node, 0);
        assert_int_equal(cited(&f, "m1"), 4 - i);
    }
    assert_sound(&f);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_of_made_up_ids_are_their_content),
        cmocka_unit_test(what_a_person_protects_is_left),
        cmocka_unit_test(undo_takes_a_response_back),
        cmocka_unit_test(answers_name_what_was_cited),
        cmocka_unit_test(what_is_forgotten_or_purged_is_cited_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
