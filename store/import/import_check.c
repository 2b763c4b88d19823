#include "store/import/import_run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "store/db/store.h"

int import_check_kind(const char *path, const char *kind, struct error *e)
{
    static const struct {
        const char *kind, *what, *todo;
    } kinds[] = {
        {"kernle", "a store of Kernle", "Run stemma import kernle on it."},
        {"jsonl", "a file of exchange lines", "Run stemma import jsonl on it."},
        {"stemma", "a store of stemma", "Run stemma export on it, then import what that gives."},
    };
    const char *found = store_recognise(path);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(found, kinds[i].kind) == 0 && strcmp(found, kind) != 0)
            return error_set(e, ERROR_INVALID, kinds[i].todo, "%s is %s", path, kinds[i].what);
    struct stat file;
    if (stat(path, &file))
        return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", path,
                         strerror(errno));
    if (S_ISDIR(file.st_mode))
        return error_set(e, ERROR_STORE, "Give the path of a file.", "%s is a directory", path);
    return 0;
}
