/*
 * The connection to a team's server. libpq is used without blocking, so that a server or a proxy that
 * stalls is given up after TRANSPORT_WAIT_MS without a byte. A connection that failed is opened anew
 * by the next call.
 */
#include "store/team/postgres_internal.h"

#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"

void postgres_disconnect(struct postgres *p)
{
    if (p->conn)
        pq.finish(p->conn);
    p->conn = NULL;
    p->locked = p->listening = p->deaf = false;
}

/* ---- errors ---- */

#define HINT_BUSY "A machine that has joined keeps its changes, and sends them when it can."
#define HINT_ADMIT                                                                                 \
    "A role needs CONNECT on the database, and who began the team admits it: SELECT "              \
    "stemma.allow('TEAM', 'ROLE')."

/* By the beginning of an SQLSTATE; the first that fits. */
static const struct meaning {
    const char *state;
    enum error_code code;
    const char *hint;
} meanings[] = {
    {"08", ERROR_BUSY, HINT_BUSY},
    {"25006", ERROR_BUSY, "This server is read-only: a standby? " HINT_BUSY},
    {"25P", ERROR_BUSY, HINT_BUSY},
    {"28", ERROR_REFUSED,
     "Check role, password (~/.pgpass, PGPASSWORD), sslrootcert and pg_hba.conf."},
    {"3D", ERROR_NOT_FOUND, "Create the database first: createdb."},
    {"3F", ERROR_NOT_FOUND, "stemma team create begins a team."},
    {"40", ERROR_BUSY, HINT_BUSY},
    {"42501", ERROR_REFUSED, HINT_ADMIT},
    {"42P01", ERROR_NOT_FOUND, "stemma team create begins a team."},
    {"42883", ERROR_NOT_FOUND, "The owner of the schema runs stemma team create to upgrade it."},
    {"22021", ERROR_INVALID, "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."},
    {"22", ERROR_INVALID, ""},
    {"23505", ERROR_CONFLICT, ""},
    {"23", ERROR_INVALID, "Run stemma fsck on the store."},
    {"53", ERROR_BUSY, HINT_BUSY},
    {"55P03", ERROR_BUSY, HINT_BUSY},
    {"57", ERROR_BUSY, HINT_BUSY},
    {"", ERROR_STORE, ""},
};

/* The first line of `text` is told. `state` is NULL without an answer of the server. */
static int fail(struct postgres *p, const char *state, const char *text, struct error *e)
{
    const char *password = p->conn ? pq.pass(p->conn) : NULL;
    const struct meaning *m = meanings;
    while (state && strncmp(state, m->state, strlen(m->state)) != 0)
        m++;
    /* libpq quotes none; this is for servers that do. */
    if (!text || (password && *password && strstr(text, password)))
        text = "it failed";
    return error_set(e, m->code, m->hint, "The team's server: %.*s", (int)strcspn(text, "\n"),
                     text);
}

/* The connection is of no more use. */
static int fail_connection(struct postgres *p, const char *text, struct error *e)
{
    fail(p, NULL, text ? text : p->conn ? pq.errorMessage(p->conn) : "the connection was lost", e);
    postgres_disconnect(p);
    return -1;
}

/* ---- the connection ---- */

/* Returns false if nothing came until then. */
static bool wait_until(int fd, short events, int64_t until)
{
    struct pollfd poll_fd = {fd, events, 0};
    for (;;) {
        int64_t left = until - monotonic_ms();
        if (left <= 0)
            return false;
        if (poll(&poll_fd, 1, (int)left) > 0)
            return true;
    }
}

static void ignore_notice(void *arg, const char *message)
{
    (void)arg;
    (void)message;
}

/*
 * A failed connection has no SQLSTATE but in its verbose message: "FATAL:  28P01: password …". A
 * certificate that is not accepted is for a person, not for another try.
 */
static int fail_to_connect(struct postgres *p, struct error *e)
{
    static const char capitals[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *text = pq.errorMessage(p->conn), *state = strstr(text, ":  ");
    if (state && strspn(state + 3, capitals) == 5 && strncmp(state + 8, ": ", 2) == 0) {
        state += 3;
        text = state + 7;
    } else {
        bool refused = pq.connectionNeedsPassword(p->conn) || strstr(text, "certificate") ||
                       strstr(text, "does not support SSL");
        state = refused ? "28000" : NULL;
    }
    fail(p, state, text, e);
    postgres_disconnect(p);
    return -1;
}

static int open_connection(struct postgres *p, struct error *e)
{
    /* What the address says comes last and wins. With several hosts, one that is down is left after
     * tcp_user_timeout, for the next. */
    static const char *const keywords[] = {"fallback_application_name",
                                           "keepalives_idle",
                                           "keepalives_interval",
                                           "keepalives_count",
                                           "tcp_user_timeout",
                                           "dbname",
                                           NULL};
    const char *values[] = {"stemma", "10", "2", "2", "2500", p->address, NULL};
    int64_t until = monotonic_ms() + TRANSPORT_WAIT_MS;
    int state = PG_POLLING_WRITING;
    p->conn = pq.connectStartParams(keywords, values, 1);
    if (!p->conn)
        alloc_fail();
    pq.setErrorVerbosity(p->conn, PG_ERRORS_VERBOSE);
    pq.setNoticeProcessor(p->conn, ignore_notice, NULL);
    while (state != PG_POLLING_OK) {
        if (state == PG_POLLING_FAILED || pq.status(p->conn) == PG_CONNECTION_BAD)
            return fail_to_connect(p, e);
        if (!wait_until(pq.socket(p->conn), state == PG_POLLING_WRITING ? POLLOUT : POLLIN, until))
            return fail_connection(p, "it does not answer", e);
        state = pq.connectPoll(p->conn);
    }
    pq.setnonblocking(p->conn, 1);
    return 0;
}

/* Notifications of others' appends that came with an answer. */
void postgres_take_notifications(struct postgres *p)
{
    for (struct pg_notify *n; (n = pq.notifies(p->conn)); pq.freemem(n))
        p->heard = p->heard || n->server_pid != pq.backendPID(p->conn);
}

/* Sends what was queued and waits for the answer. NULL with `e`. */
static struct pg_result *collect(struct postgres *p, struct error *e)
{
    struct pg_result *result = NULL, *next;
    for (;;) {
        int unsent = pq.flush(p->conn);
        if (unsent < 0)
            break;
        while (!unsent && !pq.isBusy(p->conn)) {
            if (!(next = pq.getResult(p->conn))) {
                postgres_take_notifications(p);
                goto done;
            }
            /* Of several statements the first that failed, or the last. */
            int status = result ? pq.resultStatus(result) : PG_COMMAND_OK;
            if (status == PG_COMMAND_OK || status == PG_TUPLES_OK) {
                pq.clear(result);
                result = next;
            } else {
                pq.clear(next);
            }
        }
        short events = POLLIN | (unsent ? POLLOUT : 0);
        if (!wait_until(pq.socket(p->conn), events, monotonic_ms() + TRANSPORT_WAIT_MS)) {
            pq.clear(result);
            fail_connection(p, "it does not answer", e);
            return NULL;
        }
        if (!pq.consumeInput(p->conn))
            break;
    }
done:
    if (result) {
        int status = pq.resultStatus(result);
        if (status == PG_COMMAND_OK || status == PG_TUPLES_OK)
            return result;
        fail(p, pq.resultErrorField(result, PG_DIAG_SQLSTATE),
             pq.resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY), e);
        pq.clear(result);
    } else {
        fail(p, NULL, pq.errorMessage(p->conn), e);
    }
    if (pq.status(p->conn) == PG_CONNECTION_BAD || !result)
        postgres_disconnect(p);
    return NULL;
}

/* Runs statements without parameters. */
int postgres_run(struct postgres *p, const char *sql, struct error *e)
{
    if (!p->conn || !pq.sendQuery(p->conn, sql))
        return fail_connection(p, NULL, e);
    struct pg_result *r = collect(p, e);
    if (r)
        pq.clear(r);
    return r ? 0 : -1;
}

/*
 * Of the settings those that the server has: it gives up before this side does, and plans of short
 * statements are not compiled or made parallel.
 */
static const char settings[] =
    "SELECT set_config(s.name, v.value, false) FROM (VALUES ('client_encoding', 'UTF8'),"
    " ('statement_timeout', '4500'), ('lock_timeout', '4000'),"
    " ('idle_in_transaction_session_timeout', '5000'), ('search_path', 'pg_catalog'),"
    " ('standard_conforming_strings', 'on'), ('jit', 'off'),"
    " ('max_parallel_workers_per_gather', '0')) AS v(name, value)"
    " JOIN pg_settings s ON s.name = v.name";

int postgres_connect(struct postgres *p, struct error *e)
{
    if (p->conn && pq.status(p->conn) != PG_CONNECTION_BAD)
        return 0;
    if (p->locked)
        return fail_connection(p, NULL, e);
    postgres_disconnect(p);
    if (open_connection(p, e) || postgres_run(p, settings, e)) {
        postgres_disconnect(p);
        return -1;
    }
    p->heard = true; /* what was appended meanwhile */
    if (!p->base.store)
        return 0;
    struct error none;
    struct pg_result *r = postgres_ask(p, &none, "SELECT format FROM stemma.head WHERE store = $1",
                                       "s", p->base.store);
    int result = r && pq.ntuples(r) ? transport_check_format(postgres_number(r, 0, 0), e) : 0;
    if (r)
        pq.clear(r);
    if (result)
        postgres_disconnect(p);
    return result;
}

#define PARAMETERS_MAX 9

struct pg_result *postgres_ask(struct postgres *p, struct error *e, const char *sql,
                               const char *types, ...)
{
    const char *values[PARAMETERS_MAX];
    int lengths[PARAMETERS_MAX] = {0}, formats[PARAMETERS_MAX] = {0}, count = 0;
    char numbers[PARAMETERS_MAX][2 * DIGEST_SIZE + 3];
    bool binary = *types == '*';
    va_list args;
    if (postgres_connect(p, e))
        return NULL;
    va_start(args, types);
    for (const char *type = types + binary; *type; type++, count++) {
        char *number = numbers[count];
        values[count] = number;
        if (*type == 'i') {
            snprintf(number, sizeof(numbers[0]), "%" PRId64, va_arg(args, int64_t));
        } else if (*type == 'h') {
            number[0] = '\\';
            number[1] = 'x';
            digest_hex(number + 2, va_arg(args, const struct digest *));
        } else {
            values[count] = va_arg(args, const char *);
        }
        if (*type == 'b') {
            lengths[count] = (int)va_arg(args, size_t);
            formats[count] = 1;
        }
    }
    va_end(args);
    if (!pq.sendQueryParams(p->conn, sql, count, NULL, values, lengths, formats, binary)) {
        fail_connection(p, NULL, e);
        return NULL;
    }
    return collect(p, e);
}

/* ---- values ---- */

const char *postgres_text(const struct pg_result *r, int row, int column)
{
    return pq.getisnull(r, row, column) ? NULL : pq.getvalue(r, row, column);
}

int64_t postgres_number(const struct pg_result *r, int row, int column)
{
    const char *text = postgres_text(r, row, column);
    return text ? strtoll(text, NULL, 10) : 0;
}
