/* The feed reports every event once and in order, no matter who wrote it, and changes nothing. */
#include "store/journal/feed.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/open.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static struct feed *open_feed(struct fixture *f)
{
    struct error e = {0};
    struct feed *feed = feed_open(f->reader, &e);
    if (!feed)
        fail_msg("%s", e.what);
    return feed;
}

/* Counts the new events without waiting. They must follow `*seq`. */
static size_t take(struct fixture *f, struct feed *feed, size_t limit, int64_t *seq)
{
    struct error e = {0};
    struct event *events;
    size_t count;
    if (feed_next(feed, &f->arena, limit, &events, &count, &e))
        fail_msg("%s", e.what);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(events[i].seq, ++*seq);
    assert_int_equal(feed_seq(feed), *seq);
    return count;
}

/* Waits on the descriptor, as a loop does, at most as long as the feed asks, until that many
 * events have come. Fails if the feed would let it sleep for ever. */
static void wait_for(struct fixture *f, struct feed *feed, size_t wanted, size_t limit,
                     int64_t *seq)
{
    size_t got = 0;
    while ((got += take(f, feed, limit, seq)) < wanted) {
        struct pollfd fd = {.fd = feed_fd(feed), .events = POLLIN};
        int timeout = feed_timeout(feed);
        int ready = poll(&fd, 1, timeout < 0 ? 20000 : timeout);
        assert_true(ready > 0 || timeout >= 0);
    }
    assert_int_equal(got, wanted);
}

static void put(struct fixture *f, const char *prefix, int i)
{
    char line[100];
    snprintf(line, sizeof(line), "{\"ref\":\"note:%s-%d\",\"text\":\"t\"}", prefix, i);
    fixture_put(f, line, NULL);
}

/* A process that opens the store and adds `count` notes, each in its own transaction. */
static pid_t start_writer(struct fixture *f, const char *prefix, int count)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    char *const argv[] = {"test_feed", "write", f->path, (char *)prefix, count == 1 ? "1" : "200",
                          NULL};
    execv("/proc/self/exe", argv);
    _exit(9);
}

static int write_notes(const char *path, const char *prefix, int count)
{
    struct fixture f = {.arena = ARENA_INIT};
    struct error e = {0};
    f.store = store_open(path, &(struct store_options){0}, NULL, &e);
    f.reader = f.store ? reader_open(f.store, &e) : NULL;
    if (!f.reader)
        return 1;
    for (int i = 0; i < count; i++)
        put(&f, prefix, i);
    reader_close(f.reader);
    store_close(f.store);
    return 0;
}

static void join(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(test_it_begins_after_existing_events)
{
    struct fixture *f = *state;
    put(f, "old", 0);
    struct feed *feed = open_feed(f);
    int64_t seq = 1;
    assert_int_equal(feed_seq(feed), 1);
    assert_int_equal(take(f, feed, 100, &seq), 0);
    put(f, "new", 0);
    wait_for(f, feed, 1, 100, &seq);
    assert_int_equal(take(f, feed, 100, &seq), 0);
    feed_close(feed);
}

TEST(test_events_of_other_processes_arrive)
{
    struct fixture *f = *state;
    struct feed *feed = open_feed(f);
    int64_t seq = 0;
    join(start_writer(f, "one", 1));
    wait_for(f, feed, 1, 100, &seq);
    pid_t a = start_writer(f, "a", 200), b = start_writer(f, "b", 200);
    for (int i = 0; i < 50; i++)
        put(f, "own", i);
    wait_for(f, feed, 450, 7, &seq);
    join(a);
    join(b);
    assert_int_equal(take(f, feed, 100, &seq), 0);
    feed_close(feed);
}

/* Each commit must wake the reader, even if nothing happens after it. */
TEST(test_no_single_commit_is_missed)
{
    struct fixture *f = *state;
    struct feed *feed = open_feed(f);
    int64_t seq = 0;
    for (int i = 0; i < 15; i++) {
        char prefix[20];
        snprintf(prefix, sizeof(prefix), "p%d", i);
        pid_t pid = start_writer(f, prefix, 1);
        wait_for(f, feed, 1, 100, &seq);
        join(pid);
    }
    feed_close(feed);
}

TEST(test_a_limit_loses_no_event)
{
    struct fixture *f = *state;
    struct feed *feed = open_feed(f);
    int64_t seq = 0;
    for (int i = 0; i < 10; i++)
        put(f, "n", i);
    assert_int_equal(take(f, feed, 4, &seq), 4);
    assert_int_equal(feed_timeout(feed), 0);
    assert_int_equal(take(f, feed, 4, &seq), 4);
    assert_int_equal(feed_timeout(feed), 0);
    assert_int_equal(take(f, feed, 4, &seq), 2);
    assert_int_equal(take(f, feed, 4, &seq), 0);
    feed_close(feed);
}

/* Another program checkpoints the log and empties it. */
TEST(test_an_emptied_log_loses_no_event)
{
    struct fixture *f = *state;
    put(f, "before", 0);
    struct feed *feed = open_feed(f);
    int64_t seq = 1;
    fixture_sql(f, "PRAGMA wal_checkpoint(TRUNCATE)");
    put(f, "after", 0);
    wait_for(f, feed, 1, 100, &seq);
    for (int i = 0; i < 3; i++) {
        fixture_sql(f, "PRAGMA wal_checkpoint(TRUNCATE)");
        join(start_writer(f, i == 0 ? "x" : i == 1 ? "y" : "z", 1));
        wait_for(f, feed, 1, 100, &seq);
    }
    feed_close(feed);
}

/* Without inotify the feed asks to be polled, and reports the same. */
TEST(test_polling_reports_the_same)
{
    struct fixture *f = *state;
    struct rlimit files, none;
    put(f, "warm", 0); /* by now the writer has created its files */
    int lowest = dup(0);
    close(lowest);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    none = (struct rlimit){(rlim_t)lowest, files.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    struct feed *feed = open_feed(f);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(feed_fd(feed), -1);
    assert_true(feed_timeout(feed) > 0);
    int64_t seq = 1;
    assert_int_equal(take(f, feed, 100, &seq), 0);
    assert_true(feed_timeout(feed) > 0);
    pid_t pid = start_writer(f, "polled", 200);
    wait_for(f, feed, 200, 100, &seq);
    join(pid);
    feed_close(feed);
}

/* Files in the same directory that do not belong to the store. */
TEST(test_other_files_in_the_directory_wake_nobody)
{
    struct fixture *f = *state;
    struct feed *feed = open_feed(f);
    int64_t seq = 0;
    char path[400];
    snprintf(path, sizeof(path), "%s/beside", f->directory);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
    unlink(path);
    assert_int_equal(take(f, feed, 100, &seq), 0);
    assert_int_equal(feed_timeout(feed), -1); /* no timeout is needed */
    feed_close(feed);
}

/* ---- reading writes nothing ---- */

static uint64_t bytes_of(const char *path)
{
    uint64_t sum = 1469598103934665603u;
    unsigned char bytes[4096];
    FILE *file = fopen(path, "rb");
    for (size_t n; file && (n = fread(bytes, 1, sizeof(bytes), file)) > 0;)
        for (size_t i = 0; i < n; i++)
            sum = (sum ^ bytes[i]) * 1099511628211u;
    if (file)
        fclose(file);
    return sum;
}

TEST(test_following_does_not_change_the_store)
{
    struct fixture *f = *state;
    struct error e = {0};
    put(f, "n", 0);
    reader_close(f->reader);
    store_close(f->store);
    char log[400];
    snprintf(log, sizeof(log), "%s-wal", f->path);
    uint64_t before = bytes_of(f->path), log_before = bytes_of(log);
    f->store = store_open(f->path, &(struct store_options){.read_only = true}, NULL, &e);
    f->reader = reader_open(f->store, &e);
    struct feed *feed = open_feed(f);
    int64_t seq = feed_seq(feed);
    assert_int_equal(seq, 1);
    assert_int_equal(take(f, feed, 100, &seq), 0);
    feed_close(feed);
    reader_close(f->reader);
    assert_true(bytes_of(f->path) == before);
    assert_true(bytes_of(log) == log_before);
    f->reader = reader_open(f->store, &e);
}

/* ---- a removed store ---- */

static void expect_gone(struct fixture *f, struct feed *feed)
{
    struct error e = {0};
    struct event *events;
    struct pollfd fd = {.fd = feed_fd(feed), .events = POLLIN};
    size_t count;
    int result;
    do { /* events written before may come first */
        assert_int_equal(poll(&fd, 1, 20000), 1);
        result = feed_next(feed, &f->arena, 10, &events, &count, &e);
    } while (result == 0);
    assert_int_equal(e.code, ERROR_STORE);
    assert_non_null(strstr(e.what, "was removed or replaced while it was open"));
    assert_int_equal(feed_check(feed, &e), -1); /* again, though nothing happened since */
    assert_int_equal(store_file_result(f->store, &e), -1);
}

/* Removes the store, or the file next to it with that suffix, and expects an error. */
static void take_away(struct fixture *f, struct feed *feed, const char *suffix)
{
    struct error e;
    AUTO_STRBUF path = STRBUF_INIT, away = STRBUF_INIT;
    strbuf_addf(&path, "%s%s", store_path(f->store), suffix);
    strbuf_addf(&away, "%s.away", path.buf);
    assert_int_equal(rename(path.buf, away.buf), 0);
    expect_gone(f, feed);
    int fd = open(path.buf, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
    expect_gone(f, feed);
    /* The same file was moved back. */
    assert_int_equal(rename(away.buf, path.buf), 0);
    assert_int_equal(feed_check(feed, &e), 0);
    assert_int_equal(store_file_result(f->store, &e), 0);
}

TEST(test_a_removed_or_replaced_store_is_reported)
{
    struct fixture *f = *state;
    struct feed *feed = open_feed(f);
    int64_t seq = feed_seq(feed);
    put(f, "before", 1);
    wait_for(f, feed, 1, 10, &seq);
    take_away(f, feed, "");
    put(f, "after", 1);
    wait_for(f, feed, 1, 10, &seq);
    take_away(f, feed, "-wal");
    put(f, "after", 2);
    wait_for(f, feed, 1, 10, &seq);
    take_away(f, feed, "-shm");
    put(f, "after", 3);
    wait_for(f, feed, 1, 10, &seq);
    feed_close(feed);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "write") == 0)
        return write_notes(argv[2], argv[3], (int)strtol(argv[4], NULL, 10));
    return tests_run();
}
