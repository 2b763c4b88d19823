#include "tui/explorer/visit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/session/session.h"
#include "tui/cli/opening.h"
#include "tui/explorer/app.h"

#define FILE_LONGEST 64

char *visit_path(const char *store)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char whole[PATH_MAX], hex[2 * DIGEST_SIZE + 1];
    struct strbuf path = STRBUF_INIT;
    struct digest digest;
    bool own = state && *state == '/';
    if ((!own && (!home || *home != '/')) || !realpath(store, whole))
        return NULL;
    digest_bytes(&digest, whole, strlen(whole));
    digest_hex(hex, &digest);
    strbuf_addf(&path, "%s%s/stemma/visits/%.16s", own ? state : home, own ? "" : "/.local/state",
                hex);
    return strbuf_detach(&path, NULL);
}

/* The time of that event; -1: there is none. */
static int64_t time_of(struct reader *r, int64_t seq)
{
    struct arena arena = ARENA_INIT;
    struct event *events;
    struct error e;
    size_t count;
    int64_t at = -1;
    if (seq > 0 && !journal_read(r, &arena, seq - 1, 1, &events, &count, &e) && count == 1 &&
        events->seq == seq)
        at = events->at;
    arena_release(&arena);
    return at;
}

/* The number that ends with `end`, and what is behind it; NULL: there is none. */
static const char *take_number(const char *text, char end, int64_t *number)
{
    char *behind;
    errno = 0;
    *number = strtoll(text, &behind, 10);
    return errno || behind == text || *behind != end ? NULL : behind + 1;
}

/* "SEQ AT CALL", and nothing else. */
static bool parse(const char *text, struct visit *out)
{
    const char *at = take_number(text, ' ', &out->seq);
    const char *call = at ? take_number(at, ' ', &out->at) : NULL;
    const char *end = call ? take_number(call, '\n', &out->call) : NULL;
    return end && !*end && out->seq >= 0 && out->call >= 0;
}

bool visit_read(struct reader *r, const char *path, struct visit *out)
{
    char text[FILE_LONGEST] = "";
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    if (fd < 0)
        return false;
    struct stat st;
    ssize_t len = fstat(fd, &st) ? -1 : read(fd, text, sizeof(text) - 1);
    close(fd);
    if (len <= 0 || !parse(text, out) || time_of(r, out->seq) != out->at)
        return false;
    out->left_at = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
    return true;
}

static bool write_file(const char *path, const char *text)
{
    struct error e;
    if (opening_make_parents(path, &e))
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool whole = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    return close(fd) == 0 && whole;
}

void visit_write(struct reader *r, const char *path, int64_t seq, int64_t call)
{
    struct strbuf beside = STRBUF_INIT;
    struct visit was;
    char text[FILE_LONGEST];
    if (path && visit_read(r, path, &was)) {
        seq = was.seq > seq ? was.seq : seq;
        call = was.call > call ? was.call : call;
    }
    int64_t at = time_of(r, seq);
    if (!path || call == VISIT_CALL_UNKNOWN || (seq > 0 && at < 0))
        return;
    snprintf(text, sizeof(text), "%lld %lld %lld\n", (long long)seq, (long long)at,
             (long long)call);
    strbuf_addf(&beside, "%s.%ld", path, (long)getpid());
    if (!write_file(beside.buf, text) || rename(beside.buf, path))
        unlink(beside.buf);
    strbuf_release(&beside);
}

struct since since_of(const struct view *v)
{
    return (struct since){.only = v->only_new, .after = v->app->unread.seq};
}

struct finding {
    struct since *since;
    const atomic_bool *cancelled;
};

static int take(void *arg, int64_t node)
{
    struct finding *finding = arg;
    marks_set(&finding->since->written, node, true);
    return atomic_load(finding->cancelled);
}

int since_read(struct since *s, struct reader *r, const atomic_bool *cancelled, struct error *e)
{
    struct finding finding = {s, cancelled};
    return s->only ? journal_changed(r, s->after, take, &finding, e) : 0;
}

bool since_wants(const struct since *s, int64_t node)
{
    return !s->only || marks_has(&s->written, node);
}

void since_release(struct since *s)
{
    marks_release(&s->written);
}
