/* The file of a configuration: read whole, and recognised when it changed. */
#ifndef STEMMA_CONFIG_FILE_H
#define STEMMA_CONFIG_FILE_H

#include "tui/config/config.h"

/* Appends the file; `stamp` is what it was before the first byte was read. 1 where there is none. */
int config_file_read(const char *path, struct strbuf *out, struct config_stamp *stamp,
                     struct error *e);

/* What stands at that path by now. */
void config_stamp_of(const char *path, struct config_stamp *out);
bool config_stamp_same(const struct config_stamp *a, const struct config_stamp *b);
/* How many nanoseconds ago it was written to, by the system's clock, which may go back: below 0 then. */
int64_t config_stamp_age(const struct config_stamp *stamp);

/* Settings that are read once, at the start: which of them a file has changed since. */

struct strbuf;
/* Appends a line of text for each of them, the same for the same value. What is said of agents is none of them: that is
 * read again (config_rules.h). */
void config_later_add(const struct config *c, struct strbuf *out);
/* Appends the names of those whose lines differ, as "theme, keys". Both are of config_later_add. */
void config_later_names(const char *before, const char *now, struct strbuf *out);

#endif
