/*
 * Citations: passages that a response rests on, as the specification of citations has them.
 */
#ifndef STEMMA_CITATION_H
#define STEMMA_CITATION_H

#include "model/base/strbuf.h"
#include "model/reasoning/source.h"

#define CITATIONS_MAX 5 /* of a response */

/* Strings in the arena of whoever made it. */
struct citation {
    const char *document_id; /* never NULL */
    bool invented;           /* source-2 */
    const char *name;        /* of the document; never NULL: "Unknown source" */
    bool unnamed;            /* no name was given */
    int64_t page;            /* 0: none */
    const char *section;     /* NULL: none */
    int64_t paragraph;       /* -1: none */
    const char *snippet;     /* NULL: none */
    double relevance;        /* 0–1 */
    enum score origin;
    int64_t retrieved_at; /* ms since the epoch; INT64_MIN: none */
};

struct citation_list {
    struct citation *citation;
    size_t count;
    struct source_refusal *refused; /* by name of the item: "sources[2]: …" */
    size_t refused_count;
};

/*
 * Reads a checked JSON array of {documentId?, documentName?, location?: {page?, section?,
 * paragraph?}, snippet?, relevanceScore?, retrievedAt?, score_origin?}. An absent or empty id is
 * `source-N`, N its place in the list from 1. A number is taken for a text, and a string of a whole
 * number for a page or paragraph; page 0 and "" are none. Without a relevance: 0.5, default; the
 * others are asserted unless score_origin says another. `now`: where retrievedAt is absent; it is
 * ISO 8601. null is absent; anything else than these is refused. Returns 0.
 */
void citations_read(struct citation_list *out, struct arena *arena, struct json_slice items,
                    int64_t now);

/* Appends "(NAME, page 5, Section)"; "(NAME, document)" where there is no location. */
void citation_format(struct strbuf *out, const char *name, int64_t page, const char *section);

/*
 * `out` has room for `count`; how many stand there then. One for each document, page and section:
 * the strictly higher score replaces, in the place of the first. A document whose id was made up is
 * never one whose id was given. O(n log n); 
 */
size_t citations_deduplicate(struct citation *out, const struct citation *in, size_t count);
/* By relevance, descending, stable, a NAN less than any; the first `limit` of them, for which `out` has
 * room. O(n log n);  */
size_t citations_rank(struct citation *out, const struct citation *in, size_t count, size_t limit);

enum uncertainty {
    UNCERTAINTY_NONE,
    UNCERTAINTY_LOW,
    UNCERTAINTY_MEDIUM,
    UNCERTAINTY_HIGH,
    UNCERTAINTY_COMPLETE, /* there are no sources */
};
/* By their mean relevance: above 0.7 none, above 0.5 low, above 0.3 medium, else high. */
enum uncertainty citations_uncertainty(const struct citation *c, size_t count);
const char *uncertainty_name(enum uncertainty u);

/* Appends a source as an event has it; what is absent is left out, and score_origin where it is
 * asserted, so that citations_read makes the same of it. */
void citation_write(struct strbuf *out, const struct citation *c);
void citation_write_members(struct json_object *o, const struct citation *c);
/* Appends {"type":"source_added",…}, {"type":"done",…}. conversation, message NULL: left out. */
void citation_added_event(struct strbuf *out, const struct citation *c, const char *conversation,
                          int64_t at);
void citation_done_event(struct strbuf *out, const struct citation *c, size_t count,
                         const char *conversation, const char *message, int64_t at);

/* A citation that stands in a text: "(source: Q3_Report.pdf, p.12)". Strings in the arena, what was
 * broken in them fixed. */
struct cited {
    size_t at, len; /* in code points of the text, with its parentheses; a broken byte is one */
    const char *name;
    int64_t page; /* 0: none; of several the first */
    const char
        *section; /* NULL: none; as it stands: "Section 4", "Sheet 'S', Cell B15", "pp. 3-5" */
};
/*
 * All of them in their order, in the arena. One ends at the parenthesis that closes it and holds no
 * other; the location is the last of its parts between commas that is one (citation.c);
 * without a name it is none. O(len).
 */
void citations_in_text(const char *text, struct arena *arena, struct cited **out, size_t *count);

#endif
