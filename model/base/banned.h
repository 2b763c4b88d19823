/*
 * Calls that do not compile here, because each has been the cause of an overrun or of a surprise
 * that a bounded call does not have; and two that every system has. The Makefile includes this file before every source.
 */
#ifndef STEMMA_BANNED_H
#define STEMMA_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* macOS and the BSDs show these always, glibc to _GNU_SOURCE alone, which FLAVOUR=posix does without. */
#if defined(__GLIBC__) && !defined(_GNU_SOURCE)
void *memmem(const void *text, size_t len, const void *wanted, size_t wanted_len);
char *strcasestr(const char *text, const char *wanted);
#endif

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atof
#pragma GCC poison ctime asctime gmtime localtime

#endif
