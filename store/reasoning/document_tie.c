/*
 * A document and the logged retrievals that it came from. What a source names is recorded; what merely has
 * the same hash or uri is a guess, and says so.
 */
#include "model/base/utf8.h"
#include "store/reasoning/document_tie.h"

#include <string.h>
#include "store/ops/add_refs.h"
#include "store/record/detail_member.h"
#include "store/reasoning/document.h"
#include "store/record/found_by.h"
#include "store/ops/policy.h"
#include "store/db/same.h"

/* Of a document's own links to retrievals: each further one costs what all of them take. */
#define TIES_MAX 64

const char *tie_agent(const struct actor *actor, const char *agent_id)
{
    if (agent_id && *agent_id)
        return agent_id;
    return utf8_is_blank(actor->agent) ? actor->name : actor->agent;
}

/* ---- which retrieval ---- */

#define DETAIL_READ 65536 /* bytes: a longer one holds the content itself */

/* What it says that its content hashes to, in small digits; *hash NULL: nothing, or it is too long to look. */
static int read_hash(struct txn *t, int64_t node, struct arena *arena, const char **hash,
                     struct error *e)
{
    static const char sql[] = "SELECT detail FROM memory WHERE id = ? AND length(detail) <= ?";
    *hash = NULL;
    sqlite3_stmt *stmt = db_prepare(t->db, sql, e);
    int found = db_bind(t->db, stmt, e, "ii", node, (int64_t)DETAIL_READ);
    if (found > 0) {
        struct json_slice detail = detail_json((const char *)sqlite3_column_text(stmt, 0));
        struct digest digest;
        char hex[2 * DIGEST_SIZE + 1];
        if (detail.ptr)
            detail_string(json_member(detail.ptr, detail.len, "full_content_hash"), arena, hash);
        if (*hash && digest_from_hex(&digest, *hash) == 0) {
            digest_hex(hex, &digest);
            *hash = arena_strdup(arena, hex);
        } else {
            *hash = NULL;
        }
    }
    sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}

/* 1: its content is another one than of that hash; -1 on error. */
static int is_of_another(struct txn *t, int64_t node, const char *version, struct error *e)
{
    static const char sql[] = "SELECT 1 FROM found_by WHERE memory = ? AND field = ? AND key <> ?";
    uint8_t key[FOUND_BY_KEY];
    int64_t another;
    if (!version)
        return 0;
    found_by_key(key, FOUND_BY_CONTENT_HASH, version);
    return db_int(t->db, &another, 0, e, sql, "iib", node, (int64_t)FOUND_BY_CONTENT_HASH,
                  (const void *)key, (size_t)FOUND_BY_KEY)
               ? -1
               : (int)another;
}

static int read_ref(struct txn *t, int64_t node, struct arena *arena, struct ref *ref,
                    struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(t->db, "SELECT kind, name FROM memory WHERE id = ?", e);
    int found = db_bind(t->db, stmt, e, "i", node);
    if (found > 0)
        *ref = (struct ref){(enum kind)sqlite3_column_int(stmt, 0), db_text(arena, stmt, 1)};
    sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}

static int take_retrieval(struct txn *t, int64_t node, struct tie *tie, struct arena *arena,
                          struct error *e)
{
    int another = is_of_another(t, node, tie->version, e);
    if (another)
        return another < 0 ? -1 : 0;
    tie->node = node;
    return read_ref(t, node, arena, &tie->ref, e) ||
                   (!tie->version && read_hash(t, node, arena, &tie->version, e))
               ? -1
               : 0;
}

/* The latest of that agent. */
static int look(struct txn *t, enum found_by field, const char *value, const char *agent,
                struct tie *tie, struct arena *arena, struct error *e)
{
    int64_t *rows;
    size_t count;
    if (!value || !*value || tie->ref.id)
        return 0;
    if (found_by_rows(t->db, arena, field, value, agent, INT64_MAX, 1, &rows, &count, e))
        return -1;
    return count ? take_retrieval(t, rows[0], tie, arena, e) : 0;
}

static int guess(struct txn *t, const char *agent, const struct source *s, struct tie *tie,
                 struct arena *arena, struct error *e)
{
    tie->recorded = RECORDED_AUTO_LINKED;
    return look(t, FOUND_BY_CONTENT_HASH, tie->version, agent, tie, arena, e) ||
                   look(t, FOUND_BY_URI, s->uri, agent, tie, arena, e) ||
                   look(t, FOUND_BY_URI, s->invented ? NULL : s->document_id, agent, tie, arena, e)
               ? -1
               : 0;
}

/* What the source names, which need not have been logged yet. */
static int find_named(struct txn *t, const struct source *s, struct tie *tie, struct arena *arena,
                      struct error *e)
{
    bool known;
    enum ref_class class =
        add_ref(t, arena, s->attribution, KIND_ATTRIBUTION, &tie->ref, &known, e);
    if (class == REF_ANNOTATION)
        return error_set(e, ERROR_INVALID, "Give attribution:ID as it was answered.",
                         "%.80s names no logged retrieval", s->attribution);
    if (class != REF_MEMORY)
        return -1;
    if (tie->ref.kind != KIND_ATTRIBUTION)
        return error_set(e, ERROR_INVALID, "Give attribution:ID as it was answered.",
                         "%.80s is no logged retrieval", s->attribution);
    tie->recorded = RECORDED;
    if (!known)
        return 0;
    tie->node = txn_ref(t, tie->ref, false, e);
    if (tie->node <= 0)
        return (int)tie->node;
    if (tie->version)
        return 0;
    return read_hash(t, tie->node, arena, &tie->version, e);
}

int document_check(struct txn *t, const struct source *s, struct arena *arena, bool *known,
                   struct error *e)
{
    struct tie tie = {.version = s->version_hash};
    *known = true;
    if (!s->attribution || !*s->attribution)
        return 0;
    if (find_named(t, s, &tie, arena, e))
        return error_prefix(e, "attribution");
    *known = tie.node > 0;
    return 0;
}

int document_tie(struct txn *t, const struct actor *actor, const char *agent_id, int64_t document,
                 const struct source *s, struct arena *arena, struct error *e)
{
    struct tie tie = {.version = s->version_hash};
    bool named = s->attribution && *s->attribution;
    if (named ? find_named(t, s, &tie, arena, e)
              : guess(t, tie_agent(actor, agent_id), s, &tie, arena, e))
        return -1;
    return tie.ref.id ? tie_put(t, actor, document, &tie, arena, e) : 0;
}

/* ---- tying ---- */

/* What the document has already: this retrieval, another one of this version, and how many in all. */
struct tied {
    struct justification *same; /* whose only antecedent it is; NULL: none */
    bool named, version;
    size_t count;
};

static struct tied find_tied(const struct memory *m, const struct tie *tie)
{
    struct tied tied = {.count = 0};
    for (size_t i = 0; i < m->justification_count; i++) {
        struct justification *j = &m->justifications[i];
        for (size_t k = 0; k < j->count; k++) {
            const struct use *use = j->antecedents[k].use;
            bool same = ref_equal(j->antecedents[k].ref, tie->ref);
            tied.named |= same;
            tied.same = same && j->count == 1 ? j : tied.same;
            tied.version |= j->antecedents[k].ref.kind == KIND_ATTRIBUTION &&
                            same_text(use ? use->version_hash : NULL, tie->version);
            tied.count++;
        }
    }
    return tied;
}

/*
 * One that came with the document is what it was made from. A later one, and a guess, only backs it up: where
 * nothing did before, an empty justification stands beside it, so that it is no easier to fall.
 */
static int with_tie(struct memory *m, const struct tie *tie, bool made_from, int64_t now,
                    struct arena *arena)
{
    size_t count = m->justification_count;
    struct justification *all = arena_array(arena, count + 2, sizeof(*all));
    struct antecedent *a = arena_alloc(arena, sizeof(*a));
    struct use *use = arena_alloc(arena, sizeof(*use));
    if (!a || !use)
        return -1;
    if (count)
        memcpy(all, m->justifications, count * sizeof(*all));
    else if (!made_from)
        all[count++] =
            (struct justification){ROLE_DERIVED_FROM, READING_ALL, RECORDED, now, NULL, NULL, 0};
    *use = (struct use)USE_NONE;
    use->version_hash = tie->version;
    *a = (struct antecedent){.ref = tie->ref, .use = use};
    all[count++] = (struct justification){.role = made_from ? ROLE_DERIVED_FROM : ROLE_EVIDENCE,
                                          .reading = READING_ANY,
                                          .recorded = tie->recorded,
                                          .at = now,
                                          .antecedents = a,
                                          .count = 1};
    m->justifications = all;
    m->justification_count = count;
    return 0;
}

/* Was it made for what is about to use it? Then nothing stands by it yet. */
static int is_new(struct txn *t, const struct memory *m, bool *yes, struct error *e)
{
    int64_t used = 0;
    *yes = m->version == 1 && m->event > t->saved.last_seq && m->justification_count == 0;
    if (*yes &&
        db_int(t->db, &used, 0, e, "SELECT 1 FROM link WHERE target = ? LIMIT 1", "i", m->node))
        return -1;
    *yes = *yes && !used;
    return 0;
}

static int add_tie(struct txn *t, const struct actor *actor, const struct memory *before,
                   const struct tie *tie, struct arena *arena, struct error *e)
{
    struct memory after = *before;
    bool is_made_from = false;
    if (is_new(t, before, &is_made_from, e))
        return -1;
    is_made_from = is_made_from && tie->recorded == RECORDED && tie->node;
    after.updated_at = txn_now(t);
    with_tie(&after, tie, is_made_from, txn_now(t), arena);
    return txn_put(t, actor, "evidence", before, &after, NULL, e);
}

/* A guess that somebody says now is none any more. */
static int confirm(struct txn *t, const struct actor *actor, const struct memory *before,
                   const struct justification *guessed, struct arena *arena, struct error *e)
{
    struct memory after = *before;
    size_t bytes = before->justification_count * sizeof(*guessed);
    struct justification *all = arena_memdup(arena, before->justifications, bytes);
    all[guessed - before->justifications].recorded = RECORDED;
    after.justifications = all;
    after.updated_at = txn_now(t);
    return txn_put(t, actor, "evidence", before, &after, NULL, e);
}

/* What is recorded is kept beside the retrieval, of which there are as many as were logged. */
static int add_copy(struct txn *t, const struct actor *actor, const struct memory *document,
                    const struct tie *tie, struct arena *arena, struct error *e)
{
    struct memory before, after;
    if (tie->recorded != RECORDED || !tie->node || tie->node == document->node)
        return 0;
    if (memory_read_db(t->db, arena, tie->node, &before, e))
        return -1;
    for (size_t i = 0; i < before.relation_count; i++)
        if (before.relations[i].type == RELATION_COPY_OF &&
            ref_equal(before.relations[i].to, document->ref))
            return 0;
    int left = policy_leaves_alone(t, actor, &before, e);
    if (left)
        return left < 0 ? -1 : 0;
    size_t count = before.relation_count;
    struct relation *all = arena_array(arena, count + 1, sizeof(*all));
    if (count)
        memcpy(all, before.relations, count * sizeof(*all));
    all[count] = (struct relation){.type = RELATION_COPY_OF, .to = document->ref, .at = txn_now(t)};
    after = before;
    after.relations = all;
    after.relation_count = count + 1;
    after.updated_at = txn_now(t);
    return txn_put(t, actor, "evidence", &before, &after, NULL, e);
}

int tie_put(struct txn *t, const struct actor *actor, int64_t document, const struct tie *tie,
            struct arena *arena, struct error *e)
{
    struct memory m;
    if (memory_read_db(t->db, arena, document, &m, e))
        return -1;
    if (ref_equal(m.ref, tie->ref))
        return 0;
    struct tied tied = find_tied(&m, tie);
    bool confirms = tied.same && tied.same->recorded != RECORDED && tie->recorded == RECORDED;
    if (tied.named && !confirms)
        return 0;
    int left = policy_leaves_alone(t, actor, &m, e);
    if (left < 0)
        return -1;
    if (confirms)
        return left ? 0 : confirm(t, actor, &m, tied.same, arena, e);
    /* Two that are named of contents that are not known may well be of two versions. */
    bool another = tied.version && (tie->version || tie->recorded != RECORDED);
    bool adds = !another && tied.count < TIES_MAX;
    return adds && !left ? add_tie(t, actor, &m, tie, arena, e)
                         : add_copy(t, actor, &m, tie, arena, e);
}
