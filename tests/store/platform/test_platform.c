/* What every system's functions promise: wake-ups, changes of files. */
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/platform/platform.h"
#include "store/platform/file_state.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define SOON_MS (20 * WATCHER_POLL_MS)

static bool is_readable(int fd, int ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    return poll(&ready, 1, ms) == 1;
}

TEST(a_wakeup_stays_until_it_is_taken)
{
    struct wakeup w;
    assert_int_equal(wakeup_open(&w), 0);
    assert_false(is_readable(w.fd, 0));
    for (int i = 0; i < 100000; i++) /* more than a pipe holds */
        wakeup_send(&w);
    assert_true(is_readable(w.fd, 0));
    assert_true(is_readable(w.fd, 0));
    while (is_readable(w.fd, 0))
        wakeup_take(&w);
    wakeup_send(&w);
    assert_true(is_readable(w.fd, 0));
    wakeup_close(&w);
    assert_int_equal(w.fd, -1);
    wakeup_close(&w);
}

static unsigned change_since(struct file_state *before, const char *path)
{
    struct file_state now = file_state_of(path);
    unsigned what = file_state_difference(before, &now);
    *before = now;
    return what;
}

FIXTURE(scratch_set_up_path, scratch_tear_down_path);

TEST(a_file_that_changed_is_told_from_one_that_did_not)
{
    const char *path = *state;
    AUTO_FREE char *other = xformat("%s.other", path);
    struct file_state file = file_state_of(path);
    assert_false(file.exists);
    assert_int_equal(change_since(&file, path), 0);
    scratch_write(path, "one", 3);
    assert_int_equal(change_since(&file, path), WATCHED_MOVED);
    assert_true(file.exists && file.regular);
    assert_int_equal(change_since(&file, path), 0);
    scratch_write(path, "three", 5);
    assert_int_equal(change_since(&file, path), WATCHED_WRITTEN);
    /* The same length at another time. */
    struct timespec times[2] = {{1000, 0}, {1000, 1}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(change_since(&file, path), WATCHED_WRITTEN);
    scratch_write(other, "three", 5);
    assert_int_equal(utimensat(AT_FDCWD, other, times, 0), 0);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(change_since(&file, path), WATCHED_MOVED);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(change_since(&file, path), WATCHED_MOVED);
}

TEST(a_watcher_reports_what_happens_to_its_files)
{
    const char *path = *state;
    struct watcher *w = watcher_new((const char *const[]){path}, 1);
    assert_int_equal(watcher_take(w), 0);
    scratch_write(path, "one", 3);
    assert_true(is_readable(watcher_fd(w), SOON_MS));
    assert_true(watcher_take(w) & WATCHED_MOVED);
    int fd = open(path, O_WRONLY | O_APPEND);
    while (is_readable(watcher_fd(w), 2 * WATCHER_POLL_MS))
        watcher_take(w);
    assert_int_equal(write(fd, "two", 3), 3);
    close(fd);
    assert_true(is_readable(watcher_fd(w), SOON_MS));
    assert_int_equal(watcher_take(w), WATCHED_WRITTEN);
    assert_false(is_readable(watcher_fd(w), 0));
    assert_int_equal(unlink(path), 0);
    assert_true(is_readable(watcher_fd(w), SOON_MS));
    assert_true(watcher_take(w) & WATCHED_MOVED);
    watcher_free(w);
}

FIXTURE(NULL, NULL);

/* In a child, because it cannot be taken back. */
TEST(a_process_with_a_secret_leaves_no_core_file)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit core;
        bool hidden = true;
        platform_hide_memory();
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
        hidden = prctl(PR_GET_DUMPABLE) == 0 || !platform_has_epoll();
#endif
        _exit(getrlimit(RLIMIT_CORE, &core) || core.rlim_max || !hidden);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
