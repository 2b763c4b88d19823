/* Runs the built program ($STEMMA, or ./stemma) and captures its output. */
#ifndef STEMMA_TESTS_PROGRAM_H
#define STEMMA_TESTS_PROGRAM_H

#include <stddef.h>

struct program {
    int status;      /* its exit status, or 128 + the signal that ended it */
    char *out, *err; /* each ends with a NUL */
    size_t out_len, err_len;
};

/*
 * Runs the program with the arguments, which end with NULL, and `input` (NULL for none) on its
 * standard input, and waits for its end. Frees the last results in `p`, which must be zeroed at
 * first. Fails the test if the program cannot run.
 */
void program_run(struct program *p, const char *input, const char *const *arguments);
/* The same with standard output redirected to the descriptor `output`, which is closed. With -1
 * the program has no standard output. */
void program_run_to(struct program *p, int output, const char *const *arguments);
/* Starts the program without waiting. *out is the read end of its standard output; standard
 * error is discarded. The caller closes *out and waits for the process. */
int program_start(int *out, const char *const *arguments);
void program_release(struct program *p);

#define PROGRAM(p, ...)          program_run((p), NULL, (const char *const[]){__VA_ARGS__, NULL})
#define PROGRAM_WITH(p, in, ...) program_run((p), (in), (const char *const[]){__VA_ARGS__, NULL})

#endif
