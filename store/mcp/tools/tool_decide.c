/* The tools that decide about a memory as it is: an agent has them only where the configuration says so. */
#include "store/mcp/tools/tools.h"

static const struct field arguments[] = {REF_FIELD, REASON_FIELD, FIELD_END};

#define DECIDES(name_, operation_, title_, idempotent_, description_)                              \
    static int write_##name_(struct mcp_call *call, struct txn *t, struct error *e)                \
    {                                                                                              \
        return deed_whole(call, t, operation_, e);                                                 \
    }                                                                                              \
    const struct mcp_tool tool_memory_##name_ = {                                                  \
        .name = "memory_" #name_,                                                                  \
        .title = title_,                                                                           \
        .description = description_,                                                               \
        .arguments = arguments,                                                                    \
        .answer = changed_fields,                                                                  \
        .hints = HINT_DESTRUCTIVE | (idempotent_),                                                 \
        .work = WORK_WRITE,                                                                        \
        .by_leave = true,                                                                          \
        .write = write_##name_,                                                                    \
    }

DECIDES(
    verify, OPERATION_VERIFY, "Verify a memory", 0,
    "Says that a memory was looked into and holds: its confidence rises by 0.1, to 1 at most, "
    "with an entry in its history. Use it after you checked the memory against its source "
    "itself, not because another memory says the same (that is memory_reinforce). Say in `reason` "
    "what you checked.\n"
    "Calling it again raises it again. What a person protected, verified, retracted or "
    "quarantined is refused: PERMISSION_DENIED.\n"
    "Example: {\"ref\": \"belief:54c5507f\", \"reason\": \"read the CI log again\"}.");

DECIDES(
    retract, OPERATION_RETRACT, "Retract a memory", HINT_IDEMPOTENT,
    "Says that a memory is wrong. Its text and lineage stay, but nothing stands on it any more: "
    "what rests on it alone falls (label ungrounded), what has other justifications is "
    "weakened. Call memory_whatif first: it lists both. memory_restore takes it back.\n"
    "For a belief that has become more precise use memory_supersede. One that is retracted "
    "already is left as it is, as `left` says. What a person protected, verified, retracted or "
    "quarantined is refused: PERMISSION_DENIED.\n"
    "Example: {\"ref\": \"raw:79d086c7\", \"reason\": \"the log was of another host\"}.");

DECIDES(
    restore, OPERATION_RESTORE, "Restore a memory", HINT_IDEMPOTENT,
    "Takes a memory back that was retracted, forgotten or deleted: it is active again, or "
    "superseded where another belief superseded it, and what rests on it stands again. What was "
    "purged cannot come back, and what a person retracted only a person restores "
    "(PERMISSION_DENIED).\n"
    "Example: {\"ref\": \"raw:79d086c7\", \"reason\": \"it was the right host after all\"}.");

DECIDES(forget, OPERATION_FORGET, "Forget a memory", HINT_IDEMPOTENT,
        "Takes a memory out of lists and searches and keeps the skeleton of its lineage; nothing "
        "stands on it any more, and what rests on it is marked for review. Use it for what should "
        "no longer be recalled; what is wrong is retracted (memory_retract), so that others learn "
        "that it is. Call memory_whatif first to see what falls. A protected memory is refused: "
        "PERMISSION_DENIED. memory_restore takes it back.\n"
        "Example: {\"ref\": \"episode:65f767ba\", \"reason\": \"asked to\"}.");

DECIDES(protect, OPERATION_PROTECT, "Protect a memory", HINT_IDEMPOTENT,
        "Keeps a memory from being changed by any agent, you included, and from being forgotten by "
        "anybody. Only a person takes that back. Use it for what must stay as it is: a rule of the "
        "house, a commitment. One that is protected already is left as it is.\n"
        "Example: {\"ref\": \"value:a7a5c395\", \"reason\": \"agreed with Claire\"}.");
