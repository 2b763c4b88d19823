#include "model/memory/display_name.h"

#include <stddef.h>
#include <string.h>

struct name_pair {
    const char *name, *display;
};

/* Kinds, statuses and operations: stored under these names. */
static const struct name_pair stored[] = {
    {"raw", "raw entry"},
    {"superseded", "replaced"},
    {"process", "promote"},
    {"supersede", "replace"},
    {"verify", "approve"},
    {"protect", "lock"},
    {"unprotect", "unlock"},
    {"protected", "locked"},
    {"propagate", "cap-confidence"},
    {"fix-provenance", "repair-origins"},
    {"mark", "flag"},
    {"unmark", "unflag"},
};

/* Labels, styles in themes, and actions of the explorer had these names: only accepted as input. */
static const struct name_pair former[] = {
    {"grounded", "supported"},
    {"ungrounded", "unsupported"},
    {"gone", "ended"},
    {"falls", "loses_support"},
    {"mark-as", "flag"},
    {"mark", "select"},
    {"mark-range", "select-range"},
    {"mark-invert", "select-invert"},
    {"unmark-all", "unselect-all"},
    {"rests-on", "based-on"},
    {"carries", "used-by"},
    {"expand-carried", "expand-used-by"},
    {"gone", "removed"},
    {"shade", "highlight"},
    {"act", "change"},
    {"keep-place", "set-bookmark"},
    {"go-to-place", "go-to-bookmark"},
};

const char *display_name(const char *name)
{
    for (size_t i = 0; name && i < sizeof(stored) / sizeof(stored[0]); i++)
        if (strcmp(stored[i].name, name) == 0)
            return stored[i].display;
    return name;
}

static bool has_pair(const struct name_pair *pairs, size_t count, const char *name,
                     const char *display)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pairs[i].name, name) == 0 && strcmp(pairs[i].display, display) == 0)
            return true;
    return false;
}

bool is_display_name(const char *typed, const char *display)
{
    return strcmp(typed, display) == 0 ||
           has_pair(stored, sizeof(stored) / sizeof(stored[0]), typed, display) ||
           has_pair(former, sizeof(former) / sizeof(former[0]), typed, display);
}
