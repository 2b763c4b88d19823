/*
 * A document for display: which steps, citations and other memories use it, what is based on it, its versions, and
 * where it was retrieved. It is read once. Each section has at most `limit` rows and tells whether there are more.
 */
#ifndef STEMMA_RENDER_DOCUMENT_H
#define STEMMA_RENDER_DOCUMENT_H

#include "store/reasoning/document.h"
#include "store/reasoning/responses.h"
#include "tui/render/facts.h"
#include "tui/render/page.h"

enum document_section {
    DOCUMENT_STEPS = 0,
    DOCUMENT_CITATIONS,
    DOCUMENT_OTHERS,
    DOCUMENT_VERSIONS,
    DOCUMENT_RETRIEVALS,
    DOCUMENT_BELIEFS,
    DOCUMENT_SECTIONS
};

/* At most so many links are counted; beyond that the count is shown as "5000+". */
#define DOCUMENT_COUNTED 5000

struct document_uses {
    struct document_use *use;
    struct fact_row *row; /* the memory that uses it */
    size_t count;
    bool more;
};

struct document_facts {
    struct arena arena;
    int64_t node;
    struct memory memory; /* a stub has only its ref */
    struct row_label label;
    size_t short_length;
    const char *document_id, *uri; /* NULL if unknown */
    struct document_uses steps, citations, others;
    struct document_reach reach;
    struct source_quality quality;
    struct fact_row *belief; /* the newest of reach.belief */
    size_t belief_count;
    /* the chains of `steps`, each once, in the order of their first step; node 0 for steps without a chain */
    struct fact_row *chain;
    size_t chain_count;
    size_t *chain_of; /* [steps.count] index into `chain` */
    size_t *by_chain; /* [steps.count] step numbers grouped by chain */
    struct document_version *version;
    size_t version_count;
    bool version_more;
    struct document_retrieval *retrieval;
    struct fact_row *retrieval_row;
    const char **retrieval_type, **retrieval_uri; /* [retrieval_count]; NULL if unknown */
    size_t retrieval_count;
    bool retrieval_more;
};

/* Reads one consistent state. `limit`: rows per section. `counted`: the most links to count. Returns NULL and sets *e
 * on failure. The caller frees it with document_facts_free. */
struct document_facts *document_facts_read(struct reader *r, int64_t node,
                                           const size_t limit[DOCUMENT_SECTIONS], size_t counted,
                                           struct error *e);
void document_facts_free(void *facts); /* accepts NULL */

/* Appends `before` and a count: "3 beliefs", "5000+ beliefs". */
void document_add_count(const struct document_facts *f, const char *before, int64_t count,
                        const char *what, struct strbuf *out);
/* Appends "3 versions of 2 passages", or nothing if there is no version. */
void document_add_versions(const struct document_facts *f, struct strbuf *out);

/* Appends the document as JSON:
 * {"ref","document_id","title","uri","status","label","counts","quality","steps","citations","others",
 * "versions","retrievals","beliefs","more"}. `more` names the lists that are incomplete. */
void document_write(struct strbuf *out, const struct document_facts *f, bool excerpts);

/* The page of a document: its facts, its users, versions and retrievals. */

/*
 * Fills a page that is empty and options->width wide. The value of a line that opens is its section + 1. A line without
 * a memory stands for the rows of that section that are not loaded.
 */
void document_page(struct page *s, const struct document_facts *f,
                   const struct page_options *options);

#endif
