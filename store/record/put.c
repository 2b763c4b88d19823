#include "store/record/put.h"

#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/record/attribution_row.h"
#include "store/record/entry_claim.h"
#include "store/record/entry_leaving.h"
#include "store/record/entry_row.h"
#include "store/record/found_by.h"
#include "store/journal/journal_write.h"
#include "store/record/load.h"

void put_strings(struct strbuf *out, const char *const *strings, size_t count)
{
    if (count == 0)
        return;
    struct json_object o = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&o);
        json_add_string(out, strings[i]);
    }
    json_end(&o);
}

const char *put_detail(const struct memory *m)
{
    return m->detail && m->detail[0] && strcmp(m->detail, "{}") != 0 ? m->detail : NULL;
}

static const char *column(const struct strbuf *sb)
{
    return sb->len ? sb->buf : NULL;
}

static int taken(const struct memory *m, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Give it another id, or change the one that is there.",
                     "%s:%s is there already", kind_name(m->ref.kind), m->ref.id);
}

static int stale(const struct memory *m, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Read it again, then repeat the change.",
                     "%s:%s was changed since it was read", kind_name(m->ref.kind), m->ref.id);
}

/* The row of a memory that is new or was a stub: its columns without those that no stub has. */
static int insert_row(struct txn *t, struct memory *m, int64_t agent, int64_t source_type,
                      struct error *e)
{
    static const char sql[] =
        "INSERT INTO memory(id, kind, name, status, agent, source_type, created_at, updated_at,"
        " confidence, protected, version, event, text, source, source_entity, context, tags,"
        " annotations, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING";
    m->node = t->last_node + 1;
    if (t->load && !load_arrives(t->load, m->ref, m->node))
        return taken(m, e);
    if (db_run(t->db, e, sql, "iisiiiiidiiisssssss", m->node, (int64_t)m->ref.kind, m->ref.id,
               (int64_t)m->status, agent, source_type, m->created_at, m->updated_at, m->confidence,
               (int64_t)m->is_protected, m->version, m->event, m->text, m->source, m->source_entity,
               m->context, column(&t->tags), column(&t->annotations), put_detail(m)))
        return -1;
    if (sqlite3_changes(db_handle(t->db)) == 0)
        return 0;
    t->last_node = m->node;
    if (!t->load && intern_add(&t->refs, m->ref.kind, m->ref.id, m->node))
        t->refs_complete = false;
    return 1;
}

/* Writes over the row, if it is still as `event` left it (0: a stub). 1 done, 0 it is not. */
static int update_row(struct txn *t, const struct memory *m, int64_t agent, int64_t source_type,
                      const struct memory *before, struct error *e)
{
    static const char filled[] =
        "UPDATE memory SET status = ?, agent = ?, source_type = ?, created_at = ?, updated_at = ?,"
        " confidence = ?, protected = ?, version = ?, event = ?, text = ?, source = ?,"
        " source_entity = ?, context = ?, tags = ?, annotations = ?, detail = ?"
        " WHERE id = ? AND status < 7 AND event = ?";
    static const char stub[] =
        "UPDATE memory SET status = ?, agent = ?, source_type = ?, created_at = ?, updated_at = ?,"
        " confidence = ?, protected = ?, version = ?, event = ?, text = ?, source = ?,"
        " source_entity = ?, context = ?, tags = ?, annotations = ?, detail = ?"
        " WHERE id = ? AND status = 7";
    if (db_run(t->db, e, before ? filled : stub,
               before ? "iiiiidiiisssssssii" : "iiiiidiiisssssssi", (int64_t)m->status, agent,
               source_type, m->created_at, m->updated_at, m->confidence, (int64_t)m->is_protected,
               m->version, m->event, m->text, m->source, m->source_entity, m->context,
               column(&t->tags), column(&t->annotations), put_detail(m), m->node,
               before ? before->event : 0))
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
    /* What was not met before is mostly new: the index says so while the row goes in. */
    if (intern_find(&t->refs, m->ref.kind, m->ref.id) == INTERN_NONE) {
        done = insert_row(t, m, agent, source_type, e);
        if (done)
            return done < 0 ? -1 : 0;
    }
    m->node = txn_ref(t, m->ref, false, e);
    done = m->node < 0 ? -1 : update_row(t, m, agent, source_type, NULL, e);
    return done == 0 ? taken(m, e) : done < 0 ? -1 : 0;
}

static int put_words(struct txn *t, const struct memory *before, const struct memory *after,
                     struct error *e)
{
    strbuf_clear(&t->text);
    strbuf_clear(&t->words);
    if (before)
        memory_search_text(before, &t->text);
    memory_search_text(after, &t->words);
    if (before && strcmp(t->text.buf, t->words.buf) == 0)
        return 0;
    return txn_words(t, after->node, before ? t->text.buf : NULL, t->words.buf, e);
}

/*
 * The commitment that the last event on `before` made, copied into `hex` for the next event's
 * `before`. What is replaced must be what was committed to: a row that was altered behind the
 * journal's back is not carried into it.
 */
int put_last_commitment(struct txn *t, const struct memory *before, char hex[2 * DIGEST_SIZE + 1],
                        struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(t->db, "SELECT canonical, salt FROM event WHERE seq = ?", e);
    int found = db_bind(t->db, stmt, e, "i", before->event);
    if (found < 0)
        return -1;
    strbuf_clear(&t->bytes);
    exchange_write(&t->bytes, before, NULL);
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
                            "%s:%s is not what its last event left", kind_name(before->ref.kind),
                            before->ref.id);
}

/* The event: what is committed to are the bytes of the exchange form, which need no row to check. */
static int record(struct txn *t, const struct actor *actor, const struct put *how,
                  const struct memory *before, const struct memory *after, const char *commitment,
                  struct error *e)
{
    const struct memory *m = after ? after : before;
    int64_t expires = 0;
    strbuf_clear(&t->text);
    if (before && !how->erases)
        exchange_patch(&t->text, before, after);
    strbuf_clear(&t->bytes);
    if (!before && after && after->form)
        strbuf_addstr(&t->bytes, after->form);
    else if (after)
        exchange_write(&t->bytes, after, NULL);
    if (before && entry_leaving(before, t->text.buf, t->text.len, !after, &expires))
        return -1;
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
                                           .undoes = how->undoes},
                          e);
}

/* A stub is what it was before it was added: its ref, which others may name. Its event says when. */
static int empty_row(struct txn *t, const struct memory *before, struct error *e)
{
    static const char sql[] =
        "UPDATE memory SET status = 7, agent = NULL, source_type = NULL, created_at = NULL,"
        " updated_at = NULL, confidence = NULL, protected = 0, version = 0, event = ?, text = NULL,"
        " source = NULL, source_entity = NULL, context = NULL, tags = NULL, annotations = NULL,"
        " detail = NULL WHERE id = ? AND status < 7 AND event = ?";
    if (db_run(t->db, e, sql, "iii", t->last_seq + 1, before->node, before->event))
        return -1;
    return sqlite3_changes(db_handle(t->db)) > 0 ? 0 : stale(before, e);
}

static int drop_words(struct txn *t, const struct memory *before, struct error *e)
{
    strbuf_clear(&t->text);
    memory_search_text(before, &t->text);
    return txn_words(t, before->node, t->text.buf, NULL, e);
}

/* An addition is taken back: the patch keeps the whole memory. */
static int take_back(struct txn *t, const struct actor *actor, const struct put *how,
                     const struct memory *before, const char *commitment, struct error *e)
{
    if (empty_row(t, before, e)) {
        t->failed |= e->code != ERROR_CONFLICT;
        return -1;
    }
    if (put_nothing(t, before, e) || attribution_put(t, before, NULL, e) ||
        found_by_put(t, before, NULL, e) || entry_row_put(t, before, NULL, e) ||
        drop_words(t, before, e) || record(t, actor, how, before, NULL, commitment, e)) {
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
    char commitment[2 * DIGEST_SIZE + 1];
    if (before && t->load)
        return error_set(e, ERROR_STORE, "Report it.", "a bulk load only adds");
    if (!before && !after)
        return error_set(e, ERROR_STORE, "Report it.", "there is nothing to put");
    if ((after && put_check(after, &t->words, e)) ||
        (after && !t->load && entry_claim_check(t->db, before, after, t->now, e)) ||
        (before && put_last_commitment(t, before, commitment, e)))
        return -1;
    if (!after)
        return take_back(t, actor, how, before, commitment, e);
    if (before) {
        after->node = before->node;
        if (after->version <= before->version)
            after->version = before->version + 1;
    }
    t->erased |= how->erases;
    after->event = t->last_seq + 1; /* the row names it before it is there: one write, not two */
    if (put_row(t, before, after, e)) {
        t->failed |= e->code != ERROR_CONFLICT;
        return -1;
    }
    if (put_links(t, before, after, e) || put_history(t, before, after, e) ||
        put_marks(t, before, after, e) || attribution_put(t, before, after, e) ||
        found_by_put(t, before, after, e) || entry_row_put(t, before, after, e) ||
        put_words(t, before, after, e) ||
        (how->erases && put_erase(t, after->node, INT64_MAX, e)) ||
        record(t, actor, how, before, after, commitment, e)) {
        t->failed = true;
        return -1;
    }
    return 0;
}
