/*
 * Replicas of a team under random operations, partitions and kills: at rest all have the same
 * memories and the same journal, and nothing that was acknowledged is missing.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/fsck/fsck.h"
#include "store/journal/feed.h"
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/record/get.h"
#include "store/team/team_internal.h"

#include "tests/support/postgres.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

#define MOST 5

static const struct actor agent = {
    .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
static const struct actor person = {.class = ACTOR_PERSON, .name = "mia", .origin = "command"};

struct machine {
    char *path;
    struct store *store;
    bool away; /* cut off from the team */
};

struct team {
    char *address;
    struct machine machine[MOST];
    int count;
    struct random random;
    /* What was acknowledged: each word is in a text or a tag. */
    char (*words)[24];
    size_t word_count;
    struct strbuf settled; /* what did not hold, and a person decided about its memory */
};

/* ---- opening ---- */

static int64_t skew; /* the clocks differ by hours */
static int64_t skewed_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + skew;
}

static void must(int result, const struct error *e)
{
    if (result)
        fail_msg("%s. %s", e->what, e->hint);
}

static struct store *open_store(const char *path)
{
    struct error e;
    struct store *s =
        store_open(path, &(struct store_options){.create = true, .now = skewed_now}, NULL, &e);
    if (!s)
        fail_msg("%s", e.what);
    return s;
}

static void team_begin(struct team *t, const char *address, int count, uint64_t seed)
{
    struct error e;
    *t = (struct team){
        .address = xstrdup(address), .count = count, .random = {seed}, .settled = STRBUF_INIT};
    for (int i = 0; i < count; i++) {
        struct machine *m = &t->machine[i];
        m->path = scratch_path("memory.db");
        unlink(m->path);
        if (i == 0) {
            m->store = open_store(m->path);
            must(team_create(m->store, t->address, "m0", &e), &e);
        } else {
            must(team_join(m->path, t->address, NULL,
                           (const char *[]){"", "m1", "m2", "m3", "m4"}[i], &e),
                 &e);
            m->store = open_store(m->path);
        }
    }
}

static void team_end(struct team *t)
{
    for (int i = 0; i < t->count; i++) {
        store_close(t->machine[i].store);
        free(t->machine[i].path);
    }
    free(t->address);
    free(t->words);
    strbuf_release(&t->settled);
}

/* ---- partitions ---- */

static int leave_alone(struct txn *t, void *arg, struct error *e)
{
    bool away = *(bool *)arg;
    (void)e;
    if (!t->store->team_link)
        t->store->team_link = xcalloc(1, sizeof(*t->store->team_link));
    if (away) {
        transport_close(t->store->team_link->transport);
        t->store->team_link->transport = NULL;
    }
    t->store->team_link->retry_at = away ? INT64_MAX : 0;
    return 0;
}

static void set_away(struct machine *m, bool away)
{
    struct error e;
    m->away = away;
    must(store_run(m->store, leave_alone, &away, &e), &e);
}

/* ---- operations ---- */

static const char *new_word(struct team *t)
{
    t->words = xrealloc(t->words, (t->word_count + 1) * sizeof(*t->words));
    snprintf(t->words[t->word_count], sizeof(*t->words), "w%zuw", t->word_count);
    return t->words[t->word_count++];
}

static int64_t random_row(struct team *t, struct machine *m)
{
    struct error e;
    int64_t row = 0, last = 0;
    struct reader *r = reader_open(m->store, &e);
    assert_non_null(r);
    must(db_int(reader_db(r), &last, 0, &e, "SELECT max(id) FROM memory", ""), &e);
    if (last)
        must(db_int(reader_db(r), &row, 0, &e,
                    "SELECT id FROM memory WHERE id >= ? AND status < 6 ORDER BY id LIMIT 1", "i",
                    1 + (int64_t)random_below(&t->random, (uint32_t)last)),
             &e);
    reader_close(r);
    return row;
}

static void note_settled(struct team *t, struct machine *m, int64_t row)
{
    struct error e;
    struct reader *r = reader_open(m->store, &e);
    assert_non_null(r);
    struct query rows =
        db_query(reader_db(r), &e, "SELECT mine FROM disputed WHERE memory = ?", "i", row);
    while (db_next(&rows))
        strbuf_addstr(&t->settled, (const char *)sqlite3_column_text(rows.stmt, 0));
    must(db_end(&rows), &e);
    reader_close(r);
}

/* A refused operation was not acknowledged: its word is taken back. */
static void operate(struct team *t, struct machine *m)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct plan p;
    bool by_person = random_chance(&t->random, 40);
    const struct actor *actor = by_person ? &person : &agent;
    int64_t row = random_chance(&t->random, 40) ? 0 : random_row(t, m);
    char text[64];
    if (!row) {
        snprintf(text, sizeof(text), "%s is said", new_word(t));
        struct add_request add = {
            .kind = KIND_BELIEF, .text = text, .agent_id = "ash", .confidence = 0.5};
        struct added out;
        must(store_add(m->store, actor, &add, strlen(text), &arena, &out, &e), &e);
        return;
    }
    struct request q = {.nodes = &row, .node_count = 1, .confidence = NAN};
    enum operation op = OPERATION_EDIT;
    size_t words = t->word_count;
    const char *tag;
    switch (random_below(&t->random, 8)) {
    case 0:
    case 1:
    case 2:
        snprintf(text, sizeof(text), "%s is said now", new_word(t));
        q.text = text;
        q.text_len = strlen(text);
        break;
    case 3:
    case 4:
        tag = new_word(t);
        q.tags = &tag;
        q.tag_count = 1;
        q.tags_given = true;
        break;
    case 5:
        op = OPERATION_RETRACT;
        break;
    case 6:
        op = OPERATION_REINFORCE;
        break;
    default:
        op = OPERATION_LOCK;
        break;
    }
    if (by_person)
        note_settled(t, m, row);
    if (operation_run_now(m->store, actor, op, &q, &arena, &p, &e)) {
        if (e.code == ERROR_STORE || e.code == ERROR_BUSY)
            fail_msg("%s", e.what);
        t->word_count = words;
    }
}

static void say(struct machine *m, const char *text)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct added out;
    struct add_request add = {
        .kind = KIND_BELIEF, .text = text, .agent_id = "ash", .confidence = 0.5};
    must(store_add(m->store, &agent, &add, strlen(text), &arena, &out, &e), &e);
}

/* ---- at rest ---- */

static void dump(struct store *s, struct strbuf *memories, struct strbuf *journal,
                 struct strbuf *all)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct memory m;
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    struct query rows = db_query(reader_db(r), &e,
                                 "SELECT id FROM memory WHERE status <> 7 ORDER BY kind, name", "");
    while (db_next(&rows)) {
        arena_clear(&arena);
        must(memory_read_db(reader_db(r), &arena, sqlite3_column_int64(rows.stmt, 0), &m, &e), &e);
        memory_json_write(memories, &m, NULL);
        strbuf_addch(memories, '\n');
    }
    must(db_end(&rows), &e);
    strbuf_addstr(all, memories->buf);
    rows =
        db_query(reader_db(r), &e,
                 "SELECT seq, canonical, hex(hash), hex(salt), patch FROM event ORDER BY seq", "");
    while (db_next(&rows)) {
        strbuf_addf(journal, "%s %s %s %s\n", (const char *)sqlite3_column_text(rows.stmt, 0),
                    (const char *)sqlite3_column_text(rows.stmt, 1),
                    (const char *)sqlite3_column_text(rows.stmt, 2),
                    (const char *)sqlite3_column_text(rows.stmt, 3));
        const char *patch = (const char *)sqlite3_column_text(rows.stmt, 4);
        strbuf_addstr(all, patch ? patch : "");
    }
    must(db_end(&rows), &e);
    rows = db_query(reader_db(r), &e, "SELECT mine FROM disputed", "");
    while (db_next(&rows))
        strbuf_addstr(all, (const char *)sqlite3_column_text(rows.stmt, 0));
    must(db_end(&rows), &e);
    reader_close(r);
}

static void on_finding(void *arg, const struct fsck_finding *f)
{
    (void)arg;
    fail_msg("fsck: %s", f->what);
}

static void on_difference(void *arg, int64_t seq, const char *what)
{
    (void)arg;
    fail_msg("event %lld: %s", (long long)seq, what);
}

static void check_store(struct store *s)
{
    struct error e;
    struct fsck_summary summary = {0};
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    must(store_fsck(r, on_finding, NULL, NULL, &summary, &e), &e);
    must(team_verify(r, on_difference, NULL, &e), &e);
    reader_close(r);
}

static void check_rest(struct team *t)
{
    struct error e;
    AUTO_STRBUF memories = STRBUF_INIT, journal = STRBUF_INIT, all = STRBUF_INIT;
    for (int i = 0; i < t->count; i++)
        if (t->machine[i].away)
            set_away(&t->machine[i], false);
    for (int i = 0; i < 2 * t->count; i++)
        must(team_sync(t->machine[i % t->count].store, &e), &e);
    for (int i = 0; i < t->count; i++) {
        AUTO_STRBUF those = STRBUF_INIT, theirs = STRBUF_INIT;
        dump(t->machine[i].store, i ? &those : &memories, i ? &theirs : &journal, &all);
        if (i) {
            assert_string_equal(those.buf, memories.buf);
            assert_string_equal(theirs.buf, journal.buf);
        }
    }
    for (size_t n = 0; n < t->word_count; n++)
        if (!strstr(all.buf, t->words[n]) && !strstr(t->settled.buf, t->words[n]))
            fail_msg("%s was acknowledged and is nowhere", t->words[n]);
}

static void one_schedule(const char *address, int machines, int steps, uint64_t seed)
{
    struct team t;
    struct error e;
    team_begin(&t, address, machines, seed);
    for (int n = 0; n < steps; n++) {
        struct machine *m = &t.machine[random_below(&t.random, (uint32_t)machines)];
        skew = ((int64_t)(m - t.machine) - 2) * 7200000;
        if (random_chance(&t.random, 15))
            set_away(m, !m->away);
        else if (!m->away && random_chance(&t.random, 10))
            must(team_sync(m->store, &e), &e);
        else
            operate(&t, m);
    }
    check_rest(&t);
    if (seed % 8 == 0)
        for (int i = 0; i < t.count; i++)
            check_store(t.machine[i].store);
    team_end(&t);
}

static void test_schedules_in_a_folder(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)RANDOM_ROUNDS(400); seed++) {
        char *place = scratch_path("place");
        one_schedule(place, 3 + (int)(seed % 3), 12 + (int)(seed % 30), seed);
        free(place);
    }
}

/* ---- PostgreSQL ---- */

static struct postgres_server server;

/* A database of its own; the caller frees the address. */
static char *new_database(void)
{
    static int count;
    AUTO_FREE char *sql = xformat("CREATE DATABASE t%d", ++count);
    postgres_do(&server, "postgres", "postgres", sql);
    return xformat("host=%s user=postgres dbname=t%d", server.dir, count);
}

static void test_schedules_on_a_server(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)RANDOM_ROUNDS(40); seed++) {
        AUTO_FREE char *address = new_database();
        one_schedule(address, 3 + (int)(seed % 3), 20, 1000 + seed);
    }
}

/* The server crashes between operations; what it acknowledged is there again. */
static void test_server_crashes(void **state)
{
    struct team t;
    AUTO_FREE char *address = new_database();
    (void)state;
    team_begin(&t, address, 3, 7);
    for (int round = 0; round < RANDOM_ROUNDS(8); round++) {
        for (int n = 0; n < 6; n++)
            operate(&t, &t.machine[n % 3]);
        postgres_crash(&server);
        for (int n = 0; n < 6; n++)
            operate(&t, &t.machine[n % 3]);
        postgres_again(&server);
        for (int i = 0; i < 3; i++)
            set_away(&t.machine[i], false);
    }
    check_rest(&t);
    check_store(t.machine[1].store);
    team_end(&t);
}

/* ---- kills ---- */

static const struct transport_ops *real;

static int die_before_append(struct transport *t, int machine, const struct chain_end *base,
                             const struct team_event *events, size_t count, struct error *e)
{
    (void)t, (void)machine, (void)base, (void)events, (void)count, (void)e;
    raise(SIGKILL);
    return -1;
}

/* The team has the events, and the store does not know. */
static int die_after_append(struct transport *t, int machine, const struct chain_end *base,
                            const struct team_event *events, size_t count, struct error *e)
{
    real->append(t, machine, base, events, count, e);
    raise(SIGKILL);
    return -1;
}

/* The first events were applied, and nothing is committed. */
static int die_after_apply(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                           struct team_event **out, size_t *count, struct error *e)
{
    static bool applied;
    if (applied)
        raise(SIGKILL);
    int result = real->fetch(t, after, limit, arena, out, count, e);
    applied = *count > 0;
    return result;
}

/* A link to the team, without what the others appended. */
static int reach(struct txn *t, struct error *e)
{
    struct team_link *link = t->store->team_link;
    struct query row = db_query(t->db, e, "SELECT address, store FROM team", "");
    if (db_next(&row) && !link->transport)
        link->transport = transport_open((const char *)sqlite3_column_text(row.stmt, 0),
                                         (const char *)sqlite3_column_text(row.stmt, 1), e);
    return db_end(&row) || !link->transport ? -1 : 0;
}

static const char *const ways[] = {"before-append", "after-append", "after-apply"};

static int die_next(struct txn *t, void *arg, struct error *e)
{
    static struct transport_ops dying;
    const char *way = arg;
    if (strcmp(way, ways[2]) ? team_catch_up(t, false, e) : reach(t, e))
        return -1;
    struct transport *transport = t->store->team_link->transport;
    real = transport->ops;
    dying = *real;
    if (!strcmp(way, ways[0]))
        dying.append = die_before_append;
    else if (!strcmp(way, ways[1]))
        dying.append = die_after_append;
    else
        dying.fetch = die_after_apply;
    transport->ops = &dying;
    return 0;
}

/* Runs in a process of its own: it does not return. */
static int die(const char *way, const char *path, const char *word)
{
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct added out;
    struct store *s = open_store(path);
    if (strcmp(way, ways[2]) == 0) { /* the writer does not catch up before die_next */
        s->team_link = xcalloc(1, sizeof(*s->team_link));
        s->team_link->retry_at = INT64_MAX;
    }
    struct add_request add = {
        .kind = KIND_BELIEF, .text = word, .agent_id = "ash", .confidence = 0.5};
    if (store_run_again(s, die_next, (void *)(uintptr_t)way, &e) == 0 && strcmp(way, ways[2]) == 0)
        team_sync(s, &e);
    store_add(s, &agent, &add, strlen(word), &arena, &out, &e);
    return 1;
}

static void kill_one(struct team *t, const char *way, const char *word)
{
    struct machine *m = &t->machine[1];
    int status;
    store_close(m->store);
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        freopen("/dev/null", "r", stdin);
        freopen("/dev/null", "w", stdout);
        execl("/proc/self/exe", "test_replicas", way, m->path, word, NULL);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        fail_msg("%s %s ended with %x", way, word, (unsigned)status);
    m->store = open_store(m->path);
}

static void kill_in_each_way(const char *address)
{
    struct team t;
    struct error e;
    team_begin(&t, address, 3, 3);
    for (size_t way = 0; way < 3; way++)
        for (int n = 0; n < 3; n++) {
            char word[32];
            bool sent = way == 1;
            snprintf(word, sizeof(word), "killed%zu.%d", way, n);
            operate(&t, &t.machine[0]);
            operate(&t, &t.machine[2]);
            say(&t.machine[2], "there is something to apply");
            kill_one(&t, ways[way], word);
            operate(&t, &t.machine[1]);
            check_rest(&t);
            for (int i = 0; i < t.count; i++) {
                AUTO_STRBUF memories = STRBUF_INIT, journal = STRBUF_INIT, all = STRBUF_INIT;
                dump(t.machine[i].store, &memories, &journal, &all);
                assert_int_equal(strstr(memories.buf, word) != NULL, sent);
            }
        }
    must(team_sync(t.machine[0].store, &e), &e);
    for (int i = 0; i < t.count; i++)
        check_store(t.machine[i].store);
    team_end(&t);
}

static void test_kills_in_a_folder(void **state)
{
    char *place = scratch_path("place");
    (void)state;
    kill_in_each_way(place);
    free(place);
}

static void test_kills_on_a_server(void **state)
{
    AUTO_FREE char *address = new_database();
    (void)state;
    kill_in_each_way(address);
}

/* ---- forged journals ---- */

struct difference {
    int64_t seq;
    char what[200];
    int count;
};

static void note_difference(void *arg, int64_t seq, const char *what)
{
    struct difference *d = arg;
    if (!d->count++) {
        d->seq = seq;
        snprintf(d->what, sizeof(d->what), "%s", what);
    }
}

static void test_forged_journals(void **state)
{
    static const struct {
        const char *sql;
        int64_t seq;
        const char *what;
    } forged[] = {
        {"UPDATE stemma.event SET line = replace(line, 'said', 'forged') WHERE seq = 2", 2,
         "its memory was altered"},
        {"DELETE FROM stemma.event WHERE seq = 3", 3, "missing"},
        {"ALTER TABLE stemma.event DROP CONSTRAINT event_continues_the_chain; UPDATE stemma.event"
         " SET canonical = replace(canonical, 'ash', 'eve') WHERE seq = 2",
         2, "rewritten"},
        {"UPDATE stemma.event SET salt = NULL, patch = NULL, line = NULL WHERE seq = 4", 4,
         "removed"},
        {"DELETE FROM stemma.event WHERE seq > 3; UPDATE stemma.head SET seq = 3, hash = (SELECT"
         " hash FROM stemma.event WHERE seq = 3)",
         4, "older backup"},
        {"ALTER TABLE stemma.event DROP CONSTRAINT event_continues_the_chain, DROP CONSTRAINT"
         " event_has_its_number; UPDATE stemma.event SET seq = 1000 - seq WHERE seq IN (2, 3);"
         " UPDATE stemma.event SET seq = seq - 995 WHERE seq > 900",
         2, "rewritten"},
        {"DELETE FROM stemma.event", 1, "missing"},
        {"UPDATE stemma.head SET hash = sha256('x')", 6, "another hash"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(forged) / sizeof(*forged); i++) {
        struct team t;
        struct error e;
        struct difference first = {0};
        AUTO_FREE char *address = new_database();
        team_begin(&t, address, 2, 1);
        for (int n = 0; n < 6; n++) {
            char text[32];
            AUTO_ARENA arena = ARENA_INIT;
            struct added out;
            snprintf(text, sizeof(text), "number %d is said", n);
            struct add_request add = {
                .kind = KIND_BELIEF, .text = text, .agent_id = "ash", .confidence = 0.5};
            must(store_add(t.machine[n % 2].store, &agent, &add, strlen(text), &arena, &out, &e),
                 &e);
        }
        for (int n = 0; n < 2; n++)
            must(team_sync(t.machine[n].store, &e), &e);
        postgres_do(&server, "postgres", strstr(address, "dbname=") + 7, forged[i].sql);
        struct reader *r = reader_open(t.machine[1].store, &e);
        assert_non_null(r);
        must(team_verify(r, note_difference, &first, &e), &e);
        reader_close(r);
        if (first.seq != forged[i].seq || !strstr(first.what, forged[i].what))
            fail_msg("%s: event %lld: %s", forged[i].sql, (long long)first.seq, first.what);
        team_end(&t);
    }
}

/* ---- the feed ---- */

/* Who looks rarely is told of all that others did, though its own events were made again twice meanwhile. */
static void test_a_feed_goes_back_over_two_rebases(void **state)
{
    struct team t;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events;
    size_t count;
    char *place = scratch_path("place");
    (void)state;
    team_begin(&t, place, 2, 1);
    say(&t.machine[0], "begun");
    must(team_sync(t.machine[1].store, &e), &e);
    struct reader *r = reader_open(t.machine[1].store, &e);
    struct feed *feed = feed_open(r, &e);
    assert_non_null(feed);
    for (int turn = 0; turn < 2; turn++) {
        set_away(&t.machine[1], true);
        say(&t.machine[1], turn ? "own, again" : "own");
        if (turn == 0)
            must(feed_next(feed, &arena, 100, &events, &count, &e), &e);
        say(&t.machine[0], turn ? "theirs, again" : "theirs");
        set_away(&t.machine[1], false);
        must(team_sync(t.machine[1].store, &e), &e);
    }
    must(feed_next(feed, &arena, 100, &events, &count, &e), &e);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(events[i].seq, 2 + i);
    feed_close(feed);
    reader_close(r);
    team_end(&t);
    free(place);
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return die(argv[1], argv[2], argv[3]);
    scratch_home();
    postgres_start(&server);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_feed_goes_back_over_two_rebases),
        cmocka_unit_test(test_forged_journals),
        cmocka_unit_test(test_kills_in_a_folder),
        cmocka_unit_test(test_kills_on_a_server),
        cmocka_unit_test(test_server_crashes),
        cmocka_unit_test(test_schedules_on_a_server),
        cmocka_unit_test(test_schedules_in_a_folder),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    postgres_stop(&server);
    return failed;
}
