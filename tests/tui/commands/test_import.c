/* stemma import as a person runs it: what it leaves behind, what it waits for, what it says. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/support/kernle_fixture.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"

static struct program p;

#define SAYS(text)  assert_non_null(strstr(p.out, text))
#define TELLS(text) assert_non_null(strstr(p.err, text))

static int release(void **state)
{
    (void)state;
    program_release(&p);
    return 0;
}

/* A file of that content; free() its path. */
static char *file_of(const char *name, const char *content)
{
    char *path = scratch_path(name);
    scratch_write(path, content, strlen(content));
    return path;
}

/* How many files stand where the store was to be. */
static size_t files_beside(const char *store)
{
    char *directory = strdup(store);
    *strrchr(directory, '/') = '\0';
    DIR *d = opendir(directory);
    size_t count = 0;
    for (struct dirent *entry; d && (entry = readdir(d));)
        count += entry->d_name[0] != '.';
    if (d)
        closedir(d);
    free(directory);
    return count;
}

/* ---- sources that give nothing ---- */

static void refused(const char *kind, const char *path, int status, const char *why)
{
    char *store = scratch_path("never.db");
    PROGRAM(&p, "import", kind, path, "--store", store);
    assert_int_equal(p.status, status);
    TELLS(why);
    assert_null(strstr(p.err, "does not say of which version"));
    assert_int_equal(files_beside(store), 0);
    free(store);
}

static void a_source_that_gives_nothing_leaves_no_store(void **state)
{
    (void)state;
    char *missing = scratch_path("nothing"), *text = file_of("text", "no memory at all\n");
    char *empty = file_of("empty.db", ""), *foreign = scratch_path("foreign.db");
    char *damaged = scratch_path("damaged.db"), *ours = scratch_path("ours.db");
    size_t len;
    char *bytes = scratch_read("tests/data/kernle-1000.db", &len);
    assert_non_null(bytes);
    scratch_write(damaged, bytes, 20000);
    kernle_sql(foreign, "CREATE TABLE other(x)");
    store_close(scratch_store(ours));
    refused("kernle", missing, 3, "No such file or directory");
    refused("jsonl", missing, 3, "No such file or directory");
    refused("kernle", "/tmp", 3, "/tmp is a directory");
    refused("jsonl", "/tmp", 3, "/tmp is a directory");
    refused("kernle", damaged, 3, "damaged");
    refused("kernle", empty, 3, "is no store of Kernle");
    refused("cot", empty, 3, "there is nothing in");
    refused("kernle", foreign, 3, "is no store of Kernle");
    refused("kernle", text, 3, "not a database");
    refused("kernle", ours, 3, "is a store of stemma");
    refused("jsonl", "tests/data/kernle-1000.db", 3, "is a store of Kernle");
    refused("jsonl", text, 1, "line 1");
    free(bytes);
    free(missing);
    free(text);
    free(empty);
    free(foreign);
    free(damaged);
    free(ours);
}

/* It was not done by hand: undo says so, and which number takes it back. */
static void an_import_is_undone_by_its_number(void **state)
{
    (void)state;
    char *store = scratch_path("undone.db");
    char *two =
        file_of("two", "{\"ref\":\"raw:a\",\"text\":\"a\"}\n{\"ref\":\"raw:b\",\"text\":\"b\"}\n");
    PROGRAM(&p, "import", "jsonl", two, "--store", store);
    assert_int_equal(p.status, 0);
    PROGRAM(&p, "undo", "--store", store);
    assert_int_equal(p.status, 1);
    TELLS("the last thing was an import of 2 memories. stemma undo 2 takes it back.");
    PROGRAM(&p, "undo", "2", "--store", store);
    assert_int_equal(p.status, 0);
    PROGRAM(&p, "undo", "--store", store);
    assert_int_equal(p.status, 1);
    TELLS("there is nothing to undo for");
    PROGRAM(&p, "add", "raw", "c", "--store", store);
    char *one = file_of("one", "{\"ref\":\"raw:d\",\"text\":\"d\"}\n");
    PROGRAM(&p, "import", "jsonl", one, "--store", store);
    PROGRAM(&p, "undo", "--store", store);
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "an import of 1 memory came after it and stays: stemma undo 6"));
    free(one);
    free(two);
    free(store);
}

/* ---- following ---- */

/* Reads one line, for at most 20 s; fails at its end. */
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

static void a_source_that_is_away_is_waited_for(void **state)
{
    (void)state;
    int out;
    char line[2000];
    char *source = file_of("lines.jsonl", "{\"ref\":\"raw:one\",\"text\":\"first\"}\n");
    char *away = file_of("away.jsonl", ""), *store = scratch_path("followed.db");
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
    free(source);
    free(away);
    free(store);
}

/* A store of Kernle that is written over piece by piece is no store at times. */
static void a_source_that_is_written_anew_is_waited_for(void **state)
{
    (void)state;
    int out;
    char line[2000];
    char *source = scratch_path("memories.db"), *store = scratch_path("followed.db");
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
    free(source);
    free(store);
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

/* Waits until the store has that many memories, for at most 20 s. */
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

static void a_pipe_that_is_idle_is_committed(void **state)
{
    (void)state;
    int in, status;
    char *store = scratch_path("piped.db");
    pid_t child = start_on_pipe(&in, store);
    write_text(in, "{\"ref\":\"raw:one\",\"text\":\"t\"}\n{\"ref\":\"raw:tw");
    wait_for(store, 1);
    write_text(in, "o\",\"text\":\"t\"}\n");
    wait_for(store, 2);
    /* Whole lines count, however soon it is stopped; a part of one does not. */
    write_text(in, "{\"ref\":\"raw:three\",\"text\":\"t\"}\n{\"ref\":\"raw:four\"}");
    usleep(200000);
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    wait_for(store, 3);
    close(in);
    free(store);
}

/* ---- words ---- */

static void one_is_not_many(void **state)
{
    (void)state;
    char *store = scratch_path("store.db");
    PROGRAM_WITH(&p, "{\"ref\":\"raw:a\",\"text\":\"t\",\"derived_from\":[\"raw:gone\"]}\n",
                 "import", "jsonl", "-", "--store", store);
    SAYS("read 1 memory: 1 added");
    SAYS("  1 link\n");
    SAYS("  1 ref that names nothing here\n");
    free(store);
}

static void a_ref_twice_in_one_file_is_a_count_of_its_own(void **state)
{
    (void)state;
    char *store = scratch_path("store.db");
    PROGRAM_WITH(&p, "{\"ref\":\"raw:a\",\"text\":\"t\"}\n{\"ref\":\"raw:a\",\"text\":\"u\"}\n",
                 "import", "jsonl", "-", "--store", store);
    assert_int_equal(p.status, 4);
    SAYS("  1 refused: named twice in this source");
    assert_null(strstr(p.out, "another origin"));
    free(store);
}

/* Nobody could read whose they are. */
static void memories_are_filed_under_no_blank_name(void **state)
{
    (void)state;
    char *made = scratch_path("blank.db");
    PROGRAM_WITH(&p, "{\"ref\":\"raw:a\",\"text\":\"t\"}\n", "import", "jsonl", "-", "--agent",
                 "\xe2\x80\x8b ", "--store", made);
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "line 1: agent_id is missing"));
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_that_gives_nothing_leaves_no_store),
        cmocka_unit_test(an_import_is_undone_by_its_number),
        cmocka_unit_test(memories_are_filed_under_no_blank_name),
        cmocka_unit_test(a_source_that_is_away_is_waited_for),
        cmocka_unit_test(a_source_that_is_written_anew_is_waited_for),
        cmocka_unit_test(a_pipe_that_is_idle_is_committed),
        cmocka_unit_test(one_is_not_many),
        cmocka_unit_test(a_ref_twice_in_one_file_is_a_count_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
