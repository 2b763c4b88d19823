/* The tools that add, read and search memories, on real stores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "model/format/exchange.h"
#include "store/json/answer.h"
#include "store/journal/journal.h"
#include "store/query/list.h"
#include "store/mcp/tools/tools.h"
#include "tests/support/random_memory.h"
#include "tests/support/tool_call.h"

/* A call with its arguments as printf writes them. */
static const char *call(struct fixture *f, const char *tool, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *call(struct fixture *f, const char *tool, const char *format, ...)
{
    struct strbuf arguments = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&arguments, format, args);
    va_end(args);
    const char *answer = tool_answer(f, tool, arguments.buf);
    strbuf_release(&arguments);
    return answer;
}

static const char *get(struct fixture *f, const char *ref)
{
    return call(f, "memory_get", "{\"ref\":\"%s\"}", ref);
}

/* ---- adding ---- */

static void each_kind_is_added_with_its_fields(void **state)
{
    struct fixture *f = *state;
    const char *raw = answer_text(
        f, call(f, "memory_raw", "{\"blob\":\"as it came\",\"source\":\"told by Claire\"}"), "ref");
    assert_memory_equal(raw, "raw:", 4);
    const char *m = get(f, raw);
    assert_string_equal(answer_text(f, m, "text"), "as it came");
    assert_string_equal(answer_text(f, m, "source_type"), "told_by_agent");
    assert_string_equal(answer_text(f, m, "agent_id"), "client");
    assert_string_equal(answer_text(f, m, "label"), "grounded");

    const char *episode = answer_text(
        f,
        call(f, "memory_episode",
             "{\"objective\":\"deploy\",\"outcome\":\"rolled \\\"back\\\"\",\"outcome_type\":"
             "\"failure\",\"lessons\":[\"one\",\"two\"],\"tags\":[\"a\",\"b\"],\"derived_from\":"
             "[\"%s\"],\"context_tags\":[\"b\",\"c\"],\"context\":\"ci\"}",
             raw),
        "ref");
    m = get(f, episode);
    assert_string_equal(answer_text(f, m, "detail.outcome"), "rolled \"back\"");
    assert_int_equal(answer_count(m, "detail.lessons"), 2);
    assert_int_equal(answer_count(m, "tags"), 3);
    assert_string_equal(answer_text(f, m, "context"), "ci");
    assert_string_equal(answer_text(f, m, "justifications.0.antecedents.0.ref"), raw);

    m = get(f, answer_text(f,
                           call(f, "memory_note",
                                "{\"content\":\"keep it\",\"type\":\"decision\",\"reason\":\"r\","
                                "\"speaker\":\"s\"}"),
                           "ref"));
    assert_string_equal(answer_text(f, m, "detail.note_type"), "decision");
    assert_string_equal(answer_text(f, m, "detail.speaker"), "s");
    m = get(f, answer_text(f, call(f, "memory_note", "{\"content\":\"n\"}"), "ref"));
    assert_string_equal(answer_text(f, m, "detail.note_type"), "note");

    const char *added =
        call(f, "memory_belief",
             "{\"statement\":\"it fails\",\"confidence\":0.65,\"derived_from\":[\"%s\",\"%.12s\","
             "\"context:words\"],\"derivation\":\"all\",\"relates_to\":[\"raw:never\",\"bare\"],"
             "\"agent_id\":\"ash\",\"source_type\":\"inference\",\"source_entity\":\"human:c\"}",
             episode, raw);
    assert_int_equal(answer_number(added, "version"), 1);
    assert_int_equal(answer_count(added, "unresolved"), 2);
    assert_string_equal(answer_text(f, added, "unresolved.1"), "episode:bare");
    m = get(f, answer_text(f, added, "ref"));
    assert_string_equal(answer_text(f, m, "agent_id"), "ash");
    assert_string_equal(answer_text(f, m, "source_type"), "inference");
    assert_string_equal(answer_text(f, m, "detail.belief_type"), "fact");
    assert_string_equal(answer_text(f, m, "justifications.0.reading"), "all");
    assert_string_equal(answer_text(f, m, "justifications.0.antecedents.1.ref"), raw);
    assert_string_equal(answer_text(f, m, "annotations.0"), "context:words");
    assert_int_equal(answer_count(m, "justifications"), 3);
    assert_memory_equal(answer_at(m, "confidence").ptr, "0.65", 4);
}

/* Who acted stands in the journal: the agent that the call names, else the client. */
static void the_journal_says_who(void **state)
{
    struct fixture *f = *state;
    struct event *event;
    size_t count;
    struct error e;
    call(f, "memory_raw", "{\"blob\":\"one\"}");
    call(f, "memory_raw", "{\"blob\":\"two\",\"agent_id\":\"ash\"}");
    assert_int_equal(journal_read(f->reader, &f->arena, 0, 10, &event, &count, &e), 0);
    assert_int_equal(count, 2);
    assert_string_equal(event[0].actor, "client");
    assert_string_equal(event[1].actor, "ash");
    for (int i = 0; i < 2; i++) {
        assert_string_equal(event[i].class_name, "agent");
        assert_string_equal(event[i].operation, "add");
        assert_string_equal(event[i].origin, "mcp");
    }
}

static void a_text_that_cannot_be_kept_is_repaired(void **state)
{
    struct fixture *f = *state;
    const char *m =
        get(f, answer_text(f, call(f, "memory_raw", "{\"blob\":\"a\\u0000b\\ud800c\"}"), "ref"));
    assert_non_null(strstr(answer_text(f, m, "text"), "\xef\xbf\xbd"));
    assert_string_equal(answer_text(f, m, "detail.original"), "YQBi7aCAYw==");
}

static void what_cannot_be_added_is_refused(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *tool, *arguments, *what;
    } cases[] = {
        {"memory_raw", "{}", "blob is missing"},
        {"memory_raw", "{\"blob\":\"\"}", "blob is empty"},
        {"memory_raw", "{\"blob\":\" \\n\"}", "the text is empty"},
        {"memory_raw", "{\"blob\":5}", "blob is a number"},
        {"memory_raw", "{\"blob\":\"b\",\"tags\":[]}", "there is no argument 'tags'"},
        {"memory_raw", "{\"blob\":\"b\",\"source_type\":\"guess\"}", "source_type is none"},
        {"memory_raw", "{\"blob\":\"b\",\"agent_id\":\"\"}", "agent_id is empty"},
        {"memory_raw", "{\"blob\":\"b\",\"agent_id\":\" \"}", "agent_id is blank"},
        {"memory_raw", "{\"blob\":\"b\",\"agent_id\":\"\\u200b\\t\\u2003\"}", "agent_id is blank"},
        {"memory_note", "{\"content\":\"c\",\"agent_id\":\"\xc2\xad\xe3\x85\xa4\"}",
         "agent_id is blank"},
        {"memory_episode", "{\"objective\":\"o\"}", "outcome is missing"},
        {"memory_episode", "{\"objective\":\"o\",\"outcome\":\"x\",\"lessons\":[1]}",
         "lessons[0] is a number"},
        {"memory_note", "{\"content\":\"c\",\"type\":7}", "type is a number"},
        {"memory_belief", "{\"statement\":\"s\",\"confidence\":1.01}",
         "confidence is out of range"},
        {"memory_belief", "{\"statement\":\"s\",\"confidence\":\"0.8\"}", "confidence is a string"},
        {"memory_belief", "{\"statement\":\"s\",\"derivation\":\"some\"}", "derivation is none"},
        {"memory_belief", "{\"statement\":\"s\",\"derived_from\":[\"\"]}",
         "derived_from[0] is empty"},
        {"memory_belief", "{\"statement\":\"s\",\"derived_from\":\"raw:a\"}",
         "derived_from is a string"},
        {"memory_note", "{\"content\":\"s\",\"tags\":\"one\"}", "tags is a string"},
        {"memory_whatif", "{\"refs\":[\"\"]}", "refs[0] is empty"},
        {"memory_belief", "{\"statement\":\"s\",\"derived_from\":[\"nothing\"]}",
         "no memory is called nothing"},
        {"memory_belief", "{\"statement\":\"s\",\"derived_from\":[\"raw:x\\u0000y\"]}",
         "derived_from[0] holds a NUL"},
        {"memory_belief", "{\"statement\":\"s\",\"relates_to\":{\"ref\":1}}",
         "relates_to is an object"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        tool_refuses(f, cases[i].tool, cases[i].arguments, ERROR_INVALID, cases[i].what);
    assert_int_equal(event_count(f), 0);
}

/* A list of `count` texts, or one of `count` characters. */
static const char *much(struct fixture *f, const char *open, const char *each, size_t count,
                        const char *close)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addstr(&out, open);
    for (size_t i = 0; i < count; i++)
        strbuf_addstr(&out, i ? each : each + (each[0] == ','));
    strbuf_addstr(&out, close);
    const char *kept = arena_strdup(&f->arena, out.buf);
    strbuf_release(&out);
    return kept;
}

/* Names and lists are bounded, where they are given and in the schema. */
static void what_is_too_much_is_refused(void **state)
{
    struct fixture *f = *state;
    const char *tags = "{\"content\":\"c\",\"tags\":[";
    const char *refs = "{\"statement\":\"s\",\"relates_to\":[";
    const char *agent = "{\"blob\":\"b\",\"agent_id\":\"";
    tool_refuses(f, "memory_note", much(f, tags, ",\"same\"", 300000, "]}"), ERROR_INVALID,
                 "tags has too few or too many");
    tool_refuses(f, "memory_belief", much(f, refs, ",\"raw:a\"", 100000, "]}"), ERROR_INVALID,
                 "relates_to has too few or too many");
    tool_refuses(f, "memory_raw", much(f, agent, "é", 201, "\"}"), ERROR_INVALID,
                 "agent_id is too long");
    tool_refuses(f, "memory_list", much(f, "{\"agent_id\":\"", "a", 6000000, "\"}"), ERROR_INVALID,
                 "agent_id is too long");
    tool_refuses(f, "memory_note", much(f, "{\"content\":\"c\",\"type\":\"", "t", 1001, "\"}"),
                 ERROR_INVALID, "type is too long");
    assert_int_equal(event_count(f), 0);
    const char *raw =
        answer_text(f, tool_answer(f, "memory_raw", much(f, agent, "é", 200, "\"}")), "ref");
    assert_int_equal(strlen(answer_text(f, get(f, raw), "agent_id")), 400);
    tool_answer(f, "memory_note", much(f, tags, ",\"same\"", 200, "]}"));
    tool_answer(f, "memory_belief", much(f, refs, ",\"raw:a\"", 1000, "]}"));
}

/* What is no ref is a remark, and the answer says that it became one. */
static void remarks_are_told(void **state)
{
    struct fixture *f = *state;
    const char *added =
        call(f, "memory_belief",
             "{\"statement\":\"s\",\"derived_from\":[\"RAW:abc\",\"raw:abc\",\"RAW:abc\"],"
             "\"relates_to\":[\"bad kind:x\",\"RAW:abc\",\"raw:abc\",\"raw:def\"]}");
    assert_int_equal(answer_count(added, "annotations"), 2);
    assert_string_equal(answer_text(f, added, "annotations.0"), "RAW:abc");
    assert_string_equal(answer_text(f, added, "annotations.1"), "bad kind:x");
    assert_int_equal(answer_count(added, "unresolved"), 2);
    assert_string_equal(answer_text(f, added, "unresolved.1"), "raw:def");
    const char *m = get(f, answer_text(f, added, "ref"));
    assert_int_equal(answer_count(m, "annotations"), 2);
    assert_int_equal(answer_count(m, "justifications"), 3);
    added = call(f, "memory_raw", "{\"blob\":\"b\"}");
    assert_null(answer_at(added, "annotations").ptr);
    /* More than an answer has room for: all are kept, and it says how many it leaves out. */
    struct strbuf many = STRBUF_INIT;
    strbuf_addstr(&many, "{\"statement\":\"s\",\"derived_from\":[");
    for (int i = 0; i < 1000; i++) {
        strbuf_addf(&many, "%s\"context:%d ", i ? "," : "", i);
        strbuf_addchars(&many, 'c', 8000);
        strbuf_addch(&many, '"');
    }
    strbuf_addstr(&many, "]}");
    added = tool_answer(f, "memory_belief", many.buf);
    strbuf_release(&many);
    assert_int_equal(answer_count(added, "annotations") + (size_t)answer_number(added, "left_out"),
                     1000);
    assert_true(strlen(added) < 2u << 20);
}

static void an_ambiguous_ref_is_refused_with_its_candidates(void **state)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"raw:aaaaaaaa-0000-4000-8000-000000000001\",\"text\":\"t\"}",
                "{\"ref\":\"raw:aaaaaaaa-0000-4000-8000-000000000002\",\"text\":\"t\"}", NULL);
    tool_refuses(f, "memory_belief", "{\"statement\":\"s\",\"derived_from\":[\"raw:aaaaaaaa\"]}",
                 ERROR_INVALID, "may be any of 2");
    tool_refuses(f, "memory_get", "{\"ref\":\"raw:aaaa\"}", ERROR_INVALID, "may be any of 2");
}

/* ---- reading ---- */

static void what_is_not_there_is_not_found(void **state)
{
    struct fixture *f = *state;
    fixture_put(f, "{\"ref\":\"note:n\",\"text\":\"t\",\"derived_from\":[\"raw:deadbeef\"]}", NULL);
    tool_refuses(f, "memory_get", "{\"ref\":\"raw:nothing\"}", ERROR_NOT_FOUND, "raw:nothing");
    tool_refuses(f, "memory_get", "{\"ref\":\"raw:deadbeef\"}", ERROR_NOT_FOUND,
                 "named by others and was never written");
    tool_refuses(f, "memory_history", "{\"ref\":\"raw:deadbeef\"}", ERROR_NOT_FOUND,
                 "named by others and was never written");
    tool_refuses(f, "memory_history", "{\"ref\":\"raw:deadbeef\",\"seq\":1}", ERROR_NOT_FOUND,
                 "named by others and was never written");
    tool_refuses(f, "memory_get", "{\"ref\":\"context:words\"}", ERROR_INVALID, "names no memory");
    tool_refuses(f, "memory_get", "{}", ERROR_INVALID, "ref is missing");
    /* Its lineage can be asked for: who names it. */
    const char *lineage =
        call(f, "memory_lineage", "{\"ref\":\"raw:deadbeef\",\"direction\":\"descendants\"}");
    assert_int_equal(answer_count(lineage, "nodes"), 2);
}

/* Whatever a memory holds, its answer is of the schema (which call checks), and the exchange form. */
static void any_memory_fits_the_schema(void **state)
{
    struct fixture *f = *state;
    struct random random = {7};
    for (int i = 0; i < 150; i++) {
        struct memory m;
        struct strbuf line = STRBUF_INIT, ask = STRBUF_INIT;
        random_memory(&random, &f->arena, &m);
        exchange_write(&line, &m, NULL);
        fixture_put(f, line.buf, NULL);
        strbuf_addstr(&ask, "{\"ref\":");
        exchange_add_ref(&ask, m.ref);
        strbuf_addch(&ask, '}');
        if (m.status != STATUS_MISSING) {
            const char *answer = tool_answer(f, "memory_get", ask.buf);
            assert_memory_equal(answer, line.buf, 20);
        }
        call(f, "memory_lineage", "%s", ask.buf);
        strbuf_release(&line);
        strbuf_release(&ask);
    }
    call(f, "memory_list", "{\"limit\":200,\"status\":\"all\"}");
    call(f, "memory_orphans", "{\"limit\":1000}");
}

static void fill(struct fixture *f, int count)
{
    for (int i = 0; i < count; i++) {
        char line[256];
        snprintf(line, sizeof(line),
                 "{\"ref\":\"%s:m%04d\",\"agent_id\":\"%s\",\"text\":\"memory %d of staging\","
                 "\"created_at\":%d}",
                 i % 3 ? "belief" : "raw", i, i % 2 ? "ash" : "bee", i, 1000 + i / 4);
        fixture_put(f, line, NULL);
    }
}

static void a_list_comes_in_pages(void **state)
{
    struct fixture *f = *state;
    fill(f, 120);
    const char *page = call(f, "memory_list", "{}");
    assert_int_equal(answer_count(page, "memories"), 50);
    assert_memory_equal(answer_at(page, "more").ptr, "true", 4);
    assert_string_equal(answer_text(f, page, "memories.0.ref"), "belief:m0119");
    size_t seen = 0, pages = 0;
    const char *cursor = "";
    do {
        page = call(f, "memory_list",
                    "{\"kind\":\"belief\",\"agent_id\":\"ash\",\"limit\":7,\"cursor\":\"%s\"}",
                    cursor);
        seen += answer_count(page, "memories");
        cursor = answer_at(page, "next").ptr ? answer_text(f, page, "next") : NULL;
        pages++;
    } while (cursor);
    assert_int_equal(seen, 40);
    assert_int_equal(pages, 6);
    page = call(f, "memory_list", "{\"limit\":120}");
    assert_null(answer_at(page, "next").ptr);
    assert_int_equal(answer_count(call(f, "memory_list", "{\"agent_id\":\"nobody\"}"), "memories"),
                     0);
    tool_refuses(f, "memory_list", "{\"limit\":201}", ERROR_INVALID, "limit is out of range");
    tool_refuses(f, "memory_list", "{\"limit\":0}", ERROR_INVALID, "limit is out of range");
    tool_refuses(f, "memory_list", "{\"cursor\":\"nonsense\"}", ERROR_INVALID, "cursor");
    tool_refuses(f, "memory_list", "{\"kind\":\"beliefs\"}", ERROR_INVALID, "kind is none");
}

static void a_list_is_filtered_and_ordered(void **state)
{
    struct fixture *f = *state;
    fixture_put(
        f, "{\"ref\":\"raw:a\",\"text\":\"b\",\"created_at\":1,\"updated_at\":9}",
        "{\"ref\":\"belief:b\",\"text\":\"a\",\"created_at\":2,\"confidence\":0.3,"
        "\"derived_from\":[\"raw:gone\"]}",
        "{\"ref\":\"raw:gone\",\"text\":\"c\",\"created_at\":3,\"status\":\"retracted\"}",
        "{\"ref\":\"belief:c\",\"text\":\"d\",\"created_at\":4,\"status\":\"forgotten\"}",
        "{\"ref\":\"belief:d\",\"text\":\"e\",\"created_at\":5,\"derived_from\":[\"raw:gone\"]}",
        NULL);
    const char *list = call(f, "memory_list", "{\"label\":\"ungrounded\",\"limit\":1}");
    assert_string_equal(answer_text(f, list, "memories.0.ref"), "belief:d");
    list = call(f, "memory_list", "{\"label\":\"ungrounded\",\"limit\":1,\"cursor\":\"%s\"}",
                answer_text(f, list, "next"));
    assert_string_equal(answer_text(f, list, "memories.0.ref"), "belief:b");
    assert_null(answer_at(list, "next").ptr);
    assert_int_equal(answer_count(call(f, "memory_list", "{\"label\":\"gone\"}"), "memories"), 2);
    assert_int_equal(answer_count(call(f, "memory_list", "{}"), "memories"), 4);
    assert_int_equal(answer_count(call(f, "memory_list", "{\"status\":\"all\"}"), "memories"), 5);
    list = call(f, "memory_list", "{\"status\":\"forgotten\"}");
    assert_string_equal(answer_text(f, list, "memories.0.ref"), "belief:c");
    assert_string_equal(
        answer_text(f, call(f, "memory_list", "{\"order\":\"text\"}"), "memories.0.ref"),
        "belief:b");
    assert_string_equal(
        answer_text(f, call(f, "memory_list", "{\"order\":\"updated\"}"), "memories.0.ref"),
        "raw:a");
}

/* Large memories end a page early; one that is too large by itself is begun. Nothing is left out. */
static void large_memories_are_not_lost(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 6; i++) {
        struct strbuf line = STRBUF_INIT;
        strbuf_addf(&line, "{\"ref\":\"raw:big%d\",\"text\":\"big ", i);
        strbuf_addchars(&line, 'x', i == 3 ? 3u << 20 : 400000);
        strbuf_addstr(&line, "\"}");
        fixture_put(f, line.buf, NULL);
        strbuf_release(&line);
    }
    size_t seen = 0;
    const char *cursor = "";
    do {
        const char *page = call(f, "memory_list", "{\"limit\":6,\"cursor\":\"%s\"}", cursor);
        assert_true(strlen(page) < 3u << 20);
        seen += answer_count(page, "memories");
        cursor = answer_at(page, "next").ptr ? answer_text(f, page, "next") : NULL;
    } while (cursor);
    assert_int_equal(seen, 6);
    const char *m = get(f, "raw:big3");
    assert_true(answer_number(m, "too_large") > 3 << 20);
    assert_int_equal(strlen(answer_text(f, m, "text")), 2000);
    assert_null(answer_at(get(f, "raw:big2"), "too_large").ptr);
    const char *found = call(f, "memory_search", "{\"query\":\"big\"}");
    assert_memory_equal(answer_at(found, "more").ptr, "true", 4);
}

/* However large a text is, a lineage shows where it stands. */
static void a_lineage_begins_long_texts(void **state)
{
    struct fixture *f = *state;
    struct strbuf line = STRBUF_INIT;
    strbuf_addstr(&line, "{\"ref\":\"raw:a\",\"text\":\"x");
    for (int i = 0; i < 3000000; i++)
        strbuf_addstr(&line, "é");
    strbuf_addstr(&line, "\"}");
    fixture_put(f, line.buf,
                "{\"ref\":\"belief:b\",\"text\":\"short\",\"derived_from\":[\"raw:a\"]}", NULL);
    strbuf_release(&line);
    const char *lineage = call(f, "memory_lineage", "{\"ref\":\"belief:b\"}");
    assert_null(answer_at(lineage, "nodes.0.text_cut").ptr);
    assert_memory_equal(answer_at(lineage, "nodes.1.text_cut").ptr, "true", 4);
    assert_int_equal(strlen(answer_text(f, lineage, "nodes.1.text")), 999); /* not half an é */
    call(f, "memory_lineage", "{\"ref\":\"raw:a\",\"depth\":0}");
    struct error e;
    assert_non_null(service_answer(f, stemma_service(true)->read_resource,
                                   "{\"uri\":\"stemma://belief/b/lineage.json\"}", &e));
}

static void a_search_gives_snippets(void **state)
{
    struct fixture *f = *state;
    fill(f, 30);
    fixture_put(f, "{\"ref\":\"note:s\",\"text\":\"restaging was needed\",\"created_at\":99999}",
                NULL);
    const char *found = call(f, "memory_search", "{\"query\":\"STAGING\"}");
    assert_int_equal(answer_count(found, "memories"), 10);
    assert_memory_equal(answer_at(found, "more").ptr, "true", 4);
    assert_string_equal(answer_text(f, found, "memories.0.ref"), "belief:m0029");
    assert_non_null(strstr(answer_text(f, found, "memories.0.snippet"), "staging"));
    found = call(f, "memory_search", "{\"query\":\"staging\",\"limit\":200}");
    assert_int_equal(answer_count(found, "memories"), 31);
    assert_string_equal(answer_text(f, found, "memories.30.ref"), "note:s");
    assert_memory_equal(answer_at(found, "more").ptr, "false", 5);
    found = call(f, "memory_search",
                 "{\"query\":\"staging\",\"limit\":200,\"kind\":\"raw\",\"agent_id\":\"bee\"}");
    assert_int_equal(answer_count(found, "memories"), 5);
    found = call(f, "memory_search", "{\"query\":\"nothing like it\"}");
    assert_int_equal(answer_count(found, "memories"), 0);
    tool_refuses(f, "memory_search", "{\"query\":\"\"}", ERROR_INVALID, "query is empty");
    static const char *const blanks[] = {" \\t",         "\xe3\x80\x80", "\xc2\xa0",
                                         "\xe2\x80\x83", "\\u0085",      "\\u2028\xe3\x80\x80 ",
                                         "\\u0001"};
    for (size_t i = 0; i < sizeof(blanks) / sizeof(*blanks); i++) {
        char query[80];
        snprintf(query, sizeof(query), "{\"query\":\"%s\"}", blanks[i]);
        tool_refuses(f, "memory_search", query, ERROR_INVALID, "query has no words");
    }
    found = call(f, "memory_search", "{\"query\":\"\xe3\x80\x80staging\xe3\x80\x80\"}");
    assert_int_equal(answer_count(found, "memories"), 10);
    tool_refuses(f, "memory_search", "{\"query\":\"a\",\"limit\":0}", ERROR_INVALID, "limit");
}

/* ---- lineage ---- */

static void chain(struct fixture *f)
{
    fixture_put(
        f, "{\"ref\":\"raw:r\",\"text\":\"heard\"}",
        "{\"ref\":\"episode:e\",\"text\":\"tried\",\"derived_from\":[\"raw:r\"]}",
        "{\"ref\":\"belief:b\",\"text\":\"so\",\"derived_from\":[\"episode:e\"],"
        "\"source_episodes\":[\"other\"]}",
        "{\"ref\":\"belief:t\",\"text\":\"then\",\"derived_from\":[\"belief:b\",\"raw:r\"]}", NULL);
}

static void a_lineage_goes_either_way(void **state)
{
    struct fixture *f = *state;
    chain(f);
    const char *up = call(f, "memory_lineage", "{\"ref\":\"belief:t\"}");
    assert_int_equal(answer_count(up, "nodes"), 5);
    assert_int_equal(answer_count(up, "links"), 5);
    assert_int_equal(answer_number(up, "cut"), 0);
    assert_string_equal(answer_text(f, up, "nodes.0.ref"), "belief:t");
    const char *near = call(f, "memory_lineage", "{\"ref\":\"belief:t\",\"depth\":1}");
    assert_int_equal(answer_count(near, "nodes"), 3);
    assert_int_equal(answer_number(near, "cut"), 2);
    const char *down =
        call(f, "memory_lineage", "{\"ref\":\"episode:e\",\"direction\":\"descendants\"}");
    assert_int_equal(answer_count(down, "nodes"), 3);
    /* Of a capture, what was made from it, unless the other way is asked for. */
    assert_int_equal(answer_count(call(f, "memory_lineage", "{\"ref\":\"raw:r\"}"), "nodes"), 4);
    assert_int_equal(
        answer_count(call(f, "memory_lineage", "{\"ref\":\"raw:r\",\"direction\":\"ancestors\"}"),
                     "nodes"),
        1);
    tool_refuses(f, "memory_lineage", "{\"ref\":\"belief:t\",\"direction\":\"up\"}", ERROR_INVALID,
                 "direction is none");
    tool_refuses(f, "memory_lineage", "{\"ref\":\"belief:t\",\"depth\":-1}", ERROR_INVALID,
                 "depth");
}

static void a_retraction_can_be_thought_of(void **state)
{
    struct fixture *f = *state;
    chain(f);
    int64_t before = event_count(f);
    const char *what = call(f, "memory_whatif", "{\"refs\":[\"raw:r\"]}");
    assert_int_equal(answer_count(what, "falls"), 3);
    assert_int_equal(answer_count(what, "weakened"), 0);
    what = call(f, "memory_whatif", "{\"ref\":\"belief:b\"}");
    assert_int_equal(answer_count(what, "falls"), 0);
    assert_string_equal(answer_text(f, what, "weakened.0.ref"), "belief:t");
    assert_int_equal(answer_number(what, "weakened.0.before"), 2);
    assert_int_equal(answer_number(what, "weakened.0.after"), 1);
    /* Named twice it is retracted once; a single string is a list of one. */
    what = call(f, "memory_whatif", "{\"refs\":[\"belief:b\"],\"ref\":\"belief:b\"}");
    assert_int_equal(answer_count(what, "weakened"), 1);
    tool_refuses(f, "memory_whatif", "{}", ERROR_INVALID, "refs is missing");
    tool_refuses(f, "memory_whatif", "{\"refs\":[]}", ERROR_INVALID, "refs has too few");
    tool_refuses(f, "memory_whatif", "{\"refs\":[\"raw:nothing\"]}", ERROR_NOT_FOUND, "nothing");
    assert_int_equal(event_count(f), before);
}

/* All pieces of a part, one after another. */
static void assert_pieces(struct fixture *f, const char *ref, const char *part, const char *whole,
                          int length)
{
    struct strbuf all = STRBUF_INIT, ask = STRBUF_INIT;
    int64_t offset = 0, characters;
    for (bool more = true; more;) {
        strbuf_clear(&ask);
        strbuf_addf(&ask, "{\"ref\":\"%s\",\"part\":\"%s\",\"offset\":%lld,\"length\":%d}", ref,
                    part, (long long)offset, length);
        const char *piece = call(f, "memory_get", ask.buf);
        assert_string_equal(answer_text(f, piece, "ref"), ref);
        assert_string_equal(answer_text(f, piece, "part"), part);
        strbuf_addstr(&all, answer_text(f, piece, "text"));
        characters = answer_number(piece, "characters");
        more = answer_at(piece, "next").ptr != NULL;
        assert_true(!more || answer_number(piece, "next") == offset + length);
        offset = more ? answer_number(piece, "next") : characters;
    }
    assert_int_equal(all.len, strlen(whole));
    assert_memory_equal(all.buf, whole, all.len);
    strbuf_release(&all);
    strbuf_release(&ask);
}

/* Every byte that was taken is given again. */
static void what_is_too_large_is_read_in_pieces(void **state)
{
    struct fixture *f = *state;
    struct strbuf text = STRBUF_INIT, line = STRBUF_INIT, detail = STRBUF_INIT;
    for (int i = 0; i < 200000; i++)
        strbuf_addf(&text, "%d é\u00df ", i);
    strbuf_addf(&detail, "{\"captured_by\":\"%s\"}", text.buf);
    strbuf_addf(&line, "{\"ref\":\"raw:big\",\"text\":\"%s\",\"detail\":%s,\"tags\":[\"t\"]}",
                text.buf, detail.buf);
    fixture_put(f, line.buf, NULL);
    assert_true(answer_number(get(f, "raw:big"), "too_large") > 3 << 20);
    assert_pieces(f, "raw:big", "text", text.buf, 400000);
    assert_pieces(f, "raw:big", "detail", detail.buf, 399999);
    assert_pieces(f, "raw:big", "tags", "[\"t\"]", 1);
    assert_pieces(f, "raw:big", "context", "", 10);
    const char *piece = call(f, "memory_get", "{\"ref\":\"raw:big\",\"offset\":0}");
    assert_int_equal(answer_number(piece, "next"), 100000);
    assert_int_equal(answer_number(piece, "version"), 1);
    piece = call(f, "memory_get", "{\"ref\":\"raw:big\",\"offset\":9007199254740991}");
    assert_string_equal(answer_text(f, piece, "text"), "");
    assert_null(answer_at(piece, "next").ptr);
    tool_refuses(f, "memory_get", "{\"ref\":\"raw:big\",\"offset\":-1}", ERROR_INVALID, "offset");
    tool_refuses(f, "memory_get", "{\"ref\":\"raw:big\",\"part\":\"all\"}", ERROR_INVALID,
                 "part is none");
    strbuf_release(&text);
    strbuf_release(&line);
    strbuf_release(&detail);
}

static void orphans_come_in_pages(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 7; i++) {
        char line[256];
        snprintf(line, sizeof(line),
                 "{\"ref\":\"belief:b%d\",\"agent_id\":\"%s\",\"text\":\"t\",\"derived_from\":"
                 "[\"raw:x%d\",\"raw:y%d\"]}",
                 i, i % 2 ? "ash" : "bee", i, i);
        fixture_put(f, line, NULL);
    }
    fixture_put(f, "{\"ref\":\"belief:u\",\"text\":\"t\"}", NULL);
    const char *all = call(f, "memory_orphans", "{}");
    assert_int_equal(answer_count(all, "problems"), 14 + 7 + 1);
    assert_null(answer_at(all, "next").ptr);
    size_t seen = 0;
    const char *cursor = "";
    do {
        const char *page = call(f, "memory_orphans", "{\"limit\":3,\"cursor\":\"%s\"}", cursor);
        for (size_t i = 0; i < answer_count(page, "problems"); i++, seen++) {
            char here[32], there[32];
            snprintf(here, sizeof(here), "problems.%zu", i);
            snprintf(there, sizeof(there), "problems.%zu", seen);
            struct json_slice a = answer_at(page, here), b = answer_at(all, there);
            assert_int_equal(a.len, b.len);
            assert_memory_equal(a.ptr, b.ptr, a.len);
        }
        cursor = answer_at(page, "next").ptr ? answer_text(f, page, "next") : NULL;
    } while (cursor);
    assert_int_equal(seen, 22);
    const char *of = call(f, "memory_orphans", "{\"agent_id\":\"bee\",\"problem\":\"ungrounded\"}");
    assert_int_equal(answer_count(of, "problems"), 4);
    tool_refuses(f, "memory_orphans", "{\"problem\":\"lost\"}", ERROR_INVALID, "problem is none");
    static const char *const forged[] = {"x",
                                         "o",
                                         "o1.2",
                                         "o-5.-1.-1",
                                         "o 1. 2. 3",
                                         "o1.2.3 ",
                                         "o1.0.1",
                                         "o1.1.0",
                                         "o9.1.1",
                                         "o+1.2.3",
                                         "o1.2.3.4",
                                         "o01.2.3",
                                         "O1.2.3",
                                         "o1.2.3\\n",
                                         "o4294967296.1.1",
                                         "o1.99999999999999999999.1"};
    for (size_t i = 0; i < sizeof(forged) / sizeof(*forged); i++) {
        char arguments[80];
        snprintf(arguments, sizeof(arguments), "{\"cursor\":\"%s\"}", forged[i]);
        tool_refuses(f, "memory_orphans", arguments, ERROR_INVALID, "cursor is none");
    }
}

/* A name from elsewhere that is longer than an answer: its memory is begun, the others are told whole. */
static void a_name_of_megabytes_stops_no_list(void **state)
{
    struct fixture *f = *state;
    struct strbuf line = STRBUF_INIT;
    strbuf_addstr(&line,
                  "{\"ref\":\"raw:named\",\"text\":\"staging\",\"created_at\":5,\"agent_id\":\"");
    strbuf_addchars(&line, 'a', 6000000);
    strbuf_addstr(&line, "\",\"source_entity\":\"");
    strbuf_addchars(&line, 'b', 6000000);
    strbuf_addstr(&line, "\"}");
    fixture_put(f, "{\"ref\":\"raw:a\",\"text\":\"staging\",\"created_at\":4}", line.buf, NULL);
    strbuf_release(&line);
    const char *list = call(f, "memory_list", "{}");
    assert_int_equal(answer_count(list, "memories"), 2);
    assert_int_equal(strlen(answer_text(f, list, "memories.0.agent_id")), 200);
    assert_true(answer_number(list, "memories.0.too_large") > 12000000);
    assert_null(answer_at(list, "memories.1.too_large").ptr);
    assert_int_equal(answer_count(call(f, "memory_search", "{\"query\":\"staging\"}"), "memories"),
                     2);
    assert_true(answer_number(get(f, "raw:named"), "too_large") > 12000000);
    struct error e;
    const char *values =
        service_answer(f, stemma_service(true)->complete,
                       "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"stemma://agent/{agent}\"},"
                       "\"argument\":{\"name\":\"agent\",\"value\":\"a\"}}",
                       &e);
    assert_true(strlen(values) < 1000);
}

/* However much rests on one memory, or it on others, as much of it is told as an answer has room for. */
static void a_wide_lineage_is_told_as_far_as_there_is_room(void **state)
{
    struct fixture *f = *state;
    enum {
        NOTES = 4000
    };
    struct strbuf all = STRBUF_INIT;
    char text[901], **lines = xcalloc(NOTES, sizeof(*lines));
    memset(text, 'n', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    fixture_put(f, "{\"ref\":\"raw:root\",\"text\":\"t\"}", NULL);
    strbuf_addstr(&all, "{\"ref\":\"note:all\",\"text\":\"t\",\"derived_from\":[\"raw:root\"");
    for (int i = 0; i < NOTES; i++) {
        lines[i] = xformat("{\"ref\":\"note:n%d\",\"text\":\"%s\",\"derived_from\":[\"raw:root\"]}",
                           i, text);
        strbuf_addf(&all, ",\"note:n%d\"", i);
    }
    strbuf_addstr(&all, "]}");
    fixture_put_lines(f, (const char *const *)lines, NOTES);
    fixture_put(f, all.buf, NULL);
    const char *deep = call(f, "memory_lineage", "{\"ref\":\"raw:root\"}");
    int64_t told = (int64_t)answer_count(deep, "nodes");
    assert_true(told > 2500 && told < NOTES && strlen(deep) <= ANSWER_MAX);
    assert_int_equal(answer_number(deep, "cut"), NOTES + 2 - told);
    assert_int_equal(answer_number(deep, "nodes_more"), NOTES + 2 - told);
    call(f, "memory_lineage", "{\"ref\":\"raw:root\",\"direction\":\"descendants\",\"depth\":1}");
    const char *back = call(f, "memory_lineage", "{\"ref\":\"note:all\"}");
    assert_true(answer_number(back, "nodes_more") > 0);
    struct error e;
    assert_non_null(service_answer(f, stemma_service(true)->read_resource,
                                   "{\"uri\":\"stemma://note/all/lineage.json\"}", &e));
    for (int i = 0; i < NOTES; i++)
        free(lines[i]);
    free(lines);
    strbuf_release(&all);
}

/* However much falls, the answer is made and says how much it is. */
static void what_if_of_very_much(void **state)
{
    struct fixture *f = *state;
    enum {
        FALLING = 1100,
        WEAKENED = 3
    };
    struct strbuf line = STRBUF_INIT;
    fixture_put(f, "{\"ref\":\"raw:r\",\"text\":\"r\"}", "{\"ref\":\"raw:s\",\"text\":\"s\"}",
                NULL);
    for (int i = 0; i < FALLING + WEAKENED; i++) {
        strbuf_clear(&line);
        strbuf_addstr(&line, "{\"ref\":\"belief:");
        for (int n = 0; n < 500; n++)
            strbuf_addstr(&line, "\\u0001"); /* the longest of ids, each byte of which takes six */
        strbuf_addf(&line, "%d\",\"text\":\"b\",\"derived_from\":[\"raw:r\"%s]}", i,
                    i < FALLING ? "" : ",\"raw:s\"");
        fixture_put(f, line.buf, NULL);
    }
    const char *what = call(f, "memory_whatif", "{\"refs\":[\"raw:r\"]}");
    size_t told = answer_count(what, "falls");
    assert_true(strlen(what) <= ANSWER_MAX && strlen(what) > ANSWER_MAX - 8000);
    assert_int_equal(told + (size_t)answer_number(what, "falls_more"), FALLING);
    assert_int_equal(answer_number(what, "weakened_more"), WEAKENED);
    what = call(f, "memory_whatif", "{\"refs\":[\"raw:r\"],\"limit\":2}");
    assert_int_equal(answer_count(what, "falls"), 2);
    assert_int_equal(answer_number(what, "falls_more"), FALLING - 2);
    assert_int_equal(answer_count(what, "weakened"), 2);
    assert_int_equal(answer_number(what, "weakened_more"), WEAKENED - 2);
    what = call(f, "memory_whatif", "{\"refs\":[\"raw:s\"],\"limit\":3}");
    assert_null(answer_at(what, "falls_more").ptr);
    assert_null(answer_at(what, "weakened_more").ptr);
    tool_refuses(f, "memory_whatif", "{\"refs\":[\"raw:r\"],\"limit\":0}", ERROR_INVALID, "limit");
    strbuf_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(each_kind_is_added_with_its_fields),
        WITH_FIXTURE(the_journal_says_who),
        WITH_FIXTURE(a_text_that_cannot_be_kept_is_repaired),
        WITH_FIXTURE(what_cannot_be_added_is_refused),
        WITH_FIXTURE(what_is_too_much_is_refused),
        WITH_FIXTURE(remarks_are_told),
        WITH_FIXTURE(an_ambiguous_ref_is_refused_with_its_candidates),
        WITH_FIXTURE(what_is_not_there_is_not_found),
        WITH_FIXTURE(any_memory_fits_the_schema),
        WITH_FIXTURE(a_list_comes_in_pages),
        WITH_FIXTURE(a_list_is_filtered_and_ordered),
        WITH_FIXTURE(large_memories_are_not_lost),
        WITH_FIXTURE(a_lineage_begins_long_texts),
        WITH_FIXTURE(a_search_gives_snippets),
        WITH_FIXTURE(a_lineage_goes_either_way),
        WITH_FIXTURE(a_retraction_can_be_thought_of),
        WITH_FIXTURE(what_is_too_large_is_read_in_pieces),
        WITH_FIXTURE(orphans_come_in_pages),
        WITH_FIXTURE(a_name_of_megabytes_stops_no_list),
        WITH_FIXTURE(a_wide_lineage_is_told_as_far_as_there_is_room),
        WITH_FIXTURE(what_if_of_very_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
