/* Applies an event of another machine: checks it against the hash chain, then writes what it changed. */
#include "store/team/team_internal.h"

#include <string.h>
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/record/get.h"
#include "store/record/put.h"

static int altered(const struct team_event *v, const char *what, struct error *e)
{
    return error_set(e, ERROR_STORE, "stemma fsck compares the team's journal with this one.",
                     "event %lld of the team's journal%s%s was altered: %s", (long long)v->seq,
                     v->file ? " in " : "", v->file ? v->file : "", what);
}

int team_read_canonical(struct canonical *out, const struct team_event *v, struct arena *arena,
                        struct error *e)
{
    return canonical_read(out, arena, v->canonical, strlen(v->canonical))
               ? altered(v, "its text cannot be read", e)
               : 0;
}

static bool fits(const char *hex, const unsigned char *salt, const char *text)
{
    struct digest d;
    char actual[2 * DIGEST_SIZE + 1];
    digest_commit(&d, salt, text ? text : "", text ? strlen(text) : 0);
    digest_hex(actual, &d);
    return same_text(hex, actual);
}

/* Of what a later event erased, nothing is left to be checked. */
const char *team_check_event(const struct team_event *v, const struct canonical *c,
                             const struct digest *before)
{
    struct digest hash;
    digest_chain(&hash, v->seq > 1 ? before : NULL, v->canonical, strlen(v->canonical));
    if (!c->actor || !c->operation)
        return "it does not say who did what";
    if (c->seq != v->seq)
        return "it has the number of another event";
    if (!digest_equal(&hash, &v->hash))
        return "its text and its hash do not fit";
    if (!v->salt)
        return v->patch || v->line ? "its salt is missing" : NULL;
    if (!fits(c->patch, v->salt, v->patch))
        return "its patch was altered";
    if (v->line ? !c->after || !fits(c->after, v->salt, v->line) : c->after != NULL)
        return "its memory was altered";
    return NULL;
}

static int check(struct txn *t, const struct team_event *v, const struct canonical *c,
                 struct error *e)
{
    if (v->seq > t->last_seq + 1)
        return error_set(
            e, ERROR_STORE, "Of a folder: was it copied only in part? stemma fsck says more.",
            "event %lld is missing from the team's journal", (long long)t->last_seq + 1);
    if (v->seq != t->last_seq + 1)
        return altered(v, "it does not follow the event before", e);
    const char *wrong = team_check_event(v, c, &t->last_hash);
    return wrong ? altered(v, wrong, e) : 0;
}

/* A decision about a session: the row is on the machine that has it, and a copy here. */
static int decide_session(struct txn *t, const struct canonical *c, struct error *e)
{
    const struct session_decision *decision = session_decision(c->operation);
    if (!decision)
        return 0;
    t->generation++; /* of the cached rows of sessions */
    if (decision == &session_decisions[SESSION_ENDS])
        return db_run(t->db, e, "UPDATE session SET ended_at = ?, ended_by = ? WHERE id = ?", "isi",
                      c->at, c->actor, c->session);
    return db_run(t->db, e, "UPDATE session SET read_only = ? WHERE id = ?", "ii",
                  (int64_t)(decision == &session_decisions[SESSION_READS_ONLY]), c->session);
}

/* The memory as it is here; *node is its row, 0 if it was never named, and *out NULL unless it exists. */
static int read_present(struct txn *t, struct ref ref, struct arena *arena, int64_t *node,
                        const struct memory **out, struct error *e)
{
    struct memory *m = arena_alloc(arena, sizeof(*m));
    *out = NULL;
    *node = txn_ref(t, ref, false, e);
    if (*node <= 0)
        return *node < 0 ? -1 : 0;
    if (memory_read_db(t->db, arena, *node, m, e))
        return -1;
    *out = m->status == STATUS_MISSING ? NULL : m;
    return 0;
}

static int sweep(struct txn *t, const struct received *received, const struct canonical *c,
                 struct ref ref, int64_t node, const struct memory *present, struct error *e)
{
    struct memory stub;
    if (!present) {
        memory_init(&stub, ref);
        stub.node = node;
        stub.status = STATUS_MISSING;
    }
    return txn_sweep_received(t, received, present ? present : &stub, c->erases, e);
}

/* Its content is erased: only the event is left, and the memory is what a later event makes it. */
static int append_erased(struct txn *t, const struct received *received, const struct canonical *c,
                         struct ref ref, struct error *e)
{
    struct change change = {
        .operation = c->operation, .ref = ref, .undoes = c->undoes, .received = received};
    change.node = txn_ref(t, ref, true, e);
    return change.node < 0 ? -1 : journal_append(t, NULL, &change, e);
}

int team_receive(struct txn *t, const struct team_event *v, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct canonical c;
    struct ref ref;
    struct memory after;
    const struct memory *before;
    int64_t node;
    if (team_read_canonical(&c, v, &arena, e) || check(t, v, &c, e))
        return -1;
    struct received received = {.at = c.at,
                                .session = c.session,
                                .actor = c.actor,
                                .correlation = c.correlation,
                                .by_hand = journal_is_by_hand(c.class_name, c.origin),
                                .canonical = v->canonical,
                                .salt = v->salt,
                                .patch = v->patch,
                                .line = v->line,
                                .hash = v->hash};
    if (!c.ref)
        return decide_session(t, &c, e) || journal_append(t, NULL,
                                                          &(struct change){.operation = c.operation,
                                                                           .undoes = c.undoes,
                                                                           .received = &received},
                                                          e)
                   ? -1
                   : 0;
    if (ref_parse(c.ref, &ref) != REF_MEMORY)
        return altered(v, "its ref cannot be read", e);
    if (!v->salt)
        return append_erased(t, &received, &c, ref, e);
    if (read_present(t, ref, &arena, &node, &before, e))
        return -1;
    if (same_text(c.operation, "sweep"))
        return sweep(t, &received, &c, ref, node, before, e);
    if (v->line && memory_json_read(&after, &arena, v->line, strlen(v->line), "", c.at, NULL, e))
        return error_prefix(e, "event %lld of the team's journal", (long long)v->seq);
    if (!before && !v->line)
        return append_erased(t, &received, &c, ref, e);
    struct actor actor = {.class = same_text(c.class_name, "agent") ? ACTOR_AGENT : ACTOR_PERSON,
                          .name = c.actor,
                          .agent = c.agent,
                          .origin = c.origin,
                          .correlation = c.correlation,
                          .session = c.session,
                          .claimed = c.claimed};
    struct put how = {.operation = c.operation,
                      .undoes = c.undoes,
                      .erases = canonical_erases(&c) != 0,
                      .received = &received};
    return txn_put_as(t, &actor, &how, before, v->line ? &after : NULL, e);
}
