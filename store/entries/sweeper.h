/*
 * Sweeps while somebody has the store open for long: what has expired loses its value for good a moment after
 * that (entry_sweep). One for each loop, used by its thread alone; several of one store do not disturb each other.
 */
#ifndef STEMMA_SWEEPER_H
#define STEMMA_SWEEPER_H

#include "store/ops/fix.h"
#include "store/txn/writer.h"

struct sweeper;
/* The store must stay open until sweeper_close. */
struct sweeper *sweeper_new(struct store *s);
/* Something was written: there may be what expires sooner. */
void sweeper_stir(struct sweeper *w);
/* In how many ms sweeper_turn has something to do; -1: never. */
int sweeper_due(const struct sweeper *w);
/* Looks whether something has expired, where it is time to, and has it swept. Does not wait for that. */
void sweeper_turn(struct sweeper *w, struct reader *r);
/* Waits for a sweep that has begun, which gives up soon where it cannot get on. NULL is allowed. */
void sweeper_close(struct sweeper *w);

#endif
