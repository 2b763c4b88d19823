/* What a file is that could not be opened as a store, by its bytes. */
#include "model/base/alloc.h"
#include "store/fsck/fsck.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "store/db/schema.h"
#include "store/db/store_file.h"

#define LOOKED_AT (16u << 20)

/* https://www.sqlite.org/fileformat.html#the_database_header */
static const char magic[] = "SQLite format 3"; /* with its NUL */
#define APPLICATION_AT 68
#define HEADER_SIZE    100

static uint32_t application_of(const unsigned char *header)
{
    const unsigned char *at = header + APPLICATION_AT;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Its schema stands in it as the text that made it, wherever. */
static bool mentions(const unsigned char *bytes, size_t len, const char *what)
{
    return memmem(bytes, len, what, strlen(what)) != NULL;
}

static void name_bytes(const unsigned char *bytes, size_t len, const char *path, struct error *e)
{
    if (len == 0)
        error_set(e, ERROR_INVALID, "Check the path.", "%s is empty: there is no store in it",
                  path);
    else if (len < sizeof(magic) || memcmp(bytes, magic, sizeof(magic)) != 0)
        error_set(e, ERROR_INVALID, "Check the path, or restore a backup.",
                  "%s is no database, or its beginning was written over", path);
    else if (len >= HEADER_SIZE && application_of(bytes) == SCHEMA_APPLICATION)
        error_set(e, ERROR_STORE, "Restore a backup.",
                  "%s is a store of stemma, so damaged that it cannot be checked", path);
    else if (mentions(bytes, len, "CREATE TABLE raw_entries") ||
             mentions(bytes, len, "CREATE TABLE beliefs"))
        error_set(e, ERROR_STORE, "Restore its backup, then run stemma import kernle on it.",
                  "%s looks like a store of Kernle, and is damaged", path);
    else
        error_set(e, ERROR_STORE, "Check the path.",
                  "%s is a damaged database, and not one of stemma's", path);
}

void store_name_damaged(const char *path, struct error *e)
{
    int fd = store_file_peek(path);
    unsigned char *bytes = fd < 0 ? NULL : xmalloc(LOOKED_AT);
    size_t len = 0;
    ssize_t got = bytes ? 1 : -1;
    while (got > 0 && len < LOOKED_AT) {
        got = pread(fd, bytes + len, LOOKED_AT - len, (off_t)len);
        len += got > 0 ? (size_t)got : 0;
    }
    if (got >= 0)
        name_bytes(bytes, len, path, e);
    free(bytes);
    if (fd >= 0)
        store_file_peeked(fd);
}
