/* The story of the demo store: what agents and a person did over some weeks, told again each time. */
#ifndef STEMMA_STORY_H
#define STEMMA_STORY_H

#include <stdint.h>
#include "model/base/error.h"

/*
 * Makes a store at `path`, where there must be none, by doing again what each line of tui/demo/story.jsonl says, in the
 * name of who did it and with the clock at its time. All times are moved so that the last is just before `now` (ms).
 *
 * A line is a memory in the exchange format, which its agent adds, or another state of one that is there; or an
 * operation: {"at", "agent" or "person", "operation", and its parameters by their names (store/ops/operation.h)}; "id"
 * is that of the memory that it makes. Lines are in the order of their times.
 */
int story_tell(const char *path, int64_t now, struct error *e);

#endif
