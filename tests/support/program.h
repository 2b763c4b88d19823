/* Runs the built program ($STEMMA, or ./stemma) as a person would, and keeps what it said. */
#ifndef STEMMA_TESTS_PROGRAM_H
#define STEMMA_TESTS_PROGRAM_H

#include <stddef.h>

struct program {
    int status;      /* its exit status; 128 + the signal that ended it */
    char *out, *err; /* each ends with a NUL */
    size_t out_len, err_len;
};

/*
 * Runs it with the arguments (ends with NULL) and `input` on its standard input (NULL: nothing), and
 * waits for its end. What `p` holds is freed first: begin with a zeroed one. Fails the test where it
 * cannot run.
 */
void program_run(struct program *p, const char *input, const char *const *arguments);
/* The same with standard output going to that descriptor, which is closed; -1: it is closed there. */
void program_run_to(struct program *p, int output, const char *const *arguments);
/* Starts it and does not wait: *out is where its standard output is read; what it tells on standard
 * error is dropped. The caller closes *out and waits for the process. */
int program_start(int *out, const char *const *arguments);
void program_release(struct program *p);

#define PROGRAM(p, ...)          program_run((p), NULL, (const char *const[]){__VA_ARGS__, NULL})
#define PROGRAM_WITH(p, in, ...) program_run((p), (in), (const char *const[]){__VA_ARGS__, NULL})

#endif
