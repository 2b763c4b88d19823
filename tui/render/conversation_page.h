/* The conversation that led to a memory, as a page: for the explorer and for `stemma show --conversation`. */
#ifndef STEMMA_CONVERSATION_PAGE_H
#define STEMMA_CONVERSATION_PAGE_H

#include "store/import/transcripts/conversation.h"
#include "tui/render/page.h"

struct talk {
    struct arena arena;
    struct conversation conversation; /* its texts are masked as the reader's are */
    bool is_guessed;                  /* that it led to the memory: nothing recorded it */
};

/* Reads the part of a transcript from which the memory comes: of its own line, or of the first
 * source that is one; its last lines if `end`. Returns NULL and sets *e; ERROR_NOT_FOUND if no line
 * of a transcript led to it. */
struct talk *talk_read(struct reader *r, int64_t node, bool end, struct error *e);
void talk_free(void *talk); /* accepts NULL */

/* Lays it out. What tools returned and what the agent thought is one line, another text at most
 * twelve, unless `open` has a 1 for the turn; it may be NULL. The `value` of a turn's first line is
 * 1 + its number; Enter opens the memory that it became. */
void conversation_page(struct page *s, const struct talk *talk, const char *open,
                       const struct page_options *options);

#endif
