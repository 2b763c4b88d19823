/* Notes that clients add over MCP, and counting them in the store. */
#ifndef STEMMA_TESTS_NOTES_H
#define STEMMA_TESTS_NOTES_H

#include <stdint.h>
#include "store/db/store.h"
#include "tests/support/client.h"

/* Sends memory_note with that request id and content (plain text), without waiting. */
void note_send(struct client *c, int id, const char *content);
/* If the line is the successful answer to a note, returns the request id, otherwise -1. */
int note_answered(const char *line);

/* An open store and a reader. */
struct stored_notes {
    struct store *store;
    struct reader *reader;
};
void stored_notes_open(struct stored_notes *k, const char *store);
void stored_notes_close(struct stored_notes *k);
/* The number of notes with this content, or of all notes if it is NULL. */
int64_t stored_notes_count(struct stored_notes *k, const char *content);
/* Fails the test if fsck has a finding or two notes have the same content. */
void stored_notes_check(struct stored_notes *k);
/* The same for a store that is not open. Both return the number of notes. */
int64_t notes_check(const char *store);
int64_t notes_count(const char *store, const char *content);

#endif
