/*
 * Calls that do not compile here, because each has been the cause of an overrun or of a surprise
 * that a bounded call does not have. The Makefile includes this file before every source.
 */
#ifndef STEMMA_BANNED_H
#define STEMMA_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atof
#pragma GCC poison ctime asctime gmtime localtime

#endif
