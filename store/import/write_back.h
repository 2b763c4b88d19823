/*
 * Writing decisions back into a source, on request (store/apply). A format that can do that has a `struct
 * write_back_rules`: it reads the source anew, finds the memories that were decided about here, and says what would
 * change there, in the form of the source. Only for store/.
 */
#ifndef STEMMA_WRITE_BACK_H
#define STEMMA_WRITE_BACK_H

#include <sys/stat.h>
#include "model/base/arena.h"
#include "model/base/digest.h"
#include "model/base/map.h"
#include "model/memory/memory.h"
#include "store/import/import_merge.h"

/* A memory of the source that was changed here since it was imported. */
struct decision {
    const struct memory *now; /* as the store has it */
    const struct memory
        *base; /* as the source had it when it was imported; NULL if it was purged since */
    /* what the source is to say: the memory, or the living one that replaced it; NULL: it must go (it was retracted,
     * forgotten, deleted, purged, or replaced by nothing) */
    const struct memory *will;
    const char *verb;      /* "retracted", "replaced", "edited", "approved" */
    const char *who, *why; /* NULL if unknown, or no reason was given */
    int64_t at;
    const struct flag *approval; /* a person's; NULL if none */
    bool met;                    /* the source has it: write_back_find was asked for it */
    bool placed;                 /* the source was given what replaced it */
};

/* A change in the form of the source. */
struct write_change {
    const struct decision *decision; /* NULL: the undo of a write */
    const char *place;               /* "memory.jsonl:3 John_Smith", "beliefs ID statement" */
    const char *old, *new_;          /* NULL: nothing was there, nothing will be */
    int64_t at;                      /* of a conflict: when the source changed (ms) */
};

/* What the format has no field for. */
struct write_left {
    const struct decision *decision;
    const char *what; /* "approved: server-memory has no field for it" */
};

/* A file of text to write anew. */
struct write_file {
    const char *path; /* absolute, without links */
    struct stat st;   /* of what was read */
    int64_t at;       /* ms: when that was last changed */
    struct digest before;
    const char *text; /* what was read; NULL: the file is to be made */
    size_t len;
    const char *fresh; /* the new content; NULL if it stays, or if it is removed */
    size_t fresh_len;
    bool removed;
};

/* The source has given up a ref for another one: what its text makes now, and the memory that it stands for here. */
struct write_name {
    struct ref given, ref;
};

struct write_back {
    struct arena *arena;
    const char *path;   /* of the source, absolute */
    const char *format; /* its name */
    const struct import_names *names;
    int64_t now;    /* ms */
    bool overwrite; /* also what changed in the source since */
    struct decision *decision;
    size_t count, alloc;
    struct key_index by_ref; /* its number is that of the decision */

    struct write_change *change;
    size_t change_count, change_alloc;
    struct write_change *conflict; /* what is not written because the source changed, too */
    size_t conflict_count, conflict_alloc;
    struct write_left *left;
    size_t left_count, left_alloc;
    struct row_set agreed,
        changed; /* memories that the source has then as we have them; all that change there */
    struct write_name *name;
    size_t name_count, name_alloc;
    struct write_file **file;
    size_t file_count, file_alloc;
    struct write_row *row; /* of a database; of the format's own kind */
    size_t row_count, row_alloc;
};

struct json_object;
struct json_slice;

struct write_back_rules {
    /* Fills changes and what is left, and files or rows. */
    int (*plan)(struct write_back *w, struct error *e);
    /*
     * For a source that is a database: writes the rows in one transaction, after a copy to `backup`, which exists and
     * is empty; NULL: without a copy. No function: the source is files of text. ERROR_CONFLICT: a value is another one
     * by now; ERROR_BUSY: it is locked.
     */
    int (*write)(struct write_back *w, const char *backup, struct error *e);
    /* Adds what undo needs to know of the rows, without their content; and plans to take them from the copy again.
     * ERROR_CONFLICT: one changed since it was written. */
    void (*note)(const struct write_back *w, struct json_object *list);
    int (*undo)(struct write_back *w, const char *backup, struct json_slice noted, struct error *e);
};

/* The decision about a memory of the source; NULL if there is none. */
struct decision *write_back_find(struct write_back *w, struct ref ref);

/*
 * Did the source change since the memory was imported, so that `ours` must not be written over it? Then both are listed
 * as a conflict. Never if `base`, what it said then, is NULL, or w->overwrite, or if the memory
 * says here what the source says. `theirs` is what it says now, since `at`.
 */
bool write_back_conflicts(struct write_back *w, struct decision *d, const char *place, int64_t at,
                          const char *base, const char *theirs, const char *ours);
/* Is `ours` to be written? Not if the source says it already, if it is no decision but what was imported, or if it
 * conflicts. */
bool write_back_decides(struct write_back *w, struct decision *d, const char *place, int64_t at,
                        const char *base, const char *theirs, const char *ours);

/* Adds a change. `old` and `fresh` are copied; not both are NULL. */
void write_back_change(struct write_back *w, struct decision *d, const char *place, const char *old,
                       const char *fresh);

void write_back_cannot(struct write_back *w, const struct decision *d, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Lists what was decided besides its text, and the format has no field for; `tags`: it says these itself. */
void write_back_left(struct write_back *w, const struct decision *d, bool tags);

/* Once it is written, the source has the memory as it is here, in its own way: the next import takes that as agreed. */
void write_back_agree(struct write_back *w, const struct memory *m);
/* The same for a source without ids, whose text will make the ref `given` for it. */
void write_back_name(struct write_back *w, struct ref given, const struct memory *m);

/* Reads a regular file that is no link; the same one if it was read. NULL with `e`. At most WRITE_BACK_MAX bytes. */
#define WRITE_BACK_MAX (64u << 20)
struct write_file *write_back_read(struct write_back *w, const char *path, struct error *e);
/* The content as it will be: `fresh`, or what was read. */
const char *write_back_text(const struct write_file *f, size_t *len);
/* Replaces the bytes from `from` to `to` of that content. */
void write_back_splice(struct write_back *w, struct write_file *f, size_t from, size_t to,
                       const char *with);
/* As write_back_change, of lines, either may have none: those that both begin and end with are left out. */
void write_back_change_lines(struct write_back *w, struct decision *d, const char *place,
                             const char *old, const char *fresh);

#endif
