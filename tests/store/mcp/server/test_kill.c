/*
 * Acknowledged writes are stored exactly once: by a server that is killed, and by several processes that write at
 * once with many calls in flight.
 */
#include "tests/support/notes.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

#include <signal.h>
#include "model/base/alloc.h"
#include "tests/support/test.h"

#define ROUNDS      RANDOM_ROUNDS(200)
#define ROUNDS_EACH 10 /* on one store, so that fsck stays quick */
#define IN_FLIGHT   40
#define MOST_ACKS   30 /* before the kill */

/* ---- kill -9 ---- */

/* The acknowledged notes of a round, as bits. */
struct round {
    int number;
    bool acknowledged[IN_FLIGHT + MOST_ACKS];
    int acks;
};

static void content_of(char out[64], int round, int number)
{
    snprintf(out, 64, "round %d note %d", round, number);
}

static void take_ack(struct round *r, const char *line)
{
    int id = note_answered(line);
    if (id < 0)
        fail_msg("%s", line);
    assert_true(id < IN_FLIGHT + MOST_ACKS && !r->acknowledged[id]);
    r->acknowledged[id] = true;
    r->acks++;
}

/* Writes and reads until `kill_at` writes are acknowledged, kills the server, and reads the rest of its output. */
static void write_and_kill(struct round *r, struct client *c, pid_t server, int kill_at)
{
    char content[64];
    const char *line;
    int sent = 0;
    for (; sent < IN_FLIGHT; sent++) {
        content_of(content, r->number, sent);
        note_send(c, sent, content);
    }
    while (r->acks < kill_at) {
        take_ack(r, client_read(c));
        content_of(content, r->number, sent);
        note_send(c, sent++, content);
    }
    assert_int_equal(kill(server, SIGKILL), 0);
    while ((line = client_read(c)))
        take_ack(r, line);
}

static void over_stdio(struct round *r, const char *store, int kill_at)
{
    struct client c;
    CLIENT_START(&c, "mcp", "--store", store);
    client_initialize(&c, "2025-11-25");
    write_and_kill(r, &c, c.pid, kill_at);
    assert_int_equal(client_wait(&c), 128 + SIGKILL);
    client_close(&c);
}

static void over_socket(struct round *r, const char *store, int kill_at)
{
    struct served served;
    struct client c;
    served_start(&served, store);
    client_connect(&c, served.path);
    client_initialize(&c, "2025-11-25");
    write_and_kill(r, &c, served.program.pid, kill_at);
    client_close(&c);
    served_kill(&served);
}

static void check_rounds(const char *store, const struct round *rounds, int count)
{
    struct stored_notes kept;
    char content[64];
    stored_notes_open(&kept, store);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < IN_FLIGHT + MOST_ACKS; k++) {
            content_of(content, rounds[i].number, k);
            if (rounds[i].acknowledged[k] && stored_notes_count(&kept, content) != 1)
                fail_msg("%s was acknowledged and is not there", content);
        }
    stored_notes_check(&kept);
    stored_notes_close(&kept);
}

TEST(kill_loses_no_acknowledged_write)
{
    struct round *rounds = xcalloc(ROUNDS_EACH, sizeof(*rounds));
    for (int first = 0; first < ROUNDS; first += ROUNDS_EACH) {
        AUTO_FREE char *store = scratch_path("store.db");
        for (int i = 0; i < ROUNDS_EACH; i++) {
            int number = first + i;
            rounds[i] = (struct round){.number = number};
            (number % 4 == 3 ? over_socket : over_stdio)(&rounds[i], store, number % MOST_ACKS);
        }
        check_rounds(store, rounds, ROUNDS_EACH);
    }
    free(rounds);
}

/* ---- many at once ---- */

#define EACH 600

static void send_next(struct client *c, int who, int *sent)
{
    char content[64];
    snprintf(content, sizeof(content), "writer %d note %d", who, *sent);
    note_send(c, (*sent)++, content);
}

/* Two processes and a client of the socket, each with `in_flight` calls. */
static void all_write(const char *store, int in_flight)
{
    struct served served;
    struct client clients[3];
    int sent[3] = {0};
    served_start(&served, store);
    CLIENT_START(&clients[0], "mcp", "--store", store);
    CLIENT_START(&clients[1], "mcp", "--store", store);
    client_connect(&clients[2], served.path);
    for (int i = 0; i < 3; i++) {
        client_initialize(&clients[i], "2025-11-25");
        while (sent[i] < in_flight)
            send_next(&clients[i], i, &sent[i]);
    }
    for (int got = 0; got < EACH; got++)
        for (int i = 0; i < 3; i++) {
            const char *line = client_read(&clients[i]);
            if (note_answered(line) != got) /* the writer answers in order */
                fail_msg("%d: %s", got, line);
            if (sent[i] < EACH)
                send_next(&clients[i], i, &sent[i]);
        }
    for (int i = 0; i < 3; i++) {
        client_end(&clients[i]);
        assert_null(client_read(&clients[i]));
        if (i < 2)
            assert_int_equal(client_wait(&clients[i]), 0);
        client_close(&clients[i]);
    }
    assert_int_equal(served_stop(&served), 0);
    assert_int_equal(notes_check(store), 3 * EACH);
}

TEST(acknowledged_writes_of_several_processes_are_stored_once)
{
    static const int in_flight[] = {20, 200};
    for (size_t i = 0; i < 2; i++) {
        AUTO_FREE char *store = scratch_path("store.db");
        all_write(store, in_flight[i]);
    }
}
