/* The memories that an agent writes as files of markdown, and what its transcripts tell of them. Only for
 * store/import/transcripts. */
#ifndef STEMMA_MEMORY_FILES_H
#define STEMMA_MEMORY_FILES_H

#include "store/import/markdown/markdown.h"
#include "store/import/transcripts/transcripts.h"

#define INDEX_NAME      "MEMORY.md"
#define MEMORY_FILE_MAX (16u << 20) /* bytes */

/* Reads a whole file into `out`. A fault is reported, unless `t` is NULL; returns false then. */
bool memory_file_read(struct transcripts *t, const struct folder_entry *entry, struct strbuf *out);

/* Begins the memory of a file: adds the agent, the path, and the file's name if it is empty. Its source type is "seed"
 * if a person wrote it for the agent to follow; agents may not change that one, which is a fact of its own. */
struct builder memory_file_begin(struct transcripts *t, const struct folder_entry *entry,
                                 struct build_head head);
/* How many tokens the file takes, about; and that it says no confidence. */
void memory_file_tokens(struct json_object *detail, size_t bytes);

/* What wrote a memory file, and when. */
struct writing {
    struct transcript_file *file;
    struct transcript_touch *touch;
    int64_t at;
};

/* A memory file at hand. */
struct memory_file {
    const struct folder_entry *entry;
    const char *key;     /* what names it in its program: "SLUG/memory/NAME.md" */
    const char *session; /* in which it was first written, as it says itself; NULL if it does not */
    struct writing *writing; /* writes and reads, by time */
    size_t count;
};

/* "SLUG/memory/NAME.md", the end of a path; "FOLDER/NAME.md" if it stands elsewhere next to a MEMORY.md. NULL if it is
 * none: no markdown, or in a `memory` of a project's own folder without one. */
const char *memory_entry_key(const struct folder *folder, const struct folder_entry *entry);

/* All tool calls that open or write memory files, by the key of the file. */
struct writings {
    struct key_index keys;
    struct writing *list; /* sorted by key, then by time */
    size_t *begin;        /* [keys.count + 1] */
    size_t count, alloc;
};
void writings_find(struct writings *w, struct transcripts *t);
void writings_of(const struct writings *w, const char *key, struct writing **out, size_t *count);
void writings_release(struct writings *w);

/* Adds what wrote the file: justifications and history. `stored` may be NULL: the memory as the store has it, whose
 * history is kept. */
void writings_put(struct builder *b, struct transcripts *t, const struct memory_file *file,
                  const struct memory *stored, struct arena *arena);
/* In how many sessions the file was opened. */
int64_t writings_sessions(const struct memory_file *file);
/* When it was opened last: ms; 0 if never, as far as the transcripts tell. */
int64_t writings_last_opened(const struct memory_file *file);

/* The id of the memory of a file: of its key, or of its path if a person wrote it. */
const char *claude_memory_id(struct arena *arena, const char *key);

/* Passes the memory files of Claude Code to the run, and what people wrote for it. */
int claude_memories_take(struct transcripts *t, const struct folder *folder, struct import_run *run,
                         struct error *e);

#endif
