/*
 * A PostgreSQL server of a test's own: a new cluster in a temporary directory that listens on a
 * Unix socket alone and runs as the user `postgres` or `nobody` when the test is root. And a proxy
 * in front of it that can stall. A failure here fails the calling test.
 */
#ifndef STEMMA_TESTS_POSTGRES_H
#define STEMMA_TESTS_POSTGRES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct postgres_server {
    char dir[80]; /* has the socket, as `host` of an address names it */
};

/* Makes the cluster and starts it. Its superuser is `postgres`; local users are trusted, but not a
 * role named `guarded`: that one needs its password. */
void postgres_start(struct postgres_server *s);
void postgres_again(struct postgres_server *s); /* starts it after postgres_crash */
void postgres_crash(struct postgres_server *s); /* pg_ctl stop -m immediate */
void postgres_stop(struct postgres_server *s);  /* and removes the cluster */
/* Runs SQL by psql as that role. Returns what was printed, errors included; the caller frees it. */
char *postgres_sql(const struct postgres_server *s, const char *role, const char *database,
                   const char *sql);
/* The same, and fails the test if the SQL fails. */
void postgres_do(const struct postgres_server *s, const char *role, const char *database,
                 const char *sql);
/* Restores a dump of a database as another. */
void postgres_restore(struct postgres_server *s, const char *from, const char *to);
/* The directory of the server's programs, with a slash at its end; "" if they are in PATH. */
const char *postgres_programs(void);

#define PROXY_PAIRS 16
struct postgres_proxy {
    char dir[100];      /* the `host` of it */
    atomic_bool stalls; /* it accepts, and passes nothing on */
    atomic_bool cuts;   /* closes all connections, and each new one */
    atomic_bool loses;  /* passes on what is asked, and cuts the connection when the answer comes */
    atomic_bool no_listen; /* the server is asked for LISTEM, which it does not know */
    atomic_int refused;    /* how often it was, or an answer was lost */
    atomic_bool ends;
    const struct postgres_server *to;
    pthread_t thread;
    int listener;
    int pair[PROXY_PAIRS][2];
};
void proxy_start(struct postgres_proxy *p, const struct postgres_server *to);
void proxy_stop(struct postgres_proxy *p);

#endif
