/* Counts what a source holds, for the list of stores on a machine. */
#include <string.h>
#include <sys/stat.h>
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/formats/formats.h"
#include "store/import/folder.h"

static void add_count(struct strbuf *out, int64_t count, const char *what)
{
    strbuf_addf(out, "%s%lld %s", out->len ? ", " : "", (long long)count, what);
}

static void add_bytes(struct strbuf *out, int64_t bytes)
{
    if (bytes < 1024)
        add_count(out, bytes, "bytes");
    else
        add_count(out, bytes < 10 << 20 ? bytes >> 10 : bytes >> 20,
                  bytes < 10 << 20 ? "KiB" : "MiB");
}

/* Rows of tables, "TABLE:one:many|…". These names are our own. */
static void count_tables(struct db *db, const char *counted, struct strbuf *out)
{
    struct error ignored;
    for (const char *at = counted; *at; at += *at == '|') {
        AUTO_STRBUF sql = STRBUF_INIT, word = STRBUF_INIT;
        size_t table = strcspn(at, ":"), one = strcspn(at + table + 1, ":");
        const char *words = at + table + 1, *many = words + one + 1;
        int64_t count;
        at = many + strcspn(many, "|");
        strbuf_addf(&sql, "SELECT count(*) FROM \"%.*s\"", (int)table, words - table - 1);
        if (db_int(db, &count, 0, &ignored, sql.buf, "") || count == 0)
            continue;
        strbuf_add(&word, count == 1 ? words : many, count == 1 ? one : (size_t)(at - many));
        add_count(out, count, word.buf);
    }
}

static void count_rows(const char *counted, const char *path, struct strbuf *out)
{
    struct error ignored;
    int64_t count;
    struct db *db = db_open(path, DB_FOREIGN, &ignored);
    if (!db)
        return;
    if (counted)
        count_tables(db, counted, out);
    else if (db_int(db, &count, 0, &ignored,
                    "SELECT count(*) FROM memory WHERE status NOT IN (4, 5, 6, 7)", "") == 0)
        add_count(out, count, count == 1 ? "memory" : "memories");
    db_close(db);
}

/* Returns when the newest of them was written. */
static int64_t count_files(const char *path, struct strbuf *out)
{
    struct folder f = {.entry = NULL};
    struct error ignored;
    int64_t files = 0, bytes = 0, newest = 0;
    folder_read(&f, path, 8, &ignored);
    for (size_t i = 0; i < f.count; i++)
        if (!f.entry[i].is_folder) {
            files++;
            bytes += f.entry[i].size;
            newest = f.entry[i].written > newest ? f.entry[i].written : newest;
        }
    folder_release(&f);
    add_count(out, files, files == 1 ? "file" : "files");
    add_bytes(out, bytes);
    return newest;
}

int64_t format_count(const struct import_format *format, const char *path, struct strbuf *out)
{
    struct stat st;
    if (stat(path, &st))
        return 0;
    if (S_ISDIR(st.st_mode))
        return count_files(path, out);
    if (!format || format->counted)
        count_rows(format ? format->counted : NULL, path, out);
    else
        add_bytes(out, st.st_size);
    return (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
}
