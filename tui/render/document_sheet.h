/* A document laid out: its facts, and sections of those who used it, of its versions and retrievals. */
#ifndef STEMMA_DOCUMENT_SHEET_H
#define STEMMA_DOCUMENT_SHEET_H

#include "tui/render/document_facts.h"
#include "tui/render/facts_sheet.h"
#include "tui/render/sheet.h"

/*
 * From an empty sheet of look->width. The value of a line that opens is its section, counted from 1; one
 * without a memory stands for what is still to come of that section. `reach` NULL: it is still read.
 */
void document_sheet(struct sheet *s, const struct document_facts *f,
                    const struct document_reach *reach, const struct facts_look *look);

#endif
