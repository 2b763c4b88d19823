/*
 * The exchange form: one memory as one line of JSON (SURFACE, "The exchange form"). Writing it is
 * deterministic: the same memory gives the same bytes, so it is also what commitments hash and what
 * an undo patch is made of.
 */
#ifndef STEMMA_EXCHANGE_H
#define STEMMA_EXCHANGE_H

#include "arena.h"
#include "error.h"
#include "memory.h"
#include "strbuf.h"

/*
 * Appends the object, without a line end. Keys in the order of SURFACE; a member that has its
 * default (absent string, empty list, false) is left out, but ref, agent_id, text, created_at,
 * updated_at, confidence, source_type, status and version always stand. `label` may be NULL; it is
 * written last.
 */
void exchange_write(struct strbuf *out, const struct memory *m, const char *label);

/*
 * Reads one line of `len` bytes into `m`, everything allocated in `arena`. Absent members take their
 * defaults: created_at `now`, updated_at created_at, agent_id `agent`, source_type inferred from
 * `source` (an attribution: observation), status active. `derived_from` (refs; other schemes become
 * annotations), `derivation`, `source_episodes`, `supersedes`, `processed_into` stand in place of
 * justifications and relations. `label` is ignored. Every ref is exact. An unknown member is
 * appended to `unknown` (may be NULL), names separated by ", ". ERROR_INVALID names the member that
 * is wrong and how.
 */
int exchange_read(struct memory *m, struct arena *arena, const char *line, size_t len,
                  const char *agent, int64_t now, struct strbuf *unknown, struct error *e);

/*
 * The fields of `before` that differ in `after`, as a JSON object in the exchange form: what an undo
 * must restore. Lists by element: {"tags":{"added":[…],"removed":[…]}} for elements that `after`
 * has and `before` has not, and the reverse with its index. `before` NULL: nothing is appended.
 */
void exchange_patch(struct strbuf *out, const struct memory *before, const struct memory *after);

#endif
