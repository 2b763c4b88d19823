/* Imports what Claude Code keeps: its memory files with what caused them, and its sessions. */
#include <string.h>
#include "store/import/transcripts/memory_files.h"

/* SESSION.jsonl, or SESSION/subagents/agent-ID.jsonl. Other files of JSON lines, such as history.jsonl, are none. */
static bool is_transcript(const struct folder_entry *entry, struct arena *arena,
                          const char **session, bool *is_agent)
{
    const char *name = strrchr(entry->path, '/') + 1, *dir = strstr(entry->path, "/subagents/");
    *is_agent = dir && strncmp(name, "agent-", 6) == 0;
    if (!text_ends_with(name, ".jsonl"))
        return false;
    if (*is_agent) {
        const char *begin = dir;
        while (begin > entry->path && begin[-1] != '/')
            begin--;
        *session = arena_strndup(arena, begin, (size_t)(dir - begin));
        return true;
    }
    *session = arena_strndup(arena, name, strlen(name) - 6);
    return ref_is_uuid_prefix(*session, 36);
}

static const struct dialect claude = {
    .agent = "claude-code",
    .scan = scan_claude_line,
    .parts = claude_parts,
    .memories_first = true,
    .has_ids = true,
    .mark = "\"parentUuid\":",
    .session_key = "\"sessionId\":\"",
    .is_transcript = is_transcript,
    .take_memories = claude_memories_take,
};

const struct import_format claude_format = {
    .name = "claude",
    .title = "what Claude Code keeps: memory files and transcripts",
    .about = "PATH is ~/.claude, a folder of a project in it, a folder with MEMORY.md or "
             ".claude/rules, or a transcript",
    .agent = "the agent of the memories (default: claude-code)",
    .file = "json:parentUuid json:sessionId|md:originSessionId|md:.originSessionId",
    .folder =
        "json:parentUuid json:sessionId|file:projects file:MEMORY.md|file:memory file:MEMORY.md"
        "|file:projects file:history.jsonl"
        "|file:MEMORY.md !file:rollout_summaries !file:raw_memories.md !md:permalink"
        "|file:CLAUDE.md file:.claude file:rules !md:permalink",
    .places = "$CLAUDE_CONFIG_DIR|~/.claude",
    .unlisted_not = TRANSCRIPT_KINDS,
    .transcripts = &claude,
    .run = transcripts_import,
    .write_back = &claude_write_back,
};
