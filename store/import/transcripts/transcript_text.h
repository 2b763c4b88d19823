/* The whole text of a memory that an import made of a line of a transcript: the store keeps its beginning, and where the
 * line is. */
#ifndef STEMMA_TRANSCRIPT_TEXT_H
#define STEMMA_TRANSCRIPT_TEXT_H

#include "model/base/arena.h"
#include "model/memory/memory.h"
#include "store/db/store.h"

struct transcript_text {
    const char *path;       /* of the transcript */
    int64_t offset, length; /* of the line in it, in bytes */
    const char *
        text; /* as it is there now, valid UTF-8; NULL if it cannot be read, or is another line now */
    const char *why; /* "its file has changed since it was read"; NULL if there is a text */
};

/*
 * Looks a raw entry or an attribution up by its id, whether it is a memory or not, and reads its line. Returns 1, 0 if no
 * transcript has such a line, -1 with `e`. The strings are in the arena. Not masked: see guard_mask_texts.
 */
int transcript_text_read(struct reader *r, struct ref ref, struct arena *arena,
                         struct transcript_text *out, struct error *e);

#endif
