/*
 * The transcripts of an agent: files of JSON lines that a program appends to while the agent works. Their texts stay
 * where they are: the store keeps where each line is (source_line), and memories only of what led to a written memory
 * file. Only for store/import/transcripts.  A run: transcripts_find, transcripts_read, then windows_find; the memories
 * are written in between; at last transcripts_save, so that an import that was interrupted begins again.
 */
#ifndef STEMMA_TRANSCRIPTS_H
#define STEMMA_TRANSCRIPTS_H

#include <sys/types.h>
#include "model/base/arena.h"
#include "model/base/map.h"
#include "store/db/store.h"
#include "store/import/builder.h"
#include "store/import/folder.h"
#include "store/import/import_run.h"
#include "store/import/transcripts/scan.h"
#include "store/import/markdown/markdown.h"

#define TRANSCRIPT_DEPTH    8 /* folders below the source: projects/SLUG/SESSION/subagents */
#define TRANSCRIPT_LINE_MAX (64u << 20) /* bytes; a longer line is known by its place only */
#define TRANSCRIPT_TEXT     500         /* characters of a text that the store keeps */
#define UUID_LEN            36          /* bytes of the id of a session or a line */
#define LINE_ID             16          /* bytes */

/* The bytes of a transcript: a file, or one that is compressed with zstd; offsets are those of what it contains. */
struct transcript_source {
    int fd;
    struct transcript_zstd *zstd; /* NULL if it is not compressed */
    int64_t at;                   /* offset of the next byte */
};

/* Opens a regular file for reading, not a link to one. Returns -1 with errno. */
int transcript_source_open(struct transcript_source *s, const char *path);
/* Moves to an offset; a compressed file is read from its beginning to go back. Returns -1 with errno. */
int transcript_source_seek(struct transcript_source *s, int64_t offset);
/* At most `len` bytes; 0 at the end. A compressed file that is cut ends where it is cut. Returns -1 with errno. */
ssize_t transcript_source_read(struct transcript_source *s, char *out, size_t len);
void transcript_source_close(struct transcript_source *s);

/* The beginning of what an archive of zstd contains, at most `most` bytes, from the beginning of the archive. Returns
 * its length; 0 if the bytes begin no archive. */
size_t transcript_decompress(const char *bytes, size_t len, char *out, size_t most);

enum line_flag {
    LINE_PERSON = 1, /* a person's words */
    LINE_RESULT = 2, /* results of tools */
    LINE_TEXT = 4,   /* a text of the agent's, or a tool call */
    LINE_SIDE = 8,   /* of a subagent */
    LINE_THOUGHT = 16,
};

/* `id`: a UUID; of another id, the first bytes of its SHA-256; all 0 if there is none. */
struct transcript_line {
    uint8_t id[LINE_ID], parent[LINE_ID];
    int64_t offset, length; /* bytes, without the line feed */
    uint64_t hash;          /* scan_hash of these bytes; 0 for SCAN_LONG */
    int64_t at;             /* ms; 0 if unknown */
    uint32_t before;        /* 1 + the line whose words it follows, if it is taken; 0 if none */
    uint32_t number;        /* in its file, from 1; 0 if it was not read now */
    uint8_t type, flags;    /* enum scan_type, enum line_flag */
    bool is_taken;          /* it becomes a memory */
};

enum touch_kind {
    TOUCH_READ = 0,
    TOUCH_WRITE,
    TOUCH_FAILED, /* a write that the tool refused */
    TOUCH_AGENT,  /* the result of a subagent: `path` is its id */
    TOUCH_KINDS
};

/* A tool call that opens or writes a memory file, or the result of a subagent, which may. */
struct transcript_touch {
    int64_t offset; /* of its line */
    size_t line;    /* of its file, once its lines are there */
    enum touch_kind kind;
    const char *path; /* as the agent gave it */
    const char *tool; /* "Write", "Edit", … */
    const char *call; /* the id of the call */
    bool is_new;      /* read just now */
    /* found by windows_find */
    struct transcript_file *cause_file;
    size_t cause;    /* the line with the person's words; LINE_NONE */
    bool is_guessed; /* by its time only: the transcript does not say what began the subagent */
    size_t *result; /* lines with results in between that no earlier write of the memory file has */
    size_t result_count, result_alloc;
};
#define LINE_NONE SIZE_MAX

/* What a session used, in the order in which `about` keeps it. */
enum usage {
    USAGE_INPUT = 0,
    USAGE_OUTPUT,
    USAGE_CACHE_CREATION,
    USAGE_CACHE_READ,
    USAGE_TOKENS,
    USAGE_RESPONSES = USAGE_TOKENS,
    USAGE_COUNT
};
extern const char *const usage_names[USAGE_TOKENS]; /* "input_tokens" */

struct transcript_file {
    const char *path;    /* absolute */
    const char *session; /* its session's id */
    bool is_agent;       /* of a subagent of that session */
    int64_t size, written;
    int64_t row; /* in source_file; 0 if new */
    int64_t read_to, line_number;
    bool is_changed;   /* must be read */
    bool is_restarted; /* from its beginning: `row` is kept for what was read before */
    bool is_read;      /* was read now, or its lines were loaded */
    struct transcript_line *line;
    size_t count, alloc;
    size_t fresh; /* the first line that was read now */
    struct transcript_touch *touch;
    size_t touch_count, touch_alloc;
    /* said by its lines; empty if nothing did */
    const char *cwd, *branch, *version, *model, *last_message;
    int64_t usage[USAGE_COUNT];
};

struct transcripts;

/* How the transcripts of a program look. */
struct dialect {
    const char *agent; /* "claude-code" */
    scan_line_fn *scan;
    line_parts_fn *parts;
    bool
        memories_first; /* if there is much to read: without what transcripts say, then again with it */
    bool has_ids;       /* lines have ids and parents; otherwise each follows the one before */
    const char *mark,
        *session_key; /* in the first lines of each transcript, and before its session's id */
    bool (*is_transcript)(const struct folder_entry *entry, struct arena *arena,
                          const char **session, bool *is_agent);
    /* Passes its memory files to the run. May mark more lines as taken. */
    int (*take_memories)(struct transcripts *t, const struct folder *folder, struct import_run *run,
                         struct error *e);
};
/* Made of transcripts, which are not read again. */
#define TRANSCRIPT_KINDS (KIND_BIT(KIND_RAW) | KIND_BIT(KIND_EPISODE) | KIND_BIT(KIND_ATTRIBUTION))

/* The run of a format. */
import_fn transcripts_import;

struct transcripts {
    const char *format; /* its name */
    const struct dialect *dialect;
    struct store *store;
    const struct import_options *options;
    struct import_summary *summary;
    struct arena arena;
    struct strbuf json;           /* of the memory at hand */
    struct transcript_file *file; /* newest first */
    size_t count, alloc;
    struct transcript_file *replaced; /* as they were before: files that are restarted now */
    size_t replaced_count, replaced_alloc;
    struct key_index repeats;  /* ids of lines of replaced files: what they say was counted */
    struct key_index messages; /* whose usage was counted */
    struct key_index failed;   /* ids of the tool calls that failed, of the file that is read */
    struct key_index sessions; /* that have a file of their own */
    size_t *session_file;      /* its number */
    struct scanned scanned;    /* the line that is read */
    struct key_index
        taken; /* ids of lines that became memories: a session that was resumed repeats those before it */
    int64_t done, total; /* bytes */
    bool
        is_early; /* no transcript was read yet: memories pass without what they say, and are passed again */
    struct transcript_source source; /* of the file whose lines were read last */
    const struct transcript_file *source_of;
    int64_t *
        gone; /* rows of source_file whose file is no longer there, and was when it was last looked for */
    size_t gone_count, gone_alloc;
};

/* Whose memories they are. */
const char *transcript_agent(const struct transcripts *t);
/* Reports "PATH: what", or "PATH line N: what" if N is not 0, and counts it as not understood if `counts`. */
void transcript_report(struct transcripts *t, const char *path, int64_t line, bool counts,
                       const char *what, ...) __attribute__((format(printf, 5, 6)));

/* Lists the transcripts among the entries and what the store knows of them. */
int transcripts_find(struct transcripts *t, const struct folder *folder, struct error *e);
/* Reads what is new in them, and loads the lines of those in which memory files are written. Faults are reported. */
int transcripts_read(struct transcripts *t, struct error *e);
/* Loads the lines of a file that was not read, if they are not there yet. */
int transcript_load(struct transcripts *t, struct transcript_file *f, struct error *e);
/* Is `old` an earlier state of the file, kept when it was shortened or replaced? */
bool transcript_is_earlier(const struct transcript_file *old, const struct transcript_file *f);
bool transcript_was_replaced(const struct transcript_file *f);
/* Writes the places of the new lines, in transactions of several files. */
int transcripts_save(struct transcripts *t, struct error *e);
void transcripts_release(struct transcripts *t);

/* What caused each write of a memory file; marks the lines in between as taken. */
int windows_find(struct transcripts *t, struct error *e);

/* The memory of kind raw that a line becomes, or attribution if it has results: "raw:UUID", in the arena. */
const char *memory_ref_of_line(struct arena *arena, const struct transcript_line *line);
/* The file of a session itself; NULL if there is none. */
struct transcript_file *transcript_of_session(struct transcripts *t, const char *session);

/* Passes the memories of a file's new lines to the run: its session, and what led to a written memory file. */
int transcript_take(struct transcripts *t, struct transcript_file *f, struct import_run *run,
                    struct error *e);

/* The bytes of a line of the file and its parts, in the arena. Returns their number; 0, which is reported, if the line
 * cannot be read. */
size_t transcript_parts(struct transcripts *t, const struct transcript_file *f, size_t line,
                        struct arena *arena, struct part **out);
/* The text of a part, valid UTF-8, in the arena; of blocks, their texts one below the other. */
const char *part_text(struct arena *arena, const struct part *part);
/* The texts of the parts, or of the results among them; of a line without either its tool calls. */
const char *parts_text(struct arena *arena, const struct part *parts, size_t count,
                       bool of_results);
const char *calls_text(struct arena *arena, const struct part *parts, size_t count);
/* Where a tool got its result from: a file, an address, or the tool itself. */
const char *call_uri(struct arena *arena, const struct part *call);

/* The bytes of a line, in the arena. ptr is NULL if they cannot be read or are others now; *why says so, and is NULL
 * else. */
struct json_slice transcript_source_line(struct transcript_source *in,
                                         const struct transcript_line *line, struct arena *arena,
                                         const char **why);

/* ---- lines of the index ---- */

/* Where a line of the store's index is. */
struct line_place {
    const char *path;     /* of the transcript; in the arena */
    line_parts_fn *parts; /* how its lines are taken apart; NULL if that is not known */
    int64_t file;         /* its row in source_file */
    struct transcript_line line;
};
/* Finds the line of a raw entry or an attribution, or the first words of a session. Returns 1, 0 if no transcript has
 * it, -1 with `e`. */
int line_place_find(struct reader *r, struct ref ref, struct arena *arena, struct line_place *out,
                    struct error *e);
/* The columns of a line, and the line of such a row. */
#define LINE_COLUMNS "l.offset, l.length, l.hash, l.type, l.flags, l.id, l.parent, l.at"
struct transcript_line line_of_row(sqlite3_stmt *stmt);
/* The parts of the line, read from its file into the arena. Returns their number; 0 with *why if the line cannot be
 * read or is another one now. */
size_t line_place_parts(const struct line_place *place, const struct transcript_line *line,
                        struct arena *arena, struct part **out, const char **why);

/* Sets the bytes of the id of a line. `id` is without quotes; NULL clears them. */
void line_id_set(uint8_t out[LINE_ID], const char *id, size_t len);
bool line_id_is_set(const uint8_t id[LINE_ID]);
/* The id as a UUID, in the arena. */
const char *line_id_text(struct arena *arena, const uint8_t id[LINE_ID]);

extern const struct import_format claude_format, codex_format;

/* The memories that an agent writes as files of markdown, and what its transcripts tell of them. Only for
 * store/import/transcripts. */
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
