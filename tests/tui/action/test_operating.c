/* The commands that change a memory: what they show, ask, refuse and do. */
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "tests/support/story.h"

/* raw:one carries episode:met and belief:a, which carries belief:b; belief:c has another source as well. */
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

#define FIVE  "ééééé"
#define WIDE  FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE
#define OPEN  "[[[[[[[[["
#define CLOSE "]]]]]]]]]"
#define DEEP                                                                                       \
    OPEN OPEN OPEN OPEN OPEN OPEN OPEN CLOSE CLOSE CLOSE CLOSE CLOSE CLOSE CLOSE /* 63 levels */

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
    (void)state;
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

/* A member of the one object that was said last, as it stands there. */
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

/* ---- asking ---- */

static void what_asks_does_nothing_without_yes(void **state)
{
    static const char *const asking[][2] = {{"retract", "raw:one"},
                                            {"forget", "raw:one"},
                                            {"purge", "raw:one"},
                                            {"propagate", "raw:one"}};
    size_t before = events();
    (void)state;
    for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++) {
        if (strcmp(asking[i][0], "propagate") == 0)
            MUST("edit", "raw:one", "--confidence", "0.5");
        before = events();
        REFUSED(4, asking[i][0], asking[i][1]);
        STORY_SAYS("Would be ");
        STORY_TELLS("--yes");
        REFUSED(4, asking[i][0], asking[i][1], "--json");
        assert_string_equal(said("done"), "false");
        REFUSED(0, asking[i][0], asking[i][1], "--dry-run");
        STORY_SAYS("Nothing was changed.");
        REFUSED(0, asking[i][0], asking[i][1], "--dry-run", "--read-only");
        REFUSED(4, asking[i][0], asking[i][1], "--yes", "--read-only");
        assert_int_equal(events(), before);
    }
}

static void a_preview_says_what_falls(void **state)
{
    (void)state;
    MUST("retract", "raw:one", "--dry-run", "--json");
    assert_string_equal(said("falls"), "[\"belief:a\",\"belief:b\"]");
    assert_string_equal(said("weakened"), "[{\"ref\":\"belief:c\",\"before\":2,\"after\":1}]");
    assert_string_equal(said("descends"), "0");
    assert_string_equal(said("changes"),
                        "[{\"ref\":\"raw:one\",\"operation\":\"retract\",\"version\":2,\"reason\":"
                        "null,\"before\":{\"status\":\"active\"},\"after\":{\"status\":"
                        "\"retracted\"}}]");
    MUST("retract", "raw:one", "--dry-run");
    STORY_SAYS("falls  2\n");
    STORY_SAYS("weakened  1\n");
    STORY_SAYS("2 → 1 hold");
    MUST("retract", "raw:one", "belief:b", "--dry-run");
    STORY_SAYS("because of raw:one");
}

/* What it lists is what it does, and says it did. */
static void what_was_shown_is_what_is_done(void **state)
{
    static const char *const members[] = {"falls", "weakened", "descends", "left", "remarks"};
    char shown[5][2000];
    (void)state;
    MUST("retract", "raw:one", "belief:c", "--reason", "wrong host", "--dry-run", "--json");
    for (size_t i = 0; i < 5; i++)
        snprintf(shown[i], sizeof(shown[i]), "%s", said(members[i]));
    MUST("retract", "raw:one", "belief:c", "--reason", "wrong host", "--yes", "--json");
    assert_string_equal(said("done"), "true");
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(said(members[i]), shown[i]);
    IS("raw:one", "status", "\"retracted\"");
    IS("belief:c", "status", "\"retracted\"");
    IS("belief:a", "label", "\"ungrounded\"");
    MUST("retract", "raw:one", "--yes", "--json");
    assert_string_equal(said("changes"), "[]");
    assert_string_equal(said("left"), "[\"raw:one is retracted already\"]");
    MUST("restore", "raw:one");
    IS("belief:a", "label", "\"grounded\"");
}

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

/* Says that, and the exit status. */
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

static void a_person_is_asked(void **state)
{
    struct asked a;
    (void)state;
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

/* Somebody changes what it rests on while the person reads. */
static void what_changed_meanwhile_is_shown_anew(void **state)
{
    struct asked a;
    (void)state;
    ask(&a, "retract", "raw:one");
    MUST("add", "belief", "one more", "--from", "raw:one");
    size_t before = events();
    assert_int_equal(answer(&a, "y\n"), 4);
    assert_non_null(strstr(a.said.buf, "falls  3"));
    assert_non_null(strstr(a.said.buf, "not what was shown"));
    strbuf_release(&a.said);
    assert_int_equal(events(), before);
    IS("raw:one", "status", "\"active\"");
}

/* ---- each operation ---- */

static void every_kind_is_added(void **state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (kind == KIND_ENTRY) /* it has a name, which its test is about */
            continue;
        MUST("add", kind_name((enum kind)kind), "what it says", "--from", "raw:one", "--json");
        char ref[100];
        snprintf(ref, sizeof(ref), "%.*s", (int)strlen(said("ref")) - 2, said("ref") + 1);
        IS(ref, "text", "\"what it says\"");
        assert_non_null(strstr(member(ref, "justifications"), "raw:one"));
    }
}

static void a_raw_is_processed(void **state)
{
    char ref[80];
    (void)state;
    MUST("process", "raw:one", "--as", "belief", "--reason", "worth keeping");
    assert_memory_equal(story.p.out, "belief:", 7);
    snprintf(ref, sizeof(ref), "%.*s", (int)strcspn(story.p.out, "\n"), story.p.out);
    MUST("show", ref, "--json");
    assert_string_equal(said("source"), "\"cli-promote\"");
    assert_string_equal(said("tags"), "[\"promoted\"]");
    assert_string_equal(said("confidence"), "0.7");
    assert_string_equal(said("text"), "\"as it came\"");
    DO_WITH("my own words\n", "process", "raw:one", "--as", "note", "--text", "-");
    must();
    assert_memory_equal(story.p.out, "note:", 5);
    snprintf(ref, sizeof(ref), "%.*s", (int)strcspn(story.p.out, "\n"), story.p.out);
    IS(ref, "text", "\"my own words\"");
    assert_non_null(strstr(member("raw:one", "relations"), ref));
    MUST("show", "raw:one", "--trace");
    STORY_SAYS("Processed: into belief:");
    STORY_SAYS(", note:");
    REFUSED(2, "process", "raw:one");
    REFUSED(2, "process", "raw:one", "raw:two", "--as", "note", "--text", "x");
    REFUSED(2, "process", "belief:a", "--as", "note");
    REFUSED(2, "process", "raw:one", "--as", "raw");
    REFUSED(1, "process", "raw:none", "--as", "note");
}

static void evidence_reinforces(void **state)
{
    (void)state;
    MUST("reinforce", "belief:a", "--evidence", "episode:met", "--reason", "again", "--json");
    assert_non_null(strstr(said("changes"), "\"after\":{\"confidence\":0.7131818"));
    assert_non_null(strstr(member("belief:a", "history"), "\"old\":0.7,\"new\":0.713,\"reason\":"
                                                          "\"again\",\"evidence_source\":"
                                                          "\"episode:met\""));
    MUST("show", "belief:a", "--trace");
    STORY_SAYS("Confidence: 0.70 → 0.713 (reinforced)");
    STORY_SAYS("from episode:met “met Claire”: again");
    STORY_SAYS("Current: 0.713 after 1 reinforcement");
    MUST("consolidate", "belief:a", "--from", "raw:two", "episode:met", "--date", "2026-02-01");
    assert_non_null(strstr(member("belief:a", "annotations"), "consolidation:2026-02-01"));
    REFUSED(2, "consolidate", "belief:a");
    REFUSED(2, "consolidate", "belief:a", "--from", "raw:two", "--date", "1.2.");
    REFUSED(2, "reinforce", "belief:a", "--evidence", "raw:one", "--evidence", "raw:two");
}

static void words_behind_an_option_are_more_of_it(void **state)
{
    (void)state;
    MUST("revise", "episode:met", "--confirms", "belief:a", "belief:b", "--contradicts",
         "belief:c");
    assert_non_null(strstr(member("belief:b", "history"), "episode:met"));
    assert_non_null(strstr(member("belief:a", "history"), "episode:met"));
    assert_non_null(strstr(member("belief:c", "marks"), "for_review"));
    assert_non_null(strstr(member("episode:met", "relations"), "contradicts"));
    /* All of it or nothing. */
    size_t before = events();
    REFUSED(1, "revise", "episode:met", "--confirms", "belief:a", "belief:none");
    REFUSED(2, "revise", "episode:met");
    REFUSED(2, "revise", "--confirms", "episode:met", "belief:a");
    assert_int_equal(events(), before);
}

static void a_belief_is_superseded_once(void **state)
{
    char ref[80];
    (void)state;
    MUST("supersede", "belief:a", "not alone", "--reason", "counted");
    snprintf(ref, sizeof(ref), "%.*s", (int)strcspn(story.p.out, "\n"), story.p.out);
    IS("belief:a", "status", "\"superseded\"");
    IS(ref, "source_type", "\"inference\"");
    IS(ref, "confidence", "0.7");
    REFUSED(4, "supersede", "belief:a", "again");
    STORY_TELLS(ref);
    REFUSED(2, "supersede", "raw:one", "x");
}

static void an_edit_changes_what_is_given(void **state)
{
    (void)state;
    MUST("edit", "belief:a", "--text", "other words", "--confidence", "0.3", "--tag", "x",
         "--field", "belief_type=opinion", "--field", "foundational=true", "--reason", "a slip",
         "--expected-version", "1");
    MUST("show", "belief:a", "--json");
    assert_string_equal(said("text"), "\"other words\"");
    assert_string_equal(said("confidence"), "0.3");
    assert_string_equal(said("tags"), "[\"x\"]");
    assert_string_equal(said("version"), "2");
    assert_string_equal(said("detail"), "{\"belief_type\":\"opinion\",\"foundational\":true}");
    MUST("edit", "belief:a", "--field", "foundational=", "--no-tags");
    MUST("show", "belief:a", "--json");
    assert_string_equal(said("detail"), "{\"belief_type\":\"opinion\"}");
    assert_string_equal(said("tags"), "");
    REFUSED(2, "edit", "belief:a");
    REFUSED(2, "edit", "belief:a", "--tag", "x", "--no-tags");
    REFUSED(2, "edit", "belief:a", "--field", "n");
    REFUSED(2, "edit", "belief:a", "--confidence", "1.5");
    REFUSED(2, "edit", "belief:a", "--text", " ");
    REFUSED(1, "edit", "belief:none", "--text", "x");
    REFUSED(2, "edit", "belief:a", "--field", "belief_type=\xff");
    REFUSED(2, "edit", "belief:a", "--text", "x", "--reason", "\xff");
    STORY_TELLS("the reason is not valid UTF-8");
}

/* A person's word makes no entry that putMemory would not. */
static void an_entry_stays_one(void **state)
{
    char ref[100];
    (void)state;
    REFUSED(2, "permissions", "--agent", "");
    STORY_TELLS("an agent has a name");
    REFUSED(2, "add", "entry", "key");
    STORY_TELLS("an entry is in a namespace");
    REFUSED(2, "add", "entry", "key", "--field", "namespace=n");
    REFUSED(2, "add", "entry", "a key", "--field", "namespace=n", "--field", "value=1");
    MUST("add", "entry", "key", "--field", "namespace=n", "--field", "value={\"a\": 1}", "--field",
         "expires_at=in 3 days");
    snprintf(ref, sizeof(ref), "%.*s", (int)strcspn(story.p.out, "\n"), story.p.out);
    MUST("add", "entry", "1", "--field", "namespace=n", "--field", "value=plain words", "--field",
         "key=1", "--field", "expires_at=never");
    MUST("edit", ref, "--field", "value=" DEEP);
    size_t before = events();
    MUST("edit", ref, "--field", "expires_at=2099-02-01 10:00", "--dry-run");
    STORY_SAYS("→ 2099-02-01T10:00:00.000Z\n");
    MUST("history", ref);
    STORY_SAYS("expires_at       + 20");
    static const char *const no[][2] = {
        {"value=", "there is no value"},
        {"value={oops", "not JSON"},
        {"value=\"", "not JSON"},
        {"value=[" DEEP "]", "JSON nested deeper than 63 levels at byte 64"},
        {"expires_at=1000", "is no time"},
        {"expires_at=2020-01-01", "is past"},
        {"expires_at=2 days ago", "is no time"},
        {"namespace=", "is in a namespace"},
        {"namespace=a b", "cannot be"},
        {"key=a b", "cannot be"},
        {"key=" WIDE, "cannot be \"é"},
        {"key=" WIDE, "é…"}, /* a quote that is long ends with a character */
    };
    for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++) {
        REFUSED(2, "edit", ref, "--field", no[i][0]);
        STORY_TELLS(no[i][1]);
    }
    REFUSED(2, "edit", ref, "--text", "foo");
    STORY_TELLS("the text of an entry is its key");
    REFUSED(4, "edit", ref, "--field", "key=1");
    STORY_TELLS("has a key 1 already: entry:");
    REFUSED(4, "add", "entry", "1", "--field", "namespace=n", "--field", "value=1");
    assert_int_equal(events(), before);
    MUST("edit", ref, "--field", "key=2", "--field", "value=null", "--field", "expires_at=");
    assert_string_equal(member(ref, "text"), "\"2\"");
    assert_string_equal(said("detail"), "{\"namespace\":\"n\",\"value\":null,\"key\":\"2\"}");
}

static void a_stale_edit_is_refused_with_both(void **state)
{
    (void)state;
    MUST("edit", "belief:a", "--text", "theirs", "--confidence", "0.2");
    REFUSED(4, "edit", "belief:a", "--text", "mine", "--expected-version", "1");
    STORY_SAYS("From version 1 to 2, which is stored:");
    STORY_SAYS("0.700 → 0.200");
    STORY_SAYS("alone → theirs");
    REFUSED(4, "edit", "belief:a", "--text", "mine", "--expected-version", "1", "--json");
    assert_string_equal(said("error"), "\"CONFLICT\"");
    assert_non_null(strstr(said("expected"), "\"text\":\"alone\""));
    assert_non_null(strstr(said("present"), "\"text\":\"theirs\""));
    REFUSED(4, "edit", "belief:a", "--text", "mine", "--expected-version", "9");
    STORY_SAYS("Version 9 is not known");
    IS("belief:a", "text", "\"theirs\"");
    MUST("edit", "belief:a", "--text", "mine", "--expected-version", "2");
}

static void decisions_are_taken_and_taken_back(void **state)
{
    (void)state;
    MUST("verify", "belief:a", "belief:b", "--reason", "read the log");
    IS("belief:a", "confidence", "0.7999999999999999");
    IS("belief:b", "confidence", "1");
    MUST("protect", "belief:a");
    IS("belief:a", "protected", "true");
    REFUSED(4, "forget", "belief:a", "--yes");
    MUST("unprotect", "belief:a");
    MUST("forget", "belief:a", "--yes");
    IS("belief:a", "status", "\"forgotten\"");
    MUST("restore", "belief:a");
    IS("belief:a", "status", "\"active\"");
    MUST("mark", "rating", "belief:a", "raw:two", "--value", "4", "--reason", "so");
    assert_non_null(strstr(member("raw:two", "marks"), "\"mark\":\"rating\""));
    MUST("mark", "rating", "belief:a", "--remove");
    REFUSED(1, "mark", "rating", "belief:a", "--remove");
    REFUSED(1, "mark", "rating", "belief:a", "--remove", "--dry-run");
    IS("belief:a", "marks", "");
    REFUSED(2, "mark", "two words", "belief:a");
    REFUSED(2, "mark", "rating", "belief:a", "--remove", "--value", "4");
    REFUSED(2, "verify");
    REFUSED(1, "verify", "belief:a", "belief:none");
}

static void several_are_one(void **state)
{
    char correlation[100];
    (void)state;
    MUST("retract", "raw:one", "raw:two", "belief:b", "--yes", "--json");
    MUST("log", "--operation", "retract", "--json", "--limit", "1");
    snprintf(correlation, sizeof(correlation), "%s", said("correlation"));
    assert_true(strlen(correlation) > 8);
    correlation[strlen(correlation) - 1] = '\0';
    MUST("log", "--correlation", correlation + 1, "--json");
    size_t count = 0;
    for (const char *at = story.p.out; (at = strstr(at, "\"operation\":\"retract\"")); at++)
        count++;
    assert_int_equal(count, 3);
    /* One that cannot be done, and none is. */
    MUST("protect", "belief:a");
    size_t before = events();
    REFUSED(4, "forget", "belief:c", "belief:a", "--yes");
    assert_int_equal(events(), before);
}

/* ---- taking back ---- */

/* The number of the last event. */
static const char *last_event(void)
{
    MUST("log", "--json", "--limit", "1");
    return said("seq");
}

static void what_was_done_is_undone_and_redone(void **state)
{
    char edit[40], undo[80];
    (void)state;
    MUST("edit", "belief:a", "--text", "edited", "--tag", "x");
    snprintf(edit, sizeof(edit), "%s", last_event());
    MUST("undo", "--dry-run");
    STORY_SAYS("edited → alone");
    IS("belief:a", "text", "\"edited\"");
    MUST("undo", "--json");
    assert_non_null(strstr(said("changes"), "\"operation\":\"undo\""));
    snprintf(undo, sizeof(undo), "\"undoes\":%s", edit);
    assert_non_null(strstr(said("changes"), undo));
    IS("belief:a", "text", "\"alone\"");
    IS("belief:a", "tags", "[\"t\",\"u\"]");
    MUST("log", "--operation", "undo", "--json");
    STORY_SAYS(undo);
    MUST("log", "--operation", "undo");
    snprintf(undo, sizeof(undo), "takes back event %s", edit);
    STORY_SAYS(undo);
    REFUSED(4, "undo", edit);
    MUST("redo");
    IS("belief:a", "text", "\"edited\"");
    REFUSED(1, "redo");
    /* By its number, whatever came after it. */
    MUST("mark", "rating", "belief:a", "--value", "4");
    MUST("undo", edit);
    IS("belief:a", "text", "\"alone\"");
    assert_non_null(strstr(member("belief:a", "marks"), "rating"));
    REFUSED(2, "undo", "first");
    REFUSED(2, "undo", "0");
    REFUSED(1, "undo", "99999");
}

static void several_are_undone_together(void **state)
{
    (void)state;
    MUST("retract", "raw:one", "belief:c", "--yes");
    MUST("undo");
    IS("raw:one", "status", "\"active\"");
    IS("belief:c", "status", "\"active\"");
    MUST("process", "raw:one", "--as", "note");
    MUST("undo", "--json");
    IS("raw:one", "relations", "");
    REFUSED(1, "list", "note", "--json");
}

static void what_was_changed_since_is_not_undone(void **state)
{
    char edit[40], since[80];
    (void)state;
    MUST("edit", "belief:a", "--text", "mine");
    snprintf(edit, sizeof(edit), "%s", last_event());
    MUST("edit", "belief:a", "--text", "theirs");
    size_t before = events();
    REFUSED(4, "undo", edit);
    snprintf(since, sizeof(since), "Since event %s: belief:a", edit);
    STORY_SAYS(since);
    STORY_SAYS("mine → theirs");
    REFUSED(4, "undo", edit, "--json");
    assert_non_null(strstr(said("expected"), "\"text\":\"mine\""));
    assert_non_null(strstr(said("present"), "\"text\":\"theirs\""));
    assert_int_equal(events(), before);
    IS("belief:a", "text", "\"theirs\"");
}

/* ---- history ---- */

static void a_history_tells_each_change(void **state)
{
    char next[80];
    size_t lines_said = 0;
    (void)state;
    MUST("reinforce", "belief:a", "--evidence", "episode:met", "--reason", "it came again");
    MUST("edit", "belief:a", "--confidence", "0.4", "--tag", "t", "--tag", "new");
    MUST("supersede", "belief:a", "not alone", "--reason", "counted");
    snprintf(next, sizeof(next), "%.*s", (int)strcspn(story.p.out, "\n"), story.p.out);
    MUST("history", "belief:a");
    STORY_SAYS("why: it came again");
    STORY_SAYS("0.700 → 0.713");
    STORY_SAYS("active → superseded");
    STORY_SAYS("tags             + new\n");
    STORY_SAYS("tags             - u\n");
    STORY_SAYS(">   belief:a");
    STORY_SAYS("not alone");
    MUST("history", next);
    STORY_SAYS("Versions, the oldest first\n    belief:a");
    MUST("history", "belief:a", "--json");
    assert_string_equal(said("operation"), "\"supersede\"");
    assert_string_equal(said("version"), "4");
    assert_string_equal(said("reason"), "\"counted\"");
    assert_string_equal(said("changes"), "[{\"field\":\"status\",\"before\":\"active\",\"after\":"
                                         "\"superseded\"}]");
    for (const char *at = story.p.out; (at = strchr(at, '\n')); at++)
        lines_said++;
    assert_int_equal(lines_said, 4);
    MUST("history", "belief:a", "--limit", "2", "--json");
    STORY_TELLS("older");
    REFUSED(1, "history", "belief:none");
}

/* ---- seeds ---- */

static void of_what_was_purged_nothing_is_made_up(void **state)
{
    (void)state;
    MUST("edit", "belief:a", "--text", "older");
    MUST("edit", "belief:c", "--confidence", "0.4");
    MUST("mark", "for_review", "belief:c");
    MUST("purge", "belief:c", "--yes");
    MUST("history", "belief:c");
    STORY_SAYS("version 2  event 8\n    purged since: what it was is not kept\n");
    STORY_SAYS("version 1  event 6\n    purged since: what it was is not kept\n");
    STORY_SAYS("version 4  event 10\n    what it was is not kept\n");
    assert_null(strstr(story.p.out, "confidence"));
    assert_null(strstr(story.p.out, "for_review"));
    MUST("history", "belief:c", "--json");
    STORY_SAYS("\"version\":1,\"purged_by\":10,\"changes\":[]}\n");
    STORY_SAYS("\"version\":4,\"changes\":[]}\n");
    MUST("export", "--as-of", "@8");
    STORY_SAYS("\"status\":\"purged\",\"version\":2,");
    assert_null(strstr(story.p.out, "for_review"));
    MUST("export", "--as-of", "@7");
    STORY_SAYS("\"status\":\"purged\",\"version\":1,");
    assert_null(strstr(story.p.out, "\"new\":0.4"));
    assert_null(strstr(story.p.out, "\"confidence\":0.4"));
    MUST("diff", "@0", "@9");
    STORY_SAYS("  added by event 6, ");
    STORY_SAYS(", with 2 after it\n");
    MUST("diff", "@7", "@10");
    STORY_SAYS("    purged: what it was is not kept\n");
    MUST("undo", "--json");
    STORY_SAYS(
        "\"remarks\":[\"passed over the purge of belief:c (event 10), which cannot be undone\"]");
    MUST("redo");
    MUST("undo");
    STORY_SAYS("passed over the purge of belief:c (event 10), which cannot be undone\n");
    IS("belief:a", "text", "\"alone\"");
}

static void seeds_come_from_a_file(void **state)
{
    (void)state;
    DO_WITH("\xef\xbb\xbf  Care before speed  \r\n\n{\"statement\":\"Be "
            "\\\"kind\\\"\",\"confidence\":0.5,"
            "\"tags\":[\"values\",\"x\"]}\n",
            "seed", "-", "--agent", "ash");
    must();
    MUST("list", "belief", "--source-type", "seed", "--order", "text", "--json");
    STORY_SAYS("\"text\":\"Care before speed\"");
    STORY_SAYS("\"text\":\"Be \\\"kind\\\"\"");
    STORY_SAYS("\"confidence\":0.5");
    STORY_SAYS("\"agent_id\":\"ash\"");
    STORY_SAYS("\"kernle:seed-beliefs\"");
    STORY_SAYS("[\"values\",\"x\"]");
    size_t before = events();
    static const struct {
        const char *text, *what;
    } wrong[] = {
        {"", "no statement"},
        {"good\n{\"statement\":5}\n", "line 2"},
        {"{\"statement\":\"x\",\"confidence\":2}", "line 1"},
        {"{\"text\":\"x\"}", "no member 'text'"},
        {"{\"confidence\":0.5}", "no statement"},
        {"a\n\n\xff\n", "line 3"},
        {"{\"statement\":\"a\\u0000b\"}", "NUL"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        DO_WITH(wrong[i].text, "seed", "-");
        assert_int_not_equal(story.p.status, 0);
        STORY_TELLS(wrong[i].what);
    }
    REFUSED(3, "seed", "/nowhere/at/all");
    assert_int_equal(events(), before);
}

static void seeding_makes_a_store(void **state)
{
    char other[300], file[300];
    (void)state;
    story_path(other, sizeof(other), "made/by/seeding.db");
    story_path(file, sizeof(file), "statements");
    story_write(file, "one\ntwo\n");
    PROGRAM(&story.p, "--store", other, "seed", file, "--dry-run");
    assert_int_equal(story.p.status, 3);
    PROGRAM(&story.p, "--store", other, "seed", file);
    must();
    PROGRAM(&story.p, "--store", other, "list", "belief", "--json");
    STORY_SAYS("\"text\":\"two\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_asks_does_nothing_without_yes, fresh),
        cmocka_unit_test_setup(a_preview_says_what_falls, fresh),
        cmocka_unit_test_setup(what_was_shown_is_what_is_done, fresh),
        cmocka_unit_test_setup(a_person_is_asked, fresh),
        cmocka_unit_test_setup(what_changed_meanwhile_is_shown_anew, fresh),
        cmocka_unit_test_setup(every_kind_is_added, fresh),
        cmocka_unit_test_setup(a_raw_is_processed, fresh),
        cmocka_unit_test_setup(evidence_reinforces, fresh),
        cmocka_unit_test_setup(words_behind_an_option_are_more_of_it, fresh),
        cmocka_unit_test_setup(a_belief_is_superseded_once, fresh),
        cmocka_unit_test_setup(an_edit_changes_what_is_given, fresh),
        cmocka_unit_test_setup(an_entry_stays_one, fresh),
        cmocka_unit_test_setup(a_stale_edit_is_refused_with_both, fresh),
        cmocka_unit_test_setup(decisions_are_taken_and_taken_back, fresh),
        cmocka_unit_test_setup(several_are_one, fresh),
        cmocka_unit_test_setup(what_was_done_is_undone_and_redone, fresh),
        cmocka_unit_test_setup(several_are_undone_together, fresh),
        cmocka_unit_test_setup(what_was_changed_since_is_not_undone, fresh),
        cmocka_unit_test_setup(a_history_tells_each_change, fresh),
        cmocka_unit_test_setup(of_what_was_purged_nothing_is_made_up, fresh),
        cmocka_unit_test_setup(seeds_come_from_a_file, fresh),
        cmocka_unit_test_setup(seeding_makes_a_store, fresh),
    };
    return cmocka_run_group_tests(tests, story_open, story_close);
}
