/* The levels of messages for a client's log: those of syslog. */
#ifndef STEMMA_MCP_LOG_LEVEL_H
#define STEMMA_MCP_LOG_LEVEL_H

#define LOG_LEVEL_INFO    1
#define LOG_LEVEL_NOTHING 8 /* above all of them */

/* From 0 (debug) to 7 (emergency); -1: there is none of that name. */
int log_level_named(const char *name);

#endif
