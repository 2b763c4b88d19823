/*
 * The sources of a step of reasoning: which document was used, how relevant it was, and where that
 * score comes from.
 *
 * Sources are read from search results, from bare contexts, or from recorded attributions. Text is
 * counted in code points. An item that cannot be read is rejected with its index and a reason; the
 * others are kept.
 */
#ifndef STEMMA_SOURCE_H
#define STEMMA_SOURCE_H

#include "model/base/arena.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

struct pii;
struct strbuf;

#define SOURCE_EXCERPT 200 /* code points of an excerpt */

/* Strings are in the arena of the code that made it, or in the text that it was read from. */
struct source {
    size_t index;            /* of the item that it was read from */
    const char *document_id; /* as given, or made up; never NULL */
    bool invented;           /* the id was made up from its index: doc_2, context_doc_0, source-1 */
    const char *title;       /* NULL if none */
    double relevance;        /* 0–1 */
    enum score origin;       /* where `relevance` comes from */
    const char *excerpt;     /* NULL if not given; "" if a retrieval gave no content */
    int64_t chunk;           /* of the document; CHUNK_NONE if none */
    int64_t rank;            /* in the retrieval, from 1; -1 if none */
    const char *content;     /* the whole passage; NULL if not given */
    size_t content_len;      /* `content` may contain a NUL */
    const char *whole;       /* an excerpt that was given and is longer than SOURCE_EXCERPT */
    /* 64 lower-case hex digits: as given, or the SHA-256 of `content` if that is not empty;
     * otherwise NULL */
    const char *version_hash;
    const char *uri; /* of the document; NULL if none */
    /* the logged retrieval, as given: a ref or the id of an attribution; NULL if none */
    const char *attribution;
    const char *retrieval; /* what became of its logged retrieval: "retracted"; NULL if it stands */
};

struct source_refusal {
    size_t index;       /* of the item, from 0 */
    const char *reason; /* names the item and what is wrong */
};

struct source_list {
    const char *name; /* the name of the list, for the reasons */
    struct source *source;
    size_t count;
    struct source_refusal *refused; /* has room for all items */
    size_t refused_count;
};

/*
 * Reads search results, a checked JSON array of objects. For item i: the id is `document_id`, or
 * `doc_{i}` (null and "" are absent, a number is its text); the title is `title`, or else
 * `document_title`; the relevance is `score`, or else `relevance_score`, with origin "measured", or
 * 0.5 with origin "default" if it is not a number; the content is `content`, or else `text`, or "";
 * the chunk is `chunk_index` if that is a whole number or a string of one; the rank is i +
 * 1. Also `version_hash`, `uri` and `attribution`. A member that is null is present: the second
 * name is used only if the first is absent.
 *
 * An item is rejected if it is not an object, its relevance is out of range, a text is neither a
 * string nor a number, or a hash is malformed. `name` is the caller's name for the list, for
 * reasons like "search_results[2]: …". A value that is not an array has no items.
 */
void sources_from_results(struct source_list *out, struct arena *arena, struct json_slice results,
                          const char *name);

/*
 * Reads bare contexts. A context with only white space is skipped, but counts for the index. The id
 * is the first word after the first `id:` that is at the beginning or after white space, up to the
 * next `id:`, even within a word; or else `context_doc_{i}`. Relevance is max(0.3, 1 - i * 0.1)
 * with origin "heuristic"; the rank is i + 1. White space is Unicode's.
 */
void sources_from_contexts(struct source_list *out, struct arena *arena,
                           const char *const *contexts, size_t count);

/* Converts a context from checked JSON to a text in the arena: a number is its text, invalid
 * bytes and NULs become U+FFFD, null is "", which still counts for the index. Returns NULL for
 * another value. */
const char *source_context(struct arena *arena, struct json_slice value);

/* Reads the results if there are any, otherwise the contexts. */
void sources_extract(struct source_list *out, struct arena *arena, struct json_slice results,
                     const char *name, const char *const *contexts, size_t count);

/*
 * Cuts the excerpts of sources with content again, so that each ends before any find of `pii`:
 * nobody recognizes personal data that is cut in half.
 */
void sources_cut(struct source_list *list, struct arena *arena, const struct pii *pii);

/*
 * Reads recorded attributions: a checked JSON array of {document_id, document_title?,
 * relevance_score, excerpt?, chunk_index?, retrieval_rank?, score_origin?}, and the other members
 * of a result except its content. `ref`, which a chain that was read has, tells made-up ids. The origin of a score is
 * "asserted" unless score_origin differs; an unknown word is rejected. An absent id is made up as for results
 * (`doc_{i}`). Without a relevance, or if it is not a number, it is 0.5 with origin "default". An excerpt is not cut.
 */
void sources_from_attributions(struct source_list *out, struct arena *arena,
                               struct json_slice items, const char *name);

/* Writes the object of the specification: {document_id, document_title, relevance_score,
 * excerpt, chunk_index, retrieval_rank, score_origin}. Absent members are null. */
void source_write(struct strbuf *out, const struct source *s);

#endif
