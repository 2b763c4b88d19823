/*
 * Walks the revisions of a memory from the newest back, finds what undo and redo revert, and
 * reduces former states to what the guard's caller may see.
 */
#include "store/history/history.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/record/index_tables.h"
#include "store/record/entry_row.h"

/*
 * The states of a memory, from the newest back: the patch of each event turns the state after it
 * into the state before it. Older states share unchanged parts with newer ones, so a walk needs
 * little more memory than the patches.
 */

#define STATE_BYTES                                                                                \
    (4u << 20) /* a walk without an arena moves to the other arena after so many bytes */

struct walk {
    struct reader *reader;
    int64_t least;
    int (*each)(void *arg, const struct revision *revision);
    void *arg;
    struct error *e;

    struct arena *kept;     /* the caller's; NULL if arguments are valid during the call only */
    struct arena states[2]; /* used in turns if `kept` is NULL */
    int turn;
    size_t begun;                /* bytes in the arena when the turn began */
    const struct memory *stored; /* the current memory as shown; NULL for a stub */
    struct rewind back;          /* the states as in the patches */
    struct memory *shown;        /* the last state without expired values */
    int64_t purged_by;           /* the purge that was found */
    int64_t damaged_by;          /* the damaged event that was found */
};

static struct arena *arena_of(struct walk *w)
{
    return w->kept ? w->kept : &w->states[w->turn];
}

/* ---- states ---- */

static int damaged(struct walk *w, const struct event *event, const char *how)
{
    return error_set(w->e, ERROR_STORE, "Run stemma fsck on the store.", "event %lld %s",
                     (long long)event->seq, how);
}

/*
 * Notes the purge. It is recognised by its operation, because it may have purged a memory whose
 * addition was reverted.
 */
static void note_purge(struct walk *w, const struct event *event, bool erased)
{
    const struct rewind *back = &w->back;
    if (back->swept || !back->known || back->known->status != STATUS_PURGED || w->purged_by)
        return;
    if (erased || (event->operation && strcmp(event->operation, "purge") == 0))
        w->purged_by = event->seq;
}

/* Reverts the event: computes the state before it. */
static int step_back(struct walk *w, const struct event *event)
{
    struct rewind *back = &w->back;
    bool erased = event->before && !event->patch;
    back->arena = arena_of(w);
    if (event->ref.id)
        back->ref = event->ref;
    note_purge(w, event, erased);
    if (rewind_back(back, event, w->e))
        return -1;
    if (erased)
        return rewind_erased(back, event->seq - 1, w->e);
    if (back->state && event->ref.id && !ref_equal(back->state->ref, event->ref))
        return damaged(w, event, "keeps another memory than its own");
    return 0;
}

/* Computes what is known without a patch of the state before the event. */
static int step_blindly(struct walk *w, const struct event *event)
{
    struct rewind *back = &w->back;
    back->arena = arena_of(w);
    back->version -= event->after && !rewind_is_sweep(event->operation);
    back->until = event->at;
    if (event->before && back->state)
        return rewind_erased(back, event->seq - 1, w->e);
    back->state = NULL;
    return 0;
}

/* Steps over the event. From a damaged one on patches say nothing: they are about states that are not known. Undo must
 * know them, and its walk keeps what it reads. */
static int step_over(struct walk *w, const struct event *event)
{
    struct rewind back = w->back;
    if (w->damaged_by)
        return step_blindly(w, event);
    int result = !event->after != !back.state
                     ? damaged(w, event, "left another state than there is")
                     : step_back(w, event);
    if (result == 0 || w->kept || w->e->code != ERROR_STORE)
        return result;
    w->e->code = ERROR_NONE;
    w->damaged_by = event->seq;
    w->back = back;
    return step_blindly(w, event);
}

/* Hides the expired value of an entry; without one the result is `state` itself. */
static int hide_expired(struct walk *w, struct memory *state, struct memory **shown)
{
    *shown = state;
    if (!state || state->ref.kind != KIND_ENTRY)
        return 0;
    struct memory copy = *state;
    if (entry_hide(w->reader, arena_of(w), &copy, w->e))
        return -1;
    if (copy.detail == state->detail)
        return 0;
    *shown = arena_memdup(arena_of(w), &copy, sizeof(copy));
    return 0;
}

/* Returns 1 if `each` stops the walk. */
static int step(struct walk *w, const struct event *event)
{
    struct memory *after = w->back.state;
    struct revision revision = {.event = *event, .after = w->shown};
    if (!event->class_name)
        return damaged(w, event, "cannot be read");
    if (after)
        after->event = w->shown->event = event->seq;
    if (step_over(w, event) || hide_expired(w, w->back.state, &w->shown) ||
        (revision.undone_by = history_undone_by(w->reader, event->seq, w->e)) < 0)
        return -1;
    revision.before = w->shown;
    revision.purged_by = w->purged_by;
    revision.damaged_by = w->damaged_by;
    return w->each(w->arg, &revision) ? 1 : 0;
}

/* Copies the state into the other arena and clears this one. */
static int swap_arenas(struct walk *w)
{
    AUTO_STRBUF line = STRBUF_INIT;
    struct arena *other = &w->states[!w->turn];
    if (w->kept || !w->back.state || arena_of(w)->used < STATE_BYTES + 2 * w->begun)
        return 0;
    struct memory *m = arena_alloc(other, sizeof(*m));
    memory_json_write(&line, w->back.state, NULL);
    int result = memory_json_read(m, other, line.buf, line.len, NULL, 0, NULL, w->e);
    if (result)
        return -1;
    m->node = w->back.node;
    arena_clear(arena_of(w));
    w->turn = !w->turn;
    w->begun = other->used;
    w->back.known = w->back.state = m;
    return hide_expired(w, m, &w->shown);
}

static int walk_event(void *arg, const struct event *event, struct error *e)
{
    struct walk *w = arg;
    if (reader_check(w->reader, e))
        return -1;
    int result = step(w, event);
    return result ? result : swap_arenas(w);
}

/* Reads the stored memory, the first state. Its arena lives until the end of the walk. */
static int read_stored(struct walk *w, struct arena *arena)
{
    struct memory *m = arena_alloc(arena, sizeof(*m)), *shown = arena_alloc(arena, sizeof(*m));
    if (memory_read_with_expired(w->reader, arena, w->back.node, m, w->e))
        return -1;
    *shown = *m;
    if (entry_hide(w->reader, arena, shown, w->e))
        return -1;
    if (shown->detail == m->detail)
        shown = m;
    bool is = m->status != STATUS_MISSING;
    w->back.known = w->back.state = is ? m : NULL;
    w->back.version = m->version;
    w->back.ref = m->ref;
    w->stored = w->shown = is ? shown : NULL;
    return 0;
}

/* For a reader of the past: finds the first later event that erased earlier states. */
static int read_erased(struct walk *w, struct arena *arena)
{
    static const char sql[] = "SELECT seq FROM event WHERE subject = ? AND seq > ? AND operation IN"
                              " ('purge', 'expire', 'evict', 'sweep') ORDER BY seq LIMIT 1";
    int64_t past = reader_past(w->reader), seq = 0;
    if (past < 0)
        return 0;
    struct memory *left = arena_alloc(arena, sizeof(*left));
    struct db *db = reader_begin_present(w->reader, w->e);
    if (!db)
        return -1;
    int result = db_int(db, &seq, 0, w->e, sql, "ii", w->back.node, past);
    if (result == 0 && seq)
        result = rewind_memory(db, arena, w->back.node, seq, left, w->e);
    reader_end_present(w->reader);
    if (result || !seq || left->status == STATUS_MISSING)
        return result;
    if (!w->back.known)
        w->back.known = left;
    w->back.swept = left->status != STATUS_PURGED;
    return 0;
}

static int walk(struct walk *w, const struct memory **now)
{
    AUTO_ARENA stored = ARENA_INIT;
    if (reader_begin(w->reader, w->e))
        return -1;
    struct arena *arena = w->kept ? w->kept : &stored;
    w->back.db = reader_db(w->reader);
    int result = read_stored(w, arena);
    if (now)
        *now = result ? NULL : w->stored;
    if (result == 0)
        result = read_erased(w, arena);
    if (result == 0 &&
        journal_walk_back(w->back.db, w->kept, w->back.node, w->least, walk_event, w, w->e) < 0)
        result = -1;
    reader_end(w->reader);
    arena_release(&w->states[0]);
    arena_release(&w->states[1]);
    return result;
}

int64_t history_count(struct reader *r, int64_t node, int64_t seq, struct error *e)
{
    int64_t count;
    return db_int(reader_db(r), &count, 0, e,
                  "SELECT count(*) FROM event WHERE subject = ? AND seq <= ?", "ii", node, seq)
               ? -1
               : count;
}

int history_walk(struct reader *r, int64_t node,
                 int (*each)(void *arg, const struct revision *revision), void *arg,
                 struct error *e)
{
    struct walk w = {
        .reader = r, .back.node = node, .least = INT64_MIN, .each = each, .arg = arg, .e = e};
    return walk(&w, NULL);
}

int history_walk_down(struct reader *r, struct arena *arena, int64_t node, int64_t least,
                      int (*each)(void *arg, const struct revision *revision), void *arg,
                      const struct memory **now, struct error *e)
{
    struct walk w = {.reader = r,
                     .back.node = node,
                     .least = least,
                     .each = each,
                     .arg = arg,
                     .e = e,
                     .kept = arena};
    return walk(&w, now);
}

/* ---- who made a change ---- */

struct author author_of(struct arena *arena, const struct event *event)
{
    bool person = event->class_name && !strcmp(event->class_name, "person");
    return (struct author){.seq = event->seq,
                           .at = event->at,
                           .who = arena_strdup(arena, event->author),
                           .reason = arena_strdup(arena, event->reason),
                           .person = person,
                           .again = event->undoes != 0};
}

void author_take(struct arena *arena, struct author *author, const struct revision *revision)
{
    bool known = author->who && (!author->again || revision->event.undoes != 0);
    if (!known && !revision->undone_by)
        *author = author_of(arena, &revision->event);
}

/* Before a purge all states are purged ones. */
bool revision_ends(const struct revision *revision, enum status status)
{
    const struct memory *b = revision->before, *a = revision->after;
    if (!a || !b || status == STATUS_ACTIVE || a->status != status)
        return false;
    return status == STATUS_PURGED ? same_text(revision->event.operation, "purge")
                                   : b->status != status;
}

struct end_walk {
    struct arena *arena;
    struct author *out;
    enum status status;
};

static int take_end(void *arg, const struct revision *revision)
{
    struct end_walk *w = arg;
    if (revision_ends(revision, w->status))
        author_take(w->arena, w->out, revision);
    return w->out->who && !w->out->again;
}

int author_take_imported(struct reader *r, struct arena *arena, int64_t node, const char *word,
                         struct author *author, struct error *e)
{
    if (author->who && !author->again)
        return 0;
    struct query last = db_query(reader_db(r), e,
                                 "SELECT at, actor, reason, origin FROM history WHERE memory = ?"
                                 " AND origin IS NOT NULL AND actor IS NOT NULL"
                                 " AND instr(operation, ?) ORDER BY position DESC LIMIT 1",
                                 "is", node, word);
    if (db_next(&last))
        *author = (struct author){.at = sqlite3_column_int64(last.stmt, 0),
                                  .who = column_utf8(arena, last.stmt, 1),
                                  .reason = column_utf8(arena, last.stmt, 2),
                                  .origin = column_utf8(arena, last.stmt, 3)};
    return db_end(&last);
}

int history_superseded_by(struct reader *r, struct arena *arena, int64_t node, struct author *out,
                          struct error *e)
{
    struct end_walk w = {arena, out, STATUS_SUPERSEDED};
    *out = (struct author){.seq = 0};
    return history_walk(r, node, take_end, &w, e) < 0 ? -1 : 0;
}

int history_ended_by(struct reader *r, struct arena *arena, int64_t node, enum status status,
                     struct author *out, struct error *e)
{
    struct end_walk w = {arena, out, status};
    *out = (struct author){.seq = 0};
    if (STATUS_LIVES(status) || status == STATUS_MISSING)
        return 0;
    if (history_walk(r, node, take_end, &w, e) < 0)
        return -1;
    /* "forget" and "forgotten", "delete" and "deleted" */
    const char *word = status == STATUS_FORGOTTEN ? "forg"
                       : status == STATUS_DELETED ? "delet"
                                                  : NULL;
    return word ? author_take_imported(r, arena, node, word, out, e) : 0;
}

/* ---- one event ---- */

struct wanted {
    int64_t seq;
    struct revision *out;
    bool found;
};

static int match_event(void *arg, const struct revision *revision)
{
    struct wanted *w = arg;
    if (revision->event.seq != w->seq)
        return 0;
    *w->out = *revision;
    w->found = true;
    return 1;
}

int history_at(struct reader *r, struct arena *arena, int64_t seq, struct revision *out,
               const struct memory **now, struct error *e)
{
    int64_t node;
    struct wanted wanted = {.seq = seq, .out = out};
    if (reader_begin(r, e))
        return -1;
    int result =
        db_int(reader_db(r), &node, 0, e, "SELECT subject FROM event WHERE seq = ?", "i", seq);
    if (result == 0 && node > 0)
        result = history_walk_down(r, arena, node, seq, match_event, &wanted, now, e);
    reader_end(r);
    if (result == 0 && !wanted.found)
        return error_set(e, ERROR_NOT_FOUND, "`stemma log` lists the events.",
                         "there is no event %lld on a memory", (long long)seq);
    return result;
}

/* ---- chains of undo and redo ---- */

/* The last event that reverts `seq`. There is at most one, unless the journal was altered. */
static int reverted_by(struct reader *r, int64_t seq, int64_t *by, struct error *e)
{
    return db_int(reader_db(r), by, 0, e,
                  "SELECT seq FROM event WHERE undoes = ?1 AND seq > ?1 ORDER BY seq DESC LIMIT 1",
                  "i", seq);
}

int history_chain_end(struct reader *r, int64_t seq, int64_t *end, bool *undone, struct error *e)
{
    int64_t next = seq;
    *undone = false;
    do {
        *end = next;
        if (reverted_by(r, *end, &next, e))
            return -1;
        *undone ^= next != 0;
    } while (next);
    return 0;
}

int64_t history_undone_by(struct reader *r, int64_t seq, struct error *e)
{
    int64_t end;
    bool undone;
    if (history_chain_end(r, seq, &end, &undone, e))
        return -1;
    return undone ? end : 0;
}

/* ---- a batch ---- */

int history_batch(struct reader *r, struct arena *arena, int64_t seq, int64_t **seqs, size_t *count,
                  struct error *e)
{
    size_t alloc = 0;
    *seqs = NULL;
    *count = 0;
    struct query rows = db_query(reader_db(r), e,
                                 "SELECT seq FROM event WHERE seq = ?1 UNION"
                                 " SELECT b.seq FROM event a JOIN event b"
                                 " ON b.correlation = a.correlation WHERE a.seq = ?1"
                                 " ORDER BY 1 DESC",
                                 "i", seq);
    while (db_next(&rows))
        *ARENA_ADD(arena, *seqs, *count, alloc) = sqlite3_column_int64(rows.stmt, 0);
    return db_end(&rows);
}

/* ---- what undo and redo revert ---- */

/*
 * What a person did by hand, newest first. The fourth column is 0 for purges and for events on
 * purged memories.
 */
static const char by_hand[] =
    "SELECT e.seq, e.undoes, e.operation,"
    " e.operation <> 'purge' AND coalesce(m.status, 7) <> 6, m.kind, m.name, e.subject, e.session"
    " FROM event e LEFT JOIN memory m ON m.id = e.subject"
    " WHERE e.actor = ? AND e.person ORDER BY e.seq DESC";

struct next {
    struct reader *r;
    struct arena *arena;
    bool redo, ended;
    int64_t seq; /* 0 if not found yet */
    struct passed passed;
};

/* Counts a skipped event and stores its ref: the newest purge, or else the newest other event. */
static int skip_event(struct next *n, sqlite3_stmt *stmt, struct error *e)
{
    struct passed *p = &n->passed;
    const char *operation = (const char *)sqlite3_column_text(stmt, 2);
    bool purge = operation && strcmp(operation, "purge") == 0;
    bool named = purge ? p->purges > 0 : p->purges + p->others > 0;
    p->purges += purge;
    p->others += !purge;
    if (named)
        return 0;
    int kind = column_enum(stmt, 4, KIND_COUNT);
    const char *id = db_text(n->arena, stmt, 5);
    if (kind < 0 || !id)
        return reader_damaged(e, "the ref", sqlite3_column_int64(stmt, 6));
    p->seq = sqlite3_column_int64(stmt, 0);
    p->ref = (struct ref){(enum kind)kind, id};
    return 0;
}

/* Of events without a memory, only a decision about a session stops an undo. */
static void note_decision(struct next *n, sqlite3_stmt *stmt)
{
    static const char end[] = "-session";
    struct passed *p = &n->passed;
    const char *operation = db_text(n->arena, stmt, 2);
    size_t len = operation ? strlen(operation) : 0;
    if (p->decision || len < sizeof(end) || strcmp(operation + len + 1 - sizeof(end), end) != 0)
        return;
    p->decision = operation;
    p->decided = sqlite3_column_int64(stmt, 0);
    p->session = sqlite3_column_int64(stmt, 7);
}

/*
 * Undo skips events that revert something and events that are reverted; the next one is the result.
 * Redo looks for an undo that still holds; an edit made since ends the search.
 */
static int examine(struct next *n, sqlite3_stmt *stmt, struct error *e)
{
    int64_t one = sqlite3_column_int64(stmt, 0);
    bool reverts = sqlite3_column_type(stmt, 1) != SQLITE_NULL;
    const char *operation = (const char *)sqlite3_column_text(stmt, 2);
    bool is_undo = reverts && operation && strcmp(operation, "undo") == 0;
    if (sqlite3_column_type(stmt, 6) == SQLITE_NULL) {
        note_decision(n, stmt);
        return 0;
    }
    if (!sqlite3_column_int(stmt, 3))
        return skip_event(n, stmt, e);
    n->ended = n->redo && !reverts;
    if (n->ended || (n->redo ? !is_undo : reverts))
        return 0;
    int64_t undone = history_undone_by(n->r, one, e);
    if (undone == 0)
        n->seq = one;
    return undone < 0 ? -1 : 0;
}

static int find_next(struct next *n, const char *actor, struct error *e)
{
    struct db *db = reader_db(n->r);
    struct query rows = db_query(db, e, by_hand, "s", actor);
    while (n->seq == 0 && !n->ended && db_next(&rows))
        if (examine(n, rows.stmt, e))
            return db_fail(&rows);
    return db_end(&rows);
}

/* Finds the last event of all imports and of the actor, if it is an import. *batch is its correlation, in the arena. */
static int last_import(struct reader *r, struct arena *arena, const char *actor, int64_t *seq,
                       const char **batch, struct error *e)
{
    struct query row = db_query(reader_db(r), e,
                                "SELECT seq, operation, correlation FROM event WHERE (actor = ?"
                                " OR operation = 'import') ORDER BY seq DESC LIMIT 1",
                                "s", actor);
    const char *operation = db_next(&row) ? (const char *)sqlite3_column_text(row.stmt, 1) : NULL;
    if (operation && strcmp(operation, "import") == 0) {
        *seq = sqlite3_column_int64(row.stmt, 0);
        *batch = db_text(arena, row.stmt, 2);
    }
    return db_end(&row);
}

int history_last_import(struct reader *r, const char *actor, int64_t *seq, int64_t *count,
                        struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *batch = NULL;
    *seq = 0;
    *count = 1;
    if (reader_begin(r, e))
        return -1;
    int result = last_import(r, &arena, actor, seq, &batch, e);
    int64_t undone = result == 0 && *seq ? history_undone_by(r, *seq, e) : 0;
    if (undone < 0)
        result = -1;
    else if (undone > 0)
        *seq = 0;
    if (result == 0 && *seq && batch)
        result = db_int(reader_db(r), count, 1, e,
                        "SELECT count(*) FROM event WHERE correlation = ?", "s", batch);
    reader_end(r);
    return result;
}

int history_to_undo(struct reader *r, struct arena *arena, const char *actor, bool redo,
                    int64_t **seqs, size_t *count, struct passed *passed, struct error *e)
{
    struct next n = {.r = r, .arena = arena, .redo = redo};
    *seqs = NULL;
    *count = 0;
    if (reader_begin(r, e))
        return -1;
    int result = find_next(&n, actor, e);
    if (!redo && n.passed.decision)
        n.passed.before = n.seq;
    else if (result == 0 && n.seq)
        result = history_batch(r, arena, n.seq, seqs, count, e);
    reader_end(r);
    if (passed)
        *passed = n.passed;
    return result;
}

/* Only its existence is known. */
static bool is_erased(const struct memory *m)
{
    return !m->detail && !(m->text && *m->text);
}

/* As for present entries: an entry without a namespace is visible to nobody. */
static enum visibility name_visibility(struct reader *r, struct arena *arena,
                                       const struct memory *m)
{
    const struct guard *g = reader_guarded(r);
    const struct permissions *p = guard_permissions(g->rules);
    struct entry_claim name;
    if (!entry_name_of(m, detail_json(m->detail), arena, &name) ||
        !permission_reads(p, g->agent, name.namespace_, ENTRY_BY_REF))
        return VISIBLE_NONE;
    reader_guard_known(r)->read_masked |= permission_policy(p, name.namespace_)->pii != PII_OFF;
    return VISIBLE_WHOLE;
}

int guard_state(struct reader *r, struct arena *arena, const struct memory *m,
                const struct memory **seen, struct error *e)
{
    enum visibility visibility;
    const struct guard *g = reader_guarded(r);
    bool pending = m && (m->status == STATUS_PENDING || m->status == STATUS_REJECTED);
    *seen = m;
    if (g && pending && !same_text(m->agent_id, g->agent)) {
        *seen = NULL; /* it came into sight with its approval */
        return 0;
    }
    if (!m || !guard_hides(r))
        return 0;
    if (m->ref.kind == KIND_ENTRY && !is_erased(m))
        visibility = name_visibility(r, arena, m);
    else if (guard_visibility_of(r, m->node, m->ref.kind, m->agent_id, &visibility, e))
        return -1;
    *seen = NULL;
    if (visibility != VISIBLE_WHOLE)
        return 0;
    struct memory *thinned = arena_memdup(arena, m, sizeof(*m));
    *seen = thinned;
    return guard_filter(r, arena, thinned, e);
}

int guard_revision(struct reader *r, struct arena *arena, struct revision *v, bool *visible,
                   struct error *e)
{
    const struct memory *before, *after;
    *visible = true;
    if (!reader_guarded(r))
        return 0;
    if (guard_state(r, arena, v->before, &before, e) || guard_state(r, arena, v->after, &after, e))
        return -1;
    *visible = v->after ? after != NULL : before != NULL;
    if (v->before && !before) {
        v->event.before = v->event.reason = NULL;
        v->event.undoes = 0;
    }
    v->before = before;
    v->after = after;
    return 0;
}
