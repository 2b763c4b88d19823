/*
 * What a source contains, as a set of facts. Formats are recognised by patterns over these. Only
 * for store/formats.
 *
 * Facts of a file, of an archive of zstd those of what is in it:
 *   table:NAME    an SQLite database has this table
 *   column:TABLE.NAME   this table has this column; none of a virtual table
 *   json:KEY      one of the first objects has this member; json:KEY=VALUE if its value is that text
 *                 of at most 40 bytes
 *   md:KEY        the file begins with a frontmatter (lines between "---") that has this key at its left edge;
 *                 md: alone, if it has a frontmatter at all; md:.KEY for a key within another
 * Facts of a folder, searched to depth 4:
 *   file:NAME     it has a file or folder of that name; file:.md if it has markdown at all
 *   the facts of the first objects and frontmatters in its files
 */
#ifndef STEMMA_PROBE_H
#define STEMMA_PROBE_H

#include <stdbool.h>
#include "model/base/map.h"
#include "model/base/error.h"

struct probe {
    bool is_folder, is_database;
    struct key_index facts;
};

/* Returns -1 with ERROR_STORE if the path cannot be read. */
int probe_read(struct probe *p, const char *path, struct error *e);
void probe_release(struct probe *p);
/* "table:a table:b|json:c !json:d": do all facts of one of the alternatives hold, and none with "!"? NULL: no. */
bool probe_matches(const struct probe *p, const char *pattern);

#endif
