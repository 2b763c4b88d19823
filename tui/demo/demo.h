/* The story of the demo store, compiled in as tui/demo/demo.jsonl. */
#ifndef STEMMA_DEMO_H
#define STEMMA_DEMO_H

#include <stdint.h>
#include "model/base/error.h"
#include "store/db/store.h"

/*
 * Makes a store of it at `path`, where there must be none. All of its times are moved by as much as
 * brings the last of them to just before `now` (ms), so that ages read well.
 */
int demo_unpack(const char *path, int64_t now, struct error *e);

#endif
