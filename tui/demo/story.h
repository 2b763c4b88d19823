/* The story of the demo store: some weeks of work by agents and a person, replayed for each demo. */
#ifndef STEMMA_STORY_H
#define STEMMA_STORY_H

#include <stdint.h>
#include "model/base/error.h"

/*
 * Makes a new store at `path` by replaying each line of tui/demo/story.jsonl in the name of its actor, with the clock
 * at its time. All times are shifted so that the last one is just before `now` (ms).
 *
 * A line is a memory in the JSON of a memory, which its agent adds, or a new state of an existing one; or an
 * operation: {"at", "agent" or "person", "operation", and its parameters by their names (store/ops/operation.h)},
 * where "id" is that of the memory that it makes. Lines are sorted by time.
 */
int story_replay(const char *path, int64_t now, struct error *e);

#endif
