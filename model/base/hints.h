/*
 * What to do next, said to a person, where an agent has other means than commands and the keys of the explorer: these
 * are what mcp/remedy.c says otherwise. Any other that names a command of stemma needs no name here.
 */
#ifndef STEMMA_HINTS_H
#define STEMMA_HINTS_H

#define REMEDY_CHAINS    "stemma list chain lists them."
#define REMEDY_SHOW      "stemma show " /* and the ref, and what it shows */
#define REMEDY_NAMED     "Its lineage tells who names it: stemma show --reverse."
#define REMEDY_UNPROTECT "Unprotect it first."
#define REMEDY_RESTORE   "Restore it first."
#define REMEDY_UNDO      "Undo that to have it again."
#define REMEDY_WRITABLE  "Open it without --read-only, and where you may write."
#define REMEDY_NEWER     "Use the newest stemma to change it."

#endif
