/* The connection to a team's server. Only for the transport of PostgreSQL. */
#ifndef STEMMA_POSTGRES_INTERNAL_H
#define STEMMA_POSTGRES_INTERNAL_H

#include "store/platform/platform.h"
#include "store/team/libpq.h"
#include "store/team/transport_internal.h"

struct postgres {
    struct transport base;
    char *address;        /* as given, with a password if it has one */
    struct pg_conn *conn; /* NULL: not connected */
    bool locked;          /* in the transaction of transport_lock */
    bool listening;       /* this connection hears of appends */
    bool deaf;            /* it cannot: the server has no LISTEN */
    /* A notification came with an answer, so the socket will not tell of it: `told` is readable. */
    bool heard;
    struct wakeup told;
};

void postgres_disconnect(struct postgres *p);
/* Connects if there is no connection. */
int postgres_connect(struct postgres *p, struct error *e);
/* Notes the notifications of others' appends that came. */
void postgres_take_notifications(struct postgres *p);
/* Runs statements without parameters. */
int postgres_run(struct postgres *p, const char *sql, struct error *e);
/*
 * Runs one statement and returns its rows, or NULL with `e`. A type for each parameter: s a string
 * or NULL, i an int64_t, h a digest, b bytes and their size_t; first *: the rows are binary.
 */
struct pg_result *postgres_ask(struct postgres *p, struct error *e, const char *sql,
                               const char *types, ...);

/* NULL if it is NULL. */
const char *postgres_text(const struct pg_result *r, int row, int column);
int64_t postgres_number(const struct pg_result *r, int row, int column);

#endif
