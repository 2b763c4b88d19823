/* The plan: which memories of a source were decided about here, and what its format makes of that. */
#include "store/apply/apply.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"
#include "store/formats/formats.h"
#include "store/history/history.h"
#include "store/import/import_merge.h"
#include "store/journal/journal.h"
#include "store/record/get.h"

/* ---- the source ---- */

static int several(struct apply *a, struct query *rows, const char *first, struct error *e)
{
    char hint[250];
    snprintf(hint, sizeof(hint), "Name one: %.100s or %.100s.", first,
             db_text(&a->arena, rows->stmt, 2));
    db_fail(rows);
    return error_set(e, ERROR_USAGE, hint, "the store has several sources");
}

static int read_source(struct apply *a, struct db *db, const char *path, const char **kind,
                       struct error *e)
{
    struct query rows = db_query(db, e,
                                 "SELECT id, kind, path FROM origin WHERE path IS NOT NULL"
                                 " AND (?1 IS NULL OR path = ?1) ORDER BY last_at DESC, id",
                                 "s", path);
    while (db_next(&rows)) {
        if (a->origin && !path)
            return several(a, &rows, a->w.path, e);
        if (a->origin)
            continue;
        a->origin = sqlite3_column_int64(rows.stmt, 0);
        *kind = db_text(&a->arena, rows.stmt, 1);
        a->w.path = db_text(&a->arena, rows.stmt, 2);
    }
    return db_end(&rows);
}

static int find_source(struct apply *a, struct db *db, const char *path, struct error *e)
{
    AUTO_FREE char *real = path ? realpath(path, NULL) : NULL;
    const char *kind = NULL;
    if (read_source(a, db, real ? real : path, &kind, e))
        return -1;
    if (!a->origin && path)
        return error_set(e, ERROR_NOT_FOUND, "`stemma import` imports it.",
                         "%s was not imported into this store", path);
    if (!a->origin)
        return error_set(e, ERROR_NOT_FOUND,
                         "`stemma apply PATH` names the source of a working copy.",
                         "this store was not imported from a file or folder");
    if (!(a->format = format_find(kind, e)))
        return -1;
    a->w.format = a->format->name;
    if (!a->format->write_back)
        return error_set(e, ERROR_REFUSED, "Change it with the program that made it.",
                         "the format %s cannot be written back", a->format->name);
    AUTO_FREE char *now = realpath(a->w.path, NULL);
    if (!now || strcmp(now, a->w.path) != 0)
        return error_set(e, ERROR_STORE, "Import it from where it is now.", "%s: %s", a->w.path,
                         now ? "it is a link by now" : strerror(errno));
    return 0;
}

/* The one agent of what was imported; NULL if there are several. */
static int read_agent(struct apply *a, struct db *db, struct error *e)
{
    struct query rows =
        db_query(db, e,
                 "SELECT DISTINCT g.name FROM imported i JOIN memory m ON m.id = i.memory"
                 " JOIN agent g ON g.id = m.agent WHERE i.origin = ? LIMIT 2",
                 "i", a->origin);
    for (int n = 0; db_next(&rows); n++)
        a->agent = n ? NULL : db_text(&a->arena, rows.stmt, 0);
    return db_end(&rows);
}

/* ---- decisions ---- */

static const struct flag *approval_of(const struct memory *m)
{
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, "approved") == 0 && !m->flags[i].by_agent)
            return &m->flags[i];
    return NULL;
}

/* Did the import read it from this source? */
static int is_placed(struct apply *a, struct db *db, int64_t node, bool *placed, struct error *e)
{
    int64_t count;
    if (db_int(db, &count, 0, e, "SELECT count(*) FROM imported WHERE memory = ? AND origin = ?",
               "ii", node, a->origin))
        return -1;
    *placed |= count > 0;
    return 0;
}

/* The end of the chain of replacements, if it lives. A chain may be a cycle. */
static int find_successor(struct apply *a, struct reader *r, struct decision *d, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t node = d->now->node, next, at;
    struct memory m = *d->now;
    for (int steps = 0; m.status == STATUS_SUPERSEDED && steps < 1000; steps++) {
        if (history_successor(r, node, &next, &at, e))
            return -1;
        if (next == 0 || is_placed(a, db, next, &d->placed, e) ||
            memory_read_db(db, &a->arena, next, &m, e))
            return next ? -1 : 0;
        node = next;
    }
    if (m.status == STATUS_ACTIVE)
        d->will = arena_memdup(&a->arena, &m, sizeof(m));
    return 0;
}

/* Who changed a memory last, and what was imported. */
struct looking {
    struct decision *d;
    int64_t imported; /* the event */
};

/* A request for review follows from a decision about another memory. */
static int take_revision(void *arg, const struct revision *v)
{
    struct looking *l = arg;
    const struct event *event = &v->event;
    if (event->seq <= l->imported) {
        l->d->base = v->after && v->after->status != STATUS_PURGED ? v->after : NULL;
        return 1;
    }
    if (!l->d->who && !same_text(event->operation, "mark") &&
        !same_text(event->operation, CONFLICT_OPERATION)) {
        l->d->who = event->author;
        l->d->why = event->reason;
        l->d->at = event->at;
    }
    return 0;
}

static int add_decision(struct apply *a, struct reader *r, int64_t node, int64_t imported,
                        struct error *e)
{
    struct decision d = {.approval = NULL};
    struct looking l = {&d, imported};
    AUTO_STRBUF key = STRBUF_INIT;
    if (history_walk_down(r, &a->arena, node, imported, take_revision, &l, &d.now, e))
        return -1;
    bool replaced = d.now->status == STATUS_SUPERSEDED;
    d.will = STATUS_LIVES(d.now->status) && !replaced ? d.now : NULL;
    if (replaced && find_successor(a, r, &d, e))
        return -1;
    d.approval = approval_of(d.now);
    d.verb = d.now->status != STATUS_ACTIVE                      ? status_word(d.now->status)
             : d.approval && same_text(d.who, d.approval->actor) ? "approved"
                                                                 : "edited";
    ref_add(&key, d.now->ref);
    if (key_index_add(&a->w.by_ref, key.buf, key.len) == a->w.count)
        *ARENA_ADD(&a->arena, a->w.decision, a->w.count, a->w.alloc) = d;
    return 0;
}

/* Memories whose last event is another than the one that imported them. */
static int read_decisions(struct apply *a, struct reader *r, struct error *e)
{
    struct query found =
        db_query(reader_db(r), e,
                 "SELECT m.id, abs(i.event) FROM imported i JOIN memory m ON m.id = i.memory"
                 " WHERE i.origin = ? AND m.event <> i.event AND m.status <> 7 ORDER BY m.id",
                 "i", a->origin);
    while (db_next(&found))
        if (add_decision(a, r, sqlite3_column_int64(found.stmt, 0),
                         sqlite3_column_int64(found.stmt, 1), e))
            return db_fail(&found);
    return db_end(&found);
}

/* What was decided about, and the source has no longer: it was changed or removed there meanwhile. What was replaced is
 * no longer there once it was written. */
static void list_lost(struct apply *a)
{
    for (size_t i = 0; i < a->w.count; i++) {
        struct decision *d = &a->w.decision[i];
        if (d->who && d->will && !d->met && !d->placed)
            write_back_cannot(&a->w, d,
                              "%s; the source no longer has it: it was changed or removed there%s",
                              d->verb, a->w.change_count ? ", or is part of a change above" : "");
    }
}

static int plan(struct apply *a, struct reader *r, const char *path, unsigned how, struct error *e)
{
    struct db *db = reader_db(r);
    return failed_if(find_source(a, db, path, e) || read_agent(a, db, e) ||
                     import_names_load(&a->names, db, e) ||
                     (how & APPLY_UNDO ? apply_find_last(a, db, e) : read_decisions(a, r, e)));
}

int apply_plan(struct apply *a, struct reader *r, const char *path, unsigned how, struct error *e)
{
    *a = (struct apply){.arena = ARENA_INIT};
    a->w = (struct write_back){.arena = &a->arena,
                               .names = &a->names,
                               .now = store_now(reader_store(r)),
                               .overwrite = how & APPLY_OVERWRITE,
                               .by_ref = KEY_INDEX_INIT};
    if (reader_begin(r, e))
        return -1;
    int result = plan(a, r, path, how, e);
    reader_end(r);
    if (result || a->undoes)
        return result ? -1 : apply_plan_undo(a, e);
    if (a->w.count && a->format->write_back->plan(&a->w, e))
        return -1;
    list_lost(a);
    return 0;
}

void apply_release(struct apply *a)
{
    key_index_release(&a->w.by_ref);
    row_set_release(&a->w.agreed);
    row_set_release(&a->w.changed);
    import_names_release(&a->names);
    arena_release(&a->arena);
}

bool apply_writes(const struct apply *a)
{
    return a->undoes || a->w.change_count;
}
