/* The schema of the team's journal in PostgreSQL. */
#ifndef STEMMA_POSTGRES_SCHEMA_H
#define STEMMA_POSTGRES_SCHEMA_H

/*
 * The steps from each version to the next, the first from nothing: lists of statements that end
 * with NULL. A step that was released never changes.
 */
extern const char *const *const postgres_steps[];
#define POSTGRES_VERSION 1 /* the number of steps */

#endif
