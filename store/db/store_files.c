#include "store/db/store_files.h"

#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/db_open.h"
#include "store/db/store_state.h"

const char *const store_suffixes[STORE_FILES] = {"", "-wal", "-shm"};

static struct file_mark mark_of(const struct stat *file)
{
    return (struct file_mark){file->st_dev, file->st_ino};
}

static bool same(struct file_mark a, struct file_mark b)
{
    return a.device == b.device && a.inode == b.inode;
}

void store_files_init(struct store_files *f, const char *path, const struct stat *file)
{
    for (int i = 0; i < STORE_FILES; i++)
        f->names[i] = xformat("%s%s", path, store_suffixes[i]);
    f->marks[STORE_ITSELF] = mark_of(file);
    f->gone = STORE_FILES;
    f->sessions_fd = -1;
    pthread_mutex_init(&f->lock, NULL);
}

void store_files_release(struct store_files *f)
{
    if (!f->names[STORE_ITSELF])
        return;
    for (int i = 0; i < STORE_FILES; i++)
        free(f->names[i]);
    if (f->sessions_fd >= 0)
        close(f->sessions_fd);
    pthread_mutex_destroy(&f->lock);
}

/* ---- who has the log open ---- */

/* What is not there has no mark, and nothing is ever the same as that. */
static void take_mark(struct store_files *f, enum store_file which)
{
    struct stat file;
    f->marks[which] = stat(f->names[which], &file) == 0 ? mark_of(&file) : (struct file_mark){0, 0};
}

bool store_files_hold(struct store *s, struct db *db)
{
    struct store_files *f = &s->files;
    if (!db_has_log_of(db, s->path))
        return false;
    pthread_mutex_lock(&f->lock);
    if (f->holders++ == 0) {
        take_mark(f, STORE_LOG);
        take_mark(f, STORE_INDEX);
    }
    pthread_mutex_unlock(&f->lock);
    return true;
}

void store_files_let_go(struct store *s, struct db *db)
{
    struct error ignored;
    if (store_look_at_file(s, &ignored))
        db_keep_log(db, true);
    pthread_mutex_lock(&s->files.lock);
    s->files.holders--;
    pthread_mutex_unlock(&s->files.lock);
}

/* ---- looking ---- */

static bool stands(const struct store_files *f, int which)
{
    struct stat file;
    return stat(f->names[which], &file) == 0 && same(mark_of(&file), f->marks[which]);
}

/* The first that is not as it was, of those that are to be. Called with the lock held. */
static int look(const struct store_files *f)
{
    int last = f->holders ? STORE_INDEX : STORE_ITSELF;
    for (int which = STORE_ITSELF; which <= last; which++)
        if (!stands(f, which))
            return which;
    return STORE_FILES;
}

int store_check_file(const struct store *s, struct error *e)
{
    static const char *const called[STORE_FILES] = {"", "the -wal of ", "the -shm of "};
    int gone = atomic_load(&s->files.gone);
    if (gone == STORE_FILES)
        return 0;
    return error_set(e, ERROR_STORE, "Open the store again.",
                     "%s%s was removed or replaced while it was open", called[gone], s->path);
}

int store_look_at_file(struct store *s, struct error *e)
{
    struct store_files *f = &s->files;
    pthread_mutex_lock(&f->lock);
    atomic_store(&f->gone, look(f));
    pthread_mutex_unlock(&f->lock);
    return store_check_file(s, e);
}

int store_look_at_log(struct store *s, struct error *e)
{
    return stands(&s->files, STORE_LOG) ? 0 : store_look_at_file(s, e);
}

bool store_misses_log_alone(const struct store *s)
{
    const struct store_files *f = &s->files;
    struct stat log;
    bool empty = stat(f->names[STORE_LOG], &log) != 0 || log.st_size == 0;
    return empty && !stands(f, STORE_LOG) && stands(f, STORE_ITSELF) && stands(f, STORE_INDEX);
}
