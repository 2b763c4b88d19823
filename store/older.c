#include "store/older.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/db_open.h"
#include "store/db/schema.h"
#include "store/db/store_state.h"

/* Nothing of it need outlive a crash. */
static int bring_forward(const char *path, struct error *e)
{
    struct db *db = db_open(path, DB_WRITE, e);
    int result = !db || db_exec(db, "PRAGMA synchronous = OFF", e) || db_exec(db, "BEGIN", e) ||
                         schema_migrate(db, e) || db_exec(db, "COMMIT", e) ||
                         db_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", e)
                     ? -1
                     : 0;
    db_close(db);
    return result;
}

int older_copy(struct store *s, struct error *e)
{
    struct strbuf name = STRBUF_INIT;
    s->copy = db_make_copy(s->path, &name, e);
    if (s->copy) {
        s->read = xstrdup(name.buf);
        if (bring_forward(s->read, e) == 0) {
            strbuf_release(&name);
            return 0;
        }
        older_release(s);
    }
    strbuf_release(&name);
    if (e->code == ERROR_STORE)
        snprintf(e->todo, sizeof(e->todo),
                 "Set TMPDIR to a directory with room for it, or open it once where it can be "
                 "written.");
    return error_prefix(e, "%s is of an older version, and is read through a private copy",
                        s->path);
}

void older_release(struct store *s)
{
    if (s->copy)
        db_remove_copy(s->copy);
    free(s->copy);
    free(s->read);
    s->copy = s->read = NULL;
}
