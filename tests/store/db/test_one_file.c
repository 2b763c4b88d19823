/*
 * A store is one file. Checks the files next to an open and a closed store, copies, stores of the
 * version before with their side files, and the locks on the file.
 */
#include "tests/support/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/fsck/fsck.h"
#include "store/db/head.h"
#include "store/db/store_file.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/platform/platform.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

/* The names next to the store that begin with its name, on one line. */
static void assert_companions(const char *path, const char *wanted)
{
    static const char *const known[] = {"-wal", "-shm"};
    char found[4096] = "";
    const char *name = strrchr(path, '/') + 1;
    AUTO_FREE char *folder = xstrdup(path);
    folder[name - path] = '\0';
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d));)
        if (strncmp(entry->d_name, name, strlen(name)) == 0 && entry->d_name[strlen(name)])
            snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s ",
                     entry->d_name + strlen(name));
    closedir(d);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(!strstr(found, known[i]), !strstr(wanted, known[i]));
    if (strlen(found) != strlen(wanted))
        fail_msg("beside the store are %s, wanted %s", found, wanted);
}

static void put(struct store *s, const char *id)
{
    char line[100];
    snprintf(line, sizeof(line), "{\"ref\":\"note:%s\",\"text\":\"%s\"}", id, id);
    scratch_put(s, line);
}

static void assert_holds(const char *path, int64_t memories, bool has_head)
{
    struct error e;
    struct store *s = scratch_store(path);
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    struct fsck_summary summary = expect_sound(r);
    assert_int_equal(summary.memories, memories);
    assert_int_equal(summary.head_found, has_head);
    reader_close(r);
    store_close(s);
    assert_companions(path, "");
}

FIXTURE(scratch_set_up_path, scratch_tear_down_path);

TEST(an_open_store_has_a_log_and_its_index)
{
    const char *path = *state;
    struct error e;
    struct stat st;
    struct store *s = scratch_store(path);
    store_close(s);
    assert_companions(path, "");
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size <= 200 * 1024);
    s = scratch_store(path);
    put(s, "a");
    assert_companions(path, "-wal -shm ");
    /* The reader closes last. */
    struct store *other = scratch_store(path);
    struct reader *r = reader_open(other, &e);
    store_close(s);
    assert_companions(path, "-wal -shm ");
    reader_close(r);
    store_close(other);
    assert_holds(path, 1, true);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size <= 200 * 1024);
}

TEST(the_one_file_has_everything)
{
    const char *path = *state;
    AUTO_FREE char *copy = scratch_path("copied.db");
    struct store *s = scratch_store(path);
    for (int i = 0; i < 50; i++) {
        char id[16];
        snprintf(id, sizeof(id), "%d", i);
        put(s, id);
    }
    store_close(s);
    size_t len;
    AUTO_FREE char *bytes = scratch_read(path, &len);
    scratch_write(copy, bytes, len);
    assert_holds(copy, 50, false); /* that path has no head yet */
}

static void write_until_killed(const char *path)
{
    struct store *s = scratch_store(path);
    put(s, "written");
    kill(getpid(), SIGKILL);
}

TEST(the_log_of_a_killed_process_is_checkpointed)
{
    const char *path = *state;
    int status;
    pid_t pid = fork();
    if (pid == 0)
        write_until_killed(path);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_companions(path, "-wal -shm ");
    store_close(scratch_store(path));
    assert_companions(path, "");
    struct error e;
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    assert_int_equal(journal_last(r, &e), 1);
    reader_close(r);
    store_close(s);
    assert_companions(path, "");
}

/* A store of the version before, tests/data/side-files/store.db, with its log, head and lock files. */
TEST(side_files_of_an_older_version_are_removed)
{
    static const char *const parts[] = {"", "-wal", "-head", "-next", "-write", "-sessions"};
    const char *path = *state;
    struct error e;
    struct head head;
    char at[4096];
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        char from[200], *to = xformat("%s%s", path, parts[i]);
        size_t len;
        snprintf(from, sizeof(from), "tests/data/side-files/store.db%s", parts[i]);
        AUTO_FREE char *bytes = scratch_read(from, &len);
        scratch_write(to, bytes, len);
        free(to);
    }
    assert_holds(path, 2, true);
    scratch_head(at, sizeof(at), path);
    assert_int_equal(head_read(&head, at, &e), 1);
    assert_int_equal(head.events.count, 2);
}

/* ---- locks ---- */

static void end(pid_t pid)
{
    int status;
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void hold_for_ever(const char *path, int told)
{
    if (!scratch_lock(path) || write(told, "", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

TEST(the_holder_of_the_lock_is_named)
{
    const char *path = *state;
    struct error e;
    struct store_file f = {.fd = -1};
    char who[64], byte;
    int told[2], status;
    store_close(scratch_store(path));
    if (!platform_has_locks())
        skip();
    assert_int_equal(pipe(told), 0);
    pid_t pid = fork();
    if (pid == 0)
        hold_for_ever(path, told[1]);
    assert_int_equal(read(told[0], &byte, 1), 1);
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_int_equal(store_file_open(&f, path, &e), 0);
    assert_int_equal(store_file_lock(&f, 30, NULL, NULL, &e), -1);
    assert_int_equal(e.code, ERROR_BUSY);
    snprintf(who, sizeof(who), "process %d holds the store", (int)pid);
    assert_ptr_equal(strstr(e.what, who), e.what);
    snprintf(who, sizeof(who), "kill -CONT %d", (int)pid);
    assert_non_null(strstr(e.hint, who));
    end(pid);
    assert_int_equal(store_file_lock(&f, 1000, NULL, NULL, &e), 0);
    store_file_unlock(&f);
    store_file_close(&f);
    close(told[0]);
    close(told[1]);
}

static void *lock_it(void *arg)
{
    struct error e;
    struct store_file *f = arg;
    return store_file_lock(f, WRITE_WAIT_MS, NULL, NULL, &e) ? NULL : f;
}

static volatile sig_atomic_t noted;

static void note_signal(int signal)
{
    noted = signal;
}

/* A waiting writer does not block others while its process is stopped. It gets its turn afterwards. */
TEST(a_pause_waits_for_the_running_batch)
{
    const char *path = *state;
    struct error e;
    struct store_file f = {.fd = -1};
    pthread_t waits;
    void *got;
    store_close(scratch_store(path));
    if (!platform_has_locks())
        skip();
    AUTO_FREE struct store_file *held = scratch_lock(path);
    assert_int_equal(store_file_open(&f, path, &e), 0);
    assert_int_equal(pthread_create(&waits, NULL, lock_it, &f), 0);
    usleep(20000);
    signal(SIGUSR1, note_signal);
    assert_false(store_writes_pause(SIGUSR1));
    usleep(100000);
    assert_int_equal(noted, 0);
    store_file_unlock(held);
    assert_int_equal(store_file_is_locked(held, 0), 0); /* it gave up its turn */
    while (!noted)
        usleep(1000);
    while (!store_writes_pause(0))
        usleep(1000);
    store_writes_resume();
    assert_int_equal(pthread_join(waits, &got), 0);
    assert_ptr_equal(got, &f);
    store_file_unlock(&f);
    store_file_close(&f);
    store_file_close(held);
}

/* Two sessions of one process exclude each other, and closing one does not release the lock of the other. */
TEST(sessions_hold_lock_bytes)
{
    const char *path = *state;
    struct error e;
    struct store_file a = {.fd = -1}, b = {.fd = -1};
    int64_t byte = store_file_session_byte("0190b3a0-0000-4000-8000-000000000001");
    store_close(scratch_store(path));
    if (!platform_has_locks())
        skip();
    assert_int_equal(store_file_open(&a, path, &e), 0);
    assert_int_equal(store_file_open(&b, path, &e), 0);
    assert_int_equal(store_file_is_locked(&a, byte), 0);
    assert_true(store_file_lock_byte(&a, byte));
    assert_false(store_file_lock_byte(&b, byte));
    assert_int_equal(store_file_is_locked(&a, byte), 1);
    store_file_close(&b);
    assert_int_equal(store_file_is_locked(&a, byte), 1);
    store_file_unlock_byte(&a, byte);
    assert_int_equal(store_file_is_locked(&a, byte), 0);
    store_file_close(&a);
}
