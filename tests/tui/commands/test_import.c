/* stemma import --follow waits for its source. tests/cli/import.t has the output of imports. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static struct program p;

static int release(void **state)
{
    program_release(&p);
    return 0;
}

/* Writes a file; free() its path. */
static char *file_of(const char *name, const char *content)
{
    char *path = scratch_path(name);
    scratch_write(path, content, strlen(content));
    return path;
}

/* ---- following ---- */

/* Reads one line within 20 s; fails at the end of the output. */
static void read_line(int fd, char *line, size_t size)
{
    size_t len = 0;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    while (len + 1 < size && poll(&ready, 1, 20000) == 1 && read(fd, line + len, 1) == 1 &&
           line[len] != '\n')
        len++;
    assert_true(len > 0 && line[len] == '\n');
    line[len] = '\0';
}

static void stop(pid_t child, int out)
{
    int status;
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    close(out);
}

GROUP(NULL, release);

TEST(a_missing_source_is_waited_for)
{
    int out;
    char line[2000];
    AUTO_FREE char *source = file_of("lines.jsonl", "{\"ref\":\"raw:one\",\"text\":\"first\"}\n");
    AUTO_FREE char *away = file_of("away.jsonl", ""), *store = scratch_path("followed.db");
    pid_t child = program_start(&out, (const char *const[]){"import", "jsonl", source, "--follow",
                                                            "--json", "--store", store, NULL});
    read_line(out, line, sizeof(line));
    assert_non_null(strstr(line, "\"added\":1,"));
    assert_int_equal(rename(source, away), 0);
    usleep(300000);
    assert_int_equal(waitpid(child, &(int){0}, WNOHANG), 0);
    int fd = open(away, O_WRONLY | O_APPEND);
    static const char more[] = "{\"ref\":\"raw:two\",\"text\":\"second\"}\n";
    assert_int_equal(write(fd, more, strlen(more)), strlen(more));
    close(fd);
    assert_int_equal(rename(away, source), 0);
    read_line(out, line, sizeof(line));
    assert_non_null(strstr(line, "\"added\":1,"));
    assert_non_null(strstr(line, "\"unchanged\":1,"));
    stop(child, out);
}

/* A store of Kernle that is being overwritten is sometimes no store. */
TEST(a_rewritten_source_is_waited_for)
{
    int out;
    char line[2000];
    AUTO_FREE char *source = scratch_path("memories.db"), *store = scratch_path("followed.db");
    scratch_copy("tests/data/kernle-demo.db", source);
    pid_t child = program_start(&out, (const char *const[]){"import", "kernle", source, "--follow",
                                                            "--json", "--store", store, NULL});
    read_line(out, line, sizeof(line));
    scratch_write(source, "SQLite format 3", 15);
    usleep(300000);
    assert_int_equal(waitpid(child, &(int){0}, WNOHANG), 0);
    scratch_copy("tests/data/kernle-1000.db", source);
    read_line(out, line, sizeof(line));
    assert_null(strstr(line, "\"added\":0,"));
    stop(child, out);
}

/* ---- pipes ---- */

/* Starts the import of standard input, which is written at *in. */
static pid_t start_on_pipe(int *in, const char *store)
{
    int ends[2];
    const char *program = getenv("STEMMA");
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(ends[0], 0);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execl(program ? program : "./stemma", "stemma", "import", "jsonl", "-", "--follow",
              "--store", store, (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    *in = ends[1];
    return child;
}

static void write_text(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

/* Waits until the store has that many memories, at most 20 s. */
static void wait_for(const char *store, int64_t count)
{
    for (int i = 0; i < 200; i++) {
        PROGRAM(&p, "list", "all", "--json", "--store", store);
        int64_t there = 0;
        for (const char *at = p.out; p.status == 0 && (at = strstr(at, "\"ref\":\"raw:")); at++)
            there++;
        if (there == count)
            return;
        usleep(100000);
    }
    fail_msg("%s has not got %d memories", store, (int)count);
}

TEST(lines_of_an_idle_pipe_are_committed)
{
    int in, status;
    AUTO_FREE char *store = scratch_path("piped.db");
    pid_t child = start_on_pipe(&in, store);
    write_text(in, "{\"ref\":\"raw:one\",\"text\":\"t\"}\n{\"ref\":\"raw:tw");
    wait_for(store, 1);
    write_text(in, "o\",\"text\":\"t\"}\n");
    wait_for(store, 2);
    /* Complete lines count even if the import is stopped at once; a partial line does not. */
    write_text(in, "{\"ref\":\"raw:three\",\"text\":\"t\"}\n{\"ref\":\"raw:four\"}");
    usleep(200000);
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    wait_for(store, 3);
    close(in);
}
