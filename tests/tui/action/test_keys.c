/*
 * Random keys at random sizes: runs of 500 for each seed, with resizes down to 1 x 1, clicks, pastes and hostile
 * memories, also while an agent writes. The explorer must go on, and the sanitizers must report nothing. With
 * STEMMA_KEYS that many keys are typed while an agent writes, and nothing else.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include "tests/support/agents.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"

#define KEYS 500 /* of a run */
#define RUNS RANDOM_ROUNDS(20)

/* Frequent keys are listed several times. */
static const char all_keys[] =
    "j j j k k <Down> <Up> <PgDn> <PgUp> <C-d> <C-u> g G <Home> <End> h l <Left> <Right> "
    "<Enter> <Enter> <Enter> q <BS> <Esc> <Esc> <Esc> <Tab> <S-Tab> [ ] m ' a b f f r r w ! "
    "/ n N \\ S : <C-p> ? 1 2 3 4 5 6 7 8 9 0 o c A X <Space> v V U y Y i p t F R z T M "
    "<C-l> <C-c> e x s d D i P B C J E u <C-r> <F4> <F1> <F7> <Del> <Ins> <C-w> <C-k> <C-n> "
    "é 語 <M-x> <lt> - - . + + > H L W Z K , # = 5# 6G= 7<Enter> "
    "<paste:belief:5\ttext\033[31m> <paste:語é> <click:3,4> <click:40,20> <wheelup:5,5> "
    "<wheeldown:5,30>";
static const char *keys[200];
static size_t choices;

static void split_keys(void)
{
    static char list[sizeof(all_keys)];
    char *rest = memcpy(list, all_keys, sizeof(list));
    for (const char *key; (key = strsep(&rest, " ")); choices++)
        keys[choices] = key;
}

static void add_size(struct strbuf *script, struct random *r)
{
    static const int rows[] = {1, 2, 3, 4, 5, 8, 14, 24, 36, 60};
    static const int columns[] = {1, 2, 3, 7, 20, 40, 66, 80, 120, 200};
    strbuf_addf(script, "<size:%dx%d>", columns[random_below(r, 10)], rows[random_below(r, 10)]);
}

/* Avoids quitting early: `q` comes only after a key that leaves the first view. */
static void make_script(struct strbuf *script, uint64_t seed, int count)
{
    struct random r = {seed};
    for (int i = 0; i < count; i++) {
        const char *key = keys[random_below(&r, choices)];
        if (random_chance(&r, 4))
            add_size(script, &r);
        if (!strcmp(key, "q") || !strcmp(key, "<BS>"))
            strbuf_addstr(script, "<Enter><Esc>");
        else
            strbuf_addstr(script, key);
    }
}

static int set_up(void **state)
{
    struct script *s = calloc(1, sizeof(*s));
    script_open_demo(s);
    script_put_hostile(s->store, 7);
    *state = s;
    return 0;
}

/* Random keys may still quit through the palette or help, so they come in several runs, most of which must reach
 * their end. */
static void run_seed(struct script *s, uint64_t seed)
{
    int alive = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        AUTO_STRBUF script = STRBUF_INIT;
        make_script(&script, seed * 20 + run, KEYS);
        strbuf_addstr(&script, "<size:80x24><Esc><Esc><Esc><shot:alive>");
        script_run(s, script.buf);
        alive += strstr(s->frames.buf, "== alive") != NULL;
    }
    assert_true(alive >= RUNS * 3 / 4);
}

static void test_seed_1(void **state)
{
    run_seed(*state, 1);
}

static void test_seed_2(void **state)
{
    run_seed(*state, 20260201);
}

static void test_seed_3(void **state)
{
    run_seed(*state, 0xfeed);
}

static void test_seed_4(void **state)
{
    run_seed(*state, 99);
}

struct agent {
    struct store *store;
    struct session *session;
    atomic_bool ends;
    int wrote;
};

/* Writes ten memories at a time, new ones and others' new versions, until `ends`. */
static void *write_meanwhile(void *arg)
{
    struct agent *a = arg;
    struct random r = {20261201};
    char line[300];
    while (!atomic_load(&a->ends)) {
        for (int i = 0; i < 10; i++) {
            int id = (int)random_below(&r, 400), from = (int)random_below(&r, 400);
            snprintf(
                line, sizeof(line),
                "{\"ref\":\"%s:by-agent-%d\",\"text\":\"it is version %d\",\"confidence\":0.%d,"
                "\"derived_from\":[\"raw:by-agent-%d\"]}",
                id % 3 ? "belief" : "raw", id, a->wrote, 1 + id % 9, from / 3 * 3);
            a->wrote += agents_send(a->store, a->session, "ash", line);
        }
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    return NULL;
}

static void test_an_agent_writes_meanwhile(void **state)
{
    struct script *s = *state;
    const char *wanted = getenv("STEMMA_KEYS");
    long keys_wanted = wanted ? strtol(wanted, NULL, 10) : (long)RANDOM_ROUNDS(4) * KEYS;
    struct call_log *log = agents_open(s->store);
    struct agent a = {.store = s->store, .session = agents_join(log, "claude-code", "ash")};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_meanwhile, &a), 0);
    for (uint64_t run = 0; keys_wanted > 0; run++, keys_wanted -= KEYS) {
        AUTO_STRBUF script = STRBUF_INIT;
        make_script(&script, 777000 + run, KEYS);
        script_run(s, script.buf);
    }
    atomic_store(&a.ends, true);
    pthread_join(thread, NULL);
    if (wanted)
        print_message("%d memories were written meanwhile\n", a.wrote);
    assert_true(a.wrote > 0);
    call_log_close(log);
}

/* Every size from 1 x 1 up, in every view. */
static void test_every_view_at_every_size(void **state)
{
    static const char *const views[] = {"",         "<Enter>",   "f",  "!",   "w",
                                        "?",        ":",         "o",  "\\a", "Sthe<Enter>",
                                        "7<Enter>", "5#<Enter>", "6G="};
    struct script *s = *state;
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        AUTO_STRBUF script = STRBUF_INIT;
        strbuf_addstr(&script, views[i]);
        for (int n = 1; n < 26; n++)
            strbuf_addf(&script, "<size:%dx%d><Down><size:%dx%d><Up>", n, n, 3 * n, n % 7 + 1);
        script_run(s, script.buf);
    }
}

int main(void)
{
    split_keys();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_view_at_every_size),
        cmocka_unit_test(test_seed_1),
        cmocka_unit_test(test_seed_2),
        cmocka_unit_test(test_seed_3),
        cmocka_unit_test(test_seed_4),
        cmocka_unit_test(test_an_agent_writes_meanwhile),
    };
    const struct CMUnitTest written[] = {cmocka_unit_test(test_an_agent_writes_meanwhile)};
    if (getenv("STEMMA_KEYS"))
        return cmocka_run_group_tests(written, set_up, script_tear_down);
    return cmocka_run_group_tests(tests, set_up, script_tear_down);
}
