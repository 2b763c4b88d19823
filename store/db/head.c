#include "store/db/head.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"

#define HEAD_TEXT_MAX 256
#define CALLS         "calls "

/* "COUNT HASH\n"; moves *at past it. */
static int parse_end(struct chain_end *out, char **at)
{
    char *end, *text = *at, *newline = strchr(text, '\n');
    if (text[0] < '1' || text[0] > '9' || !newline)
        return -1;
    *newline = '\0';
    *at = newline + 1;
    errno = 0;
    intmax_t count = strtoimax(text, &end, 10);
    if (errno || *end != ' ')
        return -1;
    out->count = (int64_t)count;
    return digest_from_hex(&out->hash, end + 1);
}

/* A line for the journal, one for the log of calls, or both; and nothing else. */
static int parse_head(struct head *out, char *text)
{
    *out = (struct head){.events = {.count = 0}};
    bool calls_only = strncmp(text, CALLS, strlen(CALLS)) == 0;
    if (!calls_only && parse_end(&out->events, &text))
        return -1;
    if (!*text)
        return 0;
    if (strncmp(text, CALLS, strlen(CALLS)) != 0)
        return -1;
    text += strlen(CALLS);
    return parse_end(&out->calls, &text) || *text ? -1 : 0;
}

static ssize_t read_text(const char *path, char text[HEAD_TEXT_MAX])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -1;
    ssize_t len = read(fd, text, HEAD_TEXT_MAX - 1);
    int saved = errno;
    close(fd);
    errno = saved;
    if (len >= 0)
        text[len] = '\0';
    return len;
}

int head_read(struct head *out, const char *store_path, struct error *e)
{
    char *path = xformat("%s-head", store_path);
    char text[HEAD_TEXT_MAX];
    ssize_t len = read_text(path, text);
    int result = 1;
    if (len < 0 && errno == ENOENT)
        result = 0;
    else if (len < 0)
        result = error_set(e, ERROR_STORE, "Check its permissions.", "cannot read %s: %s", path,
                           strerror(errno));
    else if (strlen(text) != (size_t)len || parse_head(out, text))
        result = error_set(e, ERROR_INVALID, "", "%s is not a journal's head", path);
    free(path);
    return result;
}

/* Synced before it is renamed: a crash leaves the old head or the new one, never half of one. */
static int write_file(const char *path, const char *text, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -1;
    bool written = write(fd, text, len) == (ssize_t)len && fdatasync(fd) == 0;
    return close(fd) == 0 && written ? 0 : -1;
}

static void write_end(struct strbuf *text, const char *lead, const struct chain_end *end)
{
    char hex[2 * DIGEST_SIZE + 1];
    if (!end->count)
        return;
    digest_hex(hex, &end->hash);
    strbuf_addf(text, "%s%" PRId64 " %s\n", lead, end->count, hex);
}

static int replace_file(const char *store_path, const struct strbuf *text, struct error *e)
{
    if (text->failed)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    char *path = xformat("%s-head", store_path);
    char *fresh = xformat("%s-head.%ld", store_path, (long)getpid());
    int result = 0;
    if (write_file(fresh, text->buf, text->len) || rename(fresh, path)) {
        result = error_set(e, ERROR_STORE, "Check the permissions of the store's directory.",
                           "cannot write %s: %s", path, strerror(errno));
        unlink(fresh);
    }
    free(path);
    free(fresh);
    return result;
}

int head_write(const struct head *head, const char *store_path, struct error *e)
{
    struct head there = {.events = {.count = 0}}, next = *head;
    struct error ignored;
    if (head_read(&there, store_path, &ignored) != 1)
        there = (struct head){.events = {.count = 0}};
    if (there.events.count >= head->events.count)
        next.events = there.events;
    if (there.calls.count >= head->calls.count)
        next.calls = there.calls;
    if (next.events.count == there.events.count && next.calls.count == there.calls.count)
        return 0;
    struct strbuf text = STRBUF_INIT;
    write_end(&text, "", &next.events);
    write_end(&text, CALLS, &next.calls);
    int result = replace_file(store_path, &text, e);
    strbuf_release(&text);
    return result;
}

/* ---- what was left ---- */

/* The process that a name "STORE-head.PID" is of, where it is one; 0: it is not. */
static pid_t writer_of(const char *name, const char *store, size_t len)
{
    static const char lead[] = "-head.";
    if (strncmp(name, store, len) != 0 || strncmp(name + len, lead, sizeof(lead) - 1) != 0)
        return 0;
    const char *digits = name + len + sizeof(lead) - 1;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 10 || digits[count] || digits[0] == '0')
        return 0;
    intmax_t pid = strtoimax(digits, NULL, 10);
    return pid <= INT_MAX ? (pid_t)pid : 0;
}

void head_clean(const char *store_path)
{
    const char *slash = strrchr(store_path, '/');
    const char *store = slash ? slash + 1 : store_path;
    char *place = slash ? xformat("%.*s", (int)(slash - store_path + 1), store_path) : xstrdup(".");
    size_t len = strlen(store);
    DIR *directory = opendir(place);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        pid_t pid = writer_of(entry->d_name, store, len);
        if (pid && kill(pid, 0) && errno == ESRCH)
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory)
        closedir(directory);
    free(place);
}
