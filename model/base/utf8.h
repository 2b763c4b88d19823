/* UTF-8 text: validation, code points, repair, and case folding for the search. */
#ifndef STEMMA_UTF8_H
#define STEMMA_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/*
 * Reads one code point from the `len` bytes at `s` (len > 0). Returns its length in bytes, 1–4, or
 * 0 if the bytes are not valid UTF-8 (overlong, surrogate, above U+10FFFF, truncated).
 */
int utf8_decode(const char *s, size_t len, uint32_t *code_point);
/* Writes 1–4 bytes and returns how many. Writes U+FFFD for a surrogate or a value out of range. */
int utf8_encode(uint32_t code_point, char out[4]);

/* Is the text valid UTF-8 without a NUL? */
bool utf8_valid(const char *s, size_t len);
/* The number of code points. `s` must be valid. */
size_t utf8_count(const char *s);
/* The number of code points that begin in the first `len` bytes. */
size_t utf8_count_in(const char *s, size_t len);
/* The length in bytes of the first `count` code points of the valid `s` (or of all of it). */
size_t utf8_prefix(const char *s, size_t count);
/* The length of the longest prefix of the `len` valid bytes at `s` that has at most `most` bytes
 * and ends between code points. */
size_t utf8_fit(const char *s, size_t len, size_t most);

/* C0, DEL, C1: characters that can control a terminal, tab and line feed included. */
bool utf8_is_control(uint32_t code_point);
/* Characters that can reorder or hide the text around them: bidi embeddings, overrides, isolates
 * and marks (U+061C, U+200E–F, U+202A–E, U+2066–9), line and paragraph separators, U+FEFF, tags
 * U+E0000–7F. */
bool utf8_is_bidi(uint32_t code_point);

/* Characters that displays show as nothing (Default_Ignorable_Code_Point), such as U+200B,
 * U+00AD, U+3164. */
bool utf8_is_ignorable(uint32_t code_point);

/* Ignorable characters, and the annotation characters U+FFF9–B, which many displays do not show. */
bool utf8_is_invisible(uint32_t code_point);

/* White space as Unicode defines it (White_Space). NO-BREAK SPACE and IDEOGRAPHIC SPACE are,
 * U+200B is not. */
bool utf8_is_space(uint32_t code_point);
/* How many bytes of white space `s` begins with. */
size_t utf8_space(const char *s, size_t len);
/* Does the text show nothing: only white space, ignorable characters and U+2800, or no text at
 * all (NULL)? */
bool utf8_is_blank(const char *s);

struct strbuf;
/*
 * Appends the bytes as valid UTF-8 without NUL: each invalid byte and each NUL becomes U+FFFD.
 * Returns how many were replaced.
 */
size_t utf8_repair(struct strbuf *out, const char *bytes, size_t len);
/* The repaired text in the arena. */
char *utf8_repaired(struct arena *a, const char *bytes, size_t len);

/*
 * Case folding for the search. One code point becomes one code point, exactly as SQLite's trigram
 * tokenizer folds when it indexes. So a check of a text agrees with the index.
 */
uint32_t fold_code_point(uint32_t c);

/* Appends the folded text, with as many code points as the valid `text` of `len` bytes. O(len). */
void fold_text(struct strbuf *out, const char *text, size_t len);

/* The class of a code point, to decide whether a word stands alone. Marks and joiners belong to
 * the character before them. */
enum fold_class {
    FOLD_OTHER = 0, /* spaces, punctuation, mathematical signs */
    FOLD_WORD,      /* letters and digits of any script */
    FOLD_SYMBOL,    /* emoji and other pictures */
    FOLD_EXTENDS    /* a combining mark, a joiner, a variation selector, an emoji modifier */
};
enum fold_class fold_class(uint32_t c);

/* The value of a hex digit in either case; -1 of another character. */
int hex_digit(uint32_t c);
/* Resolves "%2F" and the like in place; a "%" before anything else stays. Returns false if that makes a NUL. */
bool percent_decode(char *text);

#endif
