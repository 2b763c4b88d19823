/* Activity from two logs is sorted by time, whatever the page size. */
#include "model/base/alloc.h"
#include "tests/support/agents.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tui/render/activity.h"
#include "model/base/strbuf.h"
#include "store/open.h"

#define HAPPENED 300

struct state {
    struct store *store;
    struct call_log *log;
    struct reader *reader;
    struct session *session;
};

/* Writes and calls in random order. Some have equal times, and some calls are logged after later events. */
static void play(struct state *s)
{
    struct random r = {7};
    char line[200];
    for (int i = 0; i < HAPPENED; i++) {
        scratch_clock += (int64_t)random_below(&r, 3) * 100;
        if (random_below(&r, 2) == 0) {
            snprintf(line, sizeof(line), "{\"ref\":\"belief:b-%03d\",\"text\":\"number %03d\"}", i,
                     i);
            agents_write(s->store, s->session, "ash", line);
        } else {
            agents_ask(s->session, random_below(&r, 2) ? "memory_get" : "memory_search",
                       (int64_t)random_below(&r, 3), scratch_clock - (int64_t)random_below(&r, 300),
                       random_below(&r, 4) ? ERROR_NONE : ERROR_NOT_FOUND);
        }
        if (random_below(&r, 5) == 0)
            agents_flush(s->store, s->log);
    }
    agents_flush(s->store, s->log);
}

static int set_up(void **state)
{
    struct state *s = calloc(1, sizeof(*s));
    struct error e = {0};
    s->store = scratch_store_with_clock("activity.db", NULL);
    s->log = agents_open(s->store);
    s->session = agents_join(s->log, "codex", "ash");
    play(s);
    s->reader = reader_open(s->store, &e);
    assert_non_null(s->reader);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    AUTO_FREE struct state *s = *state;
    reader_close(s->reader);
    call_log_close(s->log);
    store_close(s->store);
    return 0;
}

/* ---- reading pages ---- */

/* Reads everything that matches; returns the count. */
static size_t take(struct activity_walk *w, struct reader *r)
{
    struct error e;
    int more;
    while ((more = activity_walk_next(w, r, 1000, &e)) > 0)
        ;
    assert_int_equal(more, 0);
    return w->count;
}

/* As text, so that two of them can be compared. */
static void add(struct strbuf *out, const struct activity_walk *w)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct activity *a = w->found[i];
        strbuf_addf(out, "%lld %lld %u ", (long long)a->at, (long long)a->id, a->count);
        activity_text(a, out);
        strbuf_addch(out, '\n');
    }
}

static void read_pages(struct state *s, const char *pattern, size_t page, struct strbuf *out)
{
    struct activity_walk w = {0};
    bool ended = false;
    for (int pages = 0; !ended; pages++) {
        assert_true(pages <= 2 * HAPPENED);
        snprintf(w.filter.query, sizeof(w.filter.query), "%s", pattern);
        w.wanted = page;
        size_t taken = take(&w, s->reader);
        ended = w.ended;
        /* A row of calls with several outcomes counts several times. */
        assert_true(ended || (taken >= page && taken <= page + 1));
        add(out, &w);
        struct activity_walk next = {.begun = true, .seq = w.seq, .call = w.call};
        activity_walk_release(&w);
        w = next;
    }
}

GROUP(set_up, tear_down);

TEST(test_pages_of_every_size_are_sorted)
{
    static const char *const patterns[] = {"", "failed", "memory_get", "number 1",
                                           "nothing at all"};
    static const size_t pages[] = {1, 2, 7, 64, 1000};
    struct state *s = *state;
    for (size_t i = 0; i < 5; i++) {
        AUTO_STRBUF wanted = STRBUF_INIT;
        read_pages(s, patterns[i], 100000, &wanted);
        assert_true((wanted.len == 0) == (i == 4));
        for (size_t k = 0; k < 5; k++) {
            AUTO_STRBUF got = STRBUF_INIT;
            read_pages(s, patterns[i], pages[k], &got);
            assert_string_equal(got.len ? got.buf : "", wanted.len ? wanted.buf : "");
        }
    }
}

/* Every event is listed, and every call as often as it was made. Events keep their order; calls are placed by time. */
TEST(test_nothing_is_lost)
{
    struct state *s = *state;
    struct activity_walk w = {0};
    size_t total = 0;
    int64_t last = INT64_MAX, at = INT64_MAX;
    take(&w, s->reader);
    assert_true(w.ended);
    for (size_t i = 0; i < w.count; i++) {
        total += w.found[i]->count;
        if (w.found[i]->type != ACTIVITY_WRITE)
            continue;
        assert_true(w.found[i]->id < last && w.found[i]->at <= at);
        last = w.found[i]->id;
        at = w.found[i]->at;
    }
    assert_int_equal(total, HAPPENED);
    activity_walk_release(&w);
}

/* An open list reads only what is newer than its rows. */
TEST(test_newer_activity_is_added)
{
    struct state *s = *state;
    struct activity_walk w = {.wanted = 50}, newer = {0};
    take(&w, s->reader);
    newer.filter.after_seq = w.seq - 1;
    newer.filter.after_call = w.call - 1;
    take(&newer, s->reader);
    assert_true(newer.ended && newer.count >= 50);
    for (size_t i = 0; i < 50; i++)
        assert_int_equal(newer.found[i]->id, w.found[i]->id);
    activity_walk_release(&w);
    activity_walk_release(&newer);
}

TEST(test_the_activity_of_one_session)
{
    struct state *s = *state;
    struct activity_walk w = {.filter = {.session = 12345}};
    assert_int_equal(take(&w, s->reader), 0);
    activity_walk_release(&w);
}

/* A refused call is listed with namespace and agent. A write of an entry tool is listed as its event. */
TEST(test_refused_calls_have_their_namespace)
{
    struct state *s = *state;
    struct activity_walk w = {
        .filter = {.types = 1u << ACTIVITY_REFUSAL, .since = scratch_clock + 1000}};
    AUTO_STRBUF text = STRBUF_INIT;
    struct call_note n = {.tool = "putMemory",
                          .at = scratch_clock + 1000,
                          .outcome = ERROR_REFUSED,
                          .namespace_ = "team.ops",
                          .agent = "rowan",
                          .redactions = 2};
    session_note(s->session, &n);
    n.outcome = ERROR_NONE;
    n.wrote = true;
    session_note(s->session, &n);
    agents_flush(s->store, s->log);
    assert_int_equal(take(&w, s->reader), 1);
    const struct activity *a = w.found[0];
    assert_int_equal(a->type, ACTIVITY_REFUSAL);
    assert_string_equal(a->namespace_, "team.ops");
    assert_string_equal(a->who, "ash"); /* whatever it claims */
    assert_int_equal(a->masked, 2);
    assert_false(a->foreign);
    activity_text(a, &text);
    assert_non_null(strstr(text.buf, "team.ops"));
    activity_walk_release(&w);
}

TEST(test_only_a_person_approves)
{
    struct activity h = {.type = ACTIVITY_WRITE, .what = "verify"};
    assert_string_equal(activity_action(&h), "verified");
    h.person = true;
    assert_string_equal(activity_action(&h), "approved");
}

/* Calls of one row are listed by outcome. */
TEST(test_each_outcome_has_a_row)
{
    static const enum error_code outcomes[] = {ERROR_CONFLICT,    ERROR_NONE,     ERROR_INVALID,
                                               ERROR_INTERRUPTED, ERROR_CONFLICT, ERROR_REFUSED};
    static const struct {
        const char *said, *why;
        uint32_t count;
    } wanted[] = {
        {"refused", "PERMISSION_DENIED", 1}, {"failed", "CONFLICT", 2}, {"cancelled", "", 1},
        {"failed", "INVALID_REQUEST", 1},    {"read", "", 1},
    };
    struct state *s = *state;
    struct session *willow = agents_join(s->log, "codex", "willow");
    for (size_t i = 0; i < 6; i++)
        agents_ask(willow, "memory_update", 1, scratch_clock + (int64_t)i, outcomes[i]);
    agents_flush(s->store, s->log);
    struct activity_walk w = {.filter = {.actor = "willow", .since = scratch_clock}};
    assert_int_equal(take(&w, s->reader), 5);
    for (size_t i = 0; i < 5; i++) {
        bool found = false;
        for (size_t k = 0; k < 5; k++)
            found |= !strcmp(activity_action(w.found[k]), wanted[i].said) &&
                     !strcmp(activity_error(w.found[k]), wanted[i].why) &&
                     w.found[k]->count == wanted[i].count;
        assert_true(found);
    }
    activity_walk_release(&w);
}
