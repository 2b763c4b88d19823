/* Listing a folder, whole or in part, and opening a file of it. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/import/folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static int reads_left = -1; /* readdir fails when it comes to 0 */

/* In place of the system's. */
struct dirent *readdir(DIR *dir)
{
    struct dirent *(*system)(DIR *);
    *(void **)&system = dlsym(RTLD_NEXT, "readdir");
    if (reads_left == 0) {
        errno = EIO;
        return NULL;
    }
    reads_left -= reads_left > 0;
    return system(dir);
}

static void count_line(void *arg, const char *line)
{
    assert_non_null(line);
    ++*(int *)arg;
}

static const char *path_in(struct arena *arena, const char *name)
{
    AUTO_FREE char *path = scratch_path(name);
    return arena_strdup(arena, path);
}

static const char *make_folder(struct arena *arena)
{
    const char *root = path_in(arena, "notes");
    mkdir(root, 0700);
    mkdir(arena_format(arena, "%s/sub", root), 0700);
    scratch_write(arena_format(arena, "%s/sub/a.md", root), "a", 1);
    scratch_write(arena_format(arena, "%s/b.md", root), "b", 1);
    return root;
}

TEST(a_folder_is_listed)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e = {0};
    struct folder f = {.entry = NULL};
    assert_int_equal(folder_read(&f, make_folder(&arena), 8, &e), 0);
    assert_int_equal(f.count, 3);
    assert_string_equal(f.entry[0].name, "b.md");
    assert_string_equal(f.entry[1].name, "sub");
    assert_string_equal(f.entry[2].name, "sub/a.md");
    assert_int_equal(f.unread, 0);
    folder_release(&f);
}

/* With one descriptor left, the root can be read and nothing below it. */
TEST(a_folder_that_cannot_be_opened_is_counted)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e = {0};
    struct rlimit limit, one;
    int lines = 0, next = dup(STDIN_FILENO);
    struct folder f = {.report = count_line, .arg = &lines};
    const char *root = make_folder(&arena);
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    one = (struct rlimit){.rlim_cur = (rlim_t)next + 1, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &one), 0);
    int result = folder_read(&f, root, 8, &e);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(result, 0);
    assert_int_equal(f.count, 2);
    assert_int_equal(f.unread, 1);
    assert_int_equal(lines, 1);
    folder_release(&f);
}

/* An error is not the end of a folder. The two folders take nine reads, the root the last of them. */
TEST(a_folder_that_ends_early_is_no_listing)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e = {0};
    const char *root = make_folder(&arena);
    for (int reads = 0; reads < 9;
         reads++) { /* ".", "..", two entries and the end; ".", "..", a file and the end */
        struct folder f = {.entry = NULL};
        reads_left = reads;
        int result = folder_read(&f, root, 8, &e);
        reads_left = -1;
        assert_int_equal(result, -1);
        assert_non_null(strstr(e.what, "Input/output error"));
        folder_release(&f);
    }
}

TEST(only_a_regular_file_is_opened)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *file = path_in(&arena, "file"), *link = path_in(&arena, "link"),
               *fifo = path_in(&arena, "fifo");
    scratch_write(file, "x", 1);
    assert_int_equal(symlink(file, link), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int fd = folder_open_file(file);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(folder_open_file(link), -1);
    assert_int_equal(errno, ELOOP);
    assert_int_equal(folder_open_file(fifo), -1);
    assert_int_equal(errno, EINVAL);
}
