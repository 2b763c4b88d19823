/*
 * Makes calls of unsafe functions a compile error: each can overrun a buffer, or uses hidden static
 * state, and has a bounded or reentrant replacement. Also declares two functions that every
 * supported system has. The Makefile includes this file before every source.
 */
#ifndef STEMMA_BANNED_H
#define STEMMA_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* macOS and the BSDs always declare these. glibc does so only with _GNU_SOURCE, which
 * FLAVOUR=posix does not define. */
#if defined(__GLIBC__) && !defined(_GNU_SOURCE)
void *memmem(const void *text, size_t len, const void *wanted, size_t wanted_len);
char *strcasestr(const char *text, const char *wanted);
#endif

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atof
#pragma GCC poison ctime asctime gmtime localtime

#endif
