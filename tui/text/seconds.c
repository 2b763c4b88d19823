#include "tui/text/seconds.h"

#include <stdint.h>
#include <stdio.h>

void seconds_text(char out[24], double seconds)
{
    out[0] = '\0';
    if (!(seconds >= 0 && seconds < 1e12))
        return;
    int64_t whole = (int64_t)seconds;
    if (seconds < 9.95)
        snprintf(out, 24, "%.*f s", seconds > 0 && seconds < 0.05 ? 2 : 1, seconds);
    else if (seconds < 120)
        snprintf(out, 24, "%.0f s", seconds);
    else if (whole < 7200)
        snprintf(out, 24, "%dm %02ds", (int)(whole / 60), (int)(whole % 60));
    else
        snprintf(out, 24, "%lldh %02dm", (long long)(whole / 3600), (int)(whole / 60 % 60));
}
