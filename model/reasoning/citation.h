/*
 * Citations: the passages on which a response is based, as the specification of citations defines
 * them. Reading, ranking and writing them, and finding them in a text.
 */
#ifndef STEMMA_CITATION_H
#define STEMMA_CITATION_H

#include "model/base/strbuf.h"
#include "model/reasoning/source.h"

#define CITATIONS_MAX 5 /* of a response */
/* The annotation of a response that has a text and cites nothing: store/reasoning/cite.h */
#define CITES_NOTHING "cites:nothing"

/* Strings are in the arena of the code that made it. */
struct citation {
    const char *document_id; /* never NULL */
    bool invented;           /* the id was made up: source-2 */
    const char *name;        /* of the document; never NULL, "Unknown source" if not given */
    bool unnamed;            /* `name` was not given */
    int64_t page;            /* 0 if none */
    const char *section;     /* NULL if none */
    int64_t paragraph;       /* -1 if none */
    const char *snippet;     /* NULL if none */
    double relevance;        /* 0–1 */
    enum score origin;
    int64_t retrieved_at; /* ms since the epoch; INT64_MIN if not given */
};

struct citation_list {
    struct citation *citation;
    size_t count;
    struct source_refusal *refused; /* by name of the item: "sources[2]: …" */
    size_t refused_count;
    const char **ignored; /* members that have no meaning: "sources[0].score" */
    size_t ignored_count, ignored_alloc;
};

/*
 * Reads a checked JSON array of {documentId?, documentName?, location?: {page?, section?,
 * paragraph?}, snippet?, relevanceScore?, retrievedAt?, score_origin?}. An absent or empty id
 * becomes `source-N`, where N is its place in the list from 1, or `source-N-2` if an item has that
 * id. A number is accepted as a text, and a string with a whole number as a page or paragraph; page
 * 0 and "" are absent. Without
 * relevanceScore the relevance is 0.5 with origin "default"; others are "asserted" unless
 * score_origin differs. retrievedAt is ISO 8601 and defaults to `now`. null means absent. An item
 * with any other value is rejected and listed in `refused`.
 */
void citations_read(struct citation_list *out, struct arena *arena, struct json_slice items,
                    int64_t now);

/* Appends "(NAME, page 5, Section)", or "(NAME, document)" if there is no location. */
void citation_format(struct strbuf *out, const char *name, int64_t page, const char *section);

/*
 * Keeps one citation for each document, page and section: a strictly higher score replaces the
 * earlier citation in its place. `out` has room for `count`. Returns the number of citations kept.
 * A made-up id is never equal to a given one. O(n log n).
 */
size_t citations_deduplicate(struct citation *out, const struct citation *in, size_t count);
/* Sorts by relevance, descending and stable, NAN last, and returns the number kept: at most
 * `limit`, for which `out` has room. O(n log n). */
size_t citations_rank(struct citation *out, const struct citation *in, size_t count, size_t limit);

enum uncertainty {
    UNCERTAINTY_NONE,
    UNCERTAINTY_LOW,
    UNCERTAINTY_MEDIUM,
    UNCERTAINTY_HIGH,
    UNCERTAINTY_COMPLETE, /* there are no sources */
};
/* From the mean relevance: above 0.7 none, above 0.5 low, above 0.3 medium, else high. */
enum uncertainty citations_uncertainty(const struct citation *c, size_t count);
const char *uncertainty_name(enum uncertainty u);

/* Writes a citation in the form of an event. Absent members are omitted, and so is score_origin
 * if it is "asserted"; citations_read reads the same citation back. */
void citation_write(struct strbuf *out, const struct citation *c);
void citation_write_members(struct json_object *o, const struct citation *c);
/* Append {"type":"source_added",…} and {"type":"done",…}. `conversation` and `message` are
 * omitted if NULL. */
void citation_added_event(struct strbuf *out, const struct citation *c, const char *conversation,
                          int64_t at);
void citation_done_event(struct strbuf *out, const struct citation *c, size_t count,
                         const char *conversation, const char *message, int64_t at);

/* A citation in a text: "(source: Q3_Report.pdf, p.12)". Strings are in the arena, repaired to
 * valid UTF-8. */
struct cited {
    /* in code points of the text, parentheses included; an invalid byte counts as one */
    size_t at, len;
    const char *name;
    int64_t page; /* 0 if none; of several the first */
    /* NULL if none; as written: "Section 4", "Sheet 'S', Cell B15", "pp. 3-5" */
    const char *section;
};
/*
 * Finds all citations of a text in order, in the arena. A citation ends at its closing parenthesis
 * and contains no other. Its location is the last of the parts between commas that is a location
 * (see citation.c). Without a name it is not a citation. O(len).
 */
void citations_in_text(const char *text, struct arena *arena, struct cited **out, size_t *count);

/*
 * Citation styles: how a list of citations is written for a reader, a document or another program.
 */
/* A citation, and what is known of its document. Texts may be NULL. */
struct cited_work {
    struct citation citation;
    const char *author, *uri;
    int64_t year; /* of publication; 0 if unknown */
};

/* One row for each style, ended by a NULL name. */
struct citation_style {
    const char *name;
    const char *before, *between, *after; /* around the citations of a list, and between two */
    /* Appends one citation; `number` counts from 1. */
    void (*write)(struct strbuf *out, const struct cited_work *work, size_t number);
};
extern const struct citation_style citation_styles[];

/* Appends the list, each citation on lines of its own. */
void citation_style_write(struct strbuf *out, const struct citation_style *style,
                          const struct cited_work *works, size_t count);

/*
 * Checks of a response against its citations: which sentences cite nothing, whether a passage is in a text, and whether
 * two passages say the same with other numbers.
 */
/*
 * The sentences of a response in which nothing is cited, in order, in the arena. A sentence ends at . ! or ? before
 * white space, unless the point is that of an abbreviation, at the signs of other scripts such as U+3002, at an empty
 * line, and where an item of a list or a heading begins; a citation directly after its end belongs to it. Citations are
 * those that citations_in_text finds, what citation_format writes of `cited`, and "[2]" or "[^2]" up to their number.
 * Lines without a letter, and headings that begin with #, are no sentences.
 */
void sentences_uncited(const char *text, const struct citation *cited, size_t count,
                       struct arena *arena, const char ***out, size_t *out_count);

/* Whether the text contains the passage. Any white space counts as one space. */
bool text_has_passage(const char *text, const char *passage);

/* Whether both passages have the same words, but at least one other number: "€5.2M", "€5.4M". */
bool numbers_differ(const char *a, const char *b);

#endif
