/*
 * libmicrohttpd, loaded when a server first speaks HTTP. It brings eight libraries for TLS along; linked in the usual
 * way the nine make each start of the program nearly 2 ms longer, also of the commands that serve nobody.
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

/* Fills `mhd`; it stays loaded until the program ends. The loop's thread alone calls it. ERROR_STORE: this system does
 * not have the library. */
int mhd_load(struct error *e);

#endif
