/* Checks of texts. A failure shows the text. */
#ifndef STEMMA_TESTS_HAS_H
#define STEMMA_TESTS_HAS_H

/* NULL counts as an empty text. */
void assert_has(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);
/* Checks how often the text contains the part. */
void assert_times(const char *text, const char *part, unsigned times);

#endif
