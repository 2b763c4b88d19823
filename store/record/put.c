/*
 * Writes a memory: its rows, links, history, flags, index tables and its event. Only differences
 * are written.
 */
#include "store/record/put.h"

#include <string.h>
#include "model/format/memory_json.h"
#include "model/graph/graph.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/journal/journal.h"
#include "store/record/index_tables.h"
#include "store/record/entry_row.h"
#include "store/record/load.h"
#include "store/record/waiting.h"

/* ---- groups ---- */

struct group groups_at(const struct memory *m, size_t number)
{
    if (number < m->justification_count) {
        const struct justification *j = &m->justifications[number];
        return (struct group){GRAPH_SHAPE(j->role, j->reading, j->recorded),
                              j->at,
                              j->reason,
                              j->antecedents,
                              j->count,
                              {{KIND_RAW, NULL}, 0, STATUS_ACTIVE, NULL}};
    }
    const struct relation *r = &m->relations[number - m->justification_count];
    return (struct group){r->type, r->at, r->reason,
                          NULL,    1,     {r->to, r->to_node, r->to_status, NULL}};
}

bool use_is_empty(const struct use *u)
{
    return !u || (isnan(u->relevance) && u->score == SCORE_NONE && !u->excerpt &&
                  u->chunk == CHUNK_NONE && u->rank < 0 && u->page < 0 && !u->section &&
                  !u->version_hash && !u->label && !u->title);
}

static bool same_use(const struct use *a, const struct use *b)
{
    bool empty = use_is_empty(a);
    if (empty || use_is_empty(b) || !a || !b)
        return empty && use_is_empty(b);
    return same_number(a->relevance, b->relevance) && a->score == b->score &&
           a->chunk == b->chunk && a->rank == b->rank && a->page == b->page &&
           same_text(a->excerpt, b->excerpt) && same_text(a->section, b->section) &&
           same_text(a->version_hash, b->version_hash) && same_text(a->label, b->label) &&
           same_text(a->title, b->title);
}

static bool same_group(const struct group *a, const struct group *b)
{
    if (a->shape != b->shape || a->at != b->at || !same_text(a->reason, b->reason) ||
        a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct antecedent *x = group_antecedent(a, i), *y = group_antecedent(b, i);
        if (!ref_equal(x->ref, y->ref) || !same_use(x->use, y->use))
            return false;
    }
    return true;
}

/* The number of equal groups at the beginning of both. */
static size_t groups_shared(const struct memory *a, const struct memory *b)
{
    size_t count = groups_count(a), other = groups_count(b), i = 0;
    for (; i < count && i < other; i++) {
        struct group x = groups_at(a, i), y = groups_at(b, i);
        if (!same_group(&x, &y))
            break;
    }
    return i;
}

/* ---- links, uses, history, flags ---- */

/* In a bulk load the target may be unknown: load_finish fills it. */
static int insert_use(struct db *db, const struct put_tables *to, int64_t node, size_t number,
                      size_t position, const struct antecedent *a, struct error *e)
{
    const struct use *u = a->use;
    return db_run(db, e, to->use, "iiidisiiissssr", node, (int64_t)number, (int64_t)position,
                  u->relevance, (int64_t)u->score, u->excerpt, u->chunk, u->rank, u->page,
                  u->section, u->version_hash, u->label, u->title, a->node > 0 ? a->node : 0);
}

static int insert_link(struct db *db, const struct put_tables *to, const struct link_row *link,
                       struct error *e)
{
    if (link->position)
        return db_run(db, e, to->link, "iiirinn", link->memory, (int64_t)link->number,
                      (int64_t)link->position, link->target, (int64_t)link->shape);
    return db_run(db, e, to->link, "iiiriis", link->memory, (int64_t)link->number, (int64_t)0,
                  link->target, (int64_t)link->shape, link->at, link->reason);
}

const struct put_tables main_tables = PUT_TABLES("");

int put_link_row(struct txn *t, const struct link_row *link, struct error *e)
{
    return insert_link(t->db, &main_tables, link, e);
}

static int put_link(struct db *db, const struct put_tables *to, struct load *load, int64_t node,
                    size_t number, size_t position, const struct group *g, int64_t target,
                    struct error *e)
{
    struct link_row link = {.memory = node,
                            .target = target,
                            .number = (uint32_t)number,
                            .position = (uint32_t)position,
                            .shape = g->shape};
    if (position == 0) {
        link.at = g->at;
        link.reason = g->reason;
    }
    if (!load)
        return insert_link(db, to, &link, e);
    load_link(load, &link);
    return 0;
}

/* Writes the groups from number `first` on. `load` (may be NULL) buffers the links. */
static int put_groups(struct db *db, const struct put_tables *to, struct load *load,
                      const struct memory *m, size_t first, struct error *e)
{
    for (size_t number = first; number < groups_count(m); number++) {
        struct group g = groups_at(m, number);
        if (g.count == 0 && put_link(db, to, load, m->node, number, 0, &g, 0, e))
            return -1;
        for (size_t i = 0; i < g.count; i++) {
            const struct antecedent *a = group_antecedent(&g, i);
            if (put_link(db, to, load, m->node, number, i, &g, a->node, e) ||
                (!use_is_empty(a->use) && insert_use(db, to, m->node, number, i, a, e)))
                return -1;
        }
    }
    return 0;
}

static int find_target(struct txn *t, struct ref ref, int64_t *node, struct error *e)
{
    if (t->load) {
        *node = load_target(t->load, ref);
        return 0;
    }
    *node = txn_ref(t, ref, true, e);
    return *node < 0 ? -1 : 0;
}

/* Finds the rows of all targets; new refs become stubs. */
static int find_targets(struct txn *t, struct memory *m, struct error *e)
{
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct antecedent *a = &m->justifications[i].antecedents[k];
            if (find_target(t, a->ref, &a->node, e))
                return -1;
        }
    for (size_t i = 0; i < m->relation_count; i++)
        if (find_target(t, m->relations[i].to, &m->relations[i].to_node, e))
            return -1;
    return 0;
}

/* Writes the groups that differ from `before` (may be NULL); fills the nodes in `after`. */
static int put_links(struct txn *t, const struct memory *before, struct memory *after,
                     struct error *e)
{
    if (find_targets(t, after, e))
        return -1;
    size_t shared = before ? groups_shared(before, after) : 0;
    if (before && shared < groups_count(before) &&
        (db_run(t->db, e, "DELETE FROM link WHERE memory = ? AND number >= ?", "ii", after->node,
                (int64_t)shared) ||
         db_run(t->db, e, "DELETE FROM use WHERE memory = ? AND number >= ?", "ii", after->node,
                (int64_t)shared)))
        return -1;
    return put_groups(t->db, &main_tables, t->load, after, shared, e);
}

static bool same_entry(const struct history_entry *a, const struct history_entry *b)
{
    return a->at == b->at && same_number(a->old, b->old) && same_number(a->new_, b->new_) &&
           same_text(a->reason, b->reason) && same_text(a->evidence_source, b->evidence_source) &&
           same_text(a->operation, b->operation) && same_text(a->actor, b->actor) &&
           same_text(a->origin, b->origin) && same_text(a->before, b->before) &&
           same_text(a->after, b->after);
}

static int insert_history(struct db *db, const struct put_tables *to, const struct memory *m,
                          size_t first, struct error *e)
{
    for (size_t i = first; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (db_run(db, e, to->history, "iiiddsssssss", m->node, (int64_t)i, h->at, h->old, h->new_,
                   h->reason, h->evidence_source, h->operation, h->actor, h->origin, h->before,
                   h->after))
            return -1;
    }
    return 0;
}

static int put_history(struct txn *t, const struct memory *before, const struct memory *after,
                       struct error *e)
{
    size_t had = before ? before->history_count : 0, shared = 0;
    while (shared < had && shared < after->history_count &&
           same_entry(&before->history[shared], &after->history[shared]))
        shared++;
    if (shared < had && db_run(t->db, e, "DELETE FROM history WHERE memory = ? AND position >= ?",
                               "ii", after->node, (int64_t)shared))
        return -1;
    return insert_history(t->db, &main_tables, after, shared, e);
}

static bool same_flag(const struct flag *a, const struct flag *b)
{
    return a->at == b->at && same_text(a->name, b->name) && same_text(a->actor, b->actor) &&
           same_text(a->value, b->value) && same_text(a->reason, b->reason) &&
           a->by_agent == b->by_agent;
}

static int insert_flags(struct db *db, const struct put_tables *to, const struct memory *m,
                        size_t first, struct error *e)
{
    for (size_t i = first; i < m->flag_count; i++) {
        const struct flag *k = &m->flags[i];
        if (db_run(db, e, to->mark, "iisisssr", m->node, (int64_t)i, k->name, k->at, k->actor,
                   k->value, k->reason, (int64_t)k->by_agent))
            return -1;
    }
    return 0;
}

static int put_flags(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e)
{
    size_t had = before ? before->flag_count : 0, shared = 0;
    while (shared < had && shared < after->flag_count &&
           same_flag(&before->flags[shared], &after->flags[shared]))
        shared++;
    if (shared < had && db_run(t->db, e, "DELETE FROM mark WHERE memory = ? AND position >= ?",
                               "ii", after->node, (int64_t)shared))
        return -1;
    return insert_flags(t->db, &main_tables, after, shared, e);
}

/* Deletes all links, uses, history and flags. */
static int delete_parts(struct txn *t, const struct memory *before, struct error *e)
{
    static const char *const sql[] = {
        "DELETE FROM link WHERE memory = ?", "DELETE FROM use WHERE memory = ?",
        "DELETE FROM history WHERE memory = ?", "DELETE FROM mark WHERE memory = ?"};
    for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++)
        if (db_run(t->db, e, sql[i], "i", before->node))
            return -1;
    return 0;
}

/* ---- erasing ---- */

/*
 * Erases former states from the journal and from `imported`. The chain hashes only commitments, so
 * it stays valid; without its salt a commitment reveals nothing, and fsck learns from the erasing
 * event that they are erased. Patches are applied backwards, so if one is erased, all earlier ones
 * are useless and erased too.
 */

/*
 * Copies the last commitment on `before` into `hex`, for the next event's `before`. Fails if
 * `before` does not match it: a row that was altered bypassing the journal must not enter it.
 */
static int put_last_commitment(struct txn *t, const struct memory *before,
                               char hex[2 * DIGEST_SIZE + 1], struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(t->db, "SELECT canonical, salt FROM event WHERE seq = ?", e);
    int found = db_bind(t->db, stmt, e, "i", before->event);
    if (found < 0)
        return -1;
    strbuf_clear(&t->bytes);
    memory_json_write(&t->bytes, before, NULL);
    bool same = false;
    if (found && sqlite3_column_bytes(stmt, 1) == SALT_SIZE) {
        const char *canonical = (const char *)sqlite3_column_text(stmt, 0);
        struct json_slice after =
            json_member(canonical, (size_t)sqlite3_column_bytes(stmt, 0), "after");
        struct digest d;
        digest_commit(&d, sqlite3_column_blob(stmt, 1), t->bytes.buf, t->bytes.len);
        digest_hex(hex, &d);
        same = after.ptr && after.len == 2 * DIGEST_SIZE + 2 &&
               memcmp(after.ptr + 1, hex, 2 * DIGEST_SIZE) == 0;
    }
    sqlite3_reset(stmt);
    return same ? 0
                : error_set(e, ERROR_CONFLICT, "Run stemma fsck on the store.",
                            "%s:%s is not what its last event left", REF_ARGS(before->ref));
}

/*
 * Erases the patches and salts of the memory's events up to `last`, and the hash of its import if
 * one of them replaced that version.
 */
static int put_erase(struct txn *t, int64_t node, int64_t last, struct error *e)
{
    if (db_run(t->db, e,
               "UPDATE event SET patch = NULL, salt = NULL, expires = NULL WHERE subject = ?"
               " AND seq <= ?",
               "ii", node, last) ||
        (t->team.member &&
         db_run(t->db, e,
                "UPDATE outbox SET before = NULL, after = NULL WHERE seq IN (SELECT seq FROM event"
                " WHERE subject = ? AND seq <= ?)",
                "ii", node, last)))
        return -1;
    /* The hash of an import is not salted. Zeroes mean unknown. */
    return db_run(t->db, e,
                  "UPDATE imported SET hash = zeroblob(32) WHERE memory = ? AND event < ?", "ii",
                  node, last);
}

/* What failed calls were given may be what a purge erases. An expired value is never kept there. */
static int forget_failures(struct txn *t, const struct memory *after, struct error *e)
{
    return after->status == STATUS_PURGED ? db_exec(t->db, "DELETE FROM failure", e) : 0;
}

/*
 * Sets the last event of the memory to the sweeping one, and of its import if that is the same
 * version.
 */
static int set_last_event(struct txn *t, const struct memory *m, struct error *e)
{
    int64_t event = t->last_seq + 1;
    if (db_run(t->db, e, "UPDATE memory SET event = ? WHERE id = ? AND event = ?", "iii", event,
               m->node, m->event))
        return -1;
    if (sqlite3_changes(db_handle(t->db)) == 0)
        return error_set(e, ERROR_CONFLICT, "Read it again, then repeat the change.",
                         "%s:%s was changed since it was read", REF_ARGS(m->ref));
    return failed_if(
        db_run(t->db, e, "UPDATE entry SET event = ? WHERE memory = ?", "ii", event, m->node) ||
        db_run(t->db, e, "UPDATE imported SET event = ? WHERE memory = ? AND event = ?", "iii",
               event, m->node, m->event));
}

static int record_sweep(struct txn *t, const struct actor *actor, const struct received *received,
                        const struct memory *m, const char *commitment, int64_t last,
                        struct error *e)
{
    strbuf_clear(&t->bytes);
    if (commitment)
        memory_json_write(&t->bytes, m, NULL);
    return journal_append(t, actor,
                          &(struct change){.operation = "sweep",
                                           .ref = m->ref,
                                           .node = m->node,
                                           .before = commitment,
                                           .after = commitment ? t->bytes.buf : NULL,
                                           .after_len = t->bytes.len,
                                           .patch = "{}",
                                           .erases = last,
                                           .was = commitment ? m : NULL,
                                           .received = received},
                          e);
}

static int sweep(struct txn *t, const struct actor *actor, const struct received *received,
                 const struct memory *m, int64_t last, struct error *e)
{
    char commitment[2 * DIGEST_SIZE + 1];
    bool exists = m->status != STATUS_MISSING;
    if (exists && !received && put_last_commitment(t, m, commitment, e))
        return -1;
    t->erased = true;
    if (put_erase(t, m->node, last, e) || set_last_event(t, m, e) ||
        record_sweep(t, actor, received, m, exists ? commitment : NULL, last, e)) {
        t->failed = true;
        return -1;
    }
    return 0;
}

int txn_sweep(struct txn *t, const struct actor *actor, const struct memory *m, int64_t last,
              struct error *e)
{
    return sweep(t, actor, NULL, m, last, e);
}

int txn_sweep_received(struct txn *t, const struct received *received, const struct memory *m,
                       int64_t last, struct error *e)
{
    return sweep(t, NULL, received, m, last, e);
}

/* ---- the memory ---- */

void put_strings(struct strbuf *out, const char *const *strings, size_t count)
{
    if (count)
        json_add_strings(out, strings, count);
}

const char *put_detail(const struct memory *m)
{
    return m->detail && m->detail[0] && strcmp(m->detail, "{}") != 0 ? m->detail : NULL;
}

static const char *column(const struct strbuf *sb)
{
    return sb->len ? sb->buf : NULL;
}

static int ref_exists(const struct memory *m, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Give it another id, or change the one that is there.",
                     "%s:%s is there already", REF_ARGS(m->ref));
}

static int stale(const struct memory *m, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Read it again, then repeat the change.",
                     "%s:%s was changed since it was read", REF_ARGS(m->ref));
}

static int insert_memory(struct db *db, const struct put_tables *to, const struct memory *m,
                         int64_t agent, int64_t source_type, const struct strbuf *tags,
                         const struct strbuf *annotations, struct error *e)
{
    return db_run(db, e, to->memory, "iisiiiiidiiisssssss", m->node, (int64_t)m->ref.kind,
                  m->ref.id, (int64_t)m->status, agent, source_type, m->created_at, m->updated_at,
                  m->confidence, (int64_t)m->is_protected, m->version, m->event, m->text, m->source,
                  m->source_entity, m->context, column(tags), column(annotations), put_detail(m));
}

/* Inserts the row of a new memory. Returns 1, or 0 if its ref has a row already. */
static int insert_row(struct txn *t, struct memory *m, int64_t agent, int64_t source_type,
                      struct error *e)
{
    m->node = t->last_node + 1;
    if (t->load && !load_assign(t->load, m->ref, m->node))
        return ref_exists(m, e);
    if (insert_memory(t->db, &main_tables, m, agent, source_type, &t->tags, &t->annotations, e))
        return -1;
    if (sqlite3_changes(db_handle(t->db)) == 0)
        return 0;
    t->last_node = m->node;
    if (!t->load && intern_add(&t->refs, m->ref.kind, m->ref.id, m->node))
        t->refs_complete = false;
    return 1;
}

/*
 * Updates the row if its event is still that of `before` (NULL for a stub). Returns 1, or 0 if it
 * is not.
 */
static int update_row(struct txn *t, const struct memory *m, int64_t agent, int64_t source_type,
                      const struct memory *before, struct error *e)
{
    static const char sql[] =
        "UPDATE memory SET status = ?, agent = ?, source_type = ?, created_at = ?, updated_at = ?,"
        " confidence = ?, protected = ?, version = ?, event = ?, text = ?, source = ?,"
        " source_entity = ?, context = ?, tags = ?, annotations = ?, detail = ?"
        " WHERE id = ?17 AND iif(status = 7, ?18 = 0, event = ?18)";
    if (db_run(t->db, e, sql, "iiiiidiiisssssssii", (int64_t)m->status, agent, source_type,
               m->created_at, m->updated_at, m->confidence, (int64_t)m->is_protected, m->version,
               m->event, m->text, m->source, m->source_entity, m->context, column(&t->tags),
               column(&t->annotations), put_detail(m), m->node, before ? before->event : 0))
        return -1;
    return sqlite3_changes(db_handle(t->db)) > 0;
}

static int put_row(struct txn *t, const struct memory *before, struct memory *m, struct error *e)
{
    int64_t agent = txn_agent(t, m->agent_id, e);
    int64_t source_type = agent < 0 ? -1 : txn_source_type(t, m->source_type, e);
    if (source_type < 0)
        return -1;
    strbuf_clear(&t->tags);
    strbuf_clear(&t->annotations);
    put_strings(&t->tags, m->tags, m->tag_count);
    put_strings(&t->annotations, m->annotations, m->annotation_count);

    int done;
    if (before) {
        done = update_row(t, m, agent, source_type, before, e);
        return done == 0 ? stale(m, e) : done < 0 ? -1 : 0;
    }
    /* A ref that is not cached is usually new: try to insert it, the index detects the rest. */
    if (intern_find(&t->refs, m->ref.kind, m->ref.id) == INTERN_NONE) {
        done = insert_row(t, m, agent, source_type, e);
        if (done)
            return done < 0 ? -1 : 0;
    }
    m->node = txn_ref(t, m->ref, false, e);
    done = m->node < 0 ? -1 : update_row(t, m, agent, source_type, NULL, e);
    return done == 0 ? ref_exists(m, e) : done < 0 ? -1 : 0;
}

static int find_name(struct db *db, const char *sql, const char *name, int64_t *row,
                     struct error *e)
{
    if (db_int(db, row, -1, e, sql, "s", name))
        return -1;
    return *row >= 0 ? 0
                     : error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                                 "the store is damaged: %s is nobody's name", name);
}

int put_whole(struct db *db, const struct put_tables *to, const struct memory *m, struct error *e)
{
    AUTO_STRBUF tags = STRBUF_INIT, annotations = STRBUF_INIT;
    int64_t agent, source_type;
    put_strings(&tags, m->tags, m->tag_count);
    put_strings(&annotations, m->annotations, m->annotation_count);
    int result = find_name(db, "SELECT id FROM agent WHERE name = ?", m->agent_id, &agent, e) ||
                 find_name(db, "SELECT id FROM source_type WHERE name = ?", m->source_type,
                           &source_type, e) ||
                 insert_memory(db, to, m, agent, source_type, &tags, &annotations, e) ||
                 put_groups(db, to, NULL, m, 0, e) || insert_history(db, to, m, 0, e) ||
                 insert_flags(db, to, m, 0, e) || attribution_insert(db, to, m, agent, e) ||
                 lookup_insert(db, to, m, agent, e) || entry_row_insert(db, to, m, e);
    return result ? -1 : 0;
}

static void put_words(struct txn *t, const struct memory *before, const struct memory *after)
{
    strbuf_clear(&t->text);
    strbuf_clear(&t->words);
    if (before)
        memory_search_text(before, &t->text);
    if (after)
        memory_search_text(after, &t->words);
    if (before && after && strcmp(t->text.buf, t->words.buf) == 0)
        return;
    text_index_change(&t->index, after ? after->node : before->node, before ? t->text.buf : NULL,
                      after ? t->words.buf : NULL);
}

/* Appends the event. It commits to the JSONL form, so fsck does not need the rows. */
static int put_record(struct txn *t, const struct actor *actor, const struct put *how,
                      const struct memory *before, const struct memory *after,
                      const char *commitment, struct error *e)
{
    const struct memory *m = after ? after : before;
    int64_t expires = 0;
    if (how->taken_back)
        return 0;
    strbuf_clear(&t->text);
    if (before && !how->erases)
        memory_json_patch(&t->text, before, after);
    strbuf_clear(&t->bytes);
    if (!before && after && after->form)
        strbuf_addstr(&t->bytes, after->form);
    else if (after)
        memory_json_write(&t->bytes, after, NULL);
    if (before)
        expires = entry_patch_expiry(before, t->text.buf, t->text.len, !after);
    return journal_append(t, actor,
                          &(struct change){.operation = how->operation,
                                           .ref = m->ref,
                                           .node = m->node,
                                           .before = before ? commitment : NULL,
                                           .after = after ? t->bytes.buf : NULL,
                                           .after_len = t->bytes.len,
                                           .patch = column(&t->text),
                                           .expires = expires,
                                           .reason = how->reason,
                                           .undoes = how->undoes,
                                           .was = before,
                                           .received = how->received},
                          e);
}

/* Empties the row to a stub, which keeps only its ref and event. */
static int empty_row(struct txn *t, const struct put *how, const struct memory *before,
                     struct error *e)
{
    static const char sql[] =
        "UPDATE memory SET status = 7, agent = NULL, source_type = NULL, created_at = NULL,"
        " updated_at = NULL, confidence = NULL, protected = 0, version = 0, event = ?, text = NULL,"
        " source = NULL, source_entity = NULL, context = NULL, tags = NULL, annotations = NULL,"
        " detail = NULL WHERE id = ? AND status <> 7 AND event = ?";
    int64_t event = how->taken_back ? how->event : t->last_seq + 1;
    if (db_run(t->db, e, sql, "rii", event, before->node, before->event))
        return -1;
    return sqlite3_changes(db_handle(t->db)) > 0 ? 0 : stale(before, e);
}

/* Reverts an addition: the patch has the whole memory. */
static int revert_addition(struct txn *t, const struct actor *actor, const struct put *how,
                           const struct memory *before, const char *commitment, struct error *e)
{
    if (empty_row(t, how, before, e)) {
        t->failed |= e->code != ERROR_CONFLICT;
        return -1;
    }
    put_words(t, before, NULL);
    if (delete_parts(t, before, e) || attribution_put(t, before, NULL, e) ||
        lookup_put(t, before, NULL, e) || entry_row_put(t, before, NULL, e) ||
        put_record(t, actor, how, before, NULL, commitment, e) ||
        waiting_put(t, actor, how, before, NULL, e)) {
        t->failed = true;
        return -1;
    }
    return 0;
}

int txn_put(struct txn *t, const struct actor *actor, const char *operation,
            const struct memory *before, struct memory *after, const char *reason, struct error *e)
{
    return txn_put_as(t, actor, &(struct put){.operation = operation, .reason = reason}, before,
                      after, e);
}

int txn_put_as(struct txn *t, const struct actor *actor, const struct put *how,
               const struct memory *before, struct memory *after, struct error *e)
{
    char commitment[2 * DIGEST_SIZE + 1] = "";
    if (before && t->load)
        return error_set(e, ERROR_STORE, "Report it.", "a bulk load only adds");
    if (!before && !after)
        return error_set(e, ERROR_STORE, "Report it.", "there is nothing to put");
    bool follows = how->received || how->taken_back; /* others have checked it */
    if ((after && put_check(after, &t->words, e)) ||
        (!follows &&
         ((after && !t->load && entry_claim_check(t->db, before, after, t->now, NULL, e)) ||
          (after && !before && !t->load && step_return_check(t->db, after, e)) ||
          (before && put_last_commitment(t, before, commitment, e)))))
        return -1;
    if (!after)
        return revert_addition(t, actor, how, before, commitment, e);
    if (before) {
        after->node = before->node;
        if (!follows && after->version <= before->version)
            after->version = before->version + 1;
    }
    t->erased |= how->erases;
    /* Set before the event exists, so that the row is written once. */
    after->event = how->taken_back ? how->event : t->last_seq + 1;
    if (put_row(t, before, after, e)) {
        t->failed |= e->code != ERROR_CONFLICT;
        return -1;
    }
    put_words(t, before, after);
    if (put_links(t, before, after, e) || put_history(t, before, after, e) ||
        put_flags(t, before, after, e) || attribution_put(t, before, after, e) ||
        lookup_put(t, before, after, e) || entry_row_put(t, before, after, e) ||
        (how->erases &&
         (put_erase(t, after->node, INT64_MAX, e) || forget_failures(t, after, e) ||
          db_run(t->db, e,
                 "UPDATE disputed SET base = NULL, mine = NULL, theirs = NULL WHERE memory = ?",
                 "i", after->node))) ||
        put_record(t, actor, how, before, after, commitment, e) ||
        waiting_put(t, actor, how, before, after, e)) {
        t->failed = true;
        return -1;
    }
    return 0;
}
