/* Loads libpq. */
#include "store/team/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

struct libpq pq;

static const char *missing; /* what is, after load() */

/* POSIX guarantees that pointers to functions and to data have the same representation. ISO C does
 * not, so the bytes are copied. */
static void find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    if (!found)
        missing = name;
}

static void load(void)
{
    static const char *const names[] = {"libpq.so.5", "libpq.so", "libpq.5.dylib"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof(names) / sizeof(*names); i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        missing = "libpq.so.5";
        return;
    }
#define LIBPQ_FIND(name, type, arguments) find(library, "PQ" #name, &pq.name, sizeof(pq.name));
    LIBPQ_FUNCTIONS(LIBPQ_FIND)
#undef LIBPQ_FIND
}

int libpq_load(struct error *e)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (missing)
        return error_set(e, ERROR_STORE,
                         "Install libpq (Debian: apt install libpq5) 12 or later, then try again.",
                         "PostgreSQL cannot be reached: %s is missing", missing);
    return 0;
}
