#include "store/db/lock_holder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* A line of /proc/locks, "5: FLOCK  ADVISORY  WRITE 4711 fd:01:1234 0 EOF"; one of who waits has "->" behind
 * its number. */
static bool is_of(const char *line, const struct stat *file, int *pid)
{
    unsigned major_, minor_;
    unsigned long inode;
    return sscanf(line, "%*u: FLOCK ADVISORY WRITE %d %x:%x:%lu ", pid, &major_, &minor_, &inode) ==
               4 &&
           *pid > 0 && inode == file->st_ino && makedev(major_, minor_) == file->st_dev;
}

/* "4711 (stemma) T …": the name may hold anything, and ends with the last parenthesis. */
static bool is_stopped(int pid)
{
    char path[32], text[128] = "";
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    FILE *state = fopen(path, "re");
    if (!state)
        return false;
    if (!fgets(text, sizeof(text), state))
        *text = '\0';
    fclose(state);
    const char *name_end = strrchr(text, ')');
    return name_end && strncmp(name_end, ") T ", 4) == 0;
}

pid_t lock_holder(int fd, bool *stopped)
{
    char line[128];
    struct stat file;
    int pid = 0;
    FILE *locks = fstat(fd, &file) ? NULL : fopen("/proc/locks", "re");
    *stopped = false;
    if (!locks)
        return 0;
    bool found = false;
    while (!found && fgets(line, sizeof(line), locks))
        found = is_of(line, &file, &pid);
    fclose(locks);
    if (!found)
        return 0;
    *stopped = is_stopped(pid);
    return pid;
}
