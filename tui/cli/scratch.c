#include "tui/cli/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int scratch_make(struct scratch *s, struct error *e)
{
    const char *base = getenv("TMPDIR");
    if (!base || *base != '/')
        base = "/tmp";
    int len = snprintf(s->directory, sizeof(s->directory), "%s/stemma-XXXXXX", base);
    if (len >= (int)sizeof(s->directory) || !mkdtemp(s->directory)) {
        s->directory[0] = '\0';
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory that can be written.",
                         "no directory can be made in %s: %s", base, strerror(errno));
    }
    snprintf(s->store, sizeof(s->store), "%s/memory.db", s->directory);
    return 0;
}

/* The store's log, locks and head are named after it, with a dash between. */
static void remove_beginning_with(const char *directory, const char *name)
{
    DIR *dir = opendir(directory);
    struct dirent *entry;
    size_t len = strlen(name);
    while (dir && (entry = readdir(dir))) {
        if (strncmp(entry->d_name, name, len) == 0 &&
            (entry->d_name[len] == '\0' || entry->d_name[len] == '-'))
            unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
}

void scratch_remove_store(const char *path)
{
    char directory[4096];
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    if (!slash || len >= sizeof(directory))
        return;
    memcpy(directory, path, len);
    directory[len] = '\0';
    remove_beginning_with(directory, slash + 1);
}

void scratch_remove(struct scratch *s)
{
    if (!*s->directory)
        return;
    scratch_remove_store(s->store);
    rmdir(s->directory);
    s->directory[0] = '\0';
}
