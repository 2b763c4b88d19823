/* Text as UTF-8: what is valid, code points, and cutting at them. */
#ifndef STEMMA_UTF8_H
#define STEMMA_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads one code point at `s` of `len` bytes (len > 0): its length in bytes 1–4 and the code point,
 * or 0 where the bytes are not valid UTF-8 (overlong, surrogate, above U+10FFFF, cut short).
 */
int utf8_decode(const char *s, size_t len, uint32_t *code_point);
/* Writes 1–4 bytes and returns how many; a surrogate or a value out of range is written as U+FFFD. */
int utf8_encode(uint32_t code_point, char out[4]);

/* Valid, and without a NUL? */
bool utf8_valid(const char *s, size_t len);
/* How many code points; `s` is valid. */
size_t utf8_count(const char *s);
size_t utf8_count_in(const char *s, size_t len); /* of its first `len` bytes, which begin so many */
/* The length in bytes of the first `count` code points of the valid `s` (or of all of it). */
size_t utf8_prefix(const char *s, size_t count);
/* How many of the `len` valid bytes at `s` are within `most` bytes, with no character cut. */
size_t utf8_fit(const char *s, size_t len, size_t most);

/* C0, DEL, C1: what can drive a terminal. Tab and line feed are among them. */
bool utf8_is_control(uint32_t code_point);
/* What can reorder or hide the text around it: bidi embeddings, overrides, isolates and marks
 * (U+061C, U+200E–F, U+202A–E, U+2066–9), line and paragraph separators, U+FEFF, tags U+E0000–7F. */
bool utf8_is_bidi(uint32_t code_point);

/* What Unicode has displays show as nothing (Default_Ignorable_Code_Point): U+200B, U+00AD, U+3164. */
bool utf8_is_ignorable(uint32_t code_point);

/* White space as Unicode has it (White_Space): NO-BREAK and IDEOGRAPHIC SPACE are, U+200B is not. */
bool utf8_is_space(uint32_t code_point);
/* How many of the bytes at the beginning of `s` are white space. */
size_t utf8_space(const char *s, size_t len);
/* Is nothing of it seen: white space, what is ignorable and U+2800 alone, or no text at all (NULL)? */
bool utf8_is_blank(const char *s);

struct strbuf;
/*
 * Appends the bytes as valid UTF-8 without NUL: each broken byte and each NUL becomes U+FFFD.
 * Returns how many were replaced.
 */
size_t utf8_repair(struct strbuf *out, const char *bytes, size_t len);
/* The same in the arena. */
struct arena;
char *utf8_repaired(struct arena *a, const char *bytes, size_t len);

/*
 * Case folding for the search: one code point becomes one, exactly as SQLite's trigram tokenizer
 * folds when it indexes, so that what the index finds and what a text is checked for agree.
 */

uint32_t fold_code_point(uint32_t c);

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
