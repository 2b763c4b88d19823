/*
 * libmicrohttpd, loaded when the first connection speaks HTTP: with what it brings along for TLS, which nobody speaks
 * here, it takes 3 MB and 2 ms that no client of the Unix socket or of stdio shall pay for.
 */
#ifndef STEMMA_MCP_HTTP_LIBRARY_H
#define STEMMA_MCP_HTTP_LIBRARY_H

#include <microhttpd.h>
#include "model/base/error.h"

/* Its functions, by their names without MHD_. */
struct http_library {
    __typeof__(MHD_add_connection) *add_connection;
    __typeof__(MHD_add_response_header) *add_response_header;
    __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
    __typeof__(MHD_create_response_from_callback) *create_response_from_callback;
    __typeof__(MHD_destroy_response) *destroy_response;
    __typeof__(MHD_get_connection_info) *get_connection_info;
    __typeof__(MHD_get_connection_values) *get_connection_values;
    __typeof__(MHD_get_connection_values_n) *get_connection_values_n;
    __typeof__(MHD_get_daemon_info) *get_daemon_info;
    __typeof__(MHD_get_reason_phrase_for) *get_reason_phrase_for;
    __typeof__(MHD_get_timeout) *get_timeout;
    __typeof__(MHD_get_version) *get_version;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_resume_connection) *resume_connection;
    __typeof__(MHD_run) *run;
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_suspend_connection) *suspend_connection;
};
extern struct http_library mhd; /* from http_library_load on */

/* Once for the process; any thread. ERROR_STORE where it is not installed, says what is missing. */
int http_library_load(struct error *e);

#endif
