#include "tests/support/has.h"

#include <string.h>
#include "tests/support/scratch.h"

void assert_has(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("%s is not in\n%s", part, text ? text : "(nothing)");
}

void assert_lacks(const char *text, const char *part)
{
    if (text && strstr(text, part))
        fail_msg("%s is in\n%s", part, text);
}

void assert_times(const char *text, const char *part, unsigned times)
{
    unsigned found = 0;
    for (const char *at = text; at && (at = strstr(at, part)); at++)
        found++;
    if (found != times)
        fail_msg("%s occurs %u times, not %u, in\n%.3000s", part, found, times, text);
}
