/*
 * What a citation within a text says, for citation_text.c: the name, and where in it.
 *
 * Parts stand between commas. The location is the last part that is one: a page ("p.12", "p12", "page 12",
 * "pp. 12-14"), "Section" and a title, a sheet in quotes, a cell. Before it stands the name, which may hold
 * commas itself. A section takes all that follows; what follows a page is its section; a page and a
 * section side by side are one location, and so are a sheet and a cell.
 */
#ifndef STEMMA_CITATION_LOCATION_H
#define STEMMA_CITATION_LOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Part of a text, from its place to before its end. */
struct part {
    size_t at, end;
};
static inline bool part_is_empty(struct part p)
{
    return p.at >= p.end;
}
/* Without the white space around it. */
struct part part_trim(const char *s, struct part p);

struct location {
    size_t name_end; /* the name stands before it */
    int64_t page;    /* 0: none; of several the first */
    struct part
        section; /* with white space around it; empty: none. Several pages are one as well */
};
/* `s` is what stands between the colon and the last parenthesis. O(len). */
void location_find(const char *s, size_t len, struct location *out);

/* Does it begin with that word of small letters, in whatever case? Of ASCII. */
bool text_begins_with(const char *s, size_t len, const char *word);

#endif
