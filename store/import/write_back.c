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

void write_back_change(struct write_back *w, struct decision *d, const char *place, const char *old,
                       const char *fresh)
{
    row_set_add(&w->changed, d->now.node);
    *ARENA_ADD(w->arena, w->change, w->change_count, w->change_alloc) =
        (struct write_change){d, arena_strdup(w->arena, place), arena_strdup(w->arena, old),
                              arena_strdup(w->arena, fresh)};
}

void write_back_cannot(struct write_back *w, const struct decision *d, const char *what, ...)
{
    va_list args;
    va_start(args, what);
    *ARENA_ADD(w->arena, w->left, w->left_count, w->left_alloc) =
        (struct write_left){d, arena_vformat(w->arena, what, args)};
    va_end(args);
}

void write_back_left(struct write_back *w, const struct decision *d, unsigned says)
{
    const struct memory *m = &d->now;
    if (m->confidence != kind_spec(m->ref.kind)->confidence && !(says & SAYS_CONFIDENCE))
        write_back_cannot(w, d, "its confidence is %.2f; %s has no field for it", m->confidence,
                          w->format);
    if (m->tag_count && !(says & SAYS_TAGS))
        write_back_cannot(w, d, "its tags; they are not written to %s", w->format);
    if (d->approval && !(says & SAYS_APPROVAL))
        write_back_cannot(w, d, "approved by %s; %s has no field for it",
                          d->approval->actor ? d->approval->actor : "a person", w->format);
    if (m->is_protected && !(says & SAYS_LOCK))
        write_back_cannot(w, d, "locked; %s has no field for it", w->format);
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

/* The length of the lines that both begin with. */
static size_t same_lines(const char *a, const char *b)
{
    size_t at = 0, lines = 0;
    for (; a[at] && a[at] == b[at]; at++)
        if (a[at] == '\n')
            lines = at + 1;
    return lines;
}

/* The length of the lines that both end with, each with the line end before it. */
static size_t same_last_lines(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t at = 0, lines = 0;
    for (; at < a_len && at < b_len && a[a_len - 1 - at] == b[b_len - 1 - at]; at++)
        if (a[a_len - 1 - at] == '\n')
            lines = at + 1;
    return lines;
}

void write_back_change_lines(struct write_back *w, struct decision *d, const char *place,
                             const char *old, const char *fresh)
{
    size_t first = same_lines(old, fresh);
    old += first;
    fresh += first;
    size_t old_len = strlen(old), len = strlen(fresh),
           last = same_last_lines(old, old_len, fresh, len);
    write_back_change(w, d, place, arena_strndup(w->arena, old, old_len - last),
                      arena_strndup(w->arena, fresh, len - last));
}
