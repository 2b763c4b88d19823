#include "store/mcp/http/http_state.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct http_library mhd;

static const struct {
    const char *name;
    size_t member;
} functions[] = {
    {"MHD_add_connection", offsetof(struct http_library, add_connection)},
    {"MHD_add_response_header", offsetof(struct http_library, add_response_header)},
    {"MHD_create_response_from_buffer", offsetof(struct http_library, create_response_from_buffer)},
    {"MHD_create_response_from_callback",
     offsetof(struct http_library, create_response_from_callback)},
    {"MHD_destroy_response", offsetof(struct http_library, destroy_response)},
    {"MHD_get_connection_info", offsetof(struct http_library, get_connection_info)},
    {"MHD_get_connection_values", offsetof(struct http_library, get_connection_values)},
    {"MHD_get_connection_values_n", offsetof(struct http_library, get_connection_values_n)},
    {"MHD_get_daemon_info", offsetof(struct http_library, get_daemon_info)},
    {"MHD_get_reason_phrase_for", offsetof(struct http_library, get_reason_phrase_for)},
    {"MHD_get_timeout", offsetof(struct http_library, get_timeout)},
    {"MHD_get_version", offsetof(struct http_library, get_version)},
    {"MHD_queue_response", offsetof(struct http_library, queue_response)},
    {"MHD_resume_connection", offsetof(struct http_library, resume_connection)},
    {"MHD_run", offsetof(struct http_library, run)},
    {"MHD_start_daemon", offsetof(struct http_library, start_daemon)},
    {"MHD_stop_daemon", offsetof(struct http_library, stop_daemon)},
    {"MHD_suspend_connection", offsetof(struct http_library, suspend_connection)},
};

_Static_assert(sizeof(functions) / sizeof(functions[0]) * sizeof(void *) == sizeof(mhd),
               "each function of the library is looked up");

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct error failure;

static int lacks(const char *what)
{
    const char *why = dlerror();
    return error_set(&failure, ERROR_STORE,
                     "Install libmicrohttpd, or use the socket without HTTP.",
                     "HTTP cannot be served: %s", why ? why : what);
}

/* It stays until the process ends: threads of it may still be at their end when a server is. */
static void load(void)
{
    struct http_library found;
    void *library = dlopen(MHD_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        lacks(MHD_SONAME);
        return;
    }
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            lacks(functions[i].name);
            return;
        }
        memcpy((char *)&found + functions[i].member, &function, sizeof(function));
    }
    mhd = found;
}

int http_library_load(struct error *e)
{
    pthread_once(&once, load);
    if (failure.code != ERROR_NONE)
        *e = failure;
    return failure.code == ERROR_NONE ? 0 : -1;
}
