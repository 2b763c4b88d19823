/* What the transports share. */
#ifndef STEMMA_TRANSPORT_INTERNAL_H
#define STEMMA_TRANSPORT_INTERNAL_H

#include "store/team/transport.h"

#define EVENT_BYTES_MAX    (64u << 20) /* of one event: its canonical text, patch and line */
#define FETCH_BYTES        (16u << 20) /* a fetch ends with the event that reaches it */
#define SNAPSHOT_PART      (1u << 20)
#define TRANSPORT_NAME_MAX 200 /* bytes of a machine's name */
#define TEAM_FORMAT        1   /* of the journal; a transport with a newer one is left alone */

/* Fails if the event is larger than EVENT_BYTES_MAX. */
int transport_check_size(int64_t seq, size_t bytes, struct error *e);
/* The journal there has this format: may this stemma use it? */
int transport_check_format(int64_t format, struct error *e);
/* Writes two hex digits for each byte, and a NUL. */
void transport_hex(char *out, const unsigned char *bytes, size_t size);
/* The salt whose hex digits these are, in the arena; NULL if they are not. */
const unsigned char *transport_salt(struct arena *arena, const char *hex);
int transport_no_team(const struct transport *t, struct error *e);
/* A first team is to begin, and this one is there. */
int transport_has_team(const char *store, struct error *e);

#endif
