/* Some names in the journal, in columns and in JSON differ from what people read and type: their display names. */
#ifndef STEMMA_DISPLAY_NAME_H
#define STEMMA_DISPLAY_NAME_H

#include <stdbool.h>

/* What people read for the name of an operation, a status or a kind: "replace" for "supersede". The name itself if it
 * has no other display name; NULL for NULL. */
const char *display_name(const char *name);

/* Is `typed` that display name, or a name that has it? Commands, tools and the explorer accept both. */
bool is_display_name(const char *typed, const char *display);

#endif
