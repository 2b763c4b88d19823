/* PROV-JSON that is damaged or hostile: it is read or reported, and the store stays sound. */
#include "model/base/alloc.h"
#include "store/formats/formats.h"
#include "store/import/prov_document.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static void ignore(void *arg, const char *line)
{
}

/* Imports the text. Returns what was read. */
static struct import_summary import(struct store *s, const char *path, const char *text, size_t len)
{
    struct error e = {0};
    struct import_summary summary;
    struct import_options options = {.report = ignore};
    scratch_write(path, text, len);
    if (import_source_run(format_find("prov", &e), s, path, &options, &summary, &e))
        fail_msg("%s", e.what);
    return summary;
}

/* A document of the demo's store with bytes changed, and with whole lines left out or repeated. */
TEST(test_damaged)
{
    AUTO_FREE char *path = scratch_path("store.db"), *other_path = scratch_path("other.db"),
                   *file = scratch_path("prov.json");
    struct store *s = kernle_target(path), *other = kernle_target(other_path);
    struct imported lines;
    struct random random = {3};
    int64_t read = 0, faults = 0;
    import_lines_from(&lines, s, "tests/data/demo.jsonl", NULL);
    imported_release(&lines);
    AUTO_FREE char *prov = exported_as(s, "prov-json");
    size_t len = strlen(prov);
    for (int round = 0; round < 40; round++) {
        AUTO_STRBUF text = STRBUF_INIT;
        for (const char *at = prov; *at;) {
            size_t line = strcspn(at, "\n");
            for (uint32_t times = random_chance(&random, 97); times > 0; times--)
                strbuf_add(&text, at, line + (at[line] != '\0'));
            at += line + (at[line] != '\0');
        }
        for (uint32_t i = random_below(&random, 3); i > 0 && round % 2; i--)
            text.buf[random_below(&random, (uint32_t)text.len)] =
                "\"{}[]:,\\ax0"[random_below(&random, 11)];
        struct import_summary summary = import(other, file, text.buf, text.len);
        read += summary.read;
        faults += summary.not_understood;
    }
    assert_true(read > 1000 && faults > 0);
    /* The whole one, after all of them: nothing was damaged for good. */
    struct import_summary summary = import(other, file, prov, len);
    assert_int_equal(summary.read, 171);
    assert_int_equal(summary.not_understood, 0);
    store_close(s);
    store_close(other);
}

static const char *resolved(const struct prov_document *d, const char *name)
{
    static struct arena arena;
    arena_clear(&arena);
    return prov_resolve(d->scopes[d->scope_count - 1], &arena,
                        (struct json_slice){name, strlen(name)});
}

/* Names are resolved by the prefixes of their bundle, then by those of the document. */
TEST(test_names)
{
    static const char text[] =
        "{\"prefix\":{\"a\":\"http://a/\",\"b\":\"http://b#\",\"default\":\"http://d/\"},"
        "\"bundle\":{\"a:x\":{\"prefix\":{\"a\":\"http://other/"
        "\"},\"entity\":{\"a:e\":{},\"e\":[{},{}]}}},"
        "\"entity\":7,\"mentionOf\":{\"_:1\":{},\"_:2\":{}},\"used\":{\"_:1\":{\"prov:activity\":"
        "\"a:1\"},\"_:2\":9}}";
    struct prov_document d;
    prov_document_read(&d, (struct json_slice){text, strlen(text)});
    assert_string_equal(resolved(&d, "a:e"), "http://other/e");
    assert_string_equal(resolved(&d, "b:e"), "http://b#e");
    assert_string_equal(resolved(&d, "e"), "http://d/e");
    assert_string_equal(resolved(&d, "prov:type"), "http://www.w3.org/ns/prov#type");
    assert_string_equal(resolved(&d, "_:e"), "_:e");
    assert_int_equal(d.count, 3);
    assert_string_equal(d.list[0].subject, "http://d/e");
    assert_non_null(prov_find(&d, "http://other/e", PROV_ENTITY));
    assert_null(prov_find(&d, "http://other/e", PROV_ACTIVITY));
    assert_int_equal(d.unknown.count, 2);
    assert_string_equal(d.unknown.key[1].text, "mentionOf");
    assert_int_equal(d.unknown_count[1], 2);
    assert_int_equal(d.odd, 2); /* a use of nothing, and one that is no object */
    assert_string_equal(prov_local("http://b#e"), "e");
    assert_string_equal(prov_local("urn:x:y/"), "y/");
    prov_document_release(&d);
}
