/* What formats share when they plan how decisions are written back into a source. */
#include "store/import/write_back.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include "model/base/strbuf.h"

struct decision *write_back_find(struct write_back *w, struct ref ref)
{
    AUTO_STRBUF key = STRBUF_INIT;
    ref_add(&key, ref);
    size_t at = key_index_find(&w->by_ref, key.buf, key.len);
    if (at == ROW_NONE)
        return NULL;
    w->decision[at].met = true;
    return &w->decision[at];
}

/* ---- lines ---- */

/* With a line end behind the last line. */
static const char *ended(struct arena *arena, const char *text)
{
    size_t len = strlen(text);
    return len == 0 || text[len - 1] == '\n' ? text : arena_format(arena, "%s\n", text);
}

/* The length of the lines that both begin with. */
static size_t same_lines(const char *a, const char *b)
{
    size_t at = 0, lines = 0;
    for (; a[at] && a[at] == b[at]; at++)
        if (a[at] == '\n')
            lines = at + 1;
    return lines;
}

/* The length of the lines that both end with. */
static size_t same_last_lines(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t lines = 0;
    for (size_t at = 0;; at++) {
        bool a_begins = at == a_len || a[a_len - 1 - at] == '\n',
             b_begins = at == b_len || b[b_len - 1 - at] == '\n';
        lines = a_begins && b_begins ? at : lines;
        if (at == a_len || at == b_len || a[a_len - 1 - at] != b[b_len - 1 - at])
            return lines;
    }
}

/* Leaves out the lines that both texts begin and end with. NULL if nothing is left of one. */
static void cut_lines(struct arena *arena, const char **old, const char **fresh)
{
    *old = ended(arena, *old);
    *fresh = ended(arena, *fresh);
    size_t first = same_lines(*old, *fresh), old_len = strlen(*old += first),
           len = strlen(*fresh += first), last = same_last_lines(*old, old_len, *fresh, len);
    old_len -= last;
    len -= last;
    bool blank = !old_len && !len; /* only the end of the last line differs */
    *old = old_len || blank ? arena_strndup(arena, *old, old_len - !blank) : NULL;
    *fresh = len || blank ? arena_strndup(arena, *fresh, len - !blank) : NULL;
}

/* ---- decisions ---- */

#define BLANK " \t\r\n"

static size_t trimmed_len(const char *text)
{
    size_t len = strlen(text);
    while (len && strchr(BLANK, text[len - 1]))
        len--;
    return len;
}

/* A file of text does not keep the white space around what was written to it. */
static bool same_trimmed(const char *a, const char *b)
{
    a += strspn(a, BLANK);
    b += strspn(b, BLANK);
    size_t len = trimmed_len(a);
    return len == trimmed_len(b) && memcmp(a, b, len) == 0;
}

bool write_back_conflicts(struct write_back *w, struct decision *d, const char *place, int64_t at,
                          const char *base, const char *theirs, const char *ours)
{
    if (!base || w->overwrite || same_trimmed(base, theirs) || same_trimmed(d->now->text, theirs))
        return false;
    if (ours)
        cut_lines(w->arena, &theirs, &ours);
    *ARENA_ADD(w->arena, w->conflict, w->conflict_count, w->conflict_alloc) =
        (struct write_change){d, arena_strdup(w->arena, place), arena_strdup(w->arena, theirs),
                              arena_strdup(w->arena, ours), at};
    return true;
}

bool write_back_decides(struct write_back *w, struct decision *d, const char *place, int64_t at,
                        const char *base, const char *theirs, const char *ours)
{
    if (ours && (strcmp(ours, theirs) == 0 || same_text(ours, base)))
        return false;
    return !write_back_conflicts(w, d, place, at, base, theirs, ours);
}

void write_back_change(struct write_back *w, struct decision *d, const char *place, const char *old,
                       const char *fresh)
{
    if (d)
        row_set_add(&w->changed, d->now->node);
    *ARENA_ADD(w->arena, w->change, w->change_count, w->change_alloc) =
        (struct write_change){d, arena_strdup(w->arena, place), arena_strdup(w->arena, old),
                              arena_strdup(w->arena, fresh), 0};
}

void write_back_cannot(struct write_back *w, const struct decision *d, const char *what, ...)
{
    va_list args;
    va_start(args, what);
    *ARENA_ADD(w->arena, w->left, w->left_count, w->left_alloc) =
        (struct write_left){d, arena_vformat(w->arena, what, args)};
    va_end(args);
}

static bool same_tags(const struct memory *a, const struct memory *b)
{
    for (size_t i = 0; i < a->tag_count && i < b->tag_count; i++)
        if (strcmp(a->tags[i], b->tags[i]) != 0)
            return false;
    return a->tag_count == b->tag_count;
}

void write_back_left(struct write_back *w, const struct decision *d, bool tags)
{
    const struct memory *m = d->now, *base = d->base ? d->base : m;
    if (m->confidence != base->confidence)
        write_back_cannot(w, d, "its confidence is %.2f; %s has no field for it", m->confidence,
                          w->format);
    if (!tags && !same_tags(m, base))
        write_back_cannot(w, d, "its tags; they are not written to %s", w->format);
    if (d->approval)
        write_back_cannot(w, d, "approved by %s; %s has no field for it",
                          d->approval->actor ? d->approval->actor : "a person", w->format);
    if (m->is_protected != base->is_protected)
        write_back_cannot(w, d, "%s; %s has no field for it",
                          m->is_protected ? "locked" : "unlocked", w->format);
}

void write_back_agree(struct write_back *w, const struct memory *m)
{
    row_set_add(&w->agreed, m->node);
    row_set_add(&w->changed, m->node);
}

void write_back_name(struct write_back *w, struct ref given, const struct memory *m)
{
    write_back_agree(w, m);
    *ARENA_ADD(w->arena, w->name, w->name_count, w->name_alloc) =
        (struct write_name){given, m->ref};
}

/* ---- files ---- */

static int read_all(int fd, char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t more = read(fd, bytes + at, len - at);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return -1;
        at += (size_t)more;
    }
    return 0;
}

static int read_file(struct write_back *w, int fd, struct write_file *f, struct error *e)
{
    if (fd < 0 || fstat(fd, &f->st))
        return error_set(e, ERROR_STORE, errno == ELOOP ? "A link is not written through." : "",
                         "cannot read %s: %s", f->path, strerror(errno));
    if (!S_ISREG(f->st.st_mode) || f->st.st_size > (off_t)WRITE_BACK_MAX)
        return error_set(e, ERROR_REFUSED, "", "%s is no regular file of at most 64 MiB", f->path);
    f->len = (size_t)f->st.st_size;
    f->at = (int64_t)f->st.st_mtim.tv_sec * 1000 + f->st.st_mtim.tv_nsec / 1000000;
    char *bytes = arena_alloc(w->arena, f->len + 1);
    if (read_all(fd, bytes, f->len))
        return error_set(e, ERROR_CONFLICT, "Run it again.", "%s changed while it was read",
                         f->path);
    f->text = bytes;
    digest_bytes(&f->before, f->text, f->len);
    return 0;
}

struct write_file *write_back_read(struct write_back *w, const char *path, struct error *e)
{
    for (size_t i = 0; i < w->file_count; i++)
        if (strcmp(w->file[i]->path, path) == 0)
            return w->file[i];
    struct write_file *f = arena_alloc(w->arena, sizeof(*f));
    f->path = arena_strdup(w->arena, path);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    int result = read_file(w, fd, f, e);
    if (fd >= 0)
        close(fd);
    if (result)
        return NULL;
    return *ARENA_ADD(w->arena, w->file, w->file_count, w->file_alloc) = f;
}

const char *write_back_text(const struct write_file *f, size_t *len)
{
    *len = f->fresh ? f->fresh_len : f->len;
    return f->fresh ? f->fresh : f->text;
}

void write_back_splice(struct write_back *w, struct write_file *f, size_t from, size_t to,
                       const char *with)
{
    AUTO_STRBUF out = STRBUF_INIT;
    size_t len;
    const char *text = write_back_text(f, &len);
    strbuf_add(&out, text, from);
    strbuf_addstr(&out, with);
    strbuf_add(&out, text + to, len - to);
    f->fresh_len = out.len;
    f->fresh = arena_memdup(w->arena, out.buf, out.len + 1);
}

void write_back_change_lines(struct write_back *w, struct decision *d, const char *place,
                             const char *old, const char *fresh)
{
    cut_lines(w->arena, &old, &fresh);
    write_back_change(w, d, place, old, fresh);
}
