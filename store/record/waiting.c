/* Which memories wait for a person's decision. */
#include "store/record/waiting.h"

#include <string.h>
#include "model/base/array.h"
#include "store/db/db.h"
#include "store/journal/journal.h"
#include "store/record/get.h"
#include "store/txn/txn.h"

#define FOR_REVIEW "for_review"

/* What an event says: that an agent wrote the memory, that a person decided about it, or neither. */
enum verdict {
    NEUTRAL = 0,
    WRITTEN,
    DECIDED
};

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (same_text(word, words[i]))
            return true;
    return false;
}

static enum verdict verdict_of(enum kind kind, const struct event *event)
{
    /* What follows from another decision decides nothing; an agent's flag writes nothing. */
    static const char *const follows[] = {"propagate", "fix-provenance"}, *const says[] = {
                                                                              "mark", "unmark",
                                                                              "verify",
                                                                              "contradict"};
    if (event->undoes)
        return NEUTRAL;
    if (journal_is_by_hand(event->class_name, event->origin))
        return is_one_of(event->operation, follows, 2) ? NEUTRAL : DECIDED;
    bool imported = event->origin && !strncmp(event->origin, "import ", 7);
    bool promoted = kind == KIND_RAW && same_text(event->operation, "process");
    return imported || promoted || !same_text(event->class_name, "agent") ||
                   event_is_automatic(event) || !(WAITING_KINDS & KIND_BIT(kind)) ||
                   is_one_of(event->operation, says, 4)
               ? NEUTRAL
               : WRITTEN;
}

/* ---- from the journal ---- */

struct walk {
    enum kind kind;
    enum verdict verdict;
    int64_t session;
    int64_t *undone; /* events of this memory that later ones took back */
    size_t count, alloc;
};

/* Newest first. An undo that was itself undone takes nothing back. */
static int look(void *arg, const struct event *event, struct error *e)
{
    struct walk *w = arg;
    (void)e;
    for (size_t i = 0; i < w->count; i++)
        if (w->undone[i] == event->seq)
            return 0;
    if (event->undoes)
        *ARRAY_ADD(w->undone, w->count, w->alloc) = event->undoes;
    w->verdict = verdict_of(w->kind, event);
    w->session = event->session;
    return w->verdict != NEUTRAL;
}

/* Returns 1 if agents wrote the memory since a person decided about it, 0 if not, -1 on error. */
static int is_written(struct db *db, int64_t node, enum kind kind, int64_t *session,
                      struct error *e)
{
    struct walk w = {.kind = kind};
    int result = journal_walk_back(db, NULL, node, 0, look, &w, e);
    free(w.undone);
    *session = w.verdict == WRITTEN && w.session > 0 ? w.session : 0;
    return result < 0 ? -1 : w.verdict == WRITTEN;
}

/* ---- writing ---- */

static bool is_flagged(const struct memory *m)
{
    for (size_t i = 0; i < m->flag_count; i++)
        if (!strcmp(m->flags[i].name, FOR_REVIEW))
            return true;
    return false;
}

static int set(struct db *db, int64_t node, int64_t session, struct error *e)
{
    return db_run(db, e,
                  "INSERT INTO waiting(memory, session) VALUES (?, ?)"
                  " ON CONFLICT(memory) DO UPDATE SET session = excluded.session",
                  "ir", node, session);
}

static int clear(struct db *db, int64_t node, struct error *e)
{
    return db_run(db, e, "DELETE FROM waiting WHERE memory = ?", "i", node);
}

static bool is_open(const struct memory *m)
{
    return m->status == STATUS_ACTIVE || m->status == STATUS_PENDING;
}

/* By flags, the journal and what did not hold. What has ended waits only for the last. */
static int decide(struct db *db, const struct memory *m, struct error *e)
{
    bool flagged = m->status == STATUS_PENDING || (m->status == STATUS_ACTIVE && is_flagged(m));
    int64_t session = 0, disputed, node = m->node;
    int written = is_open(m) ? is_written(db, node, m->ref.kind, &session, e) : 0;
    if (written < 0 || db_int(db, &disputed, 0, e,
                              "SELECT EXISTS (SELECT 1 FROM disputed WHERE memory = ?)", "i", node))
        return -1;
    flagged |= disputed != 0;
    return written || flagged ? set(db, node, session, e) : clear(db, node, e);
}

/* A neutral event changes only what flags say, so the journal is read only where the answer may have been another. */
static int put_neutral(struct txn *t, const struct put *how, bool was, const struct memory *m,
                       bool flagged, struct error *e)
{
    int64_t has = 0;
    if (!was && !how->undoes && !flagged)
        return 0;
    if (!how->undoes &&
        db_int(t->db, &has, 0, e, "SELECT 1 FROM waiting WHERE memory = ?", "i", m->node))
        return -1;
    return how->undoes || has != flagged ? decide(t->db, m, e) : 0;
}

/* A decision that is made here settles what did not hold; one that comes from elsewhere does not. */
static int put_decided(struct txn *t, const struct put *how, const struct memory *after,
                       struct error *e)
{
    if (!how->received && !how->again &&
        db_run(t->db, e, "DELETE FROM disputed WHERE memory = ?", "i", after->node))
        return -1;
    return decide(t->db, after, e);
}

int waiting_put(struct txn *t, const struct actor *actor, const struct put *how,
                const struct memory *before, const struct memory *after, struct error *e)
{
    struct event event = {.operation = how->operation,
                          .origin = actor->origin,
                          .class_name = actor->class == ACTOR_AGENT ? "agent" : "person",
                          .session = actor->session,
                          .undoes = how->undoes};
    if (t->load || how->taken_back) /* waiting_renew follows */
        return 0;
    if (!after && !before)
        return 0;
    const struct memory gone = {.node = before ? before->node : 0, .status = STATUS_MISSING};
    after = after ? after : &gone;
    enum verdict verdict = verdict_of(after->ref.kind, &event);
    if (!is_open(after) && t->team.member)
        return verdict == DECIDED ? put_decided(t, how, after, e) : decide(t->db, after, e);
    if (!is_open(after))
        return before ? clear(t->db, before->node, e) : 0;
    bool flagged = is_flagged(after) || after->status == STATUS_PENDING;
    switch (verdict) {
    case WRITTEN:
        return set(t->db, after->node, actor->session, e);
    case DECIDED:
        if (t->team.member)
            return put_decided(t, how, after, e);
        return flagged ? set(t->db, after->node, 0, e) : before ? clear(t->db, after->node, e) : 0;
    default:
        return put_neutral(t, how, before != NULL, after, flagged, e);
    }
}

int waiting_renew(struct txn *t, const struct memory *m, struct error *e)
{
    return decide(t->db, m, e);
}

/* ---- filling and checking ---- */

#define FLAGGED                                                                                    \
    "SELECT m.id, m.kind, 1 FROM memory m WHERE m.status = 0"                                      \
    " AND m.id IN (SELECT memory FROM mark WHERE mark = '" FOR_REVIEW "')"                         \
    " UNION ALL SELECT m.id, m.kind, 1 FROM memory m WHERE m.status = 9 AND m.status >= 8"         \
    " UNION ALL SELECT m.id, m.kind, 2 FROM memory m WHERE m.id IN (SELECT memory FROM disputed)"
/* A canonical text is JSON without content, so this cannot stand within another value. */
#define WRITTEN_ONCE                                                                               \
    "SELECT m.id, m.kind, 0 FROM memory m WHERE m.status = 0 AND m.id IN (SELECT subject"          \
    " FROM event WHERE instr(canonical, '\"class\":\"agent\"')"                                    \
    " AND NOT instr(canonical, '\"origin\":\"import '))"

int waiting_fill_flagged(struct db *db, struct error *e)
{
    return db_exec(db, "INSERT INTO waiting SELECT DISTINCT id, NULL FROM (" FLAGGED ")", e);
}

int waiting_fill(struct db *db, struct error *e)
{
    if (db_exec(db, "DELETE FROM waiting", e) || waiting_fill_flagged(db, e))
        return -1;
    struct query rows = db_query(db, e, WRITTEN_ONCE, "");
    while (db_next(&rows)) {
        int64_t node = sqlite3_column_int64(rows.stmt, 0), session;
        int written =
            is_written(db, node, (enum kind)sqlite3_column_int(rows.stmt, 1), &session, e);
        if (written < 0 || (written && set(db, node, session, e)))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

int waiting_drop_disputes(struct db *db, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int64_t *nodes = NULL;
    size_t count = 0, alloc = 0;
    struct query rows = db_query(
        db, e, "SELECT DISTINCT memory FROM disputed WHERE memory IN (SELECT id FROM memory)", "");
    while (db_next(&rows))
        *ARENA_ADD(&arena, nodes, count, alloc) = sqlite3_column_int64(rows.stmt, 0);
    if (db_end(&rows) || db_run(db, e, "DELETE FROM disputed", ""))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (memory_read_db(db, &arena, nodes[i], &m, e) || decide(db, &m, e))
            return -1;
    return 0;
}

int waiting_check(struct db *db, int (*each)(void *arg, int64_t row, bool missing), void *arg,
                  struct error *e)
{
    struct query rows = db_query(
        db, e,
        "SELECT c.id, c.kind, max(c.flagged), w.memory IS NOT NULL FROM (SELECT id, kind, 0 AS"
        " flagged FROM memory WHERE id IN (SELECT memory FROM waiting)"
        " UNION ALL " FLAGGED " UNION ALL " WRITTEN_ONCE
        ") c LEFT JOIN waiting w ON w.memory = c.id"
        " GROUP BY c.id",
        "");
    while (db_next(&rows)) {
        int64_t node = sqlite3_column_int64(rows.stmt, 0), session, active;
        bool flagged = sqlite3_column_int(rows.stmt, 2) != 0,
             disputed = sqlite3_column_int(rows.stmt, 2) == 2,
             waits = sqlite3_column_int(rows.stmt, 3) != 0;
        if (db_int(db, &active, 0, e, "SELECT status IN (0, 9) FROM memory WHERE id = ?", "i",
                   node))
            return db_fail(&rows);
        int written =
            active && !flagged
                ? is_written(db, node, (enum kind)sqlite3_column_int(rows.stmt, 1), &session, e)
                : 0;
        bool should = disputed || (active && (flagged || written > 0));
        if (written < 0 || (should != waits && each(arg, node, should)))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

/* ---- reading ---- */

int64_t waiting_count(struct reader *r, int64_t most, struct error *e)
{
    int64_t count;
    return db_int(reader_db(r), &count, 0, e,
                  "SELECT count(*) FROM (SELECT 1 FROM waiting LIMIT ?)", "i", most)
               ? -1
               : count;
}

int waiting_list(struct reader *r, const char *agent, size_t most, struct waiting **out,
                 size_t *count, struct error *e)
{
#define WAITING                                                                                    \
    "SELECT w.memory, coalesce(w.session, -(SELECT agent FROM memory WHERE id = w.memory)) FROM "  \
    "waiting w"
    static const char all[] = WAITING " WHERE ?1 IS NULL ORDER BY w.memory DESC LIMIT ?2",
                      of_agent[] = WAITING " JOIN memory m ON m.id = w.memory WHERE m.agent ="
                                           " (SELECT id FROM agent WHERE name = ?1)"
                                           " ORDER BY w.memory DESC LIMIT ?2";
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    if (reader_past(r) >= 0)
        return 0;
    struct query rows =
        db_query(reader_db(r), e, agent ? of_agent : all, "si", agent, (int64_t)most);
    while (db_next(&rows))
        *ARRAY_ADD(*out, *count, alloc) = (struct waiting){sqlite3_column_int64(rows.stmt, 0),
                                                           sqlite3_column_int64(rows.stmt, 1)};
    if (db_end(&rows) == 0)
        return 0;
    free(*out);
    *out = NULL;
    *count = 0;
    return -1;
}
