/* Starting and ending the writer. For store/ alone. */
#ifndef STEMMA_WRITER_THREAD_H
#define STEMMA_WRITER_THREAD_H

#include "store/txn/writer.h"

struct writer *writer_new(struct store *s); /* its thread begins with the first job */
/* Waits for what was submitted, writes the head, ends the thread. NULL is allowed. */
void writer_free(struct writer *w);

#endif
