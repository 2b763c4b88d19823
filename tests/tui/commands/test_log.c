/* stemma log and stemma sessions: what they show, of which part, and what they follow. */
#include "tests/support/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/open.h"
#include "store/session/session.h"
#include "tui/render/log_print.h"
#include "tests/support/agents.h"
#include "tests/support/program.h"
#include "tests/support/story.h"
#include "tests/support/terminal.h"

#define JSON_KEYS                                                                                  \
    "seq at actor class agent origin session operation ref before after reason correlation via "

static char *path;
static struct store *live; /* the store in this process, which serves */
static struct call_log *calls;
static struct session *session[2];

#define LOG(...)      PROGRAM(&story.p, "log", "--store", path, __VA_ARGS__)
#define SESSIONS(...) PROGRAM(&story.p, "sessions", "--store", path, __VA_ARGS__)

static size_t count_lines(const char *s)
{
    size_t count = 0;
    for (; *s; s++)
        count += *s == '\n';
    return count;
}

/* The line of that number from 0, in a buffer of its own. */
static const char *line(size_t number)
{
    static char text[4096];
    const char *at = story.p.out;
    for (; number; number--) {
        at = strchr(at, '\n');
        assert_non_null(at++);
    }
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, "\n"), at);
    return text;
}

/* A member of a line of JSON as it stands there; "" where there is none. */
static const char *member(const char *json, const char *key)
{
    static char value[1024];
    struct error e;
    assert_int_equal(json_check(json, strlen(json), JSON_DEPTH_MAX, &e), 0);
    struct json_slice slice = json_member(json, strlen(json), key);
    snprintf(value, sizeof(value), "%.*s", (int)slice.len, slice.ptr ? slice.ptr : "");
    return value;
}

static int nothing(struct txn *t, void *arg, struct error *e)
{
    (void)t;
    (void)arg;
    (void)e;
    return 0;
}

static void flush(void)
{
    struct error e;
    call_log_flush(calls);
    assert_int_equal(store_run(live, nothing, NULL, &e), 0);
    call_log_flush(calls);
}

static void note(int which, const char *tool, int64_t subject, int64_t at, enum error_code outcome)
{
    session_note(
        session[which],
        &(struct call_note){
            .tool = tool, .subject = subject, .at = at, .took_us = 1500, .outcome = outcome});
}

/* Four changes, two sessions, and what they asked between them. */
static int set_up(void **state)
{
    if (story_open(state))
        return -1;
    path = scratch_path("log.db");
    live = scratch_store(path);
    int64_t a = scratch_put(live, "{\"ref\":\"note:aaaaaaaa\",\"text\":\"first \\u001b[31mtext\"}");
    scratch_put(live, "{\"ref\":\"belief:bbbbbbbb\",\"text\":\"second text\"}");
    scratch_replace(live, "{\"ref\":\"note:aaaaaaaa\",\"text\":\"third text\"}", "it was\nwrong");
    scratch_put(live, "{\"ref\":\"raw:cccccccc\",\"text\":\"fourth text\"}");
    calls = call_log_open(live);
    session[0] = session_begin(calls, &(struct session_start){.client = "cli\x1b[2J\xe2\x80\xae",
                                                              .client_version = "1.0",
                                                              .era = "2025-11-25",
                                                              .transport = "stdio",
                                                              .agent = "ash",
                                                              .task = "tidy up",
                                                              .peer_uid = 7,
                                                              .peer_pid = 77});
    session[1] = session_begin(
        calls, &(struct session_start){
                   .client = "cursor", .transport = "socket", .peer_uid = -1, .peer_pid = -1});
    int64_t now = store_now(live);
    note(0, "memory_get", a, now, ERROR_NONE);
    note(0, "memory_get", a, now + 5, ERROR_NONE);
    note(0, "memory_get", a, now + 9, ERROR_NOT_FOUND);
    note(1, "tools/list", 0, now + 100, ERROR_NONE);
    flush();
    return 0;
}

static int tear_down(void **state)
{
    call_log_close(calls);
    store_close(live);
    free(path);
    return story_close(state);
}

/* ---- log ---- */

static void the_log_is_oldest_first(void **state)
{
    (void)state;
    LOG("--json");
    assert_int_equal(story.p.status, 0);
    assert_int_equal(count_lines(story.p.out), 4);
    for (int i = 0; i < 4; i++) {
        char seq[16], keys[256] = "";
        const char *json = line((size_t)i);
        struct strbuf found = STRBUF_INIT;
        snprintf(seq, sizeof(seq), "%d", i + 1);
        assert_string_equal(member(json, "seq"), seq);
        struct json_slice object = {json, strlen(json)};
        for (struct json_each it = json_each(object); json_next(&it);)
            strbuf_addf(&found, "%.*s ", (int)it.key.len, it.key.ptr);
        snprintf(keys, sizeof(keys), "%s", found.buf);
        strbuf_release(&found);
        assert_string_equal(keys, JSON_KEYS);
    }
    const char *json = line(2);
    assert_string_equal(member(json, "ref"), "\"note:aaaaaaaa\"");
    assert_string_equal(member(json, "actor"), "\"tester\"");
    assert_string_equal(member(json, "class"), "\"person\"");
    assert_string_equal(member(json, "reason"), "\"it was\\nwrong\"");
    assert_string_equal(member(json, "session"), "null");
    assert_int_equal(strlen(member(json, "before")), 66);
    LOG("--color", "never");
    assert_int_equal(count_lines(story.p.out), 4);
    STORY_SAYS("note:aaaaaaaa  (it was wrong)  third text\n");
    STORY_SAYS_NOT("\033");
    STORY_SAYS("2023-11-14 22:13:");
}

/* The operations and refs of all lines, page by page from the newest on, in their order. */
static void gather_pages(const char *option, const char *limit, struct strbuf *out)
{
    char cursor[200] = "";
    struct strbuf page = STRBUF_INIT;
    do {
        size_t lines;
        if (*cursor)
            LOG(option, "--json", "--limit", limit, "--cursor", cursor);
        else
            LOG(option, "--json", "--limit", limit);
        assert_int_equal(story.p.status, 0);
        lines = count_lines(story.p.out);
        assert_true(lines > 0);
        const char *next = member(line(lines - 1), "next");
        snprintf(cursor, sizeof(cursor), "%.*s", *next ? (int)strlen(next) - 2 : 0, next + 1);
        strbuf_clear(&page);
        for (size_t i = 0; i < lines - (*cursor ? 1 : 0); i++) {
            strbuf_addf(&page, "%s ", member(line(i), "at"));
            strbuf_addf(&page, "%s%s ", member(line(i), "seq"), member(line(i), "call"));
            strbuf_addf(&page, "%s\n", member(line(i), "outcome"));
        }
        assert_true(lines - (*cursor ? 1 : 0) <= strtoul(limit, NULL, 10));
        strbuf_addstr(&page, out->buf ? out->buf : "");
        strbuf_clear(out);
        strbuf_addstr(out, page.buf);
    } while (*cursor);
    strbuf_release(&page);
}

/* Two processes' calls and changes in no order, over several blocks: paged, each stands once. */
static void long_logs_are_paged(void **state)
{
    (void)state;
    char other[300];
    const char *story_log = path;
    struct strbuf whole = STRBUF_INIT, pages = STRBUF_INIT;
    story_path(other, sizeof(other), "long.db");
    struct store *s = scratch_store(other);
    struct call_log *log = agents_open(s);
    struct session *one = agents_join(log, "one", NULL), *two = agents_join(log, "two", NULL);
    for (int i = 0; i < 40; i++) {
        int64_t now = store_now(s);
        for (int j = 0; j < 9; j++) {
            enum error_code outcome = j % 3 ? ERROR_NONE : ERROR_NOT_FOUND;
            agents_ask(one, j % 2 ? "memory_get" : "memory_list", 0, now - 700 * j, outcome);
            agents_ask(two, "memory_search", 0, now + 400 * j, outcome);
            agents_ask(two, j % 2 ? "memory_lineage" : "memory_list", 0, now - 90 * j, outcome);
        }
        char note[80];
        snprintf(note, sizeof(note), "{\"text\":\"written\",\"ref\":\"note:n%d\"}", i);
        agents_write(s, one, "one", note);
        agents_flush(s, log);
    }
    path = other;
    gather_pages("--calls", "100000", &whole);
    size_t lines = count_lines(whole.buf);
    assert_true(lines > LOG_BLOCK);
    static const char *const limits[] = {"41", "97", "256"};
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        strbuf_clear(&pages);
        gather_pages("--calls", limits[i], &pages);
        assert_int_equal(count_lines(pages.buf), lines);
        for (const char *at = whole.buf; *at; at += strcspn(at, "\n") + 1) {
            char each[200];
            snprintf(each, sizeof(each), "%.*s", (int)strcspn(at, "\n") + 1, at);
            assert_non_null(strstr(pages.buf, each));
        }
    }
    path = (char *)story_log;
    call_log_close(log);
    store_close(s);
    strbuf_release(&whole);
    strbuf_release(&pages);
}

/* What a tool of entries wrote stands there as its event; what it was refused, and what is asked for by the tool's
 * name, as the call. */
static void what_was_put_is_one_line(void **state)
{
    (void)state;
    int64_t node = scratch_put(live, "{\"ref\":\"note:dddddddd\",\"text\":\"as put\"}");
    struct call_note put = {.tool = "putMemory",
                            .subject = node,
                            .at = store_now(live),
                            .is_tool = true,
                            .wrote = true,
                            .namespace_ = "session.a"};
    session_note(session[0], &put);
    put.tool = "deleteMemory";
    session_note(session[0], &put);
    note(0, "putMemory", node, store_now(live), ERROR_REFUSED);
    flush();
    LOG("--calls", "--ref", "note:dddddddd");
    assert_int_equal(count_lines(story.p.out), 2);
    STORY_SAYS("putMemory           PERMISSION_DENIED  note:dddddddd");
    STORY_SAYS_NOT("deleteMemory");
    LOG("--calls", "--operation", "putMemory", "--json");
    assert_int_equal(count_lines(story.p.out), 2);
    assert_string_equal(member(line(0), "namespace"), "\"session.a\"");
    LOG("--calls", "--operation", "deleteMemory");
    assert_int_equal(count_lines(story.p.out), 1);
}

/* The newest so many are as many, however few of the rows of calls are a line. */
static void the_newest_are_as_many_as_asked_for(void **state)
{
    (void)state;
    static const char *const limits[] = {"1", "7", "200", "2000"};
    struct strbuf whole = STRBUF_INIT, pages = STRBUF_INIT;
    for (int i = 0; i < 400; i++) {
        char text[80];
        snprintf(text, sizeof(text), "{\"ref\":\"note:put-%d\",\"text\":\"as put\"}", i);
        struct call_note put = {.tool = "putMemory",
                                .subject = scratch_put(live, text),
                                .at = store_now(live),
                                .is_tool = true,
                                .wrote = true,
                                .namespace_ = "session.a"};
        session_note(session[0], &put);
        if (i % 100 == 0)
            note(1, "memory_get", 0, store_now(live), ERROR_NONE);
        if (i % 50 == 0)
            flush();
    }
    flush();
    gather_pages("--calls", "100000", &whole);
    size_t lines = count_lines(whole.buf);
    assert_true(lines > 407 && lines < 500);
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        size_t limit = strtoul(limits[i], NULL, 10);
        LOG("--calls", "--limit", limits[i]);
        assert_int_equal(count_lines(story.p.out), limit < lines ? limit : lines);
    }
    gather_pages("--calls", "200", &pages);
    assert_int_equal(count_lines(pages.buf), lines);
    strbuf_release(&whole);
    strbuf_release(&pages);
}

static void pages_make_up_the_whole(void **state)
{
    (void)state;
    static const char *const limits[] = {"1", "2", "3", "6", "7", "8"};
    for (int calls_too = 0; calls_too < 2; calls_too++) {
        const char *option = calls_too ? "--calls" : "--color=never";
        struct strbuf whole = STRBUF_INIT, pages = STRBUF_INIT;
        gather_pages(option, "1000", &whole);
        for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
            strbuf_clear(&pages);
            gather_pages(option, limits[i], &pages);
            assert_string_equal(pages.buf, whole.buf);
        }
        assert_int_equal(count_lines(whole.buf), calls_too ? 7 : 4);
        strbuf_release(&whole);
        strbuf_release(&pages);
    }
    LOG("--limit", "3");
    STORY_TELLS("there are older ones: go on with --cursor 1\n");
    LOG("--limit", "3", "--cursor", "1");
    assert_int_equal(count_lines(story.p.out), 1);
    assert_int_equal(story.p.err_len, 0);
    LOG("--limit", "3", "--cursor", "1", "--follow");
    assert_int_equal(story.p.status, 2);
}

static void calls_are_merged_by_time(void **state)
{
    (void)state;
    LOG("--calls", "--json");
    assert_int_equal(count_lines(story.p.out), 7);
    int64_t last = 0;
    for (size_t i = 0; i < 7; i++) {
        int64_t at = strtoll(member(line(i), "at"), NULL, 10);
        assert_true(at >= last);
        last = at;
    }
    const char *json = line(4);
    assert_string_equal(member(json, "operation"), "\"memory_get\"");
    assert_string_equal(member(json, "count"), "2");
    assert_string_equal(member(json, "outcome"), "\"OK\"");
    assert_string_equal(member(json, "ref"), "\"note:aaaaaaaa\"");
    assert_string_equal(member(json, "actor"), "\"ash\"");
    assert_string_equal(member(json, "session"), "1");
    assert_string_equal(member(line(5), "outcome"), "\"NOT_FOUND\"");
    assert_string_equal(member(line(6), "actor"), "\"cursor\"");
    LOG("--calls");
    STORY_SAYS("memory_get          note:aaaaaaaa  2 times in 0.0 s\n");
    STORY_SAYS("memory_get          NOT_FOUND  note:aaaaaaaa\n");
    STORY_SAYS("tools/list\n");
    static const struct {
        const char *option, *value;
        size_t lines;
    } cases[] = {
        {"--actor", "ash", 2}, {"--session", "2", 1},         {"--operation", "tools/list", 1},
        {"--kind", "note", 4}, {"--ref", "note:aaaaaaaa", 4}, {"--limit", "2", 2},
        {"--limit", "5", 5},   {"--limit", "1000000", 7},     {"--until", "2020-01-01", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        LOG("--calls", cases[i].option, cases[i].value);
        if (count_lines(story.p.out) != cases[i].lines)
            fail_msg("%s %s:\n%s", cases[i].option, cases[i].value, story.p.out);
    }
    LOG("--calls", "--limit", "1");
    STORY_SAYS("tools/list\n");
}

/* ---- following ---- */

/* The next line of a pipe, or "" at its end. */
static const char *next_line(int fd)
{
    static char text[4096];
    size_t len = 0;
    while (len + 1 < sizeof(text) && read(fd, text + len, 1) == 1 && text[len] != '\n')
        len++;
    text[len] = '\0';
    return text;
}

static int start_following(int *out)
{
    return program_start(out, (const char *const[]){"log", "--store", path, "--follow", "--calls",
                                                    "--json", "--limit", "1", NULL});
}

static int end_of(int pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void what_lands_is_followed(void **state)
{
    (void)state;
    int out, pid = start_following(&out);
    assert_string_equal(member(next_line(out), "operation"), "\"tools/list\"");
    for (int i = 0; i < 20; i++) {
        char put[100], ref[100];
        snprintf(put, sizeof(put), "{\"ref\":\"note:follow-%d\",\"text\":\"t\"}", i);
        snprintf(ref, sizeof(ref), "\"note:follow-%d\"", i);
        scratch_put(live, put);
        assert_string_equal(member(next_line(out), "ref"), ref);
        if (i % 5)
            continue;
        note(1, "memory_search", 0, store_now(live), ERROR_REFUSED);
        flush();
        const char *json = next_line(out);
        assert_string_equal(member(json, "operation"), "\"memory_search\"");
        assert_string_equal(member(json, "outcome"), "\"PERMISSION_DENIED\"");
    }
    kill(pid, SIGINT);
    assert_string_equal(next_line(out), "");
    close(out);
    assert_int_equal(end_of(pid), 0);
}

static void following_ends_when_its_time_is_over(void **state)
{
    (void)state;
    LOG("--follow", "--until", "yesterday");
    assert_int_equal(story.p.status, 0);
    assert_int_equal(count_lines(story.p.out), 4);
    LOG("--follow", "--calls", "--json", "--until", "now", "--limit", "2");
    assert_int_equal(story.p.status, 0);
    assert_int_equal(count_lines(story.p.out), 2);
    LOG("--follow", "--until", "2020-01-01");
    assert_int_equal(story.p.status, 1);
    assert_int_equal(count_lines(story.p.out), 0);
}

static void following_ends_with_whoever_reads(void **state)
{
    (void)state;
    int out, pid = start_following(&out);
    next_line(out);
    close(out); /* nothing happens in the store: the pipe alone tells */
    assert_int_equal(end_of(pid), 0);
}

static void following_ends_where_the_store_goes(void **state)
{
    (void)state;
    char *own = scratch_path("going.db");
    struct store *s = scratch_store(own);
    int out;
    scratch_put(s, "{\"ref\":\"note:last\",\"text\":\"t\"}");
    int pid = program_start(
        &out, (const char *const[]){"log", "--store", own, "--follow", "--json", NULL});
    assert_string_equal(member(next_line(out), "ref"), "\"note:last\"");
    assert_int_equal(unlink(own), 0);
    assert_string_equal(next_line(out), "");
    close(out);
    assert_int_equal(end_of(pid), 3);
    store_close(s);
    free(own);
}

/* The terminal is made wider and narrower while it follows: each line is as wide as that is by then. */
static void what_is_followed_is_as_wide_as_the_terminal(void **state)
{
    (void)state;
    static const int widths[] = {100, 60, 140, 30};
    char *own = scratch_path("resized.db"), memory[300];
    struct store *s = scratch_store(own);
    struct terminal t;
    snprintf(memory, sizeof(memory), "{\"ref\":\"note:first\",\"text\":\"%0200d\"}", 0);
    scratch_put(s, memory);
    terminal_run(&t,
                 (const char *const[]){"log", "--store", own, "--follow", "--color", "never", NULL},
                 10, 100);
    terminal_wait_got(&t, 0, "\r\n");
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        size_t from = t.bytes.len;
        terminal_resize(&t, 10, widths[i]);
        snprintf(memory, sizeof(memory), "{\"ref\":\"note:n%zu\",\"text\":\"%0200d\"}", i, 0);
        scratch_put(s, memory);
        terminal_wait_got(&t, from, "\r\n");
        const char *line = t.bytes.buf + from;
        assert_int_equal(utf8_count_in(line, strcspn(line, "\r")), widths[i]);
    }
    kill(t.pid, SIGINT);
    assert_int_equal(terminal_finish(&t), 0);
    terminal_release(&t);
    store_close(s);
    free(own);
}

/* Where it is in nobody's way: in a store of its own. */
static void what_the_guard_did_is_told(void **state)
{
    (void)state;
    char other[300];
    story_path(other, sizeof(other), "guarded.db");
    struct store *s = scratch_store(other);
    struct call_log *log = agents_open(s);
    struct session *one = agents_join(log, "cli", "ash");
    struct call_note n = {.tool = "getMemory",
                          .at = store_now(s),
                          .namespace_ = "team.ops",
                          .agent = "rowan",
                          .task = "t 1",
                          .traceparent = "00-1-2-01",
                          .redactions = 3,
                          .spans = {1, 2, 3}};
    session_note(one, &n);
    n.outcome = ERROR_REFUSED;
    n.redactions = 0;
    session_note(one, &n);
    agents_flush(s, log);
    PROGRAM(&story.p, "log", "--store", other, "--calls", "--json", "--actor", "rowan");
    assert_int_equal(count_lines(story.p.out), 2);
    const char *json = line(0);
    assert_string_equal(member(json, "actor"), "\"rowan\"");
    assert_string_equal(member(json, "via"), "\"ash\"");
    assert_string_equal(member(json, "agent"), "\"rowan\"");
    assert_string_equal(member(json, "namespace"), "\"team.ops\"");
    assert_string_equal(member(json, "task"), "\"t 1\"");
    assert_string_equal(member(json, "traceparent"), "\"00-1-2-01\"");
    assert_string_equal(member(json, "redactions"), "3");
    assert_string_equal(member(json, "spans"), "{\"permission_us\":1,\"pii_us\":2,\"store_us\":3}");
    assert_string_equal(member(line(1), "redactions"), "0");
    PROGRAM(&story.p, "log", "--store", other, "--calls");
    STORY_SAYS("rowan (agent)");
    STORY_SAYS("via ash  in team.ops  3 masked\n");
    STORY_SAYS("via ash  PERMISSION_DENIED  in team.ops\n");
    PROGRAM(&story.p, "sessions", "--store", other, "--json");
    assert_string_equal(member(line(0), "redactions"), "3");
    assert_string_equal(member(line(0), "namespaces"),
                        "[{\"namespace\":\"team.ops\",\"calls\":2,\"errors\":1,\"redactions\":3}]");
    PROGRAM(&story.p, "sessions", "--store", other, "1");
    STORY_SAYS("team.ops: 2 calls, 1 failed, 3 masked\n");
    PROGRAM(&story.p, "metrics", "--store", other, "--json");
    STORY_SAYS("\"team.ops\"");
    call_log_close(log);
    store_close(s);
}

/* ---- sessions ---- */

static void sessions_are_listed(void **state)
{
    (void)state;
    SESSIONS("--json");
    assert_int_equal(story.p.status, 0);
    assert_int_equal(count_lines(story.p.out), 2);
    const char *json = line(1);
    static const char *const members[][2] = {
        {"id", "1"},
        {"client", "\"cli\\u001b[2J\\u202e\""},
        {"client_version", "\"1.0\""},
        {"era", "\"2025-11-25\""},
        {"transport", "\"stdio\""},
        {"actor", "\"ash\""},
        {"agent", "\"ash\""},
        {"task", "\"tidy up\""},
        {"peer_uid", "7"},
        {"peer_pid", "77"},
        {"ended_at", "null"},
        {"ended_by", "null"},
        {"lives", "true"},
        {"read_only", "false"},
        {"calls", "3"},
        {"errors", "1"},
        {"latency_us", "{\"p50\":1535,\"p90\":1535,\"p99\":1535}"},
    };
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        assert_string_equal(member(json, members[i][0]), members[i][1]);
    assert_string_equal(member(line(0), "peer_pid"), "null");
    assert_string_equal(member(line(0), "agent"), "null");
    SESSIONS("--color", "never");
    STORY_SAYS(" 2  cursor        cursor  live   socket");
    STORY_SAYS("ID  CLIENT");
    STORY_SAYS("  MEAN  ");
    STORY_SAYS("uid 7 pid 77");
    STORY_SAYS("1.5ms");
    STORY_SAYS("tidy up\n");
    STORY_SAYS_NOT("\033");
    STORY_SAYS_NOT("\xe2\x80\xae");
    SESSIONS("--limit", "1", "--json");
    assert_int_equal(count_lines(story.p.out), 2);
    assert_string_equal(member(line(0), "id"), "2");
    assert_string_equal(member(line(1), "next"), "\"2\"");
    SESSIONS("--limit", "1", "--json", "--cursor", "2");
    assert_int_equal(count_lines(story.p.out), 1);
    assert_string_equal(member(line(0), "id"), "1");
    SESSIONS("--limit", "1");
    STORY_TELLS("there are more: go on with --cursor 2\n");
    SESSIONS("--limit", "2");
    assert_int_equal(story.p.err_len, 0);
    SESSIONS("--limit", "0");
    assert_int_equal(story.p.status, 2);
    for (int columns = 1; columns < 200; columns += 13) {
        char text[16];
        snprintf(text, sizeof(text), "%d", columns);
        setenv("COLUMNS", text, 1);
        SESSIONS("--all");
        assert_int_equal(story.p.status, 0);
        assert_true(story_widest() <= (size_t)(columns < 3 ? 3 : columns));
    }
    unsetenv("COLUMNS");
}

static void one_session_is_shown_in_full(void **state)
{
    (void)state;
    SESSIONS("1");
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("session    1, ");
    STORY_SAYS("client     cli\xef\xbf\xbd[2J\xef\xbf\xbd 1.0\n");
    STORY_SAYS(" agent      ash\n protocol   2025-11-25\n");
    STORY_SAYS("task       tidy up\n");
    STORY_SAYS("state      live\n");
    STORY_SAYS("peer       uid 7 pid 77\n");
    STORY_SAYS("calls      3, 1 failed, ");
    STORY_SAYS("they took  1.5ms or less (half), 1.5ms (9 of 10), 1.5ms (99 of 100)\n");
    SESSIONS(session_uuid(session[1]), "--json");
    assert_int_equal(count_lines(story.p.out), 1);
    assert_string_equal(member(line(0), "id"), "2");
    assert_string_equal(member(line(0), "client"), "\"cursor\"");
    SESSIONS("99");
    assert_int_equal(story.p.status, 1);
    SESSIONS("1", "--all");
    assert_int_equal(story.p.status, 2);
    SESSIONS("1", "--end", "1");
    assert_int_equal(story.p.status, 2);
    setenv("COLUMNS", "40", 1);
    SESSIONS("1");
    assert_true(story_widest() <= 40);
    unsetenv("COLUMNS");
}

/* Names are cut before anything is left out that a person looks there for: which one, who, its state, how many
 * calls. */
static void narrow_sessions_tell_what_matters(void **state)
{
    (void)state;
    char other[300];
    story_path(other, sizeof(other), "crowd.db");
    struct store *s = scratch_store(other);
    struct call_log *log = agents_open(s);
    struct session *one =
        agents_join(log, "a-client-with-a-name-of-its-own", "an-agent-of-the-same-sort");
    agents_join(log, "bob", "bob");
    for (int i = 0; i < 12; i++)
        agents_ask(one, "memory_search", 0, store_now(s), i < 4 ? ERROR_REFUSED : ERROR_NONE);
    agents_flush(s, log);
    PROGRAM(&story.p, "sessions", "--make-read-only", "2", "--store", other);
    for (int columns = 40; columns < 140; columns++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", columns);
        setenv("COLUMNS", text, 1);
        PROGRAM(&story.p, "sessions", "--store", other, "--color", "never");
        assert_true(story_widest() <= (size_t)columns);
        STORY_SAYS(" 1  a-clien");
        STORY_SAYS("  live  ");
        STORY_SAYS("  read-only  ");
        STORY_SAYS("  CALLS  ERRORS");
        STORY_SAYS("     12       4");
        if (columns < 80)
            STORY_SAYS("\xe2\x80\xa6  ");
        if (columns >= 56)
            STORY_SAYS("  AGENT  ");
    }
    unsetenv("COLUMNS");
    call_log_close(log);
    store_close(s);
}

/* What an agent calls itself is told apart from a person, however wide and in however narrow a line. */
static void an_agent_cannot_pass_for_a_person(void **state)
{
    (void)state;
    char other[300], name[10001];
    story_path(other, sizeof(other), "signed.db");
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    struct store *s = scratch_store(other);
    struct call_log *log = agents_open(s);
    struct session *named = agents_join(log, "evil  client", NULL);
    scratch_put(s, "{\"ref\":\"note:00000001\",\"text\":\"by a person\"}");
    agents_write(s, named, "tester", "{\"ref\":\"note:00000002\",\"text\":\"by an agent\"}");
    agents_write(s, named, "evil  client", "{\"ref\":\"note:00000003\",\"text\":\"as itself\"}");
    agents_write(s, named, "tester     add", "{\"ref\":\"note:00000004\",\"text\":\"blanks\"}");
    agents_write(s, named, name, "{\"ref\":\"note:00000005\",\"text\":\"long\"}");
    agents_write(s, named, "\xe5\x88\xa9\xe7\x94\xa8",
                 "{\"ref\":\"note:00000006\",\"text\":\"wide\"}");
    agents_flush(s, log);
    PROGRAM(&story.p, "log", "--store", other);
    STORY_SAYS("Z  tester               add                 note:00000001  by a person\n");
    STORY_SAYS("Z  tester (agent)       add                 via evil client  note:00000002  by an");
    STORY_SAYS("Z  evil client (agent)  add                 note:00000003  as itself\n");
    STORY_SAYS("Z  tester add (agent)   add                 via evil client  note:00000004");
    STORY_SAYS("nnn (agent)  add                 via evil client  note:00000005");
    STORY_SAYS("Z  \xe5\x88\xa9\xe7\x94\xa8 (agent)         add                 via ");
    assert_true(story.p.out_len > sizeof(name)); /* into a pipe nothing is cut */
    PROGRAM(&story.p, "log", "--store", other, "--json", "--until", "now");
    assert_string_equal(member(line(0), "via"), "null");
    assert_string_equal(member(line(1), "via"), "\"evil  client\"");
    assert_string_equal(member(line(2), "via"), "null");
    for (int columns = 20; columns < 140; columns++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", columns);
        setenv("COLUMNS", text, 1);
        PROGRAM(&story.p, "log", "--store", other);
        assert_true(story_widest() <= (size_t)columns);
        /* "2026-11-20 16:20:31Z", without its year, without its date */
        if (columns >= 44)
            assert_int_equal(strcspn(story.p.out, "Z"), columns >= 100  ? 19
                                                        : columns >= 80 ? 14
                                                                        : 8);
        const char *mark = columns >= 70 ? " (agent)" : "A ";
        size_t agents = 0;
        for (const char *at = story.p.out; (at = strstr(at, mark)); at++)
            agents++;
        assert_int_equal(agents, 5);
        if (columns >= 44 && columns < 70)
            STORY_SAYS(columns < 60 ? "Z  P tester    add " : "Z  P tester  add ");
    }
    unsetenv("COLUMNS");
    call_log_close(log);
    store_close(s);
}

#define HIDDEN  "z\xe2\x80\x8bqx"
#define VISIBLE "z\xef\xbf\xbdqx"

/* What a name hides tells it from another: it is seen in whatever names it. */
static void what_a_name_hides_is_seen(void **state)
{
    (void)state;
    static const char *const commands[][3] = {
        {"log"},
        {"sessions"},
        {"sessions", "1"},
        {"list", "beliefs"},
        {"show", "belief:00000001"},
        {"history", "belief:00000001"},
        {"permissions", "--agent", HIDDEN},
        {"sessions", "--make-read-only", "1"},
    };
    char other[300];
    story_path(other, sizeof(other), "hidden.db");
    struct store *s = scratch_store(other);
    struct call_log *log = agents_open(s);
    struct session *named = agents_join(log, HIDDEN, HIDDEN);
    session_begin(log, &(struct session_start){.client = "cursor", .task = HIDDEN});
    agents_write(s, named, HIDDEN,
                 "{\"ref\":\"belief:00000001\",\"text\":\"by an agent\",\"agent_id\":\"" HIDDEN
                 "\",\"source_entity\":\"" HIDDEN "\"}");
    agents_write(s, named, "ash", "{\"ref\":\"belief:00000002\",\"text\":\"by another\"}");
    agents_flush(s, log);
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        const char *const *word = commands[i];
        PROGRAM(&story.p, word[0], "--store", other, word[1], word[2]);
        if (!strstr(story.p.out, VISIBLE) || strstr(story.p.out, "zqx"))
            fail_msg("%s: %s%s", word[0], story.p.out, story.p.err);
    }
    PROGRAM(&story.p, "list", "beliefs", "--agent", "zqy\xc2\xad", "--store", other);
    STORY_TELLS("there is no agent 'zqy\xef\xbf\xbd'");
    STORY_TELLS(VISIBLE);
    call_log_close(log);
    store_close(s);
}

/* A client that says no name that is seen is called the same as in the explorer. */
static void a_client_without_a_name_is_called_so(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "", " ", "\xe2\x80\x8b", "\xe3\x85\xa4"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char other[300], name[24];
        snprintf(name, sizeof(name), "unnamed-%zu.db", i);
        story_path(other, sizeof(other), name);
        struct store *s = scratch_store(other);
        struct call_log *log = agents_open(s);
        struct session *unnamed = agents_join(log, names[i], NULL);
        agents_write(s, unnamed, "sean", "{\"ref\":\"note:00000001\",\"text\":\"one\"}");
        agents_write(s, unnamed, " ", "{\"ref\":\"note:00000002\",\"text\":\"two\"}");
        agents_flush(s, log);
        PROGRAM(&story.p, "log", "--store", other);
        STORY_SAYS("Z  sean (agent)         add                 via unnamed client  note:00000001");
        STORY_SAYS(
            "Z  \" \" (agent)          add                 via unnamed client  note:00000002");
        PROGRAM(&story.p, "sessions", "--store", other);
        STORY_SAYS(" 1  unnamed client 2.1  agent  ");
        call_log_close(log);
        store_close(s);
    }
}

/* In which column of its line that stands. */
static size_t column_of(const char *text)
{
    size_t column = 0;
    const char *at = strstr(story.p.out, text);
    assert_non_null(at);
    while (at > story.p.out && at[-1] != '\n')
        column += (*--at & 0xc0) != 0x80;
    return column;
}

/* A ref and words of its text, or why it was refused, on every terminal that has 60 columns; and in even columns. */
static void narrow_lines_tell_what_matters(void **state)
{
    (void)state;
    char other[300];
    story_path(other, sizeof(other), "narrow.db");
    struct store *s = scratch_store(other);
    struct call_log *log = agents_open(s);
    struct session *one = agents_join(log, "claude-code", "claude");
    int64_t memory = agents_write(s, one, "claude",
                                  "{\"ref\":\"belief:7d10e6a2-0000-4000-8000-000000000002\","
                                  "\"text\":\"Canary first, then\"}");
    agents_write(s, one, "a name of one's own",
                 "{\"ref\":\"note:99c64f62-0000-4000-8000-000000000003\",\"text\":\"signed\"}");
    agents_ask(one, "memory_revise_from_episode", memory, store_now(s), ERROR_REFUSED);
    agents_ask(one, "memory_update", memory, store_now(s), ERROR_INVALID);
    agents_flush(s, log);
    for (int columns = 60; columns < 140; columns += 5) {
        char text[16];
        snprintf(text, sizeof(text), "%d", columns);
        setenv("COLUMNS", text, 1);
        PROGRAM(&story.p, "log", "--store", other, "--calls");
        assert_true(story_widest() <= (size_t)columns);
        STORY_SAYS("belief:7d10e6a2  Canary fi");
        STORY_SAYS("note:99c64f62");
        STORY_SAYS("PERMISSION_DENIED");
        STORY_SAYS("INVALID_REQUEST");
        assert_int_equal(column_of("PERMISSION_DENIED"), column_of("belief:7d10e6a2"));
        assert_int_equal(column_of("INVALID_REQUEST"), column_of("belief:7d10e6a2"));
        if (columns < 120) /* through whom stands before it there */
            assert_int_equal(column_of("note:99c64f62"), column_of("belief:7d10e6a2"));
    }
    unsetenv("COLUMNS");
    call_log_close(log);
    store_close(s);
}

static void a_person_decides(void **state)
{
    (void)state;
    struct error e;
    struct reader *r = reader_open(live, &e);
    SESSIONS("--make-read-only", "2");
    assert_string_equal(story.p.out, "session 2 (cursor) may only read now\n");
    assert_int_equal(call_log_heed(calls, r, &e), 0);
    assert_true(session_is_read_only(session[1]));
    assert_false(session_is_read_only(session[0]));
    SESSIONS("--make-read-write", session_uuid(session[1]), "--json");
    assert_string_equal(member(line(0), "read_only"), "false");
    SESSIONS("--end", "2", "--end", "1");
    assert_string_equal(story.p.out, "session 2 (cursor) was ended\nsession 1 (ash) was ended\n");
    assert_int_equal(call_log_heed(calls, r, &e), 0);
    assert_true(session_is_ended(session[1]));
    reader_close(r);
    SESSIONS("--end", "2");
    assert_int_equal(story.p.status, 4);
    SESSIONS("--end", "99");
    assert_int_equal(story.p.status, 1);
    SESSIONS("--make-read-only", "1", "--read-only");
    assert_int_equal(story.p.status, 4);
    SESSIONS("--json");
    assert_int_equal(story.p.status, 1);
    assert_int_equal(story.p.out_len, 0);
    SESSIONS("--all");
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("ended by ");
    LOG("--session", "2", "--json");
    assert_int_equal(count_lines(story.p.out), 3);
    assert_string_equal(member(line(0), "operation"), "\"read-only-session\"");
    assert_string_equal(member(line(1), "operation"), "\"read-write-session\"");
    assert_string_equal(member(line(2), "operation"), "\"end-session\"");
    assert_string_equal(member(line(2), "class"), "\"person\"");
    assert_string_equal(member(line(2), "ref"), "null");
    assert_string_equal(member(line(2), "session"), "null");
    assert_string_equal(member(line(2), "about_session"), "2");
    LOG("--session", "2");
    STORY_SAYS("end-session         about session 2  cursor\n");
    PROGRAM(&story.p, "fsck", "--store", path);
    STORY_SAYS("all is well");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_is_oldest_first),
        cmocka_unit_test(pages_make_up_the_whole),
        cmocka_unit_test(long_logs_are_paged),
        cmocka_unit_test(calls_are_merged_by_time),
        cmocka_unit_test(following_ends_when_its_time_is_over),
        cmocka_unit_test(what_lands_is_followed),
        cmocka_unit_test(following_ends_with_whoever_reads),
        cmocka_unit_test(following_ends_where_the_store_goes),
        cmocka_unit_test(what_is_followed_is_as_wide_as_the_terminal),
        cmocka_unit_test(what_the_guard_did_is_told),
        cmocka_unit_test(sessions_are_listed),
        cmocka_unit_test(one_session_is_shown_in_full),
        cmocka_unit_test(an_agent_cannot_pass_for_a_person),
        cmocka_unit_test(what_a_name_hides_is_seen),
        cmocka_unit_test(a_client_without_a_name_is_called_so),
        cmocka_unit_test(narrow_sessions_tell_what_matters),
        cmocka_unit_test(narrow_lines_tell_what_matters),
        cmocka_unit_test(a_person_decides),
        cmocka_unit_test(what_was_put_is_one_line),
        cmocka_unit_test(the_newest_are_as_many_as_asked_for),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
