/* Sessions about which what a person decided may hold when their client comes again. For store/ alone. */
#ifndef STEMMA_SESSION_HELD_H
#define STEMMA_SESSION_HELD_H

#define SESSION_BY_PERSON "(ended_by IS NOT NULL AND ended_by NOT IN ('client', 'server'))"
/* When it ended (0: it did not), whether a person did that, and whether it may only read. */
#define SESSION_DECIDED                                                                            \
    "iif(ended_by IS NULL, 0, ifnull(ended_at, 1)), " SESSION_BY_PERSON ", read_only"
/* Of which there are as many as there were decisions: what is asked for in these words an index has. */
#define SESSION_HELD "read_only = 1 OR ended_by NOT IN ('client', 'server')"
/* Nothing but what its row says tells whose it is, so that it may come again (session_return): of HTTP without a
 * handshake. */
#define SESSION_RETURNS "(transport = 'http' AND era = '2026-07-28')"
/* It is not there, or has no place now, and may only read where it comes again. */
#define SESSION_AWAY "(read_only = 1 AND " SESSION_RETURNS " AND NOT " SESSION_BY_PERSON ")"

#endif
