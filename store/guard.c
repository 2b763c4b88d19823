#include "guard.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "../model/alloc.h"
#include "../model/json.h"
#include "column.h"
#include "entry.h"
#include "reader.h"

struct guard_rules {
    atomic_size_t holders;
    struct permissions permissions;
    struct pii *pii;
};

struct guard_rules *guard_rules_new(struct permissions *p, struct error *e)
{
    struct guard_rules *g = xcalloc(1, sizeof(*g));
    g->permissions = *p;
    memset(p, 0, sizeof(*p));
    atomic_init(&g->holders, 1);
    g->pii = pii_new(g->permissions.patterns, g->permissions.pattern_count, e);
    if (g->pii)
        return g;
    guard_rules_release(g);
    return NULL;
}

struct guard_rules *guard_rules_hold(struct guard_rules *g)
{
    if (g)
        atomic_fetch_add(&g->holders, 1);
    return g;
}

void guard_rules_release(struct guard_rules *g)
{
    if (!g || atomic_fetch_sub(&g->holders, 1) > 1)
        return;
    pii_free(g->pii);
    arena_release(&g->permissions.arena);
    free(g);
}

const struct permissions *guard_permissions(const struct guard_rules *g)
{
    return &g->permissions;
}

const struct pii *guard_pii(const struct guard_rules *g)
{
    return g->pii;
}

/* ---- what is seen ---- */

static const struct guard_rules *rules_of(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? g->rules : NULL;
}

bool guard_hides(const struct reader *r)
{
    return rules_of(r) != NULL;
}

/* Entries are governed by their namespaces alone. One whose namespace is not known is nobody's to see. */
static int sight_of_entry(struct reader *r, int64_t node, enum sight *out, struct error *e)
{
    const struct guard *g = reader_guarded(r);
    struct arena arena = ARENA_INIT;
    const char *name = NULL;
    int result = entry_namespace(r, &arena, node, &name, e);
    if (result == 0)
        *out = name && permission_allows(&g->rules->permissions, g->agent, MEMORY_TOOL_GET, name,
                                         ACCESS_READ)
                   ? SIGHT_WHOLE
                   : SIGHT_NONE;
    arena_release(&arena);
    return result;
}

int guard_sight_of(struct reader *r, int64_t node, enum kind kind, const char *agent,
                   enum sight *out, struct error *e)
{
    const struct guard *g = reader_guarded(r);
    *out = SIGHT_WHOLE;
    if (!g || !g->rules)
        return 0;
    if (kind == KIND_ENTRY)
        return sight_of_entry(r, node, out, e);
    if (g->bound && !g->rules->permissions.share && agent && *agent &&
        (!g->agent || strcmp(agent, g->agent) != 0))
        *out = SIGHT_OWNER;
    return 0;
}

int guard_sight(struct reader *r, int64_t node, enum sight *out, struct error *e)
{
    *out = SIGHT_WHOLE;
    if (!guard_hides(r))
        return 0;
    sqlite3_stmt *stmt = db_prepare(reader_db(r),
                                    "SELECT m.kind, a.name FROM memory m LEFT JOIN agent a"
                                    " ON a.id = m.agent WHERE m.id = ?",
                                    e);
    int found = stmt ? db_bind(reader_db(r), stmt, e, "i", node) : -1;
    if (found <= 0)
        return found;
    int kind = column_enum(stmt, 0, KIND_COUNT);
    const char *agent = (const char *)sqlite3_column_text(stmt, 1);
    int result = kind < 0 ? reader_damaged(e, "the kind", node)
                          : guard_sight_of(r, node, (enum kind)kind, agent, out, e);
    sqlite3_reset(stmt);
    return result;
}

/* ---- what is masked ---- */

bool guard_mask_json(const struct guard *g, const char *json, size_t len, struct strbuf *out,
                     struct pii_seen *seen)
{
    if (g && g->rules && g->rules->permissions.mask)
        return pii_mask_json(g->rules->pii, json, len, out, seen);
    strbuf_add(out, json, len);
    return false;
}

const char *guard_text(const struct reader *r, struct arena *arena, const char *text, size_t len)
{
    const struct guard_rules *rules = rules_of(r);
    struct pii_span span;
    if (!rules || !rules->permissions.mask || !pii_find(rules->pii, text, len, 0, &span))
        return text;
    struct strbuf out = STRBUF_INIT;
    pii_mask_text(rules->pii, text, len, &out, NULL);
    const char *masked = out.failed ? NULL : arena_strndup(arena, out.buf, out.len);
    strbuf_release(&out);
    return masked;
}
