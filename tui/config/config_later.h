/* Settings that are read once, at the start: which of them a file has changed since. */
#ifndef STEMMA_CONFIG_LATER_H
#define STEMMA_CONFIG_LATER_H

#include "tui/config/config.h"

struct strbuf;
/* Appends a line of text for each of them, the same for the same value. What is said of agents is none of them: that is
 * read again (config_rules.h). */
void config_later_add(const struct config *c, struct strbuf *out);
/* Appends the names of those whose lines differ, as "theme, keys". Both are of config_later_add. */
void config_later_names(const char *before, const char *now, struct strbuf *out);

#endif
