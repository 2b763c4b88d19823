/*
 * Replicas of a team under random operations, partitions and kills: at rest all have the same
 * memories and the same journal, and nothing that was acknowledged is missing.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/fsck/fsck.h"
#include "store/journal/feed.h"
#include "store/ops/add.h"
#include "store/team/team_internal.h"

#include "tests/support/postgres.h"
#include "tests/support/schedule.h"
#include "tests/support/scratch.h"

static const struct actor agent = {
    .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};

static void must(int result, const struct error *e)
{
    if (result)
        fail_msg("%s. %s", e->what, e->hint);
}

/* ---- schedules ---- */

/* With a sanitizer each takes a quarter of a second of a processor. `bench schedules` runs thousands. */
#define SCHEDULES(n) RANDOM_ROUNDS(RANDOM_ROUNDS(n) * 2)

static void test_schedules_in_a_folder(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)SCHEDULES(400); seed++) {
        char *place = scratch_path("place");
        schedule_run(place, seed);
        scratch_clear(place);
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
    for (uint64_t seed = 0; seed < (uint64_t)SCHEDULES(40); seed++) {
        AUTO_FREE char *address = new_database();
        schedule_run(address, 1000 + seed);
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
    check_store(t.machine[1].reader);
    team_end(&t);
}

/* Adds a belief of that text, which must succeed. */
static void say(struct store *s, const char *text)
{
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct added out;
    struct add_request q = {
        .kind = KIND_BELIEF, .text = text, .agent_id = "ash", .confidence = 0.5};
    must(store_add(s, &agent, &q, strlen(text), &arena, &out, &e), &e);
}

static int64_t count_of(struct reader *r, const char *sql)
{
    struct error e;
    int64_t count = 0;
    must(db_int(reader_db(r), &count, 0, &e, sql, ""), &e);
    return count;
}

struct sayer {
    struct machine *machine;
    int number;
    int count;
    atomic_bool *kept; /* something waited for the server */
    atomic_bool *ends;
    pthread_t thread;
};

static void *say_much(void *arg)
{
    struct sayer *s = arg;
    struct error e;
    struct reader *r = reader_open(s->machine->store, &e);
    assert_non_null(r);
    for (; !*s->ends; s->count++) {
        AUTO_FREE char *text = xformat("machine %d says number %d", s->number, s->count);
        say(s->machine->store, text);
        if (count_of(r, "SELECT count(*) FROM outbox"))
            *s->kept = true;
        usleep(5000);
    }
    reader_close(r);
    return NULL;
}

/* The server crashes while three machines append. Each addition is there once. */
static void test_server_crashes_during_appends(void **state)
{
    struct team t;
    struct error e;
    atomic_bool kept = false, ends = false;
    struct sayer sayers[3];
    int said = 0;
    AUTO_FREE char *address = new_database();
    (void)state;
    team_begin(&t, address, 3, 0);
    for (int i = 0; i < 3; i++) {
        sayers[i] =
            (struct sayer){.machine = &t.machine[i], .number = i, .kept = &kept, .ends = &ends};
        assert_int_equal(pthread_create(&sayers[i].thread, NULL, say_much, &sayers[i]), 0);
    }
    for (int crashes = 0; crashes < 2; crashes++) {
        int64_t at = count_of(t.machine[0].reader, "SELECT count(*) FROM event");
        while (count_of(t.machine[0].reader, "SELECT count(*) FROM event") < at + 4)
            usleep(1000);
        postgres_crash(&server);
        postgres_again(&server);
        for (int i = 0; i < 3; i++)
            set_away(&t.machine[i], false);
    }
    ends = true;
    for (int i = 0; i < 3; i++) {
        pthread_join(sayers[i].thread, NULL);
        said += sayers[i].count;
    }
    assert_true(kept);
    check_rest(&t);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(count_of(t.machine[i].reader,
                                  "SELECT count(DISTINCT text) FROM memory WHERE status < 6"),
                         said);
        assert_int_equal(count_of(t.machine[i].reader, "SELECT count(*) FROM event"), said);
    }
    must(team_sync(t.machine[0].store, &e), &e);
    check_store(t.machine[0].reader);
    team_end(&t);
}

/* ---- a proxy between the machines and the server ---- */

static int64_t events_there(const char *address)
{
    AUTO_FREE char *out = postgres_sql(&server, "postgres", strstr(address, "dbname=") + 7,
                                       "SELECT seq FROM stemma.head");
    return strtoll(out, NULL, 10);
}

static void test_a_proxy_cuts_stalls_and_loses(void **state)
{
    struct team t;
    struct postgres_proxy proxy;
    AUTO_FREE char *direct = new_database(), *through = NULL;
    struct timespec began, ended;
    (void)state;
    proxy_start(&proxy, &server);
    through = xformat("host=%s user=postgres %s", proxy.dir, strstr(direct, "dbname="));
    team_begin(&t, through, 3, 11);
    for (int round = 0; round < 3; round++) {
        AUTO_FREE char *text = xformat("of round %d", round);
        for (int n = 0; n < 6; n++)
            operate(&t, &t.machine[n % 3]);
        proxy.cuts = true;
        for (int n = 0; n < 6; n++)
            operate(&t, &t.machine[n % 3]);
        int64_t before = events_there(direct);
        say(t.machine[0].store, text);
        assert_int_equal(events_there(direct), before);
        proxy.cuts = false;
        for (int i = 0; i < 3; i++)
            set_away(&t.machine[i], false);
        check_rest(&t);

        /* The server has the event, the machine does not know, and sends it again. */
        before = events_there(direct);
        proxy.refused = 0;
        proxy.loses = true;
        say(t.machine[1].store, text);
        proxy.loses = false;
        assert_true(proxy.refused > 0);
        assert_int_equal(events_there(direct), before + 1);
        assert_int_equal(count_of(t.machine[1].reader, "SELECT count(*) FROM outbox"), 1);
        set_away(&t.machine[1], false);
        check_rest(&t);
        assert_int_equal(events_there(direct), before + 1);
    }
    proxy.stalls = true;
    clock_gettime(CLOCK_MONOTONIC, &began);
    say(t.machine[2].store, "while it stalls");
    clock_gettime(CLOCK_MONOTONIC, &ended);
    assert_in_range(ended.tv_sec - began.tv_sec, TRANSPORT_WAIT_MS / 1000 - 1,
                    TRANSPORT_WAIT_MS / 1000 + 5);
    say(t.machine[2].store, "it does not wait again");
    clock_gettime(CLOCK_MONOTONIC, &began);
    assert_in_range(began.tv_sec - ended.tv_sec, 0, TRANSPORT_WAIT_MS / 1000 - 1);
    proxy.stalls = false;
    set_away(&t.machine[2], false);
    check_rest(&t);
    check_store(t.machine[0].reader);
    team_end(&t);
    proxy_stop(&proxy);
}

/* Where LISTEN is refused nobody wakes the follower: it asks each second. */
static void test_without_listen_a_replica_follows(void **state)
{
    struct team t;
    struct postgres_proxy proxy;
    AUTO_FREE char *direct = new_database(), *through = NULL;
    (void)state;
    proxy_start(&proxy, &server);
    proxy.no_listen = true;
    through = xformat("host=%s user=postgres %s", proxy.dir, strstr(direct, "dbname="));
    team_begin(&t, through, 2, 12);
    struct team_follower *f = team_follow(t.machine[1].store);
    assert_non_null(f);
    for (int n = 0; n < 3; n++) {
        int waited = 0;
        AUTO_FREE char *text = xformat("number %d", n);
        say(t.machine[0].store, text);
        while (count_of(t.machine[1].reader, "SELECT count(*) FROM event") == n) {
            usleep(10000);
            if (++waited > 450)
                fail_msg("it did not ask for 4.5 s"); /* where LISTEN works it asks after 5 */
        }
    }
    assert_true(proxy.refused > 0);
    team_follow_end(f);
    check_rest(&t);
    team_end(&t);
    proxy_stop(&proxy);
}

/* ---- interrupted ---- */

static int interrupt(void *arg, int64_t done, int64_t total)
{
    *(int *)arg += done > 0 && done <= total;
    return 1;
}

/* Ctrl-C while the snapshot is sent: the next sync sends it, and others can join only then. */
static void test_an_interrupted_creation_goes_on(void **state)
{
    struct error e;
    int calls = 0;
    struct machine m[2] = {{.path = scratch_path("memory.db")}, {.path = scratch_path("new.db")}};
    AUTO_FREE char *address = new_database();
    (void)state;
    machine_open(&m[0]);
    say(m[0].store, "before the team");
    transport_on_progress(interrupt, &calls);
    assert_int_equal(team_create(m[0].store, address, "m0", &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    transport_on_progress(NULL, NULL);
    assert_int_equal(calls, 1);
    assert_int_equal(team_join(m[1].path, address, NULL, "m1", &e), -1);
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    must(team_sync(m[0].store, &e), &e);
    transport_on_progress(interrupt, &calls);
    assert_int_equal(team_join(m[1].path, address, NULL, "m1", &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    assert_int_equal(access(m[1].path, F_OK), -1);
    transport_on_progress(NULL, NULL);
    must(team_join(m[1].path, address, NULL, "m1", &e), &e);
    machine_open(&m[1]);
    must(team_sync(m[1].store, &e), &e);
    assert_int_equal(count_of(m[1].reader, "SELECT count(*) FROM memory"), 1);
    for (int i = 0; i < 2; i++) {
        check_store(m[i].reader);
        machine_close(&m[i]);
        scratch_clear(m[i].path);
    }
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
    struct store *s = team_open(path);
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
    machine_close(m);
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
    machine_open(m);
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
            say(t.machine[2].store, "there is something to apply");
            kill_one(&t, ways[way], word);
            operate(&t, &t.machine[1]);
            check_rest(&t);
            for (int i = 0; i < t.count; i++) {
                AUTO_STRBUF memories = STRBUF_INIT, journal = STRBUF_INIT, all = STRBUF_INIT;
                dump(t.machine[i].reader, &memories, &journal, &all);
                assert_int_equal(strstr(memories.buf, word) != NULL, sent);
            }
        }
    must(team_sync(t.machine[0].store, &e), &e);
    for (int i = 0; i < t.count; i++)
        check_store(t.machine[i].reader);
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
            AUTO_FREE char *text = xformat("number %d is said", n);
            say(t.machine[n % 2].store, text);
        }
        for (int n = 0; n < 2; n++)
            must(team_sync(t.machine[n].store, &e), &e);
        postgres_do(&server, "postgres", strstr(address, "dbname=") + 7, forged[i].sql);
        must(team_verify(t.machine[1].reader, note_difference, &first, &e), &e);
        if (first.seq != forged[i].seq || !strstr(first.what, forged[i].what))
            fail_msg("%s: event %lld: %s", forged[i].sql, (long long)first.seq, first.what);
        team_end(&t);
    }
}

/* A head that names an event which is not there makes nobody wait: machines go on alone, and say so. */
static void test_a_journal_without_its_last_event(void **state)
{
    struct team t;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_status now;
    AUTO_FREE char *address = new_database();
    (void)state;
    team_begin(&t, address, 2, 1);
    say(t.machine[0].store, "first");
    must(team_sync(t.machine[1].store, &e), &e);
    postgres_do(&server, "postgres", strstr(address, "dbname=") + 7,
                "UPDATE stemma.head SET seq = seq + 1");
    say(t.machine[1].store, "second");
    must(team_status(t.machine[1].reader, &arena, &now, &e), &e);
    assert_int_equal(now.pending, 1);
    assert_non_null(strstr(now.problem, "lacks event 2"));
    team_end(&t);
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
    say(t.machine[0].store, "begun");
    must(team_sync(t.machine[1].store, &e), &e);
    struct reader *r = reader_open(t.machine[1].store, &e);
    struct feed *feed = feed_open(r, &e);
    assert_non_null(feed);
    for (int turn = 0; turn < 2; turn++) {
        set_away(&t.machine[1], true);
        say(t.machine[1].store, turn ? "own, again" : "own");
        if (turn == 0)
            must(feed_next(feed, &arena, 100, &events, &count, &e), &e);
        say(t.machine[0].store, turn ? "theirs, again" : "theirs");
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
#define WITH_STEPS(test) cmocka_unit_test_teardown(test, schedule_report)

int main(int argc, char **argv)
{
    if (argc == 4)
        return die(argv[1], argv[2], argv[3]);
    scratch_home();
    postgres_start(&server);
    const struct CMUnitTest tests[] = {
        WITH_STEPS(test_a_feed_goes_back_over_two_rebases),
        WITH_STEPS(test_forged_journals),
        WITH_STEPS(test_a_journal_without_its_last_event),
        WITH_STEPS(test_kills_in_a_folder),
        WITH_STEPS(test_kills_on_a_server),
        WITH_STEPS(test_server_crashes),
        WITH_STEPS(test_an_interrupted_creation_goes_on),
        WITH_STEPS(test_server_crashes_during_appends),
        WITH_STEPS(test_a_proxy_cuts_stalls_and_loses),
        WITH_STEPS(test_without_listen_a_replica_follows),
        WITH_STEPS(test_schedules_on_a_server),
        WITH_STEPS(test_schedules_in_a_folder),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    postgres_stop(&server);
    return failed;
}
