/* Imports what Claude Code keeps: its memory files with what caused them, and its sessions. */
#include "store/import/transcripts/import_claude.h"

#include <string.h>
#include <sys/stat.h>
#include "store/import/transcripts/memory_files.h"

#define DEPTH 8 /* folders below the source: projects/SLUG/SESSION/subagents */

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), own = strlen(end);
    return len > own && strcmp(text + len - own, end) == 0;
}

/* SESSION.jsonl, or SESSION/subagents/agent-ID.jsonl. Other files of JSON lines, such as history.jsonl, are none. */
static bool is_transcript(const struct folder_entry *entry, struct arena *arena,
                          const char **session, bool *is_agent)
{
    const char *name = strrchr(entry->path, '/') + 1, *dir = strstr(entry->path, "/subagents/");
    *is_agent = dir && strncmp(name, "agent-", 6) == 0;
    if (!ends_with(name, ".jsonl"))
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

static const struct dialect claude = {.name = "claude",
                                      .agent = "claude-code",
                                      .scan = scan_claude_line,
                                      .parts = claude_parts,
                                      .has_ids = true,
                                      .is_transcript = is_transcript};

static const struct import_source source = {
    .name = "claude",
    .actor = "import claude",
    .unlisted_not = KIND_BIT(KIND_RAW) | KIND_BIT(KIND_EPISODE) | KIND_BIT(KIND_ATTRIBUTION),
};

static int take_all(struct transcripts *t, const struct folder *folder, struct import_run *run,
                    struct error *e)
{
    if (claude_memories_take(t, folder, run, e))
        return -1;
    for (size_t i = 0; i < t->count; i++)
        if (transcript_take(t, &t->file[i], run, e) ||
            import_run_progress(run, t->done, t->total, e))
            return -1;
    return 0;
}

static void report(void *arg, const char *line)
{
    const struct import_options *options = arg;
    if (options->report)
        options->report(options->arg, line);
}

/* A single transcript is a folder with one file. */
static int list(struct folder *f, const char *path, const struct import_options *options,
                struct error *e)
{
    struct stat st;
    f->report = report;
    f->arg = (void *)options;
    if (stat(path, &st) || S_ISDIR(st.st_mode))
        return folder_read(f, path, DEPTH, e);
    return folder_read_file(f, path, e);
}

static int run_claude(struct store *s, const char *path, const struct import_options *options,
                      struct import_summary *summary, struct error *e)
{
    struct folder folder = {.entry = NULL};
    struct transcripts t = {.dialect = &claude, .store = s, .options = options, .summary = summary};
    struct import_run *run = NULL;
    int result = list(&folder, path, options, e) || transcripts_find(&t, &folder, e) ||
                         transcripts_read(&t, e) || windows_find(&t, e)
                     ? -1
                     : 0;
    if (result == 0)
        result = (run = import_run_open(s, &source, path, options, summary, e)) ? 0 : -1;
    if (result == 0) {
        int failed = take_all(&t, &folder, run, e);
        result = import_run_close(run, failed != 0, e) || failed ? -1 : 0;
    }
    if (result == 0 && !options->dry_run)
        result = transcripts_save(&t, e);
    transcripts_release(&t);
    folder_release(&folder);
    return result;
}

const struct import_format claude_format = {
    .name = "claude",
    .title = "what Claude Code keeps: memory files and transcripts",
    .about = "PATH is ~/.claude, a folder of a project in it, or a transcript",
    .agent = "the agent of the memories (default: claude-code)",
    .agent_is_filter = true,
    .file = "json:parentUuid json:sessionId",
    .folder =
        "json:parentUuid json:sessionId|file:projects file:MEMORY.md|file:memory file:MEMORY.md"
        "|file:projects file:settings.json",
    .places = "$CLAUDE_CONFIG_DIR|~/.claude",
    .run = run_claude,
};
