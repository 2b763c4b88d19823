#include "model/memory/display_name.h"

#include <stddef.h>
#include <string.h>

/* display_name takes the first row of a name. */
static const struct {
    const char *name, *display;
} names[] = {
    /* kinds, statuses and operations: stored under these names */
    {"raw", "raw entry"},
    {"superseded", "replaced"},
    {"process", "promote"},
    {"supersede", "replace"},
    {"verify", "approve"},
    {"protect", "lock"},
    {"unprotect", "unlock"},
    {"propagate", "cap-confidence"},
    {"fix-provenance", "repair-origins"},
    {"mark", "flag"},
    {"unmark", "unflag"},
    /* old names of labels, of styles in themes, and of actions of the explorer: only accepted */
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
    {"keep-place", "set-bookmark"},
    {"go-to-place", "go-to-bookmark"},
};

const char *display_name(const char *name)
{
    for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].display;
    return name;
}

bool is_display_name(const char *typed, const char *display)
{
    if (strcmp(typed, display) == 0)
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i].name, typed) == 0 && strcmp(names[i].display, display) == 0)
            return true;
    return false;
}
