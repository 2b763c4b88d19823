/*
 * Imports what Codex keeps: its rollouts, and the memories that it makes of them in the background. Each step of that
 * names what it is made of: MEMORY.md of raw_memories.md, that of rollout_summaries/NAME.md, and a summary of the
 * rollout whose id it has in its name or its head. So a memory leads to the words of the persons in those sessions.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "store/import/transcripts/transcripts.h"

#define HEAD_BYTES 4096 /* of a summary, in which the id of its session stands */
#define SUMMARIES  "rollout_summaries/"

/* sessions/2026/08/29/rollout-TIME-UUID.jsonl, or .jsonl.zst */
static bool is_transcript(const struct folder_entry *entry, struct arena *arena,
                          const char **session, bool *is_agent)
{
    const char *name = strrchr(entry->path, '/') + 1;
    size_t end = text_ends_with(name, ".jsonl.zst") ? 10 : 6, len = strlen(name);
    *is_agent = false;
    if (strncmp(name, "rollout-", 8) != 0 || len < 8 + UUID_LEN + end ||
        !(text_ends_with(name, ".jsonl") || end == 10))
        return false;
    *session = arena_strndup(arena, name + len - end - UUID_LEN, UUID_LEN);
    return ref_is_uuid_prefix(*session, UUID_LEN);
}

/* ---- memories ---- */

struct summary {
    const char *name;    /* "rollout_summaries/x.md" */
    const char *session; /* NULL if it is not known */
};

struct codex_memories {
    struct transcripts *t;
    struct import_run *run;
    const struct folder *folder;
    struct key_index names;  /* of the files: "MEMORY.md" */
    struct summary *summary; /* those that were passed */
    size_t summary_count, summary_alloc;
};

/* The part of its path in ~/.codex/memories: "rollout_summaries/x.md"; NULL for other files. */
static const char *name_of(const struct folder_entry *entry)
{
    const char *at = strstr(entry->path, "/memories/");
    return !entry->is_folder && at && text_ends_with(at, ".md") ? at + 10 : NULL;
}

static bool is_summary_name(const char *name)
{
    return strncmp(name, SUMMARIES, strlen(SUMMARIES)) == 0;
}

static const char *id_of(struct arena *arena, const char *name)
{
    return import_make_id(arena, "codex", "memory", name, (const char *)NULL);
}

/* The next UUID in the text that is a session of a rollout which is there, or of one that was; NULL at the end. */
static const char *next_session(const struct transcripts *t, const char *at, const char *end)
{
    for (; at + UUID_LEN <= end; at++) {
        size_t known = at[8] == '-' ? key_index_find(&t->sessions, at, UUID_LEN) : ROW_NONE;
        if (known != ROW_NONE)
            return t->file[t->session_file[known]].session;
    }
    return NULL;
}

static const char *session_of(const struct transcripts *t, const char *name,
                              const struct strbuf *text)
{
    size_t head = text->len < HEAD_BYTES ? text->len : HEAD_BYTES;
    const char *id = next_session(t, name, name + strlen(name));
    return id ? id : next_session(t, text->buf, text->buf + head);
}

/* A session and what persons said in it. */
static int put_session(struct builder *b, struct codex_memories *c, const char *session,
                       struct arena *arena, struct error *e)
{
    struct transcript_file *f = transcript_of_session(c->t, session);
    build_source(b, arena_format(arena, "episode:%s", session));
    if (!f || transcript_load(c->t, f, e))
        return f ? -1 : 0;
    for (size_t i = 0; i < f->count; i++)
        if ((f->line[i].flags & LINE_PERSON) && line_id_is_set(f->line[i].id)) {
            f->line[i].is_taken = true;
            build_source(b, memory_ref_of_line(arena, &f->line[i]));
        }
    return 0;
}

/* The summaries of the sessions that the text names, or those whose file it names. */
static void put_summaries(struct builder *b, const struct codex_memories *c,
                          const struct strbuf *text, struct arena *arena)
{
    for (size_t i = 0; i < c->summary_count; i++) {
        const struct summary *s = &c->summary[i];
        if (strstr(text->buf, s->name + strlen(SUMMARIES)) ||
            (s->session && strstr(text->buf, s->session)))
            build_source(b, arena_format(arena, "note:%s", id_of(arena, s->name)));
    }
}

/* The file that another one is made of; NULL if it is made of summaries or of a rollout. */
static const char *made_of(const char *name)
{
    return strcmp(name, "MEMORY.md") == 0           ? "raw_memories.md"
           : strcmp(name, "memory_summary.md") == 0 ? "MEMORY.md"
                                                    : NULL;
}

static int put_justification(struct builder *b, struct codex_memories *c, const char *name,
                             const struct strbuf *text, int64_t at, struct arena *arena,
                             struct error *e)
{
    const char *of = made_of(name);
    bool is_summary = is_summary_name(name);
    const char *session = is_summary ? session_of(c->t, name, text) : NULL;
    build_group(b, &(struct build_group){.role = "derived_from", .reading = "all", .at = at});
    if (of && key_index_find(&c->names, of, strlen(of)) != ROW_NONE)
        build_source(b, arena_format(arena, "note:%s", id_of(arena, of)));
    if (is_summary)
        *ARRAY_ADD(c->summary, c->summary_count, c->summary_alloc) =
            (struct summary){name, session};
    if (!of && !is_summary)
        put_summaries(b, c, text, arena);
    return session ? put_session(b, c, session, arena, e) : 0;
}

static int take_file(struct codex_memories *c, const struct folder_entry *entry, const char *name,
                     struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct markdown m;
    if (!memory_file_read(c->t, entry, &text) || !text.len)
        return 0;
    markdown_read(&m, &arena, text.buf, text.len);
    struct builder b =
        memory_file_begin(c->t, entry,
                          (struct build_head){.kind = name ? "note" : "belief",
                                              .id = id_of(&arena, name ? name : entry->path),
                                              .text = utf8_repaired(&arena, m.body, m.body_len),
                                              .source_type = name ? "consolidation" : "seed",
                                              .created_at = entry->written});
    memory_file_tokens(build_detail(&b), text.len);
    if (name && put_justification(&b, c, name, &text, entry->written, &arena, e))
        return -1;
    return build_take(&b, c->run, 0, e);
}

/* Passes the summaries, or all other files. */
static int take_files(struct codex_memories *c, bool summaries, struct error *e)
{
    for (size_t i = 0; i < c->folder->count; i++) {
        const struct folder_entry *entry = &c->folder->entry[i];
        bool is_rule = !entry->is_folder && strcmp(entry->name, "AGENTS.md") == 0;
        const char *name = is_rule ? NULL : name_of(entry);
        bool is_summary = name && is_summary_name(name);
        if ((name || is_rule) && is_summary == summaries && take_file(c, entry, name, e))
            return -1;
    }
    return 0;
}

/* Summaries first: other files name them. */
static int codex_memories_take(struct transcripts *t, const struct folder *folder,
                               struct import_run *run, struct error *e)
{
    struct codex_memories c = {.t = t, .run = run, .folder = folder};
    for (size_t i = 0; i < folder->count; i++) {
        const char *name = name_of(&folder->entry[i]);
        if (name)
            key_index_add(&c.names, name, strlen(name));
    }
    int result = take_files(&c, true, e) || take_files(&c, false, e) ? -1 : 0;
    key_index_release(&c.names);
    free(c.summary);
    return result;
}

static const struct dialect codex = {
    .agent = "codex",
    .scan = scan_codex_line,
    .parts = codex_parts,
    .mark = "\"type\":\"session_meta\"",
    .session_key = "\"id\":\"",
    .is_transcript = is_transcript,
    .take_memories = codex_memories_take,
};

const struct import_format codex_format = {
    .name = "codex",
    .title = "what Codex keeps: memories and rollouts",
    .about = "PATH is ~/.codex, a folder in it, or a rollout",
    .agent = "the agent of the memories (default: codex)",
    .file = "json:type=session_meta json:payload",
    .folder = "json:type=session_meta json:payload|file:memories file:rollout_summaries"
              "|file:sessions file:config.toml",
    .places = "$CODEX_HOME|~/.codex",
    .unlisted_not = TRANSCRIPT_KINDS,
    .transcripts = &codex,
    .run = transcripts_import,
};
