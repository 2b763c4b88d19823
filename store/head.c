#include "head.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>
#include "../model/strbuf.h"

#define HEAD_TEXT_MAX 128

/* "COUNT HASH\n", and nothing else. */
static int parse_head(struct head *out, char *text)
{
    char *end, *newline = strchr(text, '\n');
    if (text[0] < '1' || text[0] > '9' || !newline || newline[1])
        return -1;
    *newline = '\0';
    errno = 0;
    intmax_t count = strtoimax(text, &end, 10);
    if (errno || *end != ' ')
        return -1;
    out->count = (int64_t)count;
    return digest_from_hex(&out->hash, end + 1);
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
    struct strbuf path = STRBUF_INIT;
    char text[HEAD_TEXT_MAX];
    strbuf_addf(&path, "%s-head", store_path);
    ssize_t len = read_text(path.buf, text);
    int result = 1;
    if (len < 0 && errno == ENOENT)
        result = 0;
    else if (len < 0)
        result = error_set(e, ERROR_STORE, "Check its permissions.", "cannot read %s: %s", path.buf,
                           strerror(errno));
    else if (strlen(text) != (size_t)len || parse_head(out, text))
        result = error_set(e, ERROR_INVALID, "", "%s is not a journal's head", path.buf);
    strbuf_release(&path);
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

int head_write(const struct head *head, const char *store_path, struct error *e)
{
    struct head there = {0};
    struct error ignored;
    if (head_read(&there, store_path, &ignored) == 1 && there.count >= head->count)
        return 0;
    char hex[2 * DIGEST_SIZE + 1];
    digest_hex(hex, &head->hash);
    struct strbuf path = STRBUF_INIT, fresh = STRBUF_INIT, text = STRBUF_INIT;
    strbuf_addf(&path, "%s-head", store_path);
    strbuf_addf(&fresh, "%s-head.%ld", store_path, (long)getpid());
    strbuf_addf(&text, "%" PRId64 " %s\n", head->count, hex);
    int result = 0;
    if (write_file(fresh.buf, text.buf, text.len) || rename(fresh.buf, path.buf)) {
        result = error_set(e, ERROR_STORE, "Check the permissions of the store's directory.",
                           "cannot write %s: %s", path.buf, strerror(errno));
        unlink(fresh.buf);
    }
    strbuf_release(&path);
    strbuf_release(&fresh);
    strbuf_release(&text);
    return result;
}
