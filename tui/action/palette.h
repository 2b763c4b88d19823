/*
 * The `:` line: actions by name with their arguments, memories by ref, lines by number; with what
 * fits what is typed so far listed above it.
 */
#ifndef STEMMA_PALETTE_H
#define STEMMA_PALETTE_H

#include <stddef.h>
#include <stdint.h>

struct app;

void palette_open(struct app *x);
/* A ref that is typed in the open field, or begun, becomes whole; else it is said why not. */
void palette_complete_ref(struct app *x);
/* Opens the memory that `text` names, exactly or by its beginning, or says which it may be. */
void palette_open_memory(struct app *x, const char *text);
/* The same, or goes to the line whose number `text` is. */
void palette_goto(struct app *x, const char *text);

#endif
