/* How many happen in a second of late, of those that a list of happenings shows. */
#ifndef STEMMA_HAPPENING_RATE_H
#define STEMMA_HAPPENING_RATE_H

struct happening_list;

/* Before each frame: list->rate. 0 in a pause, for nothing that is shown tells it then. */
void happening_rate_measure(struct happening_list *l);

#endif
