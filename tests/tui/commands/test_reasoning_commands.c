/* Reasoning on the command line: `chain`, `sources` and `cite`, as people and programs read them. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "tests/support/said.h"
#include "tests/support/story.h"

#define LONG   "chain:c6120492" /* of the story: ten steps, every origin of a score */
#define CLAIRE "chain:d9b22b33" /* one of two on the same question */

static char made[300]; /* the store of the test */

static void run(const char *command, const char *id, const char *how)
{
    PROGRAM(&story.p, command, id, "--store", made, how);
}

static void on_the_story(void)
{
    snprintf(made, sizeof(made), "%s", story.store);
}

/* The ref of the chain that `list` names first, by its question. */
static void find_chain(const char *question, char ref[64])
{
    PROGRAM(&story.p, "search", question, "--kind", "chain", "--json", "--store", made);
    assert_int_equal(story.p.status, 0);
    struct json_slice first = {story.p.out, strcspn(story.p.out, "\n")};
    struct json_slice value = said_member(first, "ref");
    snprintf(ref, 64, "%.*s", (int)value.len - 2, value.ptr + 1);
}

/* ---- a chain for reading ---- */

static void a_chain_says_what_each_step_used(void **state)
{
    (void)state;
    on_the_story();
    run("chain", LONG, NULL);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("chain:c6120492-5d96-4f35-804d-2ad5efc60ff0\n"
               "│ How can ledger_entries get a column without stopping the queue?\n");
    STORY_SAYS("\nanswer\n│ Drain the detached workers by hand; ");
    STORY_SAYS("\nstate        finished, 10 steps, 17 documents\n");
    STORY_SAYS("\nstrategy     decomposition\n");
    STORY_SAYS("\nconfidence   0.849\n");
    STORY_SAYS("\n   3  0.90    1.1 s  Then what was waited for?\n"
               "     │ The lock stood in line behind three detached workers, and everybody else "
               "stood in line behind the lock.\n"
               "     given     the answer of step 2\n");
    STORY_SAYS("     trace     The manual names the lock; ");
    STORY_SAYS("     supported yes, says sean: checked the sizes myself\n");
    STORY_SAYS("     carries   belief:8b05ee06  With a lock_timeout of two seconds");
    assert_int_equal(said_count("\n     given "), 6);
}

/* A source of each origin, as its line begins behind the bar. */
static const char *const scored[] = {" .96★  PostgreSQL 16, ALTER TABLE ",
                                     "~.80   Sean, on the phone ", "=.50   From a mailing list ",
                                     "?.70   Review of pull request 31 "};

/* What the bar before `rest` is drawn with: its first character. */
static void find_bar(const char *rest, char bar[8])
{
    const char *line = strstr(story.p.out, rest);
    if (!line)
        fail_msg("nothing says %s", rest);
    while (line > story.p.out && line[-1] != '\n')
        line--;
    line = strchr(line, '#') + 3; /* "#1 " */
    size_t len = 1;
    while ((line[len] & 0xc0) == 0x80)
        len++;
    snprintf(bar, 8, "%.*s", (int)len, line);
}

/* No two origins look alike, by their sign and by their bar. */
static void a_score_shows_where_it_comes_from(void **state)
{
    char bar[4][8];
    (void)state;
    on_the_story();
    run("chain", LONG, NULL);
    for (int i = 0; i < 4; i++) {
        find_bar(scored[i], bar[i]);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(bar[i], bar[k]);
    }
    STORY_SAYS("\nscores: measured plain, ~ heuristic, = default, ? asserted\n");
    STORY_SAYS("         rated irrelevant by sean: nothing in it on filling in; ");
    /* The rank of the retrieval stays, whatever the order. */
    const char *third = strstr(story.p.out, " .73   Runbook");
    assert_non_null(third);
    const char *second = strstr(third, " .68   Worker supervisor");
    assert_non_null(second);
    const char *rank = third;
    while (*rank != '#')
        rank--;
    assert_memory_equal(rank, "#3 ", 3);
    assert_memory_equal(strchr(third, '#'), "#2 ", 3);
}

static void what_changed_since_says_so(void **state)
{
    (void)state;
    on_the_story();
    run("chain", LONG, NULL);
    STORY_SAYS("worker-supervisor               chunk 14  changed since\n");
    STORY_SAYS("worker-supervisor               2 steps  changed since\n");
    STORY_SAYS("worker-supervisor               chunk 15\n"); /* another passage of it */
    assert_int_equal(said_count("changed since\n"), 3);
    run("chain", "chain:3589b33b", NULL); /* which has the newer one */
    STORY_SAYS_NOT("changed since\n");
}

static void a_step_shows_its_chain(void **state)
{
    (void)state;
    on_the_story();
    run("chain", "step:60d71f4b", NULL);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("chain:e928fb0a-da83-4639-98a3-c435d34a47ad\n");
    STORY_SAYS("\n>  2  0.88    1.1 s  Which lock did it take");
    assert_int_equal(said_count("\n>"), 1);
    run("chain", "60d71f4b", NULL); /* without its kind */
    assert_int_equal(said_count("\n>"), 1);
    run("sources", "step:60d71f4b", NULL);
    STORY_SAYS("\n> step 2    2  ");
    run("chain", "chain:e928fb0a", NULL);
    assert_int_equal(said_count("\n>"), 0);
}

static void one_that_was_left_says_so(void **state)
{
    char ref[64];
    (void)state;
    on_the_story();
    find_chain("partitions make", ref);
    run("chain", ref, NULL);
    STORY_SAYS("\nstate        abandoned, 3 steps, 4 documents\n");
    STORY_SAYS("\nconfidence   0.757, the mean of its steps so far\n");
    STORY_SAYS_NOT("answer\n");
}

/* Where "inference" would say nothing. */
static void a_list_says_how_far_each_is(void **state)
{
    static const char *const lists[][2] = {
        {"chain", "  finished, 10 steps  "},
        {"chain", "  abandoned, 3 steps  "},
        {"step", "  step 10  "},
        {"document", "  5 uses, changed  "},
        {"citation", "  page 12, Delivery"},
        {"attribution", "  database_query  "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        STORY("list", lists[i][0]);
        assert_int_equal(story.p.status, 0);
        STORY_SAYS(lists[i][1]);
        STORY_SAYS_NOT("  inference  ");
    }
    setenv("COLUMNS", "80", 1);
    STORY("list", "chain");
    STORY_SAYS("  finished, 10 steps   ");
    unsetenv("COLUMNS");
    STORY("list", "all");
    STORY_SAYS("  inference  ");
}

static void the_same_question_leads_to_the_other_answer(void **state)
{
    char ref[64];
    (void)state;
    on_the_story();
    find_chain("How often may the consumer", ref);
    run("chain", ref, NULL);
    const char *others = strstr(story.p.out, "\nthe same question\n");
    assert_non_null(others);
    assert_true(strstr(others, "Nine times") || strstr(others, "Three times"));
    assert_true(strstr(others, "decomposition") || strstr(others, "verify_each_claim"));
    assert_null(strstr(others, ref));
    run("chain", LONG, NULL);
    STORY_SAYS_NOT("the same question");
}

/* ---- widths, colours, character sets ---- */

static const char *const said[][3] = {
    {"chain", LONG}, {"chain", "step:60d71f4b"}, {"sources", LONG, "--excerpts"},
    {"cite", LONG},  {"cite", "release-0148"},
};
#define SAID (sizeof(said) / sizeof(said[0]))

static void every_line_fits(void **state)
{
    static const char *const widths[] = {"1", "40", "60", "80", "120", "200"};
    (void)state;
    on_the_story();
    for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
        for (size_t i = 0; i < SAID; i++) {
            size_t columns = strtoul(widths[w], NULL, 10);
            setenv("COLUMNS", widths[w], 1);
            STORY("--color", "always", said[i][0], said[i][1], said[i][2]);
            assert_int_equal(story.p.status, 0);
            /* A whole ref stands in one piece. */
            assert_in_range(story_widest(), 1, columns < 49 ? 49 : columns);
        }
    unsetenv("COLUMNS");
}

static void what_is_wide_shows_more(void **state)
{
    (void)state;
    on_the_story();
    setenv("COLUMNS", "80", 1);
    run("chain", LONG, NULL);
    STORY_SAYS("PostgreSQL 16, Explicit Loc…  postgres-16-explicit-lo…  2 steps\n");
    STORY_SAYS("Worker supervisor, drain and …  chunk 14  changed since\n");
    STORY_SAYS("\n     trace     The analysis of the outage took a rewrite for granted. The\n"
               "               release notes");
    setenv("COLUMNS", "200", 1);
    run("chain", LONG, NULL);
    STORY_SAYS("PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking  ");
    STORY_SAYS_NOT("…");
    unsetenv("COLUMNS");
    run("chain", LONG, NULL); /* into a pipe nothing is cut */
    STORY_SAYS_NOT("…");
}

static void without_colour_there_is_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAID; i++) {
        STORY(said[i][0], said[i][1], said[i][2]);
        assert_null(strchr(story.p.out, '\033'));
        char *plain = strdup(story.p.out);
        STORY("--color", "always", said[i][0], said[i][1], said[i][2]);
        assert_true(i >= 3 || strchr(story.p.out, '\033'));
        size_t n = 0;
        for (const char *c = story.p.out; *c; c++)
            if (*c == '\033')
                c += strcspn(c, "m");
            else if (plain[n++] != *c)
                fail_msg("in colours it says something else: %s", c);
        free(plain);
    }
}

static void without_utf8_it_is_ascii(void **state)
{
    (void)state;
    setenv("LC_ALL", "de_DE.ISO-8859-1", 1);
    for (size_t i = 0; i < SAID; i++) {
        STORY(said[i][0], said[i][1], said[i][2]);
        for (const char *c = story.p.out; *c; c++)
            assert_true((unsigned char)*c < 0x80);
    }
    STORY("chain", LONG);
    STORY_SAYS(" .96*  PostgreSQL 16, ALTER TABLE");
    for (int i = 1; i < 4; i++) {
        char bar[8];
        find_bar(scored[i], bar);
        assert_int_equal(bar[0], scored[i][0]); /* drawn with its sign */
    }
    setenv("LC_ALL", "C.UTF-8", 1);
}

/* ---- its sources ---- */

static void sources_stand_once_and_are_counted_by_step(void **state)
{
    (void)state;
    on_the_story();
    run("sources", LONG, NULL);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("\n17 sources, 3 primary ★\n  #1 ");
    STORY_SAYS(" .97★  Rehearsal of migration 0148, log ");
    STORY_SAYS("\n  step 6    3  worker-supervisor, worker-supervisor, deploy-runbook\n");
    STORY_SAYS_NOT("11 ms"); /* an excerpt */
    run("sources", LONG, "--excerpts");
    STORY_SAYS("\n    │ 03:00:02 try 1 lock_timeout · 03:00:05 try 2 lock_timeout");
}

/* The display form, with a rank where it is known and an excerpt where it is asked for. */
static void sources_are_displayed_as_json(void **state)
{
    (void)state;
    on_the_story();
    run("sources", LONG, "--json");
    struct json_slice all = said_answer();
    said_is(said_member(all, "total_sources"), "17");
    assert_int_equal(said_length(said_member(all, "all_sources")), 17);
    assert_int_equal(said_length(said_member(all, "primary_sources")), 3);
    struct json_slice first = said_element(said_member(all, "primary_sources"), 0);
    said_is(first,
            "{\"document_id\":\"rehearsal-0148\",\"title\":\"Rehearsal of migration 0148, log\","
            "\"relevance\":0.97,\"rank\":1}");
    said_is(said_element(said_member(all, "all_sources"), 16),
            "{\"document_id\":\"doc_3\",\"title\":\"From a mailing list\",\"relevance\":0.5}");
    said_is(said_member(said_member(all, "step_breakdown"), "step_6"),
            "{\"step_number\":6,\"sources_used\":3,\"document_ids\":[\"worker-supervisor\","
            "\"worker-supervisor\",\"deploy-runbook\"]}");
    PROGRAM(&story.p, "sources", LONG, "--json", "--excerpts", "--store", made);
    all = said_answer();
    assert_true(said_member(said_element(said_member(all, "all_sources"), 2), "excerpt").len > 10);
    assert_int_equal(said_length(said_member(all, "step_breakdown")), 10);
}

static void a_chain_is_whole_as_json(void **state)
{
    (void)state;
    on_the_story();
    run("chain", LONG, "--json");
    struct json_slice all = said_answer();
    said_is(said_member(all, "ref"), "\"chain:c6120492-5d96-4f35-804d-2ad5efc60ff0\"");
    said_is(said_member(all, "state"), "\"finished\"");
    said_is(said_member(all, "reasoning_strategy"), "\"decomposition\"");
    said_is(said_member(all, "total_execution_time"), "10.1");
    assert_int_equal(said_length(said_member(all, "reasoning_steps")), 10);
    struct json_slice third = said_element(said_member(all, "reasoning_steps"), 2);
    said_is(said_member(third, "step_number"), "3");
    struct json_slice source = said_element(said_member(third, "source_attributions"), 1);
    said_is(said_member(source, "document_id"), "\"worker-supervisor\"");
    said_is(said_member(source, "score_origin"), "\"measured\"");
    said_is(said_member(source, "changed_since"), "true");
    assert_int_equal(said_length(said_member(said_member(all, "search"), "sources")), 3);
    struct json_slice ref = said_member(third, "ref");
    char step[80], *whole = strdup(story.p.out);
    snprintf(step, sizeof(step), "%.*s", (int)ref.len - 2, ref.ptr + 1);
    run("chain", step, "--json");
    assert_string_equal(story.p.out, whole);
    run("sources", step, "--json");
    said_is(said_member(said_answer(), "total_sources"), "17");
    free(whole);
}

/* ---- citing ---- */

static void citations_of_a_message_read_in_their_rank(void **state)
{
    static const char listed[] = "(Rehearsal of migration 0148, log, page 2, Timings)\n"
                                 "(PostgreSQL 16, ALTER TABLE, Notes)\n"
                                 "(Worker supervisor, drain and registry, document)\n"
                                 "(Capacity plan Q4.xlsx, Sheet 'Queue', Cell B15)\n"
                                 "(Runbook: deploying the payments service, page 4)\n";
    (void)state;
    on_the_story();
    run("cite", "release-0148", NULL); /* a conversation with one message */
    assert_int_equal(story.p.status, 0);
    assert_string_equal(story.p.out, listed);
    run("cite", "m-3", NULL); /* that message */
    assert_string_equal(story.p.out, listed);
    run("cite", "m-3", "--format=plain");
    assert_string_equal(story.p.out, listed);
}

static void what_a_message_cited_before_is_left_out(void **state)
{
    (void)state;
    on_the_story();
    run("cite", "m-9", NULL);
    assert_int_equal(said_count("\n"), 4);
    run("cite", "retry-policy", NULL); /* two messages */
    assert_int_equal(said_count("\n"), 6);
    PROGRAM(&story.p, "list", "citation", "--status", "superseded", "--json", "--store", made);
    struct json_slice ref =
        said_member((struct json_slice){story.p.out, strcspn(story.p.out, "\n")}, "ref");
    char one[80];
    snprintf(one, sizeof(one), "%.*s", (int)ref.len - 2, ref.ptr + 1);
    run("cite", one, NULL);
    assert_int_equal(story.p.status, 0);
    assert_int_equal(said_count("\n"), 1);
    STORY_TELLS("it is superseded: its message has cited again since");
}

static void citations_are_json_as_get_citations_gives(void **state)
{
    (void)state;
    on_the_story();
    run("cite", "m-3", "--json");
    struct json_slice all = said_answer();
    said_is(said_member(all, "total"), "5");
    said_is(said_member(all, "uncertainty"), "\"none\"");
    struct json_slice fourth = said_element(said_member(all, "citations"), 3);
    said_is(said_member(fourth, "documentId"), "\"capacity-plan-q4\"");
    said_is(said_member(fourth, "formatted"),
            "\"(Capacity plan Q4.xlsx, Sheet 'Queue', Cell B15)\"");
    said_is(said_member(fourth, "messageId"), "\"m-3\"");
    said_is(said_member(fourth, "document"), "\"document:capacity-plan-q4\"");
    char *first = strdup(story.p.out);
    run("cite", "m-3", "--format=json");
    assert_string_equal(story.p.out, first);
    free(first);
    run("cite", "citation:41d4b816", "--json");
    all = said_answer();
    said_is(said_member(all, "total"), "1");
    said_is(said_member(said_element(said_member(all, "citations"), 0), "formatted"),
            "\"(Incident report: the payments queue, 41 minutes, page 3, Timeline)\"");
}

static void a_chain_is_cited_by_what_it_used(void **state)
{
    (void)state;
    on_the_story();
    run("cite", LONG, NULL);
    assert_int_equal(story.p.status, 0);
    assert_int_equal(said_count("\n"), 17);
    assert_true(strncmp(story.p.out, "(Rehearsal of migration 0148, log, document)\n", 45) == 0);
    STORY_SAYS("(Sean, on the phone, document)\n"); /* by its name, not by context_doc_2 */
    run("cite", "step:60d71f4b", NULL);
    assert_string_equal(story.p.out,
                        "(PostgreSQL 16, Explicit Locking, Table-Level Locks)\n"
                        "(Incident report: the payments queue, 41 minutes, document)\n");
    run("cite", "step:60d71f4b", "--json");
    struct json_slice all = said_answer();
    said_is(said_member(all, "total"), "2");
    said_is(said_member(said_element(said_member(all, "citations"), 0), "location"),
            "{\"section\":\"Table-Level Locks\"}");
}

static void a_document_is_cited_as_responses_did_or_whole(void **state)
{
    (void)state;
    on_the_story();
    run("cite", "document:broker-guide-delivery", NULL);
    assert_string_equal(story.p.out, "(Broker guide: delivery guarantees, page 11, Delivery)\n"
                                     "(Broker guide: delivery guarantees, page 12, Delivery)\n");
    run("cite", "document:slow-query-log", NULL);
    assert_string_equal(story.p.out, "(Slow query log, production, document)\n");
    STORY_TELLS("no response cites it yet");
    run("cite", "document:slow-query-log", "--json");
    said_is(said_member(said_answer(), "total"), "1");
}

static void a_conversation_comes_before_the_beginning_of_an_id(void **state)
{
    (void)state;
    story_store(made, sizeof(made), "named.db",
                "{\"ref\":\"document:talk-1234\",\"text\":\"Another\"}\n"
                "{\"ref\":\"document:d\",\"text\":\"Paper\"}\n"
                "{\"ref\":\"citation:one\",\"text\":\"s\",\"detail\":{\"document_id\":\"d\","
                "\"document_name\":\"Paper\",\"page\":7,\"conversation_id\":\"talk\","
                "\"message_id\":\"chat:1\"},\"justifications\":[{\"role\":\"citation\","
                "\"antecedents\":[{\"ref\":\"document:d\",\"relevance\":0.9}]}]}\n");
    run("cite", "talk", NULL);
    assert_string_equal(story.p.out, "(Paper, page 7)\n");
    run("cite", "chat:1", NULL); /* has the look of a ref's scheme */
    assert_string_equal(story.p.out, "(Paper, page 7)\n");
    run("cite", "talk-", NULL);
    assert_string_equal(story.p.out, "(Another, document)\n");
    PROGRAM(&story.p, "purge", "citation:one", "--yes", "--store", made);
    assert_int_equal(story.p.status, 0);
    run("cite", "citation:one", NULL);
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("was purged");
}

/* ---- what is not one ---- */

static void told(const char *command, const char *id, int status, const char *why)
{
    run(command, id, NULL);
    if (story.p.status != status)
        fail_msg("%s %s ends with %d", command, id, story.p.status);
    assert_string_equal(story.p.out, "");
    STORY_TELLS(why);
    /* One sentence of what is wrong, one of what to do. */
    assert_true(strchr(story.p.err, '.') < strrchr(story.p.err, '.'));
}

static void what_is_no_chain_is_told(void **state)
{
    static const char *const commands[] = {"chain", "sources", "cite"};
    (void)state;
    story_store(
        made, sizeof(made), "odd.db",
        "{\"ref\":\"belief:b\",\"text\":\"b\",\"derived_from\":[\"chain:never\"]}\n"
        "{\"ref\":\"step:alone\",\"text\":\"s\",\"detail\":{\"step_number\":1}}\n"
        "{\"ref\":\"chain:aaaa1\",\"text\":\"1\"}\n{\"ref\":\"chain:aaaa2\",\"text\":\"2\"}\n");
    for (size_t i = 0; i < 3; i++) {
        told(commands[i], "belief:b", 2, "but a memory of kind belief");
        told(commands[i], "chain:never", 1, "is named by others and was never written here");
        told(commands[i], "step:alone", 1, "is part of no chain");
        told(commands[i], "aaaa", 2, "may be any of 2 memories");
        told(commands[i], "chain:nothing", 1, "called chain:nothing");
    }
    run("chain", "chain:aaaa1", NULL);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("abandoned, 0 steps, 0 documents");
    run("sources", "chain:aaaa1", "--json");
    said_is(said_answer(), "{\"total_sources\":0,\"primary_sources\":[],\"all_sources\":[],"
                           "\"step_breakdown\":{}}");
    run("cite", "chain:aaaa1", NULL);
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("has no sources to cite");
    run("chain", "chain:aaaa1", "chain:aaaa2");
    assert_int_equal(story.p.status, 2);
    run("cite", "chain:aaaa1", "--format=bibtex");
    assert_int_equal(story.p.status, 2);
}

static void reading_changes_nothing(void **state)
{
    struct stat before, after;
    (void)state;
    on_the_story();
    assert_int_equal(stat(made, &before), 0);
    for (size_t i = 0; i < SAID; i++) {
        STORY("--read-only", said[i][0], said[i][1], said[i][2]);
        assert_int_equal(story.p.status, 0);
    }
    assert_int_equal(stat(made, &after), 0);
    assert_true(before.st_size == after.st_size && before.st_mtime == after.st_mtime);
}

/* A chain as it stood before its second step was written. */
static void a_chain_is_read_as_of_then(void **state)
{
    (void)state;
    story_store(made, sizeof(made), "then.db",
                "{\"ref\":\"chain:c\",\"text\":\"why?\"}\n"
                "{\"ref\":\"step:1\",\"text\":\"first\",\"detail\":{\"step_number\":1},"
                "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:c\"}]}\n");
    PROGRAM_WITH(&story.p,
                 "{\"ref\":\"step:2\",\"text\":\"second\",\"detail\":{\"step_number\":2},"
                 "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:c\"}]}\n",
                 "import", "jsonl", "-", "--store", made);
    run("chain", "chain:c", NULL);
    STORY_SAYS("2 steps");
    PROGRAM(&story.p, "chain", "chain:c", "--as-of", "@2", "--store", made);
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("1 step,");
    STORY_SAYS_NOT("second");
    PROGRAM(&story.p, "chain", "step:2", "--as-of", "@2", "--store", made);
    assert_int_equal(story.p.status, 1);
    STORY_TELLS("was not there yet");
}

/* A text's own citations are found without a store, at characters and not at bytes. */
static void what_a_text_cites_is_found(void **state)
{
    (void)state;
    PROGRAM_WITH(&story.p,
                 "Revenue was €5.2M (source: Q3_Report.pdf, p.12), see (source: Smith, "
                 "Jones.pdf, Section 4).\n",
                 "cite", "--in", "-");
    assert_int_equal(story.p.status, 0);
    STORY_SAYS("    19  (Q3_Report.pdf, page 12)\n");
    STORY_SAYS("    54  (Smith, Jones.pdf, Section 4)\n");
    PROGRAM_WITH(&story.p, "€ (source: A, p.1)", "cite", "--in", "-", "--json");
    assert_int_equal(story.p.status, 0);
    struct json_slice cited = said_member(said_answer(), "cited");
    assert_int_equal(said_length(cited), 1);
    said_is(said_member(said_element(cited, 0), "at"), "2");
    said_is(said_member(said_element(cited, 0), "page"), "1");
    PROGRAM_WITH(&story.p, "nothing", "cite", "--in", "-");
    assert_int_equal(story.p.status, 1);
    PROGRAM_WITH(&story.p, "\xff\n", "cite", "--in", "-");
    assert_int_equal(story.p.status, 3);
    STORY_TELLS("is no text");
    PROGRAM(&story.p, "cite", "m-1", "--in", "-");
    assert_int_equal(story.p.status, 2);
    PROGRAM(&story.p, "cite");
    assert_int_equal(story.p.status, 2);
}

/* ---- what stands in it ---- */

/* An answer, a trace and a reason that imitate the command's own lines. */
static void words_cannot_pass_for_the_programs(void **state)
{
    static const char forged[] =
        "x\\nstate        finished, 9 steps\\n   9  1.00    1.0 s  Forged?\\n"
        "      #1 ████████  .99★  Forged";
    struct strbuf lines = STRBUF_INIT;
    (void)state;
    strbuf_addf(&lines,
                "{\"ref\":\"chain:c\",\"agent_id\":\"a%s\",\"text\":\"q%s\",\"detail\":"
                "{\"final_answer\":\"f%s\",\"strategy\":\"s%s\"}}\n"
                "{\"ref\":\"step:s\",\"text\":\"q%s\",\"detail\":{\"step_number\":1,"
                "\"intermediate_answer\":\"i%s\",\"reasoning_trace\":\"t%s\"},"
                "\"justifications\":[{\"role\":\"source\",\"antecedents\":[{\"ref\":\"document:d\","
                "\"relevance\":0.5,\"excerpt\":\"e%s\",\"title\":\"n%s\"}]}],"
                "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:c\"}],"
                "\"marks\":[{\"mark\":\"faithful\",\"at\":1,\"actor\":\"a%s\",\"value\":\"v%s\","
                "\"reason\":\"r%s\"},{\"mark\":\"rating\",\"at\":1,\"actor\":\"a%s\","
                "\"value\":\"document:d relevant\",\"reason\":\"r%s\"}]}\n"
                "{\"ref\":\"document:d\",\"text\":\"d%s\"}\n",
                forged, forged, forged, forged, forged, forged, forged, forged, forged, forged,
                forged, forged, forged, forged, forged);
    story_store(made, sizeof(made), "forged.db", lines.buf);
    strbuf_release(&lines);
    for (int columns = 0; columns < 3; columns++) {
        if (columns)
            setenv("COLUMNS", columns == 1 ? "80" : "200", 1);
        run("chain", "chain:c", NULL);
        assert_int_equal(story.p.status, 0);
        assert_int_equal(said_count("\nstate "), 1);
        assert_int_equal(said_count("\n   9"), 0);
        assert_int_equal(said_count("\n      #1"), 0);
        STORY_SAYS("\n│ state        finished, 9 steps\n");
        run("sources", "chain:c", "--excerpts");
        assert_int_equal(said_count("\nstate "), 0);
        assert_int_equal(said_count("\n      #1"), 0);
        run("cite", "chain:c", NULL);
        assert_true(*story.p.out == '(');
        assert_int_equal(said_count("\n   9"), 0);
    }
    unsetenv("COLUMNS");
}

/* Numbers that only an import can bring. */
static void odd_values_are_shown_for_what_they_are(void **state)
{
    (void)state;
    story_store(
        made, sizeof(made), "values.db",
        "{\"ref\":\"chain:c\",\"text\":\"\",\"detail\":{\"final_answer\":7,\"total_time\":-1}}\n"
        "{\"ref\":\"step:none\",\"text\":\"none\",\"relations\":[{\"type\":\"part_of\","
        "\"to\":\"chain:c\"}]}\n"
        "{\"ref\":\"step:big\",\"text\":\"big\",\"detail\":{\"step_number\":9223372036854775807,"
        "\"execution_time\":1e300},\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:c\"}],"
        "\"justifications\":[{\"role\":\"source\",\"antecedents\":[{\"ref\":\"document:gone\","
        "\"relevance\":1,\"rank\":9223372036854775807,\"chunk\":9223372036854775807},"
        "{\"ref\":\"document:other\"}]}]}\n");
    for (int w = 0; w < 3; w++) {
        if (w)
            setenv("COLUMNS", w == 1 ? "80" : "20", 1);
        for (size_t i = 0; i < 3; i++) {
            static const char *const commands[] = {"chain", "sources", "cite"};
            run(commands[i], "chain:c", NULL);
            assert_int_equal(story.p.status, 0);
            run(commands[i], "chain:c", "--json");
            said_answer();
        }
    }
    unsetenv("COLUMNS");
    run("chain", "chain:c", NULL);
    STORY_SAYS("missing");
    STORY_SAYS("chunk 9223372036854775807");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_says_what_each_step_used),
        cmocka_unit_test(a_score_shows_where_it_comes_from),
        cmocka_unit_test(what_changed_since_says_so),
        cmocka_unit_test(a_step_shows_its_chain),
        cmocka_unit_test(one_that_was_left_says_so),
        cmocka_unit_test(a_list_says_how_far_each_is),
        cmocka_unit_test(the_same_question_leads_to_the_other_answer),
        cmocka_unit_test(every_line_fits),
        cmocka_unit_test(what_is_wide_shows_more),
        cmocka_unit_test(without_colour_there_is_none),
        cmocka_unit_test(without_utf8_it_is_ascii),
        cmocka_unit_test(sources_stand_once_and_are_counted_by_step),
        cmocka_unit_test(sources_are_displayed_as_json),
        cmocka_unit_test(a_chain_is_whole_as_json),
        cmocka_unit_test(citations_of_a_message_read_in_their_rank),
        cmocka_unit_test(what_a_message_cited_before_is_left_out),
        cmocka_unit_test(citations_are_json_as_get_citations_gives),
        cmocka_unit_test(a_chain_is_cited_by_what_it_used),
        cmocka_unit_test(a_document_is_cited_as_responses_did_or_whole),
        cmocka_unit_test(a_conversation_comes_before_the_beginning_of_an_id),
        cmocka_unit_test(what_is_no_chain_is_told),
        cmocka_unit_test(reading_changes_nothing),
        cmocka_unit_test(a_chain_is_read_as_of_then),
        cmocka_unit_test(what_a_text_cites_is_found),
        cmocka_unit_test(words_cannot_pass_for_the_programs),
        cmocka_unit_test(odd_values_are_shown_for_what_they_are),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, story_open, story_close);
}
