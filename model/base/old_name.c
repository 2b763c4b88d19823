#include "model/base/old_name.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *old, *now;
} renamed[] = {
    /* labels, problems and statuses, also the names of their styles in themes */
    {"grounded", "supported"},
    {"ungrounded", "unsupported"},
    {"gone", "ended"},
    {"falls", "loses_support"},
    {"superseded", "replaced"},
    /* commands, and actions of the explorer */
    {"process", "promote"},
    {"supersede", "replace"},
    {"verify", "approve"},
    {"protect", "lock"},
    {"unprotect", "unlock"},
    {"propagate", "cap-confidence"},
    {"fix-provenance", "repair-origins"},
    {"mark", "flag"},
    /* actions of the explorer */
    {"mark-as", "flag"},
    {"unmark", "unflag"},
    {"mark", "select"},
    {"mark-range", "select-range"},
    {"mark-invert", "select-invert"},
    {"unmark-all", "unselect-all"},
    {"rests-on", "based-on"},
    {"carries", "used-by"},
    {"expand-carried", "expand-used-by"},
};

bool is_name(const char *typed, const char *name)
{
    if (strcmp(typed, name) == 0)
        return true;
    for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
        if (strcmp(typed, renamed[i].old) == 0 && strcmp(name, renamed[i].now) == 0)
            return true;
    return false;
}
