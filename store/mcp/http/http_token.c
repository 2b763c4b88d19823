#include "store/mcp/http/http_token.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "store/mcp/server/endpoint.h"
#include "store/platform/platform.h"

#define TOKEN_LEN 64

static int fail(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, "Check the directory it is in.", "cannot use %s: %s", path,
                     strerror(errno));
}

static bool is_token(const char *text, ssize_t len)
{
    return len >= TOKEN_LEN && strspn(text, "0123456789abcdef") == TOKEN_LEN &&
           (len == TOKEN_LEN || text[TOKEN_LEN] == '\n');
}

/* 1; 0: there is none. */
static int read_token(struct http_token *t, struct error *e)
{
    char text[TOKEN_LEN + 2] = "";
    struct stat st;
    t->text[0] = '\0';
    int fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return error_set(e, ERROR_BUSY, "Close some programs.", "cannot read %s now: %s", t->path,
                         strerror(errno));
    bool ours = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                !(st.st_mode & 077);
    ssize_t len = ours ? read(fd, text, sizeof(text) - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (!ours || !is_token(text, len))
        return error_set(e, ERROR_REFUSED, "Remove it; it is made anew.",
                         "%s is not a token that is yours alone", t->path);
    memcpy(t->text, text, TOKEN_LEN);
    t->text[TOKEN_LEN] = '\0';
    return 1;
}

static int write_text(int fd, const char *text)
{
    bool whole = write(fd, text, TOKEN_LEN) == TOKEN_LEN && write(fd, "\n", 1) == 1;
    return close(fd) || !whole ? -1 : 0;
}

/* Under a name of its own first: whoever finds it finds all of it, and of two that make one the first counts. */
static int make_token(struct http_token *t, struct error *e)
{
    unsigned char random[TOKEN_LEN / 2];
    char text[TOKEN_LEN + 1], own[sizeof(t->path) + 16];
    if (!platform_random(random, sizeof(random)))
        return error_set(e, ERROR_STORE, "", "the system gives no random bits");
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(text + 2 * i, 3, "%02x", random[i]);
    snprintf(own, sizeof(own), "%s.%ld", t->path, (long)getpid());
    unlink(own);
    int fd = open(own, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return fail(own, e);
    int result = write_text(fd, text);
    if (result == 0 && link(own, t->path) && errno != EEXIST)
        result = -1;
    if (result)
        fail(t->path, e);
    unlink(own);
    return result;
}

static int look(struct http_token *t, struct error *e)
{
    int found = read_token(t, e);
    if (found == 0 && make_token(t, e))
        return -1;
    if (found == 0)
        found = read_token(t, e);
    if (found == 0)
        error_set(e, ERROR_STORE, "Try again.", "%s was removed", t->path);
    return found > 0 ? 0 : -1;
}

int http_token_look(struct http_token *t, struct error *e)
{
    char before[sizeof(t->text)];
    memcpy(before, t->text, sizeof(before));
    int result = look(t, e);
    if (result && e->code == ERROR_BUSY)
        memcpy(t->text, before, sizeof(before));
    t->changes += strcmp(before, t->text) != 0;
    return result;
}

int http_token_find(struct http_token *t, struct store *s, struct error *e)
{
    struct endpoint where;
    if (endpoint_find(&where, s, true, e))
        return -1;
    size_t stem = strlen(where.path) - strlen(".sock");
    snprintf(t->path, sizeof(t->path), "%.*s.token", (int)stem, where.path);
    return http_token_look(t, e);
}
