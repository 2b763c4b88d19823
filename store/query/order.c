/* Filters, orders and cursors of lists. */
#include "store/query/order.h"

#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/query/query.h"
#include "store/guard/guard.h"
#include <stdlib.h>
#include "model/base/array.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/lineage/trust.h"

/* The row of a name; -1 if there is none. */
static int find_name(struct db *db, const char *name, const char *sql, int64_t *row,
                     struct error *e)
{
    *row = -1;
    return name ? db_int(db, row, -1, e, sql, "s", name) : 0;
}

int filter_make(struct filter *f, struct reader *r, const struct list_query *query, struct error *e)
{
    struct db *db = reader_db(r);
    f->kinds = guard_kinds(r, query->kinds ? query->kinds : KINDS_ALL);
    f->guarded = guard_hides_of(r, f->kinds);
    f->statuses = query->statuses ? query->statuses : STATUSES_LISTED;
    f->by_agent = query->agent != NULL;
    f->by_source_type = query->source_type != NULL;
    f->by_claim = query->claimed != NULL;
    f->told = query->told && !strncmp(query->told, "agent:", 6) ? query->told + 6 : query->told;
    f->created = query->created;
    f->updated = query->updated;
    f->db = db;
    if (f->by_claim)
        lookup_key(f->claim, LOOKUP_CLAIMED, query->claimed);
    if (find_name(db, query->agent, "SELECT id FROM agent WHERE name = ?", &f->agent, e))
        return -1;
    return find_name(db, query->source_type, "SELECT id FROM source_type WHERE name = ?",
                     &f->source_type, e);
}

/* Errors count as no. */
static bool is_claimed(const struct filter *f, int64_t node)
{
    struct error ignored;
    int64_t found = 0;
    return db_int(f->db, &found, 0, &ignored,
                  "SELECT 1 FROM lookup WHERE memory = ? AND field = ? AND key = ?", "iib", node,
                  (int64_t)LOOKUP_CLAIMED, (const void *)f->claim, (size_t)LOOKUP_KEY_SIZE) == 0 &&
           found;
}

/* Errors count as no. */
static bool is_told(const struct filter *f, int64_t node)
{
    struct error ignored;
    int64_t found = 0;
    return db_int(f->db, &found, 0, &ignored,
                  "SELECT 1 FROM memory WHERE id = ?1 AND source_entity IN (?2, 'agent:' || ?2)",
                  "is", node, f->told) == 0 &&
           found;
}

static bool is_in(const struct list_range *range, int64_t at)
{
    return (!range->has_from || at >= range->from) && (!range->has_to || at <= range->to);
}

bool filter_passes(const struct filter *f, sqlite3_stmt *stmt)
{
    int64_t kind = sqlite3_column_int64(stmt, 0);
    int64_t status = sqlite3_column_int64(stmt, 1);
    return kind >= 0 && kind < KIND_COUNT && f->kinds & KIND_BIT(kind) && status >= 0 &&
           status < STATUS_COUNT && f->statuses & STATUS_BIT(status) &&
           (!f->by_agent || sqlite3_column_int64(stmt, 2) == f->agent) &&
           (!f->by_source_type || sqlite3_column_int64(stmt, 3) == f->source_type) &&
           (!f->guarded || sqlite3_column_int(stmt, 4)) &&
           is_in(&f->created, sqlite3_column_int64(stmt, 6)) &&
           is_in(&f->updated, sqlite3_column_int64(stmt, 7)) &&
           (!f->by_claim || is_claimed(f, sqlite3_column_int64(stmt, 5))) &&
           (!f->told || is_told(f, sqlite3_column_int64(stmt, 5)));
}

static void add_range(struct strbuf *sql, const char *column, const struct list_range *range)
{
    if (range->has_from)
        strbuf_addf(sql, " AND %s >= :%s_from", column, column);
    if (range->has_to)
        strbuf_addf(sql, " AND %s <= :%s_to", column, column);
}

void filter_add_sql(const struct filter *f, struct strbuf *sql)
{
    strbuf_addf(sql, " AND (:statuses >> %s) & 1",
                f->kinds & KIND_BIT(KIND_ENTRY) ? STATUS_SQL : "status");
    if (f->by_agent)
        strbuf_addstr(sql, " AND agent = :agent");
    if (f->by_source_type)
        strbuf_addstr(sql, " AND source_type = :source_type");
    if (f->by_claim)
        strbuf_addf(sql,
                    " AND EXISTS (SELECT 1 FROM lookup l WHERE l.memory = id"
                    " AND l.field = %d AND l.key = :claim)",
                    LOOKUP_CLAIMED);
    if (f->told)
        strbuf_addstr(sql, " AND source_entity IN (:told, 'agent:' || :told)");
    add_range(sql, "created_at", &f->created);
    add_range(sql, "updated_at", &f->updated);
    if (f->guarded)
        strbuf_addstr(sql, GUARD_SQL);
}

static void bind(sqlite3_stmt *stmt, const char *name, int64_t value)
{
    int at = sqlite3_bind_parameter_index(stmt, name);
    if (at)
        sqlite3_bind_int64(stmt, at, value);
}

void filter_bind(const struct filter *f, sqlite3_stmt *stmt)
{
    bind(stmt, ":statuses", f->statuses);
    bind(stmt, ":agent", f->agent);
    bind(stmt, ":source_type", f->source_type);
    bind(stmt, ":created_at_from", f->created.from);
    bind(stmt, ":created_at_to", f->created.to);
    bind(stmt, ":updated_at_from", f->updated.from);
    bind(stmt, ":updated_at_to", f->updated.to);
    int claim = sqlite3_bind_parameter_index(stmt, ":claim");
    if (claim)
        sqlite3_bind_blob(stmt, claim, f->claim, LOOKUP_KEY_SIZE, SQLITE_STATIC);
    int told = sqlite3_bind_parameter_index(stmt, ":told");
    if (told)
        sqlite3_bind_text(stmt, told, f->told, -1, SQLITE_STATIC);
}

static const struct order_spec specs[ORDER_COUNT] = {
    [ORDER_RECORDED] = {"recorded", "memory_recorded", "id", true, 'i'},
    [ORDER_CREATED] = {"created", "memory_created", "created_at", true, 'i'},
    [ORDER_UPDATED] = {"updated", "memory_updated", "updated_at", true, 'i'},
    [ORDER_CONFIDENCE] = {"confidence", "memory_confidence", "confidence", true, 'd'},
    [ORDER_TRUST] = {"trust", "memory_confidence", "confidence", true, 'd'},
    [ORDER_TEXT] = {"text", "memory_text", "substr(text, 1, 48)", false, 's'},
    [ORDER_RETRIEVED] = {"retrieved", "memory_created", "created_at", true, 'i'},
    [ORDER_KEYSTONES] = {"keystones", "memory_confidence", "confidence", true, 'd'},
};

const struct order_spec *order_spec(enum list_order order)
{
    return &specs[order];
}

const struct order_spec *order_of_kind(enum list_order order, enum kind kind)
{
    /* No index has the times of all agents. */
    static const struct order_spec retrieved = {
        "retrieved", "memory_recorded",
        "ifnull((SELECT a.at FROM attribution a WHERE a.memory = id), created_at)", true, 'i'};
    return order == ORDER_RETRIEVED && kind == KIND_ATTRIBUTION ? &retrieved : &specs[order];
}

const char *order_name(enum list_order order)
{
    return specs[order].name;
}

void order_key_read(struct order_key *key, enum list_order order, sqlite3_stmt *stmt, int column,
                    int64_t node)
{
    key->node = node;
    key->sorted = false;
    switch (specs[order].type) {
    case 'i':
        key->integer = sqlite3_column_int64(stmt, column);
        break;
    case 'd':
        key->real = sqlite3_column_double(stmt, column);
        break;
    default: {
        const char *text = (const char *)sqlite3_column_text(stmt, column);
        key->len = text ? (size_t)sqlite3_column_bytes(stmt, column) : 0;
        key->len = key->len < sizeof(key->text) ? key->len : sizeof(key->text);
        if (text)
            memcpy(key->text, text, key->len);
    }
    }
}

bool order_is_apart(const struct order_key *key)
{
    return key->len == 1 && key->text[0] == ORDER_TEXT_APART[0];
}

/* ---- cursors ---- */

/*
 * The bytes of a cursor: the beginning of a digest of the query and the rest, a version (one more for
 * `sorted`), the row, the key (eight bytes, or the text).
 */
#define CURSOR_VERSION 2
#define CURSOR_DIGEST  8
#define CURSOR_FIXED   (CURSOR_DIGEST + 1 + 8)
#define CURSOR_MAX     (CURSOR_FIXED + ORDER_TEXT_BYTES)

static void add_number(struct strbuf *out, uint64_t number)
{
    for (int shift = 56; shift >= 0; shift -= 8)
        strbuf_addch(out, (char)(number >> shift & 0xff));
}

static uint64_t number_at(const char *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | (unsigned char)bytes[i];
    return number;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void add_name(struct strbuf *out, const char *name)
{
    strbuf_addch(out, name ? '=' : '-');
    if (name)
        strbuf_add(out, name, strlen(name) + 1);
}

/* Writes the first bytes of the digest. */
static void sign(char out[CURSOR_DIGEST], const struct list_query *q, const char *bytes, size_t len)
{
    AUTO_STRBUF sb = STRBUF_INIT;
    struct digest d;
    strbuf_addf(&sb, "%u %u %d %d ", q->kinds, q->statuses, (int)q->order, q->reverse);
    add_name(&sb, q->agent);
    add_name(&sb, q->source_type);
    add_name(&sb, q->claimed);
    if (q->told) /* a cursor without it stays what it was */
        add_name(&sb, q->told);
    if (q->terms)
        add_name(&sb, q->terms->query);
    strbuf_add(&sb, bytes, len);
    digest_bytes(&d, sb.buf, sb.len);
    memcpy(out, d.bytes, CURSOR_DIGEST);
}

void cursor_write(struct strbuf *out, const struct list_query *query, const struct order_key *key)
{
    AUTO_STRBUF sb = STRBUF_INIT;
    char digest[CURSOR_DIGEST] = {0};
    char type = specs[query->order].type;
    strbuf_add(&sb, digest, CURSOR_DIGEST);
    strbuf_addch(&sb, (char)(CURSOR_VERSION + key->sorted));
    add_number(&sb, (uint64_t)key->node);
    if (type == 's')
        strbuf_add(&sb, key->text, key->len);
    else
        add_number(&sb, type == 'i' ? (uint64_t)key->integer : bits_of(key->real));
    sign(digest, query, sb.buf + CURSOR_DIGEST, sb.len - CURSOR_DIGEST);
    memcpy(sb.buf, digest, CURSOR_DIGEST);
    strbuf_grow(out, BASE32_LEN(sb.len));
    base32_write(out->buf + out->len, (const uint8_t *)sb.buf, sb.len);
    out->len += BASE32_LEN(sb.len);
}

int cursor_read(const char *cursor, const struct list_query *query, struct order_key *key,
                struct error *e)
{
    char bytes[CURSOR_MAX], digest[CURSOR_DIGEST];
    bool is_text = specs[query->order].type == 's';
    size_t len = strlen(cursor) * 5 / 8;
    if (len > CURSOR_MAX || !base32_read(cursor, (uint8_t *)bytes, len))
        len = 0;
    size_t key_len = len >= CURSOR_FIXED ? len - CURSOR_FIXED : 0;
    const char *text = bytes + CURSOR_FIXED;
    if (len >= CURSOR_FIXED)
        sign(digest, query, bytes + CURSOR_DIGEST, len - CURSOR_DIGEST);
    int version = len >= CURSOR_FIXED ? bytes[CURSOR_DIGEST] : 0;
    bool sorted = version == CURSOR_VERSION + 1;
    if (len < CURSOR_FIXED || (version != CURSOR_VERSION && !sorted) ||
        memcmp(digest, bytes, CURSOR_DIGEST) != 0 ||
        (is_text ? key_len > ORDER_TEXT_BYTES : key_len != 8))
        return error_set(e, ERROR_INVALID, "Ask for the first page again, without a cursor.",
                         "the cursor is damaged or belongs to another list");
    *key =
        (struct order_key){.node = (int64_t)number_at(bytes + CURSOR_DIGEST + 1), .sorted = sorted};
    if (is_text) {
        key->len = key_len;
        memcpy(key->text, text, key_len);
    } else {
        key->integer = (int64_t)number_at(text);
        key->real = double_of(number_at(text));
    }
    return 0;
}

/* ---- ranks ---- */

/* Rows in the order of their effective confidence. */
bool ranked_before(struct ranked a, struct ranked b, bool down)
{
    bool less = a.value < b.value || (a.value == b.value && a.row < b.row);
    return down ? !less && (a.value != b.value || a.row != b.row) : less;
}

/* NAN: it has no confidence, and comes last. */
static double not_below_zero(double value)
{
    return value > 0 ? value : 0;
}

/* ---- lazily ---- */

bool ranking_is_lazy(struct reader *r, bool down)
{
    const struct confidence_rules *rules = confidence_rules_of(r);
    return down && !rules->decay && !(rules->trust && rules->trust->cap);
}

static void move_up(struct ranking *k, size_t at)
{
    struct ranked one = k->waiting[at];
    for (; at > 0 && ranked_before(one, k->waiting[(at - 1) / 2], k->down); at = (at - 1) / 2)
        k->waiting[at] = k->waiting[(at - 1) / 2];
    k->waiting[at] = one;
}

static void move_down(struct ranking *k)
{
    struct ranked one = k->waiting[0];
    size_t at = 0, below;
    while ((below = 2 * at + 1) < k->count) {
        below += below + 1 < k->count &&
                 ranked_before(k->waiting[below + 1], k->waiting[below], k->down);
        if (!ranked_before(k->waiting[below], one, k->down))
            break;
        k->waiting[at] = k->waiting[below];
        at = below;
    }
    k->waiting[at] = one;
}

int ranking_take(struct ranking *k, const struct order_key *row, struct error *e)
{
    struct row_label label;
    if (++k->looked == RANKING_FEW && !(k->known = loaded_labels_get(k->reader, e)))
        return -1;
    if (loaded_label(k->known, row->node, &label)
            ? effective_fill(k->reader, &row->node, 1, &label, e)
            : effective_of_rows(k->reader, &row->node, 1, &label, e))
        return -1;
    double value = not_below_zero(effective_shown(&label));
    k->lowered |= value < row->real;
    *ARRAY_ADD(k->waiting, k->count, k->alloc) = (struct ranked){value, row->node};
    move_up(k, k->count - 1);
    return 0;
}

bool ranking_next(struct ranking *k, const struct order_key *row, struct order_key *out)
{
    if (k->count == 0 ||
        (row && !ranked_before(k->waiting[0], (struct ranked){row->real, row->node}, k->down)))
        return false;
    *out = (struct order_key){
        .real = k->waiting[0].value, .node = k->waiting[0].row, .sorted = k->lowered};
    k->waiting[0] = k->waiting[--k->count];
    if (k->count > 0)
        move_down(k);
    return true;
}

void ranking_release(struct ranking *k)
{
    loaded_release(k->known);
    free(k->waiting);
}

/* ---- a few rows ---- */

static int compare_up(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->value != y->value ? COMPARE(x->value, y->value) : COMPARE(x->row, y->row);
}

static int compare_down(const void *a, const void *b)
{
    return compare_up(b, a);
}

int ranking_sort(struct reader *r, struct ranked *rows, size_t count, enum list_order order,
                 bool down, struct error *e)
{
    bool trust = order == ORDER_TRUST;
    struct row_label label[RANKING_FEW];
    int64_t row[RANKING_FEW];
    for (size_t i = 0; i < count; i++)
        row[i] = rows[i].row;
    if (trust ? labels_of_rows(r, row, count, label, e) || trust_fill(r, row, count, label, e)
              : effective_of_rows(r, row, count, label, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        rows[i].value = not_below_zero(trust ? trust_rank(label[i].label, label[i].trust)
                                             : effective_shown(&label[i]));
    }
    SORT(rows, count, down ? compare_down : compare_up);
    return 0;
}
