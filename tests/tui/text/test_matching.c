/* Messages when nothing matches, inactive memories, and the label of a row. */
#include "tests/support/story.h"
#include "tests/support/test.h"

/* No standard output, status 1, and one line on stderr that has `tells`. */
static void nothing_found(const char *tells)
{
    assert_int_equal(story.p.status, 1);
    assert_int_equal(story.p.out_len, 0);
    STORY_ERR_HAS(tells);
    assert_ptr_equal(strchr(story.p.err, '\n'), story.p.err + story.p.err_len - 1);
}

static void nothing_matched(const char *tells)
{
    nothing_found(tells);
    STORY_ERR_HAS("nothing matched");
}

GROUP(story_open, story_close);

TEST(an_unknown_agent_is_reported)
{
    static const char *const commands[][2] = {{"list", "all"}, {"search", "the"}, {"orphans"}};
    for (size_t i = 0; i < 3; i++) {
        STORY("--agent", "nobody", commands[i][0], commands[i][1]);
        nothing_matched("there is no agent 'nobody'. There are ash, ");
        STORY("--agent", "clair", commands[i][0], commands[i][1]);
        nothing_matched("Did you mean claire?");
        STORY("--json", "--agent", "a\033[31m", commands[i][0], commands[i][1]);
        nothing_matched("there is no agent 'a\xef\xbf\xbd[31m'");
    }
}

TEST(an_empty_list_says_so)
{
    char empty[300];
    STORY("list", "all", "--source-type", "nosuch");
    nothing_matched("there is no source type 'nosuch'. There are direct_experience, ");
    STORY("list", "all", "--source-type", "seeed");
    nothing_matched("Did you mean seed?");
    STORY("list", "drives", "--source-type", "external");
    nothing_matched("nothing matched\n");
    STORY("list", "values", "--agent", "claire");
    nothing_matched("nothing matched\n");
    STORY("search", "no-such-word-anywhere", "--agent", "claire");
    nothing_found("no memory has all of these words: no-such-word-anywhere");
    STORY("list", "all", "--status", "purged", "--json");
    nothing_matched("nothing matched\n");
    story_store(empty, sizeof(empty), "one.db",
                "{\"ref\":\"raw:one\",\"agent_id\":\"ash\",\"text\":\"t\"}\n");
    PROGRAM(&story.p, "orphans", "--store", empty);
    assert_int_equal(story.p.status, 0);
    STORY_OUT_HAS("The lineage has no problems.");
    PROGRAM(&story.p, "list", "notes", "--store", empty);
    nothing_matched("nothing matched\n");
    PROGRAM(&story.p, "list", "all", "--agent", "x", "--store", empty);
    nothing_matched("there is no agent 'x'. There is ash.");
}

TEST(the_label_ended_finds_forgotten_memories)
{
    STORY("list", "all", "--label", "ended");
    assert_int_equal(story.p.status, 0);
    STORY_OUT_HAS("[forgotten] ");
    STORY("list", "all", "--label", "ended", "--status", "active");
    nothing_matched("");
}

/* On a terminal the status has a style that text never has. */
TEST(a_status_differs_from_text)
{
    char path[300];
    story_store(path, sizeof(path), "status.db",
                "{\"ref\":\"note:a\",\"text\":\"old\",\"status\":\"superseded\"}\n"
                "{\"ref\":\"note:b\",\"text\":\"[replaced] new\"}\n");
    PROGRAM(&story.p, "list", "all", "--store", path, "--color", "always");
    STORY_OUT_HAS("\033[2m[replaced] \033[0mold\n");
    STORY_OUT_HAS("  [replaced] new\n");
    PROGRAM(&story.p, "list", "all", "--store", path);
    STORY_OUT_HAS("  [replaced] old\n");
}

TEST(an_orphan_has_its_own_mark)
{
    STORY("orphans");
    STORY_OUT_HAS("\xe2\x97\x8b belief:e5e2487d  The staging");
    STORY_OUT_HAS("\xe2\x97\x8f raw:dd7f73db");
    STORY_OUT_HAS("missing: names something that is not in this store\n");
    STORY_OUT_HAS("\n10 problems\n");
    setenv("COLUMNS", "40", 1);
    STORY("orphans");
    STORY_OUT_HAS("derived from raw:79d086c7\n");
    STORY_OUT_HAS("retrieved 1794052800\n");
    STORY("whatif", "episode:7569db5b", "note:e178d716");
    STORY_OUT_HAS("2 \xe2\x86\x92 1 valid\n");
    unsetenv("COLUMNS");
}

TEST(the_source_of_a_statement_can_be_named)
{
    static const struct {
        const char *source, *entity, *type;
    } told[] = {
        {"Sean said so", "human:sean", "told_by_human"},
        {"Claire said so", "agent:claire", "told_by_agent"},
        {"stand-up", "human:sean", "direct_experience"}, /* the same for every caller */
        {"inferred from the log", "human:sean", "inference"},
        {"stand-up", "agent:claire", "direct_experience"},
    };
    char path[300], wanted[100];
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        snprintf(path, sizeof(path), "%s/told%zu.db", story.directory, i);
        PROGRAM(&story.p, "add", "belief", "x", "--source", told[i].source, "--source-entity",
                told[i].entity, "--store", path);
        assert_int_equal(story.p.status, 0);
        PROGRAM(&story.p, "list", "all", "--json", "--store", path);
        snprintf(wanted, sizeof(wanted), "\"source_type\":\"%s\"", told[i].type);
        STORY_OUT_HAS(wanted);
        snprintf(wanted, sizeof(wanted), "\"source_entity\":\"%s\"", told[i].entity);
        STORY_OUT_HAS(wanted);
    }
}

/* The explanations of suggested commands are aligned. */
TEST(suggested_commands_are_aligned)
{
    static const char *const does[] = {"look around", "start your own store", "all commands"};
    size_t column = 0;
    PROGRAM(&story.p, "--color", "never");
    assert_int_equal(story.p.status, 0);
    for (size_t i = 0; i < 3; i++) {
        const char *at = strstr(story.p.out, does[i]), *start = at;
        assert_non_null(at);
        while (start > story.p.out && start[-1] != '\n')
            start--;
        if (column)
            assert_int_equal(at - start, column);
        column = (size_t)(at - start);
    }
}
