/* Properties of an open store: its path, whether it can be written, the time, new ids. */
#include "store/db/store_state.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/error.h"
#include "store/platform/platform.h"

int store_write_errno(const char *path)
{
    char *file =
        realpath(path, NULL); /* the log is next to the file, not next to a symbolic link to it */
    int why = 0;
    if (!file)
        return 0;
    if (faccessat(AT_FDCWD, file, W_OK, AT_EACCESS))
        why = errno;
    *strrchr(file, '/') = '\0';
    if (!why && faccessat(AT_FDCWD, *file ? file : "/", W_OK | X_OK, AT_EACCESS))
        why = errno;
    free(file);
    return why;
}

int store_cannot_write(const struct store *s, const char *hint, struct error *e)
{
    if (s->newer)
        return error_set(e, ERROR_REFUSED, HINT_NEWER,
                         "%s was written by a newer stemma and is open for reading only", s->path);
    return error_set(e, ERROR_REFUSED, hint, "%s is open for reading only", s->path);
}

int store_make_folders(const char *path, struct error *e)
{
    char *folder = xstrdup(path);
    int failed = 0;
    for (char *p = folder; !failed && (p = strchr(p + 1, '/'));) {
        *p = '\0';
        failed = mkdir(folder, 0700) && errno != EEXIST ? errno : 0;
        if (failed)
            error_set(e, failed == EACCES || failed == EROFS ? ERROR_REFUSED : ERROR_STORE,
                      "Give another path.", "cannot make the directory %s: %s", folder,
                      strerror(failed));
        *p = '/';
    }
    free(folder);
    return failed ? -1 : 0;
}

char *store_state_path(const char *name)
{
    const char *home = getenv("HOME");
    if (!home || *home != '/') {
        const struct passwd *user = getpwuid(geteuid());
        home = user && user->pw_dir && *user->pw_dir == '/' ? user->pw_dir : NULL;
    }
    return home ? xformat("%s/.local/state/stemma/%s", home, name) : NULL;
}

void store_write_id(char out[37], const unsigned char random[ID_RANDOM])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < ID_RANDOM; i++) {
        unsigned char byte = random[i];
        if (i == 6)
            byte = (unsigned char)((byte & 0x0f) | 0x40);
        if (i == 8)
            byte = (unsigned char)((byte & 0x3f) | 0x80);
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *out++ = '-';
        *out++ = digits[byte >> 4];
        *out++ = digits[byte & 0x0f];
    }
    *out = '\0';
}

const char *store_path(const struct store *s)
{
    return s->path;
}

bool store_is_read_only(const struct store *s)
{
    return s->read_only;
}

int64_t store_now(const struct store *s)
{
    return s->now();
}

void store_make_id(const struct store *s, char out[37])
{
    unsigned char random[ID_RANDOM];
    if (s->make_id) {
        s->make_id(out);
        return;
    }
    while (!platform_random(random, sizeof(random)))
        ;
    store_write_id(out, random);
}
