/*
 * A document and the logged retrievals that it came from. What a source names is recorded; what merely has
 * the same hash or uri is a guess, and says so.
 */
#include "document.h"

#include <string.h>
#include "add_refs.h"
#include "detail_member.h"
#include "found_by.h"
#include "same.h"
#include "txn.h"

/* Of a document's own links to retrievals: each further one costs what all of them take. */
#define TIES_MAX 64

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out");
}

/* ---- which retrieval ---- */

struct tie {
    struct ref ref;      /* of the retrieval; id NULL: there is none */
    bool known;          /* it is there */
    const char *version; /* of the content; NULL: not known */
    enum recorded recorded;
};

/* What it says that its content hashes to, in small digits; NULL: nothing. */
static int read_hash(struct txn *t, int64_t node, struct ref *ref, const char **hash,
                     struct arena *arena, struct error *e)
{
    struct memory m;
    char *copy;
    if (memory_read_db(t->db, arena, node, &m, e))
        return -1;
    if (detail_text(&m, "full_content_hash", arena, hash))
        return out_of_memory(e);
    *ref = m.ref;
    if (!*hash)
        return 0;
    if (!(copy = arena_strdup(arena, *hash)))
        return out_of_memory(e);
    for (*hash = copy; *copy; copy++)
        if (*copy >= 'A' && *copy <= 'F')
            *copy = (char)(*copy - 'A' + 'a');
    return 0;
}

/* The latest of that agent; one of another content than the source's is none of it. */
static int look(struct txn *t, enum found_by field, const char *value, const char *agent,
                struct tie *tie, struct arena *arena, struct error *e)
{
    int64_t *rows;
    size_t count;
    struct ref ref;
    const char *hash;
    if (!value || !*value || tie->ref.id)
        return 0;
    if (found_by_rows(t->db, arena, field, value, agent, INT64_MAX, 1, &rows, &count, e))
        return -1;
    if (count == 0)
        return 0;
    if (read_hash(t, rows[0], &ref, &hash, arena, e))
        return -1;
    if (hash && tie->version && strcmp(hash, tie->version) != 0)
        return 0;
    tie->ref = ref;
    tie->known = true;
    if (!tie->version)
        tie->version = hash;
    return 0;
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

static int find_hash(struct txn *t, struct tie *tie, struct arena *arena, struct error *e)
{
    struct ref ref;
    if (tie->version || !tie->known || tie->ref.kind != KIND_ATTRIBUTION)
        return 0;
    int64_t node = txn_ref(t, tie->ref, false, e);
    return node <= 0 ? (int)node : read_hash(t, node, &ref, &tie->version, arena, e);
}

static int find(struct txn *t, const struct actor *actor, const char *agent_id,
                const struct source *s, struct tie *tie, struct arena *arena, struct error *e)
{
    const char *agent = agent_id && *agent_id           ? agent_id
                        : actor->agent && *actor->agent ? actor->agent
                                                        : actor->name;
    *tie = (struct tie){.version = s->version_hash};
    if (!s->attribution || !*s->attribution)
        return guess(t, agent, s, tie, arena, e);
    tie->recorded = RECORDED;
    switch (add_ref(t, arena, s->attribution, KIND_ATTRIBUTION, &tie->ref, &tie->known, e)) {
    case REF_MEMORY:
        return find_hash(t, tie, arena, e);
    case REF_ANNOTATION:
        return error_set(e, ERROR_INVALID, "Give attribution:ID as it was answered.",
                         "%.80s names no logged retrieval", s->attribution);
    default:
        return -1;
    }
}

/* ---- tying ---- */

static const char *version_of(const struct antecedent *a)
{
    return a->use ? a->use->version_hash : NULL;
}

/* Is it there already, or another one of that version? */
static bool is_tied(const struct memory *m, const struct tie *tie, size_t *ties)
{
    bool same = false;
    *ties = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            const struct antecedent *a = &m->justifications[i].antecedents[k];
            ++*ties;
            same |= ref_equal(a->ref, tie->ref) ||
                    (a->ref.kind == KIND_ATTRIBUTION && same_text(version_of(a), tie->version) &&
                     (tie->version || tie->recorded != RECORDED));
        }
    return same;
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
    if (!all || !a || !use)
        return -1;
    if (count)
        memcpy(all, m->justifications, count * sizeof(*all));
    else if (!made_from)
        all[count++] =
            (struct justification){ROLE_DERIVED_FROM, READING_ALL, RECORDED, now, NULL, NULL, 0};
    *use = (struct use)USE_NONE;
    use->version_hash = tie->version;
    *a = (struct antecedent){.ref = tie->ref, .use = use};
    all[count++] = (struct justification){
        made_from ? ROLE_DERIVED_FROM : ROLE_EVIDENCE, READING_ANY, tie->recorded, now, NULL, a, 1};
    m->justifications = all;
    m->justification_count = count;
    m->updated_at = now;
    return 0;
}

static int put(struct txn *t, const struct actor *actor, int64_t document, const struct tie *tie,
               struct arena *arena, struct error *e)
{
    struct memory before, after;
    size_t ties;
    if (memory_read_db(t->db, arena, document, &before, e))
        return -1;
    if (!STATUS_LIVES(before.status) || ref_equal(before.ref, tie->ref) ||
        is_tied(&before, tie, &ties) || ties >= TIES_MAX)
        return 0;
    bool fresh =
        before.version == 1 && before.created_at == txn_now(t) && before.justification_count == 0;
    after = before;
    if (with_tie(&after, tie, fresh && tie->known && tie->recorded == RECORDED, txn_now(t), arena))
        return out_of_memory(e);
    return txn_put(t, actor, "evidence", &before, &after, NULL, e);
}

int document_tie(struct txn *t, const struct actor *actor, const char *agent_id, int64_t document,
                 const struct source *s, struct arena *arena, struct error *e)
{
    struct tie tie;
    if (find(t, actor, agent_id, s, &tie, arena, e))
        return -1;
    return tie.ref.id ? put(t, actor, document, &tie, arena, e) : 0;
}
