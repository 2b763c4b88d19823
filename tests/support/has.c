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
