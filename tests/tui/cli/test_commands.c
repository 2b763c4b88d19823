#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "tui/cli/command.h"
#include "tui/text/embedded.h"
#include "tui/text/text.h"
#include "tests/support/story.h"

static const char *embedded(const char *path)
{
    for (const struct embedded_file *f = embedded_files; f->path; f++)
        if (strcmp(f->path, path) == 0)
            return f->text;
    fail();
    return NULL;
}

/* ---- reading what was said ---- */

/* The next line of `*at`, or NULL; ends the line with a NUL. */
static char *next_line(char **at)
{
    char *line = *at, *end = line ? strchr(line, '\n') : NULL;
    if (!line || !*line)
        return NULL;
    *at = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return line;
}

static size_t count_lines(const char *s)
{
    size_t count = 0;
    for (; *s; s++)
        count += *s == '\n';
    return count;
}

/* That member of a line of JSON as it stands there, "" where there is none; checks the line. */
static const char *member(const char *line, const char *key)
{
    static char value[2000];
    struct error e;
    assert_int_equal(json_check(line, strlen(line), JSON_DEPTH_MAX, &e), 0);
    struct json_slice slice = json_member(line, strlen(line), key);
    snprintf(value, sizeof(value), "%.*s", (int)slice.len, slice.ptr ? slice.ptr : "");
    return value;
}

/* The refs of a list as JSON, a line each; *next is its cursor without quotes, or "". */
static void list_refs(struct strbuf *refs, char *next, size_t size)
{
    char *at = story.p.out, *line;
    *next = '\0';
    while ((line = next_line(&at))) {
        const char *ref = member(line, "ref");
        if (*ref)
            strbuf_addf(refs, "%s\n", ref);
        else
            snprintf(next, size, "%.*s", (int)strlen(member(line, "next")) - 2,
                     member(line, "next") + 1);
    }
}

/* ---- help and usage ---- */

static void each_command_has_help(void **state)
{
    size_t count;
    const struct command *const *table = command_table(&count);
    (void)state;
    for (size_t i = 1; i < count; i++) {
        PROGRAM(&story.p, table[i]->name, "--help");
        assert_int_equal(story.p.status, 0);
        assert_int_equal(story.p.err_len, 0);
        STORY_SAYS(table[i]->about);
        for (const struct option_spec *o = command_options(table[i]); o && o->name; o++) {
            char option[64];
            snprintf(option, sizeof(option), "--%s", o->name);
            STORY_SAYS(option);
        }
        STORY_SAYS("--store PATH");
    }
    PROGRAM(&story.p, "--help");
    assert_int_equal(story.p.status, 0);
    for (size_t i = 1; i < count; i++)
        STORY_SAYS(table[i]->about);
    PROGRAM(&story.p, "help", "list");
    STORY_SAYS("Usage: stemma list KIND|all [options]");
    PROGRAM(&story.p, "help", "config");
    assert_string_equal(story.p.out, embedded("config.yaml"));
    PROGRAM(&story.p, "--version");
    STORY_SAYS("stemma " STEMMA_VERSION "\n");
}

/* The same option takes an argument in each command that has it, or in none: options may stand
 * before the command, where it is not known yet. */
static void options_agree_among_commands(void **state)
{
    size_t count;
    const struct command *const *table = command_table(&count);
    (void)state;
    for (size_t a = 0; a < count; a++)
        for (const struct option_spec *x = command_options(table[a]); x && x->name; x++)
            for (size_t b = 0; b < count; b++)
                for (const struct option_spec *y = command_options(table[b]); y && y->name; y++)
                    if (strcmp(x->name, y->name) == 0)
                        assert_int_equal(x->type == OPTION_FLAG, y->type == OPTION_FLAG);
}

static void wrong_usage_says_what_would_be_right(void **state)
{
    static const struct {
        const char *arguments[6];
        const char *tells;
    } wrong[] = {
        {{"lst"}, "there is no command 'lst'. Did you mean `stemma list`?"},
        {{"list", "all", "--limt", "3"}, "'list' has no option --limt. Did you mean --limit?"},
        {{"list", "all", "--limit"}, "--limit needs a value. Write --limit N."},
        {{"list", "all", "--limit", "--json"}, "--limit needs a value. Write --limit N."},
        {{"list", "all", "--agent", "--jsn"}, "--agent needs a value. Write --agent A."},
        {{"list", "--agent", "--", "all"}, "--agent needs a value."},
        {{"export", "--store", "-o", "x"}, "--store needs a value. Write --store PATH."},
        {{"sessions", "--end", "--store", "x"}, "--end needs a value. Write --end ID."},
        {{"sessions", "--end", "--store=x"}, "--end needs a value. Write --end ID."},
        {{"sessions", "--end", "--json"}, "--end needs a value. Write --end ID."},
        {{"sessions", "--make-read-only", "--all"}, "--make-read-only needs a value."},
        {{"--config", "--json", "list", "all"}, "--config needs a value. Write --config FILE."},
        {{"list", "all", "--limit", "-1"}, "not '-1'"},
        {{"list", "all", "--limit", "0"}, "--limit takes a whole number, at least 1, not '0'"},
        {{"list", "all", "--limit", "3x"}, "not '3x'"},
        {{"list", "all", "--limit", "1e3"}, "not '1e3'"},
        {{"list", "all", "--order", "creatd"},
         "--order does not take 'creatd'. Did you mean created?"},
        {{"list", "all", "--json=yes"}, "--json takes no value"},
        {{"list", "beleif"}, "there is no kind of memory 'beleif'. Did you mean belief?"},
        {{"list"}, "stemma list KIND|all"},
        {{"list", "all", "more"}, "does not know what to do with 'more'"},
        {{"show"}, "It is used as `stemma show REF`."},
        {{"fsck", "x"}, "It is used as `stemma fsck`."},
        {{"add", "belief", "x", "--all"}, "--all says that all of --from are needed"},
        {{"show", "x", "--trace", "--reverse"}, "two directions"},
        {{"show", "x", "--depth", "3"}, "Give --trace or --reverse as well."},
        {{"add", "belief", "x", "--confidence", "1.5"}, "from 0 to 1, not '1.5'"},
        {{"add", "belief", "x", "--confidence", "nan"}, "not 'nan'"},
        {{"search", " "}, "there is nothing to search for"},
        {{"search", "\xe3\x80\x80", "\xc2\xa0"}, "there is nothing to search for"},
        {{"import", "kernel", "x"}, "Did you mean kernle?"},
        {{"--color", "sometimes", "list", "all"}, "It takes auto, always, never."},
        {{"help", "lst"}, "Did you mean `stemma help list`?"},
        {{"list", "all", "--store", ""}, "the path of the store is empty"},
        {{"fsck", "-x"}, "'fsck' has no option -x"},
        {{"a\033[31mb"}, "there is no command 'a?[31mb'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        program_run(&story.p, NULL, wrong[i].arguments);
        STORY_TELLS(wrong[i].tells);
        assert_int_equal(story.p.status, 2);
        assert_int_equal(story.p.out_len, 0);
        assert_int_equal(count_lines(story.p.err), 1);
        /* One sentence of what is wrong, and one of what to do. */
        const char *first = strpbrk(story.p.err + strlen("stemma: "), ".?!");
        assert_true(first && strpbrk(first + 1, ".?!"));
    }
}

static void options_stand_where_they_like(void **state)
{
    struct strbuf first = STRBUF_INIT;
    (void)state;
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store, "--limit", "2", "--json");
    assert_int_equal(story.p.status, 0);
    strbuf_addstr(&first, story.p.out);
    PROGRAM(&story.p, "--limit=2", "--json", "--store", story.store, "list", "beliefs");
    assert_string_equal(story.p.out, first.buf);
    PROGRAM(&story.p, "--store", story.store, "list", "--json", "--limit", "2", "--", "beliefs");
    assert_string_equal(story.p.out, first.buf);
    PROGRAM(&story.p, "list", "--", "--json");
    assert_int_equal(story.p.status, 2);
    strbuf_release(&first);
}

/* Only what is written as an option is none, and that too where = says so. */
static void values_may_begin_with_a_dash(void **state)
{
    static const char *const values[] = {"--no such agent", "--Ash", "-", "-a", "-o"};
    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        PROGRAM(&story.p, "list", "all", "--agent", values[i], "--store", story.store);
        STORY_TELLS("nothing matched");
        assert_int_equal(story.p.status, 1);
    }
    PROGRAM(&story.p, "list", "all", "--agent=--json", "--store", story.store);
    STORY_TELLS("nothing matched");
    PROGRAM(&story.p, "list", "all", "--agent", "-h", "--store", story.store);
    assert_int_equal(story.p.status, 2);
}

/* ---- list ---- */

static void a_list_is_paged_by_its_cursor(void **state)
{
    struct strbuf all = STRBUF_INIT, pages = STRBUF_INIT;
    char next[400];
    int count = 0;
    (void)state;
    PROGRAM(&story.p, "list", "all", "--store", story.store, "--json");
    list_refs(&all, next, sizeof(next));
    assert_string_equal(next, "");
    PROGRAM(&story.p, "list", "all", "--store", story.store, "--json", "--limit", "7");
    list_refs(&pages, next, sizeof(next));
    while (*next && count++ < 40) {
        PROGRAM(&story.p, "list", "all", "--store", story.store, "--json", "--limit", "7",
                "--cursor", next);
        list_refs(&pages, next, sizeof(next));
    }
    assert_string_equal(pages.buf, all.buf);
    assert_int_equal(count_lines(all.buf), 170); /* the forgotten one is left out */
    PROGRAM(&story.p, "list", "all", "--store", story.store, "--cursor", "nonsense");
    assert_int_equal(story.p.status, 2);
    strbuf_release(&all);
    strbuf_release(&pages);
}

static size_t count_list(const char *const *filters)
{
    const char *arguments[16] = {"list", "all", "--store", story.store, "--json"};
    size_t n = 5;
    while (*filters)
        arguments[n++] = *filters++;
    program_run(&story.p, NULL, arguments);
    assert_int_equal(story.p.status, 0);
    return count_lines(story.p.out);
}

#define COUNT(...) count_list((const char *const[]){__VA_ARGS__, NULL})

static void a_list_is_filtered(void **state)
{
    (void)state;
    assert_int_equal(COUNT("--status", "all"), 171);
    assert_int_equal(COUNT("--status", "forgotten"), 1);
    assert_int_equal(COUNT("--status", "superseded"), 4);
    assert_int_equal(COUNT("--label", "circular"), 2);
    assert_int_equal(COUNT("--label", "weakened"), 2);
    assert_int_equal(COUNT("--agent", "ash") + COUNT("--agent", "claire") +
                         COUNT("--agent", "my-ai-agent-001"),
                     170);
    assert_int_equal(COUNT("--source-type", "consolidation"), 1);
    assert_int_equal(COUNT("--label", "grounded", "--limit", "1"), 2);
}

static void a_list_is_ordered(void **state)
{
    struct strbuf up = STRBUF_INIT, down = STRBUF_INIT, turned = STRBUF_INIT;
    char next[100], *at, *line;
    (void)state;
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store, "--json", "--order", "confidence");
    double last = 1;
    at = story.p.out;
    while ((line = next_line(&at))) {
        double confidence = strtod(member(line, "confidence"), NULL);
        assert_true(confidence <= last);
        last = confidence;
    }
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store, "--json", "--order", "text");
    list_refs(&up, next, sizeof(next));
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store, "--json", "--order", "text",
            "--reverse");
    list_refs(&down, next, sizeof(next));
    while (down.len > 0) { /* the lines from the last to the first */
        size_t start = down.len - 1;
        while (start > 0 && down.buf[start - 1] != '\n')
            start--;
        strbuf_add(&turned, down.buf + start, down.len - start);
        strbuf_cut(&down, start);
    }
    assert_string_equal(turned.buf, up.buf);
    strbuf_release(&turned);
    strbuf_release(&up);
    strbuf_release(&down);
}

static void a_list_for_people_is_aligned(void **state)
{
    (void)state;
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store, "--limit", "3", "--order",
            "confidence");
    assert_int_equal(count_lines(story.p.out), 3);
    STORY_SAYS("0.93  10/10  consolidation  ash ");
    STORY_TELLS("go on with --cursor ");
    STORY_SAYS("\xe2\x97\x8f  belief:");
}

/* ---- show ---- */

static void show_tells_all_of_a_memory(void **state)
{
    (void)state;
    PROGRAM(&story.p, "show", "belief:3218", "--store", story.store, "--json");
    assert_int_equal(count_lines(story.p.out), 1);
    story.p.out[story.p.out_len - 1] = '\0';
    assert_string_equal(member(story.p.out, "label"), "\"grounded\"");
}

static void show_finds_what_is_meant_or_says_why_not(void **state)
{
    (void)state;
    PROGRAM(&story.p, "show", "belief:00000000", "--store", story.store);
    assert_int_equal(story.p.status, 1);
    PROGRAM(&story.p, "show", "bel", "--store", story.store);
    assert_true(story.p.status == 1 || story.p.status == 2);
    PROGRAM(&story.p, "show", "deploy.", "--store", story.store); /* two entries */
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("entry:deploy.w");
    STORY_TELLS("entry:deploy.f");
}

static void a_trace_shows_each_memory_once(void **state)
{
    const char *shared = "Incident report: the payments queue", *at;
    int in_full = 0, again = 0;
    (void)state;
    PROGRAM(&story.p, "show", "chain:e928fb0a", "--trace", "--store", story.store);
    assert_int_equal(story.p.status, 0);
    for (at = strstr(story.p.out, shared); at; at = strstr(at + 1, shared)) {
        const char *end = strchr(at, '\n'), *above = strstr(at, "above");
        *(above && above < end ? &again : &in_full) += 1;
    }
    assert_int_equal(in_full, 1);
    assert_int_equal(again, 2);
    STORY_SAYS("all of 3");
}

static void a_trace_carries_the_history(void **state)
{
    (void)state;
    PROGRAM(&story.p, "show", "belief:3218", "--trace", "--store", story.store);
    STORY_SAYS(
        "Confidence: 0.70 \xe2\x86\x92 0.713 \xe2\x86\x92 0.813 \xe2\x86\x92 0.821 (reinforced, "
        "changed)\n");
    STORY_SAYS(
        " 0.70 \xe2\x86\x92 0.713 from episode:65f767ba \xe2\x80\x9cSkipped staging on a deploy");
    STORY_SAYS("\xe2\x80\x9d: the outage was this");
    STORY_SAYS("context:told by Claire");
    PROGRAM(&story.p, "show", "belief:ce930f73", "--trace", "--store", story.store);
    STORY_SAYS("Confidence: 0.80 (seed \xe2\x86\x92 0.80)\n");
    STORY_SAYS("kernle:seed-beliefs");
}

static void a_trace_shows_circles_and_where_it_is_cut(void **state)
{
    (void)state;
    PROGRAM(&story.p, "show", "belief:87cfa577", "--trace", "--store", story.store);
    STORY_SAYS("circle: belief:f71aadb8 \xe2\x86\x92 belief:87cfa577 \xe2\x86\x92 belief:f71aadb8");
    PROGRAM(&story.p, "show", "goal:80c2", "--trace", "--depth", "1", "--store", story.store);
    STORY_SAYS(" deeper");
    PROGRAM(&story.p, "show", "goal:80c2", "--trace", "--depth", "1", "--store", story.store,
            "--json");
    story.p.out[story.p.out_len - 1] = '\0';
    assert_true(strtol(member(story.p.out, "cut"), NULL, 10) > 0);
    PROGRAM(&story.p, "show", "raw:47735e51", "--trace", "--store", story.store);
    STORY_SAYS("Carries:");
    PROGRAM(&story.p, "show", "raw:79d086c7", "--reverse", "--store", story.store);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("never written here");
    STORY_SAYS("The staging cluster loses a node");
    PROGRAM(&story.p, "show", "raw:79d086c7", "--store", story.store);
    assert_int_equal(story.p.status, 1);
}

/* ---- search, orphans, whatif ---- */

static void search_finds_whole_words_first(void **state)
{
    char next[100];
    struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
    (void)state;
    PROGRAM(&story.p, "search", "staging", "deploy", "--store", story.store, "--json");
    assert_int_equal(story.p.status, 0);
    list_refs(&first, next, sizeof(next));
    PROGRAM(&story.p, "search", "staging deploy", "--store", story.store, "--json", "--limit", "1");
    list_refs(&second, next, sizeof(next));
    assert_true(*next);
    PROGRAM(&story.p, "search", "staging deploy", "--store", story.store, "--json", "--cursor",
            next);
    list_refs(&second, next, sizeof(next));
    assert_string_equal(second.buf, first.buf);
    PROGRAM(&story.p, "search", "\xe3\x82\xb9\xe3\x83\x86\xe3\x83\xbc", "--kind", "belief",
            "--store", story.store);
    assert_int_equal(count_lines(story.p.out), 1);
    PROGRAM(&story.p, "search", "nothing-of-the-kind", "--store", story.store);
    assert_int_equal(story.p.status, 1);
    assert_int_equal(story.p.out_len, 0);
    strbuf_release(&first);
    strbuf_release(&second);
}

static void orphans_are_a_problem_found(void **state)
{
    static const char *const problems[] = {"missing",    "ungrounded",  "circular",
                                           "unrecorded", "disagreeing", "suspect-time"};
    (void)state;
    PROGRAM(&story.p, "orphans", "--store", story.store);
    assert_int_equal(story.p.status, 1);
    for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++)
        STORY_SAYS(problems[i]);
    PROGRAM(&story.p, "orphans", "--store", story.store, "--json", "--agent", "ash");
    assert_int_equal(story.p.status, 1);
    char *at = story.p.out, *line;
    while ((line = next_line(&at)))
        assert_true(*member(line, "problem"));
}

static void whatif_says_what_falls_and_writes_nothing(void **state)
{
    (void)state;
    PROGRAM(&story.p, "whatif", "attribution:03b3f0bb", "--store", story.store, "--json");
    assert_int_equal(story.p.status, 0);
    story.p.out[story.p.out_len - 1] = '\0';
    const char *falls = member(story.p.out, "falls");
    int count = 0;
    for (const char *at = falls; (at = strchr(at, ':')); at++)
        count++;
    assert_int_equal(count, 11); /* ten notes, and the belief that is made of them */
    PROGRAM(&story.p, "whatif", "episode:7569db5b", "note:e178d716", "--store", story.store);
    STORY_SAYS("Nothing was written.");
    STORY_SAYS("2 \xe2\x86\x92 1 hold");
}

/* ---- add, import, export, fsck ---- */

static void add_prints_the_ref(void **state)
{
    char path[300], ref[100];
    (void)state;
    story_path(path, sizeof(path), "deeper/added.db");
    PROGRAM(&story.p, "add", "raw", "seen", "--store", path, "--agent", "ash");
    assert_int_equal(story.p.status, 0);
    assert_int_equal(story.p.out_len, 4 + 36 + 1);
    snprintf(ref, sizeof(ref), "%.40s", story.p.out);
    PROGRAM(&story.p, "add", "belief", "so it is", "--from", ref, "--from", "context:told",
            "--evidence", "episode:later", "--tag", "a", "--tag", "b", "--source", "heard it",
            "--json", "--store", path);
    assert_int_equal(story.p.status, 0);
    story.p.out[story.p.out_len - 1] = '\0';
    assert_string_equal(member(story.p.out, "version"), "1");
    assert_string_equal(member(story.p.out, "unresolved"), "[\"episode:later\"]");
    PROGRAM(&story.p, "list", "beliefs", "--json", "--store", path);
    STORY_SAYS("\"source_type\":\"told_by_agent\"");
    STORY_SAYS("\"tags\":[\"a\",\"b\"]");
    STORY_SAYS("\"annotations\":[\"context:told\"]");
    PROGRAM_WITH(&story.p, "from a pipe\n", "add", "note", "-", "--store", path);
    assert_int_equal(story.p.status, 0);
    PROGRAM(&story.p, "list", "notes", "--json", "--store", path);
    STORY_SAYS("\"text\":\"from a pipe\"");
    PROGRAM(&story.p, "add", "note", "x", "--store", path, "--read-only");
    assert_int_equal(story.p.status, 4);
    PROGRAM(&story.p, "fsck", "--store", path);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("all is well");
}

static void export_and_import_are_lossless(void **state)
{
    char again[300], file[300];
    struct strbuf first = STRBUF_INIT;
    (void)state;
    story_path(again, sizeof(again), "again.db");
    story_path(file, sizeof(file), "out.jsonl");
    PROGRAM(&story.p, "export", "--store", story.store);
    assert_int_equal(story.p.status, 0);
    assert_int_equal(count_lines(story.p.out), 171);
    strbuf_addstr(&first, story.p.out);
    PROGRAM(&story.p, "export", "--store", story.store, "-o", file);
    assert_int_equal(story.p.status, 0);
    assert_int_equal(story.p.out_len, 0);
    PROGRAM(&story.p, "import", "jsonl", file, "--store", again, "--json");
    assert_int_equal(story.p.status, 0);
    story.p.out[story.p.out_len - 1] = '\0';
    assert_string_equal(member(story.p.out, "added"), "171");
    PROGRAM(&story.p, "export", "--store", again);
    assert_string_equal(story.p.out, first.buf);
    strbuf_release(&first);
}

static void a_dry_run_writes_nothing(void **state)
{
    char path[300];
    (void)state;
    story_path(path, sizeof(path), "never.db");
    PROGRAM_WITH(&story.p, embedded("tui/demo/demo.jsonl"), "import", "jsonl", "-", "--dry-run",
                 "--store", path);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("would import 171 memories: 171 added");
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Reads one line of JSON from the child; fails at its end. */
static void read_line(int fd, char *line, size_t size)
{
    size_t len = 0;
    while (len + 1 < size && read(fd, line + len, 1) == 1 && line[len] != '\n')
        len++;
    assert_true(len > 0 && line[len] == '\n');
    line[len] = '\0';
}

static void following_takes_over_changes_until_it_is_stopped(void **state)
{
    char source[300], path[300], line[2000], command[700];
    int out, status;
    (void)state;
    story_path(source, sizeof(source), "lines.jsonl");
    story_path(path, sizeof(path), "followed.db");
    snprintf(command, sizeof(command), "echo '{\"ref\":\"raw:one\",\"text\":\"first\"}' > '%s'",
             source);
    assert_int_equal(system(command), 0);
    pid_t child = program_start(&out, (const char *const[]){"import", "jsonl", source, "--follow",
                                                            "--json", "--store", path, NULL});
    read_line(out, line, sizeof(line));
    assert_string_equal(member(line, "added"), "1");
    snprintf(command, sizeof(command), "echo '{\"ref\":\"raw:two\",\"text\":\"second\"}' >> '%s'",
             source);
    assert_int_equal(system(command), 0);
    read_line(out, line, sizeof(line));
    assert_string_equal(member(line, "added"), "1");
    assert_string_equal(member(line, "unchanged"), "1");
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    close(out);
}

static void lines_that_cannot_be_read_are_named(void **state)
{
    char path[300];
    (void)state;
    story_path(path, sizeof(path), "half.db");
    PROGRAM_WITH(&story.p, "{\"ref\":\"raw:one\",\"text\":\"good\"}\nnot json\n", "import", "jsonl",
                 "-", "--store", path);
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("line 2");
    STORY_SAYS("1 added");
}

/* ---- what cannot be read or written ---- */

static void a_store_that_is_not_there(void **state)
{
    static const char *const readers[][3] = {
        {"list", "all"},     {"show", "raw:x"}, {"search", "x"}, {"orphans"},
        {"whatif", "raw:x"}, {"export"},        {"fsck"},
    };
    char path[300];
    (void)state;
    story_path(path, sizeof(path), "missing.db");
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
        const char *arguments[8] = {"--store", path};
        for (size_t n = 0; n < 3 && readers[i][n]; n++)
            arguments[n + 2] = readers[i][n];
        program_run(&story.p, NULL, arguments);
        assert_int_equal(story.p.status, 3);
        STORY_TELLS("there is no store at ");
        assert_int_not_equal(access(path, F_OK), 0);
    }
    PROGRAM(&story.p, "list", "all", "--store", "/proc/version");
    assert_int_equal(story.p.status, 3);
    PROGRAM(&story.p, "list", "all", "--store", story.store, "--config", "/nonexistent");
    assert_int_equal(story.p.status, 3);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    static const char *const writers[][3] = {
        {"list", "all", NULL}, {"export", NULL, NULL}, {"help", NULL, NULL}};
    for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
        const char *arguments[8] = {"--store", story.store};
        for (size_t n = 0; n < 3 && writers[i][n]; n++)
            arguments[n + 2] = writers[i][n];
        program_run_to(&story.p, open("/dev/full", O_WRONLY | O_CLOEXEC), arguments);
        assert_int_equal(story.p.status, 3);
        STORY_TELLS("cannot be written: No space left on device");
        assert_int_equal(count_lines(story.p.err), 1);
    }
    PROGRAM(&story.p, "export", "-o", "/dev/full", "--store", story.store);
    assert_int_equal(story.p.status, 3);
}

/* The store must not get the number of standard output, or the list would be written into it. */
static void a_closed_output_harms_nothing(void **state)
{
    (void)state;
    program_run_to(&story.p, -1,
                   (const char *const[]){"list", "all", "--store", story.store, NULL});
    assert_int_equal(story.p.status, 3);
    PROGRAM(&story.p, "fsck", "--store", story.store);
    assert_int_equal(story.p.status, 0);
}

static void a_reader_that_goes_away_is_no_error(void **state)
{
    int ends[2];
    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    program_run_to(&story.p, ends[1],
                   (const char *const[]){"export", "--store", story.store, NULL});
    assert_int_equal(story.p.status, 0);
    assert_int_equal(story.p.err_len, 0);
}

/* ---- the look ---- */

/* The columns of a line, its own colours left out. */
static size_t shown_width(const char *line)
{
    struct strbuf plain = STRBUF_INIT;
    while (*line) {
        if (*line == '\033')
            line += strcspn(line, "m") + 1;
        else
            strbuf_addch(&plain, *line++);
    }
    size_t width = text_width(plain.buf, plain.len, SIZE_MAX - 1, 0);
    strbuf_release(&plain);
    return width;
}

static void lines_fit_the_width(void **state)
{
    static const char *const widths[] = {"60", "80", "132"};
    static const char *const said[][4] = {
        {"list", "all"},
        {"list", "beliefs"},
        {"orphans"},
        {"whatif", "episode:65f767ba"},
        {"show", "goal:80c2", "--trace"},
        {"show", "episode:65f767ba", "--reverse"},
        {"search", "staging"},
    };
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
            const char *arguments[10] = {"--store", story.store, "--color", "always"};
            char *at, *line;
            setenv("COLUMNS", widths[w], 1);
            for (size_t n = 0; n < 4 && said[i][n]; n++)
                arguments[n + 4] = said[i][n];
            program_run(&story.p, NULL, arguments);
            /* Of a trace only the outline: what stands before it is for reading in full. */
            at = strcmp(said[i][0], "show") == 0 ? strstr(story.p.out, "\nRests on:") : story.p.out;
            at = at ? at : strstr(story.p.out, "\nCarries:");
            while ((line = next_line(&at)))
                assert_in_range(shown_width(line), 0, strtoul(widths[w], NULL, 10));
        }
    unsetenv("COLUMNS");
}

static void colours_come_only_where_they_are_wanted(void **state)
{
    (void)state;
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store);
    assert_null(strchr(story.p.out, '\033'));
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store, "--color=always");
    assert_non_null(strstr(story.p.out, "\033[32m"));
    setenv("NO_COLOR", "1", 1);
    PROGRAM(&story.p, "list", "beliefs", "--store", story.store, "--color", "auto");
    assert_null(strchr(story.p.out, '\033'));
    PROGRAM(&story.p, "permissions", "--store", story.store, "--agent", "a\033[31mb");
    assert_null(strchr(story.p.out, '\033'));
    assert_non_null(strstr(story.p.out, "[31mb\n"));
    unsetenv("NO_COLOR");
}

static void letters_stand_in_where_there_is_no_utf8(void **state)
{
    char config[300];
    (void)state;
    story_path(config, sizeof(config), "ascii.yaml");
    FILE *f = fopen(config, "w");
    assert_non_null(f);
    fputs("ascii: yes\n", f);
    fclose(f);
    PROGRAM(&story.p, "list", "all", "--store", story.store, "--config", config);
    for (const char *c = story.p.out; *c; c++)
        assert_true((unsigned char)*c < 0x80);
    STORY_SAYS("G  belief:3218131c");
    STORY_SAYS("W  belief:");
    STORY_SAYS("U  belief:");
    STORY_SAYS("C  belief:");
    STORY_SAYS("-  belief:");
    PROGRAM(&story.p, "show", "belief:87cfa577", "--trace", "--store", story.store, "--config",
            config);
    STORY_SAYS("`- C belief:f71aadb8");
    STORY_SAYS("circle: belief:f71aadb8 -> belief:87cfa577");
    /* A character set that is named is taken at its word; none at all is UTF-8. */
    setenv("LC_ALL", "de_DE.ISO-8859-1", 1);
    PROGRAM(&story.p, "list", "all", "--store", story.store);
    STORY_SAYS("G  belief:3218131c");
    PROGRAM(&story.p, "help", "list");
    for (const char *c = story.p.out; *c; c++)
        assert_true((unsigned char)*c < 0x80);
    setenv("LC_ALL", "C", 1);
    PROGRAM(&story.p, "list", "all", "--store", story.store);
    STORY_SAYS("\xe2\x97\x8f  belief:3218131c");
    setenv("LC_ALL", "C.UTF-8", 1);
}

/* ---- without a terminal, and without a store ---- */

static void the_explorer_needs_a_terminal(void **state)
{
    char path[300];
    (void)state;
    PROGRAM(&story.p, story.store);
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("`stemma list all --store ");
    story_path(path, sizeof(path), "nowhere.db");
    PROGRAM(&story.p, path);
    assert_int_equal(story.p.status, 3);
    PROGRAM(&story.p, "demo");
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("/stemma/demo.db` lists what is there.");
    PROGRAM(&story.p, "demo", "--live", "--read-only");
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("two agents cannot write into a store that is open for reading only");
    story_path(path, sizeof(path), "deaf.yaml");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("listen: no\n", f);
    fclose(f);
    PROGRAM(&story.p, "demo", "--live", "--config", path);
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("the configuration says `listen: no`");
}

/* Where --store says, and never over what is there. */
static void a_demo_is_made_where_it_is_wanted(void **state)
{
    char path[300], line[400];
    struct stat before, after;
    (void)state;
    story_path(path, sizeof(path), "own/tale.db");
    snprintf(line, sizeof(line), "`stemma list all --store %.120s` lists", path);
    PROGRAM(&story.p, "demo", "--store", path);
    STORY_TELLS(line);
    PROGRAM(&story.p, "list", "belief", "--store", path);
    STORY_SAYS("belief:");
    assert_int_equal(stat(path, &before), 0);
    PROGRAM(&story.p, "demo", "--store", path);
    assert_int_equal(story.p.status, 2);
    STORY_TELLS("is there already");
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    PROGRAM(&story.p, "demo", "--store", "");
    STORY_TELLS("the path of the store is empty");
}

static void without_a_store_it_says_what_was_found(void **state)
{
    (void)state;
    char home[300];
    story_path(home, sizeof(home), "home");
    mkdir(home, 0700);
    setenv("HOME", home, 1);
    PROGRAM_WITH(&story.p, "", "--color", "never");
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("There is no store at ");
    STORY_SAYS("stemma demo");
    PROGRAM(&story.p, "--json");
    story.p.out[story.p.out_len - 1] = '\0';
    assert_true(*member(story.p.out, "found"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_command_has_help),
        cmocka_unit_test(options_agree_among_commands),
        cmocka_unit_test(wrong_usage_says_what_would_be_right),
        cmocka_unit_test(options_stand_where_they_like),
        cmocka_unit_test(values_may_begin_with_a_dash),
        cmocka_unit_test(a_list_is_paged_by_its_cursor),
        cmocka_unit_test(a_list_is_filtered),
        cmocka_unit_test(a_list_is_ordered),
        cmocka_unit_test(a_list_for_people_is_aligned),
        cmocka_unit_test(show_tells_all_of_a_memory),
        cmocka_unit_test(show_finds_what_is_meant_or_says_why_not),
        cmocka_unit_test(a_trace_shows_each_memory_once),
        cmocka_unit_test(a_trace_carries_the_history),
        cmocka_unit_test(a_trace_shows_circles_and_where_it_is_cut),
        cmocka_unit_test(search_finds_whole_words_first),
        cmocka_unit_test(orphans_are_a_problem_found),
        cmocka_unit_test(whatif_says_what_falls_and_writes_nothing),
        cmocka_unit_test(add_prints_the_ref),
        cmocka_unit_test(export_and_import_are_lossless),
        cmocka_unit_test(a_dry_run_writes_nothing),
        cmocka_unit_test(following_takes_over_changes_until_it_is_stopped),
        cmocka_unit_test(lines_that_cannot_be_read_are_named),
        cmocka_unit_test(a_store_that_is_not_there),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_closed_output_harms_nothing),
        cmocka_unit_test(a_reader_that_goes_away_is_no_error),
        cmocka_unit_test(lines_fit_the_width),
        cmocka_unit_test(colours_come_only_where_they_are_wanted),
        cmocka_unit_test(letters_stand_in_where_there_is_no_utf8),
        cmocka_unit_test(the_explorer_needs_a_terminal),
        cmocka_unit_test(a_demo_is_made_where_it_is_wanted),
        cmocka_unit_test(without_a_store_it_says_what_was_found),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, story_open, story_close);
}
