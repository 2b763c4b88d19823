/* How long something took, for a column: "0.8 s", "42 s", "3m 20s", "2h 05m". */
#ifndef STEMMA_SECONDS_H
#define STEMMA_SECONDS_H

#define SECONDS_WIDTH 7 /* columns of it; beyond a thousand hours more */

/* "" for what is no time: NAN, negative, infinite. `out` holds 24 bytes. */
void seconds_text(char out[24], double seconds);

#endif
