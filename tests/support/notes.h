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
struct kept_notes {
    struct store *store;
    struct reader *reader;
};
void kept_open(struct kept_notes *k, const char *store);
void kept_close(struct kept_notes *k);
/* How many notes say that; NULL: how many there are. */
int64_t kept_saying(struct kept_notes *k, const char *content);
/* Fails the test where fsck has a finding or two notes say the same. */
void kept_check(struct kept_notes *k);
/* The same for a store that is not open; how many notes there are, or say that. */
int64_t notes_check(const char *store);
int64_t notes_saying(const char *store, const char *content);

#endif
