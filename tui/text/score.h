/*
 * A relevance as a person sees it: ".95" that was measured, "~.60" that a rank was made into, "=.50" in
 * want of one, "?.90" that somebody asserted. No two of them ever look alike, in whatever colours.
 */
#ifndef STEMMA_SCORE_H
#define STEMMA_SCORE_H

#include <stdbool.h>
#include "model/memory/memory.h"
#include "tui/text/style.h"

struct strbuf;

#define SCORE_WIDTH 4 /* columns of it: its mark, then three */

/* '~', '=', '?', or ' ' for a measured one. Where nobody says where it came from it is as good as asserted. */
char score_sign(enum score origin);
/* "measured", "heuristic", "default", "asserted"; "origin unknown" for SCORE_NONE. */
const char *score_word(enum score origin);
/* What a primary source has, in bold where it was measured; what was not measured as a guess is drawn. */
enum style score_style(double relevance, enum score origin);

/* ".95", "1.0", ".00": three columns, rounded as printf does; " - " where there is none (NAN). */
void score_digits(char out[8], double relevance);
/* Appends SCORE_WIDTH columns, "~.60" or " .95". */
void score_add(struct strbuf *out, double relevance, enum score origin);
/* Appends a bar of `width` columns: full for 1, blanks at its end; of another make for each origin. */
void score_bar(struct strbuf *out, bool utf8, double relevance, enum score origin, int width);

/* How long something took, for a column: "0.8 s", "42 s", "3m 20s", "2h 05m". */

#define SECONDS_WIDTH 7 /* columns of it; beyond a thousand hours more */

/* "" for what is no time: NAN, negative, infinite. `out` holds 24 bytes. */
void seconds_text(char out[24], double seconds);

#endif
