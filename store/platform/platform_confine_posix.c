/* A system without a way to confine a process that this program knows. */
#include "store/platform/platform.h"

const char *platform_confine(const struct platform_path *list, size_t count)
{
    (void)list, (void)count;
    return "this system has no Landlock";
}
