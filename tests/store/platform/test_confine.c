/* A confined process uses the files of its list and nothing else: no other file, program or connection. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/platform/platform.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define SKIPPED 77

static char *inside, *outside, *readable; /* files in directories of their own */

static int try_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    int number = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return number;
}

static void *open_outside(void *arg)
{
    *(int *)arg = try_open(outside, O_RDONLY);
    return NULL;
}

static int in_thread(void)
{
    pthread_t thread;
    int number = -1;
    if (pthread_create(&thread, NULL, open_outside, &number))
        return -1;
    pthread_join(thread, NULL);
    return number;
}

static int try_exec(void)
{
    execl("/bin/true", "true", (char *)NULL);
    return errno;
}

static int try_fork(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child < 0 ? errno : 0;
}

static int try_socket(int family)
{
    int fd = socket(family, SOCK_STREAM, 0);
    int number = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return number;
}

/* The number of the first expectation that fails; 0 if none does. */
static int confined(void)
{
    char *renamed = NULL;
    const struct platform_path list[] = {
        {NULL, USE_WRITE}, {NULL, USE_READ}, {"/nowhere/at/all", USE_WRITE}};
    struct platform_path paths[3];
    memcpy(paths, list, sizeof(list));
    char *directory = strndup(inside, (size_t)(strrchr(inside, '/') - inside));
    paths[0].path = directory;
    paths[1].path = readable;
    int before = open(outside, O_RDONLY | O_CLOEXEC);
#if defined(__SANITIZE_THREAD__)
    return SKIPPED;
#endif
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* what looks for leaks is not confined */
    if (platform_confine(paths, 3))
        return SKIPPED;
    char byte;
    renamed = xformat("%s.new", inside);
    const bool held[] = {
        try_open("/etc/passwd", O_RDONLY) == EACCES,
        try_open(outside, O_RDONLY) == EACCES,
        try_open(outside, O_WRONLY | O_CREAT) == EACCES,
        try_open("/tmp/confined-must-not-be-made", O_WRONLY | O_CREAT) == EACCES,
        in_thread() == EACCES,
        try_open(readable, O_RDONLY) == 0,
        try_open(readable, O_WRONLY) == EACCES,
        try_open(inside, O_RDWR | O_CREAT | O_TRUNC) == 0,
        rename(inside, renamed) == 0,
        unlink(renamed) == 0,
        read(before, &byte, 1) == 1, /* what is open stays open */
        try_exec() == ENOSYS || errno == EACCES,
        try_fork() == ENOSYS,
        try_socket(AF_INET) == ENOSYS,
        try_socket(AF_UNIX) == 0,
        kill(getpid(), 0) == 0,
        kill(getppid(), SIGUSR1) != 0,
    };
    for (int i = 0; i < (int)(sizeof(held) / sizeof(*held)); i++)
        if (!held[i])
            return i + 1;
    return 0;
}

TEST(a_confined_process_has_its_files_alone)
{
    int status;
    inside = scratch_path("inside");
    outside = scratch_path("outside");
    readable = scratch_path("readable");
    scratch_write(outside, "o", 1);
    scratch_write(readable, "r", 1);
    pid_t child = fork();
    if (child == 0)
        _exit(confined());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
    free(inside);
    free(outside);
    free(readable);
}
