/* What a text says. A failure in here fails the test that called it, and shows the text. */
#ifndef STEMMA_TESTS_HAS_H
#define STEMMA_TESTS_HAS_H

/* NULL says nothing. */
void assert_has(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);
/* How often it stands there. */
void assert_times(const char *text, const char *part, unsigned times);

#endif
