/* A document: every step, chain, citation and belief that used it, its versions, and where it was
 * retrieved. */
#ifndef STEMMA_VIEW_DOCUMENT_H
#define STEMMA_VIEW_DOCUMENT_H

#include "tui/widget/view.h"

struct view *document_view_new(struct app *x, int64_t node);

#endif
