/*
 * Hints for a person that name a command or a key of the explorer. An agent has neither, so
 * store/mcp/tools/service.c replaces these hints by others. A hint that needs no replacement has no
 * name here.
 */
#ifndef STEMMA_HINTS_H
#define STEMMA_HINTS_H

#define HINT_APPROVE    "Approve it, or unlock it to end an approval."
#define HINT_LOCK       "Lock it instead."
#define HINT_RETRACT    "Retract, forget or purge it instead."
#define HINT_QUARANTINE "Quarantine it instead."
#define HINT_REPLACE    "Replace it by a better statement instead."
#define HINT_PENDING    "Approve it first."
#define HINT_ENTRY      "putMemory and deleteMemory (set namespaces) change entries: call them by name."
#define HINT_CHAINS     "stemma list chain lists them."
#define HINT_SHOW       "stemma show " /* followed by the ref and what it shows */
#define HINT_NAMED      "Its lineage tells who names it: stemma show --reverse."
#define HINT_UNLOCK     "Unlock it first."
#define HINT_RESTORE    "Restore it first."
#define HINT_UNDO       "Undo that to have it again."
#define HINT_WRITABLE   "Open it without --read-only, and where you may write."
#define HINT_NEWER      "Use the newest stemma to change it."

#endif
