/* Compares the team's journal, as a server or a folder has it, with the replica's. */
#include "store/team/team_internal.h"

#include <string.h>
#include "store/db/db.h"

#define CHUNK 1000

struct verify {
    struct reader *reader;
    struct transport *transport;
    struct arena arena;
    int64_t confirmed;
    int64_t last; /* the last event that was compared */
    struct digest
        hash; /* its hash: the replica's, or of an event that it has not applied the one there */
    void (*report)(void *arg, int64_t seq, const char *what);
    void *arg;
};

static void say(struct verify *v, int64_t seq, const char *what)
{
    v->report(v->arg, seq, what);
}

static void say_missing(struct verify *v, int64_t first, int64_t last)
{
    AUTO_STRBUF what = STRBUF_INIT;
    if (first > last)
        return;
    if (first < last)
        strbuf_addf(&what, "it and all up to event %lld are missing from the team's journal",
                    (long long)last);
    say(v, first, first < last ? what.buf : "it is missing from the team's journal");
}

/*
 * What is wrong with an event there; NULL if nothing is. `here` is the replica's, NULL if it has not
 * applied the event; `before` is the hash of the event before, NULL after a gap.
 */
static const char *compare(struct verify *v, const struct team_event *there,
                           const struct digest *before, sqlite3_stmt *here)
{
    struct canonical c;
    if (here && !same_text((const char *)sqlite3_column_text(here, 0), there->canonical))
        return "it is not the event that this store applied: the journal was rewritten";
    if (here && (sqlite3_column_bytes(here, 1) != DIGEST_SIZE ||
                 memcmp(sqlite3_column_blob(here, 1), there->hash.bytes, DIGEST_SIZE) != 0))
        return "its hash was altered";
    if (canonical_read(&c, &v->arena, there->canonical, strlen(there->canonical)))
        return "its text cannot be read";
    if (here && !there->salt && sqlite3_column_bytes(here, 2) == SALT_SIZE)
        return "its content was removed";
    return before ? team_check_event(there, &c, before) : NULL;
}

static int compare_event(struct verify *v, const struct team_event *there, struct error *e)
{
    if (there->seq <= v->last) {
        say(v, there->seq, "it is there twice, or out of order");
        return 0;
    }
    say_missing(v, v->last + 1, there->seq - 1);
    struct digest last = v->hash;
    const struct digest *before = there->seq == v->last + 1 ? &last : NULL;
    v->last = there->seq;
    v->hash = there->hash;
    struct query row =
        db_query(reader_db(v->reader), e,
                 "SELECT canonical, hash, salt FROM event WHERE seq = ? AND seq <= ?", "ii",
                 there->seq, v->confirmed);
    bool here = db_next(&row);
    const char *wrong = !here && there->seq <= v->confirmed
                            ? "this store does not have it"
                            : compare(v, there, before, here ? row.stmt : NULL);
    if (wrong)
        say(v, there->seq, wrong);
    /* What the replica has is true, so one altered hash is one difference. */
    if (here && sqlite3_column_bytes(row.stmt, 1) == DIGEST_SIZE)
        memcpy(v->hash.bytes, sqlite3_column_blob(row.stmt, 1), DIGEST_SIZE);
    return db_end(&row);
}

static int compare_all(struct verify *v, struct error *e)
{
    struct team_event *events;
    size_t count;
    int64_t after = 0;
    do {
        arena_clear(&v->arena);
        if (transport_fetch(v->transport, after, CHUNK, &v->arena, &events, &count, e))
            return -1;
        for (size_t i = 0; i < count; i++)
            if (compare_event(v, &events[i], e))
                return -1;
        after = count ? events[count - 1].seq : after;
    } while (count > 0);
    return 0;
}

/* The head there is the end of the events there, and no older than what this replica has. */
static int compare_end(struct verify *v, const struct digest *hash, struct error *e)
{
    struct chain_end head;
    if (transport_head(v->transport, &head, e))
        return -1;
    say_missing(v, v->last + 1, head.count);
    if (head.count < v->confirmed)
        say(v, head.count + 1,
            "it and all after it are gone from the team's journal: it was cut, or an older backup "
            "was restored");
    else if (head.count == v->confirmed && head.count > 0 && !digest_equal(&head.hash, hash))
        say(v, head.count, "the head of the team's journal has another hash for it");
    return 0;
}

int team_verify(struct reader *r, void (*report)(void *arg, int64_t seq, const char *what),
                void *arg, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct verify v = {.reader = r, .report = report, .arg = arg};
    struct team_status now;
    struct digest hash = {{0}};
    if (team_status(r, &arena, &now, e))
        return -1;
    if (!now.member)
        return 0;
    v.confirmed = now.confirmed;
    struct query row =
        db_query(reader_db(r), e,
                 "SELECT begun, (SELECT hash FROM event WHERE seq = confirmed), (SELECT hash FROM"
                 " event WHERE seq = begun) FROM team",
                 "");
    if (db_next(&row)) {
        v.last = sqlite3_column_int64(row.stmt, 0);
        if (sqlite3_column_bytes(row.stmt, 1) == DIGEST_SIZE)
            memcpy(hash.bytes, sqlite3_column_blob(row.stmt, 1), DIGEST_SIZE);
        if (sqlite3_column_bytes(row.stmt, 2) == DIGEST_SIZE)
            memcpy(v.hash.bytes, sqlite3_column_blob(row.stmt, 2), DIGEST_SIZE);
    }
    if (db_end(&row) || !(v.transport = transport_open(now.address, now.store, e)))
        return -1;
    int result = compare_all(&v, e) || compare_end(&v, &hash, e) ? -1 : 0;
    transport_close(v.transport);
    arena_release(&v.arena);
    return result;
}
