/*
 * The transports of a team's journal: the same cases over PostgreSQL and over a folder, then what
 * only one of them has. PostgreSQL is a server of this test's own.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"
#include "store/journal/canonical.h"
#include "store/platform/platform.h"
#include "store/team/transport.h"
#include "tests/support/has.h"
#include "tests/support/postgres.h"
#include "tests/support/scratch.h"

static struct postgres_server server;

/* ---- a place: the address of each role, and a store that no other test has ---- */

struct place {
    bool postgres;
    char store[37], folder[200];
};

static char *address_of(const struct place *p, const char *role)
{
    return p->postgres ? xformat("host=%s dbname=team user=%s", server.dir, role)
                       : xstrdup(p->folder);
}

static struct transport *open_at(const struct place *p, const char *role, const char *store)
{
    struct error e;
    AUTO_FREE char *address = address_of(p, role);
    struct transport *t = transport_open(address, store, &e);
    if (!t)
        fail_msg("%s: %s", address, e.what);
    return t;
}

static void set_up(void **state, bool postgres)
{
    static unsigned count;
    struct place *p = xcalloc(1, sizeof(*p));
    AUTO_FREE char *folder = scratch_path("team");
    p->postgres = postgres;
    snprintf(p->store, sizeof(p->store), "00000000-0000-4000-8000-%012u", ++count);
    snprintf(p->folder, sizeof(p->folder), "%.199s", folder);
    *state = p;
}

static int set_up_postgres(void **state)
{
    set_up(state, true);
    return 0;
}

static int set_up_folder(void **state)
{
    set_up(state, false);
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* ---- events ---- */

static const struct chain_end nothing;

struct made {
    struct arena arena;
    struct chain_end end;
    struct team_event event[8];
    size_t count;
};

/* Adds an event to the chain: that operation on that ref. */
static void make(struct made *m, const char *operation, const char *ref, const char *line)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct team_event *v = &m->event[m->count++];
    bool by_person = strcmp(operation, "purge") == 0;
    canonical_write(&text, &(struct canonical){.seq = m->end.count + 1,
                                               .at = SCRATCH_NOW,
                                               .session = 7,
                                               .actor = "ash",
                                               .class_name = by_person ? "person" : "agent",
                                               .operation = operation,
                                               .ref = ref,
                                               .patch = "00"});
    digest_chain(&m->end.hash, m->end.count ? &m->end.hash : NULL, text.buf, text.len);
    m->end.count++;
    *v = (struct team_event){.seq = m->end.count,
                             .hash = m->end.hash,
                             .canonical = arena_strdup(&m->arena, text.buf),
                             .salt = (const unsigned char *)"0123456789abcde\xff",
                             .patch = "{\"reason\":\"\\\"quoted\\\" \\\\ back\\n\"}",
                             .line = arena_strdup(&m->arena, line)};
}

/* Begins anew after that end. */
static void begin(struct made *m, const struct chain_end *at)
{
    arena_release(&m->arena);
    *m = (struct made){.arena = ARENA_INIT, .end = *at};
}

static const char plain[] = "{\"text\":\"h\xc3\xa9llo {,} \\u0041\"}";

static void make_notes(struct made *m, const struct chain_end *at, size_t count)
{
    begin(m, at);
    for (size_t i = 0; i < count; i++)
        make(m, "add", "note:n1", plain);
}

static int append(struct transport *t, int machine, const struct chain_end *base,
                  const struct made *m)
{
    struct error e;
    int result = transport_append(t, machine, base, m->event, m->count, &e);
    if (result < 0)
        fail_msg("append: %s", e.what);
    return result;
}

static struct team_event *fetch(struct transport *t, struct arena *arena, int64_t after,
                                size_t limit, size_t expected)
{
    struct team_event *events;
    struct error e;
    size_t count;
    if (transport_fetch(t, after, limit, arena, &events, &count, &e))
        fail_msg("fetch: %s", e.what);
    assert_int_equal(count, expected);
    return events;
}

static void assert_same_event(const struct team_event *a, const struct team_event *b)
{
    assert_int_equal(a->seq, b->seq);
    assert_true(digest_equal(&a->hash, &b->hash));
    assert_string_equal(a->canonical, b->canonical);
    assert_memory_equal(a->salt, b->salt, SALT_SIZE);
    assert_string_equal(a->patch, b->patch);
    assert_string_equal(a->line, b->line);
}

static void assert_erased(const struct team_event *v)
{
    assert_null(v->salt);
    assert_null(v->patch);
    assert_null(v->line);
}

/* A new team of that place, of which the first machine is number 0. */
static struct transport *team(const struct place *p)
{
    struct error e;
    int number = -1;
    struct transport *t = open_at(p, "ash", NULL);
    if (transport_create(t, p->store, &nothing, &e) ||
        transport_join(t, "ash's laptop", &number, &e))
        fail_msg("%s", e.what);
    assert_int_equal(number, 0);
    return t;
}

/* Another connection, as machine 1 of role birch. */
static struct transport *second(const struct place *p)
{
    struct error e;
    int number = -1;
    if (p->postgres) {
        AUTO_FREE char *sql = xformat("SELECT stemma.allow('%s', 'birch')", p->store);
        postgres_do(&server, "ash", "team", sql);
    }
    struct transport *t = open_at(p, "birch", p->store);
    assert_int_equal(transport_join(t, "birch", &number, &e), 0);
    assert_int_equal(number, 1);
    return t;
}

/* ---- the same over both ---- */

static void a_team_begins_and_machines_join(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    const char **stores;
    struct team_machine *machines;
    size_t count;
    int number, found = 0;
    struct transport *t = team(p), *other = second(p);
    assert_int_equal(transport_create(t, p->store, &nothing, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    assert_int_equal(transport_stores(other, &arena, &stores, &count, &e), 0);
    for (size_t i = 0; i < count; i++)
        found += strcmp(stores[i], p->store) == 0;
    assert_int_equal(found, 1);
    assert_int_equal(transport_join(other, "birch", &number, &e), 0);
    assert_int_equal(number, 1);
    assert_int_equal(transport_report(other, 1, 5, NULL, 0, &e), 0);
    assert_int_equal(transport_machines(t, &arena, &machines, &count, &e), 0);
    assert_int_equal(count, 2);
    assert_string_equal(machines[0].name, "ash's laptop");
    assert_int_equal(machines[1].number, 1);
    assert_int_equal(machines[1].applied, 5);
    assert_true(machines[1].seen_at > SCRATCH_NOW);
    assert_int_equal(transport_leave(other, 1, &e), 0);
    assert_int_equal(transport_machines(t, &arena, &machines, &count, &e), 0);
    assert_int_equal(count, 1);
    assert_int_equal(transport_join(other, "birch", &number, &e), 0);
    assert_int_equal(number, 1); /* its number stays its own */
    assert_int_equal(transport_join(t, "", &number, &e), -1);
    transport_close(other);
    transport_close(t);

    t = open_at(p, "ash", "99999999-0000-4000-8000-000000000000");
    struct chain_end head;
    assert_int_equal(transport_head(t, &head, &e), -1);
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    transport_close(t);
}

/* Who began the team removes a machine; another machine's role cannot. */
static void who_was_removed_appends_nothing(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    struct team_machine *machines;
    size_t count;
    int number;
    struct transport *t = team(p), *other = second(p);
    make_notes(&m, &nothing, 1);
    if (p->postgres)
        assert_int_equal(transport_leave(other, 0, &e), -1);
    assert_int_equal(transport_leave(t, 1, &e), 0);
    assert_int_equal(transport_machines(other, &arena, &machines, &count, &e), 0);
    assert_int_equal(count, 1);
    assert_int_equal(transport_append(other, 1, &nothing, m.event, m.count, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_int_equal(transport_report(other, 1, 1, NULL, 0, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    fetch(t, &arena, 0, 10, 0);
    assert_int_equal(transport_join(other, "birch", &number, &e), 0);
    assert_int_equal(append(other, 1, &nothing, &m), 1);
    arena_release(&m.arena);
    transport_close(other);
    transport_close(t);
}

/* A process that begins the first team; its exit status is 0 if it did, 1 if another had. */
static pid_t begin_first(const char *address, int n)
{
    struct error e = {0};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child)
        return child;
    AUTO_FREE char *id = xformat("5555555%d-0000-4000-8000-000000000000", n);
    struct transport *t = transport_open(address, NULL, &e);
    int result = t ? transport_create_first(t, id, &nothing, &e) : -1;
    _exit(result == 0 ? 0 : e.code == ERROR_CONFLICT ? 1 : 2);
}

static void of_several_that_begin_one_does(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    const char **stores;
    size_t count;
    pid_t child[8];
    int ended[3] = {0}, status;
    if (p->postgres)
        postgres_do(&server, "postgres", "postgres", "CREATE DATABASE first OWNER owner");
    AUTO_FREE char *address = p->postgres ? xformat("host=%s dbname=first user=owner", server.dir)
                                          : scratch_path("first");
    for (int n = 0; n < 8; n++)
        child[n] = begin_first(address, n);
    for (int n = 0; n < 8; n++) {
        assert_int_equal(waitpid(child[n], &status, 0), child[n]);
        ended[WEXITSTATUS(status)]++;
    }
    assert_int_equal(ended[0], 1);
    assert_int_equal(ended[1], 7);
    struct transport *t = transport_open(address, NULL, &e);
    assert_int_equal(transport_stores(t, &arena, &stores, &count, &e), 0);
    assert_int_equal(count, 1);
    transport_close(t);
}

static void what_is_appended_is_fetched(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    struct chain_end head;
    struct transport *t = team(p);
    make_notes(&m, &nothing, 3);
    m.event[1].salt = NULL;
    m.event[1].patch = m.event[1].line = NULL;
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    assert_int_equal(transport_head(t, &head, &e), 0);
    assert_int_equal(head.count, 3);
    assert_true(digest_equal(&head.hash, &m.end.hash));
    struct team_event *got = fetch(t, &arena, 0, 100, 3);
    assert_same_event(&got[0], &m.event[0]);
    assert_erased(&got[1]);
    assert_string_equal(got[1].canonical, m.event[1].canonical);
    assert_same_event(&got[2], &m.event[2]);
    make_notes(&m, &head, 2);
    assert_int_equal(append(t, 0, &head, &m), 1);
    got = fetch(t, &arena, 2, 2, 2); /* the end of one append and the beginning of the next */
    assert_int_equal(got[0].seq, 3);
    assert_same_event(&got[1], &m.event[0]);
    fetch(t, &arena, 5, 100, 0);
    arena_release(&m.arena);
    transport_close(t);
}

static void a_journal_may_begin_later(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    struct chain_end at = {.count = 41}, head;
    int number;
    digest_bytes(&at.hash, "x", 1);
    struct transport *t = open_at(p, "ash", NULL);
    assert_int_equal(transport_create(t, p->store, &at, &e), 0);
    assert_int_equal(transport_join(t, "a", &number, &e), 0);
    assert_int_equal(transport_head(t, &head, &e), 0);
    assert_int_equal(head.count, 41);
    make_notes(&m, &at, 2);
    assert_int_equal(append(t, 0, &at, &m), 1);
    assert_int_equal(fetch(t, &arena, 41, 10, 2)[0].seq, 42);
    arena_release(&m.arena);
    transport_close(t);
}

static void who_is_behind_appends_nothing(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    struct transport *t = team(p), *other = second(p);
    make_notes(&m, &nothing, 2);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    assert_int_equal(append(t, 0, &nothing, &m), 0); /* sent twice */
    assert_int_equal(append(other, 1, &nothing, &m), 0);
    struct chain_end forked = m.end;
    forked.hash.bytes[0] ^= 1;
    make_notes(&m, &forked, 1);
    assert_int_equal(append(other, 1, &forked, &m), 0);
    struct chain_end end;
    assert_int_equal(transport_head(t, &end, &e), 0);
    make_notes(&m, &end, 2);
    m.event[1].hash.bytes[0] ^= 1;
    assert_int_equal(transport_append(other, 1, &end, m.event, 2, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    m.event[1].hash.bytes[0] ^= 1;
    m.event[0].line = memset(arena_alloc(&arena, (64 << 20) + 1), ' ', 64 << 20);
    assert_int_equal(transport_append(other, 1, &end, m.event, 2, &e), -1);
    assert_has(e.what, "67108864 at most");
    fetch(t, &arena, 2, 10, 0);
    arena_release(&m.arena);
    transport_close(other);
    transport_close(t);
}

/* Appends events one by one. What others appended is skipped. */
struct contender {
    struct transport *t;
    int machine;
    pthread_t thread;
};

#define EACH_APPENDS 40

static void *contend(void *arg)
{
    struct contender *c = arg;
    struct made m = {.arena = ARENA_INIT};
    struct chain_end head;
    struct error e;
    for (int done = 0; done < EACH_APPENDS;) {
        int result = transport_head(c->t, &head, &e);
        make_notes(&m, &head, 1);
        if (result == 0)
            result = transport_append(c->t, c->machine, &head, m.event, 1, &e);
        if (result < 0)
            break;
        done += result;
    }
    arena_release(&m.arena);
    return NULL;
}

static void two_contend_for_one_order(void **state)
{
    const struct place *p = *state;
    AUTO_ARENA arena = ARENA_INIT;
    struct contender c[2] = {{team(p), 0, 0}, {second(p), 1, 0}};
    struct digest hash = nothing.hash;
    for (int i = 0; i < 2; i++)
        pthread_create(&c[i].thread, NULL, contend, &c[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(c[i].thread, NULL);
    struct team_event *got = fetch(c[0].t, &arena, 0, 1000, 2 * EACH_APPENDS);
    for (size_t i = 0; i < 2 * EACH_APPENDS; i++) {
        assert_int_equal(got[i].seq, i + 1);
        digest_chain(&hash, i ? &hash : NULL, got[i].canonical, strlen(got[i].canonical));
        assert_true(digest_equal(&hash, &got[i].hash));
    }
    transport_close(c[0].t);
    transport_close(c[1].t);
}

/* Appends one event as machine 1, once: *result, or the code of the error. */
struct late {
    struct transport *t;
    int result;
    int64_t took;
    enum error_code code;
};

static void *append_late(void *arg)
{
    struct late *l = arg;
    struct made m = {.arena = ARENA_INIT};
    struct error e = {.code = ERROR_NONE};
    int64_t start = monotonic_ms();
    make_notes(&m, &nothing, 1);
    l->result = transport_append(l->t, 1, &nothing, m.event, 1, &e);
    l->code = e.code;
    l->took = monotonic_ms() - start;
    arena_release(&m.arena);
    return NULL;
}

static void a_lock_keeps_others_waiting(void **state)
{
    const struct place *p = *state;
    struct error e;
    struct made m = {.arena = ARENA_INIT};
    struct transport *t = team(p);
    struct late late = {.t = second(p)};
    pthread_t thread;
    if (!p->postgres && !platform_has_locks()) {
        transport_close(late.t);
        transport_close(t);
        skip();
    }
    assert_int_equal(transport_lock(t, &e), 0);
    pthread_create(&thread, NULL, append_late, &late);
    usleep(300000);
    assert_int_equal(transport_report(t, 0, 0, NULL, 0, &e), 0); /* the lock stays */
    make_notes(&m, &nothing, 1);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    pthread_join(thread, NULL);
    assert_int_equal(late.result, 0);
    assert_in_range(late.took, 200, 4000);

    /* Unlocked, nothing was changed. */
    assert_int_equal(transport_lock(t, &e), 0);
    transport_unlock(t);
    struct chain_end end = m.end;
    make_notes(&m, &end, 1);
    assert_int_equal(append(late.t, 1, &end, &m), 1);
    arena_release(&m.arena);
    transport_close(late.t);
    transport_close(t);
}

static void who_stalls_loses_the_lock(void **state)
{
    const struct place *p = *state;
    struct error e;
    struct made m = {.arena = ARENA_INIT};
    struct transport *t = team(p);
    struct late late = {.t = second(p)};
    int64_t start = monotonic_ms();
    assert_int_equal(transport_lock(t, &e), 0);
    do
        append_late(&late);
    while (late.code == ERROR_BUSY && monotonic_ms() < start + 3 * TRANSPORT_WAIT_MS);
    assert_int_equal(late.result, 1);
    make_notes(&m, &nothing, 1);
    int result = transport_append(t, 0, &nothing, m.event, 1, &e);
    assert_true(result == 0 || (result < 0 && e.code == ERROR_BUSY));
    arena_release(&m.arena);
    transport_close(late.t);
    transport_close(t);
}

static bool is_told(struct transport *t, int ms)
{
    struct pollfd fd = {transport_fd(t), POLLIN, 0};
    assert_true(fd.fd >= 0);
    return poll(&fd, 1, ms) > 0;
}

static void others_are_told(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    struct transport *t = team(p), *other = second(p);
    is_told(other, 0); /* it listens from now on */
    transport_heard(other);
    assert_false(is_told(other, 100));
    make_notes(&m, &nothing, 1);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    assert_true(is_told(other, 5000));
    transport_heard(other);
    assert_false(p->postgres && is_told(other, 100));
    struct chain_end end = m.end;
    make_notes(&m, &end, 1);
    assert_int_equal(append(t, 0, &end, &m), 1);
    usleep(100000);
    fetch(other, &arena, 0, 1, 1); /* takes in what the server had to tell */
    assert_true(is_told(other, 5000));
    transport_heard(other);
    assert_int_equal(transport_report(t, 0, 2, NULL, 0, &e), 0);
    arena_release(&m.arena);
    transport_close(other);
    transport_close(t);
}

static void a_purge_erases_bodies(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_FREE char *file = scratch_path("snapshot");
    struct made m = {.arena = ARENA_INIT};
    struct transport *t = team(p);
    char *large = memset(arena_alloc(&arena, (2 << 20) + 1), 'x', 2 << 20);
    int64_t seq;
    begin(&m, &nothing);
    make(&m, "add", "note:n1", plain);
    make(&m, "add", "note:n2", plain);
    make(&m, "edit", "note:n1", large);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    assert_same_event(&fetch(t, &arena, 2, 1, 1)[0], &m.event[2]);
    scratch_write(file, "as of 3", 7);
    assert_int_equal(transport_put_snapshot(t, 3, file, &e), 1);
    assert_int_equal(transport_put_snapshot(t, 3, file, &e), 0); /* it is there */

    struct made n = {.arena = ARENA_INIT};
    begin(&n, &m.end);
    make(&n, "purge", "note:n1", "{\"status\":\"purged\"}");
    assert_int_equal(append(t, 0, &m.end, &n), 1);
    struct team_event *got = fetch(t, &arena, 0, 10, 4);
    assert_erased(&got[0]);
    assert_same_event(&got[1], &m.event[1]);
    assert_erased(&got[2]);
    assert_string_equal(got[2].canonical, m.event[2].canonical);
    assert_same_event(&got[3], &n.event[0]);
    unlink(file);
    assert_int_equal(transport_get_snapshot(t, file, &seq, &e), 0);
    scratch_write(file, "as of 3", 7);
    assert_int_equal(transport_put_snapshot(t, 3, file, &e), 0); /* it has what was erased */
    if (p->postgres) { /* nobody reads it, and the next snapshot removes it */
        AUTO_FREE char *sql =
            xformat("SELECT count(*), min(seq) FROM stemma.snapshot WHERE store = '%s'", p->store);
        AUTO_FREE char *seen = postgres_sql(&server, "ash", "team", sql);
        assert_string_equal(seen, "0|\n");
        assert_int_equal(transport_put_snapshot(t, 4, file, &e), 1);
        AUTO_FREE char *left = postgres_sql(&server, "postgres", "team", sql);
        assert_string_equal(left, "1|4\n");
    } else {
        assert_int_equal(transport_put_snapshot(t, 4, file, &e), 1);
    }

    /* An agent's event purges nothing; an entry expires. */
    struct chain_end end = n.end;
    begin(&n, &end);
    make(&n, "expire", "note:n2", plain);
    make(&n, "add", "entry:e1", plain);
    make(&n, "expire", "entry:e1", plain);
    assert_int_equal(append(t, 0, &end, &n), 1);
    got = fetch(t, &arena, 0, 10, 7);
    assert_non_null(got[1].line);
    assert_non_null(got[4].line);
    assert_erased(&got[5]);
    assert_non_null(got[6].line);
    arena_release(&m.arena);
    arena_release(&n.arena);
    transport_close(t);
}

static void a_snapshot_of_some_megabytes(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_FREE char *from = scratch_path("from");
    AUTO_FREE char *to = scratch_path("to");
    size_t size = (5 << 20) + 12345, len;
    AUTO_FREE char *bytes = xmalloc(size);
    int64_t seq;
    struct transport *t = team(p), *other = second(p);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 2654435761u >> 13);
    assert_int_equal(transport_get_snapshot(other, to, &seq, &e), 0);
    assert_int_equal(access(to, F_OK), -1);
    scratch_write(from, "an older one", 12);
    assert_int_equal(transport_put_snapshot(t, 100, from, &e), 1);
    scratch_write(from, bytes, size);
    assert_int_equal(transport_put_snapshot(t, 200, from, &e), 1);
    assert_int_equal(transport_put_snapshot(t, 150, from, &e), 0);
    assert_int_equal(transport_get_snapshot(other, to, &seq, &e), 1);
    assert_int_equal(seq, 200);
    AUTO_FREE char *got = scratch_read(to, &len);
    assert_int_equal(len, size);
    assert_memory_equal(got, bytes, size);
    assert_int_equal(transport_get_snapshot(other, to, &seq, &e),
                     -1); /* a file is never replaced */
    transport_close(other);
    transport_close(t);
}

static void sessions_are_shared(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_session *got;
    size_t count;
    struct transport *t = team(p), *other = second(p);
    struct team_session first[] = {{.id = 5, .row = "{\"client\":\"a \\\"b\\\"\"}"},
                                   {.id = 6, .row = "{}"}};
    struct team_session again = {.id = 5, .row = "{\"ended\":1}"}, its = {.id = 7, .row = "{}"};
    assert_int_equal(transport_report(t, 0, 0, first, 2, &e), 0);
    assert_int_equal(transport_sessions(other, 0, &arena, &got, &count, &e), 0);
    assert_int_equal(count, 2);
    assert_string_equal(got[0].row, first[0].row);
    int64_t seen = got[1].changed;
    assert_int_equal(transport_report(other, 1, 0, &its, 1, &e), 0);
    assert_int_equal(transport_report(t, 0, 0, &again, 1, &e), 0);
    assert_int_equal(transport_sessions(other, seen, &arena, &got, &count, &e), 0);
    assert_int_equal(count, 2);
    assert_int_equal(got[0].id, 7);
    assert_int_equal(got[1].id, 5);
    assert_true(got[1].changed > got[0].changed);
    assert_string_equal(got[1].row, again.row);
    assert_int_equal(transport_sessions(other, 0, &arena, &got, &count, &e), 0);
    assert_int_equal(count, 3);
    transport_close(other);
    transport_close(t);
}

/* ---- PostgreSQL: who may do what ---- */

static void refused(const char *role, const char *sql, const char *why)
{
    AUTO_FREE char *out = postgres_sql(&server, role, "team", sql);
    assert_has(out, why);
}

static void a_role_does_only_what_is_its_own(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    const char **stores;
    size_t count;
    int number;
    struct transport *t = team(p), *other = second(p);
    make_notes(&m, &nothing, 2);
    /* Machine 0 is of role ash. */
    assert_int_equal(transport_append(other, 0, &nothing, m.event, 2, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_int_equal(transport_report(other, 0, 1, NULL, 0, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_int_equal(transport_leave(other, 0, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_int_equal(transport_join(other, "ash's laptop", &number, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_int_equal(append(t, 0, &nothing, &m), 1);

    refused("birch", "INSERT INTO stemma.member SELECT store, 'cedar' FROM stemma.head",
            "permission denied");
    refused("birch", "UPDATE stemma.event SET line = 'x'", "permission denied");
    refused("birch", "DELETE FROM stemma.event", "permission denied");
    refused("birch", "UPDATE stemma.head SET seq = 0", "permission denied");
    refused("birch", "SELECT stemma.create('77777777-0000-4000-8000-000000000000', 0, '\\x00', 1)",
            "permission denied");
    AUTO_FREE char *allow = xformat("SELECT stemma.allow('%s', 'cedar')", p->store);
    refused("birch", allow, "did not create team");
    /* A hash that does not continue the chain, and a number that is another event's. */
    AUTO_FREE char *forged = xformat(
        "SELECT stemma.append('%s', 0, 2, (SELECT hash FROM stemma.head WHERE store = '%s'),"
        " ARRAY['{\"actor\":\"a\",\"operation\":\"b\",\"seq\":3}'], ARRAY[sha256('x')],"
        " '{NULL}', '{NULL}', '{NULL}')",
        p->store, p->store);
    refused("ash", forged, "event_continues_the_chain");
    AUTO_FREE char *renumbered =
        xformat("WITH h AS (SELECT hash, '{\"actor\":\"a\",\"operation\":\"b\",\"seq\":9}' AS c"
                " FROM stemma.head WHERE store = '%s') SELECT stemma.append('%s', 0, 2, h.hash,"
                " ARRAY[c], ARRAY[sha256(h.hash || convert_to(c, 'UTF8'))], '{NULL}', '{NULL}',"
                " '{NULL}') FROM h",
                p->store, p->store);
    refused("ash", renumbered, "event_has_its_number");
    /* One that no machine could read, so that none could go on after it. */
    AUTO_FREE char *unreadable =
        xformat("WITH h AS (SELECT hash, '{\"actor\":\"a\",\"operation\":\"b\",\"seq\":3}' AS c"
                " FROM stemma.head WHERE store = '%s') SELECT stemma.append('%s', 0, 2, h.hash,"
                " ARRAY[c], ARRAY[sha256(h.hash || convert_to(c, 'UTF8'))], ARRAY['\\x00'::bytea],"
                " '{NULL}', '{NULL}') FROM h",
                p->store, p->store);
    refused("ash", unreadable, "event_can_be_read");

    /* Cedar is in another team of the server, birch in this one, and fir in none. */
    struct place its = *p;
    snprintf(its.store, sizeof(its.store), "55555555-0000-4000-8000-000000000000");
    struct transport *cedar = open_at(&its, "owner", NULL);
    assert_int_equal(transport_create(cedar, its.store, &nothing, &e), 0);
    postgres_do(&server, "owner", "team",
                "SELECT stemma.allow('55555555-0000-4000-8000-000000000000', 'cedar')");
    transport_close(cedar);
    cedar = open_at(&its, "cedar", its.store);
    assert_int_equal(transport_stores(cedar, &arena, &stores, &count, &e), 0);
    assert_int_equal(count, 1);
    AUTO_FREE char *seen = postgres_sql(
        &server, "cedar", "team",
        "SELECT (SELECT count(*) FROM stemma.event), (SELECT count(*) FROM stemma.machine),"
        " (SELECT count(*) FROM stemma.head), (SELECT count(*) FROM stemma.member)");
    assert_string_equal(seen, "0|0|1|1\n");
    refused("fir", "SELECT count(*) FROM stemma.event", "permission denied for schema");
    transport_close(cedar);
    cedar = open_at(p, "cedar", p->store); /* which does not admit it */
    assert_int_equal(transport_join(cedar, "c", &number, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    transport_close(cedar);

    /* A role that is no longer admitted. */
    AUTO_FREE char *disallow = xformat("SELECT stemma.disallow('%s', 'birch')", p->store);
    postgres_do(&server, "ash", "team", disallow);
    struct chain_end end = m.end;
    make_notes(&m, &end, 1);
    assert_int_equal(transport_append(other, 1, &end, m.event, 1, &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    fetch(other, &arena, 0, 10, 0);
    arena_release(&m.arena);
    transport_close(other);
    transport_close(t);
}

/* Another machine's session is not overwritten. */
static void a_session_is_its_machines(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_session *got, row = {.id = 5, .row = "{}"}, forged = {.id = 5, .row = "[]"};
    size_t count;
    struct transport *t = team(p), *other = second(p);
    assert_int_equal(transport_report(t, 0, 0, &row, 1, &e), 0);
    assert_int_equal(transport_report(other, 1, 0, &forged, 1, &e), 0);
    assert_int_equal(transport_sessions(t, 0, &arena, &got, &count, &e), 0);
    assert_int_equal(count, 1);
    assert_string_equal(got[0].row, "{}");
    transport_close(other);
    transport_close(t);
}

static void no_password(const struct error *e)
{
    assert_lacks(e->what, "s3cret");
    assert_lacks(e->hint, "s3cret");
}

static void a_password_is_nowhere(void **state)
{
    static const char *const refused_addresses[] = {
        "postgresql://ash:s3cret@db.example/team", "postgres://db.example/team?password=s3cret",
        "host=db.example password=s3cret", "host=x password = 's3cret word'",
        "postgresql://h/d?user=u&sslpassword=s3cret"};
    static const char *const broken[] = {"postgresql://ash:s3cret@:port/x y", "host=a 's3cret",
                                         "password=s3cret nonsense=1", "postgresql://h/d?s3cret=1"};
    static const char *const good[] = {"postgresql://ash@db.example/team?sslmode=verify-full",
                                       "service=team", "host=/run/postgresql dbname=team"};
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof(refused_addresses) / sizeof(*refused_addresses); i++) {
        assert_null(transport_address(refused_addresses[i], &e));
        assert_int_equal(e.code, ERROR_REFUSED);
        assert_has(e.hint, "~/.pgpass");
        no_password(&e);
    }
    for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
        assert_null(transport_address(broken[i], &e));
        no_password(&e);
        assert_null(transport_open(broken[i], NULL, &e));
        no_password(&e);
    }
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        AUTO_FREE char *same = transport_address(good[i], &e);
        assert_string_equal(same, good[i]);
    }
    assert_null(transport_address("ssh://ash:s3cret@host/dir", &e));
    no_password(&e);

    AUTO_FREE char *wrong = xformat("host=%s dbname=team user=guarded password=s3cret", server.dir);
    assert_null(transport_open(wrong, NULL, &e));
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_has(e.what, "password authentication failed");
    no_password(&e);
    AUTO_FREE char *without = xformat("host=%s dbname=team user=guarded", server.dir);
    assert_null(transport_open(without, NULL, &e));
    assert_int_equal(e.code, ERROR_REFUSED);
    AUTO_FREE char *right =
        xformat("host=%s dbname=team user=guarded password=s3cret-word", server.dir);
    struct transport *t = transport_open(right, NULL, &e);
    assert_non_null(t);
    assert_lacks(transport_name(t), "s3cret");
    assert_has(transport_name(t), "user='guarded'");
    transport_close(t);
    setenv("PGPASSWORD", "s3cret-word", 1);
    t = transport_open(without, NULL, &e);
    unsetenv("PGPASSWORD");
    assert_non_null(t);
    transport_close(t);
    AUTO_FREE char *nowhere = xformat("host=%s dbname=none user=ash", server.dir);
    assert_null(transport_open(nowhere, NULL, &e));
    assert_int_equal(e.code, ERROR_NOT_FOUND);
}

/* ---- PostgreSQL: what fails ---- */

static void a_server_that_was_killed_is_reached_again(void **state)
{
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    struct transport *t = team(p);
    make_notes(&m, &nothing, 2);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    struct chain_end end = m.end;
    postgres_crash(&server);
    make_notes(&m, &end, 1);
    for (int i = 0; i < 2; i++) { /* the connection is lost, then none can be made */
        assert_int_equal(transport_append(t, 0, &end, m.event, 1, &e), -1);
        assert_int_equal(e.code, ERROR_BUSY);
    }
    assert_int_equal(transport_fd(t), -1);
    AUTO_FREE char *address = address_of(p, "ash");
    assert_null(transport_open(address, p->store, &e));
    assert_int_equal(e.code, ERROR_BUSY);
    postgres_again(&server);
    fetch(t, &arena, 0, 10, 2);
    assert_int_equal(append(t, 0, &end, &m), 1);
    assert_true(transport_fd(t) >= 0);
    arena_release(&m.arena);
    transport_close(t);
}

static void a_stalled_connection_is_given_up(void **state)
{
    const struct place *p = *state;
    struct error e;
    struct made m = {.arena = ARENA_INIT};
    struct postgres_proxy proxy;
    transport_close(team(p));
    proxy_start(&proxy, &server);
    AUTO_FREE char *address = xformat("host=%s dbname=team user=ash", proxy.dir);
    struct transport *t = transport_open(address, p->store, &e);
    assert_non_null(t);
    make_notes(&m, &nothing, 1);
    proxy.stalls = true;
    for (int i = 0; i < 2; i++) { /* an append, then a connection */
        int64_t start = monotonic_ms();
        assert_int_equal(transport_append(t, 0, &nothing, m.event, 1, &e), -1);
        assert_int_equal(e.code, ERROR_BUSY);
        assert_in_range(monotonic_ms() - start, TRANSPORT_WAIT_MS - 100, TRANSPORT_WAIT_MS + 1000);
    }
    proxy.cuts = true;
    usleep(100000);
    assert_int_equal(transport_append(t, 0, &nothing, m.event, 1, &e), -1);
    assert_int_equal(e.code, ERROR_BUSY);
    proxy.cuts = proxy.stalls = false;
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    arena_release(&m.arena);
    transport_close(t);
    proxy_stop(&proxy);
}

static void without_listen_there_is_no_descriptor(void **state)
{
    const struct place *p = *state;
    struct error e;
    struct made m = {.arena = ARENA_INIT};
    struct postgres_proxy proxy;
    transport_close(team(p));
    proxy_start(&proxy, &server);
    proxy.no_listen = true;
    AUTO_FREE char *address = xformat("host=%s dbname=team user=ash", proxy.dir);
    struct transport *t = transport_open(address, p->store, &e);
    assert_non_null(t);
    assert_int_equal(transport_fd(t), -1);
    make_notes(&m, &nothing, 1);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    assert_int_equal(transport_fd(t), -1);
    arena_release(&m.arena);
    transport_close(t);
    proxy_stop(&proxy);
}

/* The receiver finds what a superuser did: it comes as it is. */
static void forged_rows_come_as_they_are(void **state)
{
    const struct place *p = *state;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT};
    struct transport *t = team(p);
    make_notes(&m, &nothing, 5);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    AUTO_FREE char *forge =
        xformat("ALTER TABLE stemma.event DROP CONSTRAINT event_has_its_number,"
                " DROP CONSTRAINT event_can_be_read;"
                "UPDATE stemma.event SET line = 'forged' WHERE store = '%s' AND seq = 1;"
                "DELETE FROM stemma.event WHERE store = '%s' AND seq = 2;"
                "UPDATE stemma.event SET seq = 2 WHERE store = '%s' AND seq = 4;"
                "UPDATE stemma.event SET seq = 4 WHERE store = '%s' AND seq = 5;"
                "UPDATE stemma.event SET salt = '\\x00' WHERE store = '%s' AND seq = 4",
                p->store, p->store, p->store, p->store, p->store);
    postgres_do(&server, "postgres", "team", forge);
    struct team_event *got = fetch(t, &arena, 0, 3, 3);
    assert_string_equal(got[0].line, "forged");
    assert_string_equal(got[1].canonical, m.event[3].canonical);
    assert_int_equal(got[1].seq, 2);
    assert_string_equal(got[2].canonical, m.event[2].canonical);
    struct team_event *events;
    struct error e;
    size_t count; /* what is not even an event is an error */
    assert_int_equal(transport_fetch(t, 3, 10, &arena, &events, &count, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    postgres_do(&server, "postgres", "team",
                "ALTER TABLE stemma.event ADD CONSTRAINT event_has_its_number"
                " CHECK ((canonical::json->>'seq')::bigint = seq) NOT VALID");
    arena_release(&m.arena);
    transport_close(t);
}

/* Who has the events that a dump lacks appends them again: they continue its chain. */
static void a_restored_dump_ends_earlier(void **state)
{
    const struct place *p = *state;
    struct error e;
    struct made m = {.arena = ARENA_INIT}, n = {.arena = ARENA_INIT};
    struct chain_end head;
    struct transport *t = team(p);
    make_notes(&m, &nothing, 3);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    postgres_restore(&server, "team", "yesterday");
    make_notes(&n, &m.end, 2);
    assert_int_equal(append(t, 0, &m.end, &n), 1);
    transport_close(t);
    AUTO_FREE char *address = xformat("host=%s dbname=yesterday user=ash", server.dir);
    t = transport_open(address, p->store, &e);
    assert_non_null(t);
    assert_int_equal(transport_head(t, &head, &e), 0);
    assert_int_equal(head.count, 3);
    assert_true(digest_equal(&head.hash, &m.end.hash));
    assert_int_equal(append(t, 0, &m.end, &n), 1);
    arena_release(&m.arena);
    arena_release(&n.arena);
    transport_close(t);
}

static void a_newer_journal_is_left_alone(void **state)
{
    const struct place *p = *state;
    struct error e;
    transport_close(team(p));
    AUTO_FREE char *newer =
        xformat("UPDATE stemma.head SET format = 2 WHERE store = '%s'", p->store);
    postgres_do(&server, "postgres", "team", newer);
    AUTO_FREE char *address = address_of(p, "ash");
    assert_null(transport_open(address, p->store, &e));
    assert_int_equal(e.code, ERROR_REFUSED);
    assert_has(e.hint, "Upgrade stemma");
    /* A newer schema is not touched. */
    postgres_do(&server, "postgres", "team", "UPDATE stemma.version SET version = 99");
    struct transport *t = open_at(p, "owner", NULL);
    assert_int_equal(transport_create(t, "66666666-0000-4000-8000-000000000000", &nothing, &e), -1);
    postgres_do(&server, "postgres", "team", "UPDATE stemma.version SET version = 1");
    assert_int_equal(e.code, ERROR_REFUSED);
    transport_close(t);
}

/* In a process of its own, before this one loads libpq. It can open no file. */
static int status_without_libpq;

static void try_without_libpq(void)
{
    struct error e;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0});
        bool said = !transport_open("service=team", NULL, &e) && e.code == ERROR_STORE &&
                    strstr(e.what, "libpq.so.5 is missing") && strstr(e.hint, "libpq5");
        _exit(said ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status_without_libpq, 0), child);
}

static void without_libpq_it_says_what_to_install(void **state)
{
    (void)state;
    assert_int_equal(status_without_libpq, 0);
}

/* ---- folders ---- */

static void damaged_files_are_named(void **state)
{
    static const struct {
        const char *text, *what;
    } bad[] = {
        {"{\"seq\":1", "ends within a line"},
        {"no JSON\n", "00000000000000000001.jsonl"},
        {"[[[[]]]]\n", "00000000000000000001.jsonl"},
        {"{\"seq\":1,\"hash\":\"00\",\"canonical\":\"{}\"}\n", "is not an event"},
        {"{\"seq\":1,\"hash\":1,\"canonical\":{\"a\":{}}}\n", "00000000000000000001.jsonl"},
        {"\xff\n", "00000000000000000001.jsonl"},
    };
    const struct place *p = *state;
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct team_event *events;
    struct chain_end head;
    size_t count;
    struct transport *t = team(p);
    AUTO_FREE char *segment = xformat("%s/%s/00000000000000000001.jsonl", p->folder, p->store);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        scratch_write(segment, bad[i].text, strlen(bad[i].text));
        assert_int_equal(transport_fetch(t, 0, 10, &arena, &events, &count, &e), -1);
        assert_has(e.what, bad[i].what);
        assert_int_equal(transport_head(t, &head, &e), -1);
    }
    transport_close(t);
    assert_null(transport_open("/no/such/folder", p->store, &e));
    assert_int_equal(e.code, ERROR_BUSY);
    assert_null(transport_open(p->folder, "../../../../../../../../../../../etc", &e));
    assert_int_equal(e.code, ERROR_INVALID);
}

/* The process ended between an append that purges and the erasing. */
static void erasing_goes_on_after_a_crash(void **state)
{
    const struct place *p = *state;
    AUTO_ARENA arena = ARENA_INIT;
    struct made m = {.arena = ARENA_INIT}, n = {.arena = ARENA_INIT};
    struct transport *t = team(p);
    AUTO_FREE char *segment = xformat("%s/%s/00000000000000000001.jsonl", p->folder, p->store);
    AUTO_FREE char *unfinished = xformat("%s/%s/erase.jsonl", p->folder, p->store);
    AUTO_FREE char *purging = xformat("%s/%s/00000000000000000003.jsonl", p->folder, p->store);
    size_t len, purge_len;
    make_notes(&m, &nothing, 2);
    assert_int_equal(append(t, 0, &nothing, &m), 1);
    AUTO_FREE char *before = scratch_read(segment, &len);
    begin(&n, &m.end);
    make(&n, "purge", "note:n1", plain);
    assert_int_equal(append(t, 0, &m.end, &n), 1);
    assert_erased(&fetch(t, &arena, 0, 1, 1)[0]);
    assert_int_equal(access(unfinished, F_OK), -1);
    scratch_write(segment, before, len); /* as it was before the erasing */
    AUTO_FREE char *purge = scratch_read(purging, &purge_len);
    scratch_write(unfinished, purge, purge_len);
    assert_non_null(fetch(t, &arena, 0, 1, 1)[0].line);
    struct chain_end end = n.end;
    make_notes(&m, &end, 1);
    m.count = 1;
    assert_int_equal(append(t, 0, &end, &m), 1);
    assert_erased(&fetch(t, &arena, 0, 1, 1)[0]);
    assert_int_equal(access(unfinished, F_OK), -1);
    /* One that never came into the journal erases nothing. */
    end = m.end;
    begin(&n, &end);
    make(&n, "purge", "note:n1", plain);
    purge[strcspn(purge, "3")] = '9';
    scratch_write(unfinished, purge, purge_len);
    make_notes(&m, &end, 1);
    assert_int_equal(append(t, 0, &end, &m), 1);
    assert_non_null(fetch(t, &arena, 3, 1, 1)[0].line);
    arena_release(&m.arena);
    arena_release(&n.arena);
    transport_close(t);
}

/* ---- */

static int start(void **state)
{
    (void)state;
    unsetenv("PGHOST");
    unsetenv("PGUSER");
    unsetenv("PGPASSWORD");
    setenv("PGPASSFILE", "/nonexistent", 1);
    try_without_libpq();
    postgres_start(&server);
    postgres_do(&server, "postgres", "postgres",
                "CREATE ROLE owner LOGIN; CREATE ROLE ash LOGIN; CREATE ROLE birch LOGIN;"
                "CREATE ROLE cedar LOGIN; CREATE ROLE fir LOGIN;"
                "CREATE ROLE guarded LOGIN PASSWORD 's3cret-word'");
    postgres_do(&server, "postgres", "postgres", "CREATE DATABASE team OWNER owner");
    /* The owner makes the schema with a team of its own, and lets ash begin others. */
    struct place p = {.postgres = true, .store = "44444444-0000-4000-8000-000000000000"};
    struct error e;
    struct transport *t = open_at(&p, "owner", NULL);
    if (transport_create(t, p.store, &nothing, &e))
        fail_msg("%s", e.what);
    transport_close(t);
    postgres_do(
        &server, "owner", "team",
        "GRANT USAGE ON SCHEMA stemma TO ash; GRANT EXECUTE ON FUNCTION stemma.create TO ash");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    postgres_stop(&server);
    return 0;
}

#define BOTH(test)                                                                                 \
    {#test " (postgres)", test, set_up_postgres, tear_down, NULL},                                 \
    {                                                                                              \
#test " (folder)", test, set_up_folder, tear_down, NULL                                    \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(a_team_begins_and_machines_join),
        BOTH(who_was_removed_appends_nothing),
        BOTH(of_several_that_begin_one_does),
        BOTH(what_is_appended_is_fetched),
        BOTH(a_journal_may_begin_later),
        BOTH(who_is_behind_appends_nothing),
        BOTH(two_contend_for_one_order),
        BOTH(a_lock_keeps_others_waiting),
        BOTH(who_stalls_loses_the_lock),
        BOTH(others_are_told),
        BOTH(a_purge_erases_bodies),
        BOTH(a_snapshot_of_some_megabytes),
        BOTH(sessions_are_shared),
        cmocka_unit_test_setup_teardown(a_role_does_only_what_is_its_own, set_up_postgres,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_session_is_its_machines, set_up_postgres, tear_down),
        cmocka_unit_test(without_libpq_it_says_what_to_install),
        cmocka_unit_test(a_password_is_nowhere),
        cmocka_unit_test_setup_teardown(a_server_that_was_killed_is_reached_again, set_up_postgres,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_stalled_connection_is_given_up, set_up_postgres,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_listen_there_is_no_descriptor, set_up_postgres,
                                        tear_down),
        cmocka_unit_test_setup_teardown(forged_rows_come_as_they_are, set_up_postgres, tear_down),
        cmocka_unit_test_setup_teardown(a_restored_dump_ends_earlier, set_up_postgres, tear_down),
        cmocka_unit_test_setup_teardown(a_newer_journal_is_left_alone, set_up_postgres, tear_down),
        cmocka_unit_test_setup_teardown(damaged_files_are_named, set_up_folder, tear_down),
        cmocka_unit_test_setup_teardown(erasing_goes_on_after_a_crash, set_up_folder, tear_down),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
