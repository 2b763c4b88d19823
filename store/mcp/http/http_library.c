/* Loads libmicrohttpd with dlopen. */
#include "store/mcp/http/http_library.h"

#include <dlfcn.h>
#include <string.h>

struct mhd mhd;

/* POSIX guarantees that pointers to functions and to data have the same representation. ISO C does not, so the bytes
 * are copied. */
static int find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    return found ? 0 : -1;
}

int mhd_load(struct error *e)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    int missing = 0;
    if (!library) /* the name in development packages and on other systems */
        library = dlopen("libmicrohttpd.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return error_set(e, ERROR_STORE, "Install libmicrohttpd.", "HTTP cannot be served: %s",
                         dlerror());
#define MHD_FIND(name) missing |= find(library, "MHD_" #name, &mhd.name, sizeof(mhd.name));
    MHD_FUNCTIONS(MHD_FIND)
#undef MHD_FIND
    if (missing)
        return error_set(e, ERROR_STORE, "Install a newer libmicrohttpd.",
                         "HTTP cannot be served: libmicrohttpd lacks a function");
    return 0;
}
