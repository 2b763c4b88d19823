/*
 * How calls of a row came out, each outcome by itself: whoever tells of calls has a line for each, and one word
 * for it.
 */
#ifndef STEMMA_CALL_OUTCOME_H
#define STEMMA_CALL_OUTCOME_H

#include "store/session/session.h"

struct call_outcome {
    enum error_code code;
    size_t count;
    int64_t first, last; /* ms since the epoch */
};

/* The outcomes that the calls from `since` to `until` have, both included, by their codes: how many there are. */
size_t call_outcomes(const struct call_row *row, int64_t since, int64_t until,
                     struct call_outcome out[ERROR_CODES]);

/* Did it fail? One that its client gave up did not. */
bool call_outcome_is_error(enum error_code code);
/* Did it write what the journal has as an event? Whoever tells of both logs tells it by that. */
bool call_outcome_is_event(const char *tool, enum error_code code);
/* As the client was told: "OK", "CONFLICT". A call that it cancelled itself was told of in no answer: "CANCELLED". */
const char *call_outcome_name(enum error_code code);

#endif
