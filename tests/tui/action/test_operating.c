/* A command that changes memories which others are based on asks in a terminal; tests/cli/operate.t has the rest. */
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "tests/support/story.h"
#include "tests/support/test.h"

/* raw:one is used by episode:met and belief:a, which is used by belief:b; belief:c has another source as well. */
static const char lines[] =
    "{\"ref\":\"raw:one\",\"text\":\"as it came\",\"agent_id\":\"ash\"}\n"
    "{\"ref\":\"raw:two\",\"text\":\"as it came, too\",\"agent_id\":\"ash\"}\n"
    "{\"ref\":\"episode:met\",\"text\":\"met Claire\",\"agent_id\":\"ash\",\"confidence\":0.6}\n"
    "{\"ref\":\"belief:a\",\"text\":\"alone\",\"agent_id\":\"ash\",\"confidence\":0.7,"
    "\"derived_from\":[\"raw:one\"],\"tags\":[\"t\",\"u\"]}\n"
    "{\"ref\":\"belief:b\",\"text\":\"on top\",\"agent_id\":\"ash\",\"confidence\":0.9,"
    "\"derived_from\":[\"belief:a\"]}\n"
    "{\"ref\":\"belief:c\",\"text\":\"on two\",\"agent_id\":\"ash\",\"confidence\":0.9,"
    "\"derived_from\":[\"raw:one\",\"raw:two\"]}\n";

static char path[300];

#define DO(...)            PROGRAM(&story.p, "--store", path, __VA_ARGS__)
#define DO_WITH(in, ...)   PROGRAM_WITH(&story.p, in, "--store", path, __VA_ARGS__)
#define MUST(...)          (DO(__VA_ARGS__), must())
#define REFUSED(code, ...) (DO(__VA_ARGS__), assert_int_equal(story.p.status, code))

static void must(void)
{
    if (story.p.status)
        fail_msg("%d: %s%s", story.p.status, story.p.out, story.p.err);
}

static int fresh(void **state)
{
    static int number;
    char name[40];
    snprintf(name, sizeof(name), "operating-%d.db", number++);
    story_store(path, sizeof(path), name, lines);
    return 0;
}

static size_t events(void)
{
    size_t count = 0;
    MUST("log", "--json");
    for (const char *at = story.p.out; (at = strchr(at, '\n')); at++)
        count++;
    return count;
}

/* A member of the last JSON object on the output. */
static const char *said(const char *key)
{
    static char value[4][4000];
    static int next;
    struct error e;
    size_t len = strcspn(story.p.out, "\n");
    if (json_check(story.p.out, len, JSON_DEPTH_MAX, &e))
        fail_msg("%s: %s", e.what, story.p.out);
    struct json_slice slice = json_member(story.p.out, len, key);
    next = (next + 1) % 4;
    snprintf(value[next], sizeof(value[next]), "%.*s", (int)slice.len, slice.ptr ? slice.ptr : "");
    return value[next];
}

static const char *member(const char *ref, const char *key)
{
    MUST("show", ref, "--json");
    return said(key);
}

#define IS(ref, key, value) assert_string_equal(member(ref, key), value)

/* ---- on a terminal ---- */

struct asked {
    pid_t pid;
    int fd;
    struct strbuf said;
};

static void ask(struct asked *a, const char *command, const char *ref)
{
    const char *program = getenv("STEMMA") ? getenv("STEMMA") : "./stemma";
    *a = (struct asked){.said = STRBUF_INIT};
    a->pid = forkpty(&a->fd, NULL, NULL, NULL);
    assert_true(a->pid >= 0);
    if (a->pid == 0) {
        setenv("NO_COLOR", "1", 1);
        execl(program, program, "--store", path, command, ref, (char *)NULL);
        _exit(127);
    }
    char block[1000];
    ssize_t got;
    while (!(a->said.buf && strstr(a->said.buf, "[y/N]")) &&
           (got = read(a->fd, block, sizeof(block))) > 0)
        strbuf_add(&a->said, block, (size_t)got);
    assert_non_null(strstr(a->said.buf, "[y/N]"));
}

/* Types an answer and returns the exit status. */
static int answer(struct asked *a, const char *line)
{
    char block[1000];
    ssize_t got;
    int status;
    strbuf_clear(&a->said);
    assert_int_equal(write(a->fd, line, strlen(line)), (ssize_t)strlen(line));
    while ((got = read(a->fd, block, sizeof(block))) > 0)
        strbuf_add(&a->said, block, (size_t)got);
    assert_int_equal(waitpid(a->pid, &status, 0), a->pid);
    close(a->fd);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

GROUP(story_open, story_close);
FIXTURE(fresh, NULL);

TEST(a_person_is_asked)
{
    struct asked a;
    ask(&a, "retract", "raw:one");
    assert_int_equal(answer(&a, "\n"), 4);
    assert_non_null(strstr(a.said.buf, "nothing was changed"));
    strbuf_release(&a.said);
    IS("raw:one", "status", "\"active\"");
    ask(&a, "retract", "raw:one");
    assert_int_equal(answer(&a, "yes\n"), 0);
    strbuf_release(&a.said);
    IS("raw:one", "status", "\"retracted\"");
}

/* Another process changes a source while the person reads. */
TEST(a_meanwhile_changed_plan_is_shown_again)
{
    struct asked a;
    ask(&a, "retract", "raw:one");
    MUST("add", "belief", "one more", "--from", "raw:one");
    size_t before = events();
    assert_int_equal(answer(&a, "y\n"), 4);
    assert_non_null(strstr(a.said.buf, "3 · no other support"));
    assert_non_null(strstr(a.said.buf, "changed after the preview"));
    strbuf_release(&a.said);
    assert_int_equal(events(), before);
    IS("raw:one", "status", "\"active\"");
}
