/* What is too large for an answer is given in pieces: what the tools that do so share. */
#ifndef STEMMA_MCP_PIECE_H
#define STEMMA_MCP_PIECE_H

#include "store/mcp/tools/tools.h"

#define PIECE_MAX 400000 /* characters, of which each may take seven bytes, twice */

/* Arguments, beside a `part` of the tool's own; and what it answers besides: `text`, and of what it is a piece. */
#define PIECE_OFFSET(about_)                                                                       \
    {                                                                                              \
        .name = "offset", .type = FIELD_INTEGER, .min = 0, .max = 9007199254740991.0,              \
        .about = about_                                                                            \
    }
#define PIECE_LENGTH                                                                               \
    {                                                                                              \
        .name = "length", .type = FIELD_INTEGER, .min = 1, .max = PIECE_MAX,                       \
        .about = "At most so many characters of it; 100000 where you do not say."                  \
    }
#define PIECE_ANSWER                                                                               \
    {.name = "part", .type = FIELD_STRING, .about = "Of a piece: what `text` is a piece of."},     \
        {.name = "characters",                                                                     \
         .type = FIELD_INTEGER,                                                                    \
         .about = "Of a piece: how many all of that part has."},                                   \
    {                                                                                              \
        .name = "next", .type = FIELD_INTEGER,                                                     \
        .about = "Of a piece: where the next begins, to be given as offset."                       \
    }

/*
 * Masks what the call's result holds, and takes it away to cut from: a piece that ends within personal data would not
 * show what it is. Released by the caller, also on error.
 */
int piece_take_masked(struct mcp_call *call, struct reader *r, struct strbuf *whole,
                      struct error *e);
/* A string as what it says, anything else as it is written; "" where there is none, or null. NULL: memory ran out. */
const char *piece_text_of(struct arena *arena, struct json_slice value);
/* Adds a member as it is; nothing where there is none. */
void piece_copy_member(struct json_object *o, struct json_slice from, const char *name);
/* Adds `part`, `text`, `characters` and `next`, as the call asks. */
void piece_add(const struct mcp_call *call, struct json_object *o, const char *part,
               const char *text);

#endif
