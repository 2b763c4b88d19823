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

/* ---- what links name and nobody wrote ---- */

#define SHOWN 20 /* are named one by one */

static void name_row(struct missing *s, int64_t row)
{
    row_set_add(&s->named, row);
    row_set_add(&s->news, row);
}

void missing_note_put(struct missing *s, const struct memory *m)
{
    row_set_add(&s->filled, m->node);
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            if (m->justifications[i].antecedents[k].node)
                name_row(s, m->justifications[i].antecedents[k].node);
    for (size_t i = 0; i < m->relation_count; i++)
        name_row(s, m->relations[i].to_node);
}

void missing_note_row(struct missing *s, int64_t node)
{
    row_set_add(&s->filled, node);
}

void missing_note_stubs(struct missing *s, int64_t after, int64_t last)
{
    for (int64_t row = after + 1; row <= last; row++)
        name_row(s, row);
}

int missing_note_stored(struct missing *s, struct db *db, int64_t node, struct error *e)
{
    row_set_add(&s->filled, node);
    struct query rows = db_query(
        db, e, "SELECT target FROM link WHERE memory = ? AND target IS NOT NULL", "i", node);
    while (db_next(&rows))
        row_set_add(&s->named, sqlite3_column_int64(rows.stmt, 0));
    return db_end(&rows);
}

/* ---- a dry run ---- */

static int mention(struct missing *s, struct db *db, struct ref from, struct ref to,
                   struct error *e)
{
    static const struct digest nothing;
    int64_t node = ref_find(db, to, e);
    if (node < 0)
        return -1;
    if (node > 0)
        name_row(s, node);
    if (node > 0 || seen_note(&s->mentioned, to, &nothing) == SEEN_SAME)
        return 0;
    struct mention copy = {{from.kind, arena_strdup(&s->arena, from.id)},
                           {to.kind, arena_strdup(&s->arena, to.id)}};
    *ARRAY_ADD(s->mentions, s->count, s->alloc) = copy;
    return 0;
}

int missing_note_dry(struct missing *s, struct db *db, const struct memory *m, int64_t node,
                     struct error *e)
{
    if (node > 0)
        row_set_add(&s->filled, node);
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            if (mention(s, db, m->ref, m->justifications[i].antecedents[k].ref, e))
                return -1;
    for (size_t i = 0; i < m->relation_count; i++)
        if (mention(s, db, m->ref, m->relations[i].to, e))
            return -1;
    return 0;
}

/* ---- counting ---- */

struct telling {
    void (*report)(void *arg, const char *line);
    void *arg;
    int64_t told;
};

static bool is_shown(struct telling *t)
{
    return ++t->told <= SHOWN;
}

static void tell(const struct telling *t, struct ref from, struct ref to)
{
    struct strbuf line = STRBUF_INIT;
    ref_add(&line, from);
    strbuf_addstr(&line, ": names ");
    ref_add(&line, to);
    strbuf_addstr(&line, ", which is not here");
    t->report(t->arg, line.buf);
    strbuf_release(&line);
}

static int tell_row(const struct telling *t, struct db *db, int64_t row, struct error *e)
{
    static const char sql[] = "SELECT t.kind, t.name, m.kind, m.name FROM memory t"
                              " JOIN link l ON l.target = t.id JOIN memory m ON m.id = l.memory"
                              " WHERE t.id = ? LIMIT 1";
    struct query one = db_query(db, e, sql, "i", row);
    if (!db_next(&one))
        return db_end(&one);
    tell(t,
         (struct ref){(enum kind)sqlite3_column_int(one.stmt, 2),
                      (const char *)sqlite3_column_text(one.stmt, 3)},
         (struct ref){(enum kind)sqlite3_column_int(one.stmt, 0),
                      (const char *)sqlite3_column_text(one.stmt, 1)});
    db_end(&one);
    return 0;
}

static int count_rows(struct missing *s, struct db *db, struct telling *t, int64_t *count,
                      struct error *e)
{
    for (int64_t row = 0; (row = row_set_next(&s->named, &s->filled, row)) > 0;) {
        int64_t status;
        if (db_int(db, &status, 0, e, "SELECT status FROM memory WHERE id = ?", "i", row))
            return -1;
        if (status != STATUS_MISSING)
            continue;
        ++*count;
        if (row_set_has(&s->news, row) && is_shown(t) && tell_row(t, db, row, e))
            return -1;
    }
    return 0;
}

int missing_count(struct missing *s, struct db *db, const struct seen *met,
                  void (*report)(void *arg, const char *line), void *arg, int64_t *count,
                  struct error *e)
{
    struct telling t = {report, arg, 0};
    if (count_rows(s, db, &t, count, e))
        return -1;
    for (size_t i = 0; i < s->count; i++) {
        if (seen_has(met, s->mentions[i].to))
            continue;
        ++*count;
        if (is_shown(&t))
            tell(&t, s->mentions[i].from, s->mentions[i].to);
    }
    if (t.told > SHOWN) {
        char line[96];
        snprintf(line, sizeof(line), "%lld more %s nothing here; stemma orphans lists them",
                 (long long)(t.told - SHOWN), t.told - SHOWN == 1 ? "ref names" : "refs name");
        report(arg, line);
    }
    return 0;
}

void missing_release(struct missing *s)
{
    row_set_release(&s->named);
    row_set_release(&s->filled);
    row_set_release(&s->news);
    seen_release(&s->mentioned);
    free(s->mentions);
    arena_release(&s->arena);
}

/* ---- what the source has no more ---- */

#define SHOWN 20 /* are named one by one */

static void tell_gone(const struct gone_question *q, struct ref ref)
{
    struct strbuf line = STRBUF_INIT;
    ref_add(&line, ref);
    strbuf_addstr(&line, q->partly_read ? " is not in what could be read of the source; kept here"
                                        : " is no longer in the source; kept here");
    q->report(q->arg, line.buf);
    strbuf_release(&line);
}

static void tell_rest(const struct gone_question *q, size_t rest)
{
    char line[96];
    snprintf(line, sizeof(line), "%zu more %s no longer in the source; kept here", rest,
             rest == 1 ? "memory is" : "memories are");
    q->report(q->arg, line);
}

/* The row that the statement stands on. */
static void look(struct gone *g, sqlite3_stmt *stmt, const struct gone_question *q)
{
    struct ref ref = {(enum kind)sqlite3_column_int(stmt, 1),
                      (const char *)sqlite3_column_text(stmt, 2)};
    if (!ref.id || seen_has(q->met, ref))
        return;
    g->count++;
    if (sqlite3_column_int(stmt, 3)) /* it was told */
        return;
    *ARRAY_ADD(g->news, g->news_count, g->alloc) = sqlite3_column_int64(stmt, 0);
    if (g->news_count <= SHOWN)
        tell_gone(q, ref);
}

int gone_find(struct gone *g, struct db *db, const struct gone_question *q, struct error *e)
{
    static const char sql[] =
        "SELECT m.id, m.kind, m.name, i.hash = zeroblob(32) FROM imported i"
        " JOIN memory m ON m.id = i.memory WHERE i.origin = ?1 AND m.status <= ?2"
        " AND (?3 IS NULL OR m.agent = (SELECT id FROM agent WHERE name = ?3))";
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int row =
        stmt ? db_bind(db, stmt, e, "iis", q->origin, (int64_t)STATUS_RETRACTED, q->agent) : -1;
    for (; row > 0; row = db_step(db, stmt, e))
        look(g, stmt, q);
    if (row == 0 && g->news_count > SHOWN)
        tell_rest(q, g->news_count - SHOWN);
    return row;
}

int gone_note(const struct gone *g, struct db *db, int64_t origin, struct error *e)
{
    for (size_t i = 0; i < g->news_count; i++)
        if (db_run(db, e, "UPDATE imported SET hash = zeroblob(32) WHERE memory = ? AND origin = ?",
                   "ii", g->news[i], origin))
            return -1;
    return 0;
}

void gone_release(struct gone *g)
{
    free(g->news);
    *g = (struct gone){.news = NULL};
}
