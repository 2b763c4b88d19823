/* The names that an option takes, from the model's own tables: one each until NULL. */
#ifndef STEMMA_CHOICES_H
#define STEMMA_CHOICES_H

const char *choice_kind(int i);
const char *choice_status(int i); /* those of stored memories; after the last, "all" */
const char *choice_label(int i);
const char *choice_order(int i);

#endif
