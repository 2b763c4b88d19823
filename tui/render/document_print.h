/* Who used a document, which versions of it there were and where it was retrieved, as a command says it. */
#ifndef STEMMA_DOCUMENT_PRINT_H
#define STEMMA_DOCUMENT_PRINT_H

#include "tui/render/document_facts.h"
#include "tui/text/output.h"

/* What was gathered of one; `reach` has come to its end. */
struct document_told {
    const struct document_facts *facts;
    const struct document_reach *reach;
    bool excerpts;
};

/* In lines for people. */
void document_print(struct output *out, struct reader *r, const struct document_told *d);
/* {"ref","document_id","title","uri","status","label","counts","steps","citations","others","versions",
 * "retrievals","beliefs","more"}: `more` names the lists that were not read to their end. */
void document_write(struct strbuf *out, const struct document_told *d);

#endif
