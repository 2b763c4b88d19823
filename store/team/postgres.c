/*
 * The team's journal in PostgreSQL: one statement for each call. The schema (postgres_schema.c) has
 * the rules.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/team/postgres_internal.h"
#include "store/team/postgres_schema.h"

/* ---- values ---- */

/* In the arena; "" for what is not there. */
static const char *text_in(struct arena *arena, const struct pg_result *r, int row, int column)
{
    const char *text = postgres_text(r, row, column);
    return arena_strdup(arena, text ? text : "");
}

static int unreadable(struct error *e)
{
    return error_set(e, ERROR_STORE, "Ask its administrator.",
                     "The team's server answered what cannot be read");
}

/* An answer that is one number or 't'. Clears it. */
static int64_t number_of(struct pg_result *r)
{
    int64_t number =
        pq.ntuples(r) == 1 && postgres_text(r, 0, 0) && postgres_text(r, 0, 0)[0] == 't' ? 1
        : pq.ntuples(r) == 1 ? postgres_number(r, 0, 0)
                             : 0;
    pq.clear(r);
    return number;
}

/* An element of the text of an array. */
static void add_element(struct strbuf *array, const char *text)
{
    strbuf_addch(array, array->len ? ',' : '{');
    if (!text) {
        strbuf_addstr(array, "NULL");
        return;
    }
    strbuf_addch(array, '"');
    for (size_t plain; *text; text += plain) {
        plain = strcspn(text, "\"\\");
        strbuf_add(array, text, plain);
        if (text[plain]) {
            strbuf_addch(array, '\\');
            strbuf_addch(array, text[plain++]);
        }
    }
    strbuf_addch(array, '"');
}

static const char *end_array(struct strbuf *array)
{
    strbuf_addstr(array, array->len ? "}" : "{}");
    return array->buf;
}

static void add_bytes_element(struct strbuf *array, const unsigned char *bytes, size_t size)
{
    char hex[2 * DIGEST_SIZE + 3] = "\\x";
    if (bytes)
        transport_hex(hex + 2, bytes, size);
    add_element(array, bytes ? hex : NULL);
}

/* ---- the team ---- */

static struct postgres *own(struct transport *t)
{
    return (struct postgres *)t;
}

#define UPGRADE_LOCK "7237119" /* of who changes the schema, or begins a team */

/* Brings the schema to this version, in a transaction of the caller's. */
static int upgrade(struct postgres *p, struct error *e)
{
    struct pg_result *r = postgres_ask(p, e,
                                       "SELECT pg_advisory_xact_lock(" UPGRADE_LOCK
                                       "), to_regclass('stemma.version') IS NOT NULL",
                                       "");
    if (!r)
        return -1;
    bool exists = postgres_text(r, 0, 1) && postgres_text(r, 0, 1)[0] == 't';
    pq.clear(r);
    if (exists && !(r = postgres_ask(p, e, "SELECT version FROM stemma.version", "")))
        return -1;
    int64_t version = exists ? number_of(r) : 0;
    if (version > POSTGRES_VERSION)
        return transport_check_format(TEAM_FORMAT + version - POSTGRES_VERSION, e);
    if (version == POSTGRES_VERSION)
        return 0;
    for (; version < POSTGRES_VERSION; version++)
        for (const char *const *sql = postgres_steps[version]; *sql; sql++)
            if (postgres_run(p, *sql, e))
                return -1;
    AUTO_FREE char *set = xformat("UPDATE stemma.version SET version = %d", POSTGRES_VERSION);
    return postgres_run(p, set, e);
}

/* Ends a transaction; `result` is that of the last statement in it. */
static int end_transaction(struct postgres *p, int result, struct error *e)
{
    struct error other;
    p->locked = false;
    if (result > 0)
        return postgres_run(p, "COMMIT", e) ? -1 : result;
    if (p->conn && postgres_run(p, "ROLLBACK", &other))
        postgres_disconnect(p);
    return result;
}

/* In a transaction with the lock of upgrade: who has it sees the team that another began. */
static int create(struct postgres *p, const char *store, const struct chain_end *at, bool first,
                  struct error *e)
{
    struct pg_result *r =
        first ? postgres_ask(p, e, "SELECT store FROM stemma.head LIMIT 1", "") : NULL;
    if (first && !r)
        return -1;
    if (first && pq.ntuples(r))
        transport_has_team(postgres_text(r, 0, 0), e);
    int result = first && pq.ntuples(r) ? -1 : 1;
    if (r)
        pq.clear(r);
    if (result > 0 && (r = postgres_ask(p, e, "SELECT stemma.create($1, $2, $3, $4)", "sihi", store,
                                        at->count, &at->hash, (int64_t)TEAM_FORMAT)))
        pq.clear(r);
    return result < 0 || !r ? -1 : 1;
}

static int postgres_create(struct transport *t, const char *store, const struct chain_end *at,
                           bool first, struct error *e)
{
    struct postgres *p = own(t);
    /* What was upgraded stays so, if there is a team already. */
    if (postgres_connect(p, e) || postgres_run(p, "BEGIN", e) ||
        end_transaction(p, upgrade(p, e) ? -1 : 1, e) < 0 ||
        postgres_run(p, "BEGIN; SELECT pg_advisory_xact_lock(" UPGRADE_LOCK ")", e) ||
        end_transaction(p, create(p, store, at, first, e), e) < 0) {
        if (e->code == ERROR_REFUSED)
            snprintf(e->hint, sizeof(e->hint), "%s",
                     "Connect as the owner of the database, or with what docs/teams.md grants.");
        return -1;
    }
    free(t->store);
    t->store = xstrdup(store);
    return 0;
}

static int postgres_stores(struct transport *t, struct arena *arena, const char ***out,
                           size_t *count, struct error *e)
{
    struct pg_result *r =
        postgres_ask(own(t), e, "SELECT store FROM stemma.head ORDER BY store", "");
    if (!r)
        return -1;
    *count = (size_t)pq.ntuples(r);
    *out = arena_array(arena, *count, sizeof(**out));
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = text_in(arena, r, (int)i, 0);
    pq.clear(r);
    return 0;
}

static int postgres_join(struct transport *t, const char *machine, int *number, struct error *e)
{
    struct pg_result *r =
        postgres_ask(own(t), e, "SELECT stemma.join($1, $2)", "ss", t->store, machine);
    if (r)
        *number = (int)number_of(r);
    return r ? 0 : -1;
}

static int postgres_leave(struct transport *t, int machine, struct error *e)
{
    struct pg_result *r =
        postgres_ask(own(t), e, "SELECT stemma.leave($1, $2)", "si", t->store, (int64_t)machine);
    if (r)
        pq.clear(r);
    return r ? 0 : -1;
}

static int postgres_machines(struct transport *t, struct arena *arena, struct team_machine **out,
                             size_t *count, struct error *e)
{
    struct pg_result *r = postgres_ask(own(t), e,
                                       "SELECT number, name, applied,"
                                       " floor(extract(epoch FROM seen_at) * 1000)::bigint"
                                       " FROM stemma.machine WHERE store = $1 AND left_at IS NULL"
                                       " ORDER BY number",
                                       "s", t->store);
    if (!r)
        return -1;
    *count = (size_t)pq.ntuples(r);
    *out = arena_array(arena, *count, sizeof(**out));
    for (int i = 0; i < (int)*count; i++)
        (*out)[i] = (struct team_machine){.number = (int)postgres_number(r, i, 0),
                                          .name = text_in(arena, r, i, 1),
                                          .applied = postgres_number(r, i, 2),
                                          .seen_at = postgres_number(r, i, 3)};
    pq.clear(r);
    return 0;
}

/* ---- the journal ---- */

static int postgres_head(struct transport *t, struct chain_end *out, struct error *e)
{
    struct pg_result *r = postgres_ask(
        own(t), e, "SELECT seq, encode(hash, 'hex'), format FROM stemma.head WHERE store = $1", "s",
        t->store);
    if (!r)
        return -1;
    int result = 0;
    if (pq.ntuples(r) != 1)
        result = transport_no_team(t, e);
    else if (transport_check_format(postgres_number(r, 0, 2), e))
        result = -1;
    else if (digest_from_hex(&out->hash, pq.getvalue(r, 0, 1)))
        result = unreadable(e);
    else
        out->count = postgres_number(r, 0, 0);
    pq.clear(r);
    return result;
}

static int read_event(struct team_event *out, const struct pg_result *r, int row,
                      struct arena *arena, struct error *e)
{
    size_t bytes = 0;
    for (int column = 0; column < 5; column++)
        bytes += (size_t)pq.getlength(r, row, column);
    out->seq = postgres_number(r, row, 0);
    if (transport_check_size(out->seq, bytes, e))
        return -1;
    const char *salt = postgres_text(r, row, 5);
    if (!postgres_text(r, row, 1) || digest_from_hex(&out->hash, postgres_text(r, row, 1)) ||
        !postgres_text(r, row, 2) || (salt && !(out->salt = transport_salt(arena, salt))))
        return unreadable(e);
    out->canonical = arena_strdup(arena, postgres_text(r, row, 2));
    out->patch = arena_strdup(arena, postgres_text(r, row, 3));
    out->line = arena_strdup(arena, postgres_text(r, row, 4));
    return 0;
}

static int postgres_fetch(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                          struct team_event **out, size_t *count, struct error *e)
{
    struct pg_result *r = postgres_ask(
        own(t), e,
        /* The inner LIMIT lets the server read the index of (store, seq) from `after` on. */
        "SELECT v.seq, encode(v.hash, 'hex'), v.canonical,"
        " coalesce(v.patch, (SELECT content FROM stemma.body WHERE (store, hash) = ($1, "
        "v.patch_at))),"
        " coalesce(v.line, (SELECT content FROM stemma.body WHERE (store, hash) = ($1, "
        "v.line_at))),"
        " encode(v.salt, 'hex') FROM (SELECT *, sum(bytes) OVER"
        "  (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (SELECT *"
        "   FROM stemma.event WHERE store = $1 AND seq > $2 ORDER BY seq LIMIT $3) AS w) AS v"
        " WHERE v.before IS NULL OR v.before < $4 ORDER BY v.seq",
        "siii", t->store, after, (int64_t)limit, (int64_t)FETCH_BYTES);
    if (!r)
        return -1;
    int result = 0;
    *count = (size_t)pq.ntuples(r) < limit ? (size_t)pq.ntuples(r) : limit;
    *out = arena_array(arena, *count, sizeof(**out));
    for (size_t i = 0; i < *count && !result; i++)
        result = read_event(&(*out)[i], r, (int)i, arena, e);
    pq.clear(r);
    return result;
}

static int postgres_append(struct transport *t, int machine, const struct chain_end *base,
                           const struct team_event *events, size_t count, struct error *e)
{
    struct postgres *p = own(t);
    AUTO_STRBUF texts = STRBUF_INIT;
    AUTO_STRBUF hashes = STRBUF_INIT;
    AUTO_STRBUF salts = STRBUF_INIT;
    AUTO_STRBUF patches = STRBUF_INIT;
    AUTO_STRBUF lines = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        add_element(&texts, events[i].canonical);
        add_bytes_element(&hashes, events[i].hash.bytes, DIGEST_SIZE);
        add_bytes_element(&salts, events[i].salt, SALT_SIZE);
        add_element(&patches, events[i].patch);
        add_element(&lines, events[i].line);
    }
    bool locked = p->locked;
    struct pg_result *r =
        postgres_ask(p, e, "SELECT stemma.append($1, $2, $3, $4, $5, $6, $7, $8, $9)", "siihsssss",
                     t->store, (int64_t)machine, base->count, &base->hash, end_array(&texts),
                     end_array(&hashes), end_array(&salts), end_array(&patches), end_array(&lines));
    int result = r ? (int)number_of(r) : -1;
    return locked ? end_transaction(p, result, e) : result;
}

static int postgres_lock(struct transport *t, struct error *e)
{
    struct postgres *p = own(t);
    if (p->locked)
        return 0;
    AUTO_FREE char *lock = xformat("BEGIN; SELECT stemma.lock('%s')", t->store);
    if (postgres_connect(p, e))
        return -1;
    if (postgres_run(p, lock, e))
        return end_transaction(p, -1, e);
    p->locked = true;
    return 0;
}

static void postgres_unlock(struct transport *t)
{
    struct error ignored;
    if (own(t)->locked)
        end_transaction(own(t), 0, &ignored);
}

static int postgres_fd(struct transport *t)
{
    struct postgres *p = own(t);
    struct error e;
    if (p->conn && !p->listening && !p->locked && !p->deaf) {
        AUTO_FREE char *listen = xformat("LISTEN \"stemma_%s\"", t->store);
        p->listening = postgres_run(p, listen, &e) == 0;
        p->deaf = !p->listening && p->conn;
        p->heard = true;
    }
    if (!p->listening)
        return -1;
    return p->heard ? p->told.fd : pq.socket(p->conn);
}

static void postgres_heard(struct transport *t)
{
    struct postgres *p = own(t);
    if (p->conn && !pq.consumeInput(p->conn))
        postgres_disconnect(p);
    if (p->conn)
        postgres_take_notifications(p);
    p->heard = false;
}

/* ---- sessions ---- */

static int postgres_report(struct transport *t, int machine, int64_t applied,
                           const struct team_session *sessions, size_t count, struct error *e)
{
    AUTO_STRBUF ids = STRBUF_INIT;
    AUTO_STRBUF rows = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        char id[24];
        snprintf(id, sizeof(id), "%" PRId64, sessions[i].id);
        add_element(&ids, id);
        add_element(&rows, sessions[i].row);
    }
    struct pg_result *r =
        postgres_ask(own(t), e, "SELECT stemma.report($1, $2, $3, $4, $5)", "siiss", t->store,
                     (int64_t)machine, applied, end_array(&ids), end_array(&rows));
    if (r)
        pq.clear(r);
    return r ? 0 : -1;
}

static int postgres_sessions(struct transport *t, int64_t changed, struct arena *arena,
                             struct team_session **out, size_t *count, struct error *e)
{
    struct pg_result *r =
        postgres_ask(own(t), e,
                     "SELECT id, changed, row FROM stemma.session WHERE store = $1 AND changed > $2"
                     " ORDER BY changed, id",
                     "si", t->store, changed);
    if (!r)
        return -1;
    *count = (size_t)pq.ntuples(r);
    *out = arena_array(arena, *count, sizeof(**out));
    for (int i = 0; i < (int)*count; i++)
        (*out)[i] = (struct team_session){.id = postgres_number(r, i, 0),
                                          .changed = postgres_number(r, i, 1),
                                          .row = text_in(arena, r, i, 2)};
    pq.clear(r);
    return 0;
}

/* ---- snapshots ---- */

/* Returns 1, 0 if it is not wanted, -1. */
static int put_parts(struct postgres *p, int64_t seq, FILE *f, struct error *e)
{
    const char *store = p->base.store;
    AUTO_FREE char *part = xmalloc(SNAPSHOT_PART);
    struct pg_result *r =
        postgres_ask(p, e, "SELECT stemma.begin_snapshot($1, $2)", "si", store, seq);
    int wanted = r ? (int)number_of(r) : -1;
    int64_t parts = 0, total = 0;
    struct stat file;
    if (fstat(fileno(f), &file) == 0)
        total = (int64_t)(file.st_size / SNAPSHOT_PART) + 1;
    for (size_t n; wanted > 0 && (n = fread(part, 1, SNAPSHOT_PART, f)) > 0; parts++) {
        r = postgres_ask(p, e, "SELECT stemma.put_part($1, $2, $3, $4)", "siib", store, seq, parts,
                         part, n);
        if (!r)
            return -1;
        pq.clear(r);
        if (transport_progress(parts + 1, total, e))
            return -1;
    }
    if (wanted > 0 && ferror(f))
        return error_set(e, ERROR_STORE, "", "The snapshot cannot be read: %s", strerror(errno));
    if (wanted <= 0)
        return wanted;
    r = postgres_ask(p, e, "SELECT stemma.end_snapshot($1, $2, $3)", "sii", store, seq, parts);
    return r ? (int)number_of(r) : -1;
}

static int drop_parts(struct postgres *p, struct error *e)
{
    struct pg_result *r;
    do
        r = postgres_ask(p, e, "SELECT stemma.drop_parts($1)", "s", p->base.store);
    while (r && number_of(r));
    return r ? 0 : -1;
}

static int postgres_put_snapshot(struct transport *t, int64_t seq, const char *path,
                                 struct error *e)
{
    struct postgres *p = own(t);
    FILE *f = fopen(path, "rb");
    if (!f)
        return error_set(e, ERROR_STORE, "", "%s cannot be read: %s", path, strerror(errno));
    int result = drop_parts(p, e) || postgres_run(p, "BEGIN", e) ? -1 : put_parts(p, seq, f, e);
    result = end_transaction(p, result, e);
    fclose(f);
    return result > 0 && drop_parts(p, e) ? -1 : result;
}

/* Returns 1, 0 if there is no snapshot, -1. */
static int get_parts(struct postgres *p, int64_t *seq, FILE *f, struct error *e)
{
    const char *store = p->base.store;
    struct pg_result *r = postgres_ask(
        p, e, "SELECT seq, parts FROM stemma.latest WHERE store = $1 AND parts > 0", "s", store);
    if (!r)
        return -1;
    bool any = pq.ntuples(r) == 1;
    *seq = any ? postgres_number(r, 0, 0) : 0;
    int64_t parts = any ? postgres_number(r, 0, 1) : 0;
    pq.clear(r);
    for (int64_t i = 0; i < parts; i++) {
        r = postgres_ask(
            p, e, "SELECT data FROM stemma.snapshot WHERE store = $1 AND seq = $2 AND part = $3",
            "*sii", store, *seq, i);
        if (!r)
            return -1;
        size_t size = pq.ntuples(r) == 1 ? (size_t)pq.getlength(r, 0, 0) : 0;
        bool written = size && fwrite(pq.getvalue(r, 0, 0), 1, size, f) == size;
        pq.clear(r);
        if (!size)
            return unreadable(e);
        if (!written)
            return error_set(e, ERROR_STORE, error_write_hint(errno),
                             "The snapshot cannot be written: %s", strerror(errno));
        if (transport_progress(i + 1, parts, e))
            return -1;
    }
    return any;
}

static int postgres_get_snapshot(struct transport *t, const char *path, int64_t *seq,
                                 struct error *e)
{
    struct postgres *p = own(t);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!f)
        return error_set(e, ERROR_STORE, error_write_hint(errno), "%s cannot be written: %s", path,
                         strerror(errno));
    /* All parts are of one snapshot. */
    int result =
        postgres_connect(p, e) || postgres_run(p, "BEGIN ISOLATION LEVEL REPEATABLE READ", e)
            ? -1
            : get_parts(p, seq, f, e);
    result = end_transaction(p, result, e);
    bool lost = fflush(f) || fsync(fileno(f));
    if ((fclose(f) || lost) && result > 0)
        result = error_set(e, ERROR_STORE, error_write_hint(errno), "%s cannot be written: %s",
                           path, strerror(errno));
    if (result <= 0)
        unlink(path);
    return result;
}

/* ---- */

static int postgres_find_snapshot(struct transport *t, int64_t *seq, struct error *e)
{
    struct postgres *p = own(t);
    struct pg_result *r =
        postgres_connect(p, e)
            ? NULL
            : postgres_ask(p, e, "SELECT seq FROM stemma.latest WHERE store = $1 AND parts > 0",
                           "s", t->store);
    if (!r)
        return -1;
    bool any = pq.ntuples(r) == 1;
    *seq = any ? postgres_number(r, 0, 0) : 0;
    pq.clear(r);
    return any;
}

static void postgres_close(struct transport *t)
{
    struct postgres *p = own(t);
    postgres_disconnect(p);
    wakeup_close(&p->told);
    free(p->address);
    free(p);
}

static const struct transport_ops ops = {
    postgres_create,        postgres_stores,   postgres_join,         postgres_leave,
    postgres_machines,      postgres_head,     postgres_fetch,        postgres_append,
    postgres_lock,          postgres_unlock,   postgres_fd,           postgres_heard,
    postgres_report,        postgres_sessions, postgres_put_snapshot, postgres_get_snapshot,
    postgres_find_snapshot, postgres_close,
};

struct transport *postgres_open(const char *address, const char *store, struct error *e)
{
    struct postgres *p = xcalloc(1, sizeof(*p));
    p->base.ops = &ops;
    p->base.store = store ? xstrdup(store) : NULL;
    p->address = xstrdup(address);
    if (wakeup_open(&p->told))
        error_set(e, ERROR_STORE, "", "No descriptor is left: %s", strerror(errno));
    else if (postgres_connect(p, e) == 0) {
        wakeup_send(&p->told); /* for good */
        return &p->base;
    }
    free(p->base.store);
    postgres_close(&p->base);
    return NULL;
}
