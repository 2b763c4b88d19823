#include "store/import/import_seen.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "store/record/get.h"

/* ---- refs that were met, and rows ---- */

static uint64_t first_bits(const struct digest *d)
{
    uint64_t bits;
    memcpy(&bits, d->bytes, sizeof(bits));
    return bits ? bits : 1;
}

/* What a ref is known by here; never 0. */
static uint64_t seen_bits(struct ref ref)
{
    struct strbuf text = STRBUF_INIT;
    struct digest d;
    ref_add(&text, ref);
    digest_bytes(&d, text.buf, text.len);
    strbuf_release(&text);
    return first_bits(&d);
}

enum seen_before seen_note(struct seen *s, struct ref ref, const struct digest *content)
{
    int64_t said = (int64_t)first_bits(content);
    int64_t *known = map_at(&s->said, (int64_t)seen_bits(ref));
    if (*known)
        return *known == said ? SEEN_SAME : SEEN_OTHER;
    *known = said;
    return SEEN_NEVER;
}

static bool seen_has(const struct seen *s, struct ref ref)
{
    return map_find(&s->said, (int64_t)seen_bits(ref)) != NULL;
}

void seen_release(struct seen *s)
{
    map_release(&s->said);
}

/* ---- lines that are told ---- */

#define SHOWN 20 /* are told one by one */

static void tell(struct telling *t, struct ref ref, const char *what, const struct ref *named)
{
    struct strbuf line = STRBUF_INIT;
    if (++t->told > SHOWN)
        return;
    ref_add(&line, ref);
    strbuf_addstr(&line, what);
    if (named) {
        ref_add(&line, *named);
        strbuf_addstr(&line, ", which is not here");
    }
    t->report(t->arg, line.buf);
    strbuf_release(&line);
}

static void tell_rest(const struct telling *t, const char *one, const char *more)
{
    char line[96];
    int64_t rest = t->told - SHOWN;
    if (rest <= 0)
        return;
    snprintf(line, sizeof(line), "%lld more %s", (long long)rest, rest == 1 ? one : more);
    t->report(t->arg, line);
}

/* ---- what links name and nobody wrote ---- */

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

int missing_note_dry(struct missing *s, struct db *db, const struct memory *m, int64_t node,
                     struct error *e)
{
    if (node > 0)
        row_set_add(&s->put, node);
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            if (mention(s, db, m->ref, m->justifications[i].antecedents[k].ref, e))
                return -1;
    for (size_t i = 0; i < m->relation_count; i++)
        if (mention(s, db, m->ref, m->relations[i].to, e))
            return -1;
    return 0;
}

/* Rows that are only named have no agent, so that the index by agents begins with them, kind by kind. */
static const char missing_sql[] =
    "WITH RECURSIVE kinds(kind) AS (VALUES (0) UNION ALL SELECT kind + 1 FROM kinds WHERE kind < "
    "?1)"
    " SELECT t.kind, t.name, t.id FROM kinds k CROSS JOIN memory t INDEXED BY memory_agent"
    " ON t.kind = k.kind AND t.agent IS NULL AND t.status = ?2 ORDER BY t.id";

/* Who names one, and is that news? */
static const char named_by_sql[] =
    "SELECT m.kind, m.name, m.id, EXISTS (SELECT 1 FROM imported i WHERE i.memory = m.id"
    " AND i.event > ?2) FROM link l INDEXED BY link_target CROSS JOIN memory m ON m.id = l.memory"
    " WHERE l.target = ?1 ORDER BY l.memory";

static struct ref ref_at(sqlite3_stmt *stmt, int column)
{
    return (struct ref){(enum kind)sqlite3_column_int(stmt, column),
                        (const char *)sqlite3_column_text(stmt, column + 1)};
}

static const char names[] = ": names ";

/* Counts the row where the source names it, and tells of it where that is news. */
static int count_row(struct missing *s, struct db *db, const struct run_question *q, int64_t row,
                     struct ref to, struct telling *t, int64_t *count, struct error *e)
{
    bool counted = false, told = false;
    struct query users = db_query(db, e, named_by_sql, "ii", row, q->first);
    while (!told && db_next(&users)) {
        struct ref from = ref_at(users.stmt, 0);
        bool is_news = sqlite3_column_int(users.stmt, 3);
        if ((counted && !is_news) || !from.id || !seen_has(q->met, from) ||
            row_set_has(&s->put, sqlite3_column_int64(users.stmt, 2)))
            continue;
        *count += !counted;
        counted = true;
        told = is_news;
        if (told)
            tell(t, from, names, &to);
    }
    return db_end(&users);
}

int missing_count(struct missing *s, struct db *db, const struct run_question *q, int64_t *count,
                  struct error *e)
{
    struct telling t = q->tell;
    struct query rows =
        db_query(db, e, missing_sql, "ii", (int64_t)KIND_COUNT - 1, (int64_t)STATUS_MISSING);
    while (db_next(&rows)) {
        struct ref to = ref_at(rows.stmt, 0);
        bool is_put = q->dry_run && to.id && (seen_has(q->met, to) || seen_has(&s->named, to));
        if (to.id && !is_put &&
            count_row(s, db, q, sqlite3_column_int64(rows.stmt, 2), to, &t, count, e))
            return db_fail(&rows);
    }
    for (size_t i = 0; i < s->count; i++) {
        if (seen_has(q->met, s->mention[i].to))
            continue;
        ++*count;
        tell(&t, s->mention[i].from, names, &s->mention[i].to);
    }
    tell_rest(&t, "ref names nothing here; stemma orphans lists them",
              "refs name nothing here; stemma orphans lists them");
    return db_end(&rows);
}

void missing_release(struct missing *s)
{
    row_set_release(&s->put);
    seen_release(&s->named);
    free(s->mention);
    arena_release(&s->arena);
}

/* ---- what the source has no more ---- */

int gone_find(struct gone *g, struct db *db, const struct run_question *q, struct error *e)
{
    static const char sql[] =
        "SELECT m.kind, m.name, m.id, i.hash = zeroblob(32) FROM imported i"
        " JOIN memory m ON m.id = i.memory WHERE i.origin = ?1 AND m.status <= ?2"
        " AND (?3 IS NULL OR m.agent = (SELECT id FROM agent WHERE name = ?3))";
    struct telling t = q->tell;
    struct query rows = db_query(db, e, sql, "iis", q->origin, (int64_t)STATUS_RETRACTED, q->agent);
    while (db_next(&rows)) {
        struct ref ref = ref_at(rows.stmt, 0);
        if (!ref.id || seen_has(q->met, ref))
            continue;
        g->count++;
        if (sqlite3_column_int(rows.stmt, 3)) /* it was told */
            continue;
        *ARRAY_ADD(g->news, g->news_count, g->alloc) = sqlite3_column_int64(rows.stmt, 2);
        tell(&t, ref,
             q->partly_read ? " is not in what could be read of the source; kept here"
                            : " is no longer in the source; kept here",
             NULL);
    }
    tell_rest(&t, "memory is no longer in the source; kept here",
              "memories are no longer in the source; kept here");
    return db_end(&rows);
}

int gone_note(const struct gone *g, struct db *db, int64_t origin, struct error *e)
{
    for (size_t i = 0; i < g->news_count; i++)
        if (db_run(db, e, "UPDATE imported SET hash = zeroblob(32) WHERE memory = ? AND origin = ?",
                   "ii", g->news[i], origin))
            return -1;
    return 0;
}
