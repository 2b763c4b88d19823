/* Which track of its channel each trunk takes; for channels.c. */
#ifndef STEMMA_TRACKS_H
#define STEMMA_TRACKS_H

#include "model/layout/channels.h"

#define NO_TRUNK UINT32_MAX

/* Fills track, turn_track and tracks, where doglegs have their columns and so no circle is left
 * among the constraints. */
void tracks_find(struct channel *c);

#endif
