/*
 * Exports the memories of a store in the format of another program.
 *
 * A format says in one table row what it can express. What it cannot is counted while it is left out,
 * so that the caller can tell a person. The store's own journal is in no export.
 */
#ifndef STEMMA_EXPORT_H
#define STEMMA_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/memory/memory.h"
#include "store/db/store.h"

struct strbuf;
struct json_object;

enum export_target {
    EXPORT_STREAM, /* bytes, for a file or standard output */
    EXPORT_FOLDER, /* a new or empty folder of files */
    EXPORT_STORE   /* a new database file */
};

/* Parts of a memory that a format may have no room for. Their words are in export.c. */
enum export_part {
    PART_TEXT, /* what of a text is beyond its title */
    PART_AGENT,
    PART_CONFIDENCE,
    PART_TIME,
    PART_STATUS,
    PART_SOURCE, /* source_type, source, source_entity */
    PART_CONTEXT,
    PART_TAGS,
    PART_ANNOTATION,
    PART_LOCK,
    PART_DETAIL,
    PART_HISTORY,
    PART_FLAG,
    PART_LINK,     /* a source of a memory */
    PART_ALL,      /* a group of sources that count together */
    PART_RECORDED, /* that a link was guessed */
    PART_USE,      /* how a step used a source */
    PART_REASON,   /* why a link was made */
    PART_RELATION,
    PART_CHARACTER, /* a character that would control a terminal or hide text */
    PART_COUNT
};
#define PARTS_ALL ((1u << PART_COUNT) - 1)

struct export;

struct export_format {
    const char *name;
    const char *about; /* what it is, for the help */
    enum export_target target;
    unsigned parts;    /* bits of enum export_part that it can express */
    unsigned kinds;    /* KIND_BITs of the memories that it takes */
    unsigned statuses; /* STATUS_BITs of the same */
    /* The memories are read once for each walk, so that a format with sections needs no memory for them. 0 is 1. */
    int walks;
    /* Called before, for each memory of, and after each walk. `begin` and `end` may be NULL. They append to x->out,
     * which is passed on between calls. */
    int (*begin)(struct export *x, struct error *e);
    int (*memory)(struct export *x, const struct memory *m, struct error *e);
    int (*end)(struct export *x, struct error *e);
    /* Called once at the end, also after an error, if begin was called. May be NULL. */
    void (*close)(struct export *x);
};

/* The formats in order; NULL at the end. */
const struct export_format *export_format(size_t index);
/* Returns NULL if there is none of that name. */
const struct export_format *export_format_find(const char *name);

struct query_terms;
struct export_request {
    const struct export_format *format;
    const struct query_terms
        *terms; /* export only what matches a query, in any status; NULL for all */
    /* [row_count] export only these memories, in any status, in this order and with their labels where the format has
     * room for them: a list. NULL for all. Must live as long as the export. */
    const int64_t *rows;
    size_t row_count;
    int64_t
        row; /* export only this memory, what it is based on and what is based on it; 0 for all */
    /* EXPORT_STREAM: receives the bytes; a non-zero result ends the export. */
    int (*write)(void *arg, const char *bytes, size_t len);
    /* Others: the path, at which nothing or an empty folder must be. It appears when it is complete. */
    const char *path;
    /* Called regularly; a non-zero result stops the export. May be NULL. */
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
};

struct export_result {
    int64_t exported;             /* memories */
    int64_t status[STATUS_COUNT]; /* memories that the format does not take, by status */
    int64_t kind[KIND_COUNT];     /* the same by kind */
    int64_t part[PART_COUNT];     /* parts that the format has no room for */
    char note[256];               /* a limit of the programs that read the format; or "" */
};

/*
 * Exports all memories except stubs, sorted by ref unless `rows` gives an order, from one snapshot.
 * ERROR_INTERRUPTED if it was
 * stopped, ERROR_STORE if it cannot be written, ERROR_REFUSED if something is at the path.
 */
int export_run(struct reader *r, const struct export_request *request, struct export_result *result,
               struct error *e);

/* "left out: 3 retracted memories, 12 histories", without a line end; nothing if nothing was. */
void export_left_out_add(struct strbuf *out, const struct export_result *result);
/* The same as the member `left_out`: {"retracted":3,"history":12}. */
void export_left_out_json(struct json_object *o, const struct export_result *result);

/* export_run with the format jsonl: lines of the JSON of a memory. */
int export_jsonl(struct reader *r, int (*write)(void *arg, const char *line, size_t len), void *arg,
                 int (*progress)(void *arg, int64_t done, int64_t total), struct error *e);

#endif
