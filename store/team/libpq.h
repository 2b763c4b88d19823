/*
 * libpq, the client library of PostgreSQL, loaded when it is first needed: stemma is built without
 * its headers and runs without the library. Here is what stemma uses of it, with the names and
 * numbers of its documentation, which its ABI keeps.
 */
#ifndef STEMMA_LIBPQ_H
#define STEMMA_LIBPQ_H

#include "model/base/error.h"

struct pg_conn;
struct pg_result;

struct pg_option {
    char *keyword, *environment, *compiled, *value, *label;
    char *display; /* "*": a secret */
    int display_size;
};
struct pg_notify {
    char *channel;
    int server_pid;
    char *extra;
    struct pg_notify *next;
};

enum {
    PG_CONNECTION_OK = 0,
    PG_CONNECTION_BAD = 1,

    PG_POLLING_FAILED = 0,
    PG_POLLING_READING = 1,
    PG_POLLING_WRITING = 2,
    PG_POLLING_OK = 3,

    PG_COMMAND_OK = 1,
    PG_TUPLES_OK = 2,

    PG_ERRORS_VERBOSE = 2,
    PG_DIAG_SQLSTATE = 'C',
    PG_DIAG_MESSAGE_PRIMARY = 'M',
};

#define LIBPQ_FUNCTIONS(X)                                                                         \
    X(conninfoParse, struct pg_option *, (const char *text, char **error))                         \
    X(conninfoFree, void, (struct pg_option * options))                                            \
    X(freemem, void, (void *memory))                                                               \
    X(connectStartParams, struct pg_conn *,                                                        \
      (const char *const *keywords, const char *const *values, int expand))                        \
    X(connectPoll, int, (struct pg_conn * c))                                                      \
    X(status, int, (const struct pg_conn *c))                                                      \
    X(socket, int, (const struct pg_conn *c))                                                      \
    X(backendPID, int, (const struct pg_conn *c))                                                  \
    X(pass, char *, (const struct pg_conn *c))                                                     \
    X(connectionNeedsPassword, int, (const struct pg_conn *c))                                     \
    X(errorMessage, char *, (const struct pg_conn *c))                                             \
    X(finish, void, (struct pg_conn * c))                                                          \
    X(setErrorVerbosity, int, (struct pg_conn * c, int verbosity))                                 \
    X(setNoticeProcessor, void *,                                                                  \
      (struct pg_conn * c, void (*take)(void *arg, const char *message), void *arg))               \
    X(setnonblocking, int, (struct pg_conn * c, int yes))                                          \
    X(sendQuery, int, (struct pg_conn * c, const char *sql))                                       \
    X(sendQueryParams, int,                                                                        \
      (struct pg_conn * c, const char *sql, int count, const unsigned *types,                      \
       const char *const *values, const int *lengths, const int *formats, int result_format))      \
    X(flush, int, (struct pg_conn * c))                                                            \
    X(consumeInput, int, (struct pg_conn * c))                                                     \
    X(isBusy, int, (struct pg_conn * c))                                                           \
    X(getResult, struct pg_result *, (struct pg_conn * c))                                         \
    X(notifies, struct pg_notify *, (struct pg_conn * c))                                          \
    X(resultStatus, int, (const struct pg_result *r))                                              \
    X(resultErrorField, char *, (const struct pg_result *r, int field))                            \
    X(ntuples, int, (const struct pg_result *r))                                                   \
    X(getvalue, char *, (const struct pg_result *r, int row, int column))                          \
    X(getlength, int, (const struct pg_result *r, int row, int column))                            \
    X(getisnull, int, (const struct pg_result *r, int row, int column))                            \
    X(clear, void, (struct pg_result * r))

/* pq.finish is PQfinish. */
#define LIBPQ_MEMBER(name, type, arguments) type(*name) arguments;
extern struct libpq {
    LIBPQ_FUNCTIONS(LIBPQ_MEMBER)
} pq;
#undef LIBPQ_MEMBER

/* Fills `pq`, once, from any thread. Returns -1 with what to install if there is no libpq. */
int libpq_load(struct error *e);

#endif
