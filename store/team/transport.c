/*
 * Chooses the transport by the address, keeps passwords out of addresses, and checks what callers
 * and the other side give before it goes on.
 */
#include "store/team/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/team/libpq.h"
#include "store/team/transport_internal.h"

#define SAFE_PASSWORD                                                                              \
    "Put it into ~/.pgpass (PGPASSFILE), PGPASSWORD or a service (service=NAME), and take it out " \
    "of the address."

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* A URL of PostgreSQL, or "keyword = value …". A folder of such a name is given as ./NAME. */
static bool is_postgres(const char *address)
{
    size_t word = strspn(address, "abcdefghijklmnopqrstuvwxyz_");
    return begins_with(address, "postgresql://") || begins_with(address, "postgres://") ||
           (word && address[word + strspn(address + word, " ")] == '=');
}

static void add_option(struct strbuf *out, const struct pg_option *o)
{
    strbuf_addf(out, "%s%s='", out->len ? " " : "", o->keyword);
    for (const char *c = o->value; *c; c++) {
        if (*c == '\'' || *c == '\\')
            strbuf_addch(out, '\\');
        strbuf_addch(out, *c);
    }
    strbuf_addch(out, '\'');
}

/*
 * The address without secrets. libpq says which options are secret (password, sslpassword, …). Its
 * own errors quote what they complain about, so they are not repeated.
 */
static char *plain_postgres(const char *address, bool *secret, struct error *e)
{
    if (libpq_load(e))
        return NULL;
    struct pg_option *options = pq.conninfoParse(address, NULL);
    AUTO_STRBUF plain = STRBUF_INIT;
    if (!options) {
        error_set(e, ERROR_USAGE, "Such as postgresql://USER@HOST/DATABASE, or service=NAME.",
                  "The address of the team is no connection string of PostgreSQL");
        return NULL;
    }
    *secret = false;
    for (const struct pg_option *o = options; o->keyword; o++)
        if (o->value && o->display && o->display[0] == '*')
            *secret = true;
        else if (o->value)
            add_option(&plain, o);
    pq.conninfoFree(options);
    return *secret ? strbuf_detach(&plain, NULL) : xstrdup(address);
}

/* An absolute path, since a store keeps it. */
static char *plain_folder(const char *address, struct error *e)
{
    const char *path = begins_with(address, "file://") ? address + strlen("file://") : address;
    char here[4096];
    if (!*path || strstr(path, "://") || begins_with(path, "postgresql:") ||
        begins_with(path, "postgres:")) {
        error_set(e, ERROR_USAGE,
                  "Give postgresql://…, service=NAME or a folder; mount an object store as files.",
                  "The team's journal cannot be at such an address");
        return NULL;
    }
    if (path[0] == '/' || !getcwd(here, sizeof(here)))
        return xstrdup(path);
    return xformat("%s/%s", here, path);
}

static char *plain_address(const char *address, bool *secret, struct error *e)
{
    *secret = false;
    return is_postgres(address) ? plain_postgres(address, secret, e) : plain_folder(address, e);
}

char *transport_address(const char *address, struct error *e)
{
    bool secret;
    char *plain = plain_address(address, &secret, e);
    if (!plain || !secret)
        return plain;
    free(plain);
    error_set(e, ERROR_REFUSED, SAFE_PASSWORD, "The address of the team has a password in it");
    return NULL;
}

static int check_store(const char *store, struct error *e)
{
    if (strlen(store) == 36 && ref_is_uuid_prefix(store, 36))
        return 0;
    return error_set(e, ERROR_INVALID, "", "%.60s is not the id of a team", store);
}

struct transport *transport_open(const char *address, const char *store, struct error *e)
{
    bool secret;
    if (store && check_store(store, e))
        return NULL;
    char *name = plain_address(address, &secret, e);
    if (!name)
        return NULL;
    struct transport *t =
        is_postgres(address) ? postgres_open(address, store, e) : segments_open(name, store, e);
    if (t)
        t->name = name;
    else
        free(name);
    return t;
}

void transport_close(struct transport *t)
{
    if (!t)
        return;
    free(t->name);
    free(t->store);
    t->ops->close(t);
}

const char *transport_name(const struct transport *t)
{
    return t->name;
}

int transport_no_team(const struct transport *t, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND,
                     "stemma team create begins one. On a server, who began it admits roles.",
                     "There is no team %s there, or it does not admit you",
                     t->store ? t->store : "");
}

int transport_has_team(const char *store, struct error *e)
{
    return error_set(e, ERROR_CONFLICT,
                     "stemma team join joins it; stemma team create --another begins a second one.",
                     "There is a team already: %.8s", store);
}

int transport_check_format(int64_t format, struct error *e)
{
    if (format <= TEAM_FORMAT)
        return 0;
    return error_set(e, ERROR_REFUSED, "Upgrade stemma on this machine; until then it works alone.",
                     "The team's journal has format %lld, this stemma knows %d", (long long)format,
                     TEAM_FORMAT);
}

int transport_check_size(int64_t seq, size_t bytes, struct error *e)
{
    if (bytes <= EVENT_BYTES_MAX)
        return 0;
    return error_set(e, ERROR_INVALID, "", "Event %lld has %zu bytes; a team takes %u at most",
                     (long long)seq, bytes, EVENT_BYTES_MAX);
}

void transport_hex(char *out, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

const unsigned char *transport_salt(struct arena *arena, const char *hex)
{
    unsigned char *bytes = arena_alloc(arena, SALT_SIZE);
    if (strlen(hex) != 2 * SALT_SIZE || strspn(hex, "0123456789abcdef") != 2 * SALT_SIZE)
        return NULL;
    for (size_t i = 0; i < SALT_SIZE; i++)
        bytes[i] = (unsigned char)strtoul((char[]){hex[2 * i], hex[2 * i + 1], 0}, NULL, 16);
    return bytes;
}

static int check_open(const struct transport *t, struct error *e)
{
    return t->store ? 0 : transport_no_team(t, e);
}

/* ---- progress ---- */

static int (*progress_tick)(void *arg, int64_t done, int64_t total);
static void *progress_arg;

void transport_on_progress(int (*tick)(void *arg, int64_t done, int64_t total), void *arg)
{
    progress_tick = tick;
    progress_arg = arg;
}

int transport_progress(int64_t done, int64_t total, struct error *e)
{
    if (!progress_tick || !progress_tick(progress_arg, done, total))
        return 0;
    return error_set(e, ERROR_INTERRUPTED, "stemma team status goes on with it.",
                     "it was interrupted");
}

/* ---- calls ---- */

int transport_create(struct transport *t, const char *store, const struct chain_end *at,
                     struct error *e)
{
    return check_store(store, e) ? -1 : t->ops->create(t, store, at, false, e);
}

int transport_create_first(struct transport *t, const char *store, const struct chain_end *at,
                           struct error *e)
{
    return check_store(store, e) ? -1 : t->ops->create(t, store, at, true, e);
}

int transport_stores(struct transport *t, struct arena *arena, const char ***out, size_t *count,
                     struct error *e)
{
    return t->ops->stores(t, arena, out, count, e);
}

int transport_join(struct transport *t, const char *machine, int *number, struct error *e)
{
    if (!machine[0] || strlen(machine) > TRANSPORT_NAME_MAX)
        return error_set(e, ERROR_INVALID, "", "The name of a machine has 1 to %d bytes",
                         TRANSPORT_NAME_MAX);
    return check_open(t, e) ? -1 : t->ops->join(t, machine, number, e);
}

int transport_leave(struct transport *t, int machine, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->leave(t, machine, e);
}

int transport_machines(struct transport *t, struct arena *arena, struct team_machine **out,
                       size_t *count, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->machines(t, arena, out, count, e);
}

int transport_head(struct transport *t, struct chain_end *out, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->head(t, out, e);
}

int transport_fetch(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                    struct team_event **out, size_t *count, struct error *e)
{
    *out = NULL;
    *count = 0;
    return check_open(t, e) ? -1 : t->ops->fetch(t, after, limit, arena, out, count, e);
}

int transport_append(struct transport *t, int machine, const struct chain_end *base,
                     const struct team_event *events, size_t count, struct error *e)
{
    if (check_open(t, e))
        return -1;
    struct digest hash = base->hash;
    for (size_t i = 0; i < count; i++) {
        const struct team_event *v = &events[i];
        size_t bytes = strlen(v->canonical) + (v->patch ? strlen(v->patch) : 0) +
                       (v->line ? strlen(v->line) : 0);
        digest_chain(&hash, v->seq > 1 ? &hash : NULL, v->canonical, strlen(v->canonical));
        if (v->seq != base->count + 1 + (int64_t)i || !digest_equal(&hash, &v->hash))
            return error_set(e, ERROR_INVALID, "Run stemma fsck on the store.",
                             "Event %lld does not continue the chain", (long long)v->seq);
        if (transport_check_size(v->seq, bytes, e))
            return -1;
    }
    if (count == 0)
        return 1;
    return t->ops->append(t, machine, base, events, count, e);
}

int transport_lock(struct transport *t, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->lock(t, e);
}

void transport_unlock(struct transport *t)
{
    t->ops->unlock(t);
}

int transport_fd(struct transport *t)
{
    return t->store ? t->ops->fd(t) : -1;
}

void transport_heard(struct transport *t)
{
    t->ops->heard(t);
}

int transport_report(struct transport *t, int machine, int64_t applied,
                     const struct team_session *sessions, size_t count, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->report(t, machine, applied, sessions, count, e);
}

int transport_sessions(struct transport *t, int64_t changed, struct arena *arena,
                       struct team_session **out, size_t *count, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->sessions(t, changed, arena, out, count, e);
}

int transport_put_snapshot(struct transport *t, int64_t seq, const char *path, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->put_snapshot(t, seq, path, e);
}

int transport_find_snapshot(struct transport *t, int64_t *seq, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->find_snapshot(t, seq, e);
}

int transport_get_snapshot(struct transport *t, const char *path, int64_t *seq, struct error *e)
{
    return check_open(t, e) ? -1 : t->ops->get_snapshot(t, path, seq, e);
}
