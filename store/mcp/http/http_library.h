/*
 * libmicrohttpd, loaded when a server first uses HTTP. It depends on eight libraries for TLS; linking all nine would
 * make every start of the program nearly 2 ms longer, also for commands that serve nothing.
 */
#ifndef STEMMA_MCP_HTTP_LIBRARY_H
#define STEMMA_MCP_HTTP_LIBRARY_H

#include <microhttpd.h>
#include "model/base/error.h"

/* The functions that this room calls: mhd.run is MHD_run. */
#define MHD_FUNCTIONS(F)                                                                           \
    F(add_connection)                                                                              \
    F(add_response_header)                                                                         \
    F(create_response_from_buffer)                                                                 \
    F(create_response_from_callback)                                                               \
    F(destroy_response)                                                                            \
    F(get_connection_info)                                                                         \
    F(get_connection_values)                                                                       \
    F(get_daemon_info)                                                                             \
    F(get_timeout)                                                                                 \
    F(queue_response)                                                                              \
    F(resume_connection)                                                                           \
    F(run)                                                                                         \
    F(start_daemon)                                                                                \
    F(stop_daemon)                                                                                 \
    F(suspend_connection)

struct mhd {
#define MHD_MEMBER(name) __typeof__(MHD_##name) *name;
    MHD_FUNCTIONS(MHD_MEMBER)
#undef MHD_MEMBER
};
extern struct mhd mhd;

/* Loads the library and fills `mhd`, for the rest of the program. Call it only in the loop's thread. Returns -1 and
 * sets ERROR_STORE if the system does not have the library. */
int mhd_load(struct error *e);

#endif
