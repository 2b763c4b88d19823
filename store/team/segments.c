/*
 * The team's journal as files, without a server: a directory, a target of rsync, an object store
 * that is mounted. DIR/STORE/ has
 *
 *   begin.json                   the chain end after which the journal begins
 *   00000000000000000101.jsonl   a segment: events from 101 on, one a line
 *   snapshot-….db                a snapshot as of that event
 *   machines/0.json, machines/0.jsonl   what machine 0 reports, and its sessions
 *   erase.jsonl                  erasures under way, for whoever finds them after a crash
 *   lock                         its byte 0 is locked by who changes something
 *
 * A file is written under another name, synced, and put in place whole. Of two writers of one
 * segment only one gets its name (link), also where locks do not work: the order needs no lock.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/journal/canonical.h"
#include "store/platform/platform.h"
#include "store/team/transport_internal.h"

#define LINE_MAX_BYTES (4u * EVENT_BYTES_MAX) /* escapes make a text longer */

struct segments {
    struct transport base;
    char *dir;
    int folder; /* DIR/STORE; -1 while there is none */
    int lock;   /* the open lock file; -1 */
    bool locked;
    struct watcher *watcher;
};

static struct segments *own(struct transport *t)
{
    return (struct segments *)t;
}

/* An error of the system about a file of the folder. */
static int failed(const struct segments *s, const char *name, struct error *e)
{
    bool away = errno == EIO || errno == ESTALE || errno == ENOTCONN || errno == ETIMEDOUT ||
                errno == ENODEV;
    return error_set(e, away ? ERROR_BUSY : ERROR_STORE, error_write_hint(errno), "%s/%s: %s",
                     s->dir, name, strerror(errno));
}

/* ---- names ---- */

struct numbers {
    int64_t *item;
    size_t count, alloc;
};
#define AUTO_NUMBERS __attribute__((cleanup(numbers_release))) struct numbers

static void numbers_release(struct numbers *n)
{
    free(n->item);
}

static int compare_numbers(const void *a, const void *b)
{
    return COMPARE(*(const int64_t *)a, *(const int64_t *)b);
}

/* The kinds of files that have a number in their names. What is in `machines` wakes nobody. */
static const struct family {
    const char *dir, *before, *after;
    int digits;
} segment_files = {".", "", ".jsonl", 20}, snapshot_files = {".", "snapshot-", ".db", 20},
  machine_files = {"machines", "", ".json", 1}, session_files = {"machines", "", ".jsonl", 1};

struct name {
    char text[64];
};

static struct name name_of(const struct family *f, int64_t number)
{
    struct name n;
    snprintf(n.text, sizeof(n.text), "%s/%s%0*" PRId64 "%s", f->dir, f->before, f->digits, number,
             f->after);
    return n;
}

static int list_numbers(struct segments *s, const struct family *f, struct numbers *out,
                        struct error *e)
{
    int fd = openat(s->folder, f->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        return failed(s, f->dir, e);
    for (struct dirent *entry; (entry = readdir(d));) {
        size_t before = strlen(f->before);
        const char *digits = entry->d_name + before;
        if (strncmp(entry->d_name, f->before, before) != 0 || digits[0] < '0' || digits[0] > '9')
            continue;
        int64_t number = strtoll(digits, NULL, 10);
        if (strcmp(entry->d_name, strchr(name_of(f, number).text, '/') + 1) == 0)
            *ARRAY_ADD(out->item, out->count, out->alloc) = number;
    }
    closedir(d);
    if (out->count)
        qsort(out->item, out->count, sizeof(*out->item), compare_numbers);
    return 0;
}

/* ---- reading and writing files ---- */

/* Returns other than 0 to end: 1, or -1 with `e`. */
typedef int line_function(void *arg, const char *line, size_t len, struct error *e);

static int cut_lines(struct strbuf *text, const char *name, line_function *each, void *arg,
                     struct error *e)
{
    size_t at = 0;
    int result = 0;
    for (char *end; !result && (end = memchr(text->buf + at, '\n', text->len - at));) {
        *end = '\0';
        result = each(arg, text->buf + at, (size_t)(end - text->buf) - at, e);
        at = (size_t)(end - text->buf) + 1;
    }
    memmove(text->buf, text->buf + at, text->len - at);
    strbuf_cut(text, text->len - at);
    if (result == 0 && text->len > LINE_MAX_BYTES)
        return error_set(e, ERROR_INVALID, "", "%s has a line of more than %u bytes", name,
                         LINE_MAX_BYTES);
    return result;
}

/* Opens a file of the folder, which anybody may have put there. -1 with errno. */
static int open_file(struct segments *s, const char *name)
{
    struct stat file;
    int fd = openat(s->folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0 || (fstat(fd, &file) == 0 && S_ISREG(file.st_mode)))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

/* Calls `each` for each line. Returns its result, 0 also if there is no such file. */
static int each_line(struct segments *s, const char *name, line_function *each, void *arg,
                     struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    int fd = open_file(s, name), result = 0;
    ssize_t n = 0;
    if (fd < 0)
        return errno == ENOENT ? 0 : failed(s, name, e);
    while (result == 0) {
        strbuf_grow(&text, 1 << 16);
        n = read(fd, text.buf + text.len, 1 << 16);
        if (n <= 0)
            break;
        text.len += (size_t)n;
        result = cut_lines(&text, name, each, arg, e);
    }
    if (n < 0)
        result = failed(s, name, e);
    else if (result == 0 && text.len)
        result = error_set(e, ERROR_STORE, "Copy it there again.", "%s ends within a line", name);
    close(fd);
    return result < 0 && e->code == ERROR_INVALID ? error_prefix(e, "%s", name) : result;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    for (ssize_t n; len > 0; bytes += n, len -= (size_t)n)
        if ((n = write(fd, bytes, len)) < 0)
            return false;
    return true;
}

/* A name for a file that is then placed as `name`, in the same directory. */
static struct name new_name(const char *name)
{
    static _Atomic unsigned count;
    struct name n;
    const char *slash = strchr(name, '/');
    snprintf(n.text, sizeof(n.text), "%.*s.new-%ld-%u", slash ? (int)(slash - name) + 1 : 0, name,
             (long)getpid(), count++);
    return n;
}

/* Gives the synced file `from` its name. Returns 0 if that is taken and not to be replaced. */
static int place(struct segments *s, const char *from, const char *name, bool replace,
                 struct error *e)
{
    int result = replace ? renameat(s->folder, from, s->folder, name)
                         : linkat(s->folder, from, s->folder, name, 0);
    if (result && !replace && errno != EEXIST && faccessat(s->folder, name, F_OK, 0))
        result = renameat(s->folder, from, s->folder, name); /* it has no links */
    if (result && !replace && faccessat(s->folder, name, F_OK, 0) == 0)
        return 0;
    if (result)
        return failed(s, name, e);
    fsync(s->folder);
    return 1;
}

static int put(struct segments *s, const char *name, const struct strbuf *text, bool replace,
               struct error *e)
{
    struct name new = new_name(name);
    int fd = openat(s->folder, new.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), result;
    if (fd < 0)
        return failed(s, name, e);
    bool written = write_all(fd, text->buf, text->len) && fsync(fd) == 0;
    if (close(fd) || !written)
        result = failed(s, name, e);
    else
        result = place(s, new.text, name, replace, e);
    unlinkat(s->folder, new.text, 0);
    return result;
}

/* ---- the lock ---- */

static bool has_folder(struct segments *s)
{
    AUTO_FREE char *path = s->base.store ? xformat("%s/%s", s->dir, s->base.store) : NULL;
    if (s->folder < 0 && path)
        s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return s->folder >= 0;
}

/*
 * Waits for who has the lock; who has stalled is passed by. Where a folder has no locks all go on
 * without: names decide who comes first.
 */
static int take(struct segments *s, struct error *e)
{
    if (!has_folder(s))
        return transport_no_team(&s->base, e);
    if (s->locked)
        return 0;
    if (s->lock < 0)
        s->lock = openat(s->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock < 0)
        return failed(s, "lock", e);
    platform_lock_wait(s->lock, 0, TRANSPORT_WAIT_MS, NULL, NULL);
    return 0;
}

/* After take(): what transport_lock took stays. */
static void release(struct segments *s)
{
    if (s->lock >= 0 && !s->locked)
        platform_unlock(s->lock, 0);
}

/* ---- events as lines ---- */

static void add_hex(struct json_object *o, const char *key, const unsigned char *bytes, size_t size)
{
    char hex[2 * DIGEST_SIZE + 1];
    transport_hex(hex, bytes, size);
    json_pair(o, key, hex);
}

static void add_event(struct strbuf *out, const struct team_event *v)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "seq", v->seq);
    add_hex(&o, "hash", v->hash.bytes, DIGEST_SIZE);
    json_pair(&o, "canonical", v->canonical);
    if (v->salt)
        add_hex(&o, "salt", v->salt, SALT_SIZE);
    json_pair_if(&o, "patch", v->patch);
    json_pair_if(&o, "line", v->line);
    json_end_line(&o);
}

/* The line is a checked object. */
static int read_event(struct team_event *out, struct arena *arena, const char *line, size_t len,
                      struct error *e)
{
    struct json_slice o = json_trim(line, len);
    const char *hash = json_get_text(arena, o, "hash"), *salt = json_get_text(arena, o, "salt");
    *out = (struct team_event){.canonical = json_get_text(arena, o, "canonical"),
                               .patch = json_get_text(arena, o, "patch"),
                               .line = json_get_text(arena, o, "line")};
    if (json_integer(json_get(o, "seq"), &out->seq) || !out->canonical || !hash ||
        digest_from_hex(&out->hash, hash) || (salt && !(out->salt = transport_salt(arena, salt))))
        return error_set(e, ERROR_INVALID, "", "A line is not an event");
    return transport_check_size(out->seq, len / 4, e);
}

/* ---- the team ---- */

struct begin {
    struct chain_end at;
    bool found;
};

static int read_begin(void *arg, const char *line, size_t len, struct error *e)
{
    struct begin *b = arg;
    AUTO_ARENA arena = ARENA_INIT;
    int64_t format;
    if (json_check(line, len, 1, e))
        return -1;
    struct json_slice o = json_trim(line, len);
    const char *hash = json_get_text(&arena, o, "hash");
    if (json_integer(json_get(o, "seq"), &b->at.count) || !hash ||
        digest_from_hex(&b->at.hash, hash) || json_integer(json_get(o, "format"), &format))
        return error_set(e, ERROR_INVALID, "", "It does not say where the journal begins");
    b->found = true;
    return transport_check_format(format, e) ? -1 : 1;
}

static int segments_create(struct transport *t, const char *store, const struct chain_end *at,
                           struct error *e)
{
    struct segments *s = own(t);
    AUTO_FREE char *path = xformat("%s/%s", s->dir, store);
    AUTO_STRBUF text = STRBUF_INIT;
    struct json_object o = json_begin(&text, '{');
    json_pair_int(&o, "format", TEAM_FORMAT);
    json_pair_int(&o, "seq", at->count);
    add_hex(&o, "hash", at->hash.bytes, DIGEST_SIZE);
    json_end_line(&o);
    if ((mkdir(s->dir, 0700) && errno != EEXIST) || (mkdir(path, 0700) && errno != EEXIST))
        return failed(s, store, e);
    if (s->folder >= 0)
        close(s->folder);
    s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->folder < 0)
        return failed(s, store, e);
    if (mkdirat(s->folder, "machines", 0777) && errno != EEXIST)
        return failed(s, "machines", e);
    int placed = put(s, "begin.json", &text, false, e);
    return placed ? placed > 0 ? 0 : -1
                  : error_set(e, ERROR_CONFLICT, "", "There is a team %s already", store);
}

static int segments_stores(struct transport *t, struct arena *arena, const char ***out,
                           size_t *count, struct error *e)
{
    struct segments *s = own(t);
    DIR *d = opendir(s->dir);
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    if (!d)
        return errno == ENOENT ? error_set(e, ERROR_NOT_FOUND, "stemma team create makes one.",
                                           "there is no folder %s", s->dir)
                               : failed(s, "", e);
    for (struct dirent *entry; (entry = readdir(d));) {
        AUTO_FREE char *begin = xformat("%s/begin.json", entry->d_name);
        if (strlen(entry->d_name) == 36 && ref_is_uuid_prefix(entry->d_name, 36) &&
            faccessat(dirfd(d), begin, F_OK, 0) == 0)
            *ARENA_ADD(arena, *out, *count, alloc) = arena_strdup(arena, entry->d_name);
    }
    closedir(d);
    return 0;
}

struct machine {
    struct arena *arena;
    struct team_machine m;
    bool found, left;
};

static int read_machine(void *arg, const char *line, size_t len, struct error *e)
{
    struct machine *m = arg;
    if (json_check(line, len, 1, e))
        return -1;
    struct json_slice o = json_trim(line, len), left = json_get(o, "left");
    m->m.name = json_get_text(m->arena, o, "name");
    m->left = left.ptr && left.ptr[0] == 't';
    if (!m->m.name || json_integer(json_get(o, "applied"), &m->m.applied))
        return error_set(e, ERROR_INVALID, "", "It is no machine");
    m->found = true;
    return 1;
}

static int get_machine(struct segments *s, struct arena *arena, int number, struct machine *out,
                       struct error *e)
{
    struct stat st;
    struct name name = name_of(&machine_files, number);
    *out = (struct machine){.arena = arena, .m.number = number};
    if (each_line(s, name.text, read_machine, out, e) < 0)
        return -1;
    if (!out->found)
        return error_set(e, ERROR_NOT_FOUND, "stemma team join registers it.",
                         "There is no machine %d in team %s", number, s->base.store);
    if (fstatat(s->folder, name.text, &st, 0) == 0)
        out->m.seen_at = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
    return 0;
}

static int put_machine(struct segments *s, const struct machine *m, bool replace, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct json_object o = json_begin(&text, '{');
    json_pair(&o, "name", m->m.name);
    json_pair_int(&o, "applied", m->m.applied);
    json_pair_bool(&o, "left", m->left);
    json_end_line(&o);
    return put(s, name_of(&machine_files, m->m.number).text, &text, replace, e);
}

/* All, with those that left. */
static int get_machines(struct segments *s, struct arena *arena, struct machine **out,
                        size_t *count, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    *count = 0;
    *out = NULL;
    if (!has_folder(s))
        return transport_no_team(&s->base, e);
    if (list_numbers(s, &machine_files, &numbers, e))
        return -1;
    *count = numbers.count;
    *out = arena_array(arena, numbers.count, sizeof(**out));
    for (size_t i = 0; i < numbers.count; i++)
        if (get_machine(s, arena, (int)numbers.item[i], &(*out)[i], e))
            return -1;
    return 0;
}

static int join(struct segments *s, const char *name, int *number, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct machine *all, m = {.m = {.name = name}};
    size_t count;
    if (get_machines(s, &arena, &all, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].m.name, name) == 0) {
            *number = all[i].m.number;
            all[i].left = false;
            return put_machine(s, &all[i], true, e) < 0 ? -1 : 0;
        }
        m.m.number = all[i].m.number + 1;
    }
    for (int placed; (placed = put_machine(s, &m, false, e)) <= 0; m.m.number++)
        if (placed < 0)
            return -1;
    *number = m.m.number;
    return 0;
}

static int segments_join(struct transport *t, const char *machine, int *number, struct error *e)
{
    if (take(own(t), e))
        return -1;
    int result = join(own(t), machine, number, e);
    release(own(t));
    return result;
}

static int segments_leave(struct transport *t, int machine, struct error *e)
{
    struct segments *s = own(t);
    AUTO_ARENA arena = ARENA_INIT;
    struct machine m;
    if (take(s, e))
        return -1;
    int result = get_machine(s, &arena, machine, &m, e);
    m.left = true;
    if (result == 0)
        result = put_machine(s, &m, true, e) < 0 ? -1 : 0;
    release(s);
    return result;
}

static int segments_machines(struct transport *t, struct arena *arena, struct team_machine **out,
                             size_t *count, struct error *e)
{
    struct machine *all;
    size_t found;
    if (get_machines(own(t), arena, &all, &found, e))
        return -1;
    *count = 0;
    *out = arena_array(arena, found, sizeof(**out));
    for (size_t i = 0; i < found; i++)
        if (!all[i].left)
            (*out)[(*count)++] = all[i].m;
    return 0;
}

/* ---- the journal ---- */

static int keep_line(void *arg, const char *line, size_t len, struct error *e)
{
    struct strbuf *last = arg;
    (void)e;
    strbuf_clear(last);
    strbuf_add(last, line, len);
    return 0;
}

static int segments_head(struct transport *t, struct chain_end *out, struct error *e)
{
    struct segments *s = own(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    AUTO_STRBUF last = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct begin begin = {.found = false};
    struct team_event event;
    if (!has_folder(s))
        return transport_no_team(t, e);
    if (each_line(s, "begin.json", read_begin, &begin, e) < 0)
        return -1;
    if (!begin.found)
        return transport_no_team(t, e);
    *out = begin.at;
    if (list_numbers(s, &segment_files, &numbers, e))
        return -1;
    if (numbers.count == 0)
        return 0;
    struct name name = name_of(&segment_files, numbers.item[numbers.count - 1]);
    if (each_line(s, name.text, keep_line, &last, e) < 0)
        return -1;
    if (json_check(last.buf, last.len, 1, e) || read_event(&event, &arena, last.buf, last.len, e))
        return error_prefix(e, "%s", name.text);
    *out = (struct chain_end){event.seq, event.hash};
    return 0;
}

struct fetch {
    struct arena *arena;
    int64_t after;
    size_t limit, bytes;
    struct team_event *event;
    size_t count, alloc;
};

static int fetch_line(void *arg, const char *line, size_t len, struct error *e)
{
    struct fetch *f = arg;
    int64_t seq;
    if (json_check(line, len, 1, e))
        return -1;
    if (json_integer(json_get(json_trim(line, len), "seq"), &seq) == 0 && seq <= f->after)
        return 0;
    if (read_event(ARENA_ADD(f->arena, f->event, f->count, f->alloc), f->arena, line, len, e))
        return -1;
    f->bytes += len;
    return f->count >= f->limit || f->bytes >= FETCH_BYTES;
}

static int segments_fetch(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                          struct team_event **out, size_t *count, struct error *e)
{
    struct segments *s = own(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    struct fetch f = {.arena = arena, .after = after, .limit = limit};
    *out = NULL;
    *count = 0;
    if (!has_folder(s))
        return transport_no_team(t, e);
    if (list_numbers(s, &segment_files, &numbers, e))
        return -1;
    size_t i = 0;
    while (i + 1 < numbers.count && numbers.item[i + 1] <= after + 1)
        i++;
    int result = limit ? 0 : 1;
    for (; i < numbers.count && result == 0; i++)
        result = each_line(s, name_of(&segment_files, numbers.item[i]).text, fetch_line, &f, e);
    *out = f.event;
    *count = f.count;
    return result < 0 ? -1 : 0;
}

/* ---- erasing ---- */

/* An event that erases the bodies of `ref` up to event `to`. */
struct erasure {
    int64_t seq, to;
    struct digest hash;
    const char *ref;
};
struct erasures {
    struct arena arena;
    struct erasure *item;
    size_t count, alloc;
};

/* The same as ERASES in postgres_schema.c; 0: none. A purge erases all before it. */
static void find_erasure(struct erasures *all, const struct team_event *v)
{
    struct canonical c;
    if (canonical_read(&c, &all->arena, v->canonical, strlen(v->canonical)) == 0 && c.ref &&
        canonical_erases(&c) > 0)
        *ARENA_ADD(&all->arena, all->item, all->count, all->alloc) =
            (struct erasure){v->seq, canonical_erases(&c), v->hash, c.ref};
}

/* The lines of a segment, without the bodies that are erased; `out` NULL: only looks for them. */
struct rewrite {
    const struct erasures *all;
    FILE *out;
    bool any;
};

static bool is_erased(const struct erasures *all, struct arena *arena, const struct team_event *v)
{
    struct canonical c;
    if ((!v->salt && !v->patch && !v->line) ||
        canonical_read(&c, arena, v->canonical, strlen(v->canonical)) || !c.ref)
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (v->seq <= all->item[i].to && strcmp(c.ref, all->item[i].ref) == 0)
            return true;
    return false;
}

static int rewrite_line(void *arg, const char *line, size_t len, struct error *e)
{
    struct rewrite *w = arg;
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct team_event v;
    if (json_check(line, len, 1, e) || read_event(&v, &arena, line, len, e))
        return -1;
    if (is_erased(w->all, &arena, &v)) {
        w->any = true;
        v.salt = NULL;
        v.patch = v.line = NULL;
    }
    if (!w->out)
        return w->any;
    add_event(&text, &v);
    fwrite(text.buf, 1, text.len, w->out);
    return 0;
}

static int rewrite_segment(struct segments *s, const struct erasures *all, int64_t number,
                           struct error *e)
{
    struct name name = name_of(&segment_files, number), new = new_name(name.text);
    struct rewrite w = {.all = all};
    int result = each_line(s, name.text, rewrite_line, &w, e);
    if (result <= 0)
        return result;
    int fd = openat(s->folder, new.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 || !(w.out = fdopen(fd, "wb")))
        return failed(s, name.text, e);
    result = each_line(s, name.text, rewrite_line, &w, e);
    bool lost = fflush(w.out) || fsync(fd) || ferror(w.out);
    if ((fclose(w.out) || lost) && result == 0)
        result = failed(s, name.text, e);
    if (result == 0)
        result = place(s, new.text, name.text, true, e) > 0 ? 0 : -1;
    unlinkat(s->folder, new.text, 0);
    return result;
}

static int remove_snapshots(struct segments *s, int64_t before, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (list_numbers(s, &snapshot_files, &numbers, e))
        return -1;
    for (size_t i = 0; i < numbers.count; i++)
        if (numbers.item[i] < before &&
            unlinkat(s->folder, name_of(&snapshot_files, numbers.item[i]).text, 0) &&
            errno != ENOENT)
            return failed(s, "snapshot", e);
    return 0;
}

/* Removes what writers that were killed left, which may have what is erased. The caller has the lock. */
static void remove_unplaced(struct segments *s, const char *dir)
{
    int fd = openat(s->folder, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (strncmp(entry->d_name, ".new-", 5) == 0)
            unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
}

static int erase(struct segments *s, const struct erasures *all, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (all->count == 0)
        return 0;
    if (list_numbers(s, &segment_files, &numbers, e))
        return -1;
    for (size_t i = 0; i < numbers.count; i++)
        if (rewrite_segment(s, all, numbers.item[i], e))
            return -1;
    remove_unplaced(s, ".");
    if (remove_snapshots(s, all->item[all->count - 1].seq, e))
        return -1;
    unlinkat(s->folder, "erase.jsonl", 0);
    return 0;
}

/* An event of erase.jsonl counts if it came into the journal. */
struct unfinished {
    struct segments *s;
    struct erasures *all;
};

static int read_unfinished(void *arg, const char *line, size_t len, struct error *e)
{
    struct unfinished *u = arg;
    struct team_event v, *there;
    size_t count;
    if (json_check(line, len, 1, e) || read_event(&v, &u->all->arena, line, len, e) ||
        segments_fetch(&u->s->base, v.seq - 1, 1, &u->all->arena, &there, &count, e))
        return -1;
    if (count && there[0].seq == v.seq && digest_equal(&there[0].hash, &v.hash))
        find_erasure(u->all, &v);
    return 0;
}

static int finish_erasing(struct segments *s, struct error *e)
{
    struct erasures all = {.arena = ARENA_INIT};
    int result = each_line(s, "erase.jsonl", read_unfinished, &(struct unfinished){s, &all}, e);
    if (result >= 0)
        result = erase(s, &all, e);
    arena_release(&all.arena);
    return result;
}

static int put_erasures(struct segments *s, struct erasures *all, const struct team_event *events,
                        size_t count, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        size_t before = all->count;
        find_erasure(all, &events[i]);
        if (all->count > before)
            add_event(&text, &(struct team_event){.seq = events[i].seq,
                                                  .hash = events[i].hash,
                                                  .canonical = events[i].canonical});
    }
    return all->count && put(s, "erase.jsonl", &text, true, e) < 0 ? -1 : 0;
}

/* ---- appending ---- */

/* The caller has the lock, as far as there are locks. */
static int append(struct segments *s, const struct chain_end *base, const struct team_event *events,
                  size_t count, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct erasures all = {.arena = ARENA_INIT};
    struct chain_end head = {0, {{0}}};
    if (finish_erasing(s, e) || segments_head(&s->base, &head, e))
        return -1;
    if (head.count != base->count || !digest_equal(&head.hash, &base->hash))
        return 0;
    for (size_t i = 0; i < count; i++)
        add_event(&text, &events[i]);
    int result = put_erasures(s, &all, events, count, e);
    if (result == 0)
        result = put(s, name_of(&segment_files, base->count + 1).text, &text, false, e);
    if (result > 0 && erase(s, &all, e))
        result = -1;
    arena_release(&all.arena);
    return result;
}

static void segments_unlock(struct transport *t)
{
    own(t)->locked = false;
    release(own(t));
}

static int segments_append(struct transport *t, int machine, const struct chain_end *base,
                           const struct team_event *events, size_t count, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct machine m;
    int result = -1;
    if (take(own(t), e))
        return -1;
    if (get_machine(own(t), &arena, machine, &m, e) == 0)
        result = append(own(t), base, events, count, e);
    segments_unlock(t);
    return result;
}

static int segments_lock(struct transport *t, struct error *e)
{
    if (take(own(t), e))
        return -1;
    own(t)->locked = true;
    return 0;
}

static int segments_fd(struct transport *t)
{
    struct segments *s = own(t);
    AUTO_FREE char *path = xformat("%s/%s/", s->dir, t->store);
    if (!s->watcher && has_folder(s))
        s->watcher = watcher_new((const char *const[]){path}, 1);
    return s->watcher ? watcher_fd(s->watcher) : -1;
}

static void segments_heard(struct transport *t)
{
    if (own(t)->watcher)
        watcher_take(own(t)->watcher);
}

/* ---- sessions ---- */

struct session_list {
    struct arena *arena;
    int64_t after;
    struct team_session *item;
    size_t count, alloc;
};

static int read_session(void *arg, const char *line, size_t len, struct error *e)
{
    struct session_list *list = arg;
    struct team_session session;
    if (json_check(line, len, 1, e))
        return -1;
    struct json_slice o = json_trim(line, len);
    if (json_integer(json_get(o, "id"), &session.id) ||
        json_integer(json_get(o, "changed"), &session.changed) ||
        !(session.row = json_get_text(list->arena, o, "row")))
        return error_set(e, ERROR_INVALID, "", "A line is no session");
    if (session.changed > list->after)
        *ARENA_ADD(list->arena, list->item, list->count, list->alloc) = session;
    return 0;
}

static int compare_sessions(const void *a, const void *b)
{
    const struct team_session *x = a, *y = b;
    int order = COMPARE(x->changed, y->changed);
    return order ? order : COMPARE(x->id, y->id);
}

static int read_sessions(struct segments *s, struct session_list *list, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (!has_folder(s))
        return transport_no_team(&s->base, e);
    if (list_numbers(s, &session_files, &numbers, e))
        return -1;
    for (size_t i = 0; i < numbers.count; i++)
        if (each_line(s, name_of(&session_files, numbers.item[i]).text, read_session, list, e) < 0)
            return -1;
    if (list->count)
        qsort(list->item, list->count, sizeof(*list->item), compare_sessions);
    return 0;
}

static void add_session(struct strbuf *out, const struct team_session *session, int64_t changed)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "id", session->id);
    json_pair_int(&o, "changed", changed);
    json_pair(&o, "row", session->row);
    json_end_line(&o);
}

static int put_sessions(struct segments *s, int machine, const struct team_session *sessions,
                        size_t count, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct session_list all = {.arena = &arena, .after = INT64_MIN}, own_rows = all;
    struct name name = name_of(&session_files, machine);
    if (read_sessions(s, &all, e) || each_line(s, name.text, read_session, &own_rows, e) < 0)
        return -1;
    int64_t changed = all.count ? all.item[all.count - 1].changed + 1 : 1;
    for (size_t i = 0; i < own_rows.count; i++) {
        size_t again = 0;
        while (again < count && sessions[again].id != own_rows.item[i].id)
            again++;
        if (again == count)
            add_session(&text, &own_rows.item[i], own_rows.item[i].changed);
    }
    for (size_t i = 0; i < count; i++)
        add_session(&text, &sessions[i], changed);
    return put(s, name.text, &text, true, e) < 0 ? -1 : 0;
}

static int segments_report(struct transport *t, int machine, int64_t applied,
                           const struct team_session *sessions, size_t count, struct error *e)
{
    struct segments *s = own(t);
    AUTO_ARENA arena = ARENA_INIT;
    struct machine m;
    if (take(s, e))
        return -1;
    int result = get_machine(s, &arena, machine, &m, e);
    m.m.applied = applied;
    if (result == 0)
        result = put_machine(s, &m, true, e) < 0 ? -1 : 0;
    if (result == 0 && count)
        result = put_sessions(s, machine, sessions, count, e);
    release(s);
    return result;
}

static int segments_sessions(struct transport *t, int64_t changed, struct arena *arena,
                             struct team_session **out, size_t *count, struct error *e)
{
    struct session_list list = {.arena = arena, .after = changed};
    if (read_sessions(own(t), &list, e))
        return -1;
    *out = list.item;
    *count = list.count;
    return 0;
}

/* ---- snapshots ---- */

/* Returns 0 if one is there that is not older, or something was erased since. The caller has the lock. */
static int snapshot_is_wanted(struct segments *s, int64_t seq, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (list_numbers(s, &snapshot_files, &numbers, e))
        return -1;
    if (numbers.count && numbers.item[numbers.count - 1] >= seq)
        return 0;
    struct erasures all = {.arena = ARENA_INIT};
    struct team_event *events;
    size_t count;
    int result = 1;
    for (int64_t at = seq; result > 0; at = events[count - 1].seq) {
        if (segments_fetch(&s->base, at, 1000, &all.arena, &events, &count, e))
            result = -1;
        if (result < 0 || count == 0)
            break;
        for (size_t i = 0; i < count; i++)
            find_erasure(&all, &events[i]);
        result = all.count == 0;
    }
    arena_release(&all.arena);
    return result;
}

static int segments_put_snapshot(struct transport *t, int64_t seq, const char *path,
                                 struct error *e)
{
    struct segments *s = own(t);
    struct name name = name_of(&snapshot_files, seq), new = new_name(name.text);
    if (!has_folder(s))
        return transport_no_team(t, e);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = openat(s->folder, new.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), result;
    if (from < 0 || to < 0 || platform_copy(from, to) || fsync(to))
        result = failed(s, name.text, e);
    else
        result = take(s, e) ? -1 : 1;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    if (result > 0 && (result = snapshot_is_wanted(s, seq, e)) > 0)
        result = place(s, new.text, name.text, true, e);
    if (result > 0 && remove_snapshots(s, seq, e))
        result = -1;
    unlinkat(s->folder, new.text, 0);
    release(s);
    return result;
}

static int segments_find_snapshot(struct transport *t, int64_t *seq, struct error *e)
{
    struct segments *s = own(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (!has_folder(s))
        return transport_no_team(t, e);
    if (list_numbers(s, &snapshot_files, &numbers, e))
        return -1;
    *seq = numbers.count ? numbers.item[numbers.count - 1] : 0;
    return numbers.count > 0;
}

static int segments_get_snapshot(struct transport *t, const char *path, int64_t *seq,
                                 struct error *e)
{
    struct segments *s = own(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (!has_folder(s))
        return transport_no_team(t, e);
    if (list_numbers(s, &snapshot_files, &numbers, e))
        return -1;
    if (numbers.count == 0)
        return 0;
    *seq = numbers.item[numbers.count - 1];
    struct name name = name_of(&snapshot_files, *seq);
    int from = open_file(s, name.text);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int result =
        from < 0 || to < 0 || platform_copy(from, to) || fsync(to) ? failed(s, name.text, e) : 1;
    if (from >= 0)
        close(from);
    if (to >= 0) {
        close(to);
        if (result < 0)
            unlink(path);
    }
    return result;
}

/* ---- */

static void segments_close(struct transport *t)
{
    struct segments *s = own(t);
    watcher_free(s->watcher);
    if (s->lock >= 0)
        close(s->lock);
    if (s->folder >= 0)
        close(s->folder);
    free(s->dir);
    free(s);
}

static const struct transport_ops ops = {
    segments_create,        segments_stores,   segments_join,         segments_leave,
    segments_machines,      segments_head,     segments_fetch,        segments_append,
    segments_lock,          segments_unlock,   segments_fd,           segments_heard,
    segments_report,        segments_sessions, segments_put_snapshot, segments_get_snapshot,
    segments_find_snapshot, segments_close,
};

struct transport *segments_open(const char *address, const char *store, struct error *e)
{
    /* A store that has joined: its folder may be away for a while. */
    if (store && access(address, F_OK)) {
        error_set(e, ERROR_BUSY, "Is it mounted?", "The team's folder %s is not there: %s", address,
                  strerror(errno));
        return NULL;
    }
    struct segments *s = xcalloc(1, sizeof(*s));
    s->base.ops = &ops;
    s->base.store = store ? xstrdup(store) : NULL;
    s->dir = xstrdup(address);
    s->folder = s->lock = -1;
    return &s->base;
}
