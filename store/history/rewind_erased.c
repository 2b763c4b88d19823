/*
 * What is known of a memory where no patch says what it was: it was purged, or what it was had expired and was swept.
 */
#include "store/history/rewind.h"

#include "model/memory/memory.h"
#include "store/record/detail_member.h"

/* ---- what is known of it ---- */

/* The moment that a purged memory is cut back to. */
struct cut {
    struct arena *arena;
    int64_t at, until; /* of its event, of the next one */
};

/* Two events may be of the same millisecond: then nobody knows whose it is, and it is not told. */
static bool came_later(const struct cut *c, int64_t at)
{
    return at > c->at || at >= c->until;
}

static void *copy_of(struct cut *c, const void *list, size_t count, size_t size)
{
    return count ? arena_memdup(c->arena, list, count * size) : NULL;
}

/* What the first later change of the confidence changed is what it was. */
static void cut_history(struct cut *c, struct memory *m)
{
    struct history_entry *kept = copy_of(c, m->history, m->history_count, sizeof(*kept));
    size_t count = 0, changed = 0;
    for (size_t i = 0; kept && i < m->history_count; i++)
        if (!came_later(c, kept[i].at))
            kept[count++] = kept[i];
        else if (!kept[i].origin && !changed++)
            m->confidence = kept[i].old;
    m->history = kept;
    m->history_count = count;
}

static void cut_marks(struct cut *c, struct memory *m)
{
    struct mark *kept = copy_of(c, m->marks, m->mark_count, sizeof(*kept));
    size_t count = 0;
    for (size_t i = 0; kept && i < m->mark_count; i++)
        if (!came_later(c, kept[i].at))
            kept[count++] = kept[i];
    m->marks = kept;
    m->mark_count = count;
}

/* The lineage stays: of a link that may have been there already it is not said that it was not. */
static bool linked_later(const struct cut *c, const struct memory *m, int64_t at)
{
    return at > c->at && at > m->created_at;
}

static void cut_links(struct cut *c, struct memory *m)
{
    struct justification *j = copy_of(c, m->justifications, m->justification_count, sizeof(*j));
    struct relation *r = copy_of(c, m->relations, m->relation_count, sizeof(*r));
    size_t count = 0;
    for (size_t i = 0; j && i < m->justification_count; i++)
        if (!linked_later(c, m, j[i].at))
            j[count++] = j[i];
    m->justifications = j;
    m->justification_count = count;
    count = 0;
    for (size_t i = 0; r && i < m->relation_count; i++)
        if (!linked_later(c, m, r[i].at))
            r[count++] = r[i];
    m->relations = r;
    m->relation_count = count;
}

struct memory *rewind_purged(struct arena *arena, const struct memory *known, int64_t version,
                             int64_t at, int64_t until)
{
    struct cut c = {.arena = arena, .at = at, .until = until};
    struct memory *m = arena_memdup(arena, known, sizeof(*m));
    m->version = version > 1 ? version : 1;
    m->updated_at = at;
    m->event = 0;
    m->form = NULL;
    cut_history(&c, m);
    cut_marks(&c, m);
    cut_links(&c, m);
    return m;
}

/* ---- what was swept ---- */

bool rewind_is_swept(const struct memory *known)
{
    return known && known->ref.kind == KIND_ENTRY && known->status < STATUS_PURGED;
}

static enum status status_after(const char *operation)
{
    static const struct {
        const char *operation;
        enum status status;
    } all[] = {
        {"delete", STATUS_DELETED}, {"forget", STATUS_FORGOTTEN}, {"retract", STATUS_RETRACTED},
        {"expire", STATUS_EXPIRED}, {"evict", STATUS_EXPIRED},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(operation, all[i].operation) == 0)
            return all[i].status;
    return STATUS_ACTIVE;
}

/* What expires after it was taken away stays taken away. */
static int swept_status(struct db *db, int64_t node, int64_t seq, enum status *out, struct error *e)
{
    static const char sql[] =
        "SELECT operation FROM event WHERE subject = ? AND seq <= ? AND operation IN ('add', 'put',"
        " 'import', 'restore', 'undo', 'redo', 'delete', 'forget', 'retract', 'expire', 'evict')"
        " ORDER BY seq DESC";
    bool expired = false;
    sqlite3_stmt *stmt = db_prepare(db, sql, e);
    int more = db_bind(db, stmt, e, "ii", node, seq);
    *out = STATUS_ACTIVE;
    while (more > 0) {
        *out = status_after((const char *)sqlite3_column_text(stmt, 0));
        expired |= *out == STATUS_EXPIRED;
        more = *out == STATUS_EXPIRED ? db_step(db, stmt, e) : 0;
    }
    sqlite3_reset(stmt);
    if (expired && STATUS_LIVES(*out))
        *out = STATUS_EXPIRED;
    return more;
}

bool rewind_retimes(const char *operation)
{
    static const char *const all[] = {"put", "edit", "import", "undo", "redo"};
    for (size_t i = 0; operation && i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(operation, all[i]) == 0)
            return true;
    return false;
}

bool rewind_keeps(const char *operation)
{
    return operation && strcmp(operation, "sweep") == 0;
}

int rewind_swept(struct db *db, struct arena *arena, int64_t node, int64_t seq, bool retimed,
                 struct memory *m, struct error *e)
{
    if (m->detail)
        detail_drop(&m->detail, "value", arena);
    if (m->detail && retimed)
        detail_drop(&m->detail, "expires_at", arena);
    return swept_status(db, node, seq, &m->status, e);
}

int rewind_taken_back(struct db *db, struct arena *arena, struct ref ref, int64_t node, int64_t seq,
                      struct memory **out, struct error *e)
{
    static const char versions[] = "SELECT count(*) FROM event WHERE subject = ? AND seq < ? AND"
                                   " operation <> 'sweep' AND instr(canonical, '\"after\":') > 0";
    int64_t addition;
    struct memory *m = arena_alloc(arena, sizeof(*m));
    memory_init(m, ref);
    m->node = node;
    m->agent_id = m->text = "";
    m->source_type = source_type_name(SOURCE_UNKNOWN);
    *out = m;
    return rewind_addition(db, node, 0, seq - 1, &addition, e) ||
                   rewind_time(db, node, addition, &m->created_at, e) ||
                   db_int(db, &m->version, 1, e, versions, "ii", node, seq)
               ? -1
               : 0;
}
