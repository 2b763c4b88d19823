/*
 * A person uses the explorer while a thousand memories a second are written: the selection stays, keys work, and
 * every frame is complete. It runs in a pseudo-terminal; a thread of the test writes. Only the rate of writing is
 * timed, and no result depends on it.
 */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/agents.h"
#include "tests/support/scratch.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

#define WRITES 2500
#define BEFORE 60

struct load {
    struct store *store;
    struct call_log *log;
    struct session *session;
    atomic_int sent;
};

/* Ten at a time, a hundred times a second. */
static void *write_steadily(void *arg)
{
    struct load *l = arg;
    char line[200];
    for (int i = 0; i < WRITES; i++) {
        snprintf(line, sizeof(line),
                 "{\"ref\":\"belief:load-%d\",\"text\":\"written under load %d\"}", i, i);
        if (!agents_send(l->store, l->session, "ash", line))
            break;
        atomic_store(&l->sent, i + 1);
        if (i % 10 == 9)
            nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    return NULL;
}

static int set_up(void **state)
{
    struct load *l = calloc(1, sizeof(*l));
    AUTO_FREE char *path = scratch_path("load.db");
    char line[200];
    l->store = scratch_store(path);
    for (int i = 0; i < BEFORE; i++) {
        snprintf(line, sizeof(line),
                 "{\"ref\":\"belief:b-%02d\",\"text\":\"number %02d\",\"created_at\":%d000000}", i,
                 i, 1000 + i);
        scratch_put(l->store, line);
    }
    l->log = agents_open(l->store);
    l->session = agents_join(l->log, "claude-code", "ash");
    scratch_home();
    *state = l;
    return 0;
}

static int tear_down(void **state)
{
    AUTO_FREE struct load *l = *state;
    call_log_close(l->log);
    store_close(l->store);
    return 0;
}

/* ---- frames ---- */

/* The line with the cursor, and its row. */
static int cursor_line(struct terminal *t, struct strbuf *out)
{
    int found = -1;
    for (int row = 1; row < t->rows; row++) {
        strbuf_clear(out);
        terminal_row_trimmed(t, row, out);
        if (strncmp(out->buf, " > ", 3))
            continue;
        assert_int_equal(found, -1);
        found = row;
    }
    if (found < 0)
        fail_msg("no line has the cursor");
    strbuf_clear(out);
    terminal_row_trimmed(t, found, out);
    return found;
}

/* Each frame is complete and has no parts of another. */
static void check_frame(struct terminal *t)
{
    AUTO_STRBUF first = STRBUF_INIT, last = STRBUF_INIT;
    terminal_row_trimmed(t, 0, &first);
    terminal_row_trimmed(t, t->rows - 1, &last);
    if (strncmp(first.buf, " load › ", 10))
        fail_msg("the first row is %s", first.buf);
    if (!strstr(last.buf, "  ? help"))
        fail_msg("the last row is %s", last.buf);
}

/* Reads the next complete frame; checks and drops those before. */
static void next_frame(struct terminal *t)
{
    do {
        if (!terminal_read(t))
            fail_msg("no frame came");
    } while (!terminal_is_whole(t));
    check_frame(t);
    assert_int_equal(terminal_check(t).ended_twice, 0);
    strbuf_clear(&t->bytes);
}

/* Presses a key and waits until the cursor's line begins with `expected`. Every frame until then shows the cursor
 * there or at its old place. */
static void press(struct terminal *t, const char *key, const char *expected, int row)
{
    AUTO_STRBUF before = STRBUF_INIT, line = STRBUF_INIT;
    int stood = cursor_line(t, &before);
    terminal_type(t, key);
    for (;;) {
        next_frame(t);
        int stands = cursor_line(t, &line);
        if (strstr(line.buf, expected)) {
            assert_int_equal(stands, row);
            break;
        }
        assert_int_equal(stands, stood);
        assert_string_equal(strstr(line.buf, "number"), strstr(before.buf, "number"));
    }
}

FIXTURE(set_up, tear_down);

TEST(test_the_selection_stays)
{
    struct load *l = *state;
    struct terminal t;
    pthread_t thread;
    terminal_start(&t, store_path(l->store), 24, 80);
    terminal_wait_shows(&t, "60 · recorded");
    strbuf_clear(&t.bytes);
    terminal_see(&t, "jjjj", "5/60");
    strbuf_clear(&t.bytes);
    AUTO_STRBUF line = STRBUF_INIT;
    int row = cursor_line(&t, &line);
    assert_non_null(strstr(line.buf, "number 55"));
    assert_int_equal(pthread_create(&thread, NULL, write_steadily, l), 0);
    while (atomic_load(&l->sent) < WRITES) {
        press(&t, "j", "number 54", row + 1);
        press(&t, "j", "number 53", row + 2);
        press(&t, "k", "number 54", row + 1);
        press(&t, "k", "number 55", row);
    }
    pthread_join(thread, NULL);
    terminal_wait_shows(&t, "2,560 · 999+ wait");
    assert_int_equal(cursor_line(&t, &line), row);
    assert_non_null(strstr(line.buf, "number 55"));
    assert_true(terminal_shows(&t, "new ↑"));
    kill(t.pid, SIGTERM);
    int status = terminal_finish(&t);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    terminal_release(&t);
}

/* The live view follows and ends at the last write. */
TEST(test_the_live_view_follows)
{
    struct load *l = *state;
    struct terminal t;
    pthread_t thread;
    char last[64];
    terminal_start(&t, store_path(l->store), 36, 120);
    terminal_wait_shows(&t, "60 · recorded");
    terminal_see(&t, "9", "following · 60 events");
    strbuf_clear(&t.bytes);
    assert_int_equal(pthread_create(&thread, NULL, write_steadily, l), 0);
    AUTO_STRBUF line = STRBUF_INIT;
    int row = cursor_line(&t, &line);
    int moves = 0; /* charts come above the list with the first calls */
    while (atomic_load(&l->sent) < WRITES) {
        next_frame(&t);
        int now = cursor_line(&t, &line);
        moves += now != row;
        row = now;
        assert_in_range(moves, 0, 1);
    }
    pthread_join(thread, NULL);
    snprintf(last, sizeof(last), "written under load %d", WRITES - 1);
    terminal_wait_shows(&t, last);
    terminal_wait_shows(&t, "1 agent live");
    terminal_leave(&t);
}

/* How often the threads of the program have waited for something so far. */
static long waits(pid_t pid)
{
    char path[64], line[256];
    long all = 0, count;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        snprintf(path, sizeof(path), "/proc/%d/task/%.20s/status", (int)pid, entry->d_name);
        FILE *f = *entry->d_name == '.' ? NULL : fopen(path, "r");
        while (f && fgets(line, sizeof(line), f))
            all += sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1 ? count : 0;
        if (f)
            fclose(f);
    }
    if (dir)
        closedir(dir);
    return all;
}

/* Nothing wakes the explorer while nothing happens, its listener for agents included. The change feed looks less and
 * less often. */
TEST(test_it_is_quiet_if_nothing_happens)
{
    static const char *const views[][2] = {
        {"1", "60 · recorded"}, {"\r", "number 59"}, {"f", "based on"}};
    struct load *l = *state;
    struct terminal t;
#ifdef __SANITIZE_THREAD__
    skip(); /* its own thread wakes ten times a second */
#endif
    if (access("/proc/self/status", R_OK))
        skip();
    terminal_start(&t, store_path(l->store), 24, 80);
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        terminal_see(&t, views[i][0], views[i][1]);
        nanosleep(&(struct timespec){4, 0}, NULL);
        long before = waits(t.pid);
        nanosleep(&(struct timespec){4, 0}, NULL);
        long woken = waits(t.pid) - before;
        if (woken > 12)
            fail_msg("view %s: woke %ld times in 4 s", views[i][0], woken);
    }
    terminal_leave(&t);
}
