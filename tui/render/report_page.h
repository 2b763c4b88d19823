/* A page for the answer to a question (store/questions). The explorer shows it, a command prints it. */
#ifndef STEMMA_REPORT_PAGE_H
#define STEMMA_REPORT_PAGE_H

#include "store/questions/questions.h"
#include "tui/render/facts.h"

/* An answer with the rows of the memories that it names. */
struct report_facts {
    struct arena arena;
    struct report report;
    struct fact_row *subject; /* NULL: it is about no memory */
    struct fact_row *row
        [REPORT_PARTS]; /* of each part, in the order of report_rows: one for each memory named */
};

/* Asks, and reads the rows. Returns NULL and sets *e on failure. Free it with report_facts_free. */
struct report_facts *report_facts_read(struct reader *r, const struct question *q,
                                       const struct asked *asked, struct error *e);
void report_facts_free(void *facts); /* NULL is allowed */

/* Adds lines: the memory that is asked about, each part under its title, and the note. Enter opens a named memory. */
void report_page(struct page *s, const struct report_facts *f, const struct page_options *options);

#endif
