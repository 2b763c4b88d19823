/* What happened, from two logs: every order in which it arrives gives the same row of time. */
#include "tests/support/agents.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tui/view/events/activity.h"
#include "model/base/strbuf.h"
#include "store/open.h"

#define HAPPENED 300

struct state {
    struct store *store;
    struct call_log *log;
    struct reader *reader;
    struct session *session;
};

/* Writes and calls in any order; some at one time, and some calls are logged after what came later. */
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
    s->store = scratch_store_standing("happening.db", NULL);
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
    struct state *s = *state;
    reader_close(s->reader);
    call_log_close(s->log);
    store_close(s->store);
    free(s);
    return 0;
}

/* ---- walking ---- */

static size_t take(struct happening_walk *w, struct reader *r, struct happenings *all)
{
    struct error e;
    int more;
    while ((more = happening_walk_on(w, r, 1000, &e)) > 0)
        ;
    assert_int_equal(more, 0);
    size_t taken = w->count;
    for (size_t i = 0; i < w->count; i++)
        happenings_put(all, w->found[i], w->back);
    w->taken += w->count;
    w->count = 0;
    return taken;
}

/* As text, so that two of them can be compared. */
static char *written(const struct happenings *all)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < happenings_count(all); i++) {
        const struct happening *h = happenings_at(all, i);
        strbuf_addf(&out, "%lld %lld %u ", (long long)h->at, (long long)h->id, h->count);
        happening_text(h, &out);
        strbuf_addch(&out, '\n');
    }
    return strbuf_detach(&out, NULL);
}

/* All of it forwards from the beginning. */
static char *forwards(struct state *s, const char *pattern, struct happenings *all)
{
    struct happening_walk w = {.begun = true};
    snprintf(w.filter.pattern, sizeof(w.filter.pattern), "%s", pattern);
    take(&w, s->reader, all);
    assert_true(w.ended);
    happening_walk_release(&w);
    return written(all);
}

static char *backwards(struct state *s, const char *pattern, size_t page, struct happenings *all)
{
    struct happening_walk w = {.back = true};
    bool ended = false;
    for (int pages = 0; !ended; pages++) {
        assert_true(pages <= 2 * HAPPENED);
        snprintf(w.filter.pattern, sizeof(w.filter.pattern), "%s", pattern);
        w.wanted = page;
        size_t taken = take(&w, s->reader, all);
        ended = w.ended;
        assert_true(ended || (taken >= page && taken <= page + 1));
        struct happening_walk next = {.back = true, .begun = true, .seq = w.seq, .call = w.call};
        happening_walk_release(&w);
        w = next;
    }
    return written(all);
}

static void assert_in_order(const struct happenings *all)
{
    for (size_t i = 1; i < happenings_count(all); i++)
        assert_true(happenings_at(all, i - 1)->at >= happenings_at(all, i)->at);
}

static void test_both_ways_are_one(void **state)
{
    static const char *const patterns[] = {"", "refused", "memory_get", "number 1",
                                           "nothing at all"};
    static const size_t pages[] = {1, 2, 7, 64, 1000};
    struct state *s = *state;
    for (size_t i = 0; i < 5; i++) {
        struct happenings all = {0};
        char *wanted = forwards(s, patterns[i], &all);
        assert_in_order(&all);
        assert_true((happenings_count(&all) == 0) == (i == 4));
        for (size_t k = 0; k < 5; k++) {
            struct happenings other = {0};
            char *got = backwards(s, patterns[i], pages[k], &other);
            assert_string_equal(got, wanted);
            happenings_release(&other);
            free(got);
        }
        happenings_release(&all);
        free(wanted);
    }
}

/* Every event is there, and every call as often as it was made. */
static void test_nothing_is_lost(void **state)
{
    struct state *s = *state;
    struct happenings all = {0};
    size_t total = 0;
    free(forwards(s, "", &all));
    for (size_t i = 0; i < happenings_count(&all); i++)
        total += happenings_at(&all, i)->count;
    assert_int_equal(total, HAPPENED);
    happenings_release(&all);
}

/* What is let go is found again by a walk from where that says, and nothing twice. */
static void test_cut(void **state)
{
    struct state *s = *state;
    for (size_t most = 0; most < 200; most += 13) {
        struct happenings all = {0};
        char *wanted = most % 2 ? forwards(s, "", &all) : backwards(s, "", 50, &all);
        struct happening_walk w = {.back = true, .begun = true};
        happenings_cut(&all, most, &w.seq, &w.call);
        assert_int_equal(happenings_count(&all), most);
        take(&w, s->reader, &all);
        char *got = written(&all);
        assert_string_equal(got, wanted);
        happening_walk_release(&w);
        happenings_release(&all);
        free(got);
        free(wanted);
    }
}

static void test_one_session(void **state)
{
    struct state *s = *state;
    struct happenings all = {0};
    struct happening_walk w = {.back = true, .filter = {.session = 12345}};
    take(&w, s->reader, &all);
    assert_int_equal(happenings_count(&all), 0);
    happening_walk_release(&w);
    happenings_release(&all);
}

/* Last: a refusal is told with where and for whom; what an entry tool wrote is its event's to tell. */
static void test_what_the_guard_did(void **state)
{
    struct state *s = *state;
    struct happening_walk w = {.back = true, .filter = {.actor = "rowan"}};
    struct happenings all = {0};
    struct strbuf text = STRBUF_INIT;
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
    assert_int_equal(take(&w, s->reader, &all), 1);
    struct happening *h = happenings_at(&all, 0);
    assert_int_equal(h->sort, HAPPENED_REFUSAL);
    assert_string_equal(h->namespace_, "team.ops");
    assert_string_equal(h->who, "rowan");
    assert_int_equal(h->masked, 2);
    assert_true(h->foreign);
    happening_text(h, &text);
    assert_non_null(strstr(text.buf, "team.ops"));
    strbuf_release(&text);
    happenings_release(&all);
    happening_walk_release(&w);
}

/* Calls of one row are told apart by how they came out, whichever way they are read. */
static void test_each_outcome(void **state)
{
    static const enum error_code outcomes[] = {ERROR_CONFLICT,    ERROR_NONE,     ERROR_INVALID,
                                               ERROR_INTERRUPTED, ERROR_CONFLICT, ERROR_REFUSED};
    static const struct {
        const char *said, *why;
        uint32_t count;
    } wanted[] = {
        {"refused", "PERMISSION_DENIED", 1},
        {"refused", "CONFLICT", 2},
        {"cancelled", "", 1},
        {"refused", "INVALID_REQUEST", 1},
        {"read", "", 1},
    };
    struct state *s = *state;
    struct session *willow = agents_join(s->log, "codex", "willow");
    for (size_t i = 0; i < 6; i++)
        agents_ask(willow, "memory_update", 1, scratch_clock + (int64_t)i, outcomes[i]);
    agents_flush(s->store, s->log);
    for (int back = 0; back < 2; back++) {
        struct happening_walk w = {
            .back = back, .begun = !back, .filter = {.actor = "willow", .since = scratch_clock}};
        struct happenings all = {0};
        assert_int_equal(take(&w, s->reader, &all), 5);
        for (size_t i = 0; i < 5; i++) {
            const struct happening *h = happenings_at(&all, i);
            assert_string_equal(happening_said(h), wanted[i].said);
            assert_string_equal(happening_why(h), wanted[i].why);
            assert_int_equal(h->count, wanted[i].count);
        }
        happenings_release(&all);
        happening_walk_release(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways_are_one),
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_one_session),
        cmocka_unit_test(test_what_the_guard_did),
        cmocka_unit_test(test_each_outcome),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
