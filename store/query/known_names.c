/* Completes names: ids and agents that begin with a prefix. */
#include "store/query/known_names.h"

#include <string.h>
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/record/get.h"

/*
 * The end of the range of texts with the prefix: the prefix with its last byte incremented (UTF-8
 * has no byte 0xff). NULL for an empty prefix.
 */
static char *prefix_end(struct arena *arena, const char *prefix)
{
    char *end = arena_strdup(arena, prefix);
    size_t len = strlen(end);
    if (len == 0)
        return NULL;
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
    return end;
}

/* A range of an index; no character is a wildcard. */
#define FIND(whose)                                                                                \
    "SELECT id, created_at, status, name FROM memory WHERE kind = ?1" whose                        \
    " AND name >= ?2 AND name < ?3"
#define IN_ORDER " ORDER BY name"

struct walk {
    struct reader *r;
    int (*each)(void *arg, const struct prefix_match *one);
    void *arg;
    const char *prefix, *end;
    bool stopped;
};

/* A caller that must not see the memories of others: reads its own and those without an agent. */
static struct query begin(const struct walk *w, enum kind kind, struct error *e)
{
    struct db *db = reader_db(w->r);
    int64_t only = kind == KIND_ENTRY ? 0 : guard_only_agent(w->r);
    if (only)
        return db_query(db, e,
                        FIND(" AND agent = ?4" GUARD_SQL) " UNION ALL " FIND(
                            " AND agent IS NULL" GUARD_SQL) IN_ORDER,
                        "issi", (int64_t)kind, w->prefix, w->end, only);
    bool checks = guard_hides_of(w->r, KIND_BIT(kind));
    return db_query(db, e, checks ? FIND("") GUARD_SQL IN_ORDER : FIND("") IN_ORDER, "iss",
                    (int64_t)kind, w->prefix, w->end);
}

static int walk_kind(struct walk *w, enum kind kind, struct error *e)
{
    struct query rows = begin(w, kind, e);
    while (!w->stopped && db_next(&rows)) {
        int status = sqlite3_column_int(rows.stmt, 2);
        struct prefix_match one = {.node = sqlite3_column_int64(rows.stmt, 0),
                                   .created_at = sqlite3_column_int64(rows.stmt, 1),
                                   .kind = kind,
                                   .is_listed = STATUS_LISTED(status),
                                   .is_stub = status == STATUS_MISSING,
                                   .id = (const char *)sqlite3_column_text(rows.stmt, 3)};
        bool is_masked = reader_guarded(w->r) && guard_masks_name(w->r, one.id);
        w->stopped = !is_masked && w->each(w->arg, &one) != 0;
    }
    return db_end(&rows);
}

int prefix_walk(struct reader *r, unsigned kinds, const char *prefix,
                int (*each)(void *arg, const struct prefix_match *one), void *arg, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct walk w = {r, each, arg, prefix, prefix_end(&arena, prefix), false};
    int result = 0;
    kinds = guard_kinds(r, kinds);
    for (int kind = 0; kind < KIND_COUNT && result == 0 && !w.stopped; kind++)
        if (kinds & KIND_BIT(kind))
            result = walk_kind(&w, (enum kind)kind, e);
    return result;
}

/* ---- ids ---- */

struct dated {
    int64_t created_at, node;
};

static bool is_newer(const struct dated *a, const struct dated *b)
{
    return a->created_at != b->created_at ? a->created_at > b->created_at : a->node > b->node;
}

struct newest {
    struct dated newest[KNOWN_NAMES_MAX];
    size_t count, read;
    int64_t total;
};

/* Inserts it into the newest ones, in order. */
static void insert_newest(struct newest *n, struct dated one)
{
    size_t at = n->count;
    if (at == KNOWN_NAMES_MAX) {
        if (!is_newer(&one, &n->newest[at - 1]))
            return;
        at--;
    } else {
        n->count++;
    }
    for (; at > 0 && is_newer(&one, &n->newest[at - 1]); at--)
        n->newest[at] = n->newest[at - 1];
    n->newest[at] = one;
}

static int add_match(void *arg, const struct prefix_match *one)
{
    struct newest *n = arg;
    if (n->read++ == KNOWN_NAMES_READ_MAX) {
        n->total = -1;
        return 1;
    }
    if (!one->is_listed)
        return 0;
    n->total++;
    insert_newest(n, (struct dated){one->created_at, one->node});
    return 0;
}

static int find_newest(struct reader *r, unsigned kinds, struct newest *n, struct error *e)
{
    struct list_query query = {.kinds = kinds};
    int more = 0;
    struct list *l = list_open(r, &query, NULL, e);
    if (!l)
        return -1;
    while (n->count < KNOWN_NAMES_MAX && (more = list_next(l, &n->newest[n->count].node, e)) > 0)
        n->count++;
    int64_t another;
    more = more > 0 ? list_next(l, &another, e) : more;
    n->total = more > 0 ? -1 : (int64_t)n->count;
    list_close(l);
    return more < 0 ? -1 : 0;
}

/* Finds the memory of an opaque id, which must be complete. */
static int find_opaque(struct reader *r, unsigned kinds, const char *shown, struct arena *arena,
                       int64_t *node, struct error *e)
{
    struct ref ref;
    bool listed = false;
    int meant = guard_resolve_opaque_id(reader_db(r), guard_rules_of(r), arena, shown, &ref, e);
    *node = 0;
    if (meant <= 0 || !(kinds & KIND_BIT(ref.kind)))
        return meant < 0 ? -1 : 0;
    int64_t found = ref_find(reader_db(r), ref, e);
    if (found < 0 || (found > 0 && guard_lists(r, found, &listed, e)))
        return -1;
    *node = listed ? found : 0;
    return 0;
}

static int find_ids(struct reader *r, unsigned kinds, const char *prefix, struct arena *arena,
                    struct newest *n, struct error *e)
{
    if (*prefix ? prefix_walk(r, kinds, prefix, add_match, n, e) : find_newest(r, kinds, n, e))
        return -1;
    if (n->count > 0)
        return 0;
    if (find_opaque(r, kinds, prefix, arena, &n->newest[0].node, e))
        return -1;
    if (n->newest[0].node)
        n->count = (size_t)(n->total = 1);
    return 0;
}

static int read_refs(struct reader *r, const struct newest *n, struct arena *arena, struct ref *out,
                     struct error *e)
{
    for (size_t i = 0; i < n->count; i++) {
        struct memory_row row;
        if (memory_row_read(r, arena, n->newest[i].node, &row, e))
            return -1;
        out[i] = row.ref;
    }
    return 0;
}

int known_ids(struct reader *r, unsigned kinds, const char *prefix, struct arena *arena,
              struct ref *out, size_t *count, int64_t *total, struct error *e)
{
    struct newest n = {.count = 0};
    int result = reader_begin(r, e) ? -1
                                    : reader_done(r, find_ids(r, kinds, prefix, arena, &n, e) ||
                                                         read_refs(r, &n, arena, out, e));
    *count = n.count;
    *total = n.total;
    return result ? -1 : 0;
}

/* ---- agents ---- */

int known_agents(struct reader *r, const char *prefix, struct arena *arena, const char **out,
                 size_t *count, int64_t *total, struct error *e)
{
    *count = 0;
    *total = 0;
    struct query rows = db_query(
        reader_db(r), e,
        "SELECT name FROM agent WHERE name >= ?1 AND (?2 IS NULL OR name < ?2) ORDER BY name", "ss",
        prefix, prefix_end(arena, prefix));
    while (db_next(&rows)) {
        bool has = true, kept = *count < KNOWN_NAMES_MAX || guard_hides(r);
        const char *name = kept ? db_text(arena, rows.stmt, 0) : NULL;
        if (guard_hides(r) && list_has_agent(r, name, &has, e))
            return db_fail(&rows);
        has &= !guard_masks_name(r, (const char *)sqlite3_column_text(rows.stmt, 0));
        *total += has;
        if (has && *count < KNOWN_NAMES_MAX)
            out[(*count)++] = name;
    }
    return db_end(&rows);
}
