/* More at once than there are places: who comes waits for one, as long as those who hold them are answered. */
#include "tests/support/has.h"
#include "tests/support/held.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#include <unistd.h>

#define PLACES 256
#define CROWD  600
#define PING   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define NOTE                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"                                            \
    "call\",\"params\":{\"name\":\"memory_note\","                                                 \
    "\"arguments\":{\"content\":\"crowd\"}}}"

static int dial(const struct web *w, bool local)
{
    return local ? web_dial_socket(w) : web_dial(w);
}

static void ask(const struct web *w, int fd, const char *body)
{
    struct strbuf out = STRBUF_INIT;
    web_add_post(&out, w, "", body);
    web_put(fd, out.buf, out.len);
    strbuf_release(&out);
}

static void expect_answer(int fd, const char *status)
{
    struct strbuf got = STRBUF_INIT;
    char *answer = web_take_answer(fd, &got);
    assert_has(answer, status);
    free(answer);
    strbuf_release(&got);
    close(fd);
}

/* With its request, or a moment before that. */
static void all_are_answered_over(const struct web *w, bool local, int count, bool later)
{
    int crowd[CROWD];
    for (int i = 0; i < count; i++) {
        crowd[i] = dial(w, local);
        if (!later)
            ask(w, crowd[i], PING);
    }
    for (int i = 0; later && i < count; i++)
        ask(w, crowd[i], PING);
    for (int i = 0; i < count; i++)
        expect_answer(crowd[i], " 200 ");
}

static void a_crowd_that_comes_at_once_is_answered(void **state)
{
    all_are_answered_over(*state, false, CROWD, false);
    all_are_answered_over(*state, true, CROWD / 2, false);
}

static void a_crowd_that_asks_a_moment_later_is_answered(void **state)
{
    all_are_answered_over(*state, false, CROWD / 2, true);
}

/* Their places are free for others at once, and none of them asks in vain. */
static void who_was_answered_makes_room(void **state)
{
    struct web *w = *state;
    int resting[PLACES];
    for (int i = 0; i < PLACES; i++) {
        resting[i] = web_dial(w);
        free(web_post_on(w, resting[i], "", PING));
    }
    all_are_answered_over(w, false, PLACES / 2, false);
    for (int i = 0; i < PLACES; i++)
        close(resting[i]);
}

/* ---- where it lasts ---- */

/* Each is told, and nothing of it is carried out; who has a place keeps it until it is answered. */
static void who_waits_in_vain_is_told(void **state)
{
    struct web *w = *state;
    int busy[PLACES], crowd[PLACES], first = web_dial(w);
    free(web_post_on(w, first, "", NOTE));
    close(first);
    sqlite3 *db = held_take(w->store);
    for (int i = 0; i < PLACES; i++) {
        busy[i] = web_dial(w);
        ask(w, busy[i], NOTE);
    }
    for (int i = 0; i < PLACES; i++) {
        crowd[i] = web_dial(w);
        ask(w, crowd[i], NOTE);
    }
    for (int i = 0; i < PLACES; i++)
        expect_answer(crowd[i], "\r\nRetry-After: 1\r\n");
    held_give_back(db);
    for (int i = 0; i < PLACES; i++)
        expect_answer(busy[i], " 200 ");
    all_are_answered_over(w, false, 1, false);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, web_new_store, web_forget_store)
    const struct CMUnitTest tests[] = {
        CASE(a_crowd_that_comes_at_once_is_answered),
        CASE(a_crowd_that_asks_a_moment_later_is_answered),
        CASE(who_was_answered_makes_room),
        CASE(who_waits_in_vain_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
