/* More at once than there are places: who comes waits for one, as long as those who hold them are answered. */
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#include <unistd.h>

#define PLACES 256
#define CROWD  600
#define PING   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"

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

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, web_new_store, web_forget_store)
    const struct CMUnitTest tests[] = {
        CASE(a_crowd_that_comes_at_once_is_answered),
        CASE(a_crowd_that_asks_a_moment_later_is_answered),
        CASE(who_was_answered_makes_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
