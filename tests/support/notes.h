/* Notes that clients add over MCP, and what the store then has of them. */
#ifndef STEMMA_TESTS_NOTES_H
#define STEMMA_TESTS_NOTES_H

#include <stdint.h>
#include "store/db/store.h"
#include "tests/support/client.h"

/* Sends memory_note with that id and content (plain text), and does not wait. */
void note_send(struct client *c, int id, const char *content);
/* Is the line the answer to one that was added? Its id, or -1. */
int note_answered(const char *line);

/* A store as it is then. */
struct stored_notes {
    struct store *store;
    struct reader *reader;
};
void stored_notes_open(struct stored_notes *k, const char *store);
void stored_notes_close(struct stored_notes *k);
/* How many notes say that; NULL: how many there are. */
int64_t stored_notes_count(struct stored_notes *k, const char *content);
/* Fails the test where fsck has a finding or two notes say the same. */
void stored_notes_check(struct stored_notes *k);
/* The same for a store that is not open; how many notes there are, or say that. */
int64_t notes_check(const char *store);
int64_t notes_count(const char *store, const char *content);

#endif
