/*
 * Importing a file or another store, once or repeatedly.
 *
 * A source that was imported before is recognised by its path or, if it was moved and has grown, by
 * its first memories (struct import_origin). That needs ids that do not depend on the path: a folder of
 * markdown without permalinks that was moved is another source. So is a copy of a source that still
 * exists. An import merges three ways: what the source says now, what it said last time, and what
 * the store has. If only the source changed, its version is taken. If both changed, the store's
 * version stays and the conflict is reported once. Memories from another origin, or written here by
 * a person, are not overwritten unless `replace` is set. Sources are never written to;
 * only store/apply does that, on request.
 *
 * Long imports are written in slices of one transaction each. If an import is stopped or killed,
 * the committed slices stay, and running it again completes it.
 */
#ifndef STEMMA_IMPORT_H
#define STEMMA_IMPORT_H

#include "model/memory/memory.h"
#include "store/txn/writer.h"

struct dialect;
struct import_format;
struct import_options;
struct import_summary;
struct import_watch;
struct record_format;
struct slice;
struct slice_entry;
struct table_map;
struct write_back_rules;

/* As import_source_check and import_source_run. */
typedef int import_check_fn(const struct import_format *format, const char *path, const char *agent,
                            struct import_summary *found, struct error *e);
typedef int import_fn(const struct import_format *format, struct store *s, const char *path,
                      const struct import_options *options, struct import_summary *summary,
                      struct error *e);

/*
 * A format: what people read of it, how a source of it is recognised, how its memories are merged with the store, and
 * its reader. The usage, the help, the errors, `stemma PATH` and the list of stores on this machine follow from these
 * (store/formats/formats.c).
 *
 * `file` and `folder` are patterns of facts about the source's content, as formats.c says: "|" between
 * alternatives, a space between facts of which all must hold. NULL: a source is never recognised that way.
 */
struct import_format {
    const char *name;  /* "claude-mem", as `stemma import` takes it */
    const char *title; /* "a claude-mem database" */
    const char *about; /* more for the help; NULL if there is none */
    const char *agent; /* what options->agent means */
    bool
        agent_is_filter; /* options->agent selects an agent's memories; else it names the owner of those without one */
    bool
        owner_is_person; /* memories without an agent belong to the person who imports; else to the format's name */
    bool
        counts_memories; /* its progress counts memories, notes or rows; else bytes of the source */
    const char *file, *folder;
    const char *counted; /* what people hear of a database: "TABLE:one:many|…"; NULL: its size */
    const char *
        places; /* where its program keeps it, with "|" in between: "~/.x/x.db|$X_HOME/x.db"; NULL if unknown */
    /* Refs are never reused and creation times never change, but everything else may: see struct import_origin. */
    bool known_by_ref;
    bool
        may_be_part; /* what a source lacks was not removed: it may be a part of an export or a log */
    unsigned unlisted_not; /* kinds (KIND_BIT) that are not read again: the source still has them */
    /* For records that are not one memory each: how to write one, how to look it up (VERDICT_SAME or VERDICT_ADD), and
     * how many make a slice. NULL and 0 for memories. */
    int (*write)(struct slice *s, struct txn *t, struct slice_entry *entry, struct error *e);
    int (*find)(struct db *db, const struct import_options *options, int64_t origin,
                struct slice_entry *entry, struct error *e);
    size_t slice_items;
    /* Its reader: one of these three, or the two functions alone, of which `check` may be NULL: 1. */
    const struct record_format *records; /* of lines or JSON values; it has no check and run */
    const struct table_map *tables;
    const struct dialect *transcripts;
    import_check_fn *check;
    import_fn *run;
    const struct write_back_rules
        *write_back; /* store/import/write_back.h; NULL: it cannot be written back */
};

/* options->agent where the person who imports named none. */
static inline const char *import_agent_of(const struct import_format *format, const char *person)
{
    return format->owner_is_person ? person : NULL;
}

/*
 * Checks a source before a store is made for it. Returns 1 if it can be read and is of that format,
 * 0 if it has no memory, -1 with `e`. Returns 1 for standard input and pipes, which can be read only
 * once. `agent` is that of the options; only a format that selects by it checks it. Of *found it fills what the source
 * tells before it is read: source_version, remarks, other_tables.
 */
import_check_fn import_source_check;
/* Imports it, from standard input if the path is "-" and the format has records. What cannot be read is reported and
 * counted in not_understood. The summary counts what was read, also if it returns -1 with `e`. */
import_fn import_source_run;

struct import_options {
    const char *agent; /* kernle: only this agent; jsonl: for lines without one; cot: for all */
    bool replace;      /* overwrite memories of another origin that differ */
    bool dry_run;      /* do everything except writing */
    bool copy;         /* claude, codex: keep whole texts of transcripts, not their beginnings */
    const char *actor; /* the person who asked for the import */
    /*
     * Called with a line for a person: a value that was not understood, a conflict, a ref to
     * nothing. The text may contain control characters. Runs in the caller's thread, like
     * `progress`.
     */
    void (*report)(void *arg, const char *line);
    /* Called regularly, with what the format counts (counts_memories); total is 0 if unknown.
     * A non-zero result stops the import between two slices. */
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
};

struct import_summary {
    bool empty;   /* a format of JSON values: the source has not even an empty list */
    int64_t read; /* memories in the source */
    int64_t added, updated, unchanged;
    int64_t conflicts; /* changed in the source and here: ours stayed */
    int64_t unlisted;  /* memories of the origin that the source no longer has; they are kept */
    int64_t newly_unlisted; /* of these, the ones that it still had at the last import */
    int64_t refused;        /* another origin has it with other content */
    int64_t repeated;       /* repeated in this source with other content: the first one counts */
    int64_t
        taken; /* entries whose name another entry has, here or earlier in this source; steps that were undone
                        * and whose number another step has */
    int64_t not_understood; /* reports about lines, rows and columns that could not be read */
    int64_t by_kind[16];    /* of `read`; KIND_COUNT <= 16 */
    int64_t links;          /* links in the memories read */
    int64_t unresolved;     /* refs among them that match nothing here */
    /* not imported, with their counts: "sync_queue 5, trust_assessments 2" */
    char other_tables[512];
    char source_version[64]; /* of the source's format: "26" */
    char remarks[256]; /* what could not be mapped as it is: "3 kinds of record shown as notes" */
};

extern const struct import_format af_format, cot_format, jsonl_format, prov_format,
    server_memory_format;

/* For --follow: reports whether the source, a file or a folder, changed since the last call or since opening. Open it
 * before the first import, so that no change in between is missed. */
struct import_watch *import_watch_open(const char *path, struct error *e);
int import_watch_fd(
    const struct import_watch *w); /* readable when the source may have changed, or -1 */
/* How long to wait for that at most, in ms: -1 for no limit, or a second if no descriptor was left. */
int import_watch_timeout(const struct import_watch *w);
/* 1 if changed, 0 if not, -1 if the source is missing */
int import_watch_changed(struct import_watch *w);
void import_watch_close(struct import_watch *w); /* NULL is allowed */

#endif
