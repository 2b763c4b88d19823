/* Text that is given as a word, or on standard input, or in a file. */
#ifndef STEMMA_TYPED_H
#define STEMMA_TYPED_H

#include "model/base/error.h"
#include "model/base/strbuf.h"

/* The word; `-` is standard input, without the line end that closes it. */
int typed_text(const char *word, struct strbuf *text, struct error *e);
/* The whole file; `-` is standard input. */
int typed_file(const char *path, struct strbuf *text, struct error *e);

#endif
