/*
 * A memory from its rows. What is read gives the same exchange line as what was put: groups come
 * back in the order of their numbers, antecedents in that of their positions. A damaged row gives an
 * error or a memory that differs from what was committed to, never one that merely looks whole.
 */
#include "store.h"

#include "../model/alloc.h"
#include "../model/utf8.h"
#include "column.h"
#include "reader.h"

struct assembly {
    struct db *db;
    struct arena *arena;
    struct memory *m;
    struct error *e;
    bool failed; /* the arena ran out */
};

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading a memory");
}

static const char *text_of(struct assembly *as, sqlite3_stmt *stmt, int column)
{
    return column_text(as->arena, stmt, column, &as->failed);
}

/* A column whose value is one of an enum's; -1 where it is none of them. */
static int enum_of(sqlite3_stmt *stmt, int column, int count)
{
    int64_t value = sqlite3_column_int64(stmt, column);
    return value >= 0 && value < count ? (int)value : -1;
}

static int64_t int_or(sqlite3_stmt *stmt, int column, int64_t none)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? none
                                                            : sqlite3_column_int64(stmt, column);
}

static const char **strings_of(struct assembly *as, sqlite3_stmt *stmt, int column, size_t *count)
{
    return column_strings(as->arena, stmt, column, count, &as->failed);
}

static const char row_sql[] =
    "SELECT m.kind, m.name, m.status, m.event, m.version, a.name, s.name, m.created_at,"
    " m.updated_at, m.confidence, m.protected, m.text, m.source, m.source_entity, m.context,"
    " m.tags, m.annotations, m.detail"
    " FROM memory m LEFT JOIN agent a ON a.id = m.agent"
    " LEFT JOIN source_type s ON s.id = m.source_type WHERE m.id = ?";

static void fill_row(struct assembly *as, sqlite3_stmt *stmt)
{
    struct memory *m = as->m;
    m->event = sqlite3_column_int64(stmt, 3);
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
    m->detail = text_of(as, stmt, 17);
}

static int read_row(struct assembly *as, int64_t node)
{
    sqlite3_stmt *stmt = db_prepare(as->db, row_sql, as->e);
    int found = stmt ? db_bind(as->db, stmt, as->e, "i", node) : -1;
    if (found < 0)
        return -1;
    if (found == 0)
        return error_set(as->e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                         (long long)node);
    int kind = enum_of(stmt, 0, KIND_COUNT), status = enum_of(stmt, 2, STATUS_COUNT);
    const char *id = text_of(as, stmt, 1);
    if (kind < 0 || status < 0 || !id) {
        sqlite3_reset(stmt);
        return as->failed ? out_of_memory(as->e)
                          : reader_damaged(as->e, "the kind or status", node);
    }
    memory_init(as->m, (struct ref){(enum kind)kind, id});
    as->m->node = node;
    as->m->status = (enum status)status;
    if (status != STATUS_MISSING)
        fill_row(as, stmt);
    sqlite3_reset(stmt);
    if (!as->failed && status != STATUS_MISSING && (!as->m->agent_id || !as->m->source_type))
        return reader_damaged(as->e, "the agent or source type", node);
    return 0;
}

/* Groups as they are read: the antecedents of all of them stand in one array, in order. */
struct groups {
    struct justification *just;
    size_t just_count, just_alloc;
    struct antecedent *antecedent;
    size_t antecedent_count, antecedent_alloc;
    struct relation *relation;
    size_t relation_count, relation_alloc;
    int64_t number; /* of the last group */
};

static const char links_sql[] =
    "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name, t.status,"
    " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"
    " u.version_hash, u.label"
    " FROM link l LEFT JOIN memory t ON t.id = l.target LEFT JOIN use u"
    " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
    " WHERE l.memory = ? ORDER BY l.number, l.position";

static const struct use *use_of(struct assembly *as, sqlite3_stmt *stmt)
{
    if (sqlite3_column_type(stmt, 8) == SQLITE_NULL)
        return NULL;
    struct use *use = arena_alloc(as->arena, sizeof(*use));
    if (!use) {
        as->failed = true;
        return NULL;
    }
    int score = enum_of(stmt, 10, SCORE_ASSERTED + 1);
    use->relevance = db_double(stmt, 9);
    use->score = score < 0 ? SCORE_NONE : (enum score)score;
    use->excerpt = text_of(as, stmt, 11);
    use->chunk = int_or(stmt, 12, -1);
    use->rank = int_or(stmt, 13, -1);
    use->page = int_or(stmt, 14, -1);
    use->section = text_of(as, stmt, 15);
    use->version_hash = text_of(as, stmt, 16);
    use->label = text_of(as, stmt, 17);
    return use;
}

/* Where a link leads: false where its row is not there. */
static bool target_of(struct assembly *as, sqlite3_stmt *stmt, struct ref *ref, enum status *status)
{
    int kind = enum_of(stmt, 5, KIND_COUNT), state = enum_of(stmt, 7, STATUS_COUNT);
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
        return as->failed ? out_of_memory(as->e) : reader_damaged(as->e, "a relation", as->m->node);
    if (!array_grow((void **)&g->relation, &g->relation_alloc, g->relation_count, sizeof(rel)))
        return out_of_memory(as->e);
    g->relation[g->relation_count++] = rel;
    return 0;
}

static int add_group(struct assembly *as, struct groups *g, sqlite3_stmt *stmt, int64_t shape)
{
    struct justification just = {.role = (enum role)(shape & 31),
                                 .reading = (enum reading)(shape >> 5 & 1),
                                 .recorded = (enum recorded)(shape >> 6 & 3),
                                 .at = sqlite3_column_int64(stmt, 2),
                                 .reason = text_of(as, stmt, 3)};
    if (!array_grow((void **)&g->just, &g->just_alloc, g->just_count, sizeof(just)))
        return out_of_memory(as->e);
    g->just[g->just_count++] = just;
    return 0;
}

static int add_antecedent(struct assembly *as, struct groups *g, sqlite3_stmt *stmt)
{
    if (sqlite3_column_type(stmt, 4) == SQLITE_NULL)
        return 0; /* an empty justification */
    struct antecedent a = {.node = sqlite3_column_int64(stmt, 4), .use = use_of(as, stmt)};
    if (!target_of(as, stmt, &a.ref, &a.status))
        return as->failed ? out_of_memory(as->e)
                          : reader_damaged(as->e, "an antecedent", as->m->node);
    if (!array_grow((void **)&g->antecedent, &g->antecedent_alloc, g->antecedent_count, sizeof(a)))
        return out_of_memory(as->e);
    g->antecedent[g->antecedent_count++] = a;
    g->just[g->just_count - 1].count++;
    return 0;
}

static int add_link(struct assembly *as, struct groups *g, sqlite3_stmt *stmt)
{
    int64_t number = sqlite3_column_int64(stmt, 0), shape = sqlite3_column_int64(stmt, 1);
    int role = (int)(shape & 31);
    bool first = number != g->number;
    g->number = number;
    if (shape < 0 || shape > 255 || !(ROLE_IS_SUPPORT(role) || (role >= 16 && role < RELATION_END)))
        return reader_damaged(as->e, "a link's role", as->m->node);
    if (!ROLE_IS_SUPPORT(role))
        return add_relation(as, g, stmt, (enum role)role);
    if ((first || g->just_count == 0) && add_group(as, g, stmt, shape))
        return -1;
    return add_antecedent(as, g, stmt);
}

/* From the growing arrays into the arena. */
static void keep_groups(struct assembly *as, struct groups *g)
{
    struct memory *m = as->m;
    struct arena *a = as->arena;
    m->justifications = arena_memdup(a, g->just, g->just_count * sizeof(*g->just));
    m->relations = arena_memdup(a, g->relation, g->relation_count * sizeof(*g->relation));
    struct antecedent *next =
        arena_memdup(a, g->antecedent, g->antecedent_count * sizeof(*g->antecedent));
    if (!m->justifications || !m->relations || !next) {
        as->failed = true;
        return;
    }
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
    sqlite3_stmt *stmt = db_prepare(as->db, links_sql, as->e);
    int more = stmt ? db_bind(as->db, stmt, as->e, "i", as->m->node) : -1;
    while (more > 0)
        more = add_link(as, &g, stmt) ? -1 : db_step(as->db, stmt, as->e);
    if (stmt)
        sqlite3_reset(stmt);
    if (more == 0 && (g.just_count || g.relation_count))
        keep_groups(as, &g);
    free(g.just);
    free(g.antecedent);
    free(g.relation);
    return more;
}

static int read_history(struct assembly *as)
{
    sqlite3_stmt *stmt =
        db_prepare(as->db,
                   "SELECT at, old, new, reason, evidence_source, operation, actor,"
                   " origin FROM history WHERE memory = ? ORDER BY position",
                   as->e);
    struct history_entry *entries = NULL;
    size_t count = 0, alloc = 0;
    int more = stmt ? db_bind(as->db, stmt, as->e, "i", as->m->node) : -1;
    while (more > 0) {
        if (!array_grow((void **)&entries, &alloc, count, sizeof(*entries))) {
            sqlite3_reset(stmt);
            more = out_of_memory(as->e);
            break;
        }
        entries[count++] = (struct history_entry){.at = sqlite3_column_int64(stmt, 0),
                                                  .old = db_double(stmt, 1),
                                                  .new_ = db_double(stmt, 2),
                                                  .reason = text_of(as, stmt, 3),
                                                  .evidence_source = text_of(as, stmt, 4),
                                                  .operation = text_of(as, stmt, 5),
                                                  .actor = text_of(as, stmt, 6),
                                                  .origin = text_of(as, stmt, 7)};
        more = db_step(as->db, stmt, as->e);
    }
    as->m->history = count ? arena_memdup(as->arena, entries, count * sizeof(*entries)) : NULL;
    as->m->history_count = as->m->history ? count : 0;
    as->failed |= as->m->history_count != count;
    free(entries);
    return more;
}

static int read_marks(struct assembly *as)
{
    sqlite3_stmt *stmt = db_prepare(
        as->db,
        "SELECT mark, at, actor, value, reason FROM mark WHERE memory = ? ORDER BY position",
        as->e);
    struct mark *marks = NULL;
    size_t count = 0, alloc = 0;
    int more = stmt ? db_bind(as->db, stmt, as->e, "i", as->m->node) : -1;
    while (more > 0) {
        if (!array_grow((void **)&marks, &alloc, count, sizeof(*marks))) {
            sqlite3_reset(stmt);
            more = out_of_memory(as->e);
            break;
        }
        marks[count++] = (struct mark){.mark = text_of(as, stmt, 0),
                                       .at = sqlite3_column_int64(stmt, 1),
                                       .actor = text_of(as, stmt, 2),
                                       .value = text_of(as, stmt, 3),
                                       .reason = text_of(as, stmt, 4)};
        more = db_step(as->db, stmt, as->e);
    }
    as->m->marks = count ? arena_memdup(as->arena, marks, count * sizeof(*marks)) : NULL;
    as->m->mark_count = as->m->marks ? count : 0;
    as->failed |= as->m->mark_count != count;
    free(marks);
    return more;
}

int memory_read_db(struct db *db, struct arena *arena, int64_t node, struct memory *out,
                   struct error *e)
{
    struct assembly as = {db, arena, out, e, false};
    if (read_row(&as, node))
        return -1;
    if (out->status != STATUS_MISSING && (read_links(&as) || read_history(&as) || read_marks(&as)))
        return -1;
    return as.failed ? out_of_memory(e) : 0;
}

int memory_read(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    int result = memory_read_db(reader_db(r), arena, node, out, e);
    reader_end(r);
    return result;
}

/* ---- the row of a list ---- */

#define ROW_TEXT_MAX 600

static const char list_row_sql[] =
    "SELECT m.kind, m.name, m.status, m.version, a.name, s.name, m.created_at, m.updated_at,"
    " m.confidence, m.protected, m.text, m.source, m.tags, m.annotations"
    " FROM memory m LEFT JOIN agent a ON a.id = m.agent"
    " LEFT JOIN source_type s ON s.id = m.source_type WHERE m.id = ?";

/* The first bytes of the text, cut at a code point. */
static const char *row_text(struct arena *a, sqlite3_stmt *stmt, bool *cut, bool *failed)
{
    const char *bytes = (const char *)sqlite3_column_text(stmt, 10);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 10);
    *cut = bytes && len > ROW_TEXT_MAX;
    if (!*cut || !utf8_valid(bytes, len)) {
        *cut = false;
        return column_text(a, stmt, 10, failed);
    }
    len = ROW_TEXT_MAX;
    while (((unsigned char)bytes[len] & 0xc0) == 0x80)
        len--;
    const char *text = arena_strndup(a, bytes, len);
    *failed |= !text;
    return text;
}

static void fill_list_row(struct arena *a, sqlite3_stmt *stmt, struct memory_row *out, bool *failed)
{
    out->version = sqlite3_column_int64(stmt, 3);
    out->agent_id = column_text(a, stmt, 4, failed);
    out->source_type = column_text(a, stmt, 5, failed);
    out->created_at = sqlite3_column_int64(stmt, 6);
    out->updated_at = sqlite3_column_int64(stmt, 7);
    out->confidence = db_double(stmt, 8);
    out->is_protected = sqlite3_column_int(stmt, 9) != 0;
    out->text = row_text(a, stmt, &out->text_cut, failed);
    out->source = column_text(a, stmt, 11, failed);
    out->tags = column_text(a, stmt, 12, failed);
    out->annotations = column_text(a, stmt, 13, failed);
}

int memory_row_read(struct reader *r, struct arena *arena, int64_t node, struct memory_row *out,
                    struct error *e)
{
    struct db *db = reader_db(r);
    bool failed = false;
    sqlite3_stmt *stmt = db_prepare(db, list_row_sql, e);
    int found = stmt ? db_bind(db, stmt, e, "i", node) : -1;
    if (found < 0)
        return -1;
    if (found == 0)
        return error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld", (long long)node);
    int kind = enum_of(stmt, 0, KIND_COUNT), status = enum_of(stmt, 2, STATUS_COUNT);
    *out = (struct memory_row){.node = node};
    out->ref.id = column_text(arena, stmt, 1, &failed);
    if (kind >= 0 && status >= 0 && out->ref.id) {
        out->ref.kind = (enum kind)kind;
        out->status = (enum status)status;
        fill_list_row(arena, stmt, out, &failed);
    }
    sqlite3_reset(stmt);
    if (failed)
        return out_of_memory(e);
    return kind < 0 || status < 0 ? reader_damaged(e, "the kind or status", node) : 0;
}
