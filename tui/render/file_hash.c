#include "tui/render/file_hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "model/base/digest.h"

#define PIECE (1 << 16)

static const char *name_of(const char *path)
{
    return path ? path : "standard input";
}

static int unreadable(const char *path, int code, struct error *e)
{
    return error_set(e, ERROR_STORE, "Give a file that can be read.", "%.200s cannot be read: %s",
                     name_of(path), strerror(code));
}

static int add_pieces(const char *path, int file, struct digest_run *run,
                      int (*tick)(void *arg, int64_t bytes), void *arg, struct error *e)
{
    char piece[PIECE];
    ssize_t got;
    int64_t bytes = 0;
    while ((got = read(file, piece, sizeof(piece))) != 0) {
        if (got < 0 && errno != EINTR)
            return unreadable(path, errno, e);
        if (got > 0)
            digest_run_add(run, piece, (size_t)got);
        bytes += got > 0 ? got : 0;
        if (tick(arg, bytes))
            return error_set(e, ERROR_INTERRUPTED, "", "stopped while %.200s was read",
                             name_of(path));
    }
    return 0;
}

int file_hash(const char *path, int (*tick)(void *arg, int64_t bytes), void *arg,
              struct digest *out, struct error *e)
{
    struct digest_run run;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
    if (file < 0)
        return unreadable(path, errno, e);
    digest_run_begin(&run);
    int result = add_pieces(path, file, &run, tick, arg, e);
    digest_run_end(&run, out);
    if (path)
        close(file);
    return result;
}
