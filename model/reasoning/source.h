/*
 * The sources of a step of reasoning: a document that was used, how relevant it was and who says
 * so.
 *
 * They are read from what a retrieval gave (search results), from bare contexts, or from the
 * attributions that somebody recorded. Text is counted in code points. What cannot be taken is
 * refused item by item, by its place and with a reason; the others stand.
 */
#ifndef STEMMA_SOURCE_H
#define STEMMA_SOURCE_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

#define SOURCE_EXCERPT 200 /* code points of an excerpt */

/* All strings are in the arena of whoever made it, or live as long as what it was read from. */
struct source {
    size_t index;            /* of the item that it was read from */
    const char *document_id; /* as it was given, or made up; never NULL */
    bool invented;           /* from its place: doc_2, context_doc_0, source-1 */
    const char *title;       /* NULL: none */
    double relevance;        /* 0–1 */
    enum score origin;       /* who says so */
    const char *excerpt;     /* NULL: none was given; "" where a retrieval gave no content */
    int64_t chunk;           /* of the document; -1: none */
    int64_t rank;            /* in the retrieval, from 1; -1: none */
    const char *content;     /* the whole passage; NULL: not given */
    size_t content_len;      /* it may hold a NUL */
    /* 64 lower-case hex digits: as given, else SHA-256 of `content` where that is not empty; NULL
     */
    const char *version_hash;
    const char *uri; /* of the document; NULL */
    const char
        *attribution; /* the logged retrieval, as given: a ref or an attribution's id; NULL */
};

struct source_refusal {
    size_t index;       /* of the item, from 0 */
    const char *reason; /* names the item and what is wrong with it */
};

struct source_list {
    const char *name; /* of the list they were read from, by which those refused are named */
    struct source *source;
    size_t count;
    struct source_refusal *refused; /* there is room for all items */
    size_t refused_count;
};

/*
 * From search results, a checked JSON array of objects. Item i: id = `document_id`, else `doc_{i}`
 * (null and "" are absent, a number is its text), title = `title`, else `document_title`; relevance
 * = `score`, else `relevance_score`, measured; no number: 0.5, default; content = `content`, else
 * `text`, else ""; chunk = `chunk_index`, a whole number from 0 on or a string of one, none where it
 * is anything else; rank = i + 1; and `version_hash`, `uri` and `attribution`. A key that is there
 * with null is there: only an absent one lets the other be looked at. An item that is no object,
 * has a relevance out of range, a text that is neither a string nor a number, or a hash that is none,
 * is refused; `name` is what the caller calls the list, so that it reads "search_results[2]: …". What
 * is not an array has no items. Returns 0.
 */
void sources_from_results(struct source_list *out, struct arena *arena, struct json_slice results,
                          const char *name);

/*
 * From bare contexts. Only white space: left out, its place is used up. Its id is the first word
 * after the first `id:` that stands at the beginning or after white space, up to the next `id:`, be
 * that within a word; none: `context_doc_{i}`. Relevance max(0.3, 1 - i * 0.1), heuristic; rank = i + 1. White space is
 * Unicode's.
 */
void sources_from_contexts(struct source_list *out, struct arena *arena,
                           const char *const *contexts, size_t count);

/* A context in checked JSON as the above takes it, in the arena: a number is its text, broken bytes and NUL become U+FFFD, null is "",
 * which keeps its place. NULL: another value. */
const char *source_context(struct arena *arena, struct json_slice value);

/* The results where there are any (then the contexts are ignored), else the contexts. */
void sources_extract(struct source_list *out, struct arena *arena, struct json_slice results,
                     const char *name, const char *const *contexts, size_t count);

/*
 * Cuts the excerpts of those anew whose content is known, so that they end before what `pii` finds, too: of what is
 * half outside nobody sees any more that it is personal data.
 */
struct pii;
void sources_cut(struct source_list *list, struct arena *arena, const struct pii *pii);

/*
 * As somebody recorded them: a checked JSON array of {document_id, document_title?,
 * relevance_score, excerpt?, chunk_index?, retrieval_rank?, score_origin?}, and what else a result
 * may have but its content. Their score is asserted unless score_origin says another; a word that it
 * does not know is refused. An id that is absent is made up as of results (`doc_{i}`). Without a
 * relevance, or where it is no number: 0.5, default. An excerpt is kept as long as it is.
 */
void sources_from_attributions(struct source_list *out, struct arena *arena,
                               struct json_slice items, const char *name);

/* The specification's object: {document_id, document_title, relevance_score, excerpt, chunk_index,
 * retrieval_rank, score_origin}; null for what is absent. */
struct strbuf;
void source_write(struct strbuf *out, const struct source *s);

#endif
