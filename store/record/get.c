/*
 * Reads a memory from its rows. Its JSONL line equals the one that was written: groups are ordered
 * by number, antecedents by position. A damaged row gives an error, or a memory that does not match
 * its commitment.
 */
#include "store/record/get.h"

#include "model/base/array.h"
#include "store/db/reader.h"

int64_t ref_find_status(struct db *db, struct ref ref, enum status *status, struct error *e)
{
    int64_t node = 0;
    struct query row = db_query(db, e, "SELECT id, status FROM memory WHERE kind = ? AND name = ?",
                                "is", (int64_t)ref.kind, ref.id);
    if (db_next(&row)) {
        node = sqlite3_column_int64(row.stmt, 0);
        *status = (enum status)sqlite3_column_int(row.stmt, 1);
    }
    return db_end(&row) ? -1 : node;
}

int64_t ref_find(struct db *db, struct ref ref, struct error *e)
{
    int64_t node;
    if (db_int(db, &node, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?", "is",
               (int64_t)ref.kind, ref.id))
        return -1;
    return node;
}

/* The tables of a memory. */
enum table {
    MEMORY,
    LINKS,
    HISTORY,
    MARKS,
    TABLE_COUNT
};

struct memory_scan {
    struct db *db;
    struct pass {
        sqlite3_stmt *stmt; /* NULL before the first row */
        int more;
    } pass[TABLE_COUNT];
};

struct assembly {
    struct db *db;
    struct memory_scan *scan; /* NULL to read one memory */
    struct arena *arena;
    struct memory *m;
    int64_t node;
    struct error *e;
};

#define ROW_SQL                                                                                    \
    "SELECT m.kind, m.name, m.status, m.event, m.version, a.name, s.name, m.created_at,"           \
    " m.updated_at, m.confidence, m.protected, m.text, m.source, m.source_entity, m.context,"      \
    " m.tags, m.annotations, m.detail, m.id"                                                       \
    " FROM memory m LEFT JOIN agent a ON a.id = m.agent"                                           \
    " LEFT JOIN source_type s ON s.id = m.source_type"
#define LINKS_SQL                                                                                  \
    "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name, t.status,"                \
    " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"              \
    " u.version_hash, u.label, u.title, l.position, l.memory"                                      \
    " FROM link l LEFT JOIN memory t ON t.id = l.target LEFT JOIN use u"                           \
    " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
#define HISTORY_SQL                                                                                \
    "SELECT position, at, old, new, reason, evidence_source, operation, actor, origin, memory,"    \
    " before, after FROM history"
#define MARKS_SQL "SELECT position, mark, at, actor, value, reason, by_agent, memory FROM mark"

/* The rows of one memory, and of all memories in order. */
static const struct {
    const char *one, *all;
    int memory; /* the column with the memory's row */
} tables[TABLE_COUNT] = {
    [MEMORY] = {ROW_SQL " WHERE m.id = ?", ROW_SQL " ORDER BY m.id", 18},
    [LINKS] = {LINKS_SQL " WHERE l.memory = ? ORDER BY l.number, l.position",
               LINKS_SQL " ORDER BY l.memory, l.number, l.position", 20},
    [HISTORY] = {HISTORY_SQL " WHERE memory = ? ORDER BY position",
                 HISTORY_SQL " ORDER BY memory, position", 9},
    [MARKS] = {MARKS_SQL " WHERE memory = ? ORDER BY position",
               MARKS_SQL " ORDER BY memory, position", 7},
};

/* 1 if the pass is at a row of the memory, 0 if it has no more, -1 if it failed. */
static int in_pass(const struct assembly *as, enum table table)
{
    const struct pass *p = &as->scan->pass[table];
    return p->more > 0 ? sqlite3_column_int64(p->stmt, tables[table].memory) == as->node : p->more;
}

/* The first row of the memory; *more is the result of db_step. */
static sqlite3_stmt *first_row(struct assembly *as, enum table table, int *more)
{
    if (!as->scan) {
        sqlite3_stmt *stmt = db_prepare(as->db, tables[table].one, as->e);
        *more = db_bind(as->db, stmt, as->e, "i", as->node);
        return stmt;
    }
    struct pass *p = &as->scan->pass[table];
    if (!p->stmt) {
        p->stmt = db_prepare(as->db, tables[table].all, as->e);
        p->more = db_step(as->db, p->stmt, as->e);
    }
    while (p->more > 0 && sqlite3_column_int64(p->stmt, tables[table].memory) < as->node)
        p->more = db_step(as->db, p->stmt, as->e);
    *more = in_pass(as, table);
    return p->stmt;
}

static int next_row(struct assembly *as, enum table table, sqlite3_stmt *stmt)
{
    int more = db_step(as->db, stmt, as->e);
    if (!as->scan)
        return more;
    as->scan->pass[table].more = more;
    return in_pass(as, table);
}

static void end_rows(const struct assembly *as, sqlite3_stmt *stmt)
{
    if (!as->scan)
        sqlite3_reset(stmt);
}

static const char *text_of(struct assembly *as, sqlite3_stmt *stmt, int column)
{
    return column_utf8(as->arena, stmt, column);
}

static int64_t int_or(sqlite3_stmt *stmt, int column, int64_t none)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? none
                                                            : sqlite3_column_int64(stmt, column);
}

static const char **strings_of(struct assembly *as, sqlite3_stmt *stmt, int column, size_t *count)
{
    return column_strings(as->arena, stmt, column, count);
}

static void fill_row(struct assembly *as, sqlite3_stmt *stmt)
{
    struct memory *m = as->m;
    m->version = sqlite3_column_int64(stmt, 4);
    m->agent_id = text_of(as, stmt, 5);
    m->source_type = text_of(as, stmt, 6);
    m->created_at = sqlite3_column_int64(stmt, 7);
    m->updated_at = sqlite3_column_int64(stmt, 8);
    m->confidence = db_double(stmt, 9);
    m->is_protected = sqlite3_column_int(stmt, 10) != 0;
    m->text = text_of(as, stmt, 11);
    m->source = text_of(as, stmt, 12);
    m->source_entity = text_of(as, stmt, 13);
    m->context = text_of(as, stmt, 14);
    m->tags = strings_of(as, stmt, 15, &m->tag_count);
    m->annotations = strings_of(as, stmt, 16, &m->annotation_count);
    m->detail = column_detail(as->arena, stmt, 17);
}

static int take_row(struct assembly *as, sqlite3_stmt *stmt)
{
    struct memory *m = as->m;
    int kind = column_enum(stmt, 0, KIND_COUNT), status = column_enum(stmt, 2, STATUS_COUNT);
    const char *id = text_of(as, stmt, 1);
    if (kind < 0 || status < 0 || !id)
        return reader_damaged(as->e, "the kind or status", as->node);
    memory_init(m, (struct ref){(enum kind)kind, id});
    m->node = as->node;
    m->status = (enum status)status;
    m->event = sqlite3_column_int64(stmt, 3);
    if (status == STATUS_MISSING)
        return 0;
    fill_row(as, stmt);
    return m->agent_id && m->source_type
               ? 0
               : reader_damaged(as->e, "the agent or source type", as->node);
}

static int read_row(struct assembly *as)
{
    int more;
    sqlite3_stmt *stmt = first_row(as, MEMORY, &more);
    if (more < 0)
        return -1;
    if (more == 0)
        return error_set(as->e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                         (long long)as->node);
    int result = take_row(as, stmt);
    end_rows(as, stmt);
    return result;
}

/* The groups read so far; `antecedent` has those of all groups, in order. */
struct groups {
    struct justification *just;
    size_t just_count, just_alloc;
    struct antecedent *antecedent;
    size_t antecedent_count, antecedent_alloc;
    struct relation *relation;
    size_t relation_count, relation_alloc;
    int64_t number, position, shape; /* of the last row */
};

static const struct use *use_of(struct assembly *as, sqlite3_stmt *stmt)
{
    if (sqlite3_column_type(stmt, 8) == SQLITE_NULL)
        return NULL;
    struct use *use = arena_alloc(as->arena, sizeof(*use));
    int score = column_enum(stmt, 10, SCORE_ASSERTED + 1);
    use->relevance = db_double(stmt, 9);
    use->score = score < 0 ? SCORE_NONE : (enum score)score;
    use->excerpt = text_of(as, stmt, 11);
    use->chunk = int_or(stmt, 12, CHUNK_NONE);
    use->rank = int_or(stmt, 13, -1);
    use->page = int_or(stmt, 14, -1);
    use->section = text_of(as, stmt, 15);
    use->version_hash = text_of(as, stmt, 16);
    use->label = text_of(as, stmt, 17);
    use->title = text_of(as, stmt, 18);
    return use;
}

/* Reads the target of a link; false if its row does not exist. */
static bool target_of(struct assembly *as, sqlite3_stmt *stmt, struct ref *ref, enum status *status)
{
    int kind = column_enum(stmt, 5, KIND_COUNT), state = column_enum(stmt, 7, STATUS_COUNT);
    const char *id = text_of(as, stmt, 6);
    if (!id || kind < 0 || state < 0)
        return false;
    *ref = (struct ref){(enum kind)kind, id};
    *status = (enum status)state;
    return true;
}

static int add_relation(struct assembly *as, struct groups *g, sqlite3_stmt *stmt, enum role type)
{
    struct relation rel = {.type = type,
                           .to_node = sqlite3_column_int64(stmt, 4),
                           .at = sqlite3_column_int64(stmt, 2),
                           .reason = text_of(as, stmt, 3)};
    if (!target_of(as, stmt, &rel.to, &rel.to_status))
        return reader_damaged(as->e, "a relation", as->m->node);
    *ARRAY_ADD(g->relation, g->relation_count, g->relation_alloc) = rel;
    return 0;
}

static void add_group(struct assembly *as, struct groups *g, sqlite3_stmt *stmt, int64_t shape)
{
    struct justification just = {.role = (enum role)(shape & 31),
                                 .reading = (enum reading)(shape >> 5 & 1),
                                 .recorded = (enum recorded)(shape >> 6 & 3),
                                 .at = sqlite3_column_int64(stmt, 2),
                                 .reason = text_of(as, stmt, 3)};
    *ARRAY_ADD(g->just, g->just_count, g->just_alloc) = just;
}

static int add_antecedent(struct assembly *as, struct groups *g, sqlite3_stmt *stmt)
{
    if (sqlite3_column_type(stmt, 4) == SQLITE_NULL)
        return 0; /* an empty justification */
    struct antecedent a = {.node = sqlite3_column_int64(stmt, 4), .use = use_of(as, stmt)};
    if (!target_of(as, stmt, &a.ref, &a.status))
        return reader_damaged(as->e, "an antecedent", as->m->node);
    *ARRAY_ADD(g->antecedent, g->antecedent_count, g->antecedent_alloc) = a;
    g->just[g->just_count - 1].count++;
    return 0;
}

static bool is_null(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

/*
 * True if the row continues the groups as txn_put writes them: numbers and positions without gaps,
 * a relation in a group of its own, one shape for each group, `at` and `reason` at position 0.
 */
static bool is_in_place(const struct groups *g, sqlite3_stmt *stmt, bool first)
{
    int64_t number = sqlite3_column_int64(stmt, 0), position = sqlite3_column_int64(stmt, 19);
    int64_t shape = sqlite3_column_int64(stmt, 1);
    int role = (int)(shape & 31);
    if (number < 0 || shape < 0 || shape > 255 ||
        !(ROLE_IS_SUPPORT(role) || (role >= RELATION_SUPERSEDES && role < RELATION_END)))
        return false;
    if (first)
        return number == g->number + 1 && position == 0;
    return position == g->position + 1 && shape == g->shape && ROLE_IS_SUPPORT(role) &&
           is_null(stmt, 2) && is_null(stmt, 3) && !is_null(stmt, 4);
}

static int add_link(struct assembly *as, struct groups *g, sqlite3_stmt *stmt)
{
    bool first = sqlite3_column_int64(stmt, 0) != g->number;
    if (!is_in_place(g, stmt, first))
        return reader_damaged(as->e, "the links", as->m->node);
    g->number = sqlite3_column_int64(stmt, 0);
    g->shape = sqlite3_column_int64(stmt, 1);
    g->position = sqlite3_column_int64(stmt, 19);
    enum role role = (enum role)(g->shape & 31);
    if (!ROLE_IS_SUPPORT(role))
        return add_relation(as, g, stmt, role);
    if (first)
        add_group(as, g, stmt, g->shape);
    return add_antecedent(as, g, stmt);
}

/* Copies the arrays into the arena. */
static void keep_groups(struct assembly *as, struct groups *g)
{
    struct memory *m = as->m;
    struct arena *a = as->arena;
    m->justifications = arena_memdup(a, g->just, g->just_count * sizeof(*g->just));
    m->relations = arena_memdup(a, g->relation, g->relation_count * sizeof(*g->relation));
    struct antecedent *next =
        arena_memdup(a, g->antecedent, g->antecedent_count * sizeof(*g->antecedent));
    m->justification_count = g->just_count;
    m->relation_count = g->relation_count;
    for (size_t i = 0; i < g->just_count; i++) {
        m->justifications[i].antecedents = next;
        next += m->justifications[i].count;
    }
}

static int read_links(struct assembly *as)
{
    struct groups g = {.number = -1};
    int more;
    sqlite3_stmt *stmt = first_row(as, LINKS, &more);
    while (more > 0)
        more = add_link(as, &g, stmt) ? -1 : next_row(as, LINKS, stmt);
    end_rows(as, stmt);
    if (more == 0 && (g.just_count || g.relation_count))
        keep_groups(as, &g);
    FREE_ALL(g.just, g.antecedent, g.relation);
    return more;
}

/* A growing array of history entries or marks. */
struct series {
    void *item;
    size_t size; /* of one item */
    size_t count, alloc;
};

/* Room for the next item; NULL if its position shows that one is missing. */
static void *next_item(struct assembly *as, struct series *s, int64_t position)
{
    if (position != (int64_t)s->count) {
        reader_damaged(as->e, "the history or marks", as->m->node);
        return NULL;
    }
    s->item = array_room(s->item, &s->alloc, s->count + 1, s->size);
    return (char *)s->item + s->count++ * s->size;
}

static int add_history(struct assembly *as, struct series *s, sqlite3_stmt *stmt)
{
    struct history_entry *h = next_item(as, s, sqlite3_column_int64(stmt, 0));
    if (!h)
        return -1;
    *h = (struct history_entry){.at = sqlite3_column_int64(stmt, 1),
                                .old = db_double(stmt, 2),
                                .new_ = db_double(stmt, 3),
                                .reason = text_of(as, stmt, 4),
                                .evidence_source = text_of(as, stmt, 5),
                                .operation = text_of(as, stmt, 6),
                                .actor = text_of(as, stmt, 7),
                                .origin = text_of(as, stmt, 8),
                                .before = text_of(as, stmt, 10),
                                .after = text_of(as, stmt, 11)};
    return 0;
}

static int add_flag(struct assembly *as, struct series *s, sqlite3_stmt *stmt)
{
    struct flag *m = next_item(as, s, sqlite3_column_int64(stmt, 0));
    if (!m)
        return -1;
    *m = (struct flag){.name = text_of(as, stmt, 1),
                       .at = sqlite3_column_int64(stmt, 2),
                       .actor = text_of(as, stmt, 3),
                       .value = text_of(as, stmt, 4),
                       .reason = text_of(as, stmt, 5),
                       .by_agent = sqlite3_column_int64(stmt, 6) != 0};
    return 0;
}

/* Reads all items of a table into the arena. */
static int read_series(struct assembly *as, enum table table, size_t size,
                       int (*add)(struct assembly *, struct series *, sqlite3_stmt *), void **items,
                       size_t *count)
{
    struct series s = {.size = size};
    int more;
    sqlite3_stmt *stmt = first_row(as, table, &more);
    while (more > 0)
        more = add(as, &s, stmt) ? -1 : next_row(as, table, stmt);
    end_rows(as, stmt);
    *items = s.count ? arena_memdup(as->arena, s.item, s.count * size) : NULL;
    *count = s.count;
    free(s.item);
    return more;
}

static int read_memory(struct assembly *as)
{
    struct memory *m = as->m;
    void *history = NULL, *flags = NULL;
    if (read_row(as))
        return -1;
    if (m->status == STATUS_MISSING)
        return 0;
    if (read_links(as) ||
        read_series(as, HISTORY, sizeof(*m->history), add_history, &history, &m->history_count) ||
        read_series(as, MARKS, sizeof(*m->flags), add_flag, &flags, &m->flag_count))
        return -1;
    m->history = history;
    m->flags = flags;
    return 0;
}

int memory_read_db(struct db *db, struct arena *arena, int64_t node, struct memory *out,
                   struct error *e)
{
    struct assembly as = {.db = db, .arena = arena, .m = out, .node = node, .e = e};
    return read_memory(&as);
}

/* In SQL, DISTINCT would make a table for each memory. */
int memory_flag_names(struct db *db, struct arena *arena, int64_t node, const char ***names,
                      size_t *count, struct error *e)
{
    size_t all, different = 0, i;
    if (column_texts(arena, db_query(db, e, "SELECT mark FROM mark WHERE memory = ?", "i", node),
                     names, &all))
        return -1;
    for (size_t k = 0; k < all; k++) {
        const char *name = (*names)[k];
        for (i = 0; i < different && strcmp((*names)[i], name) != 0; i++)
            ;
        (*names)[i] = name;
        different += i == different;
    }
    *count = different;
    return 0;
}

int memory_parts_count(struct db *db, int64_t node, struct memory_parts *out, struct error *e)
{
    struct query q = db_query(db, e,
                              "SELECT count(*), coalesce(sum(position = 0), 0),"
                              " (SELECT count(*) FROM history WHERE memory = ?1)"
                              " + (SELECT count(*) FROM mark WHERE memory = ?1)"
                              " FROM (SELECT position FROM link"
                              " WHERE memory = ?1 AND target IS NOT NULL LIMIT 500)",
                              "i", node);
    *out = (struct memory_parts){.links = 0};
    if (db_next(&q))
        *out =
            (struct memory_parts){sqlite3_column_int64(q.stmt, 0), sqlite3_column_int64(q.stmt, 1),
                                  sqlite3_column_int64(q.stmt, 2)};
    return db_end(&q);
}

int memory_read_text(struct db *db, struct arena *arena, int64_t node, struct memory *out,
                     struct error *e)
{
    struct query row =
        db_query(db, e, "SELECT kind, name, status, text FROM memory WHERE id = ?", "i", node);
    if (!db_next(&row))
        return db_end(&row) ? -1
                            : error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                                        (long long)node);
    int kind = column_enum(row.stmt, 0, KIND_COUNT),
        status = column_enum(row.stmt, 2, STATUS_COUNT);
    *out = (struct memory){.ref = {(enum kind)kind, column_utf8(arena, row.stmt, 1)},
                           .status = (enum status)status,
                           .text = column_utf8(arena, row.stmt, 3)};
    db_end(&row);
    return kind < 0 || status < 0 || !out->ref.id ? reader_damaged(e, "the kind or status", node)
                                                  : 0;
}

struct memory_scan *memory_scan_open(struct db *db)
{
    struct memory_scan *scan = xcalloc(1, sizeof(*scan));
    scan->db = db;
    return scan;
}

int memory_scan_read(struct memory_scan *scan, struct arena *arena, int64_t node,
                     struct memory *out, struct error *e)
{
    struct assembly as = {scan->db, scan, arena, out, node, e};
    return read_memory(&as);
}

void memory_scan_close(struct memory_scan *scan)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (scan->pass[i].stmt)
            sqlite3_reset(scan->pass[i].stmt);
    free(scan);
}

const char *row_flag_name(int i)
{
    static const char *const names[] = {"approved", "review", "locked", "contradicted", "none"};
    return i <= ROW_FLAGS ? names[i] : NULL;
}
