/* The page of responses and what each cited. */
#ifndef STEMMA_RESPONSES_PAGE_H
#define STEMMA_RESPONSES_PAGE_H

#include "store/reasoning/responses.h"
#include "tui/render/page.h"

/* Fills a page that is empty and options->width wide: conversations, their responses, and under each its citations in
 * order, its sentences without a citation, and citations that contradict each other. Enter opens a citation. */
void responses_page(struct page *s, const struct responses *all,
                    const struct page_options *options);

#endif
