/* The citations that stand in a text, as somebody wrote them: "(source: Q3_Report.pdf, p.12)". */
#ifndef STEMMA_CITED_PRINT_H
#define STEMMA_CITED_PRINT_H

#include "tui/cli/command.h"

/*
 * Prints those of the file (`-`: standard input) one a line, where each stands (in code points, from 1) and
 * how it is formatted; as JSON {"cited":[{at, length, name, page?, section?, formatted}], "total"}. 1 where there is none.
 */
int cited_print(struct invocation *i, const char *path, bool json, struct error *e);

#endif
