/* The tools that add, read and search memories, on real stores. */
#include "model/base/alloc.h"
#include "model/format/memory_json.h"
#include "store/json/answer.h"
#include "store/journal/journal.h"
#include "store/mcp/tools/service.h"
#include "store/mcp/tools/tools.h"
#include "tests/support/random.h"
#include "tests/support/random_memory.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

/* A call with its arguments as printf writes them. */
static const char *call(struct fixture *f, const char *tool, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *call(struct fixture *f, const char *tool, const char *format, ...)
{
    AUTO_STRBUF arguments = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&arguments, format, args);
    va_end(args);
    return tool_answer(f, tool, arguments.buf);
}

static const char *get(struct fixture *f, const char *ref)
{
    return call(f, "memory_get", "{\"ref\":\"%s\",\"detail\":\"full\"}", ref);
}

/* ---- adding ---- */

FIXTURE(fixture_set_up, fixture_tear_down);

/* Text that is not a ref becomes a remark, and the answer says so. */
TEST(remarks_are_reported)
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
    /* More than an answer has room for: all are stored, and the answer counts the omitted ones. */
    AUTO_STRBUF many = STRBUF_INIT;
    strbuf_addstr(&many, "{\"statement\":\"s\",\"derived_from\":[");
    for (int i = 0; i < 1000; i++) {
        strbuf_addf(&many, "%s\"context:%d ", i ? "," : "", i);
        strbuf_addchars(&many, 'c', 8000);
        strbuf_addch(&many, '"');
    }
    strbuf_addstr(&many, "]}");
    added = tool_answer(f, "memory_belief", many.buf);
    assert_int_equal(answer_count(added, "annotations") + (size_t)answer_number(added, "left_out"),
                     1000);
    assert_true(strlen(added) <= ANSWER_BYTES);
}

/* ---- reading ---- */

/* The answer for any memory matches the schema (which `call` checks) and the JSON of a memory. */
TEST(every_memory_matches_the_schema)
{
    struct fixture *f = *state;
    struct random random = {7};
    for (int i = 0; i < RANDOM_ROUNDS(150); i++) {
        struct memory m;
        AUTO_STRBUF line = STRBUF_INIT, ask = STRBUF_INIT;
        random_memory(&random, &f->arena, &m);
        memory_json_write(&line, &m, NULL);
        fixture_put(f, line.buf, NULL);
        strbuf_addstr(&ask, "{\"ref\":");
        memory_json_add_ref(&ask, m.ref);
        strbuf_addstr(&ask, ",\"detail\":\"full\"}");
        if (m.status != STATUS_MISSING) {
            const char *answer = tool_answer(f, "memory_get", ask.buf);
            assert_memory_equal(answer, line.buf, 20);
        }
        strbuf_cut(&ask, ask.len - strlen(",\"detail\":\"full\"}"));
        call(f, "memory_lineage", "%s}", ask.buf);
        call(f, "memory_lineage", "%s,\"format\":\"json\"}", ask.buf);
        if (m.status != STATUS_MISSING)
            call(f, "memory_get", "%s}", ask.buf);
    }
    call(f, "memory_list", "{\"limit\":200,\"status\":\"all\"}");
    call(f, "memory_list", "{\"limit\":200,\"status\":\"all\",\"detail\":\"full\"}");
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

TEST(a_list_comes_in_pages)
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
    tool_fails(f, "memory_list", "{\"limit\":201}", ERROR_INVALID, "limit is out of range");
    tool_fails(f, "memory_list", "{\"limit\":0}", ERROR_INVALID, "limit is out of range");
    tool_fails(f, "memory_list", "{\"cursor\":\"nonsense\"}", ERROR_INVALID, "cursor");
    tool_fails(f, "memory_list", "{\"kind\":\"beliefs\"}", ERROR_INVALID, "kind is not");
}

/* ---- lineage ---- */

/* Reads all pieces of a part and compares them with the whole. */
static void assert_pieces(struct fixture *f, const char *ref, const char *part, const char *whole,
                          int length)
{
    AUTO_STRBUF all = STRBUF_INIT, ask = STRBUF_INIT;
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
        assert_true(!more || answer_number(piece, "next") <= offset + length);
        assert_true(strlen(piece) <= ANSWER_BYTES);
        offset = more ? answer_number(piece, "next") : characters;
    }
    assert_int_equal(all.len, strlen(whole));
    assert_memory_equal(all.buf, whole, all.len);
}

/* Every stored byte can be read again. */
TEST(large_memory_is_read_in_pieces)
{
    struct fixture *f = *state;
    AUTO_STRBUF text = STRBUF_INIT, line = STRBUF_INIT, detail = STRBUF_INIT;
    for (int i = 0; i < 200000; i++)
        strbuf_addf(&text, "%d é\u00df ", i);
    strbuf_addf(&detail, "{\"captured_by\":\"%s\"}", text.buf);
    strbuf_addf(&line, "{\"ref\":\"raw:big\",\"text\":\"%s\",\"detail\":%s,\"tags\":[\"t\"]}",
                text.buf, detail.buf);
    fixture_put(f, line.buf, NULL);
    assert_true(answer_number(get(f, "raw:big"), "too_large") > 3 << 20);
    assert_pieces(f, "raw:big", "text", text.buf, 400000);
    assert_pieces(f, "raw:big", "detail", detail.buf, 29999);
    assert_pieces(f, "raw:big", "tags", "[\"t\"]", 1);
    assert_pieces(f, "raw:big", "context", "", 10);
    const char *piece = call(f, "memory_get", "{\"ref\":\"raw:big\",\"offset\":0}");
    assert_in_range(answer_number(piece, "next"), 25000, 36000);
    assert_int_equal(answer_number(piece, "version"), 1);
    piece = call(f, "memory_get", "{\"ref\":\"raw:big\",\"offset\":9007199254740991}");
    assert_string_equal(answer_text(f, piece, "text"), "");
    assert_null(answer_at(piece, "next").ptr);
    tool_fails(f, "memory_get", "{\"ref\":\"raw:big\",\"offset\":-1}", ERROR_INVALID, "offset");
    tool_fails(f, "memory_get", "{\"ref\":\"raw:big\",\"part\":\"all\"}", ERROR_INVALID,
               "part is not");
}

/* The lineage of a memory with very many neighbours is answered as far as it fits. */
TEST(wide_lineage_is_cut_to_fit)
{
    struct fixture *f = *state;
    enum {
        NOTES = 4000
    };
    AUTO_STRBUF all = STRBUF_INIT;
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
    const char *deep = call(f, "memory_lineage", "{\"ref\":\"raw:root\",\"format\":\"json\"}");
    int64_t told = (int64_t)answer_count(deep, "nodes");
    assert_true(told > 25 && told < NOTES && strlen(deep) <= ANSWER_BYTES);
    assert_int_equal(answer_number(deep, "cut"), NOTES + 2 - told);
    assert_int_equal(answer_number(deep, "nodes_more"), NOTES + 2 - told);
    call(f, "memory_lineage", "{\"ref\":\"raw:root\",\"direction\":\"descendants\",\"depth\":1}");
    const char *back = call(f, "memory_lineage", "{\"ref\":\"note:all\",\"format\":\"json\"}");
    assert_true(answer_number(back, "nodes_more") > 0);
    for (int64_t seen = (int64_t)answer_count(back, "nodes"); seen < NOTES + 2;) {
        assert_int_equal(answer_number(back, "next"), seen);
        back = call(f, "memory_lineage",
                    "{\"ref\":\"note:all\",\"format\":\"json\",\"offset\":%lld}", (long long)seen);
        assert_true(strlen(back) <= ANSWER_BYTES && answer_count(back, "nodes") > 25);
        seen += (int64_t)answer_count(back, "nodes");
        assert_int_equal(answer_number(back, "cut"), NOTES + 2 - seen);
    }
    assert_null(answer_at(back, "next").ptr);
    struct error e;
    assert_non_null(service_answer(f, service_of_all()->read_resource,
                                   "{\"uri\":\"stemma://note/all/lineage.json\"}", &e));
    for (int i = 0; i < NOTES; i++)
        free(lines[i]);
    free(lines);
}

/* With very many dependents the answer still fits and counts them. */
TEST(whatif_with_many_dependents)
{
    struct fixture *f = *state;
    enum {
        FALLING = 1100,
        WEAKENED = 3
    };
    char *lines[FALLING + WEAKENED];
    fixture_put(f, "{\"ref\":\"raw:r\",\"text\":\"r\"}", "{\"ref\":\"raw:s\",\"text\":\"s\"}",
                NULL);
    for (int i = 0; i < FALLING + WEAKENED; i++) {
        struct strbuf line = STRBUF_INIT;
        strbuf_addstr(&line, "{\"ref\":\"belief:");
        for (int n = 0; n < 500; n++)
            strbuf_addstr(&line, "\\u0001"); /* the longest id: each byte takes six in JSON */
        strbuf_addf(&line, "%d\",\"text\":\"b\",\"derived_from\":[\"raw:r\"%s]}", i,
                    i < FALLING ? "" : ",\"raw:s\"");
        lines[i] = strbuf_detach(&line, NULL);
    }
    fixture_put_lines(f, (const char *const *)lines, FALLING + WEAKENED);
    for (int i = 0; i < FALLING + WEAKENED; i++)
        free(lines[i]);
    const char *what = call(f, "memory_whatif", "{\"refs\":[\"raw:r\"],\"format\":\"json\"}");
    size_t told = answer_count(what, "loses_all_support");
    assert_true(strlen(what) <= ANSWER_BYTES && strlen(what) > ANSWER_BYTES - 8000);
    assert_int_equal(told + (size_t)answer_number(what, "loses_all_support_more"), FALLING);
    assert_int_equal(answer_number(what, "weakened_more"), WEAKENED);
    assert_int_equal(answer_number(what, "next"), told);
    what = call(f, "memory_whatif", "{\"refs\":[\"raw:r\"],\"format\":\"json\",\"offset\":%d}",
                FALLING - 1);
    assert_int_equal(answer_count(what, "loses_all_support"), 1);
    assert_int_equal(answer_count(what, "weakened"), WEAKENED);
    assert_null(answer_at(what, "next").ptr);
    what = call(f, "memory_whatif", "{\"refs\":[\"raw:r\"],\"format\":\"json\",\"offset\":%d}",
                FALLING + 2);
    assert_int_equal(answer_count(what, "loses_all_support"), 0);
    assert_int_equal(answer_count(what, "weakened"), WEAKENED - 2);
    what = call(f, "memory_whatif", "{\"refs\":[\"raw:r\"],\"limit\":2,\"format\":\"json\"}");
    assert_int_equal(answer_count(what, "loses_all_support"), 2);
    assert_int_equal(answer_number(what, "loses_all_support_more"), FALLING - 2);
    assert_int_equal(answer_count(what, "weakened"), 2);
    assert_int_equal(answer_number(what, "weakened_more"), WEAKENED - 2);
    assert_null(answer_at(what, "next").ptr);
    assert_non_null(strstr(answer_text(f, what, "todo"), "limit"));
    what = call(f, "memory_whatif", "{\"refs\":[\"raw:s\"],\"limit\":3,\"format\":\"json\"}");
    assert_null(answer_at(what, "loses_all_support_more").ptr);
    assert_null(answer_at(what, "weakened_more").ptr);
    tool_fails(f, "memory_whatif", "{\"refs\":[\"raw:r\"],\"limit\":0}", ERROR_INVALID, "limit");
}

/* A compact answer estimates what its full form would have taken, both copies; a full one does not. */
static void assert_estimate(struct fixture *f, const char *tool, const char *arguments,
                            const char *full)
{
    call(f, tool, "{%s}", arguments);
    size_t estimate = tool_full_bytes;
    size_t bytes = 2 * strlen(call(f, tool, "{%s%s}", arguments, full));
    assert_in_range(estimate, bytes / 2, bytes * 9 / 4);
    if (strstr(full, "detail")) /* JSON of a lineage is compact, too */
        assert_int_equal(tool_full_bytes, 0);
}

TEST(compact_answers_estimate_the_full_form)
{
    static const char detail[] = ",\"detail\":\"full\"";
    struct fixture *f = *state;
    char source[40];
    snprintf(source, sizeof(source), "\"raw:r\"");
    for (int i = 0; i < 20; i++) {
        call(f, "memory_belief",
             "{\"statement\":\"the deploy of service %d failed on a tuesday\",\"confidence\":0.7,"
             "\"derived_from\":[%s],\"source\":\"told by Claire\"}",
             i, source);
        const char *listed = call(f, "memory_list", "{\"limit\":1}");
        snprintf(source, sizeof(source), "\"%s\"", answer_text(f, listed, "memories.0.ref"));
    }
    char ref[60];
    snprintf(ref, sizeof(ref), "\"ref\":%s", source);
    assert_estimate(f, "memory_list", "\"limit\":10", detail);
    assert_estimate(f, "memory_search", "\"query\":\"deploy\"", detail);
    assert_estimate(f, "memory_get", ref, detail);
    assert_estimate(f, "memory_lineage", ref, ",\"format\":\"json\"");
    assert_estimate(f, "memory_history", ref, ",\"format\":\"json\"");
}
