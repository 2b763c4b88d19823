/* How far long work has come, on stderr where that is a terminal, and whether it is to stop. */
#ifndef STEMMA_PROGRESS_H
#define STEMMA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *doing; /* "import" */
    bool shown;        /* stderr is a terminal */
    int64_t next;      /* ms: when the line is written again */
    bool written;
};

void progress_begin(struct progress *p, const char *doing);
/* Non-zero where a signal asks to stop. `total` 0: not known. */
int progress_tick(struct progress *p, int64_t done, int64_t total);
/* Wipes the line. */
void progress_end(struct progress *p);

#endif
