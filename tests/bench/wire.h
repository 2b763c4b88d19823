/* The other end of the wire, for benches: sends lines, counts the lines that come back. */
#ifndef STEMMA_BENCH_WIRE_H
#define STEMMA_BENCH_WIRE_H

#include <sys/types.h>
#include "model/base/strbuf.h"

/* Appends request number `i` of a run, without its end. */
typedef void (*wire_make)(struct strbuf *out, size_t i, const void *arg);
/* Hears answer number `i`, without its end. */
typedef void (*wire_hear)(void *heard, size_t i, const char *line, size_t len);

struct wire_run {
    size_t answers, failures; /* of the answers: those that are an error */
    size_t bytes;             /* of all answers */
    double ms;
};

/* Connects to a Unix socket. Whatever fails ends the program. */
int wire_connect(const char *path);
/* Sends one line and waits for its answer, which is in *answer. */
void wire_ask(int fd, const char *line, struct strbuf *answer);
/* Keeps `in_flight` requests under way: `count` of them in all, or as many as `ms` allows (count 0). */
struct wire_run wire_pump(int fd, wire_make make, const void *arg, size_t in_flight, size_t count,
                          double ms);
/* `count` requests one after the other; `hear` gets each answer. */
void wire_each(int fd, wire_make make, const void *arg, size_t count, wire_hear hear, void *heard);
bool wire_is_failure(const char *line, size_t len);

/* A process that answers each line with the line itself: what the socket alone takes. */
pid_t wire_echo_start(const char *path);
/* One that answers each line, which is a number, with a line of so many bytes. */
pid_t wire_lines_start(const char *path);
/* Starts a program; its standard streams are *in and *out. */
pid_t wire_start(const char *const *argv, int *in, int *out);
void wire_stop(pid_t pid);
/* A line of what the program says, into `line`. */
void wire_read_line(int fd, struct strbuf *line);

#endif
