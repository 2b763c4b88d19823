/* What an import has read, in compact sets, and the questions it asks the store at its end. */
#include "store/import/import_merge.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/txn/txn.h"
#include "model/json/json.h"

/* ---- refs and rows ---- */

static uint64_t first_bits(const struct digest *d)
{
    uint64_t bits;
    memcpy(&bits, d->bytes, sizeof(bits));
    return bits ? bits : 1;
}

/* Returns the key of a ref; never 0. */
static uint64_t seen_bits(struct ref ref)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct digest d;
    ref_add(&text, ref);
    digest_bytes(&d, text.buf, text.len);
    return first_bits(&d);
}

enum seen_before seen_note(struct seen *s, struct ref ref, const struct digest *content)
{
    int64_t bits = (int64_t)first_bits(content);
    int64_t *known = map_at(&s->content, (int64_t)seen_bits(ref));
    if (*known)
        return *known == bits ? SEEN_SAME : SEEN_OTHER;
    *known = bits;
    return SEEN_NEVER;
}

static bool seen_has(const struct seen *s, struct ref ref)
{
    return map_find(&s->content, (int64_t)seen_bits(ref)) != NULL;
}

void seen_release(struct seen *s)
{
    map_release(&s->content);
}

/* ---- limited reports ---- */

#define SHOWN 20 /* reported one by one */

static void report_limited(struct limited_report *t, struct ref ref, const char *what,
                           const struct ref *named)
{
    AUTO_STRBUF line = STRBUF_INIT;
    if (++t->reported > SHOWN)
        return;
    ref_add(&line, ref);
    strbuf_addstr(&line, what);
    if (named) {
        ref_add(&line, *named);
        strbuf_addstr(&line, ", which is not here");
    }
    t->report(t->arg, line.buf);
}

static void report_rest(const struct limited_report *t, const char *one, const char *more)
{
    char line[96];
    int64_t rest = t->reported - SHOWN;
    if (rest <= 0)
        return;
    snprintf(line, sizeof(line), "%lld more %s", (long long)rest, rest == 1 ? one : more);
    t->report(t->arg, line);
}

/* ---- refs to missing memories ---- */

static int mention(struct missing *s, struct db *db, struct ref from, struct ref to,
                   struct error *e)
{
    static const struct digest nothing;
    int64_t status;
    if (db_int(db, &status, STATUS_MISSING, e,
               "SELECT status FROM memory WHERE kind = ? AND name = ?", "is", (int64_t)to.kind,
               to.id))
        return -1;
    if (status != STATUS_MISSING || seen_note(&s->named, to, &nothing) != SEEN_NEVER)
        return 0;
    *ARRAY_ADD(s->mention, s->count, s->alloc) = (struct mention){
        {from.kind, arena_strdup(&s->arena, from.id)}, {to.kind, arena_strdup(&s->arena, to.id)}};
    return 0;
}

int missing_note_dry(struct missing *s, struct db *db, const struct memory *m, struct error *e)
{
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            if (mention(s, db, m->ref, m->justifications[i].antecedents[k].ref, e))
                return -1;
    for (size_t i = 0; i < m->relation_count; i++)
        if (mention(s, db, m->ref, m->relations[i].to, e))
            return -1;
    return 0;
}

/* The missing memories that a memory refers to, and whether the link was imported just now. */
static const char named_sql[] =
    "SELECT t.kind, t.name, t.id, m.kind, m.name, EXISTS (SELECT 1 FROM imported i"
    " WHERE i.memory = m.id AND i.event > ?2) FROM memory m CROSS JOIN link l ON l.memory = m.id"
    " CROSS JOIN memory t ON t.id = l.target AND t.status = ?3 WHERE m.id = ?1"
    " ORDER BY l.number, l.position";

static struct ref ref_at(sqlite3_stmt *stmt, int column)
{
    return (struct ref){(enum kind)sqlite3_column_int(stmt, column),
                        (const char *)sqlite3_column_text(stmt, column + 1)};
}

static const char named_by[] = ": names ";

/* Missing refs counted so far, and those of them that were reported. */
struct unwritten {
    struct row_set counted, reported;
    int64_t count;
};

static int count_named(struct missing *s, struct db *db, const struct run_question *q, int64_t row,
                       struct unwritten *u, struct limited_report *t, struct error *e)
{
    struct query rows = db_query(db, e, named_sql, "iii", row, q->first, (int64_t)STATUS_MISSING);
    while (db_next(&rows)) {
        struct ref to = ref_at(rows.stmt, 0), from = ref_at(rows.stmt, 3);
        int64_t target = sqlite3_column_int64(rows.stmt, 2);
        if (!to.id || !from.id || (q->dry_run && (seen_has(q->met, to) || seen_has(&s->named, to))))
            continue;
        u->count += !row_set_has(&u->counted, target);
        row_set_add(&u->counted, target);
        if (!sqlite3_column_int(rows.stmt, 5) || row_set_has(&u->reported, target))
            continue;
        row_set_add(&u->reported, target);
        report_limited(t, from, named_by, &to);
    }
    return db_end(&rows);
}

int missing_count(struct missing *s, struct db *db, const struct run_question *q, int64_t *count,
                  struct error *e)
{
    static const struct row_set none;
    struct limited_report t = q->report;
    struct unwritten u = {.count = 0};
    int result = 0;
    for (int64_t row = 0; result == 0 && (row = row_set_next(&s->here, &none, row)) > 0;)
        result = count_named(s, db, q, row, &u, &t, e);
    row_set_release(&u.counted);
    row_set_release(&u.reported);
    *count += u.count;
    for (size_t i = 0; i < s->count; i++) {
        if (seen_has(q->met, s->mention[i].to))
            continue;
        ++*count;
        report_limited(&t, s->mention[i].from, named_by, &s->mention[i].to);
    }
    report_rest(&t, "ref names nothing here; stemma orphans lists them",
                "refs name nothing here; stemma orphans lists them");
    return result;
}

void missing_release(struct missing *s)
{
    row_set_release(&s->here);
    seen_release(&s->named);
    free(s->mention);
    arena_release(&s->arena);
}

/* ---- memories that the source no longer has ---- */

int unlisted_find(struct unlisted *g, struct db *db, const struct run_question *q, struct error *e)
{
    static const char sql[] =
        "SELECT m.kind, m.name, m.id, i.hash = zeroblob(32) FROM imported i"
        " JOIN memory m ON m.id = i.memory WHERE i.origin = ?1 AND m.status <= ?2"
        " AND (?3 IS NULL OR m.agent = (SELECT id FROM agent WHERE name = ?3))"
        " AND ?4 >> m.kind & 1";
    struct limited_report t = q->report;
    struct query rows = db_query(db, e, sql, "iisi", q->origin, (int64_t)STATUS_RETRACTED, q->agent,
                                 (int64_t)q->kinds);
    while (db_next(&rows)) {
        struct ref ref = ref_at(rows.stmt, 0);
        if (!ref.id || seen_has(q->met, ref))
            continue;
        g->count++;
        if (sqlite3_column_int(rows.stmt, 3)) /* reported before */
            continue;
        *ARRAY_ADD(g->new_rows, g->new_count, g->alloc) = sqlite3_column_int64(rows.stmt, 2);
        report_limited(&t, ref,
                       q->partly_read ? " is not in what could be read of the source; kept here"
                                      : " is no longer in the source; kept here",
                       NULL);
    }
    report_rest(&t, "memory is no longer in the source; kept here",
                "memories are no longer in the source; kept here");
    return db_end(&rows);
}

/* Adds the flag, unless the memory was changed here since event *imported, and sets *imported to the flag's event. */
static int flag_removed(struct txn *t, int64_t row, const struct actor *actor, const char *path,
                        int64_t *imported, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory was, m;
    const char *reason = arena_format(&arena, "no longer in %s", path);
    if (memory_read_db(txn_db(t), &arena, row, &was, e))
        return -1;
    if (was.event != *imported)
        return 0;
    m = was;
    m.form = NULL;
    const struct actor author = import_author(actor, &m);
    struct flag *flags = arena_array(&arena, was.flag_count + 1, sizeof(*flags));
    for (size_t i = 0; i < was.flag_count; i++)
        flags[i] = was.flags[i];
    flags[m.flag_count++] = (struct flag){
        .name = FLAG_REMOVED, .at = txn_now(t), .actor = author.name, .reason = reason};
    m.flags = flags;
    if (txn_put(t, &author, "import", &was, &m, reason, e) == 0) {
        *imported = m.event;
        return 0;
    }
    if (t->failed || (e->code != ERROR_INVALID && e->code != ERROR_CONFLICT))
        return -1;
    e->code = ERROR_NONE; /* nothing was written */
    return 0;
}

int unlisted_note(struct txn *t, int64_t row, int64_t origin, const struct actor *actor,
                  const char *path, struct error *e)
{
    int64_t imported;
    if (db_int(txn_db(t), &imported, 0, e, "SELECT event FROM imported WHERE memory = ?", "i",
               row) ||
        (actor && flag_removed(t, row, actor, path, &imported, e)))
        return -1;
    return db_run(
        txn_db(t), e,
        "UPDATE imported SET hash = zeroblob(32), event = ? WHERE memory = ? AND origin = ?", "iii",
        imported, row, origin);
}

/* ---- names ---- */

/* Which memory a ref of a source means. */
static size_t number_of(struct import_names *names, struct ref given)
{
    AUTO_STRBUF key = STRBUF_INIT;
    ref_add(&key, given);
    size_t count = names->given.count, at = key_index_add(&names->given, key.buf, key.len);
    if (at == count) {
        ARRAY_ROOM(names->ref, at, names->alloc, 1);
        names->ref[at] = (struct ref){KIND_COUNT, NULL};
    }
    return at;
}

/* A memory has one text in its source, so a later name takes the place of an earlier one. */
static void add_name(struct import_names *names, struct ref given, struct ref ref)
{
    for (size_t i = 0; i < names->given.count; i++)
        if (names->ref[i].id && ref_equal(names->ref[i], ref))
            names->ref[i].id = NULL;
    if (ref_equal(given, ref))
        return;
    size_t at = number_of(names, given);
    names->ref[at] = ref;
}

/* The patch column of an event: {"fields":{"names":{"belief:GIVEN":"belief:REF"}}}. */
static void add_names(struct import_names *names, const char *patch, size_t len)
{
    struct error ignored;
    if (json_check(patch, len, JSON_DEPTH_LIMIT, &ignored))
        return;
    struct json_slice fields = json_member(patch, len, "fields");
    struct json_slice list = fields.ptr ? json_get(fields, "names") : fields;
    for (struct json_each it = json_each(list); json_next(&it);) {
        struct ref given, ref;
        const char *text = json_text(&names->arena, it.value, NULL);
        char *key = arena_strndup(&names->arena, it.key.ptr, it.key.len);
        key[json_unescape(key, key, it.key.len)] = '\0';
        if (text && ref_parse(key, &given) == REF_MEMORY && ref_parse(text, &ref) == REF_MEMORY)
            add_name(names, given, ref);
    }
}

int import_names_load(struct import_names *names, struct db *db, struct error *e)
{
    *names = (struct import_names){.given = KEY_INDEX_INIT};
    struct query rows =
        db_query(db, e,
                 "SELECT patch FROM event a WHERE subject IS NULL AND operation = ? AND person"
                 " AND NOT EXISTS (SELECT 1 FROM event b WHERE b.undoes = a.seq) ORDER BY seq",
                 "s", APPLY_OPERATION);
    while (db_next(&rows))
        if (sqlite3_column_type(rows.stmt, 0) == SQLITE_TEXT)
            add_names(names, (const char *)sqlite3_column_text(rows.stmt, 0),
                      (size_t)sqlite3_column_bytes(rows.stmt, 0));
    return db_end(&rows);
}

void import_names_release(struct import_names *names)
{
    key_index_release(&names->given);
    arena_release(&names->arena);
    free(names->ref);
}

struct ref import_names_find(const struct import_names *names, struct ref given)
{
    AUTO_STRBUF key = STRBUF_INIT;
    if (names->given.count == 0)
        return given;
    ref_add(&key, given);
    size_t at = key_index_find(&names->given, key.buf, key.len);
    return at != ROW_NONE && names->ref[at].id ? names->ref[at] : given;
}
