#include "packed_links.h"

#include "reader.h"

/* Numbers of seven bits a byte, the last one without the eighth. */
static void add_number(struct strbuf *out, uint64_t n)
{
    for (; n > 127; n >>= 7)
        strbuf_addch(out, (char)(n | 128));
    strbuf_addch(out, (char)n);
}

/* Rows mostly name earlier ones: the difference, with its sign in the last bit. */
static uint64_t fold_difference(int64_t from, int64_t to)
{
    int64_t d = from - to;
    return d < 0 ? (uint64_t)-d << 1 | 1 : (uint64_t)d << 1;
}

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading the lineage");
}

/* Everything up to that row ends here. */
static void begin_rows(const struct packed *p, uint32_t *start, int64_t *done, int64_t row)
{
    for (; *done <= row - p->first; (*done)++)
        start[*done] = (uint32_t)p->out->len;
}

/* The links of a group are counted before they are written, so they wait in `targets`. */
struct grouping {
    struct strbuf *out, targets;
    int64_t memory, number;
    unsigned shape;
    size_t count;
    bool open;
};

static void end_group(struct grouping *g)
{
    if (!g->open)
        return;
    strbuf_addch(g->out, (char)g->shape);
    add_number(g->out, g->count);
    strbuf_add(g->out, g->targets.buf, g->targets.len);
    g->open = false;
}

static int add_link(struct grouping *g, sqlite3_stmt *stmt, struct error *e)
{
    int64_t memory = sqlite3_column_int64(stmt, 0), number = sqlite3_column_int64(stmt, 1);
    int64_t shape = sqlite3_column_int64(stmt, 3);
    if (!g->open || g->memory != memory || g->number != number) {
        end_group(g);
        strbuf_clear(&g->targets);
        g->memory = memory;
        g->number = number;
        g->shape = (unsigned)(shape & 255);
        g->count = 0;
        g->open = true;
    }
    if (sqlite3_column_type(stmt, 2) == SQLITE_NULL)
        return 0;
    int64_t target = sqlite3_column_int64(stmt, 2);
    if (target < 1)
        return reader_damaged(e, "a link", memory);
    add_number(&g->targets, fold_difference(memory, target));
    g->count++;
    return 0;
}

/* The links of the row that `links` stands on, if any; it is left at the first of another row. */
static int pack_links(struct grouping *g, struct db *db, sqlite3_stmt *links, int64_t row,
                      int *more, struct error *e)
{
    while (*more > 0 && sqlite3_column_int64(links, 0) <= row) {
        if (sqlite3_column_int64(links, 0) == row &&
            ROLE_IS_SUPPORT(sqlite3_column_int(links, 3) & 31) && add_link(g, links, e))
            return -1;
        *more = db_step(db, links, e);
    }
    end_group(g);
    return *more;
}

static int pack_memory(struct packed *p, sqlite3_stmt *stmt, struct error *e)
{
    int kind = sqlite3_column_int(stmt, 1), status = sqlite3_column_int(stmt, 2);
    if (kind < 0 || kind >= KIND_COUNT || status < 0 || status >= STATUS_COUNT)
        return reader_damaged(e, "the kind or status", sqlite3_column_int64(stmt, 0));
    strbuf_addch(p->out, (char)kind);
    strbuf_addch(p->out, (char)status);
    return 0;
}

/* Two scans side by side, both by the row. */
static int pack_both(struct packed *p, struct grouping *g, struct db *db, sqlite3_stmt *memories,
                     sqlite3_stmt *links, struct error *e)
{
    int64_t end = p->first + p->rows, done = 0;
    int more = db_bind(db, memories, e, "ii", p->first, end);
    int linked = more < 0 ? -1 : db_bind(db, links, e, "ii", p->first, end);
    while (more > 0 && linked >= 0) {
        int64_t row = sqlite3_column_int64(memories, 0);
        begin_rows(p, p->start, &done, row);
        if (pack_memory(p, memories, e) || pack_links(g, db, links, row, &linked, e) < 0)
            return -1;
        more = db_step(db, memories, e);
    }
    begin_rows(p, p->start, &done, end);
    return more < 0 || linked < 0 ? -1 : 0;
}

static int pack_rests_on(struct packed *p, struct db *db, struct error *e)
{
    struct grouping g = {.out = p->out, .targets = STRBUF_INIT};
    sqlite3_stmt *memories =
        db_prepare(db, "SELECT id, kind, status FROM memory WHERE id >= ? AND id < ?", e);
    sqlite3_stmt *links = !memories ? NULL
                                    : db_prepare(db,
                                                 "SELECT memory, number, target, shape FROM link"
                                                 " WHERE memory >= ? AND memory < ?"
                                                 " ORDER BY memory, number, position",
                                                 e);
    int result = links ? pack_both(p, &g, db, memories, links, e) : -1;
    sqlite3_reset(memories);
    sqlite3_reset(links);
    p->out->failed |= g.targets.failed;
    strbuf_release(&g.targets);
    return result;
}

static int pack_carries(struct packed *p, struct db *db, struct error *e)
{
    int64_t end = p->first + p->rows, done = 0, target = 0, before = 0;
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "SELECT target, memory FROM link INDEXED BY link_target"
                   " WHERE target >= ? AND target < ? AND shape & 31 < 6 ORDER BY target, memory",
                   e);
    int more = stmt ? db_bind(db, stmt, e, "ii", p->first, end) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t memory = sqlite3_column_int64(stmt, 1);
        if (memory < 1) {
            more = reader_damaged(e, "a link", memory);
            break;
        }
        if (sqlite3_column_int64(stmt, 0) != target) {
            target = before = sqlite3_column_int64(stmt, 0);
            begin_rows(p, p->start, &done, target);
        } else if (memory == before) {
            continue; /* named by several groups */
        }
        add_number(p->out, fold_difference(before, memory));
        before = memory;
    }
    sqlite3_reset(stmt);
    begin_rows(p, p->start, &done, end);
    return more < 0 ? -1 : 0;
}

int pack_rows(struct packed *p, struct db *db, enum packed_side side, struct error *e)
{
    strbuf_clear(p->out);
    if (side == RESTS_ON ? pack_rests_on(p, db, e) : pack_carries(p, db, e))
        return -1;
    return p->out->failed ? out_of_memory(e) : 0;
}
