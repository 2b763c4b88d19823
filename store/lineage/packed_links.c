#include "store/lineage/packed_links.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"

#define FEW 256 /* links that a page mostly has room for */

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading the lineage");
}

/* ---- taking rows where they are met ---- */

/* A row of an index of links: of what rests on others the number of its group, and 0 for `other` in an empty
 * one; of what carries others the same in both. */
struct met {
    int64_t row, number, other;
    unsigned shape;
    size_t place; /* among those that were met, which within a group come in their order */
};

struct taking {
    struct met few[FEW], *met;
    size_t count, alloc;
    bool unordered; /* the index was not there to give them in order */
    struct packed_nature *nature;
    int64_t first, rows;
    struct error *e;
    bool failed;
};

static const char taking_type[] = "taking";

static struct taking *taking_of(sqlite3_value **values)
{
    struct taking *t = sqlite3_value_pointer(values[0], taking_type);
    return t && !t->failed ? t : NULL;
}

static void stop(sqlite3_context *context, struct taking *t)
{
    t->failed = true;
    sqlite3_result_error(context, "stopped", -1);
}

static bool make_room(struct taking *t)
{
    if (t->count < FEW)
        return true;
    if (t->met != t->few)
        return array_grow((void **)&t->met, &t->alloc, t->count, sizeof(*t->met));
    t->met = xmalloc(2 * FEW * sizeof(*t->met));
    t->alloc = t->met ? 2 * FEW : 0;
    if (t->met)
        memcpy(t->met, t->few, sizeof(t->few));
    else
        t->met = t->few;
    return t->alloc > 0;
}

static int compare_met(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void take(sqlite3_context *context, struct taking *t, struct met met)
{
    if (met.other < 0 || met.row < 1) {
        reader_damaged(t->e, "a link", met.row);
        stop(context, t);
        return;
    }
    if (!make_room(t)) {
        out_of_memory(t->e);
        stop(context, t);
        return;
    }
    met.place = t->count;
    t->unordered |= t->count && compare_met(&t->met[t->count - 1], &met) > 0;
    t->met[t->count++] = met;
}

/* take_link(taking, memory, number, target, shape) */
static void take_link(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct taking *t = taking_of(values);
    int64_t shape = sqlite3_value_int64(values[4]);
    if (!t || !ROLE_IS_SUPPORT(shape & 31))
        return;
    bool empty = sqlite3_value_type(values[3]) == SQLITE_NULL;
    int64_t target = sqlite3_value_int64(values[3]);
    take(context, t,
         (struct met){.row = sqlite3_value_int64(values[1]),
                      .number = sqlite3_value_int64(values[2]),
                      .other = empty        ? 0
                               : target < 1 ? -1
                                            : target,
                      .shape = (unsigned)(shape & 255)});
}

/* take_user(taking, target, memory) */
static void take_user(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct taking *t = taking_of(values);
    int64_t memory = sqlite3_value_int64(values[2]);
    if (t)
        take(
            context, t,
            (struct met){.row = sqlite3_value_int64(values[1]), .other = memory < 1 ? -1 : memory});
}

/* take_nature(taking, id, kind, status) */
static void take_nature(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct taking *t = taking_of(values);
    if (!t)
        return;
    int64_t row = sqlite3_value_int64(values[1]), kind = sqlite3_value_int64(values[2]);
    int64_t status = sqlite3_value_int64(values[3]);
    if (row < t->first || row - t->first >= t->rows || kind < 0 || kind >= KIND_COUNT ||
        status < 0 || status >= STATUS_COUNT) {
        reader_damaged(t->e, "the kind or status", row);
        stop(context, t);
        return;
    }
    t->nature[row - t->first] = (struct packed_nature){(uint8_t)kind, (uint8_t)status, true};
}

static void taken(sqlite3_context *context)
{
    sqlite3_result_null(context);
}

int packed_links_prepare(struct db *db, struct error *e)
{
    const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
    sqlite3 *handle = db_handle(db);
    if (sqlite3_create_function(handle, "take_link", 5, flags, NULL, NULL, take_link, taken) ||
        sqlite3_create_function(handle, "take_user", 3, flags, NULL, NULL, take_user, taken) ||
        sqlite3_create_function(handle, "take_nature", 4, flags, NULL, NULL, take_nature, taken))
        return db_error(db, e, "use");
    return 0;
}

/* One scan of the rows asked for. */
static int scan(struct taking *t, struct db *db, const char *sql, struct error *e)
{
    struct error stepped;
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    if (!stmt)
        return -1;
    t->e = e;
    sqlite3_bind_pointer(stmt, 1, t, taking_type, NULL);
    sqlite3_bind_int64(stmt, 2, t->first);
    sqlite3_bind_int64(stmt, 3, t->first + t->rows);
    int more = db_step(db, stmt, &stepped);
    sqlite3_reset(stmt);
    if (more < 0 && !t->failed)
        *e = stepped;
    return more < 0 ? -1 : 0;
}

/* ---- packing ---- */

/* Numbers of seven bits a byte, the last one without the eighth. */
static size_t put_number(char *out, uint64_t n)
{
    size_t len = 0;
    for (; n > 127; n >>= 7)
        out[len++] = (char)(n | 128);
    out[len++] = (char)n;
    return len;
}
#define NUMBER_MAX 10

/* Rows mostly name earlier ones: the difference, with its sign in the last bit. */
static uint64_t fold_difference(int64_t from, int64_t to)
{
    int64_t d = from - to;
    return d < 0 ? (uint64_t)-d << 1 | 1 : (uint64_t)d << 1;
}

/* The group that begins at `at`: how many of the rows are of it. */
static size_t group_size(const struct taking *t, size_t at)
{
    size_t end = at;
    while (end < t->count && t->met[end].row == t->met[at].row &&
           t->met[end].number == t->met[at].number)
        end++;
    return end - at;
}

/* An empty justification has a row of its own, and names nothing. */
static void pack_group(struct strbuf *out, const struct met *met, size_t size)
{
    size_t named = 0;
    for (size_t i = 0; i < size; i++)
        named += met[i].other != 0;
    if (!strbuf_grow(out, 1 + (1 + size) * NUMBER_MAX))
        return;
    char *at = out->buf + out->len;
    *at++ = (char)met->shape;
    at += put_number(at, named);
    for (size_t i = 0; i < size; i++)
        if (met[i].other)
            at += put_number(at, fold_difference(met[i].row, met[i].other));
    *at = '\0';
    out->len = (size_t)(at - out->buf);
}

/* A row that is named by several groups of the same memory carries it once. */
static void pack_user(struct strbuf *out, const struct met *met, bool first)
{
    char number[NUMBER_MAX];
    int64_t before = first ? met->row : met[-1].other;
    if (first || before != met->other)
        strbuf_add(out, number, put_number(number, fold_difference(before, met->other)));
}

static void pack(struct packed *p, const struct taking *t, enum packed_side side)
{
    int64_t done = 0;
    for (size_t at = 0; at < t->count;) {
        const struct met *met = &t->met[at];
        bool first = done <= met->row - p->first;
        for (; done <= met->row - p->first; done++)
            p->start[done] = (uint32_t)p->out->len;
        size_t size = side == RESTS_ON ? group_size(t, at) : 1;
        if (side == RESTS_ON)
            pack_group(p->out, met, size);
        else
            pack_user(p->out, met, first);
        at += size;
    }
    for (; done <= p->rows; done++)
        p->start[done] = (uint32_t)p->out->len;
}

int pack_rows(struct packed *p, struct db *db, enum packed_side side, struct error *e)
{
    static const char *const sql[] = {
        [RESTS_ON] = "SELECT take_link(?1, memory, number, target, shape) FROM link"
                     " WHERE memory >= ?2 AND memory < ?3",
        [CARRIES] = "SELECT take_user(?1, target, memory) FROM link INDEXED BY link_target"
                    " WHERE target >= ?2 AND target < ?3 AND shape & 31 < 6",
    };
    struct taking t;
    t.met = t.few;
    t.count = t.alloc = 0;
    t.unordered = t.failed = false;
    t.first = p->first;
    t.rows = p->rows;
    strbuf_clear(p->out);
    int result = scan(&t, db, sql[side], e);
    if (result == 0) {
        if (t.unordered)
            qsort(t.met, t.count, sizeof(*t.met), compare_met);
        pack(p, &t, side);
        result = p->out->failed ? out_of_memory(e) : 0;
    }
    if (t.met != t.few)
        free(t.met);
    return result;
}

int pack_natures(struct packed_nature *out, int64_t first, int64_t rows, struct db *db,
                 struct error *e)
{
    struct taking t;
    t.nature = out;
    t.failed = false;
    t.first = first;
    t.rows = rows;
    return scan(&t, db,
                "SELECT take_nature(?1, id, kind, status) FROM memory WHERE id >= ?2 AND id < ?3",
                e);
}
