/* Checking a recorded hash, and citations of a response, in the explorer. */
#include <unistd.h>
#include "store/reasoning/cite.h"
#include "tests/support/script.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define HELLO "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
#define KEPT(ref, hash, content)                                                                   \
    "{\"ref\":\"attribution:" ref                                                                  \
    "\",\"text\":\"t\",\"detail\":{\"source_type\":\"web\",\"full_content_hash\":" hash            \
    ",\"full_content_json\":" content "}}"

static struct fixture f;
static struct script s;

static int setup(void **state)
{
    fixture_open(&f);
    script_open(&s, f.store);
    return 0;
}

static int teardown(void **state)
{
    script_close(&s);
    fixture_close(&f);
    return 0;
}

static void says(const char *keys, const char *what)
{
    const char *frame = script_run(&s, keys);
    if (!strstr(frame, what))
        fail_msg("“%s” is not shown:\n%s", what, frame);
}

FIXTURE(setup, teardown);

TEST(the_stored_content_is_checked)
{
    fixture_put(&f, KEPT("equal", "\"" HELLO "\"", "\"hello\""),
                KEPT("differs", "\"" HELLO "\"", "\"Hello\""), KEPT("nohash", "null", "\"hello\""),
                KEPT("nothing", "\"" HELLO "\"", "null"), "{\"ref\":\"note:n\",\"text\":\"n\"}",
                NULL);
    says(":goto attribution:equal<Enter>:check<Enter>",
         "equal: the stored content has the recorded hash");
    says(":goto attribution:differs<Enter>:check<Enter>",
         "differs: the stored content does not have the recorded hash");
    says(":goto attribution:nohash<Enter>:check<Enter>", "no hash was recorded");
    says(":goto attribution:nothing<Enter>:check<Enter>", "only the hash is stored");
    says(":goto note:n<Enter>:check<Enter>", "only a logged retrieval has a hash");
}

TEST(a_file_is_checked)
{
    char path[400], keys[600];
    snprintf(path, sizeof(path), "%s/page", f.directory);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("hello", file);
    fclose(file);
    s.columns = 200;
    fixture_put(&f, KEPT("a", "\"" HELLO "\"", "null"), NULL);
    snprintf(keys, sizeof(keys), ":goto attribution:a<Enter>:check %s<Enter>", path);
    says(keys, "/page has the recorded hash");
    says(":goto attribution:a<Enter>:check /dev/null<Enter>",
         "/dev/null does not have the recorded hash");
    says(":goto attribution:a<Enter>:check /no/such<Enter>", "No such file");
    unlink(path);
}

static int run_cite(struct txn *t, void *arg, struct error *e)
{
    static const struct actor ash = {
        .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
    static const char sources[] =
        "[{\"documentId\":\"rep\",\"documentName\":\"Report\",\"snippet\":\"It grew.\","
        "\"relevanceScore\":0.9},{\"documentId\":\"b\",\"snippet\":\"x\",\"relevanceScore\":0.5}]";
    const struct cited_response given = {"c", "m", NULL, {sources, sizeof(sources) - 1}, NULL};
    struct cite_result result;
    return cite_sources(t, &ash, &given, arg, &result, e);
}

TEST(a_finished_response_shows_its_sources)
{
    struct error e;
    if (store_run(f.store, run_cite, &f.arena, &e))
        fail_msg("%s", e.what);
    s.columns = 110;
    s.person = "sean";
    says("9", "answered                        2 sources");
    says("9", "cited        citation:");
    says(":audit<Enter>", "answered                        2 sources");
    says(":audit<Enter>", "one of 5 changes made together");
    /* Undone from the event that has no memory. */
    says(":audit<Enter>u<Enter>", "undid");
    says(":audit<Enter>", "undone");
}
