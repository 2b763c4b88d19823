/*
 * The pictures of README.md and docs/: frames of the explorer on the demo's story, as SVG. `make
 * screenshots` rewrites them. The tests fail if a picture differs from what the explorer draws, or
 * if no paper names it. The clock stands still, so that only a change of the program changes them.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/agents.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/svg.h"
#include "tui/demo/demo.h"

static const struct screenshot {
    const char *name; /* docs/NAME.svg */
    int columns, rows;
    const char *keys;
    const char *alt; /* as in the paper */
} screenshots[] = {
    {"why", 112, 30, "*",
     "Why \"Retries are always safe on the new queue\" is believed: ten justifications are valid, "
     "and all of them hang on one vendor's page."},
    {"beliefs", 112, 34, "",
     "A list of beliefs, the cursor on \"Retries are always safe on the new queue\". Its preview "
     "names the ten notes that it is based on."},
    {"echo", 112, 32, "f",
     "The same belief as a drawing: from one attribution lines lead to ten notes, and from these "
     "to "
     "the belief."},
    {"what-if", 112, 36, ":attribution:03b3f0bb<Enter>wjjjjjjjjjjjj",
     "What if the retrieval of a vendor's page is retracted: ten notes and a belief would lose all "
     "support."},
    {"graph", 120, 34, ":drive:26c745cb<Enter>f",
     "What a drive is based on: a value, what that was learnt from, and two guesses as dashed "
     "lines."},
    {"chain", 112, 36, ":chain:c6120492<Enter>l",
     "A chain of thought as a matrix of steps and documents, and the passage that one step took "
     "from one document."},
    {"document", 112, 32, ":document:incident-report<Enter>",
     "A document with each step that used it, and the passage that the step took."},
    {"diff", 112, 32, ":diff 3 days ago now<Enter>jjj",
     "What changed in three days: memories that are new, and old and new values of what was "
     "edited."},
    /* last, since its agents write to the store */
    {"live", 112, 32, "9jj",
     "Two agents at work: their sessions, and each change, read and refusal with its age."},
};
#define NOW         INT64_C(1795190000000) /* 2026-11-20 */
#define SCREENSHOTS (sizeof(screenshots) / sizeof(screenshots[0]))

/* Writes of two agents, for the live view. */
static void act(struct store *s, struct call_log *log)
{
    struct session *ash = agents_join(log, "claude-code", "ash");
    struct session *claire = agents_join(log, "codex", "claire");
    int64_t raw, note, belief;
    raw = agents_write(s, ash, "ash",
                       "{\"ref\":\"raw:4be71c20\",\"text\":\"09:12 broker failed over · 09:13 14 "
                       "payments delivered twice\"}");
    scratch_clock += 4000;
    agents_ask(claire, "memory_search", 0, scratch_clock, ERROR_NONE);
    scratch_clock += 3000;
    agents_ask(claire, "memory_get", raw, scratch_clock, ERROR_NONE);
    scratch_clock += 2000;
    agents_write(s, ash, "ash",
                 "{\"ref\":\"episode:9a03d5f7\",\"text\":\"A failover of the new queue delivered "
                 "14 payments twice\",\"derived_from\":[\"raw:4be71c20\"]}");
    scratch_clock += 5000;
    note = agents_write(s, claire, "claire",
                        "{\"ref\":\"note:c81f6e44\",\"text\":\"Two of the 14 were charged twice: "
                        "they had no key\",\"derived_from\":[\"raw:4be71c20\"]}");
    scratch_clock += 3000;
    agents_ask(ash, "memory_retract", 0, scratch_clock, ERROR_REFUSED);
    scratch_clock += 2000;
    agents_ask(ash, "memory_get", note, scratch_clock, ERROR_NONE);
    scratch_clock += 6000;
    belief =
        agents_write(s, claire, "claire",
                     "{\"ref\":\"belief:0d7e92ab\",\"text\":\"A retry on the new queue is safe "
                     "only with an idempotency key\",\"derived_from\":[\"note:c81f6e44\","
                     "\"episode:9a03d5f7\",\"belief:c4cc4c36-6c26-41a2-b250-46d7dd11a81d\"]}");
    scratch_clock += 4000;
    agents_ask(ash, "memory_lineage", belief, scratch_clock, ERROR_NONE);
    scratch_clock += 3000;
    agents_write(
        s, ash, "ash",
        "{\"ref\":\"goal:5f60b8c1\",\"text\":\"Send an idempotency key with every payment\""
        ",\"derived_from\":[\"belief:0d7e92ab\"]}");
    scratch_clock += 2000;
    agents_flush(s, log);
}

/* ---- the tests ---- */

static struct store *store;

static int64_t stands(void)
{
    return scratch_clock;
}

static int set_up(void **state)
{
    struct error e;
    AUTO_FREE char *path = scratch_path("demo.db");
    scratch_clock = NOW;
    if (story_replay(path, NOW, &e))
        fail_msg("%s", e.what);
    store = scratch_store_with(path, &(struct store_options){.now = stands});
    return 0;
}

static int tear_down(void **state)
{
    store_close(store);
    return 0;
}

struct stage {
    struct script script; /* must be first: draw gets a pointer to it */
    const struct screenshot *shows;
    struct strbuf svg;
};

/* Called while the explorer still has its screen. */
static void draw(struct script *script, const char *name)
{
    struct stage *stage = (struct stage *)script;
    svg_add_screen(&stage->svg, stage->shows->alt, script->rows, script->columns);
}

static void a_picture_is_what_the_explorer_draws(void **state)
{
    struct stage stage = {.shows = *state, .svg = STRBUF_INIT};
    struct call_log *log = strcmp(stage.shows->name, "live") ? NULL : agents_open(store);
    char path[64];
    if (log)
        act(store, log);
    script_open(&stage.script, store);
    stage.script.columns = stage.shows->columns;
    stage.script.rows = stage.shows->rows;
    stage.script.at_shot = draw;
    script_run(&stage.script, stage.shows->keys);
    script_close(&stage.script);
    if (log)
        call_log_close(log);
    snprintf(path, sizeof(path), "docs/%s.svg", stage.shows->name);
    golden_compare(path, stage.svg.buf);
    strbuf_release(&stage.svg);
}

/* A paper shows each picture with its text, and the folder has no other picture. */
static void the_papers_show_them(void **state)
{
    AUTO_STRBUF papers = STRBUF_INIT, image = STRBUF_INIT;
    glob_t found = {0};
    glob("{README.md,docs/*.md}", GLOB_BRACE, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        AUTO_FREE char *paper = scratch_read(found.gl_pathv[i], NULL);
        strbuf_addstr(&papers, paper);
    }
    globfree(&found);
    for (size_t i = 0; i < SCREENSHOTS; i++) {
        const struct screenshot *s = &screenshots[i];
        strbuf_clear(&image);
        strbuf_addf(&image, "![%s](%s.svg)", s->alt, s->name);
        bool shown = strstr(papers.buf, image.buf) != NULL;
        strbuf_clear(&image);
        strbuf_addf(&image, "![%s](docs/%s.svg)", s->alt, s->name);
        if (!shown && !strstr(papers.buf, image.buf))
            fail_msg("neither README.md nor a page of docs/ has %s", image.buf);
    }
    glob("docs/*.{svg,png}", GLOB_BRACE, NULL, &found);
    if (found.gl_pathc != SCREENSHOTS)
        fail_msg("docs/ has %zu pictures; the table here names %zu", found.gl_pathc, SCREENSHOTS);
    globfree(&found);
}

int main(void)
{
    struct CMUnitTest tests[SCREENSHOTS + 1] = {cmocka_unit_test(the_papers_show_them)};
    for (size_t i = 0; i < SCREENSHOTS; i++)
        tests[i + 1] = (struct CMUnitTest){.name = screenshots[i].name,
                                           .test_func = a_picture_is_what_the_explorer_draws,
                                           .initial_state = (void *)(uintptr_t)&screenshots[i]};
    return _cmocka_run_group_tests("screenshots", tests, SCREENSHOTS + 1, set_up, tear_down);
}
