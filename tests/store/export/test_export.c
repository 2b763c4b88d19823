/* Export, import into an empty store, export again: the bytes are the same, whatever the memories
 * contain. */
#include "model/base/alloc.h"
#include "tests/support/scratch.h"
#include "tests/support/kernle_fixture.h"
#include "model/format/memory_json.h"
#include "store/export/export.h"
#include "store/open.h"
#include "tests/support/test.h"

/* ---- random memories ---- */

static uint64_t seed;
static uint32_t below(uint32_t bound)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % bound);
}

static const char *const pieces[] = {
    "a",
    "word ",
    "\"",
    "\\",
    "\n",
    "\r",
    "\t",
    "\x1b[31m",
    "\x07",
    "\x7f",
    "\xc2\x9b[31m",
    "\xe2\x80\xae",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    "é",
    "漢字",
    "🎉",
    "👩‍👩‍👧",
    "e\xcc\x81",
    "\xef\xbf\xbd",
    "\\u0000",
    "{}",
    "[",
    "]",
    "</x>",
    "%s%n",
    "'",
    "belief:x",
    "null",
    "\xf3\xa0\x80\x81",
    "\xf4\x8f\xbf\xbf",
    " ",
};

static const char *random_text(struct arena *a, uint32_t most)
{
    AUTO_STRBUF sb = STRBUF_INIT;
    for (uint32_t n = below(most + 1); n > 0; n--)
        strbuf_addstr(&sb, pieces[below(sizeof(pieces) / sizeof(*pieces))]);
    return arena_strdup(a, sb.buf);
}

static const char *perhaps(struct arena *a)
{
    return below(2) ? random_text(a, 6) : NULL;
}

/* Ids that differ only by case or at the end, and ids with bytes that sort unusually. */
static struct ref random_ref(struct arena *a)
{
    static const char *const odd[] = {
        "a", "A", "a ", "a:b", "a\xc3\xa9", "a\x1b", "\xf0\x9f\x8e\x89", "0", "00", "~", "-"};
    AUTO_STRBUF id = STRBUF_INIT;
    strbuf_addf(&id, "%s%u", odd[below(sizeof(odd) / sizeof(*odd))], below(60));
    return (struct ref){(enum kind)below(KIND_COUNT), arena_strdup(a, id.buf)};
}

static int64_t random_time(void)
{
    static const int64_t times[] = {0, -1, 1767225600000, INT64_MAX, INT64_MIN, 253402300799999};
    return below(3) ? 1767225600000 + below(1000000) : times[below(6)];
}

static double random_share(void)
{
    static const double shares[] = {
        0, 1, 0.1, 1.0 / 3, 0.8131818181818181, 5e-324, 0.99999999999999989};
    return shares[below(7)];
}

static const struct use *random_use(struct arena *a)
{
    struct use *use = arena_alloc(a, sizeof(*use));
    *use = (struct use)USE_NONE;
    if (below(2))
        use->relevance = random_share();
    use->score = (enum score)below(5);
    use->excerpt = perhaps(a);
    use->chunk = (int64_t)below(5) - 1;
    use->rank = (int64_t)below(5) - 1;
    use->page = (int64_t)below(5) - 1;
    use->section = perhaps(a);
    use->version_hash = perhaps(a);
    use->label = perhaps(a);
    use->title = perhaps(a);
    return use;
}

static bool group_has(const struct justification *j, struct ref ref)
{
    for (size_t i = 0; i < j->count; i++)
        if (ref_equal(j->antecedents[i].ref, ref))
            return true;
    return false;
}

static void random_group(struct arena *a, struct justification *j)
{
    *j = (struct justification){.role = (enum role)below(ROLE_SUPPORT_COUNT),
                                .reading = (enum reading)below(2),
                                .recorded = (enum recorded)below(4),
                                .at = random_time(),
                                .reason = perhaps(a)};
    uint32_t most = below(5);
    j->antecedents = arena_array(a, most, sizeof(*j->antecedents));
    for (uint32_t i = 0; i < most; i++) {
        struct ref ref = random_ref(a);
        if (group_has(j, ref))
            continue;
        j->antecedents[j->count++] =
            (struct antecedent){.ref = ref, .use = below(2) ? random_use(a) : NULL};
    }
}

static void random_lists(struct arena *a, struct memory *m)
{
    m->justification_count = below(4);
    m->justifications = arena_array(a, m->justification_count, sizeof(*m->justifications));
    for (size_t i = 0; i < m->justification_count; i++)
        random_group(a, &m->justifications[i]);
    m->history_count = below(4);
    m->history = arena_array(a, m->history_count, sizeof(*m->history));
    for (size_t i = 0; i < m->history_count; i++)
        m->history[i] = (struct history_entry){.at = random_time(),
                                               .old = below(2) ? random_share() : NAN,
                                               .new_ = below(2) ? random_share() : NAN,
                                               .reason = perhaps(a),
                                               .evidence_source = perhaps(a),
                                               .operation = perhaps(a),
                                               .actor = perhaps(a),
                                               .origin = perhaps(a),
                                               .before = perhaps(a),
                                               .after = perhaps(a)};
    m->relation_count = below(3);
    m->relations = arena_array(a, m->relation_count, sizeof(*m->relations));
    for (size_t i = 0; i < m->relation_count; i++)
        m->relations[i] = (struct relation){
            .type = (enum role)(RELATION_SUPERSEDES + below(RELATION_END - RELATION_SUPERSEDES)),
            .to = random_ref(a),
            .at = random_time(),
            .reason = perhaps(a)};
    m->flag_count = below(3);
    m->flags = arena_array(a, m->flag_count, sizeof(*m->flags));
    for (size_t i = 0; i < m->flag_count; i++)
        m->flags[i] = (struct flag){.name = below(2) ? "reviewed" : "rating",
                                    .at = random_time(),
                                    .actor = perhaps(a),
                                    .value = perhaps(a),
                                    .reason = perhaps(a)};
}

static const char **random_texts(struct arena *a, size_t *count)
{
    *count = below(4);
    const char **texts = arena_array(a, *count, sizeof(*texts));
    for (size_t i = 0; i < *count; i++)
        texts[i] = random_text(a, 3);
    return texts;
}

/* An import refuses a second entry with a name, and expired values are gone. */
static void make_entry(struct arena *a, struct memory *m)
{
    static unsigned number;
    AUTO_STRBUF detail = STRBUF_INIT;
    strbuf_addf(&detail, "{\"namespace\":\"n\",\"key\":\"k%u\",\"value\":[1e300,\"\\u202e\"]}",
                number++);
    m->detail = arena_strdup(a, detail.buf);
    if (m->status == STATUS_EXPIRED)
        m->status = STATUS_ACTIVE;
}

static void random_memory(struct arena *a, struct memory *m)
{
    static const char *const details[] = {
        NULL,
        "{}",
        "{\"a\":1}",
        "{\"a\":{\"b\":[1e300,-0.5,12345678901234567890]},\"\":null}",
        "{\"text\":\"\\u001b[0m\\u202e\\ud83c\\udf89 漢字\"}",
        "{\"original\":\"/w==\",\"n\":1.0}"};
    static const char *const types[] = {"inference", "seed", "telepathy", "direct_experience"};
    memory_init(m, random_ref(a));
    m->agent_id = below(2) ? "ash" : "cl\"aire\x1b";
    m->text = random_text(a, 12);
    m->created_at = random_time();
    m->updated_at = random_time();
    m->confidence = random_share();
    m->source_type = types[below(4)];
    m->source = perhaps(a);
    m->source_entity = perhaps(a);
    m->status = below(8) ? (enum status)below(STATUS_MISSING)
                         : (enum status)(STATUS_QUARANTINED + below(3));
    m->is_protected = below(2);
    m->tags = random_texts(a, &m->tag_count);
    m->context = perhaps(a);
    m->annotations = random_texts(a, &m->annotation_count);
    m->version = 1 + below(9);
    m->detail = details[below(sizeof(details) / sizeof(*details))];
    if (m->ref.kind == KIND_ENTRY)
        make_entry(a, m);
    if (m->ref.kind == KIND_ATTRIBUTION && STATUS_LISTED(m->status)) /* others are refused */
        m->detail = "{\"retrieval_timestamp\":-5,\"source_type\":\"\\u202e\"}";
    random_lists(a, m);
}

/* ---- the property ---- */

struct line {
    struct ref ref;
    char *text;
};

static int compare_lines(const void *a, const void *b)
{
    AUTO_STRBUF x = STRBUF_INIT, y = STRBUF_INIT;
    ref_add(&x, ((const struct line *)a)->ref);
    ref_add(&y, ((const struct line *)b)->ref);
    return strcmp(x.buf, y.buf);
}

static bool is_there(const struct line *lines, size_t count, struct ref ref)
{
    for (size_t i = 0; i < count; i++)
        if (ref_equal(lines[i].ref, ref))
            return true;
    return false;
}

static size_t make_lines(struct arena *a, struct line *lines, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        struct memory m;
        struct strbuf text = STRBUF_INIT;
        random_memory(a, &m);
        if (is_there(lines, count, m.ref))
            continue;
        memory_json_write(&text, &m, NULL);
        json_show(&text); /* as all JSON that goes out */
        strbuf_addch(&text, '\n');
        lines[count++] = (struct line){m.ref, strbuf_detach(&text, NULL)};
    }
    return count;
}

static void add_lines(struct strbuf *out, const struct line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strbuf_addstr(out, lines[i].text);
}

static void assert_same_lines(const char *a, const char *b)
{
    while (*a && *b) {
        size_t a_len = strcspn(a, "\n"), b_len = strcspn(b, "\n");
        if (a_len != b_len || memcmp(a, b, a_len) != 0)
            fail_msg("%.*s\nbecame\n%.*s", (int)b_len, b, (int)a_len, a);
        a += a_len + 1;
        b += b_len + 1;
    }
    assert_int_equal(*a, *b);
}

/* PROV-JSON of the store, imported into an empty one, gives the same lines and the same PROV-JSON. */
static void check_prov(struct store *s)
{
    AUTO_FREE char *path = scratch_path("prov.json"), *target = scratch_path("prov.db");
    AUTO_FREE char *lines = exported(s), *prov = exported_as(s, "prov-json");
    struct store *other = kernle_target(target);
    scratch_write(path, prov, strlen(prov));
    import_as(other, "prov", path);
    AUTO_FREE char *again = exported(other), *prov_again = exported_as(other, "prov-json");
    assert_same_lines(again, lines);
    assert_same_lines(prov_again, prov);
    store_close(other);
}

/* Imports `text` into an empty store and exports it. */
static char *through_a_store(const char *text, size_t count)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    struct imported import;
    import_lines(&import, s, text, NULL);
    /* Implausible values are reported and kept. */
    assert_int_equal(imported_count(&import, "; kept as it is"), import.summary.not_understood);
    assert_int_equal(import.summary.added, count);
    char *out = exported(s);
    check_prov(s);
    imported_release(&import);
    store_close(s);
    return out;
}

TEST(test_round_trip)
{
    for (uint64_t round = 1; round <= 6; round++) {
        AUTO_ARENA a = ARENA_INIT;
        struct line lines[200];
        AUTO_STRBUF shuffled = STRBUF_INIT, sorted = STRBUF_INIT;
        seed = round;
        size_t count = make_lines(&a, lines, 200);
        add_lines(&shuffled, lines, count);
        qsort(lines, count, sizeof(*lines), compare_lines);
        add_lines(&sorted, lines, count);
        AUTO_FREE char *first = through_a_store(shuffled.buf, count);
        AUTO_FREE char *second = through_a_store(first, count);
        /* The export has the lines sorted by ref, and exporting again changes nothing. */
        assert_same_lines(first, sorted.buf);
        assert_same_lines(second, first);
        for (size_t i = 0; i < count; i++)
            free(lines[i].text);
    }
}

/* A store made from another program's file exports and imports like any other. */
TEST(test_round_trip_of_imports)
{
    static const char *const sources[] = {"tests/data/kernle-demo.db",
                                          "tests/data/kernle-legacy-16.db"};
    for (size_t i = 0; i < 2; i++) {
        AUTO_FREE char *path = scratch_path("store.db"), *source = scratch_path("memories.db");
        struct imported import;
        scratch_copy(sources[i], source);
        struct store *s = kernle_target(path);
        import_kernle_from(&import, s, source, NULL);
        AUTO_FREE char *first = exported(s);
        AUTO_FREE char *second = through_a_store(first, (size_t)import.summary.added);
        assert_same_lines(second, first);
        imported_release(&import);
        store_close(s);
    }
}

/* A store with changed memories and their history round-trips. */
TEST(test_round_trip_of_changes)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    scratch_put(s, "{\"ref\":\"belief:b\",\"text\":\"one\",\"created_at\":1,\"tags\":[\"x\"],"
                   "\"derived_from\":[\"raw:gone\"]}");
    scratch_replace(s,
                    "{\"ref\":\"belief:b\",\"text\":\"two\",\"created_at\":1,\"marks\":[{"
                    "\"mark\":\"reviewed\",\"at\":5}],\"justifications\":[{\"role\":"
                    "\"derived_from\",\"reading\":\"all\",\"recorded\":\"recorded\",\"at\":1,"
                    "\"antecedents\":[]}]}",
                    "because");
    AUTO_FREE char *first = exported(s);
    AUTO_FREE char *second = through_a_store(first, 1);
    assert_same_lines(second, first);
    assert_null(strstr(first, "raw:gone"));
    assert_non_null(strstr(first, "\"antecedents\":[]"));
    store_close(s);
}

/* ---- one snapshot, and failures ---- */

struct export_test {
    struct store *store;
    struct strbuf out;
    int lines, fail_at, stop_at;
};

static int write_while_changing(void *arg, const char *line, size_t len)
{
    struct export_test *x = arg;
    char added[128];
    strbuf_add(&x->out, line, len);
    if (++x->lines == x->fail_at)
        return -1;
    snprintf(added, sizeof(added), "{\"ref\":\"value:z%d\",\"text\":\"late\",\"created_at\":1}",
             x->lines);
    scratch_put(x->store, added);
    return 0;
}

static int stop_export(void *arg, int64_t done, int64_t total)
{
    struct export_test *x = arg;
    assert_int_equal(total, 3);
    return x->stop_at && done >= x->stop_at - 1;
}

TEST(test_one_snapshot)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct error e = {0};
    struct export_test x = {.store = kernle_target(path), .out = STRBUF_INIT};
    for (int i = 0; i < 3; i++) {
        char line[96];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:%d\",\"text\":\"a\",\"created_at\":1}", i);
        scratch_put(x.store, line);
    }
    struct reader *r = reader_open(x.store, &e);
    assert_int_equal(export_jsonl(r, write_while_changing, &x, stop_export, &e), 0);
    assert_int_equal(x.lines, 3);
    assert_null(strstr(x.out.buf, "late"));
    reader_close(r);
    strbuf_release(&x.out);
    store_close(x.store);
}

TEST(test_export_fails)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct error e = {0};
    struct export_test x = {.store = kernle_target(path), .out = STRBUF_INIT, .fail_at = 2};
    for (int i = 0; i < 3; i++) {
        char line[96];
        snprintf(line, sizeof(line), "{\"ref\":\"value:%d\",\"text\":\"a\",\"created_at\":1}", i);
        scratch_put(x.store, line);
    }
    struct reader *r = reader_open(x.store, &e);
    x.stop_at = 1;
    assert_int_equal(export_jsonl(r, write_while_changing, &x, stop_export, &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    assert_int_equal(x.lines, 0);
    x.stop_at = 0;
    assert_int_equal(export_jsonl(r, write_while_changing, &x, stop_export, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    assert_int_equal(x.lines, 2);
    /* The reader still works. */
    x.fail_at = 0;
    assert_int_equal(export_jsonl(r, write_while_changing, &x, NULL, &e), 0);
    reader_close(r);
    strbuf_release(&x.out);
    store_close(x.store);
}

TEST(test_empty_store)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct store *s = kernle_target(path);
    AUTO_FREE char *all = exported(s);
    assert_string_equal(all, "");
    store_close(s);
}
