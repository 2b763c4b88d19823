#include "store/mcp/tools/remedy.h"

#include <stdio.h>
#include <string.h>
#include "store/ops/remedy.h"

#define PERSON "the person who reviews this memory"

/* What a person's begins with, and what it is for an agent; `leave`: where the configuration lets agents do it. */
static const struct {
    const char *begins, *instead, *leave;
} remedies[] = {
    {REMEDY_CHAINS, "memory_list of the kind chain lists them.", NULL},
    {REMEDY_SHOW, "memory_get tells what it rests on.", NULL},
    {REMEDY_NAMED, "memory_lineage with the direction descendants tells who names it.", NULL},
    {REMEDY_UNPROTECT, "Ask " PERSON ": only they can unprotect it.", NULL},
    {REMEDY_RESTORE, "Ask " PERSON " to restore it.", "Restore it first, with memory_restore."},
    {REMEDY_UNDO, "Ask " PERSON " to take that back.", NULL},
    {REMEDY_WRITABLE, "Ask " PERSON " to open it for writing.", NULL},
    {REMEDY_NEWER, "Ask " PERSON " to use the newest stemma.", NULL},
};

static void say(struct error *e, const char *todo)
{
    snprintf(e->todo, sizeof(e->todo), "%s", todo);
    e->todo_quotes = false;
}

void remedy_for_agent(struct error *e, bool leave)
{
    for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
        if (strncmp(e->todo, remedies[i].begins, strlen(remedies[i].begins)) == 0) {
            say(e, leave && remedies[i].leave ? remedies[i].leave : remedies[i].instead);
            return;
        }
    if (strstr(e->todo, "stemma "))
        say(e, "Tell " PERSON ".");
}
