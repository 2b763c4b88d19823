/* Documents: users, versions, and links to logged retrievals, whether the document or the retrieval
 * came first. */
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/reasoning/attributions.h"
#include "store/reasoning/document.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "store/history/past.h"
#include "store/lineage/subgraph.h"
#include "store/open.h"
#include "store/record/put.h"
#include "tests/support/findings.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define HASH_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static const struct actor ash = {
    .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
static const struct actor sean = {.class = ACTOR_PERSON, .name = "sean", .origin = "command"};

static struct fixture f;
static struct error e;

static int setup(void **state)
{
    fixture_open(&f);
    return 0;
}

static int teardown(void **state)
{
    reader_close(f.reader); /* open connections checkpoint the log into the file at times */
    store_close(f.store);
    expect_sound_file(f.path);
    f.store = store_open(f.path, &(struct store_options){.read_only = true}, NULL, &e);
    f.reader = f.store ? reader_open(f.store, &e) : NULL;
    fixture_close(&f);
    return 0;
}

/* ---- helpers that write ---- */

struct taking {
    const struct actor *actor;
    const char *agent;
    struct source source;
    int64_t node; /* the document */
    struct ref ref;
};

/* Adds the document, links it, and uses it in a step, as reasoning.c does. */
static int run_use(struct txn *t, void *arg, struct error *why)
{
    struct taking *k = arg;
    struct memory m;
    struct antecedent a = {.ref = k->ref};
    struct use use = USE_NONE;
    struct justification j = {ROLE_SOURCE, READING_ANY, RECORDED, txn_now(t), NULL, &a, 1};
    char id[37];
    store_make_id(txn_store(t), id);
    bool known;
    if (document_check_names(t, &k->source, &f.arena, &known, why) ||
        document_find_or_add(t, k->actor, "add", k->agent, &k->source, id, &f.arena, &k->ref,
                             &k->node, why) ||
        document_link_retrieval(t, k->actor, k->agent, k->node, &k->source, &f.arena, why))
        return -1;
    memory_init(&m, (struct ref){KIND_STEP, arena_strdup(&f.arena, id)});
    m.text = "why?";
    m.agent_id = k->agent ? k->agent : "ash";
    m.source_type = "inference";
    m.created_at = m.updated_at = txn_now(t);
    a.ref = k->ref;
    use.version_hash = k->source.version_hash;
    use.chunk = k->source.chunk;
    use.excerpt = k->source.excerpt;
    a.use = &use;
    m.justifications = &j;
    m.justification_count = 1;
    return txn_put(t, k->actor, "add", NULL, &m, NULL, why);
}

static struct source source(const char *id)
{
    return (struct source){.document_id = id, .relevance = 1, .chunk = CHUNK_NONE, .rank = -1};
}

static int64_t use_as(const char *agent, struct source s)
{
    struct taking k = {&ash, agent, s, 0, {KIND_DOCUMENT, NULL}};
    if (store_run(f.store, run_use, &k, &e))
        fail_msg("%s", e.what);
    return k.node;
}

static int64_t use(struct source s)
{
    return use_as("ash", s);
}

struct logging {
    struct attribution a;
    struct added out;
};

static int run_log(struct txn *t, void *arg, struct error *why)
{
    struct logging *l = arg;
    struct actor actor = ash;
    actor.name = actor.agent = l->a.agent_id;
    return attribution_add(t, &actor, &l->a, &f.arena, &l->out, why);
}

static struct added log_as(const char *agent, const char *uri, const char *hash)
{
    struct logging l = {.a = {.agent_id = agent,
                              .source_type = "web",
                              .source_uri = uri,
                              .retrieval_timestamp = FIXTURE_NOW,
                              .full_content_hash = hash}};
    if (store_run(f.store, run_log, &l, &e))
        fail_msg("%s", e.what);
    return l.out;
}

static void operate(enum operation op, int64_t node)
{
    struct request q = REQUEST_INIT;
    struct plan p;
    q.nodes = &node;
    q.node_count = 1;
    if (operation_run_now(f.store, &sean, op, &q, &f.arena, &p, &e))
        fail_msg("%s", e.what);
}

/* ---- helpers that read ---- */

static struct memory memory_of(int64_t node)
{
    struct memory m;
    if (memory_read(f.reader, &f.arena, node, &m, &e))
        fail_msg("%s", e.what);
    return m;
}

/* What the document is based on: "evidence auto-linked attribution, …"; an empty justification is "-". */
static const char *rests_on(int64_t document)
{
    struct memory m = memory_of(document);
    AUTO_STRBUF out = STRBUF_INIT;
    for (size_t i = 0; i < m.justification_count; i++) {
        const struct justification *j = &m.justifications[i];
        strbuf_addstr(&out, i ? ", " : "");
        if (j->count == 0)
            strbuf_addch(&out, '-');
        else
            strbuf_addf(&out, "%s %s %s", role_name(j->role), recorded_name(j->recorded),
                        kind_name(j->antecedents[0].ref.kind));
    }
    return arena_strdup(&f.arena, out.buf);
}

static bool names(int64_t document, struct ref attribution)
{
    struct memory m = memory_of(document);
    for (size_t i = 0; i < m.justification_count; i++)
        for (size_t k = 0; k < m.justifications[i].count; k++)
            if (ref_equal(m.justifications[i].antecedents[k].ref, attribution))
                return true;
    return false;
}

/* "uR": the matches, newest first: R is recorded, h by its hash, u by its URI. */
static const char *retrievals(int64_t document, size_t limit, bool *more)
{
    struct document_retrieval *list;
    size_t count;
    char word[64] = "";
    if (document_retrievals(f.reader, &f.arena, document, limit, &list, &count, more, &e))
        fail_msg("%s", e.what);
    for (size_t i = 0; i < count && i < sizeof(word) - 1; i++)
        word[i] = "guhR"[list[i].match];
    return arena_strdup(&f.arena, word);
}

static enum label label_of(int64_t node)
{
    struct row_label label;
    assert_int_equal(labels_of_rows(f.reader, &node, 1, &label, &e), 0);
    return label.label;
}

/* ---- adding ---- */

FIXTURE(setup, teardown);

TEST(a_given_id_names_the_document)
{
    struct source s = source("manual");
    int64_t node = use(s);
    assert_string_equal(fixture_ref(&f, node), "document:manual");
    assert_string_equal(memory_of(node).text, "manual");
    s.title = "The manual";
    s.uri = "https://m.example";
    assert_int_equal(use(s), node);
    struct memory m = memory_of(node);
    assert_string_equal(m.text, "The manual");
    assert_non_null(strstr(m.detail, "\"uri\":\"https://m.example\""));
    assert_null(strstr(m.detail, "untitled"));
    s.title = "Another title";
    s.uri = "https://other.example";
    use(s);
    assert_string_equal(memory_of(node).text, "The manual");
    assert_int_equal(memory_of(node).version, 2);
}

TEST(a_made_up_id_becomes_the_content_hash)
{
    struct source s = source("doc_0");
    s.invented = true;
    s.content = "the same words";
    s.content_len = strlen(s.content);
    s.excerpt = s.content;
    s.version_hash = HASH_A;
    int64_t node = use(s);
    assert_string_equal(fixture_ref(&f, node), "document:sha256-" HASH_A);
    assert_string_equal(memory_of(node).text, "the same words");
    s.document_id = "context_doc_7";
    assert_int_equal(use(s), node);
    s = source("doc_0");
    s.invented = true;
    int64_t nothing = use(s), again = use(s);
    assert_true(nothing != again);
    assert_string_equal(memory_of(nothing).text, "doc_0");
}

TEST(dead_and_locked_documents_are_used_unchanged)
{
    static const enum operation each[] = {OPERATION_FORGET, OPERATION_PURGE, OPERATION_RETRACT,
                                          OPERATION_LOCK};
    for (size_t i = 0; i < 4; i++) {
        char id[2] = {(char)('a' + i), '\0'};
        int64_t node = use(source(id));
        operate(each[i], node);
        int64_t version = memory_of(node).version;
        log_as("ash", id, NULL);
        struct source s = source(id);
        s.title = "T";
        assert_int_equal(use(s), node);
        assert_int_equal(memory_of(node).version, version);
    }
}

/* A recorded link is kept in the retrieval; a guess is not kept. */
TEST(approved_documents_are_used_unchanged)
{
    bool more;
    int64_t node = use(source("d"));
    operate(OPERATION_APPROVE, node);
    struct memory before = memory_of(node);
    log_as("ash", "d", NULL);
    struct added logged = log_as("ash", "https://a.example", NULL);
    struct source s = source("d");
    s.title = "T";
    s.uri = "https://other.example";
    s.attribution = logged.ref.id;
    assert_int_equal(use(s), node);
    assert_int_equal(memory_of(node).version, before.version);
    assert_int_equal(memory_of(logged.node).relation_count, 1);
    assert_string_equal(retrievals(node, 10, &more), "Ru");
    /* A person's decision does not bind a person. */
    struct taking k = {&sean, "ash", s, 0, {KIND_DOCUMENT, NULL}};
    assert_int_equal(store_run(f.store, run_use, &k, &e), 0);
    assert_string_equal(memory_of(node).text, "T");
    assert_true(names(node, logged.ref));
}

/* ---- links to retrievals ---- */

TEST(named_retrievals_are_recorded)
{
    struct added logged = log_as("ash", "https://a.example", NULL);
    struct source s = source("page");
    s.attribution = logged.ref.id; /* a bare id */
    int64_t node = use(s);
    assert_string_equal(rests_on(node), "derived_from recorded attribution");
    assert_true(names(node, logged.ref));
    use(s);
    assert_int_equal(memory_of(node).version, 2);
    operate(OPERATION_RETRACT, logged.node); /* the retrieval was its only source */
    assert_int_equal(label_of(node), LABEL_UNSUPPORTED);
}

TEST(later_retrievals_are_evidence)
{
    int64_t node = use(source("page"));
    struct added logged = log_as("ash", "https://a.example", NULL);
    struct source s = source("page");
    char ref[64];
    snprintf(ref, sizeof(ref), "attribution:%s", logged.ref.id);
    s.attribution = ref;
    use(s);
    assert_string_equal(rests_on(node), "-, evidence recorded attribution");
    operate(OPERATION_RETRACT, logged.node);
    assert_int_equal(label_of(node), LABEL_WEAKENED);
}

TEST(the_latest_retrieval_is_guessed)
{
    log_as("ash", "https://a.example", NULL);
    struct added latest = log_as("ash", "https://a.example", NULL);
    log_as("claire", "https://a.example", NULL);
    struct source s = source("page");
    s.uri = "https://a.example";
    int64_t by_uri = use(s), by_id = use(source("https://a.example"));
    assert_string_equal(rests_on(by_uri), "-, evidence auto-linked attribution");
    assert_true(names(by_uri, latest.ref));
    assert_true(names(by_id, latest.ref));
    assert_string_equal(rests_on(use_as("bob", source("x"))), "");
    assert_string_equal(rests_on(use_as("bob", source("y"))), "");
}

/* The document's links stay limited however many retrievals are named, and none is lost. */
TEST(links_do_not_grow_with_uses)
{
    bool more;
    struct source s = source("page");
    int64_t node = 0;
    for (int i = 0; i < 100; i++) {
        struct added logged = log_as("ash", NULL, NULL);
        s.attribution = logged.ref.id;
        node = use(s);
    }
    assert_true(memory_of(node).justification_count <= 65);
    const char *all = retrievals(node, 200, &more);
    assert_false(more);
    assert_int_equal(strspn(all, "R"), 63); /* as many as the buffer holds */
    s.version_hash = HASH_A;
    for (int i = 0; i < 3; i++) {
        struct added logged = log_as("ash", NULL, HASH_A);
        s.attribution = logged.ref.id;
        assert_int_equal(use(s), node);
    }
    struct document_retrieval *list;
    size_t count;
    assert_int_equal(document_retrievals(f.reader, &f.arena, node, 200, &list, &count, &more, &e),
                     0);
    assert_int_equal(count, 103);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(list[i].match, MATCH_RECORDED);
}

TEST(unknown_retrievals_are_refused_or_awaited)
{
    struct source s = source("page");
    struct taking k = {&ash, "ash", s, 0, {KIND_DOCUMENT, NULL}};
    k.source.attribution = "context:somewhere";
    int64_t before = journal_last(f.reader, &e);
    assert_int_equal(store_run(f.store, run_use, &k, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    assert_int_equal(journal_last(f.reader, &e), before);
    s.attribution = "attribution:not-yet";
    int64_t node = use(s);
    assert_string_equal(rests_on(node), "-, evidence recorded attribution");
    before = journal_last(f.reader, &e);
    k.source.attribution = "document:page"; /* no retrieval */
    assert_int_equal(store_run(f.store, run_use, &k, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    assert_int_equal(journal_last(f.reader, &e), before);
}

/* ---- retrievals logged after the use ---- */

TEST(a_later_retrieval_finds_used_documents)
{
    struct source s = source("page");
    s.uri = "https://a.example";
    int64_t by_uri = use(s), by_id = use(source("https://a.example"));
    struct source content = source("chapter");
    content.version_hash = HASH_B;
    int64_t by_hash = use(content);
    content = source("doc_0");
    content.invented = true;
    content.version_hash = HASH_B;
    int64_t made_up = use(content);
    struct added logged = log_as("ash", "https://a.example", NULL);
    assert_true(names(by_uri, logged.ref));
    assert_true(names(by_id, logged.ref));
    assert_false(names(by_hash, logged.ref));
    char upper[65] = HASH_B;
    for (char *c = upper; *c; c++)
        *c = (char)(*c - 'a' + 'A');
    struct added hashed = log_as("ash", "elsewhere", upper);
    assert_true(names(by_hash, hashed.ref));
    assert_true(names(made_up, hashed.ref));
    assert_string_equal(rests_on(made_up), "-, evidence auto-linked attribution");
    log_as("ash", "https://a.example", NULL); /* there is one of that version already */
    log_as("ash", "elsewhere", upper);
    assert_int_equal(memory_of(by_uri).justification_count, 2);
    assert_int_equal(memory_of(by_hash).justification_count, 2);
}

/* The changes of a retrieval share its correlation; without changes it has none. */
TEST(a_retrieval_without_changes_has_no_correlation)
{
    struct event *event;
    size_t count;
    struct source s = source("page");
    s.uri = "https://a.example";
    use(s);
    struct added alone = log_as("ash", "elsewhere", NULL);
    assert_int_equal(journal_of(f.reader, &f.arena, alone.node, &event, &count, &e), 0);
    assert_null(event[0].correlation);
    struct added tied = log_as("ash", s.uri, NULL);
    assert_int_equal(journal_of(f.reader, &f.arena, tied.node, &event, &count, &e), 0);
    assert_int_equal(journal_count_correlation(f.reader, event[0].correlation, &e), 2);
}

/* ---- versions and uses ---- */

static void use_version(const char *id, int64_t chunk, const char *hash)
{
    struct source s = source(id);
    s.chunk = chunk;
    s.version_hash = hash;
    use(s);
}

/* Compared with a plain scan, on random uses. */
TEST(later_versions_are_changes)
{
    static const char *const hashes[] = {HASH_A, HASH_B, "c", NULL};
    uint64_t seed = 7;
    size_t made[160][2];
    for (size_t i = 0; i < 160; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        made[i][0] = (seed >> 33) % 2;
        /* a long run of the same version at the end */
        made[i][1] = i > 90 ? 2 : (seed >> 40) % 4;
        use_version("d", made[i][0] ? 3 : CHUNK_NONE, hashes[made[i][1]]);
    }
    struct document_use *u;
    size_t count;
    bool more;
    int64_t d = fixture_row(&f, "document:d");
    assert_int_equal(document_uses(f.reader, &f.arena, d, 0, 200, &u, &count, &more, &e), 0);
    assert_int_equal(count, 160);
    for (size_t i = 0; i < 160; i++) {
        bool changed = false;
        for (size_t k = i + 1; k < 160 && made[i][1] != 3; k++)
            changed |= made[k][0] == made[i][0] && made[k][1] != 3 && made[k][1] != made[i][1];
        assert_int_equal(u[159 - i].passage->changed, changed);
    }
}

/* Without a chunk only passages that begin alike are versions of one. */
TEST(other_passages_without_a_chunk_are_no_change)
{
    static const char *const passages[] = {"one passage", "another one", "one passage"};
    static const char *const hashes[] = {HASH_A, HASH_B, "c"};
    struct document_use *u;
    struct document_summary summary;
    size_t count;
    bool more;
    for (size_t i = 0; i < 3; i++) {
        struct source s = source("unchunked");
        s.excerpt = passages[i];
        s.version_hash = hashes[i];
        use(s);
        int64_t d = fixture_row(&f, "document:unchunked");
        assert_int_equal(document_summary_read(f.reader, d, 9, &summary, &e), 0);
        assert_int_equal(summary.changed, i == 2);
    }
    int64_t d = fixture_row(&f, "document:unchunked");
    assert_int_equal(document_uses(f.reader, &f.arena, d, 0, 9, &u, &count, &more, &e), 0);
    assert_true(u[2].passage->changed);
    assert_false(u[1].passage->changed || u[0].passage->changed);
    struct document_version *v;
    assert_int_equal(document_versions(f.reader, &f.arena, d, 9, &v, &count, &more, &e), 0);
    assert_int_equal(count, 3);
    assert_true(v[0].latest && v[0].passage == 1); /* "another one" */
    assert_false(v[1].latest);
    assert_true(v[2].latest && v[2].passage == 2 && v[1].passage == 2);
}

/* The limit counts only uses of the requested kinds. */
TEST(uses_of_a_kind_are_found_among_others)
{
    struct document_use *u;
    size_t count;
    bool more;
    use(source("page"));
    fixture_sql(&f, "INSERT INTO memory(id, kind, name, status, agent, source_type) WITH n(i) AS"
                    " (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 21000) SELECT 1000 + i, 3,"
                    " 'n' || i, 0, 1, 1 FROM n;"
                    "INSERT INTO link(memory, number, position, target, shape) SELECT n.id, 0, 0,"
                    " d.id, 0 FROM memory n, memory d WHERE n.id > 1000 AND d.name = 'page'");
    int64_t d = fixture_row(&f, "document:page");
    assert_int_equal(
        document_uses(f.reader, &f.arena, d, KIND_BIT(KIND_STEP), 1, &u, &count, &more, &e), 0);
    assert_int_equal(count, 1);
    assert_int_equal(u->ref.kind, KIND_STEP);
    assert_false(more);
    assert_int_equal(document_uses(f.reader, &f.arena, d, 0, 1, &u, &count, &more, &e), 0);
    assert_int_equal(count, 1);
    assert_true(more);
    fixture_sql(&f, "DELETE FROM link WHERE memory > 1000; DELETE FROM memory WHERE id > 1000");
}

/* A passage that alternated between versions before: takes hundredths of a second; a scan takes a
 * second. */
TEST(no_change_among_many_uses)
{
    bool changed;
    fixture_sql(&f, "INSERT INTO use(memory, number, position, target, version_hash)"
                    " WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100200)"
                    " SELECT 1000 + i, 0, 0, 1 + i % 2, CASE WHEN i % 2 AND i < 100000"
                    " THEN '" HASH_A "' || i WHEN i < 100000 THEN '" HASH_A "'"
                    " ELSE '" HASH_B "' END FROM n");
    for (int64_t i = 100000; i <= 100200; i++) {
        assert_int_equal(
            document_changed_since(f.reader, 1 + i % 2, CHUNK_NONE, 1000 + i, HASH_B, &changed, &e),
            0);
        assert_false(changed);
    }
    fixture_sql(&f, "DELETE FROM use WHERE memory > 1000");
}
