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
#include "store/team/segments.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/platform/platform.h"

/* ---- events as lines ---- */

static void add_hex(struct json_object *o, const char *key, const unsigned char *bytes, size_t size)
{
    char hex[2 * DIGEST_SIZE + 1];
    transport_hex(hex, bytes, size);
    json_pair(o, key, hex);
}

void segment_add_event(struct strbuf *out, const struct team_event *v)
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

int segment_read_event(struct team_event *out, struct arena *arena, const char *line, size_t len,
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

static int segments_stores(struct transport *t, struct arena *arena, const char ***out,
                           size_t *count, struct error *e)
{
    struct segments *s = segments_of(t);
    DIR *d = opendir(s->dir);
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    if (!d)
        return errno == ENOENT
                   ? error_set(e, ERROR_NOT_FOUND,
                               "Is it mounted, and spelled so? stemma team create begins a team.",
                               "there is no folder %s", s->dir)
                   : segments_failed(s, "", e);
    for (struct dirent *entry; (entry = readdir(d));) {
        AUTO_FREE char *begin = xformat("%s/begin.json", entry->d_name);
        if (strlen(entry->d_name) == 36 && ref_is_uuid_prefix(entry->d_name, 36) &&
            faccessat(dirfd(d), begin, F_OK, 0) == 0)
            *ARENA_ADD(arena, *out, *count, alloc) = arena_strdup(arena, entry->d_name);
    }
    closedir(d);
    return 0;
}

/* Who is to begin the first team of a folder. */
static int read_first(void *arg, const char *line, size_t len, struct error *e)
{
    char *id = arg;
    AUTO_ARENA arena = ARENA_INIT;
    if (json_check(line, len, 1, e))
        return -1;
    const char *store = json_get_text(&arena, json_trim(line, len), "store");
    if (!store || strlen(store) != 36 || !ref_is_uuid_prefix(store, 36))
        return error_set(e, ERROR_INVALID, "Remove it, if there is no team.", "It has no id");
    memcpy(id, store, 37);
    return 1;
}

/*
 * Of several that begin a first team at once, one gets to place first.json. The others go on with
 * its id, so that only one of them can place begin.json, also if who was first has been stopped.
 */
static int choose_first(struct segments *s, char id[37], struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    const char **stores;
    size_t count;
    if (segments_stores(&s->base, &arena, &stores, &count, e))
        return -1;
    if (count)
        return transport_has_team(stores[0], e);
    struct json_object o = json_begin(&text, '{');
    json_pair(&o, "store", id);
    json_end_line(&o);
    if (segments_open_folder(s, s->dir, e))
        return -1;
    int placed = segments_put(s, "first.json", &text, false, e);
    return placed < 0 || (placed == 0 && segments_each_line(s, "first.json", read_first, id, e) < 0)
               ? -1
               : 0;
}

static int segments_create(struct transport *t, const char *store, const struct chain_end *at,
                           bool first, struct error *e)
{
    struct segments *s = segments_of(t);
    char id[37];
    AUTO_STRBUF text = STRBUF_INIT;
    struct json_object o = json_begin(&text, '{');
    json_pair_int(&o, "format", TEAM_FORMAT);
    json_pair_int(&o, "seq", at->count);
    add_hex(&o, "hash", at->hash.bytes, DIGEST_SIZE);
    json_end_line(&o);
    snprintf(id, sizeof(id), "%s", store);
    if (mkdir(s->dir, 0700) && errno != EEXIST)
        return segments_failed(s, "", e);
    if (first && choose_first(s, id, e))
        return -1;
    AUTO_FREE char *path = xformat("%s/%s", s->dir, id);
    bool made = mkdir(path, 0700) == 0;
    struct stat dir;
    if (!made && errno != EEXIST)
        return segments_failed(s, id, e);
    /* A folder that a group shares is shared, with what is in it. */
    if (made && stat(s->dir, &dir) == 0 && dir.st_mode & S_IWGRP)
        chmod(path, dir.st_mode & 07777);
    if (segments_open_folder(s, path, e))
        return -1;
    if (mkdirat(s->folder, "machines", 0777) && errno != EEXIST)
        return segments_failed(s, "machines", e);
    int placed = segments_put(s, "begin.json", &text, false, e);
    if (placed <= 0)
        return placed ? -1 : transport_has_team(id, e);
    free(t->store);
    t->store = xstrdup(id);
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
    struct segments *s = segments_of(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    AUTO_STRBUF last = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct begin begin = {.found = false};
    struct team_event event;
    if (!segments_exists(s))
        return transport_no_team(t, e);
    if (segments_each_line(s, "begin.json", read_begin, &begin, e) < 0)
        return -1;
    if (!begin.found)
        return transport_no_team(t, e);
    *out = begin.at;
    if (segments_list(s, &segment_files, &numbers, e))
        return -1;
    if (numbers.count == 0)
        return 0;
    struct segments_name name = segments_name(&segment_files, numbers.item[numbers.count - 1]);
    if (segments_each_line(s, name.text, keep_line, &last, e) < 0)
        return -1;
    if (json_check(last.buf, last.len, 1, e) ||
        segment_read_event(&event, &arena, last.buf, last.len, e))
        return error_prefix(e, "%s", segments_path(s, &arena, name.text));
    *out = (struct chain_end){event.seq, event.hash};
    return 0;
}

struct fetch {
    struct arena *arena;
    int64_t after;
    size_t limit, bytes;
    struct team_event *event;
    size_t count, alloc;
    const char *file;
};

static int fetch_line(void *arg, const char *line, size_t len, struct error *e)
{
    struct fetch *f = arg;
    int64_t seq;
    if (json_check(line, len, 1, e))
        return -1;
    if (json_integer(json_get(json_trim(line, len), "seq"), &seq) == 0 && seq <= f->after)
        return 0;
    struct team_event event;
    if (segment_read_event(&event, f->arena, line, len, e))
        return -1;
    event.file = f->file;
    *ARENA_ADD(f->arena, f->event, f->count, f->alloc) = event;
    f->bytes += len;
    return f->count >= f->limit || f->bytes >= FETCH_BYTES;
}

int segments_fetch(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                   struct team_event **out, size_t *count, struct error *e)
{
    struct segments *s = segments_of(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    struct fetch f = {.arena = arena, .after = after, .limit = limit};
    *out = NULL;
    *count = 0;
    if (!segments_exists(s))
        return transport_no_team(t, e);
    if (segments_list(s, &segment_files, &numbers, e))
        return -1;
    size_t i = 0;
    while (i + 1 < numbers.count && numbers.item[i + 1] <= after + 1)
        i++;
    int result = limit ? 0 : 1;
    for (; i < numbers.count && result == 0; i++) {
        struct segments_name name = segments_name(&segment_files, numbers.item[i]);
        f.file = segments_path(s, arena, name.text);
        result = segments_each_line(s, name.text, fetch_line, &f, e);
    }
    *out = f.event;
    *count = f.count;
    return result < 0 && f.count == 0 ? -1 : 0; /* what comes before a bad file is good */
}

/* ---- appending ---- */

/* The caller has the lock, as far as there are locks. */
static int append(struct segments *s, const struct chain_end *base, const struct team_event *events,
                  size_t count, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct erasures all = {.arena = ARENA_INIT};
    struct chain_end head = {0, {{0}}};
    if (erasures_finish(s, e) || segments_head(&s->base, &head, e))
        return -1;
    if (head.count != base->count || !digest_equal(&head.hash, &base->hash))
        return 0;
    for (size_t i = 0; i < count; i++)
        segment_add_event(&text, &events[i]);
    int result = erasures_put(s, &all, events, count, e);
    if (result == 0)
        result =
            segments_put(s, segments_name(&segment_files, base->count + 1).text, &text, false, e);
    if (result > 0 && erasures_carry_out(s, &all, e))
        result = -1;
    arena_release(&all.arena);
    return result;
}

static void segments_unlock(struct transport *t)
{
    segments_of(t)->locked = false;
    segments_release(segments_of(t));
}

static int segments_append(struct transport *t, int machine, const struct chain_end *base,
                           const struct team_event *events, size_t count, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct machine m;
    int result = -1;
    if (segments_take(segments_of(t), e))
        return -1;
    if (segments_live_machine(segments_of(t), &arena, machine, &m, e) == 0)
        result = append(segments_of(t), base, events, count, e);
    segments_unlock(t);
    return result;
}

static int segments_lock(struct transport *t, struct error *e)
{
    if (segments_take(segments_of(t), e))
        return -1;
    segments_of(t)->locked = true;
    return 0;
}

static int segments_fd(struct transport *t)
{
    struct segments *s = segments_of(t);
    AUTO_FREE char *path = xformat("%s/%s/", s->dir, t->store);
    if (!s->watcher && segments_exists(s))
        s->watcher = watcher_new((const char *const[]){path}, 1);
    return s->watcher ? watcher_fd(s->watcher) : -1;
}

static void segments_heard(struct transport *t)
{
    if (segments_of(t)->watcher)
        watcher_take(segments_of(t)->watcher);
}

/* ---- snapshots ---- */

/* Returns 0 if one is there that is not older, or something was erased since. The caller has the lock. */
static int snapshot_is_wanted(struct segments *s, int64_t seq, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (segments_list(s, &snapshot_files, &numbers, e))
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
            erasure_find(&all, &events[i]);
        result = all.count == 0;
    }
    arena_release(&all.arena);
    return result;
}

static int segments_put_snapshot(struct transport *t, int64_t seq, const char *path,
                                 struct error *e)
{
    struct segments *s = segments_of(t);
    struct segments_name name = segments_name(&snapshot_files, seq),
                         new = segments_new_name(name.text);
    if (!segments_exists(s))
        return transport_no_team(t, e);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = openat(s->folder, new.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), result;
    if (from < 0 || to < 0 || platform_copy(from, to) || fsync(to))
        result = segments_failed(s, name.text, e);
    else
        result = segments_take(s, e) ? -1 : 1;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    if (result > 0 && (result = snapshot_is_wanted(s, seq, e)) > 0)
        result = segments_place(s, new.text, name.text, true, e);
    if (result > 0 && segments_remove_snapshots(s, seq, e))
        result = -1;
    unlinkat(s->folder, new.text, 0);
    segments_release(s);
    return result;
}

static int segments_find_snapshot(struct transport *t, int64_t *seq, struct error *e)
{
    struct segments *s = segments_of(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (!segments_exists(s))
        return transport_no_team(t, e);
    if (segments_list(s, &snapshot_files, &numbers, e))
        return -1;
    *seq = numbers.count ? numbers.item[numbers.count - 1] : 0;
    return numbers.count > 0;
}

static int segments_get_snapshot(struct transport *t, const char *path, int64_t *seq,
                                 struct error *e)
{
    struct segments *s = segments_of(t);
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (!segments_exists(s))
        return transport_no_team(t, e);
    if (segments_list(s, &snapshot_files, &numbers, e))
        return -1;
    if (numbers.count == 0)
        return 0;
    *seq = numbers.item[numbers.count - 1];
    struct segments_name name = segments_name(&snapshot_files, *seq);
    int from = segments_open_file(s, name.text);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int result = from < 0 || to < 0 || platform_copy(from, to) || fsync(to)
                     ? segments_failed(s, name.text, e)
                     : 1;
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
    struct segments *s = segments_of(t);
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
