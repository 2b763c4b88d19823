/* Imports what Claude Code keeps: its memory files with what caused them, and its sessions. */
#include <string.h>
#include "model/base/clock.h"
#include "store/import/transcripts/transcripts.h"
#include "store/import/write_back.h"

/* ---- writing decisions back ---- */

/* Into the memory files: the body of a file becomes the text, its `modified`
 * the time, and a file that goes takes its line of MEMORY.md with it. What people wrote, and the index itself, stay. */

/* The time of the frontmatter, which newer versions write. */
static void write_modified(struct write_back *w, struct write_file *f)
{
    char now[40];
    size_t len;
    const char *text = write_back_text(f, &len), *end, *at;
    struct markdown m;
    markdown_read(&m, w->arena, text, len);
    if (!markdown_field(&m, "modified") && !markdown_field(&m, "metadata.modified"))
        return;
    at = memmem(text, (size_t)(m.body - text), "modified: ", 10);
    end = at ? memchr(at, '\n', (size_t)(m.body - at)) : NULL;
    if (!end || (at[-1] != '\n' && at[-1] != ' '))
        return;
    clock_format_iso(now, sizeof(now), w->now);
    write_back_splice(w, f, (size_t)(at + 10 - text), (size_t)(end - text), now);
}

/* Removes the lines of the index that link to the file. */
static void write_index(struct write_back *w, struct decision *d, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    const char *index = arena_format(w->arena, "%.*s" INDEX_NAME, (int)(name - path), path);
    struct error none;
    struct write_file *f = write_back_read(w, index, &none);
    const char *link = arena_format(w->arena, "](%s)", name),
               *other = arena_format(w->arena, "](./%s)", name);
    size_t len;
    if (!f) /* a folder without an index */
        return;
    for (const char *text = write_back_text(f, &len), *line = text, *next; line < text + len;
         line = next) {
        next = memchr(line, '\n', (size_t)(text + len - line));
        next = next ? next + 1 : text + len;
        const char *own = arena_strndup(w->arena, line, (size_t)(next - line));
        if (!strstr(own, link) && !strstr(own, other))
            continue;
        write_back_change(w, d, INDEX_NAME, arena_strndup(w->arena, own, strcspn(own, "\n")), NULL);
        size_t from = (size_t)(line - text);
        write_back_splice(w, f, from, from + strlen(own), "");
        text = write_back_text(f, &len);
        next = text + from;
    }
}

static int write_memory(struct write_back *w, struct decision *d, const char *path, const char *key,
                        struct error *e)
{
    struct write_file *f = write_back_read(w, path, e);
    if (!f)
        return -1;
    if (d->will)
        write_back_left(w, d, false);
    if (markdown_write(w, d, f, key))
        d->will ? write_modified(w, f) : write_index(w, d, path);
    return 0;
}

/* The decision about the memory of a file, which is a belief or a note; NULL if there is none. */
static struct decision *decision_about(struct write_back *w, const char *id)
{
    static const enum kind kinds[] = {KIND_BELIEF, KIND_NOTE};
    struct decision *d = NULL;
    for (size_t i = 0; i < 2 && !d; i++)
        d = write_back_find(w, import_names_find(w->names, (struct ref){kinds[i], id}));
    return d;
}

static int write_entry(struct write_back *w, const struct folder *folder,
                       const struct folder_entry *entry, struct error *e)
{
    const char *key = memory_entry_key(folder, entry), *name = strrchr(entry->path, '/') + 1;
    const char *id = claude_memory_id(w->arena, key ? key : entry->path);
    struct decision *d = entry->is_folder ? NULL : decision_about(w, id);
    if (!d)
        return 0;
    if (key && strcmp(name, INDEX_NAME) != 0)
        return write_memory(w, d, entry->path, key, e);
    write_back_cannot(w, d,
                      key ? "the index follows from its files"
                          : "a person wrote that file; edit it by hand");
    return 0;
}

/* What was decided about a memory of a transcript. */
static void list_transcripts(struct write_back *w)
{
    for (size_t i = 0; i < w->count; i++) {
        struct decision *d = &w->decision[i];
        enum kind kind = d->now->ref.kind;
        if (d->met || !d->who || kind == KIND_BELIEF || kind == KIND_NOTE)
            continue;
        d->met = true;
        write_back_cannot(w, d, "%s; a transcript stays as it is", d->verb);
    }
}

static int plan(struct write_back *w, struct error *e)
{
    struct folder folder = {.report = NULL};
    struct stat st;
    bool is_file = stat(w->path, &st) == 0 && S_ISREG(st.st_mode);
    int result = is_file ? folder_read_file(&folder, w->path, e)
                         : folder_read(&folder, w->path, TRANSCRIPT_DEPTH, e);
    for (size_t i = 0; i < folder.count && result == 0; i++)
        result = write_entry(w, &folder, &folder.entry[i], e);
    folder_release(&folder);
    list_transcripts(w);
    return result;
}

static const struct write_back_rules claude_write_back = {.plan = plan};

/* ---- importing ---- */

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
