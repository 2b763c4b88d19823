#include "tui/term/restore.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include "model/base/alloc.h"

#define UPDATE_END "\033[?2026l"

static struct {
    volatile sig_atomic_t armed, updating;
    int fd;
    struct termios modes;
    char bytes[256];
    size_t len;
} restoring = {.fd = -1};

int restore_remember(int fd)
{
    restoring.fd = fd;
    return tcgetattr(fd, &restoring.modes);
}

static void add(const char *bytes)
{
    size_t len = bytes && bytes != (char *)-1 ? strlen(bytes) : 0;
    if (len == 0 || restoring.len + len > sizeof(restoring.bytes))
        return;
    memcpy(restoring.bytes + restoring.len, bytes, len);
    restoring.len += len;
}

bool restore_arm(void)
{
    if (!cursor_address || !clear_screen)
        return false;
    restoring.len = 0;
    /* Pastes in brackets and every kind of mouse report are ended. */
    add("\033[?2004l\033[?1006l\033[?1002l\033[?1000l");
    add(exit_attribute_mode);
    add(orig_pair);
    add(cursor_normal);
    add(exit_ca_mode);
    add(keypad_local);
    alloc_on_failure = restore_now;
    restoring.armed = 1;
    return true;
}

bool restore_is_armed(void)
{
    return restoring.armed;
}

void restore_disarm(void)
{
    restoring.armed = 0;
    alloc_on_failure = NULL;
}

void restore_updating(bool updating)
{
    restoring.updating = updating;
}

void restore_now(void)
{
    if (!restoring.armed)
        return;
    restoring.armed = 0;
    restore_resume();
    if (restoring.updating)
        restore_write(restoring.fd, UPDATE_END, sizeof(UPDATE_END) - 1);
    restore_write(restoring.fd, restoring.bytes, restoring.len);
    if (!restore_is_anothers())
        tcsetattr(restoring.fd, TCSANOW, &restoring.modes);
}

/* None, where it is not the session's: then nobody minds. */
bool restore_is_anothers(void)
{
    pid_t foreground = tcgetpgrp(restoring.fd);
    return foreground >= 0 && foreground != getpgrp();
}

/* The system lets go on what tcflow stopped, and nothing else: so it is stopped by that too. */
void restore_resume(void)
{
    if (restore_is_anothers())
        return;
    tcflow(restoring.fd, TCOOFF);
    tcflow(restoring.fd, TCOON);
}

void restore_write(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, 1000);
        } else if (n < 0 && errno != EINTR) {
            return;
        } else if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
}
