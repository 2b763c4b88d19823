/*
 * Acting in the explorer, by keys: what is asked and shown before, what is done and said after it, and that
 * nothing typed is lost on the way.
 */
#include <sys/stat.h>
#include "store/entries/entry.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "store/entries/sweeper.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"

static const char *const lines[] = {
    "{\"ref\":\"raw:log-of-the-day\",\"created_at\":1000,\"text\":\"The log of the day\"}",
    "{\"ref\":\"episode:the-outage\",\"created_at\":2000,\"text\":\"The outage\"}",
    "{\"ref\":\"belief:third-one\",\"created_at\":3000,\"text\":\"Stands by itself\"}",
    "{\"ref\":\"belief:both-of-them\",\"created_at\":4000,\"text\":\"Rests on both\","
    "\"confidence\":0.6,\"derived_from\":[\"raw:log-of-the-day\"],"
    "\"source_episodes\":[\"episode:the-outage\"]}",
    "{\"ref\":\"belief:log-alone\",\"created_at\":5000,\"text\":\"Rests on the log alone\","
    "\"confidence\":0.7,\"tags\":[\"log\"],\"derived_from\":[\"raw:log-of-the-day\"],"
    "\"detail\":{\"belief_type\":\"fact\"}}",
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

struct acts {
    struct script script; /* first: at_shot is handed it */
    struct store *store;
    int64_t row[LINES];
    int edits; /* by another */
};
enum {
    RAW = 0,
    EPISODE,
    THIRD,
    BOTH,
    ALONE
};

static int set_up(void **state)
{
    struct acts *a = calloc(1, sizeof(*a));
    char *path = scratch_path("acting.db");
    a->store = scratch_store(path);
    for (size_t i = 0; i < LINES; i++)
        a->row[i] = scratch_put(a->store, lines[i]);
    script_open(&a->script, a->store);
    a->script.person = "sean";
    a->script.rows = 30;
    a->script.columns = 110;
    free(path);
    *state = a;
    return 0;
}

static int tear_down(void **state)
{
    struct acts *a = *state;
    store_close(a->store);
    script_close(&a->script);
    free(a);
    return 0;
}

/* ---- what is asked of the store ---- */

static void assert_says(struct acts *a, int which, const char *text)
{
    char *line = scratch_line(a->store, a->row[which]);
    if (!strstr(line, text))
        fail_msg("%s does not say %s", line, text);
    free(line);
}

static int64_t last_event(struct acts *a)
{
    struct error e;
    struct reader *r = reader_open(a->store, &e);
    int64_t seq = journal_last(r, &e);
    reader_close(r);
    return seq;
}

/* The events after that one, in an arena of the caller's. */
static size_t events_since(struct acts *a, int64_t seq, struct arena *arena, struct event **events)
{
    struct error e;
    size_t count;
    struct reader *r = reader_open(a->store, &e);
    assert_int_equal(journal_read(r, arena, seq, 100, events, &count, &e), 0);
    reader_close(r);
    return count;
}

/* Another person does it, in the middle of a run. */
static void done_by_another(struct acts *a, enum operation op, int which, const char *text)
{
    const struct actor claire = {.class = ACTOR_PERSON, .name = "claire", .origin = "command"};
    struct request q = REQUEST_INIT;
    struct arena arena = ARENA_INIT;
    struct plan p;
    struct error e = {0};
    q.nodes = &a->row[which];
    q.node_count = 1;
    q.text = text;
    q.text_len = text ? strlen(text) : 0;
    if (operation_run_now(a->store, &claire, op, &q, &arena, &p, &e))
        fail_msg("%s", e.what);
    arena_release(&arena);
}

/* ---- harm is shown before it is done ---- */

static void test_retract_shows_what_falls(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    const char *frame = script_run(&a->script, "3d<Enter>");
    assert_has(frame, "would be changed 1");
    assert_has(frame, "active \u2192 retracted");
    assert_has(frame, "would fall 1");
    assert_has(frame, "Rests on the log alone");
    assert_has(frame, "would be weakened 1");
    assert_has(frame, "2 \u2192 1 hold");
    assert_has(frame, "nothing is changed yet");
    /* Enter opens a memory, every other way out leaves it as it is. */
    assert_has(script_run(&a->script, "3d<Enter><Enter>"), "created");
    script_run(&a->script, "3d<Enter>q");
    script_run(&a->script, "3d<Enter><Esc>");
    script_run(&a->script, "3d<Enter>1");
    script_run(&a->script, "3d<Esc>");
    assert_int_equal(last_event(a), before);
    frame = script_run(&a->script, "3dit was another day<Enter>y");
    assert_has(frame, "retracted \u00b7 u undoes it");
    assert_says(a, RAW, "\"status\":\"retracted\"");
}

/* Those that keep what holds them are named too. */
static void test_retract_lists_who_only_descends(void **state)
{
    struct acts *a = *state;
    scratch_put(a->store, "{\"ref\":\"belief:far-away\",\"created_at\":6000,"
                          "\"text\":\"Descends from both\","
                          "\"derived_from\":[\"belief:both-of-them\"]}");
    const char *frame = script_run(&a->script, "3d<Enter>");
    assert_has(frame, "would only lose an ancestor 1");
    assert_has(frame, "Descends from both");
}

static void test_open_again(void **state)
{
    struct acts *a = *state;
    const char *frame = script_run(&a->script, "1<Enter>:belief:log-alone<Enter>");
    assert_has(frame, "this is that memory already");
    assert_has(script_run(&a->script, "1<Enter>:belief:log-alone<Enter>q"), "3 \u00b7 recorded");
}

static void test_state_says_marks(void **state)
{
    struct acts *a = *state;
    scratch_put(a->store, "{\"ref\":\"belief:poison\",\"text\":\"Not to be believed\","
                          "\"created_at\":7000,\"marks\":["
                          "{\"at\":7001,\"mark\":\"poisoned\",\"actor\":\"sean\"},"
                          "{\"at\":7002,\"mark\":\"poisoned\",\"actor\":\"claire\"},"
                          "{\"at\":7003,\"mark\":\"quarantined\",\"actor\":\"sean\"}]}");
    assert_has(script_run(&a->script, "1:belief:poison<Enter>"),
               "unsourced \u00b7 poisoned \u00b7 quarantined");
    script_run(&a->script, "1:belief:third-one<Enter>:verify<Enter><Enter>");
    assert_has(script_run(&a->script, "1:belief:third-one<Enter>"),
               "unsourced \u00b7 verified \u00b7 version 2");
}

static void test_an_event_is_the_persons(void **state)
{
    struct acts *a = *state;
    struct arena arena = ARENA_INIT;
    struct event *events;
    int64_t before = last_event(a);
    script_run(&a->script, "3dit was another day<Enter>y");
    assert_int_equal(events_since(a, before, &arena, &events), 1);
    assert_string_equal(events->actor, "sean");
    assert_string_equal(events->class_name, "person");
    assert_string_equal(events->origin, "explorer");
    assert_string_equal(events->operation, "retract");
    assert_string_equal(events->reason, "it was another day");
    arena_release(&arena);
}

/* Somebody changes it while it is read: the new plan is shown, and asked again. */
static void add_one_more(struct script *s, const char *name)
{
    struct acts *a = (struct acts *)s;
    if (!strcmp(name, "between"))
        scratch_put(a->store, "{\"ref\":\"belief:new-one\",\"text\":\"Came meanwhile\","
                              "\"derived_from\":[\"raw:log-of-the-day\"]}");
}

static void test_another_plan_is_asked_again(void **state)
{
    struct acts *a = *state;
    a->script.at_shot = add_one_more;
    const char *frame = script_run(&a->script, "3d<Enter><shot:between>y");
    assert_has(frame, "the store changed meanwhile");
    assert_has(frame, "would fall 2");
    assert_has(frame, "Came meanwhile");
    assert_says(a, RAW, "\"status\":\"active\"");
    a->script.at_shot = NULL;
    script_run(&a->script, "3d<Enter>y");
    assert_says(a, RAW, "\"status\":\"retracted\"");
}

static void test_purge_asks_for_the_word(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    script_run(&a->script, "1:purge<Enter><Enter>y<Enter>");
    script_run(&a->script, "1:purge<Enter><Enter>yyes<Enter>");
    script_run(&a->script, "1:purge<Enter><Enter>ypurge<Esc>");
    assert_int_equal(last_event(a), before);
}

/* ---- one, several, and back ---- */

static void test_several_are_one(void **state)
{
    struct acts *a = *state;
    struct arena arena = ARENA_INIT;
    struct event *events;
    int64_t before = last_event(a);
    const char *frame = script_run(&a->script, "1  C<Enter>");
    assert_has(frame, "2 verified \u00b7 u undoes it");
    assert_lacks(frame, "marked");
    assert_int_equal(events_since(a, before, &arena, &events), 2);
    assert_non_null(events[0].correlation);
    assert_string_equal(events[0].correlation, events[1].correlation);
    assert_says(a, ALONE, "\"confidence\":0.7999999999999999");
    assert_says(a, BOTH, "\"confidence\":0.7,");
    frame = script_run(&a->script, "u");
    assert_has(frame, "undid: verify of ");
    assert_has(frame, "and 1 more");
    assert_says(a, ALONE, "\"confidence\":0.7,");
    assert_says(a, BOTH, "\"confidence\":0.6,");
    frame = script_run(&a->script, "<C-r>");
    assert_has(frame, "did again: verify of ");
    assert_says(a, BOTH, "\"confidence\":0.7,");
    arena_release(&arena);
}

static void test_undo_tells_of_a_purge(void **state)
{
    struct acts *a = *state;
    a->script.columns = 200;
    script_run(&a->script, "2C<Enter>");
    int64_t before = last_event(a);
    script_run(&a->script, "1:purge<Enter><Enter>ypurge<Enter>");
    assert_int_equal(last_event(a), before + 1);
    const char *frame = script_run(&a->script, "u");
    assert_has(frame, "undid: verify of ");
    assert_has(frame, "; passed over the purge of ");
    assert_has(frame, ", which cannot be undone");
    assert_has(script_run(&a->script, "u"), "there is nothing to undo for sean but the purge of ");
}

static void test_nothing_to_undo(void **state)
{
    struct acts *a = *state;
    assert_has(script_run(&a->script, "u"), "there is nothing to undo");
    assert_has(script_run(&a->script, "<C-r>"), "there is nothing to redo");
    assert_has(script_run(&a->script, ":undo x<Enter>"), "is no number");
}

static void edit_by_another(struct script *s, const char *name)
{
    struct acts *a = (struct acts *)s;
    char text[64];
    snprintf(text, sizeof(text), "As claire wrote it, %d", ++a->edits);
    if (!strcmp(name, "between"))
        done_by_another(a, OPERATION_EDIT, ALONE, text);
}

static void test_a_refused_undo_shows_both(void **state)
{
    struct acts *a = *state;
    a->script.at_shot = edit_by_another;
    const char *frame = script_run(&a->script, "1e, and more<Enter><shot:between>u");
    assert_has(frame, "both versions of belief:log-alone");
    assert_has(frame, "As claire wrote it");
    assert_has(frame, "what the undo would bring back");
    assert_has(frame, "Rests on the log alone");
    assert_says(a, ALONE, "As claire wrote it");
    a->script.at_shot = NULL;
}

/* ---- every operation by name ---- */

static void test_by_name(void **state)
{
    static const struct {
        const char *keys;
        int which;
        const char *says;
    } names[] = {
        {"1:retract belief:third-one<Enter><Enter>y", THIRD, "\"status\":\"retracted\""},
        {"1:restore belief:third-one<Enter><Enter>", THIRD, "\"status\":\"active\""},
        {"1:reinforce episode:the-outage<Enter><Enter>", ALONE,
         "\"evidence_source\":\"episode:the-outage\""},
        {"1:reinforce seen twice now<Enter>", ALONE, "seen twice now"},
        {"1:mark poisoned<Enter><Enter>", ALONE, "\"mark\":\"poisoned\""},
        {"1:unmark poisoned<Enter><Enter>", ALONE, "\"tags\":[\"log\"]"},
        {"1:mark-as rating 4<Enter><Enter>", ALONE, "\"value\":\"4\""},
        {"1:protect<Enter><Enter>", ALONE, "\"protected\":true"},
        {"1:unprotect<Enter><Enter>", ALONE, "\"version\""},
        {"3:process note The day in short<Enter>", RAW, "processed_into"},
        {"1:supersede A better one<Enter><Enter>", ALONE, "\"status\":\"superseded\""},
        {"2:retract<Enter><Enter>y", EPISODE, "\"status\":\"retracted\""},
        {"2:forget<Enter><Enter>y", EPISODE, "\"status\":\"forgotten\""},
    };
    struct acts *a = *state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        int64_t before = last_event(a);
        script_run(&a->script, names[i].keys);
        if (last_event(a) == before)
            fail_msg("%s did nothing:\n%s", names[i].keys, a->script.frames.buf);
        assert_says(a, names[i].which, names[i].says);
    }
    assert_says(a, ALONE, "\"version\"");
    char *line = scratch_line(a->store, a->row[ALONE]);
    assert_null(strstr(line, "\"protected\":true"));
    assert_null(strstr(line, "\"mark\":\"poisoned\""));
    free(line);
}

static void test_the_menu_says_why_not(void **state)
{
    struct acts *a = *state;
    const char *frame = script_run(&a->script, "1a");
    assert_has(frame, "act on belief:log-alone");
    assert_has(frame, "only a raw is processed");
    assert_has(frame, "it lives already");
    assert_has(frame, "it is not protected");
    int64_t before = last_event(a);
    assert_has(script_run(&a->script, "1ap"), "only a raw is processed");
    assert_has(script_run(&a->script, "1aR"), "it lives already");
    assert_int_equal(last_event(a), before);
    assert_has(script_run(&a->script, "1 a"), "the 1 marked");
    script_run(&a->script, "1av<Enter>");
    assert_int_equal(last_event(a), before + 1);
}

/* What is for one at a time is never done to an unmarked one while others are marked. */
static void test_one_at_a_time(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    assert_has(script_run(&a->script, "1  as"), "supersede: this is for one at a time");
    assert_has(script_run(&a->script, "1  aE"), "edit-outside: this is for one at a time");
    assert_int_equal(last_event(a), before);
    /* The cursor is on the third one. */
    assert_has(script_run(&a->script, "1  a"), "belief:third-one, by the 2 marked");
    assert_has(script_run(&a->script, "1 as"), "supersede belief:log-alone");
    assert_has(script_run(&a->script, "1 e"), "edit belief:log-alone");
    assert_has(script_run(&a->script, "1 E"), "the editor changed nothing");
}

static void test_why_says_of_what(void **state)
{
    struct acts *a = *state;
    assert_has(script_run(&a->script, "1C"), "verify belief:log-alone: why? ");
    assert_has(script_run(&a->script, "1  C"), "verify 2 memories: why? ");
    assert_has(script_run(&a->script, "1Jp"), "mark belief:log-alone poisoned: why? ");
    assert_has(script_run(&a->script, "1B"), "reinforce belief:log-alone: by what? ");
    a->script.columns = 40;
    assert_has(script_run(&a->script, "1C"), " why? ");
    a->script.columns = 110;
}

/* Nothing is asked where nothing would be changed. */
static void test_nothing_to_change(void **state)
{
    struct acts *a = *state;
    const char *frame = script_run(&a->script, "1:propagate<Enter>");
    assert_has(frame, "there is nothing to change: ");
    assert_lacks(frame, "why?");
    assert_lacks(frame, "would be changed");
    assert_has(script_run(&a->script, "1:fix-provenance<Enter>"), "there is nothing to change: ");
}

/* While something is shown and asked, no key takes back something else. */
static void test_no_undo_while_it_is_asked(void **state)
{
    struct acts *a = *state;
    const char *frame = script_run(&a->script, "1C<Enter>3d<Enter>u");
    assert_has(frame, "first say what becomes of this");
    assert_says(a, ALONE, "\"confidence\":0.7999999999999999");
    assert_has(script_run(&a->script, "3d<Enter><C-r>"), "first say what becomes of this");
}

/* What does not fit in the status line gets more rows, so that what to do about it is seen. */
static void test_a_long_error_is_whole(void **state)
{
    struct acts *a = *state;
    a->script.columns = 60;
    const char *frame = script_run(&a->script, "1:retract belief:one-that-was-never-here-and-has-a-"
                                               "name-of-some-length<Enter><Enter>");
    assert_has(frame, "Search for it, or list its kind.");
    a->script.columns = 110;
}

/* ---- forms ---- */

static void test_edit(void **state)
{
    struct acts *a = *state;
    script_run(&a->script, "1e, and the day<Tab><C-u>0.5<Tab>, day<Tab><Tab><C-n><Tab><Right><Tab>"
                           "as told<Enter>");
    assert_says(a, ALONE, "\"text\":\"Rests on the log alone, and the day\"");
    assert_says(a, ALONE, "\"confidence\":0.5");
    assert_says(a, ALONE, "\"tags\":[\"log\",\"day\"]");
    assert_says(a, ALONE, "\"belief_type\":\"rule\"");
    assert_says(a, ALONE, "\"foundational\":true");
    assert_says(a, ALONE, "\"reason\":\"as told\"");
}

/* One form for all that are marked: what is left empty stays as it is. */
static void test_edit_the_marked(void **state)
{
    struct acts *a = *state;
    const char *frame = script_run(&a->script, "1  e0.4<Tab><Tab><Tab>as agreed<Enter>");
    assert_has(frame, "2 edited");
    assert_says(a, ALONE, "\"confidence\":0.4");
    assert_says(a, ALONE, "\"tags\":[\"log\"]");
    assert_says(a, BOTH, "\"confidence\":0.4");
    assert_says(a, BOTH, "\"reason\":\"as agreed\"");
    script_run(&a->script, "u");
    assert_says(a, ALONE, "\"confidence\":0.7");
    assert_says(a, BOTH, "\"confidence\":0.6");
}

static void test_what_it_became(void **state)
{
    struct acts *a = *state;
    assert_has(script_run(&a->script, "3Pn"), "raw:log-of-the-day became note:");
    assert_has(script_run(&a->script, "1:supersede Better<Enter><Enter>"),
               "took the place of belief:log-alone");
    assert_has(script_run(&a->script, ":seed Seeded<Enter><Enter>"), " seeded ");
    assert_has(script_run(&a->script, "jjjBepisode:the-o<Tab><Enter><Enter>"), "reinforced");
    assert_says(a, BOTH, "\"evidence_source\":\"episode:the-outage\"");
}

/* What others write is held back; what is done here is shown. */
static void test_own_while_paused(void **state)
{
    struct acts *a = *state;
    assert_has(script_run(&a->script, "1pe, shown<Enter>"), "Rests on the log alone, shown");
}

static void test_what_is_wrong_stays_open(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    const char *frame = script_run(&a->script, "1eX<Tab><C-u>two<Enter>");
    assert_has(frame, "\"two\" is no number");
    assert_has(frame, "Rests on the log aloneX");
    assert_has(script_run(&a->script, "1e<Tab><C-u>1.5<Enter>"), "from 0 to 1");
    assert_has(script_run(&a->script, "1e<Enter>"), "nothing was changed here");
    assert_int_equal(last_event(a), before);
}

/* What is left is there again, and can be dropped; the explorer is not left without a word. */
static void test_what_is_left_is_kept(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    const char *frame = script_run(&a->script, "1e, begun<Esc>je");
    assert_lacks(frame, "begun");
    assert_has(script_run(&a->script, "1e, begun<Esc>jke"), "alone, begun");
    assert_has(script_run(&a->script, "1e, begun<Esc>:unsaved<Enter>e"), "alone, begun");
    assert_has(script_run(&a->script, "1e, begun<Esc>Q"), "what you typed is not all saved");
    frame = script_run(&a->script, "1e, begun<Esc>:unsaved<Enter>xe");
    assert_lacks(frame, "begun");
    script_run(&a->script, "1e<Esc>Q<shot:never>"); /* nothing typed, nothing asked */
    assert_null(script_shot(&a->script, "never"));
    assert_int_equal(last_event(a), before);
}

static void test_a_paste_is_text(void **state)
{
    struct acts *a = *state;
    script_run(&a->script, "1e<C-u><paste:first\nq\ty<Esc>><Enter>");
    assert_says(a, ALONE, "\"text\":\"first q y<Esc>\"");
    script_run(&a->script, "1e<C-u><paste:red\033[31m>!<Enter>");
    assert_says(a, ALONE, "\"text\":\"red[31m!\"");
}

static void test_add(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    /* What is marked is what it is made from. */
    const char *frame =
        script_run(&a->script, "3 :add note<Enter>From the log<Tab><C-n><C-n><Enter>");
    assert_has(frame, "added \u00b7 u undoes it");
    struct arena arena = ARENA_INIT;
    struct event *events;
    size_t count = events_since(a, before, &arena, &events);
    assert_int_equal(count, 1);
    char *line = scratch_line(a->store, events->subject);
    assert_non_null(strstr(line, "\"text\":\"From the log\""));
    assert_non_null(strstr(line, "\"note_type\":\"decision\""));
    assert_non_null(strstr(line, "raw:log-of-the-day"));
    assert_non_null(strstr(line, "\"agent_id\":\"sean\""));
    free(line);
    frame = script_run(&a->script, ":add entry limit<Enter>deploy<Tab><Tab>{\"n\": 3}<Tab>"
                                   "9026-02-01<Enter>");
    assert_has(frame, "added");
    count = events_since(a, events->seq, &arena, &events);
    assert_int_equal(count, 1);
    line = scratch_line(a->store, events->subject);
    assert_non_null(strstr(line, "\"value\":{\"n\":3}"));
    assert_non_null(strstr(line, "\"expires_at\":222668524800000"));
    free(line);
    script_run(&a->script, "uu");
    line = scratch_line(a->store, events->subject);
    assert_null(strstr(line, "limit"));
    free(line);
    arena_release(&arena);
    assert_has(script_run(&a->script, "ib<Enter>"), "say what is to be remembered");
}

static void test_every_kind_has_a_form(void **state)
{
    struct acts *a = *state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        char keys[200];
        int64_t before = last_event(a);
        bool entry = kind == KIND_ENTRY; /* its text is its key, and it is somewhere */
        snprintf(keys, sizeof(keys), ":add %s one%s<Enter>%s<Enter>", kind_name((enum kind)kind),
                 entry ? "" : " of each", entry ? "a<Tab><Tab>1" : "");
        const char *frame = script_run(&a->script, keys);
        if (last_event(a) != before + 1)
            fail_msg("%s: %s", keys, frame);
    }
}

static void use_editor(const char *body)
{
    char *path = scratch_path("editor");
    struct strbuf script = STRBUF_INIT;
    strbuf_addf(&script, "#!/bin/sh\n%s\n", body);
    scratch_write(path, script.buf, script.len);
    chmod(path, 0755);
    setenv("EDITOR", path, 1);
    strbuf_release(&script);
    free(path);
}

/* What putMemory would not take the form does not either: it says why, and keeps what was typed. */
static void test_an_entry_stays_one(void **state)
{
    struct acts *a = *state;
    static const struct {
        const char *keys, *why;
    } no[] = {
        {"<C-u><Enter>", "there is no value"},
        {"<C-u>{oops<Enter>", "not JSON"},
        {"<Tab>2020-01-01<Enter>", "expires_at is past"},
        {"<Tab>soon<Enter>", "is no time"},
    };
    int64_t row = scratch_put(a->store, "{\"ref\":\"entry:e\",\"text\":\"k\",\"detail\":"
                                        "{\"namespace\":\"n\",\"key\":\"k\",\"value\":1}}");
    int64_t before = last_event(a);
    for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++) {
        char keys[200];
        snprintf(keys, sizeof(keys), ":edit entry:e<Enter>%s", no[i].keys);
        const char *frame = script_run(&a->script, keys);
        assert_has(frame, no[i].why);
        assert_lacks(frame, "u undoes it");
    }
    assert_has(script_run(&a->script, ":add entry k<Enter>n<Tab><Tab>2<Enter>"),
               "has a key k already: entry:e");
    assert_has(script_run(&a->script, ":add entry<Enter>n<Enter>"), "give its key");
    assert_int_equal(last_event(a), before);
    script_run(&a->script, ":edit entry:e<Enter><C-u>null<Tab>in 3 days<Enter>");
    char *line = scratch_line(a->store, row);
    assert_non_null(strstr(line, "\"value\":null,\"expires_at\":17"));
    free(line);
    script_run(&a->script, ":edit entry:e<Enter><Tab><C-u>never<Enter>");
    line = scratch_line(a->store, row);
    assert_null(strstr(line, "expires_at"));
    free(line);
}

static void assert_order(const char *frame, const char *first, const char *second)
{
    const char *a = strstr(frame, first), *b = strstr(frame, second);
    if (!a || !b || a > b)
        fail_msg("%s is not before %s in\n%s", first, second, frame);
}

static void put_entry(struct acts *a, const char *id, const char *space, const char *value)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line,
                "{\"ref\":\"entry:%s\",\"text\":\"%s\",\"detail\":{\"namespace\":\"%s\",\"key\":"
                "\"%s\",\"value\":%s}}",
                id, id, space, id, value);
    scratch_put(a->store, line.buf);
    strbuf_release(&line);
}

static int sweep(struct txn *t, void *arg, struct error *e)
{
    const struct actor stemma = {.class = ACTOR_AGENT, .name = "stemma", .origin = SWEEPER_ORIGIN};
    return entry_sweep(t, &stemma, 10, arg, e);
}

/* Nobody's name stands for what stemma does by itself. */
static void test_a_sweep_is_nobodys(void **state)
{
    struct acts *a = *state;
    struct error e;
    bool left;
    scratch_put(a->store, "{\"ref\":\"entry:over\",\"text\":\"over\",\"detail\":{\"namespace\":"
                          "\"n\",\"value\":1,\"expires_at\":1000}}");
    assert_int_equal(store_run(a->store, sweep, &left, &e), 0);
    const char *frame = script_run(&a->script, "@");
    assert_has(frame, "stemma itself");
    assert_lacks(frame, "an agent");
}

static void test_namespaces_are_narrowed(void **state)
{
    struct acts *a = *state;
    put_entry(a, "one", "zeta.x", "1");
    put_entry(a, "two", "zeta.x", "\"plum\"");
    put_entry(a, "three", "eta", "\"a longer value\"");
    const char *frame = script_run(&a->script, "O");
    assert_order(frame, " eta", " zeta.x");
    frame = script_run(&a->script, "O\\zet<Enter>");
    assert_has(frame, "1 of 2 namespaces");
    assert_lacks(frame, " eta");
    assert_has(script_run(&a->script, "O\\nowhere<Enter>"), "nothing matches the filter");
    assert_has(script_run(&a->script, "O\\zet<Enter><Esc>"), " eta");
    assert_order(script_run(&a->script, "O:order items<Enter>"), " zeta.x", " eta");
    frame = script_run(&a->script, "O:order items<Enter>:order items<Enter>");
    assert_order(frame, " eta", " zeta.x");
    assert_has(frame, "the other way round");
    assert_order(script_run(&a->script, "Oob"), " eta", " zeta.x"); /* by bytes */
    assert_has(script_run(&a->script, "O:order size<Enter>"), "there is no order");
    assert_lacks(script_run(&a->script, "OR"), "not apply");
    frame = script_run(&a->script, ":namespaces zeta.x<Enter>\\plu<Enter>");
    assert_has(frame, "1 entry");
    assert_lacks(frame, "one");
    assert_has(script_run(&a->script, ":namespaces zeta.x<Enter>\\nowhere<Enter>"),
               "nothing matches the filter");
}

/* What is found in a value is brought onto the screen, though no cursor can stand there. */
static void test_a_match_in_a_value_is_shown(void **state)
{
    struct acts *a = *state;
    struct strbuf value = STRBUF_INIT;
    strbuf_addch(&value, '[');
    for (int i = 0; i < 200; i++)
        strbuf_addf(&value, "%d,", i);
    strbuf_addstr(&value, "\"needle-one\",");
    for (int i = 0; i < 200; i++)
        strbuf_addf(&value, "%d,", i);
    strbuf_addstr(&value, "\"needle-two\"]");
    put_entry(a, "long", "eta", value.buf);
    strbuf_release(&value);
    assert_lacks(script_run(&a->script, ":goto entry:long<Enter>"), "needle");
    const char *frame = script_run(&a->script, ":goto entry:long<Enter>/needle<Enter>");
    assert_has(frame, "needle-one");
    frame = script_run(&a->script, ":goto entry:long<Enter>/needle<Enter>n");
    assert_has(frame, "needle-two");
    assert_has(frame, "match 2 of 2");
    frame = script_run(&a->script, ":goto entry:long<Enter>/needle<Enter>nn");
    assert_has(frame, "needle-one");
    frame = script_run(&a->script, ":goto entry:long<Enter>/needle<Enter>nN");
    assert_has(frame, "needle-one");
    assert_has(frame, "match 1 of 2");
}

static void test_every_kind_is_edited(void **state)
{
    struct acts *a = *state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        char line[200], keys[100];
        bool entry = kind == KIND_ENTRY; /* of which value and expiry are edited, and no more */
        snprintf(line, sizeof(line), "{\"ref\":\"%s:one-of-each\",\"text\":\"one-of-each\"%s}",
                 kind_name((enum kind)kind),
                 entry ? ",\"detail\":{\"namespace\":\"a\",\"key\":\"one-of-each\",\"value\":1}"
                       : "");
        int64_t row = scratch_put(a->store, line);
        snprintf(keys, sizeof(keys), ":edit %s:one-of-each<Enter>%s<Enter>",
                 kind_name((enum kind)kind), entry ? "<C-u>33" : "<Tab><C-u>0.33");
        const char *frame = script_run(&a->script, keys);
        char *now = scratch_line(a->store, row);
        if (!strstr(now, entry ? "\"value\":33" : "\"confidence\":0.33"))
            fail_msg("%s: %s\n%s", keys, now, frame);
        free(now);
    }
}

static void test_revise_from_an_episode(void **state)
{
    struct acts *a = *state;
    const char *frame = script_run(&a->script, "1 j 2:revise<Enter>");
    assert_has(frame, "belief:log-alone");
    assert_has(frame, "neither");
    script_run(&a->script, "1 j 2:revise<Enter><Right><Tab><Left><Enter>");
    assert_says(a, ALONE, "\"mark\":\"for_review\"");
    assert_says(a, THIRD, "\"times_reinforced\":1");
    /* Refs that are typed. */
    script_run(&a->script, "2:revise<Enter>belief:both-of-them<Enter>");
    assert_says(a, BOTH, "\"times_reinforced\":1");
    assert_has(script_run(&a->script, "2:revise<Enter><Enter>"), "nothing was changed");
}

static void test_consolidate_and_seed(void **state)
{
    struct acts *a = *state;
    script_run(&a->script, "3 1:consolidate<Enter><Tab><C-u>2026-02-01<Enter>");
    assert_says(a, ALONE, "consolidation:2026-02-01");
    int64_t before = last_event(a);
    script_run(&a->script, ":seed Mistakes are information<Enter><Enter>");
    assert_int_equal(last_event(a), before + 1);
}

/* ---- an edit that came too late ---- */

static void test_stale_mine(void **state)
{
    struct acts *a = *state;
    a->script.at_shot = edit_by_another;
    const char *frame = script_run(&a->script, "1e, mine<shot:between><Enter>");
    assert_has(frame, "theirs: version 2, by claire (person)");
    assert_has(frame, "As claire wrote it");
    assert_has(frame, "Rests on the log alone, mine");
    assert_says(a, ALONE, "As claire wrote it");
    a->script.at_shot = NULL;
}

static void take_choice(struct acts *a, const char *keys, const char *says)
{
    struct strbuf script = STRBUF_INIT;
    a->script.at_shot = edit_by_another;
    strbuf_addf(&script, "1e, mine<shot:between><Enter>%s", keys);
    script_run(&a->script, script.buf);
    strbuf_release(&script);
    a->script.at_shot = NULL;
    assert_says(a, ALONE, says);
}

static void test_stale_choices(void **state)
{
    struct acts *a = *state;
    take_choice(a, "m", "\"text\":\"Rests on the log alone, mine\"");
    script_run(&a->script, "u");
    take_choice(a, "t", "\"text\":\"As claire wrote it, ");
    take_choice(a, "e, again<Enter>", "mine, again\"");
}

/* What another did that is no edit of a field is said first. */
static void harm_by_another(struct script *s, const char *name)
{
    struct acts *a = (struct acts *)s;
    if (!strncmp(name, "retract", 7))
        done_by_another(a, OPERATION_RETRACT, ALONE, NULL);
    else if (!strncmp(name, "purge", 5))
        done_by_another(a, OPERATION_PURGE, ALONE, NULL);
}

static void test_stale_by_harm(void **state)
{
    struct acts *a = *state;
    a->script.at_shot = harm_by_another;
    const char *frame = script_run(&a->script, "1e, mine<shot:retract><Enter>");
    assert_has(frame, "since you opened it: retracted by claire (person), ");
    assert_has(frame, "Rests on the log alone, mine");
    script_run(&a->script, "1jj:belief:log-alone<Enter>e, mine<shot:purge><Enter><shot:both>m");
    char *both = script_shot(&a->script, "both");
    assert_has(both, "since you opened it: purged by claire (person), ");
    assert_has(both, "Rests on the log alone, mine");
    assert_has(both, "Nothing can be saved over it any more");
    free(both);
    frame = script_run(&a->script, "0:belief:third-one<Enter>q");
    a->script.at_shot = NULL;
}

static void test_stale_and_purged(void **state)
{
    struct acts *a = *state;
    a->script.at_shot = harm_by_another;
    const char *frame = script_run(&a->script, "1e, mine<shot:purge><Enter>m");
    assert_has(frame, "nothing can be saved over it; what you typed is kept");
    assert_has(frame, "Rests on the log alone, mine");
    a->script.at_shot = NULL;
}

/* An undo that is refused, asked for in the audit: both states, and what to do, at any width. */
static void refused_undo(struct acts *a, int columns)
{
    static const char note[] = "It is not taken back. Compare both; then e edits it by hand.";
    a->script.columns = columns;
    const char *frame = script_run(&a->script, "@ju");
    assert_has(frame, "was changed since");
    assert_has(frame, note);
    assert_has(frame, "what event 6 did: edited by claire");
    assert_has(frame, "now: version 3, by you");
    assert_has(frame, "As claire wrote it");
    assert_has(frame, "As sean wrote it");
    assert_has(frame, "what the undo would bring back");
    assert_has(script_run(&a->script, "@juq"), "audit");
}

static void test_undo_that_is_refused(void **state)
{
    struct acts *a = *state;
    done_by_another(a, OPERATION_EDIT, ALONE, "As claire wrote it");
    script_run(&a->script, "1e<C-u>As sean wrote it<Enter>");
    assert_says(a, ALONE, "As sean wrote it");
    refused_undo(a, 80);
    refused_undo(a, 110);
}

/* It came back as it was: a line without a field says so. */
static void test_difference_that_is_none(void **state)
{
    struct acts *a = *state;
    done_by_another(a, OPERATION_FORGET, ALONE, NULL);
    done_by_another(a, OPERATION_RESTORE, ALONE, NULL);
    const char *frame = script_run(&a->script, ":diff @5 @7<Enter>");
    assert_has(frame, "1 memory");
    assert_has(frame, "the same again, in another version");
    assert_has(script_run(&a->script, ":diff @5 @7<Enter>/same again<Enter>"), "1 match for");
}

/* What is erased leaves the list, and is not counted, though the cursor was on it. */
static void test_gone_from_the_list(void **state)
{
    struct acts *a = *state;
    a->script.at_shot = harm_by_another;
    const char *frame = script_run(&a->script, "1j<shot:purge>k");
    assert_has(frame, "2 \u00b7 recorded");
    assert_lacks(frame, "Rests on the log alone");
    a->script.at_shot = NULL;
    frame = script_run(&a->script, "1:purge<Enter><Enter>ypurge<Enter>");
    assert_has(frame, "1 \u00b7 recorded");
    assert_has(frame, "1/1");
    script_run(&a->script, "1:add belief new one<Enter><Enter>g<shot:added>u<shot:undone>");
    char *added = script_shot(&a->script, "added"), *undone = script_shot(&a->script, "undone");
    assert_has(added, "2 \u00b7 recorded");
    assert_has(added, "new one");
    assert_has(undone, "1 \u00b7 recorded");
    assert_has(undone, "1/1");
    free(added);
    free(undone);
    /* of what is not there any more nothing follows, nor is it announced */
    frame = script_run(&a->script, "1:add belief another<Enter><Enter>u9");
    assert_has(frame, " missing");
    assert_lacks(frame, "missing ·");
}

/* Going back is no choice: what was typed is there for the next time. */
static void test_stale_and_left(void **state)
{
    struct acts *a = *state;
    a->script.at_shot = edit_by_another;
    assert_has(script_run(&a->script, "1e, mine<shot:between><Enter>q:unsaved<Enter>"),
               "not saved: edit belief:log-alone");
    a->script.at_shot = NULL;
}

/* ---- the editor ---- */

static void test_editor(void **state)
{
    struct acts *a = *state;
    use_editor("printf 'One line\\n\\n  another: \\033[31m # text\\n' >\"$1\"");
    assert_has(script_run(&a->script, "1E"), "Enter saves it");
    script_run(&a->script, "1Eas it was said<Enter>");
    assert_says(a, ALONE, "\"text\":\"One line\\n\\n  another: \\u001b[31m # text\"");
    assert_says(a, ALONE, "\"version\":2");
}

static void test_editor_changes_nothing(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    use_editor("touch \"$1\"");
    assert_has(script_run(&a->script, "1E"), "the editor changed nothing");
    use_editor(": >\"$1\"");
    assert_has(script_run(&a->script, "1E"), "the text was emptied");
    use_editor("rm \"$1\"");
    assert_has(script_run(&a->script, "1E"), "cannot be read");
    setenv("EDITOR", "/nowhere/editor", 1);
    assert_has(script_run(&a->script, "1E"), "there is no editor");
    assert_int_equal(last_event(a), before);
}

/* What it left may be half a text: nothing is changed, and it stays in a file that is named. */
static void test_editor_that_fails(void **state)
{
    struct acts *a = *state;
    int64_t before = last_event(a);
    static const char *const ends[][2] = {{"exit 3", "the editor failed (exit status 3)"},
                                          {"kill -9 $$", "the editor was ended by signal 9"}};
    for (size_t i = 0; i < 2; i++) {
        char body[80], path[256];
        size_t len;
        snprintf(body, sizeof(body), "echo half of it >\"$1\"; %s", ends[i][0]);
        use_editor(body);
        const char *frame = script_run(&a->script, "<size:200x40>1E");
        assert_has(frame, ends[i][1]);
        assert_has(frame, "What it left is in ");
        sscanf(strstr(frame, "What it left is in ") + 19, "%255s", path);
        path[strlen(path) - 1] = '\0'; /* the full stop */
        char *left = scratch_read(path, &len);
        assert_memory_equal(left, "half of it\n", len);
        free(left);
        remove(path);
    }
    assert_int_equal(last_event(a), before);
}

/* Only its owner reads it, and nothing of it stays, what the editor left beside it neither. */
static void test_editors_file(void **state)
{
    struct acts *a = *state;
    char *told = scratch_path("told");
    struct strbuf body = STRBUF_INIT;
    struct stat st;
    size_t len;
    strbuf_addf(&body, "stat -c %%a \"$1\" >%s; dirname \"$1\" >>%s; cp \"$1\" \"$1~\"", told,
                told);
    use_editor(body.buf);
    script_run(&a->script, "1E");
    char *text = scratch_read(told, &len);
    assert_non_null(text);
    assert_memory_equal(text, "600\n", 4);
    text[len - 1] = '\0';
    assert_int_equal(stat(text + 4, &st), -1);
    free(text);
    free(told);
    strbuf_release(&body);
}

/* Each row, and texts of any kind come back as they are. */
static void test_editor_on_a_row(void **state)
{
    struct acts *a = *state;
    use_editor("printf 'Said \"so\": # no comment\\n\\n\\tand \xe2\x80\xa8 more\\n' >\"$1\"");
    script_run(&a->script, "1e<F4><Enter>");
    assert_says(a, ALONE, "\"text\":\"Said \\\"so\\\": # no comment\\n\\n\\tand");
    use_editor("echo 0.25 >\"$1\"");
    script_run(&a->script, "1e<Tab><F4><Enter>");
    assert_says(a, ALONE, "\"confidence\":0.25");
    assert_says(a, ALONE, "\"tags\":[\"log\"]");
}

/* ---- sizes ---- */

static void test_any_size(void **state)
{
    static const char *const open[] = {
        "1a", "1e", "ib", "1J", "3d<Enter>", "1d", "1 2:revise<Enter>", "3:purge<Enter><Enter>y"};
    struct acts *a = *state;
    for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
        struct strbuf script = STRBUF_INIT;
        strbuf_addstr(&script, open[i]);
        for (int n = 1; n < 14; n++)
            strbuf_addf(&script, "<size:%dx%d><Down><size:%dx%d><Tab><size:1x1>é", n, n, 9 * n,
                        n % 5 + 1);
        script_run(&a->script, script.buf);
        strbuf_release(&script);
    }
    a->script.at_shot = edit_by_another;
    script_run(&a->script,
               "1e, mine<shot:between><Enter><size:1x1><size:80x2><size:7x50><size:200x5>");
    a->script.at_shot = NULL;
}

/* ---- a store that is only read ---- */

static void test_read_only(void **state)
{
    struct acts *a = *state;
    struct store_options options = {.read_only = true};
    struct script reading;
    char *path = strdup(store_path(a->store));
    int64_t before = last_event(a);
    struct store *store = scratch_store_with(path, &options);
    script_open(&reading, store);
    reading.columns = 110;
    static const char *const keys[] = {"d",
                                       "C",
                                       "e",
                                       "E",
                                       "i",
                                       "u",
                                       "<C-r>",
                                       "D",
                                       ":retract<Enter>",
                                       ":edit belief:log-alone<Enter>",
                                       ":retract belief:log-alone<Enter>",
                                       ":add note x<Enter>",
                                       ":seed x<Enter>",
                                       ":reinforce x<Enter>"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        assert_has(script_run(&reading, keys[i]), "the store is open for reading only");
    assert_has(script_run(&reading, "a"), "the store is open for reading only");
    store_close(store);
    script_close(&reading);
    assert_int_equal(last_event(a), before);
    free(path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_retract_shows_what_falls),
        TEST(test_retract_lists_who_only_descends),
        TEST(test_open_again),
        TEST(test_state_says_marks),
        TEST(test_an_event_is_the_persons),
        TEST(test_another_plan_is_asked_again),
        TEST(test_purge_asks_for_the_word),
        TEST(test_several_are_one),
        TEST(test_undo_tells_of_a_purge),
        TEST(test_nothing_to_undo),
        TEST(test_a_refused_undo_shows_both),
        TEST(test_by_name),
        TEST(test_the_menu_says_why_not),
        TEST(test_one_at_a_time),
        TEST(test_why_says_of_what),
        TEST(test_nothing_to_change),
        TEST(test_no_undo_while_it_is_asked),
        TEST(test_a_long_error_is_whole),
        TEST(test_edit),
        TEST(test_edit_the_marked),
        TEST(test_what_it_became),
        TEST(test_own_while_paused),
        TEST(test_what_is_wrong_stays_open),
        TEST(test_what_is_left_is_kept),
        TEST(test_a_paste_is_text),
        TEST(test_add),
        TEST(test_every_kind_has_a_form),
        TEST(test_an_entry_stays_one),
        TEST(test_a_sweep_is_nobodys),
        TEST(test_namespaces_are_narrowed),
        TEST(test_a_match_in_a_value_is_shown),
        TEST(test_every_kind_is_edited),
        TEST(test_revise_from_an_episode),
        TEST(test_consolidate_and_seed),
        TEST(test_stale_mine),
        TEST(test_stale_choices),
        TEST(test_stale_by_harm),
        TEST(test_stale_and_purged),
        TEST(test_undo_that_is_refused),
        TEST(test_difference_that_is_none),
        TEST(test_gone_from_the_list),
        TEST(test_stale_and_left),
        TEST(test_editor),
        TEST(test_editor_changes_nothing),
        TEST(test_editor_that_fails),
        TEST(test_editors_file),
        TEST(test_editor_on_a_row),
        TEST(test_any_size),
        TEST(test_read_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
