#include "tui/cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tui/cli/stop.h"

#define EVERY 100 /* ms between two lines; the first after as long, so short work shows none */

static int64_t steady_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void progress_begin(struct progress *p, const char *doing)
{
    const char *term = getenv("TERM");
    *p = (struct progress){.doing = doing, .shown = isatty(STDERR_FILENO)};
    if (!term || strcmp(term, "dumb") == 0) /* it cannot write a line anew */
        p->shown = false;
    p->next = steady_now() + EVERY;
}

int progress_tick(struct progress *p, int64_t done, int64_t total)
{
    if (p->shown && steady_now() >= p->next) {
        p->next = steady_now() + EVERY;
        p->written = true;
        if (total > 0)
            fprintf(stderr, "\r\033[K%s: %lld of %lld (%d %%)  Ctrl-C stops", p->doing,
                    (long long)done, (long long)total, (int)(done * 100 / total));
        else
            fprintf(stderr, "\r\033[K%s: %lld  Ctrl-C stops", p->doing, (long long)done);
        fflush(stderr);
    }
    return stop_wanted();
}

void progress_end(struct progress *p)
{
    if (p->written)
        fputs("\r\033[K", stderr);
    p->written = false;
}
