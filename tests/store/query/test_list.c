/* Lists, compared with a naive sort, in every order, direction, filter and page size. */
#include "model/base/alloc.h"
#include "store/lineage/trust.h"
#include "store/query/list.h"

#include "model/memory/confidence.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/db.h"
#include "store/lineage/loaded.h"
#include "store/query/order.h"
#include "tests/support/store_fixture.h"
#include "tests/support/listed.h"
#include "tests/support/test.h"

#define MEMORIES 600 /* more than a list by confidence reads one by one */

/* The content of a list, apart from the store. */
struct known {
    int64_t row;
    enum kind kind;
    enum status status;
    int agent;       /* agent-0 … */
    int source_type; /* an index of `sources` */
    int64_t created_at, updated_at;
    double confidence;
    char text[2100];
};

static struct known known[MEMORIES + 100];
static size_t known_count;
static struct fixture fixture;

static const char *const sources[] = {"inference", "external", "dream"};
static const enum kind kinds[] = {KIND_RAW, KIND_EPISODE, KIND_BELIEF, KIND_NOTE, KIND_ENTRY};

static uint32_t seed = 1;
static unsigned any(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* Texts that compare equal: the same, or with the same first 48 code points, in two scripts. */
static void make_text(char *out, size_t size)
{
    static const char *const begins[] = {"", "a", "ab", "Z", "é", "日本", "same"};
    snprintf(out, size, "%s%u", begins[any(7)], any(4));
    const char *fill = any(2) ? "x" : "語";
    static const int lengths[] = {0, 0, 47, 48, 49, 60, 100, 300};
    size_t len = strlen(out);
    for (int n = lengths[any(8)]; n > 0 && len + 8 < size; n--)
        len += (size_t)snprintf(out + len, size - len, "%s", fill);
    snprintf(out + len, size - len, "%u", any(3));
}

static void put_known(struct known *k)
{
    char line[3000], ref[64];
    snprintf(ref, sizeof(ref), "%s:m-%zu", kind_name(k->kind), (size_t)(k - known));
    snprintf(line, sizeof(line),
             "{\"ref\":\"%s\",\"agent_id\":\"agent-%d\",\"text\":\"%s\",\"created_at\":%lld,"
             "\"updated_at\":%lld,\"confidence\":%.17g,\"source_type\":\"%s\",\"status\":\"%s\"}",
             ref, k->agent, k->text, (long long)k->created_at, (long long)k->updated_at,
             k->confidence, sources[k->source_type], status_name(k->status));
    fixture_put(&fixture, line, NULL);
    k->row = fixture_row(&fixture, ref);
}

static struct known *make_known(void)
{
    struct known *k = &known[known_count++];
    *k = (struct known){.kind = kinds[any(5)],
                        .status = any(3)   ? STATUS_ACTIVE
                                  : any(7) ? (enum status)any(STATUS_MISSING)
                                           : (enum status)(STATUS_QUARANTINED + any(3)),
                        .agent = (int)any(3),
                        .source_type = (int)any(3),
                        .created_at = 1700000000000 + any(20),
                        .updated_at = 1700000000000 + any(100000),
                        .confidence = any(10) / 10.0};
    make_text(k->text, sizeof(k->text));
    return k;
}

static int set_up(void **state)
{
    fixture_open(&fixture);
    for (int i = 0; i < MEMORIES; i++)
        put_known(make_known());
    fixture_put(&fixture,
                "{\"ref\":\"belief:that-names-a-stub\",\"text\":\"t\",\"status\":\"purged\","
                "\"derived_from\":[\"raw:never-written\"]}",
                NULL);
    known[known_count++] = (struct known){.row = fixture_row(&fixture, "belief:that-names-a-stub"),
                                          .kind = KIND_BELIEF,
                                          .status = STATUS_PURGED,
                                          .agent = -1,
                                          .source_type = 0,
                                          .created_at = FIXTURE_NOW,
                                          .updated_at = FIXTURE_NOW,
                                          .confidence = 0.8,
                                          .text = "t"};
    return 0;
}

static int tear_down(void **state)
{
    fixture_close(&fixture);
    return 0;
}

/* ---- the naive answer ---- */

static enum list_order sort_order;
static bool sort_down;

/* Only the first 48 code points are compared. */
static int compare_beginnings(const char *a, const char *b)
{
    size_t x = utf8_prefix(a, ORDER_TEXT_KEY), y = utf8_prefix(b, ORDER_TEXT_KEY);
    int order = memcmp(a, b, x < y ? x : y);
    return order ? order : (x > y) - (x < y);
}

/* None of these memories is based on others. */
static double effective(const struct known *k)
{
    return STATUS_LIVES(k->status) ? k->confidence : 0;
}

static double trust(const struct known *k)
{
    int type = source_type_from_name(sources[k->source_type]);
    enum label label = kind_spec(k->kind)->is_source ? LABEL_SUPPORTED : LABEL_UNSOURCED;
    return STATUS_LIVES(k->status)
               ? trust_rank(label,
                            trust_weight(&trust_defaults, &(struct trust_source){.type = type}))
               : 0;
}

static int by_order(const void *a, const void *b)
{
    const struct known *x = *(const struct known *const *)a, *y = *(const struct known *const *)b;
    int order = 0;
    if (sort_order == ORDER_CREATED || sort_order == ORDER_RETRIEVED) /* they have no other time */
        order = (x->created_at > y->created_at) - (x->created_at < y->created_at);
    else if (sort_order == ORDER_UPDATED)
        order = (x->updated_at > y->updated_at) - (x->updated_at < y->updated_at);
    else if (sort_order == ORDER_CONFIDENCE)
        order = (effective(x) > effective(y)) - (effective(x) < effective(y));
    else if (sort_order == ORDER_TRUST)
        order = (trust(x) > trust(y)) - (trust(x) < trust(y));
    else if (sort_order == ORDER_TEXT)
        order = compare_beginnings(x->text, y->text);
    if (order == 0)
        order = (x->row > y->row) - (x->row < y->row);
    return sort_down ? -order : order;
}

static bool is_wanted(const struct known *k, const struct list_query *q)
{
    unsigned statuses = q->statuses ? q->statuses : STATUSES_LISTED;
    char agent[20];
    snprintf(agent, sizeof(agent), "agent-%d", k->agent);
    return (!q->kinds || q->kinds & KIND_BIT(k->kind)) && statuses & STATUS_BIT(k->status) &&
           (!q->agent || strcmp(q->agent, agent) == 0) &&
           (!q->source_type || strcmp(q->source_type, sources[k->source_type]) == 0);
}

static size_t expect(const struct list_query *q, int64_t *rows)
{
    const struct known *found[MEMORIES + 100];
    size_t count = 0;
    for (size_t i = 0; i < known_count; i++)
        if (is_wanted(&known[i], q))
            found[count++] = &known[i];
    sort_order = q->order;
    sort_down = (q->order != ORDER_TEXT) != q->reverse;
    qsort(found, count, sizeof(*found), by_order);
    for (size_t i = 0; i < count; i++)
        rows[i] = found[i]->row;
    return count;
}

/* ---- reading pages ---- */

/* Reads one page from the cursor and advances it. */
static size_t read_page(const struct list_query *q, struct strbuf *cursor, int64_t *rows,
                        size_t size)
{
    struct error e = {0};
    size_t count = 0;
    int more = 1;
    struct list *l = list_open(fixture.reader, q, cursor->len ? cursor->buf : NULL, &e);
    if (!l)
        fail_msg("%s", e.what);
    while (count < size && (more = list_next(l, &rows[count], &e)) > 0)
        count++;
    if (more < 0)
        fail_msg("%s", e.what);
    strbuf_clear(cursor);
    list_cursor(l, cursor);
    list_close(l);
    return count;
}

static void check_pages(const struct list_query *q, size_t size)
{
    int64_t wanted[MEMORIES + 100], got[MEMORIES + 200];
    size_t count = expect(q, wanted), at = 0, page;
    AUTO_STRBUF cursor = STRBUF_INIT;
    while ((page = read_page(q, &cursor, got + at, size)) > 0) {
        at += page;
        assert_true(at <= count);
    }
    assert_int_equal(at, count);
    assert_memory_equal(got, wanted, count * sizeof(*got));
}

static const char *const filter_agents[] = {NULL, "agent-1", "nobody"};
static const char *const filter_sources[] = {NULL, "dream", "no such type"};
static const unsigned filter_kinds[] = {
    0, KIND_BIT(KIND_BELIEF), KIND_BIT(KIND_RAW) | KIND_BIT(KIND_NOTE), KIND_BIT(KIND_GOAL)};
static const unsigned filter_statuses[] = {
    0, STATUSES_ALL, STATUS_BIT(STATUS_DELETED),
    STATUS_BIT(STATUS_MISSING) | STATUS_BIT(STATUS_QUARANTINED) | STATUS_BIT(STATUS_PENDING)};

/* Calls `check` for every combination of filters, orders and directions. */
static void for_each_query(void (*check)(const struct list_query *q))
{
    for (unsigned i = 0; i < 3 * 3 * 4 * 4 * 4 * 2; i++) {
        struct list_query q = {.agent = filter_agents[i % 3],
                               .source_type = filter_sources[i / 3 % 3],
                               .kinds = filter_kinds[i / 9 % 4],
                               .statuses = filter_statuses[i / 36 % 4],
                               .order = (enum list_order)(i / 144 % 4),
                               .reverse = i / 576};
        check(&q);
    }
}

static void check_whole(const struct list_query *q)
{
    check_pages(q, MEMORIES + 100);
}

GROUP(set_up, tear_down);

TEST(test_every_order_and_filter_equals_a_naive_sort)
{
    for_each_query(check_whole);
}

TEST(test_pages_of_every_size_add_up_to_the_whole)
{
    static const size_t sizes[] = {1, 7, 50, 64, 65, 401};
    for (int order = 0; order < ORDER_COUNT; order++)
        for (int reverse = 0; reverse < 2; reverse++)
            for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
                struct list_query q = {.order = (enum list_order)order, .reverse = reverse};
                check_pages(&q, sizes[i]);
                q.kinds = KIND_BIT(KIND_RAW) | KIND_BIT(KIND_BELIEF);
                q.agent = "agent-2";
                check_pages(&q, sizes[i]);
            }
}

/* ---- ids, counts, positions ---- */

struct collected {
    int64_t rows[MEMORIES + 100];
    size_t count, stop_at;
};

static int collect(void *arg, const int64_t *nodes, size_t count)
{
    struct collected *c = arg;
    memcpy(c->rows + c->count, nodes, count * sizeof(*nodes));
    c->count += count;
    return c->stop_at && c->count >= c->stop_at;
}

static void check_ids(const struct list_query *q)
{
    struct error e = {0};
    int64_t wanted[MEMORIES + 100], counted;
    struct collected c = {.count = 0};
    size_t count = expect(q, wanted);
    assert_int_equal(list_ids(fixture.reader, q, collect, &c, &e), 0);
    assert_int_equal(c.count, count);
    assert_memory_equal(c.rows, wanted, count * sizeof(*wanted));
    assert_int_equal(listed_count(fixture.reader, q, &counted, &e), 0);
    assert_int_equal(counted, count);
}

TEST(test_ids_and_counts_agree)
{
    for_each_query(check_ids);
}

TEST(test_agents)
{
    struct error e = {0};
    struct agent_count *agents;
    size_t agent_count;
    assert_int_equal(list_agents(fixture.reader, &fixture.arena, &agents, &agent_count, &e), 0);
    assert_int_equal(agent_count, 3); /* the agent of a purged memory is not listed */
    for (size_t i = 0; i < agent_count; i++) {
        int64_t rows[MEMORIES + 100];
        assert_int_equal(agents[i].count,
                         expect(&(struct list_query){.agent = agents[i].name}, rows));
        assert_true(i == 0 || agents[i - 1].count >= agents[i].count);
    }
}

TEST(test_any_and_several)
{
    struct error e = {0};
    bool any, several = false;
    assert_int_equal(list_any(fixture.reader, &(struct list_query){0}, &any, &e), 0);
    assert_true(any);
    struct list_query none = {.kinds = KIND_BIT(KIND_GOAL)};
    assert_int_equal(list_any(fixture.reader, &none, &any, &e), 0);
    assert_false(any);
    assert_int_equal(list_several_agents(fixture.reader, &several, &e), 0);
    assert_true(several);
    struct fixture one;
    fixture_open(&one);
    assert_int_equal(list_several_agents(one.reader, &several, &e), 0);
    assert_false(several);
    fixture_put(&one, "{\"ref\":\"note:a\",\"agent_id\":\"ash\",\"text\":\"t\"}",
                "{\"ref\":\"note:b\",\"agent_id\":\"ash\",\"text\":\"t\"}",
                "{\"ref\":\"note:c\",\"agent_id\":\"gone\",\"text\":\"t\","
                "\"status\":\"deleted\"}",
                NULL);
    assert_int_equal(list_several_agents(one.reader, &several, &e), 0);
    assert_false(several); /* the other agent's memories are not listed */
    fixture_put(&one, "{\"ref\":\"raw:d\",\"agent_id\":\"b\",\"text\":\"t\"}", NULL);
    assert_int_equal(list_several_agents(one.reader, &several, &e), 0);
    assert_true(several);
    fixture_close(&one);
}

/* ---- cursors ---- */

static void refuse(const char *cursor, const struct list_query *q)
{
    struct error e = {0};
    assert_null(list_open(fixture.reader, q, cursor, &e));
    assert_int_equal(e.code, ERROR_INVALID);
}

TEST(test_foreign_cursors_are_refused)
{
    struct list_query q = {.order = ORDER_TEXT};
    AUTO_STRBUF cursor = STRBUF_INIT;
    int64_t rows[10];
    read_page(&q, &cursor, rows, 10);
    for (const char *c = cursor.buf; *c; c++)
        assert_non_null(
            strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *c));
    refuse(cursor.buf, &(struct list_query){.order = ORDER_CREATED});
    refuse(cursor.buf, &(struct list_query){.order = ORDER_TEXT, .reverse = true});
    refuse(cursor.buf, &(struct list_query){.order = ORDER_TEXT, .agent = "agent-1"});
    refuse(cursor.buf, &(struct list_query){.order = ORDER_TEXT, .source_type = "agent-1"});
    refuse(cursor.buf, &(struct list_query){.order = ORDER_TEXT, .kinds = 1});
    refuse("", &(struct list_query){.order = ORDER_TEXT});
    refuse("!", &q);
    refuse("AAAA", &q);
    for (size_t i = 0; i < cursor.len; i++) {
        char was = cursor.buf[i];
        cursor.buf[i] = was == 'A' ? 'B' : 'A';
        if (i + 1 < cursor.len) /* the last character may have unused bits */
            refuse(cursor.buf, &q);
        cursor.buf[i] = was;
        AUTO_FREE char *cut = strndup(cursor.buf, i);
        refuse(cut, &q);
    }
    AUTO_FREE char *long_one = malloc(100001);
    memset(long_one, 'A', 100000);
    long_one[100000] = '\0';
    refuse(long_one, &q);
}

/* Two open lists of one reader with the same query do not disturb each other. */
TEST(test_two_open_lists_are_independent)
{
    struct error e = {0};
    int64_t wanted[MEMORIES + 100], a, b;
    struct list_query q = {.order = ORDER_TEXT};
    size_t count = expect(&q, wanted);
    struct list *x = list_open(fixture.reader, &q, NULL, &e);
    struct list *y = list_open(fixture.reader, &q, NULL, &e);
    assert_non_null(x);
    assert_non_null(y);
    assert_int_equal(list_next(y, &b, &e), 1);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(list_next(x, &a, &e), 1);
        assert_int_equal(a, wanted[i]);
        if (i % 3 == 0) {
            assert_int_equal(b, wanted[i / 3]);
            assert_int_equal(list_next(y, &b, &e), 1);
        }
    }
    assert_int_equal(list_next(x, &a, &e), 0);
    assert_int_equal(list_next(x, &a, &e), 0);
    list_close(x);
    list_close(y);
}

/* ---- rows added between two pages ---- */

static void check_inserts(enum list_order order, bool reverse)
{
    struct list_query q = {.order = order, .reverse = reverse, .statuses = STATUSES_ALL};
    int64_t before[MEMORIES + 100], got[MEMORIES + 300];
    size_t count = expect(&q, before), at = 0, page, met = 0;
    AUTO_STRBUF cursor = STRBUF_INIT;
    while ((page = read_page(&q, &cursor, got + at, 53)) > 0) {
        at += page;
        if (known_count < MEMORIES + 100 - 2)
            put_known(make_known());
    }
    for (size_t i = 0; i < at; i++) {
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(got[i], got[k]);
        if (met < count && got[i] == before[met])
            met++;
    }
    assert_int_equal(met, count); /* all earlier rows, in order */
}

TEST(test_added_rows_neither_repeat_nor_skip_others)
{
    for (int order = 0; order < ORDER_COUNT; order++)
        for (int reverse = 0; reverse < 2; reverse++)
            check_inserts((enum list_order)order, reverse);
}

/* ---- damaged texts ---- */

/* The first characters have more bytes than a cursor holds. The next page must still start after that row. */
TEST(test_damaged_texts_are_listed_once)
{
    struct list_query q = {.order = ORDER_TEXT};
    int64_t whole[MEMORIES + 200], got[MEMORIES + 200];
    AUTO_STRBUF cursor = STRBUF_INIT, sql = STRBUF_INIT;
    for (int i = 0; i < 6; i++) { /* some are equal as far as the cursor can tell */
        strbuf_addstr(&sql, "UPDATE memory SET text = CAST(x'c3");
        for (int k = 0; k < 250; k++)
            strbuf_addstr(&sql, "80");
        strbuf_addf(&sql,
                    "6%d' AS TEXT) WHERE id = (SELECT id FROM memory WHERE status = 0"
                    " AND kind = 2 AND text < char(128) ORDER BY id LIMIT 1);",
                    i / 2);
    }
    fixture_sql(&fixture, sql.buf);
    size_t count = read_page(&q, &cursor, whole, MEMORIES + 200), at = 0, page;
    for (int reverse = 0; reverse < 2; reverse++, at = 0) {
        q.reverse = reverse;
        strbuf_clear(&cursor);
        while ((page = read_page(&q, &cursor, got + at, 1)) > 0 && at + page < MEMORIES + 200)
            at += page;
        assert_int_equal(at, count);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(got[i], whole[reverse ? count - 1 - i : i]);
    }
}

/* How often rows were looked up one by one. */
static int rows_looked_up(void)
{
    int runs = 0;
    for (sqlite3_stmt *s = NULL; (s = sqlite3_next_stmt(db_handle(reader_db(fixture.reader)), s));)
        if (strstr(sqlite3_sql(s), "FROM memory WHERE id = ? AND status <> 7"))
            runs += sqlite3_stmt_status(s, SQLITE_STMTSTATUS_RUN, 1);
    return runs;
}

/* With the graph at hand, a list by label looks at no memory of another kind. */
TEST(test_a_list_by_label_knows_the_kinds)
{
    struct error e = {0};
    int64_t row;
    assert_int_equal(reader_begin(fixture.reader, &e), 0);
    const struct loaded *l = loaded_get(fixture.reader, &e);
    assert_non_null(l);
    struct list_query q = {
        .bytes = l->labels.label, .byte_count = l->rows, .byte = LABEL_SUPPORTED};
    for (int i = 0; i < 2; i++) {
        q.kinds = KIND_BIT(i ? KIND_GOAL : KIND_RAW);
        rows_looked_up();
        struct list *list = list_open(fixture.reader, &q, NULL, &e);
        size_t count = 0;
        while (list_next(list, &row, &e) > 0)
            count++;
        list_close(list);
        assert_true((count > 0) == (i == 0));
        assert_true((rows_looked_up() > 0) == (i == 0));
    }
    loaded_release(l);
    reader_end(fixture.reader);
}
