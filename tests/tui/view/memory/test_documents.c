/*
 * Documents, retrievals and strategies as a person sees them: who used a document and how, what changed
 * since, when things were retrieved, and how chains on the same question differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/style.h"
#include "tui/term/paint.h"
#include "tests/support/golden.h"
#include "tests/support/viewed.h"

#define OLD_HASH  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define NEW_HASH  "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define MORE_USES 90 /* steps that use the manual besides: more than are read at once */

/* ---- what is there ---- */

static void put_documents(struct fixture *f)
{
    fixture_put(
        f,
        "{\"ref\":\"attribution:logged-1\",\"agent_id\":\"ash\",\"text\":\"The chapter on locks\","
        "\"created_at\":1794000000000,\"detail\":{\"source_type\":\"web_scrape\",\"source_uri\":"
        "\"https://pg.example/locking\",\"retrieval_timestamp\":1794000000000}}",
        "{\"ref\":\"attribution:logged-2\",\"agent_id\":\"claire\",\"text\":\"The same page, "
        "again\",\"created_at\":1794500000000,\"detail\":{\"source_type\":\"web_scrape\","
        "\"source_uri\":\"https://pg.example/locking\",\"retrieval_timestamp\":1794500000000}}",
        "{\"ref\":\"attribution:logged-3\",\"agent_id\":\"ash\",\"text\":\"In seconds\","
        "\"created_at\":1794600000000,\"detail\":{\"source_type\":\"tavily_search\",\"source_uri\":"
        "\"how long is a lock\",\"retrieval_timestamp\":1794600000}}",
        "{\"ref\":\"attribution:logged-4\",\"agent_id\":\"ash\",\"text\":\"A search\","
        "\"created_at\":1794700000000,\"detail\":{\"source_type\":\"tavily_search\","
        "\"retrieval_timestamp\":1794700000000}}",
        "{\"ref\":\"document:pg16-locking\",\"agent_id\":\"ash\",\"text\":\"PostgreSQL 16, "
        "Explicit "
        "Locking\",\"created_at\":1794000000000,\"detail\":{\"document_id\":\"pg16-locking\","
        "\"uri\":\"https://pg.example/locking\"},\"justifications\":[{\"role\":\"derived_from\","
        "\"antecedents\":[\"attribution:logged-1\"]}]}",
        "{\"ref\":\"document:incident\",\"agent_id\":\"claire\",\"text\":\"Incident report, 3 "
        "February\",\"created_at\":1794000000000}",
        "{\"ref\":\"document:supervisor\",\"agent_id\":\"ash\",\"text\":\"Worker supervisor\","
        "\"created_at\":1794000000000}",
        NULL);
}

#define STEP(id, number, chain, at, text, sources)                                                 \
    "{\"ref\":\"step:" id "\",\"agent_id\":\"ash\",\"text\":\"" text "\",\"confidence\":0.9,"      \
    "\"created_at\":" at ",\"detail\":{\"step_number\":" number ",\"intermediate_answer\":"        \
    "\"Answer of " id "\",\"execution_time\":0.8},\"relations\":[{\"type\":\"part_of\",\"to\":"    \
    "\"chain:" chain "\"}],\"justifications\":[{\"role\":\"source\",\"reading\":\"any\","          \
    "\"antecedents\":[" sources "]}]}"
#define CHAIN(id, question, answer, strategy, steps)                                               \
    "{\"ref\":\"chain:" id "\",\"agent_id\":\"ash\",\"text\":\"" question                          \
    "\",\"confidence\":0.85,"                                                                      \
    "\"created_at\":1794100000000,\"detail\":{" answer "\"strategy\":\"" strategy "\","            \
    "\"total_time\":4.2}" steps "}"
#define RESTS_ON(steps)                                                                            \
    ",\"justifications\":[{\"role\":\"step\",\"reading\":\"all\",\"antecedents\":[" steps "]}]"
#define QUESTION "Why did the deploy stop the queue?"

static void put_chains(struct fixture *f)
{
    fixture_put(
        f,
        STEP("first-1", "1", "first", "1794100000000", "What was locked?",
             "{\"ref\":\"document:pg16-locking\",\"relevance\":0.95,\"score\":\"measured\","
             "\"excerpt\":\"ACCESS EXCLUSIVE conflicts with every mode.\",\"chunk\":14,\"rank\":1,"
             "\"version_hash\":\"" OLD_HASH "\"},{\"ref\":\"document:incident\",\"relevance\":0.6,"
             "\"score\":\"heuristic\",\"label\":\"context_doc_1\"}"),
        STEP("first-2", "2", "first", "1794100060000", "Who waited?",
             "{\"ref\":\"document:incident\",\"relevance\":0.5,\"score\":\"default\"}"),
        CHAIN("first", QUESTION,
              "\"final_answer\":\"The migration held a lock while nine workers waited.\",",
              "step_by_step", RESTS_ON("\"step:first-1\",\"step:first-2\"")),
        STEP("second-1", "1", "second", "1794200000000", "Which lock was it?",
             "{\"ref\":\"document:pg16-locking\",\"relevance\":0.7,\"score\":\"asserted\","
             "\"excerpt\":\"ACCESS EXCLUSIVE waits for every mode.\",\"chunk\":14,"
             "\"version_hash\":\"" NEW_HASH "\",\"title\":\"The manual\"}"),
        CHAIN("second", "  why did the DEPLOY stop the queue?",
              "\"final_answer\":\"The migration held a lock while three workers waited.\",",
              "decomposition", RESTS_ON("\"step:second-1\"")),
        STEP("third-1", "1", "third", "1794300000000", "What does a worker hold?",
             "{\"ref\":\"document:supervisor\",\"relevance\":0.83,\"score\":\"measured\"}"),
        CHAIN("third", QUESTION, "", "tree", ""),
        CHAIN("other", "Something else?", "\"final_answer\":\"No.\",", "tree", ""), NULL);
}

static void put_rest(struct fixture *f)
{
    fixture_put(
        f,
        "{\"ref\":\"citation:quoted-1\",\"agent_id\":\"claire\",\"text\":\"Every mode conflicts.\","
        "\"created_at\":1794400000000,\"detail\":{\"document_id\":\"pg16-locking\","
        "\"document_name\":\"PostgreSQL manual\",\"page\":12,\"section\":\"Table-level locks\","
        "\"conversation_id\":\"chat-7\",\"message_id\":\"m-3\"},\"justifications\":[{\"role\":"
        "\"citation\",\"antecedents\":[{\"ref\":\"document:pg16-locking\",\"relevance\":0.88,"
        "\"score\":\"measured\",\"page\":12,\"section\":\"Table-level locks\"}]}]}",
        "{\"ref\":\"note:direct-1\",\"agent_id\":\"ash\",\"text\":\"Read the chapter on locks\","
        "\"created_at\":1794410000000,\"derived_from\":[\"document:pg16-locking\"]}",
        "{\"ref\":\"belief:concluded-1\",\"agent_id\":\"ash\",\"text\":\"A migration needs a lock "
        "timeout\",\"created_at\":1794420000000,\"derived_from\":[\"step:first-1\"]}",
        NULL);
}

/* Steps of one more chain, each of which uses the manual. */
static void put_many(struct fixture *f, const char *chain, int from, int count)
{
    struct strbuf line = STRBUF_INIT;
    for (int i = from; i < from + count; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"step:%s-%d\",\"agent_id\":\"ash\",\"text\":\"Question %d of "
                    "many\",\"created_at\":%lld,\"detail\":{\"step_number\":%d},\"relations\":[{"
                    "\"type\":\"part_of\",\"to\":\"chain:%s\"}],\"justifications\":[{\"role\":"
                    "\"source\",\"antecedents\":[{\"ref\":\"document:pg16-locking\",\"relevance\":"
                    "0.5,\"score\":\"default\"}]}]}",
                    chain, i, i, 1793000000000LL + i, i, chain);
        fixture_put(f, line.buf, NULL);
    }
    strbuf_release(&line);
}

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    put_documents(&s->fixture);
    put_chains(&s->fixture);
    put_rest(&s->fixture);
    s->script.columns = 120;
    s->script.rows = 50;
    *state = s;
    return 0;
}

static void hides(struct viewed *s, const char *keys, const char *text)
{
    const char *frame = script_run(&s->script, keys);
    if (strstr(frame, text)) {
        fputs(frame, stderr);
        fail_msg("after %s there is \"%s\"", keys, text);
    }
}

/* The line that the cursor is on holds it. */
static void stands_on(struct viewed *s, const char *keys, const char *text)
{
    const char *frame = script_run(&s->script, keys), *cursor = strstr(frame, "\n > ");
    const char *found = cursor ? strstr(cursor, text) : NULL;
    if (!found || memchr(cursor + 1, '\n', (size_t)(found - cursor - 1))) {
        fputs(frame, stderr);
        fail_msg("after %s the cursor is not on \"%s\"", keys, text);
    }
}

#define DOCUMENT   ":goto document:pg16-locking<Enter>"
#define RETRIEVALS ":retrievals<Enter>"
#define STRATEGIES ":goto chain:first<Enter>="

/* ---- frames ---- */

static void test_frames(void **state)
{
    static const struct golden_view views[] = {
        {"docs-document", DOCUMENT},
        {"docs-document-cited", DOCUMENT "<Tab><Tab>"},
        {"docs-document-versions", DOCUMENT "<Tab><Tab><Tab><Tab><Tab>"},
        {"docs-retrievals", RETRIEVALS},
        {"docs-retrievals-open", RETRIEVALS "<Enter>j"},
        {"docs-retrievals-uri", RETRIEVALS "#"},
        {"docs-strategies", STRATEGIES},
        {"docs-strategies-sources", STRATEGIES "<Tab><Tab>"},
        {"docs-chains", "6"},
        {"docs-steps", ":steps<Enter>"},
        {"docs-documents", "7/pg<Esc>"},
        {"docs-citations", ":citations<Enter>"},
        {"docs-attributions", "5"},
    };
    struct viewed *s = *state;
    golden_check_views(&s->script, views, sizeof(views) / sizeof(views[0]));
}

/* What is told by a colour is told by a word or a sign as well. */
static void test_without_colour(void **state)
{
    struct viewed *s = *state;
    static const char *const keys[] = {DOCUMENT, RETRIEVALS, STRATEGIES, "7", "6"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        s->script.no_colour = false;
        char *coloured = strdup(script_run(&s->script, keys[i]));
        s->script.no_colour = true;
        assert_string_equal(script_run(&s->script, keys[i]), coloured);
        free(coloured);
    }
}

/* ---- a document ---- */

static void test_uses(void **state)
{
    struct viewed *s = *state;
    viewed_shows(s, DOCUMENT, "2 steps · 2 chains");
    viewed_shows(s, DOCUMENT, ".95  chunk 14");
    viewed_shows(s, DOCUMENT, "?.70  chunk 14");
    viewed_shows(s, DOCUMENT, "\"ACCESS EXCLUSIVE conflicts with every mode.\"");
    viewed_shows(s, DOCUMENT, "called \"The manual\" there");
    viewed_shows(s, DOCUMENT, "page 12, Table-level locks");
    viewed_shows(s, DOCUMENT, "Read the chapter on locks");
    viewed_shows(s, DOCUMENT, "A migration needs a lock timeout");
    viewed_shows(s, DOCUMENT, "4 uses · 1 belief");
    viewed_shows(s, ":goto document:incident<Enter>", "~.60");
    viewed_shows(s, ":goto document:incident<Enter>", "=.50");
    viewed_shows(s, ":goto document:incident<Enter>", "as context_doc_1");
}

/* A step that used two passages is one step, and both are told: in full and beside the list. */
static void test_two_passages(void **state)
{
    struct viewed *s = *state;
    fixture_put(&s->fixture,
                "{\"ref\":\"document:guide\",\"agent_id\":\"ash\",\"text\":\"A guide\"}",
                STEP("both-1", "1", "first", "1794800000000", "Which of them?",
                     "{\"ref\":\"document:guide\",\"relevance\":0.93,\"score\":\"measured\","
                     "\"chunk\":5}]},{\"role\":\"source\",\"antecedents\":[{\"ref\":\"document:"
                     "guide\",\"relevance\":0.66,\"score\":"
                     "\"measured\",\"chunk\":3,\"excerpt\":\"Within a heartbeat.\"}"),
                NULL);
    viewed_shows(s, ":goto document:guide<Enter>", ".93  chunk 5");
    viewed_shows(s, ":goto document:guide<Enter>", ".66  chunk 3");
    viewed_shows(s, ":goto document:guide<Enter>", "\"Within a heartbeat.\"");
    viewed_shows(s, ":goto document:guide<Enter>", "1 step · 1 chain");
    viewed_shows(s, "7/A guide<Enter>", ".66  and another passage");
}

/* The use of the older content says that it changed, the one of the newer does not. */
static void test_changed(void **state)
{
    struct viewed *s = *state;
    const char *frame = viewed_shows(s, DOCUMENT, "changed since");
    const char *mark = strstr(frame, "changed since");
    assert_null(strstr(mark + 1, "changed since"));
    const char *excerpt = strstr(frame, "conflicts with every mode.");
    assert_true(excerpt < mark && !memchr(excerpt, '\n', (size_t)(mark - excerpt)));
    viewed_shows(s, DOCUMENT, "2 versions of 1 passage");
    viewed_shows(s, DOCUMENT, "aaaaaaaaaaaa  earlier");
    viewed_shows(s, DOCUMENT, "bbbbbbbbbbbb  current");
}

static void test_logged(void **state)
{
    struct viewed *s = *state;
    viewed_shows(s, ":goto attribution:logged-1<Enter>", "1794000000000  2026-11-0");
    viewed_shows(s, DOCUMENT, "recorded");
    viewed_shows(s, DOCUMENT, "matched");
    viewed_shows(s, ":goto document:supervisor<Enter>", "no retrieval of it was logged");
    viewed_shows(s, ":goto document:supervisor<Enter>", "no belief rests on it");
    viewed_shows(s, ":goto document:supervisor<Enter>", "no use says what the passage was then");
}

/* As much as is wanted is read, what is left is said, and the cursor stays where it asked for more. */
static void test_pages(void **state)
{
    struct viewed *s = *state;
    s->script.rows = 24;
    fixture_put(&s->fixture, "{\"ref\":\"chain:many\",\"agent_id\":\"ash\",\"text\":\"Many\"}",
                NULL);
    put_many(&s->fixture, "many", 1, MORE_USES);
    viewed_shows(s, DOCUMENT, "92 steps · 3 chains");
    /* The last of the section is what stands for the rest. */
    viewed_shows(s, DOCUMENT "/Enter reads on<Enter>", "68 more; Enter reads on");
    hides(s, DOCUMENT "/Enter reads on<Enter><Enter>", "more; Enter reads on");
    viewed_shows(s, DOCUMENT "/Enter reads on<Enter><Enter>/Question 3 of<Enter>",
                 "Question 3 of many");
    viewed_shows(s, DOCUMENT "/Question 3 of<Enter>", "nothing here matches");
    /* What stands for the rest is no memory: nothing is done to the document from there. */
    viewed_shows(s, DOCUMENT "/Enter reads on<Enter>D", "there is no memory here");
}

/* A step that is part of no chain: that is said, and the step opens by itself. */
static void test_of_no_chain(void **state)
{
    struct viewed *s = *state;
    fixture_put(&s->fixture,
                "{\"ref\":\"step:loose-1\",\"agent_id\":\"ash\",\"text\":\"On its own\","
                "\"justifications\":[{\"role\":\"source\",\"antecedents\":[\"document:supervisor\""
                "]}]}",
                NULL);
    viewed_shows(s, ":goto document:supervisor<Enter>", "of no chain");
    viewed_shows(s, ":goto document:supervisor<Enter>/On its own<Enter><Enter>",
                 "› step:loose-1\n");
    viewed_shows(s, ":steps<Enter>", "On its own");
}

/* A document that was only named: what used it is shown all the same. */
static void test_missing(void **state)
{
    struct viewed *s = *state;
    fixture_put(
        &s->fixture,
        STEP("named-1", "1", "first", "1794100000000", "Which one?",
             "{\"ref\":\"document:never-written\",\"relevance\":0.4,\"score\":\"measured\"}"),
        NULL);
    viewed_shows(s, ":goto document:never-written<Enter>", "used, and never written here");
    viewed_shows(s, ":goto document:never-written<Enter>", "Which one?");
}

/* Anywhere down, and back to the same line. */
static void test_drill(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 200;
    stands_on(s, DOCUMENT "j", "chain:second");
    viewed_shows(s, DOCUMENT "jj<Enter>", "› chain:second ");
    viewed_shows(s, DOCUMENT "jj<Enter>", "Which lock was it?");
    viewed_shows(s, DOCUMENT "jj<Enter>=", "3 strategies");
    stands_on(s, DOCUMENT "jj<Enter>q", "Which lock was it?");
    stands_on(s, DOCUMENT "<Tab><Tab>", "citation:quoted-1");
    viewed_shows(s, DOCUMENT "<Tab><Tab><Enter>", "› citation:quoted-1");
    stands_on(s, DOCUMENT "<Tab><Tab><Enter>q", "citation:quoted-1");
    viewed_shows(s, DOCUMENT "/lock timeout<Enter><Enter>", "› belief:concluded-1");
    viewed_shows(s, DOCUMENT "/matched<Enter><Enter>", "› attribution:logged-2");
    stands_on(s, DOCUMENT "/matched<Enter><Enter>q", "attribution:logged-2");
    /* The plain facts of it, and its lineage, from where the cursor is on none of its lines. */
    viewed_shows(s, DOCUMENT ".", "── rests on ");
    viewed_shows(s, DOCUMENT "r", "document:pg16-locking carries");
    viewed_shows(s, DOCUMENT "<Enter>", "the cursor is on no other memory");
    viewed_shows(s, "7/PostgreSQL<Enter><Enter>", "used in reasoning");
}

static void at_shot(struct script *script, const char *name)
{
    struct viewed *s = (struct viewed *)script;
    if (!strcmp(name, "used"))
        put_many(&s->fixture, "first", 3, 1);
    if (!strcmp(name, "logged"))
        fixture_put(&s->fixture,
                    "{\"ref\":\"attribution:logged-5\",\"agent_id\":\"ash\",\"text\":\"One more\","
                    "\"created_at\":1794800000000,\"detail\":{\"source_type\":\"web_scrape\","
                    "\"source_uri\":\"https://pg.example/locking\",\"retrieval_timestamp\":"
                    "1794800000000}}",
                    NULL);
    if (!strcmp(name, "answered"))
        fixture_put(&s->fixture,
                    CHAIN("third", QUESTION, "\"final_answer\":\"A worker held it.\",", "tree",
                          RESTS_ON("\"step:third-1\"")),
                    NULL);
}

/* What others write lands, and the cursor stays on its memory. */
static void test_news(void **state)
{
    struct viewed *s = *state;
    s->script.at_shot = at_shot;
    stands_on(s, DOCUMENT "<Tab><Tab><shot:used><C-l>", "citation:quoted-1");
    viewed_shows(s, DOCUMENT, "3 steps · 2 chains");
    stands_on(s, RETRIEVALS "<Enter>j<shot:logged><C-l>", "attribution:logged-4");
    viewed_shows(s, RETRIEVALS, "5 retrievals · 2 groups");
    viewed_shows(s, STRATEGIES "<shot:answered><C-l>", "A worker held it.");
}

/* As the store was before: what was written since is not there. */
static void test_as_of(void **state)
{
    struct viewed *s = *state;
    char keys[200];
    snprintf(keys, sizeof(keys), ":asof @8<Enter>%s", DOCUMENT);
    viewed_shows(s, keys, "1 step · ");
    hides(s, keys, "Which lock was it?");
    viewed_shows(s, DOCUMENT ":asof @8<Enter>", "1 step · ");
    viewed_shows(s, RETRIEVALS ":asof @2<Enter>", "2 retrievals");
}

/* ---- retrievals ---- */

static void test_groups(void **state)
{
    struct viewed *s = *state;
    viewed_shows(s, RETRIEVALS, "retrievals › by type");
    viewed_shows(s, RETRIEVALS, "4 retrievals · 2 groups · 1 suspect");
    stands_on(s, RETRIEVALS, "tavily_search");
    stands_on(s, RETRIEVALS "j", "web_scrape");
    viewed_shows(s, RETRIEVALS "#", "by URI");
    viewed_shows(s, RETRIEVALS "#", "(none)");
    viewed_shows(s, RETRIEVALS "##", "by agent");
    stands_on(s, RETRIEVALS "##j", "claire");
    viewed_shows(s, RETRIEVALS "###", "by type");
    viewed_shows(s, "5#", "by type");
    viewed_shows(s, "6#", "only logged retrievals have groups");
    viewed_shows(s, ":retrievals agent<Enter>", "by agent");
    viewed_shows(s, RETRIEVALS ":agent claire<Enter>", "1 retrieval · 1 group");
}

static void test_unfolding(void **state)
{
    struct viewed *s = *state;
    hides(s, RETRIEVALS, "attribution:logged-4");
    viewed_shows(s, RETRIEVALS "<Enter>", "attribution:logged-4");
    /* Newest first, and the one that was given in seconds is told. */
    const char *frame = viewed_shows(s, RETRIEVALS "<Enter>", "suspect");
    assert_true(strstr(frame, "logged-4") < strstr(frame, "logged-3"));
    viewed_shows(s, RETRIEVALS "l", "attribution:logged-4");
    hides(s, RETRIEVALS "ljh", "attribution:logged-4");
    stands_on(s, RETRIEVALS "ljh", "tavily_search");
    hides(s, RETRIEVALS "<Enter><Enter>", "attribution:logged-4");
    stands_on(s, RETRIEVALS "<Enter><Tab>", "web_scrape");
    viewed_shows(s, RETRIEVALS "<Enter>j<Enter>", "› attribution:logged-4");
    viewed_shows(s, RETRIEVALS "<Enter>j", "── attribution:logged-4");
}

static void test_group_pages(void **state)
{
    struct viewed *s = *state;
    struct strbuf line = STRBUF_INIT;
    for (int i = 0; i < 50; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"attribution:more-%d\",\"agent_id\":\"ash\",\"text\":\"n%d\","
                    "\"detail\":{\"source_type\":\"git_show\",\"retrieval_timestamp\":%lld}}",
                    i, i, 1794000000000 + i * 3600000LL);
        fixture_put(&s->fixture, line.buf, NULL);
    }
    strbuf_release(&line);
    viewed_shows(s, RETRIEVALS "/git<Enter><Enter>G", "10 more; Enter reads on");
    s->script.rows = 80;
    viewed_shows(s, RETRIEVALS "/git<Enter><Enter>G<Enter>G", "attribution:more-0 ");
}

/* ---- strategies ---- */

static void test_compared(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 200;
    viewed_shows(s, STRATEGIES, "3 strategies");
    viewed_shows(s, STRATEGIES, "one question");
    viewed_shows(s, STRATEGIES, "2 different answers: what differs stands out");
    viewed_shows(s, STRATEGIES, "no answer: it was abandoned");
    viewed_shows(s, STRATEGIES, "3 documents · 0 by all · 2 by one");
    viewed_shows(s, STRATEGIES, "used by 2 of 3");
    viewed_shows(s, STRATEGIES, "only 1 used");
    /* From a step of it, and from the list. */
    viewed_shows(s, ":goto step:first-1<Enter>=", "3 strategies");
    viewed_shows(s, "6/DEPLOY<Enter>=", "3 strategies");
    viewed_shows(s, ":goto chain:other<Enter>=", "no other chain was asked this");
    viewed_shows(s, "7=", "this is no chain");
}

static void test_marked_are_compared(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 200;
    viewed_shows(s, "6/Something<Enter> /DEPLOY<Enter> =", "several questions");
    viewed_shows(s, "6/Something<Enter> /DEPLOY<Enter> =", "2 chains");
    viewed_shows(s, "6/Something<Enter> 7G =", "this is no chain: mark two or go to one");
}

/* One is looked at, and the lines about all of them open it. */
static void test_looking(void **state)
{
    struct viewed *s = *state;
    s->script.columns = 200;
    viewed_shows(s, STRATEGIES, "[1]");
    viewed_shows(s, STRATEGIES "l", "[2]");
    viewed_shows(s, STRATEGIES "lh", "[1]");
    viewed_shows(s, STRATEGIES "hh", "[1]");
    viewed_shows(s, STRATEGIES "llll", "[3]");
    viewed_shows(s, STRATEGIES, "on chain:first");
    viewed_shows(s, STRATEGIES "ll", "on chain:second");
    viewed_shows(s, STRATEGIES "h", "this is the first chain");
    viewed_shows(s, STRATEGIES "lll", "this is the last chain");
    viewed_shows(s, STRATEGIES "<Tab><Enter>", "› document:");
    s->script.columns = 80;
    s->script.rows = 24;
    viewed_shows(s, STRATEGIES, "1  ");
    stands_on(s, STRATEGIES, "chain:");
}

/* More than are compared at once, and more than there are columns for. */
static void test_many_strategies(void **state)
{
    struct viewed *s = *state;
    struct strbuf line = STRBUF_INIT;
    for (int i = 0; i < 45; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"step:m-%d\",\"agent_id\":\"ash\",\"text\":\"One\",\"detail\":{"
                    "\"step_number\":1},\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:m-%d\""
                    "}],\"justifications\":[{\"role\":\"source\",\"antecedents\":[{\"ref\":"
                    "\"document:supervisor\",\"relevance\":0.5,\"score\":\"measured\"}]}]}",
                    i, i);
        fixture_put(&s->fixture, line.buf, NULL);
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"chain:m-%d\",\"agent_id\":\"ash\",\"text\":\"How many?\","
                    "\"detail\":{\"final_answer\":\"%d of them\"}}",
                    i, i % 7);
        fixture_put(&s->fixture, line.buf, NULL);
    }
    strbuf_release(&line);
    s->script.columns = 200;
    viewed_shows(s, ":goto chain:m-3<Enter>=", "the newest 40 of those that were asked this");
    viewed_shows(s, ":goto chain:m-3<Enter>=", "7 different answers");
    viewed_shows(s, ":goto chain:m-3<Enter>=llllllll", "the same as ");
    viewed_shows(s, ":goto chain:m-3<Enter>=", "1 to 4 of 40, h and l show others");
    viewed_shows(s, ":goto chain:m-3<Enter>=lllll", "3 to 6 of 40");
    viewed_shows(s, ":goto chain:m-3<Enter>=llllllllllllllllllllllllllllll", " Worker supervisor ");
    s->script.columns = 80;
    viewed_shows(s, ":goto chain:m-3<Enter>=", "on chain:m-3");
}

/* ---- whatever the terminal and the text ---- */

static const char hostile[] = "\\u001b]52;c;x\\u0007 a\\nb\\r\\tc \\u202ed \\u0301\\u0301 "
                              "\\ud83d\\udc69\\u200d\\ud83d\\udcbb "
                              "\\u8a9e\\u8a9e \\u009b31m";

static void put_hostile(struct fixture *f)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line,
                "{\"ref\":\"attribution:evil\\nid\",\"agent_id\":\"%s\",\"text\":\"%s\","
                "\"detail\":{\"source_type\":\"%s\",\"source_uri\":\"%s\",\"retrieval_timestamp\":"
                "-99999999999999}}",
                hostile, hostile, hostile, hostile);
    fixture_put(f, line.buf, NULL);
    strbuf_clear(&line);
    strbuf_addf(&line,
                "{\"ref\":\"document:evil\\nid\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                "\"uri\":\"%s\",\"document_id\":7},\"derived_from\":[\"attribution:evil\\nid\"]}",
                hostile, hostile, hostile);
    fixture_put(f, line.buf, NULL);
    for (int i = 0; i < 3; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"step:evil\\n%d\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                    "\"step_number\":%d,\"intermediate_answer\":[],\"execution_time\":1e300},"
                    "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:evil\\n%d\"}],"
                    "\"justifications\":[{\"role\":\"source\",\"recorded\":\"heuristic\","
                    "\"antecedents\":[{\"ref\":\"document:evil\\nid\",\"relevance\":0.5,\"score\":"
                    "\"asserted\",\"excerpt\":\"%s\",\"section\":\"%s\",\"label\":\"%s\",\"title\":"
                    "\"%s\",\"chunk\":%d,\"version_hash\":\"%s\"}]}]}",
                    i, hostile, hostile, i, i, hostile, hostile, hostile, hostile, i,
                    i ? OLD_HASH : NEW_HASH);
        fixture_put(f, line.buf, NULL);
        strbuf_clear(&line);
        strbuf_addf(&line,
                    "{\"ref\":\"chain:evil\\n%d\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                    "\"final_answer\":\"%s %d\",\"strategy\":\"%s\",\"total_time\":-1}}",
                    i, hostile, hostile, hostile, i, hostile);
        fixture_put(f, line.buf, NULL);
    }
    strbuf_clear(&line);
    strbuf_addf(&line,
                "{\"ref\":\"citation:evil\\nid\",\"agent_id\":\"%s\",\"text\":\"%s\",\"detail\":{"
                "\"document_name\":\"%s\",\"section\":\"%s\",\"page\":-3},\"justifications\":[{"
                "\"role\":\"citation\",\"antecedents\":[{\"ref\":\"document:evil\\nid\"}]}]}",
                hostile, hostile, hostile, hostile);
    fixture_put(f, line.buf, NULL);
    strbuf_release(&line);
}

static const char *const ways[] = {
    "7<size:1x1>j<size:20x5>jk<size:200x50>T<size:60x12><Enter>",
    "7/evil<Enter><Enter><size:1x1>j<size:9x4>jjj<size:20x5><Tab><Tab>G<size:200x50>T<size:60x"
    "12>gjj<Enter>",
    RETRIEVALS "<Enter><size:1x1>jjj<size:20x6>#<size:200x50>T<Enter>##<size:70x30>"
               "j",
    "6/"
    "evil<Enter>=<size:1x1>lj<size:12x4>ljj<size:33x7><Tab><Tab><size:200x50>Th<size:100x30>",
    "6<size:30x8>j<size:200x50>j",
    ":steps<Enter><size:44x9>jj",
    ":citations<Enter><size:44x9>j<size:160x40>",
    "5<size:44x9>j<size:160x40>",
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void test_hostile(void **state)
{
    struct viewed *s = *state;
    put_hostile(&s->fixture);
    for (size_t i = 0; i < WAYS; i++) {
        script_run(&s->script, ways[i]);
        for (const char *at = s->script.frames.buf; *at; at++)
            assert_true((unsigned char)*at >= ' ' || *at == '\n');
        assert_null(strstr(s->script.frames.buf, "\xe2\x80\xae"));
        assert_null(strstr(s->script.frames.buf, "\xc2\x9b"));
    }
}

static void test_ascii(void **state)
{
    struct viewed *s = *state;
    put_hostile(&s->fixture);
    s->script.config.ascii = ASCII_YES;
    for (size_t i = 0; i < WAYS; i++) {
        script_run(&s->script, ways[i]);
        for (const char *at = s->script.frames.buf; *at; at++)
            if ((unsigned char)*at >= 0x80)
                fail_msg("after %s:\n%s", ways[i], s->script.frames.buf);
    }
    s->script.rows = 24;
    s->script.columns = 80;
    golden_check(&s->script, "docs-ascii-document", script_run(&s->script, DOCUMENT));
    golden_check(&s->script, "docs-ascii-retrievals", script_run(&s->script, RETRIEVALS "j"));
    golden_check(&s->script, "docs-ascii-strategies", script_run(&s->script, STRATEGIES));
}

/* ---- parts ---- */

static void test_seconds(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0.0 s"},       {0.01, "0.01 s"},    {0.84, "0.8 s"}, {9.94, "9.9 s"},
                 {9.96, "10 s"},     {119.4, "119 s"},    {120, "2m 00s"}, {200.7, "3m 20s"},
                 {7199, "119m 59s"}, {7500, "2h 05m"},    {-1, ""},        {1e300, ""},
                 {0.0 / 0.0, ""},    {1e9, "277777h 46m"}};
    char text[24];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        seconds_text(text, cases[i].seconds);
        assert_string_equal(text, cases[i].text);
    }
}

/* As exactly as there is room for, and nothing where there is none. */
static void test_ranges(void **state)
{
    static const struct {
        int64_t first, last;
        int width;
        const char *text;
    } cases[] = {
        {1794000000000, 1795000000000, 40, "2026-11-06 - 2026-11-18"},
        {1794000000000, 1795000000000, 22, "2026-11 - 2026-11"},
        {1794000000000, 1795000000000, 10, ""},
        {1794000000000, 1794003600000, 40, "2026-11-06 21:20 - 2026-11-06 22:20"},
        {1794000000000, 1794003600000, 30, "21:20 - 22:20"},
        {1794000000000, 1794000000000, 13, "21:20 - 21:20"},
        {INT64_MIN / 2, INT64_MAX / 2, 80, ""},
        {5, 4, 80, ""},
    };
    struct screen screen = {.utf8 = false};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct strbuf text = STRBUF_INIT;
        timeline_add_range(&screen, cases[i].first, cases[i].last, cases[i].width, &text);
        assert_string_equal(text.buf, cases[i].text);
        strbuf_release(&text);
    }
}

/* What a list shows beside the text is found and filtered by, too. */
static void test_found_beside_the_text(void **state)
{
    struct viewed *s = *state;
    viewed_shows(s, "6/nine workers<Enter>", "1 match for");
    viewed_shows(s, "7/pg16-lock<Enter>", "1 match for");
    viewed_shows(s, ":citations<Enter>/Table-level<Enter>", "1 match for");
    viewed_shows(s, ":citations<Enter>/page 12<Enter>", "1 match for");
    viewed_shows(s, ":citations<Enter>/PostgreSQL manual<Enter>", "1 match for");
    hides(s, "6/ten workers<Enter>", "1 match for");
    hides(s, "6\\nine workers<Enter>", "Something else?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_without_colour, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_two_passages, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_uses, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_changed, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_logged, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_pages, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_of_no_chain, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_missing, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_drill, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_news, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_as_of, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_groups, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_unfolding, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_group_pages, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_compared, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_marked_are_compared, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_looking, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_many_strategies, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_found_beside_the_text, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_hostile, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_ascii, set_up, viewed_close),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
