/* Recognises a file: a store of stemma, a store of Kernle, JSON lines, or something else. */
#include "store/db/store.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/db/schema.h"
#include "store/db/store_file.h"

#define LINE_MAX_BYTES (16u << 20) /* of the first line of a text file */

static const char *name_of(enum schema_state state)
{
    switch (state) {
    case SCHEMA_CURRENT:
    case SCHEMA_OLDER:
    case SCHEMA_NEWER:
        return "stemma";
    case SCHEMA_KERNLE:
        return "kernle";
    default:
        return "other";
    }
}

/* NULL if it is not a database. */
static const char *recognise_database(const char *path)
{
    struct error ignored;
    enum schema_state state;
    struct db *db = db_open(path, DB_FOREIGN, &ignored);
    const char *name = db && schema_state(db, &state, &ignored) == 0 ? name_of(state) : NULL;
    db_close(db);
    return name;
}

/* True for a JSON object with a member "ref". */
static bool is_memory_json(const char *line, size_t len)
{
    struct error ignored;
    struct json_slice object = json_trim(line, len);
    return object.len && object.ptr[0] == '{' &&
           json_check(object.ptr, object.len, JSON_DEPTH_LIMIT, &ignored) == 0 &&
           json_member(object.ptr, object.len, "ref").ptr;
}

/* Appends the first line that is not blank to `out`. */
static void read_first_line(int fd, struct strbuf *out)
{
    char bytes[65536];
    ssize_t len;
    off_t at = 0;
    while (out->len < LINE_MAX_BYTES && (len = pread(fd, bytes, sizeof(bytes), at)) > 0) {
        at += len;
        ssize_t skip = 0;
        while (out->len == 0 && skip < len && strchr(" \t\r\n", bytes[skip]) && bytes[skip])
            skip++;
        const char *end = memchr(bytes + skip, '\n', (size_t)(len - skip));
        strbuf_add(out, bytes + skip, end ? (size_t)(end - bytes - skip) : (size_t)(len - skip));
        if (end)
            return;
    }
}

static const char *recognise_text(const char *path)
{
    int fd = store_file_peek(path);
    if (fd < 0)
        return "other";
    AUTO_STRBUF line = STRBUF_INIT;
    read_first_line(fd, &line);
    bool is_line = is_memory_json(line.buf, line.len);
    store_file_end_peek(fd);
    return is_line ? "jsonl" : "other";
}

/*
 * Tries SQLite first, and reads text through store_file_peek: closing a descriptor of a store that
 * this process has open would drop SQLite's locks.
 */
const char *store_recognise(const char *path)
{
    struct stat file;
    if (stat(path, &file))
        return errno == ENOENT ? "none" : "other";
    if (!S_ISREG(file.st_mode))
        return "other";
    const char *name = recognise_database(path);
    return name ? name : recognise_text(path);
}
