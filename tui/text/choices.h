/* The names that an option takes, from the model's own tables: one each until NULL. */
#ifndef STEMMA_CHOICES_H
#define STEMMA_CHOICES_H

const char *choice_kind(int i);
const char *choice_status(int i); /* those of stored memories; after the last, "all" */
const char *choice_label(int i);
const char *choice_order(int i);

/*
 * The kind that a word names, or KIND_COUNT where it is `other` ("all"; NULL: no such word). -1 with
 * ERROR_USAGE and the nearest name, or all of them.
 */
struct error;
int choice_kind_typed(const char *word, const char *other, struct error *e);

#endif
