/*
 * Case folding for the search: one code point becomes one, exactly as SQLite's trigram tokenizer
 * folds when it indexes, so that what the index finds and what a text is checked for agree.
 */
#ifndef STEMMA_FOLD_H
#define STEMMA_FOLD_H

#include <stddef.h>
#include <stdint.h>

uint32_t fold_code_point(uint32_t c);

struct strbuf;
/* Appends the folded text: as many code points as the valid `text` of `len` bytes has. O(len). */
void fold_text(struct strbuf *out, const char *text, size_t len);

/* What a code point is to the question whether a word stands alone. Marks and joiners belong to what
 * they follow. */
enum fold_class {
    FOLD_OTHER = 0, /* spaces, punctuation, mathematical signs */
    FOLD_WORD,      /* letters and digits of any script */
    FOLD_SYMBOL,    /* emoji and other pictures */
    FOLD_EXTENDS    /* a combining mark, a joiner, a variation selector, an emoji modifier */
};
enum fold_class fold_class(uint32_t c);

#endif
