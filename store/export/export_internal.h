/* Shared by the files of this room: a format, and a running export. */
#ifndef STEMMA_EXPORT_INTERNAL_H
#define STEMMA_EXPORT_INTERNAL_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/export/export.h"
#include "store/import/kernle/kernle_map.h"
#include "store/lineage/subgraph.h"

struct export
{
    struct reader *reader;
    const struct export_request *request;
    const struct export_format *format;
    struct export_result *result;
    struct strbuf out;
    int walk;           /* from 0 */
    bool any;           /* for a format: something stands before in this walk */
    struct arena arena; /* the current memory, cleared with each */
    struct arena kept;  /* what a format keeps */
    void *state;        /* of a format */
    const char *path;   /* EXPORT_FOLDER, EXPORT_STORE: where to write; renamed at the end */
    bool only;          /* export only `rows` */
    struct row_index rows;
    struct row_label *labels; /* [rows.count] of a list; else NULL */
    const char *label;        /* of the current memory, in a list; else NULL */
    int64_t done, total;
};

/* Counts a part that a format leaves out by itself, besides those that it cannot express. */
void export_leave_out(struct export *x, enum export_part part, int64_t count);
/* Is the memory of that row a part of this export? For links to it. */
bool export_has(const struct export *x, int64_t row);

/* Writes a folder or a database under a temporary name with `walk`, then renames it. */
int export_to_path(struct export *x, int (*walk)(struct export *x, struct error *e),
                   struct error *e);
/* Sets ERROR_STORE with the errno: "cannot write PATH: …". Returns -1. */
int export_cannot_write(const char *path, struct error *e);

extern const struct export_format export_as_jsonl, export_as_prov, export_as_server_memory,
    export_as_markdown, export_as_csv, export_as_dot, export_as_mermaid, export_as_kernle;

/* Appends a text for a format that has no escapes of its own: control characters and such that hide or reorder text
 * become U+FFFD and are counted as PART_CHARACTER. */
void export_add_text(struct export *x, struct strbuf *out, const char *text);
/* The same for the first line of a text: at most `most` characters, then "…". */
void export_add_title(struct export *x, struct strbuf *out, const char *text, size_t most);

/* A memory on its way into a row of a store of Kernle. Only for store/export. */
/* A memory on its way into a row. */
struct row {
    struct export *x;
    const struct memory *m;
    const struct kernle_table *table;
    struct json_slice detail;
    struct strbuf bytes; /* the original of a text that was repaired */
    bool native;         /* it did not come from Kernle */
};

/* The value of a column; its bytes are in x->arena or belong to the row. */
struct cell kernle_column_cell(const struct row *row, const struct kernle_column *column);

/* Has Kernle a table for that kind? */
bool kernle_has_kind(enum kind kind);
/* The column of a link. FIELD_HISTORY: a change of confidence names it, which says the same. */
enum kernle_field kernle_field_of_link(const struct row *row, const struct justification *j,
                                       struct ref ref);
/* Does Kernle's audit say that this belief revised the other one? Then an import reads it there. */
bool kernle_in_audit(const struct memory *m, struct ref old);

#endif
