/*
 * Carrying a plan out, and taking it back. One event `apply` records what was written, before it is written; its patch
 * is described in README.md.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/apply/apply.h"
#include "store/db/reader.h"
#include "store/import/write_back.h"
#include "store/journal/journal.h"
#include "store/txn/txn.h"

/* ---- copies of the files of a source, next to them ---- */

#define SUFFIX      ".stemma-backup"
#define BACKUPS_MAX 100000

static int cannot_write(const char *path, struct error *e)
{
    bool denied = errno == EACCES || errno == EPERM || errno == EROFS;
    return error_set(e, ERROR_REFUSED, denied ? "Check its permissions." : error_write_hint(errno),
                     "cannot write %s: %s", path, strerror(errno));
}

static bool backup_is_of(const char *backup, const char *path)
{
    size_t len = strlen(path);
    if (strncmp(backup, path, len) != 0 || strncmp(backup + len, SUFFIX, sizeof(SUFFIX) - 1) != 0)
        return false;
    const char *number = backup + len + sizeof(SUFFIX) - 1;
    return *number == '\0' ||
           (*number == '-' && strspn(number + 1, "0123456789") == strlen(number + 1));
}

static int write_all(int fd, const char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t more = write(fd, bytes + at, len - at);
        if (more < 0 && errno != EINTR)
            return -1;
        at += more > 0 ? (size_t)more : 0;
    }
    return fsync(fd);
}

static int sync_folder(const char *path, struct error *e)
{
    AUTO_FREE char *folder = xstrdup(path);
    char *slash = strrchr(folder, '/');
    slash[slash == folder] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = fd < 0 || fsync(fd) ? cannot_write(folder, e) : 0;
    if (fd >= 0)
        close(fd);
    return result;
}

/* ---- is a file the one that was read? ---- */

static int changed(const char *path, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Run it again to see what would be written now.",
                     "%s changed since it was read", path);
}

/* The path must lead there without a link, in any of its folders. */
static bool is_direct(const char *path)
{
    AUTO_FREE char *real = realpath(path, NULL);
    return real && strcmp(real, path) == 0;
}

static int check_open(int fd, const struct write_file *f, struct error *e)
{
    struct stat now;
    struct digest_run run;
    struct digest hash;
    char block[65536];
    ssize_t len = 0;
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return error_set(e, ERROR_BUSY, "Try again when it is done.",
                         "another program holds a lock on %s", f->path);
    if (fstat(fd, &now) || now.st_dev != f->st.st_dev || now.st_ino != f->st.st_ino ||
        now.st_size != f->st.st_size)
        return changed(f->path, e);
    digest_run_begin(&run);
    while ((len = read(fd, block, sizeof(block))) > 0)
        digest_run_add(&run, block, (size_t)len);
    digest_run_end(&run, &hash);
    return len < 0 || !digest_equal(&hash, &f->before) ? changed(f->path, e) : 0;
}

/* May it be written, without a link on the way? */
static int file_check_access(const char *path, struct error *e)
{
    if (!is_direct(path))
        return error_set(e, ERROR_REFUSED, "", "%s is gone, or a link by now", path);
    return access(path, W_OK) ? cannot_write(path, e) : 0;
}

/*
 * The same, and is it still what was read? ERROR_CONFLICT if it changed, ERROR_BUSY if another program holds a lock on
 * it, ERROR_REFUSED if it cannot be written.
 */
static int file_check(const struct write_file *f, struct error *e)
{
    if (file_check_access(f->path, e))
        return -1;
    int fd = open(f->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    int result = fd < 0 ? cannot_write(f->path, e) : check_open(fd, f, e);
    if (fd >= 0)
        close(fd);
    return result;
}

/* ---- replacing a file at once: written next to it, synced, renamed ---- */

static int fill_fresh(int fd, const struct stat *st, const char *bytes, size_t len)
{
    struct stat own;
    if (fstat(fd, &own))
        return -1;
    bool other = own.st_uid != st->st_uid || own.st_gid != st->st_gid;
    return failed_if((other && fchown(fd, st->st_uid, st->st_gid)) ||
                     fchmod(fd, st->st_mode & 07777) || write_all(fd, bytes, len));
}

/* Makes a file that must not exist: errno EEXIST. */
static int create(const char *path, const struct stat *st, const char *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    int result = fill_fresh(fd, st, bytes, len), cause = errno;
    close(fd);
    if (result)
        unlink(path);
    errno = cause;
    return result;
}

static int replace(const struct write_file *f, struct error *e)
{
    AUTO_STRBUF fresh = STRBUF_INIT;
    strbuf_addf(&fresh, "%s.stemma-XXXXXX", f->path);
    int fd = mkstemp(fresh.buf);
    if (fd < 0)
        return cannot_write(f->path, e);
    int result = fill_fresh(fd, &f->st, f->fresh, f->fresh_len) ? cannot_write(f->path, e)
                                                                : file_check(f, e);
    close(fd);
    if (result == 0 && rename(fresh.buf, f->path))
        result = cannot_write(f->path, e);
    if (result)
        unlink(fresh.buf);
    return result;
}

/* After that check, replaces the file at once by what it is to be, or removes it. Makes one that has no text; it must
 * not exist. */
static int file_write(const struct write_file *f, struct error *e)
{
    int result = 0;
    if (f->text && !f->removed)
        result = replace(f, e);
    else if (f->removed && file_check(f, e))
        result = -1;
    else if (f->removed ? unlink(f->path) : create(f->path, &f->st, f->fresh, f->fresh_len))
        result = cannot_write(f->path, e);
    return result ? -1 : sync_folder(f->path, e);
}

/*
 * Makes a copy of what was read of a file, next to it: PATH.stemma-backup, or the first free one of
 * PATH.stemma-backup-2, …, with its mode and owner. Its name in the arena; NULL with `e`.
 */
static const char *backup_make(struct arena *arena, const struct write_file *f, struct error *e)
{
    for (int n = 1; n < BACKUPS_MAX; n++) {
        const char *name = n == 1 ? arena_format(arena, "%s" SUFFIX, f->path)
                                  : arena_format(arena, "%s" SUFFIX "-%d", f->path, n);
        bool made = create(name, &f->st, f->text, f->len) == 0;
        if (made && sync_folder(name, e) == 0)
            return name;
        if (!made && errno == EEXIST)
            continue;
        made ? unlink(name) : cannot_write(name, e);
        return NULL;
    }
    error_set(e, ERROR_REFUSED, "Remove old ones.", "%s has too many copies", f->path);
    return NULL;
}

/* ---- the event ---- */

struct record {
    struct apply *apply;
    const struct actor *actor;
    int64_t seq; /* of the event; of an undo, of the event that is taken back */
    struct json_slice patch;
    size_t done; /* files that were written */
};

static void add_ref(struct json_object *o, struct ref given, struct ref ref)
{
    AUTO_STRBUF key = STRBUF_INIT, value = STRBUF_INIT;
    ref_add(&key, given);
    ref_add(&value, ref);
    json_pair(o, key.buf, value.buf);
}

static void add_file(struct json_object *list, const char *file, const char *backup,
                     const struct digest *before, const struct digest *after)
{
    char hex[2 * DIGEST_SIZE + 1];
    struct json_object o = json_item_open(list, '{');
    json_pair(&o, "file", file);
    json_pair(&o, "backup", backup);
    if (before) {
        digest_hex(hex, before);
        json_pair(&o, "before", hex);
    }
    if (after) {
        digest_hex(hex, after);
        json_pair(&o, "after", hex);
    }
    json_end(&o);
}

static void add_files(struct apply *a, struct json_object *patch)
{
    struct json_object list = json_open(patch, "files", '[');
    for (size_t i = 0; i < a->w.file_count; i++) {
        const struct write_file *f = a->w.file[i];
        struct digest after;
        digest_bytes(&after, f->fresh, f->fresh_len);
        add_file(&list, f->path, a->backup[i], &f->before, f->removed ? NULL : &after);
    }
    if (a->w.row_count)
        add_file(&list, a->w.path, a->backup[0], NULL, NULL);
    json_end(&list);
    if (a->w.row_count) {
        list = json_open(patch, "rows", '[');
        a->format->write_back->note(&a->w, &list);
        json_end(&list);
    }
}

/* What the import knew of a memory before: [row, event], or [row] if it did not know it. The hash is not kept: it would
 * outlive a purge. */
static int add_known(struct db *db, int64_t row, struct json_object *list, struct error *e)
{
    struct json_object one = json_item_open(list, '[');
    json_item_int(&one, row);
    struct query known = db_query(db, e, "SELECT event FROM imported WHERE memory = ?", "i", row);
    if (db_next(&known))
        json_item_int(&one, sqlite3_column_int64(known.stmt, 0));
    json_end(&one);
    return db_end(&known);
}

/* See import_merge.h on the negative event. The hash of a memory that is new in the source is none. */
static int agree(const struct apply *a, struct db *db, int64_t row, struct error *e)
{
    static const unsigned char none[DIGEST_SIZE];
    return db_run(db, e,
                  "INSERT INTO imported(memory, origin, hash, event)"
                  " SELECT id, ?, ?, -event FROM memory WHERE id = ?"
                  " ON CONFLICT(memory) DO UPDATE SET event = excluded.event",
                  "ibi", a->origin, (const void *)none, (size_t)DIGEST_SIZE, row);
}

static int add_imported(const struct apply *a, struct db *db, struct json_object *patch,
                        struct error *e)
{
    const struct row_set none = {0};
    struct json_object list = json_open(patch, "imported", '[');
    for (int64_t row = row_set_next(&a->w.changed, &none, 0); row;
         row = row_set_next(&a->w.changed, &none, row))
        if (add_known(db, row, &list, e) ||
            (row_set_has(&a->w.agreed, row) && agree(a, db, row, e)))
            return -1;
    json_end(&list);
    return 0;
}

static int record_apply(struct txn *t, void *arg, struct error *e)
{
    struct record *r = arg;
    struct apply *a = r->apply;
    AUTO_STRBUF patch = STRBUF_INIT;
    struct json_object o = json_begin(&patch, '{');
    json_pair(&o, "source", a->w.path);
    add_files(a, &o);
    struct json_object names = json_open(&o, "names", '{');
    for (size_t i = 0; i < a->w.name_count; i++)
        add_ref(&names, a->w.name[i].given, a->w.name[i].ref);
    json_end(&names);
    if (add_imported(a, txn_db(t), &o, e))
        return -1;
    json_end(&o);
    struct change change = {
        .operation = APPLY_OPERATION,
        .patch = patch.buf,
        .reason = arena_format(&a->arena, "%zu %s written to %s; what was there is in %s",
                               a->w.change_count, a->w.change_count == 1 ? "change" : "changes",
                               a->w.path, a->backup[0])};
    t->generation++;
    r->seq = t->last_seq + 1;
    r->patch = (struct json_slice){arena_strndup(&a->arena, patch.buf, patch.len), patch.len};
    return journal_append(t, r->actor, &change, e);
}

/* ---- importing again ---- */

/* So that the store knows that both agree. Problems of the source were told when it was first imported. */
static int import_again(struct apply *a, struct store *s, const struct actor *actor,
                        struct error *e)
{
    struct import_summary summary = {0};
    struct import_options options = {.agent = a->agent, .actor = actor->name};
    return import_source_run(a->format, s, a->w.path, &options, &summary, e);
}

/* ---- planning an undo ---- */

static const char *member_text(struct apply *a, struct json_slice object, const char *name)
{
    return json_text_repaired(&a->arena, json_member(object.ptr, object.len, name));
}

int apply_find_last(struct apply *a, struct db *db, struct error *e)
{
    struct query rows = db_query(
        db, e,
        "SELECT seq, patch, at FROM event a WHERE subject IS NULL AND operation = ? AND person"
        " AND NOT EXISTS (SELECT 1 FROM event b WHERE b.undoes = a.seq) ORDER BY seq DESC",
        "s", APPLY_OPERATION);
    while (!a->undoes && db_next(&rows)) {
        const char *text = db_text(&a->arena, rows.stmt, 1);
        struct error ignored;
        if (!text || json_check(text, strlen(text), JSON_DEPTH_LIMIT, &ignored))
            continue;
        a->patch = json_member(text, strlen(text), "fields");
        if (!a->patch.ptr || !same_text(member_text(a, a->patch, "source"), a->w.path))
            continue;
        a->undoes = sqlite3_column_int64(rows.stmt, 0);
        a->undone_at = sqlite3_column_int64(rows.stmt, 2);
    }
    if (db_end(&rows))
        return -1;
    return a->undoes ? 0
                     : error_set(e, ERROR_NOT_FOUND, "", "nothing was written to %s", a->w.path);
}

static int names_other(const struct apply *a, struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Copy it by hand.", "event %lld names a file elsewhere",
                     (long long)a->undoes);
}

/* The file is the source or stands below it, and the copy next to it: the event may be anybody's. */
static bool is_of_source(const char *source, const char *file, const char *backup)
{
    size_t len = strlen(source);
    return file && backup && strncmp(file, source, len) == 0 &&
           (file[len] == '\0' || file[len] == '/') && !strstr(file, "/../") &&
           backup_is_of(backup, file);
}

static bool is_hash(const struct digest *of, const char *hex)
{
    struct digest hash;
    return hex && digest_from_hex(&hash, hex) == 0 && digest_equal(&hash, of);
}

/* One that the write removed: it is made again as the copy is. */
static struct write_file *absent_file(struct write_back *w, const char *path,
                                      const struct write_file *copy)
{
    struct write_file *f = arena_alloc(w->arena, sizeof(*f));
    *f = (struct write_file){.path = path, .st = copy->st};
    return *ARENA_ADD(w->arena, w->file, w->file_count, w->file_alloc) = f;
}

/* Nothing is planned for a file that is what it was: it was never written. */
static int undo_file(struct apply *a, struct json_slice one, struct error *e)
{
    struct write_back *w = &a->w;
    const char *path = member_text(a, one, "file"), *after = member_text(a, one, "after"),
               *before = member_text(a, one, "before"), *backup = member_text(a, one, "backup");
    struct error missing;
    if (!is_of_source(w->path, path, backup))
        return names_other(a, e);
    struct write_file *copy = write_back_read(w, backup, e);
    if (!copy)
        return -1;
    if (!is_hash(&copy->before, before))
        return error_set(e, ERROR_CONFLICT, "", "the copy %s changed since it was made", backup);
    struct write_file *f = write_back_read(w, path, &missing);
    if (f && is_hash(&f->before, before))
        return 0;
    if (f ? !is_hash(&f->before, after) : after != NULL)
        return error_set(e, ERROR_CONFLICT, "Compare both, and copy what you want by hand.",
                         "%s changed since it was written; what it was is in %s", path, backup);
    f = f ? f : absent_file(w, path, copy);
    f->fresh = copy->text;
    f->fresh_len = copy->len;
    write_back_change_lines(
        w, NULL, strcmp(path, w->path) == 0 ? strrchr(path, '/') + 1 : path + strlen(w->path) + 1,
        f->text ? utf8_repaired(w->arena, f->text, f->len) : "",
        utf8_repaired(w->arena, copy->text, copy->len));
    return 0;
}

static int undo_rows(struct apply *a, struct json_slice files, struct json_slice rows,
                     struct error *e)
{
    struct json_each it = json_each(files);
    const char *backup = json_next(&it) ? member_text(a, it.value, "backup") : NULL;
    if (!is_of_source(a->w.path, a->w.path, backup) || !a->format->write_back->undo)
        return names_other(a, e);
    return a->format->write_back->undo(&a->w, backup, rows, e);
}

int apply_plan_undo(struct apply *a, struct error *e)
{
    struct json_slice files = json_member(a->patch.ptr, a->patch.len, "files"),
                      rows = json_member(a->patch.ptr, a->patch.len, "rows");
    if (rows.ptr)
        return undo_rows(a, files, rows, e);
    for (struct json_each it = json_each(files); json_next(&it);)
        if (undo_file(a, it.value, e))
            return -1;
    return 0;
}

/* ---- writing ---- */

/* Leaves only the files that are to be written. */
static void drop_others(struct write_back *w)
{
    size_t count = 0;
    for (size_t i = 0; i < w->file_count; i++)
        if (w->file[i]->fresh || w->file[i]->removed)
            w->file[count++] = w->file[i];
    w->file_count = count;
}

static int check_files(const struct apply *a, struct error *e)
{
    for (size_t i = 0; i < a->w.file_count; i++)
        if (a->w.file[i]->text && file_check(a->w.file[i], e))
            return -1;
    return a->w.row_count ? file_check_access(a->w.path, e) : 0;
}

static int copy_file(struct apply *a, const struct write_file *f, struct error *e)
{
    const char *name = backup_make(&a->arena, f, e);
    if (name)
        a->backup[a->backup_count++] = name;
    return name ? 0 : -1;
}

/* The copy of a database is empty until the transaction that writes it. */
static int copy_files(struct apply *a, struct error *e)
{
    struct write_file database = {.path = a->w.path, .text = ""};
    a->backup = arena_array(&a->arena, a->w.file_count + 1, sizeof(*a->backup));
    for (size_t i = 0; i < a->w.file_count; i++)
        if (copy_file(a, a->w.file[i], e))
            return -1;
    if (a->w.row_count == 0)
        return 0;
    if (stat(a->w.path, &database.st))
        return error_set(e, ERROR_STORE, "", "cannot read %s", a->w.path);
    return copy_file(a, &database, e);
}

/* Removes copies of what was not written. */
static void drop_copies(struct apply *a)
{
    for (size_t i = 0; i < a->backup_count; i++)
        unlink(a->backup[i]);
    a->backup_count = 0;
}

static int write_source(struct record *r, struct error *e)
{
    struct apply *a = r->apply;
    if (a->w.row_count)
        return a->format->write_back->write(&a->w, a->backup_count ? a->backup[0] : NULL, e);
    for (; r->done < a->w.file_count; r->done++)
        if (file_write(a->w.file[r->done], e))
            return -1;
    return 0;
}

/* ---- taking back ---- */

/* `written`: the import that follows finds the hash. */
static int restore_known(struct db *db, struct json_slice one, bool written, struct error *e)
{
    int64_t row = 0, event = 0;
    struct json_each it = json_each(one);
    if (!json_next(&it) || json_integer(it.value, &row))
        return 0;
    if (!json_next(&it))
        return db_run(db, e, "DELETE FROM imported WHERE memory = ?", "i", row);
    if (json_integer(it.value, &event))
        return 0;
    return db_run(
        db, e, "UPDATE imported SET hash = iif(?, zeroblob(32), hash), event = ? WHERE memory = ?",
        "iii", (int64_t)written, event, row);
}

/* What the import knew before is known again, and the names of the event mean nothing any more. */
static int record_undo(struct txn *t, void *arg, struct error *e)
{
    const struct record *r = arg;
    struct json_slice list = json_member(r->patch.ptr, r->patch.len, "imported");
    for (struct json_each it = json_each(list); json_next(&it);)
        if (restore_known(txn_db(t), it.value, r->apply->undoes != 0, e))
            return -1;
    t->generation++;
    return journal_append(t, r->actor, &(struct change){.operation = "undo", .undoes = r->seq}, e);
}

/* While this process writes the store, no import can take what was there before for a change of the agent. */
static int restore_and_record(struct txn *t, void *arg, struct error *e)
{
    struct record *r = arg;
    return check_files(r->apply, e) || write_source(r, e) ? -1 : record_undo(t, r, e);
}

/* ---- carrying it out ---- */

static int write_recorded(struct record *r, struct store *s, struct error *e)
{
    struct error ignored;
    if (check_files(r->apply, e))
        return -1;
    if (copy_files(r->apply, e) || store_run(s, record_apply, r, e)) {
        drop_copies(r->apply);
        return -1;
    }
    if (write_source(r, e) == 0)
        return 0;
    if (r->done == 0) { /* nothing was written, so the event is taken back */
        store_run(s, record_undo, r, &ignored);
        drop_copies(r->apply);
    }
    return -1;
}

int apply_write(struct apply *a, struct store *s, const struct actor *actor, struct error *e)
{
    struct record r = {.apply = a, .actor = actor, .seq = a->undoes, .patch = a->patch};
    drop_others(&a->w);
    if (store_is_read_only(s))
        return store_cannot_write(s, "Open it without --read-only.", e);
    int result = a->undoes ? store_run(s, restore_and_record, &r, e) : write_recorded(&r, s, e);
    return result || import_again(a, s, actor, e) ? -1 : 0;
}
