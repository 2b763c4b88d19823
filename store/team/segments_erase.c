/* What a purge erases from the segments and snapshots of a team's folder. */
#include "store/team/segments.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "model/base/array.h"
#include "model/json/json.h"
#include "store/journal/canonical.h"

/* The same as ERASES in postgres_schema.c; 0: none. A purge erases all before it. */
void erasure_find(struct erasures *all, const struct team_event *v)
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
    if (json_check(line, len, 1, e) || segment_read_event(&v, &arena, line, len, e))
        return -1;
    if (is_erased(w->all, &arena, &v)) {
        w->any = true;
        v.salt = NULL;
        v.patch = v.line = NULL;
    }
    if (!w->out)
        return w->any;
    segment_add_event(&text, &v);
    fwrite(text.buf, 1, text.len, w->out);
    return 0;
}

static int rewrite_segment(struct segments *s, const struct erasures *all, int64_t number,
                           struct error *e)
{
    struct segments_name name = segments_name(&segment_files, number),
                         new = segments_new_name(name.text);
    struct rewrite w = {.all = all};
    int result = segments_each_line(s, name.text, rewrite_line, &w, e);
    if (result <= 0)
        return result;
    int fd = openat(s->folder, new.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 || !(w.out = fdopen(fd, "wb")))
        return segments_failed(s, name.text, e);
    result = segments_each_line(s, name.text, rewrite_line, &w, e);
    bool lost = fflush(w.out) || fsync(fd) || ferror(w.out);
    if ((fclose(w.out) || lost) && result == 0)
        result = segments_failed(s, name.text, e);
    if (result == 0)
        result = segments_place(s, new.text, name.text, true, e) > 0 ? 0 : -1;
    unlinkat(s->folder, new.text, 0);
    return result;
}

int segments_remove_snapshots(struct segments *s, int64_t before, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (segments_list(s, &snapshot_files, &numbers, e))
        return -1;
    for (size_t i = 0; i < numbers.count; i++)
        if (numbers.item[i] < before &&
            unlinkat(s->folder, segments_name(&snapshot_files, numbers.item[i]).text, 0) &&
            errno != ENOENT)
            return segments_failed(s, "snapshot", e);
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

int erasures_carry_out(struct segments *s, const struct erasures *all, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (all->count == 0)
        return 0;
    if (segments_list(s, &segment_files, &numbers, e))
        return -1;
    for (size_t i = 0; i < numbers.count; i++)
        if (rewrite_segment(s, all, numbers.item[i], e))
            return -1;
    remove_unplaced(s, ".");
    if (segments_remove_snapshots(s, all->item[all->count - 1].seq, e))
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
    if (json_check(line, len, 1, e) || segment_read_event(&v, &u->all->arena, line, len, e) ||
        segments_fetch(&u->s->base, v.seq - 1, 1, &u->all->arena, &there, &count, e))
        return -1;
    if (count && there[0].seq == v.seq && digest_equal(&there[0].hash, &v.hash))
        erasure_find(u->all, &v);
    return 0;
}

int erasures_finish(struct segments *s, struct error *e)
{
    struct erasures all = {.arena = ARENA_INIT};
    int result =
        segments_each_line(s, "erase.jsonl", read_unfinished, &(struct unfinished){s, &all}, e);
    if (result >= 0)
        result = erasures_carry_out(s, &all, e);
    arena_release(&all.arena);
    return result;
}

int erasures_put(struct segments *s, struct erasures *all, const struct team_event *events,
                 size_t count, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        size_t before = all->count;
        erasure_find(all, &events[i]);
        if (all->count > before)
            segment_add_event(&text, &(struct team_event){.seq = events[i].seq,
                                                          .hash = events[i].hash,
                                                          .canonical = events[i].canonical});
    }
    return all->count && segments_put(s, "erase.jsonl", &text, true, e) < 0 ? -1 : 0;
}
