/*
 * What is shown of a document: who used it and how, what rests on it, its versions, where it was
 * retrieved. Gathered once; of each section as many rows as are wanted, and whether there are others.
 */
#ifndef STEMMA_RENDER_DOCUMENT_H
#define STEMMA_RENDER_DOCUMENT_H

#include "store/reasoning/document.h"
#include "tui/render/facts.h"
#include "tui/render/sheet.h"

enum document_section {
    DOCUMENT_STEPS = 0,
    DOCUMENT_CITATIONS,
    DOCUMENT_OTHERS,
    DOCUMENT_VERSIONS,
    DOCUMENT_RETRIEVALS,
    DOCUMENT_BELIEFS,
    DOCUMENT_SECTIONS
};

/* What rests on it is counted to so many links; beyond, that there are more is all that is said. */
#define DOCUMENT_COUNTED 5000

struct document_uses {
    struct document_use *use;
    struct fact_row *row; /* of what uses it */
    size_t count;
    bool more;
};

struct document_facts {
    struct arena arena;
    int64_t node;
    struct memory memory; /* a stub has its ref alone */
    struct row_label label;
    size_t short_length;
    const char *document_id, *uri; /* NULL: not told */
    struct document_uses steps, citations, others;
    struct document_reach reach;
    struct fact_row *belief; /* the newest of reach.belief */
    size_t belief_count;
    struct fact_row *chain; /* each once, by which stands first; node 0: of steps of none */
    size_t chain_count;
    size_t *chain_of; /* [steps.count] in `chain` */
    size_t *by_chain; /* the same steps, those of a chain together */
    struct document_version *version;
    size_t version_count;
    bool version_more;
    struct document_retrieval *retrieval;
    struct fact_row *retrieval_row;
    const char **retrieval_type, **retrieval_uri; /* of each; NULL: not told */
    size_t retrieval_count;
    bool retrieval_more;
};

/* `limit`: rows of each section. `counted`: links. NULL with `e` set. One moment. */
struct document_facts *document_facts_read(struct reader *r, int64_t node,
                                           const size_t limit[DOCUMENT_SECTIONS], size_t counted,
                                           struct error *e);
void document_facts_free(void *facts); /* NULL is allowed */

/* "3 beliefs", "5000+ beliefs" behind what stands before it. */
void document_add_count(const struct document_facts *f, const char *before, int64_t count,
                        const char *what, struct strbuf *out);
/* "3 versions of 2 passages"; nothing where there is none. */
void document_add_versions(const struct document_facts *f, struct strbuf *out);

/* {"ref","document_id","title","uri","status","label","counts","steps","citations","others","versions",
 * "retrievals","beliefs","more"}: `more` names the lists that were not read to their end. */
void document_write(struct strbuf *out, const struct document_facts *f, bool excerpts);

/* A document laid out: its facts, and sections of those who used it, of its versions and retrievals. */

/*
 * From an empty sheet of look->width. The value of a line that opens is its section, counted from 1; one
 * without a memory stands for what is still to come of that section.
 */
void document_sheet(struct sheet *s, const struct document_facts *f, const struct facts_look *look);

#endif
