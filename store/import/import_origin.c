#include "store/import/import_origin.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"

int import_origin_init(struct import_origin *o, const struct import_source *source,
                       const char *path, struct error *e)
{
    *o = (struct import_origin){.source = source};
    if (!path)
        return 0;
    o->path = realpath(path, NULL);
    if (!o->path)
        return error_set(e, ERROR_STORE, "Check the path.", "cannot read %s: %s", path,
                         strerror(errno));
    struct strbuf identity = STRBUF_INIT;
    strbuf_addf(&identity, "%s %s", source->name, o->path);
    o->identity = strbuf_detach(&identity, NULL);
    return 0;
}

void import_origin_release(struct import_origin *o)
{
    free(o->path);
    free(o->identity);
    free(o->was);
    *o = (struct import_origin){.row = 0};
}

int import_origin_find(struct import_origin *o, struct db *db, struct error *e)
{
    if (!o->path)
        return 0;
    return db_int(db, &o->row, 0, e,
                  "SELECT id FROM origin WHERE kind = ? AND path = ?"
                  " ORDER BY last_at DESC, id LIMIT 1",
                  "ss", o->source->name, o->path);
}

/* How many of the sample an origin told, and how many of them as they are now. */
struct tally {
    int64_t origin;
    size_t same, unchanged;
};
struct tallies {
    struct tally list[ORIGIN_SAMPLE];
    size_t count;
    size_t here; /* of the sample, wherever from */
};

static struct tally *tally_of(struct tallies *t, int64_t origin)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->list[i].origin == origin)
            return &t->list[i];
    t->list[t->count] = (struct tally){.origin = origin};
    return &t->list[t->count++];
}

static int weigh(struct import_origin *o, struct db *db, const struct import_item *item,
                 struct tallies *t, struct error *e)
{
    static const char sql[] =
        "SELECT o.id, i.hash, m.created_at FROM memory m LEFT JOIN imported i ON i.memory = m.id"
        " LEFT JOIN origin o ON o.id = i.origin AND o.kind = ?3"
        " WHERE m.kind = ?1 AND m.name = ?2 AND m.status < 7";
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int row = stmt ? db_bind(db, stmt, e, "iss", (int64_t)item->memory.ref.kind,
                             item->memory.ref.id, o->source->name)
                   : -1;
    if (row <= 0)
        return row;
    t->here++;
    int64_t origin = sqlite3_column_int64(stmt, 0);
    if (origin) {
        struct tally *tally = tally_of(t, origin);
        bool unchanged = sqlite3_column_bytes(stmt, 1) == DIGEST_SIZE &&
                         memcmp(sqlite3_column_blob(stmt, 1), item->hash.bytes, DIGEST_SIZE) == 0;
        tally->unchanged += unchanged;
        tally->same += unchanged || sqlite3_column_int64(stmt, 2) == item->memory.created_at;
    }
    sqlite3_reset(stmt);
    return 0;
}

/* Standard input has no name: the refs that it begins with stand for one. */
static void identify_stream(struct import_origin *o,
                            const struct import_item *(*item)(void *arg, size_t at), void *arg,
                            size_t count)
{
    struct strbuf refs = STRBUF_INIT, identity = STRBUF_INIT;
    struct digest digest;
    char hex[2 * DIGEST_SIZE + 1];
    for (size_t i = 0; i < count; i++) {
        ref_add(&refs, item(arg, i)->memory.ref);
        strbuf_addch(&refs, '\n');
    }
    digest_bytes(&digest, refs.buf, refs.len);
    digest_hex(hex, &digest);
    strbuf_addf(&identity, "%s stream %s", o->source->name, hex);
    strbuf_release(&refs);
    o->identity = strbuf_detach(&identity, NULL);
}

/* A file that stands where the origin was read from, and is not this one: this is a copy of it. */
static bool stands_elsewhere(const struct import_origin *o, const char *was)
{
    struct stat there, here;
    return o->path && stat(was, &there) == 0 &&
           (stat(o->path, &here) || here.st_dev != there.st_dev || here.st_ino != there.st_ino);
}

/* The source is that origin, unless it is a copy of what is still there. -1: an error. */
static int take_origin(struct import_origin *o, struct db *db, int64_t row, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT path FROM origin WHERE id = ?", e);
    int found = stmt ? db_bind(db, stmt, e, "i", row) : -1;
    if (found <= 0)
        return found;
    const char *was = (const char *)sqlite3_column_text(stmt, 0);
    if (!was || !stands_elsewhere(o, was)) {
        free(o->was);
        o->was = was ? xstrdup(was) : NULL;
        o->row = row;
        o->moved = true;
    }
    sqlite3_reset(stmt);
    return 0;
}

int import_origin_recognise(struct import_origin *o, struct db *db,
                            const struct import_item *(*item)(void *arg, size_t at), void *arg,
                            size_t count, struct error *e)
{
    struct tallies t = {.count = 0};
    size_t sample = count < ORIGIN_SAMPLE ? count : ORIGIN_SAMPLE;
    if (!o->identity)
        identify_stream(o, item, arg, sample);
    for (size_t i = 0; i < sample; i++)
        if (weigh(o, db, item(arg, i), &t, e))
            return -1;
    for (size_t i = 0; i < t.count; i++) {
        bool known = o->source->known_by_ref ? 2 * t.list[i].same > t.here
                                             : 2 * t.list[i].unchanged > sample;
        if (known && t.list[i].unchanged > 0 && take_origin(o, db, t.list[i].origin, e))
            return -1;
    }
    return 0;
}

/* Another process may have made it meanwhile. The identity may be another's, whose source was moved
 * away: then it gets a number. */
int import_origin_insert(struct import_origin *o, struct db *db, int64_t now, struct error *e)
{
    if (o->row == 0 && import_origin_find(o, db, e))
        return -1;
    for (int64_t number = 1; o->row == 0; number++) {
        if (db_run(db, e,
                   "INSERT INTO origin(kind, identity, path, first_at, last_at)"
                   " VALUES (?1, CASE ?2 WHEN 1 THEN ?3 ELSE ?3 || ' ' || ?2 END, ?4, ?5, ?5)"
                   " ON CONFLICT DO NOTHING",
                   "sissi", o->source->name, number, o->identity, o->path, now))
            return -1;
        if (sqlite3_changes(db_handle(db)))
            o->row = sqlite3_last_insert_rowid(db_handle(db));
    }
    return 0;
}

int import_origin_record(struct import_origin *o, struct db *db, int64_t now, const char *summary,
                         struct error *e)
{
    if (import_origin_insert(o, db, now, e))
        return -1;
    return db_run(db, e,
                  "UPDATE origin SET path = coalesce(?, path), last_at = ?, summary = ?"
                  " WHERE id = ?",
                  "sisi", o->path, now, summary, o->row);
}
